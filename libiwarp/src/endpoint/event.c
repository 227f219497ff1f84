/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of an endpoint, one after the other, and the octets from which events are made. */
#include "../base/step.h"
#include "owner.h"

/* ---- what happened ---- */

/* event_has_frame returns true if the event shows a startup frame of the peer. */
static bool event_has_frame(iwarp_endpoint_event_kind kind) {
  return kind == IWARP_ENDPOINT_EVENT_REQUEST || kind == IWARP_ENDPOINT_EVENT_REPLY ||
         kind == IWARP_ENDPOINT_EVENT_REJECTED;
}

/* The next thing that happened to the connection. */
static bool event_report(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  if (ep->end.reported == ep->end.num_pending_events) {
    return false;
  }
  ev->kind = (iwarp_endpoint_event_kind)ep->end.pending_events[ep->end.reported++];
  if (event_has_frame(ev->kind)) {
    const ep_startup_view n = ep_startup_view_of(ep);
    iwarpi_ep_startup_event(&n, &ev->u.startup);
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_FAULT) {
    iwarpi_ep_fault_event(&ep->fault, &ev->u.fault);
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_TERMINATED) {
    iwarpi_ep_terminated(&ep->rx, &ev->u.terminated);
  }
  return true;
}

static bool event_atomic(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  ep_input fault;
  const ep_recv_view s = ep_recv_view_of(ep);
  const bool asked = iwarpi_ep_request_atomic(&s, ev, &fault);
  if (fault == EP_NO_INPUT) {
    return asked;
  }
  (void)iwarpi_ep_dispatch(ep, fault);
  return event_report(ep, ev); /* FAULT comes before its consequences */
}

static bool event_done(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  ep_op op;
  if (!iwarpi_ep_sq_done(&ep->sq, &op)) {
    return false;
  }
  ev->kind = IWARP_ENDPOINT_EVENT_DONE;
  ev->u.done = (iwarp_endpoint_done){.token = op.token,
                                     .err = op.err,
                                     .cause = (iwarp_endpoint_cause)op.cause,
                                     .opcode = (iwarp_rdmap_opcode)op.opcode,
                                     .msn = op.msn,
                                     .original = op.original};
  return true;
}

static bool event_deliver(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  const bool completed = ep->rx.delivering;
  const bool flushed = ep->end.rx_closed && ep->rq.own.ring.num > 0;
  if (!completed && !flushed) {
    return false;
  }
  ev->kind = IWARP_ENDPOINT_EVENT_RECV;
  ev->u.recv = completed ? ep->rx.delivery
                         : (iwarp_endpoint_received){.err = IWARP_ERR_FLUSHED,
                                                     .cause = ep->end.closed.cause,
                                                     .opcode = IWARP_RDMAP_OP_SEND};
  const iwarp_endpoint_buffer buffer =
      completed ? iwarpi_ep_rq_complete(&ep->rq) : iwarpi_ep_rq_pop(&ep->rq);
  ev->u.recv.token = buffer.token;
  ev->u.recv.user = buffer.user;
  ep->rx.delivering = false;
  return true;
}

/* Warnings to the ULP about a stream that goes on. */
static bool event_warn(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  if (!ep->end.rx_closed && iwarpi_ep_rq_is_low(&ep->rq)) {
    ev->kind = IWARP_ENDPOINT_EVENT_RECV_LOW;
    return true;
  }
  const bool idle = ep->clock.idle;
  ep->clock.idle = false;
  ev->kind = IWARP_ENDPOINT_EVENT_IDLE;
  return idle;
}

/* Returns true if everything that had to be sent before the end is sent. */
static bool event_drained(const iwarp_endpoint *ep) {
  if (!ep_can_come(ep->info.state, EP_DRAINED) || iwarpi_ep_frame_left(ep)) {
    return false;
  }
  return ep->sq.ring.num == 0 && (ep->fault.sent ? ep->end.term_taken : ep->irq.ring.num == 0);
}

