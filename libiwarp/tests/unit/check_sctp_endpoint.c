/* SPDX-License-Identifier: BSD-2-Clause */
/* The session engine over SCTP where it sends as well: who connects, accepts, rejects and ends. */
#include <string.h>

#include "../../src/sctp/session_send.h"
#include "check_run.h"
#include "session_run.h"

static const uint8_t data[IWARP_SCTP_PRIVATE_DATA_MAX + 1] = "ping";

static const iwarp_span none;

static iwarp_sctp_session *endpoint(size_t place) {
  return session_make(place, (iwarp_sctp_session_cfg){0});
}

/* Carries a message of one endpoint to the other. */
static iwarp_sctp_session_event carry(iwarp_sctp_session *to, const sctp_output *msg) {
  static uint8_t pool[16][520];
  static size_t next;
  uint8_t *p = pool[next++ % 16];
  memcpy(p, msg->hdr, msg->hdr_len);
  if (msg->body.len > 0) {
    memcpy(p + msg->hdr_len, msg->body.ptr, msg->body.len);
  }
  iwarp_sctp_message message = {.ppid = msg->ppid, .user_data = {p, msg->hdr_len + msg->body.len}};
  ck_assert_int_eq(iwarp_sctp_session_push(to, 1, &message), IWARP_OK);
  return session_next(to);
}

static iwarp_sctp_state state_of(const iwarp_sctp_session *s) {
  return iwarp_sctp_session_info_get(s).state;
}

/* The session of RFC 5043 with Private Data "ping", octet for octet. */
START_TEST(accepted_session_of_two_endpoints)
{
  iwarp_sctp_session *a = endpoint(0);
  iwarp_sctp_session *p = endpoint(1);
  sctp_output msg;
  ck_assert_int_eq(iwarpi_sctp_session_connect(a, &msg, false, (iwarp_span){data, 4}), IWARP_OK);
  ck_assert(msg.ppid == 17 && msg.hdr_len == 4 && msg.ssn == 0);
  ck_assert_mem_eq(msg.hdr, "\0\0\0\1", 4);
  ck_assert_ptr_eq(msg.body.ptr, data);
  iwarp_sctp_session_event ev = carry(p, &msg);
  ck_assert_int_eq(ev.kind, IWARP_SCTP_SESSION_EVENT_CONTROL);
  ck_assert_mem_eq(ev.control.private_data.ptr, "ping", 4);
  ck_assert_int_eq(iwarpi_sctp_session_send(p, &msg, none, 516), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarpi_sctp_session_accept(p, &msg, none), IWARP_OK);
  ck_assert_mem_eq(msg.hdr, "\0\0\0\2", 4);
  ck_assert_int_eq(iwarpi_sctp_session_send(a, &(sctp_output){0}, none, 516), IWARP_ERR_STATE);
  ck_assert_int_eq(carry(a, &msg).state, ST(EST));
  ck_assert_int_eq(iwarpi_sctp_session_send(a, &msg, (iwarp_span){data, 23}, 22), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarpi_sctp_session_send(a, &msg, (iwarp_span){data, 22}, 22), IWARP_OK);
  ck_assert(msg.ppid == 16 && msg.hdr_len == 2 && msg.body.len == 22);
  ck_assert_mem_eq(msg.hdr, "\0\1", 2);
  ck_assert_int_eq(carry(p, &msg).kind, IWARP_SCTP_SESSION_EVENT_SEGMENT);
  ck_assert_int_eq(iwarpi_sctp_session_close(p), IWARP_OK);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(p, &msg),
                   IWARP_ERR_END); /* might overtake the Accept */
  ck_assert_int_eq(iwarpi_sctp_session_send(p, &msg, none, 516), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarpi_sctp_session_acked(p, 1), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarpi_sctp_session_acked(p, 0), IWARP_OK);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(p, &msg), IWARP_OK);
  ck_assert_mem_eq(msg.hdr, "\0\1\0\4", 4);
  ck_assert_uint_eq(msg.body.len, 0);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(p, &msg), IWARP_ERR_END);
  ck_assert_int_eq(iwarpi_sctp_session_close(p), IWARP_ERR_STATE);
  ck_assert_int_eq(carry(a, &(sctp_output){.ppid = 17, .hdr_len = 4, .hdr = {0, 1, 0, 4}}).state,
                   ST(T_RCVD));
  ck_assert_int_eq(iwarpi_sctp_session_next_output(a, &msg), IWARP_OK); /* answered of itself */
  ck_assert_mem_eq(msg.hdr, "\0\2\0\4", 4);
  ck_assert_int_eq(carry(p, &msg).state, ST(DRAIN));
  ck_assert_int_eq(iwarpi_sctp_session_connect(p, &msg, false, none),
                   IWARP_ERR_STATE); /* not drained */
  ck_assert_int_eq(iwarpi_sctp_session_acked(p, 1), IWARP_OK);
  ck_assert_int_eq(state_of(p), ST(IDLE));
  ck_assert_uint_eq(iwarp_sctp_session_info_get(a).unacked, 3);
  ck_assert_int_eq(iwarpi_sctp_session_acked(a, 2), IWARP_OK);
  ck_assert_int_eq(state_of(a), ST(IDLE));
  ck_assert_int_eq(iwarpi_sctp_session_connect(p, &msg, false, none), IWARP_OK);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(p).session, 2);
}
END_TEST

