/* SPDX-License-Identifier: BSD-2-Clause */
/* The forms of one PDU in the order of the wire, Markers where they stand. */
#include <iwarp/pdu.h>
#include <iwarp/sctp.h>

#include "../base/cursor.h"
#include "../base/minmax.h"
#include "../base/span.h"

#define PDU_TERM_LENGTH_LEN 2u /* DDP Segment Length of a Terminate */
#define PDU_CTRL_OFF 1u        /* offset of the RDMAP Control Field in a DDP header */
#define PDU_CTRL_LEN 1u

/* ---- the list of parts ---- */

/* Adds a part of `len` octets, if there are any, and returns its end. */
static size_t pdu_add(iwarp_pdu_iter *it, iwarp_form form, size_t off, size_t len) {
  if (len > 0) {
    it->part[it->num_parts].form = form;
    it->part[it->num_parts].off = off;
    it->part[it->num_parts].len = len;
    it->num_parts++;
  }
  return off + len;
}

static void pdu_begin(iwarp_pdu_iter *it, iwarp_span wire, const iwarp_mpa_layout *layout) {
  *it = (iwarp_pdu_iter){.wire = wire, .layout = *layout};
  wr w = wr_of(it->head, sizeof it->head, sizeof it->head);
  iwarp_span run = {0};
  do {
    size_t len;
    const size_t at = iwarp_mpa_wire_offset(&len, layout, w.len);
    run = span_part(wire, at, size_min(len, sizeof it->head - w.len));
    wr_span(&w, run);
  } while (run.len > 0);
  it->head_len = w.len;
}

/* A DDP header and the Control Field in it. */
static size_t pdu_add_ddp(iwarp_pdu_iter *it, bool tagged, size_t off, bool returned) {
  const size_t first = it->num_parts;
  const size_t len = tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN;
  pdu_add(it, tagged ? IWARP_FORM_DDP_TAGGED : IWARP_FORM_DDP_UNTAGGED, off, len);
  pdu_add(it, IWARP_FORM_RDMAP_CTRL, off + PDU_CTRL_OFF, PDU_CTRL_LEN);
  it->part[first].returned = it->part[first + 1].returned = returned;
  return off + len;
}

/* Adds the parts after the control field of a decoded Terminate. RFC 5040 4.8 */
static size_t pdu_add_term(iwarp_pdu_iter *it, const iwarp_rdmap_term *term, size_t off) {
  size_t at = off;
  if (term->has_ddp_segment_length) {
    at = pdu_add(it, IWARP_FORM_RDMAP_TERM_LENGTH, at, PDU_TERM_LENGTH_LEN);
  }
  if (term->ddp_header.len > 0) {
    at = pdu_add_ddp(it, term->ddp_header.len == IWARP_DDP_TAGGED_LEN, at, true);
  }
  if (term->rdma_header.len > 0) {
    at = pdu_add(it, IWARP_FORM_RDMAP_READ_REQ, at, term->rdma_header.len);
    it->part[it->num_parts - 1].returned = true;
  }
  return at;
}

static size_t pdu_add_message(iwarp_pdu_iter *it, const iwarp_rdmap_seg *seg, size_t off) {
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(seg->ctrl.opcode);
  if (op->form == IWARP_FORM_NONE || seg->err == IWARP_ERR_RDMAP_SHORT || seg->ddp.tagged ||
      seg->ddp.mo != 0) {
    return off;
  }
  const size_t at = pdu_add(it, op->form, off, op->hdr_len);
  return seg->kind == IWARP_RDMAP_KIND_TERM ? pdu_add_term(it, &seg->u.term, at) : at;
}

/* The parts of a DDP Segment that begins at `off`. */
static void pdu_add_segment(iwarp_pdu_iter *it, size_t off, size_t segment_len) {
  iwarp_rdmap_seg seg;
  const iwarp_span head = {it->head, it->head_len};
  size_t at = off;
  iwarp_rdmap_seg_decode(&seg, span_part(head, off, segment_len), segment_len);
  if (seg.ddp_octets > 0) {
    at = pdu_add_ddp(it, seg.ddp.tagged, at, false);
  }
  if (seg.has_ddp) {
    at = pdu_add_message(it, &seg, at);
  }
  pdu_add(it, IWARP_FORM_NONE, at, off + segment_len - at);
}

