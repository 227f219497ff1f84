/* SPDX-License-Identifier: BSD-2-Clause */
/* One DDP Segment decoded down to its RDMAP header. */
#include "rdmap_internal.h"

#include "../base/cursor.h"

_Static_assert(IWARP_OK == 0, "a cleared segment has no error");

/* rdmap_seg_message decodes the whole header of `kind` at the front of `in`. */
static void rdmap_seg_message(iwarp_rdmap_seg *v, iwarp_rdmap_kind kind, iwarp_span in) {
  rd r = rd_of(in);
  v->kind = kind;
  switch (kind) {
  case IWARP_RDMAP_KIND_READ_REQ: iwarp_rdmap_read_req_decode(&v->u.read_req, in); break;
  case IWARP_RDMAP_KIND_TERM: iwarpi_rdmap_term_decode(&v->u.term, in, v->payload_len); break;
  case IWARP_RDMAP_KIND_IMMEDIATE: rd_array(&r, v->u.immediate); break;
  case IWARP_RDMAP_KIND_ATOMIC_REQ: iwarp_rdmap_atomic_req_decode(&v->u.atomic_req, in); break;
  case IWARP_RDMAP_KIND_ATOMIC_RESP: iwarp_rdmap_atomic_resp_decode(&v->u.atomic_resp, in); break;
  case IWARP_RDMAP_KIND_NONE:
  default: break;
  }
}

/* rdmap_seg_header judges the payload length by the opcode and decodes the header that is there. */
static void rdmap_seg_header(iwarp_rdmap_seg *v, iwarp_span payload) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(v->ctrl.opcode);
  if (v->payload_len < op->hdr_len) {
    v->err = IWARP_ERR_RDMAP_SHORT;
    return;
  }
  if (!op->payload && op->kind != IWARP_RDMAP_KIND_TERM && v->payload_len > op->hdr_len) {
    v->err = IWARP_ERR_RDMAP_LONG; /* surplus octets of a Terminate are its `rest` */
  }
  if (payload.len >= op->hdr_len) {
    rdmap_seg_message(v, op->kind, payload);
  }
}

void iwarp_rdmap_seg_decode(iwarp_rdmap_seg *out, iwarp_span in, size_t segment_len) {
  rd all = rd_of(in);
  iwarp_span seg = rd_upto(&all, segment_len); /* octets after the segment are not its own */
  *out = (iwarp_rdmap_seg){0};
  out->ddp_octets = (uint8_t)iwarp_ddp_hdr_peek(&out->ddp, seg);
  size_t hdr_len = out->ddp.tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  if (segment_len < (out->ddp_octets > 0 ? hdr_len : IWARP_DDP_TAGGED_LEN)) {
    *out = (iwarp_rdmap_seg){.err = IWARP_ERR_DDP_SHORT};
    return;
  }
  out->ctrl = iwarp_rdmap_ctrl_decode(out->ddp.rsvdulp);
  out->payload_len = out->ddp_octets > 0 ? segment_len - hdr_len : 0;
  out->has_ddp = out->ddp_octets == hdr_len;
  if (out->has_ddp && !out->ddp.tagged && out->ddp.mo == 0) {
    rd r = rd_of(seg);
    rd_take(&r, hdr_len);
    rdmap_seg_header(out, rd_upto(&r, r.left));
  }
}

iwarp_err iwarp_rdmap_seg_check(const iwarp_rdmap_seg *v) {
  return v->kind == IWARP_RDMAP_KIND_TERM ? v->u.term.tail_err : v->err;
}
