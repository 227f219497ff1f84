/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c: every variant, its tables and the dispatcher against the definition. */
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "crc32c/variants.h"
#include "crc_oracle.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"

#define LONGEST 4096u
#define ALIGNMENTS 16u
#define POLY 0x82F63B78u

static uint8_t noise[4 * LONGEST + 4 * ALIGNMENTS];

static void fill_noise(void) {
  prng p = {.state = 1};
  prng_fill(&p, noise, sizeof noise);
}

typedef struct known {
  const char *octets;
  uint32_t crc;
} known;

/* RFC 5044 4.4 names CRC32c by reference; these are the values that everybody publishes, and the
 * empty input. */
static const known knowns[] = {
    {"", 0x00000000},
    {"31 32 33 34 35 36 37 38 39", 0xE3069283},
    {"(00*32)", 0x8A9136AA},
    {"(FF*32)", 0x62A8AB43},
    {"00010203 04050607 08090A0B 0C0D0E0F 10111213 14151617 18191A1B 1C1D1E1F", 0x46DD794E},
    {"1F1E1D1C 1B1A1918 17161514 13121110 0F0E0D0C 0B0A0908 07060504 03020100", 0x113FDB5C},
    {"(00*4)", IWARP_CRC32C_RESIDUE},
};

START_TEST(known_values)
{
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  for (size_t i = 0; i < sizeof knowns / sizeof knowns[0]; i++) {
    uint8_t octets[64];
    size_t len = hex_octets(octets, sizeof octets, knowns[i].octets);
    ck_assert_msg(crc_oracle(0, octets, len) == knowns[i].crc, "oracle: %s", knowns[i].octets);
    ck_assert_msg(iwarp_crc32c(0, octets, len) == knowns[i].crc, "%s", knowns[i].octets);
    for (size_t k = 0; k < num; k++) {
      if (iwarpi_crc32c_usable(&v[k])) {
        ck_assert_msg(v[k].fn(0, octets, len) == knowns[i].crc, "%s: %s", v[k].name,
                      knowns[i].octets);
      }
    }
  }
}
END_TEST

START_TEST(nothing_at_no_address)
{
  ck_assert_uint_eq(iwarp_crc32c(0x12345678, NULL, 0), 0x12345678);
  ck_assert_uint_eq(iwarp_crc32c_copy(0x12345678, NULL, NULL, 0), 0x12345678);
}
END_TEST

/* Each variant, each length and alignment; the input ends where memory ends. */
static void compare_lengths(const iwarpi_crc32c_variant *v) {
  uint32_t want = 0x5A5A5A5A;
  for (size_t len = 0; len <= LONGEST; len++) {
    iwarp_span in = guard_in(noise, len);
    expect(v->fn(0x5A5A5A5A, in.ptr, len) == want, "%s: length %zu", v->name, len);
    want = crc_oracle(want, noise + len, 1);
  }
  for (size_t at = 0; at < ALIGNMENTS; at++) {
    want = 0;
    for (size_t len = 0; len <= LONGEST; len++) {
      expect(v->fn(0, noise + at, len) == want, "%s: length %zu at %zu", v->name, len, at);
      want = crc_oracle(want, noise + at + len, 1);
    }
  }
}

/* The copying form: the destination ends where memory ends, at each alignment of the source. */
static void compare_copies(const iwarpi_crc32c_variant *v) {
  for (size_t at = 0; at < ALIGNMENTS; at++) {
    uint32_t want = 7;
    for (size_t len = 0; len <= LONGEST; len++) {
      if (len < 300 || (len + at) % ALIGNMENTS == 0) {
        uint8_t *dst = guard_out(len);
        expect(v->copy(7, dst, noise + at, len) == want, "%s copy: length %zu at %zu", v->name, len,
               at);
        expect(memcmp(dst, noise + at, len) == 0, "%s copy: octets of %zu at %zu", v->name, len,
               at);
      }
      want = crc_oracle(want, noise + at + len, 1);
    }
  }
}

