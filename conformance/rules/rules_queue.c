/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on how segments follow each other: MSN, MO, TO, STag, RsvdULP, L, and the end: RFC 5041
 * 4.2, 4.3, 5.2, 5.3, 6.2.1. */
#include "catalog.h"
#include "evidence.h"
#include "order.h"
#include "requests.h"

static const struct rules_slot *queue_slot(const struct rules_ctx *j) {
  return &rules_own(j)->messages.slots[j->facts.slot];
}

static bool queue_untagged(const struct rules_ctx *j) {
  return rules_seg(j)->has_ddp && !rules_seg(j)->ddp.tagged && rulesi_need_place(j);
}

static bool queue_tagged(const struct rules_ctx *j) {
  return rules_seg(j)->has_ddp && rules_seg(j)->ddp.tagged && rulesi_need_place(j);
}

static bool queue_unknown(const struct rules_ctx *j) {
  if (j->facts.step != STEP_LEARN) {
    return false;
  }
  if (!rules_slot_hidden(queue_slot(j))) {
    rulesi_inconclusive(j, rulesi_missing(j, j->ev->side));
  }
  return true;
}

/* MSN is `due`, or beyond it by no more than the segments that may have taken one but could not be
 * placed; or it follows the other MSN of a message that had two. */
static bool queue_in_turn(const struct rules_ctx *j, uint32_t due) {
  const struct rules_slot *slot = queue_slot(j);
  const uint32_t msn = rules_seg(j)->ddp.msn;
  return msn - due <= slot->unplaced || (slot->msn_changed && msn == slot->msn_other + 1u);
}

/* A Terminate has a rule of its own. */
void iwarp_rule_ddp_msn_first(const struct rules_ctx *j) {
  const uint32_t msn = rules_seg(j)->ddp.msn;
  if (!queue_untagged(j) || j->facts.slot == IWARP_RDMAP_QN_TERMINATE ||
      queue_slot(j)->state != SLOT_FRESH) {
    return;
  }
  rulesi_check_field(j, queue_in_turn(j, 1), IWARP_FIELD_DDP_UNTAGGED_MSN, rulesi_uint(1),
                     rulesi_uint(msn));
}

void iwarp_rule_ddp_msn_sequence(const struct rules_ctx *j) {
  const uint32_t msn = rules_seg(j)->ddp.msn;
  if (!queue_untagged(j) || queue_unknown(j) || j->facts.step != STEP_START ||
      queue_slot(j)->state != SLOT_CLOSED) {
    return;
  }
  const uint32_t due = queue_slot(j)->msn + 1u; /* 0xffffffff is followed by 0 */
  rulesi_check_field(j, queue_in_turn(j, due), IWARP_FIELD_DDP_UNTAGGED_MSN, rulesi_uint(due),
                     rulesi_uint(msn));
}

void iwarp_rule_ddp_msn_constant(const struct rules_ctx *j) {
  if (!queue_untagged(j) || queue_slot(j)->state != SLOT_OPEN || j->facts.step == STEP_RESTART ||
      j->facts.step == STEP_LEARN) {
    return;
  }
  rulesi_check_field(j, j->facts.step != STEP_MSN_CHANGE, IWARP_FIELD_DDP_UNTAGGED_MSN,
                     rulesi_uint(queue_slot(j)->msn), rulesi_uint(rules_seg(j)->ddp.msn));
}

/*
 * A segment that follows the one before passes. Others may supply the octets that it skips, so it
 * is judged when the message ends. The rule fails if octets are left out or come twice.
 */
static void queue_in_order(const struct rules_ctx *j, bool follows) {
  if (rulesi_order_mine(j)) {
    rulesi_order_fail(j);
  } else if (follows) {
    rulesi_pass(j);
  } else if (j->facts.order_reason != 0) {
    rulesi_inconclusive(j, j->facts.order_reason);
  }
}

