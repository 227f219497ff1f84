/* SPDX-License-Identifier: BSD-2-Clause */
/* Judges the connections of a share, and keeps the results. */
#include "jobs_share.h"

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#include "conn_hash.h"
#include "diag.h"
#include "jobs_worker.h"

#define SHARE_LINE 64u /* octets of a line of a cache */

/* ---- results ---- */

/* Makes the owner take the records that wait; under the lock. */
static void share_call_owner(jobs_shared *s) {
  s->due = true;
  pthread_cond_signal(&s->owner);
}

/*
 * Hands a record to the owner, who takes them before too many wait. The owner waits for earlier
 * records, which may belong to a share that no worker holds yet. There are as many workers as
 * shares, so one worker holds no share and can judge it.
 */
static void share_put(jobs_share *sh, jobs_record *r) {
  jobs_shared *s = sh->shared;
  r->at = sh->at;
  r->when = sh->when;
  r->next = NULL;
  pthread_mutex_lock(&s->lock);
  while (sh->waiting > JOBS_RECORDS) {
    share_call_owner(s);
    pthread_cond_wait(&sh->space, &s->lock);
  }
  *sh->last = r;
  sh->last = &r->next;
  sh->waiting += r->size;
  if (!s->due && sh->waiting > JOBS_RECORDS / 2) {
    share_call_owner(s);
  }
  pthread_mutex_unlock(&s->lock);
}

static jobs_record *share_record(jobs_share *sh, jobs_record_kind kind, const observe_conn *conn) {
  jobs_record *r = jobs_record_alloc(kind);
  if (r == NULL && kind == JOBS_CLOSED) {
    r = sh->spare;
    sh->spare = NULL;
  }
  if (r != NULL) {
    jobs_record_fill(r, kind, conn);
  }
  sh->failed = sh->failed || r == NULL;
  return r;
}

/* The connection gets a copy that lasts; without it nothing of it can be handed out. */
static void share_numbered(void *ctx, observe_conn *conn) {
  jobs_share *sh = ctx;
  jobs_conn *lasts = memory_zeroed(1, sizeof *lasts);
  conn->user = lasts;
  jobs_record *r = lasts != NULL ? share_record(sh, JOBS_NUMBERED, conn) : NULL;
  if (r != NULL) {
    share_put(sh, r);
  } else {
    sh->failed = true;
    free(lasts);
    conn->user = NULL;
  }
}

static void share_finding(void *ctx, observe_conn *conn, const iwarp_finding *finding,
                          const iwarp_event *ev) {
  jobs_share *sh = ctx;
  jobs_record *r = conn->user != NULL ? share_record(sh, JOBS_FINDING, conn) : NULL;
  (void)ev;
  if (r != NULL) {
    r->finding = *finding;
    share_put(sh, r);
  }
}

static void share_closed(void *ctx, observe_conn *conn) {
  jobs_share *sh = ctx;
  jobs_record *r = conn->user != NULL ? share_record(sh, JOBS_CLOSED, conn) : NULL;
  if (r != NULL) {
    share_put(sh, r);
  }
}

static void share_limit(void *ctx, const char *name, uint64_t n) {
  jobs_share *sh = ctx;
  jobs_record *r = share_record(sh, JOBS_LIMIT, NULL);
  if (r != NULL) {
    r->limit = name;
    r->num = n;
    share_put(sh, r);
  }
}

static void share_differ(void *ctx, observe_conn *conn, const observe_differ *what) {
  jobs_share *sh = ctx;
  const bool numbered = conn != NULL && conn->user != NULL;
  jobs_record *r = share_record(sh, JOBS_DIFFER, numbered ? conn : NULL);
  if (r != NULL) {
    r->differ = *what;
    share_put(sh, r);
  }
}

static void share_transport(void *ctx, const observe_transport *what) {
  jobs_share *sh = ctx;
  jobs_record *r = share_record(sh, JOBS_TRANSPORT, NULL);
  if (r != NULL) {
    r->transport = *what;
    share_put(sh, r);
  }
}

/* ---- events ---- */

/* Returns true if the connection is observed in this share. */
static bool share_mine(const jobs_share *sh, const ingest_addr *addr, bool sctp) {
  jobs_shared *s = sh->shared;
  return (s->shards == 0 || conn_hash(addr, sctp) % s->shards == s->shard) &&
         jobs_read_share(&s->deal, addr, sctp) == sh->number;
}

