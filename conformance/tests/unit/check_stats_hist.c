/* SPDX-License-Identifier: BSD-2-Clause */
/* Distributions: bounds, percentiles, memory. */
#include <stdlib.h>

#include <stats/hist.h>

#include "check_run.h"

/* The number of a rank, by sorting. */
static int compare(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a;
  const uint64_t y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static uint64_t nearest_rank(const uint64_t *sorted, size_t n, unsigned int percent) {
  return sorted[(percent * n + 99) / 100 - 1];
}

START_TEST(numbers_below_128_are_exact)
{
  stats_hist h = {0};
  for (uint64_t v = 0; v < 128; v++) {
    stats_hist_add(&h, v);
  }
  stats_hist_settle(&h);
  ck_assert_uint_eq(h.count, 128);
  ck_assert_uint_eq(h.sum, 127 * 64);
  ck_assert_uint_eq(h.min, 0);
  ck_assert_uint_eq(h.max, 127);
  ck_assert_uint_eq(stats_hist_rank(&h, 50), 63);
  ck_assert_uint_eq(stats_hist_rank(&h, 90), 115);
  ck_assert_uint_eq(stats_hist_rank(&h, 99), 126);
  stats_hist_free(&h);
}
END_TEST

START_TEST(percentiles_are_less_than_one_percent_off)
{
  enum { NUM = 5000 };
  static uint64_t all[NUM];
  stats_hist h = {.kind = STATS_DURATIONS};
  uint64_t state = 1;
  for (size_t i = 0; i < NUM; i++) {
    state = state * UINT64_C(6364136223846793005) + 1;
    all[i] = state >> (state >> 60 << 2 & 63);
    stats_hist_add(&h, all[i]);
  }
  stats_hist_settle(&h);
  qsort(all, NUM, sizeof all[0], compare);
  for (unsigned int percent = 1; percent <= 100; percent++) {
    const uint64_t want = nearest_rank(all, NUM, percent);
    const uint64_t got = stats_hist_rank(&h, percent);
    const uint64_t off = got > want ? got - want : want - got;
    ck_assert_uint_le(off, want / 100);
    ck_assert_uint_ge(got, all[0]);
    ck_assert_uint_le(got, all[NUM - 1]);
  }
  ck_assert_uint_lt(h.num, 3776);
  stats_hist_free(&h);
}
END_TEST

START_TEST(one_number_is_each_percentile)
{
  stats_hist h = {0};
  stats_hist_add(&h, 1000003);
  stats_hist_settle(&h);
  ck_assert_uint_eq(stats_hist_rank(&h, 1), 1000003);
  ck_assert_uint_eq(stats_hist_rank(&h, 99), 1000003);
  stats_hist_free(&h);
}
END_TEST

START_TEST(sizes_have_bounds_that_double)
{
  static const struct {
    uint64_t v;
    size_t bucket;
  } rows[] = {{0, 0},          {1, 1},     {2, 2},
              {3, 3},          {4, 3},     {5, 4},
              {1024, 11},      {1025, 12}, {UINT64_C(1) << 63, 64},
              {UINT64_MAX, 65}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    stats_hist h = {0};
    stats_hist_add(&h, rows[i].v);
    stats_hist_settle(&h);
    ck_assert_uint_eq(h.bound[rows[i].bucket], 1);
    stats_hist_free(&h);
  }
  ck_assert_uint_eq(stats_hist_bound(STATS_SIZES, 0), 0);
  ck_assert_uint_eq(stats_hist_bound(STATS_SIZES, 11), 1024);
  ck_assert_uint_eq(stats_hist_bound(STATS_SIZES, 65), UINT64_MAX);
}
END_TEST

START_TEST(durations_have_the_bounds_1_2_5)
{
  static const uint64_t first[] = {1000, 2000, 5000, 10000};
  for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
    stats_hist h = {.kind = STATS_DURATIONS};
    ck_assert_uint_eq(stats_hist_bound(STATS_DURATIONS, i), first[i]);
    stats_hist_add(&h, first[i]);
    stats_hist_add(&h, first[i] + 1);
    stats_hist_settle(&h);
    ck_assert_uint_eq(h.bound[i], 1);
    ck_assert_uint_eq(h.bound[i + 1], 1);
    stats_hist_free(&h);
  }
  ck_assert_uint_eq(stats_hist_bound(STATS_DURATIONS, 24), UINT64_C(100000000000));
  ck_assert_uint_eq(stats_hist_bound(STATS_DURATIONS, 25), UINT64_MAX);
  ck_assert_uint_eq(stats_hist_buckets(STATS_DURATIONS), 26);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {
      numbers_below_128_are_exact,     percentiles_are_less_than_one_percent_off,
      one_number_is_each_percentile,   sizes_have_bounds_that_double,
      durations_have_the_bounds_1_2_5, NULL};
  return check_run(check_suite("stats-hist", tests));
}
