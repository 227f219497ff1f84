/* SPDX-License-Identifier: BSD-2-Clause */
/* What the capture lets one know: how far a segment can be judged, and what is missing. */
#ifndef IWARP_RULES_EVIDENCE_H
#define IWARP_RULES_EVIDENCE_H

#include "verdict.h"

/* True when the FPDU can be judged at `depth`; else says why not, where there is something to say.
 */
static inline bool rulesi_need(const struct rules_ctx *ctx, enum rules_depth depth) {
  if (ctx->facts.depth >= depth) {
    return true;
  }
  rulesi_unjudged(ctx, ctx->facts.because);
  return false;
}

/* True if CRCs are in use, and the snapshot length cut off the CRC of the FPDU. */
static inline bool rulesi_crc_cut(const struct rules_ctx *ctx) {
  return ctx->ev->kind == IWARP_EVENT_FPDU && ctx->info->crc == IWARP_TRISTATE_ON &&
         !ctx->ev->u.fpdu.complete && ctx->ev->u.fpdu.crc == IWARP_CRC_UNCHECKED;
}

/* True if the versions of segments before the event, of its side, count as right on the
 * connection: no Rev 0 has them. */
static inline bool rulesi_version_presumed(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  return own->chain.presumed && own->chain.has_version && own->chain.dv == IWARP_DDP_VERSION;
}

/* Reason why octets of a packet with this meta, which is `damaged`, may not be the received octets.
 */
static inline uint32_t rulesi_doubt(const iwarp_meta *meta) {
  return meta->differ ? IWARP_REASON_OCTETS_DIFFER : IWARP_REASON_CHECKSUM_WRONG;
}

/* True if the place of the segment in its message is known; else says why not. */
static inline bool rulesi_need_place(const struct rules_ctx *ctx) {
  if (!ctx->facts.placed) {
    rulesi_unjudged(ctx, ctx->facts.because);
  }
  return ctx->facts.placed;
}

/* Layer, Error Type and Error Code of a Terminate as one number, the Layer in the highest digit. */
static inline uint16_t rulesi_term_error(const iwarp_rdmap_term *t) {
  return (uint16_t)((uint32_t)t->layer << 12 | (uint32_t)t->etype << 8 | t->code);
}

/* RV that a segment of this DV has: MPA Rev 0 goes with 0 and 0, and a segment of a later DDP in
 * such a connection carries a later RDMAP. RFC 5044 C.1 */
static inline uint8_t rulesi_rv_due(const struct rules_ctx *ctx) {
  return ctx->facts.version_rdmac ? rules_seg(ctx)->ddp.dv : IWARP_RDMAP_VERSION;
}

/* True if DV alone has changed, and RV is the one that goes with the segments before: then
 * ddp.version-constant reports it. */
static inline bool rulesi_dv_changed(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  return ctx->facts.version_rdmac && own->chain.has_version && own->chain.dv != seg->ddp.dv &&
         own->chain.dv == seg->ctrl.rv;
}

/* True if enhanced data name an RTR type. */
static inline bool rulesi_names_rtr(const iwarp_mpa_enhanced *v) {
  return v->b || v->c || v->d;
}

/* True if the sum of `to` and `len` reaches 2^64: as a sum of 64 bits it wraps. RFC 5041 7.1 */
static inline bool rulesi_wraps(uint64_t to, uint64_t len) {
  return len > UINT64_MAX - to;
}

/* The rule that reports a segment whose place is wrong. */
uint16_t rulesi_step_rule(const struct rules_ctx *ctx);

/* The segment has a DDP header and the opcode, and its place is known. */
static inline bool rulesi_is_placed(const struct rules_ctx *ctx, iwarp_rdmap_opcode opcode) {
  return rules_opcode(ctx) == (int)opcode && !ctx->facts.resumes &&
         rulesi_need(ctx, DEPTH_MESSAGE) && rulesi_need_place(ctx);
}

/* Octets of every message with this opcode; 0: it may have more or fewer. A Terminate may have
 * headers that it does not announce (RFC 5040 7.1), and version 0 of RDMAP has no opcodes above the
 * Terminate. The segment itself tells its version: whether the MPA revision is known does not
 * matter. */
static inline uint32_t rulesi_fixed_len(const struct rules_ctx *ctx) {
  const iwarp_rdmap_op *op = ctx->facts.op;
  const bool varies = op->payload || op->cls == IWARP_RDMAP_CLASS_TERMINATE;
  const bool unknown = !op->base && rules_seg(ctx)->ctrl.rv == 0;
  return varies || unknown ? 0 : op->hdr_len;
}

