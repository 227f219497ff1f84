/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Observer of a connection: both directions, startup and Full Operation.
 *
 * Theory of operation
 *
 * Each side has a receive engine, whose input, buffer and position the observer uses from the first
 * octet on, and a phase:
 *
 * - OBSERVER_SCAN: streaming mode. A startup key begins a frame: OBSERVER_FRAME. Where the peer's
 *   frame shows that a frame or Full Operation must follow, the octets are taken for that.
 * - OBSERVER_FRAME: the octets of a startup frame are collected, then the frame is reported.
 *   OBSERVER_SKIP passes over octets of its Private Data after a gap in them.
 * - OBSERVER_READY: after the startup frame. The first octet begins OBSERVER_FULL, in which the
 *   receive engine finds FPDUs.
 * - OBSERVER_REFUSED: after a Reply that rejects, octets are no FPDUs.
 * - OBSERVER_ENDED: the end of the side was reported.
 *
 * What the frames settle (startup.c) and what FPDUs show goes both ways: into the engines before
 * Full Operation, and from them into the info of the observer.
 */
#include <iwarp/scan.h>
#include <string.h>

#include "../base/mem.h"
#include "../base/minmax.h"
#include "../base/span.h"
#include "state.h"
#include "term_place.h"

_Static_assert(sizeof(struct iwarp_observer) + 2u * IWARP_RX_SIZE - 2u * sizeof(iwarp_rx) <=
                   IWARP_OBSERVER_SIZE,
               "IWARP_OBSERVER_SIZE is too small");

/* The observer, up to where the memory of its receive engines begins. */
#define OBSERVER_HEAD mem_up(sizeof(iwarp_observer))

static bool observer_cfg_ok(const iwarp_observer_cfg *cfg) {
  return cfg->size == sizeof(*cfg) && cfg->markers <= IWARP_TRISTATE_ON &&
         cfg->crc <= IWARP_TRISTATE_ON;
}

size_t iwarp_observer_size(const iwarp_observer_cfg *cfg) {
  const iwarp_observer_cfg defaults = {.size = sizeof(defaults)};
  const iwarp_observer_cfg *used = cfg != NULL ? cfg : &defaults;
  if (!observer_cfg_ok(used)) {
    return 0;
  }
  return OBSERVER_HEAD + 2u * iwarpi_rx_area(used->max_ulpdu, used->pool);
}

