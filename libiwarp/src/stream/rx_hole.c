/* SPDX-License-Identifier: BSD-2-Clause */
/* An FPDU of which octets are missing although its length is known: followed to its end, then reported. */
#include <string.h>

#include "../base/span.h"
#include "rx_priv.h"

static size_t hole_wire_len(const iwarp_rx *rx) { return rx->holed.layout.wire_len; }

static bool hole_at_end(const iwarp_rx *rx) {
  return rx->holed.cur - rx->pos >= hole_wire_len(rx);
}

/* Moves the cursor over the pending gap. False when no room is left to remember it. */
static bool hole_add_gap(iwarp_rx *rx) {
  rx_holed *h = &rx->holed;
  if (h->num_gaps == RX_NUM_HOLES) {
    return false;
  }
  h->gaps[h->num_gaps] = rx->gap;
  h->gaps[h->num_gaps].pos = h->cur;
  h->num_gaps++;
  h->cur += rx->gap.len;
  rx->gap_pending = false;
  return true;
}

/*
 * Begins to follow the FPDU at rx->pos, of which all octets at hand are in the buffer and a gap follows. False when
 * the buffer does not hold its length.
 */
bool iwarpi_rx_hole_enter(iwarp_rx *rx) {
  const iwarp_span buf = iwarpi_rx_buffered(rx);
  const bool markers = rx->markers == IWARP_TRI_ON;
  const uint64_t off = markers ? rx->pos - rx->phase : 0;
  const uint32_t lead = iwarp_mpa_layout_of(off, 0, markers).lead;
  if (!span_has(buf, lead, 2)) {
    return false;
  }
  memset(&rx->holed, 0, sizeof(rx->holed));
  rx->holed.ulpdu_length = span_be16(buf, lead);
  rx->holed.layout = iwarp_mpa_layout_of(off, rx->holed.ulpdu_length, markers);
  rx->holed.cur = rx->pos + buf.len;
  iwarpi_rx_metas(rx, 0, buf.len, &rx->holed.first, &rx->holed.last);
  rx->state = RX_HOLE;
  return hole_add_gap(rx);
}

/* Keeps what `part`, at wire offset `at` behind a hole, holds of PAD and CRC. */
static void hole_keep_tail(rx_holed *h, size_t at, iwarp_span part) {
  const size_t tail = h->layout.wire_len - RX_TAIL_LEN;
  for (size_t i = 0; i < part.len; i++) {
    if (at + i >= tail) {
      h->tail[at + i - tail] = part.ptr[i];
      h->tail_have = (uint8_t)(h->tail_have | (1u << (at + i - tail)));
    }
  }
}

static void hole_consume(iwarp_rx *rx) {
  rx_holed *h = &rx->holed;
  const size_t at = (size_t)(h->cur - rx->pos);
  const iwarp_span part = span_first(rx->in, hole_wire_len(rx) - at);
  if (part.len == 0) {
    return;
  }
  hole_keep_tail(h, at, part);
  iwarpi_rx_later(&h->last, &rx->in_meta);
  h->cur += part.len;
  rx->in = span_from(rx->in, part.len);
  rx->in_start = false;
}

/* Whether the last `n` octets before tail index `end` came. */
static bool hole_tail_has(const rx_holed *h, uint32_t end, uint32_t n) {
  const uint32_t bits = ((1u << n) - 1u) << (end - n);
  return (h->tail_have & bits) == bits;
}

/* The last octets in front of the first hole may hold PAD and CRC too. */
static void hole_tail_from_prefix(iwarp_rx *rx, iwarp_span prefix) {
  const size_t tail = hole_wire_len(rx) - RX_TAIL_LEN;
  const size_t from = prefix.len > tail ? tail : prefix.len;
  hole_keep_tail(&rx->holed, from, span_from(prefix, from));
}

