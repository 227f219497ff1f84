/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports of limits of DDP streams over SCTP, and of sessions that were captured in part. */
#include <string.h>

#include "check_run.h"
#include "observe/sctp_flow.h"
#include "observe_fixture.h"

static void *user;
static uint64_t next[2];
static bool lossless;

static void sctp_event(ingest_sctp_event ev) {
  static const ingest_addr addr[2] = {{.family = 4, .ip = {10, 0, 0, 1}, .port = 40000},
                                      {.family = 4, .ip = {10, 0, 0, 2}, .port = 7174}};
  ev.user = &user;
  ev.addr = addr;
  ev.pos = next[ev.side];
  ev.packet = ++flows.packet;
  ev.time_ns = flows.packet * 1000;
  for (unsigned i = 0; i < 2; i++) {
    ev.start_known[i] = true;
    ev.lossless[i] = lossless;
  }
  observe_sctp_event(flows.obs, &ev);
  ck_assert(!observe_failed(flows.obs));
  next[ev.side] += ev.len;
}

static void sctp_begin(void) {
  flows_begin(NULL);
  user = NULL;
  lossless = true;
  next[0] = 100;
  next[1] = 200;
  sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_OPEN});
}

static void sctp_say(uint8_t side, uint16_t stream, uint32_t ppid, const uint8_t *octets,
                     size_t n) {
  const ingest_sctp_message m = {
      .data = octets, .cap = n, .len = n, .stream = stream, .ppid = ppid, .fragments = 1};
  sctp_event(
      (ingest_sctp_event){.kind = INGEST_SCTP_MESSAGE, .side = side, .len = 1, .message = &m});
}

static void sctp_control(uint8_t side, uint16_t stream, uint16_t ssn, uint8_t function) {
  const uint8_t octets[4] = {(uint8_t)(ssn >> 8), (uint8_t)ssn, 0, function};
  sctp_say(side, stream, IWARP_SCTP_PPID_CONTROL, octets, sizeof octets);
}

static void sctp_start(uint16_t stream) {
  sctp_control(0, stream, 0, IWARP_SCTP_INITIATE);
  sctp_control(1, stream, 0, IWARP_SCTP_ACCEPT);
}

/* A Send, in `n` octets of payload. */
static void sctp_send(uint16_t stream, uint16_t ssn, size_t n) {
  static uint8_t octets[2 + 18 + 65536];
  memcpy(octets, "\0\0\x41\x43\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0", 20);
  octets[0] = (uint8_t)(ssn >> 8);
  octets[1] = (uint8_t)ssn;
  sctp_say(0, stream, IWARP_SCTP_PPID_SEGMENT, octets, 20 + n);
}

static void sctp_lose(ingest_limit limit, uint64_t len) {
  lossless = false;
  sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_LOST, .len = len, .limit = limit});
}

static void sctp_end(ingest_limit limit) {
  sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_CLOSE, .limit = limit});
  ck_assert_ptr_null(user);
  observe_free(flows.obs);
}

static void closed_with(const char *name) {
  if (name == NULL) {
    ck_assert_ptr_null(flows.last_closed.given_up);
  } else {
    ck_assert_ptr_nonnull(flows.last_closed.given_up);
    ck_assert_str_eq(flows.last_closed.given_up, name);
  }
}

START_TEST(an_association_that_is_given_up_gives_its_sessions_up)
{
  for (int limit = INGEST_LIMIT_NONE; limit <= INGEST_LIMIT_MESSAGE; limit++) {
    sctp_begin();
    sctp_start(1);
    sctp_end((ingest_limit)limit);
    closed_with(ingest_limit_name((ingest_limit)limit));
    ck_assert_ptr_null(strstr(flows.logged, "limit("));
  }
}
END_TEST

static size_t occurrences(const char *text) {
  size_t n = 0;
  for (const char *at = strstr(flows.logged, text); at != NULL; at = strstr(at + 1, text)) {
    n++;
  }
  return n;
}

/* Begins an association again, between the same ends, while another one is open. */
static void sctp_again(bool begins) {
  static const ingest_sctp_init init = {.whole = true};
  user = NULL;
  next[0] = 100;
  sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_OPEN});
  if (begins) {
    sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_INIT, .init = &init});
  }
}

