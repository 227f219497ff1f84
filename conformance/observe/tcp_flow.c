/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds iWARP in one TCP connection. */
#include "tcp_doubt.h"

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>

/* ---- finding iWARP ---- */

/* Forgets the events that wait: it is known what the connection is. */
static void tcp_no_wait(observe *obs, tcp_flow *f) {
  if (f->wanted) {
    obs_waiting_drop(&f->waiting, &obs->wanted);
  }
  f->wanted = false;
  obs_tcp_search_end(obs, f);
}

static void tcp_found(observe *obs, tcp_flow *f, uint8_t side, const iwarp_span parts[2],
                      uint64_t end, const iwarp_meta *meta) {
  tcp_side *fs = &f->side[side];
  const iwarp_meta held_meta = fs->held;
  if (!obs_tcp_conn_open(obs, f, false)) {
    return;
  }
  f->conn->packet = meta->packet;
  f->conn->time_ns = meta->time_ns;
  obs_tcp_start(obs, f, side, end - parts[0].len - parts[1].len);
  obs_tcp_push(obs, f->conn, side, parts[0], parts[1].len > 0 ? &held_meta : meta);
  obs_tcp_push(obs, f->conn, side, parts[1], meta);
  f->join_due = true;
  f->join_side = 1 - side;
  f->received = parts[0].len > 0 && parts[1].len > 0 ? held_meta.peer_pos : meta->peer_pos;
  obs_late_join(obs, f, f->side[1 - side].ended);
  for (uint8_t i = 0; i < 2; i++) {
    if (f->side[i].ended) {
      obs_tcp_end(obs, f, i, f->side[i].how, meta);
    }
  }
}

/* Keeps the beginning of a stream as long as it may turn out to be a Request with a wrong key. */
static void tcp_keep_early(observe *obs, tcp_flow *f, const ingest_event *ev,
                           const iwarp_meta *meta) {
  tcp_side *own = &f->side[ev->side];
  tcp_side *peer = &f->side[1 - ev->side];
  const bool first = ev->start_known && ev->pos == ev->start;
  if (own->scan.num_held == 0) { /* this side has said something that is no key */
    obs_early_data_drop(&peer->early, &obs->early_used);
    peer->early_lost = false;
  }
  if (first ? !peer->seen || peer->scan.num_held > 0 : own->early != NULL) {
    obs_early_data_add(&own->early, &obs->early_used, ev->pos,
                       (iwarp_span){ev->data, (size_t)ev->len}, meta);
    own->early_lost = own->early == NULL;
  }
}

/* Octets that the scan holds back may come in many packets, in any order. */
static void tcp_hold(tcp_side *fs, size_t pushed, const iwarp_meta *meta) {
  if (fs->scan.num_held <= pushed || meta->packet > fs->held.packet) {
    const bool damaged = fs->scan.num_held > pushed && fs->held.damaged;
    fs->held = *meta;
    fs->held.damaged = fs->held.damaged || damaged;
  }
}

static void tcp_note_head(tcp_side *fs, const ingest_event *ev) {
  iwarp_mpa_startup frame;
  if (fs->num_head == sizeof fs->head || !ev->start_known || ev->pos != ev->start + fs->num_head) {
    return;
  }
  fs->head_received = ev->peer_pos;
  for (uint64_t i = 0; i < ev->len && fs->num_head < sizeof fs->head; i++) {
    fs->head[fs->num_head++] = ev->data[i];
  }
  const iwarp_span head = {fs->head, fs->num_head};
  if (iwarp_mpa_startup_head_decode(&frame, head).err == IWARP_OK &&
      obs_tcp_like_startup(head, &frame)) {
    fs->wrong_key = true;
    fs->private_end = ev->start + sizeof fs->head + frame.pd_length;
  }
}

/*
 * Octets of the event in which a startup key does not count. They are Private Data of a frame with
 * a wrong key, until the other side has answered. If that side was not seen, they are all octets
 * after the frame.
 */
