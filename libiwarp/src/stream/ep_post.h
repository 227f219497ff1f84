/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations that the ULP posts. */
#ifndef IWARPI_STREAM_EP_POST_H
#define IWARPI_STREAM_EP_POST_H

#include <iwarp/endpoint.h>

#include "ep_memory.h"
#include "ep_sq.h"

/* What ep_post.c sees of an endpoint. */
typedef struct ep_posting {
  const iwarp_endpoint_cfg *cfg;
  const iwarp_endpoint_info *info;
  const ep_memory *memory;
  ep_sq *sq;
} ep_posting;

/* ep.c */
ep_posting iwarpi_ep_posting(iwarp_endpoint *ep);

#endif
