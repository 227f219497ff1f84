/* SPDX-License-Identifier: BSD-2-Clause */
/* GRE (RFC 2784, RFC 2890) with IP, Ethernet (NVGRE, RFC 7637), MPLS, PPP (RFC 2637) and ERSPAN.
 * Ethernet in IP. */
#include "decap.h"

enum { GRE_CHECKSUM = 0x8000, GRE_ROUTING = 0x4000, GRE_KEY = 0x2000, GRE_SEQUENCE = 0x1000 };
enum { GRE_ACK = 0x0080, GRE_VERSION = 0x0007, GRE_HEADER = 4, GRE_FIELD = 4 };
enum { GRE_PPTP = 1, GRE_PPP = 0x880b }; /* version and protocol */
enum { WCCP_HEADER = 4, ETHERIP_HEADER = 2, ETHERIP_VERSION = 3 };
#define ERSPAN_LANE 0x0fff03ffu     /* VLAN and session in the first word */
#define ERSPAN3_DECIDES 0x00007c01u /* type in the last word, and whether more follows */
enum { ERSPAN_HEADER = 8, ERSPAN3_HEADER = 12, ERSPAN3_SUBHEADER = 8 };

/* Version 1, of PPTP: the key is the length of the payload and the number of the call. A packet
 * that only acknowledges others has no sequence number and no payload. RFC 2637 4.1 */
static bool gre_pptp(ing_decap *d, uint16_t flags) {
  const size_t ack = (flags & GRE_ACK) != 0 ? GRE_FIELD : 0;
  if ((flags & GRE_KEY) == 0 || decap_get16(d, 2, 0xffff) != GRE_PPP) {
    return false;
  }
  if ((flags & GRE_SEQUENCE) == 0) {
    return decap_refuse(d, INGEST_UNREAD_CONTROL, INGEST_LAYER_GRE);
  }
  return decap_to(d, GRE_HEADER + 2 * GRE_FIELD + ack, DECAP_ETHERTYPE, GRE_PPP);
}

/* Each flag adds a field. RFC 2784 withdrew source routes, which are not read. */
bool decap_gre(ing_decap *d) {
  const uint16_t flags = decap_get16(d, 0, 0xffff);
  const uint16_t protocol = decap_get16(d, 2, 0xffff);
  if ((flags & (GRE_ROUTING | GRE_VERSION)) != 0) {
    return (flags & (GRE_ROUTING | GRE_VERSION)) == GRE_PPTP && gre_pptp(d, flags);
  }
  size_t header = GRE_HEADER;
  header += (flags & GRE_CHECKSUM) != 0 ? GRE_FIELD : 0;
  if ((flags & GRE_KEY) != 0) {
    decap_lane(d, INGEST_LAYER_GRE, decap_get32(d, header, UINT32_MAX));
    header += GRE_FIELD;
  }
  header += (flags & GRE_SEQUENCE) != 0 ? GRE_FIELD : 0;
  d->sequenced = (flags & GRE_SEQUENCE) != 0;
  return decap_to(d, header, DECAP_ETHERTYPE, protocol);
}

/* IP that a router redirects to a cache, from version 2 of WCCP on after a header of its own. */
bool decap_wccp(ing_decap *d) {
  const bool bare = decap_get8(d, 0, 0xf0) >> 4 == 4;
  return decap_to(d, bare ? 0 : WCCP_HEADER, DECAP_FRAME, DECAP_FRAME_IP);
}

/* Version 3 in four bits, twelve bits of 0. RFC 3378 3 */
bool decap_etherip(ing_decap *d) {
  return decap_get8(d, 0, 0xf0) >> 4 == ETHERIP_VERSION &&
         decap_to(d, ETHERIP_HEADER, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* The VLAN of the frame, and the session that mirrors it. */
static void erspan_lane(ing_decap *d) {
  decap_lane(d, INGEST_LAYER_ERSPAN, decap_get32(d, 0, ERSPAN_LANE));
}

/* Type I has no header and no sequence number in GRE; type II has both. */
bool decap_erspan2(ing_decap *d) {
  if (d->sequenced) {
    erspan_lane(d);
  }
  return decap_to(d, d->sequenced ? ERSPAN_HEADER : 0, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* The last word has the type of the frame, 0 Ethernet and 2 IP, and whether a subheader follows. */
bool decap_erspan3(ing_decap *d) {
  const uint32_t last = decap_get32(d, 8, ERSPAN3_DECIDES);
  erspan_lane(d);
  const unsigned type = last >> 10 & 0x1fu;
  const size_t header = ERSPAN3_HEADER + ((last & 1) != 0 ? ERSPAN3_SUBHEADER : 0);
  return (type == 0 || type == 2) &&
         decap_to(d, header, DECAP_FRAME, type == 2 ? DECAP_FRAME_IP : DECAP_FRAME_ETHERNET);
}
