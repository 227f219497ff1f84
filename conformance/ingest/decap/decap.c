/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What follows what. Each header is a row of a table: the number that names it in the header before
 * it, the layer that it counts as, and the function that takes it off. A packet has at most
 * INGEST_LAYERS_MAX layers and DECAP_HEADERS_MAX headers. So the work for a packet is bounded.
 */
#include "decap.h"

#define DECAP_PLAIN INGEST_LAYERS /* a header that is no layer */

/* LINKTYPE_ values of capture files, and the DLT_ values that libpcap gives for the same. */
static const decap_row decap_links[] = {
    {1, DECAP_PLAIN, decap_ethernet},   /* EN10MB */
    {113, DECAP_PLAIN, decap_cooked},   /* LINUX_SLL */
    {276, DECAP_PLAIN, decap_cooked2},  /* LINUX_SLL2 */
    {12, DECAP_PLAIN, decap_raw},       /* DLT_RAW of most systems */
    {14, DECAP_PLAIN, decap_raw},       /* DLT_RAW of OpenBSD */
    {101, DECAP_PLAIN, decap_raw},      /* LINKTYPE_RAW */
    {228, DECAP_PLAIN, decap_raw},      /* IPV4 */
    {229, DECAP_PLAIN, decap_raw},      /* IPV6 */
    {0, DECAP_PLAIN, decap_loopback},   /* NULL: in the byte order of the capturing machine */
    {108, DECAP_PLAIN, decap_loopback}, /* LOOP: in network byte order */
    {9, INGEST_LAYER_PPP, decap_ppp},      {50, INGEST_LAYER_PPP, decap_ppp}, /* PPP_HDLC */
    {51, INGEST_LAYER_PPPOE, decap_pppoe},                                    /* PPP_ETHER */
    {204, DECAP_PLAIN, decap_ppp_dir},                                        /* PPP_WITH_DIR */
    {197, INGEST_LAYER_ERF, decap_erf},    {239, INGEST_LAYER_NFLOG, decap_nflog},
    {104, DECAP_PLAIN, decap_chdlc}, /* C_HDLC */
    {109, DECAP_PLAIN, decap_enc},   /* ENC, of OpenBSD */
    {117, DECAP_PLAIN, decap_pflog}, /* PFLOG */
    {192, DECAP_PLAIN, decap_ppi},   /* PPI */
    {242, DECAP_PLAIN, decap_ipoib}, /* IPOIB */
};

_Static_assert(sizeof decap_links / sizeof decap_links[0] <= INGEST_LINKS_MAX, "link types");
_Static_assert(INGEST_LAYERS <= 32, "a bit for each layer");

static const decap_row decap_ethertypes[] = {
    {ING_ETHERTYPE_IPV4, DECAP_PLAIN, decap_ip4},
    {ING_ETHERTYPE_IPV6, DECAP_PLAIN, decap_ip6},
    {0x8100, INGEST_LAYER_VLAN, decap_vlan},
    {0x88a8, INGEST_LAYER_VLAN, decap_vlan},
    {0x9100, INGEST_LAYER_VLAN, decap_vlan},
    {0x9200, INGEST_LAYER_VLAN, decap_vlan},
    {0x893f, INGEST_LAYER_ETAG, decap_etag},
    {0x8926, INGEST_LAYER_VNTAG, decap_vntag},
    {0x8909, INGEST_LAYER_CMD, decap_cmd},
    {0x8988, INGEST_LAYER_TTAG, decap_ttag},
    {0x88e7, INGEST_LAYER_PBB, decap_pbb},
    {0x892f, INGEST_LAYER_HSR, decap_hsr},
    {0xf1c1, INGEST_LAYER_RTAG, decap_rtag},
    {0x88e5, INGEST_LAYER_MACSEC, decap_macsec},
    {0x22f3, INGEST_LAYER_TRILL, decap_trill},
    {0x894f, INGEST_LAYER_NSH, decap_nsh},
    {0x8870, DECAP_PLAIN, decap_llc}, /* LLC in frames that are too long for a length */
    {0x8847, INGEST_LAYER_MPLS, decap_mpls},
    {0x8848, INGEST_LAYER_MPLS, decap_mpls},
    {0x8864, INGEST_LAYER_PPPOE, decap_pppoe},
    {0x6558, DECAP_PLAIN, decap_ethernet}, /* Transparent Ethernet Bridging, in GRE and Geneve */
    {0x88be, INGEST_LAYER_ERSPAN, decap_erspan2},
    {0x22eb, INGEST_LAYER_ERSPAN, decap_erspan3},
    {0x880b, INGEST_LAYER_PPP, decap_ppp}, /* the type is used in GRE: RFC 2637 */
    {0x883e, DECAP_PLAIN, decap_wccp},     /* the type is used in GRE */
};

