/* SPDX-License-Identifier: BSD-2-Clause */
/* How long a property test runs, and with which seed: from the environment. */
#ifndef TEST_SUPPORT_RUNS_H
#define TEST_SUPPORT_RUNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* runs_times returns IWARP_PROPERTY_TIMES, how many times as long as usual; 1 when it is not set.
 */
static inline unsigned runs_times(void) {
  const char *text = getenv("IWARP_PROPERTY_TIMES");
  return text == NULL ? 1 : (unsigned)strtoul(text, NULL, 10);
}

/* runs_only tells whether a single run was asked for, by IWARP_PROPERTY_SEED. */
static inline bool runs_only(uint64_t *seed) {
  const char *text = getenv("IWARP_PROPERTY_SEED");
  if (text != NULL) {
    *seed = strtoull(text, NULL, 10);
  }
  return text != NULL;
}

#endif
