/* SPDX-License-Identifier: BSD-2-Clause */
/* PDUs taken apart: each form where it is, each octet once, Markers in between, cut anywhere. */
#include <iwarp/pdu.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"

#define TAGGED "C140 00112233 0000000000001000 "
#define SEND "4143 00000000 00000000 00000001 00000000 "
#define READ_REQ "0A0B0C0D 0000000000002000 00001000 11223344 0000000100000000 "
#define TERM_HDR "4147 00000000 00000002 00000001 00000000 "

typedef enum pdu_kind { STARTUP, FPDU, SEGMENT, SCTP_SEGMENT, SCTP_CONTROL } pdu_kind;

/* A PDU (of an FPDU the ULPDU) and its parts: form numbers, negative where returned. */
typedef struct sample {
  const char *id;
  pdu_kind kind;
  const char *hex;
  int parts[12];
} sample;

static const sample samples[] = {
    {"request", STARTUP, "4D504120494420526571204672616D65 50010003 010203", {1}},
    {"enhanced", STARTUP, "4D504120494420526571204672616D65 50020006 80080004 0102", {1, 2}},
    {"enhanced, short", STARTUP, "4D504120494420526571204672616D65 50020003 800800", {1}},
    {"rev 129", STARTUP, "4D504120494420526571204672616D65 40810000 (00*8)", {1}},
    {"write", SEGMENT, TAGGED "0102030405", {6, 8, 0}},
    {"write of nothing", SEGMENT, TAGGED, {6, 8}},
    {"send", SEGMENT, SEND "0102", {7, 8, 0}},
    {"read request", SEGMENT, "4141 (00*12) 00000000 " READ_REQ, {7, 8, 9}},
    {"read request, long", SEGMENT, "4141 (00*16) " READ_REQ "55", {7, 8, 9, 0}},
    {"read request, short", SEGMENT, "4141 (00*16) 0A0B0C0D", {7, 8, 0}},
    {"read request, MO 4", SEGMENT, "4141 (00*15) 04 " READ_REQ, {7, 8, 0}},
    {"read request, tagged", SEGMENT, "C141 (00*12) " READ_REQ, {6, 8, 0}},
    {"immediate", SEGMENT, "4148 (00*16) 0102030405060708", {7, 8, 12}},
    {"immediate with event", SEGMENT, "4149 (00*16) 0102030405060708", {7, 8, 12}},
    {"atomic request", SEGMENT, "414A (00*16) (00*52)", {7, 8, 13}},
    {"atomic response", SEGMENT, "414B (00*16) (00*12)", {7, 8, 14}},
    {"reserved opcode", SEGMENT, "414F (00*16) (00*52)", {7, 8, 0}},
    {"terminate", SEGMENT, TERM_HDR "20020000", {7, 8, 10}},
    {"terminate M", SEGMENT, TERM_HDR "11018000 0012", {7, 8, 10, 11}},
    {"terminate MD", SEGMENT, TERM_HDR "1101C000 0012 " TAGGED, {7, 8, 10, 11, -6, -8}},
    {"terminate MDR", SEGMENT, TERM_HDR "0100E000 002E " SEND READ_REQ, {7, 8, 10, 11, -7, -8, -9}},
    {"terminate MDR, long",
     SEGMENT,
     TERM_HDR "0100E000 002E " SEND READ_REQ "5566",
     {7, 8, 10, 11, -7, -8, -9, 0}},
    {"no header", SEGMENT, "4143 0000", {0}},
    {"no octet", SEGMENT, "", {0}},
    {"SCTP send", SCTP_SEGMENT, "0007 " SEND "0102", {15, 7, 8, 0}},
    {"SCTP number only", SCTP_SEGMENT, "0007", {15}},
    {"SCTP too short", SCTP_SEGMENT, "00", {15}},
    {"SCTP initiate", SCTP_CONTROL, "0000 0001 0102", {16}},
    {"SCTP enhanced initiate", SCTP_CONTROL, "0000 0005 80080004 01", {16, 2}},
    {"SCTP enhanced, short", SCTP_CONTROL, "0000 0005 8008", {16}},
    {"SCTP control, short", SCTP_CONTROL, "0000", {16}},
};

#define NUM_SAMPLES (sizeof samples / sizeof samples[0])

