/* SPDX-License-Identifier: BSD-2-Clause */
/* The result of a probe as text and as a line of JSON. */
#ifndef PEER_REPORT_PROBE_H
#define PEER_REPORT_PROBE_H

#include <peer/probe.h>
#include <report/out_buf.h>

/** peer_probe_target is the target as it was given, and the address that answered. */
typedef struct peer_probe_target {
  const char *given;   /* HOST:PORT */
  const char *address; /* "10.0.0.1:4791" */
  uint32_t pings;      /* number of Reads that were wanted */
} peer_probe_target;

/** peer_probe_text prints the result for people. */
void peer_probe_text(out_buf *out, const peer_probe_target *target, const peer_probe_result *r);

/** peer_probe_json prints the line of type "probe". docs/json.md */
void peer_probe_json(out_buf *out, const peer_probe_target *target, const peer_probe_result *r);

#endif
