/* SPDX-License-Identifier: BSD-2-Clause */
/* Verdicts counted over the rules of a connection and over the connections of a run. */
#include <report/check.h>

static void totals_count(report_verdicts *counts, iwarp_verdict verdict, uint32_t why) {
  counts->of[verdict]++;
  if (verdict == IWARP_VERDICT_INCONCLUSIVE) {
    counts->why |= why;
  }
}

report_verdicts report_verdicts_conn(const iwarp_rules *rules) {
  report_verdicts counts = {0};
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result result = iwarp_rules_result(rules, id);
    totals_count(&counts, result.verdict, result.why);
  }
  return counts;
}

report_verdicts report_verdicts_run(const report_totals *totals) {
  report_verdicts counts = {0};
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    totals_count(&counts, totals->rules[id].verdict, totals->rules[id].why);
  }
  return counts;
}

/* A verdict that says more replaces one that says less; their order in the enumeration is that. */
static void totals_merge(report_rule_total *into, const iwarp_rule_result *result) {
  if (result->verdict > into->verdict) {
    into->verdict = result->verdict;
  }
  into->why |= result->why;
}

void report_totals_finding(report_totals *totals, const iwarp_finding *finding) {
  totals->rules[finding->rule].findings++;
  totals->findings[iwarp_rule_get(finding->rule)->severity]++;
}

static void totals_add_undecodable(report_totals *totals, const observe_conn *conn) {
  const uint64_t octets = conn->undecodable[0].octets + conn->undecodable[1].octets;
  totals->undecodable += octets;
  totals->undecodable_in += octets > 0 ? 1u : 0u;
}

void report_totals_add(report_totals *totals, const observe_conn *conn) {
  const uint64_t fpdus = conn->tally.fpdus[0] + conn->tally.fpdus[1];
  totals->connections++;
  totals->outcomes[conn->outcome.how]++;
  totals->proven += conn->proven ? 1u : 0u;
  totals->fpdus += fpdus;
  if (conn->given_up != NULL) {
    report_limits_add(&totals->given_up, conn->given_up, 1);
  }
  if (conn->proven) { /* else -d named what is no iWARP */
    totals_add_undecodable(totals, conn);
  }
  for (uint16_t id = 0; conn->rules != NULL && id < iwarp_rule_count(); id++) {
    const iwarp_rule_result result = iwarp_rules_result(conn->rules, id);
    totals_merge(&totals->rules[id], &result);
    totals->decided +=
        result.verdict == IWARP_VERDICT_PASS || result.verdict == IWARP_VERDICT_FAIL ? 1u : 0u;
  }
}
