/* SPDX-License-Identifier: BSD-2-Clause */
/* Knows for each side of a connection which frames hold octets of the PDU that is under way. */
#include "conns.h"

conn *conn_of(observe_conn *observed) {
  conn *c = observed->user;
  if (c == NULL) {
    c = observed->user = wmem_new0(wmem_file_scope(), conn);
    c->sctp = observed->info->sctp;
  }
  c->number = (guint32)observed->number;
  c->numbered = observed->numbered;
  return c;
}

/* Puts the last GAP of a side before the octets that follow it. */
static void conn_place_gap(conn *c, guint8 side, const conn_span *span) {
  frame_pdu *gap = c->open[side].gap;
  if (gap != NULL && span->end > gap->pos + frames_pdu_len(gap)) {
    c->open[side].gap = NULL;
    if (span->frame != gap->frame) {
      frames_add_hole(span->frame, gap);
    }
  }
}

void conn_gap(frame_pdu *gap) {
  conn *c = gap->conn;
  c->open[gap->side].gap = gap;
  for (guint i = 0; i < c->open[gap->side].num; i++) {
    conn_place_gap(c, gap->side, &c->open[gap->side].spans[i]);
  }
}

void conn_octets(conn *c, guint8 side, const conn_span *span) {
  conn_place_gap(c, side, span);
  if (span->end <= c->open[side].covered) {
    return;
  }
  if (c->open[side].num == c->open[side].cap) {
    c->open[side].cap = MAX(8, 2 * c->open[side].cap);
    c->open[side].spans = wmem_realloc(wmem_file_scope(), c->open[side].spans,
                                       c->open[side].cap * sizeof *c->open[side].spans);
  }
  c->open[side].spans[c->open[side].num++] = *span;
}

/* The spans that end at or before a position are done with. */
static void conn_drop(conn *c, guint8 side, guint64 end) {
  guint done = 0;
  while (done < c->open[side].num && c->open[side].spans[done].end <= end) {
    done++;
  }
  c->open[side].num -= done;
  if (done > 0) {
    memmove(c->open[side].spans, c->open[side].spans + done,
            c->open[side].num * sizeof *c->open[side].spans);
  }
}

void conn_covered(const frame_pdu *pdu) {
  conn *c = pdu->conn;
  const guint64 end = pdu->pos + frames_pdu_len(pdu);
  const guint32 first_frame = frames_pdu_first(pdu);
  bool first = first_frame == pdu->frame;
  for (guint i = 0; i < c->open[pdu->side].num; i++) {
    const conn_span *span = &c->open[pdu->side].spans[i];
    if (span->pos < end && span->end > pdu->pos && span->frame != pdu->frame) {
      frames_add_part(span->frame, pdu);
      first = first || span->frame == first_frame;
    }
  }
  if (!first) { /* the octets of the first frame came before the connection was known */
    frames_add_part(first_frame, pdu);
  }
  c->open[pdu->side].covered = end;
  conn_drop(c, pdu->side, end);
}

void conn_msn(frame_pdu *pdu, const iwarp_ddp_hdr *ddp) {
  if (ddp->tagged || ddp->qn >= CONN_QUEUES) {
    return;
  }
  guint32 *next = &pdu->conn->next_msn[pdu->side][ddp->qn];
  pdu->msn_known = *next != 0;
  if (pdu->msn_known && *next != ddp->msn) {
    frames_pdu_rest(pdu)->expected_msn = *next;
  }
  *next = ddp->last ? ddp->msn + 1 : ddp->msn;
}

bool conn_aligned(const conn *c, guint8 side, guint64 pos) {
  for (guint i = 0; i < c->open[side].num; i++) {
    if (c->open[side].spans[i].pos == pos && c->open[side].spans[i].segment_start) {
      return true;
    }
  }
  return false;
}
