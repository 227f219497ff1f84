/* SPDX-License-Identifier: BSD-2-Clause */
/* Gives up the rights of root. */
#define _GNU_SOURCE /* setresuid, setgroups */

#include <confine/confine.h>

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/syscall.h>
#endif

#define DROP_USER                                                                                  \
  "no"                                                                                             \
  "body"
#define DROP_ID 65534u /* user and group id where no such user is known */

/* A user that the process may become. */
typedef struct drop_user {
  uid_t uid;
  gid_t gid;
  const struct passwd *entry; /* may be NULL */
} drop_user;

/* A number that sudo left in the environment; 0: there is no number, or it is root's. */
static unsigned long drop_number(const char *name) {
  const char *text = getenv(name);
  char *end = NULL;
  if (text == NULL || text[0] < '0' || text[0] > '9') {
    return 0;
  }
  errno = 0;
  const unsigned long n = strtoul(text, &end, 10);
  return errno == 0 && *end == 0 && n < UINT32_MAX ? n : 0;
}

/* Who called sudo, or else the user without rights. */
static drop_user drop_to(void) {
  const unsigned long uid = drop_number("SUDO_UID");
  const unsigned long gid = drop_number("SUDO_GID");
  if (uid != 0 && gid != 0) {
    return (drop_user){(uid_t)uid, (gid_t)gid, getpwuid((uid_t)uid)};
  }
  const struct passwd *entry = getpwnam(DROP_USER);
  return entry != NULL && entry->pw_uid != 0 ? (drop_user){entry->pw_uid, entry->pw_gid, NULL}
                                             : (drop_user){DROP_ID, DROP_ID, NULL};
}

/* Capabilities may be there without being root, and in a user namespace of one user. */
static bool drop_capabilities(void) {
#ifdef __linux__
  struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
  const struct __user_cap_data_struct none[2] = {{0}, {0}};
  return syscall(SYS_capset, &head, none) == 0;
#else
  return true;
#endif
}

/* False: errno says why; EINVAL: the user does not exist in this user namespace. */
static bool drop_become(const drop_user *to) {
  const bool groups = to->entry != NULL ? initgroups(to->entry->pw_name, to->gid) == 0
                                        : setgroups(1, &to->gid) == 0;
  const int error = errno;
  if (setresgid(to->gid, to->gid, to->gid) != 0 || setresuid(to->uid, to->uid, to->uid) != 0) {
    return false;
  }
  errno = error;
  return groups;
}

bool confine_drop(void) {
  if (geteuid() != 0 && getuid() != 0) {
    return drop_capabilities();
  }
  const drop_user to = drop_to();
  if (!drop_become(&to)) {
    return errno == EINVAL && drop_capabilities();
  }
  const bool back = setresuid(0, 0, 0) == 0;
  return !back && drop_capabilities();
}
