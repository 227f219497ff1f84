/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections with the same ends in several VLANs: which packets are whose. */
#include "check_run.h"

#include "ingest/conn.h"
#include "ingest/decap/decap.h"
#include "tcp_fixture.h"

/* The segment that was built last, in a VLAN; 0: in none. */
static void in_vlan(tcp_fixture *w, uint16_t vlan) {
  uint8_t packet[256];
  const size_t before = 12;
  memcpy(packet, w->packet, before);
  uint8_t *at = packet + before;
  if (vlan != 0) {
    at = tcp_fixture_put16(tcp_fixture_put16(at, 0x8100), vlan);
  }
  memcpy(at, w->packet + before, w->packet_len - before);
  const size_t len = (size_t)(at - packet) + w->packet_len - before;
  tcp_fixture_push(w, packet, len, len, 1);
}

static tcp_fixture *fixture(void) {
  tcp_fixture *w = tcp_fixture_new();
  w->mute = true;
  w->name_conns = true;
  return w;
}

static void send_in(tcp_fixture *w, uint16_t vlan, unsigned side, const char *flags, long seq,
                    long ack, const char *payload) {
  w->mute = true;
  tcp_fixture_send(w, side, flags, seq, ack, payload);
  in_vlan(w, vlan);
}

static void shake_in(tcp_fixture *w, uint16_t vlan) {
  send_in(w, vlan, CLIENT, "S", -1, 0, "");
  send_in(w, vlan, SERVER, "SA", -1, 0, "");
  send_in(w, vlan, CLIENT, "A", 0, 0, "");
}

static void starts_at(tcp_fixture *w, uint32_t client, uint32_t server) {
  w->isn[CLIENT] = client;
  w->isn[SERVER] = server;
}

static uint64_t connections(const tcp_fixture *w) {
  return ingest_stats_get(w->ing)->connections;
}

/* More VLANs than a connection remembers are its own as long as its numbers go on. */
START_TEST(one_connection_in_many_vlans)
{
  tcp_fixture *w = fixture();
  shake_in(w, 0);
  for (uint16_t vlan = 1; vlan <= 2 * ING_LANES; vlan++) {
    send_in(w, vlan, CLIENT, "A", vlan - 1, 0, "a");
    send_in(w, 0, SERVER, "A", 0, vlan, "");
  }
  ck_assert_uint_eq(connections(w), 1);
  expect_end(w,
             "aO aD0@0:a aD0@1:a aD0@2:a aD0@3:a aD0@4:a aD0@5:a aD0@6:a aD0@7:a aE0@8C aE1@0C aX");
}
END_TEST

/* Of two connections the one that was made first is closed: the other one goes on, and a third one
 * takes the place of the first. */
