/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that the files of this folder share. */
#ifndef CONFINE_PRIV_H
#define CONFINE_PRIV_H

#include <confine/confine.h>

/** confine_landlock_abi returns the version of Landlock's interface; 0: the kernel has none. */
unsigned int confine_landlock_abi(void);

/** confine_landlock_enter restricts files, TCP and signals to the plan; false: nothing changed. */
bool confine_landlock_enter(const confine_plan *plan, unsigned int abi);

/** confine_seccomp_known says whether the kernel has filters of system calls. */
bool confine_seccomp_known(void);

/** confine_seccomp_enter restricts the system calls; `opens`: those that open files are among the
 * permitted ones. False: nothing changed. */
bool confine_seccomp_enter(const confine_plan *plan, bool opens);

/** confine_hold opens all inputs of the plan for confine_open; false: none is open, because the
 * run opens other files as well or because there are too many. */
bool confine_hold(const confine_plan *plan);

/** confine_release closes what confine_hold opened. */
void confine_release(void);

/** confine_means is what a build has. A mechanism that it does not have is NULL. */
typedef struct confine_means {
  confine_part absent; /* the reason for that */
  unsigned int (*landlock_abi)(void);
  bool (*landlock_enter)(const confine_plan *plan, unsigned int abi);
  bool (*seccomp_known)(void);
  bool (*seccomp_enter)(const confine_plan *plan, bool opens);
} confine_means;

/** confine_here is what this build has. */
extern const confine_means confine_here;

/** confine_probe_by is confine_probe with other means. */
confine_state confine_probe_by(const confine_means *means);

/** confine_enter_by is confine_enter with other means. */
confine_state confine_enter_by(const confine_means *means, const confine_plan *plan);

#endif