iwarp_err iwarp_observer_init(iwarp_observer **out, void *mem, size_t mem_len,
                              const iwarp_observer_cfg *cfg) {
  iwarp_observer *observer = mem;
  const iwarp_err err = mem_error(out, mem, mem_len, cfg != NULL ? iwarp_observer_size(cfg) : 0);
  if (err != IWARP_OK) {
    return err;
  }
  memset(observer, 0, offsetof(iwarp_observer, rx));
  observer->cfg = *cfg;
  for (uint8_t s = 0; s < 2; s++) {
    const iwarp_rx_cfg rx_cfg = {
        .size = sizeof(rx_cfg), .side = s, .max_ulpdu = cfg->max_ulpdu, .pool = cfg->pool};
    const size_t at = OBSERVER_HEAD + s * iwarpi_rx_area(cfg->max_ulpdu, cfg->pool);
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

void iwarp_observer_trim(iwarp_observer *observer) {
  for (size_t s = 0; s < 2; s++) {
    iwarp_rx *rx = &observer->rx[s];
    if (rx->pool != NULL && !rx->busy) {
      iwarpi_rx_release(rx);
      iwarpi_rx_trim_idle(rx);
    }
  }
}

/* Returns the reason why `side` takes no more input, or OK. */
static iwarp_err observer_may_take(const iwarp_observer *observer, uint8_t side) {
  if (observer == NULL || side > 1) {
    return IWARP_ERR_ARG;
  }
  return observer->rx[observer->cur].busy ? IWARP_ERR_STATE : IWARP_OK;
}

iwarp_err iwarp_observer_start(iwarp_observer *observer, uint8_t side, uint64_t start,
                               bool start_known, uint64_t pos) {
  const iwarp_err err = observer_may_take(observer, side);
  if (err != IWARP_OK) {
    return err;
  }
  if (observer->info.side[side].seen || observer->rx[side].eof) {
    return IWARP_ERR_STATE;
  }
  observer->info.side[side].start = start;
  observer->info.side[side].start_known = start_known;
  observer->info.side[side].pushed_end = pos;
  iwarpi_rx_set_pos(&observer->rx[side], pos);
  return IWARP_OK;
}

iwarp_err iwarp_observer_push(iwarp_observer *observer, uint8_t side, iwarp_span in,
                              const iwarp_meta *meta) {
  iwarp_err err = observer_may_take(observer, side);
  if (err == IWARP_OK) {
    err = iwarp_rx_push(&observer->rx[side], in, meta);
  }
  if (err == IWARP_OK) {
    observer->cur = side;
    observer->info.side[side].seen = observer->info.side[side].seen || in.len > 0;
    observer->info.side[side].pushed_end += in.len;
  }
  return err;
}

iwarp_err iwarp_observer_gap(iwarp_observer *observer, uint8_t side, uint64_t len,
                             iwarp_gap_reason reason, const iwarp_meta *meta) {
  iwarp_err err = observer_may_take(observer, side);
  if (err == IWARP_OK) {
    err = iwarp_rx_gap(&observer->rx[side], len, reason, meta);
  }
  if (err == IWARP_OK) {
    iwarpi_observer_leave_fast_path(observer);
    observer->cur = side;
    observer->info.side[side].seen = observer->info.side[side].seen || len > 0;
    observer->info.side[side].gap = observer->info.side[side].gap || len > 0;
    observer->info.side[side].pushed_end += len;
  }
  return err;
}

iwarp_err iwarp_observer_eof(iwarp_observer *observer, uint8_t side, iwarp_end how,
                             const iwarp_meta *meta) {
  iwarp_err err = observer_may_take(observer, side);
  if (err == IWARP_OK) {
    err = iwarp_rx_eof(&observer->rx[side], meta);
  }
  if (err == IWARP_OK) {
    iwarpi_observer_leave_fast_path(observer);
    observer->cur = side;
    observer->stream[side].end = how;
  }
  return err;
}

const iwarp_observer_info *iwarp_observer_info_get(const iwarp_observer *observer) {
  return &observer->info;
}

/* ---- small parts ---- */

static observer_stream *observer_cur(iwarp_observer *observer) {
  return &observer->stream[observer->cur];
}

static iwarp_rx *observer_rx(iwarp_observer *observer) {
  return &observer->rx[observer->cur];
}

static step observer_end_event(iwarp_observer *observer, iwarp_event *ev) {
  const iwarp_rx *rx = observer_rx(observer);
  observer_stream *st = observer_cur(observer);
  iwarpi_rx_event(rx, ev, IWARP_EVENT_END, rx->pos, 0);
  ev->first = rx->eof_meta;
  ev->last = rx->eof_meta;
  ev->u.end = st->end;
  observer->info.side[observer->cur].end = st->end;
  st->phase = OBSERVER_ENDED;
  return STEP_EVENT;
}

/* All octets available were looked at: what about the gap or the end after them? */
static step observer_after(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = observer_rx(observer);
  if (rx->gap_pending) {
    iwarpi_rx_gap_event(rx, ev);
    return STEP_EVENT;
  }
  return rx->eof ? observer_end_event(observer, ev) : STEP_IDLE;
}

/* ---- Full Operation ---- */

/*
 * Returns true if the octets must look like FPDUs before they are taken for FPDUs. Either a startup
 * frame is missing or has a wrong key, or a Responder sends before it has received an FPDU (RFC
 * 5044 7.1.2 rule 4).
 */
static bool observer_unconfirmed(const iwarp_observer *observer) {
  const iwarp_observer_side *own = &observer->info.side[observer->cur];
  const iwarp_observer_side *peer = &observer->info.side[1u - observer->cur];
  return peer->key == IWARP_MPA_KEY_UNKNOWN || own->key == IWARP_MPA_KEY_UNKNOWN ||
         (own->role == IWARP_ROLE_RESPONDER && peer->num_fpdus == 0);
}

/* No FPDU may come any more on this side. */
static void observer_refuse(observer_stream *st) {
  st->phase = OBSERVER_REFUSED;
  st->u.refused = (observer_refused){.have = 0};
}

/* Starts the receive engine on the octets available, unless the connection was rejected. */
static step observer_enter_full(iwarp_observer *observer) {
  const iwarp_observer_side *own = &observer->info.side[observer->cur];
  iwarp_rx *rx = observer_rx(observer);
  if (observer->info.rejected) {
    observer_refuse(observer_cur(observer));
    return STEP_AGAIN;
  }
  iwarpi_rx_start(rx, &(iwarp_rx_cfg){.at_start = own->has_startup && own->startup_end == rx->pos,
                                      .unconfirmed = observer_unconfirmed(observer),
                                      .markers = own->markers,
                                      .crc = observer->info.crc});
  if (own->has_startup && own->key != IWARP_MPA_KEY_UNKNOWN) {
    iwarpi_rx_set_base(rx, own->startup_end); /* known even where the first octets are missing */
  }
  observer_cur(observer)->phase = OBSERVER_FULL;
  return STEP_AGAIN;
}

/*
 * What the knowledge of Markers rests on, where the frames did not settle it. A Marker where one is
 * expected after a Reply of Rev 0 is as that Reply says (RFC 5044 C.2.5).
 */
static iwarp_known_by observer_markers_by(const iwarp_observer_side *own, const iwarp_rx *rx) {
  if (rx->markers == IWARP_TRISTATE_ON && rx->inferred && iwarpi_observer_rdmac(own)) {
    return IWARP_KNOWN_BY_STARTUP;
  }
  return rx->markers == IWARP_TRISTATE_UNKNOWN ? IWARP_KNOWN_BY_NOTHING : IWARP_KNOWN_BY_DATA;
}

/* Learns from the receive engine what the startup frames left open. */
static void observer_infer(iwarp_observer *observer) {
  const iwarp_rx *rx = observer_rx(observer);
  iwarp_observer_side *own = &observer->info.side[observer->cur];
  iwarp_observer_info *info = &observer->info;
  if (own->markers_by == IWARP_KNOWN_BY_NOTHING || own->markers_by == IWARP_KNOWN_BY_DATA) {
    own->markers = rx->markers;
    own->markers_by = observer_markers_by(own, rx);
  }
  if (rx->crc != IWARP_TRISTATE_UNKNOWN &&
      (info->crc_by == IWARP_KNOWN_BY_NOTHING ||
       (info->crc_by == IWARP_KNOWN_BY_DATA && rx->crc == IWARP_TRISTATE_ON))) {
    info->crc = rx->crc;
    info->crc_by = IWARP_KNOWN_BY_DATA;
  }
}

/* Returns true if the sender of an FPDU had received no octet after the startup frame of the other
 * side. */
static bool observer_silent(const iwarp_observer *observer, const iwarp_event *ev) {
  const iwarp_observer_side *peer = &observer->info.side[1u - ev->side];
  const iwarp_rx *rx = &observer->rx[1u - ev->side];
  const uint64_t seen = rx->pos + rx->num_buf;
  const uint64_t received = ev->first.peer_pos;
  return peer->has_startup &&
         (received == IWARP_POS_UNKNOWN ? seen : received) <= peer->startup_end;
}

static void observer_count_fpdu(iwarp_observer *observer, iwarp_event *ev) {
  if (ev->kind == IWARP_EVENT_FPDU) {
    iwarpi_term_place_note(ev, &observer->info, observer_silent(observer, ev), observer->opens);
    observer->info.side[ev->side].num_fpdus++;
  }
}

static step observer_full_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = observer_rx(observer);
  const iwarp_err err = iwarp_rx_next_event(rx, ev);
  if (err == IWARP_OK) {
    observer_infer(observer);
    observer_count_fpdu(observer, ev);
    return STEP_EVENT;
  }
  if (err == IWARP_ERR_NOBUF) {
    return STEP_NO_MEMORY;
  }
  if (iwarpi_rx_refused(rx)) {
    observer_refuse(observer_cur(observer));
    return STEP_AGAIN;
  }
  return rx->eof ? observer_end_event(observer, ev) : STEP_IDLE;
}

/* ---- streaming mode ---- */

/* The expected meaning of the octets available, unless they are a startup frame. */
typedef enum observer_expected {
  OBSERVER_EXPECT_STREAMING, /* streaming data */
  OBSERVER_EXPECT_FRAME,     /* a startup frame, if with a wrong key */
  OBSERVER_EXPECT_FULL       /* Full Operation, whose beginning was missed */
} observer_expected;

/*
 * Returns true if the sender of the octets available had received the whole startup frame of its
 * peer, or if this is unknown.
 */
static bool observer_had_peer_startup(const iwarp_observer *observer) {
  const iwarp_observer_side *peer = &observer->info.side[1u - observer->cur];
  const uint64_t received = iwarpi_rx_front_meta(&observer->rx[observer->cur]).peer_pos;
  return received == IWARP_POS_UNKNOWN || received >= peer->startup_end;
}

static observer_expected observer_expects(const iwarp_observer *observer) {
  const iwarp_observer_side *own = &observer->info.side[observer->cur];
  const iwarp_observer_side *peer = &observer->info.side[1u - observer->cur];
  if (observer->cfg.full_operation) {
    return OBSERVER_EXPECT_FULL;
  }
  if (!peer->has_startup) {
    return OBSERVER_EXPECT_STREAMING;
  }
  if (observer_had_peer_startup(observer)) {
    /* the peer's Reply answered a Request, which was missed; its Request awaits a Reply */
    return own->gap || peer->key == IWARP_MPA_KEY_REPLY ? OBSERVER_EXPECT_FULL
                                                        : OBSERVER_EXPECT_FRAME;
  }
  /* the Request that the peer's Reply answers, if it is the beginning of the stream */
  return peer->key == IWARP_MPA_KEY_REPLY && own->start_known &&
                 own->start == observer->rx[observer->cur].pos
             ? OBSERVER_EXPECT_FRAME
             : OBSERVER_EXPECT_STREAMING;
}

/* Waits for more octets; those available are kept. */
static step observer_wait(iwarp_observer *observer) {
  iwarp_rx *rx = observer_rx(observer);
  if (!iwarpi_rx_reserve(rx, rx->num_buf + rx->in.len)) {
    return STEP_NO_MEMORY;
  }
  iwarpi_rx_take(rx, rx->in.len);
  return STEP_IDLE;
}

/* Returns the index in `front`, the octets available, of a startup key, or of octets that may begin
 * one (then not `*certain`); `front.len`: no key. */
static size_t observer_key_at(iwarp_span front, bool past_start, bool *certain) {
  iwarp_scan scan = {.past_start = past_start};
  iwarp_span held = {0};
  iwarp_span rest = {0};
  *certain = iwarp_scan_push(&scan, &held, &rest, front);
  return front.len - (*certain ? rest.len : iwarp_scan_held(&scan).len);
}

/* Consumes `n` octets of streaming data. */
static void observer_stream_past(iwarp_observer *observer, size_t n) {
  observer_stream *st = observer_cur(observer);
  iwarpi_rx_give_up(observer_rx(observer), n);
  st->past_start = st->past_start || n > 0;
}

/* Streaming data, perhaps with a startup frame in it. */
static step observer_scan_streaming(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = observer_rx(observer);
  const iwarp_span front =
      rx->num_buf > 0 ? iwarpi_rx_contiguous(rx, IWARP_MPA_STARTUP_LEN) : rx->in;
  bool certain;
  const size_t at = observer_key_at(front, observer_cur(observer)->past_start, &certain);
  const size_t undecided = front.len - at;
  const size_t same = iwarpi_rx_of_packet(rx);
  observer_stream_past(observer, size_min(at, same));
  if (at > same) { /* something else may be expected in the next packet */
    return STEP_AGAIN;
  }
  if (certain) {
    observer_cur(observer)->phase = OBSERVER_FRAME;
    return step_event_or(iwarpi_rx_run_event(rx, ev, IWARP_EVENT_STREAMING), STEP_AGAIN);
  }
  if (iwarpi_rx_avail(rx) > undecided) {
    return STEP_AGAIN;
  }
  if (iwarpi_rx_over(rx)) {
    observer_stream_past(observer, undecided);
    return STEP_AGAIN;
  }
  return observer_wait(observer);
}

/*
 * Octets that are looked at before a wrong key is taken for one: a frame, and a key that begins
 * inside it.
 */
#define OBSERVER_KEY_LEN (2u * IWARP_MPA_STARTUP_LEN)

/* A startup frame is expected, but `front` does not begin with a key. */
static step observer_scan_wrong_key(iwarp_observer *observer, iwarp_event *ev, iwarp_span front) {
  iwarp_rx *rx = observer_rx(observer);
  bool certain;
  size_t at;
  if (front.len < IWARP_MPA_STARTUP_LEN) {
    if (rx->eof) {
      observer_cur(observer)->phase = OBSERVER_READY;
      iwarpi_rx_give_up(rx, front.len);
      return step_event_or(iwarpi_rx_undec_event(rx, ev, IWARP_UNDEC_UNFINISHED), STEP_AGAIN);
    }
    return rx->gap_pending ? observer_enter_full(observer) : observer_wait(observer);
  }
  if (!observer->info.side[observer->cur].start_known && iwarpi_rx_plausible(front, true)) {
    return observer_enter_full(observer);
  }
  at = observer_key_at(front, true, &certain);
  if (at < IWARP_MPA_STARTUP_LEN && certain) {
    observer_stream_past(observer, at);
    return STEP_AGAIN;
  }
  if (at < IWARP_MPA_STARTUP_LEN && !iwarpi_rx_over(rx)) {
    return observer_wait(observer);
  }
  observer_cur(observer)->phase = OBSERVER_FRAME;
  return STEP_AGAIN;
}

/* A startup frame, or else the meaning that is `expected`. */
static step observer_scan_expected(iwarp_observer *observer, iwarp_event *ev,
                                   observer_expected expected) {
  iwarp_rx *rx = observer_rx(observer);
  const iwarp_span front = iwarpi_rx_contiguous(rx, OBSERVER_KEY_LEN);
  const bool possible = iwarpi_observer_key_possible(front);
  if (iwarpi_rx_run_event(rx, ev, IWARP_EVENT_STREAMING)) {
    return STEP_EVENT;
  }
  if (possible && front.len >= IWARP_MPA_KEY_LEN) {
    observer_cur(observer)->phase = OBSERVER_FRAME;
    return STEP_AGAIN;
  }
  if (possible && !iwarpi_rx_over(rx)) {
    return observer_wait(observer);
  }
  return expected == OBSERVER_EXPECT_FULL ? observer_enter_full(observer)
                                          : observer_scan_wrong_key(observer, ev, front);
}

/* A gap in streaming mode: the startup frame may be in it. */
static step observer_scan_gap(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = observer_rx(observer);
  const bool answer_expected = observer->info.side[1u - observer->cur].has_startup;
  const bool hides_frame = rx->gap.len >= IWARP_MPA_STARTUP_LEN;
  iwarpi_rx_gap_event(rx, ev);
  observer_cur(observer)->past_start = true;
  if (observer->cfg.full_operation || (answer_expected && hides_frame)) {
    observer_enter_full(observer);
  }
  return STEP_EVENT;
}

static step observer_scan_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = observer_rx(observer);
  if (iwarpi_rx_avail(rx) > 0) {
    const observer_expected expected = observer_expects(observer);
    return expected == OBSERVER_EXPECT_STREAMING ? observer_scan_streaming(observer, ev)
                                                 : observer_scan_expected(observer, ev, expected);
  }
  if (iwarpi_rx_over(rx) && iwarpi_rx_run_event(rx, ev, IWARP_EVENT_STREAMING)) {
    return STEP_EVENT;
  }
  return rx->gap_pending ? observer_scan_gap(observer, ev) : observer_after(observer, ev);
}

