/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on how segments follow each other: MSN, MO, TO, STag, RsvdULP, L, and the end: RFC 5041
 * 4.2, 4.3, 5.2, 5.3, 6.2.1. */
#include "catalog.h"
#include "evidence.h"
#include "order.h"
#include "requests.h"

static const struct rules_slot *queue_slot(const struct rules_ctx *ctx) {
  return &rules_own(ctx)->messages.slots[ctx->facts.slot];
}

static bool queue_untagged(const struct rules_ctx *ctx) {
  return rules_seg(ctx)->has_ddp && !rules_seg(ctx)->ddp.tagged && rulesi_need_place(ctx);
}

static bool queue_tagged(const struct rules_ctx *ctx) {
  return rules_seg(ctx)->has_ddp && rules_seg(ctx)->ddp.tagged && rulesi_need_place(ctx);
}

static bool queue_unknown(const struct rules_ctx *ctx) {
  if (ctx->facts.step != STEP_LEARN) {
    return false;
  }
  if (!rules_slot_hidden(queue_slot(ctx))) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side));
  }
  return true;
}

/* MSN is `due`, or beyond it by no more than the segments that may have taken one but could not be
 * placed; or it follows the other MSN of a message that had two. */
static bool queue_in_turn(const struct rules_ctx *ctx, uint32_t due) {
  const struct rules_slot *slot = queue_slot(ctx);
  const uint32_t msn = rules_seg(ctx)->ddp.msn;
  return msn - due <= slot->unplaced || (slot->msn_changed && msn == slot->msn_other + 1u);
}

/* A Terminate has a rule of its own. */
void iwarp_rule_ddp_msn_first(const struct rules_ctx *ctx) {
  const uint32_t msn = rules_seg(ctx)->ddp.msn;
  if (!queue_untagged(ctx) || ctx->facts.slot == IWARP_RDMAP_QN_TERMINATE ||
      queue_slot(ctx)->state != SLOT_FRESH) {
    return;
  }
  rulesi_check_field(ctx, queue_in_turn(ctx, 1), IWARP_FIELD_DDP_UNTAGGED_MSN, rulesi_uint(1),
                     rulesi_uint(msn));
}

void iwarp_rule_ddp_msn_sequence(const struct rules_ctx *ctx) {
  const uint32_t msn = rules_seg(ctx)->ddp.msn;
  if (!queue_untagged(ctx) || queue_unknown(ctx) || ctx->facts.step != STEP_START ||
      queue_slot(ctx)->state != SLOT_CLOSED) {
    return;
  }
  const uint32_t due = queue_slot(ctx)->msn + 1u; /* 0xffffffff is followed by 0 */
  rulesi_check_field(ctx, queue_in_turn(ctx, due), IWARP_FIELD_DDP_UNTAGGED_MSN, rulesi_uint(due),
                     rulesi_uint(msn));
}

void iwarp_rule_ddp_msn_constant(const struct rules_ctx *ctx) {
  if (!queue_untagged(ctx) || queue_slot(ctx)->state != SLOT_OPEN ||
      ctx->facts.step == STEP_RESTART || ctx->facts.step == STEP_LEARN) {
    return;
  }
  rulesi_check_field(ctx, ctx->facts.step != STEP_MSN_CHANGE, IWARP_FIELD_DDP_UNTAGGED_MSN,
                     rulesi_uint(queue_slot(ctx)->msn), rulesi_uint(rules_seg(ctx)->ddp.msn));
}

/*
 * A segment that follows the one before passes. Others may supply the octets that it skips, so it
 * is judged when the message ends. The rule fails if octets are left out or come twice.
 */
static void queue_in_order(const struct rules_ctx *ctx, bool follows) {
  if (rulesi_order_mine(ctx)) {
    rulesi_order_fail(ctx);
  } else if (follows) {
    rulesi_pass(ctx);
  } else if (ctx->facts.order_reason != 0) {
    rulesi_inconclusive(ctx, ctx->facts.order_reason);
  }
}

