/* SPDX-License-Identifier: BSD-2-Clause */
/* The tracker: before the rules it tells what a segment is, after them it keeps what the segment
 * leaves after. */
#include <string.h>

#include "aside.h"
#include "diagnosis.h"
#include "differ.h"
#include "evidence.h"
#include "forgotten.h"
#include "markers.h"
#include "memory.h"
#include "order.h"
#include "recover.h"
#include "refused.h"
#include "sctp_event.h"
#include "state.h"
#include "swallowed.h"
#include "tracker.h"
#include "tracker_reads.h"
#include "tracker_sctp.h"

void rulesi_tracker_init(struct rules_tracker *track) {
  memset(track, 0, sizeof(*track));
  track->side[0].gap_reason = track->side[1].gap_reason = IWARP_REASON_GAP;
  track->side[0].fault = track->side[1].fault = rules_unreported();
  track->side[0].headers_max = track->side[1].headers_max = RULES_HEADERS;
  track->side[0].requests.msn = track->side[1].requests.msn = 1; /* RFC 5041 5.3 */
}

/* ---- before the rules ---- */

/* A fault of the side leaves open what later octets are. Where octets are missing as well, these
 * remain the reason. */
static void track_fault(struct rules_side *own) {
  if (!own->gapped) {
    own->gap_reason = IWARP_REASON_AFTER_FAULT;
  }
}

void rulesi_tracker_lose(struct rules_ctx *j, struct rules_because why) {
  struct rules_side *own = rules_own_state(j);
  if (why.reason == 0) {
    track_fault(own);
  }
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    own->slots[i].state = SLOT_UNKNOWN;
  }
  rulesi_aside_drop(own);
  own->has_version = false;
  own->response.known = false;
  own->response.left = 0;
  rulesi_order_drop(j, why.reason);
  own->headers_lost = true;
  rules_because_add(&own->headers_because, why);
  rulesi_reads_lose(j, why);
}

/* What was lost before the first FPDU cannot matter to its requests, but for octets of the other
 * side that its sender had not received: their answers may be among these, or were seen. */
static void track_requests_begin(struct rules_ctx *j) {
  struct rules_requests *r = &rules_own_state(j)->requests;
  const struct rules_side *other = rules_other(j);
  const uint64_t received = j->ev->first.peer_pos;
  const bool ahead =
      other->gapped && (received == IWARP_POS_UNKNOWN || received < other->end) && !j->info->sctp;
  if (!ahead || r->answered_early) {
    rulesi_recover_stop(r);
  }
  r->lost = ahead || r->answered_early;
  if (!r->answered_early) {
    r->because = (struct rules_because){0};
  }
  rules_because_add(&r->because, ahead ? rules_reason(other->gap_reason) : r->because);
  r->num = 0;
  rules_own_state(j)->refused = (struct rules_refused){0};
}

/* What came before the first FPDU is not missing, but was never in the capture. */
static bool track_joined(const struct rules_ctx *j) {
  const iwarp_observer_side *side = &j->info->side[j->ev->side];
  return !side->has_startup || (j->info->sctp && !side->start_known);
}

static void track_join(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  const uint64_t start = j->ev->pos - f->fpdu.layout.lead;
  if (own->private_end != 0 && j->ev->pos >= own->private_end) {
    rulesi_tracker_lose(
        j, rules_reason(own->gap_reason)); /* what was before may have been Private Data */
    own->private_end = 0;
  }
  if (rulesi_sctp_certainty(j)->session_unconfirmed) {
    own->terminated = false;
    rulesi_tracker_lose(j, rules_reason(own->gap_reason));
  }
  if (own->first.seen) {
    if (start != own->end && !j->info->sctp) { /* over SCTP a GAP tells of every hole */
      rulesi_tracker_lose(j, rules_reason(own->gap_reason));
    }
    return;
  }
  own->first.seen = true;
  own->from_first = start == j->info->side[j->ev->side].start && !own->gapped;
  own->first.at_start =
      start == j->info->side[j->ev->side].full_pos && f->sync == IWARP_SYNC_STARTUP;
  own->first.end = j->ev->pos + j->ev->len;
  own->first.packet = j->ev->last.packet;
  if (!own->first.at_start) {
    rulesi_tracker_lose(j,
                        rules_reason(track_joined(j) ? IWARP_REASON_MID_STREAM : own->gap_reason));
    return;
  }
  own->headers_lost = !own->startup_sure && !j->info->sctp;
  if (own->headers_lost) {
    rules_because_add(&own->headers_because, rules_unreported());
  }
  track_requests_begin(j);
  j->facts.first = true;
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    own->slots[i].state = SLOT_FRESH;
  }
}

/* A leading Marker tells where the Markers stand: no payload comes between two FPDUs. */
static void track_phase(struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  static const uint8_t zero[IWARP_MPA_MARKER_LEN] = {0};
  if (f->crc == IWARP_CRC_GOOD && rules_start_sure(j) && f->fpdu.markers &&
      f->fpdu.layout.lead != 0 && memcmp(f->fpdu.wire.ptr, zero, sizeof(zero)) == 0) {
    rules_own_state(j)->phase_sure = true;
  }
}

/* Whether a Marker would stand in the FPDU, or before it, if there were any. */
static bool track_at_marker(const iwarp_event_fpdu *f) {
  const uint64_t before = f->offset + IWARP_MPA_MARKER_PERIOD - 1;
  return (before + f->fpdu.layout.wire_len) / IWARP_MPA_MARKER_PERIOD !=
         before / IWARP_MPA_MARKER_PERIOD;
}

/*
 * The startup frame of one side says nothing of the Markers in what that side sends, and two may
 * contradict each other. A right CRC over octets where one would stand shows that there are none.
 */
static void track_unmarked(struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  struct rules_side *own = rules_own_state(j);
  if (f->crc == IWARP_CRC_GOOD && !f->fpdu.markers && f->sync == IWARP_SYNC_STARTUP &&
      own->startup_sure && f->offset != IWARP_POS_UNKNOWN && track_at_marker(f)) {
    own->unmarked_shown = true;
  }
}

/*
 * Whether a right CRC proves the FPDU. Where nothing says that CRCs are in use, and a search found
 * it, one right CRC may be that of an FPDU inside payload: two in a row are asked for.
 */
