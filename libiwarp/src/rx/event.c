/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of a receive engine, and octets that are consumed now and reported later in one run. */
#include <string.h>

#include "../base/span.h"
#include "state.h"

void iwarpi_rx_event(const iwarp_rx *rx, iwarp_event *ev, iwarp_event_kind kind, uint64_t pos,
                     uint64_t len) {
  memset(ev, 0, sizeof(*ev));
  ev->kind = kind;
  ev->side = rx->side;
  ev->pos = pos;
  ev->len = len;
}

/* Reports the pending gap and steps over it; nothing else is available. */
void iwarpi_rx_gap_event(iwarp_rx *rx, iwarp_event *ev) {
  iwarpi_rx_event(rx, ev, IWARP_EVENT_GAP, rx->pos, rx->gap.len);
  ev->first = rx->gap.meta;
  ev->last = rx->gap.meta;
  ev->u.gap = rx->gap.reason;
  rx->pos += rx->gap.len;
  rx->gap_pending = false;
}

/* Keeps the next octets of a run, and their packets, as far as they are among the first octets of
 * the run. */
static void rx_run_keep(iwarp_rx *rx, iwarp_span part) {
  if (rx->run_len < IWARP_MPA_STARTUP_LEN) {
    const size_t lacking = IWARP_MPA_STARTUP_LEN - (size_t)rx->run_len;
    rx_source s;
    iwarpi_rx_source(rx, span_first(part, lacking).len, &s.first, &s.last);
    iwarpi_rx_later(&rx->run_head_last, &s.last);
  }
  if (rx->run_len < sizeof(rx->run_head)) {
    const iwarp_span kept = span_first(part, sizeof(rx->run_head) - (size_t)rx->run_len);
    memcpy(&rx->run_head[rx->run_len], kept.ptr, kept.len);
  }
}

/* Adds the next octets, which are contiguous, to the run. The caller then consumes or releases
 * them. */
void iwarpi_rx_run_add(iwarp_rx *rx, iwarp_span part) {
  rx_source s;
  if (part.len == 0) {
    return;
  }
  iwarpi_rx_source(rx, part.len, &s.first, &s.last);
  if (rx->run_len == 0) {
    rx->run = s;
    rx->run_head_last = s.first;
  }
  rx_run_keep(rx, part);
  iwarpi_rx_later(&rx->run.last, &s.last);
  rx->run_len += part.len;
}

/* Consumes the next `n` octets, which are available: they will be reported in one run. */
void iwarpi_rx_give_up(iwarp_rx *rx, size_t n) {
  while (n > 0) {
    const iwarp_span part = span_first(iwarpi_rx_front(rx), n);
    iwarpi_rx_run_add(rx, part);
    iwarpi_rx_consume(rx, part.len);
    n -= part.len;
  }
}

/* Reports the run; its last octets may still be in the buffer, to be released. False when the run
 * is empty. */
bool iwarpi_rx_run_event(iwarp_rx *rx, iwarp_event *ev, iwarp_event_kind kind) {
  if (rx->run_len == 0) {
    return false;
  }
  iwarpi_rx_event(rx, ev, kind, rx->pos + rx->release - rx->run_len, rx->run_len);
  ev->first = rx->run.first;
  ev->last = rx->run.last;
  ev->head = (iwarp_span){rx->run_head, sizeof(rx->run_head)};
  if (ev->len < ev->head.len) {
    ev->head.len = (size_t)ev->len;
  }
  rx->run_len = 0;
  return true;
}

bool iwarpi_rx_undec_event(iwarp_rx *rx, iwarp_event *ev, iwarp_undec_reason reason) {
  if (!iwarpi_rx_run_event(rx, ev, IWARP_EVENT_UNDECODABLE)) {
    return false;
  }
  ev->u.undecodable = reason;
  ev->head_last = rx->run_head_last;
  return true;
}

/*
 * Decodes what the ULPDU of `f` holds; its first octets are made contiguous where a Marker may cut
 * them.
 */
void iwarpi_rx_decode_segment(iwarp_rx *rx, iwarp_event_fpdu *f) {
  iwarp_span octets = span_part(f->fpdu.wire, f->fpdu.layout.lead + 2u, f->fpdu.ulpdu_length);
  if (f->fpdu.layout.first_marker != 0) {
    octets.ptr = rx->hdr;
    octets.len = iwarp_mpa_fpdu_ulpdu_copy(rx->hdr, sizeof(rx->hdr), &f->fpdu, 0);
  }
  iwarp_rdmap_seg_decode(&f->seg, octets, f->fpdu.ulpdu_length);
}
