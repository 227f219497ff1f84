/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings that are expected: findings of a baseline, and the known ways of an implementation. */
#ifndef CLI_KNOWN_H
#define CLI_KNOWN_H

#include <observe/conn.h>
#include <report/out_buf.h>
#include <report/spots.h>

#include "opts.h"

/** known_entry is one line of a profile, or of a baseline of form 1, which names captures. */
typedef struct known_entry {
  uint16_t rule;
  iwarp_role role; /* UNKNOWN in a profile: any */
  bool any;        /* profile: any role */
  uint64_t conn;   /* baseline: number of the connection */
  uint64_t count;  /* number of findings that are expected */
  uint64_t found;  /* number of findings that came */
  size_t line;
  const char *name;  /* baseline: name of the capture; profile: name of the deviation */
  const char *cause; /* profile: cause of the findings; NULL: any */
} known_entry;

/** known is what a run expects. */
typedef struct known {
  known_entry *of;
  size_t num;
  size_t cap;
  report_spots spots; /* spots of a baseline of form 2 */
  uint64_t captures;  /* captures of that baseline */
  char *text[2];      /* texts of the files, into which names point */
  const char *baseline;
} known;

/** known_built_in returns a copy of a profile that travels inside the tool; NULL: the tool lacks
 * it, or memory ran out. */
char *known_built_in(const char *name);

/** known_load returns the whole text of a file; NULL: a message says why not, after `before`. */
char *known_load(const char *path, const char *before);

/** known_open reads the files that the options name; false: a message says what is wrong. */
bool known_open(known *k, const opts *o);

/** known_find returns the name under which a finding is expected, or NULL, and counts it. */
const char *known_find(known *k, const observe_conn *conn, const iwarp_finding *f);

/** known_missing reports what a baseline expects of these captures and rules that was not found,
 * and appends it to `text`, a line each; returns how many lines of it. */
uint64_t known_missing(const known *k, const opts *o, char *const *names, const bool *disabled,
                       out_buf *text);

/** known_close gives the memory back. */
void known_close(known *k);

#endif
