/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets as a file: Ethernet, IPv4 or IPv6, TCP or SCTP. */
#include "scenario_priv.h"

#include <iwarp/crc32c.h>

#include <report/pcapng.h>

#define WRITE_SECONDS 1700000000u
#define WRITE_STEP 10u /* microseconds from packet to packet */
#define WRITE_AGAIN                                                                                \
  190u /* more microseconds for a retransmission: a mirror port's copy comes sooner */
#define WRITE_HEAD_MAX 96u
#define WRITE_ETHERNET 1          /* link type */
#define FRAGMENT_HEAD ((size_t)8) /* octets of the IPv6 Fragment header */

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

static bool head_six(const scenario *s, const scn_packet *p) {
  return s->traced ? s->conns[p->conn]->ends[0].ipv6 : s->ipv6;
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
  scn_put_16(h + n, head_six(s, p) ? 0x86DDu : 0x0800u);
  return n + 2;
}

static void head_trace_address(const scenario_end *end, uint8_t *h) {
  memcpy(h, end->address, end->ipv6 ? 16 : 4);
}

/* Replaces the addresses of scenarios by the addresses of a connection of a trace. */
static void head_trace(const scenario *s, const scn_packet *p, uint8_t *h) {
  const scenario_end *ends = s->conns[p->conn]->ends;
  const size_t at = ends[0].ipv6 ? 8 : 12;
  const size_t len = ends[0].ipv6 ? 16 : 4;
  head_trace_address(&ends[p->side], h + at);
  head_trace_address(&ends[1 - p->side], h + at + len);
}

/* Writes the header, and adds its addresses to the sum of a TCP header after it. */
static size_t head_ip(const scenario *s, const scn_packet *p, uint8_t *h, uint32_t *sum) {
  const uint32_t len = (s->sctp ? 12u : 20u) + (uint32_t)p->len;
  const uint8_t proto = s->sctp ? 132 : 6;
  const unsigned int end = head_end(s, p);
  memset(h, 0, 40);
  if (head_six(s, p)) {
    h[0] = 0x60;
    scn_put_16(h + 4, len);
    h[6] = proto;
    h[7] = 64;
    h[8] = h[24] = 0xFD;
    h[23] = (uint8_t)(1 + end);
    h[39] = (uint8_t)(2 - end);
    h[22] = p->moved[p->side] ? 1 : 0;
    h[38] = p->moved[1 - p->side] ? 1 : 0;
    if (s->traced) {
      head_trace(s, p, h);
    }
    *sum = head_sum(len + 6, h + 8, 32);
    return 40;
  }
  h[0] = 0x45;
  scn_put_16(h + 2, 20 + len);
  scn_put_16(h + 6, 0x4000);
  h[8] = 64;
  h[9] = proto;
  scn_put_32(h + 12, 0x0A000001u + end + (p->moved[p->side] ? 0x10000u : 0));
  scn_put_32(h + 16, 0x0A000002u - end + (p->moved[1 - p->side] ? 0x10000u : 0));
  if (s->traced) {
    head_trace(s, p, h);
  }
  scn_put_16(h + 10, head_folded(head_sum(0, h, 20)));
  *sum = head_sum(len + 6, h + 12, 8);
  return 20;
}

static void head_ports(const scenario *s, const scn_packet *p, uint8_t *h) {
  const scn_conn *conn = s->conns[p->conn];
  const uint32_t ports[2] = {s->traced ? conn->ends[0].port : conn->port,
                             s->traced ? conn->ends[1].port : 7174};
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
  return init ? 0 : scn_tag(p->conn, 1 - p->side);
}

static size_t head_sctp(const scenario *s, const scn_packet *p, uint8_t *h) {
  memset(h, 0, 12);
  head_ports(s, p, h);
  scn_put_32(h + 4, head_tag(p));
  const uint32_t crc = iwarp_crc32c(iwarp_crc32c(0, h, 12), p->octets, p->len);
  for (size_t i = 0; i < 4; i++) { /* the least significant octet first */
    const uint32_t octet = crc >> 8 * i ^ (p->checksum == SCN_CHECKSUM_BAD ? 0x5Au : 0);
    h[8 + i] = (uint8_t)(p->checksum == SCN_CHECKSUM_ZERO ? 0 : octet);
  }
  return 12;
}

/* The smaller one of a length and a limit; a limit of 0 does not count. */
static size_t write_least(size_t len, size_t limit) {
  return limit > 0 && limit < len ? limit : len;
}

/* A file in the making. */
typedef struct writing {
  out_buf *out;
  scenario_file format;
  size_t num;     /* records */
  uint64_t again; /* microseconds that packets sent again came later */
} writing;

/* A frame is a head and octets. */
typedef struct write_frame {
  uint8_t head[WRITE_HEAD_MAX];
  size_t link; /* octets of the head before the IP header */
  size_t ip;   /* octets of the head up to the end of the IP header */
  size_t head_len;
  const uint8_t *octets;
  size_t len;
} write_frame;

/* The record of a frame with `captured` octets, `at` microseconds after the first frame. */
static void record_pcap(const write_frame *f, size_t captured, uint64_t at, out_buf *out) {
  const size_t head = write_least(f->head_len, captured);
  write_le(out, WRITE_SECONDS + (uint32_t)(at / 1000000u), 4);
  write_le(out, (uint32_t)(at % 1000000u), 4);
  write_le(out, (uint32_t)captured, 4);
  write_le(out, (uint32_t)(f->head_len + f->len), 4);
  out_put(out, (const char *)f->head, head);
  out_put(out, (const char *)f->octets, captured - head);
}

