/* SPDX-License-Identifier: BSD-2-Clause */
/* Responses to the Requests of an endpoint's peer. RFC 5040 5.2, RFC 7306 5.2 */
#include "responses.h"

#include "../base/cursor.h"
#include "../tx/for_endpoint.h"
#include "fault.h"
#include "regions.h"

#define SERVE_TOKEN_RESPONSE (UINT64_C(1) << 32)

static ep_inbound *serve_at(const ep_inbounds *q, uint32_t i) {
  return &q->slots[ring_at(&q->ring, i)];
}

/* ---- giving them to the transmit engine ---- */

/* Starts a Read Response, or finds that its source may no longer be read. RFC 5040 7.2 */
static ep_input serve_read(const ep_recv_view *s, const ep_inbound *in, uint64_t token) {
  const iwarp_rdmap_read_req *req = &in->u.read;
  iwarp_span part = {0};
  if (req->size > 0) {
    const iwarp_term term = iwarpi_ep_check_access(s->memory, &iwarpi_ep_source_terms,
                                                   (ep_access){.stag = req->source_stag,
                                                               .to = req->source_to,
                                                               .len = req->size,
                                                               .rights = IWARP_ACCESS_REMOTE_READ});
    if (term != EP_OK) {
      return iwarpi_ep_fault_of_read(s->fault, term, in, 0);
    }
    ep_region *region = iwarpi_ep_region(s->memory, req->source_stag);
    region->uses++;
    part = (iwarp_span){iwarpi_ep_mem(region, req->source_to), req->size};
  }
  (void)iwarp_tx_read_resp(s->sq->tx, token, req,
                           (iwarp_tx_payload){.parts = &part, .num_parts = 1});
  return EP_NO_INPUT;
}

static ep_input serve_atomic(const ep_recv_view *s, const ep_inbound *in, uint64_t token) {
  const iwarp_rdmap_atomic_resp resp = {.request_id = in->u.atomic.request_id,
                                        .original = in->original};
  (void)iwarp_tx_atomic_resp(s->sq->tx, token, &resp);
  return EP_NO_INPUT;
}

/* iwarpi_ep_send_responses answers the peer's Requests in order, up to one that the ULP has still
 * to do. */
ep_input iwarpi_ep_send_responses(const ep_recv_view *s) {
  ep_inbounds *q = s->irq;
  for (; q->served < q->ring.num; q->served++) {
    const uint32_t slot = ring_at(&q->ring, q->served);
    const ep_inbound *in = &q->slots[slot];
    const uint64_t token = SERVE_TOKEN_RESPONSE + slot;
    if (in->atomic && !in->answered) {
      return EP_NO_INPUT;
    }
    const ep_input input = in->atomic ? serve_atomic(s, in, token) : serve_read(s, in, token);
    if (input != EP_NO_INPUT) {
      return input;
    }
  }
  return EP_NO_INPUT;
}

/*
 * iwarpi_ep_request puts the Request whose last segment came among those to be answered; `inner` is
 * its RDMAP header. RFC 5040 5.2.1, RFC 7306 5.2.1
 */
ep_input iwarpi_ep_request(const ep_recv_view *s, const ep_segment *seg, iwarp_span inner) {
  ep_inbound *in = serve_at(s->irq, s->irq->ring.num);
  *in = (ep_inbound){.atomic = seg->op->cls == IWARP_RDMAP_CLASS_ATOMIC_REQ,
                     .offset = seg->fpdu->offset,
                     .segment_len = seg->fpdu->mpa.ulpdu_length};
  rd octets = rd_of(seg->fpdu->octets);
  rd_array(&octets, in->header);
  if (in->atomic) {
    (void)iwarp_rdmap_atomic_req_decode(&in->u.atomic, inner);
  } else {
    (void)iwarp_rdmap_read_req_decode(&in->u.read, inner);
  }
  s->irq->ring.num++;
  return iwarpi_ep_send_responses(s);
}

/* ---- Atomic Operations, which the ULP does ---- */

/* The Request that is next to be answered if it is an Atomic Request, or NULL. */
static ep_inbound *serve_next_atomic(const ep_inbounds *q) {
  return q->served == q->ring.num ? NULL : serve_at(q, q->served);
}

/* iwarpi_ep_requested_atomic returns the Atomic Request that the ULP was asked to do, or NULL. */
ep_inbound *iwarpi_ep_requested_atomic(const ep_inbounds *q) {
  ep_inbound *in = serve_next_atomic(q);
  return in != NULL && in->asked ? in : NULL;
}

/* iwarpi_ep_request_atomic asks the ULP for the Atomic Operation that is next, once. */
bool iwarpi_ep_request_atomic(const ep_recv_view *s, iwarp_endpoint_event *ev, ep_input *fault) {
  ep_inbound *in = serve_next_atomic(s->irq);
  *fault = EP_NO_INPUT;
  if (in == NULL || in->asked) {
    return false;
  }
  const iwarp_rdmap_atomic_req *req = &in->u.atomic;
  const iwarp_term term = iwarpi_ep_check_atomic(s->memory, req->stag, req->to);
  if (term != EP_OK) { /* the region went away while it waited */
    *fault = iwarpi_ep_fault_of_read(s->fault, term, in, 0);
    return false;
  }
  in->asked = true;
  ev->kind = IWARP_ENDPOINT_EVENT_ATOMIC;
  ev->u.atomic = (iwarp_endpoint_atomic_op){
      .mem = iwarpi_ep_mem(iwarpi_ep_region(s->memory, req->stag), req->to),
      .user = iwarpi_ep_region(s->memory, req->stag)->v.user,
      .req = *req};
  return true;
}

/* ---- the end of Responses ---- */

/*
 * iwarpi_ep_abort_responses ends the stream if a Response still has to send octets of a revoked
 * region. The fault names the oldest such Response.
 */
ep_input iwarpi_ep_abort_responses(const ep_recv_view *s) {
  for (uint32_t i = 0; i < s->irq->served; i++) {
    const uint32_t slot = ring_at(&s->irq->ring, i);
    const ep_inbound *in = &s->irq->slots[slot];
    uint32_t made;
    if (!in->sent && !in->atomic && in->u.read.size > 0 &&
        iwarpi_ep_region(s->memory, in->u.read.source_stag)->revoked &&
        iwarpi_tx_response_left(&made, s->sq->tx, SERVE_TOKEN_RESPONSE + slot)) {
      return iwarpi_ep_fault_of_read(s->fault, iwarpi_ep_source_terms.invalid, in, made);
    }
  }
  return EP_NO_INPUT;
}

/* iwarpi_ep_drop_requests drops the Requests whose Responses were not given to the transmit engine.
 */
void iwarpi_ep_drop_requests(ep_inbounds *q) {
  q->ring.num = q->served;
}

/*
 * iwarpi_ep_response_sent notes that the transport took a Response, or never will; false when the
 * token names no Response. A Terminate may end later Responses before one that is under way. The
 * places of these later ones become free when it has ended, too.
 */
bool iwarpi_ep_response_sent(const ep_recv_view *s, uint64_t token) {
  ep_inbounds *q = s->irq;
  if (token < SERVE_TOKEN_RESPONSE) {
    return false;
  }
  ep_inbound *in = &q->slots[token - SERVE_TOKEN_RESPONSE];
  in->sent = true;
  if (!in->atomic && in->u.read.size > 0) {
    iwarpi_ep_region(s->memory, in->u.read.source_stag)->uses--;
  }
  while (q->served > 0 && serve_at(q, 0)->sent) {
    ring_pop(&q->ring);
    q->served--;
  }
  return true;
}
