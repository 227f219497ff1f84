/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds an FPDU boundary where none is known: by a Marker, a CRC32c or a guess. RFC 5044 6. */
#include "../base/span.h"
#include "state.h"

/*
 * The longest ULPDU that is looked for without the look of an FPDU: more than a jumbo frame holds.
 */
#define SEARCH_IMPLAUSIBLE_MAX 9216u

/* Places of Markers that are compared, and the octets that hold so many wherever the first one is.
 */
#define SEARCH_PLACES 3u
#define SEARCH_PHASE_LEN (SEARCH_PLACES * IWARP_MPA_MARKER_PERIOD + RX_HEAD_LEN)

/*
 * Returns true if an FPDU can start at `at`: DDP and RDMAP have the same known version. An FPDU
 * that a CRC or a Marker proves may break any other rule.
 */
static bool search_possible(iwarp_span in, size_t at) {
  const uint32_t dv = span_u8(in, at + 2) & IWARP_DDP_CTRL_DV;
  return dv <= IWARP_DDP_VERSION && dv == iwarp_rdmap_ctrl_decode(span_u8(in, at + 3)).rv;
}

/*
 * Returns true if the octets look like the start of an FPDU: a known version, no reserved bit set,
 * an assigned opcode with its own T flag and queue, room for the header. `fpdu` has at least four
 * octets; with more of them, more fields are checked.
 */
bool iwarpi_rx_plausible(iwarp_span fpdu, bool markers) {
  const uint8_t ddp = span_u8(fpdu, 2);
  const iwarp_rdmap_ctrl ctrl = iwarp_rdmap_ctrl_decode(span_u8(fpdu, 3));
  const iwarp_rdmap_op *op = iwarp_rdmap_op_get(ctrl.opcode);
  if (!search_possible(fpdu, 0) || (ddp & IWARP_DDP_CTRL_RSVD) != 0 || ctrl.rsv != 0 ||
      !op->assigned || op->tagged != ((ddp & IWARP_DDP_CTRL_T) != 0) ||
      span_be16(fpdu, 0) < iwarp_ddp_hdr_len(ddp)) {
    return false;
  }
  /* With Markers in the stream a Marker may stand before QN. */
  return op->tagged || markers || fpdu.len < RX_HEAD_LEN || span_be32(fpdu, 8) == op->qn;
}

/* The octets under examination. */
typedef struct search {
  iwarp_rx *rx;
  iwarp_span buf;
  bool final;       /* a gap or the end of the stream follows them */
  uint64_t gap_len; /* final: octets of the gap; 0 at the end of the stream */
} search;

/* One candidate: an FPDU that may begin at buffer index `off`. */
typedef struct search_try {
  size_t off;          /* index of the wire form, leading Marker included */
  uint64_t marker_off; /* stream offset modulo 512, where Markers are on */
  bool markers;
  bool lead_lost; /* the leading Marker is missing */
  uint16_t length;
  iwarp_fpdu_sync sync;
} search_try;

/*
 * Every candidate is judged once, when all octets that matter are there: so the result does not
 * depend on how the octets arrived.
 */
typedef enum search_verdict {
  SEARCH_NO,
  SEARCH_YES,
  SEARCH_WAIT, /* more octets are needed */
  SEARCH_OPEN  /* the use of Markers in the stream has to be found out first */
} search_verdict;

static search_verdict search_verdict_of(bool yes) {
  return yes ? SEARCH_YES : SEARCH_NO;
}

static iwarp_mpa_layout search_layout(const search_try *t) {
  return iwarp_mpa_layout_of(t->marker_off, t->length, t->markers);
}

static bool search_complete(const search *s, const search_try *t) {
  return span_has(s->buf, t->off, search_layout(t).wire_len);
}

/* The octets from the candidate's ULPDU_Length on. */
static iwarp_span search_head(const search *s, const search_try *t) {
  return span_from(s->buf, t->off + search_layout(t).lead);
}

static rx_credit search_credit(const search *s, const search_try *t) {
  return iwarpi_rx_plausible(search_head(s, t), t->markers) ? RX_CREDIT_PLAUSIBLE : RX_CREDIT_ANY;
}

