/* SPDX-License-Identifier: BSD-2-Clause */
/* The thread of a worker: fetches a piece, walks over it, or judges a share of its packets,
 * whatever there is to be done. */
#define _POSIX_C_SOURCE 200809L

#include "jobs_worker.h"

#include <string.h>

#include "diag.h"

/* ---- what is to be done ---- */

typedef enum worker_task {
  WORKER_NOTHING = 0,
  WORKER_FETCH,
  WORKER_WALK,
  WORKER_JUDGE
} worker_task;

static jobs_piece *worker_piece(jobs_shared *s, uint64_t piece) {
  return &s->pieces[piece % s->num_pieces];
}

/* How many pieces may be fetched so far: all are done with what was in their place, and what the
 * last one that was walked over has left is needed for the next. */
static uint64_t worker_may_fetch(const jobs_shared *s) {
  uint64_t done = s->walked > s->first ? s->walked - 1 : s->walked;
  for (unsigned int i = 0; i < s->num_shares; i++) {
    done = s->shares[i].done < done ? s->shares[i].done : done;
  }
  return done + s->num_pieces;
}

/* True if the worker should judge share `a` before share `b`: it judged that share last, so the
 * packets are in the cache of its processor, or less of it is done. */
static bool worker_prefers(const jobs_worker *w, const jobs_share *a, const jobs_share *b) {
  const bool mine = a->by == w->number;
  return mine != (b->by == w->number) ? mine : a->done < b->done;
}

static jobs_share *worker_share(const jobs_worker *w) {
  jobs_shared *s = w->shared;
  jobs_share *best = NULL;
  for (unsigned int i = 0; i < s->num_shares; i++) {
    jobs_share *sh = &s->shares[i];
    if (!sh->held && sh->done < s->walked && (best == NULL || worker_prefers(w, sh, best))) {
      best = sh;
    }
  }
  return best;
}

static worker_task worker_next(const jobs_worker *w, jobs_share **share) {
  jobs_shared *s = w->shared;
  const bool fetched = s->walked < s->fetched;
  const jobs_piece *p = worker_piece(s, s->walked);
  const bool walk = s->reading && !s->walking && fetched && p->fetched;
  if (walk && p->space.by == w->number) {
    return WORKER_WALK;
  }
  *share = worker_share(w);
  if (*share != NULL) {
    return WORKER_JUDGE;
  }
  const bool may = s->reading && (s->read.by_pieces || (!fetched && !s->walking));
  if (may && s->fetched < worker_may_fetch(s)) {
    return WORKER_FETCH;
  }
  return walk ? WORKER_WALK : WORKER_NOTHING;
}

void jobs_worker_wake_all(jobs_shared *s) {
  for (unsigned int i = 0; i < s->num; i++) {
    if (s->workers[i].waits) {
      pthread_cond_signal(&s->workers[i].wake);
    }
  }
}

/* Takes back the memory of pieces that no share needs any more. */
static void worker_release(jobs_shared *s) {
  for (const uint64_t end = worker_may_fetch(s) - s->num_pieces; s->released < end; s->released++) {
    jobs_piece *p = worker_piece(s, s->released);
    if (p->space.octets != NULL) {
      s->spare[s->num_spare++] = p->space;
      p->space = (jobs_space){.octets = NULL};
    }
  }
}

/* Memory for a piece: rather what the worker filled before, the last first. */
static jobs_space worker_space(jobs_shared *s, uint16_t by) {
  size_t at = s->num_spare;
  while (at > 0 && s->spare[at - 1].by != by) {
    at--;
  }
  if (s->num_spare == 0) {
    return (jobs_space){.by = by};
  }
  at = at > 0 ? at - 1 : s->num_spare - 1;
  jobs_space space = s->spare[at];
  s->num_spare--;
  memmove(&s->spare[at], &s->spare[at + 1], (s->num_spare - at) * sizeof space);
  space.by = by;
  return space;
}

