/* SPDX-License-Identifier: BSD-2-Clause */
/* How connections end: the outcome, who ended them, and what a Terminate is about. */
#include <string.h>

#include "check_run.h"
#include "observe/ending.h"
#include "observe_fixture.h"

static observe_outcome outcome;
static const char *given_up;
static observe_terminate terminate;

/* The outcome borrows the connection, so what it has is copied. */
static void on_ended(void *ctx, observe_conn *conn) {
  (void)ctx;
  outcome = conn->outcome;
  given_up = conn->given_up;
  terminate = conn->outcome.terminate != NULL ? *conn->outcome.terminate : (observe_terminate){0};
}

static void start(void) {
  const observe_hooks hooks = {
      .event = flows_on_event, .closed = on_ended, .limit = flows_on_limit};
  flows_begin_with(NULL, &hooks);
  outcome = (observe_outcome){.how = (observe_how)OBSERVE_HOWS};
  flow_open(0);
}

static void started(void) {
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
}

static void finish(void) {
  flow_close(0);
  observe_free(flows.obs);
}

static void fin(uint8_t side, uint64_t frame) {
  flows.ends.fin[side] = (ingest_mark){.packet = frame, .time_ns = frame * 1000};
}

static void rst(uint8_t side, uint64_t frame) {
  flows.ends.rst = (ingest_mark){.packet = frame, .time_ns = frame * 1000};
  flows.ends.rst_side = side;
}

static void ended_by(observe_how how, uint8_t side, uint64_t frame, bool reset) {
  finish();
  ck_assert_int_eq(outcome.how, how);
  ck_assert(outcome.ended);
  ck_assert_uint_eq(outcome.side, side);
  ck_assert_uint_eq(outcome.packet, frame);
  ck_assert_uint_eq(outcome.time_ns, frame * 1000);
  ck_assert(outcome.reset == reset);
}

static void ended_by_nobody(observe_how how) {
  finish();
  ck_assert_int_eq(outcome.how, how);
  ck_assert(!outcome.ended);
}

static void not_known(observe_lack lack) {
  ended_by_nobody(OBSERVE_UNKNOWN);
  ck_assert_int_eq(outcome.lack, lack);
}

/* ---- by the streams ---- */

START_TEST(the_first_fin_counts_and_an_rst_before_the_second)
{
  started();
  fin(0, 20);
  fin(1, 10);
  ended_by(OBSERVE_CLOSED, 1, 10, false);
  started();
  fin(0, 10);
  fin(1, 20);
  rst(1, 30);
  ended_by(OBSERVE_CLOSED, 0, 10, false);
  started();
  fin(0, 10);
  fin(1, 20);
  rst(0, 15);
  ended_by(OBSERVE_RESET, 0, 15, true);
  started();
  fin(0, 10);
  rst(0, 15);
  ended_by(OBSERVE_RESET, 0, 15, true);
  started();
  fin(1, 10);
  ended_by(OBSERVE_HALF_CLOSED, 1, 10, false);
  started();
  rst(1, 10);
  ended_by(OBSERVE_RESET, 1, 10, true);
}
END_TEST

START_TEST(a_connection_is_open_where_nothing_says_otherwise)
{
  started();
  ended_by_nobody(OBSERVE_OPEN);
  for (uint8_t side = 0; side < 2; side++) {
    started();
    flow_gap(0, side, 1020, 10);
    not_known(OBSERVE_LACK_TAIL);
  }
  started();
  flow_gap(0, 0, 1020, FLOW_FPDU);
  flow_data(0, 0, 1020 + FLOW_FPDU, flow_fpdu, FLOW_FPDU, 1020);
  ended_by_nobody(OBSERVE_OPEN); /* it is not at the end */
  ck_assert_int_eq(outcome.lack, OBSERVE_LACK_NONE);
  started();
  flows.ends.reused = true;
  not_known(OBSERVE_LACK_END);
  started();
  flows_send(0, (ingest_event){.kind = INGEST_EVENT_CLOSE, .limit = INGEST_LIMIT_CONNECTIONS});
  observe_free(flows.obs);
  ck_assert_int_eq(outcome.how, OBSERVE_UNKNOWN);
  ck_assert_int_eq(outcome.lack, OBSERVE_LACK_GIVEN_UP);
}
END_TEST

