/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of an endpoint: startup, time, octets in and out, memory, the end. */
#include <iwarp/shared.h>

#include "../base/cursor.h"
#include "../base/minmax.h"
#include "../base/span.h"
#include "owner.h"

#define EP_NIBBLE_MAX 15u

const iwarp_endpoint_info *iwarp_endpoint_info_get(const iwarp_endpoint *ep) {
  return &ep->info;
}

void *iwarp_endpoint_user(const iwarp_endpoint *ep) {
  return ep->cfg.user;
}

void iwarp_endpoint_counters_get(const iwarp_endpoint *ep, iwarp_endpoint_counters *out) {
  *out = (iwarp_endpoint_counters){.recvs = ep->rq.own.ring.num,
                                   .recvs_used = ep->rq.completed,
                                   .ops = iwarpi_ep_sq_num(&ep->sq),
                                   .outstanding = ep->sq.outstanding,
                                   .inbound = ep->irq.ring.num,
                                   .out_of_order = ep->out_of_order.tree.num,
                                   .partial = ep->rq.num_partial};
}

/* IDLE is reported in Full Operation alone. */
static bool ep_reports_idle(const iwarp_endpoint *ep) {
  return ep->info.state == IWARP_ENDPOINT_FULL;
}

/* The deadline has passed. In CLOSED a rejecting Reply had that deadline: CLOSED is reported
 * without waiting for it any more. */
static void ep_timeout(iwarp_endpoint *ep) {
  if (ep->info.state == IWARP_ENDPOINT_CLOSED) {
    ep->end.reply_due = false;
  } else {
    (void)iwarpi_ep_dispatch(ep, EP_TIMEOUT);
  }
}

void iwarp_endpoint_time(iwarp_endpoint *ep, uint64_t now_ns) {
  iwarpi_ep_clock_set(&ep->clock, now_ns);
  if (ep_reports_idle(ep) && iwarpi_ep_idle_expires(&ep->clock)) {
    ep->clock.idle = true;
    iwarpi_ep_restart_idle(&ep->clock, ep->cfg.idle_ns);
  }
  if (iwarpi_ep_timer_expires(&ep->clock)) {
    ep_timeout(ep);
  }
}

uint64_t iwarp_endpoint_deadline(const iwarp_endpoint *ep) {
  const ep_clock *c = &ep->clock;
  const uint64_t at = ep_reports_idle(ep) ? u64_min(c->deadline, c->idle_at) : c->deadline;
  return iwarpi_ep_clock_shown(c, at);
}

/* A call that sends Private Data in a startup frame, beside the enhanced data if it has them. */
static iwarp_err ep_call_with_data(iwarp_endpoint *ep, ep_input input, iwarp_span data) {
  const bool enhanced = input == EP_CONNECT ? ep->cfg.rev == EP_REV_ENHANCED : ep->info.enhanced;
  const size_t most = IWARP_MPA_PRIVATE_DATA_MAX - (enhanced ? IWARP_MPA_ENHANCED_LEN : 0);
  if (data.len > most || (data.ptr == NULL && data.len > 0)) {
    return IWARP_ERR_ARG;
  }
  ep->startup.ulp_data = data;
  const iwarp_err err = iwarpi_ep_dispatch(ep, input);
  ep->startup.ulp_data = (iwarp_span){0};
  return err;
}

/* Returns OK if this side has `role` and has memory for the startup. Memory is reserved only if the
 * state allows `input`. */
static iwarp_err ep_may_start(iwarp_endpoint *ep, iwarp_role role, ep_input input) {
  if (ep->cfg.role != role) {
    return IWARP_ERR_STATE;
  }
  return ep_refuses(ep->info.state, input) || iwarpi_ep_startup_reserve(&ep->startup)
             ? IWARP_OK
             : IWARP_ERR_NOBUF;
}

iwarp_err iwarp_endpoint_connect(iwarp_endpoint *ep, iwarp_span private_data) {
  const iwarp_err err = ep_may_start(ep, IWARP_ROLE_INITIATOR, EP_CONNECT);
  return err != IWARP_OK ? err : ep_call_with_data(ep, EP_CONNECT, private_data);
}

