/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that the sources of the session engine share. */
#ifndef IWARPI_SCTP_SESS_H
#define IWARPI_SCTP_SESS_H

#include <iwarp/sctp_session.h>

#define SCTP_SESS_OWN 0u
#define SCTP_SESS_PEER 1u

/* sctp_slot is one message that waits for its turn. */
typedef struct sctp_slot {
  iwarp_span user_data;
  uint64_t token;
  bool used;
  uint8_t side;
  iwarp_sctp_kind kind;
  iwarp_sctp_reason reason;
  bool control;       /* user_data decodes as a Session Control message */
  bool segment;       /* user_data decodes as a DDP Segment Chunk */
  bool enhanced;      /* the control message is of the enhanced form */
  bool begins;        /* an Initiate that begins a session */
  bool without_reply; /* the message begins a session, though only one side ended the last one */
  bool late;          /* the message belongs to the last session, which this side refused */
  uint16_t ssn;
} sctp_slot;

/* sctp_side is the order of one side's messages: the slot of the DDP-SSN `next` is `head`. */
typedef struct sctp_side {
  uint16_t next;
  uint16_t head;
  uint16_t held;
  bool synced; /* `next` is known */
} sctp_side;

/*
 * sctp_late describes messages that the peer may have sent before it saw the refusal of its
 * session. RFC 5043 leaves open whether the active side may end a session before the answer, so its
 * Terminate may cross the answer.
 */
typedef struct sctp_late {
  bool open;     /* the last session was refused by this side, no Terminate of the peer came */
  uint16_t next; /* the DDP-SSN expected from the peer */
  uint32_t session;
} sctp_late;

struct iwarp_sctp_session {
  bool observer;
  bool refuse;
  bool enhanced;
  bool broken;
  bool inconclusive;
  bool want_term;
  bool first_acked; /* endpoint: the first own message is acknowledged */
  bool purge;       /* held messages are reported as discarded before anything else */
  uint8_t initiator;
  uint16_t window;
  uint16_t tx_next;  /* endpoint: next own DDP-SSN */
  uint16_t tx_acked; /* endpoint: own messages below are acknowledged */
  iwarp_sctp_state state;
  uint32_t session;
  sctp_side side[2];
  sctp_late late;
  sctp_slot now;     /* a message that takes no part in the order */
  sctp_slot slots[]; /* `window` for each side */
};

/* iwarpi_sctp_begin starts a session that `side` initiates. */
void iwarpi_sctp_begin(iwarp_sctp_session *s, uint8_t side, bool enhanced);

/* iwarpi_sctp_own_open says whether a Terminate may still end the own direction. */
bool iwarpi_sctp_own_open(const iwarp_sctp_session *s);

/* iwarpi_sctp_settle makes the stream idle when its session is over and fully acknowledged. */
void iwarpi_sctp_settle(iwarp_sctp_session *s);

#endif
