/* SPDX-License-Identifier: BSD-2-Clause */
/* The tagged and untagged DDP header. */
#include <iwarp/ddp.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"

static iwarp_span octets_of(const char *hex) {
  uint8_t octets[64];
  return guard_in(octets, hex_octets(octets, sizeof octets, hex));
}

START_TEST(tagged_header)
{
  iwarp_ddp_hdr v;
  iwarp_dec dec = iwarp_ddp_hdr_decode(&v, octets_of("81 5A A1B2C3D4 00000001 00000062"));
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, IWARP_DDP_TAGGED_LEN);
  ck_assert(v.tagged && !v.last);
  ck_assert_uint_eq(v.rsvd, 0);
  ck_assert_uint_eq(v.dv, IWARP_DDP_VERSION);
  ck_assert_uint_eq(v.rsvdulp, 0x5A);
  ck_assert_uint_eq(v.stag, 0xA1B2C3D4);
  ck_assert_uint_eq(v.to, UINT64_C(0x100000062));
  ck_assert_uint_eq(v.rsvdulp_word | v.qn | v.msn | v.mo, 0);
}
END_TEST

START_TEST(untagged_header)
{
  iwarp_ddp_hdr v;
  iwarp_dec dec = iwarp_ddp_hdr_decode(&v, octets_of("41 01 02030405 00000003 00000007 000000DC"));
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, IWARP_DDP_UNTAGGED_LEN);
  ck_assert(!v.tagged && v.last);
  ck_assert_uint_eq(v.rsvdulp, 1);
  ck_assert_uint_eq(v.rsvdulp_word, 0x02030405);
  ck_assert_uint_eq(v.qn, 3);
  ck_assert_uint_eq(v.msn, 7);
  ck_assert_uint_eq(v.mo, 0xDC);
  ck_assert_uint_eq(v.stag, 0);
  ck_assert_uint_eq(v.to, 0);
}
END_TEST

START_TEST(the_first_octet_bit_by_bit)
{
  uint8_t octets[18] = {0};
  for (unsigned control = 0; control < 256; control++) {
    octets[0] = (uint8_t)control;
    size_t want = control >= 128 ? 14 : 18;
    ck_assert_uint_eq(iwarp_ddp_hdr_len((uint8_t)control), want);
    iwarp_ddp_hdr v;
    iwarp_dec dec = iwarp_ddp_hdr_decode(&v, guard_in(octets, want));
    ck_assert_msg(dec.err == IWARP_OK && dec.used == want, "%02x", control);
    ck_assert_msg(v.tagged == (control / 128 == 1), "%02x", control);
    ck_assert_msg(v.last == (control / 64 % 2 == 1), "%02x", control);
    ck_assert_msg(v.rsvd == control / 4 % 16, "%02x", control);
    ck_assert_msg(v.dv == control % 4, "%02x", control);
    uint8_t *dst = guard_out(want);
    size_t len = 0;
    ck_assert_msg(iwarp_ddp_hdr_encode(dst, want, &len, &v) == IWARP_OK, "%02x", control);
    ck_assert_msg(len == want && memcmp(dst, octets, len) == 0, "%02x", control);
  }
}
END_TEST

START_TEST(every_prefix_says_how_much_is_needed)
{
  uint8_t octets[18] = {0};
  for (unsigned tagged = 0; tagged < 2; tagged++) {
    octets[0] = tagged != 0 ? 0xC1 : 0x41;
    size_t whole = tagged != 0 ? 14 : 18;
    for (size_t n = 0; n < whole; n++) {
      iwarp_ddp_hdr v = {.qn = 99};
      iwarp_dec dec = iwarp_ddp_hdr_decode(&v, guard_in(octets, n));
      ck_assert_msg(dec.err == IWARP_ERR_NEED_MORE, "%zu octets", n);
      ck_assert_msg(dec.need == (n == 0 ? 14 : whole), "%zu octets: %zu needed", n, dec.need);
      ck_assert_msg(v.qn == 99, "%zu octets: output touched", n);
    }
  }
}
END_TEST

START_TEST(decoding_and_encoding_is_the_identity_on_any_octets)
{
  prng p = {.state = 6};
  for (size_t i = 0; i < 20000; i++) {
    uint8_t octets[18];
    prng_fill(&p, octets, sizeof octets);
    iwarp_ddp_hdr v;
    iwarp_dec dec = iwarp_ddp_hdr_decode(&v, guard_in(octets, sizeof octets));
    uint8_t *dst = guard_out(dec.used);
    size_t len = 0;
    expect(iwarp_ddp_hdr_encode(dst, dec.used, &len, &v) == IWARP_OK, "%zu", i);
    expect(len == dec.used && memcmp(dst, octets, len) == 0, "%zu", i);
  }
}
END_TEST

START_TEST(encoding_sizes_and_arguments)
{
  iwarp_ddp_hdr v = {.tagged = true, .dv = 1};
  for (unsigned tagged = 0; tagged < 2; tagged++) {
    v.tagged = tagged != 0;
    size_t want = tagged != 0 ? 14 : 18;
    size_t len = 0;
    ck_assert_int_eq(iwarp_ddp_hdr_encode(NULL, 0, &len, &v), IWARP_OK);
    ck_assert_uint_eq(len, want);
    for (size_t cap = 0; cap < want; cap++) {
      len = 0;
      ck_assert_int_eq(iwarp_ddp_hdr_encode(guard_out(cap), cap, &len, &v), IWARP_ERR_NOBUF);
      ck_assert_uint_eq(len, want);
    }
  }
  size_t len = 0;
  v.rsvd = 16;
  ck_assert_int_eq(iwarp_ddp_hdr_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
  v.rsvd = 15;
  v.dv = 4;
  ck_assert_int_eq(iwarp_ddp_hdr_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
}
END_TEST

/* A field that does not lie within the octets is 0, one of eight octets of which four are there
 * too. */
START_TEST(a_cut_header_has_no_half_a_field)
{
  uint8_t octets[IWARP_DDP_TAGGED_LEN];
  memset(octets, 0xFF, sizeof octets);
  for (size_t n = 0; n <= sizeof octets; n++) {
    iwarp_ddp_hdr v;
    ck_assert_uint_eq(iwarp_ddp_hdr_peek(&v, guard_in(octets, n)), n);
    ck_assert_uint_eq(v.stag, n >= 6 ? UINT32_MAX : 0);
    ck_assert_uint_eq(v.to, n >= 14 ? UINT64_MAX : 0);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {tagged_header,
                                untagged_header,
                                the_first_octet_bit_by_bit,
                                every_prefix_says_how_much_is_needed,
                                decoding_and_encoding_is_the_identity_on_any_octets,
                                encoding_sizes_and_arguments,
                                a_cut_header_has_no_half_a_field,
                                NULL};
  return check_run(check_suite("ddp-hdr", tests));
}
