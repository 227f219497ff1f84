/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive engine that joins a stream under way, and what the start of one tells. */
#include <string.h>

#include <iwarp/crc32c.h>

#include "check_run.h"
#include "property.h"
#include "rx_bench.h"

/* An engine of its own, which lasts until the next one. */
static iwarp_rx *engine(const iwarp_rx_cfg *cfg) {
  static _Alignas(max_align_t) uint8_t mem[IWARP_RX_SIZE];
  iwarp_rx *rx = NULL;
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, sizeof mem, cfg), IWARP_OK);
  return rx;
}

/* The octets decide whether Markers and CRCs are in use. */
static void know_nothing(rx_bench *t) {
  t->cfg.markers = IWARP_TRISTATE_UNKNOWN;
  t->cfg.crc = IWARP_TRISTATE_UNKNOWN;
}

/* An FPDU between two Writes, the first of which lacks its beginning. */
static rx_bench bench_between_writes(const uint8_t *ulpdu, size_t n) {
  rx_bench t = rx_bench_new(false, true);
  build_write(t.b, 333, 0x61);
  build_ulpdu(t.b, ulpdu, (uint16_t)n);
  build_write(t.b, 333, 0x61);
  rx_bench_hole(&t, 0, 17);
  return t;
}

/* ---- mid-stream ---- */

static void expect_join(rx_bench *t, size_t from, iwarp_tristate markers, iwarp_tristate crc,
                        iwarp_fpdu_sync sync) {
  const iwarp_span all = build_span(t->b);
  iwarp_event ev;
  bool found = false;
  t->cfg.at_start = false;
  t->cfg.pos = RX_BENCH_POS + from;
  script_free(&t->s);
  script_stream(&t->s, 0, (iwarp_span){all.ptr + from, all.len - from}, 1460);
  script_end(&t->s, 0, IWARP_END_FIN);
  rx_bench_go(t);
  iwarp_rx *rx = engine(&t->cfg);
  for (size_t i = 0; i < t->s.num; i++) {
    if (t->s.steps[i].kind == STEP_END) {
      (void)iwarp_rx_eof(rx, &t->s.steps[i].meta);
    }
    (void)iwarp_rx_push(rx, t->s.steps[i].octets, &t->s.steps[i].meta);
    while (iwarp_rx_next_event(rx, &ev) == IWARP_OK) {
    }
  }
  ck_assert_int_eq(iwarp_rx_markers(rx), markers);
  ck_assert_int_eq(iwarp_rx_crc(rx), crc);
  for (size_t i = 0; i < t->log.num; i++) {
    const stream_rec *r = &t->log.recs[i];
    if (r->kind == IWARP_EVENT_FPDU && !found) {
      ck_assert_uint_eq(r->sync, sync);
      ck_assert_uint_eq(r->offset, IWARP_POS_UNKNOWN);
      found = true;
    }
  }
  ck_assert_int_eq(found, sync != IWARP_SYNC_NONE);
}

/* Versions that are not known, or differ, are no boundary, though the CRC is right. */
START_TEST(a_crc_proves_no_fpdu_of_an_unknown_version)
{
  static const uint8_t ctrl[][2] = {{0x42, 0x83}, {0x43, 0xC3}, {0x41, 0x03}, {0x40, 0x43}};
  for (size_t i = 0; i < sizeof ctrl / sizeof ctrl[0]; i++) {
    const uint8_t ulpdu[22] = {ctrl[i][0], ctrl[i][1]};
    rx_bench t = bench_between_writes(ulpdu, sizeof ulpdu);
    ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 1);
    rx_bench_fpdu(&t, 2, &t.b->fpdu[2]);
    rx_bench_free(&t);
  }
}
END_TEST

/* Version 0 in both headers is known: the RDMA Consortium's. */
START_TEST(a_crc_proves_an_fpdu_of_the_rdma_consortium)
{
  static const uint8_t ulpdu[22] = {0x40, 0x03};
  rx_bench t = bench_between_writes(ulpdu, sizeof ulpdu);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 2);
  rx_bench_fpdu(&t, 2, &t.b->fpdu[1]);
  rx_bench_free(&t);
}
END_TEST

