/* SPDX-License-Identifier: BSD-2-Clause */
/* Two endpoints with random operations agree, and an observer understands all that they say. */
#include <iwarp/observer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "ep_host.h"
#include "prng.h"
#include "property.h"

/* Where things lie in a host's memory: the areas do not overlap, so each can be predicted. */
#define SOURCE 0u      /* never written: Reads take from here */
#define TARGET 16384u  /* the peer's Writes */
#define SINK 32768u    /* Read Responses */
#define NUMBERS 49152u /* Atomic Operations */
#define BUFFERS 57344u /* receive buffers */
#define AREA 16384u
#define NUM_NUMBERS 16u
#define NUM_BUFFERS 4u
#define BUFFER_LEN 2000u
#define PARTS_MAX 3u
#define OPS 8u
#define RUNS_EACH 3u
#define STEPS 120u

#define STAG_ALL 0x100u /* all of it, for the peer */
#define STAG_SINK 0x200u
#define BASE UINT64_C(0x7FFFFFFF00000000)

/* An operation under way: what its completion must say. */
typedef struct op {
  iwarp_rdmap_opcode opcode;
  uint64_t original;
  uint32_t len;
  uint32_t sink; /* Read: where to, and from where */
  uint32_t source;
  iwarp_span parts[PARTS_MAX];
  uint8_t octets[BUFFER_LEN];
} op;

/* One side: the endpoint, and what is known about its future. */
typedef struct side {
  ep_host *h;
  op ops[OPS]; /* posted and not completed, by token modulo OPS */
  uint64_t posted;
  uint64_t completed;
  uint8_t *expect;                        /* its memory as it must be in the end */
  uint8_t sends[NUM_BUFFERS][BUFFER_LEN]; /* what it will receive, in order */
  uint32_t send_len[NUM_BUFFERS];
  iwarp_rdmap_opcode send_op[NUM_BUFFERS];
  uint64_t num_sends; /* to it, in all */
  uint64_t num_recvs;
  uint64_t pos; /* of the stream that it sends */
} side;

typedef struct fixture {
  side s[2];
  iwarp_observer *conn;
  uint64_t packet;
  uint64_t fpdus;
  prng p;
} fixture;

/* ---- the observer ---- */

static void observe(fixture *w, uint8_t from, const uint8_t *octets, size_t n) {
  const iwarp_meta meta = {
      .packet = ++w->packet, .peer_pos = IWARP_POS_UNKNOWN, .segment_start = true};
  iwarp_event ev;
  ok(iwarp_observer_push(w->conn, from, (iwarp_span){octets, n}, &meta));
  while (iwarp_observer_next_event(w->conn, &ev) == IWARP_OK) {
    expect(ev.kind == IWARP_EVENT_STARTUP || ev.kind == IWARP_EVENT_FPDU, "event %d", ev.kind);
    if (ev.kind == IWARP_EVENT_FPDU) {
      expect(ev.u.fpdu.crc != IWARP_CRC_BAD && ev.u.fpdu.sync == IWARP_SYNC_STARTUP &&
                 ev.u.fpdu.seg.err == IWARP_OK,
             "an FPDU is wrong");
      w->fpdus++;
    }
  }
}

/* ---- what is reported to a side ---- */

static void post_buffer(side *s, uint64_t token) {
  ok(iwarp_endpoint_recv(s->h->ep, token, &s->h->mem[BUFFERS + token * BUFFER_LEN], BUFFER_LEN));
}

static void received(side *s, const iwarp_endpoint_received *r) {
  const size_t i = s->num_recvs % NUM_BUFFERS;
  expect(r->err == IWARP_OK && r->token == i && s->num_recvs < s->num_sends, "a receive");
  expect(r->opcode == s->send_op[i], "opcode %d, not %d", r->opcode, s->send_op[i]);
  if (r->opcode >= IWARP_RDMAP_OP_IMMEDIATE) {
    expect(memcmp(r->immediate, s->sends[i], sizeof r->immediate) == 0, "Immediate Data");
  } else {
    expect(r->len == s->send_len[i], "%u octets, not %u", r->len, s->send_len[i]);
    expect(memcmp(&s->h->mem[BUFFERS + i * BUFFER_LEN], s->sends[i], r->len) == 0, "octets");
  }
  expect(r->solicited ==
             (r->opcode == IWARP_RDMAP_OP_SEND_SE || r->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE),
         "Solicited Event");
  s->num_recvs++;
  post_buffer(s, i);
}

