/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp stats: figures of each connection. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <ingest/pcap_src.h>
#include <memory/memory.h>
#include <report/limits.h>
#include <report/run_line.h>

#include "commands.h"
#include "diag.h"
#include "join.h"
#include "output_file.h"
#include "progress.h"
#include "run.h"
#include "stats_conns.h"

#define STATS_TICK_NS UINT64_C(1000000000) /* default of --interval with -i */
#define STATS_SECOND_NS UINT64_C(1000000000)

typedef struct stats_state {
  const opts *o;
  out_buf *out;
  stats_conns conns;
  report_limits given_up; /* connections of the capture that is read */
  uint64_t next_ns;       /* -i: time of the next page of metrics */
  bool unwritten;         /* the metrics could not be written */
  uint64_t left_out;      /* connections that the page has no room for */
} stats_state;

/* ---- metrics ---- */

static void stats_write_metrics(stats_state *d) {
  output_file file = OUTPUT_FILE_NONE;
  out_buf out;
  report_metrics *sum = stats_conns_sum(&d->conns);
  bool written = sum != NULL && output_file_open(&file, d->o->metrics, d->o);
  if (written && out_open_fd(&out, file.fd)) {
    report_metrics_put(&out, sum, d->o->metrics_label);
    out_flush(&out);
    written = output_file_close(&file, out.error);
    out_close(&out);
  } else {
    output_file_discard(&file);
    written = false;
  }
  d->unwritten = d->unwritten || !written;
  free(sum);
}

static uint64_t stats_clock(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * STATS_SECOND_NS + (uint64_t)now.tv_nsec;
}

/* With -i the metrics are written at the start and again each interval, whether packets come or
 * not. So a counter is seen before it moves, and the time of the file tells that the tool runs. */
static void stats_tick(void *ctx) {
  stats_state *d = ctx;
  if (d->conns.ended == NULL || d->o->interface == NULL) {
    return;
  }
  const uint64_t now = stats_clock();
  if (now >= d->next_ns) {
    d->next_ns = now + (d->o->interval_ns > 0 ? d->o->interval_ns : STATS_TICK_NS);
    stats_write_metrics(d);
  }
}

/* ---- hooks ---- */

static void stats_on_packet(void *ctx, void **slot, const observe_headers *packet) {
  stats_state *d = ctx;
  stats_tick(d);
  stats_conns_packet(&d->conns, slot, packet);
}

static void stats_on_forgotten(void *ctx, void *slot) {
  stats_state *d = ctx;
  stats_conns_forgotten(&d->conns, slot);
}

static void stats_on_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  stats_state *d = ctx;
  stats_conns_event(&d->conns, conn, ev);
}

static void stats_on_fpdu(void *ctx, observe_conn *conn, const iwarp_observer_fpdu *fpdu,
                          const iwarp_link *link) {
  (void)link;
  stats_state *d = ctx;
  stats_conns_fpdu(&d->conns, conn, fpdu);
}

static void stats_on_interval(void *ctx, const observe_conn *conn, const stats_interval *interval) {
  const stats_state *d = ctx;
  if (!opts_wants_conn(d->o, conn->number) || memory_ran_out()) {
    return;
  }
  const uint8_t first = stats_conns_first(conn);
  const uint64_t width = d->conns.cfg.interval_ns;
  if (d->o->stats == OPTS_STATS_JSONL) {
    report_stats_interval_json(d->out, conn, first, width, interval);
  } else if (d->o->stats == OPTS_STATS_CSV) {
    report_stats_interval_csv(d->out, conn, first, width, interval);
  } else if (d->o->stats == OPTS_STATS_TEXT) {
    report_stats_interval_text(d->out, conn, first, width, interval);
  }
}

static void stats_print(stats_state *d, const report_stats_conn *c) {
  if (d->o->stats == OPTS_STATS_JSONL) {
    report_stats_json(d->out, c);
  } else if (d->o->stats == OPTS_STATS_TEXT) {
    report_stats_text(d->out, c);
  } else if (d->o->stats == OPTS_STATS_HTML) {
    d->left_out += report_stats_html(d->out, c) ? 0u : 1u;
  } else if (d->o->interval_ns == 0) {
    report_stats_csv(d->out, c);
  }
}

static void stats_on_closed(void *ctx, observe_conn *conn) {
  stats_state *d = ctx;
  report_stats_conn c;
  if (conn->given_up != NULL && !conn->recounted && opts_wants_conn(d->o, conn->number)) {
    report_limits_add(&d->given_up, conn->given_up, 1);
  }
  if (stats_conns_end(&d->conns, conn, &c)) {
    stats_print(d, &c);
  }
  stats_conns_closed(&d->conns, conn);
}

