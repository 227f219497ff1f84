/* SPDX-License-Identifier: BSD-2-Clause */
/* Which segments belong to a later connection between the same two ends. */
#include "conn.h"

static uint32_t distance(uint32_t a, uint32_t b) {
  uint32_t d = a - b;
  return d < 0x80000000u ? d : 0u - d;
}

static bool far(const ing_dir *d, const ing_segment *seg, uint32_t limit) {
  return d->started && distance(seg->seq, (uint32_t)d->next) > limit;
}

static bool has_data(const ing_dir *d) {
  return d->started && d->seen != d->start;
}

/* A SYN or SYN+ACK on a known pair: the same again, one overtaken by later segments, or a new
 * connection's. */
static bool syn_reuses(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  const ing_dir *d = &conn->dir[side];
  const ing_dir *p = &conn->dir[side ^ 1u];
  uint32_t start = seg->seq + 1;
  if (d->started) {
    uint32_t ahead = (uint32_t)d->start - start;
    return d->start_known || conn->closed ? ahead != 0 : ahead > ING_LATE_SYN;
  }
  if (conn->closed) {
    return true;
  }
  if ((seg->flags & ING_ACK) != 0) {
    return p->started && distance(seg->ack, (uint32_t)p->start) > ING_LATE_SYN;
  }
  return has_data(p); /* else both sides opened at once, RFC 9293 3.5 */
}

bool ing_reused(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  const ing_dir *d = &conn->dir[side];
  if (seg->sum == ING_SUM_BAD && (d->proven || conn->closed)) {
    return false; /* what looks like a SYN may be a broken bit */
  }
  if ((seg->flags & ING_SYN) != 0) {
    return syn_reuses(conn, side, seg);
  }
  if (conn->closed) {
    return seg->payload.len != 0 && far(d, seg, ING_REUSE_AWAY);
  }
  return d->insane >= ING_INSANE_MAX && far(d, seg, ING_SANE);
}
