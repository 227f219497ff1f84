/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rules a run judges: --only and --exclude against the catalogue. */
#ifndef CLI_RULE_SET_H
#define CLI_RULE_SET_H

#include <stdbool.h>

#include <report/rule_match.h>

#include "opts.h"

/**
 * rule_set_make returns one flag for each rule, true where it is disabled; the caller frees it.
 * NULL after a message when a pattern matches no rule.
 */
bool *rule_set_make(const opts *o);

/** rule_nearest returns the slug that was most likely meant, or NULL. */
const char *rule_nearest(const char *word);

#endif
