/* SPDX-License-Identifier: BSD-2-Clause */
/* Responses to the Requests of an endpoint's peer. */
#ifndef IWARPI_ENDPOINT_RESPONSES_H
#define IWARPI_ENDPOINT_RESPONSES_H

#include "segment.h"
#include "views.h"

/* Each returns an input of the state machine: EP_FAULT or NO_INPUT. */
ep_input iwarpi_ep_request(const ep_recv_view *s, const ep_segment *seg, iwarp_span inner);
ep_input iwarpi_ep_send_responses(const ep_recv_view *s);
ep_input iwarpi_ep_abort_responses(const ep_recv_view *s);

bool iwarpi_ep_request_atomic(const ep_recv_view *s, iwarp_endpoint_event *ev, ep_input *fault);
ep_inbound *iwarpi_ep_requested_atomic(const ep_inbounds *q);
void iwarpi_ep_drop_requests(ep_inbounds *q);
bool iwarpi_ep_response_sent(const ep_recv_view *s, uint64_t token);

#endif
