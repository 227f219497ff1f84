/* SPDX-License-Identifier: BSD-2-Clause */
/* Indexes of a ring, for the queues of an endpoint. */
#ifndef IWARPI_ENDPOINT_RING_H
#define IWARPI_ENDPOINT_RING_H

#include <stdint.h>

/* A ring: `num` entries from `head` on, of `cap`. */
typedef struct ep_ring {
  uint32_t head;
  uint32_t num;
  uint32_t cap;
} ep_ring;

static inline uint32_t ep_ring_at(const ep_ring *ring, uint32_t i) {
  const uint32_t left = ring->cap - ring->head;
  return i < left ? ring->head + i : i - left;
}

static inline void ep_ring_pop(ep_ring *ring) {
  ring->head = ep_ring_at(ring, 1);
  ring->num--;
}

#endif
