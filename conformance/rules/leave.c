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
static bool leave_reported(const struct rules_ctx *j) {
  return j->facts.diagnosis != DIAGNOSIS_MARKER_WRONG || j->facts.markers_lost ||
         j->facts.depth >= DEPTH_FRAME;
}

/* What the diagnosis leaves for the rest of the direction. */
static void leave_diagnosis(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const uint8_t leaves = leave_reported(j) ? rulesi_fault_of(j)->leaves : 0;
  const bool misframed =
      rulesi_fault(j->facts.framed)->rule == RULES_mpa_framing && j->facts.framed_doubt == 0;
  if (!rulesi_fault_of(j)->trusted || j->ev->kind == IWARP_EVENT_UNDECODABLE ||
      (j->ev->kind == IWARP_EVENT_FPDU && j->ev->u.fpdu.crc == IWARP_CRC_BAD)) {
    own->chain.fault = rulesi_fault_because(j);
  } else if (leaves != 0 && !own->chain.markers_reported) {
    own->chain.fault = rules_reported(rulesi_fault_of(j)->rule);
  } else if (misframed && !rules_framing_reported(j) && !own->chain.markers_reported) {
    own->chain.fault = rules_reported(RULES_mpa_framing);
  }
  own->framing.reported = rules_framing_reported(j) || misframed || (leaves & LEAVES_FRAMING) != 0;
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
static void leave_returned(struct rules_ctx *j) {
  struct rules_late *late = &rules_own_state(j)->late;
  const iwarp_rdmap_term *t = &rules_seg(j)->u.term;
  if (rules_seg(j)->kind != IWARP_RDMAP_KIND_TERM || t->ddp_header.len == 0 ||
      !rulesi_may_settle(j)) {
    return;
  }
  rules_open(&rules_own_state(j)->docket, QUESTION_TERMINATE_RETURNS, true);
  late->terminate = rulesi_keep(j);
  late->returned_length = t->ddp_segment_length;
  late->returned_len = (uint8_t)t->ddp_header.len;
  memcpy(late->returned, t->ddp_header.ptr, t->ddp_header.len);
}

/* A segment of the first Terminate. */
static void leave_terminate(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  if (!own->terminate.seen) {
    own->terminate.seen = true; /* it may cut any message: RFC 5040 5.4 */
    own->terminate.sure = rules_start_sure(j);
    own->terminate.packet = j->ev->last.packet;
    own->terminate.bare = leave_terminate_bare(rules_seg(j));
    leave_returned(j);
  }
  own->terminate.whole = rules_seg(j)->ddp.last;
}

static void leave_message(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const bool goes_on = rules_terminate_goes_on(j);
  if (j->facts.depth == DEPTH_MESSAGE) {
    rulesi_reads_update(j);
  } else {
    rulesi_reads_invalidate(j);
  }
  rulesi_interrupted_set(j);
  if (j->facts.step == STEP_RESUME) {
    rulesi_interrupted_exchange(own);
  }
  rulesi_slot_add(&own->messages.slots[j->facts.slot], j);
  rulesi_interrupted_unmix(j);
  rulesi_order_update(j);
  rulesi_slots_interrupt(j);
  if (goes_on || (j->facts.depth == DEPTH_MESSAGE && !own->terminate.seen &&
                  rules_seg(j)->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE)) {
    leave_terminate(j);
  }
}

/* True if all FPDUs of the side so far have a wrong CRC, beginning with the first: the receiver
 * cannot have validated one. */
static bool leave_first_invalid(const struct rules_ctx *j) {
  const bool bad = j->ev->u.fpdu.crc == IWARP_CRC_BAD && !j->ev->last.damaged &&
                   rules_settled(j, j->info->crc_by);
  return bad && (j->facts.first ? !rulesi_crc_explained(j) : rules_own(j)->first.invalid);
}

/* What the FPDU shows of where the next one begins. */
static void leave_chain(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  if (f->crc == IWARP_CRC_GOOD) {
    own->chain.start_unconfirmed = false;
    own->chain.crc_unconfirmed = false;
  }
  const bool bad = f->crc == IWARP_CRC_BAD && !rulesi_differ_shallow(j->ev);
  own->chain.crc_unconfirmed = own->chain.crc_unconfirmed || bad;
  if (bad) {
    own->chain.unframed = true;
    rulesi_lose_after_fault(own);
  }
  own->chain.start_unconfirmed = own->chain.start_unconfirmed ||
                                 (rulesi_fault_of(j)->leaves & LEAVES_START) != 0 ||
                                 f->seg.err == IWARP_ERR_DDP_SHORT;
  if (f->seg.err == IWARP_ERR_DDP_SHORT) {
    own->chain.fault = j->facts.because.rule != 0 ? j->facts.because : rules_unreported();
  }
}

/* The first FPDU of a direction. It may be sent before the Reply. */
static void leave_first(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  own->first_event = *j->ev;
  rules_open(&own->docket, QUESTION_FPDU_FIRST,
             own->startup.sure && j->info->side[j->ev->side].role == IWARP_ROLE_INITIATOR &&
                 !peer->has_startup && (!peer->start_known || j->ev->first.peer_pos > peer->start));
}

static void leave_fpdu(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  rulesi_refused_update(j); /* reads what the FPDU before left of its framing */
  rulesi_framing_leave(j);
  leave_chain(j);
  own->first.invalid = leave_first_invalid(j);
  if (j->facts.first) {
    leave_first(j);
  }
  if (j->facts.depth == DEPTH_NONE || !f->seg.has_ddp) {
    rulesi_lose(j, j->facts.because);
    return;
  }
  own->terminate.alike = own->terminate.alike || rules_opcode(j) == IWARP_RDMAP_OP_TERMINATE;
  if (j->facts.headers_uncertain) {
    rulesi_lose(j, j->facts.because);
    return;
  }
  rulesi_headers_add(j);
  own->chain.has_version = j->facts.depth >= DEPTH_HEADER && (j->info->sctp || rules_start_sure(j));
  own->chain.dv = f->seg.ddp.dv;
  if (j->facts.placed) {
    leave_message(j);
  } else if (!own->terminate.seen) {
    rulesi_lose_after_fault(own);
    rulesi_reads_invalidate(j);
    rulesi_order_drop(j, 0);
    rulesi_slots_misplaced(own);
  }
}

/* PD_Length cannot be right, and another rule says so: what follows the frame is no news. */
static bool leave_pd_reported(const iwarp_mpa_startup *frame) {
  const bool enhanced = (frame->flags & IWARP_MPA_FLAG_S) != 0 && frame->rev >= 2;
  return frame->pd_length > IWARP_MPA_PRIVATE_DATA_MAX ||
         (enhanced && frame->pd_length < IWARP_MPA_ENHANCED_LEN);
}

static void leave_startup(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  own->startup.packet = j->ev->last.packet;
  own->startup.pd_reported = leave_pd_reported(&j->ev->u.startup.frame);
  rules_open(&own->docket, QUESTION_PD_SHORT,
             own->startup.sure && !rules_pd_in_doubt(own) &&
                 j->ev->u.startup.key != IWARP_MPA_KEY_UNKNOWN &&
                 j->ev->u.startup.err == IWARP_ERR_MPA_PD_LENGTH &&
                 !j->info->side[j->ev->side].gap);
  own->startup.event = *j->ev;
  if (j->ev->last.differ) { /* what the connection goes by may be the same in both copies */
    own->startup.event.last.damaged = j->ev->head_last.differ;
  }
  rules_open(&own->docket, QUESTION_REPLY_FIRST,
             own->startup.sure && j->ev->u.startup.is_reply && !peer->has_startup &&
                 !j->ev->last.damaged);
}

/* Octets right after a Request that nothing has answered wait: mpa.pd-length-match. */
static void leave_run(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_observer_side *side = &j->info->side[j->ev->side];
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  if (rulesi_startup_followed(j) && !side->is_reply && !peer->has_startup) {
    rules_open(&own->docket, QUESTION_REQUEST_FOLLOWED, true);
    own->stray_event = *j->ev;
  }
  const bool searched = j->ev->u.undecodable == IWARP_UNDEC_NO_BOUNDARY && own->chain.gapped;
  rulesi_lose(j, searched ? rules_reason(own->chain.gap_reason) : own->chain.fault);
}

/* A Session Control message that fits no legal sequence, or has an unknown function code: it may
 * stand for a segment, and the session is to end. RFC 5043 6.1 */
static bool leave_illegal(const iwarp_ev_sctp_message *m) {
  return m->has_control && m->has_ssn && m->kind != IWARP_SCTP_KIND_TERMINATE &&
         (m->reason == IWARP_SCTP_REASON_SEQUENCE || m->reason == IWARP_SCTP_REASON_FUNCTION);
}

/* A message over SCTP that has no place, or another PPID. If it is a segment, its receiver may have
 * taken it or not. */
static void leave_refused(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(j);
  const bool segment = m->captured->ppid == IWARP_SCTP_PPID_SEGMENT;
  if (j->ev->last.differ) {
    rulesi_lose(j, rules_reason(IWARP_REASON_OCTETS_DIFFER)); /* a segment in one copy */
  } else if (!j->facts.other_ppid && leave_illegal(m)) {
    rulesi_lose(j, rulesi_sctp_lossless(j) && !m->inconclusive
                       ? rules_reported(RULES_sctp_session_order)
                       : rules_reason(own->chain.gap_reason));
  } else if (segment || j->facts.other_ppid) {
    own->first.seen = own->first.seen || segment != j->facts.other_ppid;
    rulesi_lose(j, j->facts.other_ppid ? rules_reported(RULES_sctp_ppid)
                                       : rules_reason(own->chain.gap_reason));
  }
}

/* A FIN after few octets leaves open whether they belong to the Private Data, as leave_run does. */
static void leave_run_ends(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  if (!j->info->side[j->ev->side].is_reply && rulesi_framing_surplus(j) == IWARP_TRISTATE_UNKNOWN) {
    rules_open(&own->docket, QUESTION_REQUEST_FOLLOWED, !rules_peer_known(j, j->ev->side));
    own->stray_event = rulesi_framing_run(&own->framing, j->ev->side);
  }
}

/* What was waiting for the start of the other side is judged once that is known. */
static void leave_end(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  rules_open(&own->docket, QUESTION_PD_SHORT_ENDED,
             rules_answers(j, j->ev->side, QUESTION_PD_SHORT) && j->ev->u.end == IWARP_END_FIN &&
                 !j->info->side[j->ev->side].gap && !rules_other(j)->chain.seen &&
                 !j->info->side[rules_peer(j)].start_known);
  own->startup.pd_received = j->ev->first.peer_pos;
  leave_run_ends(j);
}

/* Octets of `own` up to `end` were seen. */
static inline void leave_seen(struct rules_side *own, struct rules_side *other, uint64_t end) {
  own->end = end;
  own->chain.doubted = false;
  other->refused.peer_all_acked = false;
}

void rulesi_leave(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const uint64_t end = j->ev->pos + j->ev->len;
  leave_diagnosis(j);
  rulesi_interrupted_update(j);
  if (j->ev->sctp != NULL) {
    rulesi_sctp_update(j);
  }
  switch (j->ev->kind) {
  case IWARP_EVENT_STARTUP: leave_startup(j); break;
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: leave_fpdu(j); break;
  case IWARP_EVENT_SCTP_INIT: return;
  case IWARP_EVENT_SCTP_MESSAGE: leave_refused(j); break;
  case IWARP_EVENT_GAP:
    own->chain.gapped = true;
    own->chain.gap_end = end;
    if (!rules_gap_inside(j)) {
      rulesi_lose(j, rules_reason(own->chain.gap_reason));
    }
    break;
  case IWARP_EVENT_UNDECODABLE:
    own->chain.unframed = true;
    leave_run(j);
    break;
  case IWARP_EVENT_STREAMING:
    own->startup.key_begun = !own->startup.streamed && rulesi_framing_key_begun(j->ev->head);
    own->startup.streamed = true;
    own->stray_event = *j->ev;
    break;
  case IWARP_EVENT_END: leave_end(j); return;
  }
  if (!own->chain.seen || end > own->end) {
    own->chain.seen = true;
    leave_seen(own, rules_other_state(j), end);
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
                                       const iwarp_observer_fpdu *restrict f) {
  struct rules_side *other = &track->side[1u - f->side];
  leave_seen(own, other, f->pos + f->wire.len);
  rulesi_refused_heard(own, other, f->meta.peer_pos);
  rulesi_framing_leave_fpdu(&own->framing, f);
  rulesi_headers_add_fpdu(track, own, f);
  if (own->requests.num + other->requests.num != 0) {
    leave_fpdu_passed(track, f);
  }
  rulesi_slot_add_ordinary(
      &own->messages.slots[f->ddp.tagged ? RULES_SLOT_TAGGED : IWARP_RDMAP_QN_SEND], f);
}
