/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds where a Terminate stands: in the startup, or after Full Operation traffic of its receiver.
 */
#include "term_place.h"

/* Returns true if a side may send an RTR frame: it is the Initiator of the peer-to-peer model, or
 * its startup frame is unknown. RFC 6581 6 */
static bool place_may_send_rtr(const iwarp_observer_side *side) {
  return !side->has_startup || (!side->is_reply && side->enhanced && side->enh.a);
}

/* Returns true if the message may be empty. A Read Request whose size was not captured may be
 * empty. */
static bool place_is_empty(const iwarp_rdmap_seg *seg) {
  if (seg->ctrl.opcode == IWARP_RDMAP_OP_READ_REQ) {
    return seg->kind != IWARP_RDMAP_KIND_READ_REQ || seg->u.read_req.size == 0;
  }
  return seg->payload_len == 0;
}

/* Returns true if the first segment of a side may belong to the startup. Only opcodes of RFC 5040
 * do. */
static bool place_opens(const iwarp_observer_side *side, const iwarp_rdmap_seg *seg) {
  if (seg->kind == IWARP_RDMAP_KIND_TERM) {
    return true;
  }
  return seg->ctrl.rv == IWARP_RDMAP_VERSION && iwarp_rdmap_op_get(seg->ctrl.opcode)->base &&
         place_may_send_rtr(side) && place_is_empty(seg);
}

/* Returns true if a side has sent no FPDU, or only one that may belong to the startup. */
static bool place_only_opened(const iwarp_observer_side *side, bool opens) {
  return side->num_fpdus == 0 || (side->num_fpdus == 1 && opens);
}

static iwarp_rdmap_term_place place_of(const iwarp_observer_info *info, uint8_t sender, bool silent,
                                       const bool opens[2]) {
  const uint8_t peer = (uint8_t)(1u - sender);
  const iwarp_observer_side *own = &info->side[sender];
  if (!silent) {
    return place_only_opened(&info->side[peer], opens[peer]) ? IWARP_RDMAP_TERM_PLACE_UNKNOWN
                                                             : IWARP_RDMAP_TERM_PLACE_FULL;
  }
  const bool startup = own->has_startup && !own->gap && place_only_opened(own, opens[sender]);
  return startup ? IWARP_RDMAP_TERM_PLACE_STARTUP : IWARP_RDMAP_TERM_PLACE_UNKNOWN;
}

void iwarpi_term_place_note(iwarp_event *ev, const iwarp_observer_info *info, bool silent,
                            bool opens[2]) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  if (seg->kind == IWARP_RDMAP_KIND_TERM) {
    ev->u.fpdu.term_place = place_of(info, ev->side, silent, opens);
  }
  if (info->side[ev->side].num_fpdus == 0) {
    opens[ev->side] = place_opens(&info->side[ev->side], seg);
  }
}
