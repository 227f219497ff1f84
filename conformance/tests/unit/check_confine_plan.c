/* SPDX-License-Identifier: BSD-2-Clause */
/* confine: the plan of a run, inputs that are opened first, and words. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_run.h"
#include "confine/confine_priv.h"
#include "confine_room.h"

static unsigned int left; /* allocations until one fails; 0: none fails */

/* What plans and held inputs take memory by. */
#define WITHOUT_MEMORY(name, arguments, values)                                                    \
  void *__real_##name arguments;                                                                   \
  void *__wrap_##name arguments;                                                                   \
  void *__wrap_##name arguments {                                                                  \
    const bool last = left == 1;                                                                   \
    left -= left > 0 ? 1 : 0;                                                                      \
    errno = last ? ENOMEM : errno;                                                                 \
    return last ? NULL : __real_##name values;                                                     \
  }

WITHOUT_MEMORY(malloc, (size_t n), (n))
WITHOUT_MEMORY(calloc, (size_t num, size_t n), (num, n))
WITHOUT_MEMORY(realloc, (void *at, size_t n), (at, n))
WITHOUT_MEMORY(strdup, (const char *text), (text))
WITHOUT_MEMORY(strndup, (const char *text, size_t n), (text, n))
WITHOUT_MEMORY(realpath, (const char *path, char *to), (path, to))

/* ---- the plan ---- */

static void expect_path(const confine_plan *plan, size_t i, const char *path, confine_right right) {
  ck_assert_uint_lt(i, plan->num);
  ck_assert_str_eq(plan->paths[i].path, path);
  ck_assert_int_eq(plan->paths[i].right, right);
}

/* The plan of one output. */
static confine_plan plan_output(const char *path) {
  confine_plan plan = {0};
  confine_plan_output(&plan, path);
  return plan;
}

START_TEST(an_output_gives_its_folder)
{
  char real[PATH_MAX];
  char path[PATH_MAX];
  ck_assert_ptr_nonnull(realpath(room.made, real));
  path_in(path, room.made, "report");
  confine_plan plan = plan_output(path);
  expect_path(&plan, 0, room.made, CONFINE_MAKE);
  ck_assert(plan.writes);
  confine_plan_free(&plan);
  write_file(path, "before");
  plan = plan_output(path);
  expect_path(&plan, 0, path, CONFINE_WRITE);
  expect_path(&plan, 1, real, CONFINE_MAKE);
  confine_plan_free(&plan);
  plan = plan_output("here");
  expect_path(&plan, 0, ".", CONFINE_MAKE);
  confine_plan_free(&plan);
  plan = plan_output("/here");
  expect_path(&plan, 0, "/", CONFINE_MAKE);
  confine_plan_free(&plan);
}
END_TEST

/* Links to an absolute path, to one beside the link, and to each other. */
START_TEST(an_output_gives_the_folder_where_its_links_end)
{
  char path[PATH_MAX];
  char first[PATH_MAX];
  char second[PATH_MAX];
  path_in(path, room.made, "absent");
  path_in(first, room.folder, "first");
  path_in(second, room.folder, "second");
  ck_assert_int_eq(symlink(path, first), 0);
  ck_assert_int_eq(symlink("first", second), 0);
  confine_plan plan = plan_output(second);
  ck_assert_uint_eq(plan.num, 1);
  expect_path(&plan, 0, room.made, CONFINE_MAKE);
  confine_plan_free(&plan);
  ck_assert_int_eq(unlink(first), 0);
  ck_assert_int_eq(symlink("second", first), 0);
  plan = plan_output(second); /* a circle: any folder does, for the output cannot be made */
  ck_assert(!plan.failed);
  confine_plan_free(&plan);
}
END_TEST

START_TEST(a_device_is_written_to_and_nothing_made)
{
  confine_plan plan = plan_output("/dev/null");
  ck_assert_uint_eq(plan.num, 1);
  expect_path(&plan, 0, "/dev/null", CONFINE_WRITE);
  confine_plan_free(&plan);
  plan = plan_output(room.made); /* a folder is no output */
  ck_assert_uint_eq(plan.num, 0);
  confine_plan_free(&plan);
  confine_plan_temporary(&plan);
  expect_path(&plan, 0, P_tmpdir, CONFINE_TEMPORARY);
  confine_plan_free(&plan);
}
END_TEST

