/* SPDX-License-Identifier: BSD-2-Clause */
/* What the sender of octets had received when it sent them: random conversations with every way to
 * acknowledge, against a model that knows. */
#include <inttypes.h>

#include "check_run.h"
#include "prng.h"
#include "property.h"
#include "tcp_fixture.h"

enum { OCTETS = 5000, PACKETS = 3000, REACH = 12, ROUNDS = 60 };

/* How acknowledgments travel. */
typedef enum acks { BUNDLED = 0, SEPARATE, DELAYED, MISSING, NUM_ACKS } acks;

typedef struct piece {
  unsigned side;
  long seq, ack;
  size_t len;
  bool again; /* a retransmission */
  uint64_t key;
} piece;

typedef struct talk {
  prng rng;
  acks how;
  uint8_t octets[2][OCTETS];
  long cause[2][OCTETS]; /* what its sender had received when it first sent the octet */
  long bound[2][OCTETS]; /* the least that captured segments show of that */
  long sent[2];
  long received[2]; /* of the other side's octets */
  unsigned owed[2]; /* deliveries that were not acknowledged */
  long at[2];       /* delivered by the engine */
  uint64_t exact, events;
  piece piece[PACKETS];
  size_t pieces;
  uint64_t clock;
} talk;

static uint64_t pick(talk *t, uint64_t limit) {
  return prng_below(&t->rng, limit);
}

static void emit(talk *t, unsigned side, long seq, size_t len, bool again) {
  if (t->pieces < PACKETS) {
    t->piece[t->pieces++] = (piece){side, seq, t->received[side], len, again, t->clock++};
  }
}

static void send_new(talk *t, unsigned side) {
  const size_t len = 1 + (size_t)pick(t, 80);
  if (t->sent[side] + (long)len > OCTETS) {
    return;
  }
  for (size_t i = 0; i < len; i++) {
    t->cause[side][t->sent[side] + (long)i] = t->received[side];
  }
  emit(t, side, t->sent[side], len, false);
  t->sent[side] += (long)len;
  t->owed[side] = 0;
}

/* Some octets travel on; their receiver says so, now, later, or with its own octets. */
static void deliver(talk *t, unsigned to) {
  const long left = t->sent[to ^ 1u] - t->received[to];
  if (left > 0) {
    t->received[to] += 1 + (long)pick(t, (uint64_t)left);
    t->owed[to]++;
  }
  if (t->owed[to] >= (t->how == DELAYED ? 2u : 1u) && t->how != BUNDLED) {
    emit(t, to, t->sent[to], 0, false);
    t->owed[to] = 0;
  }
}

/* Sends old octets again, cut otherwise; with what is acknowledged by now. */
static void send_again(talk *t, unsigned side) {
  if (t->sent[side] > 0) {
    const long from = (long)pick(t, (uint64_t)t->sent[side]);
    const long len = 1 + (long)pick(t, 150);
    const long end = from + len < t->sent[side] ? from + len : t->sent[side];
    t->clock += REACH; /* after the first copy, wherever the capture puts that */
    emit(t, side, from, (size_t)(end - from), true);
  }
}

static void make(talk *t, uint64_t seed, acks how) {
  memset(t, 0, sizeof *t);
  t->rng.state = seed;
  t->how = how;
  prng_fill(&t->rng, t->octets[0], OCTETS);
  prng_fill(&t->rng, t->octets[1], OCTETS);
  while (t->pieces < 500) {
    const unsigned side = (unsigned)pick(t, 2);
    switch (pick(t, 8)) {
    case 0: send_again(t, side); break;
    case 1:
    case 2:
    case 3: deliver(t, side); break;
    default: send_new(t, side); break;
    }
    if (t->sent[0] > OCTETS - 81 && t->sent[1] > OCTETS - 81) {
      break;
    }
  }
}

