/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets by connection, without following any. */
#include <ingest/split.h>

#include <string.h>

#include "conn.h"

/* Offsets of fields in a packet of Ethernet and IPv4 without options. RFC 894, RFC 791, RFC 9293 */
enum {
  SPLIT_LINK_TYPE = 1, /* Ethernet, as in ingest_packet */
  SPLIT_ETHERTYPE = 12,
  SPLIT_FRAGMENT = 20,
  SPLIT_PROTOCOL = 23,
  SPLIT_SRC = 26,
  SPLIT_DST = 30,
  SPLIT_PORTS = 34,
  SPLIT_MIN = 54 /* octets up to the end of a TCP header without options */
};

#define SPLIT_FRAGMENTED 0x3fffu /* the offset, and whether more come */

/* ---- the hash ---- */

static uint64_t split_mix(uint64_t word) {
  word = (word ^ word >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  return word ^ word >> 29;
}

/* Hash of an end over IPv4. */
static uint64_t split_end4(uint32_t ip, uint16_t port) {
  return split_mix((uint64_t)ip << 16 | port);
}

static uint64_t split_end(const ingest_addr *end) {
  uint64_t hash = end->port;
  if (end->family == 4) {
    return split_end4(ing_get32(end->ip), end->port);
  }
  for (size_t at = 0; at < sizeof end->ip; at += 4) {
    hash = split_mix(hash << 32 ^ hash ^ ing_get32(end->ip + at));
  }
  return hash;
}

/* A sum has no order. */
static uint64_t split_both(uint64_t a, uint64_t b) {
  return split_mix(a + b);
}

uint64_t ingest_split_hash(const ingest_addr addr[2]) {
  return split_both(split_end(&addr[0]), split_end(&addr[1]));
}

/* ---- packets ---- */

/* Returns true if it is a whole packet of TCP over IPv4 without options over Ethernet. */
static bool split_plain(const ingest_packet *pkt) {
  const uint8_t *p = pkt->data;
  return pkt->link_type == SPLIT_LINK_TYPE && pkt->caplen >= SPLIT_MIN &&
         ing_get32(p + SPLIT_ETHERTYPE) >> 8 == (ING_ETHERTYPE_IPV4 << 8 | 0x45u) &&
         (ing_get16(p + SPLIT_FRAGMENT) & SPLIT_FRAGMENTED) == 0 &&
         p[SPLIT_PROTOCOL] == ING_PROTO_TCP;
}

static ingest_split split_plain_of(const uint8_t *p, uint64_t *hash) {
  *hash = split_both(split_end4(ing_get32(p + SPLIT_SRC), ing_get16(p + SPLIT_PORTS)),
                     split_end4(ing_get32(p + SPLIT_DST), ing_get16(p + SPLIT_PORTS + 2)));
  return INGEST_SPLIT_ONE;
}

/* Takes the headers off. Engines ignore packets that cannot be read, or hold neither TCP nor SCTP
 * nor an error about TCP. */
static ingest_split split_any(const ingest_packet *pkt, uint64_t *hash, ingest_encap *counts) {
  ing_decap d;
  ing_segment seg;
  ing_icmp report;
  const decap_end end = ing_decap_open(&d, pkt);
  if (end == DECAP_FRAGMENT || (end == DECAP_TRANSPORT && d.ip.next == ING_PROTO_SCTP)) {
    return INGEST_SPLIT_ALL;
  }
  const bool icmp = ing_icmp_open(&report, &d, end);
  ing_decap_count(counts, &d, icmp ? DECAP_TRANSPORT : end, pkt->number);
  if (icmp) {
    return INGEST_SPLIT_ALL;
  }
  if (end != DECAP_TRANSPORT || !ing_tcp_ends(&d.ip, &seg.src, &seg.dst)) {
    return INGEST_SPLIT_NONE;
  }
  *hash = split_both(split_end(&seg.src), split_end(&seg.dst));
  return INGEST_SPLIT_ONE;
}

ingest_split ingest_split_of(const ingest_packet *pkt, uint64_t *hash, ingest_encap *counts) {
  return split_plain(pkt) ? split_plain_of(pkt->data, hash) : split_any(pkt, hash, counts);
}
