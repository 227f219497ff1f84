/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on who may send first, and what: RFC 5044 7.1.2, RFC 6581 5 and 9.2. */
#include "catalog.h"
#include "evidence.h"

static bool first_of(const struct rules_ctx *ctx, iwarp_role role) {
  return ctx->facts.first && ctx->info->side[ctx->ev->side].role == role;
}

/* The octets that begin the FPDU stand for it; nothing is wrong with ULPDU_Length. A Marker that
 * leads it is too early itself, and may have been sent before the rest. */
static void first_settle(const struct rules_ctx *ctx, bool ok, iwarp_value expected,
                         iwarp_value observed) {
  if (ok) {
    rulesi_pass(ctx);
    return;
  }
  iwarp_finding *f = rulesi_fail(ctx, expected, observed);
  rulesi_at_fields(f, ctx, IWARP_FIELD_NONE, IWARP_FIELD_MPA_FPDU_ULPDU_LENGTH,
                   IWARP_FIELD_MPA_FPDU_ULPDU_LENGTH);
  f->other_packet = rules_other(ctx)->startup.packet;
  const uint32_t lead = ctx->ev->u.fpdu.fpdu.layout.lead;
  if (lead != 0) {
    f->last = f->first;
    f->octet_pos = ctx->ev->pos - lead;
    f->octet_len = lead;
  }
}

/* True if the frame of the other side is known to be no valid Reply. */
static bool first_no_reply(const struct rules_ctx *ctx, uint8_t peer_side) {
  const iwarp_observer_side *peer = &ctx->info->side[peer_side];
  return peer->has_startup && !ctx->track->side[peer_side].startup.event.last.damaged &&
         (peer->key == IWARP_MPA_KEY_REQUEST ||
          (peer->key == IWARP_MPA_KEY_UNKNOWN && rules_from_start(ctx, peer_side)));
}

/*
 * True if the Initiator on `side` answers with `first` a frame that it had received and that is no
 * valid Reply: it took that for one. mpa.reply-key or mpa.two-requests reports the frame. With a
 * Terminate the Initiator refuses it. An unknown position counts as one after the frame.
 */
static bool first_answers_wrong(const struct rules_ctx *ctx, uint8_t side,
                                const iwarp_event *first) {
  const uint8_t peer_side = (uint8_t)(1u - side);
  const iwarp_observer_side *peer = &ctx->info->side[peer_side];
  const uint64_t asked = ctx->track->side[peer_side].startup.event.first.peer_pos;
  const bool reported = peer->key == IWARP_MPA_KEY_UNKNOWN ||
                        (asked != IWARP_POS_UNKNOWN && asked >= ctx->info->side[side].startup_end);
  return first_no_reply(ctx, peer_side) && reported &&
         first->first.peer_pos >= peer->startup_pos + IWARP_MPA_STARTUP_LEN &&
         first->u.fpdu.seg.ctrl.opcode != IWARP_RDMAP_OP_TERMINATE;
}

/* ON if the Initiator on `side` had not received a valid Reply when it sent `first`, as far as
 * that is known now. */
static iwarp_tristate first_early(const struct rules_ctx *ctx, uint8_t side,
                                  const iwarp_event *first, const char **observed) {
  const uint8_t peer_side = (uint8_t)(1u - side);
  const iwarp_observer_side *peer = &ctx->info->side[peer_side];
  const uint64_t received = first->first.peer_pos;
  if (peer->has_startup && ctx->track->side[peer_side].startup.event.last.damaged) {
    return IWARP_TRISTATE_UNKNOWN; /* the Initiator may have taken another copy of the Reply */
  }
  if (first_no_reply(ctx, peer_side)) {
    *observed = "no valid Reply was sent";
    return IWARP_TRISTATE_ON;
  }
  if (received == IWARP_POS_UNKNOWN || first->last.damaged) {
    return IWARP_TRISTATE_UNKNOWN; /* the copy that the peer accepted may be no FPDU */
  }
  if (peer->has_startup && peer->key == IWARP_MPA_KEY_REPLY) {
    if (peer->gap && received >= peer->startup_pos + IWARP_MPA_STARTUP_LEN) {
      return IWARP_TRISTATE_UNKNOWN; /* PD_Length may be what is wrong: mpa.pd-length-match */
    }
    *observed = "before the end of the Reply";
    return received < peer->startup_end ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
  }
  *observed = "nothing received yet";
  return peer->start_known && received <= peer->start ? IWARP_TRISTATE_ON : IWARP_TRISTATE_UNKNOWN;
}