/* A limit that keeps octets from being decoded does not hide how the connection ends. */
START_TEST(what_was_followed_to_its_end_has_one)
{
  static const uint8_t head[20] = {0x40, 0, 0x41, 0x43};
  started();
  for (uint64_t pos = 1020; pos < 5020; pos += 40) {
    flow_data(0, 0, pos, head, sizeof head, 1020);
    flow_gap(0, 0, pos + 20, 20);
  }
  flow_data(0, 0, 5020, head, sizeof head, 1020);
  ended_by_nobody(OBSERVE_OPEN);
  ck_assert_str_eq(given_up, "holes");
  ck_assert_int_eq(outcome.lack, OBSERVE_LACK_NONE);
}
END_TEST

START_TEST(a_direction_that_was_not_captured_is_missed)
{
  start();
  flows.ends.heard[1] = false;
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  not_known(OBSERVE_LACK_DIRECTION);
  start();
  flows.ends.heard[0] = false;
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1000);
  not_known(OBSERVE_LACK_DIRECTION);
}
END_TEST

/* ---- by the startup ---- */

START_TEST(a_reply_may_reject)
{
  static const char reject[] = "MPA ID Rep Frame\x20\1\0\0";
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, reject, FLOW_FRAME, 1020);
  fin(0, 9);
  ended_by(OBSERVE_REJECTED, 1, 3, false);
  start();
  flow_data(0, 0, 1000, "MPA ID Req Frame\x20\1\0\0", FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
  ended_by_nobody(OBSERVE_OPEN); /* R means nothing in a Request */
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, "MPA ID Bad Frame\x20\1\0\0", FLOW_FRAME, 1020);
  fin(0, 9);
  ended_by(OBSERVE_STARTUP_FAILED, 0, 9, false); /* its other octets may be anything */
}
END_TEST

/* What looks like a Reply with R after octets that are missing, and octets that follow it. */
static void reject_after(bool joined, uint64_t received, uint64_t missing, bool followed) {
  static const char reject[] = "MPA ID Rep Frame\x20\1\0\0";
  const uint64_t pos = 1000 + missing;
  start();
  flows.joined = joined;
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, received);
  if (missing != 0) {
    flow_gap(0, 1, 1000, missing);
  }
  flow_data(0, 1, pos, reject, FLOW_FRAME, 1020);
  if (followed) {
    flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, pos + FLOW_FRAME);
  }
  fin(0, 9);
}

/* An Initiator goes on after what may be no Reject; after a Reject its ULP may. */
START_TEST(what_looks_like_a_reject_and_is_followed_is_none)
{
  reject_after(false, 1000, 0, true);
  ended_by(OBSERVE_REJECTED, 1, 3, false);
  reject_after(false, 1000, 14, false);
  ended_by(OBSERVE_REJECTED, 1, 4, false);
  reject_after(false, 1000, 14, true);
  ended_by(OBSERVE_HALF_CLOSED, 0, 9, false);
  reject_after(true, IWARP_POS_UNKNOWN, 0, false);
  ended_by(OBSERVE_REJECTED, 1, 3, false);
  reject_after(true, IWARP_POS_UNKNOWN, 0, true);
  ended_by(OBSERVE_HALF_CLOSED, 0, 9, false);
  reject_after(true, 900, 0, true); /* octets before it are missing */
  ended_by(OBSERVE_HALF_CLOSED, 0, 9, false);
  reject_after(true, 1000, 0, true); /* it is the next one after what the Request acknowledges */
  ended_by(OBSERVE_REJECTED, 1, 3, false);
}
END_TEST

