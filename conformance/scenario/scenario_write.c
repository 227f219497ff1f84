/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets as a pcap file: Ethernet, IPv4 or IPv6, TCP or SCTP. */
#include "scenario_priv.h"

#include <iwarp/crc32c.h>

#define WRITE_SECONDS 1700000000u
#define WRITE_STEP 10u /* microseconds from packet to packet */
#define WRITE_HEAD_MAX 78u

static void write_le(out_buf *out, uint32_t v, size_t octets) {
  for (size_t i = 0; i < octets; i++) {
    out_char(out, (char)(v >> 8 * i & 255u));
  }
}

/* The sum of RFC 1071 over octets, before it is folded. */
static uint32_t head_sum(uint32_t sum, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    sum += i % 2 == 0 ? (uint32_t)p[i] << 8 : p[i];
  }
  return sum;
}

static uint32_t head_folded(uint32_t sum) {
  while (sum >> 16 != 0) {
    sum = (sum & 0xFFFFu) + (sum >> 16);
  }
  return ~sum & 0xFFFFu;
}

/* 0 or 1: which of the two addresses and ports the sender of a packet has. */
static unsigned int head_end(const scenario *s, const scn_packet *p) {
  return s->swapped ? 1u - p->side : p->side;
}

static size_t head_link(const scenario *s, const scn_packet *p, uint8_t *h) {
  static const uint8_t macs[2][6] = {{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}};
  const unsigned int end = head_end(s, p);
  size_t n = 12;
  memcpy(h, macs[1 - end], 6);
  memcpy(h + 6, macs[end], 6);
  if (s->vlan) {
    scn_put_16(h + n, 0x8100);
    scn_put_16(h + n + 2, 7);
    n += 4;
  }
  scn_put_16(h + n, s->ipv6 ? 0x86DDu : 0x0800u);
  return n + 2;
}

/* Writes the header, and adds its addresses to the sum of a TCP header after it. */
static size_t head_ip(const scenario *s, const scn_packet *p, uint8_t *h, uint32_t *sum) {
  const uint32_t len = (s->sctp ? 12u : 20u) + (uint32_t)p->len;
  const uint8_t proto = s->sctp ? 132 : 6;
  const unsigned int end = head_end(s, p);
  memset(h, 0, 40);
  if (s->ipv6) {
    h[0] = 0x60;
    scn_put_16(h + 4, len);
    h[6] = proto;
    h[7] = 64;
    h[8] = h[24] = 0xFD;
    h[23] = (uint8_t)(1 + end);
    h[39] = (uint8_t)(2 - end);
    *sum = head_sum(len + 6, h + 8, 32);
    return 40;
  }
  h[0] = 0x45;
  scn_put_16(h + 2, 20 + len);
  scn_put_16(h + 6, 0x4000);
  h[8] = 64;
  h[9] = proto;
  scn_put_32(h + 12, 0x0A000001u + end);
  scn_put_32(h + 16, 0x0A000002u - end);
  scn_put_16(h + 10, head_folded(head_sum(0, h, 20)));
  *sum = head_sum(len + 6, h + 12, 8);
  return 20;
}

static void head_ports(const scenario *s, const scn_packet *p, uint8_t *h) {
  static const uint32_t ports[2] = {40000, 7174};
  const unsigned int end = head_end(s, p);
  scn_put_16(h, ports[end]);
  scn_put_16(h + 2, ports[1 - end]);
}

static size_t head_tcp(const scenario *s, const scn_packet *p, uint8_t *h, uint32_t sum) {
  memset(h, 0, 20);
  head_ports(s, p, h);
  scn_put_32(h + 4, s->isn + p->seq);
  scn_put_32(h + 8, (p->flags & SCN_ACK) != 0 ? s->isn + p->ack : 0);
  h[12] = 0x50;
  h[13] = p->flags;
  scn_put_16(h + 14, 65535);
  scn_put_16(h + 16, head_folded(head_sum(head_sum(sum, h, 20), p->octets, p->len)));
  return 20;
}

/* An INIT has no tag yet, RFC 9260 8.5.1. */
static uint32_t head_tag(const scn_packet *p) {
  const bool init = p->len > 0 && p->octets[0] == 1;
  return init ? 0 : p->side == 0 ? SCN_TAG_RESPONDER : SCN_TAG_INITIATOR;
}

static size_t head_sctp(const scenario *s, const scn_packet *p, uint8_t *h) {
  memset(h, 0, 12);
  head_ports(s, p, h);
  scn_put_32(h + 4, head_tag(p));
  const uint32_t crc = iwarp_crc32c(iwarp_crc32c(0, h, 12), p->octets, p->len);
  for (size_t i = 0; i < 4; i++) { /* the least significant octet first */
    h[8 + i] = (uint8_t)(crc >> 8 * i ^ (p->checksum_bad ? 0x5Au : 0));
  }
  return 12;
}

/* The smaller one of a length and a limit, which is none where it is 0. */
static size_t write_least(size_t len, size_t limit) {
  return limit > 0 && limit < len ? limit : len;
}

static void write_packet(const scenario *s, const scn_packet *p, size_t i, out_buf *out) {
  uint8_t head[WRITE_HEAD_MAX];
  uint32_t sum = 0;
  size_t n = head_link(s, p, head);
  n += head_ip(s, p, head + n, &sum);
  n += s->sctp ? head_sctp(s, p, head + n) : head_tcp(s, p, head + n, sum);
  const size_t len = n + p->len;
  const size_t captured = write_least(write_least(len, s->snaplen), p->snap);
  const uint64_t at = (uint64_t)i * WRITE_STEP;
  write_le(out, WRITE_SECONDS + (uint32_t)(at / 1000000u), 4);
  write_le(out, (uint32_t)(at % 1000000u), 4);
  write_le(out, (uint32_t)captured, 4);
  write_le(out, (uint32_t)len, 4);
  out_put(out, (const char *)head, n < captured ? n : captured);
  out_put(out, (const char *)p->octets, captured > n ? captured - n : 0);
}

void scenario_write(const scenario *s, out_buf *out) {
  write_le(out, 0xA1B2C3D4u, 4);
  write_le(out, 2, 2);
  write_le(out, 4, 2);
  write_le(out, 0, 4);
  write_le(out, 0, 4);
  write_le(out, 262144, 4);
  write_le(out, 1, 4);
  for (size_t i = 0; i < s->num; i++) {
    write_packet(s, &s->packets[i], i, out);
  }
}
