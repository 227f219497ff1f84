/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine: packets in, events out. */
#include <ingest/ingest.h>

#include <string.h>

#include "base/siphash.h"
#include "conn.h"
#include "decap/decap.h"
#include "sctp_priv.h"

static const char *const LIMIT_NAMES[] = {
    [INGEST_LIMIT_CONNECTIONS] = "connections", [INGEST_LIMIT_MEMORY] = "memory",
    [INGEST_LIMIT_HELD_OCTETS] = "held-octets", [INGEST_LIMIT_FRAGMENTS] = "fragments",
    [INGEST_LIMIT_MESSAGE] = "message",
};

const char *ingest_limit_name(ingest_limit limit) {
  return (size_t)limit < sizeof LIMIT_NAMES / sizeof LIMIT_NAMES[0] ? LIMIT_NAMES[limit] : NULL;
}

ingest *ingest_new(const ingest_cfg *cfg) {
  const ingest_alloc *alloc = &cfg->alloc;
  ingest *ing = alloc->get(alloc->ctx, sizeof *ing);
  if (ing == NULL) {
    return NULL;
  }
  memset(ing, 0, sizeof *ing);
  ing->alloc = *alloc;
  ing->prompt = cfg->prompt;
  ing->at_once = cfg->at_once;
  ing->wanted = cfg->wanted;
  ing->packets = cfg->packets;
  ing->table.max = cfg->conns_max != 0 ? cfg->conns_max : INGEST_CONNS_MAX;
  ing->sctp_max = cfg->conns_max != 0 ? cfg->conns_max : INGEST_SCTP_ASSOCS_MAX;
  ing->opening = cfg->opening;
  ing->budget.alloc = ing->table.alloc = &ing->alloc;
  ing->budget.steps = ing->table.steps = &ing->stats.steps;
  ing->histories = (ing_histories){.alloc = &ing->alloc,
                                   .steps = &ing->stats.steps,
                                   .max = cfg->copies_max != 0 ? cfg->copies_max : ING_HISTORY_ALL};
  const uint64_t purpose = 1; /* differs from the table's hash, which has five words */
  ing->budget.random = siphash_words(cfg->hash_key, &purpose, 1);
  memcpy(ing->table.hash_key, cfg->hash_key, sizeof ing->table.hash_key);
  ing->caplen_snapped = SIZE_MAX;
  return ing;
}

/* Gives back the octets that the last event lent out. */
static void give_octets_back(ingest *ing) {
  while (ing->spent != NULL) {
    ing_block *next = ing->spent->next[0];
    ing->stats.steps++;
    ing_block_free(ing->spent, &ing->budget);
    ing->spent = next;
  }
  ing_reopen_free(ing, &ing->taken);
}

/* Gives back what the last event lent out; there is something. Octets that are to be held and for
 * which there was no memory yet are still read. */
ING_NOINLINE static void give_back(ingest *ing) {
  if (ing->num_unkept == 0) {
    give_octets_back(ing);
  }
  if (ing->gone != NULL) {
    ing->active = NULL;
    ing_table_remove(&ing->table, ing->gone);
    ing->gone = NULL;
  }
}

static inline void release(ingest *ing) {
  if (ing->spent != NULL || ing->gone != NULL || ing->taken != NULL) {
    give_back(ing);
  }
}

void ingest_free(ingest *ing) {
  if (ing == NULL) {
    return;
  }
  ing->num_unkept = 0;
  release(ing);
  ing_reopen_free(ing, &ing->reopened);
  for (ing_conn *conn; (conn = ing_table_oldest(&ing->table)) != NULL;) {
    ing_reassembly_free(ing, conn);
    ing_copies_free(ing, conn);
    release(ing);
    ing_table_remove(&ing->table, conn);
  }
  for (size_t i = 0; i < ING_FRAGS_DEPTH; i++) {
    ing_frags_free(ing->frags[i]);
  }
  ing_sctp_free(ing->sctp);
  ingest_alloc alloc = ing->alloc;
  alloc.put(alloc.ctx, ing, sizeof *ing);
}

const ingest_stats *ingest_stats_get(const ingest *ing) {
  return &ing->stats;
}