/* A message of one segment needs only MO. */
void iwarp_rule_ddp_mo_first(const struct rules_ctx *ctx) {
  const uint32_t mo = rules_seg(ctx)->ddp.mo;
  if (!queue_untagged(ctx)) {
    return;
  }
  if (ctx->facts.step == STEP_LEARN && mo != 0) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side));
    return;
  }
  if (ctx->facts.step == STEP_START && (mo == 0 || rulesi_ends_message(ctx))) {
    rulesi_check_field(ctx, mo == 0, IWARP_FIELD_DDP_UNTAGGED_MO, rulesi_uint(0), rulesi_uint(mo));
  } else if (ctx->facts.step == STEP_START || rulesi_order_mine(ctx)) {
    queue_in_order(ctx, false);
  }
}

void iwarp_rule_ddp_mo_contiguous(const struct rules_ctx *ctx) {
  if (!queue_untagged(ctx)) {
    return;
  }
  if (ctx->facts.step != STEP_START) {
    queue_in_order(ctx, ctx->facts.step == STEP_CONTINUE);
  }
}

void iwarp_rule_ddp_to_contiguous(const struct rules_ctx *ctx) {
  if (!queue_tagged(ctx) || queue_unknown(ctx)) {
    return;
  }
  queue_in_order(ctx, ctx->facts.step == STEP_CONTINUE);
}

/* The segment with L of a message that is whole has not the highest MO. */
static bool queue_overtaken(const struct rules_ctx *ctx) {
  const iwarp_ddp_hdr *ddp = &rules_seg(ctx)->ddp;
  return ctx->facts.order == ORDER_WHOLE && !ddp->tagged && ddp->mo < queue_slot(ctx)->mo_top;
}

/* Fails on the first segment out of its place, once all octets of its message have come. */
void iwarp_rule_ddp_segment_order(const struct rules_ctx *ctx) {
  if (!rules_seg(ctx)->has_ddp || !rulesi_need_place(ctx)) {
    return;
  }
  if (ctx->facts.order == ORDER_WHOLE && !queue_overtaken(ctx)) {
    rulesi_order_fail(ctx);
  } else if (ctx->facts.order_reason != 0) {
    rulesi_inconclusive(ctx, ctx->facts.order_reason);
  } else if (ctx->facts.step == STEP_CONTINUE && ctx->facts.order == ORDER_NOT) {
    rulesi_pass(ctx);
  }
}

void iwarp_rule_ddp_stag_constant(const struct rules_ctx *ctx) {
  if (!queue_tagged(ctx)) {
    return;
  }
  if (ctx->facts.step == STEP_CONTINUE || ctx->facts.step == STEP_STAG_CHANGE) {
    rulesi_check_field(ctx, ctx->facts.step == STEP_CONTINUE, IWARP_FIELD_DDP_TAGGED_STAG,
                       rulesi_hex(IWARP_VALUE_HEX32, queue_slot(ctx)->stag),
                       rulesi_hex(IWARP_VALUE_HEX32, rules_seg(ctx)->ddp.stag));
  }
}

static iwarp_value queue_rsvdulp(uint8_t opcode, uint32_t word) {
  const uint8_t octets[5] = {iwarp_rdmap_ctrl_encode((iwarp_rdmap_ctrl){.rv = 1, .opcode = opcode}),
                             (uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8),
                             (uint8_t)word};
  return rulesi_octets(octets, iwarp_rdmap_op_get(opcode)->tagged ? 1 : sizeof(octets));
}

/* The part of RsvdULP that differs from the message's: its octet, or the Invalidate STag in it. */
static iwarp_field_id queue_rsvdulp_wrong(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const bool same_stag = seg->ddp.tagged || seg->ddp.rsvdulp_word == queue_slot(ctx)->stag;
  if (same_stag) {
    return IWARP_FIELD_DDP_TAGGED_RSVDULP;
  }
  return seg->ctrl.opcode == queue_slot(ctx)->opcode ? IWARP_FIELD_DDP_UNTAGGED_INVALIDATE_STAG
                                                     : IWARP_FIELD_NONE;
}

