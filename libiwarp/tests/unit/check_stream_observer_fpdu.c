/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs that an observer hands out without an event. run_conn checks in every other test of the
 * observer that they equal the FPDUs of the events. */
#include <stdlib.h>
#include <string.h>

#include <iwarp/crc32c.h>
#include <iwarp/observer.h>

#include "check_run.h"
#include "stream_build.h"

#define SHOWN_POS UINT64_C(0xFFFFFF00)

static const iwarp_meta meta = {.packet = 3, .peer_pos = IWARP_POS_UNKNOWN, .segment_start = true};

/* An observer whose sides have sent a startup frame and an FPDU each. */
typedef struct shown {
  stream_build *b[2];
  size_t sent[2];
  iwarp_observer *conn;
  void *mem;
  iwarp_observer_fpdu f;
} shown;

/* How many events there are before END. */
static size_t shown_events(shown *t) {
  iwarp_event ev;
  size_t n = 0;
  while (iwarp_observer_next_event(t->conn, &ev) == IWARP_OK) {
    n++;
  }
  return n;
}

/* Pushes what was built for the side and not pushed yet. */
static void shown_push(shown *t, uint8_t side) {
  const stream_build *b = t->b[side];
  ck_assert_int_eq(
      iwarp_observer_push(t->conn, side,
                          (iwarp_span){&b->octets[t->sent[side]], b->len - t->sent[side]}, &meta),
      IWARP_OK);
  t->sent[side] = b->len;
}

static iwarp_err shown_next(shown *t) {
  return iwarp_observer_next_fpdu(t->conn, &t->f);
}

static shown shown_new(uint8_t flags) {
  const iwarp_observer_cfg cfg = {.size = sizeof cfg};
  const bool crc = (flags & IWARP_MPA_FLAG_C) != 0;
  shown t = {.b = {stream_build_new(false, crc), stream_build_new(false, crc)},
             .mem = malloc(iwarp_observer_size(&cfg))};
  ck_assert_int_eq(iwarp_observer_init(&t.conn, t.mem, iwarp_observer_size(&cfg), &cfg), IWARP_OK);
  for (uint8_t side = 0; side < 2; side++) {
    ck_assert_int_eq(iwarp_observer_start(t.conn, side, SHOWN_POS, true, SHOWN_POS), IWARP_OK);
  }
  build_startup(t.b[0], "MPA ID Req Frame", flags, 1, 0, "", 0);
  build_startup(t.b[1], "MPA ID Rep Frame", flags, 1, 0, "", 0);
  for (uint8_t side = 0; side < 2; side++) {
    shown_push(&t, side);
    ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
    ck_assert_uint_eq(shown_events(&t), 1);
  }
  return t;
}

/* The first FPDU of a side, which has an event. */
static void shown_begin(shown *t, uint8_t side) {
  build_write(t->b[side], 20, 1);
  shown_push(t, side);
  ck_assert_int_eq(shown_next(t), IWARP_ERR_STATE);
  ck_assert_uint_eq(shown_events(t), 1);
}

static shown shown_full(void) {
  shown t = shown_new(IWARP_MPA_FLAG_C);
  shown_begin(&t, 0);
  return t;
}

static void shown_free(shown *t) {
  free(t->mem);
  stream_build_free(t->b[0]);
  stream_build_free(t->b[1]);
}

static void same_header(const iwarp_observer_fpdu *f) {
  iwarp_rdmap_seg seg;
  iwarp_rdmap_seg_decode(&seg, (iwarp_span){f->wire.ptr + 2, f->ulpdu_length}, f->ulpdu_length);
  ck_assert_uint_eq(f->ddp.tagged, seg.ddp.tagged);
  ck_assert_uint_eq(f->ddp.last, seg.ddp.last);
  ck_assert_uint_eq(f->ddp.dv, seg.ddp.dv);
  ck_assert_uint_eq(f->ddp.rsvd, seg.ddp.rsvd);
  ck_assert_uint_eq(f->ddp.rsvdulp, seg.ddp.rsvdulp);
  ck_assert_uint_eq(f->ddp.rsvdulp_word, seg.ddp.rsvdulp_word);
  ck_assert_uint_eq(f->ddp.stag, seg.ddp.stag);
  ck_assert_uint_eq(f->ddp.to, seg.ddp.to);
  ck_assert_uint_eq(f->ddp.qn, seg.ddp.qn);
  ck_assert_uint_eq(f->ddp.msn, seg.ddp.msn);
  ck_assert_uint_eq(f->ddp.mo, seg.ddp.mo);
  ck_assert_uint_eq(f->opcode, seg.ctrl.opcode);
  ck_assert_uint_eq(f->payload_len, seg.payload_len);
}

