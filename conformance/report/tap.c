/* SPDX-License-Identifier: BSD-2-Clause */
/* The Test Anything Protocol, version 14: a subtest for each connection, a test for each rule that
 * it exercised, and a last test that is the verdict. */
#include <report/finding.h>
#include <report/jsonw.h>
#include <report/names.h>
#include <report/place.h>

#include "check_text.h"
#include "rule_cases.h"

static void tap_begin(report_check *check) {
  out_str(check->out, "TAP version 14\n");
}

/* Harnesses from before version 14 refuse its number; to them a subtest is a comment. */
static void tap13_begin(report_check *check) {
  out_str(check->out, "TAP version 13\n");
}

/* One item of a list in YAML, which accepts JSON's strings. */
static void tap_finding(report_check *check, void **slot, const observe_conn *conn,
                        const iwarp_finding *f, const iwarp_event *ev) {
  out_buf *text = rule_case_hold(check, *slot, f);
  out_buf line;
  (void)ev;
  if (text == NULL) {
    return;
  }
  const size_t before = text->len;
  jsonw w = {.out = text};
  out_open_memory(&line);
  out_str(&line, "frame ");
  report_place_put(&line, conn, 0, f->last.packet);
  out_str(&line, ": ");
  report_finding_line(&line, conn, f);
  out_str(text, "        - ");
  jsonw_string(&w, NULL, line.buf, line.len);
  out_char(text, '\n');
  out_close(&line);
  rule_case_held(check, text, before);
}

/* A description; '#' would begin a directive. */
static void tap_put(out_buf *s, const char *text) {
  out_buf plain;
  out_open_memory(&plain);
  report_name_put(&plain, text);
  for (size_t i = 0; i < plain.len; i++) {
    if (plain.buf[i] == '#' || plain.buf[i] == '\\') {
      out_char(s, '\\');
    }
    out_char(s, plain.buf[i]);
  }
  out_close(&plain);
}

static void tap_yaml_text(out_buf *s, const char *key, const char *value) {
  jsonw w = {.out = s};
  out_str(s, "      ");
  out_str(s, key);
  out_str(s, ": ");
  jsonw_string(&w, NULL, value, strlen(value));
  out_char(s, '\n');
}

static void tap_yaml(const report_check *check, const check_slot *held, uint16_t id) {
  const iwarp_rule *rule = iwarp_rule_get(id);
  const out_buf *findings = rule_case_text(held, id);
  out_buf *s = check->out;
  out_str(s, "      ---\n");
  tap_yaml_text(s, "message", rule->summary);
  tap_yaml_text(s, "severity", report_severity_name(rule->severity));
  tap_yaml_text(s, "level", rule->level);
  tap_yaml_text(s, "impact", report_impact_name(rule->impact));
  tap_yaml_text(s, "requirements", rule->requirements);
  if (check->advice != NULL && !check->brief) {
    tap_yaml_text(s, "cause", check->advice[id].cause);
    tap_yaml_text(s, "effect", check->advice[id].effect);
  }
  if (findings != NULL && findings->len > 0) {
    out_str(s, "      findings:\n");
    out_put(s, findings->buf, findings->len);
  }
  out_str(s, "      ...\n");
}

static void tap_case(const report_check *check, const check_slot *held, const observe_conn *conn,
                     uint16_t id, uint64_t *number) {
  const iwarp_rule_result result = conn->results[id];
  const rule_case which = rule_case_of(check, conn, id, result.verdict);
  const bool todo = which == RULE_CASE_TOLERATED || which == RULE_CASE_EXPECTED;
  const bool broken = which == RULE_CASE_FAILED || todo;
  out_buf *s = check->out;
  if (which == RULE_CASE_NONE) {
    return;
  }
  out_str(s, broken ? "    not ok " : "    ok ");
  out_u64(s, ++*number);
  out_str(s, " - ");
  out_str(s, iwarp_rule_get(id)->slug);
  if (which == RULE_CASE_SKIPPED || todo) {
    out_str(s, which == RULE_CASE_SKIPPED ? " # SKIP " : " # TODO ");
    rule_case_reason(s, which, id, &result);
  }
  out_char(s, '\n');
  if (broken) {
    tap_yaml(check, held, id);
  }
}

static void tap_title(out_buf *s, const observe_conn *conn) {
  tap_put(s, conn->file);
  out_char(s, ' ');
  rule_case_title(s, conn);
}

