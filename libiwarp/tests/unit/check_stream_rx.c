/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive engine of one direction in Full Operation: its use, and framing. */
#include <string.h>

#include <iwarp/crc32c.h>

#include "check_run.h"
#include "rx_bench.h"

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
  rx_bench t = rx_bench_new(true, true);
  const iwarp_meta meta = {.packet = 1};
  build_write(t.b, 600, 1);
  for (size_t have = 0; have < 600; have += 100) {
    iwarp_rx *rx = NULL;
    iwarp_event ev;
    void *mem = malloc(iwarp_rx_size(&t.cfg));
    ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(&t.cfg), &t.cfg), IWARP_OK);
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
  rx_bench_free(&t);
}
END_TEST

START_TEST(fpdus_inside_a_push_are_not_copied)
{
  rx_bench t = rx_bench_new(true, true);
  for (int i = 0; i < 40; i++) {
    build_write(t.b, 10u * (unsigned)i, 3);
  }
  rx_bench_whole(&t);
  ck_assert_uint_eq(t.log.num, 40);
  ck_assert_uint_eq(t.log.borrowed, 40);
  /* even the smallest, after one that came in two pieces */
  rx_bench_free(&t);
  t = rx_bench_new(false, false);
  for (int i = 0; i < 6; i++) {
    build_ulpdu(t.b, (const uint8_t *)"ab", 2);
  }
  script_push(&t.s, 0, (iwarp_span){t.b->octets, 3});
  script_push(&t.s, 0, (iwarp_span){&t.b->octets[3], t.b->len - 3});
  rx_bench_go(&t);
  ck_assert_uint_eq(t.log.num, 6);
  ck_assert_uint_eq(t.log.borrowed, 5);
  rx_bench_free(&t);
}
END_TEST

/* ---- framing ---- */

/* Every place of the Markers, before, in and after each of FPDUs of every pad. */
START_TEST(markers_stand_anywhere)
{
  static uint8_t ulpdu[700];
  for (size_t i = 0; i < sizeof ulpdu; i++) {
    ulpdu[i] = (uint8_t)(i * 7);
  }
  for (uint16_t before = 0; before < 508; before += 4) {
    rx_bench t = rx_bench_new(true, before % 8 == 0);
    build_ulpdu(t.b, ulpdu, before);
    for (uint16_t length = 0; length < 24; length++) {
      build_ulpdu(t.b, ulpdu, length);
    }
    for (uint16_t length = 494; length < 518; length += 3) {
      build_ulpdu(t.b, ulpdu, length);
    }
    rx_bench_whole(&t);
    rx_bench_expect_all(&t);
    rx_bench_free(&t);
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
    rx_bench t = rx_bench_new(k % 2 != 0, k / 2 != 0);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
      build_ulpdu(t.b, ulpdu, lengths[i]);
    }
    prng p = {k};
    script_stream(&t.s, 0, build_span(t.b), 1460);
    stream_script cut = script_cut(&t.s, &p, 5000);
    t.log = run_rx(&t.cfg, &cut);
    script_free(&cut);
    rx_bench_expect_all(&t);
    rx_bench_free(&t);
  }
}
END_TEST

START_TEST(the_packets_of_an_fpdu_are_named)
{
  rx_bench t = rx_bench_new(false, false);
  const build_fpdu *f = build_write(t.b, 100, 0);
  build_write(t.b, 100, 0);
  for (uint64_t order = 0; order < 2; order++) { /* retransmission: a later packet may come first */
    script_free(&t.s);
    for (size_t i = 0; i < 4; i++) {
      t.s.packet = order == 0 ? 10 + i : 20 - i;
      script_push(&t.s, 0, (iwarp_span){&t.b->octets[i * f->wire_len / 2], f->wire_len / 2});
    }
    rx_bench_go(&t);
    ck_assert_uint_eq(t.log.recs[0].first, order == 0 ? 10 : 20);
    ck_assert_uint_eq(t.log.recs[0].last, order == 0 ? 11 : 20);
    ck_assert_uint_eq(t.log.recs[1].first, order == 0 ? 12 : 18);
    ck_assert_uint_eq(t.log.recs[1].last, order == 0 ? 13 : 18);
    ck_assert(t.log.recs[0].first_starts && t.log.recs[1].first_starts);
  }
  rx_bench_free(&t);
}
END_TEST

/* What the last packet of an FPDU says when its first and its second were damaged, or not. */
static bool last_damaged(bool first, bool second) {
  rx_bench t = rx_bench_new(false, true);
  const build_fpdu *f = build_write(t.b, 100, 0x61);
  const iwarp_meta meta[2] = {{.packet = 1, .damaged = first}, {.packet = 2, .damaged = second}};
  iwarp_rx *rx = NULL;
  iwarp_event ev;
  void *mem = malloc(iwarp_rx_size(&t.cfg));
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, iwarp_rx_size(&t.cfg), &t.cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_push(rx, (iwarp_span){t.b->octets, 50}, &meta[0]), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_rx_push(rx, (iwarp_span){&t.b->octets[50], f->wire_len - 50}, &meta[1]),
                   IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_FPDU);
  ck_assert_uint_eq(ev.last.packet, 2);
  free(mem);
  rx_bench_free(&t);
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
  rx_bench t = rx_bench_new(true, true);
  build_write(t.b, 3000, 0x42);
  build_write(t.b, 10, 0x42);
  rx_bench_run(&t, 4, NULL, 0);
  ck_assert_uint_eq(t.log.num, 2);
  ck_assert_uint_eq(t.log.recs[0].first, 1);
  ck_assert_uint_eq(t.log.recs[0].last, (t.b->fpdu[0].wire_len + 3) / 4);
  ck_assert_uint_eq(t.log.recs[1].last, t.b->len / 4);
  rx_bench_free(&t);
}
END_TEST

