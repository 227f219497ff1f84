/* SPDX-License-Identifier: BSD-2-Clause */
/* What a later run is to expect: case, verdict and what was seen, a line for each case that did not
 * pass. */
#include <peer_report/run.h>

#include <report/names.h>

static void baseline_begin(out_buf *out, const peer_run *run) {
  (void)run;
  out_str(out, "# case, verdict and what was seen, for iwarp peer --baseline\n");
}

static void baseline_one(out_buf *out, const peer_run *run, size_t i) {
  const peer_run_case *c = &run->cases[i];
  const peer_result *r = &c->outcome->result;
  if (r->verdict == PEER_PASS || r->verdict == PEER_ALLOWED || r->verdict == PEER_SKIPPED) {
    return;
  }
  out_str(out, c->name);
  out_char(out, ' ');
  out_str(out, peer_verdict_name(r->verdict));
  out_char(out, ' ');
  report_name_put(out, r->seen[0] != 0 ? r->seen : "-");
  out_char(out, '\n');
}

static void baseline_end(out_buf *out, const peer_run *run) {
  (void)out;
  (void)run;
}

const peer_report_format peer_report_baseline = {
    .name = "baseline", .begin = baseline_begin, .one = baseline_one, .end = baseline_end};