static size_t tcp_keyless(tcp_flow *f, const ingest_event *ev) {
  tcp_side *fs = &f->side[ev->side];
  const bool alone = !f->side[1 - ev->side].seen;
  tcp_note_head(fs, ev);
  const bool private = ev->pos < fs->private_end && ev->peer_pos == fs->head_received;
  if (!fs->wrong_key || (!alone && !private)) {
    return 0;
  }
  const uint64_t left = alone ? ev->len : fs->private_end - ev->pos;
  fs->streaming += fs->scan.num_held;
  iwarp_scan_gap(&fs->scan);
  return (size_t)(left < ev->len ? left : ev->len);
}

static void tcp_scan(observe *obs, tcp_flow *f, const ingest_event *ev, const iwarp_meta *meta) {
  tcp_side *fs = &f->side[ev->side];
  iwarp_span parts[2] = {{0}};
  const size_t keyless = tcp_keyless(f, ev);
  const iwarp_span in = {ev->data + keyless, (size_t)ev->len - keyless};
  const size_t held_before = fs->scan.num_held;
  fs->streaming += keyless;
  if (iwarp_scan_push(&fs->scan, &parts[0], &parts[1], in)) {
    fs->streaming += held_before + in.len - parts[0].len - parts[1].len;
    tcp_no_wait(obs, f);
    tcp_found(obs, f, ev->side, parts, ev->pos + ev->len, meta);
    return;
  }
  fs->streaming += held_before + in.len - fs->scan.num_held;
  tcp_hold(fs, in.len, meta);
  tcp_keep_early(obs, f, ev, meta);
}

/* ---- events of ingest ---- */

/* What a flow lost to a limit is the loss of its connection, if it has one. */
static void tcp_limit(tcp_flow *f, ingest_limit limit) {
  const char *name = ingest_limit_name(limit);
  if (name != NULL && f->conn != NULL) {
    obs_followed_limit(f->conn, name);
  } else if (name != NULL && f->limit == NULL) {
    f->limit = name;
  }
}

/* Makes the sides if they do not exist; false: no memory. */
static bool tcp_sides(observe *obs, tcp_flow *f) {
  if (f->side != NULL) {
    return true;
  }
  f->side = obs_memory_get(obs, 2 * sizeof *f->side);
  for (size_t i = 0; f->side != NULL && f->given_up && i < 2; i++) {
    iwarp_scan_gap(&f->side[i].scan);
  }
  obs->failed = obs->failed || f->side == NULL;
  return f->side != NULL;
}

static void tcp_open(observe *obs, const ingest_event *ev) {
  tcp_flow *f = memory_zeroed(1, sizeof *f);
  *ev->user = f;
  if (f == NULL) {
    obs->failed = true;
    return;
  }
  obs->budget->engines += observe_budget_cost(sizeof *f);
  memcpy(f->addr, ev->addr, sizeof f->addr);
  f->ends = ev->ends;
  obs->flows++;
  obs->work += OBS_WORK_TCP;
  f->began_ns = ev->time_ns;
  f->began_packet = ev->packet;
  f->received = INGEST_POS_UNKNOWN;
  const bool wanted =
      obs->cfg.ports != NULL && (observe_ports_has(obs->cfg.ports, f->addr[0].port) ||
                                 observe_ports_has(obs->cfg.ports, f->addr[1].port));
  if (wanted) {
    observe_ports_add(obs->met, f->addr[0].port);
    observe_ports_add(obs->met, f->addr[1].port);
    f->wanted = true;
  }
}

static void tcp_see(tcp_flow *f, const ingest_event *ev) {
  tcp_side *fs = &f->side[ev->side];
  if (!fs->seen) {
    fs->seen = true;
    fs->start_known = ev->start_known;
    fs->start = ev->start;
  }
}

static void tcp_push(observe *obs, tcp_flow *f, const ingest_event *ev, const iwarp_meta *meta) {
  obs_tcp_push(obs, f->conn, ev->side, (iwarp_span){ev->data, (size_t)ev->len}, meta);
}

