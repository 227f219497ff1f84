/* SPDX-License-Identifier: BSD-2-Clause */
/* The rule pages and the requirement catalogue, built into the executable from docs and
 * conformance. */
#ifndef IWARP_EMBEDDED_H
#define IWARP_EMBEDDED_H

#include <stddef.h>

/* iwarp_embedded_page is docs/rules/<name>.md. */
struct iwarp_embedded_page {
  const char *name;           /* slug of the rule */
  const char *cause;          /* the most likely cause, in one line */
  const char *effect;         /* cost of a violation, in one line */
  const char *operator_do;    /* next step of the operator of the network, in one line */
  const char *implementer_do; /* next step of the implementer of the stack, in one line */
  const char *text;           /* text of the file, in Markdown */
};

/* iwarp_embedded_requirement is one line of conformance/requirements/rfcNNNN.tsv, column by column.
 */
struct iwarp_embedded_requirement {
  const char *id;
  const char *section;
  const char *level;
  const char *who;
  const char *visibility;
  const char *text;
  const char *on_violation; /* "-" where the catalogue has none */
};

/* Sorted by name; one more entry with NULL members ends the list. */
extern const struct iwarp_embedded_page iwarp_rule_pages[];
extern const size_t iwarp_rule_page_count;

/* Requirements in the order of the catalogues, RFC by RFC; an entry with NULL members ends the
 * list. */
extern const struct iwarp_embedded_requirement iwarp_requirement_rows[];
extern const size_t iwarp_requirement_row_count;

/* iwarp_embedded_coverage is one line of conformance/requirements/coverage.tsv, column by column.
 */
struct iwarp_embedded_coverage {
  const char *id;
  const char *state;
  const char *by;     /* rules, a test, a requirement; "-": none */
  const char *reason; /* "-": none */
};

/* An entry for each requirement, in their order; an entry with NULL members ends the list. */
extern const struct iwarp_embedded_coverage iwarp_coverage_rows[];

/* docs/outcomes.md. */
extern const char iwarp_outcomes_page[];

/* iwarp_embedded_profile is conformance/profiles/<name>.profile. */
struct iwarp_embedded_profile {
  const char *name;
  const char *text;
};

/* Sorted by name; one more entry with NULL members ends the list. */
extern const struct iwarp_embedded_profile iwarp_profiles[];
extern const size_t iwarp_profile_count;

#endif
