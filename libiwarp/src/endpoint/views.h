/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Views onto an endpoint. A file that is not one of the owner's (owner.h) gets pointers to the
 * parts that it needs, const where it only reads. No view leads to the state machine, the clock or
 * the end.
 */
#ifndef IWARPI_ENDPOINT_VIEWS_H
#define IWARPI_ENDPOINT_VIEWS_H

#include "state.h"

/* The view of startup.c. */
typedef struct ep_startup_view {
  ep_startup *startup;
  ep_pushed *pushed;
  const iwarp_endpoint_cfg *cfg;
  iwarp_endpoint_closed *closed; /* why a frame was refused */
} ep_startup_view;

/* The view of framing.c, and of reserve.c and out_of_order.c, which find FPDUs as well. */
typedef struct ep_framing_view {
  ep_reassembly *reassembly;
  ep_pushed *pushed;
  const iwarp_endpoint_cfg *cfg;
  const iwarp_endpoint_info *info;
} ep_framing_view;

/* The view of check.c, which changes nothing. */
typedef struct ep_check_view {
  const iwarp_endpoint_cfg *cfg;
  const iwarp_endpoint_info *info;
  const ep_receiving *rx;
  const ep_inbounds *irq;
  const ep_memory *memory;
  const ep_rq *rq;
  const ep_sq *sq;
} ep_check_view;

/* The view of recv.c, responses.c and reserve.c: a segment once its FPDU is found. */
typedef struct ep_recv_view {
  const iwarp_endpoint_cfg *cfg;
  const iwarp_endpoint_info *info;
  ep_receiving *rx;
  ep_placing *placing;
  ep_inbounds *irq;
  ep_memory *memory;
  ep_rq *rq;
  ep_sq *sq;
  ep_fault *fault;
} ep_recv_view;

/* The view of out_of_order.c. */
typedef struct ep_order_view {
  ep_out_of_order *out_of_order;
  ep_framing_view framing;
  ep_recv_view recv;
  size_t begin; /* place of the first FPDU in the stream of the transport */
} ep_order_view;

/* The view of placement.c, which writes to ep_placing alone. */
typedef struct ep_sink_view {
  const ep_memory *memory;
  const ep_rq *rq;
  const uint32_t *msn; /* MSN of the next message on each queue */
} ep_sink_view;

/* The view of post.c. */
typedef struct ep_post_view {
  const iwarp_endpoint_cfg *cfg;
  const iwarp_endpoint_info *info;
  const ep_memory *memory;
  ep_sq *sq;
} ep_post_view;

static inline ep_check_view ep_check_view_of(const ep_recv_view *v) {
  return (ep_check_view){.cfg = v->cfg,
                         .info = v->info,
                         .rx = v->rx,
                         .irq = v->irq,
                         .memory = v->memory,
                         .rq = v->rq,
                         .sq = v->sq};
}

/* The view for the place of the octets of a segment that was checked. */
static inline ep_sink_view ep_sink_view_of(const ep_recv_view *v) {
  return (ep_sink_view){.memory = v->memory, .rq = v->rq, .msn = v->rx->msn};
}

#endif
