/* SPDX-License-Identifier: BSD-2-Clause */
/* What engines that watch say of their own limits, and of the memory that they have written. */
#include <stdlib.h>
#include <string.h>

#include <iwarp/event.h>
#include <iwarp/observer.h>
#include <iwarp/rx.h>

#include "check_run.h"
#include "stream_build.h"
#include "stream_run.h"
#include "test_pool.h"

#define LARGE 70000u

static void *memory;
static iwarp_observer *conn;
static test_pool pool;
static uint64_t packet;
static uint8_t octets[LARGE];

static void begin(const iwarp_observer_cfg *how) {
  iwarp_observer_cfg cfg = *how;
  cfg.size = sizeof cfg;
  free(memory);
  const size_t size = iwarp_observer_size(&cfg);
  memory = malloc(size);
  ck_assert_int_eq(iwarp_observer_init(&conn, memory, size, &cfg), IWARP_OK);
  packet = 0;
}

static void begin_pooled(unsigned fail_every) {
  test_pool_begin(&pool, fail_every);
  begin(&(iwarp_observer_cfg){.pool = &pool.pool});
}

static iwarp_meta meta_next(void) {
  return (iwarp_meta){.packet = ++packet, .peer_pos = IWARP_POS_UNKNOWN};
}

/* Returns how many FPDUs came of it. */
static unsigned drain(void) {
  iwarp_event ev;
  unsigned fpdus = 0;
  while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
    fpdus += ev.kind == IWARP_EVENT_FPDU ? 1u : 0u;
  }
  return fpdus;
}

static unsigned push(uint8_t side, const void *data, size_t n) {
  const iwarp_meta meta = meta_next();
  ck_assert_int_eq(iwarp_observer_push(conn, side, (iwarp_span){data, n}, &meta), IWARP_OK);
  return drain();
}

static unsigned gap(uint8_t side, uint64_t n) {
  const iwarp_meta meta = meta_next();
  ck_assert_int_eq(iwarp_observer_gap(conn, side, n, IWARP_GAP_LOST, &meta), IWARP_OK);
  return drain();
}

static void startup(void) {
  push(0, "MPA ID Req Frame\0\1\0\0", 20);
  push(1, "MPA ID Rep Frame\0\1\0\0", 20);
}

/* ---- memory ---- */

START_TEST(an_observer_is_as_large_as_its_configuration_says)
{
  iwarp_observer_cfg cfg = {.size = sizeof cfg};
  const size_t by_default = iwarp_observer_size(&cfg);
  ck_assert_uint_eq(iwarp_observer_size(NULL), by_default);
  ck_assert_uint_le(by_default, 12u * 1024u);
  ck_assert_uint_le(by_default, IWARP_OBSERVER_SIZE_DEFAULT);
  cfg.max_ulpdu = IWARP_RX_MAX_ULPDU;
  ck_assert_uint_eq(iwarp_observer_size(&cfg), by_default);
  cfg.max_ulpdu = UINT16_MAX;
  ck_assert_uint_gt(iwarp_observer_size(&cfg), 4u * IWARP_MPA_FPDU_WIRE_MAX);
  ck_assert_uint_le(iwarp_observer_size(&cfg), IWARP_OBSERVER_SIZE);
  cfg.pool = &pool.pool;
  ck_assert_uint_le(iwarp_observer_size(&cfg), 2048);
  cfg.size--;
  ck_assert_uint_eq(iwarp_observer_size(&cfg), 0);
  iwarp_rx_cfg rx = {.size = sizeof rx};
  ck_assert_uint_le(iwarp_rx_size(&rx), IWARP_RX_SIZE_DEFAULT);
  rx.max_ulpdu = UINT16_MAX;
  ck_assert_uint_gt(iwarp_rx_size(&rx), 2u * IWARP_MPA_FPDU_WIRE_MAX);
  ck_assert_uint_le(iwarp_rx_size(&rx), IWARP_RX_SIZE);
  rx.pool = &pool.pool;
  ck_assert_uint_le(iwarp_rx_size(&rx), 1024);
  rx.size--;
  ck_assert_uint_eq(iwarp_rx_size(&rx), 0);
}
END_TEST

