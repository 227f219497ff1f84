/* SPDX-License-Identifier: BSD-2-Clause */
/* What one packet carries, looked at by itself: no connection, no order, no checksum. */
#ifndef INGEST_PEEK_H
#define INGEST_PEEK_H

#include <ingest/ingest.h>

/** ingest_peek_result says what a packet is. */
typedef enum ingest_peek_result {
  INGEST_PEEK_OTHER = 0, /* no TCP and no SCTP, or headers that cannot be read */
  INGEST_PEEK_EMPTY,     /* TCP or SCTP without octets of a stream or a message */
  INGEST_PEEK_PAYLOAD
} ingest_peek_result;

/** ingest_payload is what a TCP segment, or the first DATA chunk of an SCTP packet, carries. `data`
 * borrows the packet. */
typedef struct ingest_payload {
  const uint8_t *data;
  size_t caplen; /* octets at data */
  size_t len;    /* octets on the wire */
  bool sctp;
  uint32_t ppid; /* SCTP: Payload Protocol Identifier */
} ingest_payload;

/** ingest_peek reads the headers of a packet. Of a packet in fragments only the first one has
 * them. */
ingest_peek_result ingest_peek(ingest_payload *out, const ingest_packet *pkt);

/** ingest_peek_ends returns the ends of a packet of TCP or SCTP, its sender first; false where they
 * cannot be read, as in a later fragment of a packet. */
bool ingest_peek_ends(ingest_addr addr[2], bool *sctp, const ingest_packet *pkt);

#endif
