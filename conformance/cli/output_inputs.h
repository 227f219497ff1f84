/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that an output must not be. */
#ifndef CLI_OUTPUT_INPUTS_H
#define CLI_OUTPUT_INPUTS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "opts.h"

/** output_inputs_have says whether the run reads this file: as an operand, as standard input, as
 * the baseline or as the profile. */
bool output_inputs_have(const struct stat *file, const opts *o);

/** output_inputs_stream returns the name of the standard stream that writes this regular file, or
 * NULL. */
const char *output_inputs_stream(const struct stat *file);

#endif
