/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory next to a forbidden page. */
#define _GNU_SOURCE
#include "guard.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* guard_end returns the address of a forbidden page with GUARD_MAX octets of memory before it, and
 * a page of memory after it. */
static uint8_t *guard_end(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t usable = (GUARD_MAX + page - 1) / page * page;
  uint8_t *area =
      mmap(NULL, usable + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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

iwarp_span guard_in_front(const void *octets, size_t n) {
  static uint8_t *begin;
  begin = begin != NULL ? begin : guard_end() + sysconf(_SC_PAGESIZE);
  if (n > (size_t)sysconf(_SC_PAGESIZE)) {
    abort();
  }
  memcpy(begin, octets, n);
  return (iwarp_span){.ptr = begin, .len = n};
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