START_TEST(rejected_and_refused)
{
  for (size_t refuse = 0; refuse < 2; refuse++) {
    iwarp_sctp_session *a = endpoint(0);
    iwarp_sctp_session *p = endpoint(1);
    sctp_output msg;
    iwarpi_sctp_session_connect(a, &msg, false, none);
    iwarpi_sctp_session_set_refuse(p, refuse != 0);
    iwarp_sctp_session_event ev = carry(p, &msg);
    ck_assert_int_eq(ev.reason, refuse != 0 ? IWARP_SCTP_REASON_REFUSED : IWARP_SCTP_REASON_NONE);
    if (refuse != 0) {
      ck_assert_int_eq(iwarpi_sctp_session_accept(p, &msg, none), IWARP_ERR_STATE);
      ck_assert_int_eq(iwarpi_sctp_session_next_output(p, &msg), IWARP_OK);
    } else {
      ck_assert_int_eq(iwarpi_sctp_session_reject(p, &msg, (iwarp_span){data, 513}), IWARP_ERR_ARG);
      ck_assert_int_eq(iwarpi_sctp_session_reject(p, &msg, (iwarp_span){data, 2}), IWARP_OK);
    }
    ck_assert_mem_eq(msg.hdr, refuse != 0 ? "\0\0\0\4" : "\0\0\0\3", 4);
    ck_assert_int_eq(state_of(p), ST(REFUSING));
    ck_assert_int_eq(carry(a, &msg).state, ST(REFUSED));
    ck_assert_int_eq(iwarpi_sctp_session_close(a), IWARP_ERR_STATE);
    ck_assert_int_eq(iwarpi_sctp_session_close(p), IWARP_ERR_STATE);
    iwarpi_sctp_session_acked(a, 0);
    iwarpi_sctp_session_acked(p, 0);
    ck_assert(state_of(a) == ST(IDLE) && state_of(p) == ST(IDLE));
  }
}
END_TEST

