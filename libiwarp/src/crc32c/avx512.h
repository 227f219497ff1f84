/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the variants of CRC32c with products of 64 octets: AVX-512 and VPCLMULQDQ. */
#ifndef IWARPI_CRC32C_AVX512_H
#define IWARPI_CRC32C_AVX512_H

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

/* crc32c_avx512_one has a value in its first eight octets, and zeros. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_one(uint64_t value) {
  return _mm512_set_epi64(0, 0, 0, 0, 0, 0, 0, (long long)value);
}

/* crc32c_avx512_add adds the remainder so far to the first octets. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_add(__m512i v, uint32_t rem) {
  return _mm512_xor_si512(v, crc32c_avx512_one(rem));
}

/* Up to 64 octets, without a branch on how many they are; the others of the register are zeros. */
CRC32C_AVX512_INLINE uint32_t crc32c_avx512_short(uint32_t rem, const iwarpi_crc32c_run *r) {
  const __mmask64 there = _bzhi_u64(UINT64_MAX, (uint32_t)r->len);
  const __m512i v = _mm512_maskz_loadu_epi8(there, r->p);
  const __m512i k = crc32c_avx512_load(iwarpi_crc32c_upto[r->len]);
  const __m512i sum = crc32c_avx512_add(v, rem);
  if (r->q != NULL) {
    _mm512_mask_storeu_epi8(r->q, there, v);
  }
  return crc32c_avx512_rem(_mm512_xor_si512(_mm512_clmulepi64_epi128(sum, k, 0x00),
                                            _mm512_clmulepi64_epi128(sum, k, 0x11)));
}

/*
 * crc32c_avx512_onto moves a register of a block by `octets`, onto its place of 0 to 3 in the block
 * that stands there. Of that block it adds what was not taken before.
 */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_onto(__m512i v, const iwarpi_crc32c_run *r, size_t at,
                                                size_t octets, size_t place) {
  const uint64_t *k = &iwarpi_crc32c_octets[octets];
  const __m512i all = crc32c_avx512_take(r, at + CRC32C_AVX512_LANE * place);
  const __m512i fresh =
      crc32c_avx512_load(&iwarpi_crc32c_window[octets + CRC32C_AVX512_LANE * place]);
  return crc32c_avx512_fold(v, _mm512_set1_epi64((long long)k[IWARPI_CRC32C_LOW]),
                            _mm512_set1_epi64((long long)k[IWARPI_CRC32C_HIGH]),
                            _mm512_and_si512(all, fresh));
}

/* crc32c_avx512_meet moves a register over the rest of the octets, into the block at their end. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_meet(__m512i v, const iwarpi_crc32c_run *r, size_t rest,
                                                size_t place, __m512i sum) {
  const size_t at = r->len - CRC32C_AVX512_BLOCK;
  return crc32c_avx512_last(crc32c_avx512_onto(v, r, at, rest, place), place, sum);
}

/* The registers of a block. */
typedef struct crc32c_avx512_block {
  __m512i a;
  __m512i b;
  __m512i c;
  __m512i d;
} crc32c_avx512_block;

/* crc32c_avx512_step moves a block by rows of the table, onto the octets that stand there. */
CRC32C_AVX512_INLINE void crc32c_avx512_step(crc32c_avx512_block *v, const iwarpi_crc32c_run *r,
                                             size_t at, size_t row) {
  v->a = crc32c_avx512_row(v->a, row, crc32c_avx512_take(r, at));
  v->b = crc32c_avx512_row(v->b, row, crc32c_avx512_take(r, at + CRC32C_AVX512_LANE));
  v->c = crc32c_avx512_row(v->c, row, crc32c_avx512_take(r, at + 2 * CRC32C_AVX512_LANE));
  v->d = crc32c_avx512_row(v->d, row, crc32c_avx512_take(r, at + 3 * CRC32C_AVX512_LANE));
}

