/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive engine where octets are missing, or a CRC is wrong. */
#include <string.h>

#include <iwarp/crc32c.h>

#include "check_run.h"
#include "rx_bench.h"

/* ---- holes in an FPDU ---- */

/* Three Writes; each FPDU has 2 + 14 + 101 + 3 + 4 octets. */
static rx_bench bench_of_three(bool markers, bool crc) {
  rx_bench t = rx_bench_new(markers, crc);
  for (uint8_t i = 0; i < 3; i++) {
    build_write(t.b, 101, (uint8_t)(0x31 + i));
  }
  return t;
}

/* The length of an FPDU whose CRC is wrong may be wrong too: octets after it that do not look like
 * an FPDU are one only by a right CRC. */
START_TEST(after_a_wrong_crc_there_may_be_no_fpdu)
{
  rx_bench t = bench_of_three(false, true);
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[0].at + 30] ^= 1;
  t.b->octets[f[1].at + 2] ^= 4; /* reserved */
  rx_bench_whole(&t);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 0, &f[0])->what, IWARP_CRC_BAD);
  rx_bench_event(&t, 1, IWARP_EVENT_UNDECODABLE, f[1].at, f[1].wire_len);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 2, &f[2])->what, IWARP_CRC_GOOD);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_hole_in_the_payload_keeps_the_frame)
{
  for (size_t k = 0; k < 4; k++) {
    rx_bench t = bench_of_three(k % 2 != 0, k / 2 != 0);
    const build_fpdu *f = t.b->fpdu;
    for (size_t from = f[1].at + 16; from < f[1].at + 110; from += 3) {
      rx_bench_hole(&t, from, from + 3);
      ck_assert_uint_eq(t.log.num, 4);
      rx_bench_fpdu(&t, 0, &f[0]);
      const stream_rec *r = rx_bench_fpdu(&t, 1, &f[1]);
      ck_assert(!r->complete && r->has_ddp && r->what == IWARP_CRC_UNCHECKED);
      ck_assert(r->pad_present && r->crc_present && r->sync == IWARP_SYNC_STARTUP);
      ck_assert_uint_eq(r->offset, f[1].at + f[1].lead);
      ck_assert_uint_eq(r->first, 1);
      ck_assert_uint_eq(r->last, 3);
      rx_bench_event(&t, 2, IWARP_EVENT_GAP, from, 3);
      r = rx_bench_fpdu(&t, 3, &f[2]);
      ck_assert(r->complete && r->sync == IWARP_SYNC_STARTUP);
      ck_assert_uint_eq(r->crc_present ? r->offset : 0, f[2].at + f[2].lead);
    }
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(a_hole_in_a_header_leaves_what_is_there)
{
  rx_bench t = bench_of_three(false, true);
  const build_fpdu *f = t.b->fpdu;
  for (size_t have = 0; have < 16; have++) {
    rx_bench_hole(&t, f[1].at + have, f[1].at + 16);
    if (have < 2) { /* its length is missing: the next FPDU is proven by its CRC */
      const size_t undec = have > 0 ? 1 : 0;
      rx_bench_event(&t, 1 + undec, IWARP_EVENT_GAP, f[1].at + have, 16 - have);
      rx_bench_undec(&t, 2 + undec, f[1].at + 16, f[2].at - f[1].at - 16, IWARP_UNDEC_NO_BOUNDARY);
      ck_assert_uint_eq(rx_bench_fpdu(&t, 3 + undec, &f[2])->sync, IWARP_SYNC_CRC);
    } else {
      ck_assert(!rx_bench_fpdu(&t, 1, &f[1])->has_ddp);
      rx_bench_event(&t, 2, IWARP_EVENT_GAP, f[1].at + have, 16 - have);
      ck_assert_uint_eq(rx_bench_fpdu(&t, 3, &f[2])->sync, IWARP_SYNC_STARTUP);
    }
  }
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_hole_in_pad_and_crc_hides_them)
{
  rx_bench t = bench_of_three(false, false);
  const build_fpdu *f = t.b->fpdu;
  const size_t pad = f[2].at - 7;
  for (size_t from = pad - 2; from < f[2].at; from++) {
    for (size_t to = from + 1; to <= f[2].at; to++) {
      rx_bench_hole(&t, from, to);
      const stream_rec *r = rx_bench_fpdu(&t, 1, &f[1]);
      ck_assert_int_eq(r->pad_present, to <= pad || from >= pad + 3);
      ck_assert_int_eq(r->crc_present, to <= pad + 3);
      ck_assert_uint_eq(r->crc_field, to <= pad + 3 ? BUILD_NO_CRC : 0);
      rx_bench_fpdu(&t, 3, &f[2]); /* also after a hole that ends with its FPDU */
    }
  }
  rx_bench_free(&t);
}
END_TEST

/* A search may find an FPDU that is payload: the octets after it must look like an FPDU, or have a
 * right CRC. */
START_TEST(after_an_fpdu_in_payload_stands_none)
{
  rx_bench t = rx_bench_new(false, true);
  stream_build *inner = stream_build_new(false, true);
  uint8_t ulpdu[100] = {0xC1, 0x40};
  build_write(inner, 6, 0x55);
  const size_t inner_len = build_span(inner).len;
  memset(&ulpdu[IWARP_DDP_TAGGED_LEN], 0xFF, sizeof ulpdu - IWARP_DDP_TAGGED_LEN);
  memcpy(&ulpdu[IWARP_DDP_TAGGED_LEN], build_span(inner).ptr, inner_len);
  const build_fpdu outer = *build_ulpdu(t.b, ulpdu, sizeof ulpdu);
  const build_fpdu next = *build_write(t.b, 101, 0x32);
  const size_t at = outer.at + 2 + IWARP_DDP_TAGGED_LEN;
  rx_bench_hole(&t, 0, at);
  rx_bench_event(&t, 1, IWARP_EVENT_FPDU, at, inner_len);
  rx_bench_undec(&t, 2, at + inner_len, next.at - at - inner_len, IWARP_UNDEC_NO_BOUNDARY);
  rx_bench_fpdu(&t, 3, &next);
  stream_build_free(inner);
  rx_bench_free(&t);
}
END_TEST

/* One for each segment of a largest FPDU whose packets were cut at the snapshot length. */
#define HOLES_KEPT 48u

START_TEST(several_holes_in_one_fpdu)
{
  rx_bench t = rx_bench_new(true, true);
  for (uint8_t i = 0; i < 3; i++) {
    build_write(t.b, 301, (uint8_t)(0x31 + i));
  }
  const build_fpdu *f = t.b->fpdu;
  script_hole holes[HOLES_KEPT + 2u];
  for (size_t num = 1; num <= HOLES_KEPT + 2u; num++) {
    for (size_t i = 0; i < num; i++) {
      holes[i] = (script_hole){f[1].at + 20 + 5 * i, f[1].at + 22 + 5 * i};
    }
    rx_bench_run(&t, STREAM_BUILD_MAX, holes, num);
    rx_bench_fpdu(&t, 0, &f[0]);
    if (num <= HOLES_KEPT) {
      ck_assert_uint_eq(t.log.num, 3 + num);
      ck_assert_uint_eq(rx_bench_fpdu(&t, 1, &f[1])->last, 2 * num + 1);
      rx_bench_fpdu(&t, 2 + num, &f[2]);
      continue;
    }
    /* more than can be kept apart: the pieces, each with its own packets */
    for (size_t i = 0; i < HOLES_KEPT; i++) {
      const size_t at = i == 0 ? f[1].at : holes[i - 1].to;
      const stream_rec *r =
          rx_bench_undec(&t, 1 + 2 * i, at, holes[i].from - at, IWARP_UNDEC_NO_BOUNDARY);
      ck_assert_uint_eq(r->first, 2 * i + 1);
      ck_assert_uint_eq(r->last, 2 * i + 1);
      rx_bench_event(&t, 2 + 2 * i, IWARP_EVENT_GAP, holes[i].from, 2);
    }
  }
  rx_bench_free(&t);
}
END_TEST

START_TEST(holes_after_each_other_are_two)
{
  rx_bench t = bench_of_three(false, true);
  const build_fpdu *f = t.b->fpdu;
  const script_hole holes[] = {{f[1].at + 30, f[1].at + 40}, {f[1].at + 40, f[1].at + 55}};
  rx_bench_run(&t, STREAM_BUILD_MAX, holes, 2);
  rx_bench_fpdu(&t, 1, &f[1]);
  rx_bench_event(&t, 2, IWARP_EVENT_GAP, holes[0].from, 10);
  rx_bench_event(&t, 3, IWARP_EVENT_GAP, holes[1].from, 15);
  rx_bench_fpdu(&t, 4, &f[2]);
  /* the second leads over the end of the FPDU */
  const script_hole over[] = {{f[1].at + 30, f[1].at + 40}, {f[1].at + 60, f[2].at + 10}};
  rx_bench_run(&t, STREAM_BUILD_MAX, over, 2);
  rx_bench_fpdu(&t, 1, &f[1]);
  rx_bench_event(&t, 2, IWARP_EVENT_GAP, over[0].from, 10);
  rx_bench_event(&t, 3, IWARP_EVENT_GAP, over[1].from, 0);
  rx_bench_undec(&t, 4, over[1].to, t.b->len - over[1].to, IWARP_UNDEC_NO_BOUNDARY);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_holed_fpdu_that_never_ends_is_reported_in_pieces)
{
  rx_bench t = bench_of_three(true, true);
  const build_fpdu *f = t.b->fpdu;
  const script_hole holes[] = {{f[2].at + 20, f[2].at + 25}, {f[2].at + 30, f[2].at + 40}};
  t.b->len -= 10;
  rx_bench_run(&t, 50, holes, 2);
  rx_bench_undec(&t, 2, f[2].at, 20, IWARP_UNDEC_UNFINISHED);
  rx_bench_event(&t, 3, IWARP_EVENT_GAP, holes[0].from, 5);
  const stream_rec *r = rx_bench_undec(&t, 4, holes[0].to, 5, IWARP_UNDEC_UNFINISHED);
  ck_assert_uint_eq(r->first, r->last);
  rx_bench_event(&t, 5, IWARP_EVENT_GAP, holes[1].from, 10);
  r = rx_bench_undec(&t, 6, holes[1].to, t.b->len - holes[1].to, IWARP_UNDEC_UNFINISHED);
  ck_assert_uint_eq(r->last, t.s.num - 1);
  ck_assert_uint_eq(t.log.num, 7);
  rx_bench_free(&t);
}
END_TEST

/* The CRC that would have shown it is in vain where octets are missing. */
START_TEST(after_a_hole_a_length_is_not_believed)
{
  rx_bench t = bench_of_three(false, true);
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[1].at + 1] = 54; /* the FPDU seems to end in its payload */
  rx_bench_hole(&t, f[1].at + 20, f[1].at + 30);
  ck_assert(!rx_bench_event(&t, 1, IWARP_EVENT_FPDU, f[1].at, 60)->complete);
  rx_bench_undec(&t, 3, f[1].at + 60, f[2].at - f[1].at - 60, IWARP_UNDEC_NO_BOUNDARY);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 4, &f[2])->sync, IWARP_SYNC_CRC);
  rx_bench_free(&t);
}
END_TEST