/* ---- PDUs ---- */

/* Adds the parts that the frame announces, captured or not. RFC 5044 7.1.1, RFC 6581 6 */
static void pdu_add_startup(iwarp_pdu_iter *it, const iwarp_mpa_startup *v) {
  iwarp_mpa_startup announced = *v;
  const size_t size = iwarp_mpa_startup_size(v->rev, v->pd_length);
  announced.private_data.len = size - IWARP_MPA_STARTUP_LEN;
  pdu_add(it, IWARP_FORM_MPA_STARTUP, 0, size);
  if (iwarp_mpa_startup_is_enhanced(&announced)) {
    pdu_add(it, IWARP_FORM_MPA_ENHANCED, IWARP_MPA_STARTUP_LEN, IWARP_MPA_ENHANCED_LEN);
  }
}

void iwarp_pdu_startup(iwarp_pdu_iter *it, iwarp_span in) {
  const iwarp_mpa_layout plain = {0};
  rd r = rd_of(in);
  rd_take(&r, IWARP_MPA_KEY_LEN);
  iwarp_mpa_startup v = {.flags = rd_u8(&r)};
  v.rev = rd_u8(&r);
  v.pd_length = rd_u16(&r);
  pdu_begin(it, in, &plain);
  if (r.bad) {
    pdu_add(it, IWARP_FORM_MPA_STARTUP, 0, IWARP_MPA_STARTUP_LEN);
  } else {
    pdu_add_startup(it, &v);
  }
}

void iwarp_pdu_decoded_startup(iwarp_pdu_iter *it, const iwarp_mpa_startup *v) {
  const iwarp_mpa_layout plain = {0};
  pdu_begin(it, (iwarp_span){0}, &plain);
  pdu_add_startup(it, v);
}

static void pdu_add_length(iwarp_pdu_iter *it) {
  pdu_add(it, IWARP_FORM_MPA_FPDU, 0, IWARP_MPA_LENGTH_LEN);
}

/* Adds the parts after ULPDU_Length. RFC 5044 4.1 */
static void pdu_add_rest(iwarp_pdu_iter *it, uint16_t length) {
  pdu_add_segment(it, IWARP_MPA_LENGTH_LEN, length);
  const size_t at =
      pdu_add(it, IWARP_FORM_MPA_PAD, IWARP_MPA_LENGTH_LEN + (size_t)length, it->layout.pad);
  pdu_add(it, IWARP_FORM_MPA_CRC, at, IWARP_MPA_CRC_LEN);
}

void iwarp_pdu_fpdu(iwarp_pdu_iter *it, iwarp_span in, uint64_t off, bool markers) {
  iwarp_mpa_layout layout = iwarp_mpa_layout_of(off, 0, markers);
  rd r = rd_of(in);
  rd_take(&r, layout.lead);
  const uint16_t length = rd_u16(&r);
  if (!r.bad) {
    layout = iwarp_mpa_layout_of(off, length, markers);
  }
  pdu_begin(it, in, &layout);
  pdu_add_length(it);
  if (!r.bad) {
    pdu_add_rest(it, length);
  }
}

void iwarp_pdu_decoded_fpdu(iwarp_pdu_iter *it, const iwarp_mpa_fpdu *v) {
  pdu_begin(it, v->wire, &v->layout);
  pdu_add_length(it);
  pdu_add_rest(it, v->ulpdu_length);
}

void iwarp_pdu_segment(iwarp_pdu_iter *it, iwarp_span in, size_t segment_len) {
  const iwarp_mpa_layout plain = {0};
  pdu_begin(it, in, &plain);
  pdu_add_segment(it, 0, segment_len);
}

void iwarp_pdu_sctp_segment(iwarp_pdu_iter *it, iwarp_span in, size_t len) {
  const iwarp_mpa_layout plain = {0};
  pdu_begin(it, in, &plain);
  const size_t at = pdu_add(it, IWARP_FORM_SCTP_SEGMENT, 0, size_min(len, IWARP_SCTP_SEGMENT_LEN));
  pdu_add_segment(it, at, len - at);
}

