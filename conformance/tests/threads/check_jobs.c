/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `iwarp check --jobs` in one process, over captures of the repository: whatever the number of jobs
 * is, the reports are the same. The gate runs this under ThreadSanitizer.
 */
#define _DEFAULT_SOURCE /* mkstemp, P_tmpdir */

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_run.h"
#include "cli/commands.h"
#include "cli/diag.h"

#define REPORT_CAP ((size_t)8 << 20)

static char report[2][REPORT_CAP];
static char tool[] = "iwarp";
static char command[] = "check";

/* The status of a check of the captures; `out` gets its JSON Lines. */
static int checked(char *jobs, const glob_t *captures, char *out) {
  char path[] = P_tmpdir "/iwarp-jobs-XXXXXX";
  char option[64];
  opts o;
  bool named = false;
  char error[OPTS_ERROR_CAP] = "";
  const int fd = mkstemp(path);
  char **argv = calloc(captures->gl_pathc + 8, sizeof *argv);
  int argc = 0;
  ck_assert_int_ge(fd, 0);
  ck_assert_ptr_nonnull(argv);
  snprintf(option, sizeof option, "--report=jsonl=%s", path);
  argv[argc++] = tool;
  argv[argc++] = command;
  argv[argc++] = option;
  argv[argc++] = jobs;
  for (size_t i = 0; i < captures->gl_pathc; i++) {
    argv[argc++] = captures->gl_pathv[i];
  }
  ck_assert_int_eq(opts_parse(&o, &named, argc, argv, error), OPTS_RUN);
  const int status = cmd_check(&o);
  opts_free(&o);
  free(argv);
  /* The report took the place of the file. */
  const int written = open(path, O_RDONLY | O_CLOEXEC);
  ck_assert_int_ge(written, 0);
  const ssize_t n = read(written, out, REPORT_CAP - 1);
  ck_assert_int_ge(n, 0);
  out[n] = '\0';
  close(written);
  close(fd);
  unlink(path);
  return status;
}

static void agree(const char *pattern) {
  static char numbers[3][16] = {"--jobs=2", "--jobs=3", "--jobs=8"};
  static char one[] = "--jobs=1";
  glob_t captures;
  ck_assert_int_eq(glob(pattern, 0, NULL, &captures), 0);
  const int status = checked(one, &captures, report[0]);
  ck_assert_ptr_nonnull(strstr(report[0], "\"type\":\"summary\""));
  for (size_t i = 0; i < 3; i++) {
    ck_assert_int_eq(checked(numbers[i], &captures, report[1]), status);
    ck_assert_str_eq(report[0], report[1]);
  }
  globfree(&captures);
}

START_TEST(connections_over_tcp)
{ agree("pcaps/synthetic/traffic/*.pcap"); }
END_TEST

START_TEST(sessions_over_sctp)
{ agree("pcaps/synthetic/sctp/*.pcap"); }
END_TEST

START_TEST(captures_of_an_implementation)
{ agree("pcaps/real/siw/*.pcap"); }
END_TEST

int main(void) {
  const TTest *const tests[] = {connections_over_tcp, sessions_over_sctp,
                                captures_of_an_implementation, NULL};
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  return check_run(check_suite("jobs", tests));
}
