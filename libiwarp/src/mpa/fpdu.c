/* SPDX-License-Identifier: BSD-2-Clause */
/* FPDUs: splitting one off a stream, its Markers, CRC and ULPDU, and making one. RFC 5044 4. */
#include <iwarp/crc32c.h>
#include <iwarp/mpa.h>

#include "../base/cursor.h"
#include "../base/minmax.h"
#include "../base/span.h"

#define MPA_FPDUPTR_OFF 2u /* octets of a Marker before FPDUPTR */

/* mpa_fpdu_cut names at most n octets of `from` from offset `at` on, fewer where they end. */
static iwarp_span mpa_fpdu_cut(iwarp_span from, size_t at, size_t n) {
  rd r = rd_of(from);
  rd_take(&r, at);
  return rd_upto(&r, n);
}

iwarp_dec iwarp_mpa_fpdu_decode(iwarp_mpa_fpdu *out, iwarp_span in, uint64_t off, bool markers) {
  size_t lead = markers ? iwarp_mpa_layout_of(off, 0, markers).lead : 0;
  rd r = rd_of(in);
  rd front = rd_of(rd_span(&r, lead + IWARP_MPA_LENGTH_LEN)); /* one `need` for both */
  if (r.bad) {
    return rd_result(&r);
  }
  rd_take(&front, lead);
  uint16_t ulpdu_length = rd_u16(&front);
  iwarp_mpa_layout layout = iwarp_mpa_layout_of(off, ulpdu_length, markers);

  r = rd_of(in);
  iwarp_span wire = rd_span(&r, layout.wire_len);
  if (r.bad) {
    return rd_result(&r);
  }
  *out = (iwarp_mpa_fpdu){
      .wire = wire, .ulpdu_length = ulpdu_length, .markers = markers, .layout = layout};
  size_t run; /* PAD shares a 4-octet word with the octets before it: no Marker splits it */
  size_t pad_at = iwarp_mpa_wire_offset(&run, &layout, IWARP_MPA_LENGTH_LEN + (size_t)ulpdu_length);
  rd pad = rd_of(mpa_fpdu_cut(wire, pad_at, layout.pad));
  rd_front(&pad, out->pad, layout.pad);
  rd crc = rd_of(mpa_fpdu_cut(wire, layout.crc_off, sizeof out->crc));
  out->crc = rd_u32le(&crc);
  return rd_result(&r);
}

uint32_t iwarp_mpa_fpdu_crc(const iwarp_mpa_fpdu *v) {
  iwarp_span covered = mpa_fpdu_cut(v->wire, 0, v->layout.crc_off);
  return iwarp_crc32c(0, covered.ptr, covered.len);
}

/* mpa_fpdu_marker_at returns the offset of Marker i, which exists, in the wire form. */
static size_t mpa_fpdu_marker_at(const iwarp_mpa_layout *layout, size_t i) {
  if (layout->lead != 0) {
    if (i == 0) {
      return 0;
    }
    i--;
  }
  return layout->first_marker + IWARP_MPA_MARKER_PERIOD * i;
}

/* mpa_fpdu_marker_value is the conforming value of the Marker at `at`: RFC 5044 4.2, 4.3. */
static iwarp_mpa_marker mpa_fpdu_marker_value(const iwarp_mpa_layout *layout, size_t at) {
  size_t distance = at < layout->lead ? 0 : at - layout->lead;
  return (iwarp_mpa_marker){.fpduptr = (uint16_t)(distance & UINT16_MAX)};
}

iwarp_err iwarp_mpa_fpdu_marker(iwarp_mpa_marker *out, iwarp_mpa_marker *expected, size_t *wire_off,
                                const iwarp_mpa_fpdu *v, size_t i) {
  if (i >= v->layout.num_markers) {
    return IWARP_ERR_END;
  }
  size_t at = mpa_fpdu_marker_at(&v->layout, i);
  iwarp_dec dec = iwarp_mpa_marker_decode(out, mpa_fpdu_cut(v->wire, at, IWARP_MPA_MARKER_LEN));
  if (dec.err != IWARP_OK) { /* the wire form is cut short */
    return IWARP_ERR_END;
  }
  *expected = mpa_fpdu_marker_value(&v->layout, at);
  *wire_off = at;
  return IWARP_OK;
}

/* An endpoint asks this of each FPDU that it takes: without a decoder for each Marker. */
bool iwarp_mpa_fpdu_markers_agree(const iwarp_mpa_fpdu *v) {
  for (size_t i = 0; i < v->layout.num_markers; i++) {
    const size_t at = mpa_fpdu_marker_at(&v->layout, i);
    if (!span_has(v->wire, at, IWARP_MPA_MARKER_LEN)) {
      break; /* the wire form is cut short */
    }
    const iwarp_mpa_marker expected = mpa_fpdu_marker_value(&v->layout, at);
    const iwarp_mpa_marker m = {.fpduptr = span_be16(v->wire, at + MPA_FPDUPTR_OFF)};
    if (!iwarp_mpa_marker_agrees(&m, &expected)) {
      return false;
    }
  }
  return true;
}

/* The rest of a ULPDU on the wire: the octets before the next Marker, and the others. */
typedef struct mpa_fpdu_runs {
  rd wire;
  size_t run;
  size_t left;
} mpa_fpdu_runs;

