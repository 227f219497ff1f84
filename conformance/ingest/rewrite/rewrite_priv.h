/* SPDX-License-Identifier: BSD-2-Clause */
/* A packet that is written again. */
#ifndef INGEST_REWRITE_PRIV_H
#define INGEST_REWRITE_PRIV_H

#include <ingest/rewrite.h>

#include "../decap/decap.h"

/* A replacement of octets of no stream. The first fill is tried first. */
typedef enum rw_fill {
  RW_FILL_OTHER = 0, /* octets that the caller makes of them */
  RW_FILL_ZERO,
  RW_FILL_ONES,
  RW_FILLS
} rw_fill;

/* Octets that are written again: `to` has as many as `from`, a copy of them at first. */
typedef struct rw {
  const ingest_rewriter *do_;
  const uint8_t *from;
  uint8_t *to;
  size_t cap;
  rw_fill fill;
  uint32_t lane; /* digest of the VLANs and tunnels around */
  uint64_t packet;
} rw;

/* rw_at returns the place in `to` of an octet of `from`. */
static inline uint8_t *rw_at(const rw *w, const uint8_t *from) {
  return w->to + (from - w->from);
}

/* rw_other replaces captured octets of no stream. */
void rw_other(const rw *w, const uint8_t *from, size_t len);

/* rw_zero replaces captured octets by zeros. */
void rw_zero(const rw *w, const uint8_t *from, size_t len);

/* rw_options calls `each` for each option of IPv4 or TCP that has a length, which is 2 at least.
 * Octets after the end of the options, or after a wrong length, become zeros. RFC 791 3.1 */
typedef void rw_option(const rw *w, const uint8_t *option, size_t len);
void rw_options(const rw *w, const uint8_t *p, size_t len, rw_option *each);

/* rw_ip maps an address. */
void rw_ip(const rw *w, uint8_t family, const uint8_t *from);

/* rw_ports maps the two ports that begin a header of TCP, UDP or SCTP. */
void rw_ports(const rw *w, uint8_t protocol, const uint8_t *from);

/* rw_pseudo returns the sum of the addresses of a pseudo-header, `mapped` or as they were. */
uint64_t rw_pseudo(const rw *w, const ing_ip *ip, bool mapped);

/* rw_sum sets the checksum field at `field`, which lies in `s` and covers all of it. Unless `ip` is
 * NULL it covers the addresses of `ip`, too. What is wrong with it stays the same. */
void rw_sum(const rw *w, const ing_span *s, const uint8_t *field, const ing_ip *ip);

/* rw_noise replaces a checksum that cannot be verified. */
void rw_noise(const rw *w, const uint8_t *field, size_t len);

/* ---- headers.c ---- */

/* rw_header writes a header again, apart from its checksum. */
void rw_header(const rw *w, const decap_header *h);

/* rw_header_sum sets the checksum of a header, once all octets after it were written. */
void rw_header_sum(const rw *w, const decap_header *h);

/* ---- transport.c ---- */

/* The functions write the body of an IP packet, with its checksum. */
void rw_tcp(const rw *w, const ing_ip *ip);
void rw_sctp(const rw *w, const ing_ip *ip);
void rw_icmp(const rw *w, const ing_ip *ip);
void rw_arp(const rw *w, const ing_span *s);

/* rw_quoted writes an IP packet that an ICMP message quotes. */
void rw_quoted(const rw *w, const ing_span *s);

#endif
