/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that are written again. */
#include "check_run.h"
#include "tcp_fixture.h"

#include <ingest/rewrite.h>

enum { RAW = 101, ETHERNET = 14, IP4 = 20, IP6 = 40, TCP_SUM = 16 };

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

static ingest_rewrite *begin(const ingest_alloc *alloc) {
  static const uint64_t key[2] = {1, 2};
  const ingest_rewriter to = {.mac = flip_mac,
                              .ip = flip_ip,
                              .port = flip_port,
                              .stream = flip_stream,
                              .other = flip_other,
                              .port_seen = port_seen,
                              .keep = keep,
                              .load = load};
  ingest_rewrite *r = ingest_rewrite_new(alloc, key, &to);
  ck_assert_ptr_nonnull(r);
  return r;
}

/* ---- checksums ---- */

/* The kind of the checksum of a segment in a packet of IPv4 without options. RFC 9293 3.1 */
static tcp_fixture_sum kind_of(const uint8_t *packet, size_t len) {
  const uint32_t tcp_len = (uint32_t)(len - IP4);
  const uint32_t without_length = tcp_fixture_add(6, packet + 12, 8); /* protocol, addresses */
  const uint32_t pseudo = tcp_fixture_add(6 + tcp_len, packet + 12, 8);
  const uint32_t field = tcp_fixture_add(0, packet + IP4 + TCP_SUM, 2);
  if (tcp_fixture_add(pseudo, packet + IP4, tcp_len) == 0xffff) {
    return SUM_GOOD;
  }
  return field == pseudo           ? SUM_PARTIAL
         : field == without_length ? SUM_PARTIAL_LSO
         : field == 0              ? SUM_ZERO
                                   : SUM_BAD;
}

/* With some wrong checksums, the change of the octets leads to the value that a network card would
 * complete. The rewritten packet must not have it. */
START_TEST(a_checksum_keeps_its_kind)
{
  tcp_fixture *w = tcp_fixture_with(4, "some octets");
  ingest_rewrite *r = begin(&w->cfg.alloc);
  uint8_t *packet = w->packet + ETHERNET;
  uint8_t out[128];
  unsigned num[SUM_ZERO + 1] = {0};
  const ingest_packet pkt = {.data = packet,
                             .caplen = w->packet_len - ETHERNET,
                             .len = w->packet_len - ETHERNET,
                             .link_type = RAW};
  ck_assert_uint_le(pkt.caplen, sizeof out);
  ck_assert(ingest_rewrite_learn(r, &pkt));
  for (uint32_t sum = 0; sum <= UINT16_MAX; sum++) {
    packet[IP4 + TCP_SUM] = (uint8_t)(sum >> 8);
    packet[IP4 + TCP_SUM + 1] = (uint8_t)sum;
    const tcp_fixture_sum due = kind_of(packet, pkt.caplen);
    ck_assert(ingest_rewrite_packet(r, &pkt, out));
    const tcp_fixture_sum got = kind_of(out, pkt.caplen);
    expect(got == due, "%04x: kind %d became %d", (unsigned)sum, (int)due, (int)got);
    num[due]++;
  }
  for (unsigned kind = 0; kind <= SUM_ZERO; kind++) {
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
  ingest_rewrite *r = begin(&w->cfg.alloc);
  uint8_t packet[256];
  uint8_t out[256];
  const size_t len = w->packet_len - ETHERNET + sizeof options;
  ck_assert_uint_le(len, sizeof out);
  memcpy(packet, w->packet + ETHERNET, IP6);
  memcpy(packet + IP6, options, sizeof options);
  memcpy(packet + IP6 + sizeof options, w->packet + ETHERNET + IP6, w->packet_len - ETHERNET - IP6);
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
