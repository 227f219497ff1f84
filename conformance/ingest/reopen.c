/* SPDX-License-Identifier: BSD-2-Clause */
/* A later connection between two ends: its first segment waits until the other side answers it.
 * That is a SYN while the earlier connection lives, or the first octets where the capture lacks the
 * SYNs.
 */
#include "conn.h"

static bool is_syn(const ing_reopen *r) {
  return r != NULL && (r->seg.flags & ING_SYN) != 0;
}

static ing_reopen *waiting(const ing_conn *conn) {
  return conn->held != NULL ? conn->held->reopen : NULL;
}

static uint32_t end_of(const ing_reopen *r) {
  return r->seg.seq + (is_syn(r) ? 1u : 0u) + r->total;
}

static bool is_request(ingest_opening is) {
  return is == INGEST_OPENING_REQUEST || is == INGEST_OPENING_REQUEST_PART;
}

static ingest_opening opening_of(const ingest *ing, const ing_reopen *r) {
  return ing->opening(r->octets, r->total);
}

/* True if the segment has the rest of the octets whose beginning waits. Its octets are copied
 * after them. */
static bool has_rest(const ingest *ing, ing_reopen *r, unsigned side) {
  const ing_segment *seg = &ing->seg;
  const ing_span *payload = &seg->payload;
  if (side != r->side || (seg->flags & (ING_SYN | ING_FIN | ING_RST | ING_ACK)) != ING_ACK ||
      seg->sum == ING_SUM_BAD || seg->seq != end_of(r) || seg->ack != r->seg.ack ||
      payload->cap != payload->len || payload->len - 1u >= (size_t)(ING_REOPEN_MAX - r->total) ||
      opening_of(ing, r) != INGEST_OPENING_REQUEST_PART) {
    return false;
  }
  memcpy(r->octets + r->total, payload->data, payload->len);
  return ing->opening(r->octets, r->total + payload->len) == INGEST_OPENING_REQUEST;
}

/* Returns true if the segment may be the first one of a new connection. */
static bool may_open(const ingest *ing, const ing_conn *conn, unsigned side) {
  const ing_segment *seg = &ing->seg;
  const ing_span *payload = &seg->payload;
  return ing->opening != NULL &&
         (seg->flags & (ING_SYN | ING_FIN | ING_RST | ING_ACK)) == ING_ACK &&
         seg->sum != ING_SUM_BAD && payload->cap == payload->len &&
         payload->len - 1u < ING_REOPEN_MAX && ing_both_jump(conn, side, seg) &&
         is_request(ing->opening(payload->data, payload->len));
}

/* Returns true if the segment is a copy of octets of the first segment, or only acknowledges it. */
static bool belongs(const ing_segment *seg, const ing_reopen *r, unsigned side) {
  const ing_span *payload = &seg->payload;
  const uint32_t at = seg->seq - r->seg.seq;
  if ((seg->flags & (ING_SYN | ING_FIN | ING_RST | ING_ACK)) != ING_ACK) {
    return false;
  }
  if (side != r->side) {
    return payload->len == 0 && seg->seq == r->seg.ack && seg->ack == end_of(r);
  }
  return at <= r->total && payload->cap <= r->total - at &&
         memcmp(payload->data, r->octets + at, payload->cap) == 0;
}

/* Returns true if the segment answers the SYN: it is a SYN that acknowledges it, or an RST with the
 * number 0 that refuses it. RFC 9293 3.5.2 */
static bool reopen_answers_syn(unsigned side, const ing_segment *seg, const ing_reopen *r) {
  return side != r->side && (seg->flags & ING_ACK) != 0 &&
         seg->ack - r->seg.seq - 1u <= r->seg.payload.len &&
         ((seg->flags & ING_SYN) != 0 || seg->seq == 0);
}

/* Returns true if the sender of the SYN answers an acknowledgment of the earlier connection by an
 * RST: it no longer has that connection. RFC 9293 3.5.1 */
static bool disowns(const ing_conn *conn, unsigned side, const ing_segment *seg,
                    const ing_reopen *r) {
  return side == r->side && (seg->flags & (ING_SYN | ING_ACK)) == 0 &&
         seg->seq == (uint32_t)conn->dir[side].acked;
}

/* Returns true if the segment belongs to the connection that the SYN begins. Where the capture
 * lacks the answer, segments follow whose numbers lie outside the earlier connection. */
static bool follows_syn(const ing_conn *conn, unsigned side, const ing_segment *seg,
                        const ing_reopen *r) {
  const uint32_t number = side == r->side ? seg->seq : seg->ack;
  const uint32_t other = side == r->side ? seg->ack : seg->seq;
  bool far = false;
  if ((seg->flags & (ING_SYN | ING_RST)) != 0) {
    return reopen_answers_syn(side, seg, r) || disowns(conn, side, seg, r);
  }
  return (seg->flags & ING_ACK) != 0 && number - end_of(r) <= ING_LATE_SYN &&
         ing_jumps(&conn->dir[r->side], number, &far) &&
         ing_jumps(&conn->dir[r->side ^ 1u], other, &far);
}

