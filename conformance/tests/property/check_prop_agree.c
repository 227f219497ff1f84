/* SPDX-License-Identifier: BSD-2-Clause */
/* Two endpoints with random operations and ends agree with a model, and no rule finds fault. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "check_run.h"
#include "prng.h"
#include "property.h"
#include "witness.h"

/* Where things lie in the memory of a side: the areas do not overlap, so each can be predicted. */
#define LONGEST 70000u /* octets of a payload: more than the largest FPDU holds */
#define SOURCE 0u      /* never written: Reads take from here */
#define TARGET 131072u /* the peer's Writes */
#define WINDOW 262144u /* the peer's Writes, until it invalidates it */
#define SINK 266240u   /* Read Responses */
#define NUMBERS 397312u
#define BUFFERS 397440u
#define AREA 131072u
#define WINDOW_LEN 4096u
#define NUM_NUMBERS 16u
#define NUM_BUFFERS 4u
#define MEM (BUFFERS + NUM_BUFFERS * LONGEST)

#define STAG_SOURCE 0x0101u
#define STAG_TARGET 0x0202u
#define STAG_SINK 0x0303u
#define STAG_NUMBERS 0x0404u
#define STAG_WINDOW 0x10000u
#define BASE UINT64_C(0x7FFFFFFF00000000)
#define SINK_BASE (UINT64_MAX - AREA)       /* the last octet that a TO can name is 2^64 - 2 */
#define TARGET_BASE (UINT64_MAX - AREA - 7) /* 7 octets more lie after the region */

#define PARTS_MAX 3u
#define OPS 8u
#define STEPS 400u
#define LOTS 4
#define RUNS 1500u /* of each lot */
#define EARLY 60u  /* steps: about the startup */
#define LIST 512u
#define DEPTH_MAX 6u

/* How a connection ends, at some moment. */
typedef enum ending {
  QUIET = 0, /* all is done, then both close */
  CLOSE,     /* one side closes while the other goes on */
  BOTH,      /* both close */
  ABORT,
  LOSE,      /* the transport connection is gone */
  STARVE,    /* a side posts no more receive buffers */
  FORBIDDEN, /* an operation that the other side may not do, in the midst of others */
  SILENCE,   /* nothing is carried any more, the time passes */
  REJECT,    /* the Responder does not want the Request */
  DECLINE,   /* the Initiator does not want the Reply */
  NUM_ENDINGS
} ending;

/* An operation under way: what its completion must say. */
typedef struct op {
  iwarp_rdmap_opcode opcode;
  uint64_t original;
  size_t responses; /* Read: items of the line of Responses that are there then */
  iwarp_span parts[PARTS_MAX];
} op;

/* Octets that a side will have to place, next to those of the item before. */
typedef struct item {
  const uint8_t *src;
  uint32_t at;
  uint32_t len;
} item;

typedef struct line {
  item items[LIST];
  size_t num;
  size_t done;
  uint32_t got; /* octets of the item that is due */
} line;

/* A message that a side will receive. */
typedef struct message {
  iwarp_rdmap_opcode opcode;
  uint32_t len;
  uint32_t stag;
  const uint8_t *immediate;
  size_t writes; /* items of the line of Writes and Sends that are there then */
} message;

typedef struct atomic {
  iwarp_rdmap_atomic_req req;
  uint32_t at;
  uint64_t now;
} atomic;

/* One side, and what is known about its future. */
typedef struct side {
  op ops[OPS]; /* posted and not completed */
  uint64_t posted;
  uint64_t completed;
  uint64_t failed;
  uint64_t waiting; /* Reads and Atomic Operations posted and not completed */
  uint8_t *shadow;  /* its memory as it must be */
  line writes;      /* Writes and Sends to it */
  line responses;   /* to its Reads */
  message messages[LIST];
  size_t num_messages; /* to it, in all */
  size_t num_got;
  size_t recvs_posted;
  size_t recvs_reported;
  atomic atomics[LIST];
  size_t num_atomics; /* on it */
  size_t atomics_done;
  bool asked; /* an Atomic Operation waits for its answer */
  iwarp_endpoint_atomic_op ask;
  uint32_t window; /* STag */
  bool window_open;
  bool due; /* to accept */
  bool established;
  uint8_t pd[IWARP_MPA_PRIVATE_DATA_MAX];
  size_t pd_len;
} side;

/* What the startup must come to, by RFC 6581 5 and 6. */
typedef struct treaty {
  uint16_t ird[2];
  uint16_t ord[2];
  uint8_t rtr[2];
  uint8_t first; /* IWARP_RTR_* that is sent, or 0 */
  bool peer_to_peer;
  bool refused;  /* Rev does not fit */
  bool no_match; /* of RTR types */
} treaty;

typedef struct fixture {
  endpoint_pair *p;
  witness *x;
  side s[2];
  iwarp_endpoint_cfg cfg[2];
  treaty t;
  ending end;
  size_t who; /* that the end comes from */
  size_t moment;
  bool ended;
  bool crossing; /* a Request may meet a closed half */
  bool reads_after;
  uint16_t bad_word;   /* FORBIDDEN: the Terminate that is due, 0: not posted yet */
  size_t bad_writes;   /* items of the line of Writes and Sends before it */
  size_t bad_messages; /* and messages */
  uint64_t now;
  bool scatter;       /* octets come ahead of their turn, too */
  uint32_t target[2]; /* scatter: Writes do not overlap, so their order does not matter */
  uint32_t longest;
  prng rand;
} fixture;

static uint8_t pool[2 * LONGEST]; /* payload is taken from here */

/* What a lot of runs came to: a property of nothing would hold too. */
static struct tally {
  uint64_t done[IWARP_RDMAP_OP_ATOMIC_REQ + 1]; /* operations, by opcode */
  uint64_t failed;
  uint64_t octets;
  uint64_t fpdus;
  uint64_t ends[NUM_ENDINGS]; /* established and ended so */
  uint64_t well;
  uint64_t starved;
  uint64_t forbidden;
  uint64_t ahead; /* FPDUs placed before their turn */
  uint64_t crossed;
  uint64_t no_match;
  uint64_t refused;
  uint64_t unspec; /* ORD was left to a ULP that wanted more than the peer's IRD */
  uint64_t end;    /* Writes and sinks of Reads up to the last octet that a TO can name */
  uint64_t rtr[IWARP_RTR_READ + 1];
} tally;