START_TEST(a_plan_takes_any_number_of_paths)
{
  confine_plan plan = {0};
  for (unsigned int i = 0; i < 1000; i++) {
    confine_plan_read(&plan, room.input);
  }
  ck_assert_uint_eq(plan.num, 1000);
  ck_assert(!plan.failed && !plan.writes);
  expect_path(&plan, 999, room.input, CONFINE_READ);
  confine_plan_free(&plan);
  ck_assert_ptr_null(plan.paths);
}
END_TEST

/* Each allocation fails once: the plan says so, and names no path that was not asked for. */
START_TEST(memory_that_runs_out_fails_the_plan)
{
  char link[PATH_MAX];
  bool worked = false;
  path_in(link, room.folder, "link");
  ck_assert_int_eq(symlink("made/absent", link), 0);
  for (unsigned int n = 1; !worked; n++) {
    confine_plan plan = {0};
    left = n;
    confine_plan_read(&plan, room.input);
    confine_plan_output(&plan, link);
    confine_plan_output(&plan, room.other);
    confine_plan_temporary(&plan);
    const bool held = confine_hold(&plan);
    worked = left > 0;
    left = 0;
    ck_assert_int_eq(plan.failed, !worked);
    ck_assert_uint_le(plan.num, 5);
    ck_assert(!held);
    confine_plan_free(&plan);
  }
  worked = false;
  for (unsigned int n = 1; !worked; n++) {
    confine_plan plan = {0};
    confine_plan_read(&plan, room.input);
    left = n;
    const bool held = confine_hold(&plan);
    worked = left > 0;
    left = 0;
    ck_assert_int_eq(held, worked);
    confine_plan_free(&plan);
  }
  confine_release();
}
END_TEST

/* ---- inputs that are opened first ---- */

static void expect_text(int fd, const char *text) {
  char found[16] = "";
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(read(fd, found, sizeof found - 1), (ssize_t)strlen(text));
  ck_assert_str_eq(found, text);
  ck_assert_int_eq(close(fd), 0);
}

START_TEST(an_input_that_is_held_can_be_read_again)
{
  confine_plan plan = {0};
  confine_plan_read(&plan, room.input);
  confine_plan_read(&plan, "nowhere");
  ck_assert(confine_hold(&plan));
  confine_plan_free(&plan);
  ck_assert_int_eq(unlink(room.input), 0); /* the descriptor is what counts */
  expect_text(confine_open(room.input, 0), "input");
  expect_text(confine_open(room.input, O_NONBLOCK), "input");
  ck_assert_int_eq(confine_open("nowhere", 0), -1);
  ck_assert_int_eq(errno, ENOENT);
  ck_assert_int_eq(confine_open(room.other, 0), -1);
  ck_assert_int_eq(errno, EPERM);
  confine_release();
  expect_text(confine_open(room.other, 0), "other");
}
END_TEST

/* Each operand of that name has the pipe once. A reader of our own lets the writer open it. */
START_TEST(a_pipe_that_is_held_is_handed_out_once)
{
  char fifo[PATH_MAX];
  confine_plan plan = {0};
  path_in(fifo, room.folder, "fifo");
  ck_assert_int_eq(mkfifo(fifo, 0600), 0);
  confine_plan_read(&plan, fifo);
  ck_assert(confine_hold(&plan)); /* and does not wait for a writer */
  confine_plan_free(&plan);
  const int writer = open(fifo, O_WRONLY | O_CLOEXEC);
  ck_assert_int_ge(writer, 0);
  const int reader = confine_open(fifo, 0);
  ck_assert_int_ge(reader, 0);
  ck_assert_int_eq(fcntl(reader, F_GETFL) & O_NONBLOCK, 0);
  ck_assert_int_eq(write(writer, "pipe", 4), 4);
  expect_text(reader, "pipe");
  ck_assert_int_eq(confine_open(fifo, 0), -1);
  ck_assert_int_eq(errno, EPERM);
  ck_assert_int_eq(close(writer), 0);
  confine_release();
}
END_TEST

