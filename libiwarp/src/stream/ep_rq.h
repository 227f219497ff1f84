/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive queue of an endpoint: buffers for Sends, in the order of their MSNs. */
#ifndef IWARPI_STREAM_EP_RQ_H
#define IWARPI_STREAM_EP_RQ_H

#include <stdbool.h>

#include "ep_ring.h"

typedef struct ep_recv {
  uint64_t token;
  uint8_t *mem;
  uint32_t len;
  uint32_t out_of_order; /* FPDUs placed in it before their turn and not reached yet */
} ep_recv;

typedef struct ep_rq {
  ep_ring ring;
  ep_recv *recvs;
  uint32_t most;        /* buffers that may be posted; `ring` has room for one at least */
  uint32_t low;         /* RECV_LOW when there are fewer */
  bool low_armed;       /* there were `low` since it was reported */
  uint64_t completed;   /* by messages, since the beginning */
  uint32_t num_partial; /* buffers with out_of_order above 0 */
} ep_rq;

bool iwarpi_ep_rq_post(ep_rq *rq, const ep_recv *v);
ep_recv *iwarpi_ep_rq_at(const ep_rq *rq, uint32_t i);
uint64_t iwarpi_ep_rq_pop(ep_rq *rq, bool completed);
void iwarpi_ep_rq_out_of_order(ep_rq *rq, uint32_t i, int by);
bool iwarpi_ep_rq_is_low(ep_rq *rq);

#endif
