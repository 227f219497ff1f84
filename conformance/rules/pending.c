/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings about FPDUs, or a Request, that may lie in the payload of another FPDU, until that is
 * decided. */
#include "pending.h"

#include "memory.h"
#include "verdict.h"

/*
 * Whether the FPDU may lie in the payload of another one: a search found its start, by CRCs, or a
 * startup frame that may lie there itself.
 */
static bool pending_inner(const struct rules_ctx *j) {
  const iwarp_ev_fpdu *f = &j->ev->u.fpdu;
  const bool marked =
      f->sync == IWARP_SYNC_MARKER && f->offset != IWARP_POS_UNKNOWN && rules_own(j)->startup_sure;
  return j->ev->kind == IWARP_EVENT_FPDU && !rules_start_sure(j) && !marked;
}

static uint32_t pending_reason(const struct rules_side *side) {
  return side->gapped ? side->gap_reason : IWARP_REASON_MID_STREAM;
}

static void pending_forget(iwarp_rule_result *result, uint32_t reason) {
  result->num_inconclusive++;
  result->reason |= reason;
}

/* The first ones wait, as many as there is room for: with less memory no other one does. */
static void pending_wait(struct rules_pending *pending, struct rules_ctx *j,
                         const iwarp_finding *f) {
  iwarp_finding *entry = pending->refused
                             ? NULL
                             : rulesi_grow(j->findings->pool, pending->entry, &pending->cap,
                                           pending->num, RULES_PENDING, sizeof(*entry));
  j->results[f->rule].num_fail--;
  if (entry == NULL) {
    pending->refused = true;
    pending_forget(&j->results[f->rule], pending->num < RULES_PENDING
                                             ? IWARP_REASON_LIMIT
                                             : pending_reason(rules_own(j)));
    return;
  }
  pending->entry = entry;
  entry[pending->num] = *f;
  pending->num++;
}

/* What is said of earlier octets does not rest on where this FPDU begins. */
static void pending_keep(struct rules_pending *pending, struct rules_ctx *j) {
  struct rules_findings *all = j->findings;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < all->num; i++) {
    if (all->entry[i].pos == j->ev->pos && j->ev->pos < rules_own(j)->private_end) {
      j->results[all->entry[i].rule].num_fail--;
      pending_forget(&j->results[all->entry[i].rule], pending_reason(rules_own(j)));
    } else if (all->entry[i].pos == j->ev->pos) {
      pending_wait(pending, j, &all->entry[i]);
    } else {
      all->entry[kept++] = all->entry[i];
    }
  }
  all->num = kept;
}

static void pending_release(struct rules_pending *pending, struct rules_ctx *j) {
  for (uint32_t i = 0; i < pending->num; i++) {
    j->results[pending->entry[i].rule].num_fail++;
    *rulesi_room(j->findings) = pending->entry[i];
  }
  pending->num = 0;
  pending->refused = pending->of_request = false;
}

void rulesi_pending_drop(struct rules_pending *pending, iwarp_rule_result *results,
                         const struct rules_side *side) {
  for (uint32_t i = 0; i < pending->num; i++) {
    pending_forget(&results[pending->entry[i].rule], pending_reason(side));
  }
  pending->num = 0;
  pending->refused = pending->of_request = false;
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
static void pending_request(struct rules_pending pending[2], struct rules_ctx *j) {
  struct rules_pending *own = &pending[j->ev->side];
  struct rules_pending *other = &pending[rules_peer(j)];
  if (own->of_request) {
    rulesi_pending_drop(own, j->results, rules_own(j));
  }
  if (other->of_request && j->ev->kind == IWARP_EVENT_STARTUP) {
    if (rules_other(j)->startup_sure) {
      pending_release(other, j);
    } else {
      rulesi_pending_drop(other, j->results, rules_other(j));
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

void rulesi_pending(struct rules_pending pending[2], struct rules_ctx *j) {
  struct rules_pending *own = &pending[j->ev->side];
  pending_request(pending, j);
  if (own->of_request) {
    return;
  }
  if (pending_inner(j)) {
    pending_keep(own, j);
  }
  if (own->num == 0 && !own->refused) {
    return;
  }
  if (pending_broken(j)) {
    rulesi_pending_drop(own, j->results, rules_own(j));
  } else if (!pending_inner(j)) {
    pending_release(own, j);
  }
}
