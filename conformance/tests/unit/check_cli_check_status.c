/* SPDX-License-Identifier: BSD-2-Clause */
/* The status of several captures is the worst of them. */
#include "check_run.h"
#include "cli/check_status.h"

static const int worst_first[] = {70, 2, 1, 4, 0, 3};
#define STATUSES (sizeof worst_first / sizeof worst_first[0])

START_TEST(the_worse_of_two_wins_in_either_order)
{
  for (size_t i = 0; i < STATUSES; i++) {
    for (size_t j = i; j < STATUSES; j++) {
      ck_assert_int_eq(check_worse(worst_first[i], worst_first[j]), worst_first[i]);
      ck_assert_int_eq(check_worse(worst_first[j], worst_first[i]), worst_first[i]);
    }
  }
}
END_TEST

START_TEST(a_limit_makes_a_capture_undecided_unless_something_was_violated)
{
  const char *reason = NULL;
  report_capture capture = {.given_up = 1};
  ck_assert_int_eq(check_capture_status(&capture, &reason), 4);
  ck_assert_str_eq(reason, "a limit was reached");
  capture.violated = 1;
  ck_assert_int_eq(check_capture_status(&capture, &reason), 1);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {the_worse_of_two_wins_in_either_order,
                                a_limit_makes_a_capture_undecided_unless_something_was_violated,
                                NULL};
  return check_run(check_suite("check_status", tests));
}
