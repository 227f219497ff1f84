/* SPDX-License-Identifier: BSD-2-Clause */
/* What an inflate makes of a file in pieces; compiled once for zlib and once for the decoder of
 * systems without it. */
#ifndef INFLATE_RUN_H
#define INFLATE_RUN_H

#include <stddef.h>
#include <stdint.h>

/* inflate_run is one file on its way, and what became of it. */
typedef struct inflate_run {
  const uint8_t *in;
  size_t len;
  size_t in_piece; /* octets given at a time */
  size_t out_piece;
  uint8_t *out;
  size_t cap;
  size_t made;
  size_t used;
  int result;
  char message[64];
} inflate_run;

void inflate_run_zlib(inflate_run *r);
void inflate_run_own(inflate_run *r);

#endif
