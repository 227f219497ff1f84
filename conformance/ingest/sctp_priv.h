/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP associations: what is kept of them, and the parts among themselves. */
#ifndef INGEST_SCTP_PRIV_H
#define INGEST_SCTP_PRIV_H

#include <ingest/sctp.h>
#include <uthash.h>

#include "packet.h"

#define SCTP_NONE INGEST_POS_UNKNOWN

enum {
  SCTP_HEADER = 12,
  SCTP_DATA_HEADER = 16,
  SCTP_INIT_HEADER = 20,
  SCTP_PATIENCE_EVERY = 16, /* packets of an association between two looks at what is acked */
  SCTP_PATIENCE_STEPS = 4,  /* looks ago at which it must have been acked to be given up */
  SCTP_LANES = 6,     /* lanes of the list of held chunks: it has room for 4 to the power of this */
  SCTP_HOMES_MAX = 8, /* addresses of a side that are kept */
  SCTP_KEY_WORDS = 6,
  SCTP_PARAM_ADD_IP = 0xC001,
  SCTP_SANE = 1 << 20,         /* TSNs that a sender may be ahead */
  SCTP_OUT_OF_WINDOW_MAX = 16, /* chunks outside of it that prove another numbering */
  SCTP_DYING_PACKETS = 4096,   /* packets of the capture from the end to the close */
  SCTP_WAIT_PACKETS = 64,   /* packets of an association for which a chunk waits for later proof */
  SCTP_WAIT_OCTETS = 65536, /* octets of an association that may be held for it */
  SCTP_WAIT_ALL = INGEST_SCTP_HELD_ALL / 4, /* octets of all associations that may be held for it */
  SCTP_WAIT_CHUNKS = 32,        /* chunks of a side for which a packet may prove something */
  SCTP_WAIT_BLOCKS = 16,        /* blocks of a SACK that are looked at for it */
  SCTP_CAME_MIN = 16,           /* slots for chunks of a side that came out, at first */
  SCTP_CAME_MAX = 256,          /* slots for chunks of a side that came out, at most */
  SCTP_CAME_OCTETS = 64 * 1024, /* octets of these chunks, bookkeeping included */
  SCTP_CONFLICT_HEAD = 32       /* octets of a message that say what it is */
};

enum { SCTP_FLAG_E = 0x01, SCTP_FLAG_B = 0x02, SCTP_FLAG_U = 0x04, SCTP_FLAG_T = 0x01 };

/* RFC 9260 3.2, RFC 3758 3.2, RFC 8260 2.1 */
typedef enum sctp_chunk_type {
  SCTP_DATA = 0,
  SCTP_INIT = 1,
  SCTP_INIT_ACK = 2,
  SCTP_SACK = 3,
  SCTP_ABORT = 6,
  SCTP_SHUTDOWN = 7,
  SCTP_SHUTDOWN_ACK = 8,
  SCTP_COOKIE_ECHO = 10,
  SCTP_COOKIE_ACK = 11,
  SCTP_SHUTDOWN_COMPLETE = 14,
  SCTP_I_DATA = 64,
  SCTP_FORWARD_TSN = 192,
  SCTP_ASCONF = 193 /* RFC 5061 4.1.1 */
} sctp_chunk_type;

/* What the sender of a packet is known to have received of the other side, when it sent it. */
typedef struct sctp_known {
  uint64_t below; /* all below this TSN, by acknowledgments up to this packet; or SCTP_NONE */
  uint64_t top;   /* TSN after the highest one that was acknowledged, or 0 */
  uint64_t sure;  /* `below`, as far as the order of the packets is beyond doubt, or 0 */
  uint64_t most;  /* TSN from which on it had received no chunk, as this packet acknowledges; or
                     SCTP_NONE */
  bool presumed;  /* other packets, which may stand out of order, show it */
} sctp_known;

/* Two captured copies of a chunk that differ. */
typedef struct sctp_conflict {
  struct sctp_conflict *next;
  uint64_t tsn;
  size_t len; /* octets of user data from the first to the last that differ */
  ingest_mark second;
  ingest_sctp_differ what;
  uint8_t side;
  uint8_t head[SCTP_CONFLICT_HEAD]; /* storage of `what.head` */
} sctp_conflict;

