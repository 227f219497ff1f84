/* SPDX-License-Identifier: BSD-2-Clause */
/* Validation of an incoming segment before any of its octets is placed. RFC 5040 7.2, RFC 5041 7.1
 */
#include "../base/cursor.h"
#include "ep_priv.h"

#define CHECK_MSN_BEHIND 0x80000000u /* half of the space of MSNs lies after the expected one */

/* ---- headers ---- */

static bool check_opcode_known(const iwarp_endpoint *ep, const ep_segment *seg) {
  return seg->op->assigned && (!ep->cfg.base_only || seg->opcode <= IWARP_RDMAP_OP_TERMINATE);
}

static bool check_qn_known(const iwarp_endpoint *ep, uint32_t qn) {
  return qn <= (ep->cfg.base_only ? IWARP_RDMAP_QN_TERMINATE : IWARP_RDMAP_QN_ATOMIC_RESP);
}

/* A Terminate may cut off a message; no other may come before its last segment. RFC 5041 5.2 */
static bool check_continues(const iwarp_endpoint *ep, const ep_segment *seg) {
  return !ep->msg.active || ep->msg.opcode == seg->opcode ||
         seg->opcode == IWARP_RDMAP_OP_TERMINATE;
}

/* iwarpi_ep_check_header judges a segment by its headers alone. */
uint16_t iwarpi_ep_check_header(const iwarp_endpoint *ep, const ep_segment *seg) {
  const iwarp_ddp_hdr *ddp = seg->ddp;
  if (ddp->dv != IWARP_DDP_VERSION) {
    return ddp->tagged ? EP_TERM_DV_TAGGED : EP_TERM_DV_UNTAGGED;
  }
  if (seg->fpdu->seg.ctrl.rv != IWARP_RDMAP_VERSION) {
    return EP_TERM_RV;
  }
  if (!check_opcode_known(ep, seg) || ddp->tagged != seg->op->tagged) {
    return EP_TERM_OPCODE;
  }
  if (!ddp->tagged && !check_qn_known(ep, ddp->qn)) {
    return EP_TERM_QN;
  }
  return !ddp->tagged && ddp->qn != seg->op->qn ? EP_TERM_OPCODE : EP_OK;
}

/* ---- untagged ---- */

static bool check_is_immediate(const ep_segment *seg) {
  return seg->opcode == IWARP_RDMAP_OP_IMMEDIATE || seg->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE;
}

/*
 * Whether the segment is the Ready to Receive Send: it takes no buffer of the ULP's. The
 * zero-length Write and Read need nothing done for them. RFC 6581 9.2
 */
bool iwarpi_ep_is_rtr(const iwarp_endpoint *ep, const ep_segment *seg) {
  return seg->first && seg->opcode == IWARP_RDMAP_OP_SEND && seg->len == 0 && seg->ddp->last &&
         (ep->info.rtr & IWARP_RTR_SEND) != 0;
}

/* Buffers available on the segment's queue. */
static uint32_t check_buffers(const iwarp_endpoint *ep, const ep_segment *seg) {
  switch (seg->ddp->qn) {
  case IWARP_RDMAP_QN_SEND: return ep->rq.num + (iwarpi_ep_is_rtr(ep, seg) ? 1u : 0u);
  case IWARP_RDMAP_QN_READ_REQ: return ep->info.ird - ep->irrq.num;
  case IWARP_RDMAP_QN_ATOMIC_RESP: return ep->atomics;
  default: return 1; /* one Terminate */
  }
}

/* Octets that the buffer for the segment's message holds. */
static uint32_t check_room(const iwarp_endpoint *ep, const ep_segment *seg) {
  switch (seg->ddp->qn) {
  case IWARP_RDMAP_QN_SEND: return iwarpi_ep_is_rtr(ep, seg) ? 0 : ep->recvs[ep->rq.head].len;
  case IWARP_RDMAP_QN_READ_REQ:
    return ep->cfg.base_only ? IWARP_RDMAP_READ_REQ_LEN : IWARP_RDMAP_ATOMIC_REQ_LEN;
  case IWARP_RDMAP_QN_ATOMIC_RESP: return IWARP_RDMAP_ATOMIC_RESP_LEN;
  default: return IWARP_RDMAP_TERM_MAX;
  }
}

static uint16_t check_msn(const iwarp_endpoint *ep, const ep_segment *seg) {
  const uint32_t ahead = seg->ddp->msn - ep->msn[seg->ddp->qn];
  const uint32_t buffers = check_buffers(ep, seg);
  if (ahead == 0 && buffers > 0) {
    return EP_OK;
  }
  return ahead >= buffers && ahead < CHECK_MSN_BEHIND ? EP_TERM_NO_BUFFER : EP_TERM_MSN;
}

static uint16_t check_untagged(const iwarp_endpoint *ep, const ep_segment *seg) {
  const uint16_t word = check_msn(ep, seg);
  const bool goes_on = ep->msg.active && ep->msg.opcode == seg->opcode;
  if (word != EP_OK) {
    return word;
  }
  if (seg->ddp->mo != (goes_on ? ep->msg.mo : 0)) {
    return EP_TERM_MO;
  }
  const uint64_t end = (uint64_t)seg->ddp->mo + seg->len;
  if (check_is_immediate(seg)) { /* exactly 8 octets, RFC 7306 6.3 */
    return end > IWARP_RDMAP_IMMEDIATE_LEN ? EP_TERM_UNSPECIFIED : EP_OK;
  }
  return end > check_room(ep, seg) ? EP_TERM_TOO_LONG : EP_OK;
}

/* ---- tagged ---- */

