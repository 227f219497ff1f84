/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the tracker among themselves. */
#ifndef IWARP_RULES_TRACK_H
#define IWARP_RULES_TRACK_H

#include "engine.h"

/* Octets of this direction are not known: nothing that rests on what came before holds any more. */
void iwarp_rules_lose(struct rules_judge *j, uint32_t why);

/* Which answers are due to this side is not known any more. */
void iwarp_rules_lose_requests(struct rules_side *side, uint32_t why);

/* A segment that is not followed may have been a request or an answer. */
void iwarp_rules_doubt_requests(struct rules_judge *j);

/* Keeps what an event over SCTP leaves behind. */
void iwarp_rules_learn_sctp(struct rules_judge *j);

/* Keeps requests, and takes away those that are answered. */
void iwarp_rules_learn_requests(struct rules_judge *j);

#endif
