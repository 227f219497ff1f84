/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory by pages of the system. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "pages.h"

#include <stdlib.h>
#include <sys/mman.h>

/* A sanitizer sees more of blocks of its own than of pages. */
#ifdef __SANITIZE_ADDRESS__
#define PAGES_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define PAGES_SANITIZED
#endif
#endif

#ifdef PAGES_SANITIZED
void *obs_pages_get(size_t size) {
  return malloc(size);
}

void obs_pages_free(void *pages, size_t size) {
  (void)size;
  free(pages);
}
#else
void *obs_pages_get(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages != MAP_FAILED ? pages : NULL;
}

void obs_pages_free(void *pages, size_t size) {
  if (pages != NULL) {
    munmap(pages, size);
  }
}
#endif
