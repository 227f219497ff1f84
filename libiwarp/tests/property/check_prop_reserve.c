/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Octets that are read straight into place and octets that are pushed come to the same: two
 * endpoints get the same stream, cut in random places. One gets it by pushes, the other by reads
 * into place too, and the pool of memory is empty now and then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "ep_host.h"
#include "prng.h"
#include "property.h"
#include "test_pool.h"

#define STAG 0x100u
#define AREA 49152u /* octets of the region, with which memory begins */
#define BUFFER_LEN 4096u
#define NUM_BUFFERS 4u
#define OPS 4u
#define STEPS 40u
#define ROUNDS 12u
#define OUT_MAX 262144u

/* The sender, the two that receive the same, and what each of these has answered. */
typedef struct fixture {
  prng p;
  ep_host *sender;
  ep_host *pushed;
  ep_host *direct;
  uint8_t source[BUFFER_LEN];
  iwarp_span part;
  uint64_t posted;
  uint64_t taken; /* Sends whose buffers are posted again */
  uint64_t sends;
  uint64_t committed; /* octets */
  test_pool pool;     /* of the sender and the one where octets land */
  uint8_t octets[OUT_MAX];
  uint8_t answer[2][OUT_MAX];
} fixture;

static uint32_t some(fixture *w, uint32_t limit) {
  return (uint32_t)prng_below(&w->p, limit);
}

/* ---- the two agree ---- */

static bool same_fault(const iwarp_endpoint_fault *a, const iwarp_endpoint_fault *b) {
  uint8_t octets[2][IWARP_DDP_UNTAGGED_LEN] = {{0}, {0}};
  size_t len[2] = {0, 0};
  (void)iwarp_ddp_hdr_encode(octets[0], sizeof octets[0], &len[0], &a->ddp);
  (void)iwarp_ddp_hdr_encode(octets[1], sizeof octets[1], &len[1], &b->ddp);
  return a->layer == b->layer && a->etype == b->etype && a->code == b->code && a->sent == b->sent &&
         a->term == b->term && a->offset == b->offset && a->has_ddp == b->has_ddp &&
         (!a->has_ddp || memcmp(octets[0], octets[1], sizeof octets[0]) == 0);
}

static void same_event(const iwarp_endpoint_event *a, const iwarp_endpoint_event *b) {
  expect(a->kind == b->kind, "event %d, not %d", (int)b->kind, (int)a->kind);
  if (a->kind == IWARP_ENDPOINT_EVENT_RECV) {
    const iwarp_endpoint_received *r = &a->u.recv;
    const iwarp_endpoint_received *s = &b->u.recv;
    expect(r->token == s->token && r->err == s->err && r->cause == s->cause &&
               r->opcode == s->opcode && r->len == s->len && r->solicited == s->solicited,
           "a receive");
  } else if (a->kind == IWARP_ENDPOINT_EVENT_DONE) {
    expect(a->u.done.token == b->u.done.token && a->u.done.err == b->u.done.err, "a completion");
  } else if (a->kind == IWARP_ENDPOINT_EVENT_FAULT) {
    expect(same_fault(&a->u.fault, &b->u.fault), "a fault");
  } else if (a->kind == IWARP_ENDPOINT_EVENT_CLOSED) {
    expect(a->u.closed.err == b->u.closed.err && a->u.closed.cause == b->u.closed.cause, "the end");
  }
}

static void same(const fixture *w, bool memory) {
  const ep_host *a = w->pushed;
  const ep_host *b = w->direct;
  expect(a->num_log == b->num_log, "%zu events, not %zu", b->num_log, a->num_log);
  for (size_t i = 0; i < a->num_log; i++) {
    same_event(&a->log[i], &b->log[i]);
  }
  expect(a->placed == b->placed, "%zu octets placed, not %zu", b->placed, a->placed);
  expect(iwarp_endpoint_rx_offset(a->ep) == iwarp_endpoint_rx_offset(b->ep), "the next octet");
  expect(iwarp_endpoint_info_get(a->ep)->state == iwarp_endpoint_info_get(b->ep)->state, "state");
  expect(!memory || memcmp(a->mem, b->mem, EP_HOST_MEM) == 0, "memory differs");
}

