/* SPDX-License-Identifier: BSD-2-Clause */
/* Every cell of an endpoint's state table, on an endpoint that was brought into that state. */
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint/owner.h"
#include "endpoint_pair.h"

/*
 * What must come of each input, by state: the letter of the next state; '.' the call is refused;
 * '-' it cannot happen. Inputs in the order of ep_input, states in the order of
 * iwarp_endpoint_state, whose letters are these:
 */
static const char letters[] = "IWAQRFUESPLXTMOC";
static const char *const due[IWARP_ENDPOINT_NUM_STATES] = {
    "WQ...ICC----------C-.C-", /* IDLE */
    ".....WCCC---AO----C-WCC", /* WAIT_REPLY */
    "..UO.ACCC-C-------C-ACC", /* REPLY_PENDING */
    ".....QCCC--R------C-QCC", /* WAIT_REQUEST */
    "..FO.RCCCC--------C-RCC", /* REQUEST_PENDING */
    "....FF.C-C----UC--CCFCC", /* AWAIT_FIRST_FPDU */
    "....UUEC------UTT-PCXC-", /* FULL */
    ".....EEC------ETTSLCXCC", /* ENDING */
    ".....SSC------SCM-CCSCC", /* LOCAL_CLOSED */
    "....P.LC-------L--P-CC-", /* PEER_ENDED */
    "......LC-------L-CL-CCC", /* CLOSING */
    "....XXXC------XCC-CCXCC", /* SEND_FAILED */
    "......TC---------ML-CCC", /* TERMINATING */
    "......MC----------C-MCC", /* TERMINATED */
    "......CC----------C-OC-", /* DETACHED */
    "......CC----------C-CC-", /* CLOSED */
};

/* Returns true if a push is not refused in a state. */
static bool takes_octets(unsigned state) {
  return state != IWARP_ENDPOINT_IDLE && state != IWARP_ENDPOINT_PEER_ENDED &&
         state != IWARP_ENDPOINT_CLOSING;
}

/* A pair of endpoints; `h` is the one in the state asked for. */
typedef struct state_pair {
  ep_host *h;
  ep_host *other;
} state_pair;

static state_pair state_pair_new(iwarp_role role) {
  const iwarp_endpoint_cfg cfg = ep_cfg(role);
  const iwarp_endpoint_cfg peer =
      ep_cfg(role == IWARP_ROLE_INITIATOR ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR);
  return (state_pair){.h = ep_host_new(&cfg), .other = ep_host_new(&peer)};
}

static void state_pair_free(state_pair p) {
  ep_host_free(p.h);
  ep_host_free(p.other);
}

static const iwarp_span nothing = {0};

/* To Full Operation, with an unposted receive so that a Send is a fault. */
static state_pair full(void) {
  state_pair p = state_pair_new(IWARP_ROLE_INITIATOR);
  ep_join(p.h, p.other);
  return p;
}

/* Makes the other side's next FPDU a Send for which there is no buffer. */
static void provoke(state_pair p) {
  ok(iwarp_endpoint_send(p.other->ep, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){0}));
}

static state_pair reach_responder(iwarp_endpoint_state state) {
  state_pair p = state_pair_new(IWARP_ROLE_RESPONDER);
  ok(iwarp_endpoint_listen(p.h->ep));
  if (state == IWARP_ENDPOINT_WAIT_REQUEST) {
    return p;
  }
  ok(iwarp_endpoint_connect(p.other->ep, nothing));
  ep_talk(p.h, p.other, 64);
  if (state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU) {
    ok(iwarp_endpoint_accept(p.h->ep, nothing));
    ep_talk(p.h, p.other, 64);
  }
  return p;
}

static state_pair reach_initiator(iwarp_endpoint_state state) {
  state_pair p = state_pair_new(IWARP_ROLE_INITIATOR);
  if (state == IWARP_ENDPOINT_IDLE) {
    return p;
  }
  ok(iwarp_endpoint_connect(p.h->ep, nothing));
  if (state == IWARP_ENDPOINT_CLOSED) {
    ok(iwarp_endpoint_abort(p.h->ep));
  }
  if (state != IWARP_ENDPOINT_REPLY_PENDING && state != IWARP_ENDPOINT_DETACHED) {
    return p;
  }
  ok(iwarp_endpoint_listen(p.other->ep));
  ep_talk(p.h, p.other, 64);
  ok(state == IWARP_ENDPOINT_DETACHED ? iwarp_endpoint_reject(p.other->ep, nothing)
                                      : iwarp_endpoint_accept(p.other->ep, nothing));
  ep_talk(p.h, p.other, 64);
  return p;
}