/* Of a message of one segment MO tells at once. */
void iwarp_rule_ddp_mo_first(const struct rules_ctx *j) {
  const uint32_t mo = rules_seg(j)->ddp.mo;
  if (!queue_untagged(j)) {
    return;
  }
  if (j->facts.step == STEP_LEARN && mo != 0) {
    rulesi_inconclusive(j, rulesi_missing(j, j->ev->side));
    return;
  }
  if (j->facts.step == STEP_START && (mo == 0 || rulesi_ends_message(j))) {
    rulesi_check_field(j, mo == 0, IWARP_FIELD_DDP_UNTAGGED_MO, rulesi_uint(0), rulesi_uint(mo));
  } else if (j->facts.step == STEP_START || rulesi_order_mine(j)) {
    queue_in_order(j, false);
  }
}

void iwarp_rule_ddp_mo_contiguous(const struct rules_ctx *j) {
  if (!queue_untagged(j)) {
    return;
  }
  if (j->facts.step != STEP_START) {
    queue_in_order(j, j->facts.step == STEP_CONTINUE);
  }
}

void iwarp_rule_ddp_to_contiguous(const struct rules_ctx *j) {
  if (!queue_tagged(j) || queue_unknown(j)) {
    return;
  }
  queue_in_order(j, j->facts.step == STEP_CONTINUE);
}

/* The segment with L of a message that is whole has not the highest MO. */
static bool queue_overtaken(const struct rules_ctx *j) {
  const iwarp_ddp_hdr *ddp = &rules_seg(j)->ddp;
  return j->facts.order == ORDER_WHOLE && !ddp->tagged && ddp->mo < queue_slot(j)->mo_top;
}

/* Said of the first segment out of its place, once all octets of its message have come. */
void iwarp_rule_ddp_segment_order(const struct rules_ctx *j) {
  if (!rules_seg(j)->has_ddp || !rulesi_need_place(j)) {
    return;
  }
  if (j->facts.order == ORDER_WHOLE && !queue_overtaken(j)) {
    rulesi_order_fail(j);
  } else if (j->facts.order_reason != 0) {
    rulesi_inconclusive(j, j->facts.order_reason);
  } else if (j->facts.step == STEP_CONTINUE && j->facts.order == ORDER_NOT) {
    rulesi_pass(j);
  }
}

void iwarp_rule_ddp_stag_constant(const struct rules_ctx *j) {
  if (!queue_tagged(j)) {
    return;
  }
  if (j->facts.step == STEP_CONTINUE || j->facts.step == STEP_STAG_CHANGE) {
    rulesi_check_field(j, j->facts.step == STEP_CONTINUE, IWARP_FIELD_DDP_TAGGED_STAG,
                       rulesi_hex(IWARP_VALUE_HEX32, queue_slot(j)->stag),
                       rulesi_hex(IWARP_VALUE_HEX32, rules_seg(j)->ddp.stag));
  }
}

static iwarp_value queue_rsvdulp(uint8_t opcode, uint32_t word) {
  const uint8_t octets[5] = {iwarp_rdmap_ctrl_encode((iwarp_rdmap_ctrl){.rv = 1, .opcode = opcode}),
                             (uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8),
                             (uint8_t)word};
  return rulesi_octets(octets, iwarp_rdmap_op_get(opcode)->tagged ? 1 : sizeof(octets));
}

/* The part of RsvdULP that differs from the message's: its octet, or the Invalidate STag in it. */
static iwarp_field_id queue_rsvdulp_wrong(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  const bool same_stag = seg->ddp.tagged || seg->ddp.rsvdulp_word == queue_slot(j)->stag;
  if (same_stag) {
    return IWARP_FIELD_DDP_TAGGED_RSVDULP;
  }
  return seg->ctrl.opcode == queue_slot(j)->opcode ? IWARP_FIELD_DDP_UNTAGGED_INVALIDATE_STAG
                                                   : IWARP_FIELD_NONE;
}

