/* SPDX-License-Identifier: BSD-2-Clause */
/* Certainty of the session that a message over SCTP belongs to: each condition alone decides. */
#include "check_run.h"
#include "rules/certainty.h"

/* Side 0 sent the Initiate, which ends at 2000, and side 1 answers it. */
enum { ASKER = 0, ANSWERER = 1, INITIATE_END = 2000, OUT = 2500 };

static iwarp_certainty_assoc assoc;
static iwarp_certainty_stream stream;
static iwarp_observer_info info;
static iwarp_ev_sctp facts;
static iwarp_ev_sctp_message *const m = &facts.u.message;
static iwarp_sctp_captured msg;
static iwarp_event ev;

/* Nothing is missing, and the first session awaits the answer, whose sender knew the Initiate. */
static void begin(void) {
  assoc = (iwarp_certainty_assoc){.start_known = {true, true}, .next = {OUT, 1500}};
  stream = (iwarp_certainty_stream){
      .assoc = &assoc, .lossless = {true, true}, .initiate_end = INITIATE_END, .out = {OUT, 1500}};
  info = (iwarp_observer_info){.side[ASKER].has_startup = true};
  msg = (iwarp_sctp_captured){.evidence = {.received = OUT, .cause_seen = true}};
  *m = (iwarp_ev_sctp_message){.captured = &msg, .session = 1, .kind = IWARP_SCTP_KIND_ACCEPT};
  ev = (iwarp_event){.kind = IWARP_EVENT_SCTP_MESSAGE, .side = ANSWERER, .sctp = &facts};
}

static void lose(uint8_t side) {
  assoc.lost[side] = 3;
  stream.lossless[side] = false;
}

/* ---- clear ---- */

START_TEST(a_complete_association_is_clear_unless_a_session_is_uncertain)
{
  begin();
  ck_assert(rulesi_certainty_clear(&stream));
  stream.session_uncertain = true;
  ck_assert(!rulesi_certainty_clear(&stream));
  for (uint8_t side = 0; side < 2; side++) {
    begin();
    assoc.start_known[side] = false;
    ck_assert(!rulesi_certainty_clear(&stream));
    begin();
    lose(side);
    ck_assert(!rulesi_certainty_clear(&stream));
  }
}
END_TEST

START_TEST(after_a_loss_a_session_is_clear_only_where_it_is_proven_and_lossless)
{
  for (uint8_t side = 0; side < 2; side++) {
    begin();
    lose(side);
    stream.lossless[side] = true; /* before the session */
    ck_assert(!rulesi_certainty_clear(&stream));
    stream.proven = true;
    ck_assert(rulesi_certainty_clear(&stream));
    stream.lossless[side] = false;
    ck_assert(!rulesi_certainty_clear(&stream));
  }
}
END_TEST

/* ---- knew ---- */

/* What the sender of the answer knew, of an Initiate that was captured later. */
static uint64_t knew(void) {
  msg.evidence.received = 1900;
  return rulesi_certainty_knew(&stream, &info, &ev);
}

START_TEST(the_answer_of_the_first_initiate_knew_it)
{
  begin();
  ck_assert_uint_eq(knew(), INITIATE_END);
  msg.evidence.received = OUT;
  ck_assert_uint_eq(rulesi_certainty_knew(&stream, &info, &ev), OUT);
  m->kind = IWARP_SCTP_KIND_REJECT;
  ck_assert_uint_eq(knew(), INITIATE_END);
  m->kind = IWARP_SCTP_KIND_OTHER; /* it has the other form than the Initiate */
  m->reason = IWARP_SCTP_REASON_FUNCTION;
  m->control.function = IWARP_SCTP_ENHANCED_ACCEPT;
  ck_assert_uint_eq(knew(), INITIATE_END);
}
END_TEST

