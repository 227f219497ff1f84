/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections and what happens on them. */
#ifndef INGEST_CONN_H
#define INGEST_CONN_H

#include <string.h>

#include "decap/decap.h"
#include "history.h"
#include "packet.h"
#include "reassembly.h"
#include "recent.h"

#define ING_NONE INGEST_POS_UNKNOWN

enum {
  ING_PATIENCE = 64,      /* further packets of a connection for which a proven hole stays open */
  ING_LANES = 4,          /* VLANs and tunnels that identify a connection, at most */
  ING_PATIENCE_STEPS = 4, /* steps of ING_PATIENCE */
  ING_SANE = 1 << 30,     /* octets: the largest window of TCP (RFC 7323 2.3) */
  ING_FRAGS_DEPTH = 2,    /* packets in fragments, one inside the other */
  ING_OUT_OF_WINDOW_MAX = 16, /* segments outside of the window that prove another connection */
  ING_PADDING_MAX = 6,   /* octets between the headers of a bare ACK and the end of its frame */
  ING_LATE_SYN = 65536,  /* octets that may be seen before a SYN that was overtaken */
  ING_LATE_START = 1024, /* octets waited for before the first ones, without a SYN */
  ING_REUSE_AWAY =
      1 << 24, /* octets from the end of a connection that is over that prove another */
  ING_REUSE_BEYOND = 65536,  /* octets before its start or after its end that prove another */
  ING_RST_BEYOND = 1 << 24,  /* most octets between what was sent and an RST or FIN that counts */
  ING_REOPEN_MAX = 1024,     /* octets of a first segment without a SYN */
  ING_SUSPECTS_PROVE = 4,    /* bad checksums without another copy that prove a broken capture */
  ING_DYING_PACKETS = 4096,  /* packets of the capture from the last FIN or RST to the close */
  ING_CLOSED_PACKETS = 65536 /* packets of the capture from the close until late packets are not
                                recognised any more */
};

/* Octets held for all connections together, bookkeeping included. */
#define ING_HELD_ALL_MAX (16u * 1024u * 1024u)

enum { ING_BOTH = 3 }; /* sides, as bits */

/* One direction of a connection: what its sender sent. Positions are as in ingest.h. */
typedef struct ing_dir {
  uint64_t next;    /* the first octet to deliver; before `started` a reference for unwrapping */
  uint64_t start;   /* the first octet of the stream */
  uint64_t first;   /* the first octet captured, where `start` is only the one acknowledged last */
  uint64_t seen;    /* end of the octets known to have been sent */
  uint64_t acked;   /* the opposite side acknowledges all before */
  uint64_t snapped; /* all of [next, snapped) was on the wire but cut off by the snapshot length */
  uint64_t fin;     /* position of the FIN or ING_NONE */
  uint64_t fin_ack; /* position up to which the FIN acknowledges, or ING_NONE */
  uint32_t advanced_at;  /* packet count of the connection when this side last sent new octets */
  uint8_t out_of_window; /* segments outside any window, in a row */
  uint8_t bad_used;      /* packets with bad checksums that were delivered, as no other copy came */
  bool bad;              /* a packet had a bad checksum */
  bool bad_replaced;     /* another copy came of a packet with a bad checksum */
  bool bad_accepted;     /* bad checksums of this sender do not count */
  bool proven;           /* this sender's checksums are right in this capture */
  bool anchored;         /* `next` is set */
  bool started;
  bool start_known;
  bool present; /* a packet of this side is in the capture */
  bool heard;   /* a packet of this side has a checksum that is not bad */
  bool ended : 1;
  bool fin_resent : 1; /* the FIN is not the first copy: one before it had a bad checksum, or a
                          packet before it has a sequence number past it */
} ing_dir;

/* True if all packets that number a direction, its FIN included, have bad checksums. The numbering
 * is forgotten when the sender's first packet with a good checksum comes. */
static inline bool ing_dir_unsound(const ing_dir *d) {
  return d->bad && !d->bad_accepted && !d->proven && !d->ended &&
         (!d->started || d->next == d->start);
}

/* What may be the first segment of a later connection, until the other side answers it: a SYN, or
 * octets. A second segment may have the rest of the octets. */
