/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations made at random, as scenarios. */
#ifndef SELECTION_H
#define SELECTION_H

#include <stdint.h>

#include "captures.h"

/* selection_random tests the capture of another scenario in each round of the test
 * `random_conversations`: most of it is conformant, some of it is wrong, missing, late or captured
 * in part. */
void selection_random(uint64_t rounds, captures_check *check);

/* selection_capture makes the capture of a scenario. It stops the program if the text is not a
 * scenario. */
capture_replay selection_capture(const char *text);

#endif
