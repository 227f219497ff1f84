/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of `iwarp check`: the verdict and what it rests on. */
#include "check_text.h"

#include <report/names.h>
#include <report/place.h>

static const char *check_text_verdict_color(const char *verdict) {
  if (strcmp(verdict, "pass") == 0) {
    return "1;32";
  }
  return strcmp(verdict, "no-iwarp") == 0 || strcmp(verdict, "undecided") == 0 ? "1;33" : "1;31";
}

static void check_text_by_rule(out_buf *s, const report_totals *totals) {
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    if (totals->rules[id].findings > 0) {
      out_u64_width(s, totals->rules[id].findings, 10);
      out_char(s, ' ');
      out_str(s, iwarp_rule_get(id)->slug);
      out_char(s, '\n');
    }
  }
}

/* How many rules each reason kept from being decided. */
static void check_text_reasons(out_buf *s, const report_totals *totals) {
  bool any = false;
  for (uint32_t reason = IWARP_REASON_GAP; (reason & IWARP_REASON_ALL) != 0; reason <<= 1) {
    uint64_t n = 0;
    for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
      const report_rule_total *rule = &totals->rules[id];
      n += rule->verdict == IWARP_VERDICT_INCONCLUSIVE && (rule->reason & reason) != 0 ? 1 : 0;
    }
    if (n > 0) {
      out_str(s, any ? ", " : " (");
      report_reason_put(s, reason);
      out_char(s, ' ');
      out_u64(s, n);
      any = true;
    }
  }
  out_str(s, any ? ")" : "");
}

static void check_text_exercised(out_buf *s, const report_totals *totals) {
  const report_verdicts counts = report_verdicts_run(totals);
  out_str(s, "  rules exercised: ");
  out_u64(s, report_verdicts_decided(&counts));
  out_str(s, " of ");
  out_u64(s, iwarp_rule_count());
  out_str(s, ", ");
  out_u64(s, counts.of[IWARP_VERDICT_PASS]);
  out_str(s, " passed, ");
  out_u64(s, counts.of[IWARP_VERDICT_FAIL]);
  out_str(s, " failed");
  if (counts.xfail > 0) {
    out_str(s, ", ");
    out_u64(s, counts.xfail);
    out_str(s, " failed as expected");
  }
  out_str(s, "; inconclusive: ");
  out_u64(s, counts.of[IWARP_VERDICT_INCONCLUSIVE]);
  check_text_reasons(s, totals);
  out_str(s, "; not seen: ");
  out_u64(s, counts.of[IWARP_VERDICT_NOT_SEEN]);
  if (counts.of[IWARP_VERDICT_DISABLED] > 0) {
    out_str(s, "; disabled: ");
    out_u64(s, counts.of[IWARP_VERDICT_DISABLED]);
  }
  out_char(s, '\n');
}

/* How many connections, or captures, a limit ended, by limit. */
static void check_text_limits(out_buf *s, const report_limits *limits, bool captures) {
  const char *before = " (";
  uint64_t sum = 0;
  for (size_t i = 0; i < REPORT_LIMITS; i++) {
    sum += report_limit_of_captures(i) == captures ? limits->of[i] : 0;
  }
  if (sum == 0) {
    return;
  }
  out_str(s, "  given up: ");
  check_text_count(s, sum, captures ? "capture" : "connection",
                   captures ? "captures" : "connections");
  for (size_t i = 0; i < REPORT_LIMITS; i++) {
    if (limits->of[i] > 0 && report_limit_of_captures(i) == captures) {
      out_str(s, before);
      out_str(s, report_limit_name(i));
      out_char(s, ' ');
      out_u64(s, limits->of[i]);
      before = ", ";
    }
  }
  out_str(s, ")\n");
}

/* What a limit or octets that are no iWARP kept from being judged. */
static void check_text_left_out(out_buf *s, const report_totals *totals) {
  check_text_limits(s, &totals->given_up, false);
  check_text_limits(s, &totals->given_up, true);
  if (totals->undecodable > 0) {
    out_str(s, "  not decodable: ");
    check_text_count(s, totals->undecodable, "octet", "octets");
    out_str(s, " in ");
    check_text_count(s, totals->undecodable_in, "connection\n", "connections\n");
  }
}

/* How many rules the verdict rests on, and what became of the connections. */
static void check_text_decided(out_buf *s, const report_totals *totals) {
  const report_verdicts counts = report_verdicts_run(totals);
  if (totals->connections == 0) {
    out_char(s, '\n');
    return;
  }
  out_str(s, "; ");
  if (totals->undecided == NULL || strcmp(totals->undecided, REPORT_NO_RULE_DECIDED) != 0) {
    out_u64(s, report_verdicts_decided(&counts));
    out_str(s, " of ");
    out_u64(s, iwarp_rule_count());
    out_str(s, " rules decided; ");
  }
  check_text_outcomes(s, totals);
  out_char(s, '\n');
  if (strcmp(totals->verdict, "pass") == 0 && check_text_troubled(totals) > 0) {
    out_str(s, "  (pass is about the rules of the RFCs: it does not say that each connection "
               "worked)\n");
  }
}

/* What was expected: it fails nothing when it came, and the run when it did not. */
static void check_text_known(out_buf *s, const report_totals *totals) {
  if (totals->xfail > 0) {
    out_str(s, "  expected: ");
    check_text_count(s, totals->xfail, "finding (xfail)\n", "findings (xfail)\n");
  }
  if (totals->xpass > 0) {
    out_str(s, "  expected, but not found: ");
    check_text_count(s, totals->xpass, "line of the baseline (xpass)\n",
                     "lines of the baseline (xpass)\n");
  }
}

