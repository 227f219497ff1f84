/* SPDX-License-Identifier: BSD-2-Clause */
/* confine: what a confined process can do and what fails. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_run.h"
#include "confine/confine_priv.h"
#include "confine_room.h"

/* The error of a call that must not work; 0: it worked. */
static int error_of(bool worked) {
  return worked ? 0 : errno;
}

static int open_error(const char *path, int flags) {
  const int fd = open(path, flags | O_CLOEXEC, 0600);
  const int error = error_of(fd >= 0);
  if (fd >= 0) {
    (void)close(fd);
  }
  return error;
}

static int exec_error(void) {
  char *const words[] = {(char[]){"true"}, NULL};
  (void)execv("/bin/true", words);
  return errno;
}

static int fork_error(void) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(0);
  }
  const int error = error_of(child > 0);
  if (child > 0) {
    (void)waitpid(child, NULL, 0);
  }
  return error;
}

static int connect_error(int fd) {
  const struct sockaddr_in to = {
      .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  return error_of(connect(fd, (const struct sockaddr *)&to, sizeof to) == 0);
}

static int code_error(void) {
  void *page =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const int error = error_of(page != MAP_FAILED);
  if (page != MAP_FAILED) {
    (void)munmap(page, 4096);
  }
  return error;
}

/* Ends the confined process, in which Check itself does not work. */
static void must(bool good, const char *what, int error) {
  if (!good) {
    (void)fprintf(stderr, "%s: %s\n", what, error != 0 ? strerror(error) : "worked");
    _exit(EXIT_FAILURE);
  }
}

static void works(const char *what, int error) {
  must(error == 0, what, error);
}

/* Landlock answers with EACCES, or with EXDEV where a file would get into another folder. */
static void denied(const char *what, int error) {
  must(error == EACCES || error == EXDEV || error == EPERM, what, error);
}

static void forbidden(const char *what, int error) {
  must(error == EPERM, what, error);
}

/* Runs a test in a process of its own, which it confines. */
static void inside(void (*test)(void)) {
  int status = 0;
  const pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    test();
    exit(EXIT_SUCCESS);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
}

static confine_plan plan_of(bool output) {
  confine_plan plan = {.threads = true};
  confine_plan_read(&plan, room.input);
  if (output) {
    char path[PATH_MAX];
    path_in(path, room.made, "report");
    confine_plan_output(&plan, path);
  }
  return plan;
}

static confine_state enter(bool output) {
  confine_plan plan = plan_of(output);
  const confine_state state = confine_enter(&plan);
  confine_plan_free(&plan);
  return state;
}

static void inside_files(void) {
  char report[PATH_MAX];
  char temporary[PATH_MAX];
  char elsewhere[PATH_MAX];
  path_in(report, room.made, "report");
  path_in(temporary, room.made, "temporary");
  path_in(elsewhere, room.folder, "elsewhere");
  const confine_state state = enter(true);
  must(state.landlock == CONFINE_ON && confine_holds(&state), "Landlock", 0);
  works("the input", open_error(room.input, O_RDONLY));
  denied("another file", open_error(room.other, O_RDONLY));
  denied("an input to write to", open_error(room.input, O_WRONLY));
  denied("a file elsewhere", open_error("/etc/passwd", O_RDONLY));
  denied("a folder", open_error(room.folder, O_RDONLY | O_DIRECTORY));
  denied("a new file elsewhere", open_error(elsewhere, O_WRONLY | O_CREAT));
  works("a new file", open_error(temporary, O_WRONLY | O_CREAT | O_EXCL));
  works("a file that is emptied", open_error(temporary, O_WRONLY | O_TRUNC));
  works("a file that gets its name", error_of(rename(temporary, report) == 0));
  denied("an output to read", open_error(report, O_RDONLY));
  denied("a name elsewhere", error_of(rename(report, elsewhere) == 0));
  denied("an input with another name", error_of(rename(room.input, report) == 0));
  denied("an input that is removed", error_of(unlink(room.input) == 0));
  works("an output that is removed", error_of(unlink(report) == 0));
}

START_TEST(landlock_limits_files)
{
  if (confine_probe().landlock == CONFINE_ON) {
    inside(inside_files);
  }
}
END_TEST

static int tcp; /* a socket that was there before */

/* Landlock without seccomp, each right from the version on that has it. */
static void inside_landlock(void) {
  confine_plan plan = plan_of(false);
  const unsigned int abi = confine_here.landlock_abi();
  must(confine_here.landlock_enter(&plan, abi), "Landlock", errno);
  denied("execve", exec_error());
  denied("truncate", abi >= 3 ? error_of(truncate(room.input, 0) == 0) : EACCES);
  must(abi < 4 || connect_error(tcp) == EACCES, "connect", errno);
  forbidden("kill", abi >= 6 ? error_of(kill(getppid(), 0) == 0) : EPERM);
}

START_TEST(landlock_alone_limits_programs_tcp_and_signals)
{
  tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ck_assert_int_ge(tcp, 0);
  if (confine_probe().landlock == CONFINE_ON) {
    inside(inside_landlock);
  }
  ck_assert_int_eq(close(tcp), 0);
}
END_TEST

static void inside_calls(void) {
  must(enter(false).seccomp == CONFINE_ON, "seccomp", 0);
  forbidden("socket", error_of(socket(AF_INET, SOCK_STREAM, 0) >= 0));
  forbidden("socket of UNIX", error_of(socket(AF_UNIX, SOCK_STREAM, 0) >= 0));
  forbidden("connect", connect_error(tcp));
  forbidden("execve", exec_error());
  forbidden("fork", fork_error());
  forbidden("ptrace", error_of(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0));
  forbidden("an owner of a descriptor", error_of(fcntl(STDOUT_FILENO, F_SETOWN, getppid()) == 0));
  forbidden("a program that runs as its owner", error_of(fchmod(STDOUT_FILENO, 04755) == 0));
  forbidden("kill", error_of(kill(getppid(), 0) == 0));
  forbidden("mmap of code", code_error());
  forbidden("chmod", error_of(chmod(room.input, 0777) == 0));
  forbidden("mkdir", error_of(mkdir(room.input, 0700) == 0));
  forbidden("rename without an output", error_of(rename(room.input, room.other) == 0));
}

START_TEST(seccomp_limits_calls)
{
  tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ck_assert_int_ge(tcp, 0);
  if (confine_probe().seccomp == CONFINE_ON) {
    inside(inside_calls);
  }
  ck_assert_int_eq(close(tcp), 0);
}
END_TEST

static int socket_error(int family, int type, int protocol) {
  const int fd = socket(family, type, protocol);
  const int error = error_of(fd >= 0);
  if (fd >= 0) {
    (void)close(fd);
  }
  return error;
}

/* A plan with a port gives sockets of TCP, and where Landlock knows ports that one alone. */
static void inside_connects(void) {
  const confine_plan plan = {.connects = 9};
  const confine_state state = confine_enter(&plan);
  must(state.seccomp == CONFINE_ON, "seccomp", 0);
  works("a socket of TCP over IPv4", socket_error(AF_INET, SOCK_STREAM, IPPROTO_TCP));
  forbidden("a socket of UDP", socket_error(AF_INET, SOCK_DGRAM, IPPROTO_UDP));
  forbidden("a socket of UNIX", socket_error(AF_UNIX, SOCK_STREAM, 0));
  forbidden("a raw socket", socket_error(AF_INET, SOCK_RAW, IPPROTO_TCP));
  const int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
  const struct sockaddr_in any = {.sin_family = AF_INET};
  const int connected = connect_error(fd);
  must(connected == ECONNREFUSED || connected == 0, "connect", connected);
  forbidden("bind", error_of(bind(fd, (const struct sockaddr *)&any, sizeof any) == 0));
  forbidden("listen", error_of(listen(fd, 1) == 0));
  forbidden("execve", exec_error());
}

/* Another port than the plan's. */
static void inside_another_port(void) {
  const confine_plan plan = {.connects = 10};
  const confine_state state = confine_enter(&plan);
  const int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
  const int connected = connect_error(fd);
  must(state.landlock != CONFINE_ON || state.abi < 4 || connected == EACCES, "connect", connected);
}

START_TEST(a_plan_with_a_port_connects_to_it_alone)
{
  if (confine_probe().seccomp == CONFINE_ON) {
    inside(inside_connects);
    inside(inside_another_port);
  }
}
END_TEST

/* Inputs that are open are all that is left where Landlock does not say which files. */
static void inside_held(void) {
  confine_plan plan = plan_of(false);
  must(confine_hold(&plan) && confine_here.seccomp_enter(&plan, false), "seccomp", 0);
  forbidden("the input by its name", open_error(room.input, O_RDONLY));
  forbidden("another file", open_error(room.other, O_RDONLY));
  must(confine_open(room.input, 0) >= 0, "the input", errno);
  must(confine_open(room.other, 0) < 0, "another file", 0);
}

START_TEST(inputs_that_are_held_are_all_that_can_be_opened)
{
  if (confine_probe().seccomp == CONFINE_ON) {
    inside(inside_held);
  }
}
END_TEST

static void *thread_open(void *ctx) {
  int *errors = ctx;
  errors[0] = open_error(room.other, O_RDONLY);
  errors[1] = error_of(socket(AF_INET, SOCK_STREAM, 0) >= 0);
  return NULL;
}

static void inside_threads(void) {
  int errors[2] = {0, 0};
  pthread_t thread;
  const confine_state state = enter(false);
  works("a thread", pthread_create(&thread, NULL, thread_open, errors));
  works("the end of a thread", pthread_join(thread, NULL));
  if (state.landlock == CONFINE_ON) {
    denied("another file in a thread", errors[0]);
  }
  if (state.seccomp == CONFINE_ON) {
    forbidden("socket in a thread", errors[1]);
  }
}

START_TEST(threads_start_and_are_confined)
{ inside(inside_threads); }
END_TEST

static void inside_one_thread(void) {
  pthread_t thread;
  int errors[2];
  const confine_plan nothing = {0};
  if (confine_enter(&nothing).seccomp == CONFINE_ON) {
    forbidden("a thread", pthread_create(&thread, NULL, thread_open, errors));
  }
}

START_TEST(no_thread_where_the_plan_has_none)
{ inside(inside_one_thread); }
END_TEST

static void inside_without_memory(void) {
  const confine_plan plan = {.failed = true};
  const confine_state state = confine_enter(&plan);
  must(state.landlock != CONFINE_ON && !confine_holds(&state), "Landlock", 0);
  works("another file", open_error(room.other, O_RDONLY));
}

START_TEST(a_plan_without_memory_confines_no_files)
{ inside(inside_without_memory); }
END_TEST

int main(void) {
  Suite *suite = suite_create("confine");
  TCase *tests = tcase_create("confine");
  tcase_add_checked_fixture(tests, confine_room_make, confine_room_remove);
  tcase_add_test(tests, landlock_limits_files);
  tcase_add_test(tests, landlock_alone_limits_programs_tcp_and_signals);
  tcase_add_test(tests, seccomp_limits_calls);
  tcase_add_test(tests, inputs_that_are_held_are_all_that_can_be_opened);
  tcase_add_test(tests, a_plan_with_a_port_connects_to_it_alone);
  tcase_add_test(tests, threads_start_and_are_confined);
  tcase_add_test(tests, no_thread_where_the_plan_has_none);
  tcase_add_test(tests, a_plan_without_memory_confines_no_files);
  suite_add_tcase(suite, tests);
  return check_run(suite);
}
