/* SPDX-License-Identifier: BSD-2-Clause */
/* iwarp gen: a capture from a scenario. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <memory/memory.h>
#include <scenario/scenario.h>

#include "capture_file.h"
#include "commands.h"
#include "diag.h"
#include "output_file.h"
#include "run.h"
#include "sandbox.h"

#define GEN_TEXT_MAX ((size_t)1024 * 1024)

/* The text of a scenario; NULL: a message has said why. */
static char *gen_text(const char *path, size_t *len) {
  const bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : sandbox_fopen(path);
  char *text = memory_get(GEN_TEXT_MAX);
  if (file == NULL || text == NULL) {
    diag("%s: %s", path, strerror(errno));
    free(text);
    return NULL;
  }
  *len = fread(text, 1, GEN_TEXT_MAX, file);
  const bool whole = ferror(file) == 0 && *len < GEN_TEXT_MAX;
  if (!whole) {
    diag("%s: %s", standard ? "standard input" : path,
         ferror(file) != 0 ? strerror(errno) : "is too long for a scenario");
  }
  if (file != stdin) {
    (void)fclose(file);
  }
  if (!whole) {
    free(text);
  }
  return whole ? text : NULL;
}

/* The output of the capture: standard output, or a file. */
typedef struct gen_output {
  output_file file; /* closed: standard output */
  out_buf out;
} gen_output;

static int gen_open(gen_output *g, const opts *o) {
  const bool standard = strcmp(o->output, "-") == 0;
  g->file = OUTPUT_FILE_NONE;
  if (!standard && !output_file_open(&g->file, o->output, o)) {
    return EXIT_USAGE;
  }
  if (!out_open_fd(&g->out, standard ? STDOUT_FILENO : g->file.fd)) {
    output_file_discard(&g->file);
    return EXIT_INTERNAL;
  }
  return EXIT_OK;
}

static int gen_write(gen_output *g, const opts *o, const scenario *s) {
  if (g->file.fd < 0) {
    scenario_write(s, SCENARIO_PCAP, &g->out);
    return run_output_ok(&g->out) ? EXIT_OK : EXIT_USAGE;
  }
  scenario_write(s, capture_file_is_ng(o->output) ? SCENARIO_PCAPNG : SCENARIO_PCAP, &g->out);
  out_flush(&g->out);
  return output_file_close(&g->file, g->out.error) ? EXIT_OK : EXIT_USAGE;
}

static int gen_make(gen_output *g, const opts *o, scenario *s, const char *text, size_t len) {
  scenario_error error;
  if (!scenario_read(s, text, len, &error)) {
    diag("%s:%u:%u: %s", o->operands[0], error.line, error.column, error.message);
    return EXIT_USAGE;
  }
  if (o->variant != NULL && !scenario_has_variant(s, o->variant)) {
    diag("%s: over SCTP there is no variant %s", o->operands[0], o->variant);
    return EXIT_USAGE;
  }
  if (o->variant != NULL && !scenario_derive(s, o->variant)) {
    diag("%s: %s makes more packets than a scenario may have", o->operands[0], o->variant);
    return EXIT_USAGE;
  }
  return gen_write(g, o, s);
}

static int gen_read(gen_output *g, const opts *o) {
  size_t len = 0;
  char *text = gen_text(o->operands[0], &len);
  if (text == NULL) {
    return EXIT_USAGE;
  }
  scenario *s = scenario_new();
  const int status = s != NULL ? gen_make(g, o, s, text, len) : EXIT_INTERNAL;
  scenario_free(s);
  free(text);
  return status;
}

int cmd_gen(const opts *o) {
  gen_output g;
  if (o->output == NULL) {
    diag("gen: -o FILE is missing ('-' is standard output)");
    return EXIT_USAGE;
  }
  int status = gen_open(&g, o);
  if (status == EXIT_OK) { /* the scenario is read once the output can be written */
    status = gen_read(&g, o);
    output_file_discard(&g.file);
    out_close(&g.out);
  }
  return status;
}
