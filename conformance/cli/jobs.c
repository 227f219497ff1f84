/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands what workers find to the hooks, in the order in which one job would have found it. */
#define _POSIX_C_SOURCE 200809L

#include "jobs.h"

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#include "conn_hash.h"
#include "diag.h"
#include "jobs_worker.h"

struct jobs {
  jobs_cfg cfg;
  observe *one;     /* the only observe, of a single job: the members below are not used */
  uint64_t events;  /* `event` of jobs_moment */
  uint64_t numbers; /* connections of this capture that have one */
  jobs_shared shared;
  unsigned int started;
  jobs_worker workers[];
};

/* ---- results ---- */

/* The first thing that the hooks learn of a connection. */
static void jobs_numbered(const jobs *j, const jobs_record *r) {
  if (j->cfg.hooks.numbered != NULL) {
    j->cfg.hooks.numbered(j->cfg.hooks.ctx, jobs_record_conn(r));
  }
}

static void jobs_hand_out(jobs *j, jobs_record *r) {
  const observe_hooks *hooks = &j->cfg.hooks;
  *j->cfg.now = r->when;
  if (r->kind == JOBS_NUMBERED) {
    r->lasts->conn.number = j->numbers++;
    jobs_numbered(j, r);
  } else if (r->kind == JOBS_FINDING) {
    hooks->finding(hooks->ctx, jobs_record_conn(r), &r->finding, NULL);
  } else if (r->kind == JOBS_CLOSED) {
    hooks->closed(hooks->ctx, jobs_record_conn(r));
    free(r->lasts);
  } else if (r->kind == JOBS_DIFFER && hooks->differ != NULL) {
    hooks->differ(hooks->ctx, r->lasts != NULL ? jobs_record_conn(r) : NULL, &r->differ);
  } else if (r->kind == JOBS_TRANSPORT && hooks->transport != NULL) {
    hooks->transport(hooks->ctx, &r->transport);
  } else if (r->kind == JOBS_LIMIT) {
    hooks->limit(hooks->ctx, r->limit, r->num);
  }
  free(r);
}

/* Takes the records that wait; under the lock. */
static void jobs_take(jobs *j) {
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    jobs_share *sh = &j->shared.shares[i];
    sh->seen = sh->done;
    if (sh->first != NULL) {
      *sh->taken_last = sh->first;
      sh->taken_last = sh->last;
      sh->first = NULL;
      sh->last = &sh->first;
    }
  }
}

/* The share with the first record, or NULL if no share has a record. */
static jobs_share *jobs_first(jobs *j) {
  jobs_share *first = NULL;
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    jobs_share *sh = &j->shared.shares[i];
    if (sh->taken != NULL &&
        (first == NULL || jobs_place_before(&sh->taken->at, &first->taken->at))) {
      first = sh;
    }
  }
  return first;
}

/* Returns true if no share can yield another record before the end of this piece. */
static bool jobs_settled(const jobs *j, uint64_t piece) {
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    if (j->shared.shares[i].taken == NULL && j->shared.shares[i].seen <= piece) {
      return false;
    }
  }
  return true;
}

/* The next record to be handed out, or NULL if no record is ready yet. Takes the lock as held. */
static jobs_record *jobs_record_next(jobs *j, jobs_share **from) {
  jobs_take(j);
  *from = jobs_first(j);
  if (*from == NULL || !jobs_settled(j, (*from)->taken->at.piece)) {
    return NULL;
  }
  jobs_record *r = (*from)->taken;
  (*from)->taken = r->next;
  if (r->next == NULL) {
    (*from)->taken_last = &(*from)->taken;
  }
  return r;
}

/* Hands out what can be; under the lock, which is not held meanwhile. */
static void jobs_merge(jobs *j) {
  jobs_shared *s = &j->shared;
  jobs_share *from = NULL;
  jobs_record *r = NULL;
  while ((r = jobs_record_next(j, &from)) != NULL) {
    const size_t size = r->size;
    pthread_mutex_unlock(&s->lock);
    jobs_hand_out(j, r);
    pthread_mutex_lock(&s->lock);
    from->waiting -= size;
    if (from->waiting <= JOBS_RECORDS / 2) {
      pthread_cond_signal(&from->space);
    }
  }
  bool due = false;
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    due = due || j->shared.shares[i].waiting > JOBS_RECORDS / 2;
  }
  s->due = due;
}

