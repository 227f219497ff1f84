/* SPDX-License-Identifier: BSD-2-Clause */
/* What the engines that watch a connection take of memory. */
#ifndef TEST_SUPPORT_SIZES_H
#define TEST_SUPPORT_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an observer and the rules took together. */
typedef struct sizes_taken {
  size_t peak;     /* bytes at most, their own memory included */
  size_t kept;     /* bytes that are not given back at the end: none */
  size_t findings; /* none */
  uint32_t reason; /* why rules were inconclusive, IWARP_REASON_* */
} sizes_taken;

/*
 * sizes_ordinary lets an observer and the rules watch an ordinary connection: startup, then
 * thousands of FPDUs of a full EMSS of 1460 octets both ways. The segments of TCP cut them
 * anywhere, CRCs are on, and 16 RDMA Reads are under way at a time. `pooled`: with a pool.
 */
sizes_taken sizes_ordinary(bool pooled);

/* sizes_print prints the table of the guide. */
void sizes_print(void);

#endif
