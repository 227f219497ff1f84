/* SPDX-License-Identifier: BSD-2-Clause */
/* Landlock: which files can be opened and made; no TCP, no signals and sockets to the outside. */
#define _GNU_SOURCE /* O_PATH, syscall */

#include "confine_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The numbers are the same on all machines; the headers may be older than the kernel. */
#define LANDLOCK_SYS_CREATE 444
#define LANDLOCK_SYS_ADD 445
#define LANDLOCK_SYS_RESTRICT 446

#define LANDLOCK_NEWEST 7u /* the newest interface whose rights are known here */

/* Rights that headers of Linux 6.1 do not have. */
#define LANDLOCK_FS_TRUNCATE (UINT64_C(1) << 14)
#define LANDLOCK_FS_IOCTL_DEV (UINT64_C(1) << 15)
#define LANDLOCK_NET_TCP (UINT64_C(3) << 0)       /* bind and connect */
#define LANDLOCK_NET_CONNECT (UINT64_C(1) << 1)   /* connect alone */
#define LANDLOCK_NET_RULE 2                       /* a rule about a port */
#define LANDLOCK_SCOPE_OUTSIDE (UINT64_C(3) << 0) /* abstract UNIX sockets and signals */

/* All rights to files of the first interface. */
#define LANDLOCK_FS_FIRST ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

/* struct landlock_ruleset_attr as the newest interface has it. */
typedef struct landlock_ruleset {
  uint64_t fs;
  uint64_t net;
  uint64_t scoped;
} landlock_ruleset;

/* struct landlock_net_port_attr. */
typedef struct landlock_port {
  uint64_t allowed;
  uint64_t port;
} landlock_port;

/* The rights that each version of the interface adds. */
static const landlock_ruleset landlock_added[LANDLOCK_NEWEST + 1] = {
    [1] = {.fs = LANDLOCK_FS_FIRST},     [2] = {.fs = LANDLOCK_ACCESS_FS_REFER},
    [3] = {.fs = LANDLOCK_FS_TRUNCATE},  [4] = {.net = LANDLOCK_NET_TCP},
    [5] = {.fs = LANDLOCK_FS_IOCTL_DEV}, [6] = {.scoped = LANDLOCK_SCOPE_OUTSIDE}};

#define LANDLOCK_FS_WRITING (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_FS_TRUNCATE)
#define LANDLOCK_FS_MAKING                                                                         \
  (LANDLOCK_FS_WRITING | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)

/* A plan's right in Landlock's terms. A folder given as an input is opened and then refused. */
static const uint64_t landlock_rights[CONFINE_RIGHTS] = {
    [CONFINE_READ] = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    [CONFINE_WRITE] = LANDLOCK_FS_WRITING,
    [CONFINE_MAKE] = LANDLOCK_FS_MAKING,
    [CONFINE_TEMPORARY] = LANDLOCK_FS_MAKING | LANDLOCK_ACCESS_FS_READ_FILE};

/* Rights to a file that is no folder; others are an error there. */
#define LANDLOCK_FS_OF_FILE (LANDLOCK_FS_WRITING | LANDLOCK_ACCESS_FS_READ_FILE)

unsigned int confine_landlock_abi(void) {
  const long abi = syscall(LANDLOCK_SYS_CREATE, NULL, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi > 0 ? (unsigned int)abi : 0;
}

/* All rights that the kernel and this file know are taken away unless a rule gives them. */
static landlock_ruleset landlock_handled(unsigned int abi) {
  landlock_ruleset all = {0};
  for (unsigned int i = 1; i <= abi && i <= LANDLOCK_NEWEST; i++) {
    all.fs |= landlock_added[i].fs;
    all.net |= landlock_added[i].net;
    all.scoped |= landlock_added[i].scoped;
  }
  return all;
}

/* Keeps the rights that a path can have. A folder that is an input shows its names only. */
static uint64_t landlock_fitting(const confine_path *path, const struct stat *st) {
  const uint64_t rights = landlock_rights[path->right];
  if (!S_ISDIR(st->st_mode)) {
    return rights & LANDLOCK_FS_OF_FILE;
  }
  return path->right == CONFINE_READ ? LANDLOCK_ACCESS_FS_READ_DIR : rights;
}

/* Adds one path. Files without a name, such as pipes, need no rule: EBADFD. */
static bool landlock_add(int ruleset, uint64_t handled, const confine_path *path) {
  struct stat st;
  const int fd = open(path->path, O_PATH | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &st) != 0) {
    const bool absent = errno != EMFILE && errno != ENFILE && errno != ENOMEM;
    if (fd >= 0) {
      (void)close(fd);
    }
    return absent; /* the command finds the same error */
  }
  const struct landlock_path_beneath_attr rule = {
      .allowed_access = landlock_fitting(path, &st) & handled, .parent_fd = fd};
  const bool added =
      syscall(LANDLOCK_SYS_ADD, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0u) == 0 ||
      errno == EBADFD;
  (void)close(fd);
  return added;
}

static bool landlock_add_all(int ruleset, uint64_t handled, const confine_plan *plan) {
  bool added = true;
  for (size_t i = 0; added && i < plan->num; i++) {
    added = landlock_add(ruleset, handled, &plan->paths[i]);
  }
  return added;
}

/* The one port that the plan connects to, on any host. */
static bool landlock_add_port(int ruleset, uint64_t handled, const confine_plan *plan) {
  const landlock_port rule = {.allowed = LANDLOCK_NET_CONNECT, .port = plan->connects};
  return plan->connects == 0 || (handled & LANDLOCK_NET_CONNECT) == 0 ||
         syscall(LANDLOCK_SYS_ADD, ruleset, LANDLOCK_NET_RULE, &rule, 0u) == 0;
}

bool confine_landlock_enter(const confine_plan *plan, unsigned int abi) {
  const landlock_ruleset handled = landlock_handled(abi);
  const int ruleset = (int)syscall(LANDLOCK_SYS_CREATE, &handled, sizeof handled, 0u);
  if (ruleset < 0) {
    return false;
  }
  const bool entered = landlock_add_all(ruleset, handled.fs, plan) &&
                       landlock_add_port(ruleset, handled.net, plan) &&
                       prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0 &&
                       syscall(LANDLOCK_SYS_RESTRICT, ruleset, 0u) == 0;
  (void)close(ruleset);
  return entered;
}
