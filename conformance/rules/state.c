/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a connection before its first event. */
#include "state.h"

#include <string.h>

void rulesi_state_init(struct rules_tracker *track) {
  memset(track, 0, sizeof(*track));
  for (unsigned i = 0; i < 2; i++) {
    struct rules_side *side = &track->side[i];
    side->chain.gap_reason = IWARP_REASON_GAP;
    side->chain.fault = rules_unreported();
    side->headers.max = RULES_HEADERS;
    side->requests.msn = 1; /* RFC 5041 5.3 */
  }
}
