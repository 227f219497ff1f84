/* SPDX-License-Identifier: BSD-2-Clause */
/* A thread with an observe of its own. */
#ifndef CLI_JOBS_WORKER_H
#define CLI_JOBS_WORKER_H

#include <pthread.h>

#include "jobs_batch.h"
#include "jobs_record.h"

#define JOBS_BATCHES 4u                   /* that may be under way */
#define JOBS_RECORDS ((size_t)512 * 1024) /* bytes of records that may wait, of one worker */

/** jobs_shared is what the threads share. The members of `lock` change under it; a batch is the
 * reader's until it counts in `pushed`, and the workers' until each is done with it. */
typedef struct jobs_shared {
  pthread_mutex_t lock;
  pthread_cond_t reader; /* for whom the workers are waited for */
  uint64_t pushed;       /* of `lock`: batches so far; batch k lies in k modulo JOBS_BATCHES */
  bool stop;             /* of `lock` */
  jobs_batch batches[JOBS_BATCHES];
} jobs_shared;

/** jobs_worker is one of them. What is neither of `lock` nor the reader's is the worker's own, and
 * the reader may look at it when all batches are done. */
typedef struct jobs_worker {
  jobs_shared *shared;
  uint16_t number;
  pthread_t thread;
  pthread_cond_t wake;
  observe *observe;
  observe_budget budget;
  size_t allowed[JOBS_BATCHES]; /* bytes that it may have, by batch; the reader's before a push */
  size_t used[JOBS_BATCHES];    /* bytes that it had after the batch */
  uint64_t at;                  /* number of the event that is observed */
  uint64_t port_octets;         /* as in observe_found, */
  uint64_t port_at;             /* and the number of the event that it comes of */
  bool failed;                  /* memory ran out */
  uint64_t done;                /* of `lock`: batches */
  jobs_record *spare;           /* for a connection that closes when there is no memory */
  jobs_record *first, **last;   /* of `lock`: records that wait */
  size_t waiting;               /* of `lock`: what these take */
  jobs_record *taken;           /* the reader's: those that it took */
  uint64_t seen;                /* the reader's: `done` when it took them */
} jobs_worker;

/** jobs_worker_start makes the observe and the thread; false: a message has said why not. */
bool jobs_worker_start(jobs_worker *w, const observe_cfg *cfg, bool findings);

/** jobs_worker_stop waits for the thread, which was asked to stop, and gives all back. */
void jobs_worker_stop(jobs_worker *w);

/** jobs_worker_record returns the next record of the event with the number `at`, which is of batch
 * `batch`, or NULL: there is no more. Waits for the worker. */
jobs_record *jobs_worker_record(jobs_worker *w, uint64_t batch, uint64_t at);

#endif