START_TEST(whole_frames_and_fpdus_take_nothing_of_the_pool)
{
  static const uint8_t fpdu[] = {0, 18, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0,
                                 0, 0,  0,    1,    0, 0, 0, 0, 0, 0, 0, 0};
  begin_pooled(0);
  startup();
  const size_t frames = pool.live;
  ck_assert_uint_le(frames, 2 * (2048 + 8 * 48));
  for (size_t i = 0; i < 100; i++) {
    push(0, fpdu, sizeof fpdu);
  }
  ck_assert_uint_eq(pool.live, frames);
  iwarp_observer_release(conn);
  ck_assert_uint_eq(pool.live, 0);
}
END_TEST

START_TEST(what_waits_is_in_the_pool_until_it_is_whole)
{
  begin_pooled(0);
  startup();
  octets[0] = 0xEA;
  octets[1] = 0x60;
  octets[2] = 0x41;
  octets[3] = 0x43;
  for (size_t n = 0; n < 60000; n += 1000) {
    ck_assert_uint_eq(push(0, octets + n, 1000), 0);
    ck_assert_uint_ge(pool.live, n + 1000);
  }
  ck_assert_uint_le(pool.peak, 65536 + 32768 + 8192 + 4096);
  ck_assert_uint_eq(push(0, octets + 60000, 8), 1);
  ck_assert_uint_eq(push(0, octets, 0), 0); /* the event no longer borrows it */
  ck_assert_uint_le(pool.live, 2 * 2048 + 64 * 48);
  iwarp_observer_release(conn);
  ck_assert_uint_eq(pool.live, 0);
}
END_TEST

START_TEST(a_pool_without_memory_stops_the_engine_until_it_has)
{
  iwarp_event ev;
  const iwarp_meta meta = {.packet = 1, .peer_pos = IWARP_POS_UNKNOWN};
  begin_pooled(1);
  ck_assert_int_eq(
      iwarp_observer_push(conn, 0, (iwarp_span){(const uint8_t *)"MPA ID Req", 10}, &meta),
      IWARP_OK);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_observer_eof(conn, 0, IWARP_END_FIN, &meta), IWARP_ERR_STATE);
  pool.fail_every = 0;
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_END);
  iwarp_observer_release(conn);
  ck_assert_uint_eq(pool.live, 0);
  begin(&(iwarp_observer_cfg){0});
  iwarp_observer_release(conn); /* nothing to give back */
}
END_TEST

START_TEST(a_silent_connection_gives_back_what_it_does_not_need)
{
  static const uint8_t part[] = {0, 18, 0x41, 0x43, 0, 0, 0, 0, 0, 0};
  const iwarp_meta meta = {.packet = 9, .peer_pos = IWARP_POS_UNKNOWN};
  begin_pooled(0);
  startup();
  ck_assert_uint_gt(pool.live, 0);
  iwarp_observer_trim(conn);
  ck_assert_uint_eq(pool.live, 0);
  ck_assert_int_eq(iwarp_observer_push(conn, 0, (iwarp_span){part, sizeof part}, &meta), IWARP_OK);
  iwarp_observer_trim(conn); /* its events were not taken: nothing changes */
  drain();
  const size_t held = pool.live;
  ck_assert_uint_gt(held, 0);
  iwarp_observer_trim(conn); /* a part of an FPDU waits */
  ck_assert_uint_eq(pool.live, held);
  ck_assert_uint_eq(push(0, octets, 14), 1);
  push(0, octets, 0); /* the event no longer borrows it */
  iwarp_observer_trim(conn);
  ck_assert_uint_eq(pool.live, 0);
  iwarp_observer_release(conn);
  begin(&(iwarp_observer_cfg){0});
  iwarp_observer_trim(conn); /* without a pool there is nothing to give back */
}
END_TEST

