/* SPDX-License-Identifier: BSD-2-Clause */
/* A later connection between two ends whose SYNs the capture lacks. Its first segment waits until
 * the other side answers it. */
#include "conn.h"

static uint32_t end_of(const ing_reopen *r) {
  return r->seg.seq + (uint32_t)r->seg.payload.len;
}

/* Whether the number lies outside all that the side sent; *far: by more than may be missing. */
static bool jumps(const ing_dir *d, uint32_t number, bool *far) {
  const uint64_t pos = ing_unwrap(d->next, number);
  const uint64_t low = d->started ? d->start : d->next;
  uint64_t end = d->seen > d->acked ? d->seen : d->acked;
  end = d->fin != ING_NONE && d->fin >= end ? d->fin + 1 : end;
  *far = *far || pos + ING_REUSE_BEYOND < low || pos > end + ING_REUSE_BEYOND;
  return d->anchored && (pos < low || pos > end);
}

/* Whether the segment may be the first one: both of its numbers jump, one of them far. */
static bool may_open(const ingest *ing, const ing_conn *conn, unsigned side) {
  const ing_segment *seg = &ing->seg;
  const ing_span *payload = &seg->payload;
  bool far = false;
  return (seg->flags & (ING_SYN | ING_FIN | ING_RST | ING_ACK)) == ING_ACK &&
         seg->sum != ING_SUM_BAD && payload->cap == payload->len &&
         payload->len - 1u < ING_REOPEN_MAX && jumps(&conn->dir[side], seg->seq, &far) &&
         jumps(&conn->dir[side ^ 1u], seg->ack, &far) && far &&
         ing->opening(payload->data, payload->len) == INGEST_OPENING_REQUEST;
}

/* Whether the segment is a copy of octets of the first one, or acknowledges it alone. */
static bool belongs(const ing_segment *seg, const ing_reopen *r, unsigned side) {
  const ing_span *payload = &seg->payload;
  const uint32_t at = seg->seq - r->seg.seq;
  if ((seg->flags & (ING_SYN | ING_FIN | ING_RST | ING_ACK)) != ING_ACK) {
    return false;
  }
  if (side != r->side) {
    return payload->len == 0 && seg->seq == r->seg.ack && seg->ack == end_of(r);
  }
  return at <= r->seg.payload.len && payload->cap <= r->seg.payload.len - at &&
         memcmp(payload->data, r->octets + at, payload->cap) == 0;
}

bool ing_reopen_answered(const ingest *ing, const ing_conn *conn, unsigned side) {
  const ing_segment *seg = &ing->seg;
  const ing_reopen *r = conn->held != NULL ? conn->held->reopen : NULL;
  return r != NULL && side != r->side && seg->seq == r->seg.ack && seg->ack == end_of(r) &&
         (seg->flags & (ING_SYN | ING_RST | ING_ACK)) == ING_ACK && seg->sum != ING_SUM_BAD &&
         ing->opening(seg->payload.data, seg->payload.cap) == INGEST_OPENING_REPLY;
}

/* Keeps the current segment; false: there is no memory. */
static bool keep(ingest *ing, ing_conn *conn, unsigned side) {
  ing_held *held = ing_need_held(ing, conn);
  ing_reopen *r = held != NULL ? ing->alloc.get(ing->alloc.ctx, sizeof *r) : NULL;
  if (r == NULL) {
    return false;
  }
  r->seg = ing->seg;
  r->now = ing->now;
  r->side = (uint8_t)side;
  memcpy(r->octets, ing->seg.payload.data, ing->seg.payload.len);
  r->seg.payload.data = r->octets;
  held->reopen = r;
  ing->stats.steps += sizeof *r / 8;
  return true;
}

bool ing_reopen_waits(ingest *ing, ing_conn *conn, unsigned side) {
  const ing_reopen *r = conn->held != NULL ? conn->held->reopen : NULL;
  if (r != NULL) {
    ing->stats.steps += ing->seg.payload.cap;
    return belongs(&ing->seg, r, side);
  }
  return may_open(ing, conn, side) && keep(ing, conn, side);
}

ing_reopen *ing_reopen_detach(ing_conn *conn) {
  ing_reopen *r = conn->held != NULL ? conn->held->reopen : NULL;
  if (r != NULL) {
    conn->held->reopen = NULL;
  }
  return r;
}

bool ing_reopen_take(ingest *ing, ing_conn *conn, ing_reopen *r, ingest_event *ev) {
  const ing_segment seg = ing->seg;
  const ing_origin now = ing->now;
  const uint8_t side = ing->seg_side;
  ing->taken = r;
  ing->seg = r->seg;
  ing->now = r->now;
  ing->seg_side = ing_addr_equal(&conn->addr[0], &r->seg.src) ? 0 : 1;
  const bool given = ing_take(ing, conn, ev);
  ing->differs = NULL; /* nothing else lies there */
  ing->seg = seg;
  ing->now = now;
  ing->seg_side = side;
  return given;
}
