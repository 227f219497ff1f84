/* SPDX-License-Identifier: BSD-2-Clause */
/* What an endpoint does with an FPDU of its peer. */
#ifndef IWARPI_ENDPOINT_RECV_H
#define IWARPI_ENDPOINT_RECV_H

#include "check.h"
#include "placement.h"
#include "responses.h"

/* What recv.c sees of an endpoint. Of what checking sees it changes the message, and the
 * operation that a Response answers; a Request goes to those that are served. */
typedef struct ep_taking {
  ep_checking checking;
  ep_serving serving;
  ep_placing *placing;
} ep_taking;

/* Each returns an input of the state machine. */
ep_input iwarpi_ep_fpdu_fault(ep_fault *f, const ep_fpdu *fpdu);
ep_input iwarpi_ep_receive(const ep_taking *r, const ep_fpdu *fpdu, bool first);

void iwarpi_ep_terminated(const ep_receiving *rx, iwarp_endpoint_terminated *out);

#endif
