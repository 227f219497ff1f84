/* SPDX-License-Identifier: BSD-2-Clause */
/* Views on the requests that wait for an answer. */
#ifndef IWARP_RULES_REQUESTS_H
#define IWARP_RULES_REQUESTS_H

#include "engine.h"

/* The oldest request of this kind, or NULL. */
const struct rules_request *iwarp_rules_due(const struct rules_requests *r, bool atomic);

/* The request that the Read Response or Atomic Response under judgement answers, or NULL. */
const struct rules_request *iwarp_rules_answered(const struct rules_judge *j);

/* The request under judgement is a whole one, in one segment, of the length that it must have. */
bool iwarp_rules_request_whole(const struct rules_judge *j);

#endif
