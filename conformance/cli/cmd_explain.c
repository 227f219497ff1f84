/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp explain: the page of a rule, or a requirement and the rules that decide it. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <unistd.h>

#include <memory/memory.h>
#include <report/names.h>

#include "commands.h"
#include "diag.h"
#include "embedded.h"
#include "explain_case.h"
#include "explain_ends.h"
#include "markdown.h"
#include "rule_set.h"
#include "run.h"

static const struct iwarp_embedded_requirement *explain_requirement(const char *id) {
  for (size_t i = 0; i < iwarp_requirement_row_count; i++) {
    const struct iwarp_embedded_requirement *row = &iwarp_requirement_rows[i];
    if (strcmp(row->id, id) == 0) {
      return row;
    }
  }
  return NULL;
}

/* The requirement whose id stands first in a list of ids. */
static const struct iwarp_embedded_requirement *explain_first(const char *ids) {
  char id[32] = {0};
  const size_t n = strcspn(ids, " ");
  return n < sizeof id ? explain_requirement(memcpy(id, ids, n)) : NULL;
}

static const char *explain_page(const char *slug) {
  for (size_t i = 0; i < iwarp_rule_page_count; i++) {
    if (strcmp(iwarp_rule_pages[i].name, slug) == 0) {
      return iwarp_rule_pages[i].text;
    }
  }
  return NULL;
}

/* "rfc5044-4.1-05" belongs to RFC 5044. */
static void explain_rfc(out_buf *out, const struct iwarp_embedded_requirement *row) {
  out_str(out, "RFC ");
  out_put(out, row->id + 3, strcspn(row->id + 3, "-"));
  out_char(out, ' ');
  out_str(out, row->section);
}

static void explain_row(out_buf *out, const struct iwarp_embedded_requirement *row) {
  out_str(out, row->id);
  out_str(out, " (");
  explain_rfc(out, row);
  out_str(out, ", ");
  out_str(out, row->level);
  out_str(out, ", ");
  out_str(out, row->who);
  out_str(out, ")\n");
  markdown_wrap(out, row->text, 4);
}

static void explain_title(out_buf *out, const char *text, bool color) {
  out_str(out, color ? "\033[1m" : "");
  out_str(out, text);
  out_str(out, color ? "\033[0m\n" : "\n");
}

/* Who has to keep the requirement whose id stands first. What a registry lists its users keep. */
static const char *explain_keeper(const char *ids) {
  const struct iwarp_embedded_requirement *row = explain_first(ids);
  if (row == NULL || strcmp(row->who, "registry") == 0) {
    return "sender";
  }
  return strcmp(row->who, "both") == 0 ? "both sides" : row->who;
}

/* Who has to keep the requirements, each once. */
static void explain_who(out_buf *out, const char *ids) {
  const char *between = "; kept by: ";
  for (const char *id = ids; *id != 0; id += strspn(id, " ")) {
    const char *keeper = explain_keeper(id);
    const char *first = ids;
    while (strcmp(explain_keeper(first), keeper) != 0) {
      first += strcspn(first, " ") + 1;
    }
    if (first == id) {
      out_str(out, between);
      out_str(out, keeper);
      between = ", ";
    }
    id += strcspn(id, " ");
  }
}

/* The page cites the requirements in full; without one the catalogue has to do. */
static void explain_rule(out_buf *out, const iwarp_rule *rule, bool color) {
  const char *page = explain_page(rule->slug);
  if (page != NULL) {
    markdown_put(out, page, color);
  } else {
    explain_title(out, rule->slug, color);
    markdown_wrap(out, rule->summary, 0);
    markdown_wrap(out, rule->requirements, 0);
  }
  out_char(out, '\n');
  explain_title(out, "In the catalogue", color);
  out_str(out, "\nLevel ");
  out_str(out, rule->level);
  out_str(out, "; a breach is a ");
  out_str(out, report_severity_name(rule->severity));
  out_str(out, "; impact: ");
  out_str(out, report_impact_name(rule->impact));
  explain_who(out, rule->requirements);
  out_str(out, ".\n\n");
  markdown_wrap(
      out,
      "The cases that keep many rules silent, such as lost or cut octets, are in docs/silence.md.",
      0);
}

/* Returns true if a list of ids separated by blanks holds `id`. */
static bool explain_cites(const char *ids, const char *id) {
  while (*ids != 0) {
    const size_t n = strcspn(ids, " ");
    if (strlen(id) == n && memcmp(ids, id, n) == 0) {
      return true;
    }
    ids += n + strspn(ids + n, " ");
  }
  return false;
}