/* The segment has the last octets of such a message. */
static inline bool rulesi_fills_message(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const uint32_t len = ctx->facts.depth == DEPTH_MESSAGE ? rulesi_fixed_len(ctx) : 0;
  return len != 0 && (uint64_t)seg->ddp.mo + seg->payload_len == len;
}

/* The segment ends its message: one of a fixed length ends with its last octets, whatever L says,
 * of which rulesi_check_last speaks. */
static inline bool rulesi_ends_message(const struct rules_ctx *ctx) {
  return rules_seg(ctx)->ddp.last || rulesi_fills_message(ctx);
}

/* Checks L of a segment that has the last octets of a message of a fixed length. A segment out of
 * its place may have other octets. */
void rulesi_check_last(const struct rules_ctx *ctx);

/* True if the segment is out of its place and alone has more than the `due` octets of its message.
 * No segment before it has shown that. Wherever the segment belongs, the message is too long. */
bool rulesi_too_long_alone(const struct rules_ctx *ctx, uint32_t due);

/* ON if a DDP or RDMAP version is right on the connection. Under Rev 0, version 1 is accepted, and
 * may be refused: RFC 5044 C.1. */
iwarp_tristate rulesi_version_right(const struct rules_ctx *ctx, uint8_t version);

/* IWARP_REASON_* for octets of this side that are not there. */
uint32_t rulesi_missing(const struct rules_ctx *ctx, uint8_t side);

/* Position up to which the sender had received the other stream when it sent the event, or
 * IWARP_POS_UNKNOWN. */
uint64_t rulesi_received(const struct rules_ctx *ctx);

/*
 * True if the sender of this FPDU is known not to have received the octets before `end` when it
 * sent the first of its own: the acknowledgement with those is without them, and no copy of them
 * acknowledges less. Over SCTP what is acknowledged is not all that was received.
 */
bool rulesi_not_received(const struct rules_ctx *ctx, uint64_t end);

/*
 * True when all that the sender of this FPDU had received when it sent it was seen: then what is
 * missing from the opposite stream was not there.
 */
bool rulesi_sender_view_complete(const struct rules_ctx *ctx);

/*
 * Over SCTP, packets with data seldom acknowledge. True if it is not known yet what the sender of
 * the message had received, and later messages of the session may show it.
 */
bool rulesi_may_settle(const struct rules_ctx *ctx);

/* True at the end of a session over SCTP if it was captured whole, up to the Session Terminates,
 * and each message has a place. */
bool rulesi_session_whole(const struct rules_ctx *ctx);

/* True if the session is whole, and the other side sent a Session Terminate, too. */
bool rulesi_session_known(const struct rules_ctx *ctx);

/* True if the side has ended its stream in order, and the event that did: its FIN, or its Session
 * Terminate. */
bool rulesi_closed(const struct rules_ctx *ctx, iwarp_event *close);

/* What is kept of the event under judgement, and the event that this makes again. */
struct rules_kept rulesi_keep(const struct rules_ctx *ctx);
iwarp_event rulesi_kept_event(const struct rules_kept *kept, uint8_t side);

/* At the end of an association, returns the answer with this opcode that the side sent without a
 * request. The capture has no request before it or after it. NULL: no such answer. The DDP-SSN of
 * the other side's Session Terminate shows that no request is missing. */
const iwarp_event *rulesi_unasked(const struct rules_ctx *ctx, iwarp_rdmap_opcode opcode);

/* True if the other side is known to have sent no Terminate that this one had received: after one
 * it may stop wherever it is. RFC 5040 6.2.1 */
bool rulesi_may_not_stop(const struct rules_ctx *ctx);

/* The Reply that accepted or rejected the connection, when both startup frames are right and seen.
 */
const iwarp_observer_side *rulesi_reply(const struct rules_ctx *ctx);
const iwarp_observer_side *rulesi_request(const struct rules_ctx *ctx);

/* The octets of an UNDECODABLE event are no FPDU, and follow the startup frame of their side. */
bool rulesi_startup_followed(const struct rules_ctx *ctx);

/* True if the frame is a Request of which no octet had been received when the other side sent its
 * waiting Reply. */
bool rulesi_startup_after_reply(const struct rules_ctx *ctx);

/* ON if the other side had sent nothing that would have let the sender of `run` go on after its
 * frame: for the Initiator no whole Reply, for the Responder nothing after the Request. */
iwarp_tristate rulesi_startup_surplus(const struct rules_ctx *ctx, const iwarp_event *run);

#endif
