/* SPDX-License-Identifier: BSD-2-Clause */
/* How a segment follows the segments before it. */
#include "place.h"

#include "interrupted.h"
#include "order.h"
#include "requests.h"

/* True if RsvdULP fits an Untagged message with this opcode and Invalidate STag. */
static bool place_same_rsvdulp(uint8_t opcode, uint32_t stag, const iwarp_rdmap_seg *seg) {
  const bool invalidates = iwarp_rdmap_op_get(opcode)->invalidates;
  return seg->ctrl.opcode == opcode && (!invalidates || seg->ddp.rsvdulp_word == stag);
}

static enum rules_step place_step_open(const struct rules_slot *s, const iwarp_rdmap_seg *seg) {
  const bool same = place_same_rsvdulp(s->opcode, s->stag, seg);
  const bool other = s->label_changed && place_same_rsvdulp(s->opcode_other, s->stag_other, seg);
  const bool known = seg->ddp.msn == s->msn || (s->msn_changed && seg->ddp.msn == s->msn_other);
  if (!known && seg->ddp.mo != 0) {
    return s->joined_midway ? STEP_LEARN : STEP_MSN_CHANGE;
  }
  if (!known) {
    return STEP_RESTART;
  }
  if (seg->ddp.mo != s->next) {
    return STEP_MO_JUMP;
  }
  return same || other ? STEP_CONTINUE : STEP_OP_CHANGE;
}

/* True if a segment that could not be placed may have begun the message. */
static bool place_begun_elsewhere(const struct rules_slot *s, const iwarp_rdmap_seg *seg) {
  return seg->ddp.mo != 0 && seg->ddp.msn - (s->msn + 1u) < s->unplaced;
}

/* After a loss, a message whose beginning is missing may go on after other messages. */
static enum rules_step place_step_closed(const struct rules_slot *s, const iwarp_rdmap_seg *seg) {
  const bool holed = s->ended_with_holes || (!s->start_seen && s->mo_top != 0);
  if (holed && seg->ddp.msn == s->msn && !seg->ddp.last) {
    return STEP_AFTER_LAST; /* L of that message was, or may have been, sent too early */
  }
  if (seg->ddp.mo == 0) {
    return STEP_START;
  }
  if (seg->ddp.msn == s->msn && s->next != 0) {
    return s->unended && seg->ddp.mo == s->next ? STEP_CONTINUE : STEP_AFTER_LAST;
  }
  return s->joined_midway || place_begun_elsewhere(s, seg) ? STEP_LEARN : STEP_START;
}

static enum rules_step place_step_untagged(const struct rules_slot *s, const iwarp_rdmap_seg *seg) {
  switch (s->state) {
  case SLOT_UNKNOWN: return STEP_LEARN;
  case SLOT_FRESH: return place_begun_elsewhere(s, seg) ? STEP_LEARN : STEP_START;
  case SLOT_CLOSED: return place_step_closed(s, seg);
  case SLOT_OPEN: return place_step_open(s, seg);
  }
  return STEP_LEARN;
}

/* STag and TO of an empty segment mean nothing. After one, only the opcode tells if the next
 * segment belongs to its message. RFC 5041 5.2 */
static enum rules_step place_step_after_empty(const struct rules_slot *s,
                                              const iwarp_rdmap_seg *seg) {
  if (seg->ctrl.opcode == s->opcode) {
    return STEP_LEARN;
  }
  return s->interrupted ? STEP_START : STEP_TAGGED_IN_TAGGED;
}

/* Octets may still come of a message that has ended with L too early. */
static enum rules_step place_step_tagged_closed(const struct rules_side *own,
                                                const iwarp_rdmap_seg *seg) {
  const struct rules_slot *s = &own->messages.slots[RULES_SLOT_TAGGED];
  const bool late = s->ended_with_holes && !seg->ddp.last && seg->ctrl.opcode == s->opcode &&
                    seg->ddp.stag == s->stag && rulesi_order_lacks(own, seg);
  return late ? STEP_AFTER_LAST : STEP_START;
}

static enum rules_step place_step_tagged(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const struct rules_slot *s = &own->messages.slots[RULES_SLOT_TAGGED];
  const enum slot_state state = rules_slot_state(ctx, RULES_SLOT_TAGGED);
  if (state != SLOT_OPEN) {
    return state == SLOT_UNKNOWN ? STEP_LEARN : place_step_tagged_closed(own, seg);
  }
  if (s->next_unknown) {
    return place_step_after_empty(s, seg);
  }
  const bool changed = s->label_changed;
  const bool same_stag = seg->ddp.stag == s->stag || (changed && seg->ddp.stag == s->stag_other);
  const bool same_opcode =
      seg->ctrl.opcode == s->opcode || (changed && seg->ctrl.opcode == s->opcode_other);
  const bool in_place = same_stag && seg->ddp.to == s->next;
  if (s->interrupted && !in_place) {
    return STEP_START; /* the open message stays unfinished, as reported */
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

void rulesi_place(struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const bool tagged = seg->ddp.tagged;
  ctx->facts.slot = tagged ? RULES_SLOT_TAGGED : (uint8_t)seg->ddp.qn;
  const struct rules_slot *slot = &own->messages.slots[ctx->facts.slot];
  if (rulesi_interrupted_resumes(&own->messages.interrupted, ctx->facts.slot, seg)) {
    ctx->facts.step = STEP_RESUME;
  } else {
    ctx->facts.step = tagged ? place_step_tagged(ctx) : place_step_untagged(slot, seg);
  }
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    ctx->facts.other_open =
        ctx->facts.other_open ||
        (i != ctx->facts.slot && rules_slot_state(ctx, (uint8_t)i) == SLOT_OPEN &&
         !own->messages.slots[i].interrupted);
  }
  ctx->facts.resumes = rulesi_reads_resume(ctx);
}
