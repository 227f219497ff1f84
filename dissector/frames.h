/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of each frame of the capture: the PDUs that it completes, the PDUs that it holds a
 * part of, and the rules broken in it. Written once, as the octets come; read each time that a
 * frame is shown. A frame is named by its record (records.h).
 */
#ifndef DISSECTOR_FRAMES_H
#define DISSECTOR_FRAMES_H

#include <iwarp/rules.h>

#include "ws_compat.h"

struct conn;
struct exchange;
struct message;

typedef enum frame_pdu_kind {
  FRAME_PDU_STARTUP = 0,
  FRAME_PDU_FPDU,
  FRAME_PDU_GAP,
  FRAME_PDU_UNDECODABLE,
  FRAME_PDU_SCTP_INIT, /* the Adaptation Layer Indication of an INIT or INIT ACK */
  FRAME_PDU_SCTP_CONTROL,
  FRAME_PDU_SCTP_SEGMENT
} frame_pdu_kind;

/* pdu_rest is what few PDUs have. */
typedef struct pdu_rest {
  struct exchange *exchange; /* exchange of which the PDU is the request or a response, or NULL */
  const guint8 *copy;        /* octets of the PDU, if no frame holds all in a row; else NULL */
  guint64 len;               /* octets of the stream, captured or not; not set for an FPDU */
  guint64 base_skew;    /* an FPDU: where Full Operation begins, after the `base` of its side */
  guint32 cap;          /* available octets of the PDU, from `pos` on; not set if it is `whole` */
  guint32 first_frame;  /* frame of the first octet; 0: the frame of the PDU */
  guint32 crc_value;    /* CRC field, where `crc_present`; not set for a `whole` PDU */
  guint32 crc_expected; /* set when `crc` is BAD */
  guint32 reads;        /* a Read Request: Requests without a response, this one included */
  guint32 expected_msn; /* MSN expected in the queue; 0: the MSN of the PDU */
  guint32 hole;  /* a GAP: another frame, which has the octets after it, or 0: none, or not known */
  guint8 pad[3]; /* PAD, where `pad_present`; not set for a `whole` PDU */
} pdu_rest;

/* frame_pdu is an item of a stream in the frame that completes it. There is one for each PDU of the
 * capture, so that it is small: its headers and its layout are made again when it is shown. */
typedef struct frame_pdu {
  struct frame_pdu *next; /* next PDU of the frame, by events; the first after the last */
  struct conn *conn;
  struct message *message; /* message of several segments that the PDU belongs to, or NULL */
  pdu_rest *rest;          /* never NULL; frames_pdu_rest alone returns one to be written */
  guint64 pos;             /* position of the first octet, a leading Marker included */
  guint32 at;              /* offset of its octets in the frame, unless they are a copy */
  guint32 frame;
  guint16 ulpdu_length;
  guint8 phase;    /* Markers in use: place of the PDU between two Markers, in words */
  guint8 kind : 4; /* frame_pdu_kind */
  guint8 crc : 2;  /* iwarp_crc_state */
  guint8 side : 1;
  guint8 role : 2;       /* iwarp_role of the sender */
  guint8 term_place : 2; /* Terminate: iwarp_rdmap_term_place */
  guint8 reason : 2;     /* UNDECODABLE: iwarp_undec_reason; GAP: iwarp_gap_reason */
  bool markers : 1;
  bool offset_known : 1;    /* the stream offset is known; it counts from the `base` of the side */
  bool whole : 1;           /* an FPDU whose octets are all available */
  bool pad_present : 1;     /* the PAD was captured, octets before it perhaps not */
  bool crc_present : 1;     /* the CRC field was captured, octets before it perhaps not */
  bool answers : 1;         /* the PDU is a response of `exchange` */
  bool msn_known : 1;       /* the MSN expected in the queue is known */
  bool reply : 1;           /* a startup frame in the place of a Reply */
  bool upper : 1;           /* upper layers want to see it in its own frame */
  bool delivered_later : 1; /* they get it in a later frame, whose octets those before it are */
  bool aligned : 1;         /* begins with a TCP segment */
} frame_pdu;

/* frame_part says that a frame holds octets of a PDU which another frame completes, or lets it be
 * delivered to upper layers. */
typedef struct frame_part {
  struct frame_part *next;
  const frame_pdu *pdu;
} frame_part;