START_TEST(what_is_no_answer_knew_what_it_acknowledges)
{
  begin();
  m->kind = IWARP_SCTP_KIND_SEGMENT;
  ck_assert_uint_eq(knew(), 1900);
  m->kind = IWARP_SCTP_KIND_OTHER;
  m->reason = IWARP_SCTP_REASON_FUNCTION;
  m->control.function = 77; /* unassigned */
  ck_assert_uint_eq(knew(), 1900);
  begin();
  m->reason = IWARP_SCTP_REASON_LENGTH;
  ck_assert_uint_eq(knew(), 1900);
  m->kind = IWARP_SCTP_KIND_OTHER;
  m->control.function = IWARP_SCTP_ACCEPT;
  ck_assert_uint_eq(knew(), 1900);
}
END_TEST

START_TEST(nor_does_an_answer_where_the_initiate_may_be_another)
{
  begin();
  m->session = 2;
  ck_assert_uint_eq(knew(), 1900);
  begin();
  assoc.gave_up = true;
  ck_assert_uint_eq(knew(), 1900);
  begin();
  stream.session_uncertain = true;
  ck_assert_uint_eq(knew(), 1900);
  begin();
  info.side[ASKER].has_startup = false;
  ck_assert_uint_eq(knew(), 1900);
  info.side[ANSWERER].has_startup = true;
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
  return rulesi_certainty_genuine(&stream, &info, &ev);
}

START_TEST(what_is_wrong_in_itself_is_genuine_whatever_is_missing)
{
  static const iwarp_sctp_reason wrong[] = {IWARP_SCTP_REASON_PPID, IWARP_SCTP_REASON_SHORT,
                                            IWARP_SCTP_REASON_LENGTH};
  begin();
  stream.lossless[0] = stream.lossless[1] = false;
  m->state = IWARP_SCTP_STATE_EST;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    m->reason = wrong[i];
    ck_assert(genuine());
  }
  m->reason = IWARP_SCTP_REASON_SEQUENCE;
  ck_assert(!genuine());
  m->reason = IWARP_SCTP_REASON_FUNCTION;
  m->control.function = 77;
  ck_assert(genuine());
}
END_TEST

/* It may answer an Initiate that was captured later, and have the number of its answer. */
START_TEST(what_is_wrong_in_itself_is_not_genuine_where_its_session_may_still_begin)
{
  static const iwarp_sctp_reason wrong[] = {IWARP_SCTP_REASON_SHORT, IWARP_SCTP_REASON_LENGTH,
                                            IWARP_SCTP_REASON_FUNCTION};
  begin();
  m->state = IWARP_SCTP_STATE_IDLE;
  m->kind = IWARP_SCTP_KIND_OTHER;
  m->control.function = 77;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    m->reason = wrong[i];
    msg.evidence.cause_seen = false;
    ck_assert(!genuine());
    msg.evidence.cause_seen = true;
    ck_assert(genuine());
  }
  msg.evidence.cause_seen = false;
  m->reason = IWARP_SCTP_REASON_LENGTH;
  m->control.function = IWARP_SCTP_INITIATE;
  ck_assert(genuine());
  m->control.function = IWARP_SCTP_ENHANCED_INITIATE;
  ck_assert(genuine());
  m->control.function = IWARP_SCTP_ENHANCED_ACCEPT;
  ck_assert(!genuine());
  m->reason = IWARP_SCTP_REASON_PPID;
  ck_assert(genuine());
}
END_TEST

START_TEST(the_wrong_form_is_genuine_when_its_sender_knew_the_initiate)
{
  begin();
  stream.lossless[0] = stream.lossless[1] = false;
  m->reason = IWARP_SCTP_REASON_FUNCTION;
  m->control.function = IWARP_SCTP_ENHANCED_ACCEPT;
  m->session = 2; /* so that only the acknowledgment counts */
  msg.evidence.received = INITIATE_END;
  ck_assert(genuine());
  msg.evidence.received--;
  ck_assert(!genuine());
  msg.evidence.received++;
  info.side[ASKER].has_startup = false;
  info.side[ANSWERER].has_startup = true;
  ck_assert(!genuine());
}
END_TEST

