/* SPDX-License-Identifier: BSD-2-Clause */
/* A Terminate that an endpoint receives is read by what the endpoint has sent before. */
#include "check_run.h"
#include "endpoint_pair.h"
#include "ep_wire.h"

#define RESPONDER 0x02u /* first octet: Layer 0, Error Type 2 */
#define MPA 0x20u

/* An endpoint in Full Operation that has sent only its startup frame and an RTR frame. */
static wire joined(iwarp_role role, bool peer_to_peer) {
  iwarp_endpoint_cfg cfg = ep_cfg(IWARP_ROLE_INITIATOR);
  iwarp_endpoint_cfg peer = ep_cfg(IWARP_ROLE_RESPONDER);
  cfg.peer_to_peer = peer_to_peer;
  cfg.rtr = IWARP_RTR_READ;
  cfg.ord = peer.ird = 8;
  ep_host *i = ep_host_new(&cfg);
  ep_host *r = ep_host_new(&peer);
  ep_join(i, r);
  ep_host_free(role == IWARP_ROLE_INITIATOR ? r : i);
  return (wire){.h = role == IWARP_ROLE_INITIATOR ? i : r};
}

/* The endpoint sends all that it has. */
static void sent(wire *w) {
  uint8_t octets[256];
  ck_assert_uint_gt(ep_host_pull(w->h, octets, sizeof octets), 0);
}

static void post(wire *w) {
  ok(iwarp_endpoint_send(w->h->ep, 0, IWARP_RDMAP_OP_SEND, 0, (iwarp_tx_payload){0}));
}

/* Returns true if the endpoint takes the other reading of a Terminate of its peer for the likely
 * one. */
static bool swapped(wire *w, uint8_t first) {
  const seg s = {.opcode = IWARP_RDMAP_OP_TERMINATE, .qn = 2, .len = 4, .inner = {first, 6}};
  wire_seg(w, &s);
  const iwarp_endpoint_event *ev = ep_host_last(w->h, IWARP_ENDPOINT_EVENT_TERMINATED);
  ck_assert(ev != NULL && ev->u.terminated.readable);
  const bool likely = ev->u.terminated.has_likely;
  ck_assert(!likely || (ev->u.terminated.likely.layer == (first & 15u) &&
                        ev->u.terminated.likely.etype == first >> 4));
  wire_free(w);
  return likely;
}

/* Where nothing was sent, 0/2/6 cannot be meant; where something was, 2/0/6 cannot. */
static void expect_place(wire (*make)(void), iwarp_rdmap_term_place place) {
  wire w = make();
  ck_assert(swapped(&w, RESPONDER) == (place == IWARP_RDMAP_TERM_PLACE_STARTUP));
  w = make();
  ck_assert(swapped(&w, MPA) == (place == IWARP_RDMAP_TERM_PLACE_FULL));
}

static wire nothing_sent(void) {
  return joined(IWARP_ROLE_RESPONDER, false);
}

static wire nothing_sent_and_peer_not_first(void) {
  wire w = joined(IWARP_ROLE_RESPONDER, false);
  const seg write = {.tagged = true, .opcode = IWARP_RDMAP_OP_WRITE};
  wire_seg(&w, &write);
  return w;
}

static wire send_not_taken(void) {
  wire w = joined(IWARP_ROLE_INITIATOR, false);
  iwarp_span span[4];
  iwarp_tx_out out;
  post(&w);
  ok(iwarp_endpoint_next_output(w.h->ep, span, sizeof span / sizeof span[0], &out));
  return w;
}

static wire send_taken(void) {
  wire w = joined(IWARP_ROLE_INITIATOR, false);
  post(&w);
  sent(&w);
  return w;
}

static wire rtr_taken(void) {
  return joined(IWARP_ROLE_INITIATOR, true);
}

static wire sends_after_rtr(void) {
  wire w = rtr_taken();
  post(&w);
  sent(&w);
  return w;
}

START_TEST(place_by_what_the_endpoint_sent)
{
  expect_place(nothing_sent, IWARP_RDMAP_TERM_PLACE_STARTUP);
  expect_place(nothing_sent_and_peer_not_first, IWARP_RDMAP_TERM_PLACE_UNKNOWN);
  expect_place(send_not_taken, IWARP_RDMAP_TERM_PLACE_UNKNOWN);
  expect_place(send_taken, IWARP_RDMAP_TERM_PLACE_FULL);
  expect_place(rtr_taken, IWARP_RDMAP_TERM_PLACE_UNKNOWN);
  expect_place(sends_after_rtr, IWARP_RDMAP_TERM_PLACE_FULL);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {place_by_what_the_endpoint_sent, NULL};
  return check_run(check_suite("stream-ep-term-place", tests));
}
