/* SPDX-License-Identifier: BSD-2-Clause */
/* SipHash-2-4 (Aumasson, Bernstein): a hash that nobody can foresee who does not know its key. */
#ifndef INGEST_SIPHASH_H
#define INGEST_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t ing_sip_rotate(uint64_t x, unsigned n) {
  return x << n | x >> (64u - n);
}

static inline void ing_sip_rounds(uint64_t v[4], unsigned rounds) {
  for (; rounds > 0; rounds--) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = ing_sip_rotate(v[1], 13) ^ v[0];
    v[3] = ing_sip_rotate(v[3], 16) ^ v[2];
    v[0] = ing_sip_rotate(v[0], 32) + v[3];
    v[2] += v[1];
    v[1] = ing_sip_rotate(v[1], 17) ^ v[2];
    v[3] = ing_sip_rotate(v[3], 21) ^ v[0];
    v[2] = ing_sip_rotate(v[2], 32);
  }
}

static inline uint64_t ing_siphash(const uint64_t key[2], const uint8_t *data, size_t len) {
  uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                   key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
  for (size_t at = 0; at <= len; at += 8) {
    uint64_t word = at + 8 > len ? (uint64_t)len << 56 : 0; /* the last one says the length */
    for (size_t i = 0; i < 8 && at + i < len; i++) {
      word |= (uint64_t)data[at + i] << (8 * i);
    }
    v[3] ^= word;
    ing_sip_rounds(v, 2);
    v[0] ^= word;
  }
  v[2] ^= 0xFF;
  ing_sip_rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

#endif
