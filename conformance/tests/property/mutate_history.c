/* SPDX-License-Identifier: BSD-2-Clause */
/* A connection: both sides, their operations one after the other, and what is reported. */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

#include "check_run.h"

uint8_t mutate_pool[AREA + SLOT];

static void reported(void *context, size_t who, const iwarp_endpoint_event *ev) {
  history *h = context;
  side_log *l = &h->log[who];
  note n = {.kind = ev->kind};
  if (ev->kind == IWARP_ENDPOINT_EVENT_RECV) {
    n.opcode = ev->u.recv.opcode;
    n.token = ev->u.recv.token;
    n.more = ev->u.recv.len;
    n.err = ev->u.recv.err;
    if (ev->u.recv.opcode >= IWARP_RDMAP_OP_IMMEDIATE) {
      memcpy(&n.more, ev->u.recv.immediate, sizeof n.more);
    }
    n.bits = ev->u.recv.solicited * 1u + ev->u.recv.invalidated * 2u;
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_DONE) {
    n.opcode = ev->u.done.opcode;
    n.token = ev->u.done.token;
    n.more = ev->u.done.original;
    n.err = ev->u.done.err;
  } else if (ev->kind == IWARP_ENDPOINT_EVENT_PLACE ||
             ev->kind == IWARP_ENDPOINT_EVENT_ESTABLISHED) {
    return; /* the one has been done, the other is reported before or after an ATOMIC */
  }
  expect(l->num < LOG, "too many events");
  l->notes[l->num++] = n;
}

static void side_new(history *h, size_t who) {
  ep_host *s = h->p->s[who].h;
  const iwarp_endpoint_region r[] = {
      {STAG_SOURCE, 7, HIGH, AREA, &s->mem[SOURCE], IWARP_ACCESS_REMOTE_READ, false, NULL},
      {STAG_TARGET, 7, HIGH, AREA, &s->mem[TARGET], IWARP_ACCESS_REMOTE_WRITE, false, NULL},
      {STAG_SINK, 7, 0, AREA, &s->mem[SINK], 0, false, NULL},
      {STAG_NUMBERS, 7, HIGH & ~UINT64_C(7), 8 * OPS, &s->mem[NUMBERS], IWARP_ACCESS_REMOTE_ATOMIC,
       false, NULL},
  };
  memcpy(&s->mem[SOURCE], mutate_pool, AREA);
  memset(&s->mem[NUMBERS], 0x5A, (size_t)8 * OPS);
  memcpy(h->first[who], s->mem, MEM);
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    ok(iwarp_endpoint_register(s->ep, &r[i]));
  }
  for (uint32_t i = 0; i < OPS; i++) {
    const iwarp_endpoint_region window = {
        STAG_WINDOW * (i + 1),     7,     0,   8, &s->mem[WINDOWS + 8 * i],
        IWARP_ACCESS_REMOTE_WRITE, false, NULL};
    ok(iwarp_endpoint_register(s->ep, &window));
    ok(iwarp_endpoint_recv(s->ep, i, &s->mem[BUFFERS + i * SLOT], SLOT));
  }
}

