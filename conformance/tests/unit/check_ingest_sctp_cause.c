/* SPDX-License-Identifier: BSD-2-Clause */
/* What ingest says a sender had received when it sent something, against what it had: random
 * conversations over SCTP whose acknowledgments are bundled with DATA, stand in packets before it,
 * come late, or not at all; complete, out of order, with packets lost on either side of the point
 * of capture, and with packets taken away. */
#include <stdlib.h>
#include <string.h>

#include "check_run.h"
#include "sctp_fixture.h"

#include "prng.h"
#include "property.h"

enum { MESSAGES = 60, PACKETS = 4 * MESSAGES, STEPS = 400, CLIENT_TSN = 100, SERVER_TSN = 200 };

typedef enum style { BUNDLED = 0, BEFORE, LATE, MISSING, STYLES } style;

/* A packet on its way. */
typedef struct sent {
  unsigned side;
  int message; /* or -1 */
  bool acks;
  int below;               /* acknowledged: all messages below this one, */
  bool more[MESSAGES + 1]; /* and these */
  bool gone;               /* lost on its way */
  bool taken;              /* not in the capture */
  uint64_t time_back;
} sent;

typedef struct host {
  int sent;               /* messages */
  bool has[MESSAGES];     /* messages of the other side */
  int acked;              /* below this by the last acknowledgment */
  bool shown[MESSAGES];   /* its message is in the capture */
  int knew[MESSAGES];     /* when that packet was sent: all below this, */
  int knew_top[MESSAGES]; /* and nothing from this on */
  int answers[MESSAGES];  /* what its last acknowledgment up to then covers: all below this, or up
                             to a message that was sent after it and captured before */
  int answered;
  bool arrived[MESSAGES]; /* its message, */
  int when[MESSAGES];     /* as which of all arrivals */
  int reported;           /* messages that came out in their turn */
  bool lost;              /* or did not */
} host;

typedef struct talk {
  prng rng;
  style how;
  bool lossy;
  host host[2];
  sent packet[PACKETS * 4];
  size_t packets;
  size_t arrived[2]; /* packets before this one of the side are no longer on their way */
  bool complete;     /* the capture, and in order */
  uint64_t claims;
  uint64_t causes;
  uint64_t overtakings;
  int arrivals;
} talk;

static bool chance(talk *t, uint64_t one_in) {
  return prng_below(&t->rng, one_in) == 0;
}

static int below_of(const host *h) {
  int n = 0;
  while (n < MESSAGES && h->has[n]) {
    n++;
  }
  return n;
}

static int top_of(const host *h) {
  int n = MESSAGES;
  while (n > 0 && !h->has[n - 1]) {
    n--;
  }
  return n;
}

static sent *add(talk *t, unsigned side, int message, bool acks) {
  host *h = &t->host[side];
  expect(t->packets < sizeof t->packet / sizeof t->packet[0], "too many packets");
  sent *p = &t->packet[t->packets++];
  memset(p, 0, sizeof *p);
  p->side = side;
  p->message = message;
  p->acks = acks && top_of(h) > 0;
  p->below = below_of(h);
  memcpy(p->more, h->has, sizeof h->has);
  h->acked = p->acks ? p->below : h->acked;
  return p;
}

/* A message, or one again. */
static void send_message(talk *t, unsigned side, int n) {
  const host *h = &t->host[side];
  if (t->how == BEFORE && (below_of(h) > h->acked || top_of(h) > below_of(h))) {
    add(t, side, -1, true);
  }
  add(t, side, n, t->how == BUNDLED)->gone = t->lossy && chance(t, 6);
}

static void send_new(talk *t, unsigned side) {
  host *h = &t->host[side];
  if (h->sent == MESSAGES) {
    return;
  }
  send_message(t, side, h->sent++);
}

static void send_again(talk *t, unsigned side) {
  for (int n = 0; n < t->host[side].sent; n++) {
    if (!t->host[side].arrived[n]) {
      send_message(t, side, n);
      return;
    }
  }
}

/* The next packet of a side arrives. */
static void arrive(talk *t, unsigned side) {
  size_t *at = &t->arrived[side];
  while (*at < t->packets && t->packet[*at].side != side) {
    ++*at;
  }
  if (*at == t->packets) {
    return;
  }
  const sent *p = &t->packet[(*at)++];
  if (p->message >= 0 && !p->gone) {
    t->host[side ^ 1u].has[p->message] = true;
    t->host[side].arrived[p->message] = true;
    t->arrivals++;
    if (t->host[side].when[p->message] == 0) {
      t->host[side].when[p->message] = t->arrivals;
    }
  }
}

