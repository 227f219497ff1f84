/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of one shard, read twice: once to know that they are right, once to join them. */
#ifndef CLI_MERGE_PART_H
#define CLI_MERGE_PART_H

#include <stdio.h>

#include "shard_read.h"

/** merge_kind is what a line is. */
typedef enum merge_kind {
  MERGE_NONE = 0, /* there is no more */
  MERGE_RUN,      /* the first one */
  MERGE_OPENED,
  MERGE_FINDING,
  MERGE_CONNECTION,
  MERGE_CAPTURE,   /* `conn_text` is empty where it is about no connection */
  MERGE_TRANSPORT, /* likewise */
  MERGE_SUMMARY
} merge_kind;

/** merge_line is the current line of a part; texts live until the next one. */
typedef struct merge_line {
  merge_kind kind;
  json_text text;   /* without the end of the line */
  uint64_t at;      /* its place in the run */
  uint64_t capture; /* OPENED: number of the capture */
  uint64_t conn;    /* as in the part */
  json_text conn_text;
  json_text at_text; /* from the comma before its key on */
} merge_line;

/** merge_part is an operand of merge. */
typedef struct merge_part {
  const char *name; /* for messages */
  FILE *file;       /* that is read */
  FILE *copy;       /* of what was read of a pipe or device, or NULL */
  bool again;       /* the file can be opened again */
  char *buf;
  size_t cap;
  uint64_t number; /* of the line */
  merge_line line;
  uint64_t capture;       /* that the last connection was of, */
  uint64_t opened;        /* and how many of it there were */
  uint64_t transports;    /* lines of that kind at one place of the run, */
  uint64_t transports_at; /* which is this */
  uint64_t first;         /* number of its first capture in the run, */
  uint64_t captures;
  uint64_t index; /* which of `of` it is, */
  uint64_t of;
  uint64_t digest;   /* and of which captures */
  size_t operand;    /* its place on the command line */
  uint64_t *numbers; /* of these connections, among the connections of all parts; the caller's */
  size_t num_cap;
} merge_part;

/** merge_part_open opens a file, "-" being standard input. False: a message has said why not. */
bool merge_part_open(merge_part *p, const char *path);

/** merge_part_next reads the next line into `p->line`. False: it is not what a shard writes, and a
 * message has said so. After the summary it yields NONE. */
bool merge_part_next(merge_part *p);

/** merge_part_rest, after the last line, gives memory back, and closes a file that can be opened
 * again. False: a message has said what failed. */
bool merge_part_rest(merge_part *p);

/** merge_part_rewind, after merge_part_rest, goes back to the first line; false: a message has said
 * why not. */
bool merge_part_rewind(merge_part *p);

/** merge_part_close gives all back. */
void merge_part_close(merge_part *p);

#endif
