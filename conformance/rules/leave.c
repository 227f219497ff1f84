/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event leaves for later ones. */
#include "leave.h"

#include <string.h>

#include "diagnosis.h"
#include "differ.h"
#include "evidence.h"
#include "framing_keep.h"
#include "headers.h"
#include "interrupted.h"
#include "lose.h"
#include "markers.h"
#include "order.h"
#include "refused.h"
#include "requests.h"
#include "sctp_event.h"
#include "session.h"
#include "slot.h"
#include "state.h"

/* Four octets that are no Marker were reported, or other rules report Markers. */
static bool leave_reported(const struct rules_ctx *ctx) {
  return ctx->facts.diagnosis != DIAGNOSIS_MARKER_WRONG || ctx->facts.markers_lost ||
         ctx->facts.depth >= DEPTH_FRAME;
}

/* What the diagnosis leaves for the rest of the direction. */
static void leave_diagnosis(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const uint8_t leaves = leave_reported(ctx) ? rulesi_fault_of(ctx)->leaves : 0;
  const bool misframed =
      rulesi_fault(ctx->facts.framed)->rule == RULES_mpa_framing && ctx->facts.framed_doubt == 0;
  if (!rulesi_fault_of(ctx)->trusted || ctx->ev->kind == IWARP_EVENT_UNDECODABLE ||
      (ctx->ev->kind == IWARP_EVENT_FPDU && ctx->ev->u.fpdu.crc == IWARP_CRC_BAD)) {
    own->chain.fault = rulesi_fault_because(ctx);
  } else if (leaves != 0 && !own->chain.markers_reported) {
    own->chain.fault = rules_reported(rulesi_fault_of(ctx)->rule);
  } else if (misframed && !rules_framing_reported(ctx) && !own->chain.markers_reported) {
    own->chain.fault = rules_reported(RULES_mpa_framing);
  }
  own->framing.reported =
      rules_framing_reported(ctx) || misframed || (leaves & LEAVES_FRAMING) != 0;
  own->chain.markers_reported = own->chain.markers_reported || (leaves & LEAVES_MARKERS) != 0;
  own->startup.pd_reported = own->startup.pd_reported || (leaves & LEAVES_PRIVATE) != 0;
}

/* The segment has a whole Terminate Header, and that announces no others. */
static bool leave_terminate_bare(const iwarp_rdmap_seg *seg) {
  const iwarp_rdmap_term *t = &seg->u.term;
  return seg->kind == IWARP_RDMAP_KIND_TERM && seg->ddp.mo == 0 && t->reserved == 0 && !t->m &&
         !t->d && !t->r;
}

/* Keeps what the first Terminate of a side over SCTP returns, if its end is to decide. */
static void leave_returned(struct rules_ctx *ctx) {
  struct rules_late *late = &rules_own_state(ctx)->late;
  const iwarp_rdmap_term *t = &rules_seg(ctx)->u.term;
  if (rules_seg(ctx)->kind != IWARP_RDMAP_KIND_TERM || t->ddp_header.len == 0 ||
      !rulesi_may_settle(ctx)) {
    return;
  }
  rules_open(&rules_own_state(ctx)->docket, QUESTION_TERMINATE_RETURNS, true);
  late->terminate = rulesi_keep(ctx);
  late->returned_length = t->ddp_segment_length;
  late->returned_len = (uint8_t)t->ddp_header.len;
  memcpy(late->returned, t->ddp_header.ptr, t->ddp_header.len);
}

/* A segment of the first Terminate. */
static void leave_terminate(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  if (!own->terminate.seen) {
    own->terminate.seen = true; /* a Terminate may cut any message: RFC 5040 5.4 */
    own->terminate.sure = rules_start_sure(ctx);
    own->terminate.packet = ctx->ev->last.packet;
    own->terminate.bare = leave_terminate_bare(rules_seg(ctx));
    leave_returned(ctx);
  }
  own->terminate.whole = rules_seg(ctx)->ddp.last;
}

