/* SPDX-License-Identifier: BSD-2-Clause */
/* Tags of Ethernet frames. The EtherType of a tag is taken off already; the next one ends the tag.
 */
#include "decap.h"

enum { TAG_VLAN = 0xfff, TAG_PBB_SERVICE = 0xffffff };
enum { TAG_SNAP_HEADER = 8, TAG_LLC_HEADER = 3 };
enum {
  TAG_BRIDGED = 0x00f8
};                           /* the other octets of an organization whose numbers are EtherTypes */
#define TAG_LLC_IP 0x060603u /* service access points of IP, and UI. RFC 1010 */
enum { TAG_ISL_HEADER = 26, TAG_ISL_VLAN = 20 };
enum { TAG_TRILL_HEADER = 6, TAG_NSH_HEADER = 8, TAG_NSH_NEXT = 3 };
enum {
  TAG_MACSEC_SCI = 0x20,
  TAG_MACSEC_HIDDEN = 0x0c,
  TAG_MACSEC_HEADER = 6,
  TAG_MACSEC_FIELD = 8
};
enum { TAG_CMD_WORD = 4, TAG_PBB_HEADER = 4 };

/* A length stands in place of the EtherType, and LLC follows. SNAP has an EtherType, with an
 * organization of 0 (RFC 1042) or, for bridges, 0x0000f8 (IEEE 802.1H). IP has a service access
 * point, too. */
bool decap_llc(ing_decap *d) {
  const uint32_t llc = decap_get32(d, 0, UINT32_MAX);
  const uint16_t organization = decap_get16(d, 4, 0xffff);
  if (llc == DECAP_SNAP && (organization == 0 || organization == TAG_BRIDGED)) {
    return decap_to_type(d, TAG_SNAP_HEADER);
  }
  if (llc >> 8 == TAG_LLC_IP) {
    return decap_to(d, TAG_LLC_HEADER, DECAP_FRAME, DECAP_FRAME_IP);
  }
  return decap_refuse(d, INGEST_UNREAD_LLC, llc >> 24);
}

/* Two octets of priority and VLAN identifier, which is 0 where there is priority alone. IEEE 802.1Q
 * 9.6 */
bool decap_vlan(ing_decap *d) {
  const uint32_t vlan = decap_get16(d, 0, TAG_VLAN);
  if (vlan != 0) {
    decap_lane(d, INGEST_LAYER_VLAN, vlan);
  }
  return decap_to_type(d, 4);
}

/* Six octets of identifiers. IEEE 802.1BR 7.5 */
bool decap_etag(ing_decap *d) {
  return decap_to_type(d, 8);
}

/* Four octets of interface identifiers. */
bool decap_vntag(ing_decap *d) {
  return decap_to_type(d, 6);
}

/* Version, length in words of four octets, and as many words of options. */
bool decap_cmd(ing_decap *d) {
  const size_t words = decap_get8(d, 1, 0xff);
  return decap_to_type(d, 2 + words * TAG_CMD_WORD + 2);
}

/* Four octets of a timestamp. */
bool decap_ttag(ing_decap *d) {
  return decap_to_type(d, 6);
}

/* Four octets of flags and service identifier, and then the Ethernet frame of the customer. IEEE
 * 802.1ah 9.7 */
bool decap_pbb(ing_decap *d) {
  decap_lane(d, INGEST_LAYER_PBB, decap_get32(d, 0, TAG_PBB_SERVICE));
  return decap_to(d, TAG_PBB_HEADER, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* Path, size and sequence number. IEC 62439-3 5.7 */
bool decap_hsr(ing_decap *d) {
  return decap_to_type(d, 6);
}

/* Two octets of 0 and a sequence number. IEEE 802.1CB 7.8 */
bool decap_rtag(ing_decap *d) {
  return decap_to_type(d, 6);
}

/* Flags, a short length and a number, and an identifier of the channel if a flag says so. Flags
 * show whether the rest is encrypted or changed; else the EtherType follows. IEEE 802.1AE 9.3 */
bool decap_macsec(ing_decap *d) {
  const uint8_t flags = decap_get8(d, 0, TAG_MACSEC_SCI | TAG_MACSEC_HIDDEN);
  if ((flags & TAG_MACSEC_HIDDEN) != 0) {
    return decap_refuse(d, INGEST_UNREAD_ETHERTYPE, ING_ETHERTYPE_MACSEC);
  }
  const size_t field = (flags & TAG_MACSEC_SCI) != 0 ? TAG_MACSEC_FIELD : 0;
  return decap_to_type(d, TAG_MACSEC_HEADER + field + 2);
}

/* Addresses, a length, LLC, and the VLAN before one bit; then an Ethernet frame. */
bool decap_isl(ing_decap *d) {
  decap_lane(d, INGEST_LAYER_VLAN, decap_get16(d, TAG_ISL_VLAN, 0xfffe) >> 1);
  return decap_to(d, TAG_ISL_HEADER, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* Five bits count the words of options; names of two switches. RFC 6325 3 */
bool decap_trill(ing_decap *d) {
  const uint16_t first = decap_get16(d, 0, 0xffff);
  const size_t options = (first >> 6 & 0x1fu) * (size_t)4;
  return first >> 14 == 0 &&
         decap_to(d, TAG_TRILL_HEADER + options, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* Version 0; six bits count the words of the header. RFC 8300 2.2 */
bool decap_nsh(ing_decap *d) {
  const uint16_t first = decap_get16(d, 0, 0xffff);
  const size_t header = (first & 0x3fu) * (size_t)4;
  return first >> 14 == 0 && header >= TAG_NSH_HEADER &&
         decap_to(d, header, DECAP_NEXT, decap_get8(d, TAG_NSH_NEXT, 0xff));
}