START_TEST(too_many_inputs_are_not_held)
{
  struct rlimit limit;
  ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = 128;
  ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  confine_plan plan = {0};
  for (unsigned int i = 0; i < 48; i++) {
    confine_plan_read(&plan, room.input);
  }
  ck_assert(confine_hold(&plan));
  confine_plan_read(&plan, room.input);
  ck_assert(!confine_hold(&plan));
  confine_plan_free(&plan);
  expect_text(confine_open(room.other, 0), "other");
}
END_TEST

START_TEST(descriptors_that_run_out_hold_nothing)
{
  int taken[256];
  size_t num = 0;
  struct rlimit limit;
  ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = 100;
  ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  while (num < 256 && (taken[num] = dup(STDERR_FILENO)) >= 0) {
    num++;
  }
  ck_assert_int_eq(close(taken[--num]), 0);
  confine_plan plan = {0};
  confine_plan_read(&plan, room.input);
  confine_plan_read(&plan, room.other);
  ck_assert(!confine_hold(&plan));
  confine_plan_free(&plan);
  expect_text(confine_open(room.other, 0), "other"); /* what was open is closed again */
  while (num > 0) {
    ck_assert_int_eq(close(taken[--num]), 0);
  }
}
END_TEST

START_TEST(a_held_input_is_never_a_standard_stream)
{
  const int before = dup(STDIN_FILENO);
  ck_assert_int_eq(close(STDIN_FILENO), 0);
  confine_plan plan = {0};
  confine_plan_read(&plan, room.input);
  ck_assert(confine_hold(&plan));
  confine_plan_free(&plan);
  ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFD), -1);
  ck_assert_int_gt(confine_open(room.input, 0), STDERR_FILENO);
  ck_assert_int_eq(dup2(before, STDIN_FILENO), STDIN_FILENO);
  confine_release();
}
END_TEST

START_TEST(a_run_that_opens_other_files_holds_nothing)
{
  confine_plan plan = plan_output("report");
  ck_assert(!confine_hold(&plan));
  confine_plan_free(&plan);
  plan = (confine_plan){.by_libc = true};
  ck_assert(!confine_hold(&plan));
  plan = (confine_plan){.failed = true};
  ck_assert(!confine_hold(&plan));
}
END_TEST

/* ---- what a build and a kernel have ---- */

static unsigned int means_abi; /* 0: no Landlock */
static bool means_work;        /* the kernel takes rules and filters */
static bool means_opens;       /* the filter that was asked for permits open */

static unsigned int means_landlock(void) {
  return means_abi;
}

static bool means_landlock_enter(const confine_plan *plan, unsigned int abi) {
  ck_assert(!plan->failed && abi == means_abi);
  return means_work;
}

static bool means_seccomp(void) {
  return true;
}

static bool means_no_seccomp(void) {
  return false;
}

static bool means_seccomp_enter(const confine_plan *plan, bool opens) {
  ck_assert(plan->num > 0);
  means_opens = opens;
  return means_work;
}

/* Enters with one input, and an output if there is to be one. */
static confine_state means_enter(const confine_means *means, bool output) {
  confine_plan plan = {0};
  confine_plan_read(&plan, room.input);
  if (output) {
    confine_plan_output(&plan, room.other);
  }
  const confine_state state = confine_enter_by(means, &plan);
  confine_plan_free(&plan);
  confine_release();
  return state;
}

static void expect_state(const confine_state *state, confine_part landlock, confine_part seccomp,
                         bool held, bool any_files) {
  ck_assert_int_eq(state->landlock, landlock);
  ck_assert_int_eq(state->seccomp, seccomp);
  ck_assert_int_eq(state->held, held);
  ck_assert_int_eq(state->any_files, any_files);
}

START_TEST(open_is_permitted_where_landlock_says_which_files)
{
  const confine_means both = {CONFINE_NOT_BUILT, means_landlock, means_landlock_enter,
                              means_seccomp, means_seccomp_enter};
  means_abi = 3;
  means_work = true;
  confine_state state = means_enter(&both, true);
  expect_state(&state, CONFINE_ON, CONFINE_ON, false, false);
  ck_assert(means_opens);
  means_abi = 0;
  state = means_enter(&both, false);
  expect_state(&state, CONFINE_NO_KERNEL, CONFINE_ON, true, false);
  ck_assert(!means_opens);
  state = means_enter(&both, true);
  expect_state(&state, CONFINE_NO_KERNEL, CONFINE_ON, false, true);
  ck_assert(means_opens);
}
END_TEST

