/* SPDX-License-Identifier: BSD-2-Clause */
/* A segment arrives on its connection: numbering, acknowledgment, octets, FIN, RST. */
#include <string.h>

#include "conn.h"

/* The first position of a direction: high enough to step back from. */
#define FIRST_EPOCH ((uint64_t)1 << 32)

static void begin(ing_dir *d, uint64_t pos, bool known) {
  d->anchored = true;
  d->started = true;
  d->start_known = known;
  d->start = d->first = d->next = d->seen = pos;
  d->snapped = 0;
}

static void anchor(ing_dir *d, uint32_t seq) {
  d->anchored = true;
  d->next = d->seen = FIRST_EPOCH + seq;
}

static bool sane(const ing_dir *d, uint64_t pos) {
  uint64_t away = pos > d->next ? pos - d->next : d->next - pos;
  return !d->started || away <= ING_SANE;
}

/* Counts the packet; what was known some packets ago moves on. */
static void count_packet(ing_conn *conn, ing_dir *d) {
  conn->packets++;
  d->present = true;
  ing_held *held = conn->held;
  if (held == NULL || conn->packets % (ING_PATIENCE / ING_PATIENCE_STEPS) != 0) {
    return;
  }
  for (unsigned side = 0; side < 2; side++) {
    for (size_t i = 0; i < ING_PATIENCE_STEPS; i++) {
      held->past_acked[side][i] = held->past_acked[side][i + 1];
      held->past_seen[side][i] = held->past_seen[side][i + 1];
    }
    held->past_acked[side][ING_PATIENCE_STEPS] = conn->dir[side].acked;
    held->past_seen[side][ING_PATIENCE_STEPS] = conn->dir[side].seen;
  }
}

static void forget(ingest *ing, ing_conn *conn, unsigned side) {
  ing_dir *d = &conn->dir[side];
  d->anchored = d->started = d->start_known = false;
  d->acked = 0;
  d->fin = ING_NONE;
  conn->ends.fin[side] = (ingest_mark){0};
  ing_purge(ing, conn, side);
  ing_copies_forget(ing, conn, side);
}

/*
 * Says whether the segment's checksum makes it suspect. The first good one of a sender shows that
 * its checksums mean something: a numbering that rests on bad ones alone is forgotten.
 */
static bool judge(ingest *ing, ing_conn *conn, unsigned side) {
  ing_dir *d = &conn->dir[side];
  if (ing->seg.sum == ING_SUM_BAD) {
    d->bad = true;
    return !d->bad_accepted;
  }
  d->heard = true;
  if (ing->seg.sum == ING_SUM_GOOD && !d->proven) {
    if (ing_dir_unsound(d)) {
      forget(ing, conn, side);
    }
    d->proven = true;
  }
  return false;
}

/* Finds the position of the segment's first octet; false when it is out of any window. */
static bool place(const ing_segment *seg, ing_dir *d, uint64_t *pos) {
  if (!d->anchored) {
    anchor(d, seg->seq);
  }
  *pos = ing_unwrap(d->next, seg->seq);
  if (!sane(d, *pos)) {
    d->out_of_window++; /* up to ING_OUT_OF_WINDOW_MAX: then the next one is of another connection
                         */
    return false;
  }
  d->out_of_window = 0;
  if ((seg->flags & ING_SYN) != 0) {
    ++*pos;
    if (!d->started) {
      begin(d, *pos, true);
    }
    d->start_known = d->start_known || d->start == *pos;
  }
  return true;
}

/* Notes the acknowledgment number; its position in the opposite stream, or ING_NONE. */
static uint64_t note_ack(ing_conn *conn, unsigned side, const ing_segment *seg) {
  ing_dir *p = &conn->dir[side ^ 1u];
  if ((seg->flags & ING_ACK) == 0) {
    return ING_NONE;
  }
  if (!p->anchored) {
    anchor(p, seg->ack);
  }
  uint64_t pos = ing_unwrap(p->next, seg->ack);
  if (!sane(p, pos)) {
    return ING_NONE;
  }
  if ((seg->flags & ING_SYN) != 0) { /* any other may follow octets that the capture lacks */
    if (!p->started) {
      begin(p, pos, true);
    }
    p->start_known = p->start_known || p->start == pos;
  }
  if (p->start_known && pos < p->start) {
    return ING_NONE; /* the octets were never part of this connection */
  }
  p->acked = pos > p->acked ? pos : p->acked;
  if (!p->started && pos > p->next) {
    p->next = p->seen = pos;
  }
  return pos;
}