/* An association that was given up and whose packets go on is no other one. */
START_TEST(an_association_that_goes_on_is_counted_once)
{
  for (unsigned begins = 0; begins < 2; begins++) {
    sctp_begin();
    void *first = user;
    sctp_again(false);
    sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_CLOSE, .limit = INGEST_LIMIT_MEMORY});
    sctp_again(begins == 1);
    sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_CLOSE, .limit = INGEST_LIMIT_MEMORY});
    ck_assert_uint_eq(occurrences("limit(memory"), 1 + begins);
    sctp_again(false);
    lossless = false; /* its session is found in its midst */
    sctp_send(1, 5, 0);
    sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_CLOSE, .limit = INGEST_LIMIT_MEMORY});
    ck_assert(flows.last_closed.recounted);
    closed_with("memory");
    user = first;
    sctp_start(1);
    sctp_end(INGEST_LIMIT_MEMORY);
    ck_assert(!flows.last_closed.recounted); /* it begins in the capture */
  }
}
END_TEST

/* An association with I-DATA chunks counts, unless a side left DDP out as it began. */
START_TEST(associations_that_cannot_be_read_are_counted)
{
  static const struct {
    bool opaque;
    bool seen[2];
    uint32_t adaptation[2]; /* 0: none */
    uint64_t counted;
  } rows[] = {{.opaque = true, .counted = 1},  {.opaque = false, .counted = 0},
              {true, {true, true}, {1, 1}, 1}, {true, {true, false}, {1, 0}, 1},
              {true, {true, true}, {1, 0}, 0}, {true, {true, true}, {0, 1}, 0},
              {true, {true, true}, {1, 2}, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sctp_begin();
    for (uint8_t side = 0; side < 2; side++) {
      const ingest_sctp_init init = {.ack = side == 1,
                                     .whole = true,
                                     .has_adaptation = rows[i].adaptation[side] != 0,
                                     .adaptation = rows[i].adaptation[side]};
      if (rows[i].seen[side]) {
        sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_INIT, .side = side, .init = &init});
      }
    }
    sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_CLOSE, .opaque = rows[i].opaque});
    ck_assert_uint_eq(observe_found_get(flows.obs)->sctp, 1);
    ck_assert_uint_eq(observe_found_get(flows.obs)->sctp_opaque, rows[i].counted);
    observe_free(flows.obs);
  }
}
END_TEST

START_TEST(what_a_limit_cost_is_reported_of_each_session_of_that_time)
{
  sctp_begin();
  sctp_start(1);
  sctp_start(2);
  sctp_lose(INGEST_LIMIT_MESSAGE, 3);
  sctp_start(3);
  sctp_end(INGEST_LIMIT_MESSAGE);
  ck_assert_ptr_nonnull(strstr(flows.logged, "0:closed(streaming 0/0, given up) "));
  ck_assert_ptr_nonnull(strstr(flows.logged, "1:closed(streaming 0/0, given up) "));
  ck_assert_ptr_null(strstr(flows.logged, "limit("));
}
END_TEST

START_TEST(what_was_lost_before_may_have_been_the_beginning)
{
  sctp_begin();
  sctp_lose(INGEST_LIMIT_MEMORY, 0);
  sctp_start(1);
  sctp_end(INGEST_LIMIT_MEMORY);
  closed_with("memory");
  sctp_begin();
  sctp_lose(INGEST_LIMIT_NONE, 3);
  sctp_start(1);
  sctp_end(INGEST_LIMIT_NONE);
  closed_with(NULL);
}
END_TEST

/* ---- how a session ends ---- */

/* Ends the association; the only session ended so, in this frame. */
static void ended_by(observe_how how, uint8_t side, uint64_t frame) {
  const observe_outcome *outcome = &flows.last_closed.outcome;
  sctp_end(INGEST_LIMIT_NONE);
  ck_assert_int_eq(outcome->how, how);
  ck_assert(outcome->ended && !outcome->reset);
  ck_assert_uint_eq(outcome->side, side);
  ck_assert_uint_eq(outcome->packet, frame);
}

static void ended_by_nobody(observe_how how) {
  sctp_end(INGEST_LIMIT_NONE);
  ck_assert_int_eq(flows.last_closed.outcome.how, how);
  ck_assert(!flows.last_closed.outcome.ended);
}

START_TEST(session_terminates_stand_for_fins)
{
  for (uint8_t side = 0; side < 2; side++) {
    sctp_begin();
    sctp_start(1);
    sctp_control(side, 1, 1, IWARP_SCTP_TERMINATE);
    ended_by(OBSERVE_HALF_CLOSED, side, 4);
    sctp_begin();
    sctp_start(1);
    sctp_control(side, 1, 1, IWARP_SCTP_TERMINATE);
    sctp_control(1 - side, 1, 1, IWARP_SCTP_TERMINATE);
    ended_by(OBSERVE_CLOSED, side, 4);
  }
  sctp_begin();
  sctp_start(1);
  ended_by_nobody(OBSERVE_OPEN);
}
END_TEST

