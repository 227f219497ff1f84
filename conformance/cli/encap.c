/* SPDX-License-Identifier: BSD-2-Clause */
#include "encap.h"

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
