/* SPDX-License-Identifier: BSD-2-Clause */
/* What a run must have come to, by how it ended. */
#include "agree.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool ended_well(const fixture *w, size_t who) {
  const ep_host *s = w->p->s[who].h;
  return s->over && s->closed.err == IWARP_OK && !s->closed.disconnect && s->word == 0 &&
         !s->terminated;
}

/* What was sent is what was placed and completed. */
static void check_all_there(fixture *w, size_t who) {
  side *s = &w->s[who];
  expect(agree_all_placed(w, s, &s->writes, s->writes.num) && s->num_got == s->num_messages,
         "something is missing");
  if (!w->crossing) {
    expect(s->failed == 0 && agree_all_placed(w, s, &s->responses, s->responses.num),
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
  expect(agree_all_placed(w, s, &s->writes, w->bad_writes), "placed %zu of %zu", s->writes.done,
         w->bad_writes);
  expect(w->scatter || (s->writes.done == w->bad_writes && s->writes.got == 0), "placed too much");
  expect(s->num_got == w->bad_messages, "reported %zu of %zu", s->num_got, w->bad_messages);
  agree_tally.forbidden++;
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
    agree_tally.octets += w->p->s[who].sent;
    agree_tally.fpdus += w->x->fpdus[who];
    agree_tally.starved += w->p->s[who].h->word == 0x1202 ? 1 : 0;
    agree_tally.crossed += w->p->s[who].h->word == 0x0207 ? 1 : 0;
    agree_tally.failed += w->s[who].failed;
  }
  agree_tally.ends[w->end] += established ? 1 : 0;
  agree_tally.well += ended_well(w, 0) && ended_well(w, 1) ? 1 : 0;
  agree_tally.no_match += w->p->s[0].h->word == 0x2007 ? 1 : 0;
  agree_tally.refused += w->t.refused ? 1 : 0;
  agree_tally.rtr[w->t.first] += established ? 1 : 0;
}

void agree_check_tally(void) {
  for (size_t i = 0; i <= IWARP_RDMAP_OP_ATOMIC_REQ; i++) {
    printf("opcode %zu: %" PRIu64 " done\n", i, agree_tally.done[i]);
    expect(agree_tally.done[i] > 0 || i == IWARP_RDMAP_OP_READ_RESP ||
               i == IWARP_RDMAP_OP_TERMINATE,
           "no operation %zu", i);
  }
  for (size_t i = 0; i < NUM_ENDINGS; i++) {
    printf("ending %zu: %" PRIu64 " established\n", i, agree_tally.ends[i]);
    expect(agree_tally.ends[i] > 0 || i == REJECT || i == DECLINE, "no connection ended so: %zu",
           i);
  }
  printf("well %" PRIu64 ", starved %" PRIu64 ", forbidden %" PRIu64 ", ahead %" PRIu64
         ", crossed %" PRIu64 ", no RTR type %" PRIu64 ", Rev refused %" PRIu64 "\nfailed %" PRIu64
         ", octets %" PRIu64 ", FPDUs %" PRIu64 "\n",
         agree_tally.well, agree_tally.starved, agree_tally.forbidden, agree_tally.ahead,
         agree_tally.crossed, agree_tally.no_match, agree_tally.refused, agree_tally.failed,
         agree_tally.octets, agree_tally.fpdus);
  printf("ORD bounded %" PRIu64 ", Reads up to the end %" PRIu64 "\n", agree_tally.unspec,
         agree_tally.end);
  expect(agree_tally.unspec > 0 && agree_tally.end > 0,
         "no depth was left to the ULP, or no end was met");
  expect(agree_tally.fpdus > 50 * RUNS, "the witness saw next to nothing");
  expect(agree_tally.well > 0 && agree_tally.starved > 0 && agree_tally.forbidden > 0 &&
             agree_tally.ahead > 0 && agree_tally.crossed > 0 && agree_tally.no_match > 0 &&
             agree_tally.refused > 0 && agree_tally.failed > 0,
         "something never happened");
  expect(agree_tally.rtr[0] > 0 && agree_tally.rtr[IWARP_RTR_SEND] > 0 &&
             agree_tally.rtr[IWARP_RTR_WRITE] > 0 && agree_tally.rtr[IWARP_RTR_READ] > 0,
         "an RTR type was never sent");
}

void agree_judge(fixture *w) {
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