static const decap_row decap_protocols[] = {
    {ING_PROTO_TCP, DECAP_PLAIN, NULL},
    {ING_PROTO_SCTP, DECAP_PLAIN, NULL},
    {ING_PROTO_UDP, DECAP_PLAIN, decap_udp},
    {4, INGEST_LAYER_IPIP, decap_ip4},
    {41, INGEST_LAYER_IPIP, decap_ip6},
    {47, INGEST_LAYER_GRE, decap_gre},
    {51, DECAP_PLAIN, decap_ah},
    {97, INGEST_LAYER_ETHERIP, decap_etherip},
    {137, INGEST_LAYER_MPLS, decap_mpls},
    {143, INGEST_LAYER_ETHERIP, decap_ethernet},
};

static const decap_row decap_ports[] = {
    {4789, INGEST_LAYER_VXLAN, decap_vxlan}, {6081, INGEST_LAYER_GENEVE, decap_geneve},
    {37008, INGEST_LAYER_TZSP, decap_tzsp},  {4790, INGEST_LAYER_GPE, decap_gpe},
    {2152, INGEST_LAYER_GTPU, decap_gtpu},   {1701, INGEST_LAYER_L2TP, decap_l2tp},
    {4341, INGEST_LAYER_LISP, decap_lisp},   {4754, INGEST_LAYER_GRE, decap_gre}, /* RFC 8086 */
    {6635, INGEST_LAYER_MPLS, decap_mpls},                                        /* RFC 7510 */
};

static const decap_row decap_ppps[] = {
    {0x0021, DECAP_PLAIN, decap_ip4},        {0x0057, DECAP_PLAIN, decap_ip6},
    {0x0031, DECAP_PLAIN, decap_bridged},    {0x0281, INGEST_LAYER_MPLS, decap_mpls},
    {0x0283, INGEST_LAYER_MPLS, decap_mpls},
};

static const decap_row decap_nexts[] = {
    {1, DECAP_PLAIN, decap_ip4},        {2, DECAP_PLAIN, decap_ip6},
    {3, DECAP_PLAIN, decap_ethernet},   {4, INGEST_LAYER_NSH, decap_nsh},
    {5, INGEST_LAYER_MPLS, decap_mpls},
};

static const decap_row decap_frames[] = {
    {DECAP_FRAME_ETHERNET, DECAP_PLAIN, decap_ethernet},
    {DECAP_FRAME_PPP, INGEST_LAYER_PPP, decap_ppp},
    {DECAP_FRAME_IP, DECAP_PLAIN, decap_raw},
    {DECAP_FRAME_PSEUDOWIRE, DECAP_PLAIN, decap_pseudowire},
    {DECAP_FRAME_ISL, INGEST_LAYER_ISL, decap_isl},
};

#define DECAP_TABLE(rows)                                                                          \
  { rows, sizeof(rows) / sizeof(rows)[0] }

static const struct {
  const decap_row *row;
  size_t num;
} decap_tables[DECAP_SPACES] = {
    [DECAP_LINK] = DECAP_TABLE(decap_links),
    [DECAP_ETHERTYPE] = DECAP_TABLE(decap_ethertypes),
    [DECAP_PROTOCOL] = DECAP_TABLE(decap_protocols),
    [DECAP_PORT] = DECAP_TABLE(decap_ports),
    [DECAP_PPP] = DECAP_TABLE(decap_ppps),
    [DECAP_NEXT] = DECAP_TABLE(decap_nexts),
    [DECAP_FRAME] = DECAP_TABLE(decap_frames),
};

/* EtherTypes above the lengths of IEEE 802.3 that hold no IP: ARP, Wake-on-LAN, RARP, flow control,
 * slow protocols, PPPoE discovery, EAPOL, LLDP, PTP, CFM, FCoE, FIP, RoCE, loopback. */
static const uint16_t decap_ethertypes_empty[] = {0x0806, 0x0842, 0x8035, 0x8808, 0x8809,
                                                  0x8863, 0x888e, 0x88cc, 0x88f7, 0x8902,
                                                  0x8906, 0x8914, 0x8915, 0x9000};