static void converse(talk *t) {
  for (int i = 0; i < STEPS; i++) {
    const unsigned side = (unsigned)prng_below(&t->rng, 2);
    switch (prng_below(&t->rng, 8)) {
    case 0:
    case 1:
    case 2: arrive(t, side); break;
    case 3:
      if (t->how == LATE && top_of(&t->host[side]) > 0) {
        add(t, side, -1, true);
      }
      break;
    case 4:
      if (t->lossy) {
        send_again(t, side);
      }
      break;
    default: send_new(t, side); break;
    }
  }
}

/* ---- the capture ---- */

static void write_sack(sctp_fixture *w, const sent *p) {
  const uint32_t base = p->side == 0 ? SERVER_TSN : CLIENT_TSN;
  uint32_t blocks[MESSAGES];
  unsigned n = 0;
  for (int i = p->below; i < MESSAGES; i++) {
    const bool first = p->more[i] && (i == p->below || !p->more[i - 1]);
    const uint32_t at = (uint32_t)(i - p->below + 1);
    if (first) {
      blocks[n++] = at << 16 | at;
    } else if (p->more[i]) {
      blocks[n - 1] = (blocks[n - 1] & 0xFFFF0000u) | at;
    }
  }
  sctp_fixture_chunk(w, SACK, 0, 16 + 4 * n);
  sctp_fixture_put(w, base + (uint32_t)p->below - 1, 4);
  sctp_fixture_put(w, 65536, 4);
  sctp_fixture_put(w, n << 16, 4);
  for (unsigned i = 0; i < n; i++) {
    sctp_fixture_put(w, blocks[i], 4);
  }
}

/* What a packet of the capture says of its sender. */
static void note(host *h, const sent *p) {
  h->answered = p->acks ? p->below : h->answered;
  if (p->message < 0 || h->shown[p->message]) {
    return;
  }
  h->shown[p->message] = true;
  h->knew[p->message] = p->below;
  h->answers[p->message] = h->answered;
  for (int n = p->message + 1; n < MESSAGES; n++) {
    if (h->shown[n] && h->answers[n] < h->answers[p->message]) {
      h->answers[p->message] = h->answers[n];
    }
  }
  for (int n = 0; n < MESSAGES; n++) {
    h->knew_top[p->message] = p->more[n] ? n + 1 : h->knew_top[p->message];
  }
}

static void capture(talk *t, sctp_fixture *w, const sent *p) {
  if (p->taken) {
    w->number++;
    return;
  }
  note(&t->host[p->side], p);
  sctp_fixture_begin(w, p->side, p->side == 0 ? 0xB0B0 : 0xA0A0);
  if (p->acks) {
    write_sack(w, p);
  }
  if (p->message >= 0) {
    sctp_fixture_data(w, (p->side == 0 ? CLIENT_TSN : SERVER_TSN) + (uint32_t)p->message, ALL, "m");
  }
  w->time_back = p->time_back;
  sctp_fixture_push(w);
}

/* ---- results ---- */

/* It arrived before the message that it seems to have overtaken. */
static void check_overtaking(talk *t, const ingest_sctp_event *ev, int n) {
  const host *h = &t->host[ev->side];
  const int other =
      (int)((uint32_t)ev->message->overtook - 1u - (ev->side == 0 ? CLIENT_TSN : SERVER_TSN));
  expect(ev->message->overtook == 0 ||
             (other < n && h->when[n] > 0 && (h->when[other] == 0 || h->when[other] > h->when[n])),
         "%d overtook %d", n, other);
  t->overtakings += ev->message->overtook != 0;
}

static void check_message(talk *t, const ingest_sctp_event *ev) {
  host *h = &t->host[ev->side];
  const host *peer = &t->host[ev->side ^ 1u];
  const uint64_t base = ((uint64_t)1 << 32) + (ev->side == 0 ? SERVER_TSN : CLIENT_TSN);
  const int n = (int)((uint32_t)ev->pos - (ev->side == 0 ? CLIENT_TSN : SERVER_TSN));
  const uint64_t received = ev->message->received;
  const int below = received > base ? (int)(received - base) : 0;
  expect(below <= h->knew[n], "%d of %d", below, h->knew[n]);
  expect(!ev->message->cause_seen || (!peer->lost && peer->reported >= h->knew_top[n]),
         "its cause is not seen");
  expect(received == 0 || ev->message->received_more || peer->reported >= below || peer->lost,
         "received %d", below);
  expect(peer->reported >= h->answers[n] || peer->lost, "answers %d", h->answers[n]);
  if (t->complete && (t->how == BUNDLED || t->how == BEFORE)) {
    expect_int_eq(below, h->knew[n]);
  }
  expect(!ev->message->received_all || (below == h->knew[n] && below == h->knew_top[n]),
         "received more than %d", below);
  if (t->complete && !t->lossy && t->how == BUNDLED) {
    expect(ev->message->cause_seen || h->knew[n] == 0, "its cause is seen");
  }
  check_overtaking(t, ev, n);
  expect(t->how != MISSING || received == 0, "there is no acknowledgment");
  t->claims += below > 0;
  t->causes += ev->message->cause_seen;
  h->reported++;
}

