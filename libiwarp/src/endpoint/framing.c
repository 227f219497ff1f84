/* SPDX-License-Identifier: BSD-2-Clause */
/* The FPDUs of an endpoint's peer, taken off the stream in its order. RFC 5044 6 */
#include "framing.h"

#include <iwarp/crc32c.h>

#include "../base/cursor.h"
#include "../base/pad.h"
#include "../base/span.h"
#include "reassembly.h"

#define FRAME_OTHER (IWARP_MPA_LENGTH_LEN + PAD_MAX + IWARP_MPA_CRC_LEN) /* octets beside ULPDU */

/* iwarpi_ep_frame_max bounds the octets of an FPDU that the configuration allows. */
size_t iwarpi_ep_frame_max(const iwarp_endpoint_cfg *cfg) {
  const size_t octets = (size_t)cfg->max_ulpdu + FRAME_OTHER;
  /* the leading Marker, and the one that the last octets may meet */
  const size_t markers = cfg->markers ? octets / IWARP_MPA_MARKER_STRIDE + 2u : 0;
  return octets + markers * IWARP_MPA_MARKER_LEN;
}

/* Fills in what the segment of an FPDU says, as far as the octets of its wire form go. */
static void frame_segment(const ep_framing_view *f, ep_fpdu *out) {
  const iwarp_mpa_fpdu *mpa = &out->mpa;
  out->octets = span_part(mpa->wire, mpa->layout.lead + IWARP_MPA_LENGTH_LEN, mpa->ulpdu_length);
  if (mpa->layout.first_marker != 0) { /* a Marker may cut the headers */
    out->octets.ptr = f->reassembly->hdr;
    out->octets.len =
        iwarp_mpa_fpdu_ulpdu_copy(f->reassembly->hdr, sizeof f->reassembly->hdr, mpa, 0);
  }
  iwarp_rdmap_seg_decode(&out->seg, out->octets, mpa->ulpdu_length);
}

/* iwarpi_ep_frame_crc continues the CRC of an FPDU with its octets from `from` to `to`, which lie
 * at `octets`. RFC 5044 4.4 */
uint32_t iwarpi_ep_frame_crc(uint32_t crc, const iwarp_mpa_fpdu *mpa, size_t from,
                             iwarp_span octets) {
  const size_t covered = mpa->layout.crc_off > from ? mpa->layout.crc_off - from : 0;
  octets = span_first(octets, covered);
  return iwarp_crc32c(crc, octets.ptr, octets.len);
}

/* iwarpi_ep_frame_decode judges the CRC of an FPDU and fills in what its segment says. */
void iwarpi_ep_frame_decode(const ep_framing_view *f, ep_fpdu *out) {
  const ep_committed *l = &out->committed;
  out->crc_bad = f->info->crc &&
                 iwarpi_ep_frame_crc(l->crc, &out->mpa, l->to, span_from(out->mpa.wire, l->to)) !=
                     out->mpa.crc;
  frame_segment(f, out);
}

/* iwarpi_ep_frame_begun returns the expected FPDU as far as it is in the buffer. False when its
 * ULPDU_Length is not there, or is larger than max_ulpdu. */
bool iwarpi_ep_frame_begun(const ep_framing_view *f, ep_fpdu *out) {
  const ep_reassembly *a = f->reassembly;
  const iwarp_span kept = {a->buf, a->have};
  const size_t lead = iwarp_mpa_layout_of(a->next, 0, f->info->markers_in).lead;
  if (!span_has(kept, lead, IWARP_MPA_LENGTH_LEN)) {
    return false;
  }
  *out = (ep_fpdu){
      .mpa = {.wire = kept, .ulpdu_length = span_be16(kept, lead), .markers = f->info->markers_in},
      .committed = a->committed};
  out->mpa.layout = iwarp_mpa_layout_of(a->next, out->mpa.ulpdu_length, f->info->markers_in);
  frame_segment(f, out);
  return out->mpa.ulpdu_length <= f->cfg->max_ulpdu;
}

/* Moves octets of the input to the buffer until it has `len` octets of the FPDU; false when the
 * input or the memory does not suffice. */
static bool frame_keep(const ep_framing_view *f, size_t len) {
  ep_reassembly *a = f->reassembly;
  const iwarp_span part = span_first(f->pushed->in, len - a->have);
  if ((part.len == 0 && a->have == 0) || !iwarpi_ep_reserve(a, len)) {
    return false;
  }
  wr w = wr_of(a->buf, a->room, a->room);
  wr_take(&w, a->have);
  wr_move(&w, part); /* octets held before lie there too */
  a->have += part.len;
  f->pushed->in = span_from(f->pushed->in, part.len);
  return a->have == len;
}