START_TEST(every_variant_agrees_with_the_definition)
{
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  fill_noise();
  for (size_t k = 0; k < num; k++) {
    if (!iwarpi_crc32c_usable(&v[k])) {
      printf("%s cannot run here\n", v[k].name);
      continue;
    }
    compare_lengths(&v[k]);
    compare_copies(&v[k]);
  }
}
END_TEST

START_TEST(long_inputs_use_every_stride)
{
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  fill_noise();
  for (size_t len = sizeof noise - 40; len <= sizeof noise; len++) {
    uint32_t want = crc_oracle(9, noise, len);
    for (size_t k = 0; k < num; k++) {
      if (iwarpi_crc32c_usable(&v[k])) {
        uint8_t *dst = guard_out(len);
        expect(v[k].fn(9, noise, len) == want, "%s: length %zu", v[k].name, len);
        expect(v[k].copy(9, dst, noise, len) == want, "%s copy: length %zu", v[k].name, len);
        expect(memcmp(dst, noise, len) == 0, "%s copy: octets of %zu", v[k].name, len);
      }
    }
  }
}
END_TEST

/* Every variant, every length to 600, every cut. */
START_TEST(every_cut_of_every_length)
{
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  fill_noise();
  for (size_t len = 0; len <= 600; len++) {
    const uint32_t want = crc_oracle(0, noise, len);
    for (size_t k = 0; k < num && len > 0; k++) {
      for (size_t cut = 0; iwarpi_crc32c_usable(&v[k]) && cut <= len; cut++) {
        const uint32_t a = v[k].fn(0, noise, cut);
        expect(v[k].fn(a, noise + cut, len - cut) == want, "%s: %zu cut at %zu", v[k].name, len,
               cut);
      }
    }
  }
}
END_TEST

START_TEST(splits_do_not_matter_and_pieces_combine)
{
  static const size_t lengths[] = {0, 1, 7, 8, 9, 31, 191, 192, 193, 1444, LONGEST};
  fill_noise();
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    size_t len = lengths[i];
    uint32_t want = iwarp_crc32c(0, noise, len);
    for (size_t cut = 0; cut <= len; cut++) {
      uint32_t a = iwarp_crc32c(0, noise, cut);
      uint32_t b = iwarp_crc32c(0, noise + cut, len - cut);
      expect(iwarp_crc32c(a, noise + cut, len - cut) == want, "%zu cut at %zu", len, cut);
      expect(iwarp_crc32c_combine(a, b, len - cut) == want, "combine %zu at %zu", len, cut);
    }
  }
}
END_TEST

/* x to the n times `rem`, one zero bit after another. */
static uint32_t zero_bits(uint32_t rem, uint64_t n) {
  while (n-- > 0) {
    rem = rem >> 1 ^ (POLY & (0u - (rem & 1u)));
  }
  return rem;
}

START_TEST(combine_of_huge_lengths)
{
  /* Zeros before anything do not change a remainder of 0, so A followed by B and A followed by B in
   * two steps are the same; a length of 64 bits is reached by doubling. */
  static const uint64_t lengths[] = {1u << 20, UINT64_C(1) << 28, UINT64_C(1) << 32,
                                     UINT64_C(0x123456789ABCDEF0), UINT64_MAX / 2};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    uint64_t n = lengths[i];
    uint32_t once = iwarp_crc32c_combine(0xCAFEBABE, 0, n);
    uint32_t twice = iwarp_crc32c_combine(once, 0, n);
    ck_assert_msg(iwarp_crc32c_combine(0xCAFEBABE, 0, 2 * n) == twice, "twice %zu", i);
  }
  ck_assert_uint_eq(iwarp_crc32c_combine(0xCAFEBABE, 0, 1u << 17), zero_bits(0xCAFEBABE, 1u << 20));
  ck_assert_uint_eq(iwarp_crc32c_combine(1, 2, 0), 3);
}
END_TEST

