/* SPDX-License-Identifier: BSD-2-Clause */
/* Certainty of the session that a message over SCTP belongs to: each condition alone decides. */
#include <iwarp/sctp_observer.h>

#include "check_run.h"
#include "sctp_observer/state.h"

/* Side 0 sent the Initiate, which ends at 2000, and side 1 answers it. */
enum { ASKER = 0, ANSWERER = 1, INITIATE_END = 2000, OUT = 2500 };

static iwarp_sctp_assoc assoc;
static iwarp_sctp_observer obs;
static iwarp_sctp_session_event ev;
static iwarp_sctp_captured msg;

/* Nothing is missing, and the first session awaits the answer, whose sender knew the Initiate. */
static void begin(void) {
  assoc = (iwarp_sctp_assoc){.start_known = {true, true}, .next = {OUT, 1500}};
  obs = (iwarp_sctp_observer){.assoc = &assoc, .initiate_end = INITIATE_END, .out = {OUT, 1500}};
  obs.info.side[ASKER].has_startup = true;
  ev = (iwarp_sctp_session_event){.side = ANSWERER, .session = 1, .chunk = IWARP_SCTP_KIND_ACCEPT};
  msg = (iwarp_sctp_captured){.evidence = {.received = OUT, .cause_seen = true}};
}

static void lose(uint8_t side) {
  assoc.lost[side] = 3;
}

/* ---- lossless, clear ---- */

START_TEST(a_side_is_lossless_when_all_of_it_since_the_session_began_was_captured)
{
  for (uint8_t side = 0; side < 2; side++) {
    begin();
    ck_assert(iwarpi_sctp_observer_lossless(&obs, side));
    lose(side);
    ck_assert(!iwarpi_sctp_observer_lossless(&obs, side));
    ck_assert(iwarpi_sctp_observer_lossless(&obs, 1 - side));
    obs.lost_base[side] = 3;
    ck_assert(iwarpi_sctp_observer_lossless(&obs, side));
    obs.joined = true;
    ck_assert(!iwarpi_sctp_observer_lossless(&obs, side));
    begin();
    assoc.start_known[side] = false;
    ck_assert(!iwarpi_sctp_observer_lossless(&obs, side));
    ck_assert(iwarpi_sctp_observer_lossless(&obs, 1 - side));
  }
}
END_TEST

START_TEST(a_complete_association_is_clear_unless_a_message_strayed)
{
  begin();
  ck_assert(iwarpi_sctp_observer_clear(&obs));
  obs.stray = true;
  ck_assert(!iwarpi_sctp_observer_clear(&obs));
  for (uint8_t side = 0; side < 2; side++) {
    begin();
    assoc.start_known[side] = false;
    ck_assert(!iwarpi_sctp_observer_clear(&obs));
    begin();
    lose(side);
    ck_assert(!iwarpi_sctp_observer_clear(&obs));
  }
}
END_TEST

START_TEST(after_a_loss_a_session_is_clear_only_where_it_is_proven_and_lossless)
{
  for (uint8_t side = 0; side < 2; side++) {
    begin();
    lose(side);
    obs.lost_base[side] = 3;
    ck_assert(!iwarpi_sctp_observer_clear(&obs));
    obs.proven = true;
    ck_assert(iwarpi_sctp_observer_clear(&obs));
    assoc.lost[side] = 4;
    ck_assert(!iwarpi_sctp_observer_clear(&obs));
  }
}
END_TEST

/* ---- knew ---- */

/* What the sender of the answer knew, of an Initiate that was captured later. */
static uint64_t knew(void) {
  msg.evidence.received = 1900;
  return iwarpi_sctp_observer_knew(&obs, &ev, &msg);
}

START_TEST(the_answer_of_the_first_initiate_knew_it)
{
  begin();
  ck_assert_uint_eq(knew(), INITIATE_END);
  msg.evidence.received = OUT;
  ck_assert_uint_eq(iwarpi_sctp_observer_knew(&obs, &ev, &msg), OUT);
  ev.chunk = IWARP_SCTP_KIND_REJECT;
  ck_assert_uint_eq(knew(), INITIATE_END);
  ev.chunk = IWARP_SCTP_KIND_OTHER; /* it has the other form than the Initiate */
  ev.reason = IWARP_SCTP_REASON_FUNCTION;
  ev.control.function = IWARP_SCTP_ENHANCED_ACCEPT;
  ck_assert_uint_eq(knew(), INITIATE_END);
}
END_TEST