/* ---- startup frame ---- */

/* A gap or the end inside the fixed part of a startup frame. */
static step observer_frame_cut(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = observer_rx(observer);
  iwarpi_observer_learn_key(observer);
  if (rx->gap_pending) {
    return observer_enter_full(observer);
  }
  observer_cur(observer)->phase = OBSERVER_READY;
  iwarpi_rx_give_up(rx, rx->num_buf);
  return step_event_or(iwarpi_rx_undec_event(rx, ev, IWARP_UNDEC_UNFINISHED), STEP_AGAIN);
}

/* Octets that the frame wants in all, and no more than there is room for. */
static size_t observer_frame_fits(iwarp_rx *rx, size_t want) {
  if (want > rx->room.buf) {
    iwarpi_rx_reach_limit(rx, IWARP_LIMIT_ULPDU);
    return rx->room.buf;
  }
  return want;
}

/*
 * Moves input to the buffer until it holds the frame as far as its octets are available; *want
 * becomes what it should hold. False: the pool has no memory.
 */
static bool observer_frame_fill(iwarp_rx *rx, size_t *want) {
  for (size_t more = 1; more > 0;) {
    *want = iwarpi_observer_frame_want(iwarpi_rx_buffered(rx));
    const size_t fits = observer_frame_fits(rx, *want);
    more = fits > rx->num_buf ? span_first(rx->in, fits - rx->num_buf).len : 0;
    if (!iwarpi_rx_reserve(rx, rx->num_buf + more)) {
      return false;
    }
    iwarpi_rx_take(rx, more);
  }
  return true;
}

