/* SPDX-License-Identifier: BSD-2-Clause */
/* Transmit engine: which FPDU comes next, and what of it is not payload. RFC 5041 5, RFC 5044 4. */
#include <iwarp/crc32c.h>

#include "../base/cursor.h"
#include "tx_priv.h"

#define TX_MAKE_BETWEEN                                                                            \
  (IWARP_MPA_MARKER_PERIOD - IWARP_MPA_MARKER_LEN) /* octets between Markers */

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

/* Where octet `pos` of ULPDU_Length, ULPDU and PAD stands in the wire form. RFC 5044 4.3 */
static uint32_t tx_make_place(const iwarp_mpa_layout *layout, uint32_t pos) {
  uint32_t at = layout->lead + pos;
  if (layout->first_marker == 0 || at < layout->first_marker) {
    return at;
  }
  return at + IWARP_MPA_MARKER_LEN * (1 + (at - layout->first_marker) / TX_MAKE_BETWEEN);
}

/* The next FPDU of the message: as much of it as MULPDU allows. RFC 5041 5.2 */
static tx_fpdu tx_make_plan(const iwarp_tx *tx, uint32_t msg) {
  const tx_msg *m = &tx->msgs[msg];
  const uint32_t ddp_len =
      iwarp_rdmap_op_get(m->opcode)->tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  const uint32_t most = tx->mulpdu - ddp_len;
  tx_fpdu f = {.msg = msg, .cur = m->cur, .own = tx->num_own, .len = m->len - m->made};
  f.last = f.len <= most;
  f.ends = f.last;
  f.len = f.last ? f.len : most;
  f.hdr_len = TX_LENGTH_FIELD + ddp_len + (m->inner ? f.len : 0);
  f.layout = iwarp_mpa_layout_of(tx->made, (uint16_t)(ddp_len + f.len), tx->markers);
  f.pay_off = f.layout.wire_len;
  f.pay_end = f.layout.wire_len;
  if (!m->inner && f.len > 0) {
    f.pay_off = tx_make_place(&f.layout, f.hdr_len);
    f.pay_end = tx_make_place(&f.layout, f.hdr_len + f.len - 1) + 1;
  }
  return f;
}

/* The octets of the FPDU that are not payload. */
static uint32_t tx_make_own_len(const tx_fpdu *f) {
  return f->layout.wire_len - (f->pay_off < f->pay_end ? f->len : 0);
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

/* Writes all that is ours but the CRC, in the order of the wire. RFC 5044 4.1 to 4.3 */
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

/* Sums up the FPDU made last, which lacks nothing but its CRC. RFC 5044 4.4 */
static uint32_t tx_make_crc(const iwarp_tx *tx) {
  tx_walk walk = iwarpi_tx_walk(tx, tx->num_fpdus - 1);
  const uint32_t crc_off = tx->fpdus[walk.fpdu].layout.crc_off;
  uint32_t crc = 0;
  while (walk.at < crc_off) {
    bool own;
    iwarp_span run = iwarpi_tx_run(tx, &walk, crc_off - walk.at, &own);
    crc = iwarp_crc32c(crc, run.ptr, run.len);
  }
  return crc;
}

static void tx_make_fpdu(iwarp_tx *tx, const tx_fpdu *f, uint32_t line) {
  tx_msg *m = &tx->msgs[f->msg];
  uint8_t header[TX_HDR_MAX];
  wr w = wr_of(&tx->own[f->own], TX_OWN_LEN - f->own, tx_make_own_len(f));
  tx_make_put(&w, &f->layout, tx_make_header(header, tx, f));
  tx->fpdus[tx->num_fpdus++] = *f;
  wr_u32le(&w, tx->crc ? tx_make_crc(tx) : 0);
  tx->num_own += w.len;
  tx->made += f->layout.wire_len;
  tx->used += f->layout.wire_len;
  m->made += f->len;
  m->cur = m->inner ? m->cur : tx_make_skip(m, m->cur, f->len);
  tx->line = line;
  tx->mid = !f->last;
  if (f->last) {
    iwarpi_tx_pop(tx, &tx->lines[line]);
  }
}

/* Whether the transport segment begins with this FPDU or has room for it. RFC 5044 5.1 */
static bool tx_make_shares(const iwarp_tx *tx, const tx_fpdu *f) {
  return tx->used == 0 || (tx->pack && (uint64_t)tx->used + f->layout.wire_len <= tx->emss);
}

static bool tx_make_has_room(const iwarp_tx *tx, const tx_fpdu *f) {
  return tx->num_fpdus < TX_NUM_FPDUS && tx_make_own_len(f) <= TX_OWN_LEN - tx->num_own;
}

/* Makes one more FPDU of the transport segment; false when it is complete, or must wait. */
static bool tx_make_one(iwarp_tx *tx) {
  uint32_t line = tx_make_choose(tx);
  if (line == TX_NUM_LINES) {
    tx->segment_end = true;
    return false;
  }
  tx_fpdu f = tx_make_plan(tx, tx->lines[line].head);
  if (!tx_make_shares(tx, &f)) {
    if (tx->num_fpdus > 0) {
      tx->segment_end = true;
      return false;
    }
    tx->used = 0; /* the segment has shrunk since its first part was handed out */
  }
  if (!tx_make_has_room(tx, &f)) {
    return false;
  }
  tx_make_fpdu(tx, &f, line);
  return true;
}

void iwarpi_tx_make(iwarp_tx *tx) {
  if (tx->segment_end) {
    tx->used = 0;
    tx->segment_end = false;
  }
  while (tx_make_one(tx)) {
  }
  tx->walk = iwarpi_tx_walk(tx, 0);
}
