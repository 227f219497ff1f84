/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations of the ULP, Responses to the peer's, and their completion. RFC 5040 5.5 */
#include <string.h>

#include "ep_priv.h"
#include "tx_priv.h"

#define OPS_TOKEN_RESPONSE (UINT64_C(1) << 32)
#define OPS_RTR_STAG 1u /* some hardware refuses STag 0 even where it means nothing */

static ep_op *ops_at(iwarp_endpoint *ep, uint32_t i) {
  return &ep->ops[ep_ring_at(&ep->sq, i)];
}

static bool ops_waits(uint8_t opcode) {
  return opcode == IWARP_RDMAP_OP_READ_REQ || opcode == IWARP_RDMAP_OP_ATOMIC_REQ;
}

/* ---- posting ---- */

/* Whether an operation may be posted now. */
static iwarp_err ops_may_post(iwarp_endpoint *ep, uint8_t opcode) {
  const iwarp_err err = iwarpi_ep_dispatch(ep, EP_POST);
  if (err != IWARP_OK) {
    return err;
  }
  if (ops_waits(opcode) && (ep->info.state == IWARP_ENDPOINT_PEER_ENDED || ep->info.ord == 0)) {
    return IWARP_ERR_STATE; /* no Response can come, or no Request ever goes: it would block all */
  }
  return ep->sq.num - (ep->rtr_pending ? 1u : 0u) == ep->cfg.num_sends ? IWARP_ERR_NOBUF : IWARP_OK;
}

static void ops_push(iwarp_endpoint *ep, const ep_op *op) {
  ep_op *slot = ops_at(ep, ep->sq.num);
  *slot = *op;
  slot->answered = !ops_waits(op->opcode);
  ep->sq.num++;
  iwarpi_ep_issue(ep);
}

static iwarp_err ops_post(iwarp_endpoint *ep, const ep_op *op) {
  const iwarp_err err = ops_may_post(ep, op->opcode);
  if (err == IWARP_OK) {
    ops_push(ep, op);
  }
  return err;
}

/* Takes over a payload of `out_len` octets; false when it is none, or too long for a message. */
static bool ops_gather(ep_op *op, uint64_t *out_len, iwarp_tx_payload payload) {
  uint64_t len = 0;
  if (payload.parts == NULL && payload.num_parts > 0) {
    return false;
  }
  for (size_t i = 0; i < payload.num_parts; i++) {
    const iwarp_span *part = &payload.parts[i];
    if ((part->ptr == NULL && part->len > 0) || part->len > UINT32_MAX - len) {
      return false;
    }
    len += part->len;
  }
  *out_len = len;
  op->num_parts = payload.num_parts;
  op->one = payload.num_parts == 1;
  if (op->one) {
    op->u.part = payload.parts[0];
  } else {
    op->u.parts = payload.parts;
  }
  return true;
}

iwarp_err iwarp_endpoint_send(iwarp_endpoint *ep, uint64_t token, iwarp_rdmap_opcode opcode,
                              uint32_t invalidate_stag, iwarp_tx_payload payload) {
  ep_op op = {.token = token, .opcode = (uint8_t)opcode, .stag = invalidate_stag};
  uint64_t len;
  if (opcode < IWARP_RDMAP_OP_SEND || opcode > IWARP_RDMAP_OP_SEND_SE_INV ||
      (invalidate_stag != 0 && !iwarp_rdmap_op_get(op.opcode)->invalidates) ||
      !ops_gather(&op, &len, payload)) {
    return IWARP_ERR_ARG;
  }
  return ops_post(ep, &op);
}

iwarp_err iwarp_endpoint_write(iwarp_endpoint *ep, uint64_t token, uint32_t stag, uint64_t to,
                               iwarp_tx_payload payload) {
  ep_op op = {.token = token, .opcode = IWARP_RDMAP_OP_WRITE, .stag = stag, .to = to};
  uint64_t len;
  if (!ops_gather(&op, &len, payload) || len > UINT64_MAX - to) { /* rfc5041-7.1-15 */
    return IWARP_ERR_ARG;
  }
  return ops_post(ep, &op);
}

iwarp_err iwarp_endpoint_read(iwarp_endpoint *ep, uint64_t token, const iwarp_rdmap_read_req *req) {
  const ep_op op = {.token = token, .opcode = IWARP_RDMAP_OP_READ_REQ, .u.read = *req};
  if (req->size > 0 && iwarpi_ep_check_access(ep, &iwarpi_ep_sink_words, req->sink_stag,
                                              req->sink_to, req->size, 0) != EP_OK) {
    return IWARP_ERR_ARG;
  }
  return ops_post(ep, &op);
}

