/* SPDX-License-Identifier: BSD-2-Clause */
/* Link layers, tags, tunnels and IP: addresses, and what may hold anything. */
#include "rewrite_priv.h"

#include <string.h>

enum { HEAD_MAC = 6, HEAD_MAC_ROOM = 8 };
enum { HEAD_IPOIB = 40, HEAD_PFLOG_KEPT = 2, HEAD_PPI = 8 };
enum { HEAD_MACSEC_SCI = 6, HEAD_ISL_AGAIN = 17, HEAD_NSH = 8 };

static void head_mac(const rw *w, const decap_header *h, size_t at) {
  if (at + HEAD_MAC <= h->len) {
    w->do_->mac(w->do_->ctx, rw_at(w, h->span.data + at));
  }
}

/* An address of a cooked header has room for eight octets. */
static void head_cooked_mac(const rw *w, const decap_header *h, size_t at) {
  head_mac(w, h, at);
  rw_zero(w, h->span.data + at + HEAD_MAC, HEAD_MAC_ROOM - HEAD_MAC);
}

static void head_ethernet(const rw *w, const decap_header *h) {
  head_mac(w, h, 0);
  head_mac(w, h, HEAD_MAC);
}

/* The Global Routing Header, or zeros and the address of the receiver. */
static void head_ipoib(const rw *w, const decap_header *h) {
  rw_zero(w, h->span.data, HEAD_IPOIB < h->len ? HEAD_IPOIB : h->len);
}

/* What stands before the packet, except lengths and numbers that say what follows. */
static void head_after(const rw *w, const decap_header *h, size_t kept) {
  if (h->len > kept) {
    rw_zero(w, h->span.data + kept, h->len - kept);
  }
}

/* Length and address family are kept, names of interfaces and users are not. */
static void head_pflog(const rw *w, const decap_header *h) {
  head_after(w, h, HEAD_PFLOG_KEPT);
}

static void head_ppi(const rw *w, const decap_header *h) {
  head_after(w, h, HEAD_PPI);
}

/* The channel has an address. */
static void head_macsec(const rw *w, const decap_header *h) {
  if (h->len >= HEAD_MACSEC_SCI + HEAD_MAC_ROOM) {
    head_mac(w, h, HEAD_MACSEC_SCI);
  }
}

/* The address of the sender; its first half stands there a second time. */
static void head_isl(const rw *w, const decap_header *h) {
  if (h->len >= HEAD_ISL_AGAIN + 3) {
    head_mac(w, h, HEAD_MAC);
    memcpy(rw_at(w, h->span.data + HEAD_ISL_AGAIN), rw_at(w, h->span.data + HEAD_MAC), 3);
  }
}

/* Metadata. */
static void head_nsh(const rw *w, const decap_header *h) {
  head_after(w, h, HEAD_NSH);
}

static void head_cooked(const rw *w, const decap_header *h) {
  head_cooked_mac(w, h, 6);
}

static void head_cooked2(const rw *w, const decap_header *h) {
  head_cooked_mac(w, h, 12);
}

/* An extension header may name the host. Its first octet says whether another one follows. */
static void head_erf(const rw *w, const decap_header *h) {
  for (size_t at = 16; at + 8 <= h->len; at += 8) {
    rw_zero(w, h->span.data + at + 1, 7);
  }
}

/* ---- NFLOG ---- */

enum { HEAD_NFLOG = 4, HEAD_TLV = 4, HEAD_NFLOG_PAYLOAD = 9 };

static size_t nflog_16(const uint8_t *p, bool little) {
  return little ? (size_t)(p[0] | p[1] << 8) : ing_get16(p);
}

/* The values of the TLVs before the packet, in one byte order; false: it is the other one. */
static bool nflog_values(const rw *w, const decap_header *h, bool little, bool write) {
  size_t at = HEAD_NFLOG;
  while (at + HEAD_TLV <= h->len) {
    const uint8_t *tlv = h->span.data + at;
    const size_t size = nflog_16(tlv, little);
    if ((nflog_16(tlv + 2, little) & 0x7fff) == HEAD_NFLOG_PAYLOAD) {
      return at + HEAD_TLV == h->len;
    }
    if (size < HEAD_TLV || size > h->len - at) {
      return false;
    }
    if (write) {
      rw_zero(w, tlv + HEAD_TLV, size - HEAD_TLV);
    }
    at += (size + 3) & ~(size_t)3;
  }
  return false;
}

/* Hardware address, user, prefix of the log. */
static void head_nflog(const rw *w, const decap_header *h) {
  const bool little = nflog_values(w, h, true, false);
  (void)nflog_values(w, h, little, true);
}

/* ---- IPv4 ---- */

enum { IP4_HEADER = 20, IP4_SUM = 10, IP4_SRC = 12, IP4_DST = 16 };
enum { OPT_RECORD_ROUTE = 7, OPT_LOOSE = 131, OPT_STRICT = 137, OPT_ROUTER_ALERT = 148 };
enum { OPT_ROUTE_HEAD = 3 };