START_TEST(a_request_may_stay_without_an_answer)
{
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_end(0, 1, 1000);
  ended_by_nobody(OBSERVE_OPEN); /* it may still come */
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  fin(1, 5);
  fin(0, 6);
  flow_end(0, 1, 1000);
  ended_by(OBSERVE_NO_REPLY, 1, 5, false);
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  fin(0, 6);
  rst(1, 5);
  flow_end(0, 1, 1000);
  ended_by(OBSERVE_NO_REPLY, 1, 5, true);
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_gap(0, 1, 1000, 20);
  fin(0, 6);
  ended_by(OBSERVE_HALF_CLOSED, 0, 6, false); /* the answer is missing in the capture */
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flows.ends.heard[1] = false;
  fin(0, 6);
  flow_end(0, 1, 1000);
  ended_by(OBSERVE_HALF_CLOSED, 0, 6, false);
  start();
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1000); /* it answers what was not captured */
  fin(0, 6);
  ended_by(OBSERVE_HALF_CLOSED, 0, 6, false);
}
END_TEST

START_TEST(a_startup_frame_may_be_malformed)
{
  static const char *const replies[] = {"MPA ID Bad Frame\0\1\0\0", "MPA ID Rep Frame\0\1\2\1",
                                        "MPA ID Rep Frame\x10\2\0\3"};
  for (size_t i = 0; i < sizeof replies / sizeof replies[0]; i++) {
    start();
    flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
    flow_data(0, 1, 1000, replies[i], FLOW_FRAME, 1020);
    flow_data(0, 1, 1020, "abc", 3, 1020);
    rst(0, 7);
    flows_send(
        0, (ingest_event){.kind = INGEST_EVENT_END, .side = 1, .pos = 1023, .end = INGEST_END_RST});
    ended_by(OBSERVE_STARTUP_FAILED, 0, 7, true);
  }
  start(); /* another revision does not count here */
  flow_data(0, 0, 1000, "MPA ID Req Frame\0\3\0\0", FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, "MPA ID Rep Frame\x10\1\0\0", FLOW_FRAME, 1020);
  fin(0, 7);
  ended_by(OBSERVE_HALF_CLOSED, 0, 7, false);
  static const char *const right[][2] = {
      {"MPA ID Req Frame\0\2\0\0", "MPA ID Rep Frame\0\2\0\0"}, /* Rev 2 that is not enhanced */
      {"MPA ID Req Frame\x10\2\0\4\0\0\0\0", "MPA ID Rep Frame\x10\2\0\4\0\0\0\0"}};
  for (size_t i = 0; i < 2; i++) {
    const size_t len = FLOW_FRAME + 4 * i;
    start();
    flow_data(0, 0, 1000, right[i][0], len, 1000);
    flow_data(0, 1, 1000, right[i][1], len, 1000 + len);
    fin(0, 7);
    ended_by(OBSERVE_HALF_CLOSED, 0, 7, false);
  }
  for (size_t pd = 512; pd <= 513; pd++) {
    char frame[FLOW_FRAME + 513] = "MPA ID Rep Frame\0\1\2";
    frame[19] = (char)(pd - 512);
    start();
    flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
    flow_data(0, 1, 1000, frame, FLOW_FRAME + pd, 1020);
    fin(0, 7);
    ended_by(pd == 512 ? OBSERVE_HALF_CLOSED : OBSERVE_STARTUP_FAILED, 0, 7, false);
  }
  start(); /* what works in spite of it */
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, "MPA ID Bad Frame\0\1\0\0", FLOW_FRAME, 1020);
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  fin(0, 7);
  ended_by(OBSERVE_HALF_CLOSED, 0, 7, false);
}
END_TEST

/* Half a Reply, or half of its Private Data; the connection ends in this way, or the capture. */
static void cut_reply(bool private_data, bool leaves) {
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, private_data ? "MPA ID Rep Frame\0\1\0\4ab" : flow_reply,
            private_data ? 22 : 18, 1020);
  if (leaves) {
    fin(0, 8);
    flow_end(0, 1, 1018);
  }
}

