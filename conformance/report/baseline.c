/* SPDX-License-Identifier: BSD-2-Clause */
/* The findings of a run, counted, as `iwarp check --baseline` reads them again. */
#include <report/check.h>
#include <report/names.h>
#include <report/spots.h>

static void baseline_finding(report_check *check, void **slot, const observe_conn *conn,
                             const iwarp_finding *f, const iwarp_event *ev) {
  (void)slot;
  (void)conn;
  (void)ev;
  (void)report_spots_add(check->spots, f); /* a lack of memory is remembered */
}

static void baseline_connection(report_check *check, void **slot, const observe_conn *conn) {
  (void)check;
  (void)slot;
  (void)conn;
}

/* "340", "20-88880" for findings between two offsets, "-" where it is not known. */
static void baseline_offset(out_buf *s, const report_spot *spot) {
  if (spot->from == IWARP_POS_UNKNOWN) {
    out_char(s, '-');
    return;
  }
  out_u64(s, spot->from);
  if (spot->to != spot->from) {
    out_char(s, '-');
    out_u64(s, spot->to);
  }
}

static void baseline_line(out_buf *s, uint16_t rule, iwarp_role role, const report_spot *spot) {
  out_str(s, iwarp_rule_get(rule)->slug);
  out_char(s, ' ');
  out_str(s, report_role_name(role));
  out_char(s, ' ');
  baseline_offset(s, spot);
  out_char(s, ' ');
  out_u64(s, spot->count);
  out_char(s, '\n');
}

static void baseline_list(out_buf *s, const report_spots *spots, uint16_t rule, iwarp_role role) {
  const report_spot_list *list = report_spots_of(spots, rule, role);
  for (size_t i = 0; list != NULL && i < list->num; i++) {
    baseline_line(s, rule, role, &list->each[i]);
  }
  if (list != NULL && list->rest.count > 0) {
    baseline_line(s, rule, role, &list->rest);
  }
}

static void baseline_summary(report_check *check, const report_totals *totals) {
  out_str(check->out, "iwarp-baseline 2\ncaptures ");
  out_u64(check->out, totals->files);
  out_str(check->out, "\n# rule, role of the sender, offset in its stream, findings\n");
  for (uint16_t rule = 0; rule < iwarp_rule_count(); rule++) {
    baseline_list(check->out, check->spots, rule, IWARP_ROLE_UNKNOWN);
    baseline_list(check->out, check->spots, rule, IWARP_ROLE_INITIATOR);
    baseline_list(check->out, check->spots, rule, IWARP_ROLE_RESPONDER);
  }
}

const report_format report_format_baseline = {
    .name = "baseline",
    .same = UINT64_MAX,
    .whole = true,
    .certain = true,
    .unbounded = true, /* each finding counts */
    .finding = baseline_finding,
    .connection = baseline_connection,
    .summary = baseline_summary,
};
