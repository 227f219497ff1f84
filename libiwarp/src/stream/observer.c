/* SPDX-License-Identifier: BSD-2-Clause */
/* Observer of a connection: both directions, startup and Full Operation. */
#include <iwarp/scan.h>
#include <string.h>

#include "../base/span.h"
#include "observer_priv.h"

_Static_assert(sizeof(struct iwarp_observer) + 2u * IWARP_RX_SIZE - 2u * sizeof(iwarp_rx) <=
                   IWARP_OBSERVER_SIZE,
               "IWARP_OBSERVER_SIZE is too small");

/* The observer, up to where the memory of its receive engines begins. */
#define CONN_HEAD                                                                                  \
  ((sizeof(iwarp_observer) + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) *                  \
   _Alignof(max_align_t))

static bool conn_cfg_ok(const iwarp_observer_cfg *cfg) {
  return cfg->size == sizeof(*cfg) && cfg->markers <= IWARP_TRISTATE_ON &&
         cfg->crc <= IWARP_TRISTATE_ON;
}

size_t iwarp_observer_size(const iwarp_observer_cfg *cfg) {
  const iwarp_observer_cfg defaults = {.size = sizeof(defaults)};
  const iwarp_observer_cfg *used = cfg != NULL ? cfg : &defaults;
  if (!conn_cfg_ok(used)) {
    return 0;
  }
  return CONN_HEAD + 2u * iwarpi_rx_area(used->max_ulpdu, used->pool);
}

iwarp_err iwarp_observer_init(iwarp_observer **out, void *mem, size_t mem_len,
                              const iwarp_observer_cfg *cfg) {
  iwarp_observer *observer = mem;
  if (out == NULL || mem == NULL || (uintptr_t)mem % _Alignof(max_align_t) != 0 || cfg == NULL ||
      !conn_cfg_ok(cfg)) {
    return IWARP_ERR_ARG;
  }
  if (mem_len < iwarp_observer_size(cfg)) {
    return IWARP_ERR_NOBUF;
  }
  memset(observer, 0, offsetof(iwarp_observer, rx));
  observer->cfg = *cfg;
  for (uint8_t s = 0; s < 2; s++) {
    const iwarp_rx_cfg rx_cfg = {
        .size = sizeof(rx_cfg), .side = s, .max_ulpdu = cfg->max_ulpdu, .pool = cfg->pool};
    const size_t at = CONN_HEAD + s * iwarpi_rx_area(cfg->max_ulpdu, cfg->pool);
    iwarpi_rx_begin(&observer->rx[s], &rx_cfg, (char *)mem + at);
    observer->info.side[s].full_pos = IWARP_POS_UNKNOWN;
  }
  iwarpi_observer_settle(observer);
  *out = observer;
  return IWARP_OK;
}

void iwarp_observer_release(iwarp_observer *observer) {
  iwarp_rx_release(&observer->rx[0]);
  iwarp_rx_release(&observer->rx[1]);
}

/* What stands in the way of more input for `side`. */
static iwarp_err conn_may_take(const iwarp_observer *observer, uint8_t side) {
  if (observer == NULL || side > 1) {
    return IWARP_ERR_ARG;
  }
  return observer->rx[observer->cur].busy ? IWARP_ERR_STATE : IWARP_OK;
}

iwarp_err iwarp_observer_start(iwarp_observer *observer, uint8_t side, uint64_t start,
                               bool start_known, uint64_t pos) {
  const iwarp_err err = conn_may_take(observer, side);
  if (err != IWARP_OK) {
    return err;
  }
  if (observer->info.side[side].seen || observer->rx[side].eof) {
    return IWARP_ERR_STATE;
  }
  observer->info.side[side].start = start;
  observer->info.side[side].start_known = start_known;
  observer->rx[side].pos = pos;
  return IWARP_OK;
}

iwarp_err iwarp_observer_push(iwarp_observer *observer, uint8_t side, iwarp_span in,
                              const iwarp_meta *meta) {
  iwarp_err err = conn_may_take(observer, side);
  if (err == IWARP_OK) {
    err = iwarp_rx_push(&observer->rx[side], in, meta);
  }
  if (err == IWARP_OK) {
    observer->cur = side;
    observer->info.side[side].seen = observer->info.side[side].seen || in.len > 0;
  }
  return err;
}

