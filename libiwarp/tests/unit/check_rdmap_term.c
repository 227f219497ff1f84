/* SPDX-License-Identifier: BSD-2-Clause */
/* The Terminate Header: every form of HdrCt, cut at every octet, and the names of its codes. */
#include <iwarp/rdmap.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"
#include "rdmap/rdmap_internal.h"

#define UNTAGGED_HDR "4141 00000000 00000001 00000001 00000000 "
#define TAGGED_HDR "C140 00112233 0000000000001000 "
#define READ_HDR "0A0B0C0D 0000000000002000 00001000 11223344 0000000100000000 "

static void check_identity(const iwarp_rdmap_term *v, const uint8_t *octets, size_t n,
                           const char *id) {
  uint8_t *dst = guard_out(n);
  size_t len = 0;
  expect(iwarp_rdmap_term_encode(dst, n, &len, v) == IWARP_OK, "%s: encode", id);
  expect(len == n && memcmp(dst, octets, n) == 0, "%s: other octets", id);
}

/* What the octets of a header say, read without the decoder. */
typedef struct form {
  const char *id;
  const char *hex;
  size_t length; /* octets of each part, in order; 0: the part is not announced */
  size_t ddp;
  size_t rdma;
  iwarp_err tail_err; /* of the whole */
} form;

static const form forms[] = {
    {"000", "20 02 0000", 0, 0, 0, IWARP_OK},
    {"000 surplus", "20 02 0000 0102030405060708", 0, 0, 0, IWARP_OK},
    {"100", "11 01 8000 0012", 2, 0, 0, IWARP_OK},
    {"100 surplus", "11 01 8000 0012 0102", 2, 0, 0, IWARP_OK},
    {"010 tagged", "11 01 4000 0012 " TAGGED_HDR, 2, 14, 0, IWARP_OK},
    {"010 untagged", "12 05 4000 0017 " UNTAGGED_HDR, 2, 18, 0, IWARP_OK},
    {"110 tagged", "11 01 C000 0012 " TAGGED_HDR, 2, 14, 0, IWARP_OK},
    {"110 untagged", "12 05 C000 0017 " UNTAGGED_HDR, 2, 18, 0, IWARP_OK},
    {"110 zero-filled", "12 05 C000 0017 " UNTAGGED_HDR "(00*28)", 2, 18, 0, IWARP_OK},
    {"011", "01 00 6000 002E " UNTAGGED_HDR READ_HDR, 2, 18, 28, IWARP_OK},
    {"111", "01 00 E000 002E " UNTAGGED_HDR READ_HDR, 2, 18, 28, IWARP_OK},
    {"111 tagged", "01 00 E000 002E " TAGGED_HDR READ_HDR, 2, 14, 28, IWARP_OK},
    {"111 surplus", "01 00 FFFF 002E " UNTAGGED_HDR READ_HDR "AABB", 2, 18, 28, IWARP_OK},
    {"001", "01 00 2000 " READ_HDR, 0, 0, 28, IWARP_ERR_RDMAP_TERM_HDRCT},
    {"101", "01 00 A000 002E " READ_HDR, 2, 0, 28, IWARP_ERR_RDMAP_TERM_HDRCT},
};

