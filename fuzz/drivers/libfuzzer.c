/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libFuzzer's custom mutator: iWARP first, now and then libFuzzer's own. With IWARP_FUZZ_PLAIN in
 * the environment libFuzzer's own alone, so that the two can be compared.
 */
#include <stdlib.h>

#include "mutator.h"

/* AddressSanitizer asks for these. Memory is made and given back in each run: short stacks of
 * where, and no more of it kept than fits a cache, make runs a third faster. */
const char *__asan_default_options(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__asan_default_options(void) {
  return "malloc_context_size=6:quarantine_size_mb=8";
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
  prng p = {.state = seed};
  if (getenv("IWARP_FUZZ_PLAIN") != NULL) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  if (fuzz_target_form == FUZZ_FORM_OCTETS || prng_below(&p, 3) == 0) {
    size = LLVMFuzzerMutate(data, size, max_size);
    mutator_mend(data, size, fuzz_target_form);
    return size;
  }
  return mutator_mutate(data, size, max_size, fuzz_target_form, &p, (iwarp_span){0});
}