START_TEST(what_ends_too_early_and_does_not_look_like_an_fpdu_is_none)
{
  rx_bench t = rx_bench_new(false, false);
  build_write(t.b, 30, 1);
  t.b->octets[2] |= 0x3c; /* reserved bits */
  for (t.b->len--; t.b->len > 0; t.b->len--) {
    rx_bench_whole(&t);
    ck_assert_uint_eq(t.log.num, 1);
    rx_bench_undec(&t, 0, 0, t.b->len,
                   t.b->len < 4 ? IWARP_UNDEC_UNFINISHED : IWARP_UNDEC_NO_BOUNDARY);
  }
  rx_bench_free(&t);
}
END_TEST

START_TEST(an_unfinished_fpdu_is_not_one)
{
  rx_bench t = rx_bench_new(true, true);
  build_write(t.b, 30, 1);
  while (t.b->len > 1) {
    t.b->len--;
    rx_bench_whole(&t);
    ck_assert_uint_eq(t.log.num, 1);
    rx_bench_undec(&t, 0, 0, t.b->len, IWARP_UNDEC_UNFINISHED);
  }
  rx_bench_free(&t);
}
END_TEST

/* An FPDU of 1000 octets whose stream ends after `len` of them, pushed in segments of 30 octets:
 * each begins with `head`, but for the first one. `starts`: they are segments. */
static iwarp_event unfinished_event(iwarp_rx **rx, void *mem, size_t len, const uint8_t head[12],
                                    bool starts) {
  static uint8_t octets[200];
  const iwarp_rx_cfg cfg = {.size = sizeof cfg,
                            .pos = 1,
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
  ck_assert_uint_eq(ev.head_last.packet, 1);
  ck_assert_uint_eq(ev.unfinished.len, ev.u.undecodable == IWARP_UNDEC_UNFINISHED ? len : 0);
  if (ev.unfinished.len > 0) {
    ck_assert_mem_eq(ev.unfinished.ptr, octets, ev.unfinished.len);
  }
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

/* Octets that never become an FPDU, in packets of `step` octets; returns the number of the packet
 * that completes the first ones, as many as a startup frame has. */
static uint64_t head_packet(size_t step) {
  static const uint8_t octets[70] = {3};
  const iwarp_rx_cfg cfg = {
      .size = sizeof cfg, .at_start = true, .markers = IWARP_TRISTATE_OFF, .max_ulpdu = UINT16_MAX};
  iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN};
  iwarp_rx *rx = NULL;
  iwarp_event ev;
  void *mem = malloc(IWARP_RX_SIZE);
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, IWARP_RX_SIZE, &cfg), IWARP_OK);
  for (size_t at = 0; at < sizeof octets; at += step) {
    meta.packet++;
    const iwarp_span in = {&octets[at], sizeof octets - at < step ? sizeof octets - at : step};
    ck_assert_int_eq(iwarp_rx_push(rx, in, &meta), IWARP_OK);
    ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);
  }
  ck_assert_int_eq(iwarp_rx_eof(rx, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_UNDECODABLE);
  ck_assert_uint_eq(ev.first.packet, 1);
  ck_assert_uint_eq(ev.last.packet, meta.packet);
  free(mem);
  return ev.head_last.packet;
}

START_TEST(a_run_names_the_packet_that_completes_its_head)
{
  ck_assert_uint_eq(head_packet(1), 20);
  ck_assert_uint_eq(head_packet(3), 7);
  ck_assert_uint_eq(head_packet(19), 2);
  ck_assert_uint_eq(head_packet(20), 1);
  ck_assert_uint_eq(head_packet(70), 1);
}
END_TEST

/* The Marker before ULPDU_Length comes in a segment of its own. */
START_TEST(an_fpdu_after_its_marker_is_no_other_one)
{
  static const uint8_t octets[24] = {0, 0, 0, 0, 0, 22, 0x41, 0x43};
  const iwarp_rx_cfg cfg = {.size = sizeof cfg,
                            .pos = 1,
                            .at_start = true,
                            .markers = IWARP_TRISTATE_ON,
                            .crc = IWARP_TRISTATE_OFF};
  const iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN, .segment_start = true};
  iwarp_event ev;
  iwarp_rx *rx = NULL;
  void *mem = malloc(IWARP_RX_SIZE);
  ck_assert_int_eq(iwarp_rx_init(&rx, mem, IWARP_RX_SIZE, &cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_push(rx, (iwarp_span){octets, 4}, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_rx_push(rx, (iwarp_span){&octets[4], 20}, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_rx_eof(rx, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_UNDECODABLE);
  ck_assert_int_eq(ev.u.undecodable, IWARP_UNDEC_UNFINISHED);
  ck_assert_uint_eq(ev.fpdu_like, 0);
  free(mem);
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
                                a_run_names_the_packet_that_completes_its_head,
                                an_fpdu_after_its_marker_is_no_other_one,
                                NULL};
  return check_run(check_suite("stream-rx", tests));
}