typedef struct ing_reopen {
  ing_segment seg;
  ing_origin now;
  struct ing_reopen *rest; /* the second segment; may be NULL */
  uint8_t side;
  uint16_t total; /* octets of both segments */
  uint8_t octets[ING_REOPEN_MAX];
} ing_reopen;

/* Segments of a connection that are held back, while there are any. */
typedef struct ing_held {
  ing_reopen *reopen; /* may be NULL */
  ing_reassembly good[2];
  ing_reassembly suspect[2]; /* segments with a bad checksum */
  ing_reassembly snapped[2]; /* ranges cut off by the snapshot length, without octets */
  size_t size;               /* octets that the members take */
  /* `acked` and `seen` of each side some steps ago, oldest first. */
  uint64_t past_acked[2][ING_PATIENCE_STEPS + 1];
  uint64_t past_seen[2][ING_PATIENCE_STEPS + 1];
} ing_held;

typedef struct ing_conn {
  ingest_addr addr[2];
  void *user;
  ing_dir dir[2];
  ing_held *held;
  ing_history *history[2]; /* histories by side; may be NULL */
  ing_recents recents;
  struct ing_conn *twin_prev, *twin_next; /* ring of connections with the same ends, or NULL */
  uint32_t lane[ING_LANES];               /* the VLANs and tunnels of its packets: lanes.c */
  uint8_t num_lanes;
  struct ing_conn *older, *newer;         /* neighbours in order of the last packet */
  struct ing_conn *fade_prev, *fade_next; /* neighbours in `dying` or `closed_list` */
  uint64_t deadline; /* packet count at which the connection leaves that list */
  uint64_t born;     /* number of the first packet */
  ingest_ends ends;
  uint32_t rst_at;
  uint32_t rst_pos; /* low 32 bits of the position of the RST, or 0 */
  /* sequence number after the octets that its sender had sent when the RST came */
  uint32_t rst_sent;
  uint32_t rst_peer_sent; /* `rst_sent` of the other side */
  uint32_t packets;       /* packets of the connection */
  uint8_t limit;          /* ingest_limit that cost it octets, or ended it */
  bool rst : 1;
  bool rst_ahead : 1;      /* the number of the RST lies past all that its sender had sent */
  bool opened : 1;         /* OPEN was given out */
  bool closing : 1;        /* the connection closes: everything comes out now */
  bool evict_on_close : 1; /* the CLOSE forgets the connection */
  bool closed : 1;         /* CLOSE was given out; late packets are still recognised */
  unsigned sides : 2;      /* sides with a segment with octets in the capture, as bits */
  bool settled[2]; /* ing_next_is held of this side once, and since then it sent only such segments
                    */
} ing_conn;

/* A direction of a connection over IPv4, by both ends as they lie in a packet, and by the lane of
 * the packet. */
typedef struct ing_way {
  ing_conn *conn; /* may be NULL */
  uint64_t hosts;
  uint32_t ports;
  uint32_t lane;
  uint32_t side;
} ing_way;

enum { ING_WAYS = 256 }; /* a power of 2 */

typedef struct ing_fade {
  ing_conn *first, *last;
} ing_fade;

/* Connections in order of their last packet. */
typedef struct ing_order {
  ing_conn *oldest, *newest;
} ing_order;

/* Connections by their ends, in order of creation, and in order of their last packet. */
typedef struct ing_table {
  const ingest_alloc *alloc;
  uint64_t *steps;
  uint64_t hash_key[2];
  struct ing_entry *first;
  size_t count;
  size_t num_twins; /* connections that were made beside another one with the same ends */
  size_t max;       /* bound of `count` */
  ing_order both;   /* connections with octets of both sides */
  ing_order lone;   /* the other connections, which are given up first */
  ing_fade dying, closed_list;
  ing_way ways[ING_WAYS]; /* some of the directions, so that they are found at once */
} ing_table;

/* Octets of the segment that found no memory, to be tried again. */
typedef struct ing_unkept {
  ing_block block;
  ing_reassembly *(*list)(ing_held *held, unsigned side);
  uint8_t side;
} ing_unkept;

