/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables that grow from a pool. */
#include "memory.h"

#include <string.h>

#define MEMORY_FIRST 4u /* entries */

void rulesi_give_back(const iwarp_pool *pool, void *table, uint32_t cap, size_t each) {
  if (table != NULL) {
    pool->put(pool->ctx, table, cap * each);
  }
}

void *rulesi_grow(const iwarp_pool *pool, void *table, uint32_t *cap, uint32_t num, uint32_t max,
                  size_t each) {
  const uint32_t twice = *cap > 0 ? 2 * *cap : MEMORY_FIRST;
  const uint32_t more = twice < max ? twice : max;
  if (num < *cap) {
    return table;
  }
  if (num == max || pool == NULL) {
    return NULL;
  }
  void *grown = pool->get(pool->ctx, more * each);
  if (grown == NULL) {
    return NULL;
  }
  if (num > 0) {
    memcpy(grown, table, num * each);
  }
  rulesi_give_back(pool, table, *cap, each);
  *cap = more;
  return grown;
}
