/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Markers inserted and removed again leave the ULPDU as it was: every place modulo 512, every
 * length to 2048, samples of the others.
 */
#include <iwarp/mpa.h>
#include <string.h>

#include "check_run.h"
#include "prng.h"
#include "property.h"

#define LONGEST 65535u
#define EXHAUSTIVE 2048u

static uint8_t noise[LONGEST + 512];
static uint8_t wire[IWARP_MPA_FPDU_WIRE_MAX];
static uint8_t plain[IWARP_MPA_FPDU_WIRE_MAX];
static uint8_t copied[LONGEST];

/* Removes Markers by their place in the stream alone; checks that each points back to `length_at`.
 */
static size_t strip(uint64_t off, size_t len, size_t length_at) {
  size_t n = 0;
  for (size_t at = 0; at < len;) {
    if ((off + at) % 512 != 0) {
      memcpy(plain + n, wire + at, 4); /* no Marker begins within a word */
      n += 4;
      at += 4;
      continue;
    }
    const size_t pointer = at > length_at ? at - length_at : 0;
    expect(wire[at] == 0 && wire[at + 1] == 0, "Marker at %zu: reserved", at);
    expect((size_t)(wire[at + 2] << 8 | wire[at + 3]) == pointer, "Marker at %zu", at);
    at += 4;
  }
  return n;
}

static void expect_stripped(uint64_t off, const uint8_t *ulpdu, size_t length, size_t n) {
  const size_t pad = (2u - length) % 4; /* RFC 5044 4.1: a multiple of four in all */
  expect(n == 2 + length + pad + 4, "off %u L %zu: %zu octets", (unsigned)off, length, n);
  expect(plain[0] == length >> 8 && plain[1] == (length & 0xFF), "off %u L %zu", (unsigned)off,
         length);
  expect(memcmp(plain + 2, ulpdu, length) == 0, "off %u L %zu: ULPDU", (unsigned)off, length);
  for (size_t i = 0; i < pad; i++) {
    expect(plain[2 + length + i] == 0, "off %u L %zu: PAD", (unsigned)off, length);
  }
}

/* The CRC field is given: what it covers is the business of other tests. */
static void insert_and_remove(uint64_t off, size_t length) {
  const uint8_t *ulpdu = noise + off % 512;
  const iwarp_mpa_fpdu_desc desc = {
      .ulpdu = {ulpdu, length}, .off = off, .markers = true, .crc_given = true, .crc = 0xA1B2C3D4};
  size_t len = 0;
  iwarp_err err = iwarp_mpa_fpdu_encode(wire, sizeof wire, &len, &desc);
  const iwarp_mpa_layout layout = iwarp_mpa_layout_of(off, (uint16_t)length, true);
  const uint64_t last = layout.num_markers == 0 ? 0 : (off + layout.crc_off) / 512 * 512 - off;
  const bool fits = last < 65536 + layout.lead;
  expect((err == IWARP_OK) == fits, "off %u L %zu: %s", (unsigned)off, length, iwarp_errname(err));
  if (!fits) {
    return;
  }
  expect_stripped(off, ulpdu, length, strip(off, len, layout.lead));

  iwarp_mpa_fpdu v;
  iwarp_dec dec = iwarp_mpa_fpdu_decode(&v, (iwarp_span){wire, len}, off, true);
  expect(dec.err == IWARP_OK && dec.used == len && v.crc == desc.crc, "off %u L %zu", (unsigned)off,
         length);
  expect(iwarp_mpa_fpdu_ulpdu_copy(copied, sizeof copied, &v, 0) == length &&
             memcmp(copied, ulpdu, length) == 0,
         "off %u L %zu: copy", (unsigned)off, length);
}

START_TEST(every_place_and_every_length_to_2048)
{
  property rounds = property_begin("every_place_and_every_length_to_2048", 51, 1);
  while (property_next(&rounds)) {
    prng p = {.state = rounds.seed};
    prng_fill(&p, noise, sizeof noise);
    for (uint64_t off = 0; off < 512;
         off += 4 * property_stride()) { /* others are rounded down to these */
      for (size_t length = 0; length <= EXHAUSTIVE; length++) {
        insert_and_remove(off, length);
      }
    }
  }
}
END_TEST

START_TEST(every_place_and_samples_to_65535)
{
  property rounds = property_begin("every_place_and_samples_to_65535", 52, 1);
  while (property_next(&rounds)) {
    prng p = {.state = rounds.seed};
    prng_fill(&p, noise, sizeof noise);
    for (uint64_t off = 0; off < 512; off += 4 * property_stride()) {
      for (size_t length = EXHAUSTIVE + prng_size(&p, 997); length <= LONGEST; length += 997) {
        insert_and_remove(off, length);
      }
      for (size_t length = LONGEST - 16; length <= LONGEST; length++) {
        insert_and_remove(off, length);
      }
    }
  }
}
END_TEST

/* An offset that no conforming sender has is rounded down to one that one has. */
START_TEST(places_between_are_rounded_down)
{
  static uint8_t other[IWARP_MPA_FPDU_WIRE_MAX];
  property rounds = property_begin("places_between_are_rounded_down", 53, 1);
  while (property_next(&rounds)) {
    prng p = {.state = rounds.seed};
    prng_fill(&p, noise, sizeof noise);
    for (uint64_t off = 0; off < 512; off += property_stride()) {
      for (size_t length = 0; length <= EXHAUSTIVE; length += 31) {
        iwarp_mpa_fpdu_desc desc = {.ulpdu = {noise, length}, .off = off, .markers = true};
        size_t len = 0;
        size_t other_len = 0;
        iwarp_mpa_fpdu_encode(wire, sizeof wire, &len, &desc);
        desc.off = off / 4 * 4;
        iwarp_mpa_fpdu_encode(other, sizeof other, &other_len, &desc);
        expect(len == other_len && memcmp(wire, other, len) == 0, "off %u L %zu", (unsigned)off,
               length);
      }
    }
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {{every_place_and_every_length_to_2048, 1},
                                 {every_place_and_samples_to_65535, 1},
                                 {places_between_are_rounded_down, 1},
                                 {NULL, 0}};
  return property_main("markers", tests);
}
