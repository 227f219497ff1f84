/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on the MPA Request and Reply Frame: RFC 5044 7.1. */
#include "catalog.h"
#include "evidence.h"
#include "framing.h"
#include "pd_overrun.h"

static const iwarp_mpa_startup *startup_frame(const struct rules_ctx *ctx) {
  return &ctx->ev->u.startup.frame;
}

/* A frame with a wrong key is judged for its key alone. */
static bool startup_readable(const struct rules_ctx *ctx) {
  return ctx->ev->u.startup.key != IWARP_MPA_KEY_UNKNOWN;
}

static bool startup_is_reply(const struct rules_ctx *ctx) {
  return ctx->ev->u.startup.is_reply && ctx->ev->u.startup.key == IWARP_MPA_KEY_REPLY;
}

/* The other side's frame, when it is a Request for sure. */
static const iwarp_observer_side *startup_request(const struct rules_ctx *ctx) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const bool sure = peer->has_startup && rules_startup_sure(ctx, rules_peer(ctx));
  return sure && peer->key == IWARP_MPA_KEY_REQUEST ? peer : NULL;
}

/* True if another copy of the frame of `side` has other octets. */
static bool startup_differs(const struct rules_ctx *ctx, uint8_t side) {
  const bool now = ctx->ev->kind == IWARP_EVENT_STARTUP && ctx->ev->side == side;
  const iwarp_event *frame = now ? ctx->ev : &ctx->track->side[side].startup.event;
  return ctx->info->side[side].has_startup && frame->last.differ;
}

static iwarp_value startup_key(iwarp_mpa_key key) {
  return rulesi_octets(iwarp_mpa_key_octets(key), IWARP_MPA_KEY_LEN);
}

/* Without the start of the stream the octets of a frame with a wrong key may be anything. */
static void startup_settle_key(const struct rules_ctx *ctx, iwarp_mpa_key due) {
  if (!startup_readable(ctx) && !rules_from_start(ctx, ctx->ev->side)) {
    rulesi_inconclusive(ctx, IWARP_REASON_MID_STREAM);
    return;
  }
  rulesi_check_field(ctx, startup_readable(ctx), IWARP_FIELD_MPA_STARTUP_KEY, startup_key(due),
                     rulesi_octets(startup_frame(ctx)->key, IWARP_MPA_KEY_LEN));
}

/* True if the Reply answers a frame with the key of a Reply, whose sender began. */
static bool startup_answers_reply(const struct rules_ctx *ctx) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  return startup_is_reply(ctx) && peer->has_startup && peer->key == IWARP_MPA_KEY_REPLY &&
         peer->role == IWARP_ROLE_INITIATOR && rules_startup_sure(ctx, rules_peer(ctx));
}

static void startup_fail_request_key(const struct rules_ctx *ctx) {
  const iwarp_event *request = &rules_other(ctx)->startup.event;
  iwarp_finding *f =
      rulesi_fail_event(ctx, request, startup_key(IWARP_MPA_KEY_REQUEST),
                        rulesi_octets(request->u.startup.frame.key, IWARP_MPA_KEY_LEN));
  rulesi_at_form(f, request->pos, IWARP_FIELD_MPA_STARTUP_KEY);
  f->other_packet = ctx->ev->first.packet;
}

/* A Reply proves that its sender took octets for a Request, even if they were reported as streaming
 * data. ON: no octets that it had received had the key. Unknown: the octets begin a key, and the
 * capture may lack the rest. OFF: there is no such Reply. */
static iwarp_tristate startup_keyless(const struct rules_ctx *ctx) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const struct rules_side *other = rules_other(ctx);
  const uint64_t received = ctx->ev->first.peer_pos;
  if (!startup_is_reply(ctx) || peer->has_startup || !other->startup.streamed ||
      received == IWARP_POS_UNKNOWN || received <= peer->start) {
    return IWARP_TRISTATE_OFF;
  }
  return rules_from_start(ctx, rules_peer(ctx)) && rulesi_sender_view_complete(ctx) &&
                 !other->startup.key_begun
             ? IWARP_TRISTATE_ON
             : IWARP_TRISTATE_UNKNOWN;
}

