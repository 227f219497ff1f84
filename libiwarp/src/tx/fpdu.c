/* SPDX-License-Identifier: BSD-2-Clause */
/* Transmit engine: the plan of the next FPDU, and its framing. RFC 5041 5, RFC 5044 4. */
#include <iwarp/crc32c.h>

#include "../base/cursor.h"
#include "../base/span.h"
#include "state.h"

#define TX_MAKE_BETWEEN                                                                            \
  (IWARP_MPA_MARKER_PERIOD - IWARP_MPA_MARKER_LEN) /* octets between Markers */
#define TX_MAKE_NEAR                                                                               \
  2048u /* octets at a time: few enough to be computed while others are fetched */

/* The line whose first message goes on; TX_NUM_LINES: there is nothing to send. Where both lines
 * wait they take turns. */
static uint32_t tx_make_choose(const iwarp_tx *tx) {
  if (tx->mid) {
    return tx->line;
  }
  if (tx->ending) {
    return tx->lines[TX_LINE_TERMINATE].head != TX_NONE ? TX_LINE_TERMINATE : TX_NUM_LINES;
  }
  uint32_t other =
      tx->line == TX_LINE_REQUESTS ? (uint32_t)TX_LINE_RESPONSES : (uint32_t)TX_LINE_REQUESTS;
  if (tx->lines[other].head != TX_NONE) {
    return other;
  }
  return tx->lines[tx->line].head != TX_NONE ? tx->line : TX_NUM_LINES;
}

/* The place of octet `pos` of ULPDU_Length, ULPDU and PAD in the wire form. RFC 5044 4.3 */
static uint32_t tx_make_place(const iwarp_mpa_layout *layout, uint32_t pos) {
  uint32_t at = layout->lead + pos;
  if (layout->first_marker == 0 || at < layout->first_marker) {
    return at;
  }
  return at + IWARP_MPA_MARKER_LEN * (1 + (at - layout->first_marker) / TX_MAKE_BETWEEN);
}

/* The next FPDU of the message, as long as MULPDU allows. RFC 5041 5.2 */
static tx_fpdu tx_make_plan(const iwarp_tx *tx, uint32_t msg) {
  const tx_msg *m = &tx->msgs[msg];
  const uint32_t ddp_len =
      iwarp_rdmap_op_get(m->opcode)->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const uint32_t most = tx->mulpdu - ddp_len;
  tx_fpdu f = {.msg = msg, .cur = m->cur, .len = m->len - m->made};
  f.last = f.len <= most;
  f.ends = f.last;
  f.len = f.last ? f.len : most;
  f.hdr_len = IWARP_MPA_LENGTH_LEN + ddp_len + (m->inner ? f.len : 0);
  f.layout = iwarp_mpa_layout_of(tx->made, (uint16_t)(ddp_len + f.len), tx->markers);
  f.pay_off = f.layout.wire_len;
  f.pay_end = f.layout.wire_len;
  if (!m->inner && f.len > 0) {
    f.pay_off = tx_make_place(&f.layout, f.hdr_len);
    f.pay_end = tx_make_place(&f.layout, f.hdr_len + f.len - 1) + 1;
  }
  f.framing_len = f.layout.wire_len - (f.pay_off < f.pay_end ? f.len : 0);
  return f;
}

/* Writes ULPDU_Length, DDP header and RDMAP header to `dst`. */
static iwarp_span tx_make_header(uint8_t *dst, const iwarp_tx *tx, const tx_fpdu *f) {
  const tx_msg *m = &tx->msgs[f->msg];
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(m->opcode);
  const iwarp_rdmap_ctrl ctrl = {.rv = tx->version, .opcode = m->opcode};
  const iwarp_ddp_hdr hdr = {
      .tagged = op->tagged,
      .last = f->last,
      .dv = tx->version,
      .rsvdulp = iwarp_rdmap_ctrl_encode(ctrl),
      .stag = m->stag,
      .to = m->to + m->made,
      .rsvdulp_word = m->stag,
      .qn = op->qn,
      .msn = m->msn,
      .mo = m->made,
  };
  const size_t ddp_len = op->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  size_t len;
  wr w = wr_of(dst, TX_HDR_MAX, f->hdr_len);
  wr_u16(&w, (uint16_t)(ddp_len + f->len));
  iwarp_ddp_hdr_encode(wr_take(&w, ddp_len), ddp_len, &len, &hdr);
  wr_span(&w, (iwarp_span){.ptr = m->u.octets, .len = m->inner ? m->len : 0});
  return wr_written(&w);
}

