/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports of limits that were reached, and of octets that could not be decoded. */
#include <string.h>

#include "check_run.h"
#include "observe/early_data.h"
#include "observe_fixture.h"

static void flow_limited_gap(uint64_t pos, uint64_t n) {
  flows_send(0, (ingest_event){.kind = INGEST_EVENT_GAP,
                               .side = 0,
                               .pos = pos,
                               .len = n,
                               .limit = INGEST_LIMIT_HELD_OCTETS});
}

static void flow_limited_close(ingest_limit limit) {
  flows_send(0, (ingest_event){.kind = INGEST_EVENT_CLOSE, .limit = limit});
}

static void flow_fin(uint8_t side, uint64_t pos) {
  flows_send(
      0, (ingest_event){.kind = INGEST_EVENT_END, .side = side, .pos = pos, .end = INGEST_END_FIN});
}

static void flow_capture_end(uint8_t side, uint64_t pos) {
  flows_send(0, (ingest_event){
                    .kind = INGEST_EVENT_END, .side = side, .pos = pos, .end = INGEST_END_CAPTURE});
}

static void flow_startup(void) {
  flow_open(0);
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
}

/* ---- limits of ingest ---- */

START_TEST(a_connection_that_is_given_up_carries_the_name_of_the_limit)
{
  flows_begin(NULL);
  flow_startup();
  flow_limited_close(INGEST_LIMIT_MEMORY);
  ck_assert_ptr_nonnull(strstr(flows.logged, "0:closed(streaming 0/0, given up) "));
  ck_assert_ptr_null(strstr(flows.logged, "limit("));
  ck_assert_str_eq(flows.last_closed.given_up, "memory");
  observe_free(flows.obs);
}
END_TEST

START_TEST(the_first_limit_counts)
{
  flows_begin(NULL);
  flow_startup();
  flow_limited_gap(1020, 10);
  flow_limited_close(INGEST_LIMIT_CONNECTIONS);
  ck_assert_str_eq(flows.last_closed.given_up, "held-octets");
  observe_free(flows.obs);
}
END_TEST

START_TEST(a_flow_that_is_given_up_before_it_is_known_is_counted)
{
  flows_begin(NULL);
  flow_open(0);
  flow_data(0, 0, 1000, "GET", 3, 1000);
  flow_limited_close(INGEST_LIMIT_CONNECTIONS);
  ck_assert_str_eq(flows.logged, "limit(connections 1) ");
  observe_free(flows.obs);
}
END_TEST

START_TEST(octets_lost_to_a_limit_may_have_been_a_request)
{
  flows_begin(NULL);
  flow_open(0);
  flow_limited_gap(1000, 30);
  flow_close(0);
  ck_assert_str_eq(flows.logged, "limit(held-octets 1) ");
  observe_free(flows.obs);
  flows_begin(NULL);
  flow_open(0);
  flow_limited_gap(1000, 30);
  flow_data(0, 0, 1030, flow_request, FLOW_FRAME, 1000);
  flow_close(0);
  ck_assert_str_eq(flows.logged, "0a:request@1030 0:closed(streaming 0/0, given up) ");
  ck_assert_str_eq(flows.last_closed.given_up, "held-octets");
  observe_free(flows.obs);
}
END_TEST

START_TEST(without_a_limit_nothing_is_given_up)
{
  flows_begin(NULL);
  flow_startup();
  flow_gap(0, 0, 1020, 10);
  flow_close(0);
  ck_assert_ptr_null(flows.last_closed.given_up);
  flow_open(0);
  flow_gap(0, 0, 1020, 10);
  flow_close(0);
  ck_assert_ptr_null(strstr(flows.logged, "limit("));
  observe_free(flows.obs);
}
END_TEST

START_TEST(a_limit_without_events_is_passed_on)
{
  const observe_cfg cfg = {.ports = NULL};
  const observe_hooks none = {.ctx = NULL};
  flows_begin(NULL);
  observe_limit(flows.obs, "memory", 0);
  observe_limit(flows.obs, "memory", 2);
  ck_assert_str_eq(flows.logged, "limit(memory 2) ");
  observe_free(flows.obs);
  flows.obs = observe_new(&cfg, &none);
  observe_limit(flows.obs, "memory", 1);
  observe_file(flows.obs, "test");
  flow_startup();
  flow_limited_close(INGEST_LIMIT_MEMORY);
  ck_assert(!observe_failed(flows.obs));
  observe_free(flows.obs);
}
END_TEST

/* ---- the beginning of a stream ---- */

/* A Request with a wrong key and `len` octets in all, then a Reply. */
static void early_of(size_t len, size_t pieces) {
  static char octets[EARLY_DATA_OCTETS + 1];
  memset(octets, 'x', sizeof octets);
  flows_begin(NULL);
  flow_open(0);
  for (size_t i = 0, at = 0; i < pieces; i++) {
    const size_t n = i + 1 < pieces ? 1 : len - at;
    flow_data(0, 0, 1000 + at, octets + at, n, 1000);
    at += n;
  }
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1000 + len);
  flow_close(0);
}

