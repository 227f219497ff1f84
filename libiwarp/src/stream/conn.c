/* SPDX-License-Identifier: BSD-2-Clause */
/* Connection engine in the observer role: both directions of a transport connection, startup and Full Operation. */
#include <string.h>

#include "../base/span.h"
#include "conn_priv.h"

_Static_assert(sizeof(struct iwarp_conn) <= IWARP_CONN_SIZE, "IWARP_CONN_SIZE is too small");

size_t iwarp_conn_size(void) { return sizeof(iwarp_conn); }

iwarp_err iwarp_conn_init(iwarp_conn **out, void *mem, size_t mem_len, const iwarp_conn_cfg *cfg) {
  iwarp_conn *conn = mem;
  if (out == NULL || mem == NULL || cfg == NULL || cfg->size != sizeof(*cfg) ||
      (uintptr_t)mem % _Alignof(max_align_t) != 0) {
    return IWARP_ERR_ARG;
  }
  if (mem_len < sizeof(*conn)) {
    return IWARP_ERR_NOBUF;
  }
  memset(conn, 0, offsetof(iwarp_conn, rx)); /* the receive engines are made when they are needed */
  conn->cfg = *cfg;
  for (uint8_t s = 0; s < 2; s++) {
    conn->info.side[s].full_pos = IWARP_POS_UNKNOWN;
    conn->stream[s].joining = cfg->full_operation;
  }
  iwarpi_conn_settle(conn);
  *out = conn;
  return IWARP_OK;
}

static bool conn_idle(const iwarp_conn *conn) {
  return conn->in.len == 0 && !conn->gap_pending && !conn->end_pending;
}

iwarp_err iwarp_conn_start(iwarp_conn *conn, uint8_t side, uint64_t start, bool start_known,
                           uint64_t pos) {
  if (side > 1) {
    return IWARP_ERR_ARG;
  }
  if (conn->info.side[side].seen || conn->stream[side].phase != CONN_SCAN) {
    return IWARP_ERR_STATE;
  }
  conn->info.side[side].start = start;
  conn->info.side[side].start_known = start_known;
  conn->stream[side].pos = pos;
  return IWARP_OK;
}

/* What stands in the way of more input for `side`. */
static iwarp_err conn_may_take(const iwarp_conn *conn, uint8_t side) {
  if (side > 1) {
    return IWARP_ERR_ARG;
  }
  return conn_idle(conn) && conn->stream[side].phase != CONN_ENDED ? IWARP_OK : IWARP_ERR_STATE;
}

iwarp_err iwarp_conn_push(iwarp_conn *conn, uint8_t side, iwarp_span in, const iwarp_meta *meta) {
  const iwarp_err err = conn_may_take(conn, side);
  if (err != IWARP_OK) {
    return err;
  }
  conn->cur = side;
  conn->in = in;
  conn->in_meta = *meta;
  conn->in_start = true;
  conn->info.side[side].seen = conn->info.side[side].seen || in.len > 0;
  return IWARP_OK;
}

iwarp_err iwarp_conn_gap(iwarp_conn *conn, uint8_t side, uint64_t len, iwarp_gap_reason reason,
                         const iwarp_meta *meta) {
  const iwarp_err err = conn_may_take(conn, side);
  if (err != IWARP_OK) {
    return err;
  }
  conn->cur = side;
  if (len > 0) {
    conn->gap_pending = true;
    conn->gap = (rx_gap){.len = len, .reason = reason, .meta = *meta};
    conn->info.side[side].gap = true;
    conn->info.side[side].seen = true;
  }
  return IWARP_OK;
}

iwarp_err iwarp_conn_end(iwarp_conn *conn, uint8_t side, iwarp_end how, const iwarp_meta *meta) {
  const iwarp_err err = conn_may_take(conn, side);
  if (err != IWARP_OK) {
    return err;
  }
  conn->cur = side;
  conn->end_pending = true;
  conn->end = how;
  conn->end_meta = *meta;
  return IWARP_OK;
}

const iwarp_conn_info *iwarp_conn_info_get(const iwarp_conn *conn) { return &conn->info; }

/* ---- small parts ---- */

/* What a step did. */
typedef enum conn_did { CONN_DID_NOTHING, CONN_DID_EVENT, CONN_DID_CHANGE } conn_did;

static conn_stream *conn_cur(iwarp_conn *conn) { return &conn->stream[conn->cur]; }

