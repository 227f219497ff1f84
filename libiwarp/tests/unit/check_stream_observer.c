/* SPDX-License-Identifier: BSD-2-Clause */
/* The observer of a connection: its calls, what startup frames settle, connections
 * joined in Full Operation, and ends. */
#include "check_run.h"
#include "observer_bench.h"

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
    observer_bench t = observer_bench_new();
    observer_bench_shake(&t, (uint8_t)(k << 6), (uint8_t)(k >> 2 << 6));
    t.cfg.markers =
        k % 2 != 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF; /* the frames know better */
    t.cfg.crc = k % 2 != 0 ? IWARP_TRISTATE_OFF : IWARP_TRISTATE_ON;
    for (int i = 0; i < 4; i++) {
      build_write(t.b[0], 300, 1);
      build_write(t.b[1], 300, 2);
    }
    observer_bench_say(&t, 0);
    observer_bench_say(&t, 1);
    observer_bench_finish(&t);
    ck_assert_uint_eq(t.log.num, 2 + 8 + 2);
    ck_assert_uint_eq(log_count(&t.log, IWARP_EVENT_FPDU), 8);
    for (uint8_t side = 0; side < 2; side++) {
      const iwarp_observer_side *own = &t.info.side[side];
      const stream_rec *r = observer_bench_fpdu(&t, side == 0 ? 2 : 6, side, 0);
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
    observer_bench_free(&t);
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
    observer_bench t = observer_bench_new();
    const uint8_t asked = k % 2 != 0 ? 0x80 : 0;
    const uint8_t reply = (uint8_t)((k & 2) != 0 ? 0xC0 : 0x40);
    const uint8_t rev = (k & 4) != 0 ? 0 : 1;
    build_startup(t.b[0], OBSERVER_BENCH_REQUEST, asked, (k & 8) != 0 ? 0 : 1, 0, NULL, 0);
    build_startup(t.b[1], OBSERVER_BENCH_REPLY, reply, rev, 0, NULL, 0);
    t.b[0]->markers = (reply & 0x80) != 0;
    t.b[1]->markers = asked != 0 || (rev == 0 && (reply & 0x80) != 0);
    observer_bench_say(&t, 0);
    observer_bench_say(&t, 1);
    for (int i = 0; i < 4; i++) {
      build_write(t.b[0], 300, 1);
      build_write(t.b[1], 300, 2);
    }
    observer_bench_say(&t, 0);
    observer_bench_say(&t, 1);
    observer_bench_finish(&t);
    for (uint8_t side = 0; side < 2; side++) {
      const iwarp_observer_side *s = &t.info.side[side];
      ck_assert_int_eq(s->markers, t.b[side]->markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
      ck_assert_int_eq(s->markers_by, IWARP_KNOWN_BY_STARTUP);
      ck_assert_uint_eq(s->rev, side == 1 ? rev : (k & 8) != 0 ? 0 : 1);
      ck_assert_uint_eq(s->num_fpdus, 4);
    }
    for (size_t i = 0; i < t.log.num; i++) {
      ck_assert(t.log.recs[i].kind != IWARP_EVENT_FPDU || t.log.recs[i].what == IWARP_CRC_GOOD);
    }
    observer_bench_free(&t);
  }
}
END_TEST

/* Evidence in the octets prevails over a Rev 0 that was sent and not meant, and over the caller's
 * configuration. */
