/* SPDX-License-Identifier: BSD-2-Clause */
/* What the RFCs say of the startup of two endpoints and of what each reports. */
#include "agree.h"

#include <inttypes.h>
#include <string.h>

tally agree_tally;

/* ---- the model of the startup ---- */

static uint16_t lower(uint16_t a, uint16_t b) {
  return a < b ? a : b;
}

/* The depths of the Reads that `x` issues; the Reply is made by the Responder. RFC 6581 9.1 */
static void agree_depth(fixture *w, size_t x) {
  iwarp_endpoint_cfg *asks = &w->cfg[x];
  iwarp_endpoint_cfg *gives = &w->cfg[1 - x];
  uint16_t *ird = &w->t.ird[1 - x];
  const uint16_t most = gives->ird_max < gives->ird ? gives->ird : gives->ird_max;
  if (w->cfg[0].rev == 1 || gives->ird_unspec || (x == 0 && asks->ord_unspec)) {
    asks->ord = lower(asks->ord, *ird); /* no frame tells IRD: the ULPs see to it */
    w->t.ord[x] = asks->ord;
    return;
  }
  if (x == 0 && asks->ord > *ird) {
    *ird = lower(asks->ord, most);
  }
  w->t.ord[x] = lower(asks->ord, *ird);
  agree_tally.unspec += x == 1 && asks->ord_unspec && asks->ord > *ird ? 1 : 0;
}

/* RFC 6581 9.2 */
static void agree_model(fixture *w) {
  const uint8_t offer = w->cfg[0].rtr == 0 ? 7 : w->cfg[0].rtr;
  uint8_t can = w->cfg[1].rtr == 0 ? 7 : w->cfg[1].rtr;
  const bool deep = w->cfg[1].ird > 0 || w->cfg[1].ird_max > 0;
  can = deep ? can : can & (IWARP_RTR_SEND | IWARP_RTR_WRITE);
  const uint8_t both = can & offer;
  const uint8_t named = both != 0 ? both : can;
  w->t.peer_to_peer = true;
  w->t.rtr[0] = both;
  w->t.rtr[1] = both;
  w->t.no_match = both == 0;
  w->t.first = (both & IWARP_RTR_WRITE) != 0 ? IWARP_RTR_WRITE : both & IWARP_RTR_SEND;
  if (w->t.first == 0) {
    w->t.first = both;
  }
  if ((named & IWARP_RTR_READ) != 0 && w->t.ird[1] == 0) {
    w->t.ird[1] = 1;
  }
}

void agree_on_startup(fixture *w) {
  w->t.refused = w->cfg[0].rev == 2 && w->cfg[1].rev == 1;
  for (size_t who = 0; who < 2; who++) {
    w->t.ird[who] = w->cfg[who].ird;
  }
  if (w->cfg[0].rev == 2 && w->cfg[0].peer_to_peer) {
    agree_model(w);
  }
  agree_depth(w, 0);
  agree_depth(w, 1);
}

static void check_treaty(const fixture *w, size_t who) {
  const iwarp_endpoint_info *i = iwarp_endpoint_info_get(ep_of(w, who));
  expect(i->ird == w->t.ird[who] && i->ord == w->t.ord[who], "side %zu: IRD %u ORD %u, not %u %u",
         who, i->ird, i->ord, w->t.ird[who], w->t.ord[who]);
  expect(i->rtr == w->t.rtr[who] && i->peer_to_peer == w->t.peer_to_peer, "RTR %u", i->rtr);
  expect(i->markers_in == w->cfg[who].markers && i->markers_out == w->cfg[1 - who].markers,
         "Markers");
  expect(i->crc == (!w->cfg[0].no_crc || !w->cfg[1].no_crc), "CRC");
  expect(i->enhanced == (w->cfg[0].rev == 2), "enhanced");
}

/* ---- what is reported to a side ---- */

/* The item whose octets are placed: the expected one, or with scatter any that is not done. */
static const item *item_of(const fixture *w, line *l, const uint8_t *mem, const uint8_t *dst,
                           size_t len) {
  for (size_t n = l->done; n < l->num && (w->scatter || n == l->done); n++) {
    const item *i = &l->items[n];
    if (dst >= &mem[i->at] && dst + len <= &mem[i->at] + i->len &&
        (w->scatter || dst == &mem[i->at] + l->got)) {
      return i;
    }
  }
  return NULL;
}

