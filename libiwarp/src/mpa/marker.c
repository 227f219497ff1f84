/* SPDX-License-Identifier: BSD-2-Clause */
/* Markers, where they stand, and the sizes that follow from it: RFC 5044 3, 4.2, 4.3 and 4.5. */
#include <iwarp/mpa.h>

#include "../base/cursor.h"
#include "../base/pad.h"

/* The numbers of the header that follow from the period. */
_Static_assert(IWARP_MPA_MARKER_STRIDE == IWARP_MPA_MARKER_PERIOD - IWARP_MPA_MARKER_LEN,
               "a Marker and the octets after it are one period");
_Static_assert((IWARP_MPA_MARKER_PERIOD & (IWARP_MPA_MARKER_PERIOD - 1u)) == 0,
               "a mask gives the place in a period");

/* The longest FPDU without Markers, and the Markers in it: one every stride, the first one leads.
 */
#define MPA_MARKER_LONGEST (IWARP_MPA_LENGTH_LEN + 65538u + IWARP_MPA_CRC_LEN)
_Static_assert(IWARP_MPA_MARKERS_MAX ==
                   (MPA_MARKER_LONGEST + IWARP_MPA_MARKER_STRIDE - 1u) / IWARP_MPA_MARKER_STRIDE,
               "a Marker before each stride of octets");
_Static_assert(IWARP_MPA_FPDU_WIRE_MAX ==
                   MPA_MARKER_LONGEST + IWARP_MPA_MARKERS_MAX * IWARP_MPA_MARKER_LEN,
               "the longest FPDU with its Markers");

#define MPA_MARKER_EMSS_TOP 65536u /* both formulas exceed the upper limit from here on */

uint32_t iwarp_mpa_pad_len(uint16_t ulpdu_length) {
  return pad_after(IWARP_MPA_LENGTH_LEN + (uint32_t)ulpdu_length);
}

iwarp_mpa_layout iwarp_mpa_layout_of(uint64_t off, uint16_t ulpdu_length, bool markers) {
  uint32_t body =
      pad_up(IWARP_MPA_LENGTH_LEN + (uint32_t)ulpdu_length); /* all that stands before the CRC */
  iwarp_mpa_layout v = {.pad = iwarp_mpa_pad_len(ulpdu_length),
                        .crc_off = body,
                        .wire_len = body + IWARP_MPA_CRC_LEN};
  if (!markers) {
    return v;
  }
  /* Positions are multiples of 4, so only these seven bits place a Marker. RFC 5044 4.3 */
  uint32_t phase = (uint32_t)(off & (IWARP_MPA_MARKER_PERIOD - 4u));
  v.lead = phase == 0 ? IWARP_MPA_MARKER_LEN : 0;
  uint32_t to_next = IWARP_MPA_MARKER_PERIOD - phase - v.lead; /* distance from ULPDU_Length */
  uint32_t inner = 0;
  if (v.wire_len >
      to_next) { /* equal: the CRC ends on the boundary, the Marker is the next FPDU's */
    inner = (v.wire_len - to_next + IWARP_MPA_MARKER_STRIDE - 1) / IWARP_MPA_MARKER_STRIDE;
    v.first_marker = v.lead + to_next;
  }
  uint32_t added = v.lead + IWARP_MPA_MARKER_LEN * inner;
  v.num_markers = added / IWARP_MPA_MARKER_LEN;
  v.crc_off += added;
  v.wire_len += added;
  return v;
}

size_t iwarp_mpa_wire_offset(size_t *run, const iwarp_mpa_layout *layout, size_t pos) {
  size_t at = layout->lead + pos;
  if (layout->first_marker == 0) {
    *run = SIZE_MAX;
    return at;
  }
  if (at < layout->first_marker) {
    *run = layout->first_marker - at;
    return at;
  }
  size_t past = at - layout->first_marker; /* octets after the first inner Marker */
  *run = IWARP_MPA_MARKER_STRIDE - past % IWARP_MPA_MARKER_STRIDE;
  return at + IWARP_MPA_MARKER_LEN * (1 + past / IWARP_MPA_MARKER_STRIDE);
}

uint32_t iwarp_mpa_mulpdu(uint32_t emss, bool markers) {
  if (emss >= MPA_MARKER_EMSS_TOP) {
    return IWARP_MPA_ULPDU_MAX;
  }
  uint32_t overhead = IWARP_MPA_LENGTH_LEN + IWARP_MPA_CRC_LEN + emss % 4;
  if (markers) {
    overhead +=
        IWARP_MPA_MARKER_LEN * ((emss + IWARP_MPA_MARKER_PERIOD - 1) / IWARP_MPA_MARKER_PERIOD);
  }
  if (emss < IWARP_MPA_MULPDU_MIN + overhead) {
    return IWARP_MPA_MULPDU_MIN;
  }
  uint32_t mulpdu = emss - overhead;
  return mulpdu < IWARP_MPA_ULPDU_MAX ? mulpdu : IWARP_MPA_ULPDU_MAX;
}

bool iwarp_mpa_marker_agrees(const iwarp_mpa_marker *a, const iwarp_mpa_marker *b) {
  return ((a->fpduptr ^ b->fpduptr) & IWARP_MPA_FPDUPTR_BITS) == 0;
}

bool iwarp_mpa_marker_start(size_t *back, size_t *lead, const iwarp_mpa_marker *m) {
  const uint32_t ptr = m->fpduptr & IWARP_MPA_FPDUPTR_BITS;
  if (ptr == 0) { /* the Marker stands before ULPDU_Length */
    *back = 0;
    *lead = IWARP_MPA_MARKER_LEN;
    return true;
  }
  /* ULPDU_Length directly after another Marker: the FPDU begins with that one */
  const uint32_t past = ptr % IWARP_MPA_MARKER_PERIOD;
  const uint32_t leading = past == IWARP_MPA_MARKER_STRIDE ? IWARP_MPA_MARKER_LEN : 0;
  if (past == 0) {
    return false;
  }
  *back = ptr + leading;
  *lead = leading;
  return true;
}

iwarp_dec iwarp_mpa_marker_decode(iwarp_mpa_marker *out, iwarp_span in) {
  rd r = rd_of(in);
  rd all = rd_of(rd_span(&r, IWARP_MPA_MARKER_LEN));
  iwarp_mpa_marker v = {0};
  v.reserved = rd_u16(&all);
  v.fpduptr = rd_u16(&all);
  if (!r.bad) {
    *out = v;
  }
  return rd_result(&r);
}

iwarp_err iwarp_mpa_marker_encode(uint8_t *dst, size_t cap, size_t *out_len,
                                  const iwarp_mpa_marker *v) {
  wr w = wr_of(dst, cap, IWARP_MPA_MARKER_LEN);
  wr_u16(&w, v->reserved);
  wr_u16(&w, v->fpduptr);
  return wr_end(&w, out_len);
}
