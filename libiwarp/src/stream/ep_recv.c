/* SPDX-License-Identifier: BSD-2-Clause */
/* What an endpoint does with an FPDU of its peer. RFC 5040 5 and 7, RFC 5044 6 and 8 */
#include <string.h>

#include <iwarp/shared.h>

#include "ep_priv.h"

/* ---- messages that are complete ---- */

/* A Send type or Immediate Data. The STag is invalid before the ULP hears of it. RFC 5040 5.3 */
static ep_input recv_deliver(iwarp_endpoint *ep, const ep_segment *seg) {
  iwarp_endpoint_received *d = &ep->rx.delivery;
  *d = (iwarp_endpoint_received){.opcode = (iwarp_rdmap_opcode)seg->opcode,
                                 .solicited = seg->op->solicited};
  if (seg->op->hdr_len > 0) {
    memcpy(d->immediate, ep->rx.inner, sizeof d->immediate);
  } else {
    d->len = seg->ddp->mo + seg->len;
  }
  if (seg->op->invalidates) {
    d->invalidated = true;
    d->stag = seg->ddp->rsvdulp_word;
    (void)iwarp_regions_invalidate(ep->memory.regions, d->stag);
  }
  ep->rx.delivering = !iwarpi_ep_is_rtr(ep, seg);
  return EP_NO_INPUT;
}

static ep_input recv_request(iwarp_endpoint *ep, const ep_segment *seg) {
  const ep_serving s = ep_serving_of(ep);
  return iwarpi_ep_request(&s, seg, (iwarp_span){ep->rx.inner, ep->rx.inner_len});
}

static ep_input recv_read_response(iwarp_endpoint *ep) {
  iwarpi_ep_sq_answered(&ep->sq, iwarpi_ep_sq_oldest(&ep->sq));
  return EP_NO_INPUT;
}

static ep_input recv_atomic_response(iwarp_endpoint *ep) {
  ep_op *op = iwarpi_ep_sq_oldest(&ep->sq);
  iwarp_rdmap_atomic_resp resp;
  (void)iwarp_rdmap_atomic_resp_decode(&resp, (iwarp_span){ep->rx.inner, ep->rx.inner_len});
  op->original = resp.original;
  iwarpi_ep_sq_answered(&ep->sq, op);
  return EP_NO_INPUT;
}

/* iwarpi_ep_terminated says what the peer's Terminate said, and is likely to mean. */
void iwarpi_ep_terminated(const iwarp_endpoint *ep, iwarp_endpoint_terminated *out) {
  *out = (iwarp_endpoint_terminated){.readable = ep->end.term_readable};
  if (out->readable) {
    (void)iwarp_rdmap_term_decode(&out->term, (iwarp_span){ep->rx.inner, ep->rx.inner_len});
    out->has_likely = iwarp_rdmap_term_likely(&out->likely, &out->term);
  }
}

/* A Terminate that returns the header of a segment says which operation the peer refused. */
static void recv_refused(iwarp_endpoint *ep, const iwarp_rdmap_term *term) {
  iwarp_ddp_hdr hdr;
  if (iwarp_ddp_hdr_decode(&hdr, term->ddp_header).err == IWARP_OK) {
    iwarpi_ep_sq_refuse(&ep->sq, &hdr);
  }
}

static ep_input recv_terminate(iwarp_endpoint *ep, bool readable) {
  iwarp_endpoint_terminated t;
  ep->end.term_readable = readable;
  iwarpi_ep_terminated(ep, &t);
  recv_refused(ep, t.has_likely ? &t.likely : &t.term);
  return EP_GOT_TERMINATE;
}

static ep_input recv_complete(iwarp_endpoint *ep, const ep_segment *seg) {
  if (!seg->ddp->tagged) {
    ep->rx.msn[seg->ddp->qn]++;
  }
  switch (seg->opcode) {
  case IWARP_RDMAP_OP_WRITE: return EP_NO_INPUT; /* the ULP hears nothing of it, RFC 5040 5.1 */
  case IWARP_RDMAP_OP_READ_RESP: return recv_read_response(ep);
  case IWARP_RDMAP_OP_READ_REQ:
  case IWARP_RDMAP_OP_ATOMIC_REQ: return recv_request(ep, seg);
  case IWARP_RDMAP_OP_ATOMIC_RESP: return recv_atomic_response(ep);
  case IWARP_RDMAP_OP_TERMINATE: return recv_terminate(ep, true);
  default: return recv_deliver(ep, seg);
  }
}

/* ---- segments ---- */

static ep_input recv_fault(iwarp_endpoint *ep, uint16_t term, const ep_segment *seg) {
  if (seg->opcode == IWARP_RDMAP_OP_TERMINATE) {
    return recv_terminate(ep, false); /* it is never answered, RFC 5040 7.1 */
  }
  const bool read = seg->opcode == IWARP_RDMAP_OP_READ_REQ;
  return iwarpi_ep_fault_of_segment(&ep->fault, term, seg,
                                    (iwarp_span){ep->rx.inner, read ? ep->rx.inner_len : 0});
}

static ep_input recv_segment(iwarp_endpoint *ep, ep_segment *seg) {
  const uint16_t term = iwarpi_ep_check(ep, seg);
  const ep_sinks sinks = ep_sinks_of(ep);
  if (term != EP_OK) {
    return recv_fault(ep, term, seg);
  }
  ep->rx.msg =
      (ep_message){.active = !seg->ddp->last, .opcode = seg->opcode, .mo = seg->ddp->mo + seg->len};
  iwarpi_ep_place(&ep->placing, &sinks, seg);
  if (seg->opcode == IWARP_RDMAP_OP_READ_RESP) {
    iwarpi_ep_sq_oldest(&ep->sq)->got += seg->len;
    ep->placing.ends_read = seg->ddp->last;
  }
  return seg->ddp->last ? recv_complete(ep, seg) : EP_NO_INPUT;
}

/* iwarpi_ep_fpdu_fault says what is wrong with an FPDU by MPA: EP_FAULT or NO_INPUT. RFC 5044 8 */
ep_input iwarpi_ep_fpdu_fault(iwarp_endpoint *ep, const ep_fpdu *fpdu) {
  if (fpdu->crc_bad) {
    return iwarpi_ep_fault(&ep->fault, IWARP_TERM_MPA_CRC);
  }
  return iwarpi_ep_markers_right(&fpdu->mpa) ? EP_NO_INPUT
                                             : iwarpi_ep_fault(&ep->fault, IWARP_TERM_MPA_MARKER);
}

/*
 * iwarpi_ep_receive takes the segment of an FPDU that is right by MPA; `first`: it is the first one
 * of the peer. It returns EP_FAULT, EP_GOT_TERMINATE or NO_INPUT.
 */
ep_input iwarpi_ep_receive(iwarp_endpoint *ep, const ep_fpdu *fpdu, bool first) {
  if (!fpdu->seg.has_ddp) {
    return iwarpi_ep_fault(&ep->fault, IWARP_TERM_DDP_LOCAL);
  }
  ep_segment seg;
  iwarpi_ep_segment(&seg, fpdu);
  seg.first = first;
  return recv_segment(ep, &seg);
}
