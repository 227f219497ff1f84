/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs against the naive sender, at every alignment. */
#include <iwarp/crc32c.h>
#include <iwarp/mpa.h>
#include <stdio.h>
#include <string.h>

#include "check_run.h"
#include "fpdu_model.h"
#include "guard.h"
#include "prng.h"
#include "property.h"

static fpdu_model model;
static uint8_t noise[65536];
static uint8_t scratch[FPDU_MODEL_MAX];

static void fill_noise(void) {
  prng p = {.state = 4};
  prng_fill(&p, noise, sizeof noise);
}

/* The ULPDU put together from its spans is what went in; the spans do not touch a Marker. */
static void check_spans(const iwarp_mpa_fpdu *v, const uint8_t *ulpdu, const char *id) {
  size_t cursor = 0;
  size_t done = 0;
  size_t spans = 0;
  iwarp_span span;
  while (iwarp_mpa_fpdu_ulpdu_span(&span, &cursor, v) == IWARP_OK) {
    expect(span.len > 0 && done + span.len <= v->ulpdu_length, "%s: span %zu", id, spans);
    expect(memcmp(span.ptr, ulpdu + done, span.len) == 0, "%s: span %zu", id, spans);
    done += span.len;
    spans++;
    expect(cursor == done, "%s: cursor %zu", id, cursor);
  }
  expect(done == v->ulpdu_length, "%s: %zu octets in spans", id, done);
  expect(spans <= v->layout.num_markers + 1, "%s: %zu spans", id, spans);
  expect(iwarp_mpa_fpdu_ulpdu_span(&span, &cursor, v) == IWARP_ERR_END, "%s: after the end", id);
}

/* Several spans a call are the same as one a call, whatever the room. */
static void check_span_lists(const iwarp_mpa_fpdu *v, const char *id) {
  static iwarp_span all[IWARP_MPA_MARKERS_MAX + 2u];
  size_t cursor = 0;
  const size_t num = iwarp_mpa_fpdu_ulpdu_spans(all, IWARP_MPA_MARKERS_MAX + 2u, &cursor, v);
  size_t one = 0;
  iwarp_span span;
  for (size_t i = 0; i < num; i++) {
    expect(iwarp_mpa_fpdu_ulpdu_span(&span, &one, v) == IWARP_OK && span.ptr == all[i].ptr &&
               span.len == all[i].len,
           "%s: span %zu of a list", id, i);
  }
  expect(one == cursor && iwarp_mpa_fpdu_ulpdu_span(&span, &one, v) == IWARP_ERR_END, "%s: list",
         id);
  one = 0;
  for (size_t i = 0; i < num; i += 2) {
    iwarp_span two[3] = {{0}, {0}, {NULL, 77}};
    const size_t got = iwarp_mpa_fpdu_ulpdu_spans(two, 2, &one, v);
    expect(got == (num - i < 2 ? 1 : 2) && two[0].ptr == all[i].ptr &&
               two[got - 1].len == all[i + got - 1].len,
           "%s: two spans from %zu", id, i);
    expect(two[2].len == 77, "%s: beyond the room", id);
  }
  expect(iwarp_mpa_fpdu_ulpdu_spans(all, 0, &one, v) == 0 && one == cursor, "%s: no room", id);
}

static void check_markers(const iwarp_mpa_fpdu *v, const char *id) {
  iwarp_mpa_marker got;
  iwarp_mpa_marker want;
  size_t at;
  for (size_t i = 0; i < model.num_markers; i++) {
    expect(iwarp_mpa_fpdu_marker(&got, &want, &at, v, i) == IWARP_OK, "%s: Marker %zu", id, i);
    expect(at == model.marker_at[i], "%s: Marker %zu at %zu", id, i, at);
    expect(want.reserved == 0 && want.fpduptr == (uint16_t)model.distance[i], "%s: Marker %zu", id,
           i);
    expect(got.reserved == 0 && got.fpduptr == want.fpduptr, "%s: Marker %zu", id, i);
  }
  expect(iwarp_mpa_fpdu_marker(&got, &want, &at, v, model.num_markers) == IWARP_ERR_END,
         "%s: one Marker too many", id);
}

