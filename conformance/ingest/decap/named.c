/* SPDX-License-Identifier: BSD-2-Clause */
/* Ports of UDP that the caller names as tunnels. */
#include "decap.h"

bool ingest_tunnels_add(ingest_tunnels *tunnels, uint16_t port, ingest_layer layer) {
  const bool tunnel =
      layer == INGEST_LAYER_VXLAN || layer == INGEST_LAYER_GENEVE || layer == INGEST_LAYER_TZSP;
  if (tunnel) {
    tunnels->layer[port] = (uint8_t)(layer + 1);
  }
  return tunnel;
}

ingest_layer ing_decap_named_layer(const ing_decap *d, uint32_t port) {
  const unsigned layer = d->tunnels != NULL ? d->tunnels->layer[port] : 0;
  return layer != 0 ? (ingest_layer)(layer - 1) : INGEST_LAYERS;
}

bool ing_decap_named(const ing_decap *d, uint32_t port) {
  const bool named = ing_decap_named_layer(d, port) != INGEST_LAYERS;
  if (named) {
    __atomic_store_n(&d->tunnels->met[port], 1, __ATOMIC_RELAXED);
  }
  return named;
}
