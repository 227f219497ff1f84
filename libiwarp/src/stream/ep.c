/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint: its memory, its calls, its events. */
#include <string.h>

#include "ep_priv.h"

#define EP_REV_DEFAULT 2u
#define EP_RTR_ALL (IWARP_RTR_SEND | IWARP_RTR_WRITE | IWARP_RTR_READ)
#define EP_DEPTH_MAX (IWARP_MPA_DEPTH_UNSPEC - 1u)
#define EP_PARTIAL_DEFAULT 8u
#define EP_NIBBLE_MAX 15u
#define EP_ALIGN _Alignof(max_align_t)

/* ---- memory ---- */

/*
 * A Responder supports some RTR type (RFC 6581 9.2), and a zero-length Read takes a place among the
 * inbound ones.
 */
static bool ep_rtr_ok(const iwarp_endpoint_cfg *c) {
  return c->role != IWARP_ROLE_RESPONDER || c->rtr != IWARP_RTR_READ || c->ird > 0 ||
         c->ird_max > 0;
}

static bool ep_cfg_ok(const iwarp_endpoint_cfg *c) {
  return c != NULL && c->size == sizeof(*c) &&
         (c->role == IWARP_ROLE_INITIATOR || c->role == IWARP_ROLE_RESPONDER) &&
         c->rev <= EP_REV_DEFAULT && c->rtr <= EP_RTR_ALL && ep_rtr_ok(c) &&
         c->ird <= EP_DEPTH_MAX && c->ird_max <= EP_DEPTH_MAX && c->ord <= EP_DEPTH_MAX &&
         c->emss != 0 && c->num_sends != 0 && c->num_sends <= IWARP_ENDPOINT_LIST_MAX &&
         c->num_recvs <= IWARP_ENDPOINT_LIST_MAX && c->num_regions <= IWARP_ENDPOINT_LIST_MAX &&
         c->max_ulpdu <= UINT16_MAX && c->num_ahead <= IWARP_ENDPOINT_LIST_MAX;
}

/* The configuration with its defaults filled in. */
static iwarp_endpoint_cfg ep_cfg_of(const iwarp_endpoint_cfg *c) {
  iwarp_endpoint_cfg v = *c;
  v.rev = v.rev == 0 ? (uint8_t)EP_REV_DEFAULT : v.rev;
  v.rtr = v.rtr == 0 ? (uint8_t)EP_RTR_ALL : v.rtr;
  v.ird_max = v.ird_max < v.ird ? v.ird : v.ird_max;
  v.max_ulpdu = v.max_ulpdu == 0 ? UINT16_MAX : v.max_ulpdu;
  v.max_partial = v.max_partial == 0 ? EP_PARTIAL_DEFAULT : v.max_partial;
  v.startup_ns = v.startup_ns == 0 ? IWARP_ENDPOINT_STARTUP_NS : v.startup_ns;
  v.close_ns = v.close_ns == 0 ? IWARP_ENDPOINT_CLOSE_NS : v.close_ns;
  return v;
}

/* The parts of an endpoint in its memory. */
typedef enum ep_part {
  EP_PART_SELF = 0,
  EP_PART_REGIONS,
  EP_PART_RECVS,
  EP_PART_OPS,
  EP_PART_INBOUNDS,
  EP_PART_AHEAD,
  EP_PART_ASSEMBLY,
  EP_PART_TX,
  EP_NUM_PARTS
} ep_part;

/* Operations, the RTR message among them. */
static uint32_t ep_num_ops(const iwarp_endpoint_cfg *c) {
  return c->num_sends + 1;
}

/* Rings have one entry at least. */
static uint32_t ep_ring_cap(uint32_t num) {
  return num > 0 ? num : 1;
}

static uint32_t ep_tx_messages(const iwarp_endpoint_cfg *c) {
  return ep_num_ops(c) + ep_ring_cap(c->ird_max);
}

