/* SPDX-License-Identifier: BSD-2-Clause */
/* What an ordinary connection costs whoever watches it. */
#include <iwarp/rules.h>

#include "check_run.h"
#include "sizes.h"

START_TEST(an_ordinary_connection_takes_34_kib_at_most)
{
  for (int pooled = 0; pooled < 2; pooled++) {
    const sizes_taken taken = sizes_ordinary(pooled != 0);
    ck_assert_uint_eq(taken.findings, 0);
    ck_assert_uint_eq(taken.kept, 0);
    ck_assert_uint_eq(taken.reason & IWARP_REASON_LIMIT, 0);
    ck_assert_uint_le(taken.peak, 34u * 1024u);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {an_ordinary_connection_takes_34_kib_at_most, NULL};
  return check_run(check_suite("sizes", tests));
}
