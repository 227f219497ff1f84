/* SPDX-License-Identifier: BSD-2-Clause */
/* CRC32c: every variant, its tables and the dispatcher against the definition. */
#include <stdio.h>
#include <string.h>
#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "check_run.h"
#include "crc32c/variants.h"
#include "crc_oracle.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"
#include "property.h"

#define LONGEST 4096u
#define ALIGNMENTS 64u
#define POLY 0x82F63B78u
#define ONE 0x80000000u /* x^0 */

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

/* Each variant, each length and alignment; the input begins or ends where memory does. */
static void compare_lengths(const iwarpi_crc32c_variant *v) {
  uint32_t want = 0x5A5A5A5A;
  for (size_t len = 0; len <= LONGEST; len++) {
    iwarp_span in = guard_in(noise, len);
    expect(v->fn(0x5A5A5A5A, in.ptr, len) == want, "%s: length %zu", v->name, len);
    in = guard_in_front(noise, len);
    expect(v->fn(0x5A5A5A5A, in.ptr, len) == want, "%s: length %zu in front", v->name, len);
    want = crc_oracle(want, noise + len, 1);
  }
  for (size_t at = 0; at < ALIGNMENTS; at += property_stride()) {
    want = 0;
    for (size_t len = 0; len <= LONGEST; len++) {
      expect(v->fn(0, noise + at, len) == want, "%s: length %zu at %zu", v->name, len, at);
      want = crc_oracle(want, noise + at + len, 1);
    }
  }
}

/* The octets around a copy stay as they were. */
static void compare_neighbours(const iwarpi_crc32c_variant *v) {
  static const uint8_t before[ALIGNMENTS] = {0};
  for (size_t len = 0; len <= LONGEST; len++) {
    const size_t at = len % ALIGNMENTS;
    uint8_t area[LONGEST + 3 * ALIGNMENTS] = {0};
    v->copy(0, area + ALIGNMENTS + at, noise, len);
    expect(memcmp(area, before, ALIGNMENTS) == 0, "%s: octets before %zu", v->name, len);
    expect(memcmp(area + ALIGNMENTS, before, at) == 0, "%s: octets before %zu", v->name, len);
    expect(memcmp(area + ALIGNMENTS + at + len, before, ALIGNMENTS) == 0, "%s: octets after %zu",
           v->name, len);
  }
}

/* The copying form: the destination ends where memory ends, at each alignment of the source. */
static void compare_copies(const iwarpi_crc32c_variant *v) {
  for (size_t at = 0; at < ALIGNMENTS; at += property_stride()) {
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
    compare_neighbours(&v[k]);
  }
}
END_TEST

START_TEST(long_inputs_take_several_pieces)
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

/* Lengths beyond those where other ways begin, at each alignment. */
static void compare_large(const iwarpi_crc32c_variant *v, size_t at) {
  const size_t step = 61;
  size_t len = LONGEST;
  uint32_t want = crc_oracle(5, noise + at, len);
  while (at + len + step <= sizeof noise) {
    uint8_t *dst = guard_out(len);
    expect(v->fn(5, noise + at, len) == want, "%s: length %zu at %zu", v->name, len, at);
    expect(v->copy(5, dst, noise + at, len) == want, "%s copy: length %zu at %zu", v->name, len,
           at);
    expect(memcmp(dst, noise + at, len) == 0, "%s copy: octets of %zu", v->name, len);
    want = crc_oracle(want, noise + at + len, step);
    len += step;
  }
}

START_TEST(large_inputs_at_each_alignment)
{
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  fill_noise();
  for (size_t k = 0; k < num; k++) {
    for (size_t at = 0; iwarpi_crc32c_usable(&v[k]) && at < ALIGNMENTS; at += property_stride()) {
      compare_large(&v[k], at);
    }
  }
}
END_TEST

