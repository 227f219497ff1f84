/* SPDX-License-Identifier: BSD-2-Clause */
/* The results of the Atomic Operations: RFC 7306 5.1. */
#include <iwarp/rdmap.h>

uint64_t iwarp_rdmap_fetch_add(uint64_t old, uint64_t add, uint64_t mask) {
  /* Without the top bit of each field no carry leaves a field; the top bits add without carry. */
  uint64_t low = (old & ~mask) + (add & ~mask);
  return low ^ ((old ^ add) & mask);
}

uint64_t iwarp_rdmap_cmp_swap(uint64_t old, uint64_t swap, uint64_t swap_mask, uint64_t compare,
                              uint64_t compare_mask) {
  if (((old ^ compare) & compare_mask) != 0) {
    return old;
  }
  return (old & ~swap_mask) | (swap & swap_mask);
}
