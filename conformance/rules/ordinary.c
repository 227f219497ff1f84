/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that go on as all before them did. */
#include "ordinary.h"

#include "evidence.h"
#include "framing.h"
#include "interrupted.h"
#include "markers.h"

/* A segment, and what is known of both directions: all that the place and the kind depend on. */
struct ordinary {
  const struct rules_tracker *track;
  const iwarp_observer_info *info;
  const struct rules_side *own;
  const struct rules_side *other;
  const struct rules_slot *slot; /* slot of the message to which the segment may belong */
  const iwarp_observer_fpdu *f;  /* headers and position of the segment */
};

/* ---- the FPDU ---- */

/* True if the first octets of three, which are PAD, are zeros: no loop, which would be made a long
 * one of vectors. */
RULES_INLINE bool ordinary_pad(const uint8_t octets[3], uint32_t len) {
  return len == 0 ||
         ((uint32_t)octets[0] << 16 | (uint32_t)octets[1] << 8 | octets[2]) >> (24 - 8 * len) == 0;
}

/* True if no octets of the FPDU read as a part of another FPDU or as Markers. Without a CRC that
 * would make its length uncertain. */
static bool ordinary_alone(iwarp_span wire, uint64_t offset) {
  size_t first;
  return !rulesi_framing_ends_in_next(wire, wire.len - IWARP_MPA_CRC_LEN) &&
         !rulesi_markers_stand_in(wire, offset, &first);
}

/* True if a CRC proves the FPDU; without CRCs, if nothing in it makes its length uncertain. */
static bool ordinary_proven(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  if (ctx->info->crc != IWARP_TRISTATE_OFF) {
    return f->crc == IWARP_CRC_GOOD;
  }
  return f->crc == IWARP_CRC_UNCHECKED && !rulesi_framing_holds(ctx->ev) &&
         ordinary_alone(f->fpdu.wire, f->offset);
}

static bool ordinary_fpdu(const struct rules_ctx *ctx) {
  const iwarp_event_fpdu *f = &ctx->ev->u.fpdu;
  return f->complete && f->sync == IWARP_SYNC_STARTUP && !f->fpdu.markers &&
         f->fpdu.ulpdu_length <= IWARP_MPA_ULPDU_MAX && !ctx->ev->last.damaged &&
         ordinary_pad(f->fpdu.pad, f->fpdu.layout.pad) && ordinary_proven(ctx);
}

/* True if CRCs may be in use, or it is settled that neither they nor Markers are. */
static bool ordinary_settled(const struct ordinary *o) {
  const iwarp_observer_info *info = o->info;
  return info->crc != IWARP_TRISTATE_OFF ||
         (rules_settled_in(o->track, info, info->crc_by) &&
          rules_settled_in(o->track, info, info->side[o->f->side].markers_by));
}

bool rulesi_ordinary_steady(const struct rules_side *own, const struct rules_side *other) {
  return own->first.seen && own->startup.sure && own->startup.private_end == 0 &&
         !own->chain.start_unconfirmed && !own->chain.crc_unconfirmed && !own->terminate.seen &&
         (own->docket.open & QUESTIONS_UNTIL_OWN_NEXT) == 0 &&
         (other->docket.open & QUESTIONS_UNTIL_PEER_NEXT) == 0 &&
         !other->requests.recovery.joined && rulesi_interrupted_none(&own->messages.interrupted) &&
         own->chain.has_version && own->chain.dv == IWARP_DDP_VERSION;
}

/* The direction, which goes on where it ended. */
RULES_INLINE bool ordinary_side(const struct ordinary *o) {
  return o->f->pos == o->own->end &&
         (o->own->chain.steady ||
          (rulesi_ordinary_steady(o->own, o->other) && ordinary_settled(o)));
}

/* ---- the headers ---- */

static bool ordinary_headers(const iwarp_rdmap_seg *seg) {
  return seg->has_ddp && seg->err == IWARP_OK && seg->ddp.dv == IWARP_DDP_VERSION &&
         seg->ddp.rsvd == 0 && seg->ctrl.rv == IWARP_RDMAP_VERSION && seg->ctrl.rsv == 0;
}

