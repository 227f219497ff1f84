/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of RoCEv2, by hosts: RDMA, but not iWARP. InfiniBand Architecture 9.2, annex A17. */
#include <string.h>

#include "decap.h"

enum { ROCE_VERSION_AT = 1, ROCE_VERSION = 0x0f }; /* version of the transport header: 0 */

bool decap_roce(const ing_decap *d, decap_end end) {
  return end == DECAP_NOTHING && d->space == DECAP_PORT && d->number == INGEST_ROCE_PORT &&
         !d->ip.fragment && (ing_u8(&d->rest, ROCE_VERSION_AT) & ROCE_VERSION) == 0;
}

static bool decap_same_host(const ingest_addr *a, const ingest_addr *b) {
  return a->family == b->family && memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

/* The line for two hosts, in either direction; NULL: there is no more room. */
static ingest_roce *decap_roce_line(ingest_encap *counts, const ingest_roce *packet) {
  for (size_t i = 0; i < counts->num_roce; i++) {
    ingest_roce *x = &counts->roce[i];
    if ((decap_same_host(&x->src, &packet->src) && decap_same_host(&x->dst, &packet->dst)) ||
        (decap_same_host(&x->src, &packet->dst) && decap_same_host(&x->dst, &packet->src))) {
      return x;
    }
  }
  if (counts->num_roce == INGEST_ROCE_MAX) {
    return NULL;
  }
  ingest_roce *x = &counts->roce[counts->num_roce++];
  *x = *packet;
  x->packets = 0;
  return x;
}

void decap_roce_add(ingest_encap *counts, const ingest_roce *packets) {
  ingest_roce *line = decap_roce_line(counts, packets);
  if (line != NULL) {
    if (packets->first < line->first) {
      line->src = packets->src;
      line->dst = packets->dst;
      line->first = packets->first;
    }
    line->packets += packets->packets;
  }
}

void decap_roce_count(ingest_encap *counts, const ing_decap *d, uint64_t number) {
  ingest_roce packet = {.packets = 1, .first = number};
  packet.src = (ingest_addr){.family = d->ip.family, .port = d->udp_from};
  packet.dst = (ingest_addr){.family = d->ip.family, .port = INGEST_ROCE_PORT};
  memcpy(packet.src.ip, d->ip.src, sizeof packet.src.ip);
  memcpy(packet.dst.ip, d->ip.dst, sizeof packet.dst.ip);
  decap_roce_add(counts, &packet);
}