void iwarp_rule_mpa_request_key(const struct rules_ctx *ctx) {
  const iwarp_event *stray = &rules_other(ctx)->stray_event;
  if (!ctx->ev->u.startup.is_reply) {
    startup_settle_key(ctx, IWARP_MPA_KEY_REQUEST);
    return;
  }
  if (startup_answers_reply(ctx) && startup_differs(ctx, rules_peer(ctx))) {
    rulesi_inconclusive(ctx, IWARP_REASON_OCTETS_DIFFER); /* the other copy may have the key */
    return;
  }
  if (startup_answers_reply(ctx)) {
    startup_fail_request_key(ctx);
    return;
  }
  const iwarp_tristate keyless = startup_keyless(ctx);
  if (keyless == IWARP_TRISTATE_UNKNOWN) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (keyless == IWARP_TRISTATE_ON) {
    iwarp_finding *f =
        rulesi_fail_event(ctx, stray, startup_key(IWARP_MPA_KEY_REQUEST), rulesi_text("no key"));
    f->octet_pos = stray->pos;
    f->octet_len = (uint32_t)stray->len;
    f->other_packet = ctx->ev->first.packet;
  }
}

/* What makes it a Reply is the Request; payload may look like one. */
void iwarp_rule_mpa_reply_key(const struct rules_ctx *ctx) {
  const bool sure = rules_startup_sure(ctx, rules_peer(ctx));
  if (ctx->ev->u.startup.is_reply && !startup_readable(ctx) && !sure) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (ctx->ev->u.startup.is_reply) {
    startup_settle_key(ctx, IWARP_MPA_KEY_REPLY);
  }
}

/* A Request of the other side that may be payload may be the first one as well. */
static void startup_inconclusive_request(const struct rules_ctx *ctx) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  if (peer->has_startup && peer->key == IWARP_MPA_KEY_REQUEST &&
      ctx->ev->u.startup.key == IWARP_MPA_KEY_REQUEST) {
    rulesi_inconclusive(ctx, IWARP_REASON_MID_STREAM);
  }
}

/* Whoever has received the whole Request is the Responder. Before that it may have begun as an
 * Initiator too: then both Requests are right, and both sides will close (RFC 5044 7.1.2). */
void iwarp_rule_mpa_two_requests(const struct rules_ctx *ctx) {
  const iwarp_observer_side *request = startup_request(ctx);
  const uint64_t received = ctx->ev->first.peer_pos;
  if (!startup_readable(ctx)) {
    return;
  }
  if (request == NULL) {
    startup_inconclusive_request(ctx);
  } else if (ctx->ev->u.startup.key == IWARP_MPA_KEY_REPLY) {
    rulesi_pass(ctx);
  } else if (received == IWARP_POS_UNKNOWN) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (received >= request->startup_end) {
    rulesi_check_field(ctx, false, IWARP_FIELD_MPA_STARTUP_KEY, startup_key(IWARP_MPA_KEY_REPLY),
                       rulesi_octets(startup_frame(ctx)->key, IWARP_MPA_KEY_LEN));
  }
}

/* ON if the Reply of `side` was sent before the whole Request was received, as far as that is
 * known now. */
static iwarp_tristate startup_unasked(const struct rules_ctx *ctx, uint8_t side,
                                      uint64_t received) {
  const iwarp_observer_side *peer = &ctx->info->side[1u - side];
  if (received == IWARP_POS_UNKNOWN) {
    return IWARP_TRISTATE_UNKNOWN;
  }
  if (peer->has_startup && received >= peer->startup_end) {
    return IWARP_TRISTATE_OFF;
  }
  /* a Request that is missing may be before one that payload looks like */
  const bool sure = peer->has_startup ? rules_startup_sure(ctx, (uint8_t)(1u - side))
                                      : peer->start_known && received <= peer->start;
  return sure ? IWARP_TRISTATE_ON : IWARP_TRISTATE_UNKNOWN;
}

static void startup_fail_unasked(const struct rules_ctx *ctx, const iwarp_event *reply) {
  iwarp_finding *f = rulesi_fail_event(ctx, reply, rulesi_text("after the Request"),
                                       rulesi_text("before the Request was received"));
  f->octet_pos = reply->pos;
  f->octet_len = IWARP_MPA_KEY_LEN;
}

/* True if PD_Length of the Request is wrong, or may be: then the Reply came when the Request was
 * whole. A Reply to less than PD_Length and what is before it is early in any case. */
