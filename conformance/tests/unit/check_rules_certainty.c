/* SPDX-License-Identifier: BSD-2-Clause */
/* How certain the events of a DDP stream over SCTP are, as its observer reports them. */
#include <string.h>

#include <iwarp/sctp_certainty.h>

#include "check_run.h"
#include "sctp_stream.h"

#define LATER 8u /* messages that wait with the Initiate of another session */

static iwarp_certainty_assoc assoc;
static iwarp_certainty_stream stream;
static iwarp_sctp_certainty known; /* of the last event */

static const char *mark(iwarp_event *ev) {
  known = *iwarp_certainty_event(&stream, stream_info(), ev);
  if (ev->kind == IWARP_EVENT_END && known.has_unplaced) {
    return known.session_certain ? "~" : "?~";
  }
  return known.session_certain ? "" : "?";
}

static void passed(uint8_t side, uint64_t end) {
  iwarp_certainty_passed(&assoc, side, end);
}

static void lost(uint8_t side, uint64_t end) {
  iwarp_certainty_lost(&assoc, side, end);
}

/* Begins the certainty of the stream that has begun. */
static void follow(bool start_known) {
  stream_w.hooks = (stream_hooks){.mark = mark, .passed = passed, .lost = lost};
  assoc = (iwarp_certainty_assoc){.start_known = {start_known, start_known}};
  stream = (iwarp_certainty_stream){.assoc = &assoc, .id = 7};
}

static void begin_as(iwarp_sctp_observer_cfg cfg, bool start_known) {
  stream_begin_as(cfg, start_known);
  follow(start_known);
}

static void begin(bool start_known) {
  begin_as((iwarp_sctp_observer_cfg){.stream = 7}, start_known);
}

/* Returns true if a message of side 1 in a session under way counts as an answer that strayed. */
static bool strays(uint16_t number, uint16_t function) {
  begin(true);
  stream_shake();
  stream_control(1, number, function);
  stream_segment(0, 1);
  const bool answered = known.answers_elsewhere[1];
  stream_end(IWARP_END_FIN);
  ck_assert(known.answers_elsewhere[1] == answered); /* of side 1, whose END is the last one */
  return answered;
}

/* A session that both sides have ended, and the Initiate of the next one, not pushed yet. */
static iwarp_sctp_captured *next_initiate(void) {
  begin(true);
  stream_shake();
  expect(!known.again, "the first session comes after none");
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  iwarp_sctp_captured *m = stream_make_control(0, 0, IWARP_SCTP_INITIATE);
  m->evidence.acked = m->pos;
  return m;
}

static void want_outstanding(const iwarp_sctp_captured *m, iwarp_tristate due) {
  stream_push(0, m);
  ck_assert(known.again);
  ck_assert_int_eq(known.outstanding, due);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  ck_assert(!known.again);
  stream_segment(1, 1);
  ck_assert(!known.again);
}

/* A session of which 1 came; then a message was lost. */
static void interrupted(void) {
  begin(true);
  stream_shake();
  stream_segment(0, 1);
  ck_assert(!known.session_unconfirmed);
  stream_lose(0, IWARP_GAP_LOST);
}

/* Whatever stream it came on; the other side's messages say so from then on. */
START_TEST(an_answer_to_no_initiate_is_remembered_for_the_association)
{
  begin(true);
  stream_control(0, 0, IWARP_SCTP_TERMINATE); /* no answer */
  stream_control(1, 0, IWARP_SCTP_REJECT);
  ck_assert(!known.answers_elsewhere[0]);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  ck_assert(known.answers_elsewhere[1] && known.has_unplaced);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  ck_assert(!known.answers_elsewhere[0] && known.has_unplaced);
  begin(true);
  stream_shake();
  stream_segment(0, 1);
  ck_assert(!known.answers_elsewhere[1] && !known.has_unplaced); /* it has its Initiate */
}
END_TEST

