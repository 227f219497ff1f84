/* SPDX-License-Identifier: BSD-2-Clause */
/* A pool that counts what engines have of it, and has nothing now and then. */
#include "test_pool.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size of a block stands before it. */
#define POOL_HEAD sizeof(max_align_t)

static void *pool_get(void *ctx, size_t size) {
  test_pool *p = ctx;
  p->gets++;
  if (p->fail_every != 0 && p->gets % p->fail_every == 0) {
    return NULL;
  }
  unsigned char *block = malloc(POOL_HEAD + size);
  if (block == NULL) {
    abort();
  }
  memcpy(block, &size, sizeof size);
  memset(block + POOL_HEAD, 0xA5, size);
  p->live += size;
  p->peak = p->live > p->peak ? p->live : p->peak;
  return block + POOL_HEAD;
}

static void pool_put(void *ctx, void *block, size_t size) {
  test_pool *p = ctx;
  unsigned char *head = (unsigned char *)block - POOL_HEAD;
  if (memcmp(head, &size, sizeof size) != 0) {
    fprintf(stderr, "a block of another size than %zu is given back\n", size);
    abort();
  }
  memset(block, 0x5A, size);
  p->live -= size;
  free(head);
}

void test_pool_begin(test_pool *p, unsigned fail_every) {
  *p = (test_pool){.pool = {.ctx = p, .get = pool_get, .put = pool_put}, .fail_every = fail_every};
}
