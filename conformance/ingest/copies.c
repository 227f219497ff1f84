/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets that were captured more than once: which copy the receiver accepted. */
#include "conn.h"

/* The place where copies are compared, and the result. */
typedef struct compared {
  uint64_t pos; /* position of the first octet of the segment */
  const uint8_t *data;
  uint64_t end; /* position after the last captured octet of the segment */
} compared;

static ingest_mark mark_of(const ing_origin *from) {
  return (ingest_mark){.packet = from->packet, .time_ns = from->time_ns};
}

void ing_copies_came(ingest *ing, ing_conn *conn, unsigned side, const uint8_t *data, uint64_t len,
                     const ing_origin *from) {
  ing_history_add(&ing->histories, &conn->history[side], conn->dir[side].next, data, (size_t)len,
                  mark_of(from));
}

void ing_copies_forget(ingest *ing, ing_conn *conn, unsigned side) {
  ing_history_free(&ing->histories, &conn->history[side]);
}

void ing_copies_free(ingest *ing, ing_conn *conn) {
  ing_copies_forget(ing, conn, 0);
  ing_copies_forget(ing, conn, 1);
  ing->differs = ing->differs == conn ? NULL : ing->differs;
  ing->conflict_for = ing->conflict_for == conn ? NULL : ing->conflict_for;
}

void ing_copies_note_sack(ingest *ing, ing_conn *conn, unsigned side) {
  const ing_segment *seg = &ing->seg;
  const ing_dir *p = &conn->dir[side ^ 1u];
  ing_history *h = conn->history[side ^ 1u];
  if (seg->has_sack && h != NULL && seg->sum != ING_SUM_BAD) {
    h->lacked_from = ing_unwrap(p->next, seg->ack);
    h->lacked_to = ing_unwrap(p->next, seg->sack_from);
    h->lacked_at = ing->now.packet;
  }
}

/*
 * What the receiver acknowledged before the second copy was sent is the first one. A SACK sent
 * after the first copy that reports octets after these as received, and not these, shows that the
 * first copy was lost. One of a cut packet was damaged where a whole one differs: the receiver
 * dropped it.
 */
static ingest_copy accepted(const ingest *ing, const ing_conn *conn, unsigned side,
                            const ing_difference *x) {
  const ing_history *h = conn->history[side];
  if (conn->dir[side].acked >= x->end) {
    return INGEST_COPY_FIRST;
  }
  const bool lacked = h != NULL && h->lacked_at > x->first.packet && h->lacked_from <= x->pos &&
                      x->end <= h->lacked_to;
  const bool damaged = x->unverified && ing->seg.sum == ING_SUM_GOOD;
  return lacked || damaged ? INGEST_COPY_SECOND : INGEST_COPY_UNKNOWN;
}

/* The first difference to octets of the list. */
static bool list_differs(ingest *ing, const ing_reassembly *list, const compared *c,
                         ing_difference *out) {
  for (const ing_block *b = ing_reassembly_find(list, &ing->budget, c->pos);
       b != NULL && b->pos < c->end; b = b->next[0]) {
    const uint64_t from = c->pos > b->pos ? c->pos : b->pos;
    const uint64_t to = c->end < ing_block_end(b) ? c->end : ing_block_end(b);
    ing->stats.steps += to - from;
    if (memcmp(b->data + (from - b->pos), c->data + (from - c->pos), (size_t)(to - from)) != 0) {
      ing_difference_of(out, b->data + (from - b->pos), c->data + (from - c->pos), from, to);
      out->first = mark_of(&b->from);
      out->unverified = b->unverified;
      return true;
    }
  }
  return false;
}

static void report(ingest *ing, ing_conn *conn, const compared *c, const ing_difference *x,
                   ingest_copy copy) {
  ing->differs = conn;
  ing->difference = *x;
  ing->second_pos = c->pos;
  ing->accepted = copy;
}

bool ing_copies_equal(ingest *ing, const ing_conn *conn, unsigned side) {
  const ing_span *payload = &ing->seg.payload;
  const uint64_t pos = ing_unwrap(conn->dir[side].next, ing->seg.seq);
  const compared c = {.pos = pos, .data = payload->data, .end = pos + payload->cap};
  ing_difference x;
  return !ing_history_differs(&ing->histories, conn->history[side], pos, payload->data,
                              payload->cap, &x) &&
         (conn->held == NULL || !list_differs(ing, &conn->held->good[side], &c, &x));
}

bool ing_copies_usable(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos) {
  const ing_span *payload = &ing->seg.payload;
  const compared c = {.pos = pos, .data = payload->data, .end = pos + payload->cap};
  const ing_held *held = conn->held;
  ing_difference x;
  ing->differs = NULL;
  ing->accepted = INGEST_COPY_UNKNOWN;
  if (ing_history_differs(&ing->histories, conn->history[side], pos, payload->data, payload->cap,
                          &x) ||
      (held != NULL && list_differs(ing, &held->good[side], &c, &x))) {
    report(ing, conn, &c, &x, accepted(ing, conn, side, &x));
    return true;
  }
  /* The receiver of a segment with a bad checksum may have accepted another copy, but no copy that
   * was sent after the acknowledgment. */
  if (held != NULL && list_differs(ing, &held->suspect[side], &c, &x) &&
      accepted(ing, conn, side, &x) == INGEST_COPY_FIRST) {
    report(ing, conn, &c, &x, INGEST_COPY_FIRST);
    return false;
  }
  return true;
}
