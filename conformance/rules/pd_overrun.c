/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs among the octets that PD_Length takes for Private Data. */
#include "pd_overrun.h"

#include <string.h>

#include "evidence.h"
#include "framing.h"
#include "state.h"

/* Leaves it to later events where the FPDUs of the side begin. */
static void pd_overrun_ask(struct rules_side *side, enum rules_question question) {
  side->pd_overrun.state = PD_OVERRUN_NOT;
  rules_open(&side->docket, QUESTION_PD_HOLDS_FPDUS, question == QUESTION_PD_HOLDS_FPDUS);
  rules_open(&side->docket, QUESTION_PD_INCOMPLETE, question == QUESTION_PD_INCOMPLETE);
}

/* Decides where the FPDUs of the side begin. */
static void pd_overrun_settle(struct rules_side *side, enum rules_pd_overrun_state state) {
  side->pd_overrun.state = state;
  rules_close(&side->docket, QUESTION_PD_HOLDS_FPDUS);
  rules_close(&side->docket, QUESTION_PD_INCOMPLETE);
}

/* Asks for more of the frame, or takes its PD_Length as it is. */
static void pd_overrun_ask_if(struct rules_side *side, bool incomplete) {
  pd_overrun_settle(side, PD_OVERRUN_NOT);
  rules_open(&side->docket, QUESTION_PD_INCOMPLETE, incomplete);
}

/* The octets from `at` on, which is not past the end. */
static iwarp_span pd_overrun_rest(iwarp_span in, size_t at) {
  const uint8_t *from = in.ptr + at; /* bound: the callers compare */
  return (iwarp_span){from, in.len - at};
}

/* Reads the headers of a whole FPDU. */
static void pd_overrun_segment(iwarp_rdmap_seg *out, const iwarp_mpa_fpdu *f) {
  uint8_t octets[IWARP_RDMAP_HDR_MAX];
  const size_t len = iwarp_mpa_fpdu_ulpdu_copy(octets, sizeof(octets), f, 0);
  iwarp_rdmap_seg_decode(out, (iwarp_span){octets, len}, f->ulpdu_length);
}

/* True if the segment is right as far as it goes, and where it is the first, a side can begin with
 * it. */
static bool pd_overrun_begins(const iwarp_rdmap_seg *seg, bool first) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  if (!seg->has_ddp || seg->err != IWARP_OK || seg->ddp.dv > IWARP_DDP_VERSION ||
      seg->ddp.dv != seg->ctrl.rv || !op->assigned || seg->ddp.tagged != op->tagged) {
    return false;
  }
  return op->tagged ||
         (seg->ddp.qn == op->qn && (!first || (seg->ddp.msn == 1 && seg->ddp.mo == 0)));
}

/* The bit of the queue of an untagged segment. */
static uint8_t pd_overrun_queue(const iwarp_rdmap_seg *seg) {
  return seg->has_ddp && !seg->ddp.tagged && seg->ddp.qn < RULES_SLOT_TAGGED
             ? (uint8_t)(1u << seg->ddp.qn)
             : 0;
}

/* What octets of the Private Data are when read as FPDUs. */
struct pd_overrun_reading {
  iwarp_tristate fpdus; /* unknown: they are too few to tell */
  bool whole;           /* an FPDU is whole; the last one may be cut */
  bool ends;            /* no FPDU is cut */
  uint8_t queues;       /* queues of the whole FPDUs, a bit for each */
};

/* True if the headers fit an FPDU, and the CRC of a whole FPDU is right where CRCs are in use. */
static bool pd_overrun_right(const struct rules_ctx *ctx, const iwarp_mpa_fpdu *f,
                             const iwarp_rdmap_seg *seg, bool first) {
  const bool checked = ctx->info->crc == IWARP_TRISTATE_ON;
  return (!checked || iwarp_mpa_fpdu_crc(f) == f->crc) &&
         ((checked && !first) || pd_overrun_begins(seg, first));
}