/* Encodes and decodes one FPDU of noise and compares all with the naive sender. */
static void check_one(uint64_t off, uint16_t length, bool markers) {
  char id[64];
  snprintf(id, sizeof id, "off %u L %u%s", (unsigned)(off % 512), length, markers ? " M" : "");
  const uint8_t *ulpdu = noise + (length < 40000 ? off % 512 : 0);
  fpdu_model_send(&model, off, ulpdu, length, markers);
  iwarp_mpa_fpdu_desc desc = {.ulpdu = {ulpdu, length}, .off = off, .markers = markers};
  size_t len = 0;
  uint8_t *dst = guard_out(model.len);
  iwarp_err err = iwarp_mpa_fpdu_encode(dst, model.len, &len, &desc);
  bool fits = model.num_markers == 0 || model.distance[model.num_markers - 1] <= 65535;
  if (!fits) {
    expect(err == IWARP_ERR_MPA_ULPDU_LENGTH, "%s: %s", id, iwarp_errname(err));
  } else {
    expect(err == IWARP_OK, "%s: %s", id, iwarp_errname(err));
    expect(len == model.len && memcmp(dst, model.wire, len) == 0, "%s: other octets", id);
  }

  iwarp_mpa_fpdu v;
  iwarp_dec dec = iwarp_mpa_fpdu_decode(&v, guard_in(model.wire, model.len), off, markers);
  expect(dec.err == IWARP_OK && dec.used == model.len, "%s: decode", id);
  expect(v.ulpdu_length == length && v.markers == markers, "%s: decode", id);
  expect(v.crc == iwarp_mpa_fpdu_crc(&v), "%s: CRC", id);
  for (size_t i = 0; i < model.pad; i++) {
    expect(v.pad[i] == 0, "%s: PAD", id);
  }
  check_spans(&v, ulpdu, id);
  check_span_lists(&v, id);
  check_markers(&v, id);
  expect(iwarp_mpa_fpdu_ulpdu_copy(scratch, sizeof scratch, &v, 0) == length, "%s: copy", id);
  expect(memcmp(scratch, ulpdu, length) == 0, "%s: copy", id);
}

START_TEST(short_fpdus_at_every_alignment)
{
  fill_noise();
  for (uint64_t off = 0; off < 512; off += 4 * property_stride()) {
    for (uint32_t length = 0; length <= 80; length++) {
      check_one(off, (uint16_t)length, true);
    }
  }
  for (uint32_t length = 0; length <= 600; length++) {
    check_one(0, (uint16_t)length, false);
  }
}
END_TEST

START_TEST(fpdus_with_some_markers)
{
  fill_noise();
  for (uint64_t off = 0; off < 512; off += 4 * property_stride()) {
    for (uint32_t length = 480 + (uint32_t)off / 4 % 3; length <= 2200; length += 47) {
      check_one(off, (uint16_t)length, true);
    }
  }
  for (uint32_t length = 400; length <= 1100; length++) { /* each end against a boundary */
    check_one(0, (uint16_t)length, true);
    check_one(508, (uint16_t)length, true);
  }
}
END_TEST

START_TEST(large_fpdus)
{
  fill_noise();
  for (uint64_t off = 0; off < 512; off += 36) {
    check_one(off, IWARP_MPA_ULPDU_MAX, true);
    check_one(off, 65022, true);
    check_one(off, 65023, true);
    check_one(off, 65526, true);
    check_one(off, 65527, true);
    check_one(off, 65535, true);
  }
  check_one(0, 65535, false);
}
END_TEST

