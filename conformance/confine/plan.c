/* SPDX-License-Identifier: BSD-2-Clause */
/* Collects the paths that a run needs. */
#define _XOPEN_SOURCE 700 /* realpath, readlink */

#include <confine/confine.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLAN_LINKS 40 /* links that the kernel follows in a path */

/* Takes the path over; NULL: memory ran out. */
static void plan_take(confine_plan *plan, char *path, confine_right right) {
  plan->writes = plan->writes || right != CONFINE_READ;
  if (plan->num == plan->cap) {
    const size_t cap = plan->cap > 0 ? plan->cap * 2 : 16;
    confine_path *grown = path != NULL ? realloc(plan->paths, cap * sizeof *grown) : NULL;
    plan->failed = plan->failed || grown == NULL;
    plan->paths = grown != NULL ? grown : plan->paths;
    plan->cap = grown != NULL ? cap : plan->cap;
  }
  plan->failed = plan->failed || path == NULL;
  if (plan->failed) {
    free(path);
    return;
  }
  plan->paths[plan->num++] = (confine_path){.path = path, .right = right};
}

void confine_plan_read(confine_plan *plan, const char *path) {
  plan_take(plan, strdup(path), CONFINE_READ);
}

/* The folder of a path: all before its last slash. */
static char *plan_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash == NULL) {
    return strdup(".");
  }
  return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* Returns the target of a link in a folder; NULL: memory ran out. */
static char *plan_target(const char *path, const char *to) {
  char *folder = plan_folder(path);
  const size_t len = folder != NULL ? strlen(folder) + strlen(to) + 2 : 0;
  char *target = folder != NULL ? malloc(len) : NULL;
  if (target != NULL && to[0] == '/') {
    memcpy(target, to, strlen(to) + 1);
  } else if (target != NULL) {
    (void)snprintf(target, len, "%s/%s", folder, to);
  }
  free(folder);
  return target;
}

/* Follows the links of a path whose last component need not exist; NULL: memory ran out. */
static char *plan_resolved(const char *path) {
  char to[PATH_MAX];
  char *at = strdup(path);
  for (int i = 0; at != NULL && i < PLAN_LINKS; i++) {
    const ssize_t len = readlink(at, to, sizeof to - 1);
    if (len < 0) {
      break;
    }
    to[len] = 0;
    char *target = plan_target(at, to);
    free(at);
    at = target;
  }
  return at;
}

/* The path of a file that exists without links; `path` where the system cannot tell. */
static char *plan_real(const char *path) {
  char *real = realpath(path, NULL);
  return real != NULL || errno == ENOMEM ? real : strdup(path);
}

void confine_plan_output(confine_plan *plan, const char *path) {
  struct stat st;
  const bool exists = stat(path, &st) == 0;
  if (exists && S_ISDIR(st.st_mode)) {
    plan->writes = true; /* the command refuses a folder */
    return;
  }
  if (exists) {
    plan_take(plan, strdup(path), CONFINE_WRITE);
  }
  if (exists && !S_ISREG(st.st_mode)) {
    return;
  }
  char *file = exists ? plan_real(path) : plan_resolved(path);
  plan_take(plan, file != NULL ? plan_folder(file) : NULL, CONFINE_MAKE);
  free(file);
}

void confine_plan_folder(confine_plan *plan, const char *path) {
  plan_take(plan, plan_real(path), CONFINE_MAKE);
}

void confine_plan_temporary(confine_plan *plan) {
  plan_take(plan, strdup(P_tmpdir), CONFINE_TEMPORARY);
}

void confine_plan_free(confine_plan *plan) {
  for (size_t i = 0; i < plan->num; i++) {
    free(plan->paths[i].path);
  }
  free(plan->paths);
  *plan = (confine_plan){0};
}