START_TEST(an_fpdu_is_shown_and_taken)
{
  shown t = shown_full();
  const size_t from = t.sent[0];
  build_write(t.b[0], 21, 7);
  build_send(t.b[0], 10, 2);
  shown_push(&t, 0);
  for (int again = 0; again < 2; again++) { /* it stays the next one */
    ck_assert_int_eq(shown_next(&t), IWARP_OK);
    ck_assert_ptr_eq(t.f.wire.ptr, &t.b[0]->octets[from]);
    ck_assert_uint_eq(t.f.ulpdu_length, IWARP_DDP_TAGGED_LEN + 21);
    ck_assert_uint_eq(t.f.pad, 3);
    ck_assert_uint_eq(t.f.pos, SHOWN_POS + from);
    ck_assert_uint_eq(t.f.offset, from - IWARP_MPA_STARTUP_LEN);
    ck_assert(t.f.meta.segment_start);
    ck_assert_uint_eq(t.f.meta.packet, 3);
    same_header(&t.f);
  }
  ck_assert(iwarp_observer_take_fpdu(t.conn, &t.f));
  ck_assert(!iwarp_observer_take_fpdu(t.conn, &t.f)); /* it is not the next one any more */
  ck_assert_int_eq(shown_next(&t), IWARP_OK);
  ck_assert(!t.f.meta.segment_start);
  same_header(&t.f);
  ck_assert_int_eq(iwarp_observer_push(t.conn, 1, t.f.wire, &meta), IWARP_ERR_STATE);
  ck_assert(iwarp_observer_take_fpdu(t.conn, &t.f));
  ck_assert_uint_eq(iwarp_observer_info_get(t.conn)->side[0].num_fpdus, 3);
  shown_push(&t, 0); /* nothing is left of the push before */
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_observer_push(t.conn, 1, (iwarp_span){NULL, 0}, &meta), IWARP_OK);
  shown_free(&t);
}
END_TEST

/* What was built for the side and not pushed. */
static iwarp_span shown_ahead(const shown *t, uint8_t side) {
  return (iwarp_span){&t->b[side]->octets[t->sent[side]], t->b[side]->len - t->sent[side]};
}

START_TEST(octets_that_are_not_pushed_are_shown_and_taken)
{
  shown t = shown_full();
  t.f.meta = meta;
  build_write(t.b[0], 10, 1);
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, shown_ahead(&t, 0), &t.f), IWARP_ERR_STATE);
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_OK); /* from here on FPDUs are known by their place */
  ck_assert(iwarp_observer_take_fpdu(t.conn, &t.f));

  const size_t from = t.sent[0];
  build_write(t.b[0], 21, 7);
  const size_t len = t.b[0]->len - from;
  build_send(t.b[0], 10, 2);
  iwarp_span in = shown_ahead(&t, 0);
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, in, &t.f), IWARP_OK);
  ck_assert_ptr_eq(t.f.wire.ptr, in.ptr);
  ck_assert_uint_eq(t.f.wire.len, len);
  ck_assert_uint_eq(t.f.pos, SHOWN_POS + from);
  ck_assert_uint_eq(t.f.meta.packet, 3);
  same_header(&t.f);
  ck_assert(iwarp_observer_take_fpdu(t.conn, &t.f));
  ck_assert(!iwarp_observer_take_fpdu(t.conn, &t.f));
  ck_assert_uint_eq(iwarp_observer_info_get(t.conn)->side[0].num_fpdus, 3);

  t.sent[0] += len; /* the rest is pushed */
  shown_push(&t, 0);
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, in, &t.f), IWARP_ERR_STATE);
  ck_assert_int_eq(shown_next(&t), IWARP_OK);
  ck_assert_uint_eq(t.f.pos, SHOWN_POS + from + len);
  ck_assert_uint_eq(shown_events(&t), 1);
  ck_assert_uint_eq(iwarp_observer_info_get(t.conn)->side[0].num_fpdus, 4);
  shown_free(&t);
}
END_TEST

