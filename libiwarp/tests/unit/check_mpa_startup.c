/* SPDX-License-Identifier: BSD-2-Clause */
/* MPA Request and Reply Frames and the enhanced connection data. */
#include <iwarp/mpa.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"

#define REQUEST "4d504120 49442052 65712046 72616d65 "
#define REPLY "4d504120 49442052 65702046 72616d65 "

/* The frame written in hex, at the end of memory. */
static iwarp_span frame_of(const char *hex) {
  uint8_t octets[600];
  return guard_in(octets, hex_octets(octets, sizeof octets, hex));
}

START_TEST(request_of_rfc_5044)
{
  iwarp_mpa_startup v;
  iwarp_span in = frame_of(REQUEST "c0 01 00 04 41424344");
  iwarp_dec dec = iwarp_mpa_startup_decode(&v, in);
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, 24);
  ck_assert_mem_eq(v.key, "MPA ID Req Frame", IWARP_MPA_KEY_LEN);
  ck_assert_uint_eq(v.flags, IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C);
  ck_assert_uint_eq(v.rev, 1);
  ck_assert_uint_eq(v.pd_length, 4);
  ck_assert_ptr_eq(v.private_data.ptr, in.ptr + 20);
  ck_assert_uint_eq(v.private_data.len, 4);
  ck_assert(!iwarp_mpa_startup_is_enhanced(&v));
}
END_TEST

START_TEST(every_prefix_says_how_much_is_needed)
{
  static const char frame[] = REPLY "50 02 00 08 80044008 01020304";
  uint8_t octets[64];
  size_t len = hex_octets(octets, sizeof octets, frame);
  for (size_t n = 0; n < len; n++) {
    iwarp_mpa_startup v = {.rev = 77};
    iwarp_dec dec = iwarp_mpa_startup_decode(&v, guard_in(octets, n));
    ck_assert_msg(dec.err == IWARP_ERR_NEED_MORE, "%zu octets", n);
    ck_assert_msg(dec.need == (n < 20 ? 20 : 28), "%zu octets: %zu needed", n, dec.need);
    ck_assert_msg(v.rev == 77, "%zu octets: output touched", n);
  }
  iwarp_mpa_startup v;
  octets[len] = 0x55; /* what follows the frame is not its business */
  iwarp_dec dec = iwarp_mpa_startup_decode(&v, guard_in(octets, len + 1));
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, 28);
}
END_TEST

/* Its fixed part alone says what is wrong with a frame, and how long it is. */
START_TEST(the_head_of_a_frame)
{
  uint8_t octets[64];
  const size_t len = hex_octets(octets, sizeof octets, REPLY "50 02 00 03 80044008");
  iwarp_mpa_startup v = {.rev = 77};
  for (size_t n = 0; n < IWARP_MPA_STARTUP_LEN; n++) {
    const iwarp_dec dec = iwarp_mpa_startup_head_decode(&v, guard_in(octets, n));
    ck_assert(dec.err == IWARP_ERR_NEED_MORE && dec.need == IWARP_MPA_STARTUP_LEN && v.rev == 77);
  }
  for (size_t n = IWARP_MPA_STARTUP_LEN; n <= len; n++) {
    const iwarp_dec dec = iwarp_mpa_startup_head_decode(&v, guard_in(octets, n));
    ck_assert(dec.err == IWARP_OK && dec.used == IWARP_MPA_STARTUP_LEN);
    ck_assert(v.flags == 0x50 && v.rev == 2 && v.pd_length == 3 && v.private_data.len == 0);
    ck_assert_mem_eq(v.key, octets, IWARP_MPA_KEY_LEN);
    ck_assert_int_eq(iwarp_mpa_startup_check(&v), IWARP_ERR_MPA_ENHANCED);
  }
}
END_TEST

START_TEST(keys_are_distinguished)
{
  uint8_t key[17];
  memcpy(key, iwarp_mpa_key_octets(IWARP_MPA_KEY_REQUEST), 16);
  ck_assert_mem_eq(key, "MPA ID Req Frame", 16);
  ck_assert_int_eq(iwarp_mpa_key_classify(guard_in(key, 16)), IWARP_MPA_KEY_REQUEST);
  ck_assert_int_eq(iwarp_mpa_key_classify(guard_in(key, 15)), IWARP_MPA_KEY_UNKNOWN);
  ck_assert_int_eq(iwarp_mpa_key_classify(guard_in(key, 17)), IWARP_MPA_KEY_REQUEST);
  memcpy(key, iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), 16);
  ck_assert_mem_eq(key, "MPA ID Rep Frame", 16);
  ck_assert_int_eq(iwarp_mpa_key_classify(guard_in(key, 16)), IWARP_MPA_KEY_REPLY);
  for (size_t i = 0; i < 16; i++) {
    key[i] ^= 0x20;
    ck_assert_msg(iwarp_mpa_key_classify(guard_in(key, 16)) == IWARP_MPA_KEY_UNKNOWN, "octet %zu",
                  i);
    key[i] ^= 0x20;
  }
  ck_assert_ptr_null(iwarp_mpa_key_octets(IWARP_MPA_KEY_UNKNOWN));
  ck_assert_ptr_null(iwarp_mpa_key_octets((iwarp_mpa_key)99));
  ck_assert_int_eq(iwarp_mpa_key_classify((iwarp_span){0}), IWARP_MPA_KEY_UNKNOWN);
}
END_TEST

