/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c by the crc32 instruction of SSE4.2: three streams hide its latency of three cycles. */
#include "x86.h"

#if IWARPI_CRC32C_X86

#define CRC32C_SSE42_FN __attribute__((target("pclmul,sse4.2")))
#define CRC32C_SSE42_INLINE IWARPI_CRC32C_INLINE CRC32C_SSE42_FN

#define CRC32C_SSE42_WORD 8u     /* octets of one crc32 instruction */
#define CRC32C_SSE42_STREAMS 3u  /* as many as the latency has cycles */
#define CRC32C_SSE42_STREAM 128u /* words of a stream, at most */
#define CRC32C_SSE42_LONG 192u   /* octets from which streams are faster */
#define CRC32C_SSE42_BLOCK 64u   /* octets of four registers */

/* crc32c_sse42_word extends a remainder by eight octets. */
CRC32C_SSE42_INLINE uint64_t crc32c_sse42_word(uint64_t rem, const iwarpi_crc32c_run *r,
                                               size_t at) {
  uint64_t word;
  memcpy(&word, r->p + at, sizeof word);
  if (r->q != NULL) {
    memcpy(r->q + at, &word, sizeof word);
  }
  return _mm_crc32_u64(rem, word);
}

/* crc32c_sse42_streams extends a remainder by three streams of so many words from an octet on. */
CRC32C_SSE42_INLINE uint32_t crc32c_sse42_streams(uint32_t rem, const iwarpi_crc32c_run *r,
                                                  size_t at, size_t words) {
  const size_t stream = CRC32C_SSE42_WORD * words;
  uint64_t a = rem;
  uint64_t b = 0;
  uint64_t c = 0;
  for (size_t end = at + stream; at < end; at += CRC32C_SSE42_WORD) {
    a = crc32c_sse42_word(a, r, at);
    b = crc32c_sse42_word(b, r, at + stream);
    c = crc32c_sse42_word(c, r, at + 2 * stream);
  }
  const uint64_t moved = iwarpi_crc32c_x86_mul((uint32_t)a, iwarpi_crc32c_words[2 * words]) ^
                         iwarpi_crc32c_x86_mul((uint32_t)b, iwarpi_crc32c_words[words]);
  return (uint32_t)(_mm_crc32_u64(0, moved) ^ c);
}

/* crc32c_sse42_step moves a register by a block, onto the octets that stand there. */
CRC32C_SSE42_INLINE __m128i crc32c_sse42_step(__m128i v, const iwarpi_crc32c_run *r, size_t at) {
  return _mm_xor_si128(iwarpi_crc32c_x86_row(v, IWARPI_CRC32C_FOLD_64),
                       iwarpi_crc32c_x86_take(r, at));
}

/* More than 64 octets, and fewer than are worth streams. */
CRC32C_SSE42_INLINE uint32_t crc32c_sse42_blocks(uint32_t rem, const iwarpi_crc32c_run *r) {
  __m128i a = _mm_xor_si128(iwarpi_crc32c_x86_take(r, 0), iwarpi_crc32c_x86_one(rem));
  __m128i b = iwarpi_crc32c_x86_take(r, 16);
  __m128i c = iwarpi_crc32c_x86_take(r, 32);
  __m128i d = iwarpi_crc32c_x86_take(r, 48);
  size_t at = CRC32C_SSE42_BLOCK;
  for (; r->len - at > CRC32C_SSE42_BLOCK; at += CRC32C_SSE42_BLOCK) {
    a = crc32c_sse42_step(a, r, at);
    b = crc32c_sse42_step(b, r, at + 16);
    c = crc32c_sse42_step(c, r, at + 32);
    d = crc32c_sse42_step(d, r, at + 48);
  }
  a = iwarpi_crc32c_x86_meet(a, r, r->len - at, 0);
  b = iwarpi_crc32c_x86_meet(b, r, r->len - at, 1);
  c = iwarpi_crc32c_x86_meet(c, r, r->len - at, 2);
  d = iwarpi_crc32c_x86_meet(d, r, r->len - at, 3);
  return iwarpi_crc32c_x86_16(0, _mm_xor_si128(_mm_xor_si128(a, b), _mm_xor_si128(c, d)));
}

CRC32C_SSE42_INLINE uint32_t crc32c_sse42_run(uint32_t rem, iwarpi_crc32c_run r) {
  while (r.len >= CRC32C_SSE42_LONG) {
    size_t words = r.len / (CRC32C_SSE42_STREAMS * CRC32C_SSE42_WORD);
    words = words < CRC32C_SSE42_STREAM ? words : CRC32C_SSE42_STREAM;
    rem = crc32c_sse42_streams(rem, &r, 0, words);
    r.p += CRC32C_SSE42_STREAMS * CRC32C_SSE42_WORD * words;
    if (r.q != NULL) {
      r.q += CRC32C_SSE42_STREAMS * CRC32C_SSE42_WORD * words;
    }
    r.len -= CRC32C_SSE42_STREAMS * CRC32C_SSE42_WORD * words;
  }
  return r.len <= CRC32C_SSE42_BLOCK ? iwarpi_crc32c_x86_short(rem, &r)
                                     : crc32c_sse42_blocks(rem, &r);
}

CRC32C_SSE42_FN uint32_t iwarpi_crc32c_sse42(uint32_t crc, const void *data, size_t len) {
  const iwarpi_crc32c_run r = {.p = data, .len = len};
  return ~crc32c_sse42_run(~crc, r);
}

CRC32C_SSE42_FN uint32_t iwarpi_crc32c_sse42_copy(uint32_t crc, void *dst, const void *src,
                                                  size_t len) {
  const iwarpi_crc32c_run r = {.p = src, .q = dst, .len = len};
  return ~crc32c_sse42_run(~crc, r);
}

#endif
