/* SPDX-License-Identifier: BSD-2-Clause */
/* What a test asks of the engine beside what is public. */
#ifndef IWARP_RULES_ENGINE_H
#define IWARP_RULES_ENGINE_H

#include <iwarp/rules.h>

/* rulesi_forget_kinds lets the next segment of each ordinary kind be judged by all rules, as if no
 * segment of its kind had come before. What was counted stays. */
void rulesi_forget_kinds(iwarp_rules *rules);

#endif
