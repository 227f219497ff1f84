/* SPDX-License-Identifier: BSD-2-Clause */
/* What captures are called in the output. */
#ifndef CLI_CAPTURE_NAMES_H
#define CLI_CAPTURE_NAMES_H

#include <stddef.h>

/**
 * capture_names_make returns the name of each of `num` paths: the shortest tail of whole components
 * that distinguishes it from the others. It is never an absolute path, so that output does not
 * depend on the folder of the files. Paths that are the same have the same name; "-" keeps its own.
 * Where two names differ only in octets that output cannot show, all have \\xHH for these. NULL: no
 * memory.
 */
char **capture_names_make(const char *const *paths, size_t num);

/** capture_names_free gives the memory back; NULL is fine. */
void capture_names_free(char **names, size_t num);

#endif
