/* SPDX-License-Identifier: BSD-2-Clause */
/* Tunnels over UDP: VXLAN (RFC 7348), Geneve (RFC 8926), TZSP. */
#include "decap.h"

enum { UDP_HEADER = 8 };
enum { VXLAN_HEADER = 8, VXLAN_VALID = 0x08 };
enum { GENEVE_HEADER = 8, GENEVE_WORD = 4, GENEVE_TYPE = 2 };
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
