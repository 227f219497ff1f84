/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures that are one cut into files. */
#ifndef CLI_JOIN_H
#define CLI_JOIN_H

#include "opts.h"

/**
 * join_sort puts the captures of --join in the order of their first packets; captures that begin at
 * the same time stay in the order given. Captures without a readable packet come last, in the order
 * given. Without --join it does nothing. False: not all of them can be read twice, or there is no
 * memory, and a message has said so.
 */
bool join_sort(const opts *o);

/** join_overlaps returns true if packets of a capture of --join are earlier than a packet of one
 * before it in the order. All of them are read for that. */
bool join_overlaps(const opts *o);

#endif
