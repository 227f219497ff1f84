/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state table of an endpoint. RFC 5044 7.1.2, RFC 6581 9, RFC 5041 6.2, RFC 5040 6.2 and 7
 *
 * Theory of operation
 *
 * An endpoint has one state at a time. An input is a call of the ULP, a call of the transport, or
 * something that the endpoint finds in the octets of its peer. For each state and input the table
 * gives an action and the next state. endpoint.c and event.c make the inputs. actions.c moves to
 * the next state, then runs the action.
 *
 * A connection goes through three phases.
 *
 * 1. Startup. The Initiator sends its Request (WAIT_REPLY), receives the Reply (REPLY_PENDING), and
 *    its ULP accepts (FULL). The Responder waits (WAIT_REQUEST), receives the Request
 *    (REQUEST_PENDING), and its ULP accepts. Then the Responder is in AWAIT_FIRST_FPDU: it may not
 *    send an FPDU before it has received one. A timer bounds this phase. A Reply that rejects leads
 *    to DETACHED, in which the transport connection belongs to the ULP.
 *
 * 2. Full Operation (FULL). Both sides send and receive FPDUs.
 *
 * 3. The end. It comes in one of these ways, and each one leads to CLOSED:
 *    - In order. The ULP closes (ENDING); when all is sent, this half is closed (LOCAL_CLOSED). The
 *      peer closes its half (PEER_ENDED, or CLOSING if the ULP has closed as well).
 *    - By a Terminate. This side finds a fault, or the peer has sent a Terminate (TERMINATING).
 *      When all is sent, this half is closed (TERMINATED).
 *    - A send fails (SEND_FAILED). The endpoint sends no more, and still receives what the peer
 *      sent before: it may be a Terminate, which is then the cause of the end.
 *    - At once. The ULP aborts, the transport connection is lost, or a timer runs out.
 *
 * A timer bounds the end from the moment at which the endpoint waits for its peer.
 *
 * The table has a row for each input that does something in a state. Where it has no row, the
 * default of the input applies:
 *    - A call is refused. Anything else cannot come.
 *    - ABORT, LOST and TIMEOUT close the connection. States without a timer say so in a row.
 *
 * Octets that the transport pushes are no input: what an endpoint does with them depends on its
 * state alone, and machine_octets has it. What the endpoint finds in them is an input.
 */
#include "machine.h"

/* One cell of the table, or one default, in two octets. */
typedef struct machine_row {
  uint8_t action; /* an ep_action */
  uint8_t next;   /* an iwarp_endpoint_state */
} machine_row;

#define MACHINE_SAME IWARP_ENDPOINT_NUM_STATES /* no change, in place of the next state */

#define DEFAULT(input, action, next) [EP_##input] = {EP_DO_##action, next}

static const machine_row machine_defaults[EP_NUM_INPUTS] = {
    DEFAULT(CONNECT, REFUSE, MACHINE_SAME),
    DEFAULT(LISTEN, REFUSE, MACHINE_SAME),
    DEFAULT(ACCEPT, REFUSE, MACHINE_SAME),
    DEFAULT(REJECT, REFUSE, MACHINE_SAME),
    DEFAULT(POST, REFUSE, MACHINE_SAME),
    DEFAULT(RECV, REFUSE, MACHINE_SAME),
    DEFAULT(CLOSE, REFUSE, MACHINE_SAME),
    DEFAULT(ABORT, DROP, IWARP_ENDPOINT_CLOSED),
    DEFAULT(BAD_FRAME, NEVER, MACHINE_SAME),
    DEFAULT(SURPLUS, NEVER, MACHINE_SAME),
    DEFAULT(OVERFLOW, NEVER, MACHINE_SAME),
    DEFAULT(GOT_REQUEST, NEVER, MACHINE_SAME),
    DEFAULT(GOT_REPLY, NEVER, MACHINE_SAME),
    DEFAULT(GOT_REJECT, NEVER, MACHINE_SAME),
    DEFAULT(FPDU, NEVER, MACHINE_SAME),
    DEFAULT(FAULT, NEVER, MACHINE_SAME),
    DEFAULT(GOT_TERMINATE, NEVER, MACHINE_SAME),
    DEFAULT(DRAINED, NEVER, MACHINE_SAME),
    DEFAULT(FIN, NEVER, MACHINE_SAME),
    DEFAULT(CUT, NEVER, MACHINE_SAME),
    DEFAULT(SEND_FAILED, REFUSE, MACHINE_SAME),
    DEFAULT(LOST, BROKEN, IWARP_ENDPOINT_CLOSED),
    DEFAULT(TIMEOUT, DROP, IWARP_ENDPOINT_CLOSED),
};