/* The position after what was sent in the frame of a side, which has all but the extension of Rev
 * 129; 0: it has not. */
static uint64_t observer_unextended_end(const iwarp_observer *observer, uint8_t side) {
  const iwarp_rx *rx = &observer->rx[side];
  const bool inside = observer->stream[side].phase == OBSERVER_FRAME;
  return inside && iwarpi_observer_frame_unextended(iwarpi_rx_buffered(rx)) ? rx->pos + rx->num_buf
                                                                            : 0;
}

/*
 * Returns true if the frame in the buffer is known to have no extension of Rev 129. Either no
 * octets follow the frame, or its sender had received octets before it sent the next ones.
 */
static bool observer_extension_absent(const iwarp_observer *observer) {
  const iwarp_rx *rx = &observer->rx[observer->cur];
  iwarp_meta first;
  iwarp_meta last;
  if (observer_unextended_end(observer, observer->cur) == 0) {
    return false;
  }
  iwarpi_rx_source(rx, rx->num_buf, &first, &last);
  return rx->in.len > 0 ? iwarpi_rx_in_meta(rx).peer_pos != last.peer_pos : iwarpi_rx_over(rx);
}

/* Returns how many octets the frame in the buffer needs, where octets are missing in it. The
 * extension of Rev 129 counts only if the missing octets end with it, as they do in a packet that
 * was cut. */
