/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c for AMD from Zen 5 on: by carry-less products of 64 octets and the crc32 instruction in
 * parallel. A product takes two cycles, and two crc32 instructions begin in each cycle. */
#include "avx512.h"

#if IWARPI_CRC32C_X86

/* A small piece has one block, and a word of each stream for each product of its blocks. */
#define CRC32C_AVX512_ZEN5_SMALL_STREAM (8u * 14u) /* octets */
#define CRC32C_AVX512_ZEN5_SMALL_STREAMS (4u * CRC32C_AVX512_ZEN5_SMALL_STREAM)
#define CRC32C_AVX512_ZEN5_SMALL (2u * CRC32C_AVX512_BLOCK + CRC32C_AVX512_ZEN5_SMALL_STREAMS)

CRC32C_AVX512_INLINE void crc32c_avx512_zen5_small(crc32c_avx512_block *v,
                                                   const iwarpi_crc32c_run *r, size_t at) {
  const size_t streams = at + CRC32C_AVX512_BLOCK;
  crc32c_avx512_streams s = {.num = 4, .len = CRC32C_AVX512_ZEN5_SMALL_STREAM};
  crc32c_avx512_step(v, r, at, IWARPI_CRC32C_FOLD_256);
  crc32c_avx512_two_words(&s, r, streams);
  crc32c_avx512_four_words(&s, r, streams + 16);
  crc32c_avx512_four_words(&s, r, streams + 48);
  crc32c_avx512_four_words(&s, r, streams + 80);
  crc32c_avx512_join(v, r, streams + CRC32C_AVX512_ZEN5_SMALL_STREAMS, IWARPI_CRC32C_FOLD_704, &s);
}

/* So many octets that there is a small piece; and that it pays to begin on a boundary, and to have
 * large ones. */
#define CRC32C_AVX512_ZEN5_MIDDLE (CRC32C_AVX512_BLOCK + CRC32C_AVX512_ZEN5_SMALL + 1u)
#define CRC32C_AVX512_ZEN5_MANY 8192u

CRC32C_AVX512_APART uint32_t crc32c_avx512_zen5_middle(uint32_t crc, const void *data, size_t len) {
  const iwarpi_crc32c_run r = {.p = data, .len = len};
  crc32c_avx512_block v = crc32c_avx512_first(~crc, &r);
  size_t at = CRC32C_AVX512_BLOCK;
  for (; len - at > CRC32C_AVX512_ZEN5_SMALL; at += CRC32C_AVX512_ZEN5_SMALL) {
    crc32c_avx512_zen5_small(&v, &r, at);
  }
  return ~crc32c_avx512_blocks(v, &r, at);
}

static const crc32c_avx512_shape crc32c_avx512_zen5_cached = {
    .streams = 4, .words = 5, .row = IWARPI_CRC32C_FOLD_1536};
static const crc32c_avx512_shape crc32c_avx512_zen5_far = {
    .streams = 4, .words = 5, .row = IWARPI_CRC32C_FOLD_1536, .fetch = 7u * CRC32C_AVX512_LANE};

CRC32C_AVX512_LARGE(crc32c_avx512_zen5)

CRC32C_AVX512_FN uint32_t iwarpi_crc32c_avx512_zen5(uint32_t crc, const void *data, size_t len) {
  const iwarpi_crc32c_run r = {.p = data, .len = len};
  if (len < CRC32C_AVX512_ZEN5_MIDDLE) {
    return ~crc32c_avx512_run(~crc, &r);
  }
  if (len < CRC32C_AVX512_ZEN5_MANY) {
    return crc32c_avx512_zen5_middle(crc, data, len);
  }
  return len < CRC32C_AVX512_HUGE ? crc32c_avx512_zen5_large(crc, data, len)
                                  : crc32c_avx512_zen5_huge(crc, data, len);
}

CRC32C_AVX512_FN uint32_t iwarpi_crc32c_avx512_zen5_copy(uint32_t crc, void *dst, const void *src,
                                                         size_t len) {
  const iwarpi_crc32c_run r = {.p = src, .q = dst, .len = len};
  return len < CRC32C_AVX512_ZEN5_MANY ? ~crc32c_avx512_run(~crc, &r)
                                       : crc32c_avx512_zen5_large_copy(crc, dst, src, len);
}

#endif