bool ing_reopen_answered(const ingest *ing, const ing_conn *conn, unsigned side) {
  const ing_segment *seg = &ing->seg;
  const ing_reopen *r = waiting(conn);
  if (r == NULL || seg->sum == ING_SUM_BAD) {
    return false;
  }
  if (is_syn(r)) {
    return follows_syn(conn, side, seg, r);
  }
  return opening_of(ing, r) == INGEST_OPENING_REQUEST && side != r->side &&
         seg->seq == r->seg.ack && seg->ack == end_of(r) &&
         (seg->flags & (ING_SYN | ING_RST | ING_ACK)) == ING_ACK &&
         ing->opening(seg->payload.data, seg->payload.cap) == INGEST_OPENING_REPLY;
}

/* A copy of the current segment; NULL: there is no memory. */
static ing_reopen *copied(ingest *ing, unsigned side) {
  ing_reopen *r = ing->alloc.get(ing->alloc.ctx, sizeof *r);
  if (r != NULL) {
    r->seg = ing->seg;
    r->now = ing->now;
    r->rest = NULL;
    r->side = (uint8_t)side;
    r->total = (uint16_t)ing->seg.payload.len;
    memcpy(r->octets, ing->seg.payload.data, ing->seg.payload.len);
    r->seg.payload.data = r->octets;
    ing->stats.steps += sizeof *r / 8;
  }
  return r;
}

/* Keeps the current segment, which has the rest; false: there is no memory. */
static bool keep_rest(ingest *ing, ing_reopen *r) {
  r->rest = copied(ing, r->side);
  r->total = (uint16_t)(r->total + (r->rest != NULL ? r->rest->total : 0));
  return r->rest != NULL;
}

/* Keeps the current segment, and no other; false: there is no memory. */
static bool reopen_keep(ingest *ing, ing_conn *conn, unsigned side) {
  ing_held *held = ing_need_held(ing, conn);
  if (held != NULL) {
    ing_reopen_free(ing, &held->reopen);
  }
  ing_reopen *r = held != NULL ? copied(ing, side) : NULL;
  if (r == NULL) {
    return false;
  }
  held->reopen = r;
  ing_next_unsettle(conn);
  return true;
}

/* Returns true if both sides still have the connection, as far as the capture shows. */
static bool lives(const ing_conn *conn) {
  const ing_dir *d = conn->dir;
  return !ing_is_over(conn) && d[0].started && d[0].present && d[1].started && d[1].present;
}

bool ing_reopen_syn_waits(ingest *ing, ing_conn *conn, unsigned side) {
  const ing_segment *seg = &ing->seg;
  const ing_reopen *r = waiting(conn);
  if ((seg->flags & (ING_SYN | ING_ACK)) != ING_SYN || (r != NULL && !is_syn(r)) || !lives(conn) ||
      seg->payload.cap != seg->payload.len || seg->payload.len > ING_REOPEN_MAX) {
    return false;
  }
  return (r != NULL && r->side == side && r->seg.seq == seg->seq) || reopen_keep(ing, conn, side);
}

/* Returns true if the sender of the SYN sends on the earlier connection, and so still has it. */
static bool goes_on(const ing_conn *conn, unsigned side, const ing_segment *seg,
                    const ing_reopen *r) {
  bool far = false;
  return side == r->side && (seg->flags & ING_RST) == 0 &&
         !ing_jumps(&conn->dir[side], seg->seq, &far);
}

bool ing_reopen_waits(ingest *ing, ing_conn *conn, unsigned side) {
  ing_reopen *r = waiting(conn);
  if (is_syn(r) && goes_on(conn, side, &ing->seg, r)) {
    ing_outside(ing, r->now.packet);
    ing_reopen_free(ing, &conn->held->reopen);
  } else if (r != NULL && !is_syn(r)) {
    ing->stats.steps += r->total + ing->seg.payload.cap;
    return has_rest(ing, r, side) ? keep_rest(ing, r) : belongs(&ing->seg, r, side);
  }
  return may_open(ing, conn, side) && reopen_keep(ing, conn, side);
}

ing_reopen *ing_reopen_detach(ing_conn *conn) {
  ing_reopen *r = waiting(conn);
  if (r != NULL) {
    conn->held->reopen = NULL;
  }
  return r;
}

ing_reopen *ing_reopen_return(ing_conn *conn) {
  ing_reopen *r = is_syn(waiting(conn)) ? NULL : ing_reopen_detach(conn);
  if (r != NULL) {
    conn->held->reopen = ing_reopen_rest(r);
  }
  return r;
}

ing_reopen *ing_reopen_rest(ing_reopen *r) {
  ing_reopen *rest = r->rest;
  r->rest = NULL;
  return rest;
}

bool ing_reopen_take(ingest *ing, ing_conn *conn, ing_reopen *r, ingest_event *ev) {
  const ing_segment seg = ing->seg;
  const ing_origin now = ing->now;
  const uint8_t side = ing->seg_side;
  ing_reopen_free(ing, &ing->taken); /* no event lends out its octets */
  ing->taken = r;
  ing->seg = r->seg;
  ing->now = r->now;
  ing->seg_side = ing_addr_equal(&conn->addr[0], &r->seg.src) ? 0 : 1;
  ing_lanes_add(conn, r->seg.lane);
  ing_recent_note(ing, conn, ing->seg_side);
  const bool given = ing_take(ing, conn, ev);
  ing->differs = NULL; /* the history has no other octets there */
  ing->seg = seg;
  ing->now = now;
  ing->seg_side = side;
  return given;
}
