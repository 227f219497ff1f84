/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Upper layers: what the user chose by Decode As; NVMe over RDMA and iSER; or the heuristics of the
 * list that RPC-over-RDMA and SMB Direct are registered in.
 */
#include "upper.h"

#include <epan/decode_as.h>
#include <epan/dissectors/packet-iwarp-ddp-rdmap.h>
#include <epan/exceptions.h>
#include <epan/show_exception.h>

#include "iwarp_proto.h"
#include "messages.h"
#include "pdu_octets.h"
#include "taps.h"
#include "upper_iser.h"
#include "upper_nvme.h"

#define UPPER_TABLE "iwarp.payload"
#define UPPER_HEURISTICS "iwarp_ddp_rdmap" /* registered by Wireshark's own dissector */
#define UPPER_LEAST 16u /* octets: RPC-over-RDMA reads so many before it looks at the length */

static dissector_table_t upper_table;
static heur_dissector_list_t upper_heuristics;
static const pdu_view *upper_now; /* the PDU whose payload is being dissected */
static const char *upper_found;   /* the name of the protocol that took it, or NULL */

static void upper_prompt(packet_info *pinfo, gchar *result) {
  (void)pinfo;
  g_strlcpy(result, "Dissect the payload of iWARP as", MAX_DECODE_AS_PROMPT_LEN);
}

static int upper_dissect_nvme(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data) {
  (void)pinfo;
  (void)data;
  upper_nvme_show(upper_now, tree, tvb);
  return (int)tvb_captured_length(tvb);
}

static int upper_dissect_iser(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data) {
  (void)pinfo;
  (void)data;
  upper_iser_show(upper_now, tree, tvb);
  return (int)tvb_captured_length(tvb);
}

void upper_register(int proto) {
  upper_table = register_decode_as_next_proto(proto, UPPER_TABLE, "iWARP payload", upper_prompt);
  register_dissector(IWARP_NAME ".nvme", upper_dissect_nvme, upper_nvme_register(proto));
  register_dissector(IWARP_NAME ".iser", upper_dissect_iser, upper_iser_register(proto));
}

void upper_handoff(void) {
  dissector_add_for_decode_as(UPPER_TABLE, find_dissector(IWARP_NAME ".nvme"));
  dissector_add_for_decode_as(UPPER_TABLE, find_dissector(IWARP_NAME ".iser"));
  upper_iser_handoff();
  upper_nvme_handoff();
  upper_heuristics = find_heur_dissector_list(UPPER_HEURISTICS);
}

/* ---- the payload ---- */

/* The payload of a message of several segments, or of one with Markers in it. */
static tvbuff_t *upper_copy(const pdu_view *v, const guint8 *octets, gsize len) {
  tvbuff_t *tvb = tvb_new_child_real_data(v->tvb, octets, (guint)len, (gint)len);
  add_new_data_source(v->pinfo, tvb, "iWARP message");
  return tvb;
}

/* That of one segment. */
static tvbuff_t *upper_segment(const pdu_view *v, size_t at, gsize len) {
  if (v->layout.num_markers == 0) {
    return at + len <= v->octets.len
               ? tvb_new_subset_length(v->tvb, (gint)(v->base + at), (gint)len)
               : NULL;
  }
  const iwarp_mpa_fpdu fpdu = pdu_fpdu(v->pdu, v->octets);
  guint8 *octets = wmem_alloc(v->pinfo->pool, len);
  const gsize n = iwarp_mpa_fpdu_ulpdu_copy(
      octets, len, &fpdu, v->seg->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN);
  return n == len ? upper_copy(v, octets, len) : NULL;
}

static tvbuff_t *upper_send(const pdu_view *v, size_t at) {
  const message *m = v->pdu->message;
  if (m != NULL) {
    const bool whole = !m->broken && m->last_frame == v->pdu->frame && v->seg->ddp.last;
    return whole ? upper_copy(v, m->octets, m->length) : NULL;
  }
  const bool whole = v->seg->ddp.last && v->seg->ddp.mo == 0 && v->seg->payload_len > 0;
  return whole ? upper_segment(v, at, v->seg->payload_len) : NULL;
}

static tvbuff_t *upper_payload(const pdu_view *v, size_t at) {
  if (messages_is_send(v->seg)) {
    return upper_send(v, at);
  }
  if (v->seg->kind == IWARP_RDMAP_KIND_READ_REQ) { /* all that it says is in its header */
    return tvb_new_subset_length(v->tvb, (gint)(v->base + v->octets.len), 0);
  }
  return upper_segment(v, at, v->seg->payload_len);
}

/* ---- handing over ---- */

/* Heuristics know Send and Send with Invalidate; a Solicited Event makes no other message. */
static guint8 upper_opcode(uint8_t opcode) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
  if (op->cls != IWARP_RDMAP_CLASS_SEND) {
    return opcode;
  }
  return op->invalidates ? RDMA_SEND_INVALIDATE : RDMA_SEND;
}

