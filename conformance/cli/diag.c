/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages on standard error, and near misses. */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <memory/memory.h>
#include <report/utf8.h>

#include "progress.h"

#define DIAG_CAP 8192u /* room for a path and a reason */
#define NEAR_MAX 63u
#define NEAR_BEGUN 4u /* letters from which on a beginning says enough */

void diag_memory(void) {
  progress_erase();
  fputs("iwarp: out of memory\n", stderr);
}

void diag(const char *format, ...) {
  char line[DIAG_CAP];
  va_list args;
  if (memory_ran_out()) { /* an apparent fault may be none */
    return;
  }
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  for (size_t i = 0, n = strlen(line); i < n;) { /* a path may hold anything */
    const size_t len = report_plain_len(line + i, n - i);
    line[i] = len > 0 ? line[i] : '?';
    i += len > 0 ? len : 1;
  }
  progress_erase();
  fprintf(stderr, "iwarp: %s\n", line);
}

static size_t near_min(size_t a, size_t b) {
  return a < b ? a : b;
}

size_t edit_distance(const char *a, const char *b) {
  const size_t na = strlen(a);
  const size_t nb = strlen(b);
  size_t rows[3][NEAR_MAX + 1] = {{0}};
  if (na > NEAR_MAX || nb > NEAR_MAX) {
    return NEAR_MAX;
  }
  for (size_t j = 0; j <= nb; j++) {
    rows[0][j] = j;
  }
  for (size_t i = 1; i <= na; i++) {
    size_t *row = rows[i % 3];
    const size_t *above = rows[(i - 1) % 3];
    const size_t *above2 = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      const size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = near_min(change, near_min(above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = near_min(row[j], above2[j - 2] + 1);
      }
    }
  }
  return rows[na % 3][nb];
}

/* The first name that goes on where the word stops. */
static const char *near_begun(const char *word, size_t len, const char *const *names) {
  while (*names != NULL && strncmp(word, *names, len) != 0) {
    names++;
  }
  return len >= NEAR_BEGUN ? *names : NULL;
}

const char *nearest(const char *word, const char *const *names) {
  const size_t len = strlen(word);
  size_t best = len / 3 < 1 ? 1 : len / 3;
  const char *found = NULL;
  const char *begun = near_begun(word, len, names);
  for (; *names != NULL; names++) {
    const size_t distance = edit_distance(word, *names);
    if (distance < best || (distance == best && found == NULL)) {
      best = distance;
      found = *names;
    }
  }
  return found != NULL ? found : begun;
}
