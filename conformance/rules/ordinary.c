/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that go on as all before them did. */
#include "ordinary.h"

/* ---- the FPDU ---- */

static bool ordinary_pad(const iwarp_mpa_fpdu *f) {
  uint8_t any = 0;
  for (uint32_t i = 0; i < f->layout.pad; i++) {
    any |= f->pad[i];
  }
  return any == 0;
}

static bool ordinary_fpdu(const struct rules_ctx *j) {
  const iwarp_ev_fpdu *f = &j->ev->u.fpdu;
  return f->complete && f->crc == IWARP_CRC_GOOD && f->sync == IWARP_SYNC_STARTUP &&
         !f->fpdu.markers && f->fpdu.ulpdu_length <= IWARP_MPA_ULPDU_MAX && !j->ev->last.damaged &&
         j->info->crc != IWARP_TRISTATE_OFF && ordinary_pad(&f->fpdu);
}

/* The direction, of which nothing is missing and nothing was wrong that lasts. */
static bool ordinary_side(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  return own->first.seen && own->startup_sure && own->private_end == 0 && j->ev->pos == own->end &&
         !own->doubt && !own->crc_doubt && !own->terminated && !own->framing.waiting &&
         own->has_version && own->dv == IWARP_DDP_VERSION;
}

/* ---- the headers ---- */

static bool ordinary_headers(const iwarp_rdmap_seg *seg) {
  return seg->has_ddp && seg->err == IWARP_OK && seg->ddp.dv == IWARP_DDP_VERSION &&
         seg->ddp.rsvd == 0 && seg->ctrl.rv == IWARP_RDMAP_VERSION && seg->ctrl.rsv == 0;
}

static bool ordinary_tagged(const iwarp_rdmap_seg *seg) {
  return seg->ddp.tagged &&
         (seg->payload_len == 0 || seg->payload_len - 1 <= UINT64_MAX - seg->ddp.to);
}

static bool ordinary_untagged(const iwarp_rdmap_seg *seg) {
  return !seg->ddp.tagged && seg->ddp.qn == IWARP_RDMAP_QN_SEND && seg->ddp.rsvdulp_word == 0 &&
         seg->payload_len > 0 && (uint64_t)seg->ddp.mo + seg->payload_len <= UINT32_MAX;
}

/* ---- the place ---- */

static bool ordinary_open(const struct rules_side *own) {
  bool open = false;
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    open = open || own->slots[i].state == SLOT_OPEN;
  }
  return open;
}

static bool ordinary_begins(const struct rules_side *own, const iwarp_rdmap_seg *seg) {
  const struct rules_slot *s = &own->slots[seg->ddp.tagged ? RULES_SLOT_TAGGED : 0u];
  const bool first =
      seg->ddp.tagged ? s->state == SLOT_FRESH || s->state == SLOT_CLOSED
                      : s->state == SLOT_CLOSED && seg->ddp.mo == 0 && seg->ddp.msn == s->msn + 1u;
  return first && !ordinary_open(own);
}

static bool ordinary_continues(const struct rules_side *own, const iwarp_rdmap_seg *seg) {
  const struct rules_slot *s = &own->slots[seg->ddp.tagged ? RULES_SLOT_TAGGED : 0u];
  const bool in_place = seg->ddp.tagged ? seg->ddp.stag == s->stag && seg->ddp.to == s->next
                                        : seg->ddp.msn == s->msn && seg->ddp.mo == s->next;
  return s->state == SLOT_OPEN && s->opcode == seg->ctrl.opcode && in_place && s->start_seen &&
         seg->payload_len > 0 && s->total + seg->payload_len <= UINT32_MAX;
}

/* ---- the kinds ---- */

static bool ordinary_write(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  const iwarp_rdmap_seg *seg = rules_seg(j);
  return ordinary_tagged(seg) && !own->response.known &&
         (ordinary_continues(own, seg) ||
          ((seg->payload_len > 0 || seg->ddp.last) && ordinary_begins(own, seg)));
}

static bool ordinary_read_resp(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  const struct rules_response *r = &own->response;
  const iwarp_rdmap_seg *seg = rules_seg(j);
  return ordinary_tagged(seg) && !seg->ddp.last && ordinary_continues(own, seg) && r->known &&
         r->request.details && !r->length_said && !rules_other(j)->requests.lost &&
         own->slots[RULES_SLOT_TAGGED].total + seg->payload_len <= r->request.read.size;
}

static bool ordinary_send(const struct rules_ctx *j) {
  const struct rules_side *own = rules_own(j);
  const iwarp_rdmap_seg *seg = rules_seg(j);
  return ordinary_untagged(seg) && (ordinary_continues(own, seg) || ordinary_begins(own, seg));
}

static enum rules_ordinary ordinary_message(const struct rules_ctx *j) {
  const uint8_t opcode = rules_seg(j)->ctrl.opcode;
  if (opcode == IWARP_RDMAP_OP_WRITE && ordinary_write(j)) {
    return rules_seg(j)->payload_len > 0 ? ORDINARY_WRITE : ORDINARY_EMPTY;
  }
  if (opcode == IWARP_RDMAP_OP_READ_RESP && ordinary_read_resp(j)) {
    return ORDINARY_READ_RESP;
  }
  const bool send = opcode == IWARP_RDMAP_OP_SEND || opcode == IWARP_RDMAP_OP_SEND_SE;
  return send && ordinary_send(j) ? ORDINARY_SEND : ORDINARY_MESSAGES;
}

static uint8_t ordinary_slot(const iwarp_rdmap_seg *seg) {
  return seg->ddp.tagged ? RULES_SLOT_TAGGED : IWARP_RDMAP_QN_SEND;
}

/* Whether a message of the slot is under way, so that an ordinary segment continues it. */
static bool ordinary_inside(const struct rules_ctx *j) {
  return rules_own(j)->slots[ordinary_slot(rules_seg(j))].state == SLOT_OPEN;
}

unsigned rulesi_ordinary(const struct rules_ctx *j) {
  if (j->ev->kind != IWARP_EVENT_FPDU || !ordinary_fpdu(j) || !ordinary_side(j) ||
      !ordinary_headers(rules_seg(j))) {
    return RULES_ORDINARY_NONE;
  }
  const enum rules_ordinary message = ordinary_message(j);
  if (message == ORDINARY_MESSAGES) {
    return RULES_ORDINARY_NONE;
  }
  return message * 8u + (ordinary_inside(j) ? 4u : 0u) + (rules_seg(j)->ddp.last ? 2u : 0u) +
         (j->ev->u.fpdu.fpdu.layout.pad != 0 ? 1u : 0u);
}

void rulesi_ordinary_facts(struct rules_ctx *j) {
  j->facts.depth = DEPTH_MESSAGE;
  j->facts.op = iwarp_rdmap_op_get(rules_seg(j)->ctrl.opcode);
  j->facts.placed = true;
  j->facts.slot = ordinary_slot(rules_seg(j));
  j->facts.step = ordinary_inside(j) ? STEP_CONTINUE : STEP_START;
}
