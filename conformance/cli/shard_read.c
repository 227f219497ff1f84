/* SPDX-License-Identifier: BSD-2-Clause */
/* From the keys of a summary to the counts that they stand for. */
#include "shard_read.h"

#include "encap.h"

#include <stdlib.h>

#include <iwarp/version.h>
#include <memory/memory.h>
#include <report/names.h>

static const char *const shard_damaged = "its summary is damaged";

/* ---- numbers by key ---- */

static bool shard_number(uint64_t *out, json_text object, const char *key) {
  json_text value;
  return json_member(&value, object, key) && json_u64(out, value);
}

/* A number that is only there where it is not 0. */
static bool shard_count(uint64_t *out, json_text object, const char *key) {
  json_text value;
  *out = 0;
  return !json_member(&value, object, key) || json_u64(out, value);
}

static bool shard_bool(bool *out, json_text object, const char *key) {
  json_text value;
  *out = json_member(&value, object, key) && json_is(value, "true");
  return *out || (json_member(&value, object, key) && json_is(value, "false"));
}

static bool shard_hex(uint64_t *out, json_text object, const char *key) {
  json_text value;
  return json_member(&value, object, key) && json_hex64(out, value);
}

/* ---- the counts of a run ---- */

static bool shard_outcomes(report_totals *t, json_text line) {
  json_text outcomes;
  bool ok = json_member(&outcomes, line, "outcomes");
  for (unsigned int how = 0; ok && how < OBSERVE_HOWS; how++) {
    ok = shard_count(&t->outcomes[how], outcomes, report_outcome_name((observe_how)how));
  }
  return ok;
}

static bool shard_findings(report_totals *t, json_text line) {
  json_text findings;
  bool ok = json_member(&findings, line, "findings");
  for (unsigned int i = 0; ok && i < OBSERVE_SEVERITIES; i++) {
    ok = shard_number(&t->findings[i], findings, report_severity_name((iwarp_severity)i));
  }
  return ok && shard_count(&t->suspected[IWARP_SEVERITY_NOTE], findings, "suspected");
}

static bool shard_limits(report_totals *t, json_text line) {
  json_text limits;
  bool ok = true;
  if (!json_member(&limits, line, "limits")) {
    return true;
  }
  for (size_t i = 0; ok && i < REPORT_LIMITS; i++) {
    ok = shard_count(&t->given_up.of[i], limits, report_limit_name(i));
  }
  return ok;
}

static bool shard_layers(report_totals *t, json_text line) {
  json_text layers;
  encap_names(t->layers);
  bool ok = true;
  if (!json_member(&layers, line, "encapsulation")) {
    return true;
  }
  for (size_t i = 0; ok && i < REPORT_ENCAPS && t->layers[i].name != NULL; i++) {
    ok = shard_count(&t->layers[i].packets, layers, t->layers[i].name);
  }
  return ok;
}

static bool shard_rules(report_totals *t, json_text line) {
  json_text rules;
  bool ok = json_member(&rules, line, "rules");
  for (uint16_t id = 0; ok && id < iwarp_rule_count(); id++) {
    ok = shard_count(&t->rules[id].findings, rules, iwarp_rule_get(id)->slug);
  }
  return ok;
}

static bool shard_totals(shard_summary *s, json_text line) {
  report_totals *t = &s->totals;
  return shard_number(&t->files, line, "files") && shard_number(&t->packets, line, "packets") &&
         shard_number(&t->octets, line, "octets") &&
         shard_number(&t->connections, line, "connections") &&
         shard_number(&t->fpdus, line, "fpdus") &&
         shard_count(&t->undecodable, line, "undecodable") &&
         shard_count(&t->xfail, line, "xfail") && shard_count(&s->withheld[0], line, "withheld") &&
         shard_count(&s->withheld[1], line, "repeated") &&
         shard_count(&s->withheld[2], line, "connections_withheld") && shard_outcomes(t, line) &&
         shard_findings(t, line) && shard_limits(t, line) && shard_layers(t, line) &&
         shard_rules(t, line);
}

/* ---- what a shard has beside ---- */

