/* SPDX-License-Identifier: BSD-2-Clause */
/* An endpoint with a ULP that is a few arrays: it places, does Atomic Operations, and logs. */
#include "ep_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void host_must(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "ep_host: %s\n", what);
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
  return ep_host_new_of(cfg, EP_HOST_MEM);
}

ep_host *ep_host_new_of(const iwarp_endpoint_cfg *cfg, size_t mem_len) {
  ep_host *h = calloc(1, sizeof *h);
  const size_t size = iwarp_endpoint_size(cfg);
  host_must(h != NULL && size > 0, "no memory or bad configuration");
  h->block = malloc(size);
  h->words = calloc(mem_len / sizeof *h->words + 1, sizeof *h->words);
  h->size = size;
  h->pooled = cfg->pool != NULL;
  host_must(h->block != NULL && h->words != NULL, "no memory");
  memset(h->block, 0xA5, size); /* what is not set up shows */
  h->mem = (uint8_t *)h->words;
  h->mem_len = mem_len;
  host_must(iwarp_endpoint_init(&h->ep, h->block, size, cfg) == IWARP_OK, "no endpoint");
  return h;
}

void ep_host_free(ep_host *h) {
  free(h->block);
  free(h->words);
  free(h->log);
  free(h);
}

/* ---- what any ULP does ---- */

void ep_place(const iwarp_endpoint_place *p) {
  for (size_t i = 0; i < p->num_runs; i++) {
    memcpy(p->runs[i].dst, p->runs[i].src.ptr, p->runs[i].src.len);
  }
}

uint64_t ep_atomic(const iwarp_endpoint_atomic_op *a) {
  const iwarp_rdmap_atomic_req *r = &a->req;
  uint64_t old;
  uint64_t now;
  memcpy(&old, a->mem, sizeof old);
  now = r->aopcode == IWARP_RDMAP_AOP_FETCH_ADD
            ? iwarp_rdmap_fetch_add(old, r->add_swap_data, r->add_swap_mask)
            : iwarp_rdmap_cmp_swap(old, r->add_swap_data, r->add_swap_mask, r->compare_data,
                                   r->compare_mask);
  memcpy(a->mem, &now, sizeof now);
  return old;
}

/* ---- what is reported ---- */

/* Returns true if octets lie in an array. */
static bool within(const uint8_t *octets, size_t n, const void *array, size_t size) {
  const uintptr_t at = (uintptr_t)octets;
  const uintptr_t begin = (uintptr_t)array;
  return at >= begin && at - begin <= size && n <= size - (at - begin);
}

static void placed(ep_host *h, const iwarp_endpoint_place *p) {
  size_t len = 0;
  for (size_t i = 0; i < p->num_runs; i++) {
    const iwarp_endpoint_run *run = &p->runs[i];
    host_must(run->src.len > 0, "an empty run");
    host_must(within(run->dst, run->src.len, h->mem, h->mem_len), "a place outside memory");
    host_must(i == 0 || h->lands || run->dst == run[-1].dst + run[-1].src.len, "a leap");
    len += run->src.len;
  }
  host_must(p->len > 0 && (h->lands ? len <= p->len : len == p->len), "the length of a place");
  ep_place(p);
  h->placed += p->len;
  h->copied += len;
}

void ep_host_atomic(ep_host *h, const iwarp_endpoint_atomic_op *a) {
  host_must(within(a->mem, sizeof(uint64_t), h->mem, h->mem_len), "an atomic outside memory");
  host_must(iwarp_endpoint_atomic_answer(h->ep, ep_atomic(a)) == IWARP_OK, "an answer was refused");
}

static void keep_startup(ep_host *h, iwarp_span private_data) {
  h->pd_len = private_data.len;
  if (h->pd_len > 0) {
    memcpy(h->pd, private_data.ptr, h->pd_len);
  }
}

static void keep_streamed(ep_host *h, iwarp_span s) {
  host_must(h->num_streamed + s.len <= sizeof h->streamed, "too much streaming data");
  memcpy(&h->streamed[h->num_streamed], s.ptr, s.len);
  h->num_streamed += s.len;
}

