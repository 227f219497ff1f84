/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads captures and hands what they hold to jobs. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include <report/limits.h>
#include <report/out_buf.h>

#include "jobs.h"
#include "opts.h"

/** run_totals is what was read. */
typedef struct run_totals {
  uint64_t packets;
  uint64_t octets; /* octets on the wire */
} run_totals;

/** run is what the reading of captures needs beside jobs. */
typedef struct run {
  const opts *o;
  char **names; /* names of the captures, from capture_names_make */
  jobs *jobs;
  out_buf *out;
  const uint64_t *findings; /* counted by severity, for the progress line; or NULL */
  ingest_tunnels *tunnels;  /* -d for UDP ports, or NULL */
  bool out_is_terminal;
  bool sees_packets;       /* the `packet` hook of the configuration gets each packet of TCP */
  void (*idle)(void *ctx); /* -i: called when no packet has waited for some time; or NULL */
  void *idle_ctx;
  run_totals totals;
  observe_budget memory;      /* memory of ingest and the observes */
  uint64_t digest;            /* --shard: digest of all packets that were read */
  uint64_t read;              /* octets so far, counted as in a capture file */
  uint64_t packets;           /* packets of the capture so far */
  observe_parts parts;        /* --join: the files of the capture */
  uint64_t *frames;           /* --join: packets of each file so far */
  observe_stretch *stretches; /* --join: `stretches` of `parts`, with room for more */
  size_t room_stretches;
  jobs_moment now;   /* moment of the results that are handed out */
  uint64_t began_ns; /* time of the first packet of the capture */
  uint64_t *ends;    /* packets of the capture up to the end of each file that --max-unpacked cut, 0
                        for other files; NULL: not wanted */
  bool limited;      /* some file was not read to its end: --max-unpacked, or a signal */
  bool crowded;      /* --memory did not hold the order of packets from files that overlap */
  bool unkept;       /* a packet of an interface could not be written to -w */
  bool interrupted;  /* a signal ended the reading: no more is read */
  ingest_packet_facts facts; /* facts of the capture so far */
  ingest_encap encap;        /* layers of the capture so far, where several jobs read it */
  uint64_t most_conns;       /* bound of the connections of a capture */
  ingest_stats stats;        /* counts of the capture that ended; with several jobs: jobs_stats */
} run;

/** run_result says how the reading of one capture went. Messages have been written. */
typedef enum run_result {
  RUN_OK = 0,
  RUN_UNREADABLE,  /* no packet could be read */
  RUN_INPUT_ERROR, /* reading stopped with an error */
  RUN_INTERNAL
} run_result;

/** run_open names the captures and makes what reading takes, `r->jobs` with the configuration and
 * the number of `cfg`; false: it did not go. SIGINT and SIGTERM end the reading from now on: see
 * interrupt_begin. Call run_close in either case. */
bool run_open(run *r, const jobs_cfg *cfg);

/** run_close gives back what run_open made, and says that reading has ended. */
void run_close(run *r);

/** run_captures returns how many captures there are: with --join one. */
size_t run_captures(const run *r);

/** run_capture reads capture `i` to its end, its error, its --max-unpacked, a signal, or -c
 * packets. If it held no iWARP, a message says what it held. After a signal it reads nothing, and
 * counts the limit. */
run_result run_capture(run *r, size_t i);

/** run_ports_met says which ports of -d no packet had, after the last capture. */
void run_ports_met(const run *r);

/** run_conns_met says which numbers of --conn no capture had, after the last one; false: there are
 * such. */
bool run_conns_met(const run *r);

/** run_memory_wanted says which --memory would do where some was not enough, after the last
 * capture. */
void run_memory_wanted(const run *r);

/** run_tell_limits tells which limits capture `i` reached, and forgets them. The lines of output
 * may lack something then, and have no place for that. */
void run_tell_limits(const run *r, size_t i, report_limits *limits);

/** run_status flushes standard output and returns the exit status of a command that judges nothing,
 * after the last capture; `status` is the worst one of the captures. */
int run_status(const run *r, int status);

/** run_color decides whether standard output gets colour. */
bool run_color(opts_when when);

/** run_columns returns the width of the terminal on standard output; 0: no terminal, or no
 * width. */
size_t run_columns(void);

/** run_progress decides whether standard error gets the progress line. */
bool run_progress(opts_when when, bool out_is_terminal);

/** run_ends returns whether no more is to be read: output failed, or memory ran out. */
bool run_ends(const run *r);

/**
 * run_output_ok flushes `out` and says whether all of it was written; a closed pipe is no error,
 * anything else is reported on standard error.
 */
bool run_output_ok(out_buf *out);

#endif