_Static_assert(TX_HDR_MAX < TX_MAKE_BETWEEN, "two Markers do not cut one header");

/* Writes all framing but the CRC, in the order of the wire. RFC 5044 4.1 to 4.3 */
static void tx_make_put(wr *w, const iwarp_mpa_layout *layout, iwarp_span header) {
  rd r = rd_of(header);
  uint32_t left = layout->num_markers;
  if (layout->lead > 0) {
    wr_u32(w, 0); /* the Marker between two FPDUs */
    left--;
  }
  uint32_t distance = layout->first_marker - layout->lead;
  while (left > 0 && layout->lead + distance + IWARP_MPA_MARKER_LEN < layout->crc_off) {
    wr_span(w, rd_upto(&r, distance)); /* only the first Marker can cut the header */
    wr_u32(w, distance);               /* RESERVED 0 and FPDUPTR */
    distance += IWARP_MPA_MARKER_PERIOD;
    left--;
  }
  wr_span(w, rd_upto(&r, r.left));
  for (uint32_t i = 0; i < layout->pad; i++) {
    wr_u8(w, 0);
  }
  if (left > 0) { /* between PAD and CRC */
    wr_u32(w, distance);
  }
}

/* Moves after the next `n` octets of payload. */
static tx_cursor tx_make_skip(const tx_msg *m, tx_cursor cur, size_t n) {
  while (n > 0) {
    size_t left = tx_part(m, cur.part).len - cur.off;
    if (left > n) {
      cur.off += n;
      return cur;
    }
    n -= left;
    cur.part++;
    cur.off = 0;
  }
  return cur;
}

/* The CRC of the FPDU made last, which is complete except for its CRC field. RFC 5044 4.4 */
static uint32_t tx_make_crc(const iwarp_tx *tx, const tx_fpdu *f) {
  tx_walk walk = iwarpi_tx_walk(f);
  uint32_t crc = 0;
  while (walk.at < f->layout.crc_off) {
    bool framing;
    iwarp_span run = iwarpi_tx_run(tx, f, &walk, f->layout.crc_off - walk.at, &framing);
    crc = iwarp_crc32c(crc, run.ptr, run.len);
  }
  return crc;
}

/* Copies all octets but the CRC field and returns the CRC, in one pass over few long runs. */
static uint32_t tx_make_copy_runs(wr *w, const iwarp_tx *tx, const tx_fpdu *f) {
  tx_walk walk = iwarpi_tx_walk(f);
  uint32_t crc = 0;
  while (walk.at < f->layout.crc_off) {
    bool framing;
    const iwarp_span run = iwarpi_tx_run(tx, f, &walk, f->layout.crc_off - walk.at, &framing);
    crc = iwarp_crc32c_copy(crc, wr_take(w, run.len), run.ptr, run.len);
  }
  return crc;
}

/* Does the same for many short runs. It computes the CRC from the copy while the copy is in the
 * nearest cache. */
static uint32_t tx_make_copy_parts(wr *w, const iwarp_tx *tx, const tx_fpdu *f) {
  tx_walk walk = iwarpi_tx_walk(f);
  uint32_t crc = 0;
  while (walk.at < f->layout.crc_off) {
    const size_t at = walk.at;
    const size_t left = f->layout.crc_off - at;
    iwarpi_tx_copy(w, tx, f, &walk, at + (left < TX_MAKE_NEAR ? left : TX_MAKE_NEAR));
    const iwarp_span part = span_from(wr_written(w), at);
    crc = tx->crc ? iwarp_crc32c(crc, part.ptr, part.len) : 0;
  }
  return crc;
}

/* Copies the FPDU made last with its CRC, and returns the CRC. */
static uint32_t tx_make_copy(uint8_t *copy, const iwarp_tx *tx, const tx_fpdu *f) {
  wr w = wr_of(copy, f->layout.wire_len, f->layout.wire_len);
  const uint32_t crc = tx->crc && f->layout.num_markers == 0 ? tx_make_copy_runs(&w, tx, f)
                                                             : tx_make_copy_parts(&w, tx, f);
  wr_u32le(&w, crc);
  return crc;
}

