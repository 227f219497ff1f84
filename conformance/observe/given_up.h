/* SPDX-License-Identifier: BSD-2-Clause */
/* Which TCP connections and SCTP associations were given up: one whose packets go on is not counted
 * again. */
#ifndef OBSERVE_GIVEN_UP_H
#define OBSERVE_GIVEN_UP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* given_set is a set of hashes; all zeros are an empty set. */
typedef struct given_set {
  uint64_t *hash; /* `cap`, a power of 2; 0 marks a free place */
  size_t cap;
  size_t num;
} given_set;

struct observe;

/* obs_given_up_note notes a connection; false: it is one that was noted before. Beyond an eighth of
 * the budget no more are noted, so that they may be counted again. */
bool obs_given_up_note(struct observe *obs, uint64_t hash);
/* obs_given_up_free gives the memory back. */
void obs_given_up_free(struct observe *obs);

#endif
