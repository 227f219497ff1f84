/* SPDX-License-Identifier: BSD-2-Clause */
/* What a worker found, copied, so that it can be handed out when its turn comes. */
#ifndef CLI_JOBS_RECORD_H
#define CLI_JOBS_RECORD_H

#include <observe/observe.h>

/** JOBS_COPIES: so small a part of the memory keeps octets that later copies are compared with. */
#define JOBS_COPIES 32u

/** jobs_conn is a connection as it was, apart from the engines that it came of. Each connection
 * with a number has one that lasts, which the hooks see. */
typedef struct jobs_conn {
  observe_conn conn; /* points to the next three */
  iwarp_observer_info info;
  observe_terminate terminate;
  observe_facts facts;
} jobs_conn;

/** jobs_record_kind is the hook that a record is for. */
typedef enum jobs_record_kind {
  JOBS_NUMBERED = 0,
  JOBS_FINDING,
  JOBS_CLOSED,
  JOBS_LIMIT,
  JOBS_DIFFER,
  JOBS_TRANSPORT
} jobs_record_kind;

/** jobs_moment is how far the run was when something came about. */
typedef struct jobs_moment {
  uint64_t input; /* octets read */
  uint64_t event; /* shards: packets, openings and closes of TCP connections, and events of SCTP so
                     far in the run: the same in all shards, and unique for each connection */
} jobs_moment;

/** jobs_place orders events of the run: events that a single job finds earlier are less. */
typedef struct jobs_place {
  uint64_t piece;  /* piece of the run */
  uint64_t number; /* number of the packet; UINT64_MAX: the end of the capture */
  uint64_t turn;   /* turn of ingest_turn */
  uint64_t index;  /* index of the event among the events of a worker at this packet */
} jobs_place;

/** jobs_place_before says whether `a` comes before `b`. */
bool jobs_place_before(const jobs_place *a, const jobs_place *b);

/** jobs_record is a call of a hook that the owner has yet to make. */
typedef struct jobs_record {
  struct jobs_record *next;
  jobs_record_kind kind;
  size_t size;
  jobs_place at;     /* place of the event */
  jobs_moment when;  /* moment of the event */
  jobs_conn *lasts;  /* lasting copy of the connection; LIMIT, TRANSPORT: NULL; DIFFER: NULL for a
                        connection without a number */
  const char *limit; /* LIMIT: name of the limit */
  uint64_t num;      /* LIMIT: number of connections */
  iwarp_finding finding;
  observe_differ differ;       /* DIFFER */
  observe_transport transport; /* TRANSPORT */
  jobs_conn now;               /* FINDING, CLOSED, DIFFER: the connection at that time */
  iwarp_rule_result results[]; /* CLOSED: results of each rule */
} jobs_record;

/** jobs_record_alloc returns memory for a record of this kind; NULL: no memory. */
jobs_record *jobs_record_alloc(jobs_record_kind kind);

/** jobs_record_fill makes the record, of the connection unless `conn` is NULL. */
void jobs_record_fill(jobs_record *r, jobs_record_kind kind, const observe_conn *conn);

/** jobs_record_conn brings the lasting copy of the connection to what it was at the record, and
 * returns it. What belongs to the hooks' owner stays, and the number does. */
observe_conn *jobs_record_conn(const jobs_record *r);

#endif
