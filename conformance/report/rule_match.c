/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L

#include <report/rule_match.h>

#include <fnmatch.h>
#include <stdint.h>

#include <iwarp/rules.h>

bool rule_matches(const char *glob, const char *slug) {
  return fnmatch(glob, slug, 0) == 0;
}

bool rule_matches_any(const char *glob) {
  bool any = false;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    any = any || rule_matches(glob, iwarp_rule_get(id)->slug);
  }
  return any;
}
