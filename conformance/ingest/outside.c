/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that fit no connection as far as it was captured. */
#include "conn.h"

void ing_outside(ingest *ing, uint64_t packet) {
  ingest_bad *outside = &ing->stats.outside;
  ing->stats.ignored++;
  outside->first = outside->packets == 0 || packet < outside->first ? packet : outside->first;
  outside->packets++;
}

/* Returns true if the octets of the current segment reach past the FIN or the RST of its side. One
 * octet in place of the FIN asks whether the other side is there. RFC 9293 3.8.4 */
static bool past_end(const ingest *ing, const ing_conn *conn) {
  const ing_segment *seg = &ing->seg;
  const ing_dir *d = &conn->dir[ing->seg_side];
  const bool fin = d->fin != ING_NONE;
  const uint64_t pos = ing_unwrap(d->next, seg->seq);
  const uint64_t len = seg->payload.len;
  const bool none = (seg->flags & ING_RST) != 0 || (len == 1 && pos == d->fin) ||
                    ing_like_padding(seg->flags, seg->payload.data, seg->payload.cap);
  return (fin || (d->ended && conn->rst)) && !none && len > 0 &&
         pos + len > (fin ? d->fin : d->next);
}

void ing_outside_end(ingest *ing, const ing_conn *conn) {
  if (past_end(ing, conn)) {
    ing_outside(ing, ing->now.packet);
  }
}

void ing_outside_late(ingest *ing, const ing_conn *conn) {
  bool far = false;
  if (ing_jumps(&conn->dir[ing->seg_side], ing->seg.seq, &far) || past_end(ing, conn)) {
    ing_outside(ing, ing->now.packet);
  }
}