static void stats_on_limit(void *ctx, const char *name, uint64_t n) {
  stats_state *d = ctx;
  if (d->o->num_conns == 0 || report_limit_is_of_captures(name)) {
    report_limits_add(&d->given_up, name, n);
  }
}

static void stats_begin(const stats_state *d) {
  if (d->o->stats == OPTS_STATS_JSONL) {
    report_run_line(d->out, "stats");
  } else if (d->o->stats == OPTS_STATS_CSV && d->o->interval_ns > 0) {
    report_stats_interval_csv_header(d->out);
  } else if (d->o->stats == OPTS_STATS_CSV) {
    report_stats_csv_header(d->out);
  } else if (d->o->stats == OPTS_STATS_HTML) {
    report_stats_html_begin(d->out);
  }
}

static void stats_before_write(void *ctx) {
  (void)ctx;
  progress_erase();
}

static int stats_files(run *r, stats_state *d) {
  int status = EXIT_OK;
  for (size_t i = 0; i < run_captures(r) && !run_ends(r); i++) {
    const run_result result = run_capture(r, i);
    run_tell_limits(r, i, &d->given_up);
    if (result != RUN_OK && status != EXIT_INTERNAL) {
      status = result == RUN_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE;
    }
  }
  if (d->o->stats == OPTS_STATS_HTML && !memory_ran_out()) {
    report_stats_html_end(d->out, d->left_out);
  }
  return run_status(r, status);
}

static int stats_run(const opts *o, out_buf *out) {
  run r = {.o = o,
           .out = out,
           .memory = {.limit = o->memory},
           .sees_packets = true,
           .idle = stats_tick,
           .out_is_terminal = isatty(STDOUT_FILENO) != 0};
  stats_state d = {.o = o,
                   .out = out,
                   .conns = {.o = o,
                             .memory = &r.memory,
                             .cfg = {.interval_ns = o->interval_ns,
                                     .plots = o->stats == OPTS_STATS_HTML,
                                     .interval = stats_on_interval}}};
  const observe_cfg cfg = {.ports = o->any_port ? o->ports : NULL,
                           .markers = o->markers,
                           .crc = o->crc,
                           .budget = &r.memory,
                           .unexplained = true};
  const observe_hooks hooks = {.ctx = &d,
                               .event = stats_on_event,
                               .fpdu = stats_on_fpdu,
                               .closed = stats_on_closed,
                               .limit = stats_on_limit,
                               .packet = stats_on_packet,
                               .forgotten = stats_on_forgotten};
  const jobs_cfg one = {.num = 1, .observe = cfg, .hooks = hooks, .now = &r.now};
  d.conns.cfg.ctx = &d;
  r.idle_ctx = &d;
  out->before_write = stats_before_write;
  progress_enable(run_progress(o->progress, r.out_is_terminal));
  const bool ready = run_open(&r, &one);
  d.conns.ended = o->metrics != NULL ? memory_zeroed(1, sizeof *d.conns.ended) : NULL;
  stats_begin(&d);
  stats_tick(&d);
  const int status = ready ? stats_files(&r, &d) : EXIT_INTERNAL;
  if (d.conns.ended != NULL && !memory_ran_out()) {
    stats_write_metrics(&d);
  }
  free(d.conns.ended);
  run_close(&r);
  return d.unwritten && status == EXIT_OK ? EXIT_USAGE : status;
}

/* A file that cannot be written ends the run before it reads anything. */
static bool stats_may_write(const opts *o) {
  output_file file = OUTPUT_FILE_NONE;
  const bool may = o->metrics == NULL || output_file_open(&file, o->metrics, o);
  output_file_discard(&file);
  return may;
}

int cmd_stats(const opts *o) {
  out_buf out;
  char error[PCAP_SRC_ERROR_LEN] = "";
  if (o->filter != NULL && !pcap_src_filter_check(o->filter, error)) {
    diag("-f: %s", error);
    return EXIT_USAGE;
  }
  if (!join_sort(o) || !stats_may_write(o)) {
    return EXIT_USAGE;
  }
  if (!out_open_fd(&out, STDOUT_FILENO)) {
    return EXIT_INTERNAL;
  }
  const int status = stats_run(o, &out);
  out_close(&out);
  return status;
}
