/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the octets of a segment go. RFC 5041 5.1, 5.3, 8.3.1 */
#include "../base/span.h"
#include "ep_priv.h"

/* iwarpi_ep_place begins to place the octets of a segment, which may be before its turn. */
void iwarpi_ep_place(iwarp_endpoint *ep, const ep_segment *seg) {
  ep_placing *p = &ep->placing;
  *p = (ep_placing){.on = seg->len > 0 && seg->op->payload, .fpdu = seg->fpdu->mpa};
  if (!p->on) {
    return;
  }
  if (seg->ddp->tagged) {
    const iwarp_endpoint_region *v = &iwarpi_ep_region(&ep->memory, seg->ddp->stag)->v;
    p->skip = IWARP_DDP_TAGGED_LEN;
    p->place = (iwarp_endpoint_place){
        .tagged = true, .stag = v->stag, .offset = seg->ddp->to - v->base, .dst = v->mem};
  } else {
    const ep_recv *buffer = iwarpi_ep_rq_at(&ep->rq, seg->ddp->msn - ep->rx.msn[seg->ddp->qn]);
    p->skip = IWARP_DDP_UNTAGGED_LEN;
    p->place =
        (iwarp_endpoint_place){.token = buffer->token, .offset = seg->ddp->mo, .dst = buffer->mem};
  }
  if (p->place.dst != NULL) {
    p->place.dst += (size_t)p->place.offset; /* bound: iwarpi_ep_check */
  }
}

/* The next octets of a segment that lie together, Markers left out; false after the last. */
static bool place_next_run(iwarp_span *run, ep_placing *p) {
  while (iwarp_mpa_fpdu_ulpdu_span(run, &p->cursor, &p->fpdu) == IWARP_OK) {
    const size_t skip = run->len < p->skip ? run->len : p->skip;
    p->skip -= skip;
    *run = span_from(*run, skip);
    if (run->len > 0) {
      return true;
    }
  }
  return false;
}

/* iwarpi_ep_place_event names the next octets of the current segment. */
bool iwarpi_ep_place_event(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  ep_placing *p = &ep->placing;
  iwarp_span run;
  p->on = p->on && place_next_run(&run, p);
  if (!p->on) {
    return false;
  }
  p->place.src = run;
  ev->kind = IWARP_ENDPOINT_EVENT_PLACE;
  ev->u.place = p->place;
  p->place.offset += run.len;
  if (p->place.dst != NULL) {
    p->place.dst += run.len; /* bound: iwarpi_ep_check */
  }
  return true;
}

/*
 * iwarpi_ep_abort_placement: the stream ends if octets of the current segment are still to be
 * placed in region `stag`, to which all access has ended. RFC 5041 8.3.1
 */
ep_input iwarpi_ep_abort_placement(iwarp_endpoint *ep, uint32_t stag) {
  ep_placing left = ep->placing;
  iwarp_span run;
  if (!left.on || !left.place.tagged || left.place.stag != stag || !place_next_run(&run, &left)) {
    return EP_NO_INPUT;
  }
  return iwarpi_ep_fault_of_fpdu(&ep->fault, iwarpi_ep_sink_terms.invalid, &left.fpdu);
}
