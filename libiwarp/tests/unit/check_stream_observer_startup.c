/* SPDX-License-Identifier: BSD-2-Clause */
/* The observer of a connection: streaming data, odd startups, and rejects. */
#include <iwarp/crc32c.h>

#include "check_run.h"
#include "observer_bench.h"

/* ---- streaming mode ---- */

START_TEST(streaming_data_goes_before)
{
  observer_bench t = observer_bench_new();
  build_octets(t.b[0], "EHLO MPA ID ", 12);
  observer_bench_say(&t, 0);
  build_octets(t.b[1], "250 MPA", 7);
  observer_bench_say(&t, 1);
  build_octets(t.b[0], "MPA ", 4);
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  observer_bench_say(&t, 0);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, 0);
  observer_bench_say(&t, 1);
  build_write(t.b[0], 30, 3);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  const stream_rec *r = observer_bench_event(&t, 0, 0, IWARP_EVENT_STREAMING, 0, 16);
  ck_assert_uint_eq(r->first, 1);
  ck_assert_uint_eq(r->last, 3);
  observer_bench_event(&t, 1, 0, IWARP_EVENT_STARTUP, 16, 24);
  observer_bench_event(&t, 2, 1, IWARP_EVENT_STREAMING, 0, 7);
  observer_bench_event(&t, 3, 1, IWARP_EVENT_STARTUP, 7, 24);
  ck_assert_uint_eq(observer_bench_fpdu(&t, 4, 0, 0)->offset, 0);
  observer_bench_free(&t);
}
END_TEST

START_TEST(a_key_in_a_text_is_no_frame)
{
  observer_bench t = observer_bench_new();
  build_octets(t.b[0], "about \"" OBSERVER_BENCH_REQUEST "\" and so on", 34);
  observer_bench_say(&t, 0);
  build_octets(t.b[0], OBSERVER_BENCH_REPLY, 16); /* and the end comes too early to tell */
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  observer_bench_event(&t, 0, 0, IWARP_EVENT_STREAMING, 0, 50);
  observer_bench_event(&t, 1, 0, IWARP_EVENT_END, 50, 0);
  ck_assert(!t.info.side[0].has_startup);
  observer_bench_free(&t);
}
END_TEST

START_TEST(gaps_in_streaming_data)
{
  observer_bench t = observer_bench_new();
  build_octets(t.b[0], "some text MPA ID Req", 20);
  observer_bench_say_holed(&t, 0, 20, 20);
  build_octets(t.b[0], "lost Frame", 10);
  observer_bench_say_holed(&t, 0, 20, 25);
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  observer_bench_event(&t, 0, 0, IWARP_EVENT_STREAMING, 0, 20);
  observer_bench_event(&t, 1, 0, IWARP_EVENT_GAP, 20, 5);
  observer_bench_event(&t, 2, 0, IWARP_EVENT_STREAMING, 25, 5);
  observer_bench_event(&t, 3, 0, IWARP_EVENT_STARTUP, 30, 24);
  observer_bench_free(&t);
}
END_TEST

START_TEST(streaming_data_may_cross_a_request)
{
  observer_bench t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  build_octets(t.b[1], "welcome, stranger, to this port", 31);
  t.s.peer_pos = OBSERVER_BENCH_POS0 + 10; /* sent before the whole Request had come */
  script_push(&t.s, 1, build_span(t.b[1]));
  t.sent[1] = t.b[1]->len;
  t.s.num = 0;
  observer_bench_say(&t, 0);
  t.s.peer_pos = OBSERVER_BENCH_POS0 + 10;
  script_push(&t.s, 1, build_span(t.b[1]));
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, 0);
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  observer_bench_event(&t, 1, 1, IWARP_EVENT_STREAMING, 0, 31);
  observer_bench_event(&t, 2, 1, IWARP_EVENT_STARTUP, 31, 24);
  observer_bench_free(&t);
  /* the acknowledgement is not known, or covers the Request: a little of it is still taken for
   * streaming data */
  for (size_t k = 0; k < 2; k++) {
    t = observer_bench_new();
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
    observer_bench_say(&t, 0);
    build_octets(t.b[1], "MPA ID R: ok\r\n", 14);
    observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, 0);
    observer_bench_say(&t, 1);
    t.s.steps[t.s.num - 1].meta.peer_pos = k == 0 ? OBSERVER_BENCH_POS0 + 24 : IWARP_POS_UNKNOWN;
    observer_bench_finish(&t);
    observer_bench_event(&t, 1, 1, IWARP_EVENT_STREAMING, 0, 14);
    observer_bench_event(&t, 2, 1, IWARP_EVENT_STARTUP, 14, 24);
    observer_bench_free(&t);
  }
}
END_TEST

