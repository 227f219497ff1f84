/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists folders, and chooses the captures in them. */
#define _POSIX_C_SOURCE 200809L

#include "folders.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <ingest/pcap_src.h>
#include <memory/memory.h>

#include "diag.h"

/* Operands that take the place of others. */
typedef struct folders_list {
  const char **paths;
  size_t num;
  size_t room;
} folders_list;

static bool folders_add(folders_list *list, const char *path) {
  if (list->num == list->room) {
    const size_t room = list->room > 0 ? 2 * list->room : 16;
    const char **grown = memory_resize(list->paths, room * sizeof *grown);
    if (grown == NULL) {
      return false;
    }
    list->paths = grown;
    list->room = room;
  }
  list->paths[list->num++] = path;
  return true;
}

/* ---- listing ---- */

/* The path of an entry; NULL: no memory. */
static char *folders_path(const char *folder, const char *name) {
  const size_t len = strlen(folder);
  const char *between = len > 0 && folder[len - 1] == '/' ? "" : "/";
  char *path = memory_get(len + strlen(name) + 2);
  if (path != NULL) {
    (void)sprintf(path, "%s%s%s", folder, between, name);
  }
  return path;
}

static int folders_order(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds an entry that is a regular file, and counts all others; false: no memory. */
static bool folders_entry(folders_list *list, opts_folder *folder, DIR *dir, const char *name) {
  struct stat st;
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
    return true;
  }
  if (fstatat(dirfd(dir), name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode)) {
    folder->others++;
    return true;
  }
  char *path = folders_path(folder->path, name);
  if (path == NULL || !folders_add(list, path)) {
    free(path);
    return false;
  }
  return true;
}

/* Adds the files of a folder; one that cannot be listed, or has no file, stays what it is. */
static bool folders_read(opts *o, folders_list *list, const char *path) {
  opts_folder *folder = &o->folders[o->num_folders];
  DIR *dir = opendir(path);
  bool ok = true;
  *folder = (opts_folder){.path = path, .first = list->num};
  if (dir == NULL) {
    return folders_add(list, path);
  }
  for (struct dirent *entry = readdir(dir); ok && entry != NULL; entry = readdir(dir)) {
    ok = folders_entry(list, folder, dir, entry->d_name);
  }
  (void)closedir(dir);
  folder->num = list->num - folder->first;
  o->num_folders++;
  if (folder->num == 0) {
    return ok && folders_add(list, path);
  }
  qsort(list->paths + folder->first, folder->num, sizeof *list->paths, folders_order);
  return ok;
}

