/* SPDX-License-Identifier: BSD-2-Clause */
/* The captures of a folder, and captures with packets that are missing, late, cut or changed. */
#ifndef CAPTURES_H
#define CAPTURES_H

#include "capture_replay.h"
#include "prng.h"

/* captures_find finds the captures below a folder and returns their number. */
size_t captures_find(const char *folder);

/* captures_path returns the path of a capture that was found. */
const char *captures_path(size_t i);

/* captures_read reads its first packets: long captures repeat what these show. */
capture_replay captures_read(size_t i);

/* captures_number gives packets the numbers of their places. */
void captures_number(capture_replay *c);

/* captures_spoilt copies a capture of two packets at least, and spoils up to three of them. */
capture_replay captures_spoilt(const capture_replay *whole, prng *chance);

#endif
