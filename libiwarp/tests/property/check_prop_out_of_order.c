/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that come out of order give the same memory and the same completions as in order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "endpoint_pair.h"
#include "prng.h"
#include "property.h"

#define STREAM_MAX 65536u
#define NUM_OPS 12u
#define NUM_SEGMENTS 512u
#define REGION 0x5A5Au
#define SINK 0x6B6Bu
#define BASE UINT64_C(0x10000)
#define MESSAGE_MAX 2048u
#define AREA (NUM_OPS * MESSAGE_MAX) /* what A writes to, and B reads */
#define SINK_LEN 12288u              /* after it where B reads to, then the receive buffers */
#define BUFFERS (AREA + SINK_LEN)

/* What one side sends: the octets of its stream from its first one on. */
typedef struct stream {
  uint8_t octets[STREAM_MAX];
  bool there[STREAM_MAX]; /* the receiving transport holds them */
  size_t len;
} stream;

typedef struct segment {
  size_t at;
  size_t len;
} segment;

typedef struct run {
  prng r;
  ep_host *a; /* sends */
  ep_host *b;
  stream s;
  bool drops; /* the transport drops what was placed */
  size_t reported;
  size_t num_out_of_order;
} run;

static iwarp_endpoint_cfg run_cfg(iwarp_role role, uint32_t emss) {
  iwarp_endpoint_cfg cfg = ep_cfg(role);
  cfg.markers = true;
  cfg.emss = emss;
  cfg.num_sends = NUM_OPS;
  cfg.num_recvs = NUM_OPS;
  cfg.num_out_of_order = 8;
  cfg.max_partial = 3;
  return cfg;
}

static void region(ep_host *h, uint32_t stag, size_t at, size_t len) {
  const iwarp_endpoint_region v = {.stag = stag,
                                   .pd = 7,
                                   .base = BASE,
                                   .len = len,
                                   .mem = h->mem + at,
                                   .access = IWARP_ACCESS_REMOTE_READ | IWARP_ACCESS_REMOTE_WRITE};
  ok(iwarp_endpoint_register(h->ep, &v));
}

/* A posts Sends and Writes; B reads, so that A answers too. */
static void post(run *t, uint32_t i, const uint8_t *payload) {
  const size_t len = prng_size(&t->r, MESSAGE_MAX + 1u);
  const iwarp_span part = {payload, len};
  const iwarp_tx_payload p = {&part, 1};
  if (prng_below(&t->r, 3) == 0) {
    ok(iwarp_endpoint_write(t->a->ep, i, REGION, BASE + (uint64_t)i * MESSAGE_MAX, p));
  } else if (prng_below(&t->r, 8) == 0) {
    ok(iwarp_endpoint_immediate(t->a->ep, i, false, payload));
  } else {
    ok(iwarp_endpoint_send(t->a->ep, i, IWARP_RDMAP_OP_SEND, 0, p));
  }
}

static void post_all(run *t, const uint8_t *payload) {
  for (uint32_t i = 0; i < NUM_OPS; i++) {
    ok(iwarp_endpoint_recv(t->b->ep, i, t->b->mem + BUFFERS + (size_t)i * MESSAGE_MAX,
                           MESSAGE_MAX));
    post(t, i, payload + i);
  }
  const iwarp_rdmap_read_req req = {.sink_stag = SINK,
                                    .sink_to = BASE + 100,
                                    .size = SINK_LEN - 100,
                                    .source_stag = REGION,
                                    .source_to = BASE};
  ok(iwarp_endpoint_read(t->b->ep, 100, &req));
}

/* The octets that A sends now, after its startup frame and RTR message. */
static void collect(run *t) {
  uint8_t octets[4096];
  size_t n = ep_host_pull(t->b, octets, sizeof octets);
  ep_host_push(t->a, octets, n, n);
  t->s.len = (size_t)iwarp_endpoint_rx_offset(t->b->ep);
  do {
    n = ep_host_pull(t->a, &t->s.octets[t->s.len], STREAM_MAX - t->s.len);
    t->s.len += n;
  } while (n > 0);
  ck_assert_uint_lt(t->s.len, STREAM_MAX);
}

/* Learns from the events which octets need not come again. */
static void learn(run *t) {
  for (; t->reported < t->b->num_log; t->reported++) {
    const iwarp_endpoint_event *ev = &t->b->log[t->reported];
    if (ev->kind == IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER) {
      t->num_out_of_order++;
      for (uint64_t i = 0; i < ev->u.out_of_order.len && t->drops; i++) {
        t->s.there[ev->u.out_of_order.offset + i] = false;
      }
    }
    ck_assert_int_ne(ev->kind, IWARP_ENDPOINT_EVENT_FAULT);
  }
}

static void give(run *t, size_t at, size_t len) {
  ok(iwarp_endpoint_push_at(t->b->ep, at, (iwarp_span){&t->s.octets[at], len}));
  ep_host_run(t->b);
  learn(t);
}

/* Gives B what is in order now. */
static void deliver(run *t) {
  for (;;) {
    const size_t from = (size_t)iwarp_endpoint_rx_offset(t->b->ep);
    size_t n = 0;
    while (from + n < t->s.len && t->s.there[from + n]) {
      n++;
    }
    if (n == 0) {
      return;
    }
    give(t, from, 1 + prng_size(&t->r, n));
  }
}

static void arrive(run *t, const segment *s) {
  for (size_t i = 0; i < s->len; i++) {
    t->s.there[s->at + i] = true;
  }
  give(t, s->at, s->len);
  deliver(t);
}