static void first_fail_early(const struct rules_ctx *ctx, const iwarp_event *first,
                             const char *observed) {
  iwarp_finding *f =
      rulesi_fail_event(ctx, first, rulesi_text("after the Reply"), rulesi_text(observed));
  f->octet_pos = first->pos;
  f->octet_len = IWARP_MPA_LENGTH_LEN;
  f->other_packet = ctx->track->side[1u - first->side].startup.packet;
}

/* True if the Private Data of the Reply are not all there: FPDUs may follow that PD_Length should
 * not cover, or, where it ends by FIN, nothing did when the first FPDU was sent. */
static bool first_reply_cut(const struct rules_ctx *ctx, uint8_t side, uint64_t received) {
  const iwarp_event *reply = &ctx->track->side[side].startup.event;
  return reply->u.startup.err != IWARP_OK &&
         (ctx->info->side[side].end != IWARP_END_FIN || received >= reply->pos + reply->len);
}

/* True if the Initiator on `side` may have taken the Reply for whole: its PD_Length is wrong, or
 * differs in the copy that the Initiator took. The Initiator had received its fixed header at
 * least. */
static bool first_reply_longer(const struct rules_ctx *ctx, uint8_t side) {
  const struct rules_side *reply = &ctx->track->side[1u - side];
  const uint64_t received = ctx->track->side[side].first_event.first.peer_pos;
  return received >= reply->startup.event.pos + IWARP_MPA_STARTUP_LEN &&
         (rules_pd_in_doubt(reply) || reply->startup.pd_reported ||
          reply->startup.event.last.damaged ||
          first_reply_cut(ctx, (uint8_t)(1u - side), received));
}

/* What was open when the first FPDU of `side` came. A Reply after a gap may be none. */
static bool first_proves_early(const struct rules_ctx *ctx, uint8_t side, const char **observed) {
  const struct rules_side *s = &ctx->track->side[side];
  return rules_answers(ctx, side, QUESTION_FPDU_FIRST) && !ctx->info->side[1u - side].gap &&
         !first_reply_longer(ctx, side) && !first_answers_wrong(ctx, side, &s->first_event) &&
         first_early(ctx, side, &s->first_event, observed) == IWARP_TRISTATE_ON;
}

/* What the packet acknowledges is what its sender had received. Where the other side has sent
 * nothing yet, its start may become known only at an end; where it has sent streaming data, the
 * Reply comes after it. */
void iwarp_rule_mpa_fpdu_before_reply(const struct rules_ctx *ctx) {
  const char *observed = NULL;
  if (ctx->ev->kind == IWARP_EVENT_END) {
    for (uint8_t side = 0; side < 2; side++) {
      if (first_proves_early(ctx, side, &observed)) {
        first_fail_early(ctx, &ctx->track->side[side].first_event, observed);
      }
    }
    return;
  }
  if (!first_of(ctx, IWARP_ROLE_INITIATOR) || first_answers_wrong(ctx, ctx->ev->side, ctx->ev)) {
    return;
  }
  switch (first_early(ctx, ctx->ev->side, ctx->ev, &observed)) {
  case IWARP_TRISTATE_UNKNOWN:
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    break;
  case IWARP_TRISTATE_OFF: rulesi_pass(ctx); break;
  case IWARP_TRISTATE_ON: first_fail_early(ctx, ctx->ev, observed); break;
  }
}

/* All that the Responder had received are FPDUs with a wrong CRC. A Terminate is not judged: RFC
 * 5044 8 lets the ULP report wrong CRCs with one. */
static void first_settle_invalid(const struct rules_ctx *ctx, iwarp_value due) {
  if (!rulesi_sender_view_complete(ctx) || !rules_from_startup(ctx, rules_peer(ctx))) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (rulesi_need(ctx, DEPTH_OPCODE) && rules_opcode(ctx) != IWARP_RDMAP_OP_TERMINATE) {
    first_settle(ctx, false, due, rulesi_text("no FPDU received with a right CRC"));
  }
}

