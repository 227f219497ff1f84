/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of an endpoint: startup, time, octets in and out, the end. */
#include "ep_priv.h"

#define EP_NIBBLE_MAX 15u

const iwarp_endpoint_info *iwarp_endpoint_info_get(const iwarp_endpoint *ep) {
  return &ep->info;
}

void iwarp_endpoint_counters_get(const iwarp_endpoint *ep, iwarp_endpoint_counters *out) {
  *out = (iwarp_endpoint_counters){.recvs = ep->rq.num,
                                   .recvs_used = ep->recvs_used,
                                   .ops = ep->sq.num - (ep->rtr_pending ? 1u : 0u),
                                   .outstanding = ep->outstanding,
                                   .inbound = ep->irrq.num,
                                   .ahead = ep->ahead.num,
                                   .partial = ep->num_partial};
}

/* When IDLE is to be told next; NEVER outside Full Operation. */
static uint64_t ep_idle_at(const iwarp_endpoint *ep) {
  return ep->info.state == IWARP_ENDPOINT_FULL ? ep->idle_at : IWARP_TIME_NEVER;
}

void iwarp_endpoint_time(iwarp_endpoint *ep, uint64_t now_ns) {
  ep->now = now_ns;
  if (ep_idle_at(ep) != IWARP_TIME_NEVER && now_ns >= ep->idle_at) {
    ep->idle = true;
    iwarpi_ep_restart_idle_timer(ep);
  }
  if (ep->deadline != IWARP_TIME_NEVER && now_ns >= ep->deadline) {
    ep->deadline = IWARP_TIME_NEVER;
    (void)iwarpi_ep_dispatch(ep, EP_TIMEOUT);
  }
}

uint64_t iwarp_endpoint_deadline(const iwarp_endpoint *ep) {
  const uint64_t idle_at = ep_idle_at(ep);
  return idle_at < ep->deadline ? idle_at : ep->deadline;
}

/* A call that sends Private Data in a frame with the enhanced data, or without. */
static iwarp_err ep_call_with_data(iwarp_endpoint *ep, ep_input input, iwarp_span data,
                                   bool enhanced) {
  const size_t most = IWARP_MPA_PRIVATE_DATA_MAX - (enhanced ? IWARP_MPA_ENHANCED_LEN : 0);
  if (data.len > most || (data.ptr == NULL && data.len > 0)) {
    return IWARP_ERR_ARG;
  }
  ep->ulp_data = data;
  const iwarp_err err = iwarpi_ep_dispatch(ep, input);
  ep->ulp_data = (iwarp_span){0};
  return err;
}

iwarp_err iwarp_endpoint_connect(iwarp_endpoint *ep, iwarp_span private_data) {
  if (ep->cfg.role != IWARP_ROLE_INITIATOR) {
    return IWARP_ERR_STATE;
  }
  return ep_call_with_data(ep, EP_CONNECT, private_data, ep->cfg.rev == EP_REV_DEFAULT);
}

iwarp_err iwarp_endpoint_listen(iwarp_endpoint *ep) {
  return ep->cfg.role != IWARP_ROLE_RESPONDER ? IWARP_ERR_STATE : iwarpi_ep_dispatch(ep, EP_LISTEN);
}

/* What an Initiator has settled with the Reply. RFC 6581 9 */
static iwarp_err ep_accept_reply(iwarp_endpoint *ep) {
  const iwarp_err err = iwarpi_ep_dispatch(ep, EP_ACCEPT);
  if (err != IWARP_OK) {
    return err;
  }
  const uint16_t word = iwarpi_ep_settle(ep);
  if (word != EP_OK) {
    iwarpi_ep_fault(ep, word);
    return IWARP_OK;
  }
  iwarpi_ep_queue_event(ep, IWARP_ENDPOINT_EVENT_ESTABLISHED);
  iwarpi_ep_post_rtr(ep, ep->info.rtr);
  return IWARP_OK;
}

iwarp_err iwarp_endpoint_accept(iwarp_endpoint *ep, iwarp_span private_data) {
  if (ep->cfg.role == IWARP_ROLE_RESPONDER) {
    return ep_call_with_data(ep, EP_ACCEPT, private_data, ep->info.enhanced);
  }
  return private_data.len > 0 ? IWARP_ERR_ARG : ep_accept_reply(ep);
}

iwarp_err iwarp_endpoint_reject(iwarp_endpoint *ep, iwarp_span private_data) {
  if (ep->cfg.role == IWARP_ROLE_INITIATOR && private_data.len > 0) {
    return IWARP_ERR_ARG;
  }
  return ep_call_with_data(ep, EP_REJECT, private_data, ep->info.enhanced);
}

iwarp_err iwarp_endpoint_close(iwarp_endpoint *ep) {
  return iwarpi_ep_dispatch(ep, EP_CLOSE);
}

