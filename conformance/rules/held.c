/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings that the docket holds until a later event decides on them. */
#include "held.h"

#include "catalog.h"
#include "diagnosis.h"
#include "evidence.h"
#include "markers.h"
#include "memory.h"
#include "reason.h"
#include "state.h"
#include "verdict.h"

#define HELD_ANY                                                                                   \
  (1u << QUESTION_HELD_START | 1u << QUESTION_HELD_REQUEST | 1u << QUESTION_HELD_ANSWER |          \
   1u << QUESTION_HELD_LENGTH | 1u << QUESTION_HELD_CUT)

/* True if the FPDU may lie in the payload of another one: a search found its start by CRCs, or it
 * follows a startup frame that may lie there itself. */
static bool held_inner(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const bool marked = f->sync == IWARP_SYNC_MARKER && f->offset != IWARP_POS_UNKNOWN &&
                      rules_own(ctx)->startup.sure && !rules_own(ctx)->chain.phase_off;
  return ctx->ev->kind == IWARP_EVENT_FPDU && !rules_start_sure(ctx) && !marked;
}

/* The part of an FPDU on which the finding of a rule rests. If it is wrong, the finding is about
 * other octets than it seems to be. */
static const uint8_t held_rests[RULES_COUNT] = {
    [RULES_mpa_crc] = BLAME_CRC,
    [RULES_mpa_pad_zero] = BLAME_PAD,
    [RULES_ddp_header_length] = BLAME_LENGTH,
    [RULES_rdmap_read_request_length] = BLAME_LENGTH,
    [RULES_rdmap_read_response_length] = BLAME_LENGTH,
    [RULES_rdmap_terminate_length] = BLAME_LENGTH,
    [RULES_rdmap_immediate_length] = BLAME_LENGTH,
    [RULES_rdmap_atomic_request_length] = BLAME_LENGTH,
    [RULES_rdmap_atomic_response_length] = BLAME_LENGTH,
};

static uint32_t held_reason(const struct rules_side *side) {
  return side->chain.gapped ? side->chain.gap_reason : IWARP_REASON_MID_STREAM;
}

/* ---- the list ---- */

/* Returns false if there is no room for another finding. */
static bool held_add(struct rules_held *held, const struct rules_ctx *ctx, const iwarp_finding *f) {
  iwarp_finding *entry = rulesi_grow(ctx->findings->pool, held->entry, &held->cap, held->num,
                                     RULES_HELD, sizeof(*entry));
  if (entry == NULL) {
    return false;
  }
  held->entry = entry;
  entry[held->num++] = *f;
  ctx->results[f->rule].num_fail--;
  return true;
}

/* Holds the first findings, as many as there is room for. Less memory lets no later one in. */
static void held_add_first(struct rules_held *held, const struct rules_ctx *ctx,
                           const iwarp_finding *f) {
  if (!held->full && held_add(held, ctx, f)) {
    return;
  }
  held->full = true;
  ctx->results[f->rule].num_fail--;
  rulesi_count_inconclusive(&ctx->results[f->rule],
                            rulesi_reason(ctx, held->num < RULES_HELD
                                                   ? IWARP_REASON_LIMIT
                                                   : held_reason(rules_own(ctx))));
}

static void held_empty(struct rules_docket *docket) {
  docket->open &= ~HELD_ANY;
  docket->held.num = 0;
  docket->held.private_data = false;
  docket->held.full = false;
}

/* True if a wrong part of the FPDU discards the finding. A missing CRC field may read as a length
 * that is larger by as many octets. */
static bool held_explained(const iwarp_finding *f, enum rules_blame blame) {
  const uint8_t rests = held_rests[f->rule];
  return blame == BLAME_CRC && rests == BLAME_LENGTH
             ? f->observed.u == f->expected.u + IWARP_MPA_CRC_LEN
             : rests <= blame;
}

/* Discards a finding whose octets mpa.framing reports. */
static void held_withdraw(struct rules_findings *found, uint16_t rule) {
  rulesi_note(found->withdrawn, (uint16_t)(rule + 1u));
  rulesi_note(found->explained, RULES_mpa_framing + 1u);
}