void iwarp_rule_mpa_responder_first(const struct rules_ctx *ctx) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const struct rules_first *asked = &rules_other(ctx)->first;
  const uint64_t received = ctx->ev->first.peer_pos;
  const iwarp_value due = rulesi_text("after the Initiator's first FPDU");
  if (!first_of(ctx, IWARP_ROLE_RESPONDER)) {
    return;
  }
  if (received == IWARP_POS_UNKNOWN || peer->full_pos == IWARP_POS_UNKNOWN ||
      rules_pd_in_doubt(rules_other(ctx))) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (received <= peer->full_pos) {
    first_settle(ctx, false, due, rulesi_text("no FPDU received yet"));
  } else if (asked->seen && asked->at_start && asked->invalid && received >= asked->end) {
    first_settle_invalid(ctx, due);
  } else if (asked->seen && asked->at_start) {
    first_settle(ctx, received >= asked->end, due, rulesi_text("first FPDU received in part"));
  } else if (!asked->seen && received <= peer->partial_end && !rules_other(ctx)->chain.doubted &&
             rules_from_startup(ctx, rules_peer(ctx))) {
    first_settle(ctx, false, due, rulesi_text("first FPDU received in part"));
  } else {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  }
}

/* True if the side sent a Reply with R, be it one for certain or not. */
static bool first_rejects(const iwarp_observer_side *side) {
  return side->is_reply && (side->flags & IWARP_MPA_FLAG_R) != 0;
}

/* MPA's part is over; octets belong to the ULP, or are unexpected FPDUs. */
void iwarp_rule_mpa_after_reject(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  if (ctx->ev->kind == IWARP_EVENT_END) {
    if (ctx->info->rejected && own->chain.seen &&
        own->end <= ctx->info->side[ctx->ev->side].startup_end) {
      rulesi_pass(ctx);
    }
    return;
  }
  if (ctx->ev->u.undecodable != IWARP_UNDEC_AFTER_REJECT) {
    return;
  }
  const bool rejects = first_rejects(&ctx->info->side[ctx->ev->side]);
  const uint8_t replier = rejects ? ctx->ev->side : rules_peer(ctx);
  /* payload, or Private Data, may look like a Reply with R, and the Initiator may have taken
   * another copy of it */
  if (!first_rejects(&ctx->info->side[replier]) || !rules_startup_sure(ctx, replier)) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, replier));
  } else {
    iwarp_finding *f = rulesi_fail(ctx, rulesi_uint(0), rulesi_uint(ctx->ev->len));
    f->last = f->first;
    f->octet_pos = ctx->ev->pos;
    f->octet_len = (uint32_t)ctx->ev->len;
  }
}

/* The side had sent the Reply with R, or had received it; UNKNOWN: it may be none. */
static iwarp_tristate first_knows_reject(const struct rules_ctx *ctx) {
  const bool rejects = first_rejects(&ctx->info->side[ctx->ev->side]);
  const uint8_t replier = rejects ? ctx->ev->side : rules_peer(ctx);
  const iwarp_observer_side *reply = &ctx->info->side[replier];
  if (!first_rejects(reply) || !rules_startups_sure(ctx) ||
      (!rejects && ctx->ev->first.peer_pos == IWARP_POS_UNKNOWN)) {
    return IWARP_TRISTATE_UNKNOWN;
  }
  return rejects || ctx->ev->first.peer_pos >= reply->startup_end ? IWARP_TRISTATE_ON
                                                                  : IWARP_TRISTATE_OFF;
}

void iwarp_rule_mpa_fpdu_after_reject(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  if (ctx->ev->u.undecodable != IWARP_UNDEC_AFTER_REJECT || own->gap || !own->has_startup ||
      ctx->ev->pos != own->startup_end) {
    return;
  }
  const iwarp_tristate knows = first_knows_reject(ctx);
  if (ctx->ev->begins_fpdu == IWARP_TRISTATE_OFF) {
    rulesi_pass(ctx);
  } else if (ctx->ev->begins_fpdu == IWARP_TRISTATE_UNKNOWN) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP);
  } else if (knows == IWARP_TRISTATE_UNKNOWN || ctx->ev->last.damaged) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (knows == IWARP_TRISTATE_ON) {
    iwarp_finding *f = rulesi_fail(ctx, rulesi_text("no FPDU"), rulesi_text("an FPDU"));
    f->last = f->first;
    f->octet_pos = ctx->ev->pos;
    f->octet_len = IWARP_MPA_LENGTH_LEN;
    f->other_packet =
        first_rejects(own) ? rules_own(ctx)->startup.packet : rules_other(ctx)->startup.packet;
  }
}