/* A route is a list of addresses. Nothing else that an option holds is read. */
static void ip4_option(const rw *w, const uint8_t *option, size_t len) {
  switch (option[0]) {
  case OPT_RECORD_ROUTE:
  case OPT_LOOSE:
  case OPT_STRICT:
    for (size_t at = OPT_ROUTE_HEAD; at + 4 <= len; at += 4) {
      rw_ip(w, 4, option + at);
    }
    break;
  case OPT_ROUTER_ALERT: break;
  default: rw_zero(w, option + 2, len - 2); break;
  }
}

static void head_ip4(const rw *w, const decap_header *h) {
  const uint8_t *p = h->span.data;
  if (h->len < IP4_HEADER) {
    return;
  }
  rw_ip(w, 4, p + IP4_SRC);
  rw_ip(w, 4, p + IP4_DST);
  rw_options(w, p + IP4_HEADER, h->len - IP4_HEADER, ip4_option);
}

static void head_ip4_sum(const rw *w, const decap_header *h) {
  const ing_span header = {.data = h->span.data, .cap = h->len, .len = h->len};
  if (h->len >= IP4_HEADER) {
    rw_sum(w, &header, h->span.data + IP4_SUM, NULL);
  }
}

/* ---- IPv6 ---- */

enum { IP6_HEADER = 40, IP6_NEXT = 6, IP6_SRC = 8, IP6_DST = 24, IP6_ADDRESS = 16 };
enum { EXT_HOPS = 0, EXT_ROUTING = 43, EXT_FRAGMENT = 44, EXT_AH = 51, EXT_DESTINATION = 60 };
enum { OPT6_ALERT = 5, OPT6_JUMBO = 0xc2, OPT6_HOME = 0xc9 };
enum { AH_FIXED = 12 };

/* The octets of an option that has a type, a length and data; type 0 stands alone. */
static size_t head_step(const uint8_t *option, size_t left) {
  const size_t size = option[0] == 0 || left == 1 ? 1 : (size_t)option[1] + 2;
  return size < left ? size : left;
}

static void ip6_options(const rw *w, const uint8_t *p, size_t len) {
  for (size_t at = 0; at < len;) {
    const size_t step = head_step(p + at, len - at);
    if (p[at] == OPT6_HOME && step == IP6_ADDRESS + 2) {
      rw_ip(w, 6, p + at + 2);
    } else if (p[at] != OPT6_ALERT && p[at] != OPT6_JUMBO && step > 2) {
      rw_zero(w, p + at + 2, step - 2);
    }
    at += step;
  }
}

/* Types 0, 2 and 4 end with addresses, of which each has 16 octets. */
static void ip6_routing(const rw *w, const uint8_t *p, size_t len) {
  for (size_t at = 8; at + IP6_ADDRESS <= len; at += IP6_ADDRESS) {
    rw_ip(w, 6, p + at);
  }
}

/* Extension headers in `len` octets. */
static void ip6_extensions(const rw *w, uint8_t next, const uint8_t *p, size_t len) {
  while (len >= 8) {
    const size_t words = next == EXT_AH ? ((size_t)p[1] + 2) * 4 : ((size_t)p[1] + 1) * 8;
    const size_t size = next == EXT_FRAGMENT ? 8 : words < len ? words : len;
    switch (next) {
    case EXT_FRAGMENT: break;
    case EXT_HOPS:
    case EXT_DESTINATION: ip6_options(w, p + 2, size - 2); break;
    case EXT_ROUTING: ip6_routing(w, p, size); break;
    case EXT_AH:
      if (size > AH_FIXED) {
        rw_zero(w, p + AH_FIXED, size - AH_FIXED);
      }
      break;
    default: rw_zero(w, p + 4, size - 4); break;
    }
    next = p[0];
    p += size;
    len -= size;
  }
}

static void head_ip6(const rw *w, const decap_header *h) {
  const uint8_t *p = h->span.data;
  if (h->len < IP6_HEADER) {
    return;
  }
  rw_ip(w, 6, p + IP6_SRC);
  rw_ip(w, 6, p + IP6_DST);
  ip6_extensions(w, p[IP6_NEXT], p + IP6_HEADER, h->len - IP6_HEADER);
}

static void head_ah(const rw *w, const decap_header *h) {
  if (h->len > AH_FIXED) {
    rw_zero(w, h->span.data + AH_FIXED, h->len - AH_FIXED);
  }
}

/* ---- tunnels ---- */

enum { UDP_SUM = 6, UDP_LEN = 4, GRE_SUM = 4, GRE_CHECKSUM = 0x80 };
enum { GENEVE_HEADER = 8, GENEVE_OPTION = 4, TZSP_HEADER = 4 };
enum { GTP_EXTENSIONS = 12, GTP_WORD = 4 };

static void head_udp(const rw *w, const decap_header *h) {
  rw_ports(w, ING_PROTO_UDP, h->span.data);
}

/* What the datagram covers by its own length. */
static void head_udp_sum(const rw *w, const decap_header *h) {
  ing_span s = h->span;
  const size_t len = ing_be16(&s, UDP_LEN);
  if (len >= h->len && len < s.len) {
    ing_set_len(&s, len);
  }
  rw_sum(w, &s, s.data + UDP_SUM, &h->ip);
}

