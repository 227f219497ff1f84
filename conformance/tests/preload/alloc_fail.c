/* SPDX-License-Identifier: BSD-2-Clause */
/* Loaded before a program: runs its main() once for each allocation that is to fail. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * The environment says what to do:
 *
 *   ALLOC_FAIL=from|only   the n-th allocation and all after it fail, or the n-th one alone
 *   ALLOC_DENSE=N          runs for each n up to N, then for ever fewer of them
 *   ALLOC_OUT=FOLDER       run n works in the folder "n" of it, and writes to its files "out" and
 * "err"
 *
 * Run 0 has all of its memory. A line for each run goes to standard output: n, the status as of
 * wait(), and how many allocations failed. The last run is the first one in which none failed.
 *
 * An allocation is a call of malloc, calloc, realloc, posix_memalign, aligned_alloc,
 * pcap_compile or seccomp_load, or the start of a thread. What the dynamic linker and constructors
 * allocate before main() is not counted.
 */

/* Of the C library: dlsym itself allocates. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t num, size_t size);
void *__libc_realloc(void *at, size_t size);
void *__libc_memalign(size_t align, size_t size);

typedef int main_function(int argc, char **argv, char **envp);

static main_function *real_main;
static _Atomic long calls;
static long fail_at; /* 0: nothing fails */
static bool fail_rest;
static _Atomic long *failures; /* shared with the parent */

static bool fails(void) {
  if (fail_at == 0) {
    return false;
  }
  const long n = atomic_fetch_add(&calls, 1) + 1;
  const bool now = n == fail_at || (fail_rest && n > fail_at);
  if (now) {
    atomic_fetch_add(failures, 1);
    errno = ENOMEM;
  }
  return now;
}

void *malloc(size_t size) {
  return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t num, size_t size) {
  return fails() ? NULL : __libc_calloc(num, size);
}

void *realloc(void *at, size_t size) {
  return fails() ? NULL : __libc_realloc(at, size);
}

int posix_memalign(void **at, size_t align, size_t size) {
  *at = fails() ? NULL : __libc_memalign(align, size);
  return *at != NULL ? 0 : ENOMEM;
}

void *aligned_alloc(size_t align, size_t size) {
  return fails() ? NULL : __libc_memalign(align, size);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *ctx) {
  int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NULL;
  *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
  return fails() ? EAGAIN : real(thread, attr, run, ctx);
}

/* libpcap crashes or calls exit() if the scanner of its filters lacks memory, so its allocations in
 * this call are one. */
int pcap_compile(void *pcap, void *program, const char *text, int optimize, uint32_t mask);

int pcap_compile(void *pcap, void *program, const char *text, int optimize, uint32_t mask) {
  int (*real)(void *, void *, const char *, int, uint32_t) = NULL;
  const long at = fail_at;
  *(void **)&real = dlsym(RTLD_NEXT, "pcap_compile");
  if (fails()) {
    return -1;
  }
  fail_at = 0;
  const int result = real(pcap, program, text, optimize, mask);
  fail_at = at;
  return result;
}

/* libseccomp 2.5 repeats this call for ever if memory is missing in it, so its allocations in this
 * call are one. */
int seccomp_load(void *filter);

int seccomp_load(void *filter) {
  int (*real)(void *) = NULL;
  const long at = fail_at;
  *(void **)&real = dlsym(RTLD_NEXT, "seccomp_load");
  if (fails()) {
    return -ENOMEM;
  }
  fail_at = 0;
  const int result = real(filter);
  fail_at = at;
  return result;
}

/* Makes the folder of a run, and works in it. */
static void enter(long n) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%ld", getenv("ALLOC_OUT"), n);
  if (mkdir(path, 0700) != 0 || chdir(path) != 0) {
    _exit(99);
  }
}

static void redirect(int fd, const char *path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0 || dup2(file, fd) < 0) {
    _exit(99);
  }
  close(file);
}

/* Runs the program in a child whose allocation n fails. Returns the status as of wait(). */
static int run(long n, int argc, char **argv, char **envp) {
  int status = 0;
  atomic_store(failures, 0);
  (void)lseek(STDIN_FILENO, 0, SEEK_SET);
  const pid_t child = fork();
  if (child == 0) {
    enter(n);
    redirect(STDOUT_FILENO, "out");
    redirect(STDERR_FILENO, "err");
    unsetenv("LD_PRELOAD");
    fail_at = n;
    status = real_main(argc, argv, envp);
    fail_at = 0;
    exit(status);
  }
  if (child < 0 || waitpid(child, &status, 0) != child) {
    _exit(98);
  }
  dprintf(STDOUT_FILENO, "%ld %d %ld\n", n, status, atomic_load(failures));
  return status;
}

static long step(long n, long dense) {
  return n < dense ? 1 : 1 + (n - dense) / 4;
}

static int run_each(int argc, char **argv, char **envp) {
  const char *mode = getenv("ALLOC_FAIL");
  const char *dense = getenv("ALLOC_DENSE");
  const long all = dense != NULL ? atol(dense) : 0;
  failures =
      mmap(NULL, sizeof *failures, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mode == NULL || failures == MAP_FAILED) {
    return 97;
  }
  fail_rest = strcmp(mode, "from") == 0;
  run(0, argc, argv, envp);
  for (long n = 1; n == 1 || atomic_load(failures) > 0; n += step(n, all)) {
    run(n, argc, argv, envp);
  }
  return 0;
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  int (*real)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
              void *) = NULL;
  *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return real(run_each, argc, argv, init, fini, rtld_fini, stack_end);
}
