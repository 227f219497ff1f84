/* SPDX-License-Identifier: BSD-2-Clause */
/* The output formats of a check. */
#include <report/check.h>

const report_format *const report_formats[] = {
    &report_format_text,     /* the default */
    &report_format_jsonl,    /* an object a line */
    &report_format_timeline, /* a ladder of each connection */
    &report_format_junit,    /* test reports of CI */
    &report_format_sarif,    /* code review */
    &report_format_tap,      /* version 14 */
    &report_format_tap13,    /* TAP 13, for harnesses that do not know version 14 */
    &report_format_html,     /* a single page */
    NULL,
};

const report_format *report_format_find(const char *name) {
  size_t i = 0;
  while (report_formats[i] != NULL && strcmp(report_formats[i]->name, name) != 0) {
    i++;
  }
  return report_formats[i];
}