/* Reserved bits, an unused Invalidate STag and an opcode of no message have rules of their own. */
void iwarp_rule_ddp_rsvdulp_constant(const struct rules_ctx *j) {
  const iwarp_rdmap_seg *seg = rules_seg(j);
  if (!seg->has_ddp || !rulesi_need_place(j) || !j->facts.op->assigned ||
      !iwarp_rdmap_op_get(queue_slot(j)->opcode)->assigned) {
    return;
  }
  if (j->facts.step == STEP_CONTINUE || j->facts.step == STEP_OP_CHANGE) {
    rulesi_check_fields(
        j, j->facts.step == STEP_CONTINUE, queue_rsvdulp_wrong(j), IWARP_FIELD_DDP_TAGGED_RSVDULP,
        seg->ddp.tagged ? IWARP_FIELD_DDP_TAGGED_RSVDULP : IWARP_FIELD_DDP_UNTAGGED_INVALIDATE_STAG,
        queue_rsvdulp(queue_slot(j)->opcode, queue_slot(j)->stag),
        queue_rsvdulp(seg->ctrl.opcode, seg->ddp.rsvdulp_word));
  }
}

static iwarp_value queue_rest(void) {
  return rulesi_text("the rest of the unfinished message");
}

/* Reports the segment that was kept. */
static iwarp_finding *queue_fail_kept(const struct rules_ctx *j, iwarp_value expected,
                                      iwarp_value observed) {
  const struct rules_begun *kept = &rules_own(j)->messages.interrupted.other;
  iwarp_finding *f = rulesi_fail_kept(j, expected, observed);
  f->first = kept->first;
  f->last = kept->last;
  f->pos = kept->pos;
  f->offset = kept->offset;
  return f;
}

/* Two messages of a queue are mixed: reported of the segment that began the second one. */
static void queue_fail_mixed(const struct rules_ctx *j) {
  const struct rules_begun *kept = &rules_own(j)->messages.interrupted.other;
  iwarp_finding *f = queue_fail_kept(j, queue_rest(), rulesi_text(kept->opcode));
  f->octet_pos = kept->header_pos;
  f->octet_len = kept->header_len;
}

/* True if the message under way is a Read Response that may have all of its octets and lack L: how
 * many the Read asked for is not known. */
static bool queue_response_unsized(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  const struct rules_slot *slot = &own->messages.slots[RULES_SLOT_TAGGED];
  const struct rules_response *r = &own->response;
  return slot->state == SLOT_OPEN && slot->opcode == IWARP_RDMAP_OP_READ_RESP &&
         (rules_other(j)->requests.lost || (r->known && !r->request.details));
}

/* A Terminate may cut any message. */
void iwarp_rule_ddp_message_order(const struct rules_ctx *j) {
  if (j->facts.interrupted == INTERRUPTED_ORDER) {
    queue_fail_mixed(j);
    return;
  }
  if (!rules_seg(j)->has_ddp || !rulesi_need_place(j) ||
      rules_seg(j)->ctrl.opcode == IWARP_RDMAP_OP_TERMINATE) {
    return;
  }
  const bool inside = j->facts.other_open || j->facts.step == STEP_TAGGED_IN_TAGGED;
  if (inside && queue_response_unsized(j)) {
    const struct rules_requests *r = &rules_other(j)->requests;
    rulesi_unjudged(j, r->lost ? r->because : rules_reason(rulesi_missing(j, rules_peer(j))));
    return;
  }
  if (j->facts.step == STEP_LEARN) {
    if (inside) {
      rulesi_inconclusive(j, rulesi_missing(j, j->ev->side));
    }
    return;
  }
  if (j->facts.step == STEP_START || j->facts.step == STEP_TAGGED_IN_TAGGED) {
    rulesi_check_header(j, !inside, queue_rest(), rulesi_text(j->facts.op->label));
  }
}