START_TEST(what_is_no_answer_knew_what_it_acknowledges)
{
  begin();
  ev.chunk = IWARP_SCTP_KIND_SEGMENT;
  ck_assert_uint_eq(knew(), 1900);
  ev.chunk = IWARP_SCTP_KIND_OTHER;
  ev.reason = IWARP_SCTP_REASON_FUNCTION;
  ev.control.function = 77; /* unassigned */
  ck_assert_uint_eq(knew(), 1900);
  begin();
  ev.reason = IWARP_SCTP_REASON_LENGTH;
  ck_assert_uint_eq(knew(), 1900);
  ev.chunk = IWARP_SCTP_KIND_OTHER;
  ev.control.function = IWARP_SCTP_ACCEPT;
  ck_assert_uint_eq(knew(), 1900);
}
END_TEST

START_TEST(nor_does_an_answer_where_the_initiate_may_be_another)
{
  begin();
  ev.session = 2;
  ck_assert_uint_eq(knew(), 1900);
  begin();
  assoc.gave_up = true;
  ck_assert_uint_eq(knew(), 1900);
  begin();
  obs.stray = true;
  ck_assert_uint_eq(knew(), 1900);
  begin();
  obs.info.side[ASKER].has_startup = false;
  ck_assert_uint_eq(knew(), 1900);
  obs.info.side[ANSWERER].has_startup = true;
  ck_assert_uint_eq(knew(), 1900);
  for (uint8_t side = 0; side < 2; side++) {
    begin();
    lose(side);
    ck_assert_uint_eq(knew(), 1900);
    begin();
    assoc.start_known[side] = false;
    ck_assert_uint_eq(knew(), 1900);
  }
}
END_TEST

/* ---- genuine ---- */

static bool genuine(void) {
  return iwarpi_sctp_observer_genuine(&obs, &ev, &msg);
}

START_TEST(what_is_wrong_in_itself_is_genuine_whatever_is_missing)
{
  static const iwarp_sctp_reason wrong[] = {IWARP_SCTP_REASON_PPID, IWARP_SCTP_REASON_SHORT,
                                            IWARP_SCTP_REASON_LENGTH};
  begin();
  obs.joined = true;
  ev.state = IWARP_SCTP_STATE_EST;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    ev.reason = wrong[i];
    ck_assert(genuine());
  }
  ev.reason = IWARP_SCTP_REASON_SEQUENCE;
  ck_assert(!genuine());
  ev.reason = IWARP_SCTP_REASON_FUNCTION;
  ev.control.function = 77;
  ck_assert(genuine());
}
END_TEST

/* It may answer an Initiate that was captured later, and have the number of its answer. */
START_TEST(what_is_wrong_in_itself_is_not_genuine_where_its_session_may_still_begin)
{
  static const iwarp_sctp_reason wrong[] = {IWARP_SCTP_REASON_SHORT, IWARP_SCTP_REASON_LENGTH,
                                            IWARP_SCTP_REASON_FUNCTION};
  begin();
  ev.state = IWARP_SCTP_STATE_IDLE;
  ev.chunk = IWARP_SCTP_KIND_OTHER;
  ev.control.function = 77;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    ev.reason = wrong[i];
    msg.evidence.cause_seen = false;
    ck_assert(!genuine());
    msg.evidence.cause_seen = true;
    ck_assert(genuine());
  }
  msg.evidence.cause_seen = false;
  ev.reason = IWARP_SCTP_REASON_LENGTH;
  ev.control.function = IWARP_SCTP_INITIATE;
  ck_assert(genuine());
  ev.control.function = IWARP_SCTP_ENHANCED_INITIATE;
  ck_assert(genuine());
  ev.control.function = IWARP_SCTP_ENHANCED_ACCEPT;
  ck_assert(!genuine());
  ev.reason = IWARP_SCTP_REASON_PPID;
  ck_assert(genuine());
}
END_TEST

START_TEST(the_wrong_form_is_genuine_when_its_sender_knew_the_initiate)
{
  begin();
  obs.joined = true;
  ev.reason = IWARP_SCTP_REASON_FUNCTION;
  ev.control.function = IWARP_SCTP_ENHANCED_ACCEPT;
  ev.session = 2; /* so that only the acknowledgment counts */
  msg.evidence.received = INITIATE_END;
  ck_assert(genuine());
  msg.evidence.received--;
  ck_assert(!genuine());
  msg.evidence.received++;
  obs.info.side[ASKER].has_startup = false;
  obs.info.side[ANSWERER].has_startup = true;
  ck_assert(!genuine());
}
END_TEST

START_TEST(a_message_without_a_place_is_genuine_when_its_sender_knew_all_that_came_out)
{
  begin();
  ev.reason = IWARP_SCTP_REASON_SEQUENCE;
  ck_assert(genuine());
  msg.evidence.received--;
  ck_assert(!genuine());
  msg.evidence.received++;
  msg.evidence.cause_seen = false;
  ck_assert(!genuine());
  ev.chunk = IWARP_SCTP_KIND_SEGMENT;
  ck_assert(genuine());
  for (uint8_t side = 0; side < 2; side++) {
    lose(side);
    ck_assert(!genuine());
    msg.evidence.cause_seen = true;
    ck_assert(!genuine());
    assoc.lost[side] = 0;
  }
}
END_TEST