static bool event_end(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  if (!ep->end.close_pending || iwarpi_ep_frame_left(ep)) {
    return false;
  }
  ep->end.close_pending = false;
  iwarpi_ep_stop_timer(&ep->clock); /* the timer of a rejecting Reply */
  ev->kind = IWARP_ENDPOINT_EVENT_CLOSED;
  ev->u.closed = ep->end.closed;
  return true;
}

/* Learns what the transport has taken: operations, Responses, the Terminate. */
static void event_sent(iwarp_endpoint *ep) {
  const ep_recv_view s = ep_recv_view_of(ep);
  iwarp_tx_result result;
  while (ep->sq.tx != NULL && iwarp_tx_next_result(ep->sq.tx, &result) == IWARP_OK) {
    if (result.token == EP_NONE) {
      ep->end.term_taken = true;
    } else if (!iwarpi_ep_response_sent(&s, result.token)) {
      iwarpi_ep_sq_sent(&ep->sq, result.token, result.err);
    }
  }
}

/* The next event that asks for no more input. */
static bool event_ready(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  event_sent(ep);
  if (iwarpi_ep_place_event(&ep->placing, ev) ||
      iwarpi_ep_out_of_order_event(&ep->out_of_order, ev) || event_report(ep, ev) ||
      event_atomic(ep, ev) || event_done(ep, ev) || event_deliver(ep, ev) || event_warn(ep, ev)) {
    return true;
  }
  if (event_drained(ep)) {
    (void)iwarpi_ep_dispatch(ep, EP_DRAINED);
    return event_report(ep, ev);
  }
  return event_end(ep, ev);
}

/* ---- octets that came ---- */

/* The endpoint needs more octets, or memory. */
static step event_idle(iwarp_endpoint *ep) {
  const bool starved = ep->reassembly.starved;
  ep->reassembly.starved = false;
  return starved ? STEP_NO_MEMORY : STEP_IDLE;
}

static step event_collect(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  (void)ev;
  const ep_startup_view n = ep_startup_view_of(ep);
  const ep_input input = iwarpi_ep_collect(&n);
  iwarpi_ep_take_terms(ep);
  (void)iwarpi_ep_dispatch(ep, input);
  return input != EP_NO_INPUT ? STEP_AGAIN : STEP_IDLE;
}

/* Octets after a startup frame that belong to no frame: the length in the frame was wrong. RFC
 * 5044 7.1.2 */
static step event_surplus(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  (void)ev;
  if (ep->pushed.in.len == 0) {
    return STEP_IDLE;
  }
  ep->end.closed.err = IWARP_ERR_MPA_PD_LENGTH;
  (void)iwarpi_ep_dispatch(ep, EP_SURPLUS);
  return STEP_AGAIN;
}

/* Keeps octets that came with the Reply. */
static step event_hold(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  const ep_framing_view f = ep_framing_view_of(ep);
  (void)ev;
  if (iwarpi_ep_hold(&f, ep->pushed.in)) {
    ep->pushed.in = (iwarp_span){0};
  } else if (!ep->reassembly.starved) {
    (void)iwarpi_ep_dispatch(ep, EP_OVERFLOW);
    return STEP_AGAIN;
  }
  return event_idle(ep);
}

/*
 * Returns true if the peer's octets come too early to be an FPDU. The peer's first FPDU comes after
 * the Reply of this side, or after its first FPDU (rfc5044-7.1.2-23, rfc5044-7.1.2-14). An
 * Initiator accepts FPDUs from the Reply on (rfc5044-7.1.2-22), except with strict_first_fpdu.
 */
static bool event_too_early(const iwarp_endpoint *ep) {
  return ep->pushed.in.len > 0 && !ep->startup.fpdus_may_come &&
         (ep->cfg.role == IWARP_ROLE_RESPONDER || ep->cfg.strict_first_fpdu);
}

