/* SPDX-License-Identifier: BSD-2-Clause */
/* SipHash-2-4 over 64-bit words: a hash that cannot be predicted without its key. */
#ifndef IWARPI_BASE_SIPHASH_H
#define IWARPI_BASE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/* Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012. */
typedef struct siphash {
  uint64_t v[4];
} siphash;

static inline uint64_t siphash_rotate(uint64_t x, unsigned n) {
  return x << n | x >> (64u - n);
}

static inline void siphash_rounds(siphash *s, unsigned rounds) {
  uint64_t *v = s->v;
  for (; rounds > 0; rounds--) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = siphash_rotate(v[1], 13) ^ v[0];
    v[3] = siphash_rotate(v[3], 16) ^ v[2];
    v[0] = siphash_rotate(v[0], 32) + v[3];
    v[2] += v[1];
    v[1] = siphash_rotate(v[1], 17) ^ v[2];
    v[3] = siphash_rotate(v[3], 21) ^ v[0];
    v[2] = siphash_rotate(v[2], 32);
  }
}

static inline void siphash_word(siphash *s, uint64_t word) {
  s->v[3] ^= word;
  siphash_rounds(s, 2);
  s->v[0] ^= word;
}

/*
 * siphash_words returns the hash of n words. SipHash-2-4 returns the same hash for the 8n octets
 * that hold the words, lowest octet first.
 */
static inline uint64_t siphash_words(const uint64_t key[2], const uint64_t *words, size_t n) {
  siphash s = {{key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)}};
  for (size_t i = 0; i < n; i++) {
    siphash_word(&s, words[i]);
  }
  siphash_word(&s, (uint64_t)n << 59); /* the length in octets, modulo 256, is the highest octet */
  s.v[2] ^= 0xFF;
  siphash_rounds(&s, 4);
  return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}

#endif