iwarp_err iwarp_endpoint_immediate(iwarp_endpoint *ep, uint64_t token, bool solicited,
                                   const uint8_t data[IWARP_RDMAP_IMMEDIATE_LEN]) {
  ep_op op = {.token = token,
              .opcode = solicited ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE};
  memcpy(op.u.immediate, data, sizeof op.u.immediate);
  return ep->cfg.base_only ? IWARP_ERR_ARG : ops_post(ep, &op);
}

iwarp_err iwarp_endpoint_atomic(iwarp_endpoint *ep, uint64_t token,
                                const iwarp_rdmap_atomic_req *req) {
  ep_op op = {.token = token, .opcode = IWARP_RDMAP_OP_ATOMIC_REQ, .u.atomic = *req};
  if (ep->cfg.base_only ||
      (req->aopcode != IWARP_RDMAP_AOP_FETCH_ADD && req->aopcode != IWARP_RDMAP_AOP_CMP_SWAP)) {
    return IWARP_ERR_ARG; /* rfc7306-10.1-01 */
  }
  op.u.atomic.reserved = 0; /* rfc7306-5.2.1-02 */
  if (req->aopcode == IWARP_RDMAP_AOP_FETCH_ADD) {
    op.u.atomic.compare_data = 0;          /* rfc7306-5.2.1-11 */
    op.u.atomic.compare_mask = UINT64_MAX; /* rfc7306-5.2.1-13 */
  }
  op.u.atomic.request_id = ep->request_id;
  const iwarp_err err = ops_post(ep, &op);
  ep->request_id += err == IWARP_OK ? 1 : 0;
  return err;
}

/* Posts one of the Ready to Receive messages that both sides can; `rtr` 0: none. RFC 6581 9.3 */
void iwarpi_ep_post_rtr(iwarp_endpoint *ep, uint8_t rtr) {
  ep_op op = {.internal = true, .opcode = IWARP_RDMAP_OP_READ_REQ};
  if (rtr == 0) {
    return;
  }
  if ((rtr & IWARP_RTR_WRITE) != 0) {
    op.opcode = IWARP_RDMAP_OP_WRITE;
    op.stag = OPS_RTR_STAG;
  } else if ((rtr & IWARP_RTR_SEND) != 0) {
    op.opcode = IWARP_RDMAP_OP_SEND;
  } else {
    op.u.read = (iwarp_rdmap_read_req){.sink_stag = OPS_RTR_STAG, .source_stag = OPS_RTR_STAG};
  }
  ep->rtr_pending = true;
  ops_push(ep, &op);
}

/* ---- giving them to the transmit engine, which has room for all of them ---- */

static iwarp_tx_payload ops_payload(const ep_op *op) {
  return (iwarp_tx_payload){.parts = op->one ? &op->u.part : op->u.parts,
                            .num_parts = op->num_parts};
}

static void ops_transmit(iwarp_endpoint *ep, const ep_op *op, uint64_t slot) {
  if (op->opcode == IWARP_RDMAP_OP_WRITE) {
    (void)iwarp_tx_write(ep->tx, slot, op->stag, op->to, ops_payload(op));
  } else if (op->opcode == IWARP_RDMAP_OP_READ_REQ) {
    (void)iwarp_tx_read_req(ep->tx, slot, &op->u.read);
  } else if (op->opcode == IWARP_RDMAP_OP_ATOMIC_REQ) {
    (void)iwarp_tx_atomic_req(ep->tx, slot, &op->u.atomic);
  } else if (op->opcode >= IWARP_RDMAP_OP_IMMEDIATE) {
    (void)iwarp_tx_immediate(ep->tx, slot, op->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE,
                             op->u.immediate);
  } else {
    (void)iwarp_tx_send(ep->tx, slot, (iwarp_rdmap_opcode)op->opcode, op->stag, ops_payload(op));
  }
}

/* Whether the peer has no place for one more Read or Atomic Request. RFC 5040 6.1 */
static bool ops_no_credit(const iwarp_endpoint *ep, const ep_op *op) {
  return ops_waits(op->opcode) && !op->internal && ep->outstanding >= ep->info.ord;
}