/* A DATA chunk. */
typedef struct sctp_node {
  struct sctp_node *next[SCTP_LANES];
  uint64_t tsn;
  uint64_t packet;
  uint64_t time_ns;
  sctp_known known;
  uint64_t acked;          /* same as in ingest_sctp_message */
  uint64_t overtook;       /* same as in ingest_sctp_message */
  uint64_t bundled_before; /* same as in ingest_sctp_message */
  uint64_t since;          /* packets of the association when the chunk came */
  size_t path;             /* room_taken when the chunk came */
  uint64_t after;      /* TSN up to which the sender had received the other side's chunks: the chunk
                          answers these */
  uint64_t after_gaps; /* TSN up to which it had received the chunks that are there, or 0 */
  size_t len;
  size_t cap;
  size_t room; /* octets of the SCTP packet that carried it; 0: IP had to fragment the packet */
  uint32_t ppid;
  uint16_t stream;
  uint16_t ssn;
  uint8_t flags;
  bool opaque; /* kind that is not read: the chunk only takes its TSN */
  bool damaged;
  bool unverified;          /* the packet was cut, so its checksum cannot be verified */
  uint32_t copies;          /* other copies that were captured since */
  sctp_conflict *conflicts; /* conflicts with other copies; reported when the chunk comes out */
  size_t differ_from;       /* first octet for which the receiver may have accepted another one */
  size_t differ_end; /* position after the last such octet; SIZE_MAX: the headers or the lengths
                        differ, too. 0: no such octets */
  uint8_t data[];
} sctp_node;

/* The latest chunks of a direction that came out, to compare later copies with them. */
typedef struct sctp_came {
  sctp_node *first; /* the oldest one; they are linked by next[0] */
  sctp_node *last;
  size_t octets;
  uint32_t count;
  uint32_t size;     /* size of `slot`, a power of 2 */
  sctp_node *slot[]; /* latest chunk by the low bits of the TSN, or NULL */
} sctp_came;

/* What the receiver of a direction had, by its latest SACK: all below a TSN, and blocks above. */
typedef struct sctp_got {
  uint64_t packet; /* packet of the SACK; 0: no SACK yet */
  uint64_t below;
  uint64_t top;                    /* TSN after the last block that is kept */
  unsigned num;                    /* number of blocks */
  bool whole;                      /* the SACK has no more blocks */
  uint16_t from[SCTP_WAIT_BLOCKS]; /* RFC 9260 3.3.4 */
  uint16_t to[SCTP_WAIT_BLOCKS];
} sctp_got;

typedef struct sctp_queue {
  sctp_node *first;
  sctp_node *last;
} sctp_queue;

/* Sorted by TSN. */
typedef struct sctp_held {
  sctp_node *first[SCTP_LANES];
} sctp_held;

/* An address of an end. */
typedef struct sctp_home {
  uint8_t family;
  uint8_t ip[16];
} sctp_home;

/* Ports of a packet. */
typedef struct sctp_ends {
  uint16_t src;
  uint16_t dst;
} sctp_ends;

/*
 * The key by which the association of a packet is found. The receiver of the packet chose the tag
 * for this pair of ends only: RFC 9260 5.3.1. So PATH is certain, and another key is certain if
 * only one association has it.
 */
typedef enum sctp_key_kind {
  SCTP_KEY_PATH = 1, /* ports, tag, both addresses */
  SCTP_KEY_TO,       /* ports, tag, address of the receiver */
  SCTP_KEY_FROM,     /* ports, tag, address of the sender */
  SCTP_KEY_TAG,      /* ports, tag */
  SCTP_KEY_ENDS      /* ports, both addresses, as long as the tag is not known */
} sctp_key_kind;

typedef struct sctp_key_words {
  uint64_t word[SCTP_KEY_WORDS];
} sctp_key_words;

typedef struct sctp_key {
  UT_hash_handle hh;
  sctp_key_words key;
  struct sctp_member *first; /* members, the latest first */
} sctp_key;

/* An association that has a key, for the packets of one of its sides. */
typedef struct sctp_member {
  sctp_key *key;
  struct sctp_assoc *assoc;
  struct sctp_member *prev, *next; /* neighbours of the key */
  struct sctp_member *less, *more; /* neighbours of the association */
  uint8_t side;                    /* the sender */
} sctp_member;