static bool search_crc_right(const search *s, const search_try *t) {
  const iwarp_span wire = span_part(s->buf, t->off, search_layout(t).wire_len);
  return s->rx->crc != IWARP_TRISTATE_OFF && !t->lead_lost && search_complete(s, t) &&
         iwarpi_rx_crc_right(s->rx, wire, search_credit(s, t));
}

/*
 * The octets from the ULPDU_Length of the FPDU after the candidate on; empty when they are not
 * there.
 */
static iwarp_span search_next(const search *s, const search_try *t) {
  const iwarp_mpa_layout l = search_layout(t);
  const uint32_t lead = iwarp_mpa_layout_of(t->marker_off + l.wire_len, 0, t->markers).lead;
  return span_from(s->buf, t->off + l.wire_len + lead);
}

static bool search_next_plausible(const search *s, const search_try *t) {
  const iwarp_span next = search_next(s, t);
  return next.len >= RX_WORD_LEN && iwarpi_rx_plausible(next, t->markers);
}

static bool search_markers_agree(const search *s, const search_try *t) {
  const iwarp_mpa_layout l = search_layout(t);
  const iwarp_mpa_fpdu fpdu = {.wire = span_part(s->buf, t->off, l.wire_len),
                               .ulpdu_length = t->length,
                               .markers = true,
                               .layout = l};
  return iwarp_mpa_fpdu_markers_agree(&fpdu);
}

/* Takes the candidate as the boundary; the octets before are given up. */
static void search_take(iwarp_rx *rx, const search_try *t) {
  rx->sync = rx->pos + t->off == rx->base ? IWARP_SYNC_STARTUP : t->sync;
  if (t->sync == IWARP_SYNC_CRC && rx->crc == IWARP_TRISTATE_UNKNOWN) {
    rx->crc = IWARP_TRISTATE_ON;
  }
  if (t->markers) {
    rx->markers = IWARP_TRISTATE_ON;
    rx->phase = rx->pos + t->off + (IWARP_MPA_MARKER_PERIOD - t->marker_off);
  }
  rx->confidence = t->lead_lost ? RX_FOUND_NO_LEAD : RX_FOUND;
  rx->state = RX_SYNC;
  iwarpi_rx_give_up(rx, t->off);
}

/* ---- Markers whose places are known ---- */

/*
 * Returns true if the engine may hold an FPDU whose ULPDU_Length is at buffer index `start`. A
 * longer one that looks like an FPDU reaches a limit, if a Marker points to it or a segment begins
 * there.
 */
static bool search_fits(const search *s, size_t start, bool pointed) {
  if (span_be16(s->buf, start) <= s->rx->max_ulpdu) {
    return true;
  }
  if ((pointed || iwarpi_rx_segment_starts(s->rx, start)) &&
      iwarpi_rx_plausible(span_from(s->buf, start), true)) {
    iwarpi_rx_reach_limit(s->rx, IWARP_LIMIT_ULPDU);
  }
  return false;
}

/*
 * The FPDU that the Marker at buffer index `x` points to; false when its start is not available, or
 * it ends before the Marker. The two low bits of FPDUPTR do not count. RFC 5044 4.2.
 */
static bool search_pointed(const search *s, size_t x, search_try *t) {
  iwarp_mpa_marker m;
  size_t back;
  size_t lead;
  (void)iwarp_mpa_marker_decode(&m,
                                span_from(s->buf, x)); /* the caller has seen that it is there */
  if (!iwarp_mpa_marker_start(&back, &lead, &m) || back > x + lead) {
    return false;
  }
  const size_t start = x + lead - back;
  *t = (search_try){.off = back > x ? start : x - back,
                    .lead_lost = back > x,
                    .markers = true,
                    .length = span_be16(s->buf, start),
                    .sync = IWARP_SYNC_MARKER};
  t->marker_off = (s->rx->pos + t->off - s->rx->phase) % IWARP_MPA_MARKER_PERIOD;
  return search_fits(s, start, true) &&
         x - t->off + IWARP_MPA_MARKER_LEN <= search_layout(t).crc_off;
}

