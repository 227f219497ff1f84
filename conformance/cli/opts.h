/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of every command: one table for parsing, help and the tests of the manual page. */
#ifndef CLI_OPTS_H
#define CLI_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <iwarp/rules.h>

#include <ingest/encap.h>
#include <ingest/pcap_src.h>
#include <observe/ports.h>
#include <peer_report/run.h>
#include <report/check.h>
#include <report/frame.h>

/** command_id names a command; its bit tells which options belong to it. */
typedef enum command_id {
  COMMAND_CHECK = 0,
  COMMAND_DUMP,
  COMMAND_TIMELINE,
  COMMAND_BASELINE,
  COMMAND_DECODE,
  COMMAND_RULES,
  COMMAND_EXPLAIN,
  COMMAND_COVERAGE,
  COMMAND_GEN,
  COMMAND_MERGE,
  COMMAND_SCRUB,
  COMMAND_STATS,
  COMMAND_PROBE,
  COMMAND_PEER,
  COMMAND_HELP,
  COMMAND_COUNT
} command_id;

typedef enum opts_format { OPTS_TEXT = 0, OPTS_JSONL } opts_format;
typedef enum opts_stats_format {
  OPTS_STATS_TEXT = 0,
  OPTS_STATS_JSONL,
  OPTS_STATS_CSV,
  OPTS_STATS_HTML
} opts_stats_format;
typedef enum opts_when { OPTS_AUTO = 0, OPTS_ALWAYS, OPTS_NEVER } opts_when;
typedef enum opts_fail_on {
  OPTS_FAIL_MUST = 0,
  OPTS_FAIL_SHOULD,
  OPTS_FAIL_NOTE,
  OPTS_FAIL_NEVER
} opts_fail_on;

/** opts_report is one --report: a format, and the file that it goes to. */
typedef struct opts_report {
  const report_format *format;
  const char *path;
} opts_report;

/** opts_peer_report is one --report of peer. */
typedef struct opts_peer_report {
  const peer_report_format *format;
  const char *path;
} opts_peer_report;

/** opts_folder is a folder in place of captures, and which operands are its files. */
typedef struct opts_folder {
  const char *path;
  size_t first;
  size_t num;
  size_t kept;     /* files that are captures */
  uint64_t others; /* entries that are not */
} opts_folder;

/** opts_tunnel is a -d for a UDP port. */
typedef struct opts_tunnel {
  uint16_t port;
  ingest_layer layer;
} opts_tunnel;

/** opts is a parsed command line. Its strings point into argv. */
typedef struct opts {
  command_id command;
  const char **operands; /* captures, hex, a glob, a slug */
  size_t num_operands;
  opts_folder *folders; /* operands that were folders */
  size_t num_folders;
  const char *interface;                 /* -i, or NULL */
  const char *packets;                   /* -i of peer, or NULL */
  uint64_t duration_ns;                  /* --duration, or PCAP_SRC_FOREVER */
  const char *write;                     /* -w, or NULL */
  const char *trace;                     /* -w of probe, or NULL */
  const char *run;                       /* --run, or NULL */
  const char *restart;                   /* --restart, or NULL */
  const char *ulp;                       /* --ulp, or NULL */
  const char *keep;                      /* -w of peer: a folder, or NULL */
  bool list;                             /* --list */
  bool danger;                           /* --danger */
  const peer_report_format *peer_report; /* -T of peer */
  opts_peer_report *peer_reports;
  size_t num_peer_reports;
  uint64_t timeout_ns;               /* --timeout */
  uint64_t pings;                    /* --ping */
  const char *filter;                /* -f, or NULL */
  uint8_t ports[OBSERVE_PORTS_SIZE]; /* -d */
  bool any_port;
  opts_tunnel *tunnels; /* -d */
  size_t num_tunnels;
  opts_format format;          /* format of all commands except check and timeline */
  bool report_given;           /* -T of check */
  const report_format *report; /* format of standard output, for check and timeline */
  opts_report *reports;
  size_t num_reports;
  const char *annotate; /* --annotate, or NULL */
  const char *profile;  /* --profile: a name or a file, or NULL */
  const char *baseline; /* --baseline, or NULL */
  uint64_t max_packets; /* -c, or UINT64_MAX */
  bool fields;          /* -V */
  bool octets;          /* -x */
  bool quiet;
  bool verbose;
  const char **only;
  size_t num_only;
  const char **exclude;
  size_t num_exclude;
  iwarp_severity level;
  opts_fail_on fail_on;
  uint64_t max_findings; /* UINT64_MAX: no limit */
  bool require_decided;
  bool fail_on_suspected;
  uint32_t fail_on_outcome; /* IWARP_ENDS_*, or 1 << observe_how */
  bool diagnoses;
  iwarp_tristate markers;
  iwarp_tristate crc;
  report_layer layer;
  bool offset_given;
  uint64_t offset;           /* stream offset of the frame, in a stream with Markers */
  size_t memory;             /* octets that a run may take */
  pcap_src_max max_unpacked; /* limit of each compressed capture */
  bool join;                 /* the captures are one cut into files */
  uint64_t *conns;           /* --conn */
  size_t num_conns;
  unsigned int jobs; /* 1 at least */
  unsigned int shard;
  unsigned int shards;   /* --shard; 0: it was not given */
  size_t captures_begin; /* --captures: the first capture */
  size_t captures_end; /* --captures: the capture after the last one; SIZE_MAX: it was not given */
  report_times times;  /* -t */
  const char *output;  /* -o, or NULL */
  opts_stats_format stats;   /* -T of stats */
  uint64_t interval_ns;      /* --interval, or 0 */
  const char *metrics;       /* --metrics, or NULL */
  const char *metrics_label; /* --metrics-label, or NULL */
  const char *variant;       /* --variant, or NULL */
  const char *key;           /* --key, or NULL */
  bool keep_private_data;
  bool no_sandbox;
  opts_when color;
  opts_when progress;
} opts;

/** opts_result says what is to be done with a command line. */
typedef enum opts_result {
  OPTS_RUN = 0,
  OPTS_HELP, /* --help: of the command, or of the program when there is no command */
  OPTS_VERSION,
  OPTS_NOTHING, /* no word at all: the help of the program, and a usage error */
  OPTS_WRONG    /* `error` holds one line */
} opts_result;

#define OPTS_ERROR_CAP 256u
#define OPTS_SHARDS_MAX 1024u        /* N of --shard I/N, at most */
#define OPTS_CAPTURES_MAX (1u << 20) /* captures of a run that is cut into shards */

/**
 * opts_parse reads a command line. *named is whether a command was named, so that help knows which.
 *
 * Memory of `out` is given back by opts_free, whatever is returned.
 */
opts_result opts_parse(opts *out, bool *named, int argc, char **argv, char error[OPTS_ERROR_CAP]);

/** opts_wants_conn returns true if --conn names connection `number`, or was not given. */
bool opts_wants_conn(const opts *o, uint64_t number);

/** opts_free gives back what opts_parse took. */
void opts_free(opts *o);

/** opts_help writes the help of the program (command COMMAND_COUNT) or of a command. */
void opts_help(FILE *out, command_id command);

#endif