START_TEST(enhanced_endpoints)
{
  for (size_t reject = 0; reject < 2; reject++) {
    iwarp_sctp_session *a = endpoint(0);
    iwarp_sctp_session *p = endpoint(1);
    sctp_output msg;
    ck_assert_int_eq(iwarpi_sctp_session_connect(a, &msg, true, (iwarp_span){data, 3}),
                     IWARP_ERR_ARG);
    ck_assert_int_eq(iwarpi_sctp_session_connect(a, &msg, true, (iwarp_span){data, 512}), IWARP_OK);
    ck_assert_uint_eq(msg.hdr[3], 5);
    ck_assert(msg.body.ptr == data && msg.body.len == 512);
    iwarp_sctp_session_event ev = carry(p, &msg);
    ck_assert_int_eq(ev.kind, IWARP_SCTP_SESSION_EVENT_CONTROL);
    ck_assert_uint_eq(ev.control.private_data.len, 512); /* the enhanced data before it */
    ck_assert_mem_eq(ev.control.private_data.ptr, data, 512);
    ck_assert_int_eq(iwarpi_sctp_session_accept(p, &msg, none), IWARP_ERR_ARG);
    iwarp_span pd = {data, 6};
    ck_assert_int_eq(reject != 0 ? iwarpi_sctp_session_reject(p, &msg, pd)
                                 : iwarpi_sctp_session_accept(p, &msg, pd),
                     IWARP_OK);
    ck_assert_uint_eq(msg.hdr[3], reject != 0 ? 7 : 6);
    ev = carry(a, &msg);
    ck_assert_int_eq(ev.kind, IWARP_SCTP_SESSION_EVENT_CONTROL);
    ck_assert_uint_eq(ev.control.private_data.len, 6);
    ck_assert_mem_eq(ev.control.private_data.ptr, data, 6);
  }
}
END_TEST

START_TEST(giving_up_before_an_answer)
{
  iwarp_sctp_session *a = endpoint(0);
  iwarp_sctp_session *p = endpoint(1);
  sctp_output msg;
  sctp_output term;
  iwarpi_sctp_session_connect(a, &msg, false, none);
  carry(p, &msg);
  ck_assert_int_eq(iwarpi_sctp_session_close(a), IWARP_OK);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(a, &term), IWARP_ERR_END);
  iwarpi_sctp_session_acked(a, 0);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(a, &term), IWARP_OK);
  ck_assert_int_eq(state_of(a), ST(GAVE_UP));
  ck_assert_int_eq(carry(p, &term).state, ST(ABANDONED));
  ck_assert_int_eq(iwarpi_sctp_session_accept(p, &msg, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(p, &msg), IWARP_OK);
  ck_assert_int_eq(carry(a, &msg).state, ST(DRAIN));
}
END_TEST

/* An endpoint that rejected an Initiate, all acknowledged. */
static iwarp_sctp_session *refused(void) {
  iwarp_sctp_session *s = endpoint(0);
  sctp_output msg;
  ck_assert_int_eq(session_put(s, 1, INITIATE, 0).state, ST(PENDING));
  ck_assert_int_eq(iwarpi_sctp_session_reject(s, &msg, none), IWARP_OK);
  ck_assert_int_eq(iwarpi_sctp_session_acked(s, 0), IWARP_OK);
  ck_assert_int_eq(state_of(s), ST(IDLE));
  return s;
}

static void expect_late(iwarp_sctp_session_event ev, iwarp_sctp_state state) {
  ck_assert_int_eq(ev.kind, IWARP_SCTP_SESSION_EVENT_DISCARDED);
  ck_assert_int_eq(ev.verdict, IWARP_SCTP_NOTE);
  ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_OVER);
  ck_assert_int_eq(ev.state, state);
  ck_assert_uint_eq(ev.session, 1);
}

/* What the active side sent before it saw the refusal may come when the stream is idle again. */
START_TEST(what_crossed_a_refusal_is_a_note)
{
  iwarp_sctp_session *s = refused();
  ck_assert_int_eq(session_put(s, 1, TERMINATE, 2).verdict,
                   IWARP_SCTP_STRAY); /* not the next one */
  ck_assert_int_eq(session_put(s, 1, ACCEPT, 1).verdict, IWARP_SCTP_STRAY);
  expect_late(session_put(s, 1, SEGMENT, 1), ST(IDLE));
  expect_late(session_put(s, 1, TERMINATE, 2), ST(IDLE));
  ck_assert_int_eq(session_put(s, 1, TERMINATE, 3).verdict,
                   IWARP_SCTP_STRAY); /* one was the last */
  ck_assert_int_eq(iwarpi_sctp_session_next_output(s, &(sctp_output){0}), IWARP_ERR_END);

  s = endpoint(0); /* nothing was refused */
  ck_assert_int_eq(session_put(s, 1, TERMINATE, 0).verdict, IWARP_SCTP_STRAY);
  s = refused();
  iwarpi_sctp_session_lost(s);
  ck_assert_int_eq(session_put(s, 1, TERMINATE, 1).verdict, IWARP_SCTP_STRAY);
  s = refused();
  ck_assert_int_eq(session_push(s, 1, TERMINATE, 1), IWARP_OK);
  iwarpi_sctp_session_lost(s); /* before it was reported */
  const iwarp_sctp_session_event ev = session_next(s);
  ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_OVER);
  ck_assert_int_eq(ev.verdict, IWARP_SCTP_STRAY);
  session_expect_end(s);
}
END_TEST

