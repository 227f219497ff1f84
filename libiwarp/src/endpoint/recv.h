/* SPDX-License-Identifier: BSD-2-Clause */
/* The receiving of an FPDU of the peer. */
#ifndef IWARPI_ENDPOINT_RECV_H
#define IWARPI_ENDPOINT_RECV_H

#include "segment.h"
#include "views.h"

iwarp_term iwarpi_ep_validate(const ep_recv_view *r, const ep_segment *seg);

/* Each returns an input of the state machine. */
ep_input iwarpi_ep_fpdu_fault(ep_fault *f, const ep_fpdu *fpdu);
ep_input iwarpi_ep_receive(const ep_recv_view *r, const ep_fpdu *fpdu);

void iwarpi_ep_terminated(const ep_receiving *rx, iwarp_endpoint_terminated *out);

#endif
