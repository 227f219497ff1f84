/* SPDX-License-Identifier: BSD-2-Clause */
/* Octets after a rejecting Reply: whether they begin with an FPDU, which its CRC proves. */
#include <iwarp/crc32c.h>

#include "state.h"

/* No FPDU at stream offset 0 is so long, so that further octets need not be counted. */
#define REFUSED_MOST (2u * IWARP_MPA_FPDU_WIRE_MAX)

/* Octets up to the end of ULPDU_Length. */
static uint32_t refused_head(unsigned int markers) {
  return markers * IWARP_MPA_MARKER_LEN + IWARP_MPA_LENGTH_LEN;
}

/* Octets of the FPDU on the wire; `have` of them came. REFUSED_MOST: ULPDU_Length is incomplete. */
static uint32_t refused_len(const observer_refused *r, unsigned int markers, uint32_t have) {
  return have < refused_head(markers)
             ? REFUSED_MOST
             : iwarp_mpa_layout_of(0, r->length[markers], markers != 0).wire_len;
}

static void refused_read(observer_refused *r, unsigned int markers, iwarp_span in) {
  const uint32_t head = refused_head(markers);
  uint32_t have = r->have;
  for (size_t at = 0; have < head && at < in.len; at++, have++) {
    r->length[markers] = (uint16_t)(r->length[markers] << 8 | span_u8(in, at));
  }
  const uint32_t len = refused_len(r, markers, have);
  const iwarp_span part = span_first(in, len > r->have ? len - r->have : 0);
  r->crc[markers] = iwarp_crc32c(r->crc[markers], part.ptr, part.len);
}

void iwarpi_observer_refused_read(observer_refused *r, iwarp_span in) {
  refused_read(r, 0, in);
  refused_read(r, 1, in);
  r->have += (uint32_t)span_first(in, REFUSED_MOST - r->have).len;
}

static iwarp_tristate refused_is_fpdu(const observer_refused *r, unsigned int markers, bool cut) {
  if (r->have < refused_len(r, markers, r->have)) {
    return cut ? IWARP_TRISTATE_UNKNOWN : IWARP_TRISTATE_OFF;
  }
  const bool header = r->length[markers] >= IWARP_DDP_TAGGED_LEN;
  return header && r->crc[markers] == IWARP_CRC32C_RESIDUE ? IWARP_TRISTATE_ON : IWARP_TRISTATE_OFF;
}

iwarp_tristate iwarpi_observer_refused_fpdu(const observer_refused *r, bool cut) {
  const iwarp_tristate plain = refused_is_fpdu(r, 0, cut);
  const iwarp_tristate marked = refused_is_fpdu(r, 1, cut);
  if (plain == IWARP_TRISTATE_ON || marked == IWARP_TRISTATE_ON) {
    return IWARP_TRISTATE_ON;
  }
  return plain == IWARP_TRISTATE_OFF ? marked : plain;
}
