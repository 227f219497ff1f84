/* SPDX-License-Identifier: BSD-2-Clause */
/* DDP headers of a side, for a Terminate of the other side that returns one. */
#ifndef IWARP_RULES_HEADERS_H
#define IWARP_RULES_HEADERS_H

#include "context.h"

/* rulesi_headers_add keeps the header of the segment. */
void rulesi_headers_add(struct rules_ctx *ctx);

/* rulesi_headers_add_fpdu does the same for an ordinary segment without an event. */
void rulesi_headers_add_fpdu(const struct rules_tracker *track, struct rules_side *own,
                             const iwarp_observer_fpdu *restrict f);

#endif
