/* SPDX-License-Identifier: BSD-2-Clause */
/* What an endpoint does with an FPDU: placement, delivery, faults. RFC 5040 5 and 7, RFC 5041 5 */
#include <string.h>

#include "../base/cursor.h"
#include "../base/span.h"
#include "ep_priv.h"

#define RECV_WORD_LAYER_SHIFT 12
#define RECV_WORD_ETYPE_SHIFT 8
#define RECV_LAYER_LLP 2u

/* ---- faults ---- */

/* iwarpi_ep_may_fault says whether a fault can be told: only the first one is, and none at the end.
 */
bool iwarpi_ep_may_fault(const iwarp_endpoint *ep) {
  return iwarpi_ep_cell(ep->info.state, EP_FAULT)->action != EP_DO_NEVER && !ep->fault_sent;
}

/* Reports a fault; `header` is the DDP header of the segment to blame, `read` the RDMAP header. */
static void recv_fault(iwarp_endpoint *ep, uint16_t word, iwarp_span header, uint16_t segment_len,
                       iwarp_span read) {
  iwarp_rdmap_term *t = &ep->fault;
  if (!iwarpi_ep_may_fault(ep)) {
    return;
  }
  *t = (iwarp_rdmap_term){.layer = (uint8_t)(word >> RECV_WORD_LAYER_SHIFT),
                          .etype = (uint8_t)(word >> RECV_WORD_ETYPE_SHIFT & 0xF),
                          .code = (uint8_t)(word & 0xFF)};
  if (header.len > 0) { /* RFC 5040 4.8 figure 10 */
    t->m = true;
    t->d = true;
    t->has_ddp_segment_length = true;
    t->ddp_segment_length = segment_len;
    t->ddp_header = header;
  }
  if (t->layer == 0 && t->etype == 1 && read.len > 0) {
    t->r = true;
    t->rdma_header = read;
  }
  (void)iwarpi_ep_dispatch(ep, EP_FAULT);
  t->ddp_header = (iwarp_span){0}; /* they were copied */
  t->rdma_header = (iwarp_span){0};
}

/* A fault that is not tied to a segment. */
void iwarpi_ep_fault(iwarp_endpoint *ep, uint16_t word) {
  recv_fault(ep, word, (iwarp_span){0}, 0, (iwarp_span){0});
}

/* A fault of a Request that was received before, of whose Response `served` octets were sent. */
void iwarpi_ep_fault_of_read(iwarp_endpoint *ep, uint16_t word, const ep_inbound *in,
                             uint32_t served) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  size_t len = 0;
  if (!in->atomic) {
    iwarp_rdmap_read_req left = in->u.read; /* RFC 5040 4.8 */
    left.sink_to += served;
    left.size -= served;
    left.source_to += served;
    (void)iwarp_rdmap_read_req_encode(octets, sizeof octets, &len, &left);
  }
  const uint32_t inner = in->atomic ? IWARP_RDMAP_ATOMIC_REQ_LEN : IWARP_RDMAP_READ_REQ_LEN;
  recv_fault(ep, word, (iwarp_span){in->header, sizeof in->header},
             (uint16_t)(sizeof in->header + inner), (iwarp_span){octets, len});
}

/* A fault of the segment under examination. */
static void recv_fault_of_segment(iwarp_endpoint *ep, uint16_t word, const ep_segment *seg) {
  const size_t len = seg->ddp->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const bool read = seg->opcode == IWARP_RDMAP_OP_READ_REQ;
  recv_fault(ep, word, span_first(seg->fpdu->octets, len), seg->fpdu->mpa.ulpdu_length,
             (iwarp_span){ep->inner, read ? ep->inner_len : 0});
}

/* ---- placement ---- */

/* iwarpi_ep_place begins to tell where the octets of a segment go, which may be ahead of its turn.
 */
