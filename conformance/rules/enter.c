/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event changes before it is classified. */
#include "enter.h"

#include <string.h>

#include "differ.h"
#include "evidence.h"
#include "framing_keep.h"
#include "lose.h"
#include "pd_overrun.h"
#include "recover.h"
#include "sctp_event.h"
#include "state.h"

/* Octets that are no FPDU, and what is judged after them, may be some of one that is longer than
 * the observer could hold. */
static void enter_limit(struct rules_ctx *ctx) {
  const uint32_t kinds =
      1u << IWARP_EVENT_UNDECODABLE | 1u << IWARP_EVENT_GAP | 1u << IWARP_EVENT_END;
  if ((kinds & 1u << ctx->ev->kind) != 0 && (ctx->info->limits & IWARP_LIMIT_ULPDU) != 0) {
    ctx->unconfirmed = IWARP_REASON_LIMIT;
  }
  if ((ctx->ev->kind == IWARP_EVENT_FPDU && ctx->ev->last.differ) ||
      rulesi_differ_shallow(ctx->ev)) {
    ctx->unconfirmed = IWARP_REASON_OCTETS_DIFFER;
  }
}

/*
 * The startup frame of a side may be among missing octets, or before the capture. Its Private Data
 * may then go on after them, up to here. FPDUs may lie in it, right before the first FPDU of the
 * stream.
 */
static void enter_private(struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const bool begun = own->start_known || ctx->info->side[rules_peer(ctx)].has_startup;
  const bool gap = ctx->ev->kind == IWARP_EVENT_GAP;
  /* The stream was captured without its beginning, and this is its first event. */
  const bool inside = !rules_own(ctx)->chain.seen && !own->start_known;
  if ((inside || (gap && begun)) && !own->has_startup && !ctx->info->sctp) {
    const uint64_t missing = gap ? ctx->ev->len : 0;
    rules_own_state(ctx)->startup.private_end = ctx->ev->pos + missing + IWARP_MPA_PRIVATE_DATA_MAX;
  }
}

/*
 * A startup frame is certain at the beginning of its stream, or after octets that were all seen.
 * The latter may be a frame with a wrong key and FPDUs, where the frame of the other side may be
 * missing. Elsewhere payload or Private Data may look like a startup frame. A Reply is certain too
 * if it acknowledges a whole Request with which the captured stream of the other side begins.
 */
static void enter_startup_sure(struct rules_ctx *ctx) {
  const iwarp_observer_side *own = &ctx->info->side[ctx->ev->side];
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  const bool answers = own->key == IWARP_MPA_KEY_REPLY && peer->has_startup &&
                       peer->key == IWARP_MPA_KEY_REQUEST && rules_other(ctx)->startup.leads &&
                       ctx->ev->first.peer_pos == peer->startup_end;
  struct rules_side *side = rules_own_state(ctx);
  const bool begins = ctx->ev->pos == own->start;
  const bool missed = !begins && !peer->has_startup && rules_other(ctx)->chain.gapped;
  const bool whole = own->start_known && !side->chain.gapped;
  side->startup.leads = whole || begins;
  if (answers) {
    rules_other_state(ctx)->startup.sure = true;
    rules_other_state(ctx)->startup.private_end = 0;
  }
  side->startup.sure = answers || (whole && !missed);
  side->startup.private_end = 0;
  if (!side->startup.sure) {
    /* The frame may lie in Private Data. */
    side->startup.private_end = ctx->ev->pos + IWARP_MPA_PRIVATE_DATA_MAX;
    const struct rules_chain *lacks = missed ? &rules_other(ctx)->chain : &side->chain;
    const uint32_t reason = lacks->gapped ? lacks->gap_reason : IWARP_REASON_MID_STREAM;
    ctx->facts.unanswered =
        own->key == IWARP_MPA_KEY_REQUEST && side->startup.leads && !side->chain.gapped;
    ctx->unconfirmed = ctx->facts.unanswered ? 0 : reason;
    rulesi_lose(ctx, rules_reason(reason)); /* FPDUs may be among what is taken for Private Data */
  }
}

/* Requests and their answers may be among what PD_Length takes for Private Data. */
static void enter_pd_in_doubt(struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const bool missing = own->pd_overrun.state == PD_OVERRUN_UNKNOWN ||
                       rules_is_open(&own->docket, QUESTION_PD_INCOMPLETE);
  if (rules_pd_in_doubt(own)) {
    rulesi_lose(ctx,
                missing ? rules_reason(own->chain.gap_reason) : rulesi_pd_overrun_because(ctx));
  }
}

/* What was lost before the first FPDU cannot matter to its requests, but for octets of the other
 * side that its sender had not received: their answers may be among these, or were seen. */
static void enter_requests_begin(struct rules_ctx *ctx) {
  struct rules_requests *r = &rules_own_state(ctx)->requests;
  const struct rules_side *other = rules_other(ctx);
  const uint64_t received = ctx->ev->first.peer_pos;
  const bool ahead = other->chain.gapped &&
                     (received == IWARP_POS_UNKNOWN || received < other->end) && !ctx->info->sctp;
  if (!ahead || r->answered_early) {
    rulesi_recover_stop(r);
  }
  r->lost = ahead || r->answered_early;
  if (!r->answered_early) {
    r->because = (struct rules_because){0};
  }
  if (ahead) {
    rules_because_add(&r->because, rules_reason(other->chain.gap_reason));
  }
  r->num = 0;
  rules_own_state(ctx)->refused = (struct rules_refused){0};
}

