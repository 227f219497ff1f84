/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that a command writes beside its standard output. */
#ifndef CLI_OUTPUT_FILE_H
#define CLI_OUTPUT_FILE_H

#include <stdbool.h>

#include "opts.h"

/**
 * output_file_open makes or empties the file at `path` and returns its descriptor. A file that is
 * one of the captures stays as it is. -1: it cannot be written, and a message has said so.
 */
int output_file_open(const char *path, const opts *o);

/** output_file_same says whether two descriptors are of one regular file. */
bool output_file_same(int a, int b);

/** output_file_close closes the file; false: what was written is not in it, and a message has said
 * so. `error` is that of writing so far, or 0. */
bool output_file_close(int fd, const char *path, int error);

#endif
