/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of an endpoint, one after the other, and the octets that more of them come of. */
#include "ep_priv.h"

static void event_of_notice(const iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  switch ((int)ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST:
  case IWARP_ENDPOINT_EVENT_REPLY:
  case IWARP_ENDPOINT_EVENT_REJECTED: iwarpi_ep_startup_event(ep, &ev->u.startup); return;
  case IWARP_ENDPOINT_EVENT_FAULT:
    ev->u.fault = (iwarp_endpoint_fault){.layer = ep->fault.layer,
                                         .etype = ep->fault.etype,
                                         .code = ep->fault.code,
                                         .sent = ep->fault_sent};
    return;
  case IWARP_ENDPOINT_EVENT_TERMINATED:
    ev->u.terminated = (iwarp_endpoint_terminated){.readable = ep->term_readable};
    if (ep->term_readable) {
      (void)iwarp_rdmap_term_decode(&ev->u.terminated.term, (iwarp_span){ep->inner, ep->inner_len});
      ev->u.terminated.has_likely =
          iwarp_rdmap_term_likely(&ev->u.terminated.likely, &ev->u.terminated.term);
    }
    return;
  default: return;
  }
}

/* The next thing that happened to the connection. */
static bool event_tell(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  if (ep->told == ep->num_notices) {
    return false;
  }
  ev->kind = (iwarp_endpoint_event_kind)ep->notices[ep->told++];
  event_of_notice(ep, ev);
  return true;
}

static bool event_deliver(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  const bool flushed = ep->rx_closed && ep->rq.num > 0;
  if (!ep->delivering && !flushed) {
    return false;
  }
  ev->kind = IWARP_ENDPOINT_EVENT_RECV;
  ev->u.recv = ep->delivering ? ep->delivery
                              : (iwarp_endpoint_received){.err = IWARP_ERR_STATE,
                                                          .opcode = IWARP_RDMAP_OP_SEND};
  ev->u.recv.token = ep->recvs[ep->rq.head].token;
  ep->num_partial -= ep->recvs[ep->rq.head].ahead > 0 ? 1u : 0u;
  ep->recvs_used += ep->delivering ? 1u : 0u;
  ep->delivering = false;
  ep_ring_pop(&ep->rq);
  return true;
}

/* What the ULP may want to know about a stream that goes on. */
static bool event_warn(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  if (ep->low_armed && !ep->rx_closed && ep->rq.num < ep->cfg.recv_low) {
    ep->low_armed = false;
    ev->kind = IWARP_ENDPOINT_EVENT_RECV_LOW;
    return true;
  }
  const bool idle = ep->idle;
  ep->idle = false;
  ev->kind = IWARP_ENDPOINT_EVENT_IDLE;
  return idle;
}

/* Whether all that had to be sent before the end is sent. */
static bool event_drained(const iwarp_endpoint *ep) {
  if (iwarpi_ep_cell(ep->info.state, EP_DRAINED)->action == EP_DO_NEVER) {
    return false;
  }
  return ep->sq.num == 0 && (ep->fault_sent ? ep->term_taken : ep->irrq.num == 0);
}

static bool event_end(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  if (!ep->close_pending) {
    return false;
  }
  ep->close_pending = false;
  ev->kind = IWARP_ENDPOINT_EVENT_CLOSED;
  ev->u.closed = ep->closed;
  return true;
}

/* The next event that asks for no more input. */
static bool event_at_hand(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  iwarpi_ep_collect_results(ep);
  if (iwarpi_ep_place_event(ep, ev) || iwarpi_ep_out_of_order_event(ep, ev) || event_tell(ep, ev) ||
      iwarpi_ep_ask(ep, ev) || iwarpi_ep_done_event(ep, ev) || event_deliver(ep, ev) ||
      event_warn(ep, ev)) {
    return true;
  }
  if (event_drained(ep)) {
    (void)iwarpi_ep_dispatch(ep, EP_DRAINED);
    return event_tell(ep, ev);
  }
  return event_end(ep, ev);
}

/* Octets that belong to no frame: the frame before them was not what it said. RFC 5044 7.1.2 */
static bool event_surplus(iwarp_endpoint *ep) {
  if (ep->in.len == 0) {
    return false;
  }
  ep->closed.err = IWARP_ERR_MPA_PD_LENGTH;
  ep->closed.cause = IWARP_ENDPOINT_CAUSE_FRAME;
  (void)iwarpi_ep_dispatch(ep, EP_ABORT);
  return true;
}

