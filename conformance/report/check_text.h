/* SPDX-License-Identifier: BSD-2-Clause */
/* Words and parts that the files of the text report share. */
#ifndef REPORT_CHECK_TEXT_H
#define REPORT_CHECK_TEXT_H

#include <report/check.h>

/** check_text_count writes "1 gap" or "2 gaps". */
void check_text_count(out_buf *s, uint64_t n, const char *one, const char *many);

/** check_text_severities writes how many findings there were of each. */
void check_text_severities(out_buf *s, const uint64_t findings[OBSERVE_SEVERITIES]);

/** check_text_paint writes text in a colour of ECMA-48, where colour is wanted. */
void check_text_paint(const report_check *check, out_buf *s, const char *code, const char *text);

/** check_text_summary writes the end of the report. */
void check_text_summary(report_check *check, const report_totals *totals);

#endif
