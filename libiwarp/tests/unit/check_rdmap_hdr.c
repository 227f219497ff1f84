/* SPDX-License-Identifier: BSD-2-Clause */
/* The RDMA Read Request Header, the atomic headers, and what the Atomic Operations compute. */
#include <iwarp/rdmap.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"

START_TEST(read_request_header)
{
  uint8_t octets[28];
  hex_octets(octets, 28, "0A0B0C0D 0000000000002000 00001000 11223344 0000000100000000");
  iwarp_rdmap_read_req v;
  iwarp_dec dec = iwarp_rdmap_read_req_decode(&v, guard_in(octets, 28));
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, 28);
  ck_assert_uint_eq(v.sink_stag, 0x0A0B0C0D);
  ck_assert_uint_eq(v.sink_to, 0x2000);
  ck_assert_uint_eq(v.size, 4096);
  ck_assert_uint_eq(v.source_stag, 0x11223344);
  ck_assert_uint_eq(v.source_to, UINT64_C(0x100000000));
  uint8_t *dst = guard_out(28);
  size_t len = 0;
  ck_assert_int_eq(iwarp_rdmap_read_req_encode(dst, 28, &len, &v), IWARP_OK);
  ck_assert_mem_eq(dst, octets, 28);
}
END_TEST

START_TEST(atomic_request_header)
{
  uint8_t octets[52];
  hex_octets(octets, 52,
             "FEDCBA92 00000012 12345678 0000000010002008 00000000000000AA 00000000000000FF "
             "000000000000000F FFFFFFFFFFFFFFF0");
  iwarp_rdmap_atomic_req v;
  iwarp_dec dec = iwarp_rdmap_atomic_req_decode(&v, guard_in(octets, 52));
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, 52);
  ck_assert_uint_eq(v.reserved, 0xFEDCBA9);
  ck_assert_uint_eq(v.aopcode, IWARP_RDMAP_AOP_CMP_SWAP);
  ck_assert_uint_eq(v.request_id, 0x12);
  ck_assert_uint_eq(v.stag, 0x12345678);
  ck_assert_uint_eq(v.to, 0x10002008);
  ck_assert_uint_eq(v.add_swap_data, 0xAA);
  ck_assert_uint_eq(v.add_swap_mask, 0xFF);
  ck_assert_uint_eq(v.compare_data, 0x0F);
  ck_assert_uint_eq(v.compare_mask, UINT64_C(0xFFFFFFFFFFFFFFF0));
  uint8_t *dst = guard_out(52);
  size_t len = 0;
  ck_assert_int_eq(iwarp_rdmap_atomic_req_encode(dst, 52, &len, &v), IWARP_OK);
  ck_assert_mem_eq(dst, octets, 52);
  v.reserved = 0x0FFFFFFF;
  v.aopcode = 15;
  ck_assert_int_eq(iwarp_rdmap_atomic_req_encode(dst, 52, &len, &v), IWARP_OK);
  ck_assert_mem_eq(dst, "\xFF\xFF\xFF\xFF", 4);
  v.reserved = 0x10000000;
  ck_assert_int_eq(iwarp_rdmap_atomic_req_encode(dst, 52, &len, &v), IWARP_ERR_ARG);
  v.reserved = 0;
  v.aopcode = 16;
  ck_assert_int_eq(iwarp_rdmap_atomic_req_encode(dst, 52, &len, &v), IWARP_ERR_ARG);
}
END_TEST

START_TEST(atomic_response_header)
{
  uint8_t octets[12];
  hex_octets(octets, 12, "00000011 8000000000000000");
  iwarp_rdmap_atomic_resp v;
  iwarp_dec dec = iwarp_rdmap_atomic_resp_decode(&v, guard_in(octets, 12));
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, 12);
  ck_assert_uint_eq(v.request_id, 0x11);
  ck_assert_uint_eq(v.original, UINT64_C(0x8000000000000000));
  uint8_t *dst = guard_out(12);
  size_t len = 0;
  ck_assert_int_eq(iwarp_rdmap_atomic_resp_encode(dst, 12, &len, &v), IWARP_OK);
  ck_assert_mem_eq(dst, octets, 12);
}
END_TEST

/* The three headers have fixed lengths: prefixes, sizes and the identity go alike. */
typedef struct any_hdr {
  iwarp_rdmap_read_req read_req;
  iwarp_rdmap_atomic_req atomic_req;
  iwarp_rdmap_atomic_resp atomic_resp;
} any_hdr;

static const size_t any_lens[] = {IWARP_RDMAP_READ_REQ_LEN, IWARP_RDMAP_ATOMIC_REQ_LEN,
                                  IWARP_RDMAP_ATOMIC_RESP_LEN};

static iwarp_dec any_decode(size_t which, any_hdr *v, iwarp_span in) {
  if (which == 0) {
    return iwarp_rdmap_read_req_decode(&v->read_req, in);
  }
  return which == 1 ? iwarp_rdmap_atomic_req_decode(&v->atomic_req, in)
                    : iwarp_rdmap_atomic_resp_decode(&v->atomic_resp, in);
}

static iwarp_err any_encode(size_t which, uint8_t *dst, size_t cap, size_t *len, const any_hdr *v) {
  if (which == 0) {
    return iwarp_rdmap_read_req_encode(dst, cap, len, &v->read_req);
  }
  return which == 1 ? iwarp_rdmap_atomic_req_encode(dst, cap, len, &v->atomic_req)
                    : iwarp_rdmap_atomic_resp_encode(dst, cap, len, &v->atomic_resp);
}

