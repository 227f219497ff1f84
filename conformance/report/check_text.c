/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of `iwarp check`: findings as compilers print them, grouped by connection, then the
 * summary. */
#include <report/check.h>
#include <report/dump.h>
#include <report/finding.h>
#include <report/names.h>
#include <report/place.h>

#include "check_slot.h"
#include "check_text.h"

/* Octets kept back so that findings stay together: of a connection, and of all. */
#define CHECK_TEXT_HELD ((size_t)256 * 1024)
#define CHECK_TEXT_HELD_ALL ((uint64_t)4 * 1024 * 1024)
#define CHECK_TEXT_MORE 1536u   /* above what is printed at the end of a connection */
#define CHECK_TEXT_GROUPS 3u    /* groups of findings with one cause; more are only named */
#define CHECK_TEXT_EVIDENCE 64u /* octets of an item shown with -v */
#define CHECK_TEXT_ADVICE 1024u /* above what a page advises */
#define CHECK_TEXT_STAMP '\001' /* mark in held text: the next eight octets are a time */

static const char *check_text_color(iwarp_severity severity) {
  switch (severity) {
  case IWARP_SEVERITY_VIOLATION: return "1;31";
  case IWARP_SEVERITY_WARNING: return "1;33";
  case IWARP_SEVERITY_NOTE: break;
  }
  return "1;36";
}

/* ---- a connection ---- */

static void check_text_name(out_buf *s, const observe_conn *conn) {
  report_name_put(s, conn->file);
  out_str(s, ": conn ");
  out_u64(s, conn->number);
  out_str(s, ": ");
}

/* How the session began, and what was agreed. The outcome says how it went on. */
static void check_text_sctp(out_buf *s, const iwarp_observer_info *info) {
  uint8_t rev = 0;
  out_str(s, "SCTP stream ");
  out_u64(s, info->sctp_stream);
  out_str(s, report_rev(info, &rev) ? "" : ", Initiate not seen");
  out_str(s, report_enhanced(info) ? ", enhanced" : "");
}

/* A single word for both directions where it is the same. Each side's own stream has Markers or
 * not. */
static void check_text_markers(out_buf *s, const iwarp_observer_info *info, uint8_t first) {
  const bool roles = info->side[first].role == IWARP_ROLE_INITIATOR;
  out_str(s, ", Markers ");
  out_str(s, report_tri_name(info->side[first].markers));
  if (info->side[first].markers != info->side[1 - first].markers) {
    out_str(s, roles ? " from the initiator, " : " from the first, ");
    out_str(s, report_tri_name(info->side[1 - first].markers));
    out_str(s, roles ? " from the responder" : " from the second");
  }
}

/* The connection and its two sides. */
static void check_text_sides(out_buf *s, const observe_conn *conn) {
  const uint8_t first = report_initiator(conn->info);
  check_text_name(s, conn);
  check_text_side(s, conn, first);
  out_str(s, " > ");
  check_text_side(s, conn, 1 - first);
}

/* What the sides agreed on. */
static void check_text_terms(out_buf *s, const observe_conn *conn) {
  const iwarp_observer_info *info = conn->info;
  uint8_t rev = 0;
  if (info->sctp) {
    check_text_sctp(s, info);
    return;
  }
  if (report_rev(info, &rev)) {
    out_str(s, "MPA rev ");
    out_u64(s, rev);
    out_str(s, report_enhanced(info) ? " enhanced" : "");
  } else {
    out_str(s, "startup not seen");
  }
  check_text_markers(s, info, report_initiator(info));
  out_str(s, ", CRCs ");
  out_str(s, report_tri_name(info->crc));
}

void check_text_head(const report_check *check, const observe_conn *conn) {
  out_buf *s = check->out;
  check_text_sides(s, conn);
  out_str(s, ", ");
  check_text_terms(s, conn);
  out_char(s, '\n');
}

