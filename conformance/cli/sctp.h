/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP streams over SCTP: what is kept of them, and the parts among themselves. */
#ifndef CLI_SCTP_H
#define CLI_SCTP_H

#include "session_priv.h"

#define SCTP_STREAMS_MAX 4096u /* open at a time; beyond it the longest silent one goes */
#define SCTP_WINDOW 128u       /* messages of a side that wait for their DDP-SSN */
#define SCTP_PATIENCE 16u      /* messages that go by before a lost one is given up */
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
  bool told;        /* a session was told of them */
  uint64_t lost[2]; /* events that told of lost messages */
  bool snapped[2];  /* of the last of these */
  uint64_t next[2]; /* position behind what came out, or was lost */
  bool gave_up;     /* a limit ended streams */
  bool start_known[2];
  iwarp_meta now;    /* of the last event of ingest */
  const char *limit; /* that cost it messages, or NULL */
  uint64_t limits;   /* how often */
  bool limit_told;   /* a connection carries it */
  uint32_t streams;  /* open */
  sctp_page **pages; /* one for each high octet, made when first needed */
} sctp_flow;

/* A user message, from its arrival until the session engine gives it back. */
typedef struct sctp_msg {
  struct sctp_msg *next, *prev; /* of its stream */
  uint8_t side;
  uint64_t pos;
  uint64_t len; /* TSNs */
  iwarp_meta first;
  iwarp_meta last;
  ingest_sctp_message m; /* its data points behind this */
  uint8_t data[];
} sctp_msg;

/* A pair of SCTP streams of the same number. */
typedef struct sctp_stream {
  sctp_flow *flow;
  struct sctp_stream *newer, *older;
  sctp_msg *msgs;
  uint16_t id;
  iwarp_sctp_sess *sess;
  void *memory;
  const char *limit; /* cost it messages before it had a connection, or NULL */
  uint64_t limits;   /* flow->limits when the session began */
  bool joined;       /* the session was under way when its first message was seen */
  uint32_t current;  /* number of the session that conn is for */
  session_conn *conn;
  iwarp_conn_info info;
  uint64_t end[2];       /* position behind what was told */
  bool resumed[2];       /* the engine began anew, and this side's next message */
  uint16_t due[2];       /* had this DDP-SSN */
  uint64_t lost_base[2]; /* flow->lost when the session began, */
  uint64_t lost_told[2]; /* when a segment last was in its place, */
  bool repeated[2];      /* and whether a DDP-SSN came again since then */
  bool stray;  /* a message had no place, maybe since the order was another one: what is a session's
                  is not certain */
  bool opened; /* the sender of the session's Initiate knew of all that had come out before, */
  bool proven; /* and the sender of the answer of that: so it is certain again */
  uint64_t initiate_end; /* position behind the session's Initiate */
  bool spoke[2];         /* a message of the side was told in the session, */
  uint64_t base[2];      /* the first one at this position */
  uint64_t out[2];       /* position behind what came out of the stream */
  uint64_t lost_seen[2]; /* and when a message last came in its turn */
  uint32_t waited[2];    /* messages since then that did not */
} sctp_stream;

/* --- sctp.c --- */
/* sctp_give_up ends the longest silent stream, to make memory free; false: there is none. */
bool sctp_give_up(session *s);

/* --- sctp_tell.c --- */
/* sctp_tell turns an event of the session engine into one for rules and reports. */
void sctp_tell(session *s, sctp_stream *st, const iwarp_sctp_event *ev, const sctp_msg *msg,
               bool final);
/* sctp_tell_limit marks the connection of the current session: a limit cost it messages. */
void sctp_tell_limit(sctp_stream *st, const char *name);
/* sctp_tell_close ends the connection of the current session. */
void sctp_tell_close(session *s, sctp_stream *st, iwarp_end how);

#endif
