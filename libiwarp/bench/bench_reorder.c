/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Segments out of order: an endpoint that places their payload at once (iwarp_endpoint_push_at),
 * against a transport that copies them and pushes them in order, and against segments in order. All
 * octets are in the caches.
 */
#include <iwarp/endpoint.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"

#define ABOUT                                                                                      \
  "Segments out of order: placed at once, in ratios to a copy that is pushed in order, and to "    \
  "segments\n"                                                                                     \
  "that come in order."

#define SEGMENTS 256u
#define EMSS 1460u /* octets */
#define WINDOW 64u /* segments that come before a late one, at most */
#define STAG 7u
#define PAYLOAD (SEGMENTS * 1400u) /* octets */

/* One segment is late, and so many others come before it. */
typedef struct scene {
  size_t ahead;
} scene;

static const scene pairs = {1};
static const scene losses = {WINDOW - 1};

static uint8_t region[PAYLOAD + 8];
static uint8_t payload[PAYLOAD + 8];
static uint8_t wire[PAYLOAD + PAYLOAD / 8];
static uint8_t held[WINDOW * EMSS];
static size_t at[SEGMENTS + 2]; /* begin of each segment in `wire`; last the end of all */
static size_t num_segments;
static uint64_t base; /* stream offset of `wire` */
static iwarp_endpoint *sender;
static iwarp_endpoint *receiver;
static void *memory; /* memory of the receiver */
static void *before; /* memory of the receiver before the first segment */
static size_t memory_len;

static void must(iwarp_err err, const char *what) {
  if (err != IWARP_OK) {
    bench_stop(what, iwarp_strerror(err));
  }
}

/* ---- a connection ---- */

static void drain(iwarp_endpoint *ep) {
  iwarp_endpoint_event ev;
  while (iwarp_endpoint_next_event(ep, &ev) == IWARP_OK) {
    if (ev.kind == IWARP_ENDPOINT_EVENT_PLACE) {
      iwarp_place_copy(&ev.u.place);
    } else if (ev.kind == IWARP_ENDPOINT_EVENT_REQUEST || ev.kind == IWARP_ENDPOINT_EVENT_REPLY) {
      must(iwarp_endpoint_accept(ep, (iwarp_span){0}), "accept");
    } else if (ev.kind == IWARP_ENDPOINT_EVENT_CLOSED) {
      bench_stop("the connection", "it ended");
    }
  }
}

/* Copies the next segment of an endpoint to `to`; returns its octets, 0: no octets are left. */
static size_t take(iwarp_endpoint *ep, uint8_t *to) {
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  size_t len = 0;
  if (iwarp_endpoint_next_output(ep, spans, IWARP_TX_SPANS_MIN, &out) != IWARP_OK) {
    return 0;
  }
  for (size_t i = 0; i < out.num_spans; i++) {
    memcpy(to + len, spans[i].ptr, spans[i].len);
    len += spans[i].len;
  }
  must(iwarp_endpoint_advance(ep, len), "advance");
  return len;
}

static void carry(iwarp_endpoint *from, iwarp_endpoint *to) {
  for (size_t len; (len = take(from, wire)) > 0;) {
    must(iwarp_endpoint_push(to, (iwarp_span){wire, len}), "push");
    drain(to);
  }
  drain(from);
}

static iwarp_endpoint *make(iwarp_role role, void **mem, size_t *len) {
  const iwarp_endpoint_cfg cfg = {.size = sizeof cfg,
                                  .role = role,
                                  .rev = 1,
                                  .markers = role == IWARP_ROLE_RESPONDER,
                                  .emss = EMSS,
                                  .num_sends = 2,
                                  .num_regions = 1,
                                  .num_out_of_order = WINDOW};
  iwarp_endpoint *ep = NULL;
  *len = iwarp_endpoint_size(&cfg);
  *mem = malloc(*len);
  must(*mem == NULL ? IWARP_ERR_NOBUF : iwarp_endpoint_init(&ep, *mem, *len, &cfg), "endpoint");
  return ep;
}

