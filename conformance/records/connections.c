/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections with findings, verdicts and diagnoses; TCP connections without iWARP. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include <iwarp/field.h>
#include <memory/memory.h>
#include <report/conn.h>
#include <report/diagnosis.h>
#include <report/finding.h>
#include <report/names.h>
#include <report/transports.h>

records_conn *records_conn_of(observe_conn *conn) {
  if (conn->user == NULL) {
    conn->user = memory_zeroed(1, sizeof(records_conn));
  }
  return conn->user;
}

/* ---- findings ---- */

static char *records_value(const iwarp_value *v) {
  out_buf out;
  out_open_memory(&out);
  if (v->kind != IWARP_VALUE_NONE) {
    report_value_put(&out, v);
  }
  return records_text(&out);
}

static char *records_message(const iwarp_rule *rule, const iwarp_finding *f) {
  out_buf out;
  out_open_memory(&out);
  report_message_put(&out, rule, f);
  return records_text(&out);
}

static char *records_where(const observe_conn *conn, const iwarp_finding *f) {
  out_buf out;
  out_open_memory(&out);
  report_finding_where(&out, conn, f);
  return records_text(&out);
}

static records_finding records_finding_of(const observe_conn *conn, const iwarp_finding *f) {
  const iwarp_rule *rule = iwarp_rule_get(f->rule);
  const iwarp_field *field = iwarp_field_get(f->field);
  return (records_finding){.finding = *f,
                           .rule = rule,
                           .field = field != NULL ? field->path : NULL,
                           .severity = report_severity_name(rule->severity),
                           .impact = report_impact_name(rule->impact),
                           .unless = iwarp_finding_suspected(f) ? iwarp_finding_unless(f) : NULL,
                           .message = records_message(rule, f),
                           .expected = records_value(&f->expected),
                           .observed = records_value(&f->observed),
                           .where = records_where(conn, f)};
}

bool records_grow(void **list, size_t num, size_t size) {
  if ((num & (num - 1)) != 0) {
    return true;
  }
  void *grown = memory_resize(*list, (num > 0 ? 2 * num : 1) * size);
  if (grown != NULL) {
    *list = grown;
  }
  return grown != NULL;
}

static void records_on_finding(void *ctx, observe_conn *conn, const iwarp_finding *finding,
                               const iwarp_event *ev) {
  const records *r = ctx;
  records_conn *c = r->closing ? NULL : records_conn_of(conn);
  (void)ev;
  if (c == NULL) {
    return;
  }
  if (c->num_findings >= r->cfg.findings_max) {
    c->left_out++;
    return;
  }
  void *list = c->findings;
  if (records_grow(&list, c->num_findings, sizeof *c->findings)) {
    c->findings = list;
    c->findings[c->num_findings++] = records_finding_of(conn, finding);
  }
}

/* ---- the end of a connection ---- */

static char *records_reason(uint32_t reason) {
  out_buf out;
  out_open_memory(&out);
  report_reason_put(&out, reason);
  return records_text(&out);
}

static void records_verdicts(records_conn *c, const iwarp_rule_result *results) {
  const uint16_t num = iwarp_rule_count();
  c->verdicts = memory_zeroed(num, sizeof *c->verdicts);
  for (uint16_t id = 0; c->verdicts != NULL && id < num; id++) {
    c->verdicts[id] = (records_verdict){
        .rule = iwarp_rule_get(id),
        .verdict = report_verdict_name(results[id].verdict),
        .reason = results[id].verdict == IWARP_VERDICT_INCONCLUSIVE && results[id].reason != 0
                      ? records_reason(results[id].reason)
                      : NULL,
        .result = results[id]};
    c->num_verdicts = id + 1u;
  }
}

