/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive engine of one direction in Full Operation. */
#include <string.h>

#include <iwarp/crc32c.h>
#include <iwarp/event.h>
#include <iwarp/rx.h>

#include "check_run.h"
#include "stream_build.h"
#include "stream_run.h"

#define POS0 UINT64_C(0xFFFFFE00) /* 512 octets before the sequence number wraps */

/* One stream, what is known of it, and what came out. */
typedef struct bench {
  stream_build *b;
  iwarp_rx_cfg cfg;
  stream_script s;
  stream_log log;
} bench;

static bench bench_new(bool markers, bool crc) {
  bench t = {.b = stream_build_new(markers, crc), .s = script_new()};
  t.cfg = (iwarp_rx_cfg){.size = sizeof t.cfg, .pos = POS0, .at_start = true};
  t.cfg.markers = markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
  t.cfg.crc = crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
  return t;
}

static void bench_free(bench *t) {
  stream_build_free(t->b);
  script_free(&t->s);
  log_free(&t->log);
}

/* Runs the script in one piece and in octets: the same must come, and name every octet. */
static void bench_go(bench *t) {
  prng p = {1};
  stream_script cut = script_cut(&t->s, &p, 1);
  stream_log other = run_rx(&t->cfg, &cut);
  log_free(&t->log);
  t->log = run_rx(&t->cfg, &t->s);
  ck_assert(log_accounts(&t->log, &t->s, 0, t->cfg.pos));
  ck_assert(log_same(&t->log, &other));
  log_free(&other);
  script_free(&cut);
}

/* The whole stream in segments of `mss` octets with holes, and its end. */
static void bench_run(bench *t, size_t mss, const script_hole *holes, size_t num) {
  script_free(&t->s);
  script_lossy(&t->s, 0, build_span(t->b), mss, holes, num);
  script_end(&t->s, 0, IWARP_END_FIN);
  bench_go(t);
}

static void bench_whole(bench *t) {
  bench_run(t, STREAM_BUILD_MAX, NULL, 0);
}

static void bench_hole(bench *t, size_t from, size_t to) {
  const script_hole hole = {from, to};
  bench_run(t, STREAM_BUILD_MAX, &hole, 1);
}

/* Event `i` is of that kind and begins at that index of the stream. */
static const stream_rec *want(const bench *t, size_t i, iwarp_event_kind kind, size_t at,
                              size_t len) {
  ck_assert_uint_lt(i, t->log.num);
  const stream_rec *r = &t->log.recs[i];
  if (r->kind != (uint32_t)kind || r->pos != t->cfg.pos + at || (len > 0 && r->len != len)) {
    log_print(&t->log);
  }
  ck_assert_uint_eq(r->kind, (uint32_t)kind);
  ck_assert_uint_eq(r->pos, t->cfg.pos + at);
  ck_assert(len == 0 || r->len == len);
  return r;
}

static const stream_rec *want_fpdu(const bench *t, size_t i, const build_fpdu *f) {
  const stream_rec *r = want(t, i, IWARP_EVENT_FPDU, f->at + f->lead, f->wire_len - f->lead);
  ck_assert_uint_eq(r->length, f->length);
  return r;
}

static const stream_rec *want_undec(const bench *t, size_t i, size_t at, size_t len,
                                    iwarp_undec_reason reason) {
  const stream_rec *r = want(t, i, IWARP_EVENT_UNDECODABLE, at, len);
  ck_assert_uint_eq(r->what, (uint32_t)reason);
  return r;
}

/* ---- use and misuse ---- */

START_TEST(init_refuses_what_it_cannot_use)
{
  iwarp_rx_cfg cfg = {.size = sizeof cfg};
  iwarp_rx *rx = NULL;
  uint8_t *mem = malloc(iwarp_rx_size(NULL) + 1);
  ck_assert_uint_le(iwarp_rx_size(NULL), IWARP_RX_SIZE);
  ck_assert_int_eq(iwarp_rx_init(NULL, mem, iwarp_rx_size(NULL), &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_init(&rx, NULL, iwarp_rx_size(NULL), &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_init(&rx, mem + 1, iwarp_rx_size(NULL), &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL) - 1, &cfg), IWARP_ERR_NOBUF);
  cfg.size--;
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &cfg), IWARP_ERR_ARG);
  cfg.size++;
  cfg.markers = (iwarp_tristate)3;
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &cfg), IWARP_ERR_ARG);
  cfg.markers = IWARP_TRISTATE_ON;
  cfg.crc = (iwarp_tristate)3;
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &cfg), IWARP_ERR_ARG);
  ck_assert_ptr_null(rx);
  cfg.crc = IWARP_TRISTATE_OFF;
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_markers(rx), IWARP_TRISTATE_ON);
  ck_assert_int_eq(iwarp_rx_crc(rx), IWARP_TRISTATE_OFF);
  free(mem);
}
END_TEST

