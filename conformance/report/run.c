/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands what happens in a run to each of its reports. */
#include <report/run.h>

#include <stdlib.h>

void report_run_begin(report_run *run) {
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    if (o->format->begin != NULL) {
      o->format->begin(&o->check);
    }
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
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    if (o->format->numbered != NULL) {
      o->format->numbered(&o->check, conn);
    }
  }
}

/* The slots of a connection, one for each report; NULL: no memory. */
static void **run_slots(const report_run *run, observe_conn *conn) {
  if (conn->user == NULL) {
    conn->user = calloc(run->num, sizeof(void *));
  }
  return conn->user;
}

void report_run_event(report_run *run, observe_conn *conn, const iwarp_event *ev) {
  void **slots = conn->numbered ? run_slots(run, conn) : NULL;
  for (size_t i = 0; slots != NULL && i < run->num; i++) {
    report_output *o = &run->outputs[i];
    if (o->format->pdu != NULL) {
      report_check_pdu(&o->check, o->format, &slots[i], conn, ev);
    }
  }
}

void report_run_finding(report_run *run, observe_conn *conn, const iwarp_finding *finding,
                        const iwarp_event *ev) {
  const iwarp_severity severity = iwarp_rule_get(finding->rule)->severity;
  void **slots = run_slots(run, conn);
  report_note(conn, finding->rule);
  if (conn->known != NULL) {
    run->totals.xfail++;
  } else {
    report_totals_finding(&run->totals, finding);
  }
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    if (slots == NULL) {
      o->check.num_repeated++;
    } else if (severity >= o->check.level) {
      report_check_finding(&o->check, o->format, &slots[i], conn, finding, ev);
    }
  }
}

void report_run_closed(report_run *run, observe_conn *conn) {
  void **slots = run_slots(run, conn);
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    if (slots == NULL) {
      o->check.num_conns_withheld++;
    } else {
      report_check_connection(&o->check, o->format, &slots[i], conn);
    }
  }
  free(slots);
  conn->user = NULL;
  report_totals_add(&run->totals, conn);
}

void report_run_summary(report_run *run, bool any_read) {
  for (size_t i = 0; i < run->num; i++) {
    report_output *o = &run->outputs[i];
    if (any_read || o->format->whole) {
      o->format->summary(&o->check, &run->totals);
    }
  }
}
