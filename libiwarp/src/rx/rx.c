/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receive engine of one direction in Full Operation: octets in, FPDUs out. RFC 5044 4 to 6.
 *
 * Theory of operation
 *
 * The caller pushes octets, a gap or the end. Then iwarp_rx_next_event runs steps until one of them
 * writes an event or none can do more. The state says what the next octets are:
 *
 * - RX_SYNC: an FPDU begins here (rx.c). If it is there, it is reported. If a gap follows it before
 *   its end, RX_HOLE follows. If the octets do not look like an FPDU although they must, RX_SEARCH
 *   follows.
 * - RX_HOLE: an FPDU of known length lacks octets (hole.c). It is followed to its end and reported
 *   there, then RX_REPORT_GAPS reports its holes and goes back to RX_SYNC. If the stream ends
 * first, RX_BREAK_UP reports octets and holes one after the other.
 * - RX_SEARCH: no boundary is known (search.c). A Marker, a CRC or the look of an FPDU ends the
 *   search in RX_SYNC; all octets before it are reported as undecodable.
 *
 * What a boundary rests on is its confidence. It decides whether the octets must look like an FPDU.
 * fpdus.c takes many FPDUs at a time where their own octets decide them.
 */
#include <string.h>

#include "../base/mem.h"
#include "../base/minmax.h"
#include "../base/span.h"
#include "state.h"

/* Bytes of the engine, up to where its memory for octets begins. */
#define RX_HEAD mem_up(sizeof(iwarp_rx))

_Static_assert(sizeof(struct iwarp_rx) + RX_BUF_LEN + RX_NUM_CHUNKS * sizeof(rx_chunk) +
                       RX_NUM_HOLES * (sizeof(rx_source) + sizeof(rx_gap)) + 512u <=
                   IWARP_RX_SIZE,
               "IWARP_RX_SIZE is too small");

static bool rx_cfg_ok(const iwarp_rx_cfg *cfg) {
  return cfg->size == sizeof(*cfg) && cfg->markers <= IWARP_TRISTATE_ON &&
         cfg->crc <= IWARP_TRISTATE_ON;
}

size_t iwarp_rx_size(const iwarp_rx_cfg *cfg) {
  const iwarp_rx_cfg defaults = {.size = sizeof(defaults)};
  const iwarp_rx_cfg *used = cfg != NULL ? cfg : &defaults;
  if (!rx_cfg_ok(used)) {
    return 0;
  }
  return RX_HEAD + iwarpi_rx_area(used->max_ulpdu, used->pool);
}

/* Makes the engine begin Full Operation at rx->pos, whatever octets are available already. */
void iwarpi_rx_start(iwarp_rx *rx, const iwarp_rx_cfg *cfg) {
  rx->base = cfg->at_start ? rx->pos : IWARP_POS_UNKNOWN;
  rx->phase = rx->base;
  rx->markers = cfg->markers;
  rx->crc = cfg->crc;
  rx->confidence = cfg->unconfirmed ? RX_START_UNCONFIRMED : RX_START;
  rx->sync = IWARP_SYNC_STARTUP;
  rx->state = RX_SYNC;
  if (!cfg->at_start) {
    iwarpi_rx_search_begin(rx, IWARP_UNDEC_NO_BOUNDARY);
  }
}

void iwarpi_rx_begin(iwarp_rx *rx, const iwarp_rx_cfg *cfg, void *area) {
  memset(rx, 0, sizeof(*rx));
  iwarpi_rx_memory(rx, cfg->max_ulpdu, cfg->pool, area);
  rx->side = cfg->side;
  rx->pos = cfg->pos;
}

iwarp_err iwarp_rx_init(iwarp_rx **out, void *mem, size_t mem_len, const iwarp_rx_cfg *cfg) {
  iwarp_rx *rx = mem;
  const iwarp_err err = mem_error(out, mem, mem_len, cfg != NULL ? iwarp_rx_size(cfg) : 0);
  if (err != IWARP_OK) {
    return err;
  }
  iwarpi_rx_begin(rx, cfg, (char *)mem + RX_HEAD);
  iwarpi_rx_start(rx, cfg);
  *out = rx;
  return IWARP_OK;
}

