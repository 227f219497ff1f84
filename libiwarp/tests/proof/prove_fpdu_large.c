/* SPDX-License-Identifier: BSD-2-Clause */
/* Proof: FPDUs up to the largest, with up to 130 Markers. */
#include "fpdu.h"

/* An Ethernet frame, a jumbo frame, the largest with Markers of the right value, the largest. */
#define FPDU_LARGE 4
static const uint16_t fpdu_large[FPDU_LARGE] = {1442, 8954, 65022, 65535};

void prove(void) {
  //@ loop unroll FPDU_LARGE;
  for (size_t i = 0; i < FPDU_LARGE; i++) {
    fpdu_one(fpdu_large[i], proof_u64, false);
    fpdu_one(fpdu_large[i], 0, true);
    fpdu_one(fpdu_large[i], 4, true);
    fpdu_one(fpdu_large[i], IWARP_MPA_MARKER_PERIOD - 4, true);
  }
}