/* Returns true if all shares are done with all pieces. Takes the lock as held. */
static bool jobs_idle(const jobs *j) {
  const jobs_shared *s = &j->shared;
  bool idle = !s->reading && !s->walking && s->fetching == 0;
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    idle = idle && j->shared.shares[i].done == s->walked;
  }
  return idle;
}

static void jobs_look(jobs *j, const jobs_watch *watch) {
  jobs_shared *s = &j->shared;
  const jobs_read_progress shown = s->shown;
  pthread_mutex_unlock(&s->lock);
  watch->look(watch->ctx, &shown);
  const bool enough = watch->enough(watch->ctx);
  pthread_mutex_lock(&s->lock);
  s->enough = s->enough || enough;
}

/* Hands out results until the workers have nothing to do; under the lock. */
static void jobs_until_idle(jobs *j, const jobs_watch *watch) {
  jobs_shared *s = &j->shared;
  while (!jobs_idle(j)) {
    pthread_cond_wait(&s->owner, &s->lock);
    if (watch != NULL) {
      jobs_look(j, watch);
    }
    jobs_merge(j);
  }
  jobs_merge(j);
}

void jobs_read_file(jobs *j, jobs_read *read, const jobs_watch *watch) {
  jobs_shared *s = &j->shared;
  read->by_pieces = pcap_src_feed_begin(read->src, &read->from);
  read->longest = s->read.longest;
  read->shortest_cut = s->read.shortest_cut;
  pthread_mutex_lock(&s->lock);
  s->read = *read;
  s->shown = read->so_far;
  s->work = (jobs_work){.sum = 0};
  s->first = s->fetched = s->walked;
  s->enough = false;
  s->eager = watch->eager;
  s->reading = true;
  jobs_worker_wake_all(s);
  jobs_until_idle(j, watch);
  *read = s->read;
  pthread_mutex_unlock(&s->lock);
}

void jobs_finish(jobs *j, uint64_t input, uint64_t end_ns) {
  jobs_shared *s = &j->shared;
  pthread_mutex_lock(&s->lock);
  jobs_piece *p = &s->pieces[s->walked % s->num_pieces];
  jobs_piece_begin(p, s->num_shares, 0, input);
  p->finish = true;
  p->end_ns = end_ns;
  s->fetched = s->walked + 1;
  jobs_worker_judge_all(s);
  jobs_until_idle(j, NULL);
  pthread_mutex_unlock(&s->lock);
}

static void jobs_bad(ingest_bad *into, const ingest_bad *bad) {
  const bool first = bad->packets > 0 && (into->packets == 0 || bad->first < into->first);
  into->first = first ? bad->first : into->first;
  into->packets += bad->packets;
}

/* Each job gets all packets of SCTP, and with shards all packets of TCP too: what is counted of
 * these is counted once, from the first share. Who reads the packets of TCP counts their
 * layers where each goes to one job. */
ingest_stats jobs_stats(const jobs *j) {
  const ingest_stats *first = &j->shared.shares[0].stats;
  ingest_stats all = {.bad_sums[1] = first->bad_sums[1],
                      .bad_headers[1] = first->bad_headers[1],
                      .encap[1] = first->encap[1]};
  if (j->shared.deal.all) {
    all.encap[0] = first->encap[0];
  }
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    const ingest_stats *one = &j->shared.shares[i].stats;
    all.dropped += one->dropped;
    if (i == 0 || !j->shared.deal.all) {
      jobs_bad(&all.bad_sums[0], &one->bad_sums[0]);
      jobs_bad(&all.duplicates, &one->duplicates);
      jobs_bad(&all.outside, &one->outside);
      jobs_bad(&all.bare, &one->bare);
      all.bad_headers[0] += one->bad_headers[0];
      all.with_payload += one->with_payload;
    }
  }
  return all;
}

/* ---- events of one job ---- */

unsigned int jobs_shard(const ingest_addr addr[2], bool sctp, unsigned int shards) {
  return (unsigned int)(conn_hash(addr, sctp) % shards);
}

static bool jobs_mine(const jobs *j, const ingest_addr *addr, bool sctp) {
  return j->cfg.shards == 0 || jobs_shard(addr, sctp, j->cfg.shards) == j->cfg.shard;
}

void jobs_event(jobs *j, const ingest_event *ev, uint64_t input) {
  j->events += ev->kind == INGEST_EVENT_OPEN || ev->kind == INGEST_EVENT_CLOSE ? 1u : 0u;
  *j->cfg.now = (jobs_moment){.input = input, .event = j->events};
  if (ev->kind == INGEST_EVENT_OPEN && !jobs_mine(j, ev->addr, false)) {
    return; /* later events of the connection have NULL in `*ev->user` */
  }
  observe_event(j->one, ev);
  j->events += ev->kind == INGEST_EVENT_CLOSE ? 1u : 0u; /* octets of the next one come after it */
}

