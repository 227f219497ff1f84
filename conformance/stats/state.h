/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a connection, and the calls between the files that keep it. */
#ifndef STATS_STATE_H
#define STATS_STATE_H

#include <stats/stats.h>

#define ST_SEQ_MAX (UINT64_C(1) << 30) /* positions further below count as carried */

enum {
  ST_RANGES_MAX = 4096,    /* ranges of a direction, with gaps between them */
  ST_PIECES_MAX = 16384,   /* pieces of a direction */
  ST_ITEMS_MAX = 16384,    /* items of a direction */
  ST_REQUESTS_MAX = 32768, /* Requests of a side */
  ST_INTERVALS_MAX = 4096
};

enum { ST_FIN = 0x01, ST_SYN = 0x02, ST_RST = 0x04, ST_ACK = 0x10 };

/* A packet: its number, and its time by the clock of section 1. */
typedef struct st_mark {
  uint64_t packet; /* 0: none */
  uint64_t ns;
} st_mark;

static inline st_mark st_later(st_mark a, st_mark b) {
  return b.packet > a.packet ? b : a;
}

/* st_advance makes the mark the later one of both. */
static inline void st_advance(st_mark *mark, const st_mark *to) {
  if (to->packet > mark->packet) {
    mark->packet = to->packet; /* member by member: a copy would wait for the stores of both */
    mark->ns = to->ns;
  }
}

/* Positions that are carried. */
typedef struct st_range {
  uint64_t from;
  uint64_t to;
} st_range;

/* Octets that a packet owns. Of a packet with all octets new there is one piece. */
typedef struct st_piece {
  uint64_t from;
  uint64_t to;
  uint64_t before; /* the end of the piece before of the same packet; 0: it is the first one */
  st_mark owner;
  uint32_t fpdus; /* known FPDUs with an octet in it */
  uint32_t known; /* octets of it in known FPDUs */
  bool all;       /* the piece is all of its packet */
  bool weak;      /* the TCP checksum is wrong: another packet with these octets owns them */
  bool begins;    /* an FPDU begins with its first octet, or the Marker before one */
  bool ends;      /* an FPDU ends with its last octet */
} st_piece;

/* Octets of a direction: stream.c. */
typedef struct st_octets {
  bool started;    /* `first` is set */
  bool syn;        /* `first` comes from a SYN */
  bool any;        /* an octet is carried */
  uint64_t first;  /* position 0 */
  uint64_t high;   /* position after the highest carried octet, or `first` */
  bool fin;        /* fin_at is set */
  uint64_t fin_at; /* position of the FIN */
  st_range *ranges;
  size_t num_ranges;
  size_t room_ranges;
  uint64_t old_gaps; /* gaps below ranges[0] */
  uint64_t old_gap_octets;
  st_piece *pieces; /* pieces by position; those below index `head` are done */
  size_t head;
  size_t num_pieces;
  size_t room_pieces;
  size_t num_weak;  /* pieces ever made of packets with a wrong checksum */
  uint64_t settled; /* no item ends at this position or below it any more */
  st_mark latest;   /* the latest owner of octets before it */
} st_octets;

/* The message of a direction that is open: message.c. */
typedef struct st_open {
  bool any;
  bool tagged;
  bool unseen; /* begun unseen */
  uint8_t name;
  uint32_t stag;
  uint32_t qn;
  uint32_t msn;
  uint64_t octets;
  uint64_t segments;
} st_open;

typedef enum st_item_kind {
  ST_REQUEST = 0,
  ST_HOLE,
  ST_READ_FIRST, /* the first FPDU of a Read Response that was not begun unseen */
  ST_READ_LAST,  /* the last FPDU of a Read Response */
  ST_ATOMIC_RESPONSE,
  ST_TERMINATE
} st_item_kind;

/* What has to be taken in the order of both directions: order.c. */
typedef struct st_item {
  st_item_kind kind;
  st_mark at;
  uint64_t to;   /* sink TO, TO */
  uint32_t stag; /* sink STag, STag, Request Identifier */
  uint32_t msn;
  bool atomic;
  bool fits;     /* REQUEST: it takes part in pairing */
  bool any_stag; /* `stag` was cut off */
  bool any_to;   /* `to` was cut off */
} st_item;

