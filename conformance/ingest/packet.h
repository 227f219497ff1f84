/* SPDX-License-Identifier: BSD-2-Clause */
/* From a captured packet down to a TCP segment: link, IP, fragments, TCP. */
#ifndef INGEST_PACKET_H
#define INGEST_PACKET_H

#include <ingest/ingest.h>

#include "span.h"

enum { ING_ETHERTYPE_IPV4 = 0x0800, ING_ETHERTYPE_IPV6 = 0x86dd, ING_ETHERTYPE_MACSEC = 0x88e5 };
enum {
  ING_PROTO_ICMP = 1,
  ING_PROTO_TCP = 6,
  ING_PROTO_UDP = 17,
  ING_PROTO_ICMP_V6 = 58,
  ING_PROTO_SCTP = 132
};

/* An IP packet; `body` follows the headers. */
typedef struct ing_ip {
  uint8_t family; /* 4 or 6 */
  uint8_t src[16];
  uint8_t dst[16];
  uint8_t next;    /* protocol of the body */
  bool dst_routed; /* dst is not the final address: a checksum over it cannot be verified */
  bool damaged;    /* the checksum of the IPv4 header is wrong */
  bool fragment;   /* body is a part of a packet; `more`, `id` and `offset` are set */
  bool more;
  uint32_t id;
  uint32_t offset; /* octets */
  ing_span body;
} ing_ip;

typedef enum ing_sum {
  ING_SUM_GOOD = 0,
  ING_SUM_UNKNOWN, /* the packet was captured in part, or sent by a card that fills the sum in */
  ING_SUM_BAD
} ing_sum;

enum { ING_FIN = 0x01, ING_SYN = 0x02, ING_RST = 0x04, ING_PSH = 0x08, ING_ACK = 0x10 };

typedef struct ing_segment {
  ingest_addr src;
  ingest_addr dst;
  size_t header; /* octets of the header */
  uint32_t seq;
  uint32_t ack;
  uint16_t window;
  uint8_t flags;
  ing_sum sum;         /* checksum of the transport */
  bool header_damaged; /* same as ing_ip.damaged */
  bool in_doubt;       /* copies in the fragments differ, and the receiver may have either */
  uint32_t lane;       /* digest of the VLANs and tunnels of the packet; 0: no such tags */
  uint16_t ip_id;      /* Identification of IPv4; 0: no Identification */
  uint64_t digest;     /* same as in recent.h */
  bool has_sack;       /* `sack_from` is set */
  /* first octet after a hole that begins at `ack`, by a SACK block. RFC 2018 3 */
  uint32_t sack_from;
  ing_span payload;
} ing_segment;

/* Two copies of octets in fragments of one IP packet that differ. */
typedef struct ing_conflict {
  size_t begin; /* offset of the first octet that differs, in the packet put together */
  size_t end;   /* offset after the last octet that differs; 0: no copies differ */
  ingest_mark first;
  ingest_mark second;
  ingest_copy accepted; /* copy that fits the checksum of the transport */
} ing_conflict;

/* ing_sums_wrong returns true if the checksum of the transport or of the IPv4 header is wrong. */
static inline bool ing_sums_wrong(ing_sum sum, bool header_damaged) {
  return sum == ING_SUM_BAD || header_damaged;
}

/* ing_ip_open reads the IP header at s and the extension headers of IPv6, up to one that says that
 * the packet is a fragment. It returns false if they cannot be read. */
bool ing_ip_open(uint16_t ethertype, const ing_span *s, ing_ip *ip);

/* ing_ip_damaged returns true where the checksum of an IPv4 header of `len` octets is wrong. RFC
 * 791 3.1. A card that fills the checksum in leaves 0 in a capture. */
bool ing_ip_damaged(const uint8_t *header, size_t len);

/* ing_ip_known returns true if the body is TCP or SCTP. */
static inline bool ing_ip_known(const ing_ip *ip) {
  return ip->next == ING_PROTO_TCP || ip->next == ING_PROTO_SCTP;
}

/* ing_ip_resume goes on after the fragment header of a packet put together from fragments. It
 * returns false if the extension headers cannot be read. */
bool ing_ip_resume(ing_ip *ip);

/* ing_tcp_ends reads both ends from the TCP header; false when it was not captured. */
bool ing_tcp_ends(const ing_ip *ip, ingest_addr *src, ingest_addr *dst);

/* ing_tcp_open reads the TCP header and verifies the checksum. */
bool ing_tcp_open(const ing_ip *ip, ing_segment *seg);

/* ing_sum_add adds the 16-bit words at data to a one's complement sum, in the machine's own byte
 * order. */
uint64_t ing_sum_add(uint64_t sum, const uint8_t *data, size_t len);
/* ing_sum_fold brings a sum down to 16 bits. */
uint16_t ing_sum_fold(uint64_t sum);
/* ing_sum_right says whether that would be 0xffff: what is added by carrying around is the same but
 * for multiples of it, and 0 alone comes of 0. */
static inline bool ing_sum_right(uint64_t sum) {
  return sum % 0xffff == 0 && sum != 0;
}

/* ing_sum_pseudo returns the sum of the pseudo-header of a protocol over IP, with `length` octets
 * after the header. RFC 9293 3.1, RFC 8200 8.1 */
uint64_t ing_sum_pseudo(const ing_ip *ip, uint8_t protocol, size_t length);

/* A function that is compiled by itself: joined with the loop over packets, the values of neither
 * would fit the registers. */
#ifdef __GNUC__
#define ING_NOINLINE __attribute__((noinline))
#else
#define ING_NOINLINE
#endif

/* A function that is joined with each of its callers: packets go through it one by one. */
#ifdef __GNUC__
#define ING_INLINE inline __attribute__((always_inline))
#else
#define ING_INLINE inline
#endif

/* Fragments of IP packets that are not complete yet. */
typedef struct ing_frags ing_frags;

/*
 * Bounds on what is kept of incomplete packets: so many at a time, and each for so many packets of
 * the capture. Of a packet that lacks a fragment after that time it is remembered for some while
 * that it was given up: only when a further fragment comes was it a limit of ours that lost it;
 * else the capture lacks the fragment, and TCP's own numbers will show what is missing.
 */
enum {
  ING_FRAGS_MAX = 32,
  ING_FRAGS_AGE = 4096,
  ING_FRAGS_AGED = 64,
  ING_FRAGS_TAKEN = 256, /* fragments of which another copy is known as such */
  ING_FRAGS_LOST = 256
};

/* ing_frags_new returns NULL when there is no memory; `key` keys the digests of fragments. */
ing_frags *ing_frags_new(const ingest_alloc *alloc, const uint64_t key[2], uint64_t *steps);
/* ing_frags_add takes a fragment, captured at `at`; `now` counts packets. True when the packet is
 * complete: then *ip is the packet with the first copies of all octets, valid until the next call.
 * *conflict names the octets that have another copy that differs. */
bool ing_frags_add(ing_frags *frags, ing_ip *ip, uint64_t now, ingest_mark at,
                   ing_conflict *conflict);
/* ing_frags_swap exchanges the copies that differ in the packet that came last; false where there
 * was no memory for the second ones. */
bool ing_frags_swap(ing_frags *frags);
/* ing_frags_finish says that no more fragments come. */
void ing_frags_finish(ing_frags *frags);
/* ing_frags_lost returns true if a packet between the two hosts was given up for a limit, or a
 * tunnel, which may have held one. */
bool ing_frags_lost(ing_frags *frags, uint8_t family, const uint8_t a[16], const uint8_t b[16]);
void ing_frags_free(ing_frags *frags);

#endif
