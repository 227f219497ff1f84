/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a rule is inconclusive. */
#include "reason.h"

#include "catalog.h"

uint64_t rulesi_seen(const struct rules_ctx *j, uint8_t side) {
  const iwarp_observer_side *info = &j->info->side[side];
  const struct rules_side *s = &j->track->side[side];
  const bool partial = info->partial_end > s->end && !s->chain.doubted;
  return (partial ? info->partial_end : s->end) + (info->end == IWARP_END_FIN ? 1 : 0);
}

/* Octets of the direction are missing, or may be: its start was not captured. */
static bool reason_lacks(const iwarp_observer_side *side) {
  return side->gap || !side->seen || !side->start_known;
}

/* What the event shows is not all that its sender sent, or had received by then. */
static bool reason_event_lacks(const struct rules_ctx *j) {
  const iwarp_event *ev = j->ev;
  const bool cut = ev->kind == IWARP_EVENT_FPDU
                       ? !ev->u.fpdu.complete
                       : ev->kind == IWARP_EVENT_UNDECODABLE &&
                             ev->u.undecodable == IWARP_UNDEC_AFTER_REJECT; /* a gap may follow */
  const uint64_t received = ev->first.peer_pos;
  return cut || ev->last.damaged || received == IWARP_POS_UNKNOWN ||
         received > rulesi_seen(j, rules_peer(j));
}

/* A rule of the connection failed, or octets could not be decoded. */
static bool reason_fault(const struct rules_ctx *j) {
  bool fault =
      j->ev->kind == IWARP_EVENT_UNDECODABLE && (j->ev->u.undecodable == IWARP_UNDEC_NOT_FPDU ||
                                                 j->ev->u.undecodable == IWARP_UNDEC_NO_BOUNDARY);
  for (uint16_t id = 0; id < RULES_COUNT && !fault; id++) {
    fault = j->results[id].num_fail > 0;
  }
  return fault;
}

uint32_t rulesi_reason(const struct rules_ctx *j, uint32_t reason) {
  if ((reason & IWARP_REASON_GAP) == 0 || j->info->sctp || reason_lacks(&j->info->side[0]) ||
      reason_lacks(&j->info->side[1]) || reason_event_lacks(j) || !reason_fault(j)) {
    return reason;
  }
  return (reason & ~IWARP_REASON_GAP) | IWARP_REASON_AFTER_FAULT;
}