/* Octets before the first FPDU are not missing: the capture begins after them. */
static bool enter_joined(const struct rules_ctx *ctx) {
  const iwarp_observer_side *side = &ctx->info->side[ctx->ev->side];
  return !side->has_startup || (ctx->info->sctp && !side->start_known);
}

static void enter_join(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const uint64_t start = ctx->ev->pos - f->fpdu.layout.lead;
  if (own->startup.private_end != 0 && ctx->ev->pos >= own->startup.private_end) {
    rulesi_lose(ctx, rules_reason(own->chain.gap_reason)); /* maybe Private Data before */
    own->startup.private_end = 0;
  }
  if (rulesi_sctp_certainty(ctx)->session_unconfirmed) {
    own->terminate.seen = false;
    rulesi_lose(ctx, rules_reason(own->chain.gap_reason));
  }
  if (own->first.seen) {
    if (start != own->end && !ctx->info->sctp) { /* over SCTP a GAP tells of every hole */
      rulesi_lose(ctx, rules_reason(own->chain.gap_reason));
    }
    return;
  }
  own->first.seen = true;
  own->chain.from_first = start == ctx->info->side[ctx->ev->side].start && !own->chain.gapped;
  own->first.at_start =
      start == ctx->info->side[ctx->ev->side].full_pos && f->sync == IWARP_SYNC_STARTUP;
  own->first.end = ctx->ev->pos + ctx->ev->len;
  own->first.packet = ctx->ev->last.packet;
  if (!own->first.at_start) {
    rulesi_lose(ctx,
                rules_reason(enter_joined(ctx) ? IWARP_REASON_MID_STREAM : own->chain.gap_reason));
    return;
  }
  own->headers.lost = !own->startup.sure && !ctx->info->sctp;
  if (own->headers.lost) {
    rules_because_add(&own->headers.because, rules_unreported());
  }
  enter_requests_begin(ctx);
  ctx->facts.first = true;
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    own->messages.slots[i].state = SLOT_FRESH;
  }
}

/* A leading Marker tells where the Markers stand: no payload comes between two FPDUs. */
static void enter_phase(struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  static const uint8_t zero[IWARP_MPA_MARKER_LEN] = {0};
  if (f->crc == IWARP_CRC_GOOD && rules_start_sure(ctx) && f->fpdu.markers &&
      f->fpdu.layout.lead != 0 && memcmp(f->fpdu.wire.ptr, zero, sizeof(zero)) == 0) {
    rules_own_state(ctx)->chain.phase_sure = true;
  }
}

/* Where octets are missing, a search finds the place of Markers by the look of them. */
static void enter_phase_off(struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  const iwarp_mpa_layout *l = &f->fpdu.layout;
  if (f->fpdu.markers && l->num_markers != 0 && f->offset != IWARP_POS_UNKNOWN) {
    rules_own_state(ctx)->chain.phase_off =
        (f->offset - l->lead + l->first_marker) % IWARP_MPA_MARKER_PERIOD != 0;
  }
}

/* True if a Marker would stand in the FPDU, or before it, if there were any. */
static bool enter_at_marker(const iwarp_event_fpdu *f) {
  const uint64_t before = f->offset + IWARP_MPA_MARKER_PERIOD - 1;
  return (before + f->fpdu.layout.wire_len) / IWARP_MPA_MARKER_PERIOD !=
         before / IWARP_MPA_MARKER_PERIOD;
}

/*
 * The startup frame of a side does not tell of the Markers that this side sends, and two frames may
 * contradict each other. A right CRC over octets in the place of a Marker shows that there are no
 * Markers.
 */
static void enter_unmarked(struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  struct rules_side *own = rules_own_state(ctx);
  if (f->crc == IWARP_CRC_GOOD && !f->fpdu.markers && f->sync == IWARP_SYNC_STARTUP &&
      own->startup.sure && f->offset != IWARP_POS_UNKNOWN && enter_at_marker(f)) {
    own->chain.unmarked_shown = true;
  }
}

/* What an FPDU, or a DDP Segment over SCTP, shows of its direction. */
static void enter_segment(struct rules_ctx *ctx) {
  enter_join(ctx);
  enter_phase(ctx);
  enter_phase_off(ctx);
  enter_unmarked(ctx);
}

static void enter_kind(struct rules_ctx *ctx) {
  switch (ctx->ev->kind) {
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: enter_segment(ctx); break;
  case IWARP_EVENT_UNDECODABLE: rulesi_framing_enter(ctx); break;
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_GAP:
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_END:
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE: break;
  }
}

/* Over SCTP a segment that the snapshot length cut is an event of its own, and no GAP. */
static void enter_gap_reason(struct rules_ctx *ctx) {
  const iwarp_event *ev = ctx->ev;
  const bool gap = ev->kind == IWARP_EVENT_GAP;
  if ((gap && ev->u.gap == IWARP_GAP_SNAPLEN) ||
      (ev->kind == IWARP_EVENT_SCTP_SEGMENT && !ev->u.fpdu.complete)) {
    rules_own_state(ctx)->chain.gap_reason = IWARP_REASON_SNAPLEN;
  } else if (gap) {
    rules_own_state(ctx)->chain.gap_reason = IWARP_REASON_GAP;
  }
}

void rulesi_enter(struct rules_ctx *ctx) {
  enter_private(ctx);
  enter_limit(ctx);
  if (ctx->ev->kind == IWARP_EVENT_STARTUP) {
    enter_startup_sure(ctx);
  }
  enter_gap_reason(ctx);
  rulesi_pd_overrun_classify(ctx);
  enter_pd_in_doubt(ctx);
  enter_kind(ctx);
}