static iwarp_value queue_ending(void) {
  return rulesi_text("a segment with L that ends the message before it");
}

/* The message that was set aside has ended without L. */
static void queue_fail_kept_last(const struct rules_ctx *j) {
  const struct rules_begun *kept = &rules_own(j)->messages.interrupted.other;
  const bool tagged = kept->field == 0;
  iwarp_finding *f = queue_fail_kept(j, tagged ? queue_ending() : rulesi_uint(kept->due),
                                     tagged ? rulesi_text(kept->opcode) : rulesi_uint(kept->msn));
  f->octet_pos = kept->label_pos;
  f->octet_len = kept->label_len;
  f->field = kept->field;
}

/* Why what follows the message that is set aside is not known. */
static uint32_t queue_aside_reason(const struct rules_ctx *j) {
  return j->info->sctp && !j->info->side[j->ev->side].start_known ? IWARP_REASON_MID_STREAM
                                                                  : rules_own(j)->chain.gap_reason;
}

/* What the event says of the message that is set aside. */
static void queue_settle_last(const struct rules_ctx *j) {
  if (j->facts.interrupted == INTERRUPTED_MISSING) {
    queue_fail_kept_last(j);
  } else if (j->facts.interrupted == INTERRUPTED_LOST) {
    rulesi_inconclusive(j, queue_aside_reason(j));
  }
}

/* A message under way of which no finding speaks. A Terminate may cut any other one. */
static const struct rules_slot *queue_unfinished(const struct rules_side *own) {
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    const struct rules_slot *s = &own->messages.slots[i];
    const bool cut = own->terminate.alike && i != IWARP_RDMAP_QN_TERMINATE;
    if (s->state == SLOT_OPEN && !s->interrupted && !cut) {
      return s;
    }
  }
  return NULL;
}

/* True if the side had received that the other one sends no more, or a Terminate in a wrong form:
 * what it does then is no close of its own. */
static bool queue_after_close(const struct rules_ctx *j) {
  const iwarp_observer_side *peer = &j->info->side[rules_peer(j)];
  const bool ended = peer->end != IWARP_END_OPEN &&
                     (peer->end != IWARP_END_FIN || j->ev->first.peer_pos > rules_other(j)->end);
  return ended || rules_other(j)->terminate.alike;
}

/* Nothing of the stream is missing, so that its last FPDU is known. */
static bool queue_end_certain(const struct rules_ctx *j) {
  const iwarp_observer_side *own = &j->info->side[j->ev->side];
  const bool whole = !j->info->sctp || rulesi_session_whole(j);
  if (rules_from_startup(j, j->ev->side) && rules_startups_sure(j) && !j->ev->last.damaged &&
      whole) {
    return true;
  }
  const bool gap = own->gap || j->ev->last.damaged || (j->info->sctp && own->start_known);
  rulesi_inconclusive(j, gap ? rules_own(j)->chain.gap_reason : IWARP_REASON_MID_STREAM);
  return false;
}

/* True if the last segment, after which a message is under way, is known, and has this opcode. */
static bool queue_last_is(const struct rules_side *own, iwarp_rdmap_opcode opcode) {
  const uint32_t last = (uint32_t)(own->headers.num - 1u) & (own->headers.max - 1u);
  return !own->headers.lost &&
         (own->headers.entry[last].octets[1] & IWARP_RDMAP_CTRL_OPCODE) == opcode;
}

/* True if the Terminate with which the stream ends lacks only L. */
static bool queue_terminate_full(const struct rules_side *own) {
  return own->terminate.bare && own->messages.slots[IWARP_RDMAP_QN_TERMINATE].state == SLOT_OPEN &&
         own->messages.slots[IWARP_RDMAP_QN_TERMINATE].start_seen &&
         queue_last_is(own, IWARP_RDMAP_OP_TERMINATE);
}

