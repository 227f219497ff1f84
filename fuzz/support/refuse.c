/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that is refused: malloc, calloc and realloc of the program, for a while. */
#include "refuse.h"

#include <stdlib.h>

static refusal *current;

refusal refusal_of(fuzz_in *in) {
  const uint8_t how = fuzz_u8(in);
  const uint8_t first = fuzz_u8(in);
  return (refusal){.first = (how & 1u) != 0 ? 1u + first : 0, .every = how >> 1 & 15u};
}

bool refusal_now(refusal *r) {
  r->asked++;
  return r->first != 0 && r->asked >= r->first &&
         (r->every > 0 ? (r->asked - r->first) % r->every == 0 : r->asked == r->first);
}

void refuse_begin(refusal *r) {
  current = r;
}

void refuse_end(void) {
  current = NULL;
}

static bool refused(void) {
  return current != NULL && refusal_now(current);
}

/* What the linker puts in place of the functions, and them. */
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