/* frame_finding is a broken rule, in the frame to which it belongs. */
typedef struct frame_finding {
  struct frame_finding *next;
  const frame_pdu *pdu; /* PDU of the finding; may be NULL */
  iwarp_finding finding;
} frame_finding;

/* frame_late says that something of an earlier frame became certain in this one. */
typedef struct frame_late {
  struct frame_late *next;
  guint32 frame; /* the earlier one */
  int rule;      /* -1: its PDUs */
} frame_late;

/* frame_note is an expert info about a connection or the capture. */
typedef struct frame_note {
  struct frame_note *next;
  struct expert_field *field;
  const char *text;
} frame_note;

/* frame_rest is what few frames have. */
typedef struct frame_rest {
  struct conn *conn;   /* a connection that the frame concerns, other than the one of its octets */
  const char *outcome; /* outcome of the connection, in the frame that ends it; else NULL */
  guint32 accused;     /* frame of the segment that the Terminate which ends it is about, or 0 */
  guint32 accused_by;  /* frame of a Terminate that is about a segment of this one, or 0 */
  frame_part *parts;
  frame_part *holes; /* GAPs before its octets, which later frames make certain */
  frame_part *deliveries, *last_delivery; /* PDUs of frames before it that came before their turn */
  frame_finding *findings, *last_finding;
  frame_late *lates, *last_late;
  frame_note *notes, *last_note;
} frame_rest;

/* frame_rec is what is kept of a frame. */
typedef struct frame_rec {
  struct conn *conn;   /* connection of the frame's octets; may be NULL */
  frame_pdu *last_pdu; /* last PDU, whose `next` is the first one; may be NULL */
  frame_rest *rest;    /* NULL: the frame has nothing to do with iWARP; frames_rest alone returns
                          one to be written */
} frame_rec;

/* frames_get returns what is kept of a frame so far. */
frame_rec frames_get(guint32 frame);
/* frames_carry notes that a frame holds octets of a connection. */
void frames_carry(guint32 frame, struct conn *conn);
/* frames_conn returns the connection that a frame had to do with last. */
struct conn *frames_conn(const frame_rec *rec);
/* frames_next returns the PDU of a frame after another one (NULL: the first), or NULL. */
const frame_pdu *frames_next(const frame_rec *rec, const frame_pdu *pdu);
/* frames_rest returns the rest of a frame, to be written. */
frame_rest *frames_rest(guint32 frame, struct conn *conn);
/* frames_pdu_rest returns the rest of a PDU that was added, to be written. */
pdu_rest *frames_pdu_rest(frame_pdu *pdu);
/* frames_add_pdu, _part, _hole, _delivery, _finding, _note and _late add a copy, which they
 * return, to a frame. */
frame_pdu *frames_add_pdu(const frame_pdu *pdu, const pdu_rest *rest); /* NULL: it has none */
void frames_add_part(guint32 frame, const frame_pdu *pdu);
void frames_add_hole(guint32 frame, frame_pdu *gap);
void frames_add_delivery(guint32 frame, const frame_pdu *pdu);
frame_finding *frames_add_finding(guint32 frame, struct conn *conn, const iwarp_finding *finding);
void frames_add_note(guint32 frame, struct conn *conn, struct expert_field *field,
                     const char *text);
void frames_add_late(guint32 now, struct conn *conn, guint32 frame, int rule);
/* frames_find_pdu returns the PDU of a frame and side that begins at a position, or NULL. */
const frame_pdu *frames_find_pdu(guint32 frame, const struct conn *conn, guint8 side, guint64 pos);
/* frames_pdu_layout returns where the parts of an FPDU lie. */
iwarp_mpa_layout frames_pdu_layout(const frame_pdu *pdu);
/* frames_pdu_len returns the octets of the stream that a PDU takes, captured or not. */
guint64 frames_pdu_len(const frame_pdu *pdu);
/* frames_pdu_cap returns the available octets of a PDU, frames_pdu_first the frame of its first. */
guint32 frames_pdu_cap(const frame_pdu *pdu);
guint32 frames_pdu_first(const frame_pdu *pdu);
/* frames_end returns a number above all frames that have a record. */
guint32 frames_end(void);
/* frames_forget drops all records when the capture file is closed. */
void frames_forget(void);

#endif
