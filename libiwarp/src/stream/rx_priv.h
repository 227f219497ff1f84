/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a receive engine, shared by its source files. */
#ifndef IWARPI_STREAM_RX_PRIV_H
#define IWARPI_STREAM_RX_PRIV_H

#include <iwarp/stream.h>

/*
 * The buffer holds an FPDU that came in pieces. While a boundary is searched it holds the octets under examination:
 * twice the largest FPDU, so that every FPDU lies in it whole before its first half is given up.
 */
#define RX_BUF_LEN (2u * IWARP_MPA_FPDU_WIRE_MAX)
#define RX_NUM_CHUNKS 96u /* pushes told apart in the buffer */
#define RX_NUM_HOLES 16u  /* holes told apart inside one FPDU */
#define RX_TAIL_LEN 7u    /* PAD and CRC */

typedef enum rx_state {
  RX_SYNC = 0, /* pos is an FPDU boundary */
  RX_HOLE,     /* inside an FPDU of which octets are missing; its end is known */
  RX_HOLE_OUT, /* that FPDU was reported; its holes come next */
  RX_BREAK_UP, /* the stream ended inside such an FPDU; its pieces come next */
  RX_SEARCH    /* no boundary is known */
} rx_state;

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

/* An FPDU of which octets are missing: its first ones are in the buffer, its wire form begins at rx->pos. */
typedef struct rx_holed {
  uint64_t cur; /* position up to which the stream was followed */
  iwarp_mpa_layout layout;
  uint16_t ulpdu_length;
  uint8_t tail[RX_TAIL_LEN]; /* PAD and CRC as far as they came behind a hole */
  uint8_t tail_have;         /* bit set of tail[] */
  iwarp_meta first;
  iwarp_meta last;
  size_t num_gaps;
  size_t next_gap; /* to be reported */
  uint64_t out_pos; /* RX_BREAK_UP: reported up to here */
  rx_gap gaps[RX_NUM_HOLES];
} rx_holed;

struct iwarp_rx {
  rx_state state;
  uint8_t side;
  uint64_t pos;  /* of the first octet not consumed: of the buffer if it holds any, else in.ptr[0] */
  uint64_t base; /* position of stream offset 0, or IWARP_POS_UNKNOWN */
  uint64_t phase; /* position of some Marker, or IWARP_POS_UNKNOWN */
  iwarp_tri markers;
  iwarp_tri crc;
  bool at_start; /* nothing was decoded yet and pos is stream offset 0 */
  bool doubtful; /* at_start, and the octets must show that FPDUs begin here */
  bool shaky;    /* the length of the last FPDU may have been wrong: the next must look like one */
  bool guessing; /* a plausible header at a segment start may end a search */
  iwarp_proof proof;
  uint64_t unmarked; /* octets decoded in a row with unknown Marker use and no Marker met */

  iwarp_span in;
  iwarp_meta in_meta;
  bool in_start; /* in.ptr[0] is the first octet of its push */
  bool gap_pending;
  rx_gap gap;
  bool eof;
  iwarp_meta eof_meta;

  rx_holed holed; /* RX_HOLE, RX_HOLE_OUT, RX_BREAK_UP */

  iwarp_undec_reason undec_reason; /* RX_SEARCH */
  uint64_t undec_len;              /* RX_SEARCH: octets before pos given up and not reported yet */
  iwarp_meta undec_first;
  iwarp_meta undec_last;
  size_t scan_from;  /* RX_SEARCH: candidates before this index of the buffer are ruled out */
  size_t budget_possible;  /* RX_SEARCH: octets that may still be summed up for this window, */
  size_t budget_plausible; /* for candidates that are merely possible, and for plausible ones */

  size_t release; /* octets of the buffer that the last event borrowed */
  size_t buf_off; /* the buffer's octets begin here */
  size_t num_buf;
  size_t num_chunks;
  uint8_t hdr[IWARP_RDMAP_HDR_MAX]; /* headers that a Marker cut, joined */
  rx_chunk chunks[RX_NUM_CHUNKS];
  uint8_t buf[RX_BUF_LEN];
};

/* rx_buf.c */
iwarp_span iwarpi_rx_buffered(const iwarp_rx *rx);
void iwarpi_rx_take(iwarp_rx *rx, size_t n);
void iwarpi_rx_drop(iwarp_rx *rx, size_t n);
void iwarpi_rx_metas(const iwarp_rx *rx, size_t off, size_t len, iwarp_meta *first,
                     iwarp_meta *last);
bool iwarpi_rx_segment_starts(const iwarp_rx *rx, size_t off);
void iwarpi_rx_later(iwarp_meta *latest, const iwarp_meta *m);

/* rx_search.c */
bool iwarpi_rx_plausible(iwarp_span fpdu, bool markers);
bool iwarpi_rx_search(iwarp_rx *rx, size_t *off, bool final, uint64_t gap_len);

/* rx_hole.c */
bool iwarpi_rx_hole_enter(iwarp_rx *rx);
bool iwarpi_rx_hole_step(iwarp_rx *rx, iwarp_event *ev);
bool iwarpi_rx_hole_out_step(iwarp_rx *rx, iwarp_event *ev);
bool iwarpi_rx_break_up_step(iwarp_rx *rx, iwarp_event *ev);

/* rx.c */
void iwarpi_rx_setup(iwarp_rx *rx, const iwarp_rx_cfg *cfg);
void iwarpi_rx_event(iwarp_rx *rx, iwarp_event *ev, iwarp_event_kind kind, uint64_t pos,
                     uint64_t len);
void iwarpi_rx_search_begin(iwarp_rx *rx, iwarp_undec_reason reason);
void iwarpi_rx_decode_segment(iwarp_rx *rx, iwarp_ev_fpdu *f);

#endif