static bool track_crc_proves(struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  if (f->sync != IWARP_SYNC_CRC || rules_settled(j, j->info->crc_by) ||
      f->good_run > f->fpdu.layout.wire_len) {
    return true;
  }
  j->facts.because = rules_reason(IWARP_REASON_CRC_UNKNOWN);
  return false;
}

/*
 * Whether Markers of the FPDU, if there are any, stand where they are taken out of it. A startup
 * frame that may be payload says nothing of that, and the CRC covers Markers wherever they stand:
 * what they hold has to fit.
 */
static bool track_markers_placed(const struct rules_ctx *j) {
  const iwarp_mpa_fpdu *f = &j->ev->u.fpdu.fpdu;
  iwarp_mpa_marker due;
  size_t off;
  if (f->layout.num_markers == 0) {
    return true;
  }
  return rules_markers_sure(j) && (rules_own(j)->startup_sure || rules_own(j)->phase_sure ||
                                   !rulesi_markers_missing(f, false, &due, &off));
}

/*
 * Whether octets of the FPDU that are taken for a Marker are not the one due, in a stream whose
 * Markers may stand elsewhere: octets were missing, or were too many or too few.
 */
static bool track_markers_strayed(struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  iwarp_mpa_marker due;
  size_t off;
  if (!rulesi_markers_loose(own) ||
      !rulesi_markers_missing(&j->ev->u.fpdu.fpdu, false, &due, &off)) {
    return false;
  }
  j->facts.markers_lost = !own->gapped;
  if (own->gapped) {
    j->facts.because = rules_reason(own->gap_reason);
  } else if (!rules_startups_sure(j)) {
    j->facts.because = rules_reason(IWARP_REASON_MID_STREAM);
  } else {
    j->facts.because = own->fault;
  }
  return true;
}

/* Whether headers of the segment may be others in the copy that its receiver took. */
static bool track_headers_differ(const struct rules_ctx *j) {
  return j->ev->last.differ && !rulesi_differ_shallow(j->ev);
}

/* The snapshot length cut the FPDU, as it cut others before: the chain of ULPDU_Lengths proves it,
 * and a connection that goes on shows that its CRC was right. */
static bool track_snapped(const struct rules_ctx *j) {
  return !j->ev->u.fpdu.complete && rules_own(j)->gap_reason == IWARP_REASON_SNAPLEN;
}

/* Why FPDUs may begin before the end that PD_Length gives. Where that is not certain it may turn
 * out to be right. */
static struct rules_because track_pd_because(const struct rules_ctx *j) {
  if (j->info->side[j->ev->side].pd_length > IWARP_MPA_PRIVATE_DATA_MAX) {
    return rules_reported(RULES_mpa_pd_length_max);
  }
  return rules_own(j)->swallowed == SWALLOWED_CERTAIN ? rules_reported(RULES_mpa_pd_length_match)
                                                      : rules_unreported();
}

/*
 * Whether the start and the octets of the FPDU are beyond doubt: its CRC is good, or CRCs are not
 * in use and an unbroken chain of ULPDU_Lengths leads to it. Everything less would let a lost
 * packet make a finding.
 */
static bool track_framed(struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  const iwarp_observer_info *info = j->info;
  if (rules_swallowed(rules_own(j))) {
    j->facts.because = track_pd_because(j);
    return false;
  }
  if (f->sync == IWARP_SYNC_HEURISTIC || f->sync == IWARP_SYNC_NONE) {
    j->facts.because = rules_reason(IWARP_REASON_MID_STREAM);
    return false;
  }
  if (!track_markers_placed(j)) {
    j->facts.because = rules_reason(
        IWARP_REASON_MID_STREAM); /* what is taken for a Marker may be a part of a header */
    return false;
  }
  if (track_headers_differ(j)) {
    j->facts.because = rules_reason(IWARP_REASON_OCTETS_DIFFER);
    return false;
  }
  const bool payload = j->ev->last.differ && f->crc == IWARP_CRC_BAD; /* is why it is wrong */
  if (f->crc == IWARP_CRC_GOOD || payload) {
    return track_crc_proves(j) && !track_markers_strayed(j);
  }
  if (j->ev->last.damaged &&
      !j->ev->last.differ) { /* the receiver may have taken another copy, which is lost */
    j->facts.because = rules_reason(IWARP_REASON_CHECKSUM_WRONG);
    return false;
  }
  if (!rules_settled(j, info->crc_by)) {
    j->facts.because = rules_reason(IWARP_REASON_CRC_UNKNOWN);
    return false;
  }
  if (!rules_markers_settled(j)) {
    j->facts.because =
        rules_reason(IWARP_REASON_NO_NEGOTIATION); /* where the Markers stand is not settled */
    return false;
  }
  if (f->crc == IWARP_CRC_BAD || !rulesi_fault_of(j)->trusted || rules_own(j)->start_unconfirmed) {
    j->facts.because = rulesi_fault_because(j); /* octets without meaning */
    return false;
  }
  if ((info->crc == IWARP_TRISTATE_ON && !track_snapped(j)) || f->sync != IWARP_SYNC_STARTUP ||
      rulesi_framing_unproven(j)) {
    j->facts.because = rules_reason(rules_own(j)->gap_reason);
    return false;
  }
  return !track_markers_strayed(j);
}

/* A version of 0 is right only under MPA Rev 0, 1 is let pass there: RFC 5044 C.1. */
static bool track_dv(struct rules_ctx *j) {
  const uint8_t dv = rules_seg(j)->ddp.dv;
  if (dv == 0 && !j->facts.version_known) {
    j->facts.because = rules_reason(IWARP_REASON_NO_NEGOTIATION);
  } else if (dv != 1 && !(dv == 0 && j->facts.version_rdmac)) {
    j->facts.because = rules_reported(RULES_ddp_version);
  }
  return dv == 1 || (dv == 0 && j->facts.version_rdmac);
}

