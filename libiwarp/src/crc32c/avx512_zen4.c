/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c for AMD Zen 4: by carry-less products of 64 octets, in large inputs also by the crc32
 * instruction. A product takes two cycles, and one crc32 instruction begins in each cycle. Two
 * streams fill these cycles; joining two costs half as much as joining four. */
#include "avx512.h"

#if IWARPI_CRC32C_X86

/* So many octets that it pays to begin on a boundary, and to have streams. */
#define CRC32C_AVX512_ZEN4_MANY 4096u

static const crc32c_avx512_shape crc32c_avx512_zen4_cached = {
    .streams = 2, .words = 5, .row = IWARPI_CRC32C_FOLD_896};
static const crc32c_avx512_shape crc32c_avx512_zen4_far = {
    .streams = 2, .words = 5, .row = IWARPI_CRC32C_FOLD_896, .fetch = 6u * CRC32C_AVX512_LANE};

CRC32C_AVX512_LARGE(crc32c_avx512_zen4)

CRC32C_AVX512_FN uint32_t iwarpi_crc32c_avx512_zen4(uint32_t crc, const void *data, size_t len) {
  const iwarpi_crc32c_run r = {.p = data, .len = len};
  if (len < CRC32C_AVX512_ZEN4_MANY) {
    return ~crc32c_avx512_run(~crc, &r);
  }
  return len < CRC32C_AVX512_HUGE ? crc32c_avx512_zen4_large(crc, data, len)
                                  : crc32c_avx512_zen4_huge(crc, data, len);
}

CRC32C_AVX512_FN uint32_t iwarpi_crc32c_avx512_zen4_copy(uint32_t crc, void *dst, const void *src,
                                                         size_t len) {
  const iwarpi_crc32c_run r = {.p = src, .q = dst, .len = len};
  return len < CRC32C_AVX512_ZEN4_MANY ? ~crc32c_avx512_run(~crc, &r)
                                       : crc32c_avx512_zen4_large_copy(crc, dst, src, len);
}

#endif
