/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive queues, of an endpoint or shared. RFC 5041 5.3, RFC 5042 6.4.3 */
#include "rq.h"

#include <iwarp/shared.h>

#include "../base/mem.h"
#include "../base/minmax.h"

/* ---- a queue ---- */

/* Bytes before the buffers of a shared queue. */
#define RQ_HEAD mem_up(sizeof(iwarp_srq))

size_t iwarp_srq_size(uint32_t num) {
  return num == 0 || num > IWARP_ENDPOINT_LIST_MAX ? 0 : RQ_HEAD + num * sizeof(ep_recv);
}

iwarp_err iwarp_srq_init(iwarp_srq **out, void *mem, size_t mem_len, uint32_t num, uint32_t low) {
  const iwarp_err err = mem_error(out, mem, mem_len, low <= num ? iwarp_srq_size(num) : 0);
  if (err != IWARP_OK) {
    return err;
  }
  *out = mem;
  **out = (iwarp_srq){
      .recvs = (void *)((uint8_t *)mem + RQ_HEAD), .ring.cap = num, .most = num, .low = low};
  return IWARP_OK;
}

iwarp_err iwarp_srq_recv(iwarp_srq *q, const iwarp_endpoint_buffer *v) {
  if (q->ring.num == q->most) {
    return IWARP_ERR_NOBUF;
  }
  q->recvs[ring_at(&q->ring, q->ring.num)] = (ep_recv){.v = *v};
  q->ring.num++;
  q->low_armed = q->low_armed || q->ring.num >= q->low;
  return IWARP_OK;
}

uint32_t iwarp_srq_num(const iwarp_srq *q) {
  return q->ring.num;
}

/* ---- the queue seen from an endpoint ---- */

/* iwarpi_ep_rq_num counts the buffers that messages may use now. */
uint32_t iwarpi_ep_rq_num(const ep_rq *rq) {
  const uint32_t room = rq->own.most - rq->own.ring.num;
  const uint32_t more = rq->shared != NULL ? rq->shared->ring.num : 0;
  return rq->own.ring.num + u32_min(more, room);
}

/* iwarpi_ep_rq_reserve takes shared buffers until there is buffer `i`; false when they do not
 * suffice. */
bool iwarpi_ep_rq_reserve(ep_rq *rq, uint32_t i) {
  if (i >= iwarpi_ep_rq_num(rq)) {
    return false;
  }
  while (rq->own.ring.num <= i) {
    (void)iwarp_srq_recv(&rq->own, &rq->shared->recvs[rq->shared->ring.head].v);
    ring_pop(&rq->shared->ring);
  }
  return true;
}

/* iwarpi_ep_rq_at returns the buffer of the message that is `i` after the next one; it is there. */
ep_recv *iwarpi_ep_rq_at(const ep_rq *rq, uint32_t i) {
  return &rq->own.recvs[ring_at(&rq->own.ring, i)];
}

/* iwarpi_ep_rq_pop takes the first buffer out. */
iwarp_endpoint_buffer iwarpi_ep_rq_pop(ep_rq *rq) {
  const ep_recv *recv = iwarpi_ep_rq_at(rq, 0);
  rq->num_partial -= recv->out_of_order > 0 ? 1u : 0u;
  ring_pop(&rq->own.ring);
  return recv->v;
}

/* iwarpi_ep_rq_complete takes the first buffer out, which has the message. */
iwarp_endpoint_buffer iwarpi_ep_rq_complete(ep_rq *rq) {
  rq->completed++;
  return iwarpi_ep_rq_pop(rq);
}

/* iwarpi_ep_rq_out_of_order counts an FPDU placed in buffer `i` before its turn, or with -1 one
 * less. */
void iwarpi_ep_rq_out_of_order(ep_rq *rq, uint32_t i, int by) {
  if (i >= rq->own.ring.num) { /* the message ended before it: it is wrong */
    return;
  }
  ep_recv *recv = iwarpi_ep_rq_at(rq, i);
  const bool was = recv->out_of_order > 0;
  recv->out_of_order += (uint32_t)by;
  rq->num_partial += (recv->out_of_order > 0 ? 1u : 0u) - (was ? 1u : 0u);
}

/* iwarpi_ep_rq_is_low says once that there are fewer buffers than `low`. */
bool iwarpi_ep_rq_is_low(ep_rq *rq) {
  iwarp_srq *q = rq->shared != NULL ? rq->shared : &rq->own;
  const bool low = q->low_armed && q->ring.num < q->low;
  q->low_armed = q->low_armed && !low;
  return low;
}