/* The peer-to-peer model was agreed: A in an accepted enhanced Request and Reply. */
static bool first_peer_to_peer(const struct rules_ctx *ctx) {
  const iwarp_observer_side *reply = rulesi_reply(ctx);
  const iwarp_observer_side *request = rulesi_request(ctx);
  return reply != NULL && !ctx->info->rejected && reply->enhanced && request->enhanced &&
         reply->enh.a && request->enh.a;
}

enum first_rtr { FIRST_NONE = 0, FIRST_SEND, FIRST_WRITE, FIRST_READ };

/* What the FPDU is as an RTR message: RFC 6581 9.2. */
static enum first_rtr first_rtr_kind(const struct rules_ctx *ctx) {
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  if (!seg->ddp.last) {
    return FIRST_NONE;
  }
  if (seg->ctrl.opcode == IWARP_RDMAP_OP_READ_REQ) {
    return seg->kind == IWARP_RDMAP_KIND_READ_REQ && seg->u.read_req.size == 0 ? FIRST_READ
                                                                               : FIRST_NONE;
  }
  if (seg->payload_len != 0) {
    return FIRST_NONE;
  }
  if (seg->ctrl.opcode == IWARP_RDMAP_OP_WRITE) {
    return FIRST_WRITE;
  }
  return seg->ctrl.opcode == IWARP_RDMAP_OP_SEND ? FIRST_SEND : FIRST_NONE;
}

static bool first_negotiated(const struct rules_ctx *ctx, enum first_rtr kind) {
  const iwarp_mpa_enhanced *a = &rulesi_request(ctx)->enh;
  const iwarp_mpa_enhanced *b = &rulesi_reply(ctx)->enh;
  switch (kind) {
  case FIRST_SEND: return a->b && b->b;
  case FIRST_WRITE: return a->c && b->c;
  case FIRST_READ: return a->d && b->d;
  case FIRST_NONE: break;
  }
  return false;
}

static bool first_any_negotiated(const struct rules_ctx *ctx) {
  return first_negotiated(ctx, FIRST_SEND) || first_negotiated(ctx, FIRST_WRITE) ||
         first_negotiated(ctx, FIRST_READ);
}

/* A first FPDU of the Initiator in the peer-to-peer model, whose fields can be read. */
static bool first_rtr_due(const struct rules_ctx *ctx) {
  return first_of(ctx, IWARP_ROLE_INITIATOR) && first_peer_to_peer(ctx) &&
         rulesi_need(ctx, DEPTH_MESSAGE);
}

static bool first_is_terminate(const struct rules_ctx *ctx) {
  return rules_seg(ctx)->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE;
}

/* The same, and it is known what kind of RTR message it is: of a Read Request the size must be
 * available. One of another length is rdmap.read-request-length. */
static bool first_rtr_readable(const struct rules_ctx *ctx) {
  if (!first_rtr_due(ctx)) {
    return false;
  }
  const bool is_read = rules_seg(ctx)->ctrl.opcode == IWARP_RDMAP_OP_READ_REQ;
  const bool sized = !is_read || rules_seg(ctx)->kind != IWARP_RDMAP_KIND_NONE;
  if (!sized && !ctx->ev->u.fpdu.complete) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
  }
  return sized;
}

/* A Terminate may stand in its place, and must where no RTR message could be right. */
void iwarp_rule_mpa_rtr_first(const struct rules_ctx *ctx) {
  if (first_rtr_readable(ctx)) {
    rulesi_check_field(
        ctx, first_is_terminate(ctx) || first_rtr_kind(ctx) != FIRST_NONE,
        IWARP_FIELD_RDMAP_CTRL_OPCODE,
        rulesi_text(first_any_negotiated(ctx)
                        ? "a zero-length Send, RDMA Write or RDMA Read"
                        : "a Terminate 0x2/0x0/0x07, since no RTR type is common to both"),
        rulesi_text(ctx->facts.op->label));
  }
}

