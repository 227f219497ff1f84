/* SPDX-License-Identifier: BSD-2-Clause */
/* Stands for the compiler's header in the proofs: the instructions give any value. Those that read
 * or write memory by a mask do so octet by octet; all others are given registers alone. */
#ifndef PROOF_IMMINTRIN_H
#define PROOF_IMMINTRIN_H

#include "proof.h"

typedef struct __m128i {
  uint64_t word[2];
} __m128i;
typedef struct __m256i {
  uint64_t word[4];
} __m256i;
typedef struct __m512i {
  uint64_t word[8];
} __m512i;
typedef uint64_t __mmask64;

static inline __m128i proof_m128(void) {
  return (__m128i){{proof_u64, proof_u64}};
}

static inline __m256i proof_m256(void) {
  return (__m256i){{proof_u64, proof_u64, proof_u64, proof_u64}};
}

static inline __m512i proof_m512(void) {
  return (__m512i){
      {proof_u64, proof_u64, proof_u64, proof_u64, proof_u64, proof_u64, proof_u64, proof_u64}};
}

/* The upper half of what the crc32 instruction gives is 0. */
static inline uint64_t _mm_crc32_u64(uint64_t crc, uint64_t v) {
  (void)crc;
  (void)v;
  return proof_u32;
}

static inline uint32_t _mm_crc32_u32(uint32_t crc, uint32_t v) {
  (void)crc;
  (void)v;
  return proof_u32;
}

static inline uint32_t _mm_crc32_u8(uint32_t crc, uint8_t v) {
  (void)crc;
  (void)v;
  return proof_u32;
}

#define iwarpi_crc32c_x86_past(p) (proof_u8 & 63u)
#define iwarpi_crc32c_x86_fetch(p, at) ((void)(p), (void)(at))
#define CRC32C_AVX512_HUGE 8200u
#define __builtin_expect(v, likely) (v)

#define PROOF_USE(v) ((void)(v))
#define _mm_set_epi64x(b, a) (PROOF_USE(a), proof_m128())
#define _mm_cvtsi128_si64(v) (PROOF_USE(v), proof_s64)
#define _mm_extract_epi64(v, i) (PROOF_USE(v), proof_s64)
#define _mm_xor_si128(a, b) (PROOF_USE(a), PROOF_USE(b), proof_m128())
#define _mm_and_si128(a, b) (PROOF_USE(a), PROOF_USE(b), proof_m128())
#define _mm_clmulepi64_si128(a, b, i) (PROOF_USE(a), PROOF_USE(b), proof_m128())

#define _mm256_set_epi64x(d, c, b, a) (PROOF_USE(a), proof_m256())
#define _mm256_set1_epi64x(v) (PROOF_USE(v), proof_m256())
#define _mm256_xor_si256(a, b) (PROOF_USE(a), PROOF_USE(b), proof_m256())
#define _mm256_and_si256(a, b) (PROOF_USE(a), PROOF_USE(b), proof_m256())
#define _mm256_clmulepi64_epi128(a, b, i) (PROOF_USE(a), PROOF_USE(b), proof_m256())
#define _mm256_extracti128_si256(v, i) (PROOF_USE(v), proof_m128())

#define _mm512_setzero_si512() proof_m512()
#define _mm512_set_epi64(h, g, f, e, d, c, b, a) (PROOF_USE(a), proof_m512())
#define _mm512_set1_epi64(v) (PROOF_USE(v), proof_m512())
#define _mm512_xor_si512(a, b) (PROOF_USE(a), PROOF_USE(b), proof_m512())
#define _mm512_and_si512(a, b) (PROOF_USE(a), PROOF_USE(b), proof_m512())
#define _mm512_ternarylogic_epi64(a, b, c, i)                                                      \
  (PROOF_USE(a), PROOF_USE(b), PROOF_USE(c), proof_m512())
#define _mm512_clmulepi64_epi128(a, b, i) (PROOF_USE(a), PROOF_USE(b), proof_m512())
#define _mm512_extracti64x4_epi64(v, i) (PROOF_USE(v), proof_m256())

/* Only the first octets are masked: as many as the mask has ones. */
static inline __mmask64 _bzhi_u64(uint64_t v, uint32_t n) {
  return n < 64 ? v & ((UINT64_C(1) << n) - 1) : v;
}

static inline __m512i _mm512_maskz_loadu_epi8(__mmask64 mask, const void *p) {
  const uint8_t *octets = p;
  uint64_t sum = 0;
  //@ loop unroll 65;
  for (size_t i = 0; mask != 0; i++) {
    sum += octets[i];
    mask >>= 1;
  }
  (void)sum;
  return proof_m512();
}

static inline void _mm512_mask_storeu_epi8(void *p, __mmask64 mask, __m512i v) {
  uint8_t *octets = p;
  (void)v;
  //@ loop unroll 65;
  for (size_t i = 0; mask != 0; i++) {
    octets[i] = proof_u8;
    mask >>= 1;
  }
}

/* XGETBV. */
#define _xgetbv(i) ((uint64_t)proof_u64)

#endif
