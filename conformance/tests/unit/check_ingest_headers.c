/* SPDX-License-Identifier: BSD-2-Clause */
/* The readers of single headers, at the last octet that they may read and one before it. */
#include "check_run.h"

#include "ingest/conn.h"
#include "ingest/decap/decap.h"

#include <stdlib.h>
#include <string.h>

#define OCTETS 128u

static uint8_t octets[OCTETS];
static ing_ip ip;

static ing_span captured(size_t cap, size_t len) {
  return (ing_span){.data = octets, .cap = cap, .len = len};
}

/* ---- spans ---- */

START_TEST(what_was_not_captured_is_zero)
{
  memset(octets, 0xA5, sizeof(octets));
  const ing_span s = captured(4, 9);
  expect(ing_u8(&s, 3) == 0xA5 && ing_u8(&s, 4) == 0, "an octet");
  expect(ing_be16(&s, 2) == 0xA5A5 && ing_be16(&s, 3) == 0xA500 && ing_be16(&s, 4) == 0, "two");
  expect(ing_be32(&s, 0) == 0xA5A5A5A5 && ing_be32(&s, 1) == 0xA5A5A500, "four");
}
END_TEST

START_TEST(copies_are_whole_or_nothing)
{
  uint8_t to[4] = {9, 9, 9, 9};
  memcpy(octets, "abcd", 4);
  const ing_span s = captured(4, 9);
  expect(ing_copy(&s, 1, to, 3) && memcmp(to, "bcd\x09", 4) == 0, "to the last octet");
  expect(!ing_copy(&s, 2, to, 3) && memcmp(to, "bcd\x09", 4) == 0, "one too many");
  expect(ing_copy(&s, 4, to, 0) && !ing_copy(&s, 5, to, 0), "none, at the end and past it");
}
END_TEST

START_TEST(skipping_what_was_cut_off)
{
  ing_span s = captured(4, 9);
  expect(ing_skip(&s, 3) && s.data == octets + 3 && s.cap == 1 && s.len == 6, "captured");
  expect(ing_skip(&s, 2) && s.data == octets + 4 && s.cap == 0 && s.len == 4, "in part");
  expect(!ing_skip(&s, 5) && s.len == 4, "more than there is");
  expect(ing_skip(&s, 4) && s.len == 0, "all");
}
END_TEST

START_TEST(a_length_may_be_shorter_or_longer)
{
  ing_span s = captured(4, 9);
  ing_set_len(&s, 12);
  expect(s.cap == 4 && s.len == 12, "longer");
  ing_set_len(&s, 4);
  expect(s.cap == 4 && s.len == 4, "as captured");
  ing_set_len(&s, 3);
  expect(s.cap == 3 && s.len == 3, "shorter");
}
END_TEST

/* ---- link layers ---- */

/* Returns true if so many captured octets of this link layer are enough. */
static bool link_opens(int type, size_t cap, size_t *left) {
  ing_decap d;
  const ing_span s = captured(cap, OCTETS);
  (void)ing_decap_open(
      &d, &(ingest_packet){.data = s.data, .caplen = s.cap, .len = s.len, .link_type = type});
  *left = d.rest.len;
  return d.kind == INGEST_UNREAD_HEADER && d.space == DECAP_ETHERTYPE; /* no IP is there */
}

START_TEST(link_headers_cut_at_their_end)
{
  static const struct {
    int type;
    size_t at; /* of the EtherType */
    size_t size;
  } cases[] = {{1, 12, 14}, {113, 14, 16}, {276, 0, 20}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    size_t left = 0;
    memset(octets, 0, sizeof(octets));
    octets[cases[i].at] = 8;
    expect(link_opens(cases[i].type, cases[i].size, &left), "link type %d", cases[i].type);
    expect(left == OCTETS - cases[i].size, "link type %d: %zu left", cases[i].type, left);
    expect(!link_opens(cases[i].type, cases[i].size - 1, &left), "link type %d", cases[i].type);
    octets[cases[i].at] = 0x81;
    octets[cases[i].size + 2] = 8;
    expect(link_opens(cases[i].type, cases[i].size + 4, &left), "tagged %d", cases[i].type);
    expect(left == OCTETS - cases[i].size - 4, "tagged %d: %zu left", cases[i].type, left);
    expect(!link_opens(cases[i].type, cases[i].size + 3, &left), "tagged %d", cases[i].type);
  }
}
END_TEST

