/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of an endpoint's peer, taken off the stream in its order. */
#ifndef IWARPI_ENDPOINT_FRAMING_H
#define IWARPI_ENDPOINT_FRAMING_H

#include "segment.h"
#include "views.h"

size_t iwarpi_ep_frame_max(const iwarp_endpoint_cfg *cfg);
uint32_t iwarpi_ep_frame_crc(uint32_t crc, const iwarp_mpa_fpdu *mpa, size_t from,
                             iwarp_span octets);
void iwarpi_ep_frame_decode(const ep_framing_view *f, ep_fpdu *out);
bool iwarpi_ep_frame_begun(const ep_framing_view *f, ep_fpdu *out);
iwarp_err iwarpi_ep_frame(const ep_framing_view *f, ep_fpdu *out);
bool iwarpi_ep_hold(const ep_framing_view *f, iwarp_span in);
void iwarpi_ep_release(const ep_framing_view *f);
void iwarpi_ep_segment(ep_segment *out, const ep_fpdu *fpdu);

#endif
