/* SPDX-License-Identifier: BSD-2-Clause */
/* The run over the capture: each frame's octets go once, in order, through ingest, observe and the
 * rules. */
#ifndef DISSECTOR_FEED_H
#define DISSECTOR_FEED_H

#include <ingest/ingest.h>

#include "ws_compat.h"

/* feed_register lets a run begin and end with each capture file. */
void feed_register(void);
/* feed_packet takes the next frame; one that was taken before, or is older, is left out. `place` is
 * the place of its record in the file: a read filter (-R) gives the number of a frame that it drops
 * to the next one as well. */
void feed_packet(const ingest_packet *packet, gint64 place);
/* feed_passed tells of a frame that was read, of whatever kind: one that a read filter dropped has
 * lost its number to it. */
void feed_passed(guint32 frame, gint64 place);

#endif