static int by_key(const void *a, const void *b) {
  const piece *x = a;
  const piece *y = b;
  return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void shuffle(talk *t) {
  for (size_t i = 0; i < t->pieces; i++) {
    t->piece[i].key += t->piece[i].again ? 0 : pick(t, REACH);
  }
  qsort(t->piece, t->pieces, sizeof t->piece[0], by_key);
}

/* Takes packets without octets away, or first copies. */
static void drop(talk *t, bool octets) {
  size_t kept = 0;
  for (size_t i = 0; i < t->pieces; i++) {
    const piece *p = &t->piece[i];
    const bool may = octets ? p->len != 0 && !p->again : p->len == 0;
    if (!may || pick(t, 3) != 0) {
      t->piece[kept++] = *p;
    }
  }
  t->pieces = kept;
}

/* A captured segment shows of all octets up to its end that they were sent no later. */
static void note_bound(talk *t, const piece *p) {
  for (long at = 0; p->len != 0 && at < p->seq + (long)p->len; at++) {
    long *bound = &t->bound[p->side][at];
    *bound = p->ack < *bound ? p->ack : *bound;
  }
}

static void check_event(talk *t, const ingest_event *ev, const uint64_t base[2]) {
  if (ev->kind != INGEST_EVENT_DATA && ev->kind != INGEST_EVENT_GAP) {
    return;
  }
  const long at = t->at[ev->side];
  if (ev->kind == INGEST_EVENT_DATA) {
    const long had = (long)(ev->peer_pos - base[ev->side ^ 1u]);
    const long bound = t->bound[ev->side][at];
    expect(had <= bound, "octet %ld of side %u: %ld, but at most %ld", at, ev->side, had, bound);
    t->exact += had == t->cause[ev->side][at];
    t->events++;
  }
  t->at[ev->side] += (long)ev->len;
}

static void drain(talk *t, tcp_fixture *w, const uint64_t base[2]) {
  ingest_event ev;
  while (ingest_next(w->ing, &ev)) {
    check_event(t, &ev, base);
  }
}

static void play(talk *t) {
  tcp_fixture *w = tcp_fixture_new();
  const uint64_t base[2] = {(UINT64_C(1) << 32) + w->isn[0] + 1,
                            (UINT64_C(1) << 32) + w->isn[1] + 1};
  memset(t->bound, 0x7f, sizeof t->bound);
  tcp_fixture_shake(w);
  for (size_t i = 0; i < t->pieces; i++) {
    const piece *p = &t->piece[i];
    note_bound(t, p);
    w->mute = true;
    tcp_fixture_segment(w, p->side, "A", p->seq, p->ack, &t->octets[p->side][p->seq], p->len);
    const ingest_packet pkt = {.data = w->packet,
                               .caplen = w->packet_len,
                               .len = w->packet_len,
                               .link_type = 1,
                               .number = ++w->number};
    ingest_push(w->ing, &pkt);
    drain(t, w, base);
  }
  ingest_finish(w->ing);
  drain(t, w, base);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}

typedef void change(talk *t);

static void run_round(uint64_t seed, change *f, bool exact) {
  static talk t;
  for (acks how = BUNDLED; how < NUM_ACKS; how++) {
    make(&t, seed, how);
    if (how == MISSING) {
      drop(&t, false);
    }
    f(&t);
    play(&t);
    expect(t.events > 20, "only %" PRIu64 " events", t.events);
    expect(!exact || t.exact == t.events, "%" PRIu64 " of %" PRIu64 " exact", t.exact, t.events);
  }
}

static void run_all(const char *test, change *f, bool exact) {
  property rounds = property_begin(test, 1, ROUNDS);
  while (property_next(&rounds)) {
    run_round(rounds.seed, f, exact);
  }
}

static void as_it_is(talk *t) {
  (void)t;
}

static void without_first_copies(talk *t) {
  drop(t, true);
}

/* However acknowledgments travel, it is known exactly. */
START_TEST(in_order)
{ run_all("in_order", as_it_is, true); }
END_TEST

START_TEST(captured_out_of_order)
{ run_all("captured_out_of_order", shuffle, true); }
END_TEST

/* A retransmission alone does not say more than what later octets allow. */
START_TEST(first_copies_missing)
{ run_all("first_copies_missing", without_first_copies, false); }
END_TEST

int main(void) {
  const property_test tests[] = {
      {in_order, 1}, {captured_out_of_order, 1}, {first_copies_missing, 1}, {NULL, 0}};
  return property_main("ingest-cause", tests);
}
