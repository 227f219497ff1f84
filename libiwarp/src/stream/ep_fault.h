/* SPDX-License-Identifier: BSD-2-Clause */
/* The fault that ends an endpoint's stream, and the headers that its Terminate returns. */
#ifndef IWARPI_STREAM_EP_FAULT_H
#define IWARPI_STREAM_EP_FAULT_H

#include "ep_inbound.h"
#include "ep_segment.h"
#include "ep_table.h"

typedef struct ep_fault {
  bool found; /* only the first one counts */
  bool sent;  /* a Terminate says it */
  iwarp_rdmap_term term;
  uint8_t header[IWARP_DDP_UNTAGGED_LEN]; /* the spans of `term` are of these */
  uint8_t read[IWARP_RDMAP_READ_REQ_LEN];
} ep_fault;

/* Each keeps the fault if it is the first one, and returns the input EP_FAULT. */
ep_input iwarpi_ep_fault(ep_fault *f, uint16_t term);
ep_input iwarpi_ep_fault_of_segment(ep_fault *f, uint16_t term, const ep_segment *seg,
                                    iwarp_span read);
ep_input iwarpi_ep_fault_of_read(ep_fault *f, uint16_t term, const ep_inbound *in, uint32_t sent);

#endif