static void completed(side *s, const side *peer, const iwarp_endpoint_done *d) {
  const op *o = &s->ops[s->completed % OPS];
  expect(d->token == s->completed && d->err == IWARP_OK && d->opcode == o->opcode, "a completion");
  if (d->opcode == IWARP_RDMAP_OP_READ_REQ) {
    expect(memcmp(&s->h->mem[o->sink], &peer->h->mem[o->source], o->len) == 0, "a Read");
  } else if (d->opcode == IWARP_RDMAP_OP_ATOMIC_REQ) {
    expect(d->original == o->original, "an Atomic Operation");
  }
  s->completed++;
}

static void look(fixture *w, size_t who) {
  side *s = &w->s[who];
  ep_host_run(s->h);
  for (size_t i = 0; i < s->h->num_log; i++) {
    const iwarp_endpoint_event *ev = &s->h->log[i];
    if (ev->kind == IWARP_ENDPOINT_EVENT_RECV) {
      received(s, &ev->u.recv);
    } else if (ev->kind == IWARP_ENDPOINT_EVENT_DONE) {
      completed(s, &w->s[1 - who], &ev->u.done);
    } else {
      expect(ev->kind == IWARP_ENDPOINT_EVENT_ATOMIC ||
                 ev->kind == IWARP_ENDPOINT_EVENT_ESTABLISHED ||
                 ev->kind <= IWARP_ENDPOINT_EVENT_REPLY,
             "event %d", (int)ev->kind);
    }
  }
  s->h->num_log = 0;
}

/* ---- operations ---- */

static uint32_t some(fixture *w, uint32_t limit) {
  return (uint32_t)prng_below(&w->p, limit);
}

/* Fills the payload of `o`, in parts. */
static iwarp_tx_payload payload(fixture *w, op *o) {
  const size_t parts = 1 + some(w, PARTS_MAX);
  size_t at = 0;
  o->len = some(w, 4) == 0 ? some(w, 8) : some(w, BUFFER_LEN + 1);
  prng_fill(&w->p, o->octets, o->len);
  for (size_t i = 0; i < parts; i++) {
    const size_t len = i + 1 == parts ? o->len - at : some(w, (uint32_t)(o->len - at) + 1);
    o->parts[i] = (iwarp_span){&o->octets[at], len};
    at += len;
  }
  return (iwarp_tx_payload){.parts = o->parts, .num_parts = parts};
}

/* Notes what the peer will receive; false when it has no buffer for it. */
static bool predict_send(side *peer, const op *o) {
  const size_t i = peer->num_sends % NUM_BUFFERS;
  if (peer->num_sends - peer->num_recvs == NUM_BUFFERS) {
    return false;
  }
  memcpy(peer->sends[i], o->octets, o->len);
  peer->send_len[i] = o->len;
  peer->send_op[i] = o->opcode;
  peer->num_sends++;
  return true;
}

static bool post_send(fixture *w, side *s, side *peer, op *o) {
  const iwarp_tx_payload p = payload(w, o);
  o->opcode = some(w, 2) == 0 ? IWARP_RDMAP_OP_SEND : IWARP_RDMAP_OP_SEND_SE;
  if (!predict_send(peer, o)) {
    return false;
  }
  ok(iwarp_endpoint_send(s->h->ep, s->posted, o->opcode, 0, p));
  return true;
}

static bool post_immediate(fixture *w, side *s, side *peer, op *o) {
  const bool se = some(w, 2) == 0;
  o->len = IWARP_RDMAP_IMMEDIATE_LEN;
  o->opcode = se ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE;
  prng_fill(&w->p, o->octets, o->len);
  if (!predict_send(peer, o)) {
    return false;
  }
  ok(iwarp_endpoint_immediate(s->h->ep, s->posted, se, o->octets));
  return true;
}

static bool post_write(fixture *w, side *s, side *peer, op *o) {
  const iwarp_tx_payload p = payload(w, o);
  const uint32_t at = TARGET + some(w, AREA - o->len);
  o->opcode = IWARP_RDMAP_OP_WRITE;
  memcpy(&peer->expect[at], o->octets, o->len);
  ok(iwarp_endpoint_write(s->h->ep, s->posted, STAG_ALL, BASE + at, p));
  return true;
}

