/* SPDX-License-Identifier: BSD-2-Clause */
/* What the capture lets one know. */
#include "evidence.h"

#include "reason.h"
#include "sctp_event.h"

iwarp_tristate rulesi_version_right(const struct rules_ctx *ctx, uint8_t version) {
  if (version > 1) {
    return IWARP_TRISTATE_OFF;
  }
  if (!ctx->facts.version_known || (ctx->facts.version_rdmac && version == 1)) {
    return IWARP_TRISTATE_UNKNOWN;
  }
  return (version == 0) == ctx->facts.version_rdmac ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
}

/* True if the sender of the event had received octets of the other side that were not seen. */
static bool evidence_received_more(const struct rules_ctx *ctx) {
  const uint64_t received = rulesi_received(ctx);
  return received != IWARP_POS_UNKNOWN && received > rulesi_seen(ctx, rules_peer(ctx));
}

uint32_t rulesi_missing(const struct rules_ctx *ctx, uint8_t side) {
  const iwarp_observer_side *info = &ctx->info->side[side];
  const struct rules_side *s = &ctx->track->side[side];
  if (!info->seen) {
    return IWARP_REASON_ONE_DIRECTION;
  }
  if (ctx->info->sctp && !info->start_known) {
    return IWARP_REASON_MID_STREAM;
  }
  if (s->chain.gapped) {
    return s->chain.gap_reason;
  }
  if (info->has_startup && s->startup.event.last.damaged) {
    return rulesi_doubt(&s->startup.event.last);
  }
  if (side != ctx->ev->side && evidence_received_more(ctx)) {
    return s->chain.doubted ? IWARP_REASON_OCTETS_DIFFER : IWARP_REASON_GAP;
  }
  return rules_pd_in_doubt(s) ? IWARP_REASON_AFTER_FAULT : s->chain.gap_reason;
}

uint16_t rulesi_step_rule(const struct rules_ctx *ctx) {
  switch (ctx->facts.step) {
  case STEP_OP_CHANGE: return RULES_ddp_rsvdulp_constant;
  case STEP_MO_JUMP: return RULES_ddp_mo_contiguous;
  case STEP_TO_JUMP: return RULES_ddp_to_contiguous;
  case STEP_MSN_CHANGE: return RULES_ddp_msn_constant;
  case STEP_STAG_CHANGE: return RULES_ddp_stag_constant;
  case STEP_RESTART: return RULES_ddp_last_flag_missing;
  case STEP_AFTER_LAST: return RULES_ddp_last_flag_early;
  case STEP_RESUME:
  case STEP_TAGGED_IN_TAGGED:
  case STEP_NONE:
  case STEP_LEARN:
  case STEP_START:
  case STEP_CONTINUE: break;
  }
  return RULES_ddp_message_order;
}

/* True if the segment has the place that its MO says, as far as is known. */
static bool evidence_in_place(const struct rules_ctx *ctx) {
  const bool first = rules_seg(ctx)->ddp.mo == 0;
  const enum rules_step step = ctx->facts.step;
  return step == STEP_CONTINUE || step == STEP_LEARN ||
         (first && (step == STEP_START || step == STEP_RESTART));
}

void rulesi_check_last(const struct rules_ctx *ctx) {
  if (rulesi_fills_message(ctx) && evidence_in_place(ctx)) {
    rulesi_check_field(ctx, rules_seg(ctx)->ddp.last, IWARP_FIELD_DDP_UNTAGGED_L,
                       rulesi_text("L set"), rulesi_text("L clear"));
  }
}

bool rulesi_too_long_alone(const struct rules_ctx *ctx, uint32_t due) {
  const struct rules_slot *slot = &rules_own(ctx)->messages.slots[ctx->facts.slot];
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const bool begins = seg->ddp.mo != 0 && ctx->facts.step == STEP_START;
  const bool before = !begins && (slot->joined_midway ? slot->next : slot->total) > due;
  return (begins || ctx->facts.step == STEP_MO_JUMP) && seg->payload_len > due && !before;
}

uint64_t rulesi_received(const struct rules_ctx *ctx) {
  if (ctx->ev->sctp == NULL) {
    return ctx->ev->first.peer_pos;
  }
  const uint64_t received = rulesi_sctp_certainty(ctx)->received;
  return received != 0 ? received : IWARP_POS_UNKNOWN;
}

bool rulesi_not_received(const struct rules_ctx *ctx, uint64_t end) {
  const iwarp_meta *sent = &ctx->ev->first;
  return ctx->ev->sctp == NULL && !sent->damaged && sent->peer_pos != IWARP_POS_UNKNOWN &&
         sent->peer_pos < end;
}

/* An FPDU whose last octets are missing does not count. */
bool rulesi_sender_view_complete(const struct rules_ctx *ctx) {
  const uint64_t received = ctx->ev->first.peer_pos;
  const uint8_t peer = rules_peer(ctx);
  return received != IWARP_POS_UNKNOWN && rules_other(ctx)->chain.seen &&
         received <= rulesi_seen(ctx, peer) &&
         (ctx->ev->sctp == NULL || ctx->ev->sctp->lossless[peer]);
}

bool rulesi_may_settle(const struct rules_ctx *ctx) {
  return rulesi_sctp_lossless(ctx) && rulesi_sctp_certainty(ctx)->session_certain &&
         !rulesi_sctp_message(ctx)->inconclusive && !ctx->ev->last.damaged &&
         ctx->info->side[rules_peer(ctx)].seen && !rulesi_sender_view_complete(ctx);
}

