/* SPDX-License-Identifier: BSD-2-Clause */
/* SARIF 2.1.0: a result for each finding, and the rules that were exercised. Diagnoses, and what a
 * capture is like, are results that fail nothing. */
#include <iwarp/version.h>

#include <report/diagnosis.h>
#include <report/finding.h>
#include <report/jsonw.h>
#include <report/names.h>
#include <report/place.h>

#include "check_json_parts.h"
#include "check_text.h"

static void sarif_begin(report_check *check) {
  out_str(check->out,
          "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
          "sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"results\":[");
}

static const char *sarif_level(iwarp_severity severity) {
  switch (severity) {
  case IWARP_SEVERITY_VIOLATION: return "error";
  case IWARP_SEVERITY_WARNING: return "warning";
  case IWARP_SEVERITY_NOTE: break;
  }
  return "note";
}

static void sarif_message(jsonw *w, const char *key, const char *text, size_t len) {
  jsonw_object(w, key);
  jsonw_string(w, "text", text, len);
  jsonw_end_object(w);
}

/* A file name as a relative reference: all but unreserved characters and '/' by their number.
 * RFC 3986 2, 4.2 */
static void sarif_uri(jsonw *w, const char *file) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  static const char digits[] = "0123456789ABCDEF";
  jsonw_key(w, "uri");
  out_char(w->out, '"');
  for (; *file != 0; file++) {
    const unsigned char c = (unsigned char)*file;
    if (strchr(plain, *file) != NULL) {
      out_char(w->out, *file);
    } else {
      const char number[3] = {'%', digits[c >> 4], digits[c & 15u]};
      out_put(w->out, number, sizeof number);
    }
  }
  out_char(w->out, '"');
}

/* "conn 0/responder/frame 12": whose PDU it is. */
static void sarif_logical(jsonw *w, const observe_conn *conn, const iwarp_finding *f) {
  out_buf name;
  out_open_memory(&name);
  out_str(&name, "conn ");
  out_u64(&name, conn->number);
  out_char(&name, '/');
  out_str(&name, f->role != IWARP_ROLE_UNKNOWN ? report_role_name(f->role) : conn->addr[f->side]);
  out_str(&name, "/frame ");
  out_u64(&name, report_place_of(conn, f->last.packet).frame);
  jsonw_array(w, "logicalLocations");
  jsonw_object(w, NULL);
  jsonw_string(w, "fullyQualifiedName", name.buf, name.len);
  jsonw_end_object(w);
  jsonw_end_array(w);
  out_close(&name);
}

/* The file of a packet, and in it the PDU of a finding, if any. */
static void sarif_location(jsonw *w, const observe_conn *conn, uint64_t packet,
                           const iwarp_finding *f) {
  jsonw_array(w, "locations");
  jsonw_object(w, NULL);
  jsonw_object(w, "physicalLocation");
  jsonw_object(w, "artifactLocation");
  sarif_uri(w, report_place_of(conn, packet).file);
  jsonw_end_object(w);
  jsonw_end_object(w);
  if (f != NULL) {
    sarif_logical(w, conn, f);
  }
  jsonw_end_object(w);
  jsonw_end_array(w);
}

/* A result that a baseline or a profile expects is there, and is no news. SARIF 3.27.23 */
static void sarif_suppressions(jsonw *w, const char *known) {
  if (known != NULL) {
    jsonw_array(w, "suppressions");
    jsonw_object(w, NULL);
    jsonw_text(w, "kind", "external");
    jsonw_string(w, "justification", known, strlen(known));
    jsonw_end_object(w);
    jsonw_end_array(w);
  }
}

/* A result begins. */
static void sarif_next(report_check *check) {
  out_str(check->out, check->num_suites++ > 0 ? ",\n" : "\n");
}

static void sarif_finding(report_check *check, void **slot, const observe_conn *conn,
                          const iwarp_finding *f, const iwarp_event *ev) {
  const iwarp_rule *rule = iwarp_rule_get(f->rule);
  jsonw w = {.out = check->out};
  out_buf text;
  (void)slot;
  (void)ev;
  out_open_memory(&text);
  sarif_next(check);
  jsonw_object(&w, NULL);
  jsonw_text(&w, "ruleId", rule->slug);
  if (iwarp_finding_suspected(f)) { /* 3.27.9: a person has to look; 3.27.10: no level then */
    jsonw_text(&w, "kind", "review");
  }
  jsonw_text(&w, "level", iwarp_finding_suspected(f) ? "none" : sarif_level(rule->severity));
  report_finding_line(&text, conn, f);
  sarif_message(&w, "message", text.buf, text.len);
  sarif_location(&w, conn, f->last.packet, f);
  sarif_suppressions(&w, conn->known);
  jsonw_object(&w, "properties");
  check_json_where(&w, conn, f);
  check_json_certainty(&w, f);
  check_json_evidence(&w, conn, f);
  jsonw_end_object(&w);
  jsonw_end_object(&w);
  out_close(&text);
}

