/* SPDX-License-Identifier: BSD-2-Clause */
/* Says in one line what a header holds. */
#include "show_words.h"

#include <iwarp/field.h>

#include "line.h"

static guint64 words_value(const iwarp_pdu_part *part, iwarp_field_id id) {
  uint64_t value = 0;
  iwarp_field_uint(&value, iwarp_field_get((uint16_t)id), part->octets);
  return value;
}

#define WORDS_UINT(part, name) ((guint)words_value(part, IWARP_FIELD_##name))

static void words_flag(out_buf *out, const iwarp_pdu_part *part, iwarp_field_id id,
                       const char *word) {
  if (words_value(part, id) != 0) {
    out_str(out, ", ");
    out_str(out, word);
  }
}

/* ---- MPA ---- */

static void words_depths(out_buf *out, guint ird, guint ord) {
  line_uint(out, ": IRD ", ird);
  line_uint(out, ", ORD ", ord);
}

static void words_enhanced(out_buf *out, const iwarp_pdu_part *part) {
  words_depths(out, WORDS_UINT(part, MPA_ENHANCED_IRD), WORDS_UINT(part, MPA_ENHANCED_ORD));
  words_flag(out, part, IWARP_FIELD_MPA_ENHANCED_A, "peer-to-peer");
}

/* ---- Private Data of peers ---- */

static void words_erdma(out_buf *out, const iwarp_pdu_part *part) {
  line_stag(out, ": Cookie ", WORDS_UINT(part, ERDMA_EXT_COOKIE));
  line_uint(out, ", Congestion Control ", WORDS_UINT(part, ERDMA_EXT_CC));
}

/* Sizes are multiples of 1024 octets, less one. RFC 8797 4.2 */
static void words_rpc(out_buf *out, const iwarp_pdu_part *part) {
  line_uint(out, ": Version ", WORDS_UINT(part, RPC_RDMA_VERSION));
  line_uint(out, ", sends ", (WORDS_UINT(part, RPC_RDMA_SEND_SIZE) + 1) * 1024);
  line_uint(out, " octets, receives ", (WORDS_UINT(part, RPC_RDMA_RECEIVE_SIZE) + 1) * 1024);
  words_flag(out, part, IWARP_FIELD_RPC_RDMA_R, "Remote Invalidation");
}

/* ---- DDP and RDMAP ---- */

static void words_place(out_buf *out, const char *words, guint stag, guint64 to) {
  line_stag(out, words, stag);
  line_to(out, ", TO ", to);
}

static void words_tagged(out_buf *out, const iwarp_pdu_part *part) {
  words_place(out, ": Tagged, STag ", WORDS_UINT(part, DDP_TAGGED_STAG),
              words_value(part, IWARP_FIELD_DDP_TAGGED_TO));
  words_flag(out, part, IWARP_FIELD_DDP_TAGGED_L, "last");
}

static void words_untagged(out_buf *out, const iwarp_pdu_part *part) {
  line_uint(out, ": Untagged, QN ", WORDS_UINT(part, DDP_UNTAGGED_QN));
  line_uint(out, ", MSN ", WORDS_UINT(part, DDP_UNTAGGED_MSN));
  line_uint(out, ", MO ", WORDS_UINT(part, DDP_UNTAGGED_MO));
  words_flag(out, part, IWARP_FIELD_DDP_UNTAGGED_L, "last");
}

static void words_read(out_buf *out, const iwarp_pdu_part *part) {
  line_uint(out, ": ", WORDS_UINT(part, RDMAP_READ_REQ_SIZE));
  words_place(out, " octets, from STag ", WORDS_UINT(part, RDMAP_READ_REQ_SOURCE_STAG),
              words_value(part, IWARP_FIELD_RDMAP_READ_REQ_SOURCE_TO));
  words_place(out, " to STag ", WORDS_UINT(part, RDMAP_READ_REQ_SINK_STAG),
              words_value(part, IWARP_FIELD_RDMAP_READ_REQ_SINK_TO));
}

static void words_atomic(out_buf *out, const iwarp_pdu_part *part) {
  const guint opcode = WORDS_UINT(part, RDMAP_ATOMIC_REQ_AOPCODE);
  out_str(out, ": ");
  out_str(out,
          iwarp_field_value_name(iwarp_field_get(IWARP_FIELD_RDMAP_ATOMIC_REQ_AOPCODE), opcode));
  line_uint(out, ", Id ", WORDS_UINT(part, RDMAP_ATOMIC_REQ_REQUEST_ID));
  words_place(out, ", STag ", WORDS_UINT(part, RDMAP_ATOMIC_REQ_STAG),
              words_value(part, IWARP_FIELD_RDMAP_ATOMIC_REQ_TO));
}

