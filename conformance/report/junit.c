/* SPDX-License-Identifier: BSD-2-Clause */
/* JUnit's XML: a suite for each connection with a test case for each rule that it exercised. The
 * last suite has the verdict of the run and the rules whose situation never arose. */
#include <report/diagnosis.h>
#include <report/finding.h>
#include <report/names.h>
#include <report/place.h>

#include "check_text.h"
#include "rule_cases.h"
#include <report/xml.h>

static void junit_begin(report_check *check) {
  out_str(check->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
}

static void junit_finding(report_check *check, void **slot, const observe_conn *conn,
                          const iwarp_finding *f, const iwarp_event *ev) {
  out_buf *text = rule_case_hold(check, *slot, f);
  (void)ev;
  if (text == NULL) {
    return;
  }
  const size_t before = text->len;
  out_str(text, "frame ");
  report_place_put(text, conn, 0, f->last.packet);
  out_str(text, ": ");
  report_finding_line(text, conn, f);
  out_char(text, '\n');
  rule_case_held(check, text, before);
}

/* ---- parts of a suite ---- */

/* What a suite is; schemas want a time and a host, and the capture alone says when it was. */
typedef struct junit_suite {
  const char *name;
  size_t name_len;
  const char *package;
  uint64_t began_ns;
  uint64_t tests;
  uint64_t failures;
  uint64_t errors;
  uint64_t skipped;
} junit_suite;

static void junit_timestamp(out_buf *s, uint64_t ns) {
  out_buf text;
  out_open_memory(&text);
  report_date_put(&text, ns); /* "1970-01-01 00:00:00.000000 UTC" */
  out_str(s, " timestamp=\"");
  if (text.len > 19) {
    out_put(s, text.buf, 10);
    out_char(s, 'T');
    out_put(s, text.buf + 11, 8);
  }
  out_char(s, '"');
  out_close(&text);
}

static void junit_suite_begin(report_check *check, const junit_suite *suite) {
  out_buf *s = check->out;
  out_str(s, "  <testsuite");
  xml_attr(s, "name", suite->name, suite->name_len);
  xml_attr_text(s, "package", suite->package);
  xml_attr_u64(s, "id", check->num_suites++);
  junit_timestamp(s, suite->began_ns);
  xml_attr_text(s, "hostname", "localhost");
  xml_attr_u64(s, "tests", suite->tests);
  xml_attr_u64(s, "failures", suite->failures);
  xml_attr_u64(s, "errors", suite->errors);
  xml_attr_u64(s, "skipped", suite->skipped);
  xml_attr_text(s, "time", "0");
  out_str(s, ">\n    <properties>\n");
}

static void junit_property(out_buf *s, const char *name, const char *value, size_t len) {
  out_str(s, "      <property");
  xml_attr_text(s, "name", name);
  xml_attr(s, "value", value, len);
  out_str(s, "/>\n");
}

static void junit_property_text(out_buf *s, const char *name, const char *value) {
  junit_property(s, name, value, strlen(value));
}

static void junit_property_u64(out_buf *s, const char *name, uint64_t value) {
  out_str(s, "      <property");
  xml_attr_text(s, "name", name);
  xml_attr_u64(s, "value", value);
  out_str(s, "/>\n");
}

static void junit_suite_end(out_buf *s, const out_buf *text) {
  out_str(s, "    <system-out>");
  xml_put(s, text->buf, text->len);
  out_str(s, "</system-out>\n    <system-err></system-err>\n  </testsuite>\n");
}

/* ---- test cases ---- */

/* "rfc5044-4.4-03" is of the class rfc5044.4_4. */
static void junit_class(out_buf *s, const char *requirements) {
  const size_t rfc = strcspn(requirements, "- ");
  const char *section = requirements + rfc + (requirements[rfc] == '-' ? 1 : 0);
  const size_t len = strcspn(section, "- ");
  out_str(s, " classname=\"");
  xml_put(s, requirements, rfc);
  out_char(s, '.');
  for (size_t i = 0; i < len; i++) {
    out_char(s, (char)(section[i] == '.' ? '_' : section[i]));
  }
  out_char(s, '"');
}

static void junit_case_begin(out_buf *s, const iwarp_rule *rule) {
  out_str(s, "    <testcase");
  xml_attr_text(s, "name", rule->slug);
  junit_class(s, rule->requirements);
  out_str(s, " time=\"0\"");
}

static void junit_advice(out_buf *s, const char *label, const char *line) {
  out_str(s, label);
  xml_text(s, line);
  out_char(s, '\n');
}

/* The findings, and what the page of the rule advises. */
static void junit_failure_text(const report_check *check, const check_slot *held, uint16_t rule) {
  const out_buf *text = rule_case_text(held, rule);
  out_buf *s = check->out;
  if (text != NULL) {
    xml_put(s, text->buf, text->len);
  }
  if (check->advice != NULL && !check->brief) {
    const report_advice *a = &check->advice[rule];
    junit_advice(s, "cause: ", a->cause);
    junit_advice(s, "effect: ", a->effect);
    junit_advice(s, "operator: ", a->operator_do);
    junit_advice(s, "implementer: ", a->implementer_do);
  }
}

static void junit_case(const report_check *check, const check_slot *held, const observe_conn *conn,
                       uint16_t id) {
  const iwarp_rule_result result = conn->results[id];
  const rule_case which = rule_case_of(check, conn, id, result.verdict);
  const iwarp_rule *rule = iwarp_rule_get(id);
  out_buf *s = check->out;
  if (which == RULE_CASE_NONE) {
    return;
  }
  junit_case_begin(s, rule);
  if (which == RULE_CASE_OK) {
    out_str(s, "/>\n");
    return;
  }
  out_buf reason;
  out_open_memory(&reason);
  if (which == RULE_CASE_FAILED) {
    out_str(&reason, rule->summary);
    out_str(&reason, ": ");
  }
  rule_case_reason(&reason, which, id, &result);
  out_str(s, which == RULE_CASE_FAILED ? ">\n      <failure" : ">\n      <skipped");
  xml_attr(s, "message", reason.buf, reason.len);
  if (which == RULE_CASE_FAILED) {
    xml_attr_text(s, "type", report_severity_name(rule->severity));
  }
  out_char(s, '>');
  if (which != RULE_CASE_SKIPPED || rule_case_text(held, id) != NULL) { /* suspected findings */
    junit_failure_text(check, held, id);
  }
  out_str(s, which == RULE_CASE_FAILED ? "</failure>\n    </testcase>\n"
                                       : "</skipped>\n    </testcase>\n");
  out_close(&reason);
}

/* The ids of the diagnoses of a connection. */
static void junit_diagnosis(out_buf *s, const observe_conn *conn) {
  iwarp_diagnoses list;
  out_buf value;
  iwarp_diagnose(&list, conn);
  if (list.num == 0) {
    return;
  }
  out_open_memory(&value);
  for (size_t i = 0; i < list.num; i++) {
    out_str(&value, i == 0 ? "" : ", ");
    out_str(&value, iwarp_diagnosis_get(list.of[i].id)->id);
    out_str(&value, " (");
    out_str(&value, report_diagnosis_certainty(&list.of[i]));
    out_char(&value, ')');
  }
  junit_property(s, "diagnosis", value.buf, value.len);
  out_close(&value);
}

/* How it ended and why, in the words of the text report. */
static void junit_outcome(const report_check *check, const observe_conn *conn, out_buf *text) {
  report_check words = *check;
  words.out = text;
  words.color = false;
  out_open_memory(text);
  (void)check_text_why(&words, conn);
  check_text_given_up(&words, conn);
}

static void junit_connection(report_check *check, void **slot, const observe_conn *conn) {
  const check_slot *held = *slot;
  const rule_cases cases = rule_cases_count(check, conn);
  const report_verdicts counts = report_verdicts_conn(conn);
  out_buf name;
  out_buf outcome;
  out_open_memory(&name);
  out_str(&name, conn->file);
  out_char(&name, ' ');
  rule_case_title(&name, conn);
  const junit_suite suite = {.name = name.buf,
                             .name_len = name.len,
                             .package = conn->file,
                             .began_ns = conn->began_ns,
                             .tests = cases.of[RULE_CASE_OK] + cases.of[RULE_CASE_FAILED] +
                                      cases.of[RULE_CASE_TOLERATED] + cases.of[RULE_CASE_EXPECTED] +
                                      cases.of[RULE_CASE_SKIPPED],
                             .failures = cases.of[RULE_CASE_FAILED],
                             .skipped = cases.of[RULE_CASE_TOLERATED] +
                                        cases.of[RULE_CASE_EXPECTED] + cases.of[RULE_CASE_SKIPPED]};
  junit_suite_begin(check, &suite);
  junit_property_text(check->out, "outcome", report_outcome_name(conn->outcome.how));
  junit_diagnosis(check->out, conn);
  junit_property_u64(check->out, "fpdus", conn->tally.fpdus[0] + conn->tally.fpdus[1]);
  junit_property_u64(check->out, "gaps", conn->tally.gaps);
  junit_property_u64(check->out, "rules.not-seen", counts.of[IWARP_VERDICT_NOT_SEEN]);
  out_str(check->out, "    </properties>\n");
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    junit_case(check, held, conn, id);
  }
  junit_outcome(check, conn, &outcome);
  junit_suite_end(check->out, &outcome);
  out_close(&outcome);
  out_close(&name);
}

