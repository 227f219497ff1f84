/* SPDX-License-Identifier: BSD-2-Clause */
/* A capture in memory, read at the same time by the reader of plain files and by libpcap. */
#ifndef TESTS_CAPTURE_TWIN_H
#define TESTS_CAPTURE_TWIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a reader came to its end. */
typedef enum capture_twin_end {
  CAPTURE_TWIN_LEFT = 0, /* the file is one that is left to libpcap */
  CAPTURE_TWIN_WHOLE,
  CAPTURE_TWIN_CUT,
  CAPTURE_TWIN_DAMAGED
} capture_twin_end;

typedef struct capture_twin {
  capture_twin_end end;
  uint64_t packets;
  char difference[128]; /* what one has and the other has not, or "" */
} capture_twin;

/* capture_twin_read reads a file of `len` octets; the reader of plain files is given no octet that
 * it did not ask for. */
capture_twin capture_twin_read(const uint8_t *octets, size_t len);

#endif