bool jobs_segment(jobs *j, const ingest_segment *seg, uint64_t input) {
  *j->cfg.now = (jobs_moment){.input = input, .event = j->events};
  return observe_segment(j->one, seg);
}

void jobs_count_packet(jobs *j) {
  j->events++;
}

void jobs_sctp_event(jobs *j, const ingest_sctp_event *ev, uint64_t input) {
  *j->cfg.now = (jobs_moment){.input = input, .event = ++j->events};
  if (ev->kind == INGEST_SCTP_OPEN && !jobs_mine(j, ev->addr, true)) {
    return;
  }
  observe_sctp_event(j->one, ev);
}

bool jobs_many(const jobs *j) {
  return j->one == NULL;
}

void jobs_wait(jobs *j, uint64_t input) {
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    j->shared.shares[i].events++;
  }
  j->events++;
  const uint64_t events = j->one == NULL ? j->shared.shares[0].events : j->events;
  *j->cfg.now = (jobs_moment){.input = input, .event = events};
}

/* ---- the rest of an observe ---- */

void jobs_file(jobs *j, const char *name) {
  j->numbers = 0;
  j->shared.read.longest = 0;
  j->shared.read.shortest_cut = SIZE_MAX;
  jobs_read_deal(&j->shared.deal);
  if (j->one != NULL) {
    observe_file(j->one, name);
  }
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    observe_file(j->shared.shares[i].observe, name);
    j->shared.shares[i].port_octets = 0;
  }
}

void jobs_limit(jobs *j, const char *name, uint64_t n) {
  if (j->one != NULL) {
    observe_limit(j->one, name, n);
  } else {
    j->cfg.hooks.limit(j->cfg.hooks.ctx, name, n);
  }
}

observe *jobs_observe(const jobs *j) {
  return j->one;
}

uint64_t jobs_work_of_one(const jobs *j) {
  return observe_work(j->one);
}

uint64_t jobs_connections(const jobs *j) {
  return j->one != NULL ? observe_connections(j->one) : j->numbers;
}

/* The port with the most octets of all shares; of two connections with equally many octets the
 * first one counts. */
static void jobs_found_port(observe_found *sum, const jobs_place **at, const jobs_share *sh) {
  const observe_found *found = observe_found_get(sh->observe);
  if (found->port_octets > sum->port_octets ||
      (found->port_octets == sum->port_octets && jobs_place_before(&sh->port_at, *at))) {
    sum->port = found->port;
    sum->port_octets = found->port_octets;
    *at = &sh->port_at;
  }
}

observe_found jobs_found(const jobs *j) {
  observe_found sum = {0};
  const jobs_place none = {.piece = UINT64_MAX};
  const jobs_place *at = &none;
  if (j->one != NULL) {
    return *observe_found_get(j->one);
  }
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    const observe_found *found = observe_found_get(j->shared.shares[i].observe);
    sum.tcp += found->tcp;
    sum.late += found->late;
    sum.sctp += found->sctp;
    sum.sctp_opaque += found->sctp_opaque;
    sum.iwarp += found->iwarp;
    for (unsigned int state = 0; state < OBSERVE_TRANSPORT_STATES; state++) {
      sum.transports[state] += found->transports[state];
    }
    if (found->port != 0) {
      jobs_found_port(&sum, &at, &j->shared.shares[i]);
    }
  }
  return sum;
}

bool jobs_port_met(const jobs *j, uint16_t port) {
  bool met = j->one != NULL && observe_port_met(j->one, port);
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    met = met || observe_port_met(j->shared.shares[i].observe, port);
  }
  return met;
}

/* All shares take memory from one budget, so the share that wants most stands for each of them. */
uint64_t jobs_wanted(const jobs *j) {
  uint64_t sum = j->one != NULL ? observe_wanted(j->one) : 0;
  uint64_t most = 0;
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    const uint64_t wanted = observe_wanted(j->shared.shares[i].observe);
    most = wanted > most ? wanted : most;
  }
  return sum + most * j->shared.num_shares;
}

