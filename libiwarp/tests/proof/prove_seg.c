/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: whole DDP Segments. */
#include "ddp/hdr.c"
#include "proof.h"
#include "rdmap/hdr.c"
#include "rdmap/ops.c"
#include "rdmap/seg.c"
#include "rdmap/term.c"

static void seg_sum(const iwarp_rdmap_seg *v) {
  proof_sum((uint64_t)v->has_ddp + v->ddp_octets + v->ddp.stag + v->ddp.mo + v->ctrl.opcode +
            v->payload_len);
}

static void seg_get(iwarp_span in) {
  iwarp_rdmap_seg v;
  iwarp_rdmap_seg_decode(&v, in, in.len); /* the whole segment is available */
  iwarp_rdmap_seg_check(&v);
  seg_sum(&v);
  iwarp_rdmap_seg_decode(&v, in, proof_size); /* it is longer, or shorter than the octets */
  seg_sum(&v);
}

/* seg_use reads the member of the union that `kind` names. */
static void seg_use(const iwarp_rdmap_seg *v) {
  switch (v->kind) {
  case IWARP_RDMAP_KIND_READ_REQ: proof_sum(v->u.read_req.source_to); break;
  case IWARP_RDMAP_KIND_TERM: proof_touch(v->u.term.rest); break;
  case IWARP_RDMAP_KIND_IMMEDIATE: proof_sum(v->u.immediate[7]); break;
  case IWARP_RDMAP_KIND_ATOMIC_REQ: proof_sum(v->u.atomic_req.compare_mask); break;
  case IWARP_RDMAP_KIND_ATOMIC_RESP: proof_sum(v->u.atomic_resp.original); break;
  case IWARP_RDMAP_KIND_NONE: break;
  }
}

/* The first segment of a message with a header of its own, and the octets around its end. */
static void seg_of_opcode(uint8_t opcode) {
  size_t hdr_len = iwarp_rdmap_op_get(opcode)->hdr_len;
  size_t full = IWARP_DDP_UNTAGGED_LEN + hdr_len;
  //@ loop unroll 3;
  for (size_t len = hdr_len > 0 ? full - 1 : full; len <= full + 1; len++) {
    uint8_t *p = proof_block(len);
    p[0] = proof_u8 & (uint8_t)~IWARP_DDP_CTRL_T;
    p[1] = opcode;
    memset(p + IWARP_DDP_UNTAGGED_LEN - 4, 0, 4); /* MO */
    iwarp_rdmap_seg v;
    iwarp_rdmap_seg_decode(&v, (iwarp_span){.ptr = p, .len = len}, len);
    seg_use(&v);
    free(p);
  }
}

void prove(void) {
  proof_inputs(seg_get);
  //@ loop unroll 16;
  for (uint8_t opcode = 0; opcode <= IWARP_RDMAP_CTRL_OPCODE; opcode++) {
    seg_of_opcode(opcode);
  }
}
