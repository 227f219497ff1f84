/* SPDX-License-Identifier: BSD-2-Clause */
/* What the JSON Lines of a shard say in addition, so that the lines of all shards can be joined. */
#ifndef REPORT_SHARD_H
#define REPORT_SHARD_H

#include <report/check.h>

/** report_capture is what a capture came to, as far as the exit status depends on it. */
typedef struct report_capture {
  uint64_t failed;   /* 0: read to its end; else why not, as the caller counts reasons */
  uint64_t violated; /* findings that fail the run */
  uint64_t given_up;
  uint64_t undecodable;
  uint64_t proven;
  uint64_t decided;
  uint64_t named; /* connections with an outcome that fails the run */
} report_capture;

#define REPORT_CAPTURE_NUMBERS 7u /* members of report_capture, all of them numbers */

/** report_shard is part `index` of `of` of some captures of a run. All parts of these captures have
 * the same `first`, `of` and `digest`. */
typedef struct report_shard {
  uint64_t index;
  uint64_t of;
  uint64_t first;   /* number of the first capture in the run, from 0 on */
  uint64_t all;     /* captures of the run */
  uint64_t names;   /* digest of the names of all captures of the run */
  uint64_t digest;  /* digest of the captures of this part */
  uint64_t options; /* digest of the command line */
  bool require_decided;
  const uint64_t *event; /* number of the event from which the current results come */
  report_capture *captures;
  size_t num_captures; /* captures so far */
} report_shard;

/** report_rule_code returns what the lines of a shard say of a rule: its verdict, or
 * REPORT_RULE_XFAIL. */
unsigned int report_rule_code(const report_rule_total *rule);

#define REPORT_RULE_XFAIL ((unsigned int)IWARP_VERDICT_DISABLED + 1u)

#endif
