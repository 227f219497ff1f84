/* SPDX-License-Identifier: BSD-2-Clause */
/* The Test Anything Protocol, version 14: a test for each case. */
#include <peer_report/run.h>

#include <string.h>

#include <report/jsonw.h>

static void tap_begin(out_buf *out, const peer_run *run) {
  out_str(out, "TAP version 14\n1..");
  out_u64(out, run->num_cases);
  out_char(out, '\n');
}

/* YAML accepts JSON's strings. */
static void tap_text(out_buf *out, const char *key, const char *value) {
  jsonw w = {.out = out};
  if (value[0] != 0) {
    out_str(out, "  ");
    out_str(out, key);
    out_str(out, ": ");
    jsonw_string(&w, NULL, value, strlen(value));
    out_char(out, '\n');
  }
}

/* A case that is expected to fail is `not ok`: `ok` would say that it passes now. */
static bool tap_is_good(const peer_run *run, const peer_run_case *c) {
  const peer_verdict verdict = c->outcome->result.verdict;
  return !peer_run_failed(run, c) && verdict != PEER_ERROR && verdict != PEER_UNSTABLE &&
         c->known != PEER_KNOWN_XFAIL;
}

static void tap_one(out_buf *out, const peer_run *run, size_t i) {
  const peer_run_case *c = &run->cases[i];
  const peer_result *r = &c->outcome->result;
  out_str(out, tap_is_good(run, c) ? "ok " : "not ok ");
  out_u64(out, (uint64_t)i + 1);
  out_str(out, " - ");
  out_str(out, c->name);
  if (r->verdict == PEER_SKIPPED || r->verdict == PEER_UNDECIDED) {
    out_str(out, " # SKIP ");
    out_str(out, peer_verdict_name(r->verdict));
  } else if (c->known == PEER_KNOWN_XFAIL) {
    out_str(out, " # TODO ");
    out_str(out, "expected");
  }
  out_str(out, "\n  ---\n");
  tap_text(out, "verdict", peer_verdict_name(r->verdict));
  tap_text(out, "title", peer_page_info_get(c->item.page)->title);
  tap_text(out, "due", r->due);
  tap_text(out, "seen", r->seen);
  tap_text(out, "why", r->why);
  tap_text(out, "requirements", peer_page_info_get(c->item.page)->cites);
  tap_text(out, "file", c->file != NULL ? c->file : "");
  out_str(out, "  ...\n");
}

static void tap_end(out_buf *out, const peer_run *run) {
  if (run->canary_ns == 0) {
    out_str(out, "Bail out! The target never passed the canary\n");
  }
}

const peer_report_format peer_report_tap = {
    .name = "tap", .begin = tap_begin, .one = tap_one, .end = tap_end};