START_TEST(an_answer_inside_another_session_is_remembered_likewise)
{
  ck_assert(strays(0, IWARP_SCTP_ACCEPT));
  ck_assert(strays(0, IWARP_SCTP_REJECT));
  ck_assert(strays(0, IWARP_SCTP_ENHANCED_ACCEPT));
  ck_assert(strays(0, IWARP_SCTP_ENHANCED_REJECT));
  ck_assert(!strays(1, IWARP_SCTP_ACCEPT)); /* it has the next DDP-SSN of this one */
  ck_assert(!strays(0xffff, IWARP_SCTP_ACCEPT));
  ck_assert(!strays(0, IWARP_SCTP_TERMINATE));
  ck_assert(!strays(0, IWARP_SCTP_INITIATE));
}
END_TEST

START_TEST(an_initiate_says_whether_messages_of_the_session_before_are_outstanding)
{
  iwarp_sctp_captured *m = next_initiate();
  want_outstanding(m, IWARP_TRISTATE_OFF);
  m = next_initiate();
  m->evidence.acked--;
  want_outstanding(m, IWARP_TRISTATE_UNKNOWN);
  m = next_initiate();
  m->evidence.received = 0;
  want_outstanding(m, IWARP_TRISTATE_UNKNOWN);
  m = next_initiate();
  m->evidence.received--;           /* the Terminate of the other side has not come */
  m->evidence.received_all = false; /* by a packet before it */
  want_outstanding(m, IWARP_TRISTATE_UNKNOWN);
  m = next_initiate();
  m->evidence.received--;
  m->evidence.received_all = true; /* by its own */
  want_outstanding(m, IWARP_TRISTATE_ON);
  m = next_initiate();
  m->evidence.received_all = true; /* it has come */
  want_outstanding(m, IWARP_TRISTATE_OFF);
  m = next_initiate();
  m->first.packet = 3; /* the packet of its own Terminate */
  want_outstanding(m, IWARP_TRISTATE_ON);
}
END_TEST

/* A message that arrived out of order may answer this Initiate, and not belong to the session
 * before. */
START_TEST(an_initiate_is_not_held_against_an_answer_that_came_out_before_it)
{
  iwarp_sctp_captured *m = next_initiate();
  iwarp_sctp_captured *answer = stream_make_control(1, 0, IWARP_SCTP_ACCEPT);
  answer->evidence.received = 0;
  answer->evidence.cause_seen = false;
  stream_push(1, answer);
  ck_assert_int_ne(stream_w.facts.u.message.reason, IWARP_SCTP_REASON_NONE);
  m->evidence.received--;
  m->evidence.received_all = true;
  stream_push(0, m);
  ck_assert(!known.again); /* it waits for what shows that it begins another session */
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_OK);
  stream_drain();
  ck_assert(known.again);
  ck_assert_int_eq(known.outstanding, IWARP_TRISTATE_UNKNOWN);
}
END_TEST

/* A segment outside of a session, and an Initiate that may have come before it. */
START_TEST(what_stands_outside_a_session_may_be_late_where_packets_are_missing)
{
  for (unsigned patchy = 0; patchy < 2; patchy++) {
    begin(true);
    iwarp_sctp_captured *m = stream_make_segment(0, 2);
    m->evidence.maybe_retransmitted = patchy == 1;
    stream_push(0, m);
    ck_assert_int_eq(stream_w.facts.u.message.reason, IWARP_SCTP_REASON_NO_SESSION);
    ck_assert_int_eq(stream_w.facts.u.message.captured->evidence.maybe_retransmitted, patchy == 1);
    stream_control(1, 0, IWARP_SCTP_INITIATE);
    ck_assert_int_eq(known.session_certain, patchy == 0);
    stream_end(IWARP_END_FIN);
  }
}
END_TEST

