/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp check: findings, verdicts and the exit status that tells them. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <unistd.h>

#include <ingest/pcap_src.h>
#include <report/check.h>

#include "capture_names.h"
#include "commands.h"
#include "diag.h"
#include "embedded.h"
#include "progress.h"
#include "rule_set.h"
#include "run.h"

typedef struct check_state {
  const opts *o;
  const report_format *format;
  report_check report;
  report_totals totals;
  report_advice *advice; /* by rule */
  out_buf out;
  run run;
  bool any_read;         /* some capture could be opened: there is something to sum up */
  const char *undecided; /* why the first capture that was undecided was, or NULL */
} check_state;

int check_worse(int a, int b) {
  static const int order[] = {EXIT_INTERNAL,  EXIT_USAGE,    EXIT_VIOLATION,
                              EXIT_UNDECIDED, EXIT_NO_IWARP, EXIT_OK};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    if (a == order[i] || b == order[i]) {
      return order[i];
    }
  }
  return EXIT_INTERNAL;
}

/* ---- results ---- */

static void check_finding(void *ctx, observe_conn *conn, const iwarp_finding *finding,
                          const iwarp_event *ev) {
  check_state *c = ctx;
  const iwarp_severity severity = iwarp_rule_get(finding->rule)->severity;
  report_totals_finding(&c->totals, finding);
  if (severity >= c->report.level) {
    report_check_finding(&c->report, c->format, &conn->user, conn, finding, ev);
  }
}

static void check_closed(void *ctx, observe_conn *conn) {
  check_state *c = ctx;
  report_check_connection(&c->report, c->format, &conn->user, conn);
  report_totals_add(&c->totals, conn);
}

static void check_limit(void *ctx, const char *name, uint64_t n) {
  check_state *c = ctx;
  report_limits_add(&c->totals.given_up, name, n);
}

static void check_before_write(void *ctx) {
  (void)ctx;
  progress_erase();
}

/* ---- the exit status ---- */

/* What is counted again for each file, so that its own status is known. */
typedef struct check_mark {
  uint64_t proven;
  uint64_t decided;
  uint64_t given_up;
  uint64_t undecodable;
  uint64_t findings[OBSERVE_SEVERITIES];
} check_mark;

static check_mark check_mark_now(const check_state *c) {
  check_mark mark = {.proven = c->totals.proven,
                     .decided = c->totals.decided,
                     .given_up = report_limits_sum(&c->totals.given_up),
                     .undecodable = c->totals.undecodable};
  for (size_t i = 0; i < OBSERVE_SEVERITIES; i++) {
    mark.findings[i] = c->totals.findings[i];
  }
  return mark;
}

static bool check_violated(const check_state *c, const check_mark *before) {
  const bool must =
      c->totals.findings[IWARP_SEVERITY_VIOLATION] != before->findings[IWARP_SEVERITY_VIOLATION];
  const bool should =
      c->totals.findings[IWARP_SEVERITY_WARNING] != before->findings[IWARP_SEVERITY_WARNING];
  switch (c->o->fail_on) {
  case OPTS_FAIL_MUST: return must;
  case OPTS_FAIL_SHOULD: return must || should;
  case OPTS_FAIL_NEVER: break;
  }
  return false;
}

/* Why a capture without violations is undecided, or NULL. */
static const char *check_why_undecided(const check_state *c, const check_mark *before) {
  if (report_limits_sum(&c->totals.given_up) != before->given_up) {
    return "a limit was reached";
  }
  if (c->totals.undecodable != before->undecodable) {
    return "octets could not be decoded";
  }
  if (c->totals.proven != before->proven && c->totals.decided == before->decided) {
    return "no rule was decided";
  }
  return NULL;
}

static int check_file(check_state *c, size_t i) {
  const check_mark before = check_mark_now(c);
  const run_result result = run_capture(&c->run, i);
  c->totals.files++;
  c->any_read = c->any_read || result != RUN_UNREADABLE;
  if (result != RUN_OK) {
    return result == RUN_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE;
  }
  if (check_violated(c, &before)) {
    return EXIT_VIOLATION;
  }
  const char *why = check_why_undecided(c, &before);
  if (why != NULL) {
    c->undecided = c->undecided != NULL ? c->undecided : why;
    return EXIT_UNDECIDED;
  }
  return c->totals.proven == before.proven ? EXIT_NO_IWARP : EXIT_OK; /* -d alone proves nothing */
}

static bool check_inconclusive(const check_state *c) {
  return c->o->require_decided &&
         report_verdicts_run(&c->totals).of[IWARP_VERDICT_INCONCLUSIVE] > 0;
}

static const char *check_verdict(int status) {
  switch (status) {
  case EXIT_OK: return "pass";
  case EXIT_VIOLATION: return "fail";
  case EXIT_UNDECIDED: return "undecided";
  case EXIT_NO_IWARP: return "no-iwarp";
  default: return "error";
  }
}