/* More than a cache holds: octets that come from memory may be fetched in another way. */
START_TEST(inputs_beyond_the_cache)
{
  enum { HUGE_LEN = (1 << 20) + 61 };
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  fill_noise();
  uint8_t *octets = malloc(HUGE_LEN);
  ck_assert_ptr_nonnull(octets);
  for (size_t i = 0; i < HUGE_LEN; i++) {
    octets[i] = (uint8_t)(noise[i % sizeof noise] + i / sizeof noise);
  }
  for (size_t less = 0; less <= 64; less += 32) {
    const size_t len = HUGE_LEN - less; /* from both sides of 1 MiB */
    const uint32_t want = crc_oracle(7, octets, len);
    for (size_t k = 0; k < num; k++) {
      expect(!iwarpi_crc32c_usable(&v[k]) || v[k].fn(7, octets, len) == want, "%s: length %zu",
             v[k].name, len);
    }
  }
  free(octets);
}
END_TEST

START_TEST(the_first_call_of_a_process_may_copy)
{
  uint8_t copy[100];
  fill_noise();
  ck_assert_uint_eq(iwarp_crc32c_copy(0, copy, noise, sizeof copy),
                    crc_oracle(0, noise, sizeof copy));
  ck_assert_mem_eq(copy, noise, sizeof copy);
}
END_TEST

