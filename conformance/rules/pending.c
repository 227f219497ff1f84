/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings about FPDUs, or a Request, that may lie in the payload of another FPDU, or rest on a
 * length that may be wrong, until that is decided. */
#include "pending.h"

#include "catalog.h"
#include "diagnosis.h"
#include "evidence.h"
#include "markers.h"
#include "memory.h"
#include "reason.h"
#include "verdict.h"

/*
 * Whether the FPDU may lie in the payload of another one: a search found its start, by CRCs, or a
 * startup frame that may lie there itself.
 */
static bool pending_inner(const struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  const bool marked =
      f->sync == IWARP_SYNC_MARKER && f->offset != IWARP_POS_UNKNOWN && rules_own(j)->startup_sure;
  return j->ev->kind == IWARP_EVENT_FPDU && !rules_start_sure(j) && !marked;
}

/* What makes a finding of a rule about other octets than it seems to be, or more. */
static const uint8_t pending_rests[RULES_COUNT] = {
    [RULES_mpa_crc] = BLAME_CRC,
    [RULES_mpa_pad_zero] = BLAME_PAD,
    [RULES_ddp_header_length] = BLAME_LENGTH,
    [RULES_rdmap_read_request_length] = BLAME_LENGTH,
    [RULES_rdmap_read_response_length] = BLAME_LENGTH,
    [RULES_rdmap_terminate_length] = BLAME_LENGTH,
    [RULES_rdmap_immediate_length] = BLAME_LENGTH,
    [RULES_rdmap_atomic_request_length] = BLAME_LENGTH,
    [RULES_rdmap_atomic_response_length] = BLAME_LENGTH,
};

static uint32_t pending_reason(const struct rules_side *side) {
  return side->gapped ? side->gap_reason : IWARP_REASON_MID_STREAM;
}

static void pending_forget(iwarp_rule_result *result, uint32_t reason) {
  result->num_inconclusive++;
  result->reason |= reason;
}

/* False: there is no room for another one. */
static bool pending_add(struct rules_pending *pending, const struct rules_ctx *j,
                        const iwarp_finding *f) {
  iwarp_finding *entry = rulesi_grow(j->findings->pool, pending->entry, &pending->cap, pending->num,
                                     RULES_PENDING, sizeof(*entry));
  if (entry == NULL) {
    return false;
  }
  pending->entry = entry;
  entry[pending->num++] = *f;
  j->results[f->rule].num_fail--;
  return true;
}

/* The first ones wait, as many as there is room for: with less memory no other one does. */
static void pending_wait(struct rules_pending *pending, const struct rules_ctx *j,
                         const iwarp_finding *f) {
  if (!pending->refused && pending_add(pending, j, f)) {
    return;
  }
  pending->refused = true;
  j->results[f->rule].num_fail--;
  pending_forget(&j->results[f->rule],
                 rulesi_reason(j, pending->num < RULES_PENDING ? IWARP_REASON_LIMIT
                                                               : pending_reason(rules_own(j))));
}

/* What is said of earlier octets does not rest on where this FPDU begins. */
static void pending_keep(struct rules_pending *pending, const struct rules_ctx *j) {
  struct rules_findings *all = j->findings;
  uint32_t kept = 0;
  if (!pending->of_private && j->ev->pos < rules_own(j)->private_end) {
    pending->of_private = true;
    pending->private_end = (uint32_t)rules_own(j)->private_end;
  }
  for (uint32_t i = 0; i < all->num; i++) {
    if (all->entry[i].pos == j->ev->pos) {
      pending_wait(pending, j, &all->entry[i]);
    } else {
      all->entry[kept++] = all->entry[i];
    }
  }
  all->num = kept;
}

static void pending_empty(struct rules_pending *pending) {
  pending->num = 0;
  pending->of_private = false;
  pending->refused = pending->of_request = pending->of_length = pending->of_answer = false;
}

/* Whether the finding is gone with that blame. What reads as no CRC field may be a length that is
 * larger by as many octets. */
static bool pending_explained(const iwarp_finding *f, enum rules_blame blame) {
  const uint8_t rests = pending_rests[f->rule];
  return blame == BLAME_CRC && rests == BLAME_LENGTH
             ? f->observed.u == f->expected.u + IWARP_MPA_CRC_LEN
             : rests <= blame;
}

/* mpa.framing reports the octets of the finding. */
static void pending_withdraw(struct rules_findings *found, uint16_t rule) {
  rulesi_note(found->withdrawn, (uint16_t)(rule + 1u));
  rulesi_note(found->explained, RULES_mpa_framing + 1u);
}