START_TEST(no_marker_distance_is_too_large_below_65023)
{
  size_t too_large = 0;
  for (uint64_t off = 0; off < 512; off += 4) {
    for (uint32_t length = 64000; length <= 65535; length++) {
      iwarp_mpa_fpdu_desc desc = {.ulpdu = {noise, length}, .off = off, .markers = true};
      size_t len = 0;
      iwarp_err err = iwarp_mpa_fpdu_encode(NULL, 0, &len, &desc);
      expect(err == IWARP_OK || length >= 65023, "L %u at %u", length, (unsigned)off);
      expect(err == IWARP_ERR_MPA_ULPDU_LENGTH || length < 65527, "L %u at %u", length,
             (unsigned)off);
      too_large += length == 65023 && err != IWARP_OK ? 1 : 0;
    }
  }
  ck_assert_uint_gt(too_large, 0);
}
END_TEST

START_TEST(every_prefix_says_how_much_is_needed)
{
  fill_noise();
  static const uint64_t offs[] = {0, 4, 492, 508};
  for (size_t k = 0; k < sizeof offs / sizeof offs[0]; k++) {
    for (int markers = 0; markers < 2; markers++) {
      uint64_t off = offs[k];
      size_t front = markers != 0 && off == 0 ? 6 : 2;
      fpdu_model_send(&model, off, noise, 600, markers != 0);
      for (size_t n = 0; n < model.len; n++) {
        iwarp_mpa_fpdu v = {.crc = 5};
        iwarp_dec dec = iwarp_mpa_fpdu_decode(&v, guard_in(model.wire, n), off, markers != 0);
        expect(dec.err == IWARP_ERR_NEED_MORE, "%zu octets", n);
        expect(dec.need == (n < front ? front : model.len), "%zu octets: %zu needed", n, dec.need);
        expect(v.crc == 5, "%zu octets: output touched", n);
      }
      iwarp_mpa_fpdu v;
      iwarp_dec dec =
          iwarp_mpa_fpdu_decode(&v, guard_in(model.wire, model.len + 7), off, markers != 0);
      ck_assert_int_eq(dec.err, IWARP_OK);
      ck_assert_uint_eq(dec.used, model.len);
    }
  }
}
END_TEST

START_TEST(a_wire_form_cut_short_gives_what_it_holds)
{
  fill_noise();
  fpdu_model_send(&model, 0, noise, 1442, true);
  iwarp_mpa_fpdu whole;
  iwarp_mpa_fpdu_decode(&whole, guard_in(model.wire, model.len), 0, true);
  for (size_t n = 0; n <= model.len; n++) {
    iwarp_mpa_fpdu v = whole;
    v.wire = guard_in(model.wire, n);
    size_t held = 0;
    for (size_t at = 6; at < n && at < 4 + 2 + 1442 + 8;
         at++) { /* two inner Markers: at 512 and 1024 */
      held += (at >= 512 && at < 516) || (at >= 1024 && at < 1028) ? 0 : 1;
    }
    size_t copied = iwarp_mpa_fpdu_ulpdu_copy(scratch, sizeof scratch, &v, 0);
    expect(copied == held, "%zu octets hold %zu, not %zu", n, held, copied);
    expect(memcmp(scratch, noise, copied) == 0, "%zu octets", n);
    iwarp_mpa_marker got;
    iwarp_mpa_marker want;
    size_t at;
    iwarp_err err = iwarp_mpa_fpdu_marker(&got, &want, &at, &v, 2);
    expect(err == (n < 1028 ? IWARP_ERR_END : IWARP_OK), "%zu octets: Marker", n);
    expect(iwarp_mpa_fpdu_crc(&v) == iwarp_crc32c(0, model.wire, n < 1456 ? n : 1456),
           "%zu octets: CRC", n);
  }
}
END_TEST

