/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a Terminate stands in the traffic of a connection. */
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "observer/term_place.h"

#define UNKNOWN IWARP_RDMAP_TERM_PLACE_UNKNOWN
#define STARTUP IWARP_RDMAP_TERM_PLACE_STARTUP
#define FULL IWARP_RDMAP_TERM_PLACE_FULL
#define OP(name) IWARP_RDMAP_OP_##name

static iwarp_observer_info info;
static bool opens[2];

/* Both startup frames were seen: side 0 is the Initiator, of the peer-to-peer model. */
static void begin(void) {
  memset(&info, 0, sizeof info);
  opens[0] = opens[1] = true;
  for (int side = 0; side < 2; side++) {
    info.side[side].has_startup = true;
    info.side[side].is_reply = side == 1;
    info.side[side].enhanced = true;
    info.side[side].enh.a = true;
  }
}

static iwarp_rdmap_term_place note(uint8_t side, iwarp_rdmap_seg seg, bool silent) {
  iwarp_event ev = {.kind = IWARP_EVENT_FPDU, .side = side};
  ev.u.fpdu.seg = seg;
  iwarpi_term_place_note(&ev, &info, silent, opens);
  info.side[side].num_fpdus++;
  return ev.u.fpdu.term_place;
}

static iwarp_rdmap_seg segment(uint8_t opcode, size_t len) {
  return (iwarp_rdmap_seg){
      .has_ddp = true, .ctrl = {.rv = IWARP_RDMAP_VERSION, .opcode = opcode}, .payload_len = len};
}

static iwarp_rdmap_seg other_version(void) {
  iwarp_rdmap_seg seg = segment(OP(SEND), 0);
  seg.ctrl.rv = 0;
  return seg;
}

static iwarp_rdmap_seg read_request(uint32_t size) {
  iwarp_rdmap_seg seg = segment(OP(READ_REQ), IWARP_RDMAP_READ_REQ_LEN);
  seg.kind = IWARP_RDMAP_KIND_READ_REQ;
  seg.u.read_req.size = size;
  return seg;
}

static iwarp_rdmap_seg terminate(void) {
  iwarp_rdmap_seg seg = segment(OP(TERMINATE), 4);
  seg.kind = IWARP_RDMAP_KIND_TERM;
  return seg;
}

/* The place of a Terminate of `side` after one segment of the other side. */
static iwarp_rdmap_term_place after(uint8_t side, iwarp_rdmap_seg seg) {
  ck_assert_int_eq(note((uint8_t)(1 - side), seg, true),
                   seg.kind == IWARP_RDMAP_KIND_TERM ? STARTUP : UNKNOWN);
  return note(side, terminate(), false);
}

static iwarp_rdmap_term_place after_first(iwarp_rdmap_seg seg) {
  begin();
  return after(1, seg);
}

START_TEST(one_segment_that_no_startup_has)
{
  ck_assert_int_eq(after_first(segment(OP(SEND), 1)), FULL);
  ck_assert_int_eq(after_first(segment(OP(WRITE), 1)), FULL);
  ck_assert_int_eq(after_first(read_request(1)), FULL);
  ck_assert_int_eq(after_first(segment(OP(IMMEDIATE), 0)), FULL);
  ck_assert_int_eq(after_first(segment(15, 0)), FULL);
  ck_assert_int_eq(after_first(other_version()), FULL);
}
END_TEST

START_TEST(one_segment_that_may_be_an_rtr_frame_or_is_a_terminate)
{
  ck_assert_int_eq(after_first(segment(OP(SEND), 0)), UNKNOWN);
  ck_assert_int_eq(after_first(segment(OP(WRITE), 0)), UNKNOWN);
  ck_assert_int_eq(after_first(read_request(0)), UNKNOWN);
  ck_assert_int_eq(after_first(segment(OP(READ_REQ), IWARP_RDMAP_READ_REQ_LEN)), UNKNOWN);
  ck_assert_int_eq(after_first(terminate()), UNKNOWN);
}
END_TEST

/* An RTR frame is sent by the Initiator of the peer-to-peer model alone; one whose Request was not
 * captured may be it. RFC 6581 6 */
START_TEST(an_empty_segment_of_a_side_that_sends_no_rtr_frame)
{
  begin();
  ck_assert_int_eq(after(0, segment(OP(SEND), 0)), FULL);
  begin();
  info.side[0].enh.a = false;
  ck_assert_int_eq(after(1, segment(OP(SEND), 0)), FULL);
  begin();
  info.side[0].enhanced = false;
  ck_assert_int_eq(after(1, segment(OP(SEND), 0)), FULL);
  begin();
  info.side[0].has_startup = false;
  ck_assert_int_eq(after(1, segment(OP(SEND), 0)), UNKNOWN);
}
END_TEST

START_TEST(more_than_one_segment)
{
  begin();
  note(0, segment(OP(SEND), 0), true);
  ck_assert_int_eq(after(1, segment(OP(SEND), 0)), FULL);
}
END_TEST

