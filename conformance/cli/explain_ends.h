/* SPDX-License-Identifier: BSD-2-Clause */
/* What `iwarp explain` says of diagnoses, outcomes, verdicts and exit statuses. */
#ifndef CLI_EXPLAIN_ENDS_H
#define CLI_EXPLAIN_ENDS_H

#include <stdbool.h>

#include <report/out_buf.h>

/** explain_ends writes the page of "diag.ID", "outcome.NAME", "verdict.NAME" or "status.N". It
 * returns false and writes nothing if the word is something else. */
bool explain_ends(out_buf *out, const char *word, bool color);

/** EXPLAIN_ENDS_MAX bounds the number of such words. */
#define EXPLAIN_ENDS_MAX 128u

/** explain_ends_word returns such a word by number, NULL after the last one; static storage. */
const char *explain_ends_word(size_t number);

#endif