/* Data of a side that has not joined its connection yet. */
static void tcp_joining(observe *obs, tcp_flow *f, const ingest_event *ev, const iwarp_meta *meta) {
  if (f->conn->joined) {
    obs_followed_number(obs, f->conn, meta->packet);
  }
  obs_late_join(obs, f, ev->side == f->join_side);
  obs_late_join_gap(obs, f, ev->side, ev->pos, meta);
  obs_tcp_start(obs, f, ev->side, ev->pos);
  tcp_push(obs, f, ev, meta);
  obs_late_join(obs, f, false);
  f->side[ev->side].direct = !f->join_due;
}

/* Data that need more than the engine. */
static void tcp_indirect(observe *obs, tcp_flow *f, const ingest_event *ev,
                         const iwarp_meta *meta) {
  tcp_see(f, ev);
  if (f->conn != NULL) {
    tcp_joining(obs, f, ev, meta);
  } else {
    tcp_scan(obs, f, ev, meta);
  }
  f->side[ev->side].last = *meta;
}

/* Octets wait that are wrong, or that nothing proves, since another copy may come. */
static void tcp_data(observe *obs, tcp_flow *f, const ingest_event *ev) {
  tcp_side *fs = &f->side[ev->side];
  const iwarp_meta meta = obs_tcp_meta(ev);
  const tcp_unproven wait = f->search == TCP_SEARCH_BEGUN ? (tcp_unproven){0} : obs_tcp_wait(f, ev);
  ingest_event taken = *ev;
  taken.len -= wait.len;
  if (ev->differ && !obs_tcp_doubt_of(f, ev->side, ev->pos, ev->pos + ev->len)) {
    obs_tcp_doubt_add(obs, f, ev->side, ev->pos, ev->pos + ev->len);
  }
  if (fs->direct) {
    tcp_push(obs, f, &taken, &meta);
  } else if (taken.len > 0) {
    tcp_indirect(obs, f, &taken, &meta);
  }
  if (wait.len > 0) {
    ingest_hold(ev->from, wait.as, wait.len);
  }
  fs->next = taken.pos + taken.len;
  if (f->conn != NULL && f->conn->fresh) {
    obs_tcp_settle(obs, f->conn);
  }
}

static void tcp_missing(observe *obs, tcp_flow *f, const ingest_event *ev) {
  tcp_side *fs = &f->side[ev->side];
  const tcp_gap gap = {.pos = ev->pos,
                       .len = ev->len,
                       .reason = ev->snapped ? IWARP_GAP_SNAPLEN : IWARP_GAP_LOST,
                       .meta = obs_tcp_meta(ev)};
  tcp_see(f, ev);
  tcp_limit(f, ev->limit);
  if (f->conn != NULL) {
    obs_late_join(obs, f, true);
    obs_tcp_start(obs, f, ev->side, ev->pos);
    obs_tcp_gap(obs, f->conn, ev->side, &gap);
  } else {
    fs->streaming += fs->scan.num_held;
    fs->lossy = true;
    iwarp_scan_gap(&fs->scan);
    obs_early_data_drop(&fs->early, &obs->early_used);
    fs->early_lost = false;
  }
  fs->gap = gap;
  fs->next = ev->pos + ev->len;
}

static void tcp_end(observe *obs, tcp_flow *f, const ingest_event *ev) {
  tcp_side *fs = &f->side[ev->side];
  if (fs->ended) {
    return;
  }
  if (!fs->seen) {
    fs->next = ev->pos;
    fs->start = ev->start;
    fs->start_known = ev->start_known;
  }
  fs->ended = true;
  fs->how = obs_end(ev->end);
  if (f->conn != NULL) {
    const iwarp_meta meta = obs_tcp_meta(ev);
    obs_late_join(obs, f, true);
    obs_tcp_end(obs, f, ev->side, fs->how, &meta);
  }
}

/* Counts a connection, and remembers its port where it may be iWARP from its middle on. */
static void tcp_count(observe *obs, const tcp_flow *f, bool taken) {
  const bool late = !f->side[0].start_known && !f->side[1].start_known;
  const uint64_t octets = f->side[0].streaming + f->side[1].streaming;
  const uint16_t a = f->addr[0].port;
  const uint16_t b = f->addr[1].port;
  obs->found.tcp++;
  obs->found.late += late ? 1u : 0u;
  if (late && !taken && octets > obs->found.port_octets) {
    obs->found.port_octets = octets;
    obs->found.port = a < b ? a : b;
  }
}