/* The peer's FPDU came too early for this side. */
static void event_set_early(iwarp_endpoint *ep) {
  ep->closed.err = IWARP_ERR_STATE;
  ep->closed.cause = IWARP_ENDPOINT_CAUSE_EARLY;
}

/* Keeps octets that came with the Reply; false when they are too many. */
static bool event_hold(iwarp_endpoint *ep) {
  if (iwarpi_ep_hold(ep, ep->in)) {
    ep->in = (iwarp_span){0};
    return true;
  }
  event_set_early(ep);
  (void)iwarpi_ep_dispatch(ep, EP_ABORT);
  return false;
}

/*
 * The peer's first FPDU comes after our Reply or our first FPDU (rfc5044-7.1.2-23), and octets
 * before the Reply can be none (rfc5044-7.1.2-14). An Initiator interprets what it receives from
 * the Reply on (rfc5044-7.1.2-22) unless it is to be strict.
 */
static bool event_too_early(const iwarp_endpoint *ep) {
  return ep->in.len > 0 && !ep->tx_started &&
         (ep->cfg.role == IWARP_ROLE_RESPONDER || ep->cfg.strict_first_fpdu);
}

/* An Initiator may send FPDUs, so it says so in a Terminate. RFC 6581 8: no code of its own */
static bool event_early(iwarp_endpoint *ep) {
  if (ep->cfg.role == IWARP_ROLE_RESPONDER) {
    return event_surplus(ep);
  }
  event_set_early(ep);
  iwarpi_ep_fault(ep, EP_TERM_LOCAL);
  return true;
}

/* Takes the FPDU that is next; false when there is none. */
static bool event_feed(iwarp_endpoint *ep) {
  ep_fpdu fpdu;
  if (event_too_early(ep)) {
    return event_early(ep);
  }
  if (ep->ooo_input) {
    return iwarpi_ep_out_of_order_step(ep);
  }
  const iwarp_err err =
      iwarpi_ep_out_of_order_due(ep, &fpdu) ? IWARP_OK : iwarpi_ep_frame(ep, &fpdu);
  if (err == IWARP_ERR_NOBUF) {
    iwarpi_ep_fault(ep, EP_TERM_LOCAL);
  } else if (ep->ahead.num > 0 && iwarpi_ep_tree_first(&ep->ahead)->offset < ep->assembly.next) {
    iwarpi_ep_fault(ep, EP_TERM_MARKER); /* it showed an FPDU where none is. RFC 5044 8 */
  } else if (err == IWARP_OK) {
    iwarpi_ep_fpdu(ep, &fpdu);
  }
  return err != IWARP_ERR_END;
}

static bool event_hand(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  if (ep->in.len == 0) {
    return false;
  }
  ev->kind = IWARP_ENDPOINT_EVENT_STREAMING;
  ev->u.streaming = ep->in;
  ep->handed += ep->in.len;
  ep->in = (iwarp_span){0};
  return true;
}

/* What a step did with the input. */
typedef enum event_did { EVENT_DID_ALL, EVENT_DID_SOME, EVENT_DID_EVENT } event_did;

static event_did event_step(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  const iwarp_endpoint_state before = ep->info.state;
  switch ((int)iwarpi_ep_cell(before, EP_OCTETS)->action) {
  case EP_DO_COLLECT:
    iwarpi_ep_collect(ep);
    return ep->info.state != before ? EVENT_DID_SOME : EVENT_DID_ALL;
  case EP_DO_SURPLUS: return event_surplus(ep) ? EVENT_DID_SOME : EVENT_DID_ALL;
  case EP_DO_HOLD: return event_hold(ep) ? EVENT_DID_ALL : EVENT_DID_SOME;
  case EP_DO_FEED: return event_feed(ep) ? EVENT_DID_SOME : EVENT_DID_ALL;
  case EP_DO_HAND: return event_hand(ep, ev) ? EVENT_DID_EVENT : EVENT_DID_ALL;
  default: return EVENT_DID_ALL;
  }
}

iwarp_err iwarp_endpoint_next_event(iwarp_endpoint *ep, iwarp_endpoint_ev *out) {
  event_did did = EVENT_DID_SOME;
  while (did == EVENT_DID_SOME) {
    if (event_at_hand(ep, out)) {
      return IWARP_OK;
    }
    did = ep->busy ? event_step(ep, out) : EVENT_DID_ALL;
  }
  if (did == EVENT_DID_ALL) {
    ep->busy = false;
    ep->ooo_input = false;
    ep->in = (iwarp_span){0};
  }
  return did == EVENT_DID_EVENT ? IWARP_OK : IWARP_ERR_END;
}