START_TEST(what_is_refused_or_absent_is_left_out)
{
  const confine_means both = {CONFINE_NOT_BUILT, means_landlock, means_landlock_enter,
                              means_seccomp, means_seccomp_enter};
  const confine_means files = {CONFINE_NOT_BUILT, means_landlock, means_landlock_enter,
                               means_no_seccomp, means_seccomp_enter};
  const confine_means none = {.absent = CONFINE_LEFT_OUT};
  means_abi = 1;
  means_work = false;
  confine_state state = means_enter(&both, false);
  expect_state(&state, CONFINE_REFUSED, CONFINE_REFUSED, false, true);
  ck_assert_int_ge(confine_open(room.other, 0), 0); /* nothing is held */
  means_work = true;
  state = means_enter(&files, false);
  expect_state(&state, CONFINE_ON, CONFINE_NO_KERNEL, false, false);
  state = means_enter(&none, false);
  expect_state(&state, CONFINE_LEFT_OUT, CONFINE_LEFT_OUT, false, true);
  const confine_plan failed = {.failed = true};
  state = confine_enter_by(&files, &failed);
  expect_state(&state, CONFINE_REFUSED, CONFINE_NO_KERNEL, false, true);
  state = confine_probe();
  ck_assert_int_eq(state.any_files, state.landlock != CONFINE_ON);
}
END_TEST

/* ---- words ---- */

static void expect_words(const confine_state *state, const char *words) {
  char found[CONFINE_WORDS];
  confine_words(state, found);
  ck_assert_str_eq(found, words);
}

START_TEST(words_say_what_is_in_force)
{
  confine_state state = {.landlock = CONFINE_ON, .abi = 7, .seccomp = CONFINE_ON};
  expect_words(&state, "Landlock ABI 7, seccomp");
  ck_assert(confine_holds(&state));
  state.seccomp = CONFINE_NOT_BUILT;
  expect_words(&state, "Landlock ABI 7, no seccomp (not in this build)");
  state = (confine_state){.landlock = CONFINE_NO_KERNEL, .seccomp = CONFINE_ON, .held = true};
  expect_words(&state, "no Landlock (not in this kernel), seccomp, all inputs opened before");
  state =
      (confine_state){.landlock = CONFINE_REFUSED, .seccomp = CONFINE_NO_KERNEL, .any_files = true};
  expect_words(&state, "no Landlock (it could not be set up), no seccomp (not in this kernel)");
  ck_assert(!confine_holds(&state));
  state = (confine_state){.landlock = CONFINE_LEFT_OUT, .seccomp = CONFINE_LEFT_OUT};
  expect_words(&state, "none (left out of builds with sanitizers or coverage)");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("confine-plan");
  TCase *tests = tcase_create("confine-plan");
  tcase_add_checked_fixture(tests, confine_room_make, confine_room_remove);
  tcase_add_test(tests, an_output_gives_its_folder);
  tcase_add_test(tests, an_output_gives_the_folder_where_its_links_end);
  tcase_add_test(tests, a_device_is_written_to_and_nothing_made);
  tcase_add_test(tests, a_plan_takes_any_number_of_paths);
  tcase_add_test(tests, memory_that_runs_out_fails_the_plan);
  tcase_add_test(tests, an_input_that_is_held_can_be_read_again);
  tcase_add_test(tests, a_pipe_that_is_held_is_handed_out_once);
  tcase_add_test(tests, too_many_inputs_are_not_held);
  tcase_add_test(tests, descriptors_that_run_out_hold_nothing);
  tcase_add_test(tests, a_held_input_is_never_a_standard_stream);
  tcase_add_test(tests, a_run_that_opens_other_files_holds_nothing);
  tcase_add_test(tests, open_is_permitted_where_landlock_says_which_files);
  tcase_add_test(tests, what_is_refused_or_absent_is_left_out);
  tcase_add_test(tests, words_say_what_is_in_force);
  suite_add_tcase(suite, tests);
  return check_run(suite);
}