static struct pd_overrun_reading pd_overrun_read(const struct rules_ctx *ctx, iwarp_span octets,
                                                 bool markers) {
  struct framing_place rest = {.head = octets, .markers = markers};
  struct pd_overrun_reading out = {.fpdus = IWARP_TRISTATE_ON};
  iwarp_mpa_fpdu f;
  iwarp_rdmap_seg seg;
  while (out.fpdus == IWARP_TRISTATE_ON &&
         iwarp_mpa_fpdu_decode(&f, rest.head, rest.off, markers).err == IWARP_OK) {
    pd_overrun_segment(&seg, &f);
    if (!pd_overrun_right(ctx, &f, &seg, !out.whole)) {
      out.fpdus = IWARP_TRISTATE_OFF;
    }
    out.whole = true;
    out.queues |= pd_overrun_queue(&seg);
    rest.off += f.layout.wire_len;
    rest.head = pd_overrun_rest(rest.head, f.layout.wire_len);
  }
  out.ends = rest.head.len == 0;
  const iwarp_tristate last = rulesi_framing_begins(&rest);
  if (last == IWARP_TRISTATE_OFF || (last == IWARP_TRISTATE_UNKNOWN && !out.whole)) {
    out.fpdus = last;
  }
  return out;
}

/* True if the frame is one of a connection that goes on. */
static bool pd_overrun_readable(const struct rules_ctx *ctx) {
  return ctx->ev->u.startup.key != IWARP_MPA_KEY_UNKNOWN &&
         ctx->ev->u.startup.is_reply == (ctx->ev->u.startup.key == IWARP_MPA_KEY_REPLY) &&
         rules_startup_sure(ctx, ctx->ev->side) && !ctx->info->rejected;
}

/* The reading of the octets from `at` octets after the fixed part of the frame on: with Markers too
 * where the frame that asks for them is not known. */
static struct pd_overrun_reading pd_overrun_from(const struct rules_ctx *ctx, uint64_t at) {
  const iwarp_span octets = pd_overrun_rest(ctx->ev->u.startup.frame.private_data, (size_t)at);
  const iwarp_tristate markers = ctx->info->side[ctx->ev->side].markers;
  const struct pd_overrun_reading reading =
      pd_overrun_read(ctx, octets, markers == IWARP_TRISTATE_ON);
  return markers == IWARP_TRISTATE_UNKNOWN && reading.fpdus != IWARP_TRISTATE_ON
             ? pd_overrun_read(ctx, octets, true)
             : reading;
}

/* What the other side sent when it took the frame for whole: the Reply, or the first FPDU of the
 * Initiator, which may lie in what PD_Length of the Request covers. */
struct pd_overrun_answer {
  uint64_t received; /* position in the frame that its sender had received, or IWARP_POS_UNKNOWN */
  uint64_t end;      /* position after the answer, or inside it */
};

static struct pd_overrun_answer pd_overrun_answer(const struct rules_ctx *ctx) {
  const struct rules_side *other = rules_other(ctx);
  const iwarp_event *answer = &other->startup.event;
  uint64_t end = ctx->info->side[rules_peer(ctx)].startup_end;
  uint64_t received = answer->first.peer_pos;
  if (ctx->ev->u.startup.is_reply && rules_is_open(&other->docket, QUESTION_PD_HOLDS_FPDUS)) {
    end = other->pd_overrun.pos + 1;
    received = answer->last.peer_pos;
  } else if (ctx->ev->u.startup.is_reply) {
    answer = &other->first_event;
    end = other->first.end;
    received = other->first.at_start && answer->u.fpdu.crc != IWARP_CRC_BAD ? answer->first.peer_pos
                                                                            : IWARP_POS_UNKNOWN;
  }
  return (struct pd_overrun_answer){answer->last.damaged ? IWARP_POS_UNKNOWN : received, end};
}

bool rulesi_pd_overrun_early(const struct rules_ctx *ctx) {
  return rulesi_reply(ctx) != NULL && pd_overrun_answer(ctx).received < ctx->ev->pos + ctx->ev->len;
}

/* Up to where the other side had received the frame tells where FPDUs may begin: inside what
 * PD_Length announces, and the last of these octets were sent when the answer had come. */
static bool pd_overrun_place(const struct rules_ctx *ctx, uint64_t *at) {
  const iwarp_event_startup *s = &ctx->ev->u.startup;
  const uint64_t end = ctx->ev->pos + IWARP_MPA_STARTUP_LEN + s->frame.private_data.len;
  const struct pd_overrun_answer answer = pd_overrun_answer(ctx);
  *at = answer.received;
  return rules_settled(ctx, ctx->info->side[ctx->ev->side].markers_by) &&
         *at >= end - s->ulp_data.len && *at < end && ctx->ev->last.peer_pos != IWARP_POS_UNKNOWN &&
         ctx->ev->last.peer_pos >= answer.end;
}