/*
 * A Marker alone is no proof: a wrong one would lead the engine to a wrong boundary. The CRC of the
 * FPDU must be right, or the headers of the FPDU and of the next one must be plausible. Octets that
 * are not available count as agreeing.
 */
static search_verdict search_marker(const search *s, size_t x, search_try *t) {
  const bool crc_on = s->rx->crc == IWARP_TRISTATE_ON;
  iwarp_span head;
  bool seen;
  if (!search_pointed(s, x, t)) {
    return SEARCH_NO;
  }
  if (!s->final && !span_has(s->buf, t->off, search_layout(t).wire_len + RX_NEXT_LEN)) {
    return SEARCH_WAIT;
  }
  if (!search_markers_agree(s, t)) {
    return SEARCH_NO;
  }
  if (search_crc_right(s, t)) {
    return SEARCH_YES;
  }
  head = search_head(s, t);
  seen = search_next(s, t).len >= RX_WORD_LEN || (crc_on && search_complete(s, t));
  return search_verdict_of((crc_on ? iwarpi_rx_plausible(head, true) : search_possible(head, 0)) &&
                           (!seen || search_next_plausible(s, t)));
}

/*
 * Returns true if buffer index `p` is worth a closer look, and worth waiting for the end of such an
 * FPDU.
 */
static bool search_worth(const search *s, size_t p) {
  return search_possible(s->buf, p) && search_fits(s, p, false) &&
         (span_be16(s->buf, p) <= SEARCH_IMPLAUSIBLE_MAX ||
          iwarpi_rx_plausible(span_from(s->buf, p), s->rx->markers != IWARP_TRISTATE_OFF));
}

/* An FPDU between two Markers is proven by its CRC alone; an FPDU that contains a Marker by that
 * Marker, too.
 */
static search_verdict search_between(const search *s, size_t start, uint64_t marker_off,
                                     search_try *t) {
  *t = (search_try){.off = start,
                    .marker_off = marker_off,
                    .markers = true,
                    .length = span_be16(s->buf, start),
                    .sync = IWARP_SYNC_CRC};
  if (s->rx->crc != IWARP_TRISTATE_ON || !search_worth(s, start)) {
    return SEARCH_NO;
  }
  if (!s->final && !search_complete(s, t)) {
    return SEARCH_WAIT;
  }
  if (!search_crc_right(s, t)) {
    return SEARCH_NO;
  }
  if (search_layout(t).num_markers > 0 && search_markers_agree(s, t)) {
    t->sync = IWARP_SYNC_MARKER;
  }
  return SEARCH_YES;
}

/* The places of Markers are known: the word at `p` is a Marker, or an FPDU may begin with it. */
static search_verdict search_word(const search *s, size_t p, search_try *t) {
  const uint64_t off = (s->rx->pos + p - s->rx->phase) % IWARP_MPA_MARKER_PERIOD;
  return off == 0 ? search_marker(s, p, t) : search_between(s, p, off, t);
}

/*
 * FPDUs begin at multiples of four octets of the stream, where it is known from where these count.
 * RFC 5044 4.1.
 */
static size_t search_stride(const iwarp_rx *rx, size_t *first) {
  const uint64_t beyond = (rx->pos + rx->scan_from - rx->phase) % 4u;
  *first = rx->scan_from;
  if (rx->phase == IWARP_POS_UNKNOWN) {
    return 1;
  }
  *first += (size_t)((4u - beyond) % 4u);
  return 4;
}

/* Examines each word, up to one that decides or needs more octets. */
static bool search_by_words(const search *s, search_try *t) {
  iwarp_rx *rx = s->rx;
  search_verdict v = SEARCH_NO;
  size_t p;
  (void)search_stride(rx, &p);
  /* the four octets after a Marker must be there: they may be the FPDU that it points to */
  for (; span_has(s->buf, p, IWARP_MPA_MARKER_LEN + RX_WORD_LEN); p += RX_WORD_LEN) {
    v = search_word(s, p, t);
    if (v != SEARCH_NO) {
      break;
    }
  }
  rx->scan_from = p;
  return v == SEARCH_YES;
}

/* ---- Markers whose places are not known, and none ---- */

