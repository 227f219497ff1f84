/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets in, octet streams of TCP connections out. Knows no iWARP; allocates only through the
 * caller. */
#ifndef INGEST_INGEST_H
#define INGEST_INGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ingest/encap.h>

/*
 * Positions: every octet of a direction has a 64-bit position whose low 32 bits are its TCP
 * sequence number; positions grow through sequence number wraps.
 */
#define INGEST_POS_UNKNOWN UINT64_MAX

/** Limits, per connection and in all. Nothing grows beyond them whatever a capture holds. */
#define INGEST_HELD_MAX                                                                            \
  (1024u * 1024u) /* octets held back per connection until a hole before them is filled */
#define INGEST_CONNS_MAX                                                                           \
  65536u /* TCP connections known at a time, unless ingest_cfg says otherwise; the longest silent  \
            one is given up first */

/** ingest is an engine: packets in, events out. */
typedef struct ingest ingest;

/** ingest_alloc is where all memory comes from. `get` may return NULL: then the longest silent
 * connections are given up until it returns memory; their CLOSE has the limit. If there is still no
 * memory, the CLOSE of the connection that lost octets has the limit. */
typedef struct ingest_alloc {
  void *ctx;
  void *(*get)(void *ctx, size_t size);
  void (*put)(void *ctx, void *ptr, size_t size);
} ingest_alloc;

/** ingest_limit is the limit that ended the following of a connection, or cost it octets. */
typedef enum ingest_limit {
  INGEST_LIMIT_NONE = 0,
  INGEST_LIMIT_CONNECTIONS, /* connections or associations known at a time */
  INGEST_LIMIT_MEMORY,      /* the memory of `alloc` */
  INGEST_LIMIT_HELD_OCTETS, /* octets, segments or chunks that wait for missing ones */
  INGEST_LIMIT_FRAGMENTS,   /* IP packets in fragments at a time */
  INGEST_LIMIT_MESSAGE      /* octets or chunks of one SCTP message */
} ingest_limit;

/** ingest_limit_name returns "connections", "memory", "held-octets", "fragments", "message", or
 * NULL for NONE. */
const char *ingest_limit_name(ingest_limit limit);

/** ingest_packet is one captured packet. */
typedef struct ingest_packet {
  const uint8_t *data;
  size_t caplen; /* octets at data */
  size_t len;    /* octets on the wire */
  int link_type; /* LINKTYPE_ value as in the file (DLT of libpcap accepted for the same) */
  ingest_tunnels *tunnels; /* further UDP ports of tunnels, or NULL */
  uint64_t number;         /* 1-based */
  uint64_t time_ns;        /* time since the epoch */
} ingest_packet;

/** ingest_wanted says which TCP connections are followed, where a capture is split over several
 * engines: one that is not wanted makes no event. `is` NULL: all of them. */
typedef struct ingest_wanted {
  void *ctx;
  bool (*is)(void *ctx, const ingest_addr addr[2]);
} ingest_wanted;

/** ingest_seen is a packet of a TCP connection, by its headers. */
typedef struct ingest_seen {
  void **user;             /* the consumer's pointer for this connection */
  const ingest_addr *addr; /* same as in ingest_event */
  uint64_t packet;         /* number of the packet */
  uint64_t time_ns;        /* time of the packet */
  uint64_t len;            /* octets of payload by the IP header */
  uint64_t cap;            /* captured octets of payload */
  uint32_t seq;
  uint16_t window;     /* window of the TCP header */
  uint8_t flags;       /* flags of the TCP header: FIN 0x01, SYN 0x02, RST 0x04, ACK 0x10 */
  uint8_t side;        /* sender of the packet */
  bool duplicate;      /* the packet was captured before */
  bool checksum_wrong; /* the TCP checksum is wrong */
} ingest_seen;

/** ingest_packets gets each packet of each TCP connection between its OPEN and its CLOSE, before
 * the events that the packet causes. The CLOSE of a connection that ended comes 65,536 packets
 * later then, since its last packets come after its last event. `each` NULL: no packet is shown. */
typedef struct ingest_packets {
  void *ctx;
  void (*each)(void *ctx, const ingest_seen *seen);
} ingest_packets;

/** ingest_opening is what a segment of TCP may begin with, where its octets are known to somebody:
 * so a connection is known whose SYNs the capture lacks, between two ends that had one before. */
