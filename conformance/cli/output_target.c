/* SPDX-License-Identifier: BSD-2-Clause */
/* Follows the path of an output to its folder. */
#define _GNU_SOURCE /* O_PATH */

#include "output_target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <confine/confine.h>

#define TARGET_PATH_CAP 4096u /* octets of a path with its final 0 */
#define TARGET_LINKS_MAX 40u  /* symbolic links in a row, as Linux has it */

#ifdef O_PATH
#define TARGET_FOLDER_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#else
#define TARGET_FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

static bool target_error(int error) {
  errno = error;
  return false;
}

/* Splits a path in place into its folder and its name, which the target takes. */
static bool target_split(output_target *t, char *path, const char **folder) {
  char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  *folder = slash == NULL ? "." : slash == path ? "/" : path;
  if (*name == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
    return target_error(EISDIR);
  }
  if (strlen(name) >= sizeof t->name) {
    return target_error(ENAMETOOLONG);
  }
  memcpy(t->name, name, strlen(name) + 1);
  if (slash != NULL) {
    *slash = 0;
  }
  return true;
}

/* Goes to a folder, seen from the current one. */
static bool target_enter(output_target *t, const char *folder) {
  const int next = confine_move_up(openat(t->folder, folder, TARGET_FOLDER_FLAGS));
  if (next < 0) {
    return false;
  }
  output_target_close(t);
  t->folder = next;
  return fstat(next, &t->folder_stat) == 0;
}

/* Whether another user may have put this into a folder where everybody may make files. */
static bool target_is_planted(const output_target *t) {
  const mode_t shared = t->folder_stat.st_mode & (mode_t)(S_IWGRP | S_IWOTH);
  return (t->folder_stat.st_mode & S_ISVTX) != 0 && shared != 0 && t->file.st_uid != geteuid() &&
         t->file.st_uid != t->folder_stat.st_uid;
}

/* Looks at one path. If it names a symbolic link, the target of the link replaces it in `path`. */
static bool target_step(output_target *t, char path[TARGET_PATH_CAP], bool *is_link) {
  const char *folder = NULL;
  char name[TARGET_PATH_CAP];
  *is_link = false;
  memcpy(name, path, strlen(path) + 1);
  if (!target_split(t, name, &folder) || !target_enter(t, folder)) {
    return false;
  }
  t->exists = fstatat(t->folder, t->name, &t->file, AT_SYMLINK_NOFOLLOW) == 0;
  if (!t->exists) {
    return errno == ENOENT;
  }
  if (target_is_planted(t)) {
    return target_error(EACCES);
  }
  if (!S_ISLNK(t->file.st_mode)) {
    return true;
  }
  const ssize_t len = readlinkat(t->folder, t->name, path, TARGET_PATH_CAP);
  if (len < 0 || len == TARGET_PATH_CAP) {
    return len < 0 ? false : target_error(ENAMETOOLONG);
  }
  path[len] = 0;
  *is_link = true;
  return true;
}

bool output_target_find(output_target *t, const char *path) {
  char rest[TARGET_PATH_CAP];
  bool is_link = true;
  *t = (output_target){.folder = AT_FDCWD};
  if (strlen(path) >= sizeof rest) {
    return target_error(ENAMETOOLONG);
  }
  memcpy(rest, path, strlen(path) + 1);
  for (unsigned int i = 0; is_link; i++) {
    if ((i > TARGET_LINKS_MAX && !target_error(ELOOP)) || !target_step(t, rest, &is_link)) {
      const int error = errno;
      output_target_close(t);
      return target_error(error);
    }
  }
  return true;
}

void output_target_close(output_target *t) {
  if (t->folder >= 0) {
    (void)close(t->folder);
  }
  t->folder = -1;
}

bool output_target_same(const output_target *a, const output_target *b) {
  return (a->exists && b->exists && output_target_is(&a->file, &b->file)) ||
         (output_target_is(&a->folder_stat, &b->folder_stat) && strcmp(a->name, b->name) == 0);
}