START_TEST(a_reply_of_revision_0_and_no_markers)
{
  for (uint8_t k = 0; k < 4; k++) {
    observer_bench t = observer_bench_new();
    build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, 1, 0, NULL, 0);
    build_startup(t.b[1], OBSERVER_BENCH_REPLY, 0xC0, 0, 0, NULL, 0);
    t.b[0]->markers = true;
    t.cfg.markers = k == 1   ? IWARP_TRISTATE_OFF
                    : k == 2 ? IWARP_TRISTATE_ON
                             : IWARP_TRISTATE_UNKNOWN;
    t.b[1]->markers = k == 2;
    if (k == 3) { /* the beginning is lost: what a search found is not negotiated */
      t.b[1]->markers = true;
    }
    observer_bench_say(&t, 0);
    observer_bench_say(&t, 1);
    for (int i = 0; i < 6; i++) {
      build_write(t.b[1], 600, 2);
    }
    if (k == 3) {
      observer_bench_say_holed(&t, 1, 20, 700);
    } else {
      observer_bench_say(&t, 1);
    }
    observer_bench_finish(&t);
    const iwarp_observer_side *s = &t.info.side[1];
    ck_assert_int_eq(s->markers, t.b[1]->markers ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
    ck_assert_int_eq(s->markers_by, k == 1 || k == 2 ? IWARP_KNOWN_BY_CALLER : IWARP_KNOWN_BY_DATA);
    ck_assert_uint_eq(s->num_fpdus, k == 3 ? 4 : 6);
    observer_bench_free(&t);
  }
}
END_TEST

/* The same where the Request is not in the capture, and of a Request of Rev 0 alone nothing. */
START_TEST(a_reply_of_revision_0_without_its_request)
{
  observer_bench t = observer_bench_new();
  build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0x40, 1, 0, NULL, 0);
  build_startup(t.b[1], OBSERVER_BENCH_REPLY, 0xC0, 0, 0, NULL, 0);
  t.b[1]->markers = true;
  observer_bench_say_holed(&t, 0, 0, t.b[0]->len);
  build_write(t.b[1], 300, 2);
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  ck_assert_int_eq(t.info.side[1].markers, IWARP_TRISTATE_ON);
  ck_assert_int_eq(t.info.side[1].markers_by, IWARP_KNOWN_BY_STARTUP);
  ck_assert_uint_eq(t.info.side[1].num_fpdus, 1);
  observer_bench_free(&t);

  t = observer_bench_new();
  build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0xC0, 0, 0, NULL, 0);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  ck_assert_int_eq(t.info.side[0].markers, IWARP_TRISTATE_UNKNOWN);
  ck_assert_int_eq(t.info.side[1].markers, IWARP_TRISTATE_ON);
  observer_bench_free(&t);
}
END_TEST

/* FPDUs after a Reply of revision 0 showed that Markers are off: a late Request without M changes
 * nothing. */
START_TEST(a_late_request_keeps_what_fpdus_showed)
{
  observer_bench t = observer_bench_new();
  build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, 1, 0, NULL, 0);
  build_startup(t.b[1], OBSERVER_BENCH_REPLY, 0xC0, 0, 0, NULL, 0);
  build_write(t.b[1], 300, 2);
  build_write(t.b[1], 300, 2);
  observer_bench_say(&t, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  ck_assert_int_eq(t.info.side[1].markers, IWARP_TRISTATE_OFF);
  ck_assert_int_eq(t.info.side[1].markers_by, IWARP_KNOWN_BY_DATA);
  ck_assert_uint_eq(t.info.side[1].num_fpdus, 2);
  observer_bench_free(&t);
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
    observer_bench t = observer_bench_new();
    build_startup(t.b[0], OBSERVER_BENCH_REQUEST, cases[i].flags, cases[i].rev, cases[i].pd, pd,
                  cases[i].pd);
    observer_bench_say(&t, 0);
    t.log = run_conn(&t.cfg, &t.start, &t.s, &t.info);
    const iwarp_observer_side *own = &t.info.side[0];
    const stream_rec *r = observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 20u + cases[i].pd);
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
    observer_bench_free(&t);
  }
}
END_TEST

/* The eight octets that PD_Length does not count still belong to the frame. */
START_TEST(frames_of_revision_129_have_more_octets)
{
  observer_bench t = observer_bench_new();
  build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, 129, 4, "cookie00data", 12);
  build_startup(t.b[1], OBSERVER_BENCH_REPLY, 0, 129, 0, "cookie00", 8);
  observer_bench_say(&t, 0);
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 32);
  observer_bench_event(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 28);
  ck_assert_uint_eq(t.info.side[0].startup_end, OBSERVER_BENCH_POS0 + 32);
  ck_assert_uint_eq(t.info.side[1].startup_end, OBSERVER_BENCH_POS1 + 28);
  observer_bench_free(&t);
}
END_TEST

