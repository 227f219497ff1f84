/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Validation of a segment before any of its octets is placed. RFC 5040 7.2, RFC 5041 7.1
 *
 * A check changes nothing: recv.c takes the receive buffer and keeps the RDMAP header between the
 * checks that need them.
 */
#include "check.h"

#include "placement.h"
#include "regions.h"
#include "rq.h"
#include "sq.h"

#define CHECK_MSN_PAST 0x80000000u /* half of the space of MSNs lies after the expected one */

/* ---- headers ---- */

static bool check_opcode_known(const ep_check_view *c, const ep_segment *seg) {
  return seg->op->assigned && (!c->cfg->base_only || seg->op->base);
}

static bool check_qn_known(const ep_check_view *c, uint32_t qn) {
  return qn <= (c->cfg->base_only ? IWARP_RDMAP_QN_TERMINATE : IWARP_RDMAP_QN_ATOMIC_RESP);
}

/* DDP judges the queue of a segment that it places before RDMAP sees the segment. RFC 5041 7.1 */
static bool check_is_placeable(const ep_check_view *c, const ep_segment *seg) {
  return seg->ddp->tagged || seg->len == 0 || check_qn_known(c, seg->ddp->qn);
}

/* A Terminate may cut off a message; no other may come before its last segment. RFC 5041 5.2 */
static bool check_continues(const ep_check_view *c, const ep_segment *seg) {
  return !c->rx->msg.active || c->rx->msg.opcode == seg->opcode ||
         seg->op->cls == IWARP_RDMAP_CLASS_TERMINATE;
}

/* iwarpi_ep_check_header judges a segment by its headers alone. */
iwarp_term iwarpi_ep_check_header(const ep_check_view *c, const ep_segment *seg) {
  const iwarp_ddp_hdr *ddp = seg->ddp;
  if (ddp->dv != IWARP_DDP_VERSION) {
    return ddp->tagged ? IWARP_TERM_TAGGED_VERSION : IWARP_TERM_UNTAGGED_VERSION;
  }
  if (!check_is_placeable(c, seg)) {
    return IWARP_TERM_UNTAGGED_QN;
  }
  if (seg->fpdu->seg.ctrl.rv != IWARP_RDMAP_VERSION) {
    return IWARP_TERM_OPERATION_VERSION;
  }
  if (!check_opcode_known(c, seg) || ddp->tagged != seg->op->tagged) {
    return IWARP_TERM_OPERATION_OPCODE;
  }
  if (!ddp->tagged && !check_qn_known(c, ddp->qn)) {
    return IWARP_TERM_UNTAGGED_QN;
  }
  return !ddp->tagged && ddp->qn != seg->op->qn ? IWARP_TERM_OPERATION_OPCODE : EP_OK;
}

/* ---- untagged ---- */

/*
 * Returns true if the segment is the Ready to Receive Send, which takes no buffer of the ULP's. The
 * zero-length Write and Read need no special case. RFC 6581 9.2
 */
bool iwarpi_ep_is_rtr(const iwarp_endpoint_info *info, const ep_segment *seg) {
  return seg->fpdu->first && seg->opcode == IWARP_RDMAP_OP_SEND && seg->len == 0 &&
         seg->ddp->last && (info->rtr & IWARP_RTR_SEND) != 0;
}

/* iwarpi_ep_takes_buffer returns true if the message of an Untagged segment takes a receive buffer.
 */
bool iwarpi_ep_takes_buffer(const iwarp_endpoint_info *info, const ep_segment *seg) {
  return seg->ddp->qn == IWARP_RDMAP_QN_SEND && !iwarpi_ep_is_rtr(info, seg);
}

/* Buffers available on the segment's queue. */
static uint32_t check_buffers(const ep_check_view *c, const ep_segment *seg) {
  switch (seg->ddp->qn) {
  case IWARP_RDMAP_QN_SEND:
    return iwarpi_ep_rq_num(c->rq) + (iwarpi_ep_is_rtr(c->info, seg) ? 1u : 0u);
  case IWARP_RDMAP_QN_READ_REQ: return c->info->ird - c->irq->ring.num;
  case IWARP_RDMAP_QN_ATOMIC_RESP: return c->sq->atomics;
  default: return 1; /* one Terminate */
  }
}

/* Octets that the buffer for the segment's message holds. */
static uint32_t check_room(const ep_check_view *c, const ep_segment *seg) {
  switch (seg->ddp->qn) {
  case IWARP_RDMAP_QN_SEND:
    return iwarpi_ep_is_rtr(c->info, seg) ? 0 : iwarpi_ep_rq_at(c->rq, 0)->v.len;
  case IWARP_RDMAP_QN_READ_REQ:
    return c->cfg->base_only ? IWARP_RDMAP_READ_REQ_LEN : IWARP_RDMAP_ATOMIC_REQ_LEN;
  case IWARP_RDMAP_QN_ATOMIC_RESP: return IWARP_RDMAP_ATOMIC_RESP_LEN;
  default: return IWARP_RDMAP_TERM_MAX;
  }
}