/* Judges the candidate with its Markers where `t` says. */
static bool search_marked_at(const search *s, search_try *t) {
  const iwarp_mpa_layout l = search_layout(t);
  const iwarp_rx *rx = s->rx;
  if (rx->phase != IWARP_POS_UNKNOWN &&
      (rx->pos + t->off - rx->phase) % IWARP_MPA_MARKER_PERIOD != t->marker_off) {
    return false; /* no Marker stands there, if there are any */
  }
  if (search_crc_right(s, t)) {
    t->sync = IWARP_SYNC_CRC;
    return true;
  }
  t->sync = IWARP_SYNC_MARKER;
  return s->rx->crc != IWARP_TRISTATE_ON && l.first_marker != 0 &&
         iwarpi_rx_plausible(search_head(s, t), true) && search_markers_agree(s, t) &&
         search_next_plausible(s, t);
}

/* Counts the Markers at buffer index `x`, and every 512 octets on, that point to a plausible FPDU;
 * 0 when one points elsewhere. */
static size_t search_phase_count(const search *s, size_t x) {
  const size_t end = x + SEARCH_PLACES * IWARP_MPA_MARKER_PERIOD;
  const iwarp_span buf = span_first(s->buf, end);
  size_t right = 0;
  for (; span_has(buf, x, IWARP_MPA_MARKER_LEN + RX_WORD_LEN); x += IWARP_MPA_MARKER_PERIOD) {
    const uint32_t ptr = span_be32(s->buf, x);
    const size_t start = ptr == 0 ? x + IWARP_MPA_MARKER_LEN : x - ptr;
    if (ptr > UINT16_MAX || ptr % 4u != 0) {
      return 0;
    }
    if (ptr <= x) {
      if (!iwarpi_rx_plausible(span_from(s->buf, start), true)) {
        return 0;
      }
      right++;
    }
  }
  return right;
}

/* A place of the first Marker that the octets of a candidate allow. */
typedef struct search_place {
  search_try t;
  size_t agree; /* Markers that agree with it */
  bool header;  /* the header looks right with the Marker there */
} search_place;

static bool search_place_wins(const search_place *a, const search_place *b) {
  if (a->t.sync != b->t.sync) {
    return a->t.sync > b->t.sync;
  }
  return a->agree != b->agree ? a->agree > b->agree : a->header >= b->header;
}

/*
 * Tries the candidate at `start` with Markers, at every place of the first Marker that the octets
 * allow. A word of the FPDU may look like its Marker, such as MSN 12 at octet 12. So the best place
 * counts: first one that a CRC proves, then one with more Markers that agree, then one whose header
 * looks right. Of equal places the last one counts.
 */
static bool search_marked(const search *s, size_t start, search_try *t) {
  const uint32_t bare = iwarp_mpa_layout_of(0, t->length, false).wire_len;
  search_place best = {.t = {.sync = IWARP_SYNC_NONE}};
  t->markers = true;
  if (start >= IWARP_MPA_MARKER_LEN && span_be32(s->buf, start - IWARP_MPA_MARKER_LEN) == 0) {
    t->off = start - IWARP_MPA_MARKER_LEN;
    t->marker_off = 0;
    if (search_marked_at(s, t)) {
      return true;
    }
  }
  t->off = start;
  for (uint32_t r = RX_WORD_LEN; r < IWARP_MPA_MARKER_PERIOD && r < bare; r += RX_WORD_LEN) {
    t->marker_off = IWARP_MPA_MARKER_PERIOD - r;
    if (span_has(s->buf, start + r, IWARP_MPA_MARKER_LEN) && span_be32(s->buf, start + r) == r &&
        search_marked_at(s, t)) {
      const search_place place = {.t = *t,
                                  .agree = search_phase_count(s, start + r),
                                  .header = r <= 2 * RX_WORD_LEN ||
                                            iwarpi_rx_plausible(search_head(s, t), false)};
      best = search_place_wins(&place, &best) ? place : best;
    }
  }
  *t = best.t.sync != IWARP_SYNC_NONE ? best.t : *t;
  return best.t.sync != IWARP_SYNC_NONE;
}

