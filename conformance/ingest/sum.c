/* SPDX-License-Identifier: BSD-2-Clause */
/* One's complement sums: RFC 1071. */
#include <string.h>

#include "packet.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SUM_HAVE_AVX2 1
#include <immintrin.h>
#else
#define SUM_HAVE_AVX2 0
#endif

enum { SUM_WIDE = 64 }; /* octets of a step of wide registers */

/*
 * Sums in the machine's byte order: a one's complement sum comes out byte-swapped, which neither
 * the comparison with 0xffff nor that with another such sum minds (RFC 1071 2 (B)). Eight octets
 * are added at a time, two sums in parallel.
 */
static uint64_t add_carry(uint64_t a, uint64_t b) {
  a += b;
  return a + (a < b);
}

static uint64_t word_at(const uint8_t *data) {
  uint64_t word;
  memcpy(&word, data, sizeof word);
  return word;
}

/* Up to seven octets, which are mostly none or four. */
static uint64_t sum_last(uint64_t sum, const uint8_t *data, size_t len) {
  if ((len & 4) != 0) {
    uint32_t half;
    memcpy(&half, data, sizeof half);
    sum = add_carry(sum, half);
    data += sizeof half;
  }
  if ((len & 2) != 0) {
    uint16_t pair;
    memcpy(&pair, data, sizeof pair);
    sum = add_carry(sum, pair);
    data += sizeof pair;
  }
  if ((len & 1) != 0) {
    uint16_t pair = 0;
    memcpy(&pair, data, 1);
    sum = add_carry(sum, pair);
  }
  return sum;
}

/* The end of the octets is compared, not their number: so nothing else is counted. */
static inline uint64_t sum_words(uint64_t sum, const uint8_t *data, size_t len) {
  const uint8_t *end = data + (len & ~(size_t)15);
  uint64_t b = 0;
  for (; data != end; data += 16) {
    sum = add_carry(sum, word_at(data));
    b = add_carry(b, word_at(data + 8));
  }
  if ((len & 8) != 0) {
    b = add_carry(b, word_at(data));
    data += 8;
  }
  sum = add_carry(sum, b);
  return (len & 7) == 0 ? sum : sum_last(sum, data, len & 7);
}

#if SUM_HAVE_AVX2
/* Adds the upper and the lower halves of words, which leaves room for 2^32 of them. */
__attribute__((target("avx2"))) static __m256i sum_halves(__m256i sum, const uint8_t *data) {
  const __m256i low = _mm256_set1_epi64x(UINT32_MAX);
  __m256i v;
  memcpy(&v, data, sizeof v);
  return _mm256_add_epi64(_mm256_add_epi64(sum, _mm256_and_si256(v, low)),
                          _mm256_srli_epi64(v, 32));
}

__attribute__((target("avx2"))) static uint64_t sum_avx2(uint64_t sum, const uint8_t *data,
                                                         size_t len) {
  __m256i a = _mm256_setzero_si256();
  __m256i b = _mm256_setzero_si256();
  for (; len >= SUM_WIDE; data += SUM_WIDE, len -= SUM_WIDE) {
    a = sum_halves(a, data);
    b = sum_halves(b, data + SUM_WIDE / 2);
  }
  uint64_t lane[4];
  a = _mm256_add_epi64(a, b);
  memcpy(lane, &a, sizeof lane);
  for (size_t i = 0; i < 4; i++) {
    sum = add_carry(sum, lane[i]);
  }
  return sum_words(sum, data, len);
}
#endif

/* Wide registers pay where there are some steps of them. */
uint64_t ing_sum_add(uint64_t sum, const uint8_t *data, size_t len) {
#if SUM_HAVE_AVX2
  if (len >= 4 * (size_t)SUM_WIDE && __builtin_cpu_supports("avx2")) {
    return sum_avx2(sum, data, len);
  }
#endif
  return sum_words(sum, data, len);
}

uint16_t ing_sum_fold(uint64_t sum) {
  while (sum > 0xffff) {
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return (uint16_t)sum;
}