/* Says which event is observed now; `steps`: as jobs_moment counts it. */
static void share_now(jobs_share *sh, uint64_t turn, bool steps) {
  sh->at.turn = turn;
  sh->at.index++;
  sh->events += steps ? 1u : 0u;
  sh->when.event = sh->events + ingest_stats_get(sh->ingest)->packets;
}

/* The first of two connections with the same number of octets counts. */
static void share_port(jobs_share *sh) {
  const observe_found *found = observe_found_get(sh->observe);
  if (found->port_octets > sh->port_octets) {
    sh->port_octets = found->port_octets;
    sh->port_at = sh->at;
  }
}

static void share_tcp(jobs_share *sh, const ingest_event *ev, uint64_t turn) {
  share_now(sh, turn, ev->kind == INGEST_EVENT_OPEN || ev->kind == INGEST_EVENT_CLOSE);
  if (ev->kind == INGEST_EVENT_OPEN && !share_mine(sh, ev->addr, false)) {
    return; /* later events of the connection have NULL in `*ev->user` */
  }
  observe_event(sh->observe, ev);
  if (ev->kind == INGEST_EVENT_CLOSE) {
    share_port(sh);
    sh->events++; /* octets of the next connection come after it */
  }
}

static void share_sctp(jobs_share *sh, const ingest_sctp_event *ev) {
  share_now(sh, INGEST_TURN_OWN, true);
  if (ev->kind == INGEST_SCTP_OPEN && !share_mine(sh, ev->addr, true)) {
    return;
  }
  observe_sctp_event(sh->observe, ev);
  if (ev->kind == INGEST_SCTP_CLOSE) {
    share_port(sh);
  }
}

/* Observes the next segment of a connection. */
static void share_segment(jobs_share *sh) {
  ingest_event ev;
  share_now(sh, INGEST_TURN_OWN, false);
  if (observe_segment(sh->observe, ingest_next_segment(sh->ingest))) {
    ingest_take_segment(sh->ingest);
  } else if (ingest_next(sh->ingest, &ev)) {
    observe_event(sh->observe, &ev);
  }
}

/* Observes all events that ingest has ready. */
static void share_drain(jobs_share *sh) {
  ingest_event ev;
  ingest_sctp_event sctp;
  while (ingest_next(sh->ingest, &ev)) {
    share_tcp(sh, &ev, ingest_turn(sh->ingest));
  }
  while (ingest_sctp_next(sh->ingest, &sctp)) {
    share_sctp(sh, &sctp);
  }
  sh->deadline = ingest_deadline(sh->ingest);
}

/* ---- packets ---- */

static void share_push(jobs_share *sh, const jobs_piece *p, size_t i) {
  ingest_packet packet;
  jobs_piece_get(p, i, &packet);
  if (packet.number != sh->next) {
    ingest_skip(sh->ingest, packet.number - sh->next);
  }
  sh->next = packet.number + 1;
  sh->at.number = packet.number;
  sh->at.index = 0;
  sh->when.input = p->input + p->packet[i].input;
  ingest_due due = ingest_push(sh->ingest, &packet);
  if (due == INGEST_DUE_EVENT) {
    share_segment(sh);
    due = ingest_due_after(sh->ingest);
  }
  if (due == INGEST_DUE_MORE) {
    share_drain(sh);
  }
}

/* Gives ingest those packets of others between two places at which it closes connections. Most are
 * such packets, and each that is not leaves the deadline as it is. */
static void share_close(jobs_share *sh, const jobs_piece *p, size_t from, size_t to) {
  for (size_t i = from; i < to && sh->deadline <= p->number + p->packet[to - 1].number; i++) {
    if (p->number + p->packet[i].number >= sh->deadline) {
      share_push(sh, p, i);
    }
  }
}

/* The place of the next packet of the share after the one at `i`. */
static size_t share_next(const jobs_share *sh, const jobs_piece *p, size_t i) {
  return p->packet[i].next != 0 ? p->packet[i].next : jobs_piece_find(p, i + 1, sh->number);
}

