/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps packets of an interface, and writes them in the place of invented ones. */
#define _POSIX_C_SOURCE 200809L

#include "peer_packets.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>
#include <report/pcapng.h>

#define PACKETS_OCTETS_MAX ((size_t)64 * 1024 * 1024) /* octets of packets of a case */
#define PACKETS_UNDER_WAY_MS 20 /* wait for the last acknowledgments after a play */
#define PACKETS_COMMENT "real packets, captured on a network interface"

typedef struct peer_packet {
  uint8_t *octets;
  uint32_t captured;
  uint32_t length;
  int link_type;
  uint64_t time_ns;
} peer_packet;

void peer_packets_begin(peer_packets *p, pcap_src *src) {
  *p = (peer_packets){.src = src};
}

static bool packets_grow(peer_packets *p) {
  if (p->num < p->cap) {
    return true;
  }
  const size_t cap = p->cap > 0 ? 2 * p->cap : 64;
  peer_packet *grown = memory_resize(p->list, cap * sizeof *grown);
  if (grown != NULL) {
    p->cap = cap;
    p->list = grown;
  }
  return grown != NULL;
}

static bool packets_keep(peer_packets *p, const ingest_packet *packet) {
  uint8_t *octets = NULL;
  if (packet->caplen <= PACKETS_OCTETS_MAX - p->octets && packets_grow(p)) {
    octets = memory_get(packet->caplen + 1);
  }
  if (octets == NULL) {
    return false;
  }
  memcpy(octets, packet->data, packet->caplen);
  p->octets += packet->caplen;
  p->list[p->num++] = (peer_packet){.octets = octets,
                                    .captured = (uint32_t)packet->caplen,
                                    .length = (uint32_t)packet->len,
                                    .link_type = packet->link_type,
                                    .time_ns = packet->time_ns};
  return true;
}

/* Takes what is there now. */
static void packets_take(peer_packets *p) {
  ingest_packet packet;
  pcap_src_result result = PCAP_SRC_PACKET;
  while ((result = pcap_src_next_now(p->src, &packet)) == PCAP_SRC_PACKET) {
    p->lacks = p->lacks || !packets_keep(p, &packet);
  }
  p->lacks = p->lacks || result == PCAP_SRC_ERROR;
}

void peer_packets_read(peer_packets *p) {
  if (p->src == NULL) {
    return;
  }
  packets_take(p);
  (void)poll(NULL, 0, PACKETS_UNDER_WAY_MS);
  packets_take(p);
}

/* ---- the file ---- */

/* Adds the comments of the trace whose time is before the next packet to packet `at`. The end of
 * the trace belongs to the last packet. *next counts the packets of the trace that had their turn.
 */
static void packets_comments(const peer_packets *p, size_t at, const net_trace *trace, size_t *next,
                             out_buf *options) {
  const bool last = at + 1 == p->num;
  size_t num = 0;
  uint64_t time_ns = 0;
  const char *text = scenario_trace_note(trace->packets, *next, &num, &time_ns);
  while (*next < num && (last || (*next + 1 < num && time_ns < p->list[at + 1].time_ns))) {
    if (text != NULL) {
      report_pcapng_comment(options, text, strlen(text));
    }
    text = scenario_trace_note(trace->packets, ++*next, &num, &time_ns);
  }
}

/* The first packet of the trace; the number of packets where there is no such packet. */
static size_t packets_first(const peer_packets *p, const net_trace *trace) {
  size_t first = 0;
  while (first < p->num && p->list[first].time_ns < trace->begin_ns) {
    first++;
  }
  return first;
}

bool peer_packets_write(peer_packets *p, const net_trace *trace, out_buf *out) {
  const size_t first = packets_first(p, trace);
  if (p->src == NULL || p->lacks || pcap_src_lost(p->src) != p->lost || first == p->num) {
    return false;
  }
  report_pcapng_begin(out, PACKETS_COMMENT);
  report_pcapng_interface(out, p->list[first].link_type);
  size_t next = 0;
  for (size_t i = first; i < p->num; i++) {
    const peer_packet *packet = &p->list[i];
    const report_pcapng_packet copy = {.octets = packet->octets,
                                       .captured = packet->captured,
                                       .length = packet->length,
                                       .time_ns = packet->time_ns};
    out_buf options;
    out_open_memory(&options);
    packets_comments(p, i, trace, &next, &options);
    report_pcapng_packet_put(out, &copy, options.len > 0 ? &options : NULL);
    out_close(&options);
  }
  return true;
}

void peer_packets_drop(peer_packets *p) {
  if (p->src == NULL) {
    return;
  }
  packets_take(p);
  for (size_t i = 0; i < p->num; i++) {
    free(p->list[i].octets);
  }
  p->num = p->octets = 0;
  p->lacks = false;
  p->lost = pcap_src_lost(p->src);
}

void peer_packets_end(peer_packets *p) {
  if (p->src != NULL) {
    peer_packets_drop(p);
    pcap_src_close(p->src);
  }
  free(p->list);
  *p = (peer_packets){.src = NULL};
}
