/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The errors of a segment of an endpoint's peer. Each check returns EP_OK if it finds none, and
 * changes nothing.
 */
#ifndef IWARPI_ENDPOINT_CHECK_H
#define IWARPI_ENDPOINT_CHECK_H

#include "segment.h"
#include "views.h"

iwarp_term iwarpi_ep_check_header(const ep_check_view *c, const ep_segment *seg);
iwarp_term iwarpi_ep_check_sink(const ep_check_view *c, const ep_segment *seg);
iwarp_term iwarpi_ep_check(const ep_check_view *c, const ep_segment *seg);
iwarp_term iwarpi_ep_check_room(const ep_check_view *c, const ep_segment *seg);
iwarp_term iwarpi_ep_check_message(const ep_check_view *c, const ep_segment *seg);
bool iwarpi_ep_is_rtr(const iwarp_endpoint_info *info, const ep_segment *seg);
bool iwarpi_ep_takes_buffer(const iwarp_endpoint_info *info, const ep_segment *seg);

#endif
