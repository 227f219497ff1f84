/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive engine: its events do not depend on the cuts of the octets, and name all octets. */
#include <iwarp/rx.h>

#include "rx_case.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_SCRIPT;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  rx_case(data, size, IWARP_TRISTATE_ON);
  return 0;
}