/* The words of the catalogue, explained. */
static const char *explain_visibility(const char *word) {
  static const char *const words[][2] = {
      {"wire", "seen on the wire"},
      {"peer", "seen when an implementation is driven"},
      {"api", "seen at the interface that a stack offers"},
      {"local", "inside an implementation, not seen from outside"},
  };
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strcmp(word, words[i][0]) == 0) {
      return words[i][1];
    }
  }
  return word;
}

/* Prints the entry of the ledger if no rule decides the requirement. */
static void explain_undecided(out_buf *out, const struct iwarp_embedded_requirement *row,
                              bool color) {
  const struct iwarp_embedded_coverage *cover = &iwarp_coverage_rows[row - iwarp_requirement_rows];
  if (strcmp(cover->state, "rule") == 0) {
    return;
  }
  out_char(out, '\n');
  explain_title(out, "In the ledger", color);
  out_str(out, "  ");
  out_str(out, cover->state);
  if (strcmp(cover->by, "-") != 0) {
    out_char(out, ' ');
    out_str(out, cover->by);
  }
  out_char(out, '\n');
  if (strcmp(cover->reason, "-") != 0) {
    markdown_wrap(out, cover->reason, 4);
  }
}

static void explain_of_requirement(out_buf *out, const struct iwarp_embedded_requirement *row,
                                   bool color) {
  bool any = false;
  explain_row(out, row);
  out_str(out, "  ");
  out_str(out, explain_visibility(row->visibility));
  out_str(out, strcmp(row->on_violation, "-") == 0 ? "\n" : "\n  on violation:\n");
  if (strcmp(row->on_violation, "-") != 0) {
    markdown_wrap(out, row->on_violation, 4);
  }
  out_char(out, '\n');
  explain_title(out, "Rules that cite it", color);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule *rule = iwarp_rule_get(id);
    if (explain_cites(rule->requirements, row->id)) {
      out_str(out, "  ");
      out_str(out, rule->slug);
      out_str(out, ": ");
      out_str(out, rule->summary);
      out_char(out, '\n');
      any = true;
    }
  }
  out_str(out, any ? "" : "  none\n");
  explain_undecided(out, row, color);
}

/* A requirement id that was most likely meant; slugs come first. */
static const char *explain_nearest(const char *word) {
  const char *near = rule_nearest(word);
  const char **ids = memory_zeroed(iwarp_requirement_row_count + EXPLAIN_ENDS_MAX + 1, sizeof *ids);
  if (near == NULL && ids != NULL) {
    for (size_t i = 0; i < EXPLAIN_ENDS_MAX && explain_ends_word(i) != NULL; i++) {
      ids[iwarp_requirement_row_count + i] = explain_ends_word(i);
    }
    for (size_t i = 0; i < iwarp_requirement_row_count; i++) {
      ids[i] = iwarp_requirement_rows[i].id;
    }
    near = nearest(word, ids);
  }
  free(ids);
  return near;
}

static int explain_unknown(const char *word) {
  const char *near = explain_nearest(word);
  if (near != NULL) {
    diag("explain: nothing is named '%s' (did you mean '%s'?)", word, near);
  } else {
    diag("explain: nothing is named '%s' (lists: 'iwarp rules', 'iwarp rules --diagnoses', "
         "'iwarp peer --list')",
         word);
  }
  return EXIT_USAGE;
}

int cmd_explain(const opts *o) {
  const char *word = o->operands[0];
  const iwarp_rule *rule = iwarp_rule_find(word);
  const struct iwarp_embedded_requirement *row = explain_requirement(word);
  const bool color = run_color(o->color);
  out_buf out;
  if (!out_open_fd(&out, STDOUT_FILENO)) {
    return EXIT_INTERNAL;
  }
  if (rule == NULL && row == NULL && !explain_ends(&out, word, color) &&
      !explain_case(&out, word, color)) {
    out_close(&out);
    return explain_unknown(word);
  }
  if (rule != NULL) {
    explain_rule(&out, rule, color);
  } else if (row != NULL) {
    explain_of_requirement(&out, row, color);
  }
  const bool written = run_output_ok(&out);
  out_close(&out);
  return written ? EXIT_OK : EXIT_USAGE;
}
