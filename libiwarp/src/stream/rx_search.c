/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds an FPDU boundary where none is known: by a Marker, by a CRC32c, or at a segment start. RFC 5044 6. */
#include <iwarp/crc32c.h>

#include "../base/span.h"
#include "rx_priv.h"

/* Octets of a header that the plausibility test looks at: ULPDU_Length, DDP header up to QN. */
#define SEARCH_HEAD 12u

/*
 * Whether the octets at an FPDU's start look like one: version 1 of DDP and RDMAP, nothing reserved set, an assigned
 * opcode with its own T flag and queue, room for the header. As many of them are looked at as are there; fewer than
 * four say yes.
 */
bool iwarpi_rx_plausible(iwarp_span fpdu, bool markers) {
  iwarp_rdmap_ctrl ctrl;
  const iwarp_rdmap_op *op;
  bool tagged;
  if (fpdu.len < 4) {
    return true;
  }
  ctrl = iwarp_rdmap_ctrl_decode(fpdu.ptr[3]);
  op = iwarp_rdmap_op_get(ctrl.opcode);
  tagged = (fpdu.ptr[2] & IWARP_DDP_CTRL_T) != 0;
  if ((fpdu.ptr[2] & (IWARP_DDP_CTRL_RSVD | IWARP_DDP_CTRL_DV)) != IWARP_DDP_VERSION ||
      ctrl.rv != IWARP_RDMAP_VERSION || ctrl.rsv != 0) {
    return false;
  }
  if (!op->assigned || op->tagged != tagged ||
      span_be16(fpdu, 0) < (tagged ? IWARP_DDP_TAGGED_LEN : IWARP_DDP_UNTAGGED_LEN)) {
    return false;
  }
  /* with Markers in the stream one may stand before QN */
  if (!tagged && !markers && fpdu.len >= SEARCH_HEAD) {
    return span_be32(fpdu, 8) == op->qn;
  }
  return true;
}

/*
 * Whether the octets at an FPDU's start can be one of a known version at all: what a CRC or a Marker proves may break
 * any other rule.
 */
static bool search_possible(iwarp_span fpdu) {
  if (fpdu.len < 4) {
    return false;
  }
  const uint8_t dv = fpdu.ptr[2] & IWARP_DDP_CTRL_DV;
  return dv <= IWARP_DDP_VERSION && dv == iwarp_rdmap_ctrl_decode(fpdu.ptr[3]).rv;
}

/* One candidate: an FPDU that may begin at buffer index `off`. */
typedef struct search_try {
  size_t off; /* of the wire form, leading Marker included */
  uint64_t marker_off; /* stream offset modulo 512, where Markers are on */
  bool markers;
  uint16_t length;
  bool plausible;
} search_try;

typedef enum search_verdict { SEARCH_NO, SEARCH_YES, SEARCH_WAIT } search_verdict;

/* Whether the CRC of the candidate is right. */
static search_verdict search_crc(iwarp_rx *rx, iwarp_span buf, const search_try *t) {
  const iwarp_mpa_layout l = iwarp_mpa_layout_of(t->marker_off, t->length, t->markers);
  iwarp_span covered;
  size_t *budget;
  if (!span_has(buf, t->off, l.wire_len)) {
    return SEARCH_WAIT;
  }
  budget = t->plausible ? &rx->budget_plausible : &rx->budget_possible;
  if (*budget < l.wire_len) {
    return SEARCH_NO;
  }
  *budget -= l.wire_len;
  covered = span_part(buf, t->off, l.wire_len);
  return iwarp_crc32c(0, covered.ptr, covered.len) == IWARP_CRC32C_RESIDUE ? SEARCH_YES : SEARCH_NO;
}

/* Takes the candidate as the boundary. */
static void search_take(iwarp_rx *rx, const search_try *t, iwarp_proof proof) {
  rx->proof = proof;
  if (proof == IWARP_PROOF_CRC && rx->crc == IWARP_TRI_UNKNOWN) {
    rx->crc = IWARP_TRI_ON;
  }
  if (t->markers) {
    const uint64_t into = t->marker_off % IWARP_MPA_MARKER_PERIOD;
    rx->markers = IWARP_TRI_ON;
    rx->phase = rx->pos + t->off - into;
  }
}

/* ---- Markers whose places are known ---- */

/*
 * The FPDU that the Marker at buffer index `x` points to; false when its start is not at hand, or it ends before the
 * Marker. The two low bits of FPDUPTR do not count. RFC 5044 4.2.
 */
