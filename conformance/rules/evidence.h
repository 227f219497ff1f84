/* SPDX-License-Identifier: BSD-2-Clause */
/* What the capture lets one know: how far a segment can be judged, and what is missing. */
#ifndef IWARP_RULES_EVIDENCE_H
#define IWARP_RULES_EVIDENCE_H

#include "verdict.h"

/* True when the FPDU can be judged at `depth`; else says why not, where there is something to say.
 */
static inline bool rulesi_need(struct rules_ctx *j, enum rules_depth depth) {
  if (j->facts.depth >= depth) {
    return true;
  }
  rulesi_inconclusive(j, j->facts.reason);
  return false;
}

/* The same for how it follows those before it. */
static inline bool rulesi_need_place(struct rules_ctx *j) {
  if (!j->facts.placed) {
    rulesi_inconclusive(j, j->facts.reason);
  }
  return j->facts.placed;
}

/* The segment has a DDP header and the opcode, and its place is known. */
static inline bool rulesi_is_placed(struct rules_ctx *j, iwarp_rdmap_opcode opcode) {
  return rules_opcode(j) == (int)opcode && !j->facts.resumes && rulesi_need(j, DEPTH_MESSAGE) &&
         rulesi_need_place(j);
}

/* The segment ends its message: a Read Request ends with its header, whatever L says, of which
 * rdmap.read-request-last speaks. */
static inline bool rulesi_ends_message(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  return seg->ddp.last ||
         (j->facts.depth == DEPTH_MESSAGE && seg->ctrl.opcode == IWARP_RDMAP_OP_READ_REQ &&
          (uint64_t)seg->ddp.mo + seg->payload_len == IWARP_RDMAP_READ_REQ_LEN);
}

/* IWARP_REASON_* for octets of this side that are not there. */
uint32_t rulesi_missing(const struct rules_ctx *j, uint8_t side);

/* Up to where the sender had received the other stream when it sent this, or IWARP_POS_UNKNOWN. */
uint64_t rulesi_received(const struct rules_ctx *j);

/*
 * True when all that the sender of this FPDU had received when it sent it was seen: then what is
 * missing from the opposite stream was not there.
 */
bool rulesi_sender_view_complete(const struct rules_ctx *j);

/*
 * At the end of an association: the answer with this opcode that the side sent although the other
 * one asked for none, neither before nor after it in the capture, up to its Session Terminate,
 * whose DDP-SSN shows that nothing is missing; or NULL.
 */
const iwarp_event *rulesi_unasked(const struct rules_ctx *j, iwarp_rdmap_opcode opcode);

/* Whether the other side is known to have sent no Terminate that this one had received: after one
 * it may stop wherever it is. RFC 5040 6.2.1 */
bool rulesi_may_not_stop(struct rules_ctx *j);

/* The Reply that accepted or rejected the connection, when both startup frames are right and seen.
 */
const iwarp_observer_side *rulesi_reply(const struct rules_ctx *j);
const iwarp_observer_side *rulesi_request(const struct rules_ctx *j);

/* The octets of an UNDECODABLE event are no FPDU, and follow the startup frame of their side. */
bool rulesi_startup_followed(const struct rules_ctx *j);

/* Whether the other side had sent nothing that would have let the sender of `run` go on after its
 * frame: for the Initiator no whole Reply, for the Responder nothing after the Request. */
iwarp_tristate rulesi_startup_surplus(const struct rules_ctx *j, const iwarp_event *run);

#endif
