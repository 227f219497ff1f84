/* SPDX-License-Identifier: BSD-2-Clause */
#include "encap.h"

#include <stdio.h>

#include <ingest/pcap_src.h>

_Static_assert(INGEST_LAYERS < REPORT_ENCAPS, "a line for each layer");

void encap_names(report_encap layers[REPORT_ENCAPS]) {
  for (size_t i = 0; i < INGEST_LAYERS; i++) {
    layers[i].name = ingest_layer_name((ingest_layer)i);
  }
}

void encap_add(report_encap layers[REPORT_ENCAPS], const ingest_encap *counts) {
  encap_names(layers);
  for (size_t i = 0; i < INGEST_LAYERS; i++) {
    layers[i].packets += counts->packets[i];
  }
}

typedef struct encap_name {
  uint32_t number;
  const char *name;
} encap_name;

static const encap_name encap_protocols[] = {
    {50, "ESP"}, {97, "EtherIP"}, {108, "IPComp"}, {115, "L2TPv3"}, {0, NULL}};

static const encap_name encap_ports[] = {{1701, "L2TP"},        {2152, "GTP-U"},
                                         {4500, "ESP in UDP"},  {4790, "VXLAN-GPE"},
                                         {6635, "MPLS in UDP"}, {0, NULL}};

static const encap_name encap_ethertypes[] = {
    {0x88e5, "MACsec"}, {0x880b, "PPP in GRE"}, {0x894f, "NSH"}, {0, NULL}};

/* The name of a number, or NULL. */
static const char *encap_named(const encap_name *names, uint32_t number) {
  while (names->name != NULL && names->number != number) {
    names++;
  }
  return names->name;
}

static const char *encap_name_of(const ingest_unread *unread) {
  switch (unread->kind) {
  case INGEST_UNREAD_ETHERTYPE: return encap_named(encap_ethertypes, unread->number);
  case INGEST_UNREAD_PROTOCOL: return encap_named(encap_protocols, unread->number);
  case INGEST_UNREAD_PORT: return encap_named(encap_ports, unread->number);
  case INGEST_UNREAD_FRAGMENTS: return "fragments inside fragments of tunnels";
  case INGEST_UNREAD_LINK:
  case INGEST_UNREAD_ERF:
  case INGEST_UNREAD_LAYER:
  case INGEST_UNREAD_DEPTH: break;
  }
  return NULL;
}

void encap_unread(char out[ENCAP_WORDS], const ingest_unread *unread) {
  const char *name = encap_name_of(unread);
  const unsigned int number = unread->number;
  if (name != NULL) {
    snprintf(out, ENCAP_WORDS, "%s", name);
  } else if (unread->kind == INGEST_UNREAD_ETHERTYPE) {
    snprintf(out, ENCAP_WORDS, "EtherType 0x%04x", number);
  } else if (unread->kind == INGEST_UNREAD_LINK) {
    snprintf(out, ENCAP_WORDS, "link type %u (%.32s)", number, pcap_src_link_name((int)number));
  } else if (unread->kind == INGEST_UNREAD_ERF) {
    snprintf(out, ENCAP_WORDS, "ERF type %u", number);
  } else if (unread->kind == INGEST_UNREAD_LAYER) {
    snprintf(out, ENCAP_WORDS, "a header of %s that is cut or of another form",
             ingest_layer_name((ingest_layer)number));
  } else { /* protocols and ports that are given up have names */
    snprintf(out, ENCAP_WORDS, "more than %u tags and tunnels", INGEST_LAYERS_MAX);
  }
}
