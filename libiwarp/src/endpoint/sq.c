/* SPDX-License-Identifier: BSD-2-Clause */
/* The send queue of an endpoint: operations go out and complete in order. RFC 5040 5.5 */
#include "sq.h"

#include <iwarp/endpoint.h>

#include "../tx/for_endpoint.h"

#define SQ_RTR_STAG 1u /* some hardware refuses STag 0 even where it means nothing */

static ep_op *sq_at(const ep_sq *sq, uint32_t i) {
  return &sq->ops[ring_at(&sq->ring, i)];
}

static iwarp_rdmap_class sq_class(const ep_op *op) {
  return iwarp_rdmap_op_get(op->opcode)->cls;
}

/* iwarpi_ep_op_waits returns true where an operation waits for a Response. */
bool iwarpi_ep_op_waits(uint8_t opcode) {
  switch (iwarp_rdmap_op_get(opcode)->cls) {
  case IWARP_RDMAP_CLASS_READ_REQ:
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: return true;
  case IWARP_RDMAP_CLASS_WRITE:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_NONE:
  default: break;
  }
  return false;
}

/* iwarpi_ep_sq_num counts the operations of the ULP. */
uint32_t iwarpi_ep_sq_num(const ep_sq *sq) {
  return sq->ring.num - (sq->rtr_pending ? 1u : 0u);
}

/* ---- operations for the transmit engine, which has room for all ---- */

static iwarp_tx_payload sq_payload(const ep_op *op) {
  return (iwarp_tx_payload){.parts = op->one ? &op->u.part : op->u.parts,
                            .num_parts = op->num_parts};
}

static void sq_transmit(iwarp_tx *tx, const ep_op *op, uint64_t slot) {
  switch (sq_class(op)) {
  case IWARP_RDMAP_CLASS_WRITE:
    (void)iwarp_tx_write(tx, slot, op->stag, op->to, sq_payload(op));
    break;
  case IWARP_RDMAP_CLASS_READ_REQ: (void)iwarp_tx_read_req(tx, slot, &op->u.read); break;
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: (void)iwarp_tx_atomic_req(tx, slot, &op->u.atomic); break;
  case IWARP_RDMAP_CLASS_IMMEDIATE:
    (void)iwarp_tx_immediate(tx, slot, iwarp_rdmap_op_get(op->opcode)->solicited, op->u.immediate);
    break;
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_ATOMIC_RESP:
  case IWARP_RDMAP_CLASS_TERMINATE:
  case IWARP_RDMAP_CLASS_NONE: /* no call posts these four classes */
  default:
  case IWARP_RDMAP_CLASS_SEND:
    (void)iwarp_tx_send(tx, slot, (iwarp_rdmap_opcode)op->opcode, op->stag, sq_payload(op));
    break;
  }
}

/* Returns true if the operation is a Read or Atomic Request and the peer has no place for one more.
 * RFC 5040 6.1 */
static bool sq_no_credit(const ep_sq *sq, const ep_op *op) {
  return iwarpi_ep_op_waits(op->opcode) && !op->internal && sq->outstanding >= sq->ord;
}

/* Transmits what may go, in order; one that must wait holds up all that follow it. */
static void sq_start_requests(ep_sq *sq) {
  for (; sq->issued < sq->ring.num; sq->issued++) {
    ep_op *op = sq_at(sq, sq->issued);
    if (op->sent) {
      continue; /* the operation failed and is not sent */
    }
    if (sq_no_credit(sq, op)) {
      return;
    }
    op->msn = iwarpi_tx_next_msn(sq->tx, op->opcode);
    sq_transmit(sq->tx, op, ring_at(&sq->ring, sq->issued));
    sq->outstanding += iwarpi_ep_op_waits(op->opcode) ? 1u : 0u;
    sq->atomics += sq_class(op) == IWARP_RDMAP_CLASS_ATOMIC_REQ ? 1u : 0u;
  }
}

/* iwarpi_ep_sq_push adds an operation, for which there is room. */
void iwarpi_ep_sq_push(ep_sq *sq, const ep_op *op) {
  ep_op *slot = sq_at(sq, sq->ring.num);
  *slot = *op;
  slot->answered = !iwarpi_ep_op_waits(op->opcode);
  sq->ring.num++;
  sq_start_requests(sq);
}

