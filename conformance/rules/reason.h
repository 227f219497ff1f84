/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a rule is inconclusive. */
#ifndef RULES_REASON_H
#define RULES_REASON_H

#include "context.h"

/* rulesi_seen returns the position after the last octet of the side that was seen; a FIN counts as
 * one. */
uint64_t rulesi_seen(const struct rules_ctx *ctx, uint8_t side);

/* rulesi_reason returns the reason as it is reported: GAP where octets are missing. Where none are,
 * another one stands in its place: copies that differ, a wrong checksum, the missing beginning of a
 * direction, or AFTER_FAULT where an earlier fault leaves open what the octets are. */
uint32_t rulesi_reason(const struct rules_ctx *ctx, uint32_t reason);

#endif
