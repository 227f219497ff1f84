/* SPDX-License-Identifier: BSD-2-Clause */
/* The folder and the name that the path of an output leads to. */
#ifndef CLI_OUTPUT_TARGET_H
#define CLI_OUTPUT_TARGET_H

#include <stdbool.h>
#include <sys/stat.h>

#define OUTPUT_NAME_CAP 256u /* octets of a file name with its final 0 */

/** output_target is the file that an output makes, replaces or is written to. */
typedef struct output_target {
  int folder;                 /* descriptor of its folder */
  struct stat folder_stat;    /* state of the folder */
  char name[OUTPUT_NAME_CAP]; /* name in the folder; a symbolic link only where `direct` is set */
  bool exists;
  bool direct;      /* `name` is a link of /proc to what has no path, such as a pipe */
  struct stat file; /* state of the file, if it exists */
} output_target;

/**
 * output_target_find follows `path` name by name, with all symbolic links in it, and opens the
 * folder of the file that it leads to. The path is not looked at in any other way.
 *
 * Trusted are this user, root, and the owner of the root folder. A link of any other user is
 * refused anywhere in the path where such a user can have put it: if its folder belongs to one, or
 * a group or others may write to it. In a sticky folder that others may write to, files, pipes and
 * devices of other users are refused at its end, too. Linux does the latter with
 * fs.protected_symlinks, fs.protected_regular and fs.protected_fifos. False: errno says why, and
 * nothing is open.
 */
bool output_target_find(output_target *t, const char *path);

/** output_target_close closes the folder. */
void output_target_close(output_target *t);

/** output_target_is says whether two results of stat(2) are about one file. */
static inline bool output_target_is(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/** output_target_same says whether two outputs are one file. */
bool output_target_same(const output_target *a, const output_target *b);

#endif