/* Adds one of the Ready to Receive messages that both sides can; `rtr` 0: none. RFC 6581 9.3 */
void iwarpi_ep_sq_push_rtr(ep_sq *sq, uint8_t rtr) {
  ep_op op = {.internal = true, .opcode = IWARP_RDMAP_OP_READ_REQ};
  if (rtr == 0) {
    return;
  }
  if ((rtr & IWARP_RTR_WRITE) != 0) {
    op.opcode = IWARP_RDMAP_OP_WRITE;
    op.stag = SQ_RTR_STAG;
  } else if ((rtr & IWARP_RTR_SEND) != 0) {
    op.opcode = IWARP_RDMAP_OP_SEND;
  } else {
    op.u.read = (iwarp_rdmap_read_req){.sink_stag = SQ_RTR_STAG, .source_stag = SQ_RTR_STAG};
  }
  sq->rtr_pending = true;
  iwarpi_ep_sq_push(sq, &op);
}

/* ---- Responses ---- */

/* The first issued operation that waits for its Response, or `issued` if none does. */
static uint32_t sq_awaited_at(const ep_sq *sq) {
  uint32_t i = sq->waits_at;
  while (i < sq->issued && sq_at(sq, i)->answered) {
    i++;
  }
  return i;
}

/*
 * iwarpi_ep_sq_awaited returns the operation whose Response is next, or NULL: Read and Atomic
 * Responses come in the order of their Requests. RFC 5040 5.2.2, RFC 7306 5.2.2
 */
const ep_op *iwarpi_ep_sq_awaited(const ep_sq *sq) {
  return iwarpi_ep_sq_issued(sq, sq_awaited_at(sq));
}

/* iwarpi_ep_sq_awaited_request returns the same operation, which is there, for a Response to it. */
ep_op *iwarpi_ep_sq_awaited_request(ep_sq *sq) {
  sq->waits_at = sq_awaited_at(sq);
  return sq_at(sq, sq->waits_at);
}

/* iwarpi_ep_sq_can_be_answered returns true where the peer may have all of an issued Request. */
bool iwarpi_ep_sq_can_be_answered(const ep_sq *sq, const ep_op *op) {
  return op->sent || iwarpi_tx_request_out(sq->tx, (uint64_t)(op - sq->ops));
}

/* iwarpi_ep_sq_issued returns issued operation `i`, or NULL after the last. */
const ep_op *iwarpi_ep_sq_issued(const ep_sq *sq, uint32_t i) {
  return i < sq->issued ? sq_at(sq, i) : NULL;
}

/* The operation waits for its Response no longer. */
static void sq_wait_over(ep_sq *sq, ep_op *op) {
  op->answered = true;
  sq->outstanding--;
  sq->atomics -= sq_class(op) == IWARP_RDMAP_CLASS_ATOMIC_REQ ? 1u : 0u;
}

void iwarpi_ep_sq_response_complete(ep_sq *sq, ep_op *op) {
  sq_wait_over(sq, op);
  sq_start_requests(sq);
}

/* The first error of an operation is the one that it completes with. */
static void sq_set_err(ep_op *op, iwarp_err err, uint8_t cause) {
  if (op->err == IWARP_OK) {
    op->err = err;
    op->cause = cause;
  }
}

/* Octets of a payload, which was found to be none too long when it was posted. */
static uint64_t sq_payload_len(const ep_op *op) {
  const iwarp_tx_payload payload = sq_payload(op);
  uint64_t len = 0;
  for (size_t i = 0; i < payload.num_parts; i++) {
    len += payload.parts[i].len;
  }
  return len;
}

/* Returns true if the header belongs to a segment of this Write. A Write of length 0 has one
 * segment.
 */
static bool sq_writes(const ep_op *op, const iwarp_ddp_hdr *hdr) {
  const uint64_t past = hdr->to - op->to;
  return iwarp_rdmap_ctrl_decode(hdr->rsvdulp).opcode == op->opcode && hdr->stag == op->stag &&
         (past == 0 || past < sq_payload_len(op));
}

