/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event changes before it is classified. */
#ifndef IWARP_RULES_ENTER_H
#define IWARP_RULES_ENTER_H

#include "context.h"

/* rulesi_enter changes the state by the kind and the place of the event alone: losses, startup
 * frames and the first FPDU. */
void rulesi_enter(struct rules_ctx *ctx);

#endif
