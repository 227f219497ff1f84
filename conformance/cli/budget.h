/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a run: one budget over ingest, engines and rules. */
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#define BUDGET_DEFAULT ((size_t)256 * 1024 * 1024)
#define BUDGET_LEAST ((size_t)4 * 1024 * 1024)

/*
 * Ingest may take half of it: it gives up its own connections beyond that. Engines and rules may
 * take what ingest does not, so they always have the other half; what ingest needs of it is made
 * free by giving up the longest silent of them.
 */
typedef struct budget {
  size_t limit;
  size_t ingest;  /* octets that ingest has */
  size_t engines; /* octets that engines and rules have written, and what is kept beside them */
} budget;

/** budget_ingest_may says whether ingest may have `size` octets more. */
bool budget_ingest_may(const budget *b, size_t size);

/** budget_over says whether more is used than the limit, with `more` octets. */
bool budget_over(const budget *b, size_t more);

/** budget_cost returns what an allocation of `size` octets counts. */
size_t budget_cost(size_t size);

/**
 * budget_pages returns zeroed memory that takes up room page by page as it is written, and none any
 * more after budget_pages_free; NULL: none. Large blocks of malloc do neither for sure.
 */
void *budget_pages(size_t size);
void budget_pages_free(void *pages, size_t size);

#endif
