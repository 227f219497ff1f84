/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes pcap with nanoseconds, or pcapng. Times and lengths stay. */
#include "capture_file.h"

#include <string.h>

#define FILE_PCAP_NANO 0xa1b23c4du
#define FILE_SNAPLEN 262144u /* more than a packet can have */
#define FILE_NG_SECTION 0x0a0d0d0au
#define FILE_NG_MAGIC 0x1a2b3c4du
#define FILE_NG_TSRESOL 9u /* option, and its value: nanoseconds */

enum { FILE_NG_INTERFACE = 1, FILE_NG_PACKET = 6, FILE_NG_HEAD = 32, FILE_SECOND = 1000000000 };
enum { FILE_RAW_DLT = 12, FILE_RAW_DLT_OPENBSD = 14, FILE_RAW_LINK = 101, FILE_ETHERNET = 1 };

static void file_u16(out_buf *s, uint32_t v) {
  const char octets[2] = {(char)(v & 255u), (char)(v >> 8 & 255u)};
  out_put(s, octets, sizeof octets);
}

static void file_u32(out_buf *s, uint32_t v) {
  file_u16(s, v & 0xffffu);
  file_u16(s, v >> 16);
}

/* LINKTYPE and DLT values are equal, except raw IP, whose DLT depends on the system. */
static uint32_t file_link(int link_type) {
  return link_type == FILE_RAW_DLT || link_type == FILE_RAW_DLT_OPENBSD ? (uint32_t)FILE_RAW_LINK
                                                                        : (uint32_t)link_type;
}

static void file_pcap_begin(out_buf *s, int link_type) {
  file_u32(s, FILE_PCAP_NANO);
  file_u16(s, 2); /* version 2.4 */
  file_u16(s, 4);
  file_u32(s, 0); /* offset of the times, and their accuracy */
  file_u32(s, 0);
  file_u32(s, FILE_SNAPLEN);
  file_u32(s, file_link(link_type));
}

static void file_section(out_buf *s) {
  const uint32_t total = 28;
  file_u32(s, FILE_NG_SECTION);
  file_u32(s, total);
  file_u32(s, FILE_NG_MAGIC);
  file_u16(s, 1); /* version 1.0 */
  file_u16(s, 0);
  file_u32(s, UINT32_MAX); /* the length of the section is not given */
  file_u32(s, UINT32_MAX);
  file_u32(s, total);
}

static void file_interface(out_buf *s, int link_type) {
  const uint32_t total = 32;
  file_u32(s, FILE_NG_INTERFACE);
  file_u32(s, total);
  file_u16(s, file_link(link_type));
  file_u16(s, 0);
  file_u32(s, 0); /* no limit of the octets of a packet */
  file_u16(s, FILE_NG_TSRESOL);
  file_u16(s, 1);
  file_u32(s, 9);
  file_u32(s, 0); /* the end of the options */
  file_u32(s, total);
}

static void file_ng_packet(out_buf *s, size_t interface, const ingest_packet *pkt) {
  const size_t pad = (4 - pkt->caplen % 4) % 4;
  const uint32_t total = (uint32_t)(FILE_NG_HEAD + pkt->caplen + pad);
  file_u32(s, FILE_NG_PACKET);
  file_u32(s, total);
  file_u32(s, (uint32_t)interface);
  file_u32(s, (uint32_t)(pkt->time_ns >> 32));
  file_u32(s, (uint32_t)pkt->time_ns);
  file_u32(s, (uint32_t)pkt->caplen);
  file_u32(s, (uint32_t)pkt->len);
  out_put(s, (const char *)pkt->data, pkt->caplen);
  out_fill(s, '\0', pad);
  file_u32(s, total);
}

static void file_pcap_packet(out_buf *s, const ingest_packet *pkt) {
  file_u32(s, (uint32_t)(pkt->time_ns / FILE_SECOND));
  file_u32(s, (uint32_t)(pkt->time_ns % FILE_SECOND));
  file_u32(s, (uint32_t)pkt->caplen);
  file_u32(s, (uint32_t)pkt->len);
  out_put(s, (const char *)pkt->data, pkt->caplen);
}

void capture_file_begin(capture_file *f, out_buf *out, const char *path) {
  static const char ending[] = ".pcapng";
  const size_t len = strlen(path);
  const size_t n = sizeof ending - 1;
  *f = (capture_file){.out = out, .ng = len >= n && strcmp(path + len - n, ending) == 0};
  if (f->ng) {
    file_section(out);
  }
}

/* The number of the interface with this link type, which is made where it is not there. */
static size_t file_interface_of(capture_file *f, int link_type) {
  size_t i = 0;
  while (i < f->num_links && f->link[i] != link_type) {
    i++;
  }
  if (i < f->num_links || i == CAPTURE_FILE_LINKS || (i > 0 && !f->ng)) {
    return i;
  }
  f->link[f->num_links++] = link_type;
  if (f->ng) {
    file_interface(f->out, link_type);
  } else {
    file_pcap_begin(f->out, link_type);
  }
  return i;
}

bool capture_file_packet(capture_file *f, const ingest_packet *pkt) {
  const size_t i = file_interface_of(f, pkt->link_type);
  if (i == f->num_links) {
    return false;
  }
  if (f->ng) {
    file_ng_packet(f->out, i, pkt);
  } else {
    file_pcap_packet(f->out, pkt);
  }
  return true;
}

void capture_file_end(capture_file *f) {
  if (f->num_links == 0) { /* a capture without packets is a capture, too */
    (void)file_interface_of(f, FILE_ETHERNET);
  }
}
