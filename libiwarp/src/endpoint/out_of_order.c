/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Octets that come out of order. Markers show where FPDUs begin, so that payload can be placed at
 * once; everything else waits for its turn. RFC 5044 A.3, A.4, RFC 5041 5.3
 */
#include "out_of_order.h"

#include <string.h>

#include "../base/cursor.h"
#include "../base/span.h"
#include "check.h"
#include "framing.h"
#include "placed_early.h"
#include "placement.h"
#include "regions.h"
#include "rq.h"
#include "sq.h"

/* ---- octets placed before their turn ---- */

/* Counts a record for its receive buffer; `by` is 1 or -1. */
static void ooo_count(const ep_order_view *o, const ep_record *v, int by) {
  if (!v->tagged) {
    iwarpi_ep_rq_out_of_order(o->recv.rq, v->msn - o->recv.rx->msn[IWARP_RDMAP_QN_SEND], by);
  }
}

/* iwarpi_ep_out_of_order_due takes the FPDU that is next in order if it was placed before. */
bool iwarpi_ep_out_of_order_due(const ep_order_view *o, ep_fpdu *out) {
  ep_reassembly *a = o->framing.reassembly;
  if (o->out_of_order->tree.num == 0 || a->have > 0 ||
      iwarpi_ep_tree_first(&o->out_of_order->tree)->offset != a->next) {
    return false;
  }
  const ep_record v = *iwarpi_ep_tree_first(&o->out_of_order->tree);
  memcpy(a->hdr, v.header, sizeof v.header);
  *out = (ep_fpdu){.offset = v.offset, .octets = {a->hdr, sizeof v.header}};
  out->octets = span_first(out->octets, v.ulpdu_length);
  out->mpa.ulpdu_length = v.ulpdu_length;
  iwarp_rdmap_seg_decode(&out->seg, out->octets, v.ulpdu_length);
  ooo_count(o, &v, -1);
  a->next += v.wire_len;
  o->framing.pushed->in =
      span_from(o->framing.pushed->in, v.wire_len); /* the transport may have kept them */
  iwarpi_ep_tree_pop(&o->out_of_order->tree);
  return true;
}

/* ---- what may be placed ---- */

/* A Response goes into the sink of some Read that waits for it. RFC 5040 5.2.2 */
static bool ooo_response_wanted(const ep_order_view *o, const ep_segment *seg) {
  const ep_op *op;
  for (uint32_t i = 0; (op = iwarpi_ep_sq_issued(o->recv.sq, i)) != NULL; i++) {
    const iwarp_rdmap_read_req *req = &op->u.read;
    if (iwarp_rdmap_op_get(op->opcode)->cls == IWARP_RDMAP_CLASS_READ_REQ && !op->answered &&
        req->sink_stag == seg->ddp->stag && seg->ddp->to >= req->sink_to && seg->len <= req->size &&
        seg->ddp->to - req->sink_to <= req->size - seg->len) {
      return true;
    }
  }
  return false;
}

static bool ooo_tagged_ok(const ep_order_view *o, const ep_segment *seg) {
  const ep_check_view c = ep_check_view_of(&o->recv);
  return iwarpi_ep_check_sink(&c, seg) == EP_OK &&
         (seg->op->cls == IWARP_RDMAP_CLASS_WRITE || ooo_response_wanted(o, seg));
}

/* Number of messages on the queue between the expected message and the message of the segment. */
static uint32_t ooo_messages_before(const ep_order_view *o, const ep_segment *seg) {
  return seg->ddp->msn - o->recv.rx->msn[seg->ddp->qn];
}

/* A Send whose buffer is large enough. RFC 5042 6.4.3.1: the number of such buffers is bounded. */
static bool ooo_untagged_ok(const ep_order_view *o, const ep_segment *seg) {
  const ep_recv *buffer = iwarpi_ep_rq_at(o->recv.rq, ooo_messages_before(o, seg));
  return (buffer->out_of_order > 0 || o->recv.rq->num_partial < o->recv.cfg->max_partial) &&
         seg->len <= buffer->v.len && seg->ddp->mo <= buffer->v.len - seg->len;
}

static bool ooo_header_ok(const ep_order_view *o, const ep_segment *seg) {
  const ep_check_view c = ep_check_view_of(&o->recv);
  return o->out_of_order->tree.num < o->recv.cfg->num_out_of_order && seg->len > 0 &&
         seg->op->payload && seg->fpdu->mpa.ulpdu_length <= o->recv.cfg->max_ulpdu &&
         iwarpi_ep_check_header(&c, seg) == EP_OK;
}

/* Reserves the receive buffer of an Untagged segment; false if no buffer is available. */
static bool ooo_reserve(const ep_order_view *o, const ep_segment *seg) {
  return seg->ddp->tagged || iwarpi_ep_rq_reserve(o->recv.rq, ooo_messages_before(o, seg));
}