static void pd_overrun_look_at(struct rules_ctx *ctx, uint64_t at) {
  const uint64_t data = ctx->ev->pos + IWARP_MPA_STARTUP_LEN;
  const iwarp_span held =
      pd_overrun_rest(ctx->ev->u.startup.frame.private_data, (size_t)(at - data));
  const struct pd_overrun_reading reading = pd_overrun_from(ctx, at - data);
  struct rules_side *own = rules_own_state(ctx);
  struct rules_framing *rest = &own->framing;
  if (reading.fpdus == IWARP_TRISTATE_OFF) {
    return;
  }
  pd_overrun_ask(own, QUESTION_PD_HOLDS_FPDUS);
  own->pd_overrun.pos = at;
  own->pd_overrun.queues = reading.queues;
  own->pd_overrun.ends = reading.ends;
  if (reading.fpdus == IWARP_TRISTATE_UNKNOWN && held.len <= sizeof(rest->head)) {
    rest->num_head = (uint8_t)held.len;
    memcpy(rest->head, held.ptr, held.len);
  }
}

/* Without the octets of the other side FPDUs with right CRCs may begin anywhere. */
static void pd_overrun_look_anywhere(struct rules_ctx *ctx) {
  const iwarp_event_startup *s = &ctx->ev->u.startup;
  struct rules_side *own = rules_own_state(ctx);
  const uint64_t end = s->frame.private_data.len;
  for (uint64_t at = end - s->ulp_data.len; own->pd_overrun.state != PD_OVERRUN_UNKNOWN && at < end;
       at++) {
    const struct pd_overrun_reading reading = pd_overrun_from(ctx, at);
    if (reading.whole && reading.fpdus == IWARP_TRISTATE_ON) {
      pd_overrun_settle(own, PD_OVERRUN_UNKNOWN);
      own->pd_overrun.queues = reading.queues;
    }
  }
}

/* Before the other frame is whole: where FPDUs would begin in the Private Data of this one. */
static void pd_overrun_note(struct rules_ctx *ctx) {
  const iwarp_event_startup *s = &ctx->ev->u.startup;
  struct rules_pd_overrun *own = &rules_own_state(ctx)->pd_overrun;
  const uint64_t end = s->frame.private_data.len;
  own->may_pos = 0;
  for (uint64_t at = end - s->ulp_data.len; own->may_pos == 0 && at < end; at++) {
    const struct pd_overrun_reading reading = pd_overrun_from(ctx, at);
    if (reading.fpdus == IWARP_TRISTATE_ON) {
      own->may_pos = ctx->ev->pos + IWARP_MPA_STARTUP_LEN + at;
      own->may_queues = reading.queues;
      own->may_end = reading.ends;
    }
  }
}

/* The Reply was sent when the Request had been received up to the octets that look like FPDUs. The
 * Initiator sent these octets when it had received some of the Reply. */
static void pd_overrun_look_back(struct rules_ctx *ctx) {
  struct rules_side *other = rules_other_state(ctx);
  const uint64_t may_pos = other->pd_overrun.may_pos;
  const iwarp_meta *last = &other->startup.event.last;
  if (ctx->ev->u.startup.is_reply && rulesi_reply(ctx) != NULL && may_pos != 0 &&
      may_pos != IWARP_POS_UNKNOWN && may_pos == ctx->ev->first.peer_pos &&
      last->peer_pos != IWARP_POS_UNKNOWN && last->peer_pos > ctx->ev->pos && !last->damaged) {
    pd_overrun_ask(other, QUESTION_PD_HOLDS_FPDUS);
    other->pd_overrun.pos = may_pos;
    other->pd_overrun.queues = other->pd_overrun.may_queues;
    other->pd_overrun.ends = other->pd_overrun.may_end;
  }
}

/* A PD_Length that is too large for any, of which mpa.pd-length-max speaks: where FPDUs begin is
 * known if the other side waited for so many octets. */