/* The first two FPDUs are cut after 40 octets. The second one has reserved bits set, and the cut
 * ends `past` octets after it. */
static rx_bench bench_of_cut(iwarp_gap_reason reason, int past) {
  rx_bench t = bench_of_three(false, true);
  const build_fpdu *f = t.b->fpdu;
  const size_t to = (size_t)((int)f[2].at + past);
  const script_hole holes[] = {{f[0].at + 40, f[1].at}, {f[1].at + 40, to}};
  t.b->octets[f[1].at + 2] ^= 4;
  script_free(&t.s);
  script_lossy(&t.s, 0, build_span(t.b), STREAM_BUILD_MAX, holes, 2);
  for (size_t i = 0; i < t.s.num; i++) {
    t.s.steps[i].reason = reason;
  }
  script_end(&t.s, 0, IWARP_END_FIN);
  rx_bench_go(&t);
  return t;
}

START_TEST(an_fpdu_that_ends_with_its_cut_packet_is_one_whatever_it_looks_like)
{
  rx_bench t = bench_of_cut(IWARP_GAP_SNAPLEN, 0);
  ck_assert(!rx_bench_fpdu(&t, 2, &t.b->fpdu[1])->complete);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 4, &t.b->fpdu[2])->sync, IWARP_SYNC_STARTUP);
  rx_bench_free(&t);
  for (int past = -1; past < 2; past++) {
    t = bench_of_cut(past == 0 ? IWARP_GAP_LOST : IWARP_GAP_SNAPLEN, past);
    rx_bench_undec(&t, 2, t.b->fpdu[1].at, 40, IWARP_UNDEC_NO_BOUNDARY);
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(a_hole_at_the_end_of_the_stream)
{
  rx_bench t = bench_of_three(false, false);
  const build_fpdu *f = t.b->fpdu;
  rx_bench_hole(&t, f[2].at, t.b->len);
  ck_assert_uint_eq(t.log.num, 3);
  rx_bench_event(&t, 2, IWARP_EVENT_GAP, f[2].at, f[2].wire_len);
  rx_bench_hole(&t, f[2].at + 50, t.b->len);
  ck_assert_uint_eq(t.log.num, 4);
  ck_assert(!rx_bench_fpdu(&t, 2, &f[2])->complete);
  rx_bench_free(&t);
}
END_TEST

/* ---- wrong CRCs ---- */

START_TEST(a_wrong_crc_does_not_break_the_chain)
{
  rx_bench t = rx_bench_of_many(false, true, 6, 100);
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[2].at + 60] ^= 1;
  rx_bench_whole(&t);
  ck_assert_uint_eq(t.log.num, 6);
  ck_assert_uint_eq(t.log.recs[2].what, IWARP_CRC_BAD);
  ck_assert_uint_eq(t.log.recs[3].what, IWARP_CRC_GOOD);
  ck_assert_uint_eq(t.log.recs[3].sync, IWARP_SYNC_STARTUP);
  rx_bench_free(&t);
}
END_TEST

