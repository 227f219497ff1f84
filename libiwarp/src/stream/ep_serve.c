/* SPDX-License-Identifier: BSD-2-Clause */
/* Responses to the Requests of an endpoint's peer. RFC 5040 5.2, RFC 7306 5.2 */
#include "ep_priv.h"
#include "tx_priv.h"

#include "../base/cursor.h"

#define SERVE_TOKEN_RESPONSE (UINT64_C(1) << 32)

static ep_inbound *serve_at(const iwarp_endpoint *ep, uint32_t i) {
  return &ep->irq.slots[ep_ring_at(&ep->irq.ring, i)];
}

/* ---- giving them to the transmit engine ---- */

/* Starts a Read Response, or finds that its source may no longer be read. RFC 5040 7.2 */
static ep_input serve_read(iwarp_endpoint *ep, const ep_inbound *in, uint64_t token) {
  const iwarp_rdmap_read_req *req = &in->u.read;
  iwarp_span part = {0};
  if (req->size > 0) {
    const uint16_t term = iwarpi_ep_check_access(&ep->memory, &iwarpi_ep_source_terms,
                                                 (ep_access){.stag = req->source_stag,
                                                             .to = req->source_to,
                                                             .len = req->size,
                                                             .rights = IWARP_ACCESS_REMOTE_READ});
    if (term != EP_OK) {
      return iwarpi_ep_fault_of_read(&ep->fault, term, in, 0);
    }
    ep_region *region = iwarpi_ep_region(&ep->memory, req->source_stag);
    region->uses++;
    part = (iwarp_span){iwarpi_ep_mem(region, req->source_to), req->size};
  }
  (void)iwarp_tx_read_resp(ep->sq.tx, token, req,
                           (iwarp_tx_payload){.parts = &part, .num_parts = 1});
  return EP_NO_INPUT;
}

static ep_input serve_atomic(iwarp_endpoint *ep, const ep_inbound *in, uint64_t token) {
  const iwarp_rdmap_atomic_resp resp = {.request_id = in->u.atomic.request_id,
                                        .original = in->original};
  (void)iwarp_tx_atomic_resp(ep->sq.tx, token, &resp);
  return EP_NO_INPUT;
}

/* iwarpi_ep_serve answers the peer's Requests in order, up to one that the ULP has still to do. */
ep_input iwarpi_ep_serve(iwarp_endpoint *ep) {
  ep_inbounds *q = &ep->irq;
  for (; q->served < q->ring.num; q->served++) {
    const uint32_t slot = ep_ring_at(&q->ring, q->served);
    const ep_inbound *in = &q->slots[slot];
    const uint64_t token = SERVE_TOKEN_RESPONSE + slot;
    if (in->atomic && !in->answered) {
      return EP_NO_INPUT;
    }
    const ep_input input = in->atomic ? serve_atomic(ep, in, token) : serve_read(ep, in, token);
    if (input != EP_NO_INPUT) {
      return input;
    }
  }
  return EP_NO_INPUT;
}

/*
 * iwarpi_ep_request puts the Request whose last segment came among those to be answered. RFC 5040
 * 5.2.1, RFC 7306 5.2.1
 */
ep_input iwarpi_ep_request(iwarp_endpoint *ep, const ep_segment *seg) {
  const iwarp_span inner = {ep->rx.inner, ep->rx.inner_len};
  ep_inbound *in = serve_at(ep, ep->irq.ring.num);
  *in = (ep_inbound){.atomic = seg->opcode == IWARP_RDMAP_OP_ATOMIC_REQ,
                     .segment_len = seg->fpdu->mpa.ulpdu_length};
  rd octets = rd_of(seg->fpdu->octets);
  rd_array(&octets, in->header);
  if (in->atomic) {
    (void)iwarp_rdmap_atomic_req_decode(&in->u.atomic, inner);
  } else {
    (void)iwarp_rdmap_read_req_decode(&in->u.read, inner);
  }
  ep->irq.ring.num++;
  return iwarpi_ep_serve(ep);
}

