/* SPDX-License-Identifier: BSD-2-Clause */
/* The connections of `iwarp stats`, and the sums over them. */
#ifndef CLI_STATS_CONNS_H
#define CLI_STATS_CONNS_H

#include <observe/observe.h>
#include <report/stats.h>
#include <report/stats_metrics.h>

#include "opts.h"

/** stats_conns is the state of a run. All zeros but `o`, `memory` and `cfg` is no connection. */
typedef struct stats_conns {
  const opts *o;
  observe_budget *memory;
  stats_cfg cfg;           /* configuration of each connection; outlives all connections */
  report_metrics *ended;   /* sums over the connections that ended; NULL: not wanted */
  struct stats_kept *open; /* the connections that are not forgotten */
} stats_conns;

/** stats_conns_packet takes a packet of TCP; `slot` is what observe keeps for its connection. */
void stats_conns_packet(stats_conns *d, void **slot, const observe_headers *packet);

/** stats_conns_forgotten frees what a slot has. */
void stats_conns_forgotten(stats_conns *d, void *slot);

/** stats_conns_event takes an event. */
void stats_conns_event(stats_conns *d, observe_conn *conn, const iwarp_event *ev);

/** stats_conns_fpdu takes an FPDU as stats_fpdu does. */
void stats_conns_fpdu(stats_conns *d, observe_conn *conn, const iwarp_observer_fpdu *fpdu);

/** stats_conns_end completes the figures of a connection and adds them to `ended`. False: it is not
 * to be printed, since --conn leaves it out, it ended before, or memory ran out. */
bool stats_conns_end(stats_conns *d, observe_conn *conn, report_stats_conn *c);

/** stats_conns_closed frees what no `forgotten` hook frees, after stats_conns_end and the printing
 * of what it returned. */
void stats_conns_closed(stats_conns *d, observe_conn *conn);

/** stats_conns_first returns the side of a connection that stands first in output. */
uint8_t stats_conns_first(const observe_conn *conn);

/** stats_conns_sum adds to `ended` what is certain of the other connections. The caller frees it.
 * NULL: no memory. Of two sums of a run, no figure of the later one is the smaller. */
report_metrics *stats_conns_sum(const stats_conns *d);

#endif