START_TEST(a_session_is_rejected_by_a_reject_or_by_a_terminate_without_an_accept)
{
  sctp_begin();
  sctp_control(0, 1, 0, IWARP_SCTP_INITIATE);
  sctp_control(1, 1, 0, IWARP_SCTP_REJECT);
  ended_by(OBSERVE_REJECTED, 1, 3);
  sctp_begin();
  sctp_control(0, 1, 0, IWARP_SCTP_INITIATE);
  sctp_control(1, 1, 0, IWARP_SCTP_TERMINATE);
  sctp_control(0, 1, 1, IWARP_SCTP_TERMINATE);
  ended_by(OBSERVE_REJECTED, 1, 3);
  sctp_begin(); /* no Initiate asked, so it ends nothing */
  sctp_control(1, 1, 0, IWARP_SCTP_TERMINATE);
  ended_by_nobody(OBSERVE_UNKNOWN);
}
END_TEST

/* An answer with Private Data that is too long still answers, but the startup failed. */
START_TEST(a_control_message_may_be_malformed)
{
  static const uint8_t answers[] = {IWARP_SCTP_ACCEPT, IWARP_SCTP_ENHANCED_ACCEPT};
  for (size_t i = 0; i < sizeof answers; i++) {
    uint8_t octets[4 + 600] = {0, 0, 0, answers[i]};
    sctp_begin();
    sctp_control(0, 1, 0, i == 0 ? IWARP_SCTP_INITIATE : IWARP_SCTP_ENHANCED_INITIATE);
    sctp_say(1, 1, IWARP_SCTP_PPID_CONTROL, octets, sizeof octets);
    sctp_control(1, 1, 1, IWARP_SCTP_TERMINATE);
    sctp_end(INGEST_LIMIT_NONE);
    ck_assert_int_eq(flows.last_closed.outcome.how, OBSERVE_STARTUP_FAILED);
  }
  sctp_begin();
  sctp_control(0, 1, 0, IWARP_SCTP_INITIATE);
  sctp_say(1, 1, IWARP_SCTP_PPID_CONTROL, (const uint8_t *)"\0\0\0", 3);
  ended_by_nobody(OBSERVE_STARTUP_FAILED);
}
END_TEST

START_TEST(an_association_without_sessions_is_counted)
{
  sctp_begin();
  sctp_lose(INGEST_LIMIT_HELD_OCTETS, 3);
  sctp_end(INGEST_LIMIT_HELD_OCTETS);
  ck_assert_str_eq(flows.logged, "limit(held-octets 1) ");
  sctp_begin();
  sctp_end(INGEST_LIMIT_CONNECTIONS);
  ck_assert_str_eq(flows.logged, "limit(connections 1) ");
}
END_TEST

/* How a session ends of which only this side's message was captured. */
static observe_how how_alone(uint16_t ssn, uint8_t function) {
  sctp_begin();
  sctp_lose(INGEST_LIMIT_NONE, 1);
  sctp_control(1, 1, ssn, function);
  sctp_end(INGEST_LIMIT_NONE);
  return flows.last_closed.outcome.how;
}

START_TEST(a_reject_is_one_where_its_initiate_was_not_captured)
{
  ck_assert_int_eq(how_alone(0, IWARP_SCTP_REJECT), OBSERVE_REJECTED);
  ck_assert_uint_eq(flows.last_closed.outcome.side, 1);
  ck_assert_uint_eq(flows.last_closed.outcome.packet, flows.packet - 1);
  ck_assert(flows.last_closed.proven);
  ck_assert_int_eq(how_alone(1, IWARP_SCTP_REJECT), OBSERVE_UNKNOWN);
  ck_assert_int_eq(how_alone(0, IWARP_SCTP_ACCEPT), OBSERVE_UNKNOWN);
  ck_assert(flows.last_closed.proven);
  ck_assert_int_ne(how_alone(0, IWARP_SCTP_TERMINATE), OBSERVE_REJECTED);
  ck_assert(!flows.last_closed.proven);
}
END_TEST

START_TEST(a_reject_after_the_accept_is_none)
{
  sctp_begin();
  sctp_start(1);
  sctp_control(1, 1, 1, IWARP_SCTP_REJECT);
  sctp_end(INGEST_LIMIT_NONE);
  ck_assert_int_ne(flows.last_closed.outcome.how, OBSERVE_REJECTED);
}
END_TEST

