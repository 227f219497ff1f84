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
    {50, "ESP"}, {97, "EtherIP"}, {108, "IPComp"}, {115, "L2TPv3"}, {0, NULL}};

static const unread_name unread_ports[] = {{1701, "L2TP"},        {2152, "GTP-U"},
                                           {4500, "ESP in UDP"},  {4790, "VXLAN-GPE"},
                                           {6635, "MPLS in UDP"}, {0, NULL}};

static const unread_name unread_ethertypes[] = {
    {0x88e5, "MACsec"}, {0x880b, "PPP in GRE"}, {0x894f, "NSH"}, {0, NULL}};

/* The name of a number, or NULL. */
static const char *unread_named(const unread_name *names, uint32_t number) {
  while (names->name != NULL && names->number != number) {
    names++;
  }
  return names->name;
}

static const char *unread_name_of(const ingest_unread *unread) {
  switch (unread->kind) {
  case INGEST_UNREAD_ETHERTYPE: return unread_named(unread_ethertypes, unread->number);
  case INGEST_UNREAD_PROTOCOL: return unread_named(unread_protocols, unread->number);
  case INGEST_UNREAD_PORT: return unread_named(unread_ports, unread->number);
  case INGEST_UNREAD_FRAGMENTS: return "fragments inside fragments of tunnels";
  case INGEST_UNREAD_LINK:
  case INGEST_UNREAD_ERF:
  case INGEST_UNREAD_LAYER:
  case INGEST_UNREAD_DEPTH: break;
  }
  return NULL;
}

static void unread_words(char out[UNREAD_WORDS], const ingest_unread *unread,
                         const char *(*link_name)(int link_type)) {
  const char *name = unread_name_of(unread);
  const unsigned int number = unread->number;
  if (name != NULL) {
    snprintf(out, UNREAD_WORDS, "%s", name);
  } else if (unread->kind == INGEST_UNREAD_ETHERTYPE) {
    snprintf(out, UNREAD_WORDS, "EtherType 0x%04x", number);
  } else if (unread->kind == INGEST_UNREAD_LINK) {
    snprintf(out, UNREAD_WORDS, "link type %u (%.32s)", number, link_name((int)number));
  } else if (unread->kind == INGEST_UNREAD_ERF) {
    snprintf(out, UNREAD_WORDS, "ERF type %u", number);
  } else if (unread->kind == INGEST_UNREAD_LAYER) {
    snprintf(out, UNREAD_WORDS, "a header of %s that is cut or of another form",
             ingest_layer_name((ingest_layer)number));
  } else { /* protocols and ports that are given up have names */
    snprintf(out, UNREAD_WORDS, "more than %u tags and tunnels", INGEST_LAYERS_MAX);
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

/* Packets of UDP, where they are half of the capture or more: the verdict is about the rest. */
static void traits_udp(const traits_out *out, const ingest_udp *udp) {
  char protocol[UNREAD_WORDS];
  if (udp->packets >= out->from->packets - udp->packets) {
    snprintf(protocol, sizeof protocol, "UDP, such as port %u", (unsigned int)udp->port);
    traits_unread(out, udp->packets, udp->first, protocol);
  }
}

static void traits_encap(const traits_out *out) {
  char protocol[UNREAD_WORDS];
  ingest_encap all = out->from->stats->encap[0];
  ingest_encap_add(&all, &out->from->stats->encap[1]);
  for (size_t i = 0; i < all.num_unread; i++) {
    unread_words(protocol, &all.unread[i], out->from->link_name);
    traits_unread(out, all.unread[i].packets, all.unread[i].first, protocol);
  }
  traits_unread(out, all.more.packets, all.more.first, "other protocols");
  traits_udp(out, &all.udp);
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
