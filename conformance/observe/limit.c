/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits that no connection reports. */
#include "observe_priv.h"

void obs_limit(const observe *obs, const char *name, uint64_t n) {
  if (n > 0 && obs->hooks.limit != NULL) {
    obs->hooks.limit(obs->hooks.ctx, name, n);
  }
}