/* Writes the framing of the FPDU, and all octets of the FPDU to `copy`, unless that is NULL. */
static void tx_make_octets(iwarp_tx *tx, const tx_fpdu *f, uint8_t *copy) {
  uint8_t header[TX_HDR_MAX];
  wr w = wr_of(&tx->framing[f->framing], tx->framing_cap - f->framing, f->framing_len);
  tx_make_put(&w, &f->layout, tx_make_header(header, tx, f));
  if (copy != NULL) {
    wr_u32le(&w, tx_make_copy(copy, tx, f));
  } else {
    wr_u32le(&w, tx->crc ? tx_make_crc(tx, f) : 0);
  }
}

/* The message goes on after this FPDU, or leaves its line. */
static void tx_make_step(iwarp_tx *tx, const tx_fpdu *f, uint32_t line) {
  tx_msg *m = &tx->msgs[f->msg];
  m->made += f->len;
  m->cur = m->inner ? m->cur : tx_make_skip(m, m->cur, f->len);
  tx->line = line;
  tx->mid = !f->last;
  if (f->last) {
    iwarpi_tx_pop(tx, &tx->lines[line]);
  }
}

/* Returns true if the transport segment begins with this FPDU or has room for it. RFC 5044 5.1 */
static bool tx_make_shares(const iwarp_tx *tx, const tx_fpdu *f) {
  return tx->used == 0 || (tx->pack && (uint64_t)tx->used + f->layout.wire_len <= tx->emss);
}

/* The transport segment ends with the FPDU made last, if that is still here to say so. */
static void tx_make_end_segment(iwarp_tx *tx) {
  tx->used = 0;
  if (tx->num_fpdus > 0) {
    tx_fpdu_at(tx, tx->num_fpdus - 1)->segment_end = true;
  }
}

/*
 * iwarpi_tx_plan chooses the next FPDU; false when no message has one. Without a next FPDU, or if
 * it does not fit into the current transport segment, the segment ends with the FPDU made last.
 */
bool iwarpi_tx_plan(iwarp_tx *tx, tx_fpdu *out, uint32_t *line) {
  *line = tx_make_choose(tx);
  if (*line == TX_NUM_LINES) {
    tx_make_end_segment(tx);
    return false;
  }
  *out = tx_make_plan(tx, tx->lines[*line].head);
  if (!tx_make_shares(tx, out)) {
    tx_make_end_segment(tx);
  }
  return true;
}

/* Finds room for `n` octets of framing that lie together, after the last ones; false: none. */
static bool tx_make_room(uint32_t *at, const iwarp_tx *tx, uint32_t n) {
  const uint32_t begin = tx->num_fpdus > 0 ? tx_fpdu_at(tx, 0)->framing : tx->framing_end;
  *at = tx->framing_end;
  if (begin > tx->framing_end) { /* the last ones are in front of the first ones */
    return begin - tx->framing_end > n;
  }
  if (tx->framing_cap - tx->framing_end >= n) {
    return true;
  }
  *at = 0;
  return begin > n;
}

/* iwarpi_tx_make makes the FPDU that was planned; false when that has to wait for room. `copy`, for
 * all of its octets, may be NULL. */
bool iwarpi_tx_make(iwarp_tx *tx, const tx_fpdu *plan, uint32_t line, uint8_t *copy) {
  uint32_t at;
  if (tx->num_fpdus == tx->max_fpdus || !iwarpi_tx_window_reserve(tx) ||
      !tx_make_room(&at, tx, plan->framing_len)) {
    return false;
  }
  tx_fpdu *f = tx_fpdu_at(tx, tx->num_fpdus);
  *f = *plan;
  f->framing = at;
  tx_make_octets(tx, f, copy);
  if (tx->num_fpdus == 0) {
    tx->walk = iwarpi_tx_walk(f);
  }
  tx->num_fpdus++;
  tx->framing_end = at + f->framing_len;
  tx->made += f->layout.wire_len;
  tx->used += f->layout.wire_len;
  tx_make_step(tx, f, line);
  return true;
}
