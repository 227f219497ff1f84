/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An endpoint, as Initiator or Responder, against a hostile peer: a script holds the peer's octets
 * and what the ULP does between them. The model of the ULP holds, no rule finds fault with the
 * endpoint, and after a Terminate it is silent.
 */
#include <stdalign.h>
#include <string.h>

#include "script.h"
#include "ulp.h"
#include "witness.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_SCRIPT;

#define OUT_MAX 65536u /* octets that the endpoint may have handed out and not sent yet */
#define PULLS_MAX 4096u
#define SENT_MAX (1u << 20) /* octets of the endpoint that are kept */
#define SEGMENTS 4u         /* handed out at a time */
#define EVENTS 8u
#define SPACES 16u

typedef struct host {
  ulp u;
  iwarp_endpoint *ep;
  witness *w;
  uint8_t own;   /* side of the endpoint: 0 as Initiator */
  bool lost;     /* the transport connection is gone */
  bool failed;   /* a send failed: the peer has reset; its earlier octets are still read */
  bool skips;    /* octets handed out are in flight, and the next request for octets skips them */
  bool fin_sent; /* this half is closed */
  bool fin_seen; /* the peer's half is closed */
  uint8_t peer[FUZZ_BODY_MAX];
  size_t peer_len;      /* octets that the peer sent */
  size_t heard;         /* octets of the peer that were pushed in order */
  size_t given;         /* begin of the octets that were pushed last */
  bool drained;         /* the endpoint has reported all events: it borrows no octets */
  uint64_t sent;        /* octets of the endpoint */
  uint64_t last;        /* end of `sent` when the peer's Terminate came */
  size_t size;          /* octets of the endpoint's memory in use */
  uint8_t out[OUT_MAX]; /* octets copied as they were handed out, not sent yet */
  size_t out_len;
} host;

static alignas(max_align_t) uint8_t block[1u << 20];
static alignas(max_align_t) uint8_t memory[ULP_MEM];
static uint8_t sent[SENT_MAX];
static host h;

static void lose(void);

/* One event, or several. */
static bool next_events(iwarp_endpoint_event ev[EVENTS], size_t *num) {
  *num = 1;
  const iwarp_err err = (h.u.style & ULP_BATCHES) != 0
                            ? iwarp_endpoint_next_events(h.ep, ev, EVENTS, num)
                            : iwarp_endpoint_next_event(h.ep, ev);
  const bool starved = err == IWARP_ERR_NOBUF && h.u.pool.fail_every > 0;
  h.drained = err == IWARP_ERR_END;
  fuzz_expect(err == IWARP_OK ? *num > 0 && *num <= EVENTS : starved || err == IWARP_ERR_END,
              "%zu events", *num);
  return err == IWARP_OK;
}

/* The endpoint leaves the rest of the octets that were pushed last to its ULP, which pushes them
 * again. Where it has not reported all events it still borrows them, and may act on them. */
static void take_back_rest(void) {
  if ((h.u.style & ULP_LEAVES_REST) == 0 || !h.drained) {
    return;
  }
  const uint64_t next = iwarp_endpoint_rx_offset(h.ep);
  fuzz_expect(next <= h.peer_len || h.u.closed, "the endpoint counts octets that were not sent");
  h.heard = next < h.heard && next >= h.given ? (size_t)next : h.heard;
}

static void take_events(void) {
  iwarp_endpoint_event ev[EVENTS];
  bool shutdown = false;
  size_t num;
  h.u.in_flight = h.out_len > 0;
  while (next_events(ev, &num)) {
    for (size_t i = 0; i < num; i++) {
      ulp_event(&h.u, &ev[i], true);
      shutdown = shutdown || ev[i].kind == IWARP_ENDPOINT_EVENT_SHUTDOWN;
      if (ev[i].kind == IWARP_ENDPOINT_EVENT_TERMINATED) {
        h.out_len = 0; /* only the rest of an FPDU under way goes out */
        h.last = h.sent;
      }
    }
  }
  take_back_rest();
  if (shutdown && !h.fin_sent) {
    fuzz_expect(h.out_len == 0, "SHUTDOWN before all was sent");
    h.fin_sent = true;
    witness_end(h.w, h.own, IWARP_END_FIN, h.heard);
  }
  ulp_over(&h.u);
  if (h.u.closed && h.u.how.disconnect && !h.lost) {
    lose();
  }
}

/* The connection is reset: by the endpoint where it asked for that, else by the peer. An RST of the
 * endpoint is not checked if the transport did not take its Terminate in time. The same holds for
 * the FPDU that the peer's Terminate interrupted. Then the endpoint reads no octets, and no FIN can
 * go out. */