/* One direction: what its sender sent. */
typedef struct sctp_dir {
  sctp_held held;
  sctp_queue parts; /* fragments of the message under way */
  size_t parts_len;
  size_t parts_num;
  uint64_t next;          /* TSN due */
  uint64_t start;         /* first TSN, as far as it is known */
  uint64_t acked;         /* TSN up to which the other side acknowledged all */
  uint64_t acked_time_ns; /* time of the first packet that acknowledged it */
  uint64_t past_acked[SCTP_PATIENCE_STEPS + 1];
  ingest_mark advanced; /* same as in ingest_sctp_event */
  uint64_t damaged;     /* first TSN of the chunks in packets with a wrong checksum */
  /* TSN after the last of these chunks; 0: no such chunk since the last loss */
  uint64_t damaged_end;
  ingest_sctp_init init;
  uint64_t init_packet;
  uint64_t init_time_ns;
  uint64_t known_time_ns; /* time of the packet that shows `known` */
  sctp_known known;       /* state of the other side's chunks at this side */
  size_t room_tried;      /* `room` of the longest packet of this side that held a new chunk */
  uint64_t room_tsn;      /* TSN of that chunk */
  size_t room_taken;  /* `room` of the longest packet that was received, while there is one path; or
                         0 */
  sctp_member *ends;  /* key of the packets to this side as long as its tag is not known */
  ingest_limit limit; /* limit that cost chunks of this side, which is to be reported */
  sctp_came *came;    /* may be NULL */
  sctp_got got;
  sctp_home home[SCTP_HOMES_MAX];
  uint8_t homes;
  uint32_t tag;    /* tag in packets to this side */
  uint64_t copies; /* chunks that were captured again */
  uint8_t out_of_window;
  bool tag_known;
  bool init_seen;
  bool init_due; /* the INIT is to be reported */
  bool started;
  bool start_known;
  bool lost;
  bool snapped;
  bool proven;   /* a packet of this side had a right checksum */
  bool answered; /* the other side acknowledged something, or that there was nothing */
  bool echoed;   /* COOKIE ECHO was seen */
  bool greeted;  /* COOKIE ACK */
} sctp_dir;

typedef struct sctp_assoc {
  ingest_addr addr[2];
  void *user;
  sctp_dir dir[2];
  struct sctp_assoc *older, *newer; /* neighbours in order of the last packet */
  sctp_member *members;
  sctp_conflict *conflicts; /* conflicts to be reported next */
  sctp_conflict *conflicts_last;
  uint64_t paths;     /* paths seen: bit 8 * i + j, from home i of side 0 to home j of side 1 */
  ingest_limit limit; /* first limit that cost the association chunks */
  uint64_t packets;
  uint64_t deadline; /* count of packets at which the association is closed, once it ended */
  size_t held;       /* octets */
  size_t nodes;
  ingest_end end;
  /* packet with the SHUTDOWN or ABORT that ended the association, and its sender */
  ingest_mark ended;
  uint8_t ended_by;
  ingest_mark closed; /* packet with the first SHUTDOWN or ABORT, and its sender */
  uint8_t closed_by;
  bool opened;
  bool closing;
  bool shutdown;            /* SHUTDOWN was seen */
  bool sack;                /* a SACK of either side was seen */
  bool opaque;              /* an I-DATA chunk was seen */
  bool disordered;          /* a chunk was captured again, or after one with a higher TSN */
  bool maybe_retransmitted; /* packets are known to be missing or late: a chunk may not be the first
                               copy, and its answer may have been captured before it */
} sctp_assoc;

/* An SCTP packet on its way in. */
typedef struct sctp_packet {
  ingest_addr src;
  ingest_addr dst;
  uint32_t tag;
  ing_sum sum;         /* checksum of the transport */
  bool header_damaged; /* same as ing_ip.damaged */
  ing_span body;       /* octets from the common header on */
  size_t room;
} sctp_packet;

