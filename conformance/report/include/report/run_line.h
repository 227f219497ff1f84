/* SPDX-License-Identifier: BSD-2-Clause */
/* The first line of JSON Lines, whichever command writes them. */
#ifndef REPORT_RUN_LINE_H
#define REPORT_RUN_LINE_H

#include <report/out_buf.h>

/** REPORT_JSON_FORMAT is the number of the format: it changes when keys change their meaning. */
#define REPORT_JSON_FORMAT 1u

/** report_run_line writes the line for the subcommand `command`. */
void report_run_line(out_buf *out, const char *command);

#endif