/* Hands an SCTP packet over; ingest_sctp_next goes on with it. */
static void open_sctp(ingest *ing, const ing_ip *ip, bool fragmented) {
  if (ing->sctp == NULL) {
    ing->sctp = ing_sctp_new(&ing->alloc, ing->table.hash_key, &ing->stats);
  }
  if (ing->sctp == NULL) {
    ing->stats.dropped++;
    return;
  }
  ing->sctp->prompt = ing->prompt;
  ing->sctp->at_once = ing->at_once;
  ing->sctp->max = ing->sctp_max;
  ing->sctp->came_max = ing->histories.max;
  const ing_conflict *conflict = ing->conflict.end != 0 ? &ing->conflict : NULL;
  ing_sctp_push(ing->sctp, ip, fragmented, conflict, ing->now.packet, ing->now.time_ns);
}

/* Moves the place of copies that differ from the packet that was put together, at `data`, to the
 * transport inside it. */
static void move_conflict(ingest *ing, const ing_decap *d, const uint8_t *data) {
  ing_conflict *x = &ing->conflict;
  const size_t before = (size_t)(d->ip.body.data - data);
  x->begin = x->begin > before ? x->begin - before : 0;
  x->end = x->end > before ? x->end - before : 0;
}

/* Puts the packet together from fragments and goes on after that, and does so once more where it is
 * a tunnel with a fragment inside. Returns DECAP_FRAGMENT if a fragment is still missing. */
static decap_end join_fragments(ingest *ing, ing_decap *d) {
  decap_end end = DECAP_FRAGMENT;
  for (unsigned depth = 0; end == DECAP_FRAGMENT; depth++) {
    if (depth == ING_FRAGS_DEPTH) {
      return ing_decap_nested(d);
    }
    if (!ing_fragment_open(ing, &d->ip, depth)) {
      return end;
    }
    const uint8_t *data = d->ip.body.data;
    end = ing_decap_resume(d);
    if (end == DECAP_TRANSPORT) {
      move_conflict(ing, d, data);
    }
  }
  return end;
}

/* Takes all headers off down to the transport, if that is not done yet. Returns false if the packet
 * holds neither TCP nor SCTP, or is not whole yet. */
static bool open_layers(ingest *ing, const ingest_packet *pkt, bool *fragmented) {
  ing_decap *d = &ing->walk.decap;
  decap_end end = ing->walk.done ? ing->walk.end : ing_decap_open(d, pkt);
  *fragmented = end == DECAP_FRAGMENT;
  if (*fragmented) {
    end = join_fragments(ing, d);
  }
  const bool shared = *fragmented || (end == DECAP_TRANSPORT && d->ip.next == ING_PROTO_SCTP);
  ing_icmp report;
  const bool icmp = ing_icmp_open(&report, d, end);
  ing_decap_count(&ing->stats.encap[shared], d, icmp ? DECAP_TRANSPORT : end, pkt->number);
  if (icmp && ing->table.count > 0) {
    ing_icmp_take(ing, &report);
  }
  return end == DECAP_TRANSPORT;
}

/* Takes the headers off; false when there is no TCP segment in the packet, or not yet. */
static bool open_packet(ingest *ing, const ingest_packet *pkt) {
  const ing_decap *d = &ing->walk.decap;
  bool fragmented;
  ing->stats.steps += pkt->caplen; /* headers are read, the rest is summed */
  if (!open_layers(ing, pkt, &fragmented)) {
    return false;
  }
  if (d->ip.next == ING_PROTO_SCTP) {
    open_sctp(ing, &d->ip, fragmented);
    return false;
  }
  const bool open = ing_tcp_open(&d->ip, &ing->seg);
  ing->seg.lane = d->lane;
  ing->seg.in_doubt = ing->conflict.end != 0 && ing->conflict.accepted == INGEST_COPY_UNKNOWN;
  return open;
}

/* Remembers whether packets were cut, and whether longer ones were not. */
static void note_caplen(ingest *ing, const ingest_packet *pkt) {
  if (pkt->caplen > ing->caplen_max) {
    ing->caplen_max = pkt->caplen;
  }
  if (pkt->caplen < pkt->len && pkt->caplen < ing->caplen_snapped) {
    ing->caplen_snapped = pkt->caplen;
  }
}

/* Any packet: it is looked at by all its headers. */
ING_NOINLINE static ingest_due push_any(ingest *ing, const ingest_packet *pkt) {
  ing->conflict.end = 0;
  ing->seg_pending = open_packet(ing, pkt);
  ing->walk.done = false;
  if (!ing->seg_pending) {
    ing->stats.ignored++;
    return INGEST_DUE_MORE;
  }
  ing->stats.tcp_packets++;
  ing->stats.bad_checksum += ing_sums_wrong(ing->seg.sum, ing->seg.header_damaged);
  return INGEST_DUE_MORE;
}

