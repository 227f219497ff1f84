/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of a connection that can come out: held octets, gaps, ends, the close. Their order
 * respects cause and effect. */
#include "conn.h"

typedef enum head_kind { HEAD_NONE = 0, HEAD_DATA, HEAD_FIN } head_kind;

/* What a direction could deliver next. */
typedef struct head {
  head_kind kind;
  bool suspect;
  bool waits; /* the head has to come out later, for its own acknowledgment or for earlier octets */
  bool blocked; /* the head answers octets of the other side that did not come out yet */
  const ing_block *block;
  uint64_t end;
  uint64_t packet;
  uint64_t ack;
} head;

void ing_event_fill(ingest *ing, ing_conn *conn, ingest_event *ev, ingest_event_kind kind,
                    unsigned side) {
  const ing_dir *d = &conn->dir[side];
  *ev = (ingest_event){.kind = kind,
                       .from = ing,
                       .user = &conn->user,
                       .addr = conn->addr,
                       .ends = &conn->ends,
                       .side = (uint8_t)side,
                       .pos = d->started ? d->next : INGEST_POS_UNKNOWN,
                       .start_known = d->start_known,
                       .start = d->started ? d->start : INGEST_POS_UNKNOWN,
                       .packet = ing->now.packet,
                       .time_ns = ing->now.time_ns,
                       .peer_pos = INGEST_POS_UNKNOWN};
}

void ing_event_data(ingest *ing, ing_conn *conn, ingest_event *ev, unsigned side,
                    const uint8_t *data, uint64_t len, const ing_origin *from, bool segment_start) {
  ing_event_fill(ing, conn, ev, INGEST_EVENT_DATA, side);
  ev->data = data;
  ev->len = len;
  ev->packet = from->packet;
  ev->time_ns = from->time_ns;
  ev->peer_pos = from->ack;
  ev->segment_start = segment_start;
  ing_copies_came(ing, conn, side, data, len, from);
  conn->dir[side].next += len;
}

/* --- Cause and effect --- */

/* How far the opposite side has to be delivered before octets that acknowledge `ack`. */
static uint64_t wanted(const ing_conn *conn, unsigned side, uint64_t ack) {
  const ing_dir *p = &conn->dir[side ^ 1u];
  if (ack == ING_NONE || !p->started || !p->present || p->ended) {
    return 0;
  }
  return ack == p->seen + 1 ? p->seen : ack; /* a number after all octets is the FIN */
}

bool ing_blocked(const ing_conn *conn, unsigned side, uint64_t ack) {
  return wanted(conn, side, ack) > conn->dir[side ^ 1u].next;
}

/* --- What to wait for --- */

/* True if full copies of cut packets may come. */
static bool mixed_capture(const ingest *ing) {
  return ing->caplen_max > ing->caplen_snapped;
}

/*
 * True if waiting for [next, end) of a direction has to stop. Octets that their receiver did not
 * acknowledge are still expected, after a FIN too: TCP sends them again, except after an RST.
 */
static bool is_due(const ingest *ing, const ing_conn *conn, unsigned side, uint64_t end) {
  const ing_dir *d = &conn->dir[side];
  const ing_held *held = conn->held;
  if (held != NULL && held->past_acked[side][0] >= end) {
    return true;
  }
  if (d->snapped >= end &&
      (!mixed_capture(ing) || (held != NULL && held->past_seen[side][0] > d->next))) {
    return true;
  }
  return conn->rst && conn->packets - conn->rst_at >= ING_PATIENCE;
}

/*
 * True if a segment with a bad checksum is used. If no checksum of this sender was ever right, the
 * acknowledgment shows that the receiver accepts them. Else the receiver dropped the segment and
 * acknowledged another copy, which the capture may still show.
 */
static bool is_usable(const ingest *ing, const ing_conn *conn, unsigned side,
                      const ing_block *block, bool hurry) {
  const ing_dir *d = &conn->dir[side];
  uint64_t end = ing_block_end(block);
  if (d->acked < end && block->pos > d->seen) {
    return false; /* the sequence number itself may be wrong */
  }
  if (d->bad_accepted || is_due(ing, conn, side, end) || (!d->proven && d->acked >= end)) {
    return true;
  }
  return hurry && (d->heard || d->start_known); /* else the port may be wrong */
}

