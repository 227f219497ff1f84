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
#include <report/stats_metrics.h>

#include "commands.h"
#include "diag.h"
#include "join.h"
#include "output_file.h"
#include "progress.h"
#include "run.h"

enum { STATS_COUNT_PACKETS = 64 }; /* between two looks at the memory of a connection */

#define STATS_TICK_NS UINT64_C(1000000000) /* of --metrics with -i, without --interval */

typedef struct stats_state {
  const opts *o;
  out_buf *out;
  observe_budget *memory;
  stats_cfg cfg;
  report_limits given_up;  /* connections of the capture that is read */
  report_metrics *metrics; /* of connections that ended; NULL: not wanted */
  struct stats_kept *open; /* the connections that have not ended */
  uint64_t next_ns;        /* with -i: when the metrics are written again */
  bool unwritten;          /* the metrics could not be written */
} stats_state;

/* A connection and its memory that the budget counts. */
typedef struct stats_kept {
  stats *s;
  size_t counted;
  bool ended;                         /* its figures were printed */
  const observe_conn *conn;           /* once it has a number */
  struct stats_kept *previous, *next; /* in stats_state.open */
} stats_kept;

static stats_kept *kept_new(stats_state *d) {
  stats_kept *kept = memory_zeroed(1, sizeof *kept);
  if (kept != NULL) {
    kept->s = stats_new(&d->cfg);
    kept->next = d->open;
    if (d->open != NULL) {
      d->open->previous = kept;
    }
    d->open = kept;
  }
  return kept;
}

static void kept_count(const stats_state *d, stats_kept *kept, size_t now) {
  d->memory->engines += now;
  d->memory->engines -= kept->counted;
  kept->counted = now;
}

static void kept_free(stats_state *d, stats_kept *kept) {
  if (kept != NULL) {
    *(kept->previous != NULL ? &kept->previous->next : &d->open) = kept->next;
    if (kept->next != NULL) {
      kept->next->previous = kept->previous;
    }
    kept_count(d, kept, 0);
    stats_free(kept->s);
  }
  free(kept);
}

/* ---- metrics ---- */

static report_stats_conn stats_conn(const observe_conn *conn, const stats *s) {
  return (report_stats_conn){.conn = conn, .figures = stats_now(s), .first = stats_first(s, conn)};
}

/* The metrics of connections that ended, and what is certain of the others. NULL: no memory. */
static report_metrics *stats_sum(const stats_state *d) {
  report_metrics *sum = memory_get(sizeof *sum);
  if (sum != NULL) {
    *sum = *d->metrics;
  }
  for (const stats_kept *k = d->open; sum != NULL && k != NULL; k = k->next) {
    if (k->conn != NULL && !k->ended && opts_wants_conn(d->o, k->conn->number)) {
      const report_stats_conn c = stats_conn(k->conn, k->s);
      report_metrics_add(sum, &c, false);
    }
  }
  return sum;
}