static void hole_event(iwarp_rx *rx, iwarp_event *ev) {
  rx_holed *h = &rx->holed;
  iwarp_ev_fpdu *f = &ev->u.fpdu;
  const iwarp_mpa_layout l = h->layout;
  const iwarp_span prefix = iwarpi_rx_buffered(rx);
  const uint32_t crc_at = RX_TAIL_LEN - 4u;
  iwarpi_rx_event(rx, ev, IWARP_EVENT_FPDU, rx->pos + l.lead, l.wire_len - l.lead);
  ev->first = h->first;
  ev->last = h->last;
  f->fpdu.wire = prefix;
  f->fpdu.ulpdu_length = h->ulpdu_length;
  f->fpdu.markers = rx->markers == IWARP_TRI_ON;
  f->fpdu.layout = l;
  hole_tail_from_prefix(rx, prefix);
  f->crc_present = hole_tail_has(h, RX_TAIL_LEN, 4);
  if (f->crc_present) {
    f->fpdu.crc = (uint32_t)h->tail[crc_at] | ((uint32_t)h->tail[crc_at + 1] << 8) |
                  ((uint32_t)h->tail[crc_at + 2] << 16) | ((uint32_t)h->tail[crc_at + 3] << 24);
  }
  /* a Marker between PAD and CRC puts the PAD outside the kept octets */
  f->pad_present = hole_tail_has(h, crc_at, l.pad) && l.num_markers == 0;
  for (uint32_t i = 0; f->pad_present && i < l.pad; i++) {
    f->fpdu.pad[i] = h->tail[crc_at - l.pad + i];
  }
  f->offset = rx->base == IWARP_POS_UNKNOWN ? IWARP_POS_UNKNOWN : ev->pos - rx->base;
  f->proof = rx->proof;
  iwarpi_rx_decode_segment(rx, f);
}

/* RX_HOLE: true when `ev` was written. */
bool iwarpi_rx_hole_step(iwarp_rx *rx, iwarp_event *ev) {
  hole_consume(rx);
  if (hole_at_end(rx)) {
    hole_event(rx, ev);
    rx->state = RX_HOLE_OUT;
    return true;
  }
  if ((rx->gap_pending && !hole_add_gap(rx)) || rx->eof) {
    rx->state = RX_BREAK_UP;
    rx->holed.out_pos = rx->pos;
  }
  return false;
}

static void hole_gap_event(iwarp_rx *rx, iwarp_event *ev, const rx_gap *g) {
  iwarpi_rx_event(rx, ev, IWARP_EVENT_GAP, g->pos, g->len);
  ev->first = g->meta;
  ev->last = g->meta;
  ev->u.gap = g->reason;
}

/* Leaves the FPDU behind: the stream goes on at the cursor. */
static void hole_leave(iwarp_rx *rx, bool at_boundary) {
  rx->pos = rx->holed.cur;
  rx->buf_off = 0;
  rx->num_buf = 0;
  rx->num_chunks = 0;
  rx->at_start = false;
  rx->shaky = rx->crc == IWARP_TRI_ON; /* its length was not vouched for by its CRC */
  if (at_boundary) {
    rx->state = RX_SYNC;
  } else {
    iwarpi_rx_search_begin(rx, IWARP_UNDEC_NO_BOUNDARY);
  }
}

/* RX_HOLE_OUT: reports the holes, then goes on. */
bool iwarpi_rx_hole_out_step(iwarp_rx *rx, iwarp_event *ev) {
  rx_holed *h = &rx->holed;
  if (h->next_gap < h->num_gaps) {
    hole_gap_event(rx, ev, &h->gaps[h->next_gap]);
    h->next_gap++;
    return true;
  }
  hole_leave(rx, h->cur - rx->pos == hole_wire_len(rx));
  return false;
}

/* RX_BREAK_UP: the stream ended (or too many holes came): octets and holes are reported one after the other. */
bool iwarpi_rx_break_up_step(iwarp_rx *rx, iwarp_event *ev) {
  rx_holed *h = &rx->holed;
  const uint64_t next = h->next_gap < h->num_gaps ? h->gaps[h->next_gap].pos : h->cur;
  if (h->out_pos < next) {
    iwarpi_rx_event(rx, ev, IWARP_EVENT_UNDECODABLE, h->out_pos, next - h->out_pos);
    ev->first = h->first;
    ev->last = h->last;
    ev->u.undecodable = rx->eof ? IWARP_UNDEC_UNFINISHED : IWARP_UNDEC_NO_BOUNDARY;
    h->out_pos = next;
    return true;
  }
  if (h->next_gap < h->num_gaps) {
    hole_gap_event(rx, ev, &h->gaps[h->next_gap]);
    h->out_pos += h->gaps[h->next_gap].len;
    h->next_gap++;
    return true;
  }
  hole_leave(rx, false);
  return false;
}
