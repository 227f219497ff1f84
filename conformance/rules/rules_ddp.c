/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on the DDP header of one segment: RFC 5041 4. */
#include "catalog.h"
#include "evidence.h"
#include "requests.h"

/* An empty ULPDU is mpa.ulpdu-length-zero. */
void iwarp_rule_ddp_header_length(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  if ((f->fpdu.ulpdu_length == 0 && !ctx->info->sctp) || !rulesi_need(ctx, DEPTH_FRAME)) {
    return;
  }
  if (!f->seg.has_ddp && f->seg.err != IWARP_ERR_DDP_SHORT) {
    rulesi_unjudged(ctx, ctx->facts.because);
    return;
  }
  const bool tagged_fits = f->fpdu.ulpdu_length < IWARP_DDP_TAGGED_LEN;
  const uint32_t due = tagged_fits ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  if (f->seg.has_ddp) {
    rulesi_pass(ctx);
  } else {
    rulesi_at_segment(rulesi_fail(ctx, rulesi_at_least(due), rulesi_uint(f->fpdu.ulpdu_length)),
                      ctx);
  }
}

/* DV can be read: the header is there, whatever version it is. */
static bool ddp_version_there(const struct rules_ctx *ctx) {
  return rules_seg(ctx)->has_ddp && rulesi_need(ctx, DEPTH_FRAME);
}

/* MPA Rev 0 goes with 0, see ddp.version-family. */
void iwarp_rule_ddp_version(const struct rules_ctx *ctx) {
  const uint8_t dv = rules_seg(ctx)->ddp.dv;
  if (!ddp_version_there(ctx)) {
    return;
  }
  if (dv == 0 && !ctx->facts.version_known) {
    rulesi_inconclusive(ctx, IWARP_REASON_NO_NEGOTIATION);
    return;
  }
  rulesi_check_field(ctx, ctx->facts.depth >= DEPTH_HEADER, IWARP_FIELD_DDP_TAGGED_DV,
                     rulesi_uint(IWARP_DDP_VERSION), rulesi_uint(dv));
}

/* Where only one version is right, another one is ddp.version. */
void iwarp_rule_ddp_version_constant(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const struct rules_side *other = rules_other(ctx);
  const uint8_t dv = rules_seg(ctx)->ddp.dv;
  if (ctx->facts.depth >= DEPTH_HEADER && own->chain.has_version) {
    rulesi_check_field(ctx, dv == own->chain.dv, IWARP_FIELD_DDP_TAGGED_DV,
                       rulesi_uint(own->chain.dv), rulesi_uint(dv));
  } else if (ctx->facts.depth >= DEPTH_HEADER && ctx->facts.first && other->chain.has_version) {
    rulesi_check_field(ctx, dv == other->chain.dv, IWARP_FIELD_DDP_TAGGED_DV,
                       rulesi_uint(other->chain.dv), rulesi_uint(dv));
  }
}

/* Reported once per direction, of its first segment. Where DV changes it is ddp.version-constant,
 * where DV and RV differ rdmap.version. */
void iwarp_rule_ddp_version_family(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  if (!ctx->facts.version_rdmac || !seg->has_ddp || !ctx->facts.first ||
      seg->ddp.dv != seg->ctrl.rv || !rulesi_need(ctx, DEPTH_FRAME)) {
    return;
  }
  const uint8_t zero[2] = {0, 0};
  const uint8_t is[2] = {seg->ddp.dv, seg->ctrl.rv};
  rulesi_check_fields(ctx, is[0] == 0, IWARP_FIELD_NONE, IWARP_FIELD_DDP_TAGGED_DV,
                      IWARP_FIELD_RDMAP_CTRL_RV, rulesi_octets(zero, 2), rulesi_octets(is, 2));
}

void iwarp_rule_ddp_reserved(const struct rules_ctx *ctx) {
  const uint8_t rsvd = rules_seg(ctx)->ddp.rsvd;
  if (rules_seg(ctx)->has_ddp && rulesi_need(ctx, DEPTH_HEADER)) {
    rulesi_check_field(ctx, rsvd == 0, IWARP_FIELD_DDP_TAGGED_RSVD, rulesi_hex(IWARP_VALUE_HEX8, 0),
                       rulesi_hex(IWARP_VALUE_HEX8, (uint64_t)rsvd << 2));
  }
}

static void ddp_settle_wrap(const struct rules_ctx *ctx, uint64_t to, uint64_t len,
                            iwarp_field_id field) {
  rulesi_check_field(ctx, !rulesi_wraps(to, len), field,
                     rulesi_hex(IWARP_VALUE_HEX64, UINT64_MAX - len),
                     rulesi_hex(IWARP_VALUE_HEX64, to));
}

/*
 * True if it is known that a Read Response that wraps was not asked for so: its sender copies
 * SinkTO uninterpreted, and the sender of the Request sees to the wrap. RFC 5040 4.4
 */
static bool ddp_wrap_is_own(const struct rules_ctx *ctx) {
  const struct rules_requests *r = &rules_other(ctx)->requests;
  if (!rulesi_need_place(ctx)) {
    return false;
  }
  const struct rules_request *asked = rulesi_awaited_request(ctx);
  if (asked != NULL && asked->details && !r->lost) {
    return !rulesi_wraps(asked->read.sink_to, asked->read.size);
  }
  if (asked == NULL && !r->lost && ctx->facts.step == STEP_START &&
      rulesi_sender_view_complete(ctx)) {
    return true; /* no request was sent */
  }
  rulesi_unjudged(ctx, r->lost ? r->because : rules_reason(rules_other(ctx)->chain.gap_reason));
  return false;
}