iwarp_err iwarp_endpoint_fail(iwarp_endpoint *ep, uint8_t layer, uint8_t etype, uint8_t code) {
  if (layer > EP_NIBBLE_MAX || etype > EP_NIBBLE_MAX) {
    return IWARP_ERR_ARG;
  }
  if (!iwarpi_ep_may_fault(ep)) {
    return IWARP_ERR_STATE;
  }
  iwarpi_ep_fault(ep, (uint16_t)((uint32_t)layer << 12 | (uint32_t)etype << 8 | code));
  return IWARP_OK;
}

iwarp_err iwarp_endpoint_abort(iwarp_endpoint *ep) {
  return iwarpi_ep_dispatch(ep, EP_ABORT);
}

iwarp_err iwarp_endpoint_push(iwarp_endpoint *ep, iwarp_span in) {
  if (in.ptr == NULL && in.len > 0) {
    return IWARP_ERR_ARG;
  }
  if (ep->busy || iwarpi_ep_dispatch(ep, EP_OCTETS) != IWARP_OK) {
    return IWARP_ERR_STATE;
  }
  if (iwarpi_ep_cell(ep->info.state, EP_OCTETS)->action == EP_DO_HOLD) {
    if (!iwarpi_ep_hold(ep, in)) {
      return IWARP_ERR_NOBUF;
    }
    in = (iwarp_span){0};
  }
  ep->busy = true;
  ep->in = in;
  if (in.len > 0) {
    iwarpi_ep_restart_idle_timer(ep);
  }
  return IWARP_OK;
}

/* Whether the stream ends inside an FPDU or a message. RFC 5044 8 code 1, RFC 5041 6.2.1 */
static bool ep_unfinished(const iwarp_endpoint *ep) {
  return iwarpi_ep_cell(ep->info.state, EP_OCTETS)->action == EP_DO_FEED &&
         (ep->assembly.have > 0 || ep->msg.active);
}

/* The peer may have closed because it does not know RFC 6581. */
static void ep_may_retry(iwarp_endpoint *ep) {
  if (ep->info.state == IWARP_ENDPOINT_WAIT_REPLY) {
    ep->closed.retry_plain = ep->sent_enhanced;
  }
}

iwarp_err iwarp_endpoint_eof(iwarp_endpoint *ep) {
  if (ep->busy) {
    return IWARP_ERR_STATE;
  }
  if (ep_unfinished(ep)) {
    ep->closed.cause = IWARP_ENDPOINT_CAUSE_FIN;
    return iwarpi_ep_dispatch(ep, EP_ABORT);
  }
  ep_may_retry(ep);
  return iwarpi_ep_dispatch(ep, EP_FIN);
}

iwarp_err iwarp_endpoint_lost(iwarp_endpoint *ep) {
  ep_may_retry(ep);
  return iwarpi_ep_dispatch(ep, EP_LOST);
}

/* ---- octets out ---- */

iwarp_err iwarp_endpoint_set_emss(iwarp_endpoint *ep, uint32_t emss) {
  if (emss == 0) {
    return IWARP_ERR_ARG;
  }
  ep->cfg.emss = emss;
  if (ep->tx != NULL) {
    iwarp_tx_set_emss(ep->tx, emss);
  }
  return IWARP_OK;
}

static bool ep_frame_left(const iwarp_endpoint *ep) {
  return ep->frame_out_taken < ep->frame_out_len && ep->info.state != IWARP_ENDPOINT_CLOSED;
}

iwarp_err iwarp_endpoint_next_output(iwarp_endpoint *ep, iwarp_span *spans, size_t cap,
                                     iwarp_tx_out *out) {
  if (ep_frame_left(ep)) {
    if (cap == 0) {
      return IWARP_ERR_NOBUF;
    }
    spans[0] =
        (iwarp_span){&ep->frame_out[ep->frame_out_taken], ep->frame_out_len - ep->frame_out_taken};
    *out = (iwarp_tx_out){.num_spans = 1, .len = spans[0].len, .segment_end = true};
    ep->tx_started = ep->cfg.role == IWARP_ROLE_RESPONDER; /* an Initiator sends FPDUs after this */
    return IWARP_OK;
  }
  if (ep->tx == NULL || ep->info.state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU) {
    return IWARP_ERR_END; /* no FPDU before the peer's first: RFC 5044 7.1.2 */
  }
  const iwarp_err err = iwarp_tx_next_output(ep->tx, spans, cap, out);
  ep->tx_started = ep->tx_started || err == IWARP_OK;
  return err;
}

iwarp_err iwarp_endpoint_advance(iwarp_endpoint *ep, size_t len) {
  if (ep_frame_left(ep)) {
    if (len > ep->frame_out_len - ep->frame_out_taken) {
      return IWARP_ERR_ARG;
    }
    ep->frame_out_taken += len;
    return IWARP_OK;
  }
  if (ep->tx == NULL) {
    return len > 0 ? IWARP_ERR_ARG : IWARP_OK;
  }
  if (len > 0) {
    iwarpi_ep_restart_idle_timer(ep);
  }
  return iwarp_tx_advance(ep->tx, len);
}
