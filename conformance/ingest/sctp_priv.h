/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP associations: what is kept of them, and the parts among themselves. */
#ifndef INGEST_SCTP_PRIV_H
#define INGEST_SCTP_PRIV_H

#include <ingest/sctp.h>

#include "packet.h"

#define SCTP_NONE INGEST_POS_UNKNOWN

enum {
  SCTP_HEADER = 12,
  SCTP_DATA_HEADER = 16,
  SCTP_BUCKETS = 1024,
  SCTP_CHAIN_MAX = 64,      /* associations in a bucket */
  SCTP_PATIENCE_EVERY = 16, /* packets of an association between two looks at what is acked */
  SCTP_PATIENCE_STEPS = 4,  /* so many looks ago it must have been acked to be given up */
  SCTP_NODES_MAX = 4096,    /* chunks held for one association */
  SCTP_SANE = 1 << 20,      /* TSNs that a sender may be ahead */
  SCTP_INSANE_MAX = 16,     /* chunks outside of that which prove another numbering */
  SCTP_DYING_PACKETS = 4096 /* packets of the capture from the end to the close */
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
  SCTP_SHUTDOWN_COMPLETE = 14,
  SCTP_I_DATA = 64,
  SCTP_FORWARD_TSN = 192
} sctp_chunk_type;

/* A DATA chunk. */
typedef struct sctp_node {
  struct sctp_node *next;
  uint64_t tsn;
  uint64_t packet;
  uint64_t time_ns;
  uint64_t ack;   /* the packet acknowledges all below of the other side, or SCTP_NONE */
  uint64_t acked; /* as in ingest_sctp_message */
  size_t len;
  size_t cap;
  size_t room; /* octets of the SCTP packet that carried it; 0 when IP had to fragment that */
  uint32_t ppid;
  uint16_t stream;
  uint16_t ssn;
  uint8_t flags;
  bool opaque; /* of a kind that is not read: it only takes its TSN */
  bool gaps;   /* the acknowledgment names more than what `ack` covers */
  bool damaged;
  uint8_t data[];
} sctp_node;

typedef struct sctp_queue {
  sctp_node *first;
  sctp_node *last;
} sctp_queue;

/* One direction: what its sender sent. */
typedef struct sctp_dir {
  sctp_queue held;  /* sorted by TSN */
  sctp_queue parts; /* fragments of the message under way */
  size_t parts_len;
  uint64_t next;  /* TSN due */
  uint64_t acked; /* the other side acknowledges all below */
  uint64_t past_acked[SCTP_PATIENCE_STEPS + 1];
  ingest_sctp_init init;
  uint64_t init_packet;
  uint64_t init_time_ns;
  uint32_t tag; /* in packets to this side */
  uint8_t insane;
  bool tag_known;
  bool init_seen;
  bool init_due; /* to be told */
  bool started;
  bool start_known;
  bool lost;
  bool snapped;
  bool proven; /* a packet of this side had a right checksum */
} sctp_dir;

typedef struct sctp_assoc {
  ingest_addr addr[2];
  void *user;
  sctp_dir dir[2];
  struct sctp_assoc *chain;
  struct sctp_assoc *staler, *fresher; /* in order of the last packet */
  uint64_t packets;
  uint64_t deadline; /* count of packets at which it is closed, once it ended */
  size_t held;       /* octets */
  size_t nodes;
  ingest_end end;
  bool opened;
  bool closing;
} sctp_assoc;

/* An SCTP packet on its way in. */
typedef struct sctp_packet {
  ingest_addr src;
  ingest_addr dst;
  uint32_t tag;
  ing_sum sum;
  ing_span body; /* from the common header on */
  size_t room;
} sctp_packet;

struct ing_sctp {
  ingest_alloc alloc;
  uint64_t *dropped;
  uint64_t *bad_checksum;
  sctp_assoc *bucket[SCTP_BUCKETS];
  sctp_assoc *stalest, *freshest;
  size_t count;
  size_t held; /* octets */
  sctp_packet pkt;
  uint64_t number;
  uint64_t time_ns;
  uint64_t clock; /* packets of the capture */
  bool pending;   /* pkt has not found its association yet */
  bool finishing;
  sctp_assoc *active;
  sctp_assoc *gone; /* its CLOSE was the last event */
  sctp_queue spent; /* lent out by the last event */
  void *whole;      /* likewise: a message put together */
  size_t whole_size;
  ingest_sctp_message message;
};

/* --- sctp_packet.c --- */
/* ing_sctp_open reads the common header and verifies the checksum. */
bool ing_sctp_open(const ing_ip *ip, bool fragmented, sctp_packet *pkt);

/* A chunk and what is left behind it. */
typedef struct sctp_chunk {
  uint8_t type;
  uint8_t flags;
  ing_span body; /* from the chunk header on */
} sctp_chunk;

/* ing_sctp_chunk takes the next chunk off; false at the end, or where nothing can be read. */
bool ing_sctp_chunk(ing_span *rest, sctp_chunk *chunk);
/* ing_sctp_has says whether the packet holds a chunk of this type. */
bool ing_sctp_has(const sctp_packet *pkt, sctp_chunk_type type);
/* ing_sctp_read_init reads an INIT or INIT ACK. */
ingest_sctp_init ing_sctp_read_init(const sctp_chunk *chunk);

/* --- sctp_table.c --- */
/* ing_sctp_find returns the association of the packet and the side that sent it, or NULL. */
sctp_assoc *ing_sctp_find(struct ing_sctp *s, unsigned *side);
/* ing_sctp_victim returns the association to give up before another is added, or NULL. */
sctp_assoc *ing_sctp_victim(struct ing_sctp *s);
sctp_assoc *ing_sctp_add(struct ing_sctp *s, bool from_server);
void ing_sctp_touch(struct ing_sctp *s, sctp_assoc *a);
void ing_sctp_remove(struct ing_sctp *s, sctp_assoc *a);

/* --- sctp_take.c --- */
/* ing_sctp_take gives the packet at hand to its association. */
void ing_sctp_take(struct ing_sctp *s, sctp_assoc *a, unsigned side);

/* --- sctp_pump.c --- */
/* ing_sctp_pump returns the next thing that is due on an association. */
bool ing_sctp_pump(struct ing_sctp *s, sctp_assoc *a, ingest_sctp_event *ev);
/* ing_sctp_queue_free gives a list of chunks back. */
void ing_sctp_queue_free(struct ing_sctp *s, sctp_assoc *a, sctp_queue *queue);
void ing_sctp_release(struct ing_sctp *s);

/* --- sctp.c --- */
struct ing_sctp *ing_sctp_new(const ingest_alloc *alloc, uint64_t *dropped, uint64_t *bad_checksum);
void ing_sctp_free(struct ing_sctp *s);
/* ing_sctp_push takes a packet, borrowed until ingest_sctp_next has returned false. */
void ing_sctp_push(struct ing_sctp *s, const ing_ip *ip, bool fragmented, uint64_t number,
                   uint64_t time_ns);

#endif