START_TEST(octets_are_not_shown_that_have_to_be_pushed)
{
  shown t = shown_full();
  build_write(t.b[0], 10, 1);
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_OK);
  ck_assert(iwarp_observer_take_fpdu(t.conn, &t.f));
  build_write(t.b[0], 10, 1);
  t.b[0]->octets[t.sent[0] + 20] ^= 1;
  const iwarp_span in = shown_ahead(&t, 0);
  ck_assert_int_eq(iwarp_observer_peek_fpdu(NULL, 0, in, &t.f), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, in, NULL), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 2, in, &t.f), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 1, in, &t.f), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, (iwarp_span){in.ptr, 0}, &t.f),
                   IWARP_ERR_END);
  for (size_t len = 1; len < in.len; len++) { /* not all of it */
    ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, (iwarp_span){in.ptr, len}, &t.f),
                     IWARP_ERR_STATE);
  }
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, in, &t.f), IWARP_OK);
  ck_assert(!iwarp_observer_take_fpdu(t.conn, &t.f)); /* its CRC is wrong */
  iwarp_observer_fpdu other = t.f;
  other.side = 2;
  ck_assert(!iwarp_observer_take_fpdu(t.conn, &other));
  shown_push(&t, 0);
  other = t.f;
  other.wire.ptr++; /* none of those that were pushed */
  ck_assert(!iwarp_observer_take_fpdu(t.conn, &other));
  ck_assert_uint_eq(shown_events(&t), 1);
  build_write(t.b[0], 10, 1); /* where it begins rests on a length that may be wrong */
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, shown_ahead(&t, 0), &t.f), IWARP_ERR_STATE);
  shown_free(&t);
}
END_TEST

START_TEST(an_fpdu_that_is_too_long_is_not_shown)
{
  shown t = shown_full();
  build_write(t.b[0], 10, 1);
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_OK);
  ck_assert(iwarp_observer_take_fpdu(t.conn, &t.f));
  uint8_t octets[9000] = {0x20, 0, 0xc1, 0x40}; /* a Write of more than max_ulpdu */
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, (iwarp_span){octets, sizeof octets}, &t.f),
                   IWARP_ERR_STATE);
  octets[0] = 2;
  ck_assert_int_eq(iwarp_observer_peek_fpdu(t.conn, 0, (iwarp_span){octets, sizeof octets}, &t.f),
                   IWARP_OK);
  shown_free(&t);
}
END_TEST

START_TEST(what_needs_an_event_is_not_taken)
{
  shown t = shown_full();
  const size_t bad = t.sent[0];
  build_write(t.b[0], 10, 1);
  build_read_request(t.b[0]);
  t.b[0]->octets[bad + 20] ^= 1;
  ck_assert_int_eq(iwarp_observer_next_fpdu(NULL, &t.f), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarp_observer_next_fpdu(t.conn, NULL), IWARP_ERR_ARG);
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_OK);
  ck_assert(!iwarp_observer_take_fpdu(NULL, &t.f));
  ck_assert(!iwarp_observer_take_fpdu(t.conn, NULL));
  ck_assert(!iwarp_observer_take_fpdu(t.conn, &t.f)); /* its CRC is wrong */
  iwarp_event ev;
  ck_assert_int_eq(iwarp_observer_next_event(t.conn, &ev), IWARP_OK);
  ck_assert_int_eq(ev.u.fpdu.crc, IWARP_CRC_BAD);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
  ck_assert_uint_eq(shown_events(&t), 1);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_END);
  shown_free(&t);
}
END_TEST

/* An FPDU that had its event is not taken as well. Nor does it match a later FPDU at the same
 * place, or an FPDU of the other side. */
