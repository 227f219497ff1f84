/* SPDX-License-Identifier: BSD-2-Clause */
/* The figures of all connections of a run as OpenMetrics text. */
#ifndef REPORT_STATS_METRICS_H
#define REPORT_STATS_METRICS_H

#include <report/stats.h>

#define REPORT_METRICS_DIRS 3u  /* initiator, responder, unknown */
#define REPORT_METRICS_PARTS 9u /* parts of a stream */
#define REPORT_METRICS_TIMES 26u
#define REPORT_METRICS_SIZES 10u

/** report_metrics_hist is a distribution, by the bounds of its metric. */
typedef struct report_metrics_hist {
  uint64_t count;
  uint64_t sum;
  uint64_t of[REPORT_METRICS_TIMES]; /* counts by bound, not cumulative */
} report_metrics_hist;

/** report_metrics_requests is of Reads, or of Atomics. */
typedef struct report_metrics_requests {
  bool any;     /* `requests` is counted */
  bool answers; /* the members after `requests` are counted, too */
  uint64_t requests;
  uint64_t unanswered;
  uint64_t left_out;
  report_metrics_hist response_time;
  report_metrics_hist first_octet_time;
} report_metrics_requests;

/** report_metrics_dir is what all initiators send, or all responders. */
typedef struct report_metrics_dir {
  bool any; /* a TCP connection has figures of it */
  uint64_t packets;
  uint64_t duplicate_packets;
  uint64_t retransmitted_packets;
  uint64_t retransmitted_octets;
  uint64_t out_of_order_packets;
  uint64_t zero_window_ns;
  uint64_t gap_octets;
  uint64_t parts[REPORT_METRICS_PARTS];
  bool any_fpdus;
  uint64_t fpdus;
  uint64_t bad_crc;
  bool any_messages[STATS_NAMES];
  uint64_t messages[STATS_NAMES];
  report_metrics_hist sizes[STATS_NAMES];
  report_metrics_requests requests[2]; /* Reads, Atomics */
} report_metrics_dir;

/** report_metrics is the sum over connections; all zeros is the sum over none. */
typedef struct report_metrics {
  uint64_t connections;
  report_metrics_dir dirs[REPORT_METRICS_DIRS];
} report_metrics;

/** report_metrics_add adds a connection. One that has not `ended` adds what later packets cannot
 * change, and nothing while a startup frame may still change its roles. */
void report_metrics_add(report_metrics *m, const report_stats_conn *c, bool ended);

/** report_metrics_put writes OpenMetrics text. `label`, as NAME=VALUE, is one more label of each
 * figure: a name as OpenMetrics has it, and UTF-8 without control characters. NULL: no label. */
void report_metrics_put(out_buf *out, const report_metrics *m, const char *label);

#endif