/* A frame of that revision that ends with what PD_Length counts is one as of any other revision. */
START_TEST(frames_of_revision_129_may_have_no_more_octets)
{
  /* answered, ended, cut off, cut off in the Private Data, answered without an acknowledgment */
  for (unsigned i = 0; i < 5; i++) {
    observer_bench t = observer_bench_new();
    build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, 129, 4, "data", 4);
    if (i == 3) {
      observer_bench_say_holed(&t, 0, 22, 24);
    } else {
      observer_bench_say(&t, 0);
    }
    if (i == 0 || i == 4) {
      build_startup(t.b[1], OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C, i == 0 ? 129 : 1, 0, "", 0);
      observer_bench_say_after(&t, 1, i == 0 ? observer_bench_pos(&t, 0, 24) : IWARP_POS_UNKNOWN);
    }
    if (i == 0 || i == 2) {
      build_write(t.b[0], 30, 3);
      build_write(t.b[0], 30, 3);
    }
    if (i == 0) {
      observer_bench_say(&t, 0);
      build_write(t.b[1], 30, 3);
      observer_bench_say(&t, 1);
    } else if (i == 2) {
      observer_bench_say_holed(&t, 0, 24, t.b[0]->fpdu[1].at);
    }
    observer_bench_finish(&t);
    const stream_rec *r = observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 24);
    ck_assert_int_eq(r->err, i != 3 ? IWARP_OK : IWARP_ERR_MPA_PD_LENGTH);
    ck_assert_uint_eq(t.info.side[0].startup_end, OBSERVER_BENCH_POS0 + 24);
    if (i == 0) {
      observer_bench_event(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 20);
      ck_assert_uint_eq(observer_bench_fpdu(&t, 2, 0, 0)->offset, 0);
      observer_bench_fpdu(&t, 3, 0, 1);
      ck_assert_uint_eq(observer_bench_fpdu(&t, 4, 1, 0)->offset, 0);
    }
    observer_bench_free(&t);
  }
}
END_TEST

/* The extension is no data of the ULP; frames without it, and of other revisions, have all of
 * it. */
START_TEST(the_extension_is_not_of_the_ulp)
{
  static const struct {
    const char *octets;
    uint8_t rev;
    uint8_t num;
  } frames[] = {{"data", 1, 4}, {"data", 129, 4}, {"cookie00data", 129, 12}};
  uint32_t first = 0;
  for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
    observer_bench t = observer_bench_new();
    build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, frames[i].rev, 4, frames[i].octets,
                  frames[i].num);
    observer_bench_say(&t, 0);
    observer_bench_finish(&t);
    const size_t len = 20u + frames[i].num;
    const stream_rec *r = observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, len);
    first = i == 0 ? r->seg : first;
    ck_assert_uint_eq(r->seg, first); /* a checksum of the data */
    observer_bench_free(&t);
  }
}
END_TEST

/* What is missing in the Private Data of such a frame. */
START_TEST(a_hole_in_a_frame_of_revision_129)
{
  static const struct {
    size_t to; /* the hole is from the 23rd octet to here; the Private Data ends at 24 */
    size_t len;
  } holes[] = {{23, 32}, {24, 24}, {31, 24}, {32, 32}};
  for (size_t i = 0; i < sizeof holes / sizeof holes[0]; i++) {
    observer_bench t = observer_bench_new();
    build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, 129, 4, "data12345678", 12);
    observer_bench_say_holed(&t, 0, 22, holes[i].to);
    observer_bench_finish(&t);
    observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, holes[i].len);
    observer_bench_free(&t);
  }
}
END_TEST

/* Such a frame as far as the Private Data, then something of the other side that is no answer, and
 * the rest. */