START_TEST(nothing_of_the_other_side)
{
  begin();
  ck_assert_int_eq(note(1, terminate(), false), UNKNOWN); /* its octets are no FPDU yet */
  for (uint8_t side = 0; side < 2; side++) {
    begin();
    ck_assert_int_eq(note(side, terminate(), true), STARTUP);
    begin();
    info.side[side].has_startup = false;
    ck_assert_int_eq(note(side, terminate(), true), UNKNOWN);
    begin();
    info.side[side].gap = true;
    ck_assert_int_eq(note(side, terminate(), true), UNKNOWN);
    begin();
    note(side, segment(OP(SEND), 4), true);
    ck_assert_int_eq(note(side, terminate(), true), UNKNOWN);
  }
  begin();
  note(0, segment(OP(WRITE), 0), true);
  ck_assert_int_eq(note(0, terminate(), true), STARTUP);
}
END_TEST

/* ---- by an observer of TCP ---- */

#define FRAME_LEN 20u
#define TERM_LEN 28u /* with its ULPDU_Length and CRC field */

static const uint8_t request[FRAME_LEN] = "MPA ID Req Frame\0\1\0";
static const uint8_t reply[FRAME_LEN] = "MPA ID Rep Frame\0\1\0";
static const uint8_t terminate_fpdu[TERM_LEN] = {0, 22, 0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2,
                                                 0, 0,  0,    1,    0, 0, 0, 0, 2, 6, 0, 0};
static const uint8_t send_fpdu[TERM_LEN] = {0, 22, 0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

static iwarp_observer *observer;
static iwarp_event last;

static void push(uint8_t side, const uint8_t *octets, size_t len, uint64_t received) {
  const iwarp_meta meta = {.packet = 1, .peer_pos = received, .segment_start = true};
  ck_assert_int_eq(iwarp_observer_push(observer, side, (iwarp_span){octets, len}, &meta), IWARP_OK);
  for (iwarp_event ev; iwarp_observer_next_event(observer, &ev) == IWARP_OK;) {
    last = ev;
  }
}

static void *started(bool answered) {
  const iwarp_observer_cfg cfg = {.size = sizeof cfg, .full_operation = true};
  void *mem = malloc(iwarp_observer_size(&cfg));
  ck_assert_int_eq(iwarp_observer_init(&observer, mem, iwarp_observer_size(&cfg), &cfg), IWARP_OK);
  iwarp_observer_start(observer, 0, 0, true, 0);
  iwarp_observer_start(observer, 1, 0, true, 0);
  push(0, request, FRAME_LEN, 0);
  if (answered) {
    push(1, reply, FRAME_LEN, FRAME_LEN);
  }
  return mem;
}

/* The place of a Terminate of side 0, which had received so much. */
static iwarp_rdmap_term_place observed(uint64_t received) {
  push(0, terminate_fpdu, TERM_LEN, received);
  ck_assert_int_eq(last.kind, IWARP_EVENT_FPDU);
  ck_assert_int_eq(last.u.fpdu.seg.kind, IWARP_RDMAP_KIND_TERM);
  return last.u.fpdu.term_place;
}

START_TEST(observer_after_the_reply)
{
  static const uint64_t received[] = {FRAME_LEN, IWARP_POS_UNKNOWN, FRAME_LEN + 1};
  void *mem = started(true);
  ck_assert_int_eq(observed(received[_i]), _i < 2 ? STARTUP : UNKNOWN); /* 2: an octet is missing */
  free(mem);
}
END_TEST

START_TEST(observer_without_a_reply)
{
  void *mem = started(false);
  ck_assert_int_eq(observed(FRAME_LEN), UNKNOWN);
  free(mem);
}
END_TEST

START_TEST(observer_after_a_send)
{
  static const uint64_t received[] = {FRAME_LEN + TERM_LEN, IWARP_POS_UNKNOWN, FRAME_LEN};
  void *mem = started(true);
  push(1, send_fpdu, TERM_LEN, FRAME_LEN);
  push(1, send_fpdu, TERM_LEN, FRAME_LEN);
  ck_assert_int_eq(observed(received[_i]), _i < 2 ? FULL : STARTUP); /* 2: it is on the way */
  free(mem);
}
END_TEST

START_TEST(observer_amid_an_fpdu)
{
  void *mem = started(true);
  push(1, send_fpdu, 10, FRAME_LEN);
  ck_assert_int_eq(observed(IWARP_POS_UNKNOWN), UNKNOWN);
  free(mem);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {one_segment_that_no_startup_has,
                                one_segment_that_may_be_an_rtr_frame_or_is_a_terminate,
                                an_empty_segment_of_a_side_that_sends_no_rtr_frame,
                                more_than_one_segment,
                                nothing_of_the_other_side,
                                observer_without_a_reply,
                                observer_amid_an_fpdu,
                                NULL};
  Suite *s = check_suite("stream-term-place", tests);
  TCase *t = tcase_create("loops");
  tcase_add_loop_test(t, observer_after_the_reply, 0, 3);
  tcase_add_loop_test(t, observer_after_a_send, 0, 3);
  suite_add_tcase(s, t);
  return check_run(s);
}
