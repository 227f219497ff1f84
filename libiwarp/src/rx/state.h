/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a receive engine, shared by its source files. */
#ifndef IWARPI_RX_STATE_H
#define IWARPI_RX_STATE_H

#include <iwarp/event.h>
#include <iwarp/rx.h>

#include "../base/pad.h"
#include "../base/span.h"
#include "../base/step.h"

/*
 * The buffer holds an FPDU that came in pieces. While a boundary is searched it holds the octets
 * under examination: twice the largest FPDU, so that every FPDU lies in it whole before its first
 * half is given up.
 */
#define RX_BUF_LEN (2u * IWARP_MPA_FPDU_WIRE_MAX)
#define RX_NUM_CHUNKS 200u /* packets distinguished in the buffer */
#define RX_NUM_HOLES                                                                               \
  48u /* holes distinguished inside one FPDU: one in each of its segments of 1400 octets */

/* The least of each, whatever the largest ULPDU; a first block of the pool has half the buffer. */
#define RX_LEAST_BUF 4096u
#define RX_LEAST_CHUNKS 16u
#define RX_LEAST_HOLES 4u

/* The bounds of an engine's memory, by its largest ULPDU. */
typedef struct rx_room {
  size_t buf;
  size_t chunks;
  size_t holes;
} rx_room;

#define RX_TAIL_LEN (PAD_MAX + IWARP_MPA_CRC_LEN) /* octets of PAD and CRC */
#define RX_HEAD_LEN                                                                                \
  12u /* ULPDU_Length and DDP header up to QN: tells whether an FPDU is plausible */
#define RX_LONG_LEN IWARP_MPA_MARKER_STRIDE /* octets kept of an FPDU that is too long */
#define RX_NEXT_LEN (IWARP_MPA_MARKER_LEN + RX_HEAD_LEN) /* octets read of the next FPDU */
#define RX_WORD_LEN 4u /* ULPDU_Length and both control octets: the same without QN */

_Static_assert(RX_LONG_LEN >=
                   IWARP_MPA_LENGTH_LEN + IWARP_RDMAP_HDR_MAX + 2u * IWARP_MPA_MARKER_LEN,
               "all headers are kept, and the Markers among them");

typedef enum rx_state {
  RX_SYNC = 0,    /* pos is an FPDU boundary */
  RX_HOLE,        /* octets of the FPDU at pos are missing; its end is known */
  RX_REPORT_GAPS, /* the FPDU with holes was reported; its holes come next */
  RX_BREAK_UP,    /* the stream ended inside an FPDU with holes; its pieces come next */
  RX_SEARCH       /* no boundary is known */
} rx_state;

/* The evidence for the boundary at pos. */
typedef enum rx_confidence {
  RX_FOLLOWS = 0,       /* the boundary follows an FPDU whose length is reliable */
  RX_START,             /* the boundary is stream offset 0, no FPDU was decoded yet */
  RX_START_UNCONFIRMED, /* RX_START, but the octets must show that FPDUs begin here */
  RX_FOUND,             /* a search has just ended here: no other proof is needed */
  RX_FOUND_NO_LEAD,     /* RX_FOUND, but the leading Marker of the FPDU is missing */
  RX_UNVERIFIED_SYNC,   /* the boundary follows an FPDU that a search found without a CRC */
  RX_LENGTH_UNVERIFIED  /* the boundary follows an FPDU whose length may be wrong */
} rx_confidence;

/* The credit that pays for a CRC computed to find an FPDU: see iwarpi_rx_crc_right. */
typedef enum rx_credit {
  RX_CREDIT_ANY = 0,   /* places that do not look like an FPDU */
  RX_CREDIT_PLAUSIBLE, /* places that do */
  RX_NUM_CREDITS
} rx_credit;

/* Octets of the buffer from `pos` on came with `meta`. */
typedef struct rx_chunk {
  uint64_t pos;
  iwarp_meta meta;
} rx_chunk;

/* Missing octets. */
typedef struct rx_gap {
  uint64_t pos;
  uint64_t len;
  iwarp_gap_reason reason;
  iwarp_meta meta;
} rx_gap;

/* The packets that supplied some octets: of the first octet, and the latest. */
typedef struct rx_source {
  iwarp_meta first;
  iwarp_meta last;
} rx_source;

/*
 * An FPDU of which octets are missing: its first ones are in the buffer, its wire form begins at
 * rx->pos.
 */
typedef struct rx_holed {
  uint64_t cur; /* position up to which the stream was followed */
  iwarp_mpa_layout layout;
  uint16_t ulpdu_length;
  uint8_t tail[RX_TAIL_LEN]; /* PAD and CRC as far as they came after a hole */
  uint8_t tail_have;         /* bit set of tail[] */
  size_t num_gaps;
  size_t next_gap;  /* index of the next gap to report */
  uint64_t out_pos; /* RX_BREAK_UP: reported up to here */
  rx_source *piece; /* piece i ends at gap i; NULL: there is no memory for it */
  rx_gap *gaps;     /* array after the pieces, in their block */
} rx_holed;

