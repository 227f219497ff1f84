/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of `iwarp check -T jsonl`: findings, connections, the summary. */
#include <iwarp/field.h>
#include <iwarp/version.h>
#include <report/check.h>
#include <report/diagnosis.h>
#include <report/jsonw.h>
#include <report/names.h>
#include <report/place.h>
#include <report/run_line.h>
#include <report/shard.h>

#include "check_json_parts.h"
#include "dump_parts.h"

/* ---- shards ---- */

/* Reports when a connection of a shard got its number. A merge needs the moment to number the
 * connections of all shards. */
static void check_json_numbered(report_check *check, const observe_conn *conn) {
  jsonw w = {.out = check->out};
  if (check->shard == NULL) {
    return;
  }
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "opened");
  jsonw_string(&w, "file", conn->file, strlen(conn->file));
  jsonw_u64(&w, "conn", conn->number);
  jsonw_u64(&w, "capture", check->shard->num_captures);
  jsonw_u64(&w, "at", *check->shard->event);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

/* The place of a line among the lines of all shards, its last key. */
static void check_json_at(const report_check *check, jsonw *w) {
  if (check->shard != NULL) {
    jsonw_u64(w, "at", *check->shard->event);
  }
}

static void check_json_begin(report_check *check) {
  report_run_line(check->out, check->command);
}

