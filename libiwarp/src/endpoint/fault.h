/* SPDX-License-Identifier: BSD-2-Clause */
/* The fault that ends an endpoint's stream, and the headers that its Terminate returns. */
#ifndef IWARPI_ENDPOINT_FAULT_H
#define IWARPI_ENDPOINT_FAULT_H

#include <iwarp/endpoint.h>

#include "machine.h"
#include "peer_requests.h"
#include "segment.h"

typedef struct ep_fault {
  bool found;           /* only the first one counts */
  bool sent;            /* a Terminate says it */
  bool returned;        /* and returns the DDP header */
  uint8_t header_len;   /* octets of `header`; 0: none is known */
  uint8_t read_len;     /* octets of `read` that the Terminate returns */
  uint16_t term;        /* an iwarp_term */
  uint16_t segment_len; /* of the segment to blame, octets */
  uint64_t offset;      /* stream offset of the FPDU to blame, or IWARP_POS_UNKNOWN */
  uint8_t header[IWARP_DDP_UNTAGGED_LEN]; /* DDP header of its segment */
  uint8_t read[IWARP_RDMAP_READ_REQ_LEN]; /* RDMAP header of a Read Request */
} ep_fault;

/* Each keeps the fault if it is the first one, and returns the input EP_FAULT. */
ep_input iwarpi_ep_fault(ep_fault *f, uint16_t term, uint64_t offset);
ep_input iwarpi_ep_fault_of_fpdu(ep_fault *f, uint16_t term, const ep_fpdu *fpdu);
ep_input iwarpi_ep_fault_of_segment(ep_fault *f, uint16_t term, const ep_segment *seg,
                                    iwarp_span read);
ep_input iwarpi_ep_fault_of_read(ep_fault *f, uint16_t term, const ep_inbound *in, uint32_t sent);

iwarp_rdmap_term iwarpi_ep_fault_term(const ep_fault *f);
void iwarpi_ep_fault_event(const ep_fault *f, iwarp_endpoint_fault *out);

#endif
