/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of one direction that wait: sorted, without overlap, found in logarithmic time. */
#ifndef INGEST_HOLD_H
#define INGEST_HOLD_H

#include <ingest/ingest.h>

enum { ING_HOLD_LEVELS = 8 };

/* What is known of the octets of a block beside their values. */
typedef struct ing_origin {
  uint64_t packet;
  uint64_t time_ns;
  uint64_t ack; /* position in the opposite stream that the segment acknowledges, or
                   INGEST_POS_UNKNOWN */
} ing_origin;

/* `len` octets from position `pos`; `data` is NULL for octets that the snapshot length cut off. */
typedef struct ing_block {
  uint64_t pos;
  size_t len;
  const uint8_t *data;
  ing_origin from;
  bool segment_start;
  bool unverified; /* of a cut packet, whose checksum cannot be verified */
  uint8_t levels;
  struct ing_block *next[]; /* [levels], then the octets */
} ing_block;

/* A skip list by position. Its shape depends on nothing but the order of insertions. */
typedef struct ing_hold {
  ing_block *head[ING_HOLD_LEVELS];
  uint32_t random;
} ing_hold;

/* Where the memory comes from and what it sums up to. */
typedef struct ing_budget {
  const ingest_alloc *alloc;
  uint64_t *dropped; /* counts refusals of alloc */
  uint64_t all;      /* octets held for all connections, bookkeeping included */
} ing_budget;

/*
 * ing_hold_add keeps those octets of `block` that the list does not have yet, and adds to *held
 * what that takes. Octets that are there unverified and with other values are replaced: the
 * receiver that dropped the first copy got a later one. Of `block` it reads pos, len, data, from,
 * segment_start and unverified.
 */
void ing_hold_add(ing_hold *hold, ing_budget *budget, size_t *held, const ing_block *block);

/* ing_hold_pop takes the first block out of the list; the caller gives it back with ing_block_free.
 */
ing_block *ing_hold_pop(ing_hold *hold);

/* ing_block_size is what a block takes. */
size_t ing_block_size(const ing_block *block);
void ing_block_free(ing_block *block, ing_budget *budget);

static inline uint64_t ing_block_end(const ing_block *block) {
  return block->pos + block->len;
}

#endif
