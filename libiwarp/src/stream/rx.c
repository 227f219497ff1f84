/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive engine of one direction in Full Operation: octets in, FPDUs out. RFC 5044 4 to 6. */
#include <string.h>

#include <iwarp/crc32c.h>

#include "../base/span.h"
#include "rx_priv.h"

/* Octets that one window of a search may sum up: bounds the work that hostile octets can cause. */
#define RX_BUDGET_POSSIBLE (16u * 1024u * 1024u)
#define RX_BUDGET_PLAUSIBLE (8u * 1024u * 1024u)

_Static_assert(sizeof(struct iwarp_rx) <= IWARP_RX_SIZE, "IWARP_RX_SIZE is too small");
_Static_assert(RX_BUF_LEN >= 2u * IWARP_MPA_FPDU_WIRE_MAX, "a search needs two FPDUs");

size_t iwarp_rx_size(void) { return sizeof(iwarp_rx); }

void iwarpi_rx_setup(iwarp_rx *rx, const iwarp_rx_cfg *cfg) {
  memset(rx, 0, offsetof(iwarp_rx, hdr));
  rx->side = cfg->side;
  rx->pos = cfg->pos;
  rx->base = cfg->at_start ? cfg->pos : IWARP_POS_UNKNOWN;
  rx->phase = rx->base;
  rx->markers = cfg->markers;
  rx->crc = cfg->crc;
  rx->at_start = cfg->at_start;
  rx->doubtful = cfg->at_start && cfg->doubtful;
  rx->guessing = true;
  rx->proof = IWARP_PROOF_STARTUP;
  if (!cfg->at_start) {
    rx->phase = IWARP_POS_UNKNOWN;
    iwarpi_rx_search_begin(rx, IWARP_UNDEC_NO_BOUNDARY);
  }
}

iwarp_err iwarp_rx_init(iwarp_rx **out, void *mem, size_t mem_len, const iwarp_rx_cfg *cfg) {
  if (out == NULL || mem == NULL || cfg == NULL || cfg->size != sizeof(*cfg) ||
      (uintptr_t)mem % _Alignof(max_align_t) != 0) {
    return IWARP_ERR_ARG;
  }
  if (mem_len < sizeof(iwarp_rx)) {
    return IWARP_ERR_NOBUF;
  }
  *out = mem;
  iwarpi_rx_setup(*out, cfg);
  return IWARP_OK;
}

static bool rx_idle(const iwarp_rx *rx) {
  return rx->in.len == 0 && !rx->gap_pending && !rx->eof;
}

iwarp_err iwarp_rx_push(iwarp_rx *rx, iwarp_span in, const iwarp_meta *meta) {
  if (!rx_idle(rx)) {
    return IWARP_ERR_STATE;
  }
  rx->in = in;
  rx->in_meta = *meta;
  rx->in_start = true;
  return IWARP_OK;
}

iwarp_err iwarp_rx_gap(iwarp_rx *rx, uint64_t len, iwarp_gap_reason reason, const iwarp_meta *meta) {
  if (!rx_idle(rx)) {
    return IWARP_ERR_STATE;
  }
  if (len > 0) {
    rx->gap_pending = true;
    rx->gap = (rx_gap){.len = len, .reason = reason, .meta = *meta};
  }
  return IWARP_OK;
}

iwarp_err iwarp_rx_eof(iwarp_rx *rx, const iwarp_meta *meta) {
  if (!rx_idle(rx)) {
    return IWARP_ERR_STATE;
  }
  rx->eof = true;
  rx->eof_meta = *meta;
  return IWARP_OK;
}

void iwarp_rx_set_crc(iwarp_rx *rx, iwarp_tri crc) { rx->crc = crc; }

iwarp_tri iwarp_rx_markers(const iwarp_rx *rx) { return rx->markers; }

iwarp_tri iwarp_rx_crc(const iwarp_rx *rx) { return rx->crc; }

