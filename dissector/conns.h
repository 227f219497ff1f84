/* SPDX-License-Identifier: BSD-2-Clause */
/* The iWARP connections of the capture. */
#ifndef DISSECTOR_CONNS_H
#define DISSECTOR_CONNS_H

#include <ingest/ingest.h>
#include <observe/conn.h>

#include "exchanges.h"
#include "frames.h"
#include "messages.h"
#include "negotiation.h"

#define CONN_QUEUES 4u /* RFC 5040 4.1, RFC 7306 4.2 */

/* conn_span is a run of octets of one frame. */
typedef struct conn_span {
  guint64 pos;
  guint64 end;
  guint32 frame;
  bool segment_start; /* begins a TCP segment */
} conn_span;

/* conn is a connection, kept as long as the capture file is open. */
typedef struct conn {
  guint32 number; /* number of the connection, where `numbered` */
  bool numbered;
  bool sctp;
  bool taken;      /* Wireshark sends its TCP payload here */
  bool octets[2];  /* octets of the side were captured */
  bool based[2];   /* `base` is known */
  guint64 base[2]; /* position at which Full Operation of a side begins */
  ingest_addr addr[2];
  struct {
    conn_span *spans; /* spans in stream order */
    guint num;
    guint cap;
    guint64 covered; /* position after the last PDU */
    frame_pdu *gap;  /* the last GAP, until octets after it come; may be NULL */
  } open[2];         /* state of each side */
  messages_open messages[2];
  exchanges exchanges[2];
  guint32 next_msn[2][CONN_QUEUES]; /* MSN expected, per side and queue; 0: not known */
  const frame_pdu *request;         /* the first MPA Request Frame; may be NULL */
  guint64 request_ns;               /* time of `request` */
  negotiation *negotiated;          /* NULL: the startup was not captured */
  wmem_map_t *stags[2];             /* stags_use by STag, per side that owns the STag */
  iwarp_span request_data;          /* ULP's Private Data of the Request; may be empty */
  struct nvme_queue *nvme;          /* may be NULL */
} conn;

/* conn_of returns the conn of a connection that is being observed. */
conn *conn_of(observe_conn *observed);

/* conn_octets notes that a frame holds octets of a side, before or after the PDUs that they
 * complete. */
void conn_octets(conn *c, guint8 side, const conn_span *span);
/* conn_gap notes a GAP for the frame with the octets after it, whether they were captured already
 * or not. */
void conn_gap(frame_pdu *gap);
/* conn_covered notes a PDU for each frame that holds octets of it. */
void conn_covered(const frame_pdu *pdu);
/* conn_msn takes an untagged segment, whose PDU then names the MSN expected in its queue. */
void conn_msn(frame_pdu *pdu, const iwarp_ddp_hdr *ddp);
/* conn_aligned says whether a TCP segment begins at the position. */
bool conn_aligned(const conn *c, guint8 side, guint64 pos);

#endif