START_TEST(the_beginning_of_a_stream_is_kept_up_to_its_limits)
{
  early_of(EARLY_DATA_OCTETS, 1);
  ck_assert_str_eq(flows.logged, "0b:reply@1000 0a:request@1000 0:closed(streaming 0/0) ");
  ck_assert_ptr_null(flows.last_closed.given_up);
  observe_free(flows.obs);
  early_of(EARLY_DATA_OCTETS, EARLY_DATA_OCTETS);
  ck_assert_str_eq(flows.logged, "0b:reply@1000 0a:request@1000 0:closed(streaming 0/0) ");
  ck_assert_ptr_null(flows.last_closed.given_up);
  observe_free(flows.obs);
}
END_TEST

START_TEST(beyond_them_it_counts_as_missing_and_the_limit_is_said)
{
  early_of(EARLY_DATA_OCTETS + 1, 1);
  ck_assert_str_eq(flows.logged, "0b:reply@1000 0a:gap@1000 0:closed(streaming 1025/0, given up) ");
  ck_assert_str_eq(flows.last_closed.given_up, "early-data");
  observe_free(flows.obs);
  early_of(EARLY_DATA_OCTETS + 1, EARLY_DATA_OCTETS + 1);
  ck_assert_str_eq(flows.last_closed.given_up, "early-data");
  observe_free(flows.obs);
}
END_TEST

START_TEST(a_beginning_that_decides_nothing_is_dropped_without_a_word)
{
  static const char octets[EARLY_DATA_OCTETS + 1];
  flows_begin(NULL);
  flow_open(0);
  flow_data(0, 0, 1000, octets, sizeof octets, 1000);
  flow_data(0, 1, 1000, "no", 2, 2025);
  flow_data(0, 1, 1002, flow_reply, FLOW_FRAME, 2025);
  flow_close(0);
  ck_assert_str_eq(flows.logged, "0b:reply@1002 0:closed(streaming 1025/2) ");
  ck_assert_ptr_null(flows.last_closed.given_up);
  observe_free(flows.obs);
}
END_TEST

/* ---- memory ---- */

START_TEST(all_memory_is_given_back_and_charged_while_it_is_used)
{
  flows_begin(NULL);
  ck_assert_uint_eq(flows.memory.engines, 0);
  flow_open(0);
  const size_t flow = flows.memory.engines;
  ck_assert_uint_gt(flow, 0);
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  const size_t one = flows.memory.engines;
  ck_assert_uint_gt(one, flow + 2048);
  ck_assert_uint_lt(one, flow + 24576);
  static const char payload[30000] = "\xEA\x60\x41\x43";
  flow_data(0, 1, 1000, flow_reply, FLOW_FRAME, 1020);
  flow_data(0, 0, 1020, payload, sizeof payload, 1020);
  ck_assert_uint_ge(flows.memory.engines, one + 28000);
  flow_close(0);
  ck_assert_uint_eq(flows.memory.engines, 0);
  ck_assert(!observe_give_up(flows.obs));
  observe_free(flows.obs);
}
END_TEST

START_TEST(beyond_the_budget_the_longest_silent_goes)
{
  flows_begin(NULL);
  flow_open(0);
  const size_t flow = flows.memory.engines;
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  const size_t one = flows.memory.engines;
  flows.memory.limit =
      2 * one + one / 4 + flow; /* the TCP connection stays known; some memory is left free */
  flow_open(1);
  flow_data(1, 0, 1000, flow_request, FLOW_FRAME, 1000);
  ck_assert_ptr_null(strstr(flows.logged, "closed"));
  flows.logged[0] = 0;
  flow_open(2);
  flow_data(2, 0, 1000, flow_request, FLOW_FRAME, 1000);
  ck_assert_str_eq(flows.logged, "2a:request@1000 0:closed(streaming 0/0, given up) ");
  ck_assert_str_eq(flows.last_closed.given_up, "memory");
  flows.memory.limit = 1; /* the one that has just spoken stays, whatever it takes */
  flows.logged[0] = 0;
  flow_data(1, 1, 1000, flow_reply, FLOW_FRAME, 1020);
  ck_assert_str_eq(flows.logged, "1b:reply@1000 2:closed(streaming 0/0, given up) ");
  flows.memory.limit = SIZE_MAX;
  ck_assert(observe_give_up(flows.obs));
  for (size_t i = 0; i < FLOWS_MAX; i++) {
    flow_close(i);
  }
  ck_assert_uint_eq(flows.memory.engines, 0);
  observe_free(flows.obs);
}
END_TEST