void iwarpi_ep_place(iwarp_endpoint *ep, const ep_segment *seg) {
  ep_placing *p = &ep->placing;
  *p = (ep_placing){.on = seg->len > 0 && seg->op->payload, .fpdu = seg->fpdu->mpa};
  if (!p->on) {
    return;
  }
  if (seg->ddp->tagged) {
    const iwarp_endpoint_region *v = &ep->regions[iwarpi_ep_region(ep, seg->ddp->stag)].v;
    p->skip = IWARP_DDP_TAGGED_LEN;
    p->place = (iwarp_endpoint_place){
        .tagged = true, .stag = v->stag, .offset = seg->ddp->to - v->base, .dst = v->mem};
  } else {
    const uint32_t at = seg->ddp->msn - ep->msn[seg->ddp->qn];
    const ep_recv *buffer = &ep->recvs[ep_ring_at(&ep->rq, at)];
    p->skip = IWARP_DDP_UNTAGGED_LEN;
    p->place =
        (iwarp_endpoint_place){.token = buffer->token, .offset = seg->ddp->mo, .dst = buffer->mem};
  }
  if (p->place.dst != NULL) {
    p->place.dst += (size_t)p->place.offset; /* bound: iwarpi_ep_check */
  }
}

/* The next octets of a segment that lie together, Markers left out; false after the last. */
static bool recv_next_run(iwarp_span *run, ep_placing *p) {
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

/* Octets of the current segment. */
bool iwarpi_ep_place_event(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  ep_placing *p = &ep->placing;
  iwarp_span run;
  p->on = p->on && recv_next_run(&run, p);
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
 * iwarpi_ep_abort_placement ends the stream if octets of the current segment are still to be placed
 * in region `stag`, to which all access has ended. RFC 5041 8.3.1
 */
void iwarpi_ep_abort_placement(iwarp_endpoint *ep, uint32_t stag) {
  ep_placing left = ep->placing;
  iwarp_span run;
  uint8_t header[IWARP_DDP_TAGGED_LEN];
  if (!left.on || !left.place.tagged || left.place.stag != stag || !recv_next_run(&run, &left)) {
    return;
  }
  const size_t len = iwarp_mpa_fpdu_ulpdu_copy(header, sizeof header, &left.fpdu, 0);
  recv_fault(ep, iwarpi_ep_sink_words.invalid, (iwarp_span){header, len}, left.fpdu.ulpdu_length,
             (iwarp_span){0});
}

/* ---- messages that are complete ---- */

/* A Send type or Immediate Data. The STag is invalid before the ULP hears of it. RFC 5040 5.3 */
static void recv_deliver(iwarp_endpoint *ep, const ep_segment *seg) {
  iwarp_endpoint_received *d = &ep->delivery;
  *d = (iwarp_endpoint_received){.opcode = (iwarp_rdmap_opcode)seg->opcode,
                                 .solicited = seg->op->solicited};
  if (seg->op->hdr_len > 0) {
    memcpy(d->immediate, ep->inner, sizeof d->immediate);
  } else {
    d->len = seg->ddp->mo + seg->len;
  }
  if (seg->op->invalidates) {
    d->invalidated = true;
    d->stag = seg->ddp->rsvdulp_word;
    (void)iwarp_endpoint_invalidate(ep, d->stag);
  }
  ep->delivering = !iwarpi_ep_is_rtr(ep, seg);
}

/* A Request takes its place among those to be answered. RFC 5040 5.2.1, RFC 7306 5.2.1 */
static void recv_request(iwarp_endpoint *ep, const ep_segment *seg) {
  const iwarp_span inner = {ep->inner, ep->inner_len};
  ep_inbound *in = &ep->inbounds[ep_ring_at(&ep->irrq, ep->irrq.num)];
  *in = (ep_inbound){.atomic = seg->opcode == IWARP_RDMAP_OP_ATOMIC_REQ};
  rd octets = rd_of(seg->fpdu->octets);
  rd_array(&octets, in->header);
  if (in->atomic) {
    (void)iwarp_rdmap_atomic_req_decode(&in->u.atomic, inner);
  } else {
    (void)iwarp_rdmap_read_req_decode(&in->u.read, inner);
  }
  ep->irrq.num++;
  iwarpi_ep_serve(ep);
}

static void recv_atomic_response(iwarp_endpoint *ep) {
  ep_op *op = iwarpi_ep_awaited_request(ep);
  iwarp_rdmap_atomic_resp resp;
  (void)iwarp_rdmap_atomic_resp_decode(&resp, (iwarp_span){ep->inner, ep->inner_len});
  op->original = resp.original;
  iwarpi_ep_answered(ep, op);
}

static void recv_terminate(iwarp_endpoint *ep, bool readable) {
  ep->term_readable = readable;
  (void)iwarpi_ep_dispatch(ep, EP_GOT_TERMINATE);
}

static void recv_complete(iwarp_endpoint *ep, const ep_segment *seg) {
  if (!seg->ddp->tagged) {
    ep->msn[seg->ddp->qn]++;
  }
  switch (seg->opcode) {
  case IWARP_RDMAP_OP_WRITE: return; /* the ULP hears nothing of it, RFC 5040 5.1 */
  case IWARP_RDMAP_OP_READ_RESP: iwarpi_ep_answered(ep, iwarpi_ep_awaited_request(ep)); return;
  case IWARP_RDMAP_OP_READ_REQ:
  case IWARP_RDMAP_OP_ATOMIC_REQ: recv_request(ep, seg); return;
  case IWARP_RDMAP_OP_ATOMIC_RESP: recv_atomic_response(ep); return;
  case IWARP_RDMAP_OP_TERMINATE: recv_terminate(ep, true); return;
  default: recv_deliver(ep, seg); return;
  }
}

/* ---- segments ---- */

static void recv_segment(iwarp_endpoint *ep, ep_segment *seg) {
  const uint16_t word = iwarpi_ep_check(ep, seg);
  if (word != EP_OK) {
    if (seg->opcode == IWARP_RDMAP_OP_TERMINATE) {
      recv_terminate(ep, false); /* it is never answered, RFC 5040 7.1 */
    } else {
      recv_fault_of_segment(ep, word, seg);
    }
    return;
  }
  ep->msg =
      (ep_message){.active = !seg->ddp->last, .opcode = seg->opcode, .mo = seg->ddp->mo + seg->len};
  iwarpi_ep_place(ep, seg);
  if (seg->opcode == IWARP_RDMAP_OP_READ_RESP) {
    iwarpi_ep_awaited_request(ep)->got += seg->len;
    ep->placing.ends_read = seg->ddp->last;
  }
  if (seg->ddp->last) {
    recv_complete(ep, seg);
  }
}

/* iwarpi_ep_markers_right says whether all Markers point to the FPDU; their two low bits mean
 * nothing. RFC 5044 4.2 */
bool iwarpi_ep_markers_right(const iwarp_mpa_fpdu *fpdu) {
  iwarp_mpa_marker is;
  iwarp_mpa_marker due;
  size_t at;
  for (size_t i = 0; iwarp_mpa_fpdu_marker(&is, &due, &at, fpdu, i) == IWARP_OK; i++) {
    if (((is.fpduptr ^ due.fpduptr) & ~UINT32_C(3)) != 0) {
      return false;
    }
  }
  return true;
}

/* iwarpi_ep_segment names the parts of an FPDU whose DDP header is there. */
void iwarpi_ep_segment(ep_segment *out, const ep_fpdu *fpdu) {
  *out = (ep_segment){.fpdu = fpdu,
                      .ddp = &fpdu->seg.ddp,
                      .op = iwarp_rdmap_op_get(fpdu->seg.ctrl.opcode),
                      .opcode = fpdu->seg.ctrl.opcode,
                      .len = (uint32_t)fpdu->seg.payload_len};
}

/* iwarpi_ep_fpdu takes the next FPDU of the peer. RFC 5044 6 and 8 */
void iwarpi_ep_fpdu(iwarp_endpoint *ep, const ep_fpdu *fpdu) {
  const bool first = ep->info.state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU;
  if (fpdu->crc_bad) {
    iwarpi_ep_fault(ep, EP_TERM_CRC);
    return;
  }
  if (!iwarpi_ep_markers_right(&fpdu->mpa)) {
    iwarpi_ep_fault(ep, EP_TERM_MARKER);
    return;
  }
  (void)iwarpi_ep_dispatch(ep, EP_FPDU);
  if (!fpdu->seg.has_ddp) {
    iwarpi_ep_fault(ep, EP_TERM_SHORT);
    return;
  }
  ep_segment seg;
  iwarpi_ep_segment(&seg, fpdu);
  seg.first = first;
  recv_segment(ep, &seg);
}