static void pd_overrun_look_beyond(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  own->pd_overrun.may_pos = IWARP_POS_UNKNOWN; /* some may lie in it */
  const bool unknown = ctx->info->side[rules_peer(ctx)].gap || rulesi_pd_overrun_early(ctx);
  pd_overrun_settle(own, unknown ? PD_OVERRUN_UNKNOWN : PD_OVERRUN_NOT);
}

static void pd_overrun_look(struct rules_ctx *ctx) {
  const bool crc = ctx->info->crc == IWARP_TRISTATE_ON && rules_settled(ctx, ctx->info->crc_by);
  struct rules_side *own = rules_own_state(ctx);
  uint64_t at;
  if (ctx->info->side[ctx->ev->side].pd_length == 0) {
    pd_overrun_settle(own, PD_OVERRUN_NOT); /* whatever is missing of the other side */
  } else if (ctx->info->side[ctx->ev->side].pd_length > IWARP_MPA_PRIVATE_DATA_MAX) {
    pd_overrun_look_beyond(ctx);
  } else if (ctx->info->side[ctx->ev->side].gap) {
    pd_overrun_ask_if(own, ctx->ev->u.startup.err != IWARP_OK);
  } else if (rulesi_reply(ctx) == NULL || ctx->info->side[rules_peer(ctx)].gap) {
    pd_overrun_ask_if(own, ctx->info->side[rules_peer(ctx)].gap);
    if (crc && ctx->ev->u.startup.is_reply) {
      pd_overrun_look_anywhere(ctx);
    } else {
      pd_overrun_note(ctx);
    }
  } else if (pd_overrun_place(ctx, &at)) {
    pd_overrun_look_at(ctx, at);
  }
}

/* ---- the next event ---- */

/* ON if the octets, which were too few before, begin an FPDU together with later ones. */
static iwarp_tristate pd_overrun_joined(const struct rules_ctx *ctx) {
  const struct rules_framing *rest = &rules_own(ctx)->framing;
  const struct framing_place next = rulesi_framing_place(ctx, ctx->ev);
  uint8_t joined[IWARP_RUN_HEAD_LEN];
  size_t len = rest->num_head;
  memcpy(joined, rest->head, len);
  for (size_t i = 0; i < next.head.len && len < sizeof(joined); i++) {
    joined[len] = next.head.ptr[i];
    len++;
  }
  const struct framing_place place = {.head = {joined, len}, .markers = next.markers};
  return rulesi_framing_begins(&place);
}

/* True if the event is an FPDU that a side can begin with, as far as its headers and CRC tell. */
static bool pd_overrun_first(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  if (ctx->ev->kind != IWARP_EVENT_FPDU) {
    return false;
  }
  const struct framing_place place = rulesi_framing_place(ctx, ctx->ev);
  return (f->crc == IWARP_CRC_GOOD || rulesi_framing_begins(&place) == IWARP_TRISTATE_ON) &&
         (!f->seg.has_ddp || f->seg.ddp.tagged || f->seg.ddp.msn == 1);
}

/* True if such an FPDU begins where PD_Length says. The octets before it that look like an FPDU
 * which would end inside it are then no FPDU. */
static bool pd_overrun_due(const struct rules_ctx *ctx) {
  return !rules_own(ctx)->pd_overrun.ends && ctx->ev->u.fpdu.crc != IWARP_CRC_BAD &&
         pd_overrun_first(ctx);
}

static enum rules_pd_overrun_state pd_overrun_joins(const struct rules_ctx *ctx) {
  const bool octets = ctx->ev->kind == IWARP_EVENT_FPDU || ctx->ev->kind == IWARP_EVENT_UNDECODABLE;
  if (ctx->ev->kind == IWARP_EVENT_END) {
    return PD_OVERRUN_NOT; /* they are no FPDU */
  }
  switch (octets ? pd_overrun_joined(ctx) : IWARP_TRISTATE_UNKNOWN) {
  case IWARP_TRISTATE_OFF: return PD_OVERRUN_NOT;
  case IWARP_TRISTATE_UNKNOWN: return PD_OVERRUN_UNKNOWN;
  case IWARP_TRISTATE_ON: break;
  }
  return PD_OVERRUN_CERTAIN;
}

