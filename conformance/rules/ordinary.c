/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that go on as all before them did. */
#include "ordinary.h"

/* A segment, and what is known of both directions: all that the place and the kind depend on. */
struct ordinary {
  const struct rules_side *own;
  const struct rules_side *other;
  const struct rules_slot *slot; /* of the message to which it may belong */
  const iwarp_ddp_hdr *ddp;
  uint64_t pos;
  size_t payload_len;
  uint8_t opcode;
};

/* ---- the FPDU ---- */

/* Whether the octets at `at` are zeros. */
static bool ordinary_pad(const uint8_t *octets, size_t at, uint32_t len) {
  uint8_t any = 0;
  for (uint32_t i = 0; i < len; i++) {
    any |= octets[at + i];
  }
  return any == 0;
}

static bool ordinary_fpdu(const struct rules_ctx *j) {
  const iwarp_ev_fpdu *f = &j->ev->u.fpdu;
  return f->complete && f->crc == IWARP_CRC_GOOD && f->sync == IWARP_SYNC_STARTUP &&
         !f->fpdu.markers && f->fpdu.ulpdu_length <= IWARP_MPA_ULPDU_MAX && !j->ev->last.damaged &&
         j->info->crc != IWARP_TRISTATE_OFF && ordinary_pad(f->fpdu.pad, 0, f->fpdu.layout.pad);
}

bool rulesi_ordinary_steady(const struct rules_side *own) {
  return own->first.seen && own->startup_sure && own->private_end == 0 && !own->start_unconfirmed &&
         !own->crc_unconfirmed && !own->terminated && !own->framing.waiting && !own->ordering &&
         own->has_version && own->dv == IWARP_DDP_VERSION;
}

/* The direction, which goes on where it ended. */
static bool ordinary_side(const struct ordinary *o) {
  return o->pos == o->own->end && (o->own->steady || rulesi_ordinary_steady(o->own));
}

/* ---- the headers ---- */

static bool ordinary_headers(const iwarp_rdmap_seg *seg) {
  return seg->has_ddp && seg->err == IWARP_OK && seg->ddp.dv == IWARP_DDP_VERSION &&
         seg->ddp.rsvd == 0 && seg->ctrl.rv == IWARP_RDMAP_VERSION && seg->ctrl.rsv == 0;
}

static bool ordinary_tagged(const struct ordinary *o) {
  return o->ddp->tagged && (o->payload_len == 0 || o->payload_len - 1 <= UINT64_MAX - o->ddp->to);
}

static bool ordinary_untagged(const struct ordinary *o) {
  return !o->ddp->tagged && o->ddp->qn == IWARP_RDMAP_QN_SEND && o->ddp->rsvdulp_word == 0 &&
         o->payload_len > 0 && (uint64_t)o->ddp->mo + o->payload_len <= UINT32_MAX;
}

/* ---- the place ---- */

static uint8_t ordinary_slot(const iwarp_ddp_hdr *ddp) {
  return ddp->tagged ? RULES_SLOT_TAGGED : IWARP_RDMAP_QN_SEND;
}

static bool ordinary_open(const struct rules_side *own) {
  bool open = false;
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    open = open || own->slots[i].state == SLOT_OPEN;
  }
  return open;
}

static inline bool ordinary_begins(const struct ordinary *o) {
  const struct rules_slot *s = o->slot;
  const bool first = o->ddp->tagged
                         ? s->state == SLOT_FRESH || s->state == SLOT_CLOSED
                         : s->state == SLOT_CLOSED && o->ddp->mo == 0 && o->ddp->msn == s->msn + 1u;
  return first && !ordinary_open(o->own);
}

static inline bool ordinary_continues(const struct ordinary *o) {
  const struct rules_slot *s = o->slot;
  if (s->state != SLOT_OPEN || s->next_unknown) {
    return false;
  }
  const bool in_place = o->ddp->tagged ? o->ddp->stag == s->stag && o->ddp->to == s->next
                                       : o->ddp->msn == s->msn && o->ddp->mo == s->next;
  return s->opcode == o->opcode && in_place && s->start_seen && o->payload_len > 0 &&
         s->total + o->payload_len <= UINT32_MAX;
}

/* ---- the kinds ---- */

