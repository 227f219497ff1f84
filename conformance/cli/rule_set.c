/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns against the catalogue. */
#include "rule_set.h"

#include <stdlib.h>

#include <memory/memory.h>

#include "diag.h"

const char *rule_nearest(const char *word) {
  const uint16_t n = iwarp_rule_count();
  const char **slugs = memory_zeroed((size_t)n + 1, sizeof *slugs);
  if (slugs == NULL) {
    return NULL;
  }
  for (uint16_t id = 0; id < n; id++) {
    slugs[id] = iwarp_rule_get(id)->slug;
  }
  const char *found = nearest(word, slugs);
  free(slugs);
  return found;
}

static void rule_set_unmatched(const char *option, const char *glob) {
  const char *near = rule_nearest(glob);
  if (near != NULL) {
    diag("--%s: no rule matches '%s' (did you mean '%s'?)", option, glob, near);
  } else {
    diag("--%s: no rule matches '%s' ('iwarp rules' lists them)", option, glob);
  }
}

/* Sets the flag of each rule that a pattern of the list matches; false when a pattern matches none.
 */
static bool rule_set_apply(bool *flags, bool value, const char *option, const char *const *globs,
                           size_t num) {
  for (size_t i = 0; i < num; i++) {
    if (!rule_matches_any(globs[i])) {
      rule_set_unmatched(option, globs[i]);
      return false;
    }
    for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
      if (rule_matches(globs[i], iwarp_rule_get(id)->slug)) {
        flags[id] = value;
      }
    }
  }
  return true;
}

bool *rule_set_make(const opts *o) {
  bool *disabled = memory_zeroed((size_t)iwarp_rule_count() + 1, sizeof *disabled);
  if (disabled == NULL) {
    return NULL;
  }
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    disabled[id] = o->num_only > 0;
  }
  if (!rule_set_apply(disabled, false, "only", o->only, o->num_only) ||
      !rule_set_apply(disabled, true, "exclude", o->exclude, o->num_exclude)) {
    free(disabled);
    return NULL;
  }
  return disabled;
}