/* SinkTO of a Request: it is what the Response must have. */
static void ddp_settle_sink(const struct rules_ctx *ctx) {
  const iwarp_rdmap_read_req *req = &rules_seg(ctx)->u.read_req;
  if (rules_seg(ctx)->kind == IWARP_RDMAP_KIND_READ_REQ && req->size > 0 &&
      rulesi_need(ctx, DEPTH_MESSAGE)) {
    ddp_settle_wrap(ctx, req->sink_to, req->size, IWARP_FIELD_RDMAP_READ_REQ_SINK_TO);
  }
}

/* TO means nothing in an empty segment. Of a message that goes on at 0 the segment before is wrong.
 */
void iwarp_rule_ddp_to_wrap(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  if (!seg->has_ddp || !seg->ddp.tagged) {
    ddp_settle_sink(ctx);
    return;
  }
  if (seg->payload_len == 0 || !rulesi_need(ctx, DEPTH_MESSAGE)) {
    return;
  }
  const uint64_t to = seg->ddp.to;
  const uint64_t len = seg->payload_len;
  if (rules_opcode(ctx) != IWARP_RDMAP_OP_READ_RESP || !rulesi_wraps(to, len) ||
      ddp_wrap_is_own(ctx)) {
    ddp_settle_wrap(ctx, to, len, IWARP_FIELD_DDP_TAGGED_TO);
  }
}

static void ddp_settle_length(const struct rules_ctx *ctx, uint64_t len) {
  rulesi_check_header(ctx, len <= UINT32_MAX, rulesi_at_most(UINT32_MAX), rulesi_uint(len));
}

/* Octets of a Tagged message with this segment: said of the segment that passes the limit. */
static void ddp_tagged_length(const struct rules_ctx *ctx) {
  const struct rules_slot *slot = &rules_own(ctx)->messages.slots[ctx->facts.slot];
  if (ctx->facts.step == STEP_CONTINUE && !slot->start_seen) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    return;
  }
  const uint64_t before = ctx->facts.step == STEP_CONTINUE ? slot->total : 0;
  if ((ctx->facts.step == STEP_START || ctx->facts.step == STEP_CONTINUE) && before <= UINT32_MAX) {
    ddp_settle_length(ctx, before + rules_seg(ctx)->payload_len);
  }
}

/* MO tells how long an Untagged message is, whatever was before. ddp.mo-first reports the MO of a
 * first segment, and where octets are missing any segment may be a first one. */
void iwarp_rule_ddp_message_length(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  if (!seg->has_ddp || !rulesi_need_place(ctx)) {
    return;
  }
  if (seg->ddp.tagged) {
    ddp_tagged_length(ctx);
    return;
  }
  const uint64_t len = (uint64_t)seg->ddp.mo + seg->payload_len;
  if (ctx->facts.step == STEP_LEARN && seg->ddp.mo != 0 && len > UINT32_MAX) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side));
  } else if (ctx->facts.step != STEP_START || seg->ddp.mo == 0) {
    ddp_settle_length(ctx, len);
  }
}

/* This rule and the next one judge segments without payload alone. ddp.zero-length judges a segment
 * that begins a message, since payload may follow. */
void iwarp_rule_ddp_empty_segment(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  if (!rulesi_need_place(ctx)) {
    return;
  }
  const struct rules_slot *slot = &rules_own(ctx)->messages.slots[ctx->facts.slot];
  if (slot->empty_so_far || (ctx->facts.step == STEP_START && !seg->ddp.last)) {
    return;
  }
  const bool joined_midway = ctx->facts.step == STEP_LEARN && !rules_slot_hidden(slot);
  if (joined_midway || (ctx->facts.step != STEP_START && !slot->start_seen)) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    return;
  }
  const bool continues = ctx->facts.step == STEP_CONTINUE;
  if (ctx->facts.step != STEP_START && ctx->facts.step != STEP_LEARN && !continues) {
    return; /* the place is wrong, as reported */
  }
  rulesi_check_fields(ctx, seg->ddp.last && !continues, IWARP_FIELD_NONE, IWARP_FIELD_DDP_TAGGED_T,
                      IWARP_FIELD_DDP_TAGGED_DV, rulesi_at_least(1), rulesi_uint(0));
}

/* True if the segment ends a message that has none with payload: STag and TO of one without mean
 * nothing, so that of a Tagged message only the opcode can tell. RFC 5041 5.2 */
static bool ddp_ends_empty(const struct rules_ctx *ctx) {
  const struct rules_slot *slot = &rules_own(ctx)->messages.slots[ctx->facts.slot];
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  return slot->empty_so_far && slot->opcode == seg->ctrl.opcode &&
         (ctx->facts.step == STEP_CONTINUE ||
          (ctx->facts.step == STEP_LEARN && slot->state == SLOT_OPEN && !slot->interrupted));
}

void iwarp_rule_ddp_zero_length(const struct rules_ctx *ctx) {
  if (!rules_seg(ctx)->ddp.last || !rulesi_need_place(ctx)) {
    return;
  }
  const bool empty = ddp_ends_empty(ctx);
  if (ctx->facts.step == STEP_START || empty) {
    rulesi_check_header(ctx, !empty, rulesi_uint(1), rulesi_at_least(2));
  }
}