static void begin(iwarp_pdu_iter *it, pdu_kind kind, iwarp_span in, size_t len, uint64_t off,
                  bool markers) {
  switch (kind) {
  case STARTUP: iwarp_pdu_startup(it, in); return;
  case FPDU: iwarp_pdu_fpdu(it, in, off, markers); return;
  case SEGMENT: iwarp_pdu_segment(it, in, len); return;
  case SCTP_SEGMENT: iwarp_pdu_sctp_segment(it, in, len); return;
  case SCTP_CONTROL: iwarp_pdu_sctp_control(it, in); return;
  }
}

START_TEST(parts_of_each_kind_of_pdu)
{
  for (size_t i = 0; i < NUM_SAMPLES; i++) {
    const sample *s = &samples[i];
    uint8_t octets[128];
    const size_t len = hex_octets(octets, sizeof octets, s->hex);
    iwarp_pdu_iter it;
    iwarp_pdu_part part = {.pdu_off = 99};
    begin(&it, s->kind, (iwarp_span){guard_in(octets, len).ptr, len}, len, 0, false);
    size_t n = 0;
    while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
      const int form = part.returned ? -(int)part.form : (int)part.form;
      expect(form == s->parts[n], "%s: part %zu is %d", s->id, n, form);
      expect(part.wire_off == part.pdu_off, "%s: part %zu", s->id, n);
      expect(memcmp(part.octets.ptr, octets + part.pdu_off, part.octets.len) == 0, "%s", s->id);
      n++;
    }
    expect(len == 0 ? n == 0 : s->parts[n] == 0 || n > 0, "%s", s->id);
    expect(n == 12 || s->parts[n] == 0, "%s: %zu parts", s->id, n);
    expect(iwarp_pdu_next(&part, &it) == IWARP_ERR_END, "%s: goes on", s->id);
  }
}
END_TEST

/* An FPDU with a Terminate or a payload, and its Markers. */
static size_t make_fpdu(uint8_t *dst, size_t cap, const uint8_t *ulpdu, size_t len, uint64_t off,
                        bool markers) {
  const iwarp_mpa_fpdu_desc desc = {.ulpdu = {ulpdu, len}, .off = off, .markers = markers};
  size_t out = 0;
  expect(iwarp_mpa_fpdu_encode(dst, cap, &out, &desc) == IWARP_OK, "encode");
  return out;
}

static bool nested(const iwarp_pdu_part *part) {
  return part->form == IWARP_FORM_RDMAP_CTRL || part->form == IWARP_FORM_MPA_ENHANCED;
}

/* Walks the first `n` of `len` octets: each is in one part, where the part says it is. */
static void check_walk(const uint8_t *wire, size_t n, size_t len, uint64_t off, bool markers,
                       uint16_t ulpdu_length) {
  static uint8_t seen[70000];
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  size_t before = 0;
  size_t num_markers = 0;
  const iwarp_mpa_layout layout = iwarp_mpa_layout_of(off, ulpdu_length, markers);
  memset(seen, 0, len);
  iwarp_pdu_fpdu(&it, guard_in(wire, n), off, markers);
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    const bool marker = part.form == IWARP_FORM_MPA_MARKER;
    expect(part.octets.len > 0, "empty part");
    expect(marker || part.wire_off == iwarp_pdu_wire_offset(&it, part.pdu_off), "offset");
    expect(marker || part.wire_off >= before, "order at %zu", part.wire_off);
    for (size_t i = 0; i < part.octets.len; i++) {
      const size_t at = marker ? part.wire_off + i : iwarp_pdu_wire_offset(&it, part.pdu_off + i);
      expect(at < n && part.octets.ptr[i] == wire[at], "octet %zu of form %d", at, (int)part.form);
      seen[at] = (uint8_t)(seen[at] + (nested(&part) ? 0 : 1));
    }
    before = marker ? before : part.wire_off;
    num_markers += marker ? 1 : 0;
  }
  for (size_t i = 0; i < n; i++) {
    expect(seen[i] == 1, "octet %zu of %zu of %zu: %u times", i, n, len, seen[i]);
  }
  expect(n < len || num_markers == layout.num_markers, "%zu Markers", num_markers);
}

