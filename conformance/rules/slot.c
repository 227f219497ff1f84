/* SPDX-License-Identifier: BSD-2-Clause */
/* What a segment leaves in the slot of its message. */
#include "slot.h"

#include "evidence.h"
#include "requests.h"
#include "state.h"

/* Keeps the segment as the last one of its slot. */
static void slot_last(struct rules_slot *s, const iwarp_ddp_hdr *ddp, size_t payload_len) {
  s->unplaced = 0;
  s->mo_top = !ddp->tagged && ddp->mo > s->mo_top ? ddp->mo : s->mo_top;
  s->total += payload_len;
  s->next = (ddp->tagged ? ddp->to : ddp->mo) + payload_len;
}

/* A message that has had two MSNs may go on under either. */
static void slot_msn(struct rules_slot *s, bool starts, uint32_t msn) {
  if (starts) {
    s->msn_changed = false;
  } else if (msn != s->msn) {
    s->msn_changed = true;
    s->msn_other = s->msn;
  }
  s->msn = msn;
}

/* A message that has had two opcodes or STags may go on under either. */
static void slot_label(struct rules_slot *s, bool starts, const iwarp_ddp_hdr *ddp,
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

/* True if the segment belongs before the last segment of its message, which was seen. */
static bool slot_straggles(const struct rules_slot *s, const struct rules_facts *facts,
                           const iwarp_rdmap_seg *seg) {
  return facts->step == STEP_AFTER_LAST && (seg->ddp.tagged || seg->ddp.mo != s->next);
}

/* True if the segment belongs to the message under way, whose segments were all seen. */
static bool slot_goes_on(const struct rules_slot *s, const struct rules_facts *facts) {
  return facts->step == STEP_CONTINUE || facts->step == STEP_RESUME ||
         facts->step == STEP_AFTER_LAST || (facts->step == STEP_LEARN && rules_slot_hidden(s));
}

/* True if the segment ends its message and octets before it are missing, which a rule reports. */
static bool slot_holed(const struct rules_ctx *ctx) {
  const iwarp_ddp_hdr *ddp = &rules_seg(ctx)->ddp;
  const bool late = ctx->facts.step == STEP_START && !ddp->tagged && ddp->mo != 0;
  return rulesi_ends_message(ctx) && (ctx->facts.order == ORDER_HOLES || late);
}

void rulesi_slot_add(struct rules_slot *s, const struct rules_ctx *ctx) {
  const struct rules_facts *facts = &ctx->facts;
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const bool starts = facts->step == STEP_START || facts->step == STEP_RESTART ||
                      facts->step == STEP_TAGGED_IN_TAGGED;
  if (slot_straggles(s, facts, seg)) {
    return;
  }
  s->interrupted = s->interrupted && !starts && facts->step != STEP_LEARN;
  const bool hidden = rules_slot_hidden(s);
  if (starts) {
    s->start_seen = true;
    s->total = 0;
    s->joined_midway = false;
    s->unordered = false;
    s->unended = false;
  } else if (!slot_goes_on(s, facts)) {
    s->start_seen = false;
  }
  s->mo_top = starts || facts->step == STEP_LEARN ? 0 : s->mo_top;
  /* a Tagged segment that was not placed may have begun the message */
  const bool begins = starts && (!seg->ddp.tagged || s->unplaced == 0);
  s->empty_so_far = seg->payload_len == 0 && !seg->ddp.last && (begins || s->empty_so_far);
  slot_msn(s, starts || facts->step == STEP_LEARN, seg->ddp.msn);
  const bool empty = seg->ddp.tagged && seg->payload_len == 0;
  if (!empty || facts->step != STEP_CONTINUE || s->next_unknown) {
    slot_label(s, starts || facts->step == STEP_LEARN, &seg->ddp, seg->ctrl.opcode);
    slot_last(s, &seg->ddp, seg->payload_len);
    s->next_unknown = empty;
  } /* else STag and TO mean nothing, and the expected place is unchanged */
  const bool unended = s->unended && facts->step != STEP_LEARN;
  s->unended =
      !seg->ddp.last && (unended || rulesi_fills_message(ctx) || facts->step == STEP_AFTER_LAST);
  s->state = rulesi_ends_message(ctx) || s->unended ? SLOT_CLOSED : SLOT_OPEN;
  s->ended_with_holes = slot_holed(ctx);
  if (facts->step == STEP_LEARN && !hidden) {
    s->joined_midway = true;
    s->unplaced = !seg->ddp.tagged && seg->ddp.mo != 0 ? 1 : 0; /* a message may have begun */
  }
}

void rulesi_slots_misplaced(struct rules_side *own) {
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    struct rules_slot *s = &own->messages.slots[i];
    if (s->state == SLOT_OPEN) {
      s->state = SLOT_UNKNOWN;
    }
    s->unplaced++;
  }
  own->response.known = false;
}

void rulesi_slots_interrupt(struct rules_ctx *ctx) {
  for (unsigned i = 0; ctx->facts.step == STEP_START && i < RULES_SLOTS; i++) {
    struct rules_slot *s = &rules_own_state(ctx)->messages.slots[i];
    s->interrupted = s->interrupted || (i != ctx->facts.slot && s->state == SLOT_OPEN);
  }
}

RULES_APART void rulesi_slot_add_ordinary(struct rules_slot *s,
                                          const iwarp_observer_fpdu *restrict f) {
  const bool starts = s->state != SLOT_OPEN;
  if (starts) {
    s->start_seen = true;
    s->unordered = false;
    s->interrupted = false;
    s->joined_midway = false;
    s->unended = false;
    s->mo_top = 0;
    s->total = 0;
  }
  s->empty_so_far = false;
  s->ended_with_holes = false;
  s->next_unknown = false;
  slot_msn(s, starts, f->ddp.msn);
  slot_label(s, starts, &f->ddp, f->opcode);
  slot_last(s, &f->ddp, f->payload_len);
  s->state = f->ddp.last ? SLOT_CLOSED : SLOT_OPEN;
}
