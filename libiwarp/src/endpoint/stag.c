/* SPDX-License-Identifier: BSD-2-Clause */
/* STags that a peer cannot predict. RFC 5042 6.1.1 */
#include <iwarp/endpoint.h>

#include "../base/cursor.h"
#include "../base/siphash.h"

#define STAG_ROUNDS 4u /* rounds of a Feistel network: a permutation of all 32-bit numbers */

static uint64_t stag_u64le(rd *r) {
  const uint64_t low = rd_u32le(r);
  return low | (uint64_t)rd_u32le(r) << 32;
}

uint32_t iwarp_stag_generate(const uint8_t key[IWARP_STAG_KEY_LEN], uint32_t n) {
  rd r = rd_of((iwarp_span){key, IWARP_STAG_KEY_LEN});
  uint64_t sip_key[2];
  sip_key[0] = stag_u64le(&r);
  sip_key[1] = stag_u64le(&r);
  uint32_t left = n >> 16;
  uint32_t right = n & UINT16_MAX;
  for (uint64_t round = 0; round < STAG_ROUNDS; round++) {
    const uint64_t word = round << 16 | right;
    const uint32_t mixed = left ^ (uint32_t)(siphash_words(sip_key, &word, 1) & UINT16_MAX);
    left = right;
    right = mixed;
  }
  return left << 16 | right;
}