START_TEST(an_fpdu_with_an_event_is_not_taken)
{
  shown t = shown_full();
  const size_t from = t.sent[0];
  build_write(t.b[0], 10, 1);
  const size_t len = t.b[0]->len - from;
  build_write(t.b[0], 10, 1);
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_OK);
  const iwarp_observer_fpdu before = t.f;
  iwarp_event ev;
  ck_assert_int_eq(iwarp_observer_next_event(t.conn, &ev), IWARP_OK);
  ck_assert(!iwarp_observer_take_fpdu(t.conn, &before));
  ck_assert_int_eq(shown_next(&t), IWARP_OK);
  ck_assert_uint_eq(t.f.pos, SHOWN_POS + from + len);
  ck_assert_uint_eq(shown_events(&t), 1);

  const iwarp_span part = {before.wire.ptr, len - 1};
  ck_assert_int_eq(iwarp_observer_push(t.conn, 0, part, &meta), IWARP_OK);
  ck_assert(!iwarp_observer_take_fpdu(t.conn, &before));
  ck_assert_uint_eq(shown_events(&t), 0);
  ck_assert_uint_eq(iwarp_observer_info_get(t.conn)->side[0].num_fpdus, 3);

  shown_begin(&t, 1);
  build_write(t.b[1], 10, 1); /* at the same position of the other stream */
  shown_push(&t, 1);
  ck_assert(!iwarp_observer_take_fpdu(t.conn, &before));
  ck_assert_uint_eq(shown_events(&t), 1);
  shown_free(&t);
}
END_TEST

START_TEST(a_gap_and_an_end_need_their_events)
{
  shown t = shown_full();
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_END);
  ck_assert_int_eq(iwarp_observer_gap(t.conn, 0, 10, IWARP_GAP_LOST, &meta), IWARP_OK);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
  ck_assert_uint_eq(shown_events(&t), 1);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE); /* no boundary is known */
  shown_free(&t);

  t = shown_full();
  ck_assert_int_eq(iwarp_observer_eof(t.conn, 0, IWARP_END_FIN, &meta), IWARP_OK);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
  ck_assert_uint_eq(shown_events(&t), 1);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
  shown_free(&t);
}
END_TEST

START_TEST(an_fpdu_in_pieces_has_an_event)
{
  shown t = shown_full();
  const size_t from = t.sent[0];
  build_write(t.b[0], 10, 1);
  const size_t len = t.b[0]->len;
  t.b[0]->len = from + 6;
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
  ck_assert_uint_eq(shown_events(&t), 0);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE); /* six octets wait */
  t.b[0]->len = len;
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
  ck_assert_uint_eq(shown_events(&t), 1);
  shown_free(&t);
}
END_TEST

/* Its place alone proves it: the octets of its CRC field mean nothing. */
START_TEST(an_fpdu_is_taken_without_crcs)
{
  shown t = shown_new(0);
  shown_begin(&t, 0);
  build_write(t.b[0], 10, 1);
  t.b[0]->octets[t.b[0]->len - 1] ^= 1;
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_OK);
  ck_assert(iwarp_observer_take_fpdu(t.conn, &t.f));
  ck_assert_uint_eq(iwarp_observer_info_get(t.conn)->side[0].num_fpdus, 2);
  ck_assert_uint_eq(shown_events(&t), 0);
  shown_free(&t);
}
END_TEST

START_TEST(nothing_is_shown_that_may_follow_a_reject)
{
  const iwarp_observer_cfg cfg = {.size = sizeof cfg, .crc = IWARP_TRISTATE_ON};
  shown t = {.b = {stream_build_new(false, true), stream_build_new(false, true)},
             .mem = malloc(iwarp_observer_size(&cfg))};
  ck_assert_int_eq(iwarp_observer_init(&t.conn, t.mem, iwarp_observer_size(&cfg), &cfg), IWARP_OK);
  for (uint8_t side = 0; side < 2; side++) {
    ck_assert_int_eq(iwarp_observer_start(t.conn, side, SHOWN_POS, true, SHOWN_POS), IWARP_OK);
  }
  build_startup(t.b[0], "MPA ID Req Frame", IWARP_MPA_FLAG_C, 1, 0, "", 0);
  for (unsigned i = 0; i < 2; i++) { /* sent before the Reply */
    build_write(t.b[0], 20, 1);
  }
  shown_push(&t, 0);
  ck_assert_uint_eq(shown_events(&t), 3);
  build_startup(t.b[1], "MPA ID Rep Frame", IWARP_MPA_FLAG_C | IWARP_MPA_FLAG_R, 1, 0, "", 0);
  shown_push(&t, 1);
  ck_assert_uint_eq(shown_events(&t), 1);
  build_write(t.b[0], 20, 1);
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
  (void)shown_events(&t);
  shown_free(&t);
}
END_TEST

