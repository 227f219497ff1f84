/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules on DDP over SCTP. */
#include "engine.h"
#include "track.h"

void iwarp_rules_learn_sctp(struct rules_judge *j) {
  (void)j;
}
