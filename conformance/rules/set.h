/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of rules, a bit for each. */
#ifndef IWARP_RULES_SET_H
#define IWARP_RULES_SET_H

#include "context.h"

#define RULES_SET_WORDS ((RULES_COUNT + 63u) / 64u)

struct rules_set {
  uint64_t word[RULES_SET_WORDS];
};

static inline void rulesi_set_add(struct rules_set *set, uint16_t id) {
  set->word[id / 64u] |= UINT64_C(1) << id % 64u;
}

static inline bool rulesi_set_has(const struct rules_set *set, uint16_t id) {
  return (set->word[id / 64u] >> id % 64u & 1u) != 0;
}

#endif