START_TEST(the_residue_follows_any_octets_with_their_crc)
{
  fill_noise();
  for (size_t len = 0; len < 100; len++) {
    uint8_t frame[104];
    memcpy(frame, noise, len);
    uint32_t crc = iwarp_crc32c(0, frame, len);
    for (size_t i = 0; i < 4; i++) {
      frame[len + i] = (uint8_t)(crc >> 8 * i);
    }
    ck_assert_uint_eq(iwarp_crc32c(0, frame, len + 4), IWARP_CRC32C_RESIDUE);
  }
}
END_TEST

START_TEST(tables_are_what_they_say)
{
  static const uint32_t strides[] = {IWARPI_CRC32C_STRIDES};
  for (uint32_t k = 0; k < 8; k++) {
    for (uint32_t octet = 0; octet < 256; octet++) {
      uint32_t want = zero_bits(octet, 8 + 8 * (uint64_t)k);
      expect(iwarpi_crc32c_slice[k][octet] == want, "slice %u %u", k, octet);
    }
  }
  ck_assert_uint_eq(sizeof strides / sizeof strides[0], IWARPI_CRC32C_NUM_STRIDES);
  for (size_t i = 0; i < IWARPI_CRC32C_NUM_STRIDES; i++) {
    for (uint32_t k = 0; k < 8; k++) {
      for (uint32_t nibble = 0; nibble < 16; nibble++) {
        uint32_t want = zero_bits(nibble << 4 * k, 8 * (uint64_t)strides[i]);
        expect(iwarpi_crc32c_shift[i][k][nibble] == want, "shift %zu %u %u", i, k, nibble);
      }
    }
  }
  for (uint32_t k = 0; k < 25; k++) {
    ck_assert_uint_eq(iwarpi_crc32c_power[k], zero_bits(0x80000000u, UINT64_C(1) << k));
  }
  for (uint32_t k = 25; k < IWARPI_CRC32C_NUM_POWERS;
       k++) { /* too far to walk: each is the square of the one before */
    uint32_t octets = 1u << (k - 4);
    uint32_t half = iwarp_crc32c_combine(0x80000000u, 0, octets);
    ck_assert_uint_eq(half, iwarpi_crc32c_power[k - 1]);
    ck_assert_uint_eq(iwarp_crc32c_combine(half, 0, octets), iwarpi_crc32c_power[k]);
  }
}
END_TEST

START_TEST(the_dispatcher_takes_the_best_that_runs)
{
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  fill_noise();
  uint32_t want = crc_oracle(0, noise, 1000);
  uint8_t copy[1000];

  iwarpi_crc32c_override(0); /* ask the processor */
  size_t best = 0;
  while (!iwarpi_crc32c_usable(&v[best])) {
    best++;
  }
  ck_assert_str_eq(iwarp_crc32c_impl(), v[best].name);
#if IWARPI_CRC32C_SSE42
  ck_assert_str_eq(v[0].name, "sse42");
  ck_assert(iwarpi_crc32c_usable(&v[0]) == (__builtin_cpu_supports("sse4.2") != 0));
#endif
  ck_assert_uint_eq(iwarp_crc32c(0, noise, 1000), want);
  ck_assert_uint_eq(iwarp_crc32c_copy(0, copy, noise, 1000), want);

  iwarpi_crc32c_override(IWARPI_CRC32C_CAN_KNOWN); /* a processor that can do nothing special */
  ck_assert_str_eq(iwarp_crc32c_impl(), "portable");
  ck_assert_uint_eq(iwarp_crc32c(0, noise, 1000), want);
  memset(copy, 0, sizeof copy);
  ck_assert_uint_eq(iwarp_crc32c_copy(0, copy, noise, 1000), want);
  ck_assert_mem_eq(copy, noise, sizeof copy);
  iwarpi_crc32c_override(0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {known_values,
                                nothing_at_no_address,
                                every_variant_agrees_with_the_definition,
                                long_inputs_use_every_stride,
                                every_cut_of_every_length,
                                splits_do_not_matter_and_pieces_combine,
                                combine_of_huge_lengths,
                                the_residue_follows_any_octets_with_their_crc,
                                tables_are_what_they_say,
                                the_dispatcher_takes_the_best_that_runs,
                                NULL};
  return check_run(check_suite("crc32c", tests));
}