typedef enum ingest_opening {
  INGEST_OPENING_NONE = 0,
  INGEST_OPENING_REQUEST,      /* the whole first message of a connection, alone */
  INGEST_OPENING_REQUEST_PART, /* the beginning of that message, long enough to be sure */
  INGEST_OPENING_REPLY         /* the message that answers it, or a beginning that is long enough */
} ingest_opening;

/**
 * ingest_cfg is what an engine is made with. `hash_key` keys the tables of connections, so that no
 * author of a capture can foresee their shape; no event depends on it.
 */
typedef struct ingest_cfg {
  ingest_alloc alloc;
  ingest_wanted wanted;
  ingest_packets packets;
  ingest_opening (*opening)(const uint8_t *data, size_t len); /* NULL: no openings are known */
  uint64_t hash_key[2];
  size_t conns_max; /* TCP connections known at a time, and SCTP associations; 0: INGEST_CONNS_MAX
                       and INGEST_SCTP_ASSOCS_MAX. SIZE_MAX: as many as there is memory for */
  /* messages over SCTP come out as soon as they can, before later packets prove more */
  bool prompt;
  uint64_t copies_max; /* delivered octets that are kept, to compare copies with them; 0: 16 MiB */
  bool at_once; /* no octets and no messages wait for their acknowledgment, which would choose
                   between copies */
} ingest_cfg;

typedef enum ingest_event_kind {
  INGEST_EVENT_OPEN = 0, /* a connection is seen for the first time; *user is NULL */
  INGEST_EVENT_DATA,     /* the next octets of a direction, in order */
  INGEST_EVENT_GAP,      /* the next `len` octets of a direction are not in the capture */
  INGEST_EVENT_END,      /* a direction ended */
  INGEST_EVENT_CLOSE,    /* the connection is forgotten after this event: release *user */
  INGEST_EVENT_DIFFER    /* two captured copies of the same octets differ */
} ingest_event_kind;

/** ingest_copy says which of two copies that differ the receiver accepted. */
typedef enum ingest_copy {
  INGEST_COPY_UNKNOWN = 0, /* no acknowledgment shows it */
  INGEST_COPY_FIRST,       /* acknowledged before the second copy was captured */
  INGEST_COPY_SECOND       /* a SACK showed that the receiver lacked the first copy, or that one
                              came in a cut packet and a whole packet differs */
} ingest_copy;

typedef enum ingest_end { INGEST_END_FIN = 0, INGEST_END_RST, INGEST_END_CAPTURE } ingest_end;

/** ingest_mark is a packet that is remembered. */
typedef struct ingest_mark {
  uint64_t packet; /* number of the packet; 0: no such packet */
  uint64_t time_ns;
} ingest_mark;

/** ingest_resent counts segments. */
typedef struct ingest_resent {
  uint64_t segments;
  uint64_t packet; /* the first one; 0: no such packet */
} ingest_resent;

/** ingest_alone is what a side sent again since the other side was last heard, but for an RST:
 * octets, a FIN, or a probe for a side that may be gone. */
typedef struct ingest_alone {
  uint64_t segments; /* 0: no segments, and the other members are not set */
  ingest_mark first;
  ingest_mark latest;
} ingest_alone;

/** ingest_shut is a time in which a side offered no room in its TCP window. Packets with SYN or
 * RST, and with a wrong checksum, do not count. */
typedef struct ingest_shut {
  uint64_t first; /* packet with the first window of 0; 0: no packet has it */
  uint64_t last;  /* packet with the next other window, or the latest packet so far */
  uint64_t since_ns;
  uint64_t ns;
  bool open; /* the window is still 0 */
} ingest_shut;

/** ingest_icmp_kind is what an error of ICMP says. RFC 792, RFC 1812 5.2.7, RFC 4443 3 */
typedef enum ingest_icmp_kind {
  INGEST_ICMP_NONE = 0,
  INGEST_ICMP_NETWORK,    /* no route to the network */
  INGEST_ICMP_HOST,       /* the host is not there */
  INGEST_ICMP_PROTOCOL,   /* the host has no TCP */
  INGEST_ICMP_PORT,       /* nothing has the port; of TCP only firewalls say so */
  INGEST_ICMP_PROHIBITED, /* a firewall does not let it pass */
  INGEST_ICMP_TIME,       /* the time to live ran out on the way: a loop of routes */
  INGEST_ICMP_TOO_BIG     /* the packet is longer than a link on the way carries */
} ingest_icmp_kind;