/*
 * Returns true if a plausible header at a segment start is taken for an FPDU without proof. The
 * FPDU must end where a segment starts or another plausible header begins, or in the gap or at the
 * end of the stream.
 */
static bool search_guess(const search *s, const search_try *t) {
  const iwarp_rx *rx = s->rx;
  const iwarp_span head = search_head(s, t);
  const size_t end = t->off + search_layout(t).wire_len;
  if (!rx->guessing || rx->crc == IWARP_TRISTATE_ON || rx->markers == IWARP_TRISTATE_ON ||
      !iwarpi_rx_segment_starts(rx, t->off)) {
    return false;
  }
  if (head.len < RX_HEAD_LEN || !iwarpi_rx_plausible(head, false) ||
      (span_u8(head, 2) & IWARP_DDP_CTRL_DV) != IWARP_DDP_VERSION) {
    return false;
  }
  if (end >= s->buf.len) {
    return end - s->buf.len <= s->gap_len;
  }
  return iwarpi_rx_segment_starts(rx, end) || search_next_plausible(s, t);
}

/* Returns true if Marker use must be inferred from Markers that agree, because no CRC proves it. */
static bool search_phase_open(const iwarp_rx *rx) {
  return rx->markers == IWARP_TRISTATE_UNKNOWN && rx->crc != IWARP_TRISTATE_ON && !rx->phase_tried;
}

/* Finds the places of Markers by at least two that agree; then they are known to be on. */
static bool search_phase(const search *s) {
  iwarp_rx *rx = s->rx;
  rx->phase_tried = true;
  for (size_t x = 0; x < IWARP_MPA_MARKER_PERIOD; x++) {
    if (search_phase_count(s, x) >= 2) {
      rx->markers = IWARP_TRISTATE_ON;
      rx->phase = rx->pos + x;
      rx->scan_from = 0;
      return true;
    }
  }
  return false;
}

/* Octets needed from the start of the candidate on to decide about it. */
static size_t search_needs(const iwarp_rx *rx, uint16_t length) {
  /* the first word and then a Marker: no place of the Markers makes the FPDU longer */
  const uint64_t off = IWARP_MPA_MARKER_PERIOD - RX_WORD_LEN;
  const size_t longest =
      iwarp_mpa_layout_of(off, length, rx->markers != IWARP_TRISTATE_OFF).wire_len;
  if (rx->crc == IWARP_TRISTATE_ON) {
    return longest;
  }
  return rx->markers != IWARP_TRISTATE_OFF && longest + RX_NEXT_LEN < SEARCH_PHASE_LEN
             ? SEARCH_PHASE_LEN
             : longest + RX_NEXT_LEN;
}

static search_verdict search_candidate(const search *s, size_t start, search_try *t) {
  const iwarp_rx *rx = s->rx;
  const search_try plain = {
      .off = start, .length = span_be16(s->buf, start), .sync = IWARP_SYNC_CRC};
  if (!s->final && !span_has(s->buf, start, search_needs(rx, plain.length))) {
    return SEARCH_WAIT;
  }
  *t = plain;
  if (rx->markers != IWARP_TRISTATE_ON && search_crc_right(s, t)) {
    return SEARCH_YES;
  }
  if (rx->markers != IWARP_TRISTATE_OFF && search_marked(s, start, t)) {
    return SEARCH_YES;
  }
  if (search_phase_open(rx)) {
    return SEARCH_OPEN;
  }
  *t = plain;
  t->sync = IWARP_SYNC_HEURISTIC;
  return search_verdict_of(search_guess(s, t));
}

static search_verdict search_by_octets(const search *s, search_try *t) {
  iwarp_rx *rx = s->rx;
  search_verdict v = SEARCH_NO;
  size_t p;
  const size_t stride = search_stride(rx, &p);
  for (; span_has(s->buf, p, RX_WORD_LEN); p += stride) {
    v = search_worth(s, p) ? search_candidate(s, p, t) : SEARCH_NO;
    if (v != SEARCH_NO) {
      break;
    }
  }
  rx->scan_from = p;
  return v;
}

/* Finds the FPDU that a Marker points to, or an earlier one that its CRC proves. If it is unknown
 * whether CRCs are in use, the CRC of the FPDU may show it. */
