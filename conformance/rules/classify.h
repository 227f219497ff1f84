/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event is. */
#ifndef IWARP_RULES_CLASSIFY_H
#define IWARP_RULES_CLASSIFY_H

#include "context.h"

/* rulesi_classify sets the facts about the event, and changes no state. */
void rulesi_classify(struct rules_ctx *ctx);

#endif
