/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker found, copied, so that it can be handed out when its turn comes. */
#ifndef CLI_JOBS_RECORD_H
#define CLI_JOBS_RECORD_H

#include <observe/observe.h>

/** jobs_conn is a connection as it was, apart from the engines that it came of. Each connection
 * with a number has one that lasts, which the hooks see. */
typedef struct jobs_conn {
  observe_conn conn; /* points to the next two */
  iwarp_observer_info info;
  observe_terminate terminate;
} jobs_conn;

/** jobs_record_kind is the hook that a record is for. */
typedef enum jobs_record_kind {
  JOBS_NUMBERED = 0,
  JOBS_FINDING,
  JOBS_CLOSED,
  JOBS_LIMIT
} jobs_record_kind;

/** jobs_record is a call of a hook that is due. */
typedef struct jobs_record {
  struct jobs_record *next;
  jobs_record_kind kind;
  size_t size;
  uint64_t at;       /* number of the event that it comes of */
  jobs_conn *lasts;  /* all but LIMIT: of the connection */
  const char *limit; /* LIMIT: the name */
  uint64_t num;      /* LIMIT: connections */
  iwarp_finding finding;
  jobs_conn now;               /* FINDING, CLOSED: the connection at that time */
  iwarp_rule_result results[]; /* CLOSED: of each rule */
} jobs_record;

/** jobs_record_alloc returns memory for a record of this kind, or NULL: there is none. */
jobs_record *jobs_record_alloc(jobs_record_kind kind);

/** jobs_record_fill makes the record, of the connection unless `conn` is NULL. */
void jobs_record_fill(jobs_record *r, jobs_record_kind kind, const observe_conn *conn);

/** jobs_record_conn brings the lasting copy of the connection to what it was at the record, and
 * returns it. What belongs to the hooks' owner stays, and the number does. */
observe_conn *jobs_record_conn(const jobs_record *r);

#endif