/* Protocols of IP that encrypt or wrap and are not read: ESP, IPComp, L2TP. */
static const uint16_t decap_protocols_closed[] = {50, 108, 115};

/* Ports of UDP of tunnels that are not read: Teredo, ESP, CAPWAP, VXLAN as Linux had it first,
 * WireGuard. */
static const uint16_t decap_ports_closed[] = {3544, 4500, 5247, 8472, 51820};

enum { DECAP_ETHERTYPE_AT = 12, DECAP_CONTROL_WORD = 4 };
enum { IP6_HEADER = 40 };
#define IP4_DECIDES 0x3fff00ffu /* fragment and protocol, without "don't fragment" and the TTL */
enum { DECAP_ETHERNET_HEADER = 14, DECAP_PPP_CONTROL = 0x4000 }; /* RFC 1661 2 */

/* ---- the tables ---- */

static const decap_row *decap_find(decap_space space, uint32_t number) {
  static const decap_row llc = {0, DECAP_PLAIN, decap_llc};
  const decap_row *row = decap_tables[space].row;
  for (size_t i = 0; i < decap_tables[space].num; i++) {
    if (row[i].number == number) {
      return &row[i];
    }
  }
  return space == DECAP_ETHERTYPE && number <= DECAP_LENGTH_MAX ? &llc : NULL;
}

/* The tunnel of a port: what the caller named counts first. */
static const decap_row *decap_port(const ing_decap *d, uint32_t port) {
  const ingest_layer named = ing_decap_named_layer(d, port);
  for (size_t i = 0; named != INGEST_LAYERS && i < sizeof decap_ports / sizeof decap_ports[0];
       i++) {
    if (decap_ports[i].layer == named) {
      return &decap_ports[i];
    }
  }
  return decap_find(DECAP_PORT, port);
}

bool ingest_link_known(int link_type) {
  return link_type >= 0 && decap_find(DECAP_LINK, (uint32_t)link_type) != NULL;
}

bool ing_decap_tunnel(uint8_t protocol) {
  const decap_row *row = decap_find(DECAP_PROTOCOL, protocol);
  return row != NULL && row->open != NULL;
}

/* ---- IP ---- */

/* Notes the octets of an IP header that decide on the walk. A header with options, or that does not
 * tell the length of the packet, has no path. */
static void decap_note_ip(ing_decap *d) {
  const size_t header = (size_t)(d->ip.body.data - d->header);
  if (d->ip.family == 4 && header == DECAP_IP4_HEADER && decap_length(d, 2, 0, false) != 0) {
    (void)decap_get8(d, 0, 0xff);
    (void)decap_get32(d, 6, IP4_DECIDES);
  } else if (d->ip.family == 6 && header == IP6_HEADER &&
             decap_length(d, 4, IP6_HEADER, false) != 0) {
    (void)decap_get8(d, 0, 0xf0);
    (void)decap_get8(d, 6, 0xff);
  } else {
    decap_no_path(d);
  }
}

static bool decap_ip(ing_decap *d, uint16_t ethertype) {
  d->header = d->rest.data;
  if (!ing_ip_open(ethertype, &d->rest, &d->ip)) {
    return false;
  }
  decap_note_ip(d);
  d->rest = d->ip.body;
  return decap_to(d, 0, DECAP_PROTOCOL, d->ip.next);
}

bool decap_ip4(ing_decap *d) {
  return decap_ip(d, ING_ETHERTYPE_IPV4);
}

bool decap_ip6(ing_decap *d) {
  const bool in_ip4 = d->space == DECAP_PROTOCOL && d->ip.family == 4;
  if (in_ip4) {
    d->layer[d->num_layers - 1u] = INGEST_LAYER_6IN4;
  }
  return decap_ip(d, ING_ETHERTYPE_IPV6);
}

/* The Authentication Header over IPv4; over IPv6 it is an extension header. RFC 4302 2 */
bool decap_ah(ing_decap *d) {
  const size_t words = decap_get8(d, 1, 0xff);
  return decap_to(d, (words + 2) * 4, DECAP_PROTOCOL, decap_get8(d, 0, 0xff));
}

/* ---- the walk ---- */

static bool decap_in16(const uint16_t *list, size_t num, uint32_t number) {
  size_t i = 0;
  while (i < num && list[i] != number) {
    i++;
  }
  return i < num;
}

#define DECAP_IN16(list, number) decap_in16(list, sizeof(list) / sizeof(list)[0], number)