static void worker_fetch(jobs_shared *s, uint16_t by) {
  const uint64_t piece = s->fetched++;
  jobs_piece *p = worker_piece(s, piece);
  worker_release(s);
  p->fetched = false;
  if (p->space.octets == NULL) { /* else of a piece after the end of the file before */
    p->space = worker_space(s, by);
  }
  p->space.by = by;
  s->fetching++;
  if (s->read.by_pieces) {
    pthread_mutex_unlock(&s->lock);
    jobs_piece_fetch(p, s->read.src, s->read.from + (piece - s->first) * JOBS_PIECE);
    pthread_mutex_lock(&s->lock);
  }
  p->fetched = true;
  s->fetching--;
  if (!s->reading && s->fetching == 0) {
    pthread_cond_signal(&s->owner);
  }
}

/*
 * Says what each share may have while this piece is judged: what it had some pieces ago, and its
 * part of what was free then. That rests on the packets alone, not on how far the others are.
 */
static void worker_allow(jobs_shared *s, size_t slot) {
  size_t used = 0;
  for (unsigned int i = 0; i < s->num_shares; i++) {
    used += s->shares[i].used[slot];
  }
  const size_t left = used < s->limit ? s->limit - used : 0;
  for (unsigned int i = 0; i < s->num_shares; i++) {
    s->shares[i].allowed[slot] = s->shares[i].used[slot] + left / s->num_shares;
  }
}

void jobs_worker_judge_all(jobs_shared *s) {
  worker_allow(s, s->walked % s->num_pieces);
  s->walked++;
  jobs_worker_wake_all(s);
}

static void worker_walk(jobs_shared *s) {
  jobs_piece *p = worker_piece(s, s->walked);
  jobs_piece *before = worker_piece(s, s->walked + s->num_pieces - 1);
  const bool enough = s->enough;
  s->read.work = jobs_work_begin(&s->work, s->walked);
  s->walking = true;
  pthread_mutex_unlock(&s->lock);
  const bool good = enough || jobs_read_walk(&s->read, p, before, &s->deal);
  pthread_mutex_lock(&s->lock);
  s->walking = false;
  s->failed = s->failed || !good;
  s->reading = good && !enough && s->read.result == PCAP_SRC_FEED;
  s->shown = s->read.so_far;
  if (!enough) {
    jobs_worker_judge_all(s);
  }
  if (s->eager || !s->reading) {
    pthread_cond_signal(&s->owner);
  }
}

static void worker_judge(jobs_shared *s, jobs_share *share) {
  share->held = true;
  pthread_mutex_unlock(&s->lock);
  jobs_share_judge(share, share->done);
  pthread_mutex_lock(&s->lock);
  share->held = false;
  jobs_work_add(&s->work, share->done, share->work);
  share->done++;
  jobs_worker_wake_all(s);
  if (s->eager || s->due || !s->reading) {
    pthread_cond_signal(&s->owner);
  }
}

/* Waits until the worker is woken; under the lock. */
static void worker_wait(jobs_worker *w) {
  w->waits = true;
  pthread_cond_wait(&w->wake, &w->shared->lock);
  w->waits = false;
}

static void *worker_run(void *ctx) {
  jobs_worker *w = ctx;
  jobs_shared *s = w->shared;
  jobs_share *share = NULL;
  pthread_mutex_lock(&s->lock);
  while (!s->stop) {
    switch (worker_next(w, &share)) {
    case WORKER_FETCH: worker_fetch(s, w->number); break;
    case WORKER_WALK: worker_walk(s); break;
    case WORKER_JUDGE:
      share->by = w->number;
      worker_judge(s, share);
      break;
    case WORKER_NOTHING: worker_wait(w); break;
    }
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

/* ---- for the owner ---- */

bool jobs_worker_start(jobs_worker *w) {
  pthread_cond_init(&w->wake, NULL);
  const int error = pthread_create(&w->thread, NULL, worker_run, w);
  if (error != 0) {
    diag("--jobs: a thread cannot be started (%s), so one job does all", strerror(error));
    pthread_cond_destroy(&w->wake);
  }
  return error == 0;
}

void jobs_worker_stop(jobs_worker *w) {
  pthread_join(w->thread, NULL);
  pthread_cond_destroy(&w->wake);
}