/* ---- what is no finding ---- */

/* A result of the rule "<kind>.<name>" up to its properties, which judges nothing. 3.27.9 */
static jsonw sarif_remark(report_check *check, const observe_conn *conn, uint64_t packet,
                          const char *kind, const char *name, const out_buf *text) {
  jsonw w = {.out = check->out};
  size_t from = 0;
  size_t to = 0;
  while (from < text->len && text->buf[from] == ' ') {
    from++;
  }
  for (to = from; to < text->len && text->buf[to] != '\n';) { /* advice follows in lines below */
    to++;
  }
  sarif_next(check);
  jsonw_object(&w, NULL);
  jsonw_key(&w, "ruleId");
  out_char(w.out, '"');
  out_str(w.out, kind);
  out_str(w.out, name);
  out_char(w.out, '"');
  jsonw_text(&w, "kind", "informational");
  jsonw_text(&w, "level", "none");
  sarif_message(&w, "message", from < to ? text->buf + from : "", to - from);
  sarif_location(&w, conn, packet, NULL);
  jsonw_object(&w, "properties");
  return w;
}

static void sarif_end_remark(jsonw *w) {
  jsonw_end_object(w);
  jsonw_end_object(w);
}

static void sarif_connection(report_check *check, void **slot, const observe_conn *conn) {
  iwarp_diagnoses list;
  (void)slot;
  iwarp_diagnose(&list, conn);
  for (size_t i = 0; i < list.num; i++) {
    const iwarp_diagnosis *d = &list.of[i];
    out_buf text;
    out_open_memory(&text);
    report_diagnosis_put(&text, conn, d);
    jsonw w =
        sarif_remark(check, conn, d->frames[0], "diag.", iwarp_diagnosis_get(d->id)->id, &text);
    jsonw_u64(&w, "conn", conn->number);
    jsonw_text(&w, "outcome", report_outcome_name(conn->outcome.how));
    report_diagnosis_json(&w, conn, d);
    sarif_end_remark(&w);
    out_close(&text);
    check->diagnosis_shown |= (uint64_t)1 << d->id;
  }
}

static void sarif_trait(report_check *check, const report_trait *trait) {
  out_buf text;
  out_open_memory(&text);
  report_trait_text(&text, trait);
  jsonw w = sarif_remark(check, trait->capture, trait->packet, "capture.",
                         report_trait_name(trait->kind), &text);
  report_trait_json(&w, trait);
  sarif_end_remark(&w);
  out_close(&text);
}

static void sarif_transport(report_check *check, const observe_conn *capture,
                            const report_transport *x) {
  out_buf text;
  out_open_memory(&text);
  report_transport_text(&text, capture, x);
  jsonw w =
      sarif_remark(check, capture, x->first.packet, "transport.", report_transport_name(x), &text);
  report_transport_json(&w, capture, x, false);
  sarif_end_remark(&w);
  out_close(&text);
}

/* ---- the rules ---- */

static void sarif_help(jsonw *w, const report_advice *a) {
  const char *const lines[] = {
      "cause: ",      a->cause,       "\neffect: ",      a->effect,
      "\noperator: ", a->operator_do, "\nimplementer: ", a->implementer_do};
  out_buf text;
  out_open_memory(&text);
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    out_str(&text, lines[i]);
  }
  sarif_message(w, "help", text.buf, text.len);
  out_close(&text);
}

static void sarif_rule(jsonw *w, const report_check *check, const iwarp_rule *rule) {
  jsonw_object(w, NULL);
  jsonw_text(w, "id", rule->slug);
  sarif_message(w, "shortDescription", rule->summary, strlen(rule->summary));
  if (check->advice != NULL) {
    sarif_help(w, &check->advice[rule->id]);
  }
  jsonw_object(w, "defaultConfiguration");
  jsonw_text(w, "level", sarif_level(rule->severity));
  jsonw_end_object(w);
  jsonw_object(w, "properties");
  jsonw_text(w, "level", rule->level);
  jsonw_text(w, "impact", report_impact_name(rule->impact));
  jsonw_words(w, "requirements", rule->requirements);
  jsonw_end_object(w);
  jsonw_end_object(w);
}

