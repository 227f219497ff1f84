/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings about FPDUs, or a Request, that may lie in the payload of another FPDU, until that is
 * decided. */
#ifndef IWARP_RULES_PENDING_H
#define IWARP_RULES_PENDING_H

#include "context.h"

/* The findings of one side that wait. */
struct rules_pending {
  uint32_t num;
  uint32_t cap;         /* RULES_PENDING at most */
  iwarp_finding *entry; /* cap */
  bool refused;         /* there was no room for one: none after it waits */
  bool of_request;      /* they are about a Request, and wait for a Reply */
};

/*
 * rulesi_pending lets the findings about the event wait where its FPDU was found by its CRC alone
 * or follows a startup frame that may lie in payload, or hands out those that waited, or forgets
 * them as inconclusive: FPDUs in the payload of another one end before that does, so a chain of
 * right CRCs that is longer than any FPDU, to which a Marker points, or that reaches the end of the
 * stream, is the sender's. Those about a Request that may be payload wait for the Reply that
 * acknowledges it to its end.
 */
void rulesi_pending(struct rules_pending pending[2], struct rules_ctx *j);
/* rulesi_pending_drop forgets those of a side, which become inconclusive. */
void rulesi_pending_drop(struct rules_pending *pending, iwarp_rule_result *results,
                         const struct rules_side *side);

#endif