/* ---- the largest ULPDU ---- */

/* An FPDU of `ulpdu` octets and a short one, in segments of `each`; the long one is `*out`. */
static void long_fpdu(iwarp_event *out, uint16_t max_ulpdu, uint16_t ulpdu, size_t each) {
  static const uint8_t send[] = {0, 18, 0x41, 0x43};
  const size_t len = iwarp_mpa_layout_of(0, ulpdu, false).wire_len;
  iwarp_event ev;
  unsigned fpdus = 0;
  begin(&(iwarp_observer_cfg){.max_ulpdu = max_ulpdu});
  startup();
  memset(octets, 0, sizeof octets);
  memcpy(octets, send, sizeof send);
  octets[0] = (uint8_t)(ulpdu >> 8);
  octets[1] = (uint8_t)(ulpdu & 0xFF);
  memcpy(octets + len, send, sizeof send);
  for (size_t at = 0; at < len + 24; at += each) {
    const iwarp_meta meta = meta_next();
    const size_t n = len + 24 - at < each ? len + 24 - at : each;
    ck_assert_int_eq(iwarp_observer_push(conn, 0, (iwarp_span){octets + at, n}, &meta), IWARP_OK);
    while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
      *out = fpdus == 0 ? ev : *out;
      fpdus += ev.kind == IWARP_EVENT_FPDU ? 1u : 0u;
    }
  }
  ck_assert_uint_eq(fpdus, 2);
}

START_TEST(an_fpdu_longer_than_allowed_is_followed_to_its_end)
{
  static const size_t pieces[] = {1, 7, 100, 508, 1448, 4000, 69000};
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
    iwarp_event ev = {0};
    long_fpdu(&ev, 1448, 1449, pieces[i]);
    ck_assert(!ev.u.fpdu.complete && ev.u.fpdu.crc_present && ev.u.fpdu.pad_present);
    ck_assert_uint_eq(ev.u.fpdu.fpdu.wire.len, 508);
    ck_assert(ev.u.fpdu.seg.has_ddp);
    ck_assert_uint_eq(ev.len, 1449 + 2 + 1 + 4);
    ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, IWARP_LIMIT_ULPDU);
    long_fpdu(&ev, 1448, 1448, pieces[i]);
    ck_assert(ev.u.fpdu.complete);
    ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, 0);
    long_fpdu(&ev, 1448, 65535, pieces[i]);
    ck_assert_uint_eq(ev.u.fpdu.fpdu.ulpdu_length, 65535);
  }
}
END_TEST

START_TEST(by_default_fpdus_of_ethernet_are_whole)
{
  iwarp_event ev = {0};
  long_fpdu(&ev, 0, IWARP_RX_MAX_ULPDU, 1448);
  ck_assert(ev.u.fpdu.complete);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, 0);
  long_fpdu(&ev, 0, IWARP_RX_MAX_ULPDU + 1, 1448);
  ck_assert(!ev.u.fpdu.complete);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, IWARP_LIMIT_ULPDU);
}
END_TEST

/* ---- a receive engine alone ---- */

#define BARE_ULPDU 1448u

static iwarp_rx *bare(void) {
  static _Alignas(max_align_t) uint8_t block[IWARP_RX_SIZE];
  const iwarp_rx_cfg cfg = {.size = sizeof cfg,
                            .at_start = true,
                            .markers = IWARP_TRISTATE_OFF,
                            .crc = IWARP_TRISTATE_OFF,
                            .max_ulpdu = BARE_ULPDU};
  iwarp_rx *rx;
  ck_assert_int_eq(iwarp_rx_init(&rx, block, sizeof block, &cfg), IWARP_OK);
  ck_assert_uint_eq(iwarp_rx_limits(rx), 0);
  return rx;
}

/* Returns true if an event says that an FPDU was too long, as iwarp_rx_cfg has it. */
static bool is_too_long(const iwarp_event *ev) {
  return ev->kind == IWARP_EVENT_FPDU && !ev->u.fpdu.complete &&
         ev->u.fpdu.fpdu.ulpdu_length > BARE_ULPDU;
}