/* What both answer, which is the same, goes to the sender. */
static void answer(fixture *w) {
  const size_t n = ep_host_pull(w->pushed, w->answer[0], OUT_MAX);
  const size_t m = ep_host_pull(w->direct, w->answer[1], OUT_MAX);
  expect(n == m && memcmp(w->answer[0], w->answer[1], n) == 0, "other answers");
  ep_host_push(w->sender, w->answer[0], n, 1 + some(w, 3000));
  ep_host_run(w->sender);
}

/* ---- the stream ---- */

static void push_part(fixture *w, ep_host *h, const uint8_t *octets, size_t n) {
  ep_host_push(h, octets, n, 1 + some(w, 2000));
}

/* Some octets of `n` land, or are pushed where none are to land; returns how many. */
static size_t land_part(fixture *w, const uint8_t *octets, size_t n) {
  const size_t part = some(w, 3) == 0 ? n : 1 + some(w, (uint32_t)n);
  const size_t committed =
      some(w, 4) == 0 ? 0 : ep_host_land(w->direct, octets, part, 1 + some(w, EP_HOST_SPACES));
  w->committed += committed;
  if (committed > 0) {
    return committed;
  }
  const size_t few = 1 + some(w, 40);
  const size_t len = part < few ? part : few; /* so that headers come without their payload */
  push_part(w, w->direct, octets, len);
  return len;
}

static void deliver(fixture *w, const uint8_t *octets, size_t n) {
  push_part(w, w->pushed, octets, n);
  for (size_t at = 0; at < n;) {
    at += land_part(w, octets + at, n - at);
  }
}

/* The receive buffers of Sends that have come are posted again, at both. */
static void post_buffers(fixture *w) {
  for (; w->taken < w->sends; w->taken++) {
    const uint64_t token = w->taken % NUM_BUFFERS;
    const size_t at = AREA + (size_t)token * BUFFER_LEN;
    ok(iwarp_endpoint_recv(w->pushed->ep, token, w->pushed->mem + at, BUFFER_LEN));
    ok(iwarp_endpoint_recv(w->direct->ep, token, w->direct->mem + at, BUFFER_LEN));
  }
}

static void post(fixture *w) {
  const uint32_t len = some(w, 4) == 0 ? some(w, 8) : some(w, BUFFER_LEN + 1);
  const uint64_t token = w->posted++;
  const iwarp_tx_payload payload = {&w->part, 1};
  const uint32_t at = some(w, AREA - BUFFER_LEN);
  const iwarp_rdmap_read_req req = {
      .sink_stag = STAG, .size = len, .source_stag = STAG, .source_to = at};
  prng_fill(&w->p, w->source, sizeof w->source);
  w->part = (iwarp_span){w->source, len};
  switch (some(w, 4)) {
  case 0:
    ok(iwarp_endpoint_send(w->sender->ep, token, IWARP_RDMAP_OP_SEND_SE, 0, payload));
    w->sends++;
    break;
  case 1: ok(iwarp_endpoint_read(w->sender->ep, token, &req)); break;
  default: ok(iwarp_endpoint_write(w->sender->ep, token, STAG, at, payload)); break;
  }
}

/* One operation, to its end; `spoil`: an octet of it is changed. Returns whether all is right. */
static bool step(fixture *w, bool spoil) {
  post(w);
  const size_t n = ep_host_pull(w->sender, w->octets, OUT_MAX);
  if (spoil) {
    w->octets[some(w, (uint32_t)n)] ^= (uint8_t)(1u << some(w, 8));
  }
  deliver(w, w->octets, n);
  same(w, !spoil);
  answer(w);
  ep_host_run(w->pushed);
  ep_host_run(w->direct);
  same(w, !spoil);
  const bool right = ep_host_count(w->pushed, IWARP_ENDPOINT_EVENT_FAULT) == 0;
  if (right && !spoil) {
    post_buffers(w);
  }
  return right && !spoil;
}