/* Every variant, every length to 600 and the longest, every cut. */
START_TEST(every_cut_of_every_length)
{
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  fill_noise();
  for (size_t len = 0; len <= LONGEST;
       len = len >= 600 && len < LONGEST ? LONGEST : len + property_stride()) {
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
  for (uint32_t octet = 0; octet < 256; octet++) {
    for (uint32_t k = 0; k < 8; k++) {
      uint32_t want = zero_bits(octet, 8 + 8 * (uint64_t)k);
      expect(iwarpi_crc32c_slice[k][octet] == want, "slice %u %u", k, octet);
    }
    for (uint32_t k = 0; k < 4; k++) {
      uint32_t want = zero_bits(octet, 8 + 8 * (28 + (uint64_t)k));
      expect(iwarpi_crc32c_far[k][octet] == want, "far %u %u", k, octet);
    }
  }
  for (uint32_t k = 0; k < 25; k++) {
    ck_assert_uint_eq(iwarpi_crc32c_power[k], zero_bits(ONE, UINT64_C(1) << k));
  }
  for (uint32_t k = 25; k < IWARPI_CRC32C_NUM_POWERS;
       k++) { /* too far to walk: each is the square of the one before */
    uint32_t octets = 1u << (k - 4);
    uint32_t half = iwarp_crc32c_combine(ONE, 0, octets);
    ck_assert_uint_eq(half, iwarpi_crc32c_power[k - 1]);
    ck_assert_uint_eq(iwarp_crc32c_combine(half, 0, octets), iwarpi_crc32c_power[k]);
  }
}
END_TEST

#if IWARPI_CRC32C_X86 || IWARPI_CRC32C_ARM64

/* x to the power n, of either sign. */
static uint32_t x_to(int64_t n) {
  uint32_t rem = zero_bits(ONE, n > 0 ? (uint64_t)n : 0);
  for (; n < 0; n++) { /* what becomes `rem` by one zero bit */
    const uint32_t carry = rem >> 31;
    rem = (rem ^ (POLY & (0u - carry))) << 1 | carry;
  }
  return rem;
}

START_TEST(constants_of_products_are_what_they_say)
{
  ck_assert_uint_eq(zero_bits(x_to(-100), 100), ONE);
  for (uint32_t i = 0; i < IWARPI_CRC32C_NUM_WORDS; i++) {
    expect(iwarpi_crc32c_words[i] == x_to(64 * (int64_t)i - 33), "words %u", i);
  }
#if IWARPI_CRC32C_X86
  static const uint32_t distances[] = {IWARPI_CRC32C_DISTANCES};
  ck_assert_uint_eq(sizeof distances / sizeof distances[0], IWARPI_CRC32C_NUM_DISTANCES);
  for (uint32_t i = 0; i < IWARPI_CRC32C_NUM_DISTANCES; i++) {
    expect(iwarpi_crc32c_fold[i][0] == x_to(128 * (int64_t)distances[i] + 31), "fold %u", i);
    expect(iwarpi_crc32c_fold[i][1] == x_to(128 * (int64_t)distances[i] - 33), "fold %u", i);
  }
  for (uint32_t i = 0; i < IWARPI_CRC32C_NUM_OCTETS; i++) {
    const int64_t octets = (int64_t)i - IWARPI_CRC32C_HIGH;
    expect(iwarpi_crc32c_octets[i] == x_to(8 * octets - 33), "octets %u", i);
  }
  for (uint32_t n = 0; n < IWARPI_CRC32C_NUM_UPTO; n++) {
    for (uint32_t i = 0; i < 4; i++) {
      const int64_t distance = 128 * (3 - (int64_t)i) - 8 * (64 - (int64_t)n);
      expect(iwarpi_crc32c_upto[n][2 * i] == x_to(distance + 31), "upto %u %u", n, i);
      expect(iwarpi_crc32c_upto[n][2 * i + 1] == x_to(distance - 33), "upto %u %u", n, i);
    }
  }
  for (uint32_t i = 0; i < 2 * IWARPI_CRC32C_WINDOW; i++) {
    expect(iwarpi_crc32c_window[i] == (i < IWARPI_CRC32C_WINDOW ? 0 : 0xFF), "window %u", i);
  }
#endif
}
END_TEST

#endif

#if IWARPI_CRC32C_X86

/* Processors, and what they can do. */
#define INTEL 0x756E6547u /* "Genu" */
#define AMD 0x68747541u   /* "Auth" */
static const struct {
  iwarpi_crc32c_cpu cpu;
  uint32_t can;
} cpus[] = {
    {{INTEL, 7, 0x000806F8, 0x00000000, 0x00000000, 0x000, 0x00}, 0x1},
    {{INTEL, 7, 0x000806F8, 0x00100000, 0xC0010120, 0x400, 0xE7}, 0x1}, /* no PCLMULQDQ */
    {{INTEL, 7, 0x000806F8, 0x00000002, 0xC0010120, 0x400, 0xE7}, 0x1}, /* no SSE4.2 */
    {{INTEL, 6, 0x000806F8, 0x00100002, 0xC0010120, 0x400, 0xE7}, 0x3}, /* no leaf 7 */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010100, 0x400, 0xE7}, 0x3}, /* no AVX2 */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010120, 0x000, 0xE7}, 0x3}, /* no VPCLMULQDQ */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010120, 0x400, 0xE3}, 0x3}, /* YMM is not saved */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010120, 0x400, 0x00}, 0x3}, /* nothing is */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0x40010120, 0x400, 0xE7}, 0x7}, /* no AVX512VL */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0x80010120, 0x400, 0xE7}, 0x7}, /* no AVX512BW */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0000120, 0x400, 0xE7}, 0x7}, /* no AVX512F */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010020, 0x400, 0xE7}, 0x7}, /* no BMI2 */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010120, 0x400, 0xC7}, 0x7}, /* masks are not saved */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010120, 0x400, 0xA7}, 0x7}, /* upper halves are not */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010120, 0x400, 0x67}, 0x7}, /* ZMM16 to ZMM31 are not */
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010120, 0x400, 0x07}, 0x7},
    {{INTEL, 7, 0x000806F8, 0x00100002, 0xC0010120, 0x400, 0xE7}, 0xF},
    {{INTEL, 8, 0x00B00F21, 0x00100002, 0xC0010120, 0x400, 0xE7}, 0xF},
    {{AMD, 7, 0x00A20F10, 0x00100002, 0xC0010120, 0x400, 0x07}, 0x7},  /* Zen 3 */
    {{AMD, 7, 0x00A10F11, 0x00100002, 0xC0010120, 0x400, 0xE7}, 0x2F}, /* Zen 4 */
    {{AMD, 7, 0x00B00F21, 0x00100002, 0xC0010120, 0x400, 0x07}, 0x7},
    {{AMD, 7, 0x00B00F21, 0x00100002, 0xC0010120, 0x400, 0xE7}, 0x4F}, /* Zen 5 */
    {{AMD, 7, 0x00C00F21, 0x00100002, 0xC0010120, 0x400, 0xE7}, 0x4F}, /* whatever comes */
    {{AMD, 7, 0x00B00D21, 0x00100002, 0xC0010120, 0x400, 0xE7}, 0x2F}, /* both fields count */
};

