/* SPDX-License-Identifier: BSD-2-Clause */
/* The findings of a run, counted, as `iwarp check --baseline` reads them again. */
#include <report/check.h>
#include <report/names.h>

#include "check_slot.h"

static void baseline_begin(report_check *check) {
  out_str(check->out, "iwarp-baseline 1\n"
                      "# rule, role of the sender, number of the connection, findings, capture\n");
}

static void baseline_finding(report_check *check, void **slot, const observe_conn *conn,
                             const iwarp_finding *f, const iwarp_event *ev) {
  (void)check;
  (void)slot;
  (void)conn;
  (void)f;
  (void)ev;
}

static void baseline_line(out_buf *s, const observe_conn *conn, const report_repeat *r,
                          iwarp_role role) {
  if (r->of_role[role] == 0) {
    return;
  }
  out_str(s, iwarp_rule_get(r->rule)->slug);
  out_char(s, ' ');
  out_str(s, report_role_name(role));
  out_char(s, ' ');
  out_u64(s, conn->number);
  out_char(s, ' ');
  out_u64(s, r->of_role[role]);
  out_char(s, ' ');
  report_name_put(s, conn->file);
  out_char(s, '\n');
}

/* Writes the role that each finding had: a side may get its role after some of its findings. */
static void baseline_connection(report_check *check, void **slot, const observe_conn *conn) {
  const check_slot *held = *slot;
  for (size_t i = 0; i < held->repeats.num; i++) {
    const report_repeat *r = &held->repeats.of[i];
    baseline_line(check->out, conn, r, IWARP_ROLE_UNKNOWN);
    baseline_line(check->out, conn, r, IWARP_ROLE_INITIATOR);
    baseline_line(check->out, conn, r, IWARP_ROLE_RESPONDER);
  }
}

static void baseline_summary(report_check *check, const report_totals *totals) {
  (void)check;
  (void)totals;
}

const report_format report_format_baseline = {
    .name = "baseline",
    .same = UINT64_MAX,
    .whole = true,
    .certain = true,
    .unbounded = true, /* each finding counts */
    .begin = baseline_begin,
    .finding = baseline_finding,
    .connection = baseline_connection,
    .summary = baseline_summary,
};
