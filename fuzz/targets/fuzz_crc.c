/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c: each variant that this machine can run, cut, copied and combined, against the definition.
 */
#include <iwarp/crc32c.h>
#include <string.h>

#include "crc_oracle.h"
#include "fuzz.h"
#include "portable.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_OCTETS;

static uint8_t copy[FUZZ_BODY_MAX + 64];

/* All variants, also those that would not be chosen here. */
static void each_variant(uint32_t begin, iwarp_span in, size_t shift, uint32_t due) {
  portable_variant v;
  for (size_t i = 0; portable_variant_get(&v, i); i++) {
    memset(copy + shift, 0, in.len);
    fuzz_expect(v.fn(begin, in.ptr, in.len) == due, "%s", v.name);
    fuzz_expect(v.copy(begin, copy + shift, in.ptr, in.len) == due, "%s while copying", v.name);
    fuzz_expect(memcmp(copy + shift, in.ptr, in.len) == 0, "a copy of %s", v.name);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  const iwarp_span in = fuzz_span(&f);
  const uint32_t begin = fuzz_u32(&f);
  const size_t shift = fuzz_u8(&f) % 64u; /* shift of the copy: any alignment */
  const size_t cut = in.len > 0 ? fuzz_u16(&f) % in.len : 0;
  const uint32_t due = crc_oracle(begin, in.ptr, in.len);
  fuzz_expect(iwarp_crc32c(begin, in.ptr, in.len) == due, "of %zu octets", in.len);
  const uint32_t front = iwarp_crc32c(begin, in.ptr, cut);
  fuzz_expect(iwarp_crc32c(front, in.ptr + cut, in.len - cut) == due, "cut at %zu", cut);
  const uint32_t back = iwarp_crc32c(0, in.ptr + cut, in.len - cut);
  fuzz_expect(iwarp_crc32c_combine(front, back, in.len - cut) == due, "combined at %zu", cut);
  copy[shift + in.len] = 0x5A;
  fuzz_expect(iwarp_crc32c_copy(begin, copy + shift, in.ptr, in.len) == due, "while copying");
  fuzz_expect(memcmp(copy + shift, in.ptr, in.len) == 0 && copy[shift + in.len] == 0x5A, "a copy");
  each_variant(begin, in, shift, due);
  return 0;
}
