/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP streams over SCTP: what is kept of them, and the parts among themselves. */
#ifndef OBSERVE_SCTP_FLOW_H
#define OBSERVE_SCTP_FLOW_H

#include "followed.h"

#define SCTP_WINDOW 128u                  /* messages of a side that wait for their DDP-SSN */
#define SCTP_PATIENCE 16u                 /* messages that go by before a lost one is given up */
#define SCTP_HELD_MAX ((size_t)16u << 20) /* octets that wait, of all streams */
#define SCTP_PAGE 256u                    /* streams whose numbers have the same high octet */

/* Streams of an association by number: two look-ups, whatever the numbers are. */
typedef struct sctp_page {
  uint32_t used;
  struct sctp_stream *at[SCTP_PAGE];
} sctp_page;

#define SCTP_PAGES_SIZE ((UINT16_MAX / SCTP_PAGE + 1) * sizeof(sctp_page *))

/* An association. */
typedef struct sctp_flow {
  ingest_addr addr[2];
  ingest_sctp_init init[2];
  iwarp_meta init_meta[2];
  bool init_seen[2];
  bool inits_reported; /* reported to a session */
  uint64_t lost[2];    /* events of lost messages */
  bool snapped[2];     /* of the last of these */
  uint64_t next[2];    /* position after what came out, or was lost */
  bool gave_up;        /* a limit ended streams */
  bool start_known[2];
  iwarp_meta now;      /* of the last event of ingest */
  const char *limit;   /* that cost it messages, or NULL */
  uint64_t limits;     /* how often */
  bool limit_reported; /* a connection carries the limit */
  uint32_t streams;    /* open */
  sctp_page **pages;   /* one for each high octet, made when first needed */
} sctp_flow;

/* A user message, from its arrival until the session engine gives it back. */
typedef struct sctp_msg {
  struct sctp_msg *next, *prev; /* of its stream */
  uint8_t side;
  uint64_t pos;
  uint64_t len; /* TSNs */
  iwarp_meta first;
  iwarp_meta last;
  ingest_sctp_message m; /* its data points past this */
  uint8_t data[];
} sctp_msg;

/* A pair of SCTP streams of the same number. */
typedef struct sctp_stream {
  lru_node lru; /* in observe.streams */
  sctp_flow *flow;
  sctp_msg *msgs;
  uint16_t id;
  iwarp_sctp_session *sess;
  void *memory;
  const char *limit; /* cost it messages before it had a connection, or NULL */
  uint64_t limits;   /* flow->limits when the session began */
  bool joined;       /* the session was under way when its first message was seen */
  uint32_t current;  /* number of the session that conn is for */
  followed *conn;
  iwarp_observer_info info;
  uint64_t end[2];           /* position after what was reported */
  bool resumed[2];           /* the engine began again, and this side's next message */
  uint16_t due[2];           /* had this DDP-SSN */
  uint64_t lost_base[2];     /* flow->lost when the session began, */
  uint64_t lost_reported[2]; /* when a segment last was in its place, */
  bool repeated[2];          /* and whether a DDP-SSN came again since then */
  bool stray;  /* a message had no place, maybe since the order was another one: what is a session's
                  is not certain */
  bool opened; /* the sender of the session's Initiate knew of all that had come out before, */
  bool proven; /* and the sender of the answer of that: so it is certain again */
  uint64_t initiate_end; /* position after the session's Initiate */
  bool spoke[2];         /* a message of the side was reported in the session, */
  uint64_t base[2];      /* the first one at this position */
  uint64_t out[2];       /* position after what came out of the stream */
  uint64_t lost_seen[2]; /* and when a message last came in its turn */
  uint32_t waited[2];    /* messages since then that did not */
} sctp_stream;

/* --- sctp_msg.c: messages that wait for their DDP-SSN --- */

/* obs_sctp_msg_keep keeps the message of an event. NULL: there is no memory for it. */
sctp_msg *obs_sctp_msg_keep(observe *obs, sctp_stream *st, const ingest_sctp_event *ev);
/* obs_sctp_msg_drop gives its memory back. */
void obs_sctp_msg_drop(observe *obs, sctp_stream *st, sctp_msg *msg);

/* --- sctp_table.c: the streams of an association by number --- */

