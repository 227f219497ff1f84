/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations that the ULP posts. RFC 5040 5, RFC 7306 5 and 6 */
#include "post.h"

#include <string.h>

#include "../tx/for_endpoint.h"
#include "machine.h"
#include "regions.h"
#include "sq.h"

#define POST_ATOMIC_LEN 8u /* octets that an Atomic Operation works on, RFC 7306 5 */

/* Returns OK if an operation may be posted now. */
static iwarp_err post_allowed(const ep_post_view *p, uint8_t opcode) {
  if (ep_refuses(p->info->state, EP_POST)) {
    return IWARP_ERR_STATE;
  }
  if (iwarpi_ep_op_waits(opcode) && p->sq->ord == 0) {
    return IWARP_ERR_ORD; /* no Request ever goes: it would block all that follow it */
  }
  if (iwarpi_ep_op_waits(opcode) && p->info->state == IWARP_ENDPOINT_PEER_ENDED) {
    return IWARP_ERR_STATE; /* no Response can come */
  }
  return iwarpi_ep_sq_num(p->sq) == p->cfg->num_sends ? IWARP_ERR_NOBUF : IWARP_OK;
}

static iwarp_err post(const ep_post_view *p, const ep_op *op) {
  const iwarp_err err = post_allowed(p, op->opcode);
  if (err == IWARP_OK) {
    ep_op posted = *op;
    posted.quiet = p->sq->quiet;
    iwarpi_ep_sq_push(p->sq, &posted);
  }
  return err;
}

void iwarp_endpoint_set_signalled(iwarp_endpoint *ep, bool signalled) {
  iwarpi_ep_post_view(ep).sq->quiet = !signalled;
}

/* Copies the description of a payload into `op`; false when the payload is invalid or too long for
 * a message. */
static bool post_gather(ep_op *op, uint64_t *out_len, iwarp_tx_payload payload) {
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

/* Returns true if a Tagged Offset wraps; TO + length = 2^64 wraps, since the sum is 0.
 * rfc5041-7.1-15 */
static bool post_wraps(uint64_t to, uint64_t len) {
  return len > UINT64_MAX - to;
}

iwarp_err iwarp_endpoint_send(iwarp_endpoint *ep, uint64_t token, iwarp_rdmap_opcode opcode,
                              uint32_t invalidate_stag, iwarp_tx_payload payload) {
  ep_op op = {.token = token, .opcode = (uint8_t)opcode, .stag = invalidate_stag};
  uint64_t len;
  if (!iwarpi_tx_is_send(opcode) ||
      (invalidate_stag != 0 && !iwarp_rdmap_op_get(op.opcode)->invalidates) ||
      !post_gather(&op, &len, payload)) {
    return IWARP_ERR_ARG;
  }
  const ep_post_view p = iwarpi_ep_post_view(ep);
  return post(&p, &op);
}

iwarp_err iwarp_endpoint_write(iwarp_endpoint *ep, uint64_t token, uint32_t stag, uint64_t to,
                               iwarp_tx_payload payload) {
  ep_op op = {.token = token, .opcode = IWARP_RDMAP_OP_WRITE, .stag = stag, .to = to};
  uint64_t len;
  if (!post_gather(&op, &len, payload) || post_wraps(to, len)) {
    return IWARP_ERR_ARG;
  }
  const ep_post_view p = iwarpi_ep_post_view(ep);
  return post(&p, &op);
}

iwarp_err iwarp_endpoint_read(iwarp_endpoint *ep, uint64_t token, const iwarp_rdmap_read_req *req) {
  const ep_op op = {.token = token, .opcode = IWARP_RDMAP_OP_READ_REQ, .u.read = *req};
  const ep_access sink = {.stag = req->sink_stag, .to = req->sink_to, .len = req->size};
  const ep_post_view p = iwarpi_ep_post_view(ep);
  if (post_wraps(req->source_to, req->size) ||
      (req->size > 0 && iwarpi_ep_check_access(p.memory, &iwarpi_ep_sink_terms, sink) != EP_OK)) {
    return IWARP_ERR_ARG;
  }
  return post(&p, &op);
}

iwarp_err iwarp_endpoint_immediate(iwarp_endpoint *ep, uint64_t token, bool solicited,
                                   const uint8_t data[IWARP_RDMAP_IMMEDIATE_LEN]) {
  ep_op op = {.token = token,
              .opcode = solicited ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE};
  memcpy(op.u.immediate, data, sizeof op.u.immediate);
  const ep_post_view p = iwarpi_ep_post_view(ep);
  return p.cfg->base_only ? IWARP_ERR_ARG : post(&p, &op);
}

iwarp_err iwarp_endpoint_atomic(iwarp_endpoint *ep, uint64_t token,
                                const iwarp_rdmap_atomic_req *req) {
  ep_op op = {.token = token, .opcode = IWARP_RDMAP_OP_ATOMIC_REQ, .u.atomic = *req};
  const ep_post_view p = iwarpi_ep_post_view(ep);
  if (p.cfg->base_only || post_wraps(req->to, POST_ATOMIC_LEN) ||
      (req->aopcode != IWARP_RDMAP_AOP_FETCH_ADD && req->aopcode != IWARP_RDMAP_AOP_CMP_SWAP)) {
    return IWARP_ERR_ARG; /* rfc7306-10.1-01 */
  }
  op.u.atomic.reserved = 0; /* rfc7306-5.2.1-02 */
  if (req->aopcode == IWARP_RDMAP_AOP_FETCH_ADD) {
    op.u.atomic.compare_data = 0;          /* rfc7306-5.2.1-11 */
    op.u.atomic.compare_mask = UINT64_MAX; /* rfc7306-5.2.1-13 */
  }
  op.u.atomic.request_id = p.sq->request_id;
  const iwarp_err err = post(&p, &op);
  p.sq->request_id += err == IWARP_OK ? 1 : 0;
  return err;
}
