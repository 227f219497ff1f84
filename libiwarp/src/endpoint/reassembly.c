/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of an endpoint for octets that wait for more: all of it, or a part from a pool. */
#include "reassembly.h"

#include <string.h>

#include "../base/minmax.h"

#define REASSEMBLY_LEAST 128u /* octets of a block of the pool, so that any header fits */

/*
 * iwarpi_ep_reserve sees to it that there is room for `octets`, which are not beyond `cap`; those
 * kept of the expected FPDU stay. False: the pool has no memory now.
 */
bool iwarpi_ep_reserve(ep_reassembly *a, size_t octets) {
  if (octets <= a->room) {
    return true;
  }
  const size_t size = size_max(octets, size_min(REASSEMBLY_LEAST, a->cap));
  uint8_t *buf = a->pool->get(a->pool->ctx, size);
  a->starved = buf == NULL;
  if (a->starved) {
    return false;
  }
  if (a->have > 0) {
    memcpy(buf, a->buf, a->have);
  }
  iwarpi_ep_trim(a);
  a->buf = buf;
  a->room = size;
  return true;
}

/* iwarpi_ep_trim gives the buffer back to the pool. */
void iwarpi_ep_trim(ep_reassembly *a) {
  if (a->pool != NULL && a->room > 0) {
    a->pool->put(a->pool->ctx, a->buf, a->room);
    a->buf = NULL;
    a->room = 0;
  }
}
