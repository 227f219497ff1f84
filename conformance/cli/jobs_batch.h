/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of ingest, kept with all that they point to, for workers to take. */
#ifndef CLI_JOBS_BATCH_H
#define CLI_JOBS_BATCH_H

#include <ingest/sctp.h>

/** jobs_moment is how far the run was when something came about. */
typedef struct jobs_moment {
  uint64_t input; /* octets read */
  uint64_t event; /* number of the event of ingest, in the run; those of other shards count too */
} jobs_moment;

#define JOBS_ITEMS 4096u
#define JOBS_OCTETS ((size_t)1024 * 1024)

/** jobs_flow is what ingest keeps of a connection. */
typedef struct jobs_flow {
  uint16_t worker;
  ingest_ends sent; /* the reader's: as the worker knows them */
  /* The worker's, who frees it all after the CLOSE: */
  void *user; /* the observe's */
  ingest_ends ends;
} jobs_flow;

/** jobs_item is an event; what it points to lies in the octets of its batch and in its flow. Over
 * TCP these are not there: `addr` where it is no OPEN, `ends` where they are as they were before.
 */
typedef struct jobs_item {
  jobs_flow *flow;
  jobs_moment when;
  bool sctp;
  union {
    ingest_event tcp;
    ingest_sctp_event sctp;
  } ev;
} jobs_item;

/** jobs_lent is where octets lie that stay where they are until the batches that name them are
 * done: a piece of a capture. */
typedef struct jobs_lent {
  const uint8_t *octets; /* NULL: there are none */
  size_t len;
  uint64_t piece; /* its number */
} jobs_lent;

/** jobs_batch is a run of events in their order. */
typedef struct jobs_batch {
  size_t num;
  uint64_t piece;              /* the first one that may be named */
  size_t named;                /* octets named where they are lent */
  uint16_t worker[JOBS_ITEMS]; /* whose the event is */
  jobs_item item[JOBS_ITEMS];
  uint8_t *octets;
  size_t used;
  size_t cap;
} jobs_batch;

/** jobs_batch_room says whether an event with `octets` octets fits, and makes room for it where the
 * batch has none yet. False of an empty batch: there is no memory. */
bool jobs_batch_room(jobs_batch *b, size_t octets);

/** jobs_batch_add and jobs_batch_add_sctp keep an event; there is room for it, and the caller sets
 * when it came. Octets of a stream are named where they are lent. */
jobs_item *jobs_batch_add(jobs_batch *b, const ingest_event *ev, jobs_flow *flow,
                          const jobs_lent *lent);
jobs_item *jobs_batch_add_sctp(jobs_batch *b, const ingest_sctp_event *ev, jobs_flow *flow);

#endif
