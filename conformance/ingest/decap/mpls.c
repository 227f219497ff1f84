/* SPDX-License-Identifier: BSD-2-Clause */
/* MPLS: a stack of labels, which does not say what it is in front of. */
#include "decap.h"

enum { MPLS_LABEL = 4, MPLS_BOTTOM = 2, MPLS_NUMBER = 12 };
#define MPLS_DECIDES 0xfffff100u /* the number, and whether it is the last label */

/* Returns true if an IP packet of this version may begin there. */
static bool mpls_ip(ing_decap *d, size_t at, unsigned version) {
  const uint8_t first = decap_get8(d, at, 0xff);
  const size_t header = version == 4 ? (first & 15u) * (size_t)4 : 40;
  if (first >> 4 != version || header < 20) {
    return false;
  }
  const size_t total = version == 4 ? decap_length(d, at + 2, at, true)
                                    : 40 + decap_length(d, at + 4, at + 40, true);
  return total >= header && total <= d->rest.len - at;
}

/* IP shows by its version: RFC 4928 3. */
bool decap_mpls(ing_decap *d) {
  const ing_span *s = &d->rest;
  size_t header = 0;
  do {
    decap_lane(d, INGEST_LAYER_MPLS, decap_get32(d, header, MPLS_DECIDES) >> MPLS_NUMBER);
    header += MPLS_LABEL;
  } while (header < s->cap && (ing_u8(s, header - MPLS_BOTTOM) & 1) == 0);
  if (mpls_ip(d, header, 4)) {
    return decap_to(d, header, DECAP_ETHERTYPE, ING_ETHERTYPE_IPV4);
  }
  if (mpls_ip(d, header, 6)) {
    return decap_to(d, header, DECAP_ETHERTYPE, ING_ETHERTYPE_IPV6);
  }
  return decap_to(d, header, DECAP_FRAME, DECAP_FRAME_PSEUDOWIRE);
}
