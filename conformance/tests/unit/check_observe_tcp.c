/* SPDX-License-Identifier: BSD-2-Clause */
/* Which TCP connections become iWARP connections, their numbers, gaps, limits. */
#include <stdio.h>
#include <string.h>

#include <iwarp/crc32c.h>

#include "check_run.h"
#include "observe_fixture.h"

static uint8_t ports[OBSERVE_PORTS_SIZE];

static void start(void) {
  flows_begin(NULL);
  flow_open(0);
}

static void finish(const char *logged) {
  flow_close(0);
  ck_assert_str_eq(flows.logged, logged);
  observe_free(flows.obs);
}

START_TEST(a_connection_is_found_by_its_request_and_decoded_to_its_end)
{
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  flow_end(0, 0, 1044);
  flow_end(0, 1, 1020);
  finish("0a:request@1000 0b:reply@1000 0a:fpdu@1020 0:closed(streaming 0/0) ");
}
END_TEST

START_TEST(segments_that_go_to_the_engine_alone_need_no_events)
{
  start();
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  ck_assert_uint_eq(flows.segments, 0); /* until both sides have joined */
  flow_data(0, 0, 1044, flow_fpdu, FLOW_FPDU, 1020);
  flow_data(0, 0, 1068, flow_fpdu, FLOW_FPDU, 1020);
  ck_assert_uint_eq(flows.segments, 2);
  finish("0a:request@1000 0b:reply@1000 0a:fpdu@1020 0a:fpdu@1044 0a:fpdu@1068 "
         "0:closed(streaming 0/0) ");
}
END_TEST

static void on_fpdu(void *ctx, observe_conn *conn, const iwarp_observer_fpdu *fpdu,
                    const iwarp_link *link) {
  char line[64];
  (void)ctx;
  (void)link;
  ck_assert(conn->numbered);
  ck_assert_uint_eq(fpdu->wire.len, FLOW_FPDU);
  snprintf(line, sizeof line, "%c:alone@%llu ", 'a' + fpdu->side, (unsigned long long)fpdu->pos);
  strcat(flows.logged, line);
}

START_TEST(an_fpdu_whose_crc_is_good_has_a_hook_of_its_own)
{
  const observe_hooks hooks = {.event = flows_on_event, .fpdu = on_fpdu, .closed = flows_on_closed};
  char request[FLOW_FRAME + 1];
  char good[FLOW_FPDU + 1];
  memcpy(request, flow_request, sizeof request);
  memcpy(good, flow_fpdu, sizeof good);
  request[16] = 0x40; /* CRCs are used */
  const uint32_t crc = iwarp_crc32c(0, good, FLOW_FPDU - 4);
  for (size_t i = 0; i < 4; i++) {
    good[FLOW_FPDU - 4 + i] = (char)(crc >> (8 * i) & 0xffu);
  }
  flows_begin_with(NULL, &hooks);
  flow_open(0);
  flow_data(0, 0, 1000, request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
  flow_data(0, 0, 1020, good, FLOW_FPDU, 1020);
  flow_data(0, 0, 1044, good, FLOW_FPDU, 1020);
  flow_data(0, 0, 1068, flow_fpdu, FLOW_FPDU, 1020);
  flow_data(0, 0, 1092, good, FLOW_FPDU, 1020); /* its place rests on its CRC alone */
  finish("0a:request@1000 0b:reply@1000 0a:fpdu@1020 a:alone@1044 0a:fpdu@1068 0a:fpdu@1092 "
         "0:closed(streaming 0/0) ");
}
END_TEST

START_TEST(the_connection_of_an_event_is_there_from_its_key_on)
{
  const ingest_event ev = {.kind = INGEST_EVENT_DATA, .user = &flows.users[0]};
  flows_begin(NULL);
  ck_assert_ptr_null(observe_tcp_conn(&ev));
  flow_open(0);
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME - 2, 1000); /* its key, but not all of the frame */
  ck_assert_ptr_nonnull(observe_tcp_conn(&ev));
  ck_assert(!observe_tcp_conn(&ev)->numbered);
  flow_data(0, 0, 1000 + FLOW_FRAME - 2, flow_request + FLOW_FRAME - 2, 2, 1000);
  ck_assert(observe_tcp_conn(&ev)->numbered);
  flow_close(0);
  flow_open(1);
  const ingest_event other = {.kind = INGEST_EVENT_DATA, .user = &flows.users[1]};
  flow_data(1, 0, 1000, "GET", 3, 1000);
  ck_assert_ptr_null(observe_tcp_conn(&other));
  flow_close(1);
  observe_free(flows.obs);
}
END_TEST

