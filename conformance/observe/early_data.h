/* SPDX-License-Identifier: BSD-2-Clause */
/* The beginning of a stream, held until it is known whether the other side answers with a Reply. */
#ifndef OBSERVE_EARLY_DATA_H
#define OBSERVE_EARLY_DATA_H

#include <iwarp/event.h>

/*
 * A Request with a wrong key is seen to be one only when the other side sends a right Reply Key. So
 * the first octets of a side are kept until the other side has said something: at most
 * EARLY_DATA_OCTETS a side, in as many pieces as they come in, and EARLY_DATA_TOTAL octets of
 * memory in all; what is longer is not a lone startup frame.
 */
#define EARLY_DATA_OCTETS 1024u
#define EARLY_DATA_PIECES 8u /* pieces that have a place at first; each growth doubles them */
#define EARLY_DATA_TOTAL (4096u * 1024u)

/** early_data_piece is one delivery. */
typedef struct early_data_piece {
  uint32_t len;
  iwarp_meta meta;
} early_data_piece;

/** early_data holds the beginning of one direction. */
typedef struct early_data {
  uint64_t pos;
  uint32_t len;
  uint32_t num_pieces;
  uint32_t cap_pieces;
  early_data_piece *pieces;
  uint8_t octets[EARLY_DATA_OCTETS];
} early_data;

/** obs_early_data_add appends a delivery; makes *e when it is NULL, drops it when it overflows.
 * *used counts octets of memory in all. */
void obs_early_data_add(early_data **e, size_t *used, uint64_t pos, iwarp_span in,
                        const iwarp_meta *meta);

/** obs_early_data_drop forgets the beginning. */
void obs_early_data_drop(early_data **e, size_t *used);

#endif