static bool startup_request_longer(const struct rules_ctx *ctx, const iwarp_event *reply) {
  const struct rules_side *s = &ctx->track->side[1u - reply->side];
  const iwarp_event *request = &s->startup.event;
  if (!ctx->info->side[1u - reply->side].has_startup ||
      reply->first.peer_pos < request->pos + IWARP_MPA_STARTUP_LEN) {
    return false;
  }
  if (s->startup.pd_reported || s->pd_overrun.state == PD_OVERRUN_CERTAIN ||
      rules_is_open(&s->docket, QUESTION_PD_HOLDS_FPDUS)) {
    return true; /* another rule reports it, or it is decided later */
  }
  if (rules_pd_in_doubt(s) || request->u.startup.err != IWARP_OK) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP);
    return true;
  }
  return false;
}

static void startup_judge_unasked(const struct rules_ctx *ctx, const iwarp_event *reply) {
  if (!startup_request_longer(ctx, reply)) {
    startup_fail_unasked(ctx, reply);
  }
}

/* A Reply that nothing came before waits for the other startup frame: where that is a Reply, which
 * answers it, the key alone is wrong. */
static void startup_unasked_waited(const struct rules_ctx *ctx, uint8_t side) {
  const struct rules_side *s = &ctx->track->side[side];
  const iwarp_observer_side *peer = &ctx->info->side[1u - side];
  if (!rules_answers(ctx, side, QUESTION_REPLY_FIRST) ||
      startup_unasked(ctx, side, s->startup.event.first.peer_pos) != IWARP_TRISTATE_ON) {
    return;
  }
  if (!peer->has_startup && peer->gap) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP);
  } else {
    startup_judge_unasked(ctx, &s->startup.event);
  }
}

/* What the packet acknowledges is what its sender had received. Where the other side has sent
 * nothing yet, its start may become known only at an end. */
void iwarp_rule_mpa_reply_unasked(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_END) {
    startup_unasked_waited(ctx, 0);
    startup_unasked_waited(ctx, 1);
    return;
  }
  if (rulesi_startup_after_reply(ctx)) {
    startup_fail_unasked(ctx, &rules_other(ctx)->startup.event);
    return;
  }
  if (!startup_is_reply(ctx)) {
    return;
  }
  switch (startup_unasked(ctx, ctx->ev->side, ctx->ev->first.peer_pos)) {
  case IWARP_TRISTATE_UNKNOWN:
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    break;
  case IWARP_TRISTATE_OFF: rulesi_pass(ctx); break;
  case IWARP_TRISTATE_ON:
    if (ctx->info->side[rules_peer(ctx)].has_startup) {
      startup_judge_unasked(ctx, ctx->ev);
    }
    break;
  }
}

/* Under Rev 0 and 1 the S flag is a reserved bit too, see mpa.enhanced-rev. */
void iwarp_rule_mpa_flags_reserved(const struct rules_ctx *ctx) {
  const uint8_t bits = startup_frame(ctx)->flags & IWARP_MPA_FLAG_RES;
  if (startup_readable(ctx)) {
    rulesi_check_field(ctx, bits == 0, IWARP_FIELD_MPA_STARTUP_RES, rulesi_hex(IWARP_VALUE_HEX8, 0),
                       rulesi_hex(IWARP_VALUE_HEX8, bits));
  }
}

void iwarp_rule_mpa_request_reject_flag(const struct rules_ctx *ctx) {
  const bool rejects = (startup_frame(ctx)->flags & IWARP_MPA_FLAG_R) != 0;
  if (ctx->ev->u.startup.key == IWARP_MPA_KEY_REQUEST) {
    rulesi_check_field(ctx, !rejects, IWARP_FIELD_MPA_STARTUP_R, rulesi_uint(0),
                       rulesi_uint(rejects));
  }
}

void iwarp_rule_mpa_rev(const struct rules_ctx *ctx) {
  if (startup_readable(ctx)) {
    rulesi_check_field(ctx, startup_frame(ctx)->rev <= 2, IWARP_FIELD_MPA_STARTUP_REV,
                       rulesi_text("1 or 2"), rulesi_uint(startup_frame(ctx)->rev));
  }
}

