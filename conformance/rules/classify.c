/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event is. */
#include "classify.h"

#include "diagnosis.h"
#include "evidence.h"
#include "interrupted.h"
#include "place.h"
#include "requests.h"
#include "session.h"
#include "trust.h"

/* Sets which MPA revision the sides agreed on. */
static void classify_version(struct rules_ctx *ctx) {
  const iwarp_observer_side *reply = rulesi_reply(ctx);
  ctx->facts.version_known = reply != NULL || rulesi_version_presumed(ctx);
  ctx->facts.version_rdmac = reply != NULL && reply->rev == 0;
}

static void classify_segment(struct rules_ctx *ctx) {
  rulesi_trust(ctx);
  if (ctx->facts.placed) {
    ctx->facts.response_over = ctx->facts.depth == DEPTH_MESSAGE && rulesi_reads_response_over(ctx);
    rulesi_place(ctx);
  }
}

void rulesi_classify(struct rules_ctx *ctx) {
  const iwarp_event_kind kind = ctx->ev->kind;
  const bool segment = kind == IWARP_EVENT_SCTP_SEGMENT;
  classify_version(ctx);
  ctx->facts.other_ppid =
      (segment || kind == IWARP_EVENT_SCTP_MESSAGE) && rulesi_sctp_other_ppid(ctx);
  if (kind == IWARP_EVENT_FPDU || kind == IWARP_EVENT_UNDECODABLE) {
    rulesi_diagnose(ctx);
  }
  if (kind == IWARP_EVENT_FPDU || segment) {
    classify_segment(ctx);
  }
  rulesi_diagnose_framing(ctx);
  ctx->facts.ssn_used = rulesi_sctp_ssn_used(ctx);
  ctx->facts.interrupted = rulesi_interrupted_tells(ctx);
}
