/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of one shard, read twice: once to know that they are right, once to join them. */
#ifndef CLI_MERGE_PART_H
#define CLI_MERGE_PART_H

#include <stdio.h>

#include "shard_read.h"

/** merge_kind is the kind of a line. */
typedef enum merge_kind {
  MERGE_NONE = 0, /* the part has no more lines */
  MERGE_RUN,      /* the first line */
  MERGE_OPENED,
  MERGE_FINDING,
  MERGE_CONNECTION,
  MERGE_CAPTURE,   /* `conn_text` is empty where it is about no connection */
  MERGE_TRANSPORT, /* `conn_text` is empty */
  MERGE_SUMMARY
} merge_kind;

/** merge_line is the current line of a part; texts live until the next one. */
typedef struct merge_line {
  merge_kind kind;
  json_text text;   /* the line without its end */
  uint64_t at;      /* place in the run */
  uint64_t capture; /* OPENED: number of the capture */
  uint64_t conn;    /* number of the connection in the part */
  json_text conn_text;
  json_text at_text; /* text from the comma before the key on */
} merge_line;

/** merge_part is an operand of merge. */
typedef struct merge_part {
  const char *name; /* name for messages */
  FILE *file;       /* the file that is read */
  FILE *copy;       /* copy of the octets read of a pipe or device, or NULL */
  bool again;       /* the file can be opened again */
  char *buf;
  size_t cap;
  uint64_t number; /* number of the line */
  merge_line line;
  uint64_t capture;       /* capture of the last connection */
  uint64_t opened;        /* connections of `capture` so far */
  uint64_t transports;    /* lines of TRANSPORT at one place of the run */
  uint64_t transports_at; /* place of these lines */
  uint64_t first;         /* number of the first capture in the run */
  uint64_t captures;
  uint64_t index; /* index of the shard, of `of` shards */
  uint64_t of;
  uint64_t digest;   /* digest of the captures */
  size_t operand;    /* index on the command line */
  uint64_t *numbers; /* numbers of the connections of the capture, among the connections of all
                        parts; the caller's */
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