iwarp_err iwarp_observer_gap(iwarp_observer *observer, uint8_t side, uint64_t len,
                             iwarp_gap_reason reason, const iwarp_meta *meta) {
  iwarp_err err = conn_may_take(observer, side);
  if (err == IWARP_OK) {
    err = iwarp_rx_gap(&observer->rx[side], len, reason, meta);
  }
  if (err == IWARP_OK) {
    observer->cur = side;
    observer->info.side[side].seen = observer->info.side[side].seen || len > 0;
    observer->info.side[side].gap = observer->info.side[side].gap || len > 0;
  }
  return err;
}

iwarp_err iwarp_observer_eof(iwarp_observer *observer, uint8_t side, iwarp_end how,
                             const iwarp_meta *meta) {
  iwarp_err err = conn_may_take(observer, side);
  if (err == IWARP_OK) {
    err = iwarp_rx_eof(&observer->rx[side], meta);
  }
  if (err == IWARP_OK) {
    observer->cur = side;
    observer->stream[side].end = how;
  }
  return err;
}

const iwarp_observer_info *iwarp_observer_info_get(const iwarp_observer *observer) {
  return &observer->info;
}

/* ---- small parts ---- */

/* What a step did. */
typedef enum conn_did { CONN_DID_NOTHING, CONN_DID_EVENT, CONN_DID_CHANGE } conn_did;

static conn_stream *conn_cur(iwarp_observer *observer) {
  return &observer->stream[observer->cur];
}

static iwarp_rx *conn_rx(iwarp_observer *observer) {
  return &observer->rx[observer->cur];
}

static conn_did conn_event_if(bool event) {
  return event ? CONN_DID_EVENT : CONN_DID_CHANGE;
}

static conn_did conn_end_event(iwarp_observer *observer, iwarp_event *ev) {
  const iwarp_rx *rx = conn_rx(observer);
  conn_stream *st = conn_cur(observer);
  iwarpi_rx_event(rx, ev, IWARP_EVENT_END, rx->pos, 0);
  ev->first = rx->eof_meta;
  ev->last = rx->eof_meta;
  ev->u.end = st->end;
  observer->info.side[observer->cur].end = st->end;
  st->phase = CONN_ENDED;
  return CONN_DID_EVENT;
}

/* All octets available were looked at: what about the gap or the end after them? */
static conn_did conn_after(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = conn_rx(observer);
  if (rx->gap_pending) {
    iwarpi_rx_gap_event(rx, ev);
    return CONN_DID_EVENT;
  }
  return rx->eof ? conn_end_event(observer, ev) : CONN_DID_NOTHING;
}

/* ---- Full Operation ---- */

/*
 * Whether the octets must look like FPDUs before they are taken for some: the exchange of startup
 * frames is not complete or was not right, or a Responder sends although it has received no FPDU
 * (RFC 5044 7.1.2 rule 4).
 */
static bool conn_unconfirmed(const iwarp_observer *observer) {
  const iwarp_observer_side *own = &observer->info.side[observer->cur];
  const iwarp_observer_side *peer = &observer->info.side[1u - observer->cur];
  return !peer->has_startup || peer->key == IWARP_MPA_KEY_UNKNOWN ||
         own->key == IWARP_MPA_KEY_UNKNOWN ||
         (own->role == IWARP_ROLE_RESPONDER && peer->num_fpdus == 0);
}

/* Starts the receive engine on the octets available, unless the connection was rejected. */
static conn_did conn_enter_full(iwarp_observer *observer) {
  const iwarp_observer_side *own = &observer->info.side[observer->cur];
  iwarp_rx *rx = conn_rx(observer);
  if (observer->info.rejected) {
    conn_cur(observer)->phase = CONN_REFUSED;
    return CONN_DID_CHANGE;
  }
  iwarpi_rx_start(rx, &(iwarp_rx_cfg){.at_start = own->has_startup && own->startup_end == rx->pos,
                                      .unconfirmed = conn_unconfirmed(observer),
                                      .markers = own->markers,
                                      .crc = observer->info.crc});
  if (own->has_startup && own->key != IWARP_MPA_KEY_UNKNOWN) {
    rx->base = own->startup_end; /* known even where the first octets are missing */
    rx->phase = own->startup_end;
  }
  conn_cur(observer)->phase = CONN_FULL;
  return CONN_DID_CHANGE;
}