/* The first n octets of a form, decoded as if the whole header had `total`. */
static void check_form(const form *f, const uint8_t *octets, size_t n, size_t total) {
  iwarp_rdmap_term v;
  iwarp_dec dec = n == total ? iwarp_rdmap_term_decode(&v, guard_in(octets, n))
                             : iwarpi_rdmap_term_decode(&v, guard_in(octets, n), total);
  if (n < 4) {
    expect(dec.err == IWARP_ERR_NEED_MORE && dec.need == 4, "%s: %zu octets", f->id, n);
    return;
  }
  expect(dec.err == IWARP_OK && dec.used == n, "%s: %zu octets", f->id, n);
  bool hdrct = f->tail_err == IWARP_ERR_RDMAP_TERM_HDRCT;
  size_t length_end = 4 + f->length;
  size_t ddp_end = length_end + f->ddp;
  size_t rdma_end = ddp_end + (hdrct ? 0 : f->rdma);
  bool has_length = f->length != 0 && n >= length_end;
  bool has_ddp = f->ddp != 0 && n >= ddp_end;
  bool has_rdma = f->rdma != 0 && !hdrct && n >= rdma_end;
  expect(v.has_ddp_segment_length == has_length, "%s: %zu octets: length", f->id, n);
  expect(!has_length || v.ddp_segment_length == octets[4] * 256 + octets[5], "%s: length", f->id);
  expect(v.ddp_header.len == (has_ddp ? f->ddp : 0), "%s: %zu octets: DDP header", f->id, n);
  expect(v.rdma_header.len == (has_rdma ? 28 : 0), "%s: %zu octets: RDMA header", f->id, n);
  expect(!has_ddp || memcmp(v.ddp_header.ptr, octets + 6, f->ddp) == 0, "%s: DDP header", f->id);
  expect(!has_rdma || memcmp(v.rdma_header.ptr, octets + ddp_end, 28) == 0, "%s: RDMA", f->id);
  iwarp_err tail_err = f->tail_err;
  if (n < rdma_end && !(hdrct && n >= length_end)) {
    tail_err = n == total ? IWARP_ERR_RDMAP_TERM_TRUNCATED : IWARP_OK;
  }
  expect(v.tail_err == tail_err, "%s: %zu of %zu octets: %s", f->id, n, total,
         iwarp_errname(v.tail_err));
  check_identity(&v, octets, n, f->id);
}

START_TEST(every_form_cut_at_every_octet)
{
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    uint8_t octets[80];
    size_t len = hex_octets(octets, sizeof octets, forms[i].hex);
    for (size_t n = 0; n <= len; n++) {
      check_form(&forms[i], octets, n, n);
    }
    for (size_t n = 0; n < len; n++) { /* the rest exists, but is not available */
      check_form(&forms[i], octets, n, len);
    }
  }
}
END_TEST

START_TEST(what_no_longer_fits_is_truncated_even_if_less_is_available)
{
  uint8_t octets[24];
  hex_octets(octets, sizeof octets, "12 05 C000 0017 " UNTAGGED_HDR);
  iwarp_rdmap_term v;
  iwarpi_rdmap_term_decode(&v, guard_in(octets, 8), 23); /* 18 octets are announced, 17 remain */
  ck_assert_int_eq(v.tail_err, IWARP_ERR_RDMAP_TERM_TRUNCATED);
  iwarpi_rdmap_term_decode(&v, guard_in(octets, 8), 24);
  ck_assert_int_eq(v.tail_err, IWARP_OK);
  iwarpi_rdmap_term_decode(&v, guard_in(octets, 7), 23); /* one octet tells that it is untagged */
  ck_assert_int_eq(v.tail_err, IWARP_ERR_RDMAP_TERM_TRUNCATED);
  iwarpi_rdmap_term_decode(&v, guard_in(octets, 6), 19); /* not even a tagged one fits */
  ck_assert_int_eq(v.tail_err, IWARP_ERR_RDMAP_TERM_TRUNCATED);
  iwarpi_rdmap_term_decode(&v, guard_in(octets, 6), 20);
  ck_assert_int_eq(v.tail_err, IWARP_OK);
}
END_TEST

START_TEST(control_bits_one_by_one)
{
  for (uint32_t bit = 0; bit < 32; bit++) {
    uint32_t word = UINT32_C(0x80000000) >> bit;
    uint8_t octets[4] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8),
                         (uint8_t)word};
    iwarp_rdmap_term v;
    iwarp_rdmap_term_decode(&v, guard_in(octets, 4));
    ck_assert_msg(v.layer == word >> 28, "bit %u", bit);
    ck_assert_msg(v.etype == (word >> 24 & 15), "bit %u", bit);
    ck_assert_msg(v.code == (word >> 16 & 255), "bit %u", bit);
    ck_assert_msg(v.m == (bit == 16) && v.d == (bit == 17) && v.r == (bit == 18), "bit %u", bit);
    ck_assert_msg(v.reserved == (word & 0x1FFF), "bit %u", bit);
    check_identity(&v, octets, 4, "control");
  }
}
END_TEST

