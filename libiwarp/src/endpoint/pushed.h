/* SPDX-License-Identifier: BSD-2-Clause */
/* The octets that the transport of an endpoint pushed. */
#ifndef IWARPI_ENDPOINT_PUSHED_H
#define IWARPI_ENDPOINT_PUSHED_H

#include <iwarp/base.h>

typedef struct ep_pushed {
  bool busy;     /* there are some, and events were not drained */
  iwarp_span in; /* the rest of them */
  uint64_t from; /* where the octets of the last push begin in the peer's stream */
  size_t len;    /* octets of the last push */
} ep_pushed;

#endif
