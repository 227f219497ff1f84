/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections with their figures. */
#include "parts.h"

#include <stdlib.h>

#include <memory/memory.h>

#define FIGURES_COUNT_PACKETS 64u /* between two looks at the memory of a connection */

static void figures_count(records *r, records_open_stats *kept, size_t now) {
  r->budget.engines += now;
  r->budget.engines -= kept->counted;
  kept->counted = now;
}

static void figures_on_packet(void *ctx, void **slot, const observe_headers *packet) {
  records *r = ctx;
  records_open_stats *kept = *slot;
  if (kept == NULL) {
    kept = memory_zeroed(1, sizeof *kept);
    if (kept == NULL) {
      return;
    }
    kept->s = stats_new(&r->figures);
    *slot = kept;
  }
  if (kept->s == NULL) {
    return;
  }
  stats_packet(kept->s, packet);
  if (kept->packets++ % FIGURES_COUNT_PACKETS == 0) {
    figures_count(r, kept, stats_memory(kept->s));
  }
}

static void figures_on_forgotten(void *ctx, void *slot) {
  records_open_stats *kept = slot;
  if (kept != NULL) {
    figures_count(ctx, kept, 0);
    stats_free(kept->s);
  }
  free(kept);
}

/* The figures of a connection. Over SCTP it has events alone, and no packets. */
static stats *figures_of(const records *r, observe_conn *conn) {
  if (!conn->info->sctp) {
    const records_open_stats *kept = conn->packets;
    return kept != NULL ? kept->s : NULL;
  }
  records_conn *c = conn->numbered ? records_conn_of(conn) : NULL;
  if (c != NULL && c->stats == NULL) {
    c->stats = stats_new(&r->figures);
  }
  return c != NULL ? c->stats : NULL;
}

static void figures_on_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  stats *s = figures_of(ctx, conn);
  if (s != NULL && !memory_ran_out()) {
    stats_event(s, conn, ev);
  }
}

static void figures_on_fpdu(void *ctx, observe_conn *conn, const iwarp_observer_fpdu *fpdu,
                            const iwarp_link *link) {
  (void)link;
  stats *s = figures_of(ctx, conn);
  if (s != NULL && !memory_ran_out()) {
    stats_fpdu(s, conn, fpdu);
  }
}

/* An interval is complete. The connection that is handed out is the observe's own. */
static void figures_on_interval(void *ctx, const observe_conn *conn,
                                const stats_interval *interval) {
  const records *r = ctx;
  records_conn *c = conn->user;
  if (r->closing || c == NULL) {
    return;
  }
  if (c->num_intervals >= RECORDS_INTERVALS) {
    c->intervals_cut = true;
    return;
  }
  void *list = c->intervals;
  if (records_grow(&list, c->num_intervals, sizeof *c->intervals)) {
    c->intervals = list;
    c->intervals[c->num_intervals++] = *interval;
  }
}

/* The figures go from the TCP connection to the record. */
static void figures_take(records *r, observe_conn *conn) {
  records_conn *c = records_conn_of(conn);
  records_open_stats *kept = conn->info->sctp ? NULL : conn->packets;
  if (c == NULL) {
    return;
  }
  if (kept != NULL) {
    figures_count(r, kept, 0);
    c->stats = kept->s;
    kept->s = NULL;
  }
  if (c->stats != NULL) {
    stats_end(c->stats, conn);
    c->figures = stats_now(c->stats);
  }
}

static void figures_on_closed(void *ctx, observe_conn *conn) {
  records *r = ctx;
  if (r->closing) {
    records_conn_free(conn->user);
    conn->user = NULL;
    return;
  }
  figures_take(r, conn);
  records_conn_end(r, conn);
}

/* Intervals of a connection are kept from its number on, so that each has its place. */
static void figures_on_numbered(void *ctx, observe_conn *conn) {
  const records *r = ctx;
  if (!r->closing) {
    records_conn_of(conn);
  }
}

void records_hook_figures(records *r, observe_hooks *hooks) {
  r->figures = (stats_cfg){.interval_ns = r->cfg.interval_ns,
                           .plots = r->cfg.series,
                           .ctx = r,
                           .interval = figures_on_interval};
  hooks->numbered = figures_on_numbered;
  hooks->packet = figures_on_packet;
  hooks->forgotten = figures_on_forgotten;
  hooks->event = figures_on_event;
  hooks->fpdu = figures_on_fpdu;
  hooks->closed = figures_on_closed;
  hooks->limit = records_on_limit;
}
