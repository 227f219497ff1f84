/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a program as a kernel without Landlock, without seccomp, or without both would:
 * old-kernel landlock|seccomp|both PROGRAM ARGUMENT... */
#define _GNU_SOURCE

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LANDLOCK_FIRST 444
#define LANDLOCK_LAST 446

/* Only the number of a call and the lower half of its first argument are looked at. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FIRST_ARGUMENT offsetof(struct seccomp_data, args)
#else
#define FIRST_ARGUMENT (offsetof(struct seccomp_data, args) + 4)
#endif

#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define ERROR_OF(number) ANSWER(SECCOMP_RET_ERRNO | (number))
#define SKIP_IF(test, value, yes, no) BPF_JUMP(BPF_JMP | (test) | BPF_K, (value), (yes), (no))

/* Without Landlock its calls do not exist. */
static struct sock_filter no_landlock[] = {
    LOAD(offsetof(struct seccomp_data, nr)),
    SKIP_IF(BPF_JGE, LANDLOCK_FIRST, 0, 2),
    SKIP_IF(BPF_JGT, LANDLOCK_LAST, 1, 0),
    ERROR_OF(ENOSYS),
    ANSWER(SECCOMP_RET_ALLOW),
};

/* Without seccomp its call does not exist, and prctl does not know its two actions. */
static struct sock_filter no_seccomp[] = {
    LOAD(offsetof(struct seccomp_data, nr)),
    SKIP_IF(BPF_JEQ, SYS_seccomp, 5, 0),
    SKIP_IF(BPF_JEQ, SYS_prctl, 0, 5),
    LOAD(FIRST_ARGUMENT),
    SKIP_IF(BPF_JEQ, PR_SET_SECCOMP, 1, 0),
    SKIP_IF(BPF_JEQ, PR_GET_SECCOMP, 0, 2),
    ERROR_OF(EINVAL),
    ERROR_OF(ENOSYS),
    ANSWER(SECCOMP_RET_ALLOW),
};

static int take_away(struct sock_filter *filter, size_t len) {
  const struct sock_fprog program = {(unsigned short)len, filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    (void)fputs("old-kernel landlock|seccomp|both PROGRAM ARGUMENT...\n", stderr);
    return 2;
  }
  const int both = strcmp(argv[1], "both") == 0;
  int error = prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L);
  if (error == 0 && (both || strcmp(argv[1], "landlock") == 0)) {
    error = take_away(no_landlock, sizeof no_landlock / sizeof no_landlock[0]);
  }
  if (error == 0 && (both || strcmp(argv[1], "seccomp") == 0)) {
    error = take_away(no_seccomp, sizeof no_seccomp / sizeof no_seccomp[0]);
  }
  if (error != 0) {
    perror("old-kernel");
    return 77;
  }
  (void)execv(argv[2], argv + 2);
  perror(argv[2]);
  return 77;
}
