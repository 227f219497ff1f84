/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands the events of ingest to workers, and what comes of them to the hooks, in the order of the
 * events. */
#define _POSIX_C_SOURCE 200809L

#include "jobs.h"

#include <stdlib.h>

#include "conn_hash.h"
#include "diag.h"
#include "jobs_worker.h"

struct jobs {
  jobs_cfg cfg;
  observe *one;     /* where there is one job, and nothing else below */
  uint64_t merged;  /* batches whose results were handed out */
  uint64_t events;  /* of ingest */
  uint64_t numbers; /* connections of this capture that have one */
  bool failed;
  jobs_lent lent;
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
  if (r->kind == JOBS_NUMBERED) {
    r->lasts->conn.number = j->numbers++;
    jobs_numbered(j, r);
  } else if (r->kind == JOBS_FINDING) {
    hooks->finding(hooks->ctx, jobs_record_conn(r), &r->finding, NULL);
  } else if (r->kind == JOBS_CLOSED) {
    hooks->closed(hooks->ctx, jobs_record_conn(r));
    free(r->lasts);
  } else {
    hooks->limit(hooks->ctx, r->limit, r->num);
  }
  free(r);
}

/* Waits until each worker is done with the batch. */
static void jobs_await(jobs *j, uint64_t batch) {
  jobs_shared *s = &j->shared;
  pthread_mutex_lock(&s->lock);
  for (unsigned int i = 0; i < j->cfg.num; i++) {
    while (j->workers[i].done <= batch) {
      pthread_cond_wait(&s->reader, &s->lock);
    }
  }
  pthread_mutex_unlock(&s->lock);
}

/* Whether there is a batch that all workers are done with. */
static bool jobs_ready(jobs *j) {
  jobs_shared *s = &j->shared;
  pthread_mutex_lock(&s->lock);
  bool ready = j->merged < s->pushed;
  for (unsigned int i = 0; i < j->cfg.num; i++) {
    ready = ready && j->workers[i].done > j->merged;
  }
  pthread_mutex_unlock(&s->lock);
  return ready;
}

/* Hands out what comes of the oldest batch. */
static void jobs_merge(jobs *j) {
  jobs_batch *batch = &j->shared.batches[j->merged % JOBS_BATCHES];
  for (size_t i = 0; i < batch->num; i++) {
    jobs_worker *w = &j->workers[batch->worker[i]];
    const uint64_t at = j->merged * JOBS_ITEMS + i;
    jobs_record *r = NULL;
    while ((r = jobs_worker_record(w, j->merged, at)) != NULL) {
      *j->cfg.now = batch->item[i].when;
      jobs_hand_out(j, r);
    }
  }
  jobs_await(j, j->merged);
  batch->num = 0;
  batch->used = 0;
  batch->named = 0;
  j->merged++;
}

/* ---- events ---- */

/*
 * Says what each worker may have while it is at this batch: what it had some batches ago, and its
 * part of what was free then. That rests on the events alone, not on how far the others are.
 */
static void jobs_allow(jobs *j, size_t slot) {
  const observe_budget *budget = j->cfg.observe.budget;
  size_t used = budget->ingest;
  for (unsigned int i = 0; i < j->cfg.num; i++) {
    used += j->workers[i].used[slot];
  }
  const size_t left = used < budget->limit ? budget->limit - used : 0;
  for (unsigned int i = 0; i < j->cfg.num; i++) {
    j->workers[i].allowed[slot] = j->workers[i].used[slot] + left / j->cfg.num;
  }
}

/* Gives the workers the batch that was filled, and makes sure that there is one to be filled. */
static void jobs_push(jobs *j) {
  jobs_shared *s = &j->shared;
  jobs_allow(j, s->pushed % JOBS_BATCHES);
  pthread_mutex_lock(&s->lock);
  s->pushed++;
  for (unsigned int i = 0; i < j->cfg.num; i++) {
    pthread_cond_signal(&j->workers[i].wake);
  }
  pthread_mutex_unlock(&s->lock);
  while (s->pushed - j->merged == JOBS_BATCHES || jobs_ready(j)) {
    jobs_merge(j);
  }
}

/* The batch that has room for an event; NULL: there is no memory. */
static jobs_batch *jobs_room(jobs *j, size_t octets) {
  jobs_batch *batch = &j->shared.batches[j->shared.pushed % JOBS_BATCHES];
  if (batch->num > 0 && !jobs_batch_room(batch, octets)) {
    jobs_push(j);
    batch = &j->shared.batches[j->shared.pushed % JOBS_BATCHES];
  }
  const bool room = jobs_batch_room(batch, octets);
  batch->piece = batch->num == 0 ? j->lent.piece : batch->piece;
  j->failed = j->failed || !room;
  return room ? batch : NULL;
}

