/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings that are likely to come of one mistake. */
#ifndef IWARP_RULES_CAUSE_H
#define IWARP_RULES_CAUSE_H

#include "set.h"

/*
 * rulesi_causes names the likely cause of those findings about one event that share it. A finding
 * that stands alone has none, unless its side has shown the same cause before, which `causes` keeps
 * by side. Findings of disabled rules are not handed out, and count for nothing.
 */
void rulesi_causes(const struct rules_findings *found, const struct rules_set *disabled,
                   uint32_t causes[2], const iwarp_event *ev);

#endif
