/* SPDX-License-Identifier: BSD-2-Clause */
/* Verdicts counted over the rules of a connection and over the connections of a run. */
#include <report/check.h>

static size_t totals_octet(uint16_t rule) {
  return rule % OBSERVE_RULES / 8u; /* the catalogue has fewer: unit.report-check */
}

static uint8_t totals_bit(uint16_t rule) {
  return (uint8_t)(1u << rule % 8u);
}

void report_note(observe_conn *conn, uint16_t rule) {
  uint8_t *bits = conn->known != NULL ? conn->foreseen : conn->unforeseen;
  bits[totals_octet(rule)] = (uint8_t)(bits[totals_octet(rule)] | totals_bit(rule));
  conn->expected[iwarp_rule_get(rule)->severity] += conn->known != NULL ? 1u : 0u;
}

report_findings report_findings_conn(const observe_conn *conn) {
  report_findings counts = {.suspected = conn->tally.suspected};
  for (unsigned i = 0; i < OBSERVE_SEVERITIES; i++) {
    counts.of[i] = conn->tally.findings[i] - conn->expected[i];
    counts.xfail += conn->expected[i];
  }
  return counts;
}

bool report_expected(const observe_conn *conn, uint16_t rule, iwarp_verdict verdict) {
  const size_t at = totals_octet(rule);
  return verdict == IWARP_VERDICT_FAIL && (conn->foreseen[at] & totals_bit(rule)) != 0 &&
         (conn->unforeseen[at] & totals_bit(rule)) == 0;
}

static void totals_count(report_verdicts *counts, iwarp_verdict verdict, bool expected,
                         uint32_t reason) {
  if (expected) {
    counts->xfail++;
    return;
  }
  counts->of[verdict]++;
  if (verdict == IWARP_VERDICT_INCONCLUSIVE) {
    counts->reason |= reason;
  }
}

report_verdicts report_verdicts_conn(const observe_conn *conn) {
  report_verdicts counts = {0};
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result *result = &conn->results[id];
    totals_count(&counts, result->verdict, report_expected(conn, id, result->verdict),
                 result->reason);
  }
  return counts;
}

report_verdicts report_verdicts_run(const report_totals *totals) {
  report_verdicts counts = {0};
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const report_rule_total *rule = &totals->rules[id];
    totals_count(&counts, rule->verdict, rule->expected, rule->reason);
  }
  return counts;
}

uint64_t report_verdicts_decided(const report_verdicts *counts) {
  return counts->of[IWARP_VERDICT_PASS] + counts->of[IWARP_VERDICT_FAIL] + counts->xfail;
}

/* A verdict that says more replaces one that says less; their order in the enumeration is that, but
 * for a fail that was not expected, which replaces one that was. */
static void totals_merge(report_rule_total *into, iwarp_verdict verdict, bool expected,
                         uint32_t reason) {
  if (verdict > into->verdict) {
    into->verdict = verdict;
    into->expected = expected;
  } else if (verdict == into->verdict) {
    into->expected = into->expected && expected;
  }
  into->reason |= reason;
}

void report_totals_finding(report_totals *totals, const iwarp_finding *finding) {
  const iwarp_severity severity = iwarp_rule_get(finding->rule)->severity;
  if (iwarp_finding_suspected(finding)) {
    totals->suspected[severity]++;
    return;
  }
  totals->rules[finding->rule].findings++;
  totals->findings[severity]++;
}

uint64_t report_totals_suspected(const report_totals *totals) {
  uint64_t sum = 0;
  for (size_t i = 0; i < OBSERVE_SEVERITIES; i++) {
    sum += totals->suspected[i];
  }
  return sum;
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
  totals->segments += conn->info->sctp ? fpdus : 0;
  if (conn->given_up != NULL && !conn->recounted) {
    report_limits_add(&totals->given_up, conn->given_up, 1);
  }
  if (conn->proven) { /* else -d named what is no iWARP */
    totals_add_undecodable(totals, conn);
  }
  for (uint16_t id = 0; conn->results != NULL && id < iwarp_rule_count(); id++) {
    const iwarp_rule_result *result = &conn->results[id];
    totals_merge(&totals->rules[id], result->verdict, report_expected(conn, id, result->verdict),
                 result->reason);
    totals->decided +=
        result->verdict == IWARP_VERDICT_PASS || result->verdict == IWARP_VERDICT_FAIL ? 1u : 0u;
  }
}

static void totals_join_counts(uint64_t *into, const uint64_t *part, size_t num) {
  for (size_t i = 0; i < num; i++) {
    into[i] += part[i];
  }
}

void report_totals_join(report_totals *totals, const report_totals *part) {
  totals->packets += part->packets;
  totals->octets += part->octets;
  totals->connections += part->connections;
  totals->proven += part->proven;
  totals->fpdus += part->fpdus;
  totals->segments += part->segments;
  totals->xfail += part->xfail;
  totals->xpass += part->xpass;
  totals->decided += part->decided;
  totals->named += part->named;
  totals->undecodable += part->undecodable;
  totals->undecodable_in += part->undecodable_in;
  totals_join_counts(totals->outcomes, part->outcomes, OBSERVE_HOWS);
  totals_join_counts(totals->findings, part->findings, OBSERVE_SEVERITIES);
  totals_join_counts(totals->suspected, part->suspected, OBSERVE_SEVERITIES);
  report_limits_join(&totals->given_up, &part->given_up);
  for (size_t i = 0; i < REPORT_ENCAPS && part->layers[i].name != NULL; i++) {
    totals->layers[i].name = part->layers[i].name; /* all parts have the same names */
    totals->layers[i].packets += part->layers[i].packets;
  }
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const report_rule_total *rule = &part->rules[id];
    totals_merge(&totals->rules[id], rule->verdict, rule->expected, rule->reason);
    totals->rules[id].findings += rule->findings;
  }
}