static void record_pcapng(const write_frame *f, const scn_packet *p, size_t captured, uint64_t at,
                          out_buf *out) {
  static uint8_t octets[SCN_OCTETS_MAX + WRITE_HEAD_MAX];
  out_buf options;
  const size_t head = write_least(f->head_len, captured);
  const report_pcapng_packet packet = {.octets = octets,
                                       .captured = (uint32_t)captured,
                                       .length = (uint32_t)(f->head_len + f->len),
                                       .time_ns = at};
  memcpy(octets, f->head, head);
  if (captured > head) {
    memcpy(octets + head, f->octets, captured - head);
  }
  out_open_memory(&options);
  if (p->comment != NULL) {
    report_pcapng_comment(&options, p->comment, strlen(p->comment));
  }
  report_pcapng_packet_put(out, &packet, &options);
  out_close(&options);
}

static void write_record(const scenario *s, const scn_packet *p, const write_frame *f, writing *w) {
  const size_t whole = f->head_len + f->len;
  const size_t captured = write_least(write_least(whole, s->snaplen), p->snap);
  const uint64_t at = (uint64_t)w->num++ * WRITE_STEP + w->again;
  if (w->format == SCENARIO_PCAP) {
    record_pcap(f, captured, at, w->out);
  } else {
    record_pcapng(f, p, captured,
                  s->traced ? p->time_ns : ((uint64_t)WRITE_SECONDS * 1000000u + at) * 1000u,
                  w->out);
  }
}

/* Makes a frame a fragment of the IP packet with this number: its octets begin at `at`; `more`:
 * fragments follow. RFC 791 3.2, RFC 8200 4.5. */
static void fragment_head(const scenario *s, write_frame *f, size_t at, bool more, uint32_t id) {
  uint8_t *ip = f->head + f->link;
  if (s->ipv6) {
    memset(ip + 40, 0, FRAGMENT_HEAD);
    ip[40] = ip[6];
    ip[6] = 44;
    scn_put_16(ip + 4, (uint32_t)(f->len + FRAGMENT_HEAD));
    scn_put_16(ip + 42, (uint32_t)at | (more ? 1u : 0));
    scn_put_32(ip + 44, id);
    f->head_len = f->ip + FRAGMENT_HEAD;
    return;
  }
  f->head_len = f->ip;
  scn_put_16(ip + 2, (uint32_t)(f->len + 20));
  scn_put_16(ip + 4, id);
  scn_put_16(ip + 6, (uint32_t)(at / 8) | (more ? 0x2000u : 0));
  scn_put_16(ip + 10, 0);
  scn_put_16(ip + 10, head_folded(head_sum(0, ip, 20)));
}

/* Writes the frame of a packet as IP fragments of at most `mtu` octets. */
static void write_fragments(const scenario *s, const scn_packet *p, const write_frame *f,
                            writing *w, size_t mtu) {
  static uint8_t body[SCN_OCTETS_MAX + WRITE_HEAD_MAX];
  const size_t in_head = f->head_len - f->ip;
  const size_t len = in_head + f->len;
  const size_t room = (mtu - (f->ip - f->link) - (s->ipv6 ? FRAGMENT_HEAD : 0)) / 8 * 8;
  const uint32_t id = (uint32_t)(w->num & 0xFFFFu);
  memcpy(body, f->head + f->ip, in_head);
  memcpy(body + in_head, f->len > 0 ? f->octets : (const uint8_t *)"", f->len);
  for (size_t at = 0; at < len; at += room) {
    write_frame part = *f;
    part.octets = body + at;
    part.len = write_least(len - at, room);
    fragment_head(s, &part, at, at + room < len, id);
    write_record(s, p, &part, w);
  }
}

static void write_packet(const scenario *s, const scn_packet *p, writing *w) {
  write_frame f = {.octets = p->octets, .len = p->len};
  uint32_t sum = 0;
  w->again += p->again && !s->sctp ? WRITE_AGAIN : 0;
  const size_t mtu = p->mtu > 0 ? p->mtu : s->mtu;
  f.link = head_link(s, p, f.head);
  f.ip = f.link + head_ip(s, p, f.head + f.link, &sum);
  f.head_len =
      f.ip + (s->sctp ? head_sctp(s, p, f.head + f.ip) : head_tcp(s, p, f.head + f.ip, sum));
  if (mtu > 0 && f.head_len - f.link + f.len > mtu) {
    write_fragments(s, p, &f, w, mtu);
  } else {
    write_record(s, p, &f, w);
  }
}

static void begin_pcap(out_buf *out) {
  write_le(out, 0xA1B2C3D4u, 4);
  write_le(out, 2, 2);
  write_le(out, 4, 2);
  write_le(out, 0, 4);
  write_le(out, 0, 4);
  write_le(out, 262144, 4);
  write_le(out, WRITE_ETHERNET, 4);
}

void scenario_write(const scenario *s, scenario_file format, out_buf *out) {
  writing w = {.out = out, .format = format};
  if (format == SCENARIO_PCAPNG) {
    report_pcapng_begin(out, s->traced ? SCENARIO_TRACE_COMMENT : NULL);
    report_pcapng_interface(out, WRITE_ETHERNET);
  } else {
    begin_pcap(out);
  }
  for (size_t i = 0; i < s->num; i++) {
    write_packet(s, &s->packets[i], &w);
  }
}