/* Where octets are missing, only the octets right after the Private Data show if they end there.
 * Octets that are no FPDU may be the middle of one. An FPDU whose message is not the first of its
 * queue may follow others. */
static void pd_overrun_holed(struct rules_ctx *ctx) {
  const uint64_t end = ctx->ev->pos + ctx->ev->len;
  if (ctx->ev->kind == IWARP_EVENT_GAP && end <= ctx->info->side[ctx->ev->side].startup_end) {
    return;
  }
  const bool right = ctx->ev->kind == IWARP_EVENT_FPDU ? pd_overrun_first(ctx)
                                                       : ctx->ev->kind != IWARP_EVENT_UNDECODABLE;
  pd_overrun_settle(rules_own_state(ctx), right ? PD_OVERRUN_NOT : PD_OVERRUN_UNKNOWN);
}

/* True if the FPDU begins a queue on which something was sent before, if what looked like FPDUs
 * were some. */
static bool pd_overrun_refuted(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  return ctx->ev->kind == IWARP_EVENT_FPDU && f->crc != IWARP_CRC_BAD &&
         (pd_overrun_queue(&f->seg) & rules_own(ctx)->pd_overrun.queues) != 0 &&
         f->seg.ddp.msn == 1 && f->seg.ddp.mo == 0;
}

/* If octets are missing, or no FIN says that no octets follow, the answer may be among them. */
static void pd_overrun_decide(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  const bool cut = ctx->ev->kind == IWARP_EVENT_END && ctx->ev->u.end != IWARP_END_FIN;
  if (cut || ctx->info->side[0].gap || ctx->info->side[1].gap) {
    pd_overrun_settle(own, PD_OVERRUN_UNKNOWN);
  } else if (pd_overrun_refuted(ctx) || pd_overrun_due(ctx)) {
    pd_overrun_settle(own, PD_OVERRUN_NOT);
  } else {
    pd_overrun_settle(own, own->framing.num_head > 0 ? pd_overrun_joins(ctx) : PD_OVERRUN_CERTAIN);
  }
  ctx->facts.pd_decided = true;
}

/* The first FPDU of a side that others may precede in its Private Data, where the frame of the
 * other side does not tell: it is not known to be one, or its own PD_Length may be wrong. */
static bool pd_overrun_alone(const struct rules_ctx *ctx) {
  const bool unknown = rulesi_reply(ctx) == NULL && !rules_from_start(ctx, rules_peer(ctx));
  return ctx->ev->kind == IWARP_EVENT_FPDU && !rules_own(ctx)->first.seen &&
         !rules_pd_in_doubt(rules_own(ctx)) && rules_own(ctx)->pd_overrun.may_pos != 0 &&
         (unknown || rules_pd_in_doubt(rules_other(ctx)));
}

void rulesi_pd_overrun_classify(struct rules_ctx *ctx) {
  struct rules_side *own = rules_own_state(ctx);
  if (ctx->ev->kind == IWARP_EVENT_STARTUP && pd_overrun_readable(ctx)) {
    if (ctx->ev->last.damaged) {
      pd_overrun_ask(
          own, QUESTION_PD_INCOMPLETE); /* PD_Length is another one in the copy that was taken */
    } else {
      pd_overrun_look_back(ctx);
      pd_overrun_look(ctx);
    }
  } else if (pd_overrun_alone(ctx)) {
    pd_overrun_settle(own, PD_OVERRUN_UNKNOWN);
  } else if (rules_answers(ctx, ctx->ev->side, QUESTION_PD_INCOMPLETE)) {
    pd_overrun_holed(ctx);
  } else if (rules_answers(ctx, ctx->ev->side, QUESTION_PD_HOLDS_FPDUS)) {
    pd_overrun_decide(ctx);
  }
  own->framing.reported = own->framing.reported || rules_pd_overrun(own);
}

struct rules_because rulesi_pd_overrun_because(const struct rules_ctx *ctx) {
  if (ctx->info->side[ctx->ev->side].pd_length > IWARP_MPA_PRIVATE_DATA_MAX) {
    return rules_reported(RULES_mpa_pd_length_max);
  }
  return rules_own(ctx)->pd_overrun.state == PD_OVERRUN_CERTAIN
             ? rules_reported(RULES_mpa_pd_length_match)
             : rules_unreported();
}