/* Fills in where each part begins, and last how much there is in all. */
static void ep_lay_out(size_t at[EP_NUM_PARTS + 1], const iwarp_endpoint_cfg *c) {
  const size_t len[EP_NUM_PARTS] = {
      [EP_PART_SELF] = sizeof(iwarp_endpoint),
      [EP_PART_REGIONS] = c->num_regions * sizeof(ep_region),
      [EP_PART_RECVS] = ep_ring_cap(c->num_recvs) * sizeof(ep_recv),
      [EP_PART_OPS] = ep_num_ops(c) * sizeof(ep_op),
      [EP_PART_INBOUNDS] = ep_ring_cap(c->ird_max) * sizeof(ep_inbound),
      [EP_PART_AHEAD] = c->num_ahead * sizeof(ep_ahead),
      [EP_PART_ASSEMBLY] = iwarpi_ep_frame_max(c),
      [EP_PART_TX] = iwarp_tx_size(ep_tx_messages(c)),
  };
  at[0] = 0;
  for (size_t i = 0; i < EP_NUM_PARTS; i++) {
    at[i + 1] = at[i] + (len[i] + EP_ALIGN - 1) / EP_ALIGN * EP_ALIGN;
  }
}

size_t iwarp_endpoint_size(const iwarp_endpoint_cfg *cfg) {
  size_t at[EP_NUM_PARTS + 1];
  if (!ep_cfg_ok(cfg)) {
    return 0;
  }
  const iwarp_endpoint_cfg c = ep_cfg_of(cfg);
  ep_lay_out(at, &c);
  return at[EP_NUM_PARTS];
}

static void ep_setup(iwarp_endpoint *ep, const iwarp_endpoint_cfg *c, const size_t *at) {
  uint8_t *mem = (uint8_t *)ep;
  memset(ep, 0, sizeof *ep);
  ep->cfg = *c;
  ep->deadline = IWARP_TIME_NEVER;
  ep->info.ird = c->ird;
  ep->info.ord = c->ord;
  for (size_t qn = 0; qn < sizeof ep->msn / sizeof ep->msn[0]; qn++) {
    ep->msn[qn] = 1; /* RFC 5041 4.3 */
  }
  ep->regions = (void *)(mem + at[EP_PART_REGIONS]);
  ep->recvs = (void *)(mem + at[EP_PART_RECVS]);
  ep->ops = (void *)(mem + at[EP_PART_OPS]);
  ep->inbounds = (void *)(mem + at[EP_PART_INBOUNDS]);
  ep->ahead = (void *)(mem + at[EP_PART_AHEAD]);
  ep->assembly.buf = mem + at[EP_PART_ASSEMBLY];
  ep->assembly.cap = iwarpi_ep_frame_max(c);
  ep->tx_mem = mem + at[EP_PART_TX];
  ep->rq.cap = ep_ring_cap(c->num_recvs);
  ep->sq.cap = ep_num_ops(c);
  ep->irrq.cap = ep_ring_cap(c->ird_max);
  ep->tx_messages = ep_tx_messages(c);
}

iwarp_err iwarp_endpoint_init(iwarp_endpoint **out, void *mem, size_t mem_len,
                              const iwarp_endpoint_cfg *cfg) {
  size_t at[EP_NUM_PARTS + 1];
  if (out == NULL || mem == NULL || (uintptr_t)mem % EP_ALIGN != 0 || !ep_cfg_ok(cfg)) {
    return IWARP_ERR_ARG;
  }
  const iwarp_endpoint_cfg c = ep_cfg_of(cfg);
  ep_lay_out(at, &c);
  if (mem_len < at[EP_NUM_PARTS]) {
    return IWARP_ERR_NOBUF;
  }
  *out = mem;
  ep_setup(*out, &c, at);
  return IWARP_OK;
}

/* ---- calls ---- */

const iwarp_endpoint_info *iwarp_endpoint_info_get(const iwarp_endpoint *ep) {
  return &ep->info;
}

