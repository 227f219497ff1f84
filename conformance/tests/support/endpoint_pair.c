/* SPDX-License-Identifier: BSD-2-Clause */
/* Two endpoints, what lies on the way between them, and a witness of all that they say. */
#include "endpoint_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "endpoint_pair: %s\n", what);
    abort();
  }
}

static void side_new(endpoint_pair_side *s, const iwarp_endpoint_cfg *cfg, size_t mem_len) {
  const size_t size = iwarp_endpoint_size(cfg);
  must(size > 0, "a bad configuration");
  s->block = malloc(size);
  s->words = calloc(mem_len / sizeof *s->words + 1, sizeof *s->words);
  must(s->block != NULL && s->words != NULL, "no memory");
  s->mem = (uint8_t *)s->words;
  s->mem_len = mem_len;
  must(iwarp_endpoint_init(&s->ep, s->block, size, cfg) == IWARP_OK, "no endpoint");
}

endpoint_pair *endpoint_pair_new(const iwarp_endpoint_cfg cfg[2], size_t mem_len, bool watched) {
  endpoint_pair *p = calloc(1, sizeof *p);
  must(p != NULL, "no memory");
  p->w = watched ? witness_new() : NULL;
  for (size_t who = 0; who < 2; who++) {
    side_new(&p->s[who], &cfg[who], mem_len);
  }
  return p;
}

void endpoint_pair_free(endpoint_pair *p) {
  for (size_t who = 0; who < 2; who++) {
    free(p->s[who].block);
    free(p->s[who].words);
    free(p->s[who].wire);
  }
  if (p->w != NULL) {
    witness_free(p->w);
  }
  free(p);
}

iwarp_endpoint_state endpoint_pair_state(const endpoint_pair *p, size_t who) {
  return iwarp_endpoint_info_get(p->s[who].ep)->state;
}

/* ---- what is reported to a side ---- */

static void do_run(const endpoint_pair_side *s, const iwarp_endpoint_run *v) {
  must(v->src.len > 0, "an empty run");
  must(v->dst >= s->mem && v->dst <= s->mem + s->mem_len &&
           v->src.len <= (size_t)(s->mem + s->mem_len - v->dst),
       "a place outside memory");
  memcpy(v->dst, v->src.ptr, v->src.len);
}

static void do_place(const endpoint_pair_side *s, const iwarp_endpoint_place *v) {
  must(v->num_runs > 0, "an empty place");
  for (size_t i = 0; i < v->num_runs; i++) {
    do_run(s, &v->runs[i]);
  }
}

void endpoint_pair_atomic(endpoint_pair *p, size_t who, const iwarp_endpoint_atomic_op *a) {
  const endpoint_pair_side *s = &p->s[who];
  const iwarp_rdmap_atomic_req *r = &a->req;
  uint64_t old;
  uint64_t now;
  must(a->mem >= s->mem && a->mem + sizeof old <= s->mem + s->mem_len, "an atomic outside memory");
  memcpy(&old, a->mem, sizeof old);
  now = r->aopcode == IWARP_RDMAP_AOP_FETCH_ADD
            ? iwarp_rdmap_fetch_add(old, r->add_swap_data, r->add_swap_mask)
            : iwarp_rdmap_cmp_swap(old, r->add_swap_data, r->add_swap_mask, r->compare_data,
                                   r->compare_mask);
  memcpy(a->mem, &now, sizeof now);
  must(iwarp_endpoint_atomic_answer(s->ep, old) == IWARP_OK, "an answer was refused");
}

/* Keeps what the spans of a Terminate hold, which end with the next call. */
static void keep_terminate(endpoint_pair_side *s, const iwarp_endpoint_terminated *v) {
  must(!s->terminated, "a second Terminate");
  s->terminated = true;
  s->term = *v;
  if (v->readable) {
    const iwarp_span ddp = v->term.ddp_header;
    const iwarp_span rdma = v->term.rdma_header;
    if (ddp.len > 0) {
      memcpy(s->term_octets, ddp.ptr, ddp.len);
    }
    if (rdma.len > 0) {
      memcpy(&s->term_octets[ddp.len], rdma.ptr, rdma.len);
    }
  }
}

