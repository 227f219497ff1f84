/* SPDX-License-Identifier: BSD-2-Clause */
/* Digests of captures and of options. */
#include "digest.h"

#include <string.h>

#include <iwarp/crc32c.h>

uint32_t digest_number(uint32_t crc, uint64_t number) {
  uint8_t octets[8];
  for (size_t i = 0; i < sizeof octets; i++) {
    octets[i] = (uint8_t)(number >> (8 * i));
  }
  return iwarp_crc32c(crc, octets, sizeof octets);
}

uint32_t digest_text(uint32_t crc, const char *text) {
  const size_t len = text != NULL ? strlen(text) : 0;
  return iwarp_crc32c(digest_number(crc, text != NULL ? len : UINT64_MAX), text, len);
}

uint64_t digest_file(uint64_t digest, const char *name) {
  return (digest & ~(uint64_t)UINT32_MAX) | digest_text((uint32_t)digest, name);
}

uint64_t digest_packet(uint64_t digest, const ingest_packet *packet) {
  const uint32_t octets = iwarp_crc32c((uint32_t)(digest >> 32), packet->data, packet->caplen);
  uint32_t rest = digest_number((uint32_t)digest, packet->time_ns);
  rest = digest_number(digest_number(rest, packet->caplen), packet->len);
  return (uint64_t)octets << 32 | rest;
}
