/* SPDX-License-Identifier: BSD-2-Clause */
/* An FPDU that lacks octets although its length is known: followed to its end, then reported. */
#include <string.h>

#include "../base/cursor.h"
#include "../base/minmax.h"
#include "../base/span.h"
#include "state.h"

#define HOLE_CRC_AT (RX_TAIL_LEN - IWARP_MPA_CRC_LEN) /* index of the CRC in tail[] */

static bool hole_at_end(const iwarp_rx *rx) {
  return rx->holed.cur - rx->pos >= rx->holed.layout.wire_len;
}

/* Moves the cursor over the pending gap. False when no room is left to remember it. */
static bool hole_add_gap(iwarp_rx *rx) {
  rx_holed *h = &rx->holed;
  if (h->num_gaps == rx->room.holes) {
    iwarpi_rx_reach_limit(rx, IWARP_LIMIT_HOLES);
    return false;
  }
  h->gaps[h->num_gaps] = rx->gap;
  h->gaps[h->num_gaps].pos = h->cur;
  h->num_gaps++;
  h->piece[h->num_gaps] = (rx_source){0};
  h->cur += rx->gap.len;
  rx->gap_pending = false;
  return true;
}

/*
 * Begins to follow the FPDU at rx->pos. Its first octets are in the buffer: all that are available
 * before a gap, or enough of an FPDU that is too long. IDLE: the buffer does not hold its length.
 * NO_MEMORY: nothing has changed.
 */
step iwarpi_rx_hole_enter(iwarp_rx *rx) {
  const iwarp_span buf = iwarpi_rx_buffered(rx);
  const bool markers = rx->markers == IWARP_TRISTATE_ON;
  const uint64_t off = markers ? rx->pos - rx->phase : 0;
  const uint32_t lead = iwarp_mpa_layout_of(off, 0, markers).lead;
  if (!span_has(buf, lead, 2)) {
    return STEP_IDLE;
  }
  if (!iwarpi_rx_reserve_holed(rx)) {
    return STEP_NO_MEMORY;
  }
  rx->holed = (rx_holed){.piece = rx->holed.piece, .gaps = rx->holed.gaps};
  rx->holed.ulpdu_length = span_be16(buf, lead);
  rx->holed.layout = iwarp_mpa_layout_of(off, rx->holed.ulpdu_length, markers);
  const size_t have = span_first(buf, rx->holed.layout.wire_len).len;
  rx->holed.cur = rx->pos + have;
  iwarpi_rx_source(rx, have, &rx->holed.piece[0].first, &rx->holed.piece[0].last);
  rx->state = RX_HOLE;
  if (rx->gap_pending && !hole_at_end(rx)) {
    (void)hole_add_gap(rx); /* the first gap fits */
  }
  return STEP_AGAIN;
}

/* Keeps what `part`, at wire offset `at`, holds of PAD and CRC. */
static void hole_keep_tail(rx_holed *h, size_t at, iwarp_span part) {
  const size_t tail = h->layout.wire_len - RX_TAIL_LEN;
  const size_t skip = at < tail ? tail - at : 0;
  const iwarp_span kept = span_from(part, skip);
  for (size_t i = 0; i < kept.len; i++) {
    const size_t to = at + skip + i - tail;
    h->tail[to] = span_u8(kept, i);
    h->tail_have = (uint8_t)(h->tail_have | (1u << to));
  }
}

/* Returns true if a gap has just been passed. */
static bool hole_just_passed(const rx_holed *h) {
  return h->num_gaps > 0 && h->cur == h->gaps[h->num_gaps - 1].pos + h->gaps[h->num_gaps - 1].len;
}

/* Follows the input up to the end of the FPDU. */
static void hole_consume(iwarp_rx *rx) {
  rx_holed *h = &rx->holed;
  rx_source *piece = &h->piece[h->num_gaps];
  const iwarp_meta meta = iwarpi_rx_in_meta(rx);
  const size_t at = (size_t)(h->cur - rx->pos);
  const iwarp_span part = span_first(rx->in, h->layout.wire_len - at);
  if (part.len == 0) {
    return;
  }
  if (hole_just_passed(h)) {
    *piece = (rx_source){meta, meta};
  }
  iwarpi_rx_later(&piece->last, &meta);
  hole_keep_tail(h, at, part);
  h->cur += part.len;
  rx->in = span_from(rx->in, part.len);
  rx->in_start = false;
}

/* Returns true if the `n` octets before tail index `end` came. */
static bool hole_tail_has(const rx_holed *h, uint32_t end, uint32_t n) {
  const uint32_t bits = ((1u << n) - 1u) << (end - n);
  return (h->tail_have & bits) == bits;
}

/* Copies the octets of PAD and CRC that came. */
static void hole_tail(rx_holed *h, iwarp_event_fpdu *f) {
  const uint32_t pad = h->layout.pad;
  rd crc = rd_of((iwarp_span){&h->tail[HOLE_CRC_AT], 4});
  f->crc_present = hole_tail_has(h, RX_TAIL_LEN, 4);
  if (f->crc_present) {
    f->fpdu.crc = rd_u32le(&crc);
  }
  /* a Marker between PAD and CRC puts the PAD outside the kept octets */
  f->pad_present = hole_tail_has(h, HOLE_CRC_AT, pad) && h->layout.num_markers == 0;
  if (f->pad_present) {
    memcpy(f->fpdu.pad, &h->tail[HOLE_CRC_AT - pad], pad);
  }
}

