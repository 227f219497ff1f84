/* SPDX-License-Identifier: BSD-2-Clause */
/* A folder for each test of confinement, with an input, another file and a folder for outputs. */
#ifndef SUPPORT_CONFINE_ROOM_H
#define SUPPORT_CONFINE_ROOM_H

#include <limits.h>

typedef struct confine_room {
  char folder[PATH_MAX];
  char input[PATH_MAX]; /* holds "input" */
  char other[PATH_MAX]; /* holds "other" */
  char made[PATH_MAX];  /* an empty folder */
} confine_room;

/* The room of the test that runs. */
extern confine_room room;

/* Make and remove it: a fixture of Check. */
void confine_room_make(void);
void confine_room_remove(void);

/* The path of a name in a folder. */
void path_in(char out[PATH_MAX], const char *folder, const char *name);

/* Makes a file with a text. */
void write_file(const char *path, const char *text);

#endif
