/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a run. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "budget.h"

#include <sys/mman.h>

#define BUDGET_BLOCK 16u /* what an allocator keeps beside a block */

size_t budget_cost(size_t size) {
  return size + BUDGET_BLOCK;
}

bool budget_ingest_may(const budget *b, size_t size) {
  return size <= b->limit / 2 && b->ingest <= b->limit / 2 - size;
}

bool budget_over(const budget *b, size_t more) {
  const size_t used = b->ingest + b->engines;
  return used > b->limit || more > b->limit - used;
}

void *budget_pages(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages != MAP_FAILED ? pages : NULL;
}

void budget_pages_free(void *pages, size_t size) {
  if (pages != NULL) {
    munmap(pages, size);
  }
}