static void leave_message(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const bool goes_on = rules_terminate_goes_on(ctx);
  if (ctx->facts.depth == DEPTH_MESSAGE) {
    rulesi_reads_update(ctx);
  } else {
    rulesi_reads_invalidate(ctx);
  }
  rulesi_interrupted_set(ctx);
  if (ctx->facts.step == STEP_RESUME) {
    rulesi_interrupted_exchange(own);
  }
  rulesi_slot_add(&own->messages.slots[ctx->facts.slot], ctx);
  rulesi_interrupted_unmix(ctx);
  rulesi_order_update(ctx);
  rulesi_slots_interrupt(ctx);
  if (goes_on || (ctx->facts.depth == DEPTH_MESSAGE && !own->terminate.seen &&
                  rules_seg(ctx)->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE)) {
    leave_terminate(ctx);
  }
}

/* True if all FPDUs of the side so far have a wrong CRC, beginning with the first: the receiver
 * cannot have validated one. */
static bool leave_first_invalid(const struct rules_ctx *ctx) {
  const bool bad = ctx->ev->u.fpdu.crc == IWARP_CRC_BAD && !ctx->ev->last.damaged &&
                   rules_settled(ctx, ctx->info->crc_by);
  uint32_t reason = 0;
  const bool reported = ctx->facts.first ? rulesi_crc_due(ctx) && rulesi_crc_wrong(ctx, &reason)
                                         : rules_own(ctx)->first.invalid;
  return bad && reported;
}

/* What the FPDU shows of where the next one begins. */
static void leave_chain(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  if (f->crc == IWARP_CRC_GOOD) {
    own->chain.start_unconfirmed = false;
    own->chain.crc_unconfirmed = false;
  }
  const bool bad = f->crc == IWARP_CRC_BAD && !rulesi_differ_shallow(ctx->ev);
  own->chain.crc_unconfirmed = own->chain.crc_unconfirmed || bad;
  if (bad) {
    own->chain.unframed = true;
    rulesi_lose_after_fault(own);
  }
  own->chain.start_unconfirmed = own->chain.start_unconfirmed ||
                                 (rulesi_fault_of(ctx)->leaves & LEAVES_START) != 0 ||
                                 f->seg.err == IWARP_ERR_DDP_SHORT;
  if (f->seg.err == IWARP_ERR_DDP_SHORT) {
    own->chain.fault = ctx->facts.because.rule != 0 ? ctx->facts.because : rules_unreported();
  }
}

/* The first FPDU of a direction. It may be sent before the Reply. */
static void leave_first(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  own->first_event = *ctx->ev;
  rules_open(&own->docket, QUESTION_FPDU_FIRST,
             own->startup.sure && ctx->info->side[ctx->ev->side].role == IWARP_ROLE_INITIATOR &&
                 !peer->has_startup &&
                 (!peer->start_known || ctx->ev->first.peer_pos > peer->start));
}

static void leave_fpdu(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  own->first.invalid = leave_first_invalid(ctx); /* mpa.crc judged the same state */
  rulesi_refused_update(ctx); /* reads what the FPDU before left of its framing */
  rulesi_framing_leave(ctx);
  leave_chain(ctx);
  if (ctx->facts.first) {
    leave_first(ctx);
  }
  if (ctx->facts.depth == DEPTH_NONE || !f->seg.has_ddp) {
    rulesi_lose(ctx, ctx->facts.because);
    return;
  }
  own->terminate.alike = own->terminate.alike || rules_opcode(ctx) == IWARP_RDMAP_OP_TERMINATE;
  if (ctx->facts.headers_uncertain) {
    rulesi_lose(ctx, ctx->facts.because);
    return;
  }
  rulesi_headers_add(ctx);
  own->chain.has_version =
      ctx->facts.depth >= DEPTH_HEADER && (ctx->info->sctp || rules_start_sure(ctx));
  own->chain.dv = f->seg.ddp.dv;
  if (ctx->facts.placed) {
    leave_message(ctx);
  } else if (!own->terminate.seen) {
    rulesi_lose_after_fault(own);
    rulesi_reads_invalidate(ctx);
    rulesi_order_drop(ctx, 0);
    rulesi_slots_misplaced(own);
  }
}