START_TEST(ingest_may_have_half)
{
  const observe_budget b = {.limit = 1000, .ingest = 400, .engines = 500};
  ck_assert(observe_budget_ingest_may(&b, 100));
  ck_assert(!observe_budget_ingest_may(&b, 101));
  ck_assert(!observe_budget_ingest_may(&b, SIZE_MAX));
  ck_assert(!observe_budget_over(&b, 100));
  ck_assert(observe_budget_over(&b, 101));
  ck_assert(observe_budget_over(&b, SIZE_MAX));
  const observe_budget full = {.limit = 1000, .ingest = 600, .engines = 500};
  ck_assert(observe_budget_over(&full, 0));
}
END_TEST

/* ---- octets that could not be decoded ---- */

START_TEST(an_fpdu_that_its_sender_cuts_off_could_not_be_decoded)
{
  flows_begin(NULL);
  flow_startup();
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  flow_data(0, 0, 1020 + FLOW_FPDU, flow_fpdu, FLOW_FPDU - 1, 1020);
  flow_fin(0, 1020 + 2 * FLOW_FPDU - 1);
  flow_close(0);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].octets, FLOW_FPDU - 1);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].pos, 1020 + FLOW_FPDU);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].offset, FLOW_FPDU);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].packet, 5);
  ck_assert_uint_eq(flows.last_closed.undecodable[1].octets, 0);
  observe_free(flows.obs);
}
END_TEST

START_TEST(one_that_the_capture_cuts_off_is_excused)
{
  flows_begin(NULL);
  flow_startup();
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU - 1, 1020);
  flow_capture_end(0, 1020 + FLOW_FPDU - 1);
  flow_close(0);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].octets, 0);
  observe_free(flows.obs);
}
END_TEST

START_TEST(octets_that_begin_no_fpdu_could_not_be_decoded)
{
  static const char octets[300] = "no FPDU";
  flows_begin(NULL);
  flow_open(0);
  flow_data(0, 0, 1000, flow_request, FLOW_FRAME, 1000);
  flow_data(0, 0, 1020, octets, sizeof octets, 1000);
  flow_capture_end(0, 1020 + sizeof octets);
  flow_close(0);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].octets, sizeof octets);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].pos, 1020);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].packet, 3);
  observe_free(flows.obs);
}
END_TEST

/* Their first two are a ULPDU_Length that the octets available do not fill. */
START_TEST(octets_that_do_not_look_like_an_fpdu_are_not_excused_by_the_end)
{
  static const char octets[300] = "hello, no FPDU";
  flows_begin(NULL);
  flow_startup();
  flow_data(0, 0, 1020, flow_fpdu, FLOW_FPDU, 1020);
  flow_data(0, 0, 1020 + FLOW_FPDU, octets, sizeof octets, 1020);
  flow_capture_end(0, 1020 + FLOW_FPDU + sizeof octets);
  flow_close(0);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].octets, sizeof octets);
  ck_assert_uint_eq(flows.last_closed.undecodable[0].offset, FLOW_FPDU);
  observe_free(flows.obs);
}
END_TEST

START_TEST(octets_after_a_gap_are_excused)
{
  flows_begin(NULL);
  flow_startup();
  flow_gap(0, 0, 1020, 1);
  flow_data(0, 0, 1021, flow_fpdu, FLOW_FPDU - 1, 1020);
  flow_fin(0, 1020 + FLOW_FPDU);
  flow_close(0);
  ck_assert_ptr_nonnull(strstr(flows.logged, "0a:undecodable@1021"));
  ck_assert_uint_eq(flows.last_closed.undecodable[0].octets, 0);
  observe_free(flows.obs);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_connection_that_is_given_up_carries_the_name_of_the_limit,
                                the_first_limit_counts,
                                a_flow_that_is_given_up_before_it_is_known_is_counted,
                                octets_lost_to_a_limit_may_have_been_a_request,
                                without_a_limit_nothing_is_given_up,
                                a_limit_without_events_is_passed_on,
                                the_beginning_of_a_stream_is_kept_up_to_its_limits,
                                beyond_them_it_counts_as_missing_and_the_limit_is_said,
                                a_beginning_that_decides_nothing_is_dropped_without_a_word,
                                all_memory_is_given_back_and_charged_while_it_is_used,
                                beyond_the_budget_the_longest_silent_goes,
                                ingest_may_have_half,
                                an_fpdu_that_its_sender_cuts_off_could_not_be_decoded,
                                one_that_the_capture_cuts_off_is_excused,
                                octets_that_begin_no_fpdu_could_not_be_decoded,
                                octets_that_do_not_look_like_an_fpdu_are_not_excused_by_the_end,
                                octets_after_a_gap_are_excused,
                                NULL};
  return check_run(check_suite("limits", tests));
}