struct ingest {
  ingest_alloc alloc;
  ingest_wanted wanted;
  ingest_packets packets;
  ingest_opening (*opening)(const uint8_t *data, size_t len); /* may be NULL, as in ingest_cfg */
  ingest_stats stats;
  ing_budget budget;
  ing_histories histories;
  ing_table table;
  decap_paths paths;
  ing_walk walk; /* walk of the current packet */
  /* fragments of captured packets, and of packets inside tunnels */
  ing_frags *frags[ING_FRAGS_DEPTH];
  struct ing_sctp *sctp; /* made when first needed */
  size_t sctp_max;       /* associations known at a time */
  ing_segment seg;
  ing_origin now;   /* the current packet */
  bool seg_pending; /* seg has not found its connection yet */
  uint8_t seg_side; /* side of the connection that sent `seg` */
  uint64_t turn;    /* turn of the events that come now: ingest_turn */
  bool finishing;
  bool prompt;           /* same as in ingest_cfg */
  bool at_once;          /* same as in ingest_cfg */
  bool forced;           /* ing_deliver gives out octets that would wait, since too much is held */
  bool frags_refused;    /* memory was missing for a fragment */
  size_t caplen_max;     /* octets of the longest packet captured */
  size_t caplen_snapped; /* octets of the shortest packet that was cut: below `caplen_max`, full
                            copies may exist */
  ing_conn *next; /* connection of `due`, the next segment in order, which is to be given out */
  ingest_segment due;
  size_t hold;            /* octets of `due` that are to be held once it is taken */
  ingest_held_as hold_as; /* reason to hold them */
  ing_reopen *reopened;   /* the first segment of the connection of seg, which is not made yet */
  /* reopened connection that was taken last: the last event may lend out its octets */
  ing_reopen *taken;
  ing_conn *seg_for;    /* connection that is to take `seg` */
  ing_conn *active;     /* the connection that may have more to say */
  ing_block *spent;     /* block that the last event lends out */
  ing_conn *gone;       /* connection whose CLOSE was the last event */
  ing_conn *short_of;   /* connection of the segment that found no memory */
  ing_unkept unkept[2]; /* captured octets, and a range that was cut off */
  uint8_t num_unkept;
  ing_conn *given; /* connection of the octets that came out last */
  /* block of the octets that came out last; NULL: octets of the current packet */
  const ing_block *given_block;
  const uint8_t *given_data; /* the octets that came out last */
  size_t given_len;          /* length of these octets */
  uint8_t given_side;        /* sender of these octets */
  ing_conn *differs;         /* connection of `difference`, which is to be given out */
  ing_conflict conflict;     /* copies that differ in the fragments of the current packet */
  ing_conn *conflict_for;    /* connection that gets `conflict` */
  ing_difference difference; /* octets of the current segment that differ from earlier ones */
  uint64_t second_pos;       /* position of the first octet of the segment */
  ingest_copy accepted;
};