/* Reports a Request once per connection, or a Reply to a Request of another revision. */
void iwarp_rule_mpa_rev_rdmac(const struct rules_ctx *ctx) {
  const bool rdmac = startup_frame(ctx)->rev == 0;
  const iwarp_observer_side *request = startup_request(ctx);
  if (!startup_readable(ctx)) {
    return;
  }
  if (rdmac && startup_is_reply(ctx) && request == NULL) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else if (!rdmac || !startup_is_reply(ctx) || request->rev != 0) {
    rulesi_check_field(ctx, !rdmac, IWARP_FIELD_MPA_STARTUP_REV, rulesi_at_least(1),
                       rulesi_uint(0));
  }
}

/* The one of M and C that is clear, if one is set. */
static iwarp_field_id startup_flag_missing(uint8_t flags) {
  if (flags == 0) {
    return IWARP_FIELD_NONE;
  }
  return flags == IWARP_MPA_FLAG_C ? IWARP_FIELD_MPA_STARTUP_M : IWARP_FIELD_MPA_STARTUP_C;
}

/* The RDMA Consortium's RNICs always use Markers and CRC. */
void iwarp_rule_mpa_rdmac_flags(const struct rules_ctx *ctx) {
  const uint8_t both = IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C;
  const uint8_t flags = startup_frame(ctx)->flags & both;
  if (startup_readable(ctx) && startup_frame(ctx)->rev == 0) {
    rulesi_check_fields(ctx, flags == both, startup_flag_missing(flags), IWARP_FIELD_MPA_STARTUP_M,
                        IWARP_FIELD_MPA_STARTUP_C, rulesi_hex(IWARP_VALUE_HEX8, both),
                        rulesi_hex(IWARP_VALUE_HEX8, flags));
  }
}

/* A lower revision is an answer too; a higher one is more than the Initiator may know. */
void iwarp_rule_mpa_rev_pairing(const struct rules_ctx *ctx) {
  const iwarp_observer_side *request = startup_request(ctx);
  const uint8_t rev = startup_frame(ctx)->rev;
  if (!startup_is_reply(ctx)) {
    return;
  }
  if (request == NULL) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
    return;
  }
  const bool enhanced = (startup_frame(ctx)->flags & request->flags & IWARP_MPA_FLAG_S) != 0;
  if (rev > 2 || (rev != request->rev && enhanced)) {
    return; /* mpa.rev and mpa.enhanced-rev say it */
  }
  rulesi_check_field(ctx, rev <= request->rev, IWARP_FIELD_MPA_STARTUP_REV,
                     rulesi_uint(request->rev), rulesi_uint(rev));
}

void iwarp_rule_mpa_pd_length_max(const struct rules_ctx *ctx) {
  const uint16_t len = startup_frame(ctx)->pd_length;
  if (startup_readable(ctx) && len <= IWARP_MPA_PRIVATE_DATA_MAX) {
    rulesi_pass(ctx);
  } else if (startup_readable(ctx)) {
    iwarp_finding *f =
        rulesi_fail(ctx, rulesi_at_most(IWARP_MPA_PRIVATE_DATA_MAX), rulesi_uint(len));
    rulesi_at_field(f, ctx, IWARP_FIELD_MPA_STARTUP_PD_LENGTH);
    if (ctx->ev->u.startup.err == IWARP_ERR_MPA_PD_LENGTH || rulesi_pd_overrun_early(ctx)) {
      /* The later octets are missing, or not all of them belong to the frame. */
      f->last = ctx->ev->head_last;
    }
  }
}

/* Octets that were sent when more of the other side had come may be of an FPDU. */
static void startup_fail_surplus(const struct rules_ctx *ctx, const iwarp_event *run) {
  const iwarp_observer_side *own = &ctx->info->side[run->side];
  iwarp_finding *f = rulesi_fail_event(ctx, run, rulesi_uint(own->pd_length),
                                       rulesi_uint(own->pd_length + run->len));
  rulesi_at_form(f, own->startup_pos, IWARP_FIELD_MPA_STARTUP_PD_LENGTH);
  if (run->last.peer_pos != run->first.peer_pos) {
    f->last = f->first;
  }
  f->other_packet = ctx->track->side[run->side].startup.packet;
}

/* The position after the last octet that came of a side so far, or its start if none came. */
static uint64_t startup_came(const struct rules_ctx *ctx, uint8_t side) {
  const struct rules_side *s = &ctx->track->side[side];
  return s->chain.seen ? s->end : ctx->info->side[side].start;
}

