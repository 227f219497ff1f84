/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of `iwarp peer -T jsonl`: findings and cases, the summary last. docs/json.md */
#include <peer_report/run.h>

#include <string.h>

#include <report/jsonw.h>
#include <report/names.h>
#include <report/run_line.h>

static void jsonl_begin(out_buf *out, const peer_run *run) {
  (void)run;
  report_run_line(out, "peer");
}

static void jsonl_string(jsonw *w, const char *key, const char *text) {
  jsonw_string(w, key, text, strlen(text));
}

static void jsonl_some(jsonw *w, const char *key, const char *text) {
  if (text[0] != 0) {
    jsonl_string(w, key, text);
  }
}

static void jsonl_value(jsonw *w, const char *key, const iwarp_value *v) {
  out_buf text;
  if (v->kind == IWARP_VALUE_NONE) {
    return;
  }
  out_open_memory(&text);
  report_value_put(&text, v);
  jsonw_string(w, key, text.buf, text.len);
  out_close(&text);
}

static void jsonl_message(jsonw *w, const iwarp_rule *rule, const iwarp_finding *f) {
  out_buf text;
  out_open_memory(&text);
  report_message_put(&text, rule, f);
  jsonw_string(w, "message", text.buf, text.len);
  out_close(&text);
}

static void jsonl_finding(out_buf *out, const peer_run_case *c, const peer_finding *found) {
  const iwarp_finding *f = &found->finding;
  const iwarp_rule *rule = iwarp_rule_get(f->rule);
  jsonw w = {.out = out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "finding");
  jsonw_text(&w, "case", c->name);
  jsonw_u64(&w, "connection", found->connection);
  jsonw_text(&w, "by", f->side == 0 ? "tester" : "target");
  jsonw_bool(&w, "asked", found->asked);
  jsonw_text(&w, "dir", report_role_name(f->role));
  if (f->offset != IWARP_POS_UNKNOWN) {
    jsonw_u64(&w, "offset", f->offset);
  }
  jsonw_text(&w, "rule", rule->slug);
  jsonw_words(&w, "requirements", rule->requirements);
  jsonw_text(&w, "level", rule->level);
  jsonw_text(&w, "severity", report_severity_name(rule->severity));
  jsonw_text(&w, "impact", report_impact_name(rule->impact));
  jsonl_value(&w, "expected", &f->expected);
  jsonl_value(&w, "observed", &f->observed);
  jsonw_text(&w, "certainty", iwarp_finding_suspected(f) ? "suspected" : "certain");
  jsonl_message(&w, rule, f);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

static void jsonl_known(jsonw *w, peer_known known) {
  static const char *const names[] = {
      [PEER_KNOWN_XFAIL] = "xfail", [PEER_KNOWN_CHANGED] = "changed", [PEER_KNOWN_XPASS] = "xpass"};
  if (known != PEER_KNOWN_NONE) {
    jsonw_text(w, "known", names[known]);
  }
}

static void jsonl_one(out_buf *out, const peer_run *run, size_t i) {
  const peer_run_case *c = &run->cases[i];
  const peer_page_info *info = peer_page_info_get(c->item.page);
  const peer_result *r = &c->outcome->result;
  jsonw w = {.out = out};
  for (size_t k = 0; k < c->num_findings; k++) {
    jsonl_finding(out, c, &c->findings[k]);
  }
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "case");
  jsonw_text(&w, "case", c->name);
  jsonl_string(&w, "title", info->title);
  jsonw_text(&w, "role", peer_role_name(run->role));
  jsonw_text(&w, "verdict", peer_verdict_name(r->verdict));
  jsonw_words(&w, "requirements", info->cites);
  jsonl_string(&w, "due", r->due);
  jsonl_string(&w, "seen", r->seen);
  jsonl_string(&w, "why", r->why);
  if (c->file != NULL) {
    jsonl_string(&w, "file", c->file);
  }
  jsonw_seconds(&w, "seconds", c->outcome->took_ns);
  jsonw_u64(&w, "plays", c->outcome->plays);
  jsonw_u64(&w, "line", r->line);
  if (c->outcome->lost) {
    jsonw_bool(&w, "target_lost", true);
  }
  jsonl_known(&w, c->known);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

/* Findings about the target, by rule; suspected ones do not count. */
static uint64_t jsonl_count(const peer_run *run, uint16_t rule) {
  uint64_t count = 0;
  for (size_t i = 0; i < run->num_cases; i++) {
    for (size_t k = 0; k < run->cases[i].num_findings; k++) {
      const iwarp_finding *f = &run->cases[i].findings[k].finding;
      count += f->rule == rule && f->side == 1 && !iwarp_finding_suspected(f) ? 1 : 0;
    }
  }
  return count;
}

static void jsonl_end(out_buf *out, const peer_run *run) {
  size_t counts[PEER_NUM_VERDICTS];
  jsonw w = {.out = out};
  peer_run_counts(run, counts);
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "summary");
  jsonl_string(&w, "target", run->target);
  jsonw_text(&w, "role", peer_role_name(run->role));
  jsonw_object(&w, "verdicts");
  for (size_t i = 0; i < PEER_NUM_VERDICTS; i++) {
    if (counts[i] > 0) {
      jsonw_u64(&w, peer_verdict_name((peer_verdict)i), counts[i]);
    }
  }
  jsonw_end_object(&w);
  jsonw_object(&w, "findings");
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const uint64_t count = jsonl_count(run, id);
    if (count > 0) {
      jsonw_u64(&w, iwarp_rule_get(id)->slug, count);
    }
  }
  jsonw_end_object(&w);
  if (run->canary_ns > 0) {
    jsonw_seconds(&w, "canary", run->canary_ns);
  } else {
    jsonl_some(&w, "seen", run->canary->seen);
    jsonl_some(&w, "why", run->canary->why);
  }
  jsonw_u64(&w, "status", (uint64_t)peer_run_status(run));
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

const peer_report_format peer_report_jsonl = {
    .name = "jsonl", .begin = jsonl_begin, .one = jsonl_one, .end = jsonl_end};
