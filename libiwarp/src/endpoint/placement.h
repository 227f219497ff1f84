/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of an endpoint's current FPDU that are still to be placed. */
#ifndef IWARPI_ENDPOINT_PLACEMENT_H
#define IWARPI_ENDPOINT_PLACEMENT_H

#include <iwarp/endpoint.h>

#include "regions.h"
#include "rq.h"
#include "segment.h"

typedef struct ep_placing {
  bool on;
  bool named;     /* PLACE named them: they are placed when the next event is asked for */
  bool ends_read; /* they are the last ones of a Read Response */
  iwarp_endpoint_place place;
  iwarp_endpoint_run *runs; /* those of all PLACE events of a call */
  size_t used;              /* so many of them */
} ep_placing;

/* A run of payload in the wire form of an FPDU: `len` octets from offset `at` on. */
typedef struct ep_payload {
  size_t at;
  size_t len;
  size_t left; /* octets of payload from `at` on, in this run and those that follow */
} ep_payload;

/* Where octets may go. placement.c sees nothing else of an endpoint but ep_placing. */
typedef struct ep_sinks {
  const ep_memory *memory;
  const ep_rq *rq;
  const uint32_t *msn; /* that the next message on each queue has */
} ep_sinks;

void iwarpi_ep_place(ep_placing *p, const ep_sinks *s, const ep_segment *seg);
bool iwarpi_ep_place_event(ep_placing *p, iwarp_endpoint_ev *ev);
size_t iwarpi_ep_num_runs(const iwarp_endpoint_cfg *cfg);
bool iwarpi_ep_has_runs(const ep_placing *p);
ep_payload iwarpi_ep_payload(const ep_segment *seg);
void iwarpi_ep_payload_next(ep_payload *p);
uint8_t *iwarpi_ep_payload_place(const ep_sinks *s, const ep_segment *seg);

#endif
