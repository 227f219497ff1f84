/* SPDX-License-Identifier: BSD-2-Clause */
/* What a side loses when octets of it are not known. */
#include "lose.h"

#include "interrupted.h"
#include "order.h"
#include "requests.h"
#include "state.h"

void rulesi_lose_after_fault(struct rules_side *own) {
  if (!own->chain.gapped) {
    own->chain.gap_reason = IWARP_REASON_AFTER_FAULT;
  }
}

/* Octets were captured, but the receiver may have taken other ones. */
#define LOSE_DOUBTED (uint32_t)(IWARP_REASON_OCTETS_DIFFER | IWARP_REASON_CHECKSUM_WRONG)

void rulesi_lose(struct rules_ctx *ctx, struct rules_because why) {
  struct rules_side *own = rules_own_state(ctx);
  if (why.reason == 0) {
    rulesi_lose_after_fault(own);
  } else if ((why.reason & ~LOSE_DOUBTED) == 0 && !own->chain.gapped) {
    own->chain.gap_reason = why.reason;
  }
  for (unsigned i = 0; i < RULES_SLOTS; i++) {
    own->messages.slots[i].state = SLOT_UNKNOWN;
  }
  rulesi_interrupted_drop(own);
  own->chain.has_version = false;
  own->response.known = false;
  own->response.left = 0;
  rulesi_order_drop(ctx, why.reason);
  own->headers.lost = true;
  own->headers.since = (uint16_t)own->headers.num;
  rules_because_add(&own->headers.because, why);
  rulesi_reads_lose(ctx, why);
}