/* After a gap the boundary is found by CRCs. */
START_TEST(nothing_is_shown_without_a_chain_from_the_startup)
{
  shown t = shown_full();
  ck_assert_int_eq(iwarp_observer_gap(t.conn, 0, 4, IWARP_GAP_LOST, &meta), IWARP_OK);
  (void)shown_events(&t);
  for (size_t i = 0; i < 3 * (size_t)IWARP_MPA_FPDU_WIRE_MAX / 1000; i++) {
    build_write(t.b[0], 1000, 1);
    shown_push(&t, 0);
    ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
    (void)shown_events(&t);
  }
  shown_free(&t);
}
END_TEST

/* How many of the last octets built for side 0, from `from` on, are reported as wrong. */
static size_t shown_wrong(const shown *t, size_t from) {
  return iwarp_observer_wrong(t->conn, 0,
                              (iwarp_span){&t->b[0]->octets[from], t->b[0]->len - from});
}

START_TEST(fpdus_with_a_wrong_crc_are_known_before_they_are_pushed)
{
  shown t = shown_full();
  const size_t at = t.b[0]->len;
  build_write(t.b[0], 20, 1);
  ck_assert_uint_eq(shown_wrong(&t, at), 0);
  const size_t second = t.b[0]->len;
  build_write(t.b[0], 20, 1);
  t.b[0]->octets[second + 20] ^= 1;
  ck_assert_uint_eq(shown_wrong(&t, at), t.b[0]->len - second);
  ck_assert_uint_eq(iwarp_observer_wrong(NULL, 0, (iwarp_span){t.b[0]->octets, 4}), 0);
  ck_assert_uint_eq(iwarp_observer_wrong(t.conn, 2, (iwarp_span){t.b[0]->octets, 4}), 0);
  t.b[0]->len -= 4; /* nor is one that is not whole */
  ck_assert_uint_eq(shown_wrong(&t, at), 0);
  shown_free(&t);
}
END_TEST

START_TEST(an_fpdu_whose_beginning_was_pushed_is_wrong_at_its_end)
{
  for (size_t cut = 1; cut < 24; cut++) {
    shown t = shown_full();
    const size_t at = t.b[0]->len;
    build_write(t.b[0], 20, 1);
    const size_t len = t.b[0]->len;
    t.b[0]->len = at + cut;
    shown_push(&t, 0);
    (void)shown_events(&t);
    t.b[0]->len = len;
    ck_assert_uint_eq(shown_wrong(&t, at + cut), 0);
    t.b[0]->octets[len - 1] ^= 1;
    ck_assert_uint_eq(shown_wrong(&t, at + cut), len - at - cut);
    shown_free(&t);
  }
}
END_TEST

/* A Responder that asks for Markers gets them, and sends none. */
START_TEST(fpdus_with_markers_are_known_from_the_first_on)
{
  const iwarp_observer_cfg cfg = {.size = sizeof cfg};
  shown t = {.b = {stream_build_new(true, true), stream_build_new(false, true)},
             .mem = malloc(iwarp_observer_size(&cfg))};
  ck_assert_int_eq(iwarp_observer_init(&t.conn, t.mem, iwarp_observer_size(&cfg), &cfg), IWARP_OK);
  for (uint8_t side = 0; side < 2; side++) {
    ck_assert_int_eq(iwarp_observer_start(t.conn, side, SHOWN_POS, true, SHOWN_POS), IWARP_OK);
  }
  build_startup(t.b[0], "MPA ID Req Frame", IWARP_MPA_FLAG_C, 1, 0, "", 0);
  build_startup(t.b[1], "MPA ID Rep Frame", IWARP_MPA_FLAG_C | IWARP_MPA_FLAG_M, 1, 0, "", 0);
  for (uint8_t side = 0; side < 2; side++) {
    shown_push(&t, side);
    ck_assert_uint_eq(shown_events(&t), 1);
  }
  for (uint8_t n = 0; n < 5; n++) { /* Markers stand in each */
    const size_t at = t.b[0]->len;
    build_write(t.b[0], 700, n);
    ck_assert_uint_eq(shown_wrong(&t, at), 0);
    t.b[0]->octets[at + 600] ^= 1;
    ck_assert_uint_eq(shown_wrong(&t, at), t.b[0]->len - at);
    t.b[0]->octets[at + 600] ^= 1;
    shown_push(&t, 0);
    ck_assert_uint_eq(shown_events(&t), 1);
  }
  shown_free(&t);
}
END_TEST