START_TEST(a_startup_frame_may_be_incomplete)
{
  for (unsigned i = 0; i < 2; i++) {
    cut_reply(i == 1, true);
    ended_by(OBSERVE_STARTUP_FAILED, 0, 8, false);
    cut_reply(i == 1, false);
    ended_by_nobody(OBSERVE_OPEN);
    start(); /* the rest of it is missing in the capture */
    flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
    flow_data(0, 1, 1000, "MPA ID Rep Frame\0\1\0\4ab", i == 1 ? 22 : 18, 1020);
    flow_gap(0, 1, i == 1 ? 1022 : 1018, 10);
    fin(0, 8);
    ended_by(OBSERVE_HALF_CLOSED, 0, 8, false);
  }
}
END_TEST

/* ---- by a Terminate ---- */

/* An FPDU with a Terminate of `n` octets, CRC 0. */
static size_t terminate_fpdu(uint8_t *out, uint8_t ctrl, uint8_t qn, const char *octets, size_t n) {
  const size_t ulpdu = 18 + n;
  const size_t pad = (4 - (2 + ulpdu) % 4) % 4;
  memset(out, 0, 2 + ulpdu + pad + 4);
  out[1] = (uint8_t)ulpdu;
  out[2] = ctrl;
  out[3] = 0x47;
  out[11] = qn;
  out[15] = 1;
  memcpy(out + 20, octets, n);
  return 2 + ulpdu + pad + 4;
}

/* Tagged Buffer Error of DDP, Invalid STag, with the header of `fpdu`, as siw writes it. */
static const char swapped[] = "\x11\0\3\0\0\22"
                              "\x41\x43\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0";

START_TEST(a_terminate_is_about_the_latest_segment_with_its_header)
{
  uint8_t octets[128];
  const size_t n = terminate_fpdu(octets, 0x41, 2, swapped, sizeof swapped - 1);
  started();
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  flow_data(0, 0, 1044, flow_fpdu, FLOW_FPDU, 1020);
  flow_data(0, 1, 1020, octets, n, 1068);
  flow_data(0, 0, 1068, flow_fpdu, FLOW_FPDU, 1020); /* too late for it */
  fin(0, 9);
  fin(1, 10);
  ended_by(OBSERVE_TERMINATED, 1, 6, false);
  ck_assert_uint_eq(terminate.about, 5);
  ck_assert_uint_eq(terminate.term.layer, 1);
  ck_assert_uint_eq(terminate.term.tail.len, sizeof swapped - 5);
  uint8_t other[FLOW_FPDU];
  memcpy(other, flow_fpdu, FLOW_FPDU);
  started(); /* others before it and after it */
  for (uint8_t i = 0; i < 6; i++) {
    other[15] = (uint8_t)(i + 2);
    flow_data(0, 0, 1020 + FLOW_FPDU * i, i == 3 ? (const void *)flow_fpdu : other, FLOW_FPDU,
              1020);
  }
  flow_data(0, 1, 1020, octets, n, 1020 + 6 * FLOW_FPDU);
  finish();
  ck_assert_uint_eq(terminate.about, 7);
  started(); /* by the side that sent no such segment */
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  flow_data(0, 0, 1044, octets, n, 1020);
  ended_by(OBSERVE_TERMINATED, 0, 5, false);
  ck_assert_uint_eq(terminate.about, 0);
}
END_TEST

START_TEST(the_header_is_read_as_it_stands_where_that_makes_sense)
{
  static const char plain[] = "\x11\0\xc0\0\0\22"
                              "\x41\x43\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0";
  uint8_t octets[128];
  const size_t n = terminate_fpdu(octets, 0x41, 2, plain, sizeof plain - 1);
  started();
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  flow_data(0, 1, 1020, octets, n, 1044);
  ended_by(OBSERVE_TERMINATED, 1, 5, false);
  ck_assert_uint_eq(terminate.about, 4);
  ck_assert_uint_eq(terminate.term.ddp_header.len, 18);
}
END_TEST

/* A Read Request of 100 octets with MSN 1: its DDP header and its RDMA header. */
static const uint8_t read_request[46] = {
    0x41, 0x41, [9] = 1, [13] = 1, [21] = 7, [33] = 100, [37] = 9, [45] = 0x80};

