/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a transmit engine, shared by its source files. */
#ifndef IWARPI_TX_STATE_H
#define IWARPI_TX_STATE_H

#include <iwarp/tx.h>

#include "../base/cursor.h"
#include "../base/pad.h"
#include "../base/ring.h"

#define TX_NONE UINT32_MAX /* no message */

#define TX_FPDUS_DEFAULT 32u

/* Octets of framing (all but payload): room for the largest FPDU, and for a usual one each. */
#define TX_FRAMING_LARGEST 640u
#define TX_FRAMING_USUAL 44u

#define TX_HDR_MAX (IWARP_MPA_LENGTH_LEN + IWARP_RDMAP_HDR_MAX)

_Static_assert(TX_HDR_MAX + PAD_MAX + IWARP_MPA_CRC_LEN +
                       IWARP_MPA_MARKERS_MAX * IWARP_MPA_MARKER_LEN <=
                   TX_FRAMING_LARGEST,
               "the framing of the largest FPDU must fit");
_Static_assert(IWARP_MPA_ULPDU_MAX < 65023u, "FPDUPTR must hold every distance, RFC 5044 4.3");
_Static_assert(IWARP_MPA_MULPDU_MIN >= IWARP_RDMAP_HDR_MAX,
               "a message without payload must be one segment");

/* Messages leave in the order of their line. */
typedef enum tx_line {
  TX_LINE_REQUESTS = 0,
  TX_LINE_RESPONSES, /* Read Responses and Atomic Responses */
  TX_LINE_TERMINATE,
  TX_NUM_LINES
} tx_line;

/* Messages in a row, by their index. */
typedef struct tx_list {
  uint32_t head;
  uint32_t tail;
} tx_list;

/* A place in a payload. */
typedef struct tx_cursor {
  size_t part;
  size_t off; /* octets into that part */
} tx_cursor;

typedef struct tx_msg {
  uint64_t token;
  uint64_t to;   /* tagged: of the first octet */
  uint32_t stag; /* tagged: the STag; else the Invalidate STag, or 0 */
  uint32_t msn;  /* untagged */
  uint32_t len;  /* octets after the DDP headers, in all */
  uint32_t made; /* octets in FPDUs that were made */
  uint32_t next; /* the next message in its list */
  iwarp_err err;
  uint8_t opcode;
  bool one;      /* the payload is u.part, not u.parts */
  bool inner;    /* u.octets stands after the DDP header, not payload */
  tx_cursor cur; /* place of the payload that is not made yet */
  union {
    const iwarp_span *parts;
    iwarp_span part;
    uint8_t octets[IWARP_RDMAP_TERM_MAX]; /* an RDMAP header */
  } u;
} tx_msg;

static inline iwarp_span tx_part(const tx_msg *m, size_t i) {
  return m->one ? m->u.part : m->u.parts[i];
}

_Static_assert(IWARP_RDMAP_ATOMIC_REQ_LEN <= IWARP_RDMAP_TERM_MAX, "every RDMAP header must fit");

/* An FPDU that was made. Offsets count from the start of its wire form. */
typedef struct tx_fpdu {
  iwarp_mpa_layout layout;
  uint32_t msg;
  uint32_t hdr_len;     /* octets of ULPDU_Length, DDP header and RDMAP header */
  uint32_t len;         /* octets of the message in it */
  uint32_t pay_off;     /* first octet of payload; without payload wire_len */
  uint32_t pay_end;     /* the octet after the payload; without payload wire_len */
  uint32_t framing;     /* begin of the octets of framing in the ring, in the order of the wire */
  uint32_t framing_len; /* octets of framing */
  tx_cursor cur;        /* place of the first octet of payload */
  bool last;            /* the L flag */
  bool ends;            /* the last FPDU of the message */
  bool segment_end;     /* the transport segment ends with it */
} tx_fpdu;

/* A place in an FPDU that was made. */
typedef struct tx_walk {
  uint32_t at;      /* offset in its wire form */
  uint32_t framing; /* the next octet of framing is framing[framing] */
  tx_cursor cur;    /* place of the next octet of payload */
} tx_walk;

struct iwarp_tx {
  bool markers;
  bool crc;
  bool pack;
  bool ending;     /* a Terminate was given, or the stream is gone */
  bool mid;        /* the message at the head of `line` is under way */
  uint8_t version; /* DV and RV */
  uint32_t line;   /* line of the message of the last FPDU made */
  uint32_t emss;
  uint32_t mulpdu;
  uint32_t num_messages;
  uint32_t msn[4]; /* MSN of the next message on each queue */
  tx_list lines[TX_NUM_LINES];
  tx_list done;
  tx_list free;
  uint64_t made;  /* stream offset after the FPDUs that were made */
  uint64_t off;   /* stream offset of `walk` */
  size_t offered; /* octets from `walk` on that were handed out */
  tx_walk walk;   /* place in the first FPDU: the transport took all before it */
  uint32_t used;  /* octets so far in the last FPDU's transport segment; 0: the next begins one */

  /* A ring of the FPDUs that were made and not taken, and one of their framing. With a pool there
   * is memory for them while there are any. */
  const iwarp_pool *pool;
  uint32_t max_fpdus;
  uint32_t first_fpdu;
  uint32_t num_fpdus;
  uint32_t framing_cap;
  uint32_t framing_end; /* place after the framing of the last FPDU */
  tx_fpdu *fpdus;
  uint8_t *framing;
  tx_msg msgs[]; /* num_messages, and the Terminate */
};

/* FPDU `i` of the FPDUs made and not taken, 0 the first. */
static inline tx_fpdu *tx_fpdu_at(const iwarp_tx *tx, uint32_t i) {
  return &tx->fpdus[ring_index(tx->first_fpdu, i, tx->max_fpdus)];
}

/* list.c */
void iwarpi_tx_push(iwarp_tx *tx, tx_list *list, uint32_t msg);
uint32_t iwarpi_tx_pop(iwarp_tx *tx, tx_list *list);
void iwarpi_tx_fail(iwarp_tx *tx, uint32_t msg);
void iwarpi_tx_fail_line(iwarp_tx *tx, tx_line line);
void iwarpi_tx_end(iwarp_tx *tx, uint32_t msg);

/* walk.c */
tx_walk iwarpi_tx_walk(const tx_fpdu *f);
iwarp_span iwarpi_tx_run(const iwarp_tx *tx, const tx_fpdu *f, tx_walk *walk, size_t max,
                         bool *framing);

void iwarpi_tx_copy(wr *w, const iwarp_tx *tx, const tx_fpdu *f, tx_walk *walk, size_t end);

/* window.c */
size_t iwarpi_tx_window_size(uint32_t max_fpdus, uint32_t framing_cap);
void iwarpi_tx_window_set(iwarp_tx *tx, void *block);
bool iwarpi_tx_window_reserve(iwarp_tx *tx);
void iwarpi_tx_forget(iwarp_tx *tx);

/* fpdu.c */
bool iwarpi_tx_plan(iwarp_tx *tx, tx_fpdu *out, uint32_t *line);
bool iwarpi_tx_make(iwarp_tx *tx, const tx_fpdu *plan, uint32_t line, uint8_t *copy);

#endif
