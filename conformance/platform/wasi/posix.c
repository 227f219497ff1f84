/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of POSIX that wasi-libc lacks and the headers beside it do not define in place. */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIGNAL_STATUS = 128 }; /* plus the number of a signal, as shells count */
enum { TMPFILE_TRIES = 1000 };

/* The default action of a signal. */
int raise(int number) {
  _Exit(SIGNAL_STATUS + number);
}

/* A file in P_tmpdir without a name. Only this process sees the folder. */
FILE *tmpfile(void) {
  static unsigned int number;
  int fd = -1;
  for (unsigned int i = 0; fd < 0 && i < TMPFILE_TRIES; i++) {
    char path[32];
    (void)snprintf(path, sizeof path, P_tmpdir "/iwarp-%u", number++);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL);
    if (fd >= 0) {
      (void)unlink(path);
    }
  }
  FILE *file = fd >= 0 ? fdopen(fd, "w+b") : NULL;
  if (fd >= 0 && file == NULL) {
    (void)close(fd);
  }
  return file;
}
