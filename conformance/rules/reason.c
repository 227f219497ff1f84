/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a rule is inconclusive. */
#include "reason.h"

#include "catalog.h"
#include "evidence.h"

uint64_t rulesi_seen(const struct rules_ctx *ctx, uint8_t side) {
  const iwarp_observer_side *info = &ctx->info->side[side];
  const struct rules_side *s = &ctx->track->side[side];
  const bool partial = info->partial_end > s->end && !s->chain.doubted;
  return (partial ? info->partial_end : s->end) + (info->end == IWARP_END_FIN ? 1 : 0);
}

/* Messages of the side may be missing. */
static bool reason_lossy(const struct rules_ctx *ctx, uint8_t side) {
  return ctx->info->sctp && (ctx->ev->sctp == NULL || !ctx->ev->sctp->lossless[side]);
}

/* Octets, or messages, of the side are missing, though others of it are there. */
static bool reason_gap(const struct rules_ctx *ctx, uint8_t side) {
  const iwarp_observer_side *info = &ctx->info->side[side];
  return info->gap || (info->seen && reason_lossy(ctx, side));
}

/* True if the sender of the event had received octets that were not captured, or may have. A FIN
 * counts as one. */
static bool reason_received_more(const struct rules_ctx *ctx) {
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const uint64_t received = ctx->ev->first.peer_pos;
  return !ctx->info->sctp && (peer->seen || peer->start_known) &&
         (received == IWARP_POS_UNKNOWN ||
          received > peer->pushed_end + (peer->end == IWARP_END_FIN ? 1 : 0));
}

/* The event is not all that its sender sent. */
static bool reason_cut(const struct rules_ctx *ctx) {
  const iwarp_event *ev = ctx->ev;
  return ev->kind == IWARP_EVENT_FPDU
             ? !ev->u.fpdu.complete
             : ev->kind == IWARP_EVENT_UNDECODABLE &&
                   ev->u.undecodable == IWARP_UNDEC_AFTER_REJECT; /* a gap may follow */
}

/* The beginning of a direction is missing; the direction of the event counts first. */
static uint32_t reason_joined(const struct rules_ctx *ctx) {
  for (unsigned i = 0; i < 2; i++) {
    const uint8_t number = i == 0 ? ctx->ev->side : rules_peer(ctx);
    const iwarp_observer_side *side = &ctx->info->side[number];
    if (!side->start_known || (!side->seen && reason_lossy(ctx, number))) {
      return side->seen ? IWARP_REASON_MID_STREAM : IWARP_REASON_ONE_DIRECTION;
    }
  }
  return 0;
}

/* Why a receiver may have taken other octets of a startup frame; 0: it has not. */
static uint32_t reason_startup(const struct rules_ctx *ctx) {
  uint32_t reason = 0;
  for (unsigned i = 0; i < 2; i++) {
    const iwarp_meta *frame = &ctx->track->side[i].startup.event.last;
    if (ctx->info->side[i].has_startup && (frame->damaged || frame->differ)) {
      reason |= rulesi_doubt(frame);
    }
  }
  return reason;
}

/* The event answers octets that have no event yet: of a startup frame, or others that wait. */
static bool reason_early(const struct rules_ctx *ctx) {
  const uint64_t received = ctx->ev->first.peer_pos;
  return !ctx->info->sctp && received > rulesi_seen(ctx, rules_peer(ctx)) &&
         received > ctx->info->side[rules_peer(ctx)].start;
}

/* A rule of the connection failed, octets could not be decoded, or the event came too early. */
static bool reason_fault(const struct rules_ctx *ctx) {
  bool fault = reason_early(ctx) || (ctx->ev->kind == IWARP_EVENT_UNDECODABLE &&
                                     (ctx->ev->u.undecodable == IWARP_UNDEC_NOT_FPDU ||
                                      ctx->ev->u.undecodable == IWARP_UNDEC_NO_BOUNDARY));
  for (uint16_t id = 0; id < RULES_COUNT && !fault; id++) {
    fault = ctx->results[id].num_fail > 0;
  }
  return fault;
}

/* The reason in the place of GAP, where nothing is missing; 0: GAP stays. */
static uint32_t reason_instead(const struct rules_ctx *ctx) {
  if (ctx->ev->last.damaged) {
    return rulesi_doubt(&ctx->ev->last);
  }
  const uint32_t joined = reason_joined(ctx);
  const uint32_t begun = joined != 0 ? joined : reason_startup(ctx);
  return begun != 0 || !reason_fault(ctx) ? begun : IWARP_REASON_AFTER_FAULT;
}

uint32_t rulesi_reason(const struct rules_ctx *ctx, uint32_t reason) {
  if ((reason & IWARP_REASON_GAP) == 0 || reason_gap(ctx, 0) || reason_gap(ctx, 1) ||
      reason_cut(ctx)) {
    return reason;
  }
  const uint32_t instead =
      ctx->ev->last.damaged || !reason_received_more(ctx) ? reason_instead(ctx) : 0;
  return instead == 0 ? reason : (reason & ~IWARP_REASON_GAP) | instead;
}