START_TEST(copies_of_parts)
{
  fill_noise();
  fpdu_model_send(&model, 500, noise, 1200, true);
  iwarp_mpa_fpdu v;
  iwarp_mpa_fpdu_decode(&v, guard_in(model.wire, model.len), 500, true);
  for (size_t from = 0; from <= 1210; from++) {
    for (size_t cap = 0; cap < 1300; cap += 1 + from % 17 * 13) {
      size_t left = from < 1200 ? 1200 - from : 0;
      uint8_t *dst = guard_out(cap);
      size_t n = iwarp_mpa_fpdu_ulpdu_copy(dst, cap, &v, from);
      expect(n == (cap < left ? cap : left), "from %zu, room for %zu: %zu", from, cap, n);
      expect(n == 0 || memcmp(dst, noise + from, n) == 0, "from %zu, room for %zu", from, cap);
    }
  }
}
END_TEST

START_TEST(decoding_and_encoding_is_the_identity_on_any_octets)
{
  prng p = {.state = 5};
  static uint8_t octets[3000];
  for (size_t i = 0; i < 4000; i++) {
    uint64_t off = prng_below(&p, 128) * 4;
    bool markers = prng_below(&p, 4) != 0;
    prng_fill(&p, octets, sizeof octets);
    octets[off == 0 && markers ? 4 : 0] &= 7; /* at most 2047 octets of ULPDU */
    iwarp_mpa_fpdu v;
    iwarp_dec dec = iwarp_mpa_fpdu_decode(&v, guard_in(octets, sizeof octets), off, markers);
    expect(dec.err == IWARP_OK, "%zu", i);
    iwarp_mpa_marker values[IWARP_MPA_MARKERS_MAX];
    for (size_t k = 0; k < v.layout.num_markers; k++) {
      iwarp_mpa_marker expected;
      size_t at;
      iwarp_mpa_fpdu_marker(&values[k], &expected, &at, &v, k);
    }
    size_t length = iwarp_mpa_fpdu_ulpdu_copy(scratch, sizeof scratch, &v, 0);
    iwarp_mpa_fpdu_desc desc = {.ulpdu = {scratch, length},
                                .off = off,
                                .markers = markers,
                                .crc_given = true,
                                .crc = v.crc,
                                .pad = {v.pad[0], v.pad[1], v.pad[2]},
                                .marker_values = values,
                                .num_marker_values = v.layout.num_markers};
    uint8_t *dst = guard_out(dec.used);
    size_t len = 0;
    expect(iwarp_mpa_fpdu_encode(dst, dec.used, &len, &desc) == IWARP_OK, "%zu", i);
    expect(len == dec.used && memcmp(dst, octets, len) == 0, "%zu: other octets", i);
  }
}
END_TEST

START_TEST(encoding_sizes_and_arguments)
{
  fill_noise();
  iwarp_mpa_marker values[3] = {{0}};
  iwarp_mpa_fpdu_desc desc = {.ulpdu = {noise, 42}, .markers = true};
  size_t len = 0;
  ck_assert_int_eq(iwarp_mpa_fpdu_encode(NULL, 0, &len, &desc), IWARP_OK);
  ck_assert_uint_eq(len, 52);
  for (size_t cap = 0; cap < 52; cap++) {
    uint8_t *dst = guard_out(cap);
    len = 0;
    ck_assert_int_eq(iwarp_mpa_fpdu_encode(dst, cap, &len, &desc), IWARP_ERR_NOBUF);
    ck_assert_uint_eq(len, 52);
    ck_assert(cap == 0 || dst[cap - 1] == 0xA5);
  }
  desc.marker_values = values;
  desc.num_marker_values = 2;
  ck_assert_int_eq(iwarp_mpa_fpdu_encode(NULL, 0, &len, &desc), IWARP_ERR_ARG);
  desc.num_marker_values = 0;
  ck_assert_int_eq(iwarp_mpa_fpdu_encode(NULL, 0, &len, &desc), IWARP_ERR_ARG);
  desc.num_marker_values = 1;
  ck_assert_int_eq(iwarp_mpa_fpdu_encode(NULL, 0, &len, &desc), IWARP_OK);
  desc.ulpdu.len = 65536;
  ck_assert_int_eq(iwarp_mpa_fpdu_encode(NULL, 0, &len, &desc), IWARP_ERR_ARG);
}
END_TEST