static inline bool ordinary_write(const struct ordinary *o) {
  return ordinary_tagged(o) && !o->own->response.known &&
         (ordinary_continues(o) || ((o->payload_len > 0 || o->ddp->last) && ordinary_begins(o)));
}

static inline bool ordinary_read_resp(const struct ordinary *o) {
  const struct rules_response *r = &o->own->response;
  return ordinary_tagged(o) && !o->ddp->last && ordinary_continues(o) && r->known &&
         r->request.details && !r->length_said && !o->other->requests.lost &&
         o->slot->total + o->payload_len <= r->request.read.size;
}

static inline bool ordinary_send(const struct ordinary *o) {
  return ordinary_untagged(o) && (ordinary_continues(o) || ordinary_begins(o));
}

static inline enum rules_ordinary ordinary_message(const struct ordinary *o) {
  if (o->opcode == IWARP_RDMAP_OP_WRITE && ordinary_write(o)) {
    return o->payload_len > 0 ? ORDINARY_WRITE : ORDINARY_EMPTY;
  }
  if (o->opcode == IWARP_RDMAP_OP_READ_RESP && ordinary_read_resp(o)) {
    return ORDINARY_READ_RESP;
  }
  const bool send = o->opcode == IWARP_RDMAP_OP_SEND || o->opcode == IWARP_RDMAP_OP_SEND_SE;
  return send && ordinary_send(o) ? ORDINARY_SEND : ORDINARY_MESSAGES;
}

/* The kind of a segment, where all is well with its FPDU and its headers. */
static inline unsigned ordinary_kind(const struct ordinary *o, uint32_t pad) {
  const enum rules_ordinary message = ordinary_side(o) ? ordinary_message(o) : ORDINARY_MESSAGES;
  if (message == ORDINARY_MESSAGES) {
    return RULES_ORDINARY_NONE;
  }
  return message * 8u + (o->slot->state == SLOT_OPEN ? 4u : 0u) + (o->ddp->last ? 2u : 0u) +
         (pad != 0 ? 1u : 0u);
}

unsigned rulesi_ordinary(const struct rules_ctx *j) {
  if (j->ev->kind != IWARP_EVENT_FPDU || !ordinary_fpdu(j) || !ordinary_headers(rules_seg(j))) {
    return RULES_ORDINARY_NONE;
  }
  const iwarp_rdmap_seg *seg = rules_seg(j);
  const struct ordinary o = {.own = rules_own(j),
                             .other = rules_other(j),
                             .slot = &rules_own(j)->slots[ordinary_slot(&seg->ddp)],
                             .ddp = &seg->ddp,
                             .pos = j->ev->pos,
                             .payload_len = seg->payload_len,
                             .opcode = seg->ctrl.opcode};
  return ordinary_kind(&o, j->ev->u.fpdu.fpdu.layout.pad);
}

unsigned rulesi_ordinary_fpdu(const struct rules_tracker *track, const iwarp_observer_info *info,
                              const iwarp_observer_fpdu *f) {
  const size_t pad = IWARP_MPA_LENGTH_LEN + (size_t)f->ulpdu_length;
  if (f->ulpdu_length > IWARP_MPA_ULPDU_MAX || f->meta.damaged || info->crc == IWARP_TRISTATE_OFF ||
      !ordinary_pad(f->wire.ptr, pad, f->pad)) {
    return RULES_ORDINARY_NONE;
  }
  const struct rules_side *own = &track->side[f->side];
  const struct ordinary o = {.own = own,
                             .other = &track->side[1u - f->side],
                             .slot = &own->slots[ordinary_slot(&f->ddp)],
                             .ddp = &f->ddp,
                             .pos = f->pos,
                             .payload_len = f->payload_len,
                             .opcode = f->opcode};
  return ordinary_kind(&o, f->pad);
}

void rulesi_ordinary_facts(struct rules_ctx *j) {
  const iwarp_ddp_hdr *ddp = &rules_seg(j)->ddp;
  j->facts.depth = DEPTH_MESSAGE;
  j->facts.op = iwarp_rdmap_op_get(rules_seg(j)->ctrl.opcode);
  j->facts.placed = true;
  j->facts.slot = ordinary_slot(ddp);
  j->facts.step =
      rules_own(j)->slots[j->facts.slot].state == SLOT_OPEN ? STEP_CONTINUE : STEP_START;
}
