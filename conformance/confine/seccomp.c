/* SPDX-License-Identifier: BSD-2-Clause */
/* seccomp: the system calls that remain; all others fail with EPERM. */
#define _GNU_SOURCE /* CLONE_THREAD */

#include "confine_priv.h"

#include <asm/termbits.h> /* TCGETS2 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The need of a run for which a system call is allowed. */
typedef enum seccomp_need {
  SECCOMP_ALWAYS = 0,
  SECCOMP_OPENS,  /* the run may open files */
  SECCOMP_WRITES, /* the run makes files */
  SECCOMP_THREADS,
  SECCOMP_CAPTURES, /* the run reads packets of an interface */
  SECCOMP_CONNECTS, /* the run opens TCP connections */
  SECCOMP_NEEDS
} seccomp_need;

/* One call, and the value that some bits of an argument must have. */
typedef struct seccomp_call {
  const char *name;
  seccomp_need need;
  unsigned int argument;
  uint64_t bits; /* 0: all arguments are permitted */
  uint64_t value;
} seccomp_call;

#define SECCOMP_CALL(text, when)                                                                   \
  { .name = (text), .need = (when) }
#define SECCOMP_IF(text, when, index, mask, bits)                                                  \
  { (text), (when), (index), (mask), (bits) }

#define SECCOMP_FCNTL(command)                                                                     \
  SECCOMP_IF("fcntl", SECCOMP_ALWAYS, 1, UINT32_MAX, (command)),                                   \
      SECCOMP_IF("fcntl64", SECCOMP_ALWAYS, 1, UINT32_MAX, (command))

/* The bits of a mode that let a program run as its owner. */
#define SECCOMP_SET_ID 07000u

/* Threads of this process only: all that clone shares for a thread, and no namespace of its own. */
#define SECCOMP_THREAD (CLONE_VM | CLONE_SIGHAND | CLONE_THREAD)
#define SECCOMP_SPACES                                                                             \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |    \
   CLONE_NEWNET)
#define SECCOMP_OF_CLONE (SECCOMP_THREAD | SECCOMP_SPACES)

/* On s390 the flags of clone are the second argument, and mmap gets its arguments in memory. */
#ifdef __s390__
#define SECCOMP_CLONE_FLAGS 1
#define SECCOMP_MMAP SECCOMP_CALL("mmap", SECCOMP_ALWAYS)
#else
#define SECCOMP_CLONE_FLAGS 0
#define SECCOMP_MMAP SECCOMP_IF("mmap", SECCOMP_ALWAYS, 2, PROT_EXEC, 0)
#endif