START_TEST(nothing_is_judged)
{
  prng p = {.state = 2};
  for (size_t i = 0; i < 2000; i++) {
    uint8_t octets[20 + 700];
    uint8_t again[sizeof octets];
    prng_fill(&p, octets, sizeof octets);
    octets[18] = (uint8_t)(octets[18] % 3); /* PD_Length to 767: beyond 512 too */
    iwarp_mpa_startup v;
    iwarp_dec dec = iwarp_mpa_startup_decode(&v, guard_in(octets, sizeof octets));
    if (dec.err == IWARP_ERR_NEED_MORE) {
      expect(dec.need > sizeof octets, "%zu", i);
      continue;
    }
    size_t len = 0;
    expect(iwarp_mpa_startup_encode(again, sizeof again, &len, &v) == IWARP_OK, "%zu", i);
    expect(len == dec.used && memcmp(again, octets, len) == 0, "%zu: not the same octets", i);
  }
}
END_TEST

START_TEST(encoding_sizes)
{
  iwarp_mpa_startup v;
  iwarp_mpa_startup_decode(&v, frame_of(REPLY "60 01 00 03 010203"));
  size_t len = 0;
  ck_assert_int_eq(iwarp_mpa_startup_encode(NULL, 0, &len, &v), IWARP_OK);
  ck_assert_uint_eq(len, 23);
  for (size_t cap = 0; cap < 23; cap++) {
    len = 0;
    ck_assert_int_eq(iwarp_mpa_startup_encode(guard_out(cap), cap, &len, &v), IWARP_ERR_NOBUF);
    ck_assert_uint_eq(len, 23);
  }
  ck_assert_int_eq(iwarp_mpa_startup_encode(guard_out(23), 23, &len, &v), IWARP_OK);
}
END_TEST

START_TEST(a_frame_may_announce_more_than_it_holds_but_not_less)
{
  iwarp_mpa_startup v;
  iwarp_mpa_startup_decode(&v, frame_of(REPLY "60 01 00 03 010203"));
  uint8_t octets[32];
  size_t len = 0;
  v.pd_length = 100;
  ck_assert_int_eq(iwarp_mpa_startup_encode(octets, sizeof octets, &len, &v), IWARP_OK);
  ck_assert_uint_eq(len, 23);
  ck_assert_uint_eq(octets[19], 100);
  v.pd_length = 2;
  ck_assert_int_eq(iwarp_mpa_startup_encode(octets, sizeof octets, &len, &v), IWARP_ERR_ARG);
}
END_TEST

START_TEST(enhanced_needs_the_flag_revision_2_and_four_octets)
{
  iwarp_mpa_startup v;
  iwarp_mpa_startup_decode(&v, frame_of(REQUEST "10 02 00 04 80 08 c0 04"));
  ck_assert(iwarp_mpa_startup_is_enhanced(&v));
  iwarp_mpa_startup_decode(&v, frame_of(REQUEST "e0 02 00 04 80 08 c0 04"));
  ck_assert(!iwarp_mpa_startup_is_enhanced(&v));
  iwarp_mpa_startup_decode(&v, frame_of(REQUEST "10 01 00 04 80 08 c0 04"));
  ck_assert(!iwarp_mpa_startup_is_enhanced(&v));
  iwarp_mpa_startup_decode(&v, frame_of(REQUEST "10 03 00 04 80 08 c0 04"));
  ck_assert(!iwarp_mpa_startup_is_enhanced(&v));
  iwarp_mpa_startup_decode(&v, frame_of(REQUEST "10 02 00 03 80 08 c0"));
  ck_assert(!iwarp_mpa_startup_is_enhanced(&v));
}
END_TEST

typedef struct enhanced_vector {
  const char *octets;
  iwarp_mpa_enhanced v;
} enhanced_vector;