struct iwarp_rx {
  _Alignas(max_align_t) rx_state state; /* iwarp_observer holds two engines side by side */
  uint8_t side;
  bool busy;     /* input was given and iwarp_rx_next_event has not said END since */
  uint64_t pos;  /* position of the first octet not consumed: in the buffer, or else in the input */
  uint64_t base; /* position of stream offset 0, or IWARP_POS_UNKNOWN */
  uint64_t phase; /* position of some Marker, or IWARP_POS_UNKNOWN */
  iwarp_tristate markers;
  iwarp_tristate crc;
  rx_confidence confidence;
  bool phase_seen;  /* a Marker of an FPDU stood where `phase` says, and pointed to its start */
  bool inferred;    /* `markers` was read from the first word of Full Operation */
  bool phase_tried; /* RX_SEARCH: Markers that agree were looked for */
  bool guessing;    /* a plausible header at a segment start may end a search */
  bool refuses;     /* refuse_from holds */
  iwarp_fpdu_sync sync;
  uint64_t good_run;    /* octets of FPDUs in a row whose CRCs are good */
  uint64_t refuse_from; /* FPDUs sent after so much of the other stream came are not examined */
  uint64_t unmarked;    /* octets decoded in a row with unknown Marker use and no Marker met */

  iwarp_span in;
  iwarp_meta in_meta;
  bool in_start; /* in.ptr is the first octet of the push */
  bool gap_pending;
  rx_gap gap;
  bool eof;
  iwarp_meta eof_meta;

  uint64_t inner_pos; /* position of the last segment found by iwarpi_rx_partial_implausible */
  uint64_t run_len;   /* octets before pos consumed and not reported yet */
  rx_source run;
  iwarp_meta run_head_last; /* meta of the run's first octets, as many as a startup frame has */
  uint8_t run_head[IWARP_RUN_HEAD_LEN]; /* first octets of the run */
  iwarp_undec_reason undec_reason;      /* RX_SEARCH */
  uint32_t limits;                      /* IWARP_LIMIT_* that were reached */
  size_t scan_from; /* RX_SEARCH: candidates before this index of the buffer are ruled out */
  /* Octets summed up of each credit, see iwarpi_rx_crc_right; consumed octets pay for them. */
  size_t crc_spent[RX_NUM_CREDITS];

  size_t release; /* octets of the buffer that the last event borrowed */
  size_t buf_off; /* the buffer's octets begin here */
  size_t num_buf;
  size_t num_chunks;

  uint16_t max_ulpdu;
  rx_room room;
  const iwarp_pool *pool; /* NULL: all of the room is there */
  size_t buf_cap;
  size_t chunk_cap;
  uint8_t *buf;
  rx_chunk *chunks;
  rx_holed holed;                   /* RX_HOLE, RX_REPORT_GAPS, RX_BREAK_UP */
  uint8_t hdr[IWARP_RDMAP_HDR_MAX]; /* headers that a Marker cut, joined */
};

/* Returns true if a search has just ended at the boundary. */
static inline bool iwarpi_rx_found(const iwarp_rx *rx) {
  return rx->confidence == RX_FOUND || rx->confidence == RX_FOUND_NO_LEAD;
}

/* Returns true if a gap or the end follows the octets available. */
static inline bool iwarpi_rx_over(const iwarp_rx *rx) {
  return rx->gap_pending || rx->eof;
}

/* memory.c */
size_t iwarpi_rx_area(uint16_t max_ulpdu, const iwarp_pool *pool);
void iwarpi_rx_memory(iwarp_rx *rx, uint16_t max_ulpdu, const iwarp_pool *pool, void *area);
bool iwarpi_rx_reserve(iwarp_rx *rx, size_t octets);
bool iwarpi_rx_reserve_holed(iwarp_rx *rx);
void iwarpi_rx_trim(iwarp_rx *rx);
void iwarpi_rx_trim_idle(iwarp_rx *rx);
void iwarpi_rx_trim_holed(iwarp_rx *rx);

/* buffer.c */
iwarp_span iwarpi_rx_buffered(const iwarp_rx *rx);
iwarp_span iwarpi_rx_front(const iwarp_rx *rx);
size_t iwarpi_rx_avail(const iwarp_rx *rx);
iwarp_span iwarpi_rx_contiguous(iwarp_rx *rx, size_t n);
void iwarpi_rx_peek(const iwarp_rx *rx, size_t at, uint8_t *out, size_t n);
void iwarpi_rx_take(iwarp_rx *rx, size_t n);
void iwarpi_rx_consume(iwarp_rx *rx, size_t n);
void iwarpi_rx_release(iwarp_rx *rx);
iwarp_meta iwarpi_rx_in_meta(const iwarp_rx *rx);
iwarp_meta iwarpi_rx_front_meta(const iwarp_rx *rx);
void iwarpi_rx_source(const iwarp_rx *rx, size_t len, iwarp_meta *first, iwarp_meta *last);
size_t iwarpi_rx_of_packet(const iwarp_rx *rx);
bool iwarpi_rx_segment_starts(const iwarp_rx *rx, size_t off);
bool iwarpi_rx_crc_right(iwarp_rx *rx, iwarp_span wire, rx_credit credit);
void iwarpi_rx_later(iwarp_meta *latest, const iwarp_meta *m);