/* An FPDU in pushes of `each` octets; of octets from `hole` on one push does not come. */
static void bare_fpdu(iwarp_event *out, iwarp_rx *rx, uint16_t ulpdu, size_t each, size_t hole) {
  const uint8_t head[4] = {(uint8_t)(ulpdu >> 8), (uint8_t)(ulpdu & 0xFF), 0x41, 0x43};
  const size_t len = iwarp_mpa_layout_of(0, ulpdu, false).wire_len;
  const iwarp_meta meta = meta_next();
  iwarp_err err = IWARP_ERR_END;
  memset(octets, 0, sizeof octets);
  memcpy(octets, head, sizeof head);
  for (size_t at = 0; at < len && err == IWARP_ERR_END; at += each) {
    const iwarp_span in = {octets + at, len - at < each ? len - at : each};
    ck_assert_int_eq(at == hole ? iwarp_rx_gap(rx, in.len, IWARP_GAP_LOST, &meta)
                                : iwarp_rx_push(rx, in, &meta),
                     IWARP_OK);
    err = iwarp_rx_next_event(rx, out);
  }
  ck_assert_int_eq(err, IWARP_OK);
}

START_TEST(an_fpdu_that_is_too_long_is_no_hole)
{
  static const size_t pieces[] = {1, 600, 1448, 2000};
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
    iwarp_event ev;
    iwarp_rx *rx = bare();
    bare_fpdu(&ev, rx, BARE_ULPDU + 1, pieces[i], LARGE);
    ck_assert(is_too_long(&ev));
    ck_assert_uint_eq(iwarp_rx_limits(rx), IWARP_LIMIT_ULPDU);
    ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_ERR_END); /* no GAP */
    bare_fpdu(&ev, rx, BARE_ULPDU, pieces[i], LARGE);
    ck_assert(ev.u.fpdu.complete && !is_too_long(&ev));
    ck_assert_uint_eq(iwarp_rx_limits(rx), IWARP_LIMIT_ULPDU); /* it stays */
  }
}
END_TEST

START_TEST(a_hole_is_no_fpdu_that_is_too_long)
{
  iwarp_event ev;
  iwarp_rx *rx = bare();
  bare_fpdu(&ev, rx, BARE_ULPDU, 600, 600);
  ck_assert(!ev.u.fpdu.complete && !is_too_long(&ev));
  ck_assert_uint_eq(iwarp_rx_limits(rx), 0);
  ck_assert_int_eq(iwarp_rx_next_event(rx, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_GAP);
}
END_TEST

/* An FPDU that is too long is reported with its last octet, not with what follows it. */
START_TEST(what_is_too_long_does_not_wait_for_more)
{
  begin(&(iwarp_observer_cfg){.max_ulpdu = 40});
  startup();
  memset(octets, 0, sizeof octets);
  memcpy(octets, "\0\x2A\x41\x43", 4); /* 48 octets in all */
  ck_assert_uint_eq(push(0, octets, 47), 0);
  ck_assert_uint_eq(push(0, octets + 47, 1), 1);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, IWARP_LIMIT_ULPDU);
}
END_TEST

/* Octets from the middle of a stream, in two segments or one: whether the limit is reported. */
static uint32_t limit_of_search(const iwarp_observer_cfg *cfg, const void *head, size_t at,
                                bool segment) {
  begin(cfg);
  memset(octets, 0, sizeof octets);
  memcpy(octets + at, head, 4);
  const iwarp_meta first = {.packet = 1, .peer_pos = IWARP_POS_UNKNOWN, .segment_start = true};
  const iwarp_meta second = {.packet = 2, .peer_pos = IWARP_POS_UNKNOWN, .segment_start = segment};
  iwarp_observer_push(conn, 0, (iwarp_span){octets, at}, &first);
  ck_assert_uint_eq(drain(), 0);
  iwarp_observer_push(conn, 0, (iwarp_span){octets + at, 3000}, &second);
  ck_assert_uint_eq(drain(), 0);
  return iwarp_observer_info_get(conn)->limits;
}

