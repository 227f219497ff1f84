/* SPDX-License-Identifier: BSD-2-Clause */
/* MPLS: a stack of labels, which does not say what it is in front of. */
#include "decap.h"

enum { MPLS_LABEL = 4, MPLS_BOTTOM = 2, MPLS_NUMBER = 12 };

/* Returns true if an IP packet of this version may begin there. */
static bool mpls_ip(const ing_span *s, size_t at, unsigned version) {
  const size_t header = version == 4 ? (ing_u8(s, at) & 15u) * (size_t)4 : 40;
  const size_t total = version == 4 ? ing_be16(s, at + 2) : 40 + (size_t)ing_be16(s, at + 4);
  return ing_u8(s, at) >> 4 == version && header >= 20 && total >= header && total <= s->len - at;
}

/* IP shows by its version: RFC 4928 3. */
bool decap_mpls(ing_decap *d) {
  const ing_span *s = &d->rest;
  size_t header = 0;
  do {
    decap_lane(d, INGEST_LAYER_MPLS, ing_be32(s, header) >> MPLS_NUMBER);
    header += MPLS_LABEL;
  } while (header < s->cap && (ing_u8(s, header - MPLS_BOTTOM) & 1) == 0);
  if (mpls_ip(s, header, 4)) {
    return decap_to(d, header, DECAP_ETHERTYPE, ING_ETHERTYPE_IPV4);
  }
  if (mpls_ip(s, header, 6)) {
    return decap_to(d, header, DECAP_ETHERTYPE, ING_ETHERTYPE_IPV6);
  }
  return decap_to(d, header, DECAP_FRAME, DECAP_FRAME_PSEUDOWIRE);
}