static state_pair reach_full(iwarp_endpoint_state state) {
  state_pair p = full();
  ok(iwarp_endpoint_send(p.h->ep, 1, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){0}));
  ok(iwarp_endpoint_recv(p.other->ep, 1, p.other->mem, 8));
  ep_talk(p.h, p.other, 64); /* the responder's fence is open */
  if (state == IWARP_ENDPOINT_ENDING || state == IWARP_ENDPOINT_CLOSING) {
    ok(iwarp_endpoint_send(p.h->ep, 2, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){0}));
  }
  if (state == IWARP_ENDPOINT_PEER_ENDED || state == IWARP_ENDPOINT_CLOSING) {
    ok(iwarp_endpoint_eof(p.h->ep));
  }
  if (state == IWARP_ENDPOINT_ENDING || state == IWARP_ENDPOINT_LOCAL_CLOSED ||
      state == IWARP_ENDPOINT_CLOSING) {
    ok(iwarp_endpoint_close(p.h->ep));
  }
  if (state == IWARP_ENDPOINT_SEND_FAILED) {
    ok(iwarp_endpoint_send_failed(p.h->ep));
  }
  if (state == IWARP_ENDPOINT_TERMINATING || state == IWARP_ENDPOINT_TERMINATED) {
    uint8_t octets[128];
    provoke(p);
    ep_host_push(p.h, octets, ep_host_pull(p.other, octets, sizeof octets), 64);
  }
  if (state == IWARP_ENDPOINT_TERMINATED) {
    ep_talk(p.h, p.other, 64);
  }
  ep_host_run(p.h);
  return p;
}

static state_pair reach(iwarp_endpoint_state state) {
  state_pair p;
  if (state == IWARP_ENDPOINT_WAIT_REQUEST || state == IWARP_ENDPOINT_REQUEST_PENDING ||
      state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU) {
    p = reach_responder(state);
  } else if (state >= IWARP_ENDPOINT_FULL && state <= IWARP_ENDPOINT_TERMINATED) {
    p = reach_full(state);
  } else {
    p = reach_initiator(state);
  }
  ck_assert_msg(iwarp_endpoint_info_get(p.h->ep)->state == state, "state %d, reached %d",
                (int)state, (int)iwarp_endpoint_info_get(p.h->ep)->state);
  return p;
}

/* ---- the walk ---- */

/* Why a connection ended, by the input that ended it; every other input ends it in order. */
static iwarp_endpoint_cause cause_of(iwarp_endpoint_state state, ep_input input) {
  static const iwarp_endpoint_cause causes[EP_NUM_INPUTS] = {
      [EP_CLOSE] = IWARP_ENDPOINT_CAUSE_ABORT,
      [EP_ABORT] = IWARP_ENDPOINT_CAUSE_ABORT,
      [EP_BAD_FRAME] = IWARP_ENDPOINT_CAUSE_FRAME,
      [EP_SURPLUS] = IWARP_ENDPOINT_CAUSE_FRAME,
      [EP_OVERFLOW] = IWARP_ENDPOINT_CAUSE_EARLY,
      [EP_FAULT] = IWARP_ENDPOINT_CAUSE_FAULT,
      [EP_FIN] = IWARP_ENDPOINT_CAUSE_FIN,
      [EP_CUT] = IWARP_ENDPOINT_CAUSE_FIN,
      [EP_LOST] = IWARP_ENDPOINT_CAUSE_LOST,
      [EP_TIMEOUT] = IWARP_ENDPOINT_CAUSE_TIMEOUT,
      [EP_SEND_FAILED] = IWARP_ENDPOINT_CAUSE_LOST,
      [EP_GOT_TERMINATE] = IWARP_ENDPOINT_CAUSE_TERMINATE,
  };
  if (state == IWARP_ENDPOINT_TERMINATING || state == IWARP_ENDPOINT_TERMINATED) {
    return IWARP_ENDPOINT_CAUSE_FAULT; /* the first cause counts */
  }
  if (state == IWARP_ENDPOINT_DETACHED) {
    return IWARP_ENDPOINT_CAUSE_REFUSED;
  }
  if (state == IWARP_ENDPOINT_SEND_FAILED && (input == EP_FIN || input == EP_CUT)) {
    return IWARP_ENDPOINT_CAUSE_LOST;
  }
  return state == IWARP_ENDPOINT_LOCAL_CLOSED && input == EP_FIN ? IWARP_ENDPOINT_CAUSE_ORDERLY
                                                                 : causes[input];
}

