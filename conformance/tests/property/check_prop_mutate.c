/* SPDX-License-Identifier: BSD-2-Clause */
/* One octet of a connection is spoilt: the right error is found, or the change is confined. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "mutate.h"
#include "prng.h"
#include "property.h"

/* ---- results ---- */

static bool same_log(const history *a, const history *b, size_t who) {
  return a->log[who].num == b->log[who].num &&
         memcmp(a->log[who].notes, b->log[who].notes, a->log[who].num * sizeof(note)) == 0;
}

static size_t differing(const history *a, const history *b, size_t who) {
  size_t n = 0;
  for (size_t i = 0; i < MEM; i++) {
    n += a->p->s[who].h->mem[i] != b->p->s[who].h->mem[i] ? 1 : 0;
  }
  return n;
}

static bool has_word(const verdict *v, uint16_t word) {
  for (size_t i = 0; i < sizeof v->words / sizeof v->words[0]; i++) {
    if (word != 0 && (v->words[i] == word || v->words[i] == ANY_WORD)) {
      return true;
    }
  }
  return false;
}

static bool well(const history *h) {
  return h->p->s[0].h->over && h->p->s[1].h->over && h->p->s[0].h->closed.err == IWARP_OK &&
         h->p->s[1].h->closed.err == IWARP_OK && h->p->s[0].h->word == 0 &&
         h->p->s[1].h->word == 0 && !h->p->s[0].h->terminated && !h->p->s[1].h->terminated;
}

/* Placed is what was to be placed: each octet is as at first, or as it should be in the end. */
static bool nothing_foreign(const history *base, const history *h, size_t who) {
  for (size_t i = 0; i < MEM; i++) {
    const uint8_t is = h->p->s[who].h->mem[i];
    if (is != h->first[who][i] && is != base->p->s[who].h->mem[i]) {
      return false;
    }
  }
  return true;
}

/* Nothing is written between the areas, nor to what only this side may write. */
static bool guarded(const history *h, size_t who) {
  static const size_t ends[] = {TARGET, SINK, NUMBERS, BUFFERS, WINDOWS};
  const uint8_t *mem = h->p->s[who].h->mem;
  bool intact = memcmp(&mem[SOURCE], mutate_pool, AREA) == 0;
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    intact = intact && memcmp(&mem[ends[i] - GUARD], &h->first[who][ends[i] - GUARD], GUARD) == 0;
  }
  return intact;
}

/* What was reported before the fault is what would have been reported without it. */
static bool prefix_log(const history *base, const history *h, size_t who) {
  const side_log *l = &h->log[who];
  for (size_t i = 0; i < l->num && l->notes[i].kind != IWARP_ENDPOINT_EVENT_FAULT; i++) {
    if (i >= base->log[who].num || memcmp(&l->notes[i], &base->log[who].notes[i], sizeof(note))) {
      return false;
    }
  }
  return true;
}

/* The Terminate says the same as the fault. */
static bool reported_peer(const history *h, size_t who) {
  const ep_host *s = h->p->s[who].h;
  const ep_host *peer = h->p->s[1 - who].h;
  const iwarp_rdmap_term *t = &peer->term.term;
  if (!s->fault_sent) {
    return !peer->terminated;
  }
  return peer->terminated && peer->term.readable && peer->word == 0 &&
         ((unsigned)t->layer << 12 | (unsigned)t->etype << 8 | t->code) == s->word;
}

/* The returned headers belong to the spoilt segment. */
static bool right_headers(const spoilt *m, const history *h) {
  const ep_host *peer = h->p->s[m->from].h;
  const uint16_t word = h->p->s[1 - m->from].h->word;
  const iwarp_rdmap_term *t = &peer->term.term;
  const size_t hdr = (m->ulpdu[0] & 0x80) != 0 ? 14 : 18;
  const bool read = word >> 8 == 1 && (m->ulpdu[1] & 0x0F) == 1;
  if (!h->p->s[1 - m->from].h->fault_sent) {
    return true;
  }
  if (word >> 12 == 2 || word == 0x1000) {
    return !t->m && !t->d && !t->r;
  }
  return t->m && t->d && t->r == read && t->ddp_segment_length == m->x.len &&
         t->ddp_header.len == hdr &&
         memcmp(peer->term_octets, m->ulpdu, hdr + (read ? 28u : 0u)) == 0;
}

static bool was_fault(const spoilt *m, const verdict *v, const history *base, const history *h) {
  const size_t to = 1 - m->from;
  const ep_host *s = h->p->s[to].h;
  const bool fence = to == 1 && m->x.first && s->word >> 12 == 2; /* RFC 5044 7.1.2 */
  return has_word(v, s->word) && s->fault_sent == !fence && reported_peer(h, to) &&
         prefix_log(base, h, to) && nothing_foreign(base, h, to) && right_headers(m, h);
}

