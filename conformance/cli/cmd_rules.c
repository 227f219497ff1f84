/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp rules: the catalogue. */
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include <diagnose/diagnose.h>
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

/* ---- diagnoses ---- */

#define RULES_ID_WIDTH 22u /* columns of the id of a diagnosis */

static void rules_diagnosis_text(out_buf *out, const iwarp_diagnosis_row *row) {
  rules_column(out, row->id, RULES_ID_WIDTH);
  rules_column(out, row->certainty, strlen("certain"));
  out_str(out, row->summary);
  out_char(out, '\n');
}

static void rules_string(jsonw *w, const char *key, const char *text) {
  jsonw_string(w, key, text, strlen(text));
}

static void rules_diagnosis_json(out_buf *out, const iwarp_diagnosis_row *row) {
  jsonw w = {.out = out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "diagnosis");
  jsonw_text(&w, "id", row->id);
  jsonw_text(&w, "certainty", row->certainty);
  rules_string(&w, "summary", row->summary);
  rules_string(&w, "meaning", row->meaning);
  rules_string(&w, "operator", row->operator_do);
  rules_string(&w, "implementer", row->implementer_do);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

/* ---- the command ---- */

static int rules_none(const opts *o, const char *glob) {
  const char *near = o->diagnoses ? NULL : rule_nearest(glob);
  const char *what = o->diagnoses ? "diagnosis" : "rule";
  if (near != NULL) {
    diag("rules: no %s matches '%s' (did you mean '%s'?)", what, glob, near);
  } else {
    diag("rules: no %s matches '%s'", what, glob);
  }
  return EXIT_USAGE;
}

static void rules_diagnosis(const opts *o, out_buf *out, unsigned int id) {
  if (o->format == OPTS_JSONL) {
    rules_diagnosis_json(out, iwarp_diagnosis_get(id));
  } else {
    rules_diagnosis_text(out, iwarp_diagnosis_get(id));
  }
}

static void rules_rule(const opts *o, out_buf *out, uint16_t id) {
  if (o->format == OPTS_JSONL) {
    rules_json(out, iwarp_rule_get(id));
  } else {
    rules_text(out, iwarp_rule_get(id));
  }
}

int cmd_rules(const opts *o) {
  const char *glob = o->num_operands > 0 ? o->operands[0] : "*";
  const unsigned int count = o->diagnoses ? IWARP_DIAGNOSES : iwarp_rule_count();
  size_t num = 0;
  out_buf out;
  if (!out_open_fd(&out, STDOUT_FILENO)) {
    return EXIT_INTERNAL;
  }
  for (unsigned int id = 0; id < count; id++) {
    const char *name =
        o->diagnoses ? iwarp_diagnosis_get(id)->id : iwarp_rule_get((uint16_t)id)->slug;
    if (!rule_matches(glob, name)) {
      continue;
    }
    if (o->format == OPTS_JSONL && num == 0) {
      report_run_line(&out, "rules");
    }
    num++;
    if (o->diagnoses) {
      rules_diagnosis(o, &out, id);
    } else {
      rules_rule(o, &out, (uint16_t)id);
    }
  }
  const bool written = run_output_ok(&out);
  out_close(&out);
  if (num == 0) {
    return rules_none(o, glob);
  }
  return written ? EXIT_OK : EXIT_USAGE;
}