ing_held *ing_need_held(ingest *ing, ing_conn *conn) {
  if (conn->held == NULL) {
    conn->held = ing->alloc.get(ing->alloc.ctx, sizeof *conn->held);
    if (conn->held != NULL) {
      memset(conn->held, 0, sizeof *conn->held);
      ing->stats.steps += sizeof *conn->held / 8;
    }
  }
  return conn->held;
}

static bool try_keep(ingest *ing, ing_conn *conn, const ing_unkept *what) {
  ing_held *held = ing_need_held(ing, conn);
  if (held == NULL) {
    return false;
  }
  ing_reassembly *list = what->list(held, what->side);
  return what->block.data != NULL
             ? ing_reassembly_add(list, &ing->budget, &held->size, &what->block)
             : ing_reassembly_add_range(list, &ing->budget, &held->size, &what->block);
}

bool ing_keep_again(ingest *ing, ing_conn *conn) {
  while (ing->num_unkept > 0 && try_keep(ing, conn, &ing->unkept[ing->num_unkept - 1u])) {
    ing->num_unkept--;
  }
  return ing->num_unkept == 0;
}

static void keep(ingest *ing, ing_conn *conn, ing_reassembly *(*list)(ing_held *, unsigned),
                 unsigned side, const ing_block *block) {
  const ing_unkept what = {.block = *block, .list = list, .side = (uint8_t)side};
  if (!try_keep(ing, conn, &what)) {
    ing->unkept[ing->num_unkept++] = what;
    ing->short_of = conn;
  }
}

static ing_reassembly *good_list(ing_held *held, unsigned side) {
  return &held->good[side];
}

static ing_reassembly *suspect_list(ing_held *held, unsigned side) {
  return &held->suspect[side];
}

static ing_reassembly *snapped_list(ing_held *held, unsigned side) {
  return &held->snapped[side];
}

/* Notes that [from, to) was on the wire but not captured. */
static void note_snapped(ingest *ing, ing_conn *conn, unsigned side, uint64_t from, uint64_t to) {
  ing_dir *d = &conn->dir[side];
  if (from >= to) {
    return;
  }
  if (from > d->next && from > d->snapped) {
    ing_block range = {.pos = from, .len = (size_t)(to - from), .from = ing->now};
    keep(ing, conn, snapped_list, side, &range);
  } else if (to > d->snapped) {
    d->snapped = to;
    ing_settle(ing, conn, side, false);
  }
}

/* The octets of the segment that are new, and which of these were captured. */
typedef struct fresh {
  uint64_t pos;  /* position of the first octet of the segment */
  uint64_t from; /* [from, to) is new */
  uint64_t to;
  uint64_t captured; /* [from, captured) is available */
} fresh;

static fresh cut(const ing_dir *d, const ing_span *payload, uint64_t pos) {
  fresh f = {.pos = pos, .from = pos, .to = pos + payload->len, .captured = pos + payload->cap};
  f.from = f.from < d->next ? d->next : f.from;
  f.to = f.to > d->fin ? d->fin : f.to;
  f.to = f.to < f.from ? f.from : f.to;
  f.captured = f.captured > f.to ? f.to : f.captured;
  f.captured = f.captured < f.from ? f.from : f.captured;
  return f;
}

/*
 * True if the checksum of the segment cannot be verified since the packet is cut. Such octets wait
 * for their acknowledgment: if the packet was damaged another copy comes before it.
 */
