/* SPDX-License-Identifier: BSD-2-Clause */
/* A set of hashes in open addressing. */
#include "observe_priv.h"

#include <string.h>

enum { GIVEN_UP_FIRST = 256, GIVEN_UP_PART = 8, GIVEN_UP_STEPS = 16 };

/* The place of the hash, or the free place for it. The author of a capture can choose hashes that
 * collide, so the search ends after GIVEN_UP_STEPS: NULL. */
static uint64_t *given_up_place(const given_set *g, uint64_t hash) {
  const size_t first = (size_t)(hash ^ hash >> 32);
  for (size_t i = 0; g->cap > 0 && i < GIVEN_UP_STEPS; i++) {
    uint64_t *place = &g->hash[(first + i) & (g->cap - 1)];
    if (*place == 0 || *place == hash) {
      return place;
    }
  }
  return NULL;
}

static void given_up_put(given_set *g, uint64_t hash) {
  uint64_t *place = given_up_place(g, hash);
  if (place != NULL) {
    *place = hash;
    g->num++;
  }
}

/* Makes room for another one; false: no memory. */
static bool given_up_grow(observe *obs) {
  given_set *g = &obs->given_up;
  const size_t cap = g->cap > 0 ? 2 * g->cap : GIVEN_UP_FIRST;
  if (4 * (g->num + 1) <= g->cap) { /* few enough that some steps find a place */
    return true;
  }
  const size_t size = cap * sizeof *g->hash;
  given_set grown = {.cap = cap};
  grown.hash = size <= obs->budget->limit / GIVEN_UP_PART ? obs_memory_get(obs, size) : NULL;
  if (grown.hash == NULL) {
    return false;
  }
  for (size_t i = 0; i < g->cap; i++) {
    if (g->hash[i] != 0) {
      given_up_put(&grown, g->hash[i]);
    }
  }
  obs_given_up_free(obs);
  *g = grown;
  return true;
}

bool obs_given_up_note(observe *obs, uint64_t hash) {
  given_set *g = &obs->given_up;
  const uint64_t known = hash != 0 ? hash : 1;
  const uint64_t *place = given_up_place(g, known);
  if (place != NULL && *place == known) {
    return false;
  }
  if (given_up_grow(obs)) {
    given_up_put(g, known);
  }
  return true;
}

void obs_given_up_free(observe *obs) {
  obs_memory_put(obs, obs->given_up.hash, obs->given_up.cap * sizeof *obs->given_up.hash);
  obs->given_up = (given_set){.hash = NULL};
}
