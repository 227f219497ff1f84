/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules as test cases. */
#include "rule_cases.h"

#include <report/names.h>

/* Octets kept back so that findings stand in their test case: of a connection, and of all. */
#define CASES_HELD ((size_t)256 * 1024)
#define CASES_HELD_ALL ((uint64_t)4 * 1024 * 1024)

rule_case rule_case_of(const report_check *check, const observe_conn *conn, uint16_t rule,
                       iwarp_verdict verdict) {
  switch (verdict) {
  case IWARP_VERDICT_PASS: return check->brief ? RULE_CASE_NONE : RULE_CASE_OK;
  case IWARP_VERDICT_INCONCLUSIVE: return check->brief ? RULE_CASE_NONE : RULE_CASE_SKIPPED;
  case IWARP_VERDICT_FAIL:
    if (report_expected(conn, rule, verdict)) {
      return RULE_CASE_EXPECTED;
    }
    return check->fails[iwarp_rule_get(rule)->severity] ? RULE_CASE_FAILED : RULE_CASE_TOLERATED;
  case IWARP_VERDICT_NOT_SEEN:
  case IWARP_VERDICT_DISABLED: break;
  }
  return RULE_CASE_NONE;
}

rule_cases rule_cases_count(const report_check *check, const observe_conn *conn) {
  rule_cases cases = {0};
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    cases.of[rule_case_of(check, conn, id, conn->results[id].verdict)]++;
  }
  return cases;
}

out_buf *rule_case_hold(const report_check *check, check_slot *held, const iwarp_finding *f) {
  const bool full =
      check_groups_len(&held->groups) > CASES_HELD || check->num_held > CASES_HELD_ALL;
  iwarp_finding alone = *f; /* the rule's finding alone, whatever findings share its cause */
  alone.cause = NULL;
  check_group *g = full ? NULL : check_groups_get(&held->groups, &alone);
  return g != NULL ? &g->text : NULL;
}

void rule_case_held(report_check *check, const out_buf *text, size_t before) {
  check->num_held += text->len - before;
}

const out_buf *rule_case_text(const check_slot *held, uint16_t rule) {
  for (size_t i = 0; i < held->groups.num; i++) {
    if (held->groups.of[i].rule == rule) {
      return &held->groups.of[i].text;
    }
  }
  return NULL;
}

void rule_case_reason(out_buf *s, rule_case which, uint16_t rule, const iwarp_rule_result *result) {
  if (which == RULE_CASE_SKIPPED) {
    out_str(s, "inconclusive: ");
    report_reason_put(s, result->reason);
    return;
  }
  out_str(s, report_severity_name(iwarp_rule_get(rule)->severity));
  out_str(s, which == RULE_CASE_TOLERATED  ? " (does not fail the run: --fail-on), "
             : which == RULE_CASE_EXPECTED ? " (expected: xfail), "
                                           : ", ");
  out_u64(s, result->num_fail);
  out_str(s, result->num_fail == 1 ? " time" : " times");
}

void rule_case_title(out_buf *s, const observe_conn *conn) {
  const uint8_t first = report_initiator(conn->info);
  out_str(s, "conn ");
  out_u64(s, conn->number);
  out_str(s, ": ");
  out_str(s, conn->addr[first]);
  out_str(s, " > ");
  out_str(s, conn->addr[1 - first]);
}
