/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives the inputs of the mutator to the decoder. */
#include "fuzz.h"

int their_decoder(const uint8_t *p, size_t len);

const fuzz_form fuzz_target_form = FUZZ_FORM_FPDU;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in in = fuzz_begin(data, size);
  (void)their_decoder(in.body, in.len);
  return 0;
}