static void conn_event(iwarp_conn *conn, iwarp_event *ev, iwarp_event_kind kind, uint64_t pos,
                       uint64_t len) {
  memset(ev, 0, sizeof(*ev));
  ev->kind = kind;
  ev->side = conn->cur;
  ev->pos = pos;
  ev->len = len;
}

/* The meta of the next input octet. */
static iwarp_meta conn_meta(const iwarp_conn *conn) {
  iwarp_meta m = conn->in_meta;
  m.segment_start = m.segment_start && conn->in_start;
  return m;
}

/* Steps over `n` input octets. */
static void conn_eat(iwarp_conn *conn, size_t n) {
  conn->in = span_from(conn->in, n);
  conn->in_start = conn->in_start && n == 0;
  conn_cur(conn)->pos += n;
}

static conn_did conn_gap_event(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  conn_event(conn, ev, IWARP_EVENT_GAP, st->pos, conn->gap.len);
  ev->first = conn->gap.meta;
  ev->last = conn->gap.meta;
  ev->u.gap = conn->gap.reason;
  st->pos += conn->gap.len;
  conn->gap_pending = false;
  return CONN_DID_EVENT;
}

static conn_did conn_end_event(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  conn_event(conn, ev, IWARP_EVENT_END, st->pos, 0);
  ev->first = conn->end_meta;
  ev->last = conn->end_meta;
  ev->u.end = conn->end;
  conn->info.side[conn->cur].end = conn->end;
  conn->end_pending = false;
  st->phase = CONN_ENDED;
  return CONN_DID_EVENT;
}

static void conn_undecodable(iwarp_conn *conn, iwarp_event *ev, uint64_t len,
                             iwarp_undec_reason reason) {
  conn_stream *st = conn_cur(conn);
  conn_event(conn, ev, IWARP_EVENT_UNDECODABLE, st->pos - len, len);
  ev->first = st->first;
  ev->last = st->last;
  ev->u.undecodable = reason;
}

/* ---- Full Operation ---- */

/*
 * Whether the octets must look like FPDUs before they are taken for some: the exchange of startup frames is not
 * complete or was not right, or a Responder sends although it has received no FPDU (RFC 5044 7.1.2 rule 4).
 */
static bool conn_doubtful(const iwarp_conn *conn) {
  const iwarp_conn_side *own = &conn->info.side[conn->cur];
  const iwarp_conn_side *peer = &conn->info.side[1u - conn->cur];
  return !peer->has_startup || peer->key == IWARP_MPA_KEY_UNKNOWN ||
         own->key == IWARP_MPA_KEY_UNKNOWN ||
         (own->role == IWARP_ROLE_RESPONDER && peer->num_fpdus == 0);
}

/* Starts the receive engine at the stream's position. */
static void conn_enter_full(iwarp_conn *conn) {
  conn_stream *st = conn_cur(conn);
  const iwarp_conn_side *own = &conn->info.side[conn->cur];
  iwarp_rx_cfg cfg = {.size = sizeof(cfg), .pos = st->pos, .side = conn->cur};
  cfg.at_start = own->has_startup && own->startup_end == st->pos;
  cfg.doubtful = cfg.at_start && conn_doubtful(conn);
  cfg.markers = own->markers;
  cfg.crc = conn->info.crc;
  st->phase = CONN_FULL;
  st->rx = &conn->rx[conn->cur];
  iwarpi_rx_setup(st->rx, &cfg);
  if (own->has_startup) { /* stream offset 0 is known even where the first octets are missing */
    st->rx->base = own->startup_end;
    st->rx->phase = own->startup_end;
  }
}

/* Learns from the receive engine what the startup frames left open. */
static void conn_infer(iwarp_conn *conn) {
  const iwarp_rx *rx = conn_cur(conn)->rx;
  iwarp_conn_side *own = &conn->info.side[conn->cur];
  if (own->markers_by == IWARP_SETTLED_NOT || own->markers_by == IWARP_SETTLED_INFERRED) {
    own->markers = iwarp_rx_markers(rx);
    own->markers_by =
        own->markers == IWARP_TRI_UNKNOWN ? IWARP_SETTLED_NOT : IWARP_SETTLED_INFERRED;
  }
  if (iwarp_rx_crc(rx) != IWARP_TRI_UNKNOWN &&
      (conn->info.crc_by == IWARP_SETTLED_NOT ||
       (conn->info.crc_by == IWARP_SETTLED_INFERRED && iwarp_rx_crc(rx) == IWARP_TRI_ON))) {
    conn->info.crc = iwarp_rx_crc(rx);
    conn->info.crc_by = IWARP_SETTLED_INFERRED;
  }
}