/* ---- odd startups ---- */

START_TEST(two_requests)
{
  observer_bench t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_C);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_M);
  observer_bench_say(&t, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  ck_assert(!observer_bench_event(&t, 0, 1, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
  ck_assert(!observer_bench_event(&t, 1, 0, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
  ck_assert_int_eq(t.info.side[1].role, IWARP_ROLE_INITIATOR);
  ck_assert_int_eq(t.info.side[0].role, IWARP_ROLE_RESPONDER);
  ck_assert_int_eq(t.info.side[0].markers, IWARP_TRISTATE_ON);
  observer_bench_free(&t);
}
END_TEST

START_TEST(a_reply_without_a_request)
{
  observer_bench t = observer_bench_new();
  t.start.known[0] = false;
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C);
  observer_bench_say(&t, 1);
  t.b[0]->full = 0;
  build_write(t.b[0], 30, 1);
  build_write(t.b[0], 30, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  ck_assert(observer_bench_event(&t, 0, 1, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
  const stream_rec *r = observer_bench_fpdu(&t, 1, 0, 0);
  ck_assert_uint_eq(r->sync, IWARP_SYNC_CRC);
  ck_assert_uint_eq(r->offset, IWARP_POS_UNKNOWN);
  ck_assert_int_eq(t.info.side[0].role, IWARP_ROLE_INITIATOR);
  ck_assert_uint_eq(t.info.side[0].full_pos, IWARP_POS_UNKNOWN);
  observer_bench_free(&t);
}
END_TEST

/* Who sent first is the Initiator; where neither had received the other's, each is a Responder,
 * and the first one seen says so. */
START_TEST(two_replies)
{
  for (unsigned k = 0; k < 4; k++) {
    const bool answers = k == 0;
    observer_bench t = observer_bench_new();
    t.start.known[0] = k != 2;
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C);
    observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C);
    observer_bench_say(&t, 0);
    observer_bench_say(&t, 1);
    t.s.steps[t.s.num - 1].meta.peer_pos = k == 3   ? IWARP_POS_UNKNOWN
                                           : k == 1 ? OBSERVER_BENCH_POS0 + 23
                                                    : OBSERVER_BENCH_POS0 + 24;
    observer_bench_finish(&t);
    ck_assert(observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
    ck_assert(observer_bench_event(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
    ck_assert_int_eq(t.info.side[0].role, answers ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER);
    ck_assert_int_eq(t.info.side[1].role, answers ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR);
    observer_bench_free(&t);
  }
}
END_TEST

/* Nor does it tell where the start of the one, or the other, is not known, or something was sent
 * before either frame. */
START_TEST(two_replies_that_lead_no_stream)
{
  for (unsigned k = 0; k < 4; k++) {
    observer_bench t = observer_bench_new();
    t.start.known[1] = k != 0;
    if (k == 1 || k == 2) {
      build_octets(t.b[k - 1], "before", 6);
      observer_bench_say(&t, (uint8_t)(k - 1));
    }
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C);
    observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C);
    observer_bench_say(&t, 0);
    observer_bench_say(&t, 1);
    t.s.steps[t.s.num - 1].meta.peer_pos = OBSERVER_BENCH_POS0 + 30;
    observer_bench_finish(&t);
    ck_assert_int_eq(t.info.side[0].role, k == 3 ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER);
    observer_bench_free(&t);
  }
}
END_TEST

/* Octets of zeros after a Request, which read as a Marker until the Reply disables Markers. */
START_TEST(zeros_before_the_reply)
{
  observer_bench t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_C);
  build_octets(t.b[0], "\0\0\0\0", 4);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C);
  observer_bench_say(&t, 0);
  observer_bench_say(&t, 1);
  build_write(t.b[0], 30, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  const stream_rec *r = observer_bench_event(&t, 2, 0, IWARP_EVENT_UNDECODABLE, 24, 4);
  ck_assert_int_eq(r->what, IWARP_UNDEC_NOT_FPDU);
  ck_assert_int_eq(t.info.side[0].markers, IWARP_TRISTATE_OFF);
  ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_STARTUP);
  observer_bench_free(&t);
}
END_TEST

START_TEST(a_wrong_key_where_a_reply_is_due)
{
  static const char *const keys[] = {OBSERVER_BENCH_WRONG, "XPA ID Rep Frame", "MXY ID Rep Frame",
                                     "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"};
  for (size_t i = 0; i < 4; i++) {
    observer_bench t = observer_bench_new();
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_C);
    observer_bench_frame(&t, 1, keys[i], 0xFF);
    observer_bench_say(&t, 0);
    observer_bench_say(&t, 1);
    build_terminate(t.b[0]);
    observer_bench_say(&t, 0);
    observer_bench_finish(&t);
    const stream_rec *r = observer_bench_event(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 24);
    ck_assert(r->is_reply && r->what == IWARP_MPA_KEY_UNKNOWN && r->err == IWARP_OK);
    observer_bench_fpdu(&t, 2, 0, 0);
    /* its flags are not believed */
    ck_assert_int_eq(t.info.side[0].markers_by, IWARP_KNOWN_BY_DATA);
    ck_assert(!t.info.rejected);
    ck_assert_int_eq(t.info.side[1].role, IWARP_ROLE_RESPONDER);
    observer_bench_free(&t);
  }
}
END_TEST

START_TEST(a_wrong_key_where_a_request_is_due)
{
  observer_bench t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_WRONG, 0);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, 0);
  observer_bench_say(&t, 1); /* seen first, although it answers */
  t.s.peer_pos = OBSERVER_BENCH_POS1;
  t.sent[1] = 0;
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  ck_assert(!observer_bench_event(&t, 1, 0, IWARP_EVENT_STARTUP, 0, 24)->is_reply);
  ck_assert_int_eq(t.info.side[0].key, IWARP_MPA_KEY_UNKNOWN);
  observer_bench_free(&t);
  /* not so after other octets */
  t = observer_bench_new();
  build_octets(t.b[0], "first", 5);
  observer_bench_say(&t, 0);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, 0);
  observer_bench_say(&t, 1);
  t.sent[1] = 0;
  observer_bench_frame(&t, 0, OBSERVER_BENCH_WRONG, 0);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  observer_bench_event(&t, 1, 0, IWARP_EVENT_STREAMING, 0, 29);
  observer_bench_free(&t);
}
END_TEST