START_TEST(address_families)
{
  size_t left = 0;
  memset(octets, 0, sizeof(octets));
  octets[0] = 2;
  expect(link_opens(0, 4, &left) && left == OCTETS - 4, "little-endian");
  expect(!link_opens(0, 3, &left), "cut");
  octets[1] = 1;
  expect(!link_opens(0, 4, &left), "little-endian 258");
  memcpy(octets, "\x00\x00\x01\x02", 4);
  expect(!link_opens(0, 4, &left), "big-endian 258");
  memcpy(octets, "\x02\x00\x01\x00", 4);
  expect(!link_opens(0, 4, &left), "little-endian 65538");
  memcpy(octets, "\x00\x00\x00\x1e", 4);
  expect(link_opens(0, 4, &left), "big-endian 30");
}
END_TEST

/* ---- IPv4 ---- */

static void v4(uint8_t words, uint16_t total) {
  memset(octets, 0, sizeof(octets));
  octets[0] = (uint8_t)(0x40 | words);
  octets[2] = (uint8_t)(total >> 8);
  octets[3] = (uint8_t)total;
  octets[9] = ING_PROTO_TCP;
}

static bool v4_opens(size_t cap, size_t len) {
  const ing_span s = captured(cap, len);
  return ing_ip_open(ING_ETHERTYPE_IPV4, &s, &ip);
}

START_TEST(ipv4_headers)
{
  v4(5, 40);
  expect(v4_opens(60, 60) && ip.body.len == 20 && ip.body.data == octets + 20, "shortest");
  expect(v4_opens(20, 60) && ip.body.cap == 0 && ip.body.len == 20, "nothing of the body");
  expect(!v4_opens(19, 60), "cut");
  v4(4, 40);
  expect(!v4_opens(60, 60), "four words");
  v4(15, 60);
  expect(v4_opens(60, 60) && ip.body.len == 0, "longest");
  v4(15, 59);
  expect(!v4_opens(60, 60), "longer than the packet");
  v4(5, 0);
  expect(v4_opens(60, 70) && ip.body.len == 50, "no length");
  v4(5, 80);
  expect(v4_opens(60, 60) && ip.body.len == 60, "longer than the link layer has");
}
END_TEST

START_TEST(ipv4_fragments)
{
  v4(5, 40);
  octets[4] = 0x12;
  octets[5] = 0x34;
  expect(v4_opens(60, 60) && !ip.fragment && !ip.more && ip.offset == 0, "none");
  octets[6] = 0x40; /* Don't Fragment */
  expect(v4_opens(60, 60) && !ip.fragment, "none, and never");
  octets[6] = 0x20;
  expect(v4_opens(60, 60) && ip.fragment && ip.more && ip.offset == 0, "the first");
  octets[6] = 0x1F;
  octets[7] = 0xFF;
  expect(v4_opens(60, 60) && ip.fragment && !ip.more && ip.offset == 65528, "the last");
  expect(ip.id == 0x1234, "its number");
}
END_TEST

/* The options begin at octet 20; whether one of them is a source route. */
static bool routed(uint8_t words, const char *options, size_t len) {
  v4(words, 80);
  memcpy(octets + 20, options, len);
  return v4_opens(100, 100) && ip.dst_routed;
}

START_TEST(source_routes)
{
  expect(!routed(5, "\x83\x03\x04", 3), "no options");
  expect(routed(6, "\x83\x03\x04", 3), "loose");
  expect(routed(6, "\x89\x03\x04", 3), "strict");
  expect(!routed(6, "\x82\x03\x04", 3) && !routed(6, "\x84\x03\x04", 3), "others");
  expect(routed(6, "\x01\x01\x01\x83", 4), "the last octet");
  expect(!routed(6, "\x01\x01\x01\x01\x83", 5), "the octet past the last");
  expect(!routed(6, "\x00\x83\x03\x04", 4), "after the end of the options");
  expect(routed(7, "\x44\x05\x83\x83\x83\x83\x03\x04", 8), "after another one");
  expect(!routed(7, "\x44\x06\x83\x83\x83\x83\x00\x00", 8), "only inside of another one");
  expect(!routed(6, "\x07\x00\x83\x03", 4), "after one without a length");
}
END_TEST

/* ---- IPv6 ---- */

