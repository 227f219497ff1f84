/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables that grow from a pool. */
#ifndef IWARP_RULES_MEMORY_H
#define IWARP_RULES_MEMORY_H

#include "context.h"

/* rulesi_grow returns the table with room for entry `num`: `table` itself, or a larger one in its
 * place. NULL: there is no memory, or `num` is `max`; the table stays. */
void *rulesi_grow(const iwarp_pool *pool, void *table, uint32_t *cap, uint32_t num, uint32_t max,
                  size_t each);
/* rulesi_give_back gives a table back; NULL is fine. */
void rulesi_give_back(const iwarp_pool *pool, void *table, uint32_t cap, size_t each);

#endif
