/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp dump: every PDU, one line each. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <unistd.h>

#include <ingest/pcap_src.h>
#include <memory/memory.h>
#include <report/dump.h>
#include <report/limits.h>
#include <report/names.h>
#include <report/run_line.h>
#include <upper/upper.h>

#include "commands.h"
#include "diag.h"
#include "join.h"
#include "progress.h"
#include "run.h"

typedef struct dump_state {
  const opts *o;
  out_buf *out;
  opts_format format;
  report_dump_opts how;
  size_t columns;         /* columns of a terminal that lines have to fit; 0: no limit */
  report_limits given_up; /* connections of the capture that is read */
} dump_state;

/* What is kept of a connection. */
typedef struct dump_kept {
  upper *upper; /* state of the upper layer, or NULL */
  bool named;   /* the line with its ends was printed, on a terminal */
} dump_kept;

/* A connection without a number ends without a call. NULL: nothing is kept of it. */
static dump_kept *dump_kept_of(observe_conn *conn) {
  if (conn->user == NULL && conn->numbered) {
    conn->user = memory_zeroed(1, sizeof(dump_kept));
  }
  return conn->user;
}

/* Lines for a terminal. Before the first one of a connection is the line with its ends. */
static void dump_fitting(const dump_state *d, dump_kept *kept, const observe_conn *conn,
                         const iwarp_event *ev, const upper_message *name) {
  out_buf text;
  out_open_memory(&text);
  report_dump_text(&text, conn, ev, name, &d->how);
  if (text.len > 0 && !kept->named) {
    out_buf legend;
    kept->named = true;
    out_open_memory(&legend);
    report_dump_legend(&legend, conn);
    out_wrapped(d->out, &legend, d->columns);
    out_close(&legend);
  }
  out_wrapped(d->out, &text, d->columns);
  out_close(&text);
}

static void dump_event(void *ctx, observe_conn *conn, const iwarp_event *ev) {
  const dump_state *d = ctx;
  if (memory_ran_out() || !opts_wants_conn(d->o, conn->number)) {
    return; /* a PDU without memory may be another one */
  }
  dump_kept *kept = dump_kept_of(conn);
  upper_message message;
  const iwarp_role role = conn->info->side[ev->side].role;
  const bool named = kept != NULL && upper_event(&kept->upper, ev, role, &message);
  const upper_message *name = named ? &message : NULL;
  if (d->format == OPTS_JSONL) {
    report_dump_json(d->out, conn, ev, name, &d->how);
  } else if (d->columns > 0 && kept != NULL) {
    dump_fitting(d, kept, conn, ev, name);
  } else {
    report_dump_text(d->out, conn, ev, name, &d->how);
  }
}

static void dump_closed(void *ctx, observe_conn *conn) {
  dump_state *d = ctx;
  if (conn->given_up != NULL && !conn->recounted && opts_wants_conn(d->o, conn->number)) {
    report_limits_add(&d->given_up, conn->given_up, 1);
  }
  dump_kept *kept = conn->user;
  if (kept != NULL) {
    upper_free(kept->upper);
    free(kept);
    conn->user = NULL;
  }
}

static void dump_limit(void *ctx, const char *name, uint64_t n) {
  dump_state *d = ctx;
  if (d->o->num_conns == 0 || report_limit_is_of_captures(name)) {
    report_limits_add(&d->given_up, name, n);
  }
}

static void dump_before_write(void *ctx) {
  (void)ctx;
  progress_erase();
}

/* With several captures, text says where each begins; a line of JSON says it itself. */
static void dump_title(const run *r, size_t i) {
  if (run_captures(r) > 1 && r->o->format == OPTS_TEXT) {
    out_str(r->out, i > 0 ? "\n==> " : "==> ");
    report_name_put(r->out, r->names[i]);
    out_str(r->out, " <==\n");
  }
}

static int dump_files(run *r, dump_state *d) {
  int status = EXIT_OK;
  for (size_t i = 0; i < run_captures(r) && !run_ends(r); i++) {
    dump_title(r, i);
    const run_result result = run_capture(r, i);
    run_tell_limits(r, i, &d->given_up);
    if (result != RUN_OK && status != EXIT_INTERNAL) {
      status = result == RUN_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE;
    }
  }
  return run_status(r, status);
}

int cmd_dump(const opts *o) {
  out_buf out;
  char error[PCAP_SRC_ERROR_LEN] = "";
  run r = {.o = o,
           .out = &out,
           .memory = {.limit = o->memory},
           .out_is_terminal = isatty(STDOUT_FILENO) != 0};
  const observe_cfg cfg = {.ports = o->any_port ? o->ports : NULL,
                           .markers = o->markers,
                           .crc = o->crc,
                           .budget = &r.memory};
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
  out.before_write = dump_before_write;
  const size_t columns = o->format == OPTS_TEXT ? run_columns() : 0;
  report_clock clock = {.times = o->times, .capture_ns = &r.began_ns};
  dump_state d = {.o = o,
                  .out = &out,
                  .format = o->format,
                  .columns = columns,
                  .how = {.fields = !o->quiet && (o->fields || o->verbose),
                          .octets = !o->quiet && o->octets,
                          .brief = columns > 0,
                          .clock = &clock}};
  const observe_hooks hooks = {
      .ctx = &d, .event = dump_event, .closed = dump_closed, .limit = dump_limit};
  const jobs_cfg one = {.num = 1, .observe = cfg, .hooks = hooks, .now = &r.now};
  progress_enable(run_progress(o->progress, r.out_is_terminal));
  const bool ready = run_open(&r, &one);
  if (o->format == OPTS_JSONL) {
    report_run_line(&out, "dump");
  }
  const int status = ready ? dump_files(&r, &d) : EXIT_INTERNAL;
  run_close(&r);
  out_close(&out);
  return status;
}