static void sarif_diagnosis(jsonw *w, const iwarp_diagnosis_row *row) {
  out_buf text;
  out_open_memory(&text);
  jsonw_object(w, NULL);
  jsonw_key(w, "id");
  out_str(w->out, "\"diag.");
  out_str(w->out, row->id);
  out_char(w->out, '"');
  sarif_message(w, "shortDescription", row->summary, strlen(row->summary));
  out_str(&text, row->meaning);
  out_str(&text, "\noperator: ");
  out_str(&text, row->operator_do);
  out_str(&text, "\nimplementer: ");
  out_str(&text, row->implementer_do);
  sarif_message(w, "help", text.buf, text.len);
  jsonw_object(w, "defaultConfiguration");
  jsonw_text(w, "level", "none");
  jsonw_end_object(w);
  jsonw_end_object(w);
  out_close(&text);
}

static void sarif_tool(jsonw *w, const report_check *check, const report_totals *totals) {
  jsonw_object(w, "tool");
  jsonw_object(w, "driver");
  jsonw_text(w, "name", "iwarp");
  jsonw_text(w, "version", iwarp_version());
  jsonw_array(w, "rules");
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_verdict verdict = totals->rules[id].verdict;
    if (verdict != IWARP_VERDICT_NOT_SEEN && verdict != IWARP_VERDICT_DISABLED) {
      out_char(w->out, '\n');
      sarif_rule(w, check, iwarp_rule_get(id));
    }
  }
  for (unsigned int id = 0; id < IWARP_DIAGNOSES; id++) {
    if ((check->diagnosis_shown >> id & 1u) != 0) {
      out_char(w->out, '\n');
      sarif_diagnosis(w, iwarp_diagnosis_get(id));
    }
  }
  jsonw_end_array(w);
  jsonw_end_object(w);
  jsonw_end_object(w);
}

static uint64_t sarif_status(const char *verdict) {
  static const char *const verdicts[] = {"pass", "fail", "error", "no-iwarp", "undecided"};
  uint64_t status = 0;
  while (status < 4 && strcmp(verdict, verdicts[status]) != 0) {
    status++;
  }
  return status;
}

/* Why the run failed where no result says so. SARIF 3.20.21, 3.58 */
static void sarif_missing(jsonw *w, const report_totals *totals) {
  out_buf text;
  if (totals->xpass == 0) {
    return;
  }
  out_open_memory(&text);
  check_text_missing(&text, totals);
  if (totals->missing != NULL) {
    out_char(&text, '\n');
    out_str(&text, totals->missing);
  }
  jsonw_array(w, "toolExecutionNotifications");
  jsonw_object(w, NULL);
  jsonw_text(w, "level", "error");
  sarif_message(w, "message", text.buf != NULL ? text.buf : "", text.len);
  jsonw_end_object(w);
  jsonw_end_array(w);
  out_close(&text);
}

static void sarif_summary(report_check *check, const report_totals *totals) {
  jsonw w = {.out = check->out, .comma = true};
  out_str(check->out, "\n]");
  sarif_tool(&w, check, totals);
  jsonw_array(&w, "invocations");
  jsonw_object(&w, NULL);
  jsonw_bool(&w, "executionSuccessful", strcmp(totals->verdict, "error") != 0);
  jsonw_u64(&w, "exitCode", sarif_status(totals->verdict));
  sarif_missing(&w, totals);
  jsonw_end_object(&w);
  jsonw_end_array(&w);
  jsonw_object(&w, "properties");
  jsonw_text(&w, "verdict", totals->verdict);
  jsonw_u64(&w, "files", totals->files);
  jsonw_u64(&w, "packets", totals->packets);
  jsonw_u64(&w, "connections", totals->connections);
  jsonw_u64(&w, "fpdus", totals->fpdus);
  jsonw_u64(&w, "withheld", check->num_withheld + check->num_repeated);
  jsonw_end_object(&w);
  jsonw_end_object(&w);
  out_str(check->out, "]}\n");
}

const report_format report_format_sarif = {
    .name = "sarif",
    .same = 100,
    .whole = true,
    .begin = sarif_begin,
    .finding = sarif_finding,
    .connection = sarif_connection,
    .trait = sarif_trait,
    .transport = sarif_transport,
    .summary = sarif_summary,
};
