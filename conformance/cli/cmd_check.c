/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp check: findings, verdicts and the exit status that tells them. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <unistd.h>

#include <diagnose/diagnose.h>
#include <ingest/pcap_src.h>
#include <iwarp/crc32c.h>
#include <memory/memory.h>
#include <report/finding.h>
#include <report/place.h>
#include <report/run.h>
#include <report/shard.h>
#include <report/traits_of.h>

#include "annotate.h"
#include "check_status.h"
#include "commands.h"
#include "diag.h"
#include "digest.h"
#include "embedded.h"
#include "encap.h"
#include "join.h"
#include "known.h"
#include "opts_table.h"
#include "progress.h"
#include "report_files.h"
#include "rule_set.h"
#include "run.h"

typedef struct check_state {
  const opts *o;
  report_run reports;
  report_advice *advice; /* advice by rule */
  known known;
  report_spots spots;   /* spots of the command baseline */
  const bool *disabled; /* disabled rules, by rule */
  out_buf out;
  out_buf missing; /* lines of the baseline that were not found, in words */
  run run;
  observe_conn capture; /* the current capture: only `file` and `parts` */
  report_differs differs;
  report_transports transports; /* TCP connections of the capture without iWARP */
  report_shard shard;           /* --shard */
  bool read_whole;              /* standard output did not end the reading */
  bool any_read;                /* some capture could be opened: there is something to sum up */
  const char *undecided;        /* why the first capture that was undecided was, or NULL */
} check_state;

/* ---- results ---- */

/* Returns true if --conn keeps the connection. */
static bool check_wants(const check_state *c, const observe_conn *conn) {
  return c->o->num_conns == 0 || (conn->numbered && opts_wants_conn(c->o, conn->number));
}

static void check_numbered(void *ctx, observe_conn *conn) {
  check_state *c = ctx;
  if (!check_wants(c, conn)) {
    return;
  }
  conn->file = report_place_of(conn, conn->packet).file;
  report_run_numbered(&c->reports, conn);
}

static void check_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  check_state *c = ctx;
  if (check_wants(c, conn)) {
    report_run_event(&c->reports, conn, ev);
  }
}

/* Text waits for the end of a connection. So somebody who watches an interface gets a line before
 * that, as a message. */
static void check_at_once(const check_state *c, const observe_conn *conn,
                          const iwarp_finding *finding) {
  const iwarp_rule *rule = iwarp_rule_get(finding->rule);
  const bool text = c->o->report == report_formats[0] && !c->o->quiet;
  if (c->o->interface == NULL || !text || rule->severity < c->o->level) {
    return;
  }
  out_buf line;
  out_open_memory(&line);
  report_finding_weight(&line, finding, conn->known);
  out_str(&line, ": ");
  report_finding_line(&line, conn, finding);
  progress_erase();
  diag("%s:%llu: conn %llu: %.*s [%s]", conn->file, (unsigned long long)finding->last.packet,
       (unsigned long long)conn->number, (int)line.len, line.len > 0 ? line.buf : "", rule->slug);
  out_close(&line);
}

static void check_finding(void *ctx, observe_conn *conn, const iwarp_finding *finding,
                          const iwarp_event *ev) {
  check_state *c = ctx;
  if (!check_wants(c, conn)) {
    return;
  }
  conn->known = iwarp_finding_suspected(finding) ? NULL : known_find(&c->known, conn, finding);
  check_at_once(c, conn, finding);
  report_run_finding(&c->reports, conn, finding, ev);
}

/* A connection ended in these ways. */
static void check_named(check_state *c, uint32_t ends) {
  c->reports.totals.named += (ends & c->o->fail_on_outcome) != 0 ? 1u : 0u;
}

static void check_closed(void *ctx, observe_conn *conn) {
  check_state *c = ctx;
  if (check_wants(c, conn)) {
    check_named(c, iwarp_diagnose_ends(conn));
    report_run_closed(&c->reports, conn);
  }
}