static const ing_block *first_good(const ing_conn *conn, unsigned side) {
  return conn->held != NULL ? conn->held->good[side].head[0] : NULL;
}

static const ing_block *first_suspect(const ingest *ing, const ing_conn *conn, unsigned side,
                                      bool hurry) {
  const ing_block *block = conn->held != NULL ? conn->held->suspect[side].head[0] : NULL;
  return block != NULL && is_usable(ing, conn, side, block, hurry) ? block : NULL;
}

/* True if octets of a cut packet still wait for their acknowledgment, which may not be captured. */
static bool waits_for_ack(const ingest *ing, const ing_conn *conn, unsigned side,
                          const ing_block *good, bool hurry) {
  const ing_dir *d = &conn->dir[side];
  return (good->unverified || good->waits) && !hurry && d->acked <= d->next &&
         conn->held->past_seen[side][0] < ing_block_end(good) &&
         !is_due(ing, conn, side, ing_block_end(good));
}

/* True if octets of a direction were sent that are neither captured nor acknowledged. */
static bool is_lacking(const ing_dir *d) {
  return !d->ended && d->next < d->seen && d->acked < d->seen;
}

bool ing_awaits(const ing_conn *conn) {
  return !conn->rst && (is_lacking(&conn->dir[0]) || is_lacking(&conn->dir[1]));
}

/* --- Heads --- */

/* True if octets of the other side wait for their acknowledgment that were captured before the FIN:
 * these come first. */
static bool fin_waits(const ingest *ing, const ing_conn *conn, unsigned side, bool hurry) {
  const ing_block *good = first_good(conn, side ^ 1u);
  return good != NULL && good->pos <= conn->dir[side ^ 1u].next &&
         good->from.packet < conn->ends.fin[side].packet &&
         waits_for_ack(ing, conn, side ^ 1u, good, hurry);
}

/* True if the FIN is next. A FIN with a bad checksum that is not acknowledged may belong to another
 * connection, or have a wrong number. */
static bool is_fin(const ing_dir *d, bool hurry) {
  return d->fin == d->next && (hurry || d->acked > d->fin || !ing_dir_unsound(d));
}

static head find_head(ingest *ing, const ing_conn *conn, unsigned side, bool hurry) {
  const ing_dir *d = &conn->dir[side];
  head h = {.kind = HEAD_NONE, .ack = ING_NONE, .packet = UINT64_MAX};
  if (!d->started || d->ended) {
    return h;
  }
  const ing_block *good = first_good(conn, side);
  const ing_block *suspect = first_suspect(ing, conn, side, hurry);
  if (is_fin(d, hurry)) {
    h.kind = HEAD_FIN;
    h.ack = d->fin_ack;
    h.waits = fin_waits(ing, conn, side, hurry);
  } else if (good != NULL && good->pos <= d->next) {
    h.kind = HEAD_DATA;
    h.block = good;
    h.end = ing_block_end(good);
    h.waits = waits_for_ack(ing, conn, side, good, hurry);
  } else if (suspect != NULL && suspect->pos <= d->next) {
    h.kind = HEAD_DATA;
    h.suspect = true;
    h.block = suspect;
    h.end = ing_block_end(suspect);
    h.end = good != NULL && good->pos < h.end ? good->pos : h.end;
  }
  if (h.kind == HEAD_DATA) {
    h.end = h.end > d->fin ? d->fin : h.end;
    h.packet = h.block->from.packet;
    h.ack = ing_reassembly_cause(good, h.block->from.ack, &ing->stats.steps);
  }
  h.blocked = h.kind != HEAD_NONE && ing_blocked(conn, side, h.ack);
  return h;
}

static void give_end(ingest *ing, ing_conn *conn, ingest_event *ev, unsigned side, ingest_end end) {
  ing_event_fill(ing, conn, ev, INGEST_EVENT_END, side);
  ev->end = end;
  const bool known = end == INGEST_END_FIN && !conn->dir[side].fin_resent;
  ev->peer_pos = known ? conn->dir[side].fin_ack : INGEST_POS_UNKNOWN;
  conn->dir[side].ended = true;
}