/* What siw sends: Remote Protection Error, Invalid STag, in its own bit order, with both headers;
 * `msn` stands in the DDP header. */
static uint64_t about_read(uint8_t msn, uint8_t sink) {
  uint8_t request[52] = {0, sizeof read_request};
  uint8_t returned[6 + sizeof read_request] = {0x10, 0, 7};
  uint8_t octets[128];
  memcpy(request + 2, read_request, sizeof read_request);
  memcpy(returned + 6, read_request, sizeof read_request);
  returned[6 + 13] = msn;
  returned[6 + 21] = sink;
  const size_t n = terminate_fpdu(octets, 0x41, 2, (const char *)returned, sizeof returned);
  started();
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  flow_data(0, 0, 1044, request, sizeof request, 1020);
  flow_data(0, 1, 1020, octets, n, 1096);
  ended_by(OBSERVE_TERMINATED, 1, 6, false);
  return terminate.about;
}

START_TEST(siw_returns_a_read_request_with_its_size_as_the_msn)
{
  ck_assert_uint_eq(about_read(100, 7), 5);
  ck_assert(terminate.about_read);
  ck_assert_uint_eq(about_read(1, 7), 5); /* as RFC 5040 has it */
  ck_assert(!terminate.about_read);
  ck_assert_uint_eq(about_read(99, 7), 0);  /* neither */
  ck_assert_uint_eq(about_read(100, 8), 0); /* the RDMA header of another one */
  ck_assert(!terminate.about_read);
}
END_TEST

/* In mid-stream a boundary may be found after later packets: the events have another order. */
START_TEST(a_segment_may_be_found_after_the_terminate_about_it)
{
  uint8_t octets[128];
  const size_t n = terminate_fpdu(octets, 0x41, 2, swapped, sizeof swapped - 1);
  const iwarp_observer_info info = {0};
  observe_conn conn = {.info = &info};
  ending e = {0};
  iwarp_event segment = {.kind = IWARP_EVENT_FPDU, .last = {.packet = 4}};
  iwarp_event term = {.kind = IWARP_EVENT_FPDU, .side = 1, .last = {.packet = 5}};
  segment.u.fpdu.sync = term.u.fpdu.sync = IWARP_SYNC_CRC;
  iwarp_rdmap_seg_decode(&segment.u.fpdu.seg, (iwarp_span){(const uint8_t *)flow_fpdu + 2, 18}, 18);
  iwarp_rdmap_seg_decode(&term.u.fpdu.seg, (iwarp_span){octets + 2, n - 6}, octets[1]);
  start();
  obs_ending_event(flows.obs, &e, &conn, &term);
  obs_ending_event(flows.obs, &e, &conn, &segment);
  segment.last.packet = 6; /* after the Terminate */
  obs_ending_event(flows.obs, &e, &conn, &segment);
  obs_ending_decide(&e, &conn);
  ck_assert_int_eq(conn.outcome.how, OBSERVE_TERMINATED);
  ck_assert_uint_eq(conn.outcome.terminate->about, 4);
  obs_ending_free(flows.obs, &e);
  finish();
}
END_TEST

START_TEST(the_first_valid_terminate_counts)
{
  uint8_t octets[128];
  size_t n = terminate_fpdu(octets, 0x41, 1, "\1\0\0\0", 4); /* on another queue */
  started();
  flow_data(0, 0, 1020, octets, n, 1020);
  ended_by_nobody(OBSERVE_OPEN);
  n = terminate_fpdu(octets, 0x42, 2, "\1\0\0\0", 4); /* of another version of DDP */
  started();
  flow_data(0, 0, 1020, octets, n, 1020);
  ended_by_nobody(OBSERVE_OPEN);
  n = terminate_fpdu(octets, 0x41, 2, "\1\0\0\0", 4);
  octets[3] = 0x87; /* of another one of RDMAP */
  started();
  flow_data(0, 0, 1020, octets, n, 1020);
  ended_by_nobody(OBSERVE_OPEN);
  octets[3] = 0x47;
  started();
  flow_data(0, 1, 1020, octets, n, 1020);
  flow_data(0, 0, 1020, octets, n, 1020);
  octets[20] = 2;
  flow_data(0, 1, 1020 + n, octets, n, 1020);
  ended_by(OBSERVE_TERMINATED, 1, 4, false);
  ck_assert_uint_eq(terminate.term.etype, 1);
}
END_TEST

