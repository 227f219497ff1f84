/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An endpoint, as Initiator or Responder, against a hostile peer: a script holds the peer's octets
 * and what the ULP does between them. The model of the ULP holds, no rule finds fault with the
 * endpoint.
 */
#include <stdalign.h>
#include <string.h>

#include "script.h"
#include "ulp.h"
#include "witness.h"

const fuzz_form fuzz_target_form = FUZZ_FORM_SCRIPT;

#define OUT_MAX 65536u /* octets that the endpoint may have handed out and not sent yet */
#define PULLS_MAX 4096u

typedef struct host {
  ulp u;
  iwarp_endpoint *ep;
  witness *w;
  uint8_t own;   /* side of the endpoint: 0 as Initiator */
  bool lost;     /* the transport connection is gone */
  bool fin_sent; /* this half is closed */
  bool fin_seen; /* the peer's half is closed */
  uint8_t peer[FUZZ_BODY_MAX];
  size_t peer_len;      /* octets that the peer sent */
  size_t heard;         /* of them those pushed in order */
  uint64_t sent;        /* octets of the endpoint */
  uint8_t out[OUT_MAX]; /* copied as they were handed out, not sent yet */
  size_t out_len;
} host;

static alignas(max_align_t) uint8_t block[1u << 20];
static alignas(max_align_t) uint8_t memory[ULP_MEM];
static host h;

static void lose(void);

static void take_events(void) {
  iwarp_endpoint_ev ev;
  bool shutdown = false;
  while (iwarp_endpoint_next_event(h.ep, &ev) == IWARP_OK) {
    ulp_event(&h.u, &ev, true);
    shutdown = shutdown || ev.kind == IWARP_ENDPOINT_EVENT_SHUTDOWN;
  }
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

static void lose(void) {
  h.lost = true;
  h.out_len = 0;
  witness_end(h.w, h.own, IWARP_END_RST, h.heard);
  witness_end(h.w, 1 - h.own, IWARP_END_RST, h.sent);
  (void)iwarp_endpoint_lost(h.ep);
  take_events();
}

/* Copies what is handed out, as far as it was not copied before. */
static bool look(void) {
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  size_t at = 0;
  if (iwarp_endpoint_next_output(h.ep, spans, IWARP_TX_SPANS_MIN, &out) != IWARP_OK) {
    fuzz_expect(h.out_len == 0, "octets handed out are gone");
    return false;
  }
  fuzz_expect(out.len > 0 && out.len <= OUT_MAX, "%zu octets handed out", out.len);
  fuzz_expect(!h.u.closed && !h.fin_sent, "octets to send after the end");
  fuzz_expect(out.len >= h.out_len, "fewer octets than before");
  for (size_t i = 0; i < out.num_spans; at += spans[i].len, i++) {
    const size_t skip = at < h.out_len ? h.out_len - at : 0;
    if (skip < spans[i].len) {
      memcpy(&h.out[at + skip], spans[i].ptr + skip, spans[i].len - skip);
      h.out_len = at + spans[i].len;
    }
  }
  fuzz_expect(at == out.len, "%zu octets in the spans of %zu", at, out.len);
  return true;
}

/* Sends at most `most` octets. */
static void pull(size_t most) {
  size_t rounds = 0;
  while (most > 0 && !h.lost && look()) {
    const size_t n = h.out_len < most ? h.out_len : most;
    witness_push(h.w, h.own, (iwarp_span){h.out, n}, h.heard);
    h.sent += n;
    h.out_len -= n;
    memmove(h.out, &h.out[n], h.out_len);
    fuzz_expect(iwarp_endpoint_advance(h.ep, n) == IWARP_OK, "advance");
    most -= n;
    take_events();
    fuzz_expect(++rounds <= PULLS_MAX, "there is no end of output");
  }
}

/* What the peer sent and the endpoint did not get yet. */
static void deliver(void) {
  if (h.lost || h.u.closed || h.fin_seen || h.heard == h.peer_len) {
    return;
  }
  uint64_t at = iwarp_endpoint_rx_offset(h.ep);
  at = at > h.peer_len ? h.peer_len : at;
  const size_t heard = h.heard;
  h.heard = h.peer_len;
  const iwarp_err err =
      iwarp_endpoint_push_at(h.ep, heard, (iwarp_span){&h.peer[heard], h.peer_len - heard});
  if (err != IWARP_OK) {
    h.heard = heard;
  }
  take_events();
}

static void hear(const script_record *r) {
  const size_t n =
      r->octets.len < sizeof h.peer - h.peer_len ? r->octets.len : sizeof h.peer - h.peer_len;
  if (h.lost || h.fin_seen || n == 0) {
    return;
  }
  const size_t at = h.peer_len;
  if (at == 0) { /* it answers: what the endpoint says first was sent */
    pull(SIZE_MAX);
  }
  memcpy(&h.peer[at], r->octets.ptr, n);
  h.peer_len += n;
  witness_push(h.w, 1 - h.own, (iwarp_span){&h.peer[at], n}, h.sent);
  if ((r->kind & SCRIPT_HELD) == 0 ||
      at == 0) { /* the one in whose turn Requests cross is blamed */
    deliver();
  } else if (at > h.heard) { /* before those that are held */
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

/* The low bits of a record's kind: what is no stream. */
static void act(const script_record *r) {
  iwarp_span tape = {r->octets.ptr, r->octets.len};
  switch (r->kind % 8u) {
  case SCRIPT_FIN: peer_ends(false); return;
  case SCRIPT_RST: peer_ends(true); return;
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
  const iwarp_endpoint_cfg cfg =
      ulp_cfg(responder ? IWARP_ROLE_RESPONDER : IWARP_ROLE_INITIATOR, how, depths, more);
  const size_t size = iwarp_endpoint_size(&cfg);
  fuzz_expect(size > 0 && size <= sizeof block, "%zu octets of memory", size);
  h.peer_len = h.heard = h.out_len = 0;
  h.sent = 0;
  h.lost = h.fin_sent = h.fin_seen = false;
  h.own = responder ? 1 : 0;
  h.w = witness_new();
  memset(memory, 0, sizeof memory);
  fuzz_expect(iwarp_endpoint_init(&h.ep, block, size, &cfg) == IWARP_OK, "no endpoint");
  ulp_begin(&h.u, h.ep, memory, &cfg);
  fuzz_expect((responder ? iwarp_endpoint_listen(h.ep)
                         : iwarp_endpoint_connect(h.ep, (iwarp_span){0})) == IWARP_OK,
              "no start");
  take_events();
}

static void end(void) {
  for (size_t i = 0; i < 8 && !h.u.closed && !h.lost; i++) { /* the clock ends what is left */
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