START_TEST(a_message_without_a_place_is_genuine_when_its_sender_knew_all_that_came_out)
{
  begin();
  m->reason = IWARP_SCTP_REASON_SEQUENCE;
  ck_assert(genuine());
  msg.evidence.received--;
  ck_assert(!genuine());
  msg.evidence.received++;
  msg.evidence.cause_seen = false;
  ck_assert(!genuine());
  m->kind = IWARP_SCTP_KIND_SEGMENT;
  ck_assert(genuine());
  for (uint8_t side = 0; side < 2; side++) {
    lose(side);
    ck_assert(!genuine());
    msg.evidence.cause_seen = true;
    ck_assert(!genuine());
    assoc.lost[side] = 0;
    stream.lossless[side] = true;
  }
}
END_TEST

/* ---- abrupt, prove ---- */

START_TEST(an_initiate_that_does_not_wait_is_abrupt)
{
  begin();
  m->kind = IWARP_SCTP_KIND_INITIATE;
  ck_assert(!rulesi_certainty_abrupt(m));
  m->verdict = IWARP_SCTP_NOTE;
  ck_assert(rulesi_certainty_abrupt(m));
  m->kind = IWARP_SCTP_KIND_TERMINATE;
  ck_assert(!rulesi_certainty_abrupt(m));
}
END_TEST

/* Returns true if the answer proves its session; no message may have strayed before. */
static bool proves(void) {
  stream.opened = true;
  stream.session_uncertain = true;
  stream.proven = false;
  rulesi_certainty_prove(&stream, &info, &ev);
  ck_assert(stream.proven != stream.session_uncertain);
  return stream.proven;
}

START_TEST(an_answer_that_knew_the_initiate_proves_the_session)
{
  begin();
  msg.evidence.received = INITIATE_END;
  ck_assert(proves());
  msg.evidence.received--;
  ck_assert(!proves());
  begin();
  m->kind = IWARP_SCTP_KIND_SEGMENT;
  ck_assert(!proves());
  begin();
  info.side[ASKER].has_startup = false;
  info.side[ANSWERER].has_startup = true;
  ck_assert(!proves());
  for (uint8_t side = 0; side < 2; side++) {
    begin();
    lose(side);
    ck_assert(!proves());
  }
  begin();
  stream.session_uncertain = true;
  rulesi_certainty_prove(&stream, &info, &ev); /* its Initiate was not certain itself */
  ck_assert(stream.session_uncertain && !stream.proven);
}
END_TEST

START_TEST(a_discarded_message_ends_the_wait_for_the_answer)
{
  begin();
  m->kind = IWARP_SCTP_KIND_SEGMENT;
  stream.opened = true;
  rulesi_certainty_prove(&stream, &info, &ev);
  ck_assert(stream.opened);
  m->reason = IWARP_SCTP_REASON_SSN;
  rulesi_certainty_prove(&stream, &info, &ev);
  ck_assert(!stream.opened);
  m->reason = IWARP_SCTP_REASON_NONE;
  rulesi_certainty_prove(&stream, &info, &ev);
  ck_assert(!stream.opened);
}
END_TEST

START_TEST(an_initiate_opens_when_its_sender_knew_all_of_the_other_side)
{
  begin();
  m->kind = IWARP_SCTP_KIND_INITIATE;
  rulesi_certainty_prove(&stream, &info, &ev);
  ck_assert(stream.opened);
  m->verdict = IWARP_SCTP_NOTE;
  msg.evidence.received--;
  rulesi_certainty_prove(&stream, &info, &ev);
  ck_assert(!stream.opened);
  msg.evidence.received++;
  m->verdict = IWARP_SCTP_ILLEGAL;
  rulesi_certainty_prove(&stream, &info, &ev);
  ck_assert(!stream.opened);
  m->verdict = IWARP_SCTP_NOTE;
  rulesi_certainty_prove(&stream, &info, &ev);
  ck_assert(stream.opened);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      a_complete_association_is_clear_unless_a_session_is_uncertain,
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
  return check_run(check_suite("rules-certainty-doubt", tests));
}