/* ON if the Read Response with which the stream ends lacks only a segment with L. */
static iwarp_tristate queue_response_full(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  const bool last = queue_unfinished(own) == &own->messages.slots[RULES_SLOT_TAGGED];
  return last && queue_last_is(own, IWARP_RDMAP_OP_READ_RESP) ? rulesi_response_full(own)
                                                              : IWARP_TRISTATE_OFF;
}

/* Over SCTP: true if the side sent its Session Terminate before it had received the other side's.
 * After that one it may stop wherever it is. */
static bool queue_unprompted(const struct rules_ctx *j) {
  const struct rules_sctp *own = &rules_own(j)->sctp;
  const struct rules_sctp *other = &rules_other(j)->sctp;
  const uint64_t received = own->ended_at.peer_pos;
  const bool prompted =
      other->ended && received != IWARP_POS_UNKNOWN && received > other->ended_pos;
  if (!own->unprompted && !prompted) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
  }
  return own->unprompted;
}

/* The same of a session: whether it ended it of its own accord. */
static bool queue_terminates(const struct rules_ctx *j) {
  const struct rules_side *other = rules_other(j);
  if (other->headers.lost) {
    rulesi_inconclusive(j, rulesi_missing(j, rules_peer(j)));
    return false;
  }
  return !other->terminate.alike && queue_unprompted(j);
}

/* True if the side has closed inside of a message of its own accord, and it is known whether that
 * message lacks more than L. */
static bool queue_closed_inside(const struct rules_ctx *j) {
  if (!queue_end_certain(j)) {
    return false;
  }
  const bool stops =
      j->info->sctp ? queue_terminates(j) : rulesi_may_not_stop(j) && !queue_after_close(j);
  if (!stops) {
    return false;
  }
  if (queue_response_full(j) == IWARP_TRISTATE_UNKNOWN) {
    rulesi_inconclusive(j, rules_other(j)->chain.gap_reason);
    return false;
  }
  return true;
}

/* The last segment should have L, whose field this is. */
static void queue_fail_last(const struct rules_ctx *j, iwarp_field_id field,
                            uint64_t other_packet) {
  const struct rules_framing *last = &rules_own(j)->framing;
  iwarp_finding *f = rulesi_fail(j, rulesi_text("L set"), rulesi_text("L clear"));
  f->first = last->first;
  f->last = last->last;
  f->pos = last->pos;
  f->offset = last->offset;
  f->octet_pos = last->pos + IWARP_MPA_LENGTH_LEN; /* no Marker stands inside of four octets */
  f->octet_len = 1;
  f->field = (uint16_t)field;
  f->other_packet = other_packet;
}

/* Of a Read Response that has all of its octets as its side closes, or a Terminate that has: that
 * is the last message, whatever the other side does then. */
static void queue_settle_full(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  iwarp_event close;
  if (!rulesi_closed(j, &close)) {
    return;
  }
  if (queue_terminate_full(own) && !rules_is_open(&own->docket, QUESTION_RUN) &&
      queue_end_certain(j)) {
    queue_fail_last(j, IWARP_FIELD_DDP_UNTAGGED_L, 0);
  } else if (queue_response_full(j) != IWARP_TRISTATE_OFF && queue_closed_inside(j)) {
    queue_fail_last(j, IWARP_FIELD_DDP_TAGGED_L, own->response.request.packet);
  }
}

/* L of a message of a fixed length is judged at once, L of a Read Request by
 * rdmap.read-request-last. L of other messages is judged by the message after them. */
static bool queue_last_judged(uint8_t opcode) {
  switch (iwarp_rdmap_op_get(opcode)->cls) {
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: return true;
  case IWARP_RDMAP_CLASS_READ_REQ:
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_NONE: break;
  }
  return false;
}

/* A Tagged message is a new one where neither STag nor TO goes on with the one under way. That it
 * is right shows in no segment of it. Whether L is missing, or the messages are mixed, shows in
 * what follows. */