static iwarp_term check_msn(const ep_check_view *c, const ep_segment *seg) {
  const uint32_t ahead = seg->ddp->msn - c->rx->msn[seg->ddp->qn];
  const uint32_t buffers = check_buffers(c, seg);
  if (ahead == 0 && buffers > 0) {
    return EP_OK;
  }
  return ahead >= buffers && ahead < CHECK_MSN_PAST ? IWARP_TERM_UNTAGGED_NO_BUFFER
                                                    : IWARP_TERM_UNTAGGED_MSN;
}

static iwarp_term check_untagged(const ep_check_view *c, const ep_segment *seg) {
  const iwarp_term term = check_msn(c, seg);
  const bool goes_on = c->rx->msg.active && c->rx->msg.opcode == seg->opcode;
  if (term != EP_OK) {
    return term;
  }
  return seg->ddp->mo != (goes_on ? c->rx->msg.mo : 0) ? IWARP_TERM_UNTAGGED_MO : EP_OK;
}

/* iwarpi_ep_check_room judges the end of an Untagged segment, whose receive buffer was taken. */
iwarp_term iwarpi_ep_check_room(const ep_check_view *c, const ep_segment *seg) {
  const uint64_t end = (uint64_t)seg->ddp->mo + seg->len;
  if (seg->op->cls == IWARP_RDMAP_CLASS_IMMEDIATE) { /* exactly 8 octets, RFC 7306 6.3 */
    return end > IWARP_RDMAP_IMMEDIATE_LEN ? IWARP_TERM_OPERATION_UNSPECIFIED : EP_OK;
  }
  return end > check_room(c, seg) ? IWARP_TERM_UNTAGGED_TOO_LONG : EP_OK;
}

/* ---- tagged ---- */

/* Returns true if a Response to a Request of class `cls` may come. A Response answers the Request
 * that is outstanding longest, after the peer has all octets of that Request. RFC 5040 5.2.2 */
static bool check_awaits(const ep_check_view *c, const ep_op *op, iwarp_rdmap_class cls) {
  return op != NULL && iwarp_rdmap_op_get(op->opcode)->cls == cls &&
         iwarpi_ep_sq_can_be_answered(c->sq, op);
}

static iwarp_term check_response(const ep_check_view *c, const ep_segment *seg) {
  const ep_op *op = iwarpi_ep_sq_awaited(c->sq);
  if (!check_awaits(c, op, IWARP_RDMAP_CLASS_READ_REQ)) {
    return IWARP_TERM_OPERATION_OPCODE;
  }
  const uint32_t left = op->u.read.size - op->got;
  if (seg->len > 0 &&
      (seg->ddp->stag != op->u.read.sink_stag || seg->ddp->to != op->u.read.sink_to + op->got)) {
    return IWARP_TERM_OPERATION_UNSPECIFIED;
  }
  return seg->len > left || (seg->ddp->last && seg->len < left) ? IWARP_TERM_OPERATION_UNSPECIFIED
                                                                : EP_OK;
}

/* iwarpi_ep_check_sink judges the octets that a Tagged segment writes to. */
iwarp_term iwarpi_ep_check_sink(const ep_check_view *c, const ep_segment *seg) {
  const bool write = seg->op->cls == IWARP_RDMAP_CLASS_WRITE;
  const ep_access access = {.stag = seg->ddp->stag,
                            .to = seg->ddp->to,
                            .len = seg->len,
                            .rights = write ? IWARP_ACCESS_REMOTE_WRITE : 0};
  return iwarpi_ep_check_access(c->memory, &iwarpi_ep_sink_terms, access);
}

/* Returns true if octets were read straight into place and the STag names another place now. */
static bool check_moved(const ep_check_view *c, const ep_segment *seg) {
  const ep_committed *l = &seg->fpdu->committed;
  const ep_sink_view sinks = {.memory = c->memory, .rq = c->rq, .msn = c->rx->msn};
  return l->to > 0 && iwarpi_ep_payload_place(&sinks, seg) != l->dst;
}

static iwarp_term check_tagged(const ep_check_view *c, const ep_segment *seg) {
  const bool write = seg->op->cls == IWARP_RDMAP_CLASS_WRITE;
  iwarp_term term = EP_OK;
  if (seg->len > 0) { /* else STag and TO mean nothing, RFC 5041 5.2 */
    term = iwarpi_ep_check_sink(c, seg);
  }
  if (term == EP_OK && check_moved(c, seg)) {
    term = IWARP_TERM_TAGGED_STAG;
  }
  return write || term != EP_OK ? term : check_response(c, seg);
}