void iwarp_rule_mpa_rtr_type(const struct rules_ctx *ctx) {
  static const char *const names[] = {[FIRST_NONE] = "none",
                                      [FIRST_SEND] = "Send",
                                      [FIRST_WRITE] = "RDMA Write",
                                      [FIRST_READ] = "RDMA Read"};
  if (!first_rtr_readable(ctx) || first_rtr_kind(ctx) == FIRST_NONE) {
    return;
  }
  const enum first_rtr kind = first_rtr_kind(ctx);
  enum first_rtr due = FIRST_READ;
  while (due != FIRST_NONE && !first_negotiated(ctx, due)) {
    due--;
  }
  rulesi_check_field(ctx, first_negotiated(ctx, kind), IWARP_FIELD_RDMAP_CTRL_OPCODE,
                     rulesi_text(names[due]), rulesi_text(names[kind]));
}

static iwarp_field_id first_term_wrong(const iwarp_rdmap_term *t) {
  if (t->layer != 2) {
    return IWARP_FIELD_RDMAP_TERM_LAYER;
  }
  return t->etype != 0 ? IWARP_FIELD_RDMAP_TERM_ETYPE : IWARP_FIELD_RDMAP_TERM_CODE;
}

/* True if a Terminate may be about octets that the Responder sent after the Reply, too early. An
 * unknown position counts as one after the Reply. */
static bool first_after_octets(const struct rules_ctx *ctx) {
  return ctx->ev->first.peer_pos > ctx->info->side[rules_peer(ctx)].startup_end;
}

/* 0x05 and 0x06 tell of what went wrong even earlier: what room for Reads the Initiator still had
 * shows nowhere. RFC 6581 9.3 */
static bool first_tells_why(const iwarp_rdmap_term *t) {
  return t->layer == 2 && t->etype == 0 && t->code >= 5 && t->code <= 7;
}

/* A common RTR message that can be sent: an IRD of 0 in the Reply leaves no room for a Read. */
static bool first_any_possible(const struct rules_ctx *ctx) {
  return first_negotiated(ctx, FIRST_SEND) || first_negotiated(ctx, FIRST_WRITE) ||
         (first_negotiated(ctx, FIRST_READ) && rulesi_reply(ctx)->enh.ird > 0);
}

/* The Reply asks for more Reads than the Initiator announced room for, and nothing else in the
 * startup frames is a reason for a Terminate. */
static bool first_lacks_ird(const struct rules_ctx *ctx) {
  const iwarp_observer_side *reply = rulesi_reply(ctx);
  const iwarp_observer_side *request = rulesi_request(ctx);
  if (reply == NULL || ctx->info->rejected || !reply->enhanced || !request->enhanced) {
    return false;
  }
  const bool numbers =
      request->enh.ird != IWARP_MPA_DEPTH_UNSPEC && reply->enh.ord != IWARP_MPA_DEPTH_UNSPEC;
  const bool model = request->enh.a == reply->enh.a && (!request->enh.a || first_any_possible(ctx));
  return numbers && model && reply->enh.ord > request->enh.ird;
}

#define FIRST_NO_RTR 0x2007u /* a Terminate: no matching RTR option */

/* True if both sides know their common RTR types, or that no RTR message comes: no Terminate may
 * then report that no type is common. A common type may lack room for Reads; if the Initiator lacks
 * room, mpa.ird-terminate judges the code. */
static bool first_rtr_agreed(const struct rules_ctx *ctx) {
  const iwarp_observer_side *reply = rulesi_reply(ctx);
  const iwarp_observer_side *request = rulesi_request(ctx);
  if (reply == NULL || ctx->info->rejected || !reply->enhanced || !request->enhanced ||
      reply->enh.a != request->enh.a || first_lacks_ird(ctx)) {
    return false;
  }
  return !reply->enh.a || first_any_possible(ctx);
}

/* The Terminate says that no RTR type is common. */
static void first_settle_agreed(const struct rules_ctx *ctx) {
  const iwarp_rdmap_term *t = &rules_seg(ctx)->u.term;
  if (rules_seg(ctx)->kind == IWARP_RDMAP_KIND_TERM && rulesi_term_error(t) == FIRST_NO_RTR) {
    rulesi_check_fields(ctx, false, IWARP_FIELD_RDMAP_TERM_CODE, IWARP_FIELD_RDMAP_TERM_LAYER,
                        IWARP_FIELD_RDMAP_TERM_CODE,
                        rulesi_text(rulesi_reply(ctx)->enh.a ? "an RTR message" : "another error"),
                        rulesi_text("a Terminate 0x2/0x0/0x07"));
  }
}

