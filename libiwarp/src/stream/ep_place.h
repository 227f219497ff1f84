/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of an endpoint's current FPDU that are still to be placed. */
#ifndef IWARPI_STREAM_EP_PLACE_H
#define IWARPI_STREAM_EP_PLACE_H

#include <iwarp/endpoint.h>

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

#endif