START_TEST(with_the_revision_of_the_consortium_versions_are_zero)
{
  uint8_t octets[128];
  const size_t n = terminate_fpdu(octets, 0x40, 2, "\1\0\0\0", 4);
  octets[3] = 0x07;
  start();
  flow_data(0, 0, 1000, "MPA ID Req Frame\0\0\0\0", FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, "MPA ID Rep Frame\0\0\0\0", FLOW_FRAME, 1020);
  flow_data(0, 0, 1020, octets, n, 1020);
  ended_by(OBSERVE_TERMINATED, 0, 4, false);
  for (uint8_t side = 0; side < 2; side++) { /* the other side's frame is missing */
    start();
    flow_gap(0, 1 - side, 1000, FLOW_FRAME);
    flow_data(0, side, 1000, side == 0 ? "MPA ID Req Frame\0\0\0\0" : "MPA ID Rep Frame\0\0\0\0",
              FLOW_FRAME, 1020);
    flow_data(0, side, 1020, octets, n, 1020);
    ended_by(OBSERVE_TERMINATED, side, 4, false);
  }
  started();
  flow_data(0, 0, 1020, octets, n, 1020);
  ended_by_nobody(OBSERVE_OPEN);
}
END_TEST

START_TEST(a_terminate_of_damaged_octets_or_with_a_wrong_crc_is_none)
{
  uint8_t octets[128];
  const size_t n = terminate_fpdu(octets, 0x41, 2, "\1\0\0\0", 4);
  started();
  flows_send(0, (ingest_event){.kind = INGEST_EVENT_DATA,
                               .side = 0,
                               .data = octets,
                               .len = n,
                               .pos = 1020,
                               .damaged = true});
  ended_by_nobody(OBSERVE_OPEN);
  start();
  flow_data(0, 0, 1000, "MPA ID Req Frame\x40\1\0\0", FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, "MPA ID Rep Frame\x40\1\0\0", FLOW_FRAME, 1020);
  flow_data(0, 0, 1020, octets, n, 1020);
  ended_by_nobody(OBSERVE_OPEN);
}
END_TEST

/* What may follow a Terminate of a side. */
static void assumed(bool begins, iwarp_event_kind then, observe_how how) {
  uint8_t octets[128];
  ending e = {0};
  const iwarp_observer_info info = {0};
  observe_conn conn = {.info = &info};
  iwarp_event next = {.kind = then, .side = 1, .last = {.packet = 6}};
  const size_t n = terminate_fpdu(octets, 0x41, 2, "\1\0\0\0", 4);
  iwarp_event term = {.kind = IWARP_EVENT_FPDU, .side = 1, .last = {.packet = 5}};
  term.u.fpdu.sync = begins ? IWARP_SYNC_STARTUP : IWARP_SYNC_HEURISTIC;
  iwarp_rdmap_seg_decode(&term.u.fpdu.seg, (iwarp_span){octets + 2, n - 6}, octets[1]);
  start();
  e.ends.heard[0] = true;
  obs_ending_event(flows.obs, &e, &conn, &term);
  obs_ending_event(flows.obs, &e, &conn, &next);
  obs_ending_decide(&e, &conn);
  ck_assert_int_eq(conn.outcome.how, how);
  obs_ending_free(flows.obs, &e);
  finish();
}

START_TEST(a_terminate_whose_beginning_is_not_proven_is_the_last_of_its_side)
{
  assumed(false, IWARP_EVENT_END, OBSERVE_TERMINATED);
  assumed(false, IWARP_EVENT_FPDU, OBSERVE_OPEN);
  assumed(false, IWARP_EVENT_UNDECODABLE, OBSERVE_OPEN);
  assumed(false, IWARP_EVENT_GAP, OBSERVE_UNKNOWN);
  assumed(true, IWARP_EVENT_FPDU, OBSERVE_TERMINATED);
}
END_TEST

