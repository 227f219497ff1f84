/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which requests wait is guessed where the capture begins: recover.c. A requester may have more
 * Reads on the way than it has buffers. Then a run of answers fits later requests into the same
 * buffers. Under such a guess each answer after the last request is one too many, and none fits
 * once other buffers are used. A fault is a single answer: the next ones fit again. So a finding on
 * an answer waits until another message takes a request away, as its right answer. A second answer
 * that does not fit refutes the guess. At the end of the stream no other message comes: a request
 * without an answer is not suspected then.
 */
#include "guess.h"

#include "catalog.h"
#include "requests.h"

static bool guess_concerns(uint16_t rule) {
  return rule == RULES_rdmap_read_response_unasked || rule == RULES_rdmap_read_response_stag ||
         rule == RULES_rdmap_read_response_to || rule == RULES_rdmap_read_response_length ||
         rule == RULES_rdmap_response_order || rule == RULES_rdmap_atomic_response_unasked ||
         rule == RULES_rdmap_atomic_response_id || rule == RULES_rdmap_request_answered;
}

/* True if a rule found that the event is no right answer. */
static bool guess_unfit(const struct rules_findings *found, uint8_t side) {
  bool unfit = false;
  for (uint32_t i = 0; i < found->num; i++) {
    unfit = unfit || (found->entry[i].side == side && guess_concerns(found->entry[i].rule));
  }
  return unfit;
}

static bool guess_ends_message(const iwarp_event *ev) {
  return ev->kind == IWARP_EVENT_FPDU && ev->u.fpdu.seg.has_ddp && ev->u.fpdu.seg.ddp.last;
}

static void guess_answer(struct rules_guess *g, struct rules_tracker *track, const iwarp_event *ev,
                         bool unfit, uint32_t waited) {
  const uint8_t asker = (uint8_t)(1u - ev->side);
  struct rules_side *s = &track->side[asker];
  if (!s->requests.guessed) {
    g->refuted = g->doubted;
  } else if (!unfit) {
    g->doubted = g->doubted && (g->open || waited != s->requests.num + 1u);
  } else if (!g->doubted) {
    g->doubted = g->open = true;
  } else if (!g->open) {
    g->refuted = true;
    rulesi_reads_begin_again(track, asker);
  }
  g->doubted = g->doubted && !g->refuted;
  g->open = g->open && !guess_ends_message(ev);
}

void rulesi_guess_judge(struct rules_guess guess[2], struct rules_tracker *track,
                        const iwarp_event *ev, const struct rules_findings *found,
                        uint32_t waited) {
  guess[0].refuted = guess[1].refuted = false;
  guess_answer(&guess[1u - ev->side], track, ev, guess_unfit(found, ev->side), waited);
}

iwarp_tristate rulesi_guess_doubt(const struct rules_guess guess[2], const iwarp_finding *f) {
  const struct rules_guess *g = &guess[1u - f->side];
  if (!guess_concerns(f->rule) || (!g->refuted && !g->doubted)) {
    return IWARP_TRISTATE_OFF;
  }
  return g->refuted ? IWARP_TRISTATE_ON : IWARP_TRISTATE_UNKNOWN;
}