static void on_event(void *ctx, const ingest_sctp_event *ev) {
  talk *t = ctx;
  if (ev->kind == INGEST_SCTP_MESSAGE) {
    check_message(t, ev);
  } else if (ev->kind == INGEST_SCTP_LOST) {
    t->host[ev->side].lost = true;
  }
}

/* How much was claimed of what was received, of what was not, and of what was overtaken. */
typedef struct claims {
  uint64_t received;
  uint64_t causes;
  uint64_t overtakings;
} claims;

static void play(talk *t, claims *sum) {
  sctp_fixture *w = sctp_fixture_open_patient(CLIENT_TSN, SERVER_TSN);
  w->quiet = true;
  w->event = on_event;
  w->event_ctx = t;
  for (size_t i = 0; i < t->packets; i++) {
    capture(t, w, &t->packet[i]);
  }
  sctp_fixture_finish(w, OPENED);
  sum->received += t->claims;
  sum->causes += t->causes;
  sum->overtakings += t->overtakings;
}

static talk *make(uint64_t seed, style how, bool lossy) {
  talk *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->rng.state = seed;
  t->how = how;
  t->lossy = lossy;
  converse(t);
  return t;
}

/* Neighbours in another order than they were captured in, as their times show. */
static void exchange(talk *t) {
  for (size_t i = 1; i < t->packets; i++) {
    if (chance(t, 4)) {
      const sent kept = t->packet[i];
      t->packet[i] = t->packet[i - 1];
      t->packet[i - 1] = kept;
      t->packet[i].time_back = 10;
      t->packet[i - 1].time_back = 0;
      t->packet[i - 1].time_back -= 10;
      i++;
    }
  }
}

/* Half of the packets that are lost are so before the point of capture. */
static void lose_before(talk *t) {
  for (size_t i = 0; i < t->packets; i++) {
    t->packet[i].taken = t->packet[i].gone && chance(t, 2);
  }
}

static void take_away(talk *t) {
  const uint64_t one_in = 2 + prng_below(&t->rng, 30);
  const bool one_side = chance(t, 4);
  for (size_t i = 0; i < t->packets; i++) {
    t->packet[i].taken = one_side ? t->packet[i].side == 0 : chance(t, one_in);
  }
}

#define ROUNDS 200u

static claims rounds(const char *test, style how, bool lossy, void (*spoil)(talk *t)) {
  property at = property_begin(test, 1, ROUNDS);
  claims sum = {0};
  while (property_next(&at)) {
    talk *t = make(at.seed, how, lossy);
    t->complete = spoil == NULL;
    if (spoil != NULL) {
      spoil(t);
    }
    play(t, &sum);
    free(t);
  }
  return sum;
}

START_TEST(all_is_said_of_a_complete_capture)
{
  const claims sum = rounds("all_is_said_of_a_complete_capture", (style)_i, false, NULL);
  ck_assert(property_few() || sum.causes > 0);
  ck_assert(property_few() || (sum.received > 0) == (_i != MISSING));
}
END_TEST

START_TEST(packets_that_are_sent_again_say_nothing_new)
{
  const claims sum = rounds("packets_that_are_sent_again_say_nothing_new", (style)_i, true, NULL);
  ck_assert(property_few() || (sum.received > 0) == (_i != MISSING));
  ck_assert(property_few() || (sum.overtakings > 0) == (_i != MISSING));
}
END_TEST

START_TEST(packets_lost_early_make_no_false_statement)
{
  const claims sum =
      rounds("packets_lost_early_make_no_false_statement", (style)_i, true, lose_before);
  ck_assert(property_few() || (sum.received > 0) == (_i != MISSING));
}
END_TEST

START_TEST(packets_out_of_order_make_no_false_statement)
{
  const claims sum =
      rounds("packets_out_of_order_make_no_false_statement", (style)_i, false, exchange);
  ck_assert(property_few() || (sum.received > 0) == (_i != MISSING));
}
END_TEST

START_TEST(packets_taken_away_make_no_false_statement)
{
  const claims sum =
      rounds("packets_taken_away_make_no_false_statement", (style)_i, false, take_away);
  ck_assert(property_few() || (sum.received > 0) == (_i != MISSING));
}
END_TEST

int main(void) {
  const property_test tests[] = {{all_is_said_of_a_complete_capture, STYLES},
                                 {packets_that_are_sent_again_say_nothing_new, STYLES},
                                 {packets_lost_early_make_no_false_statement, STYLES},
                                 {packets_out_of_order_make_no_false_statement, STYLES},
                                 {packets_taken_away_make_no_false_statement, STYLES},
                                 {NULL, 0}};
  return property_main("ingest-sctp-cause", tests);
}
