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

/* True if the SYN may belong to this direction although the first octets overtook it: it comes soon
 * after them, and before the FIN. */
static bool may_be_late(const ing_conn *conn, const ing_dir *d, uint32_t start) {
  return (uint32_t)d->start - start <= ING_LATE_SYN && conn->packets <= ING_PATIENCE &&
         (d->fin == ING_NONE || ing_dir_unsound(d));
}

/* True if the side refused the connection: it sent an RST, and no SYN before it. */
static bool refused(const ing_conn *conn, unsigned side) {
  return conn->rst && conn->ends.rst_side == side && !conn->dir[side].started;
}

/* A SYN or SYN+ACK on a known pair: the same again, one overtaken by later segments, or a new
 * connection's. */
static bool syn_reuses(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  const ing_dir *d = &conn->dir[side];
  const ing_dir *p = &conn->dir[side ^ 1u];
  uint32_t start = seg->seq + 1;
  if (d->started && (d->start_known || ing_is_done(conn))) {
    return (uint32_t)d->start != start;
  }
  if (ing_is_done(conn) || refused(conn, side) || (d->started && !may_be_late(conn, d, start))) {
    return true;
  }
  if ((seg->flags & ING_ACK) != 0) {
    return p->started && distance(seg->ack, (uint32_t)p->start) > ING_LATE_SYN;
  }
  if (d->started) {
    return false;
  }
  return has_data(p); /* else both sides opened at once, RFC 9293 3.5 */
}

bool ing_is_over(const ing_conn *conn) {
  return ing_is_done(conn) || conn->rst ||
         (conn->dir[0].fin != ING_NONE && conn->dir[1].fin != ING_NONE);
}

/* True if the number does not fit a closed direction, as a copy or as an acknowledgment. */
static bool foreign(const ing_dir *d, uint32_t number) {
  uint64_t pos = ing_unwrap(d->next, number);
  uint64_t sent = d->seen > d->acked ? d->seen : d->acked;
  uint64_t end = d->fin != ING_NONE ? d->fin : sent;
  return d->started &&
         (distance(number, (uint32_t)d->next) > ING_REUSE_AWAY || pos > end + ING_REUSE_BEYOND ||
          (d->start_known && pos + ING_REUSE_BEYOND < d->start));
}

bool ing_older(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  const ing_dir *p = &conn->dir[side ^ 1u];
  if ((seg->flags & (ING_SYN | ING_ACK)) != ING_ACK || conn->dir[side].started || !p->start_known ||
      has_data(p)) {
    return false;
  }
  const uint64_t pos = ing_unwrap(p->next, seg->ack);
  return pos < p->start || pos > p->start + ING_REUSE_BEYOND;
}

bool ing_reused(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  const ing_dir *d = &conn->dir[side];
  if (seg->sum == ING_SUM_BAD && (d->proven || ing_is_done(conn))) {
    return false; /* an apparent SYN may be a broken bit */
  }
  if ((seg->flags & ING_SYN) != 0) {
    return syn_reuses(conn, side, seg);
  }
  if ((seg->flags & ING_RST) != 0) {
    return false; /* an RST begins no connection */
  }
  if (ing_is_over(conn)) {
    return seg->payload.len != 0 && seg->sum != ING_SUM_BAD &&
           (foreign(d, seg->seq) ||
            ((seg->flags & ING_ACK) != 0 && foreign(&conn->dir[side ^ 1u], seg->ack)));
  }
  return d->out_of_window >= ING_OUT_OF_WINDOW_MAX && far(d, seg, ING_SANE);
}

bool ing_jumps(const ing_dir *d, uint32_t number, bool *far) {
  const uint64_t pos = ing_unwrap(d->next, number);
  const uint64_t low = d->started ? d->start : d->next;
  uint64_t end = d->seen > d->acked ? d->seen : d->acked;
  end = d->fin != ING_NONE && d->fin >= end ? d->fin + 1 : end;
  *far = *far || pos + ING_REUSE_BEYOND < low || pos > end + ING_REUSE_BEYOND;
  return d->anchored && (pos < low || pos > end);
}

bool ing_both_jump(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  bool far = false;
  return ing_jumps(&conn->dir[side], seg->seq, &far) &&
         ing_jumps(&conn->dir[side ^ 1u], seg->ack, &far) && far;
}

bool ing_elsewhere(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  return (seg->flags & (ING_SYN | ING_FIN | ING_RST | ING_ACK)) == ING_ACK &&
         seg->payload.len == 0 && ing_both_jump(conn, side, seg);
}