static iwarp_err rx_may_take(const iwarp_rx *rx, const iwarp_meta *meta) {
  if (rx == NULL || meta == NULL) {
    return IWARP_ERR_ARG;
  }
  return rx->busy || rx->eof ? IWARP_ERR_STATE : IWARP_OK;
}

iwarp_err iwarp_rx_push(iwarp_rx *rx, iwarp_span in, const iwarp_meta *meta) {
  const iwarp_err err = rx_may_take(rx, meta);
  if (err != IWARP_OK) {
    return err;
  }
  if (in.ptr == NULL && in.len > 0) {
    return IWARP_ERR_ARG;
  }
  rx->busy = true;
  rx->in = in;
  rx->in_meta = *meta;
  rx->in_start = true;
  return IWARP_OK;
}

iwarp_err iwarp_rx_gap(iwarp_rx *rx, uint64_t len, iwarp_gap_reason reason,
                       const iwarp_meta *meta) {
  const iwarp_err err = rx_may_take(rx, meta);
  if (err != IWARP_OK) {
    return err;
  }
  rx->busy = true;
  rx->gap_pending = len > 0;
  rx->gap = (rx_gap){.len = len, .reason = reason, .meta = *meta};
  return IWARP_OK;
}

iwarp_err iwarp_rx_eof(iwarp_rx *rx, const iwarp_meta *meta) {
  const iwarp_err err = rx_may_take(rx, meta);
  if (err != IWARP_OK) {
    return err;
  }
  rx->busy = true;
  rx->eof = true;
  rx->eof_meta = *meta;
  return IWARP_OK;
}

void iwarp_rx_set_crc(iwarp_rx *rx, iwarp_tristate crc) {
  rx->crc = crc;
}

uint32_t iwarp_rx_limits(const iwarp_rx *rx) {
  return rx->limits;
}

iwarp_tristate iwarp_rx_markers(const iwarp_rx *rx) {
  return rx->markers;
}

iwarp_tristate iwarp_rx_crc(const iwarp_rx *rx) {
  return rx->crc;
}

/* ---- a complete FPDU ---- */

static uint64_t rx_marker_off(const iwarp_rx *rx) {
  return rx->markers == IWARP_TRISTATE_ON ? rx->pos - rx->phase : 0;
}

static iwarp_mpa_layout rx_layout(const iwarp_rx *rx, uint16_t ulpdu_length) {
  return iwarp_mpa_layout_of(rx_marker_off(rx), ulpdu_length, rx->markers == IWARP_TRISTATE_ON);
}

/* Octets of the Marker at the boundary, if one stands there. */
static size_t rx_lead(const iwarp_rx *rx) {
  return rx->markers == IWARP_TRISTATE_ON ? rx_layout(rx, 0).lead : 0;
}

/* The confidence in the boundary after an FPDU. */
static rx_confidence rx_confidence_after(const iwarp_rx *rx, iwarp_crc_state crc) {
  if (crc == IWARP_CRC_BAD) {
    return RX_LENGTH_UNVERIFIED;
  }
  return iwarpi_rx_found(rx) && crc != IWARP_CRC_GOOD ? RX_UNVERIFIED_SYNC : RX_FOLLOWS;
}

/* Computes the CRC of the FPDU where CRCs are in use or might be. */
static void rx_judge_crc(iwarp_rx *rx, iwarp_event_fpdu *f) {
  uint32_t crc;
  if (rx->crc == IWARP_TRISTATE_OFF || rx->confidence == RX_FOUND_NO_LEAD) {
    return;
  }
  crc = iwarp_mpa_fpdu_crc(&f->fpdu);
  if (rx->crc == IWARP_TRISTATE_UNKNOWN) {
    rx->crc = crc == f->fpdu.crc ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
  }
  if (rx->crc == IWARP_TRISTATE_ON) {
    f->crc = crc == f->fpdu.crc ? IWARP_CRC_GOOD : IWARP_CRC_BAD;
    f->crc_computed = crc;
    f->good_run = crc == f->fpdu.crc ? rx->good_run + f->fpdu.layout.wire_len : rx->good_run;
    rx->good_run = crc == f->fpdu.crc ? f->good_run : 0;
  }
}

