/* SPDX-License-Identifier: BSD-2-Clause */
/* PPP (RFC 1661), PPPoE (RFC 2516) and L2TP (RFC 2661). */
#include "decap.h"

enum { PPPOE_HEADER = 6, PPPOE_SESSION = 0x1100 };
enum { PPP_FRAMING = 0xff03 }; /* address and control of HDLC-like framing, RFC 1662 3.1 */
enum { PPP_CISCO_UNICAST = 0x0f00, PPP_CISCO_MULTICAST = 0x8f00 };
enum { BCP_IDENTIFIER = 0x40, BCP_HEADER = 2, BCP_FIELD = 4, BCP_ETHERNET = 1 };
enum { L2TP_CONTROL = 0x8000, L2TP_LENGTH = 0x4000, L2TP_SEQUENCE = 0x0800 };
enum { L2TP_OFFSET = 0x0200, L2TP_VERSION = 0x000f, L2TP_HEADER = 6 };

/* Version 1, type 1, code 0: a session. Discovery has an EtherType of its own. */
bool decap_pppoe(ing_decap *d) {
  if (d->rest.cap < PPPOE_HEADER || decap_get16(d, 0, 0xffff) != PPPOE_SESSION) {
    return false;
  }
  const size_t len = decap_length(d, 4, PPPOE_HEADER, false);
  decap_lane(d, INGEST_LAYER_PPPOE, decap_get16(d, 2, 0xffff));
  (void)decap_to(d, PPPOE_HEADER, DECAP_FRAME, DECAP_FRAME_PPP);
  if (len < d->rest.len) {
    ing_set_len(&d->rest, len); /* Ethernet pads short frames */
  }
  return true;
}

/* A protocol whose first octet is odd has one octet alone: compressed, RFC 1661 6.5. */
bool decap_ppp(ing_decap *d) {
  const uint16_t begin = decap_get16(d, 0, 0xffff);
  if (begin == PPP_CISCO_UNICAST || begin == PPP_CISCO_MULTICAST) {
    return decap_chdlc(d); /* RFC 1547 4.3.1: no protocol of PPP */
  }
  const size_t framing = begin == PPP_FRAMING ? 2 : 0;
  const uint8_t first = decap_get8(d, framing, 0xff);
  return (first & 1) != 0 ? decap_to(d, framing + 1, DECAP_PPP, first)
                          : decap_to(d, framing + 2, DECAP_PPP, decap_get16(d, framing, 0xffff));
}

/* The direction stands in front. */
bool decap_ppp_dir(ing_decap *d) {
  return decap_to(d, 1, DECAP_FRAME, DECAP_FRAME_PPP);
}

/* Flags and the type of the frame, and an identifier of the LAN if a flag says so. RFC 3518 4.2 */
bool decap_bridged(ing_decap *d) {
  const size_t field = decap_get8(d, 0, BCP_IDENTIFIER) != 0 ? BCP_FIELD : 0;
  return decap_get8(d, 1, 0xff) == BCP_ETHERNET &&
         decap_to(d, BCP_HEADER + field, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* Version 2. Each flag adds a field; the offset says how many octets follow it. RFC 2661 3.1 */
bool decap_l2tp(ing_decap *d) {
  const uint16_t flags = decap_get16(d, 0, 0xffff);
  const size_t length = (flags & L2TP_LENGTH) != 0 ? 2 : 0;
  size_t header = L2TP_HEADER + length;
  if ((flags & L2TP_VERSION) != 2) {
    return false;
  }
  if ((flags & L2TP_CONTROL) != 0) {
    return decap_refuse(d, INGEST_UNREAD_CONTROL, INGEST_LAYER_L2TP);
  }
  decap_lane(d, INGEST_LAYER_L2TP, decap_get32(d, 2 + length, UINT32_MAX));
  header += (flags & L2TP_SEQUENCE) != 0 ? 4 : 0;
  header += (flags & L2TP_OFFSET) != 0 ? 2 + (size_t)decap_get16(d, header, 0xffff) : 0;
  return decap_to(d, header, DECAP_FRAME, DECAP_FRAME_PPP);
}
