/* SPDX-License-Identifier: BSD-2-Clause */
/* Distributions of numbers in little memory: exact sums, percentiles with an error below 1 %. */
#ifndef STATS_HIST_H
#define STATS_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** stats_hist_kind says what the numbers of a distribution are, and so which bounds it counts by.
 */
typedef enum stats_hist_kind {
  STATS_SIZES = 0, /* octets and counts: the bounds 0, 1, 2, 4, 8 and so on */
  STATS_DURATIONS  /* nanoseconds: the bounds 1 us, 2 us, 5 us, 10 us and so on to 100 s */
} stats_hist_kind;

#define STATS_HIST_BOUNDS 66u /* buckets with a bound of their own, at most */

/** stats_hist_cell counts the numbers of one step of the scale. */
typedef struct stats_hist_cell {
  uint32_t step;
  uint64_t count;
} stats_hist_cell;

/**
 * stats_hist is a distribution; all zeros is an empty one of sizes.
 *
 * Its scale is linear up to 128, and has 64 steps in each octave above, as HdrHistogram's with two
 * digits. Only steps that some number has take memory, at most 3,776 of 16 octets.
 *
 * Mostly a number is equal to the one before. So `run` counts these, and the other members follow
 * when another number comes, and with stats_hist_settle.
 */
typedef struct stats_hist {
  uint64_t value; /* the number that came last */
  uint64_t run;   /* equal numbers at the end, which the members below do not count */
  stats_hist_kind kind;
  uint64_t count;
  uint64_t sum;
  uint64_t min;                      /* the least number, if `count` is not 0 */
  uint64_t max;                      /* the largest number, if `count` is not 0 */
  uint64_t bound[STATS_HIST_BOUNDS]; /* numbers up to the bound and past the bound before it */
  stats_hist_cell *cells;            /* cells by step, ascending */
  size_t num;
  size_t room;
  size_t last; /* the cell of the last number */
} stats_hist;

/** stats_hist_settle makes all members count all numbers. */
void stats_hist_settle(stats_hist *h);

/** stats_hist_add counts a number. */
static inline void stats_hist_add(stats_hist *h, uint64_t v) {
  if (h->run == 0 || v != h->value) {
    stats_hist_settle(h);
    h->value = v;
  }
  h->run++;
}

/** stats_hist_rank returns the number of rank ceil(`percent` / 100 * count) in ascending order,
 * less than 1 % off, between `min` and `max`. The distribution is settled and not empty. */
uint64_t stats_hist_rank(const stats_hist *h, unsigned int percent);

/** stats_hist_bound returns the bound of bucket `i`, and UINT64_MAX for one without. */
uint64_t stats_hist_bound(stats_hist_kind kind, size_t i);

/** stats_hist_buckets returns how many buckets there are. */
size_t stats_hist_buckets(stats_hist_kind kind);

/** stats_hist_free gives the memory back. */
void stats_hist_free(stats_hist *h);

#endif
