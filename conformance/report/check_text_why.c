/* SPDX-License-Identifier: BSD-2-Clause */
/* What happened to a connection, why, and what to do, in words. */
#include <report/diagnosis.h>

#include "check_text.h"

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

bool check_text_why(report_check *check, const observe_conn *conn) {
  iwarp_diagnoses list;
  iwarp_diagnose(&list, conn);
  check_text_outcome(check, conn, list.num > 0);
  for (size_t i = 0; i < list.num; i++) {
    const iwarp_diagnosis_row *row = iwarp_diagnosis_get(list.of[i].id);
    diagnosis_line(check->out, conn, &list.of[i], i == 0 ? "why: " : "also: ");
    if (i == 0 || check->verbosity == REPORT_VERBOSE) {
      advice_line(check->out, "operator: ", row->operator_do);
      advice_line(check->out, "implementer: ", row->implementer_do);
    }
  }
  return list.num > 0;
}
