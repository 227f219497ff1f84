/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c by the crc32 instruction of SSE4.2 and the carry-less products of PCLMULQDQ. */
#include "x86.h"

#if IWARPI_CRC32C_X86

#define CRC32C_SSE42_FN __attribute__((target("pclmul,sse4.2")))
#define CRC32C_SSE42_INLINE IWARPI_CRC32C_INLINE CRC32C_SSE42_FN

/* The crc32 instruction takes three cycles and some processors begin more than one in each, so four
 * streams of words go side by side; products have an execution unit of their own, and take the
 * octets after the streams. */
#define CRC32C_SSE42_WORDS 3u                         /* words of a stream in a step */
#define CRC32C_SSE42_STREAM (8u * CRC32C_SSE42_WORDS) /* octets of a stream in a step */
#define CRC32C_SSE42_FOLDED 32u                       /* octets of two registers */
#define CRC32C_SSE42_STEP (4u * CRC32C_SSE42_STREAM + CRC32C_SSE42_FOLDED)
#define CRC32C_SSE42_STEPS 18u /* bound of the steps with one table for all distances */
#define CRC32C_SSE42_BLOCK 64u /* octets of four registers */

/* crc32c_sse42_fold moves 16 octets by 32, onto those that stand there. */
CRC32C_SSE42_INLINE __m128i crc32c_sse42_fold(__m128i v, const iwarpi_crc32c_run *r, size_t at) {
  return _mm_xor_si128(iwarpi_crc32c_x86_row(v, IWARPI_CRC32C_FOLD_ENDS + 13),
                       iwarpi_crc32c_x86_take(r, at));
}

/* crc32c_sse42_three extends the remainder of a stream by three words. */
CRC32C_SSE42_INLINE uint64_t crc32c_sse42_three(uint64_t rem, const iwarpi_crc32c_run *r,
                                                size_t at) {
  rem = iwarpi_crc32c_x86_word(rem, r, at);
  rem = iwarpi_crc32c_x86_word(rem, r, at + 8);
  return iwarpi_crc32c_x86_word(rem, r, at + 16);
}

/* crc32c_sse42_moved is what a remainder becomes by so many words of zeros. */
CRC32C_SSE42_INLINE uint64_t crc32c_sse42_moved(uint64_t rem, size_t words) {
  return iwarpi_crc32c_x86_mul((uint32_t)rem, iwarpi_crc32c_words[words]);
}

/* crc32c_sse42_steps extends a remainder by `len` octets: so many steps, and what only the products
 * take, which is less than a step. */
CRC32C_SSE42_INLINE uint32_t crc32c_sse42_steps(uint32_t rem, const iwarpi_crc32c_run *r,
                                                size_t steps, size_t len) {
  const size_t stream = CRC32C_SSE42_STREAM * steps;
  const size_t words = CRC32C_SSE42_WORDS * steps;
  size_t folded = 4 * stream;
  uint64_t a = rem;
  uint64_t b = 0;
  uint64_t c = 0;
  uint64_t d = 0;
  __m128i v = iwarpi_crc32c_x86_one(0);
  __m128i w = v;
  for (size_t at = 0; at < stream; at += CRC32C_SSE42_STREAM) {
    a = crc32c_sse42_three(a, r, at);
    b = crc32c_sse42_three(b, r, at + stream);
    c = crc32c_sse42_three(c, r, at + 2 * stream);
    d = crc32c_sse42_three(d, r, at + 3 * stream);
    v = crc32c_sse42_fold(v, r, folded);
    w = crc32c_sse42_fold(w, r, folded + 16);
    folded += CRC32C_SSE42_FOLDED;
  }
  for (; folded < len; folded += CRC32C_SSE42_FOLDED) {
    v = crc32c_sse42_fold(v, r, folded);
    w = crc32c_sse42_fold(w, r, folded + 16);
  }
  v = _mm_xor_si128(iwarpi_crc32c_x86_row(v, IWARPI_CRC32C_FOLD_ENDS + 14), w);
  const uint64_t moved =
      crc32c_sse42_moved(a, len / 8 - words) ^ crc32c_sse42_moved(b, len / 8 - 2 * words) ^
      crc32c_sse42_moved(c, len / 8 - 3 * words) ^ crc32c_sse42_moved(d, len / 8 - 4 * words);
  return (uint32_t)_mm_crc32_u64(0, moved) ^ iwarpi_crc32c_x86_16(0, v);
}

/* More than 64 octets, and fewer than a step. */
CRC32C_SSE42_INLINE uint32_t crc32c_sse42_block(uint32_t rem, const iwarpi_crc32c_run *r) {
  __m128i a = _mm_xor_si128(iwarpi_crc32c_x86_take(r, 0), iwarpi_crc32c_x86_one(rem));
  __m128i b = iwarpi_crc32c_x86_take(r, 16);
  __m128i c = iwarpi_crc32c_x86_take(r, 32);
  __m128i d = iwarpi_crc32c_x86_take(r, 48);
  const size_t rest = r->len - CRC32C_SSE42_BLOCK;
  a = iwarpi_crc32c_x86_meet(a, r, rest, 0);
  b = iwarpi_crc32c_x86_meet(b, r, rest, 1);
  c = iwarpi_crc32c_x86_meet(c, r, rest, 2);
  d = iwarpi_crc32c_x86_meet(d, r, rest, 3);
  return iwarpi_crc32c_x86_16(0, _mm_xor_si128(_mm_xor_si128(a, b), _mm_xor_si128(c, d)));
}

CRC32C_SSE42_INLINE uint32_t crc32c_sse42_run(uint32_t rem, iwarpi_crc32c_run r) {
  while (r.len >= CRC32C_SSE42_STEP) {
    size_t steps = r.len / CRC32C_SSE42_STEP;
    steps = steps < CRC32C_SSE42_STEPS ? steps : CRC32C_SSE42_STEPS;
    size_t len = r.len - r.len % CRC32C_SSE42_FOLDED;
    const size_t most = CRC32C_SSE42_STEP * (steps + 1) - CRC32C_SSE42_FOLDED;
    len = len < most ? len : most;
    rem = crc32c_sse42_steps(rem, &r, steps, len);
    r.p += len;
    if (r.q != NULL) {
      r.q += len;
    }
    r.len -= len;
  }
  return r.len <= CRC32C_SSE42_BLOCK ? iwarpi_crc32c_x86_short(rem, &r)
                                     : crc32c_sse42_block(rem, &r);
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