/* Reserved bits, an unused Invalidate STag and an opcode of no message have rules of their own. */
void iwarp_rule_ddp_rsvdulp_constant(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  if (!seg->has_ddp || !rulesi_need_place(ctx) || !ctx->facts.op->assigned ||
      !iwarp_rdmap_op_get(queue_slot(ctx)->opcode)->assigned) {
    return;
  }
  if (ctx->facts.step == STEP_CONTINUE || ctx->facts.step == STEP_OP_CHANGE) {
    rulesi_check_fields(ctx, ctx->facts.step == STEP_CONTINUE, queue_rsvdulp_wrong(ctx),
                        IWARP_FIELD_DDP_TAGGED_RSVDULP,
                        seg->ddp.tagged ? IWARP_FIELD_DDP_TAGGED_RSVDULP
                                        : IWARP_FIELD_DDP_UNTAGGED_INVALIDATE_STAG,
                        queue_rsvdulp(queue_slot(ctx)->opcode, queue_slot(ctx)->stag),
                        queue_rsvdulp(seg->ctrl.opcode, seg->ddp.rsvdulp_word));
  }
}

static iwarp_value queue_rest(void) {
  return rulesi_text("the rest of the unfinished message");
}

/* Reports the segment that was kept. */
static iwarp_finding *queue_fail_kept(const struct rules_ctx *ctx, iwarp_value expected,
                                      iwarp_value observed) {
  const struct rules_begun *kept = &rules_own(ctx)->messages.interrupted.other;
  iwarp_finding *f = rulesi_fail_kept(ctx, expected, observed);
  f->first = kept->first;
  f->last = kept->last;
  f->pos = kept->pos;
  f->offset = kept->offset;
  return f;
}

/* Two messages of a queue are mixed: reported of the segment that began the second one. */
static void queue_fail_mixed(const struct rules_ctx *ctx) {
  const struct rules_begun *kept = &rules_own(ctx)->messages.interrupted.other;
  iwarp_finding *f = queue_fail_kept(ctx, queue_rest(), rulesi_text(kept->opcode));
  f->octet_pos = kept->header_pos;
  f->octet_len = kept->header_len;
}

/* True if the message under way is a Read Response that may have all of its octets and lack L: how
 * many the Read asked for is not known. */
static bool queue_response_unsized(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const struct rules_slot *slot = &own->messages.slots[RULES_SLOT_TAGGED];
  const struct rules_response *r = &own->response;
  return slot->state == SLOT_OPEN && slot->opcode == IWARP_RDMAP_OP_READ_RESP &&
         (rules_other(ctx)->requests.lost || (r->known && !r->request.details));
}

/* A Terminate may cut any message. */
void iwarp_rule_ddp_message_order(const struct rules_ctx *ctx) {
  if (ctx->facts.interrupted == INTERRUPTED_ORDER) {
    queue_fail_mixed(ctx);
    return;
  }
  if (!rules_seg(ctx)->has_ddp || !rulesi_need_place(ctx) ||
      rules_seg(ctx)->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE) {
    return;
  }
  const bool inside = ctx->facts.other_open || ctx->facts.step == STEP_TAGGED_IN_TAGGED;
  if (inside && queue_response_unsized(ctx)) {
    const struct rules_requests *r = &rules_other(ctx)->requests;
    rulesi_unjudged(ctx, r->lost ? r->because : rules_reason(rulesi_missing(ctx, rules_peer(ctx))));
    return;
  }
  if (ctx->facts.step == STEP_LEARN) {
    if (inside) {
      rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side));
    }
    return;
  }
  if (ctx->facts.step == STEP_START || ctx->facts.step == STEP_TAGGED_IN_TAGGED) {
    rulesi_check_header(ctx, !inside, queue_rest(), rulesi_text(ctx->facts.op->label));
  }
}

