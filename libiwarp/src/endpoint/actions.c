/* SPDX-License-Identifier: BSD-2-Clause */
/* The actions of an endpoint when its state changes. */
#include "../tx/for_endpoint.h"
#include "lists.h"
#include "owner.h"

void iwarpi_ep_queue_event(iwarp_endpoint *ep, iwarp_endpoint_event_kind kind) {
  ep->end.pending_events[ep->end.num_pending_events++] = (uint8_t)kind;
}

/* iwarpi_ep_frame_left says whether octets of the startup frame are still to be sent. */
bool iwarpi_ep_frame_left(const iwarp_endpoint *ep) {
  return ep->startup.out_taken < ep->startup.out_len && !ep->end.send_failed &&
         (ep->info.state != IWARP_ENDPOINT_CLOSED || ep->end.reply_due);
}

/* The cause of the end of a connection by its input. All other inputs end it in order (ORDERLY). */
static const iwarp_endpoint_cause state_causes[EP_NUM_INPUTS] = {
    [EP_CLOSE] = IWARP_ENDPOINT_CAUSE_ABORT,
    [EP_ABORT] = IWARP_ENDPOINT_CAUSE_ABORT,
    [EP_BAD_FRAME] = IWARP_ENDPOINT_CAUSE_FRAME,
    [EP_SURPLUS] = IWARP_ENDPOINT_CAUSE_FRAME,
    [EP_OVERFLOW] = IWARP_ENDPOINT_CAUSE_EARLY,
    [EP_FAULT] = IWARP_ENDPOINT_CAUSE_FAULT,
    [EP_FIN] = IWARP_ENDPOINT_CAUSE_FIN,
    [EP_CUT] = IWARP_ENDPOINT_CAUSE_FIN,
    [EP_SEND_FAILED] = IWARP_ENDPOINT_CAUSE_LOST,
    [EP_LOST] = IWARP_ENDPOINT_CAUSE_LOST,
    [EP_TIMEOUT] = IWARP_ENDPOINT_CAUSE_TIMEOUT,
    [EP_GOT_TERMINATE] = IWARP_ENDPOINT_CAUSE_TERMINATE,
    [EP_GOT_REJECT] = IWARP_ENDPOINT_CAUSE_REFUSED,
    [EP_REJECT] = IWARP_ENDPOINT_CAUSE_REJECT,
};

#define STATE_CAUSE_ERR(name, err) [IWARP_ENDPOINT_CAUSE_##name] = (err),
static const iwarp_err state_errs[] = {EP_CAUSE_MAP(STATE_CAUSE_ERR)};

/* Records the latest input as the cause of the end; the first cause stays. */
static void state_record_cause(iwarp_endpoint *ep) {
  iwarp_endpoint_closed *closed = &ep->end.closed;
  if (closed->cause == IWARP_ENDPOINT_CAUSE_ORDERLY) {
    closed->cause = state_causes[ep->end.input];
  }
  if (closed->err == IWARP_OK) {
    closed->err = state_errs[closed->cause];
  }
}

/* Ends receiving: posted buffers and Requests complete in error. */
static void state_close_rx(iwarp_endpoint *ep, iwarp_endpoint_cause cause) {
  ep->end.rx_closed = true;
  ep->rx.delivering = false;
  if (ep->placing.on && ep->placing.ends_read) {
    iwarpi_ep_sq_fail_last_read(&ep->sq, (uint8_t)cause); /* the last octets are not placed */
  }
  ep->placing.on = false;
  ep->out_of_order.placed.len = 0;
}

/* Nothing of the ULP goes either way any more. RFC 5040 7.1 */
static void state_stop(iwarp_endpoint *ep) {
  const iwarp_endpoint_cause cause = ep->end.closed.cause;
  state_close_rx(ep, cause);
  iwarpi_ep_sq_fail_all(&ep->sq, (uint8_t)cause);
  iwarpi_ep_drop_requests(&ep->irq);
}

static void state_abort_tx(iwarp_endpoint *ep) {
  if (ep->sq.tx != NULL) {
    iwarp_tx_abort(ep->sq.tx);
  }
}

/* Reports CLOSED after all other events. */
static void state_close(iwarp_endpoint *ep) {
  state_stop(ep);
  state_abort_tx(ep);
  ep->end.close_pending = true;
  iwarpi_ep_stop_timer(&ep->clock);
}

/* Makes the transmit engine of Full Operation, as the startup frames have settled it. RFC
 * 5044 7.1.2 */
