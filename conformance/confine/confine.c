/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts in force what this build and the kernel have, and says what that is. */
#include "confine_priv.h"

#include <stdio.h>

#ifdef CONFINE_WITH_LANDLOCK
static confine_part confine_landlock(unsigned int *abi) {
  *abi = confine_landlock_abi();
  return *abi > 0 ? CONFINE_ON : CONFINE_NO_KERNEL;
}
#else
bool confine_landlock_enter(const confine_plan *plan, unsigned int abi) {
  (void)plan;
  (void)abi;
  return false;
}

static confine_part confine_landlock(unsigned int *abi) {
  *abi = 0;
  return CONFINE_NOT_BUILT;
}
#endif

#ifdef CONFINE_WITH_SECCOMP
static confine_part confine_seccomp(void) {
  return confine_seccomp_known() ? CONFINE_ON : CONFINE_NO_KERNEL;
}
#else
bool confine_seccomp_enter(const confine_plan *plan, bool opens) {
  (void)plan;
  (void)opens;
  return false;
}

static confine_part confine_seccomp(void) {
  return CONFINE_NOT_BUILT;
}
#endif

confine_state confine_probe(void) {
  confine_state state = {0};
  state.landlock = confine_landlock(&state.abi);
  state.seccomp = confine_seccomp();
  state.any_files = state.landlock != CONFINE_ON;
  return state;
}

confine_state confine_enter(const confine_plan *plan) {
  confine_state state = confine_probe();
  if (state.landlock == CONFINE_ON && (plan->failed || !confine_landlock_enter(plan, state.abi))) {
    state.landlock = CONFINE_REFUSED;
  }
  const bool files_limited = state.landlock == CONFINE_ON;
  if (state.seccomp == CONFINE_ON) {
    state.held = !files_limited && confine_hold(plan);
    if (!confine_seccomp_enter(plan, !state.held)) {
      confine_release();
      state.held = false;
      state.seccomp = CONFINE_REFUSED;
    }
  }
  state.any_files = !files_limited && !state.held;
  return state;
}

bool confine_holds(const confine_state *state) {
  return !state->any_files;
}

static const char *const confine_reasons[] = {[CONFINE_ON] = "",
                                              [CONFINE_NOT_BUILT] = "this build has none",
                                              [CONFINE_NO_KERNEL] = "the kernel has none",
                                              [CONFINE_REFUSED] = "it could not be set up"};

void confine_words(const confine_state *state, char out[CONFINE_WORDS]) {
#ifdef CONFINE_LEFT_OUT
  (void)confine_reasons;
  (void)state;
  (void)snprintf(out, CONFINE_WORDS, "none (left out of builds with sanitizers or coverage)");
#else
  char landlock[CONFINE_WORDS / 3];
  char seccomp[CONFINE_WORDS / 3] = "seccomp";
  if (state->landlock == CONFINE_ON) {
    (void)snprintf(landlock, sizeof landlock, "Landlock ABI %u", state->abi);
  } else {
    (void)snprintf(landlock, sizeof landlock, "no Landlock (%s)", confine_reasons[state->landlock]);
  }
  if (state->seccomp != CONFINE_ON) {
    (void)snprintf(seccomp, sizeof seccomp, "no seccomp (%s)", confine_reasons[state->seccomp]);
  }
  (void)snprintf(out, CONFINE_WORDS, "%s, %s%s", landlock, seccomp,
                 state->held ? ", all inputs opened before" : "");
#endif
}
