/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes which rules an input breaks. */
#include <iwarp/rules.h>

#include "points.h"
#include "probe.h"

PROBE(iwarp_err, iwarp_rules_next, iwarp_rules *rules, iwarp_finding *out) {
  const iwarp_err err = __real_iwarp_rules_next(rules, out);
  if (err == IWARP_OK && (size_t)out->rule < REACH_RULES_MAX) {
    reach.rule[out->rule] = true;
  }
  return err;
}

const char *reach_rule_name(size_t rule) {
  const iwarp_rule *found = iwarp_rule_get((uint16_t)rule);
  return found != NULL ? found->slug : NULL;
}
