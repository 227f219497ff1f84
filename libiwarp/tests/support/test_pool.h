/* SPDX-License-Identifier: BSD-2-Clause */
/* A pool that counts what engines have of it, and has nothing now and then. */
#ifndef TEST_SUPPORT_TEST_POOL_H
#define TEST_SUPPORT_TEST_POOL_H

#include <iwarp/base.h>

typedef struct test_pool {
  iwarp_pool pool;
  size_t live;         /* bytes that engines have */
  size_t peak;         /* the most that they had */
  unsigned gets;       /* how often they asked */
  unsigned fail_every; /* each so many times there is nothing; 0: never */
} test_pool;

/* test_pool_begin makes `p` ready, where it stays. */
void test_pool_begin(test_pool *p, unsigned fail_every);

#endif
