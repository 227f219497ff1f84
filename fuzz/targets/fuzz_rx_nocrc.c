/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive engine where CRCs are not in use, or not known to be. */
#include <iwarp/rx.h>

#include "rx_case.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_SCRIPT;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  rx_case(data, size, size % 2 == 0 ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_UNKNOWN);
  return 0;
}
