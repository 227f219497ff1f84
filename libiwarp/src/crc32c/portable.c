/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c for any processor: eight octets a step by eight tables, and eight words side by side. */
#include <string.h>

#include "variants.h"

#define CRC32C_PORTABLE_STEP 8u   /* octets */
#define CRC32C_PORTABLE_BLOCK 32u /* octets */

static uint32_t crc32c_portable_le32(const uint8_t *p) {
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static uint32_t crc32c_portable_octet(uint32_t rem, uint8_t octet) {
  return rem >> 8 ^ iwarpi_crc32c_slice[0][(rem ^ octet) & 0xFF];
}

/* crc32c_portable_near is what two words become, the first of them with the remainder so far added.
 */
static uint32_t crc32c_portable_near(uint32_t low, uint32_t high) {
  return iwarpi_crc32c_slice[7][low & 0xFF] ^ iwarpi_crc32c_slice[6][low >> 8 & 0xFF] ^
         iwarpi_crc32c_slice[5][low >> 16 & 0xFF] ^ iwarpi_crc32c_slice[4][low >> 24] ^
         iwarpi_crc32c_slice[3][high & 0xFF] ^ iwarpi_crc32c_slice[2][high >> 8 & 0xFF] ^
         iwarpi_crc32c_slice[1][high >> 16 & 0xFF] ^ iwarpi_crc32c_slice[0][high >> 24];
}

/* crc32c_portable_far moves a word by a block, onto the word at p. */
static inline uint32_t crc32c_portable_far(uint32_t word, const uint8_t *p) {
  return iwarpi_crc32c_far[3][word & 0xFF] ^ iwarpi_crc32c_far[2][word >> 8 & 0xFF] ^
         iwarpi_crc32c_far[1][word >> 16 & 0xFF] ^ iwarpi_crc32c_far[0][word >> 24] ^
         crc32c_portable_le32(p);
}

/*
 * crc32c_portable_blocks extends a remainder by whole blocks, at least one. Each word of a block is
 * moved onto its place in the next one: eight chains that do not wait for each other.
 */
static uint32_t crc32c_portable_blocks(uint32_t rem, const uint8_t *p, size_t len) {
  uint32_t a = rem ^ crc32c_portable_le32(p);
  uint32_t b = crc32c_portable_le32(p + 4);
  uint32_t c = crc32c_portable_le32(p + 8);
  uint32_t d = crc32c_portable_le32(p + 12);
  uint32_t e = crc32c_portable_le32(p + 16);
  uint32_t f = crc32c_portable_le32(p + 20);
  uint32_t g = crc32c_portable_le32(p + 24);
  uint32_t h = crc32c_portable_le32(p + 28);
  for (size_t at = CRC32C_PORTABLE_BLOCK; at < len; at += CRC32C_PORTABLE_BLOCK) {
    a = crc32c_portable_far(a, p + at);
    b = crc32c_portable_far(b, p + at + 4);
    c = crc32c_portable_far(c, p + at + 8);
    d = crc32c_portable_far(d, p + at + 12);
    e = crc32c_portable_far(e, p + at + 16);
    f = crc32c_portable_far(f, p + at + 20);
    g = crc32c_portable_far(g, p + at + 24);
    h = crc32c_portable_far(h, p + at + 28);
  }
  rem = crc32c_portable_near(a, b);
  rem = crc32c_portable_near(rem ^ c, d);
  rem = crc32c_portable_near(rem ^ e, f);
  return crc32c_portable_near(rem ^ g, h);
}

uint32_t iwarpi_crc32c_portable(uint32_t crc, const void *data, size_t len) {
  const uint8_t *p = data;
  uint32_t rem = ~crc;
  if (len >= 2 * CRC32C_PORTABLE_BLOCK) {
    const size_t blocks = len - len % CRC32C_PORTABLE_BLOCK;
    rem = crc32c_portable_blocks(rem, p, blocks);
    p += blocks;
    len -= blocks;
  }
  for (; len >= CRC32C_PORTABLE_STEP; len -= CRC32C_PORTABLE_STEP) {
    rem = crc32c_portable_near(rem ^ crc32c_portable_le32(p), crc32c_portable_le32(p + 4));
    p += CRC32C_PORTABLE_STEP;
  }
  for (; len > 0; len--) {
    rem = crc32c_portable_octet(rem, *p++);
  }
  return ~rem;
}

#define CRC32C_PORTABLE_CHUNK 4096u /* octets copied at a time, so few that they stay near */

uint32_t iwarpi_crc32c_portable_copy(uint32_t crc, void *dst, const void *src, size_t len) {
  const uint8_t *p = src;
  uint8_t *q = dst;
  while (len > 0) {
    const size_t chunk = len < CRC32C_PORTABLE_CHUNK ? len : CRC32C_PORTABLE_CHUNK;
    memcpy(q, p, chunk);
    crc = iwarpi_crc32c_portable(crc, p, chunk);
    p += chunk;
    q += chunk;
    len -= chunk;
  }
  return crc;
}
