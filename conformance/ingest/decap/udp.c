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
enum { TZSP_HEADER = 4, TZSP_VERSION = 1, TZSP_ETHERNET = 1, TZSP_PAD = 0, TZSP_END = 1 };

/* The port that the packet is sent to names the tunnel: VXLAN and Geneve choose the other one by
 * the inner packet. A port that the caller named may be either. */
bool decap_udp(ing_decap *d) {
  const size_t len = ing_be16(&d->rest, 4);
  d->udp_from = ing_be16(&d->rest, 0);
  if (len >= UDP_HEADER && len < d->rest.len) {
    ing_set_len(&d->rest, len);
  }
  const uint16_t from = ing_be16(&d->rest, 0);
  const uint16_t to = ing_be16(&d->rest, 2);
  return decap_to(d, UDP_HEADER, DECAP_PORT,
                  !ing_decap_named(d, to) && ing_decap_named(d, from) ? from : to);
}

/* The I flag says that the network identifier is valid. */
bool decap_vxlan(ing_decap *d) {
  decap_lane(d, INGEST_LAYER_VXLAN, ing_be32(&d->rest, 4) >> 8);
  return (ing_u8(&d->rest, 0) & VXLAN_VALID) != 0 &&
         decap_to(d, VXLAN_HEADER, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* Version 0; the low six bits of the first octet count the words of options. */
bool decap_geneve(ing_decap *d) {
  const uint8_t first = ing_u8(&d->rest, 0);
  decap_lane(d, INGEST_LAYER_GENEVE, ing_be32(&d->rest, 4) >> 8);
  const size_t header = GENEVE_HEADER + (first & 0x3fu) * (size_t)GENEVE_WORD;
  return first >> 6 == 0 && decap_to(d, header, DECAP_ETHERTYPE, ing_be16(&d->rest, GENEVE_TYPE));
}

/* A header of four octets, then tags, of which the last one is END. */
bool decap_tzsp(ing_decap *d) {
  const ing_span *s = &d->rest;
  if (ing_u8(s, 0) != TZSP_VERSION || ing_be16(s, 2) != TZSP_ETHERNET) {
    return false;
  }
  size_t at = TZSP_HEADER;
  while (at < s->cap && ing_u8(s, at) != TZSP_END) {
    at += ing_u8(s, at) == TZSP_PAD ? 1 : 2 + (size_t)ing_u8(s, at + 1);
  }
  return decap_to(d, at + 1, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* As VXLAN, with a number that says what follows where the P flag is set. */
bool decap_gpe(ing_decap *d) {
  const uint8_t flags = ing_u8(&d->rest, 0);
  const uint32_t next =
      (flags & GPE_PROTOCOL) != 0 ? ing_u8(&d->rest, GPE_NEXT) : (uint32_t)GPE_ETHERNET;
  decap_lane(d, INGEST_LAYER_GPE, ing_be32(&d->rest, 4) >> 8);
  return (flags & GPE_VERSION) == 0 && decap_to(d, VXLAN_HEADER, DECAP_NEXT, next);
}

/* Returns true if an IP packet may begin there, by its version. */
static bool udp_ip_at(const ing_span *s, size_t at) {
  const unsigned version = ing_u8(s, at) >> 4;
  return version == 4 || version == 6;
}

/* Version 1, and the type of a user packet. One of three flags adds a field. Extension headers have
 * their words in the first octet and the type of the next one in the last. 3GPP TS 29.281 5 */
bool decap_gtpu(ing_decap *d) {
  const ing_span *s = &d->rest;
  const uint8_t flags = ing_u8(s, 0);
  if ((flags & GTP_FORM) != GTP_VERSION) {
    return false;
  }
  if (ing_u8(s, 1) != GTP_PACKET) {
    return decap_refuse(d, INGEST_UNREAD_CONTROL, INGEST_LAYER_GTPU);
  }
  decap_lane(d, INGEST_LAYER_GTPU, ing_be32(s, 4));
  size_t header = GTP_HEADER + ((flags & GTP_FIELDS) != 0 ? GTP_FIELD : 0);
  uint8_t more = (flags & GTP_EXTENSION) != 0 ? ing_u8(s, header - 1) : 0;
  while (more != 0 && ing_u8(s, header) != 0) {
    header += ing_u8(s, header) * (size_t)GTP_WORD;
    more = ing_u8(s, header - 1);
  }
  return more == 0 && udp_ip_at(s, header) && decap_to(d, header, DECAP_FRAME, DECAP_FRAME_IP);
}

/* Flags and a nonce, and words that only the tunnel's ends read. RFC 9300 5.3 */
bool decap_lisp(ing_decap *d) {
  return udp_ip_at(&d->rest, LISP_HEADER) && decap_to(d, LISP_HEADER, DECAP_FRAME, DECAP_FRAME_IP);
}