static void try_cell(iwarp_endpoint_state state, ep_input input) {
  state_pair p = reach(state);
  const ep_cell cell = iwarpi_ep_cell(state, input);
  const char want = due[state][input];
  const uint8_t reported = p.h->ep->end.num_pending_events;
  const iwarp_err err = iwarpi_ep_dispatch(p.h->ep, input);
  const iwarp_endpoint_state now = iwarp_endpoint_info_get(p.h->ep)->state;
  ck_assert_int_eq(now, cell.next);
  if (want == '.') {
    ck_assert_msg(err == IWARP_ERR_STATE && now == state, "%d %d", (int)state, (int)input);
  } else if (want == '-') {
    ck_assert_msg(cell.action == EP_DO_NEVER && now == state, "%d %d", (int)state, (int)input);
    ck_assert_uint_eq(reported, p.h->ep->end.num_pending_events);
  } else {
    ck_assert_msg(err == IWARP_OK && letters[now] == want, "state %d input %d: %c, not %c",
                  (int)state, (int)input, letters[now], want);
  }
  ep_host_run(p.h);
  ck_assert_uint_eq(ep_host_count(p.h, IWARP_ENDPOINT_EVENT_CLOSED),
                    p.h->ep->info.state == IWARP_ENDPOINT_CLOSED ? 1 : 0);
  if (state != IWARP_ENDPOINT_CLOSED && now == IWARP_ENDPOINT_CLOSED) {
    ck_assert_int_eq(ep_host_last(p.h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.cause,
                     cause_of(state, input));
  }
  state_pair_free(p);
}

START_TEST(every_cell)
{
  for (unsigned state = 0; state < IWARP_ENDPOINT_NUM_STATES; state++) {
    ck_assert_uint_eq(strlen(due[state]), EP_NUM_INPUTS);
    for (unsigned input = 0; input < EP_NUM_INPUTS; input++) {
      try_cell((iwarp_endpoint_state)state, (ep_input)input);
    }
  }
}
END_TEST

/* ---- what the calls make of it ---- */

/* In these states the engine has a deadline; when it passes the connection is given up. */
START_TEST(timeouts)
{
  for (unsigned state = 0; state < IWARP_ENDPOINT_NUM_STATES; state++) {
    const bool timed = due[state][EP_TIMEOUT] == 'C';
    state_pair p = reach((iwarp_endpoint_state)state);
    ck_assert_uint_eq(iwarp_endpoint_deadline(p.h->ep), timed ? 0 : IWARP_TIME_NEVER);
    iwarp_endpoint_time(p.h->ep, UINT64_C(1) << 60); /* it begins to count here */
    const uint64_t at = iwarp_endpoint_deadline(p.h->ep);
    ck_assert_msg((at != IWARP_TIME_NEVER) == timed, "state %u", state);
    iwarp_endpoint_time(p.h->ep, timed ? at - 1 : IWARP_TIME_NEVER - 1);
    ck_assert_int_eq(iwarp_endpoint_info_get(p.h->ep)->state, state);
    iwarp_endpoint_time(p.h->ep, timed ? at : IWARP_TIME_NEVER);
    ck_assert_int_eq(iwarp_endpoint_info_get(p.h->ep)->state,
                     timed ? IWARP_ENDPOINT_CLOSED : (int)state);
    ck_assert_uint_eq(iwarp_endpoint_deadline(p.h->ep), IWARP_TIME_NEVER);
    state_pair_free(p);
  }
}
END_TEST

START_TEST(no_timeout)
{
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_RESPONDER);
  cfg.startup_ns = IWARP_TIME_NEVER;
  ep_host *h = ep_host_new(&cfg);
  iwarp_endpoint_time(h->ep, 5);
  ok(iwarp_endpoint_listen(h->ep));
  ck_assert_uint_eq(iwarp_endpoint_deadline(h->ep), IWARP_TIME_NEVER);
  ep_host_free(h);
}
END_TEST

