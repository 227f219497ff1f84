/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations of random kinds and lengths, and what the other side will have of them. */
#include "agree.h"

#include <string.h>

uint8_t agree_pool[2 * LONGEST];

/* ---- operations ---- */

static uint32_t some_len(fixture *w, uint32_t most) {
  const uint32_t few = most < 8 ? most : 8;
  const uint32_t many = most < 3000 ? most : 3000;
  const uint32_t how = some(w, 8);
  return some(w, (how < 2 ? few : how < 7 ? many : most) + 1);
}

/* A payload of `len` octets in parts; returns its first octet. */
static const uint8_t *payload(fixture *w, op *o, uint32_t len, iwarp_tx_payload *out) {
  const uint8_t *octets = &agree_pool[some(w, LONGEST)];
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
  if (agree_invalidates(o->opcode)) {
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
  const uint8_t *octets = &agree_pool[some(w, LONGEST)];
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
  agree_tally.end += len > 0 && to + len == AREA ? 1 : 0;
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

void agree_post(fixture *w, size_t who) {
  static post_fn *const kinds[] = {post_send, post_immediate, post_write, post_read, post_atomic};
  side *s = &w->s[who];
  if (may_post(w, who)) {
    op *o = &s->ops[s->posted % OPS];
    const iwarp_rdmap_read_req nothing = {0};
    *o = (op){0};
    if (w->t.ord[who] == 0) {
      expect(iwarp_endpoint_read(ep_of(w, who), 0, &nothing) == IWARP_ERR_ORD, "a Read at ORD 0");
    }
    if (kinds[some(w, may_wait(w, who) ? 5 : 3)](w, who, o)) {
      s->posted++;
      s->waiting += agree_waits(o->opcode) ? 1 : 0;
      w->crossing = w->crossing || (w->ended && agree_waits(o->opcode));
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

bool agree_post_bad(fixture *w, size_t who) {
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
  s->waiting += agree_waits(o->opcode) ? 1 : 0;
  return true;
}
