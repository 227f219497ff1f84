/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers that look random and are the same in every run: a Weyl sequence, mixed. */
#include "prng.h"

uint64_t prng_next(prng *p) {
  p->state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t x = p->state;
  x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
  x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
  return x ^ x >> 32;
}

uint64_t prng_below(prng *p, uint64_t limit) {
  return prng_next(p) % limit;
}

size_t prng_size(prng *p, size_t limit) {
  return (size_t)prng_below(p, limit);
}

void prng_fill(prng *p, uint8_t *octets, size_t n) {
  for (size_t i = 0; i < n; i++) {
    octets[i] = (uint8_t)(prng_next(p) >> 56);
  }
}
