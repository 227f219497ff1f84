/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the request that a response answers: the oldest one with its Data Sink, or its identifier.
 */
#include "exchanges.h"

#include "conns.h"
#include "fields.h"

#define EXCHANGES_SEARCHED 1024u /* requests looked at for a response; no peer has so many open */

/* ---- requests ---- */

static void exchanges_add(exchanges *of, frame_pdu *pdu, const iwarp_event *ev,
                          const exchange *values) {
  exchange *made = wmem_new(wmem_file_scope(), exchange);
  *made = *values;
  made->frame = pdu->frame;
  made->time_ns = ev->last.time_ns;
  made->answers = wmem_array_new(wmem_file_scope(), sizeof(exchange_answer));
  *(of->newest != NULL ? &of->newest->next : &of->oldest) = made;
  of->newest = made;
  of->reads += made->atomic ? 0u : 1u;
  pdu->exchange = made;
  pdu->reads = made->atomic ? 0 : of->reads;
}

/* ---- responses ---- */

static bool exchange_read_by(const exchange *e, const iwarp_ddp_hdr *ddp) {
  return !e->atomic && e->id == ddp->stag && ddp->to - e->to <= e->size;
}

static exchange *exchanges_find(const exchanges *of, const iwarp_rdmap_seg *seg,
                                exchange **before) {
  const bool atomic = seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP;
  exchange *e = of->oldest;
  *before = NULL;
  for (guint n = 0; e != NULL && n < EXCHANGES_SEARCHED; n++) {
    if (atomic ? e->atomic && e->id == seg->u.atomic_resp.request_id
               : exchange_read_by(e, &seg->ddp)) {
      return e;
    }
    *before = e;
    e = e->next;
  }
  return NULL;
}

static void exchanges_remove(exchanges *of, exchange *e, exchange *before) {
  *(before != NULL ? &before->next : &of->oldest) = e->next;
  of->newest = of->newest == e ? before : of->newest;
  of->reads -= e->atomic ? 0u : 1u;
  e->next = NULL;
}

static void exchanges_answer(exchanges *of, frame_pdu *pdu, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  exchange *before;
  exchange *e = exchanges_find(of, seg, &before);
  if (e == NULL) {
    return;
  }
  const guint num = wmem_array_get_count(e->answers);
  const exchange_answer *last = num > 0 ? wmem_array_index(e->answers, num - 1) : NULL;
  const exchange_answer answer = {.frame = pdu->frame, .time_ns = ev->last.time_ns};
  if (last == NULL || last->frame != answer.frame) {
    wmem_array_append_one(e->answers, answer);
  }
  pdu->exchange = e;
  pdu->answers = true;
  if (seg->ddp.last) {
    exchanges_remove(of, e, before);
  }
}

void exchanges_segment(exchanges all[2], frame_pdu *pdu, const iwarp_event *ev) {
  const iwarp_rdmap_seg *seg = &ev->u.fpdu.seg;
  const bool response =
      seg->has_ddp && seg->ddp.tagged && seg->ctrl.opcode == IWARP_RDMAP_OP_READ_RESP;
  if (seg->kind == IWARP_RDMAP_KIND_READ_REQ) {
    const iwarp_rdmap_read_req *v = &seg->u.read_req;
    exchanges_add(&all[pdu->side], pdu, ev,
                  &(exchange){.id = v->sink_stag, .to = v->sink_to, .size = v->size});
  } else if (seg->kind == IWARP_RDMAP_KIND_ATOMIC_REQ) {
    exchanges_add(&all[pdu->side], pdu, ev,
                  &(exchange){.atomic = true, .id = seg->u.atomic_req.request_id});
  } else if (response || seg->kind == IWARP_RDMAP_KIND_ATOMIC_RESP) {
    exchanges_answer(&all[1 - pdu->side], pdu, ev);
  }
}

/* ---- links ---- */

static void exchanges_number(proto_tree *tree, int hf, guint32 value) {
  proto_item_set_generated(proto_tree_add_uint(tree, hf, NULL, 0, 0, value));
}

/* Read Requests that wait, and how many the startup allows. RFC 6581 9.1 */
static void exchanges_show_depth(proto_tree *tree, const frame_pdu *pdu) {
  guint32 limit;
  if (pdu->reads == 0) {
    return;
  }
  exchanges_number(tree, hf_iwarp.reads_outstanding, pdu->reads);
  if (negotiation_reads(&limit, pdu->conn, pdu->side)) {
    exchanges_number(tree, hf_iwarp.reads_allowed, limit);
  }
}

static void exchanges_show_request(proto_tree *tree, const frame_pdu *pdu, guint32 known) {
  const exchange *e = pdu->exchange;
  exchanges_show_depth(tree, pdu);
  for (guint i = 0; i < wmem_array_get_count(e->answers); i++) {
    const exchange_answer *answer = wmem_array_index(e->answers, i);
    if (answer->frame <= known) {
      exchanges_number(tree, hf_iwarp.response_in, answer->frame);
    }
  }
}

/* How far the Read has come with this segment. */
static void exchanges_show_done(proto_tree *tree, const exchange *e, const iwarp_rdmap_seg *seg) {
  if (!e->atomic) {
    const guint64 done = seg->ddp.to - e->to + seg->payload_len;
    proto_item_set_generated(proto_tree_add_uint64(tree, hf_iwarp.read_done, NULL, 0, 0, done));
    exchanges_number(tree, hf_iwarp.read_expected, e->size);
  }
}

static void exchanges_show_response(proto_tree *tree, const frame_pdu *pdu,
                                    const iwarp_rdmap_seg *seg) {
  const exchange *e = pdu->exchange;
  exchanges_number(tree, hf_iwarp.request_in, e->frame);
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
  if (pdu->exchange == NULL) {
    return;
  }
  if (pdu->answers) {
    exchanges_show_response(tree, pdu, seg);
  } else {
    exchanges_show_request(tree, pdu, known);
  }
}
