/* SPDX-License-Identifier: BSD-2-Clause */
/* STags that a peer cannot foretell. RFC 5042 6.1.1 */
#include <iwarp/endpoint.h>

#include "../base/cursor.h"

#define STAG_ROUNDS 4u /* of a Feistel network: a permutation of all 32-bit numbers */

typedef struct stag_sip {
  uint64_t v[4];
} stag_sip;

static uint64_t stag_rotate(uint64_t x, unsigned n) {
  return x << n | x >> (64u - n);
}

static void stag_sip_rounds(stag_sip *s, unsigned rounds) {
  uint64_t *v = s->v;
  for (; rounds > 0; rounds--) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = stag_rotate(v[1], 13) ^ v[0];
    v[3] = stag_rotate(v[3], 16) ^ v[2];
    v[0] = stag_rotate(v[0], 32) + v[3];
    v[2] += v[1];
    v[1] = stag_rotate(v[1], 17) ^ v[2];
    v[3] = stag_rotate(v[3], 21) ^ v[0];
    v[2] = stag_rotate(v[2], 32);
  }
}

static void stag_sip_word(stag_sip *s, uint64_t word) {
  s->v[3] ^= word;
  stag_sip_rounds(s, 2);
  s->v[0] ^= word;
}

/* SipHash-2-4 of the 8 octets of `word`. */
static uint64_t stag_hash(uint64_t k0, uint64_t k1, uint64_t word) {
  stag_sip s = {{k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d),
                 k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573)}};
  stag_sip_word(&s, word);
  stag_sip_word(&s, UINT64_C(8) << 56); /* the length */
  s.v[2] ^= 0xFF;
  stag_sip_rounds(&s, 4);
  return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}

static uint64_t stag_u64le(rd *r) {
  const uint64_t low = rd_u32le(r);
  return low | (uint64_t)rd_u32le(r) << 32;
}

uint32_t iwarp_stag_nth(const uint8_t key[IWARP_STAG_KEY_LEN], uint32_t n) {
  rd r = rd_of((iwarp_span){key, IWARP_STAG_KEY_LEN});
  const uint64_t k0 = stag_u64le(&r);
  const uint64_t k1 = stag_u64le(&r);
  uint32_t left = n >> 16;
  uint32_t right = n & UINT16_MAX;
  for (uint64_t round = 0; round < STAG_ROUNDS; round++) {
    const uint32_t mixed = left ^ (uint32_t)(stag_hash(k0, k1, round << 16 | right) & UINT16_MAX);
    left = right;
    right = mixed;
  }
  return left << 16 | right;
}
