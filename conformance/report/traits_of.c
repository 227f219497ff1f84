/* SPDX-License-Identifier: BSD-2-Clause */
/* Which lines of a capture its counts come to. */
#include <report/traits_of.h>

#include <stdio.h>

/* ---- packets that were not looked into ---- */

#define UNREAD_WORDS 64u /* octets, the final 0 included */

typedef struct unread_name {
  uint32_t number;
  const char *name;
} unread_name;

static const unread_name unread_protocols[] = {
    {50, "ESP"},    {108, "IPComp"}, {115, "L2TPv3"}, {1, "ICMP"},  {2, "IGMP"},   {46, "RSVP"},
    {58, "ICMPv6"}, {88, "EIGRP"},   {89, "OSPF"},    {103, "PIM"}, {112, "VRRP"}, {0, NULL}};

static const unread_name unread_ports[] = {
    {3544, "Teredo"},     {4500, "ESP in UDP"},
    {5247, "CAPWAP"},     {8472, "UDP port 8472: if it is VXLAN, -d udp.port==8472,vxlan"},
    {51820, "WireGuard"}, {0, NULL}};

static const unread_name unread_ethertypes[] = {{0x88e5, "MACsec"},
                                                {0x4305, "batman-adv"},
                                                {0x8903, "FabricPath"},
                                                {0x0806, "ARP"},
                                                {0x0842, "Wake-on-LAN"},
                                                {0x8035, "RARP"},
                                                {0x8808, "Ethernet flow control"},
                                                {0x8809, "LACP and other slow protocols"},
                                                {0x8863, "PPPoE discovery"},
                                                {0x888e, "EAPOL"},
                                                {0x88cc, "LLDP"},
                                                {0x88f7, "PTP"},
                                                {0x8902, "CFM"},
                                                {0x8906, "FCoE"},
                                                {0x8914, "FIP"},
                                                {0x8915, "RoCE"},
                                                {0x9000, "Ethernet loopback"},
                                                {0, NULL}};

static const unread_name unread_points[] = {
    {0x42, "STP"}, {0xaa, "SNAP"}, {0xe0, "IPX"}, {0xfe, "OSI"}, {0, NULL}};

/* The name of a number, or NULL. */
static const char *unread_named(const unread_name *names, uint32_t number) {
  while (names->name != NULL && names->number != number) {
    names++;
  }
  return names->name;
}

static const char *unread_name_of(const ingest_unread *unread) {
  switch (unread->kind) {
  case INGEST_UNREAD_ETHERTYPE:
  case INGEST_UNREAD_EMPTY_ETHERTYPE: return unread_named(unread_ethertypes, unread->number);
  case INGEST_UNREAD_PROTOCOL:
  case INGEST_UNREAD_EMPTY_PROTOCOL: return unread_named(unread_protocols, unread->number);
  case INGEST_UNREAD_PORT: return unread_named(unread_ports, unread->number);
  case INGEST_UNREAD_LLC: return unread_named(unread_points, unread->number);
  case INGEST_UNREAD_FRAGMENTS: return "fragments inside fragments of tunnels";
  case INGEST_UNREAD_HEADER: return "a header that is cut or wrong";
  case INGEST_UNREAD_LINK:
  case INGEST_UNREAD_ERF:
  case INGEST_UNREAD_LAYER:
  case INGEST_UNREAD_DEPTH:
  case INGEST_UNREAD_PPP:
  case INGEST_UNREAD_UDP:
  case INGEST_UNREAD_PPP_CONTROL:
  case INGEST_UNREAD_CONTROL:
  case INGEST_UNREAD_KINDS: break;
  }
  return NULL;
}

/* What stands before a number that has no name, and its hexadecimal digits; 0: it is decimal. */
typedef struct unread_form {
  const char *before;
  int digits;
} unread_form;

static void unread_number(char out[UNREAD_WORDS], const ingest_unread *unread) {
  static const unread_form forms[INGEST_UNREAD_KINDS] = {
      [INGEST_UNREAD_ETHERTYPE] = {"EtherType ", 4},
      [INGEST_UNREAD_ERF] = {"ERF type ", 0},
      [INGEST_UNREAD_PPP] = {"PPP protocol ", 4},
      [INGEST_UNREAD_EMPTY_PROTOCOL] = {"IP protocol ", 0},
      [INGEST_UNREAD_UDP] = {"UDP, such as port ", 0},
      [INGEST_UNREAD_LLC] = {"LLC access point ", 2},
      [INGEST_UNREAD_PPP_CONTROL] = {"PPP control protocol ", 4},
  };
  const unread_form *form = &forms[unread->kind];
  const unsigned int number = unread->number;
  if (form->digits > 0) {
    snprintf(out, UNREAD_WORDS, "%s0x%0*x", form->before, form->digits, number);
  } else {
    snprintf(out, UNREAD_WORDS, "%s%u", form->before, number);
  }
}

