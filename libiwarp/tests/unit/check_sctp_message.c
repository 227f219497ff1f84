/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP Segment Chunks, Session Control messages, the Adaptation Layer Indication and sizes. */
#include <iwarp/ddp.h>
#include <iwarp/mpa.h>
#include <iwarp/sctp.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"

#define DATA_HEADER 16u /* octets of an SCTP DATA chunk before its user data */

/* Sessions as DATA chunks, padding left out: RFC 5043 3 to 6. */
typedef struct control_vector {
  const char *chunk;
  uint16_t ssn;
  uint16_t function;
  const char *private_data;
} control_vector;

static const control_vector control_vectors[] = {
    {"00 07 00 18 00000010 0005 0000 00000011 0000 0001 70696E67", 0, IWARP_SCTP_INITIATE, "ping"},
    {"00 07 00 14 00000900 0005 0000 00000011 0000 0002", 0, IWARP_SCTP_ACCEPT, ""},
    {"00 07 00 14 00000901 0005 0000 00000011 0001 0004", 1, IWARP_SCTP_TERMINATE, ""},
    {"00 07 00 14 00000012 0005 0000 00000011 0002 0004", 2, IWARP_SCTP_TERMINATE, ""},
    {"00 07 00 16 00000900 0005 0000 00000011 0000 0003 6E6F", 0, IWARP_SCTP_REJECT, "no"},
    {"00 07 00 14 00000900 0005 0000 00000011 0000 0004", 0, IWARP_SCTP_TERMINATE, ""},
};

/* The user data of a DATA chunk in hex, at the end of memory. */
static iwarp_span user_data_of(const char *chunk) {
  uint8_t octets[64];
  size_t len = hex_octets(octets, sizeof octets, chunk);
  ck_assert_uint_eq((size_t)octets[2] * 256 + octets[3], len);
  return guard_in(octets + DATA_HEADER, len - DATA_HEADER);
}

START_TEST(control_messages_of_the_sessions)
{
  for (size_t i = 0; i < sizeof control_vectors / sizeof control_vectors[0]; i++) {
    const control_vector *vec = &control_vectors[i];
    iwarp_span in = user_data_of(vec->chunk);
    iwarp_sctp_control v;
    iwarp_dec dec = iwarp_sctp_control_decode(&v, in);
    ck_assert_int_eq(dec.err, IWARP_OK);
    ck_assert_uint_eq(dec.used, in.len);
    ck_assert_uint_eq(v.ssn, vec->ssn);
    ck_assert_uint_eq(v.function, vec->function);
    ck_assert_uint_eq(v.private_data.len, strlen(vec->private_data));
    ck_assert(memcmp(v.private_data.ptr, vec->private_data, v.private_data.len) == 0);
    ck_assert_uint_eq(iwarp_sctp_control_enhanced(&v).len, 0);
    ck_assert_uint_eq(iwarp_sctp_control_ulp_data(&v).len, v.private_data.len);
    uint8_t *dst = guard_out(in.len);
    size_t len = 0;
    ck_assert_int_eq(iwarp_sctp_control_encode(dst, in.len, &len, &v), IWARP_OK);
    ck_assert_uint_eq(len, in.len);
    ck_assert_mem_eq(dst, in.ptr, len);
  }
}
END_TEST

START_TEST(segment_of_the_session)
{
  iwarp_span in = user_data_of("00 07 00 28 00000011 0005 0000 00000010 0001 41430000000000000000"
                               "00000001 00000000 DEADBEEF");
  iwarp_sctp_segment v;
  iwarp_dec dec = iwarp_sctp_segment_decode(&v, in);
  ck_assert_int_eq(dec.err, IWARP_OK);
  ck_assert_uint_eq(dec.used, 24);
  ck_assert_uint_eq(v.ssn, 1);
  ck_assert_ptr_eq(v.segment.ptr, in.ptr + 2);
  ck_assert_uint_eq(v.segment.len, 22);
  iwarp_ddp_hdr ddp;
  ck_assert_int_eq(iwarp_ddp_hdr_decode(&ddp, v.segment).err, IWARP_OK);
  ck_assert(!ddp.tagged && ddp.last && ddp.qn == 0 && ddp.msn == 1 && ddp.mo == 0);
  uint8_t *dst = guard_out(in.len);
  size_t len = 0;
  ck_assert_int_eq(iwarp_sctp_segment_encode(dst, in.len, &len, &v), IWARP_OK);
  ck_assert_mem_eq(dst, in.ptr, in.len);
}
END_TEST