START_TEST(too_few_octets_where_a_reply_is_due)
{
  for (size_t n = 1; n < 20; n++) {
    observer_bench t = observer_bench_new();
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
    observer_bench_say(&t, 0);
    build_octets(t.b[1], n % 2 == 0 ? OBSERVER_BENCH_REPLY "...." : "Connection refused: go", n);
    observer_bench_say(&t, 1);
    observer_bench_finish(&t);
    observer_bench_undec(&t, 2, 1, 0, n, IWARP_UNDEC_UNFINISHED);
    observer_bench_free(&t);
  }
}
END_TEST

START_TEST(a_key_that_may_begin_in_a_wrong_one)
{
  observer_bench t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  observer_bench_say(&t, 0);
  build_octets(t.b[1], "not a right key. MPA", 20); /* PD_Length "PA" */
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  const stream_rec *r = observer_bench_event(&t, 2, 1, IWARP_EVENT_STARTUP, 0, 20);
  ck_assert_uint_eq(r->what, IWARP_MPA_KEY_UNKNOWN);
  ck_assert_uint_eq(r->length, 0x5041);
  observer_bench_free(&t);
}
END_TEST

START_TEST(a_frame_is_cut_by_the_end)
{
  for (size_t n = 16; n < 24; n++) {
    observer_bench t = observer_bench_new();
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
    t.b[0]->len = n;
    observer_bench_say(&t, 0);
    observer_bench_finish(&t);
    if (n < 20) {
      observer_bench_undec(&t, 0, 0, 0, n, IWARP_UNDEC_UNFINISHED);
      ck_assert(!t.info.side[0].has_startup);
    } else {
      const stream_rec *r = observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, n);
      ck_assert_int_eq(r->err, IWARP_ERR_MPA_PD_LENGTH);
      ck_assert_uint_eq(r->octets_len, n - 20);
    }
    ck_assert_int_eq(t.info.side[0].role, IWARP_ROLE_INITIATOR);
    observer_bench_event(&t, 1, 0, IWARP_EVENT_END, n, 0);
    observer_bench_free(&t);
  }
}
END_TEST