static size_t observer_frame_cut_at(const iwarp_rx *rx, size_t want) {
  const uint64_t known = rx->num_buf + (uint64_t)rx->gap.len;
  const size_t plain = iwarpi_observer_frame_unextended_len(iwarpi_rx_buffered(rx));
  return rx->gap_pending && plain > 0 && known >= plain && known != want ? plain : want;
}

/* Reports the frame in the buffer, of so many octets. */
static step observer_frame_report(iwarp_observer *observer, iwarp_event *ev, size_t want) {
  const iwarp_rx *rx = observer_rx(observer);
  observer_stream *st = observer_cur(observer);
  st->u.skip = want - span_first(iwarpi_rx_buffered(rx), want).len;
  st->phase = st->u.skip > 0 && !rx->eof ? OBSERVER_SKIP : OBSERVER_READY;
  iwarpi_observer_startup_event(observer, ev, want);
  return STEP_EVENT;
}

static step observer_frame_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = observer_rx(observer);
  if (observer_extension_absent(observer)) {
    return observer_frame_report(observer, ev, rx->num_buf);
  }
  size_t want;
  if (!observer_frame_fill(rx, &want)) {
    return STEP_NO_MEMORY;
  }
  want = observer_frame_cut_at(rx, want);
  if (rx->num_buf < observer_frame_fits(rx, want) && !iwarpi_rx_over(rx)) {
    return STEP_IDLE;
  }
  if (rx->num_buf < IWARP_MPA_STARTUP_LEN) {
    return observer_frame_cut(observer, ev);
  }
  return observer_frame_report(observer, ev, want);
}