/* What was decoded: FPDUs, and over SCTP DDP Segments. */
static void check_text_pdus(out_buf *s, const report_totals *totals) {
  const uint64_t fpdus = totals->fpdus - totals->segments;
  if (fpdus > 0 || totals->segments == 0) {
    out_str(s, ", ");
    check_text_count(s, fpdus, "FPDU", "FPDUs");
  }
  if (totals->segments > 0) {
    out_str(s, ", ");
    check_text_count(s, totals->segments, "segment", "segments");
  }
}

void check_text_withheld(const report_check *check, const char *before) {
  if (check->num_withheld > 0) {
    out_str(check->out, before);
    check_text_count(check->out, check->num_withheld, "finding", "findings");
    out_str(check->out, " not shown (--max-findings)\n");
  }
}

void check_text_missing(out_buf *s, const report_totals *totals) {
  check_text_count(s, totals->xpass, "line of the baseline was not found (xpass)",
                   "lines of the baseline were not found (xpass)");
}

void check_text_named(out_buf *s, const report_totals *totals) {
  check_text_count(s, totals->named, "connection ended", "connections ended");
  out_str(s, " in a way that --fail-on-outcome names");
}

void check_text_comment(out_buf *s, const char *before, const out_buf *text) {
  for (size_t at = 0; text->error == 0 && at < text->len;) {
    const char *end = memchr(text->buf + at, '\n', text->len - at);
    const size_t len = (end != NULL ? (size_t)(end - (text->buf + at)) : text->len - at);
    out_str(s, before);
    out_put(s, text->buf + at, len);
    out_char(s, '\n');
    at += len + 1;
  }
}

/* What the bound of the output left out. */
static void text_beyond(out_buf *s, uint64_t n, const char *one, const char *many) {
  if (n > 0) {
    check_text_count(s, n, one, many);
    out_str(s, " not shown, since the report is long for what was read (-v shows all)\n");
  }
}

/* Output for lines about a capture, after its name; NULL: they are not wanted. */
static out_buf *text_about(report_check *check, const observe_conn *capture) {
  const char *file = report_place_capture(capture);
  out_buf *s = &check->traits;
  if (check->verbosity == REPORT_QUIET) {
    return NULL;
  }
  if (s->cap == 0) {
    out_open_memory(s);
  }
  if (check->traits_file == NULL || strcmp(check->traits_file, file) != 0) {
    out_str(s, "capture: ");
    report_name_put(s, file);
    out_char(s, '\n');
    check->traits_file = file;
  }
  return s;
}

void check_text_trait(report_check *check, const report_trait *trait) {
  out_buf *s = text_about(check, trait->capture);
  if (s != NULL) {
    report_trait_text(s, trait);
  }
}

void check_text_transport(report_check *check, const observe_conn *capture,
                          const report_transport *x) {
  out_buf *s = text_about(check, capture);
  if (s != NULL) {
    report_transport_text(s, capture, x);
  }
}

void check_text_traits(report_check *check) {
  if (check->traits.cap > 0) {
    out_put(check->out, check->traits.buf, check->traits.len);
    out_close(&check->traits);
  }
}

/* The tags and tunnels that were taken off. */
static void text_layers(out_buf *s, const report_encap *layers) {
  const char *before = "  encapsulation: ";
  for (size_t i = 0; i < REPORT_ENCAPS && layers[i].name != NULL; i++) {
    if (layers[i].packets > 0) {
      out_str(s, before);
      out_str(s, layers[i].name);
      out_str(s, " in ");
      check_text_count(s, layers[i].packets, "packet", "packets");
      before = ", ";
    }
  }
  if (before[0] == ',') {
    out_char(s, '\n');
  }
}

void check_text_summary(report_check *check, const report_totals *totals) {
  out_buf *s = check->out;
  check_text_withheld(check, "");
  text_beyond(s, check->num_conns_withheld, "connection", "connections");
  text_beyond(s, check->num_pdus_withheld, "PDU or gap", "PDUs and gaps");
  if (check->same == UINT64_MAX) { /* else repeated findings are counted in their places */
    text_beyond(s, check->num_repeated, "finding", "findings");
  }
  check_text_traits(check);
  out_str(s, "verdict: ");
  check_text_paint(check, s, check_text_verdict_color(totals->verdict), totals->verdict);
  if (totals->undecided != NULL) {
    out_str(s, " (");
    out_str(s, totals->undecided);
    out_char(s, ')');
  }
  check_text_decided(s, totals);
  out_str(s, "  ");
  check_text_count(s, totals->files, "file", "files");
  out_str(s, ", ");
  check_text_count(s, totals->packets, "packet", "packets");
  out_str(s, ", ");
  check_text_count(s, totals->octets, "octet", "octets");
  out_str(s, "; ");
  check_text_count(s, totals->proven, "iWARP connection", "iWARP connections");
  if (totals->connections > totals->proven) {
    out_str(s, " and ");
    out_u64(s, totals->connections - totals->proven);
    out_str(s, " taken for one");
  }
  check_text_pdus(s, totals);
  out_str(s, "; ");
  check_text_severities(s, totals->findings);
  check_text_suspected(s, report_totals_suspected(totals));
  out_char(s, '\n');
  if (check->verbosity == REPORT_VERBOSE) {
    text_layers(s, totals->layers);
  }
  if (totals->named > 0) {
    out_str(s, "  failed by outcome: ");
    check_text_named(s, totals);
    out_char(s, '\n');
  }
  check_text_causes(check);
  check_text_known(s, totals);
  if (totals->connections > 1 || check->verbosity == REPORT_VERBOSE) {
    check_text_by_rule(s, totals);
  }
  check_text_left_out(s, totals);
  if (check->verbosity == REPORT_VERBOSE) {
    check_text_exercised(s, totals);
  }
}