static unsigned what_came(const spoilt *m, const verdict *v, const history *base,
                          const history *h) {
  const size_t to = 1 - m->from;
  const ep_host *s = h->p->s[to].h;
  const ep_host *from = h->p->s[m->from].h;
  const bool same = same_log(base, h, 0) && same_log(base, h, 1);
  const size_t differ = differing(base, h, 0) + differing(base, h, 1);
  unsigned e = 0;
  if (well(h)) {
    e |= same && differ == 0 ? NO_EFFECT : HIDDEN;
    e |= same && differ == 1 && differing(base, h, to) == 1 ? ONE_OCTET : 0;
    return e;
  }
  if (s->word != 0) {
    e |= was_fault(m, v, base, h) ? FAULT : 0;
    e |= has_word(v, s->word) && reported_peer(h, to) ? LATE : 0;
    return e;
  }
  if (from->word != 0) {
    return has_word(v, from->word) && reported_peer(h, m->from) ? ANSWERED : 0;
  }
  if (s->terminated && !s->term.readable) {
    return UNREADABLE;
  }
  return STALL;
}

static bool did_not_start(const verdict *v, const history *h) {
  const ep_host *s = h->p->s[v->refuses].h;
  const bool untouched = memcmp(h->p->s[0].h->mem, h->first[0], MEM) == 0 &&
                         memcmp(h->p->s[1].h->mem, h->first[1], MEM) == 0;
  if (v->err == IWARP_OK) {
    return untouched && h->p->s[0].h->over && h->p->s[0].h->closed.err == IWARP_ERR_REFUSED;
  }
  return untouched && s->over && s->closed.err == v->err;
}

/* Every operation and buffer completes, whatever happened. */
static void check_complete(const history *h, size_t who) {
  size_t recvs = 0;
  for (size_t i = 0; i < h->log[who].num; i++) {
    recvs += h->log[who].notes[i].kind == IWARP_ENDPOINT_EVENT_RECV ? 1 : 0;
  }
  expect(recvs == OPS, "side %zu: %zu receive buffers completed", who, recvs);
  expect(h->p->s[who].h->over || endpoint_pair_state(h->p, who) == IWARP_ENDPOINT_DETACHED,
         "no end");
}

/* ---- the runs ---- */

static uint64_t tally[NUM_FIELDS][2];     /* runs, by CRC */
static uint64_t by_effect[NUM_FIELDS][9]; /* unprotected ones */

static void count(const spoilt *m, unsigned came) {
  tally[m->x.f][m->v->crc]++;
  for (size_t i = 0; i < 9 && !m->v->crc; i++) {
    by_effect[m->x.f][i] += came >> i & 1;
  }
}

static void print_case(const spoilt *m, const history *h, unsigned came, size_t at) {
  printf("side %zu octet %zu ^ 0x%02x: %s %zu, opcode %u, ULPDU %zu at %zu, CRC %d\n", m->from, at,
         m->with, mutate_field_names[m->x.f], m->x.nth, opcode(&m->x), m->x.len, m->x.at,
         m->v->crc);
  for (size_t who = 0; who < 2; who++) {
    const ep_host *s = h->p->s[who].h;
    printf("side %zu: state %d, fault 0x%04x sent %d, terminated %d readable %d, closed %d\n", who,
           endpoint_pair_state(h->p, who), s->word, s->fault_sent, s->terminated, s->term.readable,
           s->closed.err);
  }
  printf("came 0x%x\n", came);
  fflush(stdout);
}

static void spoil(const plan *v, const history *base, size_t from, size_t at, uint8_t with) {
  static spoilt m; /* too large for the stack of some */
  const endpoint_pair_side *s = &base->p->s[from];
  m = (spoilt){.v = v, .from = from, .with = with};
  mutate_locate(&m.x, s, v->cfg[1 - from].markers, at);
  if (m.x.f == F_STARTUP && m.x.nth == 16) { /* one bit at a time */
    m.with = (uint8_t)(1u << with % 8);
  }
  memcpy(m.ulpdu, m.x.ulpdu, sizeof m.ulpdu);
  if (m.x.f >= F_DDP_CONTROL && m.x.f <= F_PAYLOAD) {
    m.ulpdu[m.x.at] ^= m.with;
  }
  const verdict due = mutate_foresee(&m, s->wire);
  history *h = mutate_history_new(v, from, at, m.with);
  unsigned came = 0;
  if ((due.effects & NO_START) != 0) {
    came = did_not_start(&due, h) ? NO_START : 0;
  } else {
    came = what_came(&m, &due, base, h);
  }
  const bool intact =
      !v->crc || m.x.f == F_STARTUP || (nothing_foreign(base, h, 0) && nothing_foreign(base, h, 1));
  if ((came & due.effects) == 0 || !intact || !guarded(h, 0) || !guarded(h, 1)) {
    print_case(&m, h, came, at);
    expect(false, "due was 0x%x with 0x%04x", due.effects, due.words[0]);
  }
  check_complete(h, 0);
  check_complete(h, 1);
  count(&m, came & due.effects);
  mutate_history_free(h);
}