unsigned int jobs_shard(const ingest_addr addr[2], bool sctp, unsigned int shards) {
  return (unsigned int)(conn_hash(addr, sctp) % shards);
}

static bool jobs_mine(const jobs *j, const ingest_addr *addr, bool sctp) {
  return j->cfg.shards == 0 || jobs_shard(addr, sctp, j->cfg.shards) == j->cfg.shard;
}

static jobs_flow *jobs_open(jobs *j, const ingest_addr *addr, bool sctp) {
  const uint64_t hash = conn_hash(addr, sctp) / (j->cfg.shards > 0 ? j->cfg.shards : 1);
  jobs_flow *flow = calloc(1, sizeof *flow);
  if (flow != NULL) {
    flow->worker = (uint16_t)(hash % j->cfg.num);
  }
  j->failed = j->failed || flow == NULL;
  return flow;
}

/* The batch for an event with so many octets; NULL: nobody observes its connection, or there is no
 * memory. */
static jobs_batch *jobs_take(jobs *j, const jobs_flow *flow, uint64_t octets) {
  return flow != NULL ? jobs_room(j, (size_t)octets) : NULL;
}

void jobs_event(jobs *j, const ingest_event *ev, uint64_t input) {
  const jobs_moment when = {.input = input, .event = j->events++};
  const bool opens = ev->kind == INGEST_EVENT_OPEN;
  if (opens && !jobs_mine(j, ev->addr, false)) {
    return; /* and of all that follows `*ev->user` is NULL */
  }
  if (j->one != NULL) {
    *j->cfg.now = when;
    observe_event(j->one, ev);
    return;
  }
  if (opens) {
    *ev->user = jobs_open(j, ev->addr, false);
  }
  jobs_flow *flow = *ev->user;
  jobs_batch *batch = jobs_take(j, flow, ev->kind == INGEST_EVENT_DATA ? ev->len : 0);
  if (batch != NULL) {
    jobs_batch_add(batch, ev, flow, &j->lent)->when = when;
  }
  if (ev->kind == INGEST_EVENT_CLOSE) {
    *ev->user = NULL;
  }
}

bool jobs_segment(jobs *j, const ingest_segment *seg, uint64_t input) {
  if (j->one == NULL) {
    return false;
  }
  *j->cfg.now = (jobs_moment){.input = input, .event = j->events};
  const bool taken = observe_segment(j->one, seg);
  j->events += taken ? 1u : 0u;
  return taken;
}

void jobs_sctp_event(jobs *j, const ingest_sctp_event *ev, uint64_t input) {
  const jobs_moment when = {.input = input, .event = j->events++};
  const bool opens = ev->kind == INGEST_SCTP_OPEN;
  if (opens && !jobs_mine(j, ev->addr, true)) {
    return;
  }
  if (j->one != NULL) {
    *j->cfg.now = when;
    observe_sctp_event(j->one, ev);
    return;
  }
  if (opens) {
    *ev->user = jobs_open(j, ev->addr, true);
  }
  jobs_flow *flow = *ev->user;
  jobs_batch *batch = jobs_take(j, flow, ev->kind == INGEST_SCTP_MESSAGE ? ev->message->cap : 0);
  if (batch != NULL) {
    jobs_batch_add_sctp(batch, ev, flow)->when = when;
  }
  if (ev->kind == INGEST_SCTP_CLOSE) {
    *ev->user = NULL;
  }
}

bool jobs_many(const jobs *j) {
  return j->one == NULL;
}

void jobs_lend(jobs *j, const jobs_lent *lent) {
  j->lent = *lent;
}

/* Whether the batch with this number holds events that may name octets of the piece. */
static bool jobs_names(const jobs *j, uint64_t number, uint64_t piece) {
  const jobs_batch *batch = &j->shared.batches[number % JOBS_BATCHES];
  return batch->num > 0 && batch->piece <= piece;
}

void jobs_take_back(jobs *j, uint64_t piece) {
  if (jobs_names(j, j->shared.pushed, piece)) {
    jobs_push(j);
  }
  while (j->merged < j->shared.pushed && jobs_names(j, j->merged, piece)) {
    jobs_merge(j);
  }
}

void jobs_wait(jobs *j, uint64_t input) {
  if (j->one == NULL) {
    if (j->shared.batches[j->shared.pushed % JOBS_BATCHES].num > 0) {
      jobs_push(j);
    }
    while (j->merged < j->shared.pushed) {
      jobs_merge(j);
    }
  }
  *j->cfg.now = (jobs_moment){.input = input, .event = j->events};
}