/* A Response belongs to the Request that is outstanding longest. RFC 5040 5.2.2 */
static uint16_t check_response(iwarp_endpoint *ep, const ep_segment *seg) {
  const ep_op *op = iwarpi_ep_awaited_request(ep);
  if (op == NULL || op->opcode != IWARP_RDMAP_OP_READ_REQ) {
    return EP_TERM_OPCODE;
  }
  const uint32_t left = op->u.read.size - op->got;
  if (seg->len > 0 &&
      (seg->ddp->stag != op->u.read.sink_stag || seg->ddp->to != op->u.read.sink_to + op->got)) {
    return EP_TERM_UNSPECIFIED;
  }
  return seg->len > left || (seg->ddp->last && seg->len < left) ? EP_TERM_UNSPECIFIED : EP_OK;
}

static uint16_t check_tagged(iwarp_endpoint *ep, const ep_segment *seg) {
  const bool write = seg->opcode == IWARP_RDMAP_OP_WRITE;
  uint16_t word = EP_OK;
  if (seg->len > 0) { /* else STag and TO mean nothing, RFC 5041 5.2 */
    word = iwarpi_ep_check_access(ep, &iwarpi_ep_sink_words, seg->ddp->stag, seg->ddp->to, seg->len,
                                  write ? IWARP_ACCESS_REMOTE_WRITE : 0);
  }
  return write || word != EP_OK ? word : check_response(ep, seg);
}

/* ---- whole messages ---- */

static uint16_t check_read_request(const iwarp_endpoint *ep, iwarp_span inner) {
  iwarp_rdmap_read_req req;
  (void)iwarp_rdmap_read_req_decode(&req, inner);
  return req.size == 0 ? EP_OK
                       : iwarpi_ep_check_access(ep, &iwarpi_ep_source_words, req.source_stag,
                                                req.source_to, req.size, IWARP_ACCESS_REMOTE_READ);
}

static uint16_t check_atomic_request(const iwarp_endpoint *ep, iwarp_span inner) {
  iwarp_rdmap_atomic_req req;
  (void)iwarp_rdmap_atomic_req_decode(&req, inner);
  if (req.aopcode != IWARP_RDMAP_AOP_FETCH_ADD && req.aopcode != IWARP_RDMAP_AOP_CMP_SWAP) {
    return EP_TERM_OPCODE;
  }
  return iwarpi_ep_check_atomic(ep, req.stag, req.to);
}

static uint16_t check_atomic_response(iwarp_endpoint *ep, iwarp_span inner) {
  const ep_op *op =
      iwarpi_ep_awaited_request(ep); /* some Atomic Request is outstanding: check_msn */
  iwarp_rdmap_atomic_resp resp;
  if (op->opcode != IWARP_RDMAP_OP_ATOMIC_REQ) {
    return EP_TERM_OPCODE;
  }
  (void)iwarp_rdmap_atomic_resp_decode(&resp, inner);
  return resp.request_id == op->u.atomic.request_id ? EP_OK : EP_TERM_UNSPECIFIED;
}

/* A message whose octets are all RDMAP header. */
static uint16_t check_inner(iwarp_endpoint *ep, const ep_segment *seg) {
  const iwarp_span inner = {ep->inner, ep->inner_len};
  if (seg->opcode == IWARP_RDMAP_OP_TERMINATE) {
    return inner.len < seg->op->hdr_len ? EP_TERM_UNSPECIFIED : EP_OK;
  }
  if (inner.len != seg->op->hdr_len) {
    return EP_TERM_UNSPECIFIED;
  }
  if (seg->ddp->qn == IWARP_RDMAP_QN_READ_REQ && ep->info.state == IWARP_ENDPOINT_LOCAL_CLOSED) {
    return EP_TERM_CATASTROPHIC; /* it could not be answered */
  }
  switch (seg->opcode) {
  case IWARP_RDMAP_OP_READ_REQ: return check_read_request(ep, inner);
  case IWARP_RDMAP_OP_ATOMIC_REQ: return check_atomic_request(ep, inner);
  case IWARP_RDMAP_OP_ATOMIC_RESP: return check_atomic_response(ep, inner);
  default: return EP_OK;
  }
}

/* Keeps the RDMAP header octets of the segment, for which there is room. */
static void check_keep_inner(iwarp_endpoint *ep, const ep_segment *seg) {
  wr w = wr_of(ep->inner, sizeof ep->inner, sizeof ep->inner);
  wr_take(&w, seg->ddp->mo);
  uint8_t *dst = wr_take(&w, seg->len);
  ep->inner_len = seg->ddp->mo + seg->len;
  if (dst != NULL) {
    (void)iwarp_mpa_fpdu_ulpdu_copy(dst, seg->len, &seg->fpdu->mpa, IWARP_DDP_UNTAGGED_LEN);
  }
}

static uint16_t check_whole(iwarp_endpoint *ep, const ep_segment *seg) {
  if (seg->op->hdr_len > 0) {
    check_keep_inner(ep, seg);
    return seg->ddp->last ? check_inner(ep, seg) : EP_OK;
  }
  return seg->ddp->last && seg->op->invalidates
             ? iwarpi_ep_check_invalidate(ep, seg->ddp->rsvdulp_word)
             : EP_OK;
}

/* iwarpi_ep_check says what is wrong with a segment whose DDP header is there, or EP_OK. */
uint16_t iwarpi_ep_check(iwarp_endpoint *ep, ep_segment *seg) {
  uint16_t word = iwarpi_ep_check_header(ep, seg);
  if (word != EP_OK) {
    return word;
  }
  if (!check_continues(ep, seg)) {
    return EP_TERM_OPCODE;
  }
  word = seg->ddp->tagged ? check_tagged(ep, seg) : check_untagged(ep, seg);
  return word != EP_OK || seg->ddp->tagged ? word : check_whole(ep, seg);
}
