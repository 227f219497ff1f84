/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations made at random, as scenarios. */
#ifndef SELECTION_H
#define SELECTION_H

#include <stdint.h>

#include "capture_replay.h"

#define SELECTION_TEXT 8192u

/* selection_talk writes the scenario of a seed: most of it is conformant, some of it is wrong,
 * missing, late or captured in part. */
void selection_talk(char text[SELECTION_TEXT], uint64_t seed);

/* selection_capture makes the capture of a scenario. It stops the program if the text is not a
 * scenario. */
capture_replay selection_capture(const char *text);

#endif