static bool post_read(fixture *w, side *s, side *peer, op *o) {
  o->opcode = IWARP_RDMAP_OP_READ_REQ;
  o->len = some(w, AREA / OPS);
  o->source = SOURCE + some(w, AREA - o->len);
  o->sink = SINK + (uint32_t)(s->posted % OPS) * (AREA / OPS);
  memcpy(&s->expect[o->sink], &peer->expect[o->source], o->len);
  const iwarp_rdmap_read_req req = {.sink_stag = STAG_SINK,
                                    .sink_to = o->sink - SINK,
                                    .size = o->len,
                                    .source_stag = STAG_ALL,
                                    .source_to = BASE + o->source};
  ok(iwarp_endpoint_read(s->h->ep, s->posted, &req));
  return true;
}

static bool post_atomic(fixture *w, side *s, side *peer, op *o) {
  const uint32_t at = NUMBERS + 8 * some(w, NUM_NUMBERS);
  iwarp_rdmap_atomic_req r = {.stag = STAG_ALL, .to = BASE + at};
  uint64_t now;
  r.add_swap_data = prng_next(&w->p);
  r.add_swap_mask = prng_next(&w->p);
  r.compare_mask = some(w, 2) == 0 ? 0 : prng_next(&w->p);
  memcpy(&o->original, &peer->expect[at], sizeof o->original);
  o->opcode = IWARP_RDMAP_OP_ATOMIC_REQ;
  if (some(w, 2) == 0) {
    r.aopcode = IWARP_RDMAP_AOP_FETCH_ADD;
    now = iwarp_rdmap_fetch_add(o->original, r.add_swap_data, r.add_swap_mask);
  } else {
    r.aopcode = IWARP_RDMAP_AOP_CMP_SWAP;
    now = iwarp_rdmap_cmp_swap(o->original, r.add_swap_data, r.add_swap_mask, r.compare_data,
                               r.compare_mask);
  }
  memcpy(&peer->expect[at], &now, sizeof now);
  ok(iwarp_endpoint_atomic(s->h->ep, s->posted, &r));
  return true;
}

typedef bool post_fn(fixture *w, side *s, side *peer, op *o);

static void post(fixture *w, size_t who) {
  static post_fn *const kinds[] = {post_send, post_immediate, post_write, post_read, post_atomic};
  side *s = &w->s[who];
  op *o = &s->ops[s->posted % OPS];
  if (s->posted - s->completed == OPS) {
    return;
  }
  s->posted += kinds[some(w, 5)](w, s, &w->s[1 - who], o) ? 1 : 0;
}

/* ---- the way between them ---- */

/* Carries some octets; false if no octets were left. */
static bool carry(fixture *w, size_t who, bool all) {
  uint8_t octets[4096];
  side *s = &w->s[who];
  const size_t cap = all ? sizeof octets : 1 + some(w, sizeof octets);
  const size_t n = ep_host_pull(s->h, octets, cap);
  if (n > 0) {
    observe(w, (uint8_t)who, octets, n);
    ep_host_push(w->s[1 - who].h, octets, n, 1 + some(w, 1500));
  }
  look(w, 0);
  look(w, 1);
  return n > 0;
}

static void drain(fixture *w) {
  bool moved = true;
  while (moved) {
    moved = carry(w, 0, true);
    moved = carry(w, 1, true) || moved;
  }
}

/* ---- a run ---- */

static void side_new(fixture *w, size_t who, unsigned how) {
  side *s = &w->s[who];
  iwarp_endpoint_cfg cfg = ep_cfg(who == 0 ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER);
  cfg.markers = (how >> who & 1) != 0;
  cfg.no_crc = (how & 4) == 0;
  cfg.pack = (how & 8) != 0;
  cfg.peer_to_peer = (how & 16) != 0;
  cfg.rev = (how & 32) != 0 ? 1 : 2;
  cfg.emss = 128 + some(w, 3000);
  cfg.ird = (uint16_t)(1 + some(w, 4));
  cfg.ord = (uint16_t)(1 + some(w, 4));
  cfg.rtr = (uint8_t)(1 + some(w, 7));
  if (who == 1) {
    cfg.rtr = 0;
    if (cfg.rev == 1) { /* nothing is negotiated: what was configured holds */
      cfg.ird = 4;
    }
  } else if (cfg.rev == 1) {
    cfg.ird = 4;
  }
  cfg.num_sends = OPS;
  s->h = ep_host_new(&cfg);
  s->expect = malloc(EP_HOST_MEM);
  ck_assert_ptr_nonnull(s->expect);
  prng_fill(&w->p, s->h->mem, EP_HOST_MEM);
  memcpy(s->expect, s->h->mem, EP_HOST_MEM);
  const iwarp_endpoint_region all = {
      .stag = STAG_ALL,
      .pd = cfg.pd,
      .base = BASE,
      .len = BUFFERS,
      .mem = s->h->mem,
      .access = IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE | IWARP_ACCESS_REMOTE_ATOMIC};
  const iwarp_endpoint_region sink = {
      .stag = STAG_SINK, .pd = cfg.pd, .len = AREA, .mem = &s->h->mem[SINK]};
  ok(iwarp_endpoint_register(s->h->ep, &all));
  ok(iwarp_endpoint_register(s->h->ep, &sink));
  for (uint64_t token = 0; token < NUM_BUFFERS; token++) {
    post_buffer(s, token);
  }
}