START_TEST(a_frame_is_cut_by_a_gap)
{
  for (size_t from = 1; from < 24; from++) {
    for (size_t to = from + 1; to < 40; to += 3) {
      observer_bench t = observer_bench_new();
      observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_C);
      observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, 0);
      build_write(t.b[0], 30, 1);
      build_write(t.b[1], 30, 1);
      build_write(t.b[1], 30, 1);
      t.b[0]->len = 24;
      observer_bench_say(&t, 0);
      t.b[0]->len += t.b[0]->fpdu[0].wire_len;
      t.s.peer_pos = OBSERVER_BENCH_POS0 + 24;
      observer_bench_say_holed(&t, 1, from, to);
      observer_bench_say(&t, 0);
      observer_bench_finish(&t);
      const iwarp_observer_side *own = &t.info.side[1];
      ck_assert(own->gap);
      if (from < 20) {
        observer_bench_undec(&t, 1, 1, 0, from, IWARP_UNDEC_NO_BOUNDARY);
        observer_bench_event(&t, 2, 1, IWARP_EVENT_GAP, from, to - from);
        ck_assert(!own->has_startup);
      } else {
        const stream_rec *r = observer_bench_event(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 24);
        ck_assert_int_eq(r->err, IWARP_ERR_MPA_PD_LENGTH);
        ck_assert(!r->snapped);
        observer_bench_event(&t, 2, 1, IWARP_EVENT_GAP, from, to - from);
        ck_assert_uint_eq(own->full_pos, OBSERVER_BENCH_POS1 + 24);
      }
      /* what follows is found by the CRCs, at the latest after the FPDU that the gap hit */
      const stream_rec *last = NULL;
      for (size_t i = 0; i < t.log.num; i++) {
        last = t.log.recs[i].side == 1 && t.log.recs[i].kind == IWARP_EVENT_FPDU ? &t.log.recs[i]
                                                                                 : last;
      }
      ck_assert_ptr_nonnull(last);
      ck_assert_uint_eq(last->pos, OBSERVER_BENCH_POS1 + t.b[1]->fpdu[1].at);
      ck_assert_uint_eq(last->what, IWARP_CRC_GOOD);
      observer_bench_free(&t);
    }
  }
}
END_TEST