static void stats_write_metrics(stats_state *d) {
  output_file file = OUTPUT_FILE_NONE;
  out_buf out;
  report_metrics *sum = stats_sum(d);
  bool written = sum != NULL && output_file_open(&file, d->o->metrics, d->o);
  if (written && out_open_fd(&out, file.fd)) {
    report_metrics_put(&out, sum);
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

/* With -i the metrics are written again each interval. */
static void stats_tick(stats_state *d, uint64_t now) {
  const uint64_t every = d->o->interval_ns > 0 ? d->o->interval_ns : STATS_TICK_NS;
  if (d->metrics == NULL || d->o->interface == NULL || now < d->next_ns) {
    return;
  }
  if (d->next_ns != 0) {
    stats_write_metrics(d);
  }
  d->next_ns = now + every;
}

/* ---- hooks ---- */

static void stats_on_packet(void *ctx, void **slot, const observe_headers *packet) {
  stats_state *d = ctx;
  stats_tick(d, packet->time_ns);
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
static stats_kept *kept_of(stats_state *d, observe_conn *conn) {
  if (!conn->info->sctp) {
    return conn->packets;
  }
  if (conn->user == NULL) {
    conn->user = kept_new(d);
  }
  return conn->user;
}

static void stats_on_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  stats_kept *kept = kept_of(ctx, conn);
  if (kept != NULL && conn->numbered) {
    kept->conn = conn;
  }
  if (!memory_ran_out() && kept != NULL && kept->s != NULL && !kept->ended) {
    stats_event(kept->s, conn, ev);
  }
}

static void stats_on_fpdu(void *ctx, observe_conn *conn, const iwarp_observer_fpdu *fpdu) {
  const stats_kept *kept = kept_of(ctx, conn);
  if (!memory_ran_out() && kept != NULL && kept->s != NULL && !kept->ended) {
    stats_fpdu(kept->s, conn, fpdu);
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
  } else if (d->o->stats == OPTS_STATS_CSV) {
    report_stats_interval_csv(d->out, conn, first, d->cfg.interval_ns, interval);
  } else if (d->o->stats == OPTS_STATS_TEXT) {
    report_stats_interval_text(d->out, conn, first, d->cfg.interval_ns, interval);
  }
}

static void stats_print(const stats_state *d, const report_stats_conn *c) {
  if (d->o->stats == OPTS_STATS_JSONL) {
    report_stats_json(d->out, c);
  } else if (d->o->stats == OPTS_STATS_TEXT) {
    report_stats_text(d->out, c);
  } else if (d->o->stats == OPTS_STATS_HTML) {
    report_stats_html(d->out, c);
  } else if (d->o->interval_ns == 0) {
    report_stats_csv(d->out, c);
  }
}

static void stats_on_closed(void *ctx, observe_conn *conn) {
  stats_state *d = ctx;
  stats_kept *kept = kept_of(d, conn);
  bool wanted = opts_wants_conn(d->o, conn->number);
  if (conn->given_up != NULL && !conn->recounted && wanted) {
    report_limits_add(&d->given_up, conn->given_up, 1);
  }
  if (kept != NULL && kept->s != NULL && !kept->ended && !memory_ran_out()) {
    stats_end(kept->s, conn);
    kept->ended = true;
    const report_stats_conn c = stats_conn(conn, kept->s);
    wanted = wanted && !memory_ran_out(); /* figures may be missing */
    if (wanted) {
      stats_print(d, &c);
    }
    if (wanted && d->metrics != NULL) {
      report_metrics_add(d->metrics, &c, true);
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
    report_stats_html_end(d->out);
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
                   .cfg = {.interval_ns = o->interval_ns,
                           .plots = o->stats == OPTS_STATS_HTML,
                           .interval = stats_on_interval}};
  const observe_cfg cfg = {.ports = o->any_port ? o->ports : NULL,
                           .markers = o->markers,
                           .crc = o->crc,
                           .budget = &r.memory};
  const observe_hooks hooks = {.ctx = &d,
                               .event = stats_on_event,
                               .fpdu = stats_on_fpdu,
                               .closed = stats_on_closed,
                               .limit = stats_on_limit,
                               .packet = stats_on_packet,
                               .forgotten = stats_on_forgotten};
  const jobs_cfg one = {.num = 1, .observe = cfg, .hooks = hooks, .now = &r.now};
  d.cfg.ctx = &d;
  out->before_write = stats_before_write;
  progress_enable(run_progress(o->progress, r.out_is_terminal));
  const bool ready = run_open(&r, &one);
  d.metrics = o->metrics != NULL ? memory_zeroed(1, sizeof *d.metrics) : NULL;
  stats_begin(&d);
  const int status = ready ? stats_files(&r, &d) : EXIT_INTERNAL;
  if (d.metrics != NULL && !memory_ran_out()) {
    stats_write_metrics(&d);
  }
  free(d.metrics);
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