/* How the connection ended and why, in the words of the text report. */
static void tap_outcome(const report_check *check, const observe_conn *conn) {
  report_check words = *check;
  out_buf text;
  out_open_memory(&text);
  words.out = &text;
  words.color = false;
  (void)check_text_why(&words, conn);
  check_text_given_up(&words, conn);
  check_text_comment(check->out, "    # ", &text);
  out_close(&text);
}

static void tap_connection(report_check *check, void **slot, const observe_conn *conn) {
  const rule_cases cases = rule_cases_count(check, conn);
  out_buf *s = check->out;
  uint64_t number = 0;
  out_str(s, "# Subtest: ");
  tap_title(s, conn);
  out_char(s, '\n');
  if (!check->brief) {
    tap_outcome(check, conn);
  }
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    tap_case(check, *slot, conn, id, &number);
  }
  out_str(s, "    1..");
  out_u64(s, number);
  out_str(s, number == 0 ? " # SKIP no rule came to be decided\n" : "\n");
  out_str(s, cases.of[RULE_CASE_FAILED] > 0 ? "not ok " : "ok ");
  out_u64(s, ++check->num_suites);
  out_str(s, " - ");
  tap_title(s, conn);
  out_str(s, ", ");
  out_str(s, report_outcome_name(conn->outcome.how));
  out_char(s, '\n');
}

/* The lines of a text as a list in YAML. */
static void tap_list(out_buf *s, const char *text) {
  while (*text != 0) {
    const size_t len = strcspn(text, "\n");
    jsonw w = {.out = s};
    out_str(s, "    - ");
    jsonw_string(&w, NULL, text, len);
    out_char(s, '\n');
    text += len + (text[len] != 0 ? 1 : 0);
  }
}

/* Why the verdict is fail where no test is. */
static void tap_missing(out_buf *s, const report_totals *totals) {
  if (totals->xpass == 0) {
    return;
  }
  out_str(s, "  ---\n  message: \"");
  check_text_missing(s, totals);
  out_str(s, "\"\n");
  if (totals->missing != NULL) {
    out_str(s, "  missing:\n");
    tap_list(s, totals->missing);
  }
  out_str(s, "  ...\n");
}

static void tap_summary(report_check *check, const report_totals *totals) {
  const report_verdicts counts = report_verdicts_run(totals);
  out_buf *s = check->out;
  check_text_comment(s, "# ", &check->traits);
  out_close(&check->traits);
  out_str(s, strcmp(totals->verdict, "pass") == 0 ? "ok " : "not ok ");
  out_u64(s, ++check->num_suites);
  out_str(s, " - verdict: ");
  out_str(s, totals->verdict);
  if (totals->undecided != NULL) {
    out_str(s, " (");
    out_str(s, totals->undecided);
    out_char(s, ')');
  }
  out_char(s, '\n');
  tap_missing(s, totals);
  out_str(s, "# rules: ");
  out_u64(s, counts.of[IWARP_VERDICT_PASS]);
  out_str(s, " passed, ");
  out_u64(s, counts.of[IWARP_VERDICT_FAIL]);
  out_str(s, " failed, ");
  if (counts.xfail > 0) {
    out_u64(s, counts.xfail);
    out_str(s, " failed as expected, ");
  }
  out_u64(s, counts.of[IWARP_VERDICT_INCONCLUSIVE]);
  out_str(s, " inconclusive, ");
  out_u64(s, counts.of[IWARP_VERDICT_NOT_SEEN]);
  out_str(s, " not seen\n");
  if (totals->named > 0) {
    out_str(s, "# ");
    check_text_named(s, totals);
    out_char(s, '\n');
  }
  check_text_withheld(check, "# ");
  if (check->num_conns_withheld > 0) {
    out_str(s, "# connections not shown: ");
    out_u64(s, check->num_conns_withheld);
    out_char(s, '\n');
  }
  out_str(s, "1..");
  out_u64(s, check->num_suites);
  out_char(s, '\n');
}

const report_format report_format_tap = {
    .name = "tap",
    .same = 3,
    .at_end = true,
    .whole = true,
    .begin = tap_begin,
    .finding = tap_finding,
    .connection = tap_connection,
    .trait = check_text_trait,
    .transport = check_text_transport,
    .summary = tap_summary,
};

const report_format report_format_tap13 = {
    .name = "tap13",
    .same = 3,
    .at_end = true,
    .whole = true,
    .begin = tap13_begin,
    .finding = tap_finding,
    .connection = tap_connection,
    .trait = check_text_trait,
    .transport = check_text_transport,
    .summary = tap_summary,
};
