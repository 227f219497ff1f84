/* SPDX-License-Identifier: BSD-2-Clause */
/* The receiving of an FPDU of the peer. RFC 5040 5 and 7, RFC 5044 6 and 8 */
#include "recv.h"

#include <string.h>

#include <iwarp/shared.h>

#include "../base/cursor.h"
#include "check.h"
#include "fault.h"
#include "framing.h"
#include "placement.h"
#include "regions.h"
#include "responses.h"
#include "rq.h"
#include "sq.h"

/* The RDMAP header of the message. */
static iwarp_span recv_inner(const ep_recv_view *r) {
  return (iwarp_span){r->rx->inner, r->rx->inner_len};
}

/* ---- messages that are complete ---- */

/* Delivers a Send type or Immediate Data; invalidates the STag first. RFC 5040 5.3 */
static ep_input recv_deliver(const ep_recv_view *r, const ep_segment *seg) {
  ep_receiving *rx = r->rx;
  iwarp_endpoint_received *d = &rx->delivery;
  *d = (iwarp_endpoint_received){.opcode = (iwarp_rdmap_opcode)seg->opcode,
                                 .solicited = seg->op->solicited};
  if (seg->op->hdr_len > 0) {
    memcpy(d->immediate, rx->inner, sizeof d->immediate);
  } else {
    d->len = seg->ddp->mo + seg->len;
  }
  if (seg->op->invalidates) {
    d->invalidated = true;
    d->stag = seg->ddp->rsvdulp_word;
    (void)iwarp_regions_invalidate(r->memory->regions, d->stag);
  }
  rx->delivering = !iwarpi_ep_is_rtr(r->info, seg);
  return EP_NO_INPUT;
}

static ep_input recv_request(const ep_recv_view *r, const ep_segment *seg) {
  return iwarpi_ep_request(r, seg, recv_inner(r));
}

static ep_input recv_read_response(const ep_recv_view *r) {
  iwarpi_ep_sq_response_complete(r->sq, iwarpi_ep_sq_awaited_request(r->sq));
  return EP_NO_INPUT;
}

static ep_input recv_atomic_response(const ep_recv_view *r) {
  ep_op *op = iwarpi_ep_sq_awaited_request(r->sq);
  iwarp_rdmap_atomic_resp resp;
  (void)iwarp_rdmap_atomic_resp_decode(&resp, recv_inner(r));
  op->original = resp.original;
  iwarpi_ep_sq_response_complete(r->sq, op);
  return EP_NO_INPUT;
}

/* iwarpi_ep_terminated says what the peer's Terminate said, and is likely to mean. */
void iwarpi_ep_terminated(const ep_receiving *rx, iwarp_endpoint_terminated *out) {
  *out = (iwarp_endpoint_terminated){.readable = rx->term_readable};
  if (out->readable) {
    (void)iwarp_rdmap_term_decode(&out->term, (iwarp_span){rx->inner, rx->inner_len});
    out->has_likely = iwarp_rdmap_term_likely(&out->likely, &out->term, rx->term_place);
  }
}

/* A Terminate that returns the header of a segment says which operation the peer refused. */
static void recv_refused(const ep_recv_view *r, const iwarp_rdmap_term *term) {
  iwarp_ddp_hdr hdr;
  if (iwarp_ddp_hdr_decode(&hdr, term->ddp_header).err == IWARP_OK) {
    iwarpi_ep_sq_refuse(r->sq, &hdr);
  }
}

/* Octets of the longest RTR frame: a Read Request with its leading Marker. It needs no PAD. */
#define RECV_RTR_MAX                                                                               \
  (IWARP_MPA_MARKER_LEN + IWARP_MPA_LENGTH_LEN + IWARP_DDP_UNTAGGED_LEN +                          \
   IWARP_RDMAP_READ_REQ_LEN + IWARP_MPA_CRC_LEN)

/* The place of the peer's Terminate. This side has made no FPDU before the first one of an
 * Initiator. RFC 5044 7.1.2 */
static iwarp_rdmap_term_place recv_term_place(const ep_recv_view *c, const ep_segment *seg) {
  static const uint64_t startup_max[2] = {0, RECV_RTR_MAX};
  const bool rtr = c->cfg->role == IWARP_ROLE_INITIATOR && c->info->rtr != 0;
  if (iwarp_tx_offset(c->sq->tx) > startup_max[rtr]) {
    return IWARP_RDMAP_TERM_PLACE_FULL;
  }
  return seg->fpdu->first ? IWARP_RDMAP_TERM_PLACE_STARTUP : IWARP_RDMAP_TERM_PLACE_UNKNOWN;
}

/* The peer's Terminate has come; `term_readable` is set. */
static ep_input recv_terminate(const ep_recv_view *r, const ep_segment *seg) {
  ep_receiving *rx = r->rx;
  iwarp_endpoint_terminated t;
  rx->term_place = recv_term_place(r, seg);
  iwarpi_ep_terminated(rx, &t);
  recv_refused(r, t.has_likely ? &t.likely : &t.term);
  return EP_GOT_TERMINATE;
}