/* Reports an error in the octets from `offset` on, which belong to no known segment. */
static void event_fault(iwarp_endpoint *ep, iwarp_term term, uint64_t offset) {
  (void)iwarpi_ep_dispatch(ep, iwarpi_ep_fault(&ep->fault, term, offset));
}

/* An Initiator may send FPDUs, so it reports the early FPDU in a Terminate. RFC 6581 8 has no code
 * for it. */
static step event_early(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  if (ep->cfg.role == IWARP_ROLE_RESPONDER) {
    return event_surplus(ep, ev);
  }
  ep->end.closed.cause = IWARP_ENDPOINT_CAUSE_EARLY;
  event_fault(ep, IWARP_TERM_MPA_LOCAL, ep->reassembly.next);
  return STEP_AGAIN;
}

/* Takes an FPDU. */
static void event_fpdu(iwarp_endpoint *ep, ep_fpdu *fpdu) {
  fpdu->first = ep->info.state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU;
  ep_input input = iwarpi_ep_fpdu_fault(&ep->fault, fpdu);
  if (input == EP_NO_INPUT) {
    (void)iwarpi_ep_dispatch(ep, EP_FPDU);
    const ep_recv_view r = ep_recv_view_of(ep);
    input = iwarpi_ep_receive(&r, fpdu);
  }
  (void)iwarpi_ep_dispatch(ep, input);
}

/* The record of an FPDU that was placed early at an offset where no FPDU begins, or NULL. RFC 5044
 * 8 */
static const ep_record *event_passed_record(const iwarp_endpoint *ep) {
  const ep_tree *t = &ep->out_of_order.tree;
  const ep_record *first = t->num > 0 ? iwarpi_ep_tree_first(t) : NULL;
  return first != NULL && first->offset < ep->reassembly.next ? first : NULL;
}

/* Takes the FPDU that is next in order. */
static step event_feed_next(iwarp_endpoint *ep) {
  ep_fpdu fpdu;
  const ep_order_view o = ep_order_view_of(ep);
  const iwarp_err err =
      iwarpi_ep_out_of_order_due(&o, &fpdu) ? IWARP_OK : iwarpi_ep_frame(&o.framing, &fpdu);
  const ep_record *passed = event_passed_record(ep);
  if (err == IWARP_ERR_NOBUF) {
    event_fault(ep, IWARP_TERM_MPA_LOCAL, ep->reassembly.next);
  } else if (passed != NULL) {
    event_fault(ep, IWARP_TERM_MPA_MARKER, passed->offset);
  } else if (err == IWARP_OK) {
    event_fpdu(ep, &fpdu);
  }
  return err == IWARP_ERR_END ? event_idle(ep) : STEP_AGAIN;
}

static step event_feed(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  if (event_too_early(ep)) {
    return event_early(ep, ev);
  }
  if (ep->out_of_order.input) {
    const ep_order_view o = ep_order_view_of(ep);
    return iwarpi_ep_out_of_order_step(&o);
  }
  return event_feed_next(ep);
}

static step event_hand(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  if (ep->pushed.in.len == 0) {
    return STEP_IDLE;
  }
  ev->kind = IWARP_ENDPOINT_EVENT_STREAMING;
  ev->u.streaming = ep->pushed.in;
  ep->streaming_octets += ep->pushed.in.len;
  ep->pushed.in = (iwarp_span){0};
  return STEP_EVENT;
}

typedef step event_octet_handler(iwarp_endpoint *ep, iwarp_endpoint_event *ev);

/* A use without a handler leaves the octets: event_input_over discards them. */
static event_octet_handler *const event_octet_handlers[EP_NUM_OCTET_USES] = {
    [EP_OCTETS_COLLECT] = event_collect, [EP_OCTETS_SURPLUS] = event_surplus,
    [EP_OCTETS_HOLD] = event_hold,       [EP_OCTETS_FPDUS] = event_feed,
    [EP_OCTETS_HAND_OVER] = event_hand,
};

