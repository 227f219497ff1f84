/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings that are likely to come of one mistake. */
#ifndef IWARP_RULES_CAUSE_H
#define IWARP_RULES_CAUSE_H

#include "context.h"

/*
 * rulesi_causes names the likely cause of those findings about one event that share it. A finding
 * that stands alone has none, unless its side has shown the same cause before, which is kept.
 */
void rulesi_causes(const struct rules_findings *found, struct rules_side sides[2],
                   const iwarp_event *ev);

#endif
