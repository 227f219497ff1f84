/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations that the ULP posts. */
#ifndef IWARPI_ENDPOINT_POST_H
#define IWARPI_ENDPOINT_POST_H

#include <iwarp/endpoint.h>

#include "regions.h"
#include "sq.h"

/* What post.c sees of an endpoint. */
typedef struct ep_posting {
  const iwarp_endpoint_cfg *cfg;
  const iwarp_endpoint_info *info;
  const ep_memory *memory;
  ep_sq *sq;
} ep_posting;

/* endpoint.c */
ep_posting iwarpi_ep_posting(iwarp_endpoint *ep);

#endif