static iwarp_value queue_ending(void) {
  return rulesi_text("a segment with L that ends the message before it");
}

/* The message that was set aside has ended without L. */
static void queue_fail_kept_last(const struct rules_ctx *ctx) {
  const struct rules_begun *kept = &rules_own(ctx)->messages.interrupted.other;
  const bool tagged = kept->field == 0;
  iwarp_finding *f = queue_fail_kept(ctx, tagged ? queue_ending() : rulesi_uint(kept->due),
                                     tagged ? rulesi_text(kept->opcode) : rulesi_uint(kept->msn));
  f->octet_pos = kept->label_pos;
  f->octet_len = kept->label_len;
  f->field = kept->field;
}

/* Why what follows the message that is set aside is not known. */
static uint32_t queue_aside_reason(const struct rules_ctx *ctx) {
  return ctx->info->sctp && !ctx->info->side[ctx->ev->side].start_known
             ? IWARP_REASON_MID_STREAM
             : rules_own(ctx)->chain.gap_reason;
}

/* What the event says of the message that is set aside. */
static void queue_settle_last(const struct rules_ctx *ctx) {
  if (ctx->facts.interrupted == INTERRUPTED_MISSING) {
    queue_fail_kept_last(ctx);
  } else if (ctx->facts.interrupted == INTERRUPTED_LOST) {
    rulesi_inconclusive(ctx, queue_aside_reason(ctx));
  }
}

/* A message under way of which no finding speaks. A Terminate may cut any other one. */
static const struct rules_slot *queue_unfinished(const struct rules_side *own) {
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    const struct rules_slot *s = &own->messages.slots[i];
    const bool cut = own->terminate.alike && i != IWARP_RDMAP_QN_TERMINATE;
    if (s->state == SLOT_OPEN && !s->interrupted && !cut) {
      return s;
    }
  }
  return NULL;
}

/* True if the side had received that the other one sends no more, or a Terminate in a wrong form:
 * what it does then is no close of its own. */
static bool queue_after_close(const struct rules_ctx *ctx) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const bool ended =
      peer->end != IWARP_END_OPEN &&
      (peer->end != IWARP_END_FIN || ctx->ev->first.peer_pos > rules_other(ctx)->end);
  return ended || rules_other(ctx)->terminate.alike;
}

/* Nothing of the stream is missing, so that its last FPDU is known. */
static bool queue_end_certain(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const bool whole = !ctx->info->sctp || rulesi_session_whole(ctx);
  if (rules_from_startup(ctx, ctx->ev->side) && rules_startups_sure(ctx) &&
      !ctx->ev->last.damaged && whole) {
    return true;
  }
  const bool gap = own->gap || ctx->ev->last.damaged || (ctx->info->sctp && own->start_known);
  rulesi_inconclusive(ctx, gap ? rules_own(ctx)->chain.gap_reason : IWARP_REASON_MID_STREAM);
  return false;
}

/* True if the last segment, after which a message is under way, is known, and has this opcode. */
static bool queue_last_is(const struct rules_side *own, iwarp_rdmap_opcode opcode) {
  const uint32_t last = (uint32_t)(own->headers.num - 1u) & (own->headers.max - 1u);
  return !own->headers.lost &&
         (own->headers.entry[last].octets[1] & IWARP_RDMAP_CTRL_OPCODE) == opcode;
}

/* True if the Terminate with which the stream ends lacks only L. */
static bool queue_terminate_full(const struct rules_side *own) {
  return own->terminate.bare && own->messages.slots[IWARP_RDMAP_QN_TERMINATE].state == SLOT_OPEN &&
         own->messages.slots[IWARP_RDMAP_QN_TERMINATE].start_seen &&
         queue_last_is(own, IWARP_RDMAP_OP_TERMINATE);
}

