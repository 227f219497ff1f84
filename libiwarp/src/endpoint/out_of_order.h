/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of an endpoint's peer that come out of order. */
#ifndef IWARPI_ENDPOINT_OUT_OF_ORDER_H
#define IWARPI_ENDPOINT_OUT_OF_ORDER_H

#include "../base/step.h"
#include "segment.h"
#include "views.h"

bool iwarpi_ep_out_of_order_due(const ep_order_view *o, ep_fpdu *out);
step iwarpi_ep_out_of_order_step(const ep_order_view *o);
bool iwarpi_ep_out_of_order_event(ep_out_of_order *v, iwarp_endpoint_ev *ev);

#endif
