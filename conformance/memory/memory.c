/* SPDX-License-Identifier: BSD-2-Clause */
/* Allocations of the tool, and the record of a failure. */
#include <memory/memory.h>

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool memory_lacked;

static void *memory_noted(void *at, size_t size) {
  if (at == NULL && size > 0) {
    memory_failed();
  }
  return at;
}

void *memory_get(size_t size) {
  return memory_noted(malloc(size), size);
}

void *memory_zeroed(size_t num, size_t size) {
  return memory_noted(calloc(num, size), num > 0 ? size : 0);
}

void *memory_resize(void *at, size_t size) {
  return memory_noted(realloc(at, size), size);
}

char *memory_text(const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = memory_get(size);
  if (copy != NULL) {
    memcpy(copy, text, size);
  }
  return copy;
}

void memory_failed(void) {
  atomic_store_explicit(&memory_lacked, true, memory_order_relaxed);
}

void memory_failed_errno(int error) {
  if (error == ENOMEM) {
    memory_failed();
  }
}

bool memory_ran_out(void) {
  return atomic_load_explicit(&memory_lacked, memory_order_relaxed);
}

void memory_forget(void) {
  atomic_store_explicit(&memory_lacked, false, memory_order_relaxed);
}
