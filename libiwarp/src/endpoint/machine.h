/* SPDX-License-Identifier: BSD-2-Clause */
/* The state machine of an endpoint: its inputs, its actions, and its use of the peer's octets. */
#ifndef IWARPI_ENDPOINT_MACHINE_H
#define IWARPI_ENDPOINT_MACHINE_H

#include <iwarp/endpoint.h>

/* The inputs of an endpoint: X(name, shown as, text). */
#define EP_INPUT_MAP(X)                                                                            \
  X(CONNECT, "connect", "`iwarp_endpoint_connect`")                                                \
  X(LISTEN, "listen", "`iwarp_endpoint_listen`")                                                   \
  X(ACCEPT, "accept", "`iwarp_endpoint_accept`")                                                   \
  X(REJECT, "reject", "`iwarp_endpoint_reject`")                                                   \
  X(POST, "post", "an operation is posted")                                                        \
  X(RECV, "recv", "`iwarp_endpoint_recv`")                                                         \
  X(CLOSE, "close", "`iwarp_endpoint_close`")                                                      \
  X(ABORT, "abort", "`iwarp_endpoint_abort`")                                                      \
  X(BAD_FRAME, "bad frame", "octets are no valid startup frame")                                   \
  X(SURPLUS, "surplus", "octets came where none may come")                                         \
  X(OVERFLOW, "overflow", "more came with the Reply than can be held")                             \
  X(GOT_REQUEST, "Request", "a Request")                                                           \
  X(GOT_REPLY, "Reply", "a Reply that accepts")                                                    \
  X(GOT_REJECT, "Reject", "a Reply that rejects")                                                  \
  X(FPDU, "FPDU", "an FPDU valid for MPA")                                                         \
  X(FAULT, "fault", "an error of RFC 5040, 5041, 5044, 6581 or 7306 was found")                    \
  X(GOT_TERMINATE, "Terminate", "the peer's Terminate")                                            \
  X(DRAINED, "drained", "all that was to be sent before the end is sent")                          \
  X(FIN, "fin", "`iwarp_endpoint_eof`")                                                            \
  X(CUT, "cut", "the same inside an FPDU or a message")                                            \
  X(SEND_FAILED, "send failed", "`iwarp_endpoint_send_failed`")                                    \
  X(LOST, "lost", "`iwarp_endpoint_lost`")                                                         \
  X(TIMEOUT, "timeout", "`iwarp_endpoint_deadline` has passed")

typedef enum ep_input {
#define EP_INPUT_ENUM(name, shown, text) EP_##name,
  EP_INPUT_MAP(EP_INPUT_ENUM)
#undef EP_INPUT_ENUM
      EP_NUM_INPUTS,
  EP_NO_INPUT = EP_NUM_INPUTS /* no input */
} ep_input;

/* The actions for an input: X(name, shown as, text). */
#define EP_ACTION_MAP(X)                                                                           \
  X(REFUSE, "-", "the call returns STATE")                                                         \
  X(TAKE, "take", "nothing more than the next state")                                              \
  X(NEVER, "", "cannot happen, and would change nothing")                                          \
  X(REQUEST, "request", "send the Request, start the timer")                                       \
  X(TIMER, "timer", "start the timer")                                                             \
  X(REPORT_REQUEST, "report request", "REQUEST")                                                   \
  X(REPORT_REPLY, "report reply", "REPLY")                                                         \
  X(REPORT_REJECTED, "report rejected", "REJECTED; MPA is over")                                   \
  X(REPLY, "reply", "send the accepting Reply, get ready for FPDUs")                               \
  X(REFUSAL, "refusal", "send the rejecting Reply; MPA is over")                                   \
  X(CONFIRM, "confirm", "settle what the Reply says; ESTABLISHED, or a fault")                     \
  X(LEAVE, "leave", "MPA is over")                                                                 \
  X(ESTABLISH, "establish", "ESTABLISHED: FPDUs may go out")                                       \
  X(END, "end", "wait until all is sent, start the timer")                                         \
  X(SHUTDOWN, "shutdown", "SHUTDOWN, start the timer")                                             \
  X(SHUT_LAST, "shut last", "SHUTDOWN, CLOSED")                                                    \
  X(PEER_ENDED, "peer ended", "PEER_ENDED; what waits for the peer fails")                         \
  X(TERMINATE, "terminate", "FAULT; send a Terminate, drop all else")                              \
  X(NO_TERMINATE, "no terminate", "FAULT, CLOSED: no Terminate can be sent")                       \
  X(TERMINATED, "terminated", "TERMINATED; drop all but an FPDU under way")                        \
  X(TERM_LATE, "term late", "TERMINATED; drop all")                                                \
  X(STOP_SENDING, "stop sending", "hand out nothing more, start the timer")                        \
  X(TERM_LAST, "term last", "TERMINATED, CLOSED: end the transport connection")                    \
  X(SEND_LOST, "send lost", "CLOSED, cause LOST: end the transport connection")                    \
  X(CLOSED, "closed", "CLOSED")                                                                    \
  X(BROKEN, "broken", "CLOSED: the transport connection is gone")                                  \
  X(DROP, "drop", "CLOSED: end the transport connection")

typedef enum ep_action {
  EP_DO_DEFAULT = 0, /* the table has no row: the default of the input applies */
#define EP_ACTION_ENUM(name, shown, text) EP_DO_##name,
  EP_ACTION_MAP(EP_ACTION_ENUM)
#undef EP_ACTION_ENUM
      EP_NUM_ACTIONS
} ep_action;

typedef struct ep_cell {
  ep_action action;
  iwarp_endpoint_state next;
} ep_cell;

/* The uses of octets that the transport pushes: X(name, shown as, text). */
#define EP_OCTETS_MAP(X)                                                                           \
  X(REFUSE, "-", "the call returns STATE")                                                         \
  X(COLLECT, "collect", "they belong to a startup frame")                                          \
  X(SURPLUS, "surplus", "none may come now: the input surplus")                                    \
  X(HOLD, "hold", "they are held until accept or reject decides what they are")                    \
  X(FPDUS, "FPDUs", "they are FPDUs")                                                              \
  X(HAND_OVER, "hand over", "STREAMING: they are the ULP's")                                       \
  X(DISCARD, "discard", "they are discarded")

typedef enum ep_octet_use {
#define EP_OCTETS_ENUM(name, shown, text) EP_OCTETS_##name,
  EP_OCTETS_MAP(EP_OCTETS_ENUM)
#undef EP_OCTETS_ENUM
      EP_NUM_OCTET_USES
} ep_octet_use;

ep_cell iwarpi_ep_cell(iwarp_endpoint_state state, ep_input input);
ep_action iwarpi_ep_action(iwarp_endpoint_state state, ep_input input);
ep_octet_use iwarpi_ep_octet_use(iwarp_endpoint_state state);

/* ep_in_startup returns true if a startup frame is still to be made or received. These states come
 * first. */
static inline bool ep_in_startup(iwarp_endpoint_state state) {
  return state <= IWARP_ENDPOINT_REQUEST_PENDING;
}

/* ep_refuses returns true if a state refuses the call that makes this input. */
static inline bool ep_refuses(iwarp_endpoint_state state, ep_input input) {
  return iwarpi_ep_action(state, input) == EP_DO_REFUSE;
}

/* ep_can_come returns true if an input that is no call can come in a state. */
static inline bool ep_can_come(iwarp_endpoint_state state, ep_input input) {
  return iwarpi_ep_action(state, input) != EP_DO_NEVER;
}

#endif