START_TEST(given_marker_values_may_stand_where_none_fits)
{
  fill_noise();
  static iwarp_mpa_marker values[IWARP_MPA_MARKERS_MAX];
  iwarp_mpa_layout layout = iwarp_mpa_layout_of(0, 65535, true);
  iwarp_mpa_fpdu_desc desc = {.ulpdu = {noise, 65535},
                              .markers = true,
                              .marker_values = values,
                              .num_marker_values = layout.num_markers};
  size_t len = 0;
  ck_assert_int_eq(iwarp_mpa_fpdu_encode(guard_out(layout.wire_len), layout.wire_len, &len, &desc),
                   IWARP_OK);
  ck_assert_uint_eq(len, layout.wire_len);
}
END_TEST

START_TEST(an_odd_offset_is_rounded_down)
{
  fill_noise();
  for (uint64_t odd = 0; odd < 4; odd++) {
    iwarp_mpa_fpdu_desc desc = {.ulpdu = {noise, 42}, .off = 492 + odd, .markers = true};
    fpdu_model_send(&model, 492, noise, 42, true);
    uint8_t *dst = guard_out(model.len);
    size_t len = 0;
    ck_assert_int_eq(iwarp_mpa_fpdu_encode(dst, model.len, &len, &desc), IWARP_OK);
    ck_assert_mem_eq(dst, model.wire, model.len);
  }
}
END_TEST

/* One bit of one Marker is wrong, in each of them; what a cut wire form lacks is not asked for. */
START_TEST(all_markers_there_must_agree)
{
  static uint8_t wire[4096];
  for (uint64_t off = 0; off <= 492; off += 492) {
    size_t len = 0;
    const iwarp_mpa_fpdu_desc desc = {.ulpdu = {noise, 1800}, .off = off, .markers = true};
    ck_assert_int_eq(iwarp_mpa_fpdu_encode(wire, sizeof wire, &len, &desc), IWARP_OK);
    iwarp_mpa_fpdu v;
    ck_assert_int_eq(iwarp_mpa_fpdu_decode(&v, (iwarp_span){wire, len}, off, true).err, IWARP_OK);
    ck_assert(iwarp_mpa_fpdu_markers_agree(&v));
    for (size_t i = 0; i < v.layout.num_markers; i++) {
      iwarp_mpa_marker m;
      iwarp_mpa_marker expected;
      size_t at = 0;
      ck_assert_int_eq(iwarp_mpa_fpdu_marker(&m, &expected, &at, &v, i), IWARP_OK);
      wire[at + 3] ^= 4;
      ck_assert(!iwarp_mpa_fpdu_markers_agree(&v));
      v.wire.len = at + 3; /* the Marker that is wrong is cut off */
      ck_assert(iwarp_mpa_fpdu_markers_agree(&v));
      v.wire.len = len;
      wire[at + 3] ^= 4 | 3; /* bits that mean nothing */
      wire[at] ^= 0xFF;
      ck_assert(iwarp_mpa_fpdu_markers_agree(&v));
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {short_fpdus_at_every_alignment,
                                fpdus_with_some_markers,
                                large_fpdus,
                                no_marker_distance_is_too_large_below_65023,
                                every_prefix_says_how_much_is_needed,
                                a_wire_form_cut_short_gives_what_it_holds,
                                copies_of_parts,
                                decoding_and_encoding_is_the_identity_on_any_octets,
                                encoding_sizes_and_arguments,
                                given_marker_values_may_stand_where_none_fits,
                                an_odd_offset_is_rounded_down,
                                all_markers_there_must_agree,
                                NULL};
  return check_run(check_suite("mpa-fpdu", tests));
}