/* ---- the run ---- */

static void junit_verdict(out_buf *s, const report_totals *totals) {
  out_buf message;
  const bool fail = strcmp(totals->verdict, "fail") == 0;
  out_str(s, "    <testcase name=\"verdict\" classname=\"iwarp.run\" time=\"0\"");
  if (strcmp(totals->verdict, "pass") == 0) {
    out_str(s, "/>\n");
    return;
  }
  out_str(s, fail ? ">\n      <failure" : ">\n      <error");
  out_open_memory(&message);
  out_str(&message, totals->undecided != NULL ? totals->undecided : totals->verdict);
  if (totals->named > 0) {
    out_str(&message, "; ");
    check_text_named(&message, totals);
  }
  if (totals->xpass > 0) {
    out_str(&message, "; ");
    check_text_missing(&message, totals);
  }
  xml_attr(s, "message", message.buf, message.len);
  out_close(&message);
  xml_attr_text(s, "type", totals->verdict);
  out_char(s, '>');
  if (totals->missing != NULL) {
    xml_text(s, totals->missing);
  }
  out_str(s, fail ? "</failure>\n    </testcase>\n" : "</error>\n    </testcase>\n");
}

static void junit_not_seen(out_buf *s, uint16_t id) {
  junit_case_begin(s, iwarp_rule_get(id));
  out_str(s,
          ">\n      <skipped message=\"not seen: no connection of the run came to it\"></skipped>\n"
          "    </testcase>\n");
}

