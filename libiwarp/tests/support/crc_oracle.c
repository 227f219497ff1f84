/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c one bit at a time, straight from its definition. */
#include "crc_oracle.h"

uint32_t crc_oracle(uint32_t crc, const uint8_t *octets, size_t n) {
  uint32_t rem = crc ^ 0xFFFFFFFFu;
  for (size_t i = 0; i < n; i++) {
    for (int bit = 0; bit < 8; bit++) {
      uint32_t in = (uint32_t)(octets[i] >> bit) & 1u; /* the least significant bit goes first */
      uint32_t out = rem & 1u;
      rem >>= 1;
      if (in != out) {
        rem ^= 0x82F63B78u; /* 0x1EDC6F41 reflected */
      }
    }
  }
  return rem ^ 0xFFFFFFFFu;
}
