/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of gzip for systems without zlib does what zlib does: the same octets, the same
 * errors at the same place, in pieces of any size. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "check_run.h"
#include "inflate_run.h"
#include "prng.h"
#include "property.h"

enum { TEXT_MAX = 70000, PACKED_MAX = 100000, JUNK = 7 };

static uint8_t text[TEXT_MAX];
static uint8_t packed[PACKED_MAX];
static uint8_t made[2][TEXT_MAX + 1];

/* Octets of one of several kinds: noise, few letters, copies near and far. */
static size_t make_text(prng *rng) {
  const size_t len = prng_below(rng, prng_below(rng, 6) == 0 ? TEXT_MAX : 3000);
  const uint64_t kind = prng_below(rng, 4);
  for (size_t i = 0; i < len; i++) {
    const size_t back = kind == 2 ? 1 + prng_below(rng, 300) : 32768 - prng_below(rng, 3);
    const bool copied = kind >= 2 && i >= back && prng_below(rng, 8) != 0;
    text[i] = copied ? text[i - back] : (uint8_t)prng_below(rng, kind == 1 ? 4 : 256);
  }
  return len;
}

static size_t pack(prng *rng, size_t len) {
  z_stream z;
  memset(&z, 0, sizeof z);
  const int level = (int)prng_below(rng, 10);
  const int strategy = (int)prng_below(rng, 5); /* Z_FIXED is the last */
  expect(deflateInit2(&z, level, Z_DEFLATED, 31, 1 + (int)prng_below(rng, 9), strategy) == Z_OK,
         "no deflate");
  gz_header header = {.name = (Bytef *)(uintptr_t) "a.pcap",
                      .extra = (Bytef *)(uintptr_t) "extra",
                      .extra_len = 5,
                      .comment = (Bytef *)(uintptr_t) "",
                      .hcrc = 1};
  if (prng_below(rng, 3) == 0) {
    (void)deflateSetHeader(&z, &header);
  }
  z.next_in = text;
  z.avail_in = (uInt)len;
  z.next_out = packed;
  z.avail_out = PACKED_MAX - JUNK;
  expect(deflate(&z, Z_FINISH) == Z_STREAM_END, "no room");
  const size_t out = z.total_out;
  (void)deflateEnd(&z);
  return out;
}

/* Changes bits, most often near the beginning, where the tables stand. */
static void damage(prng *rng, size_t len) {
  for (uint64_t n = prng_below(rng, 3); n > 0; n--) {
    const uint64_t near = prng_below(rng, 2);
    const size_t at = prng_below(rng, near != 0 && len > 60 ? 60 : len);
    packed[at] ^= (uint8_t)(1u << prng_below(rng, 8));
  }
}

static void expect_alike(const inflate_run *own, const inflate_run *zlib, uint64_t seed) {
  expect(own->result == zlib->result, "seed %llu: %d (%s), zlib %d (%s)", (unsigned long long)seed,
         own->result, own->message, zlib->result, zlib->message);
  expect(strcmp(own->message, zlib->message) == 0, "seed %llu: %s, zlib: %s",
         (unsigned long long)seed, own->message, zlib->message);
  expect(own->made == zlib->made && own->used == zlib->used,
         "seed %llu: %zu of %zu, zlib %zu of %zu", (unsigned long long)seed, own->made, own->used,
         zlib->made, zlib->used);
  expect(memcmp(own->out, zlib->out, own->made) == 0, "seed %llu: other octets",
         (unsigned long long)seed);
}

static void round_of(uint64_t seed, bool damaged) {
  prng rng = {seed};
  const size_t len = make_text(&rng);
  size_t out = pack(&rng, len);
  for (size_t i = 0; i < JUNK; i++) {
    packed[out + i] = (uint8_t)prng_next(&rng);
  }
  if (damaged) {
    damage(&rng, out);
    out = prng_below(&rng, 8) == 0 ? prng_below(&rng, out + 1) : out + prng_below(&rng, JUNK);
  }
  inflate_run runs[2];
  for (size_t i = 0; i < 2; i++) {
    runs[i] = (inflate_run){.in = packed, .len = out, .out = made[i], .cap = sizeof made[i]};
    runs[i].in_piece = 1 + seed % 7 * (seed % 7) * 900;
    runs[i].out_piece = 1 + seed % 5 * (seed % 5) * 4000;
  }
  inflate_run_own(&runs[0]);
  inflate_run_zlib(&runs[1]);
  expect_alike(&runs[0], &runs[1], seed);
  if (!damaged) {
    expect(runs[0].result == Z_STREAM_END && runs[0].made == len && runs[0].used == out &&
               memcmp(made[0], text, len) == 0,
           "seed %llu: not what was packed", (unsigned long long)seed);
  }
}

START_TEST(whole_files)
{
  property rounds = property_begin("whole_files", 1, 70);
  while (property_next(&rounds)) {
    round_of(rounds.seed, false);
  }
}
END_TEST

START_TEST(damaged_files)
{
  property rounds = property_begin("damaged_files", 10000, 400);
  while (property_next(&rounds)) {
    round_of(rounds.seed, true);
  }
}
END_TEST

/* Each bit near the beginning of a small file is another one. */
START_TEST(each_bit_changed)
{
  static const char small[] = "abcabcabcabc, and what else there is of letters: jkqxz";
  memcpy(text, small, sizeof small);
  for (unsigned int kind = 0; kind < 3; kind++) {
    z_stream z;
    memset(&z, 0, sizeof z);
    expect(deflateInit2(&z, kind == 0 ? 0 : 9, Z_DEFLATED, 31, 8,
                        kind == 1 ? Z_FIXED : Z_DEFAULT_STRATEGY) == Z_OK,
           "no deflate");
    z.next_in = text;
    z.avail_in = kind == 2 ? 4000 : sizeof small;
    z.next_out = packed;
    z.avail_out = PACKED_MAX;
    (void)deflate(&z, Z_FINISH);
    const size_t len = z.total_out;
    (void)deflateEnd(&z);
    for (size_t at = 0; at < len && at < 90; at++) {
      for (unsigned int bit = 0; bit < 8; bit++) {
        packed[at] ^= (uint8_t)(1u << bit);
        inflate_run runs[2];
        for (size_t i = 0; i < 2; i++) {
          runs[i] = (inflate_run){.in = packed, .len = len, .in_piece = len, .out_piece = 600};
          runs[i].out = made[i];
          runs[i].cap = 6000;
        }
        inflate_run_own(&runs[0]);
        inflate_run_zlib(&runs[1]);
        expect_alike(&runs[0], &runs[1], at * 8 + bit);
        packed[at] ^= (uint8_t)(1u << bit);
      }
    }
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {
      {whole_files, 1}, {damaged_files, 1}, {each_bit_changed, 1}, {NULL, 0}};
  return property_main("inflate", tests);
}