/* Hands out the findings, except those that the wrong part of the FPDU explains. */
static void held_release(struct rules_docket *docket, struct rules_findings *found,
                         iwarp_rule_result *results, enum rules_blame blame) {
  for (uint32_t i = 0; i < docket->held.num; i++) {
    const iwarp_finding *f = &docket->held.entry[i];
    if (blame == BLAME_NOTHING || !held_explained(f, blame)) {
      results[f->rule].num_fail++;
      *rulesi_room(found) = *f;
    } else {
      held_withdraw(found, f->rule);
    }
  }
  held_empty(docket);
}

/* Makes the findings inconclusive. */
static void held_drop(struct rules_docket *docket, iwarp_rule_result *results, uint32_t reason) {
  for (uint32_t i = 0; i < docket->held.num; i++) {
    rulesi_count_inconclusive(&results[docket->held.entry[i].rule], reason);
  }
  held_empty(docket);
}

void rulesi_held_finish(struct rules_side *side, struct rules_findings *found,
                        iwarp_rule_result *results) {
  struct rules_docket *docket = &side->docket;
  if (rules_is_open(docket, QUESTION_HELD_LENGTH)) {
    held_release(docket, found, results, BLAME_NOTHING);
  } else {
    held_drop(docket, results,
              rules_is_open(docket, QUESTION_HELD_ANSWER) ? IWARP_REASON_GAP : held_reason(side));
  }
}

/* Moves the findings that `holds` chooses from the findings of the event to the docket. */
static void held_take(struct rules_docket *docket, const struct rules_ctx *ctx,
                      bool (*holds)(struct rules_docket *docket, const struct rules_ctx *ctx,
                                    const iwarp_finding *f)) {
  struct rules_findings *all = ctx->findings;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < all->num; i++) {
    if (!holds(docket, ctx, &all->entry[i])) {
      all->entry[kept++] = all->entry[i];
    }
  }
  all->num = kept;
}

/* ---- HELD_REQUEST ---- */

static bool held_of_request(struct rules_docket *docket, const struct rules_ctx *ctx,
                            const iwarp_finding *f) {
  held_add_first(&docket->held, ctx, f);
  rules_open(docket, QUESTION_HELD_REQUEST, true);
  return true;
}

/* The next event of the side, or the startup frame of the other one, is the Reply, or shows that
 * no Reply comes. */
static void held_request(struct rules_ctx *ctx) {
  struct rules_docket *own = &rules_own_state(ctx)->docket;
  struct rules_docket *other = &rules_other_state(ctx)->docket;
  if (rules_is_open(own, QUESTION_HELD_REQUEST)) {
    held_drop(own, ctx->results, rulesi_reason(ctx, held_reason(rules_own(ctx))));
  }
  if (rules_is_open(other, QUESTION_HELD_REQUEST) && ctx->ev->kind == IWARP_EVENT_STARTUP) {
    if (rules_other(ctx)->startup.sure) {
      held_release(other, ctx->findings, ctx->results, BLAME_NOTHING);
    } else {
      held_drop(other, ctx->results, rulesi_reason(ctx, held_reason(rules_other(ctx))));
    }
  }
  if (ctx->facts.unanswered) {
    held_take(own, ctx, held_of_request);
  }
}

/* ---- HELD_ANSWER ---- */

/* True if later events decide on the octets after the FPDU, which may begin another one. */
static bool held_undecided(const struct rules_ctx *ctx) {
  return ctx->ev->kind == IWARP_EVENT_UNDECODABLE &&
         rules_is_open(&rules_own(ctx)->docket, QUESTION_RUN);
}

/* True if the octets of the side that formed an FPDU so far are an FPDU. */
static bool held_ends_right(const struct rules_ctx *ctx) {
  return ctx->ev->kind == IWARP_EVENT_FPDU && ctx->ev->u.fpdu.crc != IWARP_CRC_BAD &&
         !ctx->ev->last.damaged && !ctx->facts.length_uncertain;
}

/* The next event of the other side is the FPDU that may hold the request. */
static void held_answer(struct rules_ctx *ctx) {
  struct rules_docket *other = &rules_other_state(ctx)->docket;
  if (!rules_is_open(other, QUESTION_HELD_ANSWER)) {
    return;
  }
  if (held_ends_right(ctx)) {
    held_release(other, ctx->findings, ctx->results, BLAME_NOTHING);
  } else if (!held_undecided(ctx)) {
    held_drop(other, ctx->results, rulesi_reason(ctx, IWARP_REASON_GAP));
  }
}

