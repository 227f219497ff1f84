/* SPDX-License-Identifier: BSD-2-Clause */
/* Endpoints with a ULP and a transport that are a few arrays, and logs of their events. */
#include "ep_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "ep_run: %s\n", what);
    abort();
  }
}

iwarp_endpoint_cfg ep_cfg(iwarp_role role) {
  return (iwarp_endpoint_cfg){.size = sizeof(iwarp_endpoint_cfg),
                              .role = role,
                              .ird = 2,
                              .ord = 2,
                              .emss = 1460,
                              .pd = 7,
                              .num_sends = 4,
                              .num_recvs = 4,
                              .num_regions = 4};
}

ep_host *ep_host_new(const iwarp_endpoint_cfg *cfg) {
  ep_host *h = calloc(1, sizeof *h);
  const size_t size = iwarp_endpoint_size(cfg);
  must(h != NULL && size > 0, "no memory or bad configuration");
  h->block = malloc(size);
  h->words = calloc(EP_RUN_MEM / sizeof *h->words, sizeof *h->words);
  h->size = size;
  h->pooled = cfg->pool != NULL;
  must(h->block != NULL && h->words != NULL, "no memory");
  memset(h->block, 0xA5, size); /* what is not set up shows */
  h->mem = (uint8_t *)h->words;
  must(iwarp_endpoint_init(&h->ep, h->block, size, cfg) == IWARP_OK, "no endpoint");
  return h;
}

void ep_host_free(ep_host *h) {
  free(h->block);
  free(h->words);
  free(h);
}

ep_pair ep_pair_new(const iwarp_endpoint_cfg *initiator, const iwarp_endpoint_cfg *responder) {
  return (ep_pair){.i = ep_host_new(initiator), .r = ep_host_new(responder)};
}

void ep_pair_free(ep_pair p) {
  ep_host_free(p.i);
  ep_host_free(p.r);
}

static void do_run(const ep_host *h, const iwarp_endpoint_run *run) {
  must(run->src.len > 0, "an empty run");
  must(run->dst >= h->mem && run->src.len <= (size_t)(h->mem + EP_RUN_MEM - run->dst),
       "a place outside memory");
  memcpy(run->dst, run->src.ptr, run->src.len);
}

static void do_place(ep_host *h, const iwarp_endpoint_place *p) {
  size_t len = 0;
  for (size_t i = 0; i < p->num_runs; i++) {
    do_run(h, &p->runs[i]);
    must(i == 0 || h->lands || p->runs[i].dst == p->runs[i - 1].dst + p->runs[i - 1].src.len,
         "a leap");
    len += p->runs[i].src.len;
  }
  must(p->len > 0 && (h->lands ? len <= p->len : len == p->len), "the length of a place");
  h->placed += p->len;
  h->copied += len;
}

static void do_atomic(ep_host *h, const iwarp_endpoint_atomic_op *a) {
  const iwarp_rdmap_atomic_req *r = &a->req;
  uint64_t old;
  uint64_t now;
  must(a->mem >= h->mem && a->mem + sizeof old <= h->mem + EP_RUN_MEM, "an atomic outside memory");
  memcpy(&old, a->mem, sizeof old);
  now = r->aopcode == IWARP_RDMAP_AOP_FETCH_ADD
            ? iwarp_rdmap_fetch_add(old, r->add_swap_data, r->add_swap_mask)
            : iwarp_rdmap_cmp_swap(old, r->add_swap_data, r->add_swap_mask, r->compare_data,
                                   r->compare_mask);
  memcpy(a->mem, &now, sizeof now);
  must(iwarp_endpoint_atomic_answer(h->ep, old) == IWARP_OK, "an answer was refused");
}

/* Keeps what the spans of an event hold, which end with the next call. */
static void keep(ep_host *h, const iwarp_endpoint_ev *ev) {
  if (ev->kind <= IWARP_ENDPOINT_EVENT_REJECTED) {
    h->pd_len = ev->u.startup.ulp_data.len;
    if (h->pd_len > 0) {
      memcpy(h->pd, ev->u.startup.ulp_data.ptr, h->pd_len);
    }
  }
  if (ev->kind == IWARP_ENDPOINT_EVENT_STREAMING) {
    const iwarp_span s = ev->u.streaming;
    must(h->num_streamed + s.len <= sizeof h->streamed, "too much streaming data");
    memcpy(&h->streamed[h->num_streamed], s.ptr, s.len);
    h->num_streamed += s.len;
  }
  if (ev->kind == IWARP_ENDPOINT_EVENT_TERMINATED && ev->u.terminated.readable) {
    const iwarp_rdmap_term *t = &ev->u.terminated.term;
    if (t->ddp_header.len > 0) {
      memcpy(h->term, t->ddp_header.ptr, t->ddp_header.len);
    }
    if (t->rdma_header.len > 0) {
      memcpy(&h->term[t->ddp_header.len], t->rdma_header.ptr, t->rdma_header.len);
    }
  }
}

/* A pool that has nothing is asked once more. */
static bool next_event(ep_host *h, iwarp_endpoint_ev *ev) {
  const iwarp_err err = iwarp_endpoint_next_event(h->ep, ev);
  return (err == IWARP_ERR_NOBUF ? iwarp_endpoint_next_event(h->ep, ev) : err) == IWARP_OK;
}