START_TEST(every_prefix)
{
  uint8_t octets[16] = {0xC0, 0x06, 0, 8, 0, 0, 0, 1, 9, 9};
  for (size_t n = 0; n <= 10; n++) {
    iwarp_span in = guard_in(octets, n);
    iwarp_sctp_segment segment = {.ssn = 7};
    iwarp_dec dec = iwarp_sctp_segment_decode(&segment, in);
    ck_assert_int_eq(dec.err, n < 2 ? IWARP_ERR_NEED_MORE : IWARP_OK);
    ck_assert_uint_eq(n < 2 ? dec.need : dec.used, n < 2 ? 2 : n);
    ck_assert_uint_eq(segment.ssn, n < 2 ? 7 : 0xC006);
    ck_assert_uint_eq(segment.segment.len, n < 2 ? 0 : n - 2);
    iwarp_sctp_control control = {.ssn = 7};
    dec = iwarp_sctp_control_decode(&control, in);
    ck_assert_int_eq(dec.err, n < 4 ? IWARP_ERR_NEED_MORE : IWARP_OK);
    ck_assert_uint_eq(n < 4 ? dec.need : dec.used, n < 4 ? 4 : n);
    ck_assert_uint_eq(control.ssn, n < 4 ? 7 : 0xC006);
    ck_assert_uint_eq(control.private_data.len, n < 4 ? 0 : n - 4);
    iwarp_sctp_adaptation adaptation = {.type = 7};
    dec = iwarp_sctp_adaptation_decode(&adaptation, in);
    ck_assert_int_eq(dec.err, n < 8 ? IWARP_ERR_NEED_MORE : IWARP_OK);
    ck_assert_uint_eq(n < 8 ? dec.need : dec.used, 8);
    ck_assert_uint_eq(adaptation.type, n < 8 ? 7 : IWARP_SCTP_ADAPTATION_TYPE);
  }
}
END_TEST

START_TEST(any_octets_come_back)
{
  prng p = {.state = 5043};
  for (size_t i = 0; i < 5000; i++) {
    uint8_t octets[600]; /* Private Data beyond 512 octets too */
    uint8_t again[sizeof octets];
    size_t n = 8 + (size_t)prng_below(&p, sizeof octets - 8);
    prng_fill(&p, octets, n);
    iwarp_span in = guard_in(octets, n);
    size_t len = 0;
    iwarp_sctp_segment segment;
    iwarp_sctp_segment_decode(&segment, in);
    expect(iwarp_sctp_segment_encode(again, sizeof again, &len, &segment) == IWARP_OK, "%zu", i);
    expect(len == n && memcmp(again, octets, n) == 0, "%zu: not the same segment", i);
    iwarp_sctp_control control;
    iwarp_sctp_control_decode(&control, in);
    expect(iwarp_sctp_control_encode(again, sizeof again, &len, &control) == IWARP_OK, "%zu", i);
    expect(len == n && memcmp(again, octets, n) == 0, "%zu: not the same message", i);
    iwarp_sctp_adaptation adaptation;
    iwarp_sctp_adaptation_decode(&adaptation, in);
    expect(iwarp_sctp_adaptation_encode(again, sizeof again, &len, &adaptation) == IWARP_OK, "%zu",
           i);
    expect(len == 8 && memcmp(again, octets, 8) == 0, "%zu: not the same parameter", i);
  }
}
END_TEST

/* A length whose sum with the header's wraps writes nothing. */
START_TEST(sizes_that_wrap)
{
  static const uint8_t untouched[8] = {0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A};
  uint8_t dst[8];
  size_t len;
  for (size_t below = 0; below < 8; below++) {
    const iwarp_sctp_control control = {.function = 1, .private_data = {dst, SIZE_MAX - below}};
    const iwarp_sctp_segment segment = {.segment = {dst, SIZE_MAX - below}};
    memset(dst, 0x5A, sizeof dst);
    ck_assert_int_eq(iwarp_sctp_control_encode(dst, sizeof dst, &len, &control), IWARP_ERR_NOBUF);
    ck_assert_uint_ge(len, SIZE_MAX - below);
    ck_assert_int_eq(iwarp_sctp_segment_encode(dst, sizeof dst, &len, &segment), IWARP_ERR_NOBUF);
    ck_assert_uint_ge(len, SIZE_MAX - below);
    ck_assert_mem_eq(dst, untouched, sizeof dst);
  }
}
END_TEST