/* State, input, action, next state. */
#define ON(state, input, action, next)                                                             \
  [IWARP_ENDPOINT_##state][EP_##input] = {EP_DO_##action, IWARP_ENDPOINT_##next},

/* clang-format off */
static const machine_row machine_table[IWARP_ENDPOINT_NUM_STATES][EP_NUM_INPUTS] = {
  ON(IDLE, CONNECT, REQUEST, WAIT_REPLY)
  ON(IDLE, LISTEN, TIMER, WAIT_REQUEST)
  ON(IDLE, RECV, TAKE, IDLE)
  ON(IDLE, CLOSE, DROP, CLOSED)
  ON(IDLE, FIN, DROP, CLOSED)
  ON(IDLE, TIMEOUT, NEVER, IDLE)

  ON(WAIT_REPLY, RECV, TAKE, WAIT_REPLY)
  ON(WAIT_REPLY, CLOSE, DROP, CLOSED)
  ON(WAIT_REPLY, BAD_FRAME, DROP, CLOSED)
  ON(WAIT_REPLY, GOT_REPLY, REPORT_REPLY, REPLY_PENDING)
  ON(WAIT_REPLY, GOT_REJECT, REPORT_REJECTED, DETACHED)
  ON(WAIT_REPLY, FIN, DROP, CLOSED)
  ON(WAIT_REPLY, SEND_FAILED, TAKE, WAIT_REPLY)

  ON(REPLY_PENDING, ACCEPT, CONFIRM, FULL)
  ON(REPLY_PENDING, REJECT, LEAVE, DETACHED)
  ON(REPLY_PENDING, RECV, TAKE, REPLY_PENDING)
  ON(REPLY_PENDING, CLOSE, DROP, CLOSED)
  ON(REPLY_PENDING, BAD_FRAME, DROP, CLOSED)
  ON(REPLY_PENDING, OVERFLOW, DROP, CLOSED)
  ON(REPLY_PENDING, FIN, DROP, CLOSED)
  ON(REPLY_PENDING, SEND_FAILED, TAKE, REPLY_PENDING)

  ON(WAIT_REQUEST, RECV, TAKE, WAIT_REQUEST)
  ON(WAIT_REQUEST, CLOSE, DROP, CLOSED)
  ON(WAIT_REQUEST, BAD_FRAME, DROP, CLOSED)
  ON(WAIT_REQUEST, GOT_REQUEST, REPORT_REQUEST, REQUEST_PENDING)
  ON(WAIT_REQUEST, FIN, DROP, CLOSED)
  ON(WAIT_REQUEST, SEND_FAILED, TAKE, WAIT_REQUEST)

  ON(REQUEST_PENDING, ACCEPT, REPLY, AWAIT_FIRST_FPDU)
  ON(REQUEST_PENDING, REJECT, REFUSAL, DETACHED)
  ON(REQUEST_PENDING, RECV, TAKE, REQUEST_PENDING)
  ON(REQUEST_PENDING, CLOSE, DROP, CLOSED)
  ON(REQUEST_PENDING, BAD_FRAME, DROP, CLOSED)
  ON(REQUEST_PENDING, SURPLUS, DROP, CLOSED)
  ON(REQUEST_PENDING, FIN, DROP, CLOSED)
  ON(REQUEST_PENDING, SEND_FAILED, TAKE, REQUEST_PENDING)

  ON(AWAIT_FIRST_FPDU, POST, TAKE, AWAIT_FIRST_FPDU)
  ON(AWAIT_FIRST_FPDU, RECV, TAKE, AWAIT_FIRST_FPDU)
  ON(AWAIT_FIRST_FPDU, SURPLUS, DROP, CLOSED)
  ON(AWAIT_FIRST_FPDU, FPDU, ESTABLISH, FULL)
  ON(AWAIT_FIRST_FPDU, FAULT, NO_TERMINATE, CLOSED)
  ON(AWAIT_FIRST_FPDU, FIN, DROP, CLOSED)
  ON(AWAIT_FIRST_FPDU, CUT, DROP, CLOSED)
  ON(AWAIT_FIRST_FPDU, SEND_FAILED, TAKE, AWAIT_FIRST_FPDU)

  ON(FULL, POST, TAKE, FULL)
  ON(FULL, RECV, TAKE, FULL)
  ON(FULL, CLOSE, END, ENDING)
  ON(FULL, FPDU, TAKE, FULL)
  ON(FULL, FAULT, TERMINATE, TERMINATING)
  ON(FULL, GOT_TERMINATE, TERMINATED, TERMINATING)
  ON(FULL, FIN, PEER_ENDED, PEER_ENDED)
  ON(FULL, CUT, DROP, CLOSED)
  ON(FULL, SEND_FAILED, STOP_SENDING, SEND_FAILED)
  ON(FULL, TIMEOUT, NEVER, FULL)

  ON(ENDING, RECV, TAKE, ENDING)
  ON(ENDING, CLOSE, TAKE, ENDING)
  ON(ENDING, FPDU, TAKE, ENDING)
  ON(ENDING, FAULT, TERMINATE, TERMINATING)
  ON(ENDING, GOT_TERMINATE, TERMINATED, TERMINATING)
  ON(ENDING, DRAINED, SHUTDOWN, LOCAL_CLOSED)
  ON(ENDING, FIN, PEER_ENDED, CLOSING)
  ON(ENDING, CUT, DROP, CLOSED)
  ON(ENDING, SEND_FAILED, STOP_SENDING, SEND_FAILED)

  ON(LOCAL_CLOSED, RECV, TAKE, LOCAL_CLOSED)
  ON(LOCAL_CLOSED, CLOSE, TAKE, LOCAL_CLOSED)
  ON(LOCAL_CLOSED, FPDU, TAKE, LOCAL_CLOSED)
  ON(LOCAL_CLOSED, FAULT, NO_TERMINATE, CLOSED)
  ON(LOCAL_CLOSED, GOT_TERMINATE, TERM_LATE, TERMINATED)
  ON(LOCAL_CLOSED, FIN, CLOSED, CLOSED)
  ON(LOCAL_CLOSED, CUT, DROP, CLOSED)
  ON(LOCAL_CLOSED, SEND_FAILED, TAKE, LOCAL_CLOSED)

  ON(PEER_ENDED, POST, TAKE, PEER_ENDED)
  ON(PEER_ENDED, CLOSE, END, CLOSING)
  ON(PEER_ENDED, FAULT, TERMINATE, CLOSING)
  ON(PEER_ENDED, FIN, TAKE, PEER_ENDED)
  ON(PEER_ENDED, SEND_FAILED, DROP, CLOSED)
  ON(PEER_ENDED, TIMEOUT, NEVER, PEER_ENDED)

  ON(CLOSING, CLOSE, TAKE, CLOSING)
  ON(CLOSING, FAULT, TERMINATE, CLOSING)
  ON(CLOSING, DRAINED, SHUT_LAST, CLOSED)
  ON(CLOSING, FIN, TAKE, CLOSING)
  ON(CLOSING, SEND_FAILED, DROP, CLOSED)

  ON(SEND_FAILED, POST, TAKE, SEND_FAILED)
  ON(SEND_FAILED, RECV, TAKE, SEND_FAILED)
  ON(SEND_FAILED, CLOSE, TAKE, SEND_FAILED)
  ON(SEND_FAILED, FPDU, TAKE, SEND_FAILED)
  ON(SEND_FAILED, FAULT, NO_TERMINATE, CLOSED)
  ON(SEND_FAILED, GOT_TERMINATE, TERM_LAST, CLOSED)
  ON(SEND_FAILED, FIN, SEND_LOST, CLOSED)
  ON(SEND_FAILED, CUT, SEND_LOST, CLOSED)
  ON(SEND_FAILED, SEND_FAILED, TAKE, SEND_FAILED)

  ON(TERMINATING, CLOSE, TAKE, TERMINATING)
  ON(TERMINATING, DRAINED, SHUTDOWN, TERMINATED)
  ON(TERMINATING, FIN, TAKE, CLOSING)
  ON(TERMINATING, SEND_FAILED, DROP, CLOSED)

  ON(TERMINATED, CLOSE, TAKE, TERMINATED)
  ON(TERMINATED, FIN, CLOSED, CLOSED)
  ON(TERMINATED, SEND_FAILED, TAKE, TERMINATED)

  ON(DETACHED, CLOSE, DROP, CLOSED)
  ON(DETACHED, FIN, DROP, CLOSED)
  ON(DETACHED, SEND_FAILED, TAKE, DETACHED)
  ON(DETACHED, TIMEOUT, NEVER, DETACHED)

  ON(CLOSED, CLOSE, TAKE, CLOSED)
  ON(CLOSED, ABORT, TAKE, CLOSED)
  ON(CLOSED, FIN, TAKE, CLOSED)
  ON(CLOSED, SEND_FAILED, TAKE, CLOSED)
  ON(CLOSED, LOST, TAKE, CLOSED)
  ON(CLOSED, TIMEOUT, NEVER, CLOSED)
};
/* clang-format on */
#undef ON
#undef DEFAULT

/* The use of octets that the transport pushes, by state. */
static const uint8_t machine_octets[IWARP_ENDPOINT_NUM_STATES] = {
    [IWARP_ENDPOINT_IDLE] = EP_OCTETS_REFUSE,
    [IWARP_ENDPOINT_WAIT_REPLY] = EP_OCTETS_COLLECT,
    [IWARP_ENDPOINT_REPLY_PENDING] = EP_OCTETS_HOLD,
    [IWARP_ENDPOINT_WAIT_REQUEST] = EP_OCTETS_COLLECT,
    [IWARP_ENDPOINT_REQUEST_PENDING] = EP_OCTETS_SURPLUS,
    [IWARP_ENDPOINT_AWAIT_FIRST_FPDU] = EP_OCTETS_FPDUS,
    [IWARP_ENDPOINT_FULL] = EP_OCTETS_FPDUS,
    [IWARP_ENDPOINT_ENDING] = EP_OCTETS_FPDUS,
    [IWARP_ENDPOINT_LOCAL_CLOSED] = EP_OCTETS_FPDUS,
    [IWARP_ENDPOINT_PEER_ENDED] = EP_OCTETS_REFUSE,
    [IWARP_ENDPOINT_CLOSING] = EP_OCTETS_REFUSE,
    [IWARP_ENDPOINT_SEND_FAILED] = EP_OCTETS_FPDUS,
    [IWARP_ENDPOINT_TERMINATING] = EP_OCTETS_DISCARD,
    [IWARP_ENDPOINT_TERMINATED] = EP_OCTETS_DISCARD,
    [IWARP_ENDPOINT_DETACHED] = EP_OCTETS_HAND_OVER,
    [IWARP_ENDPOINT_CLOSED] = EP_OCTETS_DISCARD,
};

/* The row of an input in a state, or the default of the input. */
static const machine_row *machine_row_of(iwarp_endpoint_state state, ep_input input) {
  const machine_row *row = &machine_table[state][input];
  return row->action != EP_DO_DEFAULT ? row : &machine_defaults[input];
}

/* iwarpi_ep_action returns the action for an input in a state. */
ep_action iwarpi_ep_action(iwarp_endpoint_state state, ep_input input) {
  return (ep_action)machine_row_of(state, input)->action;
}

/* iwarpi_ep_cell returns the action and the next state. */
ep_cell iwarpi_ep_cell(iwarp_endpoint_state state, ep_input input) {
  const machine_row *row = machine_row_of(state, input);
  return (ep_cell){.action = (ep_action)row->action,
                   .next = row->next == MACHINE_SAME ? state : (iwarp_endpoint_state)row->next};
}

/* iwarpi_ep_octet_use returns what a state does with octets that the transport pushes. */
ep_octet_use iwarpi_ep_octet_use(iwarp_endpoint_state state) {
  return (ep_octet_use)machine_octets[state];
}