static bool next_output(ep_host *h, iwarp_span spans[IWARP_TX_SPANS_MIN], iwarp_tx_out *out) {
  const iwarp_err err = iwarp_endpoint_next_output(h->ep, spans, IWARP_TX_SPANS_MIN, out);
  return (err == IWARP_ERR_NOBUF ? iwarp_endpoint_next_output(h->ep, spans, IWARP_TX_SPANS_MIN, out)
                                 : err) == IWARP_OK;
}

void ep_host_run(ep_host *h) {
  iwarp_endpoint_ev ev;
  while (next_event(h, &ev)) {
    if (ev.kind == IWARP_ENDPOINT_EVENT_PLACE) {
      do_place(h, &ev.u.place);
      continue;
    }
    must(h->num_log < EP_RUN_LOG, "too many events");
    h->log[h->num_log++] = ev;
    keep(h, &ev);
    if (ev.kind == IWARP_ENDPOINT_EVENT_ATOMIC && !h->hold_atomics) {
      do_atomic(h, &ev.u.atomic);
    }
  }
}

void ep_host_push(ep_host *h, const uint8_t *octets, size_t n, size_t piece) {
  for (size_t at = 0; at < n; at += piece) {
    const size_t len = n - at < piece ? n - at : piece;
    uint8_t *copy = malloc(len);
    must(copy != NULL, "no memory");
    memcpy(copy, &octets[at], len);
    must(iwarp_endpoint_push(h->ep, (iwarp_span){copy, len}) == IWARP_OK, "a push was refused");
    ep_host_run(h);
    free(copy);
  }
}

/* Whether octets lie in an array. */
static bool within(const uint8_t *octets, size_t n, const void *array, size_t size) {
  const uintptr_t at = (uintptr_t)octets;
  const uintptr_t begin = (uintptr_t)array;
  return at >= begin && at - begin <= size && n <= size - (at - begin);
}

size_t ep_host_land(ep_host *h, const uint8_t *octets, size_t n, size_t cap) {
  iwarp_endpoint_space spaces[EP_RUN_SPACES];
  size_t num;
  size_t at = 0;
  must(cap <= EP_RUN_SPACES, "too many spaces");
  if (iwarp_endpoint_landing(h->ep, spaces, cap, &num) != IWARP_OK) {
    must(num == 0, "spaces that are none");
    return 0;
  }
  must(num > 0 && num <= cap, "the number of spaces");
  for (size_t i = 0; i < num && at < n; i++) {
    const size_t len = spaces[i].len < n - at ? spaces[i].len : n - at;
    must(within(spaces[i].dst, spaces[i].len, h->mem, EP_RUN_MEM) ||
             within(spaces[i].dst, spaces[i].len, h->block, h->size) || h->pooled,
         "a space outside memory");
    memcpy(spaces[i].dst, &octets[at], len);
    at += len;
  }
  h->lands = true;
  must(iwarp_endpoint_landed(h->ep, at) == IWARP_OK, "a landing was refused");
  ep_host_run(h);
  return at;
}

size_t ep_host_pull(ep_host *h, uint8_t *octets, size_t cap) {
  size_t n = 0;
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  while (n < cap && next_output(h, spans, &out)) {
    size_t took = 0;
    for (size_t i = 0; i < out.num_spans && n < cap; i++) {
      const size_t len = spans[i].len < cap - n ? spans[i].len : cap - n;
      memcpy(&octets[n], spans[i].ptr, len);
      n += len;
      took += len;
    }
    must(iwarp_endpoint_advance(h->ep, took) == IWARP_OK, "an advance was refused");
    ep_host_run(h);
  }
  return n;
}

size_t ep_host_count(const ep_host *h, iwarp_endpoint_event_kind kind) {
  size_t n = 0;
  for (size_t i = 0; i < h->num_log; i++) {
    n += h->log[i].kind == kind ? 1 : 0;
  }
  return n;
}

const iwarp_endpoint_ev *ep_host_last(const ep_host *h, iwarp_endpoint_event_kind kind) {
  for (size_t i = h->num_log; i > 0; i--) {
    if (h->log[i - 1].kind == kind) {
      return &h->log[i - 1];
    }
  }
  return NULL;
}

static bool carry(ep_host *from, ep_host *to, size_t piece) {
  uint8_t octets[4096];
  const size_t n = ep_host_pull(from, octets, sizeof octets);
  ep_host_push(to, octets, n, piece);
  return n > 0;
}

void ep_talk(ep_host *a, ep_host *b, size_t piece) {
  bool moved = true;
  while (moved) {
    ep_host_run(a);
    ep_host_run(b);
    moved = carry(a, b, piece);
    moved = carry(b, a, piece) || moved;
  }
}

void ep_join(ep_host *initiator, ep_host *responder) {
  must(iwarp_endpoint_listen(responder->ep) == IWARP_OK, "no listen");
  must(iwarp_endpoint_connect(initiator->ep, (iwarp_span){0}) == IWARP_OK, "no connect");
  ep_talk(initiator, responder, 4096);
  must(iwarp_endpoint_accept(responder->ep, (iwarp_span){0}) == IWARP_OK, "no accept");
  ep_talk(initiator, responder, 4096);
  must(iwarp_endpoint_accept(initiator->ep, (iwarp_span){0}) == IWARP_OK, "no agreement");
  ep_talk(initiator, responder, 4096);
}