/* Transmits what may go, in order; one that must wait holds up all after it. */
void iwarpi_ep_issue(iwarp_endpoint *ep) {
  for (; ep->issued < ep->sq.num; ep->issued++) {
    const ep_op *op = ops_at(ep, ep->issued);
    if (op->sent) {
      continue; /* it failed and never goes out */
    }
    if (ops_no_credit(ep, op)) {
      return;
    }
    ops_transmit(ep, op, ep_ring_at(&ep->sq, ep->issued));
    ep->outstanding += ops_waits(op->opcode) ? 1u : 0u;
    ep->atomics += op->opcode == IWARP_RDMAP_OP_ATOMIC_REQ ? 1u : 0u;
  }
}

/* ---- Responses to the peer ---- */

/* Starts a Read Response; false when its source may no longer be read. RFC 5040 7.2 */
static bool ops_serve_read(iwarp_endpoint *ep, const ep_inbound *in, uint64_t token) {
  const iwarp_rdmap_read_req *req = &in->u.read;
  iwarp_span part = {0};
  if (req->size > 0) {
    const uint16_t word =
        iwarpi_ep_check_access(ep, &iwarpi_ep_source_words, req->source_stag, req->source_to,
                               req->size, IWARP_ACCESS_REMOTE_READ);
    if (word != EP_OK) {
      iwarpi_ep_fault_of_read(ep, word, in, 0);
      return false;
    }
    ep_region *region = &ep->regions[iwarpi_ep_region(ep, req->source_stag)];
    region->uses++;
    part = (iwarp_span){iwarpi_ep_mem(&region->v, req->source_to), req->size};
  }
  (void)iwarp_tx_read_resp(ep->tx, token, req, (iwarp_tx_payload){.parts = &part, .num_parts = 1});
  return true;
}

static void ops_serve_atomic(iwarp_endpoint *ep, const ep_inbound *in, uint64_t token) {
  const iwarp_rdmap_atomic_resp resp = {.request_id = in->u.atomic.request_id,
                                        .original = in->original};
  (void)iwarp_tx_atomic_resp(ep->tx, token, &resp);
}

/* Answers the peer's Requests in their order, up to one that the ULP has still to do. */
void iwarpi_ep_serve(iwarp_endpoint *ep) {
  while (ep->served < ep->irrq.num) {
    const uint32_t slot = ep_ring_at(&ep->irrq, ep->served);
    const ep_inbound *in = &ep->inbounds[slot];
    if (in->atomic && !in->answered) {
      return;
    }
    if (in->atomic) {
      ops_serve_atomic(ep, in, OPS_TOKEN_RESPONSE + slot);
    } else if (!ops_serve_read(ep, in, OPS_TOKEN_RESPONSE + slot)) {
      return;
    }
    ep->served++;
  }
}

/*
 * iwarpi_ep_abort_responses ends the stream if a Response has still octets of region `stag` to
 * send, the oldest such one to blame; false when there is none.
 */
bool iwarpi_ep_abort_responses(iwarp_endpoint *ep, uint32_t stag) {
  for (uint32_t i = 0; i < ep->served; i++) {
    const uint32_t slot = ep_ring_at(&ep->irrq, i);
    const ep_inbound *in = &ep->inbounds[slot];
    uint32_t made;
    if (!in->atomic && in->u.read.size > 0 && in->u.read.source_stag == stag &&
        iwarpi_tx_response_left(&made, ep->tx, OPS_TOKEN_RESPONSE + slot)) {
      iwarpi_ep_fault_of_read(ep, iwarpi_ep_source_words.invalid, in, made);
      return true;
    }
  }
  return false;
}

/* Asks the ULP for the Atomic Operation that is next, once. */
bool iwarpi_ep_ask(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  if (ep->served == ep->irrq.num) {
    return false;
  }
  ep_inbound *in = &ep->inbounds[ep_ring_at(&ep->irrq, ep->served)];
  if (in->asked) {
    return false;
  }
  const uint32_t row = iwarpi_ep_region(ep, in->u.atomic.stag);
  const uint16_t word = iwarpi_ep_check_atomic(ep, in->u.atomic.stag, in->u.atomic.to);
  if (word != EP_OK) { /* the region went away while it waited */
    iwarpi_ep_fault_of_read(ep, word, in, 0);
    return false;
  }
  in->asked = true;
  ev->kind = IWARP_ENDPOINT_EVENT_ATOMIC;
  ev->u.atomic = (iwarp_endpoint_atomic_op){
      .mem = iwarpi_ep_mem(&ep->regions[row].v, in->u.atomic.to), .req = in->u.atomic};
  return true;
}