static void placed(fixture *w, size_t who, const iwarp_endpoint_place *v) {
  side *s = &w->s[who];
  const uint8_t *mem = w->p->s[who].h->mem;
  line *l = v->tagged && v->stag == STAG_SINK ? &s->responses : &s->writes;
  const item *i = item_of(w, l, mem, v->runs[0].dst, v->len);
  expect(i != NULL, "a place %td that is not due", v->runs[0].dst - mem);
  size_t at = (size_t)(v->runs[0].dst - mem);
  for (size_t k = 0; k < v->num_runs; k++) {
    const iwarp_endpoint_run *run = &v->runs[k];
    expect(run->dst == &mem[at] && memcmp(run->src.ptr, i->src + (at - i->at), run->src.len) == 0,
           "other octets");
    memcpy(&s->shadow[at], run->src.ptr, run->src.len);
    at += run->src.len;
  }
  l->got += w->scatter ? 0 : v->len;
  if (!w->scatter && l->got == i->len) {
    l->got = 0;
    l->done++;
  }
}

bool agree_all_placed(const fixture *w, const side *s, line *l, size_t n) {
  while (w->scatter && l->done < n) {
    const item *i = &l->items[l->done];
    if (memcmp(&s->shadow[i->at], i->src, i->len) != 0) {
      return false;
    }
    l->done++;
  }
  return l->done >= n;
}

void agree_post_buffer(fixture *w, size_t who) {
  side *s = &w->s[who];
  const size_t i = s->recvs_posted % NUM_BUFFERS;
  const iwarp_err err = iwarp_endpoint_recv(ep_of(w, who), s->recvs_posted,
                                            &w->p->s[who].h->mem[BUFFERS + i * LONGEST], LONGEST);
  expect(err == IWARP_OK || err == IWARP_ERR_STATE, "a buffer: %s", iwarp_errname(err));
  s->recvs_posted += err == IWARP_OK ? 1 : 0;
}

void agree_open_window(fixture *w, size_t who) {
  side *s = &w->s[who];
  const iwarp_endpoint_region r = {.stag = s->window + 0x10001,
                                   .pd = 7,
                                   .base = BASE,
                                   .len = WINDOW_LEN,
                                   .mem = &w->p->s[who].h->mem[WINDOW],
                                   .access = IWARP_ACCESS_REMOTE_WRITE};
  if (s->window != STAG_WINDOW) {
    ok(iwarp_endpoint_deregister(ep_of(w, who), s->window));
  }
  ok(iwarp_endpoint_register(ep_of(w, who), &r));
  s->window = r.stag;
  s->window_open = true;
}

bool agree_invalidates(iwarp_rdmap_opcode opcode) {
  return opcode == IWARP_RDMAP_OP_SEND_INV || opcode == IWARP_RDMAP_OP_SEND_SE_INV;
}

static void received(fixture *w, size_t who, const iwarp_endpoint_received *r) {
  side *s = &w->s[who];
  expect(r->token == s->recvs_reported && s->recvs_reported < s->recvs_posted, "a receive");
  s->recvs_reported++;
  if (r->err != IWARP_OK) {
    expect(r->err == IWARP_ERR_FLUSHED, "%s", iwarp_errname(r->err));
    return;
  }
  expect(s->num_got + 1 == s->recvs_reported && s->num_got < s->num_messages, "after a failed one");
  const message *m = &s->messages[s->num_got++];
  expect(r->opcode == m->opcode && r->len == m->len, "opcode %d, %u octets", r->opcode, r->len);
  expect(agree_all_placed(w, s, &s->writes, m->writes), "reported before it was placed");
  expect(r->solicited ==
             (m->opcode == IWARP_RDMAP_OP_SEND_SE || m->opcode == IWARP_RDMAP_OP_SEND_SE_INV ||
              m->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE),
         "Solicited Event");
  expect(m->immediate == NULL || memcmp(r->immediate, m->immediate, sizeof r->immediate) == 0,
         "Immediate Data");
  expect(r->invalidated == agree_invalidates(m->opcode) && (!r->invalidated || r->stag == m->stag),
         "Invalidate");
  if (r->invalidated) {
    const iwarp_rdmap_read_req use = {.sink_stag = m->stag, .sink_to = BASE, .size = 1};
    expect(iwarp_endpoint_read(ep_of(w, who), 0, &use) == IWARP_ERR_ARG, "it is still valid");
    agree_open_window(w, who);
  }
  if (w->end != STARVE || who != w->who || !w->ended) {
    agree_post_buffer(w, who);
  }
}

bool agree_waits(iwarp_rdmap_opcode opcode) {
  return opcode == IWARP_RDMAP_OP_READ_REQ || opcode == IWARP_RDMAP_OP_ATOMIC_REQ;
}

