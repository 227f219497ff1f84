/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of a session share: those for TCP, and those for SCTP. */
#ifndef CLI_SESSION_PRIV_H
#define CLI_SESSION_PRIV_H

#include "session.h"

/* The DDP streams over SCTP that are open. */
typedef struct sctp_streams {
  size_t num;
  size_t held; /* octets of messages that wait for their DDP-SSN */
  struct sctp_stream *newest;
  struct sctp_stream *oldest;
} sctp_streams;

struct session {
  session_cfg cfg;
  budget own_budget; /* where the caller has none */
  budget *budget;
  session_hooks hooks;
  const char *file;
  uint64_t num_numbered;
  size_t num_open;
  session_conn *newest;
  session_conn *oldest;
  size_t early_used;
  sctp_streams sctp;
  bool failed;
};

/* session_number gives the connection its number, once. */
void session_number(session *s, session_conn *c);
/* session_findings hands out what the rules found. */
void session_findings(session *s, session_conn *c, const iwarp_event *ev);
/* session_result counts, shows and judges an event. */
void session_result(session *s, session_conn *c, const iwarp_event *ev);
/* session_conn_limit marks the connection: this limit ended the following of it or cost it octets.
 * The first one counts. */
void session_conn_limit(session_conn *c, const char *name);
/* session_judge_end lets the rules say what can only be said at the end, and reports the result. */
void session_judge_end(session *s, session_conn *c);
/* session_fit gives up connections until the budget is kept; between two events only. */
void session_fit(session *s);
/* session_charge counts what the connection has taken so far. */
void session_charge(session *s, session_conn *c);
void session_addr(char out[REPORT_ADDR_CAP], const ingest_addr *addr);
bool session_rules_make(session *s, session_conn *c);
void session_conn_release(session_conn *c);

#endif
