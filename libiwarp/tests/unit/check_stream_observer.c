/* SPDX-License-Identifier: BSD-2-Clause */
/* The connection engine in the observer role. */
#include <string.h>

#include <iwarp/event.h>
#include <iwarp/observer.h>

#include "check_run.h"
#include "stream_build.h"
#include "stream_run.h"

#define REQUEST "MPA ID Req Frame"
#define REPLY "MPA ID Rep Frame"
#define WRONG "MPA ID Rep frame"

#define POS0 UINT64_C(0xFFFFFFF0)
#define POS1 UINT64_C(5001)

/* Two sides, what they send, and what is made of it. */
typedef struct bench {
  stream_build *b[2];
  size_t sent[2];
  iwarp_observer_cfg cfg;
  run_start start;
  stream_script s;
  stream_log log;
  iwarp_observer_info info;
} bench;

static bench bench_new(void) {
  bench t = {.b = {stream_build_new(false, true), stream_build_new(false, true)},
             .start = {{POS0, POS1}, {true, true}},
             .s = script_new()};
  t.cfg.size = sizeof t.cfg;
  return t;
}

static void bench_free(bench *t) {
  stream_build_free(t->b[0]);
  stream_build_free(t->b[1]);
  script_free(&t->s);
  log_free(&t->log);
}

static uint64_t pos_of(const bench *t, uint8_t side, size_t at) {
  return t->start.pos[side] + at;
}

/*
 * Sends what was built for the side and not sent yet; it has received all that the other side
 * sent.
 */
static void say(bench *t, uint8_t side) {
  t->s.peer_pos = pos_of(t, 1 - side, t->sent[1 - side]);
  script_push(&t->s, side,
              (iwarp_span){&t->b[side]->octets[t->sent[side]], t->b[side]->len - t->sent[side]});
  t->sent[side] = t->b[side]->len;
}

/* The same, with a hole: the octets [from, to) of the stream are lost. */
static void say_holed(bench *t, uint8_t side, size_t from, size_t to) {
  const uint8_t *octets = t->b[side]->octets;
  t->s.peer_pos = pos_of(t, 1 - side, t->sent[1 - side]);
  if (from > t->sent[side]) {
    script_push(&t->s, side, (iwarp_span){&octets[t->sent[side]], from - t->sent[side]});
  }
  script_gap(&t->s, side, to - from);
  if (t->b[side]->len > to) {
    script_push(&t->s, side, (iwarp_span){&octets[to], t->b[side]->len - to});
  }
  t->sent[side] = t->b[side]->len;
}

static void frame(bench *t, uint8_t side, const char *key, uint8_t flags) {
  build_startup(t->b[side], key, flags, 1, 4, "data", 4);
}

/* Runs the script as it is and in octets. */
static void go(bench *t) {
  prng p = {7};
  stream_script cut = script_cut(&t->s, &p, 1);
  iwarp_observer_info info;
  stream_log other = run_conn(&t->cfg, &t->start, &cut, &info);
  log_free(&t->log);
  t->log = run_conn(&t->cfg, &t->start, &t->s, &t->info);
  if (!log_same(&t->log, &other)) {
    log_print(&t->log);
    ck_abort_msg("the split matters");
  }
  ck_assert_mem_eq(&info, &t->info, sizeof info);
  ck_assert(log_accounts(&t->log, &t->s, 0, POS0));
  ck_assert(log_accounts(&t->log, &t->s, 1, POS1));
  log_free(&other);
  script_free(&cut);
}

static void finish(bench *t) {
  script_end(&t->s, 0, IWARP_END_FIN);
  script_end(&t->s, 1, IWARP_END_FIN);
  go(t);
}

static const stream_rec *want(const bench *t, size_t i, uint8_t side, iwarp_event_kind kind,
                              size_t at, size_t len) {
  ck_assert_uint_lt(i, t->log.num);
  const stream_rec *r = &t->log.recs[i];
  if (r->kind != (uint32_t)kind || r->side != side || r->pos != pos_of(t, side, at) ||
      r->len != len) {
    log_print(&t->log);
    ck_abort_msg("event %zu is not kind %d of side %d at %zu, %zu octets", i, (int)kind, side, at,
                 len);
  }
  return r;
}

static const stream_rec *want_undec(const bench *t, size_t i, uint8_t side, size_t at, size_t len,
                                    iwarp_undec_reason reason) {
  const stream_rec *r = want(t, i, side, IWARP_EVENT_UNDECODABLE, at, len);
  ck_assert_uint_eq(r->what, (uint32_t)reason);
  return r;
}

static const stream_rec *want_fpdu(const bench *t, size_t i, uint8_t side, size_t k) {
  const build_fpdu *f = &t->b[side]->fpdu[k];
  return want(t, i, side, IWARP_EVENT_FPDU, f->at + f->lead, f->wire_len - f->lead);
}

/* A connection up to the Reply. */
static void shake(bench *t, uint8_t request, uint8_t reply) {
  frame(t, 0, REQUEST, request);
  frame(t, 1, REPLY, reply);
  t->b[0]->markers = (reply & IWARP_MPA_FLAG_M) != 0;
  t->b[1]->markers = (request & IWARP_MPA_FLAG_M) != 0;
  t->b[0]->crc = ((request | reply) & IWARP_MPA_FLAG_C) != 0;
  t->b[1]->crc = t->b[0]->crc;
  say(t, 0);
  say(t, 1);
}

/* ---- use and misuse ---- */

START_TEST(init_refuses_what_it_cannot_use)
{
  iwarp_observer_cfg cfg = {.size = sizeof cfg};
  iwarp_observer *conn = NULL;
  const size_t size = iwarp_observer_size(NULL);
  uint8_t *mem = malloc(size + 1);
  ck_assert_uint_le(size, IWARP_OBSERVER_SIZE);
  ck_assert_int_eq(iwarp_observer_init(NULL, mem, size, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_init(&conn, NULL, size, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_init(&conn, mem + 1, size, &cfg), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, size, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, size - 1, &cfg), IWARP_ERR_NOBUF);
  cfg.size = 0;
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, size, &cfg), IWARP_ERR_ARG);
  cfg = (iwarp_observer_cfg){.size = sizeof cfg, .markers = (iwarp_tristate)9};
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, size, &cfg), IWARP_ERR_ARG);
  cfg = (iwarp_observer_cfg){.size = sizeof cfg, .crc = (iwarp_tristate)9};
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, size, &cfg), IWARP_ERR_ARG);
  ck_assert_ptr_null(conn);
  free(mem);
}
END_TEST