/*
 * What the knowledge of Markers rests on, where the frames did not settle it. A Marker where one is
 * due after a Reply of Rev 0 is as that Reply says (RFC 5044 C.2.5).
 */
static iwarp_known_by conn_markers_by(const iwarp_observer_side *own, const iwarp_rx *rx) {
  if (rx->markers == IWARP_TRISTATE_ON && rx->inferred && iwarpi_observer_rdmac(own)) {
    return IWARP_KNOWN_BY_STARTUP;
  }
  return rx->markers == IWARP_TRISTATE_UNKNOWN ? IWARP_KNOWN_BY_NOTHING : IWARP_KNOWN_BY_DATA;
}

/* Learns from the receive engine what the startup frames left open. */
static void conn_infer(iwarp_observer *observer) {
  const iwarp_rx *rx = conn_rx(observer);
  iwarp_observer_side *own = &observer->info.side[observer->cur];
  iwarp_observer_info *info = &observer->info;
  if (own->markers_by == IWARP_KNOWN_BY_NOTHING || own->markers_by == IWARP_KNOWN_BY_DATA) {
    own->markers = rx->markers;
    own->markers_by = conn_markers_by(own, rx);
  }
  if (rx->crc != IWARP_TRISTATE_UNKNOWN &&
      (info->crc_by == IWARP_KNOWN_BY_NOTHING ||
       (info->crc_by == IWARP_KNOWN_BY_DATA && rx->crc == IWARP_TRISTATE_ON))) {
    info->crc = rx->crc;
    info->crc_by = IWARP_KNOWN_BY_DATA;
  }
}

static conn_did conn_full_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = conn_rx(observer);
  if (iwarp_rx_next_event(rx, ev) == IWARP_OK) {
    conn_infer(observer);
    observer->info.side[observer->cur].num_fpdus += ev->kind == IWARP_EVENT_FPDU ? 1u : 0u;
    return CONN_DID_EVENT;
  }
  if (iwarpi_rx_refused(rx)) {
    conn_cur(observer)->phase = CONN_REFUSED;
    return CONN_DID_CHANGE;
  }
  return rx->eof ? conn_end_event(observer, ev) : CONN_DID_NOTHING;
}

/* ---- streaming mode ---- */

/* What the octets available of the current side must be, beside a startup frame. */
typedef enum conn_due {
  CONN_DUE_STREAMING, /* streaming data */
  CONN_DUE_FRAME,     /* nothing: a startup frame is due, if with a wrong key */
  CONN_DUE_FULL       /* Full Operation, whose beginning was missed */
} conn_due;

/*
 * Whether the sender of the octets available had received the whole startup frame of its peer, as
 * far as is known.
 */
static bool conn_had_peer_startup(const iwarp_observer *observer) {
  const iwarp_observer_side *peer = &observer->info.side[1u - observer->cur];
  const uint64_t received = iwarpi_rx_front_meta(&observer->rx[observer->cur]).peer_pos;
  return received == IWARP_POS_UNKNOWN || received >= peer->startup_end;
}

static conn_due conn_what_is_due(const iwarp_observer *observer) {
  const iwarp_observer_side *own = &observer->info.side[observer->cur];
  const iwarp_observer_side *peer = &observer->info.side[1u - observer->cur];
  if (observer->cfg.full_operation) {
    return CONN_DUE_FULL;
  }
  if (!peer->has_startup) {
    return CONN_DUE_STREAMING;
  }
  if (conn_had_peer_startup(observer)) {
    /* the peer's Reply answered a Request, which was missed; its Request awaits a Reply */
    return own->gap || peer->key == IWARP_MPA_KEY_REPLY ? CONN_DUE_FULL : CONN_DUE_FRAME;
  }
  /* the Request that the peer's Reply answers, if it is the beginning of the stream */
  return peer->key == IWARP_MPA_KEY_REPLY && own->start_known &&
                 own->start == observer->rx[observer->cur].pos
             ? CONN_DUE_FRAME
             : CONN_DUE_STREAMING;
}

