/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint: its parts, each with a header of its own, and the calls between its files. */
#ifndef IWARPI_STREAM_EP_PRIV_H
#define IWARPI_STREAM_EP_PRIV_H

#include <iwarp/endpoint.h>

#include "ep_check.h"
#include "ep_end.h"
#include "ep_fault.h"
#include "ep_frame.h"
#include "ep_landing.h"
#include "ep_memory.h"
#include "ep_message.h"
#include "ep_ordering.h"
#include "ep_place.h"
#include "ep_post.h"
#include "ep_pushed.h"
#include "ep_reassembly.h"
#include "ep_recv.h"
#include "ep_rq.h"
#include "ep_serve.h"
#include "ep_sq.h"
#include "ep_startup.h"
#include "ep_table.h"

#define EP_NONE UINT32_MAX /* the token of the Terminate at the transmit engine */

struct iwarp_endpoint {
  iwarp_endpoint_info info; /* ep_state.c */
  iwarp_endpoint_cfg cfg;
  ep_pushed pushed;
  uint64_t handed;              /* octets of the ULP, after MPA, and of nobody, after the end */
  ep_clock clock;               /* ep_state.c, ep.c */
  ep_end end;                   /* ep_state.c */
  ep_startup startup;           /* ep_startup.c */
  ep_fault fault;               /* ep_fault.c */
  ep_memory memory;             /* ep_memory.c */
  ep_reassembly reassembly;     /* ep_frame.c */
  ep_out_of_order out_of_order; /* ep_out_of_order.c */
  ep_receiving rx;              /* ep_recv.c, and ep_check.c for `inner` */
  ep_placing placing;           /* ep_place.c */
  ep_rq rq;                     /* ep_rq.c */
  ep_sq sq;                     /* ep_sq.c */
  ep_inbounds irq;              /* ep_serve.c */
};

/* ep_state.c */
iwarp_err iwarpi_ep_dispatch(iwarp_endpoint *ep, ep_input input);
void iwarpi_ep_take_terms(iwarp_endpoint *ep);
void iwarpi_ep_restart_idle_timer(iwarp_endpoint *ep);
void iwarpi_ep_queue_event(iwarp_endpoint *ep, iwarp_endpoint_event_kind kind);
bool iwarpi_ep_frame_left(const iwarp_endpoint *ep);

/* ep_event.c */
void iwarpi_ep_check_regions(iwarp_endpoint *ep);

/* What the files see that do not see the whole. */

static inline ep_negotiating ep_negotiating_of(iwarp_endpoint *ep) {
  return (ep_negotiating){
      .startup = &ep->startup, .pushed = &ep->pushed, .cfg = &ep->cfg, .closed = &ep->end.closed};
}

static inline ep_framing ep_framing_of(iwarp_endpoint *ep) {
  return (ep_framing){
      .reassembly = &ep->reassembly, .pushed = &ep->pushed, .cfg = &ep->cfg, .info = &ep->info};
}

static inline ep_checking ep_checking_of(iwarp_endpoint *ep) {
  return (ep_checking){.cfg = &ep->cfg,
                       .info = &ep->info,
                       .memory = &ep->memory,
                       .irq = &ep->irq,
                       .rx = &ep->rx,
                       .rq = &ep->rq,
                       .sq = &ep->sq};
}

static inline ep_serving ep_serving_of(iwarp_endpoint *ep) {
  return (ep_serving){.irq = &ep->irq, .memory = &ep->memory, .fault = &ep->fault, .tx = ep->sq.tx};
}

static inline ep_taking ep_taking_of(iwarp_endpoint *ep) {
  return (ep_taking){
      .checking = ep_checking_of(ep), .serving = ep_serving_of(ep), .placing = &ep->placing};
}

static inline ep_ordering ep_ordering_of(iwarp_endpoint *ep) {
  return (ep_ordering){.out_of_order = &ep->out_of_order,
                       .placing = &ep->placing,
                       .framing = ep_framing_of(ep),
                       .checking = ep_checking_of(ep),
                       .begin = ep->startup.in_len};
}

#endif