START_TEST(what_looks_too_long_where_a_boundary_is_searched_is_reported)
{
  const iwarp_observer_cfg cfg = {.full_operation = true,
                                  .markers = IWARP_TRISTATE_OFF,
                                  .crc = IWARP_TRISTATE_ON,
                                  .max_ulpdu = 1448};
  ck_assert_uint_eq(limit_of_search(&cfg, "\x05\xA9\x41\x43", 100, true), IWARP_LIMIT_ULPDU);
  ck_assert_uint_eq(limit_of_search(&cfg, "\x05\xA8\x41\x43", 100, true), 0);  /* fits */
  ck_assert_uint_eq(limit_of_search(&cfg, "\x05\xA9\x7F\x43", 100, true), 0);  /* no FPDU */
  ck_assert_uint_eq(limit_of_search(&cfg, "\x05\xA9\x41\x43", 100, false), 0); /* payload? */
}
END_TEST

/* A Marker that points to it needs no start of a segment. */
START_TEST(what_looks_too_long_to_a_marker_is_reported)
{
  for (uint16_t k = 0; k < 2; k++) {
    stream_build *b = stream_build_new(true, true);
    build_write(b, 600, 1);
    const build_fpdu longer = *build_write(b, 700, 1);
    begin(&(iwarp_observer_cfg){.max_ulpdu = (uint16_t)(longer.length - k)});
    push(0, "MPA ID Req Frame\xC0\1\0\0", 20);
    push(1, "MPA ID Rep Frame\xC0\1\0\0", 20);
    gap(0, 300);
    ck_assert_uint_eq(push(0, b->octets + 300, b->len - 300), 1u - k);
    ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, k == 0 ? 0 : IWARP_LIMIT_ULPDU);
    stream_build_free(b);
  }
}
END_TEST

/* Octets of a Responder that has got no FPDU yet: a right CRC alone would make them one. */
START_TEST(what_is_too_long_for_its_crc_is_reported)
{
  begin(&(iwarp_observer_cfg){.max_ulpdu = 1448});
  push(0, "MPA ID Req Frame\x40\1\0\0", 20);
  push(1, "MPA ID Rep Frame\x40\1\0\0", 20);
  memset(octets, 0xFF, sizeof octets);
  ck_assert_uint_eq(push(1, octets, 100), 0);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, IWARP_LIMIT_ULPDU);
}
END_TEST

START_TEST(private_data_longer_than_there_is_room_for_is_cut)
{
  static const uint8_t frame[20] = "MPA ID Req Frame\0\1\x40";
  iwarp_event ev;
  memset(octets, 0, sizeof octets);
  begin(&(iwarp_observer_cfg){.max_ulpdu = 1000});
  push(0, frame, sizeof frame);
  const iwarp_meta meta = meta_next();
  ck_assert_int_eq(iwarp_observer_push(conn, 0, (iwarp_span){octets, 16384}, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_STARTUP);
  ck_assert_int_eq(ev.u.startup.err, IWARP_ERR_MPA_PD_LENGTH);
  ck_assert_uint_eq(ev.u.startup.frame.private_data.len, 4096 - 20);
  ck_assert_uint_eq(ev.len, 20 + 16384);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_END);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, IWARP_LIMIT_ULPDU);
  push(1, "MPA ID Rep Frame\0\1\0\0", 20);
  octets[1] = 18;
  octets[2] = 0x41;
  octets[3] = 0x43;
  ck_assert_uint_eq(push(0, octets, 24), 1); /* Full Operation begins after it */
}
END_TEST

/* FPDUs longer and shorter than allowed, with holes, from a boundary or from the middle on; whole
 * and in small pieces, with and without a pool. */
