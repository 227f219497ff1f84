/* SPDX-License-Identifier: BSD-2-Clause */
/* Hands the tunnels of -d to the sources of packets. */
#include "tunnels.h"

#include <stdlib.h>

#include <ingest/pcap_src.h>
#include <memory/memory.h>

bool tunnels_open(ingest_tunnels **tunnels, const opts *o) {
  ingest_tunnels *t = o->num_tunnels > 0 ? memory_zeroed(1, sizeof *t) : NULL;
  for (size_t i = 0; t != NULL && i < o->num_tunnels; i++) {
    (void)ingest_tunnels_add(t, o->tunnels[i].port, o->tunnels[i].layer);
  }
  pcap_src_tunnels(t);
  *tunnels = t;
  return t != NULL || o->num_tunnels == 0;
}

void tunnels_close(ingest_tunnels *tunnels) {
  pcap_src_tunnels(NULL);
  free(tunnels);
}
