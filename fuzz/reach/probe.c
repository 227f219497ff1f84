/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Notes what an input reaches. The linker puts these functions before the library's (--wrap), so
 * that the library needs no code for it.
 */
#include "endpoint/owner.h"

#include <iwarp/observer.h>
#include <iwarp/rx.h>
#include <iwarp/sctp_observer.h>
#include <iwarp/shared.h>

#include "points.h"
#include "probe.h"

/* ---- state tables ---- */

PROBE(ep_cell, iwarpi_ep_cell, iwarp_endpoint_state state, ep_input input) {
  reach.endpoint[state][input] = true;
  return __real_iwarpi_ep_cell(state, input);
}

/* An operation that is posted consults the table and makes no input. */
PROBE(ep_action, iwarpi_ep_action, iwarp_endpoint_state state, ep_input input) {
  reach.endpoint[state][input] = reach.endpoint[state][input] || input == EP_POST;
  return __real_iwarpi_ep_action(state, input);
}

static void note_push(const iwarp_endpoint *ep) {
  reach.octets[ep->info.state] = reach.octets[ep->info.state] || !ep->pushed.busy;
}

PROBE(iwarp_err, iwarp_endpoint_push, iwarp_endpoint *ep, iwarp_span in) {
  note_push(ep);
  return __real_iwarp_endpoint_push(ep, in);
}

PROBE(iwarp_err, iwarp_endpoint_push_at, iwarp_endpoint *ep, uint64_t offset, iwarp_span in) {
  note_push(ep);
  return __real_iwarp_endpoint_push_at(ep, offset, in);
}

/* These two look for themselves whether the endpoint was started: before they take memory. */
PROBE(iwarp_err, iwarp_endpoint_connect, iwarp_endpoint *ep, iwarp_span private_data) {
  if (ep->cfg.role == IWARP_ROLE_INITIATOR) {
    reach.endpoint[ep->info.state][EP_CONNECT] = true;
  }
  return __real_iwarp_endpoint_connect(ep, private_data);
}

PROBE(iwarp_err, iwarp_endpoint_listen, iwarp_endpoint *ep) {
  if (ep->cfg.role == IWARP_ROLE_RESPONDER) {
    reach.endpoint[ep->info.state][EP_LISTEN] = true;
  }
  return __real_iwarp_endpoint_listen(ep);
}

/* Records only messages of a peer: an endpoint asks more often for its own than it sends them. */
PROBE(iwarp_sctp_cell, iwarp_sctp_step, iwarp_sctp_state state, bool own, iwarp_sctp_kind kind) {
  reach.session[state][kind] = reach.session[state][kind] || !own;
  return __real_iwarp_sctp_step(state, own, kind);
}

/* ---- faults ---- */

static void note_fault(const ep_fault *fault) {
  const iwarp_rdmap_term t = iwarpi_ep_fault_term(fault);
  const iwarp_rdmap_term_row *row;
  for (size_t i = 0; (row = iwarp_rdmap_term_at(i)) != NULL; i++) {
    if (row->layer == t.layer && row->etype == t.etype && (row->any_code || row->code == t.code)) {
      reach.term[i] = true;
      return;
    }
  }
}

PROBE(iwarp_err, iwarpi_ep_dispatch, iwarp_endpoint *ep, ep_input input) {
  const ep_tree *early = &ep->out_of_order.tree;
  if (input == EP_FAULT) {
    note_fault(&ep->fault);
    if (early->num > 0 && iwarpi_ep_tree_first(early)->offset < ep->reassembly.next) {
      reach.path[REACH_EARLY_WRONG] = true;
    }
  }
  if (input == EP_LOST || input == EP_FIN || input == EP_CUT || input == EP_ABORT) {
    reach.path[REACH_UNFINISHED_READ] = reach.path[REACH_UNFINISHED_READ] || ep->sq.outstanding > 0;
  }
  return __real_iwarpi_ep_dispatch(ep, input);
}

/* The endpoint that has a part at that offset. */
static const iwarp_endpoint *endpoint_with(const void *part, size_t offset) {
  return (const iwarp_endpoint *)(const void *)((const char *)part - offset);
}