bool rulesi_session_whole(const struct rules_ctx *ctx) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  return rulesi_sctp_certainty(ctx)->session_certain && !own->discarded &&
         !rules_other(ctx)->sctp.discarded && !own->ended_at.damaged;
}

bool rulesi_session_known(const struct rules_ctx *ctx) {
  return rulesi_session_whole(ctx) && rules_other(ctx)->sctp.ended;
}

bool rulesi_closed(const struct rules_ctx *ctx, iwarp_event *close) {
  const struct rules_sctp *own = &rules_own(ctx)->sctp;
  *close = *ctx->ev;
  if (!ctx->info->sctp) {
    return ctx->ev->u.end == IWARP_END_FIN;
  }
  close->pos = own->ended_pos;
  close->first = own->ended_at;
  close->last = own->ended_at;
  return own->ended && !ctx->info->rejected;
}

struct rules_kept rulesi_keep(const struct rules_ctx *ctx) {
  const iwarp_event *ev = ctx->ev;
  return (struct rules_kept){
      .first = ev->first, .last = ev->last, .pos = ev->pos, .end = ev->pos + ev->len};
}

iwarp_event rulesi_kept_event(const struct rules_kept *kept, uint8_t side) {
  return (iwarp_event){.kind = IWARP_EVENT_SCTP_SEGMENT,
                       .side = side,
                       .pos = kept->pos,
                       .len = kept->end - kept->pos,
                       .first = kept->first,
                       .last = kept->last};
}

const iwarp_event *rulesi_unasked(const struct rules_ctx *ctx, iwarp_rdmap_opcode opcode) {
  const iwarp_event *answer = &rules_own(ctx)->first_event;
  return rulesi_session_known(ctx) && rules_answers(ctx, rules_peer(ctx), QUESTION_ANSWER_FIRST) &&
                 answer->u.fpdu.seg.ctrl.opcode == opcode
             ? answer
             : NULL;
}

bool rulesi_may_not_stop(const struct rules_ctx *ctx) {
  const struct rules_side *other = rules_other(ctx);
  if (other->headers.lost || !rulesi_sender_view_complete(ctx)) {
    rulesi_unjudged(ctx, other->headers.lost ? other->headers.because
                                             : rules_reason(rulesi_missing(ctx, rules_peer(ctx))));
    return false;
  }
  return !other->terminate.seen;
}

static bool evidence_right_frames(const iwarp_observer_side *request,
                                  const iwarp_observer_side *reply) {
  return request->has_startup && !request->is_reply && request->key == IWARP_MPA_KEY_REQUEST &&
         reply->has_startup && reply->is_reply && reply->key == IWARP_MPA_KEY_REPLY;
}

const iwarp_observer_side *rulesi_reply(const struct rules_ctx *ctx) {
  const iwarp_observer_side *s = ctx->info->side;
  if (!rules_startups_sure(ctx)) {
    return NULL;
  }
  if (evidence_right_frames(&s[0], &s[1])) {
    return &s[1];
  }
  return evidence_right_frames(&s[1], &s[0]) ? &s[0] : NULL;
}

const iwarp_observer_side *rulesi_request(const struct rules_ctx *ctx) {
  const iwarp_observer_side *reply = rulesi_reply(ctx);
  if (reply == NULL) {
    return NULL;
  }
  return reply == &ctx->info->side[0] ? &ctx->info->side[1] : &ctx->info->side[0];
}

bool rulesi_startup_followed(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  return ctx->ev->u.undecodable == IWARP_UNDEC_NOT_FPDU && rules_own(ctx)->startup.sure &&
         !own->gap &&
         own->key != IWARP_MPA_KEY_UNKNOWN && /* else what stands for PD_Length may be none */
         !rules_own(ctx)->startup.event.last.damaged && ctx->ev->pos == own->startup_end &&
         !rules_pd_overrun(rules_own(ctx)) && ctx->facts.diagnosis != DIAGNOSIS_STARTUP_AGAIN &&
         ctx->facts.diagnosis != DIAGNOSIS_STARTUP_BEGUN && !rules_own(ctx)->startup.pd_reported;
}

bool rulesi_startup_after_reply(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const struct rules_side *reply = rules_other(ctx);
  return ctx->ev->u.startup.key == IWARP_MPA_KEY_REQUEST &&
         rules_answers(ctx, rules_peer(ctx), QUESTION_REPLY_FIRST) && own->start_known &&
         reply->startup.event.first.peer_pos <= own->start;
}

iwarp_tristate rulesi_startup_surplus(const struct rules_ctx *ctx, const iwarp_event *run) {
  const iwarp_observer_side *own = &ctx->info->side[run->side];
  const iwarp_observer_side *peer = &ctx->info->side[1u - run->side];
  const uint64_t received = run->first.peer_pos;
  if (received == IWARP_POS_UNKNOWN) {
    return IWARP_TRISTATE_OFF;
  }
  if (rules_pd_in_doubt(&ctx->track->side[1u - run->side]) ||
      !rules_startup_sure(ctx, (uint8_t)(1u - run->side))) {
    return IWARP_TRISTATE_UNKNOWN; /* the end of that frame is not known */
  }
  if (peer->has_startup) {
    const bool more = own->is_reply ? received > peer->startup_end : received >= peer->startup_end;
    return more ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_ON;
  }
  return !own->is_reply && peer->start_known && received <= peer->start ? IWARP_TRISTATE_ON
                                                                        : IWARP_TRISTATE_UNKNOWN;
}