static void lose(void) {
  const bool ours = h.u.closed && h.u.how.disconnect;
  h.lost = true;
  h.out_len = 0;
  if (!ours && !h.failed) {
    witness_end(h.w, 1 - h.own, IWARP_END_RST, h.sent);
  } else if (!h.u.fault && !h.u.terminated && !h.failed) {
    witness_end(h.w, h.own, IWARP_END_RST, h.heard);
  }
  (void)iwarp_endpoint_lost(h.ep);
  take_events();
}

/* A send fails because the peer has reset the connection. */
static void fail_send(void) {
  if (h.lost || h.failed) {
    return;
  }
  h.failed = true;
  h.out_len = 0;
  witness_end(h.w, 1 - h.own, IWARP_END_RST, h.sent);
  fuzz_expect(iwarp_endpoint_send_failed(h.ep) == IWARP_OK, "a failed send");
  take_events();
}

/* The octets of several segments, copied. */
static bool next_copy(iwarp_span *span, iwarp_tx_out *out) {
  static uint8_t octets[OUT_MAX];
  iwarp_tx_batch batch = {.copy = octets, .max_copy = sizeof octets};
  if (iwarp_endpoint_next_batch(h.ep, &batch) != IWARP_OK) {
    return false;
  }
  fuzz_expect(batch.all.num_spans == 0, "%zu spans of a copy", batch.all.num_spans);
  *span = (iwarp_span){octets, batch.all.len};
  *out = (iwarp_tx_out){.num_spans = 1, .len = batch.all.len};
  return true;
}

/* The octets of one segment, or of several. */
static bool next_output(iwarp_span *spans, size_t cap, iwarp_tx_out *out) {
  iwarp_tx_out segments[SEGMENTS];
  iwarp_tx_batch batch = {.spans = spans,
                          .max_spans = cap,
                          .segments = segments,
                          .max_segments = SEGMENTS,
                          .skip = h.skips ? h.out_len : 0};
  if ((h.u.style & ULP_COPIES) != 0) {
    return next_copy(spans, out);
  }
  if ((h.u.style & ULP_BATCHES) == 0) {
    return iwarp_endpoint_next_output(h.ep, spans, cap, out) == IWARP_OK;
  }
  if (iwarp_endpoint_next_batch(h.ep, &batch) != IWARP_OK) {
    return false;
  }
  size_t len = 0;
  for (size_t i = 0; i < batch.num_segments; i++) {
    len += segments[i].len;
  }
  fuzz_expect(len == batch.all.len, "segments of %zu octets, in all %zu", len, batch.all.len);
  *out = batch.all;
  return true;
}

/* Copies the octets handed out, as far as they were not copied before. */
static bool look(void) {
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  const size_t begin = h.skips ? h.out_len : 0;
  size_t at = begin;
  if (!next_output(spans, IWARP_TX_SPANS_MIN, &out)) {
    fuzz_expect(h.out_len == begin || h.u.pool.fail_every > 0, "octets handed out are gone");
    return h.skips && h.out_len > 0;
  }
  fuzz_expect(out.len > 0 && out.len <= OUT_MAX - begin, "%zu octets handed out", out.len);
  fuzz_expect(!h.u.closed && !h.fin_sent && !h.failed, "octets to send after the end");
  fuzz_expect(begin + out.len >= h.out_len, "fewer octets than before");
  for (size_t i = 0; i < out.num_spans; at += spans[i].len, i++) {
    const size_t skip = at < h.out_len ? h.out_len - at : 0;
    if (skip < spans[i].len) {
      memcpy(&h.out[at + skip], spans[i].ptr + skip, spans[i].len - skip);
      h.out_len = at + spans[i].len;
    }
  }
  fuzz_expect(at == begin + out.len, "%zu octets in the spans of %zu", at - begin, out.len);
  return true;
}

/* Sends at most `most` octets. */
static void pull(size_t most) {
  size_t rounds = 0;
  while (most > 0 && !h.lost && look()) {
    const size_t n = h.out_len < most ? h.out_len : most;
    witness_push(h.w, h.own, (iwarp_span){h.out, n}, h.heard);
    if (h.sent + n <= SENT_MAX) {
      memcpy(&sent[h.sent], h.out, n);
    }
    h.sent += n;
    h.out_len -= n;
    memmove(h.out, &h.out[n], h.out_len);
    fuzz_expect(iwarp_endpoint_advance(h.ep, n) == IWARP_OK, "advance");
    most -= n;
    take_events();
    fuzz_expect(++rounds <= PULLS_MAX, "there is no end of output");
  }
  if (most > 0 && !h.lost && h.u.pool.fail_every == 0) {
    fuzz_expect(iwarp_endpoint_info_get(h.ep)->state != IWARP_ENDPOINT_TERMINATING,
                "no FIN after a Terminate that was sent"); /* RFC 5040 6.2.1 */
  }
}

