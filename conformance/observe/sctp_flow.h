/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP streams over SCTP: what is kept of them, and the parts among themselves. */
#ifndef OBSERVE_SCTP_FLOW_H
#define OBSERVE_SCTP_FLOW_H

#include <stddef.h>

#include <iwarp/sctp_certainty.h>
#include <iwarp/sctp_observer.h>

#include "followed.h"

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
  iwarp_sctp_assoc *assoc; /* association in assoc_mem */
  _Alignas(max_align_t) uint8_t assoc_mem[IWARP_SCTP_ASSOC_SIZE];
  iwarp_certainty_assoc certain;
  bool init_seen[2];
  bool dropped[2];   /* messages of the side were dropped without the knowledge of ingest */
  bool ddp[2];       /* the INIT or INIT ACK of the side says that it carries DDP */
  ingest_mark ended; /* the packet with the SHUTDOWN or ABORT that ended it, and its sender */
  uint8_t ended_by;
  const char *limit;   /* limit that cost it messages, or NULL */
  uint64_t limits;     /* number of times that a limit cost messages */
  bool limit_reported; /* a connection carries the limit */
  uint32_t streams;    /* open streams */
  sctp_page **pages;   /* pages by the high octet of the stream, made when first needed */
} sctp_flow;

/* obs_sctp_negotiated: both sides said that the association carries DDP and nothing else, RFC 5043
 * 5.1. */
static inline bool obs_sctp_negotiated(const sctp_flow *f) {
  return f->ddp[0] && f->ddp[1];
}

/* A user message, from its arrival until the observer gives it back. */
typedef struct sctp_msg {
  struct sctp_msg *next, *prev; /* neighbours in the stream */
  iwarp_sctp_captured m;        /* the message; its octets are in `data` */
  uint8_t data[];
} sctp_msg;

/* A pair of SCTP streams of the same number. */
typedef struct sctp_stream {
  lru_node lru; /* node in observe.streams */
  sctp_flow *flow;
  sctp_msg *msgs;
  uint16_t id;
  iwarp_sctp_observer *engine;
  iwarp_certainty_stream certain;
  void *memory;
  followed *conn;    /* connection of the session under way, or NULL */
  const char *limit; /* limit that cost the stream messages before it had a connection, or NULL */
  uint64_t limits;   /* flow->limits when the session began */
} sctp_stream;

/* --- sctp_msg.c: messages that wait for their DDP-SSN --- */

/* obs_sctp_msg_keep keeps a message, octets and all. NULL: there is no memory for it. */
sctp_msg *obs_sctp_msg_keep(observe *obs, sctp_stream *st, const iwarp_sctp_captured *m);
/* obs_sctp_msg_drop gives the memory of a message back. */
void obs_sctp_msg_drop(observe *obs, sctp_stream *st, sctp_msg *msg);

/* --- sctp_table.c: the streams of an association by number --- */

/* obs_sctp_find returns the stream with this number that is open, or NULL. */
sctp_stream *obs_sctp_find(const sctp_flow *f, uint16_t id);
/* obs_sctp_enter lets the stream be found; false: there is no memory for that. */
bool obs_sctp_enter(observe *obs, sctp_flow *f, sctp_stream *st);
/* obs_sctp_leave ends that the stream is found. */
void obs_sctp_leave(observe *obs, sctp_flow *f, const sctp_stream *st);

/* --- sctp_conn.c: the connection of the current session of a stream --- */

/* obs_sctp_counts notes that a limit ended the association or a session of it. It returns false if
 * it counts already, and what was captured of it since then began in its midst: `joined`. */
bool obs_sctp_counts(observe *obs, const sctp_flow *f, bool joined);
/* obs_sctp_conn_limit marks the connection of the stream, or the next one: a limit cost messages.
 */
void obs_sctp_conn_limit(sctp_stream *st, const char *name);
/* obs_sctp_conn_event hands out an event of the stream's observer. */
void obs_sctp_conn_event(observe *obs, sctp_stream *st, iwarp_event *ev);

/* --- sctp_copy.c: messages that were captured twice with different octets --- */

/* obs_sctp_copy_matters says whether rules speak of octets from `from` on of a message that begins
 * with `head`. */
bool obs_sctp_copy_matters(uint32_t ppid, iwarp_span head, size_t from);
/* obs_sctp_differ reports two copies of a chunk that differ. */
void obs_sctp_differ(observe *obs, sctp_flow *f, const ingest_sctp_event *ev);

/* --- sctp_stream.c --- */

/* obs_sctp_stream_open makes the stream of a message; `lossless`: nothing of the association is
 * missing before it. NULL: there is no memory for it. */
sctp_stream *obs_sctp_stream_open(observe *obs, sctp_flow *f, uint16_t id, bool lossless);
/* obs_sctp_stream_push takes a message of the stream; false: there is no memory for it. */
bool obs_sctp_stream_push(observe *obs, sctp_stream *st, uint8_t side,
                          const iwarp_sctp_captured *m);
/* obs_sctp_stream_skip gives up the messages that are missing before waiting ones; false: no
 * message waits. */
bool obs_sctp_stream_skip(observe *obs, sctp_stream *st);
/* obs_sctp_stream_close ends the stream and its connection. */
void obs_sctp_stream_close(observe *obs, sctp_stream *st, iwarp_end how);
/* obs_sctp_stream_size returns what a stream costs, beside its messages. */
size_t obs_sctp_stream_size(void);
/* obs_sctp_give_up ends the longest silent stream, to make memory free; false: no stream is
 * left. */
bool obs_sctp_give_up(observe *obs);

/* --- sctp_flow.c --- */

/* obs_sctp_event takes an event of ingest. */
void obs_sctp_event(observe *obs, const ingest_sctp_event *ev);

#endif