static void check_text_verdicts(out_buf *s, const report_verdicts *counts) {
  out_u64(s, counts->of[IWARP_VERDICT_PASS]);
  out_str(s, " pass, ");
  out_u64(s, counts->of[IWARP_VERDICT_FAIL]);
  out_str(s, " fail, ");
  if (counts->xfail > 0) {
    out_u64(s, counts->xfail);
    out_str(s, " xfail, ");
  }
  out_u64(s, counts->of[IWARP_VERDICT_INCONCLUSIVE]);
  out_str(s, " inconclusive");
  if (counts->reason != 0) {
    out_str(s, " (");
    report_reason_put(s, counts->reason);
    out_char(s, ')');
  }
  out_str(s, ", ");
  out_u64(s, counts->of[IWARP_VERDICT_NOT_SEEN]);
  out_str(s, " not seen");
  if (counts->of[IWARP_VERDICT_DISABLED] > 0) {
    out_str(s, ", ");
    out_u64(s, counts->of[IWARP_VERDICT_DISABLED]);
    out_str(s, " disabled");
  }
}

/* The amounts, and the verdicts of the rules. */
static void check_text_amounts(out_buf *s, const observe_conn *conn) {
  const observe_tally *tally = &conn->tally;
  const report_verdicts counts = report_verdicts_conn(conn);
  const report_findings findings = report_findings_conn(conn);
  const uint64_t streaming = tally->streaming[0] + tally->streaming[1];
  check_text_count(s, tally->fpdus[0] + tally->fpdus[1], conn->info->sctp ? "segment" : "FPDU",
                   conn->info->sctp ? "segments" : "FPDUs");
  if (tally->gaps > 0) {
    out_str(s, ", ");
    check_text_count(s, tally->gaps, "gap", "gaps");
  }
  if (streaming > 0) {
    out_str(s, ", ");
    check_text_count(s, streaming, "octet", "octets");
    out_str(s, " of streaming data");
  }
  out_str(s, "; ");
  check_text_severities(s, findings.of);
  check_text_suspected(s, findings.suspected);
  if (findings.xfail > 0) {
    out_str(s, ", ");
    check_text_count(s, findings.xfail, "expected finding", "expected findings");
  }
  out_str(s, "; rules: ");
  check_text_verdicts(s, &counts);
  out_char(s, '\n');
}

void check_text_tail(const report_check *check, const observe_conn *conn) {
  check_text_name(check->out, conn);
  check_text_amounts(check->out, conn);
}

/* Prints that a limit ended the following of the connection or cost it octets, and the effect. */
void check_text_given_up(const report_check *check, const observe_conn *conn) {
  out_buf *s = check->out;
  if (conn->given_up != NULL) {
    check_text_name(s, conn);
    out_str(s, "given up (");
    out_str(s, conn->given_up);
    out_str(s, "): ");
    out_str(s, report_limit_text(conn->given_up));
    out_str(s, "; what it left undecided is inconclusive\n");
  }
}

/* How many octets of which side could not be decoded, and from where. */
static void check_text_undecodable(const report_check *check, const observe_conn *conn,
                                   uint8_t side) {
  out_buf *s = check->out;
  const observe_undecodable *u = &conn->undecodable[side];
  if (u->octets == 0) {
    return;
  }
  check_text_name(s, conn);
  check_text_count(s, u->octets, "octet", "octets");
  out_str(s, " of ");
  check_text_side(s, conn, side);
  out_str(s, " could not be decoded, from frame ");
  report_place_put(s, conn, 0, u->packet);
  out_str(s, ", seq ");
  out_u64(s, (uint32_t)u->pos);
  if (u->offset != IWARP_POS_UNKNOWN) {
    out_str(s, ", offset ");
    out_u64(s, u->offset);
  }
  out_str(s, " on\n");
}

/* ---- a finding ---- */

/* The time is made when the text is printed, since it may count from the line before. */
static void check_text_stamp(out_buf *s, uint64_t ns) {
  char stamp[1 + sizeof ns] = {CHECK_TEXT_STAMP};
  memcpy(stamp + 1, &ns, sizeof ns);
  out_put(s, stamp, sizeof stamp); /* a single call: half of a stamp must not be held */
}

