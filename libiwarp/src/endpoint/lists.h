/* SPDX-License-Identifier: BSD-2-Clause */
/* The states of an endpoint and the causes of its end as lists; unit.names compares them with the
 * enumerations. */
#ifndef IWARPI_ENDPOINT_LISTS_H
#define IWARPI_ENDPOINT_LISTS_H

#include <iwarp/endpoint.h>

/* The states in order: X(name, text). */
#define EP_STATE_MAP(X)                                                                            \
  X(IDLE, "made, not started")                                                                     \
  X(WAIT_REPLY, "Initiator: the Request was made")                                                 \
  X(REPLY_PENDING, "Initiator: accept or reject is expected")                                      \
  X(WAIT_REQUEST, "Responder: a Request is expected")                                              \
  X(REQUEST_PENDING, "Responder: accept or reject is expected")                                    \
  X(AWAIT_FIRST_FPDU, "Responder: no FPDU came, so none may be sent, RFC 5044 7.1.2")              \
  X(FULL, "Full Operation")                                                                        \
  X(ENDING, "iwarp_endpoint_close: posted operations still go out")                                \
  X(LOCAL_CLOSED, "this side's half is closed")                                                    \
  X(PEER_ENDED, "the peer's half is closed")                                                       \
  X(CLOSING, "the peer's half is closed, octets left to send still go out")                        \
  X(SEND_FAILED, "a send failed: octets are still received, none go out")                          \
  X(TERMINATING, "a Terminate goes out, or the FPDU during which one came")                        \
  X(TERMINATED, "a Terminate was sent or received; this side's half is closed")                    \
  X(DETACHED, "MPA was left, the transport connection is the ULP's")                               \
  X(CLOSED, "the end: nothing follows")

/* The causes in order, each with the error of CLOSED: X(name, err). */
#define EP_CAUSE_MAP(X)                                                                            \
  X(ORDERLY, IWARP_OK)                                                                             \
  X(ABORT, IWARP_ERR_ABORTED)                                                                      \
  X(FRAME, IWARP_ERR_MPA_KEY)                                                                      \
  X(FAULT, IWARP_ERR_FAULT)                                                                        \
  X(FIN, IWARP_ERR_EOF)                                                                            \
  X(LOST, IWARP_ERR_LOST)                                                                          \
  X(TIMEOUT, IWARP_ERR_TIMEOUT)                                                                    \
  X(EARLY, IWARP_ERR_FAULT)                                                                        \
  X(TERMINATE, IWARP_ERR_TERMINATED)                                                               \
  X(REFUSED, IWARP_ERR_REFUSED)                                                                    \
  X(REJECT, IWARP_ERR_ABORTED)

#endif