/* Two Marker periods decoded without meeting one: they are off. */
static void rx_infer_no_markers(iwarp_rx *rx, size_t len) {
  rx->unmarked += len;
  if (rx->markers == IWARP_TRISTATE_UNKNOWN && rx->unmarked >= 2u * IWARP_MPA_MARKER_PERIOD) {
    rx->markers = IWARP_TRISTATE_OFF;
  }
}

/*
 * What the start of the FPDU rests on, now that it is there. An FPDU in the payload of another one
 * may have a right CRC, but no Marker of the stream points to it.
 */
static iwarp_fpdu_sync rx_sync_by(const iwarp_rx *rx, const iwarp_event_fpdu *f) {
  const bool marked = f->fpdu.markers && f->fpdu.layout.num_markers > 0;
  if (f->crc != IWARP_CRC_GOOD || rx->sync == IWARP_SYNC_STARTUP) {
    return rx->sync;
  }
  if (rx->base != IWARP_POS_UNKNOWN && marked && iwarp_mpa_fpdu_markers_agree(&f->fpdu)) {
    return IWARP_SYNC_MARKER;
  }
  return rx->sync == IWARP_SYNC_HEURISTIC ? IWARP_SYNC_CRC : rx->sync;
}

/* Sets `f` as iwarp_mpa_fpdu_decode does for a whole FPDU without Markers, of known layout. */
static void rx_fpdu_unmarked(iwarp_mpa_fpdu *f, iwarp_span wire, const iwarp_mpa_layout *l) {
  f->wire = wire;
  f->ulpdu_length = span_be16(wire, 0);
  f->pad[0] = f->pad[1] = f->pad[2] = 0;
  for (uint32_t i = 0; i < l->pad; i++) {
    f->pad[i] = span_u8(wire, l->crc_off - l->pad + i);
  }
  f->crc = span_le32(wire, l->crc_off);
  f->markers = false;
  f->layout = *l;
}

/* Sets each member of the event of a complete FPDU, but for those that say what it rests on: it is
 * the most frequent event, and the largest. */
static void rx_fpdu_fill(const iwarp_rx *rx, iwarp_event *ev, iwarp_span wire,
                         const iwarp_mpa_layout *l) {
  iwarp_event_fpdu *f = &ev->u.fpdu;
  if (rx->markers == IWARP_TRISTATE_ON) {
    iwarp_mpa_fpdu_decode(&f->fpdu, wire, rx_marker_off(rx), true);
  } else {
    rx_fpdu_unmarked(&f->fpdu, wire, l);
  }
  ev->kind = IWARP_EVENT_FPDU;
  ev->side = rx->side;
  ev->pos = rx->pos + f->fpdu.layout.lead;
  ev->len = wire.len - f->fpdu.layout.lead;
  iwarpi_rx_source(rx, wire.len, &ev->first, &ev->last);
  ev->sctp = NULL;
  ev->head = (iwarp_span){0};
  ev->fpdu_like = 0;
  ev->unfinished = (iwarp_span){0};
  f->complete = true;
  f->pad_present = true;
  f->crc_present = true;
  f->crc = IWARP_CRC_UNCHECKED;
  f->crc_computed = 0;
  f->good_run = 0;
}

/* Notes that the place of Markers is right: then a later fault does not put it in doubt. */
static void rx_note_phase(iwarp_rx *rx, const iwarp_mpa_fpdu *f) {
  rx->phase_seen = rx->phase_seen || (f->layout.num_markers > 0 && iwarp_mpa_fpdu_markers_agree(f));
}