/* crc32c_avx512_align takes a second block that begins on a boundary of the cache. */
CRC32C_AVX512_INLINE size_t crc32c_avx512_align(crc32c_avx512_block *v,
                                                const iwarpi_crc32c_run *r) {
  const size_t at = CRC32C_AVX512_BLOCK - iwarpi_crc32c_x86_past(r->p);
  v->a = crc32c_avx512_onto(v->a, r, at, at, 0);
  v->b = crc32c_avx512_onto(v->b, r, at, at, 1);
  v->c = crc32c_avx512_onto(v->c, r, at, at, 2);
  v->d = crc32c_avx512_onto(v->d, r, at, at, 3);
  return at + CRC32C_AVX512_BLOCK;
}

/*
 * Products and the crc32 instruction have execution units of their own. So a piece of the input has
 * three parts: blocks, which products take; streams of words, which the crc32 instruction takes in
 * parallel; one more block. The remainders of the blocks and of the streams move onto that last
 * block.
 */
typedef struct crc32c_avx512_streams {
  uint64_t rem[4]; /* the remainders of the streams */
  size_t num;      /* 2 or 4 */
  size_t len;      /* octets of a stream */
} crc32c_avx512_streams;

/* crc32c_avx512_word extends each stream by one word; the word of the first stream is at `at`. */
CRC32C_AVX512_INLINE void crc32c_avx512_word(crc32c_avx512_streams *s, const iwarpi_crc32c_run *r,
                                             size_t at) {
  s->rem[0] = iwarpi_crc32c_x86_word(s->rem[0], r, at);
  s->rem[1] = iwarpi_crc32c_x86_word(s->rem[1], r, at + s->len);
  if (s->num == 4) {
    s->rem[2] = iwarpi_crc32c_x86_word(s->rem[2], r, at + 2 * s->len);
    s->rem[3] = iwarpi_crc32c_x86_word(s->rem[3], r, at + 3 * s->len);
  }
}

CRC32C_AVX512_INLINE void crc32c_avx512_two_words(crc32c_avx512_streams *s,
                                                  const iwarpi_crc32c_run *r, size_t at) {
  crc32c_avx512_word(s, r, at);
  crc32c_avx512_word(s, r, at + 8);
}

CRC32C_AVX512_INLINE void crc32c_avx512_four_words(crc32c_avx512_streams *s,
                                                   const iwarpi_crc32c_run *r, size_t at) {
  crc32c_avx512_two_words(s, r, at);
  crc32c_avx512_two_words(s, r, at + 16);
}

/* crc32c_avx512_late is what a remainder becomes over so many octets, in the next eight. */
CRC32C_AVX512_INLINE __m512i crc32c_avx512_late(uint64_t rem, size_t octets) {
  const uint32_t k = iwarpi_crc32c_words[1 + octets / 8];
  return _mm512_clmulepi64_epi128(crc32c_avx512_one(rem), crc32c_avx512_one(k), 0x00);
}

/* crc32c_avx512_join moves a block over the streams by rows of the table, onto the block after
 * them. It adds the remainders of the streams to that block. */
CRC32C_AVX512_INLINE void crc32c_avx512_join(crc32c_avx512_block *v, const iwarpi_crc32c_run *r,
                                             size_t at, size_t row,
                                             const crc32c_avx512_streams *s) {
  const size_t last = (s->num - 1) * s->len; /* octets of the streams after the first */
  crc32c_avx512_step(v, r, at, row);
  v->a = _mm512_xor_si512(v->a, crc32c_avx512_late(s->rem[0], last));
  v->a = _mm512_xor_si512(v->a, crc32c_avx512_late(s->rem[1], last - s->len));
  if (s->num == 4) {
    v->a = _mm512_xor_si512(v->a, crc32c_avx512_late(s->rem[2], s->len));
    v->a = _mm512_xor_si512(v->a, crc32c_avx512_late(s->rem[3], 0));
  }
}

/*
 * A large piece has eight blocks. How many streams there are and how many words of each go with a
 * block depends on the processor: as many as it has time for beside the products.
 */
