/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of commands and options. */
#ifndef CLI_OPTS_TABLE_H
#define CLI_OPTS_TABLE_H

#include "opts.h"

/** opt_id names an option. */
typedef enum opt_id {
  OPT_INTERFACE = 0,
  OPT_DURATION,
  OPT_WRITE,
  OPT_WRITE_TRACE,
  OPT_PING,
  OPT_TIMEOUT,
  OPT_FILTER,
  OPT_DECODE_AS,
  OPT_FORMAT,
  OPT_CHECK_FORMAT,
  OPT_STATS_FORMAT,
  OPT_COUNT,
  OPT_FIELDS,
  OPT_OCTETS,
  OPT_QUIET,
  OPT_VERBOSE,
  OPT_NUMERIC,
  OPT_TIMES,
  OPT_ONLY,
  OPT_EXCLUDE,
  OPT_LEVEL,
  OPT_FAIL_ON,
  OPT_FAIL_ON_SUSPECTED,
  OPT_FAIL_ON_OUTCOME,
  OPT_DIAGNOSES,
  OPT_MAX_FINDINGS,
  OPT_REQUIRE_DECIDED,
  OPT_REPORT,
  OPT_ANNOTATE,
  OPT_PROFILE,
  OPT_BASELINE,
  OPT_MARKERS,
  OPT_CRC,
  OPT_MEMORY,
  OPT_MAX_UNPACKED,
  OPT_JOBS,
  OPT_SHARD,
  OPT_CAPTURES,
  OPT_JOIN,
  OPT_CONN,
  OPT_LAYER,
  OPT_OFFSET,
  OPT_OUTPUT,
  OPT_INTERVAL,
  OPT_METRICS,
  OPT_METRICS_LABEL,
  OPT_VARIANT,
  OPT_KEEP_PRIVATE_DATA,
  OPT_KEY,
  OPT_COLOR,
  OPT_PROGRESS,
  OPT_WRITE_FOLDER,
  OPT_PEER_INTERFACE,
  OPT_RUN,
  OPT_RESTART,
  OPT_ULP,
  OPT_PEER_ONLY,
  OPT_PEER_EXCLUDE,
  OPT_PEER_LEVEL,
  OPT_PEER_FAIL_ON,
  OPT_PEER_FORMAT,
  OPT_PEER_REPORT,
  OPT_PEER_BASELINE,
  OPT_PEER_PROFILE,
  OPT_LIST,
  OPT_DANGER,
  OPT_PEER_TIMEOUT,
  OPT_NO_SANDBOX,
  OPT_HELP,
  OPT_VERSION,
  OPT_TOTAL
} opt_id;

/** opt_row is one option. */
typedef struct opt_row {
  opt_id id;
  char letter;           /* 0: none */
  const char *name;      /* NULL: none */
  const char *arg;       /* NULL: it takes no argument */
  unsigned int commands; /* bits of command_id */
  const char *help;
} opt_row;

/** command_row is one command. */
typedef struct command_row {
  const char *name;
  const char *operands; /* operands of the usage line */
  const char *summary;
  size_t min_operands;
  size_t max_operands;
  const char *missing; /* name of the operand that is missing if there are too few */
  const char *examples[2];
} command_row;

extern const opt_row opt_rows[OPT_TOTAL];
extern const command_row command_rows[COMMAND_COUNT];

#endif