static bool held_of_answer(struct rules_docket *docket, const struct rules_ctx *ctx,
                           const iwarp_finding *f) {
  const bool answer = f->rule == RULES_rdmap_read_response_unasked ||
                      f->rule == RULES_rdmap_atomic_response_unasked;
  const bool held = answer && docket->held.num == 0 && held_add(&docket->held, ctx, f);
  rules_open(docket, QUESTION_HELD_ANSWER, held || rules_is_open(docket, QUESTION_HELD_ANSWER));
  return held;
}

/* ---- HELD_LENGTH ---- */

/* True if no right CRC proves the length of the FPDU. */
static bool held_unproven(const struct rules_ctx *ctx) {
  return ctx->ev->kind == IWARP_EVENT_FPDU && !held_inner(ctx) &&
         ctx->ev->u.fpdu.crc != IWARP_CRC_GOOD;
}

/* A finding without room is inconclusive, since later octets might explain it. */
static bool held_of_length(struct rules_docket *docket, const struct rules_ctx *ctx,
                           const iwarp_finding *f) {
  if (held_rests[f->rule] == BLAME_NOTHING || f->pos != ctx->ev->pos) {
    return false;
  }
  if (held_add(&docket->held, ctx, f)) {
    rules_open(docket, QUESTION_HELD_LENGTH, true);
  } else {
    ctx->results[f->rule].num_fail--;
    rulesi_count_inconclusive(&ctx->results[f->rule], IWARP_REASON_LIMIT);
  }
  return true;
}

/* Hands out the held findings. A finding that a fault of the framing explains is withdrawn. */
static void held_release_framed(struct rules_docket *own, const struct rules_ctx *ctx) {
  held_release(own, ctx->findings, ctx->results,
               (enum rules_blame)rulesi_fault(ctx->facts.framed)->blame);
}

static void held_length(struct rules_docket *own, const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_GAP) {
    held_drop(own, ctx->results, rulesi_reason(ctx, IWARP_REASON_GAP));
  } else {
    held_release_framed(own, ctx);
  }
}

/* Holds a finding until a question is answered. A finding about earlier octets does not depend on
 * the FPDU under judgement. */
static bool held_until(struct rules_docket *docket, const struct rules_ctx *ctx,
                       const iwarp_finding *f, enum rules_question question) {
  if (f->pos != ctx->ev->pos) {
    return false;
  }
  held_add_first(&docket->held, ctx, f);
  rules_open(docket, question, true);
  return true;
}

/* ---- HELD_START ---- */

static bool held_of_start(struct rules_docket *docket, const struct rules_ctx *ctx,
                          const iwarp_finding *f) {
  return held_until(docket, ctx, f, QUESTION_HELD_START);
}

static void held_start(struct rules_docket *own, const struct rules_ctx *ctx) {
  if (!own->held.private_data && ctx->ev->pos < rules_own(ctx)->startup.private_end) {
    own->held.private_data = true;
    own->held.private_end = (uint32_t)rules_own(ctx)->startup.private_end;
  }
  held_take(own, ctx, held_of_start);
}

/* True if the event ends the chain of FPDUs: octets are missing, form no FPDU, or have a wrong CRC.
 */
static bool held_broken(const struct rules_ctx *ctx) {
  switch (ctx->ev->kind) {
  case IWARP_EVENT_FPDU: return ctx->ev->u.fpdu.crc == IWARP_CRC_BAD;
  case IWARP_EVENT_GAP:
  case IWARP_EVENT_UNDECODABLE: return true;
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_END:
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: break;
  }
  return false;
}

/* True if the position lies before another one, of which the low bits are known. */
static bool held_before(uint64_t pos, uint32_t end) {
  return end - (uint32_t)pos - 1u < 0x80000000u;
}

/*
 * Full Operation begins with a Marker, and the next Markers follow every 512 octets. So a Marker
 * inside an FPDU shows that Full Operation begins 512 octets before it at the latest.
 */
