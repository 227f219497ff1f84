/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments decoded down to the RDMAP header, whole, cut by the sender, and cut by the capture. */
#include <iwarp/rdmap.h>
#include <string.h>

#include "check_run.h"
#include "guard.h"
#include "hex.h"
#include "prng.h"

#define UNTAGGED(opcode, qn) "41 4" opcode " 00000000 " qn " 00000001 00000000 "
#define READ_HDR "0A0B0C0D 0000000000002000 00001000 11223344 0000000100000000 "
#define ATOMIC_HDR                                                                                 \
  "00000002 00000012 12345678 0000000010002008 (00*7) AA (00*7) FF (00*7) 0F (00*7) FF "

typedef struct known_seg {
  const char *id;
  const char *hex;
  iwarp_rdmap_kind kind;
  size_t hdr; /* octets of RDMAP header; the least for a Terminate */
  iwarp_err err;
} known_seg;

static const known_seg segs[] = {
    {"write", "C1 40 00112233 0000000000001000 DEADBEEF", IWARP_RDMAP_KIND_NONE, 0, IWARP_OK},
    {"empty write", "C1 40 00000001 0000000000000000", IWARP_RDMAP_KIND_NONE, 0, IWARP_OK},
    {"read request", UNTAGGED("1", "00000001") READ_HDR, IWARP_RDMAP_KIND_READ_REQ, 28, IWARP_OK},
    {"read request and one octet", UNTAGGED("1", "00000001") READ_HDR "55",
     IWARP_RDMAP_KIND_READ_REQ, 28, IWARP_ERR_RDMAP_LONG},
    {"read response", "C1 42 0A0B0C0D 0000000000002B9C 010203", IWARP_RDMAP_KIND_NONE, 0, IWARP_OK},
    {"send", UNTAGGED("3", "00000000") "68656C6C6F", IWARP_RDMAP_KIND_NONE, 0, IWARP_OK},
    {"empty send", UNTAGGED("3", "00000000"), IWARP_RDMAP_KIND_NONE, 0, IWARP_OK},
    {"terminate", UNTAGGED("7", "00000002") "20 02 0000", IWARP_RDMAP_KIND_TERM, 4, IWARP_OK},
    {"terminate with surplus", UNTAGGED("7", "00000002") "20 02 0000 0102", IWARP_RDMAP_KIND_TERM,
     4, IWARP_OK},
    {"immediate", UNTAGGED("8", "00000000") "0102030405060708", IWARP_RDMAP_KIND_IMMEDIATE, 8,
     IWARP_OK},
    {"immediate-se", UNTAGGED("9", "00000000") "0102030405060708", IWARP_RDMAP_KIND_IMMEDIATE, 8,
     IWARP_OK},
    {"immediate of nine", UNTAGGED("9", "00000000") "010203040506070809",
     IWARP_RDMAP_KIND_IMMEDIATE, 8, IWARP_ERR_RDMAP_LONG},
    {"atomic request", UNTAGGED("A", "00000001") ATOMIC_HDR, IWARP_RDMAP_KIND_ATOMIC_REQ, 52,
     IWARP_OK},
    {"atomic response", UNTAGGED("B", "00000003") "00000011 000000000000000A",
     IWARP_RDMAP_KIND_ATOMIC_RESP, 12, IWARP_OK},
    {"reserved", UNTAGGED("C", "00000000") "0102", IWARP_RDMAP_KIND_NONE, 0, IWARP_OK},
    {"experimental", UNTAGGED("F", "00000000") "0102", IWARP_RDMAP_KIND_NONE, 0, IWARP_OK},
    {"untagged write", UNTAGGED("0", "00000000") "0102", IWARP_RDMAP_KIND_NONE, 0, IWARP_OK},
    {"tagged read request", "C1 41 00112233 0000000000001000 " READ_HDR, IWARP_RDMAP_KIND_NONE, 0,
     IWARP_OK},
    {"read request, later segment", "41 41 00000000 00000001 00000001 00000004 0102",
     IWARP_RDMAP_KIND_NONE, 0, IWARP_OK},
};
#define NUM_SEGS (sizeof segs / sizeof segs[0])

/* Decodes the first n octets of a segment of `len` octets and compares with what must come out. */
static void check_seg(const known_seg *s, const uint8_t *octets, size_t n, size_t len,
                      size_t whole) {
  iwarp_rdmap_seg v;
  memset(&v, 0xEE, sizeof v);
  iwarp_rdmap_seg_decode(&v, guard_in(octets, n), len);
  size_t held = n < len ? n : len;
  size_t ddp = iwarp_ddp_hdr_len(octets[0]);
  bool ddp_short = len < (held > 0 ? ddp : 14);
  expect(v.has_ddp == (held >= ddp), "%s: %zu of %zu: DDP header", s->id, n, len);
  if (!v.has_ddp) {
    expect(v.err == (ddp_short ? IWARP_ERR_DDP_SHORT : IWARP_OK), "%s: %zu of %zu: %s", s->id, n,
           len, iwarp_errname(v.err));
    expect(v.kind == IWARP_RDMAP_KIND_NONE, "%s: %zu of %zu: kind", s->id, n, len);
    return;
  }
  expect(v.payload_len == len - ddp, "%s: %zu of %zu: payload", s->id, n, len);
  expect(v.ddp.rsvdulp == octets[1] && v.ctrl.opcode == octets[1] % 16, "%s: control", s->id);
  bool here = s->kind != IWARP_RDMAP_KIND_NONE && held >= ddp + s->hdr;
  expect(v.kind == (here ? s->kind : IWARP_RDMAP_KIND_NONE), "%s: %zu of %zu: kind %d", s->id, n,
         len, (int)v.kind);
  iwarp_err err = len == whole ? s->err : IWARP_OK;
  if (s->kind != IWARP_RDMAP_KIND_NONE && len < ddp + s->hdr) {
    err = IWARP_ERR_RDMAP_SHORT;
  }
  expect(v.err == err, "%s: %zu of %zu: %s", s->id, n, len, iwarp_errname(v.err));
}

