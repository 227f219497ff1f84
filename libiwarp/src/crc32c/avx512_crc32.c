/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c by carry-less products of 64 octets and the crc32 instruction side by side, where a
 * product takes two cycles or more: AMD. */
#include "avx512.h"

#if IWARPI_CRC32C_X86

/* A small piece has one block, and a word of each stream for each product of its blocks. */
#define CRC32C_AVX512_CRC32_SMALL_STREAM (8u * 14u) /* octets */
#define CRC32C_AVX512_CRC32_SMALL_STREAMS (CRC32C_AVX512_STREAMS * CRC32C_AVX512_CRC32_SMALL_STREAM)
#define CRC32C_AVX512_CRC32_SMALL (2u * CRC32C_AVX512_BLOCK + CRC32C_AVX512_CRC32_SMALL_STREAMS)

CRC32C_AVX512_INLINE void crc32c_avx512_crc32_small(crc32c_avx512_block *v,
                                                    const iwarpi_crc32c_run *r, size_t at) {
  const size_t streams = at + CRC32C_AVX512_BLOCK;
  const size_t stream = CRC32C_AVX512_CRC32_SMALL_STREAM;
  crc32c_avx512_streams s = {.rem = {0}};
  crc32c_avx512_step(v, r, at, IWARPI_CRC32C_FOLD_256);
  crc32c_avx512_two_words(&s, r, streams, stream);
  crc32c_avx512_four_words(&s, r, streams + 16, stream);
  crc32c_avx512_four_words(&s, r, streams + 48, stream);
  crc32c_avx512_four_words(&s, r, streams + 80, stream);
  crc32c_avx512_join(v, r, streams + CRC32C_AVX512_CRC32_SMALL_STREAMS, IWARPI_CRC32C_FOLD_704,
                     stream, &s);
}

/* So many octets that there is a small piece; and that it pays to begin on a boundary, and to have
 * large ones. */
#define CRC32C_AVX512_CRC32_MIDDLE (CRC32C_AVX512_BLOCK + CRC32C_AVX512_CRC32_SMALL + 1u)
#define CRC32C_AVX512_CRC32_MANY 8192u

CRC32C_AVX512_APART uint32_t crc32c_avx512_crc32_middle(uint32_t crc, const void *data,
                                                        size_t len) {
  const iwarpi_crc32c_run r = {.p = data, .len = len};
  crc32c_avx512_block v = crc32c_avx512_first(~crc, &r);
  size_t at = CRC32C_AVX512_BLOCK;
  for (; len - at > CRC32C_AVX512_CRC32_SMALL; at += CRC32C_AVX512_CRC32_SMALL) {
    crc32c_avx512_crc32_small(&v, &r, at);
  }
  return ~crc32c_avx512_blocks(v, &r, at);
}

static const crc32c_avx512_shape crc32c_avx512_crc32_cached = {.words = 5,
                                                               .row = IWARPI_CRC32C_FOLD_1536};
static const crc32c_avx512_shape crc32c_avx512_crc32_far = {
    .words = 5, .row = IWARPI_CRC32C_FOLD_1536, .fetch = 7u * CRC32C_AVX512_LANE};

CRC32C_AVX512_APART uint32_t crc32c_avx512_crc32_large(uint32_t crc, const void *data, size_t len) {
  return crc32c_avx512_many(crc, NULL, data, len, crc32c_avx512_crc32_cached);
}

CRC32C_AVX512_APART uint32_t crc32c_avx512_crc32_huge(uint32_t crc, const void *data, size_t len) {
  return crc32c_avx512_many(crc, NULL, data, len, crc32c_avx512_crc32_far);
}

CRC32C_AVX512_APART uint32_t crc32c_avx512_crc32_large_copy(uint32_t crc, void *dst,
                                                            const void *src, size_t len) {
  return crc32c_avx512_many(crc, dst, src, len, crc32c_avx512_crc32_cached);
}

CRC32C_AVX512_FN uint32_t iwarpi_crc32c_avx512_crc32(uint32_t crc, const void *data, size_t len) {
  const iwarpi_crc32c_run r = {.p = data, .len = len};
  if (len < CRC32C_AVX512_CRC32_MIDDLE) {
    return ~crc32c_avx512_run(~crc, &r);
  }
  if (len < CRC32C_AVX512_CRC32_MANY) {
    return crc32c_avx512_crc32_middle(crc, data, len);
  }
  return len < CRC32C_AVX512_HUGE ? crc32c_avx512_crc32_large(crc, data, len)
                                  : crc32c_avx512_crc32_huge(crc, data, len);
}

CRC32C_AVX512_FN uint32_t iwarpi_crc32c_avx512_crc32_copy(uint32_t crc, void *dst, const void *src,
                                                          size_t len) {
  const iwarpi_crc32c_run r = {.p = src, .q = dst, .len = len};
  return len < CRC32C_AVX512_CRC32_MANY ? ~crc32c_avx512_run(~crc, &r)
                                        : crc32c_avx512_crc32_large_copy(crc, dst, src, len);
}

#endif
