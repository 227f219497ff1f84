/* SPDX-License-Identifier: BSD-2-Clause */
/* One attempt of a probe: an Initiator that reads the Reply, pings, and closes in order. */
#include <peer/probe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

#define PROBE_EMSS 1460u
#define PROBE_RECVS 64u            /* receive buffers: an application may send first */
#define PROBE_RECV_LEN 0x7FFFFFFFu /* octets of each buffer; the octets received are dropped */
#define PROBE_IRD_MAX 256u /* inbound Reads, if the other side wants more than was offered */
#define PROBE_CLOSE_NS 1000000000u /* bound of the wait for the FIN of the other side */
#define PROBE_BEGINNING_CAP 16u    /* octets of the answer that a message shows */

struct peer_probe {
  peer_probe_cfg cfg;
  peer_probe_result *result;
  iwarp_endpoint *ep;
  uint64_t deadline_ns;
  uint64_t asked_ns;  /* time of the Request, or of the latest Read */
  uint64_t input_len; /* octets received in all */
  uint8_t beginning[PROBE_BEGINNING_CAP];
  bool accepted;
  bool closing; /* iwarp_endpoint_close was called */
  bool shutdown;
  bool done;
  bool plain; /* RFC 6581 10 allows another attempt with Rev 1 */
};

const char *peer_answer_name(peer_answer answer) {
  static const char *const names[PEER_ANSWERS] = {"accepted", "rejected", "not-iwarp", "refused",
                                                  "silent"};
  return names[answer];
}

#define probe_write(out, ...) ((void)snprintf((out), PEER_PROBE_TEXT_CAP, __VA_ARGS__))

/* Notes the failure after the Reply; the first cause counts. */
#define probe_note(p, ...)                                                                         \
  do {                                                                                             \
    if ((p)->result->note[0] == 0) {                                                               \
      probe_write((p)->result->note, __VA_ARGS__);                                                 \
    }                                                                                              \
  } while (0)

static bool probe_waits_for_reply(const peer_probe *p) {
  return !p->result->replied;
}

/* ---- beginning and end ---- */

static iwarp_endpoint *probe_endpoint(const peer_probe_cfg *cfg) {
  const iwarp_endpoint_cfg ep_cfg = {.size = sizeof ep_cfg,
                                     .role = IWARP_ROLE_INITIATOR,
                                     .rev = cfg->rev,
                                     .peer_to_peer = cfg->rev == 2,
                                     .ird = PEER_PROBE_DEPTH,
                                     .ird_max = PROBE_IRD_MAX,
                                     .ord = PEER_PROBE_DEPTH,
                                     .emss = PROBE_EMSS,
                                     .max_ulpdu = 65535,
                                     .num_sends = 2,
                                     .num_recvs = PROBE_RECVS};
  const size_t size = iwarp_endpoint_size(&ep_cfg);
  void *mem = memory_get(size);
  iwarp_endpoint *ep = NULL;
  if (mem != NULL) {
    (void)iwarp_endpoint_init(&ep, mem, size, &ep_cfg);
  }
  for (uint32_t i = 0; ep != NULL && i < PROBE_RECVS; i++) {
    (void)iwarp_endpoint_recv(ep, i, NULL, PROBE_RECV_LEN);
  }
  return ep;
}

static void probe_take_events(peer_probe *p, uint64_t now_ns);

peer_probe *peer_probe_new(const peer_probe_cfg *cfg, peer_probe_result *result, uint64_t now_ns) {
  peer_probe *p = memory_zeroed(1, sizeof *p);
  if (p == NULL) {
    return NULL;
  }
  *p = (peer_probe){.cfg = *cfg, .result = result, .ep = probe_endpoint(cfg)};
  if (p->ep == NULL) {
    free(p);
    return NULL;
  }
  result->fell_back = cfg->rev != 2;
  p->asked_ns = now_ns;
  p->deadline_ns = now_ns + cfg->timeout_ns;
  (void)iwarp_endpoint_connect(p->ep, (iwarp_span){0});
  probe_take_events(p, now_ns);
  return p;
}

