/* SPDX-License-Identifier: BSD-2-Clause */
/* Series of points stay within their bound, and keep the highest value. */
#include "check_run.h"
#include "stats/state.h"

START_TEST(a_long_series_keeps_its_highest_values)
{
  const stats_cfg cfg = {.plots = true};
  stats *s = stats_new(&cfg);
  stats_series *x = &s->figures.side[0].plots.latency;
  uint64_t highest = 0;
  for (uint64_t i = 0; i < 100000; i++) {
    const uint64_t v = i == 54321 ? 1000000 : i % 1000;
    st_plot_add(s, x, i, v, 2);
  }
  ck_assert_uint_le(x->num, STATS_POINTS);
  ck_assert_uint_ge(x->num, STATS_POINTS / 4);
  for (size_t i = 0; i < x->num; i++) {
    highest = x->of[i].v > highest ? x->of[i].v : highest;
    ck_assert(i == 0 || x->of[i].ns > x->of[i - 1].ns);
    ck_assert_uint_eq(x->of[i].kind, 2);
  }
  ck_assert_uint_eq(highest, 1000000);
  stats_free(s);
}
END_TEST

START_TEST(nothing_is_kept_where_no_plots_are_wanted)
{
  const stats_cfg cfg = {0};
  stats *s = stats_new(&cfg);
  st_plot_add(s, &s->figures.side[0].plots.latency, 1, 1, 2);
  ck_assert_uint_eq(s->figures.side[0].plots.latency.num, 0);
  stats_free(s);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_long_series_keeps_its_highest_values,
                                nothing_is_kept_where_no_plots_are_wanted, NULL};
  return check_run(check_suite("stats-plot", tests));
}
