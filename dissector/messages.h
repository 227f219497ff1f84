/* SPDX-License-Identifier: BSD-2-Clause */
/* RDMAP messages: which segments belong together, and the payload of Sends put together. */
#ifndef DISSECTOR_MESSAGES_H
#define DISSECTOR_MESSAGES_H

#include <iwarp/event.h>
#include <iwarp/rules.h>

#include "frames.h"

/* message is a message of several segments, kept as long as the capture file is open. */
typedef struct message {
  guint32 first_frame;
  guint32 last_frame;     /* frame of the last segment; 0: not seen */
  guint64 length;         /* octets of payload so far */
  wmem_array_t *segments; /* the frame of each, guint32 */
  guint64 next;           /* tagged: Tagged Offset of the next segment */
  guint32 stag;
  bool broken;    /* a segment of the message is missing */
  guint8 *octets; /* payload so far of a Send that is not broken */
  gsize cap;
} message;

/* messages_open has the incomplete messages of one side. */
typedef struct messages_open {
  wmem_map_t *sends;  /* Sends by MSN */
  message *tagged[2]; /* RDMA Writes; Read Responses */
} messages_open;

/* messages_octets is where the payload of a segment is. */
typedef struct messages_octets {
  const iwarp_event *ev; /* event of the segment; NULL: `payload` is all of it, in a row */
  iwarp_span payload;
} messages_octets;

/* messages_segment adds a segment with its link from the rules; its PDU then names its message, if
 * that has several segments. */
void messages_segment(messages_open *open, frame_pdu *pdu, const messages_octets *octets,
                      const iwarp_rdmap_seg *seg, const iwarp_link *link);

/* messages_show adds the facts of a segment's message, up to a frame; `visible`: texts are
 * read. */
void messages_show(proto_tree *tree, const frame_pdu *pdu, guint32 known, bool visible);

/* messages_lost: octets of the side are missing, and the ends of its tagged messages may be among
 * them. */
void messages_lost(messages_open *open);

/* messages_for_upper says whether upper layers want to see a segment. */
bool messages_for_upper(const iwarp_rdmap_seg *seg);

/* messages_is_send says whether a segment carries octets for the receiver's buffers. */
bool messages_is_send(const iwarp_rdmap_seg *seg);

#endif
