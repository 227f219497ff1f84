/* SPDX-License-Identifier: BSD-2-Clause */
/* What the packets of a capture show of it, whatever they hold: their times and their lengths. */
#ifndef INGEST_PACKET_FACTS_H
#define INGEST_PACKET_FACTS_H

#include <ingest/ingest.h>

/** ingest_packet_facts is that; all zeros are the facts of no packet. */
typedef struct ingest_packet_facts {
  uint64_t last_ns;     /* time of the last packet that has one */
  ingest_bad backwards; /* packets whose time is before the time of the packet before */
  ingest_bad cut;       /* packets of which not all octets were captured */
  uint64_t snaplen;     /* octets that are captured at most of these */
} ingest_packet_facts;

/** ingest_packet_facts_add adds the next packet. It has no time if that is 0: not all formats have
 * times.
 */
static inline void ingest_packet_facts_add(ingest_packet_facts *facts,
                                           const ingest_packet *packet) {
  if (packet->time_ns != 0) {
    ingest_bad_count(&facts->backwards, packet->time_ns < facts->last_ns, packet->number);
    facts->last_ns = packet->time_ns;
  }
  if (packet->caplen < packet->len) {
    ingest_bad_count(&facts->cut, true, packet->number);
    facts->snaplen = packet->caplen > facts->snaplen ? packet->caplen : facts->snaplen;
  }
}

#endif
