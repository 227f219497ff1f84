/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: the conventions of Private Data. */
#include "mpa/private_data.c"
#include "proof.h"

static void private_data_get_depths(iwarp_span in) {
  iwarp_smbd_depths v;
  if (iwarp_smbd_depths_decode(&v, in, (iwarp_byte_order)proof_int).err == IWARP_OK) {
    proof_sum((uint64_t)v.ird + v.ord);
  }
  iwarp_smbd_depths_guess(in);
}

static void private_data_get_erdma(iwarp_span in) {
  iwarp_erdma_ext v;
  if (iwarp_erdma_ext_decode(&v, in).err == IWARP_OK) {
    proof_sum((uint64_t)v.cookie + v.reserved + v.cc);
  }
}

static void private_data_get_rpc_rdma(iwarp_span in) {
  iwarp_rpc_rdma v;
  if (iwarp_rpc_rdma_decode(&v, in).err == IWARP_OK) {
    proof_sum((uint64_t)v.format + v.version + v.reserved + v.remote_invalidation + v.send_size +
              v.receive_size);
  }
}

static void private_data_found(iwarp_span octets) {
  if (octets.ptr != NULL) {
    proof_touch(octets);
  }
}

/* The search goes over all places of an input, so each length here takes many steps. */
#define PRIVATE_DATA_SEARCHED 12
static void private_data_search(void) {
  private_data_found(iwarp_rpc_rdma_find((iwarp_span){.ptr = NULL, .len = 0}));
  //@ loop unroll PRIVATE_DATA_SEARCHED + 1;
  for (size_t n = 0; n <= PRIVATE_DATA_SEARCHED; n++) {
    uint8_t *p = proof_block(n);
    private_data_found(iwarp_rpc_rdma_find((iwarp_span){.ptr = p, .len = n}));
    free(p);
  }
  private_data_found(iwarp_rpc_rdma_find(proof_far_any()));
}

static iwarp_err private_data_put_depths(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_smbd_depths v = {.ird = proof_u32, .ord = proof_u32};
  return iwarp_smbd_depths_encode(dst, cap, len, &v, (iwarp_byte_order)proof_int);
}

static iwarp_err private_data_put_erdma(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_erdma_ext v = {.cookie = proof_u32, .reserved = proof_u32, .cc = proof_u8};
  return iwarp_erdma_ext_encode(dst, cap, len, &v);
}

static iwarp_err private_data_put_rpc_rdma(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_rpc_rdma v = {.format = proof_u32,
                      .version = proof_u8,
                      .reserved = proof_u8,
                      .remote_invalidation = proof_bool(),
                      .send_size = proof_u8,
                      .receive_size = proof_u8};
  return iwarp_rpc_rdma_encode(dst, cap, len, &v);
}

void prove(void) {
  proof_inputs(private_data_get_depths);
  proof_inputs(private_data_get_erdma);
  proof_inputs(private_data_get_rpc_rdma);
  private_data_search();
  proof_outputs(private_data_put_depths, IWARP_SMBD_DEPTHS_LEN);
  proof_outputs(private_data_put_erdma, IWARP_ERDMA_EXT_LEN);
  proof_outputs(private_data_put_rpc_rdma, IWARP_RPC_RDMA_LEN);
  iwarp_mpa_res_name(proof_u8);
  proof_sum(iwarp_rpc_rdma_octets(proof_u8));
  proof_sum(iwarp_rpc_rdma_size(proof_u32));
}
