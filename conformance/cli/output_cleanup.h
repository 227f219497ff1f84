/* SPDX-License-Identifier: BSD-2-Clause */
/* Temporary files that a signal removes before it ends the program. */
#ifndef CLI_OUTPUT_CLEANUP_H
#define CLI_OUTPUT_CLEANUP_H

/** output_cleanup is one temporary file; the caller keeps it until output_cleanup_forget. */
typedef struct output_cleanup {
  struct output_cleanup *next;
  int folder; /* descriptor of its folder */
  const char *name;
} output_cleanup;

/** output_cleanup_note removes the file when SIGHUP, SIGINT, SIGPIPE or SIGTERM ends the program. A
 * signal that is ignored or handled already stays so; interrupt_begin may replace the handler. */
void output_cleanup_note(output_cleanup *file);

/** output_cleanup_now removes the files that are noted; a handler of a signal may call it. */
void output_cleanup_now(void);

/** output_cleanup_forget leaves the file alone from now on. */
void output_cleanup_forget(output_cleanup *file);

#endif
