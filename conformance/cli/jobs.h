/* SPDX-License-Identifier: BSD-2-Clause */
/* Observes connections in one thread or in many, with the same results in the same order. */
#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include <observe/observe.h>

#include "jobs_read.h"
#include "jobs_record.h"

#define JOBS_MAX 256u

/** jobs_cfg says how many, and what is done with the results. */
typedef struct jobs_cfg {
  unsigned int num; /* 1: the caller's thread alone; JOBS_MAX at most */
  /* configuration of each observe; `budget` covers the whole run, and is never NULL */
  observe_cfg observe;
  /* They are called in the caller's thread, from inside the calls below. With more than one job
   * none but `event` and `numbered` may be NULL, that is never called, and `ev` of a finding is
   * NULL. */
  observe_hooks hooks;
  jobs_moment *now;     /* set before each hook */
  uint64_t hash_key[2]; /* hash_key of each ingest, with more than one job */
  unsigned int shard;
  unsigned int shards; /* 0: no shards; else only connections of `shard` are observed */
} jobs_cfg;

/**
 * jobs observes what is in captures. One job takes events of ingest as an observe does, in the
 * thread of the caller. More jobs are as many threads, which read captures in turn; each follows
 * some of the connections, with an ingest and an observe of its own. Results are handed out in the
 * order in which one job would have found them, at the latest by jobs_wait.
 */
typedef struct jobs jobs;

/** jobs_new starts the workers; the configuration is copied. NULL: it did not go; a message has
 * said why. */
jobs *jobs_new(const jobs_cfg *cfg);

/** jobs_file begins a capture, as observe_file does; after jobs_wait. */
void jobs_file(jobs *j, const char *name);

/** jobs_event takes an event of ingest, where there is one job; `input` octets have been read so
 * far. */
void jobs_event(jobs *j, const ingest_event *ev, uint64_t input);

/** jobs_count_packet counts a packet, before its events, where there is one job. */
void jobs_count_packet(jobs *j);

/** jobs_segment takes a segment, likewise; false: nothing was done, its event is needed. */
bool jobs_segment(jobs *j, const ingest_segment *seg, uint64_t input);

/** jobs_sctp_event takes an event about SCTP, likewise. */
void jobs_sctp_event(jobs *j, const ingest_sctp_event *ev, uint64_t input);

/** jobs_shard returns the shard of a connection, one of `shards`. */
unsigned int jobs_shard(const ingest_addr addr[2], bool sctp, unsigned int shards);

/** jobs_many says whether there is more than one job. */
bool jobs_many(const jobs *j);

/** jobs_watch is what the caller does while others read. */
typedef struct jobs_watch {
  void *ctx;
  /* called before results are handed out */
  void (*look)(void *ctx, const jobs_read_progress *shown);
  bool eager; /* `look` is called after each piece, not only when many results wait */
  bool (*enough)(void *ctx); /* true: the reading may stop */
} jobs_watch;

/** jobs_read_file reads a file, where there is more than one job: until its end, an error, or as
 * many packets as there may be, which `read` then says. */
void jobs_read_file(jobs *j, jobs_read *read, const jobs_watch *watch);

/** jobs_finish ends a capture, where there is more than one job; `input` octets have been read, and
 * the last packet has the time `end_ns`. */
void jobs_finish(jobs *j, uint64_t input, uint64_t end_ns);

/** jobs_stats returns what the jobs counted of a capture, where there is more than one: packets
 * that were dropped, and what the capture is like; all else is 0. After jobs_finish. */
ingest_stats jobs_stats(const jobs *j);

/** jobs_wait waits until all that comes of the events so far was handed out. */
void jobs_wait(jobs *j, uint64_t input);

/** jobs_limit is observe_limit; after jobs_wait. */
void jobs_limit(jobs *j, const char *name, uint64_t n);

/** jobs_observe returns the observe of one job; NULL: there are more. */
observe *jobs_observe(const jobs *j);

/** jobs_wanted estimates how many bytes of memory would hold all connections; 0: no connection was
 * given up because memory was short. */
uint64_t jobs_wanted(const jobs *j);

/** jobs_work_of_one is observe_work, where there is one job. */
uint64_t jobs_work_of_one(const jobs *j);

/** jobs_connections returns how many connections of this capture have a number. */
uint64_t jobs_connections(const jobs *j);

/** jobs_found returns what the capture held; after jobs_wait. */
observe_found jobs_found(const jobs *j);

/** jobs_port_met is observe_port_met; after jobs_wait. */
bool jobs_port_met(const jobs *j, uint16_t port);

/** jobs_failed returns why the results since are not to be relied on, or NULL: they are; after
 * jobs_wait. */
const char *jobs_failed(const jobs *j);

/** jobs_free ends the workers; NULL is fine. All connections must have been closed by ingest. */
void jobs_free(jobs *j);

#endif
