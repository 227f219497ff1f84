/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells a packet from a frame, and takes its headers off. */
#include "packet_frame.h"

#include <string.h>

#include <ingest/peek.h>
#include <iwarp/sctp.h>

enum {
  IP4_HEADER_MIN = 20,
  IP6_HEADER = 40,
  PROTO_TCP = 6,
  PROTO_SCTP = 132,
  ETHERNET_HEADER = 14,
  VLAN_TAG = 4,
  ETHERNET_TRAILER = 30 /* padding after the shortest IP packet, and the frame check sequence */
};

/* A link layer, where its payload begins, and how many octets may follow an IP packet in it. */
typedef struct link_layer {
  int type; /* LINKTYPE_ of captures */
  size_t header;
  size_t trailer;
} link_layer;

static const link_layer link_layers[] = {
    {101 /* RAW */, 0, 0},
    {1 /* ETHERNET */, ETHERNET_HEADER, ETHERNET_TRAILER},
    {113 /* LINUX_SLL */, 16, ETHERNET_TRAILER},
    {276 /* SLL2 */, 20, ETHERNET_TRAILER},
    {0 /* NULL */, 4, 0},
    {108 /* LOOP */, 4, 0},
};

/* What is seen of an IP header. */
typedef struct ip_header {
  bool present;   /* version and lengths are possible */
  bool transport; /* TCP or SCTP follows, or after extension headers may */
  bool sum_right;
  bool sum_absent; /* the checksum was left to the network card */
  size_t total;    /* octets of the packet, as the header says */
  size_t len;      /* octets from the header on */
} ip_header;

/* Returns true if the octets are a packet that carries a stream, or certainly a packet. */
typedef bool ip_test(const ip_header *ip, const link_layer *link);

static uint16_t be16(const uint8_t *p) {
  return (uint16_t)(p[0] << 8 | p[1]);
}

static bool ip4_sum_right(const uint8_t *p, size_t len) {
  uint32_t sum = 0;
  for (size_t i = 0; i < len; i += 2) {
    sum += be16(p + i);
  }
  sum = (sum & 0xFFFFu) + (sum >> 16);
  sum = (sum & 0xFFFFu) + (sum >> 16);
  return sum == 0xFFFFu;
}

static bool is_transport(uint8_t proto) {
  return proto == PROTO_TCP || proto == PROTO_SCTP;
}

/* Hop-by-Hop, Routing, Fragment and Destination Options may come first. RFC 8200 4 */
static bool is_ip6_next(uint8_t next) {
  return is_transport(next) || next == 0 || next == 43 || next == 44 || next == 60;
}

static ip_header ip4_read(const uint8_t *p, size_t len) {
  ip_header ip = {.len = len};
  const size_t header = (p[0] & 0x0Fu) * 4u;
  if (len < IP4_HEADER_MIN || header < IP4_HEADER_MIN || header > len || be16(p + 2) < header) {
    return ip;
  }
  ip.present = true;
  ip.transport = is_transport(p[9]);
  ip.sum_right = ip4_sum_right(p, header);
  ip.sum_absent = be16(p + 10) == 0;
  ip.total = be16(p + 2);
  return ip;
}

/* IPv6 has no checksum of its header. */
static ip_header ip6_read(const uint8_t *p, size_t len) {
  ip_header ip = {.len = len};
  if (len >= IP6_HEADER) {
    ip.present = true;
    ip.transport = is_ip6_next(p[6]);
    ip.sum_right = true;
    ip.total = IP6_HEADER + be16(p + 4);
  }
  return ip;
}

static ip_header ip_read(const uint8_t *p, size_t len) {
  switch (p[0] >> 4) {
  case 4: return ip4_read(p, len);
  case 6: return ip6_read(p, len);
  default: return (ip_header){.present = false};
  }
}

/* May be a packet that carries a stream: good enough where a dump of packets is expected. */
static bool ip_is_likely(const ip_header *ip, const link_layer *link) {
  (void)link;
  return ip->present && ip->transport && (ip->sum_right || ip->sum_absent);
}

/* Is a packet, whatever it carries: nothing of it is missing, and no octet but a trailer is left.
 */
static bool ip_is_certain(const ip_header *ip, const link_layer *link) {
  return ip->present && ip->sum_right && ip->total <= ip->len &&
         ip->len - ip->total <= link->trailer;
}

/* Offset of the payload of an Ethernet frame: after the tags, after the Ethertype. */
static size_t ethernet_payload(const uint8_t *p, size_t len) {
  size_t at = ETHERNET_HEADER;
  while (at <= len && (be16(p + at - 2) == 0x8100 || be16(p + at - 2) == 0x88A8)) {
    at += VLAN_TAG;
  }
  return at <= len ? at : len;
}

/* Offset of the IP header if the octets are of this link layer. */
static size_t ip_offset(const link_layer *link, const uint8_t *p, size_t len) {
  if (link->type != 1) {
    return link->header;
  }
  const size_t at = ethernet_payload(p, len);
  const uint16_t type = be16(p + at - 2);
  return type == 0x0800 || type == 0x86DD ? at : len;
}

static const link_layer *find_link(const uint8_t *p, size_t len, ip_test *test) {
  for (size_t i = 0; i < sizeof link_layers / sizeof link_layers[0]; i++) {
    const size_t at = link_layers[i].header <= len ? ip_offset(&link_layers[i], p, len) : len;
    const ip_header ip = at < len ? ip_read(p + at, len - at) : (ip_header){.present = false};
    if (test(&ip, &link_layers[i])) {
      return &link_layers[i];
    }
  }
  return NULL;
}

/* ARP over Ethernet for IPv4, which stands among the packets of many a capture. RFC 826 */
static bool is_arp(const uint8_t *p, size_t len) {
  static const uint8_t head[] = {0x08, 0x06, 0, 1, 0x08, 0, 6, 4};
  const size_t at = len >= ETHERNET_HEADER ? ethernet_payload(p, len) - 2 : len;
  return len - at >= sizeof head && memcmp(p + at, head, sizeof head) == 0;
}

/* SCTP says what it carries; some senders leave the number in their own byte order. */
static void layer_of_ppid(report_layer *layer, uint32_t ppid) {
  if (ppid == IWARP_SCTP_PPID_SEGMENT || ppid == IWARP_SCTP_PPID_SEGMENT << 24) {
    *layer = REPORT_LAYER_SCTP_SEGMENT;
  } else if (ppid == IWARP_SCTP_PPID_CONTROL || ppid == IWARP_SCTP_PPID_CONTROL << 24) {
    *layer = REPORT_LAYER_SCTP_CONTROL;
  }
}

/* What the packet carries after this link header. */
static packet_frame_result find_payload(iwarp_span *out, report_layer *layer,
                                        const link_layer *link, const uint8_t *octets, size_t len) {
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

packet_frame_result packet_frame_find(iwarp_span *out, report_layer *layer, const uint8_t *octets,
                                      size_t len) {
  const link_layer *link = find_link(octets, len, ip_is_likely);
  return link != NULL ? find_payload(out, layer, link, octets, len)
                      : packet_frame_certain(out, layer, octets, len);
}

packet_frame_result packet_frame_certain(iwarp_span *out, report_layer *layer,
                                         const uint8_t *octets, size_t len) {
  const link_layer *link = find_link(octets, len, ip_is_certain);
  if (link != NULL) {
    return find_payload(out, layer, link, octets, len);
  }
  return is_arp(octets, len) ? PACKET_FRAME_EMPTY : PACKET_FRAME_NO_PACKET;
}
