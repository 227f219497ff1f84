/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp dump: every PDU, one line each. */
#define _POSIX_C_SOURCE 200809L

#include <unistd.h>

#include <ingest/pcap_src.h>
#include <report/dump.h>
#include <report/names.h>

#include "commands.h"
#include "complain.h"
#include "progress.h"
#include "run.h"

typedef struct dump_state {
  sink *out;
  opts_format format;
  report_dump_opts how;
} dump_state;

static void dump_event(void *ctx, session_conn *conn, const iwarp_event *ev) {
  const dump_state *d = ctx;
  if (d->format == OPTS_JSONL) {
    report_dump_json(d->out, &conn->report, ev, &d->how);
  } else {
    report_dump_text(d->out, &conn->report, ev, &d->how);
  }
}

static void dump_before_write(void *ctx) {
  (void)ctx;
  progress_erase();
}

/* With several captures, text says where each begins; a line of JSON says it itself. */
static void dump_title(const run *r, size_t i) {
  if (r->o->num_operands > 1 && r->o->format == OPTS_TEXT) {
    sink_str(r->out, i > 0 ? "\n==> " : "==> ");
    report_name_put(r->out, run_display_name(r->o->operands[i]));
    sink_str(r->out, " <==\n");
  }
}

static int dump_files(run *r) {
  int status = EXIT_OK;
  for (size_t i = 0; i < r->o->num_operands && r->out->error == 0; i++) {
    dump_title(r, i);
    const run_result result = run_capture(r, r->o->operands[i]);
    if (result != RUN_OK && status != EXIT_INTERNAL) {
      status = result == RUN_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE;
    }
  }
  return run_output_ok(r->out) || status != EXIT_OK ? status : EXIT_USAGE;
}

int cmd_dump(const opts *o) {
  sink out;
  char error[PCAP_SRC_ERROR_LEN] = "";
  run r = {.o = o,
           .out = &out,
           .memory = {.limit = o->memory},
           .out_is_terminal = isatty(STDOUT_FILENO) != 0};
  const session_cfg cfg = {.ports = o->any_port ? o->ports : NULL,
                           .markers = o->markers,
                           .crc = o->crc,
                           .budget = &r.memory};
  if (o->filter != NULL && !pcap_src_filter_check(o->filter, error)) {
    complain("-f: %s", error);
    return EXIT_USAGE;
  }
  if (!sink_open_fd(&out, STDOUT_FILENO)) {
    return EXIT_INTERNAL;
  }
  out.before_write = dump_before_write;
  dump_state d = {
      .out = &out,
      .format = o->format,
      .how = {.fields = !o->quiet && (o->fields || o->verbose), .octets = !o->quiet && o->octets}};
  const session_hooks hooks = {.ctx = &d, .event = dump_event};
  r.session = session_new(&cfg, &hooks);
  progress_enable(run_progress(o->progress, r.out_is_terminal));
  const int status = r.session != NULL ? dump_files(&r) : EXIT_INTERNAL;
  session_free(r.session);
  sink_close(&out);
  return status;
}
