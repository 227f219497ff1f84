/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of an interface, kept for the capture of one case. */
#ifndef CLI_PEER_PACKETS_H
#define CLI_PEER_PACKETS_H

#include <ingest/pcap_src.h>
#include <peer_net/trace.h>
#include <report/out_buf.h>

/** peer_packets keeps packets since the last case. All zeros: there is no interface. */
typedef struct peer_packets {
  pcap_src *src;
  struct peer_packet *list;
  size_t num;
  size_t cap;
  size_t octets;
  uint64_t lost; /* packets that the kernel lost before this case */
  bool lacks;    /* some packet of this case could not be kept */
} peer_packets;

/** peer_packets_begin takes over an interface, or NULL. */
void peer_packets_begin(peer_packets *p, pcap_src *src);

/** peer_packets_read takes the packets that have arrived, waits a short time, and takes the packets
 * that arrived meanwhile. It is called when the first play of a case has ended. */
void peer_packets_read(peer_packets *p);

/** peer_packets_write writes the packets of a trace as a pcapng file, with its comments. False: it
 * wrote nothing, since packets are missing, or there is no interface. */
bool peer_packets_write(peer_packets *p, const net_trace *trace, out_buf *out);

/** peer_packets_drop forgets the packets up to now. */
void peer_packets_drop(peer_packets *p);

/** peer_packets_end closes the interface. */
void peer_packets_end(peer_packets *p);

#endif
