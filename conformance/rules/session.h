/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of sessions over SCTP. */
#ifndef IWARP_RULES_SESSION_H
#define IWARP_RULES_SESSION_H

#include "context.h"

/* rulesi_sctp_update keeps the state that an event over SCTP leaves; `sctp` of the event is set. */
void rulesi_sctp_update(struct rules_ctx *ctx);

/* rulesi_sctp_other_ppid says whether the octets of a message of DDP Segments are one of Session
 * Control, or the other way round: its Payload Protocol Identifier is the wrong one of the two. */
bool rulesi_sctp_other_ppid(const struct rules_ctx *ctx);

/* rulesi_sctp_ppid_unknown returns true if a segment ends inside its header, and too few octets
 * were captured to tell it from Session Control. */
bool rulesi_sctp_ppid_unknown(const struct rules_ctx *ctx);

/* rulesi_sctp_initiates says whether the message is an Initiate, in its place or not. */
bool rulesi_sctp_initiates(const iwarp_ev_sctp_message *m);

/* rulesi_sctp_begins_early says whether the message is an Initiate of another session, in one that
 * both sides began and none terminated. */
bool rulesi_sctp_begins_early(const struct rules_ctx *ctx);

/* rulesi_sctp_began_again says whether an Initiate of either side without a place may have begun
 * another session. */
bool rulesi_sctp_began_again(const struct rules_ctx *ctx);

/* rulesi_sctp_doubted says whether it is not known what a number or an answer belongs to: an
 * Initiate without a place may have begun another session, or what another rule finds fault with
 * have ended this one and begun another. */
bool rulesi_sctp_doubted(const struct rules_ctx *ctx);
/* rulesi_sctp_peer_sound says whether each message of the other side holds what its receiver took:
 * no checksum is wrong, and no copy differs. */
bool rulesi_sctp_peer_sound(const struct rules_ctx *ctx);

/* rulesi_sctp_reopens returns true if the message has no place in this session, which both sides
 * have ended. Its DDP-SSN fits a session that an answer of its side begins. */
bool rulesi_sctp_reopens(const struct rules_ctx *ctx);

/* rulesi_sctp_ahead returns true if the message has no place, and its DDP-SSN is ahead of the
 * expected one: it waits for the message with the expected DDP-SSN. */
bool rulesi_sctp_ahead(const struct rules_ctx *ctx);

/* rulesi_sctp_begins_wrong says whether the message is the Initiate of another session after this
 * one has ended: it has 0, whatever was received. */
bool rulesi_sctp_begins_wrong(const struct rules_ctx *ctx);

/* rulesi_sctp_ssn_used says whether the side of the message has used its DDP-SSN, and nothing that
 * may be missing makes that right. */
bool rulesi_sctp_ssn_used(const struct rules_ctx *ctx);

/* rulesi_sctp_differs notes that the receiver of a message may have accepted another copy: what
 * rests on the messages of either side is in doubt for that reason, unless some are missing. */
void rulesi_sctp_differs(struct rules_ctx *ctx);

/* rulesi_sctp_arrived says whether the first message of this side is known to have arrived. */
bool rulesi_sctp_arrived(const struct rules_ctx *ctx);

#endif
