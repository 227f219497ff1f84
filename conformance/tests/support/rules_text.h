/* SPDX-License-Identifier: BSD-2-Clause */
/* What a case of the rules came to, as text: verdict counts, and each finding with all its fields.
 */
#ifndef RULES_TEXT_H
#define RULES_TEXT_H

#include <inttypes.h>
#include <iwarp/field.h>
#include <stdarg.h>
#include <stdio.h>

#include "rules_fixture.h"

#define TEXT_MAX 65536u

struct text {
  size_t len;
  char chars[TEXT_MAX];
};

void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

void text_finding(struct text *t, const iwarp_finding *f);

/* "3/0/1 gap": passed, failed, inconclusive and why. */
void text_counts(struct text *t, const iwarp_rules *rules, uint16_t rule);

/* What all rules counted, in one case or several. */
struct text_tally {
  uint64_t num_pass;
  uint64_t num_fail;
  uint64_t num_inconclusive;
  uint32_t reason;
};

void text_tally_add(struct text_tally *tally, const iwarp_rules *rules);

void text_tally(struct text *t, const struct text_tally *tally);

/* The rules beside the one of the case that were not sure of something, by their counts. */
void text_inconclusive(struct text *t, const iwarp_rules *rules, uint16_t but);

#endif
