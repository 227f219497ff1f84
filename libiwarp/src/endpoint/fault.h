/* SPDX-License-Identifier: BSD-2-Clause */
/* The fault that ends an endpoint's stream, and the headers that its Terminate returns. */
#ifndef IWARPI_ENDPOINT_FAULT_H
#define IWARPI_ENDPOINT_FAULT_H

#include "segment.h"
#include "state.h"

/* Each keeps the fault if it is the first one, and returns the input EP_FAULT. */
ep_input iwarpi_ep_fault(ep_fault *f, iwarp_term term, uint64_t offset);
ep_input iwarpi_ep_fault_of_fpdu(ep_fault *f, iwarp_term term, const ep_fpdu *fpdu);
ep_input iwarpi_ep_fault_of_segment(ep_fault *f, iwarp_term term, const ep_segment *seg,
                                    iwarp_span read);
ep_input iwarpi_ep_fault_of_read(ep_fault *f, iwarp_term term, const ep_inbound *in, uint32_t sent);

iwarp_rdmap_term iwarpi_ep_fault_term(const ep_fault *f);
void iwarpi_ep_fault_event(const ep_fault *f, iwarp_endpoint_fault *out);

#endif