iwarp_err iwarp_endpoint_atomic_answer(iwarp_endpoint *ep, uint64_t original) {
  if (ep->served == ep->irrq.num) {
    return IWARP_ERR_STATE;
  }
  ep_inbound *in = &ep->inbounds[ep_ring_at(&ep->irrq, ep->served)];
  if (!in->asked) {
    return IWARP_ERR_STATE;
  }
  in->answered = true;
  in->original = original;
  iwarpi_ep_serve(ep);
  return IWARP_OK;
}

/* ---- completion ---- */

static void ops_response_over(iwarp_endpoint *ep, uint32_t slot) {
  const ep_inbound *in = &ep->inbounds[slot];
  if (!in->atomic && in->u.read.size > 0) {
    ep->regions[iwarpi_ep_region(ep, in->u.read.source_stag)].uses--;
  }
  ep_ring_pop(&ep->irrq);
  ep->served--;
}

/* Learns what the transport has taken. */
void iwarpi_ep_collect_results(iwarp_endpoint *ep) {
  iwarp_tx_result result;
  while (ep->tx != NULL && iwarp_tx_next_result(ep->tx, &result) == IWARP_OK) {
    if (result.token == EP_NONE) {
      ep->term_taken = true;
    } else if (result.token >= OPS_TOKEN_RESPONSE) {
      ops_response_over(ep, (uint32_t)(result.token - OPS_TOKEN_RESPONSE));
    } else {
      ep_op *op = &ep->ops[result.token];
      op->sent = true;
      op->err = op->err == IWARP_OK ? result.err : op->err;
    }
  }
}

/*
 * The operation whose Response is next, or NULL: Read and Atomic Responses come in the order of
 * their Requests. RFC 5040 5.2.2, RFC 7306 5.2.2
 */
ep_op *iwarpi_ep_awaited_request(iwarp_endpoint *ep) {
  for (; ep->waits_at < ep->issued; ep->waits_at++) {
    ep_op *op = ops_at(ep, ep->waits_at);
    if (!op->answered) {
      return op;
    }
  }
  return NULL;
}

/* The operation waits for its Response no longer. */
static void ops_wait_over(iwarp_endpoint *ep, ep_op *op) {
  op->answered = true;
  ep->outstanding--;
  ep->atomics -= op->opcode == IWARP_RDMAP_OP_ATOMIC_REQ ? 1u : 0u;
}

void iwarpi_ep_answered(iwarp_endpoint *ep, ep_op *op) {
  ops_wait_over(ep, op);
  iwarpi_ep_issue(ep);
}

/* Fails an operation that is not over; one that the transmit engine has is over when it says so. */
static void ops_fail(iwarp_endpoint *ep, uint32_t i) {
  ep_op *op = ops_at(ep, i);
  const bool issued = i < ep->issued;
  if (!op->answered || !issued) {
    op->err = IWARP_ERR_STATE;
  }
  if (!op->answered && issued) {
    ops_wait_over(ep, op);
  }
  op->answered = true;
  op->sent = op->sent || !issued;
}

/* Nothing goes out any more, nothing comes in. */
void iwarpi_ep_fail_all(iwarp_endpoint *ep) {
  for (uint32_t i = 0; i < ep->sq.num; i++) {
    ops_fail(ep, i);
  }
  ep->issued = ep->sq.num;
  ep->irrq.num = ep->served;
}

/* No Response comes any more; the rest goes on. */
void iwarpi_ep_fail_waiting(iwarp_endpoint *ep) {
  for (uint32_t i = 0; i < ep->sq.num; i++) {
    if (ops_waits(ops_at(ep, i)->opcode)) {
      ops_fail(ep, i);
    }
  }
  iwarpi_ep_issue(ep);
}

/* The operation that completes next: in the order of posting. RFC 5040 5.5 rule 15 */
bool iwarpi_ep_done_event(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  while (ep->sq.num > 0) {
    const ep_op *op = ops_at(ep, 0);
    if (!op->sent || !op->answered) {
      return false;
    }
    ev->kind = IWARP_ENDPOINT_EVENT_DONE;
    ev->u.done = (iwarp_endpoint_done){.token = op->token,
                                       .err = op->err,
                                       .opcode = (iwarp_rdmap_opcode)op->opcode,
                                       .original = op->original};
    const bool internal = op->internal;
    ep_ring_pop(&ep->sq);
    ep->issued--;
    ep->waits_at -= ep->waits_at > 0 ? 1u : 0u;
    if (!internal) {
      return true;
    }
    ep->rtr_pending = false;
  }
  return false;
}