ING_NOINLINE ingest_due ingest_push(ingest *ing, const ingest_packet *pkt) {
  release(ing);
  ing->stats.packets++;
  ing->stats.octets += pkt->len;
  ing->now = (ing_origin){.packet = pkt->number, .time_ns = pkt->time_ns, .ack = ING_NONE};
  note_caplen(ing, pkt);
  if (pkt->caplen == 0) { /* a small compressed file may hold millions of them */
    (void)push_any(ing, pkt);
    return INGEST_DUE_NOTHING;
  }
  if (ing_next_open(ing, pkt)) {
    return ing->next != NULL ? INGEST_DUE_EVENT : INGEST_DUE_NOTHING;
  }
  return push_any(ing, pkt);
}

void ingest_skip(ingest *ing, uint64_t packets) {
  ing->stats.packets += packets;
}

uint64_t ingest_deadline(const ingest *ing) {
  const ing_conn *dying = ing->table.dying.first;
  return dying != NULL ? dying->deadline : UINT64_MAX;
}

uint64_t ingest_turn(const ingest *ing) {
  return ing->turn;
}

void ingest_finish(ingest *ing) {
  ing->finishing = true;
  for (size_t i = 0; i < ING_FRAGS_DEPTH; i++) {
    if (ing->frags[i] != NULL) {
      ing_frags_finish(ing->frags[i]);
    }
  }
}

/* Makes the connection say all it has left; a closed one has nothing left, so that nothing is lost
 * with it. */
static void give_up(ingest *ing, ing_conn *conn, ingest_limit limit) {
  if (conn->closed) {
    ing_table_remove(&ing->table, conn);
    return;
  }
  ing_next_unsettle(conn);
  conn->limit = limit != INGEST_LIMIT_NONE && !ing_is_done(conn) ? (uint8_t)limit : conn->limit;
  conn->closing = true;
  conn->evict_on_close = true;
  ing->active = conn;
}

/* Closes connections that ended some time ago and forgets those closed long ago; true when there is
 * one to drain. */
static bool expire(ingest *ing) {
  ing_fade *closed_list = &ing->table.closed_list;
  while (closed_list->first != NULL && closed_list->first->deadline <= ing->stats.packets) {
    ing->stats.steps++;
    ing_table_remove(&ing->table, closed_list->first);
  }
  ing_conn *dying;
  while ((dying = ing->table.dying.first) != NULL && dying->deadline <= ing->stats.packets) {
    ing->stats.steps++;
    if (!ing_awaits(dying)) {
      dying->closing = true;
      ing->active = dying;
      ing->turn = dying->deadline;
      return true;
    }
    ing_fade_remove(&ing->table.dying, dying); /* the connection comes back with its next packet */
  }
  return false;
}

/* Side 0 is the client: it sends the SYN and receives the SYN+ACK, or sends the segment that
 * `waited`. */
static void name_sides(ing_conn *conn, const ing_segment *seg, const ing_reopen *waited) {
  const bool answer = (seg->flags & (ING_SYN | ING_ACK)) == (ING_SYN | ING_ACK);
  if (waited != NULL ? !ing_addr_equal(&seg->src, &waited->seg.src) : answer) {
    conn->addr[0] = seg->dst;
    conn->addr[1] = seg->src;
  }
}

/* Gives up a connection to get memory, but not the one that needs it; false when there is no other.
 */
static bool give_up_for_memory(ingest *ing, const ing_conn *but) {
  ing_conn *conn = ing_table_silent(&ing->table);
  ing->stats.steps++;
  if (conn == but) {
    return false;
  }
  give_up(ing, conn, INGEST_LIMIT_MEMORY);
  return true;
}

/* Makes the connection of the current segment; false when another one has to go first. */
static bool add_conn(ingest *ing, ing_conn **conn, ing_conn *beside) {
  ing_conn *evictee = ing_table_evictee(&ing->table);
  if (evictee != NULL) {
    give_up(ing, evictee, INGEST_LIMIT_CONNECTIONS);
    return false;
  }
  *conn = ing_table_add(&ing->table, &ing->seg, beside);
  if (*conn != NULL) {
    (*conn)->born = ing->now.packet;
    name_sides(*conn, &ing->seg, ing->reopened);
    ing->stats.connections++;
    return true;
  }
  if (give_up_for_memory(ing, NULL)) {
    return false;
  }
  ing->stats.dropped++;
  ing_reopen_free(ing, &ing->reopened);
  return true;
}

/* The side that sent the segment. */
static uint8_t side_of(const ing_conn *conn, const ing_segment *seg) {
  return ing_addr_equal(&conn->addr[0], &seg->src) ? 0 : 1;
}