/* Nothing comes after the octets available but a gap or the end. */
static bool conn_over(const iwarp_rx *rx) {
  return rx->gap_pending || rx->eof;
}

/* Waits for more octets; those available are kept. */
static conn_did conn_wait(iwarp_observer *observer) {
  iwarp_rx *rx = conn_rx(observer);
  if (iwarpi_rx_reserve(rx, rx->num_buf + rx->in.len)) {
    iwarpi_rx_take(rx, rx->in.len);
  }
  return CONN_DID_NOTHING;
}

/*
 * Where in `front`, the octets available, a startup key begins, or may begin (then not `*certain`):
 * after them when nowhere.
 */
static size_t conn_key_at(iwarp_span front, bool past_start, bool *certain) {
  iwarp_scan scan = {.past_start = past_start};
  iwarp_span held = {0};
  iwarp_span rest = {0};
  *certain = iwarp_scan_push(&scan, &held, &rest, front);
  return front.len - (*certain ? rest.len : iwarp_scan_held(&scan).len);
}

/* Consumes `n` octets of streaming data. */
static void conn_stream_past(iwarp_observer *observer, size_t n) {
  conn_stream *st = conn_cur(observer);
  iwarpi_rx_give_up(conn_rx(observer), n);
  st->past_start = st->past_start || n > 0;
}

/* Streaming data, perhaps with a startup frame in it. */
static conn_did conn_scan_streaming(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = conn_rx(observer);
  const iwarp_span front =
      rx->num_buf > 0 ? iwarpi_rx_contiguous(rx, IWARP_MPA_STARTUP_LEN) : rx->in;
  bool certain;
  const size_t at = conn_key_at(front, conn_cur(observer)->past_start, &certain);
  const size_t undecided = front.len - at;
  const size_t same = iwarpi_rx_of_packet(rx);
  conn_stream_past(observer, at < same ? at : same);
  if (at > same) { /* something else may be due in the next packet */
    return CONN_DID_CHANGE;
  }
  if (certain) {
    conn_cur(observer)->phase = CONN_FRAME;
    return conn_event_if(iwarpi_rx_run_event(rx, ev, IWARP_EVENT_STREAMING));
  }
  if (iwarpi_rx_avail(rx) > undecided) {
    return CONN_DID_CHANGE;
  }
  if (conn_over(rx)) {
    conn_stream_past(observer, undecided);
    return CONN_DID_CHANGE;
  }
  return conn_wait(observer);
}

/*
 * Octets that are looked at before a wrong key is taken for one: a frame, and a key that begins
 * inside it.
 */
#define CONN_DUE_LEN (2u * IWARP_MPA_STARTUP_LEN)

/* A startup frame is due, but `front` does not begin with a key. */
static conn_did conn_scan_wrong_key(iwarp_observer *observer, iwarp_event *ev, iwarp_span front) {
  iwarp_rx *rx = conn_rx(observer);
  bool certain;
  size_t at;
  if (front.len < IWARP_MPA_STARTUP_LEN) {
    if (rx->eof) {
      conn_cur(observer)->phase = CONN_READY;
      iwarpi_rx_give_up(rx, front.len);
      return conn_event_if(iwarpi_rx_undec_event(rx, ev, IWARP_UNDEC_UNFINISHED));
    }
    return rx->gap_pending ? conn_enter_full(observer) : conn_wait(observer);
  }
  if (!observer->info.side[observer->cur].start_known && iwarpi_rx_plausible(front, true)) {
    return conn_enter_full(observer);
  }
  at = conn_key_at(front, true, &certain);
  if (at < IWARP_MPA_STARTUP_LEN && certain) {
    conn_stream_past(observer, at);
    return CONN_DID_CHANGE;
  }
  if (at < IWARP_MPA_STARTUP_LEN && !conn_over(rx)) {
    return conn_wait(observer);
  }
  conn_cur(observer)->phase = CONN_FRAME;
  return CONN_DID_CHANGE;
}