/* --- table.c --- */
static inline bool ing_addr_equal(const ingest_addr *a, const ingest_addr *b) {
  if (a->port != b->port || a->family != b->family) {
    return false;
  }
  return memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

/* ing_table_find returns the connection between the two ends of a segment, or NULL. Of several with
 * the same ends it returns the first one, or the one that has the lane of the segment. */
ing_conn *ing_table_find(const ing_table *table, const ing_segment *seg);
/* ing_table_find_twin returns the connection that was made beside another one for this lane, or
 * NULL. */
ing_conn *ing_table_find_twin(const ing_table *table, const ing_segment *seg);
/* ing_table_evictee returns the connection to give up before another is added, when there are too
 * many, or NULL. */
ing_conn *ing_table_evictee(const ing_table *table);
/* ing_table_oldest returns the connection that was made first, or NULL. */
ing_conn *ing_table_oldest(const ing_table *table);
/* ing_table_add makes a connection with seg's sender as side 0, beside one with the same ends or
 * NULL. It returns NULL when there is no memory. */
ing_conn *ing_table_add(ing_table *table, const ing_segment *seg, ing_conn *beside);
void ing_table_remove(ing_table *table, ing_conn *conn);
/* ing_table_stalls returns the stalls of a connection, which it makes if need be; NULL: no memory.
 */
ingest_stalls *ing_table_stalls(const ing_table *table, ing_conn *conn);
/* ing_table_renew makes a connection the last one heard of, which it is not yet; octets of these
 * sides, as bits, were captured. */
void ing_table_renew(ing_table *table, ing_conn *conn, uint8_t sides);
/* ing_table_touch marks the connection as the last one heard of, by a segment of `side` with octets
 * or not. */
static ING_INLINE void ing_table_touch(ing_table *table, ing_conn *conn, unsigned side,
                                       bool octets) {
  const uint8_t sides = (uint8_t)(conn->sides | (octets ? 1u << side : 0u));
  const ing_order *order = sides == ING_BOTH ? &table->both : &table->lone;
  if (conn != order->newest || sides != conn->sides) {
    ing_table_renew(table, conn, sides);
  }
}
/* ing_table_silent returns the connection that is to be given up first: a closed one, else the
 * longest silent one of which no side has answered the other, else the longest silent. */
ing_conn *ing_table_silent(const ing_table *table);
/* ing_table_way returns the only place where the direction between these ends may stand. Whoever
 * writes a capture can make directions share one, which costs those no more than the table does. */
static inline ing_way *ing_table_way(ing_table *table, uint64_t hosts, uint32_t ports,
                                     uint32_t lane) {
  const uint64_t mixed = (hosts ^ ports ^ (uint64_t)lane << 32) * UINT64_C(0x9e3779b97f4a7c15);
  return &table->ways[mixed >> 56 & (ING_WAYS - 1)];
}
/* ing_table_keep_way puts what `side` sends in the lane into its place. */
void ing_table_keep_way(ing_table *table, ing_conn *conn, unsigned side, uint32_t lane);
/* ing_table_forget_ways empties the places of the connection's directions in the lane. */
void ing_table_forget_ways(ing_table *table, const ing_conn *conn, uint32_t lane);
void ing_fade_add(ing_fade *fade, ing_conn *conn, uint64_t deadline);
void ing_fade_remove(ing_fade *fade, ing_conn *conn);

/* --- lanes.c --- */
/* ing_lanes_has returns true if packets of the lane are the connection's. */
static inline bool ing_lanes_has(const ing_conn *conn, uint32_t lane) {
  size_t i = 0;
  while (i < conn->num_lanes && conn->lane[i] != lane) {
    i++;
  }
  return i < conn->num_lanes;
}
/* ing_lanes_find returns the connection of the segment, or NULL; then *beside is one with the same
 * ends, or NULL. */
ing_conn *ing_lanes_find(ing_table *table, const ing_segment *seg, ing_conn **beside);
/* ing_lanes_add notes that packets of a lane are the connection's, as long as there is room. */
static inline void ing_lanes_add(ing_conn *conn, uint32_t lane) {
  if (conn->num_lanes < ING_LANES && !ing_lanes_has(conn, lane)) {
    conn->lane[conn->num_lanes++] = lane;
  }
}

/* --- outside.c --- */
/* ing_outside counts the packet of a segment that fits no connection as far as that was captured.
 */
void ing_outside(ingest *ing, uint64_t packet);
/* ing_outside_end counts the packet of the current segment if it has octets past the FIN or the RST
 * of its side, which are dropped. */
void ing_outside_end(ingest *ing, const ing_conn *conn);
/* ing_outside_late counts the packet of the current segment of a closed connection, unless the side
 * had sent all of its octets. */
void ing_outside_late(ingest *ing, const ing_conn *conn);

/* --- reuse.c --- */
/* ing_is_done returns true if no event but a CLOSE can come any more. */
static inline bool ing_is_done(const ing_conn *conn) {
  return conn->closed || (conn->dir[0].ended && conn->dir[1].ended);
}
/* ing_unwrap returns the position with these low 32 bits that is nearest to `near`. */
static inline uint64_t ing_unwrap(uint64_t near, uint32_t seq) {
  uint32_t delta = seq - (uint32_t)near;
  return delta < 0x80000000u ? near + delta : near - (uint32_t)(0u - delta);
}

/* ing_is_over says whether both sides have left it: only late copies of what was sent before can
 * come. */
bool ing_is_over(const ing_conn *conn);
/* ing_reused says whether the segment belongs to a later connection between the same two ends. */
bool ing_reused(const ing_conn *conn, unsigned side, const ing_segment *seg);
/* ing_older says whether the segment answers an earlier connection between the same two ends: the
 * other side sent a SYN and nothing after it, and this one acknowledges something else. RFC 9293
 * 3.5.1 */
bool ing_older(const ing_conn *conn, unsigned side, const ing_segment *seg);

/* ing_jumps says whether the number lies outside all that the side sent; *far: by more than may be
 * missing. */
bool ing_jumps(const ing_dir *d, uint32_t number, bool *far);
/* ing_both_jump says whether both numbers of the segment jump, one of them far. */
bool ing_both_jump(const ing_conn *conn, unsigned side, const ing_segment *seg);
/*
 * ing_elsewhere says whether the segment, which has no octets, lies in another connection for all
 * that is known: both of its numbers lie outside of what was sent, one of them far. It shows
 * nothing then; where the capture lacks so much, the next octets show that.
 */
bool ing_elsewhere(const ing_conn *conn, unsigned side, const ing_segment *seg);

/* --- reopen.c --- */
/* ing_reopen_answered says whether the current segment, which `side` sends, answers the one that
 * waits: another connection has begun with that. */
bool ing_reopen_answered(const ingest *ing, const ing_conn *conn, unsigned side);
/* ing_reopen_waits says whether the current segment waits as the first one of another connection,
 * or adds nothing to one that does. */
bool ing_reopen_waits(ingest *ing, ing_conn *conn, unsigned side);
/*
 * ing_reopen_syn_waits says whether the current segment is a SYN that waits for its answer: the
 * earlier connection may go on. Anybody can send a SYN, and the other side then only acknowledges
 * what it has. RFC 5961 4
 */
bool ing_reopen_syn_waits(ingest *ing, ing_conn *conn, unsigned side);
/* ing_reopen_detach returns the segment that waits, or NULL; it does not wait any longer. */
ing_reopen *ing_reopen_detach(ing_conn *conn);
/* ing_reopen_return returns the segment that waits if the connection that it found is to take it:
 * any segment except a SYN. */
ing_reopen *ing_reopen_return(ing_conn *conn);
/* ing_reopen_rest takes the second segment away and returns it, or NULL. */
ing_reopen *ing_reopen_rest(ing_reopen *r);
/* ing_reopen_take gives it to a connection, as ing_take does; ing->taken is to be freed then. */
bool ing_reopen_take(ingest *ing, ing_conn *conn, ing_reopen *r, ingest_event *ev);

/* --- rst.c --- */
/* ing_rst_counts says whether TCP would accept the RST: not one of an earlier connection with the
 * same ports, nor one far outside the window. */
bool ing_rst_counts(const ing_conn *conn, unsigned side, const ing_segment *seg);
/* ing_fin_counts says whether TCP would accept a FIN without octets: neither of its numbers lies
 * far outside. */
bool ing_fin_counts(const ing_conn *conn, unsigned side, const ing_segment *seg);
/* ing_rst_note notes the first RST. */
void ing_rst_note(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos);
/* ing_rst_pos returns the position of the RST in the direction of its sender. */
static inline uint64_t ing_rst_pos(const ing_conn *conn) {
  return ing_unwrap(conn->dir[conn->ends.rst_side].next, conn->rst_pos);
}
/* ing_rst_check takes an RST back where the current segment shows that its sender goes on: beyond
 * it, below it after an answer to what it sent since, or with an acknowledgment of what the other
 * side sent after it. */
void ing_rst_check(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos);

/* --- fragments.c --- */
/* ing_fragment_open takes a fragment that was captured (`depth` 0), or that another packet in
 * fragments holds (1). It returns true if the packet is complete: then *ip is the whole of it,
 * valid until the next call with the same `depth`. */
bool ing_fragment_open(ingest *ing, ing_ip *ip, unsigned depth);
/* ing_fragments_lost returns true if octets between the two hosts may have been given up with
 * packets in fragments. */
static inline bool ing_fragments_lost(const ingest *ing, uint8_t family, const uint8_t a[16],
                                      const uint8_t b[16]) {
  bool lost = ing->frags_refused;
  for (size_t i = 0; i < ING_FRAGS_DEPTH; i++) {
    lost = lost || (ing->frags[i] != NULL && ing_frags_lost(ing->frags[i], family, a, b));
  }
  return lost;
}
/* ing_conflict_give makes the event of copies in fragments that differ. */
void ing_conflict_give(ingest *ing, ing_conn *conn, ingest_event *ev);

/* --- reassembly_limits.c --- */
/* ing_reopen_free gives a segment that waits back; *r may be NULL. */
void ing_reopen_free(ingest *ing, ing_reopen **r);
/* ing_settle forgets what is held of a direction below its next octet, which good octets moved on
 * or not. */
void ing_settle(ingest *ing, ing_conn *conn, unsigned side, bool by_good);
/* ing_purge forgets all that is held of a direction. */
void ing_purge(ingest *ing, ing_conn *conn, unsigned side);
/* ing_drop_suspects forgets the held segments with a bad checksum. */
void ing_drop_suspects(ingest *ing, ing_conn *conn, unsigned side);
/* ing_reassembly_free forgets all that is held of a connection. */
void ing_reassembly_free(ingest *ing, ing_conn *conn);
/* ing_too_much says whether the connection has to let go of something. */
bool ing_too_much(const ingest *ing, const ing_conn *conn);

/* --- icmp.c --- */
/* An error of ICMP about a segment of TCP. */
typedef struct ing_icmp {
  ingest_icmp_kind kind;
  ingest_addr src; /* sender of the segment */
  ingest_addr dst;
  uint32_t seq;
  uint32_t mtu;  /* MTU of ingest_icmp */
  bool by_host;  /* same meaning in ingest_icmp */
  uint32_t lane; /* lane of the packet with the error */
} ing_icmp;
/* ing_icmp_open reads such an error in a packet; false: the packet holds no error. */
bool ing_icmp_open(ing_icmp *out, const ing_decap *d, decap_end end);
/* ing_icmp_take notes an error for the connection of the segment, if that is known. */
void ing_icmp_take(ingest *ing, const ing_icmp *message);
/* ing_icmp_close sets `open` of the errors of a connection. */
void ing_icmp_close(ing_conn *conn);

/* --- input.c --- */
/* ing_show_wanted shows the packet of the current segment to the caller, who wants to see it. */
void ing_show_wanted(const ingest *ing, ing_conn *conn, bool duplicate);
/* ing_show shows the packet of the current segment to the caller, who may want to see it. */
static inline void ing_show(const ingest *ing, ing_conn *conn, bool duplicate) {
  if (ing->packets.each != NULL) {
    ing_show_wanted(ing, conn, duplicate);
  }
}
/* ing_take gives the current segment to its connection; true with *ev when its octets can go out at
 * once. */
bool ing_take(ingest *ing, ing_conn *conn, ingest_event *ev);

/* ing_need_held returns conn->held and makes it first if it is NULL. It returns NULL if memory runs
 * out. */
ing_held *ing_need_held(ingest *ing, ing_conn *conn);

/* ing_hold keeps the last `left` of the octets that came out last, until they are acknowledged. */
void ing_hold(ingest *ing, ingest_held_as as, size_t left);

/* ing_keep_again tries to keep the octets that found no memory; false if there is still no
 * memory. */
bool ing_keep_again(ingest *ing, ing_conn *conn);

/* --- copies.c --- */
/*
 * ing_like_padding says whether `len` octets of payload may be the padding of a bare
 * acknowledgment: an Ethernet frame has at least 60 octets, and some capture programs count the
 * zeros that fill it up. A sender of so few octets sets PSH.
 */
static inline bool ing_like_padding(uint8_t flags, const uint8_t *payload, size_t len) {
  static const uint8_t zeros[ING_PADDING_MAX] = {0};
  return len - 1u < ING_PADDING_MAX && (flags & (ING_PSH | ING_FIN)) == 0 &&
         memcmp(payload, zeros, len) == 0;
}
/* ing_copies_usable compares the octets of the current segment, which begins at `pos`, with earlier
 * copies; false where the receiver had accepted others, so that these are not used. */
bool ing_copies_usable(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos);
/* ing_copies_equal returns true if no captured copy of the octets of the current segment differs.
 */
bool ing_copies_equal(ingest *ing, const ing_conn *conn, unsigned side);
/* ing_given notes which octets come out, so that they can be held. They are octets of the current
 * packet, or of a block that waited. */
static inline void ing_given(ingest *ing, ing_conn *conn, unsigned side, const uint8_t *data,
                             size_t len, const ing_block *block) {
  ing->given = conn;
  ing->given_block = block;
  ing->given_side = (uint8_t)side;
  ing->given_data = data;
  ing->given_len = len;
}
/* ing_may_wait says whether the octets of the side that came out last may be held: its receiver,
 * which was seen, did not acknowledge them. */
static inline bool ing_may_wait(const ingest *ing, const ing_conn *conn, unsigned side) {
  return !ing->at_once && conn->dir[side ^ 1u].present &&
         conn->dir[side].acked < conn->dir[side].next;
}
/* ing_copies_came keeps octets that came out. */
void ing_copies_came(ingest *ing, ing_conn *conn, unsigned side, const uint8_t *data, uint64_t len,
                     const ing_origin *from);
/* ing_copies_note_sack notes what the current segment, sent by `side`, shows that its sender lacks.
 */
void ing_copies_note_sack(ingest *ing, ing_conn *conn, unsigned side);
/* ing_copies_free forgets the delivered octets of a connection. */
void ing_copies_free(ingest *ing, ing_conn *conn);
/* ing_copies_forget forgets the delivered octets of a side. */
void ing_copies_forget(ingest *ing, ing_conn *conn, unsigned side);

/* --- next.c --- */
/* ing_is_shut says whether the latest window of a side was 0. */
static inline bool ing_is_shut(const ing_conn *conn) {
  const ingest_stalls *w = conn->ends.stalls;
  return w != NULL && (w->now[0].first != 0 || w->now[1].first != 0);
}

/*
 * ing_next_is returns true if the segment is the next one of a direction of which no octets wait.
 * It acknowledges delivered octets, and has no flag but ACK and PSH. *ack is set to the position
 * that it acknowledges. The answer about the connection is kept until another segment comes.
 */
bool ing_next_is(ing_conn *conn, unsigned side, const ing_segment *seg, uint64_t *ack);
/* ing_next_unsettle says that something else than such a segment comes. */
static inline void ing_next_unsettle(ing_conn *conn) {
  conn->settled[0] = conn->settled[1] = false;
}
/* ing_next_event gives out the octets of such a segment: what ing_take does with it. */
void ing_next_event(ingest *ing, ing_conn *conn, unsigned side, ingest_event *ev);
/* ing_next_take takes the next segment without an event, with `len` octets at `data`. */
void ing_next_take(ingest *ing, ing_conn *conn, unsigned side, const uint8_t *data, size_t len);
/* ing_next_open takes a packet that is such a segment of a direction that has its place in the
 * table's ways, or acknowledges alone. Returns false if it has to be looked at by all its headers,
 * which ing->walk has if it took them off. */
bool ing_next_open(ingest *ing, const ingest_packet *pkt);

/* --- deliver.c --- */
/* ing_deliver returns the next event of a connection, if it can come out now. */
bool ing_deliver(ingest *ing, ing_conn *conn, ingest_event *ev);
/* ing_awaits returns true if octets are missing that their sender has to send again: they are not
 * acknowledged, and no RST ended the connection. */
bool ing_awaits(const ing_conn *conn);
/* ing_is_quiet says whether there is nothing to wait for and nothing to end: by far the most
 * frequent case. */
static inline bool ing_is_quiet(const ing_conn *conn) {
  return conn->held == NULL && !conn->closing && !conn->rst && conn->dir[0].fin == ING_NONE &&
         conn->dir[1].fin == ING_NONE;
}
/* ing_blocked says whether octets that acknowledge `ack` have to wait for the opposite side's. */
bool ing_blocked(const ing_conn *conn, unsigned side, uint64_t ack);
/* ing_event_fill sets what every event carries. */
void ing_event_fill(ingest *ing, ing_conn *conn, ingest_event *ev, ingest_event_kind kind,
                    unsigned side);
/* ing_event_data makes a DATA event of the next `len` octets and goes past them. */
void ing_event_data(ingest *ing, ing_conn *conn, ingest_event *ev, unsigned side,
                    const uint8_t *data, uint64_t len, const ing_origin *from, bool segment_start);

#endif