/* Lets some of `n` octets land; returns how many, 0 where none may. */
static size_t land(const uint8_t *octets, size_t n) {
  iwarp_endpoint_space space[SPACES];
  size_t num;
  size_t at = 0;
  if (iwarp_endpoint_reserve_rx(h.ep, space, SPACES, &num) != IWARP_OK) {
    return 0;
  }
  fuzz_expect(num > 0 && num <= SPACES, "%zu spaces", num);
  for (size_t i = 0; i < num; i++) {
    const size_t len = space[i].len < n - at ? space[i].len : n - at;
    ulp_space(&h.u, &space[i], block, h.size);
    memcpy(space[i].dst, &octets[at], len);
    at += len;
  }
  fuzz_expect(iwarp_endpoint_commit_rx(h.ep, at) == IWARP_OK,
              "iwarp_endpoint_commit_rx refused octets");
  return at;
}

#define FEW 24u /* octets: headers come without their payload */

/* Gives it the next octets; returns how many it took. */
static size_t give(void) {
  const size_t left = h.peer_len - h.heard;
  const bool lands = (h.u.style & ULP_LANDS) != 0;
  const size_t landed = lands ? land(&h.peer[h.heard], left) : 0;
  if (landed > 0) {
    h.heard += landed;
    take_events();
    return landed;
  }
  const size_t at = h.heard;
  h.given = at;
  const size_t n = lands && left > FEW ? FEW : left;
  h.heard += n; /* known to it while its events are taken */
  if (iwarp_endpoint_push_at(h.ep, at, (iwarp_span){&h.peer[at], n}) != IWARP_OK) {
    h.heard = at;
    take_events();
    return 0;
  }
  fuzz_expect(iwarp_endpoint_push(h.ep, (iwarp_span){h.peer, 1}) == IWARP_ERR_STATE &&
                  iwarp_endpoint_eof(h.ep) == IWARP_ERR_STATE,
              "input before the events of other input were taken");
  take_events();
  const uint64_t next = iwarp_endpoint_rx_offset(h.ep);
  const uint64_t past = next > at ? next - at : 0;
  fuzz_expect(iwarp_endpoint_taken(h.ep) == (past < n ? past : n), "%zu octets were taken",
              iwarp_endpoint_taken(h.ep));
  return h.heard - at;
}

/* Delivers the octets that the peer sent and the endpoint did not get yet. */
static void deliver(void) {
  while (!h.lost && !h.u.closed && !h.fin_seen && h.heard < h.peer_len && give() > 0) {
  }
}

static void hear(const script_record *r) {
  const size_t n =
      r->octets.len < sizeof h.peer - h.peer_len ? r->octets.len : sizeof h.peer - h.peer_len;
  if (h.lost || h.failed || h.fin_seen || n == 0) {
    return;
  }
  const size_t at = h.peer_len;
  if (at == 0) { /* the peer answers: the endpoint's first octets were sent */
    pull(SIZE_MAX);
  }
  memcpy(&h.peer[at], r->octets.ptr, n);
  h.peer_len += n;
  witness_push(h.w, 1 - h.own, (iwarp_span){&h.peer[at], n}, h.sent);
  if ((r->kind & SCRIPT_HELD) == 0 ||
      at == 0) { /* the one in whose turn Requests cross is blamed */
    deliver();
  } else if (at > h.heard) { /* the octets come before the held ones */
    (void)iwarp_endpoint_push_at(h.ep, at, (iwarp_span){&h.peer[at], n});
    take_events();
  }
}

static void peer_ends(bool lost) {
  deliver();
  if (h.lost || h.fin_seen) {
    return;
  }
  if (lost) {
    lose();
    return;
  }
  h.fin_seen = h.heard == h.peer_len;
  if (h.fin_seen) {
    witness_end(h.w, 1 - h.own, IWARP_END_FIN, h.sent);
    (void)iwarp_endpoint_eof(h.ep);
    take_events();
  }
}

/* The peer resets the connection. Bits of the length: a send fails before what it sent was read,
 * and that is still to come. */
static void reset(uint16_t length) {
  if ((length & 1u) != 0) {
    fail_send();
  }
  if ((length & 3u) != 3u) {
    peer_ends(true);
  }
}