void iwarpi_rx_event(iwarp_rx *rx, iwarp_event *ev, iwarp_event_kind kind, uint64_t pos,
                     uint64_t len) {
  memset(ev, 0, sizeof(*ev));
  ev->kind = kind;
  ev->side = rx->side;
  ev->pos = pos;
  ev->len = len;
}

static void rx_search_budget(iwarp_rx *rx) {
  rx->budget_possible = RX_BUDGET_POSSIBLE;
  rx->budget_plausible = RX_BUDGET_PLAUSIBLE;
}

void iwarpi_rx_search_begin(iwarp_rx *rx, iwarp_undec_reason reason) {
  rx->state = RX_SEARCH;
  rx->undec_reason = reason;
  rx->undec_len = 0;
  rx->scan_from = 0;
  rx_search_budget(rx);
  rx->at_start = false;
  rx->guessing = reason != IWARP_UNDEC_NOT_FPDU;
}

static void rx_gap_event(iwarp_rx *rx, iwarp_event *ev) {
  iwarpi_rx_event(rx, ev, IWARP_EVENT_GAP, rx->pos, rx->gap.len);
  ev->first = rx->gap.meta;
  ev->last = rx->gap.meta;
  ev->u.gap = rx->gap.reason;
  rx->pos += rx->gap.len;
  rx->gap_pending = false;
}

/* ---- RX_SEARCH ---- */

/* Gives up the first `n` octets of the buffer: they will be reported in one run. */
static void rx_give_up(iwarp_rx *rx, size_t n) {
  iwarp_meta first;
  iwarp_meta last;
  if (n == 0) {
    return;
  }
  iwarpi_rx_metas(rx, 0, n, &first, &last);
  if (rx->undec_len == 0) {
    rx->undec_first = first;
    rx->undec_last = first;
  }
  iwarpi_rx_later(&rx->undec_last, &last);
  rx->undec_len += n;
  iwarpi_rx_drop(rx, n);
  rx->scan_from = rx->scan_from > n ? rx->scan_from - n : 0;
}

/* Reports what was given up; false when nothing was. */
static bool rx_undec_event(iwarp_rx *rx, iwarp_event *ev) {
  if (rx->undec_len == 0) {
    return false;
  }
  iwarpi_rx_event(rx, ev, IWARP_EVENT_UNDECODABLE, rx->pos - rx->undec_len, rx->undec_len);
  ev->first = rx->undec_first;
  ev->last = rx->undec_last;
  ev->u.undecodable = rx->undec_reason;
  rx->undec_len = 0;
  return true;
}

/* Fills the buffer; when it is full and holds no boundary, its first half goes. */
static void rx_search_fill(iwarp_rx *rx) {
  if (rx->num_buf == RX_BUF_LEN) {
    rx_give_up(rx, RX_BUF_LEN / 2u);
    rx_search_budget(rx);
  }
  iwarpi_rx_take(rx, span_first(rx->in, RX_BUF_LEN - rx->num_buf).len);
}

/* True when `ev` was written. May leave RX_SEARCH without an event. */
static bool rx_search_step(iwarp_rx *rx, iwarp_event *ev) {
  size_t off = 0;
  bool final;
  rx_search_fill(rx);
  final = rx->in.len == 0 && (rx->gap_pending || rx->eof);
  if (iwarpi_rx_search(rx, &off, final, rx->gap_pending ? rx->gap.len : 0)) {
    rx_give_up(rx, off);
    rx->state = RX_SYNC;
    rx->shaky = false;
    return rx_undec_event(rx, ev);
  }
  if (!final) {
    return false;
  }
  rx_give_up(rx, rx->num_buf);
  if (rx_undec_event(rx, ev)) {
    return true;
  }
  if (rx->gap_pending) {
    rx_gap_event(rx, ev);
    rx->scan_from = 0;
    rx_search_budget(rx);
    return true;
  }
  return false;
}

