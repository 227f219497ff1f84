/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that the caller of an _init function provides. */
#ifndef IWARPI_BASE_MEM_H
#define IWARPI_BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

#include <iwarp/base.h>

#define MEM_ALIGN _Alignof(max_align_t)

/* `n` bytes and those up to the next place where any object may lie. */
static inline size_t mem_up(size_t n) {
  return (n + MEM_ALIGN - 1) / MEM_ALIGN * MEM_ALIGN;
}

/* The error of an _init function that needs `size` bytes, 0 where another argument is invalid. */
static inline iwarp_err mem_error(const void *out, const void *mem, size_t mem_len, size_t size) {
  if (out == NULL || mem == NULL || (uintptr_t)mem % MEM_ALIGN != 0 || size == 0) {
    return IWARP_ERR_ARG;
  }
  return mem_len < size ? IWARP_ERR_NOBUF : IWARP_OK;
}

#endif
