/* SPDX-License-Identifier: BSD-2-Clause */
/* The beginning of a stream, held until it is known whether the other side answers with a Reply. */
#ifndef CLI_EARLY_H
#define CLI_EARLY_H

#include <iwarp/stream.h>

/*
 * A Request with a wrong key is seen to be one only when the other side sends a right Reply Key. So
 * the first octets of a side are kept until the other side has said something: at most EARLY_OCTETS
 * in EARLY_PIECES pieces a side, and EARLY_TOTAL octets in all; what is longer is not a lone
 * startup frame.
 */
#define EARLY_OCTETS 1024u
#define EARLY_PIECES 32u
#define EARLY_TOTAL (4096u * 1024u)

/** early_piece is one delivery. */
typedef struct early_piece {
  uint32_t len;
  iwarp_meta meta;
} early_piece;

/** early holds the beginning of one direction. */
typedef struct early {
  uint64_t pos;
  uint32_t len;
  uint32_t num_pieces;
  early_piece pieces[EARLY_PIECES];
  uint8_t octets[EARLY_OCTETS];
} early;

/** early_add appends a delivery; makes *e when it is NULL, drops it when it overflows. *used counts
 * octets in all. */
void early_add(early **e, size_t *used, uint64_t pos, iwarp_span in, const iwarp_meta *meta);

/** early_drop forgets it. */
void early_drop(early **e, size_t *used);

#endif