START_TEST(other_connections_leave_no_trace)
{
  start();
  flow_data(0, 0, 1000, "GET / HTTP/1.0\r\n\r\n", 18, 1000);
  flow_data(0, 1, 1000, "MPA ID", 6, 1018);
  flow_gap(0, 1, 1006, 10);
  flow_end(0, 0, 1018);
  flow_close(0);
  ck_assert_str_eq(flows.logged, "");
  ck_assert_uint_eq(observe_connections(flows.obs), 0);
  observe_free(flows.obs);
}
END_TEST

START_TEST(every_split_of_the_startup_gives_the_same)
{
  for (size_t cut = 1; cut < FLOW_FRAME; cut++) {
    start();
    flow_data(0, 0, 1000, flow_request, cut, 1000);
    flow_data(0, 0, 1000 + cut, flow_request + cut, FLOW_FRAME - cut, 1000);
    flow_data(0, 1, 1000, flow_reply, cut, 1020);
    flow_data(0, 1, 1000 + cut, flow_reply + cut, FLOW_FRAME - cut, 1020);
    flow_close(0);
    ck_assert_msg(strcmp(flows.logged, "0a:request@1000 0b:reply@1000 0:closed(streaming 0/0) ") ==
                      0,
                  "cut at %zu: %s", cut, flows.logged);
    observe_free(flows.obs);
  }
}
END_TEST

/* The octets of the key come in another order: the packet that completes the frame is not the one
 * of its last octet. */
START_TEST(the_frame_of_a_request_is_the_latest_of_its_packets)
{
  for (size_t late = 0; late < 4; late++) {
    start();
    for (size_t i = 0; i < 4; i++) {
      flows.packet = i == late ? 19 : 9 - i;
      flow_data(0, 0, 1000 + 5 * i, flow_request + 5 * i, 5, 1000);
    }
    ck_assert_uint_eq(flows.startup_packet, 20);
    flow_close(0);
    observe_free(flows.obs);
  }
}
END_TEST

START_TEST(streaming_data_is_counted_on_both_sides)
{
  start();
  flow_data(0, 0, 1000, "hello", 5, 1000);
  flow_data(0, 1, 1000, "M hello", 7, 1005);
  flow_data(0, 0, 1005, "MPA ID Req Fra", 14, 1007);
  flow_data(0, 0, 1019, flow_request + 14, FLOW_FRAME - 14, 1007);
  flow_data(0, 1, 1007, flow_reply, FLOW_FRAME, 1025);
  finish("0a:request@1005 0b:reply@1007 0:closed(streaming 5/7) ");
}
END_TEST

START_TEST(numbers_follow_the_order_of_complete_startup_frames)
{
  start();
  flow_open(1);
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME - 1, 1000); /* found, but not complete */
  flow_data(1, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 0, 1019, flow_request + FLOW_FRAME - 1, 1, 1000);
  ck_assert_str_eq(flows.logged, "0a:request@1000 1a:request@1000 ");
  flow_close(0);
  flow_close(1);
  observe_free(flows.obs);
}
END_TEST

START_TEST(each_capture_numbers_its_own)
{
  flows_begin(NULL);
  for (int i = 0; i < 2; i++) {
    observe_file(flows.obs, "test");
    flow_open(0);
    flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
    flow_close(0);
  }
  ck_assert_str_eq(flows.logged, "0a:request@1000 0:closed(streaming 0/0) "
                                 "0a:request@1000 0:closed(streaming 0/0) ");
  observe_free(flows.obs);
}
END_TEST

START_TEST(a_port_is_taken_as_iwarp_from_its_first_octets)
{
  memset(ports, 0, sizeof ports);
  observe_ports_add(ports, 7174);
  flows_begin(ports);
  flow_open(0);
  flow_open(1);
  flow_data(1, 0, 1020, "?", 1, 1020);
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  flow_close(0);
  flow_close(1);
  ck_assert_ptr_nonnull(strstr(flows.logged, "0a:fpdu@1020 0:closed"));
  ck_assert_ptr_nonnull(strstr(flows.logged, "1a:undecodable@1020 1:closed"));
  observe_free(flows.obs);
}
END_TEST

