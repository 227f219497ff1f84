/* SPDX-License-Identifier: BSD-2-Clause */
/* A decoder that does not belong to libiwarp, with a defect that only a Terminate with a right CRC
 * reaches. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int their_decoder(const uint8_t *p, size_t len);

static uint32_t crc32c(const uint8_t *p, size_t len) {
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < len; i++) {
    crc ^= p[i];
    for (int bit = 0; bit < 8; bit++) {
      crc = (crc & 1u) != 0 ? crc >> 1 ^ 0x82F63B78u : crc >> 1;
    }
  }
  return ~crc;
}

/* their_decoder returns the octets of the FPDU that it decoded, or 0. */
int their_decoder(const uint8_t *p, size_t len) {
  if (len < 6) {
    return 0;
  }
  const size_t ulpdu = (size_t)p[0] << 8 | p[1];
  const size_t end = (2 + ulpdu + 3) / 4 * 4;
  if (ulpdu < 18 + 4 || len < end + 4) {
    return 0;
  }
  const uint32_t crc = (uint32_t)p[end] | (uint32_t)p[end + 1] << 8 | (uint32_t)p[end + 2] << 16 |
                       (uint32_t)p[end + 3] << 24;
  if (crc != crc32c(p, end)) {
    return 0;
  }
  const uint8_t *ddp = p + 2;
  const int is_terminate = (ddp[0] & 0x80u) == 0 && (ddp[1] & 0x0Fu) == 6;
  const uint8_t *term = ddp + 18;
  if (is_terminate && (term[2] & 0x40u) != 0) {
    uint8_t returned[14]; /* the defect: an Untagged header has 18 octets */
    const size_t need = (term[6] & 0x80u) != 0 ? 14 : 18;
    if (ulpdu >= 18 + 6 + need) {
      memcpy(returned, term + 6, need);
      return returned[1] != 0 ? (int)end + 4 : 0;
    }
  }
  return (int)end + 4;
}