static void give_head(ingest *ing, ing_conn *conn, ingest_event *ev, unsigned side, const head *h) {
  ing_dir *d = &conn->dir[side];
  if (h->kind == HEAD_FIN) {
    give_end(ing, conn, ev, side, INGEST_END_FIN);
    ev->packet = conn->ends.fin[side].packet;
    ev->time_ns = conn->ends.fin[side].time_ns;
    ing_purge(ing, conn, side);
    return;
  }
  uint64_t skip = d->next - h->block->pos;
  ing_event_data(ing, conn, ev, side, h->block->data + skip, h->end - d->next, &h->block->from,
                 h->block->segment_start && skip == 0);
  ev->peer_pos = h->ack;
  ev->differ = h->block->differ;
  ing_given(ing, conn, side, ev->data, (size_t)ev->len, h->block);
  ev->may_wait = !h->suspect && !h->block->waits && !h->block->unverified && !conn->closing &&
                 !ing->forced && ing_may_wait(ing, conn, side);
  if (h->suspect) {
    ev->damaged = d->proven;
    d->bad_used++;
    d->seen = d->seen < h->end ? h->end : d->seen;
    d->bad_accepted = !d->proven || (d->bad_used >= ING_SUSPECTS_PROVE && !d->bad_replaced);
  }
  ing_settle(ing, conn, side, !h->suspect);
}

/* Gives the side whose packet came first, of the sides that may go out. This also breaks the tie
 * where each side waits for the other. */
static bool give_ready(ingest *ing, ing_conn *conn, ingest_event *ev, const head h[2]) {
  bool some0 = h[0].kind != HEAD_NONE && !h[0].waits;
  bool some1 = h[1].kind != HEAD_NONE && !h[1].waits;
  bool tie = some0 && some1 && h[0].blocked && h[1].blocked;
  bool ready0 = some0 && (tie || !h[0].blocked);
  bool ready1 = some1 && (tie || !h[1].blocked);
  if (!ready0 && !ready1) {
    return false;
  }
  unsigned side = ready1 && (!ready0 || h[1].packet < h[0].packet) ? 1 : 0;
  give_head(ing, conn, ev, side, &h[side]);
  return true;
}

/* --- Holes --- */

/* A run of missing octets at the head of a direction. */
typedef struct hole {
  uint64_t end; /* ING_NONE: there is no hole */
  uint64_t age; /* the packet that showed it */
} hole;

/* The hole before the next octets available. */
static hole hole_before_octets(const ingest *ing, const ing_conn *conn, unsigned side, bool hurry) {
  const ing_dir *d = &conn->dir[side];
  const ing_block *good = first_good(conn, side);
  const ing_block *suspect = first_suspect(ing, conn, side, hurry);
  hole h = {.end = d->fin > d->next ? d->fin : ING_NONE, .age = UINT64_MAX};
  if (good != NULL && good->pos < h.end) {
    h = (hole){.end = good->pos, .age = good->from.packet};
  }
  if (suspect != NULL && suspect->pos < h.end) {
    h = (hole){.end = suspect->pos, .age = suspect->from.packet};
  }
  return h;
}

/*
 * The hole at the end of what was sent: nothing available lies after it. A lone segment with a bad
 * checksum shows nothing: its port may be wrong.
 */
static hole hole_at_end(const ing_conn *conn, unsigned side) {
  const ing_dir *d = &conn->dir[side];
  uint64_t end = d->heard ? d->seen : d->next;
  if (conn->closing && d->present && d->acked > d->seen + 1) {
    end = d->acked;
  }
  return (hole){.end = end > d->next ? end : ING_NONE, .age = UINT64_MAX};
}

/* The hole of a direction that is to be given up now. */
static hole find_hole(const ingest *ing, const ing_conn *conn, unsigned side, const head heads[2],
                      bool hurry) {
  const ing_dir *d = &conn->dir[side];
  const head *peer = &heads[side ^ 1u];
  hole none = {.end = ING_NONE, .age = UINT64_MAX};
  const ing_block *good = first_good(conn, side);
  if (!d->started || d->ended || heads[side].kind != HEAD_NONE ||
      (good != NULL && good->pos <= d->next)) {
    return none;
  }
  hole h = hole_before_octets(ing, conn, side, hurry);
  if (h.end != ING_NONE && (hurry || is_due(ing, conn, side, h.end))) {
    return h;
  }
  if (peer->blocked) {
    hole w = {.end = wanted(conn, side ^ 1u, peer->ack), .age = peer->packet};
    if (w.end < h.end && (hurry || is_due(ing, conn, side, w.end))) {
      return w;
    }
  }
  return hurry ? hole_at_end(conn, side) : none;
}

