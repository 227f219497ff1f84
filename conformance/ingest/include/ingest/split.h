/* SPDX-License-Identifier: BSD-2-Clause */
/* Which packets of a capture belong together, for who gives them to several engines. */
#ifndef INGEST_SPLIT_H
#define INGEST_SPLIT_H

#include <ingest/ingest.h>

/** ingest_split says who needs a packet. */
typedef enum ingest_split {
  INGEST_SPLIT_NONE = 0, /* no share: no engine uses it */
  INGEST_SPLIT_ONE,      /* the share that follows the TCP connection with the hash */
  INGEST_SPLIT_ALL       /* all shares: a fragment, SCTP, or an error of ICMP about TCP */
} ingest_split;

/** ingest_split_hash returns a number for the connection between two ends, the same for both
 * directions and on every machine. */
uint64_t ingest_split_hash(const ingest_addr addr[2]);

/** ingest_split_of says who needs the packet, and for ONE the hash of its connection. It adds the
 * layers of the packet to `counts`, unless each engine counts them: of fragments and SCTP. */
ingest_split ingest_split_of(const ingest_packet *pkt, uint64_t *hash, ingest_encap *counts);

#endif
