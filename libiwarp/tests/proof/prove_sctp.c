/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: what DDP over SCTP puts on the wire, and its tables. */
#include "proof.h"
#include "sctp/message.c"
#include "sctp/names.c"
#include "sctp/states.c"

static void sctp_get_segment(iwarp_span in) {
  iwarp_sctp_segment v;
  if (iwarp_sctp_segment_decode(&v, in).err == IWARP_OK) {
    proof_touch(v.segment);
    proof_sum(v.ssn);
  }
}

static void sctp_get_control(iwarp_span in) {
  iwarp_sctp_control v;
  if (iwarp_sctp_control_decode(&v, in).err == IWARP_OK) {
    proof_touch(v.private_data);
    proof_touch(iwarp_sctp_control_enhanced(&v));
    proof_touch(iwarp_sctp_control_ulp_data(&v));
    proof_sum(v.ssn);
  }
}

static void sctp_get_adaptation(iwarp_span in) {
  iwarp_sctp_adaptation v;
  if (iwarp_sctp_adaptation_decode(&v, in).err == IWARP_OK) {
    proof_sum((uint64_t)v.type + v.length + v.indication);
  }
}

static iwarp_span sctp_data;

static iwarp_err sctp_put_segment(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_sctp_segment v = {.ssn = proof_u16, .segment = sctp_data};
  return iwarp_sctp_segment_encode(dst, cap, len, &v);
}

static iwarp_err sctp_put_control(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_sctp_control v = {.ssn = proof_u16, .function = proof_u16, .private_data = sctp_data};
  return iwarp_sctp_control_encode(dst, cap, len, &v);
}

static void sctp_put_data(iwarp_span data) {
  sctp_data = data;
  proof_outputs_near(sctp_put_segment, IWARP_SCTP_SEGMENT_LEN + data.len);
  proof_outputs_near(sctp_put_control, IWARP_SCTP_CONTROL_LEN + data.len);
}

static iwarp_err sctp_put_adaptation(uint8_t *dst, size_t cap, size_t *len) {
  iwarp_sctp_adaptation v = {.type = proof_u16, .length = proof_u16, .indication = proof_u32};
  return iwarp_sctp_adaptation_encode(dst, cap, len, &v);
}

static void sctp_tables(void) {
  iwarp_sctp_ppid_name(proof_u32);
  const iwarp_sctp_function_info *at = iwarp_sctp_function_at(proof_size);
  const iwarp_sctp_function_info *row = iwarp_sctp_function_get(proof_u16);
  proof_sum((uint64_t)(at != NULL ? at->code : 0) + (row != NULL ? row->code : 0));
  iwarp_sctp_cell cell =
      iwarp_sctp_step((iwarp_sctp_state)proof_int, proof_bool(), (iwarp_sctp_kind)proof_int);
  proof_sum((uint64_t)cell.verdict + cell.next);
  iwarp_sctp_state_name((iwarp_sctp_state)proof_int);
}

static void sctp_arithmetic(void) {
  iwarp_sctp_ssn_distance(proof_u16, proof_u16);
  uint32_t mulpdu = iwarp_sctp_mulpdu(proof_u32, proof_u32, proof_u32);
  //@ assert mulpdu >= IWARP_SCTP_MULPDU_MIN;
}

void prove(void) {
  proof_inputs(sctp_get_segment);
  proof_inputs(sctp_get_control);
  proof_inputs(sctp_get_adaptation);
  proof_spans_of(sctp_put_data);
  sctp_data = proof_far_any();
  proof_output_any(sctp_put_segment);
  proof_output_any(sctp_put_control);
  proof_outputs(sctp_put_adaptation, IWARP_SCTP_ADAPTATION_LEN);
  sctp_tables();
  sctp_arithmetic();
}
