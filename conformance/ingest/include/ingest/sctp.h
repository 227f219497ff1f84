/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP associations (RFC 9260) out of the packets given to ingest_push: user messages in the order
 * of their TSNs. */
#ifndef INGEST_SCTP_H
#define INGEST_SCTP_H

#include <ingest/ingest.h>

/** Limits. Nothing grows beyond them whatever a capture holds. */
#define INGEST_SCTP_ASSOCS_MAX                                                                     \
  4096u /* unless the caller says how many: the longest silent one is                              \
           given up first */
#define INGEST_SCTP_HELD_MAX (1024u * 1024u)     /* octets held for one association */
#define INGEST_SCTP_HELD_ALL (16u * 1024 * 1024) /* and for all of them */
#define INGEST_SCTP_CHUNKS_MAX 4096u             /* chunks held for one association */
#define INGEST_SCTP_MESSAGE_MAX (1024u * 1024u)  /* octets of a message */
#define INGEST_SCTP_PARTS_MAX 4096u              /* chunks of a message */

typedef enum ingest_sctp_kind {
  INGEST_SCTP_OPEN = 0, /* an association is seen for the first time; *user is NULL */
  INGEST_SCTP_INIT,     /* INIT or INIT ACK of a side */
  INGEST_SCTP_MESSAGE,  /* a user message, put together from its fragments */
  INGEST_SCTP_LOST,     /* messages of a side that are not in the capture, or not whole; `len` is 0
                           where a limit cost chunks and it is not known which */
  INGEST_SCTP_CLOSE,    /* the association is forgotten after this event: release *user */
  INGEST_SCTP_DIFFER    /* two captured copies of a chunk differ */
} ingest_sctp_kind;

/** ingest_sctp_init is what an INIT or INIT ACK chunk says. RFC 9260 3.3.2, RFC 5061 4.2.6. */
typedef struct ingest_sctp_init {
  bool ack;
  bool whole;   /* all of its parameters were captured */
  bool damaged; /* from a packet with a wrong checksum, for want of another */
  uint32_t tsn; /* the first one that its sender will use */
  uint16_t out_streams;
  uint16_t in_streams;
  bool has_adaptation;
  uint32_t adaptation;         /* Adaptation Layer Indication */
  uint16_t adaptation_surplus; /* octets of that parameter after it, which should be none */
} ingest_sctp_init;

/** ingest_sctp_message is a user message. `data` is valid until the next call. */
typedef struct ingest_sctp_message {
  const uint8_t *data;
  size_t cap; /* octets at data */
  size_t len; /* octets on the wire */
  uint16_t stream;
  uint16_t ssn; /* Stream Sequence Number of SCTP; without meaning where unordered */
  uint32_t ppid;
  bool ordered;       /* the U flag is clear in some chunk of it */
  uint32_t fragments; /* DATA chunks */
  bool needless;      /* the whole would have fitted where a packet took one of its fragments */
  bool damaged;       /* taken from a packet with a wrong checksum, for want of another */
  size_t differ_from; /* its receiver may have accepted another copy of octets from here on, */
  size_t differ_end;  /* up to here; SIZE_MAX: the whole may be another. 0: it did not */
  bool maybe_retransmitted; /* packets of the association are known to be missing or late: this may
                  not be its first copy, and what answers it may have been captured before it */
  bool peer_data_reordered; /* what was captured before it of the other side has not come out, for a
                   TSN that is missing: its sender may have received that */
  bool cause_seen;          /* nothing that its sender had received before is missing */
  uint64_t received;  /* its sender had received all of the other side's below this position when it
                         sent it, by acknowledgments in the same packet or before it; 0: not known */
  bool received_all;  /* and nothing else */
  bool received_more; /* and something after a gap, which did not come out yet */
  uint64_t acked;     /* the sender knew its own messages below this position to be received */
  uint64_t overtook;  /* the other side had received it, by a gap block, when it lacked the chunk
                         before this position; 0: not known */
  uint64_t bundled_before; /* so many chunks right before it stand in its packet, too, maybe not for
                      the first time */
  uint64_t first_packet;
  uint64_t first_time_ns;
} ingest_sctp_message;

/** ingest_sctp_differ is what two captured copies of a DATA chunk are. Pointers are valid until the
 * next call. */
typedef struct ingest_sctp_differ {
  ingest_mark first;    /* the packet of the first copy */
  ingest_copy accepted; /* which one the receiver accepted: FIRST where it had acknowledged that,
                           SECOND where a SACK showed that it lacked the first one */
  size_t from;          /* user data: the first octet that differs */
  bool header;          /* the headers of the chunks differ, or their lengths */
  bool late;            /* the message came out before the second copy was captured */
  uint16_t stream;      /* of the first copy, as all that follow */
  uint32_t ppid;
  bool begins;         /* it begins a message */
  const uint8_t *head; /* its first octets */
  size_t head_len;
} ingest_sctp_differ;

/**
 * ingest_sctp_event is one thing that happened on one association. Positions are 64 bits wide, the
 * low 32 are the TSN; they grow through wraps of it.
 *
 * OPEN comes first. MESSAGE and LOST of a side come in the order of their positions. What
 * acknowledges messages of the other side comes after them, or after a LOST in their place. DIFFER
 * comes after the message of the chunk, or at once where that came out before. `pos` is then the
 * TSN of the chunk. `len` counts the octets of user data from the first to the last that differ.
 * `packet` has the second copy.
 */
typedef struct ingest_sctp_event {
  ingest_sctp_kind kind;
  void **user;             /* the consumer's pointer for this association */
  const ingest_addr *addr; /* [0] and [1]; side 0 sent the INIT, where that was seen */
  uint8_t side;            /* INIT, MESSAGE, LOST: whose */
  uint64_t pos;            /* MESSAGE, LOST: of the first chunk */
  uint64_t len;            /* MESSAGE, LOST: how many TSNs */
  ingest_mark advanced[2]; /* CLOSE: of each side its last packet that acknowledged more than the
                              packets before it, or its SHUTDOWN; packet 0: no such packet */
  bool settled[2];         /* CLOSE: the other side acknowledged all that is there of this one */
  bool opaque;         /* CLOSE: some of it came in I-DATA chunks, which are not read: RFC 8260 */
  bool snapped;        /* LOST: packets of this side were cut by the snapshot length */
  bool damaged;        /* LOST: a packet with a wrong checksum held some of it, as it stands */
  bool start_known[2]; /* this side's messages are followed from its first TSN on */
  bool lossless[2];    /* and none of them was lost so far */
  uint64_t packet;     /* that completed it, or at which it became certain */
  uint64_t time_ns;
  const ingest_sctp_init *init;
  const ingest_sctp_message *message;
  const ingest_sctp_differ *differ; /* DIFFER */
  ingest_end end;                   /* CLOSE: FIN for an orderly shutdown, RST for an ABORT */
  ingest_mark ended;  /* CLOSE, end FIN or RST: the packet with the first SHUTDOWN or ABORT, */
  uint8_t ended_by;   /* and its sender */
  ingest_mark closed; /* CLOSE: the packet with the first of them: a SHUTDOWN may come before the
                         ABORT that ended it. Packet 0: no such packet */
  uint8_t closed_by;  /* and its sender */
  ingest_limit limit; /* LOST, CLOSE: the limit that forced it */
} ingest_sctp_event;

/** ingest_sctp_next returns the next event; false when another packet is needed. Call it after
 * ingest_push and after ingest_finish, beside ingest_next. */
bool ingest_sctp_next(ingest *ing, ingest_sctp_event *ev);

#endif