START_TEST(after_a_wrong_crc_a_length_is_not_believed)
{
  rx_bench t = rx_bench_of_many(false, true, 8, 100);
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[2].at + 1] = 60; /* too short: the next one would begin in the payload */
  rx_bench_whole(&t);
  ck_assert_uint_eq(t.log.recs[2].what, IWARP_CRC_BAD);
  rx_bench_undec(&t, 3, f[2].at + 68, f[3].at - f[2].at - 68, IWARP_UNDEC_NO_BOUNDARY);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 4, &f[3])->sync, IWARP_SYNC_CRC);
  rx_bench_free(&t);
  /* an odd FPDU after a wrong CRC: its own tells, once it is whole */
  static const uint8_t odd[] = {0x4D, 0x7F, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  t = rx_bench_new(false, true);
  build_write(t.b, 100, 0x61);
  build_ulpdu(t.b, odd, sizeof odd);
  build_write(t.b, 100, 0x61);
  t.b->octets[40] ^= 1;
  rx_bench_whole(&t);
  ck_assert_uint_eq(t.log.num, 3);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 1, &t.b->fpdu[1])->what, IWARP_CRC_GOOD);
  /* a gap in it leaves nothing that would */
  rx_bench_hole(&t, t.b->fpdu[1].at + 8, t.b->fpdu[1].at + 9);
  rx_bench_undec(&t, 1, t.b->fpdu[1].at, 8, IWARP_UNDEC_NO_BOUNDARY);
  rx_bench_fpdu(&t, 4, &t.b->fpdu[2]);
  /* and neither does one in its first word */
  rx_bench_hole(&t, t.b->fpdu[1].at + 3, t.b->fpdu[1].at + 9);
  rx_bench_undec(&t, 1, t.b->fpdu[1].at, 3, IWARP_UNDEC_NO_BOUNDARY);
  rx_bench_free(&t);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {after_a_wrong_crc_there_may_be_no_fpdu,
                                a_hole_in_the_payload_keeps_the_frame,
                                a_hole_in_a_header_leaves_what_is_there,
                                a_hole_in_pad_and_crc_hides_them,
                                after_an_fpdu_in_payload_stands_none,
                                several_holes_in_one_fpdu,
                                holes_after_each_other_are_two,
                                a_holed_fpdu_that_never_ends_is_reported_in_pieces,
                                after_a_hole_a_length_is_not_believed,
                                an_fpdu_that_ends_with_its_cut_packet_is_one_whatever_it_looks_like,
                                a_hole_at_the_end_of_the_stream,
                                a_wrong_crc_does_not_break_the_chain,
                                after_a_wrong_crc_a_length_is_not_believed,
                                NULL};
  return check_run(check_suite("stream-rx-holes", tests));
}
