/* SPDX-License-Identifier: BSD-2-Clause */
/* The progress line. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <report/utf8.h>

#define PROGRESS_BAR 20u
#define PROGRESS_STEP_OCTETS                                                                       \
  (UINT64_C(8) << 20) /* between two lines where the size is not known                             \
                       */

static struct {
  bool on;
  bool drawn;
  const char *file;
  uint64_t step;
} progress;

void progress_enable(bool on) {
  progress.on = on;
}

bool progress_enabled(void) {
  return progress.on;
}

void progress_erase(void) {
  if (progress.drawn) {
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress.drawn = false;
  }
}

static unsigned int progress_percent(const progress_state *s) {
  if (s->done >= s->total) { /* the file may grow while it is read */
    return 100;
  }
  const bool huge = s->total > UINT64_MAX / 100;
  return (unsigned int)(huge ? s->done / (s->total / 100) : s->done * 100 / s->total);
}

static void progress_bar(unsigned int percent) {
  char bar[PROGRESS_BAR + 1];
  for (unsigned int i = 0; i < PROGRESS_BAR; i++) {
    bar[i] = i * 100 < percent * PROGRESS_BAR ? '#' : '.';
  }
  bar[PROGRESS_BAR] = 0;
  fprintf(stderr, "[%s] %3u%%", bar, percent);
}

/* The name of a file may hold what a terminal obeys. */
static void progress_name(const char *name) {
  for (size_t left = strlen(name); left > 0;) {
    const size_t len = report_plain_len(name, left);
    const size_t step = len > 0 ? len : 1;
    fwrite(len > 0 ? name : "?", 1, step, stderr);
    name += step;
    left -= step;
  }
}

void progress_show(const progress_state *s) {
  const uint64_t step = s->total > 0 ? progress_percent(s) : s->done / PROGRESS_STEP_OCTETS;
  if (!progress.on || (progress.drawn && progress.file == s->file && progress.step == step)) {
    return;
  }
  progress.file = s->file;
  progress.step = step;
  fputs("\r\033[K", stderr);
  progress_name(s->file);
  fputc(' ', stderr);
  if (s->total > 0) {
    progress_bar((unsigned int)step);
  } else {
    fprintf(stderr, "%" PRIu64 " MiB", s->done >> 20);
  }
  fprintf(stderr, "  %" PRIu64 " packets, %" PRIu64 " connections, %" PRIu64 " findings",
          s->packets, s->connections, s->findings);
  fflush(stderr);
  progress.drawn = true;
}
