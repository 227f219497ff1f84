/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint: its parts, each with a header of its own, and the calls between its files. */
#ifndef IWARPI_STREAM_EP_PRIV_H
#define IWARPI_STREAM_EP_PRIV_H

#include <iwarp/endpoint.h>

#include "ep_end.h"
#include "ep_fault.h"
#include "ep_landing.h"
#include "ep_memory.h"
#include "ep_out_of_order.h"
#include "ep_place.h"
#include "ep_reassembly.h"
#include "ep_rq.h"
#include "ep_segment.h"
#include "ep_serve.h"
#include "ep_sq.h"
#include "ep_startup.h"
#include "ep_table.h"

#define EP_NONE UINT32_MAX /* the token of the Terminate at the transmit engine */

/* The message that is being received. */
typedef struct ep_message {
  bool active; /* its last segment has not come */
  uint8_t opcode;
  uint32_t mo; /* untagged: octets so far */
} ep_message;

/* What is received, in order. */
typedef struct ep_receiving {
  ep_message msg;
  uint32_t msn[4]; /* that the next message on each queue has */
  uint32_t inner_len;
  uint8_t inner[IWARP_RDMAP_TERM_MAX]; /* RDMAP header octets of the message */
  uint8_t hdr[IWARP_RDMAP_HDR_MAX];    /* headers that a Marker cut, joined */
  bool delivering;                     /* `delivery` is to be reported */
  iwarp_endpoint_received delivery;
} ep_receiving;

struct iwarp_endpoint {
  iwarp_endpoint_info info;
  iwarp_endpoint_cfg cfg;
  bool busy;                /* octets were pushed and events not drained */
  iwarp_span in;            /* the rest of them */
  uint64_t handed;          /* octets of the ULP, after MPA, and of nobody, after the end */
  ep_clock clock;           /* ep_state.c, ep.c */
  ep_end end;               /* ep_state.c */
  ep_startup startup;       /* ep_startup.c */
  ep_fault fault;           /* ep_fault.c */
  ep_memory memory;         /* ep_memory.c */
  ep_reassembly reassembly; /* ep_frame.c */
  ep_out_of_order ahead;    /* ep_out_of_order.c */
  ep_receiving rx;          /* ep_recv.c, and ep_check.c for `inner` */
  ep_placing placing;       /* ep_place.c */
  ep_rq rq;                 /* ep_rq.c */
  ep_sq sq;                 /* ep_sq.c */
  ep_inbounds irq;          /* ep_serve.c */
};

/* ep_event.c */
void iwarpi_ep_check_regions(iwarp_endpoint *ep);

/* ep_state.c */
iwarp_err iwarpi_ep_dispatch(iwarp_endpoint *ep, ep_input input);
void iwarpi_ep_restart_idle_timer(iwarp_endpoint *ep);
void iwarpi_ep_queue_event(iwarp_endpoint *ep, iwarp_endpoint_event_kind kind);

/* ep_startup.c */
void iwarpi_ep_startup_memory(ep_startup *s, void *block);
bool iwarpi_ep_startup_reserve(ep_startup *s);
void iwarpi_ep_startup_release(ep_startup *s);
void iwarpi_ep_startup_trim(iwarp_endpoint *ep);
ep_input iwarpi_ep_collect(iwarp_endpoint *ep);
void iwarpi_ep_make_frame(iwarp_endpoint *ep, bool reply, bool reject);
bool iwarpi_ep_frame_left(const iwarp_endpoint *ep);
uint16_t iwarpi_ep_settle(iwarp_endpoint *ep);
void iwarpi_ep_startup_event(const iwarp_endpoint *ep, iwarp_ev_startup *out);

/* What ep_serve.c sees of an endpoint. */
static inline ep_serving ep_serving_of(iwarp_endpoint *ep) {
  return (ep_serving){.irq = &ep->irq, .memory = &ep->memory, .fault = &ep->fault, .tx = ep->sq.tx};
}

/* ep_out_of_order.c */
bool iwarpi_ep_out_of_order_due(iwarp_endpoint *ep, ep_fpdu *out);
bool iwarpi_ep_out_of_order_step(iwarp_endpoint *ep);
bool iwarpi_ep_out_of_order_event(iwarp_endpoint *ep, iwarp_endpoint_ev *ev);

/* ep_check.c */
uint16_t iwarpi_ep_check_header(const iwarp_endpoint *ep, const ep_segment *seg);
uint16_t iwarpi_ep_check_sink(const iwarp_endpoint *ep, const ep_segment *seg);
uint16_t iwarpi_ep_check(iwarp_endpoint *ep, ep_segment *seg);
bool iwarpi_ep_is_rtr(const iwarp_endpoint *ep, const ep_segment *seg);

/* ep_frame.c */
size_t iwarpi_ep_frame_max(const iwarp_endpoint_cfg *cfg);
uint32_t iwarpi_ep_frame_crc(uint32_t crc, const iwarp_mpa_fpdu *mpa, size_t from,
                             iwarp_span octets);
void iwarpi_ep_frame_decode(iwarp_endpoint *ep, ep_fpdu *out);
bool iwarpi_ep_frame_begun(iwarp_endpoint *ep, ep_fpdu *out);
iwarp_err iwarpi_ep_frame(iwarp_endpoint *ep, ep_fpdu *out);
bool iwarpi_ep_hold(iwarp_endpoint *ep, iwarp_span in);
void iwarpi_ep_release(iwarp_endpoint *ep);
bool iwarpi_ep_markers_right(const iwarp_mpa_fpdu *fpdu);
void iwarpi_ep_segment(ep_segment *out, const ep_fpdu *fpdu);

/* What ep_place.c sees of an endpoint, beside `placing`. */
static inline ep_sinks ep_sinks_of(const iwarp_endpoint *ep) {
  return (ep_sinks){.memory = &ep->memory, .rq = &ep->rq, .msn = ep->rx.msn};
}

/* ep_landing.c */
bool iwarpi_ep_landing(iwarp_endpoint *ep, ep_landing_walk *out);
bool iwarpi_ep_landing_next(const iwarp_endpoint *ep, ep_landing_walk *walk,
                            iwarp_endpoint_space *out);
void iwarpi_ep_land(iwarp_endpoint *ep, ep_landing_walk *walk, size_t len);

/* ep_recv.c */
void iwarpi_ep_terminated(const iwarp_endpoint *ep, iwarp_endpoint_terminated *out);
ep_input iwarpi_ep_fpdu_fault(iwarp_endpoint *ep, const ep_fpdu *fpdu);
ep_input iwarpi_ep_receive(iwarp_endpoint *ep, const ep_fpdu *fpdu, bool first);

#endif
