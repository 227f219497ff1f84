/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that the budget counts. */
#include "observe_priv.h"

#include <stdlib.h>

#include <memory/memory.h>

void *obs_memory_get(observe *obs, size_t size) {
  void *at = memory_zeroed(1, size);
  obs->budget->engines += at != NULL ? observe_budget_cost(size) : 0;
  return at;
}

void obs_memory_put(observe *obs, void *at, size_t size) {
  obs->budget->engines -= at != NULL ? observe_budget_cost(size) : 0;
  free(at);
}

static void *memory_pool_get(void *ctx, size_t size) {
  observe *obs = ctx;
  void *at = memory_get(size);
  obs->budget->engines += at != NULL ? observe_budget_cost(size) : 0;
  return at;
}

static void memory_pool_put(void *ctx, void *block, size_t size) {
  obs_memory_put(ctx, block, size);
}

iwarp_pool obs_memory_pool(observe *obs) {
  return (iwarp_pool){.ctx = obs, .get = memory_pool_get, .put = memory_pool_put};
}
