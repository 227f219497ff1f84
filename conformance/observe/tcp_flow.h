/* SPDX-License-Identifier: BSD-2-Clause */
/* A TCP connection: scanned until a startup key is found, then decoded. */
#ifndef OBSERVE_TCP_FLOW_H
#define OBSERVE_TCP_FLOW_H

#include <iwarp/scan.h>

#include "early_data.h"
#include "followed.h"
#include "waiting.h"

/* Octets of a direction that the capture does not hold. */
typedef struct tcp_gap {
  uint64_t pos;
  uint64_t len;
  iwarp_gap_reason reason;
  iwarp_meta meta;
} tcp_gap;

/* Octets that wait for their acknowledgment, since another copy may come: the last `len` ones. */
typedef struct tcp_unproven {
  size_t len;
  ingest_held_as as;
} tcp_unproven;

/* One direction of a TCP connection. */
typedef struct tcp_side {
  iwarp_scan scan;
  bool seen;    /* data or a gap was delivered */
  bool started; /* iwarp_observer_start was called */
  bool direct;  /* octets go straight to the engine: no other step is needed */
  bool ended;
  iwarp_end how;
  bool start_known;
  uint64_t start;
  uint64_t next;      /* position after the last octet delivered */
  uint64_t streaming; /* octets before the startup frame */
  iwarp_meta last;    /* packet of the last octets before `direct` */
  iwarp_meta held;    /* the latest packet with octets that the scan holds back */
  tcp_gap gap;        /* the last gap */
  bool lossy;         /* octets before the startup frame are missing */
  early_data *early;
  bool early_lost;                     /* the early data was dropped: there was no room for it */
  uint8_t head[IWARP_MPA_STARTUP_LEN]; /* the first octets of the stream */
  uint8_t num_head;
  uint64_t head_received; /* position that the sender of `head` had received */
  bool wrong_key;         /* `head` is a startup frame except for the key */
  uint64_t private_end;   /* end of the Private Data of that frame */
} tcp_side;

/* The search for FPDUs in a connection whose startup was not captured. */
typedef enum tcp_search {
  TCP_SEARCH_NOT_YET = 0, /* the beginning of the connection is there */
  TCP_SEARCH_BEGUN,
  TCP_SEARCH_OVER /* iWARP was found, or the search given up */
} tcp_search;

typedef struct tcp_flow {
  ingest_addr addr[2];
  uint64_t began_ns;       /* time of the first packet */
  uint64_t began_packet;   /* the first packet */
  const ingest_ends *ends; /* ends of the connection, which ingest keeps up to date */
  tcp_side *side;          /* two sides; NULL: no octets were seen yet, or since it was given up */
  followed *conn;          /* NULL: no iWARP was found yet */
  bool join_due;           /* a side was found to be iWARP, the other has not joined yet */
  uint8_t join_side;       /* the side that has not joined */
  bool wanted;        /* the port is taken for iWARP; the beginning of iWARP is not known yet */
  waiting waiting;    /* events so far, while `wanted`, or while FPDUs are searched */
  tcp_search search;  /* state of the search for FPDUs */
  bool unkept;        /* `waiting` had no room for earlier events */
  uint64_t looked_at; /* octets before any looked like an FPDU */
  struct tcp_proof *proof; /* FPDUs after these octets; NULL: no octets looked like an FPDU */
  uint64_t received;       /* position that the sender of the startup frame had received */
  /* limit that cost octets before the connection was known to be iWARP, or NULL */
  const char *limit;
  bool given_up;             /* the connection was given up, and is counted */
  size_t lost;               /* memory of that connection, in bytes */
  struct tcp_doubts *doubts; /* tcp_doubt.h; NULL: no copies differ */
  void *packets;             /* data of the `packet` hook, or NULL */
} tcp_flow;

/* --- tcp_engine.c: the engine of a flow that has a connection --- */

/* obs_tcp_engine_make makes the engine of a connection; false: no memory. */
bool obs_tcp_engine_make(observe *obs, followed *c, bool full_operation);
/* obs_tcp_begin begins a side of the engine that was not begun. */
void obs_tcp_begin(observe *obs, tcp_flow *f, uint8_t side, uint64_t pos);
/* obs_tcp_start begins a side of the engine, once. */
static inline void obs_tcp_start(observe *obs, tcp_flow *f, uint8_t side, uint64_t pos) {
  if (!f->side[side].started) {
    obs_tcp_begin(obs, f, side, pos);
  }
}
/* obs_tcp_push gives the engine octets of a side that was started. */
void obs_tcp_push(observe *obs, followed *c, uint8_t side, iwarp_span in, const iwarp_meta *meta);
/* obs_tcp_direct does the same as obs_tcp_push with `fpdu->meta`, which it changes, where FPDUs
 * need no events and are taken from where they are: only what is left is pushed. `may_wait`: not
 * what is to wait, which it returns. */
tcp_unproven obs_tcp_direct(observe *obs, followed *c, uint8_t side, iwarp_span in,
                            iwarp_observer_fpdu *fpdu, bool may_wait);
/* obs_tcp_gap tells the engine of a side that was started what is missing. */
void obs_tcp_gap(observe *obs, followed *c, uint8_t side, const tcp_gap *gap);
/* obs_tcp_end ends a side in the engine, once. */
void obs_tcp_end(observe *obs, tcp_flow *f, uint8_t side, iwarp_end how, const iwarp_meta *meta);

/* --- tcp_wait.c --- */

/* obs_tcp_like_startup says whether the first octets have all that a startup frame has but the key.
 */
bool obs_tcp_like_startup(iwarp_span head, const iwarp_mpa_startup *frame);
/* obs_tcp_wait_fpdus returns which octets of a side in Full Operation are to wait: from an FPDU
 * with a wrong CRC on, or all of them where CRCs are off, so that nothing shows which copy is
 * right. */