/* Reports the complete FPDU `wire` at the boundary and steps over it. */
static void rx_fpdu_event(iwarp_rx *rx, iwarp_event *ev, iwarp_span wire,
                          const iwarp_mpa_layout *l) {
  iwarp_event_fpdu *f = &ev->u.fpdu;
  rx_fpdu_fill(rx, ev, wire, l);
  rx_judge_crc(rx, f);
  rx->sync = rx_sync_by(rx, f);
  rx_note_phase(rx, &f->fpdu);
  f->offset = rx->base == IWARP_POS_UNKNOWN ? IWARP_POS_UNKNOWN : ev->pos - rx->base;
  f->sync = rx->sync;
  iwarpi_rx_decode_segment(rx, f);
  rx->release = wire.len;
  rx->confidence = rx_confidence_after(rx, f->crc);
  rx_infer_no_markers(rx, wire.len);
}

/* ---- RX_SYNC ---- */

/* Returns true if nothing was decoded of the stream before the boundary. */
static bool rx_at_start(const iwarp_rx *rx) {
  return rx->confidence == RX_START || rx->confidence == RX_START_UNCONFIRMED;
}

/* Returns true if the boundary may be wrong. */
static bool rx_unconfirmed(const iwarp_rx *rx) {
  return rx->confidence == RX_START_UNCONFIRMED || rx->confidence == RX_LENGTH_UNVERIFIED ||
         (rx->markers == IWARP_TRISTATE_UNKNOWN && !iwarpi_rx_found(rx));
}

/*
 * Returns true if the octets at the boundary must look like an FPDU before they are taken for one.
 * Payload may hold FPDUs, and a search may have found such an FPDU; then no FPDU begins after it.
 */
bool iwarpi_rx_must_verify(const iwarp_rx *rx) {
  const bool guessed = rx->sync == IWARP_SYNC_HEURISTIC && rx->crc != IWARP_TRISTATE_ON;
  const bool inner = rx->sync == IWARP_SYNC_CRC && rx->good_run < IWARP_MPA_FPDU_WIRE_MAX;
  return rx_unconfirmed(rx) || rx->confidence == RX_UNVERIFIED_SYNC ||
         ((guessed || inner) && !iwarpi_rx_found(rx));
}

/*
 * At stream offset 0 with unknown Marker use, the first word tells: a Marker there is zero. RFC
 * 5044 7.1.2.
 */
static void rx_infer_markers(iwarp_rx *rx) {
  if (rx->markers == IWARP_TRISTATE_UNKNOWN && rx_at_start(rx)) {
    const iwarp_span word = iwarpi_rx_contiguous(rx, IWARP_MPA_MARKER_LEN);
    rx->markers = span_be32(word, 0) == 0 ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
    rx->inferred = true;
  }
}

/* The octets at the boundary are no FPDU. */
static step rx_begin_search(iwarp_rx *rx) {
  const bool unconfirmed = rx->confidence == RX_START_UNCONFIRMED;
  if (unconfirmed && rx->inferred) {
    rx->markers =
        IWARP_TRISTATE_UNKNOWN; /* the octets read there were no Marker, or no ULPDU_Length */
    rx->inferred = false;
  }
  if (unconfirmed) { /* the first FPDU may begin elsewhere */
    rx->phase = IWARP_POS_UNKNOWN;
  }
  if (rx->markers == IWARP_TRISTATE_ON && !rx->phase_seen) {
    rx->markers = IWARP_TRISTATE_UNKNOWN; /* the sender inserts none, or counts from elsewhere */
    rx->phase = IWARP_POS_UNKNOWN;
  }
  iwarpi_rx_search_begin(rx, unconfirmed ? IWARP_UNDEC_NOT_FPDU : IWARP_UNDEC_NO_BOUNDARY);
  return STEP_AGAIN;
}

/* Returns true if chunk `i`, which is not the first, is a transport segment that begins with what
 * looks like an FPDU. An FPDU right after a leading Marker, `lead` octets from the boundary, does
 * not count. */
static bool rx_chunk_like(const iwarp_rx *rx, size_t lead, size_t i) {
  const size_t off = (size_t)(rx->chunks[i].pos - rx->pos);
  const iwarp_span at = span_from(iwarpi_rx_buffered(rx), off);
  return off > lead && rx->chunks[i].meta.segment_start && at.len >= RX_HEAD_LEN &&
         iwarpi_rx_plausible(at, false);
}