static void begin_wanted(bool wanted) {
  memset(ports, 0, sizeof ports);
  observe_ports_add(ports, 7174);
  flows_begin(wanted ? ports : NULL);
  flow_open(0);
}

/* A startup after streaming data of both sides, with a hole in these. */
static void flow_late_startup(void) {
  flow_data(0, 0, 1000, "HELLO iwarp\r\n", 13, 1000);
  flow_data(0, 1, 1000, "220 ", 4, 1013);
  flow_gap(0, 1, 1004, 7);
  flow_data(0, 0, 1013, flow_request, 5, 1011);
  flow_data(0, 0, 1018, flow_request + 5, FLOW_FRAME - 5, 1011);
  flow_data(0, 1, 1011, flow_reply, FLOW_FRAME, 1033);
  flow_data(0, 0, 1033, flow_fpdu, FLOW_FPDU, 1031);
  flow_end(0, 0, 1057);
  flow_end(0, 1, 1031);
  flow_close(0);
}

START_TEST(a_startup_counts_on_a_port_that_is_taken_as_iwarp)
{
  for (unsigned joined = 0; joined < 2; joined++) {
    begin_wanted(false);
    flows.joined = joined != 0;
    flow_late_startup();
    const observe_fixture without = flows;
    observe_free(flows.obs);
    begin_wanted(true);
    flows.joined = joined != 0;
    flow_late_startup();
    ck_assert_str_eq(flows.logged, without.logged);
    ck_assert_ptr_nonnull(strstr(flows.logged, "0a:request@1013 "));
    observe_free(flows.obs);
    ck_assert_uint_eq(flows.memory.engines, 0);
  }
}
END_TEST

START_TEST(what_waited_comes_in_its_order)
{
  begin_wanted(true);
  flow_data(0, 1, 1000, "what is this", 12, 1000);
  flow_gap(0, 0, 1000, 7);
  flow_data(0, 0, 1007, flow_fpdu, FLOW_FPDU, 1012);
  flow_data(0, 1, 1012, flow_fpdu, FLOW_FPDU, 1031);
  finish("0a:gap@1000 0a:fpdu@1007 0b:undecodable@1000 0b:fpdu@1012 0:closed(streaming 0/0) ");
}
END_TEST

START_TEST(a_marker_before_an_fpdu_shows_full_operation)
{
  static const uint8_t octets[4 + FLOW_FPDU] = {0, 0, 0, 0, 0, 0x22, 0x41, 0x43, [19] = 1};
  begin_wanted(true);
  flow_data(0, 0, 1000, octets, 4, 1000); /* not enough to tell */
  ck_assert_uint_eq(observe_connections(flows.obs), 0);
  flow_data(0, 0, 1004, octets, sizeof octets, 1000);
  ck_assert_uint_eq(observe_connections(flows.obs), 1);
  flow_close(0);
  observe_free(flows.obs);
}
END_TEST

/* The end of a key, C and Rev 0 look like an FPDU that begins the segment. */
START_TEST(a_key_in_two_segments_counts_on_a_port_that_is_taken_as_iwarp)
{
  static const uint8_t frame[36] = "MPA ID Req Frame\xC0\0\0\x10";
  for (size_t cut = 1; cut < sizeof frame; cut++) {
    begin_wanted(true);
    flow_data(0, 0, 1000, "streaming", 9, 1000);
    flow_data(0, 0, 1009, frame, cut, 1000);
    flow_data(0, 0, 1009 + cut, frame + cut, sizeof frame - cut, 1000);
    flow_close(0);
    ck_assert_ptr_nonnull(strstr(flows.logged, "0a:request@1009 "));
    observe_free(flows.obs);
  }
}
END_TEST

START_TEST(a_key_in_payload_is_none_in_the_middle_of_a_connection)
{
  uint8_t octets[8 + FLOW_FRAME] = "payload ";
  memcpy(octets + 8, flow_request, FLOW_FRAME);
  begin_wanted(true);
  flows.joined = true; /* side 1 */
  flow_data(0, 1, 1000, octets, sizeof octets, 1000);
  finish("0b:undecodable@1000 0:closed(streaming 0/0) ");
}
END_TEST

