/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c by carry-less products of 64 octets at a time: AVX-512 and VPCLMULQDQ. */
#include "x86.h"

#if IWARPI_CRC32C_X86

#define CRC32C_AVX512_FN                                                                           \
  __attribute__((target("avx512f,avx512bw,avx512vl,vpclmulqdq,pclmul,sse4.2,bmi2")))
#define CRC32C_AVX512_INLINE IWARPI_CRC32C_INLINE CRC32C_AVX512_FN

#define CRC32C_AVX512_LANE 64u                   /* octets of a register */
#define CRC32C_AVX512_BLOCK IWARPI_CRC32C_WINDOW /* octets of four */

CRC32C_AVX512_INLINE __m512i crc32c_avx512_load(const void *p) {
  __m512i v;
  memcpy(&v, p, sizeof v);
  return v;
}

/* crc32c_avx512_take reads a register, and copies it where there is a destination. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_take(const iwarpi_crc32c_run *r, size_t at) {
  const __m512i v = crc32c_avx512_load(r->p + at);
  if (r->q != NULL) {
    memcpy(r->q + at, &v, sizeof v);
  }
  return v;
}

/* crc32c_avx512_fold adds to `sum` what each 16 octets become, their halves by `low` and `high`. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_fold(__m512i v, __m512i low, __m512i high, __m512i sum) {
  return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(v, low, 0x00),
                                   _mm512_clmulepi64_epi128(v, high, 0x11), sum, 0x96);
}

/* crc32c_avx512_row does so by rows of the table. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_row(__m512i v, size_t row, __m512i sum) {
  const __m512i k = crc32c_avx512_load(iwarpi_crc32c_fold[row]);
  return crc32c_avx512_fold(v, k, k, sum);
}

/* crc32c_avx512_last moves a register to the end, from its place of 0 to 3 in the last block. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_last(__m512i v, size_t place, __m512i sum) {
  return crc32c_avx512_row(v, IWARPI_CRC32C_FOLD_ENDS + 4 * place, sum);
}

/* crc32c_avx512_rem is the remainder of the sum of the four times 16 octets of a register. */
CRC32C_AVX512_INLINE uint32_t crc32c_avx512_rem(__m512i v) {
  const __m256i half =
      _mm256_xor_si256(_mm512_extracti64x4_epi64(v, 0), _mm512_extracti64x4_epi64(v, 1));
  const __m128i sum =
      _mm_xor_si128(_mm256_extracti128_si256(half, 0), _mm256_extracti128_si256(half, 1));
  return iwarpi_crc32c_x86_16(0, sum);
}

/* crc32c_avx512_add adds the remainder so far to the first octets. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_add(__m512i v, uint32_t rem) {
  return _mm512_xor_si512(v, _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, rem));
}

/* Up to 64 octets, without a branch on how many they are; the others of the register are zeros. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_short(uint32_t rem, const iwarpi_crc32c_run *r) {
  const __mmask64 there = _bzhi_u64(UINT64_MAX, (uint32_t)r->len);
  const __m512i v = _mm512_maskz_loadu_epi8(there, r->p);
  const __m512i k = crc32c_avx512_load(iwarpi_crc32c_upto[r->len]);
  if (r->q != NULL) {
    _mm512_mask_storeu_epi8(r->q, there, v);
  }
  return crc32c_avx512_fold(crc32c_avx512_add(v, rem), k, k, _mm512_setzero_si512());
}

/*
 * crc32c_avx512_meet moves a register over the `rest` octets that fill no block, onto its place in
 * the last block of the octets, and from there to the end. What of that block was taken before is
 * left out.
 */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_meet(__m512i v, const iwarpi_crc32c_run *r, size_t rest,
                                                size_t place, __m512i sum) {
  const uint64_t *k = &iwarpi_crc32c_octets[rest];
  const size_t at = CRC32C_AVX512_LANE * place;
  const __m512i all = crc32c_avx512_take(r, r->len - CRC32C_AVX512_BLOCK + at);
  const __m512i next = _mm512_and_si512(all, crc32c_avx512_load(&iwarpi_crc32c_window[rest + at]));
  v = crc32c_avx512_fold(v, _mm512_set1_epi64((long long)k[IWARPI_CRC32C_LOW]),
                         _mm512_set1_epi64((long long)k[IWARPI_CRC32C_HIGH]), next);
  return crc32c_avx512_last(v, place, sum);
}

/* More than 256 octets. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_long(__m512i a, __m512i b, const iwarpi_crc32c_run *r) {
  __m512i c = crc32c_avx512_take(r, 2 * CRC32C_AVX512_LANE);
  __m512i d = crc32c_avx512_take(r, 3 * CRC32C_AVX512_LANE);
  size_t at = CRC32C_AVX512_BLOCK;
  for (; r->len - at > CRC32C_AVX512_BLOCK; at += CRC32C_AVX512_BLOCK) {
    a = crc32c_avx512_row(a, IWARPI_CRC32C_FOLD_256, crc32c_avx512_take(r, at));
    b = crc32c_avx512_row(b, IWARPI_CRC32C_FOLD_256, crc32c_avx512_take(r, at + 64));
    c = crc32c_avx512_row(c, IWARPI_CRC32C_FOLD_256, crc32c_avx512_take(r, at + 128));
    d = crc32c_avx512_row(d, IWARPI_CRC32C_FOLD_256, crc32c_avx512_take(r, at + 192));
  }
  const __m512i none = _mm512_setzero_si512();
  a = crc32c_avx512_meet(a, r, r->len - at, 0, none);
  b = crc32c_avx512_meet(b, r, r->len - at, 1, a);
  c = crc32c_avx512_meet(c, r, r->len - at, 2, b);
  return crc32c_avx512_meet(d, r, r->len - at, 3, c);
}

CRC32C_AVX512_INLINE __m512i crc32c_avx512_sum(uint32_t rem, const iwarpi_crc32c_run *r) {
  const __m512i none = _mm512_setzero_si512();
  if (r->len <= CRC32C_AVX512_LANE) {
    return crc32c_avx512_short(rem, r);
  }
  __m512i a = crc32c_avx512_add(crc32c_avx512_take(r, 0), rem);
  if (r->len <= 2 * CRC32C_AVX512_LANE) {
    return crc32c_avx512_meet(a, r, r->len - CRC32C_AVX512_LANE, 3, none);
  }
  __m512i b = crc32c_avx512_take(r, CRC32C_AVX512_LANE);
  if (r->len <= CRC32C_AVX512_BLOCK) {
    a = crc32c_avx512_meet(a, r, r->len - 2 * CRC32C_AVX512_LANE, 2, none);
    return crc32c_avx512_meet(b, r, r->len - 2 * CRC32C_AVX512_LANE, 3, a);
  }
  return crc32c_avx512_long(a, b, r);
}

CRC32C_AVX512_FN uint32_t iwarpi_crc32c_avx512(uint32_t crc, const void *data, size_t len) {
  const iwarpi_crc32c_run r = {.p = data, .len = len};
  return ~crc32c_avx512_rem(crc32c_avx512_sum(~crc, &r));
}

CRC32C_AVX512_FN uint32_t iwarpi_crc32c_avx512_copy(uint32_t crc, void *dst, const void *src,
                                                    size_t len) {
  const iwarpi_crc32c_run r = {.p = src, .q = dst, .len = len};
  return ~crc32c_avx512_rem(crc32c_avx512_sum(~crc, &r));
}

#endif
