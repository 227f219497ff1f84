/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets of one direction that wait: sorted, without overlap, found in logarithmic time. */
#ifndef INGEST_REASSEMBLY_H
#define INGEST_REASSEMBLY_H

#include <ingest/ingest.h>

enum { ING_REASSEMBLY_LEVELS = 6 };

/* What is known of the octets of a block beside their values. */
typedef struct ing_origin {
  uint64_t packet;
  uint64_t ack; /* position in the opposite stream up to which the sender had received it when it
                   first sent the octets, or INGEST_POS_UNKNOWN */
  uint64_t time_ns;
} ing_origin;

/* `len` octets from position `pos`; `data` is NULL for octets that the snapshot length cut off. A
 * copy of the octets lies right after the block. */
typedef struct ing_block {
  uint64_t pos;
  size_t len;
  const uint8_t *data;
  ing_origin from;
  bool segment_start;
  bool unverified; /* the block is of a cut packet, whose checksum cannot be verified */
  bool waits; /* the block is whole and waits like an unverified one: it may not be what was sent */
  bool wrong; /* another copy replaces the block if no evidence decides between both */
  bool differ; /* another copy was captured that differs, and either may be the accepted one */
  ingest_copy accepted; /* copy that counts where the list has another, if the block is added */
  uint8_t levels;
  /* All blocks have room for all levels: what they take does not depend on what was drawn. */
  struct ing_block *next[ING_REASSEMBLY_LEVELS];
} ing_block;

/* A skip list by position. */
typedef struct ing_reassembly {
  ing_block *head[ING_REASSEMBLY_LEVELS];
} ing_reassembly;

/* Memory of the blocks, and its sum. */
typedef struct ing_budget {
  const ingest_alloc *alloc;
  uint64_t *steps;
  uint64_t all;    /* octets held for all connections, bookkeeping included */
  uint64_t random; /* state of the generator of levels */
} ing_budget;

/*
 * ing_reassembly_add keeps those octets of `block` that the list does not have yet, and adds to
 * *held what that takes; false when there is no memory for all of them, then it can be tried again.
 * Octets that are there unverified and with other values are replaced: the receiver that dropped
 * the first copy got a later one. So are those in whose place the receiver accepted the second
 * copy. Of `block` it reads all members up to `accepted`.
 */
bool ing_reassembly_add(ing_reassembly *hold, ing_budget *budget, size_t *held,
                        const ing_block *block);

/* ing_reassembly_add_range adds a range without octets to a list of such ranges: ranges that touch
 * become one. */
bool ing_reassembly_add_range(ing_reassembly *hold, ing_budget *budget, size_t *held,
                              const ing_block *range);

/*
 * ing_reassembly_cause returns the position up to which the sender of octets had received when it
 * first sent them. Their segment acknowledges `ack`. The octets of `later` and the next blocks lie
 * after them and were first sent no earlier, so a lower acknowledgment of these counts.
 */
uint64_t ing_reassembly_cause(const ing_block *later, uint64_t ack, uint64_t *steps);

/* ing_reassembly_find returns the first block that ends after `pos`, or NULL. */
const ing_block *ing_reassembly_find(const ing_reassembly *hold, ing_budget *budget, uint64_t pos);

/* ing_reassembly_pop takes the first block out of the list; the caller gives it back with
 * ing_block_free.
 */
ing_block *ing_reassembly_pop(ing_reassembly *hold);

/* ing_block_size is what a block takes. */
size_t ing_block_size(const ing_block *block);
void ing_block_free(ing_block *block, ing_budget *budget);

static inline uint64_t ing_block_end(const ing_block *block) {
  return block->pos + block->len;
}

#endif