/* Hands the input on to the receive engine. */
static void conn_feed(iwarp_conn *conn) {
  conn_stream *st = conn_cur(conn);
  const iwarp_meta meta = conn_meta(conn);
  if (conn->in.len > 0) {
    (void)iwarp_rx_push(st->rx, conn->in, &meta);
    conn_eat(conn, conn->in.len);
  } else if (conn->gap_pending) {
    (void)iwarp_rx_gap(st->rx, conn->gap.len, conn->gap.reason, &conn->gap.meta);
    st->pos += conn->gap.len;
    conn->gap_pending = false;
  } else if (conn->end_pending) {
    (void)iwarp_rx_eof(st->rx, &conn->end_meta);
  }
}

static conn_did conn_full_step(iwarp_conn *conn, iwarp_event *ev) {
  const bool fed = !conn_idle(conn);
  if (iwarp_rx_next(conn_cur(conn)->rx, ev) == IWARP_OK) {
    conn_infer(conn);
    conn->info.side[conn->cur].num_fpdus += ev->kind == IWARP_EVENT_FPDU ? 1u : 0u;
    return CONN_DID_EVENT;
  }
  if (!fed) {
    return CONN_DID_NOTHING;
  }
  if (conn->end_pending && conn_cur(conn)->rx->eof) {
    return conn_end_event(conn, ev);
  }
  conn_feed(conn);
  return CONN_DID_CHANGE;
}

/* ---- streaming mode ---- */

/* Whether the sender of the input had received the whole startup frame of its peer, as far as is known. */
static bool conn_had_peer_startup(const iwarp_conn *conn) {
  return conn->in_meta.peer_pos == IWARP_POS_UNKNOWN ||
         conn->in_meta.peer_pos >= conn->info.side[1u - conn->cur].startup_end;
}

/* Whether a Reply of this side is due at the next octet: the peer's Request has arrived. */
static bool conn_reply_due(const iwarp_conn *conn) {
  const iwarp_conn_side *peer = &conn->info.side[1u - conn->cur];
  const iwarp_conn_side *own = &conn->info.side[conn->cur];
  return peer->has_startup && peer->key == IWARP_MPA_KEY_REQUEST && !own->gap &&
         conn_had_peer_startup(conn);
}

/* Whether the Request that the peer's Reply answered was due here: the stream's first octets, sent before the Reply. */
static bool conn_request_due(const iwarp_conn *conn) {
  const iwarp_conn_side *peer = &conn->info.side[1u - conn->cur];
  const iwarp_conn_side *own = &conn->info.side[conn->cur];
  return peer->has_startup && peer->key == IWARP_MPA_KEY_REPLY && own->start_known &&
         own->start == conn->stream[conn->cur].pos && !conn_had_peer_startup(conn);
}

/* Whether this side is past its own startup frame although that was not seen: the peer's Reply answered it. */
static bool conn_past_startup(const iwarp_conn *conn) {
  const iwarp_conn_side *peer = &conn->info.side[1u - conn->cur];
  return peer->has_startup && peer->key == IWARP_MPA_KEY_REPLY && conn_had_peer_startup(conn);
}

static void conn_begin_frame(iwarp_conn *conn) {
  conn_stream *st = conn_cur(conn);
  st->phase = CONN_FRAME;
  st->num_frame = 0;
}

static conn_did conn_streaming_event(iwarp_conn *conn, iwarp_event *ev, uint64_t from,
                                     uint64_t len) {
  if (len == 0) {
    return CONN_DID_CHANGE;
  }
  conn_event(conn, ev, IWARP_EVENT_STREAMING, from, len);
  ev->first = conn->in_meta;
  ev->last = conn->in_meta;
  return CONN_DID_EVENT;
}

/* Puts octets that the scanner held in front of the frame: they are its beginning. */
static void conn_frame_from_held(iwarp_conn *conn, iwarp_span held, const iwarp_meta *meta) {
  conn_stream *st = conn_cur(conn);
  if (held.len > 0) {
    memcpy(iwarpi_conn_frame(conn, conn->cur), held.ptr, held.len);
    st->num_frame = held.len;
    st->first = *meta;
    st->last = *meta;
  }
}

