/* SPDX-License-Identifier: BSD-2-Clause */
/* What is wrong with a segment of an endpoint's peer. */
#ifndef IWARPI_ENDPOINT_CHECK_H
#define IWARPI_ENDPOINT_CHECK_H

#include <iwarp/endpoint.h>

#include "message.h"
#include "peer_requests.h"
#include "placement.h"
#include "regions.h"
#include "rq.h"
#include "segment.h"
#include "sq.h"

/* What check.c sees of an endpoint. It keeps the RDMAP header of the message in `rx`, takes
 * shared buffers into `rq`, and decides nothing but what is wrong. */
typedef struct ep_checking {
  const iwarp_endpoint_cfg *cfg;
  const iwarp_endpoint_info *info;
  const ep_memory *memory;
  const ep_inbounds *irq;
  ep_receiving *rx;
  ep_rq *rq;
  ep_sq *sq;
} ep_checking;

/* Where the octets of a segment that was checked may go. */
static inline ep_sinks ep_sinks_of(const ep_checking *c) {
  return (ep_sinks){.memory = c->memory, .rq = c->rq, .msn = c->rx->msn};
}

uint16_t iwarpi_ep_check_header(const ep_checking *c, const ep_segment *seg);
uint16_t iwarpi_ep_check_sink(const ep_checking *c, const ep_segment *seg);
uint16_t iwarpi_ep_check(const ep_checking *c, ep_segment *seg);
bool iwarpi_ep_is_rtr(const ep_checking *c, const ep_segment *seg);

#endif
