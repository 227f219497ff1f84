/* SPDX-License-Identifier: BSD-2-Clause */
/* One DDP Segment decoded down to its RDMAP header. */
#include "rdmap_internal.h"

#include "../base/cursor.h"

/* Each decodes the header of its kind at the front of `in`, which holds all of it. */
static void rdmap_seg_read_req(iwarp_rdmap_seg *v, iwarp_span in) {
  iwarp_rdmap_read_req_decode(&v->u.read_req, in);
}

static void rdmap_seg_term(iwarp_rdmap_seg *v, iwarp_span in) {
  iwarpi_rdmap_term_decode(&v->u.term, in, v->payload_len);
}

static void rdmap_seg_immediate(iwarp_rdmap_seg *v, iwarp_span in) {
  rd r = rd_of(in);
  rd_octets(&r, v->u.immediate, sizeof v->u.immediate);
}

static void rdmap_seg_atomic_req(iwarp_rdmap_seg *v, iwarp_span in) {
  iwarp_rdmap_atomic_req_decode(&v->u.atomic_req, in);
}

static void rdmap_seg_atomic_resp(iwarp_rdmap_seg *v, iwarp_span in) {
  iwarp_rdmap_atomic_resp_decode(&v->u.atomic_resp, in);
}

typedef struct rdmap_seg_form {
  iwarp_rdmap_kind kind;
  void (*decode)(iwarp_rdmap_seg *v, iwarp_span in); /* NULL: no header */
} rdmap_seg_form;

static const rdmap_seg_form rdmap_seg_forms[IWARP_RDMAP_CTRL_OPCODE + 1u] = {
    [IWARP_RDMAP_OP_READ_REQ] = {IWARP_RDMAP_KIND_READ_REQ, rdmap_seg_read_req},
    [IWARP_RDMAP_OP_TERMINATE] = {IWARP_RDMAP_KIND_TERM, rdmap_seg_term},
    [IWARP_RDMAP_OP_IMMEDIATE] = {IWARP_RDMAP_KIND_IMMEDIATE, rdmap_seg_immediate},
    [IWARP_RDMAP_OP_IMMEDIATE_SE] = {IWARP_RDMAP_KIND_IMMEDIATE, rdmap_seg_immediate},
    [IWARP_RDMAP_OP_ATOMIC_REQ] = {IWARP_RDMAP_KIND_ATOMIC_REQ, rdmap_seg_atomic_req},
    [IWARP_RDMAP_OP_ATOMIC_RESP] = {IWARP_RDMAP_KIND_ATOMIC_RESP, rdmap_seg_atomic_resp},
};

/* rdmap_seg_header judges the payload length by the opcode and decodes the header that is there. */
static void rdmap_seg_header(iwarp_rdmap_seg *v, iwarp_span payload) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(v->ctrl.opcode);
  const rdmap_seg_form *form = &rdmap_seg_forms[v->ctrl.opcode];
  if (v->payload_len < op->hdr_len) {
    v->err = IWARP_ERR_RDMAP_SHORT;
    return;
  }
  if (!op->payload && form->kind != IWARP_RDMAP_KIND_TERM && v->payload_len > op->hdr_len) {
    v->err = IWARP_ERR_RDMAP_LONG; /* what a Terminate has beyond its headers is its `rest` */
  }
  if (form->decode != NULL && payload.len >= op->hdr_len) {
    v->kind = form->kind;
    form->decode(v, payload);
  }
}

void iwarp_rdmap_seg_decode(iwarp_rdmap_seg *out, iwarp_span in, size_t segment_len) {
  rd all = rd_of(in);
  iwarp_span seg = rd_upto(&all, segment_len); /* what stands behind it is not its own */
  *out = (iwarp_rdmap_seg){.err = IWARP_OK};
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
