/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp coverage: the ledger, requirement by requirement. */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include <report/jsonw.h>

#include "commands.h"
#include "diag.h"
#include "embedded.h"
#include "markdown.h"
#include "run.h"

/* The states of conformance/rules/ledger.py, in the order in which they are counted. */
static const char *const coverage_states[] = {"rule",         "peer",         "api", "local",
                                              "out-of-scope", "duplicate-of", "open"};

#define COVERAGE_STATES (sizeof coverage_states / sizeof coverage_states[0])

/* "5044", "rfc5044" and "RFC5044" name one. */
static bool coverage_of_rfc(const char *id, const char *rfc) {
  const char *digits = rfc;
  while (isalpha((unsigned char)*digits)) {
    digits++;
  }
  const size_t n = strlen(digits);
  return n > 0 && strncmp(id + strlen("rfc"), digits, n) == 0 && id[strlen("rfc") + n] == '-';
}

static bool coverage_has(const char *cell) {
  return strcmp(cell, "-") != 0;
}

static void coverage_text(out_buf *out, const struct iwarp_embedded_coverage *row,
                          const struct iwarp_embedded_requirement *req) {
  out_str(out, row->id);
  out_str(out, " (");
  out_str(out, req->level);
  out_str(out, ", ");
  out_str(out, req->visibility);
  out_str(out, "): ");
  out_str(out, row->state);
  if (coverage_has(row->by)) {
    out_char(out, ' ');
    out_str(out, row->by);
  }
  out_char(out, '\n');
  markdown_wrap(out, req->text, 4);
  if (coverage_has(row->reason)) {
    markdown_wrap(out, row->reason, 8);
  }
}

static void coverage_words(jsonw *w, const char *words) {
  jsonw_array(w, "by");
  while (coverage_has(words) && *words != 0) {
    const size_t n = strcspn(words, " ");
    jsonw_string(w, NULL, words, n);
    words += n + strspn(words + n, " ");
  }
  jsonw_end_array(w);
}

static void coverage_json(out_buf *out, const struct iwarp_embedded_coverage *row,
                          const struct iwarp_embedded_requirement *req) {
  jsonw w = {.out = out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "requirement", row->id);
  jsonw_text(&w, "level", req->level);
  jsonw_text(&w, "visibility", req->visibility);
  jsonw_text(&w, "state", row->state);
  coverage_words(&w, row->by);
  if (coverage_has(row->reason)) {
    jsonw_string(&w, "reason", row->reason, strlen(row->reason));
  }
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

static void coverage_sum(out_buf *out, const size_t counts[COVERAGE_STATES], size_t num) {
  out_u64(out, num);
  out_str(out, " requirements");
  for (size_t i = 0; i < COVERAGE_STATES; i++) {
    out_str(out, i == 0 ? ": " : ", ");
    out_u64(out, counts[i]);
    out_char(out, ' ');
    out_str(out, coverage_states[i]);
  }
  out_char(out, '\n');
}

static size_t coverage_put(out_buf *out, const opts *o, const char *rfc) {
  size_t counts[COVERAGE_STATES] = {0};
  size_t num = 0;
  for (size_t i = 0; i < iwarp_requirement_row_count; i++) {
    const struct iwarp_embedded_coverage *row = &iwarp_coverage_rows[i];
    if (rfc != NULL && !coverage_of_rfc(row->id, rfc)) {
      continue;
    }
    num++;
    for (size_t s = 0; s < COVERAGE_STATES; s++) {
      counts[s] += strcmp(row->state, coverage_states[s]) == 0 ? 1u : 0u;
    }
    (o->format == OPTS_JSONL ? coverage_json : coverage_text)(out, row, &iwarp_requirement_rows[i]);
  }
  if (o->format != OPTS_JSONL && num > 0) {
    coverage_sum(out, counts, num);
  }
  return num;
}

int cmd_coverage(const opts *o) {
  const char *rfc = o->num_operands > 0 ? o->operands[0] : NULL;
  out_buf out;
  if (!out_open_fd(&out, STDOUT_FILENO)) {
    return EXIT_INTERNAL;
  }
  const size_t num = coverage_put(&out, o, rfc);
  const bool written = run_output_ok(&out);
  out_close(&out);
  if (num == 0) {
    diag("coverage: no requirements of '%s' (5040, 5041, 5042, 5043, 5044, 6580, 6581, 7146, 7306)",
         rfc);
    return EXIT_USAGE;
  }
  return written ? EXIT_OK : EXIT_USAGE;
}
