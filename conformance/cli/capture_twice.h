/* SPDX-License-Identifier: BSD-2-Clause */
/* Which captures can be read more than once. */
#ifndef CLI_CAPTURE_TWICE_H
#define CLI_CAPTURE_TWICE_H

#include <stdbool.h>

/** capture_twice says whether the capture at `path` can be read twice: it is neither "-" nor a
 * pipe. It returns true if the file does not exist, since the reading reports that. */
bool capture_twice(const char *path);

#endif