/* Of what waits of the other side, here or for the caller, its sender may know. */
START_TEST(what_comes_later_of_the_other_side_may_have_been_received)
{
  begin(true);
  stream_shake();
  stream_segment(0, 1);
  ck_assert(!known.peer_data_reordered);
  stream_segment(0, 3);
  stream_segment(1, 1);
  ck_assert(known.peer_data_reordered);
  stream_segment(0, 2);
  stream_segment(1, 2);
  ck_assert(!known.peer_data_reordered);
  iwarp_sctp_captured *m = stream_make_segment(1, 3);
  m->evidence.peer_data_reordered = true;
  stream_push(1, m);
  ck_assert(known.peer_data_reordered);
}
END_TEST

/* The answer has another number than 0, so that the Initiate of the next session takes its place.
 */
START_TEST(an_initiate_that_passes_what_waits_may_begin_another_session)
{
  for (unsigned waits = 0; waits < 2; waits++) {
    begin(true);
    stream_control(0, 0, IWARP_SCTP_INITIATE);
    if (waits == 1) {
      stream_control(1, 1, IWARP_SCTP_ACCEPT);
    }
    stream_control(1, 0, IWARP_SCTP_INITIATE);
    ck_assert_int_eq(known.session_certain, waits == 0);
  }
}
END_TEST

START_TEST(the_message_after_a_loss_may_be_of_another_session)
{
  interrupted();
  stream_segment(0, 2);
  ck_assert(known.session_unconfirmed);
  stream_segment(0, 3);
  ck_assert(!known.session_unconfirmed);
}
END_TEST

/* Both losses are known when 4 comes out, and 5 comes after another one. */
START_TEST(a_loss_counts_between_messages_that_waited)
{
  interrupted();
  stream_segment(0, 4);
  stream_lose(0, IWARP_GAP_LOST);
  stream_segment(0, 5);
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_OK);
  stream_drain();
  ck_assert_uint_eq(stream_w.facts.u.message.ssn, 5);
  ck_assert(known.session_unconfirmed);
  stream_segment(0, 6);
  ck_assert(!known.session_unconfirmed);
}
END_TEST

/* 1 was sent after 2. Nothing is lost: that matters only where an answer came before its Initiate.
 */
START_TEST(a_message_after_one_with_an_earlier_tsn_where_one_strayed)
{
  for (unsigned strayed = 0; strayed < 2; strayed++) {
    begin(true);
    if (strayed == 1) {
      iwarp_sctp_captured *early = stream_make_control(1, 0, IWARP_SCTP_ACCEPT);
      early->evidence.cause_seen = false;
      stream_push(1, early);
    }
    stream_control(0, 0, IWARP_SCTP_INITIATE);
    iwarp_sctp_captured *answer = stream_make_control(1, 0, IWARP_SCTP_ACCEPT);
    answer->evidence.received = 0; /* it proves nothing */
    stream_push(1, answer);
    iwarp_sctp_captured *second = stream_make_segment(0, 2);
    stream_segment(0, 1);
    ck_assert(!known.session_unconfirmed);
    stream_push(0, second);
    ck_assert(known.session_unconfirmed == (strayed == 1));
  }
}
END_TEST

/* 2 and 3 may be of the next session, and fill the gap before 4 nevertheless: so 5 may be either's.
 */
START_TEST(a_message_after_one_with_an_earlier_tsn_may_be_of_another_session)
{
  interrupted();
  stream_segment(0, 4);
  stream_segment(0, 2);
  ck_assert(known.session_unconfirmed);
  stream_segment(0, 3);
  ck_assert_uint_eq(stream_w.facts.u.message.ssn, 4);
  ck_assert(known.session_unconfirmed);
  stream_segment(0, 5);
  ck_assert(known.session_unconfirmed);
  stream_segment(0, 6);
  ck_assert(!known.session_unconfirmed);
}
END_TEST