/* ---- RX_SYNC ---- */

/* The octets at the boundary that are contiguous in memory, the buffer's or else the input's. */
static iwarp_span rx_front(const iwarp_rx *rx) {
  return rx->num_buf > 0 ? iwarpi_rx_buffered(rx) : rx->in;
}

static size_t rx_avail(const iwarp_rx *rx) { return rx->num_buf + rx->in.len; }

/* Makes the first `n` octets at the boundary contiguous; they are at hand. */
static iwarp_span rx_contiguous(iwarp_rx *rx, size_t n) {
  if (rx->num_buf > 0 && rx->num_buf < n) {
    iwarpi_rx_take(rx, n - rx->num_buf);
  }
  return span_first(rx_front(rx), n);
}

/* At stream offset 0 with unknown Marker use, the first word tells: a Marker there is zero. RFC 5044 7.1.2. */
static void rx_infer_markers(iwarp_rx *rx, iwarp_span front) {
  if (rx->markers == IWARP_TRI_UNKNOWN && rx->at_start && front.len >= 4) {
    rx->markers = span_be32(front, 0) == 0 ? IWARP_TRI_ON : IWARP_TRI_OFF;
  }
}

static uint64_t rx_marker_off(const iwarp_rx *rx) {
  return rx->markers == IWARP_TRI_ON ? rx->pos - rx->phase : 0;
}

/* Whether the octets at the boundary must look like an FPDU before they are taken for one. */
static bool rx_must_convince(const iwarp_rx *rx) {
  if (rx->markers == IWARP_TRI_UNKNOWN && rx->at_start) {
    return rx->doubtful;
  }
  return rx->doubtful || rx->shaky || rx->markers == IWARP_TRI_UNKNOWN ||
         (rx->proof == IWARP_PROOF_GUESS && rx->crc != IWARP_TRI_ON);
}

void iwarpi_rx_decode_segment(iwarp_rx *rx, iwarp_ev_fpdu *f) {
  iwarp_span octets = span_part(f->fpdu.wire, f->fpdu.layout.lead + 2u, f->fpdu.ulpdu_length);
  if (f->fpdu.layout.num_markers > f->fpdu.layout.lead / IWARP_MPA_MARKER_LEN) {
    octets.ptr = rx->hdr;
    octets.len = iwarp_mpa_fpdu_ulpdu_copy(rx->hdr, sizeof(rx->hdr), &f->fpdu, 0);
  }
  iwarp_rdmap_seg_decode(&f->seg, octets, f->fpdu.ulpdu_length);
}

/* Sums up the FPDU where CRCs are in use or might be. */
static void rx_judge_crc(iwarp_rx *rx, iwarp_ev_fpdu *f) {
  uint32_t crc;
  if (rx->crc == IWARP_TRI_OFF) {
    return;
  }
  crc = iwarp_mpa_fpdu_crc(&f->fpdu);
  if (rx->crc == IWARP_TRI_UNKNOWN) {
    rx->crc = crc == f->fpdu.crc ? IWARP_TRI_ON : IWARP_TRI_OFF;
  }
  if (rx->crc == IWARP_TRI_ON) {
    f->crc = crc == f->fpdu.crc ? IWARP_CRC_GOOD : IWARP_CRC_BAD;
    f->crc_computed = crc;
  }
}

/* Two Marker periods decoded without meeting one: they are off. */
static void rx_infer_no_markers(iwarp_rx *rx, size_t len) {
  rx->unmarked += len;
  if (rx->markers == IWARP_TRI_UNKNOWN && rx->unmarked >= 2u * IWARP_MPA_MARKER_PERIOD) {
    rx->markers = IWARP_TRI_OFF;
  }
}