static void post(history *h, const plan *v, size_t i) {
  const op *o = &v->ops[i];
  iwarp_endpoint *ep = h->p->s[o->who].h->ep;
  const iwarp_span part = {&mutate_pool[i * 7], o->len};
  const iwarp_tx_payload payload = {.parts = &part, .num_parts = 1};
  const iwarp_rdmap_read_req read = {.sink_stag = o->len > 0 ? STAG_SINK : 0xEEEEEEEE,
                                     .sink_to = i * SLOT,
                                     .size = o->len,
                                     .source_stag = o->len > 0 ? STAG_SOURCE : 0xEEEEEEEE,
                                     .source_to = HIGH + i * SLOT};
  const iwarp_rdmap_atomic_req atomic = {.aopcode = o->swap ? IWARP_RDMAP_AOP_CMP_SWAP
                                                            : IWARP_RDMAP_AOP_FETCH_ADD,
                                         .stag = STAG_NUMBERS,
                                         .to = (HIGH & ~UINT64_C(7)) + 8 * i,
                                         .add_swap_data = 0x0123456789ABCDEF,
                                         .add_swap_mask = o->swap ? UINT64_MAX : 0,
                                         .compare_data = o->swap ? 0x5A5A5A5A5A5A5A5A : 0,
                                         .compare_mask = UINT64_MAX};
  const bool inv = o->opcode == IWARP_RDMAP_OP_SEND_INV || o->opcode == IWARP_RDMAP_OP_SEND_SE_INV;
  switch (o->opcode) { /* refused when the connection has ended */
  case IWARP_RDMAP_OP_WRITE:
    (void)iwarp_endpoint_write(ep, i, STAG_TARGET, HIGH + i * SLOT, payload);
    return;
  case IWARP_RDMAP_OP_READ_REQ: (void)iwarp_endpoint_read(ep, i, &read); return;
  case IWARP_RDMAP_OP_ATOMIC_REQ: (void)iwarp_endpoint_atomic(ep, i, &atomic); return;
  case IWARP_RDMAP_OP_IMMEDIATE:
  case IWARP_RDMAP_OP_IMMEDIATE_SE:
    (void)iwarp_endpoint_immediate(ep, i, o->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE, part.ptr);
    return;
  case IWARP_RDMAP_OP_SEND:
  case IWARP_RDMAP_OP_SEND_INV:
  case IWARP_RDMAP_OP_SEND_SE:
  case IWARP_RDMAP_OP_SEND_SE_INV:
  case IWARP_RDMAP_OP_READ_RESP: /* from here on: operations that no ULP posts, refused */
  case IWARP_RDMAP_OP_TERMINATE:
  case IWARP_RDMAP_OP_ATOMIC_RESP:
  case IWARP_RDMAP_OP_RESERVED_12:
  case IWARP_RDMAP_OP_RESERVED_13:
  case IWARP_RDMAP_OP_RESERVED_14:
  case IWARP_RDMAP_OP_EXPERIMENTAL:
    (void)iwarp_endpoint_send(ep, i, o->opcode, inv ? STAG_WINDOW * (uint32_t)(i + 1) : 0, payload);
    return;
  }
}

static void play(history *h, const plan *v) {
  endpoint_pair *p = h->p;
  ok(iwarp_endpoint_listen(p->s[1].h->ep));
  ok(iwarp_endpoint_connect(p->s[0].h->ep, (iwarp_span){mutate_pool, v->pd_len[0]}));
  endpoint_pair_talk(p, 700);
  (void)iwarp_endpoint_accept(p->s[1].h->ep, (iwarp_span){mutate_pool, v->pd_len[1]});
  endpoint_pair_talk(p, 700);
  (void)iwarp_endpoint_accept(p->s[0].h->ep, (iwarp_span){0});
  endpoint_pair_talk(p, 700);
  for (size_t i = 0; i < OPS; i++) {
    post(h, v, i);
    endpoint_pair_talk(p, 700);
  }
  for (size_t who = 0; who < 2; who++) {
    (void)iwarp_endpoint_close(p->s[who].h->ep);
    endpoint_pair_talk(p, 700);
  }
  endpoint_pair_drop(p); /* whatever still waits */
}

history *mutate_history_new(const plan *v, size_t side, size_t at, uint8_t with) {
  history *h = calloc(1, sizeof *h);
  ck_assert_ptr_nonnull(h);
  h->p = endpoint_pair_new(v->cfg, MEM);
  endpoint_pair_hook(h->p, reported, h);
  h->p->spoil_side = side;
  h->p->spoil_at = at;
  h->p->spoil_with = with;
  side_new(h, 0);
  side_new(h, 1);
  play(h, v);
  return h;
}

void mutate_history_free(history *h) {
  endpoint_pair_free(h->p);
  free(h);
}
