/* SPDX-License-Identifier: BSD-2-Clause */
/* Which function judges which events for a rule. */
#ifndef IWARP_RULES_CATALOG_H
#define IWARP_RULES_CATALOG_H

#include "context.h"

struct rules_row {
  void (*judge)(const struct rules_ctx *ctx);
  uint8_t transports; /* RULES_ON_TCP, RULES_ON_SCTP */
  uint32_t events;    /* RULES_ON_* */
};

extern const struct rules_row rulesi_rows[RULES_COUNT];

/* One function for each rule of the catalogue. */
#define RULE(ident, slug, transport, level, severity, impact, events, requirements, summary,       \
             fault, message)                                                                       \
  void iwarp_rule_##ident(const struct rules_ctx *ctx);
#include "catalog.def"
#undef RULE

#endif
