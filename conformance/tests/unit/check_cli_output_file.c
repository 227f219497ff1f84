/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of reports that cannot be opened, are captures themselves, or lose what was written. */
#define _DEFAULT_SOURCE /* mkdtemp, P_tmpdir */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_run.h"
#include "cli/output_file.h"

static char folder[] = P_tmpdir "/output-file-XXXXXX";
static char path[64];
static bool no_ftruncate; /* it fails */
static bool no_fstat;

int __real_ftruncate(int fd, off_t length);
int __wrap_ftruncate(int fd, off_t length);
int __real_fstat(int fd, struct stat *out);
int __wrap_fstat(int fd, struct stat *out);

int __wrap_ftruncate(int fd, off_t length) {
  errno = EIO;
  return no_ftruncate ? -1 : __real_ftruncate(fd, length);
}

int __wrap_fstat(int fd, struct stat *out) {
  errno = EIO;
  return no_fstat ? -1 : __real_fstat(fd, out);
}

/* A file of four octets. */
static void begin(void) {
  ck_assert_ptr_nonnull(mkdtemp(folder));
  (void)snprintf(path, sizeof path, "%s/file", folder);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs("abcd", f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

static void end(void) {
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}

static long long size_of_file(void) {
  struct stat st;
  ck_assert_int_eq(stat(path, &st), 0);
  return (long long)st.st_size;
}

START_TEST(a_file_is_emptied_unless_it_is_read)
{
  const char *operands[] = {"/nowhere/at/all", "-", NULL};
  opts o = {.operands = operands, .num_operands = 2};
  begin();
  int fd = output_file_open(path, &o);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(size_of_file(), 0);
  ck_assert_int_eq(write(fd, "abcd", 4), 4);
  ck_assert(output_file_close(fd, path, 0));
  operands[0] = path;
  ck_assert_int_lt(output_file_open(path, &o), 0);
  ck_assert_int_eq(size_of_file(), 4);
  end();
}
END_TEST

START_TEST(standard_input_may_be_the_file)
{
  const char *operands[] = {"-", NULL};
  const opts o = {.operands = operands, .num_operands = 1};
  begin();
  const int in = open(path, O_RDONLY);
  ck_assert_int_ge(in, 0);
  ck_assert_int_eq(dup2(in, STDIN_FILENO), STDIN_FILENO);
  ck_assert_int_lt(output_file_open(path, &o), 0);
  ck_assert_int_eq(size_of_file(), 4);
  ck_assert(output_file_same(in, STDIN_FILENO));
  /* it is closed */
  ck_assert_int_eq(close(STDIN_FILENO), 0);
  ck_assert(!output_file_same(in, STDIN_FILENO));
  ck_assert(!output_file_same(STDIN_FILENO, in));
  ck_assert_int_eq(close(in), 0);
  end();
}
END_TEST

START_TEST(a_report_never_takes_the_number_of_a_standard_stream)
{
  const char *operands[] = {"-", NULL};
  const opts o = {.operands = operands, .num_operands = 1};
  begin();
  (void)close(STDIN_FILENO);
  const int fd = output_file_open(path, &o);
  ck_assert_int_gt(fd, STDERR_FILENO);
  ck_assert_int_lt(fcntl(STDIN_FILENO, F_GETFD), 0);
  ck_assert(output_file_close(fd, path, 0));
  end();
}
END_TEST

START_TEST(devices_are_not_emptied_and_are_not_one_file)
{
  const char *operands[] = {"/dev/null", NULL};
  const opts o = {.operands = operands, .num_operands = 1};
  no_ftruncate = true;
  const int fd = output_file_open("/dev/null", &o);
  const int other = output_file_open("/dev/null", &o);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_ge(other, 0);
  ck_assert(!output_file_same(fd, other));
  ck_assert(output_file_close(fd, "/dev/null", 0));
  ck_assert(output_file_close(other, "/dev/null", 0));
}
END_TEST

START_TEST(what_cannot_be_opened_or_emptied_is_not_written)
{
  const opts o = {0};
  begin();
  no_ftruncate = true;
  ck_assert_int_lt(output_file_open(path, &o), 0);
  no_ftruncate = false;
  no_fstat = true;
  ck_assert_int_lt(output_file_open(path, &o), 0);
  no_fstat = false;
  ck_assert_int_eq(size_of_file(), 4);
  ck_assert_int_lt(output_file_open(folder, &o), 0);
  end();
}
END_TEST

START_TEST(an_error_of_writing_or_closing_is_reported)
{
  const opts o = {0};
  begin();
  int fd = output_file_open(path, &o);
  ck_assert_int_ge(fd, 0);
  ck_assert(!output_file_close(fd, path, ENOSPC));
  ck_assert(!output_file_close(fd, path, 0)); /* it is not open */
  ck_assert(!output_file_close(fd, path, ENOSPC));
  end();
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_file_is_emptied_unless_it_is_read,
                                standard_input_may_be_the_file,
                                a_report_never_takes_the_number_of_a_standard_stream,
                                devices_are_not_emptied_and_are_not_one_file,
                                what_cannot_be_opened_or_emptied_is_not_written,
                                an_error_of_writing_or_closing_is_reported,
                                NULL};
  return check_run(check_suite("cli-output-file", tests));
}
