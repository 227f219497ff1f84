/* SPDX-License-Identifier: BSD-2-Clause */
/* Follows connections from their first packets to their figures. */
#include "stats_conns.h"

#include <stdlib.h>

#include <memory/memory.h>

enum { CONNS_COUNT_STEPS = 64 }; /* between two looks at the memory of a connection */

/* A connection and its memory that the budget counts. */
typedef struct stats_kept {
  stats *s; /* NULL: its figures were handed out */
  size_t counted;
  uint64_t steps;                     /* packets, or events where no packets are shown */
  bool followed;                      /* iWARP was found in the connection */
  bool ended;                         /* the figures are complete */
  const observe_conn *conn;           /* the connection, once it has a number */
  struct stats_kept *previous, *next; /* neighbours in stats_conns.open */
} stats_kept;

static stats_kept *kept_new(stats_conns *d) {
  stats_kept *kept = memory_zeroed(1, sizeof *kept);
  if (kept != NULL) {
    kept->s = stats_new(&d->cfg);
    kept->next = d->open;
    if (d->open != NULL) {
      d->open->previous = kept;
    }
    d->open = kept;
  }
  return kept;
}

/* What an iWARP connection takes comes back when observe gives it up, and what another connection
 * takes when ingest does. */
static void kept_count(const stats_conns *d, stats_kept *kept, size_t now) {
  size_t *account = kept->followed ? &d->memory->engines : &d->memory->ingest;
  *account += now;
  *account -= kept->counted;
  kept->counted = now;
}

/* Looks at the memory of a connection now and then. */
static void kept_look(const stats_conns *d, stats_kept *kept) {
  if (kept->steps++ % CONNS_COUNT_STEPS == 0) {
    kept_count(d, kept, stats_memory(kept->s));
  }
}

static void kept_follow(const stats_conns *d, stats_kept *kept) {
  const size_t counted = kept->counted;
  kept_count(d, kept, 0);
  kept->followed = true;
  kept_count(d, kept, counted);
}

static void kept_drop(const stats_conns *d, stats_kept *kept) {
  kept_count(d, kept, 0);
  stats_free(kept->s);
  kept->s = NULL;
}

static void kept_free(stats_conns *d, stats_kept *kept) {
  if (kept != NULL) {
    *(kept->previous != NULL ? &kept->previous->next : &d->open) = kept->next;
    if (kept->next != NULL) {
      kept->next->previous = kept->previous;
    }
    kept_drop(d, kept);
  }
  free(kept);
}

/* Over SCTP no packets are shown: a connection has its events alone. */
static stats_kept *kept_of(stats_conns *d, observe_conn *conn) {
  if (conn->info->sctp && conn->user == NULL) {
    conn->user = kept_new(d);
  }
  stats_kept *kept = conn->info->sctp ? conn->user : conn->packets;
  if (kept != NULL && !kept->followed) {
    kept_follow(d, kept);
  }
  return kept;
}

void stats_conns_packet(stats_conns *d, void **slot, const observe_headers *packet) {
  if (*slot == NULL) {
    *slot = kept_new(d);
  }
  stats_kept *kept = *slot;
  if (kept == NULL || kept->s == NULL) {
    return;
  }
  stats_packet(kept->s, packet);
  kept_look(d, kept);
}

void stats_conns_forgotten(stats_conns *d, void *slot) {
  kept_free(d, slot);
}

static bool kept_takes(const stats_kept *kept) {
  return !memory_ran_out() && kept != NULL && kept->s != NULL && !kept->ended;
}

void stats_conns_event(stats_conns *d, observe_conn *conn, const iwarp_event *ev) {
  stats_kept *kept = kept_of(d, conn);
  if (kept != NULL && conn->numbered) {
    kept->conn = conn;
  }
  if (kept_takes(kept)) {
    stats_event(kept->s, conn, ev);
    if (conn->info->sctp) {
      kept_look(d, kept);
    }
  }
}

void stats_conns_fpdu(stats_conns *d, observe_conn *conn, const iwarp_observer_fpdu *fpdu) {
  const stats_kept *kept = kept_of(d, conn);
  if (kept_takes(kept)) {
    stats_fpdu(kept->s, conn, fpdu);
  }
}

/* ---- the end ---- */

static report_stats_conn conns_figures(const observe_conn *conn, stats *s) {
  return (report_stats_conn){.conn = conn, .figures = stats_now(s), .first = stats_first(s, conn)};
}

bool stats_conns_end(stats_conns *d, observe_conn *conn, report_stats_conn *c) {
  stats_kept *kept = kept_of(d, conn);
  if (!kept_takes(kept)) {
    return false;
  }
  stats_end(kept->s, conn);
  kept->ended = true;
  if (!opts_wants_conn(d->o, conn->number) || memory_ran_out()) { /* figures may be missing */
    return false;
  }
  *c = conns_figures(conn, kept->s);
  if (d->ended != NULL) {
    report_metrics_add(d->ended, c, true);
  }
  return true;
}

void stats_conns_closed(stats_conns *d, observe_conn *conn) {
  stats_kept *kept = kept_of(d, conn);
  if (conn->info->sctp) {
    kept_free(d, kept);
    conn->user = NULL;
  } else if (kept != NULL) {
    kept_drop(d, kept); /* a connection that was given up may leave the rest of its packets */
  }
}

uint8_t stats_conns_first(const observe_conn *conn) {
  const stats_kept *kept = conn->info->sctp ? conn->user : conn->packets;
  return stats_first(kept->s, conn);
}

report_metrics *stats_conns_sum(const stats_conns *d) {
  report_metrics *sum = memory_get(sizeof *sum);
  if (sum != NULL) {
    *sum = *d->ended;
  }
  for (const stats_kept *k = d->open; sum != NULL && k != NULL; k = k->next) {
    if (k->conn != NULL && !k->ended && opts_wants_conn(d->o, k->conn->number)) {
      const report_stats_conn c = conns_figures(k->conn, k->s);
      report_metrics_add(sum, &c, false);
    }
  }
  return sum;
}
