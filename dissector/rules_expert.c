/* SPDX-License-Identifier: BSD-2-Clause */
/* Shows findings: generated from the catalogue of rules and their pages. */
#include "rules_expert.h"

#include <epan/expert.h>
#include <report/finding.h>
#include <report/names.h>

#include "capture_notes.h"
#include "diagnoses.h"
#include "embedded.h"
#include "fields.h"
#include "iwarp_proto.h"
#include "prefs.h"
#include "records.h"

/* Expert fields by rule id: certain findings, and suspected ones. */
static expert_field *rules_fields[2];
static expert_field rules_late;

/* ---- registration ---- */

static int rules_severity(iwarp_severity severity) {
  switch (severity) {
  case IWARP_SEVERITY_VIOLATION: return PI_ERROR;
  case IWARP_SEVERITY_WARNING: return PI_WARN;
  case IWARP_SEVERITY_NOTE: break;
  }
  return PI_NOTE;
}

static void rules_add(ei_register_info *row, expert_field *field, const char *name, int severity,
                      const char *summary) {
  static const ei_register_info blank = {NULL, {NULL, 0, 0, NULL, EXPFILL}};
  *row = blank;
  *field = (expert_field)EI_INIT;
  row->ids = field;
  row->eiinfo.name = name;
  row->eiinfo.group = PI_PROTOCOL;
  row->eiinfo.severity = severity;
  row->eiinfo.summary = summary;
}

void rules_expert_register(int proto) {
  const guint num = iwarp_rule_count();
  ei_register_info *rows = wmem_alloc_array(wmem_epan_scope(), ei_register_info, 2 * num + 1);
  rules_fields[IWARP_FINDING_CERTAIN] = wmem_alloc_array(wmem_epan_scope(), expert_field, num);
  rules_fields[IWARP_FINDING_SUSPECTED] = wmem_alloc_array(wmem_epan_scope(), expert_field, num);
  for (guint i = 0; i < num; i++) {
    const iwarp_rule *rule = iwarp_rule_get((uint16_t)i);
    const char *name = wmem_strdup_printf(wmem_epan_scope(), IWARP_NAME ".rule.%s", rule->slug);
    rules_add(&rows[2 * i], &rules_fields[IWARP_FINDING_CERTAIN][i], name,
              rules_severity(rule->severity), rule->fault);
    rules_add(&rows[2 * i + 1], &rules_fields[IWARP_FINDING_SUSPECTED][i], name, PI_NOTE,
              wmem_strdup_printf(wmem_epan_scope(), "Suspected: %s", rule->fault));
  }
  rules_add(&rows[2 * num], &rules_late, IWARP_NAME ".late", PI_CHAT,
            "Something in an earlier frame becomes certain only here");
  expert_module_t *module = expert_register_protocol(proto);
  expert_register_field_array(module, rows, (int)(2 * num + 1));
  diagnoses_register(module);
  capture_notes_register(module);
}

/* ---- a finding ---- */

static bool rules_wanted(uint16_t id) {
  return prefs_iwarp.rules && (int)iwarp_rule_get(id)->severity >= prefs_iwarp.level;
}

bool rules_expert_wanted(const frame_finding *finding) {
  return rules_wanted(finding->finding.rule);
}

static const char *rules_message(wmem_allocator_t *pool, const iwarp_finding *finding) {
  out_buf text;
  out_open_memory(&text);
  report_message_put(&text, iwarp_rule_get(finding->rule), finding);
  report_finding_unless(&text, finding, "; ");
  const char *message = wmem_strndup(pool, text.buf != NULL ? text.buf : "", text.len);
  out_close(&text);
  return message;
}

static void rules_text(proto_tree *tree, int hf, const char *text) {
  proto_item_set_generated(proto_tree_add_string(tree, hf, NULL, 0, 0, text));
}

/* A list of ids separated by single spaces: one item each. */
static void rules_requirements(packet_info *pinfo, proto_tree *tree, const char *ids) {
  while (*ids != 0) {
    const size_t n = strcspn(ids, " ");
    rules_text(tree, hf_iwarp.rule_requirement, wmem_strndup(pinfo->pool, ids, n));
    ids += n + strspn(ids + n, " ");
  }
}

static void rules_page(proto_tree *tree, const char *slug) {
  for (const struct iwarp_embedded_page *page = iwarp_rule_pages; page->name != NULL; page++) {
    if (strcmp(page->name, slug) == 0) {
      rules_text(tree, hf_iwarp.rule_cause, page->cause);
      rules_text(tree, hf_iwarp.rule_effect, page->effect);
      return;
    }
  }
}

void rules_expert_show(packet_info *pinfo, proto_tree *tree, proto_item *item,
                       const frame_finding *finding) {
  const iwarp_rule *rule = iwarp_rule_get(finding->finding.rule);
  const iwarp_finding_certainty certainty = finding->finding.certainty;
  const char *message = rules_message(pinfo->pool, &finding->finding);
  proto_item *head =
      proto_tree_add_string_format(tree, hf_iwarp.rule, NULL, 0, 0, rule->slug, "Rule %s (%s): %s",
                                   rule->slug, rule->level, message);
  proto_tree *sub = proto_item_add_subtree(head, ett_iwarp.rule);
  proto_item_set_generated(head);
  rules_text(sub, hf_iwarp.rule_level, rule->level);
  rules_text(sub, hf_iwarp.rule_certainty,
             certainty == IWARP_FINDING_SUSPECTED ? "suspected" : "certain");
  rules_requirements(pinfo, sub, rule->requirements);
  rules_text(sub, hf_iwarp.rule_message, message);
  rules_page(sub, rule->slug);
  expert_add_info_format(pinfo, item != NULL ? item : head, &rules_fields[certainty][rule->id],
                         "%s: %s", rule->slug, message);
}

/* ---- findings that became certain later ---- */

void rules_expert_late(packet_info *pinfo, proto_tree *tree, const frame_late *late) {
  if (late->rule >= 0 && !rules_wanted((uint16_t)late->rule)) {
    return;
  }
  proto_item *item =
      proto_tree_add_uint(tree, hf_iwarp.late_frame, NULL, 0, 0, records_frame(late->frame));
  proto_item_set_generated(item);
  if (late->rule < 0) {
    expert_add_info_format(pinfo, item, &rules_late, "The PDUs of frame %u become known only here",
                           records_frame(late->frame));
    return;
  }
  const iwarp_rule *rule = iwarp_rule_get((uint16_t)late->rule);
  rules_text(tree, hf_iwarp.rule, rule->slug);
  expert_add_info_format(pinfo, item, &rules_late,
                         "Frame %u breaks %s, which becomes certain only here",
                         records_frame(late->frame), rule->slug);
}