/* Consumed octets give credit back for those that were summed up in vain. */
void iwarpi_rx_crc_repay(iwarp_rx *rx, size_t consumed);
static inline void iwarpi_rx_crc_pay(iwarp_rx *rx, size_t consumed) {
  if ((rx->crc_spent[0] | rx->crc_spent[1]) != 0) {
    iwarpi_rx_crc_repay(rx, consumed);
  }
}

/* Steps over `n` octets of the input, before which nothing is in the buffer. */
static inline void iwarpi_rx_consume_input(iwarp_rx *rx, size_t n) {
  iwarpi_rx_crc_pay(rx, n);
  rx->pos += n;
  rx->in = span_from(rx->in, n);
  rx->in_start = false;
}

/* Steps over an FPDU of `len` octets whose CRC is good: of the input, or of octets that were not
 * pushed. Nothing is in the buffer. */
static inline void iwarpi_rx_step_over(iwarp_rx *rx, size_t len) {
  rx->good_run += len;
  if (rx->in.len > 0) {
    iwarpi_rx_consume_input(rx, len);
    rx->busy = rx->in.len > 0;
  } else {
    iwarpi_rx_crc_pay(rx, len);
    rx->pos += len;
  }
}

/* ---- calls for an observer, which keeps its octets and positions in its receive engines ---- */

/* Notes after the last step whether input is left. */
static inline void iwarpi_rx_end_steps(iwarp_rx *rx, step last) {
  rx->busy = last != STEP_IDLE;
}

/* The first octet stands at `pos`; no octet has come. */
static inline void iwarpi_rx_set_pos(iwarp_rx *rx, uint64_t pos) {
  rx->pos = pos;
}

/* Full Operation begins at `pos`, and Markers count from there. */
static inline void iwarpi_rx_set_base(iwarp_rx *rx, uint64_t pos) {
  rx->base = pos;
  rx->phase = pos;
}

/* The startup frames settle the use of Markers. */
static inline void iwarpi_rx_set_markers(iwarp_rx *rx, iwarp_tristate markers) {
  rx->markers = markers;
  rx->inferred = false;
}

/* Octets that the peer sent after it received the other stream up to `peer_pos` are no FPDUs. */
static inline void iwarpi_rx_refuse_from(iwarp_rx *rx, uint64_t peer_pos) {
  rx->refuses = true;
  rx->refuse_from = peer_pos;
}

/* The event that was written borrows the next `n` octets: iwarpi_rx_release steps over them. */
static inline void iwarpi_rx_lend(iwarp_rx *rx, size_t n) {
  rx->release = n;
}

/* Notes a limit: IWARP_LIMIT_*. */
static inline void iwarpi_rx_reach_limit(iwarp_rx *rx, uint32_t limit) {
  rx->limits |= limit;
}

/* event.c */
void iwarpi_rx_event(const iwarp_rx *rx, iwarp_event *ev, iwarp_event_kind kind, uint64_t pos,
                     uint64_t len);
void iwarpi_rx_gap_event(iwarp_rx *rx, iwarp_event *ev);
void iwarpi_rx_run_add(iwarp_rx *rx, iwarp_span part);
void iwarpi_rx_give_up(iwarp_rx *rx, size_t n);
bool iwarpi_rx_run_event(iwarp_rx *rx, iwarp_event *ev, iwarp_event_kind kind);
bool iwarpi_rx_undec_event(iwarp_rx *rx, iwarp_event *ev, iwarp_undec_reason reason);
void iwarpi_rx_decode_segment(iwarp_rx *rx, iwarp_event_fpdu *f);

/* fpdus.c */
bool iwarpi_rx_fast_path(const iwarp_rx *rx);

/* search.c */
bool iwarpi_rx_plausible(iwarp_span fpdu, bool markers);
void iwarpi_rx_search_begin(iwarp_rx *rx, iwarp_undec_reason reason);
step iwarpi_rx_search_step(iwarp_rx *rx, iwarp_event *ev);

/* hole.c */
step iwarpi_rx_hole_enter(iwarp_rx *rx);
step iwarpi_rx_hole_step(iwarp_rx *rx, iwarp_event *ev);
step iwarpi_rx_report_gaps_step(iwarp_rx *rx, iwarp_event *ev);
step iwarpi_rx_break_up_step(iwarp_rx *rx, iwarp_event *ev);

/* rx.c */
void iwarpi_rx_begin(iwarp_rx *rx, const iwarp_rx_cfg *cfg, void *area);
void iwarpi_rx_start(iwarp_rx *rx, const iwarp_rx_cfg *cfg);
bool iwarpi_rx_must_verify(const iwarp_rx *rx);
bool iwarpi_rx_refused(const iwarp_rx *rx);
bool iwarpi_rx_ends_with_cut(const iwarp_rx *rx, size_t wire_len);
bool iwarpi_rx_partial_implausible(iwarp_rx *rx);

#endif
