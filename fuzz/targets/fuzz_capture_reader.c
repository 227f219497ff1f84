/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture file through the reader of plain files: it reads what libpcap reads, packet for packet,
 * and ends where libpcap ends; it reads nothing past the octets that it is given. */
#include "capture_twin.h"
#include "fuzz.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  const capture_twin t = capture_twin_read(in.ptr, in.len);
  fuzz_expect(t.difference[0] == 0, "%s", t.difference);
  return 0;
}
