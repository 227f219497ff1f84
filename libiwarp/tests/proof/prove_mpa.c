/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: startup frames, Markers, the layout of an FPDU, and the conventions of Private Data. */
#include "mpa/marker.c"
#include "mpa/private_data.c"
#include "mpa/startup.c"
#include "proof.h"

static void mpa_get_startup(iwarp_span in) {
  iwarp_mpa_startup v;
  if (iwarp_mpa_startup_decode(&v, in).err == IWARP_OK) {
    iwarp_mpa_key_classify((iwarp_span){.ptr = v.key, .len = sizeof v.key});
    iwarp_mpa_startup_is_enhanced(&v);
    proof_touch(v.private_data);
    proof_sum(v.flags + v.rev + v.pd_length);
  }
  iwarp_mpa_key_classify(in);
}

static void mpa_get_enhanced(iwarp_span in) {
  iwarp_mpa_enhanced v;
  if (iwarp_mpa_enhanced_decode(&v, in).err == IWARP_OK) {
    proof_sum((uint64_t)v.a + v.b + v.ird + v.c + v.d + v.ord);
  }
}

static void mpa_get_marker(iwarp_span in) {
  iwarp_mpa_marker v;
  if (iwarp_mpa_marker_decode(&v, in).err == IWARP_OK) {
    proof_sum((uint64_t)v.reserved + v.fpduptr);
  }
}

static void mpa_get_depths(iwarp_span in) {
  iwarp_smbd_depths v;
  if (iwarp_smbd_depths_decode(&v, in, (iwarp_byte_order)proof_int).err == IWARP_OK) {
    proof_sum((uint64_t)v.ird + v.ord);
  }
  iwarp_smbd_depths_guess(in);
}

static void mpa_get_erdma(iwarp_span in) {
  iwarp_erdma_ext v;
  if (iwarp_erdma_ext_decode(&v, in).err == IWARP_OK) {
    proof_sum((uint64_t)v.cookie + v.reserved + v.cc);
  }
}

static void mpa_get_rpc_rdma(iwarp_span in) {
  iwarp_rpc_rdma v;
  if (iwarp_rpc_rdma_decode(&v, in).err == IWARP_OK) {
    proof_sum((uint64_t)v.format + v.version + v.reserved + v.remote_invalidation + v.send_size +
              v.receive_size);
  }
  proof_touch(iwarp_rpc_rdma_find(in));
}

static iwarp_span mpa_private_data;

static iwarp_err mpa_put_startup(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_mpa_startup v = {
      .flags = proof_u8, .rev = proof_u8, .pd_length = proof_u16, .private_data = mpa_private_data};
  Frama_C_make_unknown((char *)v.key, sizeof v.key);
  return iwarp_mpa_startup_encode(dst, cap, len, &v);
}

static void mpa_put_startups(iwarp_span private_data) {
  mpa_private_data = private_data;
  proof_outputs_near(mpa_put_startup, IWARP_MPA_STARTUP_LEN + private_data.len);
}

static iwarp_err mpa_put_enhanced(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_mpa_enhanced v = {.a = proof_bool(),
                          .b = proof_bool(),
                          .ird = proof_u16,
                          .c = proof_bool(),
                          .d = proof_bool(),
                          .ord = proof_u16};
  return iwarp_mpa_enhanced_encode(dst, cap, len, &v);
}

static iwarp_err mpa_put_marker(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_mpa_marker v = {.reserved = proof_u16, .fpduptr = proof_u16};
  return iwarp_mpa_marker_encode(dst, cap, len, &v);
}

static iwarp_err mpa_put_depths(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_smbd_depths v = {.ird = proof_u32, .ord = proof_u32};
  return iwarp_smbd_depths_encode(dst, cap, len, &v, (iwarp_byte_order)proof_int);
}

static iwarp_err mpa_put_erdma(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_erdma_ext v = {.cookie = proof_u32, .reserved = proof_u32, .cc = proof_u8};
  return iwarp_erdma_ext_encode(dst, cap, len, &v);
}

static iwarp_err mpa_put_rpc_rdma(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_rpc_rdma v = {.format = proof_u32,
                      .version = proof_u8,
                      .reserved = proof_u8,
                      .remote_invalidation = proof_bool(),
                      .send_size = proof_u8,
                      .receive_size = proof_u8};
  return iwarp_rpc_rdma_encode(dst, cap, len, &v);
}

static void mpa_arithmetic(void) {
  proof_sum(iwarp_mpa_startup_size(proof_u8, proof_u16));
  proof_sum(iwarp_rpc_rdma_octets(proof_u8));
  proof_sum(iwarp_rpc_rdma_size(proof_u32));
  iwarp_mpa_key_octets((iwarp_mpa_key)proof_int);
  iwarp_mpa_res_name(proof_u8);
  uint32_t pad = iwarp_mpa_pad_len(proof_u16);
  iwarp_mpa_layout_of(proof_u64, proof_u16, proof_bool());
  //@ assert pad <= 3;
  uint32_t mulpdu = iwarp_mpa_mulpdu(proof_u32, proof_bool());
  //@ assert mulpdu <= IWARP_MPA_ULPDU_MAX;
}

void prove(void) {
  proof_inputs(mpa_get_startup);
  proof_inputs(mpa_get_enhanced);
  proof_inputs(mpa_get_marker);
  proof_inputs(mpa_get_depths);
  proof_inputs(mpa_get_erdma);
  proof_inputs(mpa_get_rpc_rdma);
  proof_spans_of(mpa_put_startups);
  mpa_private_data = proof_far_any();
  proof_output_any(mpa_put_startup);
  proof_outputs(mpa_put_enhanced, IWARP_MPA_ENHANCED_LEN);
  proof_outputs(mpa_put_marker, IWARP_MPA_MARKER_LEN);
  proof_outputs(mpa_put_depths, IWARP_SMBD_DEPTHS_LEN);
  proof_outputs(mpa_put_erdma, IWARP_ERDMA_EXT_LEN);
  proof_outputs(mpa_put_rpc_rdma, IWARP_RPC_RDMA_LEN);
  mpa_arithmetic();
}
