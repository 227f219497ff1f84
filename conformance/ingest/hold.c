/* SPDX-License-Identifier: BSD-2-Clause */
/* The skip list of waiting octets. */
#include <string.h>

#include "hold.h"

static size_t size_of(unsigned levels, const void *data, size_t len) {
  return sizeof(ing_block) + levels * sizeof(ing_block *) + (data != NULL ? len : 0);
}

size_t ing_block_size(const ing_block *block) {
  return size_of(block->levels, block->data, block->len);
}

void ing_block_free(ing_block *block, ing_budget *budget) {
  size_t size = ing_block_size(block);
  budget->all -= size;
  budget->alloc->put(budget->alloc->ctx, block, size);
}

/* A quarter of the blocks reaches each next level. The low bits of xorshift are good enough for
 * that. */
static unsigned draw_levels(ing_hold *hold) {
  uint32_t x = hold->random != 0 ? hold->random : 2463534242u;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  hold->random = x;
  unsigned levels = 1;
  while (levels < ING_HOLD_LEVELS && (x & 3) == 0) {
    levels++;
    x >>= 2;
  }
  return levels;
}

/* For each level the link that leads past `pos`: the blocks before it end at or before `pos`. */
static ing_block *find(ing_hold *hold, uint64_t pos, ing_block **links[ING_HOLD_LEVELS]) {
  ing_block **tower = hold->head;
  for (unsigned level = ING_HOLD_LEVELS; level-- > 0;) {
    while (tower[level] != NULL && ing_block_end(tower[level]) <= pos) {
      tower = tower[level]->next;
    }
    links[level] = &tower[level];
  }
  return *links[0];
}

static ing_block *make(ing_hold *hold, ing_budget *budget, const ing_block *whole, uint64_t pos,
                       uint64_t end) {
  unsigned levels = draw_levels(hold);
  size_t len = (size_t)(end - pos);
  size_t size = size_of(levels, whole->data, len);
  ing_block *block = budget->alloc->get(budget->alloc->ctx, size);
  if (block == NULL) {
    ++*budget->dropped;
    return NULL;
  }
  budget->all += size;
  *block = (ing_block){.pos = pos,
                       .len = len,
                       .from = whole->from,
                       .segment_start = whole->segment_start && pos == whole->pos,
                       .unverified = whole->unverified,
                       .levels = (uint8_t)levels};
  if (whole->data != NULL) {
    uint8_t *copy = (uint8_t *)&block->next[levels];
    memcpy(copy, whole->data + (pos - whole->pos), len);
    block->data = copy;
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

/* Puts the octets of a later copy over unverified ones that differ. */
static void replace(ing_block *held, const ing_block *copy) {
  const uint64_t from = copy->pos > held->pos ? copy->pos : held->pos;
  const uint64_t to =
      ing_block_end(copy) < ing_block_end(held) ? ing_block_end(copy) : ing_block_end(held);
  if (!held->unverified || held->data == NULL || copy->data == NULL) {
    return;
  }
  uint8_t *at = (uint8_t *)&held->next[held->levels] + (from - held->pos);
  const uint8_t *new = copy->data + (from - copy->pos);
  if (memcmp(at, new, (size_t)(to - from)) != 0) {
    memcpy(at, new, (size_t)(to - from));
    held->from = copy->from;
  }
  if (from == held->pos && to == ing_block_end(held)) {
    held->unverified = copy->unverified;
  }
}

void ing_hold_add(ing_hold *hold, ing_budget *budget, size_t *held, const ing_block *whole) {
  ing_block **links[ING_HOLD_LEVELS];
  uint64_t pos = whole->pos;
  uint64_t end = ing_block_end(whole);
  ing_block *after = find(hold, pos, links);
  while (pos < end) {
    if (after != NULL && after->pos <= pos) {
      soften(after, whole);
      replace(after, whole);
      pos = ing_block_end(after);
      after = after->next[0];
      continue;
    }
    uint64_t stop = after != NULL && after->pos < end ? after->pos : end;
    ing_block *block = make(hold, budget, whole, pos, stop);
    if (block == NULL) {
      return;
    }
    after = find(hold, pos, links);
    for (unsigned level = 0; level < block->levels; level++) {
      block->next[level] = *links[level];
      *links[level] = block;
    }
    *held += ing_block_size(block);
    pos = stop;
  }
}

ing_block *ing_hold_pop(ing_hold *hold) {
  ing_block *block = hold->head[0];
  for (unsigned level = 0; block != NULL && level < block->levels; level++) {
    hold->head[level] = block->next[level];
  }
  return block;
}