/* The section of the first requirement, and the level: "RFC 5040 section 4.8 (MUST)". */
static void check_text_demand(out_buf *s, const iwarp_rule *rule) {
  const char *id = rule->requirements;
  const size_t len = strcspn(id, " ");
  const size_t rfc = strcspn(id, "-");
  size_t end = len;
  while (end > rfc + 1 && id[end - 1] != '-') {
    end--;
  }
  out_str(s, "RFC ");
  out_put(s, id + 3, rfc - 3);
  out_str(s, " section ");
  out_put(s, id + rfc + 1, end - rfc - 2);
  out_str(s, " (");
  out_str(s, rule->level);
  out_char(s, ')');
}

/* Prints the time and place, the values, and the demand. */
static void check_text_where(out_buf *s, const observe_conn *conn, const iwarp_finding *f) {
  out_str(s, "    ");
  check_text_stamp(s, f->last.time_ns);
  out_str(s, ", ");
  report_finding_where(s, conn, f);
  out_str(s, "; ");
  out_str(s, report_finding_values(s, f) ? "; " : "");
  check_text_demand(s, iwarp_rule_get(f->rule));
  out_char(s, '\n');
}

/* The octets of the item around the offending ones, when the item is still available. */
static void check_text_evidence(out_buf *s, const iwarp_finding *f, const iwarp_event *ev) {
  uint8_t frame[REPORT_FRAME_CAP];
  uint64_t pos = 0;
  if (ev == NULL || ev->side != f->side || ev->pos != f->pos) {
    return;
  }
  const iwarp_span item = report_event_octets(ev, &pos, frame);
  size_t from = 0;
  if (f->octet_pos != IWARP_POS_UNKNOWN && f->octet_pos >= pos) {
    const uint64_t off = f->octet_pos - pos;
    out_str(s, "    octets ");
    out_u64(s, off);
    out_str(s, "..");
    out_u64(s, off + f->octet_len - (f->octet_len > 0 ? 1 : 0));
    out_str(s, " of the item\n");
    from = off > CHECK_TEXT_EVIDENCE / 2 ? (size_t)(off - CHECK_TEXT_EVIDENCE / 2) / 16 * 16 : 0;
  }
  if (from < item.len) {
    const size_t left = item.len - from;
    report_hex_put(s, item.ptr + from, left < CHECK_TEXT_EVIDENCE ? left : CHECK_TEXT_EVIDENCE,
                   from, "        ");
  }
}

void check_text_weight(const report_check *check, out_buf *s, const observe_conn *conn,
                       const iwarp_finding *f) {
  const iwarp_rule *rule = iwarp_rule_get(f->rule);
  if (conn->known != NULL) {
    report_finding_weight(s, f, conn->known);
  } else {
    out_str(s, iwarp_finding_suspected(f) ? "suspected " : "");
    check_text_paint(check, s, check_text_color(rule->severity),
                     report_severity_name(rule->severity));
  }
}

/* Prints a finding in a line, and the evidence, unless other findings have shown the cause. */
static void check_text_body(const report_check *check, out_buf *s, const observe_conn *conn,
                            const iwarp_finding *f, const iwarp_event *ev) {
  const iwarp_rule *rule = iwarp_rule_get(f->rule);
  const bool verbose = check->verbosity == REPORT_VERBOSE || check->octets;
  const bool brief = s->len > 0 && f->cause != NULL && !iwarp_finding_suspected(f) && !verbose;
  const report_place place = report_place_of(conn, f->last.packet);
  report_name_put(s, place.file);
  out_char(s, ':');
  out_u64(s, place.frame);
  out_str(s, ": ");
  check_text_weight(check, s, conn, f);
  out_str(s, ": ");
  report_message_put(s, rule, f);
  out_str(s, " [");
  out_str(s, rule->slug);
  out_str(s, ", ");
  out_str(s, report_impact_name(rule->impact));
  out_str(s, "]\n");
  if (!brief) {
    check_text_where(s, conn, f);
  }
  report_finding_unless(s, f, "    ");
  out_str(s, iwarp_finding_suspected(f) ? "\n" : "");
  if (verbose) {
    check_text_evidence(s, f, ev);
  }
}

/* ---- findings that were held ---- */

