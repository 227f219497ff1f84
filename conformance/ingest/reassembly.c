/* SPDX-License-Identifier: BSD-2-Clause */
/* Reassembly of TCP: the octets of a stream that wait for those before them, in a skip list.
 * input.c puts segments in, deliver.c takes out the expected octets. */
#include "reassembly.h"

#include <string.h>

enum { CAUSE_LOOK = 8 /* blocks that are asked for what an earlier one answered */ };

size_t ing_block_size(const ing_block *block) {
  return sizeof *block + (block->data != NULL ? block->len : 0);
}

void ing_block_free(ing_block *block, ing_budget *budget) {
  size_t size = ing_block_size(block);
  budget->all -= size;
  budget->alloc->put(budget->alloc->ctx, block, size);
}

static uint8_t *octets_of(ing_block *block) {
  return (uint8_t *)(block + 1);
}

/* A quarter of the blocks reaches each next level. xorshift64 is good enough for that, and with a
 * secret seed no author of a capture can choose insertions so that all levels are low. */
static uint8_t draw_levels(ing_budget *budget) {
  uint64_t x = budget->random != 0 ? budget->random : UINT64_C(88172645463325252);
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  budget->random = x;
  uint8_t levels = 1;
  for (x >>= 32; levels < ING_REASSEMBLY_LEVELS && (x & 3) == 0; x >>= 2) {
    levels++;
  }
  return levels;
}

/* The link of each level that leads past `pos`: the blocks before it end at or before `pos`. */
typedef struct path {
  ing_block **link[ING_REASSEMBLY_LEVELS];
} path;

static path seek(ing_reassembly *hold, ing_budget *budget, uint64_t pos) {
  path p;
  ing_block **tower = hold->head;
  for (unsigned level = ING_REASSEMBLY_LEVELS; level-- > 0;) {
    ++*budget->steps;
    while (tower[level] != NULL && ing_block_end(tower[level]) <= pos) {
      tower = tower[level]->next;
      ++*budget->steps;
    }
    p.link[level] = &tower[level];
  }
  return p;
}

/* Moves past the block that the path leads to. */
static void pass(path *p, ing_block *block) {
  for (unsigned level = 0; level < block->levels; level++) {
    p->link[level] = &block->next[level];
  }
}

static void link_in(const path *p, ing_block *block) {
  for (unsigned level = 0; level < block->levels; level++) {
    block->next[level] = *p->link[level];
    *p->link[level] = block;
  }
}

static void link_out(const path *p, ing_block *block) {
  for (unsigned level = 0; level < block->levels; level++) {
    *p->link[level] = block->next[level];
  }
}

static ing_block *make(ing_budget *budget, const ing_block *whole, uint64_t pos, uint64_t end) {
  const size_t len = (size_t)(end - pos);
  const size_t size = sizeof(ing_block) + (whole->data != NULL ? len : 0);
  ing_block *block = budget->alloc->get(budget->alloc->ctx, size);
  if (block == NULL) {
    return NULL;
  }
  budget->all += size;
  *block = (ing_block){.pos = pos,
                       .len = len,
                       .from = whole->from,
                       .segment_start = whole->segment_start && pos == whole->pos,
                       .unverified = whole->unverified,
                       .waits = whole->waits,
                       .wrong = whole->wrong,
                       .differ = whole->differ,
                       .levels = draw_levels(budget)};
  if (whole->data != NULL) {
    memcpy(octets_of(block), whole->data + (pos - whole->pos), len);
    block->data = octets_of(block);
    *budget->steps += len;
  }
  return block;
}

/* A retransmission acknowledges more than the original did: the smaller number tells what the
 * octets answer. */
static void soften(ing_block *held, const ing_block *copy) {
  if (copy->pos <= held->pos && ing_block_end(copy) >= ing_block_end(held) &&
      copy->from.ack < held->from.ack) {
    held->from.ack = copy->from.ack;
  }
}

/* Puts the octets of a later copy over those that differ and that the receiver did not accept, as
 * far as that is known. */
