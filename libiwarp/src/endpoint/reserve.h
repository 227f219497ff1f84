/* SPDX-License-Identifier: BSD-2-Clause */
/* The place of the rest of an FPDU that is put together. */
#ifndef IWARPI_ENDPOINT_RESERVE_H
#define IWARPI_ENDPOINT_RESERVE_H

#include "placement.h"
#include "segment.h"
#include "views.h"

/* A walk over the rest of the expected FPDU. Offsets count from the start of its wire form. */
typedef struct ep_reserve_walk {
  ep_fpdu fpdu;       /* the FPDU, as far as it was received */
  size_t at;          /* the next octet */
  uint8_t *dst;       /* place of the first octet of payload */
  size_t payload_len; /* octets */
  ep_payload run;     /* run of payload that `at` is in or before */
} ep_reserve_walk;

bool iwarpi_ep_reserve_begin(const ep_framing_view *f, const ep_recv_view *c, ep_reserve_walk *out);
bool iwarpi_ep_reserve_next(const ep_reassembly *a, ep_reserve_walk *walk,
                            iwarp_endpoint_space *out);
void iwarpi_ep_commit(const ep_framing_view *f, ep_reserve_walk *walk, size_t len);

#endif