START_TEST(an_fpdu_with_markers_anywhere_cut_anywhere)
{
  static uint8_t wire[2048];
  for (size_t i = 0; i < NUM_SAMPLES; i++) {
    uint8_t ulpdu[128];
    const size_t len = hex_octets(ulpdu, sizeof ulpdu, samples[i].hex);
    for (uint64_t off = 0; samples[i].kind == SEGMENT && off < 512; off += 4) {
      const size_t n = make_fpdu(wire, sizeof wire, ulpdu, len, off, true);
      for (size_t cut = 0; cut <= n; cut++) {
        check_walk(wire, cut, n, off, true, (uint16_t)len);
      }
    }
  }
}
END_TEST

START_TEST(large_fpdus_with_and_without_markers)
{
  static uint8_t wire[70000];
  static uint8_t ulpdu[65535];
  static const size_t sizes[] = {489, 490, 491, 492, 493, 1400, 1401, 20000, 64768};
  prng p = {.state = 5};
  prng_fill(&p, ulpdu, sizeof ulpdu);
  hex_octets(ulpdu, sizeof ulpdu, SEND);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    for (uint64_t off = 0; off < 512; off += 44) {
      const bool markers = off != 44;
      const size_t n = make_fpdu(wire, sizeof wire, ulpdu, sizes[i], off, markers);
      check_walk(wire, n, n, off, markers, (uint16_t)sizes[i]);
      check_walk(wire, n - n / 3, n, off, markers, (uint16_t)sizes[i]);
    }
  }
}
END_TEST

START_TEST(a_cut_segment_keeps_the_forms_that_begin_before_the_cut)
{
  for (size_t i = 0; i < NUM_SAMPLES; i++) {
    const sample *s = &samples[i];
    uint8_t octets[128];
    const size_t len = hex_octets(octets, sizeof octets, s->hex);
    for (size_t cut = 0; cut < len; cut++) {
      iwarp_pdu_iter it;
      iwarp_pdu_part part;
      size_t end = 0;
      begin(&it, s->kind, guard_in(octets, cut), len, 0, false);
      while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
        expect(part.pdu_off + part.octets.len <= cut, "%s cut at %zu", s->id, cut);
        expect(memcmp(part.octets.ptr, octets + part.pdu_off, part.octets.len) == 0, "%s", s->id);
        end = part.pdu_off + part.octets.len > end ? part.pdu_off + part.octets.len : end;
      }
      expect(end == cut, "%s cut at %zu: %zu", s->id, cut, end);
    }
  }
}
END_TEST

START_TEST(fields_of_a_cut_header_are_there_as_far_as_it_goes)
{
  uint8_t octets[18];
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  uint64_t v = 0;
  hex_octets(octets, sizeof octets, "4143 00000000 00000001 00000007 00000000");
  iwarp_pdu_segment(&it, guard_in(octets, 15), 40);
  ck_assert_int_eq(iwarp_pdu_next(&part, &it), IWARP_OK);
  ck_assert_int_eq(part.form, IWARP_FORM_DDP_UNTAGGED);
  ck_assert_int_eq(iwarp_field_uint(&v, iwarp_field_get(IWARP_FIELD_DDP_UNTAGGED_MSN), part.octets),
                   IWARP_OK);
  ck_assert_uint_eq(v, 7);
  ck_assert_int_eq(iwarp_field_uint(&v, iwarp_field_get(IWARP_FIELD_DDP_UNTAGGED_MO), part.octets),
                   IWARP_ERR_NEED_MORE);
}
END_TEST

START_TEST(a_request_cut_before_its_flags_has_one_part)
{
  uint8_t octets[24];
  hex_octets(octets, sizeof octets, "4D504120494420526571204672616D65 50020004 80080004");
  for (size_t cut = 1; cut <= sizeof octets; cut++) {
    iwarp_pdu_iter it;
    iwarp_pdu_part part;
    iwarp_pdu_startup(&it, guard_in(octets, cut));
    ck_assert_int_eq(iwarp_pdu_next(&part, &it), IWARP_OK);
    ck_assert_uint_eq(part.octets.len, cut);
    ck_assert_int_eq(iwarp_pdu_next(&part, &it), cut > 20 ? IWARP_OK : IWARP_ERR_END);
    ck_assert(cut <= 20 || part.octets.len == cut - 20);
  }
}
END_TEST

