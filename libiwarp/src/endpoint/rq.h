/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive queue of an endpoint: buffers for Sends, in the order of their MSNs. */
#ifndef IWARPI_ENDPOINT_RQ_H
#define IWARPI_ENDPOINT_RQ_H

#include "state.h"

uint32_t iwarpi_ep_rq_num(const ep_rq *rq);
bool iwarpi_ep_rq_reserve(ep_rq *rq, uint32_t i);
ep_recv *iwarpi_ep_rq_at(const ep_rq *rq, uint32_t i);
iwarp_endpoint_buffer iwarpi_ep_rq_pop(ep_rq *rq);
iwarp_endpoint_buffer iwarpi_ep_rq_complete(ep_rq *rq);
void iwarpi_ep_rq_out_of_order(ep_rq *rq, uint32_t i, int by);
bool iwarpi_ep_rq_is_low(ep_rq *rq);

#endif
