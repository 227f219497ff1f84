/* SPDX-License-Identifier: BSD-2-Clause */
/* MPLS: a stack of labels, which does not say what it is in front of. */
#include "decap.h"

enum { MPLS_LABEL = 4, MPLS_BOTTOM = 2, MPLS_CONTROL_WORD = 4, MPLS_ETHERTYPE = 12 };

/* Returns true if an Ethernet frame that can be read may begin there. */
static bool mpls_ethernet(const ing_span *s, size_t at) {
  return decap_ethertype_known(ing_be16(s, at + MPLS_ETHERTYPE));
}

/* Returns true if an IP packet of this version may begin there. */
static bool mpls_ip(const ing_span *s, size_t at, unsigned version) {
  const size_t header = version == 4 ? (ing_u8(s, at) & 15u) * (size_t)4 : 40;
  const size_t total = version == 4 ? ing_be16(s, at + 2) : 40 + (size_t)ing_be16(s, at + 4);
  return ing_u8(s, at) >> 4 == version && header >= 20 && total >= header && total <= s->len - at;
}

/* RFC 4928 3: IP shows by its version. A control word begins with four bits of 0 (RFC 4385 3), and
 * so may the address of an Ethernet frame: an EtherType that is known decides. */
bool decap_mpls(ing_decap *d) {
  const ing_span *s = &d->rest;
  size_t header = 0;
  do {
    header += MPLS_LABEL;
  } while (header < s->cap && (ing_u8(s, header - MPLS_BOTTOM) & 1) == 0);
  if (mpls_ip(s, header, 4)) {
    return decap_to(d, header, DECAP_ETHERTYPE, ING_ETHERTYPE_IPV4);
  }
  if (mpls_ip(s, header, 6)) {
    return decap_to(d, header, DECAP_ETHERTYPE, ING_ETHERTYPE_IPV6);
  }
  if (!mpls_ethernet(s, header) && ing_u8(s, header) >> 4 == 0) {
    header += MPLS_CONTROL_WORD;
  }
  return mpls_ethernet(s, header) && decap_to(d, header, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}