static void unread_words(char out[UNREAD_WORDS], const ingest_unread *unread,
                         const char *(*link_name)(int link_type)) {
  const char *name = unread_name_of(unread);
  const int number = (int)unread->number;
  const char *layer = ingest_layer_name((ingest_layer)number);
  if (name != NULL) {
    snprintf(out, UNREAD_WORDS, "%s", name);
  } else if (unread->kind == INGEST_UNREAD_LINK) {
    snprintf(out, UNREAD_WORDS, "link type %d (%.32s)", number, link_name(number));
  } else if (unread->kind == INGEST_UNREAD_LAYER) {
    snprintf(out, UNREAD_WORDS, "a header of %s that is cut or of another form", layer);
  } else if (unread->kind == INGEST_UNREAD_CONTROL) {
    snprintf(out, UNREAD_WORDS, "%s without a packet inside", layer);
  } else if (unread->kind == INGEST_UNREAD_DEPTH) {
    snprintf(out, UNREAD_WORDS, "more than %u tags and tunnels", INGEST_LAYERS_MAX);
  } else {
    unread_number(out, unread);
  }
}

/* ---- lines ---- */

typedef struct traits_out {
  const report_traits_source *from;
  report_traits_fn *fn;
  void *ctx;
} traits_out;

/* A line about packets of a kind, if there are any. */
static void traits_packets(const traits_out *out, report_trait_kind kind,
                           const ingest_bad *packets) {
  const report_trait trait = {.kind = kind,
                              .capture = out->from->capture,
                              .count = packets->packets,
                              .packet = packets->first,
                              .snaplen = out->from->snaplen};
  if (trait.count > 0) {
    out->fn(out->ctx, &trait);
  }
}

static void traits_checksums(const traits_out *out) {
  const ingest_stats *stats = out->from->stats;
  const ingest_bad *tcp = &stats->bad_sums[0];
  const ingest_bad *sctp = &stats->bad_sums[1];
  const bool tcp_first = sctp->packets == 0 || (tcp->packets > 0 && tcp->first < sctp->first);
  const report_trait wrong = {.kind = REPORT_TRAIT_CHECKSUM_WRONG,
                              .capture = out->from->capture,
                              .count = tcp->packets + sctp->packets,
                              .headers = stats->bad_headers[0] + stats->bad_headers[1],
                              .packet = tcp_first ? tcp->first : sctp->first};
  if (wrong.count > 0) {
    out->fn(out->ctx, &wrong);
  }
}

static void traits_facts(const traits_out *out) {
  const ingest_stats *stats = out->from->stats;
  traits_packets(out, REPORT_TRAIT_DUPLICATES, &stats->duplicates);
  traits_packets(out, REPORT_TRAIT_TIME_BACKWARDS, &out->from->backwards);
  traits_packets(out, REPORT_TRAIT_OUTSIDE, &stats->outside);
  traits_packets(out, REPORT_TRAIT_CUT, &out->from->cut);
  if (stats->with_payload == 0) {
    traits_packets(out, REPORT_TRAIT_NO_PAYLOAD, &stats->bare);
  }
}

static void traits_unread(const traits_out *out, uint64_t packets, uint64_t first,
                          const char *protocol) {
  const report_trait trait = {.kind = REPORT_TRAIT_NOT_DECODED,
                              .capture = out->from->capture,
                              .count = packets,
                              .packet = first,
                              .protocol = protocol};
  if (trait.count > 0) {
    out->fn(out->ctx, &trait);
  }
}

static void traits_unread_list(const traits_out *out, const ingest_unread_list *list) {
  char protocol[UNREAD_WORDS];
  for (size_t i = 0; i < list->num; i++) {
    unread_words(protocol, &list->line[i], out->from->link_name);
    traits_unread(out, list->line[i].packets, list->line[i].first, protocol);
  }
  traits_unread(out, list->more.packets, list->more.first, "other protocols");
}

static uint64_t unread_packets(const ingest_unread_list *list) {
  uint64_t packets = list->more.packets;
  for (size_t i = 0; i < list->num; i++) {
    packets += list->line[i].packets;
  }
  return packets;
}

/* Packets that may hide iWARP, and all that were not looked into where they are half of the capture
 * or more: the verdict is about the rest. */
static void traits_encap(const traits_out *out) {
  ingest_encap all = out->from->stats->encap[0];
  ingest_encap_add(&all, &out->from->stats->encap[1]);
  traits_unread_list(out, &all.hiding);
  uint64_t packets = unread_packets(&all.hiding) + unread_packets(&all.empty);
  for (size_t i = 0; i < all.num_roce; i++) {
    packets += all.roce[i].packets;
  }
  if (packets >= out->from->packets - packets) {
    traits_unread_list(out, &all.empty);
  }
}

void report_traits_each(const report_traits_source *from, report_traits_fn *fn, void *ctx) {
  const traits_out out = {from, fn, ctx};
  traits_checksums(&out);
  traits_facts(&out);
  traits_encap(&out);
}

/* ---- copies that differ ---- */

bool report_differs_add(report_trait *trait, report_differs *all, const observe_differ *what) {
  *trait = (report_trait){.kind = REPORT_TRAIT_OCTETS_DIFFER,
                          .capture = all->capture,
                          .count = 1,
                          .packet = what->first,
                          .differ = what};
  if (all->num == REPORT_TRAITS_EACH) {
    all->more.packet = all->more.count++ == 0 ? what->first : all->more.packet;
    return false;
  }
  all->num++;
  return true;
}
