/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c for any processor: eight octets a step by eight tables. */
#include <string.h>

#include "variants.h"

#define CRC32C_PORTABLE_STEP 8u /* octets */

static uint32_t crc32c_portable_le32(const uint8_t *p) {
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static uint32_t crc32c_portable_octet(uint32_t rem, uint8_t octet) {
  return rem >> 8 ^ iwarpi_crc32c_slice[0][(rem ^ octet) & 0xFF];
}

static uint32_t crc32c_portable_step(uint32_t rem, const uint8_t *p) {
  uint32_t low = rem ^ crc32c_portable_le32(p);
  uint32_t high = crc32c_portable_le32(p + 4);
  return iwarpi_crc32c_slice[7][low & 0xFF] ^ iwarpi_crc32c_slice[6][low >> 8 & 0xFF] ^
         iwarpi_crc32c_slice[5][low >> 16 & 0xFF] ^ iwarpi_crc32c_slice[4][low >> 24] ^
         iwarpi_crc32c_slice[3][high & 0xFF] ^ iwarpi_crc32c_slice[2][high >> 8 & 0xFF] ^
         iwarpi_crc32c_slice[1][high >> 16 & 0xFF] ^ iwarpi_crc32c_slice[0][high >> 24];
}

uint32_t iwarpi_crc32c_portable(uint32_t crc, const void *data, size_t len) {
  const uint8_t *p = data;
  uint32_t rem = ~crc;
  for (; len >= CRC32C_PORTABLE_STEP; len -= CRC32C_PORTABLE_STEP) {
    rem = crc32c_portable_step(rem, p);
    p += CRC32C_PORTABLE_STEP;
  }
  for (; len > 0; len--) {
    rem = crc32c_portable_octet(rem, *p++);
  }
  return ~rem;
}

uint32_t iwarpi_crc32c_portable_copy(uint32_t crc, void *dst, const void *src, size_t len) {
  const uint8_t *p = src;
  uint8_t *q = dst;
  uint32_t rem = ~crc;
  for (; len >= CRC32C_PORTABLE_STEP; len -= CRC32C_PORTABLE_STEP) {
    memcpy(q, p, CRC32C_PORTABLE_STEP);
    rem = crc32c_portable_step(rem, p);
    p += CRC32C_PORTABLE_STEP;
    q += CRC32C_PORTABLE_STEP;
  }
  for (; len > 0; len--) {
    *q++ = *p;
    rem = crc32c_portable_octet(rem, *p++);
  }
  return ~rem;
}
