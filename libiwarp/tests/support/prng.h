/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers that look random and are the same in every run. */
#ifndef TEST_SUPPORT_PRNG_H
#define TEST_SUPPORT_PRNG_H

#include <stddef.h>
#include <stdint.h>

typedef struct prng {
  uint64_t state; /* the seed */
} prng;

uint64_t prng_next(prng *p);
/* prng_below returns a number below `limit`, which is not 0. */
uint64_t prng_below(prng *p, uint64_t limit);
size_t prng_size(prng *p, size_t limit);
void prng_fill(prng *p, uint8_t *octets, size_t n);

#endif
