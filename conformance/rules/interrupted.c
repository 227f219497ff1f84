/* SPDX-License-Identifier: BSD-2-Clause */
/* A message inside of which another one began. */
#include "interrupted.h"

#include "sctp_event.h"
#include "state.h"
#include "verdict.h"

bool rulesi_interrupted_resumes(const struct rules_interrupted *interrupted, uint8_t slot,
                                const iwarp_rdmap_seg *seg) {
  const struct rules_slot *s = &interrupted->message;
  if (interrupted->slot != slot || s->state != SLOT_OPEN || s->opcode != seg->ctrl.opcode ||
      s->next_unknown) {
    return false;
  }
  return seg->ddp.tagged
             ? seg->payload_len > 0 && seg->ddp.stag == s->stag && seg->ddp.to == s->next
             : seg->ddp.msn == s->msn && seg->ddp.mo != 0 && seg->ddp.mo == s->next;
}

/* What a segment tells of the interrupted message. Its rest is expected right after the message
 * that began inside of it. */
static enum rules_interrupted_tells interrupted_segment(const struct rules_ctx *ctx) {
  const struct rules_side *own = rules_own(ctx);
  if (!ctx->facts.placed && ctx->facts.because.reason != 0) {
    return INTERRUPTED_LOST; /* the segment may be the rest of the message, captured in part */
  }
  if (!ctx->facts.placed || rules_opcode(ctx) == IWARP_RDMAP_OP_TERMINATE) {
    return INTERRUPTED_MISSING; /* no later segment can show that the message goes on */
  }
  if (ctx->facts.slot != own->messages.interrupted.slot) {
    const bool ended =
        !ctx->info->sctp && rules_slot_state(ctx, own->messages.interrupted.slot) == SLOT_CLOSED;
    return ended && ctx->facts.step == STEP_START ? INTERRUPTED_MISSING : INTERRUPTED_NOTHING;
  }
  switch (ctx->facts.step) {
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
static enum rules_interrupted_tells interrupted_end(const struct rules_ctx *ctx) {
  const bool ended = ctx->ev->u.end == IWARP_END_FIN || ctx->ev->u.end == IWARP_END_RST;
  if (!ctx->info->sctp) {
    return ended ? INTERRUPTED_MISSING : INTERRUPTED_LOST;
  }
  const bool whole = rulesi_sctp_lossless(ctx);
  return whole && (ended || rules_own(ctx)->sctp.ended) ? INTERRUPTED_MISSING : INTERRUPTED_LOST;
}

static enum rules_interrupted_tells interrupted_event(const struct rules_ctx *ctx) {
  switch (ctx->ev->kind) {
  case IWARP_EVENT_FPDU:
  case IWARP_EVENT_SCTP_SEGMENT: return interrupted_segment(ctx);
  case IWARP_EVENT_UNDECODABLE: return INTERRUPTED_MISSING;
  case IWARP_EVENT_END: return interrupted_end(ctx);
  case IWARP_EVENT_GAP: return rules_gap_inside(ctx) ? INTERRUPTED_NOTHING : INTERRUPTED_LOST;
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE: break;
  }
  return INTERRUPTED_NOTHING;
}

enum rules_interrupted_tells rulesi_interrupted_tells(const struct rules_ctx *ctx) {
  if (!rules_answers(ctx, ctx->ev->side, QUESTION_INTERRUPTED)) {
    return INTERRUPTED_NOTHING;
  }
  return rules_is_open(&rules_own(ctx)->docket, QUESTION_INTERRUPTED) ? interrupted_event(ctx)
                                                                      : INTERRUPTED_LOST;
}

/* The octets that distinguish a message from the one before it. */
static void interrupted_at_label(iwarp_finding *f, const struct rules_ctx *ctx) {
  if (rules_seg(ctx)->ddp.tagged) {
    rulesi_at_fields(f, ctx, IWARP_FIELD_NONE, IWARP_FIELD_DDP_TAGGED_STAG,
                     IWARP_FIELD_DDP_TAGGED_TO);
  } else {
    rulesi_at_field(f, ctx, IWARP_FIELD_DDP_UNTAGGED_MSN);
  }
}

/* The segment that begins another message, as a finding will report it. */
static struct rules_begun interrupted_begun(const struct rules_ctx *ctx) {
  const iwarp_value label = rulesi_text(ctx->facts.op->label);
  iwarp_finding at;
  rulesi_describe(&at, ctx, ctx->ev, label, label);
  rulesi_at_header(&at, ctx);
  struct rules_begun begun = {.first = at.first,
                              .last = at.last,
                              .pos = at.pos,
                              .offset = at.offset,
                              .header_pos = at.octet_pos,
                              .header_len = at.octet_len,
                              .due = rules_own(ctx)->messages.slots[ctx->facts.slot].msn,
                              .msn = rules_seg(ctx)->ddp.msn,
                              .opcode = label.text};
  interrupted_at_label(&at, ctx);
  begun.label_pos = at.octet_pos;
  begun.label_len = at.octet_len;
  begun.field = at.field;
  return begun;
}

void rulesi_interrupted_set(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  struct rules_interrupted *interrupted = &own->messages.interrupted;
  if (ctx->facts.step == STEP_RESTART) {
    interrupted->slot = ctx->facts.slot;
    interrupted->message = rules_own(ctx)->messages.slots[ctx->facts.slot];
    rules_open(&own->docket, QUESTION_INTERRUPTED,
               rules_may_wait(ctx) && !interrupted->message.interrupted);
    interrupted->other = interrupted_begun(ctx);
  }
}

void rulesi_interrupted_drop(struct rules_side *own) {
  rules_close(&own->docket, QUESTION_INTERRUPTED);
  own->messages.interrupted.message.state = SLOT_UNKNOWN;
}

bool rulesi_interrupted_none(const struct rules_interrupted *interrupted) {
  return interrupted->message.state != SLOT_OPEN && !interrupted->mixed;
}

void rulesi_interrupted_exchange(struct rules_side *own) {
  struct rules_slot *slot = &own->messages.slots[own->messages.interrupted.slot];
  const struct rules_slot now = *slot;
  *slot = own->messages.interrupted.message;
  own->messages.interrupted.message = now;
}

void rulesi_interrupted_unmix(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  struct rules_interrupted *interrupted = &own->messages.interrupted;
  const struct rules_slot *slot = &own->messages.slots[interrupted->slot];
  if (ctx->facts.slot != interrupted->slot) {
    return;
  }
  interrupted->mixed =
      ctx->facts.step == STEP_RESUME || (interrupted->mixed && ctx->facts.step == STEP_CONTINUE);
  if (!interrupted->mixed || slot->state != SLOT_CLOSED) {
    return;
  }
  if (interrupted->message.state == SLOT_OPEN ||
      interrupted->message.msn - slot->msn < UINT32_MAX / 2) {
    rulesi_interrupted_exchange(own);
  }
}

void rulesi_interrupted_update(struct rules_ctx *ctx) {
  if (ctx->facts.interrupted == INTERRUPTED_MISSING || ctx->facts.interrupted == INTERRUPTED_LOST) {
    rulesi_interrupted_drop(rules_own_state(ctx));
  }
}
