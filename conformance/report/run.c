/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands what happens in a run to each of its reports. */
#include <report/run.h>

#include <stdlib.h>

#include <memory/memory.h>

/* A report without memory ends with the last part that is whole: others may say too little. */
static void run_keep_whole(const report_output *o, uint64_t before) {
  if (memory_ran_out()) {
    out_cut_back(o->check.out, before);
  }
}

void report_run_begin(report_run *run) {
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    const uint64_t before = out_tell(o->check.out);
    if (o->format->begin != NULL) {
      o->format->begin(&o->check);
    }
    run_keep_whole(o, before);
  }
}

bool report_run_wants_pdus(const report_run *run) {
  bool any = false;
  for (size_t i = 0; i < run->num; i++) {
    any = any || run->outputs[i].format->pdu != NULL;
  }
  return any;
}

void report_run_numbered(report_run *run, const observe_conn *conn) {
  for (size_t i = 0; i < run->num && !memory_ran_out(); i++) {
    report_output *o = &run->outputs[i];
    const uint64_t before = out_tell(o->check.out);
    if (o->format->numbered != NULL) {
      o->format->numbered(&o->check, conn);
    }
    run_keep_whole(o, before);
  }
}

/* The slots of a connection, one for each report; NULL: no memory. */
static void **run_slots(const report_run *run, observe_conn *conn) {
  if (conn->user == NULL) {
    conn->user = memory_zeroed(run->num, sizeof(void *));
  }
  return conn->user;
}

void report_run_event(report_run *run, observe_conn *conn, const iwarp_event *ev) {
  void **slots = conn->numbered && !memory_ran_out() ? run_slots(run, conn) : NULL;
  for (size_t i = 0; slots != NULL && i < run->num; i++) {
    report_output *o = &run->outputs[i];
    const uint64_t before = out_tell(o->check.out);
    if (o->format->pdu != NULL) {
      report_check_pdu(&o->check, o->format, &slots[i], conn, ev);
    }
    run_keep_whole(o, before);
  }
}

void report_run_finding(report_run *run, observe_conn *conn, const iwarp_finding *finding,
                        const iwarp_event *ev) {
  const iwarp_severity severity = iwarp_rule_get(finding->rule)->severity;
  void **slots = run_slots(run, conn);
  if (memory_ran_out()) {
    return;
  }
  const bool suspected = iwarp_finding_suspected(finding);
  if (!suspected) {
    report_note(conn, finding->rule);
  }
  if (conn->known != NULL && !suspected) {
    run->totals.xfail++;
  } else {
    report_totals_finding(&run->totals, finding);
  }
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    const uint64_t before = out_tell(o->check.out);
    if (severity >= o->check.level && !(suspected && o->format->certain)) {
      report_check_finding(&o->check, o->format, &slots[i], conn, finding, ev);
    }
    run_keep_whole(o, before);
  }
}

void report_run_trait(report_run *run, const report_trait *trait) {
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    if (o->format->trait != NULL) {
      o->format->trait(&o->check, trait);
    }
  }
}

void report_run_transports(report_run *run, const observe_conn *capture,
                           report_transports *transports) {
  report_transports_sort(transports);
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    for (size_t n = 0; o->format->transport != NULL && n < transports->num; n++) {
      o->format->transport(&o->check, capture, &transports->of[n]);
    }
  }
}

void report_run_closed(report_run *run, observe_conn *conn) {
  void **slots = run_slots(run, conn);
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    const uint64_t before = out_tell(o->check.out);
    if (slots != NULL) {
      report_check_connection(&o->check, o->format, &slots[i], conn);
    }
    run_keep_whole(o, before);
  }
  free(slots);
  conn->user = NULL;
  report_totals_add(&run->totals, conn);
}

void report_run_summary(report_run *run, bool any_read) {
  if (memory_ran_out()) {
    return;
  }
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    const uint64_t before = out_tell(o->check.out);
    if (any_read || o->format->whole) {
      o->format->summary(&o->check, &run->totals);
    }
    run_keep_whole(o, before);
  }
}
