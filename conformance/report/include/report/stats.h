/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of a connection, in each format of `iwarp stats`. */
#ifndef REPORT_STATS_H
#define REPORT_STATS_H

#include <stats/stats.h>

#include <report/out_buf.h>

/** report_stats_conn is a connection at its end. */
typedef struct report_stats_conn {
  const observe_conn *conn;
  const stats_figures *figures;
  uint8_t first; /* the side that stands first */
} report_stats_conn;

/** report_stats_is_alone returns true if nothing of the other side was captured, so that no Request
 * of this one can be answered. */
bool report_stats_is_alone(const report_stats_conn *c, unsigned side);

/** report_stats_json writes the line `stats`. */
void report_stats_json(out_buf *out, const report_stats_conn *c);

/** report_stats_interval_json writes a line `stats-interval`. */
void report_stats_interval_json(out_buf *out, const observe_conn *conn, uint8_t first,
                                uint64_t interval_ns, const stats_interval *interval);

/** report_stats_csv writes a row for each direction, and _header the names of the columns. */
void report_stats_csv(out_buf *out, const report_stats_conn *c);
void report_stats_csv_header(out_buf *out);

/** report_stats_interval_csv does so for an interval. */
void report_stats_interval_csv(out_buf *out, const observe_conn *conn, uint8_t first,
                               uint64_t interval_ns, const stats_interval *interval);
void report_stats_interval_csv_header(out_buf *out);

#define REPORT_STATS_PAGE (UINT64_C(16) << 20) /* octets after which a page has no more room */

/** report_stats_html writes the plots of a connection, between the two ends of the page. The stats
 * has `plots` in its configuration. Returns false if the page has REPORT_STATS_PAGE octets already:
 * then nothing is written. `left_out` counts such connections. */
bool report_stats_html(out_buf *out, const report_stats_conn *c);
void report_stats_html_begin(out_buf *out);
void report_stats_html_end(out_buf *out, uint64_t left_out);

/** report_stats_text writes the tables of a connection. */
void report_stats_text(out_buf *out, const report_stats_conn *c);

/** report_stats_interval_text writes a line of an interval for each direction that has packets. */
void report_stats_interval_text(out_buf *out, const observe_conn *conn, uint8_t first,
                                uint64_t interval_ns, const stats_interval *interval);

#endif