#define CRC32C_AVX512_STEPS 8u
#define CRC32C_AVX512_BLOCKS (CRC32C_AVX512_BLOCK * CRC32C_AVX512_STEPS) /* octets */

typedef struct crc32c_avx512_shape {
  size_t streams; /* 2 or 4 */
  size_t words;   /* words of a stream with a block: 2 or 5 */
  size_t row;     /* row of the table, over the streams and a block */
  size_t fetch;   /* octets that a step fetches; 0: all are in the cache */
} crc32c_avx512_shape;

/* crc32c_avx512_stream returns the octets of a stream, crc32c_avx512_piece the octets of a piece.
 */
CRC32C_AVX512_INLINE size_t crc32c_avx512_stream(crc32c_avx512_shape shape) {
  return 8 * shape.words * CRC32C_AVX512_STEPS;
}

CRC32C_AVX512_INLINE size_t crc32c_avx512_piece(crc32c_avx512_shape shape) {
  return CRC32C_AVX512_BLOCKS + shape.streams * crc32c_avx512_stream(shape) + CRC32C_AVX512_BLOCK;
}

/* crc32c_avx512_fetch brings octets into the cache that come from memory: the processor follows one
 * stream by itself, and here are three or five. */
CRC32C_AVX512_INLINE void crc32c_avx512_fetch(const iwarpi_crc32c_run *r, size_t at,
                                              size_t octets) {
  for (size_t line = at; line < at + octets; line += CRC32C_AVX512_LANE) {
    iwarpi_crc32c_x86_fetch(r->p, line);
  }
}

CRC32C_AVX512_INLINE void crc32c_avx512_mixed(crc32c_avx512_block *v, const iwarpi_crc32c_run *r,
                                              size_t at, crc32c_avx512_shape shape) {
  const size_t streams = at + CRC32C_AVX512_BLOCKS;
  crc32c_avx512_streams s = {.num = shape.streams, .len = crc32c_avx512_stream(shape)};
  size_t ahead = at + 2 * crc32c_avx512_piece(shape);
  for (size_t word = streams; word < streams + s.len; word += 8 * shape.words) {
    crc32c_avx512_step(v, r, at, IWARPI_CRC32C_FOLD_256);
    at += CRC32C_AVX512_BLOCK;
    if (shape.words == 2) {
      crc32c_avx512_two_words(&s, r, word);
    } else {
      crc32c_avx512_four_words(&s, r, word);
      crc32c_avx512_word(&s, r, word + 32);
    }
    if (shape.fetch != 0) {
      crc32c_avx512_fetch(r, ahead, shape.fetch);
      ahead += shape.fetch;
    }
  }
  crc32c_avx512_join(v, r, streams + s.num * s.len, shape.row, &s);
}

/* crc32c_avx512_first takes the first block, to which the remainder so far is added. */
CRC32C_AVX512_INLINE crc32c_avx512_block crc32c_avx512_first(uint32_t rem,
                                                             const iwarpi_crc32c_run *r) {
  return (crc32c_avx512_block){.a = crc32c_avx512_add(crc32c_avx512_take(r, 0), rem),
                               .b = crc32c_avx512_take(r, CRC32C_AVX512_LANE),
                               .c = crc32c_avx512_take(r, 2 * CRC32C_AVX512_LANE),
                               .d = crc32c_avx512_take(r, 3 * CRC32C_AVX512_LANE)};
}

/* crc32c_avx512_blocks goes on with a block from an octet to the end. */
CRC32C_AVX512_INLINE uint32_t crc32c_avx512_blocks(crc32c_avx512_block v,
                                                   const iwarpi_crc32c_run *r, size_t at) {
  for (; r->len - at > CRC32C_AVX512_BLOCK; at += CRC32C_AVX512_BLOCK) {
    crc32c_avx512_step(&v, r, at, IWARPI_CRC32C_FOLD_256);
  }
  __m512i sum = _mm512_setzero_si512();
  sum = crc32c_avx512_meet(v.a, r, r->len - at, 0, sum);
  sum = crc32c_avx512_meet(v.b, r, r->len - at, 1, sum);
  sum = crc32c_avx512_meet(v.c, r, r->len - at, 2, sum);
  return crc32c_avx512_rem(crc32c_avx512_meet(v.d, r, r->len - at, 3, sum));
}