START_TEST(encoding_sizes)
{
  static const uint8_t data[IWARP_SCTP_PRIVATE_DATA_MAX] = {1};
  const iwarp_sctp_control control = {.function = IWARP_SCTP_INITIATE,
                                      .private_data = {data, sizeof data}};
  const iwarp_sctp_segment segment = {.segment = {data, 14}};
  const iwarp_sctp_adaptation adaptation = {0};
  size_t len = 0;
  ck_assert_int_eq(iwarp_sctp_control_encode(NULL, 0, &len, &control), IWARP_OK);
  ck_assert_uint_eq(len, 516);
  ck_assert_int_eq(iwarp_sctp_control_encode(guard_out(515), 515, &len, &control), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_sctp_control_encode(guard_out(516), 516, &len, &control), IWARP_OK);
  ck_assert_int_eq(iwarp_sctp_segment_encode(NULL, 0, &len, &segment), IWARP_OK);
  ck_assert_uint_eq(len, 16);
  ck_assert_int_eq(iwarp_sctp_segment_encode(guard_out(15), 15, &len, &segment), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_sctp_adaptation_encode(NULL, 0, &len, &adaptation), IWARP_OK);
  ck_assert_uint_eq(len, 8);
  ck_assert_int_eq(iwarp_sctp_adaptation_encode(guard_out(7), 7, &len, &adaptation),
                   IWARP_ERR_NOBUF);
}
END_TEST

/* RFC 6581 9: the octets of "A=1 B=0 IRD=8 C=1 D=1 ORD=4". */
/* A length that no memory has does not wrap. */
START_TEST(the_size_of_too_much_is_the_largest)
{
  const iwarp_sctp_segment v = {.segment = {.ptr = guard_out(0), .len = SIZE_MAX}};
  uint8_t *dst = guard_out(16);
  size_t len = 0;
  ck_assert_int_eq(iwarp_sctp_segment_encode(NULL, 0, &len, &v), IWARP_OK);
  ck_assert_uint_eq(len, SIZE_MAX);
  len = 0;
  ck_assert_int_eq(iwarp_sctp_segment_encode(dst, 16, &len, &v), IWARP_ERR_NOBUF);
  ck_assert_uint_eq(len, SIZE_MAX);
  ck_assert_uint_eq(dst[0], 0xA5);
}
END_TEST

START_TEST(enhanced_data_stands_under_codes_5_to_7_only)
{
  for (unsigned code = 0; code <= 0xFFFF; code++) {
    for (size_t n = 3; n <= 6; n++) {
      uint8_t octets[16] = {0, 0, (uint8_t)(code >> 8), (uint8_t)code, 0x80, 0x08, 0xC0, 4, 1, 2};
      iwarp_sctp_control v;
      iwarp_sctp_control_decode(&v, (iwarp_span){octets, 4 + n});
      bool there = code >= 5 && code <= 7 && n >= 4;
      iwarp_span word = iwarp_sctp_control_enhanced(&v);
      expect(word.len == (there ? 4u : 0u), "%u, %zu octets", code, n);
      expect(iwarp_sctp_control_ulp_data(&v).len == (there ? n - 4 : n), "%u, %zu", code, n);
      if (there) {
        iwarp_mpa_enhanced e;
        expect(iwarp_mpa_enhanced_decode(&e, word).err == IWARP_OK, "%u", code);
        expect(e.a && !e.b && e.ird == 8 && e.c && e.d && e.ord == 4, "%u", code);
      }
    }
  }
}
END_TEST