struct ing_sctp {
  ingest_alloc alloc;
  uint64_t *dropped;
  ingest_stats *stats;
  uint64_t *steps;
  uint64_t hash_key[2];
  uint64_t random;
  sctp_key *keys; /* the table */
  sctp_assoc *lru_oldest, *lru_newest;
  size_t max; /* bound of `count` */
  size_t count;
  size_t held; /* octets */
  sctp_packet pkt;
  const ing_conflict *conflict; /* conflict between copies of its fragments, or NULL */
  uint64_t number;
  uint64_t time_ns;
  uint64_t clock;    /* packets of the capture */
  uint64_t run;      /* `bundled_before` of the last chunk of the current packet */
  uint64_t run_next; /* TSN after that chunk */
  bool pending;      /* pkt has not found its association yet */
  bool finishing;
  bool prompt;  /* same as in ingest_cfg */
  bool at_once; /* same as in ingest_cfg */
  sctp_assoc *active;
  sctp_assoc *gone;        /* association whose CLOSE was the last event */
  sctp_queue spent;        /* chunks that the last event lends out */
  sctp_dir *spent_of;      /* direction of `spent` */
  size_t came;             /* octets of chunks that came out and are kept, of all associations */
  uint64_t came_max;       /* bound of `came` */
  sctp_conflict *reported; /* conflict that the last event lends out */
  void *whole;             /* message put together that the last event lends out */
  size_t whole_size;
  ingest_sctp_message message;
};

/* --- sctp_packet.c --- */
/* ing_sctp_crc goes on with a CRC32c, which begins with all ones and is inverted at the end. */
uint32_t ing_sctp_crc(uint32_t crc, const uint8_t *data, size_t len);

/* ing_sctp_open reads the common header and verifies the checksum. */
bool ing_sctp_open(const ing_ip *ip, bool fragmented, sctp_packet *pkt);

/* A chunk and what is left after it. */
typedef struct sctp_chunk {
  uint8_t type;
  uint8_t flags;
  ing_span body; /* octets from the chunk header on */
} sctp_chunk;

/* ing_sctp_chunk takes the next chunk off; false at the end, or where nothing can be read. */
bool ing_sctp_chunk(ing_span *rest, sctp_chunk *chunk);
/* ing_sctp_chunks counts the chunks of a packet as ingest_stats has it. */
uint64_t ing_sctp_chunks(const sctp_packet *pkt);
/* ing_sctp_has says whether the packet holds a chunk of this type. */
bool ing_sctp_has(const sctp_packet *pkt, sctp_chunk_type type);
/* ing_sctp_read_init reads an INIT or INIT ACK. */
ingest_sctp_init ing_sctp_read_init(const sctp_chunk *chunk);

/* A parameter of a chunk. */
typedef struct sctp_param {
  uint16_t type;
  ing_span value;
} sctp_param;

/* ing_sctp_param takes the next parameter off; false at the end, or where nothing can be read.
 * RFC 9260 3.2.1 */
bool ing_sctp_param(ing_span *rest, sctp_param *param);
/* ing_sctp_home reads an IPv4 or IPv6 Address Parameter. */
bool ing_sctp_home(const sctp_param *param, sctp_home *home);

/* --- sctp_keys.c --- */
/* ing_sctp_key makes a key; what it does not hold is NULL or 0. */
sctp_key_words ing_sctp_key(sctp_key_kind kind, const sctp_ends *ends, uint32_t tag,
                            const sctp_home *src, const sctp_home *dst);
/* ing_sctp_key_find returns the associations with this key. */
const sctp_member *ing_sctp_key_find(struct ing_sctp *s, const sctp_key_words *key);
/* ing_sctp_key_add lets packets of `side` with this key be found; NULL when there is no memory. */
sctp_member *ing_sctp_key_add(struct ing_sctp *s, sctp_assoc *a, unsigned side,
                              const sctp_key_words *words);
void ing_sctp_key_drop(struct ing_sctp *s, sctp_member *m);

/* --- sctp_reassembly.c --- */
/* ing_sctp_held_add puts a chunk into its place and returns NULL. Where one with its TSN is there
 * already, it returns that. */
sctp_node *ing_sctp_held_add(struct ing_sctp *s, sctp_held *held, sctp_node *n);
/* ing_sctp_held_replace puts `n` in the place of `old`, which is held and has the same TSN. */
void ing_sctp_held_replace(struct ing_sctp *s, sctp_held *held, const sctp_node *old, sctp_node *n);
/* ing_sctp_held_pop takes the first one off; there must be one. */
sctp_node *ing_sctp_held_pop(sctp_held *held);
/* ing_sctp_node_free gives a chunk back that is in no list. */
void ing_sctp_node_free(struct ing_sctp *s, sctp_node *n);

/* --- sctp_table.c --- */
/* ing_sctp_find returns the association of the packet and the side that sent it, or NULL. */
sctp_assoc *ing_sctp_find(struct ing_sctp *s, unsigned *side);
/* ing_sctp_add makes an association of the packet, which `side` sent; NULL when there is no memory.
 */