/* The snapshot length cut the packet of the frame, which ends with the packet, or elsewhere. */
START_TEST(a_frame_is_cut_by_the_snapshot_length)
{
  for (size_t to = 22; to < 27; to++) {
    observer_bench t = observer_bench_new();
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
    build_write(t.b[0], 30, 1);
    observer_bench_say_holed(&t, 0, 21, to);
    for (size_t i = 0; i < t.s.num; i++) {
      t.s.steps[i].reason = IWARP_GAP_SNAPLEN;
    }
    observer_bench_finish(&t);
    const stream_rec *r = observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 24);
    ck_assert_int_eq(r->err, IWARP_ERR_MPA_PD_LENGTH);
    ck_assert_int_eq(r->snapped, to == 24);
    observer_bench_free(&t);
  }
}
END_TEST

START_TEST(private_data_with_several_holes)
{
  observer_bench t = observer_bench_new();
  uint8_t pd[300] = {0};
  build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, 1, 300, pd, 300);
  t.s.peer_pos = OBSERVER_BENCH_POS1;
  script_lossy(&t.s, 0, build_span(t.b[0]), 64,
               (const script_hole[]){{40, 50}, {100, 101}, {310, 320}}, 3);
  t.sent[0] = 320;
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, 0);
  observer_bench_say(&t, 1);
  build_write(t.b[0], 30, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 320);
  observer_bench_event(&t, 1, 0, IWARP_EVENT_GAP, 40, 10);
  observer_bench_event(&t, 2, 0, IWARP_EVENT_GAP, 100, 1);
  observer_bench_event(&t, 3, 0, IWARP_EVENT_GAP, 310, 10);
  observer_bench_event(&t, 4, 1, IWARP_EVENT_STARTUP, 0, 24);
  ck_assert_uint_eq(observer_bench_fpdu(&t, 5, 0, 0)->offset, 0);
  observer_bench_free(&t);
  /* the end comes before the rest */
  t = observer_bench_new();
  build_startup(t.b[0], OBSERVER_BENCH_REQUEST, 0, 1, 300, pd, 100);
  observer_bench_say_holed(&t, 0, 40, 50);
  observer_bench_finish(&t);
  observer_bench_event(&t, 0, 0, IWARP_EVENT_STARTUP, 0, 320);
  observer_bench_event(&t, 2, 0, IWARP_EVENT_END, 120, 0);
  observer_bench_free(&t);
}
END_TEST

START_TEST(a_lost_reply)
{
  for (size_t to = 24; to < 60; to += 5) {
    observer_bench t = observer_bench_new();
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_C | IWARP_MPA_FLAG_M);
    observer_bench_say(&t, 0);
    observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, 0);
    t.b[1]->markers = true;
    build_write(t.b[1], 500, 1);
    build_write(t.b[1], 500, 1);
    build_write(t.b[1], 500, 1);
    observer_bench_say_holed(&t, 1, 0, to);
    observer_bench_finish(&t);
    observer_bench_event(&t, 1, 1, IWARP_EVENT_GAP, 0, to);
    ck_assert(!t.info.side[1].has_startup);
    const stream_rec *r = log_at(&t.log, IWARP_EVENT_FPDU, to == 24 ? 2 : 1);
    ck_assert_uint_eq(r->pos, OBSERVER_BENCH_POS1 + t.b[1]->fpdu[2].at + t.b[1]->fpdu[2].lead);
    ck_assert_uint_eq(r->sync, IWARP_SYNC_CRC);
    observer_bench_free(&t);
  }
}
END_TEST

START_TEST(a_short_gap_hides_no_frame)
{
  observer_bench t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  observer_bench_say(&t, 0);
  build_octets(t.b[1], "welcome to this port", 20);
  t.sent[0] = 0; /* sent before the Request came */
  observer_bench_say_holed(&t, 1, 5, 15);
  t.sent[0] = t.b[0]->len;
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, 0);
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  observer_bench_event(&t, 1, 1, IWARP_EVENT_STREAMING, 0, 5);
  observer_bench_event(&t, 2, 1, IWARP_EVENT_GAP, 5, 10);
  observer_bench_event(&t, 3, 1, IWARP_EVENT_STREAMING, 15, 5);
  observer_bench_event(&t, 4, 1, IWARP_EVENT_STARTUP, 20, 24);
  observer_bench_free(&t);
}
END_TEST