/* Transport segments in the buffer, after its first octet, that begin with what looks like an FPDU.
 */
static uint32_t rx_fpdu_like(const iwarp_rx *rx, size_t lead) {
  uint32_t num = 0;
  for (size_t i = 1; i < rx->num_chunks; i++) {
    num += rx_chunk_like(rx, lead, i) ? 1u : 0u;
  }
  return num;
}

/* Returns true if the ULPDU_Length of the incomplete FPDU may be wrong: its octets do not look like
 * an FPDU, or another FPDU may begin among them. Call it after each transport segment. */
bool iwarpi_rx_partial_implausible(iwarp_rx *rx) {
  const size_t lead = rx_layout(rx, 0).lead;
  const iwarp_span head = span_from(iwarpi_rx_buffered(rx), lead);
  const size_t last = rx->num_chunks - 1u;
  if (last > 0 && rx_chunk_like(rx, lead, last)) {
    rx->inner_pos = rx->chunks[last].pos;
  }
  return rx->inner_pos > rx->pos ||
         (head.len >= RX_WORD_LEN && !iwarpi_rx_plausible(head, rx->markers == IWARP_TRISTATE_ON));
}

/*
 * Reports the octets at the end of the stream that form no whole FPDU. If they do not look like an
 * FPDU, they may be no part of one, whatever ULPDU_Length they seem to have.
 */
static step rx_unfinished(iwarp_rx *rx, iwarp_event *ev) {
  const size_t lead = rx_layout(rx, 0).lead;
  const bool judged = iwarpi_rx_avail(rx) >= lead + RX_WORD_LEN;
  const bool none =
      judged && !iwarpi_rx_plausible(span_from(iwarpi_rx_contiguous(rx, lead + RX_HEAD_LEN), lead),
                                     rx->markers == IWARP_TRISTATE_ON);
  const iwarp_undec_reason reason = none ? IWARP_UNDEC_NO_BOUNDARY : IWARP_UNDEC_UNFINISHED;
  const uint32_t fpdu_like = rx_fpdu_like(rx, lead);
  const iwarp_span all = iwarpi_rx_buffered(rx);
  iwarpi_rx_run_add(rx, all);
  rx->release = all.len;
  if (!iwarpi_rx_undec_event(rx, ev, reason)) {
    return STEP_IDLE;
  }
  ev->fpdu_like = fpdu_like;
  ev->unfinished = none ? (iwarp_span){0} : all;
  return STEP_EVENT;
}

/* JUDGED: enough octets are available to decide if an FPDU begins with them. */
typedef enum rx_judged { RX_NOT_JUDGED, RX_JUDGED } rx_judged;

/* No complete FPDU is available: keeps the octets, and deals with a gap or the end after them. */
static step rx_short(iwarp_rx *rx, iwarp_event *ev, rx_judged judged) {
  if (!iwarpi_rx_reserve(rx, rx->num_buf + rx->in.len)) {
    return STEP_NO_MEMORY;
  }
  iwarpi_rx_take(rx, rx->in.len);
  if (rx->gap_pending) {
    const step entered =
        rx_unconfirmed(rx) && judged == RX_NOT_JUDGED ? STEP_IDLE : iwarpi_rx_hole_enter(rx);
    if (entered != STEP_IDLE) {
      return entered;
    }
    iwarpi_rx_search_begin(rx, IWARP_UNDEC_NO_BOUNDARY);
    return STEP_AGAIN;
  }
  return rx->eof ? rx_unfinished(rx, ev) : STEP_IDLE;
}

/* An FPDU longer than the engine may hold, of `wire_len` octets: its first ones are kept, and it is
 * followed to its end.
 */
