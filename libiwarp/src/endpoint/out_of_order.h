/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of an endpoint's peer that come out of order. */
#ifndef IWARPI_ENDPOINT_OUT_OF_ORDER_H
#define IWARPI_ENDPOINT_OUT_OF_ORDER_H

#include "check.h"
#include "framing.h"
#include "placed_early.h"
#include "placement.h"

/* What out_of_order.c sees of an endpoint: of what comes in order it moves the input and the
 * offset that is due, and counts buffers that are used before their turn. */
typedef struct ep_ordering {
  ep_out_of_order *out_of_order;
  ep_placing *placing;
  ep_framing framing;
  ep_checking checking;
  size_t begin; /* where the first FPDU stands in the stream of the transport */
} ep_ordering;

bool iwarpi_ep_out_of_order_due(const ep_ordering *o, ep_fpdu *out);
bool iwarpi_ep_out_of_order_step(const ep_ordering *o);
bool iwarpi_ep_out_of_order_event(ep_out_of_order *v, iwarp_endpoint_ev *ev);

#endif