static bool track_rv(struct rules_ctx *j) {
  const uint8_t rv = rules_seg(j)->ctrl.rv;
  if (rv == 0 && !j->facts.version_known) {
    j->facts.because = rules_reason(IWARP_REASON_NO_NEGOTIATION);
  } else if (rv != rulesi_rv_due(j)) {
    j->facts.because =
        rules_reported(rulesi_dv_changed(j) ? RULES_ddp_version_constant : RULES_rdmap_version);
  }
  return rv == rulesi_rv_due(j);
}

/* Whether T and the Queue Number are those of the opcode. */
static bool track_fits(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  const iwarp_rdmap_op *op = j->facts.op;
  return seg->ddp.tagged == op->tagged && (seg->ddp.tagged || seg->ddp.qn == op->qn);
}

/* The rule that reports the first Marker of the FPDU, among its headers. One that reads as the
 * right one may still be none. */
static struct rules_because track_marker_rule(const struct rules_ctx *j) {
  const iwarp_mpa_fpdu *f = &j->ev->u.fpdu.fpdu;
  iwarp_mpa_marker is;
  iwarp_mpa_marker due;
  size_t off;
  if (iwarp_mpa_fpdu_marker(&is, &due, &off, f, f->layout.lead != 0 ? 1u : 0u) != IWARP_OK ||
      (is.reserved == 0 && is.fpduptr == due.fpduptr)) {
    return rules_unreported();
  }
  if (is.reserved != 0) {
    return rules_reported(RULES_mpa_marker_reserved);
  }
  return rules_reported(iwarp_mpa_marker_agrees(&is, &due) ? RULES_mpa_marker_low_bits
                                                           : RULES_mpa_marker_pointer);
}

/* Why a Marker leaves it open what the headers are. */
static struct rules_because track_uncertain(const struct rules_ctx *j) {
  if (rules_own(j)->gapped) {
    return rules_reason(rules_own(j)->gap_reason);
  }
  if (!rules_markers_settled(j)) {
    return rules_reason(IWARP_REASON_NO_NEGOTIATION);
  }
  if (rules_own(j)->markers_said) {
    return rules_own(j)->fault;
  }
  return j->facts.diagnosis == DIAGNOSIS_MARKER_WRONG ? rules_reported(RULES_mpa_marker_period)
                                                      : track_marker_rule(j);
}

/* The rule that reports a header which is not there, though the FPDU is. */
static struct rules_because track_no_header(const struct rules_ctx *j) {
  if (rules_seg(j)->err != IWARP_ERR_DDP_SHORT) {
    return rules_reason(rules_own(j)->gap_reason);
  }
  return rules_reported(j->ev->u.fpdu.fpdu.ulpdu_length == 0 && !j->info->sctp
                            ? RULES_mpa_ulpdu_length_zero
                            : RULES_ddp_header_length);
}

/* The rule that reports an opcode of no message. */
static uint16_t track_opcode_rule(const struct rules_ctx *j) {
  return rules_seg(j)->ctrl.opcode == IWARP_RDMAP_OP_EXPERIMENTAL ? RULES_rdmap_opcode_experimental
                                                                  : RULES_rdmap_opcode;
}

static enum rules_depth track_depth(struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  if (j->facts.other_ppid) {
    j->facts.because = rules_reported(RULES_sctp_ppid);
    return DEPTH_NONE;
  }
  if (!track_framed(j)) {
    return DEPTH_NONE;
  }
  if (j->info->sctp && rulesi_sctp_ppid_unknown(j)) {
    j->facts.because = rules_reason(IWARP_REASON_SNAPLEN);
    return DEPTH_NONE;
  }
  if (!seg->has_ddp) {
    j->facts.because = track_no_header(j);
    return DEPTH_FRAME;
  }
  if (!track_dv(j)) {
    return DEPTH_FRAME;
  }
  j->facts.op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  if (!track_rv(j)) {
    return DEPTH_HEADER;
  }
  if (!j->facts.op->assigned) {
    j->facts.because = rules_reported(track_opcode_rule(j));
    return DEPTH_HEADER;
  }
  if (j->facts.headers_uncertain) {
    j->facts.because = track_uncertain(j);
    return DEPTH_HEADER;
  }
  if (!track_fits(j)) {
    j->facts.because =
        rules_reported(seg->ddp.tagged != j->facts.op->tagged ? RULES_rdmap_tagged_flag
                                                              : RULES_rdmap_queue_number);
    return DEPTH_OPCODE;
  }
  return DEPTH_MESSAGE;
}

/*
 * DDP's sequences hold whatever the opcode is, as long as nothing says that T or the Queue Number
 * are wrong: a version that may be right or wrong lets the opcode say so.
 */
static bool track_in_sequence(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  const bool in_slot = seg->ddp.tagged || seg->ddp.qn < RULES_SLOT_TAGGED;
  return in_slot && (j->facts.because.reason == 0 || !j->facts.op->assigned || track_fits(j));
}

/* After a Terminate there is nothing to follow any more. */
static bool track_placed(const struct rules_ctx *j) {
  return (!rules_own(j)->terminated || rules_terminate_goes_on(j)) && !j->facts.headers_uncertain &&
         (j->facts.depth == DEPTH_MESSAGE ||
          (j->facts.depth == DEPTH_HEADER && track_in_sequence(j)));
}

/* RsvdULP is that of an Untagged message with this opcode and Invalidate STag. */
static bool track_same_rsvdulp(uint8_t opcode, uint32_t stag, const iwarp_rdmap_seg *seg) {
  const bool invalidates = iwarp_rdmap_op_get(opcode)->invalidates;
  return seg->ctrl.opcode == opcode && (!invalidates || seg->ddp.rsvdulp_word == stag);
}

static enum rules_step track_step_open(const struct rules_slot *s, const iwarp_rdmap_seg *seg) {
  const bool same = track_same_rsvdulp(s->opcode, s->stag, seg);
  const bool other = s->label_changed && track_same_rsvdulp(s->opcode_other, s->stag_other, seg);
  const bool known = seg->ddp.msn == s->msn || (s->msn_changed && seg->ddp.msn == s->msn_other);
  if (!known && seg->ddp.mo != 0) {
    return s->learnt ? STEP_LEARN : STEP_MSN_CHANGE;
  }
  if (!known) {
    return STEP_RESTART;
  }
  if (seg->ddp.mo != s->next) {
    return STEP_MO_JUMP;
  }
  return same || other ? STEP_CONTINUE : STEP_OP_CHANGE;
}

