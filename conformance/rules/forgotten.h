/* SPDX-License-Identifier: BSD-2-Clause */
/* Headers that a side has sent and that the table of headers has no room for any more. */
#ifndef IWARP_RULES_FORGOTTEN_H
#define IWARP_RULES_FORGOTTEN_H

#include "context.h"

/* rulesi_forget notes the header that the next one replaces in the full table of `own`. */
void rulesi_forget(const struct rules_tracker *track, struct rules_side *own);
/* rulesi_forgotten says whether a header that was forgotten may be this one; false is certain. */
bool rulesi_forgotten(const struct rules_side *side, iwarp_span header);
/* rulesi_forgotten_release gives the memory back. */
void rulesi_forgotten_release(const iwarp_pool *pool, struct rules_side *side);

#endif
