/* SPDX-License-Identifier: BSD-2-Clause */
/* How a rule says its judgement: passed, failed with the octets, or inconclusive and why. */
#ifndef IWARP_RULES_VERDICT_H
#define IWARP_RULES_VERDICT_H

#include <iwarp/field.h>

#include "context.h"

/* The most frequent judgement by far: the situation arose and all was well. */
static inline void rulesi_pass(const struct rules_ctx *ctx) {
  ctx->results[ctx->rule].num_pass++;
}
/* Counts one more time that a rule could not decide. */
static inline void rulesi_count_inconclusive(iwarp_rule_result *r, uint32_t reason) {
  r->num_inconclusive++;
  r->reason |= reason;
}
void rulesi_inconclusive(const struct rules_ctx *ctx, uint32_t reason);
/* The rule does not judge: inconclusive with the reason, or silent where another rule reports. */
void rulesi_unjudged(const struct rules_ctx *ctx, struct rules_because why);
/* Sets the bit of a rule, which has the number 1 + its own; 0 is no rule. */
static inline void rulesi_note(uint8_t *rules, uint16_t rule) {
  rules[rule / 8u] = (uint8_t)(rules[rule / 8u] | 1u << rule % 8u);
}
/* Room for a finding; where there is no memory it is not handed out. */
iwarp_finding *rulesi_room(struct rules_findings *all);
/* Never NULL; lives until the next event. */
iwarp_finding *rulesi_fail(const struct rules_ctx *ctx, iwarp_value expected, iwarp_value observed);
/* What a finding says, apart from which octets it is about. */
void rulesi_describe(iwarp_finding *f, const struct rules_ctx *ctx, const iwarp_event *ev,
                     iwarp_value expected, iwarp_value observed);
/* A finding about an earlier event. */
iwarp_finding *rulesi_fail_event(const struct rules_ctx *ctx, const iwarp_event *ev,
                                 iwarp_value expected, iwarp_value observed);
/* A finding about what was kept of an earlier event, whatever this event leaves open. */
iwarp_finding *rulesi_fail_kept(const struct rules_ctx *ctx, iwarp_value expected,
                                iwarp_value observed);

/*
 * The field that is wrong and its octets in the item of the event; where the table has them
 * (iwarp/field.h), Markers counted. Of a path that two forms share any row will do.
 */
void rulesi_at_field(iwarp_finding *f, const struct rules_ctx *ctx, iwarp_field_id field);

/* The same for the wrong field among the fields from `first` to `last`. If more than one is wrong,
 * `wrong` is NONE, and the finding has the octets of all of them. */
void rulesi_at_fields(iwarp_finding *f, const struct rules_ctx *ctx, iwarp_field_id wrong,
                      iwarp_field_id first, iwarp_field_id last);

/* The same octets of the headers that a Terminate returns. */
void rulesi_at_returned(iwarp_finding *f, const struct rules_ctx *ctx, iwarp_field_id first,
                        iwarp_field_id last);

/* A field of a form that begins at `pos`. */
void rulesi_at_form(iwarp_finding *f, uint64_t pos, iwarp_field_id field);

/* The DDP header of the segment, what follows it, or both. */
void rulesi_at_header(iwarp_finding *f, const struct rules_ctx *ctx);
/* The DDP header of a segment over SCTP that is kept. */
void rulesi_at_kept_header(iwarp_finding *f, const iwarp_event *kept);
void rulesi_at_payload(iwarp_finding *f, const struct rules_ctx *ctx);
void rulesi_at_segment(iwarp_finding *f, const struct rules_ctx *ctx);

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

/*
 * What most rules come to: passes when `ok`, else fails with the octets. Macros, so that the values
 * are made only where it fails.
 */
#define rulesi_check(ctx, ok, place, expected, observed)                                           \
  do {                                                                                             \
    if (ok) {                                                                                      \
      rulesi_pass(ctx);                                                                            \
    } else {                                                                                       \
      iwarp_finding *check_found = rulesi_fail(ctx, expected, observed);                           \
      place;                                                                                       \
    }                                                                                              \
  } while (0)

#define rulesi_check_field(ctx, ok, field, expected, observed)                                     \
  rulesi_check(ctx, ok, rulesi_at_field(check_found, ctx, field), expected, observed)

#define rulesi_check_fields(ctx, ok, wrong, first, last, expected, observed)                       \
  rulesi_check(ctx, ok, rulesi_at_fields(check_found, ctx, wrong, first, last), expected, observed)

#define rulesi_check_header(ctx, ok, expected, observed)                                           \
  rulesi_check(ctx, ok, rulesi_at_header(check_found, ctx), expected, observed)

#define rulesi_check_payload(ctx, ok, expected, observed)                                          \
  rulesi_check(ctx, ok, rulesi_at_payload(check_found, ctx), expected, observed)

#endif
