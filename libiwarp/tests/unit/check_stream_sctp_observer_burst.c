/* SPDX-License-Identifier: BSD-2-Clause */
/* Terminate Messages on one stream after the other: what breaks a burst, and what the end of its
 * stream says.
 */
#include <string.h>

#include <iwarp/sctp_observer.h>

#include "check_run.h"
#include "sctp_observer/state.h"

enum { STREAMS = 3, TERMINATOR = 1, PEER = 0 };

static iwarp_sctp_assoc assoc;
static iwarp_sctp_observer obs[STREAMS];
static iwarp_sctp_captured captured[STREAMS];
static iwarp_event ev;

static void begin(void) {
  memset(&assoc, 0, sizeof assoc);
  memset(obs, 0, sizeof obs);
  memset(captured, 0, sizeof captured);
  assoc.next[PEER] = 50;
  for (uint16_t i = 0; i < STREAMS; i++) {
    obs[i].assoc = &assoc;
    obs[i].stream = i;
    obs[i].facts.u.message.captured = &captured[i];
  }
}

static void note(unsigned stream, iwarp_event_kind kind, iwarp_sctp_state state) {
  ev.kind = kind;
  obs[stream].facts.u.message.state = state;
  iwarpi_sctp_observer_burst_note(&obs[stream], &ev);
}

static void accept(unsigned stream) {
  note(stream, IWARP_EVENT_SCTP_MESSAGE, IWARP_SCTP_STATE_EST);
}

/* All streams have a session. */
static void begin_accepted(void) {
  begin();
  for (unsigned i = 0; i < STREAMS; i++) {
    accept(i);
  }
}

static void terminate(unsigned stream, iwarp_rdmap_term t) {
  ev = (iwarp_event){.side = TERMINATOR, .pos = 100u + stream};
  ev.first.packet = ev.last.packet = 10u + 10u * stream;
  ev.u.fpdu.seg.kind = IWARP_RDMAP_KIND_TERM;
  ev.u.fpdu.seg.u.term = t;
  note(stream, IWARP_EVENT_SCTP_SEGMENT, IWARP_SCTP_STATE_EST);
}

#define TERMINATE(stream, ...) terminate(stream, (iwarp_rdmap_term){__VA_ARGS__})

/* The burst that the END of the stream tells, once `side` ended the association. */
static uint32_t tells(unsigned stream, uint8_t side) {
  obs[stream].facts.certainty.burst.streams = 0;
  obs[stream].facts.certainty.burst.ended = false;
  iwarpi_sctp_observer_burst_end(&obs[stream], side);
  return obs[stream].facts.certainty.burst.streams;
}

static uint32_t ended(unsigned stream) {
  iwarp_sctp_assoc_ended(&assoc, TERMINATOR, 99);
  return tells(stream, TERMINATOR);
}

START_TEST(the_end_of_the_last_stream_tells_the_burst)
{
  begin_accepted();
  for (unsigned i = 0; i < STREAMS; i++) {
    TERMINATE(i, .layer = 2, .etype = 1, .code = 7);
    ck_assert_uint_eq(tells(i, TERMINATOR), 0); /* the association goes on */
  }
  ck_assert_uint_eq(ended(STREAMS - 1), STREAMS);
  ck_assert_uint_eq(obs[STREAMS - 1].facts.certainty.burst.sessions, STREAMS);
  ck_assert_uint_eq(obs[STREAMS - 1].facts.certainty.burst.pos, 100 + STREAMS - 1);
  ck_assert_uint_eq(obs[STREAMS - 1].facts.certainty.burst.last.packet, 10 * STREAMS);
  ck_assert_uint_eq(obs[STREAMS - 1].facts.certainty.burst.ended_packet, 99);
  ck_assert_uint_eq(tells(0, TERMINATOR), 0);
  ck_assert_uint_eq(tells(STREAMS - 1, PEER), 0);
  for (unsigned i = 0; i < STREAMS; i++) { /* what was so at the end stays so */
    ck_assert_uint_eq(tells(i, TERMINATOR), i == STREAMS - 1 ? STREAMS : 0);
    iwarpi_sctp_observer_burst_over(&obs[i]);
    ck_assert_uint_eq(tells(i, TERMINATOR), 0);
  }
  ck_assert_uint_eq(assoc.sessions, 0);
}
END_TEST

