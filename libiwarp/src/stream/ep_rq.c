/* SPDX-License-Identifier: BSD-2-Clause */
/* The receive queue of an endpoint. RFC 5041 5.3, RFC 5042 6.4.3 */
#include "ep_rq.h"

/* iwarpi_ep_rq_post adds a buffer; false when there are as many as may be. */
bool iwarpi_ep_rq_post(ep_rq *rq, const ep_recv *v) {
  if (rq->ring.num == rq->most) {
    return false;
  }
  rq->recvs[ep_ring_at(&rq->ring, rq->ring.num)] = *v;
  rq->ring.num++;
  rq->low_armed = rq->low_armed || rq->ring.num >= rq->low;
  return true;
}

/* iwarpi_ep_rq_at returns the buffer of the message that is `i` after the next one. */
ep_recv *iwarpi_ep_rq_at(const ep_rq *rq, uint32_t i) {
  return &rq->recvs[ep_ring_at(&rq->ring, i)];
}

/* iwarpi_ep_rq_pop takes the first buffer out and returns its token. */
uint64_t iwarpi_ep_rq_pop(ep_rq *rq, bool completed) {
  const ep_recv *v = iwarpi_ep_rq_at(rq, 0);
  rq->num_partial -= v->out_of_order > 0 ? 1u : 0u;
  rq->completed += completed ? 1u : 0u;
  ep_ring_pop(&rq->ring);
  return v->token;
}

/* iwarpi_ep_rq_out_of_order counts an FPDU placed in buffer `i` before its turn, or with -1 one
 * less. */
void iwarpi_ep_rq_out_of_order(ep_rq *rq, uint32_t i, int by) {
  if (i >= rq->ring.num) { /* the message ended before it: it is wrong */
    return;
  }
  ep_recv *v = iwarpi_ep_rq_at(rq, i);
  const bool was = v->out_of_order > 0;
  v->out_of_order += (uint32_t)by;
  rq->num_partial += (v->out_of_order > 0 ? 1u : 0u) - (was ? 1u : 0u);
}

/* iwarpi_ep_rq_is_low says once that there are fewer buffers than `low`. */
bool iwarpi_ep_rq_is_low(ep_rq *rq) {
  const bool low = rq->low_armed && rq->ring.num < rq->low;
  rq->low_armed = rq->low_armed && !low;
  return low;
}