static void lossy_run(prng *p) {
  static const uint16_t largest[] = {40, 300, 1448, 3000};
  const bool markers = prng_below(p, 2) != 0;
  stream_build *b = stream_build_new(markers, true);
  stream_script s = script_new();
  while (b->len < 13000) { /* past the end of the hole, wherever it is */
    build_random(b, p, prng_below(p, 4) == 0 ? 6000 : 400);
  }
  const size_t from = prng_below(p, 2) == 0 ? 0 : (size_t)prng_below(p, 3000);
  const script_hole hole = {from + 5000 + (size_t)prng_below(p, 2000),
                            from + 7100 + (size_t)prng_below(p, 2000)};
  const script_hole at = {hole.from - from, hole.to - from};
  script_lossy(&s, 0, (iwarp_span){b->octets + from, b->len - from}, 1448, &at, 1);
  script_end(&s, 0, IWARP_END_FIN);
  const iwarp_rx_cfg cfg = {.size = sizeof cfg,
                            .at_start = from == 0,
                            .markers = (iwarp_tristate)prng_below(p, 3),
                            .crc = (iwarp_tristate)prng_below(p, 3),
                            .max_ulpdu = largest[prng_below(p, 4)]};
  stream_script cut = script_cut(&s, p, 700);
  stream_log whole = run_rx(&cfg, &s);
  stream_log pieces = run_rx(&cfg, &cut);
  expect(log_same(&whole, &pieces), "the split matters");
  expect(log_accounts(&whole, &s, 0, 0), "octets are not where they are named");
  log_free(&whole);
  log_free(&pieces);
  script_free(&s);
  script_free(&cut);
  stream_build_free(b);
}

START_TEST(what_is_too_long_does_not_depend_on_how_it_comes)
{
  for (uint64_t seed = 1; seed <= 150; seed++) {
    prng p = {seed};
    lossy_run(&p);
  }
}
END_TEST

/* A gap after an FPDU that is too long, an octet after its end; all came while a boundary was
 * looked for, which the gap shows. */
START_TEST(a_gap_after_what_is_too_long_is_where_it_is)
{
  static const uint8_t first[] = {0x00, 0x17, 0x41, 0x43, 0, 0, 0,    0,    0,    0,   0,
                                  0,    0,    0,    0,    1, 0, 0,    0,    0,    'h', 'e',
                                  'l',  'l',  'o',  0,    0, 0, 0xB9, 0x90, 0xB1, 0x0C};
  const iwarp_rx_cfg cfg = {.size = sizeof cfg,
                            .markers = IWARP_TRISTATE_OFF,
                            .crc = IWARP_TRISTATE_ON,
                            .max_ulpdu = 200};
  stream_script s = script_new();
  memset(octets, 0, 253);
  memcpy(octets, first, sizeof first);
  memcpy(octets + sizeof first, "\0\xD6\x81\x40", 4); /* 220 octets in all */
  script_push(&s, 0, (iwarp_span){octets, 253});
  script_gap(&s, 0, 1);
  script_end(&s, 0, IWARP_END_FIN);
  stream_log log = run_rx(&cfg, &s);
  expect(log_accounts(&log, &s, 0, 0), "octets are not where they are named");
  ck_assert_uint_eq(log_at(&log, IWARP_EVENT_GAP, 0)->pos, 253);
  log_free(&log);
  script_free(&s);
}
END_TEST

/* ---- limits ---- */

/* An FPDU with `holes` holes; returns what it reached. */
static uint32_t holes_of(unsigned holes, unsigned *fpdus) {
  begin(&(iwarp_observer_cfg){.max_ulpdu = UINT16_MAX});
  startup();
  const uint8_t head[] = {0x03, 0xE8, 0x41, 0x43};
  size_t left = 2 + 1000 + 2 + 4;
  *fpdus = push(0, head, sizeof head);
  left -= sizeof head;
  for (unsigned i = 0; i < holes; i++) {
    *fpdus += gap(0, 2);
    *fpdus += push(0, octets + 2, 3);
    left -= 5;
  }
  *fpdus += push(0, octets + 2, left);
  return iwarp_observer_info_get(conn)->limits;
}