/* --conn keeps no connection that has no number. */
static void check_limit(void *ctx, const char *name, uint64_t n) {
  check_state *c = ctx;
  if (c->o->num_conns > 0 && !report_limit_is_of_captures(name)) {
    return;
  }
  report_limits_add(&c->reports.totals.given_up, name, n);
}

static void check_differ(void *ctx, observe_conn *conn, const observe_differ *what) {
  check_state *c = ctx;
  if (c->o->num_conns > 0 && (conn == NULL || !check_wants(c, conn))) {
    return;
  }
  report_trait trait;
  if (report_differs_add(&trait, &c->differs, what)) {
    trait.conn = conn != NULL && conn->numbered ? conn : NULL;
    report_run_trait(&c->reports, &trait);
  }
}

static void check_transport(void *ctx, const observe_transport *what) {
  check_state *c = ctx;
  if (c->o->num_conns == 0) {
    check_named(c, iwarp_diagnose_transport_ends(what));
    report_transports_add(&c->transports, what);
  }
}

static void check_before_write(void *ctx) {
  (void)ctx;
  progress_erase();
}

/* ---- the exit status ---- */

static bool check_fails(const opts *o, iwarp_severity severity) {
  switch (o->fail_on) {
  case OPTS_FAIL_MUST: return severity >= IWARP_SEVERITY_VIOLATION;
  case OPTS_FAIL_SHOULD: return severity >= IWARP_SEVERITY_WARNING;
  case OPTS_FAIL_NOTE: return true;
  case OPTS_FAIL_NEVER: break;
  }
  return false;
}

/* The totals as they are, so that what a capture adds is known. */
static report_capture check_so_far(const check_state *c) {
  const report_totals *totals = &c->reports.totals;
  report_capture so_far = {.given_up = report_limits_sum(&totals->given_up),
                           .undecodable = totals->undecodable,
                           .proven = totals->proven,
                           .decided = totals->decided,
                           .named = totals->named};
  for (unsigned int i = 0; i < OBSERVE_SEVERITIES; i++) {
    const uint64_t suspected = c->o->fail_on_suspected ? totals->suspected[i] : 0;
    so_far.violated += check_fails(c->o, (iwarp_severity)i) ? totals->findings[i] + suspected : 0;
  }
  return so_far;
}

static report_capture check_added(const report_capture *before, const report_capture *after) {
  return (report_capture){.violated = after->violated - before->violated,
                          .given_up = after->given_up - before->given_up,
                          .undecodable = after->undecodable - before->undecodable,
                          .proven = after->proven - before->proven,
                          .decided = after->decided - before->decided,
                          .named = after->named - before->named};
}

/* What a capture came to, once for each of its files: --join makes one of several. */
static size_t check_files_of(const opts *o) {
  return o->join ? o->num_operands : 1;
}

static void check_capture_begin(check_state *c, size_t i) {
  c->capture = (observe_conn){.file = c->run.names[i], .parts = c->o->join ? &c->run.parts : NULL};
  c->differs = report_differs_new(&c->capture);
  c->transports.num = 0;
}

/* Counts tags and tunnels, and pairs of hosts with RoCEv2. */
static void check_encap(check_state *c) {
  ingest_encap all = c->run.stats.encap[0];
  ingest_encap_add(&all, &c->run.stats.encap[1]);
  encap_add(c->reports.totals.layers, &all);
  for (size_t i = 0; i < all.num_roce; i++) {
    observe_transport what;
    observe_datagrams(&what, &all.roce[i]);
    report_transports_add(&c->transports, &what);
  }
}

static void check_trait(void *ctx, const report_trait *trait) {
  check_state *c = ctx;
  report_run_trait(&c->reports, trait);
}

/* Each shard reads all packets of the capture, so only shard 0 reports what counts packets. */
static void check_capture_end(check_state *c) {
  const report_traits_source traits = {.capture = &c->capture,
                                       .stats = &c->run.stats,
                                       .packets = c->run.packets,
                                       .backwards = c->run.facts.backwards,
                                       .cut = c->run.facts.cut,
                                       .snaplen = c->run.facts.snaplen,
                                       .link_name = pcap_src_link_name};
  if (c->differs.more.count > 0) {
    report_run_trait(&c->reports, &c->differs.more);
  }
  if (c->o->shard == 0) {
    report_traits_each(&traits, check_trait, c);
    check_encap(c);
  }
  report_run_transports(&c->reports, &c->capture, &c->transports);
}