static void start(fixture *w) {
  const iwarp_span nothing = {0};
  ok(iwarp_endpoint_listen(w->s[1].h->ep));
  ok(iwarp_endpoint_connect(w->s[0].h->ep, nothing));
  drain(w);
  ok(iwarp_endpoint_accept(w->s[1].h->ep, nothing));
  drain(w);
  ok(iwarp_endpoint_accept(w->s[0].h->ep, nothing));
  drain(w);
}

/* Both close in order: SHUTDOWN, then the end without complaint. */
static void finish(fixture *w) {
  for (size_t who = 0; who < 2; who++) {
    ok(iwarp_endpoint_close(w->s[who].h->ep));
    ep_host_run(w->s[who].h);
    expect(ep_host_count(w->s[who].h, IWARP_ENDPOINT_EVENT_SHUTDOWN) == 1, "no SHUTDOWN");
    ok(iwarp_endpoint_eof(w->s[1 - who].h->ep));
    ep_host_run(w->s[1 - who].h);
  }
  for (size_t who = 0; who < 2; who++) {
    const iwarp_endpoint_event *ev = ep_host_last(w->s[who].h, IWARP_ENDPOINT_EVENT_CLOSED);
    expect(ev != NULL && ev->u.closed.err == IWARP_OK && !ev->u.closed.disconnect, "an end");
  }
}

/* Returns how many FPDUs went over the wire. */
static uint64_t run(uint64_t seed, unsigned how) {
  static const iwarp_observer_cfg conn_cfg = {.size = sizeof conn_cfg, .max_ulpdu = UINT16_MAX};
  fixture *w = calloc(1, sizeof *w);
  void *mem = malloc(iwarp_observer_size(&conn_cfg));
  ck_assert(w != NULL && mem != NULL);
  w->p.state = seed;
  ok(iwarp_observer_init(&w->conn, mem, iwarp_observer_size(&conn_cfg), &conn_cfg));
  side_new(w, 0, how);
  side_new(w, 1, how);
  start(w);
  for (size_t step = 0; step < STEPS; step++) {
    post(w, some(w, 2));
    if (some(w, 2) == 0) {
      (void)carry(w, some(w, 2), false);
    }
  }
  post(w, 0); /* the Responder may wait for something to answer */
  drain(w);
  for (size_t who = 0; who < 2; who++) {
    const side *s = &w->s[who];
    const bool fenced = iwarp_endpoint_info_get(s->h->ep)->state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU;
    expect(!fenced && s->completed == s->posted, "side %zu: %llu of %llu", who,
           (unsigned long long)s->completed, (unsigned long long)s->posted);
    expect(s->num_recvs == s->num_sends, "a Send is missing");
    expect(memcmp(s->h->mem, s->expect, BUFFERS) == 0, "memory differs");
  }
  finish(w);
  const uint64_t fpdus = w->fpdus;
  for (size_t who = 0; who < 2; who++) {
    ep_host_free(w->s[who].h);
    free(w->s[who].expect);
  }
  free(mem);
  free(w);
  return fpdus;
}

START_TEST(two_endpoints_agree)
{
  uint64_t fpdus = 0;
  uint64_t runs = 0;
  property rounds =
      property_begin("two_endpoints_agree", UINT64_C(1000000) * (unsigned)_i, RUNS_EACH);
  while (property_next(&rounds)) {
    fpdus += run(rounds.seed, (unsigned)_i);
    runs++;
  }
  expect(runs < RUNS_EACH || fpdus > runs * STEPS / 2, "too little was said");
}
END_TEST

int main(void) {
  const property_test tests[] = {{two_endpoints_agree, 64}, {NULL, 0}};
  return property_main("endpoint", tests);
}