START_TEST(a_frame_of_revision_129_waits_for_its_answer)
{
  for (unsigned i = 0; i < 3; i++) { /* octets sent before it came, an end, a hole */
    observer_bench t = observer_bench_new();
    build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, 129, 4, "data12345678", 12);
    build_write(t.b[1], 30, 3);
    t.s.peer_pos = IWARP_POS_UNKNOWN;
    script_push(&t.s, 1, (iwarp_span){t.b[1]->octets, 8});
    t.s.peer_pos = observer_bench_pos(&t, 1, 0);
    script_push(&t.s, 0, (iwarp_span){t.b[0]->octets, 24});
    t.s.peer_pos = observer_bench_pos(&t, 0, 20);
    if (i == 0) {
      script_push(&t.s, 1, (iwarp_span){&t.b[1]->octets[8], t.b[1]->len - 8});
    } else if (i == 1) {
      script_end(&t.s, 1, IWARP_END_FIN);
    } else {
      script_gap(&t.s, 1, 100);
    }
    t.s.peer_pos = observer_bench_pos(&t, 1, 0);
    script_push(&t.s, 0, (iwarp_span){&t.b[0]->octets[24], 8});
    script_end(&t.s, 0, IWARP_END_FIN);
    if (i != 1) {
      script_end(&t.s, 1, IWARP_END_FIN);
    }
    observer_bench_go(&t);
    ck_assert_uint_eq(t.info.side[0].startup_end, OBSERVER_BENCH_POS0 + 32);
    observer_bench_free(&t);
  }
}
END_TEST

START_TEST(what_was_given_holds_until_a_frame_tells)
{
  observer_bench t = observer_bench_new();
  t.cfg = (iwarp_observer_cfg){
      .size = sizeof t.cfg, .markers = IWARP_TRISTATE_ON, .crc = IWARP_TRISTATE_ON};
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  t.b[0]->markers = true;
  build_write(t.b[0], 600, 3);
  build_write(t.b[0], 600, 3);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  ck_assert_uint_eq(observer_bench_fpdu(&t, 1, 0, 0)->what, IWARP_CRC_GOOD);
  ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_CALLER);
  ck_assert_int_eq(t.info.side[1].markers_by, IWARP_KNOWN_BY_STARTUP);
  ck_assert_int_eq(t.info.side[1].markers, IWARP_TRISTATE_OFF);
  ck_assert_int_eq(t.info.crc_by, IWARP_KNOWN_BY_CALLER);
  observer_bench_free(&t);
}
END_TEST

START_TEST(one_direction_tells_what_it_uses)
{
  for (uint8_t k = 0; k < 4; k++) {
    observer_bench t = observer_bench_new();
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
    t.b[0]->markers = k % 2 != 0;
    t.b[0]->crc = k / 2 != 0;
    build_write(t.b[0], 700, 3);
    build_write(t.b[0], 700, 3);
    observer_bench_say(&t, 0);
    observer_bench_finish(&t);
    observer_bench_fpdu(&t, 1, 0, 0);
    observer_bench_fpdu(&t, 2, 0, 1);
    ck_assert_int_eq(t.info.side[0].markers, k % 2 != 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
    ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_DATA);
    ck_assert_int_eq(t.info.crc, k / 2 != 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF);
    ck_assert_int_eq(t.info.crc_by, IWARP_KNOWN_BY_DATA);
    observer_bench_free(&t);
  }
}
END_TEST

START_TEST(one_direction_that_is_no_iwarp_is_not_decoded)
{
  observer_bench t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  build_octets(t.b[0], "sorry, I meant something else entirely", 38);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  observer_bench_undec(&t, 1, 0, 24, 38, IWARP_UNDEC_NOT_FPDU);
  ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_NOTHING);
  ck_assert_int_eq(t.info.crc_by, IWARP_KNOWN_BY_NOTHING);
  observer_bench_free(&t);
}
END_TEST