START_TEST(the_side_that_ends_the_association_must_have_sent_them)
{
  begin_accepted();
  TERMINATE(0, .layer = 2);
  iwarp_sctp_assoc_ended(&assoc, PEER, 99);
  ck_assert_uint_eq(tells(0, TERMINATOR), 0);
  ck_assert(!obs[0].facts.certainty.burst.ended);
  ck_assert_uint_eq(tells(0, PEER), 0);
  ck_assert(obs[0].facts.certainty.burst.ended);
}
END_TEST

/* Streams of the burst after Terminates on the first two, of which the second is `second`. */
static uint32_t after(iwarp_rdmap_term second) {
  begin_accepted();
  TERMINATE(0, .layer = 1, .etype = 2, .code = 3);
  terminate(1, second);
  return ended(1);
}

#define AFTER(...) after((iwarp_rdmap_term){__VA_ARGS__})

START_TEST(another_error_begins_another_burst)
{
  ck_assert_uint_eq(AFTER(.layer = 1, .etype = 2, .code = 3), 2);
  ck_assert_uint_eq(AFTER(.layer = 2, .etype = 2, .code = 3), 1);
  ck_assert_uint_eq(AFTER(.layer = 1, .etype = 3, .code = 3), 1);
  ck_assert_uint_eq(AFTER(.layer = 1, .etype = 2, .code = 4), 1);
}
END_TEST

START_TEST(a_terminate_about_a_segment_is_none_of_a_burst)
{
  ck_assert_uint_eq(AFTER(.layer = 1, .etype = 2, .code = 3, .m = true), 0);
  ck_assert_uint_eq(AFTER(.layer = 1, .etype = 2, .code = 3, .d = true), 0);
  TERMINATE(2, .layer = 1, .etype = 2, .code = 3);
  ck_assert_uint_eq(ended(2), 1);
}
END_TEST

START_TEST(what_the_other_side_sends_begins_another_burst)
{
  begin_accepted();
  TERMINATE(0, .layer = 1);
  TERMINATE(1, .layer = 1);
  assoc.next[PEER]++;
  TERMINATE(2, .layer = 1);
  ck_assert_uint_eq(ended(2), 1);
  ck_assert_uint_eq(tells(1, TERMINATOR), 0);
}
END_TEST

/* Streams of the burst after the first two, of which the sender had received so much. */
static uint32_t after_received(uint64_t first, uint64_t second, uint64_t third) {
  const uint64_t received[STREAMS] = {first, second, third};
  begin_accepted();
  for (unsigned i = 0; i < STREAMS; i++) {
    obs[i].facts.certainty.received = received[i];
    TERMINATE(i, .layer = 1);
  }
  return ended(STREAMS - 1);
}

START_TEST(what_was_received_between_two_begins_another_burst)
{
  ck_assert_uint_eq(after_received(50, 50, 50), 3);
  ck_assert_uint_eq(after_received(0, 50, 50), 3);
  ck_assert_uint_eq(after_received(50, 0, 50), 3);
  ck_assert_uint_eq(after_received(50, 50, 49), 1);
  ck_assert_uint_eq(after_received(50, 0, 49), 1);
  ck_assert_uint_eq(after_received(0, 49, 50), 1);
  ck_assert_uint_eq(after_received(49, 50, 50), 2);
}
END_TEST

/* Streams of the burst where a message of the other side was in this packet; they are in 10, 20 and
 * 30. */
static uint32_t after_packet(uint64_t packet) {
  begin_accepted();
  TERMINATE(0, .layer = 1);
  ev = (iwarp_event){.side = PEER, .last = {.packet = packet}};
  accept(0);
  ev = (iwarp_event){.side = PEER, .last = {.packet = 1}}; /* an older one comes later */
  accept(0);
  TERMINATE(1, .layer = 1);
  TERMINATE(2, .layer = 1);
  return ended(2);
}

START_TEST(a_message_captured_between_two_begins_another_burst)
{
  ck_assert_uint_eq(after_packet(9), 3);
  ck_assert_uint_eq(after_packet(10), 3);
  ck_assert_uint_eq(after_packet(11), 2);
  ck_assert_uint_eq(after_packet(19), 2);
  ck_assert_uint_eq(after_packet(20), 3);
  ck_assert_uint_eq(after_packet(29), 1);
  ck_assert_uint_eq(after_packet(30), 3);
}
END_TEST