/* ON if the Read Response with which the stream ends lacks only a segment with L. */
static iwarp_tristate queue_response_full(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const bool last = queue_unfinished(own) == &own->messages.slots[RULES_SLOT_TAGGED];
  return last && queue_last_is(own, IWARP_RDMAP_OP_READ_RESP) ? rulesi_response_full(own)
                                                              : IWARP_TRISTATE_OFF;
}

/* Over SCTP: true if the side sent its Session Terminate before it had received the Session
 * Terminate of the other side, after which it may stop anywhere. */
static bool queue_unprompted(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  const struct rules_sctp *other = &rules_other(ctx)->sctp;
  const uint64_t received = own->ended_at.peer_pos;
  const bool prompted =
      other->ended && received != IWARP_POS_UNKNOWN && received > other->ended_pos;
  if (!own->unprompted && !prompted) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  }
  return own->unprompted;
}

/* The same of a session: whether it ended it of its own accord. */
static bool queue_terminates(const struct rules_ctx *ctx) {
  const struct rules_side *other = rules_other(ctx);
  if (other->headers.lost) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return false;
  }
  return !other->terminate.alike && queue_unprompted(ctx);
}

/* True if the side has closed inside of a message of its own accord, and it is known whether that
 * message lacks more than L. */
static bool queue_closed_inside(const struct rules_ctx *ctx) {
  if (!queue_end_certain(ctx)) {
    return false;
  }
  const bool stops =
      ctx->info->sctp ? queue_terminates(ctx) : rulesi_may_not_stop(ctx) && !queue_after_close(ctx);
  if (!stops) {
    return false;
  }
  if (queue_response_full(ctx) == IWARP_TRISTATE_UNKNOWN) {
    rulesi_inconclusive(ctx, rules_other(ctx)->chain.gap_reason);
    return false;
  }
  return true;
}

/* The last segment should have L, whose field this is. */
static void queue_fail_last(const struct rules_ctx *ctx, iwarp_field_id field,
                            uint64_t other_packet) {
  const struct rules_framing *last = &rules_own(ctx)->framing;
  iwarp_finding *f = rulesi_fail(ctx, rulesi_text("L set"), rulesi_text("L clear"));
  f->first = last->first;
  f->last = last->last;
  f->pos = last->pos;
  f->offset = last->offset;
  f->octet_pos = last->pos + IWARP_MPA_LENGTH_LEN; /* a Marker never stands inside of four octets */
  f->octet_len = 1;
  f->field = (uint16_t)field;
  f->other_packet = other_packet;
}

/* Judges a Read Response, or a Terminate, that has all of its octets when its side closes: it is
 * the last message, whatever the other side does then. */
static void queue_settle_full(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  iwarp_event close;
  if (!rulesi_closed(ctx, &close)) {
    return;
  }
  if (queue_terminate_full(own) && !rules_is_open(&own->docket, QUESTION_RUN) &&
      queue_end_certain(ctx)) {
    queue_fail_last(ctx, IWARP_FIELD_DDP_UNTAGGED_L, 0);
  } else if (queue_response_full(ctx) != IWARP_TRISTATE_OFF && queue_closed_inside(ctx)) {
    queue_fail_last(ctx, IWARP_FIELD_DDP_TAGGED_L, own->response.request.packet);
  }
}

/* L of a message of a fixed length is judged at once, L of a Read Request by
 * rdmap.read-request-last. L of other messages is judged by the message after them. */
static bool queue_last_judged(uint8_t opcode) {
  switch (iwarp_rdmap_op_get(opcode)->cls) {
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: return true;
  case IWARP_RDMAP_CLASS_READ_REQ:
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_NONE: break;
  }
  return false;
}

/* A Tagged message is a new one where neither STag nor TO goes on with the one under way. That it
 * is right shows in no segment of it. Whether L is missing, or the messages are mixed, shows in
 * what follows. */
