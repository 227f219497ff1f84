/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules as test cases, as JUnit and TAP have them. */
#ifndef REPORT_RULE_CASES_H
#define REPORT_RULE_CASES_H

#include "check_slot.h"

/** rule_case is the result of a rule on a connection, as a test case. */
typedef enum rule_case {
  RULE_CASE_NONE =
      0, /* the situation never arose, the rule is disabled, or the report is brief: no test case */
  RULE_CASE_OK,
  RULE_CASE_FAILED,
  RULE_CASE_TOLERATED, /* broken, but that does not fail the run (--fail-on) */
  RULE_CASE_EXPECTED,  /* broken, as a baseline or a profile says */
  RULE_CASE_SKIPPED    /* inconclusive */
} rule_case;

#define RULE_CASES 6u

/** rule_case_of says which one a verdict of a rule on a connection is. */
rule_case rule_case_of(const report_check *check, const observe_conn *conn, uint16_t rule,
                       iwarp_verdict verdict);

/** rule_cases counts the rules of a connection by case. */
typedef struct rule_cases {
  uint64_t of[RULE_CASES];
} rule_cases;

rule_cases rule_cases_count(const report_check *check, const observe_conn *conn);

/** rule_case_hold returns where the text of a finding is kept until its connection ends, by rule;
 * NULL: no memory, or too much is kept already. rule_case_held counts what was added since its
 * length was `before`. */
out_buf *rule_case_hold(const report_check *check, check_slot *held, const iwarp_finding *f);
void rule_case_held(report_check *check, const out_buf *text, size_t before);

/** rule_case_text returns what is kept of a rule, or NULL. */
const out_buf *rule_case_text(const check_slot *held, uint16_t rule);

/** rule_case_reason appends why a test case is no plain success. */
void rule_case_reason(out_buf *s, rule_case which, uint16_t rule, const iwarp_rule_result *result);

/** rule_case_title appends what a connection is called: its number and its two ends. */
void rule_case_title(out_buf *s, const observe_conn *conn);

#endif