iwarp_err iwarp_endpoint_listen(iwarp_endpoint *ep) {
  const iwarp_err err = ep_may_start(ep, IWARP_ROLE_RESPONDER, EP_LISTEN);
  return err != IWARP_OK ? err : iwarpi_ep_dispatch(ep, EP_LISTEN);
}

void iwarp_endpoint_release(iwarp_endpoint *ep) {
  iwarpi_ep_trim(&ep->reassembly);
  iwarpi_ep_startup_release(&ep->startup);
  if (ep->sq.tx != NULL) {
    iwarp_tx_release(ep->sq.tx);
  }
}

/* Settles the terms of the Reply for an Initiator. RFC 6581 9 */
static iwarp_err ep_accept_reply(iwarp_endpoint *ep) {
  const iwarp_err err = iwarpi_ep_dispatch(ep, EP_ACCEPT);
  if (err != IWARP_OK) {
    return err;
  }
  const ep_startup_view n = ep_startup_view_of(ep);
  const iwarp_term term = iwarpi_ep_negotiate(&n);
  iwarpi_ep_take_terms(ep);
  if (term != EP_OK) {
    return iwarpi_ep_dispatch(ep, iwarpi_ep_fault(&ep->fault, term, IWARP_POS_UNKNOWN));
  }
  ep->sq.ord = ep->info.ord;
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_ESTABLISHED);
  iwarpi_ep_sq_push_rtr(&ep->sq, ep->info.rtr);
  return IWARP_OK;
}

iwarp_err iwarp_endpoint_accept(iwarp_endpoint *ep, iwarp_span private_data) {
  if (ep->cfg.role == IWARP_ROLE_RESPONDER) {
    return ep_call_with_data(ep, EP_ACCEPT, private_data);
  }
  return private_data.len > 0 ? IWARP_ERR_ARG : ep_accept_reply(ep);
}

iwarp_err iwarp_endpoint_reject(iwarp_endpoint *ep, iwarp_span private_data) {
  if (ep->cfg.role == IWARP_ROLE_INITIATOR && private_data.len > 0) {
    return IWARP_ERR_ARG;
  }
  return ep_call_with_data(ep, EP_REJECT, private_data);
}

iwarp_err iwarp_endpoint_close(iwarp_endpoint *ep) {
  return iwarpi_ep_dispatch(ep, EP_CLOSE);
}

iwarp_err iwarp_endpoint_fail(iwarp_endpoint *ep, uint8_t layer, uint8_t etype, uint8_t code) {
  if (layer > EP_NIBBLE_MAX || etype > EP_NIBBLE_MAX) {
    return IWARP_ERR_ARG;
  }
  if (!ep_can_come(ep->info.state, EP_FAULT) || ep->fault.found) {
    return IWARP_ERR_STATE;
  }
  const iwarp_term term = (iwarp_term)((uint32_t)layer << 12 | (uint32_t)etype << 8 | code);
  return iwarpi_ep_dispatch(ep, iwarpi_ep_fault(&ep->fault, term, IWARP_POS_UNKNOWN));
}

iwarp_err iwarp_endpoint_abort(iwarp_endpoint *ep) {
  ep->end.reply_due = false; /* CLOSED waits for it no longer */
  return iwarpi_ep_dispatch(ep, EP_ABORT);
}

/* Begins an input of `num` octets; `in` holds the octets that are still to be consumed. */
static void ep_begin_input(iwarp_endpoint *ep, iwarp_span in, size_t num) {
  ep->pushed.busy = true;
  ep->pushed.in = in;
  ep->reassembly.released = false;
  ep->reassembly.left = false;
  ep->reassembly.lent = false;
  if (num > 0) {
    iwarpi_ep_restart_idle(&ep->clock, ep->cfg.idle_ns);
  }
}

/* Remembers which octets of the peer's stream the caller pushes: `len` from offset `from` on. */
static iwarp_err ep_note_push(iwarp_endpoint *ep, uint64_t from, size_t len) {
  ep->pushed.from = from;
  ep->pushed.len = len;
  return IWARP_OK;
}

/* Takes octets in order. */
static iwarp_err ep_push(iwarp_endpoint *ep, iwarp_span in) {
  const ep_octet_use use = iwarpi_ep_octet_use(ep->info.state);
  if (ep->pushed.busy || use == EP_OCTETS_REFUSE) {
    return IWARP_ERR_STATE;
  }
  if (use == EP_OCTETS_HOLD) {
    const ep_framing_view f = ep_framing_view_of(ep);
    if (!iwarpi_ep_hold(&f, in)) {
      ep->reassembly.starved = false; /* octets that did not fit stay with the caller */
      return IWARP_ERR_NOBUF;
    }
    in = (iwarp_span){0};
  }
  ep_begin_input(ep, in, in.len);
  return IWARP_OK;
}

