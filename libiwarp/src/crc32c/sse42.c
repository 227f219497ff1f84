/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c by the crc32 instruction of SSE4.2: three streams hide its latency of three cycles. */
#include <string.h>

#include "variants.h"

#if IWARPI_CRC32C_SSE42

#include <nmmintrin.h>

#define CRC32C_SSE42_WORD 8u    /* octets of one crc32 instruction */
#define CRC32C_SSE42_STREAMS 3u /* as many as the latency has cycles */
#define CRC32C_SSE42_CHUNK                                                                         \
  4080u /* octets copied at a time, so few that the checksum finds them near */
#define CRC32C_SSE42_FN __attribute__((target("sse4.2")))

CRC32C_SSE42_FN static uint64_t crc32c_sse42_word(uint64_t rem, const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return _mm_crc32_u64(rem, word);
}

/* crc32c_sse42_shift says what a remainder becomes by as many zero octets as the table's stride. */
static uint64_t crc32c_sse42_shift(const uint32_t table[8][16], uint64_t rem) {
  return table[0][rem & 15] ^ table[1][rem >> 4 & 15] ^ table[2][rem >> 8 & 15] ^
         table[3][rem >> 12 & 15] ^ table[4][rem >> 16 & 15] ^ table[5][rem >> 20 & 15] ^
         table[6][rem >> 24 & 15] ^ table[7][rem >> 28 & 15];
}

/* crc32c_sse42_block extends a remainder by three times `stride` octets. */
CRC32C_SSE42_FN static uint64_t crc32c_sse42_block(uint64_t rem, const uint8_t *p, size_t stride,
                                                   const uint32_t table[8][16]) {
  uint64_t a = rem;
  uint64_t b = 0;
  uint64_t c = 0;
  for (size_t i = 0; i < stride; i += CRC32C_SSE42_WORD) {
    a = crc32c_sse42_word(a, p + i);
    b = crc32c_sse42_word(b, p + stride + i);
    c = crc32c_sse42_word(c, p + 2 * stride + i);
  }
  return crc32c_sse42_shift(table, crc32c_sse42_shift(table, a) ^ b) ^ c;
}

/* crc32c_sse42_blocks extends a remainder by all octets but the last few, and moves over them. */
CRC32C_SSE42_FN static uint64_t crc32c_sse42_blocks(uint64_t rem, const uint8_t **p, size_t *len) {
  static const uint32_t strides[] = {IWARPI_CRC32C_STRIDES};
  for (size_t i = 0; i < IWARPI_CRC32C_NUM_STRIDES; i++) {
    size_t block = CRC32C_SSE42_STREAMS * strides[i];
    for (; *len >= block; *len -= block) {
      rem = crc32c_sse42_block(rem, *p, strides[i], iwarpi_crc32c_shift[i]);
      *p += block;
    }
  }
  return rem;
}

/* crc32c_sse42_tail extends a remainder by fewer than 8 octets. */
CRC32C_SSE42_FN static uint32_t crc32c_sse42_tail(uint32_t rem, const uint8_t *p, size_t len) {
  if ((len & 4) != 0) {
    uint32_t four;
    memcpy(&four, p, sizeof four);
    rem = _mm_crc32_u32(rem, four);
  }
  if ((len & 2) != 0) {
    uint16_t two;
    memcpy(&two, p + (len & 4), sizeof two);
    rem = _mm_crc32_u16(rem, two);
  }
  return (len & 1) != 0 ? _mm_crc32_u8(rem, p[len - 1]) : rem;
}

CRC32C_SSE42_FN uint32_t iwarpi_crc32c_sse42(uint32_t crc, const void *data, size_t len) {
  const uint8_t *p = data;
  uint64_t rem = ~crc;
  if (len >= CRC32C_SSE42_STREAMS * IWARPI_CRC32C_STRIDE_MIN) {
    rem = crc32c_sse42_blocks(rem, &p, &len);
  }
  for (; len >= CRC32C_SSE42_WORD; len -= CRC32C_SSE42_WORD) {
    rem = crc32c_sse42_word(rem, p);
    p += CRC32C_SSE42_WORD;
  }
  return ~crc32c_sse42_tail((uint32_t)rem, p, len);
}

/* crc32c_sse42_copy_tail copies fewer than 8 octets. */
static void crc32c_sse42_copy_tail(uint8_t *q, const uint8_t *p, size_t len) {
  if ((len & 4) != 0) {
    memcpy(q, p, 4);
  }
  if ((len & 2) != 0) {
    memcpy(q + (len & 4), p + (len & 4), 2);
  }
  if ((len & 1) != 0) {
    q[len - 1] = p[len - 1];
  }
}

/* crc32c_sse42_copy_short goes word by word: for a few octets a call of memcpy costs more. */
CRC32C_SSE42_FN static uint32_t crc32c_sse42_copy_short(uint32_t crc, uint8_t *q, const uint8_t *p,
                                                        size_t len) {
  uint64_t rem = ~crc;
  for (; len >= CRC32C_SSE42_WORD; len -= CRC32C_SSE42_WORD) {
    rem = crc32c_sse42_word(rem, p);
    memcpy(q, p, CRC32C_SSE42_WORD);
    p += CRC32C_SSE42_WORD;
    q += CRC32C_SSE42_WORD;
  }
  crc32c_sse42_copy_tail(q, p, len);
  return ~crc32c_sse42_tail((uint32_t)rem, p, len);
}

uint32_t iwarpi_crc32c_sse42_copy(uint32_t crc, void *dst, const void *src, size_t len) {
  const uint8_t *p = src;
  uint8_t *q = dst;
  while (len >= CRC32C_SSE42_STREAMS * IWARPI_CRC32C_STRIDE_MIN) {
    size_t chunk = len < CRC32C_SSE42_CHUNK ? len : CRC32C_SSE42_CHUNK;
    memcpy(q, p, chunk);
    crc = iwarpi_crc32c_sse42(crc, p, chunk);
    p += chunk;
    q += chunk;
    len -= chunk;
  }
  return crc32c_sse42_copy_short(crc, q, p, len);
}

#endif