/* ---- whole messages ---- */

static iwarp_term check_read_request(const ep_check_view *c, iwarp_span inner) {
  iwarp_rdmap_read_req req;
  (void)iwarp_rdmap_read_req_decode(&req, inner);
  const ep_access access = {.stag = req.source_stag,
                            .to = req.source_to,
                            .len = req.size,
                            .rights = IWARP_ACCESS_REMOTE_READ};
  return req.size == 0 ? EP_OK : iwarpi_ep_check_access(c->memory, &iwarpi_ep_source_terms, access);
}

static iwarp_term check_atomic_request(const ep_check_view *c, iwarp_span inner) {
  iwarp_rdmap_atomic_req req;
  (void)iwarp_rdmap_atomic_req_decode(&req, inner);
  if (req.aopcode != IWARP_RDMAP_AOP_FETCH_ADD && req.aopcode != IWARP_RDMAP_AOP_CMP_SWAP) {
    return IWARP_TERM_OPERATION_OPCODE;
  }
  return iwarpi_ep_check_atomic(c->memory, req.stag, req.to);
}

static iwarp_term check_atomic_response(const ep_check_view *c, iwarp_span inner) {
  const ep_op *op = iwarpi_ep_sq_awaited(c->sq); /* some Atomic Request is outstanding: check_msn */
  iwarp_rdmap_atomic_resp resp;
  if (!check_awaits(c, op, IWARP_RDMAP_CLASS_ATOMIC_REQ)) {
    return IWARP_TERM_OPERATION_OPCODE;
  }
  (void)iwarp_rdmap_atomic_resp_decode(&resp, inner);
  return resp.request_id == op->u.atomic.request_id ? EP_OK : IWARP_TERM_OPERATION_UNSPECIFIED;
}

/* A message that is all RDMAP header. */
static iwarp_term check_inner(const ep_check_view *c, const ep_segment *seg) {
  const iwarp_span inner = {c->rx->inner, c->rx->inner_len};
  if (seg->op->cls == IWARP_RDMAP_CLASS_TERMINATE) {
    return inner.len < seg->op->hdr_len ? IWARP_TERM_OPERATION_UNSPECIFIED : EP_OK;
  }
  if (inner.len != seg->op->hdr_len) {
    return IWARP_TERM_OPERATION_UNSPECIFIED;
  }
  if (seg->ddp->qn == IWARP_RDMAP_QN_READ_REQ && c->info->state == IWARP_ENDPOINT_LOCAL_CLOSED) {
    return IWARP_TERM_OPERATION_STREAM; /* the Request could not be answered */
  }
  switch (seg->op->cls) {
  case IWARP_RDMAP_CLASS_READ_REQ: return check_read_request(c, inner);
  case IWARP_RDMAP_CLASS_ATOMIC_REQ: return check_atomic_request(c, inner);
  case IWARP_RDMAP_CLASS_ATOMIC_RESP: return check_atomic_response(c, inner);
  case IWARP_RDMAP_CLASS_IMMEDIATE:
  case IWARP_RDMAP_CLASS_TERMINATE: /* above */
  case IWARP_RDMAP_CLASS_WRITE:     /* the other four have no RDMAP header */
  case IWARP_RDMAP_CLASS_READ_RESP:
  case IWARP_RDMAP_CLASS_SEND:
  case IWARP_RDMAP_CLASS_NONE:
  default: break;
  }
  return EP_OK;
}

/*
 * iwarpi_ep_check_message judges an Untagged message with its last segment, after the RDMAP header
 * was kept.
 */
iwarp_term iwarpi_ep_check_message(const ep_check_view *c, const ep_segment *seg) {
  if (seg->op->hdr_len > 0) {
    return check_inner(c, seg);
  }
  return seg->op->invalidates ? iwarpi_ep_check_invalidate(c->memory, seg->ddp->rsvdulp_word)
                              : EP_OK;
}

/* iwarpi_ep_check judges a segment whose DDP header is there, up to where it belongs. */
iwarp_term iwarpi_ep_check(const ep_check_view *c, const ep_segment *seg) {
  const iwarp_term term = iwarpi_ep_check_header(c, seg);
  if (term != EP_OK) {
    return term;
  }
  if (!check_continues(c, seg)) {
    return IWARP_TERM_OPERATION_OPCODE;
  }
  return seg->ddp->tagged ? check_tagged(c, seg) : check_untagged(c, seg);
}
