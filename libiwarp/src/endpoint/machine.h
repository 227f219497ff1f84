/* SPDX-License-Identifier: BSD-2-Clause */
/* The state machine of an endpoint: what can happen to it, and what is done about it. */
#ifndef IWARPI_ENDPOINT_MACHINE_H
#define IWARPI_ENDPOINT_MACHINE_H

#include <iwarp/endpoint.h>

/* What can happen to an endpoint: X(name, shown as, text). */
#define EP_INPUT_MAP(X)                                                                            \
  X(CONNECT, "connect", "`iwarp_endpoint_connect`")                                                \
  X(LISTEN, "listen", "`iwarp_endpoint_listen`")                                                   \
  X(ACCEPT, "accept", "`iwarp_endpoint_accept`")                                                   \
  X(REJECT, "reject", "`iwarp_endpoint_reject`")                                                   \
  X(POST, "post", "an operation is posted")                                                        \
  X(RECV, "recv", "`iwarp_endpoint_recv`")                                                         \
  X(CLOSE, "close", "`iwarp_endpoint_close`")                                                      \
  X(ABORT, "abort", "`iwarp_endpoint_abort`")                                                      \
  X(OCTETS, "octets", "`iwarp_endpoint_push`")                                                     \
  X(BAD_FRAME, "bad frame", "they are no valid startup frame")                                     \
  X(SURPLUS, "surplus", "they stand where none may come")                                          \
  X(OVERFLOW, "overflow", "more came with the Reply than can be held")                             \
  X(GOT_REQUEST, "Request", "they were a Request")                                                 \
  X(GOT_REPLY, "Reply", "they were a Reply that accepts")                                          \
  X(GOT_REJECT, "Reject", "they were a Reply that rejects")                                        \
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
  EP_NO_INPUT = EP_NUM_INPUTS /* nothing happened */
} ep_input;

/* What is done about it: X(name, as the table has it, shown as, text). */
#define EP_ACTION_MAP(X)                                                                           \
  X(REFUSE, no, "-", "the call returns STATE")                                                     \
  X(TAKE, ok, "take", "nothing more than the next state")                                          \
  X(NEVER, xx, "", "cannot happen, and would change nothing")                                      \
  X(REQUEST, rq, "request", "send the Request, start the timer")                                   \
  X(TIMER, ti, "timer", "start the timer")                                                         \
  X(REPORT_REQUEST, tq, "report request", "REQUEST")                                               \
  X(REPORT_REPLY, tp, "report reply", "REPLY")                                                     \
  X(REPORT_REJECTED, tj, "report rejected", "REJECTED; MPA is over")                               \
  X(REPLY, rp, "reply", "send the accepting Reply, get ready for FPDUs")                           \
  X(REFUSAL, rj, "refusal", "send the rejecting Reply; MPA is over")                               \
  X(CONFIRM, co, "confirm", "settle what the Reply says; ESTABLISHED, or a fault")                 \
  X(LEAVE, lv, "leave", "MPA is over")                                                             \
  X(ESTABLISH, uf, "establish", "ESTABLISHED: FPDUs may go out")                                   \
  X(END, en, "end", "wait until all is sent, start the timer")                                     \
  X(SHUTDOWN, sd, "shutdown", "SHUTDOWN, start the timer")                                         \
  X(SHUT_LAST, sl, "shut last", "SHUTDOWN, CLOSED")                                                \
  X(PEER_ENDED, pe, "peer ended", "PEER_ENDED; what waits for the peer fails")                     \
  X(TERMINATE, te, "terminate", "FAULT; send a Terminate, drop all else")                          \
  X(NO_TERMINATE, nt, "no terminate", "FAULT, CLOSED: no Terminate can be sent")                   \
  X(TERMINATED, td, "terminated", "TERMINATED; drop all but an FPDU under way")                    \
  X(TERM_LATE, tl, "term late", "TERMINATED; drop all")                                            \
  X(STOP_SENDING, st, "stop sending", "hand out nothing more, start the timer")                    \
  X(TERM_LAST, tc, "term last", "TERMINATED, CLOSED: end the transport connection")                \
  X(SEND_LOST, lt, "send lost", "CLOSED, cause LOST: end the transport connection")                \
  X(CLOSED, cl, "closed", "CLOSED")                                                                \
  X(BROKEN, br, "broken", "CLOSED: the transport connection is gone")                              \
  X(DROP, dr, "drop", "CLOSED: end the transport connection")                                      \
  X(COLLECT, ct, "collect", "they belong to a startup frame")                                      \
  X(SURPLUS, su, "surplus", "none may come now")                                                   \
  X(HOLD, ho, "hold", "they are held until accept or reject tells what they are")                  \
  X(FEED, fe, "feed", "they are FPDUs")                                                            \
  X(HAND, ha, "hand", "STREAMING: they are the ULP's")                                             \
  X(DISCARD, di, "discard", "they are nobody's")

typedef enum ep_action {
#define EP_ACTION_ENUM(name, cell, shown, text) EP_DO_##name,
  EP_ACTION_MAP(EP_ACTION_ENUM)
#undef EP_ACTION_ENUM
      EP_NUM_ACTIONS
} ep_action;

typedef struct ep_cell {
  ep_action action;
  iwarp_endpoint_state next;
} ep_cell;

ep_cell iwarpi_ep_cell(iwarp_endpoint_state state, ep_input input);
ep_action iwarpi_ep_action(iwarp_endpoint_state state, ep_input input);

#endif
