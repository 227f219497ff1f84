/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts of tags and tunnels, of packets that may hide TCP, and fragments of tunnels. */
#include "check_run.h"
#include "ingest/decap/decap.h"
#include "tcp_fixture.h"

#define ETHERNET 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
#define IPV4(next) 0x45, 0, 0, 0, 0, 1, 0x40, 0, 64, next, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2
#define UDP(port) 0xc0, 0, (port) >> 8, (port)&0xff, 0, 0, 0, 0
#define TAG 0x81, 0, 0, 1

static const struct {
  const char *name;
  int link_type;
  size_t len;
  uint8_t octets[80];
  bool counts;
  ingest_unread_kind kind;
  uint32_t number;
} unread_rows[] = {
    {"ARP", 1, 14, {ETHERNET, 8, 6}, false, 0, 0},
    {"an 802.3 length", 1, 14, {ETHERNET, 0, 60}, false, 0, 0},
    {"ICMP", 1, 34, {ETHERNET, 8, 0, IPV4(1)}, false, 0, 0},
    {"UDP", 1, 42, {ETHERNET, 8, 0, IPV4(17), UDP(53)}, false, 0, 0},
    {"MACsec", 1, 14, {ETHERNET, 0x88, 0xe5}, true, INGEST_UNREAD_ETHERTYPE, 0x88e5},
    {"ESP", 1, 34, {ETHERNET, 8, 0, IPV4(50)}, true, INGEST_UNREAD_PROTOCOL, 50},
    {"GTP-U", 1, 42, {ETHERNET, 8, 0, IPV4(17), UDP(2152)}, true, INGEST_UNREAD_PORT, 2152},
    {"an ERF type", 197, 16, {0, 0, 0, 0, 0, 0, 0, 0, 5}, true, INGEST_UNREAD_ERF, 5},
    {"VXLAN without its flag",
     1,
     50,
     {ETHERNET, 8, 0, IPV4(17), UDP(4789), 0},
     true,
     INGEST_UNREAD_LAYER,
     INGEST_LAYER_VXLAN},
    {"a cut tag", 1, 15, {ETHERNET, 0x81, 0, 0}, true, INGEST_UNREAD_LAYER, INGEST_LAYER_VLAN},
    {"nine layers",
     1,
     50,
     {ETHERNET, TAG, TAG, TAG, TAG, TAG, TAG, TAG, TAG, TAG, 8, 0},
     true,
     INGEST_UNREAD_DEPTH,
     0},
};