RULES_INLINE bool ordinary_tagged(const struct ordinary *o) {
  return o->f->ddp.tagged && !rulesi_wraps(o->f->ddp.to, o->f->payload_len);
}

RULES_INLINE bool ordinary_untagged(const struct ordinary *o) {
  return !o->f->ddp.tagged && o->f->ddp.qn == IWARP_RDMAP_QN_SEND && o->f->ddp.rsvdulp_word == 0 &&
         o->f->payload_len > 0 && (uint64_t)o->f->ddp.mo + o->f->payload_len <= UINT32_MAX;
}

/* ---- the place ---- */

static uint8_t ordinary_slot(const iwarp_ddp_hdr *ddp) {
  return ddp->tagged ? RULES_SLOT_TAGGED : IWARP_RDMAP_QN_SEND;
}

RULES_INLINE bool ordinary_open(const struct rules_side *own) {
  bool open = false;
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    open = open || own->messages.slots[i].state == SLOT_OPEN;
  }
  return open;
}

/* True if the opcode is one of a Send: L of Immediate Data, on the same queue, is judged at once.
 */
static bool ordinary_is_send(uint8_t opcode) {
  return iwarp_rdmap_op_get(opcode)->cls == IWARP_RDMAP_CLASS_SEND;
}

RULES_INLINE bool ordinary_begins(const struct ordinary *o) {
  const struct rules_slot *s = o->slot;
  const bool first =
      o->f->ddp.tagged ? (s->state == SLOT_FRESH || s->state == SLOT_CLOSED) && !s->ended_with_holes
                       : s->state == SLOT_CLOSED && ordinary_is_send(s->opcode) &&
                             o->f->ddp.mo == 0 && o->f->ddp.msn == s->msn + 1u;
  return first && !ordinary_open(o->own);
}

RULES_INLINE bool ordinary_continues(const struct ordinary *o) {
  const struct rules_slot *s = o->slot;
  const bool in_place = o->f->ddp.tagged ? o->f->ddp.to == s->next && o->f->ddp.stag == s->stag
                                         : o->f->ddp.mo == s->next && o->f->ddp.msn == s->msn;
  return in_place && !s->next_unknown && s->opcode == o->f->opcode && s->start_seen &&
         o->f->payload_len > 0 && s->total + o->f->payload_len <= UINT32_MAX;
}

RULES_INLINE bool ordinary_is_open(const struct ordinary *o) {
  return o->slot->state == SLOT_OPEN;
}

/* True if the segment has the expected place. */
RULES_INLINE bool ordinary_placed(const struct ordinary *o) {
  return ordinary_is_open(o) ? ordinary_continues(o) : ordinary_begins(o);
}

/* ---- the kinds ---- */

RULES_INLINE bool ordinary_write(const struct ordinary *o) {
  return ordinary_tagged(o) && !o->own->response.known &&
         (o->f->payload_len > 0 || o->f->ddp.last || ordinary_is_open(o));
}

RULES_INLINE bool ordinary_read_resp(const struct ordinary *o) {
  const struct rules_response *r = &o->own->response;
  return ordinary_tagged(o) && !o->f->ddp.last && ordinary_is_open(o) && r->known &&
         r->request.details && !r->length_reported && !r->jumped && !o->other->requests.lost &&
         o->slot->total + o->f->payload_len <= r->request.read.size;
}

RULES_INLINE enum rules_ordinary ordinary_message(const struct ordinary *o) {
  if (o->f->opcode == IWARP_RDMAP_OP_WRITE && ordinary_write(o)) {
    return o->f->payload_len > 0 ? ORDINARY_WRITE : ORDINARY_EMPTY;
  }
  if (o->f->opcode == IWARP_RDMAP_OP_READ_RESP && ordinary_read_resp(o)) {
    return ORDINARY_READ_RESP;
  }
  const bool send = o->f->opcode == IWARP_RDMAP_OP_SEND || o->f->opcode == IWARP_RDMAP_OP_SEND_SE;
  return send && ordinary_untagged(o) ? ORDINARY_SEND : ORDINARY_MESSAGES;
}