static bool search_pointed(const iwarp_rx *rx, iwarp_span buf, size_t x, search_try *t) {
  const uint32_t ptr = span_be16(buf, x + 2) & 0xFFFCu;
  const size_t start = ptr == 0 ? x + IWARP_MPA_MARKER_LEN : x - ptr;
  iwarp_mpa_layout l;
  if (ptr > x || !span_has(buf, start, 4)) {
    return false;
  }
  t->off = start;
  if ((rx->pos + start - IWARP_MPA_MARKER_LEN - rx->phase) % IWARP_MPA_MARKER_PERIOD == 0) {
    if (start < IWARP_MPA_MARKER_LEN) {
      return false; /* its leading Marker is lost */
    }
    t->off = start - IWARP_MPA_MARKER_LEN;
  }
  t->markers = true;
  t->marker_off = (rx->pos + t->off - rx->phase) % IWARP_MPA_MARKER_PERIOD;
  t->length = span_be16(buf, start);
  t->plausible = iwarpi_rx_plausible(span_from(buf, start), true);
  l = iwarp_mpa_layout_of(t->marker_off, t->length, true);
  return x - t->off + IWARP_MPA_MARKER_LEN <= l.crc_off;
}

/* Whether the Marker proves an FPDU: its pointer may be wrong, so what it points to must be possible. */
static search_verdict search_marker(iwarp_rx *rx, iwarp_span buf, size_t x, search_try *t) {
  if (!search_pointed(rx, buf, x, t)) {
    return SEARCH_NO;
  }
  if (t->plausible) {
    return SEARCH_YES;
  }
  if (rx->crc == IWARP_TRI_ON) {
    return search_crc(rx, buf, t);
  }
  return search_possible(span_from(buf, t->off == x ? x + IWARP_MPA_MARKER_LEN : t->off))
             ? SEARCH_YES
             : SEARCH_NO;
}

static bool search_by_marker(iwarp_rx *rx, size_t *off, bool final) {
  const iwarp_span buf = iwarpi_rx_buffered(rx);
  const uint64_t behind = (rx->pos + rx->scan_from - rx->phase) % IWARP_MPA_MARKER_PERIOD;
  rx->scan_from += (size_t)((IWARP_MPA_MARKER_PERIOD - behind) % IWARP_MPA_MARKER_PERIOD);
  /* the four octets behind a Marker are wanted too: they may be the FPDU that it points to */
  for (; span_has(buf, rx->scan_from, 2u * IWARP_MPA_MARKER_LEN);
       rx->scan_from += IWARP_MPA_MARKER_PERIOD) {
    search_try t = {0};
    const search_verdict v = search_marker(rx, buf, rx->scan_from, &t);
    if (v == SEARCH_YES) {
      search_take(rx, &t, IWARP_PROOF_MARKER);
      *off = t.off;
      return true;
    }
    if (v == SEARCH_WAIT && !final) {
      break;
    }
  }
  return false;
}

/* ---- CRCs, with Markers off, or at unknown places ---- */

/* Tries the candidate with Markers: every place of the first one that the octets allow. */
static search_verdict search_markers_guessed(iwarp_rx *rx, iwarp_span buf, search_try *t) {
  const uint32_t bare = iwarp_mpa_layout_of(0, t->length, false).wire_len;
  const size_t start = t->off;
  search_verdict verdict = SEARCH_NO;
  t->markers = true;
  if (start >= IWARP_MPA_MARKER_LEN && span_be32(buf, start - IWARP_MPA_MARKER_LEN) == 0) {
    t->off = start - IWARP_MPA_MARKER_LEN;
    t->marker_off = 0;
    verdict = search_crc(rx, buf, t);
    if (verdict == SEARCH_YES) {
      return verdict;
    }
    t->off = start;
  }
  for (uint32_t r = 4; r < IWARP_MPA_MARKER_PERIOD && r < bare; r += 4) {
    search_verdict v;
    if (!span_has(buf, start + r, 4)) {
      return SEARCH_WAIT;
    }
    if (span_be32(buf, start + r) != r) {
      continue;
    }
    t->marker_off = IWARP_MPA_MARKER_PERIOD - r;
    v = search_crc(rx, buf, t);
    if (v == SEARCH_YES) {
      return v;
    }
    verdict = v == SEARCH_WAIT ? v : verdict;
  }
  return verdict;
}

static search_verdict search_proven(iwarp_rx *rx, iwarp_span buf, search_try *t) {
  search_verdict plain = SEARCH_NO;
  search_verdict marked = SEARCH_NO;
  if (rx->markers != IWARP_TRI_ON) {
    t->markers = false;
    plain = search_crc(rx, buf, t);
    if (plain == SEARCH_YES) {
      return plain;
    }
  }
  if (rx->markers != IWARP_TRI_OFF) {
    marked = search_markers_guessed(rx, buf, t);
    if (marked == SEARCH_YES) {
      return marked;
    }
  }
  return plain == SEARCH_WAIT || marked == SEARCH_WAIT ? SEARCH_WAIT : SEARCH_NO;
}

