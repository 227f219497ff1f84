/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments that fit no connection as far as it was captured. */
#include "conn.h"

void ing_outside(ingest *ing, uint64_t packet) {
  ingest_bad *outside = &ing->stats.outside;
  ing->stats.ignored++;
  outside->first = outside->packets == 0 || packet < outside->first ? packet : outside->first;
  outside->packets++;
}

void ing_outside_late(ingest *ing, const ing_conn *conn) {
  bool far = false;
  if (ing_jumps(&conn->dir[ing->seg_side], ing->seg.seq, &far)) {
    ing_outside(ing, ing->now.packet);
  }
}