/* What its receiver took may be another message, and the session another one. */
START_TEST(a_session_is_not_certain_after_a_message_of_which_copies_differ)
{
  for (unsigned differ = 0; differ < 2; differ++) {
    begin(true);
    stream_shake();
    iwarp_sctp_captured *m = stream_make_segment(0, 1);
    m->last.differ = differ == 1;
    stream_push(0, m);
    ck_assert(known.session_certain);
    ck_assert(stream_w.last.last.differ == (differ == 1));
    stream_segment(0, 2);
    ck_assert(known.session_certain == (differ == 0));
  }
}
END_TEST

START_TEST(an_end_says_whether_more_can_come_and_whether_all_came)
{
  static const struct {
    iwarp_end how;
    bool start_known, lost, gave_up, final, complete, settled[2];
  } rows[] = {{IWARP_END_FIN, true, false, false, true, true, {false}},
              {IWARP_END_RST, true, false, false, false, true, {true, true}},
              {IWARP_END_FIN, false, false, false, true, false, {false}},
              {IWARP_END_FIN, true, true, false, true, false, {false}},
              {IWARP_END_FIN, true, false, true, true, false, {false}},
              {IWARP_END_FIN, true, false, false, true, true, {false, true}},
              {IWARP_END_FIN, true, false, false, true, true, {true, false}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    begin(rows[i].start_known);
    stream_shake();
    if (rows[i].lost) {
      stream_lose(0, IWARP_GAP_LOST);
    }
    assoc.gave_up = rows[i].gave_up;
    memcpy(assoc.settled, rows[i].settled, sizeof assoc.settled);
    iwarp_certainty_passed(&assoc, 1, stream_w.pos[1] + 7); /* on another stream */
    stream_end(rows[i].how); /* the last event is the END of side 1 */
    ck_assert_int_eq(stream_w.facts.u.end.final, rows[i].final);
    ck_assert_int_eq(known.settled[1], rows[i].settled[1]);
    ck_assert_int_eq(known.settled[0], rows[i].settled[0]);
    ck_assert_uint_eq(known.sent, stream_w.pos[1] + 7);
    ck_assert_int_eq(known.complete, rows[i].complete);
  }
}
END_TEST

/* ---- sessions that are certain or not, as events come: "?" is one that is not ---- */

static void begin_narrow(void) {
  begin_as((iwarp_sctp_observer_cfg){.window = 4}, true);
  stream_shake();
  stream_want("m0.0/0 m1.0/0 ");
}

/* A session whose DDP-SSN 1 side 0 never used, and the Initiate of the next one. */
static void begin_again_after_a_gap(void) {
  begin(true);
  stream_shake();
  stream_control(0, 2, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("m0.0/0 m1.0/0 m1.1/0 ");
}

/* ---- what is missing ---- */
START_TEST(what_is_lost_is_waited_for_with_patience)
{
  begin_as((iwarp_sctp_observer_cfg){.patience = 3}, true);
  stream_shake();
  stream_lose(0, IWARP_GAP_SNAPLEN);
  stream_segment(0, 2);
  stream_segment(0, 3);
  stream_want("m0.0/0 m1.0/0 ");
  stream_segment(0, 4);
  ck_assert_uint_eq(stream_info()->side[0].num_fpdus, 3);
  ck_assert_int_eq(stream_w.last.u.fpdu.sync, IWARP_SYNC_CRC);
  stream_want("g0.1+1 s0.2? s0.3? s0.4? ");
  ck_assert(stream_info()->side[0].gap);
  stream_segment(0, 5);
  stream_segment(0, 7); /* nothing is known to be lost since then: it may come late */
  stream_segment(0, 8);
  stream_segment(0, 9);
  stream_segment(0, 10);
  stream_want("s0.5? ");
  stream_segment(0, 6);
  stream_want("s0.6? s0.7? s0.8? s0.9? s0.10? ");
}
END_TEST

START_TEST(a_stream_joined_late_goes_on_where_it_is)
{
  begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
  stream_segment(0, 40);
  ck_assert(stream_info()->sctp_joined);
  ck_assert_int_eq(stream_w.last.u.fpdu.sync, IWARP_SYNC_CRC);
  stream_segment(0, 41);
  stream_control(0, 0, IWARP_SCTP_INITIATE); /* the end of the session before is missing */
  ck_assert(!stream_info()->sctp_joined);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_end(IWARP_END_FIN);
  stream_want("s0.40? s0.41? e0.3? e1.3? m0.0/0? m1.0/0? e0.1? e1.1? ");
  begin_as((iwarp_sctp_observer_cfg){.joined = true}, false);
  stream_control(0, 0, IWARP_SCTP_INITIATE); /* no session was under way */
  ck_assert(!stream_info()->sctp_joined);
  stream_want("m0.0/0? ");
}
END_TEST

START_TEST(acknowledgments_prove_where_a_session_begins)
{
  begin(true);
  stream_shake();
  stream_lose(0, IWARP_GAP_LOST);
  stream_control(0, 2, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_OK);
  stream_drain();
  stream_want("m0.0/0 m1.0/0 m1.1/0? g0.1+1 m0.2/0? ");
  stream_control(1, 0, IWARP_SCTP_INITIATE);
  stream_control(0, 0, IWARP_SCTP_ACCEPT);
  stream_segment(1, 1);
  stream_lose(1, IWARP_GAP_LOST);
  stream_segment(1, 2);
  stream_want("e0.1? e1.1? m1.0/0? m0.0/0 s1.1 s1.2? ");
}
END_TEST

START_TEST(an_initiate_that_nothing_answers_says_nothing_of_the_other_side)
{
  begin_again_after_a_gap();
  stream_end(IWARP_END_FIN);
  stream_want("g0.1+1! m0.2/0 e0.1+ e1.1 m0.0/0 e0.1 e1.1 ");
  begin_again_after_a_gap();
  stream_control(1, 0, IWARP_SCTP_INITIATE); /* no answer */
  stream_want("g0.1+1 m0.2/0 e0.1+ e1.1 m0.0/0 m1.0/1 ");
  begin_again_after_a_gap();
  for (uint16_t n = 1; n < LATER; n++) {
    stream_segment(0, n);
  }
  stream_want("");
  stream_segment(0, LATER); /* no more may wait */
  stream_want("g0.1+1 m0.2/0 e0.1+ e1.1 m0.0/0 s0.1 s0.2 s0.3 s0.4 s0.5 s0.6 s0.7 s0.8 ");
  for (uint8_t side = 0; side < 2; side++) {
    begin_again_after_a_gap();
    stream_lose(side, IWARP_GAP_LOST);
    stream_control(1, 0, IWARP_SCTP_ACCEPT);
    stream_want("g0.1+1 m0.2/0? e0.1?+ e1.1? m0.0/0? m1.0/0? ");
  }
  begin_again_after_a_gap();
  ck_assert_int_eq(iwarp_sctp_observer_skip(stream_w.obs), IWARP_OK);
  stream_drain();
  stream_want("g0.1+1 m0.2/0 e0.1 e1.1 m0.0/0 ");
}
END_TEST

START_TEST(an_initiate_waits_where_a_number_came_again)
{
  begin(true);
  stream_shake();
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("m0.0/0 m1.0/0 m1.1/0 m0.0/6 ");
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("e0.1= e1.1= m0.0/0 m1.0/0? ");
  begin(true); /* nothing ends the session that the two are of */
  stream_shake();
  stream_control(0, 0, IWARP_SCTP_TERMINATE);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("m0.0/0 m1.0/0 m0.0/6 e0.3= e1.3= m0.0/0 m1.0/0 ");
}
END_TEST

START_TEST(what_comes_after_an_end_may_be_of_the_next_session)
{
  begin(true);
  stream_shake();
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_segment(1, 1);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_control(1, 0, IWARP_SCTP_ACCEPT);
  stream_want("m0.0/0 m1.0/0 m0.1/0 m1.1/0 m1.1/6 e0.1= e1.1= m0.0/0 m1.0/0 ");
  stream_segment(1, 2);
  stream_end(IWARP_END_FIN);
  stream_want("g1.1+1! s1.2 e0.1 e1.1~ ");
}
END_TEST

START_TEST(a_message_ahead_of_the_window_does_not_wait_for_what_is_lost)
{
  begin_narrow();
  stream_lose(0, IWARP_GAP_LOST);
  stream_segment(0, 9);
  stream_want("g0.1+8 s0.9? ");
}
END_TEST

START_TEST(a_message_ahead_of_the_window_is_of_the_session_before_an_initiate)
{
  begin_narrow();
  stream_segment(0, 9);
  stream_control(0, 1, IWARP_SCTP_TERMINATE);
  stream_control(1, 1, IWARP_SCTP_TERMINATE);
  stream_lose(0, IWARP_GAP_LOST);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_want("m0.1/0 m1.1/0 m0.9/6? e0.1? e1.1? m0.0/0? ");
}
END_TEST

START_TEST(an_end_says_whether_an_initiate_of_the_other_side_has_no_answer)
{
  begin(true);
  stream_control(0, 0, IWARP_SCTP_INITIATE);
  stream_end(IWARP_END_FIN);
  ck_assert(known.peer_unanswered);
  begin(true);
  stream_shake();
  stream_end(IWARP_END_FIN);
  ck_assert(!known.peer_unanswered);
}
END_TEST

/* Of two messages with one DDP-SSN either may have the place: so the next one may be of another
 * session, and the one after it is not. */
START_TEST(a_message_after_one_of_two_with_a_number_is_not_confirmed)
{
  for (unsigned twice = 0; twice < 2; twice++) {
    begin(true);
    stream_shake();
    stream_segment(0, 1);
    stream_segment(0, 3);
    if (twice == 1) {
      stream_segment(0, 3);
    }
    stream_segment(0, 2);
    stream_segment(0, 4);
    ck_assert_int_eq(known.session_unconfirmed, twice == 1);
    stream_segment(0, 5);
    ck_assert(!known.session_unconfirmed);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      an_answer_to_no_initiate_is_remembered_for_the_association,
      an_answer_inside_another_session_is_remembered_likewise,
      an_initiate_says_whether_messages_of_the_session_before_are_outstanding,
      an_initiate_is_not_held_against_an_answer_that_came_out_before_it,
      what_stands_outside_a_session_may_be_late_where_packets_are_missing,
      what_comes_later_of_the_other_side_may_have_been_received,
      an_initiate_that_passes_what_waits_may_begin_another_session,
      the_message_after_a_loss_may_be_of_another_session,
      a_loss_counts_between_messages_that_waited,
      a_message_after_one_with_an_earlier_tsn_where_one_strayed,
      a_message_after_one_with_an_earlier_tsn_may_be_of_another_session,
      a_session_is_not_certain_after_a_message_of_which_copies_differ,
      an_end_says_whether_more_can_come_and_whether_all_came,
      an_end_says_whether_an_initiate_of_the_other_side_has_no_answer,
      a_message_after_one_of_two_with_a_number_is_not_confirmed,
      what_is_lost_is_waited_for_with_patience,
      a_stream_joined_late_goes_on_where_it_is,
      acknowledgments_prove_where_a_session_begins,
      an_initiate_that_nothing_answers_says_nothing_of_the_other_side,
      an_initiate_waits_where_a_number_came_again,
      what_comes_after_an_end_may_be_of_the_next_session,
      a_message_ahead_of_the_window_does_not_wait_for_what_is_lost,
      a_message_ahead_of_the_window_is_of_the_session_before_an_initiate,
      NULL};
  return check_run(check_suite("rules-certainty", tests));
}