static ep_input recv_complete(const ep_recv_view *r, const ep_segment *seg) {
  if (!seg->ddp->tagged) {
    r->rx->msn[seg->ddp->qn]++;
  }
  switch (seg->op->cls) {
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_IMMEDIATE: return recv_deliver(r, seg);
  case IWARP_RDMAP_CLASS_READ_RESP: return recv_read_response(r);
  case IWARP_RDMAP_CLASS_READ_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: return recv_request(r, seg);
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: return recv_atomic_response(r);
  case IWARP_RDMAP_CLASS_TERMINATE: r->rx->term_readable = true; return recv_terminate(r, seg);
  case IWARP_RDMAP_CLASS_WRITE: /* no event reports a Write, RFC 5040 5.1 */
  case IWARP_RDMAP_CLASS_NONE:
  default: break; /* iwarpi_ep_check refuses these */
  }
  return EP_NO_INPUT;
}

/* ---- segments ---- */

static ep_input recv_fault(const ep_recv_view *r, iwarp_term term, const ep_segment *seg) {
  if (seg->op->cls == IWARP_RDMAP_CLASS_TERMINATE) {
    r->rx->term_readable = false;
    return recv_terminate(r, seg); /* a Terminate is never answered, RFC 5040 7.1 */
  }
  const bool read = seg->op->kind == IWARP_RDMAP_KIND_READ_REQ;
  return iwarpi_ep_fault_of_segment(r->fault, term, seg, read ? recv_inner(r) : (iwarp_span){0});
}

/* Keeps the RDMAP header octets of the segment, for which there is room. */
static void recv_keep_inner(ep_receiving *rx, const ep_segment *seg) {
  wr w = wr_of(rx->inner, sizeof rx->inner, sizeof rx->inner);
  wr_take(&w, seg->ddp->mo);
  uint8_t *dst = wr_take(&w, seg->len);
  rx->inner_len = seg->ddp->mo + seg->len;
  if (dst != NULL) {
    (void)iwarp_mpa_fpdu_ulpdu_copy(dst, seg->len, &seg->fpdu->mpa, IWARP_DDP_UNTAGGED_LEN);
  }
}

/*
 * iwarpi_ep_validate checks a segment whose DDP header is there. In between it takes the receive
 * buffer and keeps the RDMAP header, which the checks that follow need.
 */
iwarp_term iwarpi_ep_validate(const ep_recv_view *r, const ep_segment *seg) {
  const ep_check_view c = ep_check_view_of(r);
  iwarp_term term = iwarpi_ep_check(&c, seg);
  if (term != EP_OK || seg->ddp->tagged) {
    return term;
  }
  if (iwarpi_ep_takes_buffer(r->info, seg)) {
    (void)iwarpi_ep_rq_reserve(r->rq, 0); /* iwarpi_ep_check has found a buffer */
  }
  term = iwarpi_ep_check_room(&c, seg);
  if (term != EP_OK) {
    return term;
  }
  if (seg->op->hdr_len > 0) {
    recv_keep_inner(r->rx, seg);
  }
  return seg->ddp->last ? iwarpi_ep_check_message(&c, seg) : EP_OK;
}

static ep_input recv_segment(const ep_recv_view *r, const ep_segment *seg) {
  const iwarp_term term = iwarpi_ep_validate(r, seg);
  const ep_sink_view sinks = ep_sink_view_of(r);
  if (term != EP_OK) {
    return recv_fault(r, term, seg);
  }
  r->rx->msg =
      (ep_message){.active = !seg->ddp->last, .opcode = seg->opcode, .mo = seg->ddp->mo + seg->len};
  iwarpi_ep_place(r->placing, &sinks, seg);
  if (seg->op->cls == IWARP_RDMAP_CLASS_READ_RESP) {
    iwarpi_ep_sq_awaited_request(r->sq)->got += seg->len;
    r->placing->ends_read = seg->ddp->last;
  }
  return seg->ddp->last ? recv_complete(r, seg) : EP_NO_INPUT;
}

/* iwarpi_ep_fpdu_fault reports an error of MPA in an FPDU: EP_FAULT or NO_INPUT. RFC 5044 8 */
ep_input iwarpi_ep_fpdu_fault(ep_fault *f, const ep_fpdu *fpdu) {
  if (fpdu->crc_bad) {
    return iwarpi_ep_fault_of_fpdu(f, IWARP_TERM_MPA_CRC, fpdu);
  }
  return iwarp_mpa_fpdu_markers_agree(&fpdu->mpa)
             ? EP_NO_INPUT
             : iwarpi_ep_fault_of_fpdu(f, IWARP_TERM_MPA_MARKER, fpdu);
}

/*
 * iwarpi_ep_receive takes the segment of an FPDU that is right by MPA. It returns EP_FAULT,
 * EP_GOT_TERMINATE or NO_INPUT.
 */
ep_input iwarpi_ep_receive(const ep_recv_view *r, const ep_fpdu *fpdu) {
  if (!fpdu->seg.has_ddp) {
    return iwarpi_ep_fault_of_fpdu(r->fault, IWARP_TERM_DDP_LOCAL, fpdu);
  }
  ep_segment seg;
  iwarpi_ep_segment(&seg, fpdu);
  return recv_segment(r, &seg);
}
