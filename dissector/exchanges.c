/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps requests with what answers them, as the rules know it (iwarp_rules_link). */
#include "exchanges.h"

#include "conns.h"
#include "fields.h"
#include "records.h"

/* ---- as the octets come ---- */

static void exchanges_request(exchanges *of, frame_pdu *pdu, const iwarp_event *ev,
                              const iwarp_link *link) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  exchange *made = wmem_new0(wmem_file_scope(), exchange);
  made->frame = pdu->frame;
  made->time_ns = ev->last.time_ns;
  made->atomic = iwarp_rdmap_op_get(seg->ctrl.opcode)->cls == IWARP_RDMAP_CLASS_ATOMIC_REQ;
  if (seg->kind == IWARP_RDMAP_KIND_READ_REQ) {
    made->sink = seg->u.read_req;
  }
  made->answers = wmem_array_new(wmem_file_scope(), sizeof(exchange_answer));
  if (of->by_number == NULL) {
    of->by_number = wmem_map_new(wmem_file_scope(), g_direct_hash, g_direct_equal);
  }
  wmem_map_insert(of->by_number, GSIZE_TO_POINTER((gsize)link->request), made);
  pdu_rest *rest = frames_pdu_rest(pdu);
  rest->exchange = made;
  rest->reads = link->reads_known ? link->reads : 0;
}

static void exchanges_response(exchanges *of, frame_pdu *pdu, const iwarp_event *ev,
                               const iwarp_link *link) {
  exchange *e = of->by_number != NULL
                    ? wmem_map_lookup(of->by_number, GSIZE_TO_POINTER((gsize)link->request))
                    : NULL;
  if (e == NULL) {
    return;
  }
  const guint num = wmem_array_get_count(e->answers);
  const exchange_answer *last = num > 0 ? wmem_array_index(e->answers, num - 1) : NULL;
  const exchange_answer answer = {.frame = pdu->frame, .time_ns = ev->last.time_ns};
  if (last == NULL || last->frame != answer.frame) {
    wmem_array_append_one(e->answers, answer);
  }
  frames_pdu_rest(pdu)->exchange = e;
  pdu->answers = true;
}

void exchanges_segment(exchanges all[2], frame_pdu *pdu, const iwarp_event *ev,
                       const iwarp_link *link) {
  if (link->kind == IWARP_LINK_REQUEST) {
    exchanges_request(&all[pdu->side], pdu, ev, link);
  } else if (link->kind == IWARP_LINK_RESPONSE) {
    exchanges_response(&all[1 - pdu->side], pdu, ev, link);
  }
}

/* ---- links ---- */

static void exchanges_number(proto_tree *tree, int hf, guint32 value) {
  proto_item_set_generated(proto_tree_add_uint(tree, hf, NULL, 0, 0, value));
}

/* Read Requests that wait, and how many the startup allows. RFC 6581 9.1 */
static void exchanges_show_depth(proto_tree *tree, const frame_pdu *pdu) {
  guint32 limit;
  if (pdu->rest->reads == 0) {
    return;
  }
  exchanges_number(tree, hf_iwarp.reads_outstanding, pdu->rest->reads);
  if (negotiation_reads(&limit, pdu->conn, pdu->side)) {
    exchanges_number(tree, hf_iwarp.reads_allowed, limit);
  }
}

static void exchanges_show_request(proto_tree *tree, const frame_pdu *pdu, guint32 known) {
  const exchange *e = pdu->rest->exchange;
  exchanges_show_depth(tree, pdu);
  for (guint i = 0; i < wmem_array_get_count(e->answers); i++) {
    const exchange_answer *answer = wmem_array_index(e->answers, i);
    if (answer->frame <= known) {
      records_show(tree, hf_iwarp.response_in, answer->frame);
    }
  }
}

/* Shows the progress of the Read with this segment. */
static void exchanges_show_done(proto_tree *tree, const exchange *e, const iwarp_rdmap_seg *seg) {
  const guint64 done = seg->ddp.to - e->sink.sink_to + seg->payload_len;
  if (!e->atomic && seg->ddp.stag == e->sink.sink_stag && done <= e->sink.size) {
    proto_item_set_generated(proto_tree_add_uint64(tree, hf_iwarp.read_done, NULL, 0, 0, done));
    exchanges_number(tree, hf_iwarp.read_expected, e->sink.size);
  }
}

static void exchanges_show_response(proto_tree *tree, const frame_pdu *pdu,
                                    const iwarp_rdmap_seg *seg) {
  const exchange *e = pdu->rest->exchange;
  records_show(tree, hf_iwarp.request_in, e->frame);
  exchanges_show_done(tree, e, seg);
  for (guint i = 0; i < wmem_array_get_count(e->answers); i++) {
    const exchange_answer *answer = wmem_array_index(e->answers, i);
    if (answer->frame == pdu->frame && answer->time_ns >= e->time_ns) {
      const guint64 ns = answer->time_ns - e->time_ns;
      const nstime_t time = {.secs = (time_t)(ns / 1000000000u), .nsecs = (int)(ns % 1000000000u)};
      proto_item_set_generated(
          proto_tree_add_time(tree, hf_iwarp.response_time, NULL, 0, 0, &time));
    }
  }
}

void exchanges_show(proto_tree *tree, const frame_pdu *pdu, const iwarp_rdmap_seg *seg,
                    guint32 known) {
  if (pdu->rest->exchange == NULL) {
    return;
  }
  if (pdu->answers) {
    exchanges_show_response(tree, pdu, seg);
  } else {
    exchanges_show_request(tree, pdu, known);
  }
}