START_TEST(a_lost_request)
{
  observer_bench t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_C);
  observer_bench_say_holed(&t, 0, 0, 24);
  observer_bench_say(&t, 1);
  build_write(t.b[0], 30, 1);
  build_write(t.b[0], 30, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  observer_bench_event(&t, 0, 0, IWARP_EVENT_GAP, 0, 24);
  observer_bench_event(&t, 1, 1, IWARP_EVENT_STARTUP, 0, 24);
  ck_assert_uint_eq(observer_bench_fpdu(&t, 2, 0, 0)->sync, IWARP_SYNC_CRC);
  observer_bench_fpdu(&t, 3, 0, 1);
  observer_bench_free(&t);
}
END_TEST

START_TEST(a_responder_that_was_joined_late)
{
  observer_bench t = observer_bench_new();
  t.start.known[1] = false;
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_C);
  observer_bench_say(&t, 0);
  build_write(t.b[1], 30, 1);
  build_write(t.b[1], 30, 1);
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  observer_bench_fpdu(&t, 1, 1, 0);
  observer_bench_fpdu(&t, 2, 1, 1);
  ck_assert(!t.info.side[1].has_startup);
  observer_bench_free(&t);
}
END_TEST

START_TEST(a_responder_must_not_speak_first)
{
  observer_bench t = observer_bench_new();
  observer_bench_shake(&t, 0, 0);
  build_octets(t.b[1], "trailing octets of the Private Data", 35);
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  observer_bench_undec(&t, 2 + 1, 1, 24, 35, IWARP_UNDEC_NOT_FPDU);
  observer_bench_free(&t);
  /* but what looks like FPDUs is taken for some */
  t = observer_bench_new();
  observer_bench_shake(&t, 0, 0);
  build_write(t.b[1], 30, 1);
  observer_bench_say(&t, 1);
  observer_bench_finish(&t);
  observer_bench_fpdu(&t, 2, 1, 0);
  observer_bench_free(&t);
}
END_TEST

/* ---- rejected ---- */

START_TEST(after_a_reject_nothing_is_decoded)
{
  observer_bench t = observer_bench_new();
  observer_bench_shake(&t, 0, IWARP_MPA_FLAG_R);
  build_write(t.b[0], 100, 1);
  build_write(t.b[1], 100, 1);
  observer_bench_say(&t, 0);
  observer_bench_say_holed(&t, 1, 50, 60);
  observer_bench_finish(&t);
  ck_assert(t.info.rejected);
  observer_bench_undec(&t, 2, 1, 24, 26, IWARP_UNDEC_AFTER_REJECT);
  observer_bench_event(&t, 3, 1, IWARP_EVENT_GAP, 50, 10);
  observer_bench_undec(&t, 4, 0, 24, t.b[0]->len - 24, IWARP_UNDEC_AFTER_REJECT);
  observer_bench_event(&t, 5, 0, IWARP_EVENT_END, t.b[0]->len, 0);
  observer_bench_undec(&t, 6, 1, 60, t.b[1]->len - 60, IWARP_UNDEC_AFTER_REJECT);
  observer_bench_event(&t, 7, 1, IWARP_EVENT_END, t.b[1]->len, 0);
  observer_bench_free(&t);
  /* nor where the Request was lost */
  t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_R);
  observer_bench_say_holed(&t, 0, 0, 24);
  observer_bench_say(&t, 1);
  build_write(t.b[0], 100, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  observer_bench_undec(&t, 2, 0, 24, t.b[0]->len - 24, IWARP_UNDEC_AFTER_REJECT);
  observer_bench_free(&t);
  /* nor where an FPDU came too early, before the Reply */
  t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  build_write(t.b[0], 100, 1);
  observer_bench_say(&t, 0);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_R);
  observer_bench_say(&t, 1);
  build_write(t.b[0], 100, 1);
  observer_bench_say(&t, 0);
  observer_bench_finish(&t);
  observer_bench_fpdu(&t, 1, 0, 0);
  observer_bench_undec(&t, 3, 0, t.b[0]->fpdu[1].at, t.b[0]->fpdu[1].wire_len,
                       IWARP_UNDEC_AFTER_REJECT);
  observer_bench_free(&t);
  /* or where a gap hides the end of the frame */
  t = observer_bench_new();
  observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, 0);
  observer_bench_say(&t, 0);
  observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_R);
  build_write(t.b[1], 100, 1);
  observer_bench_say_holed(&t, 1, 22, 40);
  observer_bench_finish(&t);
  observer_bench_undec(&t, 4, 1, 40, t.b[1]->len - 40, IWARP_UNDEC_AFTER_REJECT);
  observer_bench_free(&t);
}
END_TEST