static bool is_unverified(const ingest *ing, const ing_conn *conn, unsigned side) {
  const ing_span *payload = &ing->seg.payload;
  return payload->cap < payload->len && conn->dir[side ^ 1u].present;
}

/* True if the octets may be padding: they wait for their acknowledgment, too. */
static bool is_padding(const ingest *ing, const ing_conn *conn, unsigned side) {
  const ing_segment *seg = &ing->seg;
  return !ing->at_once && seg->payload.cap == seg->payload.len &&
         ing_like_padding(seg->flags, seg->payload.data, seg->payload.len) &&
         conn->dir[side ^ 1u].present;
}

static void keep_captured(ingest *ing, ing_conn *conn, unsigned side, const fresh *f,
                          bool suspect) {
  if (f->from < f->captured) {
    ing_block block = {.pos = f->from,
                       .len = (size_t)(f->captured - f->from),
                       .data = ing->seg.payload.data + (f->from - f->pos),
                       .from = ing->now,
                       .segment_start = f->from == f->pos,
                       .unverified = is_unverified(ing, conn, side),
                       .waits = is_padding(ing, conn, side),
                       .wrong = is_padding(ing, conn, side),
                       .differ = ing->seg.in_doubt,
                       .accepted = ing->accepted};
    keep(ing, conn, suspect ? suspect_list : good_list, side, &block);
  }
}

/* Lets the octets out as they lie in the packet when they are the next ones. */
static bool give_at_once(ingest *ing, ing_conn *conn, unsigned side, fresh *f, ingest_event *ev) {
  ing_dir *d = &conn->dir[side];
  const ing_block *first = conn->held != NULL ? conn->held->good[side].head[0] : NULL;
  uint64_t stop = first != NULL && first->pos < f->captured ? first->pos : f->captured;
  if (f->from != d->next || stop <= f->from) {
    return false;
  }
  ing_origin from = ing->now;
  from.ack = ing_reassembly_cause(first, from.ack, &ing->stats.steps);
  if (ing_blocked(conn, side, from.ack)) {
    return false;
  }
  ing_event_data(ing, conn, ev, side, ing->seg.payload.data + (f->from - f->pos), stop - f->from,
                 &from, f->from == f->pos);
  ing_given(ing, conn, side, ev->data, (size_t)ev->len, NULL);
  ev->may_wait = ing_may_wait(ing, conn, side) && ing->seg.sum != ING_SUM_BAD;
  f->from = stop;
  return true;
}

void ing_hold(ingest *ing, ingest_held_as as, size_t left) {
  ing_conn *conn = ing->given;
  const unsigned side = ing->given_side;
  ing_dir *d = &conn->dir[side];
  d->next -= left;
  if (conn->history[side] != NULL) {
    ing_history_cut(conn->history[side], d->next);
  }
  const ing_block *whole = ing->given_block;
  const ing_block block = {.pos = d->next,
                           .len = left,
                           .data = ing->given_data + (ing->given_len - left),
                           .from = whole != NULL ? whole->from : ing->now,
                           .segment_start =
                               left == ing->given_len &&
                               (whole == NULL || (whole->pos == d->next && whole->segment_start)),
                           .waits = true,
                           .wrong = as == INGEST_HELD_WRONG};
  ing_next_unsettle(conn);
  keep(ing, conn, good_list, side, &block);
}

/* A direction whose start was not captured begins with its first octets that are not old ones sent
 * again. */
static bool may_begin(const ing_dir *d, uint64_t pos, uint64_t len) {
  return pos + len > d->acked && !(len == 1 && pos < d->next);
}

/*
 * Begins a direction whose start was not captured with the octets at `pos`. What lies between these
 * and the last ones that its receiver had acknowledged may still come: these were overtaken.
 */
static void begin_late(ing_dir *d, uint64_t pos) {
  const bool near = d->acked != 0 && d->acked < pos && pos - d->acked <= ING_LATE_START;
  begin(d, near ? d->acked : pos, false);
  d->first = pos;
}

