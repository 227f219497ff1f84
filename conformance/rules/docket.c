/* SPDX-License-Identifier: BSD-2-Clause */
/* The docket of open questions. */
#include "docket.h"

#include "evidence.h"
#include "sctp_event.h"
#include "state.h"

/* ---- the table ---- */

static bool docket_at_once(const struct rules_ctx *ctx, uint8_t side) {
  (void)ctx;
  (void)side;
  return true;
}

/* The file that opens the question closes it before the rules are asked. */
static bool docket_by_owner(const struct rules_ctx *ctx, uint8_t side) {
  (void)ctx;
  (void)side;
  return false;
}

/* Where the other side has sent nothing, an end may show where its stream begins. Its startup frame
 * may still be incomplete, until it ends. */
static bool docket_followed(const struct rules_ctx *ctx, uint8_t side) {
  const bool last =
      ctx->info->side[1u - side].end != IWARP_END_OPEN || ctx->ev->u.end == IWARP_END_CAPTURE;
  const iwarp_event *run = &ctx->track->side[side].stray_event;
  return rules_peer_known(ctx, side) &&
         (last || rulesi_startup_surplus(ctx, run) != IWARP_TRISTATE_UNKNOWN);
}

/* A frame of the other side makes it the Initiator or not. At an end, Private Data of its Request
 * may still turn out to hold FPDUs. */
static bool docket_reply_first(const struct rules_ctx *ctx, uint8_t side) {
  if (ctx->ev->kind == IWARP_EVENT_STARTUP) {
    return rulesi_startup_after_reply(ctx) || ctx->info->side[side].role != IWARP_ROLE_RESPONDER;
  }
  return rules_peer_known(ctx, side) &&
         !rules_is_open(&ctx->track->side[1u - side].docket, QUESTION_PD_HOLDS_FPDUS);
}

/* The Reply may still come, or Private Data of it may turn out to hold FPDUs. */
static bool docket_fpdu_first(const struct rules_ctx *ctx, uint8_t side) {
  const iwarp_observer_side *peer = &ctx->info->side[1u - side];
  return rules_peer_known(ctx, side) &&
         !rules_is_open(&ctx->track->side[1u - side].docket, QUESTION_PD_HOLDS_FPDUS) &&
         (peer->has_startup || peer->end != IWARP_END_OPEN);
}

static bool docket_interrupted(const struct rules_ctx *ctx, uint8_t side) {
  (void)side;
  return ctx->facts.interrupted != INTERRUPTED_NOTHING;
}

static bool docket_run(const struct rules_ctx *ctx, uint8_t side) {
  (void)side;
  return ctx->ev->kind != IWARP_EVENT_UNDECODABLE; /* such octets may raise the question again */
}

static bool docket_initiate_twice(const struct rules_ctx *ctx, uint8_t side) {
  (void)side;
  return ctx->ev->kind == IWARP_EVENT_GAP || rulesi_sctp_message(ctx)->has_ssn;
}

struct docket_row {
  uint8_t until; /* UNTIL_* */
  bool (*answered)(const struct rules_ctx *ctx, uint8_t side);
};

static const struct docket_row docket_rows[QUESTIONS] = {
#define DOCKET_ROW(name, by, events, closes)                                                       \
  [QUESTION_##name] = {.until = (events), .answered = (closes)},
    RULES_QUESTION_MAP(DOCKET_ROW)
#undef DOCKET_ROW
};

/* ---- the events ---- */

/* What the event is to a question of the side. */
static uint8_t docket_event(const struct rules_ctx *ctx, uint8_t side) {
  const bool own = ctx->ev->side == side;
  switch (ctx->ev->kind) {
  case IWARP_EVENT_END:
    return own ? UNTIL_OWN_NEXT | UNTIL_OWN_END : UNTIL_PEER_NEXT | UNTIL_PEER_END;
  case IWARP_EVENT_STARTUP: return own ? UNTIL_OWN_NEXT : UNTIL_PEER_NEXT | UNTIL_PEER_STARTUP;
  case IWARP_EVENT_SCTP_INIT: return 0; /* no part of the session, and captured at any time */
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_GAP:
  case IWARP_EVENT_UNDECODABLE:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: break;
  }
  return own ? UNTIL_OWN_NEXT : UNTIL_PEER_NEXT;
}

void rulesi_docket_match(struct rules_ctx *ctx) {
  for (uint8_t side = 0; side < 2; side++) {
    const uint32_t open = ctx->track->side[side].docket.open;
    const uint8_t event = docket_event(ctx, side);
    for (unsigned i = 0; open >> i != 0; i++) {
      ctx->facts.answers[side] |= (docket_rows[i].until & event) != 0 ? open & 1u << i : 0;
    }
  }
}

void rulesi_docket_close(struct rules_ctx *ctx) {
  for (uint8_t side = 0; side < 2; side++) {
    const uint32_t answers = ctx->facts.answers[side];
    for (unsigned i = 0; answers >> i != 0; i++) {
      if ((answers >> i & 1u) != 0 && docket_rows[i].answered(ctx, side)) {
        rules_close(&rules_state(ctx)->side[side].docket, (enum rules_question)i);
      }
    }
  }
}
