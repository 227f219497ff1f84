/* SPDX-License-Identifier: BSD-2-Clause */
/* Link layers: Ethernet, Linux cooked v1 and v2, raw IP, null and loopback, HDLC of Cisco, IP over
 * InfiniBand, PPI, PFLOG, ENC, ERF, NFLOG. */
#include "decap.h"

enum {
  LINK_ETHERNET_HEADER = 14,
  LINK_COOKED_HEADER = 16,
  LINK_COOKED2_HEADER = 20,
  LINK_LOOPBACK_HEADER = 4,
  LINK_CHDLC_HEADER = 4,
  LINK_IPOIB_HEADER = 44,
  LINK_IPOIB_TYPE = 40,
  LINK_PPI_HEADER = 8,
  LINK_PPI_FLAGS = 1,
  LINK_PPI_TYPE = 4,
  LINK_PFLOG_MIN = 48,
  LINK_ENC_HEADER = 12
};

/* Frames of ISL are sent to one of two group addresses, of 40 bits. */
static bool link_isl(ing_decap *d) {
  const uint32_t to = decap_get32(d, 0, UINT32_MAX);
  return (to == 0x01000c00u || to == 0x03000c00u) && decap_get8(d, 4, 0xff) == 0;
}

bool decap_ethernet(ing_decap *d) {
  if (decap_get16(d, LINK_ETHERNET_HEADER - 2, 0xffff) <= DECAP_LENGTH_MAX && link_isl(d)) {
    return decap_to(d, 0, DECAP_FRAME, DECAP_FRAME_ISL);
  }
  return decap_to_type(d, LINK_ETHERNET_HEADER);
}

/* Address, control and the EtherType. */
bool decap_chdlc(ing_decap *d) {
  return decap_to_type(d, LINK_CHDLC_HEADER);
}

/* The EtherType follows the Global Routing Header, and two reserved octets it. RFC 4391 6 */
bool decap_ipoib(ing_decap *d) {
  return decap_to(d, LINK_IPOIB_HEADER, DECAP_ETHERTYPE, decap_get16(d, LINK_IPOIB_TYPE, 0xffff));
}

static uint16_t link_swap(uint16_t number) {
  return (uint16_t)(number >> 8 | number << 8);
}

static uint16_t link_le16(ing_decap *d, size_t at) {
  return link_swap(decap_get16(d, at, 0xffff));
}

/* Per-Packet Information: flags, the length of all of it, and the link type of what follows. */
bool decap_ppi(ing_decap *d) {
  const size_t header = link_le16(d, LINK_PPI_FLAGS + 1);
  const uint32_t type = link_le16(d, LINK_PPI_TYPE) | (uint32_t)link_le16(d, LINK_PPI_TYPE + 2)
                                                          << 16;
  return header >= LINK_PPI_HEADER && decap_to(d, header, DECAP_LINK, type);
}

/* The length of the header comes first, without its padding to four octets. */
bool decap_pflog(ing_decap *d) {
  const size_t header = (decap_get8(d, 0, 0xff) + (size_t)3) & ~(size_t)3;
  return header >= LINK_PFLOG_MIN && decap_to(d, header, DECAP_FRAME, DECAP_FRAME_IP);
}

bool decap_enc(ing_decap *d) {
  return decap_to(d, LINK_ENC_HEADER, DECAP_FRAME, DECAP_FRAME_IP);
}

bool decap_cooked(ing_decap *d) {
  return decap_to_type(d, LINK_COOKED_HEADER);
}

/* The EtherType comes first. */
bool decap_cooked2(ing_decap *d) {
  return decap_to(d, LINK_COOKED2_HEADER, DECAP_ETHERTYPE, decap_get16(d, 0, 0xffff));
}

/* The version of IP stands in its first octet. */
bool decap_raw(ing_decap *d) {
  const unsigned version = decap_get8(d, 0, 0xf0) >> 4;
  return (version == 4 || version == 6) &&
         decap_to(d, 0, DECAP_ETHERTYPE, version == 4 ? ING_ETHERTYPE_IPV4 : ING_ETHERTYPE_IPV6);
}