/* Notes that the sender had sent all octets before `end`. */
static void note_sent(const ing_conn *conn, ing_dir *d, uint64_t end) {
  end = end < d->fin ? end : d->fin;
  if (d->started && end > d->seen) {
    d->seen = end;
    d->advanced_at = conn->packets;
  }
}

/* The block with the octet at `pos`, which waits for its acknowledgment, or NULL. */
static const ing_block *waiting_at(ingest *ing, const ing_conn *conn, unsigned side, uint64_t pos) {
  const ing_reassembly *good = conn->held != NULL ? &conn->held->good[side] : NULL;
  if (good == NULL || good->head[0] == NULL || good->head[0]->pos > conn->dir[side].next) {
    return NULL;
  }
  const ing_block *held = ing_reassembly_find(good, &ing->budget, pos);
  return held != NULL && held->pos <= pos ? held : NULL;
}

/* Returns true if all of [pos, end) was captured before: it came out, or waits in a block for its
 * acknowledgment. */
static bool was_captured(ingest *ing, const ing_conn *conn, unsigned side, uint64_t pos,
                         uint64_t end) {
  const ing_dir *d = &conn->dir[side];
  if (end <= d->next) {
    return true;
  }
  const ing_block *held = waiting_at(ing, conn, side, pos > d->next ? pos : d->next);
  return held != NULL && ing_block_end(held) >= end;
}

/* Counts a segment of octets that the sender had sent by now; one octet before the next one asks
 * whether the other side is there. RFC 9293 3.8.4 */
static void note_again(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos) {
  const ing_dir *d = &conn->dir[side];
  const uint64_t end = pos + ing->seg.payload.len;
  if (pos >= d->seen || (end == d->next && end - pos == 1)) {
    return;
  }
  ingest_resent *count =
      was_captured(ing, conn, side, pos, end) ? &conn->ends.again[side] : &conn->ends.late[side];
  count->packet = count->segments == 0 ? ing->now.packet : count->packet;
  count->segments++;
  ingest_stalls *st = ing_table_stalls(&ing->table, conn);
  if (st != NULL) {
    st->again[side] = ing->now.packet;
  }
}

static ingest_mark mark_now(const ingest *ing) {
  return (ingest_mark){.packet = ing->now.packet, .time_ns = ing->now.time_ns};
}

/* Counts a segment with octets or a FIN that the side had sent before, while the other side sends
 * nothing. A keepalive probe begins before such octets. RFC 1122 4.2.3.6 */
static void note_alone(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos) {
  const ing_dir *d = &conn->dir[side];
  const bool fin = (ing->seg.flags & ING_FIN) != 0 && d->fin != ING_NONE;
  ingest_stalls *st =
      d->started && (pos < d->seen || fin) ? ing_table_stalls(&ing->table, conn) : NULL;
  if (st == NULL) {
    return;
  }
  ingest_alone *alone = &st->alone[side];
  alone->first = alone->segments == 0 ? mark_now(ing) : alone->first;
  alone->latest = mark_now(ing);
  alone->segments++;
}

/* Notes the segment as the last one that is more than an acknowledgment. */
static void note_last(const ingest *ing, ing_conn *conn, unsigned side) {
  if (ing->seg.payload.len > 0 || (ing->seg.flags & (ING_SYN | ING_FIN | ING_RST)) != 0) {
    conn->ends.last = mark_now(ing);
    conn->ends.last_side = (uint8_t)side;
  }
}