/* Of `n` octets, the first four of which are the control field; the CRC field, which is not in use,
 * is not 0. */
static void kept(const char *header, size_t n, size_t ddp, size_t rest) {
  uint8_t octets[256];
  char body[200];
  for (size_t i = 0; i < sizeof body; i++) {
    body[i] = (char)(i + 1);
  }
  memcpy(body, header, ddp > 0 ? 6 : 4);
  const size_t len = terminate_fpdu(octets, 0x41, 2, body, n);
  memset(octets + len - 4, 0xEE, 4);
  memset(octets + 20 + n, 0xEE, len - 24 - n); /* PAD */
  started();
  flow_data(0, 0, 1020, octets, len, 1020);
  ended_by(OBSERVE_TERMINATED, 0, 4, false);
  const size_t tail = n - 4 < OBSERVE_TERMINATE_TAIL ? n - 4 : OBSERVE_TERMINATE_TAIL;
  ck_assert_uint_eq(terminate.term.tail.len, tail);
  ck_assert_mem_eq(terminate.tail, body + 4, tail);
  ck_assert(tail == OBSERVE_TERMINATE_TAIL || terminate.tail[tail] == 0);
  ck_assert_uint_eq(terminate.term.ddp_header.len, ddp);
  ck_assert_uint_eq(terminate.term.rest.len, rest);
}

START_TEST(what_a_terminate_returns_is_kept_octet_for_octet)
{
  kept("\x11\0\0\0", 5, 0, 1);
  kept("\x11\0\0\0", 4 + 63, 0, 63);
  kept("\x11\0\0\0", 4 + 64, 0, 64);
  kept("\x11\0\0\0", 4 + 180, 0, 64);
  kept("\x11\0\xc0\0\0\x12", 4 + 2 + 18 + 60, 18, 64 - 20);
}
END_TEST

START_TEST(only_so_much_of_a_terminate_is_kept)
{
  static const char surplus[70] = "\x11\0\0\0";
  uint8_t octets[128];
  const size_t n = terminate_fpdu(octets, 0x41, 2, surplus, sizeof surplus);
  started();
  flow_data(0, 0, 1020, octets, n, 1020);
  ended_by(OBSERVE_TERMINATED, 0, 4, false);
  ck_assert_uint_eq(terminate.term.tail.len, OBSERVE_TERMINATE_TAIL);
  ck_assert_uint_eq(terminate.term.rest.len, OBSERVE_TERMINATE_TAIL);
  ck_assert_uint_eq(terminate.term.ddp_header.len, 0);
}
END_TEST

START_TEST(headers_are_given_back)
{
  started();
  for (uint64_t i = 0; i < 40; i++) { /* so many that the rings grow */
    flow_data(0, 0, 1020 + i * FLOW_FPDU, flow_fpdu, FLOW_FPDU, 1020 + i * FLOW_FPDU);
    flow_data(0, 1, 1020 + i * FLOW_FPDU, flow_fpdu, FLOW_FPDU, 1044 + i * FLOW_FPDU);
    flows.logged[0] = 0;
  }
  ck_assert_uint_gt(flows.memory.engines, 0);
  finish();
  ck_assert_uint_eq(flows.memory.engines, 0);
}
END_TEST

START_TEST(the_latest_thousand_headers_are_kept)
{
  uint8_t octets[128];
  uint8_t other[FLOW_FPDU];
  const size_t n = terminate_fpdu(octets, 0x41, 2, swapped, sizeof swapped - 1);
  memcpy(other, flow_fpdu, FLOW_FPDU);
  other[15] = 2;
  for (uint64_t after = 1023; after <= 1024; after++) {
    started();
    flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
    for (uint64_t i = 1; i <= after; i++) {
      flows.logged[0] = 0;
      flow_data(0, 0, 1020 + i * FLOW_FPDU, other, FLOW_FPDU, 1020);
    }
    flow_data(0, 1, 1020, octets, n, 1020);
    finish();
    ck_assert_uint_eq(terminate.about, after == 1023 ? 4 : 0);
  }
}
END_TEST

