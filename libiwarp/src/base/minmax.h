/* SPDX-License-Identifier: BSD-2-Clause */
/* The lesser and the larger of two numbers. */
#ifndef IWARPI_BASE_MINMAX_H
#define IWARPI_BASE_MINMAX_H

#include <stddef.h>
#include <stdint.h>

static inline size_t size_min(size_t a, size_t b) {
  return a < b ? a : b;
}

static inline size_t size_max(size_t a, size_t b) {
  return a > b ? a : b;
}

static inline uint32_t u32_min(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static inline uint32_t u32_max(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

static inline uint64_t u64_min(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static inline uint64_t u64_max(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

#endif
