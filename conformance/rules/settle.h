/* SPDX-License-Identifier: BSD-2-Clause */
/* What the facts about an event change before the rules are asked. */
#ifndef IWARP_RULES_SETTLE_H
#define IWARP_RULES_SETTLE_H

#include "context.h"

/* rulesi_settle ends a Read Response that another message follows, and follows a message whose
 * segments are out of order. */
void rulesi_settle(struct rules_ctx *ctx);

#endif
