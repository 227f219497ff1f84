/* SPDX-License-Identifier: BSD-2-Clause */
/* What --progress draws, and when. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check_run.h"
#include "cli/progress.h"

static char drawn[4096];
static FILE *shown;
static int real;

/* Standard error is a file from here on. */
static void begin(bool on) {
  shown = tmpfile();
  real = dup(STDERR_FILENO);
  ck_assert_ptr_nonnull(shown);
  ck_assert_int_ge(dup2(fileno(shown), STDERR_FILENO), 0);
  progress_enable(on);
}

/* Everything that was drawn. */
static const char *end(void) {
  ck_assert_int_ge(dup2(real, STDERR_FILENO), 0);
  ck_assert_int_eq(close(real), 0);
  rewind(shown);
  drawn[fread(drawn, 1, sizeof drawn - 1, shown)] = 0;
  ck_assert_int_eq(fclose(shown), 0);
  return drawn;
}

#define COUNTS "  5 packets, 2 connections, 1 findings"

static progress_state state(uint64_t done, uint64_t total) {
  return (progress_state){.file = "a.pcap",
                          .done = done,
                          .total = total,
                          .packets = 5,
                          .connections = 2,
                          .findings = 1};
}

typedef struct share_case {
  uint64_t done;
  uint64_t total;
  const char *text;
} share_case;

static const share_case shares[] = {
    {0, 1000, "[....................]   0%"},
    {1, 1000, "[....................]   0%"},
    {11, 1000, "[#...................]   1%"},
    {550, 1000, "[###########.........]  55%"},
    {1000, 1000, "[####################] 100%"},
    {2000, 1000, "[####################] 100%"}, /* it grew while it was read */
    {UINT64_MAX / 2, UINT64_MAX, "[##########..........]  50%"},
    {1, 2, "[##########..........]  50%"},
    {0, 0, "0 MiB"}, /* a pipe has no size */
    {(UINT64_C(5) << 20) - 1, 0, "4 MiB"},
    {UINT64_C(5) << 20, 0, "5 MiB"},
};

START_TEST(the_share_of_a_file_or_the_octets_of_a_pipe)
{
  const share_case *c = &shares[_i];
  const progress_state s = state(c->done, c->total);
  char wanted[200];
  begin(true);
  progress_show(&s);
  snprintf(wanted, sizeof wanted, "\r\033[Ka.pcap %s" COUNTS, c->text);
  ck_assert_str_eq(end(), wanted);
}
END_TEST

START_TEST(nothing_is_drawn_where_it_is_off)
{
  const progress_state s = state(10, 1000);
  begin(false);
  ck_assert(!progress_enabled());
  progress_show(&s);
  progress_erase();
  ck_assert_str_eq(end(), "");
}
END_TEST

START_TEST(it_is_drawn_again_only_where_it_changes)
{
  progress_state s = state(500, 1000);
  begin(true);
  ck_assert(progress_enabled());
  progress_show(&s);
  s.packets = 6;
  progress_show(&s);
  ck_assert_ptr_null(strstr(end(), "6 packets"));
  begin(true);
  s.done = 900;
  progress_show(&s);
  ck_assert_ptr_nonnull(strstr(end(), "6 packets"));
  begin(true);
  s.file = "b.pcap";
  progress_show(&s);
  ck_assert_ptr_nonnull(strstr(end(), "b.pcap"));
  begin(true);
  progress_erase();
  progress_erase(); /* nothing is left to erase */
  progress_show(&s);
  ck_assert(strncmp(end(), "\r\033[K\r\033[Kb.pcap [", 16) == 0);
}
END_TEST

START_TEST(the_name_of_a_file_cannot_steer_the_terminal)
{
  progress_state s = state(0, 0);
  s.file = "a\033[31m\xc2\x9b\xff\xc3\xa9";
  begin(true);
  progress_show(&s);
  ck_assert_str_eq(end(), "\r\033[Ka?[31m???\xc3\xa9 0 MiB" COUNTS);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {nothing_is_drawn_where_it_is_off,
                                it_is_drawn_again_only_where_it_changes,
                                the_name_of_a_file_cannot_steer_the_terminal, NULL};
  Suite *suite = check_suite("progress", tests);
  TCase *loop = tcase_create("shares");
  tcase_add_loop_test(loop, the_share_of_a_file_or_the_octets_of_a_pipe, 0,
                      sizeof shares / sizeof shares[0]);
  suite_add_tcase(suite, loop);
  return check_run(suite);
}
