/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of iwarp-fuzz-proxy. */
#ifndef FUZZ_PROXY_OPTIONS_H
#define FUZZ_PROXY_OPTIONS_H

#include <netinet/in.h>

#include "filter.h"

typedef struct options {
  struct sockaddr_storage listen;
  struct sockaddr_storage target;
  filter_cfg filter;
  uint64_t seed;
  uint64_t rate;        /* octets a second, both sides together */
  uint64_t seconds;     /* time to run */
  uint64_t connections; /* connections to end after; 0: no bound */
  const char *save;     /* folder for the octets that were sent; may be NULL */
} options;

typedef enum options_do { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG } options_do;

/* options_parse reads the words; a message on standard error names an error. */
options_do options_parse(options *out, int argc, char **argv);

/* options_help prints what there is. */
void options_help(void);

#endif