/* ON if nothing that the side had received is missing, as far as that is known now. */
static iwarp_tristate startup_saw(const struct rules_ctx *ctx, uint8_t side, uint64_t received) {
  const iwarp_observer_side *peer = &ctx->info->side[1u - side];
  const struct rules_side *other = &ctx->track->side[1u - side];
  if (received == IWARP_POS_UNKNOWN || peer->gap) {
    return IWARP_TRISTATE_OFF; /* the FIN takes a position, too: it may be what is missing */
  }
  if (!other->chain.seen && !peer->start_known) {
    return IWARP_TRISTATE_UNKNOWN;
  }
  return received <= startup_came(ctx, (uint8_t)(1u - side)) ? IWARP_TRISTATE_ON
                                                             : IWARP_TRISTATE_OFF;
}

/* True if the Initiator sent an FPDU when it had received all that was sent of the Reply of `side`:
 * it took that for whole. */
static bool startup_taken_for_whole(const struct rules_ctx *ctx, uint8_t side) {
  const struct rules_side *s = &ctx->track->side[side];
  const struct rules_side *other = &ctx->track->side[1u - side];
  return s->startup.event.u.startup.is_reply && other->first.at_start && !ctx->info->side[0].gap &&
         !ctx->info->side[1].gap &&
         other->first_event.first.peer_pos == s->startup.event.pos + s->startup.event.len;
}

/* True if the side had received all that the other side sent, its FIN included: it may give up. */
static bool startup_peer_ended(const struct rules_ctx *ctx, uint8_t side, uint64_t received) {
  const iwarp_observer_side *peer = &ctx->info->side[1u - side];
  return !peer->gap && peer->start_known && peer->end == IWARP_END_FIN &&
         received == startup_came(ctx, (uint8_t)(1u - side)) + 1;
}

/* The stream of `side` ended inside its Private Data: not a fault where the other side did first,
 * unless that had gone on. */
static void startup_pd_ends_early(const struct rules_ctx *ctx, uint8_t side, uint64_t received) {
  const iwarp_event *frame = &ctx->track->side[side].startup.event;
  if (frame->u.startup.frame.pd_length > IWARP_MPA_PRIVATE_DATA_MAX) {
    return; /* mpa.pd-length-max */
  }
  if (startup_saw(ctx, side, received) != IWARP_TRISTATE_ON &&
      !startup_taken_for_whole(ctx, side)) {
    if (!startup_peer_ended(ctx, side, received)) {
      rulesi_inconclusive(ctx, IWARP_REASON_GAP);
    }
    return;
  }
  const uint64_t front = iwarp_mpa_startup_size(frame->u.startup.frame.rev, 0);
  const uint64_t held = frame->len > front ? frame->len - front : 0;
  iwarp_finding *f = rulesi_fail_event(ctx, frame, rulesi_uint(frame->u.startup.frame.pd_length),
                                       rulesi_uint(held));
  rulesi_at_form(f, frame->pos, IWARP_FIELD_MPA_STARTUP_PD_LENGTH);
}

/* Octets after a frame of `side`, where it is time to say whether they belong to it. */
static void startup_surplus_end(const struct rules_ctx *ctx, uint8_t side) {
  const struct rules_side *s = &ctx->track->side[side];
  const iwarp_observer_side *peer = &ctx->info->side[1u - side];
  if (!rules_answers(ctx, side, QUESTION_STARTUP_FOLLOWED) || peer->gap) {
    return;
  }
  const bool start_known = peer->start_known;
  const iwarp_tristate surplus = rulesi_startup_surplus(ctx, &s->stray_event);
  if (surplus == IWARP_TRISTATE_ON) {
    startup_fail_surplus(ctx, &s->stray_event);
  } else if (surplus == IWARP_TRISTATE_UNKNOWN && ((start_known && peer->end != IWARP_END_OPEN) ||
                                                   ctx->ev->u.end == IWARP_END_CAPTURE)) {
    rulesi_inconclusive(ctx, start_known ? IWARP_REASON_GAP : IWARP_REASON_MID_STREAM);
  }
}

