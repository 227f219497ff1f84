/* SPDX-License-Identifier: BSD-2-Clause */
/* The accounts of a run's memory. */
#include "observe_priv.h"

#define BUDGET_BLOCK 16u /* overhead of an allocator for a block */

size_t observe_budget_cost(size_t size) {
  return size + BUDGET_BLOCK;
}

bool observe_budget_ingest_may(const observe_budget *b, size_t size) {
  return size <= b->limit / 2 && b->ingest <= b->limit / 2 - size;
}

/* What all would take without a limit; ingest may have half of it. */
static size_t short_of_most(const observe *obs) {
  const observe_budget *b = obs->budget;
  const size_t half = b->ingest + obs->short_of.ingest;
  const size_t all = half + b->engines + obs->short_of.lost;
  return all > 2 * half ? all : 2 * half;
}

void obs_short_of(observe *obs, size_t lost) {
  observe_short *s = &obs->short_of;
  s->reached = true;
  s->lost += lost;
  const size_t most = short_of_most(obs);
  s->most = most > s->most ? most : s->most;
}

void obs_short_of_ingest(observe *obs) {
  obs->short_of.ingest += obs->flows > 0 ? obs->budget->ingest / obs->flows : 0;
  obs_short_of(obs, 0);
}