void iwarp_rule_ddp_last_flag_missing(const struct rules_ctx *j) {
  queue_settle_last(j);
  if (j->ev->kind == IWARP_EVENT_END) {
    queue_settle_full(j);
  }
  if ((j->ev->kind != IWARP_EVENT_FPDU && j->ev->kind != IWARP_EVENT_SCTP_SEGMENT) ||
      !rules_seg(j)->has_ddp || !rulesi_need_place(j)) {
    return;
  }
  const struct rules_slot *slot = queue_slot(j);
  if (j->facts.response_over) {
    queue_fail_last(j, IWARP_FIELD_DDP_TAGGED_L, j->facts.response_packet);
    return;
  }
  if (queue_last_judged(rules_seg(j)->ctrl.opcode)) {
    rulesi_check_last(j);
  }
  if (j->facts.step == STEP_RESTART && !rules_may_wait(j) && !slot->interrupted) {
    rulesi_inconclusive(j, rulesi_missing(j, j->ev->side));
  } else if (!rules_seg(j)->ddp.tagged && j->facts.step == STEP_START &&
             slot->state == SLOT_CLOSED && !queue_last_judged(slot->opcode)) {
    rulesi_pass(j);
  }
}

/* L may also be on a segment that has overtaken others of its message: it has not the highest MO.
 */
void iwarp_rule_ddp_last_flag_early(const struct rules_ctx *j) {
  if (!queue_untagged(j)) {
    return;
  }
  const iwarp_ddp_hdr *ddp = &rules_seg(j)->ddp;
  if (queue_overtaken(j)) {
    rulesi_check_field(j, false, IWARP_FIELD_DDP_UNTAGGED_MO,
                       rulesi_at_least(queue_slot(j)->mo_top), rulesi_uint(ddp->mo));
    return;
  }
  const bool late = j->facts.step == STEP_AFTER_LAST && ddp->mo != queue_slot(j)->next;
  if (late && queue_slot(j)->ended_with_holes) {
    return; /* said of the segment with L */
  }
  if (late && !queue_slot(j)->start_seen) {
    rulesi_inconclusive(j, rulesi_missing(j, j->ev->side)); /* it may have been said */
    return;
  }
  const bool new_one = queue_slot(j)->state == SLOT_CLOSED && j->facts.step == STEP_START;
  if (new_one || j->facts.step == STEP_AFTER_LAST) {
    rulesi_check_field(j, new_one, IWARP_FIELD_DDP_UNTAGGED_MSN,
                       rulesi_uint(queue_slot(j)->msn + 1u), rulesi_uint(rules_seg(j)->ddp.msn));
  }
}

static bool queue_known(const struct rules_side *own) {
  bool known = true;
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    known = known && own->messages.slots[i].state != SLOT_UNKNOWN;
  }
  return known;
}

/* mpa.stream-end reports an FPDU that has not ended. ddp.last-flag-missing reports a Read Response
 * or Terminate that has all of its octets. */
void iwarp_rule_ddp_stream_end(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  const struct rules_slot *slot = queue_unfinished(own);
  iwarp_event close;
  if (!rulesi_closed(j, &close) || !own->first.seen || own->framing.reported ||
      rules_is_open(&own->docket, QUESTION_RUN)) {
    return;
  }
  if (slot == NULL) {
    if (rules_from_startup(j, j->ev->side) && queue_known(own)) {
      rulesi_pass(j);
    }
  } else if (!queue_terminate_full(own) && queue_response_full(j) != IWARP_TRISTATE_ON &&
             queue_closed_inside(j)) {
    iwarp_finding *f =
        rulesi_fail_event(j, &close, rulesi_text("a segment with L that ends the message"),
                          rulesi_text(iwarp_rdmap_op_get(slot->opcode)->label));
    f->other_packet = own->framing.last.packet;
  }
}