/* Whether a segment that could not be placed may have begun the message of this one. */
static bool track_begun_elsewhere(const struct rules_slot *s, const iwarp_rdmap_seg *seg) {
  return seg->ddp.mo != 0 && seg->ddp.msn - (s->msn + 1u) < s->slack;
}

/* Where octets were missing, a message whose beginning was among them may go on after others. */
static enum rules_step track_step_closed(const struct rules_slot *s, const iwarp_rdmap_seg *seg) {
  const bool holed = s->holed || (!s->start_seen && s->mo_top != 0);
  if (holed && seg->ddp.msn == s->msn && !seg->ddp.last) {
    return STEP_AFTER_LAST; /* its L was, or may have been, sent too early */
  }
  if (seg->ddp.mo == 0) {
    return STEP_START;
  }
  if (seg->ddp.msn == s->msn && s->next != 0) {
    return s->unended && seg->ddp.mo == s->next ? STEP_CONTINUE : STEP_AFTER_LAST;
  }
  return s->learnt || track_begun_elsewhere(s, seg) ? STEP_LEARN : STEP_START;
}

static enum rules_step track_step_untagged(const struct rules_slot *s, const iwarp_rdmap_seg *seg) {
  switch (s->state) {
  case SLOT_UNKNOWN: return STEP_LEARN;
  case SLOT_FRESH: return track_begun_elsewhere(s, seg) ? STEP_LEARN : STEP_START;
  case SLOT_CLOSED: return track_step_closed(s, seg);
  case SLOT_OPEN: return track_step_open(s, seg);
  }
  return STEP_LEARN;
}

/* STag and TO of an empty segment mean nothing: after one only the opcode tells whether the next
 * belongs to its message. RFC 5041 5.2 */
static enum rules_step track_step_after_empty(const struct rules_slot *s,
                                              const iwarp_rdmap_seg *seg) {
  if (seg->ctrl.opcode == s->opcode) {
    return STEP_LEARN;
  }
  return s->interrupted ? STEP_START : STEP_TAGGED_IN_TAGGED;
}

/* Where a message has ended with L before all of its octets had come, these may come then. */
static enum rules_step track_step_tagged_closed(const struct rules_side *own,
                                                const iwarp_rdmap_seg *seg) {
  const struct rules_slot *s = &own->slots[RULES_SLOT_TAGGED];
  const bool late = s->holed && !seg->ddp.last && seg->ctrl.opcode == s->opcode &&
                    seg->ddp.stag == s->stag && rulesi_order_lacks(own, seg);
  return late ? STEP_AFTER_LAST : STEP_START;
}

static enum rules_step track_step_tagged(const struct rules_side *own, const iwarp_rdmap_seg *seg) {
  const struct rules_slot *s = &own->slots[RULES_SLOT_TAGGED];
  if (s->state != SLOT_OPEN) {
    return s->state == SLOT_UNKNOWN ? STEP_LEARN : track_step_tagged_closed(own, seg);
  }
  if (s->next_unknown) {
    return track_step_after_empty(s, seg);
  }
  const bool changed = s->label_changed;
  const bool same_stag = seg->ddp.stag == s->stag || (changed && seg->ddp.stag == s->stag_other);
  const bool same_opcode =
      seg->ctrl.opcode == s->opcode || (changed && seg->ctrl.opcode == s->opcode_other);
  const bool in_place = same_stag && seg->ddp.to == s->next;
  if (s->interrupted && !in_place) {
    return STEP_START; /* that message is left unfinished, which was said */
  }
  if (!same_opcode) {
    return in_place ? STEP_OP_CHANGE : STEP_TAGGED_IN_TAGGED;
  }
  if (in_place ||
      seg->payload_len == 0) { /* STag and TO of an empty segment mean nothing: RFC 5041 5.2 */
    return STEP_CONTINUE;
  }
  if (same_stag) {
    return STEP_TO_JUMP;
  }
  return seg->ddp.to == s->next ? STEP_STAG_CHANGE : STEP_RESTART;
}

static void track_place(struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  const iwarp_rdmap_seg *seg = rules_seg(j);
  const bool tagged = seg->ddp.tagged;
  j->facts.slot = tagged ? RULES_SLOT_TAGGED : (uint8_t)seg->ddp.qn;
  const struct rules_slot *slot = &own->slots[j->facts.slot];
  if (rulesi_aside_resumes(&own->aside, j->facts.slot, seg)) {
    j->facts.step = STEP_RESUME;
  } else {
    j->facts.step = tagged ? track_step_tagged(own, seg) : track_step_untagged(slot, seg);
  }
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    j->facts.other_open =
        j->facts.other_open ||
        (i != j->facts.slot && own->slots[i].state == SLOT_OPEN && !own->slots[i].interrupted);
  }
}

/*
 * A startup frame that is the beginning of its stream, or after octets that were all seen, is one.
 * Elsewhere payload, or Private Data, may look like it, but for a Reply that acknowledges to its
 * end a Request that is the first of what was seen of its stream.
 */
static void track_startup_sure(struct rules_ctx *j) {
  const iwarp_observer_side *own = &j->info->side[j->ev->side];
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  const bool answers = own->key == IWARP_MPA_KEY_REPLY && peer->has_startup &&
                       peer->key == IWARP_MPA_KEY_REQUEST && rules_other(j)->startup_leads &&
                       j->ev->first.peer_pos == peer->startup_end;
  struct rules_side *side = rules_own_state(j);
  const bool whole = own->start_known && !side->gapped;
  side->startup_leads = whole || j->ev->pos == own->start;
  if (answers) {
    rules_other_state(j)->startup_sure = true;
    rules_other_state(j)->private_end = 0;
  }
  side->startup_sure = answers || whole;
  side->private_end = 0;
  if (!side->startup_sure) {
    side->private_end = j->ev->pos + IWARP_MPA_PRIVATE_DATA_MAX; /* it may lie in some */
    const uint32_t reason = side->gapped ? side->gap_reason : IWARP_REASON_MID_STREAM;
    j->facts.unanswered = own->key == IWARP_MPA_KEY_REQUEST && side->startup_leads && !side->gapped;
    j->unconfirmed = j->facts.unanswered ? 0 : reason;
    rulesi_tracker_lose(
        j, rules_reason(reason)); /* FPDUs may be among what is taken for Private Data */
  }
}

