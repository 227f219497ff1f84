/* SPDX-License-Identifier: BSD-2-Clause */
/* SHA-256 (FIPS 180-4): a digest that does not lead back to the octets. */
#ifndef SCRUB_SHA256_H
#define SCRUB_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_LEN 32u   /* octets of a digest */
#define SHA256_BLOCK 64u /* octets */

typedef struct sha256 {
  uint32_t state[8];
  uint64_t octets;
  uint8_t block[SHA256_BLOCK];
} sha256;

void sha256_begin(sha256 *s);
void sha256_add(sha256 *s, const void *octets, size_t len);
void sha256_end(sha256 *s, uint8_t out[SHA256_LEN]);

#endif
