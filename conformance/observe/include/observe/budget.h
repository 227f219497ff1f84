/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory of a run: one budget over ingest, engines and rules. */
#ifndef OBSERVE_BUDGET_H
#define OBSERVE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

#define OBSERVE_BUDGET_DEFAULT ((size_t)256 * 1024 * 1024) /* bytes */
#define OBSERVE_BUDGET_LEAST ((size_t)4 * 1024 * 1024)     /* below it no connection has room */

/**
 * observe_budget is what a run may have and what it has, in bytes. It belongs to the caller, who
 * sets `limit`, zeroes the rest, and keeps `ingest` up to date in the allocator that he gives to
 * ingest; an observe keeps `engines`.
 *
 * Ingest may take half of it: it gives up its own connections beyond that. Engines and rules may
 * take what ingest does not, so they always have the other half; what ingest needs of it is made
 * free by giving up the longest silent of them (observe_give_up).
 */
typedef struct observe_budget {
  size_t limit;
  size_t ingest;  /* bytes that ingest has */
  size_t engines; /* bytes that engines and rules have written, with their overhead */
} observe_budget;

/** observe_budget_ingest_may says whether ingest may have `size` bytes more. */
bool observe_budget_ingest_may(const observe_budget *b, size_t size);

/** observe_budget_over says whether more is used than the limit, with `more` bytes. */
static inline bool observe_budget_over(const observe_budget *b, size_t more) {
  const size_t used = b->ingest + b->engines;
  return used > b->limit || more > b->limit - used;
}

/** observe_budget_cost returns what an allocation of `size` bytes counts. */
size_t observe_budget_cost(size_t size);

#endif
