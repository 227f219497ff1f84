/* SPDX-License-Identifier: BSD-2-Clause */
/* Modes of files, where files have none. */
#ifndef PLATFORM_WASI_SYS_STAT_H
#define PLATFORM_WASI_SYS_STAT_H

#include_next <sys/stat.h>

static inline mode_t umask(mode_t mask) {
  (void)mask;
  return 0;
}

static inline int fchmod(int fd, mode_t mode) {
  (void)fd;
  (void)mode;
  return 0;
}

#endif