/* Reports the complete FPDU `wire` at the boundary and steps over it. */
static void rx_fpdu_event(iwarp_rx *rx, iwarp_event *ev, iwarp_span wire) {
  iwarp_ev_fpdu *f = &ev->u.fpdu;
  const bool markers = rx->markers == IWARP_TRI_ON;
  iwarpi_rx_event(rx, ev, IWARP_EVENT_FPDU, rx->pos, wire.len);
  iwarp_mpa_fpdu_decode(&f->fpdu, wire, rx_marker_off(rx), markers);
  ev->pos += f->fpdu.layout.lead;
  ev->len -= f->fpdu.layout.lead;
  iwarpi_rx_metas(rx, 0, wire.len, &ev->first, &ev->last);
  f->complete = true;
  f->pad_present = true;
  f->crc_present = true;
  rx_judge_crc(rx, f);
  f->offset = rx->base == IWARP_POS_UNKNOWN ? IWARP_POS_UNKNOWN : ev->pos - rx->base;
  f->proof = rx->proof;
  iwarpi_rx_decode_segment(rx, f);
  if (rx->num_buf > 0) {
    rx->release = wire.len;
  } else {
    rx->in = span_from(rx->in, wire.len);
    rx->in_start = false;
    rx->pos += wire.len;
  }
  rx->at_start = false;
  rx->doubtful = false;
  rx->shaky = f->crc == IWARP_CRC_BAD;
  rx_infer_no_markers(rx, wire.len);
  if (f->crc == IWARP_CRC_GOOD && rx->proof == IWARP_PROOF_GUESS) {
    rx->proof = IWARP_PROOF_CRC;
  }
}

/* No complete FPDU is at hand: keeps the octets, and deals with a gap or the end behind them. */
static bool rx_sync_short(iwarp_rx *rx, iwarp_event *ev) {
  iwarpi_rx_take(rx, rx->in.len);
  if (rx->gap_pending) {
    if (rx->num_buf == 0 || !iwarpi_rx_hole_enter(rx)) {
      iwarpi_rx_search_begin(rx, IWARP_UNDEC_NO_BOUNDARY);
    }
    return true;
  }
  if (rx->eof && rx->num_buf > 0) {
    iwarpi_rx_event(rx, ev, IWARP_EVENT_UNDECODABLE, rx->pos, rx->num_buf);
    iwarpi_rx_metas(rx, 0, rx->num_buf, &ev->first, &ev->last);
    ev->u.undecodable = IWARP_UNDEC_UNFINISHED;
    rx->release = rx->num_buf;
    return true;
  }
  return false;
}

/* What a step did. */
typedef enum rx_did { RX_DID_NOTHING, RX_DID_EVENT, RX_DID_CHANGE } rx_did;

static rx_did rx_short(iwarp_rx *rx, iwarp_event *ev) {
  const rx_state before = rx->state;
  if (!rx_sync_short(rx, ev)) {
    return RX_DID_NOTHING;
  }
  return rx->state == before ? RX_DID_EVENT : RX_DID_CHANGE;
}

/* Octets that the boundary test wants to see: a leading Marker, and a header up to QN. */
#define RX_CONVINCE_LEN (IWARP_MPA_MARKER_LEN + 12u)

/* Whether more octets are needed before the boundary can be judged. */
static bool rx_must_wait(const iwarp_rx *rx) {
  const size_t avail = rx_avail(rx);
  if (avail < 4) {
    return true;
  }
  return rx_must_convince(rx) && avail < RX_CONVINCE_LEN && !rx->gap_pending && !rx->eof;
}

/* With unknown Marker use, a CRC known to be in use and wrong says that a Marker stands in this FPDU. */
static bool rx_hides_marker(const iwarp_rx *rx, iwarp_span wire) {
  return rx->markers == IWARP_TRI_UNKNOWN && rx->crc == IWARP_TRI_ON &&
         iwarp_crc32c(0, wire.ptr, wire.len) != IWARP_CRC32C_RESIDUE;
}