static void records_diagnoses(records_conn *c, const observe_conn *conn) {
  iwarp_diagnoses found;
  iwarp_diagnose(&found, conn);
  for (size_t i = 0; i < found.num; i++) {
    out_buf out;
    out_open_memory(&out);
    report_diagnosis_put(&out, conn, &found.of[i]);
    c->diagnoses[i] = (records_diagnosis){.diagnosis = found.of[i],
                                          .row = iwarp_diagnosis_get(found.of[i].id),
                                          .text = records_text(&out)};
  }
  c->num_diagnoses = found.num;
}

void records_conn_end(records *r, observe_conn *conn) {
  records_conn *c = records_conn_of(conn);
  if (conn->given_up != NULL && !conn->recounted) {
    report_limits_add(&r->given_up, conn->given_up, 1);
  }
  if (c == NULL) {
    return;
  }
  if (conn->results != NULL) {
    records_verdicts(c, conn->results);
    records_diagnoses(c, conn);
  }
  c->failed = iwarp_diagnose_failed(conn);
  c->outcome = report_outcome_name(conn->outcome.how);
  c->first = report_initiator(conn->info);
  c->info = *conn->info;
  c->conn = *conn;
  observe_outcome_copy(&c->conn.outcome, &c->terminate, &conn->outcome);
  c->conn.info = &c->info;
  c->conn.file = NULL;
  c->conn.ends = NULL;
  c->conn.certainty = NULL;
  c->conn.facts = NULL;
  c->conn.results = NULL;
  c->conn.packets = NULL;
  c->conn.user = NULL;
  conn->user = NULL;
  *r->tail = c;
  r->tail = &c->next;
}

static void records_on_closed(void *ctx, observe_conn *conn) {
  records *r = ctx;
  if (r->closing) {
    records_conn_free(conn->user);
    conn->user = NULL;
    return;
  }
  records_conn_end(r, conn);
}

records_conn *records_take(records *r) {
  records_conn *c = r->head;
  if (c != NULL) {
    r->head = c->next;
    r->tail = r->head != NULL ? r->tail : &r->head;
    c->next = NULL;
  }
  return c;
}

void records_conn_free(records_conn *c) {
  if (c == NULL) {
    return;
  }
  for (size_t i = 0; i < c->num_findings; i++) {
    free(c->findings[i].message);
    free(c->findings[i].expected);
    free(c->findings[i].observed);
    free(c->findings[i].where);
  }
  for (size_t i = 0; i < c->num_diagnoses; i++) {
    free(c->diagnoses[i].text);
  }
  for (size_t i = 0; i < c->num_verdicts; i++) {
    free(c->verdicts[i].reason);
  }
  stats_free(c->stats);
  free(c->findings);
  free(c->verdicts);
  free(c->intervals);
  free(c);
}

/* ---- what is no iWARP ---- */

static char *records_transport_text(const records *r, const observe_transport *what) {
  const observe_conn capture = {.file = r->path};
  iwarp_diagnoses found;
  out_buf out;
  out_open_memory(&out);
  iwarp_diagnose_transport(&found, what);
  if (found.num > 0) {
    report_diagnosis_transport_put(&out, &capture, what, &found.of[0]);
  }
  return records_text(&out);
}

static void records_on_transport(void *ctx, const observe_transport *what) {
  records *r = ctx;
  if (r->closing || r->num_transports >= RECORDS_TRANSPORTS) {
    return;
  }
  void *list = r->transports;
  if (records_grow(&list, r->num_transports, sizeof *r->transports)) {
    r->transports = list;
    records_transport *t = &r->transports[r->num_transports++];
    *t = (records_transport){.transport = *what,
                             .state = report_transport_state_name(what->state),
                             .text = records_transport_text(r, what)};
    t->transport.streams = NULL;
  }
}

void records_on_limit(void *ctx, const char *name, uint64_t n) {
  records *r = ctx;
  report_limits_add(&r->given_up, name, n);
}

void records_hook_connections(observe_hooks *hooks) {
  hooks->finding = records_on_finding;
  hooks->closed = records_on_closed;
  hooks->transport = records_on_transport;
  hooks->limit = records_on_limit;
}