/* ---- the rest of an observe ---- */

void jobs_file(jobs *j, const char *name) {
  j->numbers = 0;
  if (j->one != NULL) {
    observe_file(j->one, name);
  }
  for (unsigned int i = 0; i < j->started; i++) {
    observe_file(j->workers[i].observe, name);
    j->workers[i].port_octets = 0;
  }
}

void jobs_limit(jobs *j, const char *name, uint64_t n) {
  if (j->one != NULL) {
    observe_limit(j->one, name, n);
  } else {
    j->cfg.hooks.limit(j->cfg.hooks.ctx, name, n);
  }
}

bool jobs_give_up(jobs *j) {
  return j->one != NULL && observe_give_up(j->one);
}

uint64_t jobs_connections(const jobs *j) {
  return j->one != NULL ? observe_connections(j->one) : j->numbers;
}

/* The port is that of one observe: of two connections with as many octets the first one counts. */
static void jobs_found_port(observe_found *sum, uint64_t *at, const jobs_worker *w) {
  const observe_found *found = observe_found_get(w->observe);
  if (found->port_octets > sum->port_octets ||
      (found->port_octets == sum->port_octets && w->port_at < *at)) {
    sum->port = found->port;
    sum->port_octets = found->port_octets;
    *at = w->port_at;
  }
}

observe_found jobs_found(const jobs *j) {
  observe_found sum = {0};
  uint64_t at = UINT64_MAX;
  if (j->one != NULL) {
    return *observe_found_get(j->one);
  }
  for (unsigned int i = 0; i < j->cfg.num; i++) {
    const observe_found *found = observe_found_get(j->workers[i].observe);
    sum.tcp += found->tcp;
    sum.late += found->late;
    sum.sctp += found->sctp;
    sum.iwarp += found->iwarp;
    if (found->port != 0) {
      jobs_found_port(&sum, &at, &j->workers[i]);
    }
  }
  return sum;
}

bool jobs_port_met(const jobs *j, uint16_t port) {
  bool met = j->one != NULL && observe_port_met(j->one, port);
  for (unsigned int i = 0; i < j->started; i++) {
    met = met || observe_port_met(j->workers[i].observe, port);
  }
  return met;
}

const char *jobs_failed(const jobs *j) {
  bool memory = j->failed;
  bool refused = j->one != NULL && observe_failed(j->one);
  for (unsigned int i = 0; i < j->started; i++) {
    memory = memory || j->workers[i].failed;
    refused = refused || observe_failed(j->workers[i].observe);
  }
  return memory ? "out of memory" : refused ? "internal error: an engine refused its input" : NULL;
}

/* ---- making ---- */

static bool jobs_start(jobs *j) {
  if (j->cfg.num == 1) {
    j->one = observe_new(&j->cfg.observe, &j->cfg.hooks);
    if (j->one == NULL) {
      diag("out of memory");
    }
    return j->one != NULL;
  }
  pthread_mutex_init(&j->shared.lock, NULL);
  pthread_cond_init(&j->shared.reader, NULL);
  for (size_t i = 0; i < JOBS_BATCHES; i++) {
    if (!jobs_batch_room(&j->shared.batches[i], 0)) {
      diag("out of memory");
      return false;
    }
  }
  for (unsigned int i = 0; i < j->cfg.num; i++) {
    jobs_worker *w = &j->workers[i];
    w->shared = &j->shared;
    w->number = (uint16_t)i;
    if (!jobs_worker_start(w, &j->cfg.observe, j->cfg.hooks.finding != NULL)) {
      return false;
    }
    j->started++;
  }
  return true;
}

jobs *jobs_new(const jobs_cfg *cfg) {
  const size_t workers = cfg->num > 1 ? cfg->num * sizeof(jobs_worker) : 0;
  jobs *j = calloc(1, sizeof *j + workers);
  if (j == NULL) {
    diag("out of memory");
    return NULL;
  }
  j->cfg = *cfg;
  if (!jobs_start(j)) {
    jobs_free(j);
    return NULL;
  }
  return j;
}

static void jobs_stop(jobs *j) {
  jobs_shared *s = &j->shared;
  pthread_mutex_lock(&s->lock);
  s->stop = true;
  for (unsigned int i = 0; i < j->started; i++) {
    pthread_cond_signal(&j->workers[i].wake);
  }
  pthread_mutex_unlock(&s->lock);
  for (unsigned int i = 0; i < j->started; i++) {
    jobs_worker_stop(&j->workers[i]);
  }
  for (size_t i = 0; i < JOBS_BATCHES; i++) {
    free(s->batches[i].octets);
  }
  pthread_cond_destroy(&s->reader);
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