iwarp_err iwarp_endpoint_push(iwarp_endpoint *ep, iwarp_span in) {
  const uint64_t from = iwarp_endpoint_rx_offset(ep);
  if (in.ptr == NULL && in.len > 0) {
    return IWARP_ERR_ARG;
  }
  const iwarp_err err = ep_push(ep, in);
  return err != IWARP_OK ? err : ep_note_push(ep, from, in.len);
}

uint64_t iwarp_endpoint_rx_offset(const iwarp_endpoint *ep) {
  return ep->startup.in_len + ep->reassembly.next + ep->reassembly.have + ep->reassembly.held +
         ep->streaming_octets;
}

/* Returns true if octets may be taken out of order now. */
static bool ep_may_be_out_of_order(const iwarp_endpoint *ep) {
  return ep_receives_fpdus(ep) && ep->info.state != IWARP_ENDPOINT_AWAIT_FIRST_FPDU &&
         ep->info.markers_in && ep->cfg.num_out_of_order > 0;
}

iwarp_err iwarp_endpoint_push_at(iwarp_endpoint *ep, uint64_t offset, iwarp_span in) {
  const uint64_t wanted = iwarp_endpoint_rx_offset(ep);
  if ((in.ptr == NULL && in.len > 0) || in.len > UINT64_MAX - offset) {
    return IWARP_ERR_ARG;
  }
  if (offset <= wanted || iwarpi_ep_octet_use(ep->info.state) == EP_OCTETS_DISCARD) {
    const uint64_t known = offset <= wanted ? wanted - offset : 0;
    const iwarp_err err =
        ep_push(ep, known < in.len ? span_from(in, (size_t)known) : (iwarp_span){0});
    return err != IWARP_OK ? err : ep_note_push(ep, wanted - known, in.len);
  }
  if (ep->pushed.busy || !ep_may_be_out_of_order(ep)) {
    return IWARP_ERR_STATE;
  }
  ep->pushed.busy = true;
  ep->pushed.in = in;
  ep->out_of_order.input = true;
  ep->out_of_order.chained = false;
  ep->out_of_order.at = offset - ep->startup.in_len;
  return ep_note_push(ep, offset, in.len);
}

size_t iwarp_endpoint_taken(const iwarp_endpoint *ep) {
  const uint64_t next = iwarp_endpoint_rx_offset(ep);
  const uint64_t past = next > ep->pushed.from ? next - ep->pushed.from : 0;
  return (size_t)u64_min(past, ep->pushed.len);
}

/* Returns OK if octets may be read straight into place now, with a walk over their places. */
static iwarp_err ep_reserve(iwarp_endpoint *ep, ep_reserve_walk *out) {
  const ep_framing_view f = ep_framing_view_of(ep);
  const ep_recv_view c = ep_recv_view_of(ep);
  if (ep->pushed.busy) {
    return IWARP_ERR_STATE;
  }
  return ep_receives_fpdus(ep) && iwarpi_ep_reserve_begin(&f, &c, out) ? IWARP_OK : IWARP_ERR_END;
}

iwarp_err iwarp_endpoint_reserve_rx(iwarp_endpoint *ep, iwarp_endpoint_space *spaces, size_t cap,
                                    size_t *num) {
  ep_reserve_walk walk;
  size_t n = 0;
  const iwarp_err err = ep_reserve(ep, &walk);
  while (err == IWARP_OK && n < cap && iwarpi_ep_reserve_next(&ep->reassembly, &walk, &spaces[n])) {
    n++;
  }
  *num = n;
  return n > 0 || err != IWARP_OK ? err : IWARP_ERR_END;
}