static void v6(uint8_t next, uint16_t length) {
  memset(octets, 0, sizeof(octets));
  octets[0] = 0x60;
  octets[4] = (uint8_t)(length >> 8);
  octets[5] = (uint8_t)length;
  octets[6] = next;
}

static bool v6_opens(size_t cap, size_t len) {
  const ing_span s = captured(cap, len);
  return ing_ip_open(ING_ETHERTYPE_IPV6, &s, &ip);
}

START_TEST(ipv6_headers)
{
  v6(ING_PROTO_TCP, 20);
  expect(v6_opens(70, 70) && ip.body.len == 20 && ip.body.data == octets + 40, "plain");
  expect(v6_opens(40, 70) && ip.body.cap == 0 && ip.body.len == 20, "nothing of the body");
  expect(!v6_opens(39, 70), "cut");
  v6(ING_PROTO_TCP, 0);
  expect(v6_opens(70, 90) && ip.body.len == 50, "no length");
  v6(ING_PROTO_TCP, 0x0102);
  expect(v6_opens(70, 400) && ip.body.len == 0x0102, "both octets of the length");
}
END_TEST

START_TEST(extensions_cut_at_their_end)
{
  v6(60, 60); /* Destination Options of 16 octets */
  octets[40] = ING_PROTO_TCP;
  octets[41] = 1;
  expect(v6_opens(56, 100) && ip.body.len == 44 && ip.next == ING_PROTO_TCP, "all of it");
  expect(!v6_opens(55, 100), "an octet less");
  v6(51, 60); /* an Authentication Header of 12 octets */
  octets[40] = ING_PROTO_TCP;
  octets[41] = 1;
  expect(v6_opens(52, 100) && ip.body.len == 48, "all of it");
  expect(!v6_opens(51, 100), "an octet less");
}
END_TEST

START_TEST(routing_headers)
{
  v6(43, 60);
  octets[40] = ING_PROTO_TCP;
  expect(v6_opens(100, 100) && !ip.dst_routed, "at its last address");
  octets[43] = 1;
  expect(v6_opens(100, 100) && ip.dst_routed, "one to go");
  octets[40] = 43; /* a second one, at its last address */
  octets[48] = ING_PROTO_TCP;
  expect(v6_opens(100, 100) && ip.dst_routed, "the first counts too");
}
END_TEST

START_TEST(ipv6_fragments)
{
  v6(44, 60);
  octets[40] = ING_PROTO_TCP;
  octets[41] = 200; /* reserved: no length */
  octets[44] = 1;
  octets[47] = 9;
  expect(v6_opens(100, 100) && !ip.fragment && ip.body.len == 52, "a whole one");
  octets[43] = 1;
  expect(v6_opens(100, 100) && ip.fragment && ip.more && ip.offset == 0, "the first");
  expect(ip.id == 0x01000009, "its number");
  octets[42] = 0xFF;
  octets[43] = 0xFE;
  expect(v6_opens(100, 100) && ip.fragment && !ip.more && ip.offset == 0xFFF8, "the last");
}
END_TEST

/* A hop-by-hop header of 16 octets with an option at `at`, and 8 octets of body. */
static size_t jumbo(size_t at, uint8_t next, size_t cap) {
  v6(next, 0);
  octets[40] = ING_PROTO_TCP;
  octets[41] = 1;
  octets[42] = 1; /* PadN up to the option */
  octets[43] = (uint8_t)(at - 44);
  memset(octets + 44, 0xFF, at > 44 ? at - 44 : 0);
  octets[at] = 0xC2;
  octets[at + 1] = 4;
  octets[at + 5] = 19;
  return v6_opens(cap, 100) ? ip.body.len : SIZE_MAX;
}

START_TEST(lengths_of_jumbograms)
{
  expect(jumbo(46, 0, 100) == 3, "in the middle");
  expect(jumbo(50, 0, 100) == 3, "at the end");
  expect(jumbo(51, 0, 100) == 44, "an octet past the end");
  expect(jumbo(50, 0, 56) == 3, "captured to its end");
  expect(jumbo(50, 0, 55) == SIZE_MAX, "cut");
  v6(ING_PROTO_TCP, 0);
  octets[42] = 0xC2; /* of a TCP header */
  octets[47] = 3;
  expect(v6_opens(100, 100) && ip.body.len == 60, "no hop-by-hop header");
  v6(0, 24);
  octets[40] = ING_PROTO_TCP;
  octets[42] = 0xC2;
  octets[43] = 4;
  octets[47] = 9;
  expect(v6_opens(100, 100) && ip.body.len == 16, "it has a length");
}
END_TEST