/* The limit that causes a gap. `settled`: the missing octets are not expected any more. */
static ingest_limit gap_limit(const ingest *ing, const ing_conn *conn, bool settled) {
  if (conn->limit == INGEST_LIMIT_MEMORY || conn->limit == INGEST_LIMIT_CONNECTIONS) {
    return (ingest_limit)conn->limit;
  }
  return ing->forced && !settled ? INGEST_LIMIT_HELD_OCTETS : INGEST_LIMIT_NONE;
}

static bool give_gap(ingest *ing, ing_conn *conn, ingest_event *ev, const head heads[2],
                     bool hurry) {
  hole a = find_hole(ing, conn, 0, heads, hurry);
  hole b = find_hole(ing, conn, 1, heads, hurry);
  if (a.end == ING_NONE && b.end == ING_NONE) {
    return false;
  }
  unsigned side = a.end == ING_NONE || (b.end != ING_NONE && b.age < a.age) ? 1 : 0;
  ing_dir *d = &conn->dir[side];
  uint64_t end = side == 0 ? a.end : b.end;
  ing_event_fill(ing, conn, ev, INGEST_EVENT_GAP, side);
  ev->len = end - d->next;
  ev->snapped = d->snapped >= end;
  ev->limit = gap_limit(ing, conn, ev->snapped || d->acked >= end);
  d->next = end;
  d->seen = d->seen < end ? end : d->seen;
  ing_settle(ing, conn, side, false);
  return true;
}

/* --- Ends --- */

/* The sender of an RST has sent all before it. An RST with an earlier number answers octets that
 * came after the close, so its FIN may still be captured. The other side's octets may still have
 * been on their way: as long as they come they count. */
static bool give_reset(ingest *ing, ing_conn *conn, ingest_event *ev, unsigned side,
                       const head heads[2]) {
  const ing_dir *d = &conn->dir[side];
  uint32_t last = d->advanced_at > conn->rst_at ? d->advanced_at : conn->rst_at;
  bool late = conn->closing || conn->packets - last >= ING_PATIENCE;
  bool whole = side == conn->ends.rst_side && d->next >= ing_rst_pos(conn) && d->next >= d->seen;
  bool now = whole && d->next == ing_rst_pos(conn);
  if (!conn->rst || d->ended || heads[side].kind != HEAD_NONE || (!late && !now)) {
    return false;
  }
  give_end(ing, conn, ev, side, INGEST_END_RST);
  ev->peer_pos = whole ? conn->dir[side ^ 1u].acked : INGEST_POS_UNKNOWN;
  ev->packet = conn->ends.rst.packet;
  ev->time_ns = conn->ends.rst.time_ns;
  return true;
}

static bool give_last(ingest *ing, ing_conn *conn, ingest_event *ev, unsigned side) {
  if (!conn->closing || conn->dir[side].ended) {
    return false;
  }
  give_end(ing, conn, ev, side, INGEST_END_CAPTURE);
  return true;
}

/* True if packets in fragments between the two hosts were given up. */
static bool lost_fragments(const ingest *ing, const ing_conn *conn) {
  const ingest_addr *addr = conn->addr;
  return ing_fragments_lost(ing, addr[0].family, addr[0].ip, addr[1].ip);
}

/* Octets of a side that the other side, which was seen, did not acknowledge. */
static uint64_t unacknowledged(const ing_conn *conn, unsigned side) {
  const ing_dir *d = &conn->dir[side];
  const uint64_t end = d->seen < d->fin ? d->seen : d->fin;
  const uint64_t from = d->acked > d->start ? d->acked : d->start;
  return d->started && conn->ends.heard[side ^ 1u] && end > from ? end - from : 0;
}