void peer_probe_free(peer_probe *p) {
  if (p != NULL) {
    free(p->ep);
    free(p);
  }
}

/* Ends the connection in order, in little time. */
static void probe_close(peer_probe *p, uint64_t now_ns) {
  if (!p->closing) {
    p->closing = true;
    p->deadline_ns =
        now_ns + (p->cfg.timeout_ns < PROBE_CLOSE_NS ? p->cfg.timeout_ns : PROBE_CLOSE_NS);
    (void)iwarp_endpoint_close(p->ep);
  }
}

static void probe_end(peer_probe *p, peer_answer answer) {
  if (probe_waits_for_reply(p)) {
    p->result->answer = answer;
  }
  p->done = true;
}

/* ---- pings ---- */

/* Posts the next Read, or closes where all were answered. */
static void probe_ping(peer_probe *p, uint64_t now_ns) {
  static const iwarp_rdmap_read_req nothing; /* a Read of no octets names no region */
  if (p->closing) {
    return;
  }
  if (p->result->num_pings == p->cfg.pings) {
    probe_close(p, now_ns);
    return;
  }
  const iwarp_err err = iwarp_endpoint_read(p->ep, p->result->num_pings, &nothing);
  if (err != IWARP_OK) {
    if (err == IWARP_ERR_ORD) {
      probe_note(p, "its IRD is 0, so no Read may be sent");
    }
    probe_close(p, now_ns);
    return;
  }
  p->asked_ns = now_ns;
  p->deadline_ns = now_ns + p->cfg.timeout_ns;
}

static void probe_pong(peer_probe *p, const iwarp_endpoint_done *done, uint64_t now_ns) {
  if (done->err == IWARP_OK && p->result->num_pings < PEER_PROBE_PINGS_MAX) {
    p->result->ping_ns[p->result->num_pings++] = now_ns - p->asked_ns;
    probe_ping(p, now_ns);
  }
}

/* ---- events ---- */

static uint8_t probe_rtr(const iwarp_mpa_enhanced *enh) {
  return (uint8_t)((enh->b ? IWARP_RTR_SEND : 0) | (enh->c ? IWARP_RTR_WRITE : 0) |
                   (enh->d ? IWARP_RTR_READ : 0));
}

static void probe_take_reply(peer_probe *p, const iwarp_event_startup *reply, uint64_t now_ns) {
  peer_probe_result *r = p->result;
  r->replied = true;
  r->rev = reply->frame.rev;
  r->markers = (reply->frame.flags & IWARP_MPA_FLAG_M) != 0;
  r->crc = (reply->frame.flags & IWARP_MPA_FLAG_C) != 0;
  r->enhanced = reply->enhanced;
  if (reply->enhanced) {
    r->peer_to_peer = reply->enh.a;
    r->rtr = probe_rtr(&reply->enh);
    r->ird = reply->enh.ird;
    r->ord = reply->enh.ord;
  }
  r->private_data_len =
      reply->ulp_data.len < sizeof r->private_data ? reply->ulp_data.len : sizeof r->private_data;
  if (r->private_data_len > 0) {
    memcpy(r->private_data, reply->ulp_data.ptr, r->private_data_len);
  }
  r->reply_ns = now_ns - p->asked_ns;
}

static void probe_accepted(peer_probe *p, uint64_t now_ns) {
  p->accepted = true;
  p->result->answer = PEER_ANSWER_ACCEPTED;
  if (iwarp_endpoint_accept(p->ep, (iwarp_span){0}) == IWARP_OK) {
    probe_ping(p, now_ns);
  }
}

static void probe_rejected(peer_probe *p, uint64_t now_ns) {
  p->result->answer = PEER_ANSWER_REJECTED;
  probe_write(p->result->why, "it rejected the Request");
  probe_close(p, now_ns);
}

