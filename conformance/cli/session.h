/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP streams and SCTP messages in, iWARP connections with their events and findings out. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include <ingest/sctp.h>
#include <iwarp/rules.h>

#include <report/conn.h>

#include "budget.h"

/**
 * SESSION_CONNS_MAX is the number of iWARP connections that may be open at a time. Beyond it the
 * longest silent one is ended as if the capture ended there, and marked as given up.
 */
#define SESSION_CONNS_MAX 4096u

/** session_conn is one iWARP connection that is open. */
typedef struct session_conn session_conn;
struct session_conn {
  report_conn report;
  void *slot;  /* the reporter's */
  bool joined; /* by -d: numbered by its first octets, not by its first startup frame */
  bool numbered;
  uint64_t packet; /* of the last event of ingest */
  uint64_t time_ns;
  iwarp_conn *conn;
  iwarp_rules *rules;
  void *memory[2]; /* of the engine and of the rules */
  budget *budget;
  size_t charged;      /* to the budget */
  session_conn *newer; /* in the order of their last octets */
  session_conn *older;
  struct session_flow *flow;
};

/** session_hooks is what happens to the results. `ev` of a finding is NULL at the end of a
 * connection. */
typedef struct session_hooks {
  void *ctx;
  void (*event)(void *ctx, session_conn *conn, const iwarp_event *ev); /* or NULL */
  void (*finding)(void *ctx, session_conn *conn, const iwarp_finding *finding,
                  const iwarp_event *ev);        /* or NULL: nothing is judged */
  void (*closed)(void *ctx, session_conn *conn); /* or NULL */
  /* A limit ended the following of `n` connections of which nothing else tells; or NULL. */
  void (*limit)(void *ctx, const char *name, uint64_t n);
} session_hooks;

/** session_cfg says what is taken as iWARP and what is judged. */
typedef struct session_cfg {
  const uint8_t *ports; /* -d, one bit for each port, or NULL */
  iwarp_tri markers;
  iwarp_tri crc;
  const bool *disabled; /* by rule id, or NULL */
  budget *budget;       /* of the run; NULL: no limit */
} session_cfg;

typedef struct session session;

/** session_new makes a session; the configuration and the hooks are copied. NULL: no memory. */
session *session_new(const session_cfg *cfg, const session_hooks *hooks);

/** session_file begins a capture, whose connections count from 0. `name` is printed and stays the
 * caller's. */
void session_file(session *s, const char *name);

/** session_event takes the next event of ingest. */
void session_event(session *s, const ingest_event *ev);

/** session_sctp_event takes the next SCTP event of ingest. */
void session_sctp_event(session *s, const ingest_sctp_event *ev);

/** session_limit says that a limit of ingest ended the following of `n` connections for which no
 * event came. */
void session_limit(session *s, const char *name, uint64_t n);

/** session_give_up ends the longest silent connection to make memory free; false: there is none. */
bool session_give_up(session *s);

/** session_connections returns how many iWARP connections of the current capture have a number. */
uint64_t session_connections(const session *s);

/** session_failed says whether an engine refused what it must take, or memory ran out. */
bool session_failed(const session *s);

/** session_free ends the session. All connections must have been closed by ingest. */
void session_free(session *s);

#endif