const char *jobs_failed(const jobs *j) {
  bool memory = j->shared.failed;
  bool refused = j->one != NULL && observe_failed(j->one);
  for (unsigned int i = 0; i < j->shared.num_shares; i++) {
    memory = memory || j->shared.shares[i].failed;
    refused = refused || observe_failed(j->shared.shares[i].observe);
  }
  return memory ? "out of memory" : refused ? "internal error: an engine refused its input" : NULL;
}

/* ---- making ---- */

static bool jobs_pieces(jobs *j) {
  jobs_shared *s = &j->shared;
  s->num_pieces = j->cfg.num < JOBS_PIECES_MAX / 4 ? 4 * j->cfg.num : JOBS_PIECES_MAX;
  for (size_t i = 0; i < s->num_pieces; i++) {
    if (!jobs_piece_new(&s->pieces[i], s->num_shares)) {
      return false;
    }
  }
  return true;
}

/* As many as workers, each of whom rather judges the same one always. */
static bool jobs_shares(jobs *j) {
  jobs_shared *s = &j->shared;
  s->shares = memory_zeroed(j->cfg.num, sizeof *s->shares);
  for (unsigned int i = 0; s->shares != NULL && i < j->cfg.num; i++) {
    jobs_share *sh = &s->shares[i];
    sh->shared = s;
    sh->number = (uint16_t)i;
    sh->by = (uint16_t)i;
    s->num_shares++;
    if (!jobs_share_make(sh, &j->cfg.observe, j->cfg.hooks.finding != NULL)) {
      return false;
    }
  }
  return s->shares != NULL;
}

static bool jobs_workers(jobs *j) {
  for (unsigned int i = 0; i < j->cfg.num; i++) {
    jobs_worker *w = &j->workers[i];
    w->shared = &j->shared;
    w->number = (uint16_t)i;
    if (!jobs_worker_start(w)) {
      return false;
    }
    j->started++;
  }
  return true;
}

static bool jobs_start(jobs *j) {
  jobs_shared *s = &j->shared;
  if (j->cfg.num == 1) {
    j->one = observe_new(&j->cfg.observe, &j->cfg.hooks);
    if (j->one == NULL) {
      diag("out of memory");
    }
    return j->one != NULL;
  }
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->owner, NULL);
  s->workers = j->workers;
  s->num = j->cfg.num;
  s->shard = j->cfg.shard;
  s->shards = j->cfg.shards;
  s->limit = j->cfg.observe.budget->limit;
  memcpy(s->hash_key, j->cfg.hash_key, sizeof s->hash_key);
  s->deal.num = j->cfg.num;
  s->deal.all = s->shards > 0;
  if (!jobs_shares(j) || !jobs_pieces(j)) {
    diag("out of memory");
    return false;
  }
  return jobs_workers(j);
}

static void jobs_stop(jobs *j) {
  jobs_shared *s = &j->shared;
  pthread_mutex_lock(&s->lock);
  s->stop = true;
  jobs_worker_wake_all(s);
  pthread_mutex_unlock(&s->lock);
  for (unsigned int i = 0; i < j->started; i++) {
    jobs_worker_stop(&j->workers[i]);
  }
  for (unsigned int i = 0; i < s->num_shares; i++) {
    jobs_share_free(&s->shares[i]);
  }
  for (size_t i = 0; i < s->num_pieces; i++) {
    jobs_piece_free(&s->pieces[i]);
  }
  for (size_t i = 0; i < s->num_spare; i++) {
    free(s->spare[i].octets);
  }
  free(s->shares);
  pthread_cond_destroy(&s->owner);
  pthread_mutex_destroy(&s->lock);
}

void jobs_free(jobs *j) {
  if (j != NULL && j->cfg.num > 1) {
    jobs_stop(j);
  } else if (j != NULL) {
    observe_free(j->one);
  }
  free(j);
}

static jobs *jobs_make(const jobs_cfg *cfg) {
  const size_t workers = cfg->num > 1 ? cfg->num * sizeof(jobs_worker) : 0;
  jobs *j = memory_zeroed(1, sizeof *j + workers);
  if (j == NULL) {
    return NULL;
  }
  j->cfg = *cfg;
  if (!jobs_start(j)) {
    jobs_free(j);
    return NULL;
  }
  return j;
}

/* A single job needs no thread, and has the same results. */
jobs *jobs_new(const jobs_cfg *cfg) {
  jobs_cfg one = *cfg;
  jobs *j = jobs_make(cfg);
  if (j == NULL && cfg->num > 1 && !memory_ran_out()) {
    one.num = 1;
    j = jobs_make(&one);
  }
  return j;
}