START_TEST(a_processor_can_what_it_has_and_the_system_saves)
{
  for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
    ck_assert_msg(iwarpi_crc32c_can_of(&cpus[i].cpu) == cpus[i].can, "processor %zu", i);
  }
  ck_assert_uint_eq(iwarpi_crc32c_xcr0(0), 0); /* no OSXSAVE: the instruction would fault */
}
END_TEST

#endif

/* What the compiler's own library says of this machine, or the system does. */
static uint32_t can_by_others(void) {
  uint32_t can = IWARPI_CRC32C_CAN_KNOWN;
#if IWARPI_CRC32C_X86
  __builtin_cpu_init();
  const bool sse42 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
  const bool avx2 = sse42 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("vpclmulqdq");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("bmi2");
  can |= sse42 ? IWARPI_CRC32C_CAN_SSE42 : 0;
  can |= avx2 ? IWARPI_CRC32C_CAN_AVX2 : 0;
  can |= avx512 ? IWARPI_CRC32C_CAN_AVX512 : 0;
  const bool zen4 = __builtin_cpu_is("amdfam19h");
  can |= avx512 && zen4 ? IWARPI_CRC32C_CAN_ZEN4 : 0;
  can |= avx512 && !zen4 && __builtin_cpu_is("amd") ? IWARPI_CRC32C_CAN_ZEN5 : 0;
#endif
#if IWARPI_CRC32C_ARM64 && defined(__linux__)
  const unsigned long has = getauxval(AT_HWCAP);
  can |= (has & HWCAP_CRC32) != 0 && (has & HWCAP_PMULL) != 0 ? IWARPI_CRC32C_CAN_ARM64 : 0;
#endif
  return can;
}

/* Whatever is believed of the processor, the first variant that it can run is taken. */
static void take(const iwarpi_crc32c_variant *v, uint32_t can) {
  uint8_t copy[1000] = {0};
  iwarpi_crc32c_override(can);
  ck_assert_str_eq(iwarp_crc32c_impl(), v->name);
  ck_assert_uint_eq(iwarp_crc32c(0, noise, sizeof copy), crc_oracle(0, noise, sizeof copy));
  ck_assert_uint_eq(iwarp_crc32c_copy(0, copy, noise, sizeof copy),
                    crc_oracle(0, noise, sizeof copy));
  ck_assert_mem_eq(copy, noise, sizeof copy);
}

START_TEST(the_dispatcher_takes_the_best_that_runs)
{
  size_t num;
  const iwarpi_crc32c_variant *v = iwarpi_crc32c_variants(&num);
  const uint32_t can = can_by_others();
  size_t best = num;
  fill_noise();
  for (size_t k = num; k-- > 0;) {
    ck_assert_msg(iwarpi_crc32c_usable(&v[k]) == ((v[k].needs & ~can) == 0), "%s", v[k].name);
    if (iwarpi_crc32c_usable(&v[k])) {
      take(&v[k], v[k].needs | v[k].suits | IWARPI_CRC32C_CAN_KNOWN);
      iwarpi_crc32c_override(0); /* ask the processor */
      best = (v[k].suits & ~can) == 0 ? k : best;
    }
  }
  take(&v[best], 0);
  ck_assert_str_eq(v[num - 1].name, "portable");
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
    known_values,
    nothing_at_no_address,
    every_variant_agrees_with_the_definition,
    long_inputs_take_several_pieces,
    large_inputs_at_each_alignment,
    inputs_beyond_the_cache,
    the_first_call_of_a_process_may_copy,
    every_cut_of_every_length,
    splits_do_not_matter_and_pieces_combine,
    combine_of_huge_lengths,
    the_residue_follows_any_octets_with_their_crc,
    tables_are_what_they_say,
#if IWARPI_CRC32C_X86 || IWARPI_CRC32C_ARM64
    constants_of_products_are_what_they_say,
#endif
#if IWARPI_CRC32C_X86
    a_processor_can_what_it_has_and_the_system_saves,
#endif
    the_dispatcher_takes_the_best_that_runs,
    NULL
  };
  return check_run(check_suite("crc32c", tests));
}