/* A name that a machine or libseccomp does not know is left out. */
static const seccomp_call seccomp_calls[] = {
    /* Descriptors that are open. */
    SECCOMP_CALL("read", SECCOMP_ALWAYS),
    SECCOMP_CALL("readv", SECCOMP_ALWAYS),
    SECCOMP_CALL("pread64", SECCOMP_ALWAYS),
    SECCOMP_CALL("write", SECCOMP_ALWAYS),
    SECCOMP_CALL("writev", SECCOMP_ALWAYS),
    SECCOMP_CALL("pwrite64", SECCOMP_ALWAYS),
    SECCOMP_CALL("lseek", SECCOMP_ALWAYS),
    SECCOMP_CALL("_llseek", SECCOMP_ALWAYS),
    SECCOMP_CALL("close", SECCOMP_ALWAYS),
    SECCOMP_CALL("poll", SECCOMP_ALWAYS),
    SECCOMP_CALL("ppoll", SECCOMP_ALWAYS),
    SECCOMP_CALL("ppoll_time64", SECCOMP_ALWAYS),
    /* Flags and copies of descriptors; no owner and no signal for what happens on them. */
    SECCOMP_FCNTL(F_DUPFD),
    SECCOMP_FCNTL(F_DUPFD_CLOEXEC),
    SECCOMP_FCNTL(F_GETFD),
    SECCOMP_FCNTL(F_SETFD),
    SECCOMP_FCNTL(F_GETFL),
    SECCOMP_FCNTL(F_SETFL),
    SECCOMP_CALL("ftruncate", SECCOMP_ALWAYS),
    SECCOMP_CALL("ftruncate64", SECCOMP_ALWAYS),
    SECCOMP_CALL("fstat", SECCOMP_ALWAYS),
    SECCOMP_CALL("fstat64", SECCOMP_ALWAYS),
    SECCOMP_IF("ioctl", SECCOMP_ALWAYS, 1, UINT32_MAX, TCGETS),
#ifdef TCGETS2
    SECCOMP_IF("ioctl", SECCOMP_ALWAYS, 1, UINT32_MAX, TCGETS2),
#endif
    SECCOMP_IF("ioctl", SECCOMP_ALWAYS, 1, UINT32_MAX, TIOCGWINSZ),
    /* The attributes of a path, but not its contents. */
    SECCOMP_CALL("stat", SECCOMP_ALWAYS),
    SECCOMP_CALL("stat64", SECCOMP_ALWAYS),
    SECCOMP_CALL("lstat", SECCOMP_ALWAYS),
    SECCOMP_CALL("lstat64", SECCOMP_ALWAYS),
    SECCOMP_CALL("statx", SECCOMP_ALWAYS),
    SECCOMP_CALL("newfstatat", SECCOMP_ALWAYS),
    SECCOMP_CALL("fstatat64", SECCOMP_ALWAYS),
    /* Memory, which never becomes code. */
    SECCOMP_CALL("brk", SECCOMP_ALWAYS),
    SECCOMP_MMAP,
    SECCOMP_IF("mmap2", SECCOMP_ALWAYS, 2, PROT_EXEC, 0),
    SECCOMP_IF("mprotect", SECCOMP_ALWAYS, 2, PROT_EXEC, 0),
    SECCOMP_CALL("mremap", SECCOMP_ALWAYS),
    SECCOMP_CALL("munmap", SECCOMP_ALWAYS),
    SECCOMP_CALL("madvise", SECCOMP_ALWAYS),
    /* The process itself. */
    SECCOMP_CALL("exit", SECCOMP_ALWAYS),
    SECCOMP_CALL("exit_group", SECCOMP_ALWAYS),
    SECCOMP_CALL("futex", SECCOMP_ALWAYS),
    SECCOMP_CALL("futex_time64", SECCOMP_ALWAYS),
    SECCOMP_CALL("geteuid", SECCOMP_ALWAYS),
    SECCOMP_CALL("geteuid32", SECCOMP_ALWAYS),
    SECCOMP_CALL("getpid", SECCOMP_ALWAYS),
    SECCOMP_CALL("gettid", SECCOMP_ALWAYS),
    SECCOMP_CALL("getrandom", SECCOMP_ALWAYS),
    SECCOMP_CALL("restart_syscall", SECCOMP_ALWAYS),
    SECCOMP_CALL("rt_sigaction", SECCOMP_ALWAYS),
    SECCOMP_CALL("rt_sigprocmask", SECCOMP_ALWAYS),
    SECCOMP_CALL("rt_sigreturn", SECCOMP_ALWAYS),
    SECCOMP_CALL("sigreturn", SECCOMP_ALWAYS),
    SECCOMP_CALL("sched_getaffinity", SECCOMP_ALWAYS),
    SECCOMP_CALL("sched_yield", SECCOMP_ALWAYS),
    SECCOMP_CALL("sysinfo", SECCOMP_ALWAYS), /* qsort asks how much memory there is */
    /* The time, where the kernel does not map it into the process. */
    SECCOMP_CALL("clock_gettime", SECCOMP_ALWAYS),
    SECCOMP_CALL("clock_gettime64", SECCOMP_ALWAYS),
    SECCOMP_CALL("gettimeofday", SECCOMP_ALWAYS),
    /* Landlock says which files. */
    SECCOMP_IF("open", SECCOMP_OPENS, 2, SECCOMP_SET_ID, 0),
    SECCOMP_IF("openat", SECCOMP_OPENS, 3, SECCOMP_SET_ID, 0),
    SECCOMP_CALL("readlink", SECCOMP_OPENS),
    SECCOMP_CALL("readlinkat", SECCOMP_OPENS),
    SECCOMP_CALL("getcwd", SECCOMP_OPENS),
    SECCOMP_CALL("access", SECCOMP_WRITES),
    SECCOMP_CALL("faccessat", SECCOMP_WRITES),
    SECCOMP_CALL("faccessat2", SECCOMP_WRITES),
    SECCOMP_IF("fchmod", SECCOMP_WRITES, 1, SECCOMP_SET_ID, 0),
    SECCOMP_CALL("fchown", SECCOMP_WRITES),
    SECCOMP_CALL("fchown32", SECCOMP_WRITES),
    SECCOMP_CALL("fsync", SECCOMP_WRITES),
    SECCOMP_CALL("fdatasync", SECCOMP_WRITES),
    SECCOMP_CALL("rename", SECCOMP_WRITES),
    SECCOMP_CALL("renameat", SECCOMP_WRITES),
    SECCOMP_CALL("renameat2", SECCOMP_WRITES),
    SECCOMP_CALL("unlink", SECCOMP_WRITES),
    SECCOMP_CALL("unlinkat", SECCOMP_WRITES),
    SECCOMP_CALL("umask", SECCOMP_WRITES),
    /* Packets of a socket that is open, and how many were lost. */
    SECCOMP_CALL("recvfrom", SECCOMP_CAPTURES),
    SECCOMP_CALL("recvmsg", SECCOMP_CAPTURES),
    SECCOMP_CALL("getsockopt", SECCOMP_CAPTURES),
    /* TCP connections of IPv4 and IPv6: seccomp_sockets has socket itself. */
    SECCOMP_CALL("connect", SECCOMP_CONNECTS),
    SECCOMP_CALL("getsockname", SECCOMP_CONNECTS),
    SECCOMP_CALL("getsockopt", SECCOMP_CONNECTS),
    SECCOMP_CALL("setsockopt", SECCOMP_CONNECTS),
    SECCOMP_CALL("sendmsg", SECCOMP_CONNECTS),
    SECCOMP_CALL("recvfrom", SECCOMP_CONNECTS),
    SECCOMP_CALL("recv", SECCOMP_CONNECTS),
    SECCOMP_CALL("shutdown", SECCOMP_CONNECTS),
    SECCOMP_IF("ioctl", SECCOMP_CONNECTS, 1, UINT32_MAX, SIOCOUTQ),
    /* Threads. */
    SECCOMP_IF("clone", SECCOMP_THREADS, SECCOMP_CLONE_FLAGS, SECCOMP_OF_CLONE, SECCOMP_THREAD),
    SECCOMP_CALL("rseq", SECCOMP_THREADS),
    SECCOMP_CALL("set_robust_list", SECCOMP_THREADS),
};