/* FPDUs after the Request, before the Reply: what the Reply says later counts from then on. */
START_TEST(a_late_reply_settles_what_is_open)
{
  observer_bench t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  build_write(t.b[0], 30, 3);
  observer_bench_say(&t, 0);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C);
  observer_bench_say(&t, 1);
  t.b[0]->crc = false;
  build_write(t.b[0], 30, 3);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  ck_assert_uint_eq(observer_bench_fpdu(&t, 1, 0, 0)->what, IWARP_CRC_GOOD);
  ck_assert_uint_eq(observer_bench_fpdu(&t, 3, 0, 1)->what, IWARP_CRC_BAD);
  ck_assert_int_eq(t.info.crc_by, IWARP_KNOWN_BY_STARTUP);
  ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_DATA);
  observer_bench_free(&t);
  /* only part of an FPDU came before it: whether Markers are on is shown by the Reply */
  t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  t.b[0]->markers = true;
  build_write(t.b[0], 600, 3);
  t.s.peer_pos = OBSERVER_BENCH_POS1;
  script_push(&t.s, 0, (iwarp_span){t.b[0]->octets, 26});
  t.sent[0] = 26;
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_M | IWARP_MPA_FLAG_C);
  observer_bench_say(&t, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  ck_assert_uint_eq(observer_bench_fpdu(&t, 2, 0, 0)->what, IWARP_CRC_GOOD);
  ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_STARTUP);
  observer_bench_free(&t);
}
END_TEST

/* ---- joined in Full Operation ---- */

START_TEST(a_connection_is_joined_in_mid_stream)
{
  for (uint8_t k = 0; k < 4; k++) {
    observer_bench t = observer_bench_new();
    t.cfg.full_operation = true;
    t.start.known[0] = false;
    t.start.known[1] = false;
    for (uint8_t side = 0; side < 2; side++) {
      t.b[side]->crc = k % 2 != 0;
      build_fill(t.b[side], 0x61, k / 2 == 0 ? 0 : 77);
      build_write(t.b[side], 100, 0x62);
      build_write(t.b[side], 100, 0x62);
      build_write(t.b[side], 100, 0x62);
      observer_bench_say(&t, side);
    }
    observer_bench_finish(&t);
    const size_t found = log_count(&t.log, IWARP_EVENT_FPDU);
    ck_assert_uint_eq(found, k == 2 ? 0 : 6); /* neither a CRC nor a segment start tells */
    ck_assert_int_eq(t.info.side[0].role, IWARP_ROLE_UNKNOWN);
    ck_assert_int_eq(t.info.crc_by, k == 2 ? IWARP_KNOWN_BY_NOTHING : IWARP_KNOWN_BY_DATA);
    observer_bench_free(&t);
  }
}
END_TEST

START_TEST(startup_frames_count_in_a_joined_connection_too)
{
  observer_bench t = observer_bench_new();
  t.cfg.full_operation = true;
  observer_bench_shake(&t, IWARP_MPA_FLAG_M, IWARP_MPA_FLAG_C);
  build_write(t.b[0], 100, 1);
  observer_bench_say(&t, 0);
  build_write(t.b[1], 100, 1);
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 24);
  observer_bench_event(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 24);
  ck_assert_uint_eq(observer_bench_fpdu(&t, 2, 0, 0)->sync, IWARP_SYNC_STARTUP);
  ck_assert_uint_eq(observer_bench_fpdu(&t, 3, 1, 0)->what, IWARP_CRC_GOOD);
  observer_bench_free(&t);
  /* octets that only begin like a key belong to an FPDU: 0x4D50 is a ULPDU_Length */
  t = observer_bench_new();
  t.cfg.full_operation = true;
  t.cfg.crc = IWARP_TRISTATE_ON;
  build_write(t.b[0], 0x4D50 - 14, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  observer_bench_fpdu(&t, 0, 0, 0);
  observer_bench_free(&t);
  /* also where a gap or the end comes before that shows */
  t = observer_bench_new();
  t.cfg.full_operation = true;
  build_octets(t.b[0], "MPA ID Req", 10);
  observer_bench_say_holed(&t, 0, 5, 8);
  observer_bench_finish(&t);
  observer_bench_undec(&t, 0, 0, 0, 5, IWARP_UNDEC_NO_BOUNDARY);
  observer_bench_event(&t, 1, 0, IWARP_EVENT_GAP, 5, 3);
  observer_bench_undec(&t, 2, 0, 8, 2, IWARP_UNDEC_NO_BOUNDARY);
  observer_bench_free(&t);
  t = observer_bench_new();
  t.cfg.full_operation = true;
  build_octets(t.b[0], "MPA ID Req", 10);
  observer_bench_say_holed(&t, 0, 0, 2);
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  observer_bench_event(&t, 0, 0, IWARP_EVENT_GAP, 0, 2);
  observer_bench_free(&t);
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
  observer_bench t = observer_bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = NULL;
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, IWARP_OBSERVER_SIZE, &t.cfg), IWARP_OK);
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_C);
  static const uint8_t empty[8];
  ck_assert_int_eq(iwarp_observer_start(conn, 0, OBSERVER_BENCH_POS0, true, OBSERVER_BENCH_POS0),
                   IWARP_OK);
  push(conn, 0, (iwarp_span){t.b[0]->octets, t.b[0]->len});
  for (size_t i = 0; i < 3; i++) {
    push(conn, 0, (iwarp_span){empty, sizeof empty});
    ck_assert_uint_eq(iwarp_observer_info_get(conn)->side[0].partial_end, 0);
  }
  free(mem);
  observer_bench_free(&t);
}
END_TEST