/* A startup frame, or else what is `due`. */
static conn_did conn_scan_due(iwarp_observer *observer, iwarp_event *ev, conn_due due) {
  iwarp_rx *rx = conn_rx(observer);
  const iwarp_span front = iwarpi_rx_contiguous(rx, CONN_DUE_LEN);
  const bool possible = iwarpi_observer_key_possible(front);
  if (iwarpi_rx_run_event(rx, ev, IWARP_EVENT_STREAMING)) {
    return CONN_DID_EVENT;
  }
  if (possible && front.len >= IWARP_MPA_KEY_LEN) {
    conn_cur(observer)->phase = CONN_FRAME;
    return CONN_DID_CHANGE;
  }
  if (possible && !conn_over(rx)) {
    return conn_wait(observer);
  }
  return due == CONN_DUE_FULL ? conn_enter_full(observer)
                              : conn_scan_wrong_key(observer, ev, front);
}

/* A gap in streaming mode: the startup frame may be in it. */
static conn_did conn_scan_gap(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = conn_rx(observer);
  const bool answer_due = observer->info.side[1u - observer->cur].has_startup;
  const bool hides_frame = rx->gap.len >= IWARP_MPA_STARTUP_LEN;
  iwarpi_rx_gap_event(rx, ev);
  conn_cur(observer)->past_start = true;
  if (observer->cfg.full_operation || (answer_due && hides_frame)) {
    conn_enter_full(observer);
  }
  return CONN_DID_EVENT;
}

static conn_did conn_scan_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = conn_rx(observer);
  if (iwarpi_rx_avail(rx) > 0) {
    const conn_due due = conn_what_is_due(observer);
    return due == CONN_DUE_STREAMING ? conn_scan_streaming(observer, ev)
                                     : conn_scan_due(observer, ev, due);
  }
  if (conn_over(rx) && iwarpi_rx_run_event(rx, ev, IWARP_EVENT_STREAMING)) {
    return CONN_DID_EVENT;
  }
  return rx->gap_pending ? conn_scan_gap(observer, ev) : conn_after(observer, ev);
}

/* ---- startup frame ---- */

/* A gap or the end inside the fixed part of a startup frame. */
static conn_did conn_frame_cut(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = conn_rx(observer);
  iwarpi_observer_learn_key(observer);
  if (rx->gap_pending) {
    return conn_enter_full(observer);
  }
  conn_cur(observer)->phase = CONN_READY;
  iwarpi_rx_give_up(rx, rx->num_buf);
  return conn_event_if(iwarpi_rx_undec_event(rx, ev, IWARP_UNDEC_UNFINISHED));
}

/* Octets that the frame wants in all, and no more than there is room for. */
static size_t conn_frame_fits(iwarp_rx *rx, size_t want) {
  if (want > rx->room.buf) {
    rx->limits |= IWARP_LIMIT_ULPDU;
    return rx->room.buf;
  }
  return want;
}

/*
 * Moves input to the buffer until it holds the frame as far as its octets are available. Returns
 * what it should hold.
 */
static size_t conn_frame_fill(iwarp_rx *rx) {
  size_t want = 0;
  for (size_t more = 1; more > 0;) {
    want = iwarpi_observer_frame_want(iwarpi_rx_buffered(rx));
    const size_t fits = conn_frame_fits(rx, want);
    more = fits > rx->num_buf ? span_first(rx->in, fits - rx->num_buf).len : 0;
    if (!iwarpi_rx_reserve(rx, rx->num_buf + more)) {
      return want;
    }
    iwarpi_rx_take(rx, more);
  }
  return want;
}

static conn_did conn_frame_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = conn_rx(observer);
  conn_stream *st = conn_cur(observer);
  const size_t want = conn_frame_fill(rx);
  if (rx->starved || (rx->num_buf < conn_frame_fits(rx, want) && !conn_over(rx))) {
    return CONN_DID_NOTHING;
  }
  if (rx->num_buf < IWARP_MPA_STARTUP_LEN) {
    return conn_frame_cut(observer, ev);
  }
  st->skip = want - span_first(iwarpi_rx_buffered(rx), want).len;
  st->phase = st->skip > 0 && !rx->eof ? CONN_SKIP : CONN_READY;
  iwarpi_observer_startup_event(observer, ev, want);
  return CONN_DID_EVENT;
}