START_TEST(the_first_one_is_forgotten)
{
  tcp_fixture *w = fixture();
  starts_at(w, 1000, 7000);
  shake_in(w, 1);
  starts_at(w, 500000, 900000);
  shake_in(w, 2);
  starts_at(w, 1000, 7000);
  send_in(w, 1, CLIENT, "R", 0, 0, "");
  starts_at(w, 90000, 80000);
  shake_in(w, 1);
  starts_at(w, 500000, 900000);
  send_in(w, 2, CLIENT, "A", 0, 0, "b");
  starts_at(w, 90000, 80000);
  send_in(w, 1, CLIENT, "A", 0, 0, "c");
  ck_assert_uint_eq(connections(w), 3);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* The servers' answers distinguish two clients with the same number, whichever comes first.
 */
START_TEST(the_same_syn_in_two_vlans)
{
  for (uint16_t first = 1; first <= 2; first++) {
    tcp_fixture *w = fixture();
    starts_at(w, 1000, 7000);
    send_in(w, 1, CLIENT, "S", -1, 0, "");
    send_in(w, 2, CLIENT, "S", -1, 0, "");
    send_in(w, first, SERVER, "SA", -1, 0, "");
    starts_at(w, 1000, 9000);
    send_in(w, 3u - first, SERVER, "SA", -1, 0, "");
    ck_assert_uint_eq(connections(w), 2);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* Without a SYN numbers far away show another connection, and others do not. */
START_TEST(numbers_show_it)
{
  tcp_fixture *w = fixture();
  starts_at(w, 1000, 7000);
  send_in(w, 1, CLIENT, "A", 0, 0, "abc");
  send_in(w, 2, CLIENT, "A", 3, 0, "def");
  ck_assert_uint_eq(connections(w), 1);
  send_in(w, 3, SERVER, "A", 1000000, 6, "x"); /* one number fits */
  ck_assert_uint_eq(connections(w), 1);
  starts_at(w, 5000000, 7000000);
  send_in(w, 4, CLIENT, "A", 0, 0, "abc");
  ck_assert_uint_eq(connections(w), 2);
  send_in(w, 4, SERVER, "A", 0, 3, "xyz");
  ck_assert_uint_eq(connections(w), 2);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* ---- which octets are the number of a tag or a tunnel ---- */

enum { MAC_LEN = 12, HEADER_MAX = 16, ETHERNET = 1 };

/* A header over Ethernet, IPv4 and perhaps UDP. */
static const struct tunnel {
  const char *name;
  uint16_t ethertype; /* 0x0800: IPv4, with */
  uint8_t protocol;   /* protocol and */
  uint16_t port;      /* port of UDP, if any */
  bool frame;         /* an Ethernet frame follows, not IPv4 */
  size_t len;
  uint8_t octets[HEADER_MAX];
  uint8_t number[HEADER_MAX]; /* the bits that are the number */
} tunnels[] = {
    {"802.1Q", 0x8100, 0, 0, false, 4, {0, 5, 8, 0}, {0x0f, 0xff}},
    {"PPPoE", 0x8864, 0, 0, false, 8, {0x11, 0, 1, 2, 0, 45, 0, 0x21}, {0, 0, 0xff, 0xff}},
    {"MPLS", 0x8847, 0, 0, false, 4, {1, 2, 0x31, 64}, {0xff, 0xff, 0xf0}},
    {"GRE", 0x0800, 47, 0, false, 8, {0x20, 0, 8, 0, 1, 2, 3, 4}, {0, 0, 0, 0, 255, 255, 255, 255}},
    {"VXLAN", 0x0800, 17, 4789, true, 8, {8, 0, 0, 0, 1, 2, 3, 0}, {0, 0, 0, 0, 255, 255, 255}},
    {"VXLAN-GPE",
     0x0800,
     17,
     4790,
     true,
     8,
     {12, 0, 0, 3, 1, 2, 3, 0},
     {0, 0, 0, 0, 255, 255, 255}},
    {"Geneve",
     0x0800,
     17,
     6081,
     true,
     8,
     {0, 0, 0x65, 0x58, 1, 2, 3, 0},
     {0, 0, 0, 0, 255, 255, 255}},
    {"GTP-U",
     0x0800,
     17,
     2152,
     false,
     8,
     {0x30, 255, 0, 60, 1, 2, 3, 4},
     {0, 0, 0, 0, 255, 255, 255, 255}},
};

/* Writes the segment that was built last after the header; returns the length. */
static size_t tunnel_write(uint8_t *out, const tcp_fixture *w, const struct tunnel *t,
                           const uint8_t *header) {
  const size_t inner = w->packet_len - (t->frame ? 0 : MAC_LEN + 2);
  uint8_t *at = out + MAC_LEN;
  memcpy(out, w->packet, MAC_LEN);
  at = tcp_fixture_put16(at, t->ethertype);
  if (t->ethertype == 0x0800) {
    const size_t udp = t->port != 0 ? 8 : 0;
    uint8_t *ip = at;
    at += tcp_fixture_ip(at, &w->end[0], &w->end[1], udp + t->len + inner);
    ip[9] = t->protocol;
    if (udp > 0) {
      at = tcp_fixture_put16(tcp_fixture_put16(at, 49152), t->port);
      at = tcp_fixture_put16(tcp_fixture_put16(at, (uint32_t)(udp + t->len + inner)), 0);
    }
  }
  memcpy(at, header, t->len);
  memcpy(at + t->len, w->packet + w->packet_len - inner, inner);
  return (size_t)(at - out) + t->len + inner;
}

/* The lane of a segment after the header; false: the header is another one now. PPPoE holds PPP.
 */
static bool tunnel_lane(uint32_t *lane, const tcp_fixture *w, const struct tunnel *t,
                        const uint8_t *header) {
  uint8_t packet[512];
  const size_t len = tunnel_write(packet, w, t, header);
  const ingest_packet pkt = {
      .data = packet, .caplen = (uint32_t)len, .len = (uint32_t)len, .link_type = ETHERNET};
  ing_decap d;
  const decap_end end = ing_decap_open(&d, &pkt);
  *lane = d.lane;
  return end == DECAP_TRANSPORT && d.ip.next == 6 &&
         d.num_layers == (t->ethertype == 0x8864 ? 2 : 1);
}

START_TEST(each_bit_of_a_number_makes_another_lane)
{
  tcp_fixture *w = fixture();
  tcp_fixture_send(w, CLIENT, "A", 0, 0, "abc");
  for (size_t i = 0; i < sizeof tunnels / sizeof tunnels[0]; i++) {
    const struct tunnel *t = &tunnels[i];
    uint32_t lane;
    ck_assert_msg(tunnel_lane(&lane, w, t, t->octets), "%s is not read", t->name);
    for (size_t bit = 0; bit < 8 * t->len; bit++) {
      uint8_t header[HEADER_MAX];
      uint32_t other;
      memcpy(header, t->octets, sizeof header);
      header[bit / 8] ^= (uint8_t)(1u << bit % 8);
      const bool counts = (t->number[bit / 8] & 1u << bit % 8) != 0;
      const bool read = tunnel_lane(&other, w, t, header);
      ck_assert_msg(read || !counts, "%s: bit %zu of octet %zu", t->name, bit % 8, bit / 8);
      ck_assert_msg(!read || (other != lane) == counts, "%s: bit %zu of octet %zu", t->name,
                    bit % 8, bit / 8);
    }
  }
  tcp_fixture_free(w);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {one_connection_in_many_vlans,
                                the_first_one_is_forgotten,
                                the_same_syn_in_two_vlans,
                                numbers_show_it,
                                each_bit_of_a_number_makes_another_lane,
                                NULL};
  return check_run(check_suite("ingest_lanes", tests));
}