static void tcp_free(observe *obs, tcp_flow *f) {
  tcp_no_wait(obs, f);
  obs_tcp_sides_free(obs, f);
  obs_tcp_doubt_free(obs, f);
  obs->short_of.lost -= f->lost;
  obs->flows--;
  if (obs->flows + obs->assocs == 0) {
    obs_given_up_free(obs);
  }
  obs->budget->engines -= observe_budget_cost(sizeof *f);
  if (f->packets != NULL) {
    obs->hooks.forgotten(obs->hooks.ctx, f->packets);
  }
  free(f);
}

static void tcp_close(observe *obs, tcp_flow *f, const ingest_event *ev) {
  tcp_limit(f, ev->limit);
  tcp_count(obs, f, f->conn != NULL);
  if (f->conn != NULL && ev->limit != INGEST_LIMIT_NONE) {
    f->conn->conn.recounted = !obs_tcp_counts(obs, f);
  }
  if (f->conn != NULL) {
    memcpy(f->conn->unacknowledged, ev->unacknowledged, sizeof ev->unacknowledged);
    obs_tcp_conn_close(obs, f);
  } else {
    obs_tcp_transport(obs, f);
  }
  if (ev->limit == INGEST_LIMIT_MEMORY) {
    obs_short_of_ingest(obs);
  }
  if (f->limit != NULL && obs_tcp_counts(obs, f)) {
    obs_limit(obs, f->limit, 1);
  }
  tcp_free(obs, f);
  *ev->user = NULL;
}

static void tcp_take(observe *obs, tcp_flow *f, const ingest_event *ev) {
  if (f->conn != NULL) {
    f->conn->packet = ev->packet;
    f->conn->time_ns = ev->time_ns;
    (void)obs_tcp_touch(obs, f->conn);
  }
  switch (ev->kind) {
  case INGEST_EVENT_OPEN: break;
  case INGEST_EVENT_DATA: tcp_data(obs, f, ev); break;
  case INGEST_EVENT_GAP: tcp_missing(obs, f, ev); break;
  case INGEST_EVENT_DIFFER: obs_tcp_differ(obs, f, ev); break;
  case INGEST_EVENT_END: tcp_end(obs, f, ev); break;
  case INGEST_EVENT_CLOSE: tcp_close(obs, f, ev); break;
  }
}

/* Begins a connection in Full Operation, with all that waited. */
static void tcp_begin_full(observe *obs, tcp_flow *f) {
  waiting all = f->waiting;
  f->wanted = false;
  f->search = TCP_SEARCH_OVER;
  f->waiting = (waiting){0};
  for (uint8_t side = 0; side < 2; side++) {
    obs_early_data_drop(&f->side[side].early, &obs->early_used);
  }
  memset(f->side, 0, 2 * sizeof *f->side);
  const waiting_event *e = obs_tcp_conn_open(obs, f, true) ? all.first : NULL;
  for (; e != NULL && tcp_sides(obs, f); e = e->next) {
    tcp_take(obs, f, &e->ev);
  }
  obs_waiting_drop(&all, &obs->wanted);
}

/* Keeps an event until it is known what the connection begins with; true: it is known now, and the
 * event was taken. */
static bool tcp_wait(observe *obs, tcp_flow *f, const ingest_event *ev) {
  const bool waits = ev->kind != INGEST_EVENT_CLOSE;
  const bool fits = waits && obs_waiting_fits(&f->waiting, WAITING_OCTETS, ev);
  const bool full = fits && obs_waiting_full(&obs->wanted, obs->budget->limit, ev);
  const bool kept = fits && !full && obs_waiting_add(&f->waiting, &obs->wanted, ev);
  if (full && f->limit == NULL) {
    f->limit = "early-data";
  }
  if (!kept || obs_tcp_shows_full(&f->side[ev->side].scan, ev)) {
    tcp_begin_full(obs, f);
  }
  return kept && !f->wanted;
}