/* Returns true if the header belongs to a segment of this operation. */
static bool sq_sends(const ep_op *op, const iwarp_ddp_hdr *hdr) {
  const iwarp_rdmap_op *row = iwarp_rdmap_op_get(op->opcode);
  if (row->tagged || hdr->tagged) {
    return row->tagged && hdr->tagged && sq_writes(op, hdr);
  }
  return hdr->qn == row->qn && hdr->msn == op->msn;
}

/*
 * iwarpi_ep_sq_refuse: the peer's Terminate returns a DDP header, and the operation that it belongs
 * to fails, unless that was done before. Of Writes to the same octets it is the first. RFC 5040 4.8
 */
void iwarpi_ep_sq_refuse(ep_sq *sq, const iwarp_ddp_hdr *hdr) {
  for (uint32_t i = 0; i < sq->issued; i++) {
    ep_op *op = sq_at(sq, i);
    if (sq_sends(op, hdr)) {
      sq_set_err(op, IWARP_ERR_REFUSED, IWARP_ENDPOINT_CAUSE_TERMINATE);
      return;
    }
  }
}

/* iwarpi_ep_sq_fail_last_read fails the Read that was answered last: its Response was not placed.
 */
void iwarpi_ep_sq_fail_last_read(ep_sq *sq, uint8_t cause) {
  sq_set_err(sq_at(sq, sq->waits_at), IWARP_ERR_FLUSHED, cause);
}

/* ---- completion ---- */

/* iwarpi_ep_sq_sent notes that the transport took an operation, or never will. */
void iwarpi_ep_sq_sent(ep_sq *sq, uint64_t slot, iwarp_err err) {
  ep_op *op = &sq->ops[slot];
  op->sent = true;
  if (err != IWARP_OK) { /* the transmit engine was stopped, after iwarpi_ep_sq_fail_all */
    sq_set_err(op, IWARP_ERR_FLUSHED, sq->cause);
  }
}

/* Fails an operation that is not over; one that the transmit engine has is over when it says so. */
static void sq_fail(ep_sq *sq, uint32_t i, uint8_t cause) {
  ep_op *op = sq_at(sq, i);
  const bool issued = i < sq->issued;
  if (!op->answered || !issued) {
    sq_set_err(op, IWARP_ERR_FLUSHED, cause);
  }
  if (!op->answered && issued) {
    sq_wait_over(sq, op);
  }
  op->answered = true;
  op->sent = op->sent || !issued;
}

/* iwarpi_ep_sq_fail_all: nothing goes out any more, nothing comes in. */
void iwarpi_ep_sq_fail_all(ep_sq *sq, uint8_t cause) {
  sq->cause = cause;
  for (uint32_t i = 0; i < sq->ring.num; i++) {
    sq_fail(sq, i, cause);
  }
  sq->issued = sq->ring.num;
}

/* iwarpi_ep_sq_fail_waiting fails the operations whose Responses can no longer come. It returns
 * true if there were any. */
bool iwarpi_ep_sq_fail_waiting(ep_sq *sq, uint8_t cause) {
  bool any = false;
  for (uint32_t i = 0; i < sq->ring.num; i++) {
    if (!sq_at(sq, i)->answered) {
      sq_fail(sq, i, cause);
      any = true;
    }
  }
  sq_start_requests(sq);
  return any;
}

/*
 * iwarpi_ep_sq_done takes the operation of the ULP that completes next, in the order of posting;
 * false when none does. RFC 5040 5.5 rule 15
 */
bool iwarpi_ep_sq_done(ep_sq *sq, ep_op *out) {
  while (sq->ring.num > 0) {
    const ep_op *op = sq_at(sq, 0);
    if (!op->sent || !op->answered) {
      return false;
    }
    *out = *op;
    ring_pop(&sq->ring);
    sq->issued--;
    sq->waits_at -= sq->waits_at > 0 ? 1u : 0u;
    if (out->internal) {
      sq->rtr_pending = false;
    } else if (!out->quiet || out->err != IWARP_OK) {
      return true;
    }
  }
  return false;
}
