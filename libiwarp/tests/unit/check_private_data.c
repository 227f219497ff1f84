/* SPDX-License-Identifier: BSD-2-Clause */
/* Conventions in startup frames beyond the RFCs. */
#include <iwarp/field.h>
#include <iwarp/mpa.h>
#include <iwarp/private_data.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"

typedef struct depths_vector {
  const char *octets;
  iwarp_byte_order order;
  uint32_t ird;
  uint32_t ord;
} depths_vector;

static const depths_vector depths_vectors[] = {
    {"00000020 00000010", IWARP_BYTE_ORDER_BIG, 32, 16},
    {"20000000 10000000", IWARP_BYTE_ORDER_LITTLE, 32, 16},
    {"0000FFFF 00000000", IWARP_BYTE_ORDER_BIG, 0xFFFF, 0},
    {"00000000 01000000", IWARP_BYTE_ORDER_LITTLE, 0, 1},
    {"00000000 00000001 DEADBEEF", IWARP_BYTE_ORDER_BIG, 0, 1},
    {"FFFF0000 FFFF0000", IWARP_BYTE_ORDER_LITTLE, 0xFFFF, 0xFFFF},
};

START_TEST(depths_in_both_orders)
{
  for (size_t i = 0; i < sizeof depths_vectors / sizeof depths_vectors[0]; i++) {
    const depths_vector *vec = &depths_vectors[i];
    uint8_t octets[16];
    iwarp_span in = guard_in(octets, hex_octets(octets, sizeof octets, vec->octets));
    ck_assert_int_eq(iwarp_smbd_depths_guess(1, in), vec->order);
    ck_assert_int_eq(iwarp_smbd_depths_guess(2, in), IWARP_BYTE_ORDER_UNKNOWN);
    iwarp_smbd_depths v;
    iwarp_dec dec = iwarp_smbd_depths_decode(&v, in, vec->order);
    ck_assert_int_eq(dec.err, IWARP_OK);
    ck_assert_uint_eq(dec.used, 8);
    ck_assert_uint_eq(v.ird, vec->ird);
    ck_assert_uint_eq(v.ord, vec->ord);
    uint8_t *dst = guard_out(8);
    size_t len = 0;
    ck_assert_int_eq(iwarp_smbd_depths_encode(dst, 8, &len, &v, vec->order), IWARP_OK);
    ck_assert_mem_eq(dst, in.ptr, 8);
  }
}
END_TEST

START_TEST(what_does_not_look_like_depths)
{
  static const char *const texts[] = {"00000000 00000000", /* says nothing */
                                      "00010000 00000001", /* too large one way, and the other */
                                      "00000001 01000000", /* the two disagree about the order */
                                      "61626364 65666768", "FFFFFFFF FFFFFFFF",
                                      "00000001 00010000"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    uint8_t octets[8];
    hex_octets(octets, sizeof octets, texts[i]);
    ck_assert_msg(iwarp_smbd_depths_guess(1, guard_in(octets, 8)) == IWARP_BYTE_ORDER_UNKNOWN, "%s",
                  texts[i]);
  }
}
END_TEST

START_TEST(depths_at_their_limits)
{
  uint8_t octets[8] = {0, 0, 0, 32, 0, 0, 0, 16};
  iwarp_smbd_depths v = {.ird = 77};
  size_t len = 0;
  for (size_t n = 0; n < 8; n++) {
    iwarp_span in = guard_in(octets, n);
    iwarp_dec dec = iwarp_smbd_depths_decode(&v, in, IWARP_BYTE_ORDER_LITTLE);
    ck_assert_int_eq(dec.err, IWARP_ERR_NEED_MORE);
    ck_assert_uint_eq(dec.need, 8);
    ck_assert_uint_eq(v.ird, 77);
    ck_assert_int_eq(iwarp_smbd_depths_guess(1, in), IWARP_BYTE_ORDER_UNKNOWN);
    ck_assert_int_eq(iwarp_smbd_depths_encode(guard_out(n), n, &len, &v, IWARP_BYTE_ORDER_LITTLE),
                     IWARP_ERR_NOBUF);
    ck_assert_uint_eq(len, 8);
  }
  ck_assert_int_eq(iwarp_smbd_depths_encode(NULL, 0, &len, &v, IWARP_BYTE_ORDER_BIG), IWARP_OK);
  ck_assert_uint_eq(len, 8);
  iwarp_span in = guard_in(octets, 8);
  ck_assert_int_eq(iwarp_smbd_depths_decode(&v, in, IWARP_BYTE_ORDER_UNKNOWN).err, IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_smbd_depths_encode(NULL, 0, &len, &v, IWARP_BYTE_ORDER_UNKNOWN),
                   IWARP_ERR_ARG);
  ck_assert_uint_eq(v.ird, 77);
}
END_TEST

START_TEST(names_of_reserved_flags_and_revisions)
{
  for (unsigned flags = 0; flags < 256; flags++) {
    const char *want = NULL;
    want = flags % 16 == 4 ? "max FPDU 16 KiB" : want;
    want = flags % 16 == 8 ? "siw GSO, or max FPDU 32 KiB" : want;
    want = flags % 16 == 12 ? "max FPDU 64 KiB" : want;
    ck_assert_pstr_eq(iwarp_mpa_res_name((uint8_t)flags), want);
  }
  const iwarp_field *rev = iwarp_field_get(IWARP_FIELD_MPA_STARTUP_REV);
  ck_assert_str_eq(iwarp_field_value_name(rev, IWARP_MPA_REV_ERDMA), "erdma");
  ck_assert_ptr_null(iwarp_field_value_name(rev, 128));
}
END_TEST

/* The common 20 octets of a frame of revision 129 decode; nothing is taken for what it is not. */
START_TEST(frame_of_revision_129)
{
  uint8_t octets[IWARP_MPA_ERDMA_LEN];
  hex_octets(octets, sizeof octets, "4d504120494420526571204672616d65 00 81 0000 0000000100000002");
  iwarp_mpa_startup v;
  iwarp_dec dec = iwarp_mpa_startup_decode(&v, guard_in(octets, sizeof octets));
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, 20);
  ck_assert_uint_eq(v.rev, IWARP_MPA_REV_ERDMA);
  ck_assert(!iwarp_mpa_startup_is_enhanced(&v));
  iwarp_span rest = {octets + 20, 8};
  ck_assert_int_eq(iwarp_smbd_depths_guess(v.rev, rest), IWARP_BYTE_ORDER_UNKNOWN);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {depths_in_both_orders,  what_does_not_look_like_depths,
                                depths_at_their_limits, names_of_reserved_flags_and_revisions,
                                frame_of_revision_129,  NULL};
  return check_run(check_suite("private-data", tests));
}
