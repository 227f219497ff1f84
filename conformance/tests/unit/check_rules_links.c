/* SPDX-License-Identifier: BSD-2-Clause */
/* Which request a response answers, as iwarp_rules_link tells. */
#include "check_run.h"

#include "rules_fixture.h"
#include "test_pool.h"

#define SIZE 64u
#define RESPONSE_LEN 84u /* octets of an FPDU with a Read Response of SIZE octets */
#define WINDOWS 16u      /* responses that show how many requests wait at most */
#define MANY 40000u      /* requests: more than the queue holds */

static struct rules_fixture fixture;

static void setup(void) {
  fixture_init(&fixture);
  ck_assert_int_eq(iwarp_rules_follow_links(fixture.rules), IWARP_OK);
  fixture_begin_with(&fixture, IWARP_MPA_FLAG_C);
}

static void teardown(void) {
  fixture_free(&fixture);
}

static iwarp_link link_now(void) {
  return iwarp_rules_link(fixture.rules);
}

/* Sends Read Request `msn`, which is the request with this number. */
static void ask(uint32_t msn, uint64_t number, uint32_t reads) {
  fixture_read(&fixture, FIXTURE_INITIATOR, msn, SIZE);
  ck_assert_int_eq(link_now().kind, IWARP_LINK_REQUEST);
  ck_assert_uint_eq(link_now().request, number);
  ck_assert_int_eq(link_now().reads_known, reads != 0);
  ck_assert_uint_eq(link_now().reads, reads);
}

/* Sends a whole Read Response; 0: it is linked with no request. */
static void answer(uint64_t number) {
  fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_read_response(SIZE));
  ck_assert_int_eq(link_now().kind, number != 0 ? IWARP_LINK_RESPONSE : IWARP_LINK_NONE);
  ck_assert_uint_eq(link_now().request, number);
}

static void lose(unsigned side, uint64_t len) {
  fixture_gap(&fixture, side, len, IWARP_GAP_LOST);
  ck_assert_int_eq(link_now().kind, IWARP_LINK_NONE);
}

START_TEST(a_response_is_linked_with_its_request)
{
  ask(1, 1, 1);
  ask(2, 2, 2);
  answer(1);
  ask(3, 3, 2);
  answer(2);
  answer(3);
}
END_TEST

START_TEST(a_lost_response_shifts_no_later_one)
{
  ask(1, 1, 1);
  lose(FIXTURE_RESPONDER, RESPONSE_LEN);
  ask(2, 2, 1);
  answer(2);
  ask(3, 3, 1);
  answer(3);
}
END_TEST

START_TEST(a_request_before_missing_octets_is_not_linked)
{
  ask(1, 1, 1);
  ask(2, 2, 2);
  lose(FIXTURE_RESPONDER, RESPONSE_LEN);
  answer(0); /* it answers the second one */
  ask(3, 3, 1);
  answer(3);
}
END_TEST

START_TEST(missing_octets_hold_no_more_than_fits)
{
  ask(1, 1, 1);
  lose(FIXTURE_RESPONDER, RESPONSE_LEN - 4);
  ask(2, 2, 2);
  answer(0);
  answer(2);
}
END_TEST

/* More is missing than the Response: one request at a time waited, again and again. */
START_TEST(a_response_among_more_octets_shifts_no_later_one)
{
  for (uint32_t i = 1; i <= WINDOWS; i++) {
    ask(i, i, 1);
    answer(i);
  }
  ask(WINDOWS + 1, WINDOWS + 1, 1);
  lose(FIXTURE_RESPONDER, RESPONSE_LEN + 324);
  ask(WINDOWS + 2, WINDOWS + 2, 1);
  answer(WINDOWS + 2);
}
END_TEST

/* More requests may wait than did so far. */
START_TEST(other_octets_that_are_missing_answer_nothing)
{
  for (uint32_t i = 1; i < WINDOWS; i++) {
    ask(i, i, 1);
    answer(i);
  }
  ask(WINDOWS, WINDOWS, 1);
  lose(FIXTURE_RESPONDER, RESPONSE_LEN + 324);
  ask(WINDOWS + 1, WINDOWS + 1, 0);
  answer(0);
}
END_TEST

/* Something else is missing, and may have been the Response. */
START_TEST(other_octets_that_are_missing_link_nothing_wrong)
{
  ask(1, 1, 1);
  ask(2, 2, 2);
  lose(FIXTURE_RESPONDER, 324);
  answer(0);
  ask(3, 3, 0);
  answer(0);
  answer(3);
}
END_TEST

START_TEST(lost_requests_are_counted)
{
  ask(1, 1, 1);
  lose(FIXTURE_INITIATOR, 52);
  ask(3, 2, 0);
  answer(1);
  answer(0);
  answer(2);
  ask(4, 3, 1);
}
END_TEST

START_TEST(a_lost_request_that_was_answered_waits_no_more)
{
  lose(FIXTURE_INITIATOR, 52);
  answer(0);
  ask(2, 1, 1);
  answer(1);
}
END_TEST

START_TEST(atomic_responses_are_known_by_their_msn)
{
  const iwarp_rdmap_atomic_req add = fixture_fetch_add(42);
  for (uint32_t msn = 1; msn <= 3; msn++) {
    fixture_atomic(&fixture, FIXTURE_INITIATOR, msn, &add);
    ck_assert_uint_eq(link_now().request, msn);
    ck_assert(!link_now().reads_known);
  }
  fixture_atomic_response(&fixture, FIXTURE_RESPONDER, 1, 42);
  ck_assert_uint_eq(link_now().request, 1);
  lose(FIXTURE_RESPONDER, 36);
  fixture_atomic_response(&fixture, FIXTURE_RESPONDER, 3, 42);
  ck_assert_int_eq(link_now().kind, IWARP_LINK_RESPONSE);
  ck_assert_uint_eq(link_now().request, 3);
}
END_TEST

