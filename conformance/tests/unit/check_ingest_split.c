/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets by connection: both directions have one hash, other ends another one. */
#include <ingest/split.h>

#include "check_run.h"
#include "tcp_fixture.h"

enum { ETHERNET = 1, TAG_LEN = 4 };

/* The segment that was built last, with a VLAN tag or without. */
static uint64_t hash_of(const tcp_fixture *w, bool tagged) {
  uint8_t packet[256];
  const size_t before = 12;
  memcpy(packet, w->packet, before);
  uint8_t *at = packet + before;
  if (tagged) {
    at = tcp_fixture_put16(tcp_fixture_put16(at, 0x8100), 5);
  }
  memcpy(at, w->packet + before, w->packet_len - before);
  const size_t len = w->packet_len + (tagged ? TAG_LEN : 0);
  const ingest_packet pkt = {
      .data = packet, .caplen = (uint32_t)len, .len = (uint32_t)len, .link_type = ETHERNET};
  ingest_encap counts = {0};
  uint64_t hash = 0;
  ck_assert_int_eq(ingest_split_of(&pkt, &hash, &counts), INGEST_SPLIT_ONE);
  return hash;
}

static uint64_t hash_sent(tcp_fixture *w, unsigned side, bool tagged) {
  w->mute = true;
  tcp_fixture_send(w, side, "A", 0, 0, "abc");
  return hash_of(w, tagged);
}

/* Both directions and the ends themselves, with a tag, which is read the long way, and without. */
static void expect_hash(tcp_fixture *w, uint64_t hash) {
  for (unsigned i = 0; i < 4; i++) {
    ck_assert_uint_eq(hash_sent(w, i / 2, i % 2 != 0), hash);
  }
}

START_TEST(both_directions_have_one_hash)
{
  tcp_fixture *w = tcp_fixture_new();
  expect_hash(w, ingest_split_hash(w->end));
  for (unsigned end = 0; end < 2; end++) {
    w->end[end] = (ingest_addr){
        .family = 6, .port = w->end[end].port, .ip = {0xfd, [15] = (uint8_t)(1 + end)}};
  }
  expect_hash(w, ingest_split_hash(w->end));
  tcp_fixture_free(w);
}
END_TEST

/* Each bit of a port or an address makes another connection. */
START_TEST(other_ends_have_another_hash)
{
  tcp_fixture *w = tcp_fixture_new();
  const ingest_addr ends[2] = {w->end[0], w->end[1]};
  const uint64_t hash = hash_sent(w, 0, false);
  for (unsigned bit = 0; bit < 2 * 48; bit++) {
    ingest_addr *end = &w->end[bit / 48];
    if (bit % 48 < 32) {
      end->ip[bit % 48 / 8] ^= (uint8_t)(1u << bit % 8);
    } else {
      end->port ^= (uint16_t)(1u << bit % 48 % 16);
    }
    ck_assert_uint_ne(hash_sent(w, 0, false), hash);
    expect_hash(w, ingest_split_hash(w->end));
    memcpy(w->end, ends, sizeof ends);
  }
  tcp_fixture_free(w);
}
END_TEST

/* Who gets a packet that is no segment of TCP over Ethernet without options. */
static ingest_split split_of(const tcp_fixture *w, size_t at, uint8_t octet, size_t caplen) {
  uint8_t packet[256];
  memcpy(packet, w->packet, w->packet_len);
  packet[at] = octet;
  const ingest_packet pkt = {.data = packet,
                             .caplen = (uint32_t)caplen,
                             .len = (uint32_t)w->packet_len,
                             .link_type = ETHERNET};
  ingest_encap counts = {0};
  uint64_t hash = 0;
  return ingest_split_of(&pkt, &hash, &counts);
}

START_TEST(other_packets_are_for_all_or_none)
{
  tcp_fixture *w = tcp_fixture_new();
  (void)hash_sent(w, 0, false);
  const size_t len = w->packet_len;
  ck_assert_int_eq(split_of(w, 0, 9, len), INGEST_SPLIT_ONE);
  ck_assert_int_eq(split_of(w, 23, 132, len), INGEST_SPLIT_ALL);
  ck_assert_int_eq(split_of(w, 23, 17, len), INGEST_SPLIT_NONE);
  ck_assert_int_eq(split_of(w, 20, 0x20, len), INGEST_SPLIT_ALL); /* more fragments come */
  ck_assert_int_eq(split_of(w, 21, 1, len), INGEST_SPLIT_ALL);
  ck_assert_int_eq(split_of(w, 20, 0x40, len), INGEST_SPLIT_ONE); /* Don't Fragment */
  ck_assert_int_eq(split_of(w, 13, 6, len), INGEST_SPLIT_NONE);   /* ARP */
  ck_assert_int_eq(split_of(w, 0, 9, 54), INGEST_SPLIT_ONE);
  ck_assert_int_eq(split_of(w, 0, 9, 53), INGEST_SPLIT_NONE);
  tcp_fixture_free(w);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {both_directions_have_one_hash, other_ends_have_another_hash,
                                other_packets_are_for_all_or_none, NULL};
  return check_run(check_suite("ingest-split", tests));
}
