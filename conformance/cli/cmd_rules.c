/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp rules: the catalogue. */
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include <report/jsonw.h>
#include <report/names.h>
#include <report/run_line.h>

#include "commands.h"
#include "diag.h"
#include "rule_set.h"
#include "run.h"

#define RULES_SLUG_WIDTH 30u /* a longer one moves its own line only */

static void rules_column(out_buf *out, const char *text, size_t width) {
  const size_t n = strlen(text);
  out_str(out, text);
  out_fill(out, ' ', (n < width ? width - n : 0) + 2);
}

static void rules_text(out_buf *out, const iwarp_rule *rule) {
  rules_column(out, rule->slug, RULES_SLUG_WIDTH);
  rules_column(out, rule->level, strlen("SHOULD NOT"));
  rules_column(out, report_severity_name(rule->severity), strlen("violation"));
  rules_column(out, report_impact_name(rule->impact), strlen("corruption"));
  out_str(out, rule->summary);
  out_str(out, " (");
  out_str(out, rule->requirements);
  out_str(out, ")\n");
}

static void rules_json(out_buf *out, const iwarp_rule *rule) {
  jsonw w = {.out = out};
  const char *ids = rule->requirements;
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "rule");
  jsonw_text(&w, "rule", rule->slug);
  jsonw_text(&w, "level", rule->level);
  jsonw_text(&w, "severity", report_severity_name(rule->severity));
  jsonw_text(&w, "impact", report_impact_name(rule->impact));
  jsonw_array(&w, "requirements");
  while (*ids != 0) {
    const size_t n = strcspn(ids, " ");
    jsonw_string(&w, NULL, ids, n);
    ids += n + strspn(ids + n, " ");
  }
  jsonw_end_array(&w);
  jsonw_string(&w, "summary", rule->summary, strlen(rule->summary));
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

static int rules_none(const char *glob) {
  const char *near = rule_nearest(glob);
  if (near != NULL) {
    diag("rules: no rule matches '%s' (did you mean '%s'?)", glob, near);
  } else {
    diag("rules: no rule matches '%s'", glob);
  }
  return EXIT_USAGE;
}

int cmd_rules(const opts *o) {
  const char *glob = o->num_operands > 0 ? o->operands[0] : "*";
  size_t num = 0;
  out_buf out;
  if (!out_open_fd(&out, STDOUT_FILENO)) {
    return EXIT_INTERNAL;
  }
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule *rule = iwarp_rule_get(id);
    if (rule_matches(glob, rule->slug)) {
      if (o->format == OPTS_JSONL && num == 0) {
        report_run_line(&out, "rules");
      }
      num++;
      if (o->format == OPTS_JSONL) {
        rules_json(&out, rule);
      } else {
        rules_text(&out, rule);
      }
    }
  }
  const bool written = run_output_ok(&out);
  out_close(&out);
  if (num == 0) {
    return rules_none(glob);
  }
  return written ? EXIT_OK : EXIT_USAGE;
}