static int check_file(check_state *c, size_t i) {
  const report_capture before = check_so_far(c);
  check_capture_begin(c, i);
  const run_result result = run_capture(&c->run, i);
  check_capture_end(c);
  const report_capture after = check_so_far(c);
  report_capture capture = check_added(&before, &after);
  capture.failed = (uint64_t)result;
  c->reports.totals.files += check_files_of(c->o);
  c->any_read = c->any_read || result != RUN_UNREADABLE;
  for (size_t n = 0; c->shard.captures != NULL && n < check_files_of(c->o); n++) {
    c->shard.captures[c->shard.num_captures++] = capture;
  }
  return check_capture_status(&capture, &c->undecided);
}

/* Standard output and all other files must hold what was written. */
static int check_written(check_state *c, int status) {
  return run_output_ok(&c->out) ? status : check_worse(status, EXIT_USAGE);
}

/* Counts the lines of the baseline that were not found, for the reports too. */
static void check_missing(check_state *c) {
  report_totals *totals = &c->reports.totals;
  out_open_memory(&c->missing);
  totals->xpass = known_missing(&c->known, c->o, c->run.names, c->disabled, &c->missing);
  out_char(&c->missing, 0);
  totals->missing = totals->xpass > 0 && c->missing.error == 0 ? c->missing.buf : NULL;
}

/* A digest of the names of all captures of the run, not of this part alone. */
static uint64_t check_names(const check_state *c) {
  uint32_t crc = 0;
  for (size_t i = 0; i < c->o->num_operands; i++) {
    crc = digest_text(crc, c->run.names[i]);
  }
  return crc;
}

static int check_files(check_state *c) {
  const size_t captures = run_captures(&c->run);
  const size_t end = c->o->captures_end < captures ? c->o->captures_end : captures;
  const size_t begin = c->o->captures_begin;
  int status = begin < end ? check_file(c, begin) : EXIT_OK;
  for (size_t i = begin + 1; i < end && !run_ends(&c->run); i++) {
    status = check_worse(status, check_file(c, i));
  }
  c->read_whole = c->out.error == 0; /* reading stops when the output cannot be written */
  if (c->o->shards == 0) {           /* else another shard may have met them */
    run_ports_met(&c->run);
  }
  run_memory_wanted(&c->run);
  status = run_ends(&c->run) || run_conns_met(&c->run) ? status : check_worse(status, EXIT_USAGE);
  check_missing(c);
  status = check_run_status(status, c->o->require_decided, &c->reports.totals, &c->undecided);
  c->shard.digest = c->run.digest;
  c->shard.names = check_names(c);
  c->reports.totals.packets = c->run.totals.packets;
  c->reports.totals.octets = c->run.totals.octets;
  c->reports.totals.verdict = check_verdict(status);
  c->reports.totals.undecided = status == EXIT_UNDECIDED ? c->undecided : NULL;
  if (c->o->command != COMMAND_TIMELINE) {
    report_run_summary(&c->reports, c->any_read);
  }
  return check_written(c, status);
}

/* ---- the command ---- */

/* What shows octets of PDUs has to see them where they were decoded. Captures that overlap are read
 * by one job. */
static unsigned int check_jobs(const check_state *c) {
  const opts *o = c->o;
  const bool octets = o->octets || o->verbose || report_run_wants_pdus(&c->reports);
  const bool one = octets || (o->join && o->jobs > 1 && join_overlaps(o));
  return one ? 1 : o->jobs;
}