/* A Terminate that was asked for does not outlive the association. */
START_TEST(association_lost_before_the_terminate)
{
  iwarp_sctp_session *s = endpoint(0);
  sctp_output msg;
  ck_assert_int_eq(iwarpi_sctp_session_connect(s, &msg, false, none), IWARP_OK);
  ck_assert_int_eq(iwarpi_sctp_session_close(s), IWARP_OK);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(s, &msg),
                   IWARP_ERR_END); /* might overtake the Initiate */
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).unacked, 1);
  iwarpi_sctp_session_lost(s);
  ck_assert_uint_eq(iwarp_sctp_session_info_get(s).unacked, 0);
  iwarp_sctp_session_event ev;
  while (iwarp_sctp_session_next_event(s, &ev) == IWARP_OK) {
  }
  ck_assert_int_eq(iwarpi_sctp_session_next_output(s, &msg), IWARP_ERR_END);
  ck_assert_int_eq(iwarpi_sctp_session_connect(s, &msg, false, none), IWARP_OK);
  ck_assert_int_eq(iwarpi_sctp_session_acked(s, 0), IWARP_OK);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(s, &msg), IWARP_ERR_END);
}
END_TEST

/* It does not end the next session, where a Terminate never comes before the answer. */
START_TEST(what_crossed_a_refusal_does_not_touch_the_next_session)
{
  iwarp_sctp_session *s = refused();
  sctp_output msg;
  ck_assert_int_eq(iwarpi_sctp_session_connect(s, &msg, false, none), IWARP_OK);
  expect_late(session_put(s, 1, TERMINATE, 1), ST(INIT_SENT));
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 1), IWARP_OK); /* overtook the Accept */
  session_expect_end(s);
  ck_assert_int_eq(session_push(s, 1, ACCEPT, 0), IWARP_OK);
  ck_assert_int_eq(session_next(s).state, ST(EST));
  ck_assert_int_eq(session_next(s).kind, IWARP_SCTP_SESSION_EVENT_SEGMENT);

  s = refused();
  ck_assert_int_eq(iwarpi_sctp_session_connect(s, &msg, false, none), IWARP_OK);
  ck_assert_int_eq(session_push(s, 1, SEGMENT, 1), IWARP_OK); /* of the new session */
  session_expect_end(s);
  ck_assert_int_eq(session_push(s, 1, ACCEPT, 0), IWARP_OK);
  ck_assert_int_eq(session_next(s).state, ST(EST));
  ck_assert_int_eq(session_next(s).kind, IWARP_SCTP_SESSION_EVENT_SEGMENT);
  ck_assert_int_eq(session_put(s, 1, TERMINATE, 2).state,
                   ST(T_RCVD)); /* after the answer: of this one */

  s = refused();
  ck_assert_int_eq(session_put(s, 1, INITIATE, 0).session, 2);
  ck_assert_int_eq(session_put(s, 1, TERMINATE, 1).state,
                   ST(ABANDONED)); /* a peer that begins has done */
}
END_TEST