/* The stream of a side that has sent nothing may show its beginning only at its end. */
static void startup_pd_end(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const bool gap = ctx->info->side[ctx->ev->side].gap;
  const bool whole = ctx->ev->u.end == IWARP_END_FIN && !gap;
  const bool ends_short = rules_answers(ctx, ctx->ev->side, QUESTION_PD_SHORT) &&
                          (ctx->ev->u.end != IWARP_END_RST || gap);
  const uint64_t received = ctx->ev->first.peer_pos;
  if ((ends_short && !whole) || rules_answers(ctx, ctx->ev->side, QUESTION_PD_SHORT_ENDED)) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP);
  } else if (ends_short && startup_saw(ctx, ctx->ev->side, received) != IWARP_TRISTATE_UNKNOWN) {
    startup_pd_ends_early(ctx, ctx->ev->side, received);
  }
  if (rules_answers(ctx, rules_peer(ctx), QUESTION_PD_SHORT_ENDED)) {
    startup_pd_ends_early(ctx, rules_peer(ctx), rules_other(ctx)->startup.pd_received);
  }
  if (rulesi_framing_surplus(ctx) == IWARP_TRISTATE_ON) {
    const iwarp_event run = rulesi_framing_run(&own->framing, ctx->ev->side);
    startup_fail_surplus(ctx, &run);
    return;
  }
  for (uint8_t side = 0; side < 2; side++) {
    startup_surplus_end(ctx, side);
  }
}

/* The frame is the one that completes PD_Length: where the Private Data that were sent end is known
 * from the other side alone. */
static void startup_fail_overrun(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const iwarp_event *frame = &own->startup.event;
  iwarp_finding *f =
      rulesi_fail_event(ctx, frame, rulesi_uint(frame->u.startup.frame.pd_length),
                        rulesi_uint(own->pd_overrun.pos - frame->pos - IWARP_MPA_STARTUP_LEN));
  rulesi_at_form(f, frame->pos, IWARP_FIELD_MPA_STARTUP_PD_LENGTH);
  f->last = frame->head_last;
  f->other_packet =
      frame->u.startup.is_reply ? rules_other(ctx)->first.packet : rules_other(ctx)->startup.packet;
}

/* Octets of the Private Data that look like FPDUs are some, or not. */
static void startup_pd_overrun(const struct rules_ctx *ctx) {
  switch (rules_own(ctx)->pd_overrun.state) {
  case PD_OVERRUN_CERTAIN: startup_fail_overrun(ctx); break;
  case PD_OVERRUN_UNKNOWN: rulesi_inconclusive(ctx, IWARP_REASON_GAP); break;
  case PD_OVERRUN_NOT: rulesi_pass(ctx); break;
  }
}

static void startup_pd_frame(const struct rules_ctx *ctx) {
  if (startup_readable(ctx) && ctx->ev->u.startup.err == IWARP_OK &&
      !rules_pd_in_doubt(rules_own(ctx))) {
    rulesi_pass(ctx);
  } else if (rules_own(ctx)->pd_overrun.state == PD_OVERRUN_UNKNOWN ||
             (startup_readable(ctx) && ctx->info->side[ctx->ev->side].gap)) {
    rulesi_inconclusive(ctx, rules_own(ctx)->chain.gap_reason);
  }
}

/* FPDUs that follow are not counted from where PD_Length says, nor are their Markers. */
static void startup_pd_run(const struct rules_ctx *ctx) {
  if (ctx->facts.diagnosis == DIAGNOSIS_STARTUP_BEGUN) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP);
  } else if (ctx->facts.diagnosis == DIAGNOSIS_PD_TOO_SHORT) {
    startup_fail_surplus(ctx, ctx->ev);
  }
}

void iwarp_rule_mpa_pd_length_match(const struct rules_ctx *ctx) {
  if (ctx->facts.pd_decided) {
    startup_pd_overrun(ctx);
  } else if (ctx->ev->kind == IWARP_EVENT_STARTUP) {
    startup_pd_frame(ctx);
  } else if (ctx->ev->kind == IWARP_EVENT_UNDECODABLE) {
    startup_pd_run(ctx);
  } else if (ctx->ev->kind == IWARP_EVENT_END) {
    startup_pd_end(ctx);
  }
}

/* ---- frames that are accepted although they are not properly formatted ---- */

static const char startup_other_key[] = "another key";

/* The fault in the form of the frame of `side`; NULL: no fault, or no frame. */
static const char *startup_improper(const struct rules_ctx *ctx, uint8_t side) {
  const iwarp_observer_side *s = &ctx->info->side[side];
  const iwarp_mpa_key due =
      s->role == IWARP_ROLE_RESPONDER ? IWARP_MPA_KEY_REPLY : IWARP_MPA_KEY_REQUEST;
  if (s->has_startup && s->key != due) {
    return startup_other_key;
  }
  return s->has_startup && s->pd_length > IWARP_MPA_PRIVATE_DATA_MAX ? "a PD_Length above 512"
                                                                     : NULL;
}

