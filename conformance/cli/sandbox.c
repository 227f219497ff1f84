/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a plan of the files of a command line, and confines the process to it. */
#define _POSIX_C_SOURCE 200809L

#include "sandbox.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <confine/confine.h>
#include <ingest/pcap_src.h>
#include <memory/memory.h>

#include "diag.h"
#include "target.h"

/* How a command uses its operands. */
typedef enum sandbox_operands {
  SANDBOX_UNCONFINED = 0, /* the command reads no files */
  SANDBOX_WORDS,          /* they are no files */
  SANDBOX_INPUTS,
  SANDBOX_SPOOLED /* a pipe among the inputs is copied to a temporary file */
} sandbox_operands;

static const sandbox_operands sandbox_of[COMMAND_COUNT] = {
    [COMMAND_CHECK] = SANDBOX_INPUTS,    [COMMAND_DUMP] = SANDBOX_INPUTS,
    [COMMAND_TIMELINE] = SANDBOX_INPUTS, [COMMAND_BASELINE] = SANDBOX_INPUTS,
    [COMMAND_DECODE] = SANDBOX_WORDS,    [COMMAND_GEN] = SANDBOX_INPUTS,
    [COMMAND_MERGE] = SANDBOX_SPOOLED,   [COMMAND_SCRUB] = SANDBOX_INPUTS,
    [COMMAND_STATS] = SANDBOX_INPUTS,    [COMMAND_PROBE] = SANDBOX_WORDS,
    [COMMAND_PEER] = SANDBOX_WORDS};

/* What libc reads for names of hosts, ports and protocols in the filter. */
static const char *const sandbox_names[] = {
    "/etc/ethers",        "/etc/gai.conf",  "/etc/host.conf",   "/etc/hosts",   "/etc/networks",
    "/etc/nsswitch.conf", "/etc/protocols", "/etc/resolv.conf", "/etc/services"};

static bool sandbox_is_regular(const char *path) {
  struct stat st;
  const bool standard = strcmp(path, "-") == 0;
  return (standard ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0 && S_ISREG(st.st_mode);
}

static void sandbox_inputs(confine_plan *plan, const opts *o) {
  const sandbox_operands operands = o->interface != NULL ? SANDBOX_WORDS : sandbox_of[o->command];
  bool spooled = o->annotate != NULL || o->command == COMMAND_SCRUB;
  const size_t end = o->captures_end < o->num_operands ? o->captures_end : o->num_operands;
  for (size_t i = o->captures_begin; operands >= SANDBOX_INPUTS && i < end; i++) {
    if (strcmp(o->operands[i], "-") != 0) {
      confine_plan_read(plan, o->operands[i]);
    }
    spooled = spooled || (operands == SANDBOX_SPOOLED && !sandbox_is_regular(o->operands[i]));
  }
  for (size_t i = 0; i < o->num_folders; i++) {
    confine_plan_read(plan, o->folders[i].path);
  }
  if (spooled) {
    confine_plan_temporary(plan);
  }
}

static void sandbox_known(confine_plan *plan, const opts *o) {
  const char *const known[] = {o->profile, o->baseline, o->key};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (known[i] != NULL) {
      confine_plan_read(plan, known[i]);
    }
  }
  for (size_t i = 0; o->filter != NULL && i < sizeof sandbox_names / sizeof sandbox_names[0]; i++) {
    confine_plan_read(plan, sandbox_names[i]);
  }
}

static void sandbox_outputs(confine_plan *plan, const opts *o) {
  for (size_t i = 0; i < o->num_reports; i++) {
    confine_plan_output(plan, o->reports[i].path);
  }
  if (o->annotate != NULL) {
    confine_plan_output(plan, o->annotate);
  }
  if (o->metrics != NULL) {
    confine_plan_output(plan, o->metrics);
  }
  for (size_t i = 0; i < o->num_peer_reports; i++) {
    confine_plan_output(plan, o->peer_reports[i].path);
  }
  if (o->keep != NULL) {
    confine_plan_folder(plan, o->keep);
  }
  if (o->trace != NULL) {
    confine_plan_output(plan, o->trace);
  }
  if (o->output != NULL && strcmp(o->output, "-") != 0) {
    confine_plan_output(plan, o->output);
  }
}

static void sandbox_tell(const confine_state *state) {
  char words[CONFINE_WORDS];
  confine_words(state, words);
  diag("%sconfined: %s", confine_holds(state) ? "" : "not ", words);
}

void sandbox_enter(const opts *o) {
  if (sandbox_of[o->command] == SANDBOX_UNCONFINED) {
    return;
  }
  if (o->run != NULL || o->restart != NULL) {
    return; /* commands of the user do what they like */
  }
  if (o->no_sandbox) {
    if (o->verbose) {
      diag("not confined: --no-sandbox");
    }
    return;
  }
  confine_plan plan = {.threads = o->jobs > 1,
                       .by_libc = o->filter != NULL,
                       .captures = o->interface != NULL || o->packets != NULL,
                       .connects = target_port()};
  sandbox_inputs(&plan, o);
  sandbox_known(&plan, o);
  sandbox_outputs(&plan, o);
  const confine_state state = confine_enter(&plan);
  confine_plan_free(&plan);
  pcap_src_open_by(confine_open);
  if (o->verbose) {
    sandbox_tell(&state);
  }
}

FILE *sandbox_fopen(const char *path) {
  const int fd = confine_open(path, 0);
  FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
  if (fd >= 0 && file == NULL) {
    const int error = errno;
    (void)close(fd);
    errno = error;
  }
  memory_failed_errno(file == NULL ? errno : 0);
  return file;
}

void sandbox_version(FILE *out) {
  char words[CONFINE_WORDS];
  const confine_state state = confine_probe();
  confine_words(&state, words);
  (void)fprintf(out, "confinement: %s\n", words);
}
