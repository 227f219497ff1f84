/* SPDX-License-Identifier: BSD-2-Clause */
/* PPP (RFC 1661) and PPPoE (RFC 2516). */
#include "decap.h"

enum { PPPOE_HEADER = 6, PPPOE_SESSION = 0x1100 };
enum { PPP_FRAMING = 0xff03 }; /* address and control of HDLC-like framing, RFC 1662 3.1 */

/* Version 1, type 1, code 0: a session. Discovery has an EtherType of its own. */
bool decap_pppoe(ing_decap *d) {
  if (d->rest.cap < PPPOE_HEADER || ing_be16(&d->rest, 0) != PPPOE_SESSION) {
    return false;
  }
  const size_t len = ing_be16(&d->rest, 4);
  decap_lane(d, INGEST_LAYER_PPPOE, ing_be16(&d->rest, 2));
  (void)decap_to(d, PPPOE_HEADER, DECAP_FRAME, DECAP_FRAME_PPP);
  if (len < d->rest.len) {
    ing_set_len(&d->rest, len); /* Ethernet pads short frames */
  }
  return true;
}

/* A protocol whose first octet is odd has one octet alone: compressed, RFC 1661 6.5. */
bool decap_ppp(ing_decap *d) {
  const size_t framing = ing_be16(&d->rest, 0) == PPP_FRAMING ? 2 : 0;
  const uint8_t first = ing_u8(&d->rest, framing);
  return (first & 1) != 0 ? decap_to(d, framing + 1, DECAP_PPP, first)
                          : decap_to(d, framing + 2, DECAP_PPP, ing_be16(&d->rest, framing));
}

/* The direction stands in front. */
bool decap_ppp_dir(ing_decap *d) {
  return decap_to(d, 1, DECAP_FRAME, DECAP_FRAME_PPP);
}