/* Why a frame may not be what its receiver took, or another one may be before it; 0: it is. */
static uint32_t startup_doubt(const struct rules_ctx *ctx) {
  for (uint8_t side = 0; side < 2; side++) {
    const iwarp_observer_side *s = &ctx->info->side[side];
    if (!s->start_known) {
      return IWARP_REASON_MID_STREAM;
    }
    if (startup_differs(ctx, side)) {
      return IWARP_REASON_OCTETS_DIFFER;
    }
    if (!rules_from_start(ctx, side) || !rules_startup_sure(ctx, side)) {
      return rulesi_missing(ctx, side);
    }
  }
  return 0;
}

/* `accepts` begins with `len` octets that accept a frame that its sender had received. An unknown
 * position counts as one after the frame. */
static void startup_accepted(const struct rules_ctx *ctx, const iwarp_event *accepts, uint32_t len,
                             const char *observed, uint64_t frame_packet) {
  const uint32_t doubt = startup_doubt(ctx);
  if (accepts->first.peer_pos == IWARP_POS_UNKNOWN || accepts->last.damaged) {
    rulesi_inconclusive(ctx, IWARP_REASON_GAP);
  } else if (doubt != 0) {
    rulesi_inconclusive(ctx, doubt);
  } else {
    iwarp_finding *f = rulesi_fail_event(ctx, accepts, rulesi_text("the connection closed"),
                                         rulesi_text(observed));
    f->octet_pos = accepts->pos;
    f->octet_len = len;
    f->other_packet = frame_packet;
  }
}

/* The event of the startup frame of `side`, which there is one of. */
static const iwarp_event *startup_of(const struct rules_ctx *ctx, uint8_t side) {
  return ctx->ev->side == side ? ctx->ev : &ctx->track->side[side].startup.event;
}

static bool startup_accepts(const iwarp_observer_side *s) {
  return s->has_startup && s->role == IWARP_ROLE_RESPONDER && s->key == IWARP_MPA_KEY_REPLY &&
         (s->flags & IWARP_MPA_FLAG_R) == 0;
}

/* The Reply comes after the Request, or before it: octets with another key are known to be a frame
 * by the Reply alone. */
static void startup_accepted_request(const struct rules_ctx *ctx) {
  const uint8_t replier = startup_accepts(&ctx->info->side[0]) ? 0 : 1;
  const uint8_t asker = (uint8_t)(1u - replier);
  const char *observed = startup_improper(ctx, asker);
  if (!startup_accepts(&ctx->info->side[replier]) || observed == NULL) {
    return;
  }
  const iwarp_event *reply = startup_of(ctx, replier);
  const iwarp_event *request = startup_of(ctx, asker);
  if (reply->first.peer_pos >= request->pos + IWARP_MPA_STARTUP_LEN) { /* else mpa.reply-unasked */
    startup_accepted(ctx, reply, IWARP_MPA_KEY_LEN, observed, request->last.packet);
  }
}

/* The Reply accepts octets that no frame was seen in: as many as one has at least. */
static void startup_accepted_stray(const struct rules_ctx *ctx) {
  const iwarp_tristate keyless = startup_keyless(ctx);
  const uint64_t start = ctx->info->side[rules_peer(ctx)].start;
  if (keyless == IWARP_TRISTATE_OFF || !startup_accepts(&ctx->info->side[ctx->ev->side]) ||
      ctx->ev->first.peer_pos < start + IWARP_MPA_STARTUP_LEN) {
    return;
  }
  if (keyless == IWARP_TRISTATE_UNKNOWN) {
    rulesi_inconclusive(ctx, rulesi_missing(ctx, rules_peer(ctx)));
  } else {
    startup_accepted(ctx, ctx->ev, IWARP_MPA_KEY_LEN, startup_other_key,
                     rules_other(ctx)->stray_event.first.packet);
  }
}

/* True if the Initiator had received enough of the frame in the place of the Reply to see its
 * fault. Of a Reply that is known when `first` comes it had received all: else
 * mpa.fpdu-before-reply reports `first`. */
