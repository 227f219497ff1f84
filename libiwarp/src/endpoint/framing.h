/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs of an endpoint's peer, taken off the stream in its order. */
#ifndef IWARPI_ENDPOINT_FRAMING_H
#define IWARPI_ENDPOINT_FRAMING_H

#include <iwarp/endpoint.h>

#include "pushed.h"
#include "reassembly.h"
#include "segment.h"

/* What framing.c sees of an endpoint. */
typedef struct ep_framing {
  ep_reassembly *reassembly;
  ep_pushed *pushed;
  const iwarp_endpoint_cfg *cfg;
  const iwarp_endpoint_info *info;
} ep_framing;

size_t iwarpi_ep_frame_max(const iwarp_endpoint_cfg *cfg);
uint32_t iwarpi_ep_frame_crc(uint32_t crc, const iwarp_mpa_fpdu *mpa, size_t from,
                             iwarp_span octets);
void iwarpi_ep_frame_decode(const ep_framing *f, ep_fpdu *out);
bool iwarpi_ep_frame_begun(const ep_framing *f, ep_fpdu *out);
iwarp_err iwarpi_ep_frame(const ep_framing *f, ep_fpdu *out);
bool iwarpi_ep_hold(const ep_framing *f, iwarp_span in);
void iwarpi_ep_release(const ep_framing *f);
void iwarpi_ep_segment(ep_segment *out, const ep_fpdu *fpdu);

#endif
