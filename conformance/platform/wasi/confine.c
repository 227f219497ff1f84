/* SPDX-License-Identifier: BSD-2-Clause */
/* A WebAssembly module reaches what its host hands to it and nothing else, so there is nothing to
 * confine. */
#include <confine/confine.h>

#include <fcntl.h>
#include <stdio.h>

void confine_plan_read(confine_plan *plan, const char *path) {
  (void)plan;
  (void)path;
}

void confine_plan_output(confine_plan *plan, const char *path) {
  (void)plan;
  (void)path;
}

void confine_plan_folder(confine_plan *plan, const char *path) {
  (void)plan;
  (void)path;
}

void confine_plan_temporary(confine_plan *plan) {
  (void)plan;
}

void confine_plan_free(confine_plan *plan) {
  *plan = (confine_plan){0};
}

confine_state confine_probe(void) {
  return (confine_state){.landlock = CONFINE_NOT_BUILT, .seccomp = CONFINE_NOT_BUILT};
}

confine_state confine_enter(const confine_plan *plan) {
  (void)plan;
  return confine_probe();
}

int confine_open(const char *path, int flags) {
  return open(path, O_RDONLY | flags);
}

bool confine_drop(void) {
  return true;
}

int confine_move_up(int fd) {
  return fd;
}

void confine_words(const confine_state *state, char out[CONFINE_WORDS]) {
  (void)state;
  (void)snprintf(out, CONFINE_WORDS, "WebAssembly");
}

bool confine_holds(const confine_state *state) {
  return !state->any_files;
}