/* Hands out those on which no such blame falls; the others are gone. */
static void pending_release(struct rules_pending *pending, struct rules_findings *found,
                            iwarp_rule_result *results, enum rules_blame blame) {
  for (uint32_t i = 0; i < pending->num; i++) {
    const uint16_t rule = pending->entry[i].rule;
    if (blame == BLAME_NOTHING || !pending_explained(&pending->entry[i], blame)) {
      results[rule].num_fail++;
      *rulesi_room(found) = pending->entry[i];
    } else {
      pending_withdraw(found, rule);
    }
  }
  pending_empty(pending);
}

static void pending_drop(struct rules_pending *pending, iwarp_rule_result *results,
                         uint32_t reason) {
  for (uint32_t i = 0; i < pending->num; i++) {
    pending_forget(&results[pending->entry[i].rule], reason);
  }
  pending_empty(pending);
}

void rulesi_pending_finish(struct rules_pending *pending, struct rules_findings *found,
                           iwarp_rule_result *results, const struct rules_side *side) {
  if (pending->of_length) {
    pending_release(pending, found, results, BLAME_NOTHING);
  } else {
    pending_drop(pending, results, pending->of_answer ? IWARP_REASON_GAP : pending_reason(side));
  }
}

/* Whether the chain of FPDUs has come to an end here: octets that are none, missing, or wrong. */
static bool pending_broken(const struct rules_ctx *j) {
  switch (j->ev->kind) {
  case IWARP_EVENT_FPDU: return j->ev->u.fpdu.crc == IWARP_CRC_BAD;
  case IWARP_EVENT_GAP:
  case IWARP_EVENT_UNDECODABLE: return true;
  case IWARP_EVENT_STREAMING:
  case IWARP_EVENT_STARTUP:
  case IWARP_EVENT_END:
  case IWARP_EVENT_SCTP_INIT:
  case IWARP_EVENT_SCTP_MESSAGE:
  case IWARP_EVENT_SCTP_SEGMENT: break;
  }
  return false;
}

/* A Request, and the next event of its side, or the startup frame of the other one: which is the
 * Reply that it waits for, or shows that none answers it. */
static void pending_request(struct rules_pending pending[2], const struct rules_ctx *j) {
  struct rules_pending *own = &pending[j->ev->side];
  struct rules_pending *other = &pending[rules_peer(j)];
  if (own->of_request) {
    pending_drop(own, j->results, rulesi_reason(j, pending_reason(rules_own(j))));
  }
  if (other->of_request && j->ev->kind == IWARP_EVENT_STARTUP) {
    if (rules_other(j)->startup_sure) {
      pending_release(other, j->findings, j->results, BLAME_NOTHING);
    } else {
      pending_drop(other, j->results, rulesi_reason(j, pending_reason(rules_other(j))));
    }
  }
  if (j->facts.unanswered && j->findings->num > 0) {
    for (uint32_t i = 0; i < j->findings->num; i++) {
      pending_wait(own, j, &j->findings->entry[i]);
    }
    j->findings->num = 0;
    own->of_request = true;
  }
}

/* Whether what follows the FPDU is not decided: octets that may be the beginning of another one. */
static bool pending_undecided(const struct rules_ctx *j) {
  return j->ev->kind == IWARP_EVENT_UNDECODABLE &&
         rules_is_open(&rules_own(j)->docket, QUESTION_RUN);
}

/* Whether the event says of octets of its side that they were taken for one FPDU, and are one. */
static bool pending_ends_right(const struct rules_ctx *j) {
  return j->ev->kind == IWARP_EVENT_FPDU && j->ev->u.fpdu.crc != IWARP_CRC_BAD &&
         !j->ev->last.damaged && !j->facts.length_uncertain;
}

/* The next event of the other side is that FPDU. */
static void pending_answer(struct rules_pending pending[2], const struct rules_ctx *j) {
  struct rules_pending *other = &pending[rules_peer(j)];
  if (other->of_answer && pending_ends_right(j)) {
    pending_release(other, j->findings, j->results, BLAME_NOTHING);
  } else if (other->of_answer && !pending_undecided(j)) {
    pending_drop(other, j->results, rulesi_reason(j, IWARP_REASON_GAP));
  }
}