static conn_did conn_scan_data(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  const iwarp_meta held_meta = st->first;
  const uint64_t from = st->pos - st->scan.num_held;
  iwarp_span held = {0};
  iwarp_span rest = {0};
  if (iwarp_scan_push(&st->scan, &held, &rest, conn->in)) {
    const size_t before = conn->in.len - rest.len;
    const uint64_t streaming = st->pos + before - held.len - from;
    conn_begin_frame(conn);
    conn_frame_from_held(conn, held, &held_meta);
    conn_eat(conn, before);
    return conn_streaming_event(conn, ev, from, streaming);
  }
  if (st->scan.num_held > 0 && st->scan.num_held <= conn->in.len) {
    st->first = conn_meta(conn); /* of the octets that may begin a key */
  }
  conn_eat(conn, conn->in.len);
  return conn_streaming_event(conn, ev, from, st->pos - st->scan.num_held - from);
}

/* No key was found where one side is past streaming mode: what is it instead? */
static bool conn_scan_leave(iwarp_conn *conn) {
  conn_stream *st = conn_cur(conn);
  if (st->scan.num_held > 0 || iwarpi_conn_key_possible(conn->in)) {
    return false;
  }
  if (st->joining || conn_past_startup(conn)) {
    conn_enter_full(conn);
    return true;
  }
  if (conn_request_due(conn)) {
    conn_begin_frame(conn);
    return true;
  }
  if (conn_reply_due(conn)) {
    iwarp_scan probe = {0};
    iwarp_span held;
    iwarp_span rest;
    if (iwarp_scan_push(&probe, &held, &rest, conn->in)) {
      return false; /* streaming octets, then the key */
    }
    if (!conn->info.side[conn->cur].start_known && iwarpi_rx_plausible(conn->in, true) &&
        conn->in.len >= 4) {
      conn_enter_full(conn);
    } else {
      conn_begin_frame(conn);
    }
    return true;
  }
  return false;
}

/* A gap in streaming mode: the startup frame may be in it. */
static conn_did conn_scan_gap(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  const bool hides_frame = conn->gap.len + st->scan.num_held >= IWARP_MPA_STARTUP_LEN;
  const iwarp_span held = iwarp_scan_held(&st->scan);
  if (held.len > 0) {
    const uint64_t from = st->pos - held.len;
    const uint64_t len = held.len;
    iwarp_scan_gap(&st->scan);
    return conn_streaming_event(conn, ev, from, len);
  }
  iwarp_scan_gap(&st->scan);
  (void)conn_gap_event(conn, ev);
  if (st->joining || (conn->info.side[1u - conn->cur].has_startup && hides_frame)) {
    conn_enter_full(conn);
  }
  return CONN_DID_EVENT;
}

static conn_did conn_scan_step(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  if (conn->in.len > 0) {
    return conn_scan_leave(conn) ? CONN_DID_CHANGE : conn_scan_data(conn, ev);
  }
  if (conn->gap_pending) {
    return conn_scan_gap(conn, ev);
  }
  if (conn->end_pending) {
    const uint64_t held = st->scan.num_held;
    st->scan.num_held = 0;
    if (held > 0 && conn_reply_due(conn)) {
      st->last = st->first;
      conn_undecodable(conn, ev, held, IWARP_UNDEC_UNFINISHED);
      return CONN_DID_EVENT;
    }
    return held > 0 ? conn_streaming_event(conn, ev, st->pos - held, held)
                    : conn_end_event(conn, ev);
  }
  return CONN_DID_NOTHING;
}

/* ---- startup frame ---- */

/* Adds input octets to the frame; true when it is whole. */
static bool conn_frame_fill(iwarp_conn *conn) {
  conn_stream *st = conn_cur(conn);
  uint8_t *frame = iwarpi_conn_frame(conn, conn->cur);
  size_t want = iwarpi_conn_frame_want(frame, st->num_frame);
  while (st->num_frame < want && conn->in.len > 0) {
    const iwarp_meta meta = conn_meta(conn);
    const iwarp_span part = span_first(conn->in, want - st->num_frame);
    if (st->num_frame == 0) {
      st->first = meta;
      st->last = meta;
    }
    iwarpi_rx_later(&st->last, &meta);
    memcpy(&frame[st->num_frame], part.ptr, part.len);
    st->num_frame += part.len;
    conn_eat(conn, part.len);
    want = iwarpi_conn_frame_want(frame, st->num_frame);
  }
  return st->num_frame == want;
}

static conn_did conn_frame_out(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  const size_t want =
      iwarpi_conn_frame_want(iwarpi_conn_frame(conn, conn->cur), st->num_frame);
  iwarpi_conn_startup_event(conn, conn->cur, ev);
  st->skip = want - st->num_frame;
  st->phase = st->skip > 0 ? CONN_SKIP : CONN_READY;
  return CONN_DID_EVENT;
}