iwarp_err iwarp_endpoint_commit_rx(iwarp_endpoint *ep, size_t len) {
  ep_reserve_walk walk;
  if (ep_reserve(ep, &walk) != IWARP_OK) {
    return IWARP_ERR_STATE;
  }
  if (len > walk.fpdu.mpa.layout.wire_len - walk.at) {
    return IWARP_ERR_ARG;
  }
  if (len > 0) {
    const ep_framing_view f = ep_framing_view_of(ep);
    iwarpi_ep_commit(&f, &walk, len);
  }
  ep_begin_input(ep, (iwarp_span){0}, len);
  return IWARP_OK;
}

/* Returns true if the stream ends inside an FPDU or a message, or before an FPDU that was placed
 * out of order. RFC 5044 8 code 1, RFC 5041 6.2.1 */
static bool ep_unfinished(const iwarp_endpoint *ep) {
  return ep_receives_fpdus(ep) && (ep->reassembly.have > 0 || ep->reassembly.left ||
                                   ep->rx.msg.active || ep->out_of_order.tree.num > 0);
}

/* The peer may have closed because it does not know RFC 6581. */
static void ep_may_retry(iwarp_endpoint *ep) {
  if (ep->info.state == IWARP_ENDPOINT_WAIT_REPLY) {
    ep->end.closed.retry_plain = ep->startup.sent_enhanced;
  }
}

iwarp_err iwarp_endpoint_eof(iwarp_endpoint *ep) {
  if (ep->pushed.busy) {
    return IWARP_ERR_STATE;
  }
  if (ep_unfinished(ep)) {
    return iwarpi_ep_dispatch(ep, EP_CUT);
  }
  ep_may_retry(ep);
  return iwarpi_ep_dispatch(ep, EP_FIN);
}

iwarp_err iwarp_endpoint_lost(iwarp_endpoint *ep) {
  ep_may_retry(ep);
  ep->end.reply_due = false;
  return iwarpi_ep_dispatch(ep, EP_LOST);
}

iwarp_err iwarp_endpoint_send_failed(iwarp_endpoint *ep) {
  const iwarp_err err = iwarpi_ep_dispatch(ep, EP_SEND_FAILED);
  ep->end.send_failed = ep->end.send_failed || err == IWARP_OK;
  return err;
}

/* ---- octets out ---- */

iwarp_err iwarp_endpoint_set_emss(iwarp_endpoint *ep, uint32_t emss) {
  if (emss == 0) {
    return IWARP_ERR_ARG;
  }
  ep->cfg.emss = emss;
  if (ep->sq.tx != NULL) {
    iwarp_tx_set_emss(ep->sq.tx, emss);
  }
  return IWARP_OK;
}

/* Names or copies the rest of a startup frame; a copy may be a part. */
static iwarp_tx_out ep_hand_out(iwarp_tx_batch *batch, iwarp_span left) {
  if (batch->copy != NULL) {
    const iwarp_span part = span_first(left, batch->max_copy);
    wr w = wr_of(batch->copy, batch->max_copy, batch->max_copy);
    wr_span(&w, part);
    return (iwarp_tx_out){.len = part.len, .segment_end = part.len == left.len};
  }
  if (batch->max_spans == 0) {
    return (iwarp_tx_out){0};
  }
  batch->spans[0] = left;
  return (iwarp_tx_out){.num_spans = 1, .len = left.len, .segment_end = true};
}

/* The rest of a startup frame is a segment of its own. */
static iwarp_err ep_next_of_frame(iwarp_endpoint *ep, iwarp_tx_batch *batch) {
  const ep_startup *s = &ep->startup;
  const iwarp_span frame = {&s->out[s->out_taken], s->out_len - s->out_taken};
  const iwarp_span left = span_from(frame, batch->skip);
  if (left.len == 0) {
    return IWARP_ERR_END; /* other octets follow after the transport has taken the frame */
  }
  const iwarp_tx_out out = ep_hand_out(batch, left);
  if (out.len == 0) {
    return IWARP_ERR_NOBUF;
  }
  batch->all = out;
  batch->num_segments = 1;
  ep->startup.lent = true;
  if (batch->segments != NULL) {
    batch->segments[0] = batch->all;
  }
  ep->startup.fpdus_may_come =
      ep->cfg.role == IWARP_ROLE_RESPONDER; /* an Initiator sends FPDUs after this */
  return IWARP_OK;
}

