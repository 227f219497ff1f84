/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures that are written, least significant octet first on every machine. A pcapng file has one
 * section, its interfaces and packets with comments. A pcap file has packets of one link type. */
#ifndef REPORT_PCAPNG_H
#define REPORT_PCAPNG_H

#include <report/out_buf.h>

/** REPORT_PCAPNG_COMMENT_MAX is the most octets that a comment can have; longer ones are cut. */
#define REPORT_PCAPNG_COMMENT_MAX 65535u

/** report_pcapng_packet is a packet as it was captured. */
typedef struct report_pcapng_packet {
  const uint8_t *octets;
  uint32_t captured; /* octets at `octets` */
  uint32_t length;   /* octets on the wire */
  uint64_t time_ns;
  uint32_t interface; /* number of its interface, as they were written from 0 on; pcapng only */
} report_pcapng_packet;

/** report_pcapng_begin writes the section, with a comment on all of it; NULL: none. */
void report_pcapng_begin(out_buf *s, const char *comment);

/** report_pcapng_interface writes the next interface; `link_type` is a DLT of libpcap. */
void report_pcapng_interface(out_buf *s, int link_type);

/** report_pcapng_comment appends a comment to the options of a packet. */
void report_pcapng_comment(out_buf *options, const char *text, size_t len);

/** report_pcapng_packet_put writes a packet with its options; NULL: it has none. */
void report_pcapng_packet_put(out_buf *s, const report_pcapng_packet *packet,
                              const out_buf *options);

/** report_pcap_begin writes the header of a pcap file; `link_type` is a DLT of libpcap. */
void report_pcap_begin(out_buf *s, int link_type);

/** report_pcap_packet_put writes a packet of a pcap file. */
void report_pcap_packet_put(out_buf *s, const report_pcapng_packet *packet);

#endif