/* PD_Length cannot be right, and another rule says so: what follows the frame is no news. */
static bool leave_pd_reported(const iwarp_mpa_startup *frame) {
  const bool enhanced = (frame->flags & IWARP_MPA_FLAG_S) != 0 && frame->rev >= 2;
  return frame->pd_length > IWARP_MPA_PRIVATE_DATA_MAX ||
         (enhanced && frame->pd_length < IWARP_MPA_ENHANCED_LEN);
}

static void leave_startup(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const iwarp_observer_side *peer = &ctx->info->side[rules_peer(ctx)];
  own->startup.packet = ctx->ev->last.packet;
  own->startup.pd_reported = leave_pd_reported(&ctx->ev->u.startup.frame);
  rules_open(&own->docket, QUESTION_PD_SHORT,
             own->startup.sure && !rules_pd_in_doubt(own) &&
                 ctx->ev->u.startup.key != IWARP_MPA_KEY_UNKNOWN &&
                 ctx->ev->u.startup.err == IWARP_ERR_MPA_PD_LENGTH &&
                 !ctx->info->side[ctx->ev->side].gap);
  own->startup.event = *ctx->ev;
  /* Copies with the same headers negotiate the same. */
  if (ctx->ev->last.differ) {
    own->startup.event.last.damaged = ctx->ev->head_last.differ;
  }
  rules_open(&own->docket, QUESTION_REPLY_FIRST,
             own->startup.sure && ctx->ev->u.startup.is_reply && !peer->has_startup &&
                 !ctx->ev->last.damaged);
}

/* Octets right after a startup frame wait for the one of the other side: mpa.pd-length-match. */
static void leave_run(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  if (rulesi_startup_followed(ctx) && !ctx->info->side[rules_peer(ctx)].has_startup) {
    rules_open(&own->docket, QUESTION_STARTUP_FOLLOWED, true);
    own->stray_event = *ctx->ev;
  }
  const bool searched = ctx->ev->u.undecodable == IWARP_UNDEC_NO_BOUNDARY && own->chain.gapped;
  rulesi_lose(ctx, searched ? rules_reason(own->chain.gap_reason) : own->chain.fault);
}

/* A Session Control message that fits no legal sequence, or has an unknown function code: it may
 * stand for a segment, and the session is to end. RFC 5043 6.1 */
static bool leave_illegal(const iwarp_ev_sctp_message *m) {
  return m->has_control && m->has_ssn && m->kind != IWARP_SCTP_KIND_TERMINATE &&
         (m->reason == IWARP_SCTP_REASON_SEQUENCE || m->reason == IWARP_SCTP_REASON_FUNCTION);
}

/* A message over SCTP that has no place, or another PPID. If it is a segment, its receiver may have
 * taken it or not. */
static void leave_refused(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(ctx);
  const bool segment = m->captured->ppid == IWARP_SCTP_PPID_SEGMENT;
  if (ctx->ev->last.differ) {
    rulesi_lose(ctx, rules_reason(IWARP_REASON_OCTETS_DIFFER)); /* a segment in one copy */
  } else if (!ctx->facts.other_ppid && leave_illegal(m)) {
    rulesi_lose(ctx, rulesi_sctp_lossless(ctx) && !m->inconclusive
                         ? rules_reported(RULES_sctp_session_order)
                         : rules_reason(own->chain.gap_reason));
  } else if (segment || ctx->facts.other_ppid) {
    own->first.seen = own->first.seen || segment != ctx->facts.other_ppid;
    rulesi_lose(ctx, ctx->facts.other_ppid ? rules_reported(RULES_sctp_ppid)
                                           : rules_reason(own->chain.gap_reason));
  }
}

