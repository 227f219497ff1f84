/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands for the compiler's header in the proofs: the crc32 instructions give any value. */
#ifndef PROOF_NMMINTRIN_H
#define PROOF_NMMINTRIN_H

#include "proof.h"

static inline uint64_t _mm_crc32_u64(uint64_t crc, uint64_t v) {
  (void)crc;
  (void)v;
  return proof_u32; /* the upper half of the result is 0 */
}

static inline uint32_t _mm_crc32_u32(uint32_t crc, uint32_t v) {
  (void)crc;
  (void)v;
  return proof_u32;
}

static inline uint32_t _mm_crc32_u16(uint32_t crc, uint16_t v) {
  (void)crc;
  (void)v;
  return proof_u32;
}

static inline uint32_t _mm_crc32_u8(uint32_t crc, uint8_t v) {
  (void)crc;
  (void)v;
  return proof_u32;
}

#endif