static int check_files(check_state *c) {
  int status = c->o->num_operands > 0 ? check_file(c, 0) : EXIT_OK;
  for (size_t i = 1; i < c->o->num_operands && c->out.error == 0; i++) {
    status = check_worse(status, check_file(c, i));
  }
  run_ports_met(&c->run);
  if (check_inconclusive(c)) {
    status = check_worse(status, EXIT_UNDECIDED);
    c->undecided = c->undecided != NULL ? c->undecided : "inconclusive rules, --require-decided";
  }
  c->totals.packets = c->run.totals.packets;
  c->totals.octets = c->run.totals.octets;
  c->totals.verdict = check_verdict(status);
  c->totals.undecided = status == EXIT_UNDECIDED ? c->undecided : NULL;
  if (c->any_read || c->o->format != OPTS_TEXT) {
    c->format->summary(&c->report, &c->totals);
  }
  return run_output_ok(&c->out) ? status : check_worse(status, EXIT_USAGE);
}

/* ---- the command ---- */

/* Findings of one rule and side of a connection that are printed, unless more is asked for. */
#define CHECK_SAME_TEXT 1u
#define CHECK_SAME_JSON 100u

static uint64_t check_same(const opts *o) {
  const bool asked = o->verbose || o->quiet || o->max_findings != UINT64_MAX;
  return asked ? UINT64_MAX : o->format == OPTS_JSONL ? CHECK_SAME_JSON : CHECK_SAME_TEXT;
}

/* Whoever asks for more gets it, however long it is. */
static bool check_bounded(const opts *o) {
  return !o->verbose && !o->quiet && !o->fields && !o->octets && o->max_findings == UINT64_MAX;
}

static int check_run(check_state *c, const bool *disabled) {
  const opts *o = c->o;
  const observe_cfg cfg = {.ports = o->any_port ? o->ports : NULL,
                           .markers = o->markers,
                           .crc = o->crc,
                           .disabled = disabled,
                           .budget = &c->run.memory};
  const observe_hooks hooks = {
      .ctx = c, .finding = check_finding, .closed = check_closed, .limit = check_limit};
  c->report = (report_check){.out = &c->out,
                             .verbosity = o->quiet     ? REPORT_QUIET
                                          : o->verbose ? REPORT_VERBOSE
                                                       : REPORT_NORMAL,
                             .octets = o->octets,
                             .verdicts = o->fields,
                             .color = run_color(o->color),
                             .advice = c->advice,
                             .clock = {.times = o->times, .capture_ns = &c->run.began_ns},
                             .level = o->level,
                             .max_findings = o->max_findings,
                             .same = check_same(o),
                             .input = check_bounded(o) ? &c->run.input : NULL};
  c->run = (run){.o = o,
                 .observe = observe_new(&cfg, &hooks),
                 .names = capture_names_make(o->operands, o->num_operands),
                 .out = &c->out,
                 .findings = c->totals.findings,
                 .memory = {.limit = o->memory},
                 .out_is_terminal = isatty(STDOUT_FILENO) != 0};
  c->out.before_write = check_before_write;
  progress_enable(run_progress(o->progress, false));
  const bool ready = c->run.observe != NULL && c->run.names != NULL;
  const int status = ready ? check_files(c) : EXIT_INTERNAL;
  observe_free(c->run.observe);
  capture_names_free(c->run.names, o->num_operands);
  return status;
}

/* What the pages of the rules advise; NULL: no memory. */
static report_advice *check_advice(void) {
  report_advice *advice = calloc((size_t)iwarp_rule_count() + 1, sizeof *advice);
  for (size_t i = 0; advice != NULL && i < iwarp_rule_page_count; i++) {
    const struct iwarp_embedded_page *page = &iwarp_rule_pages[i];
    const iwarp_rule *rule = iwarp_rule_find(page->name);
    if (rule != NULL) {
      advice[rule->id] = (report_advice){.cause = page->cause,
                                         .effect = page->effect,
                                         .operator_do = page->operator_do,
                                         .implementer_do = page->implementer_do};
    }
  }
  return advice;
}

int cmd_check(const opts *o) {
  char error[PCAP_SRC_ERROR_LEN] = "";
  check_state c = {.o = o};
  c.format = o->format == OPTS_JSONL ? &report_format_jsonl : &report_format_text;
  if (o->filter != NULL && !pcap_src_filter_check(o->filter, error)) {
    diag("-f: %s", error);
    return EXIT_USAGE;
  }
  bool *disabled = rule_set_make(o);
  if (disabled == NULL) {
    return EXIT_USAGE;
  }
  c.advice = check_advice();
  c.totals.rules = calloc((size_t)iwarp_rule_count() + 1, sizeof *c.totals.rules);
  int status = EXIT_INTERNAL;
  if (c.totals.rules != NULL && c.advice != NULL && out_open_fd(&c.out, STDOUT_FILENO)) {
    status = check_run(&c, disabled);
    out_close(&c.out);
  }
  free(c.totals.rules);
  free(c.advice);
  free(disabled);
  return status;
}