/* Builds an FPDU with a wrong CRC for side 0, and returns where it begins. */
static size_t shown_build_wrong(const shown *t) {
  const size_t at = t->b[0]->len;
  build_write(t->b[0], 20, 1);
  t->b[0]->octets[t->b[0]->len - 1] ^= 1;
  return at;
}

START_TEST(nothing_is_known_to_be_wrong_without_crcs)
{
  shown t = shown_new(0);
  ck_assert_uint_eq(shown_wrong(&t, shown_build_wrong(&t)), 0);
  shown_free(&t);
}
END_TEST

START_TEST(the_first_fpdu_is_known_to_be_wrong)
{
  shown t = shown_new(IWARP_MPA_FLAG_C);
  const size_t at = shown_build_wrong(&t);
  ck_assert_uint_eq(shown_wrong(&t, at), t.b[0]->len - at);
  shown_free(&t);
}
END_TEST

/* No octet of ULPDU_Length, and one of the two. */
START_TEST(an_fpdu_of_unknown_length_is_not_known_to_be_wrong)
{
  shown t = shown_full();
  const size_t at = shown_build_wrong(&t);
  const uint8_t *octets = &t.b[0]->octets[at];
  ck_assert_uint_eq(iwarp_observer_wrong(t.conn, 0, (iwarp_span){octets, 0}), 0);
  ck_assert_uint_eq(iwarp_observer_wrong(t.conn, 0, (iwarp_span){octets, 1}), 0);
  shown_free(&t);
}
END_TEST

