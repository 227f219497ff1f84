/* SPDX-License-Identifier: BSD-2-Clause */
/* A share of the connections, with an ingest and an observe of its own. */
#ifndef CLI_JOBS_SHARE_H
#define CLI_JOBS_SHARE_H

#include <pthread.h>

#include <observe/observe.h>

#include "jobs_record.h"
#include "jobs_work.h"

#define JOBS_RECORDS ((size_t)512 * 1024) /* bytes of records that may wait, of one share */

/** jobs_share is a share of the connections. Members marked "locked" change under the lock. The
 * other members belong to the worker that holds the share; the owner may read them when all pieces
 * are done. */
typedef struct jobs_share {
  struct jobs_shared *shared;
  uint16_t number;
  ingest *ingest; /* made at the first piece of a capture, freed at its last */
  observe *observe;
  observe_budget budget;
  size_t allowed[JOBS_PIECES_MAX]; /* bytes that the share may have, by piece; set by the worker
                                      that walks over the piece */
  size_t used[JOBS_PIECES_MAX];    /* bytes that the share had after the piece */
  jobs_place at;                   /* place of the event that is observed */
  jobs_moment when;
  uint64_t events;            /* `event` of jobs_moment, without packets of this capture */
  uint64_t deadline;          /* result of ingest_deadline */
  uint64_t next;              /* packet that ingest expects */
  uint64_t port_octets;       /* largest port_octets of observe_found */
  jobs_place port_at;         /* place of the connection with `port_octets` */
  bool failed;                /* memory ran out */
  ingest_stats stats;         /* counts of the capture that ended last */
  uint64_t work;              /* work on the piece judged last: observe_work */
  jobs_record *spare;         /* record for a connection that closes when there is no memory */
  bool held;                  /* locked: a worker judges the share */
  uint16_t by;                /* locked: that worker, or the last one */
  uint64_t done;              /* locked: number of pieces done */
  pthread_cond_t space;       /* room for records */
  jobs_record *first, **last; /* locked: records that wait to be taken */
  size_t waiting;             /* locked: bytes of `first` and `taken` */
  jobs_record *taken, **taken_last; /* records that the owner took; the owner's */
  uint64_t seen;                    /* `done` when the owner took them; the owner's */
} jobs_share;

/** jobs_share_make allocates the members of a share; false: no memory. Call jobs_share_free in
 * either case. */
bool jobs_share_make(jobs_share *sh, const observe_cfg *cfg, bool findings);

void jobs_share_free(jobs_share *sh);

/** jobs_share_judge judges what is in a piece of the connections of the share. */
void jobs_share_judge(jobs_share *sh, uint64_t piece);

#endif