static void keep_terminate(ep_host *h, const iwarp_endpoint_terminated *v) {
  const iwarp_span ddp = v->term.ddp_header;
  const iwarp_span rdma = v->term.rdma_header;
  host_must(!h->terminated, "a second Terminate");
  h->terminated = true;
  h->term = *v;
  if (v->readable && ddp.len > 0) {
    memcpy(h->term_octets, ddp.ptr, ddp.len);
  }
  if (v->readable && rdma.len > 0) {
    memcpy(&h->term_octets[ddp.len], rdma.ptr, rdma.len);
  }
}

static void keep_fault(ep_host *h, const iwarp_endpoint_fault *v) {
  host_must(!h->fault, "a second FAULT");
  h->fault = true;
  h->word = (uint16_t)((unsigned)v->layer << 12 | (unsigned)v->etype << 8 | v->code);
  h->fault_sent = v->sent;
}

/* Keeps what matters later, and what spans hold that end with the next call. */
static void keep(ep_host *h, const iwarp_endpoint_event *ev) {
  host_must(!h->over, "an event after CLOSED");
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST:
  case IWARP_ENDPOINT_EVENT_REPLY:
  case IWARP_ENDPOINT_EVENT_REJECTED: keep_startup(h, ev->u.startup.ulp_data); return;
  case IWARP_ENDPOINT_EVENT_STREAMING: keep_streamed(h, ev->u.streaming); return;
  case IWARP_ENDPOINT_EVENT_PLACE: placed(h, &ev->u.place); return;
  case IWARP_ENDPOINT_EVENT_FAULT: keep_fault(h, &ev->u.fault); return;
  case IWARP_ENDPOINT_EVENT_TERMINATED: keep_terminate(h, &ev->u.terminated); return;
  case IWARP_ENDPOINT_EVENT_SHUTDOWN: h->fin = true; return;
  case IWARP_ENDPOINT_EVENT_CLOSED:
    h->over = true;
    h->closed = ev->u.closed;
    return;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED:
  case IWARP_ENDPOINT_EVENT_RECV:
  case IWARP_ENDPOINT_EVENT_ATOMIC:
  case IWARP_ENDPOINT_EVENT_DONE:
  case IWARP_ENDPOINT_EVENT_PEER_ENDED:
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER:
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_IDLE: return;
  }
}

static void note(ep_host *h, const iwarp_endpoint_event *ev) {
  if (h->unlogged || ev->kind == IWARP_ENDPOINT_EVENT_PLACE) {
    return;
  }
  if (h->num_log == h->log_cap) {
    h->log_cap = h->log_cap > 0 ? 2 * h->log_cap : EP_HOST_LOG_MIN;
    h->log = realloc(h->log, h->log_cap * sizeof *h->log);
  }
  host_must(h->log != NULL && h->num_log < EP_HOST_LOG, "too many events");
  h->log[h->num_log++] = *ev;
}

/* A pool that has nothing is asked once more. */
static bool next_event(ep_host *h, iwarp_endpoint_event *ev) {
  const iwarp_err err = iwarp_endpoint_next_event(h->ep, ev);
  return (err == IWARP_ERR_NOBUF ? iwarp_endpoint_next_event(h->ep, ev) : err) == IWARP_OK;
}

void ep_host_run(ep_host *h) {
  iwarp_endpoint_event ev;
  while (next_event(h, &ev)) {
    keep(h, &ev);
    note(h, &ev);
    if (h->hook != NULL) {
      h->hook(h->context, h->who, &ev);
    }
    if (ev.kind == IWARP_ENDPOINT_EVENT_ATOMIC && !h->hold_atomics) {
      ep_host_atomic(h, &ev.u.atomic);
    }
  }
}

size_t ep_host_count(const ep_host *h, iwarp_endpoint_event_kind kind) {
  size_t n = 0;
  for (size_t i = 0; i < h->num_log; i++) {
    n += h->log[i].kind == kind ? 1 : 0;
  }
  return n;
}

