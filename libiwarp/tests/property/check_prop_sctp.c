/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two endpoints do random things over a network that changes the order of messages: every message
 * comes back once, segments come in order, the sessions end, and observers on either side find
 * nothing.
 */
#include <iwarp/sctp_session.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "../../src/sctp/session_send.h"
#include "check_run.h"
#include "prng.h"
#include "property.h"

#define SEEDS 200u
#define STEPS 6000u
#define FLIGHT 40u /* messages of a side on their way */

typedef struct packet {
  uint8_t octets[16];
  size_t len;
  uint32_t ppid;
  uint16_t ssn;
  uint64_t token;
} packet;

typedef struct node {
  iwarp_sctp_session *sess;
  packet flight[FLIGHT]; /* sent by this node, in any order */
  size_t num_flight;
  bool acked[65536 / 64]; /* by DDP-SSN of this session; few are used */
  uint16_t oldest;        /* own message not yet acknowledged */
  uint32_t segments_sent; /* of this session */
  uint32_t segments_seen;
  uint64_t tokens_out; /* sums: each token given to the engine comes back once */
  uint64_t tokens_back;
} node;

static alignas(max_align_t) uint8_t memory[4][65536];
static node nodes[2];
static iwarp_sctp_session *observers[2]; /* the second sees the sides exchanged */
static uint64_t last_token;
static prng random_state;
static uint32_t num_sessions;

static iwarp_sctp_session *make(size_t place, bool observer, uint16_t window) {
  iwarp_sctp_session_cfg cfg = {.size = sizeof cfg, .observer = observer, .window = window};
  iwarp_sctp_session *s = NULL;
  ck_assert_int_eq(iwarp_sctp_session_init(&s, memory[place], sizeof memory[place], &cfg),
                   IWARP_OK);
  return s;
}

/* Tells both observers, and compares what they think. */
static void observe(uint8_t side, const packet *p) {
  iwarp_sctp_message message = {.ppid = p->ppid, .user_data = {p->octets, p->len}};
  expect(iwarp_sctp_session_push(observers[0], side, &message) == IWARP_OK, "observer");
  expect(iwarp_sctp_session_push(observers[1], 1 - side, &message) == IWARP_OK,
         "mirrored observer");
  iwarp_sctp_session_event ev;
  iwarp_sctp_session_event mirrored;
  while (iwarp_sctp_session_next_event(observers[0], &ev) == IWARP_OK) {
    expect(iwarp_sctp_session_next_event(observers[1], &mirrored) == IWARP_OK, "no mirrored event");
    expect(ev.verdict <= IWARP_SCTP_NOTE && ev.kind != IWARP_SCTP_SESSION_EVENT_DISCARDED,
           "DDP-SSN %u of side %u: verdict %d in %s", ev.ssn, ev.side, (int)ev.verdict,
           iwarp_sctp_state_name(ev.state));
    expect(mirrored.verdict == ev.verdict && mirrored.ssn == ev.ssn, "verdicts differ");
  }
  expect(iwarp_sctp_session_next_event(observers[1], &mirrored) == IWARP_ERR_END,
         "a mirrored event more");
}

static void put_on_the_way(node *n, const sctp_output *msg) {
  packet *p = &n->flight[n->num_flight++];
  memcpy(p->octets, msg->hdr, msg->hdr_len);
  if (msg->body.len > 0) {
    memcpy(p->octets + msg->hdr_len, msg->body.ptr, msg->body.len);
  }
  p->len = msg->hdr_len + msg->body.len;
  p->ppid = msg->ppid;
  p->ssn = msg->ssn;
  p->token = ++last_token;
  if (n == &nodes[1]) { /* observed at node 1: its own messages in the order sent, the peer's as
                           they arrive */
    observe(1, p);
  }
}

static void begin_session(node *n) {
  memset(n->acked, 0, sizeof n->acked);
  n->oldest = 0;
  n->segments_sent = 0;
  n->segments_seen = 0;
}

static void see(node *n, const iwarp_sctp_session_event *ev) {
  n->tokens_back += ev->token;
  expect(ev->verdict <= IWARP_SCTP_NOTE, "DDP-SSN %u: verdict %d", ev->ssn, (int)ev->verdict);
  if (ev->message == IWARP_SCTP_KIND_INITIATE) {
    begin_session(n);
  } else if (ev->kind == IWARP_SCTP_SESSION_EVENT_SEGMENT) {
    expect(ev->segment.len == 1 && ev->segment.ptr[0] == (uint8_t)n->segments_seen,
           "segment %u out of order", n->segments_seen);
    n->segments_seen++;
  }
}

/* One message that is on its way from `n` arrives, unless it is too far ahead for the receiver. */
static void deliver(node *n, node *to) {
  static packet kept[4096]; /* user data stay until their event */
  size_t i = (size_t)prng_below(&random_state, n->num_flight);
  packet *p = &kept[n->flight[i].token % 4096];
  *p = n->flight[i];
  iwarp_sctp_message message = {
      .ppid = p->ppid, .user_data = {p->octets, p->len}, .token = p->token};
  iwarp_err err = iwarp_sctp_session_push(to->sess, 1, &message);
  if (err == IWARP_ERR_NOBUF) {
    return;
  }
  expect(err == IWARP_OK, "push: %s", iwarp_errname(err));
  n->flight[i] = n->flight[--n->num_flight];
  to->tokens_out += p->token;
  if (n == &nodes[0]) {
    observe(0, p);
  }
  iwarp_sctp_session_event ev;
  while (iwarp_sctp_session_next_event(to->sess, &ev) == IWARP_OK) {
    see(to, &ev);
  }
  n->acked[p->ssn] = true;
}