static void check_text_held(report_check *check, const out_buf *text, const observe_conn *conn) {
  uint64_t ns = 0;
  size_t at = 0;
  while (text->error == 0 && at < text->len) {
    const size_t left = text->len - at;
    const char *stamp = memchr(text->buf + at, CHECK_TEXT_STAMP, left);
    const size_t plain = stamp != NULL ? (size_t)(stamp - (text->buf + at)) : left;
    out_put(check->out, text->buf + at, plain);
    at += plain;
    if (stamp != NULL) {
      memcpy(&ns, stamp + 1, sizeof ns);
      check_text_time(check, check->out, conn, ns);
      at += 1 + sizeof ns;
    }
  }
}

static void check_text_advise(out_buf *s, const char *label, const char *line) {
  out_str(s, "    ");
  out_str(s, label);
  out_str(s, line);
  out_char(s, '\n');
}

/* The cause that a group of findings shares, and the command that explains their rule. */
static void check_text_cause(out_buf *s, const check_group *g, const char *cause) {
  if (g->cause != NULL) {
    out_str(s, "    one cause is likely: ");
    out_str(s, g->cause);
    out_str(s, report_cause_text(g->cause));
  } else {
    out_str(s, "    cause: ");
    out_str(s, cause);
  }
  out_str(s, " (iwarp explain ");
  out_str(s, iwarp_rule_get(g->rule)->slug);
  out_str(s, ")\n");
}

/* How much the page of a rule has to say about a group of findings. */
typedef enum check_text_depth {
  CHECK_TEXT_NOTHING = 0,
  CHECK_TEXT_CAUSE,
  CHECK_TEXT_ALL
} check_text_depth;

/* What the text of a connection is to hold. */
typedef struct check_text_extent {
  bool diagnosed; /* a diagnosis has said what to do */
  bool brief;     /* CHECK_TEXT_GROUPS or more: only the gravest one has all advice */
  bool many;      /* more of them: the gravest ones alone, and the others by name */
} check_text_extent;

/* After a diagnosis with advice, the cause of the first group is enough; notes need no action.
 * `first`: the first one, or the gravest one of several. */
static check_text_depth check_text_depth_of(const report_check *check, const check_group *g,
                                            check_text_extent extent, bool first) {
  if (check->verbosity == REPORT_VERBOSE) {
    return CHECK_TEXT_ALL;
  }
  if (extent.diagnosed) {
    return first || g->cause != NULL ? CHECK_TEXT_CAUSE : CHECK_TEXT_NOTHING;
  }
  if (extent.brief && !first) {
    return CHECK_TEXT_CAUSE;
  }
  return iwarp_rule_get(g->rule)->severity == IWARP_SEVERITY_NOTE ? CHECK_TEXT_CAUSE
                                                                  : CHECK_TEXT_ALL;
}

/* Once for all findings with one cause. */
static void check_text_advice(const report_check *check, const check_group *g,
                              check_text_depth depth) {
  const report_advice *a = &check->advice[g->rule];
  out_buf *s = check->out;
  if (depth >= CHECK_TEXT_CAUSE) {
    check_text_cause(s, g, a->cause);
  }
  if (depth == CHECK_TEXT_ALL) {
    if (g->cause != NULL) {
      check_text_advise(s, "cause: ", a->cause);
    }
    check_text_advise(s, "effect: ", a->effect);
    check_text_advise(s, "operator: ", a->operator_do);
    check_text_advise(s, "implementer: ", a->implementer_do);
  }
}

/* The text of a group, and what its page advises. */
static void check_text_group(report_check *check, check_group *g, const observe_conn *conn,
                             check_text_depth depth, uint64_t start) {
  const bool any = g->text.len > 0;
  check_text_held(check, &g->text, conn);
  out_close(&g->text);
  const uint64_t more = out_tell(check->out) - start + CHECK_TEXT_ADVICE;
  if (any && !g->advised && check->advice != NULL && check_affords(check, more)) {
    check_text_advice(check, g, depth);
    g->advised = true;
  }
}

/* Returns the place of a group: graver groups come first, and groups of one rank in the order in
 * which they were found. */