START_TEST(calls_in_the_wrong_state_are_refused)
{
  static const uint8_t octets[40] = "MPA ID Req Frame\0\1\0\0MPA";
  const iwarp_span in = {octets, sizeof octets};
  const iwarp_meta meta = {.packet = 1, .peer_pos = IWARP_POS_UNKNOWN};
  iwarp_observer_cfg cfg = {.size = sizeof cfg};
  iwarp_observer *conn = NULL;
  iwarp_event ev;
  void *mem = malloc(iwarp_observer_size(NULL));
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, iwarp_observer_size(NULL), &cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_start(conn, 2, 1, true, 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_start(NULL, 0, 1, true, 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_start(conn, 0, 1, true, 1), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_start(conn, 0, 7, true, 7), IWARP_OK); /* not too late yet */
  ck_assert_int_eq(iwarp_observer_push(conn, 2, in, &meta), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_push(conn, 0, in, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_gap(conn, 3, 1, IWARP_GAP_LOST, &meta), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_eof(conn, 4, IWARP_END_FIN, &meta), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_next_event(NULL, &ev), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_next_event(conn, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_END);

  ck_assert_int_eq(iwarp_observer_push(conn, 0, in, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_push(conn, 0, in, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_push(conn, 1, in, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_gap(conn, 1, 1, IWARP_GAP_LOST, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_eof(conn, 1, IWARP_END_FIN, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_start(conn, 1, 1, true, 1), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_STARTUP);
  ck_assert_uint_eq(ev.pos, 7);
  ck_assert_int_eq(iwarp_observer_push(conn, 1, in, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_observer_start(conn, 0, 1, true, 1), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_eof(conn, 0, IWARP_END_RST, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_OK);
  ck_assert_int_eq(ev.kind, IWARP_EVENT_END);
  ck_assert_int_eq(ev.u.end, IWARP_END_RST);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_observer_push(conn, 0, in, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_gap(conn, 0, 1, IWARP_GAP_LOST, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_eof(conn, 0, IWARP_END_FIN, &meta), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_gap(conn, 1, 0, IWARP_GAP_LOST, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_END);
  ck_assert(!iwarp_observer_info_get(conn)->side[1].gap);
  ck_assert_int_eq(iwarp_observer_eof(conn, 1, IWARP_END_CAPTURE, &meta), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_observer_start(conn, 1, 1, true, 1), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_info_get(conn)->side[0].end, IWARP_END_RST);
  ck_assert_int_eq(iwarp_observer_info_get(conn)->side[1].end, IWARP_END_CAPTURE);
  free(mem);
}
END_TEST

/* ---- what the startup frames settle ---- */

START_TEST(markers_and_crc_are_negotiated)
{
  for (uint8_t k = 0; k < 16; k++) {
    bench t = bench_new();
    shake(&t, (uint8_t)(k << 6), (uint8_t)(k >> 2 << 6));
    t.cfg.markers =
        k % 2 != 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF; /* the frames know better */
    t.cfg.crc = k % 2 != 0 ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_ON;
    for (int i = 0; i < 4; i++) {
      build_write(t.b[0], 300, 1);
      build_write(t.b[1], 300, 2);
    }
    say(&t, 0);
    say(&t, 1);
    finish(&t);
    ck_assert_uint_eq(t.log.num, 2 + 8 + 2);
    ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 8);
    for (uint8_t side = 0; side < 2; side++) {
      const iwarp_observer_side *own = &t.info.side[side];
      const stream_rec *r = want_fpdu(&t, side == 0 ? 2 : 6, side, 0);
      ck_assert_uint_eq(r->what, t.b[0]->crc ? IWARP_CRC_GOOD : IWARP_CRC_UNCHECKED);
      ck_assert_uint_eq(r->offset, t.b[side]->markers ? 4 : 0);
      ck_assert_uint_eq(r->sync, IWARP_SYNC_STARTUP);
      ck_assert_int_eq(own->markers, t.b[side]->markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
      ck_assert_int_eq(own->markers_by, IWARP_KNOWN_BY_STARTUP);
      ck_assert_int_eq(own->role, side == 0 ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER);
      ck_assert_uint_eq(own->num_fpdus, 4);
      ck_assert_uint_eq(own->startup_pos, t.start.pos[side]);
      ck_assert_uint_eq(own->startup_end, t.start.pos[side] + 24);
      ck_assert_uint_eq(own->full_pos, t.start.pos[side] + 24);
      ck_assert_int_eq(own->end, IWARP_END_FIN);
      ck_assert(own->seen && own->start_known && own->has_startup && !own->gap);
      ck_assert_int_eq(own->is_reply, side == 1);
    }
    ck_assert_int_eq(t.info.crc, t.b[0]->crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
    ck_assert_int_eq(t.info.crc_by, IWARP_KNOWN_BY_STARTUP);
    ck_assert(!t.info.rejected);
    bench_free(&t);
  }
}
END_TEST

/*
 * RFC 5044 C.2.5: a Reply of Rev 0 with M is followed by Markers both ways, M=0 of the Request
 * notwithstanding; without M, and under another Rev, the flags stand.
 */
START_TEST(a_reply_of_revision_0_brings_markers_both_ways)
{
  for (uint8_t k = 0; k < 16; k++) {
    bench t = bench_new();
    const uint8_t asked = k % 2 != 0 ? 0x80 : 0;
    const uint8_t reply = (uint8_t)((k & 2) != 0 ? 0xC0 : 0x40);
    const uint8_t rev = (k & 4) != 0 ? 0 : 1;
    build_startup(t.b[0], REQUEST, asked, (k & 8) != 0 ? 0 : 1, 0, NULL, 0);
    build_startup(t.b[1], REPLY, reply, rev, 0, NULL, 0);
    t.b[0]->markers = (reply & 0x80) != 0;
    t.b[1]->markers = asked != 0 || (rev == 0 && (reply & 0x80) != 0);
    say(&t, 0);
    say(&t, 1);
    for (int i = 0; i < 4; i++) {
      build_write(t.b[0], 300, 1);
      build_write(t.b[1], 300, 2);
    }
    say(&t, 0);
    say(&t, 1);
    finish(&t);
    for (uint8_t side = 0; side < 2; side++) {
      const iwarp_observer_side *s = &t.info.side[side];
      ck_assert_int_eq(s->markers, t.b[side]->markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
      ck_assert_int_eq(s->markers_by, IWARP_KNOWN_BY_STARTUP);
      ck_assert_uint_eq(s->num_fpdus, 4);
    }
    for (size_t i = 0; i < t.log.num; i++) {
      ck_assert(t.log.recs[i].kind != IWARP_EVENT_FPDU || t.log.recs[i].what == IWARP_CRC_GOOD);
    }
    bench_free(&t);
  }
}
END_TEST

/* What the octets show stands, where Rev 0 was said and not meant, or a caller says what is used.
 */
START_TEST(a_reply_of_revision_0_and_no_markers)
{
  for (uint8_t k = 0; k < 4; k++) {
    bench t = bench_new();
    build_startup(t.b[0], REQUEST, 0, 1, 0, NULL, 0);
    build_startup(t.b[1], REPLY, 0xC0, 0, 0, NULL, 0);
    t.b[0]->markers = true;
    t.cfg.markers = k == 1   ? IWARP_TRISTATE_OFF
                    : k == 2 ? IWARP_TRISTATE_ON
                             : IWARP_TRISTATE_UNKNOWN;
    t.b[1]->markers = k == 2;
    if (k == 3) { /* the beginning is lost: what a search found is not negotiated */
      t.b[1]->markers = true;
    }
    say(&t, 0);
    say(&t, 1);
    for (int i = 0; i < 6; i++) {
      build_write(t.b[1], 600, 2);
    }
    if (k == 3) {
      say_holed(&t, 1, 20, 700);
    } else {
      say(&t, 1);
    }
    finish(&t);
    const iwarp_observer_side *s = &t.info.side[1];
    ck_assert_int_eq(s->markers, t.b[1]->markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
    ck_assert_int_eq(s->markers_by, k == 1 || k == 2 ? IWARP_KNOWN_BY_CALLER : IWARP_KNOWN_BY_DATA);
    ck_assert_uint_eq(s->num_fpdus, k == 3 ? 4 : 6);
    bench_free(&t);
  }
}
END_TEST

/* The same where the Request is not in the capture, and of a Request of Rev 0 alone nothing. */
START_TEST(a_reply_of_revision_0_without_its_request)
{
  bench t = bench_new();
  build_startup(t.b[0], REQUEST, 0x40, 1, 0, NULL, 0);
  build_startup(t.b[1], REPLY, 0xC0, 0, 0, NULL, 0);
  t.b[1]->markers = true;
  say_holed(&t, 0, 0, t.b[0]->len);
  build_write(t.b[1], 300, 2);
  say(&t, 1);
  finish(&t);
  ck_assert_int_eq(t.info.side[1].markers, IWARP_TRISTATE_ON);
  ck_assert_int_eq(t.info.side[1].markers_by, IWARP_KNOWN_BY_STARTUP);
  ck_assert_uint_eq(t.info.side[1].num_fpdus, 1);
  bench_free(&t);

  t = bench_new();
  build_startup(t.b[0], REQUEST, 0xC0, 0, 0, NULL, 0);
  say(&t, 0);
  finish(&t);
  ck_assert_int_eq(t.info.side[0].markers, IWARP_TRISTATE_UNKNOWN);
  ck_assert_int_eq(t.info.side[1].markers, IWARP_TRISTATE_ON);
  bench_free(&t);
}
END_TEST

START_TEST(a_frame_says_what_it_holds)
{
  static const struct {
    uint8_t flags;
    uint8_t rev;
    uint16_t pd;
    bool enhanced;
  } cases[] = {{0x10, 2, 4, true},  {0x10, 2, 512, true},  {0x10, 2, 600, true},
               {0x10, 2, 3, false}, {0x10, 1, 8, false},   {0x10, 0, 8, false},
               {0x10, 3, 8, false}, {0x00, 2, 8, false},   {0x1F, 2, 20, true},
               {0xF0, 2, 0, false}, {0x10, 2, 65535, true}};
  static uint8_t pd[65535] = {0xC0, 0x07, 0x3F, 0xFF};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bench t = bench_new();
    build_startup(t.b[0], REQUEST, cases[i].flags, cases[i].rev, cases[i].pd, pd, cases[i].pd);
    say(&t, 0);
    t.log = run_conn(&t.cfg, &t.start, &t.s, &t.info);
    const iwarp_observer_side *own = &t.info.side[0];
    const stream_rec *r = want(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 20u + cases[i].pd);
    ck_assert_int_eq(r->enhanced, cases[i].enhanced);
    ck_assert_uint_eq(r->flags, (uint32_t)cases[i].flags << 8 | cases[i].rev);
    ck_assert_uint_eq(r->octets_len, cases[i].pd);
    ck_assert_int_eq(r->err, IWARP_OK);
    ck_assert_int_eq(own->enhanced, cases[i].enhanced);
    ck_assert_uint_eq(own->flags, cases[i].flags);
    ck_assert_uint_eq(own->rev, cases[i].rev);
    ck_assert_uint_eq(own->pd_length, cases[i].pd);
    ck_assert_int_eq(own->key, IWARP_MPA_KEY_REQUEST);
    if (cases[i].enhanced) {
      ck_assert(own->enh.a && own->enh.b && own->enh.ird == 7 && !own->enh.c);
      ck_assert_uint_eq(own->enh.ord, IWARP_MPA_DEPTH_UNSPEC);
    }
    ck_assert(!t.info.rejected); /* R of a Request says nothing */
    bench_free(&t);
  }
}
END_TEST

/* The eight octets that PD_Length does not count belong to the frame all the same. */
START_TEST(frames_of_revision_129_have_more_octets)
{
  bench t = bench_new();
  build_startup(t.b[0], REQUEST, 0, 129, 4, "cookie00data", 12);
  build_startup(t.b[1], REPLY, 0, 129, 0, "cookie00", 8);
  say(&t, 0);
  say(&t, 1);
  finish(&t);
  want(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 32);
  want(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 28);
  ck_assert_uint_eq(t.info.side[0].startup_end, POS0 + 32);
  ck_assert_uint_eq(t.info.side[1].startup_end, POS1 + 28);
  bench_free(&t);
}
END_TEST

START_TEST(what_was_given_holds_until_a_frame_tells)
{
  bench t = bench_new();
  t.cfg = (iwarp_observer_cfg){
      .size = sizeof t.cfg, .markers = IWARP_TRISTATE_ON, .crc = IWARP_TRISTATE_ON};
  frame(&t, 0, REQUEST, 0);
  t.b[0]->markers = true;
  build_write(t.b[0], 600, 3);
  build_write(t.b[0], 600, 3);
  say(&t, 0);
  finish(&t);
  ck_assert_uint_eq(want_fpdu(&t, 1, 0, 0)->what, IWARP_CRC_GOOD);
  ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_CALLER);
  ck_assert_int_eq(t.info.side[1].markers_by, IWARP_KNOWN_BY_STARTUP);
  ck_assert_int_eq(t.info.side[1].markers, IWARP_TRISTATE_OFF);
  ck_assert_int_eq(t.info.crc_by, IWARP_KNOWN_BY_CALLER);
  bench_free(&t);
}
END_TEST

START_TEST(one_direction_tells_what_it_uses)
{
  for (uint8_t k = 0; k < 4; k++) {
    bench t = bench_new();
    frame(&t, 0, REQUEST, 0);
    t.b[0]->markers = k % 2 != 0;
    t.b[0]->crc = k / 2 != 0;
    build_write(t.b[0], 700, 3);
    build_write(t.b[0], 700, 3);
    say(&t, 0);
    finish(&t);
    want_fpdu(&t, 1, 0, 0);
    want_fpdu(&t, 2, 0, 1);
    ck_assert_int_eq(t.info.side[0].markers, k % 2 != 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
    ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_DATA);
    ck_assert_int_eq(t.info.crc, k / 2 != 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
    ck_assert_int_eq(t.info.crc_by, IWARP_KNOWN_BY_DATA);
    bench_free(&t);
  }
}
END_TEST

START_TEST(one_direction_that_is_no_iwarp_is_not_decoded)
{
  bench t = bench_new();
  frame(&t, 0, REQUEST, 0);
  build_octets(t.b[0], "sorry, I meant something else entirely", 38);
  say(&t, 0);
  finish(&t);
  want_undec(&t, 1, 0, 24, 38, IWARP_UNDEC_NOT_FPDU);
  ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_NOTHING);
  ck_assert_int_eq(t.info.crc_by, IWARP_KNOWN_BY_NOTHING);
  bench_free(&t);
}
END_TEST

/* FPDUs after the Request, before the Reply: what the Reply says later counts from then on. */
START_TEST(a_late_reply_settles_what_is_open)
{
  bench t = bench_new();
  frame(&t, 0, REQUEST, 0);
  build_write(t.b[0], 30, 3);
  say(&t, 0);
  frame(&t, 1, REPLY, IWARP_MPA_FLAG_C);
  say(&t, 1);
  t.b[0]->crc = false;
  build_write(t.b[0], 30, 3);
  say(&t, 0);
  finish(&t);
  ck_assert_uint_eq(want_fpdu(&t, 1, 0, 0)->what, IWARP_CRC_GOOD);
  ck_assert_uint_eq(want_fpdu(&t, 3, 0, 1)->what, IWARP_CRC_BAD);
  ck_assert_int_eq(t.info.crc_by, IWARP_KNOWN_BY_STARTUP);
  ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_DATA);
  bench_free(&t);
  /* only part of an FPDU came before it: whether Markers are on is shown by the Reply */
  t = bench_new();
  frame(&t, 0, REQUEST, 0);
  t.b[0]->markers = true;
  build_write(t.b[0], 600, 3);
  t.s.peer_pos = POS1;
  script_push(&t.s, 0, (iwarp_span){t.b[0]->octets, 26});
  t.sent[0] = 26;
  frame(&t, 1, REPLY, IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C);
  say(&t, 1);
  say(&t, 0);
  finish(&t);
  ck_assert_uint_eq(want_fpdu(&t, 2, 0, 0)->what, IWARP_CRC_GOOD);
  ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_STARTUP);
  bench_free(&t);
}
END_TEST

/* ---- streaming mode ---- */

START_TEST(streaming_data_goes_before)
{
  bench t = bench_new();
  build_octets(t.b[0], "EHLO MPA ID ", 12);
  say(&t, 0);
  build_octets(t.b[1], "250 MPA", 7);
  say(&t, 1);
  build_octets(t.b[0], "MPA ", 4);
  frame(&t, 0, REQUEST, 0);
  say(&t, 0);
  frame(&t, 1, REPLY, 0);
  say(&t, 1);
  build_write(t.b[0], 30, 3);
  say(&t, 0);
  finish(&t);
  const stream_rec *r = want(&t, 0, 0, IWARP_EVENT_STREAMING, 0, 16);
  ck_assert_uint_eq(r->first, 1);
  ck_assert_uint_eq(r->last, 3);
  want(&t, 1, 0, IWARP_EVENT_STARTUP, 16, 24);
  want(&t, 2, 1, IWARP_EVENT_STREAMING, 0, 7);
  want(&t, 3, 1, IWARP_EVENT_STARTUP, 7, 24);
  ck_assert_uint_eq(want_fpdu(&t, 4, 0, 0)->offset, 0);
  bench_free(&t);
}
END_TEST

START_TEST(a_key_in_a_text_is_no_frame)
{
  bench t = bench_new();
  build_octets(t.b[0], "about \"" REQUEST "\" and so on", 34);
  say(&t, 0);
  build_octets(t.b[0], REPLY, 16); /* and the end comes too early to tell */
  say(&t, 0);
  finish(&t);
  want(&t, 0, 0, IWARP_EVENT_STREAMING, 0, 50);
  want(&t, 1, 0, IWARP_EVENT_END, 50, 0);
  ck_assert(!t.info.side[0].has_startup);
  bench_free(&t);
}
END_TEST

START_TEST(gaps_in_streaming_data)
{
  bench t = bench_new();
  build_octets(t.b[0], "some text MPA ID Req", 20);
  say_holed(&t, 0, 20, 20);
  build_octets(t.b[0], "lost Frame", 10);
  say_holed(&t, 0, 20, 25);
  frame(&t, 0, REQUEST, 0);
  say(&t, 0);
  finish(&t);
  want(&t, 0, 0, IWARP_EVENT_STREAMING, 0, 20);
  want(&t, 1, 0, IWARP_EVENT_GAP, 20, 5);
  want(&t, 2, 0, IWARP_EVENT_STREAMING, 25, 5);
  want(&t, 3, 0, IWARP_EVENT_STARTUP, 30, 24);
  bench_free(&t);
}
END_TEST

START_TEST(streaming_data_may_cross_a_request)
{
  bench t = bench_new();
  frame(&t, 0, REQUEST, 0);
  build_octets(t.b[1], "welcome, stranger, to this port", 31);
  t.s.peer_pos = POS0 + 10; /* sent before the whole Request had come */
  script_push(&t.s, 1, build_span(t.b[1]));
  t.sent[1] = t.b[1]->len;
  t.s.num = 0;
  say(&t, 0);
  t.s.peer_pos = POS0 + 10;
  script_push(&t.s, 1, build_span(t.b[1]));
  frame(&t, 1, REPLY, 0);
  say(&t, 1);
  finish(&t);
  want(&t, 1, 1, IWARP_EVENT_STREAMING, 0, 31);
  want(&t, 2, 1, IWARP_EVENT_STARTUP, 31, 24);
  bench_free(&t);
  /* the acknowledgement is not known, or covers the Request: a little of it is taken for streaming
   * data all the same */
  for (size_t k = 0; k < 2; k++) {
    t = bench_new();
    frame(&t, 0, REQUEST, 0);
    say(&t, 0);
    build_octets(t.b[1], "MPA ID R: ok\r\n", 14);
    frame(&t, 1, REPLY, 0);
    say(&t, 1);
    t.s.steps[t.s.num - 1].meta.peer_pos = k == 0 ? POS0 + 24 : IWARP_POS_UNKNOWN;
    finish(&t);
    want(&t, 1, 1, IWARP_EVENT_STREAMING, 0, 14);
    want(&t, 2, 1, IWARP_EVENT_STARTUP, 14, 24);
    bench_free(&t);
  }
}
END_TEST

/* ---- odd startups ---- */

START_TEST(two_requests)
{
  bench t = bench_new();
  frame(&t, 0, REQUEST, IWARP_MPA_FLAG_C);
  frame(&t, 1, REQUEST, IWARP_MPA_FLAG_M);
  say(&t, 1);
  say(&t, 0);
  finish(&t);
  ck_assert(!want(&t, 0, 1, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
  ck_assert(!want(&t, 1, 0, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
  ck_assert_int_eq(t.info.side[1].role, IWARP_ROLE_INITIATOR);
  ck_assert_int_eq(t.info.side[0].role, IWARP_ROLE_RESPONDER);
  ck_assert_int_eq(t.info.side[0].markers, IWARP_TRISTATE_ON);
  bench_free(&t);
}
END_TEST

START_TEST(a_reply_without_a_request)
{
  bench t = bench_new();
  t.start.known[0] = false;
  frame(&t, 1, REPLY, IWARP_MPA_FLAG_C);
  say(&t, 1);
  t.b[0]->full = 0;
  build_write(t.b[0], 30, 1);
  build_write(t.b[0], 30, 1);
  say(&t, 0);
  finish(&t);
  ck_assert(want(&t, 0, 1, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
  const stream_rec *r = want_fpdu(&t, 1, 0, 0);
  ck_assert_uint_eq(r->sync, IWARP_SYNC_CRC);
  ck_assert_uint_eq(r->offset, IWARP_POS_UNKNOWN);
  ck_assert_int_eq(t.info.side[0].role, IWARP_ROLE_INITIATOR);
  ck_assert_uint_eq(t.info.side[0].full_pos, IWARP_POS_UNKNOWN);
  bench_free(&t);
}
END_TEST

START_TEST(a_wrong_key_where_a_reply_is_due)
{
  static const char *const keys[] = {WRONG, "XPA ID Rep Frame", "MXY ID Rep Frame",
                                     "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"};
  for (size_t i = 0; i < 4; i++) {
    bench t = bench_new();
    frame(&t, 0, REQUEST, IWARP_MPA_FLAG_C);
    frame(&t, 1, keys[i], 0xFF);
    say(&t, 0);
    say(&t, 1);
    build_terminate(t.b[0]);
    say(&t, 0);
    finish(&t);
    const stream_rec *r = want(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 24);
    ck_assert(r->is_reply && r->what == IWARP_MPA_KEY_UNKNOWN && r->err == IWARP_OK);
    want_fpdu(&t, 2, 0, 0);
    /* its flags are not believed */
    ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_DATA);
    ck_assert(!t.info.rejected);
    ck_assert_int_eq(t.info.side[1].role, IWARP_ROLE_RESPONDER);
    bench_free(&t);
  }
}
END_TEST

START_TEST(a_wrong_key_where_a_request_is_due)
{
  bench t = bench_new();
  frame(&t, 0, WRONG, 0);
  frame(&t, 1, REPLY, 0);
  say(&t, 1); /* seen first, although it answers */
  t.s.peer_pos = POS1;
  t.sent[1] = 0;
  say(&t, 0);
  finish(&t);
  ck_assert(!want(&t, 1, 0, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
  ck_assert_int_eq(t.info.side[0].key, IWARP_MPA_KEY_UNKNOWN);
  bench_free(&t);
  /* not so after other octets */
  t = bench_new();
  build_octets(t.b[0], "first", 5);
  say(&t, 0);
  frame(&t, 1, REPLY, 0);
  say(&t, 1);
  t.sent[1] = 0;
  frame(&t, 0, WRONG, 0);
  say(&t, 0);
  finish(&t);
  want(&t, 1, 0, IWARP_EVENT_STREAMING, 0, 29);
  bench_free(&t);
}
END_TEST

START_TEST(too_few_octets_where_a_reply_is_due)
{
  for (size_t n = 1; n < 20; n++) {
    bench t = bench_new();
    frame(&t, 0, REQUEST, 0);
    say(&t, 0);
    build_octets(t.b[1], n % 2 == 0 ? REPLY "...." : "Connection refused: go", n);
    say(&t, 1);
    finish(&t);
    want_undec(&t, 2, 1, 0, n, IWARP_UNDEC_UNFINISHED);
    bench_free(&t);
  }
}
END_TEST

START_TEST(a_key_that_may_begin_in_a_wrong_one)
{
  bench t = bench_new();
  frame(&t, 0, REQUEST, 0);
  say(&t, 0);
  build_octets(t.b[1], "not a right key. MPA", 20); /* PD_Length "PA" */
  say(&t, 1);
  finish(&t);
  const stream_rec *r = want(&t, 2, 1, IWARP_EVENT_STARTUP, 0, 20);
  ck_assert_uint_eq(r->what, IWARP_MPA_KEY_UNKNOWN);
  ck_assert_uint_eq(r->length, 0x5041);
  bench_free(&t);
}
END_TEST

START_TEST(a_frame_is_cut_by_the_end)
{
  for (size_t n = 16; n < 24; n++) {
    bench t = bench_new();
    frame(&t, 0, REQUEST, 0);
    t.b[0]->len = n;
    say(&t, 0);
    finish(&t);
    if (n < 20) {
      want_undec(&t, 0, 0, 0, n, IWARP_UNDEC_UNFINISHED);
      ck_assert(!t.info.side[0].has_startup);
    } else {
      const stream_rec *r = want(&t, 0, 0, IWARP_EVENT_STARTUP, 0, n);
      ck_assert_int_eq(r->err, IWARP_ERR_MPA_PD_LENGTH);
      ck_assert_uint_eq(r->octets_len, n - 20);
    }
    ck_assert_int_eq(t.info.side[0].role, IWARP_ROLE_INITIATOR);
    want(&t, 1, 0, IWARP_EVENT_END, n, 0);
    bench_free(&t);
  }
}
END_TEST

START_TEST(a_frame_is_cut_by_a_gap)
{
  for (size_t from = 1; from < 24; from++) {
    for (size_t to = from + 1; to < 40; to += 3) {
      bench t = bench_new();
      frame(&t, 0, REQUEST, IWARP_MPA_FLAG_C);
      frame(&t, 1, REPLY, 0);
      build_write(t.b[0], 30, 1);
      build_write(t.b[1], 30, 1);
      build_write(t.b[1], 30, 1);
      t.b[0]->len = 24;
      say(&t, 0);
      t.b[0]->len += t.b[0]->fpdu[0].wire_len;
      t.s.peer_pos = POS0 + 24;
      say_holed(&t, 1, from, to);
      say(&t, 0);
      finish(&t);
      const iwarp_observer_side *own = &t.info.side[1];
      ck_assert(own->gap);
      if (from < 20) {
        want_undec(&t, 1, 1, 0, from, IWARP_UNDEC_NO_BOUNDARY);
        want(&t, 2, 1, IWARP_EVENT_GAP, from, to - from);
        ck_assert(!own->has_startup);
      } else {
        const stream_rec *r = want(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 24);
        ck_assert_int_eq(r->err, IWARP_ERR_MPA_PD_LENGTH);
        want(&t, 2, 1, IWARP_EVENT_GAP, from, to - from);
        ck_assert_uint_eq(own->full_pos, POS1 + 24);
      }
      /* what follows is found by the CRCs, at the latest after the FPDU that the gap hit */
      const stream_rec *last = NULL;
      for (size_t i = 0; i < t.log.num; i++) {
        last = t.log.recs[i].side == 1 && t.log.recs[i].kind == IWARP_EVENT_FPDU ? &t.log.recs[i]
                                                                                 : last;
      }
      ck_assert_ptr_nonnull(last);
      ck_assert_uint_eq(last->pos, POS1 + t.b[1]->fpdu[1].at);
      ck_assert_uint_eq(last->what, IWARP_CRC_GOOD);
      bench_free(&t);
    }
  }
}
END_TEST

START_TEST(private_data_with_several_holes)
{
  bench t = bench_new();
  uint8_t pd[300] = {0};
  build_startup(t.b[0], REQUEST, 0, 1, 300, pd, 300);
  t.s.peer_pos = POS1;
  script_lossy(&t.s, 0, build_span(t.b[0]), 64,
               (const script_hole[]){{40, 50}, {100, 101}, {310, 320}}, 3);
  t.sent[0] = 320;
  frame(&t, 1, REPLY, 0);
  say(&t, 1);
  build_write(t.b[0], 30, 1);
  say(&t, 0);
  finish(&t);
  want(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 320);
  want(&t, 1, 0, IWARP_EVENT_GAP, 40, 10);
  want(&t, 2, 0, IWARP_EVENT_GAP, 100, 1);
  want(&t, 3, 0, IWARP_EVENT_GAP, 310, 10);
  want(&t, 4, 1, IWARP_EVENT_STARTUP, 0, 24);
  ck_assert_uint_eq(want_fpdu(&t, 5, 0, 0)->offset, 0);
  bench_free(&t);
  /* the end comes before the rest */
  t = bench_new();
  build_startup(t.b[0], REQUEST, 0, 1, 300, pd, 100);
  say_holed(&t, 0, 40, 50);
  finish(&t);
  want(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 320);
  want(&t, 2, 0, IWARP_EVENT_END, 120, 0);
  bench_free(&t);
}
END_TEST

START_TEST(a_lost_reply)
{
  for (size_t to = 24; to < 60; to += 5) {
    bench t = bench_new();
    frame(&t, 0, REQUEST, IWARP_MPA_FLAG_C | IWARP_MPA_FLAG_M);
    say(&t, 0);
    frame(&t, 1, REPLY, 0);
    t.b[1]->markers = true;
    build_write(t.b[1], 500, 1);
    build_write(t.b[1], 500, 1);
    build_write(t.b[1], 500, 1);
    say_holed(&t, 1, 0, to);
    finish(&t);
    want(&t, 1, 1, IWARP_EVENT_GAP, 0, to);
    ck_assert(!t.info.side[1].has_startup);
    const stream_rec *r = log_at(&t.log, IWARP_EVENT_FPDU, to == 24 ? 2 : 1);
    ck_assert_uint_eq(r->pos, POS1 + t.b[1]->fpdu[2].at + t.b[1]->fpdu[2].lead);
    ck_assert_uint_eq(r->sync, IWARP_SYNC_CRC);
    bench_free(&t);
  }
}
END_TEST

START_TEST(a_short_gap_hides_no_frame)
{
  bench t = bench_new();
  frame(&t, 0, REQUEST, 0);
  say(&t, 0);
  build_octets(t.b[1], "welcome to this port", 20);
  t.sent[0] = 0; /* sent before the Request came */
  say_holed(&t, 1, 5, 15);
  t.sent[0] = t.b[0]->len;
  frame(&t, 1, REPLY, 0);
  say(&t, 1);
  finish(&t);
  want(&t, 1, 1, IWARP_EVENT_STREAMING, 0, 5);
  want(&t, 2, 1, IWARP_EVENT_GAP, 5, 10);
  want(&t, 3, 1, IWARP_EVENT_STREAMING, 15, 5);
  want(&t, 4, 1, IWARP_EVENT_STARTUP, 20, 24);
  bench_free(&t);
}
END_TEST

START_TEST(a_lost_request)
{
  bench t = bench_new();
  frame(&t, 0, REQUEST, 0);
  frame(&t, 1, REPLY, IWARP_MPA_FLAG_C);
  say_holed(&t, 0, 0, 24);
  say(&t, 1);
  build_write(t.b[0], 30, 1);
  build_write(t.b[0], 30, 1);
  say(&t, 0);
  finish(&t);
  want(&t, 0, 0, IWARP_EVENT_GAP, 0, 24);
  want(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 24);
  ck_assert_uint_eq(want_fpdu(&t, 2, 0, 0)->sync, IWARP_SYNC_CRC);
  want_fpdu(&t, 3, 0, 1);
  bench_free(&t);
}
END_TEST

START_TEST(a_responder_that_was_joined_late)
{
  bench t = bench_new();
  t.start.known[1] = false;
  frame(&t, 0, REQUEST, IWARP_MPA_FLAG_C);
  say(&t, 0);
  build_write(t.b[1], 30, 1);
  build_write(t.b[1], 30, 1);
  say(&t, 1);
  finish(&t);
  want_fpdu(&t, 1, 1, 0);
  want_fpdu(&t, 2, 1, 1);
  ck_assert(!t.info.side[1].has_startup);
  bench_free(&t);
}
END_TEST

START_TEST(a_responder_must_not_speak_first)
{
  bench t = bench_new();
  shake(&t, 0, 0);
  build_octets(t.b[1], "trailing octets of the Private Data", 35);
  say(&t, 1);
  finish(&t);
  want_undec(&t, 2 + 1, 1, 24, 35, IWARP_UNDEC_NOT_FPDU);
  bench_free(&t);
  /* but what looks like FPDUs is taken for some */
  t = bench_new();
  shake(&t, 0, 0);
  build_write(t.b[1], 30, 1);
  say(&t, 1);
  finish(&t);
  want_fpdu(&t, 2, 1, 0);
  bench_free(&t);
}
END_TEST

/* ---- rejected ---- */

START_TEST(after_a_reject_nothing_is_decoded)
{
  bench t = bench_new();
  shake(&t, 0, IWARP_MPA_FLAG_R);
  build_write(t.b[0], 100, 1);
  build_write(t.b[1], 100, 1);
  say(&t, 0);
  say_holed(&t, 1, 50, 60);
  finish(&t);
  ck_assert(t.info.rejected);
  want_undec(&t, 2, 1, 24, 26, IWARP_UNDEC_AFTER_REJECT);
  want(&t, 3, 1, IWARP_EVENT_GAP, 50, 10);
  want_undec(&t, 4, 0, 24, t.b[0]->len - 24, IWARP_UNDEC_AFTER_REJECT);
  want(&t, 5, 0, IWARP_EVENT_END, t.b[0]->len, 0);
  want_undec(&t, 6, 1, 60, t.b[1]->len - 60, IWARP_UNDEC_AFTER_REJECT);
  want(&t, 7, 1, IWARP_EVENT_END, t.b[1]->len, 0);
  bench_free(&t);
  /* nor where the Request was lost */
  t = bench_new();
  frame(&t, 0, REQUEST, 0);
  frame(&t, 1, REPLY, IWARP_MPA_FLAG_R);
  say_holed(&t, 0, 0, 24);
  say(&t, 1);
  build_write(t.b[0], 100, 1);
  say(&t, 0);
  finish(&t);
  want_undec(&t, 2, 0, 24, t.b[0]->len - 24, IWARP_UNDEC_AFTER_REJECT);
  bench_free(&t);
  /* nor where an FPDU came too early, before the Reply */
  t = bench_new();
  frame(&t, 0, REQUEST, 0);
  build_write(t.b[0], 100, 1);
  say(&t, 0);
  frame(&t, 1, REPLY, IWARP_MPA_FLAG_R);
  say(&t, 1);
  build_write(t.b[0], 100, 1);
  say(&t, 0);
  finish(&t);
  want_fpdu(&t, 1, 0, 0);
  want_undec(&t, 3, 0, t.b[0]->fpdu[1].at, t.b[0]->fpdu[1].wire_len, IWARP_UNDEC_AFTER_REJECT);
  bench_free(&t);
  /* or where a gap hides the end of the frame */
  t = bench_new();
  frame(&t, 0, REQUEST, 0);
  say(&t, 0);
  frame(&t, 1, REPLY, IWARP_MPA_FLAG_R);
  build_write(t.b[1], 100, 1);
  say_holed(&t, 1, 22, 40);
  finish(&t);
  want_undec(&t, 4, 1, 40, t.b[1]->len - 40, IWARP_UNDEC_AFTER_REJECT);
  bench_free(&t);
}
END_TEST

/*
 * FPDUs that were sent before the Reply was received; a gap lies in the last of them, or hides its
 * beginning.
 */
START_TEST(what_crosses_a_reject_is_decoded)
{
  for (size_t k = 0; k < 2; k++) {
    bench t = bench_new();
    frame(&t, 0, REQUEST, IWARP_MPA_FLAG_C);
    build_write(t.b[0], 100, 1);
    say(&t, 0);
    frame(&t, 1, REPLY, IWARP_MPA_FLAG_R);
    say(&t, 1);
    t.sent[1] = 0;
    build_write(t.b[0], 100, 1);
    say(&t, 0);
    const build_fpdu cut = *build_write(t.b[0], 100, 1);
    const build_fpdu next = *build_write(t.b[0], 100, 1);
    const size_t from = k == 0 ? cut.at + 50 : cut.at;
    const size_t to = cut.at + 60;
    say_holed(&t, 0, from, to);
    t.s.steps[t.s.num - 1].meta.peer_pos = POS1 + 24; /* it has the Reply now */
    finish(&t);
    ck_assert(t.info.rejected);
    want_fpdu(&t, 1, 0, 0);
    want_fpdu(&t, 3, 0, 1);
    if (k == 0) {
      ck_assert(!want_fpdu(&t, 4, 0, 2)->complete);
      want(&t, 5, 0, IWARP_EVENT_GAP, from, to - from);
    } else {
      want(&t, 4, 0, IWARP_EVENT_GAP, from, to - from);
      want_undec(&t, 5, 0, to, next.at - to, IWARP_UNDEC_NO_BOUNDARY);
    }
    want_undec(&t, 6, 0, next.at, next.wire_len, IWARP_UNDEC_AFTER_REJECT);
    bench_free(&t);
  }
}
END_TEST

/* ---- joined in Full Operation ---- */

START_TEST(a_connection_is_joined_in_mid_stream)
{
  for (uint8_t k = 0; k < 4; k++) {
    bench t = bench_new();
    t.cfg.full_operation = true;
    t.start.known[0] = false;
    t.start.known[1] = false;
    for (uint8_t side = 0; side < 2; side++) {
      t.b[side]->crc = k % 2 != 0;
      build_fill(t.b[side], 0x61, k / 2 == 0 ? 0 : 77);
      build_write(t.b[side], 100, 0x62);
      build_write(t.b[side], 100, 0x62);
      build_write(t.b[side], 100, 0x62);
      say(&t, side);
    }
    finish(&t);
    const size_t found = log_count(&t.log, IWARP_EVENT_FPDU);
    ck_assert_uint_eq(found, k == 2 ? 0 : 6); /* neither a CRC nor a segment start tells */
    ck_assert_int_eq(t.info.side[0].role, IWARP_ROLE_UNKNOWN);
    ck_assert_int_eq(t.info.crc_by, k == 2 ? IWARP_KNOWN_BY_NOTHING : IWARP_KNOWN_BY_DATA);
    bench_free(&t);
  }
}
END_TEST

START_TEST(startup_frames_count_in_a_joined_connection_too)
{
  bench t = bench_new();
  t.cfg.full_operation = true;
  shake(&t, IWARP_MPA_FLAG_M, IWARP_MPA_FLAG_C);
  build_write(t.b[0], 100, 1);
  say(&t, 0);
  build_write(t.b[1], 100, 1);
  say(&t, 1);
  finish(&t);
  want(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 24);
  want(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 24);
  ck_assert_uint_eq(want_fpdu(&t, 2, 0, 0)->sync, IWARP_SYNC_STARTUP);
  ck_assert_uint_eq(want_fpdu(&t, 3, 1, 0)->what, IWARP_CRC_GOOD);
  bench_free(&t);
  /* octets that only begin like a key are those of an FPDU: 0x4D50 is a ULPDU_Length */
  t = bench_new();
  t.cfg.full_operation = true;
  t.cfg.crc = IWARP_TRISTATE_ON;
  build_write(t.b[0], 0x4D50 - 14, 1);
  say(&t, 0);
  finish(&t);
  want_fpdu(&t, 0, 0, 0);
  bench_free(&t);
  /* also where a gap or the end comes before that shows */
  t = bench_new();
  t.cfg.full_operation = true;
  build_octets(t.b[0], "MPA ID Req", 10);
  say_holed(&t, 0, 5, 8);
  finish(&t);
  want_undec(&t, 0, 0, 0, 5, IWARP_UNDEC_NO_BOUNDARY);
  want(&t, 1, 0, IWARP_EVENT_GAP, 5, 3);
  want_undec(&t, 2, 0, 8, 2, IWARP_UNDEC_NO_BOUNDARY);
  bench_free(&t);
  t = bench_new();
  t.cfg.full_operation = true;
  build_octets(t.b[0], "MPA ID Req", 10);
  say_holed(&t, 0, 0, 2);
  say(&t, 1);
  finish(&t);
  want(&t, 0, 0, IWARP_EVENT_GAP, 0, 2);
  bench_free(&t);
}
END_TEST

/* ---- ends ---- */

static void push(iwarp_observer *conn, uint8_t side, iwarp_span octets) {
  const iwarp_meta meta = {.packet = 1, .peer_pos = IWARP_POS_UNKNOWN};
  iwarp_event ev;
  ck_assert_int_eq(iwarp_observer_push(conn, side, octets, &meta), IWARP_OK);
  while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
  }
}

/* Two FPDUs before a Reply, of which the first may be whole: whether there are Markers is not
 * known. */
START_TEST(an_fpdu_that_may_have_ended_is_not_under_way)
{
  bench t = bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = NULL;
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, IWARP_OBSERVER_SIZE, &t.cfg), IWARP_OK);
  frame(&t, 0, REQUEST, IWARP_MPA_FLAG_C);
  static const uint8_t empty[8];
  ck_assert_int_eq(iwarp_observer_start(conn, 0, POS0, true, POS0), IWARP_OK);
  push(conn, 0, (iwarp_span){t.b[0]->octets, t.b[0]->len});
  for (size_t i = 0; i < 3; i++) {
    push(conn, 0, (iwarp_span){empty, sizeof empty});
    ck_assert_uint_eq(iwarp_observer_info_get(conn)->side[0].partial_end, 0);
  }
  free(mem);
  bench_free(&t);
}
END_TEST

/* Between two FPDUs, in a startup frame and where no boundary is known there is none. */
START_TEST(an_fpdu_under_way_ends_where_its_octets_end)
{
  bench t = bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = NULL;
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, IWARP_OBSERVER_SIZE, &t.cfg), IWARP_OK);
  const iwarp_observer_side *side = &iwarp_observer_info_get(conn)->side[0];
  frame(&t, 0, REQUEST, IWARP_MPA_FLAG_C);
  frame(&t, 1, REPLY, IWARP_MPA_FLAG_C);
  const size_t full = t.b[0]->len;
  build_write(t.b[0], 101, 1);
  ck_assert_int_eq(iwarp_observer_start(conn, 0, POS0, true, POS0), IWARP_OK);
  push(conn, 0, (iwarp_span){t.b[0]->octets, full - 1});
  ck_assert_uint_eq(side->partial_end, 0);
  push(conn, 0, (iwarp_span){&t.b[0]->octets[full - 1], 1});
  push(conn, 1, (iwarp_span){t.b[1]->octets, t.b[1]->len});
  ck_assert_uint_eq(side->partial_end, 0);
  push(conn, 0, (iwarp_span){&t.b[0]->octets[full], 1});
  ck_assert_uint_eq(side->partial_end, POS0 + full + 1);
  push(conn, 0, (iwarp_span){&t.b[0]->octets[full + 1], t.b[0]->len - full - 2});
  ck_assert_uint_eq(side->partial_end, POS0 + t.b[0]->len - 1);
  push(conn, 0, (iwarp_span){&t.b[0]->octets[t.b[0]->len - 1], 1});
  ck_assert_uint_eq(side->partial_end, 0);
  const iwarp_meta meta = {.packet = 2, .peer_pos = IWARP_POS_UNKNOWN};
  iwarp_event ev;
  ck_assert_int_eq(iwarp_observer_gap(conn, 0, 9, IWARP_GAP_LOST, &meta), IWARP_OK);
  while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
  }
  push(conn, 0, (iwarp_span){t.b[0]->octets, 7});
  ck_assert_uint_eq(side->partial_end, 0);
  free(mem);
  bench_free(&t);
}
END_TEST

/* Feeds a transport segment. */
static void push_segment(iwarp_observer *conn, uint8_t side, const uint8_t *octets, size_t len) {
  const iwarp_meta meta = {.packet = 3, .peer_pos = IWARP_POS_UNKNOWN, .segment_start = true};
  iwarp_event ev;
  const iwarp_span span = {octets, len};
  ck_assert_int_eq(iwarp_observer_push(conn, side, span, &meta), IWARP_OK);
  while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
  }
}

/* A connection in Full Operation; `crc` 0 or IWARP_MPA_FLAG_C. */
static iwarp_observer *full_operation(bench *t, uint8_t *mem, uint8_t crc) {
  iwarp_observer *conn = NULL;
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, IWARP_OBSERVER_SIZE, &t->cfg), IWARP_OK);
  frame(t, 0, REQUEST, crc);
  frame(t, 1, REPLY, crc);
  ck_assert_int_eq(iwarp_observer_start(conn, 0, POS0, true, POS0), IWARP_OK);
  push_segment(conn, 0, t->b[0]->octets, t->b[0]->len);
  push_segment(conn, 1, t->b[1]->octets, t->b[1]->len);
  return conn;
}

/* Octets that announce an FPDU without end, and are none. */
START_TEST(octets_that_look_like_no_fpdu_are_none_under_way)
{
  bench t = bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = full_operation(&t, mem, 0);
  const iwarp_observer_side *side = &iwarp_observer_info_get(conn)->side[0];
  static const uint8_t octets[] = "GET / HTTP/1.1";
  const uint64_t pos = POS0 + t.b[0]->len;
  push_segment(conn, 0, octets, 3);
  ck_assert_uint_eq(side->partial_end, pos + 3);
  push_segment(conn, 0, &octets[3], 1);
  ck_assert_uint_eq(side->partial_end, 0);
  push_segment(conn, 0, &octets[4], sizeof(octets) - 5);
  ck_assert_uint_eq(side->partial_end, 0);
  free(mem);
  bench_free(&t);
}
END_TEST

/* ULPDU_Length may be wrong where a segment inside its FPDU begins with what looks like another. */
START_TEST(an_fpdu_that_others_may_begin_inside_is_not_under_way)
{
  bench t = bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = full_operation(&t, mem, IWARP_MPA_FLAG_C);
  const iwarp_observer_side *side = &iwarp_observer_info_get(conn)->side[0];
  const size_t first = t.b[0]->len;
  build_write(t.b[0], 400, 1);
  const size_t second = t.b[0]->len;
  build_write(t.b[0], 8, 2);
  const uint8_t *like = &t.b[0]->octets[second];
  const uint64_t pos = POS0 + first;
  push_segment(conn, 0, &t.b[0]->octets[first], 20);
  ck_assert_uint_eq(side->partial_end, pos + 20);
  push(conn, 0, (iwarp_span){like, 16}); /* no segment begins there */
  ck_assert_uint_eq(side->partial_end, pos + 36);
  push_segment(conn, 0, like, 11); /* too short to tell */
  ck_assert_uint_eq(side->partial_end, pos + 47);
  push_segment(conn, 0, like, 16);
  ck_assert_uint_eq(side->partial_end, 0);
  push_segment(conn, 0, &t.b[0]->octets[first + 63], 37);
  ck_assert_uint_eq(side->partial_end, 0);
  push_segment(conn, 0, &t.b[0]->octets[first + 100], second - first - 100);
  push_segment(conn, 0, like, 14);
  ck_assert_uint_eq(side->partial_end, pos + second - first + 14);
  free(mem);
  bench_free(&t);
}
END_TEST

START_TEST(every_end_is_reported)
{
  static const iwarp_end ends[] = {IWARP_END_FIN, IWARP_END_RST, IWARP_END_CAPTURE};
  for (size_t i = 0; i < 3; i++) {
    bench t = bench_new();
    shake(&t, 0, 0);
    script_end(&t.s, 1, ends[i]);
    build_write(t.b[0], 100, 1);
    t.b[0]->len -= 3;
    say(&t, 0);
    script_end(&t.s, 0, ends[(i + 1) % 3]);
    go(&t);
    const stream_rec *r = want(&t, 2, 1, IWARP_EVENT_END, 24, 0);
    ck_assert_uint_eq(r->what, (uint32_t)ends[i]);
    ck_assert_uint_eq(r->first, 3);
    want_undec(&t, 3, 0, 24, t.b[0]->len - 24, IWARP_UNDEC_UNFINISHED);
    ck_assert_uint_eq(want(&t, 4, 0, IWARP_EVENT_END, t.b[0]->len, 0)->what,
                      (uint32_t)ends[(i + 1) % 3]);
    ck_assert_int_eq(t.info.side[0].end, ends[(i + 1) % 3]);
    ck_assert_int_eq(t.info.side[1].end, ends[i]);
    bench_free(&t);
  }
  bench t = bench_new();
  script_end(&t.s, 0, IWARP_END_RST);
  go(&t);
  want(&t, 0, 0, IWARP_EVENT_END, 0, 0);
  ck_assert_int_eq(t.info.side[1].end, IWARP_END_OPEN);
  ck_assert(!t.info.side[0].seen);
  bench_free(&t);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {init_refuses_what_it_cannot_use,
                                calls_in_the_wrong_state_are_refused,
                                markers_and_crc_are_negotiated,
                                a_reply_of_revision_0_brings_markers_both_ways,
                                a_reply_of_revision_0_and_no_markers,
                                a_reply_of_revision_0_without_its_request,
                                a_frame_says_what_it_holds,
                                frames_of_revision_129_have_more_octets,
                                what_was_given_holds_until_a_frame_tells,
                                one_direction_tells_what_it_uses,
                                one_direction_that_is_no_iwarp_is_not_decoded,
                                a_late_reply_settles_what_is_open,
                                streaming_data_goes_before,
                                a_key_in_a_text_is_no_frame,
                                gaps_in_streaming_data,
                                streaming_data_may_cross_a_request,
                                two_requests,
                                a_reply_without_a_request,
                                a_wrong_key_where_a_reply_is_due,
                                a_wrong_key_where_a_request_is_due,
                                too_few_octets_where_a_reply_is_due,
                                a_key_that_may_begin_in_a_wrong_one,
                                a_frame_is_cut_by_the_end,
                                a_frame_is_cut_by_a_gap,
                                private_data_with_several_holes,
                                a_lost_reply,
                                a_short_gap_hides_no_frame,
                                a_lost_request,
                                a_responder_that_was_joined_late,
                                a_responder_must_not_speak_first,
                                after_a_reject_nothing_is_decoded,
                                what_crosses_a_reject_is_decoded,
                                a_connection_is_joined_in_mid_stream,
                                startup_frames_count_in_a_joined_connection_too,
                                an_fpdu_that_may_have_ended_is_not_under_way,
                                an_fpdu_under_way_ends_where_its_octets_end,
                                octets_that_look_like_no_fpdu_are_none_under_way,
                                an_fpdu_that_others_may_begin_inside_is_not_under_way,
                                every_end_is_reported,
                                NULL};
  return check_run(check_suite("stream-conn", tests));
}
