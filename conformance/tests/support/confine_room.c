/* SPDX-License-Identifier: BSD-2-Clause */
/* A folder with files for a test of confinement. */
#define _GNU_SOURCE /* mkdtemp */

#include "confine_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <check.h>

confine_room room;

void path_in(char out[PATH_MAX], const char *folder, const char *name) {
  ck_assert_int_lt(snprintf(out, PATH_MAX, "%.3000s/%s", folder, name), PATH_MAX);
}

void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_ge(fputs(text, file), 0);
  ck_assert_int_eq(fclose(file), 0);
}

void confine_room_make(void) {
  const char *tmp = getenv("TMPDIR");
  path_in(room.folder, tmp != NULL ? tmp : "/tmp", "check-confine-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(room.folder));
  path_in(room.input, room.folder, "input");
  path_in(room.other, room.folder, "other");
  path_in(room.made, room.folder, "made");
  write_file(room.input, "input");
  write_file(room.other, "other");
  ck_assert_int_eq(mkdir(room.made, 0700), 0);
}

void confine_room_remove(void) {
  char command[PATH_MAX + 16];
  (void)snprintf(command, sizeof command, "rm -rf '%s'", room.folder);
  ck_assert_int_eq(system(command), 0);
}