/* ---- Atomic Operations, which the ULP does ---- */

/* The Request that is next to be answered if it is an Atomic Request, or NULL. */
static ep_inbound *serve_next_atomic(const iwarp_endpoint *ep) {
  return ep->irq.served == ep->irq.ring.num ? NULL : serve_at(ep, ep->irq.served);
}

/* iwarpi_ep_asked returns the Atomic Request that the ULP was asked to do, or NULL. */
ep_inbound *iwarpi_ep_asked(const iwarp_endpoint *ep) {
  ep_inbound *in = serve_next_atomic(ep);
  return in != NULL && in->asked ? in : NULL;
}

/* iwarpi_ep_ask asks the ULP for the Atomic Operation that is next, once. */
bool iwarpi_ep_ask(iwarp_endpoint *ep, iwarp_endpoint_ev *ev, ep_input *fault) {
  ep_inbound *in = serve_next_atomic(ep);
  *fault = EP_NO_INPUT;
  if (in == NULL || in->asked) {
    return false;
  }
  const iwarp_rdmap_atomic_req *req = &in->u.atomic;
  const uint16_t term = iwarpi_ep_check_atomic(&ep->memory, req->stag, req->to);
  if (term != EP_OK) { /* the region went away while it waited */
    *fault = iwarpi_ep_fault_of_read(&ep->fault, term, in, 0);
    return false;
  }
  in->asked = true;
  ev->kind = IWARP_ENDPOINT_EVENT_ATOMIC;
  ev->u.atomic = (iwarp_endpoint_atomic_op){
      .mem = iwarpi_ep_mem(iwarpi_ep_region(&ep->memory, req->stag), req->to),
      .user = iwarpi_ep_region(&ep->memory, req->stag)->v.user,
      .req = *req};
  return true;
}

/* ---- the end of them ---- */

/*
 * iwarpi_ep_abort_responses: the stream ends if a Response has still octets of a revoked region to
 * send, the oldest such one to blame.
 */
ep_input iwarpi_ep_abort_responses(iwarp_endpoint *ep) {
  for (uint32_t i = 0; i < ep->irq.served; i++) {
    const uint32_t slot = ep_ring_at(&ep->irq.ring, i);
    const ep_inbound *in = &ep->irq.slots[slot];
    uint32_t made;
    if (!in->atomic && in->u.read.size > 0 &&
        iwarpi_ep_region(&ep->memory, in->u.read.source_stag)->revoked &&
        iwarpi_tx_response_left(&made, ep->sq.tx, SERVE_TOKEN_RESPONSE + slot)) {
      return iwarpi_ep_fault_of_read(&ep->fault, iwarpi_ep_source_terms.invalid, in, made);
    }
  }
  return EP_NO_INPUT;
}

/* iwarpi_ep_drop_requests: what the transmit engine has not got is not answered any more. */
void iwarpi_ep_drop_requests(iwarp_endpoint *ep) {
  ep->irq.ring.num = ep->irq.served;
}

static void serve_over(iwarp_endpoint *ep, const ep_inbound *in) {
  if (!in->atomic && in->u.read.size > 0) {
    iwarpi_ep_region(&ep->memory, in->u.read.source_stag)->uses--;
  }
  ep_ring_pop(&ep->irq.ring);
  ep->irq.served--;
}

/* iwarpi_ep_sent learns what the transport has taken; true when the Terminate was among it. */
bool iwarpi_ep_sent(iwarp_endpoint *ep) {
  iwarp_tx_result result;
  bool terminate = false;
  while (ep->sq.tx != NULL && iwarp_tx_next_result(ep->sq.tx, &result) == IWARP_OK) {
    if (result.token == EP_NONE) {
      terminate = true;
    } else if (result.token >= SERVE_TOKEN_RESPONSE) {
      serve_over(ep, &ep->irq.slots[result.token - SERVE_TOKEN_RESPONSE]);
    } else {
      iwarpi_ep_sq_sent(&ep->sq, result.token, result.err);
    }
  }
  return terminate;
}