/* Returns true if an Ethernet frame may begin there, by its EtherType or by LLC with SNAP. */
static bool decap_frame_at(ing_decap *d, size_t at) {
  const uint16_t type = decap_get16(d, at + DECAP_ETHERTYPE_AT, 0xffff);
  return type > DECAP_LENGTH_MAX
             ? decap_find(DECAP_ETHERTYPE, type) != NULL || DECAP_IN16(decap_ethertypes_empty, type)
             : decap_get32(d, at + DECAP_ETHERNET_HEADER, UINT32_MAX) == DECAP_SNAP;
}

/* An Ethernet frame, with a control word in front or without. A control word begins with four bits
 * of 0 (RFC 4385 3), and so may the address of a frame: an EtherType that is known decides. */
bool decap_pseudowire(ing_decap *d) {
  const bool bare = decap_frame_at(d, 0);
  const bool control =
      !bare && decap_get8(d, 0, 0xf0) == 0 && decap_frame_at(d, DECAP_CONTROL_WORD);
  if (!bare && !control) {
    return decap_refuse(d, INGEST_UNREAD_LAYER, INGEST_LAYER_MPLS);
  }
  return decap_to(d, control ? DECAP_CONTROL_WORD : 0, DECAP_FRAME, DECAP_FRAME_ETHERNET);
}

/* The end of a packet that is not looked into. */
static decap_end decap_unread(ing_decap *d, ingest_unread_kind kind, uint32_t number) {
  (void)decap_refuse(d, kind, number);
  return ingest_unread_hides(kind) ? DECAP_UNREAD : DECAP_NOTHING;
}

bool ing_decap_port(uint16_t port) {
  return decap_find(DECAP_PORT, port) != NULL || DECAP_IN16(decap_ports_closed, port);
}

/* What a number that no row has says of the packet. */
static ingest_unread_kind decap_kind(const ing_decap *d) {
  switch (d->space) {
  case DECAP_ETHERTYPE:
    return DECAP_IN16(decap_ethertypes_empty, d->number) ? INGEST_UNREAD_EMPTY_ETHERTYPE
                                                         : INGEST_UNREAD_ETHERTYPE;
  case DECAP_PROTOCOL:
    return DECAP_IN16(decap_protocols_closed, d->number) ? INGEST_UNREAD_PROTOCOL
                                                         : INGEST_UNREAD_EMPTY_PROTOCOL;
  case DECAP_PORT:
    return DECAP_IN16(decap_ports_closed, d->number) ? INGEST_UNREAD_PORT : INGEST_UNREAD_UDP;
  case DECAP_PPP:
    return d->number < DECAP_PPP_CONTROL ? INGEST_UNREAD_PPP : INGEST_UNREAD_PPP_CONTROL;
  case DECAP_NEXT: return INGEST_UNREAD_LAYER;
  case DECAP_LINK:
  case DECAP_FRAME:
  case DECAP_SPACES: break;
  }
  return INGEST_UNREAD_LINK;
}

static decap_end decap_unknown(ing_decap *d) {
  const ingest_unread_kind kind = decap_kind(d);
  const uint32_t number = kind == INGEST_UNREAD_LAYER ? d->layer[d->num_layers - 1u] : d->number;
  return decap_unread(d, kind, number);
}

/* What a header says of the packet that could not be taken off. */
static decap_end decap_refused(ing_decap *d, const decap_row *row) {
  if (d->kind != INGEST_UNREAD_KINDS) {
    return decap_unread(d, d->kind, d->number); /* the header says so */
  }
  return row->layer != DECAP_PLAIN
             ? decap_unread(d, INGEST_UNREAD_LAYER, d->layer[d->num_layers - 1u])
             : decap_unread(d, INGEST_UNREAD_HEADER, 0);
}

decap_end ing_decap_nested(ing_decap *d) {
  return decap_unread(d, INGEST_UNREAD_FRAGMENTS, 0);
}

/* The first fragment shows whether the port of UDP belongs to a tunnel. */
static decap_end decap_fragment(ing_decap *d) {
  const uint32_t port = ing_be16(&d->rest, 2);
  const bool shows = d->number == ING_PROTO_UDP && d->ip.offset == 0;
  if (!shows || decap_port(d, port) != NULL || ing_decap_named(d, ing_be16(&d->rest, 0))) {
    return DECAP_FRAGMENT;
  }
  d->space = DECAP_PORT;
  d->number = port;
  d->udp_from = ing_be16(&d->rest, 0);
  return decap_unknown(d);
}

