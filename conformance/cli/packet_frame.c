/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells a packet from a frame, and takes its headers off. */
#include "packet_frame.h"

#include <ingest/peek.h>
#include <iwarp/sctp.h>

enum {
  IP4_HEADER_MIN = 20,
  IP6_HEADER = 40,
  PROTO_TCP = 6,
  PROTO_SCTP = 132,
  ETHERTYPE_AT = 12,
  VLAN_TAG = 4
};

/* A link layer, and where its payload begins. */
typedef struct link_layer {
  int type; /* LINKTYPE_ of captures */
  size_t header;
} link_layer;

static const link_layer link_layers[] = {
    {101 /* RAW */, 0},   {1 /* ETHERNET */, 14}, {113 /* LINUX_SLL */, 16},
    {276 /* SLL2 */, 20}, {0 /* NULL */, 4},      {108 /* LOOP */, 4},
};

static uint16_t be16(const uint8_t *p) {
  return (uint16_t)(p[0] << 8 | p[1]);
}

/* The sum over an IPv4 header is right, or was left to the network card. */
static bool ip4_sum_right(const uint8_t *p, size_t len) {
  uint32_t sum = 0;
  for (size_t i = 0; i < len; i += 2) {
    sum += be16(p + i);
  }
  sum = (sum & 0xFFFFu) + (sum >> 16);
  sum = (sum & 0xFFFFu) + (sum >> 16);
  return sum == 0xFFFFu || be16(p + 10) == 0;
}

static bool is_transport(uint8_t proto) {
  return proto == PROTO_TCP || proto == PROTO_SCTP;
}

static bool is_ip4(const uint8_t *p, size_t len) {
  const size_t header = len > 0 ? (p[0] & 0x0Fu) * 4u : 0;
  return len >= IP4_HEADER_MIN && p[0] >> 4 == 4 && header >= IP4_HEADER_MIN && header <= len &&
         be16(p + 2) >= header && is_transport(p[9]) && ip4_sum_right(p, header);
}

/* Hop-by-Hop, Routing, Fragment and Destination Options may come first. RFC 8200 4 */
static bool is_ip6_next(uint8_t next) {
  return is_transport(next) || next == 0 || next == 43 || next == 44 || next == 60;
}

static bool is_ip6(const uint8_t *p, size_t len) {
  return len >= IP6_HEADER && p[0] >> 4 == 6 && is_ip6_next(p[6]);
}

/* Where IP begins if the octets are of this link layer. VLAN tags stand before the Ethertype. */
static size_t ip_offset(const link_layer *link, const uint8_t *p, size_t len) {
  size_t at = link->header;
  if (link->type != 1) {
    return at;
  }
  while (at <= len && (be16(p + at - 2) == 0x8100 || be16(p + at - 2) == 0x88A8)) {
    at += VLAN_TAG;
  }
  const uint16_t type = at <= len ? be16(p + at - 2) : 0;
  return type == 0x0800 || type == 0x86DD ? at : len;
}

static const link_layer *find_link(const uint8_t *p, size_t len) {
  for (size_t i = 0; i < sizeof link_layers / sizeof link_layers[0]; i++) {
    const size_t at = link_layers[i].header <= len ? ip_offset(&link_layers[i], p, len) : len;
    if (at < len && (is_ip4(p + at, len - at) || is_ip6(p + at, len - at))) {
      return &link_layers[i];
    }
  }
  return NULL;
}

/* SCTP says what it carries; some senders leave the number in their own byte order. */
static void layer_of_ppid(report_layer *layer, uint32_t ppid) {
  if (ppid == IWARP_SCTP_PPID_SEGMENT || ppid == IWARP_SCTP_PPID_SEGMENT << 24) {
    *layer = REPORT_LAYER_SCTP_SEGMENT;
  } else if (ppid == IWARP_SCTP_PPID_CONTROL || ppid == IWARP_SCTP_PPID_CONTROL << 24) {
    *layer = REPORT_LAYER_SCTP_CONTROL;
  }
}

packet_frame_result packet_frame_find(iwarp_span *out, report_layer *layer, const uint8_t *octets,
                                      size_t len) {
  const link_layer *link = find_link(octets, len);
  if (link == NULL) {
    return PACKET_FRAME_NO_PACKET;
  }
  ingest_payload p;
  const ingest_packet packet = {
      .data = octets, .caplen = len, .len = len, .link_type = link->type, .number = 1};
  if (ingest_peek(&p, &packet) != INGEST_PEEK_PAYLOAD) {
    return PACKET_FRAME_EMPTY;
  }
  if (p.sctp) {
    layer_of_ppid(layer, p.ppid);
  }
  *out = (iwarp_span){p.data, p.caplen};
  return PACKET_FRAME_FOUND;
}