/* SCTP tells of acknowledgments some time after the delivery. */
static void acknowledge(node *n) {
  while (n->acked[n->oldest]) {
    n->acked[n->oldest] = false;
    expect(iwarpi_sctp_session_acked(n->sess, n->oldest) == IWARP_OK, "acked %u", n->oldest);
    n->oldest++;
  }
}

static void act(node *n) {
  sctp_output msg;
  const uint8_t octet[4] = {(uint8_t)n->segments_sent};
  bool enhanced = prng_below(&random_state, 2) != 0;
  switch (prng_below(&random_state, 12)) {
  case 0:
    if (nodes[0].num_flight + nodes[1].num_flight == 0 &&
        iwarp_sctp_session_info_get(nodes[n == nodes].sess).state == IWARP_SCTP_STATE_IDLE &&
        iwarpi_sctp_session_connect(n->sess, &msg, enhanced, (iwarp_span){octet, 4}) == IWARP_OK) {
      begin_session(n);
      num_sessions++;
      put_on_the_way(n, &msg);
    }
    return;
  case 1:
    if (iwarpi_sctp_session_accept(n->sess, &msg, (iwarp_span){octet, 4}) == IWARP_OK) {
      put_on_the_way(n, &msg);
    }
    return;
  case 2:
    if (prng_below(&random_state, 6) == 0 &&
        iwarpi_sctp_session_reject(n->sess, &msg, (iwarp_span){octet, 4}) == IWARP_OK) {
      put_on_the_way(n, &msg);
    }
    return;
  case 3:
    if (prng_below(&random_state, 40) == 0) {
      iwarpi_sctp_session_close(n->sess);
    }
    return;
  case 4: iwarpi_sctp_session_set_refuse(n->sess, prng_below(&random_state, 8) == 0); return;
  case 5: acknowledge(n); return;
  default:
    if (n->segments_sent < 900 &&
        iwarpi_sctp_session_send(n->sess, &msg, (iwarp_span){octet, 1}, 1) == 0) {
      n->segments_sent++;
      put_on_the_way(n, &msg);
    }
  }
}

static void run(uint64_t seed) {
  random_state = (prng){.state = seed};
  for (size_t i = 0; i < 2; i++) {
    nodes[i] = (node){.sess = make(i, false, 12)};
    observers[i] = make(2 + i, true, 200);
  }
  for (size_t step = 0; step < STEPS; step++) {
    node *n = &nodes[prng_below(&random_state, 2)];
    node *other = &nodes[n == nodes];
    sctp_output msg;
    if (n->num_flight > 0 && (n->num_flight + 2 > FLIGHT || prng_below(&random_state, 2) == 0)) {
      deliver(n, other);
    } else {
      act(n);
    }
    if (n->num_flight < FLIGHT && iwarpi_sctp_session_next_output(n->sess, &msg) == IWARP_OK) {
      put_on_the_way(n, &msg);
    }
  }
  for (size_t i = 0; i < 2; i++) {
    expect(nodes[i].tokens_back <= nodes[i].tokens_out, "tokens");
    iwarp_sctp_session_event ev;
    iwarpi_sctp_session_lost(nodes[i].sess);
    while (iwarp_sctp_session_next_event(nodes[i].sess, &ev) == IWARP_OK) {
      nodes[i].tokens_back += ev.token;
    }
    ck_assert_uint_eq(nodes[i].tokens_back, nodes[i].tokens_out);
  }
}

START_TEST(endpoints_and_observers_agree)
{
  property rounds = property_begin("endpoints_and_observers_agree", 1, SEEDS);
  while (property_next(&rounds)) {
    run(rounds.seed);
  }
  printf("%u sessions\n", num_sessions);
  ck_assert(property_few() || num_sessions > 2 * SEEDS);
}
END_TEST

/* Any order of arrival within the window gives back the order of the DDP-SSNs. */
START_TEST(any_order_within_the_window)
{
  property rounds = property_begin("any_order_within_the_window", 10, 400);
  while (property_next(&rounds)) {
    prng p = {.state = rounds.seed};
    uint16_t window = (uint16_t)(1 + prng_below(&p, 30));
    iwarp_sctp_session_cfg cfg = {
        .size = sizeof cfg, .observer = true, .joined = true, .window = window};
    iwarp_sctp_session *s = NULL;
    iwarp_sctp_session_init(&s, memory[0], sizeof memory[0], &cfg);
    uint16_t due = (uint16_t)prng_next(&p);
    uint8_t octets[64][2];
    bool given[64] = {false};
    for (size_t done = 0; done < 64;) {
      /* The first one tells where the engine joins. */
      size_t i = done == 0 ? 0 : (size_t)prng_below(&p, 64);
      uint16_t ssn = (uint16_t)(due + i);
      octets[i][0] = (uint8_t)(ssn >> 8);
      octets[i][1] = (uint8_t)ssn;
      if (given[i]) {
        continue;
      }
      iwarp_sctp_message message = {.ppid = 16, .user_data = {octets[i], 2}, .token = i};
      iwarp_err err = iwarp_sctp_session_push(s, 1, &message);
      expect(err == (i < done + window ? IWARP_OK : IWARP_ERR_NOBUF), "%zu at %zu", i, done);
      given[i] = err == IWARP_OK;
      iwarp_sctp_session_event ev;
      while (iwarp_sctp_session_next_event(s, &ev) == IWARP_OK) {
        expect(ev.token == done && ev.kind == IWARP_SCTP_SESSION_EVENT_SEGMENT, "%zu", done);
        done++;
      }
    }
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {
      {endpoints_and_observers_agree, 1}, {any_order_within_the_window, 1}, {NULL, 0}};
  return property_main("sctp", tests);
}
