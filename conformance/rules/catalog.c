/* SPDX-License-Identifier: BSD-2-Clause */
/* The rule catalogue as a table. */
#include "catalog.h"

static const iwarp_rule catalog_rows[] = {
#define RULE(ident, slug_, transport_, level_, severity_, impact_, events_, requirements_,         \
             summary_, fault_, message_)                                                           \
  [RULES_##ident] = {.id = RULES_##ident,                                                          \
                     .slug = (slug_),                                                              \
                     .level = (level_),                                                            \
                     .severity = IWARP_SEVERITY_##severity_,                                       \
                     .impact = IWARP_IMPACT_##impact_,                                             \
                     .requirements = (requirements_),                                              \
                     .summary = (summary_),                                                        \
                     .fault = (fault_),                                                            \
                     .message = (message_)},
#include "catalog.def"
#undef RULE
};

const struct rules_row rulesi_rows[RULES_COUNT] = {
#define RULE(ident, slug, transport_, level, severity, impact, events_, requirements, summary,     \
             fault, message)                                                                       \
  [RULES_##ident] = {                                                                              \
      .judge = iwarp_rule_##ident, .transports = RULES_OVER_##transport_, .events = (events_)},
#include "catalog.def"
#undef RULE
};

uint16_t iwarp_rule_count(void) {
  return RULES_COUNT;
}

const iwarp_rule *iwarp_rule_get(uint16_t id) {
  return id < RULES_COUNT ? &catalog_rows[id] : NULL;
}

/* strcmp() is not one of the functions that this library may use. */
static bool catalog_same(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] != '\0' && a[i] == b[i]) {
    i++;
  }
  return a[i] == b[i];
}

const iwarp_rule *iwarp_rule_find(const char *slug) {
  for (uint16_t i = 0; i < RULES_COUNT; i++) {
    if (catalog_same(catalog_rows[i].slug, slug)) {
      return &catalog_rows[i];
    }
  }
  return NULL;
}