/* ---- abrupt, prove ---- */

START_TEST(an_initiate_that_does_not_wait_is_abrupt)
{
  begin();
  ev.chunk = IWARP_SCTP_KIND_INITIATE;
  ck_assert(!iwarpi_sctp_observer_abrupt(&ev));
  ev.verdict = IWARP_SCTP_NOTE;
  ck_assert(iwarpi_sctp_observer_abrupt(&ev));
  ev.chunk = IWARP_SCTP_KIND_TERMINATE;
  ck_assert(!iwarpi_sctp_observer_abrupt(&ev));
}
END_TEST

/* Returns true if the answer proves its session; no message may have strayed before. */
static bool proves(void) {
  obs.opened = true;
  obs.stray = true;
  obs.proven = false;
  iwarpi_sctp_observer_prove(&obs, &ev, &msg);
  ck_assert(obs.proven != obs.stray);
  return obs.proven;
}

START_TEST(an_answer_that_knew_the_initiate_proves_the_session)
{
  begin();
  msg.evidence.received = INITIATE_END;
  ck_assert(proves());
  msg.evidence.received--;
  ck_assert(!proves());
  begin();
  ev.chunk = IWARP_SCTP_KIND_SEGMENT;
  ck_assert(!proves());
  begin();
  obs.info.side[ASKER].has_startup = false;
  obs.info.side[ANSWERER].has_startup = true;
  ck_assert(!proves());
  for (uint8_t side = 0; side < 2; side++) {
    begin();
    lose(side);
    ck_assert(!proves());
  }
  begin();
  obs.stray = true;
  iwarpi_sctp_observer_prove(&obs, &ev, &msg); /* its Initiate was not certain itself */
  ck_assert(obs.stray && !obs.proven);
}
END_TEST

START_TEST(a_discarded_message_ends_the_wait_for_the_answer)
{
  begin();
  ev.chunk = IWARP_SCTP_KIND_SEGMENT;
  obs.opened = true;
  iwarpi_sctp_observer_prove(&obs, &ev, &msg);
  ck_assert(obs.opened);
  ev.reason = IWARP_SCTP_REASON_SSN;
  iwarpi_sctp_observer_prove(&obs, &ev, &msg);
  ck_assert(!obs.opened);
  ev.reason = IWARP_SCTP_REASON_NONE;
  iwarpi_sctp_observer_prove(&obs, &ev, &msg);
  ck_assert(!obs.opened);
}
END_TEST

START_TEST(an_initiate_opens_when_its_sender_knew_all_of_the_other_side)
{
  begin();
  ev.chunk = IWARP_SCTP_KIND_INITIATE;
  iwarpi_sctp_observer_prove(&obs, &ev, &msg);
  ck_assert(obs.opened);
  ev.verdict = IWARP_SCTP_NOTE;
  msg.evidence.received--;
  iwarpi_sctp_observer_prove(&obs, &ev, &msg);
  ck_assert(!obs.opened);
  msg.evidence.received++;
  ev.verdict = IWARP_SCTP_ILLEGAL;
  iwarpi_sctp_observer_prove(&obs, &ev, &msg);
  ck_assert(!obs.opened);
  ev.verdict = IWARP_SCTP_NOTE;
  iwarpi_sctp_observer_prove(&obs, &ev, &msg);
  ck_assert(obs.opened);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      a_side_is_lossless_when_all_of_it_since_the_session_began_was_captured,
      a_complete_association_is_clear_unless_a_message_strayed,
      after_a_loss_a_session_is_clear_only_where_it_is_proven_and_lossless,
      the_answer_of_the_first_initiate_knew_it,
      what_is_no_answer_knew_what_it_acknowledges,
      nor_does_an_answer_where_the_initiate_may_be_another,
      what_is_wrong_in_itself_is_genuine_whatever_is_missing,
      what_is_wrong_in_itself_is_not_genuine_where_its_session_may_still_begin,
      the_wrong_form_is_genuine_when_its_sender_knew_the_initiate,
      a_message_without_a_place_is_genuine_when_its_sender_knew_all_that_came_out,
      an_initiate_that_does_not_wait_is_abrupt,
      an_answer_that_knew_the_initiate_proves_the_session,
      a_discarded_message_ends_the_wait_for_the_answer,
      an_initiate_opens_when_its_sender_knew_all_of_the_other_side,
      NULL};
  return check_run(check_suite("stream-sctp-observer-doubt", tests));
}
