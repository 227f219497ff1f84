/* SPDX-License-Identifier: BSD-2-Clause */
/* Baselines and profiles of cases: what is read, and how a result compares with it. */
#include <stdio.h>
#include <string.h>

#include <peer/expect.h>

#include "check_run.h"

static peer_result result(peer_verdict verdict, const char *seen) {
  peer_result r = {.verdict = verdict};
  (void)snprintf(r.seen, sizeof r.seen, "%s", seen);
  return r;
}

static peer_expect expected(const char *text, bool profile) {
  peer_expect e = {.num = 0};
  ck_assert_uint_eq(peer_expect_read(&e, text, strlen(text), profile), 0);
  return e;
}

static void compares(const char *text, bool profile, peer_verdict verdict, const char *seen,
                     peer_known known) {
  peer_expect e = expected(text, profile);
  const peer_result r = result(verdict, seen);
  ck_assert_msg(peer_expect_compare(&e, "mpa.pad", &r) == known, "%s against %s %s", text,
                peer_verdict_name(verdict), seen);
  peer_expect_free(&e);
}

START_TEST(a_baseline_names_what_is_seen)
{
  static const char line[] = "mpa.pad fail terminate layer=2\n";
  compares(line, false, PEER_FAIL, "terminate layer=2", PEER_KNOWN_XFAIL);
  compares(line, false, PEER_FAIL, "terminate layer=1", PEER_KNOWN_CHANGED);
  compares(line, false, PEER_WARNING, "terminate layer=2", PEER_KNOWN_CHANGED);
  compares(line, false, PEER_UNSTABLE, "terminate layer=2", PEER_KNOWN_CHANGED);
  compares(line, false, PEER_PASS, "", PEER_KNOWN_XPASS);
  compares(line, false, PEER_UNDECIDED, "", PEER_KNOWN_NONE);
  compares(line, false, PEER_SKIPPED, "", PEER_KNOWN_NONE);
  compares(line, false, PEER_ALLOWED, "rst", PEER_KNOWN_NONE);
  compares("mpa.padding fail rst\nmpa.pa fail rst\n", false, PEER_FAIL, "rst", PEER_KNOWN_NONE);
}
END_TEST

START_TEST(what_is_seen_may_be_left_out)
{
  compares("mpa.pad fail *\n", false, PEER_FAIL, "rst", PEER_KNOWN_XFAIL);
  compares("mpa.pad fail", false, PEER_FAIL, "rst", PEER_KNOWN_XFAIL);
  compares("mpa.pad fail -\r\n", false, PEER_FAIL, "", PEER_KNOWN_XFAIL);
  compares("mpa.pad fail -\n", false, PEER_FAIL, "rst", PEER_KNOWN_CHANGED);
  compares("# a comment\n\n  \nmpa.pad   fail rst  \n", false, PEER_FAIL, "rst", PEER_KNOWN_XFAIL);
}
END_TEST

START_TEST(a_profile_is_surprised_by_nothing)
{
  static const char line[] = "mpa.pad fail rst\n";
  compares(line, true, PEER_FAIL, "rst", PEER_KNOWN_XFAIL);
  compares(line, true, PEER_FAIL, "fin", PEER_KNOWN_NONE);
  compares(line, true, PEER_PASS, "", PEER_KNOWN_NONE);
}
END_TEST

START_TEST(a_baseline_counts_before_a_profile)
{
  static const char profile[] = "mpa.pad fail rst\n";
  static const char baseline[] = "mpa.pad fail fin\n";
  for (unsigned int first = 0; first < 2; first++) {
    peer_expect e = {.num = 0};
    const char *const texts[2] = {profile, baseline};
    for (unsigned int i = 0; i < 2; i++) {
      const char *text = texts[i ^ first];
      ck_assert_uint_eq(peer_expect_read(&e, text, strlen(text), text == profile), 0);
    }
    const peer_result r = result(PEER_FAIL, "rst");
    ck_assert_int_eq(peer_expect_compare(&e, "mpa.pad", &r), PEER_KNOWN_CHANGED);
    peer_expect_free(&e);
    ck_assert_int_eq(peer_expect_compare(&e, "mpa.pad", &r), PEER_KNOWN_NONE);
  }
}
END_TEST

START_TEST(many_lines_are_kept)
{
  static char text[100 * 24];
  size_t len = 0;
  for (unsigned int i = 0; i < 100; i++) {
    len += (size_t)snprintf(text + len, sizeof text - len, "mpa.c%u fail rst\n", i);
  }
  peer_expect e = expected(text, false);
  const peer_result r = result(PEER_FAIL, "rst");
  ck_assert_uint_eq(e.num, 100);
  ck_assert_int_eq(peer_expect_compare(&e, "mpa.c0", &r), PEER_KNOWN_XFAIL);
  ck_assert_int_eq(peer_expect_compare(&e, "mpa.c99", &r), PEER_KNOWN_XFAIL);
  peer_expect_free(&e);
}
END_TEST

START_TEST(a_wrong_line_is_named)
{
  static const struct {
    const char *text;
    size_t line;
  } wrong[] = {{"mpa.pad\n", 1},
               {"mpa.pad fail rst\nmpa.pad perhaps rst", 2},
               {"#\n\nmpa.pad pass\n", 3},
               {"mpa.pad averylongwordindeed rst\n", 1},
               {" \nmpa.pad \n", 2}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    peer_expect e = {.num = 0};
    ck_assert_uint_eq(peer_expect_read(&e, wrong[i].text, strlen(wrong[i].text), false),
                      wrong[i].line);
    peer_expect_free(&e);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_baseline_names_what_is_seen,
                                what_is_seen_may_be_left_out,
                                a_profile_is_surprised_by_nothing,
                                a_baseline_counts_before_a_profile,
                                many_lines_are_kept,
                                a_wrong_line_is_named,
                                NULL};
  return check_run(check_suite("peer-expect", tests));
}