PROBE(iwarp_term, iwarpi_ep_check, const ep_check_view *c, const ep_segment *seg) {
  const iwarp_endpoint *ep = endpoint_with(c->rx, offsetof(struct iwarp_endpoint, rx));
  const iwarp_term term = __real_iwarpi_ep_check(c, seg);
  if (term == IWARP_TERM_UNTAGGED_NO_BUFFER && seg->ddp->qn == IWARP_RDMAP_QN_READ_REQ) {
    reach.path[REACH_BEYOND_IRD] = true;
  }
  if (seg->fpdu->octets.ptr == ep->reassembly.hdr && seg->fpdu->mpa.wire.len > 0) {
    reach.path[REACH_CUT_HEADER] = true;
  }
  return term;
}

PROBE(ep_input, iwarpi_ep_fault_of_read, ep_fault *f, iwarp_term term, const ep_inbound *in,
      uint32_t sent) {
  reach.path[REACH_READ_FAULT] = true;
  reach.path[REACH_ATOMIC_GOES] = reach.path[REACH_ATOMIC_GOES] || in->atomic;
  return __real_iwarpi_ep_fault_of_read(f, term, in, sent);
}

/* ---- before their turn ---- */

PROBE(void, iwarpi_ep_place, ep_placing *p, const ep_sink_view *s, const ep_segment *seg) {
  if (endpoint_with(p, offsetof(struct iwarp_endpoint, placing))->out_of_order.input) {
    reach.early[seg->opcode] = true;
  }
  __real_iwarpi_ep_place(p, s, seg);
}

PROBE(bool, iwarpi_ep_out_of_order_due, const ep_order_view *o, ep_fpdu *out) {
  const bool due = __real_iwarpi_ep_out_of_order_due(o, out);
  reach.path[REACH_EARLY_DUE] = reach.path[REACH_EARLY_DUE] || due;
  return due;
}

/* ---- Requests and Responses ---- */

/* The endpoint whose parts these are. */
static const iwarp_endpoint *endpoint_of(const ep_recv_view *s) {
  return endpoint_with(s->irq, offsetof(struct iwarp_endpoint, irq));
}

PROBE(ep_input, iwarpi_ep_request, const ep_recv_view *s, const ep_segment *seg, iwarp_span inner) {
  const ep_input input = __real_iwarpi_ep_request(s, seg, inner);
  reach.path[REACH_FULL_IRD] =
      reach.path[REACH_FULL_IRD] || s->irq->ring.num == endpoint_of(s)->info.ird;
  return input;
}

static bool sink_is_gone(const iwarp_endpoint *ep);

/* Asked for when regions have changed. */
PROBE(ep_input, iwarpi_ep_abort_responses, const ep_recv_view *s) {
  const ep_input input = __real_iwarpi_ep_abort_responses(s);
  reach.path[REACH_SINK_GOES] = reach.path[REACH_SINK_GOES] || sink_is_gone(endpoint_of(s));
  reach.path[REACH_CUT_RESPONSE] = reach.path[REACH_CUT_RESPONSE] || input == EP_FAULT;
  return input;
}

static bool waits(const ep_sq *sq) {
  return sq->issued < sq->ring.num;
}

PROBE(void, iwarpi_ep_sq_push, ep_sq *sq, const ep_op *op) {
  __real_iwarpi_ep_sq_push(sq, op);
  reach.path[REACH_NO_CREDIT] = reach.path[REACH_NO_CREDIT] || waits(sq);
}

PROBE(void, iwarpi_ep_sq_push_rtr, ep_sq *sq, uint8_t rtr) {
  if (rtr != 0) {
    reach.path[(rtr & IWARP_RTR_WRITE) != 0  ? REACH_RTR_WRITE
               : (rtr & IWARP_RTR_SEND) != 0 ? REACH_RTR_SEND
                                             : REACH_RTR_READ] = true;
  }
  __real_iwarpi_ep_sq_push_rtr(sq, rtr);
}

PROBE(void, iwarpi_ep_sq_refuse, ep_sq *sq, const iwarp_ddp_hdr *returned) {
  __real_iwarpi_ep_sq_refuse(sq, returned);
  for (uint32_t i = 0; iwarpi_ep_sq_issued(sq, i) != NULL; i++) {
    if (iwarpi_ep_sq_issued(sq, i)->err == IWARP_ERR_REFUSED) {
      reach.path[REACH_REFUSED_READ] = true;
    }
  }
}

