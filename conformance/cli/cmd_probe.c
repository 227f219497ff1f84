/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp probe: what a server is. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <memory/memory.h>
#include <peer_net/probe.h>
#include <peer_net/trace.h>
#include <peer_report/probe.h>
#include <report/run_line.h>

#include "commands.h"
#include "diag.h"
#include "output_file.h"
#include "run.h"
#include "target.h"

/* The capture of -w. */
typedef struct probe_capture {
  output_file file; /* closed: no capture is kept */
  net_trace trace;
} probe_capture;

static int probe_status(peer_answer answer) {
  switch (answer) {
  case PEER_ANSWER_ACCEPTED: return EXIT_OK;
  case PEER_ANSWER_REJECTED:
  case PEER_ANSWER_NOT_IWARP: return EXIT_VIOLATION;
  case PEER_ANSWER_REFUSED:
  case PEER_ANSWER_SILENT: break;
  }
  return EXIT_UNDECIDED;
}

static int probe_print(const opts *o, const peer_probe_result *result, const net_address *remote) {
  char address[NET_ADDRESS_TEXT];
  const peer_probe_target target = {
      .given = o->operands[0], .address = address, .pings = (uint32_t)o->pings};
  out_buf out;
  net_address_text(remote, address);
  if (!out_open_fd(&out, STDOUT_FILENO)) {
    return EXIT_INTERNAL;
  }
  if (o->format == OPTS_JSONL) {
    report_run_line(&out, "probe");
    peer_probe_json(&out, &target, result);
  } else {
    peer_probe_text(&out, &target, result);
  }
  const bool written = run_output_ok(&out);
  out_close(&out);
  return written ? probe_status(result->answer) : EXIT_USAGE;
}

static int probe_ask(const opts *o, probe_capture *capture, peer_probe_result *result) {
  const net_probe_cfg cfg = {.to = target_addresses(),
                             .pings = (uint32_t)o->pings,
                             .timeout_ns = o->timeout_ns,
                             .tap = capture->file.fd >= 0 ? &capture->trace.tap : NULL,
                             .stop_fd = -1};
  net_address remote = {.len = 0};
  switch (net_probe(&cfg, result, &remote)) {
  case NET_PROBE_OK: return probe_print(o, result, &remote);
  case NET_PROBE_NO_SOCKET: diag("%s: %s", o->operands[0], result->why); return EXIT_USAGE;
  case NET_PROBE_STOPPED:
  case NET_PROBE_NO_MEMORY: break;
  }
  return EXIT_INTERNAL;
}

static bool probe_capture_open(probe_capture *capture, const opts *o) {
  *capture = (probe_capture){.file = OUTPUT_FILE_NONE};
  return o->trace == NULL ||
         (output_file_open(&capture->file, o->trace, o) && net_trace_begin(&capture->trace, 0));
}

static bool probe_capture_write(probe_capture *capture) {
  out_buf out;
  if (capture->file.fd < 0) {
    return true;
  }
  if (!out_open_fd(&out, capture->file.fd)) {
    return false;
  }
  net_trace_write(&capture->trace, &out);
  out_flush(&out);
  const bool written = output_file_close(&capture->file, out.error);
  out_close(&out);
  return written;
}

int cmd_probe(const opts *o) {
  probe_capture capture;
  peer_probe_result *result = memory_zeroed(1, sizeof *result);
  int status = EXIT_INTERNAL;
  if (!probe_capture_open(&capture, o)) {
    status = EXIT_USAGE;
  } else if (result != NULL) {
    status = probe_ask(o, &capture, result);
    if (status != EXIT_INTERNAL && !probe_capture_write(&capture)) {
      status = EXIT_USAGE;
    }
  }
  net_trace_end(&capture.trace);
  output_file_discard(&capture.file);
  free(result);
  return status;
}