static bool take_octets(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos, bool suspect,
                        ingest_event *ev) {
  ing_dir *d = &conn->dir[side];
  const ing_span *payload = &ing->seg.payload;
  if (payload->len == 0 || (!d->started && !may_begin(d, pos, payload->len))) {
    return false;
  }
  if (!suspect) {
    ing_outside_end(ing, conn);
  }
  if (d->ended) { /* only copies that differ are still reported */
    (void)(suspect || ing_copies_usable(ing, conn, side, pos));
    return false;
  }
  if (!d->started) {
    begin_late(d, pos);
  }
  const bool usable = suspect || ing_copies_usable(ing, conn, side, pos);
  if (!suspect && ing->differs != conn) {
    note_again(ing, conn, side, pos);
  }
  if (!usable) {
    return false;
  }
  fresh f = cut(d, payload, pos);
  if (f.to == f.from) {
    d->bad_replaced = d->bad_replaced || suspect;
    return false;
  }
  if (!suspect || !d->proven) {
    note_sent(conn, d, f.to);
  }
  bool given = !suspect && !is_unverified(ing, conn, side) && !is_padding(ing, conn, side) &&
               !ing->seg.in_doubt && give_at_once(ing, conn, side, &f, ev);
  if (given) {
    ing_settle(ing, conn, side, true);
  }
  keep_captured(ing, conn, side, &f, suspect);
  note_snapped(ing, conn, side, f.from > f.captured ? f.from : f.captured, f.to);
  return given;
}

/* Returns true if the octet in place of a FIN was captured before it, so that the FIN does not
 * count. Zeros that may be padding do not tell. */
static bool past_fin(ingest *ing, const ing_conn *conn, unsigned side, uint64_t pos) {
  const ing_block *held = waiting_at(ing, conn, side, pos);
  const bool padding = held != NULL && held->wrong && ing_like_padding(0, held->data, held->len);
  return pos < conn->dir[side].next || (held != NULL && !padding);
}

static void note_fin(ingest *ing, ing_conn *conn, unsigned side, uint64_t pos, uint64_t ack) {
  ing_dir *d = &conn->dir[side];
  if (!d->started) {
    begin(d, pos, false);
  }
  if (d->fin != ING_NONE) {
    return;
  }
  if (past_fin(ing, conn, side, pos)) {
    ing_outside(ing, ing->now.packet);
  } else {
    d->fin = pos;
    d->fin_ack = ack;
    d->fin_resent = d->fin_resent || d->seen > pos;
    conn->ends.fin[side] = mark_now(ing);
    d->seen = pos > d->seen ? pos : d->seen;
  }
}

/* A connection that both sides left is given up some time after. */
static void note_end(ingest *ing, ing_conn *conn) {
  bool over = conn->rst || (conn->dir[0].fin != ING_NONE && conn->dir[1].fin != ING_NONE);
  if (over && conn->deadline == 0) {
    const uint64_t packets = ing->packets.each != NULL ? ING_CLOSED_PACKETS : ING_DYING_PACKETS;
    ing_fade_add(&ing->table.dying, conn, ing->stats.packets + packets);
  }
}

/* An RST, whose octets are no data. RFC 9293 3.5.3 */
static void take_rst(ingest *ing, ing_conn *conn, unsigned side) {
  const ing_dir *d = &conn->dir[side];
  if (!ing_rst_counts(conn, side, &ing->seg)) {
    ing_outside(ing, ing->now.packet);
    return;
  }
  ing_rst_note(ing, conn, side, d->anchored ? ing_unwrap(d->next, ing->seg.seq) : 0);
  (void)note_ack(conn, side, &ing->seg);
  note_end(ing, conn);
}

/* True if the segment has no octets and shows nothing. */
static bool shows_nothing(const ing_conn *conn, unsigned side, const ing_segment *seg) {
  const bool fin = (seg->flags & (ING_SYN | ING_FIN)) == ING_FIN && seg->payload.len == 0;
  return ing_elsewhere(conn, side, seg) || (fin && !ing_fin_counts(conn, side, seg));
}

void ing_show_wanted(const ingest *ing, ing_conn *conn, bool duplicate) {
  const ing_segment *seg = &ing->seg;
  const ingest_seen seen = {.user = &conn->user,
                            .addr = conn->addr,
                            .packet = ing->now.packet,
                            .time_ns = ing->now.time_ns,
                            .len = seg->payload.len,
                            .cap = seg->payload.cap,
                            .seq = seg->seq,
                            .window = seg->window,
                            .flags = seg->flags,
                            .side = ing->seg_side,
                            .duplicate = duplicate,
                            .checksum_wrong = seg->sum == ING_SUM_BAD};
  ing->packets.each(ing->packets.ctx, &seen);
}

