/* SPDX-License-Identifier: BSD-2-Clause */
/* Where Markers stand, and the sizes that follow from it. */
#include <iwarp/mpa.h>
#include <string.h>

#include "check_run.h"
#include "fpdu_model.h"
#include "guard.h"
#include "prng.h"

static fpdu_model model;

static void compare_layout(uint64_t off, uint16_t length, bool markers) {
  fpdu_model_send(&model, off & ~UINT64_C(3), NULL, length, markers);
  iwarp_mpa_layout v = iwarp_mpa_layout_of(off, length, markers);
  expect(v.lead == model.length_at, "lead: off %llu L %u", (unsigned long long)off, length);
  expect(v.pad == model.pad, "pad: off %llu L %u", (unsigned long long)off, length);
  expect(v.crc_off == model.crc_at, "CRC: off %llu L %u", (unsigned long long)off, length);
  expect(v.wire_len == model.len, "size: off %llu L %u", (unsigned long long)off, length);
  expect(v.num_markers == model.num_markers, "count: off %llu L %u", (unsigned long long)off,
         length);
  expect(v.wire_len <= IWARP_MPA_FPDU_WIRE_MAX && v.num_markers <= IWARP_MPA_MARKERS_MAX,
         "limits: off %llu L %u", (unsigned long long)off, length);
  size_t first = v.lead != 0 ? 1 : 0;
  if (v.num_markers == first) {
    expect(v.first_marker == 0, "no inner Marker: off %llu L %u", (unsigned long long)off, length);
  }
  for (size_t i = first; i < v.num_markers; i++) {
    expect(v.first_marker + 512 * (i - first) == model.marker_at[i], "Marker %zu: off %llu L %u", i,
           (unsigned long long)off, length);
  }
}

START_TEST(layout_of_every_offset_and_length_to_2200)
{
  for (uint32_t off = 0; off < 512; off++) {
    for (uint32_t length = 0; length <= 2200; length += off % 4 == 0 ? 1 : 37) {
      compare_layout(off, (uint16_t)length, true);
    }
  }
}
END_TEST

START_TEST(layout_of_samples_to_65535)
{
  prng p = {.state = 3};
  for (size_t i = 0; i < 3000; i++) {
    compare_layout(prng_next(&p), (uint16_t)prng_next(&p), true);
  }
  for (uint32_t off = 0; off < 512; off += 4) {
    for (uint32_t length = 65500; length <= 65535; length++) {
      compare_layout(off, (uint16_t)length, true);
    }
    compare_layout(off, IWARP_MPA_ULPDU_MAX, true);
  }
}
END_TEST

START_TEST(layout_without_markers)
{
  for (uint32_t length = 0; length <= 65535; length += length < 3000 ? 1 : 61) {
    compare_layout(length % 512, (uint16_t)length, false);
  }
}
END_TEST

START_TEST(only_the_low_bits_of_the_offset_count)
{
  for (uint64_t off = 0; off < 512; off += 4) {
    iwarp_mpa_layout a = iwarp_mpa_layout_of(off, 1442, true);
    iwarp_mpa_layout b = iwarp_mpa_layout_of(off + UINT64_C(0xFFFFFFFFFFFFFE00), 1442, true);
    ck_assert_mem_eq(&a, &b, sizeof a);
  }
}
END_TEST

START_TEST(pad_makes_a_multiple_of_four)
{
  static const uint32_t pads[] = {2, 1, 0, 3};
  for (uint32_t length = 0; length <= 65535; length++) {
    expect(iwarp_mpa_pad_len((uint16_t)length) == pads[length % 4], "%u", length);
  }
}
END_TEST

static bool mulpdu_fits(uint32_t mulpdu, uint32_t emss, bool markers) {
  for (uint32_t off = 0; off < 512; off += 4) {
    if (iwarp_mpa_layout_of(off, (uint16_t)mulpdu, markers).wire_len > emss) {
      return false;
    }
  }
  return true;
}

/* The formula counts a Marker for each 512 octets begun, so with Markers it may leave room for one
 * word. */
START_TEST(mulpdu_is_the_most_that_fits)
{
  for (uint32_t emss = 0; emss < 66000; emss += emss < 3000 ? 1 : 97) {
    for (int markers = 0; markers < 2; markers++) {
      uint32_t mulpdu = iwarp_mpa_mulpdu(emss, markers != 0);
      expect(mulpdu >= 128 && mulpdu <= 64768, "EMSS %u: %u", emss, mulpdu);
      if (emss < 140) { /* the least may be too much */
        continue;
      }
      expect(mulpdu_fits(mulpdu, emss, markers != 0), "EMSS %u: %u is too much", emss, mulpdu);
      if (mulpdu < IWARP_MPA_ULPDU_MAX) {
        expect(!mulpdu_fits(mulpdu + (markers != 0 ? 8 : 4), emss, markers != 0),
               "EMSS %u: %u is too little", emss, mulpdu);
      }
    }
  }
}
END_TEST

typedef struct mulpdu_vector {
  uint32_t emss;
  uint32_t plain;
  uint32_t marked;
} mulpdu_vector;

/* RFC 5044 4.5, with the range of section 3. */
static const mulpdu_vector mulpdu_vectors[] = {
    {0, 128, 128},         {1, 128, 128},         {128, 128, 128},       {135, 128, 128},
    {136, 130, 128},       {139, 130, 128},       {140, 134, 130},       {512, 506, 502},
    {513, 506, 498},       {1025, 1018, 1006},    {516, 510, 502},       {536, 530, 522},
    {1220, 1214, 1202},    {1440, 1434, 1422},    {1448, 1442, 1430},    {1460, 1454, 1442},
    {4096, 4090, 4058},    {8948, 8942, 8870},    {8960, 8954, 8882},    {64772, 64766, 64258},
    {64776, 64768, 64262}, {65280, 64768, 64762}, {65284, 64768, 64766}, {65288, 64768, 64768},
    {65415, 64768, 64768}, {65535, 64768, 64768}, {65536, 64768, 64768}, {UINT32_MAX, 64768, 64768},
};