/** ingest_icmp_words returns "host unreachable" and the like, or NULL for NONE. */
const char *ingest_icmp_words(ingest_icmp_kind kind);

/** ingest_icmp is the errors of ICMP of the latest kind about segments of a side. Each quotes a
 * segment that the side had sent; who sent the error is not proven. */
typedef struct ingest_icmp {
  ingest_icmp_kind kind; /* NONE: no error came, and the other members have no meaning */
  uint64_t first;        /* packet of the first error */
  uint64_t latest;       /* packet of the latest error */
  uint64_t pos;          /* position of the segment that the latest error quotes */
  uint32_t mtu;          /* TOO_BIG: octets of a packet that fits, or 0 */
  bool by_host;          /* the error has the address of the other side */
  bool open;             /* CLOSE: the segment was never acknowledged */
} ingest_icmp;

/** ingest_stalls is what stopped a connection for a time, by side: windows of 0, the longest time
 * and the present one, what was sent again, and what ICMP says of it: packets that are too big, and
 * all else. */
typedef struct ingest_stalls {
  ingest_shut longest[2];
  ingest_shut now[2]; /* `first` 0: the latest window is not 0 */
  ingest_alone alone[2];
  uint64_t again[2];          /* packet of the latest segment that `again` or `late` counts */
  ingest_icmp unreachable[2]; /* errors of ICMP about segments of a side, but for `too_big` */
  ingest_icmp too_big[2];     /* errors of ICMP about packets of a side that are too big */
} ingest_stalls;

/**
 * ingest_ends is how a connection ends, as far as the capture shows it by now: the packets with
 * the FINs and the RST themselves, whereas an END comes where it is certain that no octet is
 * missing before it. The mark of a FIN names the first packet that has it.
 */
typedef struct ingest_ends {
  ingest_mark fin[2]; /* FIN of each side */
  ingest_mark rst;
  uint8_t rst_side; /* the sender of the RST, where there is one */
  bool heard[2];    /* a packet of this side is in the capture */
  bool met[2];      /* a packet of the other side shows that this side sent some */
  bool reused;      /* the two ports were used again: the connection is over since then at least */
  /* Segments, by side, that begin before octets which the side had sent by then: of octets that had
   * come out, so that they were sent again; or else of others, sent again or overtaken. */
  ingest_resent again[2];
  ingest_resent late[2];
  ingest_stalls *stalls; /* NULL: the connection was never stopped, or there was no memory */
  ingest_mark last;      /* the last packet with payload, SYN, FIN or RST */
  uint8_t last_side;     /* sender of `last`, where there is one */
} ingest_ends;

/**
 * ingest_event is one thing that happened on one connection. Pointers are valid until the next
 * call.
 *
 * DIFFER comes for octets that came out, or that wait to come out, also after the END: `pos` and
 * `len` cover the octets from the first to the last one that differs. `first` is the packet of the
 * first copy, and `packet` is the packet of the second copy. `copy` holds all octets of the second
 * copy, from position `copy_pos` on. Copies in fragments of one IP packet come without `copy`, and
 * with a `len` of 0 where the header of the segment alone differs.
 *
 * OPEN comes first. DATA and GAP of a side follow one another without a break in `pos`. Octets that
 * acknowledge octets of the other side come after these, or after the gap in their place. Each side
 * has exactly one END (`pos` is INGEST_POS_UNKNOWN when it has no start); CLOSE comes after both,
 * and nothing after it, whatever late packets follow.
 */