void iwarp_rule_ddp_last_flag_missing(const struct rules_ctx *ctx) {
  queue_settle_last(ctx);
  if (ctx->ev->kind == IWARP_EVENT_END) {
    queue_settle_full(ctx);
  }
  if ((ctx->ev->kind != IWARP_EVENT_FPDU && ctx->ev->kind != IWARP_EVENT_SCTP_SEGMENT) ||
      !rules_seg(ctx)->has_ddp || !rulesi_need_place(ctx)) {
    return;
  }
  const struct rules_slot *slot = queue_slot(ctx);
  if (ctx->facts.response_over) {
    queue_fail_last(ctx, IWARP_FIELD_DDP_TAGGED_L, ctx->facts.response_packet);
    return;
  }
  if (queue_last_judged(rules_seg(ctx)->ctrl.opcode)) {
    rulesi_check_last(ctx);
  }
  if (ctx->facts.step == STEP_RESTART && !rules_may_wait(ctx) && !slot->interrupted) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side));
  } else if (!rules_seg(ctx)->ddp.tagged && ctx->facts.step == STEP_START &&
             slot->state == SLOT_CLOSED && !queue_last_judged(slot->opcode)) {
    rulesi_pass(ctx);
  }
}

/* L may also be on a segment that has overtaken others of its message: it has not the highest MO.
 */
void iwarp_rule_ddp_last_flag_early(const struct rules_ctx *ctx) {
  if (!queue_untagged(ctx)) {
    return;
  }
  const iwarp_ddp_hdr *ddp = &rules_seg(ctx)->ddp;
  if (queue_overtaken(ctx)) {
    rulesi_check_field(ctx, false, IWARP_FIELD_DDP_UNTAGGED_MO,
                       rulesi_at_least(queue_slot(ctx)->mo_top), rulesi_uint(ddp->mo));
    return;
  }
  const bool late = ctx->facts.step == STEP_AFTER_LAST && ddp->mo != queue_slot(ctx)->next;
  if (late && queue_slot(ctx)->ended_with_holes) {
    return; /* reported on the segment with L */
  }
  if (late && !queue_slot(ctx)->start_seen) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, ctx->ev->side)); /* maybe reported before */
    return;
  }
  const bool new_one = queue_slot(ctx)->state == SLOT_CLOSED && ctx->facts.step == STEP_START;
  if (new_one || ctx->facts.step == STEP_AFTER_LAST) {
    rulesi_check_field(ctx, new_one, IWARP_FIELD_DDP_UNTAGGED_MSN,
                       rulesi_uint(queue_slot(ctx)->msn + 1u),
                       rulesi_uint(rules_seg(ctx)->ddp.msn));
  }
}

static bool queue_known(const struct rules_side *own) {
  bool known = true;
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    known = known && own->messages.slots[i].state != SLOT_UNKNOWN;
  }
  return known;
}

/* mpa.stream-end reports an FPDU that has not ended. ddp.last-flag-missing reports a Read Response
 * or Terminate that has all of its octets. */
void iwarp_rule_ddp_stream_end(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const struct rules_slot *slot = queue_unfinished(own);
  iwarp_event close;
  if (!rulesi_closed(ctx, &close) || !own->first.seen || own->framing.reported ||
      rules_is_open(&own->docket, QUESTION_RUN)) {
    return;
  }
  if (slot == NULL) {
    if (rules_from_startup(ctx, ctx->ev->side) && queue_known(own)) {
      rulesi_pass(ctx);
    }
  } else if (!queue_terminate_full(own) && queue_response_full(ctx) != IWARP_TRISTATE_ON &&
             queue_closed_inside(ctx)) {
    iwarp_finding *f =
        rulesi_fail_event(ctx, &close, rulesi_text("a segment with L that ends the message"),
                          rulesi_text(iwarp_rdmap_op_get(slot->opcode)->label));
    f->other_packet = own->framing.last.packet;
  }
}
