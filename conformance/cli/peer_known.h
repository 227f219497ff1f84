/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of --baseline and --profile of `iwarp peer`. */
#ifndef CLI_PEER_KNOWN_H
#define CLI_PEER_KNOWN_H

#include <peer/expect.h>

#include "opts.h"

/** peer_known_files is what these files expect. All zeros: nothing. */
typedef struct peer_known_files {
  peer_expect expect;
  char *text[2]; /* texts of the files */
} peer_known_files;

/** peer_known_files_open reads the files that the options name; false: a message says why not. Call
 * peer_known_files_close in either case. */
bool peer_known_files_open(peer_known_files *k, const opts *o);

/** peer_known_files_close gives the memory back. */
void peer_known_files_close(peer_known_files *k);

#endif
