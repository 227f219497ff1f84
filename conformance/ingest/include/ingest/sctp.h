/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP associations (RFC 9260) out of the packets given to ingest_push: user messages in the order
 * of their TSNs. */
#ifndef INGEST_SCTP_H
#define INGEST_SCTP_H

#include <ingest/ingest.h>

/** Limits. Nothing grows beyond them whatever a capture holds. */
#define INGEST_SCTP_ASSOCS_MAX                                                                     \
  4096u /* associations known at a time, unless the caller sets a number: the longest silent one   \
           is given up first */
#define INGEST_SCTP_HELD_MAX (1024u * 1024u)     /* octets held for one association */
#define INGEST_SCTP_HELD_ALL (16u * 1024 * 1024) /* octets held for all associations */
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
  bool damaged; /* taken from a packet with a wrong checksum, for lack of another copy */
  uint32_t tsn; /* the first TSN that the sender will use */
  uint16_t out_streams;
  uint16_t in_streams;
  bool has_adaptation;
  uint32_t adaptation;         /* Adaptation Layer Indication */
  uint16_t adaptation_surplus; /* octets of that parameter after it; should be 0 */
} ingest_sctp_init;

/** ingest_sctp_message is a user message. `data` is valid until the next call. */
typedef struct ingest_sctp_message {
  const uint8_t *data;
  size_t cap; /* octets at data */
  size_t len; /* octets on the wire */
  uint16_t stream;
  uint16_t ssn; /* Stream Sequence Number; has no meaning in an unordered message */
  uint32_t ppid;
  bool ordered;       /* the U flag is clear in some chunk */
  uint32_t fragments; /* DATA chunks */
  bool needless;      /* the message would have fitted in a packet as large as one that carried a
                         fragment */
  bool damaged;       /* taken from a packet with a wrong checksum, for lack of another copy */
  size_t differ_from; /* first octet of another copy, which the receiver may have accepted */
  size_t differ_end;  /* end of that copy; SIZE_MAX: the whole message may be another. 0: no such
                         copy */
  bool maybe_retransmitted; /* packets of the association are known to be missing or late: this may
                               not be the first copy, and its answer may have been captured before
                               it */
  bool peer_data_reordered; /* earlier messages of the other side have not come out, since a TSN is
                               missing: the sender may have received them */
  bool cause_seen;          /* all that the sender had received before it is there */
  uint64_t received; /* position up to which the sender had received the other side's messages when
                        it sent, by acknowledgments in the same packet or before; 0: not known */
  bool received_all; /* the sender had received nothing after `received` */
  /* the sender had received something after a gap, which did not come out yet */
  bool received_more;
  uint64_t acked;    /* position up to which the sender knew its own messages to be received */
  uint64_t overtook; /* position of a chunk that the other side lacked when it had received this
                        one, by a gap block; 0: not known */
  uint64_t bundled_before; /* chunks right before it in its packet, maybe not for the first time */
  uint64_t first_packet;
  uint64_t first_time_ns;
} ingest_sctp_message;

/** ingest_sctp_differ is what two captured copies of a DATA chunk are. Pointers are valid until the
 * next call. */
typedef struct ingest_sctp_differ {
  ingest_mark first;    /* the packet of the first copy */
  ingest_copy accepted; /* FIRST: the receiver had acknowledged the first copy. SECOND: a SACK
                           showed that it lacked that one */
  size_t from;          /* first octet of user data that differs */
  bool header;          /* the headers of the chunks differ, or their lengths */
  bool late;            /* the message came out before the second copy was captured */
  uint16_t stream;      /* stream of the first copy; the next members are of the first copy, too */
  uint32_t ppid;
  bool begins;         /* the chunk begins a message */
  const uint8_t *head; /* first octets of the message */
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
  uint8_t side;            /* INIT, MESSAGE, LOST: sender */
  uint64_t pos;            /* MESSAGE, LOST: position of the first chunk */
  uint64_t len;            /* MESSAGE, LOST: number of TSNs */
  ingest_mark advanced[2]; /* CLOSE, by side: the last packet that acknowledged more than the
                              packets before it, or its SHUTDOWN; packet 0: no such packet */
  bool settled[2]; /* CLOSE, by side: the other side acknowledged all messages of the side that came
                    */
  bool opaque;     /* CLOSE: some messages came in I-DATA chunks, which are not read: RFC 8260 */
  bool snapped;    /* LOST: packets of this side were cut by the snapshot length */
  bool damaged; /* LOST: a packet with a wrong checksum held some of the messages, maybe with other
                   octets */
  bool start_known[2]; /* this side's messages are followed from its first TSN on */
  bool lossless[2];    /* no message of this side was lost so far */
  uint64_t packet;     /* packet that completed the event, or at which the event became certain */
  uint64_t time_ns;
  const ingest_sctp_init *init;
  const ingest_sctp_message *message;
  const ingest_sctp_differ *differ; /* DIFFER */
  ingest_end end;                   /* CLOSE: FIN for an orderly shutdown, RST for an ABORT */
  ingest_mark ended; /* CLOSE, end FIN or RST: packet with the first SHUTDOWN or ABORT */
  uint8_t ended_by;  /* sender of `ended` */
  /* CLOSE: packet with the first SHUTDOWN or ABORT of any kind: a SHUTDOWN may come before the
   * ABORT that ended the association. Packet 0: no such packet */
  ingest_mark closed;
  uint8_t closed_by;  /* sender of `closed` */
  ingest_limit limit; /* LOST, CLOSE: limit that forced the event */
} ingest_sctp_event;

/** ingest_sctp_next returns the next event; false when another packet is needed. Call it after
 * ingest_push and after ingest_finish, beside ingest_next. */
bool ingest_sctp_next(ingest *ing, ingest_sctp_event *ev);

#endif