START_TEST(prefixes_sizes_and_identity)
{
  prng p = {.state = 7};
  for (size_t which = 0; which < 3; which++) {
    size_t whole = any_lens[which];
    uint8_t octets[64];
    prng_fill(&p, octets, sizeof octets);
    any_hdr v;
    memset(&v, 0x77, sizeof v);
    any_hdr untouched = v;
    size_t len;
    for (size_t n = 0; n < whole; n++) {
      iwarp_dec dec = any_decode(which, &v, guard_in(octets, n));
      ck_assert_msg(dec.err == IWARP_ERR_NEED_MORE && dec.need == whole, "%zu: %zu octets", which,
                    n);
      ck_assert_msg(memcmp(&v, &untouched, sizeof v) == 0, "%zu: output touched", which);
    }
    for (size_t i = 0; i < 5000; i++) {
      prng_fill(&p, octets, sizeof octets);
      iwarp_dec dec = any_decode(which, &v, guard_in(octets, whole + i % 2));
      expect(dec.err == IWARP_OK && dec.used == whole, "%zu", which);
      uint8_t *dst = guard_out(whole);
      expect(any_encode(which, dst, whole, &len, &v) == IWARP_OK, "%zu", which);
      expect(len == whole && memcmp(dst, octets, whole) == 0, "%zu", which);
    }
    for (size_t cap = 0; cap < whole; cap++) {
      len = 0;
      ck_assert_int_eq(any_encode(which, guard_out(cap), cap, &len, &v), IWARP_ERR_NOBUF);
      ck_assert_uint_eq(len, whole);
    }
    ck_assert_int_eq(any_encode(which, NULL, 0, &len, &v), IWARP_OK);
    ck_assert_uint_eq(len, whole);
  }
}
END_TEST

/* FetchAdd as RFC 7306 5.1.1 writes it: bit after bit, the carry dropped after the top bit of each
 * field. */
static uint64_t fetch_add_by_bits(uint64_t old, uint64_t add, uint64_t mask) {
  uint64_t result = 0;
  uint64_t carry = 0;
  for (unsigned bit = 0; bit < 64; bit++) {
    uint64_t sum = (old >> bit & 1) + (add >> bit & 1) + carry;
    result |= (sum & 1) << bit;
    carry = (mask >> bit & 1) != 0 ? 0 : sum >> 1;
  }
  return result;
}

typedef struct add_vector {
  uint64_t old, add, mask, want;
} add_vector;

static const add_vector add_vectors[] = {
    {0x00000000FFFFFFFF, 1, 0, 0x0000000100000000},
    {0x00000000FFFFFFFF, 1, 0x0000000080000000, 0},
    {0xFFFF00017FFFFFFF, 0x0001000100010001, 0x8000800080008000, 0x0000000280000000},
    {5, 3, UINT64_MAX, 6},
    {0xFF, 1, 0x80, 0},
    {UINT64_MAX, 1, 0, 0},
    {0x0123456789ABCDEF, 0, 0, 0x0123456789ABCDEF},
    {0x0123456789ABCDEF, 0, 0x8888888888888888, 0x0123456789ABCDEF},
};

START_TEST(fetch_add)
{
  for (size_t i = 0; i < sizeof add_vectors / sizeof add_vectors[0]; i++) {
    const add_vector *vec = &add_vectors[i];
    ck_assert_msg(iwarp_rdmap_fetch_add(vec->old, vec->add, vec->mask) == vec->want, "row %zu", i);
    ck_assert_msg(fetch_add_by_bits(vec->old, vec->add, vec->mask) == vec->want, "row %zu", i);
  }
  prng p = {.state = 8};
  for (size_t i = 0; i < 100000; i++) {
    uint64_t old = prng_next(&p);
    uint64_t add = prng_next(&p);
    uint64_t mask = prng_next(&p) & (i % 2 != 0 ? prng_next(&p) & prng_next(&p) : UINT64_MAX);
    expect(iwarp_rdmap_fetch_add(old, add, mask) == fetch_add_by_bits(old, add, mask), "%zu", i);
  }
}
END_TEST

typedef struct swap_vector {
  uint64_t old, swap, swap_mask, compare, compare_mask, want;
} swap_vector;

static const swap_vector swap_vectors[] = {
    {0x0F, 0xAA, 0xFF, 0x0F, 0xFF, 0xAA},
    {0x1F, 0xAA, 0xFF, 0x0F, 0xFF, 0x1F},
    {0x11223344AABBCCDD, 0xFFFF, 0xFF, 0xDD, 0xFF, 0x11223344AABBCCFF},
    {0x11223344AABBCCDD, 0x55, UINT64_MAX, 0, 0, 0x55},
    {0x7, 0xF0, 0xF0, 0x7, UINT64_MAX, 0xF7},
    {0x1234, 0x9999, 0, 0x1234, UINT64_MAX, 0x1234},
};

START_TEST(cmp_swap)
{
  for (size_t i = 0; i < sizeof swap_vectors / sizeof swap_vectors[0]; i++) {
    const swap_vector *v = &swap_vectors[i];
    uint64_t got = iwarp_rdmap_cmp_swap(v->old, v->swap, v->swap_mask, v->compare, v->compare_mask);
    ck_assert_msg(got == v->want, "row %zu", i);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {read_request_header,
                                atomic_request_header,
                                atomic_response_header,
                                prefixes_sizes_and_identity,
                                fetch_add,
                                cmp_swap,
                                NULL};
  return check_run(check_suite("rdmap-hdr", tests));
}
