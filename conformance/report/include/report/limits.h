/* SPDX-License-Identifier: BSD-2-Clause */
/* The limits of a run by name, and how many connections or captures each ended or cost octets. */
#ifndef REPORT_LIMITS_H
#define REPORT_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REPORT_LIMITS 14u

/** report_limits counts connections, or captures, by limit, in the order of report_limit_name. */
typedef struct report_limits {
  uint64_t of[REPORT_LIMITS];
} report_limits;

/** report_limit_name returns the name of limit `i`, or NULL from REPORT_LIMITS on. */
const char *report_limit_name(size_t i);

/** report_limit_text returns what it means that the limit of this name was reached; never NULL. */
const char *report_limit_text(const char *name);

/** report_limit_of_captures says whether limit `i` ends the reading of a capture, so that captures
 * are counted and not connections. */
bool report_limit_of_captures(size_t i);

/** report_limit_is_of_captures says the same of the limit of this name. */
bool report_limit_is_of_captures(const char *name);

/** report_limits_add counts one connection; a name that is not in the table counts as "other". */
void report_limits_add(report_limits *limits, const char *name, uint64_t n);

/** report_limits_join adds the counts of a part of a run. */
void report_limits_join(report_limits *limits, const report_limits *part);

/** report_limits_sum returns how many were counted. */
uint64_t report_limits_sum(const report_limits *limits);

#endif