static void state_full(iwarp_endpoint *ep) {
  const iwarp_tx_cfg tx = {.size = sizeof(tx),
                           .markers = ep->info.markers_out,
                           .crc = ep->info.crc,
                           .pack = ep->cfg.pack,
                           .emss = ep->cfg.emss,
                           .num_messages = ep->sq.tx_messages,
                           .num_fpdus = ep->cfg.num_fpdus,
                           .pool = ep->cfg.pool};
  ep->sq.ord = ep->info.ord;
  iwarpi_ep_restart_idle(&ep->clock, ep->cfg.idle_ns);
  (void)iwarp_tx_init(&ep->sq.tx, ep->sq.tx_mem, iwarp_tx_size(&tx), &tx);
}

/* iwarpi_ep_take_terms copies the terms that the startup frames have settled so far to the
 * endpoint's information. */
void iwarpi_ep_take_terms(iwarp_endpoint *ep) {
  const ep_terms *t = &ep->startup.terms;
  const iwarp_mpa_enhanced *peer = &ep->startup.peer_enh;
  ep->info = (iwarp_endpoint_info){.state = ep->info.state,
                                   .rev = t->rev,
                                   .enhanced = t->enhanced,
                                   .peer_to_peer = t->peer_to_peer,
                                   .markers_out = t->markers_out,
                                   .markers_in = t->markers_in,
                                   .crc = t->crc,
                                   .rtr = t->rtr,
                                   .ird = t->ird,
                                   .ord = t->ord,
                                   .peer_ird = peer->ird,
                                   .peer_ord = peer->ord};
}

static void state_make_frame(iwarp_endpoint *ep, ep_frame frame) {
  const ep_startup_view n = ep_startup_view_of(ep);
  iwarpi_ep_make_frame(&n, frame);
  iwarpi_ep_take_terms(ep);
}

/* The octets that were held are known to be FPDUs, or the ULP's. */
static void state_release(iwarp_endpoint *ep) {
  const ep_framing_view f = ep_framing_view_of(ep);
  iwarpi_ep_release(&f);
}

/* ---- the actions ---- */

static void do_nothing(iwarp_endpoint *ep) {
  (void)ep;
}

static void do_request(iwarp_endpoint *ep) {
  state_make_frame(ep, EP_FRAME_REQUEST);
  iwarpi_ep_start_timer(&ep->clock, ep->cfg.startup_ns);
}

static void do_timer(iwarp_endpoint *ep) {
  iwarpi_ep_start_timer(&ep->clock, ep->cfg.startup_ns);
}

static void do_report_request(iwarp_endpoint *ep) {
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_REQUEST);
}

static void do_report_reply(iwarp_endpoint *ep) {
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_REPLY);
}

static void do_leave(iwarp_endpoint *ep) {
  state_record_cause(ep);
  state_stop(ep);
  state_release(ep);
  iwarpi_ep_stop_timer(&ep->clock);
}

static void do_report_rejected(iwarp_endpoint *ep) {
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_REJECTED);
  do_leave(ep);
}

static void do_reply(iwarp_endpoint *ep) {
  state_make_frame(ep, EP_FRAME_ACCEPT);
  state_full(ep);
}

static void do_refusal(iwarp_endpoint *ep) {
  state_make_frame(ep, EP_FRAME_REJECT);
  do_leave(ep);
}

static void do_confirm(iwarp_endpoint *ep) {
  state_full(ep);
  state_release(ep);
  iwarpi_ep_stop_timer(&ep->clock);
}

static void do_establish(iwarp_endpoint *ep) {
  iwarpi_ep_stop_timer(&ep->clock);
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_ESTABLISHED);
}

static void do_end(iwarp_endpoint *ep) {
  iwarpi_ep_start_timer(&ep->clock, ep->cfg.close_ns);
}

static void do_shutdown(iwarp_endpoint *ep) {
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_SHUTDOWN);
  iwarpi_ep_start_timer(&ep->clock, ep->cfg.close_ns);
}

static void do_closed(iwarp_endpoint *ep) {
  state_close(ep);
}

static void do_shut_last(iwarp_endpoint *ep) {
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_SHUTDOWN);
  state_close(ep);
}

/* No Response can come any more. If one was expected, that is the cause of the end. RFC 5040 6.2 */
static void do_peer_ended(iwarp_endpoint *ep) {
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_PEER_ENDED);
  state_close_rx(ep, IWARP_ENDPOINT_CAUSE_FIN);
  if (iwarpi_ep_sq_fail_waiting(&ep->sq, IWARP_ENDPOINT_CAUSE_FIN)) {
    state_record_cause(ep);
  }
}

static void do_terminate(iwarp_endpoint *ep) {
  state_record_cause(ep);
  ep->fault.sent = true;
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_FAULT);
  const iwarp_rdmap_term term = iwarpi_ep_fault_term(&ep->fault);
  (void)iwarp_tx_terminate(ep->sq.tx, EP_NONE, &term);
  state_stop(ep);
  iwarpi_ep_start_timer(&ep->clock, ep->cfg.close_ns);
}