START_TEST(function_codes)
{
  static const char *const names[] = {
      "initiate",          "accept",          "reject",          "terminate",
      "enhanced-initiate", "enhanced-accept", "enhanced-reject", "experimental"};
  static const char *const labels[] = {"DDP Stream Session Initiate",
                                       "DDP Stream Session Accept",
                                       "DDP Stream Session Reject",
                                       "DDP Stream Session Terminate",
                                       "Enhanced DDP Stream Session Initiate",
                                       "Enhanced DDP Stream Session Accept",
                                       "Enhanced DDP Stream Session Reject",
                                       "Reserved (Experimental)"};
  for (size_t i = 0; i < 8; i++) {
    const iwarp_sctp_function_info *info = iwarp_sctp_function_at(i);
    ck_assert_uint_eq(info->code, i < 7 ? i + 1 : 0xFFFF);
    ck_assert_str_eq(info->name, names[i]);
    ck_assert_str_eq(info->label, labels[i]);
    ck_assert_str_eq(info->rfc, i < 4 ? "RFC 5043 5.2.3" : i < 7 ? "RFC 6581 7" : "RFC 6580 3.5");
    ck_assert(info->assigned == (i < 7));
    ck_assert(info->private_data == (i != 3)); /* Terminate has none */
    ck_assert(info->enhanced == (i >= 4 && i < 7));
    ck_assert_ptr_eq(iwarp_sctp_function_get(info->code), info);
  }
  ck_assert_ptr_null(iwarp_sctp_function_at(8));
  ck_assert_ptr_null(iwarp_sctp_function_get(0));
  ck_assert_ptr_null(iwarp_sctp_function_get(8));
  ck_assert_ptr_null(iwarp_sctp_function_get(0xFFFE));
  ck_assert_str_eq(iwarp_sctp_ppid_name(16), "DDP Segment Chunk");
  ck_assert_str_eq(iwarp_sctp_ppid_name(17), "DDP Stream Session Control");
  ck_assert_str_eq(iwarp_sctp_ppid_name(0x10000000), "unknown"); /* 16 with its octets swapped */
}
END_TEST

typedef struct size_vector {
  uint32_t mtu;
  uint32_t ip_header;
  uint32_t segment;
  uint32_t beside_a_sack; /* segment with a SACK of 16 octets bundled */
} size_vector;

static const size_vector size_vectors[] = {
    {1500, 20, 1450, 1434}, {1500, 40, 1430, 1414}, {1280, 40, 1210, 1194}, {9000, 20, 8950, 8934},
    {576, 20, 526, 516},    {552, 20, 516, 516},    {1503, 20, 1450, 1434}, {1504, 20, 1454, 1438},
    {0, 20, 516, 516},      {30, 20, 516, 516},     {40, 20, 516, 516},     {48, 20, 516, 516}};

START_TEST(largest_segment)
{
  for (size_t i = 0; i < sizeof size_vectors / sizeof size_vectors[0]; i++) {
    const size_vector *vec = &size_vectors[i];
    ck_assert_uint_eq(iwarp_sctp_mulpdu(vec->mtu, vec->ip_header, 0), vec->segment);
    ck_assert_uint_eq(iwarp_sctp_mulpdu(vec->mtu, vec->ip_header, 16), vec->beside_a_sack);
  }
}
END_TEST

START_TEST(distance_of_ddp_ssns)
{
  ck_assert_uint_eq(iwarp_sctp_ssn_distance(65535, 65534), 1);
  ck_assert_uint_eq(iwarp_sctp_ssn_distance(0, 65534), 2);
  ck_assert_uint_eq(iwarp_sctp_ssn_distance(65534, 65534), 0);
  ck_assert_uint_eq(iwarp_sctp_ssn_distance(65533, 65534), 65535);
  ck_assert_uint_eq(iwarp_sctp_ssn_distance(32776, 10), 32766);
  ck_assert_uint_eq(iwarp_sctp_ssn_distance(32777, 10), 32767);
}
END_TEST

START_TEST(adaptation_indication)
{
  uint8_t octets[8];
  hex_octets(octets, sizeof octets, "C0060008 00000001");
  iwarp_sctp_adaptation v;
  iwarp_sctp_adaptation_decode(&v, guard_in(octets, 8));
  ck_assert_uint_eq(v.type, IWARP_SCTP_ADAPTATION_TYPE);
  ck_assert_uint_eq(v.length, IWARP_SCTP_ADAPTATION_LEN);
  ck_assert_uint_eq(v.indication, IWARP_SCTP_ADAPTATION_DDP);
  static const uint32_t others[] = {0, 2, 0x80000000u, UINT32_MAX};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    size_t len = 0;
    v.indication = others[i];
    ck_assert_int_eq(iwarp_sctp_adaptation_encode(octets, sizeof octets, &len, &v), IWARP_OK);
    ck_assert_uint_eq(len, 8);
    v.indication = 1;
    iwarp_sctp_adaptation_decode(&v, guard_in(octets, 8));
    ck_assert_uint_eq(v.indication, others[i]);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {control_messages_of_the_sessions,
                                segment_of_the_session,
                                every_prefix,
                                any_octets_come_back,
                                sizes_that_wrap,
                                encoding_sizes,
                                the_size_of_too_much_is_the_largest,
                                enhanced_data_stands_under_codes_5_to_7_only,
                                function_codes,
                                largest_segment,
                                distance_of_ddp_ssns,
                                adaptation_indication,
                                NULL};
  return check_run(check_suite("sctp-message", tests));
}
