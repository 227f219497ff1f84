/* SPDX-License-Identifier: BSD-2-Clause */
/* Confines a command to the files that its command line names. */
#ifndef CLI_SANDBOX_H
#define CLI_SANDBOX_H

#include <stdio.h>

#include "opts.h"

/** sandbox_enter confines the process where the command reads what others may have written. It is
 * called before anything is read. With -v a line on standard error says what is in force. */
void sandbox_enter(const opts *o);

/** sandbox_fopen opens an input as fopen does with "rb". A lack of memory is remembered. */
FILE *sandbox_fopen(const char *path);

/** sandbox_version writes a line that says what sandbox_enter would put in force here. */
void sandbox_version(FILE *out);

#endif
