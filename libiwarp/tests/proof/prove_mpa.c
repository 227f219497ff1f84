/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: startup frames, Markers, and the layout of an FPDU. */
#include "mpa/marker.c"
#include "mpa/startup.c"
#include "proof.h"

static void mpa_get_startup(iwarp_span in) {
  iwarp_mpa_startup v;
  if (iwarp_mpa_startup_decode(&v, in).err == IWARP_OK) {
    iwarp_mpa_key_classify((iwarp_span){.ptr = v.key, .len = sizeof v.key});
    iwarp_mpa_startup_is_enhanced(&v);
    iwarp_mpa_startup_check(&v);
    proof_touch(v.private_data);
    proof_sum(v.flags + v.rev + v.pd_length);
  }
  iwarp_mpa_key_classify(in);
}

static void mpa_get_head(iwarp_span in) {
  iwarp_mpa_startup v;
  if (iwarp_mpa_startup_head_decode(&v, in).err == IWARP_OK) {
    iwarp_mpa_key_classify((iwarp_span){.ptr = v.key, .len = sizeof v.key});
    iwarp_mpa_startup_check(&v);
    proof_touch(v.private_data);
    proof_sum(v.flags + v.rev + v.pd_length);
  }
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

static void mpa_arithmetic(void) {
  proof_sum(iwarp_mpa_startup_size(proof_u8, proof_u16));
  iwarp_mpa_key_octets((iwarp_mpa_key)proof_int);
  uint32_t pad = iwarp_mpa_pad_len(proof_u16);
  iwarp_mpa_layout layout = iwarp_mpa_layout_of(proof_u64, proof_u16, proof_bool());
  size_t run = 0;
  proof_sum(iwarp_mpa_wire_offset(&run, &layout, proof_size));
  proof_sum(run);
  const iwarp_mpa_marker a = {.fpduptr = proof_u16};
  const iwarp_mpa_marker b = {.fpduptr = proof_u16};
  iwarp_mpa_marker_agrees(&a, &b);
  size_t back = 0;
  size_t lead = 0;
  iwarp_mpa_marker_start(&back, &lead, &a);
  //@ assert lead <= IWARP_MPA_MARKER_LEN;
  //@ assert back <= IWARP_MPA_FPDUPTR_BITS + IWARP_MPA_MARKER_LEN;
  //@ assert pad <= 3;
  uint32_t mulpdu = iwarp_mpa_mulpdu(proof_u32, proof_bool());
  //@ assert mulpdu <= IWARP_MPA_ULPDU_MAX;
}

void prove(void) {
  proof_inputs(mpa_get_startup);
  proof_inputs(mpa_get_head);
  proof_inputs(mpa_get_enhanced);
  proof_inputs(mpa_get_marker);
  proof_spans_of(mpa_put_startups);
  mpa_private_data = proof_far_any();
  proof_output_any(mpa_put_startup);
  proof_outputs(mpa_put_enhanced, IWARP_MPA_ENHANCED_LEN);
  proof_outputs(mpa_put_marker, IWARP_MPA_MARKER_LEN);
  mpa_arithmetic();
}