START_TEST(the_last_of_a_burst_is_the_last_that_was_sent)
{
  begin_accepted();
  TERMINATE(1, .layer = 1);
  TERMINATE(0, .layer = 1); /* it had waited for its DDP-SSN */
  ck_assert_uint_eq(ended(0), 0);
  ck_assert_uint_eq(tells(1, TERMINATOR), 2);
  begin_accepted();
  TERMINATE(2, .layer = 2);
  TERMINATE(0, .layer = 1); /* the first of another one */
  ck_assert_uint_eq(ended(0), 1);
}
END_TEST

static bool certain(void) {
  (void)ended(0);
  return obs[0].facts.certainty.burst.certain;
}

/* Returns true if the burst of stream 0 is certain after a message of stream 1. */
static bool certain_after(const iwarp_event *message) {
  begin_accepted();
  assoc.start_known[0] = assoc.start_known[1] = true;
  ev = *message;
  note(1, message->kind, IWARP_SCTP_STATE_EST);
  TERMINATE(0, .layer = 1);
  return certain();
}

START_TEST(a_message_that_is_not_certain_makes_a_burst_uncertain)
{
  iwarp_event message = {.kind = IWARP_EVENT_SCTP_SEGMENT};
  iwarp_rdmap_seg *seg = &message.u.fpdu.seg;
  seg->has_ddp = true;
  seg->ctrl.opcode = IWARP_RDMAP_OP_SEND;
  ck_assert(certain_after(&message)); /* cut, but no Terminate */
  seg->ctrl.opcode = IWARP_RDMAP_OP_TERMINATE;
  ck_assert(!certain_after(&message));
  message.u.fpdu.complete = true;
  ck_assert(certain_after(&message));
  message.u.fpdu.complete = false;
  seg->kind = IWARP_RDMAP_KIND_TERM;
  ck_assert(certain_after(&message));
  seg->kind = IWARP_RDMAP_KIND_NONE;
  seg->has_ddp = false;
  seg->ctrl.opcode = 0;
  ck_assert(!certain_after(&message));
  message.kind = IWARP_EVENT_SCTP_MESSAGE;
  ck_assert(certain_after(&message));
  message.last.damaged = true;
  ck_assert(!certain_after(&message));
}
END_TEST

START_TEST(packets_that_are_missing_make_a_burst_uncertain)
{
  begin_accepted();
  assoc.start_known[0] = assoc.start_known[1] = true;
  captured[2].evidence.maybe_retransmitted = true;
  ev = (iwarp_event){.side = PEER};
  accept(2);
  TERMINATE(0, .layer = 1);
  ck_assert(!certain());
}
END_TEST

START_TEST(a_burst_is_certain_where_nothing_is_missing)
{
  begin_accepted();
  TERMINATE(0, .layer = 1);
  ck_assert(!certain()); /* the association was not captured from its beginning */
  assoc.start_known[0] = assoc.start_known[1] = true;
  ck_assert(certain());
  assoc.gave_up = true;
  ck_assert(!certain());
  assoc.gave_up = false;
  obs[2].stray = true;
  ev = (iwarp_event){.side = PEER};
  accept(2);
  ck_assert(!certain());
}
END_TEST

START_TEST(the_first_of_a_burst_begins_one)
{
  begin_accepted();
  assoc.next[PEER] = 0; /* as in an association of which nothing is known */
  TERMINATE(0, .layer = 0);
  ck_assert_uint_eq(ended(0), 1);
  iwarpi_sctp_observer_burst_over(&obs[0]);
  accept(0);
  TERMINATE(0, .layer = 0);
  ck_assert_uint_eq(ended(0), 1);
}
END_TEST

START_TEST(a_stream_counts_once)
{
  begin_accepted();
  TERMINATE(0, .layer = 1);
  TERMINATE(1, .layer = 1);
  TERMINATE(0, .layer = 1);
  ck_assert_uint_eq(ended(0), 0);
  ck_assert_uint_eq(tells(1, TERMINATOR), 2);
}
END_TEST

