/* SPDX-License-Identifier: BSD-2-Clause */
/* Link layers: Ethernet, Linux cooked v1 and v2, raw IP, null and loopback. */
#include "packet.h"

typedef enum link_kind {
  LINK_NONE = 0,
  LINK_ETHERNET,
  LINK_COOKED,
  LINK_COOKED2,
  LINK_RAW,
  LINK_LOOPBACK
} link_kind;

/* LINKTYPE_ values of capture files, and the DLT_ values that libpcap gives for the same. */
static const struct {
  int type;
  link_kind kind;
} link_types[] = {
    {0, LINK_LOOPBACK},   /* NULL: address family in the byte order of the capturing machine */
    {1, LINK_ETHERNET},   /* EN10MB */
    {12, LINK_RAW},       /* DLT_RAW of most systems */
    {14, LINK_RAW},       /* DLT_RAW of OpenBSD */
    {101, LINK_RAW},      /* LINKTYPE_RAW */
    {108, LINK_LOOPBACK}, /* LOOP: address family in network byte order */
    {113, LINK_COOKED},   /* LINUX_SLL */
    {228, LINK_RAW},      /* IPV4 */
    {229, LINK_RAW},      /* IPV6 */
    {276, LINK_COOKED2},  /* LINUX_SLL2 */
};

static link_kind kind_of(int link_type) {
  for (size_t i = 0; i < sizeof link_types / sizeof link_types[0]; i++) {
    if (link_types[i].type == link_type) {
      return link_types[i].kind;
    }
  }
  return LINK_NONE;
}

bool ingest_link_known(int link_type) {
  return kind_of(link_type) != LINK_NONE;
}

/* A header of `size` octets with the EtherType at `at`, then any stack of VLAN tags. */
static bool open_ethertype(ing_span *s, size_t size, size_t at, uint16_t *ethertype) {
  const uint8_t *p = ing_front(s, size);
  if (p == NULL) {
    return false;
  }
  uint16_t type = ing_get16(p + at);
  (void)ing_skip(s, size);
  while (type == 0x8100 || type == 0x88a8 || type == 0x9100) {
    if (s->cap < 4) {
      return false;
    }
    type = ing_be16(s, 2);
    (void)ing_skip(s, 4);
  }
  *ethertype = type;
  return type == ING_ETHERTYPE_IPV4 || type == ING_ETHERTYPE_IPV6;
}

static bool open_raw(const ing_span *s, uint16_t *ethertype) {
  uint8_t version = ing_u8(s, 0) >> 4;
  *ethertype = version == 6 ? ING_ETHERTYPE_IPV6 : ING_ETHERTYPE_IPV4;
  return version == 4 || version == 6;
}

static bool open_loopback(ing_span *s, uint16_t *ethertype) {
  uint32_t family = ing_be32(s, 0);
  if ((family & 0xffffff) == 0) {
    family >>= 24; /* in the other byte order */
  }
  if (s->cap < 4) {
    return false;
  }
  (void)ing_skip(s, 4);
  switch (family) {
  case 2: *ethertype = ING_ETHERTYPE_IPV4; return true;
  case 10: /* AF_INET6 of Linux */
  case 23: /* Windows */
  case 24: /* NetBSD, OpenBSD */
  case 28: /* FreeBSD */
  case 30: /* Darwin */ *ethertype = ING_ETHERTYPE_IPV6; return true;
  default: return false;
  }
}

bool ing_link_open(int link_type, ing_span *s, uint16_t *ethertype) {
  switch (kind_of(link_type)) {
  case LINK_ETHERNET: return open_ethertype(s, 14, 12, ethertype);
  case LINK_COOKED: return open_ethertype(s, 16, 14, ethertype);
  case LINK_COOKED2: return open_ethertype(s, 20, 0, ethertype);
  case LINK_RAW: return open_raw(s, ethertype);
  case LINK_LOOPBACK: return open_loopback(s, ethertype);
  case LINK_NONE: break;
  }
  return false;
}
