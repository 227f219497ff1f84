/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks that a capture is a regular file, which can be read twice. */
#define _POSIX_C_SOURCE 200809L

#include "capture_twice.h"

#include <string.h>
#include <sys/stat.h>

bool capture_twice(const char *path) {
  struct stat st;
  return strcmp(path, "-") != 0 &&
         (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}
