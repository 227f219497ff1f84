/* SPDX-License-Identifier: BSD-2-Clause */
/* Indexes of a ring. */
#ifndef IWARPI_BASE_RING_H
#define IWARPI_BASE_RING_H

#include <stdint.h>

/* The index of entry `i` after the one at `head`, in a ring of `cap` entries; `i` is below `cap`.
 */
static inline uint32_t ring_index(uint32_t head, uint32_t i, uint32_t cap) {
  const uint32_t left = cap - head;
  return i < left ? head + i : i - left;
}

/* A ring: `num` entries from `head` on, of `cap`. */
typedef struct ring_pos {
  uint32_t head;
  uint32_t num;
  uint32_t cap;
} ring_pos;

static inline uint32_t ring_at(const ring_pos *ring, uint32_t i) {
  return ring_index(ring->head, i, ring->cap);
}

static inline void ring_pop(ring_pos *ring) {
  ring->head = ring_at(ring, 1);
  ring->num--;
}

#endif
