/* SPDX-License-Identifier: BSD-2-Clause */
/* Views on an event over SCTP. */
#include "sctp_event.h"

static const iwarp_sctp_captured no_captured;
static const iwarp_ev_sctp_message no_message = {.captured = &no_captured};
static const iwarp_ev_sctp_end no_end;
static const iwarp_sctp_certainty no_certainty;

const iwarp_ev_sctp_message *rulesi_sctp_message(const struct rules_ctx *ctx) {
  const bool message =
      ctx->ev->kind == IWARP_EVENT_SCTP_MESSAGE || ctx->ev->kind == IWARP_EVENT_SCTP_SEGMENT;
  return message ? &ctx->ev->sctp->u.message : &no_message;
}

const iwarp_sctp_captured *rulesi_sctp_captured(const struct rules_ctx *ctx) {
  return rulesi_sctp_message(ctx)->captured;
}

const iwarp_sctp_evidence *rulesi_sctp_evidence(const struct rules_ctx *ctx) {
  return &rulesi_sctp_captured(ctx)->evidence;
}

const iwarp_ev_sctp_end *rulesi_sctp_end(const struct rules_ctx *ctx) {
  const bool end = ctx->ev->kind == IWARP_EVENT_END && ctx->ev->sctp != NULL;
  return end ? &ctx->ev->sctp->u.end : &no_end;
}

const iwarp_sctp_certainty *rulesi_sctp_certainty(const struct rules_ctx *ctx) {
  return ctx->certainty != NULL ? ctx->certainty : &no_certainty;
}

bool rulesi_sctp_lossless(const struct rules_ctx *ctx) {
  return ctx->ev->sctp != NULL && ctx->ev->sctp->lossless[ctx->ev->side];
}