START_TEST(a_decoded_fpdu_is_walked_like_its_octets)
{
  static uint8_t wire[2048];
  uint8_t ulpdu[600] = {0x41, 0x43};
  for (uint64_t off = 0; off < 512; off += 4) {
    const size_t n = make_fpdu(wire, sizeof wire, ulpdu, sizeof ulpdu, off, true);
    iwarp_mpa_fpdu v;
    ck_assert_int_eq(iwarp_mpa_fpdu_decode(&v, (iwarp_span){wire, n}, off, true).err, IWARP_OK);
    v.wire.len = off % 8 == 0 ? n : n / 2;
    iwarp_pdu_iter it[2];
    iwarp_pdu_part part[2];
    iwarp_pdu_fpdu(&it[0], v.wire, off, true);
    iwarp_pdu_decoded_fpdu(&it[1], &v);
    size_t parts = 0;
    while (iwarp_pdu_next(&part[0], &it[0]) == IWARP_OK) {
      ck_assert_int_eq(iwarp_pdu_next(&part[1], &it[1]), IWARP_OK);
      expect(part[0].form == part[1].form && part[0].wire_off == part[1].wire_off &&
                 part[0].octets.len == part[1].octets.len,
             "part %zu at offset %u", parts, (unsigned)off);
      parts++;
    }
    ck_assert_int_eq(iwarp_pdu_next(&part[1], &it[1]), IWARP_ERR_END);
    ck_assert_uint_ge(parts, 4);
  }
}
END_TEST

/* The octets of a place equal the octets of its row in the part that holds it. */
static void check_places(const char *id, const iwarp_pdu_iter *at, const uint8_t *wire) {
  iwarp_pdu_iter it = *at;
  iwarp_pdu_part part;
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
    const iwarp_form_info *info = iwarp_form_get(part.form);
    for (size_t k = 0; info != NULL && part.form != IWARP_FORM_MPA_MARKER && k < info->num_fields;
         k++) {
      iwarp_pdu_place place;
      iwarp_span octets;
      const iwarp_field *f = &info->fields[k];
      expect(iwarp_pdu_locate(&place, at, iwarp_field_find(f->path)->id, part.returned) == IWARP_OK,
             "%s: %s", id, f->path);
      expect(place.field == f, "%s: %s", id, f->path);
      expect(place.wire_off == iwarp_pdu_wire_offset(at, place.pdu_off), "%s: %s", id, f->path);
      expect(iwarp_field_octets(&octets, f, part.octets) == IWARP_OK, "%s: %s", id, f->path);
      expect(octets.len == place.len, "%s: %s: %zu, not %zu", id, f->path, place.len, octets.len);
      for (size_t i = 0; i < place.len; i++) {
        const size_t off = iwarp_pdu_wire_offset(at, place.pdu_off + i);
        expect(wire[off] == octets.ptr[i], "%s: octet %zu of %s", id, i, f->path);
      }
    }
  }
}

START_TEST(each_field_is_located_where_it_is_read)
{
  static uint8_t wire[1024];
  for (size_t i = 0; i < NUM_SAMPLES; i++) {
    uint8_t octets[128];
    iwarp_pdu_iter it;
    const size_t len = hex_octets(octets, sizeof octets, samples[i].hex);
    if (strstr(samples[i].id, "short") != NULL) {
      continue; /* not all fields of its last form are there */
    }
    begin(&it, samples[i].kind, (iwarp_span){octets, len}, len, 0, false);
    check_places(samples[i].id, &it, octets);
    for (uint64_t off = 0; samples[i].kind == SEGMENT && off < 512; off += 4) {
      const size_t n = make_fpdu(wire, sizeof wire, octets, len, off, true);
      iwarp_pdu_fpdu(&it, (iwarp_span){wire, n}, off, true);
      check_places(samples[i].id, &it, wire);
    }
  }
}
END_TEST