static size_t check_text_place_of(const check_groups *groups, size_t which) {
  size_t before = 0;
  for (size_t i = 0; i < groups->num; i++) {
    const unsigned int rank = groups->of[i].rank;
    const bool graver = rank > groups->of[which].rank;
    before += graver || (rank == groups->of[which].rank && i < which) ? 1u : 0u;
  }
  return before;
}

/* "t.pcap: conn 0: 2 more causes: mpa.crc in frame 9, ddp.msn-first in frame 12 (-v shows all)". */
static void check_text_further(report_check *check, check_groups *groups,
                               const observe_conn *conn) {
  out_buf *s = check->out;
  const char *before = ": ";
  check_text_name(s, conn);
  check_text_count(s, groups->num - CHECK_TEXT_GROUPS, "more cause", "more causes");
  for (size_t i = 0; i < groups->num; i++) {
    check_group *g = &groups->of[i];
    if (check_text_place_of(groups, i) >= CHECK_TEXT_GROUPS) {
      out_str(s, before);
      out_str(s, iwarp_rule_get(g->rule)->slug);
      out_str(s, " in frame ");
      report_place_put(s, conn, 0, g->packet);
      out_close(&g->text);
      before = ", ";
    }
  }
  out_str(s, " (-v shows all)\n");
}

/* More groups than a reader takes in are named, unless they are asked for or printed in part. */
static check_text_extent check_text_extent_of(const report_check *check,
                                              const check_groups *groups) {
  size_t whole = 0;
  for (size_t i = 0; i < groups->num; i++) {
    whole += groups->of[i].text.len > 0 && !groups->of[i].advised ? 1u : 0u;
  }
  const bool brief = check->verbosity != REPORT_VERBOSE && !check->octets &&
                     groups->num >= CHECK_TEXT_GROUPS && whole == groups->num;
  return (check_text_extent){.brief = brief, .many = brief && groups->num > CHECK_TEXT_GROUPS};
}

/* `outcome`: the connection has ended. Returns true if it has so many groups that some of them are
 * only named. */
static bool check_text_release(report_check *check, check_slot *held, const observe_conn *conn,
                               bool outcome) {
  check_groups *groups = &held->groups;
  const size_t len = check_groups_len(groups);
  const uint64_t start = out_tell(check->out);
  check_text_extent extent = {.diagnosed = false};
  if (outcome) {
    check_text_sides(check->out, conn);
    out_str(check->out, ": ");
    extent = check_text_extent_of(check, groups);
    extent.diagnosed = check_text_why(check, conn);
  } else {
    check_text_head(check, conn);
  }
  for (size_t i = 0; i < groups->num; i++) {
    check_group *g = &groups->of[i];
    const size_t place = extent.brief ? check_text_place_of(groups, i) : i;
    if (!extent.many || place < CHECK_TEXT_GROUPS) {
      check_text_group(check, g, conn, check_text_depth_of(check, g, extent, place == 0), start);
    }
  }
  if (extent.many) {
    check_text_further(check, groups, conn);
  }
  check->num_held -= len;
  return extent.many;
}

/* Which findings come first where there are many: new ones, then certain ones, by severity. */
static unsigned int check_text_rank(const observe_conn *conn, const iwarp_finding *f) {
  const unsigned int severity = iwarp_rule_get(f->rule)->severity;
  const bool suspected = iwarp_finding_suspected(f);
  return conn->known != NULL ? 0 : 1 + severity + (suspected ? 0 : OBSERVE_SEVERITIES);
}

static void check_text_finding(report_check *check, void **slot, const observe_conn *conn,
                               const iwarp_finding *f, const iwarp_event *ev) {
  check_slot *held = *slot;
  check_group *g = check_groups_get(&held->groups, f);
  if (check->verbosity == REPORT_QUIET || g == NULL) {
    return;
  }
  const unsigned int rank = check_text_rank(conn, f);
  g->rank = rank > g->rank ? rank : g->rank;
  const size_t before = g->text.len;
  check_text_body(check, &g->text, conn, f, ev);
  check->num_held += g->text.len - before;
  if (check_groups_len(&held->groups) > CHECK_TEXT_HELD || check->num_held > CHECK_TEXT_HELD_ALL) {
    (void)check_text_release(check, held, conn, false);
  }
}