/* ---- what else is counted ---- */

static void other_flow(size_t flow, uint16_t port, bool from_start, uint64_t octets) {
  static uint8_t data[256];
  static ingest_addr addr[2] = {{.family = 4}, {.family = 4, .port = 50000}};
  addr[0].port = port;
  for (unsigned i = 0; i < 2; i++) {
    ingest_event ev = {.kind = i == 0 ? INGEST_EVENT_OPEN : INGEST_EVENT_DATA,
                       .data = data,
                       .len = octets,
                       .start_known = from_start};
    ev.user = &flows.users[flow];
    ev.addr = addr;
    ev.ends = &flows.ends;
    observe_event(flows.obs, &ev);
  }
  ingest_event ev = {
      .kind = INGEST_EVENT_CLOSE, .user = &flows.users[flow], .addr = addr, .ends = &flows.ends};
  observe_event(flows.obs, &ev);
}

START_TEST(what_was_there_instead_is_counted)
{
  start();
  flow_close(0);
  const observe_found *found = observe_found_get(flows.obs);
  ck_assert_uint_eq(found->tcp, 1);
  ck_assert_uint_eq(found->iwarp, 0);
  other_flow(1, 10, true, 100);
  ck_assert_uint_eq(found->port, 0);
  const uint64_t late = found->late;
  other_flow(1, 11, false, 30);
  ck_assert_uint_eq(found->port, 11);
  other_flow(1, 60000, false, 40);
  ck_assert_uint_eq(found->port, 50000); /* the lower one */
  other_flow(1, 13, false, 40);
  ck_assert_uint_eq(found->port, 50000);
  ck_assert_uint_eq(found->late, late + 3);
  ck_assert_uint_eq(found->tcp, 5);
  observe_file(flows.obs, "next");
  ck_assert_uint_eq(found->tcp, 0);
  flow_open(0);
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_close(0);
  ck_assert_uint_eq(found->iwarp, 1);
  observe_free(flows.obs);
}
END_TEST

START_TEST(the_ports_that_connections_had_are_known)
{
  static uint8_t ports[OBSERVE_PORTS_SIZE];
  observe_ports_add(ports, 7174);
  observe_ports_add(ports, 7175);
  flows_begin(ports);
  flow_open(0);
  flow_close(0);
  ck_assert(observe_port_met(flows.obs, 7174));
  ck_assert(!observe_port_met(flows.obs, 7175));
  observe_free(flows.obs);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_first_fin_counts_and_an_rst_before_the_second,
                                a_connection_is_open_where_nothing_says_otherwise,
                                what_was_followed_to_its_end_has_one,
                                a_direction_that_was_not_captured_is_missed,
                                a_reply_may_reject,
                                what_looks_like_a_reject_and_is_followed_is_none,
                                a_request_may_stay_without_an_answer,
                                a_startup_frame_may_be_malformed,
                                a_startup_frame_may_be_incomplete,
                                a_terminate_is_about_the_latest_segment_with_its_header,
                                siw_returns_a_read_request_with_its_size_as_the_msn,
                                a_segment_may_be_found_after_the_terminate_about_it,
                                the_header_is_read_as_it_stands_where_that_makes_sense,
                                the_first_valid_terminate_counts,
                                with_the_revision_of_the_consortium_versions_are_zero,
                                a_terminate_of_damaged_octets_or_with_a_wrong_crc_is_none,
                                a_terminate_whose_beginning_is_not_proven_is_the_last_of_its_side,
                                what_a_terminate_returns_is_kept_octet_for_octet,
                                headers_are_given_back,
                                only_so_much_of_a_terminate_is_kept,
                                the_latest_thousand_headers_are_kept,
                                what_was_there_instead_is_counted,
                                the_ports_that_connections_had_are_known,
                                NULL};
  return check_run(check_suite("outcome", tests));
}
