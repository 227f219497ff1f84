/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows the result of an MPA startup in the tree of its Reply. RFC 5044 7.1, RFC 6581 9. */
#include "negotiation.h"

#include <report/conn.h>
#include <report/names.h>

#include "conns.h"
#include "fields.h"
#include "records.h"

void negotiation_startup(const frame_pdu *pdu, guint64 time_ns, const iwarp_observer_info *info) {
  conn *c = pdu->conn;
  if (!pdu->reply) {
    c->request = c->request == NULL ? pdu : c->request;
    c->request_ns = c->request == pdu ? time_ns : c->request_ns;
    return;
  }
  if (info->sctp || !info->side[1 - pdu->side].has_startup || c->negotiated != NULL) {
    return;
  }
  c->negotiated = wmem_new(wmem_file_scope(), negotiation);
  *c->negotiated = (negotiation){
      .reply = pdu,
      .request = c->request,
      .setup_ns = c->request != NULL && time_ns > c->request_ns ? time_ns - c->request_ns : 0,
      .info = *info};
}

void negotiation_end(const conn *c, const iwarp_observer_info *info) {
  if (c->negotiated != NULL) {
    c->negotiated->info = *info;
  }
}

/* ---- IRD and ORD ---- */

/* Each side asks for no more than the other offers. RFC 6581 9.1 */
bool negotiation_reads(guint32 *limit, const conn *c, guint8 side) {
  const iwarp_observer_info *info = c->negotiated != NULL ? &c->negotiated->info : NULL;
  if (info == NULL || info->rejected || !report_enhanced(info)) {
    return false;
  }
  const guint32 asks = info->side[side].enh.ord;
  const guint32 offered = info->side[1 - side].enh.ird;
  *limit = MIN(asks, offered);
  return asks != IWARP_MPA_DEPTH_UNSPEC && offered != IWARP_MPA_DEPTH_UNSPEC;
}

/* ---- the tree ---- */

static void negotiation_switch(proto_tree *tree, int hf, iwarp_tristate value) {
  if (value != IWARP_TRISTATE_UNKNOWN) {
    proto_item_set_generated(
        proto_tree_add_boolean(tree, hf, NULL, 0, 0, value == IWARP_TRISTATE_ON));
  }
}

static void negotiation_depth(proto_tree *tree, int hf, const conn *c, guint8 side) {
  guint32 limit;
  if (negotiation_reads(&limit, c, side)) {
    proto_item_set_generated(proto_tree_add_uint(tree, hf, NULL, 0, 0, limit));
  }
}

/* Names the RTR messages that both sides named; the Initiator sends one of them. RFC 6581 9.2 */
static const char *negotiation_rtr(wmem_allocator_t *pool, const iwarp_mpa_enhanced *request,
                                   const iwarp_mpa_enhanced *reply) {
  wmem_strbuf_t *out = wmem_strbuf_new(pool, NULL);
  const struct {
    bool agreed;
    const char *name;
  } kinds[] = {{request->b && reply->b, "Send"},
               {request->c && reply->c, "RDMA Write"},
               {request->d && reply->d, "RDMA Read"}};
  for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
    if (kinds[i].agreed) {
      wmem_strbuf_append_printf(out, "%s%s", wmem_strbuf_get_len(out) > 0 ? " or " : "",
                                kinds[i].name);
    }
  }
  return wmem_strbuf_get_len(out) > 0 ? wmem_strbuf_finalize(out) : "none in common";
}

static void negotiation_enhanced(packet_info *pinfo, proto_tree *tree, const conn *c,
                                 guint8 initiator) {
  const iwarp_mpa_enhanced *request = &c->negotiated->info.side[initiator].enh;
  const iwarp_mpa_enhanced *reply = &c->negotiated->info.side[1 - initiator].enh;
  const bool peer_to_peer = request->a && reply->a;
  negotiation_depth(tree, hf_iwarp.negotiated_reads_initiator, c, initiator);
  negotiation_depth(tree, hf_iwarp.negotiated_reads_responder, c, 1 - initiator);
  proto_item_set_generated(
      proto_tree_add_boolean(tree, hf_iwarp.negotiated_peer_to_peer, NULL, 0, 0, peer_to_peer));
  if (peer_to_peer) {
    proto_item_set_generated(proto_tree_add_string(tree, hf_iwarp.negotiated_rtr, NULL, 0, 0,
                                                   negotiation_rtr(pinfo->pool, request, reply)));
  }
}

static const char *negotiation_words(packet_info *pinfo, const iwarp_observer_info *info,
                                     guint8 initiator) {
  if (info->rejected) {
    return "Negotiation: the connection is rejected";
  }
  return wmem_strdup_printf(
      pinfo->pool, "Negotiated: Markers to the initiator: %s, to the responder: %s; CRC: %s",
      report_tri_name(info->side[1 - initiator].markers),
      report_tri_name(info->side[initiator].markers), report_tri_name(info->crc));
}

static void negotiation_result(packet_info *pinfo, proto_tree *tree, const conn *c) {
  const iwarp_observer_info *info = &c->negotiated->info;
  const guint8 initiator = report_initiator(info);
  proto_item *item = proto_tree_add_none_format(tree, hf_iwarp.negotiated, NULL, 0, 0, "%s",
                                                negotiation_words(pinfo, info, initiator));
  proto_tree *sub = proto_item_add_subtree(item, ett_iwarp.negotiated);
  proto_item_set_generated(item);
  proto_item_set_generated(
      proto_tree_add_boolean(sub, hf_iwarp.negotiated_rejected, NULL, 0, 0, info->rejected));
  if (info->rejected) {
    return;
  }
  negotiation_switch(sub, hf_iwarp.negotiated_markers_responder, info->side[1 - initiator].markers);
  negotiation_switch(sub, hf_iwarp.negotiated_markers_initiator, info->side[initiator].markers);
  negotiation_switch(sub, hf_iwarp.negotiated_crc, info->crc);
  if (report_enhanced(info)) {
    negotiation_enhanced(pinfo, sub, c, initiator);
  }
}

static void negotiation_time(proto_tree *tree, guint64 ns) {
  const nstime_t time = {.secs = (time_t)(ns / 1000000000u), .nsecs = (int)(ns % 1000000000u)};
  proto_item_set_generated(proto_tree_add_time(tree, hf_iwarp.setup_time, NULL, 0, 0, &time));
}

void negotiation_show(packet_info *pinfo, proto_tree *tree, const frame_pdu *pdu, guint32 known) {
  const negotiation *n = pdu->conn->negotiated;
  if (n == NULL) {
    return;
  }
  if (n->request == pdu && n->reply->frame <= known) {
    records_show(tree, hf_iwarp.reply_in, n->reply->frame);
  }
  if (n->reply == pdu) {
    if (n->request != NULL) {
      records_show(tree, hf_iwarp.reply_to, n->request->frame);
      negotiation_time(tree, n->setup_ns);
    }
    negotiation_result(pinfo, tree, pdu->conn);
  }
}
