/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds what one side sends. */
#include "stream_build.h"

#include <stdlib.h>
#include <string.h>

#include "fpdu_model.h"

stream_build *stream_build_new(bool markers, bool crc) {
  stream_build *b = malloc(sizeof *b);
  if (b == NULL) {
    abort();
  }
  b->len = 0;
  b->full = 0;
  b->markers = markers;
  b->crc = crc;
  b->num_fpdus = 0;
  return b;
}

void stream_build_free(stream_build *b) {
  free(b);
}

void build_octets(stream_build *b, const void *octets, size_t n) {
  if (n > STREAM_BUILD_MAX - b->len) {
    abort();
  }
  if (n > 0) {
    memcpy(&b->octets[b->len], octets, n);
  }
  b->len += n;
}

void build_fill(stream_build *b, uint8_t value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    build_octets(b, &value, 1);
  }
}

void build_startup(stream_build *b, const char *key, uint8_t flags, uint8_t rev, uint16_t pd_length,
                   const void *pd, size_t n) {
  const uint8_t fields[4] = {flags, rev, (uint8_t)(pd_length >> 8), (uint8_t)(pd_length & 0xFF)};
  build_octets(b, key, 16);
  build_octets(b, fields, sizeof fields);
  build_octets(b, pd, n);
  b->full = b->len;
}

const build_fpdu *build_ulpdu(stream_build *b, const uint8_t *ulpdu, uint16_t length) {
  static fpdu_model m;
  build_fpdu *f = &b->fpdu[b->num_fpdus];
  if (b->num_fpdus == STREAM_BUILD_FPDUS) {
    abort();
  }
  fpdu_model_send(&m, b->len - b->full, ulpdu, length, b->markers);
  for (size_t i = 0; !b->crc && i < 4; i++) {
    m.wire[m.crc_at + i] = (uint8_t)(BUILD_NO_CRC >> 8 * i);
  }
  *f = (build_fpdu){.at = b->len, .wire_len = m.len, .lead = m.length_at, .length = length};
  b->num_fpdus++;
  build_octets(b, m.wire, m.len);
  return f;
}

static const build_fpdu *build_message(stream_build *b, uint8_t ddp, uint8_t opcode, uint8_t qn,
                                       size_t payload, uint8_t value) {
  static uint8_t ulpdu[65535];
  const size_t header = (ddp & 0x80) != 0 ? 14 : 18;
  memset(ulpdu, value, sizeof ulpdu);
  memset(ulpdu, 0, header);
  ulpdu[0] = ddp;
  ulpdu[1] = (uint8_t)(0x40 | opcode);
  if (header == 18) {
    ulpdu[9] = qn;
    ulpdu[13] = (uint8_t)(b->num_fpdus + 1); /* MSN */
  } else {
    ulpdu[5] = 7; /* STag */
  }
  return build_ulpdu(b, ulpdu, (uint16_t)(header + payload));
}

const build_fpdu *build_write(stream_build *b, size_t payload, uint8_t value) {
  return build_message(b, 0xC1, 0, 0, payload, value);
}

const build_fpdu *build_send(stream_build *b, size_t payload, uint8_t value) {
  return build_message(b, 0x41, 3, 0, payload, value);
}

const build_fpdu *build_read_request(stream_build *b) {
  return build_message(b, 0x41, 1, 1, 28, 0x11);
}

const build_fpdu *build_terminate(stream_build *b) {
  return build_message(b, 0x41, 7, 2, 4, 0x00);
}

const build_fpdu *build_random(stream_build *b, prng *p, size_t max) {
  const uint8_t value = (uint8_t)prng_below(p, 256);
  switch (prng_below(p, 8)) {
  case 0: return build_read_request(b);
  case 1: return build_terminate(b);
  case 2: return build_message(b, 0xC1, 2, 0, prng_size(p, max + 1), value);
  case 3: return build_message(b, 0x41, 8, 0, 8, value);
  case 4: return build_message(b, 0x41, 10, 1, 52, value);
  case 5: return build_write(b, prng_size(p, max + 1), value);
  default: return build_send(b, prng_size(p, max + 1), value);
  }
}

void build_damage(stream_build *b, prng *p) {
  const size_t times = 1 + prng_size(p, 12);
  for (size_t i = 0; i < times; i++) {
    const size_t at = prng_size(p, b->len);
    const size_t n = 1 + prng_size(p, prng_size(p, 4) == 0 ? 300 : 4);
    const size_t from = prng_size(p, b->len);
    const uint8_t kind = (uint8_t)prng_below(p, 4);
    for (size_t k = 0; k < n && at + k < b->len && from + k < b->len; k++) {
      uint8_t *o = &b->octets[at + k];
      *o = kind == 0   ? (uint8_t)(*o ^ 1u << prng_below(p, 8))
           : kind == 1 ? b->octets[from + k]
                       : (uint8_t)(kind == 2 ? 0 : prng_next(p));
    }
  }
}

iwarp_span build_span(const stream_build *b) {
  return (iwarp_span){b->octets, b->len};
}
