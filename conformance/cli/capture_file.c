/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes pcap with nanoseconds, or pcapng. Times and lengths stay. */
#include "capture_file.h"

#include <stdlib.h>
#include <string.h>

#include <memory/memory.h>
#include <report/pcapng.h>

enum { FILE_ETHERNET = 1 };

bool capture_file_is_ng(const char *path) {
  static const char ending[] = ".pcapng";
  const size_t len = strlen(path);
  const size_t n = sizeof ending - 1;
  return len >= n && strcmp(path + len - n, ending) == 0;
}

bool capture_file_begin(capture_file *f, out_buf *out, bool ng) {
  *f = (capture_file){
      .out = out, .ng = ng, .interfaces = memory_zeroed(CAPTURE_FILE_LINKS, sizeof *f->interfaces)};
  if (ng) {
    report_pcapng_begin(out, NULL);
  }
  return f->interfaces != NULL;
}

/* The number of the interface with this link type and 1, which is written before its first packet.
 * 0: a pcap file has another link type. */
static uint32_t file_interface(capture_file *f, int link_type) {
  uint32_t *interface = &f->interfaces[(uint32_t)link_type % CAPTURE_FILE_LINKS];
  if (*interface != 0 || (!f->ng && f->num_interfaces > 0)) {
    return *interface;
  }
  if (f->ng) {
    report_pcapng_interface(f->out, link_type);
  } else {
    report_pcap_begin(f->out, link_type);
  }
  *interface = ++f->num_interfaces;
  return *interface;
}

bool capture_file_packet(capture_file *f, const ingest_packet *pkt, const out_buf *comments) {
  const uint32_t interface = file_interface(f, pkt->link_type);
  if (interface == 0) {
    return false;
  }
  const report_pcapng_packet copy = {.octets = pkt->data,
                                     .captured = (uint32_t)pkt->caplen,
                                     .length = (uint32_t)pkt->len,
                                     .time_ns = pkt->time_ns,
                                     .interface = interface - 1};
  if (f->ng) {
    report_pcapng_packet_put(f->out, &copy, comments);
  } else {
    report_pcap_packet_put(f->out, &copy);
  }
  return true;
}

void capture_file_end(capture_file *f) {
  if (f->num_interfaces == 0) {
    (void)file_interface(f, FILE_ETHERNET);
  }
}

void capture_file_free(capture_file *f) {
  free(f->interfaces);
  f->interfaces = NULL;
}
