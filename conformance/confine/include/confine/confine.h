/* SPDX-License-Identifier: BSD-2-Clause */
/* Confines the process to the files that a run needs, by Landlock and seccomp; knows no captures.
 */
#ifndef CONFINE_CONFINE_H
#define CONFINE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** confine_right says what a run does with a path. */
typedef enum confine_right {
  CONFINE_READ = 0,  /* reads the file */
  CONFINE_WRITE,     /* writes to the file, which exists */
  CONFINE_MAKE,      /* makes, writes, renames and removes files in the folder */
  CONFINE_TEMPORARY, /* makes files in the folder as MAKE does, and reads them again */
  CONFINE_RIGHTS     /* the number of rights */
} confine_right;

/** confine_path is one path of a plan. */
typedef struct confine_path {
  char *path;
  confine_right right;
} confine_path;

/** confine_plan is all that a run needs of the system. All zeros: only files that are open
 * already. */
typedef struct confine_plan {
  confine_path *paths;
  size_t num;
  size_t cap;
  bool writes;       /* the run has outputs or temporary files */
  bool threads;      /* the run starts threads */
  bool captures;     /* the run reads packets of a socket that is open */
  uint16_t connects; /* TCP port to which the run connects; 0: none */
  bool by_libc;      /* the C library opens inputs of the plan itself, such as /etc/services */
  bool failed;       /* memory ran out while the plan was made */
} confine_plan;

/** confine_plan_read adds an input. A file that does not exist is no error. */
void confine_plan_read(confine_plan *plan, const char *path);

/** confine_plan_output adds an output. If it is a regular file or does not exist, files may be made
 * in the folder where its links end. A device, a pipe or a terminal may only be written to. */
void confine_plan_output(confine_plan *plan, const char *path);

/** confine_plan_folder adds a folder in which outputs are made whose names are not known yet. */
void confine_plan_folder(confine_plan *plan, const char *path);

/** confine_plan_temporary adds the folder of tmpfile(). */
void confine_plan_temporary(confine_plan *plan);

/** confine_plan_free gives the memory of a plan back. */
void confine_plan_free(confine_plan *plan);

/** confine_part says whether a mechanism is in force, or why not. */
typedef enum confine_part {
  CONFINE_ON = 0,
  CONFINE_NOT_BUILT, /* this build does not have it */
  CONFINE_LEFT_OUT,  /* a build with sanitizers or coverage has no such part */
  CONFINE_NO_KERNEL, /* the kernel does not have it */
  CONFINE_REFUSED    /* memory or descriptors ran out, or the kernel returned an error */
} confine_part;

/** confine_state is what holds for the process. */
typedef struct confine_state {
  confine_part landlock;
  unsigned int abi; /* version of Landlock's interface; 0: the kernel has none */
  confine_part seccomp;
  bool held;      /* all inputs were opened before, and no file can be opened any more */
  bool any_files; /* files that the plan does not name can be opened */
} confine_state;

/** confine_probe returns what confine_enter would put in force, and changes nothing. */
confine_state confine_probe(void);

/**
 * confine_enter confines the process for the rest of its life, and what it starts. It is called
 * before there are threads. What the kernel does not have is left out, and the state says so.
 */
confine_state confine_enter(const confine_plan *plan);

/**
 * confine_open opens an input for reading as open(2) does, with `flags` O_NONBLOCK or 0. It works
 * as well where no file can be opened any more and `path` is in the plan.
 */
int confine_open(const char *path, int flags);

/** confine_drop gives up the rights of root for good: the process becomes the user who called sudo,
 * or else one without rights. Another user than root loses the capabilities alone, and so does root
 * in a user namespace that has no other user. False: errno says why. */
bool confine_drop(void);

/**
 * confine_move_up takes a descriptor that was just opened. One that has the number of a standard
 * stream becomes a copy with a higher number: a reader of the closed stream would get the file. All
 * others, and -1, stay as they are. -1: errno says why.
 */
int confine_move_up(int fd);

/** Octets that are enough for confine_words. */
#define CONFINE_WORDS 160u

/** confine_words names the mechanisms in force, else the reason: "Landlock ABI 7, seccomp". */
void confine_words(const confine_state *state, char out[CONFINE_WORDS]);

/** confine_holds says whether the process can open only files that the plan names. */
bool confine_holds(const confine_state *state);

#endif
