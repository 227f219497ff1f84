/* SPDX-License-Identifier: BSD-2-Clause */
/* The executable `iwarp`. */
#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <stdio.h>

#include <iwarp/version.h>
#include <memory/memory.h>

#include "commands.h"
#include "diag.h"
#include "folders.h"
#include "interrupt.h"
#include "live.h"
#include "sandbox.h"
#include "target.h"

/* True if the command reads captures, so that a signal ends the reading and not the program. */
static bool main_reads_captures(const opts *o) {
  return o->command == COMMAND_CHECK || o->command == COMMAND_DUMP ||
         o->command == COMMAND_TIMELINE || o->command == COMMAND_BASELINE ||
         o->command == COMMAND_STATS;
}

static int main_command(const opts *o) {
  switch (o->command) {
  case COMMAND_CHECK: return cmd_check(o);
  case COMMAND_DUMP: return cmd_dump(o);
  case COMMAND_TIMELINE:
  case COMMAND_BASELINE: return cmd_observe(o);
  case COMMAND_DECODE: return cmd_decode(o);
  case COMMAND_RULES: return cmd_rules(o);
  case COMMAND_EXPLAIN: return cmd_explain(o);
  case COMMAND_COVERAGE: return cmd_coverage(o);
  case COMMAND_GEN: return cmd_gen(o);
  case COMMAND_MERGE: return cmd_merge(o);
  case COMMAND_SCRUB: return cmd_scrub(o);
  case COMMAND_STATS: return cmd_stats(o);
  case COMMAND_PROBE: return cmd_probe(o);
  case COMMAND_PEER: return cmd_peer(o);
  case COMMAND_HELP: /* the command ends as --help does */
  case COMMAND_COUNT: break;
  }
  return EXIT_INTERNAL;
}

static int main_run(opts *o) {
  const bool captures = main_reads_captures(o);
  if (captures || o->command == COMMAND_PEER) {
    interrupt_prepare();
  }
  if (captures && o->interface == NULL && !folders_open(o)) {
    return EXIT_INTERNAL;
  }
  if (!target_open(o) || !live_open(o) || !target_folder(o)) {
    return EXIT_USAGE;
  }
  sandbox_enter(o);
  if (captures && o->interface == NULL) {
    folders_choose(o);
    folders_hint(o);
  }
  return main_command(o);
}

/* A closed pipe ends the program by its signal, even where the parent ignores that. A file that
 * gets too large is an error of writing, with a message. */
static void main_signals(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(SIGPIPE, &action, NULL);
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, NULL);
}

/* A run that lacked memory may have missed anything. */
static int main_status(int status) {
  if (memory_ran_out()) {
    diag_memory();
    return EXIT_INTERNAL;
  }
  return status;
}

/* Text through stdio that could not be written must not pass for success. */
static int main_written(int status) {
  if (fflush(stdout) != 0 || ferror(stdout) != 0) {
    diag("standard output could not be written");
    return EXIT_USAGE;
  }
  return status;
}

int main(int argc, char **argv) {
  opts o;
  bool named = false;
  char error[OPTS_ERROR_CAP] = "";
  int status = EXIT_OK;
  main_signals();
  switch (opts_parse(&o, &named, argc, argv, error)) {
  case OPTS_RUN:
    status = main_run(&o);
    live_close();
    break;
  case OPTS_HELP: opts_help(stdout, named ? o.command : COMMAND_COUNT); break;
  case OPTS_VERSION:
    printf("iwarp %s\n", iwarp_version());
    sandbox_version(stdout);
    break;
  case OPTS_NOTHING:
    opts_help(stdout, COMMAND_COUNT);
    status = EXIT_USAGE;
    break;
  case OPTS_WRONG:
    diag("%s", error);
    status = EXIT_USAGE;
    break;
  }
  opts_free(&o);
  return main_status(main_written(status));
}