/* A kind is 8 times its message, and these bits. */
#define ORDINARY_PADDED 1u
#define ORDINARY_LAST 2u
#define ORDINARY_CONTINUES 4u

/* The kind of a segment, where all is well with its FPDU and its headers. */
RULES_INLINE unsigned ordinary_kind(const struct ordinary *o, uint32_t pad) {
  if (!ordinary_side(o) || !ordinary_placed(o)) {
    return RULES_ORDINARY_NONE;
  }
  const enum rules_ordinary message = ordinary_message(o);
  if (message == ORDINARY_MESSAGES) {
    return RULES_ORDINARY_NONE;
  }
  return message * 8u + (ordinary_is_open(o) ? ORDINARY_CONTINUES : 0u) +
         (o->f->ddp.last ? ORDINARY_LAST : 0u) + (pad != 0 ? ORDINARY_PADDED : 0u);
}

bool rulesi_ordinary_answers(unsigned kind) {
  return kind / 8u == ORDINARY_READ_RESP;
}

iwarp_link rulesi_ordinary_link(unsigned kind) {
  return (iwarp_link){.goes_on = (kind & ORDINARY_CONTINUES) != 0 ? IWARP_TRISTATE_ON
                                                                  : IWARP_TRISTATE_OFF};
}

unsigned rulesi_ordinary(const struct rules_ctx *ctx) {
  if (ctx->ev->kind != IWARP_EVENT_FPDU || !ordinary_fpdu(ctx) ||
      !ordinary_headers(rules_seg(ctx))) {
    return RULES_ORDINARY_NONE;
  }
  const iwarp_rdmap_seg *seg = rules_seg(ctx);
  const iwarp_observer_fpdu f = {.side = ctx->ev->side,
                                 .ddp = seg->ddp,
                                 .pos = ctx->ev->pos,
                                 .payload_len = seg->payload_len,
                                 .opcode = seg->ctrl.opcode};
  const struct ordinary o = {.track = ctx->track,
                             .info = ctx->info,
                             .own = rules_own(ctx),
                             .other = rules_other(ctx),
                             .slot = &rules_own(ctx)->messages.slots[ordinary_slot(&f.ddp)],
                             .f = &f};
  return ordinary_kind(&o, ctx->ev->u.fpdu.fpdu.layout.pad);
}

RULES_APART unsigned rulesi_ordinary_fpdu(const struct rules_tracker *track,
                                          const iwarp_observer_info *info,
                                          const iwarp_observer_fpdu *f) {
  const size_t at = IWARP_MPA_LENGTH_LEN + (size_t)f->ulpdu_length;
  const uint8_t *pad = f->wire.ptr + at; /* bound: a whole FPDU, the CRC stands after PAD */
  if (f->ulpdu_length > IWARP_MPA_ULPDU_MAX || f->meta.damaged || !ordinary_pad(pad, f->pad) ||
      (info->crc == IWARP_TRISTATE_OFF && !ordinary_alone(f->wire, f->offset))) {
    return RULES_ORDINARY_NONE;
  }
  const struct rules_side *own = &track->side[f->side];
  const struct ordinary o = {.track = track,
                             .info = info,
                             .own = own,
                             .other = &track->side[1u - f->side],
                             .slot = &own->messages.slots[ordinary_slot(&f->ddp)],
                             .f = f};
  return ordinary_kind(&o, f->pad);
}

void rulesi_ordinary_facts(struct rules_ctx *ctx) {
  const iwarp_ddp_hdr *ddp = &rules_seg(ctx)->ddp;
  ctx->facts.depth = DEPTH_MESSAGE;
  ctx->facts.op = iwarp_rdmap_op_get(rules_seg(ctx)->ctrl.opcode);
  ctx->facts.placed = true;
  ctx->facts.slot = ordinary_slot(ddp);
  ctx->facts.step = rules_own(ctx)->messages.slots[ctx->facts.slot].state == SLOT_OPEN
                        ? STEP_CONTINUE
                        : STEP_START;
}
