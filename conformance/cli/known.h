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
  bool any;        /* of a profile */
  uint64_t conn;   /* of a baseline: the connection, */
  uint64_t count;  /* how many findings are expected, */
  uint64_t found;  /* and how many there were */
  size_t line;
  const char *name;  /* of a baseline the capture, of a profile what the way is called */
  const char *cause; /* of a profile: only findings with this cause, or NULL */
} known_entry;

/** known is what a run expects. */
typedef struct known {
  known_entry *of;
  size_t num;
  size_t cap;
  report_spots spots; /* of a baseline of form 2 */
  uint64_t captures;  /* of which it is */
  char *text[2];      /* of the files, into which names point */
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
