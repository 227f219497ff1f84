/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of `iwarp check`: the verdict and what it rests on. */
#include "check_text.h"

#include <report/names.h>

void check_text_count(sink *s, uint64_t n, const char *one, const char *many) {
  sink_u64(s, n);
  sink_char(s, ' ');
  sink_str(s, n == 1 ? one : many);
}

void check_text_severities(sink *s, const uint64_t findings[OBSERVE_SEVERITIES]) {
  check_text_count(s, findings[IWARP_SEVERITY_VIOLATION], "violation", "violations");
  sink_str(s, ", ");
  check_text_count(s, findings[IWARP_SEVERITY_WARNING], "warning", "warnings");
  sink_str(s, ", ");
  check_text_count(s, findings[IWARP_SEVERITY_NOTE], "note", "notes");
}

void check_text_paint(const report_check *check, sink *s, const char *code, const char *text) {
  if (check->color) {
    sink_str(s, "\033[");
    sink_str(s, code);
    sink_char(s, 'm');
  }
  sink_str(s, text);
  if (check->color) {
    sink_str(s, "\033[0m");
  }
}

static const char *check_text_verdict_color(const char *verdict) {
  if (strcmp(verdict, "pass") == 0) {
    return "1;32";
  }
  return strcmp(verdict, "no-iwarp") == 0 || strcmp(verdict, "undecided") == 0 ? "1;33" : "1;31";
}

static void check_text_by_rule(sink *s, const report_totals *totals) {
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    if (totals->rules[id].findings > 0) {
      sink_u64_width(s, totals->rules[id].findings, 10);
      sink_char(s, ' ');
      sink_str(s, iwarp_rule_get(id)->slug);
      sink_char(s, '\n');
    }
  }
}

/* How many rules each reason kept from being decided. */
static void check_text_reasons(sink *s, const report_totals *totals) {
  bool any = false;
  for (uint32_t why = IWARP_WHY_GAP; why <= IWARP_WHY_LIMIT; why <<= 1) {
    uint64_t n = 0;
    for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
      const report_rule_total *rule = &totals->rules[id];
      n += rule->verdict == IWARP_VERDICT_INCONCLUSIVE && (rule->why & why) != 0 ? 1 : 0;
    }
    if (n > 0) {
      sink_str(s, any ? ", " : " (");
      report_why_put(s, why);
      sink_char(s, ' ');
      sink_u64(s, n);
      any = true;
    }
  }
  sink_str(s, any ? ")" : "");
}

static void check_text_exercised(sink *s, const report_totals *totals) {
  const report_verdicts counts = report_verdicts_run(totals);
  sink_str(s, "  rules exercised: ");
  sink_u64(s, counts.of[IWARP_VERDICT_PASS] + counts.of[IWARP_VERDICT_FAIL]);
  sink_str(s, " of ");
  sink_u64(s, iwarp_rule_count());
  sink_str(s, ", ");
  sink_u64(s, counts.of[IWARP_VERDICT_PASS]);
  sink_str(s, " passed, ");
  sink_u64(s, counts.of[IWARP_VERDICT_FAIL]);
  sink_str(s, " failed; inconclusive: ");
  sink_u64(s, counts.of[IWARP_VERDICT_INCONCLUSIVE]);
  check_text_reasons(s, totals);
  sink_str(s, "; not seen: ");
  sink_u64(s, counts.of[IWARP_VERDICT_NOT_SEEN]);
  if (counts.of[IWARP_VERDICT_DISABLED] > 0) {
    sink_str(s, "; disabled: ");
    sink_u64(s, counts.of[IWARP_VERDICT_DISABLED]);
  }
  sink_char(s, '\n');
}

/* What a limit or octets that are no iWARP kept from being judged. */
static void check_text_left_out(sink *s, const report_totals *totals) {
  const uint64_t given_up = report_limits_sum(&totals->given_up);
  if (given_up > 0) {
    sink_str(s, "  given up: ");
    check_text_count(s, given_up, "connection", "connections");
    const char *before = " (";
    for (size_t i = 0; i < REPORT_LIMITS; i++) {
      if (totals->given_up.of[i] > 0) {
        sink_str(s, before);
        sink_str(s, report_limit_name(i));
        sink_char(s, ' ');
        sink_u64(s, totals->given_up.of[i]);
        before = ", ";
      }
    }
    sink_str(s, ")\n");
  }
  if (totals->undecodable > 0) {
    sink_str(s, "  not decodable: ");
    check_text_count(s, totals->undecodable, "octet", "octets");
    sink_str(s, " in ");
    check_text_count(s, totals->undecodable_in, "connection\n", "connections\n");
  }
}

/* How many rules the verdict rests on, and what became of the connections. */
static void check_text_decided(sink *s, const report_totals *totals) {
  const report_verdicts counts = report_verdicts_run(totals);
  sink_str(s, "; ");
  sink_u64(s, counts.of[IWARP_VERDICT_PASS] + counts.of[IWARP_VERDICT_FAIL]);
  sink_str(s, " of ");
  sink_u64(s, iwarp_rule_count());
  sink_str(s, " rules decided; ");
  check_text_outcomes(s, totals);
  sink_char(s, '\n');
  if (strcmp(totals->verdict, "pass") == 0 && check_text_troubled(totals) > 0) {
    sink_str(s, "  (pass is about the rules of the RFCs: it does not say that each connection "
                "worked)\n");
  }
}

void check_text_summary(report_check *check, const report_totals *totals) {
  sink *s = check->out;
  if (check->num_withheld > 0) {
    check_text_count(s, check->num_withheld, "finding", "findings");
    sink_str(s, " not shown (--max-findings)\n");
  }
  if (check->num_conns_withheld > 0) {
    check_text_count(s, check->num_conns_withheld, "connection", "connections");
    sink_str(s, " not shown, since the report is long for what was read (-v shows all)\n");
  }
  sink_str(s, "verdict: ");
  check_text_paint(check, s, check_text_verdict_color(totals->verdict), totals->verdict);
  if (totals->undecided != NULL) {
    sink_str(s, " (");
    sink_str(s, totals->undecided);
    sink_char(s, ')');
  }
  check_text_decided(s, totals);
  sink_str(s, "  ");
  check_text_count(s, totals->files, "file", "files");
  sink_str(s, ", ");
  check_text_count(s, totals->packets, "packet", "packets");
  sink_str(s, ", ");
  check_text_count(s, totals->octets, "octet", "octets");
  sink_str(s, "; ");
  check_text_count(s, totals->connections, "iWARP connection", "iWARP connections");
  sink_str(s, ", ");
  check_text_count(s, totals->fpdus, "FPDU", "FPDUs");
  sink_str(s, "\n  findings: ");
  check_text_severities(s, totals->findings);
  sink_char(s, '\n');
  check_text_by_rule(s, totals);
  check_text_left_out(s, totals);
  check_text_exercised(s, totals);
}