/* No RTR type is common to both. */
static void first_settle_mismatch(const struct rules_ctx *ctx) {
  if (rules_seg(ctx)->kind != IWARP_RDMAP_KIND_TERM) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    return;
  }
  const iwarp_rdmap_term *t = &rules_seg(ctx)->u.term;
  const bool ok = first_tells_why(t);
  if (ok || !first_after_octets(ctx)) {
    rulesi_check_fields(ctx, ok, first_term_wrong(t), IWARP_FIELD_RDMAP_TERM_LAYER,
                        IWARP_FIELD_RDMAP_TERM_CODE, rulesi_hex(IWARP_VALUE_HEX16, FIRST_NO_RTR),
                        rulesi_hex(IWARP_VALUE_HEX16, rulesi_term_error(t)));
  }
}

/*
 * The Initiator ends its stream in order after its Request, when it had received the Reply and
 * nothing after it, not even a FIN. Private Data of the ULP in the Reply may be what it ends for.
 */
static bool first_closes(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const iwarp_event_startup *reply = &rules_other(ctx)->startup.event.u.startup;
  return ctx->ev->u.end == IWARP_END_FIN && own->role == IWARP_ROLE_INITIATOR && !own->gap &&
         ctx->ev->pos == own->startup_end && ctx->ev->first.peer_pos == peer->startup_end &&
         reply->err == IWARP_OK && reply->frame.pd_length == IWARP_MPA_ENHANCED_LEN;
}

/* The peer-to-peer model was agreed, and Request and Reply name an RTR type, else mpa.rtr-offered
 * or mpa.rtr-supported. */
static bool first_offers(const struct rules_ctx *ctx) {
  return first_peer_to_peer(ctx) && rulesi_names_rtr(&rulesi_request(ctx)->enh) &&
         rulesi_names_rtr(&rulesi_reply(ctx)->enh);
}

void iwarp_rule_mpa_rtr_mismatch(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_END) {
    if (first_offers(ctx) && !first_any_negotiated(ctx) && first_closes(ctx)) {
      rulesi_fail(ctx, rulesi_text("a Terminate 0x2/0x0/0x07"), rulesi_text("a FIN alone"))
          ->other_packet = rules_other(ctx)->startup.packet;
    }
    return;
  }
  if (!first_of(ctx, IWARP_ROLE_INITIATOR)) {
    return;
  }
  if (first_peer_to_peer(ctx) && !first_any_negotiated(ctx)) {
    if (rulesi_need(ctx, DEPTH_MESSAGE) && first_is_terminate(ctx)) {
      first_settle_mismatch(ctx);
    }
  } else if (first_rtr_agreed(ctx) && ctx->facts.depth == DEPTH_MESSAGE &&
             first_is_terminate(ctx)) {
    first_settle_agreed(ctx);
  }
}

/* 0x05 may be about something local; other layers too. 0x02 and 0x03 are about FPDUs. */
static bool first_is_other(const struct rules_ctx *ctx, const iwarp_rdmap_term *t) {
  return t->layer != 2 || t->etype != 0 || t->code == 5 ||
         ((t->code == 2 || t->code == 3) && first_after_octets(ctx));
}

void iwarp_rule_mpa_ird_terminate(const struct rules_ctx *ctx) {
  if (!first_of(ctx, IWARP_ROLE_INITIATOR) || !first_lacks_ird(ctx) ||
      !rulesi_need(ctx, DEPTH_MESSAGE) || !first_is_terminate(ctx)) {
    return;
  }
  if (rules_seg(ctx)->kind != IWARP_RDMAP_KIND_TERM) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
    return;
  }
  const iwarp_rdmap_term *t = &rules_seg(ctx)->u.term;
  if (!first_is_other(ctx, t)) {
    const uint64_t triple = 0x2000u | t->code;
    rulesi_check_field(ctx, t->code == 6, IWARP_FIELD_RDMAP_TERM_CODE,
                       rulesi_hex(IWARP_VALUE_HEX16, 0x2006),
                       rulesi_hex(IWARP_VALUE_HEX16, triple));
  }
}