/*
 * Where the startup frame of a side may be among octets that are missing, or before the capture,
 * its Private Data may go on after them, up to here: FPDUs may lie in these, right before the first
 * one of the stream.
 */
static void track_private(struct rules_ctx *j) {
  const iwarp_observer_side *own = &j->info->side[j->ev->side];
  const bool begun = own->start_known || j->info->side[rules_peer(j)].has_startup;
  const bool gap = j->ev->kind == IWARP_EVENT_GAP;
  const bool inside = !rules_own(j)->moved && !own->start_known; /* as the capture begins */
  if ((inside || (gap && begun)) && !own->has_startup && !j->info->sctp) {
    const uint64_t missing = gap ? j->ev->len : 0;
    rules_own_state(j)->private_end = j->ev->pos + missing + IWARP_MPA_PRIVATE_DATA_MAX;
  }
}

/* Octets that are no FPDU, and what is judged after them, may be some of one that is longer than
 * the observer could hold. */
static void track_limit(struct rules_ctx *j) {
  const uint32_t kinds =
      1u << IWARP_EVENT_UNDECODABLE | 1u << IWARP_EVENT_GAP | 1u << IWARP_EVENT_END;
  if ((kinds & 1u << j->ev->kind) != 0 && (j->info->limits & IWARP_LIMIT_ULPDU) != 0) {
    j->unconfirmed = IWARP_REASON_LIMIT;
  }
  if ((j->ev->kind == IWARP_EVENT_FPDU && j->ev->last.differ) || rulesi_differ_shallow(j->ev)) {
    j->unconfirmed = IWARP_REASON_OCTETS_DIFFER;
  }
}

/* Requests and their answers may be among what PD_Length takes for Private Data. */
static void track_swallowed(struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  const bool missing =
      own->swallowed == SWALLOWED_UNKNOWN || rules_is_open(&own->docket, QUESTION_PD_INCOMPLETE);
  if (rules_pd_in_doubt(own)) {
    rulesi_tracker_lose(j, missing ? rules_reason(own->gap_reason) : track_pd_because(j));
  }
}

/* Why the segment has no place, although its headers are right. */
static void track_unplaced(struct rules_ctx *j) {
  if (rules_own(j)->terminated && !rules_terminate_goes_on(j) && j->facts.because.reason == 0 &&
      j->facts.because.rule == 0) {
    const bool another = rules_opcode(j) == IWARP_RDMAP_OP_TERMINATE;
    j->facts.because =
        rules_reported(another ? RULES_rdmap_terminate_single : RULES_rdmap_terminate_final);
  }
}

static void track_classify(struct rules_ctx *j) {
  const iwarp_observer_side *reply = rulesi_reply(j);
  track_private(j);
  track_limit(j);
  if (j->ev->kind == IWARP_EVENT_STARTUP) {
    track_startup_sure(j);
  } else if (j->ev->kind == IWARP_EVENT_GAP) {
    const bool cut = j->ev->u.gap == IWARP_GAP_SNAPLEN;
    rules_own_state(j)->gap_reason = cut ? IWARP_REASON_SNAPLEN : IWARP_REASON_GAP;
  }
  rulesi_swallowed_classify(j);
  track_swallowed(j);
  j->facts.version_known = reply != NULL;
  j->facts.version_rdmac = reply != NULL && reply->rev == 0;
  if (j->ev->kind == IWARP_EVENT_UNDECODABLE) {
    rulesi_diagnose(j);
  }
  const bool segment = j->ev->kind == IWARP_EVENT_SCTP_SEGMENT;
  j->facts.other_ppid =
      (segment || j->ev->kind == IWARP_EVENT_SCTP_MESSAGE) && rulesi_sctp_other_ppid(j);
  if (j->ev->kind != IWARP_EVENT_FPDU && !segment) {
    return;
  }
  track_join(j);
  track_phase(j);
  track_unmarked(j);
  if (!segment) {
    rulesi_diagnose(j);
  }
  j->facts.depth = track_depth(j);
  j->facts.placed = track_placed(j);
  if (!j->facts.placed) {
    track_unplaced(j);
  }
  if (j->facts.placed) {
    if (j->facts.depth == DEPTH_MESSAGE) {
      rulesi_reads_response_over(j);
    }
    track_place(j);
    j->facts.resumes = rulesi_reads_resume(j);
    rulesi_order_classify(j);
  }
}

void rulesi_tracker_classify(struct rules_ctx *j) {
  track_classify(j);
  rulesi_diagnose_framing(j);
  j->facts.ssn_used = rulesi_sctp_ssn_used(j);
  j->facts.aside = rulesi_aside_tells(j);
}

/* ---- after the rules ---- */

/* The segment as the last one of its slot. */
static void track_last(struct rules_slot *s, const iwarp_ddp_hdr *ddp, size_t payload_len) {
  s->slack = 0;
  s->mo_top = !ddp->tagged && ddp->mo > s->mo_top ? ddp->mo : s->mo_top;
  s->total += payload_len;
  s->next = (ddp->tagged ? ddp->to : ddp->mo) + payload_len;
}

/* A message that has had two MSNs may go on under either. */
static void track_msn(struct rules_slot *s, bool starts, uint32_t msn) {
  if (starts) {
    s->msn_changed = false;
  } else if (msn != s->msn) {
    s->msn_changed = true;
    s->msn_other = s->msn;
  }
  s->msn = msn;
}

/* A message that has had two opcodes or STags may go on under either. */
static void track_label(struct rules_slot *s, bool starts, const iwarp_ddp_hdr *ddp,
                        uint8_t opcode) {
  const uint32_t stag = ddp->tagged ? ddp->stag : ddp->rsvdulp_word;
  if (starts) {
    s->label_changed = false;
  } else if (opcode != s->opcode || stag != s->stag) {
    s->label_changed = true;
    s->opcode_other = s->opcode;
    s->stag_other = s->stag;
  }
  s->opcode = opcode;
  s->stag = stag;
}