static void check_text_repeat(const report_check *check, const observe_conn *conn,
                              const report_repeat *r) {
  out_buf *s = check->out;
  check_text_name(s, conn);
  out_u64(s, r->more);
  out_str(s, " more of ");
  out_str(s, iwarp_rule_get(r->rule)->slug);
  out_str(s, " by ");
  check_text_side(s, conn, r->side);
  out_str(s, r->first == r->last ? ", frame " : ", frames ");
  report_place_put(s, conn, 0, r->first);
  if (r->first != r->last) {
    out_str(s, " to ");
    report_place_put(s, conn, r->first, r->last);
  }
  out_str(s, " (-v shows all)\n");
}

/* The findings that were only counted: by rule and side, or in all, for `many` or where that would
 * be much. */
static void check_text_more(const report_check *check, const check_slot *held,
                            const observe_conn *conn, bool many) {
  uint64_t rest = 0;
  const uint64_t start = out_tell(check->out);
  for (size_t i = 0; i < held->repeats.num; i++) {
    const report_repeat *r = &held->repeats.of[i];
    if (r->more > 0 && !many &&
        check_affords(check, out_tell(check->out) - start + CHECK_TEXT_MORE)) {
      check_text_repeat(check, conn, r);
    } else {
      rest += r->more;
    }
  }
  if (rest > 0) {
    check_text_name(check->out, conn);
    check_text_count(check->out, rest, "more finding (-v shows all)\n",
                     "more findings (-v shows all)\n");
  }
}

static void check_text_times(out_buf *s, const char *before, uint64_t n, const char *what) {
  if (n > 0) {
    out_str(s, before);
    out_u64(s, n);
    out_str(s, what);
  }
}

static void check_text_rule(out_buf *s, const iwarp_rule *rule, const iwarp_rule_result *result,
                            bool expected) {
  const char *name = expected ? "xfail" : report_verdict_name(result->verdict);
  out_str(s, "    ");
  out_str(s, name);
  out_fill(s, ' ', 14 - strlen(name));
  out_str(s, rule->slug);
  check_text_times(s, ": ", result->num_pass, " pass");
  check_text_times(s, result->num_pass > 0 ? ", " : ": ", result->num_fail, " fail");
  check_text_times(s, result->num_pass + result->num_fail > 0 ? ", " : ": ",
                   result->num_inconclusive, " inconclusive");
  if (result->reason != 0) {
    out_str(s, " (");
    report_reason_put(s, result->reason);
    out_char(s, ')');
  }
  out_char(s, '\n');
}

/* Every rule but those that the command line left out. */
static void check_text_rules(report_check *check, const observe_conn *conn) {
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const iwarp_rule_result result = conn->results[id];
    if (result.verdict != IWARP_VERDICT_DISABLED) {
      check_text_rule(check->out, iwarp_rule_get(id), &result,
                      report_expected(conn, id, result.verdict));
    }
  }
}

static void check_text_connection(report_check *check, void **slot, const observe_conn *conn) {
  check_slot *held = *slot;
  if (check->verbosity == REPORT_QUIET) {
    return;
  }
  const bool many = check_text_release(check, held, conn, true);
  check_text_more(check, held, conn, many);
  const uint8_t first = report_initiator(conn->info);
  check_text_undecodable(check, conn, first);
  check_text_undecodable(check, conn, 1 - first);
  check_text_given_up(check, conn);
  check_text_name(check->out, conn);
  check_text_terms(check->out, conn);
  out_str(check->out, "; ");
  check_text_amounts(check->out, conn);
  if (check->verbosity == REPORT_VERBOSE || check->verdicts) {
    check_text_rules(check, conn);
  }
}

const report_format report_format_text = {
    .name = "text",
    .same = 1,
    .quiet = true,
    .finding = check_text_finding,
    .connection = check_text_connection,
    .trait = check_text_trait,
    .transport = check_text_transport,
    .summary = check_text_summary,
};
