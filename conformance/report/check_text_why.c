/* SPDX-License-Identifier: BSD-2-Clause */
/* What happened to a connection, why, and what to do, in words. */
#include <report/diagnosis.h>

#include "check_text.h"

#define CHECK_TEXT_CAUSES 3u /* causes that the summary names */

static void advice_line(out_buf *s, const char *label, const char *text) {
  out_str(s, "  ");
  out_str(s, label);
  out_str(s, text);
  out_char(s, '\n');
}

static void diagnosis_line(out_buf *s, const observe_conn *conn, const iwarp_diagnosis *d,
                           const char *label) {
  out_str(s, "  ");
  out_str(s, label);
  report_diagnosis_put(s, conn, d);
  out_str(s, " (");
  out_str(s, report_diagnosis_certainty(d));
  out_str(s, "; iwarp explain diag.");
  out_str(s, iwarp_diagnosis_get(d->id)->id);
  out_str(s, ")\n");
}

_Static_assert(IWARP_DIAGNOSES <= REPORT_DIAGNOSES, "a report notes each diagnosis");

bool check_text_why(report_check *check, const observe_conn *conn) {
  iwarp_diagnoses list;
  iwarp_diagnose(&list, conn);
  check_text_outcome(check, conn, list.num > 0);
  for (size_t i = 0; i < list.num; i++) {
    const iwarp_diagnosis_row *row = iwarp_diagnosis_get(list.of[i].id);
    diagnosis_line(check->out, conn, &list.of[i], i == 0 ? "why: " : "also: ");
    const uint64_t before = i == 0 ? check->diagnosed[list.of[i].id]++ : 1;
    if (before == 0 || check->verbosity == REPORT_VERBOSE) {
      advice_line(check->out, "operator: ", row->operator_do);
      advice_line(check->out, "implementer: ", row->implementer_do);
    }
  }
  return list.num > 0;
}

/* The diagnosis with the most connections of those with fewer than `below`, or with as many and a
 * later id than `after`; IWARP_DIAGNOSES: there is no such one. */
static unsigned int check_text_cause_next(const report_check *check, uint64_t below,
                                          unsigned int after) {
  unsigned int best = IWARP_DIAGNOSES;
  for (unsigned int id = 0; id < IWARP_DIAGNOSES; id++) {
    const uint64_t n = check->diagnosed[id];
    const bool left = n < below || (n == below && id > after);
    if (left && (best == IWARP_DIAGNOSES || n > check->diagnosed[best])) {
      best = id;
    }
  }
  return best;
}

void check_text_causes(const report_check *check) {
  unsigned int id = check_text_cause_next(check, UINT64_MAX, 0);
  for (size_t i = 0; i < CHECK_TEXT_CAUSES && id < IWARP_DIAGNOSES && check->diagnosed[id] > 1;
       i++) {
    out_str(check->out, "  why: ");
    check_text_count(check->out, check->diagnosed[id], "connection", "connections");
    out_str(check->out, ": ");
    out_str(check->out, iwarp_diagnosis_get(id)->summary);
    out_str(check->out, " (iwarp explain diag.");
    out_str(check->out, iwarp_diagnosis_get(id)->id);
    out_str(check->out, ")\n");
    id = check_text_cause_next(check, check->diagnosed[id], id);
  }
}