static void junit_summary(report_check *check, const report_totals *totals) {
  out_buf *s = check->out;
  out_buf text;
  const report_verdicts counts = report_verdicts_run(totals);
  const bool pass = strcmp(totals->verdict, "pass") == 0;
  const bool fail = strcmp(totals->verdict, "fail") == 0;
  const junit_suite suite = {.name = "run",
                             .name_len = 3,
                             .package = "iwarp",
                             .tests = counts.of[IWARP_VERDICT_NOT_SEEN] + 1,
                             .failures = fail ? 1 : 0,
                             .errors = pass || fail ? 0 : 1,
                             .skipped = counts.of[IWARP_VERDICT_NOT_SEEN]};
  junit_suite_begin(check, &suite);
  junit_property_text(s, "verdict", totals->verdict);
  junit_property_u64(s, "connections", totals->connections);
  junit_property_u64(s, "connections.withheld", check->num_conns_withheld);
  junit_property_u64(s, "fpdus", totals->fpdus);
  out_str(s, "    </properties>\n");
  junit_verdict(s, totals);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    if (totals->rules[id].verdict == IWARP_VERDICT_NOT_SEEN) {
      junit_not_seen(s, id);
    }
  }
  report_check words = *check;
  words.out = &text;
  out_open_memory(&text);
  check_text_summary(&words, totals);
  check->traits = words.traits;
  junit_suite_end(s, &text);
  out_close(&text);
  out_str(s, "</testsuites>\n");
}

const report_format report_format_junit = {
    .name = "junit",
    .same = 3,
    .at_end = true,
    .whole = true,
    .begin = junit_begin,
    .finding = junit_finding,
    .connection = junit_connection,
    .trait = check_text_trait,
    .transport = check_text_transport,
    .summary = junit_summary,
};