START_TEST(segments_say_whether_they_go_on)
{
  const struct fixture_seg first = fixture_more(fixture_tagged(IWARP_RDMAP_OP_WRITE, 7, 0, 8));
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, first);
  ck_assert_int_eq(link_now().goes_on, IWARP_TRISTATE_OFF);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 7, 8, 8));
  ck_assert_int_eq(link_now().goes_on, IWARP_TRISTATE_ON);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, first);
  lose(FIXTURE_INITIATOR, 28);
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_tagged(IWARP_RDMAP_OP_WRITE, 9, 0, 8));
  ck_assert_int_eq(link_now().goes_on, IWARP_TRISTATE_UNKNOWN);
}
END_TEST

START_TEST(any_number_of_requests_may_wait)
{
  for (uint32_t msn = 1; msn <= MANY; msn++) {
    fixture_read(&fixture, FIXTURE_INITIATOR, msn, SIZE);
  }
  ck_assert_uint_eq(link_now().request, MANY);
  answer(MANY - 16384 + 1); /* the oldest one that is kept */
}
END_TEST

#define SINK(msn) (0x1000u * (msn)) /* another place for each Read */

static void ask_later(uint32_t msn) {
  uint8_t octets[IWARP_RDMAP_READ_REQ_LEN];
  const iwarp_rdmap_read_req req = {.sink_stag = FIXTURE_SINK, .sink_to = SINK(msn), .size = SIZE};
  fixture_fpdu(&fixture, FIXTURE_INITIATOR, fixture_read_of(octets, msn, req));
  ck_assert_uint_eq(link_now().request, msn);
}

/* The capture begins after the startup: older Reads may wait, and the answers to the first ones may
 * be lost. An answer that fits one Read is linked with it, wherever that waits. */
START_TEST(an_answer_that_fits_one_read_is_linked_in_a_capture_that_begins_later)
{
  fixture_free(&fixture);
  fixture_init(&fixture);
  ck_assert_int_eq(iwarp_rules_follow_links(fixture.rules), IWARP_OK);
  for (uint32_t msn = 1; msn <= 3; msn++) {
    ask_later(msn);
  }
  fixture_fpdu(&fixture, FIXTURE_RESPONDER,
               fixture_tagged(IWARP_RDMAP_OP_READ_RESP, FIXTURE_SINK, SINK((unsigned)_i), SIZE));
  ck_assert_uint_eq(link_now().request, (unsigned)_i);
}
END_TEST

START_TEST(without_a_pool_nothing_is_linked)
{
  iwarp_rules_release(fixture.rules);
  ck_assert_int_eq(iwarp_rules_init(&fixture.rules, fixture.mem, IWARP_RULES_SIZE, NULL), IWARP_OK);
  ck_assert_int_eq(iwarp_rules_follow_links(fixture.rules), IWARP_ERR_NOBUF);
  ck_assert_int_eq(iwarp_rules_link(fixture.rules).kind, IWARP_LINK_NONE);
}
END_TEST

/* Whichever allocation fails, no finding is wrong and all memory is given back. */
START_TEST(memory_that_is_missing_links_nothing_wrong)
{
  static test_pool pool;
  iwarp_rules_release(fixture.rules);
  for (unsigned every = 1; every < 12; every++) {
    test_pool_begin(&pool, every);
    ck_assert_int_eq(iwarp_rules_init(&fixture.rules, fixture.mem, IWARP_RULES_SIZE, &pool.pool),
                     IWARP_OK);
    const bool linked = iwarp_rules_follow_links(fixture.rules) == IWARP_OK;
    for (uint32_t msn = 1; msn <= 20; msn++) {
      fixture_read(&fixture, FIXTURE_INITIATOR, msn, SIZE);
      ck_assert_uint_eq(link_now().request, linked ? msn : 0);
      fixture_fpdu(&fixture, FIXTURE_RESPONDER, fixture_read_response(SIZE));
      ck_assert(link_now().request == 0 || link_now().request == msn);
    }
    iwarp_rules_release(fixture.rules);
    ck_assert_uint_eq(pool.live, 0);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("rules_links");
  TCase *tcase = tcase_create("links");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, a_response_is_linked_with_its_request);
  tcase_add_test(tcase, a_lost_response_shifts_no_later_one);
  tcase_add_test(tcase, a_request_before_missing_octets_is_not_linked);
  tcase_add_test(tcase, missing_octets_hold_no_more_than_fits);
  tcase_add_test(tcase, a_response_among_more_octets_shifts_no_later_one);
  tcase_add_test(tcase, other_octets_that_are_missing_answer_nothing);
  tcase_add_test(tcase, other_octets_that_are_missing_link_nothing_wrong);
  tcase_add_test(tcase, lost_requests_are_counted);
  tcase_add_test(tcase, a_lost_request_that_was_answered_waits_no_more);
  tcase_add_test(tcase, atomic_responses_are_known_by_their_msn);
  tcase_add_test(tcase, segments_say_whether_they_go_on);
  tcase_add_test(tcase, any_number_of_requests_may_wait);
  tcase_add_loop_test(tcase, an_answer_that_fits_one_read_is_linked_in_a_capture_that_begins_later,
                      1, 4);
  tcase_add_test(tcase, without_a_pool_nothing_is_linked);
  tcase_add_test(tcase, memory_that_is_missing_links_nothing_wrong);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
