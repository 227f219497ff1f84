/* SPDX-License-Identifier: BSD-2-Clause */
/* A Bloom filter of headers that left the table: it shows which headers were never in the table. */
#include "forgotten.h"

#include <string.h>

#include "memory.h"

#define FORGOTTEN_BITS (32u * RULES_FORGOTTEN) /* bits of the filter */
#define FORGOTTEN_FACTOR UINT64_C(0x9E3779B97F4A7C15)

static uint64_t forgotten_word(const uint8_t *octets) {
  uint64_t word = 0;
  for (unsigned i = 0; i < 8; i++) {
    word = word << 8 | octets[i];
  }
  return word;
}

static uint64_t forgotten_mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * FORGOTTEN_FACTOR;
  return hash ^ hash >> 32;
}

/* Three words hold a header of 14 octets as one of 18. A sender that aims at equal results makes
 * the rules inconclusive, never wrong. */
static uint64_t forgotten_hash(const uint8_t *octets, size_t len) {
  const uint64_t begin = forgotten_mix(len, forgotten_word(octets));
  const uint64_t middle = forgotten_mix(begin, forgotten_word(octets + 6));
  return forgotten_mix(middle, forgotten_word(octets + len - 8));
}

static uint32_t forgotten_at(uint64_t hash, unsigned which) {
  return (uint32_t)(hash >> (which == 0 ? 8 : 40)) % FORGOTTEN_BITS;
}

static void forgotten_set(uint32_t *filter, uint32_t at) {
  filter[at / 32u] |= UINT32_C(1) << at % 32u;
}

static bool forgotten_is_set(const uint32_t *filter, uint32_t at) {
  return (filter[at / 32u] >> at % 32u & 1u) != 0;
}

/* The filter is made with the first header that is forgotten, or never: it must have them all. */
RULES_RARE static void forgotten_begin(const struct rules_tracker *track, struct rules_side *own) {
  own->headers.forgotten =
      track->pool != NULL ? track->pool->get(track->pool->ctx, RULES_FORGOTTEN * sizeof(uint32_t))
                          : NULL;
  if (own->headers.forgotten != NULL) {
    memset(own->headers.forgotten, 0, RULES_FORGOTTEN * sizeof(uint32_t));
  }
}

void rulesi_forget(const struct rules_tracker *track, struct rules_side *own) {
  const struct rules_header *oldest =
      &own->headers.entry[own->headers.num & (own->headers.max - 1u)];
  if (own->headers.num == own->headers.max) {
    forgotten_begin(track, own);
  }
  if (own->headers.forgotten != NULL) {
    const bool tagged = (oldest->octets[0] & IWARP_DDP_CTRL_T) != 0;
    const uint64_t hash =
        forgotten_hash(oldest->octets, tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN);
    forgotten_set(own->headers.forgotten, forgotten_at(hash, 0));
    forgotten_set(own->headers.forgotten, forgotten_at(hash, 1));
  }
}

bool rulesi_forgotten(const struct rules_side *side, iwarp_span header) {
  if (side->headers.num <= side->headers.max) {
    return false;
  }
  const uint64_t hash = forgotten_hash(header.ptr, header.len);
  return side->headers.forgotten == NULL ||
         (forgotten_is_set(side->headers.forgotten, forgotten_at(hash, 0)) &&
          forgotten_is_set(side->headers.forgotten, forgotten_at(hash, 1)));
}

void rulesi_forgotten_release(const iwarp_pool *pool, struct rules_side *side) {
  rulesi_give_back(pool, side->headers.forgotten, RULES_FORGOTTEN,
                   sizeof(side->headers.forgotten[0]));
}
