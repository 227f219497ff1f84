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
    {"00000000 00000001", IWARP_BYTE_ORDER_BIG, 0, 1},
    {"FFFF0000 FFFF0000", IWARP_BYTE_ORDER_LITTLE, 0xFFFF, 0xFFFF},
};

START_TEST(depths_in_both_orders)
{
  for (size_t i = 0; i < sizeof depths_vectors / sizeof depths_vectors[0]; i++) {
    const depths_vector *vec = &depths_vectors[i];
    uint8_t octets[16];
    iwarp_span in = guard_in(octets, hex_octets(octets, sizeof octets, vec->octets));
    ck_assert_int_eq(iwarp_smbd_depths_guess(in), vec->order);
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
  static const char *const texts[] = {
      "00000000 00000000", /* says nothing */
      "00010000 00000001", /* too large one way, and the other */
      "00000001 01000000", /* the two disagree about the order */
      "61626364 65666768", "FFFFFFFF FFFFFFFF",
      "00000001 00010000", "00000020 00000010 00", /* one octet more, one less */
      "00000020 000010"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    uint8_t octets[9];
    iwarp_span in = guard_in(octets, hex_octets(octets, sizeof octets, texts[i]));
    ck_assert_msg(iwarp_smbd_depths_guess(in) == IWARP_BYTE_ORDER_UNKNOWN, "%s", texts[i]);
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
    ck_assert_int_eq(iwarp_smbd_depths_guess(in), IWARP_BYTE_ORDER_UNKNOWN);
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
    const char *want = "unknown";
    want = flags % 16 == 4 ? "max FPDU 16 KiB" : want;
    want = flags % 16 == 8 ? "siw GSO, or max FPDU 32 KiB" : want;
    want = flags % 16 == 12 ? "max FPDU 64 KiB" : want;
    ck_assert_str_eq(iwarp_mpa_res_name((uint8_t)flags), want);
    const iwarp_field *res = iwarp_field_get(IWARP_FIELD_MPA_STARTUP_RES);
    ck_assert_str_eq(iwarp_field_value_name(res, flags % 16), want);
  }
  const iwarp_field *rev = iwarp_field_get(IWARP_FIELD_MPA_STARTUP_REV);
  ck_assert_str_eq(iwarp_field_value_name(rev, IWARP_MPA_REV_ERDMA), "erdma");
  ck_assert_str_eq(iwarp_field_value_name(rev, 128), "unknown");
}
END_TEST

#define REQUEST "4d504120494420526571204672616d65"

/* After PD_Length stand eight octets that it does not count. */
START_TEST(frames_of_revision_129)
{
  uint8_t octets[IWARP_MPA_ERDMA_LEN + 4];
  hex_octets(octets, sizeof octets, REQUEST "00 81 0003 0badcafe0000001f 616263 99");
  for (size_t n = 0; n <= 32; n++) {
    iwarp_mpa_startup v = {.rev = 77};
    iwarp_dec dec = iwarp_mpa_startup_decode(&v, guard_in(octets, n));
    ck_assert_int_eq(dec.err, n < 31 ? IWARP_ERR_NEED_MORE : IWARP_OK);
    ck_assert_uint_eq(n < 31 ? dec.need : dec.used, n < 20 ? 20 : 31);
    ck_assert_uint_eq(v.rev, n < 31 ? 77 : IWARP_MPA_REV_ERDMA);
  }
  iwarp_mpa_startup v;
  iwarp_mpa_startup_decode(&v, guard_in(octets, 31));
  ck_assert_uint_eq(v.pd_length, 3);
  ck_assert_uint_eq(v.private_data.len, 11);
  ck_assert(!iwarp_mpa_startup_is_enhanced(&v));
  iwarp_erdma_ext ext;
  ck_assert_int_eq(iwarp_erdma_ext_decode(&ext, v.private_data).err, IWARP_OK);
  ck_assert_uint_eq(ext.cookie, 0x0BADCAFE);
  ck_assert_uint_eq(ext.reserved, 1);
  ck_assert_uint_eq(ext.cc, 15);
  size_t len = 0;
  uint8_t *dst = guard_out(31);
  ck_assert_int_eq(iwarp_mpa_startup_encode(dst, 31, &len, &v), IWARP_OK);
  ck_assert_uint_eq(len, 31);
  ck_assert_mem_eq(dst, octets, 31);
  v.private_data.len = 12;
  ck_assert_int_eq(iwarp_mpa_startup_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
  ck_assert_uint_eq(iwarp_mpa_startup_size(128, 65535), 65555);
  ck_assert_uint_eq(iwarp_mpa_startup_size(129, 65535), 65563);
}
END_TEST

START_TEST(extension_at_its_limits)
{
  uint8_t octets[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  iwarp_erdma_ext v = {.cookie = 77, .reserved = IWARP_ERDMA_RESERVED_MAX, .cc = 15};
  size_t len = 0;
  for (size_t n = 0; n < 8; n++) {
    iwarp_dec dec = iwarp_erdma_ext_decode(&v, guard_in(octets, n));
    ck_assert_int_eq(dec.err, IWARP_ERR_NEED_MORE);
    ck_assert_uint_eq(dec.need, 8);
    ck_assert_uint_eq(v.cookie, 77);
    ck_assert_int_eq(iwarp_erdma_ext_encode(guard_out(n), n, &len, &v), IWARP_ERR_NOBUF);
    ck_assert_uint_eq(len, 8);
  }
  ck_assert_int_eq(iwarp_erdma_ext_encode(octets, 8, &len, &v), IWARP_OK);
  ck_assert_mem_eq(octets, "\x00\x00\x00\x4d\xff\xff\xff\xff", 8);
  v.cc = 16;
  ck_assert_int_eq(iwarp_erdma_ext_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
  v.cc = 0;
  v.reserved++;
  ck_assert_int_eq(iwarp_erdma_ext_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
}
END_TEST

/* RFC 8797 4.2: 1024 to 262144 octets in steps of 1024. */
START_TEST(rpc_over_rdma_both_ways)
{
  uint8_t octets[8];
  hex_octets(octets, sizeof octets, "f6ab0e18 01 01 03 ff");
  iwarp_rpc_rdma v = {.format = 77};
  size_t len = 0;
  for (size_t n = 0; n < 8; n++) {
    iwarp_dec dec = iwarp_rpc_rdma_decode(&v, guard_in(octets, n));
    ck_assert_int_eq(dec.err, IWARP_ERR_NEED_MORE);
    ck_assert_uint_eq(dec.need, 8);
    ck_assert_uint_eq(v.format, 77);
    ck_assert_int_eq(iwarp_rpc_rdma_encode(guard_out(n), n, &len, &v), IWARP_ERR_NOBUF);
    ck_assert_uint_eq(len, 8);
  }
  ck_assert_int_eq(iwarp_rpc_rdma_decode(&v, guard_in(octets, 8)).err, IWARP_OK);
  ck_assert_uint_eq(v.format, IWARP_RPC_RDMA_FORMAT);
  ck_assert_uint_eq(v.version, IWARP_RPC_RDMA_VERSION);
  ck_assert(v.reserved == 0 && v.remote_invalidation);
  ck_assert_uint_eq(iwarp_rpc_rdma_octets(v.send_size), 4096);
  ck_assert_uint_eq(iwarp_rpc_rdma_octets(v.receive_size), 262144);
  v.reserved = 0x7F;
  v.remote_invalidation = false;
  ck_assert_int_eq(iwarp_rpc_rdma_encode(octets, 8, &len, &v), IWARP_OK);
  ck_assert_mem_eq(octets, "\xf6\xab\x0e\x18\x01\xfe\x03\xff", 8);
  v.reserved = 0x80;
  ck_assert_int_eq(iwarp_rpc_rdma_encode(NULL, 0, &len, &v), IWARP_ERR_ARG);
}
END_TEST

START_TEST(rpc_over_rdma_sizes)
{
  for (unsigned size = 0; size < 256; size++) {
    const uint32_t octets = iwarp_rpc_rdma_octets((uint8_t)size);
    ck_assert_uint_eq(octets, 1024 * (size + 1));
    ck_assert_uint_eq(iwarp_rpc_rdma_size(octets), size);
    ck_assert_uint_eq(iwarp_rpc_rdma_size(octets + 1023), size);
    ck_assert_uint_eq(iwarp_rpc_rdma_size(octets - 1), size > 0 ? size - 1 : 0);
  }
  ck_assert_uint_eq(iwarp_rpc_rdma_size(0), 0);
  ck_assert_uint_eq(iwarp_rpc_rdma_size(262144 + 1024), 255);
  ck_assert_uint_eq(iwarp_rpc_rdma_size(UINT32_MAX), 255);
}
END_TEST

/* RFC 8797 5.2: the identifier may stand anywhere; version and length are checked. */
START_TEST(rpc_over_rdma_is_found)
{
  static const struct {
    const char *hex;
    size_t at; /* 99: nowhere */
  } vectors[] = {
      {"f6ab0e18 01000303", 0},
      {"00 f6ab0e18 01000303 00", 1},
      {"8008c004 f6ab0e18 01000303", 4},
      {"f6ab0e18 02000303 f6ab0e18 01010000", 8},
      {"f6f6ab0e f6ab0e18 01ff0000 f6ab0e18 01000000", 4},
      {"(00*504) f6ab0e18 01000303", 504},
      {"f6ab0e18 010003", 99},
      {"f6ab0e18 02000303", 99},
      {"f6ab0e19 01000303", 99},
      {"", 99},
  };
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    uint8_t octets[512];
    iwarp_span in = guard_in(octets, hex_octets(octets, sizeof octets, vectors[i].hex));
    iwarp_span found = iwarp_rpc_rdma_find(in);
    ck_assert_msg(found.len == (vectors[i].at == 99 ? 0 : 8), "%s", vectors[i].hex);
    ck_assert_msg(found.len == 0 || found.ptr == in.ptr + vectors[i].at, "%s", vectors[i].hex);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {depths_in_both_orders,   what_does_not_look_like_depths,
                                depths_at_their_limits,  names_of_reserved_flags_and_revisions,
                                frames_of_revision_129,  extension_at_its_limits,
                                rpc_over_rdma_both_ways, rpc_over_rdma_sizes,
                                rpc_over_rdma_is_found,  NULL};
  return check_run(check_suite("private-data", tests));
}
