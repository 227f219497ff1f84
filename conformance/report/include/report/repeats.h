/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings that repeat: the first ones of a rule and a side are printed, the rest is counted. */
#ifndef REPORT_REPEATS_H
#define REPORT_REPEATS_H

#include <iwarp/rules.h>

/** report_repeat is what one rule found on one side of a connection. */
typedef struct report_repeat {
  uint16_t rule;
  uint8_t side;
  bool suspected;
  uint64_t shown;
  uint64_t more;  /* findings that were not shown */
  uint64_t first; /* frame of the first finding that was not shown */
  uint64_t last;
} report_repeat;

/** report_repeats is a list of them, in the order in which they were found. */
typedef struct report_repeats {
  report_repeat *of;
  size_t num;
  size_t cap;
} report_repeats;

/** report_repeats_get returns the entry of the finding's rule, side and certainty, which it adds if
 * needed; NULL: no memory. It is valid until the next call. */
report_repeat *report_repeats_get(report_repeats *list, const iwarp_finding *finding);

/** report_repeats_free gives the memory back. */
void report_repeats_free(report_repeats *list);

#endif