/* ---- TCP ---- */

static ing_segment seg;

static bool tcp_opens(uint8_t words, size_t cap, size_t len) {
  octets[12] = (uint8_t)(words << 4);
  ip.body = captured(cap, len);
  return ing_tcp_open(&ip, &seg);
}

START_TEST(tcp_headers)
{
  memset(&ip, 0, sizeof(ip));
  for (unsigned i = 0; i < OCTETS; i++) {
    octets[i] = (uint8_t)(i + 1);
  }
  ip.family = 4;
  memcpy(ip.src, "\x0a\x00\x00\x01", 4);
  memcpy(ip.dst, "\x0a\x00\x00\x02", 4);
  expect(tcp_opens(5, 60, 60) && seg.payload.len == 40, "shortest");
  expect(seg.src.port == 0x0102 && seg.dst.port == 0x0304, "ports");
  expect(seg.src.ip[3] == 1 && seg.dst.ip[3] == 2 && seg.src.family == 4, "addresses");
  expect(seg.seq == 0x05060708 && seg.ack == 0x090A0B0C && seg.flags == 14, "fields");
  expect(seg.sum == ING_SUM_BAD, "its checksum");
  expect(tcp_opens(5, 59, 60) && seg.sum == ING_SUM_UNKNOWN, "not all of it captured");
  ip.dst_routed = true;
  expect(tcp_opens(5, 60, 60) && seg.sum == ING_SUM_UNKNOWN, "over another address");
  ip.dst_routed = false;
  expect(tcp_opens(5, 20, 60) && !tcp_opens(5, 19, 60), "cut");
  expect(!tcp_opens(4, 60, 60), "four words");
  expect(tcp_opens(15, 60, 60) && seg.payload.len == 0, "longest");
  expect(!tcp_opens(15, 59, 59), "longer than the packet");
  octets[16] = octets[17] = 0;
  expect(tcp_opens(5, 60, 60) && seg.sum == ING_SUM_UNKNOWN, "left to the card");
}
END_TEST

static void put_u32(uint8_t *at, uint32_t v) {
  for (unsigned i = 0; i < 4; i++) {
    at[i] = (uint8_t)(v >> (24 - 8 * i));
  }
}

/* Opens a header of which the SACK has two blocks that begin so far above the acknowledgment. */
static void open_sack(uint32_t ack, uint32_t first, uint32_t second) {
  static const uint8_t option[4] = {1, 1, 5, 18};
  memset(octets, 0, OCTETS);
  put_u32(octets + 8, ack);
  memcpy(octets + 20, option, sizeof(option));
  put_u32(octets + 24, ack + first);
  put_u32(octets + 28, ack + first + 10);
  put_u32(octets + 32, ack + second);
  put_u32(octets + 36, ack + second + 10);
  ck_assert(tcp_opens(10, 60, 60));
}

/* The lowest block above the acknowledgment counts; one below it is a copy that came again. */
START_TEST(selective_acknowledgments)
{
  static const uint32_t acks[] = {1000, UINT32_MAX - 150};
  for (size_t i = 0; i < sizeof(acks) / sizeof(acks[0]); i++) {
    open_sack(acks[i], 100, 300);
    ck_assert(seg.has_sack && seg.sack_from == acks[i] + 100);
    open_sack(acks[i], 300, 100);
    ck_assert(seg.has_sack && seg.sack_from == acks[i] + 100);
    open_sack(acks[i], (uint32_t)-50, 200);
    ck_assert(seg.has_sack && seg.sack_from == acks[i] + 200);
    open_sack(acks[i], 0, (uint32_t)-50);
    ck_assert(!seg.has_sack);
  }
}
END_TEST

/* ---- checksums ---- */