static void probe_terminated(peer_probe *p, const iwarp_endpoint_terminated *t) {
  if (!t->readable) {
    probe_note(p, "it sent a Terminate that cannot be read");
    return;
  }
  const iwarp_rdmap_term *v = t->has_likely ? &t->likely : &t->term;
  probe_note(p, "it sent Terminate %u/%u/%u: %s", (unsigned)v->layer, (unsigned)v->etype,
             (unsigned)v->code, iwarp_rdmap_term_code_name(v->layer, v->etype, v->code));
}

static void probe_fault(peer_probe *p, const iwarp_endpoint_fault *f) {
  probe_note(p, "it broke the protocol: %s",
             iwarp_rdmap_term_code_name(f->layer, f->etype, f->code));
}

/* ---- an end without a Reply ---- */

/* The first octets of the answer, as text where they are text, else in hex. */
static void probe_beginning(const peer_probe *p, char out[3 * PROBE_BEGINNING_CAP]) {
  const size_t len =
      p->input_len < PROBE_BEGINNING_CAP ? (size_t)p->input_len : PROBE_BEGINNING_CAP;
  bool text = true;
  for (size_t i = 0; i < len; i++) {
    text = text && p->beginning[i] >= 0x20 && p->beginning[i] < 0x7F && p->beginning[i] != '"';
  }
  size_t used = 0;
  for (size_t i = 0; i < len; i++) {
    used += (size_t)snprintf(out + used, 3 * PROBE_BEGINNING_CAP - used, text ? "%c" : "%02x",
                             p->beginning[i]);
  }
}

static void probe_no_reply(peer_probe *p, const char *how) {
  if (p->input_len == 0) {
    probe_write(p->result->why, "it %s the connection and sent no Reply", how);
  } else {
    probe_write(p->result->why, "it %s the connection after %llu octets of a Reply", how,
                (unsigned long long)p->input_len);
  }
}

static void probe_bad_reply(peer_probe *p, iwarp_err err) {
  char began[3 * PROBE_BEGINNING_CAP] = "";
  if (err == IWARP_ERR_MPA_KEY) {
    probe_beginning(p, began);
    probe_write(p->result->why, "its answer is no Reply of MPA: it begins with \"%s\"", began);
  } else {
    probe_write(p->result->why, "its Reply is wrong: %s", iwarp_strerror(err));
  }
}

static void probe_closed(peer_probe *p, const iwarp_endpoint_closed *closed) {
  if (probe_waits_for_reply(p)) {
    p->plain = closed->retry_plain;
    if (closed->cause == IWARP_ENDPOINT_CAUSE_FIN) {
      probe_no_reply(p, "closed");
    } else if (closed->cause == IWARP_ENDPOINT_CAUSE_FRAME) {
      probe_bad_reply(p, closed->err);
    }
  } else if (closed->cause == IWARP_ENDPOINT_CAUSE_FIN) {
    probe_note(p, "it closed the connection before all was answered");
  } else if (closed->cause == IWARP_ENDPOINT_CAUSE_LOST && !p->closing) {
    probe_note(p, "it reset the connection");
  }
  probe_end(p, PEER_ANSWER_NOT_IWARP);
}

static void probe_event(peer_probe *p, const iwarp_endpoint_event *ev, uint64_t now_ns) {
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_REPLY:
    probe_take_reply(p, &ev->u.startup, now_ns);
    probe_accepted(p, now_ns);
    break;
  case IWARP_ENDPOINT_EVENT_REJECTED:
    probe_take_reply(p, &ev->u.startup, now_ns);
    probe_rejected(p, now_ns);
    break;
  case IWARP_ENDPOINT_EVENT_DONE: probe_pong(p, &ev->u.done, now_ns); break;
  case IWARP_ENDPOINT_EVENT_RECV:
    (void)iwarp_endpoint_recv(p->ep, ev->u.recv.token, NULL, PROBE_RECV_LEN);
    break;
  case IWARP_ENDPOINT_EVENT_FAULT: probe_fault(p, &ev->u.fault); break;
  case IWARP_ENDPOINT_EVENT_TERMINATED: probe_terminated(p, &ev->u.terminated); break;
  case IWARP_ENDPOINT_EVENT_PEER_ENDED: probe_close(p, now_ns); break;
  case IWARP_ENDPOINT_EVENT_SHUTDOWN: p->shutdown = true; break;
  case IWARP_ENDPOINT_EVENT_CLOSED: probe_closed(p, &ev->u.closed); break;
  case IWARP_ENDPOINT_EVENT_REQUEST:
  case IWARP_ENDPOINT_EVENT_ESTABLISHED:
  case IWARP_ENDPOINT_EVENT_STREAMING: /* octets after a Reply that rejects */
  case IWARP_ENDPOINT_EVENT_PLACE:
  case IWARP_ENDPOINT_EVENT_ATOMIC:
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER:
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_IDLE: break;
  }
}