/* After a gap inside the Private Data: its other octets belong to the frame that was reported. */
static conn_did conn_skip_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = conn_rx(observer);
  conn_stream *st = conn_cur(observer);
  const uint64_t over = rx->gap_pending ? rx->gap.len : rx->in.len;
  const uint64_t n = over < st->skip ? over : st->skip;
  st->skip -= n;
  if (st->skip == 0) {
    st->phase = CONN_READY;
  }
  if (rx->in.len > 0) {
    iwarpi_rx_consume(rx, (size_t)n);
    return CONN_DID_CHANGE;
  }
  return conn_after(observer, ev);
}

/* ---- after the startup frame ---- */

static conn_did conn_ready_step(iwarp_observer *observer, iwarp_event *ev) {
  const iwarp_rx *rx = conn_rx(observer);
  if (iwarpi_rx_avail(rx) == 0 && !rx->gap_pending) {
    return conn_after(observer, ev);
  }
  return conn_enter_full(observer);
}

static conn_did conn_refused_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = conn_rx(observer);
  iwarpi_rx_give_up(rx, iwarpi_rx_avail(rx));
  if (conn_over(rx) && iwarpi_rx_undec_event(rx, ev, IWARP_UNDEC_AFTER_REJECT)) {
    return CONN_DID_EVENT;
  }
  return conn_after(observer, ev);
}

static conn_did conn_ended_step(iwarp_observer *observer, iwarp_event *ev) {
  (void)observer;
  (void)ev;
  return CONN_DID_NOTHING;
}

static conn_did conn_step(iwarp_observer *observer, iwarp_event *ev) {
  static conn_did (*const steps[])(iwarp_observer * observer, iwarp_event * ev) = {
      [CONN_SCAN] = conn_scan_step,   [CONN_FRAME] = conn_frame_step,
      [CONN_SKIP] = conn_skip_step,   [CONN_READY] = conn_ready_step,
      [CONN_FULL] = conn_full_step,   [CONN_REFUSED] = conn_refused_step,
      [CONN_ENDED] = conn_ended_step,
  };
  return steps[conn_cur(observer)->phase](observer, ev);
}

/* Where the octets end that wait for the rest of their FPDU. Those that must look like FPDUs first,
 * or look like none, may be whole ones that wait. */
static uint64_t conn_partial_end(iwarp_observer *observer) {
  iwarp_rx *rx = &observer->rx[observer->cur];
  const bool inside = observer->stream[observer->cur].phase == CONN_FULL && rx->state == RX_SYNC &&
                      rx->confidence != RX_START_UNCONFIRMED;
  return inside && rx->num_buf > 0 && !iwarpi_rx_strays(rx) ? rx->pos + rx->num_buf : 0;
}

iwarp_err iwarp_observer_next_event(iwarp_observer *observer, iwarp_event *ev) {
  conn_did did = CONN_DID_CHANGE;
  if (observer == NULL || ev == NULL) {
    return IWARP_ERR_ARG;
  }
  iwarpi_rx_release(conn_rx(observer));
  conn_rx(observer)->starved = false;
  while (did == CONN_DID_CHANGE) {
    did = conn_step(observer, ev);
  }
  conn_rx(observer)->busy = did == CONN_DID_EVENT || conn_rx(observer)->starved;
  observer->info.limits |= conn_rx(observer)->limits;
  observer->info.side[observer->cur].partial_end = 0;
  if (conn_rx(observer)->starved) {
    return IWARP_ERR_NOBUF; /* whole FPDUs may wait for memory */
  }
  observer->info.side[observer->cur].partial_end =
      did == CONN_DID_NOTHING ? conn_partial_end(observer) : 0;
  return did == CONN_DID_EVENT ? IWARP_OK : IWARP_ERR_END;
}