iwarp_err iwarp_endpoint_next_batch(iwarp_endpoint *ep, iwarp_tx_batch *batch) {
  if (batch->segments != NULL && batch->max_segments == 0) {
    return IWARP_ERR_ARG;
  }
  iwarpi_ep_check_regions(ep);
  if (iwarpi_ep_frame_left(ep)) {
    return ep_next_of_frame(ep, batch);
  }
  if (ep->sq.tx == NULL || ep->end.send_failed ||
      ep->info.state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU) {
    return IWARP_ERR_END; /* no FPDU before the peer's first: RFC 5044 7.1.2 */
  }
  const iwarp_err err = iwarp_tx_next_batch(ep->sq.tx, batch);
  ep->startup.fpdus_may_come = ep->startup.fpdus_may_come || err == IWARP_OK;
  return err;
}

iwarp_err iwarp_endpoint_next_output(iwarp_endpoint *ep, iwarp_span *spans, size_t cap,
                                     iwarp_tx_out *out) {
  iwarp_tx_batch batch = {.spans = spans, .max_spans = cap, .segments = out, .max_segments = 1};
  return iwarp_endpoint_next_batch(ep, &batch);
}

iwarp_err iwarp_endpoint_advance(iwarp_endpoint *ep, size_t len) {
  if (iwarpi_ep_frame_left(ep)) {
    if (len > ep->startup.out_len - ep->startup.out_taken) {
      return IWARP_ERR_ARG;
    }
    ep->startup.out_taken += len;
    ep->startup.lent = ep->startup.out_taken < ep->startup.out_len;
    return IWARP_OK;
  }
  if (ep->sq.tx == NULL) {
    return len > 0 ? IWARP_ERR_ARG : IWARP_OK;
  }
  if (len > 0) {
    iwarpi_ep_restart_idle(&ep->clock, ep->cfg.idle_ns);
  }
  return iwarp_tx_advance(ep->sq.tx, len);
}

/* ---- memory ---- */

iwarp_err iwarp_endpoint_register(iwarp_endpoint *ep, const iwarp_endpoint_region *v) {
  return iwarp_regions_register(ep->memory.regions, v);
}

iwarp_err iwarp_endpoint_invalidate(iwarp_endpoint *ep, uint32_t stag) {
  const iwarp_err err = iwarp_regions_invalidate(ep->memory.regions, stag);
  iwarpi_ep_check_regions(ep);
  return err;
}

iwarp_err iwarp_endpoint_revoke(iwarp_endpoint *ep, uint32_t stag) {
  const iwarp_err err = iwarp_regions_revoke(ep->memory.regions, stag);
  iwarpi_ep_check_regions(ep);
  return err;
}

iwarp_err iwarp_endpoint_deregister(iwarp_endpoint *ep, uint32_t stag) {
  const iwarp_err err = iwarp_regions_deregister(ep->memory.regions, stag);
  iwarpi_ep_check_regions(ep);
  return err;
}

iwarp_err iwarp_endpoint_recv_buffer(iwarp_endpoint *ep, const iwarp_endpoint_buffer *v) {
  if (ep->rq.shared != NULL || iwarpi_ep_dispatch(ep, EP_RECV) != IWARP_OK) {
    return IWARP_ERR_STATE;
  }
  return iwarp_srq_recv(&ep->rq.own, v);
}

iwarp_err iwarp_endpoint_recv(iwarp_endpoint *ep, uint64_t token, uint8_t *mem, uint32_t len) {
  const iwarp_endpoint_buffer buffer = {.token = token, .mem = mem, .len = len};
  return iwarp_endpoint_recv_buffer(ep, &buffer);
}

/* ---- operations ---- */

/* iwarpi_ep_post_view makes the view that post.c has of an endpoint. */
ep_post_view iwarpi_ep_post_view(iwarp_endpoint *ep) {
  return (ep_post_view){.cfg = &ep->cfg, .info = &ep->info, .memory = &ep->memory, .sq = &ep->sq};
}

/* ---- the peer's Atomic Operations ---- */

iwarp_err iwarp_endpoint_atomic_answer(iwarp_endpoint *ep, uint64_t original) {
  const ep_recv_view s = ep_recv_view_of(ep);
  ep_inbound *in = iwarpi_ep_requested_atomic(&ep->irq);
  if (in == NULL) {
    return IWARP_ERR_STATE;
  }
  in->answered = true;
  in->original = original;
  return iwarpi_ep_dispatch(ep, iwarpi_ep_send_responses(&s));
}
