/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing: what an engine takes for itself. */
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  return 0;
}
