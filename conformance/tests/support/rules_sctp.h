/* SPDX-License-Identifier: BSD-2-Clause */
/* Associations for tests of the rules, message by message, as an observer would tell them. */
#ifndef RULES_SCTP_H
#define RULES_SCTP_H

#include <iwarp/sctp_observer.h>

#include "rules_fixture.h"

/* A message to send. Zero is the conforming default of every member. */
struct sctp_msg {
  unsigned side;
  bool segment;
  uint16_t function;
  uint16_t ssn;
  uint32_t private_data;      /* octets */
  iwarp_mpa_enhanced enh;     /* enhanced data, where the Function Code has some */
  bool again;                 /* an Initiate: a session was on the stream before, */
  iwarp_tristate outstanding; /* and whether messages of it are outstanding */
  uint32_t ppid;
  uint32_t length; /* of user data, where it differs from the length of a whole message */
  const struct fixture_seg *what; /* a segment other than a Send of nothing, whose session is
                                     followed from its beginning */
  bool is_short;
  bool other_ppid;   /* it has the Payload Protocol Identifier of the other kind of messages; of a
                        segment `function` is then its control octets, or 0 */
  uint32_t captured; /* octets of user data that are in the capture, or 0: all */
  bool ordered;
  bool needless;
  uint32_t fragments;
  iwarp_sctp_reason reason;
  iwarp_sctp_verdict verdict;
  bool acked;               /* its sender knows that its own messages before this one arrived, */
  bool acked_but_last;      /* or those before the last one of them */
  bool same_packet;         /* as the message before it, */
  bool sent_again;          /* that stands in its packet again, */
  bool peer_data_reordered; /* later messages of the other side may have arrived before it */
  bool maybe_retransmitted; /* packets are missing or late, though no message is */
  bool overtakes;           /* and that had not come when it came, */
  bool overtakes_earlier;   /* or the one before that had not */
  bool skipped;             /* others of the session are missing, though nothing was lost */
  uint32_t back;            /* so many positions before the end of the messages of its side */
  bool session_unconfirmed; /* messages of its side before it are missing, maybe a whole session */
  bool no_cause;            /* what its sender had received is not known */
  bool crosses;   /* nothing is missing of it, but the last of the other side had not come */
  bool unbundled; /* packets before it acknowledge what its sender had received, its own does not */
};

void sctp_send(struct rules_fixture *l, struct sctp_msg m);

/* DDP-SSNs of a side are passed over: `missing` of them, from `ssn` on. */
void sctp_gap(struct rules_fixture *l, unsigned side, uint16_t ssn, uint16_t missing);
/* The same of two. */
void sctp_gap_of(struct rules_fixture *l, unsigned side, uint16_t ssn);
/* INIT of side 0, or INIT ACK of side 1, which the other one grants so many outbound streams. */
void sctp_init(struct rules_fixture *l, unsigned side, uint16_t granted,
               iwarp_sctp_assoc_params params);
/* Initiate and Accept. */
void sctp_open(struct rules_fixture *l);
void sctp_finish(struct rules_fixture *l, iwarp_end how);

#define SCTP_SEND(l, ...) sctp_send(l, (struct sctp_msg){__VA_ARGS__})
#define SCTP_SEGMENT(l, from, number, ...)                                                         \
  SCTP_SEND(l, .side = (from), .segment = true, .ssn = (number), __VA_ARGS__)
#define SCTP_INIT(l, side, granted, ...)                                                           \
  sctp_init(l, side, granted, (iwarp_sctp_assoc_params){.whole = true, __VA_ARGS__})

/* Runs a case once more with packets whose checksum is wrong. */
#define SCTP_DAMAGED(name)                                                                         \
  static void name##_damaged(struct rules_fixture *l) {                                            \
    l->damaged = true;                                                                             \
    name(l);                                                                                       \
  }

/* The same where it is not certain to which session a message belongs. */
#define SCTP_UNCLEAR(name)                                                                         \
  static void name##_unclear(struct rules_fixture *l) {                                            \
    l->unclear = true;                                                                             \
    name(l);                                                                                       \
  }

#endif