/* Cuts the stream where FPDUs end or anywhere, and lets the pieces come in another order. */
static void scatter(run *t, uint32_t reach) {
  segment list[NUM_SEGMENTS];
  size_t n = 0;
  for (size_t at = (size_t)iwarp_endpoint_rx_offset(t->b->ep); at < t->s.len && n < NUM_SEGMENTS;
       n++) {
    size_t len = 1 + prng_size(&t->r, 4000);
    len = len < t->s.len - at && n + 1 < NUM_SEGMENTS ? len : t->s.len - at;
    list[n] = (segment){at, len};
    at += len;
  }
  for (size_t i = 0; i < n; i++) { /* none comes more than `reach` too early */
    const size_t left = n - i < reach ? n - i : reach;
    const size_t k = i + prng_size(&t->r, left);
    const segment s = list[k];
    memmove(&list[i + 1], &list[i], (k - i) * sizeof list[0]);
    list[i] = s;
    arrive(t, &s);
    if (prng_below(&t->r, 4) == 0) {
      const segment again = list[prng_below(&t->r, i + 1)];
      give(t, again.at, again.len);
    }
  }
}

/* The same again, in order: what memory and events must be. */
static void in_order(run *t) {
  const size_t from = (size_t)iwarp_endpoint_rx_offset(t->b->ep);
  ep_host_push(t->b, &t->s.octets[from], t->s.len - from, t->s.len);
}

static run *make(uint64_t seed) {
  run *t = calloc(1, sizeof *t);
  static uint8_t payload[MESSAGE_MAX + NUM_OPS];
  ck_assert_ptr_nonnull(t);
  t->r = (prng){seed};
  const uint32_t emss = 200 + (uint32_t)prng_below(&t->r, 2000);
  const iwarp_endpoint_cfg a = run_cfg(IWARP_ROLE_INITIATOR, emss);
  const iwarp_endpoint_cfg b = run_cfg(IWARP_ROLE_RESPONDER, emss);
  t->a = ep_host_new(&a);
  t->b = ep_host_new(&b);
  t->drops = prng_below(&t->r, 2) == 0;
  for (size_t i = 0; i < sizeof payload; i++) {
    payload[i] = (uint8_t)(i * 7 + seed);
  }
  for (size_t i = 0; i < AREA; i++) {
    t->a->mem[i] = (uint8_t)(i * 13 + 5);
  }
  ep_join(t->a, t->b);
  const uint8_t first[] = {1}; /* the first FPDU opens the way for those out of order */
  const iwarp_span part = {first, 1};
  ok(iwarp_endpoint_recv(t->b->ep, 99, t->b->mem, 1));
  ok(iwarp_endpoint_send(t->a->ep, 99, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){&part, 1}));
  ep_talk(t->a, t->b, 4096);
  region(t->a, REGION, 0, AREA);
  region(t->b, REGION, 0, AREA);
  region(t->b, SINK, AREA, SINK_LEN);
  post_all(t, payload);
  collect(t);
  return t;
}

static void drop(run *t) {
  ep_host_free(t->a);
  ep_host_free(t->b);
  free(t);
}

/* What was received and completed, in order; where octets were does not count. */
static size_t results(const ep_host *h, iwarp_endpoint_event out[NUM_SEGMENTS]) {
  size_t n = 0;
  for (size_t i = 0; i < h->num_log; i++) {
    const iwarp_endpoint_event_kind kind = h->log[i].kind;
    if (kind == IWARP_ENDPOINT_EVENT_RECV || kind == IWARP_ENDPOINT_EVENT_DONE) {
      out[n++] = h->log[i];
    }
  }
  return n;
}

static void compare(const run *x, const run *y, uint64_t seed) {
  static iwarp_endpoint_event ex[NUM_SEGMENTS];
  static iwarp_endpoint_event ey[NUM_SEGMENTS];
  const size_t n = results(x->b, ex);
  expect(n == results(y->b, ey), "seed %llu: another number of events", (unsigned long long)seed);
  for (size_t i = 0; i < n; i++) {
    expect(ex[i].kind == ey[i].kind, "seed %llu: event %zu", (unsigned long long)seed, i);
    const bool same =
        ex[i].kind == IWARP_ENDPOINT_EVENT_RECV
            ? ex[i].u.recv.token == ey[i].u.recv.token && ex[i].u.recv.len == ey[i].u.recv.len &&
                  ex[i].u.recv.err == ey[i].u.recv.err
            : ex[i].u.done.token == ey[i].u.done.token && ex[i].u.done.err == ey[i].u.done.err;
    expect(same, "seed %llu: event %zu says something else", (unsigned long long)seed, i);
  }
  expect(memcmp(x->b->mem, y->b->mem, EP_HOST_MEM) == 0, "seed %llu: other memory",
         (unsigned long long)seed);
  expect(iwarp_endpoint_rx_offset(x->b->ep) == x->s.len, "seed %llu: octets left",
         (unsigned long long)seed);
  expect(iwarp_endpoint_rx_offset(y->b->ep) == y->s.len, "seed %llu: octets left",
         (unsigned long long)seed);
}

START_TEST(any_order)
{
  size_t num_out_of_order = 0;
  property rounds = property_begin("any_order", 1, 300);
  while (property_next(&rounds)) {
    const uint64_t seed = rounds.seed;
    run *x = make(seed);
    run *y = make(seed);
    in_order(x);
    scatter(y, 2 + (uint32_t)(seed % 7));
    compare(x, y, seed);
    num_out_of_order += y->num_out_of_order;
    drop(x);
    drop(y);
  }
  printf("%zu FPDUs placed before their turn\n", num_out_of_order);
  ck_assert(property_few() || num_out_of_order > 1000);
}
END_TEST

int main(void) {
  const property_test tests[] = {{any_order, 1}, {NULL, 0}};
  return property_main("ahead", tests);
}
