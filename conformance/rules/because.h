/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a rule does not judge: the capture does not show enough, or another rule reports the cause.
 */
#ifndef IWARP_RULES_BECAUSE_H
#define IWARP_RULES_BECAUSE_H

#include <stdbool.h>
#include <stdint.h>

/* Exactly one member is set, or none if nothing keeps the rule from judging. */
struct rules_because {
  uint16_t reason; /* IWARP_REASON_* */
  uint16_t rule;   /* 1 + number of the rule that fails, or is inconclusive, on the connection */
};

static inline struct rules_because rules_reason(uint32_t reason) {
  return (struct rules_because){.reason = (uint16_t)reason};
}

static inline struct rules_because rules_reported(uint16_t rule) {
  return (struct rules_because){.rule = (uint16_t)(rule + 1u)};
}

/* Nothing of the capture is missing, and no rule reports the cause: rules stay silent where they
 * should be inconclusive. docs/design.md lists these places. */
static inline struct rules_because rules_unreported(void) {
  return (struct rules_because){.rule = UINT16_MAX};
}

/* rules_because_add joins two: a reason of the capture counts more than a rule. */
static inline void rules_because_add(struct rules_because *all, struct rules_because more) {
  all->reason = (uint16_t)(all->reason | more.reason);
  if (all->reason != 0 || more.rule != 0) {
    all->rule = all->reason != 0 ? 0 : more.rule;
  }
}

#endif