/* No FPDU is under way between two FPDUs, in a startup frame, or without a known boundary. */
START_TEST(an_fpdu_under_way_ends_where_its_octets_end)
{
  observer_bench t = observer_bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = NULL;
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, IWARP_OBSERVER_SIZE, &t.cfg), IWARP_OK);
  const iwarp_observer_side *side = &iwarp_observer_info_get(conn)->side[0];
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_C);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C);
  const size_t full = t.b[0]->len;
  build_write(t.b[0], 101, 1);
  ck_assert_int_eq(iwarp_observer_start(conn, 0, OBSERVER_BENCH_POS0, true, OBSERVER_BENCH_POS0),
                   IWARP_OK);
  ck_assert_uint_eq(side->pushed_end, OBSERVER_BENCH_POS0);
  push(conn, 0, (iwarp_span){t.b[0]->octets, full - 1});
  ck_assert_uint_eq(side->partial_end, 0);
  ck_assert_uint_eq(side->pushed_end, OBSERVER_BENCH_POS0 + full - 1);
  push(conn, 0, (iwarp_span){&t.b[0]->octets[full - 1], 1});
  push(conn, 1, (iwarp_span){t.b[1]->octets, t.b[1]->len});
  ck_assert_uint_eq(side->partial_end, 0);
  push(conn, 0, (iwarp_span){&t.b[0]->octets[full], 1});
  ck_assert_uint_eq(side->partial_end, OBSERVER_BENCH_POS0 + full + 1);
  push(conn, 0, (iwarp_span){&t.b[0]->octets[full + 1], t.b[0]->len - full - 2});
  ck_assert_uint_eq(side->partial_end, OBSERVER_BENCH_POS0 + t.b[0]->len - 1);
  push(conn, 0, (iwarp_span){&t.b[0]->octets[t.b[0]->len - 1], 1});
  ck_assert_uint_eq(side->partial_end, 0);
  const iwarp_meta meta = {.packet = 2, .peer_pos = IWARP_POS_UNKNOWN};
  iwarp_event ev;
  ck_assert_int_eq(iwarp_observer_gap(conn, 0, 9, IWARP_GAP_LOST, &meta), IWARP_OK);
  while (iwarp_observer_next_event(conn, &ev) == IWARP_OK) {
  }
  ck_assert_uint_eq(side->pushed_end, OBSERVER_BENCH_POS0 + t.b[0]->len + 9);
  push(conn, 0, (iwarp_span){t.b[0]->octets, 7});
  ck_assert_uint_eq(side->partial_end, 0);
  ck_assert_uint_eq(side->pushed_end, OBSERVER_BENCH_POS0 + t.b[0]->len + 16);
  free(mem);
  observer_bench_free(&t);
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
static iwarp_observer *full_operation(observer_bench *t, uint8_t *mem, uint8_t crc) {
  iwarp_observer *conn = NULL;
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, IWARP_OBSERVER_SIZE, &t->cfg), IWARP_OK);
  observer_bench_frame(t, 0, OBSERVER_BENCH_REQUEST, crc);
  observer_bench_frame(t, 1, OBSERVER_BENCH_REPLY, crc);
  ck_assert_int_eq(iwarp_observer_start(conn, 0, OBSERVER_BENCH_POS0, true, OBSERVER_BENCH_POS0),
                   IWARP_OK);
  push_segment(conn, 0, t->b[0]->octets, t->b[0]->len);
  push_segment(conn, 1, t->b[1]->octets, t->b[1]->len);
  return conn;
}

