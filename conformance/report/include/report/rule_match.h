/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns that name rules, the same in options and in scenarios. */
#ifndef REPORT_RULE_MATCH_H
#define REPORT_RULE_MATCH_H

#include <stdbool.h>

/** rule_matches says whether the slug of a rule matches a shell pattern. */
bool rule_matches(const char *glob, const char *slug);

/** rule_matches_any says whether the slug of any rule of the catalogue matches. */
bool rule_matches_any(const char *glob);

#endif
