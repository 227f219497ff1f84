/* SPDX-License-Identifier: BSD-2-Clause */
/* Tags of Ethernet frames. The EtherType of a tag is taken off already; the next one ends the tag.
 */
#include "decap.h"

#define TAG_SNAP 0xaaaa0300u /* and one octet more of the organization */

enum { TAG_VLAN = 0xfff, TAG_PBB_SERVICE = 0xffffff };
enum { TAG_SNAP_HEADER = 8 };
enum { TAG_CMD_WORD = 4, TAG_PBB_HEADER = 4 };

/* In place of the EtherType there is a length, and LLC follows. SNAP, with an organization of 0,
 * has an EtherType. RFC 1042 */
bool decap_snap(ing_decap *d) {
  return ing_be32(&d->rest, 0) == TAG_SNAP && ing_be16(&d->rest, 4) == 0 &&
         decap_to_type(d, TAG_SNAP_HEADER);
}

/* Two octets of priority and VLAN identifier, which is 0 where there is priority alone. IEEE 802.1Q
 * 9.6 */
bool decap_vlan(ing_decap *d) {
  const uint32_t vlan = ing_be16(&d->rest, 0) & TAG_VLAN;
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
  const size_t words = ing_u8(&d->rest, 1);
  return decap_to_type(d, 2 + words * TAG_CMD_WORD + 2);
}

/* Four octets of a timestamp. */
bool decap_ttag(ing_decap *d) {
  return decap_to_type(d, 6);
}

/* Four octets of flags and service identifier, and then the Ethernet frame of the customer. IEEE
 * 802.1ah 9.7 */
bool decap_pbb(ing_decap *d) {
  decap_lane(d, INGEST_LAYER_PBB, ing_be32(&d->rest, 0) & TAG_PBB_SERVICE);
  return decap_to(d, TAG_PBB_HEADER, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* Path, size and sequence number. IEC 62439-3 5.7 */
bool decap_hsr(ing_decap *d) {
  return decap_to_type(d, 6);
}