/*
 * What one side sends shows that it had received the frame of the other side without the extension
 * of Rev 129, as far as is known: then the frame comes first.
 */
static step observer_frame_answered(iwarp_observer *observer, iwarp_event *ev) {
  const uint8_t side = observer->cur;
  const uint8_t peer = (uint8_t)(1u - side);
  const uint64_t end = observer_unextended_end(observer, peer);
  if (end == 0 || observer->rx[side].in.len == 0) {
    return STEP_AGAIN;
  }
  const uint64_t received = iwarpi_rx_in_meta(&observer->rx[side]).peer_pos;
  if (received != end && received != IWARP_POS_UNKNOWN) {
    return STEP_AGAIN;
  }
  observer->cur = peer;
  const step did = observer_frame_report(observer, ev, observer->rx[peer].num_buf);
  observer->cur = side;
  return did;
}

/* After a gap inside the Private Data: its other octets belong to the frame that was reported. */
static step observer_skip_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = observer_rx(observer);
  observer_stream *st = observer_cur(observer);
  const uint64_t over = rx->gap_pending ? rx->gap.len : rx->in.len;
  const uint64_t n = u64_min(over, st->u.skip);
  st->u.skip -= n;
  if (st->u.skip == 0) {
    st->phase = OBSERVER_READY;
  }
  if (rx->in.len > 0) {
    iwarpi_rx_consume(rx, (size_t)n);
    return STEP_AGAIN;
  }
  return observer_after(observer, ev);
}