static void probe_take_events(peer_probe *p, uint64_t now_ns) {
  iwarp_endpoint_event ev;
  while (iwarp_endpoint_next_event(p->ep, &ev) == IWARP_OK) {
    probe_event(p, &ev, now_ns);
  }
}

/* ---- what the transport brings ---- */

void peer_probe_received(peer_probe *p, iwarp_span octets, uint64_t now_ns) {
  for (size_t i = 0; i < octets.len && p->input_len + i < PROBE_BEGINNING_CAP; i++) {
    p->beginning[p->input_len + i] = octets.ptr[i];
  }
  p->input_len += octets.len;
  (void)iwarp_endpoint_push(p->ep, octets);
  probe_take_events(p, now_ns);
}

void peer_probe_ended(peer_probe *p, uint64_t now_ns) {
  (void)iwarp_endpoint_eof(p->ep);
  probe_take_events(p, now_ns);
}

void peer_probe_lost(peer_probe *p, uint64_t now_ns) {
  if (probe_waits_for_reply(p)) { /* an older Responder may end the connection by an RST as well */
    probe_no_reply(p, "reset");
    p->plain = p->cfg.rev == 2;
    probe_end(p, PEER_ANSWER_NOT_IWARP);
    return;
  }
  (void)iwarp_endpoint_lost(p->ep);
  probe_take_events(p, now_ns);
}

void peer_probe_send_failed(peer_probe *p, uint64_t now_ns) {
  (void)iwarp_endpoint_send_failed(p->ep);
  probe_take_events(p, now_ns);
}

static void probe_late(peer_probe *p) {
  const double seconds = (double)p->cfg.timeout_ns / 1e9;
  if (probe_waits_for_reply(p) && p->input_len == 0) {
    probe_write(p->result->why, "it accepted the connection and sent nothing in %.9g s", seconds);
  } else if (probe_waits_for_reply(p)) {
    probe_write(p->result->why, "it sent %llu octets in %.9g s, which are no whole Reply",
                (unsigned long long)p->input_len, seconds);
  } else if (!p->closing) {
    probe_note(p, "it did not answer the Read in %.9g s", seconds);
  }
  probe_end(p, PEER_ANSWER_SILENT);
}

void peer_probe_time(peer_probe *p, uint64_t now_ns) {
  if (!p->done && now_ns >= p->deadline_ns) {
    probe_late(p);
  }
}

uint64_t peer_probe_deadline(const peer_probe *p) {
  return p->deadline_ns;
}

size_t peer_probe_output(peer_probe *p, iwarp_span *spans, size_t cap) {
  iwarp_tx_out out = {0};
  return iwarp_endpoint_next_output(p->ep, spans, cap, &out) == IWARP_OK ? out.num_spans : 0;
}

void peer_probe_sent(peer_probe *p, size_t len, uint64_t now_ns) {
  (void)iwarp_endpoint_advance(p->ep, len);
  probe_take_events(p, now_ns);
}

bool peer_probe_wants_shutdown(const peer_probe *p) {
  return p->shutdown;
}

bool peer_probe_done(const peer_probe *p) {
  return p->done;
}

bool peer_probe_wants_plain(const peer_probe *p) {
  return p->plain && p->cfg.rev == 2;
}
