/* SPDX-License-Identifier: BSD-2-Clause */
/* Times as text: what they count from, and how they are written. */
#ifndef REPORT_TIMES_H
#define REPORT_TIMES_H

#include <stdint.h>

#include <report/out_buf.h>

/** report_times is what the times of a text report count from. */
typedef enum report_times {
  REPORT_TIME_DEFAULT = 0, /* check: the connection's first packet; dump: the epoch, in seconds */
  REPORT_TIME_ABSOLUTE,    /* the epoch, as a date in UTC */
  REPORT_TIME_CAPTURE,     /* the capture's first packet */
  REPORT_TIME_DELTA        /* the line with a time before */
} report_times;

/** report_clock is what a report must know of earlier times. */
typedef struct report_clock {
  report_times times;
  const uint64_t *capture_ns; /* time of the first packet of the capture that is read */
  const char *last_file;      /* a time of this capture was written: */
  uint64_t last_ns;           /* the last one */
} report_clock;

/** report_clock_before returns the time of the line before, or of the capture's first packet where
 * `file` has no line yet. */
uint64_t report_clock_before(const report_clock *clock, const char *file);

/** report_clock_note keeps a time that was written, for the next line. */
void report_clock_note(report_clock *clock, const char *file, uint64_t ns);

/** report_span_put writes nanoseconds as seconds: six decimals, or nine where it takes them. */
void report_span_put(out_buf *s, uint64_t ns);

/** report_since_put writes the span from one time to another, which is negative where packets were
 * captured out of their order. */
void report_since_put(out_buf *s, uint64_t from_ns, uint64_t to_ns);

/** report_date_put writes nanoseconds since the epoch as "1970-01-01 00:00:00.000000 UTC". */
void report_date_put(out_buf *s, uint64_t ns);

#endif
