/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that ends where a forbidden page begins. */
#define _DEFAULT_SOURCE
#include "guard.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* guard_end returns the address of a forbidden page with GUARD_MAX octets of memory before it. */
static uint8_t *guard_end(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t usable = (GUARD_MAX + page - 1) / page * page;
  uint8_t *area =
      mmap(NULL, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED || mprotect(area + usable, page, PROT_NONE) != 0) {
    abort();
  }
  return area + usable;
}

iwarp_span guard_in(const void *octets, size_t n) {
  static uint8_t *end;
  end = end != NULL ? end : guard_end();
  if (n > GUARD_MAX) {
    abort();
  }
  if (n > 0) {
    memcpy(end - n, octets, n);
  }
  return (iwarp_span){.ptr = end - n, .len = n};
}

uint8_t *guard_out(size_t n) {
  static uint8_t *end;
  end = end != NULL ? end : guard_end();
  if (n > GUARD_MAX) {
    abort();
  }
  memset(end - n, 0xA5, n);
  return end - n;
}
