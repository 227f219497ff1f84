/* SPDX-License-Identifier: BSD-2-Clause */
/* Connections with the same ends in several VLANs: which packets are whose. */
#include "check_run.h"

#include "ingest/conn.h"
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

int main(void) {
  const TTest *const tests[] = {one_connection_in_many_vlans, the_first_one_is_forgotten,
                                the_same_syn_in_two_vlans, numbers_show_it, NULL};
  return check_run(check_suite("ingest_lanes", tests));
}