tcp_unproven obs_tcp_wait_fpdus(const followed *c, uint8_t side, iwarp_span in);
/* obs_tcp_wait returns which octets of an event are to wait: also the octets of a wrong Request,
 * and of a Reply. */
tcp_unproven obs_tcp_wait(const tcp_flow *f, const ingest_event *ev);

/* --- tcp_copy.c --- */

/* obs_tcp_differ reports octets that were captured twice with different values, and tells the
 * rules. */
void obs_tcp_differ(observe *obs, tcp_flow *f, const ingest_event *in);

/* --- late_join.c --- */

/* obs_late_join_due is obs_late_join where the other side has not joined yet. */
void obs_late_join_due(observe *obs, tcp_flow *f, bool now);

/*
 * obs_late_join lets the other side join: when the frame that was found is whole, since it tells
 * what the octets before it were; or `now`, since something else comes.
 */
static inline void obs_late_join(observe *obs, tcp_flow *f, bool now) {
  if (f->join_due) {
    obs_late_join_due(obs, f, now);
  }
}

/* obs_late_join_gap tells the engine, before the first octets of the other side, at `pos`, which
 * octets are missing right before them: the sender of the Request had not received these. */
void obs_late_join_gap(observe *obs, tcp_flow *f, uint8_t side, uint64_t pos,
                       const iwarp_meta *meta);

/* --- tcp_conn.c: the connection of a flow --- */

/* obs_tcp_counts notes that a limit ends a connection, and returns true if that counts. It does not
 * count twice: by the limit on its findings, or as the connection that its later packets began. */
bool obs_tcp_counts(observe *obs, const tcp_flow *f);
/* obs_tcp_conn_open makes the connection of a flow that is iWARP, from its startup or from the
 * middle of Full Operation; false: it has none. */
bool obs_tcp_conn_open(observe *obs, tcp_flow *f, bool full_operation);
/* obs_tcp_sides_free forgets what was seen of the sides. */
void obs_tcp_sides_free(observe *obs, tcp_flow *f);
/* obs_icmp returns what ingest noted of errors of ICMP. */
observe_icmp obs_icmp(const ingest_icmp *x);
/* obs_tcp_conn_close ends the connection; its flow goes on without it. */
void obs_tcp_conn_close(observe *obs, tcp_flow *f);
/* obs_tcp_renew makes a connection the last one heard of, and unpacks it; false: there was no
 * memory for that, and its flow has none any more. */
bool obs_tcp_renew(observe *obs, followed *c);
/* obs_tcp_touch calls obs_tcp_renew if needed. */
static inline bool obs_tcp_touch(observe *obs, followed *c) {
  const lru_list *list = c->fresh ? &obs->fresh : &obs->conns;
  obs->latest = &c->lru;
  return (list->newest == &c->lru && c->packed == NULL) || obs_tcp_renew(obs, c);
}
/* obs_tcp_settle takes a connection out of the fresh ones once more than a Request of it was seen.
 */
void obs_tcp_settle(observe *obs, followed *c);
/* obs_tcp_pack packs the longest silent connection that is not packed, except the latest ones.
 * False: no such connection, or no memory. */
bool obs_tcp_pack(observe *obs);
/* obs_tcp_give_up ends a connection for want of memory: the longest silent one with a Request at
 * most, else the longest silent one. The latest connections stay unless `any`. False: no connection
 * to end. */
bool obs_tcp_give_up(observe *obs, bool any);

/* --- tcp_wanted.c --- */

/* obs_tcp_like_fpdu says whether the octets look like the beginning of an FPDU, with a Marker
 * before it or without. */
bool obs_tcp_like_fpdu(iwarp_span in);
/* obs_tcp_shows_full says whether the octets of an event show that Full Operation has begun. They
 * come after the octets that `before` was given. */
bool obs_tcp_shows_full(const iwarp_scan *before, const ingest_event *ev);

/* --- tcp_proof.c --- */

/* obs_tcp_search takes an event of a flow without a connection, whose port is not taken for iWARP.
 * True: FPDUs were found, and the flow is in Full Operation. Then all its events wait, this one is
 * the last of them, and obs_tcp_search_take is to be called. */
bool obs_tcp_search(observe *obs, tcp_flow *f, const ingest_event *ev);
/* obs_tcp_search_take leaves the events that wait to the caller, in the room of ports that are
 * taken for iWARP are. */
void obs_tcp_search_take(observe *obs, tcp_flow *f);
/* obs_tcp_search_end forgets them, and nothing is searched any more. */
void obs_tcp_search_end(observe *obs, tcp_flow *f);

/* --- transport.c --- */

/* obs_tcp_transport reports a connection that ends without iWARP. */
void obs_tcp_transport(observe *obs, const tcp_flow *f);

/* --- tcp_flow.c --- */

/* obs_tcp_meta returns what an engine gets with the octets of an event. */
static inline iwarp_meta obs_tcp_meta(const ingest_event *ev) {
  return (iwarp_meta){.packet = ev->packet,
                      .time_ns = ev->time_ns,
                      .peer_pos = ev->peer_pos,
                      .segment_start = ev->segment_start,
                      .damaged = ev->damaged};
}

/* obs_tcp_event takes an event of ingest. */
void obs_tcp_event(observe *obs, const ingest_event *ev);
/* obs_tcp_packet shows a packet to the `packet` hook. */
void obs_tcp_packet(const observe *obs, const ingest_seen *seen);
/* obs_tcp_segment takes a segment whose octets go to an engine and nothing else; false: it needs
 * its event. */
bool obs_tcp_segment(observe *obs, const ingest_segment *seg);

#endif