/* ---- after the startup frame ---- */

static step observer_ready_step(iwarp_observer *observer, iwarp_event *ev) {
  const iwarp_rx *rx = observer_rx(observer);
  if (iwarpi_rx_avail(rx) == 0 && !rx->gap_pending) {
    return observer_after(observer, ev);
  }
  return observer_enter_full(observer);
}

static step observer_refused_step(iwarp_observer *observer, iwarp_event *ev) {
  iwarp_rx *rx = observer_rx(observer);
  observer_stream *st = observer_cur(observer);
  while (iwarpi_rx_avail(rx) > 0) {
    const iwarp_span front = iwarpi_rx_front(rx);
    iwarpi_observer_refused_read(&st->u.refused, front);
    iwarpi_rx_give_up(rx, front.len);
  }
  const bool cut = rx->gap_pending;
  if (iwarpi_rx_over(rx) && iwarpi_rx_undec_event(rx, ev, IWARP_UNDEC_AFTER_REJECT)) {
    const bool first = ev->pos == observer->info.side[observer->cur].startup_end;
    ev->begins_fpdu =
        first ? iwarpi_observer_refused_fpdu(&st->u.refused, cut) : IWARP_TRISTATE_UNKNOWN;
    return STEP_EVENT;
  }
  return observer_after(observer, ev);
}

static step observer_ended_step(iwarp_observer *observer, iwarp_event *ev) {
  (void)observer;
  (void)ev;
  return STEP_IDLE;
}

static step observer_step(iwarp_observer *observer, iwarp_event *ev) {
  static step (*const steps[])(iwarp_observer * observer, iwarp_event * ev) = {
      [OBSERVER_SCAN] = observer_scan_step,   [OBSERVER_FRAME] = observer_frame_step,
      [OBSERVER_SKIP] = observer_skip_step,   [OBSERVER_READY] = observer_ready_step,
      [OBSERVER_FULL] = observer_full_step,   [OBSERVER_REFUSED] = observer_refused_step,
      [OBSERVER_ENDED] = observer_ended_step,
  };
  return steps[observer_cur(observer)->phase](observer, ev);
}

/* Where the octets end that wait for the rest of their FPDU. Those that must look like FPDUs first,
 * or look like none, may be whole ones that wait. */
static uint64_t observer_partial_end(iwarp_observer *observer) {
  iwarp_rx *rx = &observer->rx[observer->cur];
  const bool inside = observer->stream[observer->cur].phase == OBSERVER_FULL &&
                      rx->state == RX_SYNC && rx->confidence != RX_START_UNCONFIRMED;
  return inside && rx->num_buf > 0 && !iwarpi_rx_partial_implausible(rx) ? rx->pos + rx->num_buf
                                                                         : 0;
}

iwarp_err iwarp_observer_next_event(iwarp_observer *observer, iwarp_event *ev) {
  if (observer == NULL || ev == NULL) {
    return IWARP_ERR_ARG;
  }
  iwarpi_observer_leave_fast_path(observer);
  for (uint8_t s = 0; s < 2; s++) {
    iwarpi_rx_release(&observer->rx[s]);
  }
  step did = observer_frame_answered(observer, ev);
  while (did == STEP_AGAIN) {
    did = observer_step(observer, ev);
  }
  iwarpi_rx_end_steps(observer_rx(observer), did);
  observer->info.limits |= observer_rx(observer)->limits;
  observer->info.side[observer->cur].partial_end =
      did == STEP_IDLE ? observer_partial_end(observer) : 0;
  return step_err(did);
}