/*
 * iwarpi_ep_hold keeps octets that come before the ULP accepts or rejects the Reply. They are FPDUs
 * if it accepts (rfc5044-7.1.2-22), else octets of the ULP (rfc5044-7.1.2-19). The buffer holds no
 * part of an FPDU then. False when there is no room.
 */
bool iwarpi_ep_hold(const ep_framing_view *f, iwarp_span in) {
  ep_reassembly *a = f->reassembly;
  if (in.len > a->cap - a->held || (in.len > 0 && !iwarpi_ep_reserve(a, a->cap))) {
    return false;
  }
  wr w = wr_of(a->buf, a->room, a->room);
  wr_take(&w, a->held);
  wr_span(&w, in);
  a->held += in.len;
  return true;
}

/*
 * iwarpi_ep_release makes the octets held the input. They move to the end of their memory, so that
 * an FPDU of which they have only the beginning can be put together before them.
 */
void iwarpi_ep_release(const ep_framing_view *f) {
  ep_reassembly *a = f->reassembly;
  if (a->held == 0) {
    return;
  }
  wr w = wr_of(a->buf, a->room, a->room); /* room is cap: iwarpi_ep_hold */
  wr_take(&w, a->cap - a->held);
  wr_move(&w, (iwarp_span){a->buf, a->held});
  f->pushed->in = span_from((iwarp_span){a->buf, a->cap}, a->cap - a->held);
  f->pushed->busy = true;
  a->lent = true;
  a->held = 0;
  a->released = true;
}

/* The octets of the expected FPDU: those kept, or the input where none are. */
static iwarp_span frame_front(const ep_framing_view *f) {
  const ep_reassembly *a = f->reassembly;
  return a->have > 0 ? (iwarp_span){a->buf, a->have} : f->pushed->in;
}

/* With leave_rest, leaves the incomplete FPDU with the caller if the last push holds all of its
 * octets so far; true if it did. */
static bool frame_leave(const ep_framing_view *f) {
  ep_reassembly *a = f->reassembly;
  a->left = f->cfg->leave_rest && !a->released && a->have == 0 && f->pushed->in.len > 0;
  return a->left;
}

/* Moves after a complete FPDU. Octets kept of the FPDU stay until the next input. */
static void frame_step(const ep_framing_view *f, size_t len) {
  if (f->reassembly->have == 0) {
    f->pushed->in = span_from(f->pushed->in, len);
  }
  f->reassembly->lent = f->reassembly->lent || f->reassembly->have > 0;
  f->reassembly->have = 0;
  f->reassembly->next += len;
}

/*
 * iwarpi_ep_frame takes the next FPDU off the input: END when it is not whole yet, then all octets
 * were taken or left with the caller. NOBUF: it is longer than the configuration allows.
 */
iwarp_err iwarpi_ep_frame(const ep_framing_view *f, ep_fpdu *out) {
  for (;;) {
    const iwarp_dec dec =
        iwarp_mpa_fpdu_decode(&out->mpa, frame_front(f), f->reassembly->next, f->info->markers_in);
    if (dec.err == IWARP_OK) {
      break;
    }
    if (dec.need > f->reassembly->cap) {
      return IWARP_ERR_NOBUF;
    }
    if (frame_leave(f) || !frame_keep(f, dec.need)) {
      return IWARP_ERR_END;
    }
  }
  if (out->mpa.ulpdu_length > f->cfg->max_ulpdu) {
    return IWARP_ERR_NOBUF;
  }
  out->offset = f->reassembly->next;
  out->committed = f->reassembly->committed;
  f->reassembly->committed = (ep_committed){0};
  frame_step(f, out->mpa.wire.len);
  iwarpi_ep_frame_decode(f, out);
  return IWARP_OK;
}

/* iwarpi_ep_segment names the parts of an FPDU whose DDP header is there. */
void iwarpi_ep_segment(ep_segment *out, const ep_fpdu *fpdu) {
  *out = (ep_segment){.fpdu = fpdu,
                      .ddp = &fpdu->seg.ddp,
                      .op = iwarp_rdmap_op_get(fpdu->seg.ctrl.opcode),
                      .opcode = fpdu->seg.ctrl.opcode,
                      .len = (uint32_t)fpdu->seg.payload_len};
}
