/* SPDX-License-Identifier: BSD-2-Clause */
/* What every test program has: a main for one suite, and an assertion that is cheap in loops. */
#ifndef TEST_SUPPORT_CHECK_RUN_H
#define TEST_SUPPORT_CHECK_RUN_H

#include <check.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define CHECK_RUN_MSAN
#endif
#endif

/* The first failure is the end where no more is asked than whether there is one. */
#ifdef CHECK_RUN_STOPS
#undef _ck_assert_failed
#define _ck_assert_failed(...) exit(EXIT_FAILURE)
#endif

/* expect is ck_assert_msg for loops of millions: it leaves no mark when the condition holds. */
#define expect(condition, ...)                                                                     \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      ck_abort_msg(__VA_ARGS__);                                                                   \
    }                                                                                              \
  } while (0)

/* ok asserts that a call of the library succeeds. */
#define ok(call)                                                                                   \
  do {                                                                                             \
    const iwarp_err ok_ = (call);                                                                  \
    expect(ok_ == IWARP_OK, "%s: %s", #call, iwarp_errname(ok_));                                  \
  } while (0)

/* expect_int_eq is ck_assert_int_eq for such loops. */
#define expect_int_eq(a, b)                                                                        \
  do {                                                                                             \
    const intmax_t a_ = (a);                                                                       \
    const intmax_t b_ = (b);                                                                       \
    expect(a_ == b_, "Assertion '%s' failed: %jd, not %jd", #a " == " #b, a_, b_);                 \
  } while (0)

static inline int check_run(Suite *suite) {
#ifdef CHECK_RUN_MSAN
  /* Check itself is not instrumented: what it hands to the C library looks uninitialised. */
  __msan_scoped_disable_interceptor_checks();
#endif
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* check_suite makes a suite of one case from a list of tests that ends with NULL. */
static inline Suite *check_suite(const char *name, const TTest *const *tests) {
  Suite *suite = suite_create(name);
  TCase *tcase = tcase_create(name);
  for (; *tests != NULL; tests++) {
    tcase_add_test(tcase, *tests);
  }
  suite_add_tcase(suite, tcase);
  return suite;
}

#endif