static void note(endpoint_pair *p, size_t who, const iwarp_endpoint_ev *ev) {
  endpoint_pair_side *s = &p->s[who];
  must(!s->over, "an event after CLOSED");
  switch ((int)ev->kind) {
  case IWARP_ENDPOINT_EVENT_PLACE: do_place(s, &ev->u.place); return;
  case IWARP_ENDPOINT_EVENT_FAULT:
    must(!s->fault, "a second FAULT");
    s->fault = true;
    s->word = (uint16_t)((unsigned)ev->u.fault.layer << 12 | (unsigned)ev->u.fault.etype << 8 |
                         ev->u.fault.code);
    s->fault_sent = ev->u.fault.sent;
    return;
  case IWARP_ENDPOINT_EVENT_TERMINATED: keep_terminate(s, &ev->u.terminated); return;
  case IWARP_ENDPOINT_EVENT_SHUTDOWN: s->fin = true; return;
  case IWARP_ENDPOINT_EVENT_CLOSED:
    s->over = true;
    s->closed = ev->u.closed;
    return;
  default: return;
  }
}

void endpoint_pair_events(endpoint_pair *p, size_t who) {
  endpoint_pair_side *s = &p->s[who];
  iwarp_endpoint_ev ev;
  while (iwarp_endpoint_next_event(s->ep, &ev) == IWARP_OK) {
    note(p, who, &ev);
    if (p->hook != NULL) {
      p->hook(p->context, who, &ev);
    }
    if (ev.kind == IWARP_ENDPOINT_EVENT_ATOMIC && !p->hold_atomics) {
      endpoint_pair_atomic(p, who, &ev.u.atomic);
    }
  }
  if (s->fin && p->w != NULL) {
    witness_end(p->w, (uint8_t)who, IWARP_END_FIN, s->heard);
  }
  if (s->over && s->closed.disconnect && !s->lost) {
    endpoint_pair_drop(p);
  }
}

/* Whether a side resets the connection, and may be asked why: it looks at no octets any more where
 * its Terminate, or the FPDU that the other side's came during, was not taken in time. */
static bool resets(const endpoint_pair_side *s) {
  return s->over && s->closed.disconnect && !s->fault && !s->terminated;
}

void endpoint_pair_drop(endpoint_pair *p) {
  for (size_t who = 0; who < 2; who++) {
    endpoint_pair_side *s = &p->s[who];
    if (!s->lost) {
      s->lost = true;
      if (p->w != NULL && resets(s)) {
        witness_end(p->w, (uint8_t)who, IWARP_END_RST, s->heard);
      }
      must(iwarp_endpoint_lost(s->ep) == IWARP_OK, "a loss was refused");
      endpoint_pair_events(p, who);
    }
  }
}

/* ---- the way between them ---- */

void endpoint_pair_put(endpoint_pair *p, size_t who, iwarp_span octets) {
  endpoint_pair_side *s = &p->s[who];
  if (s->cap - s->sent < octets.len) {
    s->cap = 2 * (s->sent + octets.len);
    s->wire = realloc(s->wire, s->cap);
    must(s->wire != NULL, "no memory");
  }
  must(!s->fin && !s->lost, "octets after the end");
  memcpy(&s->wire[s->sent], octets.ptr, octets.len);
  if (p->spoil_with != 0 && p->spoil_side == who && p->spoil_at >= s->sent &&
      p->spoil_at - s->sent < octets.len) {
    s->wire[p->spoil_at] ^= p->spoil_with;
  }
  if (p->w != NULL) {
    witness_push(p->w, (uint8_t)who, (iwarp_span){&s->wire[s->sent], octets.len}, s->heard);
  }
  s->sent += octets.len;
}

