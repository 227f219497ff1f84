/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters at the tail of an input, and the end of an oracle. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"

fuzz_in fuzz_begin(const uint8_t *data, size_t size) {
  fuzz_in in = {.body = data, .taken = 1}; /* the last octet is the mutator's */
  const size_t tail = size < FUZZ_TAIL ? size : FUZZ_TAIL;
  in.len = size - tail < FUZZ_BODY_MAX ? size - tail : FUZZ_BODY_MAX;
  if (tail > 0) {
    memcpy(&in.tail[FUZZ_TAIL - tail], &data[size - tail], tail);
  }
  return in;
}

uint8_t fuzz_u8(fuzz_in *in) {
  if (in->taken == FUZZ_TAIL) {
    return 0;
  }
  in->taken++;
  return in->tail[FUZZ_TAIL - in->taken];
}

uint16_t fuzz_u16(fuzz_in *in) {
  const uint8_t low = fuzz_u8(in);
  return (uint16_t)(fuzz_u8(in) << 8 | low);
}

uint32_t fuzz_u32(fuzz_in *in) {
  const uint16_t low = fuzz_u16(in);
  return (uint32_t)fuzz_u16(in) << 16 | low;
}

bool fuzz_bool(fuzz_in *in) {
  return (fuzz_u8(in) & 1u) != 0;
}

uint8_t fuzz_take(iwarp_span *tape) {
  if (tape->len == 0) {
    return 0;
  }
  tape->len--;
  return *tape->ptr++;
}

iwarp_span fuzz_span(const fuzz_in *in) {
  return guard_in(in->body, in->len);
}

fuzz_fpdu_place fuzz_fpdu_place_of(fuzz_in *in) {
  fuzz_fpdu_place p;
  p.markers = fuzz_bool(in);
  p.off = fuzz_u16(in);
  return p;
}

void fuzz_fail(const char *file, int line, const char *format, ...) {
  const char *name = strrchr(file, '/');
  va_list args;
  fflush(stdout); /* text that other helpers printed before */
  fprintf(stderr, "%s:%d: ", name != NULL ? name + 1 : file, line);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  abort();
}

void fuzz_same(iwarp_span in, const uint8_t *octets, size_t n, const char *what) {
  fuzz_expect(n <= in.len, "%s: more octets than there were", what);
  for (size_t i = 0; i < n; i++) {
    fuzz_expect(octets[i] == in.ptr[i], "%s: octet %zu is 0x%02x, was 0x%02x", what, i, octets[i],
                in.ptr[i]);
  }
}

void fuzz_decoded(iwarp_dec d, iwarp_span in, const char *what) {
  if (d.err == IWARP_ERR_NEED_MORE) {
    fuzz_expect(d.need > in.len, "%s: %zu octets wanted, %zu are there", what, d.need, in.len);
  } else {
    fuzz_expect(d.used <= in.len, "%s: %zu octets used of %zu", what, d.used, in.len);
  }
}
