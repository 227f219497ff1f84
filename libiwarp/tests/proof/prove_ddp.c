/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: the DDP header. */
#include "ddp/hdr.c"
#include "proof.h"

/* ddp_sum reads every member: Eva complains about one that was not written. */
static uint64_t ddp_sum(const iwarp_ddp_hdr *v) {
  return v->tagged + v->last + v->rsvd + v->dv + v->rsvdulp + v->stag + v->to + v->rsvdulp_word +
         v->qn + v->msn + v->mo;
}

static void ddp_get(iwarp_span in) {
  iwarp_ddp_hdr v;
  iwarp_dec dec = iwarp_ddp_hdr_decode(&v, in);
  if (dec.err == IWARP_OK) {
    ddp_sum(&v);
  }
}

static void ddp_peek(iwarp_span in) {
  iwarp_ddp_hdr v;
  iwarp_ddp_hdr_peek(&v, in);
  ddp_sum(&v);
}

static iwarp_err ddp_put(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_ddp_hdr v = {.tagged = proof_bool(),
                     .last = proof_bool(),
                     .rsvd = proof_u8,
                     .dv = proof_u8,
                     .rsvdulp = proof_u8,
                     .stag = proof_u32,
                     .to = proof_u64,
                     .rsvdulp_word = proof_u32,
                     .qn = proof_u32,
                     .msn = proof_u32,
                     .mo = proof_u32};
  return iwarp_ddp_hdr_encode(dst, cap, len, &v);
}

void prove(void) {
  iwarp_ddp_hdr_len(proof_u8);
  proof_inputs(ddp_get);
  proof_inputs(ddp_peek);
  proof_outputs(ddp_put, IWARP_DDP_UNTAGGED_LEN);
}
