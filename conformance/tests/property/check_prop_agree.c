/* SPDX-License-Identifier: BSD-2-Clause */
/* Two endpoints with random operations and ends agree with a model, and no rule finds fault. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "agree.h"
#include "property.h"

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
      agree_now_done(s);
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
  const bool can = state != IWARP_ENDPOINT_AWAIT_FIRST_FPDU;
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
    w->ended = agree_post_bad(w, 1 - w->who);
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
    agree_post(w, some(w, 2));
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
  memcpy(&mem[SOURCE], &agree_pool[who], AREA);
  memcpy(&mem[NUMBERS], &agree_pool[who], (size_t)8 * NUM_NUMBERS);
  memcpy(s->shadow, mem, MEM);
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    ok(iwarp_endpoint_register(ep_of(w, who), &r[i]));
  }
  s->window = STAG_WINDOW;
  agree_open_window(w, who);
  for (size_t i = 0; i < NUM_BUFFERS; i++) {
    agree_post_buffer(w, who);
  }
  s->pd_len = chance(w, 2) ? 0 : some(w, IWARP_MPA_PRIVATE_DATA_MAX - IWARP_MPA_ENHANCED_LEN + 1);
  memcpy(s->pd, &agree_pool[some(w, LONGEST)], s->pd_len);
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
  agree_on_startup(w);
  w->longest = w->cfg[0].emss < 500 || w->cfg[1].emss < 500 || w->scatter ? 3000 : LONGEST;
  w->p = endpoint_pair_new(w->cfg, MEM);
  w->x = witness_of(w->p);
  endpoint_pair_hook(w->p, agree_reported, w);
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
  agree_judge(w);
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
  prng_fill(&p, agree_pool, sizeof agree_pool);
  property rounds = property_begin("two_endpoints_agree", UINT64_C(1000000) * (unsigned)_i, RUNS);
  while (property_next(&rounds)) {
    run(rounds.seed);
  }
  if (!property_few()) {
    agree_check_tally();
  }
}
END_TEST

int main(void) {
  const property_test tests[] = {{two_endpoints_agree, LOTS}, {NULL, 0}};
  return property_main("agree", tests);
}
