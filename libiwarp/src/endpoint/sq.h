/* SPDX-License-Identifier: BSD-2-Clause */
/* The send queue of an endpoint: operations of the ULP on their way to completion. */
#ifndef IWARPI_ENDPOINT_SQ_H
#define IWARPI_ENDPOINT_SQ_H

#include <iwarp/tx.h>

#include "ring.h"

/* An operation of the ULP, or the RTR message. */
typedef struct ep_op {
  uint64_t token;
  uint64_t to; /* Write */
  uint64_t original;
  uint32_t stag; /* Write, or the Invalidate STag */
  uint32_t msn;  /* untagged: set when it is issued */
  uint32_t got;  /* Read: octets of the Response so far */
  iwarp_err err;
  uint8_t opcode;
  uint8_t cause; /* of `err`: an iwarp_endpoint_cause */
  bool quiet;    /* DONE for an error only */
  bool internal; /* the RTR message: the ULP knows nothing of it */
  bool sent;     /* the transport took it, or it never goes out */
  bool answered; /* the Response is there, or none comes */
  bool one;      /* the payload is u.part */
  size_t num_parts;
  union {
    const iwarp_span *parts;
    iwarp_span part;
    uint8_t immediate[IWARP_RDMAP_IMMEDIATE_LEN];
    iwarp_rdmap_read_req read;
    iwarp_rdmap_atomic_req atomic;
  } u;
} ep_op;

typedef struct ep_sq {
  iwarp_tx *tx; /* NULL before Full Operation; it takes the Responses to the peer too */
  void *tx_mem;
  uint32_t tx_messages;
  ep_ring ring;
  ep_op *ops;
  uint32_t ord;         /* Read and Atomic Requests outstanding, at most */
  uint32_t issued;      /* of the ring, from its head */
  uint32_t waits_at;    /* in the ring: none that waits for its Response lies before */
  uint32_t outstanding; /* Read and Atomic Requests issued and not answered */
  uint32_t atomics;     /* of them Atomic Requests */
  uint32_t request_id;  /* of the next Atomic Request */
  bool rtr_pending;     /* the RTR message is in the ring */
  bool quiet;           /* operations posted now are to be so */
  uint8_t cause;        /* why operations fail: an iwarp_endpoint_cause */
} ep_sq;

bool iwarpi_ep_op_waits(uint8_t opcode);
uint32_t iwarpi_ep_sq_num(const ep_sq *sq);
void iwarpi_ep_sq_push(ep_sq *sq, const ep_op *op);
void iwarpi_ep_sq_push_rtr(ep_sq *sq, uint8_t rtr);
void iwarpi_ep_sq_sent(ep_sq *sq, uint64_t slot, iwarp_err err);
ep_op *iwarpi_ep_sq_awaited_request(ep_sq *sq);
const ep_op *iwarpi_ep_sq_issued(const ep_sq *sq, uint32_t i);
void iwarpi_ep_sq_response_complete(ep_sq *sq, ep_op *op);
void iwarpi_ep_sq_refuse(ep_sq *sq, const iwarp_ddp_hdr *hdr);
void iwarpi_ep_sq_spoil(ep_sq *sq, uint8_t cause);
void iwarpi_ep_sq_fail_all(ep_sq *sq, uint8_t cause);
bool iwarpi_ep_sq_fail_waiting(ep_sq *sq, uint8_t cause);
bool iwarpi_ep_sq_done(ep_sq *sq, ep_op *out);

#endif