/* Reads the captures into the reports. */
static int check_observe(check_state *c, const bool *disabled) {
  const opts *o = c->o;
  const observe_cfg cfg = {.ports = o->any_port ? o->ports : NULL,
                           .markers = o->markers,
                           .crc = o->crc,
                           .disabled = disabled,
                           .budget = &c->run.memory};
  const observe_hooks hooks = {.ctx = c,
                               .numbered = check_numbered,
                               .event = report_run_wants_pdus(&c->reports) ? check_event : NULL,
                               .finding = check_finding,
                               .closed = check_closed,
                               .limit = check_limit,
                               .differ = check_differ,
                               .transport = check_transport};
  const jobs_cfg cfg_jobs = {.num = check_jobs(c),
                             .observe = cfg,
                             .hooks = hooks,
                             .now = &c->run.now,
                             .shard = o->shard,
                             .shards = o->shards};
  c->run.findings = c->reports.totals.findings;
  const bool ready = run_open(&c->run, &cfg_jobs);
  report_run_begin(&c->reports);
  const int status = ready ? check_files(c) : EXIT_INTERNAL;
  run_close(&c->run);
  return status;
}

/* The report on standard output, whose settings the reports in files take. */
static report_check check_standard(check_state *c) {
  const opts *o = c->o;
  report_check standard = {.out = &c->out,
                           .command = command_rows[o->command].name,
                           .verbosity = o->quiet     ? REPORT_QUIET
                                        : o->verbose ? REPORT_VERBOSE
                                                     : REPORT_NORMAL,
                           .octets = o->octets,
                           .verdicts = o->fields,
                           .color = run_color(o->color),
                           .spots = &c->spots,
                           .advice = c->advice,
                           .clock = {.times = o->times, .capture_ns = &c->run.began_ns},
                           .level = o->level,
                           .max_findings = o->max_findings,
                           .input = &c->run.now.input,
                           .shard = o->shards > 0 ? &c->shard : NULL};
  for (unsigned int i = 0; i < OBSERVE_SEVERITIES; i++) {
    standard.fails[i] = check_fails(o, (iwarp_severity)i);
  }
  return standard;
}

/* Opens all that is written to, before anything is read. */
static int check_open(check_state *c, report_files *files, annotate *comments) {
  const report_check standard = check_standard(c);
  report_rule_total *rules = c->reports.totals.rules;
  const report_files_result opened = report_files_open(files, c->o, &standard);
  const annotate_result annotated = annotate_open(comments, c->o);
  if (opened == REPORT_FILES_UNUSABLE || annotated == ANNOTATE_UNUSABLE ||
      (comments->file.fd >= 0 && !report_files_is_new(files, &comments->file))) {
    return EXIT_USAGE;
  }
  if (opened == REPORT_FILES_NO_MEMORY || annotated == ANNOTATE_NO_MEMORY) {
    return EXIT_INTERNAL;
  }
  if (comments->comments != NULL) {
    const report_output output = annotate_output(comments, &standard);
    report_files_add(files, &output);
  }
  c->reports = report_files_run(files);
  c->reports.totals.rules = rules;
  return EXIT_OK;
}

/* How many packets are copied with comments: no more than were judged. */
static uint64_t check_packets(const check_state *c) {
  return c->run.interrupted ? c->run.totals.packets : c->o->max_packets;
}

static int check_run(check_state *c, const bool *disabled) {
  const opts *o = c->o;
  report_files files;
  annotate comments;
  c->run = (run){.o = o,
                 .out = &c->out,
                 .memory = {.limit = o->memory},
                 .out_is_terminal = isatty(STDOUT_FILENO) != 0};
  bool whole = false;
  bool annotated = true;
  int status = check_open(c, &files, &comments);
  c->run.ends = comments.ends;
  if (status == EXIT_OK) {
    c->out.before_write = check_before_write;
    progress_enable(run_progress(o->progress, false));
    status = check_observe(c, disabled);
    whole = status != EXIT_INTERNAL && c->read_whole;
    annotated = annotate_write(&comments, check_packets(c));
  }
  const bool written = report_files_close(&files, whole);
  const bool closed = annotate_close(&comments, whole && annotated);
  return written && closed && annotated ? status : check_worse(status, EXIT_USAGE);
}