PROBE(bool, iwarpi_ep_hold, const ep_framing_view *f, iwarp_span in) {
  const bool held = __real_iwarpi_ep_hold(f, in);
  reach.path[REACH_HELD_OCTETS] = reach.path[REACH_HELD_OCTETS] || (held && in.len > 0);
  return held;
}

/* ---- regions ---- */

static bool by_peer; /* a segment of the peer is being received */

PROBE(ep_input, iwarpi_ep_receive, const ep_recv_view *r, const ep_fpdu *fpdu) {
  by_peer = true;
  const ep_input input = __real_iwarpi_ep_receive(r, fpdu);
  by_peer = false;
  return input;
}

/* A region goes while a Response reads it. */
static void note_read(const iwarp_regions *r, uint32_t stag, reach_path path) {
  for (uint32_t i = 0; i < r->num; i++) {
    if (r->rows[i].v.stag == stag && r->rows[i].uses > 0) {
      reach.path[path] = true;
    }
  }
}

PROBE(iwarp_err, iwarp_regions_revoke, iwarp_regions *r, uint32_t stag) {
  note_read(r, stag, REACH_READ_REVOKED);
  return __real_iwarp_regions_revoke(r, stag);
}

PROBE(iwarp_err, iwarp_regions_invalidate, iwarp_regions *r, uint32_t stag) {
  note_read(r, stag, by_peer ? REACH_PEER_INVALIDATED : REACH_READ_INVALIDATED);
  return __real_iwarp_regions_invalidate(r, stag);
}

PROBE(iwarp_err, iwarp_regions_deregister, iwarp_regions *r, uint32_t stag) {
  note_read(r, stag, REACH_READ_DEREGISTERED);
  return __real_iwarp_regions_deregister(r, stag);
}

/* Returns true if the sink of a Read whose Response is awaited was invalidated. */
static bool sink_is_gone(const iwarp_endpoint *ep) {
  for (uint32_t i = 0; iwarpi_ep_sq_issued(&ep->sq, i) != NULL; i++) {
    const ep_op *op = iwarpi_ep_sq_issued(&ep->sq, i);
    if (!op->answered && op->opcode == IWARP_RDMAP_OP_READ_REQ && op->u.read.size > 0) {
      const ep_region *region = iwarpi_ep_region(&ep->memory, op->u.read.sink_stag);
      return region != NULL && !region->valid;
    }
  }
  return false;
}

/* ---- events of the observers ---- */

static void note_event(const iwarp_event *ev) {
  reach.event[ev->kind] = true;
  if (ev->kind == IWARP_EVENT_GAP) {
    reach.gap[ev->u.gap] = true;
  } else if (ev->kind == IWARP_EVENT_UNDECODABLE) {
    reach.reason[ev->u.undecodable] = true;
  } else if (ev->kind == IWARP_EVENT_FPDU) {
    const iwarp_event_fpdu *f = &ev->u.fpdu;
    reach.sync[f->sync] = true;
    if (!f->complete) {
      reach.holed[(f->pad_present ? 1u : 0u) | (f->crc_present ? 2u : 0u)] = true;
    }
  }
}

PROBE(iwarp_err, iwarp_rx_next_event, iwarp_rx *rx, iwarp_event *ev) {
  const iwarp_err err = __real_iwarp_rx_next_event(rx, ev);
  if (err == IWARP_OK) {
    note_event(ev);
  }
  return err;
}

PROBE(iwarp_err, iwarp_observer_next_event, iwarp_observer *o, iwarp_event *ev) {
  const iwarp_err err = __real_iwarp_observer_next_event(o, ev);
  if (err == IWARP_OK) {
    note_event(ev);
  }
  return err;
}

PROBE(iwarp_err, iwarp_sctp_observer_next_event, iwarp_sctp_observer *o, iwarp_event *ev) {
  const iwarp_err err = __real_iwarp_sctp_observer_next_event(o, ev);
  if (err == IWARP_OK) {
    note_event(ev);
  }
  return err;
}
