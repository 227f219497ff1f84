/* SPDX-License-Identifier: BSD-2-Clause */
/* A message inside of which another one began. */
#include "interrupted.h"

#include "sctp_event.h"
#include "state.h"
#include "verdict.h"

bool rulesi_interrupted_resumes(const struct rules_interrupted *aside, uint8_t slot,
                                const iwarp_rdmap_seg *seg) {
  const struct rules_slot *s = &aside->message;
  if (aside->slot != slot || s->state != SLOT_OPEN || s->opcode != seg->ctrl.opcode ||
      s->next_unknown) {
    return false;
  }
  return seg->ddp.tagged
             ? seg->payload_len > 0 && seg->ddp.stag == s->stag && seg->ddp.to == s->next
             : seg->ddp.msn == s->msn && seg->ddp.mo != 0 && seg->ddp.mo == s->next;
}

/* What a segment tells of the interrupted message. Its rest is expected right after the message
 * that began inside of it. */
static enum rules_interrupted_tells interrupted_segment(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  if (!j->facts.placed && j->facts.because.reason != 0) {
    return INTERRUPTED_LOST; /* it may be the rest, some of which was not captured */
  }
  if (!j->facts.placed || rules_opcode(j) == IWARP_RDMAP_OP_TERMINATE) {
    return INTERRUPTED_MISSING; /* nothing that follows can tell */
  }
  if (j->facts.slot != own->messages.interrupted.slot) {
    const bool ended =
        !j->info->sctp && rules_slot_state(j, own->messages.interrupted.slot) == SLOT_CLOSED;
    return ended && j->facts.step == STEP_START ? INTERRUPTED_MISSING : INTERRUPTED_NOTHING;
  }
  switch (j->facts.step) {
  case STEP_RESUME: return INTERRUPTED_ORDER;
  case STEP_START:
  case STEP_RESTART:
  case STEP_TAGGED_IN_TAGGED: return INTERRUPTED_MISSING;
  case STEP_NONE:
  case STEP_LEARN:
  case STEP_CONTINUE:
  case STEP_OP_CHANGE:
  case STEP_MO_JUMP:
  case STEP_TO_JUMP:
  case STEP_MSN_CHANGE:
  case STEP_STAG_CHANGE:
  case STEP_AFTER_LAST: break;
  }
  return INTERRUPTED_NOTHING;
}

/* What the end tells of it: over SCTP the last messages may be missing from the capture, and the
 * Session Terminate of its side is an end, too. */
static enum rules_interrupted_tells interrupted_end(const struct rules_ctx *j) {
  const bool ended = j->ev->u.end == IWARP_END_FIN || j->ev->u.end == IWARP_END_RST;
  if (!j->info->sctp) {
    return ended ? INTERRUPTED_MISSING : INTERRUPTED_LOST;
  }
  const bool whole = rulesi_sctp_lossless(j);
  return whole && (ended || rules_own(j)->sctp.ended) ? INTERRUPTED_MISSING : INTERRUPTED_LOST;
}

static enum rules_interrupted_tells interrupted_event(const struct rules_ctx *j) {
  switch (j->ev->kind) {
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: return interrupted_segment(j);
  case IWARP_EVENT_UNDECODABLE: return INTERRUPTED_MISSING;
  case IWARP_EVENT_END: return interrupted_end(j);
  case IWARP_EVENT_GAP: return rules_gap_inside(j) ? INTERRUPTED_NOTHING : INTERRUPTED_LOST;
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE: break;
  }
  return INTERRUPTED_NOTHING;
}

enum rules_interrupted_tells rulesi_interrupted_tells(const struct rules_ctx *j) {
  if (!rules_answers(j, j->ev->side, QUESTION_INTERRUPTED)) {
    return INTERRUPTED_NOTHING;
  }
  return rules_is_open(&rules_own(j)->docket, QUESTION_INTERRUPTED) ? interrupted_event(j)
                                                                    : INTERRUPTED_LOST;
}

/* The octets that distinguish a message from the one before it. */
static void interrupted_at_label(iwarp_finding *f, const struct rules_ctx *j) {
  if (rules_seg(j)->ddp.tagged) {
    rulesi_at_fields(f, j, IWARP_FIELD_NONE, IWARP_FIELD_DDP_TAGGED_STAG,
                     IWARP_FIELD_DDP_TAGGED_TO);
  } else {
    rulesi_at_field(f, j, IWARP_FIELD_DDP_UNTAGGED_MSN);
  }
}

/* The segment that begins another message, as a finding will report it. */
static struct rules_begun interrupted_begun(const struct rules_ctx *j) {
  const iwarp_value label = rulesi_text(j->facts.op->label);
  iwarp_finding at;
  rulesi_describe(&at, j, j->ev, label, label);
  rulesi_at_header(&at, j);
  struct rules_begun begun = {.first = at.first,
                              .last = at.last,
                              .pos = at.pos,
                              .offset = at.offset,
                              .header_pos = at.octet_pos,
                              .header_len = at.octet_len,
                              .due = rules_own(j)->messages.slots[j->facts.slot].msn,
                              .msn = rules_seg(j)->ddp.msn,
                              .opcode = label.text};
  interrupted_at_label(&at, j);
  begun.label_pos = at.octet_pos;
  begun.label_len = at.octet_len;
  begun.field = at.field;
  return begun;
}

void rulesi_interrupted_set(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  struct rules_interrupted *aside = &own->messages.interrupted;
  if (j->facts.step == STEP_RESTART) {
    aside->slot = j->facts.slot;
    aside->message = rules_own(j)->messages.slots[j->facts.slot];
    rules_open(&own->docket, QUESTION_INTERRUPTED,
               rules_may_wait(j) && !aside->message.interrupted);
    aside->other = interrupted_begun(j);
  }
}

void rulesi_interrupted_drop(struct rules_side *own) {
  rules_close(&own->docket, QUESTION_INTERRUPTED);
  own->messages.interrupted.message.state = SLOT_UNKNOWN;
}

bool rulesi_interrupted_none(const struct rules_interrupted *aside) {
  return aside->message.state != SLOT_OPEN && !aside->mixed;
}

void rulesi_interrupted_exchange(struct rules_side *own) {
  struct rules_slot *slot = &own->messages.slots[own->messages.interrupted.slot];
  const struct rules_slot now = *slot;
  *slot = own->messages.interrupted.message;
  own->messages.interrupted.message = now;
}

void rulesi_interrupted_unmix(struct rules_ctx *j) {
  struct rules_side *own = rules_own_state(j);
  struct rules_interrupted *aside = &own->messages.interrupted;
  const struct rules_slot *slot = &own->messages.slots[aside->slot];
  if (j->facts.slot != aside->slot) {
    return;
  }
  aside->mixed = j->facts.step == STEP_RESUME || (aside->mixed && j->facts.step == STEP_CONTINUE);
  if (!aside->mixed || slot->state != SLOT_CLOSED) {
    return;
  }
  if (aside->message.state == SLOT_OPEN || aside->message.msn - slot->msn < UINT32_MAX / 2) {
    rulesi_interrupted_exchange(own);
  }
}

void rulesi_interrupted_update(struct rules_ctx *j) {
  if (j->facts.interrupted == INTERRUPTED_MISSING || j->facts.interrupted == INTERRUPTED_LOST) {
    rulesi_interrupted_drop(rules_own_state(j));
  }
}