/* Takes one header off. Returns false at the end of the walk, of which *end says what it is. */
static inline bool decap_step(ing_decap *d, const decap_row **header, decap_end *end) {
  const decap_row *row =
      d->space == DECAP_PORT ? decap_port(d, d->number) : decap_find(d->space, d->number);
  *header = NULL;
  if (d->space == DECAP_PROTOCOL && d->ip.fragment && (row != NULL || d->ip.family == 6)) {
    *end = decap_fragment(d); /* over IPv6 an extension header may follow */
    return false;
  }
  if (row == NULL) {
    *end = decap_unknown(d);
    return false;
  }
  if (row->open == NULL) {
    d->ip.next = (uint8_t)d->number;
    d->ip.body = d->rest;
    *end = DECAP_TRANSPORT;
    return false;
  }
  if (row->layer != DECAP_PLAIN) {
    if (d->num_layers == INGEST_LAYERS_MAX) {
      *end = decap_unread(d, INGEST_UNREAD_DEPTH, 0);
      return false;
    }
    d->layer[d->num_layers++] = (uint8_t)row->layer;
  }
  if (d->num_headers++ == DECAP_HEADERS_MAX) {
    *end = decap_unread(d, INGEST_UNREAD_DEPTH, 0);
    return false;
  }
  *header = row;
  if (row->open(d)) {
    return true;
  }
  *end = decap_refused(d, row);
  return false;
}

static decap_end decap_walk(ing_decap *d) {
  const decap_row *row;
  decap_end end;
  while (decap_step(d, &row, &end)) {
  }
  return end;
}

static void decap_begin(ing_decap *d, const ingest_packet *pkt) {
  const size_t len = pkt->len < pkt->caplen ? pkt->caplen : pkt->len;
  d->rest = (ing_span){.data = pkt->data, .cap = pkt->caplen, .len = len};
  d->space = DECAP_LINK;
  d->number = (uint32_t)pkt->link_type;
  d->kind = INGEST_UNREAD_KINDS;
  d->num_headers = 0;
  d->num_layers = 0;
  d->tunnels = pkt->tunnels;
  d->lane = 0;
  d->ip.family = 0;
  d->begin = pkt->data;
  d->path = NULL;
}

decap_end ing_decap_open(ing_decap *d, const ingest_packet *pkt) {
  decap_begin(d, pkt);
  return decap_walk(d);
}

decap_end ing_decap_learn(ing_decap *d, const ingest_packet *pkt, decap_path *path) {
  decap_begin(d, pkt);
  ing_path_begin(path);
  d->path = path;
  const decap_end end = decap_walk(d);
  d->path = NULL;
  ing_path_end(path, pkt, d, end == DECAP_TRANSPORT);
  return end;
}

/* Goes on with the packet that `ip` was put together to. */
static bool decap_continue(ing_decap *d) {
  if (!ing_ip_resume(&d->ip)) {
    return false;
  }
  d->rest = d->ip.body;
  d->space = DECAP_PROTOCOL;
  d->number = d->ip.next;
  d->num_headers = 0;
  return true;
}

decap_end ing_decap_resume(ing_decap *d) {
  return decap_continue(d) ? decap_walk(d) : DECAP_NOTHING;
}

/* ---- the walk, with the headers that it takes off ---- */

static decap_end decap_note_walk(ing_decap *d, decap_trace *t) {
  const decap_row *row;
  decap_end end;
  for (bool more = true; more;) {
    const ing_span before = d->rest;
    more = decap_step(d, &row, &end);
    if (more) {
      t->header[t->num++] = (decap_header){.open = row->open,
                                           .span = before,
                                           .len = (size_t)(d->rest.data - before.data),
                                           .ip = d->ip};
    }
  }
  return end;
}

decap_end ing_decap_trace(ing_decap *d, const ingest_packet *pkt, decap_trace *t) {
  t->num = 0;
  decap_begin(d, pkt);
  return decap_note_walk(d, t);
}

decap_end ing_decap_trace_on(ing_decap *d, decap_trace *t) {
  t->num = 0;
  return decap_continue(d) ? decap_note_walk(d, t) : DECAP_NOTHING;
}

/* ---- counts ---- */

/* Packets of UDP share a line. */
static ingest_unread *decap_line(ingest_unread_list *list, ingest_unread_kind kind,
                                 uint32_t number) {
  for (size_t i = 0; i < list->num; i++) {
    if (list->line[i].kind == kind &&
        (list->line[i].number == number || kind == INGEST_UNREAD_UDP)) {
      return &list->line[i];
    }
  }
  if (list->num == INGEST_UNREAD_MAX) {
    return &list->more;
  }
  ingest_unread *line = &list->line[list->num++];
  *line = (ingest_unread){.kind = kind, .number = number};
  return line;
}

