/* SPDX-License-Identifier: BSD-2-Clause */
/* The accounts of a run's memory. */
#include <observe/budget.h>

#define BUDGET_BLOCK 16u /* what an allocator keeps beside a block */

size_t observe_budget_cost(size_t size) {
  return size + BUDGET_BLOCK;
}

bool observe_budget_ingest_may(const observe_budget *b, size_t size) {
  return size <= b->limit / 2 && b->ingest <= b->limit / 2 - size;
}