/* Items of a direction, the first one at `head`. */
typedef struct st_items {
  st_item *of;
  size_t head;
  size_t num;
  size_t room;
} st_items;

/* An open Request: request.c. */
typedef struct st_request {
  uint64_t id;
  uint64_t ns;
  uint64_t first_ns; /* time of the first Response octet, if `taken`, like the next two members */
  uint64_t response_to;
  uint32_t response_stag;
  uint64_t to;
  uint32_t stag;
  bool atomic;
  bool any_stag;
  bool any_to;
  bool unseen;     /* the Request fits any Response and enters no figure */
  bool taken;      /* a Response has begun to answer the Request */
  bool after_hole; /* `taken` after a hole */
} st_request;

/* The Requests of a side. */
typedef struct st_requests {
  st_request *of; /* Requests in order */
  size_t num;
  size_t room;
  uint64_t next_id;
  bool any_msn;
  uint32_t msn;    /* MSN of the last Request */
  bool after_hole; /* a hole of this side took effect since */
  bool overlap;    /* two Reads of it overlapped */
  bool over;       /* pairing of Reads ended */
  bool orphan;     /* a Response answered no Request of it */
  uint64_t taken;  /* id of the Request that the Read Response under way took; 0: none */
  /* the step function of the outstanding Requests */
  uint64_t steps; /* now */
  uint64_t most;
  uint64_t since_ns;
  uint64_t busy_ns;
  uint64_t area[2]; /* low and high 64 bits of ns times Requests */
  uint64_t at_limit_ns;
} st_requests;

typedef struct st_side {
  st_octets octets;
  uint64_t slot_ns; /* time at which `slot` begins, since the first packet */
  size_t slot;      /* slot of throughput that octets were added to last */
  /* 3.1 */
  bool zero;        /* the side advertises a window of 0 */
  uint64_t zero_ns; /* time of the first window of 0, with `zero` */
  /* 3.2 to 3.4 */
  bool any_fpdu;
  uint64_t full_end; /* position after the last known item */
  uint64_t startup_from;
  uint64_t startup_to;
  bool has_base; /* `base` is set, which needs no packets */
  uint64_t base; /* position of the first octet that an event is about */
  st_mark startup;
  st_mark first_fpdu;
  uint64_t last_fpdu_ns;
  bool hole;       /* a hole took effect in stream order */
  bool after_hole; /* the FPDU to come is the first one after a hole */
  st_open open;
  st_items items;
  st_requests requests;
} st_side;

struct stats {
  const stats_cfg *cfg;
  stats_figures figures;
  bool by_events;    /* over SCTP, or where it is wanted: no packets are shown */
  bool any;          /* a packet came */
  uint64_t clock_ns; /* time of the last packet */
  st_mark taken;     /* the last packet whose items were taken */
  bool hole;         /* a hole of either side took effect in the order of items */
  bool steps_over;   /* a Terminate was delivered */
  uint64_t steps_end_ns;
  /* startup of TCP */
  bool syn;
  bool synack;
  bool handshake;
  uint8_t syn_side;
  uint64_t syn_ns;
  uint64_t synack_ns;
  st_side side[2];
  stats_interval *intervals; /* intervals by index; a later item may still fall into each */
  size_t num_intervals;
  size_t room_intervals;
  const observe_conn *conn; /* connection of the event that is taken; else NULL */
};

/* ---- stream.c ---- */
/* st_position returns the position of a sequence number. */
uint64_t st_position(const st_octets *o, uint32_t seq);
/* What a packet carried that is new. */
typedef struct st_carried {
  uint64_t new_octets;
  uint64_t old_octets;
  bool below; /* a new octet lies below the highest one before */
} st_carried;
/* st_carry notes that a packet carries [from, to). */
st_carried st_carry(stats *s, unsigned side, uint64_t from, uint64_t to, st_mark packet, bool weak);
/* st_has returns true if all of [from, to) is carried. */
bool st_has(const st_octets *o, uint64_t from, uint64_t to);
/* st_missing returns how many octets of [from, to) are not carried. */
uint64_t st_missing(const st_octets *o, uint64_t from, uint64_t to);
/* st_deliver returns the packet that delivers an item that ends at `end`. No later item ends there
 * or before. */