START_TEST(decoding_and_encoding_is_the_identity_on_any_octets)
{
  prng p = {.state = 9};
  for (size_t i = 0; i < 50000; i++) {
    uint8_t octets[72];
    size_t n = 4 + prng_size(&p, 69);
    prng_fill(&p, octets, sizeof octets);
    iwarp_rdmap_term v;
    iwarp_dec dec = iwarp_rdmap_term_decode(&v, guard_in(octets, n));
    expect(dec.err == IWARP_OK && dec.used == n, "%zu", i);
    check_identity(&v, octets, n, "noise");
  }
}
END_TEST

START_TEST(encoding_sizes_and_arguments)
{
  static const uint8_t hdr[18] = {0x41};
  iwarp_rdmap_term v = {.layer = 1,
                        .etype = 2,
                        .code = 5,
                        .has_ddp_segment_length = true,
                        .ddp_header = {hdr, sizeof hdr}};
  size_t len = 0;
  ck_assert_int_eq(iwarp_rdmap_term_encode(NULL, 0, &len, &v), IWARP_OK);
  ck_assert_uint_eq(len, 24);
  for (size_t cap = 0; cap < 24; cap++) {
    len = 0;
    uint8_t *dst = guard_out(cap);
    ck_assert_int_eq(iwarp_rdmap_term_encode(dst, cap, &len, &v), IWARP_ERR_NOBUF);
    ck_assert_uint_eq(len, 24);
    ck_assert(cap == 0 || dst[0] == 0xA5);
  }
  uint8_t *dst = guard_out(24); /* the spans decide what is there, the bits only say so */
  ck_assert_int_eq(iwarp_rdmap_term_encode(dst, 24, &len, &v), IWARP_OK);
  ck_assert_uint_eq(dst[2], 0);
  v.layer = 16;
  ck_assert_int_eq(iwarp_rdmap_term_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
  v.layer = 15;
  v.etype = 16;
  ck_assert_int_eq(iwarp_rdmap_term_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
  v.etype = 15;
  v.reserved = 0x2000;
  ck_assert_int_eq(iwarp_rdmap_term_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
}
END_TEST

/* A Terminate, and what it says when its sender used the bit order of its own machine. */
typedef struct reading {
  const char *hex;
  bool likely;
  uint8_t layer, etype;
  bool m, d, r;
  size_t ddp, rdma;
  iwarp_err tail_err;
} reading;

static const reading readings[] = {
    /* siw on a little-endian machine: numbers that are not assigned as they stand */
    {"21 02 0300 0017 " UNTAGGED_HDR, true, 1, 2, true, true, false, 18, 0, IWARP_OK},
    {"10 02 0700 002E " UNTAGGED_HDR READ_HDR, true, 0, 1, true, true, true, 18, 28, IWARP_OK},
    {"10 02 0000", true, 0, 1, false, false, false, 0, 0, IWARP_OK},
    {"02 02 0000", true, 2, 0, false, false, false, 0, 0, IWARP_OK},
    {"02 02 2000", true, 2, 0, false, false, false, 0, 0, IWARP_OK},
    /* M or D of RFC 5040 is set, and something else follows than it announces */
    {"02 02 8000 0017 00", true, 2, 0, false, false, false, 0, 0, IWARP_OK},
    {"02 02 8000 00", true, 2, 0, false, false, false, 0, 0, IWARP_OK},
    {"02 02 4000 0017 4141", true, 2, 0, false, false, false, 0, 0, IWARP_OK},
    {"02 02 C000 0017 00 00000000000000000000000000000000 00", true, 2, 0, false, false, false, 0,
     0, IWARP_OK},
    /* exactly that follows, or more after it: RFC 5040 7.1 */
    {"02 02 8000 0017", false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"02 02 4000 0017 " TAGGED_HDR, false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"02 02 C000 0017 " UNTAGGED_HDR, false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"02 02 C000 0017 " UNTAGGED_HDR " 0000", false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"02 02 E000 0017 " UNTAGGED_HDR READ_HDR, false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"21 02 C300 0017 " UNTAGGED_HDR, false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"21 02 0300 0017 4141", true, 1, 2, true, true, false, 0, 0, IWARP_ERR_RDMAP_TERM_TRUNCATED},
    {"21 02 0400", true, 1, 2, false, false, true, 0, 0, IWARP_ERR_RDMAP_TERM_HDRCT},
    /* assigned in both readings: the flags decide */
    {"11 00 0300 0012 " TAGGED_HDR, true, 1, 1, true, true, false, 14, 0, IWARP_OK},
    {"11 00 0200 0012 " TAGGED_HDR, true, 1, 1, false, true, false, 14, 0, IWARP_OK},
    {"11 00 0100 0012", true, 1, 1, true, false, false, 0, 0, IWARP_OK},
    {"10 00 0100 0012", true, 0, 1, true, false, false, 0, 0, IWARP_OK},
    {"00 00 0400", true, 0, 0, false, false, true, 0, 0, IWARP_ERR_RDMAP_TERM_HDRCT},
    {"11 00 0000", false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"11 00 0800", false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"11 00 0003", false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"11 00 8300 0012", false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"11 00 4300 0012 " TAGGED_HDR, false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"11 00 2300 " READ_HDR, false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    /* assigned only as it stands, and in neither reading */
    {"12 05 0300 0017 " UNTAGGED_HDR, false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"55 05 0300 0017 " UNTAGGED_HDR, false, 0, 0, false, false, false, 0, 0, IWARP_OK},
    {"34 05 0300", false, 0, 0, false, false, false, 0, 0, IWARP_OK},
};

static void check_reading(const reading *x) {
  uint8_t octets[80];
  const size_t len = hex_octets(octets, sizeof octets, x->hex);
  iwarp_rdmap_term v;
  iwarp_rdmap_term got = {.code = 99};
  iwarp_rdmap_term_decode(&v, guard_in(octets, len));
  expect(v.tail.len == len - 4 && v.tail_len == len - 4, "%s: tail", x->hex);
  expect(iwarp_rdmap_term_likely(&got, &v, IWARP_RDMAP_TERM_PLACE_UNKNOWN) == x->likely,
         "%s: likely", x->hex);
  if (!x->likely) {
    expect(got.code == 99, "%s: written", x->hex);
    return;
  }
  expect(got.layer == x->layer && got.etype == x->etype && got.code == v.code, "%s", x->hex);
  expect(got.m == x->m && got.d == x->d && got.r == x->r && got.reserved == 0, "%s", x->hex);
  expect(got.ddp_header.len == x->ddp && got.rdma_header.len == x->rdma, "%s: headers", x->hex);
  expect(got.tail_err == x->tail_err, "%s: %s", x->hex, iwarp_errname(got.tail_err));
  const size_t length = got.has_ddp_segment_length ? 2 : 0;
  expect(got.rest.len == len - 4 - length - x->ddp - x->rdma, "%s: rest", x->hex);
  expect(length == 0 || got.ddp_segment_length == octets[4] * 256 + octets[5], "%s", x->hex);
  expect(x->ddp == 0 || memcmp(got.ddp_header.ptr, octets + 6, x->ddp) == 0, "%s", x->hex);
}

START_TEST(likely_reading_of_swapped_bits)
{
  for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
    check_reading(&readings[i]);
  }
}
END_TEST

/* Layer, Error Type and Error Code that the place excludes. RFC 6581 8 */
static bool place_excludes(unsigned first, unsigned code, iwarp_rdmap_term_place place) {
  const bool shared = code == 5 || code == 6 || code == 7;
  return shared && ((first == 0x20 && place == IWARP_RDMAP_TERM_PLACE_FULL) ||
                    (first == 0x02 && place == IWARP_RDMAP_TERM_PLACE_STARTUP));
}

static bool is_assigned(unsigned layer, unsigned etype, unsigned code) {
  return iwarp_name_known(
      iwarp_rdmap_term_code_name((uint8_t)layer, (uint8_t)etype, (uint8_t)code));
}

/* The tails after the control field: no flag, the low flags, and M and D with what they announce
 * and without. */
static void check_place(unsigned first, unsigned code, iwarp_rdmap_term_place place) {
  static const char *const tails[] = {"0000", "0300 0012 " TAGGED_HDR, "C000 0012 " TAGGED_HDR,
                                      "C000 0012", "2000"};
  const unsigned layer = first >> 4;
  const unsigned etype = first & 15u;
  for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
    uint8_t octets[32] = {(uint8_t)first, (uint8_t)code};
    const size_t len = 2 + hex_octets(octets + 2, sizeof octets - 2, tails[i]);
    iwarp_rdmap_term v;
    iwarp_rdmap_term got;
    iwarp_rdmap_term_decode(&v, guard_in(octets, len));
    const bool stands = is_assigned(layer, etype, code) && !place_excludes(first, code, place);
    const bool due = is_assigned(etype, layer, code) && i != 2 && (i == 1 || !stands);
    expect(iwarp_rdmap_term_likely(&got, &v, place) == due, "%02x %02x %s place %d: not %s", first,
           code, tails[i], (int)place, due ? "likely" : "as it stands");
    expect(!due || (got.layer == etype && got.etype == layer && got.code == code),
           "%02x %02x: the reading", first, code);
  }
}

START_TEST(likely_reading_by_the_place)
{
  for (unsigned first = 0; first < 256; first++) {
    for (unsigned code = 0; code < 256; code++) {
      check_place(first, code, IWARP_RDMAP_TERM_PLACE_UNKNOWN);
      check_place(first, code, IWARP_RDMAP_TERM_PLACE_STARTUP);
      check_place(first, code, IWARP_RDMAP_TERM_PLACE_FULL);
    }
  }
}
END_TEST

START_TEST(likely_reading_of_what_the_capture_cuts_is_not_truncated)
{
  uint8_t octets[24];
  hex_octets(octets, sizeof octets, "21 02 0300 0017 " UNTAGGED_HDR);
  iwarp_rdmap_term v;
  iwarp_rdmap_term got;
  iwarpi_rdmap_term_decode(&v, guard_in(octets, 10), 24);
  ck_assert(iwarp_rdmap_term_likely(&got, &v, IWARP_RDMAP_TERM_PLACE_UNKNOWN));
  ck_assert_int_eq(got.tail_err, IWARP_OK);
  ck_assert_uint_eq(got.ddp_header.len, 0);
  iwarpi_rdmap_term_decode(&v, guard_in(octets, 10), 23);
  ck_assert(iwarp_rdmap_term_likely(&got, &v, IWARP_RDMAP_TERM_PLACE_UNKNOWN));
  ck_assert_int_eq(got.tail_err, IWARP_ERR_RDMAP_TERM_TRUNCATED);
}
END_TEST

typedef struct code_name {
  uint32_t triple; /* layer, type and code as on the wire */
  const char *name;
} code_name;

/* All that is assigned with a code: RFC 6580 3.1 to 3.3, RFC 6581 8. */
static const code_name code_names[] = {
    {0x0100, "Invalid STag"},
    {0x0101, "Base or bounds violation"},
    {0x0102, "Access rights violation"},
    {0x0103, "STag not associated with RDMAP Stream"},
    {0x0104, "TO wrap"},
    {0x0109, "STag cannot be Invalidated"},
    {0x01FF, "Unspecified Error"},
    {0x0205, "Invalid RDMAP version"},
    {0x0206, "Unexpected OpCode"},
    {0x0207, "Catastrophic error, localized to RDMAP Stream"},
    {0x0208, "Catastrophic error, global"},
    {0x0209, "STag cannot be Invalidated"},
    {0x02FF, "Unspecified Error"},
    {0x1000, "Local Catastrophic"},
    {0x1100, "Invalid STag"},
    {0x1101, "Base or bounds violation"},
    {0x1102, "STag not associated with DDP Stream"},
    {0x1103, "TO wrap"},
    {0x1104, "Invalid DDP version"},
    {0x1201, "Invalid QN"},
    {0x1202, "Invalid MSN - no buffer available"},
    {0x1203, "Invalid MSN - MSN range is not valid"},
    {0x1204, "Invalid MO"},
    {0x1205, "DDP Message too long for available buffer"},
    {0x1206, "Invalid DDP version"},
    {0x2001, "TCP connection closed, terminated, or lost"},
    {0x2002, "MPA CRC Error"},
    {0x2003, "MPA Marker and ULPDU Length field mismatch"},
    {0x2004, "Invalid MPA Request Frame or MPA Response Frame"},
    {0x2005, "Local catastrophic error"},
    {0x2006, "Insufficient IRD resources"},
    {0x2007, "No matching RTR option"},
};

static const char *code_name_of(uint32_t triple) {
  if (triple >> 8 == 0x00) { /* any code may be sent with these two types */
    return "Local Catastrophic Error";
  }
  if (triple >> 8 == 0x13) {
    return "Reserved for use by the LLP";
  }
  for (size_t i = 0; i < sizeof code_names / sizeof code_names[0]; i++) {
    if (code_names[i].triple == triple) {
      return code_names[i].name;
    }
  }
  return "unknown";
}

START_TEST(names_of_all_triples)
{
  for (uint32_t triple = 0; triple <= 0xFFFF; triple++) {
    const char *want = code_name_of(triple);
    const char *got = iwarp_rdmap_term_code_name((uint8_t)(triple >> 12), triple >> 8 & 15,
                                                 (uint8_t)(triple & 255));
    expect(strcmp(got, want) == 0, "%04x: %s", triple, got);
  }
  ck_assert_str_eq(iwarp_rdmap_term_code_name(0, 16, 0), "unknown");
}
END_TEST

/* Each row names the RFC that defines it, and the rows are in the order of their values. */
START_TEST(rows_of_errors)
{
  const iwarp_rdmap_term_row *row;
  int last = -1;
  size_t num = 0;
  for (; (row = iwarp_rdmap_term_at(num)) != NULL; num++) {
    const int triple = row->layer << 12 | row->etype << 8 | row->code;
    const char *mpa = row->code < 5 ? "RFC 5044 8" : "RFC 6581 8";
    const char *const rfcs[] = {"RFC 5040 4.8", "RFC 5041 7.2", mpa};
    ck_assert_int_lt(last, triple);
    ck_assert_str_eq(row->rfc, rfcs[row->layer]);
    ck_assert_str_eq(row->name, code_name_of((uint32_t)triple));
    ck_assert_str_eq(row->etype_name, iwarp_rdmap_term_etype_name(row->layer, row->etype));
    ck_assert(row->any_code == (row->etype == (row->layer == 0 ? 0 : 3) && row->layer < 2));
    last = triple;
  }
  ck_assert_uint_eq(num, sizeof code_names / sizeof code_names[0] + 2);
}
END_TEST

START_TEST(names_of_layers_and_types)
{
  static const char *const layers[] = {"RDMA", "DDP", "LLP"};
  static const char *const etypes[3][4] = {
      {"Local Catastrophic Error", "Remote Protection Error", "Remote Operation Error", "unknown"},
      {"Local Catastrophic", "Tagged Buffer Error", "Untagged Buffer Error",
       "Reserved for use by the LLP"},
      {"MPA Error", "unknown", "unknown", "unknown"}};
  for (unsigned layer = 0; layer < 256; layer++) {
    ck_assert_str_eq(iwarp_rdmap_term_layer_name((uint8_t)layer),
                     layer < 3 ? layers[layer] : "unknown");
    for (unsigned etype = 0; etype < 256; etype++) {
      const char *want = layer < 3 && etype < 4 ? etypes[layer][etype] : "unknown";
      ck_assert_str_eq(iwarp_rdmap_term_etype_name((uint8_t)layer, (uint8_t)etype), want);
    }
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {every_form_cut_at_every_octet,
                                what_no_longer_fits_is_truncated_even_if_less_is_available,
                                control_bits_one_by_one,
                                decoding_and_encoding_is_the_identity_on_any_octets,
                                encoding_sizes_and_arguments,
                                names_of_all_triples,
                                rows_of_errors,
                                names_of_layers_and_types,
                                likely_reading_of_swapped_bits,
                                likely_reading_by_the_place,
                                likely_reading_of_what_the_capture_cuts_is_not_truncated,
                                NULL};
  return check_run(check_suite("rdmap-term", tests));
}