void iwarp_endpoint_counters_get(const iwarp_endpoint *ep, iwarp_endpoint_counters *out) {
  *out = (iwarp_endpoint_counters){.recvs = ep->rq.num,
                                   .recvs_used = ep->recvs_used,
                                   .ops = ep->sq.num - (ep->rtr_pending ? 1u : 0u),
                                   .outstanding = ep->outstanding,
                                   .inbound = ep->irrq.num,
                                   .ahead = ep->num_ahead,
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
    iwarpi_ep_stir(ep);
  }
  if (ep->deadline != IWARP_TIME_NEVER && now_ns >= ep->deadline) {
    ep->deadline = IWARP_TIME_NEVER;
    (void)iwarpi_ep_fire(ep, EP_TIMEOUT);
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
  const iwarp_err err = iwarpi_ep_fire(ep, input);
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
  return ep->cfg.role != IWARP_ROLE_RESPONDER ? IWARP_ERR_STATE : iwarpi_ep_fire(ep, EP_LISTEN);
}

/* What an Initiator has settled with the Reply. RFC 6581 9 */
static iwarp_err ep_accept_reply(iwarp_endpoint *ep) {
  const iwarp_err err = iwarpi_ep_fire(ep, EP_ACCEPT);
  if (err != IWARP_OK) {
    return err;
  }
  const uint16_t word = iwarpi_ep_settle(ep);
  if (word != EP_OK) {
    iwarpi_ep_fault(ep, word);
    return IWARP_OK;
  }
  iwarpi_ep_notice(ep, IWARP_ENDPOINT_EVENT_ESTABLISHED);
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
  return iwarpi_ep_fire(ep, EP_CLOSE);
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
  return iwarpi_ep_fire(ep, EP_ABORT);
}

iwarp_err iwarp_endpoint_push(iwarp_endpoint *ep, iwarp_span in) {
  if (in.ptr == NULL && in.len > 0) {
    return IWARP_ERR_ARG;
  }
  if (ep->busy || iwarpi_ep_fire(ep, EP_OCTETS) != IWARP_OK) {
    return IWARP_ERR_STATE;
  }
  ep->busy = true;
  ep->in = in;
  if (in.len > 0) {
    iwarpi_ep_stir(ep);
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

iwarp_err iwarp_endpoint_fin(iwarp_endpoint *ep) {
  if (ep->busy) {
    return IWARP_ERR_STATE;
  }
  if (ep_unfinished(ep)) {
    ep->closed.cause = IWARP_ENDPOINT_CAUSE_FIN;
    return iwarpi_ep_fire(ep, EP_ABORT);
  }
  ep_may_retry(ep);
  return iwarpi_ep_fire(ep, EP_FIN);
}

iwarp_err iwarp_endpoint_lost(iwarp_endpoint *ep) {
  ep_may_retry(ep);
  return iwarpi_ep_fire(ep, EP_LOST);
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

iwarp_err iwarp_endpoint_next(iwarp_endpoint *ep, iwarp_span *spans, size_t cap,
                              iwarp_tx_out *out) {
  if (ep_frame_left(ep)) {
    if (cap == 0) {
      return IWARP_ERR_NOBUF;
    }
    spans[0] =
        (iwarp_span){&ep->frame_out[ep->frame_out_taken], ep->frame_out_len - ep->frame_out_taken};
    *out = (iwarp_tx_out){.num_spans = 1, .len = spans[0].len, .segment_end = true};
    ep->spoke = ep->cfg.role == IWARP_ROLE_RESPONDER; /* an Initiator sends FPDUs behind this */
    return IWARP_OK;
  }
  if (ep->tx == NULL || ep->info.state == IWARP_ENDPOINT_FENCED) {
    return IWARP_ERR_END; /* no FPDU before the peer's first: RFC 5044 7.1.2 */
  }
  const iwarp_err err = iwarp_tx_next(ep->tx, spans, cap, out);
  ep->spoke = ep->spoke || err == IWARP_OK;
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
    iwarpi_ep_stir(ep);
  }
  return iwarp_tx_advance(ep->tx, len);
}

/* ---- events ---- */

static void ep_notice_event(const iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
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
    }
    return;
  default: return;
  }
}

/* The next thing that happened to the connection. */
static bool ep_tell(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  if (ep->told == ep->num_notices) {
    return false;
  }
  ev->kind = (iwarp_endpoint_event_kind)ep->notices[ep->told++];
  ep_notice_event(ep, ev);
  return true;
}

static bool ep_deliver(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  const bool flushed = ep->deaf && ep->rq.num > 0;
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
static bool ep_warn(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  if (ep->low_armed && !ep->deaf && ep->rq.num < ep->cfg.recv_low) {
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
static bool ep_drained(const iwarp_endpoint *ep) {
  if (iwarpi_ep_cell(ep->info.state, EP_DRAINED)->action == EP_DO_NEVER) {
    return false;
  }
  return ep->sq.num == 0 && (ep->fault_sent ? ep->term_taken : ep->irrq.num == 0);
}

static bool ep_end(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  if (!ep->over) {
    return false;
  }
  ep->over = false;
  ev->kind = IWARP_ENDPOINT_EVENT_CLOSED;
  ev->u.closed = ep->closed;
  return true;
}

/* The next event that asks for no more input. */
static bool ep_event_at_hand(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  iwarpi_ep_collect_results(ep);
  if (iwarpi_ep_place_event(ep, ev) || iwarpi_ep_ahead_event(ep, ev) || ep_tell(ep, ev) ||
      iwarpi_ep_ask(ep, ev) || iwarpi_ep_done_event(ep, ev) || ep_deliver(ep, ev) ||
      ep_warn(ep, ev)) {
    return true;
  }
  if (ep_drained(ep)) {
    (void)iwarpi_ep_fire(ep, EP_DRAINED);
    return ep_tell(ep, ev);
  }
  return ep_end(ep, ev);
}

/* Octets that belong to no frame: the frame before them was not what it said. RFC 5044 7.1.2 */
static bool ep_surplus(iwarp_endpoint *ep) {
  if (ep->in.len == 0) {
    return false;
  }
  ep->closed.err = IWARP_ERR_MPA_PD_LENGTH;
  ep->closed.cause = IWARP_ENDPOINT_CAUSE_FRAME;
  (void)iwarpi_ep_fire(ep, EP_ABORT);
  return true;
}

/* The peer's first FPDU comes behind our Reply or our first FPDU: octets before that are none.
 * RFC 5044 7.1.2 */
static bool ep_too_early(const iwarp_endpoint *ep) {
  return ep->in.len > 0 && !ep->spoke;
}

/* Takes the FPDU that is next; false when there is none. */
static bool ep_feed(iwarp_endpoint *ep) {
  ep_fpdu fpdu;
  if (ep_too_early(ep)) {
    return ep_surplus(ep);
  }
  if (ep->ahead_input) {
    return iwarpi_ep_ahead_step(ep);
  }
  const iwarp_err err = iwarpi_ep_ahead_due(ep, &fpdu) ? IWARP_OK : iwarpi_ep_frame(ep, &fpdu);
  if (err == IWARP_ERR_NOBUF) {
    iwarpi_ep_fault(ep, EP_WORD_LOCAL);
  } else if (ep->num_ahead > 0 && ep->ahead[0].offset < ep->assembly.next) {
    iwarpi_ep_fault(ep, EP_WORD_MARKER); /* it showed an FPDU where none is. RFC 5044 8 */
  } else if (err == IWARP_OK) {
    iwarpi_ep_fpdu(ep, &fpdu);
  }
  return err != IWARP_ERR_END;
}

static bool ep_hand(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
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
typedef enum ep_did { EP_DID_ALL, EP_DID_SOME, EP_DID_EVENT } ep_did;

static ep_did ep_step(iwarp_endpoint *ep, iwarp_endpoint_ev *ev) {
  const iwarp_endpoint_state before = ep->info.state;
  switch ((int)iwarpi_ep_cell(before, EP_OCTETS)->action) {
  case EP_DO_COLLECT:
    iwarpi_ep_collect(ep);
    return ep->info.state != before ? EP_DID_SOME : EP_DID_ALL;
  case EP_DO_SURPLUS: return ep_surplus(ep) ? EP_DID_SOME : EP_DID_ALL;
  case EP_DO_FEED: return ep_feed(ep) ? EP_DID_SOME : EP_DID_ALL;
  case EP_DO_HAND: return ep_hand(ep, ev) ? EP_DID_EVENT : EP_DID_ALL;
  default: return EP_DID_ALL;
  }
}

iwarp_err iwarp_endpoint_event(iwarp_endpoint *ep, iwarp_endpoint_ev *out) {
  ep_did did = EP_DID_SOME;
  while (did == EP_DID_SOME) {
    if (ep_event_at_hand(ep, out)) {
      return IWARP_OK;
    }
    did = ep->busy ? ep_step(ep, out) : EP_DID_ALL;
  }
  if (did == EP_DID_ALL) {
    ep->busy = false;
    ep->ahead_input = false;
    ep->in = (iwarp_span){0};
  }
  return did == EP_DID_EVENT ? IWARP_OK : IWARP_ERR_END;
}
