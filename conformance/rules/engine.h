/* SPDX-License-Identifier: BSD-2-Clause */
/* What a test asks of the engine beside what is public. */
#ifndef IWARP_RULES_ENGINE_H
#define IWARP_RULES_ENGINE_H

#include <iwarp/rules.h>

/* rulesi_forget_kinds lets the next segment of each ordinary kind be judged by all rules, as if no
 * segment of its kind had come before. What was counted stays. */
void rulesi_forget_kinds(iwarp_rules *rules);

/* rulesi_explained says whether another rule did not judge because this one reports the cause. So
 * this one failed on the connection, or was inconclusive. A finding that it took back, because
 * mpa.framing reports the octets, does not count. */
bool rulesi_explained(const iwarp_rules *rules, uint16_t id);

/* rulesi_unexplained says whether a rule did not judge, without a reason or another rule. */
bool rulesi_unexplained(const iwarp_rules *rules);

#endif