START_TEST(so_many_octets_wait_on_a_port)
{
  static uint8_t octets[70000];
  for (unsigned step = 0; step < 3; step++) {
    static const size_t sizes[] = {1000, 70000, 30000};
    memset(octets, 'x', sizeof octets);
    begin_wanted(true);
    flow_data(0, 0, 1000, octets, sizes[step], 1000);
    flow_data(0, 0, 1000 + sizes[step], octets, sizes[step], 1000);
    flow_data(0, 0, 1000 + 2 * sizes[step], octets, sizes[step], 1000);
    flow_data(0, 0, 1000 + 3 * sizes[step], flow_request, FLOW_FRAME, 1000);
    flow_close(0);
    ck_assert_int_eq(strstr(flows.logged, "request") != NULL, step == 0);
    observe_free(flows.obs);
    ck_assert_uint_eq(flows.memory.engines, 0);
  }
}
END_TEST

/* A startup after 30,000 octets of streaming data on a port that is taken as iWARP. */
static void wait_with(size_t memory) {
  static uint8_t octets[30000];
  memset(octets, 'x', sizeof octets);
  begin_wanted(true);
  flows.memory.limit = memory;
  flow_data(0, 0, 1000, octets, sizeof octets, 1000);
  flow_data(0, 0, 1000 + sizeof octets, flow_request, FLOW_FRAME, 1000);
}

START_TEST(what_waits_on_all_ports_follows_the_memory_of_the_run)
{
  wait_with(OBSERVE_BUDGET_DEFAULT);
  flow_close(0);
  ck_assert_ptr_null(flows.last_closed.given_up);
  ck_assert_ptr_nonnull(strstr(flows.logged, "request"));
  observe_free(flows.obs);
  wait_with((size_t)64 * 29000);
  flow_close(0);
  ck_assert_str_eq(flows.last_closed.given_up, "early-data");
  ck_assert_ptr_null(strstr(flows.logged, "request"));
  observe_free(flows.obs);
}
END_TEST

/* The octets that the sender of the Request had not received are missing before the first ones of
 * the other side: those are no Reply. */
START_TEST(octets_before_the_first_ones_are_missing)
{
  for (uint64_t lost = 0; lost < 60; lost += 20) {
    flows_begin(NULL);
    flow_open(0);
    flows.joined = true; /* side 1 */
    flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
    flow_data(0, 1, 1000 + lost, lost == 0 ? flow_reply : flow_fpdu,
              lost == 0 ? FLOW_FRAME : FLOW_FPDU, 1020);
    flow_close(0);
    ck_assert_str_eq(flows.logged, lost == 0
                                       ? "0a:request@1000 0b:reply@1000 0:closed(streaming 0/0) "
                                   : lost == 20 ? "0a:request@1000 0b:gap@1000 0b:fpdu@1020 "
                                                  "0:closed(streaming 0/0) "
                                                : "0a:request@1000 0b:gap@1000 0b:fpdu@1040 "
                                                  "0:closed(streaming 0/0) ");
    observe_free(flows.obs);
  }
}
END_TEST

START_TEST(a_port_without_octets_is_no_connection)
{
  flows_begin(ports);
  flow_open(0);
  flow_end(0, 0, 1000);
  finish("");
}
END_TEST

START_TEST(a_gap_that_hides_the_request_is_reported)
{
  start();
  flow_gap(0, 0, 1000, FLOW_FRAME);
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  finish("0b:reply@1000 0a:gap@1000 0a:fpdu@1020 0:closed(streaming 0/0) ");
}
END_TEST

/* A Request with a wrong key and 24 octets of Private Data, in which a right one lies. */
#define FLOW_NESTED (FLOW_FRAME + 24)

static void flow_nested_request(char out[FLOW_NESTED]) {
  memset(out, 0, FLOW_NESTED);
  memcpy(out, "MPA ID req Frame\0\1\0\30", FLOW_FRAME);
  memcpy(out + FLOW_FRAME, flow_request, FLOW_FRAME);
}

START_TEST(a_key_in_private_data_of_a_request_with_a_wrong_one_is_none)
{
  char nested[FLOW_NESTED];
  flow_nested_request(nested);
  for (size_t size = 1; size <= FLOW_NESTED; size++) {
    start();
    for (size_t at = 0; at < FLOW_NESTED; at += size) {
      const size_t left = FLOW_NESTED - at;
      flow_data(0, 0, 1000 + at, nested + at, left < size ? left : size, 1000);
    }
    flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1000 + FLOW_NESTED);
    flow_data(0, 0, 1000 + FLOW_NESTED, flow_fpdu, FLOW_FPDU, 1020);
    finish("0b:reply@1000 0a:request@1000 0a:fpdu@1044 0:closed(streaming 0/0) ");
  }
}
END_TEST