sctp_assoc *ing_sctp_add(struct ing_sctp *s, unsigned side);
/* ing_sctp_learn_tag notes the tag of the packets to a side. */
void ing_sctp_learn_tag(struct ing_sctp *s, sctp_assoc *a, unsigned to, uint32_t tag);
/* ing_sctp_learn_home notes an address of a side. */
void ing_sctp_learn_home(struct ing_sctp *s, sctp_assoc *a, unsigned side, const sctp_home *home);
/* ing_sctp_learn_path notes the addresses that the current packet went between. */
void ing_sctp_learn_path(struct ing_sctp *s, sctp_assoc *a, unsigned side);
void ing_sctp_touch(struct ing_sctp *s, sctp_assoc *a);
void ing_sctp_remove(struct ing_sctp *s, sctp_assoc *a);
/* ing_sctp_limit notes that a limit cost something of the association. */
static inline void ing_sctp_limit(sctp_assoc *a, ingest_limit limit) {
  a->limit = a->limit == INGEST_LIMIT_NONE ? limit : a->limit;
}

/* --- sctp_input.c --- */
/* ing_sctp_take gives the current packet to its association. */
void ing_sctp_take(struct ing_sctp *s, sctp_assoc *a, unsigned side);

/* --- sctp_copies.c --- */
/* ing_sctp_copy_held compares `n`, a chunk of the current packet, with `first`, which has its TSN
 * and is held. It takes `n`: the copy that counts stays held. */
void ing_sctp_copy_held(struct ing_sctp *s, sctp_assoc *a, unsigned side, sctp_node *first,
                        sctp_node *n);
/* ing_sctp_came_find returns the chunk with this TSN that came out lately, or whose message is
 * under way; or NULL. */
sctp_node *ing_sctp_came_find(struct ing_sctp *s, sctp_dir *d, uint64_t tsn);
/* ing_sctp_copy_came compares `n`, a chunk of the current packet, with such a one; the caller keeps
 * `n`. */
void ing_sctp_copy_came(struct ing_sctp *s, sctp_assoc *a, unsigned side, sctp_node *first,
                        const sctp_node *n);
/* ing_sctp_copy_fragments notes copies of fragments that differ in `n`, the DATA chunk at `chunk`
 * of the current packet, which is held. */
void ing_sctp_copy_fragments(struct ing_sctp *s, sctp_assoc *a, unsigned side, sctp_node *n,
                             const ing_span *chunk);
/* ing_sctp_note_got notes what the receiver of a direction has by a SACK of the current packet. */
void ing_sctp_note_got(struct ing_sctp *s, sctp_dir *d, const sctp_chunk *sack, uint64_t below);
/* ing_sctp_note_twice notes which chunks came twice, by a SACK of the current packet: the receiver
 * accepted the first copy. */
void ing_sctp_note_twice(struct ing_sctp *s, sctp_dir *d, const sctp_chunk *sack);
/* ing_sctp_conflicts_due lets the conflicts of a chunk be reported next. */
void ing_sctp_conflicts_due(sctp_assoc *a, sctp_node *n);
/* ing_sctp_keep keeps a chunk that came out, or gives it back. */
void ing_sctp_keep(struct ing_sctp *s, sctp_dir *d, sctp_node *n);
/* ing_sctp_copies_free forgets what is kept of an association for comparisons. */
void ing_sctp_copies_free(struct ing_sctp *s, sctp_assoc *a);
/* ing_sctp_reported_free gives back the conflict that was reported last. */
void ing_sctp_reported_free(struct ing_sctp *s);

/* --- sctp_start.c --- */
/* ing_sctp_start lets a direction begin with a TSN; `known` if its sender says so. */
void ing_sctp_start(sctp_dir *d, uint32_t tsn, bool known);
/* ing_sctp_begin_at lets a direction whose beginning is not known, and of which nothing has come
 * out, begin earlier. */
void ing_sctp_begin_at(struct ing_sctp *s, sctp_dir *d, uint64_t pos, bool known);
/* ing_sctp_begin_right lets a direction begin at `pos` by its INIT or INIT ACK, after one with a
 * wrong checksum. No chunk of the direction has come out. */
