/* SPDX-License-Identifier: BSD-2-Clause */
/* Ports of UDP that the caller names as tunnels, for all engines. */
#include <stdatomic.h>

#include "decap.h"

#define NAMED_MET 0x80u

/* By port: one more than its layer, 0 for none, and NAMED_MET. Engines of several threads note that
 * a port was met. */
static _Atomic uint8_t named_ports[UINT16_MAX + 1];

/* True if there is one. */
static bool named_any;

bool ingest_encap_port(uint16_t port, ingest_layer layer) {
  const bool tunnel =
      layer == INGEST_LAYER_VXLAN || layer == INGEST_LAYER_GENEVE || layer == INGEST_LAYER_TZSP;
  if (tunnel) {
    atomic_store(&named_ports[port], (uint8_t)(layer + 1));
    named_any = true;
  }
  return tunnel;
}

bool ingest_encap_port_met(uint16_t port) {
  return (atomic_load(&named_ports[port]) & NAMED_MET) != 0;
}

ingest_layer ing_decap_named_layer(uint32_t port) {
  const unsigned named =
      named_any ? atomic_load_explicit(&named_ports[port], memory_order_relaxed) & ~NAMED_MET : 0;
  return named != 0 ? (ingest_layer)(named - 1) : INGEST_LAYERS;
}

bool ing_decap_named(uint32_t port) {
  const unsigned named =
      named_any ? atomic_load_explicit(&named_ports[port], memory_order_relaxed) : 0;
  if (named != 0 && (named & NAMED_MET) == 0) {
    atomic_store_explicit(&named_ports[port], (uint8_t)(named | NAMED_MET), memory_order_relaxed);
  }
  return named != 0;
}