/*
 * Whether a plausible header at a segment start is taken for an FPDU without proof: its end must be a segment start
 * as well, or hold another plausible header, or lie at the end of what will ever come.
 */
static search_verdict search_guess(const iwarp_rx *rx, iwarp_span buf, const search_try *t,
                                   bool final, uint64_t gap_len) {
  const iwarp_mpa_layout l = iwarp_mpa_layout_of(0, t->length, false);
  const size_t end = t->off + l.wire_len;
  iwarp_span next;
  if (!t->plausible || !rx->guessing || rx->crc == IWARP_TRI_ON || rx->markers == IWARP_TRI_ON ||
      !iwarpi_rx_segment_starts(rx, t->off) ||
      !iwarpi_rx_plausible(span_from(buf, t->off), false)) {
    return SEARCH_NO;
  }
  if (end >= buf.len) {
    return final && span_has(buf, t->off, SEARCH_HEAD) && end <= buf.len + gap_len ? SEARCH_YES
                                                                                   : SEARCH_WAIT;
  }
  next = span_from(buf, end);
  if (iwarpi_rx_segment_starts(rx, end)) {
    return SEARCH_YES;
  }
  if (next.len < 4) {
    return SEARCH_WAIT;
  }
  return iwarpi_rx_plausible(next, false) ? SEARCH_YES : SEARCH_NO;
}

static search_verdict search_unmarked(iwarp_rx *rx, iwarp_span buf, search_try *t, bool final,
                                      uint64_t gap_len, iwarp_proof *proof) {
  search_verdict proven = SEARCH_NO;
  if (!search_possible(span_from(buf, t->off))) {
    return SEARCH_NO;
  }
  if (!span_has(buf, t->off, SEARCH_HEAD) && !final) {
    return SEARCH_WAIT;
  }
  t->length = span_be16(buf, t->off);
  t->plausible = iwarpi_rx_plausible(span_from(buf, t->off), rx->markers != IWARP_TRI_OFF);
  *proof = IWARP_PROOF_CRC;
  if (rx->crc != IWARP_TRI_OFF) {
    const search_try plain = *t;
    proven = search_proven(rx, buf, t);
    if (proven == SEARCH_YES || (proven == SEARCH_WAIT && !final)) {
      return proven;
    }
    *t = plain;
  }
  *proof = IWARP_PROOF_GUESS;
  return search_guess(rx, buf, t, final, gap_len);
}

/* FPDUs begin at multiples of four octets of the stream, where it is known from where these count. RFC 5044 4.1. */
static size_t search_step(const iwarp_rx *rx) { return rx->phase != IWARP_POS_UNKNOWN ? 4 : 1; }

static size_t search_first(const iwarp_rx *rx) {
  const uint64_t beyond = (rx->pos + rx->scan_from - rx->phase) % 4u;
  return rx->scan_from + (search_step(rx) == 4 ? (size_t)((4u - beyond) % 4u) : 0);
}

static bool search_by_octets(iwarp_rx *rx, size_t *off, bool final, uint64_t gap_len) {
  const iwarp_span buf = iwarpi_rx_buffered(rx);
  rx->scan_from = search_first(rx);
  for (; span_has(buf, rx->scan_from, 4); rx->scan_from += search_step(rx)) {
    search_try t = {.off = rx->scan_from};
    iwarp_proof proof = IWARP_PROOF_NONE;
    const search_verdict v = search_unmarked(rx, buf, &t, final, gap_len, &proof);
    if (v == SEARCH_YES) {
      search_take(rx, &t, proof);
      *off = t.off;
      return true;
    }
    if (v == SEARCH_WAIT && !final) {
      break;
    }
  }
  return false;
}

/*
 * Looks for a boundary in the buffered octets: where Markers are on, the first FPDU that one of them proves; where
 * CRCs are on, the first that its CRC proves; else a guess. `final`: no more octets will come, but a gap of `gap_len`
 * octets or the end of the stream. True: `*off` is the buffer index of a boundary, and the engine's state is set.
 *
 * Candidates are judged in order, and the first that holds is taken, so that the outcome does not depend on how the
 * octets were cut: one that cannot be judged yet holds up those behind it.
 */
bool iwarpi_rx_search(iwarp_rx *rx, size_t *off, bool final, uint64_t gap_len) {
  if (rx->markers == IWARP_TRI_ON && rx->phase != IWARP_POS_UNKNOWN) {
    return search_by_marker(rx, off, final);
  }
  return search_by_octets(rx, off, final, gap_len);
}