START_TEST(calls_in_the_wrong_state_are_refused)
{
  static const uint8_t octets[8] = {0};
  const iwarp_span in = {octets, sizeof octets};
  const iwarp_span nowhere = {NULL, 1};
  const iwarp_meta meta = {.packet = 1};
  iwarp_rx_cfg cfg = {.size = sizeof cfg, .at_start = true, .markers = IWARP_TRISTATE_OFF};
  iwarp_event ev;
  iwarp_rx *rx = NULL;
  void *mem = malloc(iwarp_rx_size(NULL));
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_push(NULL, in, &meta), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_push(rx, in, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_push(rx, nowhere, &meta), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_gap(rx, 1, IWARP_GAP_LOST, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_eof(NULL, &meta), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_next_event(NULL, &ev), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_next_event(rx, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);

  ck_assert_int_eq(iwarp_rx_push(rx, in, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_push(rx, in, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_rx_gap(rx, 1, IWARP_GAP_LOST, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_rx_eof(rx, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_push(rx, in, &meta), IWARP_ERR_STATE); /* END has not been said */
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_rx_gap(rx, 0, IWARP_GAP_LOST, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_push(rx, in, &meta), IWARP_ERR_STATE); /* the gap comes first */
  ck_assert_int_eq(iwarp_rx_gap(rx, 1, IWARP_GAP_LOST, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_rx_eof(rx, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_rx_push(rx, (iwarp_span){0}, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_rx_eof(rx, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_rx_push(rx, in, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_rx_eof(rx, &meta), IWARP_ERR_STATE);
  free(mem);
}
END_TEST

START_TEST(the_longest_gap_does_no_harm)
{
  bench t = bench_new(true, true);
  const iwarp_meta meta = {.packet = 1};
  build_write(t.b, 600, 1);
  for (size_t have = 0; have < 600; have += 100) {
    iwarp_rx *rx = NULL;
    iwarp_event ev;
    void *mem = malloc(iwarp_rx_size(NULL));
    ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &t.cfg), IWARP_OK);
    for (int i = 0; i < 20; i++) {
      (void)iwarp_rx_push(rx, (iwarp_span){t.b->octets, have}, &meta);
      while (iwarp_rx_next_event(rx, &ev) == IWARP_OK) {
      }
      (void)iwarp_rx_gap(rx, UINT64_MAX - 2 * (uint64_t)i, IWARP_GAP_SNAPLEN, &meta);
      while (iwarp_rx_next_event(rx, &ev) == IWARP_OK) {
      }
    }
    free(mem);
  }
  bench_free(&t);
}
END_TEST

START_TEST(fpdus_inside_a_push_are_not_copied)
{
  bench t = bench_new(true, true);
  for (int i = 0; i < 40; i++) {
    build_write(t.b, 10u * (unsigned)i, 3);
  }
  bench_whole(&t);
  ck_assert_uint_eq(t.log.num, 40);
  ck_assert_uint_eq(t.log.borrowed, 40);
  /* even the smallest, after one that came in two pieces */
  bench_free(&t);
  t = bench_new(false, false);
  for (int i = 0; i < 6; i++) {
    build_ulpdu(t.b, (const uint8_t *)"ab", 2);
  }
  script_push(&t.s, 0, (iwarp_span){t.b->octets, 3});
  script_push(&t.s, 0, (iwarp_span){&t.b->octets[3], t.b->len - 3});
  bench_go(&t);
  ck_assert_uint_eq(t.log.num, 6);
  ck_assert_uint_eq(t.log.borrowed, 5);
  bench_free(&t);
}
END_TEST

/* ---- framing ---- */

static void expect_all(const bench *t) {
  expect(t->log.num == t->b->num_fpdus, "%zu events of %zu FPDUs", t->log.num, t->b->num_fpdus);
  for (size_t i = 0; i < t->log.num; i++) {
    const stream_rec *r = &t->log.recs[i];
    const build_fpdu *f = &t->b->fpdu[i];
    expect(r->kind == IWARP_EVENT_FPDU && r->pos == t->cfg.pos + f->at + f->lead &&
               r->length == f->length && r->lead == f->lead && r->complete &&
               r->offset == f->at + f->lead && r->octets_len == f->length &&
               r->len == f->wire_len - f->lead && r->pad_present && r->crc_present,
           "FPDU %zu differs", i);
    expect(r->what == (t->b->crc ? IWARP_CRC_GOOD : IWARP_CRC_UNCHECKED) &&
               (t->b->crc || r->crc_field == BUILD_NO_CRC),
           "the CRC of FPDU %zu differs", i);
  }
}

/* Every place of the Markers, before, in and after each of FPDUs of every pad. */
START_TEST(markers_stand_anywhere)
{
  static uint8_t ulpdu[700];
  for (size_t i = 0; i < sizeof ulpdu; i++) {
    ulpdu[i] = (uint8_t)(i * 7);
  }
  for (uint16_t before = 0; before < 508; before += 4) {
    bench t = bench_new(true, before % 8 == 0);
    build_ulpdu(t.b, ulpdu, before);
    for (uint16_t length = 0; length < 24; length++) {
      build_ulpdu(t.b, ulpdu, length);
    }
    for (uint16_t length = 494; length < 518; length += 3) {
      build_ulpdu(t.b, ulpdu, length);
    }
    bench_whole(&t);
    expect_all(&t);
    bench_free(&t);
  }
}
END_TEST

START_TEST(any_length_is_framed)
{
  static const uint16_t lengths[] = {0,     1,     2,     3,     14,    507,   508,
                                     509,   1442,  32767, 32768, 64768, 64769, 65022,
                                     65023, 65526, 65527, 65533, 65534, 65535};
  static uint8_t ulpdu[65535];
  memset(ulpdu, 0x77, sizeof ulpdu);
  for (size_t k = 0; k < 4; k++) {
    bench t = bench_new(k % 2 != 0, k / 2 != 0);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
      build_ulpdu(t.b, ulpdu, lengths[i]);
    }
    prng p = {k};
    script_stream(&t.s, 0, build_span(t.b), 1460);
    stream_script cut = script_cut(&t.s, &p, 5000);
    t.log = run_rx(&t.cfg, &cut);
    script_free(&cut);
    expect_all(&t);
    bench_free(&t);
  }
}
END_TEST

START_TEST(the_packets_of_an_fpdu_are_named)
{
  bench t = bench_new(false, false);
  const build_fpdu *f = build_write(t.b, 100, 0);
  build_write(t.b, 100, 0);
  for (uint64_t order = 0; order < 2; order++) { /* retransmission: a later packet may come first */
    script_free(&t.s);
    for (size_t i = 0; i < 4; i++) {
      t.s.packet = order == 0 ? 10 + i : 20 - i;
      script_push(&t.s, 0, (iwarp_span){&t.b->octets[i * f->wire_len / 2], f->wire_len / 2});
    }
    bench_go(&t);
    ck_assert_uint_eq(t.log.recs[0].first, order == 0 ? 10 : 20);
    ck_assert_uint_eq(t.log.recs[0].last, order == 0 ? 11 : 20);
    ck_assert_uint_eq(t.log.recs[1].first, order == 0 ? 12 : 18);
    ck_assert_uint_eq(t.log.recs[1].last, order == 0 ? 13 : 18);
    ck_assert(t.log.recs[0].first_starts && t.log.recs[1].first_starts);
  }
  bench_free(&t);
}
END_TEST

/* What the last packet of an FPDU says when its first and its second were damaged, or not. */
static bool last_damaged(bool first, bool second) {
  bench t = bench_new(false, true);
  const build_fpdu *f = build_write(t.b, 100, 0x61);
  const iwarp_meta meta[2] = {{.packet = 1, .damaged = first}, {.packet = 2, .damaged = second}};
  iwarp_rx *rx = NULL;
  iwarp_event ev;
  void *mem = malloc(iwarp_rx_size(NULL));
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &t.cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_push(rx, (iwarp_span){t.b->octets, 50}, &meta[0]), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_rx_push(rx, (iwarp_span){&t.b->octets[50], f->wire_len - 50}, &meta[1]),
                   IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_FPDU);
  ck_assert_uint_eq(ev.last.packet, 2);
  free(mem);
  bench_free(&t);
  return ev.last.damaged;
}

START_TEST(damage_of_any_packet_is_kept)
{
  ck_assert(!last_damaged(false, false));
  ck_assert(last_damaged(true, false));
  ck_assert(last_damaged(false, true));
  ck_assert(last_damaged(true, true));
}
END_TEST

START_TEST(an_fpdu_of_very_many_packets_is_whole)
{
  bench t = bench_new(true, true);
  build_write(t.b, 3000, 0x42);
  build_write(t.b, 10, 0x42);
  bench_run(&t, 4, NULL, 0);
  ck_assert_uint_eq(t.log.num, 2);
  ck_assert_uint_eq(t.log.recs[0].first, 1);
  ck_assert_uint_eq(t.log.recs[0].last, (t.b->fpdu[0].wire_len + 3) / 4);
  ck_assert_uint_eq(t.log.recs[1].last, t.b->len / 4);
  bench_free(&t);
}
END_TEST

START_TEST(what_ends_too_early_and_does_not_look_like_an_fpdu_is_none)
{
  bench t = bench_new(false, false);
  build_write(t.b, 30, 1);
  t.b->octets[2] |= 0x3c; /* reserved bits */
  for (t.b->len--; t.b->len > 0; t.b->len--) {
    bench_whole(&t);
    ck_assert_uint_eq(t.log.num, 1);
    want_undec(&t, 0, 0, t.b->len, t.b->len < 4 ? IWARP_UNDEC_UNFINISHED : IWARP_UNDEC_NO_BOUNDARY);
  }
  bench_free(&t);
}
END_TEST

START_TEST(an_unfinished_fpdu_is_not_one)
{
  bench t = bench_new(true, true);
  build_write(t.b, 30, 1);
  while (t.b->len > 1) {
    t.b->len--;
    bench_whole(&t);
    ck_assert_uint_eq(t.log.num, 1);
    want_undec(&t, 0, 0, t.b->len, IWARP_UNDEC_UNFINISHED);
  }
  bench_free(&t);
}
END_TEST

/* An FPDU of 1000 octets whose stream ends after `len` of them, pushed in segments of 30 octets:
 * each begins with `head`, but for the first one. `starts`: they are segments. */
static iwarp_event unfinished_event(iwarp_rx **rx, void *mem, size_t len, const uint8_t head[12],
                                    bool starts) {
  static uint8_t octets[200];
  const iwarp_rx_cfg cfg = {.size = sizeof cfg,
                            .pos = POS0,
                            .at_start = true,
                            .markers = IWARP_TRISTATE_OFF,
                            .crc = IWARP_TRISTATE_OFF};
  iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN};
  iwarp_event ev;
  ck_assert_int_eq(iwarp_rx_init(rx, mem, IWARP_RX_SIZE, &cfg), IWARP_OK);
  for (size_t i = 0; i < len; i++) {
    octets[i] = i % 30 < 12 ? head[i % 30] : (uint8_t)i;
  }
  octets[0] = 3;
  for (size_t at = 0; at < len; at += 30) {
    const size_t left = len - at;
    meta.packet++;
    meta.segment_start = starts;
    ck_assert_int_eq(iwarp_rx_push(*rx, (iwarp_span){&octets[at], left < 30 ? left : 30}, &meta),
                     IWARP_OK);
    ck_assert_int_eq(iwarp_rx_next_event(*rx, &ev), IWARP_ERR_END);
  }
  ck_assert_int_eq(iwarp_rx_eof(*rx, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(*rx, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_UNDECODABLE);
  ck_assert_uint_eq(ev.len, len);
  ck_assert_uint_eq(ev.head.len, len < IWARP_RUN_HEAD_LEN ? len : IWARP_RUN_HEAD_LEN);
  ck_assert_mem_eq(ev.head.ptr, octets, ev.head.len);
  return ev;
}

START_TEST(a_run_shows_its_first_octets_and_segments_that_look_like_fpdus)
{
  static const uint8_t send[12] = {0, 22, 0x41, 0x43};
  static const uint8_t none[12] = {0, 22, 0x41, 0x43, 0, 0, 0, 0, 1}; /* no such queue */
  uint8_t *mem = malloc(IWARP_RX_SIZE);
  iwarp_rx *rx = NULL;
  ck_assert_uint_eq(unfinished_event(&rx, mem, 1, send, true).fpdu_like, 0);
  ck_assert_uint_eq(unfinished_event(&rx, mem, 63, send, true).fpdu_like, 1);
  ck_assert_uint_eq(unfinished_event(&rx, mem, 64, send, true).fpdu_like, 1);
  ck_assert_uint_eq(unfinished_event(&rx, mem, 65, send, true).fpdu_like, 1);
  ck_assert_uint_eq(unfinished_event(&rx, mem, 71, send, true).fpdu_like, 1);
  ck_assert_uint_eq(unfinished_event(&rx, mem, 72, send, true).fpdu_like, 2);
  ck_assert_uint_eq(unfinished_event(&rx, mem, 199, send, true).fpdu_like, 6);
  ck_assert_uint_eq(unfinished_event(&rx, mem, 199, none, true).fpdu_like, 0);
  ck_assert_uint_eq(unfinished_event(&rx, mem, 199, send, false).fpdu_like, 0);
  free(mem);
}
END_TEST

/* ---- holes in an FPDU ---- */

/* Three Writes; each FPDU has 2 + 14 + 101 + 3 + 4 octets. */
static bench bench_of_three(bool markers, bool crc) {
  bench t = bench_new(markers, crc);
  for (uint8_t i = 0; i < 3; i++) {
    build_write(t.b, 101, (uint8_t)(0x31 + i));
  }
  return t;
}

/* The length of an FPDU whose CRC is wrong may be wrong too: what comes after it and does not look
 * like an FPDU is one only by a right CRC. */
START_TEST(after_a_wrong_crc_there_may_be_no_fpdu)
{
  bench t = bench_of_three(false, true);
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[0].at + 30] ^= 1;
  t.b->octets[f[1].at + 2] ^= 4; /* reserved */
  bench_whole(&t);
  ck_assert_uint_eq(want_fpdu(&t, 0, &f[0])->what, IWARP_CRC_BAD);
  want(&t, 1, IWARP_EVENT_UNDECODABLE, f[1].at, f[1].wire_len);
  ck_assert_uint_eq(want_fpdu(&t, 2, &f[2])->what, IWARP_CRC_GOOD);
  bench_free(&t);
}
END_TEST

START_TEST(a_hole_in_the_payload_keeps_the_frame)
{
  for (size_t k = 0; k < 4; k++) {
    bench t = bench_of_three(k % 2 != 0, k / 2 != 0);
    const build_fpdu *f = t.b->fpdu;
    for (size_t from = f[1].at + 16; from < f[1].at + 110; from += 3) {
      bench_hole(&t, from, from + 3);
      ck_assert_uint_eq(t.log.num, 4);
      want_fpdu(&t, 0, &f[0]);
      const stream_rec *r = want_fpdu(&t, 1, &f[1]);
      ck_assert(!r->complete && r->has_ddp && r->what == IWARP_CRC_UNCHECKED);
      ck_assert(r->pad_present && r->crc_present && r->sync == IWARP_SYNC_STARTUP);
      ck_assert_uint_eq(r->offset, f[1].at + f[1].lead);
      ck_assert_uint_eq(r->first, 1);
      ck_assert_uint_eq(r->last, 3);
      want(&t, 2, IWARP_EVENT_GAP, from, 3);
      r = want_fpdu(&t, 3, &f[2]);
      ck_assert(r->complete && r->sync == IWARP_SYNC_STARTUP);
      ck_assert_uint_eq(r->crc_present ? r->offset : 0, f[2].at + f[2].lead);
    }
    bench_free(&t);
  }
}
END_TEST

START_TEST(a_hole_in_a_header_leaves_what_is_there)
{
  bench t = bench_of_three(false, true);
  const build_fpdu *f = t.b->fpdu;
  for (size_t have = 0; have < 16; have++) {
    bench_hole(&t, f[1].at + have, f[1].at + 16);
    if (have < 2) { /* its length is missing: the next FPDU is proven by its CRC */
      const size_t undec = have > 0 ? 1 : 0;
      want(&t, 1 + undec, IWARP_EVENT_GAP, f[1].at + have, 16 - have);
      want_undec(&t, 2 + undec, f[1].at + 16, f[2].at - f[1].at - 16, IWARP_UNDEC_NO_BOUNDARY);
      ck_assert_uint_eq(want_fpdu(&t, 3 + undec, &f[2])->sync, IWARP_SYNC_CRC);
    } else {
      ck_assert(!want_fpdu(&t, 1, &f[1])->has_ddp);
      want(&t, 2, IWARP_EVENT_GAP, f[1].at + have, 16 - have);
      ck_assert_uint_eq(want_fpdu(&t, 3, &f[2])->sync, IWARP_SYNC_STARTUP);
    }
  }
  bench_free(&t);
}
END_TEST

START_TEST(a_hole_in_pad_and_crc_hides_them)
{
  bench t = bench_of_three(false, false);
  const build_fpdu *f = t.b->fpdu;
  const size_t pad = f[2].at - 7;
  for (size_t from = pad - 2; from < f[2].at; from++) {
    for (size_t to = from + 1; to <= f[2].at; to++) {
      bench_hole(&t, from, to);
      const stream_rec *r = want_fpdu(&t, 1, &f[1]);
      ck_assert_int_eq(r->pad_present, to <= pad || from >= pad + 3);
      ck_assert_int_eq(r->crc_present, to <= pad + 3);
      ck_assert_uint_eq(r->crc_field, to <= pad + 3 ? BUILD_NO_CRC : 0);
      want_fpdu(&t, 3, &f[2]); /* also after a hole that ends with its FPDU */
    }
  }
  bench_free(&t);
}
END_TEST

/* A search may find an FPDU that is payload: what comes after it must look like one, or be right.
 */
START_TEST(after_an_fpdu_in_payload_stands_none)
{
  bench t = bench_new(false, true);
  stream_build *inner = stream_build_new(false, true);
  uint8_t ulpdu[100] = {0xC1, 0x40};
  build_write(inner, 6, 0x55);
  const size_t inner_len = build_span(inner).len;
  memset(&ulpdu[IWARP_DDP_TAGGED_LEN], 0xFF, sizeof ulpdu - IWARP_DDP_TAGGED_LEN);
  memcpy(&ulpdu[IWARP_DDP_TAGGED_LEN], build_span(inner).ptr, inner_len);
  const build_fpdu outer = *build_ulpdu(t.b, ulpdu, sizeof ulpdu);
  const build_fpdu next = *build_write(t.b, 101, 0x32);
  const size_t at = outer.at + 2 + IWARP_DDP_TAGGED_LEN;
  bench_hole(&t, 0, at);
  want(&t, 1, IWARP_EVENT_FPDU, at, inner_len);
  want_undec(&t, 2, at + inner_len, next.at - at - inner_len, IWARP_UNDEC_NO_BOUNDARY);
  want_fpdu(&t, 3, &next);
  stream_build_free(inner);
  bench_free(&t);
}
END_TEST

/* One for each segment of a largest FPDU whose packets were cut at the snapshot length. */
#define HOLES_KEPT 48u

START_TEST(several_holes_in_one_fpdu)
{
  bench t = bench_new(true, true);
  for (uint8_t i = 0; i < 3; i++) {
    build_write(t.b, 301, (uint8_t)(0x31 + i));
  }
  const build_fpdu *f = t.b->fpdu;
  script_hole holes[HOLES_KEPT + 2u];
  for (size_t num = 1; num <= HOLES_KEPT + 2u; num++) {
    for (size_t i = 0; i < num; i++) {
      holes[i] = (script_hole){f[1].at + 20 + 5 * i, f[1].at + 22 + 5 * i};
    }
    bench_run(&t, STREAM_BUILD_MAX, holes, num);
    want_fpdu(&t, 0, &f[0]);
    if (num <= HOLES_KEPT) {
      ck_assert_uint_eq(t.log.num, 3 + num);
      ck_assert_uint_eq(want_fpdu(&t, 1, &f[1])->last, 2 * num + 1);
      want_fpdu(&t, 2 + num, &f[2]);
      continue;
    }
    /* more than can be kept apart: the pieces, each with its own packets */
    for (size_t i = 0; i < HOLES_KEPT; i++) {
      const size_t at = i == 0 ? f[1].at : holes[i - 1].to;
      const stream_rec *r =
          want_undec(&t, 1 + 2 * i, at, holes[i].from - at, IWARP_UNDEC_NO_BOUNDARY);
      ck_assert_uint_eq(r->first, 2 * i + 1);
      ck_assert_uint_eq(r->last, 2 * i + 1);
      want(&t, 2 + 2 * i, IWARP_EVENT_GAP, holes[i].from, 2);
    }
  }
  bench_free(&t);
}
END_TEST

START_TEST(holes_after_each_other_are_two)
{
  bench t = bench_of_three(false, true);
  const build_fpdu *f = t.b->fpdu;
  const script_hole holes[] = {{f[1].at + 30, f[1].at + 40}, {f[1].at + 40, f[1].at + 55}};
  bench_run(&t, STREAM_BUILD_MAX, holes, 2);
  want_fpdu(&t, 1, &f[1]);
  want(&t, 2, IWARP_EVENT_GAP, holes[0].from, 10);
  want(&t, 3, IWARP_EVENT_GAP, holes[1].from, 15);
  want_fpdu(&t, 4, &f[2]);
  /* the second leads over the end of the FPDU */
  const script_hole over[] = {{f[1].at + 30, f[1].at + 40}, {f[1].at + 60, f[2].at + 10}};
  bench_run(&t, STREAM_BUILD_MAX, over, 2);
  want_fpdu(&t, 1, &f[1]);
  want(&t, 2, IWARP_EVENT_GAP, over[0].from, 10);
  want(&t, 3, IWARP_EVENT_GAP, over[1].from, 0);
  want_undec(&t, 4, over[1].to, t.b->len - over[1].to, IWARP_UNDEC_NO_BOUNDARY);
  bench_free(&t);
}
END_TEST

START_TEST(a_holed_fpdu_that_never_ends_is_reported_in_pieces)
{
  bench t = bench_of_three(true, true);
  const build_fpdu *f = t.b->fpdu;
  const script_hole holes[] = {{f[2].at + 20, f[2].at + 25}, {f[2].at + 30, f[2].at + 40}};
  t.b->len -= 10;
  bench_run(&t, 50, holes, 2);
  want_undec(&t, 2, f[2].at, 20, IWARP_UNDEC_UNFINISHED);
  want(&t, 3, IWARP_EVENT_GAP, holes[0].from, 5);
  const stream_rec *r = want_undec(&t, 4, holes[0].to, 5, IWARP_UNDEC_UNFINISHED);
  ck_assert_uint_eq(r->first, r->last);
  want(&t, 5, IWARP_EVENT_GAP, holes[1].from, 10);
  r = want_undec(&t, 6, holes[1].to, t.b->len - holes[1].to, IWARP_UNDEC_UNFINISHED);
  ck_assert_uint_eq(r->last, t.s.num - 1);
  ck_assert_uint_eq(t.log.num, 7);
  bench_free(&t);
}
END_TEST

/* The CRC that would have shown it is in vain where octets are missing. */
START_TEST(after_a_hole_a_length_is_not_believed)
{
  bench t = bench_of_three(false, true);
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[1].at + 1] = 54; /* the FPDU seems to end in its payload */
  bench_hole(&t, f[1].at + 20, f[1].at + 30);
  ck_assert(!want(&t, 1, IWARP_EVENT_FPDU, f[1].at, 60)->complete);
  want_undec(&t, 3, f[1].at + 60, f[2].at - f[1].at - 60, IWARP_UNDEC_NO_BOUNDARY);
  ck_assert_uint_eq(want_fpdu(&t, 4, &f[2])->sync, IWARP_SYNC_CRC);
  bench_free(&t);
}
END_TEST

START_TEST(a_hole_at_the_end_of_the_stream)
{
  bench t = bench_of_three(false, false);
  const build_fpdu *f = t.b->fpdu;
  bench_hole(&t, f[2].at, t.b->len);
  ck_assert_uint_eq(t.log.num, 3);
  want(&t, 2, IWARP_EVENT_GAP, f[2].at, f[2].wire_len);
  bench_hole(&t, f[2].at + 50, t.b->len);
  ck_assert_uint_eq(t.log.num, 4);
  ck_assert(!want_fpdu(&t, 2, &f[2])->complete);
  bench_free(&t);
}
END_TEST

/* ---- where no boundary is known ---- */

START_TEST(a_marker_ends_a_search)
{
  for (size_t k = 0; k < 2; k++) {
    bench t = bench_new(true, k != 0);
    for (int i = 0; i < 20; i++) {
      build_write(t.b, 200, 0x61);
    }
    const build_fpdu *f = t.b->fpdu;
    for (size_t i = 1; i < 10; i++) {
      size_t next = i + 1;
      bench_hole(&t, f[i].at, f[i].at + 40);
      while (f[next].at / 512 == (f[next].at + f[next].wire_len - 1) / 512 &&
             f[next].at % 512 != 0) {
        next++; /* no Marker in it */
      }
      want(&t, i, IWARP_EVENT_GAP, f[i].at, 40);
      want_undec(&t, i + 1, f[i].at + 40, f[next].at - f[i].at - 40, IWARP_UNDEC_NO_BOUNDARY);
      const stream_rec *r = want_fpdu(&t, i + 2, &f[next]);
      ck_assert_uint_eq(r->sync, IWARP_SYNC_MARKER);
      ck_assert_uint_eq(r->what, k != 0 ? IWARP_CRC_GOOD : IWARP_CRC_UNCHECKED);
      ck_assert_uint_eq(t.log.num, i + 2 + 20 - next);
    }
    bench_free(&t);
  }
}
END_TEST

START_TEST(the_leading_marker_may_be_lost)
{
  bench t = bench_new(true, true);
  build_write(t.b, 486, 0x61); /* ends at 512 */
  build_write(t.b, 700, 0x62);
  build_write(t.b, 700, 0x63);
  const build_fpdu *f = t.b->fpdu;
  ck_assert_uint_eq(f[1].at, 512);
  for (size_t to = 513; to <= 516; to++) {
    bench_hole(&t, 300, to);
    want_fpdu(&t, 0, &f[0]);
    want(&t, 1, IWARP_EVENT_GAP, 300, to - 300);
    const size_t rest = to < 516 ? 1 : 0;
    if (rest > 0) {
      want_undec(&t, 2, to, 516 - to, IWARP_UNDEC_NO_BOUNDARY);
    }
    const stream_rec *r = want(&t, 2 + rest, IWARP_EVENT_FPDU, 516, f[1].wire_len - 4);
    ck_assert_uint_eq(r->what, IWARP_CRC_UNCHECKED);
    ck_assert_uint_eq(r->sync, IWARP_SYNC_MARKER);
    ck_assert_uint_eq(want_fpdu(&t, 3 + rest, &f[2])->what, IWARP_CRC_GOOD);
  }
  bench_free(&t);
}
END_TEST

static void put_marker(bench *t, size_t at, uint16_t pointer) {
  t->b->octets[at + 2] = (uint8_t)(pointer >> 8);
  t->b->octets[at + 3] = (uint8_t)(pointer & 0xFF);
}

/* The payload of FPDU 3 holds what looks like an FPDU, and a Marker points to it. */
START_TEST(a_wrong_marker_does_not_capture_the_engine)
{
  static const uint8_t alike[] = {0x01, 0xF0, 0xC1, 0x40, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0};
  for (size_t k = 0; k < 3; k++) {
    bench t = bench_new(true, k == 1);
    t.cfg.crc = k == 2 ? IWARP_TRISTATE_UNKNOWN : t.cfg.crc;
    for (int i = 0; i < 20; i++) {
      build_write(t.b, 600, 0x61);
    }
    const build_fpdu *f = t.b->fpdu;
    const size_t marker = (f[3].at / 512 + 1) * 512;
    const size_t fake = f[3].at + 100 < marker ? f[3].at + 100 : f[3].at + 40;
    memcpy(&t.b->octets[fake], alike, sizeof alike);
    put_marker(&t, marker, (uint16_t)(marker - fake));
    bench_hole(&t, f[2].at, f[3].at + 20);
    for (size_t i = 0; i < t.log.num; i++) {
      ck_assert_uint_ne(t.log.recs[i].pos, t.cfg.pos + fake);
    }
    want_fpdu(&t, 4, &f[4]);
    /* pointers to Markers, after their own FPDU, and before everything */
    put_marker(&t, marker, 512);
    bench_hole(&t, f[2].at, f[3].at + 20);
    want_fpdu(&t, 4, &f[4]);
    put_marker(&t, marker, 0xFFFC);
    bench_hole(&t, f[2].at, f[3].at + 20);
    want_fpdu(&t, 4, &f[4]);
    put_marker(&t, marker, 0); /* an FPDU directly after it: 0x61 everywhere */
    bench_hole(&t, f[2].at, f[3].at + 20);
    want_fpdu(&t, 4, &f[4]);
    bench_free(&t);
  }
}
END_TEST

START_TEST(a_marker_proves_an_fpdu_with_a_wrong_crc)
{
  bench t = bench_new(true, true);
  for (int i = 0; i < 8; i++) {
    build_write(t.b, 600, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[2].at + 300] ^= 1;
  bench_hole(&t, f[1].at, f[2].at);
  const stream_rec *r = want_fpdu(&t, 2, &f[2]);
  ck_assert_uint_eq(r->what, IWARP_CRC_BAD);
  ck_assert_uint_ne(r->crc_computed, r->crc_field);
  ck_assert_uint_eq(want_fpdu(&t, 3, &f[3])->what, IWARP_CRC_GOOD);
  /* not so the last one: nothing follows that would agree */
  t.b->len = f[2].at + f[2].wire_len;
  bench_hole(&t, f[1].at, f[2].at);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 1);
  bench_free(&t);
}
END_TEST

START_TEST(a_marker_proves_an_fpdu_that_is_cut)
{
  for (size_t k = 0; k < 2; k++) {
    bench t = bench_new(true, k != 0);
    for (int i = 0; i < 4; i++) {
      build_write(t.b, 900, 0x61);
    }
    const build_fpdu *f = t.b->fpdu;
    const script_hole holes[] = {{f[1].at, f[2].at}, {f[2].at + 600, f[2].at + 610}};
    bench_run(&t, STREAM_BUILD_MAX, holes, 2);
    const stream_rec *r = want_fpdu(&t, 2, &f[2]);
    ck_assert(!r->complete && r->sync == IWARP_SYNC_MARKER);
    ck_assert(want_fpdu(&t, 4, &f[3])->complete);
    bench_free(&t);
  }
}
END_TEST

START_TEST(a_crc_ends_a_search)
{
  bench t = bench_new(false, true);
  for (int i = 0; i < 10; i++) {
    build_write(t.b, 333, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  bench_hole(&t, f[3].at, f[3].at + 17);
  want_undec(&t, 4, f[3].at + 17, f[4].at - f[3].at - 17, IWARP_UNDEC_NO_BOUNDARY);
  const stream_rec *r = want_fpdu(&t, 5, &f[4]);
  ck_assert_uint_eq(r->sync, IWARP_SYNC_CRC);
  ck_assert_uint_eq(r->offset, f[4].at);
  ck_assert_uint_eq(t.log.num, 11);
  /* also an FPDU that breaks every other rule */
  bench_free(&t);
  t = bench_new(false, true);
  static const uint8_t odd[] = {0x7D, 0x7F, 1, 2, 3};
  build_write(t.b, 333, 0x61);
  build_write(t.b, 333, 0x61);
  const build_fpdu *o = build_ulpdu(t.b, odd, sizeof odd);
  build_write(t.b, 333, 0x61);
  bench_hole(&t, t.b->fpdu[1].at, t.b->fpdu[1].at + 17);
  ck_assert_uint_eq(want_fpdu(&t, 3, o)->sync, IWARP_SYNC_CRC);
  bench_free(&t);
}
END_TEST

/* The payload of FPDU 2 is FPDUs itself, with right CRCs. */
START_TEST(fpdus_inside_an_fpdu_are_payload)
{
  bench inner = bench_new(false, true);
  for (int i = 0; i < 5; i++) {
    build_write(inner.b, 50, 0x62);
  }
  bench t = bench_new(false, true);
  uint8_t ulpdu[600] = {0xC1, 0x40};
  memcpy(&ulpdu[14], inner.b->octets, inner.b->len);
  for (int i = 0; i < 6; i++) {
    build_ulpdu(t.b, ulpdu, (uint16_t)(14 + inner.b->len));
  }
  const build_fpdu *f = t.b->fpdu;
  bench_hole(&t, f[1].at, f[2].at);
  ck_assert_uint_eq(t.log.num, 6);
  want_fpdu(&t, 2, &f[2]);
  bench_free(&inner);
  bench_free(&t);
}
END_TEST

START_TEST(a_segment_start_may_end_a_search)
{
  bench t = bench_new(false, false);
  for (int i = 0; i < 8; i++) {
    build_write(t.b, 100, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  bench_run(&t, f[0].wire_len, &(script_hole){f[2].at, f[3].at}, 1);
  ck_assert_uint_eq(want_fpdu(&t, 3, &f[3])->sync, IWARP_SYNC_HEURISTIC);
  ck_assert_uint_eq(t.log.num, 8);
  /* two in each segment: the first ends where the second looks right */
  bench_run(&t, 2 * f[0].wire_len, &(script_hole){f[2].at, f[4].at}, 1);
  ck_assert_uint_eq(want_fpdu(&t, 3, &f[4])->sync, IWARP_SYNC_HEURISTIC);
  /* the last one ends with the stream, or in a gap */
  bench_run(&t, f[0].wire_len, &(script_hole){f[2].at, f[7].at}, 1);
  want_fpdu(&t, 3, &f[7]);
  const script_hole holes[] = {{f[2].at, f[5].at}, {f[5].at + 50, f[6].at + 10}};
  bench_run(&t, f[0].wire_len, holes, 2);
  ck_assert(!want_fpdu(&t, 3, &f[5])->complete);
  bench_free(&t);
}
END_TEST

/* Segments of one packet, as offloading makes them, start where they start. */
START_TEST(segments_of_one_packet_are_distinguished)
{
  bench t = bench_new(false, false);
  for (int i = 0; i < 8; i++) {
    build_write(t.b, 100, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  script_lossy(&t.s, 0, build_span(t.b), f[0].wire_len, &(script_hole){f[2].at, f[2].at + 10}, 1);
  for (size_t i = 0; i < t.s.num; i++) {
    t.s.steps[i].meta.packet = 7;
  }
  bench_go(&t);
  ck_assert_uint_eq(want_fpdu(&t, 4, &f[3])->sync, IWARP_SYNC_HEURISTIC);
  bench_free(&t);
}
END_TEST

START_TEST(a_segment_start_proves_nothing_else)
{
  bench t = bench_new(false, false);
  for (int i = 0; i < 8; i++) {
    build_write(t.b, 100, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  /* a plausible header that leads nowhere */
  const size_t fake = f[3].at + 40;
  static const uint8_t alike[] = {0, 30, 0xC1, 0x40, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0};
  memcpy(&t.b->octets[fake], alike, sizeof alike);
  bench_run(&t, 40, &(script_hole){f[2].at, fake}, 1);
  for (size_t i = 0; i < t.log.num; i++) {
    ck_assert(t.log.recs[i].kind != IWARP_EVENT_FPDU || t.log.recs[i].pos != t.cfg.pos + fake);
  }
  /* the stream ends inside it */
  t.b->len = fake + 20;
  bench_run(&t, fake, &(script_hole){f[2].at, fake}, 1);
  want_undec(&t, 3, fake, 20, IWARP_UNDEC_NO_BOUNDARY);
  /* a header of the RDMA Consortium's version, and one that is cut before QN */
  bench_free(&t);
  t = bench_new(false, false);
  static const uint8_t old[] = {0xC0, 0x00, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 4; i++) {
    build_ulpdu(t.b, old, sizeof old);
  }
  bench_run(&t, t.b->fpdu[0].wire_len, &(script_hole){0, t.b->fpdu[1].at}, 1);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 0);
  t.b->len = 0;
  build_send(t.b, 40, 0);
  t.cfg.at_start = false;
  bench_run(&t, 8, &(script_hole){8, t.b->len}, 1);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 0);
  bench_free(&t);
}
END_TEST

START_TEST(a_guessed_chain_is_left_at_the_first_doubt)
{
  bench t = bench_new(false, false);
  for (int i = 0; i < 6; i++) {
    build_write(t.b, 100, 0x61);
  }
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[3].at + 3] = 0x4F;
  bench_run(&t, f[0].wire_len, &(script_hole){0, f[1].at}, 1);
  want_fpdu(&t, 1, &f[1]);
  want_fpdu(&t, 2, &f[2]);
  want_undec(&t, 3, f[3].at, f[3].wire_len, IWARP_UNDEC_NO_BOUNDARY);
  want_fpdu(&t, 4, &f[4]);
  bench_free(&t);
}
END_TEST

/* ---- mid-stream ---- */

static void expect_join(bench *t, size_t from, iwarp_tristate markers, iwarp_tristate crc,
                        iwarp_fpdu_sync sync) {
  const iwarp_span all = build_span(t->b);
  iwarp_rx *rx = NULL;
  iwarp_event ev;
  bool found = false;
  void *mem = malloc(iwarp_rx_size(NULL));
  t->cfg.at_start = false;
  t->cfg.pos = POS0 + from;
  script_free(&t->s);
  script_stream(&t->s, 0, (iwarp_span){all.ptr + from, all.len - from}, 1460);
  script_end(&t->s, 0, IWARP_END_FIN);
  bench_go(t);
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &t->cfg), IWARP_OK);
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
  free(mem);
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

static bench bench_of_many(bool markers, bool crc, size_t num, size_t payload) {
  bench t = bench_new(markers, crc);
  for (size_t i = 0; i < num; i++) {
    build_write(t.b, payload, 0x61);
  }
  return t;
}

/* Versions that are not known, or differ, are no boundary, though the CRC is right. */
START_TEST(a_crc_proves_no_fpdu_of_an_unknown_version)
{
  static const uint8_t ctrl[][2] = {{0x42, 0x83}, {0x43, 0xC3}, {0x41, 0x03}, {0x40, 0x43}};
  for (size_t i = 0; i < sizeof ctrl / sizeof ctrl[0]; i++) {
    bench t = bench_new(false, true);
    uint8_t ulpdu[22] = {ctrl[i][0], ctrl[i][1]};
    build_write(t.b, 333, 0x61);
    build_ulpdu(t.b, ulpdu, sizeof ulpdu);
    build_write(t.b, 333, 0x61);
    bench_hole(&t, 0, 17);
    ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 1);
    want_fpdu(&t, 2, &t.b->fpdu[2]);
    bench_free(&t);
  }
}
END_TEST

/* Version 0 in both headers is known: the RDMA Consortium's. */
START_TEST(a_crc_proves_an_fpdu_of_the_rdma_consortium)
{
  static const uint8_t ulpdu[22] = {0x40, 0x03};
  bench t = bench_new(false, true);
  build_write(t.b, 333, 0x61);
  build_ulpdu(t.b, ulpdu, sizeof ulpdu);
  build_write(t.b, 333, 0x61);
  bench_hole(&t, 0, 17);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 2);
  want_fpdu(&t, 2, &t.b->fpdu[1]);
  bench_free(&t);
}
END_TEST

/* Octets that wait in the buffer keep the packets that they came in, and where these begin. */
START_TEST(buffered_fpdus_keep_their_packets)
{
  bench t = bench_new(false, true);
  const uint8_t longest[4] = {0x20, 0x00, 0x41, 0x43}; /* 8 KiB would follow: so all is buffered */
  t.cfg.at_start = false;
  build_octets(t.b, longest, sizeof longest);
  script_push(&t.s, 0, build_span(t.b));
  for (size_t i = 0; i < 6; i++) {
    const build_fpdu *f = build_write(t.b, 100 + 7 * i, 0x61);
    script_push(&t.s, 0, (iwarp_span){&t.b->octets[f->at], f->wire_len});
  }
  script_end(&t.s, 0, IWARP_END_FIN);
  bench_go(&t);
  want_undec(&t, 0, 0, 4, IWARP_UNDEC_NO_BOUNDARY);
  for (size_t i = 0; i < 6; i++) {
    const stream_rec *r = want_fpdu(&t, 1 + i, &t.b->fpdu[i]);
    ck_assert_uint_eq(r->first, 2 + i);
    ck_assert_uint_eq(r->last, 2 + i);
    ck_assert(r->first_starts);
  }
  bench_free(&t);
}
END_TEST

/* Two Marker periods of FPDUs without Markers, and not less, say that there are none. */
START_TEST(two_periods_without_markers_are_enough)
{
  const iwarp_rx_cfg cfg = {.size = sizeof cfg, .crc = IWARP_TRISTATE_ON};
  stream_build *b = stream_build_new(false, true);
  iwarp_rx *rx = NULL;
  iwarp_event ev;
  void *mem = malloc(iwarp_rx_size(NULL));
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &cfg), IWARP_OK);
  for (size_t i = 0; i < 6; i++) {
    ck_assert_uint_eq(build_write(b, 236, 0x61)->wire_len, 256);
  }
  ck_assert_int_eq(iwarp_rx_push(rx, build_span(b), &(iwarp_meta){.packet = 1}), IWARP_OK);
  for (size_t i = 1; i <= 6; i++) {
    ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_OK);
    ck_assert_int_eq(ev.kind, IWARP_EVENT_FPDU);
    ck_assert_int_eq(iwarp_rx_markers(rx), i < 4 ? IWARP_TRISTATE_UNKNOWN : IWARP_TRISTATE_OFF);
  }
  free(mem);
  stream_build_free(b);
}
END_TEST

/* What follows the FPDU that a Marker points to is looked for after the Marker that leads it. */
START_TEST(a_marker_leads_what_follows)
{
  bench t = bench_new(true, false);
  const build_fpdu *f = t.b->fpdu;
  build_write(t.b, 276, 0x61);
  build_write(t.b, 700, 0x61);
  build_write(t.b, 700, 0x61);
  ck_assert(f[1].at == 300 && f[2].at == 1024 && f[2].lead == 4);
  bench_hole(&t, 0, 10);
  ck_assert_uint_eq(want_fpdu(&t, 2, &f[1])->sync, IWARP_SYNC_MARKER);
  want_fpdu(&t, 3, &f[2]);
  bench_free(&t);
}
END_TEST

START_TEST(a_stream_is_joined_by_its_crcs)
{
  for (size_t from = 1; from < 800; from += 97) {
    bench t = bench_of_many(false, true, 30, 400);
    t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
    t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
    expect_join(&t, from, IWARP_TRISTATE_OFF, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    t.cfg.crc = IWARP_TRISTATE_ON;
    expect_join(&t, from, IWARP_TRISTATE_OFF, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    t.cfg.markers = IWARP_TRISTATE_OFF;
    expect_join(&t, from, IWARP_TRISTATE_OFF, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    bench_free(&t);
  }
}
END_TEST

START_TEST(a_stream_with_markers_is_joined_by_its_crcs)
{
  for (size_t from = 1; from < 1600; from += 97) {
    bench t = bench_of_many(true, true, 30, 300);
    t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
    t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
    expect_join(&t, from, IWARP_TRISTATE_ON, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    t.cfg.markers = IWARP_TRISTATE_ON;
    expect_join(&t, from, IWARP_TRISTATE_ON, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
    bench_free(&t);
  }
}
END_TEST

START_TEST(a_stream_with_markers_is_joined_by_them)
{
  for (size_t from = 1; from < 1600; from += 97) {
    bench t = bench_of_many(true, false, 30, 300);
    t.cfg.markers = IWARP_TRISTATE_ON;
    expect_join(&t, from, IWARP_TRISTATE_ON, IWARP_TRISTATE_OFF, IWARP_SYNC_MARKER);
    t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
    t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
    expect_join(&t, from, IWARP_TRISTATE_ON, IWARP_TRISTATE_OFF, IWARP_SYNC_MARKER);
    bench_free(&t);
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
static void forge_crc(bench *t, const build_fpdu *f) {
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
static bench bench_of_alike_words(bool crc, uint16_t payload) {
  bench t = bench_of_many(true, crc, ALIKE_FPDU, 300);
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
    bench t = bench_of_alike_words(crc, k < 2 ? 300 : 900); /* one Marker, or more of them */
    const build_fpdu *f = &t.b->fpdu[ALIKE_FPDU];
    t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
    t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
    expect_join(&t, f->at, IWARP_TRISTATE_ON, crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF,
                crc ? IWARP_SYNC_CRC : IWARP_SYNC_MARKER);
    ck_assert_uint_eq(t.log.recs[0].octets_len, f->length);
    ck_assert_uint_eq(t.log.recs[0].octets, iwarp_crc32c(0, alike_ulpdu, f->length));
    ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), t.b->num_fpdus - ALIKE_FPDU);
    bench_free(&t);
  }
}
END_TEST

/* A Marker at octet 8 and MSN 16 after it: at octet 16, where a Marker would say so too. */
START_TEST(a_marker_is_not_taken_for_qn)
{
  static const uint8_t ulpdu[] = "\x41\x43\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0\0abcdefg";
  bench t = bench_of_many(true, true, ALIKE_FPDU, 300);
  const size_t at = t.b->len % 512;
  ck_assert(at > 0 && at < 480);
  build_write(t.b, 504 - at - 20, 0x61);
  const build_fpdu *f = build_ulpdu(t.b, ulpdu, sizeof ulpdu);
  ck_assert_uint_eq(f->at % 512, 504);
  t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
  t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
  expect_join(&t, f->at, IWARP_TRISTATE_ON, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
  ck_assert_uint_eq(t.log.recs[0].octets, iwarp_crc32c(0, ulpdu, sizeof ulpdu));
  bench_free(&t);
}
END_TEST

/* A false Marker with which the FPDU is four octets shorter, and another one seems to follow. */
START_TEST(a_crc_outweighs_a_marker)
{
  bench t = bench_of_alike_words(true, 760);
  const build_fpdu *f = &t.b->fpdu[ALIKE_FPDU];
  put_marker(&t, f->at + 40, 0x6161);
  put_marker(&t, f->at + 280, 0x6161);
  memset(&t.b->octets[f->at + 400], 0, 4);
  put_marker(&t, f->at + 400, 400);
  forge_crc(&t, f);
  t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
  t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
  expect_join(&t, f->at, IWARP_TRISTATE_ON, IWARP_TRISTATE_ON, IWARP_SYNC_CRC);
  ck_assert_uint_eq(t.log.recs[0].len, f->wire_len);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), t.b->num_fpdus - ALIKE_FPDU);
  bench_free(&t);
}
END_TEST

START_TEST(a_bare_stream_is_joined_at_a_segment_start)
{
  bench t = bench_of_many(false, false, 30, 100);
  const size_t wire = t.b->fpdu[0].wire_len;
  t.cfg.at_start = false;
  t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
  t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
  expect_join(&t, wire, IWARP_TRISTATE_OFF, IWARP_TRISTATE_OFF, IWARP_SYNC_HEURISTIC);
  ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 29);
  expect_join(&t, 1, IWARP_TRISTATE_UNKNOWN, IWARP_TRISTATE_UNKNOWN, IWARP_SYNC_NONE);
  ck_assert_uint_eq(t.log.num, 1);
  t.cfg.crc = IWARP_TRISTATE_OFF;
  expect_join(&t, wire, IWARP_TRISTATE_OFF, IWARP_TRISTATE_OFF, IWARP_SYNC_HEURISTIC);
  bench_free(&t);
}
END_TEST

START_TEST(a_guess_is_confirmed_by_a_crc)
{
  bench t = bench_of_many(false, true, 10, 100);
  t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
  t.b->octets[t.b->fpdu[0].at + 50] ^= 1; /* the first one is damaged: its CRC proves nothing */
  t.cfg.at_start = false;
  bench_run(&t, t.b->fpdu[0].wire_len, NULL, 0);
  /* its CRC is wrong, so that none seems to be in use */
  ck_assert_uint_eq(want_fpdu(&t, 0, &t.b->fpdu[0])->sync, IWARP_SYNC_HEURISTIC);
  ck_assert_uint_eq(want_fpdu(&t, 1, &t.b->fpdu[1])->what, IWARP_CRC_UNCHECKED);

  iwarp_rx *rx = NULL;
  iwarp_event ev;
  void *mem = malloc(iwarp_rx_size(NULL));
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(NULL), &t.cfg), IWARP_OK);
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
  free(mem);
  bench_free(&t);
}
END_TEST

/* A right CRC, no place for Markers known, and a queue that the message must not use. */
START_TEST(an_odd_fpdu_in_mid_stream_comes_to_an_end)
{
  for (size_t k = 0; k < 2; k++) {
    bench t = bench_new(false, true);
    uint8_t ulpdu[40] = {0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 5};
    for (int i = 0; i < 5; i++) {
      build_ulpdu(t.b, ulpdu, sizeof ulpdu);
    }
    t.cfg.at_start = false;
    t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
    t.cfg.crc = k == 0 ? IWARP_TRISTATE_UNKNOWN : IWARP_TRISTATE_ON;
    bench_whole(&t);
    ck_assert_uint_eq(t.log.num, 5);
    bench_free(&t);
  }
}
END_TEST

START_TEST(much_that_is_nothing_is_one_run)
{
  for (size_t k = 0; k < 9; k++) {
    bench t = bench_new(false, false);
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
    const stream_rec *r = want_undec(&t, 0, 0, 400000, IWARP_UNDEC_NO_BOUNDARY);
    ck_assert_uint_eq(r->first, 1);
    ck_assert_uint_eq(r->last, 274);
    bench_free(&t);
  }
}
END_TEST

/* The longest FPDUs, after as much as a search can hold. */
START_TEST(a_search_goes_on_as_long_as_it_takes)
{
  for (size_t skip = 60000; skip < 140000; skip += 13333) {
    for (size_t k = 0; k < 3; k++) {
      bench t = bench_new(k == 2, true);
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
      want_undec(&t, 0, 0, skip, IWARP_UNDEC_NO_BOUNDARY);
      want_fpdu(&t, 1, &t.b->fpdu[0]);
      log_free(&other);
      script_free(&cut);
      bench_free(&t);
    }
  }
}
END_TEST

/* ---- what the start tells ---- */

/* The octets of a search fill the buffer and are all that there is: nothing of them is given up. */
START_TEST(a_search_that_fills_the_buffer_keeps_it)
{
  bench t = bench_new(false, true);
  t.cfg.at_start = false;
  t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
  t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
  build_fill(t.b, 0xFF, IWARP_MPA_FPDU_WIRE_MAX - 8); /* after it the FPDU could be longer */
  const build_fpdu *f = build_write(t.b, 65535 - 14, 0x61);
  build_fill(t.b, 0xFF, 2 * IWARP_MPA_FPDU_WIRE_MAX - t.b->len);
  bench_whole(&t);
  want_undec(&t, 0, 0, f->at, IWARP_UNDEC_NO_BOUNDARY);
  ck_assert_uint_eq(want_fpdu(&t, 1, f)->sync, IWARP_SYNC_CRC);
  bench_free(&t);
}
END_TEST

START_TEST(the_first_word_tells_whether_markers_are_on)
{
  for (size_t k = 0; k < 4; k++) {
    bench t = bench_of_many(k % 2 != 0, k / 2 != 0, 10, 200);
    t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
    t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
    bench_whole(&t);
    expect_all(&t);
    t.cfg.unconfirmed = true;
    bench_whole(&t);
    expect_all(&t);
    bench_free(&t);
  }
}
END_TEST

START_TEST(an_unconfirmed_start_must_look_like_one)
{
  bench t = bench_new(false, false);
  t.cfg.unconfirmed = true;
  build_octets(t.b, "this is no FPDU at all, but text", 32);
  bench_whole(&t);
  ck_assert_uint_eq(t.log.num, 1);
  want_undec(&t, 0, 0, 32, IWARP_UNDEC_NOT_FPDU);
  t.cfg.crc = IWARP_TRISTATE_ON;
  bench_whole(&t);
  want_undec(&t, 0, 0, 32, IWARP_UNDEC_NOT_FPDU);
  t.cfg.markers = IWARP_TRISTATE_UNKNOWN;
  bench_whole(&t);
  want_undec(&t, 0, 0, 32, IWARP_UNDEC_NOT_FPDU);
  bench_hole(&t, 20, 25);
  want_undec(&t, 0, 0, 20, IWARP_UNDEC_NOT_FPDU);
  want_undec(&t, 2, 25, 7, IWARP_UNDEC_NOT_FPDU);
  t.b->len = 3; /* too few to see it */
  bench_whole(&t);
  want_undec(&t, 0, 0, 3, IWARP_UNDEC_UNFINISHED);
  bench_hole(&t, 2, 3);
  want_undec(&t, 0, 0, 2, IWARP_UNDEC_NO_BOUNDARY);
  bench_free(&t);
}
END_TEST

START_TEST(after_an_unconfirmed_start_a_crc_still_proves)
{
  bench t = bench_new(false, true);
  static const uint8_t odd[] = {0x4D, 0x7F, 1, 2, 3, 4};
  t.cfg.unconfirmed = true;
  t.cfg.crc = IWARP_TRISTATE_UNKNOWN;
  build_ulpdu(t.b, odd, sizeof odd); /* odd, but its CRC is right */
  build_write(t.b, 10, 0);
  bench_whole(&t);
  expect_all(&t);
  bench_free(&t);
  t = bench_new(false, true);
  t.cfg.unconfirmed = true;
  build_octets(t.b, "no FPDU.", 8);
  build_write(t.b, 10, 0);
  bench_whole(&t);
  want_undec(&t, 0, 0, 8, IWARP_UNDEC_NOT_FPDU);
  ck_assert_uint_eq(want_fpdu(&t, 1, &t.b->fpdu[0])->sync, IWARP_SYNC_CRC);
  /* a segment start is no proof where none should be needed */
  t.cfg.crc = IWARP_TRISTATE_OFF;
  bench_run(&t, 8, NULL, 0);
  want_undec(&t, 0, 0, t.b->len, IWARP_UNDEC_NOT_FPDU);
  bench_free(&t);
}
END_TEST

START_TEST(the_versions_of_the_rdma_consortium_are_fpdus)
{
  bench t = bench_new(true, true);
  static const uint8_t send[22] = {0x40, 0x03};
  t.cfg.unconfirmed = true;
  build_ulpdu(t.b, send, sizeof send);
  build_ulpdu(t.b, send, sizeof send);
  bench_whole(&t);
  expect_all(&t);
  bench_free(&t);
}
END_TEST

/* ---- wrong CRCs ---- */

START_TEST(a_wrong_crc_does_not_break_the_chain)
{
  bench t = bench_of_many(false, true, 6, 100);
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[2].at + 60] ^= 1;
  bench_whole(&t);
  ck_assert_uint_eq(t.log.num, 6);
  ck_assert_uint_eq(t.log.recs[2].what, IWARP_CRC_BAD);
  ck_assert_uint_eq(t.log.recs[3].what, IWARP_CRC_GOOD);
  ck_assert_uint_eq(t.log.recs[3].sync, IWARP_SYNC_STARTUP);
  bench_free(&t);
}
END_TEST

START_TEST(after_a_wrong_crc_a_length_is_not_believed)
{
  bench t = bench_of_many(false, true, 8, 100);
  const build_fpdu *f = t.b->fpdu;
  t.b->octets[f[2].at + 1] = 60; /* too short: the next one would begin in the payload */
  bench_whole(&t);
  ck_assert_uint_eq(t.log.recs[2].what, IWARP_CRC_BAD);
  want_undec(&t, 3, f[2].at + 68, f[3].at - f[2].at - 68, IWARP_UNDEC_NO_BOUNDARY);
  ck_assert_uint_eq(want_fpdu(&t, 4, &f[3])->sync, IWARP_SYNC_CRC);
  bench_free(&t);
  /* an odd FPDU after a wrong CRC: its own tells, once it is whole */
  static const uint8_t odd[] = {0x4D, 0x7F, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  t = bench_new(false, true);
  build_write(t.b, 100, 0x61);
  build_ulpdu(t.b, odd, sizeof odd);
  build_write(t.b, 100, 0x61);
  t.b->octets[40] ^= 1;
  bench_whole(&t);
  ck_assert_uint_eq(t.log.num, 3);
  ck_assert_uint_eq(want_fpdu(&t, 1, &t.b->fpdu[1])->what, IWARP_CRC_GOOD);
  /* a gap in it leaves nothing that would */
  bench_hole(&t, t.b->fpdu[1].at + 8, t.b->fpdu[1].at + 9);
  want_undec(&t, 1, t.b->fpdu[1].at, 8, IWARP_UNDEC_NO_BOUNDARY);
  want_fpdu(&t, 4, &t.b->fpdu[2]);
  /* and neither does one in its first word */
  bench_hole(&t, t.b->fpdu[1].at + 3, t.b->fpdu[1].at + 9);
  want_undec(&t, 1, t.b->fpdu[1].at, 3, IWARP_UNDEC_NO_BOUNDARY);
  bench_free(&t);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {init_refuses_what_it_cannot_use,
                                calls_in_the_wrong_state_are_refused,
                                the_longest_gap_does_no_harm,
                                fpdus_inside_a_push_are_not_copied,
                                markers_stand_anywhere,
                                any_length_is_framed,
                                the_packets_of_an_fpdu_are_named,
                                damage_of_any_packet_is_kept,
                                an_fpdu_of_very_many_packets_is_whole,
                                what_ends_too_early_and_does_not_look_like_an_fpdu_is_none,
                                an_unfinished_fpdu_is_not_one,
                                a_run_shows_its_first_octets_and_segments_that_look_like_fpdus,
                                after_a_wrong_crc_there_may_be_no_fpdu,
                                a_hole_in_the_payload_keeps_the_frame,
                                a_hole_in_a_header_leaves_what_is_there,
                                a_hole_in_pad_and_crc_hides_them,
                                after_an_fpdu_in_payload_stands_none,
                                several_holes_in_one_fpdu,
                                holes_after_each_other_are_two,
                                a_holed_fpdu_that_never_ends_is_reported_in_pieces,
                                after_a_hole_a_length_is_not_believed,
                                a_hole_at_the_end_of_the_stream,
                                a_marker_ends_a_search,
                                the_leading_marker_may_be_lost,
                                a_wrong_marker_does_not_capture_the_engine,
                                a_marker_proves_an_fpdu_with_a_wrong_crc,
                                a_marker_proves_an_fpdu_that_is_cut,
                                a_crc_ends_a_search,
                                fpdus_inside_an_fpdu_are_payload,
                                a_segment_start_may_end_a_search,
                                segments_of_one_packet_are_distinguished,
                                a_segment_start_proves_nothing_else,
                                a_guessed_chain_is_left_at_the_first_doubt,
                                a_crc_proves_no_fpdu_of_an_unknown_version,
                                a_crc_proves_an_fpdu_of_the_rdma_consortium,
                                buffered_fpdus_keep_their_packets,
                                two_periods_without_markers_are_enough,
                                a_marker_leads_what_follows,
                                a_stream_is_joined_by_its_crcs,
                                a_stream_with_markers_is_joined_by_its_crcs,
                                a_stream_with_markers_is_joined_by_them,
                                words_that_look_like_markers_lose,
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
                                the_versions_of_the_rdma_consortium_are_fpdus,
                                a_wrong_crc_does_not_break_the_chain,
                                after_a_wrong_crc_a_length_is_not_believed,
                                NULL};
  return check_run(check_suite("stream-rx", tests));
}