static bool startup_took_reply(const struct rules_ctx *ctx, const iwarp_event *first) {
  const uint8_t replier = (uint8_t)(1u - first->side);
  const iwarp_observer_side *reply = &ctx->info->side[replier];
  const uint64_t asked = startup_of(ctx, replier)->first.peer_pos;
  const bool whole = reply->key == IWARP_MPA_KEY_REPLY && first == ctx->ev;
  const bool crossed =
      reply->key == IWARP_MPA_KEY_REQUEST &&
      (asked == IWARP_POS_UNKNOWN || asked < ctx->info->side[first->side].startup_end);
  const uint64_t least = whole ? reply->startup_end : reply->startup_pos + IWARP_MPA_STARTUP_LEN;
  return !crossed && first->first.peer_pos >= least;
}

/* The first FPDU of the Initiator accepts the frame in the place of the Reply; a Terminate refuses
 * it. */
static void startup_accepted_reply(const struct rules_ctx *ctx, const iwarp_event *first) {
  const uint8_t replier = (uint8_t)(1u - first->side);
  const char *observed = startup_improper(ctx, replier);
  if (ctx->info->side[first->side].role == IWARP_ROLE_INITIATOR && observed != NULL &&
      first->u.fpdu.seg.ctrl.opcode != IWARP_RDMAP_OP_TERMINATE && startup_took_reply(ctx, first)) {
    startup_accepted(ctx, first, IWARP_MPA_LENGTH_LEN, observed,
                     startup_of(ctx, replier)->last.packet);
  }
}

/* A side that ends its stream, and has sent nothing that would accept the frame that it had
 * received. */
static void startup_closed(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const uint64_t received = ctx->ev->first.peer_pos;
  const bool sent =
      own->role == IWARP_ROLE_INITIATOR ? rules_own(ctx)->end > own->startup_end : own->has_startup;
  const bool closes = ctx->ev->u.end == IWARP_END_FIN || ctx->ev->u.end == IWARP_END_RST;
  if (closes && startup_improper(ctx, rules_peer(ctx)) != NULL && !sent &&
      startup_doubt(ctx) == 0 && received != IWARP_POS_UNKNOWN &&
      received >= peer->startup_pos + IWARP_MPA_STARTUP_LEN) {
    rulesi_pass(ctx);
  }
}

void iwarp_rule_mpa_improper_accepted(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_END) {
    startup_closed(ctx);
  } else if (ctx->ev->kind == IWARP_EVENT_FPDU) {
    startup_accepted_reply(ctx, ctx->ev);
  } else {
    startup_accepted_request(ctx);
    startup_accepted_stray(ctx);
    if (rules_is_open(&rules_other(ctx)->docket, QUESTION_FPDU_FIRST)) {
      startup_accepted_reply(ctx, &rules_other(ctx)->first_event);
    }
  }
}

/* A Request that every Responder understands, with nothing after it that may belong to it. */
static bool startup_plain_request(const struct rules_ctx *ctx) {
  const struct rules_side *other = rules_other(ctx);
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  return peer->key == IWARP_MPA_KEY_REQUEST && peer->rev == 1 &&
         (peer->flags & ~(IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C)) == 0 &&
         peer->pd_length <= IWARP_MPA_PRIVATE_DATA_MAX &&
         other->startup.event.u.startup.err == IWARP_OK && !other->startup.streamed &&
         other->end == peer->startup_end;
}

/* The side ends its stream in order, and has sent nothing. What it had received is the Request, and
 * no FIN: the Initiator had not given up. */
static void startup_unanswered(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const uint64_t received = ctx->ev->first.peer_pos;
  if (ctx->ev->u.end != IWARP_END_FIN || !peer->has_startup || own->has_startup ||
      !startup_plain_request(ctx) || (rules_own(ctx)->chain.seen && !own->gap)) {
    return;
  }
  const uint32_t doubt = startup_doubt(ctx);
  if (doubt != 0 || received == IWARP_POS_UNKNOWN) {
    rulesi_inconclusive(ctx, doubt != 0 ? doubt : IWARP_REASON_GAP);
  } else if (received == peer->startup_end) {
    rulesi_fail(ctx, rulesi_text("an MPA Reply Frame"), rulesi_text("a FIN alone"))->other_packet =
        rules_other(ctx)->startup.packet;
  }
}

void iwarp_rule_mpa_request_answered(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_END) {
    startup_unanswered(ctx);
  } else if (rulesi_reply(ctx) != NULL) {
    rulesi_pass(ctx);
  }
}