START_TEST(only_sessions_that_are_accepted_count)
{
  begin();
  note(0, IWARP_EVENT_SCTP_MESSAGE, IWARP_SCTP_STATE_INIT_SENT);
  ck_assert_uint_eq(assoc.sessions, 0);
  ev.u.fpdu.seg.kind = IWARP_RDMAP_KIND_TERM;
  note(0, IWARP_EVENT_SCTP_SEGMENT, IWARP_SCTP_STATE_INIT_SENT);
  ck_assert_uint_eq(assoc.burst[ev.side].streams, 0);
  accept(0);
  accept(0);
  ck_assert_uint_eq(assoc.sessions, 1);
  ev.u.fpdu.seg.kind = IWARP_RDMAP_KIND_TERM;
  note(0, IWARP_EVENT_SCTP_MESSAGE, IWARP_SCTP_STATE_EST); /* it has no place */
  ev.u.fpdu.seg.kind = IWARP_RDMAP_KIND_NONE;
  note(0, IWARP_EVENT_SCTP_SEGMENT, IWARP_SCTP_STATE_EST);
  ck_assert_uint_eq(assoc.burst[ev.side].streams, 0);
  iwarpi_sctp_observer_burst_over(&obs[1]); /* it never began */
  ck_assert_uint_eq(assoc.sessions, 1);
}
END_TEST

START_TEST(a_session_counts_while_a_side_may_send)
{
  static const iwarp_sctp_state states[] = {IWARP_SCTP_STATE_T_SENT, IWARP_SCTP_STATE_T_RCVD};
  for (size_t i = 0; i < 2; i++) {
    begin();
    ev = (iwarp_event){.side = PEER};
    note(0, IWARP_EVENT_SCTP_MESSAGE, states[i]);
    ck_assert_uint_eq(assoc.sessions, 1);
    TERMINATE(0, .layer = 1);
    note(0, IWARP_EVENT_SCTP_MESSAGE, states[1 - i]);
    ck_assert_uint_eq(assoc.sessions, 1);
    note(0, IWARP_EVENT_SCTP_MESSAGE, IWARP_SCTP_STATE_DRAIN);
    ck_assert_uint_eq(assoc.sessions, 0);
    ck_assert_uint_eq(assoc.burst[TERMINATOR].streams, 0);
    ck_assert_uint_eq(ended(0), 0);
    ck_assert(!obs[0].facts.certainty.burst.ended); /* it was over before */
    ck_assert_uint_eq(ended(1), 0);
    ck_assert(obs[1].facts.certainty.burst.ended); /* an association with a stream of which nothing
                                                      is known */
  }
}
END_TEST

START_TEST(a_session_that_is_over_leaves_its_burst)
{
  begin_accepted();
  TERMINATE(0, .layer = 1);
  TERMINATE(1, .layer = 1);
  iwarpi_sctp_observer_burst_over(&obs[0]);
  ck_assert_uint_eq(ended(1), 1);
  ck_assert_uint_eq(obs[1].facts.certainty.burst.sessions, 2);
  begin_accepted();
  TERMINATE(0, .layer = 1);
  TERMINATE(1, .layer = 2); /* another burst, which the first is no part of */
  iwarpi_sctp_observer_burst_over(&obs[0]);
  ck_assert_uint_eq(ended(1), 1);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_end_of_the_last_stream_tells_the_burst,
                                the_side_that_ends_the_association_must_have_sent_them,
                                another_error_begins_another_burst,
                                a_terminate_about_a_segment_is_none_of_a_burst,
                                what_the_other_side_sends_begins_another_burst,
                                what_was_received_between_two_begins_another_burst,
                                a_message_captured_between_two_begins_another_burst,
                                the_last_of_a_burst_is_the_last_that_was_sent,
                                packets_that_are_missing_make_a_burst_uncertain,
                                a_message_that_is_not_certain_makes_a_burst_uncertain,
                                a_burst_is_certain_where_nothing_is_missing,
                                the_first_of_a_burst_begins_one,
                                a_stream_counts_once,
                                only_sessions_that_are_accepted_count,
                                a_session_counts_while_a_side_may_send,
                                a_session_that_is_over_leaves_its_burst,
                                NULL};
  return check_run(check_suite("stream-sctp-observer-burst", tests));
}
