/* SPDX-License-Identifier: BSD-2-Clause */
/* How a rule says its judgement: passed, failed with the octets, or inconclusive and why. */
#ifndef IWARP_RULES_VERDICT_H
#define IWARP_RULES_VERDICT_H

#include "context.h"

/* The most frequent judgement by far: the situation arose and all was well. */
static inline void rulesi_pass(struct rules_ctx *j) {
  j->results[j->rule].num_pass++;
}
void rulesi_inconclusive(struct rules_ctx *j, uint32_t why);
/* Never NULL; lives until the next event. */
iwarp_finding *rulesi_fail(struct rules_ctx *j, iwarp_value expected, iwarp_value observed);
/* A finding about an earlier event. */
iwarp_finding *rulesi_fail_event(struct rules_ctx *j, const iwarp_event *ev, iwarp_value expected,
                                 iwarp_value observed);

/* Where the octets lie: of a startup frame counted from its key, of an FPDU from the first octet of
 * the ULPDU. */
void rulesi_at_startup(iwarp_finding *f, const struct rules_ctx *j, uint32_t off, uint32_t len);
void rulesi_at_ulpdu(iwarp_finding *f, const struct rules_ctx *j, uint32_t off, uint32_t len);

iwarp_value rulesi_octets(const uint8_t *octets, size_t len);

/* ---- inline, since nearly every rule passes on nearly every FPDU ---- */

static inline iwarp_value rulesi_uint(uint64_t u) {
  return (iwarp_value){.kind = IWARP_VALUE_UINT, .u = u};
}

static inline iwarp_value rulesi_hex(iwarp_value_kind kind, uint64_t u) {
  return (iwarp_value){.kind = kind, .u = u};
}

static inline iwarp_value rulesi_at_most(uint64_t u) {
  return (iwarp_value){.kind = IWARP_VALUE_AT_MOST, .u = u};
}

static inline iwarp_value rulesi_at_least(uint64_t u) {
  return (iwarp_value){.kind = IWARP_VALUE_AT_LEAST, .u = u};
}

static inline iwarp_value rulesi_text(const char *text) {
  return (iwarp_value){.kind = IWARP_VALUE_TEXT, .text = text};
}

/* Passes when `ok`, else fails with the octets at `off` of the startup frame or of the ULPDU. */
static inline void rulesi_settle_startup(struct rules_ctx *j, bool ok, uint32_t off, uint32_t len,
                                         iwarp_value expected, iwarp_value observed) {
  if (ok) {
    rulesi_pass(j);
  } else {
    rulesi_at_startup(rulesi_fail(j, expected, observed), j, off, len);
  }
}

static inline void rulesi_settle_ulpdu(struct rules_ctx *j, bool ok, uint32_t off, uint32_t len,
                                       iwarp_value expected, iwarp_value observed) {
  if (ok) {
    rulesi_pass(j);
  } else {
    rulesi_at_ulpdu(rulesi_fail(j, expected, observed), j, off, len);
  }
}

#endif
