/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets with other addresses, ports and payload: what ingest finds in them stays the same. */
#ifndef INGEST_REWRITE_H
#define INGEST_REWRITE_H

#include <ingest/ingest.h>

/*
 * The engine goes over a capture twice. The first time it learns which fragments form which IP
 * packets, and tells the caller which ports there are. The second time it writes each packet again.
 *
 * Headers stay, but for addresses and ports, which the caller maps, and for fields that may hold
 * anything: options that ingest does not read, padding, and what follows the last header that it
 * knows. Checksums that are right stay right, wrong ones stay wrong by the same amount, and those
 * that a card was to fill in stay so.
 */

/** ingest_rewritten is where octets of a TCP stream, or of the user data of an SCTP chunk, lie.
 * Addresses are the original ones. */
typedef struct ingest_rewritten {
  ingest_addr src;
  ingest_addr dst;
  bool sctp;
  bool begins;     /* SCTP: the chunk begins a message */
  uint32_t ppid;   /* SCTP: Payload Protocol Identifier */
  uint32_t seq;    /* sequence number of the first octet, or TSN of the chunk */
  uint32_t lane;   /* a digest of the VLANs and tunnels of the packet; 0: in none */
  uint64_t packet; /* the number of the packet that is written */
} ingest_rewritten;

/** ingest_rewriter is what the caller does. All of them change octets in place. Equal octets at
 * equal places must become equal octets, and different ones different octets. */
typedef struct ingest_rewriter {
  void *ctx;
  void (*mac)(void *ctx, uint8_t octets[6]);
  void (*ip)(void *ctx, uint8_t family, uint8_t *octets); /* 4 or 16 octets */
  uint16_t (*port)(void *ctx, uint8_t protocol, uint16_t port);
  void (*stream)(void *ctx, const ingest_rewritten *where, uint8_t *octets, size_t len);
  void (*other)(void *ctx, uint8_t *octets, size_t len); /* octets of no stream: one call for all
                                                            that belong together */
  void (*port_seen)(void *ctx, uint16_t port);           /* while it learns: of TCP or SCTP */
  /* IP packets put together are kept by the caller, one after the other, and read again. */
  bool (*keep)(void *ctx, const uint8_t *octets, size_t len);
  bool (*load)(void *ctx, uint64_t at, uint8_t *octets, size_t len);
} ingest_rewriter;

/** ingest_rewrite is an engine. */
typedef struct ingest_rewrite ingest_rewrite;

/** ingest_rewrite_new makes an engine with memory of `alloc`; NULL without memory. Both are
 * copied. `key` keys its digests; no result depends on it. */
ingest_rewrite *ingest_rewrite_new(const ingest_alloc *alloc, const uint64_t key[2],
                                   const ingest_rewriter *to);

/** ingest_rewrite_learn takes the next packet of the first reading; false: no memory, or `keep`
 * failed. */
bool ingest_rewrite_learn(ingest_rewrite *r, const ingest_packet *pkt);

/** ingest_rewrite_packet writes the `caplen` octets of a packet of the second reading to `out`,
 * again. It returns false if ingest may find something else in them. The caller knows where memory
 * ran out or `load` failed: then fragments do not fit the others of their packet. */
bool ingest_rewrite_packet(ingest_rewrite *r, const ingest_packet *pkt, uint8_t *out);

/** ingest_rewrite_port_kept returns true if the number of a UDP port says what a packet holds. */
bool ingest_rewrite_port_kept(uint16_t port);

/** ingest_rewrite_free gives all memory back; NULL is fine. */
void ingest_rewrite_free(ingest_rewrite *r);

#endif