static void on_quiet_closed(void *ctx, observe_conn *conn) {
  uint64_t *given_up = ctx;
  if (conn->given_up != NULL) {
    ck_assert_str_eq(conn->given_up, "streams");
    ++*given_up;
  }
}

START_TEST(a_limit_on_open_streams_is_reported)
{
  for (unsigned more = 0; more < 2; more++) {
    uint64_t given_up = 0;
    const observe_cfg cfg = {.ports = NULL};
    const observe_hooks hooks = {.ctx = &given_up, .closed = on_quiet_closed};
    next[0] = next[1] = 100;
    lossless = true;
    user = NULL;
    flows.obs = observe_new(&cfg, &hooks);
    ck_assert_ptr_nonnull(flows.obs);
    observe_file(flows.obs, "test");
    sctp_event((ingest_sctp_event){.kind = INGEST_SCTP_OPEN});
    for (unsigned i = 0; i < OBSERVE_SCTP_STREAMS_MAX + more; i++) {
      sctp_control(0, (uint16_t)(i * 16 + i / 4096), 0, IWARP_SCTP_INITIATE);
    }
    sctp_end(INGEST_LIMIT_NONE);
    ck_assert_uint_eq(given_up, more);
  }
}
END_TEST

/* DDP-SSN 1 is missing, though no TSN is. */
static void sctp_wait(unsigned n) {
  sctp_begin();
  sctp_start(1);
  for (unsigned i = 0; i < n; i++) {
    flows.logged[0] = 0;
    sctp_send(1, (uint16_t)(2 + i), 4);
  }
  flows.logged[0] = 0;
}

START_TEST(a_limit_on_waiting_messages_is_reported)
{
  sctp_wait(IWARP_SCTP_OBSERVER_WINDOW - 1);
  sctp_send(1, 1, 4);
  flows.logged[0] = 0;
  sctp_end(INGEST_LIMIT_NONE);
  closed_with(NULL);
  sctp_wait(IWARP_SCTP_OBSERVER_WINDOW + 1);
  sctp_end(INGEST_LIMIT_NONE);
  closed_with("held-octets");
}
END_TEST

START_TEST(a_limit_on_waiting_octets_is_reported)
{
  sctp_begin();
  for (uint16_t stream = 0; stream < 3; stream++) {
    sctp_start(stream);
  }
  size_t held = 0;
  const size_t each = sizeof(sctp_msg) + 20 + 65000;
  for (uint16_t i = 0; held + each <= SCTP_HELD_MAX; i++, held += each) {
    flows.logged[0] = 0;
    sctp_send(i % 3, (uint16_t)(2 + i / 3), 65000);
    ck_assert_str_eq(flows.logged, "");
  }
  sctp_send(0, 100, 65000);
  ck_assert_ptr_nonnull(strstr(flows.logged, "segment"));
  flows.logged[0] = 0;
  sctp_end(INGEST_LIMIT_NONE);
  ck_assert_ptr_nonnull(strstr(flows.logged, "0:closed(streaming 0/0, given up)"));
  ck_assert_ptr_null(strstr(flows.logged, "1:closed(streaming 0/0, given up)"));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("observe_sctp");
  TCase *tcase = tcase_create("limits");
  tcase_add_test(tcase, an_association_that_is_given_up_gives_its_sessions_up);
  tcase_add_test(tcase, an_association_that_goes_on_is_counted_once);
  tcase_add_test(tcase, associations_that_cannot_be_read_are_counted);
  tcase_add_test(tcase, what_a_limit_cost_is_reported_of_each_session_of_that_time);
  tcase_add_test(tcase, what_was_lost_before_may_have_been_the_beginning);
  tcase_add_test(tcase, session_terminates_stand_for_fins);
  tcase_add_test(tcase, a_session_is_rejected_by_a_reject_or_by_a_terminate_without_an_accept);
  tcase_add_test(tcase, a_control_message_may_be_malformed);
  tcase_add_test(tcase, an_association_without_sessions_is_counted);
  tcase_add_test(tcase, a_limit_on_open_streams_is_reported);
  tcase_add_test(tcase, a_limit_on_waiting_messages_is_reported);
  tcase_add_test(tcase, a_limit_on_waiting_octets_is_reported);
  suite_add_tcase(suite, tcase);
  tcase = tcase_create("outcomes");
  tcase_add_test(tcase, a_reject_is_one_where_its_initiate_was_not_captured);
  tcase_add_test(tcase, a_reject_after_the_accept_is_none);
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