START_TEST(what_a_pdu_does_not_hold_has_no_place)
{
  uint8_t octets[64];
  iwarp_pdu_iter it;
  iwarp_pdu_place place = {.len = 99};
  const size_t len = hex_octets(octets, sizeof octets, "C140 00112233 (00*8)");
  iwarp_pdu_segment(&it, (iwarp_span){octets, len}, len);
  const uint16_t absent[] = {IWARP_FIELD_NONE, IWARP_FIELD_DDP_UNTAGGED_MSN,
                             IWARP_FIELD_RDMAP_READ_REQ_SIZE, IWARP_FIELD_MPA_CRC_CRC, 0xFFFF};
  for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
    ck_assert_int_eq(iwarp_pdu_locate(&place, &it, absent[i], false), IWARP_ERR_END);
  }
  ck_assert_int_eq(iwarp_pdu_locate(&place, &it, IWARP_FIELD_DDP_TAGGED_TO, true), IWARP_ERR_END);
  ck_assert_uint_eq(place.len, 99);
  ck_assert_int_eq(iwarp_pdu_locate(&place, &it, IWARP_FIELD_DDP_UNTAGGED_L, false), IWARP_OK);
  ck_assert_uint_eq(place.field->id, IWARP_FIELD_DDP_TAGGED_L);
}
END_TEST

/* A walk that has gone on, and one that lacks octets, know the places as well. */
START_TEST(places_do_not_depend_on_the_walk_or_on_what_was_captured)
{
  uint8_t octets[128];
  iwarp_pdu_iter it;
  iwarp_pdu_part part;
  iwarp_pdu_place place;
  hex_octets(octets, sizeof octets, "4143 00000000 00000001 00000007 00000000");
  iwarp_pdu_segment(&it, guard_in(octets, 2), 40);
  while (iwarp_pdu_next(&part, &it) == IWARP_OK) {
  }
  ck_assert_int_eq(iwarp_pdu_locate(&place, &it, IWARP_FIELD_DDP_UNTAGGED_T, false), IWARP_OK);
  ck_assert_int_eq(iwarp_pdu_locate(&place, &it, IWARP_FIELD_DDP_UNTAGGED_MO, false), IWARP_OK);
  ck_assert_uint_eq(place.pdu_off, 14);
  ck_assert_uint_eq(place.len, 4);
}
END_TEST

START_TEST(a_decoded_startup_frame_has_places_and_no_parts)
{
  uint8_t octets[64];
  for (size_t i = 0; i < NUM_SAMPLES && samples[i].kind == STARTUP; i++) {
    const size_t len = hex_octets(octets, sizeof octets, samples[i].hex);
    iwarp_pdu_iter it[2];
    iwarp_mpa_startup v;
    iwarp_pdu_part part;
    ck_assert_int_eq(iwarp_mpa_startup_decode(&v, (iwarp_span){octets, len}).err, IWARP_OK);
    iwarp_pdu_startup(&it[0], (iwarp_span){octets, len});
    iwarp_pdu_decoded_startup(&it[1], &v);
    ck_assert_int_eq(iwarp_pdu_next(&part, &it[1]), IWARP_ERR_END);
    static const uint16_t fields[] = {IWARP_FIELD_MPA_STARTUP_KEY, IWARP_FIELD_MPA_STARTUP_S,
                                      IWARP_FIELD_MPA_STARTUP_PRIVATE_DATA,
                                      IWARP_FIELD_MPA_ENHANCED_ORD};
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
      iwarp_pdu_place place[2] = {{.len = 0}, {.len = 0}};
      ck_assert_int_eq(iwarp_pdu_locate(&place[0], &it[0], fields[k], false),
                       iwarp_pdu_locate(&place[1], &it[1], fields[k], false));
      ck_assert_uint_eq(place[0].wire_off, place[1].wire_off);
      ck_assert_uint_eq(place[0].len, place[1].len);
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {parts_of_each_kind_of_pdu,
                                an_fpdu_with_markers_anywhere_cut_anywhere,
                                large_fpdus_with_and_without_markers,
                                a_cut_segment_keeps_the_forms_that_begin_before_the_cut,
                                fields_of_a_cut_header_are_there_as_far_as_it_goes,
                                a_request_cut_before_its_flags_has_one_part,
                                a_decoded_fpdu_is_walked_like_its_octets,
                                each_field_is_located_where_it_is_read,
                                what_a_pdu_does_not_hold_has_no_place,
                                places_do_not_depend_on_the_walk_or_on_what_was_captured,
                                a_decoded_startup_frame_has_places_and_no_parts,
                                NULL};
  return check_run(check_suite("pdu", tests));
}