/* Octets that wait in the buffer keep the packets that they came in, and where these begin. */
START_TEST(buffered_fpdus_keep_their_packets)
{
  rx_bench t = rx_bench_new(false, true);
  const uint8_t longest[4] = {0x20, 0x00, 0x41, 0x43}; /* 8 KiB would follow: so all is buffered */
  t.cfg.at_start = false;
  build_octets(t.b, longest, sizeof longest);
  script_push(&t.s, 0, build_span(t.b));
  for (size_t i = 0; i < 6; i++) {
    const build_fpdu *f = build_write(t.b, 100 + 7 * i, 0x61);
    script_push(&t.s, 0, (iwarp_span){&t.b->octets[f->at], f->wire_len});
  }
  script_end(&t.s, 0, IWARP_END_FIN);
  rx_bench_go(&t);
  rx_bench_undec(&t, 0, 0, 4, IWARP_UNDEC_NO_BOUNDARY);
  for (size_t i = 0; i < 6; i++) {
    const stream_rec *r = rx_bench_fpdu(&t, 1 + i, &t.b->fpdu[i]);
    ck_assert_uint_eq(r->first, 2 + i);
    ck_assert_uint_eq(r->last, 2 + i);
    ck_assert(r->first_starts);
  }
  rx_bench_free(&t);
}
END_TEST

/* Two Marker periods of FPDUs without Markers, and not less, show that Markers are off. */
START_TEST(two_periods_without_markers_are_enough)
{
  const iwarp_rx_cfg cfg = {.size = sizeof cfg, .crc = IWARP_TRISTATE_ON};
  stream_build *b = stream_build_new(false, true);
  iwarp_rx *rx = engine(&cfg);
  iwarp_event ev;
  for (size_t i = 0; i < 6; i++) {
    ck_assert_uint_eq(build_write(b, 236, 0x61)->wire_len, 256);
  }
  ck_assert_int_eq(iwarp_rx_push(rx, build_span(b), &(iwarp_meta){.packet = 1}), IWARP_OK);
  for (size_t i = 1; i <= 6; i++) {
    ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_OK);
    ck_assert_int_eq(ev.kind, IWARP_EVENT_FPDU);
    ck_assert_int_eq(iwarp_rx_markers(rx), i < 4 ? IWARP_TRISTATE_UNKNOWN : IWARP_TRISTATE_OFF);
  }
  stream_build_free(b);
}
END_TEST