/* mpa_fpdu_runs_from begins at ULPDU offset `from`. */
static mpa_fpdu_runs mpa_fpdu_runs_from(const iwarp_mpa_fpdu *v, size_t from) {
  mpa_fpdu_runs runs = {.wire = rd_of(v->wire)};
  if (from < v->ulpdu_length) {
    runs.left = v->ulpdu_length - from;
    rd_take(&runs.wire, iwarp_mpa_wire_offset(&runs.run, &v->layout, IWARP_MPA_LENGTH_LEN + from));
  }
  return runs;
}

/* mpa_fpdu_runs_next returns the next run; empty after the last, or where the wire form is cut. */
static iwarp_span mpa_fpdu_runs_next(mpa_fpdu_runs *runs) {
  iwarp_span span = rd_upto(&runs->wire, size_min(runs->run, runs->left));
  runs->left -= span.len;
  runs->run = IWARP_MPA_MARKER_STRIDE;
  rd_take(&runs->wire, IWARP_MPA_MARKER_LEN);
  return span;
}

size_t iwarp_mpa_fpdu_ulpdu_spans(iwarp_span *out, size_t cap, size_t *cursor,
                                  const iwarp_mpa_fpdu *v) {
  mpa_fpdu_runs runs = mpa_fpdu_runs_from(v, *cursor);
  size_t num = 0;
  while (num < cap) {
    out[num] = mpa_fpdu_runs_next(&runs);
    if (out[num].len == 0) {
      break;
    }
    *cursor += out[num++].len;
  }
  return num;
}

iwarp_err iwarp_mpa_fpdu_ulpdu_span(iwarp_span *out, size_t *cursor, const iwarp_mpa_fpdu *v) {
  mpa_fpdu_runs runs = mpa_fpdu_runs_from(v, *cursor);
  iwarp_span span = mpa_fpdu_runs_next(&runs);
  if (span.len == 0) {
    return IWARP_ERR_END;
  }
  *out = span;
  *cursor += span.len;
  return IWARP_OK;
}

size_t iwarp_mpa_fpdu_ulpdu_copy(uint8_t *dst, size_t cap, const iwarp_mpa_fpdu *v, size_t from) {
  wr w = wr_of(dst, cap, cap);
  mpa_fpdu_runs runs = mpa_fpdu_runs_from(v, from);
  runs.left = size_min(runs.left, cap);
  iwarp_span span;
  while ((span = mpa_fpdu_runs_next(&runs)).len > 0) {
    wr_span(&w, span);
  }
  return w.len;
}

/* mpa_fpdu_markers_fit says whether FPDUPTR can hold the distance of the last Marker. */
static bool mpa_fpdu_markers_fit(const iwarp_mpa_layout *layout) {
  if (layout->num_markers == 0) {
    return true;
  }
  size_t last = mpa_fpdu_marker_at(layout, layout->num_markers - 1);
  return last <= (size_t)UINT16_MAX + layout->lead;
}

static void mpa_fpdu_put_marker(wr *w, const iwarp_mpa_layout *layout, const iwarp_mpa_fpdu_desc *v,
                                size_t i) {
  iwarp_mpa_marker m = mpa_fpdu_marker_value(layout, mpa_fpdu_marker_at(layout, i));
  if (v->marker_values != NULL) {
    m = v->marker_values[i];
  }
  wr_u16(w, m.reserved);
  wr_u16(w, m.fpduptr);
}

/* mpa_fpdu_put_body writes ULPDU_Length, ULPDU, PAD and the Markers among them. RFC 5044 4.3 */
static void mpa_fpdu_put_body(wr *w, const iwarp_mpa_layout *layout, const iwarp_mpa_fpdu_desc *v) {
  rd ulpdu = rd_of(v->ulpdu);
  rd pad = rd_of((iwarp_span){.ptr = v->pad, .len = layout->pad});
  size_t i = 0;
  if (layout->lead != 0) {
    mpa_fpdu_put_marker(w, layout, v, i++);
  }
  wr_u16(w, (uint16_t)v->ulpdu.len);
  while (i < layout->num_markers) { /* the octets before the next Marker, and the Marker */
    size_t room = mpa_fpdu_marker_at(layout, i) - w->len;
    iwarp_span part = rd_upto(&ulpdu, room);
    wr_span(w, part);
    wr_span(w, rd_upto(&pad, room - part.len));
    mpa_fpdu_put_marker(w, layout, v, i++);
  }
  wr_span(w, rd_upto(&ulpdu, ulpdu.left));
  wr_span(w, rd_upto(&pad, pad.left));
}

iwarp_err iwarp_mpa_fpdu_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                const iwarp_mpa_fpdu_desc *v) {
  if (v->ulpdu.len > UINT16_MAX) {
    return IWARP_ERR_ARG;
  }
  iwarp_mpa_layout layout = iwarp_mpa_layout_of(v->off, (uint16_t)v->ulpdu.len, v->markers);
  if (v->marker_values != NULL && v->num_marker_values != layout.num_markers) {
    return IWARP_ERR_ARG;
  }
  if (v->marker_values == NULL && !mpa_fpdu_markers_fit(&layout)) {
    return IWARP_ERR_MPA_ULPDU_LENGTH;
  }
  wr w = wr_of(dst, cap, layout.wire_len);
  mpa_fpdu_put_body(&w, &layout, v);
  iwarp_span covered = wr_written(&w);
  wr_u32le(&w, v->crc_given ? v->crc : iwarp_crc32c(0, covered.ptr, covered.len));
  return wr_end(&w, out_len);
}
