/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp stats: figures of each connection. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <unistd.h>

#include <ingest/pcap_src.h>
#include <memory/memory.h>
#include <report/limits.h>
#include <report/run_line.h>
#include <report/stats.h>

#include "commands.h"
#include "diag.h"
#include "join.h"
#include "progress.h"
#include "run.h"

enum { STATS_COUNT_PACKETS = 64 }; /* between two looks at the memory of a connection */

typedef struct stats_state {
  const opts *o;
  out_buf *out;
  observe_budget *memory;
  stats_cfg cfg;
  report_limits given_up; /* connections of the capture that is read */
} stats_state;

/* A connection and its memory that the budget counts. */
typedef struct stats_kept {
  stats *s;
  size_t counted;
  bool ended; /* its figures were printed */
} stats_kept;

static stats_kept *kept_new(const stats_state *d) {
  stats_kept *kept = memory_zeroed(1, sizeof *kept);
  if (kept != NULL) {
    kept->s = stats_new(&d->cfg);
  }
  return kept;
}

static void kept_count(const stats_state *d, stats_kept *kept, size_t now) {
  d->memory->engines += now;
  d->memory->engines -= kept->counted;
  kept->counted = now;
}

static void kept_free(const stats_state *d, stats_kept *kept) {
  if (kept != NULL) {
    kept_count(d, kept, 0);
    stats_free(kept->s);
  }
  free(kept);
}

static void stats_on_packet(void *ctx, void **slot, const observe_headers *packet) {
  const stats_state *d = ctx;
  if (*slot == NULL) {
    *slot = kept_new(d);
  }
  stats_kept *kept = *slot;
  if (kept == NULL || kept->s == NULL) {
    return;
  }
  stats_packet(kept->s, packet);
  if (stats_now(kept->s)->packets % STATS_COUNT_PACKETS == 1) {
    kept_count(d, kept, stats_memory(kept->s));
  }
}

static void stats_on_forgotten(void *ctx, void *slot) {
  kept_free(ctx, slot);
}

/* Over SCTP no packets are shown: a connection has its events alone. */
static stats_kept *kept_of(const stats_state *d, observe_conn *conn) {
  if (!conn->info->sctp) {
    return conn->packets;
  }
  if (conn->user == NULL) {
    conn->user = kept_new(d);
  }
  return conn->user;
}

static void stats_on_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  const stats_kept *kept = kept_of(ctx, conn);
  if (!memory_ran_out() && kept != NULL && kept->s != NULL && !kept->ended) {
    stats_event(kept->s, conn, ev);
  }
}

static void stats_on_interval(void *ctx, const observe_conn *conn, const stats_interval *interval) {
  const stats_state *d = ctx;
  const stats_kept *kept = conn->info->sctp ? conn->user : conn->packets;
  if (!opts_wants_conn(d->o, conn->number) || memory_ran_out()) {
    return;
  }
  const uint8_t first = stats_first(kept->s, conn);
  if (d->o->stats == OPTS_STATS_JSONL) {
    report_stats_interval_json(d->out, conn, first, d->cfg.interval_ns, interval);
  } else {
    report_stats_interval_text(d->out, conn, first, d->cfg.interval_ns, interval);
  }
}

static void stats_print(const stats_state *d, const observe_conn *conn, const stats *s) {
  const report_stats_conn c = {
      .conn = conn, .figures = stats_now(s), .first = stats_first(s, conn)};
  if (d->o->stats == OPTS_STATS_JSONL) {
    report_stats_json(d->out, &c);
  } else {
    report_stats_text(d->out, &c);
  }
}

static void stats_on_closed(void *ctx, observe_conn *conn) {
  stats_state *d = ctx;
  stats_kept *kept = kept_of(d, conn);
  const bool wanted = opts_wants_conn(d->o, conn->number);
  if (conn->given_up != NULL && !conn->recounted && wanted) {
    report_limits_add(&d->given_up, conn->given_up, 1);
  }
  if (kept != NULL && kept->s != NULL && !kept->ended && !memory_ran_out()) {
    stats_end(kept->s, conn);
    kept->ended = true;
    if (wanted) {
      stats_print(d, conn, kept->s);
    }
  }
  if (conn->info->sctp) {
    kept_free(d, kept);
    conn->user = NULL;
  }
}

static void stats_on_limit(void *ctx, const char *name, uint64_t n) {
  stats_state *d = ctx;
  if (d->o->num_conns == 0 || report_limit_is_of_captures(name)) {
    report_limits_add(&d->given_up, name, n);
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
  return run_status(r, status);
}

static int stats_run(const opts *o, out_buf *out) {
  run r = {.o = o,
           .out = out,
           .memory = {.limit = o->memory},
           .sees_packets = true,
           .out_is_terminal = isatty(STDOUT_FILENO) != 0};
  stats_state d = {.o = o,
                   .out = out,
                   .memory = &r.memory,
                   .cfg = {.interval_ns = o->interval_ns, .interval = stats_on_interval}};
  const observe_cfg cfg = {.ports = o->any_port ? o->ports : NULL,
                           .markers = o->markers,
                           .crc = o->crc,
                           .budget = &r.memory};
  const observe_hooks hooks = {.ctx = &d,
                               .event = stats_on_event,
                               .closed = stats_on_closed,
                               .limit = stats_on_limit,
                               .packet = stats_on_packet,
                               .forgotten = stats_on_forgotten};
  const jobs_cfg one = {.num = 1, .observe = cfg, .hooks = hooks, .now = &r.now};
  d.cfg.ctx = &d;
  out->before_write = stats_before_write;
  progress_enable(run_progress(o->progress, r.out_is_terminal));
  const bool ready = run_open(&r, &one);
  if (o->stats == OPTS_STATS_JSONL) {
    report_run_line(out, "stats");
  }
  const int status = ready ? stats_files(&r, &d) : EXIT_INTERNAL;
  run_close(&r);
  return status;
}

int cmd_stats(const opts *o) {
  out_buf out;
  char error[PCAP_SRC_ERROR_LEN] = "";
  if (o->filter != NULL && !pcap_src_filter_check(o->filter, error)) {
    diag("-f: %s", error);
    return EXIT_USAGE;
  }
  if (!join_sort(o)) {
    return EXIT_USAGE;
  }
  if (!out_open_fd(&out, STDOUT_FILENO)) {
    return EXIT_INTERNAL;
  }
  const int status = stats_run(o, &out);
  out_close(&out);
  return status;
}