bool confine_seccomp_known(void) {
  return prctl(PR_GET_SECCOMP, 0L, 0L, 0L, 0L) >= 0;
}

/* False: libseccomp has an error other than a name that this machine does not know. */
static bool seccomp_permit(scmp_filter_ctx filter, const seccomp_call *call) {
  const int number = seccomp_syscall_resolve_name(call->name);
  const struct scmp_arg_cmp argument = {call->argument, SCMP_CMP_MASKED_EQ, call->bits,
                                        call->value};
  return number == __NR_SCMP_ERROR ||
         seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, call->bits != 0 ? 1 : 0,
                                &argument) == 0;
}

/* The arguments of clone3 are in memory, where no filter sees them; without it the C library uses
 * clone. The signal of an assertion that failed goes to this process. */
static bool seccomp_special(scmp_filter_ctx filter) {
  const int clone3 = seccomp_syscall_resolve_name("clone3");
  const seccomp_call own = SECCOMP_IF("tgkill", SECCOMP_ALWAYS, 0, UINT32_MAX, (uint64_t)getpid());
  return (clone3 == __NR_SCMP_ERROR ||
          seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), clone3, 0) == 0) &&
         seccomp_permit(filter, &own);
}

/* Sockets of TCP alone. */
static bool seccomp_sockets(scmp_filter_ctx filter) {
  static const scmp_datum_t families[] = {AF_INET, AF_INET6};
  const int number = seccomp_syscall_resolve_name("socket");
  bool good = true;
  for (size_t i = 0; good && number != __NR_SCMP_ERROR && i < 2; i++) {
    const struct scmp_arg_cmp arguments[] = {{0, SCMP_CMP_EQ, families[i], 0},
                                             {1, SCMP_CMP_EQ, SOCK_STREAM, 0},
                                             {2, SCMP_CMP_EQ, IPPROTO_TCP, 0}};
    good = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 3, arguments) == 0;
  }
  return good;
}

/* No call kills, not even one of another machine's numbers. Mitigations of speculation would cost
 * time without effect, because the process shares its memory with no other process. */
static bool seccomp_attributes(scmp_filter_ctx filter) {
  (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
  (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  return seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)) == 0;
}

static bool seccomp_load_filter(scmp_filter_ctx filter, const bool needs[SECCOMP_NEEDS]) {
  bool good = seccomp_attributes(filter) && seccomp_special(filter) &&
              (!needs[SECCOMP_CONNECTS] || seccomp_sockets(filter));
  for (size_t i = 0; good && i < sizeof seccomp_calls / sizeof seccomp_calls[0]; i++) {
    good = !needs[seccomp_calls[i].need] || seccomp_permit(filter, &seccomp_calls[i]);
  }
  return good && seccomp_load(filter) == 0;
}

bool confine_seccomp_enter(const confine_plan *plan, bool opens) {
  const bool needs[SECCOMP_NEEDS] = {[SECCOMP_ALWAYS] = true,
                                     [SECCOMP_OPENS] = opens,
                                     [SECCOMP_WRITES] = opens && plan->writes,
                                     [SECCOMP_THREADS] = plan->threads,
                                     [SECCOMP_CAPTURES] = plan->captures,
                                     [SECCOMP_CONNECTS] = plan->connects != 0};
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (filter == NULL) {
    return false;
  }
  const bool entered = seccomp_load_filter(filter, needs);
  seccomp_release(filter);
  return entered;
}
