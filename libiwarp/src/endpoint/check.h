/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with a segment of an endpoint's peer. */
#ifndef IWARPI_ENDPOINT_CHECK_H
#define IWARPI_ENDPOINT_CHECK_H

#include "segment.h"
#include "views.h"

uint16_t iwarpi_ep_check_header(const ep_recv_view *c, const ep_segment *seg);
uint16_t iwarpi_ep_check_sink(const ep_recv_view *c, const ep_segment *seg);
uint16_t iwarpi_ep_check(const ep_recv_view *c, ep_segment *seg);
bool iwarpi_ep_is_rtr(const ep_recv_view *c, const ep_segment *seg);

#endif