/* Adds packets to the line, which keeps the number of its first packet. */
static void decap_note(ingest_unread *line, const ingest_unread *packets) {
  if (line->packets == 0 || packets->first < line->first) {
    line->first = packets->first;
    line->number = packets->number;
  }
  line->packets += packets->packets;
}

static void decap_list_add(ingest_unread_list *into, const ingest_unread_list *from) {
  for (size_t i = 0; i < from->num; i++) {
    decap_note(decap_line(into, from->line[i].kind, from->line[i].number), &from->line[i]);
  }
  if (from->more.packets > 0) {
    decap_note(&into->more, &from->more);
  }
}

static void decap_list_count(ingest_encap *counts, const ing_decap *d, uint64_t packet) {
  ingest_unread_list *list = ingest_unread_hides(d->kind) ? &counts->hiding : &counts->empty;
  const bool udp = d->kind == INGEST_UNREAD_UDP;
  const uint32_t number = udp && d->udp_from < d->number ? d->udp_from : d->number;
  const ingest_unread one = {.kind = d->kind, .number = number, .packets = 1, .first = packet};
  decap_note(decap_line(list, d->kind, number), &one);
}

void ing_decap_count(ingest_encap *counts, const ing_decap *d, decap_end end, uint64_t packet) {
  uint32_t seen = 0; /* a packet with two VLAN tags counts once */
  for (size_t i = 0; i < d->num_layers; i++) {
    const uint32_t bit = UINT32_C(1) << d->layer[i];
    counts->packets[d->layer[i]] += (seen & bit) == 0;
    seen |= bit;
  }
  if (decap_roce(d, end)) {
    decap_roce_count(counts, d, packet);
  } else if (end == DECAP_UNREAD || end == DECAP_NOTHING) {
    decap_list_count(counts, d, packet);
  }
}

void ingest_encap_add(ingest_encap *into, const ingest_encap *from) {
  for (size_t i = 0; i < INGEST_LAYERS; i++) {
    into->packets[i] += from->packets[i];
  }
  decap_list_add(&into->hiding, &from->hiding);
  decap_list_add(&into->empty, &from->empty);
  for (size_t i = 0; i < from->num_roce; i++) {
    decap_roce_add(into, &from->roce[i]);
  }
}

const char *ingest_layer_name(ingest_layer layer) {
  static const char *const names[] = {
      [INGEST_LAYER_VLAN] = "vlan",       [INGEST_LAYER_ETAG] = "802.1br",
      [INGEST_LAYER_VNTAG] = "vn-tag",    [INGEST_LAYER_CMD] = "cmd",
      [INGEST_LAYER_TTAG] = "ttag",       [INGEST_LAYER_PBB] = "pbb",
      [INGEST_LAYER_HSR] = "hsr",         [INGEST_LAYER_MPLS] = "mpls",
      [INGEST_LAYER_PPPOE] = "pppoe",     [INGEST_LAYER_PPP] = "ppp",
      [INGEST_LAYER_ERF] = "erf",         [INGEST_LAYER_NFLOG] = "nflog",
      [INGEST_LAYER_IPIP] = "ipip",       [INGEST_LAYER_6IN4] = "6in4",
      [INGEST_LAYER_GRE] = "gre",         [INGEST_LAYER_ERSPAN] = "erspan",
      [INGEST_LAYER_VXLAN] = "vxlan",     [INGEST_LAYER_GENEVE] = "geneve",
      [INGEST_LAYER_TZSP] = "tzsp",       [INGEST_LAYER_RTAG] = "r-tag",
      [INGEST_LAYER_MACSEC] = "macsec",   [INGEST_LAYER_ISL] = "isl",
      [INGEST_LAYER_TRILL] = "trill",     [INGEST_LAYER_NSH] = "nsh",
      [INGEST_LAYER_GPE] = "vxlan-gpe",   [INGEST_LAYER_GTPU] = "gtp-u",
      [INGEST_LAYER_L2TP] = "l2tp",       [INGEST_LAYER_LISP] = "lisp",
      [INGEST_LAYER_ETHERIP] = "etherip",
  };
  return (size_t)layer < sizeof names / sizeof names[0] ? names[layer] : NULL;
}