/* What follows the FPDU that a Marker points to is looked for after the Marker that leads it. */
START_TEST(a_marker_leads_what_follows)
{
  rx_bench t = rx_bench_new(true, false);
  const build_fpdu *f = t.b->fpdu;
  build_write(t.b, 276, 0x61);
  build_write(t.b, 700, 0x61);
  build_write(t.b, 700, 0x61);
  ck_assert(f[1].at == 300 && f[2].at == 1024 && f[2].lead == 4);
  rx_bench_hole(&t, 0, 10);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 2, &f[1])->sync, IWARP_SYNC_MARKER);
  rx_bench_fpdu(&t, 3, &f[2]);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_stream_is_joined_by_its_crcs)
{
  for (size_t from = 1; from < 800; from += 97) {
    rx_bench t = rx_bench_of_many(false, true, 30, 400);
    know_nothing(&t);
    expect_join(&t, from, IWARP_TRISTATE_OFF, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    t.cfg.crc = IWARP_TRISTATE_ON;
    expect_join(&t, from, IWARP_TRISTATE_OFF, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    t.cfg.markers = IWARP_TRISTATE_OFF;
    expect_join(&t, from, IWARP_TRISTATE_OFF, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(a_stream_with_markers_is_joined_by_its_crcs)
{
  for (size_t from = 1; from < 1600; from += 97) {
    rx_bench t = rx_bench_of_many(true, true, 30, 300);
    know_nothing(&t);
    expect_join(&t, from, IWARP_TRISTATE_ON, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    t.cfg.markers = IWARP_TRISTATE_ON;
    expect_join(&t, from, IWARP_TRISTATE_ON, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(a_stream_with_markers_is_joined_by_them)
{
  for (size_t from = 1; from < 1600; from += 97) {
    rx_bench t = rx_bench_of_many(true, false, 30, 300);
    t.cfg.markers = IWARP_TRISTATE_ON;
    expect_join(&t, from, IWARP_TRISTATE_ON, IWARP_TRISTATE_OFF, IWARP_SYNC_MARKER);
    know_nothing(&t);
    expect_join(&t, from, IWARP_TRISTATE_ON, IWARP_TRISTATE_OFF, IWARP_SYNC_MARKER);
    rx_bench_free(&t);
  }
}
END_TEST

#define ALIKE_FPDU 4u
static uint8_t alike_ulpdu[14 + 900];

/* Where wire octet `at` of an FPDU whose Marker stands at `marker` comes from in its ULPDU. */
static void alike_word(size_t at, size_t marker) {
  const size_t to = at - 2 - (at > marker ? 4 : 0);
  memset(&alike_ulpdu[to], 0, 4);
  alike_ulpdu[to + 2] = (uint8_t)(at >> 8);
  alike_ulpdu[to + 3] = (uint8_t)(at & 0xFF);
}

/*
 * Chooses four octets of the payload so that the CRC field reads as the start of a Write: then an
 * FPDU seems to begin there.
 */
static void forge_crc(rx_bench *t, const build_fpdu *f) {
  uint8_t *end = &t->b->octets[f->at + f->wire_len];
  const uint32_t before = iwarp_crc32c(0, &t->b->octets[f->at], f->wire_len - 8);
  uint32_t crc = 0;
  for (uint32_t n = 0; (crc & 0xFFFFFF00u) >> 16 != 0x40C1u || (crc & 0xFFu) == 0; n++) {
    for (int i = 0; i < 4; i++) {
      end[i - 8] = (uint8_t)(n >> 8 * i);
    }
    crc = iwarp_crc32c(before, &end[-8], 4);
  }
  for (int i = 0; i < 4; i++) {
    end[i - 4] = (uint8_t)(crc >> 8 * i);
  }
}

/* A stream with Markers; FPDU ALIKE_FPDU holds a false one before its own and one after it. */
static rx_bench bench_of_alike_words(bool crc, uint16_t payload) {
  rx_bench t = rx_bench_of_many(true, crc, ALIKE_FPDU, 300);
  const size_t marker = 512 - t.b->len % 512;
  ck_assert(marker > 44 && marker < 276);
  memset(alike_ulpdu, 0x61, sizeof alike_ulpdu);
  memcpy(alike_ulpdu, "\xC1\x40\0\0\0\x07\0\0\0\0\0\0\0\0", 14);
  alike_word(40, marker);
  alike_word(280, marker);
  build_ulpdu(t.b, alike_ulpdu, (uint16_t)(14 + payload));
  for (int i = 0; i < 20; i++) {
    build_write(t.b, 300, 0x61);
  }
  return t;
}

/*
 * A Marker among words of the payload that look like Markers of the same FPDU: the one that a CRC
 * proves counts, else the one that the Markers after it agree with.
 */
START_TEST(words_that_look_like_markers_lose)
{
  for (size_t k = 0; k < 4; k++) {
    const bool crc = k % 2 != 0;
    rx_bench t = bench_of_alike_words(crc, k < 2 ? 300 : 900); /* one Marker, or more of them */
    const build_fpdu *f = &t.b->fpdu[ALIKE_FPDU];
    know_nothing(&t);
    expect_join(&t, f->at, IWARP_TRISTATE_ON, crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF,
                crc ? IWARP_SYNC_CRC : IWARP_SYNC_MARKER);
    ck_assert_uint_eq(t.log.recs[0].octets_len, f->length);
    ck_assert_uint_eq(t.log.recs[0].octets, iwarp_crc32c(0, alike_ulpdu, f->length));
    ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), t.b->num_fpdus - ALIKE_FPDU);
    rx_bench_free(&t);
  }
}
END_TEST

/* All octets before such an FPDU are missing, but it is known where Full Operation began: a word
 * where no Marker can stand is not a Marker. */
START_TEST(words_off_the_known_places_of_markers_are_none)
{
  for (size_t k = 0; k < 2; k++) {
    rx_bench t = bench_of_alike_words(true, k == 0 ? 300 : 900);
    const build_fpdu *f = &t.b->fpdu[ALIKE_FPDU];
    know_nothing(&t);
    rx_bench_hole(&t, 0, f->at);
    ck_assert_uint_eq(rx_bench_fpdu(&t, 1, f)->octets, iwarp_crc32c(0, alike_ulpdu, f->length));
    ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), t.b->num_fpdus - ALIKE_FPDU);
    rx_bench_free(&t);
  }
}
END_TEST

/* A Marker at octet 8 and MSN 16 after it: at octet 16, where a Marker would say so too. */
START_TEST(a_marker_is_not_taken_for_qn)
{
  static const uint8_t ulpdu[] = "\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0\0abcdefg";
  rx_bench t = rx_bench_of_many(true, true, ALIKE_FPDU, 300);
  const size_t at = t.b->len % 512;
  ck_assert(at > 0 && at < 480);
  build_write(t.b, 504 - at - 20, 0x61);
  const build_fpdu *f = build_ulpdu(t.b, ulpdu, sizeof ulpdu);
  ck_assert_uint_eq(f->at % 512, 504);
  know_nothing(&t);
  expect_join(&t, f->at, IWARP_TRISTATE_ON, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
  ck_assert_uint_eq(t.log.recs[0].octets, iwarp_crc32c(0, ulpdu, sizeof ulpdu));
  rx_bench_free(&t);
}
END_TEST

/* A false Marker with which the FPDU is four octets shorter, and another one seems to follow. */
START_TEST(a_crc_outweighs_a_marker)
{
  rx_bench t = bench_of_alike_words(true, 760);
  const build_fpdu *f = &t.b->fpdu[ALIKE_FPDU];
  rx_bench_put_marker(&t, f->at + 40, 0x6161);
  rx_bench_put_marker(&t, f->at + 280, 0x6161);
  memset(&t.b->octets[f->at + 400], 0, 4);
  rx_bench_put_marker(&t, f->at + 400, 400);
  forge_crc(&t, f);
  know_nothing(&t);
  expect_join(&t, f->at, IWARP_TRISTATE_ON, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
  ck_assert_uint_eq(t.log.recs[0].len, f->wire_len);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), t.b->num_fpdus - ALIKE_FPDU);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_bare_stream_is_joined_at_a_segment_start)
{
  rx_bench t = rx_bench_of_many(false, false, 30, 100);
  const size_t wire = t.b->fpdu[0].wire_len;
  t.cfg.at_start = false;
  know_nothing(&t);
  expect_join(&t, wire, IWARP_TRISTATE_OFF, IWARP_TRISTATE_OFF, IWARP_SYNC_HEURISTIC);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 29);
  expect_join(&t, 1, IWARP_TRISTATE_UNKNOWN, IWARP_TRISTATE_UNKNOWN, IWARP_SYNC_NONE);
  ck_assert_uint_eq(t.log.num, 1);
  t.cfg.crc = IWARP_TRISTATE_OFF;
  expect_join(&t, wire, IWARP_TRISTATE_OFF, IWARP_TRISTATE_OFF, IWARP_SYNC_HEURISTIC);
  rx_bench_free(&t);
}
END_TEST

START_TEST(a_guess_is_confirmed_by_a_crc)
{
  rx_bench t = rx_bench_of_many(false, true, 10, 100);
  t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
  t.b->octets[t.b->fpdu[0].at + 50] ^= 1; /* the first one is damaged: its CRC proves nothing */
  t.cfg.at_start = false;
  rx_bench_run(&t, t.b->fpdu[0].wire_len, NULL, 0);
  /* its CRC is wrong, so that none seems to be in use */
  ck_assert_uint_eq(rx_bench_fpdu(&t, 0, &t.b->fpdu[0])->sync, IWARP_SYNC_HEURISTIC);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 1, &t.b->fpdu[1])->what, IWARP_CRC_UNCHECKED);

  iwarp_rx *rx = engine(&t.cfg);
  iwarp_event ev;
  for (size_t i = 0; i < 4; i++) {
    if (i == 2) {
      iwarp_rx_set_crc(rx, IWARP_TRISTATE_ON);
    }
    (void)iwarp_rx_push(rx, t.s.steps[i].octets, &t.s.steps[i].meta);
    while (iwarp_rx_next_event(rx, &ev) == IWARP_OK) {
      ck_assert_int_eq(ev.kind, IWARP_EVENT_FPDU);
      if (i >= 2) {
        ck_assert_int_eq(ev.u.fpdu.crc, IWARP_CRC_GOOD);
        ck_assert_int_eq(ev.u.fpdu.sync, IWARP_SYNC_CRC);
      } else {
        ck_assert_int_eq(ev.u.fpdu.sync, IWARP_SYNC_HEURISTIC);
      }
    }
  }
  rx_bench_free(&t);
}
END_TEST

/* A right CRC, no place for Markers known, and a queue that the message must not use. */
START_TEST(an_odd_fpdu_in_mid_stream_comes_to_an_end)
{
  for (size_t k = 0; k < 2; k++) {
    rx_bench t = rx_bench_new(false, true);
    uint8_t ulpdu[40] = {0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 5};
    for (int i = 0; i < 5; i++) {
      build_ulpdu(t.b, ulpdu, sizeof ulpdu);
    }
    t.cfg.at_start = false;
    t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
    t.cfg.crc = k == 0 ? IWARP_TRISTATE_UNKNOWN : IWARP_TRISTATE_ON;
    rx_bench_whole(&t);
    ck_assert_uint_eq(t.log.num, 5);
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(much_that_is_nothing_is_one_run)
{
  for (size_t k = 0; k < 9; k++) {
    rx_bench t = rx_bench_new(false, false);
    t.cfg.at_start = false;
    t.cfg.markers = (iwarp_tristate)(k % 3);
    t.cfg.crc = (iwarp_tristate)(k / 3);
    prng p = {k};
    prng_fill(&p, t.b->octets, 400000);
    t.b->len = 400000;
    script_stream(&t.s, 0, build_span(t.b), 1460);
    script_end(&t.s, 0, IWARP_END_FIN);
    t.log = run_rx(&t.cfg, &t.s);
    ck_assert_uint_eq(t.log.num, 1);
    const stream_rec *r = rx_bench_undec(&t, 0, 0, 400000, IWARP_UNDEC_NO_BOUNDARY);
    ck_assert_uint_eq(r->first, 1);
    ck_assert_uint_eq(r->last, 274);
    rx_bench_free(&t);
  }
}
END_TEST

/* The longest FPDUs, after as much as a search can hold. */
START_TEST(a_search_goes_on_as_long_as_it_takes)
{
  for (size_t skip = 60000; skip < 140000; skip += 13333 * property_stride()) {
    for (size_t k = 0; k < 3; k++) {
      rx_bench t = rx_bench_new(k == 2, true);
      t.cfg.at_start = false;
      t.cfg.markers = k == 0 ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_UNKNOWN;
      build_fill(t.b, 0x61, skip);
      t.b->full = t.b->len;
      build_write(t.b, 64000, 0x62);
      build_write(t.b, 64000, 0x62);
      build_write(t.b, 100, 0x62);
      prng p = {skip};
      script_stream(&t.s, 0, build_span(t.b), 1460);
      script_end(&t.s, 0, IWARP_END_FIN);
      stream_script cut = script_cut(&t.s, &p, 4000);
      stream_log other = run_rx(&t.cfg, &cut);
      t.log = run_rx(&t.cfg, &t.s);
      ck_assert(log_same(&t.log, &other));
      ck_assert_uint_eq(t.log.num, 4);
      rx_bench_undec(&t, 0, 0, skip, IWARP_UNDEC_NO_BOUNDARY);
      rx_bench_fpdu(&t, 1, &t.b->fpdu[0]);
      log_free(&other);
      script_free(&cut);
      rx_bench_free(&t);
    }
  }
}
END_TEST

/* ---- what the start tells ---- */

/* The octets of a search fill the buffer and are all that there is: nothing of them is given up. */
START_TEST(a_search_that_fills_the_buffer_keeps_it)
{
  rx_bench t = rx_bench_new(false, true);
  t.cfg.at_start = false;
  know_nothing(&t);
  build_fill(t.b, 0xFF, IWARP_MPA_FPDU_WIRE_MAX - 8); /* after it the FPDU could be longer */
  const build_fpdu *f = build_write(t.b, 65535 - 14, 0x61);
  build_fill(t.b, 0xFF, 2 * IWARP_MPA_FPDU_WIRE_MAX - t.b->len);
  rx_bench_whole(&t);
  rx_bench_undec(&t, 0, 0, f->at, IWARP_UNDEC_NO_BOUNDARY);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 1, f)->sync, IWARP_SYNC_CRC);
  rx_bench_free(&t);
}
END_TEST

START_TEST(the_first_word_tells_whether_markers_are_on)
{
  for (size_t k = 0; k < 4; k++) {
    rx_bench t = rx_bench_of_many(k % 2 != 0, k / 2 != 0, 10, 200);
    know_nothing(&t);
    rx_bench_whole(&t);
    rx_bench_expect_all(&t);
    t.cfg.unconfirmed = true;
    rx_bench_whole(&t);
    rx_bench_expect_all(&t);
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(an_unconfirmed_start_must_look_like_one)
{
  rx_bench t = rx_bench_new(false, false);
  t.cfg.unconfirmed = true;
  build_octets(t.b, "this is no FPDU at all, but text", 32);
  rx_bench_whole(&t);
  ck_assert_uint_eq(t.log.num, 1);
  rx_bench_undec(&t, 0, 0, 32, IWARP_UNDEC_NOT_FPDU);
  t.cfg.crc = IWARP_TRISTATE_ON;
  rx_bench_whole(&t);
  rx_bench_undec(&t, 0, 0, 32, IWARP_UNDEC_NOT_FPDU);
  t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
  rx_bench_whole(&t);
  rx_bench_undec(&t, 0, 0, 32, IWARP_UNDEC_NOT_FPDU);
  rx_bench_hole(&t, 20, 25);
  rx_bench_undec(&t, 0, 0, 20, IWARP_UNDEC_NOT_FPDU);
  rx_bench_undec(&t, 2, 25, 7, IWARP_UNDEC_NOT_FPDU);
  t.b->len = 3; /* too few to see it */
  rx_bench_whole(&t);
  rx_bench_undec(&t, 0, 0, 3, IWARP_UNDEC_UNFINISHED);
  rx_bench_hole(&t, 2, 3);
  rx_bench_undec(&t, 0, 0, 2, IWARP_UNDEC_NO_BOUNDARY);
  rx_bench_free(&t);
}
END_TEST

START_TEST(after_an_unconfirmed_start_a_crc_still_proves)
{
  rx_bench t = rx_bench_new(false, true);
  static const uint8_t odd[] = {0x4D, 0x7F, 1, 2, 3, 4};
  t.cfg.unconfirmed = true;
  t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
  build_ulpdu(t.b, odd, sizeof odd); /* odd, but its CRC is right */
  build_write(t.b, 10, 0);
  rx_bench_whole(&t);
  rx_bench_expect_all(&t);
  rx_bench_free(&t);
  t = rx_bench_new(false, true);
  t.cfg.unconfirmed = true;
  build_octets(t.b, "no FPDU.", 8);
  build_write(t.b, 10, 0);
  rx_bench_whole(&t);
  rx_bench_undec(&t, 0, 0, 8, IWARP_UNDEC_NOT_FPDU);
  ck_assert_uint_eq(rx_bench_fpdu(&t, 1, &t.b->fpdu[0])->sync, IWARP_SYNC_CRC);
  /* a segment start is no proof where none should be needed */
  t.cfg.crc = IWARP_TRISTATE_OFF;
  rx_bench_run(&t, 8, NULL, 0);
  rx_bench_undec(&t, 0, 0, t.b->len, IWARP_UNDEC_NOT_FPDU);
  rx_bench_free(&t);
}
END_TEST

/* Private Data are longer than their frame says, so Full Operation begins later. */
START_TEST(the_first_fpdu_is_found_at_any_octet)
{
  for (size_t k = 1; k < 12; k++) {
    for (size_t markers = 0; markers < 2; markers++) {
      rx_bench t = rx_bench_new(markers != 0, true);
      t.cfg.unconfirmed = true;
      build_fill(t.b, 0x61, k);
      t.b->full = t.b->len;
      for (size_t i = 0; i < 8; i++) {
        build_write(t.b, 100 + i, 0x62);
      }
      rx_bench_whole(&t);
      rx_bench_undec(&t, 0, 0, k, IWARP_UNDEC_NOT_FPDU);
      for (size_t i = 0; i < 8; i++) {
        rx_bench_fpdu(&t, 1 + i, &t.b->fpdu[i]);
      }
      rx_bench_free(&t);
    }
  }
}
END_TEST

/* The first word is no Marker and reads as the head of an FPDU: one begins there, unless another
 * one begins after it. */
START_TEST(what_stands_for_the_first_marker_may_be_an_fpdu)
{
  rx_bench t = rx_bench_new(true, false);
  t.cfg.crc = IWARP_TRISTATE_OFF;
  build_write(t.b, 100, 0x62);
  build_write(t.b, 100, 0x62);
  memcpy(t.b->octets, "\0\x20\x41\x43", 4);
  rx_bench_whole(&t);
  rx_bench_expect_all(&t);
  rx_bench_free(&t);
  t = rx_bench_new(false, false);
  t.cfg.crc = IWARP_TRISTATE_OFF;
  t.cfg.markers = IWARP_TRISTATE_ON;
  for (size_t i = 0; i < 20; i++) {
    build_write(t.b, 100, 0x62);
  }
  rx_bench_whole(&t);
  rx_bench_expect_all(&t);
  ck_assert_uint_eq(t.log.recs[0].sync, IWARP_SYNC_STARTUP);
  rx_bench_free(&t);
}
END_TEST

START_TEST(the_versions_of_the_rdma_consortium_are_fpdus)
{
  rx_bench t = rx_bench_new(true, true);
  static const uint8_t send[22] = {0x40, 0x03};
  t.cfg.unconfirmed = true;
  build_ulpdu(t.b, send, sizeof send);
  build_ulpdu(t.b, send, sizeof send);
  rx_bench_whole(&t);
  rx_bench_expect_all(&t);
  rx_bench_free(&t);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_crc_proves_no_fpdu_of_an_unknown_version,
                                a_crc_proves_an_fpdu_of_the_rdma_consortium,
                                buffered_fpdus_keep_their_packets,
                                two_periods_without_markers_are_enough,
                                a_marker_leads_what_follows,
                                a_stream_is_joined_by_its_crcs,
                                a_stream_with_markers_is_joined_by_its_crcs,
                                a_stream_with_markers_is_joined_by_them,
                                words_that_look_like_markers_lose,
                                words_off_the_known_places_of_markers_are_none,
                                a_marker_is_not_taken_for_qn,
                                a_crc_outweighs_a_marker,
                                a_bare_stream_is_joined_at_a_segment_start,
                                a_guess_is_confirmed_by_a_crc,
                                an_odd_fpdu_in_mid_stream_comes_to_an_end,
                                much_that_is_nothing_is_one_run,
                                a_search_goes_on_as_long_as_it_takes,
                                a_search_that_fills_the_buffer_keeps_it,
                                the_first_word_tells_whether_markers_are_on,
                                an_unconfirmed_start_must_look_like_one,
                                after_an_unconfirmed_start_a_crc_still_proves,
                                the_first_fpdu_is_found_at_any_octet,
                                what_stands_for_the_first_marker_may_be_an_fpdu,
                                the_versions_of_the_rdma_consortium_are_fpdus,
                                NULL};
  return check_run(check_suite("stream-rx-joined", tests));
}