typedef struct ingest_event {
  ingest_event_kind kind;
  ingest *from; /* the engine that made the event */
  void **user;  /* the consumer's pointer for this connection */
  /* [0] and [1]: the two sides. Side 0 is the client (sender of the SYN) where the SYN or SYN+ACK
   * was seen, else the sender of the first packet. */
  const ingest_addr *addr;
  uint8_t side;        /* DATA, GAP, END: side of the octets; else 0 */
  const uint8_t *data; /* DATA */
  uint64_t len;        /* DATA, GAP, DIFFER: octets */
  /* DATA, GAP, DIFFER: position of the first octet; END: of the one that would follow */
  uint64_t pos;
  bool start_known; /* `start` is the first octet after this side's SYN */
  uint64_t start;   /* position at which this side's stream begins to be delivered */
  /* Number and time of the packet that supplied the octets; of a GAP or END: at which it became
   * certain. */
  uint64_t packet;
  uint64_t time_ns;
  /*
   * DATA, END by a FIN: position in the opposite stream up to which the sender had received it when
   * it sent this, or UNKNOWN. That is what the segment acknowledges: TCP acknowledges with every
   * segment all that was received, so that acknowledgments in packets of their own add nothing. Of
   * octets that were sent again it is the least position that a captured copy acknowledges. A
   * captured segment with later octets counts as a copy: they were first sent no sooner. Of a FIN
   * after a packet that has a sequence number past it, or one that is damaged, UNKNOWN: it is not
   * the first copy. END by an RST: what the sender of the RST had acknowledged, where nothing lacks
   * before it; of the other side UNKNOWN.
   */
  uint64_t peer_pos;
  bool segment_start; /* DATA: the first octet begins a TCP segment's payload */
  /* DATA: no copy with a good TCP checksum is in the capture, though this sender's checksums are
   * good elsewhere: the receiver got other octets than these. */
  bool damaged;
  /* DATA: the receiver may have accepted another copy, which was captured too and differs. */
  bool differ;
  /* DATA: the octets are not acknowledged yet, so that another copy may come: ingest_hold. */
  bool may_wait;
  ingest_copy accepted; /* DIFFER */
  ingest_mark first;    /* DIFFER, as the next three */
  const uint8_t *copy;
  size_t copy_len;
  uint64_t copy_pos;
  bool snapped; /* GAP: the octets were cut off by the snapshot length, rather than lost */
  ingest_end end;
  /* As far as packets were read: in a CLOSE all that will be known. The same place in all events of
   * a connection, valid until after its CLOSE. */
  const ingest_ends *ends;
  /* CLOSE, by side: octets that the side sent and that the other side, of which a packet is in the
   * capture, did not acknowledge. */
  uint64_t unacknowledged[2];
  /*
   * GAP, CLOSE: the limit that forced it; then what follows may lack octets that were captured. The
   * CLOSE carries the limit that ended the following of the connection (CONNECTIONS, MEMORY), or
   * else the first that cost it octets. A GAP carries none where the receiver acknowledged the
   * octets before, or the snapshot length cut them off: these were not to be expected any more.
   */
  ingest_limit limit;
} ingest_event;

/** ingest_bad counts packets of some kind. */
typedef struct ingest_bad {
  uint64_t packets;
  uint64_t first; /* number of the first packet; 0: no such packet */
} ingest_bad;

/** ingest_bad_count counts the packet with this number if it `is` of the kind. */
static inline void ingest_bad_count(ingest_bad *bad, bool is, uint64_t number) {
  bad->first = is && bad->packets == 0 ? number : bad->first;
  bad->packets += is;
}

/** ingest_stats counts what was met. */
typedef struct ingest_stats {
  uint64_t packets;
  uint64_t octets; /* octets on the wire */
  uint64_t tcp_packets;
  uint64_t ignored;      /* packets that hold no TCP, or TCP that cannot be read */
  uint64_t bad_checksum; /* packets with a wrong checksum of the transport or the IPv4 header */
  /* Packets of `bad_checksum`: of TCP that belong to a connection, and of SCTP. */
  ingest_bad bad_sums[2];
  uint64_t bad_headers[2]; /* packets of `bad_sums` with a wrong checksum of the IPv4 header */
  /* Packets of TCP connections that were captured before. Each further copy counts once, and has no
   * other effect. */
  ingest_bad duplicates;
  ingest_bad outside;    /* segments that fit no connection as far as it was captured */
  ingest_bad bare;       /* packets with payload, of which no octet was captured */
  uint64_t with_payload; /* packets with some captured payload */
  uint64_t dropped;      /* memory ran out, and no connection was left to give up */
  uint64_t connections;
  uint64_t given_up; /* connections of `connections` with a limit in their CLOSE */
  /*
   * Work: nodes of lists and tables visited, keys compared, octets copied, compared or summed; 8
   * octets of memory cleared are one step. It is at most 50 for an octet of input, for any input:
   * captured octets and 16 for the record of each packet.
   */
  uint64_t steps;
  /* Chunks of SCTP packets; 16 octets of a chunk without user data count as one more. Unlike
   * `steps`, it depends on the packets alone. */
  uint64_t chunks;
  /* Counts [0]: of packets that one engine needs where a capture is split, see split.h; [1]: of
   * packets that all engines get: SCTP, and fragments. */
  ingest_encap encap[2];
} ingest_stats;

