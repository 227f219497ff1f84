/* SPDX-License-Identifier: BSD-2-Clause */
/* What earlier events leave after: made before the rules are asked, kept after them. */
#ifndef IWARP_RULES_TRACKER_H
#define IWARP_RULES_TRACKER_H

#include "context.h"

/* rulesi_tracker_init makes a tracker whose tables are empty. */
void rulesi_tracker_init(struct rules_tracker *track);
/* rulesi_tracker_lose says that octets of this direction are not known: nothing that rests on what
 * came before holds. */
void rulesi_tracker_lose(struct rules_ctx *j, struct rules_because why);
/* rulesi_tracker_classify says what the event is, for the rules. */
void rulesi_tracker_classify(struct rules_ctx *j);
/* rulesi_tracker_update keeps what the event leaves after, after the rules. */
void rulesi_tracker_update(struct rules_ctx *j);
/* rulesi_tracker_ordinary keeps what an ordinary segment of `own` without an event leaves after. */
void rulesi_tracker_ordinary(struct rules_tracker *track, struct rules_side *own,
                             const iwarp_observer_fpdu *restrict f);

#endif