/* Whether the segment belongs before the last one of its message, which has come. */
static bool track_straggles(const struct rules_slot *s, const struct rules_facts *facts,
                            const iwarp_rdmap_seg *seg) {
  return facts->step == STEP_AFTER_LAST && (seg->ddp.tagged || seg->ddp.mo != s->next);
}

/* Whether the segment belongs to the message under way, whose segments were all seen. */
static bool track_goes_on(const struct rules_slot *s, const struct rules_facts *facts) {
  return facts->step == STEP_CONTINUE || facts->step == STEP_RESUME ||
         facts->step == STEP_AFTER_LAST || (facts->step == STEP_LEARN && rules_slot_hidden(s));
}

/* Whether the segment ends its message, of which octets are missing: a finding says so. */
static bool track_holed(const struct rules_ctx *j) {
  const iwarp_ddp_hdr *ddp = &rules_seg(j)->ddp;
  const bool late = j->facts.step == STEP_START && !ddp->tagged && ddp->mo != 0;
  return rulesi_ends_message(j) && (j->facts.order == ORDER_HOLES || late);
}

static void track_slot(struct rules_slot *s, const struct rules_ctx *j) {
  const struct rules_facts *facts = &j->facts;
  const iwarp_rdmap_seg *seg = rules_seg(j);
  const bool starts = facts->step == STEP_START || facts->step == STEP_RESTART ||
                      facts->step == STEP_TAGGED_IN_TAGGED;
  if (track_straggles(s, facts, seg)) {
    return;
  }
  s->interrupted = s->interrupted && !starts && facts->step != STEP_LEARN;
  const bool hidden = rules_slot_hidden(s);
  if (starts) {
    s->start_seen = true;
    s->total = 0;
    s->learnt = false;
    s->unordered = false;
    s->unended = false;
  } else if (!track_goes_on(s, facts)) {
    s->start_seen = false;
  }
  s->mo_top = starts || facts->step == STEP_LEARN ? 0 : s->mo_top;
  /* a Tagged segment that was not placed may have begun the message */
  const bool begins = starts && (!seg->ddp.tagged || s->slack == 0);
  s->hollow = seg->payload_len == 0 && !seg->ddp.last && (begins || s->hollow);
  track_msn(s, starts || facts->step == STEP_LEARN, seg->ddp.msn);
  const bool empty = seg->ddp.tagged && seg->payload_len == 0;
  if (!empty || facts->step != STEP_CONTINUE || s->next_unknown) {
    track_label(s, starts || facts->step == STEP_LEARN, &seg->ddp, seg->ctrl.opcode);
    track_last(s, &seg->ddp, seg->payload_len);
    s->next_unknown = empty;
  } /* else STag and TO mean nothing, and what is due is as before */
  const bool unended = s->unended && facts->step != STEP_LEARN;
  s->unended =
      !seg->ddp.last && (unended || rulesi_fills_message(j) || facts->step == STEP_AFTER_LAST);
  s->state = rulesi_ends_message(j) || s->unended ? SLOT_CLOSED : SLOT_OPEN;
  s->holed = track_holed(j);
  if (facts->step == STEP_LEARN && !hidden) {
    s->learnt = true;
    s->slack = !seg->ddp.tagged && seg->ddp.mo != 0 ? 1 : 0; /* one may have begun before its end */
  }
}

/* False: there is no memory for another header. */
RULES_RARE static bool track_header_room(const struct rules_tracker *track,
                                         struct rules_side *own) {
  struct rules_header *headers =
      rulesi_grow(track->pool, own->headers, &own->headers_cap, (uint32_t)own->num_headers,
                  own->headers_max, sizeof(own->headers[0]));
  own->headers = headers != NULL ? headers : own->headers;
  own->headers_lost = own->headers_lost || headers == NULL;
  if (headers == NULL) {
    rules_because_add(&own->headers_because, rules_reason(IWARP_REASON_LIMIT));
  }
  return headers != NULL;
}

/* Where the next header is kept, in the end in place of the oldest one; NULL: there is no memory
 * for it. */
static inline struct rules_header *track_header_next(const struct rules_tracker *track,
                                                     struct rules_side *own) {
  const bool full = own->num_headers >= own->headers_cap;
  if (full && own->num_headers < own->headers_max && !track_header_room(track, own)) {
    return NULL;
  }
  if (own->num_headers >= own->headers_max) {
    rulesi_forget(track, own);
  }
  return &own->headers[own->num_headers++ & (own->headers_max - 1u)];
}

static void track_header(struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  struct rules_header *h = track_header_next(j->track, rules_own_state(j));
  if (h != NULL) {
    size_t len = 0;
    h->end = (uint16_t)((j->ev->pos + j->ev->len) >> 2);
    iwarp_ddp_hdr_encode(h->octets, sizeof(h->octets), &len, &f->seg.ddp);
    h->ulpdu_length = f->fpdu.ulpdu_length;
  }
}

_Static_assert(IWARP_DDP_TAGGED_LEN + IWARP_MPA_CRC_LEN >= IWARP_DDP_UNTAGGED_LEN,
               "a whole FPDU has octets for either header");

/* Always as many octets are copied as the longer header has: a number that is known is fast. */
static void track_fpdu_header(const struct rules_tracker *track, struct rules_side *own,
                              const iwarp_observer_fpdu *restrict f) {
  struct rules_header *h = track_header_next(track, own);
  if (h != NULL) {
    h->end = (uint16_t)((f->pos + f->wire.len) >> 2);
    const uint8_t *from = f->wire.ptr + IWARP_MPA_LENGTH_LEN; /* bound: an FPDU with its header */
    memcpy(h->octets, from, IWARP_DDP_UNTAGGED_LEN);
    h->ulpdu_length = f->ulpdu_length;
  }
}

/*
 * A segment that cannot be placed may have been part of a message under way, or a message of its
 * own that took an MSN.
 */
static void track_misplaced(struct rules_side *own) {
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    struct rules_slot *s = &own->slots[i];
    if (s->state == SLOT_OPEN) {
      s->state = SLOT_UNKNOWN;
    }
    s->slack++;
  }
  own->response.known = false;
}