static void completed(fixture *w, size_t who, const iwarp_endpoint_done *d) {
  side *s = &w->s[who];
  const op *o = &s->ops[s->completed % OPS];
  expect(d->token == s->completed && s->completed < s->posted && d->opcode == o->opcode,
         "a completion");
  s->completed++;
  s->waiting -= agree_waits(o->opcode) ? 1 : 0;
  if (d->err != IWARP_OK) {
    const bool refused = d->err == IWARP_ERR_REFUSED && d->cause == IWARP_ENDPOINT_CAUSE_TERMINATE;
    expect(refused || d->err == IWARP_ERR_FLUSHED, "%s", iwarp_errname(d->err));
    s->failed++;
    return;
  }
  agree_tally.done[o->opcode]++;
  if (o->opcode == IWARP_RDMAP_OP_READ_REQ) {
    expect(agree_all_placed(w, s, &s->responses, o->responses), "a Read without its octets");
  } else if (o->opcode == IWARP_RDMAP_OP_ATOMIC_REQ) {
    expect(d->original == o->original, "an Atomic Operation");
  }
}

void agree_now_done(side *s) {
  const atomic *a = &s->atomics[s->atomics_done++];
  memcpy(&s->shadow[a->at], &a->now, sizeof a->now);
}

static void asked(fixture *w, size_t who, const iwarp_endpoint_atomic_op *v) {
  side *s = &w->s[who];
  expect(s->atomics_done < s->num_atomics, "an Atomic Operation too many");
  const atomic *a = &s->atomics[s->atomics_done];
  expect(v->mem == &w->p->s[who].h->mem[a->at] && v->req.aopcode == a->req.aopcode &&
             v->req.add_swap_data == a->req.add_swap_data &&
             v->req.add_swap_mask == a->req.add_swap_mask &&
             v->req.compare_data == a->req.compare_data &&
             v->req.compare_mask == a->req.compare_mask && v->req.reserved == a->req.reserved,
         "another Atomic Operation");
  s->ask = *v;
  s->asked = w->p->s[who].h->hold_atomics;
  if (!s->asked) {
    agree_now_done(s);
  }
}

static void started(fixture *w, size_t who, const iwarp_endpoint_event *ev) {
  const side *peer = &w->s[1 - who];
  const iwarp_span pd = ev->u.startup.ulp_data;
  expect(pd.len == peer->pd_len && (pd.len == 0 || memcmp(pd.ptr, peer->pd, pd.len) == 0),
         "Private Data");
  expect((ev->kind == IWARP_ENDPOINT_EVENT_REQUEST) == (who == 1), "whose frame is it?");
  expect(ev->kind != IWARP_ENDPOINT_EVENT_REJECTED || w->end == REJECT, "a rejection");
  w->s[who].due = ev->kind != IWARP_ENDPOINT_EVENT_REJECTED;
}

/* Octets that need not arrive again: octets in their place must not matter. */
static void forget(fixture *w, size_t who, const iwarp_endpoint_out_of_order *a) {
  endpoint_pair_side *peer = &w->p->s[1 - who];
  expect(w->scatter && a->offset >= w->p->s[who].heard && a->offset + a->len <= peer->sent,
         "octets %" PRIu64 " to %" PRIu64 " ahead", a->offset, a->offset + a->len);
  memset(&peer->wire[a->offset], 0xEE, (size_t)a->len);
  agree_tally.ahead++;
}

void agree_reported(void *context, size_t who, const iwarp_endpoint_event *ev) {
  fixture *w = context;
  switch (ev->kind) {
  case IWARP_ENDPOINT_EVENT_REQUEST:
  case IWARP_ENDPOINT_EVENT_REPLY:
  case IWARP_ENDPOINT_EVENT_REJECTED: started(w, who, ev); return;
  case IWARP_ENDPOINT_EVENT_ESTABLISHED:
    w->s[who].established = true;
    if (!w->t.no_match) {
      check_treaty(w, who);
    }
    return;
  case IWARP_ENDPOINT_EVENT_PLACE: placed(w, who, &ev->u.place); return;
  case IWARP_ENDPOINT_EVENT_RECV: received(w, who, &ev->u.recv); return;
  case IWARP_ENDPOINT_EVENT_ATOMIC: asked(w, who, &ev->u.atomic); return;
  case IWARP_ENDPOINT_EVENT_DONE: completed(w, who, &ev->u.done); return;
  case IWARP_ENDPOINT_EVENT_STREAMING: expect(false, "streaming octets"); return;
  case IWARP_ENDPOINT_EVENT_FAULT:
  case IWARP_ENDPOINT_EVENT_TERMINATED:
  case IWARP_ENDPOINT_EVENT_PEER_ENDED:
  case IWARP_ENDPOINT_EVENT_SHUTDOWN:
  case IWARP_ENDPOINT_EVENT_CLOSED: return; /* the pair keeps them */
  case IWARP_ENDPOINT_EVENT_PLACED_OUT_OF_ORDER: forget(w, who, &ev->u.out_of_order); return;
  case IWARP_ENDPOINT_EVENT_RECV_LOW:
  case IWARP_ENDPOINT_EVENT_IDLE: expect(false, "an event that is switched off"); return;
  }
}
