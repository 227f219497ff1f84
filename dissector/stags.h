/* SPDX-License-Identifier: BSD-2-Clause */
/* The STags of a connection: the octets touched by each, and where it was invalidated. */
#ifndef DISSECTOR_STAGS_H
#define DISSECTOR_STAGS_H

#include <iwarp/event.h>

#include "frames.h"

/* stags_use is an STag of one side, used by the other, kept as long as the capture file is open. */
typedef struct stags_use {
  guint32 stag;
  guint32 first_frame;
  guint32 segments; /* segments that name the STag */
  guint64 octets;   /* octets read or written; each time counts */
  guint64 low;      /* first Tagged Offset touched */
  guint64 end;      /* Tagged Offset after the last one touched; equal to `low`: no octets */
  wmem_array_t *invalidated; /* stags_end; may be NULL */
} stags_use;

/* stags_end is a Send with Invalidate. */
typedef struct stags_end {
  guint32 frame;
  guint64 pos;
} stags_end;

/* stags_segment takes a segment; `all` are the STags of both sides by number. */
void stags_segment(wmem_map_t *all[2], const frame_pdu *pdu, const iwarp_rdmap_seg *seg);

/* stags_of returns the STag of the other side that a segment names, or NULL. */
const stags_use *stags_of(const frame_pdu *pdu, const iwarp_rdmap_seg *seg);

/* stags_ended returns the frame of the last Send with Invalidate of it before the segment of the
 * same side, or 0. */
guint32 stags_ended(const stags_use *use, const frame_pdu *pdu);

/* stags_show adds the facts of the STag that a segment names. */
void stags_show(proto_tree *tree, const frame_pdu *pdu, const iwarp_rdmap_seg *seg, bool visible);

#endif