static void shut_until(const ingest *ing, ingest_stalls *w, unsigned side, bool open) {
  ingest_shut *now = &w->now[side];
  const uint64_t time_ns = ing->now.time_ns;
  now->last = ing->now.packet;
  now->ns = time_ns > now->since_ns ? time_ns - now->since_ns : 0;
  now->open = open;
  if (w->longest[side].first == now->first || now->ns >= w->longest[side].ns) {
    w->longest[side] = *now;
  }
  now->first = open ? now->first : 0;
}

/* Notes how long each side offered no room. */
static void note_window(ingest *ing, ing_conn *conn, unsigned from) {
  const ing_segment *seg = &ing->seg;
  const bool counts = (seg->flags & (ING_SYN | ING_RST)) == 0 && seg->sum != ING_SUM_BAD;
  const bool begins = counts && seg->window == 0;
  ingest_stalls *w = begins ? ing_table_stalls(&ing->table, conn) : conn->ends.stalls;
  if (w == NULL) {
    return;
  }
  if (begins && w->now[from].first == 0) {
    w->now[from] = (ingest_shut){.first = ing->now.packet, .since_ns = ing->now.time_ns};
  }
  for (unsigned side = 0; side < 2; side++) {
    if (w->now[side].first != 0) {
      shut_until(ing, w, side, side != from || !counts || begins);
    }
  }
}

bool ing_take(ingest *ing, ing_conn *conn, ingest_event *ev) {
  const ing_segment *seg = &ing->seg;
  const unsigned side = ing->seg_side;
  ing_dir *d = &conn->dir[side];
  uint64_t pos;
  ing->accepted = INGEST_COPY_UNKNOWN;
  ing_show(ing, conn, false);
  if (seg->window == 0 || ing_is_shut(conn)) {
    note_window(ing, conn, side);
  }
  if (!seg->in_doubt && ing_next_is(conn, side, seg, &ing->now.ack)) {
    ing_table_keep_way(&ing->table, conn, side, seg->lane);
    if (seg->payload.len > 0) {
      ing_next_event(ing, conn, side, ev);
      return true;
    }
  }
  count_packet(conn, d);
  note_last(ing, conn, side);
  conn->ends.heard[side] = true;
  bool suspect = judge(ing, conn, side);
  conn->ends.met[side ^ 1u] =
      conn->ends.met[side ^ 1u] || (!suspect && (seg->flags & (ING_ACK | ING_RST)) == ING_ACK);
  ing->now.ack = ING_NONE;
  if (conn->ends.stalls != NULL && !suspect && (seg->flags & ING_RST) == 0) {
    conn->ends.stalls->alone[side ^ 1u].segments = 0;
  }
  if (suspect && d->proven) {
    /* Any bit may be wrong, the position too; the octets are kept for want of better ones. */
    pos = ing_unwrap(d->next, seg->seq);
    d->fin_resent = d->fin_resent || (seg->flags & ING_FIN) != 0;
    return d->started && sane(d, pos) && take_octets(ing, conn, side, pos, true, ev);
  }
  if ((seg->flags & ING_RST) != 0) {
    take_rst(ing, conn, side);
    return false;
  }
  if (ing_older(conn, side, seg) || !place(seg, d, &pos) || shows_nothing(conn, side, seg)) {
    ing_outside(ing, ing->now.packet);
    return false;
  }
  ing->now.ack = note_ack(conn, side, seg);
  ing_copies_note_sack(ing, conn, side);
  ing_rst_check(ing, conn, side, pos);
  if (!suspect) {
    note_alone(ing, conn, side, pos);
  }
  if (!suspect && !conn->rst) {
    note_sent(conn, d, pos); /* a segment without octets has the next number, too */
  }
  const bool given = take_octets(ing, conn, side, pos, suspect, ev);
  if ((seg->flags & ING_FIN) != 0) {
    note_fin(ing, conn, side, pos + seg->payload.len, ing->now.ack);
  }
  note_end(ing, conn);
  return given;
}