static void replace(ing_block *held, const ing_block *copy, ing_budget *budget) {
  const uint64_t from = copy->pos > held->pos ? copy->pos : held->pos;
  const uint64_t to =
      ing_block_end(copy) < ing_block_end(held) ? ing_block_end(copy) : ing_block_end(held);
  uint8_t *at = octets_of(held) + (from - held->pos);
  const uint8_t *new = copy->data + (from - copy->pos);
  *budget->steps += to - from;
  bool takes = held->unverified || held->wrong;
  if (memcmp(at, new, (size_t)(to - from)) != 0) {
    takes =
        copy->accepted == INGEST_COPY_SECOND || (copy->accepted == INGEST_COPY_UNKNOWN && takes);
    held->differ = copy->accepted == INGEST_COPY_UNKNOWN;
    if (takes) {
      memcpy(at, new, (size_t)(to - from));
      held->from = copy->from;
    }
  }
  if (takes && from == held->pos && to == ing_block_end(held)) {
    held->unverified = copy->unverified;
    held->waits = copy->waits;
    held->wrong = copy->wrong;
  }
}

uint64_t ing_reassembly_cause(const ing_block *later, uint64_t ack, uint64_t *steps) {
  for (unsigned i = 0; ack != INGEST_POS_UNKNOWN && later != NULL && i < CAUSE_LOOK; i++) {
    ack = later->from.ack < ack ? later->from.ack : ack;
    later = later->next[0];
    ++*steps;
  }
  return ack;
}

const ing_block *ing_reassembly_find(const ing_reassembly *hold, ing_budget *budget, uint64_t pos) {
  const ing_block *const *tower = (const ing_block *const *)hold->head;
  for (unsigned level = ING_REASSEMBLY_LEVELS; level-- > 0;) {
    ++*budget->steps;
    while (tower[level] != NULL && ing_block_end(tower[level]) <= pos) {
      tower = (const ing_block *const *)tower[level]->next;
      ++*budget->steps;
    }
  }
  return tower[0];
}

bool ing_reassembly_add(ing_reassembly *hold, ing_budget *budget, size_t *held,
                        const ing_block *whole) {
  uint64_t pos = whole->pos;
  const uint64_t end = ing_block_end(whole);
  path p = seek(hold, budget, pos);
  while (pos < end) {
    ing_block *after = *p.link[0];
    ++*budget->steps;
    if (after != NULL && after->pos <= pos) {
      soften(after, whole);
      replace(after, whole, budget);
      pos = ing_block_end(after);
      pass(&p, after);
      continue;
    }
    const uint64_t stop = after != NULL && after->pos < end ? after->pos : end;
    ing_block *block = make(budget, whole, pos, stop);
    if (block == NULL) {
      return false;
    }
    block->from.ack = ing_reassembly_cause(after, block->from.ack, budget->steps);
    link_in(&p, block);
    pass(&p, block);
    *held += ing_block_size(block);
    pos = stop;
  }
  return true;
}

bool ing_reassembly_add_range(ing_reassembly *hold, ing_budget *budget, size_t *held,
                              const ing_block *range) {
  path p = seek(hold, budget, range->pos - 1); /* a range that ends there touches this one */
  uint64_t end = ing_block_end(range);
  ing_block *first = *p.link[0];
  if (first == NULL || first->pos > end) {
    ing_block *block = make(budget, range, range->pos, end);
    if (block == NULL) {
      return false;
    }
    link_in(&p, block);
    *held += ing_block_size(block);
    return true;
  }
  const uint64_t pos = first->pos < range->pos ? first->pos : range->pos;
  end = ing_block_end(first) > end ? ing_block_end(first) : end;
  pass(&p, first);
  for (ing_block *next; (next = *p.link[0]) != NULL && next->pos <= end;) {
    ++*budget->steps;
    end = ing_block_end(next) > end ? ing_block_end(next) : end;
    link_out(&p, next);
    *held -= ing_block_size(next);
    ing_block_free(next, budget);
  }
  first->pos = pos;
  first->len = (size_t)(end - pos);
  return true;
}

ing_block *ing_reassembly_pop(ing_reassembly *hold) {
  ing_block *block = hold->head[0];
  for (unsigned level = 0; block != NULL && level < block->levels; level++) {
    hold->head[level] = block->next[level];
  }
  return block;
}
