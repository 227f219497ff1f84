/* SPDX-License-Identifier: BSD-2-Clause */
/* The captures of a folder, and captures with packets that are missing, come twice, late, cut
 * or changed. */
#ifndef CAPTURES_H
#define CAPTURES_H

#include "capture_replay.h"
#include "prng.h"

/* captures_check tests a capture; `what` names it in messages. */
typedef void captures_check(const capture_replay *c, const char *what);

/* captures_each tests each capture below a folder and returns their number. It takes the first
 * packets: long captures repeat what these show. */
size_t captures_each(const char *folder, captures_check *check);

/* captures_change makes another capture of one that has two packets at least. */
typedef capture_replay captures_change(const capture_replay *whole, prng *chance);

/* captures_changed tests, in each round of `test`, a capture below a folder after a change.
 * Captures with fewer than two packets are left out. */
void captures_changed(const char *folder, const char *test, uint64_t rounds,
                      captures_change *change, captures_check *check);

/* captures_number gives packets the numbers of their places. */
void captures_number(capture_replay *c);

/* captures_spoilt copies a capture of two packets at least, and spoils up to three of them. */
capture_replay captures_spoilt(const capture_replay *whole, prng *chance);

#endif