/* Every octet pushed in any state is accounted for, and every state ends when the transport goes.
 */
START_TEST(octets_anywhere)
{
  static const uint8_t octet[1] = {'M'};
  for (unsigned state = 0; state < IWARP_ENDPOINT_NUM_STATES; state++) {
    state_pair p = reach((iwarp_endpoint_state)state);
    const iwarp_err err = iwarp_endpoint_push(p.h->ep, (iwarp_span){octet, 1});
    ck_assert_msg((err == IWARP_OK) == takes_octets(state), "state %u", state);
    ck_assert_int_eq(iwarp_endpoint_push(p.h->ep, (iwarp_span){octet, 1}), IWARP_ERR_STATE);
    ep_host_run(p.h);
    const bool surplus = state == IWARP_ENDPOINT_REQUEST_PENDING;
    ck_assert_int_eq(iwarp_endpoint_info_get(p.h->ep)->state,
                     surplus ? IWARP_ENDPOINT_CLOSED : (int)state);
    if (surplus) {
      ck_assert_int_eq(ep_host_last(p.h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.err,
                       IWARP_ERR_MPA_PD_LENGTH);
      ck_assert_int_eq(ep_host_last(p.h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed.cause,
                       IWARP_ENDPOINT_CAUSE_FRAME);
    }
    ck_assert_uint_eq(p.h->num_streamed, state == IWARP_ENDPOINT_DETACHED ? 1 : 0);
    ok(iwarp_endpoint_lost(p.h->ep));
    ep_host_run(p.h);
    if (state != IWARP_ENDPOINT_CLOSED && !surplus) {
      const iwarp_endpoint_closed *c = &ep_host_last(p.h, IWARP_ENDPOINT_EVENT_CLOSED)->u.closed;
      ck_assert_int_eq(c->cause, cause_of((iwarp_endpoint_state)state, EP_LOST));
      ck_assert(!c->disconnect); /* there is nothing left to end */
    }
    state_pair_free(p);
  }
}
END_TEST

START_TEST(empty_pushes)
{
  for (unsigned state = 1; state < IWARP_ENDPOINT_NUM_STATES; state++) {
    state_pair p = reach((iwarp_endpoint_state)state);
    if (takes_octets(state)) {
      ok(iwarp_endpoint_push(p.h->ep, nothing));
      ep_host_run(p.h);
    }
    ck_assert_int_eq(iwarp_endpoint_push(p.h->ep, (iwarp_span){NULL, 1}), IWARP_ERR_ARG);
    ck_assert_int_eq(iwarp_endpoint_info_get(p.h->ep)->state, state);
    state_pair_free(p);
  }
}
END_TEST

/* A stream that ends inside an FPDU has lost something. RFC 5044 8 */
START_TEST(fin_inside_an_fpdu)
{
  for (unsigned state = IWARP_ENDPOINT_AWAIT_FIRST_FPDU; state <= IWARP_ENDPOINT_LOCAL_CLOSED;
       state++) {
    static const uint8_t begin[3] = {0, 18, 0x41};
    state_pair p = reach((iwarp_endpoint_state)state);
    ok(iwarp_endpoint_push(p.h->ep, (iwarp_span){begin, sizeof begin}));
    ck_assert_int_eq(iwarp_endpoint_eof(p.h->ep), IWARP_ERR_STATE);
    ep_host_run(p.h);
    ok(iwarp_endpoint_eof(p.h->ep));
    ep_host_run(p.h);
    const iwarp_endpoint_ev *ev = ep_host_last(p.h, IWARP_ENDPOINT_EVENT_CLOSED);
    ck_assert_ptr_nonnull(ev);
    ck_assert(ev->u.closed.disconnect && ev->u.closed.err == IWARP_ERR_EOF);
    ck_assert_int_eq(ev->u.closed.cause, IWARP_ENDPOINT_CAUSE_FIN);
    state_pair_free(p);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {every_cell,   timeouts,           no_timeout, octets_anywhere,
                                empty_pushes, fin_inside_an_fpdu, NULL};
  return check_run(check_suite("stream_ep_state", tests));
}
