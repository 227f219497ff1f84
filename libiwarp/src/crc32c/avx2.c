/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c by carry-less products of 32 octets at a time: AVX2 and VPCLMULQDQ. */
#include "x86.h"

#if IWARPI_CRC32C_X86

#define CRC32C_AVX2_FN __attribute__((target("avx2,vpclmulqdq,pclmul,sse4.2")))
#define CRC32C_AVX2_INLINE IWARPI_CRC32C_INLINE CRC32C_AVX2_FN

#define CRC32C_AVX2_LANE 32u                      /* octets of a register */
#define CRC32C_AVX2_BLOCK (4u * CRC32C_AVX2_LANE) /* octets */

CRC32C_AVX2_INLINE __m256i crc32c_avx2_load(const void *p) {
  __m256i v;
  memcpy(&v, p, sizeof v);
  return v;
}

/* crc32c_avx2_take reads a register, and copies it where there is a destination. */
CRC32C_AVX2_INLINE __m256i crc32c_avx2_take(const iwarpi_crc32c_run *r, size_t at) {
  const __m256i v = crc32c_avx2_load(r->p + at);
  if (r->q != NULL) {
    memcpy(r->q + at, &v, sizeof v);
  }
  return v;
}

/* crc32c_avx2_fold is what each 16 octets become, their halves by `low` and `high`. */
CRC32C_AVX2_INLINE __m256i crc32c_avx2_fold(__m256i v, __m256i low, __m256i high) {
  return _mm256_xor_si256(_mm256_clmulepi64_epi128(v, low, 0x00),
                          _mm256_clmulepi64_epi128(v, high, 0x11));
}

/* crc32c_avx2_row does so by rows of the table. */
CRC32C_AVX2_INLINE __m256i crc32c_avx2_row(__m256i v, size_t row) {
  const __m256i k = crc32c_avx2_load(iwarpi_crc32c_fold[row]);
  return crc32c_avx2_fold(v, k, k);
}

/* crc32c_avx2_step moves a register by a block, onto the octets that stand there. */
CRC32C_AVX2_INLINE __m256i crc32c_avx2_step(__m256i v, const iwarpi_crc32c_run *r, size_t at) {
  return _mm256_xor_si256(crc32c_avx2_row(v, IWARPI_CRC32C_FOLD_128), crc32c_avx2_take(r, at));
}

/* crc32c_avx2_meet is to a register what iwarpi_crc32c_x86_meet is to 16 octets. */
CRC32C_AVX2_INLINE __m256i crc32c_avx2_meet(__m256i v, const iwarpi_crc32c_run *r, size_t rest,
                                            size_t place) {
  const uint64_t *k = &iwarpi_crc32c_octets[rest];
  const size_t at = CRC32C_AVX2_LANE * place;
  const __m256i all = crc32c_avx2_take(r, r->len - CRC32C_AVX2_BLOCK + at);
  const __m256i fresh =
      crc32c_avx2_load(&iwarpi_crc32c_window[IWARPI_CRC32C_WINDOW - CRC32C_AVX2_BLOCK + rest + at]);
  v = crc32c_avx2_fold(v, _mm256_set1_epi64x((long long)k[IWARPI_CRC32C_LOW]),
                       _mm256_set1_epi64x((long long)k[IWARPI_CRC32C_HIGH]));
  return crc32c_avx2_row(_mm256_xor_si256(v, _mm256_and_si256(all, fresh)),
                         IWARPI_CRC32C_FOLD_ENDS + 8 + 2 * place);
}

/* More than 128 octets. */
CRC32C_AVX2_INLINE __m256i crc32c_avx2_long(__m256i a, __m256i b, const iwarpi_crc32c_run *r) {
  __m256i c = crc32c_avx2_take(r, 2 * CRC32C_AVX2_LANE);
  __m256i d = crc32c_avx2_take(r, 3 * CRC32C_AVX2_LANE);
  size_t at = CRC32C_AVX2_BLOCK;
  for (; r->len - at > CRC32C_AVX2_BLOCK; at += CRC32C_AVX2_BLOCK) {
    a = crc32c_avx2_step(a, r, at);
    b = crc32c_avx2_step(b, r, at + 32);
    c = crc32c_avx2_step(c, r, at + 64);
    d = crc32c_avx2_step(d, r, at + 96);
  }
  a = crc32c_avx2_meet(a, r, r->len - at, 0);
  b = crc32c_avx2_meet(b, r, r->len - at, 1);
  c = crc32c_avx2_meet(c, r, r->len - at, 2);
  d = crc32c_avx2_meet(d, r, r->len - at, 3);
  return _mm256_xor_si256(_mm256_xor_si256(a, b), _mm256_xor_si256(c, d));
}

CRC32C_AVX2_INLINE uint32_t crc32c_avx2_run(uint32_t rem, const iwarpi_crc32c_run *r) {
  if (r->len <= 2 * CRC32C_AVX2_LANE) {
    return iwarpi_crc32c_x86_short(rem, r);
  }
  __m256i a = _mm256_xor_si256(crc32c_avx2_take(r, 0), _mm256_set_epi64x(0, 0, 0, rem));
  __m256i b = crc32c_avx2_take(r, CRC32C_AVX2_LANE);
  if (r->len <= CRC32C_AVX2_BLOCK) {
    a = crc32c_avx2_meet(a, r, r->len - 2 * CRC32C_AVX2_LANE, 2);
    a = _mm256_xor_si256(a, crc32c_avx2_meet(b, r, r->len - 2 * CRC32C_AVX2_LANE, 3));
  } else {
    a = crc32c_avx2_long(a, b, r);
  }
  return iwarpi_crc32c_x86_16(
      0, _mm_xor_si128(_mm256_extracti128_si256(a, 0), _mm256_extracti128_si256(a, 1)));
}

CRC32C_AVX2_FN uint32_t iwarpi_crc32c_avx2(uint32_t crc, const void *data, size_t len) {
  const iwarpi_crc32c_run r = {.p = data, .len = len};
  return ~crc32c_avx2_run(~crc, &r);
}

CRC32C_AVX2_FN uint32_t iwarpi_crc32c_avx2_copy(uint32_t crc, void *dst, const void *src,
                                                size_t len) {
  const iwarpi_crc32c_run r = {.p = src, .q = dst, .len = len};
  return ~crc32c_avx2_run(~crc, &r);
}

#endif