static bool is_wanted(const ingest *ing, const ing_segment *seg) {
  const ingest_addr addr[2] = {seg->src, seg->dst};
  return ing->wanted.is == NULL || ing->wanted.is(ing->wanted.ctx, addr);
}

/* True if a connection begins with the segment, or with a waiting segment that it answers. */
static bool begins(const ingest *ing, const ing_segment *seg) {
  return ((seg->flags & ING_RST) == 0 || ing->reopened != NULL) && is_wanted(ing, seg);
}

/* True if the current segment shows that another connection began, with it or before it. A segment
 * that may begin a connection waits. */
static bool reopens(ingest *ing, ing_conn *conn) {
  const unsigned side = ing->seg_side;
  const bool open = !ing_is_done(conn) && !conn->closing;
  const bool answered = open && ing_reopen_answered(ing, conn, side);
  const bool reused = answered || ing_reused(conn, side, &ing->seg);
  if (open && !answered &&
      (reused ? ing_reopen_syn_waits(ing, conn, side) : ing_reopen_waits(ing, conn, side))) {
    ing->seg_pending = false;
    return true;
  }
  if (reused) {
    ing->reopened = answered ? ing_reopen_detach(conn) : NULL;
    conn->ends.reused = true;
    give_up(ing, conn, INGEST_LIMIT_NONE);
  }
  return reused;
}

/* Counts the current segment, which has a connection. */
static void count_segment(ingest *ing, ing_conn *conn) {
  const ing_segment *seg = &ing->seg;
  ingest_stats *stats = &ing->stats;
  ing_table_touch(&ing->table, conn, ing->seg_side, seg->payload.len > 0);
  ingest_bad_count(&stats->bad_sums[0], ing_sums_wrong(seg->sum, seg->header_damaged),
                   ing->now.packet);
  ingest_bad_count(&stats->bare, seg->payload.len > 0 && seg->payload.cap == 0, ing->now.packet);
  stats->with_payload += seg->payload.cap > 0;
  stats->bad_headers[0] += seg->header_damaged;
}

/* Finds or makes the connection of the current segment; another one may have to go first. */
static bool route(ingest *ing) {
  const ing_segment *seg = &ing->seg;
  ing_conn *beside;
  ing_conn *conn = ing_lanes_find(&ing->table, seg, &beside);
  const bool found = conn != NULL;
  ing->turn = INGEST_TURN_OWN;
  const bool first = !found && begins(ing, seg);
  if (first && !add_conn(ing, &conn, beside)) {
    return true;
  }
  ing->seg_side = conn != NULL ? side_of(conn, seg) : 0;
  if (found && ing_recent_is_copy(ing, conn, ing->seg_side)) {
    ing->seg_pending = false;
    count_segment(ing, conn);
    ingest_bad_count(&ing->stats.duplicates, true, ing->now.packet);
    if (conn->opened && !conn->closed) {
      ing_show(ing, conn, true);
    }
    return true;
  }
  if (found && reopens(ing, conn)) {
    return true; /* the segment comes back, unless it waits */
  }
  ing->seg_pending = false;
  if (conn != NULL) {
    count_segment(ing, conn);
    ing_recent_note(ing, conn, ing->seg_side);
  } else if (!first && is_wanted(ing, seg)) { /* else it is counted as dropped */
    ing_outside(ing, ing->now.packet);
  }
  if (conn != NULL && !ing_is_done(conn)) {
    ing_next_unsettle(conn);
    ing->seg_for = conn;
    ing->conflict_for = ing->conflict.end != 0 ? conn : NULL;
    ing->active = conn;
  } else if (conn != NULL) {
    if (!conn->closed) {
      ing_show(ing, conn, false);
    }
    ing_outside_late(ing, conn);
  }
  return conn != NULL;
}

/* Finds a connection with something to say, or takes the packet further; false when there is
 * nothing left to do. */
static bool advance(ingest *ing) {
  if (ing->short_of != NULL) {
    ing->active = ing->short_of;
    return true;
  }
  if (ing->seg_pending) {
    return expire(ing) || route(ing);
  }
  ing_conn *oldest = ing->finishing ? ing_table_oldest(&ing->table) : NULL;
  if (oldest != NULL) {
    ing->turn = oldest->born;
    give_up(ing, oldest, INGEST_LIMIT_NONE);
    return true;
  }
  return false;
}

/* True if the octets of the segment are kept now, or given up; else another connection has to go
 * first. */
