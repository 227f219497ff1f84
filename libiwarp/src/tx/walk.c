/* SPDX-License-Identifier: BSD-2-Clause */
/* Transmit engine: the octets of FPDUs that were made, run by run. */
#include "../base/minmax.h"
#include "../base/span.h"
#include "state.h"

/*
 * Returns true if the octet at `at` of the wire form is framing. `run` is the number of octets from
 * `at` on of the same kind. Markers and payload alternate only between the first and the last octet
 * of payload.
 */
static bool tx_walk_framing(size_t *run, const tx_fpdu *f, uint32_t at) {
  if (at < f->pay_off) {
    *run = f->pay_off - at;
    return true;
  }
  if (at >= f->pay_end) {
    *run = f->layout.wire_len - at;
    return true;
  }
  *run = f->pay_end - at;
  if (f->layout.first_marker == 0) {
    return false;
  }
  uint32_t past = (at - f->layout.first_marker) %
                  IWARP_MPA_MARKER_PERIOD; /* octets since the last place of a Marker */
  if (past < IWARP_MPA_MARKER_LEN) {
    *run = IWARP_MPA_MARKER_LEN - past;
    return true;
  }
  if (*run > IWARP_MPA_MARKER_PERIOD - past) {
    *run = IWARP_MPA_MARKER_PERIOD - past;
  }
  return false;
}

/* Moves to the part of the next octet. */
static void tx_walk_to_part(const tx_msg *m, tx_cursor *cur) {
  while (cur->off == tx_part(m, cur->part).len) {
    cur->part++;
    cur->off = 0;
  }
}

/* Names the next octets of payload, which lie in one part. */
static iwarp_span tx_walk_payload(const tx_msg *m, tx_cursor *cur, size_t max) {
  tx_walk_to_part(m, cur);
  iwarp_span run = span_part(tx_part(m, cur->part), cur->off, max);
  cur->off += run.len;
  return run;
}

/* iwarpi_tx_walk is the beginning of an FPDU. */
tx_walk iwarpi_tx_walk(const tx_fpdu *f) {
  return (tx_walk){.framing = f->framing, .cur = f->cur};
}

/* iwarpi_tx_run names the next octets of an FPDU that lie together, at most `max`, and moves `walk`
 * past them. */
iwarp_span iwarpi_tx_run(const iwarp_tx *tx, const tx_fpdu *f, tx_walk *walk, size_t max,
                         bool *framing) {
  size_t len;
  iwarp_span run;
  *framing = tx_walk_framing(&len, f, walk->at);
  len = size_min(len, max);
  if (*framing) {
    run = span_part((iwarp_span){tx->framing, tx->framing_cap}, walk->framing, len);
    walk->framing += (uint32_t)run.len;
  } else {
    run = tx_walk_payload(&tx->msgs[f->msg], &walk->cur, len);
  }
  walk->at += (uint32_t)run.len;
  return run;
}

/* Copies payload of one part up to `end`, and the Markers between: the most frequent octets. The
 * first run has `run` octets. */
static void tx_walk_copy_part(wr *w, const iwarp_tx *tx, const tx_msg *m, tx_walk *walk, size_t end,
                              size_t run) {
  tx_walk_to_part(m, &walk->cur);
  rd part = rd_of(span_from(tx_part(m, walk->cur.part), walk->cur.off));
  rd framing = rd_of(span_from((iwarp_span){tx->framing, tx->framing_cap}, walk->framing));
  size_t at = walk->at;
  for (;;) {
    const iwarp_span octets = rd_upto(&part, size_min(run, end - at));
    wr_span(w, octets);
    at += octets.len;
    if (octets.len < run || end - at <= IWARP_MPA_MARKER_LEN) {
      break;
    }
    wr_span(w, (iwarp_span){rd_take(&framing, IWARP_MPA_MARKER_LEN), IWARP_MPA_MARKER_LEN});
    at += IWARP_MPA_MARKER_LEN;
    run = IWARP_MPA_MARKER_STRIDE;
  }
  walk->at = (uint32_t)at;
  walk->cur.off += part.used;
  walk->framing += (uint32_t)framing.used;
}

/* iwarpi_tx_copy writes the octets of an FPDU up to offset `end`, and moves `walk` there. */
void iwarpi_tx_copy(wr *w, const iwarp_tx *tx, const tx_fpdu *f, tx_walk *walk, size_t end) {
  while (walk->at < end) {
    size_t len;
    bool framing = tx_walk_framing(&len, f, walk->at);
    if (framing) {
      wr_span(w, iwarpi_tx_run(tx, f, walk, end - walk->at, &framing));
    } else {
      tx_walk_copy_part(w, tx, &tx->msgs[f->msg], walk, size_min(end, f->pay_end), len);
    }
  }
}