static void join(void) {
  const iwarp_endpoint_region v = {
      .stag = STAG, .len = sizeof region, .mem = region, .access = IWARP_ACCESS_REMOTE_WRITE};
  void *mem;
  size_t len;
  sender = make(IWARP_ROLE_INITIATOR, &mem, &len);
  receiver = make(IWARP_ROLE_RESPONDER, &memory, &memory_len);
  must(iwarp_endpoint_register(receiver, &v), "region");
  must(iwarp_endpoint_listen(receiver), "listen");
  must(iwarp_endpoint_connect(sender, (iwarp_span){0}), "connect");
  carry(sender, receiver);
  carry(receiver, sender);
}

static void post(uint64_t to, const uint8_t *octets, size_t len) {
  static iwarp_span part;
  part = (iwarp_span){octets, len};
  must(iwarp_endpoint_write(sender, 1, STAG, to, (iwarp_tx_payload){&part, 1}), "write");
}

/* The segments of a long Write, and the receiver before the first one. */
static void prepare(void) {
  join();
  post(0, payload, 8); /* FPDUs may be out of order only after the first one */
  carry(sender, receiver);
  base = iwarp_endpoint_rx_offset(receiver);
  before = malloc(memory_len);
  must(before == NULL ? IWARP_ERR_NOBUF : IWARP_OK, "memory");
  memcpy(before, memory, memory_len);
  post(8, payload, PAYLOAD);
  for (size_t len; num_segments <= SEGMENTS && (len = take(sender, wire + at[num_segments])) > 0;) {
    num_segments++;
    at[num_segments] = at[num_segments - 1] + len;
  }
}

/* ---- the work ---- */

static iwarp_span segment(size_t i) {
  return (iwarp_span){wire + at[i], at[i + 1] - at[i]};
}

static void push(iwarp_span octets) {
  must(iwarp_endpoint_push(receiver, octets), "push");
  drain(receiver);
}

static void push_at(size_t i) {
  must(iwarp_endpoint_push_at(receiver, base + at[i], segment(i)), "push_at");
  drain(receiver);
}

static size_t window_end(const scene *s, size_t first) {
  return first + s->ahead + 1 < num_segments ? first + s->ahead + 1 : num_segments;
}

static void finish(void) {
  if (iwarp_endpoint_rx_offset(receiver) != base + at[num_segments]) {
    bench_stop("the stream", "octets are missing");
  }
  bench_keep = region[0];
}

static void place_at_once(const void *of) {
  const scene *s = of;
  memcpy(memory, before, memory_len);
  for (size_t first = 0; first < num_segments; first = window_end(s, first)) {
    for (size_t i = first + 1; i < window_end(s, first); i++) {
      push_at(i);
    }
    push(segment(first));
  }
  finish();
}

static void hold_and_push(const void *of) {
  const scene *s = of;
  memcpy(memory, before, memory_len);
  for (size_t first = 0; first < num_segments; first = window_end(s, first)) {
    size_t len = 0;
    for (size_t i = first + 1; i < window_end(s, first); i++) {
      memcpy(held + len, segment(i).ptr, segment(i).len);
      len += segment(i).len;
    }
    push(segment(first));
    push((iwarp_span){held, len});
  }
  finish();
}

static void in_order(const void *of) {
  (void)of;
  memcpy(memory, before, memory_len);
  for (size_t i = 0; i < num_segments; i++) {
    push(segment(i));
  }
  finish();
}

int main(int argc, char **argv) {
  const bench_run run = bench_arguments(argc, argv, ABOUT, "bench-reorder");
  prepare();
  const double octets = (double)at[num_segments];
  const bench_row rows[] = {
      {.what = "every second segment first",
       .peer = "copied, pushed in order",
       .limit = "in order",
       .ours = place_at_once,
       .theirs = hold_and_push,
       .bound = in_order,
       .scene = &pairs,
       .octets = octets,
       .calls = (double)num_segments,
       .at_least = 0.5,
       .aim = 1},
      {.what = "63 segments before a late one",
       .peer = "copied, pushed in order",
       .limit = "in order",
       .ours = place_at_once,
       .theirs = hold_and_push,
       .bound = in_order,
       .scene = &losses,
       .octets = octets,
       .calls = (double)num_segments,
       .at_least = 0.5,
       .aim = 1},
  };
  return bench_compare(&run, "Segments out of order, with CRCs and Markers", rows,
                       sizeof rows / sizeof rows[0]);
}