/* The same sum, word by word. */
static uint16_t sum_of_words(const uint8_t *data, size_t len) {
  uint32_t sum = 0;
  for (size_t i = 0; i < len; i += 2) {
    uint8_t octet[2] = {data[i], i + 1 < len ? data[i + 1] : 0};
    uint16_t word;
    memcpy(&word, octet, sizeof word);
    sum += word;
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return (uint16_t)sum;
}

START_TEST(sums_of_any_length)
{
  uint8_t data[OCTETS];
  uint32_t random = 1;
  for (unsigned kind = 0; kind < 4; kind++) {
    for (size_t i = 0; i < OCTETS; i++) {
      random = random * 1664525u + 1013904223u;
      data[i] = kind == 0 ? 0xff : kind == 1 ? 0 : (uint8_t)(random >> 24);
    }
    for (size_t from = 0; from < 9; from++) {
      for (size_t len = 0; from + len <= OCTETS; len++) {
        const uint16_t is = ing_sum_fold(ing_sum_add(0, data + from, len));
        expect(is == sum_of_words(data + from, len), "kind %u, %zu octets from %zu", kind, len,
               from);
      }
    }
  }
}
END_TEST

/* All octets of the length are in the checksum. */
START_TEST(checksums_of_long_segments)
{
  static const uint32_t lengths[] = {0x103, 0x10203, 0x1020304};
  uint8_t *data = calloc(1, 0x1020304);
  ck_assert_ptr_nonnull(data);
  data[12] = 0x50;
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    const uint32_t len = lengths[i];
    const uint32_t sum = ~((len >> 16) + (len & 0xffff) + ING_PROTO_TCP + 0x5000);
    data[16] = (uint8_t)(sum >> 8);
    data[17] = (uint8_t)sum;
    ip = (ing_ip){.family = 6, .body = {.data = data, .cap = len, .len = len}};
    expect(ing_tcp_open(&ip, &seg) && seg.sum == ING_SUM_GOOD, "%u octets", (unsigned)len);
    data[17] ^= 1;
    expect(ing_tcp_open(&ip, &seg) && seg.sum == ING_SUM_BAD, "%u octets", (unsigned)len);
  }
  free(data);
}
END_TEST

/* ---- ICMP ---- */

/* A port that is unreachable, with the first octets of a segment. Its checksum has
 * bits flipped. */
static bool icmp_opens(uint16_t flipped) {
  enum { ICMP = 20, QUOTED = 28, LEN = 56 };
  static const uint8_t outer[] = {0x45, 0, 0,  LEN, 0, 1, 0x40, 0, 64, 1,
                                  0,    0, 10, 0,   0, 2, 10,   0, 0,  1};
  static const uint8_t inner[] = {0x45, 0, 0,  40, 0, 1, 0x40, 0, 64, 6, 0, 0, 10, 0,
                                  0,    1, 10, 0,  0, 2, 1,    2, 3,  4, 5, 6, 7,  8};
  ing_decap d;
  ing_icmp out;
  memset(octets, 0, sizeof octets);
  memcpy(octets, outer, sizeof outer);
  memcpy(octets + QUOTED, inner, sizeof inner);
  octets[ICMP] = octets[ICMP + 1] = 3;
  const uint16_t sum = (uint16_t)~sum_of_words(octets + ICMP, LEN - ICMP) ^ flipped;
  memcpy(octets + ICMP + 2, &sum, sizeof sum);
  const ingest_packet pkt = {.data = octets, .caplen = LEN, .len = LEN, .link_type = 101};
  const decap_end end = ing_decap_open(&d, &pkt);
  return ing_icmp_open(&out, &d, end);
}

START_TEST(errors_of_icmp_have_a_checksum)
{
  expect(icmp_opens(0), "a right one");
  for (unsigned bit = 0; bit < 16; bit++) {
    expect(!icmp_opens((uint16_t)(1u << bit)), "bit %u is wrong", bit);
  }
}
END_TEST

int main(void) {
  const TTest *const tests[] = {what_was_not_captured_is_zero,
                                copies_are_whole_or_nothing,
                                skipping_what_was_cut_off,
                                a_length_may_be_shorter_or_longer,
                                link_headers_cut_at_their_end,
                                address_families,
                                ipv4_headers,
                                ipv4_fragments,
                                source_routes,
                                ipv6_headers,
                                extensions_cut_at_their_end,
                                routing_headers,
                                ipv6_fragments,
                                lengths_of_jumbograms,
                                tcp_headers,
                                selective_acknowledgments,
                                sums_of_any_length,
                                checksums_of_long_segments,
                                errors_of_icmp_have_a_checksum,
                                NULL};
  return check_run(check_suite("ingest_headers", tests));
}