/* The Reply decides whether the initiator sends Markers. */
START_TEST(nothing_is_known_to_be_wrong_before_markers_are)
{
  const iwarp_observer_cfg cfg = {.size = sizeof cfg};
  shown t = {.b = {stream_build_new(false, true), stream_build_new(false, true)},
             .mem = malloc(iwarp_observer_size(&cfg))};
  ck_assert_int_eq(iwarp_observer_init(&t.conn, t.mem, iwarp_observer_size(&cfg), &cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_start(t.conn, 0, SHOWN_POS, true, SHOWN_POS), IWARP_OK);
  build_startup(t.b[0], "MPA ID Req Frame", IWARP_MPA_FLAG_C, 1, 0, "", 0);
  shown_push(&t, 0);
  ck_assert_uint_eq(shown_events(&t), 1);
  ck_assert_uint_eq(shown_wrong(&t, shown_build_wrong(&t)), 0);
  shown_free(&t);
}
END_TEST

START_TEST(nothing_is_known_to_be_wrong_before_all_events_are_taken)
{
  shown t = shown_full();
  iwarp_event ev;
  build_write(t.b[0], 20, 1);
  shown_push(&t, 0);
  const size_t at = shown_build_wrong(&t);
  ck_assert_uint_eq(shown_wrong(&t, at), 0);
  ck_assert_int_eq(iwarp_observer_next_event(t.conn, &ev), IWARP_OK);
  ck_assert_uint_eq(shown_wrong(&t, at), 0);
  ck_assert_int_eq(iwarp_observer_next_event(t.conn, &ev), IWARP_ERR_END);
  ck_assert_uint_eq(shown_wrong(&t, at), t.b[0]->len - at);
  shown_free(&t);
}
END_TEST

START_TEST(the_rest_of_an_fpdu_with_missing_octets_is_not_known_to_be_wrong)
{
  shown t = shown_full();
  const size_t at = shown_build_wrong(&t);
  const size_t len = t.b[0]->len;
  t.b[0]->len = at + 24; /* headers, and four octets of payload */
  shown_push(&t, 0);
  ck_assert_uint_eq(shown_events(&t), 0);
  ck_assert_int_eq(iwarp_observer_gap(t.conn, 0, 4, IWARP_GAP_LOST, &meta), IWARP_OK);
  (void)shown_events(&t);
  t.b[0]->len = len;
  ck_assert_uint_eq(shown_wrong(&t, at + 28), 0);
  shown_free(&t);
}
END_TEST

/* The Responder seems to send no CRCs. The initiator, whose Request was not seen, sends them: C of
 * one startup frame binds both, so the CRCs of the Responder are wrong. */
START_TEST(nothing_is_shown_where_only_the_other_side_sends_crcs)
{
  const iwarp_observer_cfg cfg = {.size = sizeof cfg};
  shown t = {.b = {stream_build_new(false, true), stream_build_new(false, true)},
             .mem = malloc(iwarp_observer_size(&cfg))};
  ck_assert_int_eq(iwarp_observer_init(&t.conn, t.mem, iwarp_observer_size(&cfg), &cfg), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_start(t.conn, 0, SHOWN_POS, true, SHOWN_POS), IWARP_OK);
  ck_assert_int_eq(iwarp_observer_start(t.conn, 1, SHOWN_POS, false, SHOWN_POS), IWARP_OK);
  build_startup(t.b[0], "MPA ID Rep Frame", 0, 1, 0, "", 0);
  shown_push(&t, 0);
  ck_assert_uint_eq(shown_events(&t), 1);
  build_write(t.b[1], 20, 1);
  const size_t whole = t.b[1]->len;
  t.b[1]->len = whole - 1; /* begun before an FPDU of the Responder */
  shown_push(&t, 1);
  ck_assert_uint_eq(shown_events(&t), 0);
  (void)shown_build_wrong(&t);
  shown_push(&t, 0);
  ck_assert_uint_eq(shown_events(&t), 1);
  ck_assert_int_eq(iwarp_observer_info_get(t.conn)->crc, IWARP_TRISTATE_OFF);
  t.b[1]->len = whole;
  for (size_t i = 0; i < 3 * (size_t)IWARP_MPA_FPDU_WIRE_MAX / 1000; i++) {
    build_write(t.b[1], 1000, 1);
    shown_push(&t, 1);
    (void)shown_events(&t);
  }
  ck_assert_int_eq(iwarp_observer_info_get(t.conn)->crc, IWARP_TRISTATE_ON);
  (void)shown_build_wrong(&t);
  shown_push(&t, 0);
  ck_assert_int_eq(shown_next(&t), IWARP_ERR_STATE);
  ck_assert_uint_eq(shown_events(&t), 1);
  shown_free(&t);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {fpdus_with_a_wrong_crc_are_known_before_they_are_pushed,
                                an_fpdu_whose_beginning_was_pushed_is_wrong_at_its_end,
                                fpdus_with_markers_are_known_from_the_first_on,
                                nothing_is_known_to_be_wrong_without_crcs,
                                the_first_fpdu_is_known_to_be_wrong,
                                an_fpdu_of_unknown_length_is_not_known_to_be_wrong,
                                nothing_is_known_to_be_wrong_before_markers_are,
                                nothing_is_known_to_be_wrong_before_all_events_are_taken,
                                the_rest_of_an_fpdu_with_missing_octets_is_not_known_to_be_wrong,
                                an_fpdu_is_shown_and_taken,
                                octets_that_are_not_pushed_are_shown_and_taken,
                                octets_are_not_shown_that_have_to_be_pushed,
                                an_fpdu_that_is_too_long_is_not_shown,
                                what_needs_an_event_is_not_taken,
                                an_fpdu_with_an_event_is_not_taken,
                                a_gap_and_an_end_need_their_events,
                                an_fpdu_in_pieces_has_an_event,
                                an_fpdu_is_taken_without_crcs,
                                nothing_is_shown_that_may_follow_a_reject,
                                nothing_is_shown_without_a_chain_from_the_startup,
                                nothing_is_shown_where_only_the_other_side_sends_crcs,
                                NULL};
  return check_run(check_suite("stream-observer-fpdu", tests));
}
