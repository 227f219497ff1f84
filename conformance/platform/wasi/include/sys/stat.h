/* SPDX-License-Identifier: BSD-2-Clause */
/* Modes of files, where files have none. */
#ifndef PLATFORM_WASI_SYS_STAT_H
#define PLATFORM_WASI_SYS_STAT_H

#define umask platform_no_umask /* names for the declarations that some versions have */
#define fchmod platform_no_fchmod
#include_next <sys/stat.h>
#undef umask
#undef fchmod

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
