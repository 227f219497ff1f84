/* SPDX-License-Identifier: BSD-2-Clause */
/* Which function judges which events for a rule. */
#ifndef IWARP_RULES_CATALOG_H
#define IWARP_RULES_CATALOG_H

#include "engine.h"

struct rules_row {
  void (*judge)(struct rules_judge *j);
  uint32_t events; /* RULES_ON_* */
};

extern const struct rules_row iwarp_rules_rows[RULES_COUNT];

#endif
