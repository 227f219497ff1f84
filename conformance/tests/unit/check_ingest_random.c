/* SPDX-License-Identifier: BSD-2-Clause */
/* Random conversations, shuffled, repeated, thinned and broken, against a model that is a plain
 * array of octets. */
#include <inttypes.h>

#include "check_run.h"
#include "prng.h"
#include "property.h"
#include "tcp_fixture.h"

/* A hole that was acknowledged is waited for so many further packets. */
enum { OCTETS_MAX = 6000, PACKETS_MAX = 2000, REACH = 20 };

/* A segment before it becomes a packet. */
typedef struct piece {
  unsigned side;
  long seq;
  long ack;
  size_t len;
  uint64_t key; /* its place in the capture */
} piece;

/* What one side sent, and what of it is in the capture. */
typedef struct stream {
  uint8_t octets[OCTETS_MAX];
  bool captured[OCTETS_MAX];
  size_t shown_at[OCTETS_MAX]; /* the first captured packet that holds the octet */
  size_t acked_at[OCTETS_MAX]; /* and that acknowledges it */
  long sent;
  long seen;  /* end of the captured octets */
  long acked; /* by captured packets of the other side */
  long at;    /* delivered so far */
  bool ended;
} stream;

typedef struct talk {
  prng rng;
  stream side[2];
  piece piece[PACKETS_MAX];
  size_t pieces;
  size_t gaps;
  size_t now; /* the current packet */
  bool closed;
} talk;

static uint64_t pick(talk *t, uint64_t limit) {
  return prng_below(&t->rng, limit);
}

static void add_piece(talk *t, unsigned side, long seq, size_t len, long ack) {
  if (t->pieces < PACKETS_MAX) {
    t->piece[t->pieces] = (piece){side, seq, ack, len, t->pieces * 2};
    t->pieces++;
  }
}

/* Each segment acknowledges all that the other side sent before. Some are sent again, cut again. */
static void make_talk(talk *t, uint64_t seed) {
  memset(t, 0, sizeof *t);
  t->rng.state = seed;
  for (unsigned s = 0; s < 2; s++) {
    prng_fill(&t->rng, t->side[s].octets, OCTETS_MAX);
  }
  while (t->side[0].sent + 100 < OCTETS_MAX && t->side[1].sent + 100 < OCTETS_MAX) {
    unsigned s = (unsigned)pick(t, 2);
    for (uint64_t burst = pick(t, 6); burst > 0 && t->side[s].sent + 100 < OCTETS_MAX; burst--) {
      size_t len = pick(t, 8) == 0 ? 1 : (size_t)pick(t, 90);
      add_piece(t, s, t->side[s].sent, len, t->side[s ^ 1u].sent);
      t->side[s].sent += (long)len;
    }
  }
}

static const piece *some_piece(talk *t, size_t n) {
  return &t->piece[pick(t, n)];
}

/* What the octet at `seq` answered when it was first sent. */
static long first_ack(const talk *t, unsigned side, long seq) {
  for (size_t i = 0; i < t->pieces; i++) {
    const piece *p = &t->piece[i];
    if (p->side == side && p->seq <= seq && seq < p->seq + (long)p->len) {
      return p->ack;
    }
  }
  return 0;
}

/* Copies and copies with other edges. */
static void repeat_some(talk *t, size_t share) {
  size_t n = t->pieces;
  for (size_t i = 0; i < n / share; i++) {
    const piece *p = some_piece(t, n);
    long from = p->seq - (long)pick(t, 40);
    long to = p->seq + (long)p->len + (long)pick(t, 40);
    from = from < 0 ? 0 : from;
    to = to > t->side[p->side].sent ? t->side[p->side].sent : to;
    uint64_t key = p->key + 2 * pick(t, REACH);
    add_piece(t, p->side, from, (size_t)(to - from), first_ack(t, p->side, from));
    t->piece[t->pieces - 1].key = key + 1;
  }
}