/* A Send is handed over whole, so that it is the last segment of itself. */
static rdmap_info_t upper_info(const pdu_view *v, rdmap_request_t *request) {
  const iwarp_ddp_hdr *ddp = &v->seg->ddp;
  rdmap_info_t info = {.opcode = upper_opcode(v->seg->ctrl.opcode), .last_flag = ddp->last};
  info.is_tagged = ddp->tagged;
  if (ddp->tagged) {
    info.steering_tag = ddp->stag;
    info.tagged_offset = ddp->to;
  } else {
    info.queue_number = ddp->qn;
    info.message_seq_num = ddp->msn;
  }
  if (v->seg->kind == IWARP_RDMAP_KIND_READ_REQ) {
    const iwarp_rdmap_read_req *read = &v->seg->u.read_req;
    *request = (rdmap_request_t){.sink_stag = read->sink_stag,
                                 .sink_toffset = read->sink_to,
                                 .source_stag = read->source_stag,
                                 .source_toffset = read->source_to,
                                 .message_size = read->size};
    info.read_request = request;
  }
  return info;
}

/* Tries the dissector that the user chose by Decode As. */
static bool upper_dissect_chosen(const pdu_view *v, proto_tree *root, tvbuff_t *payload,
                                 rdmap_info_t *info) {
  const dissector_handle_t chosen = dissector_get_payload_handle(upper_table);
  if (chosen != NULL) {
    const int protocol = dissector_handle_get_protocol_index(chosen);
    upper_found = proto_get_protocol_short_name(find_protocol_by_id(protocol));
  }
  return ws_try_payload(upper_table, payload, v->pinfo, root, TRUE, info) > 0;
}

/* Tries the upper layers that Wireshark decodes over InfiniBand only. */
static bool upper_dissect_own(const pdu_view *v, proto_tree *root, tvbuff_t *payload) {
  const bool nvme = upper_nvme_is(v, payload);
  const bool iser = !nvme && upper_iser_is(v, payload);
  upper_found = nvme ? "NVMe" : iser ? "iSER" : NULL;
  if (nvme) {
    upper_nvme_show(v, root, payload);
  } else if (iser) {
    upper_iser_show(v, root, payload);
  }
  return nvme || iser;
}

static void upper_dissect(const pdu_view *v, proto_tree *root, tvbuff_t *payload) {
  heur_dtbl_entry_t *entry = NULL;
  rdmap_request_t request;
  rdmap_info_t info = upper_info(v, &request);
  const bool send = messages_is_send(v->seg);
  upper_now = v;
  if (send &&
      (upper_dissect_chosen(v, root, payload, &info) || upper_dissect_own(v, root, payload))) {
    return;
  }
  if ((!send || tvb_captured_length(payload) >= UPPER_LEAST) && upper_heuristics != NULL &&
      dissector_try_heuristic(upper_heuristics, payload, v->pinfo, root, &entry, &info)) {
    upper_found = proto_get_protocol_short_name(entry->protocol);
  }
}

/* An exception in an upper layer must not hide the PDUs that follow. */
static void upper_guarded(const pdu_view *v, proto_tree *root, tvbuff_t *payload) {
  column_info *const columns = v->pinfo->cinfo;
  const bool protocol = col_get_writable(columns, COL_PROTOCOL);
  const bool info = col_get_writable(columns, COL_INFO);
  TRY {
    upper_dissect(v, root, payload);
  }
  CATCH_NONFATAL_ERRORS {
    show_exception(payload, v->pinfo, root, EXCEPT_CODE, GET_MESSAGE);
  }
  ENDTRY;
  col_set_writable(columns, COL_PROTOCOL, protocol);
  col_set_writable(columns, COL_INFO, info);
  col_set_fence(v->pinfo->cinfo, COL_INFO); /* the next Send of the frame appends to the column */
}

const char *upper_show(const pdu_view *v, proto_tree *root, size_t at) {
  void (*volatile guarded)(const pdu_view *, proto_tree *, tvbuff_t *) = upper_guarded;
  if (!messages_is_send(v->seg) && upper_nvme_data(v)) {
    return "NVMe";
  }
  tvbuff_t *payload = upper_payload(v, at);
  if (payload == NULL) {
    return NULL;
  }
  upper_found = NULL;
  if (messages_is_send(v->seg)) {
    taps_send(v->pinfo, payload);
  }
  const port_type type = v->pinfo->ptype;
  v->pinfo->ptype = PT_IWARP_MPA;
  guarded(v, root, payload); /* not inlined: a longjmp must not meet its caller's variables */
  v->pinfo->ptype = type;
  return upper_found;
}
