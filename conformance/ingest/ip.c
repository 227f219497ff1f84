/* SPDX-License-Identifier: BSD-2-Clause */
/* IPv4 (RFC 791) and IPv6 (RFC 8200) headers down to the transport layer. */
#include <string.h>

#include "packet.h"

enum { IP_V4_MIN = 20, IP_V4_SUM = 10 }; /* a header without options; where its checksum is */

enum {
  NEXT_HOP_BY_HOP = 0,
  NEXT_ROUTING = 43,
  NEXT_FRAGMENT = 44,
  NEXT_AH = 51,
  NEXT_DESTINATION = 60,
  NEXT_MOBILITY = 135,
  NEXT_HIP = 139,
  NEXT_SHIM6 = 140
};

/* Loose and strict source routes: the header has the address of the next hop, RFC 791 3.1.
 */
static bool has_source_route(const ing_span *s, size_t header) {
  size_t at = 20;
  while (at < header) {
    uint8_t option = ing_u8(s, at);
    if (option == 131 || option == 137) {
      return true;
    }
    if (option == 0) {
      return false;
    }
    size_t step = option == 1 ? 1 : ing_u8(s, at + 1);
    at += step == 0 ? 1 : step;
  }
  return false;
}

bool ing_ip_damaged(const uint8_t *header, size_t len) {
  return ing_get16(header + IP_V4_SUM) != 0 && !ing_sum_right(ing_sum_add(0, header, len));
}

static bool open_v4(const ing_span *s, ing_ip *ip) {
  const uint8_t *p = ing_front(s, IP_V4_MIN);
  if (p == NULL || p[0] >> 4 != 4 || (p[0] & 15u) * 4u < IP_V4_MIN) {
    return false;
  }
  const size_t header = (p[0] & 15u) * 4u;
  const size_t total = ing_get16(p + 2);
  const uint16_t place = ing_get16(p + 6);
  ip->family = 4;
  memcpy(ip->src, p + 12, 4);
  memcpy(ip->dst, p + 16, 4);
  ip->next = p[9];
  ip->dst_routed = header > IP_V4_MIN && has_source_route(s, header);
  /* Segmentation offload fills the checksum in with the length. */
  ip->damaged = total != 0 && header <= s->cap && ing_ip_damaged(p, header);
  ip->more = (place & 0x2000) != 0;
  ip->offset = (uint32_t)(place & 0x1fff) * 8;
  ip->fragment = ip->more || ip->offset != 0;
  ip->id = ing_get16(p + 4);
  ip->body = *s;
  /* The total length rules: Ethernet pads short frames. 0 was captured before segmentation offload
   * filled it in. */
  ing_set_len(&ip->body, total != 0 ? total : s->len);
  return ing_skip(&ip->body, header);
}

/* Takes one extension header off; false when it is not all there. */
static bool step_v6(ing_ip *ip) {
  ing_span *s = &ip->body;
  size_t size = ((size_t)ing_u8(s, 1) + 1) * 8;
  switch (ip->next) {
  case NEXT_FRAGMENT:
    ip->more = (ing_be16(s, 2) & 1) != 0;
    ip->offset = ing_be16(s, 2) & 0xfff8u;
    ip->id = ing_be32(s, 4);
    ip->fragment = ip->more || ip->offset != 0;
    size = 8;
    break;
  case NEXT_ROUTING: ip->dst_routed = ip->dst_routed || ing_u8(s, 3) != 0; break;
  case NEXT_AH: size = ((size_t)ing_u8(s, 1) + 2) * 4; break;
  default: break;
  }
  ip->next = ing_u8(s, 0);
  return size <= s->cap && ing_skip(s, size);
}

static bool is_extension(uint8_t next) {
  switch (next) {
  case NEXT_HOP_BY_HOP:
  case NEXT_ROUTING:
  case NEXT_FRAGMENT:
  case NEXT_AH:
  case NEXT_DESTINATION:
  case NEXT_MOBILITY:
  case NEXT_HIP:
  case NEXT_SHIM6: return true;
  default: return false;
  }
}

bool ing_ip_resume(ing_ip *ip) {
  ip->fragment = false;
  while (ip->family == 6 && is_extension(ip->next)) {
    if (!step_v6(ip)) {
      return false;
    }
    if (ip->fragment) {
      return true;
    }
  }
  return true;
}

/* The length of a jumbogram, from its hop-by-hop header (RFC 2675); 0: the packet is no jumbogram.
 */
static size_t jumbo_length(const ing_span *s) {
  size_t end = 40 + ((size_t)ing_u8(s, 41) + 1) * 8;
  size_t at = 42;
  if (ing_u8(s, 6) != NEXT_HOP_BY_HOP || end > s->cap) {
    return 0;
  }
  while (at + 6 <= end) {
    if (ing_u8(s, at) == 0xc2) {
      return ing_be32(s, at + 2);
    }
    at += ing_u8(s, at) == 0 ? 1 : (size_t)ing_u8(s, at + 1) + 2;
  }
  return 0;
}

static bool open_v6(const ing_span *s, ing_ip *ip) {
  if (s->cap < 40 || ing_u8(s, 0) >> 4 != 6) {
    return false;
  }
  size_t length = ing_be16(s, 4);
  if (length == 0) {
    length = jumbo_length(s);
  }
  ip->family = 6;
  (void)ing_copy(s, 8, ip->src, sizeof ip->src);
  (void)ing_copy(s, 24, ip->dst, sizeof ip->dst);
  ip->next = ing_u8(s, 6);
  ip->body = *s;
  /* A length of 0 that is no jumbogram was captured before segmentation offload filled it in. */
  ing_set_len(&ip->body, length == 0 ? s->len : 40 + length);
  return ing_skip(&ip->body, 40) && ing_ip_resume(ip);
}

bool ing_ip_open(uint16_t ethertype, const ing_span *s, ing_ip *ip) {
  *ip = (ing_ip){.family = 0};
  return ethertype == ING_ETHERTYPE_IPV4 ? open_v4(s, ip) : open_v6(s, ip);
}