static void give_close(ingest *ing, ing_conn *conn, ingest_event *ev) {
  ing_event_fill(ing, conn, ev, INGEST_EVENT_CLOSE, 0);
  ev->unacknowledged[0] = unacknowledged(conn, 0);
  ev->unacknowledged[1] = unacknowledged(conn, 1);
  ing_icmp_close(conn);
  ing_reassembly_free(ing, conn);
  ing_copies_free(ing, conn);
  if (conn->deadline != 0) {
    ing_fade_remove(&ing->table.dying, conn);
  }
  if (conn->limit == INGEST_LIMIT_NONE && lost_fragments(ing, conn)) {
    conn->limit = INGEST_LIMIT_FRAGMENTS;
  }
  ev->limit = (ingest_limit)conn->limit;
  ing->stats.given_up += ev->limit != INGEST_LIMIT_NONE;
  conn->closed = true;
  ing_fade_add(&ing->table.closed_list, conn, ing->stats.packets + ING_CLOSED_PACKETS);
  if (conn->evict_on_close) {
    ing->gone = conn;
  }
}

static bool give_end_or_close(ingest *ing, ing_conn *conn, ingest_event *ev, const head heads[2]) {
  const unsigned first = conn->ends.rst_side;
  if (give_reset(ing, conn, ev, first, heads) || give_reset(ing, conn, ev, first ^ 1u, heads) ||
      give_last(ing, conn, ev, 0) || give_last(ing, conn, ev, 1)) {
    return true;
  }
  if (ing_is_done(conn) && (conn->closing || ing->packets.each == NULL)) {
    give_close(ing, conn, ev);
    return true;
  }
  return false;
}

/*
 * True if a direction begins after the octets with which it seemed to begin. Those were only
 * acknowledged, not captured, and a stream begins with its first captured octet.
 */
static bool begins_later(ingest *ing, ing_conn *conn, unsigned side, const head heads[2],
                         bool hurry) {
  ing_dir *d = &conn->dir[side];
  if (d->start_known || d->next >= d->first || d->next != d->start) {
    return false;
  }
  const hole h = find_hole(ing, conn, side, heads, hurry);
  if (h.end == ING_NONE) {
    return false;
  }
  d->start = d->next = h.end < d->first ? h.end : d->first;
  return true;
}

/* What can be said now; in a hurry nothing more is waited for. */
static bool give_next(ingest *ing, ing_conn *conn, ingest_event *ev, bool hurry) {
  const bool begin = hurry || ing_too_much(ing, conn);
  head heads[2];
  do {
    heads[0] = find_head(ing, conn, 0, hurry);
    heads[1] = find_head(ing, conn, 1, hurry);
    if (give_ready(ing, conn, ev, heads)) {
      return true;
    }
  } while (begins_later(ing, conn, 0, heads, begin) || begins_later(ing, conn, 1, heads, begin));
  return give_gap(ing, conn, ev, heads, hurry) || give_end_or_close(ing, conn, ev, heads);
}

/* Returns true if the event gives octets that waited for their acknowledgment alone: they are what
 * was captured, and a later copy that differs is still reported. */
static bool gives_unproven(const ingest *ing, const ingest_event *ev) {
  const ing_block *block = ing->given_block;
  return ev->kind == INGEST_EVENT_DATA && block != NULL && block->waits && !block->wrong &&
         !block->unverified;
}

/* Too much is held: octets go out, or are given up, that would have waited for better ones. */
static bool give_forced(ingest *ing, ing_conn *conn, ingest_event *ev) {
  ing->forced = true;
  const bool given = give_next(ing, conn, ev, true);
  ing->forced = false;
  if (!given) {
    ing_drop_suspects(ing, conn, 0);
    ing_drop_suspects(ing, conn, 1);
  }
  /* A gap in which no octets could be expected any more costs none. */
  if (conn->limit == INGEST_LIMIT_NONE && !(given && gives_unproven(ing, ev)) &&
      (!given || ev->kind != INGEST_EVENT_GAP || ev->limit != INGEST_LIMIT_NONE)) {
    conn->limit = INGEST_LIMIT_HELD_OCTETS;
  }
  return given;
}

bool ing_deliver(ingest *ing, ing_conn *conn, ingest_event *ev) {
  if (conn->closed || ing_is_quiet(conn)) {
    return false;
  }
  ing->stats.steps++;
  if (give_next(ing, conn, ev, conn->closing) ||
      (ing_too_much(ing, conn) && give_forced(ing, conn, ev))) {
    return true;
  }
  if (conn->held != NULL && conn->held->size == 0 && conn->held->reopen == NULL) {
    ing_reassembly_free(ing, conn);
  }
  return false;
}