/* Asks for the octets of a packet, which may be in the cache of another processor. */
static void share_ahead(const jobs_piece *p, size_t i) {
  if (i < p->num) {
    const uint8_t *at = p->space.octets + p->packet[i].at;
    __builtin_prefetch(at);
    __builtin_prefetch(at + SHARE_LINE);
    if (p->packet[i].next != 0) {
      __builtin_prefetch(&p->packet[p->packet[i].next]);
    }
  }
}

static void share_packets(jobs_share *sh, const jobs_piece *p) {
  size_t after = 0; /* the packet before this one has been judged */
  size_t i = jobs_piece_find(p, 0, sh->number);
  while (i < p->num) {
    const size_t next = share_next(sh, p, i);
    share_ahead(p, next);
    share_close(sh, p, after, i);
    share_push(sh, p, i);
    after = i + 1;
    i = next;
  }
  share_close(sh, p, after, p->num);
}

/* ---- captures ---- */

static bool share_wants(void *ctx, const ingest_addr addr[2]) {
  const jobs_share *sh = ctx;
  return jobs_read_share(&sh->shared->deal, addr, false) == sh->number;
}

/* The engines have to be equal where each worker gets all packets. */
static bool share_begin(jobs_share *sh) {
  ingest_cfg cfg = {
      .alloc = {.ctx = sh->observe, .get = observe_ingest_get, .put = observe_ingest_put},
      .wanted = {.ctx = sh, .is = sh->shared->deal.all ? NULL : share_wants},
      .opening = observe_opening,
      .conns_max = SIZE_MAX,
      .copies_max = sh->budget.limit / JOBS_COPIES};
  memcpy(cfg.hash_key, sh->shared->hash_key, sizeof cfg.hash_key);
  sh->ingest = ingest_new(&cfg);
  sh->deadline = UINT64_MAX;
  sh->next = 1;
  return sh->ingest != NULL;
}

static void share_end(jobs_share *sh, const jobs_piece *p) {
  sh->at.number = UINT64_MAX;
  sh->at.index = 0;
  sh->when.input = p->input;
  observe_capture_ends(sh->observe, p->end_ns);
  ingest_finish(sh->ingest);
  share_drain(sh);
  sh->stats = *ingest_stats_get(sh->ingest);
  sh->events += sh->stats.packets;
  ingest_free(sh->ingest);
  sh->ingest = NULL;
}

/* All shares get the packets of SCTP, so their chunks count in one of them. */
static uint64_t share_work(const jobs_share *sh) {
  const bool chunks = sh->number == 0 && sh->ingest != NULL;
  return observe_work(sh->observe) + (chunks ? ingest_stats_get(sh->ingest)->chunks : 0);
}

void jobs_share_judge(jobs_share *sh, uint64_t piece) {
  const size_t slot = piece % sh->shared->num_pieces;
  const jobs_piece *p = &sh->shared->pieces[slot];
  const uint64_t before = share_work(sh);
  sh->budget.limit = sh->allowed[slot];
  sh->at.piece = piece;
  if (sh->ingest == NULL && !share_begin(sh)) {
    sh->failed = true;
  } else if (p->finish) {
    share_end(sh, p);
  } else {
    share_packets(sh, p);
  }
  sh->used[slot] = observe_used(sh->observe) + sh->budget.ingest;
  sh->work = p->finish ? 0 : share_work(sh) - before;
}

/* ---- for the owner ---- */

bool jobs_share_make(jobs_share *sh, const observe_cfg *cfg, bool findings) {
  observe_cfg own = *cfg;
  const observe_hooks hooks = {.ctx = sh,
                               .numbered = share_numbered,
                               .finding = findings ? share_finding : NULL,
                               .closed = share_closed,
                               .limit = share_limit,
                               .differ = share_differ,
                               .transport = share_transport};
  own.budget = &sh->budget;
  sh->last = &sh->first;
  sh->taken_last = &sh->taken;
  pthread_cond_init(&sh->space, NULL);
  sh->observe = observe_new(&own, &hooks);
  sh->spare = jobs_record_alloc(JOBS_CLOSED);
  return sh->observe != NULL && sh->spare != NULL;
}

void jobs_share_free(jobs_share *sh) {
  ingest_free(sh->ingest);
  observe_free(sh->observe);
  free(sh->spare);
  pthread_cond_destroy(&sh->space);
}
