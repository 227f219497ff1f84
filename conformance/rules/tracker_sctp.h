/* SPDX-License-Identifier: BSD-2-Clause */
/* The tracker's part for sessions over SCTP. */
#ifndef IWARP_RULES_TRACKER_SCTP_H
#define IWARP_RULES_TRACKER_SCTP_H

#include "context.h"

/* rulesi_sctp_update keeps what an event over SCTP leaves after. */
void rulesi_sctp_update(struct rules_ctx *j);

/* rulesi_sctp_other_ppid says whether the octets of a message of DDP Segments are one of Session
 * Control, or the other way round: its Payload Protocol Identifier is the wrong one of the two. */
bool rulesi_sctp_other_ppid(const struct rules_ctx *j);

/* rulesi_sctp_ppid_unknown says whether too few octets of a segment that ends inside its header
 * were captured to tell that it is none of Session Control. */
bool rulesi_sctp_ppid_unknown(const struct rules_ctx *j);

/* rulesi_sctp_initiates says whether the message is an Initiate, in its place or not. */
bool rulesi_sctp_initiates(const iwarp_ev_sctp *m);

/* rulesi_sctp_begins_early says whether the message is an Initiate of another session, in one that
 * both sides began and none terminated. */
bool rulesi_sctp_begins_early(const struct rules_ctx *j);

/* rulesi_sctp_arrived says whether the first message of this side is known to have arrived. */
bool rulesi_sctp_arrived(const struct rules_ctx *j);

#endif