static bool settle_memory(ingest *ing, ing_conn *conn) {
  while (!ing_keep_again(ing, conn)) {
    if (!give_up_for_memory(ing, conn)) {
      conn->limit = INGEST_LIMIT_MEMORY;
      ing->num_unkept = 0;
    } else if (ing->active != conn) {
      return false;
    }
  }
  ing->short_of = NULL;
  return true;
}

/* Two copies of octets that differ: the second one is of the current segment. */
static void give_difference(ingest *ing, ing_conn *conn, ingest_event *ev) {
  const ing_difference *x = &ing->difference;
  ing_event_fill(ing, conn, ev, INGEST_EVENT_DIFFER, ing->seg_side);
  ev->pos = x->pos;
  ev->len = x->end - x->pos;
  ev->first = x->first;
  ev->copy = ing->seg.payload.data;
  ev->copy_len = ing->seg.payload.cap;
  ev->copy_pos = ing->second_pos;
  ev->accepted = ing->accepted;
  ing->differs = NULL;
}

static void give_open(ingest *ing, ing_conn *conn, ingest_event *ev) {
  ing_event_fill(ing, conn, ev, INGEST_EVENT_OPEN, 0);
  if (ing->reopened != NULL && ing->seg_for == conn) {
    ev->packet = ing->reopened->now.packet;
    ev->time_ns = ing->reopened->now.time_ns;
  }
  conn->opened = true;
}

/* The segment that waited and is taken now: by the connection that it begins, or else by the one
 * that it found, before anything else that this one takes. */
static ing_reopen *waited(ingest *ing, ing_conn *conn) {
  ing_reopen *r = NULL;
  if (ing->seg_for == conn && ing->reopened != NULL) {
    r = ing->reopened;
    ing->reopened = ing_reopen_rest(r);
  } else if (ing->seg_for == conn || conn->closing) {
    r = ing_reopen_return(conn);
  }
  return r;
}

/* Takes the segments of the connection; true with *ev when octets come out. Else there may be no
 * memory, and then another connection has to go first. */
static bool takes(ingest *ing, ing_conn *conn, ingest_event *ev) {
  for (;;) {
    if (ing->short_of == conn && !settle_memory(ing, conn)) {
      return false;
    }
    ing_reopen *first = waited(ing, conn);
    const bool last = first == NULL;
    if (last && ing->seg_for != conn) {
      return false;
    }
    if (last) {
      ing->seg_for = NULL;
    }
    if (last ? ing_take(ing, conn, ev) : ing_reopen_take(ing, conn, first, ev)) {
      return true;
    }
  }
}

static bool next_of(ingest *ing, ing_conn *conn, ingest_event *ev) {
  if (!conn->opened) {
    give_open(ing, conn, ev);
    return true;
  }
  if (ing->conflict_for == conn) {
    ing_conflict_give(ing, conn, ev);
    return true;
  }
  if (takes(ing, conn, ev)) {
    return true;
  }
  if (ing->short_of == conn) {
    return false;
  }
  if (ing->differs == conn) {
    give_difference(ing, conn, ev);
    return true;
  }
  return ing_deliver(ing, conn, ev);
}

const ingest_segment *ingest_next_segment(const ingest *ing) {
  return &ing->due;
}

void ingest_take_segment(ingest *ing) {
  ing_next_take(ing, ing->next, ing->due.side, ing->due.data, ing->due.len);
  ing->next = NULL;
  if (ing->hold > 0) {
    ing_hold(ing, ing->hold_as, ing->hold);
    ing->hold = 0;
  }
}

void ingest_hold(ingest *ing, ingest_held_as as, size_t left) {
  if (ing->next != NULL) {
    ing->hold = left;
    ing->hold_as = as;
  } else {
    ing_hold(ing, as, left);
  }
}

ingest_due ingest_due_after(const ingest *ing) {
  return ing->short_of != NULL ? INGEST_DUE_MORE : INGEST_DUE_NOTHING;
}

bool ingest_next(ingest *ing, ingest_event *ev) {
  if (ing->next != NULL) {
    ing->seg.payload = (ing_span){.data = ing->due.data, .cap = ing->due.len, .len = ing->due.len};
    ing_next_event(ing, ing->next, ing->due.side, ev);
    ing->next = NULL;
    return true;
  }
  release(ing);
  do {
    ing_conn *conn = ing->active;
    if (conn != NULL && next_of(ing, conn, ev)) {
      return true;
    }
    if (ing->active == conn) {
      ing->active = NULL;
    }
  } while (ing->active != NULL || advance(ing));
  return false;
}