/* A Terminate that was asked for is dropped when the answer ends the session. */
START_TEST(end_is_asked_for_and_then_the_answer_is_reject)
{
  iwarp_sctp_session *a = endpoint(0);
  iwarp_sctp_session *p = endpoint(1);
  sctp_output msg;
  iwarpi_sctp_session_connect(a, &msg, false, none);
  carry(p, &msg);
  iwarpi_sctp_session_reject(p, &msg, none);
  ck_assert_int_eq(iwarpi_sctp_session_close(a), IWARP_OK);
  ck_assert_int_eq(carry(a, &msg).state, ST(REFUSED));
  iwarpi_sctp_session_acked(a, 0);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(a, &msg), IWARP_ERR_END);
  ck_assert_int_eq(state_of(a), ST(IDLE));
}
END_TEST

START_TEST(illegal_messages_end_the_session)
{
  iwarp_sctp_session *a = endpoint(0);
  sctp_output msg;
  iwarpi_sctp_session_connect(a, &msg, false, none);
  session_put(a, 1, ACCEPT, 0);
  ck_assert_int_eq(session_put(a, 1, ACCEPT, 1).verdict, IWARP_SCTP_ILLEGAL);
  ck_assert(iwarp_sctp_session_info_get(a).broken);
  ck_assert_int_eq(iwarpi_sctp_session_send(a, &msg, none, 516), IWARP_ERR_STATE);
  iwarp_sctp_session_event ev = session_put(a, 1, SEGMENT, 2); /* DDP gets no more */
  ck_assert_int_eq(ev.kind, IWARP_SCTP_SESSION_EVENT_DISCARDED);
  ck_assert_int_eq(ev.reason, IWARP_SCTP_REASON_BROKEN);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(a, &msg), IWARP_OK);
  ck_assert_int_eq(state_of(a), ST(T_SENT));
  ck_assert_int_eq(session_put(a, 1, OTHER, 3).reason, IWARP_SCTP_REASON_BROKEN);
  ck_assert_int_eq(session_put(a, 1, TERMINATE, 4).state, ST(DRAIN));
  ck_assert_int_eq(iwarpi_sctp_session_next_output(a, &msg), IWARP_ERR_END);
  ck_assert_int_eq(iwarpi_sctp_session_acked(a, 1), IWARP_OK);
  ck_assert(state_of(a) == ST(IDLE) && !iwarp_sctp_session_info_get(a).broken);
  ck_assert_int_eq(session_put(a, 1, SEGMENT, 5).verdict,
                   IWARP_SCTP_STRAY); /* nothing to terminate */
  ck_assert_int_eq(iwarpi_sctp_session_next_output(a, &msg), IWARP_ERR_END);
}
END_TEST

START_TEST(segments_wait_for_the_answer)
{
  for (size_t reject = 0; reject < 2; reject++) {
    iwarp_sctp_session *p = endpoint(1);
    sctp_output msg;
    session_put(p, 1, INITIATE, 0);
    ck_assert_int_eq(session_push(p, 1, SEGMENT, 1), IWARP_OK);
    session_expect_end(p);
    ck_assert_int_eq(session_push(p, 1, SEGMENT, 2), IWARP_OK);
    session_expect_end(p);
    ck_assert_int_eq(session_push(p, 1, SEGMENT, 9), IWARP_ERR_NOBUF); /* the bound */
    ck_assert_int_eq(reject != 0 ? iwarpi_sctp_session_reject(p, &msg, none)
                                 : iwarpi_sctp_session_accept(p, &msg, none),
                     IWARP_OK);
    for (uint16_t ssn = 1; ssn <= 2; ssn++) {
      iwarp_sctp_session_event ev = session_next(p);
      ck_assert_uint_eq(ev.ssn, ssn);
      ck_assert_int_eq(ev.kind, reject != 0 ? IWARP_SCTP_SESSION_EVENT_DISCARDED
                                            : IWARP_SCTP_SESSION_EVENT_SEGMENT);
      ck_assert_int_eq(ev.reason,
                       reject != 0 ? IWARP_SCTP_REASON_NO_SESSION : IWARP_SCTP_REASON_NONE);
    }
    session_expect_end(p);
  }
}
END_TEST

