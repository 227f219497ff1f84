/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of an endpoint's current FPDU that are still to be placed. */
#ifndef IWARPI_STREAM_EP_PLACE_H
#define IWARPI_STREAM_EP_PLACE_H

#include <iwarp/endpoint.h>

typedef struct ep_placing {
  bool on;
  bool ends_read; /* they are the last ones of a Read Response */
  iwarp_mpa_fpdu fpdu;
  size_t cursor;
  size_t skip; /* octets of headers that come first */
  iwarp_endpoint_place place;
} ep_placing;

#endif