static const char *words_known(const char *name) {
  return iwarp_name_known(name) ? name : "unassigned";
}

const char *words_terminate(wmem_allocator_t *pool, guint8 layer, guint8 etype, guint8 code) {
  const char *name = iwarp_rdmap_term_code_name(layer, etype, code);
  return iwarp_name_known(name)
             ? name
             : wmem_strdup_printf(pool, "unassigned error 0x%x/0x%x/0x%02x", layer, etype, code);
}

static void words_term(out_buf *out, const iwarp_pdu_part *part) {
  const guint8 layer = (guint8)words_value(part, IWARP_FIELD_RDMAP_TERM_LAYER);
  const guint8 etype = (guint8)words_value(part, IWARP_FIELD_RDMAP_TERM_ETYPE);
  const guint8 code = (guint8)words_value(part, IWARP_FIELD_RDMAP_TERM_CODE);
  out_str(out, ": ");
  out_str(out, words_known(iwarp_rdmap_term_layer_name(layer)));
  out_str(out, ", ");
  out_str(out, words_known(iwarp_rdmap_term_etype_name(layer, etype)));
  out_str(out, ", ");
  out_str(out, words_known(iwarp_rdmap_term_code_name(layer, etype, code)));
}

static void words_ctrl(out_buf *out, const iwarp_pdu_part *part) {
  out_str(out, ": ");
  out_str(out, iwarp_rdmap_op_get((uint8_t)WORDS_UINT(part, RDMAP_CTRL_OPCODE))->label);
}

static void words_immediate(out_buf *out, const iwarp_pdu_part *part) {
  out_str(out, ": ");
  out_octets(out, part->octets.ptr, iwarp_form_get(part->form)->len, 0);
}

/* ---- all forms ---- */

static void words_add(out_buf *out, const iwarp_pdu_part *part) {
  switch (part->form) {
  case IWARP_FORM_MPA_ENHANCED: words_enhanced(out, part); break;
  case IWARP_FORM_MPA_MARKER:
    line_uint(out, ": FPDUPTR ", WORDS_UINT(part, MPA_MARKER_FPDUPTR));
    break;
  case IWARP_FORM_DDP_TAGGED: words_tagged(out, part); break;
  case IWARP_FORM_DDP_UNTAGGED: words_untagged(out, part); break;
  case IWARP_FORM_RDMAP_CTRL: words_ctrl(out, part); break;
  case IWARP_FORM_RDMAP_READ_REQ: words_read(out, part); break;
  case IWARP_FORM_RDMAP_TERM: words_term(out, part); break;
  case IWARP_FORM_RDMAP_ATOMIC_REQ: words_atomic(out, part); break;
  case IWARP_FORM_RDMAP_ATOMIC_RESP:
    line_uint(out, ": Id ", WORDS_UINT(part, RDMAP_ATOMIC_RESP_REQUEST_ID));
    break;
  case IWARP_FORM_SMBD_DEPTHS:
    words_depths(out, WORDS_UINT(part, SMBD_DEPTHS_IRD), WORDS_UINT(part, SMBD_DEPTHS_ORD));
    break;
  case IWARP_FORM_SMBD_DEPTHS_LE:
    words_depths(out, WORDS_UINT(part, SMBD_DEPTHS_LE_IRD), WORDS_UINT(part, SMBD_DEPTHS_LE_ORD));
    break;
  case IWARP_FORM_RDMAP_IMMEDIATE: words_immediate(out, part); break;
  case IWARP_FORM_ERDMA_EXT: words_erdma(out, part); break;
  case IWARP_FORM_RPC_RDMA: words_rpc(out, part); break;
  case IWARP_FORM_NONE:
  case IWARP_FORM_MPA_STARTUP:
  case IWARP_FORM_MPA_FPDU:
  case IWARP_FORM_MPA_CRC:
  case IWARP_FORM_MPA_PAD:
  case IWARP_FORM_RDMAP_TERM_LENGTH:
  case IWARP_FORM_SCTP_SEGMENT:
  case IWARP_FORM_SCTP_CONTROL:
  case IWARP_FORM_SCTP_ADAPTATION: break;
  }
}

const char *words_form(const iwarp_pdu_part *part) {
  const iwarp_form_info *info = iwarp_form_get(part->form);
  const bool ddp = part->form == IWARP_FORM_DDP_TAGGED || part->form == IWARP_FORM_DDP_UNTAGGED;
  out_buf *out = line_begin();
  out_str(out, ddp ? "DDP Header" : info->label);
  if (part->octets.len >= info->len) {
    words_add(out, part);
  }
  return line_end(out);
}
