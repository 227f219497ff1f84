/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that is refused: malloc, calloc and realloc of the program, for a while. */
#include <stdlib.h>

#include "refuse.h"

static refusal *current;

void refuse_begin(refusal *r) {
  current = r;
}

void refuse_end(void) {
  current = NULL;
}

static bool refused(void) {
  return current != NULL && refusal_now(current);
}

/* Replacements that the linker uses, and the functions themselves. */
void *__real_malloc(size_t size);             /* NOLINT(bugprone-reserved-identifier) */
void *__real_calloc(size_t num, size_t size); /* NOLINT(bugprone-reserved-identifier) */
void *__real_realloc(void *ptr, size_t size); /* NOLINT(bugprone-reserved-identifier) */
void *__wrap_malloc(size_t size);             /* NOLINT(bugprone-reserved-identifier) */
void *__wrap_calloc(size_t num, size_t size); /* NOLINT(bugprone-reserved-identifier) */
void *__wrap_realloc(void *ptr, size_t size); /* NOLINT(bugprone-reserved-identifier) */

void *__wrap_malloc(size_t size) {
  return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t num, size_t size) {
  return refused() ? NULL : __real_calloc(num, size);
}

void *__wrap_realloc(void *ptr, size_t size) {
  return refused() ? NULL : __real_realloc(ptr, size);
}