/* Its answer shows what it was; without one nothing does, and no key after it begins anything. */
START_TEST(a_wrong_key_without_an_answer_is_followed_by_none)
{
  char nested[FLOW_NESTED];
  flow_nested_request(nested);
  start();
  flow_data(0, 0, 1000, nested, FLOW_NESTED, 1000);
  flow_data(0, 0, 1000 + FLOW_NESTED, flow_request, FLOW_FRAME, 1020);
  finish("");
}
END_TEST

/* Streaming data may look like a frame, too: once it was answered, a key after it counts. */
START_TEST(a_key_after_an_answer_begins_a_connection)
{
  char nested[FLOW_NESTED];
  flow_nested_request(nested);
  start();
  flow_data(0, 0, 1000, nested, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, "well", 4, 1020);
  flow_data(0, 0, 1020, flow_request, FLOW_FRAME, 1004);
  flow_data(0, 1, 1004, flow_reply, FLOW_FRAME, 1040);
  finish("0a:request@1020 0b:reply@1004 0:closed(streaming 20/4) ");
}
END_TEST

START_TEST(a_request_with_a_wrong_key_is_known_by_its_reply)
{
  char wrong[FLOW_FRAME];
  memcpy(wrong, flow_request, FLOW_FRAME);
  wrong[8] = 'r';
  start();
  flow_data(0, 0, 1000, wrong, 7, 1000);
  flow_data(0, 0, 1007, wrong + 7, FLOW_FRAME - 7, 1000);
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  finish("0b:reply@1000 0a:request@1000 0a:fpdu@1020 0:closed(streaming 0/0) ");
}
END_TEST

START_TEST(an_answer_that_is_no_reply_makes_it_streaming_data)
{
  start();
  flow_data(0, 0, 1000, "give me a key, please", 21, 1000);
  flow_data(0, 1, 1000, "no", 2, 1021);
  flow_data(0, 1, 1002, flow_reply, FLOW_FRAME, 1021);
  finish("0b:reply@1002 0:closed(streaming 21/2) ");
}
END_TEST

START_TEST(a_side_that_ended_before_is_ended_in_the_engine)
{
  start();
  flow_end(0, 1, 1000);
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_end(0, 0, 1020);
  flow_end(0, 0, 1020);
  finish("0a:request@1000 0:closed(streaming 0/0) ");
}
END_TEST

/* One connection with a Reply, then `MANY` with a Request at most, in a budget for some of them;
 * returns how many were given up. */
enum { MANY = 2000 };

static void *many[MANY];

static size_t many_requests(void) {
  size_t given_up = 0;
  flows_begin(NULL);
  flows.memory.limit = 1024u * 1024u;
  memset(many, 0, sizeof many);
  for (size_t i = 0; i < MANY; i++) {
    flows.users[0] = NULL;
    flows.logged[0] = 0;
    flow_open(0);
    flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
    if (i == 0) {
      flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
    }
    many[i] = flows.users[0];
    given_up += strstr(flows.logged, "given up") != NULL;
    ck_assert(strncmp(flows.logged, "0:closed", 8) != 0);
  }
  return given_up;
}

static void many_close(void) {
  for (size_t i = 0; i < MANY; i++) {
    flows.logged[0] = 0;
    flows.users[0] = many[i];
    flow_close(0);
    ck_assert_ptr_null(strstr(flows.logged, "limit("));
  }
  observe_free(flows.obs);
}

START_TEST(those_with_a_request_alone_are_given_up_first)
{
  const size_t given_up = many_requests();
  ck_assert_uint_gt(given_up, 0);
  ck_assert_uint_lt(given_up, MANY - 1);
  ck_assert_uint_le(observe_used(flows.obs), flows.memory.limit);
  flows.logged[0] = 0;
  flows.users[0] = many[0]; /* the longest silent of all */
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  ck_assert_ptr_eq(strstr(flows.logged, "0a:fpdu@1020 "), flows.logged); /* another may go for it */
  flows.logged[0] = 0;
  flows.users[0] = many[1]; /* the longest silent with a Request */
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1000);
  ck_assert_ptr_null(strstr(flows.logged, "fpdu"));
  many_close();
}
END_TEST

