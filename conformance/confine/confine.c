/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts in force what this build and the kernel have, and says what that is. */
#include "confine_priv.h"

#include <stdio.h>

#ifdef CONFINE_WITH_NOTHING
#define CONFINE_ABSENT CONFINE_LEFT_OUT
#else
#define CONFINE_ABSENT CONFINE_NOT_BUILT
#endif

const confine_means confine_here = {
    .absent = CONFINE_ABSENT,
#ifdef CONFINE_WITH_LANDLOCK
    .landlock_abi = confine_landlock_abi,
    .landlock_enter = confine_landlock_enter,
#endif
#ifdef CONFINE_WITH_SECCOMP
    .seccomp_known = confine_seccomp_known,
    .seccomp_enter = confine_seccomp_enter,
#endif
};

confine_state confine_probe_by(const confine_means *means) {
  confine_state state = {.landlock = means->absent, .seccomp = means->absent};
  if (means->landlock_abi != NULL) {
    state.abi = means->landlock_abi();
    state.landlock = state.abi > 0 ? CONFINE_ON : CONFINE_NO_KERNEL;
  }
  if (means->seccomp_known != NULL) {
    state.seccomp = means->seccomp_known() ? CONFINE_ON : CONFINE_NO_KERNEL;
  }
  state.any_files = state.landlock != CONFINE_ON;
  return state;
}

confine_state confine_enter_by(const confine_means *means, const confine_plan *plan) {
  confine_state state = confine_probe_by(means);
  if (state.landlock == CONFINE_ON && (plan->failed || !means->landlock_enter(plan, state.abi))) {
    state.landlock = CONFINE_REFUSED;
  }
  const bool files_limited = state.landlock == CONFINE_ON;
  if (state.seccomp == CONFINE_ON) {
    state.held = !files_limited && confine_hold(plan);
    if (!means->seccomp_enter(plan, !state.held)) {
      confine_release();
      state.held = false;
      state.seccomp = CONFINE_REFUSED;
    }
  }
  state.any_files = !files_limited && !state.held;
  return state;
}

confine_state confine_probe(void) {
  return confine_probe_by(&confine_here);
}

confine_state confine_enter(const confine_plan *plan) {
  return confine_enter_by(&confine_here, plan);
}

bool confine_holds(const confine_state *state) {
  return !state->any_files;
}

static const char *const confine_reasons[] = {[CONFINE_ON] = "",
                                              [CONFINE_NOT_BUILT] = "not in this build",
                                              [CONFINE_LEFT_OUT] =
                                                  "left out of builds with sanitizers or coverage",
                                              [CONFINE_NO_KERNEL] = "not in this kernel",
                                              [CONFINE_REFUSED] = "it could not be set up"};

#define CONFINE_HALF (CONFINE_WORDS / 3) /* octets for the words of one mechanism */

/* One mechanism: its name where it is in force, or why it is not. */
static void confine_half(char out[CONFINE_HALF], const char *name, confine_part part) {
  if (part == CONFINE_ON) {
    (void)snprintf(out, CONFINE_HALF, "%s", name);
  } else {
    (void)snprintf(out, CONFINE_HALF, "no %s (%s)", name, confine_reasons[part]);
  }
}

void confine_words(const confine_state *state, char out[CONFINE_WORDS]) {
  char landlock[CONFINE_HALF];
  char seccomp[CONFINE_HALF];
  char version[CONFINE_HALF] = "";
  if (state->landlock == state->seccomp && state->seccomp != CONFINE_ON) {
    (void)snprintf(out, CONFINE_WORDS, "none (%s)", confine_reasons[state->seccomp]);
    return;
  }
  if (state->landlock == CONFINE_ON) {
    (void)snprintf(version, sizeof version, " ABI %u", state->abi);
  }
  confine_half(landlock, "Landlock", state->landlock);
  confine_half(seccomp, "seccomp", state->seccomp);
  (void)snprintf(out, CONFINE_WORDS, "%s%s, %s%s", landlock, version, seccomp,
                 state->held ? ", all inputs opened before" : "");
}
