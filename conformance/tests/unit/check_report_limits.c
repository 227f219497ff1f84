/* SPDX-License-Identifier: BSD-2-Clause */
/* The limits of a run by name, and their counts. */
#include <string.h>

#include "check_run.h"

#include <report/limits.h>

START_TEST(each_limit_is_counted_by_its_name)
{
  report_limits limits = {{0}};
  for (size_t i = 0; i < REPORT_LIMITS; i++) {
    ck_assert_str_ne(report_limit_text(report_limit_name(i)), "");
    report_limits_add(&limits, report_limit_name(i), i + 1);
    ck_assert_uint_eq(limits.of[i], i + 1);
  }
  ck_assert_ptr_null(report_limit_name(REPORT_LIMITS));
  ck_assert_uint_eq(report_limits_sum(&limits), REPORT_LIMITS * (REPORT_LIMITS + 1) / 2);
}
END_TEST

START_TEST(an_unknown_name_counts_as_other)
{
  report_limits limits = {{0}};
  report_limits_add(&limits, "nonsense", 2);
  ck_assert_uint_eq(limits.of[REPORT_LIMITS - 1], 2);
  ck_assert_str_eq(report_limit_name(REPORT_LIMITS - 1), "other");
  ck_assert_str_eq(report_limit_text("nonsense"), report_limit_text("other"));
}
END_TEST

int main(void) {
  const TTest *const tests[] = {each_limit_is_counted_by_its_name, an_unknown_name_counts_as_other,
                                NULL};
  return check_run(check_suite("limits", tests));
}