static bool ooo_sink_ok(const ep_order_view *o, const ep_segment *seg) {
  return seg->ddp->tagged ? ooo_tagged_ok(o, seg) : ooo_untagged_ok(o, seg);
}

/* Places what an FPDU at stream offset `offset` holds if that may be; it is right for MPA. */
static bool ooo_take(const ep_order_view *o, const ep_fpdu *fpdu, uint64_t offset) {
  ep_segment seg;
  if (!fpdu->seg.has_ddp || iwarpi_ep_tree_has(&o->out_of_order->tree, offset)) {
    return false;
  }
  iwarpi_ep_segment(&seg, fpdu);
  if (!ooo_header_ok(o, &seg) || !ooo_reserve(o, &seg) || !ooo_sink_ok(o, &seg)) {
    return false;
  }
  ep_record v = {.offset = offset,
                 .tagged = seg.ddp->tagged,
                 .msn = seg.ddp->msn,
                 .wire_len = fpdu->mpa.layout.wire_len,
                 .ulpdu_length = fpdu->mpa.ulpdu_length};
  rd header = rd_of(fpdu->octets);
  const iwarp_span octets = rd_upto(&header, sizeof v.header);
  memcpy(v.header, octets.ptr, octets.len);
  iwarpi_ep_tree_add(&o->out_of_order->tree, &v);
  ooo_count(o, &v, 1);
  const ep_sink_view sinks = ep_sink_view_of(&o->recv);
  iwarpi_ep_place(o->recv.placing, &sinks, &seg);
  o->out_of_order->placed =
      (iwarp_endpoint_out_of_order){.offset = o->begin + offset, .len = v.wire_len};
  return true;
}

/* ---- finding FPDUs ---- */

/*
 * Finds where the FPDU begins that the Marker at index `at` of the input points to, as an index of
 * the input; false if it begins before the input.
 */
static bool ooo_marker_start(size_t *start, const ep_order_view *o, size_t at) {
  iwarp_mpa_marker m;
  size_t back;
  size_t lead;
  (void)iwarp_mpa_marker_decode(
      &m, span_from(o->framing.pushed->in, at)); /* the caller has seen that it is there */
  if (!iwarp_mpa_marker_start(&back, &lead, &m) || back > at) {
    return false;
  }
  *start = at - back;
  return true;
}

/* The index of the next Marker in the input. */
static size_t ooo_next_marker(const ep_order_view *o) {
  const size_t past = (size_t)(o->out_of_order->at % IWARP_MPA_MARKER_PERIOD);
  return past == 0 ? 0 : IWARP_MPA_MARKER_PERIOD - past;
}

static void ooo_step_over(const ep_order_view *o, size_t n) {
  o->framing.pushed->in = span_from(o->framing.pushed->in, n);
  o->out_of_order->at += n;
}

/* Moves the input to the next FPDU that a Marker shows; false when none does. */
static bool ooo_seek(const ep_order_view *o) {
  size_t start;
  for (size_t at = ooo_next_marker(o); span_has(o->framing.pushed->in, at, IWARP_MPA_MARKER_LEN);
       at += IWARP_MPA_MARKER_PERIOD) {
    if (ooo_marker_start(&start, o, at)) {
      ooo_step_over(o, start);
      return true;
    }
  }
  return false;
}

/*
 * iwarpi_ep_out_of_order_step goes on in input that is out of order. AGAIN: octets of an FPDU are
 * to be placed.
 */
step iwarpi_ep_out_of_order_step(const ep_order_view *o) {
  ep_fpdu fpdu = {0};
  while (o->out_of_order->chained || ooo_seek(o)) {
    const uint64_t offset = o->out_of_order->at;
    if (iwarp_mpa_fpdu_decode(&fpdu.mpa, o->framing.pushed->in, offset, true).err != IWARP_OK) {
      return STEP_IDLE; /* the end of the FPDU is missing, so the next FPDU cannot be found */
    }
    iwarpi_ep_frame_decode(&o->framing, &fpdu);
    o->out_of_order->chained = !fpdu.crc_bad && iwarp_mpa_fpdu_markers_agree(&fpdu.mpa);
    if (!o->out_of_order->chained) {
      ooo_step_over(o, ooo_next_marker(o) + IWARP_MPA_MARKER_LEN);
    } else {
      ooo_step_over(o, fpdu.mpa.wire.len);
      if (ooo_take(o, &fpdu, offset)) {
        return STEP_AGAIN;
      }
    }
  }
  return STEP_IDLE;
}

/* iwarpi_ep_out_of_order_event tells which octets need not come again, once they are placed. */
bool iwarpi_ep_out_of_order_event(ep_out_of_order *v, iwarp_endpoint_event *ev) {
  if (v->placed.len == 0) {
    return false;
  }
  ev->kind = IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER;
  ev->u.out_of_order = v->placed;
  v->placed.len = 0;
  return true;
}
