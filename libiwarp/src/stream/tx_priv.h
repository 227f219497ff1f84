/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a transmit engine, shared by its source files. */
#ifndef IWARPI_STREAM_TX_PRIV_H
#define IWARPI_STREAM_TX_PRIV_H

#include <iwarp/tx.h>

#define TX_NONE UINT32_MAX /* no message */

/* A transport segment of more FPDUs, or of more octets of ours, is handed out in several parts. */
#define TX_NUM_FPDUS 32u
#define TX_OWN_LEN 2048u

#define TX_LENGTH_FIELD 2u /* octets of ULPDU_Length */
#define TX_CRC_FIELD 4u
#define TX_PAD_MAX 3u
#define TX_HDR_MAX (TX_LENGTH_FIELD + IWARP_RDMAP_HDR_MAX)

_Static_assert(TX_HDR_MAX + TX_PAD_MAX + TX_CRC_FIELD +
                       IWARP_MPA_MARKERS_MAX * IWARP_MPA_MARKER_LEN <=
                   TX_OWN_LEN,
               "what is ours of the largest FPDU must fit");
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
  uint32_t made; /* of them in FPDUs that were made */
  uint32_t next; /* in the list that it is in */
  iwarp_err err;
  uint8_t opcode;
  bool one;      /* the payload is u.part, not u.parts */
  bool inner;    /* what stands after the DDP header is u.octets, not payload */
  tx_cursor cur; /* where the payload goes on after what was made */
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
  uint32_t hdr_len; /* octets of ULPDU_Length, DDP header and RDMAP header */
  uint32_t len;     /* octets of the message in it */
  uint32_t pay_off; /* first octet of payload, and the one after the last: both the end where there
                       is none */
  uint32_t pay_end;
  size_t own;    /* its octets of ours begin at own[own] */
  tx_cursor cur; /* where its payload begins */
  bool last;     /* L */
  bool ends;     /* with it the message is over */
} tx_fpdu;

/* A place in the octets that were made. */
typedef struct tx_walk {
  uint32_t fpdu;
  uint32_t at;   /* offset in its wire form */
  size_t own;    /* the next octet of ours is own[own] */
  tx_cursor cur; /* and the next one of payload is there */
} tx_walk;

struct iwarp_tx {
  bool markers;
  bool crc;
  bool pack;
  bool ending;      /* there is a Terminate, or the stream is gone */
  bool mid;         /* the message at the head of `line` is under way */
  bool segment_end; /* the transport segment ends after the FPDUs that were made */
  uint8_t version;  /* DV and RV */
  uint32_t line;    /* of the message of the last FPDU made */
  uint32_t emss;
  uint32_t mulpdu;
  uint32_t num_messages;
  uint32_t msn[4]; /* of the next message on each queue */
  tx_list lines[TX_NUM_LINES];
  tx_list done;
  tx_list free;
  uint32_t used;  /* octets in the transport segment so far */
  uint64_t made;  /* stream offset after the FPDUs that were made */
  uint64_t off;   /* stream offset of `walk` */
  size_t offered; /* octets from `walk` on that were handed out */
  tx_walk walk;   /* the transport took all before it */
  uint32_t num_fpdus;
  size_t num_own;
  tx_fpdu fpdus[TX_NUM_FPDUS];
  uint8_t
      own[TX_OWN_LEN]; /* headers, Markers, PAD and CRCs of these FPDUs, in the order of the wire */
  tx_msg msgs[];       /* num_messages, and the Terminate */
};

/* tx.c */
uint32_t iwarpi_tx_pop(iwarp_tx *tx, tx_list *list);
void iwarpi_tx_end(iwarp_tx *tx, uint32_t msg);
void iwarpi_tx_cut(iwarp_tx *tx);

bool iwarpi_tx_response_left(uint32_t *made, const iwarp_tx *tx, uint64_t token);

/* tx_make.c */
void iwarpi_tx_make(iwarp_tx *tx);

/* tx_out.c */
tx_walk iwarpi_tx_walk(const iwarp_tx *tx, uint32_t fpdu);
iwarp_span iwarpi_tx_run(const iwarp_tx *tx, tx_walk *walk, size_t max, bool *own);
void iwarpi_tx_forget(iwarp_tx *tx);

#endif