/* Octets that read as an unfinished FPDU without being one. */
START_TEST(octets_that_look_like_no_fpdu_are_none_under_way)
{
  observer_bench t = observer_bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = full_operation(&t, mem, 0);
  const iwarp_observer_side *side = &iwarp_observer_info_get(conn)->side[0];
  static const uint8_t octets[] = "GET / HTTP/1.1";
  const uint64_t pos = OBSERVER_BENCH_POS0 + t.b[0]->len;
  push_segment(conn, 0, octets, 3);
  ck_assert_uint_eq(side->partial_end, pos + 3);
  push_segment(conn, 0, &octets[3], 1);
  ck_assert_uint_eq(side->partial_end, 0);
  push_segment(conn, 0, &octets[4], sizeof(octets) - 5);
  ck_assert_uint_eq(side->partial_end, 0);
  free(mem);
  observer_bench_free(&t);
}
END_TEST

/* ULPDU_Length may be wrong where a segment inside its FPDU begins with what looks like another. */
START_TEST(an_fpdu_that_others_may_begin_inside_is_not_under_way)
{
  observer_bench t = observer_bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = full_operation(&t, mem, IWARP_MPA_FLAG_C);
  const iwarp_observer_side *side = &iwarp_observer_info_get(conn)->side[0];
  const size_t first = t.b[0]->len;
  build_write(t.b[0], 400, 1);
  const size_t second = t.b[0]->len;
  build_write(t.b[0], 8, 2);
  const uint8_t *like = &t.b[0]->octets[second];
  const uint64_t pos = OBSERVER_BENCH_POS0 + first;
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
  observer_bench_free(&t);
}
END_TEST

/* A Request with 4 octets of Private Data, an octet a packet. */
START_TEST(a_frame_names_the_packet_that_completes_its_fixed_part)
{
  observer_bench t = observer_bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = NULL;
  iwarp_event ev = {.kind = IWARP_EVENT_END};
  static const uint8_t data[4] = {1, 2, 3, 4};
  iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN};
  build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, 1, sizeof data, data, sizeof data);
  t.cfg.max_ulpdu = UINT16_MAX; /* more packets are distinguished */
  ck_assert_int_eq(iwarp_observer_init(&conn, mem, IWARP_OBSERVER_SIZE, &t.cfg), IWARP_OK);
  for (size_t i = 0; i < t.b[0]->len; i++) {
    meta.packet++;
    ck_assert_int_eq(iwarp_observer_push(conn, 0, (iwarp_span){&t.b[0]->octets[i], 1}, &meta),
                     IWARP_OK);
    ck_assert_int_eq(iwarp_observer_next_event(conn, &ev),
                     i + 1 < t.b[0]->len ? IWARP_ERR_END : IWARP_OK);
  }
  ck_assert_int_eq(ev.kind, IWARP_EVENT_STARTUP);
  ck_assert_uint_eq(ev.first.packet, 1);
  ck_assert_uint_eq(ev.head_last.packet, 20);
  ck_assert_uint_eq(ev.last.packet, 24);
  free(mem);
  observer_bench_free(&t);
}
END_TEST