static step event_step(iwarp_endpoint *ep, iwarp_endpoint_event *ev) {
  event_octet_handler *const handler = event_octet_handlers[iwarpi_ep_octet_use(ep->info.state)];
  return handler != NULL ? handler(ep, ev) : STEP_IDLE;
}

/* event_keeps returns true if octets in the reassembly buffer may still be needed. */
static bool event_keeps(const iwarp_endpoint *ep) {
  const ep_octet_use use = iwarpi_ep_octet_use(ep->info.state);
  return (use == EP_OCTETS_HOLD && ep->reassembly.held > 0) ||
         (use == EP_OCTETS_FPDUS && ep->reassembly.have > 0);
}

/* Gives back the memory of the startup frames when both were sent and received, and the transport
 * reads no more of this side's. */
static void event_trim_startup(iwarp_endpoint *ep) {
  if (!ep_in_startup(ep->info.state) && !iwarpi_ep_frame_left(ep) && !ep->startup.lent) {
    iwarpi_ep_startup_release(&ep->startup);
  }
}

/* Discards octets that no handler consumed, unless the caller keeps them. */
static void event_input_over(iwarp_endpoint *ep) {
  if (!ep->out_of_order.input && !ep->reassembly.left) {
    ep->streaming_octets += ep->pushed.in.len;
  }
  ep->pushed.busy = false;
  ep->out_of_order.input = false;
  ep->pushed.in = (iwarp_span){0};
  if (!event_keeps(ep)) {
    iwarpi_ep_trim(&ep->reassembly);
  }
  event_trim_startup(ep);
}

/* iwarpi_ep_check_regions acts on an end of access to regions, whichever endpoint or caller made
 * it.
 */
void iwarpi_ep_check_regions(iwarp_endpoint *ep) {
  const ep_recv_view s = ep_recv_view_of(ep);
  if (iwarpi_ep_memory_changed(&ep->memory)) {
    (void)iwarpi_ep_dispatch(ep, iwarpi_ep_abort_responses(&s));
  }
}

/* The next event that needs no more input. */
static iwarp_err event_next_ready(iwarp_endpoint *ep, iwarp_endpoint_event *out) {
  iwarpi_ep_check_regions(ep);
  return event_ready(ep, out) ? IWARP_OK : IWARP_ERR_END;
}

/* The next event. */
static iwarp_err event_next(iwarp_endpoint *ep, iwarp_endpoint_event *out) {
  step did = STEP_AGAIN;
  iwarpi_ep_check_regions(ep);
  while (did == STEP_AGAIN) {
    if (event_ready(ep, out)) {
      return IWARP_OK;
    }
    did = ep->pushed.busy ? event_step(ep, out) : STEP_IDLE;
  }
  if (did == STEP_IDLE) {
    event_input_over(ep);
  }
  return step_err(did);
}

iwarp_err iwarp_endpoint_next_event(iwarp_endpoint *ep, iwarp_endpoint_event *out) {
  ep->placing.used = 0;
  return event_next(ep, out);
}

iwarp_err iwarp_endpoint_next_events(iwarp_endpoint *ep, iwarp_endpoint_event *out, size_t cap,
                                     size_t *num) {
  bool lent = false; /* an event names octets that more input may take the place of */
  iwarp_err err = cap > 0 ? IWARP_OK : IWARP_ERR_END;
  size_t n = 0;
  ep->placing.used = 0;
  while (n < cap && err == IWARP_OK) {
    const bool may_step = !lent && iwarpi_ep_has_runs(&ep->placing);
    err = may_step ? event_next(ep, &out[n]) : event_next_ready(ep, &out[n]);
    if (err == IWARP_OK) {
      lent = lent || (out[n].kind == IWARP_ENDPOINT_EVENT_PLACE && ep->reassembly.lent);
      n++;
    }
  }
  *num = n;
  return n > 0 ? IWARP_OK : err;
}
