/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which RSTs and FINs TCP accepts, so that they end a connection. RFC 9293 3.10.7, RFC 5961
 * 3.2 */
#include "conn.h"

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The position after all that the side is known to have sent, its FIN included. */
static uint64_t sent_end(const ing_dir *d) {
  const uint64_t fin = d->fin != ING_NONE ? d->fin + 1 : 0;
  return larger(larger(d->seen, d->acked), fin);
}

/* Returns true if the RST answers the SYN of the other side: such an RST may have any number,
 * mostly 0. */
static bool answers_syn(const ing_dir *p, const ing_segment *seg) {
  const uint64_t pos = ing_unwrap(p->next, seg->ack);
  return (seg->flags & ING_ACK) != 0 && p->start_known && pos >= p->start &&
         pos <= sent_end(p) + ING_REUSE_BEYOND;
}

/* How far past what its sender has sent an RST may lie: not far where nothing followed the SYN. */
static uint64_t beyond(const ing_dir *d, const ing_dir *p) {
  const bool opening = d->start_known && d->seen == d->start && !p->started;
  return opening ? ING_REUSE_BEYOND : ING_RST_BEYOND;
}

bool ing_rst_counts(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  const ing_dir *d = &conn->dir[side];
  const ing_dir *p = &conn->dir[side ^ 1u];
  if (!d->started && answers_syn(p, seg)) {
    return true;
  }
  if (!d->anchored) {
    return !p->start_known; /* else the other side waits for an answer to its SYN */
  }
  const uint64_t pos = ing_unwrap(d->next, seg->seq);
  const uint64_t low = d->start_known ? larger(d->start, d->acked) : d->acked;
  return pos >= low && pos + ING_RST_BEYOND >= d->next && pos <= sent_end(d) + beyond(d, p);
}

/* Returns true if the number lies near the octets that the side has sent. */
static bool is_near(const ing_dir *d, uint32_t number) {
  const uint64_t pos = ing_unwrap(d->next, number);
  return !d->anchored || (pos <= sent_end(d) + ING_RST_BEYOND && pos + ING_RST_BEYOND >= d->next);
}

bool ing_fin_counts(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  return is_near(&conn->dir[side], seg->seq) &&
         ((seg->flags & ING_ACK) == 0 || is_near(&conn->dir[side ^ 1u], seg->ack));
}

void ing_rst_note(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos) {
  if (!conn->rst) {
    conn->rst = true;
    conn->ends.rst_side = (uint8_t)side;
    conn->rst_pos = (uint32_t)pos;
    conn->rst_ahead = pos > conn->dir[side].seen;
    conn->rst_sent = (uint32_t)sent_end(&conn->dir[side]);
    conn->rst_peer_sent = (uint32_t)sent_end(&conn->dir[side ^ 1u]);
    conn->ends.rst = (ingest_mark){.packet = ing->now.packet, .time_ns = ing->now.time_ns};
    conn->rst_at = conn->packets;
  }
}

/* Returns true if the current segment acknowledges octets that the other side sent after the RST.
 */
static bool hears(const ingest *ing, const ing_conn *conn) {
  return ing->now.ack != ING_NONE && ing->now.ack > ing_unwrap(ing->now.ack, conn->rst_peer_sent);
}

/*
 * Returns true if the current segment shows that the sender of an RST whose number lies ahead goes
 * on. It does so with its SYN, with octets past the RST, or with a FIN that has another number.
 * Octets that follow others also show it, if it sent those after the RST and the other side
 * acknowledged them.
 */
static bool passes(const ingest *ing, const ing_conn *conn, const ing_dir *d, uint64_t pos) {
  const ing_segment *seg = &ing->seg;
  const uint64_t end = pos + seg->payload.len;
  const bool fin = (seg->flags & ING_FIN) != 0 && end + 1 < ing_rst_pos(conn);
  const bool answered =
      seg->payload.len > 0 && pos >= d->acked && d->acked > ing_unwrap(d->acked, conn->rst_sent);
  return conn->rst_ahead &&
         (end > ing_rst_pos(conn) || (seg->flags & ING_SYN) != 0 || fin || answered);
}

void ing_rst_check(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos) {
  const ing_dir *d = &conn->dir[side];
  if (!conn->rst || side != conn->ends.rst_side || d->ended ||
      (!passes(ing, conn, d, pos) && !hears(ing, conn))) {
    return;
  }
  conn->rst = false;
  conn->ends.rst = (ingest_mark){0};
  if (conn->deadline != 0) {
    ing_fade_remove(&ing->table.dying, conn);
  }
}
