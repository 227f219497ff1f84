/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: RDMAP control fields, Read Requests and Atomics. */
#include "proof.h"
#include "rdmap/atomic.c"
#include "rdmap/hdr.c"
#include "rdmap/ops.c"

static void rdmap_sum_read_req(const iwarp_rdmap_read_req *v) {
  proof_sum(v->sink_stag + v->sink_to + v->size + v->source_stag + v->source_to);
}

static void rdmap_get_read_req(iwarp_span in) {
  iwarp_rdmap_read_req v;
  if (iwarp_rdmap_read_req_decode(&v, in).err == IWARP_OK) {
    rdmap_sum_read_req(&v);
  }
}

static void rdmap_sum_atomic_req(const iwarp_rdmap_atomic_req *v) {
  proof_sum(v->reserved + v->aopcode + v->request_id + v->stag + v->to + v->add_swap_data +
            v->add_swap_mask + v->compare_data + v->compare_mask);
}

static void rdmap_get_atomic_req(iwarp_span in) {
  iwarp_rdmap_atomic_req v;
  if (iwarp_rdmap_atomic_req_decode(&v, in).err == IWARP_OK) {
    rdmap_sum_atomic_req(&v);
  }
}

static void rdmap_get_atomic_resp(iwarp_span in) {
  iwarp_rdmap_atomic_resp v;
  if (iwarp_rdmap_atomic_resp_decode(&v, in).err == IWARP_OK) {
    proof_sum(v.request_id + v.original);
  }
}

static iwarp_err rdmap_put_read_req(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_rdmap_read_req v = {.sink_stag = proof_u32,
                            .sink_to = proof_u64,
                            .size = proof_u32,
                            .source_stag = proof_u32,
                            .source_to = proof_u64};
  return iwarp_rdmap_read_req_encode(dst, cap, len, &v);
}

static iwarp_err rdmap_put_atomic_req(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_rdmap_atomic_req v = {.reserved = proof_u32,
                              .aopcode = proof_u8,
                              .request_id = proof_u32,
                              .stag = proof_u32,
                              .to = proof_u64,
                              .add_swap_data = proof_u64,
                              .add_swap_mask = proof_u64,
                              .compare_data = proof_u64,
                              .compare_mask = proof_u64};
  return iwarp_rdmap_atomic_req_encode(dst, cap, len, &v);
}

static iwarp_err rdmap_put_atomic_resp(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_rdmap_atomic_resp v = {.request_id = proof_u32, .original = proof_u64};
  return iwarp_rdmap_atomic_resp_encode(dst, cap, len, &v);
}

static void rdmap_numbers(void) {
  iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(proof_u8);
  proof_sum((uint64_t)ctrl.rv + ctrl.rsv + ctrl.opcode);
  ctrl = (iwarp_rdmap_ctrl){.rv = proof_u8, .rsv = proof_u8, .opcode = proof_u8};
  iwarp_rdmap_ctrl_encode(ctrl);
  proof_sum(iwarp_rdmap_op_get(proof_u8)->hdr_len);
  iwarp_rdmap_fetch_add(proof_u64, proof_u64, proof_u64);
  iwarp_rdmap_cmp_swap(proof_u64, proof_u64, proof_u64, proof_u64, proof_u64);
}

void prove(void) {
  rdmap_numbers();
  proof_inputs(rdmap_get_read_req);
  proof_inputs(rdmap_get_atomic_req);
  proof_inputs(rdmap_get_atomic_resp);
  proof_outputs(rdmap_put_read_req, IWARP_RDMAP_READ_REQ_LEN);
  proof_outputs(rdmap_put_atomic_req, IWARP_RDMAP_ATOMIC_REQ_LEN);
  proof_outputs(rdmap_put_atomic_resp, IWARP_RDMAP_ATOMIC_RESP_LEN);
}