START_TEST(a_connection_that_is_given_up_twice_is_counted_once)
{
  (void)many_requests();
  flows.memory.limit = SIZE_MAX;
  flows.logged[0] = 0;
  flows.users[0] = many[1];
  flows_send(0, (ingest_event){.kind = INGEST_EVENT_CLOSE, .limit = INGEST_LIMIT_MEMORY});
  ck_assert_str_eq(flows.logged, "");
  flows.joined = true; /* its packets go on: no start */
  for (int i = 0; i < 2; i++) {
    flows.users[0] = NULL;
    flow_open(0);
    flow_data(0, 1, 5000, "x", 1, 1000);
    flows_send(0, (ingest_event){.kind = INGEST_EVENT_CLOSE, .limit = INGEST_LIMIT_MEMORY});
    ck_assert_str_eq(flows.logged, "");
  }
  flows.joined = false;
  for (size_t i = 0; i < MANY; i++) {
    flows.users[0] = i == 1 ? NULL : many[i];
    if (i != 1) {
      flows.logged[0] = 0;
      flow_close(0);
    }
  }
  observe_free(flows.obs);
}
END_TEST

START_TEST(the_memory_that_is_wanted_would_do)
{
  (void)many_requests();
  const size_t wanted = observe_wanted(flows.obs);
  ck_assert_uint_gt(wanted, flows.memory.limit);
  many_close();
  flows_begin(NULL);
  flows.memory.limit = wanted;
  for (size_t i = 0; i < MANY; i++) {
    flows.users[0] = NULL;
    flows.logged[0] = 0;
    flow_open(0);
    flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
    many[i] = flows.users[0];
    ck_assert_ptr_null(strstr(flows.logged, "given up"));
  }
  ck_assert_uint_eq(observe_wanted(flows.obs), 0);
  many_close();
}
END_TEST

/* Ten octets of the key tell a Request from a Reply. */
START_TEST(ten_octets_of_a_startup_frame_begin_one)
{
  static const uint8_t request[] = "MPA ID Req Frame\0\1\0\4abcd!";
  static const uint8_t reply[] = "MPA ID Rep Frame\0\1\0\4abcd!";
  for (size_t len = 0; len <= 25; len++) {
    const ingest_opening part = len < 10 ? INGEST_OPENING_NONE : INGEST_OPENING_REQUEST_PART;
    const ingest_opening all = len == 24 ? INGEST_OPENING_REQUEST : INGEST_OPENING_NONE;
    ck_assert_int_eq(observe_opening(request, len), len < 24 ? part : all);
    ck_assert_int_eq(observe_opening(reply, len),
                     len < 10 ? INGEST_OPENING_NONE : INGEST_OPENING_REPLY);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_connection_is_found_by_its_request_and_decoded_to_its_end,
                                segments_that_go_to_the_engine_alone_need_no_events,
                                an_fpdu_whose_crc_is_good_has_a_hook_of_its_own,
                                the_connection_of_an_event_is_there_from_its_key_on,
                                other_connections_leave_no_trace,
                                every_split_of_the_startup_gives_the_same,
                                the_frame_of_a_request_is_the_latest_of_its_packets,
                                streaming_data_is_counted_on_both_sides,
                                numbers_follow_the_order_of_complete_startup_frames,
                                each_capture_numbers_its_own,
                                a_port_is_taken_as_iwarp_from_its_first_octets,
                                a_startup_counts_on_a_port_that_is_taken_as_iwarp,
                                what_waited_comes_in_its_order,
                                a_marker_before_an_fpdu_shows_full_operation,
                                a_key_in_two_segments_counts_on_a_port_that_is_taken_as_iwarp,
                                a_key_in_payload_is_none_in_the_middle_of_a_connection,
                                so_many_octets_wait_on_a_port,
                                what_waits_on_all_ports_follows_the_memory_of_the_run,
                                octets_before_the_first_ones_are_missing,
                                a_port_without_octets_is_no_connection,
                                a_gap_that_hides_the_request_is_reported,
                                a_request_with_a_wrong_key_is_known_by_its_reply,
                                a_key_in_private_data_of_a_request_with_a_wrong_one_is_none,
                                a_wrong_key_without_an_answer_is_followed_by_none,
                                a_key_after_an_answer_begins_a_connection,
                                an_answer_that_is_no_reply_makes_it_streaming_data,
                                a_side_that_ended_before_is_ended_in_the_engine,
                                those_with_a_request_alone_are_given_up_first,
                                a_connection_that_is_given_up_twice_is_counted_once,
                                the_memory_that_is_wanted_would_do,
                                ten_octets_of_a_startup_frame_begin_one,
                                NULL};
  return check_run(check_suite("tcp", tests));
}