/* Looks for FPDUs in a connection whose startup was not captured; true: they were found, and the
 * event was taken. */
static bool tcp_search_on(observe *obs, tcp_flow *f, const ingest_event *ev) {
  if (f->given_up || !obs_tcp_search(obs, f, ev)) {
    return false;
  }
  obs_tcp_search_take(obs, f);
  tcp_begin_full(obs, f);
  return true;
}

/* Takes an event of a connection in which no iWARP was found; true: nothing else is to be done. */
static bool tcp_early(observe *obs, tcp_flow *f, const ingest_event *ev) {
  if (ev->kind == INGEST_EVENT_DIFFER || !tcp_sides(obs, f)) {
    return false;
  }
  return f->wanted ? tcp_wait(obs, f, ev) : tcp_search_on(obs, f, ev);
}

void obs_tcp_event(observe *obs, const ingest_event *ev) {
  tcp_flow *f = *ev->user;
  if (ev->kind == INGEST_EVENT_OPEN) {
    tcp_open(obs, ev);
    return;
  }
  if (f == NULL || (f->conn == NULL && f->search != TCP_SEARCH_OVER && tcp_early(obs, f, ev))) {
    return;
  }
  if (tcp_sides(obs, f)) {
    tcp_take(obs, f, ev);
  } else if (ev->kind == INGEST_EVENT_CLOSE) {
    tcp_free(obs, f);
    *ev->user = NULL;
  }
}

/* No event comes any more for octets of the side before this position. */
static uint64_t tcp_settled(const tcp_flow *f, uint8_t side) {
  const bool waits = f->wanted || f->search == TCP_SEARCH_BEGUN;
  if (f->conn != NULL || f->side == NULL || waits || f->side[side].early != NULL) {
    return 0;
  }
  return f->side[side].next - f->side[side].scan.num_held;
}

void obs_tcp_packet(const observe *obs, const ingest_seen *seen) {
  tcp_flow *f = *seen->user;
  const bool grows = f != NULL && f->conn == NULL;
  if (f == NULL) {
    return;
  }
  const observe_headers packet = {
      .packet = seen->packet,
      .time_ns = seen->time_ns,
      .len = seen->len,
      .cap = seen->cap,
      .settled = {grows ? tcp_settled(f, 0) : 0, grows ? tcp_settled(f, 1) : 0},
      .seq = seen->seq,
      .window = seen->window,
      .flags = seen->flags,
      .side = seen->side,
      .duplicate = seen->duplicate,
      .checksum_wrong = seen->checksum_wrong};
  obs->hooks.packet(obs->hooks.ctx, &f->packets, &packet);
  if (f->conn != NULL) {
    f->conn->conn.packets = f->packets;
  }
}

bool obs_tcp_segment(observe *obs, const ingest_segment *seg) {
  tcp_flow *f = seg->user;
  if (f == NULL || f->side == NULL || !f->side[seg->side].direct) {
    return false;
  }
  followed *c = f->conn;
  tcp_side *fs = &f->side[seg->side];
  iwarp_observer_fpdu fpdu; /* only `meta` is set here: obs_tcp_direct finds the FPDUs */
  fpdu.meta = (iwarp_meta){.packet = seg->packet,
                           .time_ns = seg->time_ns,
                           .peer_pos = seg->peer_pos,
                           .segment_start = true};
  c->packet = seg->packet;
  c->time_ns = seg->time_ns;
  if (!obs_tcp_touch(obs, c)) {
    fs->next = seg->pos + seg->len;
    return true;
  }
  const tcp_unproven wait =
      obs_tcp_direct(obs, c, seg->side, (iwarp_span){seg->data, seg->len}, &fpdu, seg->may_wait);
  fs->next = seg->pos + seg->len - wait.len;
  if (wait.len > 0) {
    ingest_hold(seg->from, wait.as, wait.len);
  }
  if (c->fresh) {
    obs_tcp_settle(obs, c);
  }
  return true;
}

observe_conn *observe_tcp_conn(const ingest_event *ev) {
  const tcp_flow *f = *ev->user;
  return f != NULL && f->conn != NULL ? &f->conn->conn : NULL;
}