/* An address family in the byte order of the capturing machine, or in network byte order. */
bool decap_loopback(ing_decap *d) {
  uint32_t family = decap_get32(d, 0, UINT32_MAX);
  if ((family & 0xffffff) == 0) {
    family >>= 24; /* the other byte order */
  }
  switch (family) {
  case 2: return decap_to(d, LINK_LOOPBACK_HEADER, DECAP_ETHERTYPE, ING_ETHERTYPE_IPV4);
  case 10: /* AF_INET6 of Linux */
  case 23: /* Windows */
  case 24: /* NetBSD, OpenBSD */
  case 28: /* FreeBSD */
  case 30: /* Darwin */
    return decap_to(d, LINK_LOOPBACK_HEADER, DECAP_ETHERTYPE, ING_ETHERTYPE_IPV6);
  default: return false;
  }
}

/* ---- ERF, the record header of Endace cards ---- */

enum {
  ERF_HEADER = 16,
  ERF_TYPE = 8,
  ERF_RLEN = 10,
  ERF_WLEN = 14,
  ERF_EXTENSION = 8,
  ERF_PAD = 2
};
enum { ERF_TYPE_ETH = 2, ERF_TYPE_COLOR_ETH = 11, ERF_TYPE_DSM_COLOR_ETH = 16 };
enum { ERF_TYPE_IPV4 = 22, ERF_TYPE_IPV6 = 23, ERF_TYPE_COLOR_HASH_ETH = 26 };
enum { ERF_MORE = 0x80 }; /* bit of the type: an extension header follows */

/* Takes `header` octets off, and padding, and says which kind of frame follows. */
static bool erf_frame(ing_decap *d, size_t header, uint8_t type) {
  const bool ip = type == ERF_TYPE_IPV4 || type == ERF_TYPE_IPV6;
  const bool ethernet = type == ERF_TYPE_ETH || type == ERF_TYPE_COLOR_ETH ||
                        type == ERF_TYPE_DSM_COLOR_ETH || type == ERF_TYPE_COLOR_HASH_ETH;
  if (!ip && !ethernet) {
    return decap_refuse(d, INGEST_UNREAD_ERF, type);
  }
  const size_t before = header + (ethernet ? ERF_PAD : 0);
  const size_t wire = decap_length(d, ERF_WLEN, before, false);
  if (!decap_to(d, before, DECAP_FRAME, ip ? DECAP_FRAME_IP : DECAP_FRAME_ETHERNET)) {
    return false;
  }
  ing_set_len(&d->rest, wire);
  return true;
}

/* Record length and wire length bound the frame: padding may follow it. */
bool decap_erf(ing_decap *d) {
  if (d->rest.cap < ERF_HEADER) {
    return false;
  }
  const uint8_t type = decap_get8(d, ERF_TYPE, 0xff);
  size_t header = ERF_HEADER;
  for (uint8_t more = type; (more & ERF_MORE) != 0 && header < d->rest.cap;
       header += ERF_EXTENSION) {
    more = decap_get8(d, header, ERF_MORE);
  }
  return erf_frame(d, header, type & 0x7fu);
}

/* ---- NFLOG, of Linux netfilter ---- */

enum { NFLOG_HEADER = 4, NFLOG_TLV = 4, NFLOG_PAYLOAD = 9 };

/* The numbers of a TLV are in the byte order of the capturing machine. A length below 256 tells
 * which one: its zero octet comes last, or first. */
static uint16_t nflog_number(const ing_span *s, size_t at, bool little) {
  return little ? link_swap(ing_be16(s, at)) : ing_be16(s, at);
}

/* Finds the TLV with the packet, with these numbers in one byte order. */
static bool nflog_payload(const ing_span *s, bool little, size_t *at, size_t *len) {
  *at = NFLOG_HEADER;
  while (*at + NFLOG_TLV <= s->cap) {
    const size_t size = nflog_number(s, *at, little);
    if (size < NFLOG_TLV || (size > s->len - *at)) {
      return false;
    }
    if ((nflog_number(s, *at + 2, little) & 0x7fffu) == NFLOG_PAYLOAD) {
      *at += NFLOG_TLV;
      *len = size - NFLOG_TLV;
      return true;
    }
    *at += (size + 3) & ~(size_t)3;
  }
  return false;
}

bool decap_nflog(ing_decap *d) {
  size_t at;
  size_t len;
  decap_no_path(d);
  if (!nflog_payload(&d->rest, true, &at, &len) && !nflog_payload(&d->rest, false, &at, &len)) {
    return false;
  }
  if (!decap_to(d, at, DECAP_FRAME, DECAP_FRAME_IP)) {
    return false;
  }
  ing_set_len(&d->rest, len);
  return true;
}
