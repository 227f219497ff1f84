/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of pcapng (draft-ietf-opsawg-pcapng). */
#include <report/pcapng.h>

#define PCAPNG_SECTION 0x0A0D0D0Au
#define PCAPNG_INTERFACE 1u
#define PCAPNG_PACKET 6u
#define PCAPNG_MAGIC 0x1A2B3C4Du
#define PCAPNG_END 0u /* of options */
#define PCAPNG_COMMENT 1u
#define PCAPNG_USERAPPL 4u
#define PCAPNG_TSRESOL 9u
#define PCAPNG_NANOSECONDS '\011'

static void pcapng_u16(out_buf *s, uint32_t v) {
  const char octets[2] = {(char)(v & 255u), (char)(v >> 8 & 255u)};
  out_put(s, octets, sizeof octets);
}

static void pcapng_u32(out_buf *s, uint32_t v) {
  pcapng_u16(s, v & 0xFFFFu);
  pcapng_u16(s, v >> 16);
}

static void pcapng_padded(out_buf *s, const char *octets, size_t n) {
  out_put(s, octets, n);
  out_fill(s, '\0', (4 - n % 4) % 4);
}

static void pcapng_option(out_buf *s, uint32_t code, const char *octets, size_t n) {
  pcapng_u16(s, code);
  pcapng_u16(s, (uint32_t)n);
  pcapng_padded(s, octets, n);
}

/* A block stands between its length, given twice. */
static void pcapng_block(out_buf *s, uint32_t type, const out_buf *body) {
  const uint32_t total = (uint32_t)body->len + 12;
  pcapng_u32(s, type);
  pcapng_u32(s, total);
  out_put(s, body->buf, body->len);
  pcapng_u32(s, total);
}

/* LINKTYPE and DLT values are equal, except raw IP, whose DLT depends on the system. */
static uint32_t pcapng_link(int link_type) {
  return link_type == 12 || link_type == 14 ? 101u : (uint32_t)link_type;
}

void report_pcapng_begin(out_buf *s) {
  out_buf body;
  out_open_memory(&body);
  pcapng_u32(&body, PCAPNG_MAGIC);
  pcapng_u16(&body, 1); /* version 1.0 */
  pcapng_u16(&body, 0);
  pcapng_u32(&body, UINT32_MAX); /* the length of the section is not given: 64 bits of ones */
  pcapng_u32(&body, UINT32_MAX);
  pcapng_option(&body, PCAPNG_USERAPPL, "iwarp", 5);
  pcapng_option(&body, PCAPNG_END, "", 0);
  pcapng_block(s, PCAPNG_SECTION, &body);
  out_close(&body);
}

void report_pcapng_interface(out_buf *s, int link_type) {
  static const char nanoseconds = PCAPNG_NANOSECONDS;
  out_buf body;
  out_open_memory(&body);
  pcapng_u16(&body, pcapng_link(link_type));
  pcapng_u16(&body, 0);
  pcapng_u32(&body, 0); /* no limit of the octets of a packet */
  pcapng_option(&body, PCAPNG_TSRESOL, &nanoseconds, 1);
  pcapng_option(&body, PCAPNG_END, "", 0);
  pcapng_block(s, PCAPNG_INTERFACE, &body);
  out_close(&body);
}

void report_pcapng_comment(out_buf *options, const char *text, size_t len) {
  pcapng_option(options, PCAPNG_COMMENT, text,
                len < REPORT_PCAPNG_COMMENT_MAX ? len : REPORT_PCAPNG_COMMENT_MAX);
}

void report_pcapng_packet_put(out_buf *s, const report_pcapng_packet *packet,
                              const out_buf *options) {
  out_buf body;
  out_open_memory(&body);
  pcapng_u32(&body, packet->interface);
  pcapng_u32(&body, (uint32_t)(packet->time_ns >> 32));
  pcapng_u32(&body, (uint32_t)packet->time_ns);
  pcapng_u32(&body, packet->captured);
  pcapng_u32(&body, packet->length);
  pcapng_padded(&body, (const char *)packet->octets, packet->captured);
  if (options->len > 0) {
    out_put(&body, options->buf, options->len);
    pcapng_option(&body, PCAPNG_END, "", 0);
  }
  pcapng_block(s, PCAPNG_PACKET, &body);
  out_close(&body);
}
