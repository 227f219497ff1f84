/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets as a pcap file: Ethernet, IPv4 or IPv6, TCP. */
#include "scenario_priv.h"

#define WRITE_SECONDS 1700000000u
#define WRITE_STEP 10u /* microseconds from packet to packet */
#define WRITE_HEAD_MAX 78u

static void write_le(out_buf *out, uint32_t v, size_t octets) {
  for (size_t i = 0; i < octets; i++) {
    out_char(out, (char)(v >> 8 * i & 255u));
  }
}

static size_t head_16(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)(v >> 8);
  p[1] = (uint8_t)v;
  return 2;
}

static size_t head_32(uint8_t *p, uint32_t v) {
  head_16(p, v >> 16);
  head_16(p + 2, v & 0xFFFFu);
  return 4;
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
    n += head_16(h + n, 0x8100);
    n += head_16(h + n, 7);
  }
  return n + head_16(h + n, s->ipv6 ? 0x86DDu : 0x0800u);
}

/* Writes the header, and adds its addresses to the sum of the TCP header after it. */
static size_t head_ip(const scenario *s, const scn_packet *p, uint8_t *h, uint32_t *sum) {
  const uint32_t tcp_len = 20 + (uint32_t)p->len;
  const unsigned int end = head_end(s, p);
  memset(h, 0, 40);
  if (s->ipv6) {
    h[0] = 0x60;
    head_16(h + 4, tcp_len);
    h[6] = 6;
    h[7] = 64;
    h[8] = h[24] = 0xFD;
    h[23] = (uint8_t)(1 + end);
    h[39] = (uint8_t)(2 - end);
    *sum = head_sum(tcp_len + 6, h + 8, 32);
    return 40;
  }
  h[0] = 0x45;
  head_16(h + 2, 20 + tcp_len);
  head_16(h + 6, 0x4000);
  h[8] = 64;
  h[9] = 6;
  head_32(h + 12, 0x0A000001u + end);
  head_32(h + 16, 0x0A000002u - end);
  head_16(h + 10, head_folded(head_sum(0, h, 20)));
  *sum = head_sum(tcp_len + 6, h + 12, 8);
  return 20;
}

static size_t head_tcp(const scenario *s, const scn_packet *p, uint8_t *h, uint32_t sum) {
  static const uint32_t ports[2] = {40000, 7174};
  const unsigned int end = head_end(s, p);
  memset(h, 0, 20);
  head_16(h, ports[end]);
  head_16(h + 2, ports[1 - end]);
  head_32(h + 4, s->isn + p->seq);
  head_32(h + 8, (p->flags & SCN_ACK) != 0 ? s->isn + p->ack : 0);
  h[12] = 0x50;
  h[13] = p->flags;
  head_16(h + 14, 65535);
  head_16(h + 16, head_folded(head_sum(head_sum(sum, h, 20), p->octets, p->len)));
  return 20;
}

static void write_packet(const scenario *s, const scn_packet *p, size_t i, out_buf *out) {
  uint8_t head[WRITE_HEAD_MAX];
  uint32_t sum = 0;
  size_t n = head_link(s, p, head);
  n += head_ip(s, p, head + n, &sum);
  n += head_tcp(s, p, head + n, sum);
  const size_t len = n + p->len;
  const size_t captured = s->snaplen > 0 && len > s->snaplen ? s->snaplen : len;
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
