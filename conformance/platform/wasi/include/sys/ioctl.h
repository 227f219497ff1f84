/* SPDX-License-Identifier: BSD-2-Clause */
/* The size of a terminal, which ioctl refuses to tell. */
#ifndef PLATFORM_WASI_SYS_IOCTL_H
#define PLATFORM_WASI_SYS_IOCTL_H

#include_next <sys/ioctl.h>

#define TIOCGWINSZ 0x5413

struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
};

#endif