static step rx_long(iwarp_rx *rx, iwarp_event *ev, size_t wire_len) {
  const size_t kept = size_min(wire_len, RX_LONG_LEN);
  if (iwarpi_rx_avail(rx) < kept) {
    return rx_short(rx, ev, RX_JUDGED);
  }
  if (!iwarpi_rx_reserve(rx, kept)) {
    return STEP_NO_MEMORY;
  }
  iwarpi_rx_take(rx, rx->num_buf < kept ? kept - rx->num_buf : 0);
  return iwarpi_rx_hole_enter(rx); /* the length is there */
}

/* Returns true if the frame of `wire_len` octets, of which not all are there, ends where its packet
 * does, which the snapshot length cut: then it is one, whatever it looks like. */
bool iwarpi_rx_ends_with_cut(const iwarp_rx *rx, size_t wire_len) {
  return rx->gap_pending && rx->gap.reason == IWARP_GAP_SNAPLEN &&
         rx->gap.len == wire_len - iwarpi_rx_avail(rx);
}

/*
 * The FPDU at the boundary has `ulpdu_length`. `implausible`: it does not look like one, so its CRC
 * must be right.
 */
static step rx_sync_body(iwarp_rx *rx, iwarp_event *ev, uint16_t ulpdu_length, bool implausible) {
  const iwarp_mpa_layout l = rx_layout(rx, ulpdu_length);
  /* With Marker use unknown but CRCs in use, a wrong CRC says that a Marker stands in this FPDU. */
  const bool must_sum =
      implausible || (!iwarpi_rx_found(rx) && rx->markers == IWARP_TRISTATE_UNKNOWN &&
                      rx->crc == IWARP_TRISTATE_ON);
  iwarp_span wire;
  if (ulpdu_length > rx->max_ulpdu) {
    iwarpi_rx_reach_limit(rx, IWARP_LIMIT_ULPDU);
    return must_sum ? rx_begin_search(rx) : rx_long(rx, ev, l.wire_len);
  }
  if (iwarpi_rx_avail(rx) < l.wire_len) {
    const bool none = implausible && iwarpi_rx_over(rx) && !iwarpi_rx_ends_with_cut(rx, l.wire_len);
    return none ? rx_begin_search(rx) : rx_short(rx, ev, RX_JUDGED);
  }
  if (rx->num_buf > 0 && !iwarpi_rx_reserve(rx, l.wire_len)) {
    return STEP_NO_MEMORY;
  }
  wire = iwarpi_rx_contiguous(rx, l.wire_len);
  if (must_sum &&
      !iwarpi_rx_crc_right(rx, wire, implausible ? RX_CREDIT_ANY : RX_CREDIT_PLAUSIBLE)) {
    return rx_begin_search(rx);
  }
  rx_fpdu_event(rx, ev, wire, &l);
  return STEP_EVENT;
}

/* Returns true if an FPDU boundary is reached after which nothing is decoded. */
bool iwarpi_rx_refused(const iwarp_rx *rx) {
  return rx->refuses && rx->state == RX_SYNC && iwarpi_rx_avail(rx) > 0 &&
         iwarpi_rx_front_meta(rx).peer_pos >= rx->refuse_from; /* an unknown one is the largest */
}

/* How the chain of ULPDU_Lengths goes on after an FPDU. */
typedef enum rx_chain {
  RX_CHAIN_BREAKS,  /* the octets after the FPDU show no chain */
  RX_CHAIN_GOES_ON, /* an FPDU seems to follow, or the packet or the stream ends */
  RX_CHAIN_OPEN     /* more octets are needed */
} rx_chain;

/*
 * Says how the chain goes on after the FPDU of `ulpdu_length` at the boundary. The FPDU does not
 * look like one. The FPDUs before it are proven by their look alone, in a stream without Markers.
 * If the chain goes on, the headers of the FPDU are wrong, and not its place.
 */
