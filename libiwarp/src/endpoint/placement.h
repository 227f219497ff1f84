/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of an endpoint's current FPDU that are still to be placed. */
#ifndef IWARPI_ENDPOINT_PLACEMENT_H
#define IWARPI_ENDPOINT_PLACEMENT_H

#include "segment.h"
#include "views.h"

/* A run of payload in the wire form of an FPDU: `len` octets from offset `at` on. */
typedef struct ep_payload {
  size_t at;
  size_t len;
  size_t left; /* octets of payload from `at` on, in this run and those that follow */
} ep_payload;

void iwarpi_ep_place(ep_placing *p, const ep_sink_view *s, const ep_segment *seg);
bool iwarpi_ep_place_event(ep_placing *p, iwarp_endpoint_event *ev);
size_t iwarpi_ep_num_runs(const iwarp_endpoint_cfg *cfg);
bool iwarpi_ep_has_runs(const ep_placing *p);
ep_payload iwarpi_ep_payload(const ep_segment *seg);
void iwarpi_ep_payload_next(ep_payload *p);
uint8_t *iwarpi_ep_payload_place(const ep_sink_view *s, const ep_segment *seg);

#endif
