/* SPDX-License-Identifier: BSD-2-Clause */
/* One line on standard error that says how far a capture has been read. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/** progress_state is what the line shows. */
typedef struct progress_state {
  const char *file;
  uint64_t done;  /* octets of the file */
  uint64_t total; /* 0: not known */
  uint64_t packets;
  uint64_t connections;
  uint64_t findings;
} progress_state;

/** progress_enable switches the line on or off for the whole run. */
void progress_enable(bool on);

/** progress_enabled says whether it is on. */
bool progress_enabled(void);

/** progress_show draws the line when it says something new. */
void progress_show(const progress_state *state);

/** progress_erase takes the line away, before anything else is written to the terminal. */
void progress_erase(void);

#endif