void ing_sctp_begin_right(struct ing_sctp *s, sctp_dir *d, uint64_t pos);
/* ing_sctp_begins returns true if the association has begun in the capture, and the beginning of a
 * direction may have been captured late. */
bool ing_sctp_begins(const sctp_assoc *a);

/* --- sctp_retransmitted.c --- */
/* ing_sctp_note_chunk notes a chunk that is captured for the first time, if it was acknowledged
 * before. It also notes one that a packet with a wrong checksum seemed to have, since its receiver
 * may have got that packet. */
void ing_sctp_note_chunk(sctp_assoc *a, const sctp_dir *d, uint64_t tsn);
/* ing_sctp_note_duplicates notes whether a SACK reports more chunks that came again than were
 * captured again so far; the SACK itself may be captured twice. */
void ing_sctp_note_duplicates(const struct ing_sctp *s, sctp_assoc *a, const sctp_dir *acked,
                              const sctp_chunk *sack);
/* ing_sctp_note_cookie notes whether what a COOKIE ECHO or COOKIE ACK answers was captured before
 * it. */
void ing_sctp_note_cookie(sctp_assoc *a, unsigned side, sctp_chunk_type type);
/* ing_sctp_maybe_retransmitted says whether packets are known to be missing or late, or seem to be
 * as long as no COOKIE ACK comes. */
bool ing_sctp_maybe_retransmitted(const sctp_assoc *a);

/* --- sctp_proof.c --- */
/* ing_sctp_has_hole says whether a side's chunks are held after one that is missing, or may be:
 * they come out after what was captured later of the other side. */
bool ing_sctp_has_hole(struct ing_sctp *s, const sctp_dir *d);
/* ing_sctp_holds_earlier says whether chunks of a side are held, after one that is missing, that
 * were captured before this one of the other side. */
bool ing_sctp_holds_earlier(struct ing_sctp *s, const sctp_dir *d, const sctp_node *than);
/* ing_sctp_prove_most notes that a side had received nothing from `most` on, when it sent the
 * current packet: nor had it when it sent the chunks that it sent before. */
void ing_sctp_prove_most(struct ing_sctp *s, sctp_dir *d, uint64_t most);
/* ing_sctp_prove_overtaking notes which chunks of a side the other one had received, by the gap
 * blocks of a SACK, before the one at `below`. */
void ing_sctp_prove_overtaking(struct ing_sctp *s, sctp_dir *d, const sctp_chunk *sack,
                               uint64_t below);
/* ing_sctp_waits returns true if the expected chunk of a side waits for packets that prove more of
 * it. */
bool ing_sctp_waits(const struct ing_sctp *s, const sctp_assoc *a, unsigned side);

/* --- sctp_room.c --- */
/* ing_sctp_try_room notes how long the current packet is, which holds this chunk of the side. */
void ing_sctp_try_room(const struct ing_sctp *s, sctp_dir *d, uint64_t tsn);
/* ing_sctp_room_taken returns how long a packet was received from the side. */
size_t ing_sctp_room_taken(const sctp_assoc *a, sctp_dir *d);
/* ing_sctp_fits says whether the fragments under way would have fitted into one packet as a message
 * of `len` octets. */
bool ing_sctp_fits(const sctp_assoc *a, const sctp_dir *d, size_t len);

/* --- sctp_deliver.c --- */
/* ing_sctp_deliver returns the next event of an association. */
bool ing_sctp_deliver(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev);
/* ing_sctp_queue_free gives a list of chunks back. */
void ing_sctp_queue_free(struct ing_sctp *s, sctp_assoc *a, sctp_queue *queue);
/* ing_sctp_held_free gives all held chunks of a direction back. */
void ing_sctp_held_free(struct ing_sctp *s, sctp_assoc *a, sctp_held *held);
void ing_sctp_release(struct ing_sctp *s);

/* --- sctp.c --- */
struct ing_sctp *ing_sctp_new(const ingest_alloc *alloc, const uint64_t hash_key[2],
                              ingest_stats *stats);
void ing_sctp_free(struct ing_sctp *s);
/* ing_sctp_push takes a packet, borrowed until ingest_sctp_next has returned false, as is
 * `conflict` between the copies of its fragments, or NULL. */
void ing_sctp_push(struct ing_sctp *s, const ing_ip *ip, bool fragmented,
                   const ing_conflict *conflict, uint64_t number, uint64_t time_ns);

#endif
