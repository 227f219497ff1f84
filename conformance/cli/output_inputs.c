/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares an output with what the run reads and writes besides. */
#define _POSIX_C_SOURCE 200809L

#include "output_inputs.h"

#include <string.h>
#include <unistd.h>

#include "output_target.h"

/* Devices such as /dev/null and terminals may be read and written at a time. */
static bool inputs_same(const struct stat *a, const struct stat *b) {
  const bool keeps = S_ISREG(a->st_mode) || S_ISBLK(a->st_mode) || S_ISFIFO(a->st_mode);
  return keeps && output_target_is(a, b);
}

/* Returns true if this path, "-" being standard input, leads to the file. */
static bool inputs_is(const struct stat *file, const char *path) {
  struct stat other;
  const int got = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &other) : stat(path, &other);
  return got == 0 && inputs_same(file, &other);
}

bool output_inputs_have(const struct stat *file, const opts *o) {
  bool any = (o->baseline != NULL && inputs_is(file, o->baseline)) ||
             (o->profile != NULL && inputs_is(file, o->profile)) ||
             (o->key != NULL && inputs_is(file, o->key)) ||
             (o->write != NULL && inputs_is(file, o->write));
  for (size_t i = 0; !any && i < o->num_operands; i++) {
    any = inputs_is(file, o->operands[i]);
  }
  return any;
}

const char *output_inputs_stream(const struct stat *file) {
  static const char *const names[] = {
      [STDOUT_FILENO] = "standard output", [STDERR_FILENO] = "standard error"};
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
    struct stat other;
    if (S_ISREG(file->st_mode) && fstat(fd, &other) == 0 && inputs_same(file, &other)) {
      return names[fd];
    }
  }
  return NULL;
}