size_t endpoint_pair_pull(endpoint_pair *p, size_t who, size_t cap) {
  endpoint_pair_side *s = &p->s[who];
  size_t n = 0;
  iwarp_span spans[IWARP_TX_SPANS_MIN];
  iwarp_tx_out out;
  const size_t most = p->spans > 0 ? p->spans : IWARP_TX_SPANS_MIN;
  endpoint_pair_events(p, who);
  if (s->lost) {
    return 0;
  }
  while (n < cap && iwarp_endpoint_next_output(s->ep, spans, most, &out) == IWARP_OK) {
    size_t took = 0;
    for (size_t i = 0; i < out.num_spans && n < cap; i++) {
      const size_t len = spans[i].len < cap - n ? spans[i].len : cap - n;
      endpoint_pair_put(p, who, (iwarp_span){spans[i].ptr, len});
      n += len;
      took += len;
    }
    must(iwarp_endpoint_advance(s->ep, took) == IWARP_OK, "an advance was refused");
    endpoint_pair_events(p, who);
  }
  return n;
}

/* Octets `at` and after of the other side's stream. */
static bool push(endpoint_pair *p, size_t who, size_t at, size_t len) {
  endpoint_pair_side *s = &p->s[who];
  uint8_t *copy = malloc(len); /* what is read beyond it shows */
  must(copy != NULL, "no memory");
  memcpy(copy, &p->s[1 - who].wire[at], len);
  const iwarp_err err = iwarp_endpoint_push_at(s->ep, at, (iwarp_span){copy, len});
  endpoint_pair_events(p, who);
  free(copy);
  return err == IWARP_OK;
}

bool endpoint_pair_push_at(endpoint_pair *p, size_t who, size_t skip, size_t cap) {
  const endpoint_pair_side *s = &p->s[who];
  const size_t left = p->s[1 - who].sent - s->heard;
  if (s->lost || s->fin_heard || left <= skip) {
    return false;
  }
  return push(p, who, s->heard + skip, left - skip < cap ? left - skip : cap);
}

bool endpoint_pair_push(endpoint_pair *p, size_t who, size_t cap) {
  endpoint_pair_side *s = &p->s[who];
  const endpoint_pair_side *peer = &p->s[1 - who];
  const size_t left = peer->sent - s->heard;
  const size_t len = left < cap ? left : cap;
  if (s->lost || s->fin_heard) {
    return false;
  }
  if (len > 0) {
    s->heard += len;
    must(push(p, who, s->heard - len, len), "a push was refused");
    return true;
  }
  if (peer->fin) {
    s->fin_heard = true;
    must(iwarp_endpoint_eof(s->ep) == IWARP_OK, "an end was refused");
    endpoint_pair_events(p, who);
  }
  return peer->fin;
}

void endpoint_pair_talk(endpoint_pair *p, size_t piece) {
  bool moved = true;
  while (moved) {
    moved = false;
    for (size_t who = 0; who < 2; who++) {
      moved = endpoint_pair_pull(p, who, SIZE_MAX) > 0 || moved;
    }
    for (size_t who = 0; who < 2; who++) {
      moved = endpoint_pair_push(p, who, piece) || moved;
    }
  }
}

void endpoint_pair_join(endpoint_pair *p) {
  const iwarp_span nothing = {0};
  must(iwarp_endpoint_listen(p->s[1].ep) == IWARP_OK, "no listen");
  must(iwarp_endpoint_connect(p->s[0].ep, nothing) == IWARP_OK, "no connect");
  endpoint_pair_talk(p, 4096);
  must(iwarp_endpoint_accept(p->s[1].ep, nothing) == IWARP_OK, "no accept");
  endpoint_pair_talk(p, 4096);
  must(iwarp_endpoint_accept(p->s[0].ep, nothing) == IWARP_OK, "no agreement");
  endpoint_pair_talk(p, 4096);
}