st_mark st_deliver(stats *s, unsigned side, uint64_t end);
/* st_deliver_fpdu returns the packet that delivers a known FPDU at [from, end), with a Marker from
 * `lead` on; `whole`: the FPDU counts for packets_per_fpdu. */
st_mark st_deliver_fpdu(stats *s, unsigned side, uint64_t lead, uint64_t from, uint64_t end,
                        bool whole);
/* st_settle_pieces forgets pieces below a position, of which there are some. */
void st_settle_pieces(stats *s, unsigned side, uint64_t below);
/* st_settle forgets pieces below a position. */
static inline void st_settle(stats *s, unsigned side, uint64_t below) {
  st_octets *o = &s->side[side].octets;
  if (o->head < o->num_pieces && o->pieces[o->head].to <= below) {
    st_settle_pieces(s, side, below);
  }
  o->settled = below > o->settled ? below : o->settled;
}
/* st_bound returns the first packet that may deliver an item of the side to come; packet
 * UINT64_MAX: one that is not captured yet. */
st_mark st_bound(const stats *s, unsigned side);
/* st_begin notes that octets are numbered from `first` on. */
void st_begin(st_octets *o);
void st_octets_free(st_octets *o);

/* ---- fpdu.c ---- */
/* What the figures need of an FPDU. */
typedef struct st_frame {
  const iwarp_event *ev;    /* NULL: an FPDU of a data message over TCP, without an event */
  const iwarp_ddp_hdr *ddp; /* NULL: it has none */
  uint64_t pos;
  uint64_t len;
  uint64_t ulpdu_length;
  uint64_t payload_len;
  uint32_t pad;
  uint32_t lead; /* octets of a Marker in front */
  uint32_t num_markers;
  uint8_t side;
  uint8_t opcode;
  bool complete;
  bool crc_bad;
} st_frame;
static inline bool st_frame_sctp(const st_frame *f) {
  return f->ev != NULL && f->ev->sctp != NULL;
}
void st_startup(stats *s, const iwarp_event *ev);
void st_fpdu(stats *s, const st_frame *f);

/* ---- message.c ---- */
/* st_message takes an FPDU that was delivered. `hole`: it is the first one after a hole. */
void st_message(stats *s, const st_frame *f, st_mark at, bool hole);
/* st_message_end makes the open message unfinished. */
void st_message_end(stats *s, unsigned side);

/* ---- order.c ---- */
void st_item_add(stats *s, unsigned side, const st_item *item);
/* st_items_take takes the items whose turn it is; `all`: all of them. */
void st_items_take(stats *s, bool all);
/* st_items_any returns true if there are items. */
static inline bool st_items_any(const stats *s) {
  return s->side[0].items.num + s->side[1].items.num > 0;
}

/* ---- request.c ---- */
void st_item_take(stats *s, unsigned side, const st_item *item);
void st_requests_end(stats *s, const observe_conn *conn);

/* ---- plot.c ---- */
/* st_plot_add adds a value to a series, where plots are wanted. */
void st_plot_add(stats *s, stats_series *x, uint64_t ns, uint64_t v, uint8_t kind);
void st_plot_free(stats_plots *p);

/* ---- interval.c ---- */
/* st_interval_make finds or makes the interval of a time. */
stats_interval *st_interval_make(stats *s, uint64_t ns);
/* st_interval_at returns the interval of a time, or NULL: none is wanted. */
static inline stats_interval *st_interval_at(stats *s, uint64_t ns) {
  return s->cfg->interval_ns != 0 ? st_interval_make(s, ns) : NULL;
}
/* st_intervals_give hands out what is complete; `all`: all of them. */
void st_intervals_give(stats *s, bool all);
/* st_slot_add adds octets to the throughput of a side. */
void st_slot_add(stats *s, unsigned side, uint64_t ns, uint64_t octets);

#endif
