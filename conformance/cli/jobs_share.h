/* SPDX-License-Identifier: BSD-2-Clause */
/* A share of the connections, with an ingest and an observe of its own. */
#ifndef CLI_JOBS_SHARE_H
#define CLI_JOBS_SHARE_H

#include <pthread.h>

#include <observe/observe.h>

#include "jobs_record.h"
#include "jobs_work.h"

#define JOBS_RECORDS ((size_t)512 * 1024) /* bytes of records that may wait, of one share */

/** jobs_share is one of them. Members marked "of the lock" change under the lock. The other members
 * belong to the worker that holds the share; the owner may read them when all pieces are done. */
typedef struct jobs_share {
  struct jobs_shared *shared;
  uint16_t number;
  ingest *ingest; /* from the first piece of a capture to its last */
  observe *observe;
  observe_budget budget;
  size_t allowed[JOBS_PIECES_MAX]; /* bytes that it may have, by piece; of who walks */
  size_t used[JOBS_PIECES_MAX];    /* bytes that it had after the piece */
  jobs_place at;                   /* of the event that is observed */
  jobs_moment when;
  uint64_t events;            /* as jobs_moment counts them, without packets of this capture */
  uint64_t deadline;          /* as ingest_deadline has it */
  uint64_t next;              /* packet that ingest expects */
  uint64_t port_octets;       /* as in observe_found, */
  jobs_place port_at;         /* and where it comes from */
  bool failed;                /* memory ran out */
  ingest_stats stats;         /* of the capture that ended last */
  uint64_t work;              /* on the piece judged last, as observe_work counts it */
  jobs_record *spare;         /* for a connection that closes when there is no memory */
  bool held;                  /* of the lock: a worker judges it, */
  uint16_t by;                /* of the lock: this one, or did last */
  uint64_t done;              /* of the lock: pieces */
  pthread_cond_t space;       /* for records */
  jobs_record *first, **last; /* of the lock: records that wait to be taken */
  size_t waiting;             /* of the lock: what these take, and those that the owner took */
  jobs_record *taken, **taken_last; /* the owner's */
  uint64_t seen;                    /* the owner's: `done` when it took them */
} jobs_share;

/** jobs_share_make allocates the members of a share; false: no memory. Call jobs_share_free in
 * either case. */
bool jobs_share_make(jobs_share *sh, const observe_cfg *cfg, bool findings);

void jobs_share_free(jobs_share *sh);

/** jobs_share_judge judges what is in a piece of the connections of the share. */
void jobs_share_judge(jobs_share *sh, uint64_t piece);

#endif
