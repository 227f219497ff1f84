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

/* Enters `folder`, a name in the current folder. It fails for a symbolic link. */
static bool target_enter(output_target *t, const char *folder) {
  const int next = confine_move_up(openat(t->folder, folder, TARGET_FOLDER_FLAGS | O_NOFOLLOW));
  if (next < 0) {
    return false;
  }
  output_target_close(t);
  t->folder = next;
  return fstat(next, &t->folder_stat) == 0;
}

/* Returns true if the user may lead an output anywhere. The owner of the root folder may, whatever
 * number it has here. */
static bool target_trusts(uid_t user) {
  struct stat root;
  return user == geteuid() || user == 0 || (stat("/", &root) == 0 && user == root.st_uid);
}

/* Returns true if another user may have put this into a folder where everybody may make files. */
static bool target_is_planted(const output_target *t) {
  const mode_t shared = t->folder_stat.st_mode & (mode_t)(S_IWGRP | S_IWOTH);
  return (t->folder_stat.st_mode & S_ISVTX) != 0 && shared != 0 && t->file.st_uid != geteuid() &&
         t->file.st_uid != t->folder_stat.st_uid;
}

/* Returns true if the link is of a user who is not trusted, in a folder where such a user may have
 * put it. */
static bool target_is_bait(const output_target *t) {
  const mode_t shared = t->folder_stat.st_mode & (mode_t)(S_IWGRP | S_IWOTH);
  return !target_trusts(t->file.st_uid) && (shared != 0 || !target_trusts(t->folder_stat.st_uid));
}

/* Returns true if the folder is one of /proc, whose links lead to files and not to paths. */
static bool target_in_proc(const output_target *t) {
  struct stat proc;
  struct stat root;
  return stat("/proc/self/fd", &proc) == 0 && stat("/", &root) == 0 && proc.st_dev != root.st_dev &&
         proc.st_dev == t->folder_stat.st_dev;
}

/* What is left of a path, as a text that ends with the array. */
typedef struct target_rest {
  const char *next;
  char text[TARGET_PATH_CAP];
} target_rest;

/* Puts a path before the rest, and goes to where it begins. */
static bool target_prepend(output_target *t, target_rest *rest, const char *path) {
  const size_t len = strlen(path);
  const size_t left = strlen(rest->next);
  if (len == 0) {
    return target_error(ENOENT);
  }
  if (len + left + 1 > sizeof rest->text) {
    return target_error(ENAMETOOLONG);
  }
  char *at = &rest->text[sizeof rest->text - 1 - left];
  memmove(at, rest->next, left);
  rest->text[sizeof rest->text - 1] = 0;
  memcpy(at - len, path, len);
  rest->next = at - len;
  return target_enter(t, path[0] == '/' ? "/" : ".");
}

/* Takes the next name off the rest; *last when it is the end of the path. */
static bool target_name(output_target *t, target_rest *rest, bool *last) {
  rest->next += strspn(rest->next, "/");
  const size_t len = strcspn(rest->next, "/");
  if (len >= sizeof t->name) {
    return target_error(ENAMETOOLONG);
  }
  memcpy(t->name, rest->next, len);
  t->name[len] = 0;
  rest->next += len;
  *last = rest->next[0] == 0;
  return true;
}

static bool target_is_folder_name(const char *name) {
  return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Puts what the symbolic link leads to before the rest. */
static bool target_follow(output_target *t, target_rest *rest) {
  char path[TARGET_PATH_CAP];
  const ssize_t len = readlinkat(t->folder, t->name, path, sizeof path);
  if (len < 0 || len == (ssize_t)sizeof path) {
    return len < 0 ? false : target_error(ENAMETOOLONG);
  }
  path[len] = 0;
  return target_prepend(t, rest, path);
}

/* A link of /proc at the end of the path: what is no regular file is opened through it. The path of
 * a regular file is followed, and has to lead to it. */
static bool target_direct(output_target *t, struct stat *end) {
  struct stat file;
  if (!target_in_proc(t) || fstatat(t->folder, t->name, &file, 0) != 0) {
    return false;
  }
  if (S_ISREG(file.st_mode)) {
    *end = file;
    return false;
  }
  t->direct = true;
  t->file = file;
  return true;
}

/* Goes on by one name of the path: into a folder, through a link, or to the file itself. *end is
 * the file that a link of /proc leads to. */
static bool target_step(output_target *t, target_rest *rest, bool *done, struct stat *end,
                        unsigned int *links) {
  bool last;
  if (!target_name(t, rest, &last)) {
    return false;
  }
  if (t->name[0] == 0 || target_is_folder_name(t->name)) {
    return last ? target_error(EISDIR) : target_enter(t, t->name);
  }
  t->exists = fstatat(t->folder, t->name, &t->file, AT_SYMLINK_NOFOLLOW) == 0;
  if (!t->exists) {
    *done = last;
    return last && errno == ENOENT;
  }
  const bool link = S_ISLNK(t->file.st_mode);
  if (((last || link) && target_is_planted(t)) || (link && target_is_bait(t))) {
    return target_error(EACCES);
  }
  if (link && last && target_direct(t, end)) {
    *done = true;
    return true;
  }
  if (link) {
    return ++*links > TARGET_LINKS_MAX ? target_error(ELOOP) : target_follow(t, rest);
  }
  *done = last;
  return last || target_enter(t, t->name);
}

bool output_target_find(output_target *t, const char *path) {
  target_rest rest = {.next = ""};
  struct stat end = {.st_mode = 0};
  unsigned int links = 0;
  bool done = false;
  *t = (output_target){.folder = AT_FDCWD};
  bool ok = target_prepend(t, &rest, path);
  while (ok && !done) {
    ok = target_step(t, &rest, &done, &end, &links);
  }
  if (ok && end.st_mode != 0 && (!t->exists || !output_target_is(&t->file, &end))) {
    ok = target_error(ESTALE); /* the target has no name any more */
  }
  if (!ok) {
    const int error = errno;
    output_target_close(t);
    return target_error(error);
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
