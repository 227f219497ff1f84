/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive queue of an endpoint: buffers for Sends, in the order of their MSNs. */
#ifndef IWARPI_ENDPOINT_RQ_H
#define IWARPI_ENDPOINT_RQ_H

#include <iwarp/endpoint.h>

#include "ring.h"

typedef struct ep_recv {
  iwarp_endpoint_buffer v;
  uint32_t out_of_order; /* FPDUs placed in it before their turn and not reached yet */
} ep_recv;

struct iwarp_srq {
  ep_ring ring;
  ep_recv *recvs;
  uint32_t most;  /* buffers that may be posted; `ring` has room for one at least */
  uint32_t low;   /* RECV_LOW when there are fewer */
  bool low_armed; /* there were `low` since it was reported */
};

typedef struct ep_rq {
  iwarp_srq own;        /* with a shared queue: the buffers taken from it */
  iwarp_srq *shared;    /* or NULL */
  uint64_t completed;   /* by messages, since the beginning */
  uint32_t num_partial; /* buffers with out_of_order above 0 */
} ep_rq;

uint32_t iwarpi_ep_rq_num(const ep_rq *rq);
bool iwarpi_ep_rq_reserve(ep_rq *rq, uint32_t i);
ep_recv *iwarpi_ep_rq_at(const ep_rq *rq, uint32_t i);
iwarp_endpoint_buffer iwarpi_ep_rq_pop(ep_rq *rq, bool completed);
void iwarpi_ep_rq_out_of_order(ep_rq *rq, uint32_t i, int by);
bool iwarpi_ep_rq_is_low(ep_rq *rq);

#endif
