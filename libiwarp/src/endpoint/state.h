/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint: its parts, each with a header of its own, and the calls between its files. */
#ifndef IWARPI_ENDPOINT_STATE_H
#define IWARPI_ENDPOINT_STATE_H

#include <iwarp/endpoint.h>

#include "check.h"
#include "end.h"
#include "fault.h"
#include "framing.h"
#include "landing.h"
#include "machine.h"
#include "message.h"
#include "out_of_order.h"
#include "placement.h"
#include "post.h"
#include "pushed.h"
#include "reassembly.h"
#include "recv.h"
#include "regions.h"
#include "responses.h"
#include "rq.h"
#include "sq.h"
#include "startup.h"

#define EP_NONE UINT32_MAX /* the token of the Terminate at the transmit engine */

struct iwarp_endpoint {
  iwarp_endpoint_info info; /* actions.c */
  iwarp_endpoint_cfg cfg;
  ep_pushed pushed;
  uint64_t handed;              /* octets of the ULP, after MPA, and of nobody, after the end */
  ep_clock clock;               /* actions.c, endpoint.c */
  ep_end end;                   /* actions.c */
  ep_startup startup;           /* startup.c */
  ep_fault fault;               /* fault.c */
  ep_memory memory;             /* regions.c */
  ep_reassembly reassembly;     /* framing.c */
  ep_out_of_order out_of_order; /* out_of_order.c */
  ep_receiving rx;              /* recv.c, and check.c for `inner` */
  ep_placing placing;           /* placement.c */
  ep_rq rq;                     /* rq.c */
  ep_sq sq;                     /* sq.c */
  ep_inbounds irq;              /* responses.c */
};

/* actions.c */
iwarp_err iwarpi_ep_dispatch(iwarp_endpoint *ep, ep_input input);
void iwarpi_ep_take_terms(iwarp_endpoint *ep);
void iwarpi_ep_restart_idle_timer(iwarp_endpoint *ep);
void iwarpi_ep_queue_event(iwarp_endpoint *ep, iwarp_endpoint_event_kind kind);
bool iwarpi_ep_frame_left(const iwarp_endpoint *ep);

/* event.c */
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