/* Does the action of a record that is no stream: the low bits of its kind. */
static void act(const script_record *r) {
  iwarp_span tape = {r->octets.ptr, r->octets.len};
  switch (r->kind % 8u) {
  case SCRIPT_FIN: peer_ends(false); return;
  case SCRIPT_RST: reset(r->length); return;
  case 4: pull(r->length); return;
  case 5: pull(SIZE_MAX); return;
  default:
    while (tape.len > 0) {
      ulp_act(&h.u, &tape);
      take_events();
    }
  }
}

static void begin(fuzz_in *f) {
  const uint8_t how = fuzz_u8(f);
  const uint8_t depths = fuzz_u8(f);
  const uint8_t more = fuzz_u8(f);
  const bool responder = fuzz_bool(f);
  iwarp_endpoint_cfg cfg =
      ulp_cfg(responder ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR, how, depths, more);
  ulp_new(&h.u, &cfg, fuzz_u8(f));
  const size_t size = iwarp_endpoint_size(&cfg);
  fuzz_expect(size > 0 && size <= sizeof block, "%zu octets of memory", size);
  h.peer_len = h.heard = h.given = h.out_len = 0;
  h.sent = 0;
  h.last = UINT64_MAX;
  h.size = size;
  h.lost = h.failed = h.fin_sent = h.fin_seen = false;
  h.own = responder ? 1 : 0;
  h.skips = (more & 1u) != 0 && (h.u.style & (ULP_BATCHES | ULP_COPIES)) == ULP_BATCHES;
  h.w = witness_new();
  memset(memory, 0, sizeof memory);
  fuzz_expect(iwarp_endpoint_init(&h.ep, block, size, &cfg) == IWARP_OK, "no endpoint");
  ulp_begin(&h.u, h.ep, memory, &cfg);
  fuzz_expect((responder ? iwarp_endpoint_listen(h.ep)
                         : iwarp_endpoint_connect(h.ep, (iwarp_span){0})) == IWARP_OK,
              "no start");
  h.u.pool.fail_every = (h.u.style & ULP_STARVES) != 0 ? 2 : 0;
  take_events();
}

/* No FPDU begins after a Terminate, of whichever side. RFC 5040 5.4 */
static void silent(void) {
  const iwarp_endpoint_info *info = iwarp_endpoint_info_get(h.ep);
  iwarp_mpa_startup frame;
  iwarp_mpa_fpdu v;
  iwarp_rdmap_seg seg;
  bool over = false;
  if (h.sent > SENT_MAX || !h.u.established) {
    return;
  }
  const iwarp_dec first = iwarp_mpa_startup_decode(&frame, (iwarp_span){sent, (size_t)h.sent});
  size_t at = first.err == IWARP_OK ? first.used : (size_t)h.sent;
  for (uint64_t off = 0; at < h.sent;) {
    const iwarp_dec d = iwarp_mpa_fpdu_decode(&v, (iwarp_span){&sent[at], (size_t)h.sent - at}, off,
                                              info->markers_out);
    fuzz_expect(!over && at < h.last, "an FPDU at octet %zu, after a Terminate", at);
    if (d.err != IWARP_OK) {
      return;
    }
    iwarp_span ulpdu;
    size_t cursor = 0;
    (void)iwarp_mpa_fpdu_ulpdu_span(&ulpdu, &cursor, &v);
    iwarp_rdmap_seg_decode(&seg, ulpdu, v.ulpdu_length);
    over = seg.has_ddp && seg.ctrl.opcode == IWARP_RDMAP_OP_TERMINATE;
    at += d.used;
    off += d.used;
  }
}

static void end(void) {
  h.u.pool.fail_every = 0;
  for (size_t i = 0; i < 8 && !h.u.closed && !h.lost; i++) { /* the clock ends all that is left */
    pull(SIZE_MAX);
    deliver();
    ulp_answer(&h.u);
    ulp_clock(&h.u, 255);
    take_events();
  }
  if (!h.lost) {
    lose();
  }
  fuzz_expect(h.u.closed || iwarp_endpoint_info_get(h.ep)->state == IWARP_ENDPOINT_DETACHED,
              "the connection does not end");
  silent();
  iwarp_endpoint_release(h.ep);
  fuzz_expect(h.u.pool.live == 0, "memory is lost");
  witness_finish(h.w);
  witness_tell(h.w, 1u << h.own);
  fuzz_expect(witness_count(h.w, 1u << h.own) == 0, "a violation of ours");
  witness_free(h.w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_in f = fuzz_begin(data, size);
  iwarp_span body = {f.body, f.len};
  script_record r;
  begin(&f);
  while (script_next(&r, &body)) {
    if (r.is_stream) {
      hear(&r);
    } else {
      act(&r);
    }
  }
  end();
  return 0;
}