/* Returns begins_fpdu after the Initiator sends these octets after a Reject, in pieces of `piece`
 * octets. A gap of `missing` octets precedes the last `rest` of them. */
static iwarp_tristate begins_fpdu(const stream_build *b, size_t piece, size_t missing,
                                  size_t rest) {
  observer_bench t = observer_bench_new();
  observer_bench_shake(&t, 0, IWARP_MPA_FLAG_R);
  const size_t all = b->len - rest - missing;
  for (size_t at = 0; at < all; at += piece) {
    const size_t n = all - at < piece ? all - at : piece;
    build_octets(t.b[0], &b->octets[at], n);
    observer_bench_say(&t, 0);
  }
  if (missing > 0) {
    const size_t from = t.b[0]->len;
    build_octets(t.b[0], &b->octets[all], missing + rest);
    observer_bench_say_holed(&t, 0, from, from + missing);
  }
  observer_bench_finish(&t);
  const stream_rec *run = observer_bench_undec(&t, 2, 0, 24, all, IWARP_UNDEC_AFTER_REJECT);
  const iwarp_tristate found = (iwarp_tristate)run->flags;
  if (rest > 0) { /* what follows the gap begins nothing */
    run = observer_bench_undec(&t, 4, 0, 24 + all + missing, rest, IWARP_UNDEC_AFTER_REJECT);
    ck_assert_uint_eq(run->flags, IWARP_TRISTATE_UNKNOWN);
  }
  observer_bench_free(&t);
  return found;
}

START_TEST(an_fpdu_after_a_reject_is_known_whatever_its_length)
{
  static const size_t sizes[] = {0, 20, 505, 1400, 20000};
  for (unsigned k = 0; k < 2 * sizeof sizes / sizeof sizes[0]; k++) {
    stream_build *b = stream_build_new(k % 2 != 0, true);
    build_write(b, sizes[k / 2], 1);
    const size_t len = b->len;
    build_write(b, 100, 2);
    ck_assert_int_eq(begins_fpdu(b, 1 + b->len / 7, 0, 0), IWARP_TRISTATE_ON);
    ck_assert_int_eq(begins_fpdu(b, b->len, 0, 0), IWARP_TRISTATE_ON);
    b->octets[len - 1] ^= 1;
    ck_assert_int_eq(begins_fpdu(b, b->len, 0, 0), IWARP_TRISTATE_OFF);
    stream_build_free(b);
  }
}
END_TEST

START_TEST(octets_after_a_reject_that_are_no_fpdu)
{
  stream_build *b = stream_build_new(false, true);
  build_write(b, 100, 1);
  const size_t len = b->len;
  ck_assert_int_eq(begins_fpdu(b, 1, 0, 0), IWARP_TRISTATE_ON);
  ck_assert_int_eq(begins_fpdu(b, len, 4, 20), IWARP_TRISTATE_UNKNOWN);
  ck_assert_int_eq(begins_fpdu(b, len, len - 1, 0), IWARP_TRISTATE_UNKNOWN);
  b->len--;
  ck_assert_int_eq(begins_fpdu(b, len, 0, 0), IWARP_TRISTATE_OFF);
  stream_build_free(b);
  /* a right CRC, but no room for a DDP header */
  static const uint8_t small[] = {0, 2, 0x41, 0x43};
  b = stream_build_new(false, true);
  build_octets(b, small, sizeof small);
  const uint32_t crc = iwarp_crc32c(0, small, sizeof small);
  const uint8_t field[] = {(uint8_t)crc, (uint8_t)(crc >> 8), (uint8_t)(crc >> 16),
                           (uint8_t)(crc >> 24)};
  build_octets(b, field, sizeof field);
  ck_assert_int_eq(begins_fpdu(b, b->len, 0, 0), IWARP_TRISTATE_OFF);
  stream_build_free(b);
}
END_TEST

