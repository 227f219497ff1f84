/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs among the octets that PD_Length of a Reply takes for Private Data. */
#include "swallowed.h"

#include "evidence.h"
#include "framing.h"

/* The octets from `at` on, which is not past the end. */
static iwarp_span swallowed_rest(iwarp_span in, size_t at) {
  const uint8_t *from = in.ptr + at; /* bound: the callers compare */
  return (iwarp_span){from, in.len - at};
}

/* Reads the headers of a whole FPDU. */
static void swallowed_segment(iwarp_rdmap_seg *out, const iwarp_mpa_fpdu *f) {
  uint8_t octets[IWARP_RDMAP_HDR_MAX];
  const size_t len = iwarp_mpa_fpdu_ulpdu_copy(octets, sizeof(octets), f, 0);
  iwarp_rdmap_seg_decode(out, (iwarp_span){octets, len}, f->ulpdu_length);
}

/* Whether a side can begin with the segment. */
static bool swallowed_begins(const iwarp_rdmap_seg *seg) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  if (!seg->has_ddp || seg->err != IWARP_OK || seg->ddp.dv > IWARP_DDP_VERSION ||
      seg->ddp.dv != seg->ctrl.rv || !op->assigned || seg->ddp.tagged != op->tagged) {
    return false;
  }
  return op->tagged || (seg->ddp.qn == op->qn && seg->ddp.msn == 1 && seg->ddp.mo == 0);
}

/* The bit of the queue of an untagged segment. */
static uint8_t swallowed_queue(const iwarp_rdmap_seg *seg) {
  return seg->has_ddp && !seg->ddp.tagged && seg->ddp.qn < RULES_SLOT_TAGGED
             ? (uint8_t)(1u << seg->ddp.qn)
             : 0;
}

/* Whether the octets are FPDUs with right CRCs, of which the last one may be cut, and one at least
 * is whole. */
static bool swallowed_chain(uint8_t *queues, iwarp_span octets, bool markers) {
  struct framing_place rest = {.head = octets, .markers = markers};
  iwarp_mpa_fpdu f;
  iwarp_rdmap_seg seg;
  bool right = true;
  while (right && iwarp_mpa_fpdu_decode(&f, rest.head, rest.off, markers).err == IWARP_OK) {
    swallowed_segment(&seg, &f);
    right = iwarp_mpa_fpdu_crc(&f) == f.crc && (rest.off != 0 || swallowed_begins(&seg));
    *queues |= swallowed_queue(&seg);
    rest.off += f.layout.wire_len;
    rest.head = swallowed_rest(rest.head, f.layout.wire_len);
  }
  return right && rest.off != 0 && rulesi_framing_begins(&rest) != IWARP_TRISTATE_OFF;
}

/* Whether the frame is a Reply that accepts, and FPDUs can be found by their CRCs. */
static bool swallowed_readable(const struct rules_ctx *j) {
  return j->ev->u.startup.key == IWARP_MPA_KEY_REPLY && rules_startup_sure(j, j->ev->side) &&
         !j->info->rejected && j->info->crc == IWARP_TRISTATE_ON &&
         rules_settled(j, j->info->crc_by) && !j->ev->last.damaged &&
         j->info->side[j->ev->side].pd_length <= IWARP_MPA_PRIVATE_DATA_MAX;
}

/* Whether FPDUs begin `at` octets after the fixed part of the frame. */
static bool swallowed_from(struct rules_ctx *j, size_t at) {
  const iwarp_span data = j->ev->u.startup.frame.private_data;
  rules_own(j)->swallowed_queues = 0;
  return swallowed_chain(&rules_own(j)->swallowed_queues, swallowed_rest(data, at),
                         j->info->side[j->ev->side].markers == IWARP_TRISTATE_ON);
}

/* Whether the first FPDU of the Initiator has a right CRC, and the Responder had received it when
 * it sent the last octets of the frame. */
static bool swallowed_answers(const struct rules_ctx *j) {
  const struct rules_side *other = rules_other(j);
  return other->first.at_start && other->first_event.u.fpdu.crc == IWARP_CRC_GOOD &&
         !other->first_event.last.damaged && j->ev->last.peer_pos != IWARP_POS_UNKNOWN &&
         j->ev->last.peer_pos >= other->first.end;
}