static void head_gre_sum(const rw *w, const decap_header *h) {
  if ((h->span.data[0] & GRE_CHECKSUM) != 0) {
    rw_sum(w, &h->span, h->span.data + GRE_SUM, NULL);
  }
}

/* An option has its class, type and length, and data. */
static void head_geneve(const rw *w, const decap_header *h) {
  for (size_t at = GENEVE_HEADER; at + GENEVE_OPTION <= h->len;) {
    const uint8_t *option = h->span.data + at;
    const size_t left = h->len - at - GENEVE_OPTION;
    const size_t size = (option[3] & 31u) * (size_t)4;
    const size_t data = size < left ? size : left;
    rw_zero(w, option + GENEVE_OPTION, data);
    at += GENEVE_OPTION + data;
  }
}

static void head_tzsp(const rw *w, const decap_header *h) {
  const uint8_t *p = h->span.data;
  for (size_t at = TZSP_HEADER; at + 1 < h->len && p[at] != 1;) {
    const size_t step = head_step(p + at, h->len - at);
    if (step > 2) {
      rw_zero(w, p + at + 2, step - 2);
    }
    at += step;
  }
}

/* What extension headers hold, between their lengths and types. */
static void head_gtpu(const rw *w, const decap_header *h) {
  for (size_t at = GTP_EXTENSIONS; at + GTP_WORD <= h->len;) {
    const size_t size = h->span.data[at] * (size_t)GTP_WORD;
    rw_zero(w, h->span.data + at + 1, size - 2);
    at += size;
  }
}

/* ---- the table ---- */

typedef struct head_row {
  bool (*open)(ing_decap *d);
  void (*write)(const rw *w, const decap_header *h); /* may be NULL */
  void (*sum)(const rw *w, const decap_header *h);   /* may be NULL */
} head_row;

/* Headers without a line hold no addresses: VLAN identifiers, labels, keys and network identifiers
 * stay, since they tell connections apart. */
static const head_row head_rows[] = {
    {decap_ethernet, head_ethernet, NULL}, {decap_cooked, head_cooked, NULL},
    {decap_cooked2, head_cooked2, NULL},   {decap_erf, head_erf, NULL},
    {decap_nflog, head_nflog, NULL},       {decap_ip4, head_ip4, head_ip4_sum},
    {decap_ip6, head_ip6, NULL},           {decap_ah, head_ah, NULL},
    {decap_udp, head_udp, head_udp_sum},   {decap_gre, NULL, head_gre_sum},
    {decap_geneve, head_geneve, NULL},     {decap_tzsp, head_tzsp, NULL},
    {decap_ipoib, head_ipoib, NULL},       {decap_pflog, head_pflog, NULL},
    {decap_ppi, head_ppi, NULL},           {decap_macsec, head_macsec, NULL},
    {decap_isl, head_isl, NULL},           {decap_nsh, head_nsh, NULL},
    {decap_gtpu, head_gtpu, NULL},
};

static const head_row *head_find(const decap_header *h) {
  size_t i = 0;
  while (i < sizeof head_rows / sizeof head_rows[0] && head_rows[i].open != h->open) {
    i++;
  }
  return i < sizeof head_rows / sizeof head_rows[0] ? &head_rows[i] : NULL;
}

void rw_header(const rw *w, const decap_header *h) {
  const head_row *row = head_find(h);
  if (row != NULL && row->write != NULL) {
    row->write(w, h);
  }
}

void rw_header_sum(const rw *w, const decap_header *h) {
  const head_row *row = head_find(h);
  if (row != NULL && row->sum != NULL) {
    row->sum(w, h);
  }
}

/* ---- quoted ---- */

/* A message of ICMP quotes a header of IP and the beginning of what follows it. */
void rw_quoted(const rw *w, const ing_span *s) {
  ing_ip ip;
  const unsigned version = ing_u8(s, 0) >> 4;
  const uint16_t type = version == 4 ? ING_ETHERTYPE_IPV4 : ING_ETHERTYPE_IPV6;
  if ((version != 4 && version != 6) || !ing_ip_open(type, s, &ip)) {
    rw_other(w, s->data, s->cap);
    return;
  }
  const decap_header h = {.span = *s, .len = (size_t)(ip.body.data - s->data), .ip = ip};
  if (version == 4) {
    head_ip4(w, &h);
    head_ip4_sum(w, &h);
  } else {
    head_ip6(w, &h);
  }
  const bool ports =
      ip.offset == 0 && ip.body.cap >= 8 && (ing_ip_known(&ip) || ip.next == ING_PROTO_UDP);
  const size_t kept = ports ? 8 : 0;
  if (ports) {
    rw_ports(w, ip.next, ip.body.data);
  }
  if (ports && ip.next == ING_PROTO_UDP) {
    rw_noise(w, ip.body.data + UDP_SUM, 2);
  }
  const size_t body = (size_t)(ip.body.data - s->data) + kept;
  rw_other(w, s->data + body, s->cap - body);
}