/* A FIN after few octets leaves open whether they belong to the Private Data, as leave_run does. */
static void leave_run_ends(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  if (rulesi_framing_surplus(ctx) == IWARP_TRISTATE_UNKNOWN) {
    rules_open(&own->docket, QUESTION_STARTUP_FOLLOWED, true);
    own->stray_event = rulesi_framing_run(&own->framing, ctx->ev->side);
  }
}

/* What was waiting for the start of the other side is judged once that is known. */
static void leave_end(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  rules_open(&own->docket, QUESTION_PD_SHORT_ENDED,
             rules_answers(ctx, ctx->ev->side, QUESTION_PD_SHORT) &&
                 ctx->ev->u.end == IWARP_END_FIN && !ctx->info->side[ctx->ev->side].gap &&
                 !rules_other(ctx)->chain.seen && !ctx->info->side[rules_peer(ctx)].start_known);
  own->startup.pd_received = ctx->ev->first.peer_pos;
  leave_run_ends(ctx);
}

/* Octets of `own` up to `end` were seen. */
static inline void leave_seen(struct rules_side *own, struct rules_side *other, uint64_t end) {
  own->end = end;
  own->chain.doubted = false;
  other->refused.peer_all_acked = false;
}

void rulesi_leave(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const uint64_t end = ctx->ev->pos + ctx->ev->len;
  leave_diagnosis(ctx);
  rulesi_interrupted_update(ctx);
  if (ctx->ev->sctp != NULL) {
    rulesi_sctp_update(ctx);
  }
  switch (ctx->ev->kind) {
  case IWARP_EVENT_STARTUP: leave_startup(ctx); break;
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: leave_fpdu(ctx); break;
  case IWARP_EVENT_SCTP_INIT: return;
  case IWARP_EVENT_SCTP_MESSAGE: leave_refused(ctx); break;
  case IWARP_EVENT_GAP:
    own->chain.gapped = true;
    own->chain.gap_end = end;
    if (!rules_gap_inside(ctx)) {
      rulesi_lose(ctx, rules_reason(own->chain.gap_reason));
    }
    break;
  case IWARP_EVENT_UNDECODABLE:
    own->chain.unframed = true;
    leave_run(ctx);
    break;
  case IWARP_EVENT_STREAMING:
    own->startup.key_begun = !own->startup.streamed && rulesi_framing_key_begun(ctx->ev->head);
    own->startup.streamed = true;
    own->stray_event = *ctx->ev;
    break;
  case IWARP_EVENT_END: leave_end(ctx); return;
  }
  if (!own->chain.seen || end > own->end) {
    own->chain.seen = true;
    leave_seen(own, rules_other_state(ctx), end);
  }
}

RULES_APART static void leave_fpdu_passed(struct rules_tracker *track,
                                          const iwarp_observer_fpdu *f) {
  rulesi_reads_passed(track, &(struct rules_passing){.side = f->side,
                                                     .opcode = f->opcode,
                                                     .received = f->meta.peer_pos,
                                                     .pos = f->pos,
                                                     .end = f->pos + f->wire.len});
}

/* What rulesi_leave does for its event: all else is as the segment before it left it. */
RULES_APART void rulesi_leave_ordinary(struct rules_tracker *track, struct rules_side *own,
                                       const iwarp_observer_fpdu *restrict f, bool crc) {
  struct rules_side *other = &track->side[1u - f->side];
  leave_seen(own, other, f->pos + f->wire.len);
  rulesi_refused_heard(own, other, f->meta.peer_pos);
  rulesi_framing_leave_fpdu(&own->framing, f, crc);
  rulesi_headers_add_fpdu(track, own, f);
  if (own->requests.num + other->requests.num != 0) {
    leave_fpdu_passed(track, f);
  }
  rulesi_slot_add_ordinary(
      &own->messages.slots[f->ddp.tagged ? RULES_SLOT_TAGGED : IWARP_RDMAP_QN_SEND], f);
}
