/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c by the CRC instructions of ARMv8 in three streams, which PMULL joins. */
#include "variants.h"

#if IWARPI_CRC32C_ARM64

#include <string.h>

#define CRC32C_ARM64_WORD 8u     /* octets of one instruction */
#define CRC32C_ARM64_STREAMS 3u  /* latency of the instruction in cycles */
#define CRC32C_ARM64_STREAM 128u /* words of a stream, at most */
#define CRC32C_ARM64_LONG 192u   /* octets from which streams are faster */

/* Written out, the instructions need no header and no option of the compiler. */
IWARPI_CRC32C_INLINE uint32_t crc32c_arm64_x(uint32_t rem, uint64_t word) {
  __asm__(".arch_extension crc\n\tcrc32cx %w0, %w1, %x2" : "=r"(rem) : "r"(rem), "r"(word));
  return rem;
}

IWARPI_CRC32C_INLINE uint32_t crc32c_arm64_b(uint32_t rem, uint8_t octet) {
  __asm__(".arch_extension crc\n\tcrc32cb %w0, %w1, %w2" : "=r"(rem) : "r"(rem), "r"(octet));
  return rem;
}

/* crc32c_arm64_mul multiplies a remainder by a constant; eight octets of it are the product. */
IWARPI_CRC32C_INLINE uint64_t crc32c_arm64_mul(uint64_t rem, uint64_t k) {
  uint64_t product;
  __asm__(".arch_extension aes\n\t"
          "fmov d0, %1\n\tfmov d1, %2\n\tpmull v0.1q, v0.1d, v1.1d\n\tfmov %0, d0"
          : "=r"(product)
          : "r"(rem), "r"(k)
          : "v0", "v1");
  return product;
}

/* crc32c_arm64_word extends a remainder by eight octets. */
IWARPI_CRC32C_INLINE uint32_t crc32c_arm64_word(uint32_t rem, const iwarpi_crc32c_run *r,
                                                size_t at) {
  uint64_t word;
  memcpy(&word, r->p + at, sizeof word);
  if (r->q != NULL) {
    memcpy(r->q + at, &word, sizeof word);
  }
  return crc32c_arm64_x(rem, word);
}

/* crc32c_arm64_streams extends a remainder by three streams of so many words from an octet on. */
IWARPI_CRC32C_INLINE uint32_t crc32c_arm64_streams(uint32_t rem, const iwarpi_crc32c_run *r,
                                                   size_t at, size_t words) {
  const size_t stream = CRC32C_ARM64_WORD * words;
  uint32_t a = rem;
  uint32_t b = 0;
  uint32_t c = 0;
  for (size_t end = at + stream; at < end; at += CRC32C_ARM64_WORD) {
    a = crc32c_arm64_word(a, r, at);
    b = crc32c_arm64_word(b, r, at + stream);
    c = crc32c_arm64_word(c, r, at + 2 * stream);
  }
  const uint64_t moved = crc32c_arm64_mul(a, iwarpi_crc32c_words[2 * words]) ^
                         crc32c_arm64_mul(b, iwarpi_crc32c_words[words]);
  return crc32c_arm64_x(0, moved) ^ c;
}

IWARPI_CRC32C_INLINE uint32_t crc32c_arm64_rest(uint32_t rem, const iwarpi_crc32c_run *r,
                                                size_t at) {
  for (; r->len - at >= CRC32C_ARM64_WORD; at += CRC32C_ARM64_WORD) {
    rem = crc32c_arm64_word(rem, r, at);
  }
  for (; at < r->len; at++) {
    const uint8_t octet = r->p[at];
    if (r->q != NULL) {
      r->q[at] = octet;
    }
    rem = crc32c_arm64_b(rem, octet);
  }
  return rem;
}

IWARPI_CRC32C_INLINE uint32_t crc32c_arm64_run(uint32_t rem, const iwarpi_crc32c_run *r) {
  size_t at = 0;
  while (r->len - at >= CRC32C_ARM64_LONG) {
    size_t words = (r->len - at) / (CRC32C_ARM64_STREAMS * CRC32C_ARM64_WORD);
    words = words < CRC32C_ARM64_STREAM ? words : CRC32C_ARM64_STREAM;
    rem = crc32c_arm64_streams(rem, r, at, words);
    at += CRC32C_ARM64_STREAMS * CRC32C_ARM64_WORD * words;
  }
  return crc32c_arm64_rest(rem, r, at);
}

uint32_t iwarpi_crc32c_arm64(uint32_t crc, const void *data, size_t len) {
  const iwarpi_crc32c_run r = {.p = data, .len = len};
  return ~crc32c_arm64_run(~crc, &r);
}

uint32_t iwarpi_crc32c_arm64_copy(uint32_t crc, void *dst, const void *src, size_t len) {
  const iwarpi_crc32c_run r = {.p = src, .q = dst, .len = len};
  return ~crc32c_arm64_run(~crc, &r);
}

#endif
