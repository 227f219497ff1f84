/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of `iwarp peer`: a line for each case, and a recap of what failed. */
#include <peer_report/run.h>

#include <string.h>

#include <report/names.h>

#define TEXT_VERDICT_WIDTH 10u

static void text_seconds(out_buf *out, uint64_t ns) {
  out_fixed(out, (ns + 500000) / 1000000, 3);
  out_str(out, " s");
}

static void text_begin(out_buf *out, const peer_run *run) {
  out_str(out, "target ");
  report_name_put(out, run->target);
  out_str(out, "; the tester is the ");
  out_str(out, peer_role_name(run->role));
  out_str(out, "; ");
  out_u64(out, run->num_cases);
  out_str(out, run->num_cases == 1 ? " case\n" : " cases\n");
}

/* The weight of a verdict, as the severities of findings count. */
static iwarp_severity text_weight(const peer_run_case *c) {
  switch (c->outcome->result.verdict) {
  case PEER_FAIL:
  case PEER_ERROR:
  case PEER_UNSTABLE: return IWARP_SEVERITY_VIOLATION;
  case PEER_WARNING:
  case PEER_UNDECIDED: return IWARP_SEVERITY_WARNING;
  case PEER_PASS:
  case PEER_ALLOWED:
  case PEER_SKIPPED: break;
  }
  return c->known == PEER_KNOWN_XPASS || c->outcome->lost ? IWARP_SEVERITY_VIOLATION
                                                          : IWARP_SEVERITY_NOTE;
}

static void text_labelled(out_buf *out, const char *label, const char *text) {
  if (text[0] != 0) {
    out_str(out, label);
    report_name_put(out, text);
    out_char(out, '\n');
  }
}

static const char *text_known(const peer_run_case *c) {
  switch (c->known) {
  case PEER_KNOWN_XFAIL: return " (expected)";
  case PEER_KNOWN_CHANGED: return " (expected in another way)";
  case PEER_KNOWN_XPASS: return " (expected to fail)";
  case PEER_KNOWN_NONE: break;
  }
  return "";
}

static void text_head(out_buf *out, const peer_run_case *c) {
  const char *verdict = peer_verdict_name(c->outcome->result.verdict);
  const size_t len = strlen(verdict);
  out_str(out, verdict);
  out_fill(out, ' ', len < TEXT_VERDICT_WIDTH ? TEXT_VERDICT_WIDTH - len : 1);
  out_str(out, c->name);
  out_str(out, text_known(c));
}

/* Demand, observation and reason. */
static void text_evidence(out_buf *out, const peer_run_case *c) {
  const peer_result *r = &c->outcome->result;
  text_labelled(out, "          due:  ", r->due);
  text_labelled(out, "          seen: ", r->seen);
  text_labelled(out, "          why:  ", r->why);
}

/* The turn of the case did not come. */
static bool text_not_run(const peer_run_case *c) {
  return c->outcome->plays == 0 && c->outcome->result.verdict == PEER_UNDECIDED;
}

static void text_one(out_buf *out, const peer_run *run, size_t i) {
  const peer_run_case *c = &run->cases[i];
  const peer_result *r = &c->outcome->result;
  if (text_weight(c) < run->level || text_not_run(c)) {
    return;
  }
  text_head(out, c);
  out_str(out, ": ");
  out_str(out, peer_page_info_get(c->item.page)->title);
  if (c->outcome->played) {
    out_str(out, ", ");
    text_seconds(out, c->outcome->took_ns);
  }
  out_char(out, '\n');
  if (r->verdict != PEER_PASS && r->verdict != PEER_SKIPPED) {
    text_evidence(out, c);
  } else {
    text_labelled(out, "          why:  ", r->why);
  }
  if (c->outcome->lost) {
    out_str(out, "          target lost: it did not answer the canary after this case\n");
  }
}

static bool text_in_recap(const peer_run *run, const peer_run_case *c) {
  const peer_verdict verdict = c->outcome->result.verdict;
  return peer_run_failed(run, c) || verdict == PEER_FAIL || verdict == PEER_UNSTABLE ||
         verdict == PEER_ERROR || c->outcome->lost;
}

static void text_recap_one(out_buf *out, const peer_run_case *c) {
  text_head(out, c);
  out_str(out, c->outcome->lost ? " (target lost)\n" : "\n");
  text_evidence(out, c);
  text_labelled(out, "          ids:  ", peer_page_info_get(c->item.page)->cites);
  if (c->file != NULL) {
    text_labelled(out, "          file: ", c->file);
  }
}

static void text_recap(out_buf *out, const peer_run *run) {
  bool any = false;
  for (size_t i = 0; i < run->num_cases; i++) {
    if (text_in_recap(run, &run->cases[i])) {
      out_str(out, any ? "" : "\nrecap:\n");
      text_recap_one(out, &run->cases[i]);
      any = true;
    }
  }
}

static void text_totals(out_buf *out, const peer_run *run) {
  static const peer_verdict order[] = {PEER_PASS,      PEER_FAIL,     PEER_WARNING, PEER_ALLOWED,
                                       PEER_UNDECIDED, PEER_UNSTABLE, PEER_SKIPPED, PEER_ERROR};
  size_t counts[PEER_NUM_VERDICTS];
  const char *between = "\n";
  peer_run_counts(run, counts);
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    if (counts[order[i]] > 0) {
      out_str(out, between);
      out_u64(out, counts[order[i]]);
      out_char(out, ' ');
      out_str(out, peer_verdict_name(order[i]));
      between = ", ";
    }
  }
  out_char(out, '\n');
}

static void text_rest(out_buf *out, const peer_run *run) {
  size_t num = 0;
  const char *why = "";
  for (size_t i = 0; i < run->num_cases; i++) {
    if (text_not_run(&run->cases[i])) {
      why = run->cases[i].outcome->result.why;
      num++;
    }
  }
  if (num > 0) {
    out_u64(out, num);
    out_str(out, num == 1 ? " case " : " cases ");
    out_str(out, why);
    out_char(out, '\n');
  }
}

static void text_end(out_buf *out, const peer_run *run) {
  if (run->canary_ns == 0) {
    out_str(out, "the target never passed the canary\n");
    text_labelled(out, "          due:  ", run->canary->due);
    text_labelled(out, "          seen: ", run->canary->seen);
    text_labelled(out, "          why:  ", run->canary->why);
    return;
  }
  text_recap(out, run);
  text_totals(out, run);
  text_rest(out, run);
}

const peer_report_format peer_report_text = {
    .name = "text", .begin = text_begin, .one = text_one, .end = text_end};