START_TEST(mulpdu_of_known_segment_sizes)
{
  for (size_t i = 0; i < sizeof mulpdu_vectors / sizeof mulpdu_vectors[0]; i++) {
    const mulpdu_vector *vec = &mulpdu_vectors[i];
    uint32_t plain = iwarp_mpa_mulpdu(vec->emss, false);
    uint32_t marked = iwarp_mpa_mulpdu(vec->emss, true);
    ck_assert_msg(plain == vec->plain, "EMSS %u: %u", vec->emss, plain);
    ck_assert_msg(marked == vec->marked, "EMSS %u with Markers: %u", vec->emss, marked);
  }
}
END_TEST

START_TEST(markers_both_ways)
{
  static const uint8_t wire[] = {0x80, 0x01, 0xFE, 0x17};
  iwarp_mpa_marker v = {.reserved = 9};
  for (size_t n = 0; n < 4; n++) {
    iwarp_dec dec = iwarp_mpa_marker_decode(&v, guard_in(wire, n));
    ck_assert_int_eq(dec.err, IWARP_ERR_NEED_MORE);
    ck_assert_uint_eq(dec.need, 4);
    ck_assert_uint_eq(v.reserved, 9);
  }
  iwarp_dec dec = iwarp_mpa_marker_decode(&v, guard_in(wire, 4));
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, 4);
  ck_assert_uint_eq(v.reserved, 0x8001);
  ck_assert_uint_eq(v.fpduptr, 0xFE17); /* the low bits are not masked here */
  size_t len = 0;
  uint8_t *dst = guard_out(4);
  ck_assert_int_eq(iwarp_mpa_marker_encode(dst, 4, &len, &v), IWARP_OK);
  ck_assert_mem_eq(dst, wire, 4);
  ck_assert_int_eq(iwarp_mpa_marker_encode(guard_out(3), 3, &len, &v), IWARP_ERR_NOBUF);
  ck_assert_uint_eq(len, 4);
  ck_assert_int_eq(iwarp_mpa_marker_encode(NULL, 0, &len, &v), IWARP_OK);
}
END_TEST

START_TEST(markers_agree_in_all_bits_of_the_pointer_that_count)
{
  for (unsigned bit = 0; bit < 16; bit++) {
    const iwarp_mpa_marker a = {.reserved = 0xFFFF, .fpduptr = 0x1234};
    const iwarp_mpa_marker b = {.reserved = 0, .fpduptr = (uint16_t)(0x1234u ^ 1u << bit)};
    ck_assert_msg(iwarp_mpa_marker_agrees(&a, &b) == (bit < 2), "bit %u", bit);
    ck_assert(iwarp_mpa_marker_agrees(&a, &a));
  }
}
END_TEST

/* The FPDU at each stream offset where one may begin: each of its Markers leads back to it. A
 * Marker at offset 0 is its own, so none begins at 4. */
START_TEST(markers_lead_to_where_their_fpdu_begins)
{
  for (uint64_t off = 0; off < IWARP_MPA_MARKER_PERIOD; off += off == 0 ? 8 : 4) {
    const iwarp_mpa_layout l = iwarp_mpa_layout_of(off, 3000, true);
    for (uint32_t i = 0; i < l.num_markers; i++) {
      const bool leads = l.lead != 0 && i == 0;
      const size_t at =
          leads ? 0 : l.first_marker + IWARP_MPA_MARKER_PERIOD * (i - (l.lead != 0 ? 1u : 0u));
      for (unsigned low = 0; low < 4; low++) { /* bits that mean nothing */
        const iwarp_mpa_marker m = {.reserved = 0xFFFF,
                                    .fpduptr = (uint16_t)((leads ? 0 : at - l.lead) | low)};
        size_t back = SIZE_MAX;
        size_t lead = SIZE_MAX;
        ck_assert(iwarp_mpa_marker_start(&back, &lead, &m));
        ck_assert_uint_eq(back, at);
        ck_assert_uint_eq(lead, l.lead);
      }
    }
  }
}
END_TEST

START_TEST(no_fpdu_begins_where_another_marker_stands)
{
  for (size_t ptr = IWARP_MPA_MARKER_PERIOD; ptr <= UINT16_MAX; ptr += IWARP_MPA_MARKER_PERIOD) {
    const iwarp_mpa_marker m = {.fpduptr = (uint16_t)(ptr | 3u)};
    size_t back = 9;
    size_t lead = 9;
    ck_assert(!iwarp_mpa_marker_start(&back, &lead, &m));
    ck_assert_uint_eq(back, 9);
    ck_assert_uint_eq(lead, 9);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {layout_of_every_offset_and_length_to_2200,
                                layout_of_samples_to_65535,
                                layout_without_markers,
                                only_the_low_bits_of_the_offset_count,
                                pad_makes_a_multiple_of_four,
                                mulpdu_is_the_most_that_fits,
                                mulpdu_of_known_segment_sizes,
                                markers_both_ways,
                                markers_agree_in_all_bits_of_the_pointer_that_count,
                                markers_lead_to_where_their_fpdu_begins,
                                no_fpdu_begins_where_another_marker_stands,
                                NULL};
  return check_run(check_suite("mpa-marker", tests));
}
