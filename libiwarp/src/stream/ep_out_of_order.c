/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Octets that come out of order. Markers show where FPDUs begin, so that payload can be placed at
 * once; everything else waits for its turn. RFC 5044 A.3, A.4, RFC 5041 5.3
 */
#include <string.h>

#include "../base/cursor.h"
#include "../base/span.h"
#include "ep_priv.h"

#define AHEAD_PTR_BITS 0xFFFCu /* the two low bits of FPDUPTR mean nothing. RFC 5044 4.2 */

/* ---- what was placed ---- */

/* Counts a record for its receive buffer; `by` is 1 or -1. */
static void ooo_count(iwarp_endpoint *ep, const ep_out_of_order *v, int by) {
  const uint32_t at = v->msn - ep->msn[IWARP_RDMAP_QN_SEND];
  if (v->tagged || at >= ep->rq.num) { /* the message ended before it: it is wrong */
    return;
  }
  ep_recv *buffer = &ep->recvs[ep_ring_at(&ep->rq, at)];
  const bool was = buffer->ahead > 0;
  buffer->ahead += (uint32_t)by;
  ep->num_partial += (buffer->ahead > 0 ? 1u : 0u) - (was ? 1u : 0u);
}

/* iwarpi_ep_out_of_order_due takes the FPDU that is next in order if it was placed before. */
bool iwarpi_ep_out_of_order_due(iwarp_endpoint *ep, ep_fpdu *out) {
  ep_assembly *a = &ep->assembly;
  if (ep->ahead.num == 0 || a->have > 0 || iwarpi_ep_tree_first(&ep->ahead)->offset != a->next) {
    return false;
  }
  const ep_out_of_order v = *iwarpi_ep_tree_first(&ep->ahead);
  memcpy(ep->hdr, v.header, sizeof v.header);
  *out = (ep_fpdu){.octets = {ep->hdr, sizeof v.header}};
  out->octets = span_first(out->octets, v.ulpdu_length);
  out->mpa.ulpdu_length = v.ulpdu_length;
  iwarp_rdmap_seg_decode(&out->seg, out->octets, v.ulpdu_length);
  ooo_count(ep, &v, -1);
  a->next += v.wire_len;
  ep->in = span_from(ep->in, v.wire_len); /* the transport may have kept them */
  iwarpi_ep_tree_pop(&ep->ahead);
  return true;
}

/* ---- what may be placed ---- */

/* A Response goes into the sink of some Read that waits for it. RFC 5040 5.2.2 */
static bool ooo_response_wanted(const iwarp_endpoint *ep, const ep_segment *seg) {
  for (uint32_t i = 0; i < ep->issued; i++) {
    const ep_op *op = &ep->ops[ep_ring_at(&ep->sq, i)];
    const iwarp_rdmap_read_req *req = &op->u.read;
    if (op->opcode == IWARP_RDMAP_OP_READ_REQ && !op->answered &&
        req->sink_stag == seg->ddp->stag && seg->ddp->to >= req->sink_to && seg->len <= req->size &&
        seg->ddp->to - req->sink_to <= req->size - seg->len) {
      return true;
    }
  }
  return false;
}

static bool ooo_tagged_ok(const iwarp_endpoint *ep, const ep_segment *seg) {
  const bool write = seg->opcode == IWARP_RDMAP_OP_WRITE;
  return iwarpi_ep_check_access(ep, &iwarpi_ep_sink_words, seg->ddp->stag, seg->ddp->to, seg->len,
                                write ? IWARP_ACCESS_REMOTE_WRITE : 0) == EP_OK &&
         (write || ooo_response_wanted(ep, seg));
}

/* A Send for which a buffer is posted and large enough. RFC 5042 6.4.3.1: not too many of them. */
static bool ooo_untagged_ok(const iwarp_endpoint *ep, const ep_segment *seg) {
  const uint32_t at = seg->ddp->msn - ep->msn[seg->ddp->qn];
  if (at >= ep->rq.num) {
    return false;
  }
  const ep_recv *buffer = &ep->recvs[ep_ring_at(&ep->rq, at)];
  return (buffer->ahead > 0 || ep->num_partial < ep->cfg.max_partial) && seg->len <= buffer->len &&
         seg->ddp->mo <= buffer->len - seg->len;
}

static bool ooo_ok(iwarp_endpoint *ep, const ep_segment *seg) {
  return ep->ahead.num < ep->cfg.num_out_of_order && seg->len > 0 && seg->op->payload &&
         seg->fpdu->mpa.ulpdu_length <= ep->cfg.max_ulpdu &&
         iwarpi_ep_check_header(ep, seg) == EP_OK &&
         (seg->ddp->tagged ? ooo_tagged_ok(ep, seg) : ooo_untagged_ok(ep, seg));
}

/* Places what an FPDU at stream offset `offset` holds if that may be; it is right for MPA. */
static bool ooo_take(iwarp_endpoint *ep, const ep_fpdu *fpdu, uint64_t offset) {
  ep_segment seg;
  if (!fpdu->seg.has_ddp || iwarpi_ep_tree_has(&ep->ahead, offset)) {
    return false;
  }
  iwarpi_ep_segment(&seg, fpdu);
  if (!ooo_ok(ep, &seg)) {
    return false;
  }
  ep_out_of_order v = {.offset = offset,
                       .tagged = seg.ddp->tagged,
                       .msn = seg.ddp->msn,
                       .wire_len = fpdu->mpa.layout.wire_len,
                       .ulpdu_length = fpdu->mpa.ulpdu_length};
  rd header = rd_of(fpdu->octets);
  const iwarp_span octets = rd_upto(&header, sizeof v.header);
  memcpy(v.header, octets.ptr, octets.len);
  iwarpi_ep_tree_add(&ep->ahead, &v);
  ooo_count(ep, &v, 1);
  iwarpi_ep_place(ep, &seg);
  ep->ooo_placed =
      (iwarp_endpoint_out_of_order){.offset = ep->frame_in_len + offset, .len = v.wire_len};
  return true;
}

