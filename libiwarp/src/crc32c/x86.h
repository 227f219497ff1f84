/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the variants of CRC32c for x86-64: up to 64 octets, and single steps. */
#ifndef IWARPI_CRC32C_X86_H
#define IWARPI_CRC32C_X86_H

#include "variants.h"

#if IWARPI_CRC32C_X86

#include <immintrin.h>
#include <string.h>

#define IWARPI_CRC32C_X86_INLINE IWARPI_CRC32C_INLINE __attribute__((target("pclmul,sse4.2")))

/* iwarpi_crc32c_x86_past is how far an address lies after a boundary of the cache. The proofs,
 * which know no addresses, have their own. */
#ifndef iwarpi_crc32c_x86_past
#define iwarpi_crc32c_x86_past(p) ((uintptr_t)(p) % 64)
#endif

/* iwarpi_crc32c_x86_fetch brings an octet into the cache. One after the last octet is no fault. */
#ifndef iwarpi_crc32c_x86_fetch
#define iwarpi_crc32c_x86_fetch(p, at) __builtin_prefetch((const void *)((uintptr_t)(p) + (at)))
#endif

/* iwarpi_crc32c_x86_word extends a remainder by eight octets. */
IWARPI_CRC32C_X86_INLINE uint64_t iwarpi_crc32c_x86_word(uint64_t rem, const iwarpi_crc32c_run *r,
                                                         size_t at) {
  uint64_t word;
  memcpy(&word, r->p + at, sizeof word);
  if (r->q != NULL) {
    memcpy(r->q + at, &word, sizeof word);
  }
  return _mm_crc32_u64(rem, word);
}

/* iwarpi_crc32c_x86_16 extends a remainder by 16 octets. */
IWARPI_CRC32C_X86_INLINE uint32_t iwarpi_crc32c_x86_16(uint32_t rem, __m128i v) {
  const uint64_t half = _mm_crc32_u64(rem, (uint64_t)_mm_cvtsi128_si64(v));
  return (uint32_t)_mm_crc32_u64(half, (uint64_t)_mm_extract_epi64(v, 1));
}

/* iwarpi_crc32c_x86_one has a value in its first eight octets, and zeros. */
IWARPI_CRC32C_X86_INLINE __m128i iwarpi_crc32c_x86_one(uint64_t value) {
  return _mm_set_epi64x(0, (long long)value);
}

/* iwarpi_crc32c_x86_mul multiplies a remainder by a constant; eight octets of it are the product.
 */
IWARPI_CRC32C_X86_INLINE uint64_t iwarpi_crc32c_x86_mul(uint32_t rem, uint64_t k) {
  return (uint64_t)_mm_cvtsi128_si64(
      _mm_clmulepi64_si128(iwarpi_crc32c_x86_one(rem), iwarpi_crc32c_x86_one(k), 0x00));
}

/* iwarpi_crc32c_x86_take reads 16 octets, and copies them where there is a destination. */
IWARPI_CRC32C_X86_INLINE __m128i iwarpi_crc32c_x86_take(const iwarpi_crc32c_run *r, size_t at) {
  __m128i v;
  memcpy(&v, r->p + at, sizeof v);
  if (r->q != NULL) {
    memcpy(r->q + at, &v, sizeof v);
  }
  return v;
}

/* iwarpi_crc32c_x86_row moves 16 octets by a row of the table. */
IWARPI_CRC32C_X86_INLINE __m128i iwarpi_crc32c_x86_row(__m128i v, size_t row) {
  __m128i k;
  memcpy(&k, iwarpi_crc32c_fold[row], sizeof k);
  return _mm_xor_si128(_mm_clmulepi64_si128(v, k, 0x00), _mm_clmulepi64_si128(v, k, 0x11));
}

/*
 * iwarpi_crc32c_x86_meet moves 16 octets over the `rest` octets that are not taken yet, onto
 * `place` (0 to 3) in the last 64 octets, and from there to the end. It also adds the octets of
 * these 64 that were not taken before.
 */
IWARPI_CRC32C_X86_INLINE __m128i iwarpi_crc32c_x86_meet(__m128i v, const iwarpi_crc32c_run *r,
                                                        size_t rest, size_t place) {
  const uint64_t *k = &iwarpi_crc32c_octets[rest];
  const __m128i all = iwarpi_crc32c_x86_take(r, r->len - 64 + 16 * place);
  __m128i fresh;
  memcpy(&fresh, &iwarpi_crc32c_window[IWARPI_CRC32C_WINDOW - 64 + rest + 16 * place],
         sizeof fresh);
  const __m128i low = iwarpi_crc32c_x86_one(k[IWARPI_CRC32C_LOW]);
  const __m128i high = iwarpi_crc32c_x86_one(k[IWARPI_CRC32C_HIGH]);
  v = _mm_xor_si128(_mm_clmulepi64_si128(v, low, 0x00), _mm_clmulepi64_si128(v, high, 0x01));
  v = _mm_xor_si128(v, _mm_and_si128(all, fresh));
  return iwarpi_crc32c_x86_row(v, IWARPI_CRC32C_FOLD_ENDS + 12 + place);
}

/* Fewer than 16 octets. */
IWARPI_CRC32C_X86_INLINE uint32_t iwarpi_crc32c_x86_few(uint32_t rem, const iwarpi_crc32c_run *r) {
  uint64_t eight;
  uint32_t four;
  size_t at = 0;
  if ((r->len & 8) != 0) {
    memcpy(&eight, r->p, sizeof eight);
    rem = (uint32_t)_mm_crc32_u64(rem, eight);
    at = sizeof eight;
  }
  if ((r->len & 4) != 0) {
    memcpy(&four, r->p + at, sizeof four);
    rem = _mm_crc32_u32(rem, four);
    at += sizeof four;
  }
  for (; at < r->len; at++) {
    rem = _mm_crc32_u8(rem, r->p[at]);
  }
  if (r->q != NULL) {
    for (at = 0; at < r->len; at++) {
      r->q[at] = r->p[at];
    }
  }
  return rem;
}

/* Up to 64 octets: from 16 on in two ways that do not depend on how many they are. */
IWARPI_CRC32C_X86_INLINE uint32_t iwarpi_crc32c_x86_short(uint32_t rem,
                                                          const iwarpi_crc32c_run *r) {
  if (r->len < 16) {
    return iwarpi_crc32c_x86_few(rem, r);
  }
  __m128i a = _mm_xor_si128(iwarpi_crc32c_x86_take(r, 0), iwarpi_crc32c_x86_one(rem));
  if (r->len <= 32) {
    return iwarpi_crc32c_x86_16(0, iwarpi_crc32c_x86_meet(a, r, r->len - 16, 3));
  }
  __m128i b = iwarpi_crc32c_x86_take(r, 16);
  a = iwarpi_crc32c_x86_meet(a, r, r->len - 32, 2);
  b = iwarpi_crc32c_x86_meet(b, r, r->len - 32, 3);
  return iwarpi_crc32c_x86_16(0, _mm_xor_si128(a, b));
}

#endif

#endif