/** ingest_new makes an engine with memory of `cfg->alloc`; NULL without memory. `cfg` is
 * copied. */
ingest *ingest_new(const ingest_cfg *cfg);
/**
 * ingest_free gives all memory back. Consumers' *user pointers are not touched: call ingest_finish
 * and drain first.
 */
void ingest_free(ingest *ing);

/** ingest_link_known says whether packets of this link type can be read. */
bool ingest_link_known(int link_type);

#define INGEST_LINKS_MAX 32u /* link types that are known, at most */

/** ingest_due says what the caller can ask for after a packet. */
typedef enum ingest_due {
  INGEST_DUE_NOTHING = 0, /* no events */
  INGEST_DUE_EVENT,       /* an event of ingest_next, and then the result of ingest_due_after */
  INGEST_DUE_MORE         /* unknown: ask ingest_next and ingest_sctp_next */
} ingest_due;

/**
 * ingest_push gives the engine a packet, borrowed until ingest_next has returned false; call that
 * until then, or as often as what is returned here says.
 */
ingest_due ingest_push(ingest *ing, const ingest_packet *pkt);

/** ingest_finish says that the capture ends: what is held back comes out, with gaps, ends and
 * closes. */
void ingest_finish(ingest *ing);

/** ingest_next returns the next event; false when another packet is needed. */
bool ingest_next(ingest *ing, ingest_event *ev);

/** ingest_segment is a DATA event that comes alone, by what is new in it: the first octet begins a
 * TCP segment's payload, and they are not damaged. */
typedef struct ingest_segment {
  ingest *from; /* the engine */
  void *user;   /* the consumer's pointer for this connection */
  const uint8_t *data;
  size_t len;
  uint64_t pos;      /* position of the first octet */
  uint64_t packet;   /* number of the packet */
  uint64_t time_ns;  /* time of the packet */
  uint64_t peer_pos; /* position that the sender had received */
  uint8_t side;      /* 0 or 1 */
  bool may_wait;     /* same as in the event */
} ingest_segment;

/** ingest_next_segment shows the event that INGEST_DUE_EVENT announced, and does not take it; valid
 * until the next call. */
const ingest_segment *ingest_next_segment(const ingest *ing);

/** ingest_take_segment takes the segment, in the place of ingest_next. */
void ingest_take_segment(ingest *ing);

/** ingest_due_after returns what there is to be asked for after the event that INGEST_DUE_EVENT
 * announced: NOTHING, unless ingest_hold found no memory for the octets. */
ingest_due ingest_due_after(const ingest *ing);

/** ingest_held_as says why octets are held. WRONG octets are replaced by another copy that comes
 * meanwhile, if nothing shows which copy the receiver accepted. */
typedef enum ingest_held_as { INGEST_HELD_UNPROVEN = 0, INGEST_HELD_WRONG } ingest_held_as;

/**
 * ingest_hold takes the last `left` octets back of the DATA event or the segment that came last,
 * where its `may_wait` is set. They come again when their receiver acknowledges them, or when
 * nothing can be waited for any longer.
 */
void ingest_hold(ingest *ing, ingest_held_as as, size_t left);

/*
 * A capture can be split over several engines, each of which gets the packets of its connections
 * (split.h). They make the same events as one engine, as long as no limit is reached and:
 * - each engine learns of the packets that it does not get;
 * - it gets the first TCP packet of the capture at or after ingest_deadline;
 * - it gets each packet that is the longest or the shortest cut packet so far.
 */

/** ingest_skip says that the next `packets` of the capture are not given to this engine. */
void ingest_skip(ingest *ing, uint64_t packets);

/** ingest_deadline returns the number of the packet from which on a TCP packet of any connection
 * closes one that is over, or UINT64_MAX. A packet of which ingest_push returned that there is at
 * most an event does not change it. */
uint64_t ingest_deadline(const ingest *ing);

#define INGEST_TURN_OWN UINT64_MAX

/** ingest_turn orders the last event of ingest_next among the events of other engines at the same
 * packet, or at the end of the capture: the lower number comes first. OWN: the event belongs to the
 * connection of the packet. An event that INGEST_DUE_EVENT announced is OWN: do not call this for
 * it. */
uint64_t ingest_turn(const ingest *ing);

/** ingest_stats_get returns the counts so far. */
const ingest_stats *ingest_stats_get(const ingest *ing);

#endif