static void held_marked(struct rules_held *held, const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const iwarp_mpa_layout *l = &f->fpdu.layout;
  iwarp_mpa_marker due;
  size_t off;
  if (held_broken(ctx)) {
    held->private_data = false;
    return;
  }
  if (!held->private_data || ctx->ev->kind != IWARP_EVENT_FPDU ||
      !rules_own(ctx)->chain.from_first || f->crc != IWARP_CRC_GOOD || !f->fpdu.markers ||
      l->first_marker == 0 || rulesi_markers_missing(&f->fpdu, false, &due, &off)) {
    return;
  }
  const uint64_t from = ctx->ev->pos - l->lead + l->first_marker - IWARP_MPA_MARKER_PERIOD;
  if (held_before(from, held->private_end)) {
    held->private_end = (uint32_t)from;
  }
}

/* Makes findings inconclusive whose FPDU may lie in Private Data. */
static void held_private(struct rules_held *held, const struct rules_ctx *ctx) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < held->num; i++) {
    if (held->private_data && held_before(held->entry[i].pos, held->private_end)) {
      rulesi_count_inconclusive(&ctx->results[held->entry[i].rule],
                                rulesi_reason(ctx, held_reason(rules_own(ctx))));
    } else {
      held->entry[kept++] = held->entry[i];
    }
  }
  held->num = kept;
}

static void held_chain(struct rules_docket *own, const struct rules_ctx *ctx) {
  if (held_broken(ctx)) {
    held_drop(own, ctx->results, rulesi_reason(ctx, held_reason(rules_own(ctx))));
  } else if (!held_inner(ctx)) {
    held_private(&own->held, ctx);
    held_release(own, ctx->findings, ctx->results, BLAME_NOTHING);
  }
}

/* ---- HELD_CUT ---- */

/* True if CRCs are in use, and the capture lacks the CRC of the FPDU. */
static bool held_is_cut(const struct rules_ctx *ctx) {
  return rulesi_crc_cut(ctx) && !held_inner(ctx);
}

static bool held_of_cut(struct rules_docket *docket, const struct rules_ctx *ctx,
                        const iwarp_finding *f) {
  return held_until(docket, ctx, f, QUESTION_HELD_CUT);
}

/* True if the event shows that the FPDUs before it are where their ULPDU_Lengths put them. */
static bool held_goes_on(const struct rules_ctx *ctx) {
  if (ctx->ev->kind == IWARP_EVENT_END) {
    return ctx->ev->pos == rules_own(ctx)->end;
  }
  return ctx->ev->kind == IWARP_EVENT_FPDU &&
         (ctx->ev->u.fpdu.crc == IWARP_CRC_GOOD ||
          (ctx->facts.depth == DEPTH_MESSAGE &&
           ctx->ev->first.packet != rules_own(ctx)->framing.last.packet));
}

static void held_cut(struct rules_docket *own, const struct rules_ctx *ctx) {
  const bool inside = ctx->ev->kind == IWARP_EVENT_GAP && rules_gap_inside(ctx);
  if (held_goes_on(ctx)) {
    held_release_framed(own, ctx);
  } else if (held_broken(ctx) && !inside) {
    held_drop(own, ctx->results, rulesi_reason(ctx, held_reason(rules_own(ctx))));
  }
}

/* ---- the event ---- */

void rulesi_held_settle(struct rules_ctx *ctx) {
  struct rules_docket *own = &rules_own_state(ctx)->docket;
  held_request(ctx);
  held_answer(ctx);
  const bool length = rules_is_open(own, QUESTION_HELD_LENGTH);
  if (rules_is_open(own, QUESTION_HELD_REQUEST) || rules_is_open(own, QUESTION_HELD_ANSWER) ||
      (length && held_undecided(ctx))) {
    return;
  }
  if (length) {
    held_length(own, ctx);
  }
  if (rules_is_open(own, QUESTION_HELD_CUT)) {
    held_cut(own, ctx);
  }
  if (held_inner(ctx)) {
    held_start(own, ctx);
  }
  held_marked(&own->held, ctx);
  if (rules_is_open(own, QUESTION_HELD_START)) {
    held_chain(own, ctx);
  }
  if (held_is_cut(ctx)) {
    held_take(own, ctx, held_of_cut);
  } else if (held_unproven(ctx)) {
    held_take(own, ctx, held_of_length);
  }
  if (!ctx->info->sctp && ctx->ev->first.peer_pos > rules_other(ctx)->end) {
    held_take(own, ctx, held_of_answer);
  }
}