/* What the pages of the rules advise; NULL: no memory. */
static report_advice *check_advice(void) {
  report_advice *advice = memory_zeroed((size_t)iwarp_rule_count() + 1, sizeof *advice);
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

/* A number for all words of the command line by which results may differ. */
static uint64_t check_options(const opts *o) {
  uint32_t crc = 0;
  const uint64_t numbers[] = {o->max_packets,
                              (uint64_t)o->level,
                              (uint64_t)o->fail_on,
                              (uint64_t)o->markers,
                              (uint64_t)o->crc,
                              o->fail_on_outcome,
                              (o->quiet ? 1u : 0u) + (o->join ? 2u : 0u) +
                                  (o->fail_on_suspected ? 4u : 0u),
                              o->memory,
                              o->max_unpacked.octets,
                              o->max_unpacked.times};
  const char *const texts[] = {o->filter, o->profile};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    crc = digest_number(crc, numbers[i]);
  }
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    crc = digest_text(crc, texts[i]);
  }
  for (size_t i = 0; i < o->num_only; i++) {
    crc = digest_text(crc, o->only[i]);
  }
  for (size_t i = 0; i < o->num_exclude; i++) {
    crc = digest_text(digest_number(crc, i), o->exclude[i]);
  }
  for (size_t i = 0; i < o->num_tunnels; i++) {
    crc = digest_number(crc, (uint64_t)o->tunnels[i].port << 32 | o->tunnels[i].layer);
  }
  return iwarp_crc32c(crc, o->ports, sizeof o->ports);
}

/* Which part of the run this is. False: no memory. */
static bool check_shard(check_state *c) {
  const opts *o = c->o;
  if (o->shards == 0) {
    return true;
  }
  c->shard = (report_shard){.index = o->shard,
                            .of = o->shards,
                            .first = o->captures_begin,
                            .all = o->num_operands,
                            .options = check_options(o),
                            .require_decided = o->require_decided,
                            .event = &c->run.now.event,
                            .captures = memory_zeroed(o->num_operands, sizeof *c->shard.captures)};
  return c->shard.captures != NULL;
}

int cmd_check(const opts *o) {
  char error[PCAP_SRC_ERROR_LEN] = "";
  check_state c = {.o = o};
  if (o->filter != NULL && !pcap_src_filter_check(o->filter, error)) {
    diag("-f: %s", error);
    return EXIT_USAGE;
  }
  if (o->captures_end != SIZE_MAX && o->captures_end > o->num_operands) {
    diag("--captures %zu-%zu: there are %zu captures, numbered from 0 on", o->captures_begin,
         o->captures_end - 1, o->num_operands);
    return EXIT_USAGE;
  }
  if (!join_sort(o)) {
    return EXIT_USAGE;
  }
  bool *disabled = rule_set_make(o);
  if (disabled == NULL || !known_open(&c.known, o)) {
    known_close(&c.known);
    free(disabled);
    return EXIT_USAGE;
  }
  c.disabled = disabled;
  c.advice = check_advice();
  c.reports.totals.rules =
      memory_zeroed((size_t)iwarp_rule_count() + 1, sizeof *c.reports.totals.rules);
  int status = EXIT_INTERNAL;
  if (c.reports.totals.rules != NULL && c.advice != NULL && check_shard(&c) &&
      out_open_fd(&c.out, STDOUT_FILENO)) {
    status = check_run(&c, disabled);
    if (c.run.limited &&
        o->command != COMMAND_CHECK) { /* baseline, timeline: not the whole of it */
      status = check_worse(status, EXIT_USAGE);
    }
    out_close(&c.missing);
    out_close(&c.out);
  }
  free(c.reports.totals.rules);
  free(c.shard.captures);
  report_spots_free(&c.spots);
  free(c.advice);
  free(disabled);
  known_close(&c.known);
  return status;
}

int cmd_observe(const opts *o) {
  const int status = cmd_check(o);
  return status == EXIT_USAGE || status == EXIT_INTERNAL ? status : EXIT_OK;
}
