/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of pcapng (draft-ietf-opsawg-pcapng), and pcap with nanoseconds. */
#include <report/pcapng.h>

#define PCAPNG_SECTION 0x0A0D0D0Au
#define PCAPNG_INTERFACE 1u
#define PCAPNG_PACKET 6u
#define PCAPNG_MAGIC 0x1A2B3C4Du
#define PCAPNG_END 0u /* end of the options */
#define PCAPNG_COMMENT 1u
#define PCAPNG_USERAPPL 4u
#define PCAPNG_TSRESOL 9u
#define PCAPNG_NANOSECONDS '\011'
#define PCAP_MAGIC_NANOSECONDS 0xA1B23C4Du
#define PCAP_SNAPLEN 262144u /* more than a packet can have */
#define PCAP_SECOND UINT64_C(1000000000)

/* Octets of blocks with their type and both lengths, but without options and the packet. */
enum { PCAPNG_SECTION_LEN = 28, PCAPNG_INTERFACE_LEN = 20, PCAPNG_PACKET_LEN = 32 };
enum { PCAPNG_OPTION_LEN = 4 }; /* an option without its value, or the end of the options */

static void pcapng_u16(out_buf *s, uint32_t v) {
  const char octets[2] = {(char)(v & 255u), (char)(v >> 8 & 255u)};
  out_put(s, octets, sizeof octets);
}

static void pcapng_u32(out_buf *s, uint32_t v) {
  pcapng_u16(s, v & 0xFFFFu);
  pcapng_u16(s, v >> 16);
}

static uint32_t pcapng_pad(size_t n) {
  return (4 - (uint32_t)(n % 4)) % 4;
}

static void pcapng_padded(out_buf *s, const char *octets, size_t n) {
  out_put(s, octets, n);
  out_fill(s, '\0', pcapng_pad(n));
}

static void pcapng_option(out_buf *s, uint32_t code, const char *octets, size_t n) {
  pcapng_u16(s, code);
  pcapng_u16(s, (uint32_t)n);
  pcapng_padded(s, octets, n);
}

/* A block begins and ends with its length. */
static void pcapng_block(out_buf *s, uint32_t type, uint32_t total) {
  pcapng_u32(s, type);
  pcapng_u32(s, total);
}

/* LINKTYPE and DLT values are equal, except raw IP, whose DLT depends on the system. */
static uint32_t pcapng_link(int link_type) {
  return link_type == 12 || link_type == 14 ? 101u : (uint32_t)link_type;
}

/* Octets of an option with a value of `n` octets. */
static uint32_t pcapng_option_len(size_t n) {
  return PCAPNG_OPTION_LEN + (uint32_t)n + pcapng_pad(n);
}

void report_pcapng_begin(out_buf *s, const char *comment) {
  static const char name[] = "iwarp";
  const size_t len = sizeof name - 1;
  const size_t comment_len = comment != NULL ? strlen(comment) : 0;
  const uint32_t total = PCAPNG_SECTION_LEN + pcapng_option_len(len) +
                         (comment != NULL ? pcapng_option_len(comment_len) : 0) + PCAPNG_OPTION_LEN;
  pcapng_block(s, PCAPNG_SECTION, total);
  pcapng_u32(s, PCAPNG_MAGIC);
  pcapng_u16(s, 1); /* version 1.0 */
  pcapng_u16(s, 0);
  pcapng_u32(s, UINT32_MAX); /* the length of the section is not given: 64 bits of ones */
  pcapng_u32(s, UINT32_MAX);
  pcapng_option(s, PCAPNG_USERAPPL, name, len);
  if (comment != NULL) {
    pcapng_option(s, PCAPNG_COMMENT, comment, comment_len);
  }
  pcapng_option(s, PCAPNG_END, "", 0);
  pcapng_u32(s, total);
}

void report_pcapng_interface(out_buf *s, int link_type) {
  static const char nanoseconds = PCAPNG_NANOSECONDS;
  const uint32_t total =
      PCAPNG_INTERFACE_LEN + PCAPNG_OPTION_LEN + 1 + pcapng_pad(1) + PCAPNG_OPTION_LEN;
  pcapng_block(s, PCAPNG_INTERFACE, total);
  pcapng_u16(s, pcapng_link(link_type));
  pcapng_u16(s, 0);
  pcapng_u32(s, 0); /* no limit of the octets of a packet */
  pcapng_option(s, PCAPNG_TSRESOL, &nanoseconds, 1);
  pcapng_option(s, PCAPNG_END, "", 0);
  pcapng_u32(s, total);
}

void report_pcapng_comment(out_buf *options, const char *text, size_t len) {
  pcapng_option(options, PCAPNG_COMMENT, text,
                len < REPORT_PCAPNG_COMMENT_MAX ? len : REPORT_PCAPNG_COMMENT_MAX);
}

void report_pcapng_packet_put(out_buf *s, const report_pcapng_packet *packet,
                              const out_buf *options) {
  const bool any = options != NULL && options->len > 0;
  const uint32_t after = any ? (uint32_t)options->len + PCAPNG_OPTION_LEN : 0;
  const uint32_t total =
      PCAPNG_PACKET_LEN + packet->captured + pcapng_pad(packet->captured) + after;
  pcapng_block(s, PCAPNG_PACKET, total);
  pcapng_u32(s, packet->interface);
  pcapng_u32(s, (uint32_t)(packet->time_ns >> 32));
  pcapng_u32(s, (uint32_t)packet->time_ns);
  pcapng_u32(s, packet->captured);
  pcapng_u32(s, packet->length);
  pcapng_padded(s, (const char *)packet->octets, packet->captured);
  if (any) {
    out_put(s, options->buf, options->len);
    pcapng_option(s, PCAPNG_END, "", 0);
  }
  pcapng_u32(s, total);
}

void report_pcap_begin(out_buf *s, int link_type) {
  pcapng_u32(s, PCAP_MAGIC_NANOSECONDS);
  pcapng_u16(s, 2); /* version 2.4 */
  pcapng_u16(s, 4);
  pcapng_u32(s, 0); /* offset of the times, and their accuracy */
  pcapng_u32(s, 0);
  pcapng_u32(s, PCAP_SNAPLEN);
  pcapng_u32(s, pcapng_link(link_type));
}

void report_pcap_packet_put(out_buf *s, const report_pcapng_packet *packet) {
  pcapng_u32(s, (uint32_t)(packet->time_ns / PCAP_SECOND));
  pcapng_u32(s, (uint32_t)(packet->time_ns % PCAP_SECOND));
  pcapng_u32(s, packet->captured);
  pcapng_u32(s, packet->length);
  out_put(s, (const char *)packet->octets, packet->captured);
}
