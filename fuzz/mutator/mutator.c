/* SPDX-License-Identifier: BSD-2-Clause */
/* The mutator: walks an input as iWARP, changes it, and mends what a change broke. */
#include "mutator.h"

#include <string.h>

#include "capture.h"
#include "change.h"
#include "program.h"

static bool is_walked(fuzz_form form) {
  return form != FUZZ_FORM_OCTETS && form != FUZZ_FORM_CAPTURE;
}

/* ---- octets of unknown meaning ---- */

static size_t insert_octets(uint8_t *octets, size_t len, size_t cap, prng *p, iwarp_span other) {
  uint8_t piece[64];
  const size_t at = prng_size(p, len + 1);
  size_t n = 1 + prng_size(p, sizeof piece);
  n = n < cap - len ? n : cap - len;
  prng_fill(p, piece, n);
  if (other.len > n && prng_below(p, 2) == 0) {
    memcpy(piece, other.ptr + prng_size(p, other.len - n), n);
  } else if (len > n && prng_below(p, 2) == 0) {
    memcpy(piece, octets + prng_size(p, len - n), n);
  }
  memmove(octets + at + n, octets + at, len - at);
  memcpy(octets + at, piece, n);
  return len + n;
}

static size_t remove_octets(uint8_t *octets, size_t len, prng *p) {
  const size_t at = prng_size(p, len);
  size_t n = 1 + prng_size(p, 32);
  n = n < len - at ? n : len - at;
  memmove(octets + at, octets + at + n, len - at - n);
  return len - n;
}

static size_t mutate_octets(uint8_t *octets, size_t len, size_t cap, prng *p, iwarp_span other) {
  if (len == 0) {
    return insert_octets(octets, len, cap, p, other);
  }
  const size_t at = prng_size(p, len);
  switch (prng_below(p, 6)) {
  case 0: return insert_octets(octets, len, cap, p, other);
  case 1: return remove_octets(octets, len, p);
  case 2: octets[at] ^= (uint8_t)(1u << prng_below(p, 8)); return len;
  case 3: octets[at] = (uint8_t)(octets[at] + 1 - 2 * prng_below(p, 2)); return len;
  case 4: octets[at] = prng_below(p, 2) == 0 ? 0xFF : 0; return len;
  default: octets[at] = (uint8_t)prng_next(p); return len;
  }
}

/* ---- all ---- */

static program current;
static program borrowed;

static void parse(program *to, fuzz_form form, iwarp_span input) {
  fuzz_in in = fuzz_begin(input.ptr, input.len);
  const fuzz_fpdu_place place = fuzz_fpdu_place_of(&in);
  program_parse(to, form, (iwarp_span){in.body, in.len}, place);
}

static bool has(const uint8_t tail[FUZZ_TAIL], uint8_t flag) {
  return (tail[FUZZ_TAIL - 1] & flag) != 0;
}

static size_t mutate_program(uint8_t *octets, size_t len, size_t cap, fuzz_form form, prng *p,
                             iwarp_span other) {
  parse(&current, form, (iwarp_span){octets, len + FUZZ_TAIL});
  if (other.len > 0) {
    parse(&borrowed, form, other);
  }
  const bool msn = !has(&octets[len], FUZZ_KEEP_MSN);
  change_program(&current, form, other.len > 0 ? &borrowed : NULL, p);
  return program_write(&current, form, octets, cap, msn);
}

/* Changes the body, which has `room`, with the tail after it; returns its new length. */
static size_t mutate_body(uint8_t *octets, size_t len, size_t room, fuzz_form form, prng *p,
                          iwarp_span other) {
  const bool broken = has(&octets[len], FUZZ_KEEP_BROKEN);
  const bool octets_only = prng_below(p, broken ? 2 : 8) == 0;
  if (form == FUZZ_FORM_CAPTURE && !octets_only) {
    return capture_mutate(octets, len, room, p);
  }
  if (is_walked(form) && !octets_only && !broken) { /* octets that are written again are right */
    return mutate_program(octets, len, room, form, p, other);
  }
  return mutate_octets(octets, len, room, p, other);
}

size_t mutator_mutate(uint8_t *octets, size_t len, size_t cap, fuzz_form form, prng *p,
                      iwarp_span other) {
  uint8_t tail[FUZZ_TAIL] = {0};
  size_t body = len > FUZZ_TAIL ? len - FUZZ_TAIL : 0;
  if (cap < FUZZ_TAIL) {
    return len;
  }
  if (len > 0) {
    const size_t n = len - body;
    memcpy(&tail[FUZZ_TAIL - n], &octets[body], n);
  }
  cap = cap < MUTATOR_INPUT_MAX ? cap : MUTATOR_INPUT_MAX;
  const size_t room = cap - FUZZ_TAIL;
  body = body < room ? body : room;
  if (prng_below(p, 10) == 0) {
    tail[prng_size(p, FUZZ_TAIL)] = (uint8_t)prng_next(p);
  } else {
    memcpy(&octets[body], tail, FUZZ_TAIL);
    body = mutate_body(octets, body, room, form, p, other);
  }
  memcpy(&octets[body], tail, FUZZ_TAIL);
  mutator_mend(octets, body + FUZZ_TAIL, form);
  return body + FUZZ_TAIL;
}

void mutator_mend(uint8_t *octets, size_t len, fuzz_form form) {
  static uint8_t mended[MUTATOR_INPUT_MAX];
  if (len <= FUZZ_TAIL || len > MUTATOR_INPUT_MAX ||
      has(&octets[len - FUZZ_TAIL], FUZZ_KEEP_BROKEN)) {
    return;
  }
  if (form == FUZZ_FORM_CAPTURE) {
    capture_mend(octets, len - FUZZ_TAIL);
  } else if (is_walked(form)) {
    parse(&current, form, (iwarp_span){octets, len});
    const bool msn = !has(&octets[len - FUZZ_TAIL], FUZZ_KEEP_MSN);
    const size_t n = program_write(&current, form, mended, sizeof mended, msn);
    if (n <= len - FUZZ_TAIL) { /* the input stays as it is if a wrong length makes it longer */
      memcpy(octets, mended, n);
    }
  }
}