/* crc32c_avx512_pieces begins on a boundary of the cache. */
CRC32C_AVX512_INLINE uint32_t crc32c_avx512_pieces(uint32_t rem, const iwarpi_crc32c_run *r,
                                                   crc32c_avx512_shape shape) {
  const size_t piece = crc32c_avx512_piece(shape);
  crc32c_avx512_block v = crc32c_avx512_first(rem, r);
  size_t at = crc32c_avx512_align(&v, r);
  for (; r->len - at > piece; at += piece) {
    crc32c_avx512_mixed(&v, r, at, shape);
  }
  return crc32c_avx512_blocks(v, r, at);
}

/* crc32c_avx512_many extends a checksum in pieces, and copies the octets where there is a `dst`. */
CRC32C_AVX512_INLINE uint32_t crc32c_avx512_many(uint32_t crc, void *dst, const void *src,
                                                 size_t len, crc32c_avx512_shape shape) {
  const iwarpi_crc32c_run r = {.p = src, .q = dst, .len = len};
  return ~crc32c_avx512_pieces(~crc, &r, shape);
}

/* Octets that are not so many. The short ones are the hurried ones: they go straight on. */
CRC32C_AVX512_INLINE uint32_t crc32c_avx512_run(uint32_t rem, const iwarpi_crc32c_run *r) {
  if (__builtin_expect(r->len <= CRC32C_AVX512_LANE, 1)) {
    return crc32c_avx512_short(rem, r);
  }
  const __m512i none = _mm512_setzero_si512();
  if (__builtin_expect(r->len <= 2 * CRC32C_AVX512_LANE, 1)) {
    const __m512i a = crc32c_avx512_add(crc32c_avx512_take(r, 0), rem);
    return crc32c_avx512_rem(crc32c_avx512_meet(a, r, r->len - CRC32C_AVX512_LANE, 3, none));
  }
  if (r->len <= CRC32C_AVX512_BLOCK) {
    __m512i a = crc32c_avx512_add(crc32c_avx512_take(r, 0), rem);
    const __m512i b = crc32c_avx512_take(r, CRC32C_AVX512_LANE);
    a = crc32c_avx512_meet(a, r, r->len - 2 * CRC32C_AVX512_LANE, 2, none);
    return crc32c_avx512_rem(crc32c_avx512_meet(b, r, r->len - 2 * CRC32C_AVX512_LANE, 3, a));
  }
  return crc32c_avx512_blocks(crc32c_avx512_first(rem, r), r, CRC32C_AVX512_BLOCK);
}

#define CRC32C_AVX512_APART IWARPI_CRC32C_APART CRC32C_AVX512_FN

/* More octets than the second level of the cache holds; for the proofs they are fewer. */
#ifndef CRC32C_AVX512_HUGE
#define CRC32C_AVX512_HUGE (1u << 20)
#endif

/* CRC32C_AVX512_LARGE makes the functions of a variant for large inputs, those that are in the
 * cache and others, out of its shapes. */
#define CRC32C_AVX512_LARGE(v)                                                                     \
  CRC32C_AVX512_APART uint32_t v##_large(uint32_t crc, const void *data, size_t len) {             \
    return crc32c_avx512_many(crc, NULL, data, len, v##_cached);                                   \
  }                                                                                                \
  CRC32C_AVX512_APART uint32_t v##_huge(uint32_t crc, const void *data, size_t len) {              \
    return crc32c_avx512_many(crc, NULL, data, len, v##_far);                                      \
  }                                                                                                \
  CRC32C_AVX512_APART uint32_t v##_large_copy(uint32_t crc, void *dst, const void *src,            \
                                              size_t len) {                                        \
    return crc32c_avx512_many(crc, dst, src, len, v##_cached);                                     \
  }

#endif

#endif
