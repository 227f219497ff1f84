/* SPDX-License-Identifier: BSD-2-Clause */
/* What a side loses when octets of it are not known. */
#ifndef IWARP_RULES_LOSE_H
#define IWARP_RULES_LOSE_H

#include "context.h"

/* rulesi_lose_after_fault sets why later octets are open: a fault of the side, unless octets of it
 * are missing as well. */
void rulesi_lose_after_fault(struct rules_side *own);

/* rulesi_lose forgets all that rests on earlier octets of the side, which are not known. */
void rulesi_lose(struct rules_ctx *ctx, struct rules_because why);

#endif
