/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that are written again. */
#include "check_run.h"
#include "tcp_fixture.h"

#include <ingest/rewrite.h>

enum { RAW = 101, IP4 = 20, IP6 = 40, TCP_SUM = 16 };

/* ---- what becomes of addresses, ports and octets ---- */

static void flip_mac(void *ctx, uint8_t octets[6]) {
  (void)ctx;
  octets[5] ^= 0x15;
}

static void flip_ip(void *ctx, uint8_t family, uint8_t *octets) {
  (void)ctx;
  octets[family == 4 ? 3 : 15] ^= 0x23;
}

static uint16_t flip_port(void *ctx, uint8_t protocol, uint16_t port) {
  (void)ctx;
  (void)protocol;
  return port ^ 0x0431;
}

static void flip_octets(uint8_t *octets, size_t len) {
  for (size_t i = 0; i < len; i++) {
    octets[i] ^= 0x5a;
  }
}

static void flip_stream(void *ctx, const ingest_rewritten *where, uint8_t *octets, size_t len) {
  (void)ctx;
  (void)where;
  flip_octets(octets, len);
}

static void flip_other(void *ctx, uint8_t *octets, size_t len) {
  (void)ctx;
  flip_octets(octets, len);
}

static void port_seen(void *ctx, uint16_t port) {
  (void)ctx;
  (void)port;
}

static bool keep(void *ctx, const uint8_t *octets, size_t len) {
  (void)ctx;
  (void)octets;
  (void)len;
  return false;
}

static bool load(void *ctx, uint64_t at, uint8_t *octets, size_t len) {
  (void)ctx;
  (void)at;
  (void)octets;
  (void)len;
  return false;
}

static void *get(void *ctx, size_t size) {
  (void)ctx;
  return calloc(1, size);
}

static void put(void *ctx, void *ptr, size_t size) {
  (void)ctx;
  (void)size;
  free(ptr);
}

static ingest_rewrite *begin(void) {
  static const uint64_t key[2] = {1, 2};
  const ingest_alloc alloc = {.get = get, .put = put};
  const ingest_rewriter to = {.mac = flip_mac,
                              .ip = flip_ip,
                              .port = flip_port,
                              .stream = flip_stream,
                              .other = flip_other,
                              .port_seen = port_seen,
                              .keep = keep,
                              .load = load};
  ingest_rewrite *r = ingest_rewrite_new(&alloc, key, &to);
  ck_assert_ptr_nonnull(r);
  return r;
}

/* ---- checksums ---- */

typedef enum sum_kind {
  KIND_RIGHT = 0,
  KIND_UNFINISHED,     /* left to the card, with the length */
  KIND_UNFINISHED_LSO, /* without the length */
  KIND_NONE,
  KIND_WRONG
} sum_kind;

static uint32_t folded(uint32_t sum) {
  sum = (sum & 0xffff) + (sum >> 16);
  return (sum & 0xffff) + (sum >> 16);
}

static uint32_t words(const uint8_t *octets, size_t len) {
  uint32_t sum = 0;
  for (size_t i = 0; i < len; i++) {
    sum += i % 2 == 0 ? (uint32_t)octets[i] << 8 : octets[i];
  }
  return sum;
}

/* The kind of the checksum of a segment in a packet of IPv4 without options. RFC 9293 3.1 */
static sum_kind kind_of(const uint8_t *packet, size_t len) {
  const uint32_t addresses = words(packet + 12, 8) + 6;
  const uint32_t field = words(packet + IP4 + TCP_SUM, 2);
  const uint32_t tcp_len = (uint32_t)(len - IP4);
  if (folded(addresses + tcp_len + words(packet + IP4, len - IP4)) == 0xffff) {
    return KIND_RIGHT;
  }
  return field == folded(addresses + tcp_len) ? KIND_UNFINISHED
         : field == folded(addresses)         ? KIND_UNFINISHED_LSO
         : field == 0                         ? KIND_NONE
                                              : KIND_WRONG;
}

/* Among the wrong ones are those that become, by the change of the octets, just the one that a card
 * is left. */
START_TEST(a_checksum_keeps_its_kind)
{
  tcp_fixture *w = tcp_fixture_with(4, "some octets");
  ingest_rewrite *r = begin();
  uint8_t *packet = w->packet + 14;
  uint8_t out[128];
  unsigned num[KIND_WRONG + 1] = {0};
  const ingest_packet pkt = {
      .data = packet, .caplen = w->packet_len - 14, .len = w->packet_len - 14, .link_type = RAW};
  ck_assert_uint_le(pkt.caplen, sizeof out);
  ck_assert(ingest_rewrite_learn(r, &pkt));
  for (uint32_t sum = 0; sum <= UINT16_MAX; sum++) {
    packet[IP4 + TCP_SUM] = (uint8_t)(sum >> 8);
    packet[IP4 + TCP_SUM + 1] = (uint8_t)sum;
    const sum_kind due = kind_of(packet, pkt.caplen);
    ck_assert(ingest_rewrite_packet(r, &pkt, out));
    const sum_kind got = kind_of(out, pkt.caplen);
    expect(got == due, "%04x: kind %d became %d", (unsigned)sum, (int)due, (int)got);
    num[due]++;
  }
  for (unsigned kind = 0; kind <= KIND_WRONG; kind++) {
    expect(num[kind] > 0, "kind %u", kind);
  }
  ingest_rewrite_free(r);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* ---- IPv6 ---- */

/* No reader needs the octets of the padding. */
START_TEST(the_shortest_options_of_ipv6)
{
  static const uint8_t options[] = {6, 0, 1, 4, 's', 'e', 'c', 'r'};
  static const uint8_t due[] = {6, 0, 1, 4, 0, 0, 0, 0};
  tcp_fixture *w = tcp_fixture_with(6, "some octets");
  ingest_rewrite *r = begin();
  uint8_t packet[256];
  uint8_t out[256];
  const size_t len = w->packet_len - 14 + sizeof options;
  ck_assert_uint_le(len, sizeof out);
  memcpy(packet, w->packet + 14, IP6);
  memcpy(packet + IP6, options, sizeof options);
  memcpy(packet + IP6 + sizeof options, w->packet + 14 + IP6, w->packet_len - 14 - IP6);
  packet[5] = (uint8_t)(len - IP6);
  packet[6] = 0; /* hop by hop */
  const ingest_packet pkt = {.data = packet, .caplen = len, .len = len, .link_type = RAW};
  ck_assert(ingest_rewrite_learn(r, &pkt));
  ck_assert(ingest_rewrite_packet(r, &pkt, out));
  ck_assert_mem_eq(out + IP6, due, sizeof due);
  ingest_rewrite_free(r);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {a_checksum_keeps_its_kind, the_shortest_options_of_ipv6, NULL};
  return check_run(check_suite("ingest-rewrite", tests));
}