/* Up to where the Initiator had received the Reply tells where FPDUs may begin. Without its octets
 * they may begin anywhere. */
static void swallowed_look(struct rules_ctx *j) {
  const iwarp_ev_startup *s = &j->ev->u.startup;
  struct rules_side *own = rules_own(j);
  const uint64_t data = j->ev->pos + IWARP_MPA_STARTUP_LEN;
  const uint64_t end = data + s->frame.private_data.len;
  const uint64_t least = end - s->ulp_data.len;
  const uint64_t received = rules_other(j)->first_event.first.peer_pos;
  if (j->info->side[j->ev->side].gap) {
    own->swallowed = s->err != IWARP_OK ? SWALLOWED_HOLED : SWALLOWED_NOT;
  } else if (rulesi_reply(j) == NULL || j->info->side[rules_peer(j)].gap) {
    for (uint64_t at = least; own->swallowed == SWALLOWED_NOT && at < end; at++) {
      own->swallowed = swallowed_from(j, (size_t)(at - data)) ? SWALLOWED_UNKNOWN : SWALLOWED_NOT;
    }
  } else if (rules_settled(j, j->info->side[j->ev->side].markers_by) && swallowed_answers(j) &&
             received >= least && received < end && swallowed_from(j, (size_t)(received - data))) {
    own->swallowed = SWALLOWED_LIKELY;
    own->swallowed_pos = received;
  }
}

/* Without some octets of the Private Data only what comes right after them shows whether they end
 * there: octets that are no FPDU may be the midst of one. */
static void swallowed_holed(struct rules_ctx *j) {
  const iwarp_ev_fpdu *f = &j->ev->u.fpdu;
  const uint64_t end = j->ev->pos + j->ev->len;
  if (j->ev->kind == IWARP_EVENT_GAP && end <= j->info->side[j->ev->side].startup_end) {
    return;
  }
  const bool wrong = j->ev->kind == IWARP_EVENT_FPDU && f->crc == IWARP_CRC_BAD;
  rules_own(j)->swallowed =
      wrong || j->ev->kind == IWARP_EVENT_UNDECODABLE ? SWALLOWED_UNKNOWN : SWALLOWED_NOT;
}

/* Whether the FPDU begins a queue on which something was sent before, if what looked like FPDUs
 * were some. */
static bool swallowed_refuted(const struct rules_ctx *j) {
  const iwarp_ev_fpdu *f = &j->ev->u.fpdu;
  return j->ev->kind == IWARP_EVENT_FPDU && f->crc == IWARP_CRC_GOOD &&
         (swallowed_queue(&f->seg) & rules_own(j)->swallowed_queues) != 0 && f->seg.ddp.msn == 1 &&
         f->seg.ddp.mo == 0;
}

/* Where octets are missing, or no FIN says that none follows, the answer may be among them. */
static void swallowed_decide(struct rules_ctx *j) {
  struct rules_side *own = rules_own(j);
  const bool cut = j->ev->kind == IWARP_EVENT_END && j->ev->u.end != IWARP_END_FIN;
  if (cut || j->info->side[0].gap || j->info->side[1].gap) {
    own->swallowed = SWALLOWED_UNKNOWN;
  } else {
    own->swallowed = swallowed_refuted(j) ? SWALLOWED_NOT : SWALLOWED_CERTAIN;
  }
  j->facts.swallowed = true;
}

void rulesi_swallowed_classify(struct rules_ctx *j) {
  struct rules_side *own = rules_own(j);
  if (j->ev->kind == IWARP_EVENT_STARTUP && swallowed_readable(j)) {
    swallowed_look(j);
  } else if (own->swallowed == SWALLOWED_HOLED) {
    swallowed_holed(j);
  } else if (own->swallowed == SWALLOWED_LIKELY) {
    swallowed_decide(j);
  }
  own->framing.reported = own->framing.reported || rules_swallowed(own);
}
