/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread of a worker: takes its events out of batches, and keeps what comes of them. */
#define _POSIX_C_SOURCE 200809L

#include "jobs_worker.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"

/* ---- results ---- */

/* Hands a record to the reader, who takes them whenever too many wait. */
static void worker_put(jobs_worker *w, jobs_record *r) {
  jobs_shared *s = w->shared;
  r->at = w->at;
  r->next = NULL;
  pthread_mutex_lock(&s->lock);
  while (w->waiting > JOBS_RECORDS) {
    pthread_cond_wait(&w->wake, &s->lock);
  }
  *w->last = r;
  w->last = &r->next;
  w->waiting += r->size;
  pthread_cond_signal(&s->reader);
  pthread_mutex_unlock(&s->lock);
}

static jobs_record *worker_record(jobs_worker *w, jobs_record_kind kind, const observe_conn *conn) {
  jobs_record *r = jobs_record_alloc(kind);
  if (r == NULL && kind == JOBS_CLOSED) {
    r = w->spare;
    w->spare = NULL;
  }
  if (r != NULL) {
    jobs_record_fill(r, kind, conn);
  }
  w->failed = w->failed || r == NULL;
  return r;
}

/* The connection gets a copy that lasts; without it nothing of it can be handed out. */
static void worker_numbered(void *ctx, observe_conn *conn) {
  jobs_worker *w = ctx;
  jobs_conn *lasts = calloc(1, sizeof *lasts);
  conn->user = lasts;
  jobs_record *r = lasts != NULL ? worker_record(w, JOBS_NUMBERED, conn) : NULL;
  if (r != NULL) {
    worker_put(w, r);
  } else {
    w->failed = true;
    free(lasts);
    conn->user = NULL;
  }
}

static void worker_finding(void *ctx, observe_conn *conn, const iwarp_finding *finding,
                           const iwarp_event *ev) {
  jobs_worker *w = ctx;
  jobs_record *r = conn->user != NULL ? worker_record(w, JOBS_FINDING, conn) : NULL;
  (void)ev;
  if (r != NULL) {
    r->finding = *finding;
    worker_put(w, r);
  }
}

static void worker_closed(void *ctx, observe_conn *conn) {
  jobs_worker *w = ctx;
  jobs_record *r = conn->user != NULL ? worker_record(w, JOBS_CLOSED, conn) : NULL;
  if (r != NULL) {
    worker_put(w, r);
  }
}

static void worker_limit(void *ctx, const char *name, uint64_t n) {
  jobs_worker *w = ctx;
  jobs_record *r = worker_record(w, JOBS_LIMIT, NULL);
  if (r != NULL) {
    r->limit = name;
    r->num = n;
    worker_put(w, r);
  }
}

/* ---- events ---- */

static void worker_port(jobs_worker *w) {
  const observe_found *found = observe_found_get(w->observe);
  if (found->port_octets > w->port_octets) {
    w->port_octets = found->port_octets;
    w->port_at = w->at;
  }
}

static void worker_tcp(jobs_worker *w, const jobs_item *item) {
  ingest_event ev = item->ev.tcp;
  if (ev.ends != NULL) {
    item->flow->ends = *ev.ends;
  }
  ev.ends = &item->flow->ends;
  observe_event(w->observe, &ev);
}

static void worker_item(jobs_worker *w, const jobs_item *item) {
  bool closed = false;
  if (item->sctp) {
    observe_sctp_event(w->observe, &item->ev.sctp);
    closed = item->ev.sctp.kind == INGEST_SCTP_CLOSE;
  } else {
    worker_tcp(w, item);
    closed = item->ev.tcp.kind == INGEST_EVENT_CLOSE;
  }
  if (closed) {
    worker_port(w);
    free(item->flow);
  }
}

static void worker_batch(jobs_worker *w, uint64_t number) {
  const size_t slot = number % JOBS_BATCHES;
  const jobs_batch *batch = &w->shared->batches[slot];
  w->budget.limit = w->allowed[slot];
  for (size_t i = 0; i < batch->num; i++) {
    if (batch->worker[i] == w->number) {
      w->at = number * JOBS_ITEMS + i;
      worker_item(w, &batch->item[i]);
    }
  }
  w->used[slot] = observe_used(w->observe);
}

/* Waits for a batch; false: there will be none. */
static bool worker_wait(jobs_worker *w) {
  jobs_shared *s = w->shared;
  pthread_mutex_lock(&s->lock);
  while (w->done == s->pushed && !s->stop) {
    pthread_cond_wait(&w->wake, &s->lock);
  }
  const bool any = w->done != s->pushed;
  pthread_mutex_unlock(&s->lock);
  return any;
}

static void *worker_run(void *ctx) {
  jobs_worker *w = ctx;
  jobs_shared *s = w->shared;
  for (uint64_t number = 0; worker_wait(w); number++) {
    worker_batch(w, number);
    pthread_mutex_lock(&s->lock);
    w->done++;
    pthread_cond_signal(&s->reader);
    pthread_mutex_unlock(&s->lock);
  }
  return NULL;
}

/* ---- for the reader ---- */

static void worker_free(jobs_worker *w) {
  observe_free(w->observe);
  free(w->spare);
}

bool jobs_worker_start(jobs_worker *w, const observe_cfg *cfg, bool findings) {
  observe_cfg own = *cfg;
  const observe_hooks hooks = {.ctx = w,
                               .numbered = worker_numbered,
                               .finding = findings ? worker_finding : NULL,
                               .closed = worker_closed,
                               .limit = worker_limit};
  own.budget = &w->budget;
  w->last = &w->first;
  w->observe = observe_new(&own, &hooks);
  w->spare = jobs_record_alloc(JOBS_CLOSED);
  if (w->observe == NULL || w->spare == NULL) {
    diag("out of memory");
    worker_free(w);
    return false;
  }
  pthread_cond_init(&w->wake, NULL);
  const int error = pthread_create(&w->thread, NULL, worker_run, w);
  if (error != 0) {
    diag("--jobs: a thread cannot be started: %s", strerror(error));
    pthread_cond_destroy(&w->wake);
    worker_free(w);
  }
  return error == 0;
}

void jobs_worker_stop(jobs_worker *w) {
  pthread_join(w->thread, NULL);
  pthread_cond_destroy(&w->wake);
  worker_free(w);
}

/* Takes what waits, once there is something or the worker is done with the batch. */
static void worker_take(jobs_worker *w, uint64_t batch) {
  jobs_shared *s = w->shared;
  pthread_mutex_lock(&s->lock);
  while (w->first == NULL && w->done <= batch) {
    pthread_cond_wait(&s->reader, &s->lock);
  }
  w->taken = w->first;
  w->seen = w->done;
  w->first = NULL;
  w->last = &w->first;
  w->waiting = 0;
  pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&s->lock);
}

jobs_record *jobs_worker_record(jobs_worker *w, uint64_t batch, uint64_t at) {
  if (w->taken == NULL && w->seen <= batch) {
    worker_take(w, batch);
  }
  jobs_record *r = w->taken;
  if (r == NULL || r->at != at) {
    return NULL;
  }
  w->taken = r->next;
  return r;
}