static void do_term_late(iwarp_endpoint *ep) {
  state_record_cause(ep);
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_TERMINATED);
  state_stop(ep);
  state_abort_tx(ep);
}

/* The FPDU under way still goes out, but no other one. rfc5040-5.4-13 rfc5040-6.2.1-04 */
static void do_terminated(iwarp_endpoint *ep) {
  state_record_cause(ep);
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_TERMINATED);
  state_stop(ep);
  iwarpi_tx_cut(ep->sq.tx);
  iwarpi_ep_start_timer(&ep->clock, ep->cfg.close_ns);
}

/* The transport connection is gone. */
static void do_broken(iwarp_endpoint *ep) {
  state_record_cause(ep);
  state_close(ep);
}

/* The ULP has to end the transport connection. */
static void state_disconnect(iwarp_endpoint *ep) {
  ep->end.closed.disconnect = true;
  do_broken(ep);
}

/* A Reply that rejects may still be sent for close_ns, unless the ULP aborts. */
static void do_drop(iwarp_endpoint *ep) {
  ep->end.reply_due =
      ep->end.closed.cause == IWARP_ENDPOINT_CAUSE_REJECT && ep->end.input != EP_ABORT;
  state_disconnect(ep);
  if (iwarpi_ep_frame_left(ep)) {
    iwarpi_ep_start_timer(&ep->clock, ep->cfg.close_ns);
  }
}

/* Octets that the peer sent before are still read. If they hold a Terminate, it is the cause of the
 * end, not the failed send. */
static void do_stop_sending(iwarp_endpoint *ep) {
  iwarpi_ep_start_timer(&ep->clock, ep->cfg.close_ns);
}

static void do_term_last(iwarp_endpoint *ep) {
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_TERMINATED);
  state_disconnect(ep);
}

/* The peer's stream ends after a failed send: the failed send is the cause of the end. */
static void do_send_lost(iwarp_endpoint *ep) {
  ep->end.input = EP_SEND_FAILED;
  state_disconnect(ep);
}

static void do_no_terminate(iwarp_endpoint *ep) {
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_FAULT);
  state_disconnect(ep);
}

typedef void state_do(iwarp_endpoint *ep);

static state_do *const state_actions[EP_NUM_ACTIONS] = {
    [EP_DO_TAKE] = do_nothing,
    [EP_DO_NEVER] = do_nothing,
    [EP_DO_REQUEST] = do_request,
    [EP_DO_TIMER] = do_timer,
    [EP_DO_REPORT_REQUEST] = do_report_request,
    [EP_DO_REPORT_REPLY] = do_report_reply,
    [EP_DO_REPORT_REJECTED] = do_report_rejected,
    [EP_DO_REPLY] = do_reply,
    [EP_DO_REFUSAL] = do_refusal,
    [EP_DO_CONFIRM] = do_confirm,
    [EP_DO_LEAVE] = do_leave,
    [EP_DO_ESTABLISH] = do_establish,
    [EP_DO_END] = do_end,
    [EP_DO_SHUTDOWN] = do_shutdown,
    [EP_DO_SHUT_LAST] = do_shut_last,
    [EP_DO_PEER_ENDED] = do_peer_ended,
    [EP_DO_TERMINATE] = do_terminate,
    [EP_DO_NO_TERMINATE] = do_no_terminate,
    [EP_DO_TERMINATED] = do_terminated,
    [EP_DO_TERM_LATE] = do_term_late,
    [EP_DO_STOP_SENDING] = do_stop_sending,
    [EP_DO_TERM_LAST] = do_term_last,
    [EP_DO_SEND_LOST] = do_send_lost,
    [EP_DO_CLOSED] = do_closed,
    [EP_DO_BROKEN] = do_broken,
    [EP_DO_DROP] = do_drop,
};

/* Does what the table says of an input. */
static iwarp_err state_step(iwarp_endpoint *ep, ep_input input) {
  const ep_cell cell = iwarpi_ep_cell(ep->info.state, input);
  if (cell.action == EP_DO_REFUSE) {
    return IWARP_ERR_STATE;
  }
  ep->info.state = cell.next;
  ep->end.input = input;
  state_actions[cell.action](ep);
  return IWARP_OK;
}

/* iwarpi_ep_dispatch does what the table says of an input; NO_INPUT changes nothing. A send that
 * failed in the startup has failed for Full Operation too. */
iwarp_err iwarpi_ep_dispatch(iwarp_endpoint *ep, ep_input input) {
  const iwarp_err err = input != EP_NO_INPUT ? state_step(ep, input) : IWARP_OK;
  if (ep->end.send_failed && ep->info.state == IWARP_ENDPOINT_FULL) {
    (void)state_step(ep, EP_SEND_FAILED);
  }
  return err;
}