/* RFC 6581 9: each bit alone as well, and the depths at their ends. */
static const enhanced_vector enhanced_vectors[] = {
    {"80 08 c0 04", {.a = true, .ird = 8, .c = true, .d = true, .ord = 4}},
    {"80 04 40 08", {.a = true, .ird = 4, .d = true, .ord = 8}},
    {"c0 01 00 00", {.a = true, .b = true, .ird = 1}},
    {"3f ff 3f ff", {.ird = IWARP_MPA_DEPTH_UNSPEC, .ord = IWARP_MPA_DEPTH_UNSPEC}},
    {"ff ff ff ff", {true, true, 0x3FFF, true, true, 0x3FFF}},
    {"00 00 00 00", {0}},
    {"40 00 00 00", {.b = true}},
    {"00 00 80 00", {.c = true}},
    {"00 00 40 00", {.d = true}},
    {"3f fe 00 01", {.ird = 0x3FFE, .ord = 1}},
};

START_TEST(enhanced_data_both_ways)
{
  for (size_t i = 0; i < sizeof enhanced_vectors / sizeof enhanced_vectors[0]; i++) {
    const enhanced_vector *vec = &enhanced_vectors[i];
    uint8_t octets[4];
    hex_octets(octets, sizeof octets, vec->octets);
    iwarp_mpa_enhanced v;
    iwarp_dec dec = iwarp_mpa_enhanced_decode(&v, guard_in(octets, 4));
    ck_assert_msg(dec.err == IWARP_OK && dec.used == 4, "%s", vec->octets);
    ck_assert_msg(v.a == vec->v.a && v.b == vec->v.b && v.c == vec->v.c && v.d == vec->v.d, "%s",
                  vec->octets);
    ck_assert_msg(v.ird == vec->v.ird && v.ord == vec->v.ord, "%s", vec->octets);
    uint8_t *dst = guard_out(4);
    size_t len = 0;
    ck_assert_msg(iwarp_mpa_enhanced_encode(dst, 4, &len, &vec->v) == IWARP_OK, "%s", vec->octets);
    ck_assert_msg(len == 4 && memcmp(dst, octets, 4) == 0, "%s", vec->octets);
  }
}
END_TEST

START_TEST(enhanced_data_at_its_limits)
{
  iwarp_mpa_enhanced v = {.ird = 7};
  for (size_t n = 0; n < 4; n++) {
    iwarp_dec dec = iwarp_mpa_enhanced_decode(&v, guard_in("\1\2\3\4", n));
    ck_assert_int_eq(dec.err, IWARP_ERR_NEED_MORE);
    ck_assert_uint_eq(dec.need, 4);
    ck_assert_uint_eq(v.ird, 7);
    size_t len = 0;
    ck_assert_int_eq(iwarp_mpa_enhanced_encode(guard_out(n), n, &len, &v), IWARP_ERR_NOBUF);
    ck_assert_uint_eq(len, 4);
  }
  size_t len = 0;
  ck_assert_int_eq(iwarp_mpa_enhanced_encode(NULL, 0, &len, &v), IWARP_OK);
  ck_assert_uint_eq(len, 4);
  v.ird = 0x4000;
  ck_assert_int_eq(iwarp_mpa_enhanced_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
  v.ird = 0;
  v.ord = 0x4000;
  ck_assert_int_eq(iwarp_mpa_enhanced_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
}
END_TEST

START_TEST(what_a_receiver_finds_wrong_after_the_key)
{
  static const struct {
    uint8_t flags;
    uint8_t rev;
    uint16_t pd_length;
    iwarp_err err;
  } cases[] = {
      {0, 1, 0, IWARP_OK},
      {0, 0, 512, IWARP_OK},
      {0x0F, 2, 0, IWARP_OK},
      {0, 3, 513, IWARP_ERR_MPA_REV},
      {0, 129, 0, IWARP_ERR_MPA_REV},
      {0, 1, 513, IWARP_ERR_MPA_PD_LENGTH},
      {IWARP_MPA_FLAG_S, 2, 65535, IWARP_ERR_MPA_PD_LENGTH},
      {IWARP_MPA_FLAG_S, 2, 3, IWARP_ERR_MPA_ENHANCED},
      {IWARP_MPA_FLAG_S, 2, 4, IWARP_OK},
      {IWARP_MPA_FLAG_S, 1, 0, IWARP_OK},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const iwarp_mpa_startup v = {
        .flags = cases[i].flags, .rev = cases[i].rev, .pd_length = cases[i].pd_length};
    ck_assert_int_eq(iwarp_mpa_startup_check(&v), cases[i].err);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {request_of_rfc_5044,
                                every_prefix_says_how_much_is_needed,
                                the_head_of_a_frame,
                                keys_are_distinguished,
                                nothing_is_judged,
                                encoding_sizes,
                                a_frame_may_announce_more_than_it_holds_but_not_less,
                                enhanced_needs_the_flag_revision_2_and_four_octets,
                                enhanced_data_both_ways,
                                enhanced_data_at_its_limits,
                                what_a_receiver_finds_wrong_after_the_key,
                                NULL};
  return check_run(check_suite("mpa-startup", tests));
}