START_TEST(the_holes_of_an_fpdu)
{
  unsigned fpdus;
  ck_assert_uint_eq(holes_of(48, &fpdus), 0);
  ck_assert_uint_eq(fpdus, 1);
  ck_assert_uint_eq(holes_of(49, &fpdus), IWARP_LIMIT_HOLES);
  ck_assert_uint_eq(fpdus, 0);
}
END_TEST

/* Every fourth octet may begin an FPDU of 8960 octets. */
static void search_octets(void) {
  for (size_t i = 0; i < LARGE; i++) {
    octets[i] = (uint8_t)("\x23\x00\x41\x43"[i % 4]);
  }
}

START_TEST(the_work_of_a_search)
{
  const iwarp_observer_cfg cfg = {.full_operation = true,
                                  .markers = IWARP_TRISTATE_OFF,
                                  .crc = IWARP_TRISTATE_ON,
                                  .max_ulpdu = UINT16_MAX};
  search_octets();
  begin(&cfg);
  const size_t each = 8968; /* octets are summed for each of these FPDUs, 8 MiB may be in all */
  const size_t most = (8u << 20) / each;
  push(0, octets, each + 4 * (most - 1));
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, 0);
  push(0, octets, 3);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, 0);
  push(0, octets + 3, 1); /* the end of one more */
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, IWARP_LIMIT_SEARCH);
}
END_TEST

START_TEST(the_packets_of_a_search)
{
  const iwarp_observer_cfg cfg = {.full_operation = true,
                                  .markers = IWARP_TRISTATE_OFF,
                                  .crc = IWARP_TRISTATE_ON,
                                  .max_ulpdu = UINT16_MAX};
  search_octets();
  begin(&cfg);
  for (size_t i = 0; i < 200; i++) {
    push(0, octets + i, 1);
  }
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, 0);
  push(0, octets + 200, 1);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, IWARP_LIMIT_PACKETS);
}
END_TEST

/* An FPDU in pieces is whole, in however many packets it came. */
START_TEST(the_packets_of_an_fpdu_are_no_limit)
{
  begin(&(iwarp_observer_cfg){0});
  startup();
  memset(octets, 0, sizeof octets);
  memcpy(octets, "\x03\xE8\x41\x43", 4);
  unsigned fpdus = 0;
  for (size_t i = 0; i < 1008; i++) {
    fpdus += push(0, octets + i, 1);
  }
  ck_assert_uint_eq(fpdus, 1);
  ck_assert_uint_eq(iwarp_observer_info_get(conn)->limits, 0);
}
END_TEST

static void teardown(void) {
  free(memory);
  memory = NULL;
}

int main(void) {
  const TTest *const tests[] = {an_observer_is_as_large_as_its_configuration_says,
                                whole_frames_and_fpdus_take_nothing_of_the_pool,
                                what_waits_is_in_the_pool_until_it_is_whole,
                                a_pool_without_memory_stops_the_engine_until_it_has,
                                a_silent_connection_gives_back_what_it_does_not_need,
                                an_fpdu_longer_than_allowed_is_followed_to_its_end,
                                by_default_fpdus_of_ethernet_are_whole,
                                an_fpdu_that_is_too_long_is_no_hole,
                                a_hole_is_no_fpdu_that_is_too_long,
                                what_is_too_long_does_not_wait_for_more,
                                what_looks_too_long_where_a_boundary_is_searched_is_reported,
                                what_looks_too_long_to_a_marker_is_reported,
                                what_is_too_long_for_its_crc_is_reported,
                                private_data_longer_than_there_is_room_for_is_cut,
                                what_is_too_long_does_not_depend_on_how_it_comes,
                                a_gap_after_what_is_too_long_is_where_it_is,
                                the_holes_of_an_fpdu,
                                the_work_of_a_search,
                                the_packets_of_a_search,
                                the_packets_of_an_fpdu_are_no_limit,
                                NULL};
  Suite *suite = check_suite("limits", tests);
  const int result = check_run(suite);
  teardown();
  return result;
}