START_TEST(segments_whole_and_cut)
{
  for (size_t i = 0; i < NUM_SEGS; i++) {
    uint8_t octets[96];
    size_t whole = hex_octets(octets, sizeof octets, segs[i].hex);
    for (size_t len = 0; len <= whole; len++) {
      for (size_t n = 0; n <= len; n++) {
        check_seg(&segs[i], octets, n, len, whole);
      }
    }
    check_seg(&segs[i], octets, whole, whole - 1, whole); /* octets after the segment */
  }
}
END_TEST

static iwarp_rdmap_seg decode_hex(const char *hex) {
  uint8_t octets[96];
  size_t len = hex_octets(octets, sizeof octets, hex);
  iwarp_rdmap_seg v;
  iwarp_rdmap_seg_decode(&v, guard_in(octets, len), len);
  return v;
}

START_TEST(headers_are_decoded)
{
  iwarp_rdmap_seg v = decode_hex(segs[2].hex);
  ck_assert_uint_eq(v.u.read_req.sink_stag, 0x0A0B0C0D);
  ck_assert_uint_eq(v.u.read_req.source_to, UINT64_C(0x100000000));
  v = decode_hex(segs[8].hex);
  ck_assert_uint_eq(v.u.term.layer, 2);
  ck_assert_uint_eq(v.u.term.code, 2);
  ck_assert_uint_eq(v.u.term.rest.len, 2);
  v = decode_hex(segs[10].hex);
  ck_assert_mem_eq(v.u.immediate, "\1\2\3\4\5\6\7\10", 8);
  v = decode_hex(segs[12].hex);
  ck_assert_uint_eq(v.u.atomic_req.request_id, 0x12);
  ck_assert_uint_eq(v.u.atomic_req.compare_mask, 0xFF);
  v = decode_hex(segs[13].hex);
  ck_assert_uint_eq(v.u.atomic_resp.original, 10);
}
END_TEST

START_TEST(a_terminate_cut_by_the_capture_is_not_truncated)
{
  uint8_t octets[70];
  size_t len =
      hex_octets(octets, sizeof octets,
                 UNTAGGED("7", "00000002") "01 00 E000 002E " UNTAGGED("1", "00000001") READ_HDR);
  ck_assert_uint_eq(len, IWARP_RDMAP_HDR_MAX);
  for (size_t n = 22; n <= len; n++) {
    iwarp_rdmap_seg v;
    iwarp_rdmap_seg_decode(&v, guard_in(octets, n), len);
    ck_assert_int_eq(v.kind, IWARP_RDMAP_KIND_TERM);
    ck_assert_int_eq(v.u.term.tail_err, IWARP_OK);
    iwarp_rdmap_seg_decode(&v, guard_in(octets, n), n);
    ck_assert_int_eq(v.u.term.tail_err, n < len ? IWARP_ERR_RDMAP_TERM_TRUNCATED : IWARP_OK);
  }
}
END_TEST

START_TEST(any_octets_decode)
{
  prng p = {.state = 10};
  for (size_t i = 0; i < 100000; i++) {
    uint8_t octets[80];
    prng_fill(&p, octets, sizeof octets);
    if (i % 2 != 0) { /* else the Message Offset hides the headers */
      memset(octets + 14, 0, 4);
    }
    size_t n = prng_size(&p, sizeof octets + 1);
    iwarp_rdmap_seg v;
    iwarp_rdmap_seg_decode(&v, guard_in(octets, n), n + prng_size(&p, 3) * 40);
    expect(!v.has_ddp || v.ddp.rsvdulp == octets[1], "%zu", i);
    expect(v.has_ddp || v.kind == IWARP_RDMAP_KIND_NONE, "%zu", i);
  }
}
END_TEST

START_TEST(what_is_wrong_with_a_segment)
{
  static const struct {
    const char *hex;
    iwarp_err err;
  } cases[] = {
      {"4143 (00*16)", IWARP_OK},
      {"4143", IWARP_ERR_DDP_SHORT},
      {"4141 (00*16) 0A0B", IWARP_ERR_RDMAP_SHORT},
      {"4148 (00*16) (00*9)", IWARP_ERR_RDMAP_LONG},
      {"4147 (00*16) 20020000", IWARP_OK},
      {"4147 (00*16) 2002C000 0012", IWARP_ERR_RDMAP_TERM_TRUNCATED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t octets[64];
    const size_t len = hex_octets(octets, sizeof octets, cases[i].hex);
    iwarp_rdmap_seg v;
    iwarp_rdmap_seg_decode(&v, (iwarp_span){octets, len}, len);
    expect(iwarp_rdmap_seg_check(&v) == cases[i].err, "%s", cases[i].hex);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {segments_whole_and_cut,
                                headers_are_decoded,
                                a_terminate_cut_by_the_capture_is_not_truncated,
                                any_octets_decode,
                                what_is_wrong_with_a_segment,
                                NULL};
  return check_run(check_suite("rdmap-seg", tests));
}