/* ---- finding FPDUs ---- */

/*
 * Where the FPDU begins that the Marker at `at` of the input belongs to, as an index of the input;
 * false where that is not available.
 */
static bool ooo_marker_start(size_t *start, const iwarp_endpoint *ep, size_t at) {
  iwarp_mpa_marker m;
  (void)iwarp_mpa_marker_decode(&m,
                                span_from(ep->in, at)); /* the caller has seen that it is there */
  size_t distance = m.fpduptr & AHEAD_PTR_BITS;
  if (distance == 0) { /* it stands before ULPDU_Length */
    *start = at;
    return true;
  }
  /* ULPDU_Length directly after a Marker: the FPDU begins with that one */
  if ((distance + IWARP_MPA_MARKER_LEN) % IWARP_MPA_MARKER_PERIOD == 0) {
    distance += IWARP_MPA_MARKER_LEN;
  }
  *start = at - distance;
  return distance <= at;
}

/* The index of the next Marker in the input. */
static size_t ooo_next_marker(const iwarp_endpoint *ep) {
  const size_t past = (size_t)(ep->ooo_at % IWARP_MPA_MARKER_PERIOD);
  return past == 0 ? 0 : IWARP_MPA_MARKER_PERIOD - past;
}

static void ooo_step_over(iwarp_endpoint *ep, size_t n) {
  ep->in = span_from(ep->in, n);
  ep->ooo_at += n;
}

/* Moves the input to the next FPDU that a Marker shows; false when none does. */
static bool ooo_seek(iwarp_endpoint *ep) {
  size_t start;
  for (size_t at = ooo_next_marker(ep); span_has(ep->in, at, IWARP_MPA_MARKER_LEN);
       at += IWARP_MPA_MARKER_PERIOD) {
    if (ooo_marker_start(&start, ep, at)) {
      ooo_step_over(ep, start);
      return true;
    }
  }
  return false;
}

/*
 * iwarpi_ep_out_of_order_step goes on in input that is out of order: true when octets of an FPDU
 * are to be placed, false when there is nothing more to be done.
 */
bool iwarpi_ep_out_of_order_step(iwarp_endpoint *ep) {
  ep_fpdu fpdu = {0};
  while (ep->ooo_chained || ooo_seek(ep)) {
    const uint64_t offset = ep->ooo_at;
    if (iwarp_mpa_fpdu_decode(&fpdu.mpa, ep->in, offset, true).err != IWARP_OK) {
      return false; /* its end is not there, and only that would tell of the next one */
    }
    iwarpi_ep_frame_decode(ep, &fpdu);
    ep->ooo_chained = !fpdu.crc_bad && iwarpi_ep_markers_right(&fpdu.mpa);
    if (!ep->ooo_chained) {
      ooo_step_over(ep, ooo_next_marker(ep) + IWARP_MPA_MARKER_LEN);
    } else {
      ooo_step_over(ep, fpdu.mpa.wire.len);
      if (ooo_take(ep, &fpdu, offset)) {
        return true;
      }
    }
  }
  return false;
}

/* iwarpi_ep_out_of_order_event tells which octets need not come again, once they are placed. */
bool iwarpi_ep_out_of_order_event(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  if (ep->ooo_placed.len == 0) {
    return false;
  }
  ev->kind = IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER;
  ev->u.ahead = ep->ooo_placed;
  ep->ooo_placed.len = 0;
  return true;
}

/* ---- calls ---- */

uint64_t iwarp_endpoint_rx_offset(const iwarp_endpoint *ep) {
  return ep->frame_in_len + ep->assembly.next + ep->assembly.have + ep->assembly.held + ep->handed;
}

/* Whether octets may be taken out of order now. */
static bool ooo_possible(const iwarp_endpoint *ep) {
  return iwarpi_ep_cell(ep->info.state, EP_OCTETS)->action == EP_DO_FEED &&
         ep->info.state != IWARP_ENDPOINT_AWAIT_FIRST_FPDU && ep->info.markers_in &&
         ep->cfg.num_out_of_order > 0;
}

iwarp_err iwarp_endpoint_push_at(iwarp_endpoint *ep, uint64_t offset, iwarp_span in) {
  const uint64_t wanted = iwarp_endpoint_rx_offset(ep);
  if ((in.ptr == NULL && in.len > 0) || in.len > UINT64_MAX - offset) {
    return IWARP_ERR_ARG;
  }
  if (offset <= wanted || iwarpi_ep_cell(ep->info.state, EP_OCTETS)->action == EP_DO_DISCARD) {
    const uint64_t known = offset <= wanted ? wanted - offset : 0;
    return iwarp_endpoint_push(ep, known < in.len ? span_from(in, (size_t)known) : (iwarp_span){0});
  }
  if (ep->busy || !ooo_possible(ep)) {
    return IWARP_ERR_STATE;
  }
  ep->busy = true;
  ep->in = in;
  ep->ooo_input = true;
  ep->ooo_chained = false;
  ep->ooo_at = offset - ep->frame_in_len;
  return IWARP_OK;
}
