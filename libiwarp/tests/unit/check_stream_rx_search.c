/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive engine in search of a boundary. */
#include <string.h>

#include <iwarp/crc32c.h>

#include "check_run.h"
#include "rx_bench.h"

/* ---- where no boundary is known ---- */

static bool has_marker(const build_fpdu *f) {
  return f->at % 512 == 0 || f->at / 512 != (f->at + f->wire_len - 1) / 512;
}

START_TEST(a_marker_ends_a_search)
{
  for (size_t k = 0; k < 2; k++) {
    rx_bench t = rx_bench_new(true, k != 0);
    for (int i = 0; i < 20; i++) {
      build_write(t.b, 200, 0x61);
    }
    const build_fpdu *f = t.b->fpdu;
    for (size_t i = 1; i < 10; i++) {
      size_t next = i + 1;
      rx_bench_hole(&t, f[i].at, f[i].at + 40);
      while (k == 0 && !has_marker(&f[next])) {
        next++; /* its CRC would prove it */
      }
      rx_bench_event(&t, i, IWARP_EVENT_GAP, f[i].at, 40);
      rx_bench_undec(&t, i + 1, f[i].at + 40, f[next].at - f[i].at - 40, IWARP_UNDEC_NO_BOUNDARY);
      const stream_rec *r = rx_bench_fpdu(&t, i + 2, &f[next]);
      ck_assert_uint_eq(r->sync, has_marker(&f[next]) ? IWARP_SYNC_MARKER : IWARP_SYNC_CRC);
      ck_assert_uint_eq(r->what, k != 0 ? IWARP_CRC_GOOD : IWARP_CRC_UNCHECKED);
      ck_assert_uint_eq(t.log.num, i + 2 + 20 - next);
      /* what follows rests on the first Marker that points to an FPDU */
      ck_assert_uint_eq(t.log.recs[t.log.num - 1].sync, IWARP_SYNC_MARKER);
    }
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(the_leading_marker_may_be_lost)
{
  rx_bench t = rx_bench_new(true, true);
  build_write(t.b, 486, 0x61); /* ends at 512 */
  build_write(t.b, 700, 0x62);
  build_write(t.b, 700, 0x63);
  const build_fpdu *f = t.b->fpdu;
  ck_assert_uint_eq(f[1].at, 512);
  for (size_t to = 513; to <= 516; to++) {
    rx_bench_hole(&t, 300, to);
    rx_bench_fpdu(&t, 0, &f[0]);
    rx_bench_event(&t, 1, IWARP_EVENT_GAP, 300, to - 300);
    const size_t rest = to < 516 ? 1 : 0;
    if (rest > 0) {
      rx_bench_undec(&t, 2, to, 516 - to, IWARP_UNDEC_NO_BOUNDARY);
    }
    const stream_rec *r = rx_bench_event(&t, 2 + rest, IWARP_EVENT_FPDU, 516, f[1].wire_len - 4);
    ck_assert_uint_eq(r->what, IWARP_CRC_UNCHECKED);
    ck_assert_uint_eq(r->sync, IWARP_SYNC_MARKER);
    ck_assert_uint_eq(rx_bench_fpdu(&t, 3 + rest, &f[2])->what, IWARP_CRC_GOOD);
  }
  rx_bench_free(&t);
}
END_TEST

/* The payload of FPDU 3 holds what looks like an FPDU, and a Marker points to it. */
START_TEST(a_wrong_marker_does_not_capture_the_engine)
{
  static const uint8_t alike[] = {0x01, 0xF0, 0xC1, 0x40, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0};
  for (size_t k = 0; k < 3; k++) {
    rx_bench t = rx_bench_new(true, k == 1);
    t.cfg.crc = k == 2 ? IWARP_TRISTATE_UNKNOWN : t.cfg.crc;
    for (int i = 0; i < 20; i++) {
      build_write(t.b, 600, 0x61);
    }
    const build_fpdu *f = t.b->fpdu;
    const size_t marker = (f[3].at / 512 + 1) * 512;
    const size_t fake = f[3].at + 100 < marker ? f[3].at + 100 : f[3].at + 40;
    memcpy(&t.b->octets[fake], alike, sizeof alike);
    rx_bench_put_marker(&t, marker, (uint16_t)(marker - fake));
    rx_bench_hole(&t, f[2].at, f[3].at + 20);
    for (size_t i = 0; i < t.log.num; i++) {
      ck_assert_uint_ne(t.log.recs[i].pos, t.cfg.pos + fake);
    }
    rx_bench_fpdu(&t, 4, &f[4]);
    /* pointers to Markers, after their own FPDU, and before everything */
    rx_bench_put_marker(&t, marker, 512);
    rx_bench_hole(&t, f[2].at, f[3].at + 20);
    rx_bench_fpdu(&t, 4, &f[4]);
    rx_bench_put_marker(&t, marker, 0xFFFC);
    rx_bench_hole(&t, f[2].at, f[3].at + 20);
    rx_bench_fpdu(&t, 4, &f[4]);
    rx_bench_put_marker(&t, marker, 0); /* an FPDU directly after it: 0x61 everywhere */
    rx_bench_hole(&t, f[2].at, f[3].at + 20);
    rx_bench_fpdu(&t, 4, &f[4]);
    rx_bench_free(&t);
  }
}
END_TEST

/* A Marker points to payload that ends where the next FPDU begins, as an FPDU there would. */
START_TEST(a_marker_to_an_unknown_version_is_not_believed)
{
  for (size_t k = 0; k < 3; k++) {
    static const uint8_t ctrl[][2] = {{0xC1, 0x40}, {0xC2, 0x80}, {0xC1, 0x00}};
    rx_bench t = rx_bench_of_many(true, false, 8, 600);
    const build_fpdu *f = t.b->fpdu;
    const size_t marker = (f[3].at / 512 + 1) * 512;
    const size_t fake = f[3].at + 100;
    const size_t length = f[4].at - fake - 10; /* without length, Marker and CRC */
    ck_assert_uint_gt(marker, fake);
    ck_assert_uint_gt(marker + 512, f[4].at);
    uint8_t *at = &t.b->octets[fake];
    at[0] = (uint8_t)(length >> 8);
    at[1] = (uint8_t)(length & 0xFF);
    memcpy(&at[2], ctrl[k], 2);
    rx_bench_put_marker(&t, marker, (uint16_t)(marker - fake));
    rx_bench_hole(&t, f[2].at, f[3].at + 20);
    if (k == 0) {
      rx_bench_event(&t, 4, IWARP_EVENT_FPDU, fake, f[4].at - fake);
    } else {
      rx_bench_fpdu(&t, 4, &f[4]);
    }
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(a_marker_to_a_longer_fpdu_than_expected_is_not_believed)
{
  for (uint16_t k = 0; k < 2; k++) {
    rx_bench t = rx_bench_of_many(true, false, 2, 600);
    const build_fpdu longer = *build_write(t.b, 700, 0x61);
    build_write(t.b, 600, 0x61);
    build_write(t.b, 600, 0x61);
    const build_fpdu *f = t.b->fpdu;
    t.cfg.max_ulpdu = (uint16_t)(longer.length - k);
    rx_bench_hole(&t, f[1].at, f[2].at);
    if (k == 0) {
      rx_bench_fpdu(&t, 2, &f[2]);
    } else {
      rx_bench_undec(&t, 2, f[2].at, f[2].wire_len, IWARP_UNDEC_NO_BOUNDARY);
      rx_bench_fpdu(&t, 3, &f[3]);
    }
    rx_bench_free(&t);
  }
}
END_TEST

/* The Marker points to what looks like an FPDU, with another one after it, before the Marker. */
START_TEST(a_marker_after_the_fpdu_that_it_points_to_is_not_believed)
{
  static const uint8_t alike[] = {0, 30, 0xC1, 0x40};
  rx_bench t = rx_bench_of_many(true, false, 8, 600);
  const build_fpdu *f = t.b->fpdu;
  const size_t marker = (f[3].at / 512 + 1) * 512;
  const size_t fake = f[3].at + 20;
  ck_assert_uint_gt(marker, fake + 72);
  memcpy(&t.b->octets[fake], alike, sizeof alike);
  memcpy(&t.b->octets[fake + 36], alike, sizeof alike);
  rx_bench_put_marker(&t, marker, (uint16_t)(marker - fake));
  rx_bench_hole(&t, f[2].at, f[3].at + 20);
  rx_bench_fpdu(&t, 4, &f[4]);
  rx_bench_free(&t);
}
END_TEST

/* No FPDU begins where a Marker is. */
START_TEST(a_marker_to_a_marker_is_not_believed)
{
  rx_bench t = rx_bench_of_many(true, false, 8, 600);
  const build_fpdu *f = t.b->fpdu;
  const size_t marker = (f[3].at / 512 + 1) * 512;
  rx_bench_put_marker(&t, marker, 0xFFFC);
  rx_bench_put_marker(&t, marker + 512, 512);
  rx_bench_hole(&t, f[2].at, f[3].at + 20);
  rx_bench_undec(&t, 3, f[3].at + 20, f[5].at - f[3].at - 20, IWARP_UNDEC_NO_BOUNDARY);
  rx_bench_fpdu(&t, 4, &f[5]);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_marker_proves_an_fpdu_with_a_wrong_crc)
{
  rx_bench t = rx_bench_new(true, true);
  for (int i = 0; i < 8; i++) {
    build_write(t.b, 600, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[2].at + 300] ^= 1;
  rx_bench_hole(&t, f[1].at, f[2].at);
  const stream_rec *r = rx_bench_fpdu(&t, 2, &f[2]);
  ck_assert_uint_eq(r->what, IWARP_CRC_BAD);
  ck_assert_uint_ne(r->crc_computed, r->crc_field);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 3, &f[3])->what, IWARP_CRC_GOOD);
  /* not so the last one: nothing follows that would agree */
  t.b->len = f[2].at + f[2].wire_len;
  rx_bench_hole(&t, f[1].at, f[2].at);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 1);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_crc_proves_an_fpdu_whose_marker_is_wrong)
{
  rx_bench t = rx_bench_new(true, true);
  for (int i = 0; i < 8; i++) {
    build_write(t.b, 600, 0x61);
  }
  const build_fpdu *f = &t.b->fpdu[2];
  uint8_t *wire = &t.b->octets[f->at];
  rx_bench_put_marker(&t, (f->at / 512 + 1) * 512, 4);
  const uint32_t crc = iwarp_crc32c(0, wire, f->wire_len - 4);
  for (size_t i = 0; i < 4; i++) {
    wire[f->wire_len - 4 + i] = (uint8_t)(crc >> 8 * i);
  }
  rx_bench_hole(&t, t.b->fpdu[1].at, f->at);
  const stream_rec *r = rx_bench_fpdu(&t, 2, f);
  ck_assert_uint_eq(r->what, IWARP_CRC_GOOD);
  ck_assert_uint_eq(r->sync, IWARP_SYNC_CRC);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_marker_proves_an_fpdu_that_is_cut)
{
  for (size_t k = 0; k < 2; k++) {
    rx_bench t = rx_bench_new(true, k != 0);
    for (int i = 0; i < 4; i++) {
      build_write(t.b, 900, 0x61);
    }
    const build_fpdu *f = t.b->fpdu;
    const script_hole holes[] = {{f[1].at, f[2].at}, {f[2].at + 600, f[2].at + 610}};
    rx_bench_run(&t, STREAM_BUILD_MAX, holes, 2);
    const stream_rec *r = rx_bench_fpdu(&t, 2, &f[2]);
    ck_assert(!r->complete && r->sync == IWARP_SYNC_MARKER);
    ck_assert(rx_bench_fpdu(&t, 4, &f[3])->complete);
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(a_crc_ends_a_search)
{
  rx_bench t = rx_bench_new(false, true);
  for (int i = 0; i < 10; i++) {
    build_write(t.b, 333, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  rx_bench_hole(&t, f[3].at, f[3].at + 17);
  rx_bench_undec(&t, 4, f[3].at + 17, f[4].at - f[3].at - 17, IWARP_UNDEC_NO_BOUNDARY);
  const stream_rec *r = rx_bench_fpdu(&t, 5, &f[4]);
  ck_assert_uint_eq(r->sync, IWARP_SYNC_CRC);
  ck_assert_uint_eq(r->offset, f[4].at);
  ck_assert_uint_eq(t.log.num, 11);
  /* also an FPDU that breaks every other rule */
  rx_bench_free(&t);
  t = rx_bench_new(false, true);
  static const uint8_t odd[] = {0x7D, 0x7F, 1, 2, 3};
  build_write(t.b, 333, 0x61);
  build_write(t.b, 333, 0x61);
  const build_fpdu *o = build_ulpdu(t.b, odd, sizeof odd);
  build_write(t.b, 333, 0x61);
  rx_bench_hole(&t, t.b->fpdu[1].at, t.b->fpdu[1].at + 17);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 3, o)->sync, IWARP_SYNC_CRC);
  rx_bench_free(&t);
}
END_TEST

/* The payload of FPDU 2 is FPDUs itself, with right CRCs. */
START_TEST(fpdus_inside_an_fpdu_are_payload)
{
  rx_bench inner = rx_bench_new(false, true);
  for (int i = 0; i < 5; i++) {
    build_write(inner.b, 50, 0x62);
  }
  rx_bench t = rx_bench_new(false, true);
  uint8_t ulpdu[600] = {0xC1, 0x40};
  memcpy(&ulpdu[14], inner.b->octets, inner.b->len);
  for (int i = 0; i < 6; i++) {
    build_ulpdu(t.b, ulpdu, (uint16_t)(14 + inner.b->len));
  }
  const build_fpdu *f = t.b->fpdu;
  rx_bench_hole(&t, f[1].at, f[2].at);
  ck_assert_uint_eq(t.log.num, 6);
  rx_bench_fpdu(&t, 2, &f[2]);
  rx_bench_free(&inner);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_segment_start_may_end_a_search)
{
  rx_bench t = rx_bench_new(false, false);
  for (int i = 0; i < 8; i++) {
    build_write(t.b, 100, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  rx_bench_run(&t, f[0].wire_len, &(script_hole){f[2].at, f[3].at}, 1);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 3, &f[3])->sync, IWARP_SYNC_HEURISTIC);
  ck_assert_uint_eq(t.log.num, 8);
  /* two in each segment: the first ends where the second looks right */
  rx_bench_run(&t, 2 * f[0].wire_len, &(script_hole){f[2].at, f[4].at}, 1);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 3, &f[4])->sync, IWARP_SYNC_HEURISTIC);
  /* the last one ends with the stream, or in a gap */
  rx_bench_run(&t, f[0].wire_len, &(script_hole){f[2].at, f[7].at}, 1);
  rx_bench_fpdu(&t, 3, &f[7]);
  const script_hole holes[] = {{f[2].at, f[5].at}, {f[5].at + 50, f[6].at + 10}};
  rx_bench_run(&t, f[0].wire_len, holes, 2);
  ck_assert(!rx_bench_fpdu(&t, 3, &f[5])->complete);
  rx_bench_free(&t);
}
END_TEST

/* Segments of one packet, as offloading makes them, start where they start. */
START_TEST(segments_of_one_packet_are_distinguished)
{
  rx_bench t = rx_bench_new(false, false);
  for (int i = 0; i < 8; i++) {
    build_write(t.b, 100, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  script_lossy(&t.s, 0, build_span(t.b), f[0].wire_len, &(script_hole){f[2].at, f[2].at + 10}, 1);
  for (size_t i = 0; i < t.s.num; i++) {
    t.s.steps[i].meta.packet = 7;
  }
  rx_bench_go(&t);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 4, &f[3])->sync, IWARP_SYNC_HEURISTIC);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_segment_start_proves_nothing_else)
{
  rx_bench t = rx_bench_new(false, false);
  for (int i = 0; i < 8; i++) {
    build_write(t.b, 100, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  /* a plausible header that leads nowhere */
  const size_t fake = f[3].at + 40;
  static const uint8_t alike[] = {0, 30, 0xC1, 0x40, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0};
  memcpy(&t.b->octets[fake], alike, sizeof alike);
  rx_bench_run(&t, 40, &(script_hole){f[2].at, fake}, 1);
  for (size_t i = 0; i < t.log.num; i++) {
    ck_assert(t.log.recs[i].kind != IWARP_EVENT_FPDU || t.log.recs[i].pos != t.cfg.pos + fake);
  }
  /* the stream ends inside it */
  t.b->len = fake + 20;
  rx_bench_run(&t, fake, &(script_hole){f[2].at, fake}, 1);
  rx_bench_undec(&t, 3, fake, 20, IWARP_UNDEC_NO_BOUNDARY);
  /* a header of the RDMA Consortium's version, and one that is cut before QN */
  rx_bench_free(&t);
  t = rx_bench_new(false, false);
  static const uint8_t old[] = {0xC0, 0x00, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 4; i++) {
    build_ulpdu(t.b, old, sizeof old);
  }
  rx_bench_run(&t, t.b->fpdu[0].wire_len, &(script_hole){0, t.b->fpdu[1].at}, 1);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 0);
  t.b->len = 0;
  build_send(t.b, 40, 0);
  t.cfg.at_start = false;
  rx_bench_run(&t, 8, &(script_hole){8, t.b->len}, 1);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 0);
  rx_bench_free(&t);
}
END_TEST

#define GUESSED_FPDUS 8u
#define GUESSED_WRONG 5u
#define GUESSED_NEXT (GUESSED_WRONG + 1u)

/* A chain of guesses, whose sixth FPDU has an opcode of no message. */
static rx_bench bench_of_guesses(void) {
  rx_bench t = rx_bench_of_many(false, false, GUESSED_FPDUS, 100);
  t.b->octets[t.b->fpdu[GUESSED_WRONG].at + 3] = 0x4F;
  return t;
}

/* Runs it in segments of `num` FPDUs, without the first of them. */
static void bench_guess(rx_bench *t, size_t num) {
  const build_fpdu *f = t->b->fpdu;
  rx_bench_run(t, num * f[0].wire_len, &(script_hole){0, f[num].at}, 1);
  for (size_t i = num; i < GUESSED_WRONG; i++) {
    rx_bench_fpdu(t, i - num + 1u, &f[i]);
  }
}

START_TEST(a_guessed_chain_that_goes_on_has_wrong_headers)
{
  rx_bench t = bench_of_guesses();
  const build_fpdu *f = t.b->fpdu;
  for (int unknown = 0; unknown < 2; unknown++) {
    t.cfg.crc = unknown != 0 ? IWARP_TRISTATE_UNKNOWN : IWARP_TRISTATE_OFF;
    for (size_t num = 1; num <= 2; num++) {
      bench_guess(&t, num);
      const size_t at = GUESSED_WRONG - num + 1u;
      ck_assert_uint_eq(rx_bench_fpdu(&t, at, &f[GUESSED_WRONG])->sync, IWARP_SYNC_HEURISTIC);
      rx_bench_fpdu(&t, at + 1u, &f[GUESSED_NEXT]);
      ck_assert_uint_eq(t.log.num, GUESSED_FPDUS - num + 1u);
    }
  }
  rx_bench_free(&t);
}
END_TEST

/* The FPDU ends with the stream. A few octets more may be the beginning of any FPDU. */
START_TEST(a_guessed_chain_goes_on_to_the_end_of_the_stream)
{
  rx_bench t = bench_of_guesses();
  const build_fpdu *f = t.b->fpdu;
  for (size_t more = 0; more < 12; more++) {
    t.b->len = f[GUESSED_NEXT].at + more;
    bench_guess(&t, 1);
    if (more == 0) {
      rx_bench_fpdu(&t, GUESSED_WRONG, &f[GUESSED_WRONG]);
    } else {
      rx_bench_undec(&t, GUESSED_WRONG, f[GUESSED_WRONG].at, f[0].wire_len + more,
                     IWARP_UNDEC_NO_BOUNDARY);
    }
  }
  rx_bench_free(&t);
}
END_TEST

/* The snapshot length cut the FPDU: its length leads to the end of its packet, or elsewhere. */
START_TEST(a_guessed_chain_goes_on_past_octets_that_were_cut)
{
  for (size_t way = 0; way < 3; way++) {
    rx_bench t = bench_of_guesses();
    const build_fpdu *f = t.b->fpdu;
    const script_hole holes[] = {{0, f[1].at}, {f[GUESSED_WRONG].at + 40, f[GUESSED_NEXT].at}};
    if (way == 2) {
      t.b->octets[f[GUESSED_WRONG].at + 1] ^= 4;
    }
    script_lossy(&t.s, 0, build_span(t.b), f[0].wire_len, holes, 2);
    for (size_t i = 0; i < t.s.num; i++) {
      t.s.steps[i].reason = way == 0 ? IWARP_GAP_LOST : IWARP_GAP_SNAPLEN;
    }
    rx_bench_go(&t);
    if (way == 1) {
      rx_bench_fpdu(&t, GUESSED_WRONG, &f[GUESSED_WRONG]);
    } else {
      rx_bench_undec(&t, GUESSED_WRONG, f[GUESSED_WRONG].at, 40, IWARP_UNDEC_NO_BOUNDARY);
    }
    rx_bench_free(&t);
  }
}
END_TEST

/* Its length leads to no FPDU, or is more than the engine may hold, or a gap follows it. */
START_TEST(a_guessed_chain_that_breaks_is_left)
{
  for (size_t way = 0; way < 3; way++) {
    rx_bench t = bench_of_guesses();
    const build_fpdu *f = t.b->fpdu;
    t.cfg.max_ulpdu = 1000;
    if (way < 2) {
      t.b->octets[f[GUESSED_WRONG].at + 1u - way] ^= 4;
    }
    const script_hole holes[] = {{0, f[1].at}, {f[GUESSED_NEXT].at, f[GUESSED_NEXT + 1u].at}};
    rx_bench_run(&t, f[0].wire_len, holes, way == 2 ? 2 : 1);
    rx_bench_fpdu(&t, 2, &f[2]);
    rx_bench_undec(&t, GUESSED_WRONG, f[GUESSED_WRONG].at, f[0].wire_len, IWARP_UNDEC_NO_BOUNDARY);
    const size_t next = GUESSED_NEXT + (way == 2 ? 1u : 0u);
    rx_bench_fpdu(&t, next, &f[next]);
    rx_bench_free(&t);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_marker_ends_a_search,
                                the_leading_marker_may_be_lost,
                                a_wrong_marker_does_not_capture_the_engine,
                                a_marker_to_an_unknown_version_is_not_believed,
                                a_marker_to_a_longer_fpdu_than_expected_is_not_believed,
                                a_marker_after_the_fpdu_that_it_points_to_is_not_believed,
                                a_marker_to_a_marker_is_not_believed,
                                a_marker_proves_an_fpdu_with_a_wrong_crc,
                                a_crc_proves_an_fpdu_whose_marker_is_wrong,
                                a_marker_proves_an_fpdu_that_is_cut,
                                a_crc_ends_a_search,
                                fpdus_inside_an_fpdu_are_payload,
                                a_segment_start_may_end_a_search,
                                segments_of_one_packet_are_distinguished,
                                a_segment_start_proves_nothing_else,
                                a_guessed_chain_that_goes_on_has_wrong_headers,
                                a_guessed_chain_goes_on_to_the_end_of_the_stream,
                                a_guessed_chain_goes_on_past_octets_that_were_cut,
                                a_guessed_chain_that_breaks_is_left,
                                NULL};
  return check_run(check_suite("stream-rx-search", tests));
}