START_TEST(what_is_held_comes_back_when_the_stream_is_idle)
{
  iwarp_sctp_session *p = endpoint(1);
  sctp_output msg;
  session_put(p, 1, INITIATE, 0);
  iwarpi_sctp_session_reject(p, &msg, none);
  ck_assert_int_eq(session_push(p, 1, SEGMENT, 2), IWARP_OK);
  session_expect_end(p);
  iwarpi_sctp_session_acked(p, 0);
  ck_assert_int_eq(iwarpi_sctp_session_connect(p, &msg, false, none), IWARP_ERR_STATE);
  ck_assert_int_eq(session_next(p).reason, IWARP_SCTP_REASON_OVER);
  session_expect_end(p);
  ck_assert_int_eq(iwarpi_sctp_session_connect(p, &msg, false, none), IWARP_OK);
}
END_TEST

START_TEST(no_more_than_32767_in_flight)
{
  iwarp_sctp_session *a = endpoint(0);
  sctp_output msg;
  iwarpi_sctp_session_connect(a, &msg, false, none);
  session_put(a, 1, ACCEPT, 0);
  for (uint16_t ssn = 1; ssn < 32767; ssn++) {
    expect(iwarpi_sctp_session_send(a, &msg, none, 516) == IWARP_OK && msg.ssn == ssn, "%u", ssn);
  }
  ck_assert_int_eq(iwarpi_sctp_session_send(a, &msg, none, 516), IWARP_ERR_NOBUF);
  iwarpi_sctp_session_close(a);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(a, &msg), IWARP_ERR_END); /* counts too */
  iwarpi_sctp_session_acked(a, 0);
  ck_assert_int_eq(iwarpi_sctp_session_next_output(a, &msg), IWARP_OK);
  ck_assert_uint_eq(msg.ssn, 32767);
}
END_TEST

START_TEST(calls_that_do_not_fit_the_role)
{
  iwarp_sctp_session *o = session_observer();
  sctp_output msg;
  ck_assert_int_eq(session_push(o, 2, INITIATE, 0), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarpi_sctp_session_connect(o, &msg, false, none), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarpi_sctp_session_connect(o, &msg, false, (iwarp_span){data, 513}),
                   IWARP_ERR_ARG);
  session_put(o, 0, INITIATE, 0);
  ck_assert_int_eq(iwarpi_sctp_session_close(o), IWARP_ERR_STATE);
  iwarp_sctp_session *a = endpoint(1);
  ck_assert_int_eq(iwarpi_sctp_session_send(a, &msg, none, 516), IWARP_ERR_STATE);
  ck_assert_int_eq(session_push(a, 0, INITIATE, 0), IWARP_ERR_ARG);
  ck_assert_int_eq(iwarpi_sctp_session_close(a), IWARP_ERR_STATE);
  ck_assert_int_eq(iwarpi_sctp_session_acked(a, 0), IWARP_ERR_ARG);
  ck_assert_int_eq(session_push(a, 1, INITIATE, 0), IWARP_OK);
  ck_assert_int_eq(iwarpi_sctp_session_connect(a, &msg, false, none),
                   IWARP_ERR_STATE); /* not looked at */
  ck_assert_int_eq(session_push(a, 1, SEGMENT, 1), IWARP_ERR_STATE);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {accepted_session_of_two_endpoints,
                                rejected_and_refused,
                                enhanced_endpoints,
                                giving_up_before_an_answer,
                                what_crossed_a_refusal_is_a_note,
                                what_crossed_a_refusal_does_not_touch_the_next_session,
                                association_lost_before_the_terminate,
                                end_is_asked_for_and_then_the_answer_is_reject,
                                illegal_messages_end_the_session,
                                segments_wait_for_the_answer,
                                what_is_held_comes_back_when_the_stream_is_idle,
                                no_more_than_32767_in_flight,
                                calls_that_do_not_fit_the_role,
                                NULL};
  return check_run(check_suite("sctp-endpoint", tests));
}