static void ok(iwarp_err err) {
  expect(err == IWARP_OK, "%s", iwarp_errname(err));
}

static uint32_t some(fixture *w, uint32_t limit) {
  return (uint32_t)prng_below(&w->rand, limit);
}

static bool chance(fixture *w, uint32_t one_in) {
  return some(w, one_in) == 0;
}

static iwarp_endpoint *ep_of(const fixture *w, size_t who) {
  return w->p->s[who].h->ep;
}

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
  tally.unspec += x == 1 && asks->ord_unspec && asks->ord > *ird ? 1 : 0;
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

static void agree(fixture *w) {
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

/* The item whose octets are placed: the one that is due, or with scatter any that is not done. */
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

/* Whether the first `n` items of a line were placed. */
static bool all_placed(const fixture *w, const side *s, line *l, size_t n) {
  while (w->scatter && l->done < n) {
    const item *i = &l->items[l->done];
    if (memcmp(&s->shadow[i->at], i->src, i->len) != 0) {
      return false;
    }
    l->done++;
  }
  return l->done >= n;
}

static void post_buffer(fixture *w, size_t who) {
  side *s = &w->s[who];
  const size_t i = s->recvs_posted % NUM_BUFFERS;
  const iwarp_err err = iwarp_endpoint_recv(ep_of(w, who), s->recvs_posted,
                                            &w->p->s[who].h->mem[BUFFERS + i * LONGEST], LONGEST);
  expect(err == IWARP_OK || err == IWARP_ERR_STATE, "a buffer: %s", iwarp_errname(err));
  s->recvs_posted += err == IWARP_OK ? 1 : 0;
}

/* A new window in place of the old one. */
static void open_window(fixture *w, size_t who) {
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

static bool invalidates(iwarp_rdmap_opcode opcode) {
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
  expect(all_placed(w, s, &s->writes, m->writes), "reported before it was placed");
  expect(r->solicited ==
             (m->opcode == IWARP_RDMAP_OP_SEND_SE || m->opcode == IWARP_RDMAP_OP_SEND_SE_INV ||
              m->opcode == IWARP_RDMAP_OP_IMMEDIATE_SE),
         "Solicited Event");
  expect(m->immediate == NULL || memcmp(r->immediate, m->immediate, sizeof r->immediate) == 0,
         "Immediate Data");
  expect(r->invalidated == invalidates(m->opcode) && (!r->invalidated || r->stag == m->stag),
         "Invalidate");
  if (r->invalidated) {
    const iwarp_rdmap_read_req use = {.sink_stag = m->stag, .sink_to = BASE, .size = 1};
    expect(iwarp_endpoint_read(ep_of(w, who), 0, &use) == IWARP_ERR_ARG, "it is still valid");
    open_window(w, who);
  }
  if (w->end != STARVE || who != w->who || !w->ended) {
    post_buffer(w, who);
  }
}

static bool waits(iwarp_rdmap_opcode opcode) {
  return opcode == IWARP_RDMAP_OP_READ_REQ || opcode == IWARP_RDMAP_OP_ATOMIC_REQ;
}

static void completed(fixture *w, size_t who, const iwarp_endpoint_done *d) {
  side *s = &w->s[who];
  const op *o = &s->ops[s->completed % OPS];
  expect(d->token == s->completed && s->completed < s->posted && d->opcode == o->opcode,
         "a completion");
  s->completed++;
  s->waiting -= waits(o->opcode) ? 1 : 0;
  if (d->err != IWARP_OK) {
    const bool refused = d->err == IWARP_ERR_REFUSED && d->cause == IWARP_ENDPOINT_CAUSE_TERMINATE;
    expect(refused || d->err == IWARP_ERR_FLUSHED, "%s", iwarp_errname(d->err));
    s->failed++;
    return;
  }
  tally.done[o->opcode]++;
  if (o->opcode == IWARP_RDMAP_OP_READ_REQ) {
    expect(all_placed(w, s, &s->responses, o->responses), "a Read without its octets");
  } else if (o->opcode == IWARP_RDMAP_OP_ATOMIC_REQ) {
    expect(d->original == o->original, "an Atomic Operation");
  }
}

static void now_done(side *s) {
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
    now_done(s);
  }
}

static void started(fixture *w, size_t who, const iwarp_endpoint_ev *ev) {
  const side *peer = &w->s[1 - who];
  const iwarp_span pd = ev->u.startup.ulp_data;
  expect(pd.len == peer->pd_len && (pd.len == 0 || memcmp(pd.ptr, peer->pd, pd.len) == 0),
         "Private Data");
  expect((ev->kind == IWARP_ENDPOINT_EVENT_REQUEST) == (who == 1), "whose frame is it?");
  expect(ev->kind != IWARP_ENDPOINT_EVENT_REJECTED || w->end == REJECT, "a rejection");
  w->s[who].due = ev->kind != IWARP_ENDPOINT_EVENT_REJECTED;
}

/* Octets that need not come again: what comes in their place must not matter. */
static void forget(fixture *w, size_t who, const iwarp_endpoint_out_of_order *a) {
  endpoint_pair_side *peer = &w->p->s[1 - who];
  expect(w->scatter && a->offset >= w->p->s[who].heard && a->offset + a->len <= peer->sent,
         "octets %" PRIu64 " to %" PRIu64 " ahead", a->offset, a->offset + a->len);
  memset(&peer->wire[a->offset], 0xEE, (size_t)a->len);
  tally.ahead++;
}

static void reported(void *context, size_t who, const iwarp_endpoint_ev *ev) {
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

/* ---- operations ---- */

static uint32_t some_len(fixture *w, uint32_t most) {
  const uint32_t few = most < 8 ? most : 8;
  const uint32_t many = most < 3000 ? most : 3000;
  const uint32_t how = some(w, 8);
  return some(w, (how < 2 ? few : how < 7 ? many : most) + 1);
}

/* A payload of `len` octets in parts; returns its first octet. */
static const uint8_t *payload(fixture *w, op *o, uint32_t len, iwarp_tx_payload *out) {
  const uint8_t *octets = &pool[some(w, LONGEST)];
  const size_t parts = len == 0 ? some(w, 2) : 1 + some(w, PARTS_MAX);
  size_t at = 0;
  for (size_t i = 0; i < parts; i++) {
    const size_t n = i + 1 == parts ? len - at : some(w, (uint32_t)(len - at) + 1);
    o->parts[i] = (iwarp_span){octets + at, n};
    at += n;
  }
  *out = (iwarp_tx_payload){.parts = parts > 0 ? o->parts : NULL, .num_parts = parts};
  return octets;
}

static void line_add(line *l, const uint8_t *src, uint32_t at, uint32_t len) {
  expect(l->num < LIST, "too many items");
  if (len > 0) {
    l->items[l->num++] = (item){src, at, len};
  }
}

/* Notes what the peer will receive: the message takes the buffer of its number. */
static void predict(side *peer, const op *o, uint32_t len, uint32_t stag, const uint8_t *octets) {
  const bool immediate = o->opcode >= IWARP_RDMAP_OP_IMMEDIATE;
  const uint32_t at = BUFFERS + (uint32_t)(peer->num_messages % NUM_BUFFERS) * LONGEST;
  expect(peer->num_messages < LIST, "too many messages");
  line_add(&peer->writes, octets, at, immediate ? 0 : len);
  peer->messages[peer->num_messages++] = (message){.opcode = o->opcode,
                                                   .len = immediate ? 0 : len,
                                                   .stag = stag,
                                                   .immediate = immediate ? octets : NULL,
                                                   .writes = peer->writes.num};
}

static bool has_buffer(const fixture *w, size_t who) {
  const side *peer = &w->s[1 - who];
  return (w->end == STARVE && w->ended && w->who != who) || peer->num_messages < peer->recvs_posted;
}

static bool post_send(fixture *w, size_t who, op *o) {
  static const iwarp_rdmap_opcode kinds[] = {IWARP_RDMAP_OP_SEND, IWARP_RDMAP_OP_SEND_SE,
                                             IWARP_RDMAP_OP_SEND_INV, IWARP_RDMAP_OP_SEND_SE_INV};
  side *peer = &w->s[1 - who];
  iwarp_tx_payload p;
  uint32_t stag = 0;
  if (!has_buffer(w, who)) {
    return false;
  }
  o->opcode = kinds[some(w, peer->window_open ? 4 : 2)];
  if (invalidates(o->opcode)) {
    stag = peer->window;
    peer->window_open = false; /* until the peer opens another one */
  }
  const uint32_t len = some_len(w, w->longest);
  const uint8_t *octets = payload(w, o, len, &p);
  predict(peer, o, len, stag, octets);
  ok(iwarp_endpoint_send(ep_of(w, who), w->s[who].posted, o->opcode, stag, p));
  return true;
}

static bool post_immediate(fixture *w, size_t who, op *o) {
  const bool se = chance(w, 2);
  const uint8_t *octets = &pool[some(w, LONGEST)];
  if (!has_buffer(w, who)) {
    return false;
  }
  o->opcode = se ? IWARP_RDMAP_OP_IMMEDIATE_SE : IWARP_RDMAP_OP_IMMEDIATE;
  predict(&w->s[1 - who], o, IWARP_RDMAP_IMMEDIATE_LEN, 0, octets);
  ok(iwarp_endpoint_immediate(ep_of(w, who), w->s[who].posted, se, octets));
  return true;
}

static bool post_write(fixture *w, size_t who, op *o) {
  side *peer = &w->s[1 - who];
  const bool window = peer->window_open && !w->scatter && chance(w, 3);
  const uint32_t area = window ? WINDOW_LEN : AREA;
  const uint32_t left = AREA - w->target[who];
  const uint32_t most = w->scatter && left < w->longest ? left : w->longest;
  const uint32_t len = some_len(w, window ? WINDOW_LEN : most);
  const uint32_t at = w->scatter ? w->target[who] : some(w, area - len + 1);
  iwarp_tx_payload p;
  const uint8_t *octets = payload(w, o, len, &p);
  uint32_t stag = window ? peer->window : STAG_TARGET;
  const iwarp_tx_payload more = {.parts = &(iwarp_span){octets, len + 1}, .num_parts = 1};
  o->opcode = IWARP_RDMAP_OP_WRITE;
  w->target[who] += w->scatter ? len : 0;
  line_add(&peer->writes, octets, (window ? WINDOW : TARGET) + at, len);
  if (len == 0 && chance(w, 2)) {
    stag = some(w, UINT32_MAX); /* it means nothing, RFC 5041 5.2 */
  }
  if (!window) {
    expect(iwarp_endpoint_write(ep_of(w, who), 0, stag, UINT64_MAX - len, more) == IWARP_ERR_ARG,
           "a Write that wraps");
  }
  ok(iwarp_endpoint_write(ep_of(w, who), w->s[who].posted, stag, (window ? BASE : TARGET_BASE) + at,
                          p));
  return true;
}

static bool post_read(fixture *w, size_t who, op *o) {
  side *s = &w->s[who];
  const uint32_t len = some_len(w, AREA / OPS);
  const uint32_t from = some(w, AREA - len + 1);
  const uint32_t slot = (uint32_t)(s->posted % OPS) * (AREA / OPS);
  const uint32_t to = slot + (chance(w, 4) ? AREA / OPS - len : 0); /* up to the end of its slot */
  const bool nowhere = len == 0 && chance(w, 2); /* STags of a Read of nothing mean nothing */
  const iwarp_rdmap_read_req req = {.sink_stag = nowhere ? some(w, UINT32_MAX) : STAG_SINK,
                                    .sink_to = nowhere ? prng_next(&w->rand) : SINK_BASE + to,
                                    .size = len,
                                    .source_stag = nowhere ? some(w, UINT32_MAX) : STAG_SOURCE,
                                    .source_to = BASE + from};
  o->opcode = IWARP_RDMAP_OP_READ_REQ;
  line_add(&s->responses, &w->s[1 - who].shadow[SOURCE + from], SINK + to, len);
  o->responses = s->responses.num;
  tally.end += len > 0 && to + len == AREA ? 1 : 0;
  if (!nowhere) {
    iwarp_rdmap_read_req wraps = req;
    wraps.size = (uint32_t)(UINT64_MAX - req.sink_to) + 1;
    expect(iwarp_endpoint_read(ep_of(w, who), 0, &wraps) == IWARP_ERR_ARG, "a sink that wraps");
  }
  ok(iwarp_endpoint_read(ep_of(w, who), s->posted, &req));
  return true;
}

/* What the number of the peer is when all Atomic Operations posted so far are done. */
static uint64_t number_then(const side *peer, uint32_t at) {
  uint64_t value;
  memcpy(&value, &peer->shadow[at], sizeof value);
  for (size_t i = peer->atomics_done; i < peer->num_atomics; i++) {
    value = peer->atomics[i].at == at ? peer->atomics[i].now : value;
  }
  return value;
}

/* The masked arithmetic, bit by bit: a mask bit of the addition ends a field. RFC 7306 5.1 */
static uint64_t add_slowly(uint64_t a, uint64_t b, uint64_t mask) {
  uint64_t sum = 0;
  uint64_t carry = 0;
  for (unsigned i = 0; i < 64; i++) {
    const uint64_t n = (a >> i & 1) + (b >> i & 1) + carry;
    sum |= (n & 1) << i;
    carry = (mask >> i & 1) != 0 ? 0 : n >> 1;
  }
  return sum;
}

static uint64_t done_slowly(const iwarp_rdmap_atomic_req *r, uint64_t old) {
  if (r->aopcode == IWARP_RDMAP_AOP_FETCH_ADD) {
    return add_slowly(old, r->add_swap_data, r->add_swap_mask);
  }
  if (((old ^ r->compare_data) & r->compare_mask) != 0) {
    return old;
  }
  return (old & ~r->add_swap_mask) | (r->add_swap_data & r->add_swap_mask);
}

static uint64_t some_mask(fixture *w) {
  const uint32_t how = some(w, 4);
  const uint64_t bit = UINT64_C(1) << some(w, 64);
  return how == 0 ? 0 : how == 1 ? UINT64_MAX : how == 2 ? bit : prng_next(&w->rand);
}

/* A FetchAdd compares nothing: what it sends there does not depend on the ULP. RFC 7306 5.2.1 */
static iwarp_rdmap_atomic_req as_sent(const iwarp_rdmap_atomic_req *req) {
  iwarp_rdmap_atomic_req r = *req;
  r.reserved = 0;
  if (r.aopcode == IWARP_RDMAP_AOP_FETCH_ADD) {
    r.compare_data = 0;
    r.compare_mask = UINT64_MAX;
  }
  return r;
}

static bool post_atomic(fixture *w, size_t who, op *o) {
  side *peer = &w->s[1 - who];
  const uint32_t at = NUMBERS + 8 * some(w, NUM_NUMBERS);
  iwarp_rdmap_atomic_req r = {.stag = STAG_NUMBERS, .to = BASE + at - NUMBERS};
  o->opcode = IWARP_RDMAP_OP_ATOMIC_REQ;
  o->original = number_then(peer, at);
  r.add_swap_data = prng_next(&w->rand);
  r.add_swap_mask = some_mask(w);
  r.aopcode = chance(w, 2) ? IWARP_RDMAP_AOP_CMP_SWAP : IWARP_RDMAP_AOP_FETCH_ADD;
  r.compare_mask = some_mask(w);
  r.compare_data = chance(w, 3) ? prng_next(&w->rand) : o->original;
  r.reserved = chance(w, 4) ? some(w, UINT32_MAX) : 0;
  expect(peer->num_atomics < LIST, "too many Atomic Operations");
  peer->atomics[peer->num_atomics++] = (atomic){as_sent(&r), at, done_slowly(&r, o->original)};
  ok(iwarp_endpoint_atomic(ep_of(w, who), w->s[who].posted, &r));
  return true;
}

typedef bool post_fn(fixture *w, size_t who, op *o);

static bool may_post(const fixture *w, size_t who) {
  const iwarp_endpoint_state state = endpoint_pair_state(w->p, who);
  const side *s = &w->s[who];
  return s->posted - s->completed < OPS &&
         (state == IWARP_ENDPOINT_FULL || state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU ||
          state == IWARP_ENDPOINT_PEER_ENDED);
}

static bool may_wait(const fixture *w, size_t who) {
  return w->t.ord[who] > 0 && endpoint_pair_state(w->p, who) != IWARP_ENDPOINT_PEER_ENDED &&
         (w->reads_after || !w->ended || w->end != CLOSE);
}

static void post(fixture *w, size_t who) {
  static post_fn *const kinds[] = {post_send, post_immediate, post_write, post_read, post_atomic};
  side *s = &w->s[who];
  if (may_post(w, who)) {
    op *o = &s->ops[s->posted % OPS];
    const iwarp_rdmap_read_req nothing = {0};
    *o = (op){0};
    if (w->t.ord[who] == 0) {
      expect(iwarp_endpoint_read(ep_of(w, who), 0, &nothing) == IWARP_ERR_STATE, "a Read at ORD 0");
    }
    if (kinds[some(w, may_wait(w, who) ? 5 : 3)](w, who, o)) {
      s->posted++;
      s->waiting += waits(o->opcode) ? 1 : 0;
      w->crossing = w->crossing || (w->ended && waits(o->opcode));
    }
  }
}

/* ---- an operation that is not allowed ---- */

static bool bad_write(fixture *w, size_t who, op *o) {
  const bool unknown = chance(w, 2);
  iwarp_tx_payload p;
  (void)payload(w, o, 1 + some(w, unknown ? 3000 : 7), &p);
  o->opcode = IWARP_RDMAP_OP_WRITE;
  w->bad_word = unknown ? 0x1100 : 0x1101;
  ok(iwarp_endpoint_write(ep_of(w, who), w->s[who].posted, unknown ? 0xABCD : STAG_TARGET,
                          unknown ? BASE : TARGET_BASE + AREA, p));
  return true;
}

static bool bad_read(fixture *w, size_t who, op *o) {
  static const uint16_t words[] = {0x0100, 0x0101, 0x0102};
  const size_t how = some(w, 3);
  const iwarp_rdmap_read_req req = {.sink_stag = STAG_SINK,
                                    .sink_to = SINK_BASE,
                                    .size = 100,
                                    .source_stag = how == 0   ? 0xABCD
                                                   : how == 1 ? STAG_SOURCE
                                                              : STAG_TARGET,
                                    .source_to =
                                        how == 2 ? TARGET_BASE : BASE + (how == 1 ? AREA - 99 : 0)};
  o->opcode = IWARP_RDMAP_OP_READ_REQ;
  w->bad_word = words[how];
  ok(iwarp_endpoint_read(ep_of(w, who), w->s[who].posted, &req));
  return true;
}

static bool bad_atomic(fixture *w, size_t who, op *o) {
  const iwarp_rdmap_atomic_req r = {
      .stag = STAG_NUMBERS, .to = BASE + 4, .compare_mask = UINT64_MAX};
  o->opcode = IWARP_RDMAP_OP_ATOMIC_REQ;
  w->bad_word = 0x0207;
  ok(iwarp_endpoint_atomic(ep_of(w, who), w->s[who].posted, &r));
  return true;
}

static bool bad_invalidate(fixture *w, size_t who, op *o) {
  if (!has_buffer(w, who)) {
    return false;
  }
  o->opcode = IWARP_RDMAP_OP_SEND_INV;
  w->bad_word = 0x0209;
  w->s[1 - who].num_messages++; /* it takes a place, and no message after it will come */
  ok(iwarp_endpoint_send(ep_of(w, who), w->s[who].posted, o->opcode, 0xABCD,
                         (iwarp_tx_payload){0}));
  return true;
}

/* Posts it if that is possible now. */
static bool post_bad(fixture *w, size_t who) {
  static post_fn *const kinds[] = {bad_write, bad_invalidate, bad_read, bad_atomic};
  side *s = &w->s[who];
  op *o = &s->ops[s->posted % OPS];
  if (!may_post(w, who)) {
    return false;
  }
  *o = (op){0};
  w->bad_writes = w->s[1 - who].writes.num;
  w->bad_messages = w->s[1 - who].num_messages;
  if (!kinds[some(w, may_wait(w, who) ? 4 : 2)](w, who, o)) {
    return false;
  }
  s->posted++;
  s->waiting += waits(o->opcode) ? 1 : 0;
  return true;
}

/* ---- steps ---- */

/* Does what the ULP is asked for: to accept or not, and Atomic Operations. */
static bool answer(fixture *w, size_t who) {
  side *s = &w->s[who];
  const iwarp_span pd = {s->pd, who == 1 ? s->pd_len : 0};
  if (s->due && !w->p->s[who].h->over) {
    s->due = false;
    if ((w->end == REJECT && who == 1) || (w->end == DECLINE && who == 0)) {
      ok(iwarp_endpoint_reject(ep_of(w, who), pd));
    } else {
      ok(iwarp_endpoint_accept(ep_of(w, who), pd));
    }
    endpoint_pair_events(w->p, who);
    return true;
  }
  if (s->asked && !w->p->s[who].h->over) {
    s->asked = false;
    if (iwarp_endpoint_info_get(ep_of(w, who))->state <= IWARP_ENDPOINT_LOCAL_CLOSED) {
      now_done(s);
      ep_host_atomic(w->p->s[who].h, &s->ask);
      endpoint_pair_events(w->p, who);
    }
    return true;
  }
  return false;
}

static void carry(fixture *w) {
  const size_t who = some(w, 2);
  if (chance(w, 2)) {
    (void)endpoint_pair_pull(w->p, who, 1 + some(w, chance(w, 2) ? 4096 : 70000));
  } else if (w->scatter && chance(w, 2)) {
    (void)endpoint_pair_push_at(w->p, who, 1 + some(w, chance(w, 2) ? 600 : 6000),
                                1 + some(w, 9000));
  } else {
    (void)endpoint_pair_push(w->p, who,
                             1 + some(w, chance(w, 4)   ? 8
                                         : chance(w, 2) ? 2000
                                                        : 140000));
  }
}

static void drain(fixture *w) {
  bool moved = true;
  while (moved) {
    moved = false;
    for (size_t who = 0; who < 2; who++) {
      moved = endpoint_pair_pull(w->p, who, 1 + some(w, 100000)) > 0 || moved;
      moved = endpoint_pair_push(w->p, who, 1 + some(w, 100000)) || moved;
      moved = answer(w, who) || moved;
    }
  }
}

static void close_side(fixture *w, size_t who) {
  const iwarp_endpoint_state state = endpoint_pair_state(w->p, who);
  const iwarp_err err = iwarp_endpoint_close(ep_of(w, who));
  const bool can = state != IWARP_ENDPOINT_AWAIT_FIRST_FPDU &&
                   (state < IWARP_ENDPOINT_ENDING || state == IWARP_ENDPOINT_PEER_ENDED ||
                    state == IWARP_ENDPOINT_DETACHED);
  expect((err == IWARP_OK) == can, "a close in state %d: %s", state, iwarp_errname(err));
  endpoint_pair_events(w->p, who);
}

/* Nothing happens any more but time. RFC 5044 7.1.2 rule 10 */
static void wait_long(fixture *w) {
  iwarp_endpoint *ep = ep_of(w, w->who);
  const iwarp_endpoint_state state = endpoint_pair_state(w->p, w->who);
  iwarp_endpoint_time(ep, some(w, 1000000)); /* time counts from here */
  const uint64_t due = iwarp_endpoint_deadline(ep);
  const bool patient = state == IWARP_ENDPOINT_IDLE || state == IWARP_ENDPOINT_FULL ||
                       state == IWARP_ENDPOINT_PEER_ENDED || state == IWARP_ENDPOINT_DETACHED ||
                       state == IWARP_ENDPOINT_CLOSED;
  expect((due == IWARP_TIME_NEVER) == patient, "state %d waits until %" PRIu64, state, due);
  if (patient) {
    endpoint_pair_drop(w->p);
    return;
  }
  iwarp_endpoint_time(ep, due - 1);
  endpoint_pair_events(w->p, w->who);
  expect(endpoint_pair_state(w->p, w->who) == state, "too early");
  iwarp_endpoint_time(ep, due);
  endpoint_pair_events(w->p, w->who);
  expect(w->p->s[w->who].h->over && w->p->s[w->who].h->closed.err != IWARP_OK &&
             w->p->s[w->who].h->closed.disconnect,
         "no end at the deadline");
}

static void end_now(fixture *w) {
  w->ended = true;
  switch (w->end) {
  case CLOSE:
    w->crossing = w->s[1 - w->who].waiting > 0;
    close_side(w, w->who);
    return;
  case BOTH:
    w->crossing =
        endpoint_pair_state(w->p, 1) == IWARP_ENDPOINT_AWAIT_FIRST_FPDU || /* it cannot close yet */
        w->s[0].waiting + w->s[1].waiting > 0;
    close_side(w, 0);
    close_side(w, 1);
    return;
  case ABORT:
    (void)iwarp_endpoint_abort(ep_of(w, w->who));
    endpoint_pair_events(w->p, w->who);
    return;
  case LOSE: endpoint_pair_drop(w->p); return;
  case FORBIDDEN:
    w->ended = post_bad(w, 1 - w->who);
    w->moment += w->ended ? 0 : 1; /* later */
    return;
  case SILENCE:
    if (chance(w, 2)) {
      close_side(w, w->who);
    }
    wait_long(w);
    return;
  case QUIET:
  case STARVE:
  case REJECT:
  case DECLINE:
  case NUM_ENDINGS: return;
  }
}

static void step(fixture *w, size_t i) {
  const uint32_t what = some(w, 10);
  if (i == w->moment) {
    end_now(w);
  }
  if (what < 4) {
    post(w, some(w, 2));
  } else if (what < 9) {
    carry(w);
  } else {
    (void)answer(w, some(w, 2));
  }
  w->now += some(w, 1000000);
  for (size_t who = 0; who < 2 && w->end != SILENCE; who++) {
    iwarp_endpoint_time(ep_of(w, who), w->now);
  }
}

/* All that is left is done; then whoever has not closed does. */
static void finish(fixture *w) {
  const size_t first = some(w, 2);
  drain(w);
  if (endpoint_pair_state(w->p, 1) == IWARP_ENDPOINT_AWAIT_FIRST_FPDU &&
      endpoint_pair_state(w->p, 0) == IWARP_ENDPOINT_FULL) {
    ok(iwarp_endpoint_write(ep_of(w, 0), w->s[0].posted, 0, 0, (iwarp_tx_payload){0}));
    w->s[0].ops[w->s[0].posted % OPS] = (op){.opcode = IWARP_RDMAP_OP_WRITE};
    w->s[0].posted++;
    drain(w);
  }
  for (size_t i = 0; i < 2; i++) {
    const size_t who = (first + i) % 2;
    const iwarp_endpoint_state state = endpoint_pair_state(w->p, who);
    if (state == IWARP_ENDPOINT_FULL || state == IWARP_ENDPOINT_PEER_ENDED) {
      close_side(w, who);
      drain(w);
    }
  }
}

/* ---- judgement ---- */

static bool ended_well(const fixture *w, size_t who) {
  const ep_host *s = w->p->s[who].h;
  return s->over && s->closed.err == IWARP_OK && !s->closed.disconnect && s->word == 0 &&
         !s->terminated;
}

/* What was sent is what was placed and completed. */
static void check_all_there(fixture *w, size_t who) {
  side *s = &w->s[who];
  expect(all_placed(w, s, &s->writes, s->writes.num) && s->num_got == s->num_messages,
         "something is missing");
  if (!w->crossing) {
    expect(s->failed == 0 && all_placed(w, s, &s->responses, s->responses.num),
           "a Response is missing");
    expect(s->atomics_done == s->num_atomics, "an Atomic Operation is missing");
  }
}

/* The Terminate that both sides know of. */
static void check_terminate(const fixture *w, size_t who, uint16_t word, bool header, bool read) {
  const ep_host *s = w->p->s[who].h;
  const ep_host *peer = w->p->s[1 - who].h;
  const iwarp_rdmap_term *t = &peer->term.term;
  expect(s->word == word && s->fault_sent, "fault 0x%04x", s->word);
  expect(peer->terminated && peer->term.readable && peer->word == 0, "no Terminate came");
  expect(((unsigned)t->layer << 12 | (unsigned)t->etype << 8 | t->code) == word, "other codes");
  expect(t->m == header && t->d == header && t->r == read, "M, D, R");
  expect(s->over && peer->over && !s->closed.disconnect && !peer->closed.disconnect, "no end");
}

/* More Sends than buffers: the first one without is the one to blame. RFC 5041 7.1 */
static void check_starved(const fixture *w) {
  const side *s = &w->s[w->who];
  const uint8_t *header = w->p->s[1 - w->who].h->term_octets;
  const uint32_t rtr = w->who == 1 && w->t.first == IWARP_RTR_SEND ? 1 : 0;
  if (s->num_messages <= s->recvs_posted) {
    expect(ended_well(w, 0) && ended_well(w, 1), "nothing was amiss");
    return;
  }
  check_terminate(w, w->who, 0x1202, true, false);
  expect(s->num_got == s->recvs_posted, "not all buffers are used");
  const uint32_t msn = (uint32_t)header[10] << 24 | (uint32_t)header[11] << 16 |
                       (uint32_t)header[12] << 8 | header[13];
  expect(msn == s->recvs_posted + 1 + rtr, "MSN %" PRIu32, msn);
}

/* All before it was placed and completed, nothing after it. RFC 5040 7.1 */
static void check_forbidden(fixture *w) {
  side *s = &w->s[w->who];
  if (w->bad_word == 0) {
    expect(ended_well(w, 0) && ended_well(w, 1), "nothing was amiss");
    return;
  }
  check_terminate(w, w->who, w->bad_word, true, w->bad_word >> 8 == 1);
  expect(all_placed(w, s, &s->writes, w->bad_writes), "placed %zu of %zu", s->writes.done,
         w->bad_writes);
  expect(w->scatter || (s->writes.done == w->bad_writes && s->writes.got == 0), "placed too much");
  expect(s->num_got == w->bad_messages, "reported %zu of %zu", s->num_got, w->bad_messages);
  tally.forbidden++;
}

static void check_refused(const fixture *w) {
  expect(w->p->s[1].h->over && w->p->s[1].h->closed.err == IWARP_ERR_MPA_REV, "Rev 2 was taken");
  expect(w->p->s[0].h->over && w->p->s[0].h->closed.retry_plain, "no advice to try Rev 1");
}

/* One side closed. It answers no Request that comes later: that is the only thing to go wrong. */
static void check_closed(const fixture *w) {
  const ep_host *s = w->p->s[w->who].h;
  if (!w->s[0].established || !w->s[1].established) {
    return; /* closed while it started */
  }
  if (!w->crossing) {
    expect(ended_well(w, 0) && ended_well(w, 1), "an end");
  }
  expect(w->p->s[1 - w->who].h->word == 0 &&
             (s->word == 0 || (s->word == 0x0207 && !s->fault_sent)),
         "fault 0x%04x", s->word);
}

static void check_end(fixture *w) {
  switch (w->end) {
  case QUIET:
    expect(ended_well(w, 0) && ended_well(w, 1), "an end: %d %d", endpoint_pair_state(w->p, 0),
           endpoint_pair_state(w->p, 1));
    return;
  case CLOSE: check_closed(w); return;
  case BOTH:
    expect(w->crossing || !w->s[0].established || !w->s[1].established ||
               (ended_well(w, 0) && ended_well(w, 1)),
           "an end: %d %d, faults 0x%04x 0x%04x", endpoint_pair_state(w->p, 0),
           endpoint_pair_state(w->p, 1), w->p->s[0].h->word, w->p->s[1].h->word);
    return;
  case STARVE: check_starved(w); return;
  case FORBIDDEN: check_forbidden(w); return;
  case REJECT:
    expect(endpoint_pair_state(w->p, 0) == IWARP_ENDPOINT_DETACHED &&
               endpoint_pair_state(w->p, 1) == IWARP_ENDPOINT_DETACHED,
           "MPA goes on");
    return;
  case DECLINE:
    expect(endpoint_pair_state(w->p, 0) == IWARP_ENDPOINT_DETACHED, "MPA goes on");
    return;
  case ABORT:
  case LOSE:
  case SILENCE:
    expect(w->t.no_match || (w->p->s[0].h->word == 0 && w->p->s[1].h->word == 0),
           "fault 0x%04x 0x%04x", w->p->s[0].h->word, w->p->s[1].h->word);
    return;
  case NUM_ENDINGS: return;
  }
}

static bool cut_short(const fixture *w) {
  return w->end == ABORT || w->end == LOSE || w->end == SILENCE;
}

/* Nothing happens to the startup. */
static bool not_disturbed(const fixture *w) {
  return w->end == QUIET || w->end == STARVE || w->end == FORBIDDEN || w->end == REJECT ||
         w->end == DECLINE;
}

static void check_witness(const fixture *w) {
  witness *x = w->x;
  witness_finish(x);
  witness_tell(x, 3);
  expect(x->num_findings == 0, "%zu findings", x->num_findings);
  const iwarp_rule *rule = witness_inconclusive(x);
  const bool cut = w->p->s[0].lost || w->p->s[0].h->terminated || w->p->s[1].h->terminated;
  if (!cut) { /* else a stream may end anywhere */
    expect(x->undecodable == 0, "%zu events of octets not understood", x->undecodable);
    expect(rule == NULL, "inconclusive: %s", rule->slug);
  }
}

static void count(const fixture *w) {
  const bool established = w->s[0].established && w->s[1].established;
  for (size_t who = 0; who < 2; who++) {
    tally.octets += w->p->s[who].sent;
    tally.fpdus += w->x->fpdus[who];
    tally.starved += w->p->s[who].h->word == 0x1202 ? 1 : 0;
    tally.crossed += w->p->s[who].h->word == 0x0207 ? 1 : 0;
    tally.failed += w->s[who].failed;
  }
  tally.ends[w->end] += established ? 1 : 0;
  tally.well += ended_well(w, 0) && ended_well(w, 1) ? 1 : 0;
  tally.no_match += w->p->s[0].h->word == 0x2007 ? 1 : 0;
  tally.refused += w->t.refused ? 1 : 0;
  tally.rtr[w->t.first] += established ? 1 : 0;
}

/* Whether the lot had something of everything. */
static void check_tally(void) {
  for (size_t i = 0; i <= IWARP_RDMAP_OP_ATOMIC_REQ; i++) {
    printf("opcode %zu: %" PRIu64 " done\n", i, tally.done[i]);
    expect(tally.done[i] > 0 || i == IWARP_RDMAP_OP_READ_RESP || i == IWARP_RDMAP_OP_TERMINATE,
           "no operation %zu", i);
  }
  for (size_t i = 0; i < NUM_ENDINGS; i++) {
    printf("ending %zu: %" PRIu64 " established\n", i, tally.ends[i]);
    expect(tally.ends[i] > 0 || i == REJECT || i == DECLINE, "no connection ended so: %zu", i);
  }
  printf("well %" PRIu64 ", starved %" PRIu64 ", forbidden %" PRIu64 ", ahead %" PRIu64
         ", crossed %" PRIu64 ", no RTR type %" PRIu64 ", Rev refused %" PRIu64 "\nfailed %" PRIu64
         ", octets %" PRIu64 ", FPDUs %" PRIu64 "\n",
         tally.well, tally.starved, tally.forbidden, tally.ahead, tally.crossed, tally.no_match,
         tally.refused, tally.failed, tally.octets, tally.fpdus);
  printf("ORD bounded %" PRIu64 ", Reads up to the end %" PRIu64 "\n", tally.unspec, tally.end);
  expect(tally.unspec > 0 && tally.end > 0, "no depth was left to the ULP, or no end was met");
  expect(tally.fpdus > 50 * RUNS, "the witness saw next to nothing");
  expect(tally.well > 0 && tally.starved > 0 && tally.forbidden > 0 && tally.ahead > 0 &&
             tally.crossed > 0 && tally.no_match > 0 && tally.refused > 0 && tally.failed > 0,
         "something never happened");
  expect(tally.rtr[0] > 0 && tally.rtr[IWARP_RTR_SEND] > 0 && tally.rtr[IWARP_RTR_WRITE] > 0 &&
             tally.rtr[IWARP_RTR_READ] > 0,
         "an RTR type was never sent");
}

static void judge(fixture *w) {
  for (size_t who = 0; who < 2; who++) {
    const side *s = &w->s[who];
    const iwarp_endpoint_state state = endpoint_pair_state(w->p, who);
    expect(state == IWARP_ENDPOINT_CLOSED || state == IWARP_ENDPOINT_DETACHED ||
               (w->end == DECLINE && state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU),
           "side %zu is in state %d", who, state);
    expect(state == IWARP_ENDPOINT_AWAIT_FIRST_FPDU ||
               (s->completed == s->posted && s->recvs_reported == s->recvs_posted),
           "side %zu: not all was completed", who);
    expect(memcmp(w->p->s[who].h->mem, s->shadow, MEM) == 0, "memory differs");
    if (ended_well(w, 0) && ended_well(w, 1)) {
      check_all_there(w, who);
    }
  }
  if (cut_short(w) && w->moment < STEPS) {
    check_end(w);
  } else if (w->t.refused && not_disturbed(w)) {
    check_refused(w);
  } else if (w->t.no_match && not_disturbed(w) && w->end != REJECT && w->end != DECLINE) {
    check_terminate(w, 0, 0x2007, false, false); /* RFC 6581 9.3 */
  } else if (!w->t.no_match && !w->t.refused) {
    check_end(w);
  }
  check_witness(w);
  count(w);
}

/* ---- a run ---- */

static void side_cfg(fixture *w, size_t who) {
  static const uint32_t emss[] = {1, 20, 128, 140, 536, 1460, 4096, 9000, 16384, 65535, 65536};
  const uint32_t seg = emss[some(w, sizeof emss / sizeof emss[0])];
  const uint32_t rise = chance(w, 3) ? some(w, DEPTH_MAX) : 0;
  iwarp_endpoint_cfg *c = &w->cfg[who];
  *c = (iwarp_endpoint_cfg){.size = sizeof *c,
                            .role = who == 0 ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER,
                            .markers = chance(w, 2),
                            .no_crc = chance(w, 2),
                            .peer_to_peer = chance(w, 2),
                            .pack = chance(w, 2),
                            .rtr = (uint8_t)some(w, 8),
                            .rev = chance(w, 3) ? 1 : 2,
                            .ird = (uint16_t)some(w, DEPTH_MAX),
                            .ord = (uint16_t)some(w, DEPTH_MAX),
                            .num_out_of_order = w->scatter ? some(w, 12) : 0,
                            .max_partial = some(w, 5),
                            .ird_unspec = chance(w, 8),
                            .ord_unspec = chance(w, 8),
                            .max_ulpdu = UINT16_MAX,
                            .emss = seg > 140 ? seg - some(w, 100) : seg,
                            .pd = 7,
                            .num_sends = OPS,
                            .num_recvs = NUM_BUFFERS,
                            .num_regions = 5};
  c->ird_max = (uint16_t)(c->ird + rise);
  if (c->rtr == IWARP_RTR_READ && c->ird_max == 0) {
    c->ird_max = 1; /* else it supports no RTR type at all */
  }
  if (c->rev == 1 && who == 1 && chance(w, 2)) {
    c->rev = 2;
  }
}

static void side_new(fixture *w, size_t who) {
  side *s = &w->s[who];
  uint8_t *mem = w->p->s[who].h->mem;
  const iwarp_endpoint_region r[] = {
      {STAG_SOURCE, 7, BASE, AREA, &mem[SOURCE], IWARP_ACCESS_REMOTE_READ, false, NULL},
      {STAG_TARGET, 7, TARGET_BASE, AREA, &mem[TARGET], IWARP_ACCESS_REMOTE_WRITE, false, NULL},
      {STAG_SINK, 7, SINK_BASE, AREA, &mem[SINK], 0, false, NULL},
      {STAG_NUMBERS, 7, BASE, 8 * NUM_NUMBERS, &mem[NUMBERS], IWARP_ACCESS_REMOTE_ATOMIC, false,
       NULL},
  };
  s->shadow = calloc(1, MEM);
  ck_assert_ptr_nonnull(s->shadow);
  memcpy(&mem[SOURCE], &pool[who], AREA);
  memcpy(&mem[NUMBERS], &pool[who], (size_t)8 * NUM_NUMBERS);
  memcpy(s->shadow, mem, MEM);
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    ok(iwarp_endpoint_register(ep_of(w, who), &r[i]));
  }
  s->window = STAG_WINDOW;
  open_window(w, who);
  for (size_t i = 0; i < NUM_BUFFERS; i++) {
    post_buffer(w, who);
  }
  s->pd_len = chance(w, 2) ? 0 : some(w, IWARP_MPA_PRIVATE_DATA_MAX - IWARP_MPA_ENHANCED_LEN + 1);
  memcpy(s->pd, &pool[some(w, LONGEST)], s->pd_len);
}

static fixture *fixture_new(uint64_t seed) {
  fixture *w = calloc(1, sizeof *w);
  ck_assert_ptr_nonnull(w);
  w->rand.state = seed;
  w->end = chance(w, 3) ? QUIET : (ending)some(w, NUM_ENDINGS);
  w->who = some(w, 2);
  w->moment = chance(w, 4) ? some(w, EARLY) : some(w, STEPS);
  w->reads_after = chance(w, 2);
  w->scatter = chance(w, 3);
  side_cfg(w, 0);
  side_cfg(w, 1);
  agree(w);
  w->longest = w->cfg[0].emss < 500 || w->cfg[1].emss < 500 || w->scatter ? 3000 : LONGEST;
  w->p = endpoint_pair_new(w->cfg, MEM);
  w->x = witness_of(w->p);
  endpoint_pair_hook(w->p, reported, w);
  const bool hold = chance(w, 2);
  const size_t spans = chance(w, 2) ? 0 : 1 + some(w, 12);
  for (size_t who = 0; who < 2; who++) {
    w->p->s[who].h->hold_atomics = hold;
    w->p->s[who].h->max_spans = spans;
  }
  side_new(w, 0);
  side_new(w, 1);
  return w;
}

static void run(uint64_t seed) {
  fixture *w = fixture_new(seed);
  ok(iwarp_endpoint_listen(ep_of(w, 1)));
  ok(iwarp_endpoint_connect(ep_of(w, 0), (iwarp_span){w->s[0].pd, w->s[0].pd_len}));
  for (size_t i = 0; i < STEPS; i++) {
    step(w, i);
  }
  finish(w);
  judge(w);
  for (size_t who = 0; who < 2; who++) {
    free(w->s[who].shadow);
  }
  endpoint_pair_free(w->p);
  witness_free(w->x);
  free(w);
}

START_TEST(two_endpoints_agree)
{
  prng p = {.state = 1};
  prng_fill(&p, pool, sizeof pool);
  property rounds = property_begin("two_endpoints_agree", UINT64_C(1000000) * (unsigned)_i, RUNS);
  while (property_next(&rounds)) {
    run(rounds.seed);
  }
  if (!property_single()) {
    check_tally();
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {{two_endpoints_agree, LOTS}, {NULL, 0}};
  return property_main("agree", tests);
}