static int by_key(const void *a, const void *b) {
  const piece *x = a;
  const piece *y = b;
  return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void shuffle(talk *t) {
  for (size_t i = 0; i < t->pieces; i++) {
    t->piece[i].key += pick(t, 3) == 0 ? pick(t, 2 * REACH) : 0;
  }
  qsort(t->piece, t->pieces, sizeof t->piece[0], by_key);
}

static void drop_some(talk *t, uint64_t share) {
  size_t kept = 0;
  for (size_t i = 0; i < t->pieces; i++) {
    if (pick(t, share) != 0) {
      t->piece[kept++] = t->piece[i];
    }
  }
  t->pieces = kept;
}

static void note_captured(talk *t) {
  for (size_t i = 0; i < t->pieces; i++) {
    const piece *p = &t->piece[i];
    stream *s = &t->side[p->side];
    stream *other = &t->side[p->side ^ 1u];
    for (long at = p->seq; at < p->seq + (long)p->len; at++) {
      s->shown_at[at] = s->captured[at] ? s->shown_at[at] : i;
      s->captured[at] = true;
    }
    long end = p->seq + (long)p->len;
    s->seen = end > s->seen ? end : s->seen;
    for (; other->acked < p->ack; other->acked++) {
      other->acked_at[other->acked] = i;
    }
  }
}

/* --- What must hold for every event --- */

static void check_data(talk *t, stream *s, const ingest_event *ev, const stream *peer,
                       uint64_t base) {
  for (uint64_t i = 0; i < ev->len; i++) {
    long at = s->at + (long)i;
    expect(s->captured[at] && ev->data[i] == s->octets[at], "octet %ld", at);
  }
  long answers = (long)(ev->peer_pos - base);
  bool fin = answers == peer->at + 1; /* may be one, as far as the engine can tell */
  expect(answers <= peer->at || fin, "octets come before those they answer: %ld, %ld", answers,
         peer->at);
  (void)t;
}

/* What is given up is not in the capture, or comes long after it was acknowledged. */
static void check_gap(talk *t, const stream *s, const ingest_event *ev) {
  for (long at = s->at; at < s->at + (long)ev->len; at++) {
    const bool late =
        at < s->acked && s->shown_at[at] > t->now && s->acked_at[at] + PATIENCE <= t->now;
    expect(!s->captured[at] || late, "octet %ld is captured", at);
  }
  t->gaps++;
}

static void check_event(talk *t, const ingest_event *ev, const uint64_t base[2]) {
  stream *s = &t->side[ev->side];
  expect(!t->closed, "an event after the close");
  switch (ev->kind) {
  case INGEST_EVENT_OPEN:
  case INGEST_EVENT_DIFFER: break;
  case INGEST_EVENT_DATA:
  case INGEST_EVENT_GAP:
    expect(!s->ended, "octets after the end");
    expect(ev->len > 0 && ev->pos == base[ev->side] + (uint64_t)s->at, "position");
    if (ev->kind == INGEST_EVENT_DATA) {
      check_data(t, s, ev, &t->side[ev->side ^ 1u], base[ev->side ^ 1u]);
    } else {
      check_gap(t, s, ev);
    }
    s->at += (long)ev->len;
    break;
  case INGEST_EVENT_END:
    expect(!s->ended, "ends twice");
    s->ended = true;
    break;
  case INGEST_EVENT_CLOSE:
    expect(t->side[0].ended && t->side[1].ended, "closes before it ends");
    t->closed = true;
    break;
  }
}

static void drain(talk *t, tcp_fixture *w, const uint64_t base[2]) {
  ingest_event ev;
  while (ingest_next(w->ing, &ev)) {
    check_event(t, &ev, base);
  }
}

static void play(talk *t, tcp_fixture *w) {
  uint64_t base[2];
  tcp_fixture_shake(w);
  for (unsigned s = 0; s < 2; s++) {
    base[s] = (UINT64_C(1) << 32) + w->isn[s] + 1; /* which may carry over: the SYN counts */
  }
  for (size_t i = 0; i < t->pieces; i++) {
    const piece *p = &t->piece[i];
    t->now = i;
    w->mute = true;
    tcp_fixture_segment(w, p->side, "A", p->seq, p->ack, &t->side[p->side].octets[p->seq], p->len);
    ingest_packet pkt = {.data = w->packet,
                         .caplen = w->packet_len,
                         .len = w->packet_len,
                         .link_type = 1,
                         .number = ++w->number};
    ingest_push(w->ing, &pkt);
    drain(t, w, base);
  }
  ingest_finish(w->ing);
  drain(t, w, base);
  expect(t->closed, "not closed");
}

/* All that was sent as far as the capture shows, or one less: of the last octet nothing shows but
 * its acknowledgment, and that may be one of a FIN. */
static void check_whole(const talk *t) {
  for (unsigned s = 0; s < 2; s++) {
    const stream *st = &t->side[s];
    const long end = st->acked > st->seen ? st->acked : st->seen;
    const bool fin = st->at + 1 == end && end > st->seen;
    expect(st->at == end || fin, "side %u delivers %ld of %ld", s, st->at, end);
  }
}

static void run(uint64_t seed, uint64_t drop, bool wrap) {
  static talk t;
  tcp_fixture *w = tcp_fixture_new();
  make_talk(&t, seed);
  if (wrap) {
    w->isn[0] = (uint32_t)(0u - pick(&t, OCTETS_MAX));
    w->isn[1] = (uint32_t)(0u - pick(&t, OCTETS_MAX));
  }
  repeat_some(&t, 3);
  shuffle(&t);
  if (drop != 0) {
    drop_some(&t, drop);
  }
  note_captured(&t);
  play(&t, w);
  check_whole(&t);
  expect(drop != 0 || t.gaps == 0, "gaps in a capture without holes");
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}

START_TEST(shuffled_and_repeated)
{
  property rounds = property_begin("shuffled_and_repeated", 1, 150);
  while (property_next(&rounds)) {
    run(rounds.seed, 0, rounds.seed % 2 == 0);
  }
}
END_TEST

START_TEST(thinned)
{
  property rounds = property_begin("thinned", 1000, 150);
  while (property_next(&rounds)) {
    run(rounds.seed, 3 + rounds.seed % 40, rounds.seed % 2 == 0);
  }
}
END_TEST

/* --- Nonsense: only what must always hold --- */

typedef struct nonsense {
  prng rng;
  tcp_fixture *w;
  struct {
    uint64_t next[2];
    bool ended[2], closed;
  } conn[20000];
  size_t conns;
} nonsense;

static void check_any(nonsense *n, const ingest_event *ev) {
  if (ev->kind == INGEST_EVENT_OPEN) {
    ck_assert_ptr_null(*ev->user);
    memset(&n->conn[n->conns], 0, sizeof n->conn[0]);
    n->conn[n->conns].next[0] = n->conn[n->conns].next[1] = INGEST_POS_UNKNOWN;
    *ev->user = (void *)(uintptr_t)++n->conns;
    expect(n->conns < 20000, "too many connections");
    return;
  }
  size_t id = (uintptr_t)*ev->user - 1;
  bool *ended = n->conn[id].ended;
  uint64_t *next = &n->conn[id].next[ev->side];
  expect(!n->conn[id].closed, "after the close");
  switch (ev->kind) {
  case INGEST_EVENT_DATA:
  case INGEST_EVENT_GAP:
    expect(!ended[ev->side] && ev->len > 0, "octets after the end");
    expect(*next == ev->pos || (*next == INGEST_POS_UNKNOWN && ev->pos == ev->start), "position");
    *next = ev->pos + ev->len;
    break;
  case INGEST_EVENT_END:
    expect(!ended[ev->side], "ends twice");
    expect(*next == INGEST_POS_UNKNOWN || *next == ev->pos, "position of the end");
    ended[ev->side] = true;
    break;
  case INGEST_EVENT_CLOSE:
    expect(ended[0] && ended[1], "closes before it ends");
    n->conn[id].closed = true;
    break;
  case INGEST_EVENT_OPEN:
  case INGEST_EVENT_DIFFER: break;
  }
}

static void drain_any(nonsense *n) {
  ingest_event ev;
  uint64_t events = 0;
  while (ingest_next(n->w->ing, &ev)) {
    check_any(n, &ev);
    expect(++events < 1000000, "no end of events");
  }
}

static long some_offset(nonsense *n) {
  switch (prng_below(&n->rng, 12)) {
  case 0: return (long)(uint32_t)prng_next(&n->rng);
  case 1: return (long)prng_below(&n->rng, 100000);
  default: return (long)prng_below(&n->rng, 600);
  }
}

static void push_nonsense(nonsense *n) {
  static const char *const flags[] = {"A", "A", "A",  "A",  "A", "A", "A",  "A",  "A",
                                      "",  "S", "SA", "FA", "F", "R", "RA", "SF", "SR"};
  static uint8_t payload[300];
  tcp_fixture *w = n->w;
  w->end[CLIENT].port = (uint16_t)(40000 + prng_below(&n->rng, 3));
  w->sum = prng_below(&n->rng, 6) == 0 ? SUM_BAD : SUM_GOOD;
  w->mute = true;
  unsigned kind = (unsigned)prng_below(&n->rng, sizeof flags / sizeof flags[0]);
  if (kind > 9 && prng_below(&n->rng, 4) != 0) {
    kind = 0;
  }
  size_t len = prng_below(&n->rng, 3) == 0 ? 0 : (size_t)prng_below(&n->rng, sizeof payload);
  tcp_fixture_segment(w, (unsigned)prng_below(&n->rng, 2), flags[kind], some_offset(n),
                      some_offset(n), payload, len);
  size_t cut = prng_below(&n->rng, 8) == 0 ? (size_t)prng_below(&n->rng, len + 1) : 0;
  ingest_packet pkt = {.data = w->packet,
                       .caplen = w->packet_len - cut,
                       .len = w->packet_len,
                       .link_type = 1,
                       .number = ++w->number};
  ingest_push(w->ing, &pkt);
  drain_any(n);
}

START_TEST(random_segments)
{
  static nonsense n;
  property rounds = property_begin("random_segments", 1, 60);
  while (property_next(&rounds)) {
    n = (nonsense){.rng = {rounds.seed}, .w = tcp_fixture_new()};
    for (unsigned i = 0; i < 2000; i++) {
      n.w->gets_left =
          rounds.seed % 3 == 0 && prng_below(&n.rng, 9) == 0 ? (long)prng_below(&n.rng, 3) : -1;
      push_nonsense(&n);
    }
    n.w->gets_left = -1;
    ingest_finish(n.w->ing);
    drain_any(&n);
    for (size_t i = 0; i < n.conns; i++) {
      expect(n.conn[i].closed, "connection %zu is not closed", i);
    }
    ck_assert_uint_lt(n.w->peak, 4u << 20);
    ck_assert_uint_eq(tcp_fixture_free(n.w), 0);
  }
}
END_TEST

/* Any octet of a packet may be any other. */
START_TEST(broken_octets)
{
  static nonsense n;
  property rounds = property_begin("broken_octets", 1, 20);
  while (property_next(&rounds)) {
    n = (nonsense){.rng = {rounds.seed}, .w = tcp_fixture_new()};
    tcp_fixture *w = n.w;
    w->end[0].family = w->end[1].family = rounds.seed % 2 == 0 ? 4 : 6;
    for (long i = 0; i < 3000; i++) {
      w->mute = true;
      w->sum = SUM_ZERO;
      tcp_fixture_send(w, (unsigned)(i % 2), "A", i * 4, i * 4, "payload");
      for (uint64_t k = prng_below(&n.rng, 3); k > 0; k--) {
        w->packet[prng_below(&n.rng, w->packet_len)] = (uint8_t)prng_next(&n.rng);
      }
      size_t caplen = (size_t)prng_below(&n.rng, w->packet_len + 1);
      ingest_packet pkt = {.data = w->packet,
                           .caplen = caplen,
                           .len = w->packet_len,
                           .link_type = 1,
                           .number = ++w->number};
      ingest_push(w->ing, &pkt);
      drain_any(&n);
    }
    ingest_finish(w->ing);
    drain_any(&n);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {{shuffled_and_repeated, 1},
                                 {thinned, 1},
                                 {random_segments, 1},
                                 {broken_octets, 1},
                                 {NULL, 0}};
  return property_main("ingest-random", tests);
}
