/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that takes up room page by page as it is written, and none after it is freed. */
#ifndef OBSERVE_PAGES_H
#define OBSERVE_PAGES_H

#include <stddef.h>

/* obs_pages_get returns `size` bytes that hold anything, or NULL: none. Large blocks of malloc
 * neither take up room as they are written nor give it back for sure. */
void *obs_pages_get(size_t size);
/* obs_pages_free gives back what obs_pages_get returned for the same size; NULL is fine. */
void obs_pages_free(void *pages, size_t size);

#endif