/* The segment has a whole Terminate Header, and that announces no others. */
static bool track_terminate_bare(const iwarp_rdmap_seg *seg) {
  const iwarp_rdmap_term *t = &seg->u.term;
  return seg->kind == IWARP_RDMAP_KIND_TERM && seg->ddp.mo == 0 && t->reserved == 0 && !t->m &&
         !t->d && !t->r;
}

/* Keeps what the first Terminate of a side over SCTP returns, if its end is to decide. */
static void track_returned(struct rules_ctx *j) {
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
static void track_terminate(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  if (!own->terminated) {
    own->terminated = true; /* it may cut any message: RFC 5040 5.4 */
    own->terminate_sure = rules_start_sure(j);
    own->terminate_packet = j->ev->last.packet;
    own->terminate_bare = track_terminate_bare(rules_seg(j));
    track_returned(j);
  }
  own->terminate_whole = rules_seg(j)->ddp.last;
}

/* Of a message that is left unfinished ddp.message-order speaks once. */
static void track_interrupt(struct rules_ctx *j) {
  for (unsigned i = 0; j->facts.step == STEP_START && i < RULES_SLOTS; i++) {
    struct rules_slot *s = &rules_own_state(j)->slots[i];
    s->interrupted = s->interrupted || (i != j->facts.slot && s->state == SLOT_OPEN);
  }
}

static void track_message(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const bool goes_on = rules_terminate_goes_on(j);
  if (j->facts.depth == DEPTH_MESSAGE) {
    rulesi_reads_update(j);
  } else {
    rulesi_reads_invalidate(j);
  }
  rulesi_aside_set(j);
  if (j->facts.step == STEP_RESUME) {
    rulesi_aside_exchange(own);
  }
  track_slot(&own->slots[j->facts.slot], j);
  rulesi_aside_unmix(j);
  rulesi_order_update(j);
  track_interrupt(j);
  if (goes_on || (j->facts.depth == DEPTH_MESSAGE && !own->terminated &&
                  rules_seg(j)->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE)) {
    track_terminate(j);
  }
}

/* Whether all FPDUs of the side so far have a wrong CRC, beginning with the first: nobody can have
 * validated one. */
static bool track_first_invalid(const struct rules_ctx *j) {
  const bool bad = j->ev->u.fpdu.crc == IWARP_CRC_BAD && !j->ev->last.damaged &&
                   rules_settled(j, j->info->crc_by);
  return bad && (j->facts.first ? !rulesi_crc_explained(j) : rules_own(j)->first.invalid);
}

static void track_fpdu(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  rulesi_refused_update(j);
  if (f->crc == IWARP_CRC_GOOD) {
    own->start_unconfirmed = false;
    own->crc_unconfirmed = false;
  }
  const bool bad = f->crc == IWARP_CRC_BAD && !rulesi_differ_shallow(j->ev);
  own->crc_unconfirmed = own->crc_unconfirmed || bad;
  if (bad) {
    own->unframed = true;
    track_fault(own);
  }
  own->start_unconfirmed = own->start_unconfirmed ||
                           (rulesi_fault_of(j)->leaves & LEAVES_START) != 0 ||
                           f->seg.err == IWARP_ERR_DDP_SHORT;
  if (f->seg.err == IWARP_ERR_DDP_SHORT) {
    own->fault = j->facts.because.rule != 0 ? j->facts.because : rules_unreported();
  }
  own->first.invalid = track_first_invalid(j);
  if (j->facts.first) {
    const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
    own->first_event = *j->ev;
    rules_open(&own->docket, QUESTION_FPDU_FIRST,
               own->startup_sure && j->info->side[j->ev->side].role == IWARP_ROLE_INITIATOR &&
                   !peer->has_startup &&
                   (!peer->start_known || j->ev->first.peer_pos > peer->start));
  }
  if (j->facts.depth == DEPTH_NONE || !f->seg.has_ddp) {
    rulesi_tracker_lose(j, j->facts.because);
    return;
  }
  own->terminate_alike = own->terminate_alike || rules_opcode(j) == IWARP_RDMAP_OP_TERMINATE;
  if (j->facts.headers_uncertain) {
    rulesi_tracker_lose(j, j->facts.because);
    return;
  }
  track_header(j);
  own->has_version = j->facts.depth >= DEPTH_HEADER && (j->info->sctp || rules_start_sure(j));
  own->dv = f->seg.ddp.dv;
  if (j->facts.placed) {
    track_message(j);
  } else if (!own->terminated) {
    track_fault(own);
    rulesi_reads_invalidate(j);
    rulesi_order_drop(j, 0);
    track_misplaced(own);
  }
}

/* PD_Length cannot be right, and another rule says so: what follows the frame is no news. */
static bool track_pd_reported(const iwarp_mpa_startup *frame) {
  const bool enhanced = (frame->flags & IWARP_MPA_FLAG_S) != 0 && frame->rev >= 2;
  return frame->pd_length > IWARP_MPA_PRIVATE_DATA_MAX ||
         (enhanced && frame->pd_length < IWARP_MPA_ENHANCED_LEN);
}

static void track_startup(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  own->startup_packet = j->ev->last.packet;
  own->pd_reported = track_pd_reported(&j->ev->u.startup.frame);
  rules_open(&own->docket, QUESTION_PD_SHORT,
             own->startup_sure && !rules_pd_in_doubt(own) &&
                 j->ev->u.startup.key != IWARP_MPA_KEY_UNKNOWN &&
                 j->ev->u.startup.err == IWARP_ERR_MPA_PD_LENGTH &&
                 !j->info->side[j->ev->side].gap);
  own->startup_event = *j->ev;
  if (j->ev->last.differ) { /* what the connection goes by may be the same in both copies */
    own->startup_event.last.damaged = j->ev->head_last.differ;
  }
  rules_open(&own->docket, QUESTION_REPLY_FIRST,
             own->startup_sure && j->ev->u.startup.is_reply && !peer->has_startup &&
                 !j->ev->last.damaged);
}

/* Octets right after a Request that nothing has answered wait: mpa.pd-length-match. */
static void track_run(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_observer_side *side = &j->info->side[j->ev->side];
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  if (rulesi_startup_followed(j) && !side->is_reply && !peer->has_startup) {
    rules_open(&own->docket, QUESTION_REQUEST_FOLLOWED, true);
    own->stray_event = *j->ev;
  }
  const bool searched = j->ev->u.undecodable == IWARP_UNDEC_NO_BOUNDARY && own->gapped;
  rulesi_tracker_lose(j, searched ? rules_reason(own->gap_reason) : own->fault);
}

/* A Session Control message that fits no legal sequence, or is none: it may stand for a segment,
 * and the session is to end. RFC 5043 6.1 */
static bool track_illegal(const iwarp_ev_sctp_message *m) {
  return m->has_control && m->has_ssn && m->kind != IWARP_SCTP_KIND_TERMINATE &&
         (m->reason == IWARP_SCTP_REASON_SEQUENCE || m->reason == IWARP_SCTP_REASON_FUNCTION);
}

/* A message over SCTP that has no place, or another PPID. If it is a segment, its receiver may have
 * taken it or not. */
static void track_refused(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const iwarp_ev_sctp_message *m = rulesi_sctp_message(j);
  const bool segment = m->captured->ppid == IWARP_SCTP_PPID_SEGMENT;
  if (j->ev->last.differ) {
    rulesi_tracker_lose(j, rules_reason(IWARP_REASON_OCTETS_DIFFER)); /* a segment in one copy */
  } else if (!j->facts.other_ppid && track_illegal(m)) {
    rulesi_tracker_lose(j, rulesi_sctp_lossless(j) && !m->inconclusive
                               ? rules_reported(RULES_sctp_session_order)
                               : rules_reason(own->gap_reason));
  } else if (segment || j->facts.other_ppid) {
    own->first.seen = own->first.seen || segment != j->facts.other_ppid;
    rulesi_tracker_lose(j, j->facts.other_ppid ? rules_reported(RULES_sctp_ppid)
                                               : rules_reason(own->gap_reason));
  }
}

/* So do octets with which the stream ends. */
static void track_run_ends(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  if (!j->info->side[j->ev->side].is_reply && rulesi_framing_surplus(j) == IWARP_TRISTATE_UNKNOWN) {
    rules_open(&own->docket, QUESTION_REQUEST_FOLLOWED, !rules_peer_known(j, j->ev->side));
    own->stray_event = rulesi_framing_run(&own->framing, j->ev->side);
  }
}

/* What was waiting for the start of the other side is judged once that is known. */
static void track_end(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  rules_open(&own->docket, QUESTION_PD_SHORT_ENDED,
             rules_answers(j, j->ev->side, QUESTION_PD_SHORT) && j->ev->u.end == IWARP_END_FIN &&
                 !j->info->side[j->ev->side].gap && !rules_other(j)->moved &&
                 !j->info->side[rules_peer(j)].start_known);
  own->pd_received = j->ev->first.peer_pos;
}

void rulesi_tracker_update(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  const uint64_t end = j->ev->pos + j->ev->len;
  rulesi_diagnosis_leaves(j);
  rulesi_aside_update(j);
  track_run_ends(j);
  rulesi_framing_update(j);
  rulesi_markers_update(j);
  if (j->ev->sctp != NULL) {
    rulesi_sctp_update(j);
  }
  switch (j->ev->kind) {
  case IWARP_EVENT_STARTUP: track_startup(j); break;
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: track_fpdu(j); break;
  case IWARP_EVENT_SCTP_INIT: return;
  case IWARP_EVENT_SCTP_MESSAGE: track_refused(j); break;
  case IWARP_EVENT_GAP:
    own->gapped = true;
    own->gap_end = end;
    if (!rules_gap_inside(j)) {
      rulesi_tracker_lose(j, rules_reason(own->gap_reason));
    }
    break;
  case IWARP_EVENT_UNDECODABLE:
    own->unframed = true;
    track_run(j);
    break;
  case IWARP_EVENT_STREAMING:
    own->key_begun = !own->streamed && rulesi_framing_key_begun(j->ev->head);
    own->streamed = true;
    own->stray_event = *j->ev;
    break;
  case IWARP_EVENT_END: track_end(j); return;
  }
  if (!own->moved || end > own->end) {
    own->moved = true;
    own->end = end;
    own->doubted = false;
    rules_other_state(j)->refused.heard = false;
  }
}

RULES_APART static void track_fpdu_passed(struct rules_tracker *track,
                                          const iwarp_observer_fpdu *f) {
  rulesi_reads_passed(track, &(struct rules_passing){.side = f->side,
                                                     .opcode = f->opcode,
                                                     .received = f->meta.peer_pos,
                                                     .pos = f->pos,
                                                     .end = f->pos + f->wire.len});
}

/* The slot of an ordinary segment. */
RULES_APART static void track_ordinary_slot(struct rules_slot *s,
                                            const iwarp_observer_fpdu *restrict f) {
  const bool starts = s->state != SLOT_OPEN;
  if (starts) {
    s->start_seen = true;
    s->unordered = false;
    s->interrupted = false;
    s->learnt = false;
    s->unended = false;
    s->mo_top = 0;
    s->total = 0;
  }
  s->hollow = false;
  s->holed = false;
  s->next_unknown = false;
  track_msn(s, starts, f->ddp.msn);
  track_label(s, starts, &f->ddp, f->opcode);
  track_last(s, &f->ddp, f->payload_len);
  s->state = f->ddp.last ? SLOT_CLOSED : SLOT_OPEN;
}

/* What rulesi_tracker_update does for its event: all else is as the segment before it left it. */
RULES_APART void rulesi_tracker_ordinary(struct rules_tracker *track, struct rules_side *own,
                                         const iwarp_observer_fpdu *restrict f) {
  struct rules_side *other = &track->side[1u - f->side];
  own->end = f->pos + f->wire.len;
  other->refused.heard = false;
  rulesi_refused_heard(own, other, f->meta.peer_pos);
  rulesi_framing_fpdu_update(&own->framing, f);
  track_fpdu_header(track, own, f);
  if (own->requests.num + other->requests.num != 0) {
    track_fpdu_passed(track, f);
  }
  track_ordinary_slot(&own->slots[f->ddp.tagged ? RULES_SLOT_TAGGED : IWARP_RDMAP_QN_SEND], f);
}