static void hole_event(iwarp_rx *rx, iwarp_event *ev) {
  rx_holed *h = &rx->holed;
  iwarp_event_fpdu *f = &ev->u.fpdu;
  const iwarp_mpa_layout l = h->layout;
  const iwarp_span before = span_first(iwarpi_rx_buffered(rx), l.wire_len);
  const bool is_long = h->ulpdu_length > rx->max_ulpdu;
  hole_keep_tail(h, 0, before); /* the octets before the first hole may hold PAD and CRC too */
  iwarpi_rx_event(rx, ev, IWARP_EVENT_FPDU, rx->pos + l.lead, l.wire_len - l.lead);
  ev->first = h->piece[0].first;
  ev->last = h->piece[0].last;
  for (size_t i = 1; i <= h->num_gaps; i++) {
    iwarpi_rx_later(&ev->last, &h->piece[i].last);
  }
  f->fpdu.wire = is_long ? span_first(before, RX_LONG_LEN) : before;
  f->fpdu.ulpdu_length = h->ulpdu_length;
  f->fpdu.markers = rx->markers == IWARP_TRISTATE_ON;
  f->fpdu.layout = l;
  hole_tail(h, f);
  f->offset = rx->base == IWARP_POS_UNKNOWN ? IWARP_POS_UNKNOWN : ev->pos - rx->base;
  f->sync = rx->sync;
  f->good_run = rx->good_run;
  iwarpi_rx_decode_segment(rx, f);
}

/* RX_HOLE: follows the FPDU. It takes all input up to the end of the FPDU. */
step iwarpi_rx_hole_step(iwarp_rx *rx, iwarp_event *ev) {
  bool room = true;
  if (!hole_at_end(rx)) {
    hole_consume(rx);
    room = !rx->gap_pending || hole_add_gap(rx);
  }
  if (hole_at_end(rx)) {
    hole_event(rx, ev);
    rx->state = RX_REPORT_GAPS;
    return STEP_EVENT;
  }
  if (!room || rx->eof) {
    rx->state = RX_BREAK_UP;
    rx->holed.out_pos = rx->pos;
    return STEP_AGAIN;
  }
  return STEP_IDLE;
}

/* Reports the next hole. */
static void hole_gap_event(iwarp_rx *rx, iwarp_event *ev) {
  const rx_gap *g = &rx->holed.gaps[rx->holed.next_gap];
  iwarpi_rx_event(rx, ev, IWARP_EVENT_GAP, g->pos, g->len);
  ev->first = g->meta;
  ev->last = g->meta;
  ev->u.gap = g->reason;
  rx->holed.next_gap++;
}

/* The length of the FPDU was not vouched for by its CRC. */
static rx_confidence hole_confidence(const iwarp_rx *rx) {
  if (rx->crc == IWARP_TRISTATE_ON) {
    return RX_LENGTH_UNVERIFIED;
  }
  return iwarpi_rx_found(rx) ? RX_UNVERIFIED_SYNC : RX_FOLLOWS;
}

/* Leaves the FPDU after: the stream goes on at the cursor. */
static void hole_leave(iwarp_rx *rx) {
  iwarpi_rx_trim_holed(rx);
  const uint64_t passed = rx->holed.cur - rx->pos;
  iwarpi_rx_consume(rx, (size_t)u64_min(passed, rx->num_buf));
  rx->pos = rx->holed.cur;
  rx->confidence = hole_confidence(rx);
}

/* RX_REPORT_GAPS: reports the holes, then goes on. */
step iwarpi_rx_report_gaps_step(iwarp_rx *rx, iwarp_event *ev) {
  const rx_holed *h = &rx->holed;
  if (h->next_gap < h->num_gaps) {
    hole_gap_event(rx, ev);
    return STEP_EVENT;
  }
  const bool at_boundary = h->cur - rx->pos == h->layout.wire_len;
  hole_leave(rx);
  if (at_boundary) {
    rx->state = RX_SYNC;
  } else {
    iwarpi_rx_search_begin(rx, IWARP_UNDEC_NO_BOUNDARY);
  }
  return STEP_AGAIN;
}

/*
 * RX_BREAK_UP: the stream ended (or too many holes came): octets and holes are reported one after
 * the other.
 */
step iwarpi_rx_break_up_step(iwarp_rx *rx, iwarp_event *ev) {
  rx_holed *h = &rx->holed;
  const uint64_t next = h->next_gap < h->num_gaps ? h->gaps[h->next_gap].pos : h->cur;
  if (h->out_pos < next) {
    iwarpi_rx_event(rx, ev, IWARP_EVENT_UNDECODABLE, h->out_pos, next - h->out_pos);
    ev->first = h->piece[h->next_gap].first;
    ev->last = h->piece[h->next_gap].last;
    ev->u.undecodable = rx->eof ? IWARP_UNDEC_UNFINISHED : IWARP_UNDEC_NO_BOUNDARY;
    h->out_pos = next;
    return STEP_EVENT;
  }
  if (h->next_gap < h->num_gaps) {
    h->out_pos += h->gaps[h->next_gap].len;
    hole_gap_event(rx, ev);
    return STEP_EVENT;
  }
  hole_leave(rx);
  iwarpi_rx_search_begin(rx, IWARP_UNDEC_NO_BOUNDARY);
  return STEP_AGAIN;
}
