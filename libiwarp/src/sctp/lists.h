/* SPDX-License-Identifier: BSD-2-Clause */
/* The states of a DDP stream as a list; unit.names compares it with the enumeration. */
#ifndef IWARPI_SCTP_LISTS_H
#define IWARPI_SCTP_LISTS_H

#include <iwarp/sctp_session.h>

/* The states in order: X(name, text). */
#define SCTP_STATE_MAP(X)                                                                          \
  X(IDLE, "idle")                                                                                  \
  X(INIT_SENT, "init-sent")                                                                        \
  X(PENDING, "pending")                                                                            \
  X(EST, "established")                                                                            \
  X(T_SENT, "t-sent")                                                                              \
  X(T_RCVD, "t-received")                                                                          \
  X(GAVE_UP, "gave-up")                                                                            \
  X(ABANDONED, "abandoned")                                                                        \
  X(REFUSED, "refused")                                                                            \
  X(REFUSING, "refusing")                                                                          \
  X(DRAIN, "drain")

#endif
