/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The owner of an endpoint: endpoint.c, event.c, actions.c and init.c. These files alone see the
 * endpoint as a whole, give its state machine an input, and make views for the others.
 */
#ifndef IWARPI_ENDPOINT_OWNER_H
#define IWARPI_ENDPOINT_OWNER_H

#include "check.h"
#include "clock.h"
#include "fault.h"
#include "framing.h"
#include "out_of_order.h"
#include "placed_early.h"
#include "placement.h"
#include "post.h"
#include "reassembly.h"
#include "recv.h"
#include "regions.h"
#include "reserve.h"
#include "responses.h"
#include "rq.h"
#include "sq.h"
#include "startup.h"
#include "views.h"

#define EP_NONE UINT32_MAX /* the token of the Terminate at the transmit engine */

/* actions.c */
iwarp_err iwarpi_ep_dispatch(iwarp_endpoint *ep, ep_input input);
void iwarpi_ep_take_terms(iwarp_endpoint *ep);
void iwarpi_ep_queue_event(iwarp_endpoint *ep, iwarp_endpoint_event_kind kind);
bool iwarpi_ep_frame_left(const iwarp_endpoint *ep);

/* event.c */
void iwarpi_ep_check_regions(iwarp_endpoint *ep);

/* ep_receives_fpdus returns true if the octets that the transport pushes are FPDUs. */
static inline bool ep_receives_fpdus(const iwarp_endpoint *ep) {
  return iwarpi_ep_octet_use(ep->info.state) == EP_OCTETS_FPDUS;
}

static inline ep_startup_view ep_startup_view_of(iwarp_endpoint *ep) {
  return (ep_startup_view){
      .startup = &ep->startup, .pushed = &ep->pushed, .cfg = &ep->cfg, .closed = &ep->end.closed};
}

static inline ep_framing_view ep_framing_view_of(iwarp_endpoint *ep) {
  return (ep_framing_view){
      .reassembly = &ep->reassembly, .pushed = &ep->pushed, .cfg = &ep->cfg, .info = &ep->info};
}

static inline ep_recv_view ep_recv_view_of(iwarp_endpoint *ep) {
  return (ep_recv_view){.cfg = &ep->cfg,
                        .info = &ep->info,
                        .rx = &ep->rx,
                        .placing = &ep->placing,
                        .irq = &ep->irq,
                        .memory = &ep->memory,
                        .rq = &ep->rq,
                        .sq = &ep->sq,
                        .fault = &ep->fault};
}

static inline ep_order_view ep_order_view_of(iwarp_endpoint *ep) {
  return (ep_order_view){.out_of_order = &ep->out_of_order,
                         .framing = ep_framing_view_of(ep),
                         .recv = ep_recv_view_of(ep),
                         .begin = ep->startup.in_len};
}

#endif