static void check_json_trait(report_check *check, const report_trait *trait) {
  jsonw w = {.out = check->out};
  if (check->verbosity == REPORT_QUIET) {
    return;
  }
  jsonw_object(&w, NULL);
  report_trait_json(&w, trait);
  check_json_at(check, &w);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

static void check_json_transport(report_check *check, const observe_conn *capture,
                                 const report_transport *x) {
  jsonw w = {.out = check->out};
  if (check->verbosity == REPORT_QUIET) {
    return;
  }
  jsonw_object(&w, NULL);
  report_transport_json(&w, capture, x, check->shard != NULL);
  check_json_at(check, &w);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

unsigned int report_rule_code(const report_rule_total *rule) {
  return rule->expected && rule->verdict == IWARP_VERDICT_FAIL ? REPORT_RULE_XFAIL
                                                               : (unsigned int)rule->verdict;
}

static void check_json_captures(jsonw *w, const report_shard *shard) {
  jsonw_array(w, "captures");
  for (size_t i = 0; i < shard->num_captures; i++) {
    const report_capture *c = &shard->captures[i];
    const uint64_t numbers[REPORT_CAPTURE_NUMBERS] = {
        c->failed, c->violated, c->given_up, c->undecodable, c->proven, c->decided, c->named};
    jsonw_array(w, NULL);
    for (size_t k = 0; k < REPORT_CAPTURE_NUMBERS; k++) {
      jsonw_u64(w, NULL, numbers[k]);
    }
    jsonw_end_array(w);
  }
  jsonw_end_array(w);
}

/* What the summary has beside its counts, for whoever joins shards. */
static void check_json_shard(jsonw *w, const report_shard *shard, const report_totals *totals) {
  jsonw_object(w, "shard");
  jsonw_text(w, "version", iwarp_version());
  jsonw_u64(w, "index", shard->index);
  jsonw_u64(w, "of", shard->of);
  jsonw_u64(w, "first", shard->first);
  jsonw_u64(w, "all", shard->all);
  jsonw_hex64(w, "names", shard->names);
  jsonw_hex64(w, "digest", shard->digest);
  jsonw_hex64(w, "options", shard->options);
  jsonw_bool(w, "require_decided", shard->require_decided);
  jsonw_u64(w, "proven", totals->proven);
  jsonw_u64(w, "decided", totals->decided);
  check_json_captures(w, shard);
  jsonw_array(w, "results");
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    jsonw_array(w, NULL);
    jsonw_u64(w, NULL, report_rule_code(&totals->rules[id]));
    jsonw_u64(w, NULL, totals->rules[id].reason);
    jsonw_end_array(w);
  }
  jsonw_end_array(w);
  jsonw_end_object(w);
}

/* ---- findings ---- */

static void check_json_value(jsonw *w, const char *key, const iwarp_value *v) {
  if (v->kind == IWARP_VALUE_NONE) {
    return;
  }
  out_buf text;
  out_open_memory(&text);
  report_value_put(&text, v);
  jsonw_string(w, key, text.buf, text.len);
  out_close(&text);
}

static void check_json_message(jsonw *w, const iwarp_rule *rule, const iwarp_finding *f) {
  out_buf text;
  out_open_memory(&text);
  report_message_put(&text, rule, f);
  jsonw_string(w, "message", text.buf, text.len);
  out_close(&text);
}

void check_json_where(jsonw *w, const observe_conn *conn, const iwarp_finding *f) {
  report_place_line(w, conn, f->last.packet);
  jsonw_time(w, "time", f->last.time_ns);
  jsonw_u64(w, "conn", conn->number);
  jsonw_u64(w, "conn_finding", conn->finding);
  jsonw_text(w, "src", conn->addr[f->side]);
  jsonw_text(w, "dst", conn->addr[1 - f->side]);
  jsonw_text(w, "dir", report_role_name(f->role));
  if (conn->info->sctp) {
    jsonw_u64(w, "stream", conn->info->sctp_stream);
  }
  if (f->pos != IWARP_POS_UNKNOWN) {
    jsonw_u64(w, "seq", (uint32_t)f->pos);
  }
}

void check_json_evidence(jsonw *w, const observe_conn *conn, const iwarp_finding *f) {
  if (f->offset != IWARP_POS_UNKNOWN) {
    jsonw_u64(w, "offset", f->offset);
  }
  const iwarp_field *field = iwarp_field_get(f->field);
  if (field != NULL) {
    jsonw_text(w, "field", field->path);
  }
  if (f->octet_pos != IWARP_POS_UNKNOWN) {
    if (conn->info->sctp) {
      jsonw_u64(w, "octet_offset", f->octet_pos - f->pos);
    } else {
      jsonw_u64(w, "octet_seq", (uint32_t)f->octet_pos);
    }
    jsonw_u64(w, "octet_length", f->octet_len);
  }
  if (f->other_packet != 0) {
    report_place_json(w, "other_frame", conn, f->last.packet, f->other_packet);
  }
  check_json_value(w, "expected", &f->expected);
  check_json_value(w, "observed", &f->observed);
  if (f->cause != NULL) {
    jsonw_text(w, "cause", f->cause);
  }
}

void check_json_certainty(jsonw *w, const iwarp_finding *f) {
  jsonw_text(w, "certainty", iwarp_finding_suspected(f) ? "suspected" : "certain");
  if (iwarp_finding_suspected(f)) {
    jsonw_text(w, "unless", iwarp_finding_unless(f));
  }
}

static void check_json_finding(report_check *check, void **slot, const observe_conn *conn,
                               const iwarp_finding *f, const iwarp_event *ev) {
  const iwarp_rule *rule = iwarp_rule_get(f->rule);
  jsonw w = {.out = check->out};
  (void)slot;
  (void)ev;
  if (check->verbosity == REPORT_QUIET) {
    return;
  }
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "finding");
  check_json_where(&w, conn, f);
  jsonw_text(&w, "rule", rule->slug);
  jsonw_words(&w, "requirements", rule->requirements);
  jsonw_text(&w, "level", rule->level);
  jsonw_text(&w, "severity", report_severity_name(rule->severity));
  check_json_certainty(&w, f);
  if (conn->known != NULL) {
    jsonw_text(&w, "verdict", "xfail");
    jsonw_string(&w, "known", conn->known, strlen(conn->known));
  }
  jsonw_text(&w, "impact", report_impact_name(rule->impact));
  check_json_evidence(&w, conn, f);
  check_json_message(&w, rule, f);
  check_json_at(check, &w);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

static void check_json_tri(jsonw *w, const char *key, iwarp_tristate tri) {
  if (tri != IWARP_TRISTATE_UNKNOWN) {
    jsonw_bool(w, key, tri == IWARP_TRISTATE_ON);
  }
}

static void check_json_pair(jsonw *w, const char *key, const uint64_t counts[2], uint8_t first) {
  jsonw_object(w, key);
  jsonw_u64(w, "initiator", counts[first]);
  jsonw_u64(w, "responder", counts[1 - first]);
  jsonw_end_object(w);
}

/* The four unassigned opcodes share a name, so they share a count. */
static void check_json_messages(jsonw *w, const observe_tally *tally) {
  uint64_t reserved = 0;
  jsonw_object(w, "messages");
  for (uint8_t op = 0; op < OBSERVE_OPCODES; op++) {
    const iwarp_rdmap_op *row = iwarp_rdmap_op_get(op);
    if (!row->assigned) {
      reserved += tally->messages[op];
    } else if (tally->messages[op] > 0) {
      jsonw_u64(w, row->name, tally->messages[op]);
    }
  }
  if (reserved > 0) {
    jsonw_u64(w, iwarp_rdmap_op_get(IWARP_RDMAP_OP_EXPERIMENTAL)->name, reserved);
  }
  jsonw_end_object(w);
}

static void check_json_severities(jsonw *w, const uint64_t findings[OBSERVE_SEVERITIES],
                                  uint64_t suspected) {
  jsonw_object(w, "findings");
  jsonw_u64(w, "violation", findings[IWARP_SEVERITY_VIOLATION]);
  jsonw_u64(w, "warning", findings[IWARP_SEVERITY_WARNING]);
  jsonw_u64(w, "note", findings[IWARP_SEVERITY_NOTE]);
  jsonw_u64(w, "suspected", suspected);
  jsonw_end_object(w);
}

static void check_json_verdicts(jsonw *w, const char *key, const report_verdicts *counts) {
  jsonw_object(w, key);
  jsonw_u64(w, "pass", counts->of[IWARP_VERDICT_PASS]);
  jsonw_u64(w, "fail", counts->of[IWARP_VERDICT_FAIL]);
  jsonw_u64(w, "inconclusive", counts->of[IWARP_VERDICT_INCONCLUSIVE]);
  jsonw_u64(w, "not_seen", counts->of[IWARP_VERDICT_NOT_SEEN]);
  if (counts->xfail > 0) {
    jsonw_u64(w, "xfail", counts->xfail);
  }
  if (counts->of[IWARP_VERDICT_DISABLED] > 0) {
    jsonw_u64(w, "disabled", counts->of[IWARP_VERDICT_DISABLED]);
  }
  jsonw_end_object(w);
}

/* Why rules are inconclusive, each reason once. */
static void check_json_reasons(jsonw *w, const report_verdicts *counts) {
  jsonw_array(w, "inconclusive");
  for (uint32_t reason = IWARP_REASON_GAP; (reason & IWARP_REASON_ALL) != 0; reason <<= 1) {
    if ((counts->reason & reason) != 0) {
      out_buf text;
      out_open_memory(&text);
      report_reason_put(&text, reason);
      jsonw_string(w, NULL, text.buf, text.len);
      out_close(&text);
    }
  }
  jsonw_end_array(w);
}

static void check_json_negotiated(jsonw *w, const observe_conn *conn, uint8_t first) {
  const iwarp_observer_info *info = conn->info;
  uint8_t rev = 0;
  if (report_rev(info, &rev)) {
    if (!info->sctp) {
      jsonw_u64(w, "rev", rev);
    }
    jsonw_bool(w, "enhanced", report_enhanced(info));
    jsonw_bool(w, "rejected", info->rejected);
  }
  if (info->sctp) {
    jsonw_u64(w, "stream", info->sctp_stream);
    return; /* no Markers; the checksum of SCTP is always there */
  }
  check_json_tri(w, "markers_initiator", info->side[first].markers);
  check_json_tri(w, "markers_responder", info->side[1 - first].markers);
  check_json_tri(w, "crc", info->crc);
}

/* How it ended, and by whom. */
static void check_json_outcome(jsonw *w, const observe_conn *conn) {
  const observe_outcome *outcome = &conn->outcome;
  jsonw_text(w, "outcome", report_outcome_name(outcome->how));
  if (outcome->ended) {
    jsonw_text(w, "ended_by", report_role_name(conn->info->side[outcome->side].role));
    report_place_json(w, "end_frame", conn, 0, outcome->packet);
  }
  if (outcome->terminate != NULL) {
    const observe_terminate *t = outcome->terminate;
    report_json_term(w, conn, &t->term, t->place, t->about);
  }
}

/* What could not be decoded of either side, and where it begins. */
static void check_json_undecodable(jsonw *w, const observe_conn *conn, uint8_t first) {
  if (conn->undecodable[0].octets + conn->undecodable[1].octets == 0) {
    return;
  }
  jsonw_object(w, "undecodable");
  for (uint8_t i = 0; i < 2; i++) {
    const observe_undecodable *u = &conn->undecodable[i == 0 ? first : 1 - first];
    if (u->octets > 0) {
      jsonw_object(w, i == 0 ? "initiator" : "responder");
      jsonw_u64(w, "octets", u->octets);
      report_place_json(w, "frame", conn, 0, u->packet);
      jsonw_u64(w, "seq", (uint32_t)u->pos);
      if (u->offset != IWARP_POS_UNKNOWN) {
        jsonw_u64(w, "offset", u->offset);
      }
      jsonw_end_object(w);
    }
  }
  jsonw_end_object(w);
}

/* What it left undone. */
static void check_json_at_end(jsonw *w, const observe_conn *conn, uint8_t first) {
  const observe_at_end *end = &conn->at_end;
  jsonw_object(w, "at_end");
  if (end->has_waiting) {
    jsonw_u64(w, "reads_unanswered", end->reads);
    jsonw_u64(w, "atomics_unanswered", end->atomics);
  }
  if (end->has_last) {
    jsonw_text(w, "last_sender", report_role_name(conn->info->side[end->last_side].role));
  }
  if (end->has_idle) {
    jsonw_seconds(w, "idle", end->idle_ns);
  }
  if (end->has_unacknowledged) {
    check_json_pair(w, "unacknowledged", end->unacknowledged, first);
  }
  jsonw_end_object(w);
}

static void check_json_connection(report_check *check, void **slot, const observe_conn *conn) {
  const uint8_t first = report_initiator(conn->info);
  const report_verdicts counts = report_verdicts_conn(conn);
  const report_findings findings = report_findings_conn(conn);
  jsonw w = {.out = check->out};
  (void)slot;
  if (check->verbosity == REPORT_QUIET) {
    return;
  }
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "connection");
  jsonw_string(&w, "file", conn->file, strlen(conn->file));
  jsonw_u64(&w, "conn", conn->number);
  jsonw_text(&w, "initiator", conn->addr[first]);
  jsonw_text(&w, "responder", conn->addr[1 - first]);
  if (!report_roles_known(conn->info)) {
    jsonw_text(&w, "roles", "unknown");
  }
  jsonw_text(&w, "transport", conn->info->sctp ? "sctp" : "tcp");
  check_json_negotiated(&w, conn, first);
  check_json_outcome(&w, conn);
  check_json_at_end(&w, conn, first);
  report_diagnoses_json(&w, conn);
  check_json_pair(&w, "fpdus", conn->tally.fpdus, first);
  check_json_pair(&w, "octets", conn->tally.octets, first);
  check_json_pair(&w, "streaming", conn->tally.streaming, first);
  check_json_messages(&w, &conn->tally);
  jsonw_u64(&w, "gaps", conn->tally.gaps);
  if (conn->given_up != NULL) {
    jsonw_text(&w, "given_up", conn->given_up);
  }
  check_json_undecodable(&w, conn, first);
  check_json_severities(&w, findings.of, findings.suspected);
  if (findings.xfail > 0) {
    jsonw_u64(&w, "xfail", findings.xfail);
  }
  check_json_verdicts(&w, "rules", &counts);
  check_json_reasons(&w, &counts);
  check_json_at(check, &w);
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

/* How many connections were given up, and by which limit. */
static void check_json_limits(jsonw *w, const report_limits *limits) {
  if (report_limits_sum(limits) == 0) {
    return;
  }
  jsonw_u64(w, "given_up", report_limits_sum(limits));
  jsonw_object(w, "limits");
  for (size_t i = 0; i < REPORT_LIMITS; i++) {
    if (limits->of[i] > 0) {
      jsonw_u64(w, report_limit_name(i), limits->of[i]);
    }
  }
  jsonw_end_object(w);
}

/* How many connections had each outcome. */
static void check_json_outcomes(jsonw *w, const report_totals *totals) {
  jsonw_object(w, "outcomes");
  for (unsigned int how = 0; how < OBSERVE_HOWS; how++) {
    if (totals->outcomes[how] > 0) {
      jsonw_u64(w, report_outcome_name((observe_how)how), totals->outcomes[how]);
    }
  }
  jsonw_end_object(w);
}

/* How many packets had each tag and each tunnel; nothing where no packet had any. */
static void check_json_layers(jsonw *w, const report_encap *layers) {
  bool any = false;
  for (size_t i = 0; i < REPORT_ENCAPS && layers[i].name != NULL; i++) {
    if (layers[i].packets > 0 && !any) {
      any = true;
      jsonw_object(w, "encapsulation");
    }
    if (layers[i].packets > 0) {
      jsonw_u64(w, layers[i].name, layers[i].packets);
    }
  }
  if (any) {
    jsonw_end_object(w);
  }
}

static void check_json_summary(report_check *check, const report_totals *totals) {
  const report_verdicts counts = report_verdicts_run(totals);
  jsonw w = {.out = check->out};
  jsonw_object(&w, NULL);
  jsonw_text(&w, "type", "summary");
  jsonw_u64(&w, "files", totals->files);
  jsonw_u64(&w, "packets", totals->packets);
  jsonw_u64(&w, "octets", totals->octets);
  jsonw_u64(&w, "connections", totals->connections);
  check_json_outcomes(&w, totals);
  jsonw_u64(&w, "fpdus", totals->fpdus);
  check_json_severities(&w, totals->findings, report_totals_suspected(totals));
  jsonw_object(&w, "rules");
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    if (totals->rules[id].findings > 0) {
      jsonw_u64(&w, iwarp_rule_get(id)->slug, totals->rules[id].findings);
    }
  }
  jsonw_end_object(&w);
  check_json_verdicts(&w, "verdicts", &counts);
  check_json_reasons(&w, &counts);
  check_json_limits(&w, &totals->given_up);
  check_json_layers(&w, totals->layers);
  if (totals->undecodable > 0) {
    jsonw_u64(&w, "undecodable", totals->undecodable);
  }
  if (totals->xfail > 0) {
    jsonw_u64(&w, "xfail", totals->xfail);
  }
  if (totals->xpass > 0) {
    jsonw_u64(&w, "xpass", totals->xpass);
  }
  if (check->num_withheld > 0) {
    jsonw_u64(&w, "withheld", check->num_withheld);
  }
  if (check->num_repeated > 0) {
    jsonw_u64(&w, "repeated", check->num_repeated);
  }
  if (check->num_conns_withheld > 0) {
    jsonw_u64(&w, "connections_withheld", check->num_conns_withheld);
  }
  jsonw_text(&w, "verdict", totals->verdict);
  if (totals->named > 0 && strcmp(totals->verdict, "fail") == 0) {
    jsonw_text(&w, "failed_by", "outcome");
  }
  if (check->shard != NULL) {
    check_json_shard(&w, check->shard, totals);
  }
  jsonw_end_object(&w);
  jsonw_end_line(&w);
}

const report_format report_format_jsonl = {
    .name = "jsonl",
    .same = 100,
    .whole = true,
    .quiet = true,
    .begin = check_json_begin,
    .numbered = check_json_numbered,
    .finding = check_json_finding,
    .connection = check_json_connection,
    .trait = check_json_trait,
    .transport = check_json_transport,
    .summary = check_json_summary,
};
