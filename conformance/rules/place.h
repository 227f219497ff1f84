/* SPDX-License-Identifier: BSD-2-Clause */
/* How a segment follows the segments before it. */
#ifndef IWARP_RULES_PLACE_H
#define IWARP_RULES_PLACE_H

#include "context.h"

/* rulesi_place sets the slot and the step of the segment, and whether it goes on with a Read
 * Response that L ended too early. */
void rulesi_place(struct rules_ctx *ctx);

#endif