static bool search_by_known_phase(const search *s, search_try *t) {
  if (!search_by_words(s, t)) {
    return false;
  }
  if (s->rx->crc == IWARP_TRISTATE_UNKNOWN && search_crc_right(s, t)) {
    t->sync = IWARP_SYNC_CRC;
  }
  return true;
}

/* Now that the places of the Markers are known, a Marker or a CRC before the candidate may prove an
 * FPDU before it. */
static void search_earlier(const search *s, search_try *t) {
  iwarp_rx *rx = s->rx;
  search_try earlier;
  rx->phase = rx->pos + t->off + (IWARP_MPA_MARKER_PERIOD - t->marker_off);
  for (size_t p = (size_t)((rx->phase - rx->pos) % RX_WORD_LEN); p < t->off; p += RX_WORD_LEN) {
    if (search_word(s, p, &earlier) == SEARCH_YES) {
      *t = earlier;
      return;
    }
  }
}

/* ---- RX_SEARCH ---- */

void iwarpi_rx_search_begin(iwarp_rx *rx, iwarp_undec_reason reason) {
  rx->state = RX_SEARCH;
  rx->undec_reason = reason;
  rx->run_len = 0;
  rx->scan_from = 0;
  rx->unmarked = 0;
  rx->good_run = 0;
  rx->phase_tried = false;
  rx->guessing = reason != IWARP_UNDEC_NOT_FPDU;
}

/* Gives up the first `n` octets of the buffer. */
static void search_give_up(iwarp_rx *rx, size_t n) {
  iwarpi_rx_give_up(rx, n);
  rx->scan_from = rx->scan_from > n ? rx->scan_from - n : 0;
}

/* Fills the buffer; when it is full and holds no boundary, its first half goes. False:
 * the pool has no memory. */
static bool search_fill(iwarp_rx *rx) {
  if (rx->num_buf == rx->room.buf && rx->in.len > 0) {
    search_give_up(rx, rx->room.buf / 2u);
  }
  const size_t more = span_first(rx->in, rx->room.buf - rx->num_buf).len;
  if (!iwarpi_rx_reserve(rx, rx->num_buf + more)) {
    return false;
  }
  iwarpi_rx_take(rx, more);
  return true;
}

static bool search_run(iwarp_rx *rx, bool final, search_try *t) {
  const search s = {.rx = rx,
                    .buf = iwarpi_rx_buffered(rx),
                    .final = final,
                    .gap_len = rx->gap_pending ? rx->gap.len : 0};
  search_verdict v;
  if (rx->markers == IWARP_TRISTATE_ON && rx->phase != IWARP_POS_UNKNOWN) {
    return search_by_known_phase(&s, t);
  }
  v = search_by_octets(&s, t);
  if (v == SEARCH_OPEN) {
    if (search_phase(&s)) {
      return search_by_known_phase(&s, t);
    }
    v = search_by_octets(&s, t);
  }
  if (v == SEARCH_YES && t->markers && rx->phase == IWARP_POS_UNKNOWN) {
    search_earlier(&s, t);
  }
  return v == SEARCH_YES;
}

/* RX_SEARCH. It takes the input as far as the buffer has room. */
step iwarpi_rx_search_step(iwarp_rx *rx, iwarp_event *ev) {
  search_try t = {0};
  bool final;
  if (!search_fill(rx)) {
    return STEP_NO_MEMORY;
  }
  final = rx->in.len == 0 && iwarpi_rx_over(rx);
  if (search_run(rx, final, &t)) {
    search_take(rx, &t);
    return step_event_or(iwarpi_rx_undec_event(rx, ev, rx->undec_reason), STEP_AGAIN);
  }
  if (!final) {
    return rx->in.len > 0 ? STEP_AGAIN : STEP_IDLE;
  }
  search_give_up(rx, rx->num_buf);
  if (iwarpi_rx_undec_event(rx, ev, rx->undec_reason)) {
    return STEP_EVENT;
  }
  rx->scan_from = 0;
  if (rx->gap_pending) {
    iwarpi_rx_gap_event(rx, ev);
    return STEP_EVENT;
  }
  return STEP_IDLE;
}
