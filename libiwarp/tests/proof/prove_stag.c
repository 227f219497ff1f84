/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: STags that a peer cannot predict. */
#include "endpoint/stag.c"
#include "proof.h"

void prove(void) {
  uint8_t *key = proof_block(IWARP_STAG_KEY_LEN);
  proof_sum(iwarp_stag_generate(key, proof_u32));
  free(key);
}
