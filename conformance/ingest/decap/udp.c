/* SPDX-License-Identifier: BSD-2-Clause */
/* Tunnels over UDP: VXLAN (RFC 7348) and VXLAN-GPE, Geneve (RFC 8926), TZSP, GTP-U, LISP. */
#include "decap.h"

enum { UDP_HEADER = 8 };
enum { VXLAN_HEADER = 8, VXLAN_VALID = 0x08 };
enum { GENEVE_HEADER = 8, GENEVE_WORD = 4, GENEVE_TYPE = 2 };
enum { GPE_VERSION = 0x30, GPE_PROTOCOL = 0x04, GPE_NEXT = 3, GPE_ETHERNET = 3 };
enum { GTP_FORM = 0xf0, GTP_VERSION = 0x30, GTP_EXTENSION = 0x04, GTP_FIELDS = 0x07 };
enum { GTP_PACKET = 255, GTP_HEADER = 8, GTP_FIELD = 4, GTP_WORD = 4 };
enum { LISP_HEADER = 8 };
#define UDP_NETWORK 0xffffff00u /* bits of the network identifier in a word */
enum { TZSP_HEADER = 4, TZSP_VERSION = 1, TZSP_ETHERNET = 1, TZSP_PAD = 0, TZSP_END = 1 };

/* The port that the packet is sent to names the tunnel: VXLAN and Geneve choose the other one by
 * the inner packet. A port that the caller named may be either. */
bool decap_udp(ing_decap *d) {
  const size_t len = decap_length(d, 4, 0, false);
  d->udp_from = ing_be16(&d->rest, 0);
  if (len >= UDP_HEADER && len < d->rest.len) {
    ing_set_len(&d->rest, len);
  }
  const uint16_t from = decap_get16(d, 0, d->tunnels != NULL ? 0xffff : 0);
  const uint16_t to = decap_get16(d, 2, 0xffff);
  return decap_to(d, UDP_HEADER, DECAP_PORT,
                  !ing_decap_named(d, to) && ing_decap_named(d, from) ? from : to);
}

/* The I flag says that the network identifier is valid. */
bool decap_vxlan(ing_decap *d) {
  decap_lane(d, INGEST_LAYER_VXLAN, decap_get32(d, 4, UDP_NETWORK) >> 8);
  return decap_get8(d, 0, VXLAN_VALID) != 0 &&
         decap_to(d, VXLAN_HEADER, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* Version 0; the low six bits of the first octet count the words of options. */
bool decap_geneve(ing_decap *d) {
  const uint8_t first = decap_get8(d, 0, 0xff);
  decap_lane(d, INGEST_LAYER_GENEVE, decap_get32(d, 4, UDP_NETWORK) >> 8);
  const size_t header = GENEVE_HEADER + (first & 0x3fu) * (size_t)GENEVE_WORD;
  return first >> 6 == 0 &&
         decap_to(d, header, DECAP_ETHERTYPE, decap_get16(d, GENEVE_TYPE, 0xffff));
}

/* A header of four octets, then tags, of which the last one is END. */
bool decap_tzsp(ing_decap *d) {
  if (decap_get8(d, 0, 0xff) != TZSP_VERSION || decap_get16(d, 2, 0xffff) != TZSP_ETHERNET) {
    return false;
  }
  size_t at = TZSP_HEADER;
  for (uint8_t tag; at < d->rest.cap && (tag = decap_get8(d, at, 0xff)) != TZSP_END;) {
    at += tag == TZSP_PAD ? 1 : 2 + (size_t)decap_get8(d, at + 1, 0xff);
  }
  return decap_to(d, at + 1, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* As VXLAN, with a number that says what follows where the P flag is set. */
bool decap_gpe(ing_decap *d) {
  const uint8_t flags = decap_get8(d, 0, 0xff);
  const uint32_t next =
      (flags & GPE_PROTOCOL) != 0 ? decap_get8(d, GPE_NEXT, 0xff) : (uint32_t)GPE_ETHERNET;
  decap_lane(d, INGEST_LAYER_GPE, decap_get32(d, 4, UDP_NETWORK) >> 8);
  return (flags & GPE_VERSION) == 0 && decap_to(d, VXLAN_HEADER, DECAP_NEXT, next);
}

/* Returns true if an IP packet may begin there, by its version. */
static bool udp_ip_at(ing_decap *d, size_t at) {
  const unsigned version = decap_get8(d, at, 0xf0) >> 4;
  return version == 4 || version == 6;
}

/* Version 1, and the type of a user packet. One of three flags adds a field. Extension headers have
 * their words in the first octet and the type of the next one in the last. 3GPP TS 29.281 5 */
bool decap_gtpu(ing_decap *d) {
  const uint8_t flags = decap_get8(d, 0, 0xff);
  if ((flags & GTP_FORM) != GTP_VERSION) {
    return false;
  }
  if (decap_get8(d, 1, 0xff) != GTP_PACKET) {
    return decap_refuse(d, INGEST_UNREAD_CONTROL, INGEST_LAYER_GTPU);
  }
  decap_lane(d, INGEST_LAYER_GTPU, decap_get32(d, 4, UINT32_MAX));
  size_t header = GTP_HEADER + ((flags & GTP_FIELDS) != 0 ? GTP_FIELD : 0);
  uint8_t more = (flags & GTP_EXTENSION) != 0 ? decap_get8(d, header - 1, 0xff) : 0;
  for (size_t words; more != 0 && (words = decap_get8(d, header, 0xff)) != 0;) {
    header += words * GTP_WORD;
    more = decap_get8(d, header - 1, 0xff);
  }
  return more == 0 && udp_ip_at(d, header) && decap_to(d, header, DECAP_FRAME, DECAP_FRAME_IP);
}

/* Flags and a nonce, and words that only the tunnel's ends read. RFC 9300 5.3 */
bool decap_lisp(ing_decap *d) {
  return udp_ip_at(d, LISP_HEADER) && decap_to(d, LISP_HEADER, DECAP_FRAME, DECAP_FRAME_IP);
}
