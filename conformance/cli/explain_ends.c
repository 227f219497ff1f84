/* SPDX-License-Identifier: BSD-2-Clause */
/* What `iwarp explain` says of diagnoses, outcomes, verdicts and exit statuses. */
#include "explain_ends.h"

#include <stdio.h>
#include <string.h>

#include <diagnose/diagnose.h>
#include <report/names.h>

#include "embedded.h"
#include "markdown.h"

/* A word and its page. */
typedef struct ends_row {
  const char *word;
  const char *text;
} ends_row;

static const ends_row ends_rows[] = {
    {"verdict.pass",
     "iWARP traffic was found, rules were decided, and no rule at or above `--fail-on` was "
     "violated. The verdict is about the rules of the RFCs: it does not say that each connection "
     "worked. The outcomes and the diagnoses say that. The exit status is 0.\n"},
    {"verdict.fail",
     "A rule at or above `--fail-on` was violated, a line of the baseline was not found, or a "
     "connection ended in a way that `--fail-on-outcome` names (`failed_by`). The exit status is "
     "1.\n"},
    {"verdict.undecided",
     "No rule was violated, but the result is not complete: no rule was decided, octets could not "
     "be decoded although nothing is missing before them, or a limit was reached. With "
     "`--require-decided` also if some rule was inconclusive. The exit status is 4.\n"},
    {"verdict.no-iwarp",
     "The captures were read to their end and hold no iWARP traffic. Standard error says what was "
     "there in its place. The exit status is 3.\n"},
    {"verdict.error",
     "A capture could not be read to its end, or the command line is wrong. What was readable is "
     "reported. The exit status is 2.\n"},
    {"status.0", "Success. For `check`: the verdict is pass (`iwarp explain verdict.pass`).\n"},
    {"status.1", "The verdict is fail (`iwarp explain verdict.fail`).\n"},
    {"status.2",
     "A usage or input error: one line on standard error says which. For `check` the verdict is "
     "error.\n"},
    {"status.3", "The verdict is no-iwarp (`iwarp explain verdict.no-iwarp`).\n"},
    {"status.4", "The verdict is undecided (`iwarp explain verdict.undecided`).\n"},
    {"status.70",
     "An internal error, such as a lack of memory: a message says which. Results are not to be "
     "relied on.\n"},
};

#define ENDS_ROWS (sizeof ends_rows / sizeof ends_rows[0])

static void ends_page(out_buf *out, const char *word, const char *text, size_t len, bool color) {
  out_buf page;
  out_open_memory(&page);
  out_str(&page, "# ");
  out_str(&page, word);
  out_str(&page, "\n\n");
  out_put(&page, text, len);
  out_char(&page, 0);
  if (page.error == 0) {
    markdown_put(out, page.buf, color);
  }
  out_close(&page);
}

/* The page in the form of docs/diagnoses.md. */
static void ends_diagnosis(out_buf *out, const char *word, const iwarp_diagnosis_row *row,
                           bool color) {
  out_buf page;
  out_open_memory(&page);
  out_str(&page, row->summary);
  out_str(&page, ".\n\n");
  out_str(&page, row->meaning);
  out_str(&page, "\n\nCertainty: ");
  out_str(&page, strcmp(row->certainty, "certain") == 0
                     ? "certain if the capture proves it, or likely if another cause is possible"
                     : "likely, since another cause is always possible");
  out_str(&page, ".\n\n");
  out_str(&page, "- Operator: ");
  out_str(&page, row->operator_do);
  out_str(&page, "\n- Implementer: ");
  out_str(&page, row->implementer_do);
  out_char(&page, '\n');
  if (page.error == 0) {
    ends_page(out, word, page.buf, page.len, color);
  }
  out_close(&page);
}

/* The section of docs/outcomes.md with this heading; NULL: there is no such outcome. */
static const char *ends_outcome(const char *name, size_t *len) {
  char heading[48];
  snprintf(heading, sizeof heading, "\n## %s\n\n", name);
  const char *at = strstr(iwarp_outcomes_page, heading);
  if (at == NULL) {
    return NULL;
  }
  at += strlen(heading);
  const char *end = strstr(at, "\n## ");
  *len = end != NULL ? (size_t)(end - at) : strlen(at);
  return at;
}

bool explain_ends(out_buf *out, const char *word, bool color) {
  size_t len = 0;
  if (strncmp(word, "diag.", 5) == 0) {
    const iwarp_diagnosis_row *row = iwarp_diagnosis_find(word + 5);
    if (row != NULL) {
      ends_diagnosis(out, word, row, color);
    }
    return row != NULL;
  }
  if (strncmp(word, "outcome.", 8) == 0) {
    const char *text = ends_outcome(word + 8, &len);
    if (text != NULL) {
      ends_page(out, word, text, len, color);
    }
    return text != NULL;
  }
  for (size_t i = 0; i < ENDS_ROWS; i++) {
    if (strcmp(ends_rows[i].word, word) == 0) {
      ends_page(out, word, ends_rows[i].text, strlen(ends_rows[i].text), color);
      return true;
    }
  }
  return false;
}

const char *explain_ends_word(size_t number) {
  static char words[EXPLAIN_ENDS_MAX][32]; /* a single thread explains */
  char *word = words[number % EXPLAIN_ENDS_MAX];
  if (number < IWARP_DIAGNOSES) {
    snprintf(word, sizeof words[0], "diag.%s", iwarp_diagnosis_get((unsigned int)number)->id);
    return word;
  }
  number -= IWARP_DIAGNOSES;
  if (number < OBSERVE_HOWS) {
    snprintf(word, sizeof words[0], "outcome.%s", report_outcome_name((observe_how)number));
    return word;
  }
  number -= OBSERVE_HOWS;
  return number < ENDS_ROWS ? ends_rows[number].word : NULL;
}
