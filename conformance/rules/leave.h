/* SPDX-License-Identifier: BSD-2-Clause */
/* What an event leaves for later ones. */
#ifndef IWARP_RULES_LEAVE_H
#define IWARP_RULES_LEAVE_H

#include "context.h"

/* rulesi_leave keeps what the event leaves, after the rules were asked. */
void rulesi_leave(struct rules_ctx *ctx);

/* rulesi_leave_ordinary does the same for an ordinary segment of `own` without an event; `crc`:
 * CRCs are in use. */
void rulesi_leave_ordinary(struct rules_tracker *track, struct rules_side *own,
                           const iwarp_observer_fpdu *restrict f, bool crc);

#endif