void iwarp_pdu_sctp_control(iwarp_pdu_iter *it, iwarp_span in) {
  const iwarp_mpa_layout plain = {0};
  iwarp_sctp_control v = {0};
  pdu_begin(it, in, &plain);
  pdu_add(it, IWARP_FORM_SCTP_CONTROL, 0, in.len);
  if (iwarp_sctp_control_decode(&v, in).err == IWARP_OK) {
    pdu_add(it, IWARP_FORM_MPA_ENHANCED, IWARP_SCTP_CONTROL_LEN,
            iwarp_sctp_control_enhanced(&v).len);
  }
}

/* ---- the walk ---- */

size_t iwarp_pdu_wire_offset(const iwarp_pdu_iter *it, size_t pdu_off) {
  size_t run;
  return iwarp_mpa_wire_offset(&run, &it->layout, pdu_off);
}

/* Wire offset of the next Marker; SIZE_MAX: no Marker follows. */
static size_t pdu_marker_at(const iwarp_pdu_iter *it) {
  const size_t leading = it->layout.lead / IWARP_MPA_MARKER_LEN;
  if (it->marker == it->layout.num_markers) {
    return SIZE_MAX;
  }
  return it->marker < leading
             ? 0
             : it->layout.first_marker + IWARP_MPA_MARKER_PERIOD * (it->marker - leading);
}

/* The octets of the next part, or its rest up to the next Marker. */
static iwarp_span pdu_octets(const iwarp_pdu_iter *it, size_t off, size_t len, bool payload) {
  size_t run;
  const size_t at = iwarp_mpa_wire_offset(&run, &it->layout, off);
  if (len <= run || payload) {
    return span_part(it->wire, at, size_min(run, len));
  }
  return span_part((iwarp_span){it->head, it->head_len}, off, len);
}

static iwarp_err pdu_return(iwarp_pdu_part *out, const iwarp_pdu_part *part) {
  if (part->octets.len == 0) {
    return IWARP_ERR_END;
  }
  *out = *part;
  return IWARP_OK;
}

static iwarp_err pdu_next_marker(iwarp_pdu_part *out, iwarp_pdu_iter *it, size_t at,
                                 size_t pdu_off) {
  const iwarp_pdu_part part = {.form = IWARP_FORM_MPA_MARKER,
                               .octets = span_part(it->wire, at, IWARP_MPA_MARKER_LEN),
                               .pdu_off = pdu_off,
                               .wire_off = at};
  it->marker++;
  return pdu_return(out, &part);
}

iwarp_err iwarp_pdu_next(iwarp_pdu_part *out, iwarp_pdu_iter *it) {
  if (it->at == it->num_parts) {
    return IWARP_ERR_END;
  }
  const iwarp_form form = it->part[it->at].form;
  const size_t off = it->part[it->at].off + it->done;
  const size_t len = it->part[it->at].len - it->done;
  iwarp_pdu_part part = {.form = form, .returned = it->part[it->at].returned, .pdu_off = off};
  part.wire_off = iwarp_pdu_wire_offset(it, off);
  const size_t marker = pdu_marker_at(it);
  if (marker < part.wire_off) {
    return pdu_next_marker(out, it, marker, off);
  }
  part.octets = pdu_octets(it, off, len, form == IWARP_FORM_NONE);
  it->done = form == IWARP_FORM_NONE && part.octets.len < len ? it->done + part.octets.len : 0;
  it->at += it->done == 0 ? 1u : 0u;
  return pdu_return(out, &part);
}

/* ---- places ---- */

iwarp_err iwarp_pdu_locate(iwarp_pdu_place *out, const iwarp_pdu_iter *it, uint16_t field,
                           bool returned) {
  const iwarp_field *wanted = iwarp_field_get(field);
  for (size_t i = 0; wanted != NULL && i < it->num_parts; i++) {
    const iwarp_pdu_item *part = &it->part[i];
    const iwarp_field *row = iwarp_form_field(part->form, wanted);
    if (row != NULL && part->returned == returned) {
      const size_t off = part->off + row->octet_off;
      *out = (iwarp_pdu_place){
          .field = row,
          .pdu_off = off,
          .wire_off = iwarp_pdu_wire_offset(it, off),
          .len = row->num_octets != 0 ? row->num_octets : part->len - row->octet_off,
      };
      return IWARP_OK;
    }
  }
  return IWARP_ERR_END;
}
