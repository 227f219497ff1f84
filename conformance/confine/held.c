/* SPDX-License-Identifier: BSD-2-Clause */
/* Inputs that are opened before the process loses the right to open files. */
#define _POSIX_C_SOURCE 200809L

#include "confine_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define HELD_OTHERS 32u /* descriptors for all but inputs */

/* An input. */
typedef struct held_file {
  char *path;
  int fd;     /* -1: not open */
  int error;  /* reason of -1: opening failed, or the descriptor was handed out */
  bool again; /* the descriptor can be handed out again; a pipe cannot */
} held_file;

static held_file *held_files;
static size_t held_num;
static bool held_all; /* files cannot be opened any more */

void confine_release(void) {
  for (size_t i = 0; i < held_num; i++) {
    if (held_files[i].fd >= 0) {
      (void)close(held_files[i].fd);
    }
    free(held_files[i].path);
  }
  free(held_files);
  held_files = NULL;
  held_num = 0;
  held_all = false;
}

/* Each input takes two descriptors while it is read: the held one and its copy. */
static bool held_room(size_t num) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
         (limit.rlim_cur == RLIM_INFINITY || num * 2 + HELD_OTHERS <= limit.rlim_cur);
}

int confine_move_up(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) {
    return fd;
  }
  const int other = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  (void)close(fd);
  errno = error;
  return other;
}

/* O_NONBLOCK lets the call return for a FIFO without a writer. */
static int held_descriptor(const char *path) {
  return confine_move_up(open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

/* Opens one input. False: descriptors or memory ran out. */
static bool held_open(held_file *file, const char *path) {
  struct stat st;
  *file = (held_file){.path = strdup(path), .fd = held_descriptor(path)};
  file->error = file->fd < 0 ? errno : 0;
  file->again = file->fd >= 0 && fstat(file->fd, &st) == 0 && !S_ISFIFO(st.st_mode);
  return file->path != NULL && file->error != EMFILE && file->error != ENFILE;
}

bool confine_hold(const confine_plan *plan) {
  confine_release();
  if (plan->failed || plan->writes || plan->by_libc || !held_room(plan->num)) {
    return false;
  }
  held_files = calloc(plan->num + 1, sizeof *held_files);
  held_all = held_files != NULL;
  while (held_all && held_num < plan->num) {
    held_all = held_open(&held_files[held_num], plan->paths[held_num].path);
    held_num++;
  }
  if (!held_all) {
    confine_release();
  }
  return held_all;
}

/* The first input of that name that can be handed out, or else one that cannot; NULL: no input has
 * the name. */
static held_file *held_find(const char *path) {
  held_file *found = NULL;
  for (size_t i = 0; i < held_num && (found == NULL || found->fd < 0); i++) {
    if (strcmp(held_files[i].path, path) == 0) {
      found = &held_files[i];
    }
  }
  return found;
}

/* Gives the descriptor of an input away, or a copy of it where it can be read again. */
static int held_hand_out(held_file *file, int flags) {
  int fd = file->fd;
  if (file->again) {
    fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  } else {
    file->fd = -1;
    file->error = EPERM;
  }
  if (fd >= 0 && file->again) {
    (void)lseek(fd, 0, SEEK_SET);
  }
  if (fd >= 0 && (flags & O_NONBLOCK) == 0) {
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  }
  return fd;
}

int confine_open(const char *path, int flags) {
  if (!held_all) {
    return open(path, O_RDONLY | O_CLOEXEC | flags);
  }
  held_file *file = held_find(path);
  if (file != NULL && file->fd >= 0) {
    return held_hand_out(file, flags);
  }
  errno = file != NULL ? file->error : EPERM;
  return -1;
}
