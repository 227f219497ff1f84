/* SPDX-License-Identifier: BSD-2-Clause */
/* POSIX signals where none ever comes. */
#ifndef PLATFORM_WASI_SIGNAL_H
#define PLATFORM_WASI_SIGNAL_H

#define _WASI_EMULATED_SIGNAL /* the header of wasi-libc refuses to be included without it */
#include_next <signal.h>

#include <__typedef_sigset_t.h>
#include <stddef.h>

#undef SIG_DFL /* functions of a library that is not linked */
#undef SIG_IGN
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_RESTART 0x10000000
#define SA_RESETHAND 0x20000000

struct sigaction {
  void (*sa_handler)(int);
  sigset_t sa_mask;
  int sa_flags;
};

static inline int sigemptyset(sigset_t *set) {
  *set = 0;
  return 0;
}

static inline int sigaddset(sigset_t *set, int number) {
  (void)set;
  (void)number;
  return 0;
}

/* Every signal has its default action, and keeps it. */
static inline int sigaction(int number, const struct sigaction *to, struct sigaction *before) {
  (void)number;
  (void)to;
  if (before != NULL) {
    *before = (struct sigaction){.sa_handler = SIG_DFL};
  }
  return 0;
}

#endif