/* Reads exactly `num` numbers of an array. */
static bool shard_array(uint64_t *out, size_t num, json_text array) {
  json_text rest;
  json_text key;
  json_text value;
  bool any = json_first(&rest, &key, &value, array);
  for (size_t i = 0; i < num; i++) {
    if (!any || !json_u64(&out[i], value)) {
      return false;
    }
    any = json_next(&rest, &key, &value);
  }
  return !any;
}

static bool shard_result(report_rule_total *rule, json_text array) {
  uint64_t v[2];
  if (!shard_array(v, 2, array) || v[0] > REPORT_RULE_XFAIL || v[1] > UINT32_MAX) {
    return false;
  }
  rule->expected = v[0] == REPORT_RULE_XFAIL;
  rule->verdict = rule->expected ? IWARP_VERDICT_FAIL : (iwarp_verdict)v[0];
  rule->reason = (uint32_t)v[1];
  return true;
}

static bool shard_results(report_totals *t, json_text shard) {
  json_text array;
  json_text rest;
  json_text key;
  json_text value;
  bool any = json_member(&array, shard, "results") && json_first(&rest, &key, &value, array);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    if (!any || !shard_result(&t->rules[id], value)) {
      return false;
    }
    any = json_next(&rest, &key, &value);
  }
  return !any;
}

static bool shard_capture(report_capture *c, json_text array) {
  uint64_t v[REPORT_CAPTURE_NUMBERS];
  if (!shard_array(v, REPORT_CAPTURE_NUMBERS, array)) {
    return false;
  }
  *c = (report_capture){.failed = v[0],
                        .violated = v[1],
                        .given_up = v[2],
                        .undecodable = v[3],
                        .proven = v[4],
                        .decided = v[5],
                        .named = v[6]};
  return true;
}

/* The array has no more captures than octets. */
static bool shard_captures(report_shard *s, json_text shard) {
  json_text array;
  json_text rest;
  json_text key;
  json_text value;
  if (!json_member(&array, shard, "captures") || !json_first(&rest, &key, &value, array)) {
    return false;
  }
  s->captures = memory_zeroed(array.len / (2 * REPORT_CAPTURE_NUMBERS) + 1, sizeof *s->captures);
  bool ok = s->captures != NULL;
  for (bool any = true; ok && any; any = json_next(&rest, &key, &value)) {
    ok = shard_capture(&s->captures[s->num_captures], value);
    s->num_captures += ok ? 1u : 0u;
  }
  return ok;
}

/* Each capture says how many of its connections fail the run by their outcome. */
static void shard_named(shard_summary *s) {
  for (size_t i = 0; i < s->shard.num_captures; i++) {
    s->totals.named += s->shard.captures[i].named;
  }
}

static bool shard_beside(shard_summary *s, json_text shard) {
  report_shard *part = &s->shard;
  return shard_number(&part->index, shard, "index") && shard_number(&part->of, shard, "of") &&
         part->index < part->of && shard_number(&part->first, shard, "first") &&
         shard_number(&part->all, shard, "all") && shard_hex(&part->names, shard, "names") &&
         shard_hex(&part->digest, shard, "digest") && shard_hex(&part->options, shard, "options") &&
         shard_bool(&part->require_decided, shard, "require_decided") &&
         shard_number(&s->totals.proven, shard, "proven") &&
         shard_number(&s->totals.decided, shard, "decided") && shard_captures(part, shard) &&
         part->num_captures == s->totals.files && part->first <= part->all &&
         part->num_captures <= part->all - part->first && shard_results(&s->totals, shard);
}

const char *shard_read(shard_summary *out, json_text line) {
  json_text shard;
  json_text value;
  json_text version;
  *out = (shard_summary){.totals = {.rules = memory_zeroed((size_t)iwarp_rule_count() + 1,
                                                           sizeof *out->totals.rules)}};
  if (out->totals.rules == NULL) {
    return "out of memory";
  }
  if (!json_member(&shard, line, "shard")) {
    return "no result of check --shard";
  }
  if (!json_member(&value, shard, "version") || !json_string(&version, value)) {
    return shard_damaged;
  }
  if (!json_is(version, iwarp_version())) {
    return "made by another version of iwarp";
  }
  if (!shard_totals(out, line) || !shard_beside(out, shard)) {
    return shard_damaged;
  }
  shard_named(out);
  return NULL;
}

void shard_free(shard_summary *s) {
  free(s->shard.captures);
  free(s->totals.rules);
}
