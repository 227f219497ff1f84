/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that later octets are compared with, where no FPDU begins. */
#include "framing_keep.h"

#include <iwarp/crc32c.h>
#include <string.h>

#include "diagnosis.h"
#include "state.h"

/* True if the run may be the beginning of an FPDU. */
static bool framing_cut(const struct rules_ctx *ctx, const struct framing_place *place) {
  const bool cut = ctx->ev->u.undecodable == IWARP_UNDEC_UNFINISHED ||
                   place->len < rulesi_framing_announced(place);
  return cut && !rulesi_reads_as_length_too_small(place) &&
         !(rules_own(ctx)->framing.wrong && rulesi_reads_as_begins_earlier(place));
}

/* True if the most likely reading tells that an FPDU is expected in the place of the run. */
static bool framing_expected(const struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  return rules_own(ctx)->chain.firm && (own->has_startup || own->markers != IWARP_TRISTATE_ON);
}

/* Wrong Markers before the run were reported. */
void rulesi_framing_enter(struct rules_ctx *ctx) {
  struct rules_framing *framing = &rules_own_state(ctx)->framing;
  const struct framing_place place = rulesi_framing_place(ctx, ctx->ev);
  if (rules_pd_overrun(rules_own(ctx))) {
    return;
  }
  framing->missing = rulesi_markers_of_run(ctx);
  framing->run.pos = ctx->ev->pos;
  framing->run.len = ctx->ev->len;
  framing->run.first = ctx->ev->first;
  framing->run.last = ctx->ev->last;
  framing->run.reason = ctx->ev->u.undecodable;
  framing->run.fpdu_like = ctx->ev->fpdu_like;
  framing->follows = framing_expected(ctx);
  framing->num_head = (uint8_t)ctx->ev->head.len;
  for (size_t i = 0; i < framing->num_head; i++) {
    framing->head[i] = ctx->ev->head.ptr[i];
  }
  rules_open(&rules_own_state(ctx)->docket, QUESTION_RUN, framing_cut(ctx, &place));
  framing->reported = framing->reported ||
                      (framing->markers_lost && rulesi_framing_begins(&place) != IWARP_TRISTATE_ON);
}

/* Copies the last octets of so many. */
static void framing_last(uint8_t tail[RULES_TAIL], const uint8_t *octets, size_t len) {
  memcpy(tail, octets + len - RULES_TAIL, RULES_TAIL);
}

static void framing_tail(struct rules_framing *framing, iwarp_span wire, bool complete) {
  framing->num_tail = 0;
  if (complete && wire.len >= RULES_TAIL) {
    framing->num_tail = RULES_TAIL;
    framing_last(framing->tail, wire.ptr, wire.len);
  }
}

static void framing_keep(struct rules_framing *framing, const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  framing_tail(framing, f->fpdu.wire, f->complete);
  framing->proven = f->crc == IWARP_CRC_GOOD;
  framing->wrong = f->crc == IWARP_CRC_BAD && f->sync == IWARP_SYNC_STARTUP;
  if (framing->wrong) {
    framing->crc = iwarp_crc32c(0, f->fpdu.wire.ptr, f->fpdu.wire.len);
  }
  framing->holds_fpdus = ctx->facts.diagnosis == DIAGNOSIS_HOLDS_FPDUS;
  framing->pad = (uint8_t)f->fpdu.layout.pad;
  framing->pos = ctx->ev->pos;
  framing->offset = f->offset;
  framing->first = ctx->ev->first;
  framing->last = ctx->ev->last;
}

void rulesi_framing_leave_fpdu(struct rules_framing *framing, const iwarp_observer_fpdu *restrict f,
                               bool crc) {
  framing_tail(framing, f->wire, true);
  framing->extra = false;
  framing->markers_lost = false;
  framing->proven = crc;
  framing->wrong = false;
  framing->holds_fpdus = false;
  framing->pad = (uint8_t)f->pad;
  framing->pos = f->pos;
  framing->offset = f->offset;
  framing->first = f->meta;
  framing->last = f->meta;
}

void rulesi_framing_leave(struct rules_ctx *ctx) {
  struct rules_framing *framing = &rules_own_state(ctx)->framing;
  if (ctx->ev->kind == IWARP_EVENT_FPDU) {
    framing_keep(framing, ctx);
    framing->extra = rulesi_markers_stand_unasked(ctx);
    framing->markers_lost = rulesi_markers_lost(ctx);
  } else if (ctx->ev->kind == IWARP_EVENT_SCTP_SEGMENT) {
    framing->pos = ctx->ev->pos;
    framing->offset = IWARP_POS_UNKNOWN;
    framing->first = ctx->ev->first;
    framing->last = ctx->ev->last;
  }
}