const iwarp_endpoint_event *ep_host_last(const ep_host *h, iwarp_endpoint_event_kind kind) {
  for (size_t i = h->num_log; i > 0; i--) {
    if (h->log[i - 1].kind == kind) {
      return &h->log[i - 1];
    }
  }
  return NULL;
}

/* ---- octets that come ---- */

/* Pushes octets in fresh memory: what is read beyond them shows. */
static iwarp_err host_push(ep_host *h, const uint64_t *offset, const uint8_t *octets, size_t n) {
  uint8_t *copy = malloc(n);
  host_must(copy != NULL, "no memory");
  memcpy(copy, octets, n);
  const iwarp_span span = {copy, n};
  const iwarp_err err = offset != NULL ? iwarp_endpoint_push_at(h->ep, *offset, span)
                                       : iwarp_endpoint_push(h->ep, span);
  ep_host_run(h);
  free(copy);
  return err;
}

void ep_host_push(ep_host *h, const uint8_t *octets, size_t n, size_t piece) {
  for (size_t at = 0; at < n; at += piece) {
    const size_t len = n - at < piece ? n - at : piece;
    host_must(host_push(h, NULL, &octets[at], len) == IWARP_OK, "a push was refused");
  }
}

bool ep_host_push_at(ep_host *h, uint64_t offset, const uint8_t *octets, size_t n) {
  return host_push(h, &offset, octets, n) == IWARP_OK;
}

size_t ep_host_land(ep_host *h, const uint8_t *octets, size_t n, size_t cap) {
  iwarp_endpoint_space spaces[EP_HOST_SPACES];
  size_t num;
  size_t at = 0;
  host_must(cap <= EP_HOST_SPACES, "too many spaces");
  if (iwarp_endpoint_reserve_rx(h->ep, spaces, cap, &num) != IWARP_OK) {
    host_must(num == 0, "invalid spaces");
    return 0;
  }
  host_must(num > 0 && num <= cap, "the number of spaces");
  for (size_t i = 0; i < num && at < n; i++) {
    const size_t len = spaces[i].len < n - at ? spaces[i].len : n - at;
    host_must(within(spaces[i].dst, spaces[i].len, h->mem, h->mem_len) ||
                  within(spaces[i].dst, spaces[i].len, h->block, h->size) || h->pooled,
              "a space outside memory");
    memcpy(spaces[i].dst, &octets[at], len);
    at += len;
  }
  h->lands = true;
  host_must(iwarp_endpoint_commit_rx(h->ep, at) == IWARP_OK,
            "iwarp_endpoint_commit_rx refused octets");
  ep_host_run(h);
  return at;
}

/* ---- octets that go ---- */

static bool next_output(ep_host *h, iwarp_span spans[IWARP_TX_SPANS_MIN], iwarp_tx_out *out) {
  const size_t most = h->max_spans > 0 ? h->max_spans : IWARP_TX_SPANS_MIN;
  const iwarp_err err = iwarp_endpoint_next_output(h->ep, spans, most, out);
  return (err == IWARP_ERR_NOBUF ? iwarp_endpoint_next_output(h->ep, spans, most, out) : err) ==
         IWARP_OK;
}

size_t ep_host_send(ep_host *h, size_t cap, ep_host_wire *wire, void *to) {
  size_t n = 0;
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  while (n < cap && next_output(h, spans, &out)) {
    size_t took = 0;
    for (size_t i = 0; i < out.num_spans && n + took < cap; i++) {
      const size_t left = cap - n - took;
      const size_t len = spans[i].len < left ? spans[i].len : left;
      wire(to, (iwarp_span){spans[i].ptr, len});
      took += len;
    }
    n += took;
    host_must(iwarp_endpoint_advance(h->ep, took) == IWARP_OK, "an advance was refused");
    ep_host_run(h);
  }
  return n;
}

/* Appends octets where a pointer points, which is moved past them. */
static void append(void *to, iwarp_span octets) {
  uint8_t **at = to;
  memcpy(*at, octets.ptr, octets.len);
  *at += octets.len;
}

size_t ep_host_pull(ep_host *h, uint8_t *octets, size_t cap) {
  return ep_host_send(h, cap, append, &octets);
}
