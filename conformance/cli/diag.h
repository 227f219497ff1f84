/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages on standard error, and near misses. */
#ifndef CLI_DIAG_H
#define CLI_DIAG_H

#include <stdbool.h>
#include <stddef.h>

/** Exit statuses of the command line contract. */
enum {
  EXIT_OK = 0,
  EXIT_VIOLATION = 1,
  EXIT_USAGE = 2, /* usage and input errors */
  EXIT_NO_IWARP = 3,
  EXIT_UNDECIDED = 4,
  EXIT_INTERNAL = 70
};

/** diag writes "iwarp: ", a message made as by printf, and a newline to standard error. It writes
 * nothing after memory ran out: what the message says may be a consequence. */
void diag(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** diag_memory writes that memory ran out. */
void diag_memory(void);

/**
 * nearest returns the one of `names` (ended by NULL) that a person most likely meant by `word`, or
 * NULL when none is near.
 */
const char *nearest(const char *word, const char *const *names);

/** edit_distance counts the single-character edits and swaps of neighbours between two words of up
 * to 63 characters. */
size_t edit_distance(const char *a, const char *b);

#endif