static bool folders_is(const char *path) {
  struct stat st;
  return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool folders_open(opts *o) {
  folders_list list = {.paths = NULL};
  bool ok = true;
  bool any = false;
  for (size_t i = 0; i < o->num_operands; i++) {
    any = any || folders_is(o->operands[i]);
  }
  if (!any) {
    return true;
  }
  o->folders = memory_zeroed(o->num_operands, sizeof *o->folders);
  ok = o->folders != NULL;
  for (size_t i = 0; ok && i < o->num_operands; i++) {
    const char *path = o->operands[i];
    ok = folders_is(path) ? folders_read(o, &list, path) : folders_add(&list, path);
  }
  free(o->operands);
  o->operands = list.paths;
  o->num_operands = list.num;
  return ok;
}

/* ---- choosing ---- */

/* What stands at place `i` of the list of files: the folder that it is of, or NULL. */
static opts_folder *folders_of(opts *o, size_t i) {
  for (size_t n = 0; n < o->num_folders; n++) {
    if (i - o->folders[n].first < o->folders[n].num) {
      return &o->folders[n];
    }
  }
  return NULL;
}

static void folders_tell(const opts_folder *folder) {
  const unsigned long long others = folder->others;
  if (others > 0) {
    diag("%s: %llu %s that %s no capture %s left out", folder->path, others,
         others == 1 ? "entry" : "entries", others == 1 ? "is" : "are", others == 1 ? "is" : "are");
  }
}

void folders_choose(opts *o) {
  size_t kept = 0;
  for (size_t i = 0; i < o->num_operands; i++) {
    opts_folder *folder = folders_of(o, i);
    const bool last = folder != NULL && i + 1 == folder->first + folder->num;
    if (folder == NULL || pcap_src_begins(o->operands[i])) {
      o->operands[kept++] = o->operands[i];
      if (folder != NULL) {
        folder->kept++;
      }
    } else {
      free((char *)(uintptr_t)o->operands[i]);
      folder->others++;
    }
    if (last && folder->kept == 0) {
      o->operands[kept++] = folder->path;
    }
  }
  o->num_operands = kept;
  for (size_t n = 0; n < o->num_folders; n++) {
    folders_tell(&o->folders[n]);
  }
}

/* ---- files of a rotation ---- */

enum { FOLDERS_DATE = 8 }; /* digits that a time has at least: a day */

/* A path, and the parts of it that a rotation does not change. */
typedef struct folders_name {
  const char *path;
  char *alike;   /* the path without the digits in its last component */
  size_t digits; /* number of these digits */
  size_t stem;   /* octets of the path without the digits at its end */
} folders_name;

static bool folders_digit(char c) {
  return c >= '0' && c <= '9';
}

/* False: no memory. */
static bool folders_name_of(folders_name *out, const char *path) {
  const char *slash = strrchr(path, '/');
  const size_t folder = slash != NULL ? (size_t)(slash - path) : 0;
  size_t len = 0;
  *out = (folders_name){.path = path, .alike = memory_get(strlen(path) + 1), .stem = strlen(path)};
  for (size_t i = 0; out->alike != NULL && path[i] != 0; i++) {
    if (i >= folder && folders_digit(path[i])) {
      out->digits++;
    } else {
      out->alike[len++] = path[i];
    }
  }
  while (out->stem > folder && folders_digit(path[out->stem - 1])) {
    out->stem--;
  }
  if (out->alike != NULL) {
    out->alike[len] = 0;
  }
  return out->alike != NULL;
}

static int folders_name_order(const void *a, const void *b) {
  const folders_name *x = a;
  const folders_name *y = b;
  const int alike = strcmp(x->alike, y->alike);
  return alike != 0 ? alike : strcmp(x->path, y->path);
}

/* Returns true if the name without the digits at its end ends with an extension. */
static bool folders_has_extension(const folders_name *x) {
  size_t at = x->stem;
  while (at > 0 && x->path[at - 1] != '.' && x->path[at - 1] != '/' &&
         !folders_digit(x->path[at - 1])) {
    at--;
  }
  return at > 1 && at < x->stem && x->path[at - 1] == '.' && x->path[at - 2] != '/';
}

/* Returns true if both files may be of one rotation. Programs put a time into the name, as
 * Wireshark does beside a number, or a number after the extension, as tcpdump -C does. */
static bool folders_follow(const folders_name *a, const folders_name *b) {
  const bool times = a->digits >= FOLDERS_DATE && b->digits >= FOLDERS_DATE;
  const bool numbers =
      a->stem == b->stem && memcmp(a->path, b->path, a->stem) == 0 && folders_has_extension(a);
  return strcmp(a->alike, b->alike) == 0 && strcmp(a->path, b->path) != 0 && (times || numbers);
}

static void folders_hint_names(folders_name *names, size_t num) {
  qsort(names, num, sizeof *names, folders_name_order);
  size_t i = 1;
  while (i < num && !folders_follow(&names[i - 1], &names[i])) {
    i++;
  }
  if (i < num) {
    const char *slash = strrchr(names[i].path, '/');
    diag("the names of captures, such as '%s', look like one capture that was cut into files: "
         "--join reads them as one",
         slash != NULL ? slash + 1 : names[i].path);
  }
}

void folders_hint(const opts *o) {
  if (o->join || o->num_operands < 2) {
    return;
  }
  folders_name *names = memory_zeroed(o->num_operands, sizeof *names);
  size_t num = 0;
  while (names != NULL && num < o->num_operands && folders_name_of(&names[num], o->operands[num])) {
    num++;
  }
  if (num == o->num_operands) {
    folders_hint_names(names, num);
  }
  for (size_t i = 0; i < num; i++) {
    free(names[i].alike);
  }
  free(names);
}