/* ---- a run ---- */

static void give_memory(ep_host *h) {
  const iwarp_endpoint_region v = {.stag = STAG,
                                   .pd = 7,
                                   .len = AREA,
                                   .mem = h->mem,
                                   .access = IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE};
  ok(iwarp_endpoint_register(h->ep, &v));
}

static ep_host *receiver(unsigned how, const iwarp_pool *pool) {
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_RESPONDER);
  cfg.markers = (how & 1) != 0;
  cfg.no_crc = (how & 2) == 0;
  cfg.place_before_crc = (how & 32) == 0 || !cfg.markers;
  cfg.pool = pool;
  ep_host *h = ep_host_new(&cfg);
  give_memory(h);
  ok(iwarp_endpoint_listen(h->ep));
  return h;
}

static void start(fixture *w, unsigned how) {
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  cfg.no_crc = true;
  cfg.pack = (how & 4) != 0;
  cfg.emss = 200 + some(w, 5000);
  test_pool_begin(&w->pool, 0);
  cfg.pool = (how & 16) != 0 ? &w->pool.pool : NULL;
  w->sender = ep_host_new(&cfg);
  w->pushed = receiver(how, NULL);
  w->direct = receiver(how, cfg.pool);
  give_memory(w->sender);
  w->sends = NUM_BUFFERS;
  post_buffers(w);
  w->sends = 0;
  w->taken = 0;
  ok(iwarp_endpoint_connect(w->sender->ep, (iwarp_span){0}));
  const size_t n = ep_host_pull(w->sender, w->octets, OUT_MAX);
  deliver(w, w->octets, n);
  ok(iwarp_endpoint_accept(w->pushed->ep, (iwarp_span){0}));
  ok(iwarp_endpoint_accept(w->direct->ep, (iwarp_span){0}));
  answer(w);
  ok(iwarp_endpoint_accept(w->sender->ep, (iwarp_span){0}));
  w->pool.fail_every = 2 + some(w, 3);
}

static uint64_t run(uint64_t seed, unsigned how) {
  fixture *w = calloc(1, sizeof *w);
  ck_assert_ptr_nonnull(w);
  w->p.state = seed;
  start(w, how);
  const uint32_t steps = some(w, STEPS);
  bool right = true;
  for (uint32_t i = 0; right && i < steps; i++) {
    right = step(w, (how & 8) != 0 && i + 1 == steps);
  }
  ok(iwarp_endpoint_lost(w->pushed->ep));
  ok(iwarp_endpoint_lost(w->direct->ep));
  ok(iwarp_endpoint_abort(w->sender->ep));
  ep_host_run(w->pushed);
  ep_host_run(w->direct);
  ep_host_run(w->sender);
  same(w, false);
  expect(w->pool.live == 0, "%zu bytes of the pool", w->pool.live);
  const uint64_t committed = w->committed;
  ep_host_free(w->sender);
  ep_host_free(w->pushed);
  ep_host_free(w->direct);
  free(w);
  return committed;
}

START_TEST(reads_in_place_are_as_pushes)
{
  uint64_t committed = 0;
  property rounds =
      property_begin("reads_in_place_are_as_pushes", UINT64_C(1000000) * (unsigned)_i, ROUNDS);
  while (property_next(&rounds)) {
    committed += run(rounds.seed, (unsigned)_i);
  }
  expect(property_few() || committed > 10000, "only %llu octets committed",
         (unsigned long long)committed);
}
END_TEST

int main(void) {
  const property_test tests[] = {{reads_in_place_are_as_pushes, 64}, {NULL, 0}};
  return property_main("reserve", tests);
}