/* A gap or the end inside the frame: what is there of it is reported. */
static conn_did conn_frame_cut(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  if (st->num_frame >= IWARP_MPA_STARTUP_LEN) {
    return conn_frame_out(conn, ev);
  }
  iwarpi_conn_learn_key(conn, conn->cur);
  conn_undecodable(conn, ev, st->num_frame,
                   conn->end_pending ? IWARP_UNDEC_UNFINISHED : IWARP_UNDEC_NO_BOUNDARY);
  iwarp_scan_gap(&st->scan);
  st->phase = CONN_SCAN;
  st->joining = st->joining || st->num_frame >= IWARP_MPA_KEY_LEN; /* it was a startup frame */
  return CONN_DID_EVENT;
}

static conn_did conn_frame_step(iwarp_conn *conn, iwarp_event *ev) {
  if (conn_frame_fill(conn)) {
    return conn_frame_out(conn, ev);
  }
  return conn->gap_pending || conn->end_pending ? conn_frame_cut(conn, ev) : CONN_DID_NOTHING;
}

/* Behind a gap inside the Private Data: its other octets belong to the frame that was reported. */
static conn_did conn_skip_step(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  if (conn->in.len > 0) {
    const iwarp_span part = span_first(conn->in, st->skip > conn->in.len ? conn->in.len
                                                                         : (size_t)st->skip);
    st->skip -= part.len;
    conn_eat(conn, part.len);
  } else if (conn->gap_pending) {
    const bool beyond = conn->gap.len > st->skip;
    st->skip -= beyond ? st->skip : conn->gap.len;
    (void)conn_gap_event(conn, ev);
    if (beyond) {
      conn_enter_full(conn);
    } else if (st->skip == 0) {
      st->phase = CONN_READY;
    }
    return CONN_DID_EVENT;
  } else if (conn->end_pending) {
    return conn_end_event(conn, ev);
  } else {
    return CONN_DID_NOTHING;
  }
  if (st->skip == 0) {
    st->phase = CONN_READY;
  }
  return CONN_DID_CHANGE;
}

/* ---- behind the startup frame ---- */

static conn_did conn_ready_step(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  if (conn->end_pending) {
    return conn_end_event(conn, ev);
  }
  if (conn_idle(conn)) {
    return CONN_DID_NOTHING;
  }
  if (conn->info.rejected) {
    st->phase = CONN_REFUSED;
    st->refused = 0;
  } else {
    conn_enter_full(conn);
  }
  return CONN_DID_CHANGE;
}

static conn_did conn_refused_step(iwarp_conn *conn, iwarp_event *ev) {
  conn_stream *st = conn_cur(conn);
  if (conn->in.len > 0) {
    const iwarp_meta meta = conn_meta(conn);
    if (st->refused == 0) {
      st->first = meta;
      st->last = meta;
    }
    iwarpi_rx_later(&st->last, &meta);
    st->refused += conn->in.len;
    conn_eat(conn, conn->in.len);
    return CONN_DID_CHANGE;
  }
  if (conn_idle(conn)) {
    return CONN_DID_NOTHING;
  }
  if (st->refused > 0) {
    conn_undecodable(conn, ev, st->refused, IWARP_UNDEC_AFTER_REJECT);
    st->refused = 0;
    return CONN_DID_EVENT;
  }
  return conn->gap_pending ? conn_gap_event(conn, ev) : conn_end_event(conn, ev);
}

static conn_did conn_step(iwarp_conn *conn, iwarp_event *ev) {
  switch (conn_cur(conn)->phase) {
    case CONN_SCAN:
      return conn_scan_step(conn, ev);
    case CONN_FRAME:
      return conn_frame_step(conn, ev);
    case CONN_SKIP:
      return conn_skip_step(conn, ev);
    case CONN_READY:
      return conn_ready_step(conn, ev);
    case CONN_FULL:
      return conn_full_step(conn, ev);
    case CONN_REFUSED:
      return conn_refused_step(conn, ev);
    case CONN_ENDED:
      break;
  }
  return CONN_DID_NOTHING;
}

iwarp_err iwarp_conn_next(iwarp_conn *conn, iwarp_event *ev) {
  conn_did did = CONN_DID_CHANGE;
  while (did == CONN_DID_CHANGE) {
    did = conn_step(conn, ev);
  }
  return did == CONN_DID_EVENT ? IWARP_OK : IWARP_ERR_END;
}