/* obs_sctp_get returns zeros that the budget counts, or NULL; obs_sctp_put gives them back. */
void *obs_sctp_get(observe *obs, size_t size);
void obs_sctp_put(observe *obs, void *at, size_t size);
/* obs_sctp_find returns the stream with this number that is open, or NULL. */
sctp_stream *obs_sctp_find(const sctp_flow *f, uint16_t id);
/* obs_sctp_enter lets the stream be found; false: there is no memory for that. */
bool obs_sctp_enter(observe *obs, sctp_flow *f, sctp_stream *st);
/* obs_sctp_leave ends that. */
void obs_sctp_leave(observe *obs, sctp_flow *f, const sctp_stream *st);

/* --- sctp_conn.c: the connection of the current session of a stream --- */

/* obs_sctp_conn_open makes it, from a message or NULL; without memory st->conn stays NULL. */
void obs_sctp_conn_open(observe *obs, sctp_stream *st, const sctp_msg *msg);
/* obs_sctp_conn_limit marks it, or the next one: a limit cost it messages. */
void obs_sctp_conn_limit(sctp_stream *st, const char *name);
/* obs_sctp_conn_close ends it, if there is one. */
void obs_sctp_conn_close(observe *obs, sctp_stream *st, iwarp_end how);

/* --- sctp_doubt.c --- */

/* obs_sctp_lossless says whether all messages of a side since the session began were captured. */
bool obs_sctp_lossless(const sctp_stream *st, uint8_t side);
/* obs_sctp_complete says whether nothing of the association is missing. */
bool obs_sctp_complete(const sctp_flow *f);
/* obs_sctp_clear says whether it is certain which session a message belongs to. Where messages are
 * missing, or came out of order, those of one session may look like those of the next: only when
 * all is captured, or since acknowledgments proved where the session begins, it is. */
bool obs_sctp_clear(const sctp_stream *st);
/* obs_sctp_knew returns the position below which the sender of a message had received all, and
 * nothing more; 0: not known. */
uint64_t obs_sctp_knew(const sctp_stream *st, const iwarp_sctp_session_event *ev,
                       const sctp_msg *msg);
/* obs_sctp_genuine says whether a message without a place is what its sender did. */
bool obs_sctp_genuine(const sctp_stream *st, const iwarp_sctp_session_event *ev,
                      const sctp_msg *msg);
/* obs_sctp_abrupt says whether it is an Initiate that does not wait for the other Terminate. */
bool obs_sctp_abrupt(const iwarp_sctp_session_event *ev);
/* obs_sctp_prove notes what a message says of the certainty of its session, before it is reported.
 */
void obs_sctp_prove(sctp_stream *st, const iwarp_sctp_session_event *ev, const sctp_msg *msg);

/* --- sctp_events.c --- */

/* obs_sctp_emit turns an event of the session engine into one for rules and reports. */
void obs_sctp_emit(observe *obs, sctp_stream *st, const iwarp_sctp_session_event *ev,
                   const sctp_msg *msg, bool final);

/* --- sctp_engine.c: the session engine of a stream --- */

/* obs_sctp_ppid returns the payload protocol identifier in host byte order. */
uint32_t obs_sctp_ppid(uint32_t ppid);
/* obs_sctp_engine_init begins the engine, in the middle of a session that was `joined`. */
bool obs_sctp_engine_init(sctp_stream *st, bool joined);
/* obs_sctp_push gives the engine a message, which is not the caller's any more. */
void obs_sctp_push(observe *obs, sctp_stream *st, sctp_msg *msg);
/* obs_sctp_skip gives up what is missing before the first message that waits; false: none does. */
bool obs_sctp_skip(observe *obs, sctp_stream *st, uint8_t side, bool final);

/* --- sctp_stream.c --- */

/* obs_sctp_stream_open makes the stream of a message. NULL: there is no memory for it. */
sctp_stream *obs_sctp_stream_open(observe *obs, sctp_flow *f, const ingest_sctp_event *ev);
/* obs_sctp_stream_close ends the stream and its connection. */
void obs_sctp_stream_close(observe *obs, sctp_stream *st, iwarp_end how);
/* obs_sctp_begins_again says whether a message begins another session where messages are missing,
 * and obs_sctp_begin_again lets the stream be ready for it. */
bool obs_sctp_begins_again(const sctp_stream *st, const ingest_sctp_event *ev);
void obs_sctp_begin_again(observe *obs, sctp_stream *st);
/* obs_sctp_give_up ends the longest silent stream, to make memory free; false: there is none. */
bool obs_sctp_give_up(observe *obs);

/* --- sctp_flow.c --- */

/* obs_sctp_event takes an event of ingest. */
void obs_sctp_event(observe *obs, const ingest_sctp_event *ev);

#endif
