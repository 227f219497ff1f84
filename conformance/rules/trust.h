/* SPDX-License-Identifier: BSD-2-Clause */
/* How far the fields of a segment can be trusted. */
#ifndef IWARP_RULES_TRUST_H
#define IWARP_RULES_TRUST_H

#include "context.h"

/* rulesi_trust sets the depth of the segment, whether it has a place among the segments before it,
 * and why not. */
void rulesi_trust(struct rules_ctx *ctx);

#endif