static plan plan_new(prng *p) {
  static const uint32_t emss[] = {128, 160, 256, 536, 1460};
  static const iwarp_rdmap_opcode kinds[] = {
      IWARP_RDMAP_OP_WRITE,      IWARP_RDMAP_OP_READ_REQ,     IWARP_RDMAP_OP_SEND,
      IWARP_RDMAP_OP_SEND_INV,   IWARP_RDMAP_OP_SEND_SE,      IWARP_RDMAP_OP_SEND_SE_INV,
      IWARP_RDMAP_OP_IMMEDIATE,  IWARP_RDMAP_OP_IMMEDIATE_SE, IWARP_RDMAP_OP_ATOMIC_REQ,
      IWARP_RDMAP_OP_ATOMIC_REQ, IWARP_RDMAP_OP_READ_REQ,     IWARP_RDMAP_OP_WRITE};
  plan v = {.crc = prng_below(p, 3) == 0};
  const uint8_t rev = prng_below(p, 3) == 0 ? 1 : 2;
  for (size_t who = 0; who < 2; who++) {
    v.cfg[who] =
        (iwarp_endpoint_cfg){.size = sizeof v.cfg[who],
                             .role = who == 0 ? IWARP_ROLE_INITIATOR : IWARP_ROLE_RESPONDER,
                             .rev = who == 0   ? rev
                                    : rev == 2 ? 2
                                               : (uint8_t)(1 + prng_below(p, 2)),
                             .markers = prng_below(p, 2) == 0,
                             .no_crc = !v.crc || prng_below(p, 2) == 0,
                             .peer_to_peer = prng_below(p, 2) == 0,
                             .rtr = (uint8_t)(1u << prng_below(p, 3)),
                             .ird = 4,
                             .ord = 4,
                             .max_ulpdu = UINT16_MAX,
                             .emss = emss[prng_below(p, 5)],
                             .pd = 7,
                             .num_sends = OPS,
                             .num_recvs = OPS,
                             .num_regions = 4 + OPS};
    v.pd_len[who] = prng_below(p, 2) == 0 ? 0 : (size_t)prng_below(p, 40);
  }
  v.cfg[1].rtr = 0;
  v.cfg[0].no_crc = v.crc ? v.cfg[0].no_crc && !v.cfg[1].no_crc : true;
  for (size_t i = 0; i < OPS; i++) {
    op *o = &v.ops[i];
    o->who = i == 0 ? 0 : (size_t)prng_below(p, 2);
    o->opcode = kinds[prng_below(p, sizeof kinds / sizeof kinds[0])];
    o->len = prng_below(p, 6) == 0 ? 0 : (uint32_t)prng_below(p, prng_below(p, 2) ? 401 : 24);
    o->swap = prng_below(p, 2) == 0;
  }
  return v;
}

#define LOTS 4
#define PLANS 200u
#define SAMPLES 40u /* octets of a side */

static void run(uint64_t seed) {
  prng p = {.state = seed};
  const plan v = plan_new(&p);
  history *base = mutate_history_new(&v, 0, 0, 0);
  expect(well(base), "the connection fails by itself: 0x%04x 0x%04x, states %d %d",
         base->p->s[0].h->word, base->p->s[1].h->word, endpoint_pair_state(base->p, 0),
         endpoint_pair_state(base->p, 1));
  for (size_t from = 0; from < 2; from++) {
    const size_t all = base->p->s[from].sent;
    for (size_t i = 0; i < SAMPLES; i++) {
      const size_t at = (size_t)prng_below(&p, prng_below(&p, 8) == 0 ? 24 : all);
      spoil(&v, base, from, at, (uint8_t)(1 + prng_below(&p, 255)));
    }
  }
  mutate_history_free(base);
}

static void check_tally(void) {
  static const char *const names[9] = {"no effect", "one octet",  "hidden",   "fault", "late",
                                       "answered",  "unreadable", "no start", "stall"};
  for (size_t f = 0; f < NUM_FIELDS; f++) {
    printf("%-15s %7" PRIu64 " with CRC, %7" PRIu64 " without:", mutate_field_names[f], tally[f][1],
           tally[f][0]);
    for (size_t i = 0; i < 9; i++) {
      if (by_effect[f][i] > 0) {
        printf(" %s %" PRIu64, names[i], by_effect[f][i]);
      }
    }
    printf("\n");
    expect(tally[f][0] > 0 && tally[f][1] > 0, "no octet of field %s was spoilt",
           mutate_field_names[f]);
  }
}

START_TEST(one_octet)
{
  prng p = {.state = 1};
  prng_fill(&p, mutate_pool, sizeof mutate_pool);
  property rounds = property_begin("one_octet", UINT64_C(1000000) * (unsigned)_i, PLANS);
  while (property_next(&rounds)) {
    run(rounds.seed);
  }
  if (!property_few()) {
    check_tally();
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {{one_octet, LOTS}, {NULL, 0}};
  return property_main("mutate", tests);
}
