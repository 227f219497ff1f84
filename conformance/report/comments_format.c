/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings as texts about frames. */
#include <report/comments.h>
#include <report/finding.h>
#include <report/names.h>

static void comments_requirement(out_buf *s, const iwarp_rule *rule) {
  out_char(s, '\n');
  out_str(s, rule->level);
  out_str(s, " of ");
  report_sections_put(s, rule->requirements);
  out_char(s, '\n');
}

static void comments_advice(out_buf *s, const report_advice *a) {
  out_str(s, "cause: ");
  out_str(s, a->cause);
  out_str(s, "\neffect: ");
  out_str(s, a->effect);
  out_char(s, '\n');
}

static void comments_finding(report_check *check, void **slot, const observe_conn *conn,
                             const iwarp_finding *f, const iwarp_event *ev) {
  const iwarp_rule *rule = iwarp_rule_get(f->rule);
  out_buf text;
  (void)slot;
  (void)ev;
  out_open_memory(&text);
  report_finding_weight(&text, f, conn->known);
  out_str(&text, conn->known != NULL ? ": " : " ");
  out_str(&text, rule->slug);
  out_str(&text, ": ");
  report_message_put(&text, rule, f);
  out_char(&text, '\n');
  out_str(&text, report_finding_values(&text, f) ? "\n" : "");
  report_finding_where(&text, conn, f);
  report_finding_unless(&text, f, "\n");
  comments_requirement(&text, rule);
  if (check->advice != NULL) {
    comments_advice(&text, &check->advice[rule->id]);
  }
  out_str(&text, "why: iwarp explain ");
  out_str(&text, rule->slug);
  report_comments_add(check->ctx, f->last.packet, text.buf, text.len);
  out_close(&text);
}

static void comments_connection(report_check *check, void **slot, const observe_conn *conn) {
  (void)check;
  (void)slot;
  (void)conn;
}

static void comments_summary(report_check *check, const report_totals *totals) {
  (void)check;
  (void)totals;
}

const report_format report_format_comments = {
    .name = "comments",
    .same = UINT64_MAX,
    .unbounded = true,
    .finding = comments_finding,
    .connection = comments_connection,
    .summary = comments_summary,
};
