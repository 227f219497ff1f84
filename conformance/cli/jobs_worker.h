/* SPDX-License-Identifier: BSD-2-Clause */
/* Threads that read a capture in turn, and judge the shares of its connections. */
#ifndef CLI_JOBS_WORKER_H
#define CLI_JOBS_WORKER_H

#include "jobs_read.h"
#include "jobs_share.h"

/**
 * jobs_shared is what the threads share; members change under the lock unless their comment says
 * otherwise. Piece k lies in k modulo num_pieces. It belongs to the worker that fetches it, then to
 * the worker that walks over it. From `walked` on all workers may read it until each share is done
 * with it.
 */
typedef struct jobs_shared {
  pthread_mutex_t lock;
  pthread_cond_t owner;        /* the thread that made the workers waits here */
  struct jobs_worker *workers; /* the members up to `limit` stay as they are */
  unsigned int num;            /* number of workers */
  jobs_share *shares;
  unsigned int num_shares;
  unsigned int num_pieces;
  unsigned int shard; /* same as in jobs_cfg, like `shards` */
  unsigned int shards;
  uint64_t hash_key[2]; /* key of each ingest */
  size_t limit;         /* bytes of memory for all shares */
  jobs_piece pieces[JOBS_PIECES_MAX];
  jobs_space spare[JOBS_PIECES_MAX];
  size_t num_spare;
  uint64_t released; /* pieces whose memory is spare */
  uint64_t fetched;  /* pieces that a worker began to fetch */
  uint64_t walked;   /* pieces whose packets are known */
  uint64_t first;    /* the first piece of the file */
  bool walking;      /* a worker walks over a piece */
  unsigned int fetching;
  bool reading; /* the file has more octets */
  bool enough;  /* the reading may stop */
  bool eager;   /* the owner must see each piece */
  bool due;     /* the owner must see each piece until fewer records wait */
  bool stop;
  bool failed;              /* memory ran out */
  jobs_read read;           /* file of the worker that walks */
  jobs_work work;           /* work on the file */
  jobs_read_shares deal;    /* shares of all threads */
  jobs_read_progress shown; /* progress after the last piece */
} jobs_shared;

/** jobs_worker is one of the threads. */
typedef struct jobs_worker {
  jobs_shared *shared;
  uint16_t number;
  pthread_t thread;
  pthread_cond_t wake;
  bool waits; /* locked: the worker waits */
} jobs_worker;

/** jobs_worker_start makes the thread; false: a message has said why not. */
bool jobs_worker_start(jobs_worker *w);

/** jobs_worker_stop waits for the thread, which was asked to stop. */
void jobs_worker_stop(jobs_worker *w);

/* The functions below are called under the lock. */

/** jobs_worker_wake_all wakes the workers that wait. */
void jobs_worker_wake_all(jobs_shared *s);

/** jobs_worker_judge_all lets the next piece be judged. */
void jobs_worker_judge_all(jobs_shared *s);

#endif
