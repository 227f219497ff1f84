/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens and closes the files of reports. */
#define _POSIX_C_SOURCE 200809L

#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"

static bool output_same(const struct stat *a, const struct stat *b) {
  return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool output_file_same(int a, int b) {
  struct stat of[2];
  return fstat(a, &of[0]) == 0 && fstat(b, &of[1]) == 0 && output_same(&of[0], &of[1]);
}

static bool output_is_capture(const struct stat *file, const opts *o) {
  bool any = false;
  for (size_t i = 0; i < o->num_operands; i++) {
    struct stat capture;
    const int got = strcmp(o->operands[i], "-") == 0 ? fstat(STDIN_FILENO, &capture)
                                                     : stat(o->operands[i], &capture);
    any = any || (got == 0 && output_same(file, &capture));
  }
  return any;
}

/* Empties a regular file, unless it is one that is to be read. */
static bool output_prepare(int fd, const char *path, const opts *o) {
  struct stat file;
  const bool known = fstat(fd, &file) == 0;
  if (known && output_is_capture(&file, o)) {
    diag("%s: is read by this run, and is not overwritten", path);
    return false;
  }
  if (!known || (S_ISREG(file.st_mode) && ftruncate(fd, 0) != 0)) {
    diag("%s: %s", path, strerror(errno));
    return false;
  }
  return true;
}

/* Never the number of a standard stream that is closed: whoever uses that one would get the file.
 */
static int output_open(const char *path) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || fd > STDERR_FILENO) {
    return fd;
  }
  const int other = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  (void)close(fd);
  errno = error;
  return other;
}

int output_file_open(const char *path, const opts *o) {
  const int fd = output_open(path);
  if (fd < 0) {
    diag("%s: %s", path, strerror(errno));
    return -1;
  }
  if (!output_prepare(fd, path, o)) {
    (void)close(fd);
    return -1;
  }
  return fd;
}

bool output_file_close(int fd, const char *path, int error) {
  if (close(fd) != 0 && error == 0) {
    error = errno;
  }
  if (error != 0) {
    diag("%s: %s", path, strerror(error));
  }
  return error == 0;
}