/* Lets it wait that nobody asked for the answer, where that may be in the FPDU under way. */
static void pending_ask(struct rules_pending *pending, const struct rules_ctx *j) {
  struct rules_findings *all = j->findings;
  uint32_t kept = 0;
  if (j->info->sctp || j->ev->first.peer_pos <= rules_other(j)->end) {
    return;
  }
  for (uint32_t i = 0; i < all->num; i++) {
    const iwarp_finding *f = &all->entry[i];
    const bool asks = f->rule == RULES_rdmap_read_response_unasked ||
                      f->rule == RULES_rdmap_atomic_response_unasked;
    if (asks && pending->num == 0 && pending_add(pending, j, f)) {
      pending->of_answer = true;
    } else {
      all->entry[kept++] = *f;
    }
  }
  all->num = kept;
}

/* Whether the length of the FPDU rests on what follows it: no right CRC proves it. */
static bool pending_unproven(const struct rules_ctx *j) {
  return j->ev->kind == IWARP_EVENT_FPDU && !pending_inner(j) &&
         j->ev->u.fpdu.crc != IWARP_CRC_GOOD;
}

/* Lets those about the FPDU wait that rest on its length. One for which there is no room is
 * inconclusive: what follows might explain it. */
static void pending_hold(struct rules_pending *pending, const struct rules_ctx *j) {
  struct rules_findings *all = j->findings;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < all->num; i++) {
    const iwarp_finding *f = &all->entry[i];
    const bool rests = pending_rests[f->rule] != BLAME_NOTHING && f->pos == j->ev->pos;
    if (!rests) {
      all->entry[kept++] = *f;
    } else if (pending_add(pending, j, f)) {
      pending->of_length = true;
    } else {
      j->results[f->rule].num_fail--;
      pending_forget(&j->results[f->rule], IWARP_REASON_LIMIT);
    }
  }
  all->num = kept;
}

/* Whether the position lies before another one, of which the low bits are known. */
static bool pending_before(uint64_t pos, uint32_t end) {
  return end - (uint32_t)pos - 1u < 0x80000000u;
}

/*
 * Full Operation begins with a Marker, and others stand every 512 octets from there on. So one that
 * lies inside an FPDU shows that it begins no later than the place of the Marker before that.
 */
static void pending_marked(struct rules_pending *own, const struct rules_ctx *j) {
  const iwarp_event_fpdu *f = &j->ev->u.fpdu;
  const iwarp_mpa_layout *l = &f->fpdu.layout;
  iwarp_mpa_marker due;
  size_t off;
  if (pending_broken(j)) {
    own->of_private = false;
    return;
  }
  if (!own->of_private || j->ev->kind != IWARP_EVENT_FPDU || !rules_own(j)->from_first ||
      f->crc != IWARP_CRC_GOOD || !f->fpdu.markers || l->first_marker == 0 ||
      rulesi_markers_missing(&f->fpdu, false, &due, &off)) {
    return;
  }
  const uint64_t from = j->ev->pos - l->lead + l->first_marker - IWARP_MPA_MARKER_PERIOD;
  if (pending_before(from, own->private_end)) {
    own->private_end = (uint32_t)from;
  }
}

/* Forgets those about FPDUs that may lie in Private Data. */
static void pending_private(struct rules_pending *own, const struct rules_ctx *j) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < own->num; i++) {
    if (own->of_private && pending_before(own->entry[i].pos, own->private_end)) {
      pending_forget(&j->results[own->entry[i].rule],
                     rulesi_reason(j, pending_reason(rules_own(j))));
    } else {
      own->entry[kept++] = own->entry[i];
    }
  }
  own->num = kept;
}

/* Those that may lie in payload. */
static void pending_settle(struct rules_pending *own, const struct rules_ctx *j) {
  if (pending_broken(j)) {
    pending_drop(own, j->results, rulesi_reason(j, pending_reason(rules_own(j))));
  } else if (!pending_inner(j)) {
    pending_private(own, j);
    pending_release(own, j->findings, j->results, BLAME_NOTHING);
  }
}

void rulesi_pending(struct rules_pending pending[2], const struct rules_ctx *j) {
  struct rules_pending *own = &pending[j->ev->side];
  pending_request(pending, j);
  pending_answer(pending, j);
  if (own->of_request || own->of_answer || (own->of_length && pending_undecided(j))) {
    return;
  }
  if (own->of_length && j->ev->kind == IWARP_EVENT_GAP) {
    pending_drop(own, j->results, rulesi_reason(j, IWARP_REASON_GAP));
  } else if (own->of_length) {
    pending_release(own, j->findings, j->results,
                    (enum rules_blame)rulesi_fault(j->facts.framed)->blame);
  }
  if (pending_inner(j)) {
    pending_keep(own, j);
  }
  pending_marked(own, j);
  if (own->num != 0 || own->refused) {
    pending_settle(own, j);
  }
  if (pending_unproven(j)) {
    pending_hold(own, j);
  }
  pending_ask(own, j);
}