static rx_chain rx_chain_after(const iwarp_rx *rx, uint16_t ulpdu_length) {
  uint8_t next[RX_HEAD_LEN];
  const size_t wire_len = rx_layout(rx, ulpdu_length).wire_len;
  const size_t avail = iwarpi_rx_avail(rx);
  bool goes_on;
  if (rx->sync != IWARP_SYNC_HEURISTIC || ulpdu_length > rx->max_ulpdu) {
    return RX_CHAIN_BREAKS;
  }
  if (avail >= wire_len + RX_HEAD_LEN) {
    iwarpi_rx_peek(rx, wire_len, next, sizeof(next));
    goes_on = iwarpi_rx_plausible((iwarp_span){next, sizeof(next)}, false);
  } else if (iwarpi_rx_over(rx)) {
    goes_on = rx->eof ? avail == wire_len : iwarpi_rx_ends_with_cut(rx, wire_len);
  } else {
    return RX_CHAIN_OPEN;
  }
  return goes_on ? RX_CHAIN_GOES_ON : RX_CHAIN_BREAKS;
}

/* All input was taken, and nothing comes after it. */
static bool rx_idle(const iwarp_rx *rx) {
  return iwarpi_rx_avail(rx) == 0 && !iwarpi_rx_over(rx);
}

/* The first FPDU lacks its leading Marker: `head`, where the Marker is expected, looks like the
 * FPDU. */
static bool rx_lead_missing(const iwarp_rx *rx, iwarp_span head, size_t lead) {
  return rx_at_start(rx) && lead > 0 && iwarpi_rx_plausible(head, false) &&
         !iwarpi_rx_plausible(span_from(head, lead), true);
}

static step rx_sync_step(iwarp_rx *rx, iwarp_event *ev) {
  const bool over = iwarpi_rx_over(rx);
  bool doubts;
  size_t lead;
  iwarp_span head;
  bool implausible;
  if (rx_idle(rx) || iwarpi_rx_refused(rx)) {
    return STEP_IDLE;
  }
  if (iwarpi_rx_avail(rx) < RX_WORD_LEN) {
    return rx_short(rx, ev, RX_NOT_JUDGED);
  }
  rx_infer_markers(rx);
  doubts = iwarpi_rx_must_verify(rx);
  lead = rx_lead(rx);
  if (iwarpi_rx_avail(rx) < lead + (doubts && !over ? RX_HEAD_LEN : RX_WORD_LEN)) {
    return rx_short(rx, ev, RX_NOT_JUDGED);
  }
  head = iwarpi_rx_contiguous(rx, lead + (doubts ? RX_HEAD_LEN : RX_WORD_LEN));
  implausible =
      doubts && !iwarpi_rx_plausible(span_from(head, lead), rx->markers == IWARP_TRISTATE_ON);
  if (rx_lead_missing(rx, head, lead)) {
    return rx_begin_search(rx);
  }
  if (implausible && rx->crc != IWARP_TRISTATE_ON) {
    const rx_chain chain = rx_chain_after(rx, span_be16(head, lead));
    if (chain == RX_CHAIN_OPEN) {
      return rx_short(rx, ev, RX_JUDGED);
    }
    implausible = chain == RX_CHAIN_BREAKS;
  }
  if (implausible && rx->crc == IWARP_TRISTATE_OFF) {
    return rx_begin_search(rx);
  }
  return rx_sync_body(rx, ev, span_be16(head, lead), implausible);
}

/* ---- all states ---- */

static step rx_step(iwarp_rx *rx, iwarp_event *ev) {
  static step (*const steps[])(iwarp_rx * rx, iwarp_event * ev) = {
      [RX_SYNC] = rx_sync_step,
      [RX_HOLE] = iwarpi_rx_hole_step,
      [RX_REPORT_GAPS] = iwarpi_rx_report_gaps_step,
      [RX_BREAK_UP] = iwarpi_rx_break_up_step,
      [RX_SEARCH] = iwarpi_rx_search_step,
  };
  return steps[rx->state](rx, ev);
}

iwarp_err iwarp_rx_next_event(iwarp_rx *rx, iwarp_event *ev) {
  step did = STEP_AGAIN;
  if (rx == NULL || ev == NULL) {
    return IWARP_ERR_ARG;
  }
  iwarpi_rx_release(rx);
  while (did == STEP_AGAIN) {
    did = rx_step(rx, ev);
  }
  iwarpi_rx_end_steps(rx, did);
  return step_err(did);
}