static rx_did rx_lose(iwarp_rx *rx) {
  iwarpi_rx_search_begin(rx, rx->doubtful ? IWARP_UNDEC_NOT_FPDU : IWARP_UNDEC_NO_BOUNDARY);
  rx->doubtful = false;
  rx->unmarked = 0;
  return RX_DID_CHANGE;
}

/*
 * The boundary does not look like one. A CRC in use can still prove it; without one, or with a wrong one, the chain is
 * lost here.
 */
static rx_did rx_unconvinced(iwarp_rx *rx, iwarp_event *ev, const iwarp_mpa_layout *l) {
  if (rx->crc == IWARP_TRI_ON && !rx->doubtful && rx->markers != IWARP_TRI_UNKNOWN) {
    if (rx_avail(rx) >= l->wire_len) {
      const iwarp_span wire = rx_contiguous(rx, l->wire_len);
      if (iwarp_crc32c(0, wire.ptr, wire.len) == IWARP_CRC32C_RESIDUE) {
        rx_fpdu_event(rx, ev, wire);
        return RX_DID_EVENT;
      }
    } else if (!rx->gap_pending && !rx->eof) {
      return rx_short(rx, ev);
    }
  }
  return rx_lose(rx);
}

static rx_did rx_sync_step(iwarp_rx *rx, iwarp_event *ev) {
  iwarp_span front;
  iwarp_mpa_layout l;
  bool markers;
  if (rx_must_wait(rx)) {
    return rx_short(rx, ev);
  }
  front = rx_contiguous(rx, rx_avail(rx) < RX_CONVINCE_LEN ? rx_avail(rx) : RX_CONVINCE_LEN);
  rx_infer_markers(rx, front);
  markers = rx->markers == IWARP_TRI_ON;
  l = iwarp_mpa_layout_of(rx_marker_off(rx), 0, markers);
  if (!span_has(front, l.lead, 4)) {
    return rx_short(rx, ev);
  }
  l = iwarp_mpa_layout_of(rx_marker_off(rx), span_be16(front, l.lead), markers);
  if (rx_must_convince(rx) && !iwarpi_rx_plausible(span_from(front, l.lead), markers)) {
    return rx_unconvinced(rx, ev, &l);
  }
  if (rx_avail(rx) < l.wire_len) {
    return rx_short(rx, ev);
  }
  front = rx_contiguous(rx, l.wire_len);
  if (rx_hides_marker(rx, front)) {
    return rx_lose(rx);
  }
  rx_fpdu_event(rx, ev, front);
  return RX_DID_EVENT;
}

static rx_did rx_step(iwarp_rx *rx, iwarp_event *ev) {
  const rx_state before = rx->state;
  bool event = false;
  switch (rx->state) {
    case RX_SYNC:
      return rx_sync_step(rx, ev);
    case RX_HOLE:
      event = iwarpi_rx_hole_step(rx, ev);
      break;
    case RX_HOLE_OUT:
      event = iwarpi_rx_hole_out_step(rx, ev);
      break;
    case RX_BREAK_UP:
      event = iwarpi_rx_break_up_step(rx, ev);
      break;
    case RX_SEARCH:
      event = rx_search_step(rx, ev);
      if (!event && rx->state == RX_SEARCH && rx->in.len > 0) {
        return RX_DID_CHANGE;
      }
      break;
  }
  if (event) {
    return RX_DID_EVENT;
  }
  return rx->state == before ? RX_DID_NOTHING : RX_DID_CHANGE;
}

iwarp_err iwarp_rx_next(iwarp_rx *rx, iwarp_event *ev) {
  rx_did did = RX_DID_CHANGE;
  if (rx->release > 0) {
    iwarpi_rx_drop(rx, rx->release);
    rx->release = 0;
  }
  while (did == RX_DID_CHANGE) {
    did = rx_step(rx, ev);
  }
  return did == RX_DID_EVENT ? IWARP_OK : IWARP_ERR_END;
}