START_TEST(streaming_data_is_shown_by_its_first_octets)
{
  observer_bench t = observer_bench_new();
  uint8_t *mem = malloc(IWARP_OBSERVER_SIZE);
  iwarp_observer *conn = NULL;
  iwarp_event ev;
  uint8_t data[IWARP_RUN_HEAD_LEN + 9];
  const iwarp_meta meta = {.peer_pos = IWARP_POS_UNKNOWN};
  for (size_t i = 0; i < sizeof data; i++) {
    data[i] = (uint8_t)('a' + i % 26);
  }
  for (size_t len = 6; len <= sizeof data; len += sizeof data - 6) {
    ck_assert_int_eq(iwarp_observer_init(&conn, mem, IWARP_OBSERVER_SIZE, &t.cfg), IWARP_OK);
    ck_assert_int_eq(iwarp_observer_push(conn, 0, (iwarp_span){data, len}, &meta), IWARP_OK);
    ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_ERR_END);
    ck_assert_int_eq(iwarp_observer_eof(conn, 0, IWARP_END_FIN, &meta), IWARP_OK);
    ck_assert_int_eq(iwarp_observer_next_event(conn, &ev), IWARP_OK);
    ck_assert_int_eq(ev.kind, IWARP_EVENT_STREAMING);
    ck_assert_uint_eq(ev.head.len, len < IWARP_RUN_HEAD_LEN ? len : IWARP_RUN_HEAD_LEN);
    ck_assert_mem_eq(ev.head.ptr, data, ev.head.len);
  }
  free(mem);
  observer_bench_free(&t);
}
END_TEST

START_TEST(every_end_is_reported)
{
  static const iwarp_end ends[] = {IWARP_END_FIN, IWARP_END_RST, IWARP_END_CAPTURE};
  for (size_t i = 0; i < 3; i++) {
    observer_bench t = observer_bench_new();
    observer_bench_shake(&t, 0, 0);
    script_end(&t.s, 1, ends[i]);
    build_write(t.b[0], 100, 1);
    t.b[0]->len -= 3;
    observer_bench_say(&t, 0);
    script_end(&t.s, 0, ends[(i + 1) % 3]);
    observer_bench_go(&t);
    const stream_rec *r = observer_bench_event(&t, 2, 1, IWARP_EVENT_END, 24, 0);
    ck_assert_uint_eq(r->what, (uint32_t)ends[i]);
    ck_assert_uint_eq(r->first, 3);
    observer_bench_undec(&t, 3, 0, 24, t.b[0]->len - 24, IWARP_UNDEC_UNFINISHED);
    ck_assert_uint_eq(observer_bench_event(&t, 4, 0, IWARP_EVENT_END, t.b[0]->len, 0)->what,
                      (uint32_t)ends[(i + 1) % 3]);
    ck_assert_int_eq(t.info.side[0].end, ends[(i + 1) % 3]);
    ck_assert_int_eq(t.info.side[1].end, ends[i]);
    observer_bench_free(&t);
  }
  observer_bench t = observer_bench_new();
  script_end(&t.s, 0, IWARP_END_RST);
  observer_bench_go(&t);
  observer_bench_event(&t, 0, 0, IWARP_EVENT_END, 0, 0);
  ck_assert_int_eq(t.info.side[1].end, IWARP_END_OPEN);
  ck_assert(!t.info.side[0].seen);
  observer_bench_free(&t);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {init_refuses_what_it_cannot_use,
                                streaming_data_is_shown_by_its_first_octets,
                                calls_in_the_wrong_state_are_refused,
                                markers_and_crc_are_negotiated,
                                a_reply_of_revision_0_brings_markers_both_ways,
                                a_reply_of_revision_0_and_no_markers,
                                a_reply_of_revision_0_without_its_request,
                                a_late_request_keeps_what_fpdus_showed,
                                a_frame_says_what_it_holds,
                                frames_of_revision_129_have_more_octets,
                                frames_of_revision_129_may_have_no_more_octets,
                                the_extension_is_not_of_the_ulp,
                                a_hole_in_a_frame_of_revision_129,
                                a_frame_of_revision_129_waits_for_its_answer,
                                what_was_given_holds_until_a_frame_tells,
                                one_direction_tells_what_it_uses,
                                one_direction_that_is_no_iwarp_is_not_decoded,
                                a_late_reply_settles_what_is_open,
                                a_connection_is_joined_in_mid_stream,
                                startup_frames_count_in_a_joined_connection_too,
                                an_fpdu_that_may_have_ended_is_not_under_way,
                                an_fpdu_under_way_ends_where_its_octets_end,
                                octets_that_look_like_no_fpdu_are_none_under_way,
                                an_fpdu_that_others_may_begin_inside_is_not_under_way,
                                a_frame_names_the_packet_that_completes_its_fixed_part,
                                every_end_is_reported,
                                NULL};
  return check_run(check_suite("stream-observer", tests));
}
