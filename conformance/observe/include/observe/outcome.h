/* SPDX-License-Identifier: BSD-2-Clause */
/* How a connection ended, as the capture shows it. */
#ifndef OBSERVE_OUTCOME_H
#define OBSERVE_OUTCOME_H

#include <iwarp/rdmap.h>

/** observe_how is the outcome of a connection: the first of these that holds, or UNKNOWN. */
typedef enum observe_how {
  OBSERVE_UNKNOWN = 0,    /* the capture does not let it be known */
  OBSERVE_REJECTED,       /* the Responder answered with a Reject */
  OBSERVE_TERMINATED,     /* a side sent a Terminate */
  OBSERVE_STARTUP_FAILED, /* a startup frame was incomplete or malformed, and no FPDU was seen */
  OBSERVE_NO_REPLY, /* a whole Request, a Responder that sent nothing, and the connection ended */
  OBSERVE_RESET,    /* an RST or ABORT came before the second FIN */
  OBSERVE_CLOSED,   /* each side sent a FIN */
  OBSERVE_HALF_CLOSED, /* a single side sent a FIN */
  OBSERVE_OPEN         /* the capture ends first, and nothing acknowledged is missing at its end */
} observe_how;

#define OBSERVE_HOWS 9u

/** observe_lack is what a capture lacks for the outcome to be known: the first that holds. */
typedef enum observe_lack {
  OBSERVE_LACK_NONE = 0,
  OBSERVE_LACK_GIVEN_UP,  /* a limit ended the following of the connection */
  OBSERVE_LACK_END,       /* the ports were used again, without FIN or RST */
  OBSERVE_LACK_DIRECTION, /* a direction was not captured */
  OBSERVE_LACK_TAIL       /* octets that were acknowledged are missing at the end of a direction */
} observe_lack;

#define OBSERVE_TERMINATE_TAIL                                                                     \
  64u /* octets after the control field of a Terminate that are kept                               \
       */

/** observe_terminate is the Terminate that ended a connection. The spans of `term` lie in `tail`,
 * so a copy of it borrows the original. */
typedef struct observe_terminate {
  iwarp_rdmap_term term;
  uint8_t tail[OBSERVE_TERMINATE_TAIL];
  iwarp_rdmap_term_place place;
  /* packet that completed the latest FPDU with the returned header; 0: no such packet */
  uint64_t about;
  bool about_read; /* the FPDU is found by its RDMA header: siw returns a Read Request with another
                      MSN */
} observe_terminate;

/**
 * observe_outcome is how a connection ended. Over SCTP a Session Terminate stands for a FIN, an
 * ABORT for an RST, and a Session Terminate before any Accept for a Reject.
 */
typedef struct observe_outcome {
  observe_how how;
  observe_lack lack; /* NONE unless `how` is UNKNOWN */
  bool ended;        /* the next four members are set: of the Reject, Terminate, RST or first FIN */
  uint8_t side;      /* sender of that packet */
  bool reset;        /* the packet is an RST or an ABORT */
  uint64_t packet;
  uint64_t time_ns;
  const observe_terminate *terminate; /* set if `how` is TERMINATED, else NULL */
} observe_outcome;

/** observe_outcome_copy copies an outcome with its Terminate, where there is one, into `terminate`,
 * so that it can outlive the connection. */
void observe_outcome_copy(observe_outcome *out, observe_terminate *terminate,
                          const observe_outcome *in);

#endif