/*
 * FPDUs that were sent before the Reply was received; a gap lies in the last of them, or hides its
 * beginning.
 */
START_TEST(what_crosses_a_reject_is_decoded)
{
  for (size_t k = 0; k < 2; k++) {
    observer_bench t = observer_bench_new();
    observer_bench_frame(&t, 0, OBSERVER_BENCH_REQUEST, IWARP_MPA_FLAG_C);
    build_write(t.b[0], 100, 1);
    observer_bench_say(&t, 0);
    observer_bench_frame(&t, 1, OBSERVER_BENCH_REPLY, IWARP_MPA_FLAG_R);
    observer_bench_say(&t, 1);
    t.sent[1] = 0;
    build_write(t.b[0], 100, 1);
    observer_bench_say(&t, 0);
    const build_fpdu cut = *build_write(t.b[0], 100, 1);
    const build_fpdu next = *build_write(t.b[0], 100, 1);
    const size_t from = k == 0 ? cut.at + 50 : cut.at;
    const size_t to = cut.at + 60;
    observer_bench_say_holed(&t, 0, from, to);
    t.s.steps[t.s.num - 1].meta.peer_pos = OBSERVER_BENCH_POS1 + 24; /* it has the Reply now */
    observer_bench_finish(&t);
    ck_assert(t.info.rejected);
    observer_bench_fpdu(&t, 1, 0, 0);
    observer_bench_fpdu(&t, 3, 0, 1);
    if (k == 0) {
      ck_assert(!observer_bench_fpdu(&t, 4, 0, 2)->complete);
      observer_bench_event(&t, 5, 0, IWARP_EVENT_GAP, from, to - from);
    } else {
      observer_bench_event(&t, 4, 0, IWARP_EVENT_GAP, from, to - from);
      observer_bench_undec(&t, 5, 0, to, next.at - to, IWARP_UNDEC_NO_BOUNDARY);
    }
    observer_bench_undec(&t, 6, 0, next.at, next.wire_len, IWARP_UNDEC_AFTER_REJECT);
    observer_bench_free(&t);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {streaming_data_goes_before,
                                a_key_in_a_text_is_no_frame,
                                gaps_in_streaming_data,
                                streaming_data_may_cross_a_request,
                                two_requests,
                                two_replies,
                                two_replies_that_lead_no_stream,
                                zeros_before_the_reply,
                                a_reply_without_a_request,
                                a_wrong_key_where_a_reply_is_due,
                                a_wrong_key_where_a_request_is_due,
                                too_few_octets_where_a_reply_is_due,
                                a_key_that_may_begin_in_a_wrong_one,
                                a_frame_is_cut_by_the_end,
                                a_frame_is_cut_by_a_gap,
                                a_frame_is_cut_by_the_snapshot_length,
                                private_data_with_several_holes,
                                a_lost_reply,
                                a_short_gap_hides_no_frame,
                                a_lost_request,
                                a_responder_that_was_joined_late,
                                a_responder_must_not_speak_first,
                                after_a_reject_nothing_is_decoded,
                                an_fpdu_after_a_reject_is_known_whatever_its_length,
                                octets_after_a_reject_that_are_no_fpdu,
                                what_crosses_a_reject_is_decoded,
                                NULL};
  return check_run(check_suite("stream-observer-startup", tests));
}