START_TEST(packets_that_may_hide_tcp)
{
  for (size_t i = 0; i < sizeof unread_rows / sizeof unread_rows[0]; i++) {
    tcp_fixture *w = tcp_fixture_new();
    tcp_fixture_push(w, unread_rows[i].octets, unread_rows[i].len, unread_rows[i].len,
                     unread_rows[i].link_type);
    tcp_fixture_push(w, unread_rows[i].octets, unread_rows[i].len, unread_rows[i].len,
                     unread_rows[i].link_type);
    const ingest_encap *encap = &ingest_stats_get(w->ing)->encap[0];
    const ingest_unread *line = &encap->unread[0];
    ck_assert_msg(encap->num_unread == unread_rows[i].counts, "%s", unread_rows[i].name);
    if (unread_rows[i].counts) {
      ck_assert_msg(line->kind == unread_rows[i].kind && line->number == unread_rows[i].number,
                    "%s: %d %u", unread_rows[i].name, (int)line->kind, (unsigned)line->number);
      ck_assert_uint_eq(line->packets, 2);
      ck_assert_uint_eq(line->first, 1);
    }
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* A packet with two tags counts once, and a tunnel with tags inside and outside too. */
START_TEST(a_packet_counts_once_for_a_layer)
{
  static const uint8_t twice[] = {ETHERNET, TAG, TAG, 8, 0, IPV4(4), IPV4(1)};
  tcp_fixture *w = tcp_fixture_new();
  tcp_fixture_push(w, twice, sizeof twice, sizeof twice, 1);
  const ingest_encap *encap = &ingest_stats_get(w->ing)->encap[0];
  for (size_t i = 0; i < INGEST_LAYERS; i++) {
    ck_assert_uint_eq(encap->packets[i], i == INGEST_LAYER_VLAN || i == INGEST_LAYER_IPIP);
  }
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(more_kinds_than_there_are_lines)
{
  uint8_t octets[] = {ETHERNET, 0x89, 0};
  tcp_fixture *w = tcp_fixture_new();
  for (unsigned i = 0; i < 3 * INGEST_UNREAD_MAX; i++) {
    octets[12] = (uint8_t)(0xa0 + i);
    tcp_fixture_push(w, octets, sizeof octets, sizeof octets, 1);
  }
  const ingest_encap *encap = &ingest_stats_get(w->ing)->encap[0];
  ck_assert_uint_eq(encap->num_unread, INGEST_UNREAD_MAX);
  ck_assert_uint_eq(encap->more.packets, 2 * INGEST_UNREAD_MAX);
  ck_assert_uint_eq(encap->more.first, INGEST_UNREAD_MAX + 1);
  ingest_encap sum = *encap;
  ingest_encap_add(&sum, encap);
  ck_assert_uint_eq(sum.num_unread, INGEST_UNREAD_MAX);
  ck_assert_uint_eq(sum.unread[3].packets, 2);
  ck_assert_uint_eq(sum.unread[3].first, 4);
  ck_assert_uint_eq(sum.more.packets, 4 * INGEST_UNREAD_MAX);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

START_TEST(each_layer_has_a_name)
{
  for (size_t i = 0; i < INGEST_LAYERS; i++) {
    ck_assert_ptr_nonnull(ingest_layer_name((ingest_layer)i));
    for (size_t n = 0; n < i; n++) {
      ck_assert_str_ne(ingest_layer_name((ingest_layer)i), ingest_layer_name((ingest_layer)n));
    }
  }
  ck_assert_ptr_null(ingest_layer_name(INGEST_LAYERS));
}
END_TEST

/* ---- fragments ---- */

/* Writes an IPv4 packet with `len` octets at `body`, or one of its fragments, at `out`. */
static size_t put_ip(uint8_t *out, uint8_t next, uint16_t id, uint16_t place, const uint8_t *body,
                     size_t len) {
  const uint8_t header[] = {IPV4(0)};
  memcpy(out, header, sizeof header);
  tcp_fixture_put16(out + 2, (uint32_t)(sizeof header + len));
  tcp_fixture_put16(out + 4, id);
  tcp_fixture_put16(out + 6, place);
  out[9] = next;
  memmove(out + sizeof header, body, len);
  return sizeof header + len;
}

/* Pushes the body in two fragments, as raw IP; the second one first if `turned`. */
static void push_halves(tcp_fixture *w, uint8_t next, uint16_t id, const uint8_t *body, size_t len,
                        bool turned) {
  const size_t first = len / 2 & ~(size_t)7;
  uint8_t packet[512];
  for (unsigned i = 0; i < 2; i++) {
    const bool last = (i == 1) != turned;
    const size_t n =
        last ? put_ip(packet, next, id, (uint16_t)(first / 8), body + first, len - first)
             : put_ip(packet, next, id, 0x2000, body, first);
    tcp_fixture_push(w, packet, n, n, 101);
  }
}

START_TEST(fragments_of_a_tunnel)
{
  for (unsigned turned = 0; turned < 2; turned++) {
    tcp_fixture *w = tcp_fixture_with(4, "abcdefgh");
    push_halves(w, 4, 7, w->packet + 14, w->packet_len - 14, turned != 0);
    ck_assert_str_eq(tcp_fixture_take(w), "O D0@0:abcdefgh");
    ck_assert_uint_eq(ingest_stats_get(w->ing)->encap[1].packets[INGEST_LAYER_IPIP], 1);
    ck_assert_uint_eq(tcp_fixture_free(w), 0);
  }
}
END_TEST

/* UDP that is no tunnel is not kept: its first fragment has the port. */
START_TEST(fragments_of_udp)
{
  const uint8_t body[64] = {UDP(4000)};
  const uint8_t closed[64] = {UDP(2152)};
  tcp_fixture *w = tcp_fixture_new();
  push_halves(w, 17, 7, body, sizeof body, false);
  push_halves(w, 17, 8, closed, sizeof closed, false);
  const ingest_stats *stats = ingest_stats_get(w->ing);
  ck_assert_uint_eq(stats->ignored, 4);
  ck_assert_uint_eq(stats->encap[0].num_unread, 1);
  ck_assert_uint_eq(stats->encap[0].unread[0].number, 2152);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

/* A fragment of TCP inside a tunnel in fragments is put together; a third level is not. */
START_TEST(fragments_inside_fragments)
{
  tcp_fixture *w = tcp_fixture_with(4, "abcdefgh");
  const uint8_t *tcp = w->packet + 34;
  const size_t len = w->packet_len - 34;
  uint8_t inner[256];
  uint8_t ip[64];
  memcpy(ip, w->packet + 14, 20);
  for (unsigned i = 0; i < 2; i++) { /* both fragments have the addresses of the connection */
    const size_t n =
        i == 0 ? put_ip(inner, 6, 9, 0x2000, tcp, 16) : put_ip(inner, 6, 9, 2, tcp + 16, len - 16);
    memcpy(inner + 12, ip + 12, 8);
    push_halves(w, 4, (uint16_t)(20 + i), inner, n, false);
  }
  ck_assert_str_eq(tcp_fixture_take(w), "O D0@0:abcdefgh");
  uint8_t third[128];
  const size_t all = put_ip(third, 4, 10, 0x2000, w->packet + 14, 24);
  for (unsigned i = 0; i < 2; i++) {
    const size_t n = i == 0 ? put_ip(inner, 4, 11, 0x2000, third, 24)
                            : put_ip(inner, 4, 11, 3, third + 24, all - 24);
    push_halves(w, 4, (uint16_t)(30 + i), inner, n, false);
  }
  const ingest_encap *encap = &ingest_stats_get(w->ing)->encap[1];
  ck_assert_uint_eq(encap->num_unread, 1);
  ck_assert_int_eq(encap->unread[0].kind, INGEST_UNREAD_FRAGMENTS);
  ck_assert_uint_eq(tcp_fixture_free(w), 0);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {packets_that_may_hide_tcp,       a_packet_counts_once_for_a_layer,
                                more_kinds_than_there_are_lines, each_layer_has_a_name,
                                fragments_of_a_tunnel,           fragments_of_udp,
                                fragments_inside_fragments,      NULL};
  return check_run(check_suite("ingest-encap", tests));
}
